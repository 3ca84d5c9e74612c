"""Smaller trees: merged public states, betting rounds solved apart, forced actions."""
