"""The showdown of hand classes before the flop: exact integers for every pair, summed against a strategy.

For every ordered pair of classes the table has Q(A, B), the quarter-pots that one hand of class A wins against all
disjoint hands of class B over all boards, and n(A, B), the number of those hands. Small tables and those on a GPU are
float64 matrices; Omaha's on a CPU are the memory-mapped integers, summed by `classes_kernels`. Sums against a pure
strategy are exact: integers below 2^53. As a `Showdown` a class is a hand that weighs as much as it has hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import (
    holdem_class_name,
    holdem_class_sizes,
    omaha_class_name,
    omaha_class_sizes,
    omaha_class_starts,
)
from headsup.cards.games import check_game
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import check_device
from headsup.common.errors import DataError, UserError

OUTCOME_ROWS = 64  # classes whose outcomes are read together: 42 MB of numbers in Omaha Hi-Lo
DENSE_CLASSES = 4000  # up to this many classes the table is held as float64 matrices (256 MB at most)


class Sums(NamedTuple):
    """One number for every class A, summed over a strategy x of the opponent."""

    pots: Any  # sum_B x(B) Q(A, B) / (4 boards): pots won
    hands: Any  # sum_B x(B) n(A, B): hands met


class Classes:
    """The showdowns of one game, class against class; a `Showdown` on one street without a board."""

    def __init__(
        self,
        game: str,
        quarters: Any,
        counts: Any,
        *,
        sizes: npt.NDArray[np.int64],
        boards: int,
        ranks: int = 13,
        xp: ModuleType = np,
        outcomes: Any = None,
    ) -> None:
        """`outcomes` are boards by outcome, [classes, classes, outcomes], one hand of A against all of B; if known."""
        self.game = game
        self.outcomes = outcomes
        self.xp = xp
        self.classes = len(sizes)
        self.class_sizes = sizes  # [classes] w: how many hands each class has
        self.sizes = (self.classes, self.classes)
        self.boards = self.outcome_boards = boards  # what the sums divide pots won, and outcomes, by
        self.ranks = ranks
        if quarters.shape != self.sizes or counts.shape != self.sizes:
            raise DataError(f"a {game} table has {self.classes} x {self.classes} pairs, not {quarters.shape}")
        cards = 4 * ranks
        held = 2 if game == "holdem" else 4
        self.total = comb(cards - held, held)  # T: the hands that one hand leaves to the opponent
        self.hands = comb(cards, held)  # W: all hands
        first = float(counts[0].sum(dtype=np.float64))
        if abs(first - self.total) > 0.5:
            raise DataError(f"the {game} table is not whole: one hand meets {first:g} hands in it, not {self.total}")
        self.shares = xp.asarray(sizes / self.hands)
        self._sizes = xp.asarray(sizes, dtype=np.float64)
        self.dense = xp is not np or self.classes <= DENSE_CLASSES
        if self.dense:
            self._quarters = xp.asarray(quarters).astype(np.float64)
            self._counts = xp.asarray(counts).astype(np.float64)
        else:
            self._quarters, self._counts = quarters, counts

    def __repr__(self) -> str:
        size = f"{self.classes:,} x {self.classes:,}"
        return f"<Classes of {self.game}: {size} hand classes, {self.boards:,} boards each>"

    @property
    def checksum(self) -> str:
        return sha256(self.identity()).hexdigest()

    @property
    def bytes_read(self) -> int:
        """The bytes that one whole sum reads."""
        return int(self.classes**2 * (self._quarters.itemsize + self._counts.itemsize))

    def sums(self, x: Any) -> Sums:
        """The sums of every class against a strategy: one pass over the table."""
        if self.dense:
            return Sums((self._quarters @ x) / (4 * self.boards), self._counts @ x)
        from headsup.games.holdem.classes_kernels import against_rows

        won, met = np.empty(self.classes), np.empty(self.classes)
        against_rows(self._quarters, self._counts, np.ascontiguousarray(x, dtype=np.float64), won, met)
        return Sums(won / (4 * self.boards), met)

    def shifted(self, sums: Sums, old: Any, new: Any) -> Sums:
        """The sums against `new`, given those against `old`: reads only the rows of the classes that changed."""
        changed = self.xp.flatnonzero(new != old)
        if len(changed) == 0:
            return sums
        if len(changed) > self.classes // 4:
            return self.sums(new)
        # sum_B d(B) n(A, B) = 1/w(A) sum_B d(B) w(B) n(B, A); the opponent's pots are what the other does not win.
        weights = (new - old)[changed] * self._sizes[changed]
        won, met = self._row_sums(changed, weights)
        pots = sums.pots + (met - won / (4 * self.boards)) / self._sizes
        return Sums(pots, sums.hands + met / self._sizes)

    def _row_sums(self, rows: Any, weights: Any) -> tuple[Any, Any]:
        if self.dense:
            return weights @ self._quarters[rows], weights @ self._counts[rows]
        from headsup.games.holdem.classes_kernels import add_rows

        won, met = np.zeros(self.classes), np.zeros(self.classes)
        add_rows(self._quarters, self._counts, rows, weights, won, met)
        return won, met

    def block(self, rows: Sequence[int] | Any, columns: Sequence[int] | Any) -> tuple[Any, Any]:
        """(pots, hands) of some classes against others: float64[rows, columns] each."""
        rows, columns = self.xp.asarray(rows), self.xp.asarray(columns)
        pots = self._quarters[rows][:, columns].astype(np.float64) / (4 * self.boards)
        return pots, self._counts[rows][:, columns].astype(np.float64)

    def to_host(self, array: Any) -> npt.NDArray[Any]:
        return np.asarray(array.get() if hasattr(array, "get") else array)

    def lines(self, seat: int, street: int, board: int, reach: Floats, showdowns: int) -> tuple[Floats, Floats]:
        """(won, met), each [lines, classes]: one pass over the table for each line, the same for both seats."""
        won, met, each = *np.zeros((2, len(reach), self.classes)), reach / self.class_sizes
        if self.dense and len(reach):
            played = self.xp.asarray(each.T)
            met[:] = self.to_host(self._counts @ played).T
            won[:showdowns] = self.to_host(self._quarters @ played[:, :showdowns]).T / (4 * self.boards)
            return won, met
        for line, played in enumerate(each):
            pots, hands = self.sums(self.xp.asarray(played))
            met[line] = self.to_host(hands)
            if line < showdowns:
                won[line] = self.to_host(pots)
        return won, met

    def ways(self, strategies: Floats) -> Floats:
        """[outcomes, strategies, classes]: hands met of each strategy, by outcome; one pass over the table for all."""
        ends, xp = self._ends(), self.xp
        given = xp.asarray(np.ascontiguousarray(strategies.T))
        out = np.empty((ends.shape[2], len(strategies), self.classes))
        step = OUTCOME_ROWS if xp is np else 8 * OUTCOME_ROWS
        for low in range(0, self.classes, step):
            rows = xp.ascontiguousarray(xp.asarray(ends[low : low + step]).transpose(2, 0, 1), dtype=np.float64)
            met = xp.matmul(rows, given) / self.outcome_boards
            out[:, :, low : low + step] = self.to_host(met).transpose(0, 2, 1)
        return out

    def ways_turned(self, weights: Floats) -> Floats:
        """[outcomes, lines, classes]: sum over A of weights(A) x hands of B that one hand of A meets, by outcome to A.

        The same as `ways` by the symmetry of the table, w(A) o(A, B) = w(B) o'(B, A), but read the other way.
        """
        ends, xp = self._ends(), self.xp
        given, out = xp.asarray(weights), xp.zeros((ends.shape[2], len(weights), self.classes))
        step = OUTCOME_ROWS if xp is np else 8 * OUTCOME_ROWS
        for low in range(0, self.classes, step):
            rows = xp.ascontiguousarray(xp.asarray(ends[low : low + step]).transpose(2, 0, 1), dtype=np.float64)
            out += xp.matmul(given[:, low : low + step], rows)
        return np.asarray(self.to_host(out)) / self.outcome_boards

    def way_block(self, rows: Sequence[int] | Any, columns: Sequence[int] | Any) -> Floats:
        """[rows, columns, outcomes]: hands of some classes that one hand of others meets, by outcome."""
        ends, xp = self._ends(), self.xp
        block = ends[xp.asarray(rows)[:, None], xp.asarray(columns)[None, :]]
        return np.asarray(self.to_host(block), dtype=np.float64) / self.outcome_boards

    def _ends(self) -> Any:
        if self.outcomes is None:
            raise UserError(
                f"this table of {self.game} knows what a hand wins, not in which way: make one with  headsup tabulate "
                f"{self.game} --outcomes"
            )
        if self.xp is not np and isinstance(self.outcomes, np.ndarray):
            self.outcomes = self.xp.asarray(self.outcomes)
        return self.outcomes

    def alive(self, seat: int, street: int, board: int) -> AnyArray:
        return np.arange(self.classes)

    def renamed(self, seat: int, renaming: int) -> AnyArray:
        """A class has all suits in it: renaming them changes nothing."""
        return np.arange(self.classes)

    def mass(self, weights: tuple[Floats, Floats]) -> float:
        """The weight of all pairs of hands; with every hand counted once, T for each of the W hands."""
        if np.array_equal(weights[1], self.class_sizes):
            return float(np.sum(weights[0]) * self.total)
        return float(weights[0] @ self.lines(0, 0, 0, np.asarray(weights[1])[None], 0)[1][0])

    def names(self, seat: int) -> list[str]:
        name = holdem_class_name if self.game == "holdem" else omaha_class_name
        return [name(number) for number in range(self.classes)]

    def identity(self) -> bytes:
        """The game, its deck, and what every class wins from all hands."""
        won = self.to_host(self.sums(self.xp.ones(self.classes)).pots)
        return f"{self.game} {self.ranks} ".encode() + won.tobytes()


def without_card_removal(table: Classes) -> Classes:
    """The same equities, but a hand meets every class in proportion to its size, as if from a deck of its own.

    Not the real game: it shows what card removal is worth. Pairs that never meet count as even.
    """
    xp, scale = table.xp, table.total / table.hands
    quarters = xp.empty((table.classes, table.classes), dtype=np.float32)
    counts = xp.empty_like(quarters)
    every = np.arange(table.classes)
    for start in range(0, table.classes, 512):
        rows = every[start : start + 512]
        pots, hands = table.block(rows, every)
        equity = xp.where(hands > 0, pots / xp.where(hands > 0, hands, 1), 0.5)
        counts[start : start + 512] = scale * table._sizes
        quarters[start : start + 512] = equity * (4 * table.boards * scale) * table._sizes
    return Classes(
        table.game, quarters, counts, sizes=table.class_sizes, boards=table.boards, ranks=table.ranks, xp=table.xp
    )


@cache
def holdem_classes() -> Classes:
    """The 169 hold'em classes, from the exact hold'em table or the user's cache folder, which is sooner read."""
    from headsup.common.archives import cached_arrays

    ways = cached_arrays("holdem-classes", 1, _holdem_ways)["ways"].astype(np.int64)
    boards = comb(48, 5)
    quarters, counts = 4 * ways[..., 0] + 2 * ways[..., 1], ways.sum(axis=2) // boards
    return Classes("holdem", quarters, counts, sizes=np.asarray(holdem_class_sizes()), boards=boards, outcomes=ways)


def _holdem_ways() -> dict[str, npt.NDArray[np.int32]]:
    """int32[169, 169, 3]: boards on which one hand of a class wins, ties and loses against another's hands."""
    from headsup.equity.holdem.table import holdem_table

    table = holdem_table()
    ways = np.stack([table.wins, table.ties, table.deals - table.wins - table.ties], axis=2)
    return {"ways": (ways // holdem_class_sizes()[:, None, None]).astype(np.int32)}


def omaha_table(
    game: str, quarters: Any, counts: Any, *, ranks: int = 13, xp: ModuleType = np, outcomes: Any = None
) -> Classes:
    """A table of the Omaha classes of a deck of the lowest `ranks` ranks (they come first in the order of classes)."""
    classes = int(omaha_class_starts()[comb(ranks + 3, 4)])
    sizes = np.asarray(omaha_class_sizes()[:classes])
    boards = comb(4 * ranks - 8, 5)
    return Classes(game, quarters, counts, sizes=sizes, boards=boards, ranks=ranks, xp=xp, outcomes=outcomes)


def check_source(game: str, device: str, folder: Path | None) -> None:
    """See that a game can be summed on this device from this folder; hold'em needs neither."""
    if check_game(game) == "holdem":
        if device != "cpu":
            raise UserError(f"--device {device} sums the Omaha table, and hold'em has no need of it: leave it out")
        if folder is not None:
            raise UserError(f"--table {folder} is for Omaha, and hold'em has no need of it: leave it out")
    else:
        check_device(device)


def has_table(folder: Path | None = None) -> bool:
    """Whether there is a finished matchup table at all; one that is damaged or of another version is an error."""
    from headsup.equity.omaha import matchups
    from headsup.equity.omaha.matchups.store import read_manifest

    return read_manifest(matchups.default_folder() if folder is None else folder) is not None


def class_table(game: str, *, device: str = "cpu", folder: Path | None = None, ranks: int = 13) -> Classes:
    """The table of a game: hold'em is computed, Omaha is read from the matchup table's folder.

    The table's bytes are checked against its manifest before they are first used
    (`headsup.equity.omaha.matchups.seal`). A table of a smaller deck is another game; it is taken only if the caller
    asks for its `ranks`.
    """
    check_source(game, device, folder)
    if game == "holdem":
        return holdem_classes()
    from headsup.equity.omaha.matchups import load
    from headsup.equity.omaha.matchups.seal import check_bytes

    table = load(game, folder)
    if table.ranks != ranks:
        raise UserError(
            f"{table.folder} has the table of a deck of {table.ranks} ranks, not {ranks}: "
            "give the folder of a table that was made without --ranks"
        )
    if device == "cpu":
        check_bytes(table)
        return omaha_table(game, table.quarters, table.number, ranks=ranks, outcomes=table.outcomes)
    from headsup.common.backend import gpu

    xp = gpu()
    check_bytes(table)
    quarters, counts = xp.asarray(table.quarters), xp.asarray(table.number)
    return omaha_table(game, quarters, counts, ranks=ranks, xp=xp, outcomes=table.outcomes)
