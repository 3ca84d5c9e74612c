"""The leaderboard: what named clients have won of each bot, a hand, with luck taken out where that can be."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from headsup.play.statistics.interval import LEVEL, student
from headsup.web.matches import API, Matches

RANKED = 100
"""Hands from which on a client is ranked."""


class Estimate(NamedTuple):
    """A mean in big blinds a hand, and half of its 95 % interval."""

    mean: float
    half: float | None


class Leader(NamedTuple):
    """One client against one bot."""

    client: str
    hands: int
    plain: Estimate
    luckless: Estimate | None

    @property
    def best(self) -> Estimate:
        """The estimate that goes by."""
        return self.luckless or self.plain


class Board(NamedTuple):
    """All who met one bot in one game."""

    game: str
    stack: float | None
    bot: str
    leaders: tuple[Leader, ...]


def _estimate(count: int, total: float, squares: float) -> Estimate:
    mean = total / count
    if count < 2:
        return Estimate(mean, None)
    spread = sqrt(max(0.0, squares - count * mean * mean) / (count - 1))
    return Estimate(mean, student((1 + LEVEL) / 2, count - 1) * spread / sqrt(count))


def leaders(matches: Matches) -> list[Board]:
    """By game, stack and bot; clients with enough hands first, the best first. Duplicate matches do not count."""
    rows = matches.db.execute(
        "SELECT m.game, m.stack, m.bot, m.client, COUNT(*) AS n, SUM(plain) AS s, SUM(plain * plain) AS ss, "
        "COUNT(luckless) AS ln, SUM(luckless) AS ls, SUM(luckless * luckless) AS lss "
        "FROM hands h JOIN matches m ON m.id = h.match "
        "WHERE m.kind = ? AND m.client IS NOT NULL AND NOT m.duplicate AND h.ended IS NOT NULL "
        "GROUP BY m.game, m.stack, m.bot, m.client",
        (API,),
    ).fetchall()
    boards: dict[tuple[str, float | None, str], list[Leader]] = {}
    for row in rows:
        plain = _estimate(row["n"], row["s"], row["ss"])
        luckless = _estimate(row["ln"], row["ls"], row["lss"]) if row["ln"] == row["n"] else None
        found = Leader(row["client"], row["n"], plain, luckless)
        boards.setdefault((row["game"], row["stack"], row["bot"]), []).append(found)
    return [
        Board(*key, tuple(sorted(some, key=lambda one: (one.hands < RANKED, -one.best.mean))))
        for key, some in sorted(boards.items(), key=lambda one: -sum(each.hands for each in one[1]))
    ]


def as_dict(board: Board) -> dict[str, Any]:
    """For JSON."""
    told = [
        {
            "client": one.client,
            "hands": one.hands,
            "ranked": one.hands >= RANKED,
            "mean_bb": one.plain.mean,
            "half_bb": one.plain.half,
            "luckless_mean_bb": one.luckless.mean if one.luckless else None,
            "luckless_half_bb": one.luckless.half if one.luckless else None,
        }
        for one in board.leaders
    ]
    return {"game": board.game, "stack": board.stack, "bot": board.bot, "clients": told}
