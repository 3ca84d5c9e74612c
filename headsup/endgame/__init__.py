"""Jam-or-fold endgames: who wins the match, not the pot."""
