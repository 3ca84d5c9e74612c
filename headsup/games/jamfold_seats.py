"""The two seats of jam or fold, and what is said of them."""

from __future__ import annotations

SEATS = ("sb", "bb")
SEAT_NAMES = {"sb": "small blind", "bb": "big blind"}
PLAYS = {"sb": "jam", "bb": "call"}
"""What a seat does when it does not fold."""
