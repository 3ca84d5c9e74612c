"""Charts, lists and formulas that several pages draw."""
