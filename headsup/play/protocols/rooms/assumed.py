"""Ranges of two players who are left of a larger table, assumed from their positions and actions before the flop.

A hand history shows neither what the players would have folded nor how they play, so these are rough habits at tables
of six to nine, in percent of the best hands. They fill in a spot and are marked as assumptions; the reader sets them.
"""

from __future__ import annotations

from headsup.play.protocols.rooms.hand import RoomPlay
from headsup.play.table.record import AssumedRanges

OPENS = {"small blind": 40, "button": 45, "cutoff": 27, "hijack": 20, "early position": 15}
"""The share of hands with which each position raises first."""
CALLS_ONE = {"big blind": "6%-45%", "small blind": "5%-15%"}  # a raise; elsewhere:
COLD = "5%-20%"
THREE_BET, FOUR_BET = "8%", "3%"
CALLS_TWO, COLD_TWO, CALLS_MORE = "4%-16%", "3%-8%", "2%-6%"
LIMPS, CHECKS = "10%-50%", "10%-100%"


def position(play: RoomPlay, name: str) -> str:
    """A player's position at the table."""
    place, last = play.order.index(name), len(play.order) - 1
    if place < 2:
        return ("small blind", "big blind")[place]
    return {last: "button", last - 1: "cutoff", last - 2: "hijack"}.get(place, "early position")


def assumed_ranges(play: RoomPlay, players: tuple[str, str]) -> AssumedRanges:
    """Range texts of both players after the betting before the flop, and the assumptions in words."""
    raisers = [name for name, action in play.moves[0] if action.kind == "r"]
    texts, words = list[str](), list[str]()
    for name in players:
        place = position(play, name)
        text, did = _range(place, name, raisers)
        texts.append(text)
        words.append(f"{place} {did} {text}")
    return (texts[0], texts[1]), f"assumed from position, {' and '.join(words)}: set them to what you know"


def _range(place: str, name: str, raisers: list[str]) -> tuple[str, str]:
    if not raisers:
        return (CHECKS, "checks") if place == "big blind" else (LIMPS, "limps")
    if raisers[-1] == name:
        if len(raisers) == 1:
            return f"{OPENS.get(place, OPENS['early position'])}%", "raises"
        return (THREE_BET, "reraises") if len(raisers) == 2 else (FOUR_BET, "raises last")
    if len(raisers) == 1:
        return CALLS_ONE.get(place, COLD), "calls"
    if len(raisers) == 2:
        return (CALLS_TWO if name in raisers else COLD_TWO), "calls the reraise"
    return CALLS_MORE, "calls the last raise"
