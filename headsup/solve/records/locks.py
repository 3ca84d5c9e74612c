"""Locks: hands with fixed strategies that do not learn, while all others do.

A lock is a row of probabilities for a hand at a decision on a board. Strategies are read in proportion to what is
positive, so the probabilities are written into regrets, predictions and the cumulative strategy, before the first step
and after every walk of the seat. In int16 they are whole 8000ths, a quarter of the range, so they never decide the
scale of the hands that learn. A best response within the locks mixes at locked hands as they do (`Locks.held`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.contents import chances
from headsup.games.holdem.vector import VectorGame
from headsup.solve.records.regrets import decisions_of

if TYPE_CHECKING:  # records know locks, and need no compiler
    from headsup.games.walk.walk import Policy

UNIT = 8000  # what a probability of 1 is in int16


@dataclass(frozen=True, eq=False)
class Locks:
    """The fixed strategies of locked hands, for each seat."""

    cells: tuple[AnyArray, AnyArray]
    """int64, ascending: places in the seat's arrays [boards, rows, hands] of every street in turn."""
    probabilities: tuple[Floats, Floats]  # what stands there; all actions of a hand at a decision are locked, or none
    texts: tuple[str, ...] = ()  # the locks as they were written

    @classmethod
    def none(cls) -> Locks:
        nothing = np.zeros(0, dtype=np.int64)
        return cls((nothing, nothing), (np.zeros(0), np.zeros(0)))

    @classmethod
    def at(
        cls, game: VectorGame, node: int, boards: list[int], rows: list[Floats], masks: list[AnyArray], text: str
    ) -> Locks:
        """The hands of a mask at one decision on some boards, [actions, hands] on each."""
        seat, street = int(game.betting.player[node]), int(game.betting.street[node])
        n, hands = int(game.rounds.count[node]), game.showdown.sizes[seat]
        begin = int(game.layout[seat][street]) + int(game.rounds.row[node]) * hands
        cells, probabilities = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
        for board, row, mask in zip(boards, rows, masks, strict=True):
            chosen, low = np.flatnonzero(mask), begin + board * int(game.rounds.rows[seat, street]) * hands
            cells.append((low + hands * np.arange(n)[:, None] + chosen).ravel())
            probabilities.append(row[:, chosen].ravel())
        every, locked = np.concatenate(cells), np.concatenate(probabilities)
        order = np.argsort(every)
        mine, other = (every[order], locked[order]), (np.zeros(0, dtype=np.int64), np.zeros(0))
        first, second = (mine, other) if seat == 0 else (other, mine)
        return cls((first[0], second[0]), (first[1], second[1]), (text,))

    def __or__(self, other: Locks) -> Locks:
        """Both; where both lock a hand, the second one counts."""
        cells, probabilities = [], []
        for seat in (0, 1):
            every = np.concatenate([other.cells[seat], self.cells[seat]])
            distinct, first = np.unique(every, return_index=True)
            cells.append(distinct)
            probabilities.append(np.concatenate([other.probabilities[seat], self.probabilities[seat]])[first])
        return Locks((cells[0], cells[1]), (probabilities[0], probabilities[1]), (*self.texts, *other.texts))

    def __bool__(self) -> bool:
        return any(len(cells) for cells in self.cells)

    def __repr__(self) -> str:
        return f"<Locks: {'; '.join(self.texts) or 'none'}>"

    def values(self, seat: int, dtype: Any) -> AnyArray:
        """The probabilities as a store of this type has them."""
        whole = np.dtype(dtype).kind == "i"
        return (np.rint(self.probabilities[seat] * UNIT) if whole else self.probabilities[seat]).astype(dtype)

    def on(self, policy: Policy) -> Policy:
        """The policy with the locks in it."""
        return self._put(policy[0].copy(), policy[1].copy())

    def held(self, policy: Policy) -> Policy:
        """For best responses within the locks: probabilities where hands are locked, -1 where they are free."""
        return self._put(*(np.full(len(numbers), -1, numbers.dtype) for numbers in policy))

    def _put(self, *arrays: AnyArray) -> Policy:
        for seat, array in enumerate(arrays):
            array[self.cells[seat]] = self.values(seat, array.dtype)
        return arrays[0], arrays[1]

    def checksum(self) -> str:
        """SHA-256 over all of them."""
        digest = hashlib.sha256()
        for array in (*self.cells, *self.probabilities):
            digest.update(array.tobytes())
        return digest.hexdigest()

    def arrays(self) -> dict[str, AnyArray]:
        """As a record keeps them."""
        named = {"locked": self.cells, "share": self.probabilities}
        return {f"{name}{seat}": pair[seat] for name, pair in named.items() for seat in (0, 1)}

    @classmethod
    def of(cls, arrays: dict[str, AnyArray], texts: tuple[str, ...]) -> Locks:
        cells, probabilities = ([arrays[f"{name}{seat}"] for seat in (0, 1)] for name in ("locked", "share"))
        for place, probability in zip(cells, probabilities, strict=True):
            chances(probability, "a lock")
            if place.dtype.kind != "i" or place.shape != probability.shape or (np.diff(place) <= 0).any():
                raise ValueError("the locks are not a list of places with their probabilities")
        return cls((cells[0], cells[1]), (probabilities[0], probabilities[1]), texts)

    def decisions(self, game: VectorGame, seat: int) -> list[tuple[int, AnyArray]]:
        """Decisions of a seat with locked hands: how many actions they have, and their first rows on all boards."""
        hands, decisions = game.showdown.sizes[seat], []
        rows = np.unique(self.cells[seat] // hands)
        for _, s, here in decisions_of(game, seat):
            low, high = (int(at) // hands for at in game.layout[seat][s : s + 2])
            mine = rows[(rows >= low) & (rows < high)]
            first = mine[(mine - low) % int(game.rounds.rows[seat, s]) == here.start]
            if len(first):
                decisions.append((here.stop - here.start, first))
        return decisions
