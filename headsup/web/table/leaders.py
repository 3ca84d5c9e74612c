"""The leaderboard: results of named clients against each bot in bb/hand, with variance reduction if possible."""

from math import sqrt
from typing import Any, NamedTuple

from headsup.play.statistics.interval import LEVEL, student
from headsup.web.table.matches import API, Matches

RANKED = 100  # hands from which on a client is ranked


class Estimate(NamedTuple):
    """A mean in bb/hand and the half-width of its 95 % CI."""

    mean: float
    half: float | None


class Leader(NamedTuple):
    client: str
    hands: int
    plain: Estimate
    luckless: Estimate | None

    @property
    def best(self) -> Estimate:
        return self.luckless or self.plain


class Board(NamedTuple):
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
    """By game, stack and bot; ranked clients first, the best first. Duplicate matches do not count."""
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
        leader = Leader(row["client"], row["n"], plain, luckless)
        boards.setdefault((row["game"], row["stack"], row["bot"]), []).append(leader)
    return [
        Board(*key, tuple(sorted(some, key=lambda item: (item.hands < RANKED, -item.best.mean))))
        for key, some in sorted(boards.items(), key=lambda item: -sum(each.hands for each in item[1]))
    ]


def as_dict(board: Board) -> dict[str, Any]:
    clients = [
        {
            "client": leader.client,
            "hands": leader.hands,
            "ranked": leader.hands >= RANKED,
            "mean_bb": leader.plain.mean,
            "half_bb": leader.plain.half,
            "luckless_mean_bb": leader.luckless.mean if leader.luckless else None,
            "luckless_half_bb": leader.luckless.half if leader.luckless else None,
        }
        for leader in board.leaders
    ]
    return {"game": board.game, "stack": board.stack, "bot": board.bot, "clients": clients}
