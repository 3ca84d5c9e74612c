"""Regrets beside a solution, so that a run resumes from it as if it had never stopped.

In a file they are int16 with a scale for each decision on each board, as in `headsup.solve.holdem.store`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.games.holdem.vector import VectorGame

if TYPE_CHECKING:
    from headsup.games.walk.walk import Policy

MOST = 32767.0


def street_of(game: VectorGame, flat: AnyArray, seat: int, s: int) -> AnyArray:
    """[boards, rows, hands] of one street of a seat's array."""
    low, high = int(game.layout[seat][s]), int(game.layout[seat][s + 1])
    return flat[low:high].reshape(len(game.boards.levels[s]), int(game.rounds.rows[seat, s]), game.showdown.sizes[seat])


def decisions_of(game: VectorGame, seat: int) -> Iterator[tuple[int, int, slice]]:
    """Every decision of a seat: its node, its street and its rows there."""
    for node in np.flatnonzero(game.rounds.player == seat):
        begin = int(game.rounds.row[node])
        yield int(node), int(game.betting.street[node]), slice(begin, begin + int(game.rounds.count[node]))


def scales_of(game: VectorGame, flat: AnyArray, seat: int, s: int) -> AnyArray:
    """[boards, rows] of one street of a seat's scales; a decision's is that of its first row."""
    low, high = (int(at) // game.showdown.sizes[seat] for at in game.layout[seat][s : s + 2])
    return flat[low:high].reshape(len(game.boards.levels[s]), int(game.rounds.rows[seat, s]))


def rounded(numbers: Floats) -> tuple[AnyArray, AnyArray]:
    """[boards, actions, hands] as whole numbers that int16 holds, and the scale of each board."""
    top = np.abs(numbers).max(axis=(1, 2)) / MOST
    return np.rint(numbers / np.where(top > 0.0, top, 1.0)[:, None, None]), top.astype(np.float32)


def packed(game: VectorGame, regrets: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Regrets as a file has them."""
    out: dict[str, AnyArray] = {}
    for seat in (0, 1):
        given = regrets[f"regret{seat}"]
        if given.dtype.kind == "i":
            out |= {name: regrets[name] for name in (f"regret{seat}", f"regret_scale{seat}")}
            continue
        whole = np.zeros(len(given), dtype=np.int16)
        scale = np.zeros(len(given) // game.showdown.sizes[seat], dtype=np.float32)
        for _, s, rows in decisions_of(game, seat):
            numbers, top = rounded(street_of(game, given, seat, s)[:, rows])
            street_of(game, whole, seat, s)[:, rows] = numbers
            scales_of(game, scale, seat, s)[:, rows.start] = top
        out |= {f"regret{seat}": whole, f"regret_scale{seat}": scale}
    return out


def unpacked(game: VectorGame, regrets: Mapping[str, AnyArray]) -> Policy:
    """Both players' regrets as floats."""
    pair = []
    for seat in (0, 1):
        given = regrets[f"regret{seat}"]
        if given.dtype.kind == "f":
            pair.append(given)
            continue
        out = np.zeros(len(given), dtype=np.float32)
        for _, s, rows in decisions_of(game, seat):
            scale = scales_of(game, regrets[f"regret_scale{seat}"], seat, s)[:, rows.start, None, None]
            street_of(game, out, seat, s)[:, rows] = street_of(game, given, seat, s)[:, rows] * scale
        pair.append(out)
    return pair[0], pair[1]


def fit(game: VectorGame, regrets: Mapping[str, AnyArray]) -> bool:
    sizes = [int(at[-1]) for at in game.layout]
    return all(
        f"regret{seat}" in regrets
        and regrets[f"regret{seat}"].shape == (sizes[seat],)
        and (
            regrets[f"regret{seat}"].dtype.kind == "f"
            or getattr(regrets.get(f"regret_scale{seat}"), "shape", None) == (sizes[seat] // game.showdown.sizes[seat],)
        )
        for seat in (0, 1)
    )
