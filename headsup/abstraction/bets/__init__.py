"""Bets of one tree in terms of another: sizes, translation and capped raises."""
