"""Smaller trees: public states that are merged, betting rounds that are solved apart, forced actions."""
