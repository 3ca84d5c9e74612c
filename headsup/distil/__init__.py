"""From equilibria to rules that a person can use: point-count rules, rule cards, and formulas for equities."""
