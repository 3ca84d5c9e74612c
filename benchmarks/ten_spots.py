"""Ten hold'em spots to measure on: rivers, turns and flops, narrow and wide ranges, shallow and deep.

The first of each street has an answer by postflop-solver (`benchmarks.layer`).
"""

from __future__ import annotations

from headsup.games.holdem.spot import Spot

OUT = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IN = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
BLIND = "22+,A2s+,K2s+,Q2s+,J4s+,T6s+,96s+,85s+,75s+,64s+,53s+,43s,A2o+,K7o+,Q8o+,J8o+,T8o+,98o"
BUTTON = "22+,A2s+,K4s+,Q7s+,J7s+,T7s+,97s+,86s+,76s,65s,54s,A4o+,K9o+,Q9o+,J9o+,T9o"
RAISER, CALLER = "TT+,AQs+,AKo,A5s-A2s,KQs,76s", "JJ-77,AQs-ATs,AQo,KTs+,QTs+,JTs,T9s,98s"


def ten_spots() -> dict[str, Spot]:
    """The spots by name."""
    return {
        "river": Spot("Td9d6hQc2s", OUT, IN, 200, 900, "60%, a", "2.5x"),
        "river, wide": Spot("AhKs7c7d3s", BLIND, BUTTON, 100, 350, "33%, 75%, a", "2.5x, a"),
        "turn": Spot("Td9d6hQc", OUT, IN, 200, 900, "60%, a", "2.5x"),
        "turn, wide": Spot("Kh8s4c2h", BLIND, BUTTON, 100, 350, "33%, 75%", "2.5x"),
        "turn, deep": Spot("9c8c7c2d", OUT, IN, 60, 970, "75%", "3x"),
        "flop": Spot("QsJh2h", OUT, IN, 180, 910, "52%", "2.5x"),
        "flop, dry": Spot("Ks7h2d", OUT, IN, 60, 400, "66%", "3x"),
        "flop, 3-bet": Spot("As8d5d", RAISER, CALLER, 220, 890, "33%, 75%", "2.5x"),
        "flop, one suit": Spot("Th8h4h", OUT, IN, 100, 300, "50%, a", "a"),
        "flop, paired": Spot("6c6d2s", BLIND, BUTTON, 50, 150, "50%", "a"),
    }
