"""Strategies by bucket: hands that play alike, on any board of a street.

`Buckets` give every hand on every board a number, and a `BucketStrategy` keeps [rows, buckets] a street. A street may
have several partitions, one for each line that comes into it (`kinds`). The numbers of a seat on a street are, for each
row of the betting (`Rounds`), one number a bucket of the partition that holds there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import quoted, real_array
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import Place, VectorGame, decisions, regret_matching


class Buckets(Protocol):
    """Which hands play alike."""

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """How many buckets each partition of each street has."""

    @property
    def kinds(self) -> tuple[AnyArray, ...]:
        """For each street, int[entries]: the partition that holds after each line that comes into it."""

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        """[high - low, hands of the seat]: the bucket of each hand on boards low .. high - 1 of a street.

        A hand that the board blocks has any bucket. Boards that differ in suits alone agree on theirs: who renames the
        suits of a hand and its board finds the same bucket.
        """


class TableBuckets:
    """Buckets that lie in arrays: for each street and partition one of [boards, hands], the same for both seats.

    `tables[street]` is an array, or a sequence of them, one a partition; `kinds` as in `Buckets`, left out where every
    street has one. `text` makes them again, where there is one (`headsup.abstraction.hands.named`).
    """

    text: str | None = None

    def __init__(
        self, game: VectorGame, tables: Sequence[AnyArray | Sequence[AnyArray]], kinds: Sequence[AnyArray] | None = None
    ) -> None:
        if game.showdown.sizes[0] != game.showdown.sizes[1]:
            raise UserError("the two players have different lists of hands: give both the same range")
        if len(tables) != game.streets:
            raise UserError(f"the game has {game.streets} streets: give a table of buckets for each, not {len(tables)}")
        self.tables = tuple(tuple(table) if isinstance(table, list | tuple) else (table,) for table in tables)
        for street, (many, boards) in enumerate(zip(self.tables, game.boards.sizes(), strict=True)):
            for table in many:
                if table.shape != (boards, game.showdown.sizes[0]) or table.dtype.kind != "u":
                    raise UserError(
                        f"buckets of street {street} are unsigned numbers [{boards}, {game.showdown.sizes[0]}], "
                        f"not {table.dtype}{list(table.shape)}"
                    )
        self.sizes = tuple(tuple(int(table.max(initial=0)) + 1 for table in many) for many in self.tables)
        entries = np.diff(game.rounds.entries)
        self.kinds = tuple(np.zeros(n, np.int64) for n in entries) if kinds is None else tuple(kinds)
        for street, (which, n) in enumerate(zip(self.kinds, entries, strict=True)):
            if len(which) != n or which.min(initial=0) < 0 or which.max(initial=0) >= len(self.tables[street]):
                raise UserError(f"street {street} is entered by {n} lines: name one of its partitions for each")

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        return np.asarray(self.tables[street][kind][low:high])


class SameCards:
    """Buckets of one game in another that has the same cards and other betting; one partition a street."""

    def __init__(self, buckets: Buckets, game: VectorGame) -> None:
        if any(len(many) > 1 for many in buckets.sizes):
            raise UserError("buckets that depend on the betting before hold in their own betting alone: make others")
        self.buckets, self.sizes = buckets, buckets.sizes
        self.kinds = tuple(np.zeros(n, np.int64) for n in np.diff(game.rounds.entries))

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        return self.buckets.rows(seat, street, low, high, kind)


def on_device(buckets: Buckets) -> Buckets:
    """Buckets for a walk on a CUDA device: their twin there, if they have one, else themselves."""
    twin = getattr(buckets, "on_device", None)
    return buckets if twin is None else twin()


def no_buckets(game: VectorGame) -> TableBuckets:
    """The partition that merges nothing: on each board every hand is its own bucket."""
    hands = game.showdown.sizes[0]
    tables = [np.arange(n * hands, dtype=np.uint32).reshape(n, hands) for n in game.boards.sizes()]
    buckets = TableBuckets(game, tables)
    buckets.text = "none"
    return buckets


@dataclass(frozen=True)
class BucketLayout:
    """Where the numbers of a seat lie when they are kept by bucket."""

    first: AnyArray  # int64[all rows + 1]: where each row begins; rows of all streets, one street after another
    row_at: AnyArray  # int64[streets + 1]: where a street's rows begin in `first`
    kind: AnyArray  # int64[all rows]: the partition of its street that holds at a row

    @property
    def size(self) -> int:
        return int(self.first[-1])


def bucket_layout(game: VectorGame, buckets: Buckets, seat: int) -> BucketLayout:
    rounds, widths, kinds = game.rounds, [], []
    row_at = np.concatenate(([0], np.cumsum(rounds.rows[seat]))).astype(np.int64)
    for s in range(game.streets):
        entry = rounds.entry[rounds.entries[s] : rounds.entries[s + 1]]
        own = decisions(rounds, s, seat)
        # an entry's subtree lies before the next entry, and rows are numbered in the order of the nodes
        of_node = buckets.kinds[s][np.searchsorted(entry, own, side="right") - 1]
        of_row = np.repeat(of_node, rounds.count[own]).astype(np.int64)
        kinds.append(of_row)
        widths.append(np.asarray(buckets.sizes[s], dtype=np.int64)[of_row])
    first = np.concatenate(([0], np.cumsum(np.concatenate(widths)))).astype(np.int64)
    return BucketLayout(first, row_at, np.concatenate(kinds))


class BucketStrategy:
    """A strategy that lies in arrays by bucket: shares in proportion to what is positive, equal where nothing is.

    Whole numbers may lack the last action of every decision (`stored`), which has what the others leave.
    """

    def __init__(self, game: VectorGame, buckets: Buckets, numbers: tuple[AnyArray, AnyArray]) -> None:
        self.game, self.buckets = game, buckets
        self.layouts = (bucket_layout(game, buckets, 0), bucket_layout(game, buckets, 1))
        self.numbers = numbers = (self._completed(0, numbers[0]), self._completed(1, numbers[1]))
        for seat in (0, 1):
            real_array(numbers[seat], f"strategy of player {seat}")
            if numbers[seat].shape != (self.layouts[seat].size,):
                raise UserError(
                    f"a strategy of player {seat} with these buckets has {self.layouts[seat].size:,} numbers, "
                    f"not {numbers[seat].size:,}"
                )

    def decisions(self, seat: int) -> Iterator[tuple[slice, int]]:
        """For each decision of a seat, where its numbers lie, action by action, and how many actions it has."""
        rounds, layout = self.game.rounds, self.layouts[seat]
        street = np.repeat(np.arange(self.game.streets), np.diff(rounds.start))
        for node in np.flatnonzero(rounds.player == seat).tolist():
            row, n = int(layout.row_at[street[node]]) + int(rounds.row[node]), int(rounds.count[node])
            yield slice(int(layout.first[row]), int(layout.first[row + n])), n

    def stored(self) -> tuple[AnyArray, AnyArray]:
        """The numbers as a file keeps them: those of `packed` without the last action of every decision."""
        first, second = (self._shortened(seat, numbers) for seat, numbers in enumerate(self.numbers))
        return first, second

    def _shortened(self, seat: int, numbers: AnyArray) -> AnyArray:
        if numbers.dtype.kind != "u":
            return numbers
        most, parts = np.iinfo(numbers.dtype).max, []
        for here, n in self.decisions(seat):
            by_action = numbers[here].reshape(n, -1)
            if (by_action.sum(axis=0, dtype=np.int64) != most).any():
                return numbers
            parts.append(by_action[:-1].ravel())
        return np.concatenate(parts)

    def _completed(self, seat: int, numbers: AnyArray) -> AnyArray:
        cells = list(self.decisions(seat)) if numbers.dtype.kind == "u" else []
        if not cells or numbers.size != sum((here.stop - here.start) // n * (n - 1) for here, n in cells):
            return numbers
        out, at = np.empty(self.layouts[seat].size, numbers.dtype), 0
        for here, n in cells:
            by_action, width = out[here].reshape(n, -1), (here.stop - here.start) // n
            by_action[:-1] = numbers[at : at + (n - 1) * width].reshape(n - 1, width)
            rest = np.iinfo(numbers.dtype).max - by_action[:-1].sum(axis=0, dtype=np.int64)
            if (rest < 0).any():
                raise UserError(f"the probabilities of player {seat} exceed 1 at a decision: the file is damaged")
            by_action[-1], at = rest, at + (n - 1) * width
        return out

    def whole_street(self, seat: int, board: Place) -> Floats:
        """[rows, hands]: what the buckets of a seat do at all decisions of the board's street at once."""
        layout, s = self.layouts[seat], board.street
        rows = slice(int(layout.row_at[s]), int(layout.row_at[s + 1]))
        kinds = range(len(self.buckets.sizes[s]))
        tables = [self.buckets.rows(seat, s, board.number, board.number + 1, kind)[0] for kind in kinds]
        which = np.stack(tables).astype(np.int64)
        return np.asarray(self.shares[seat][layout.first[rows][:, None] + which[layout.kind[rows]]])

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """The numbers of each seat as shares, when first asked for."""
        out = []
        for seat, layout in enumerate(self.layouts):
            shares = np.zeros(layout.size)
            for here, n in self.decisions(seat):
                given = self.numbers[seat][here].reshape(n, -1)
                shares[here] = regret_matching(given, np.zeros(1, int), np.array([n])).ravel()
            out.append(shares)
        return out[0], out[1]

    def rows(self, decision: int, board: Place) -> Floats:
        """What the bucket of each hand does."""
        shares, kind = self.by_bucket(decision)
        seat = int(self.game.rounds.player[decision])
        hands = self.buckets.rows(seat, board.street, board.number, board.number + 1, kind)[0]
        return np.asarray(shares[:, hands])

    def by_bucket(self, decision: int) -> tuple[Floats, int]:
        """[actions, buckets]: what each bucket does at a decision, and of which kind its buckets are."""
        rounds = self.game.rounds
        seat, n = int(rounds.player[decision]), int(rounds.count[decision])
        if seat >= DEAL:
            raise UserError(f"node {decision} of the betting is no decision")
        layout, street = self.layouts[seat], int(self.game.betting.street[decision])
        row = int(layout.row_at[street]) + int(rounds.row[decision])
        kind = int(layout.kind[row])
        width, begin = self.buckets.sizes[street][kind], int(layout.first[row])
        numbers = self.numbers[seat][begin : begin + n * width].reshape(n, width)
        return regret_matching(numbers, np.zeros(1, int), np.array([n])), kind


def check_bits(bits: object) -> None:
    """Raise an error unless a probability can be rounded to so many bits."""
    if bits not in (4, 8, 16):
        raise UserError(f"a probability is rounded to 4, 8 or 16 bits, not {quoted(bits)}")


def packed(strategy: BucketStrategy, bits: int) -> BucketStrategy:
    """The same strategy with its shares rounded to 4, 8 or 16 bits.

    At every decision they become whole numbers that sum to 255 (with 4 bits, multiples of 17) or 65,535.
    """
    check_bits(bits)
    kind = np.dtype(np.uint16 if bits > 8 else np.uint8)
    steps = (1 << bits) - 1
    first, second = (_rounded(strategy, seat, steps, kind) for seat in (0, 1))
    return BucketStrategy(strategy.game, strategy.buckets, (first, second))


def _rounded(strategy: BucketStrategy, seat: int, steps: int, kind: np.dtype[Any]) -> AnyArray:
    """The shares of a seat in whole steps that sum to all of them: the largest remainders are rounded up."""
    out = np.empty(strategy.layouts[seat].size, kind)
    for here, n in strategy.decisions(seat):
        scaled = strategy.shares[seat][here].reshape(n, -1) * steps
        whole = np.floor(scaled)
        order = np.argsort(np.argsort(whole - scaled, axis=0, kind="stable"), axis=0, kind="stable")
        whole += order < steps - whole.sum(axis=0)
        out[here] = (whole * (np.iinfo(kind).max // steps)).ravel()
    return out
