"""Jam-or-fold endgames: the chance to win the match, not the pot."""
