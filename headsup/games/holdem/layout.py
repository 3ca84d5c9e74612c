"""The arrays that the kernels of hold'em games share, as named tuples, and the constants of their modes and stages."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.games.holdem.lanes import FEW, LINES, TILE

DEAL, FOLD, SHOWDOWN = 2, 3, 4
LEARN, BEST, MIX, RESPOND = 0, 1, 2, 3
"""What happens at own decisions: regrets and averages are updated, the best action is taken, the strategy mixes, or
the best action is taken and recorded, by the hands that are free to (`_best_response`)."""
WHOLE, OPEN, SHARE, CLOSE, FINISH = 0, 1, 2, 3, 4
"""A whole walk, or the stages of one that threads share; FINISH is CLOSE after threads have shared the root's lines."""
BOTH = 2  # in place of a seat: iterations of both, one walk after the other
STEPS = 32766
"""The greatest number that an int16 store holds is less than this, and than an int16: it may be rounded up."""
DEPTH = 16
"""How much deeper than the greatest number of a decision int16 lets its least ones go, before it cuts them off."""


class Rounds(NamedTuple):
    """The betting of all streets; nodes are those of the betting tree."""

    start: Any  # int64[streets + 1] where the nodes of a street begin
    player: Any  # int8[nodes] 0 or 1 at decisions, else DEAL, FOLD, SHOWDOWN
    child: Any  # int32[nodes] the first child
    count: Any  # int32[nodes] how many actions a decision has
    row: Any  # int32[nodes] at a decision, the first of its rows in the mover's strategy on this street
    at: Any  # int32[2, nodes] which row of each player's reach holds here: entries first, then one for each own row
    entry: Any  # int32[...] the nodes where lines come in, street by street
    entries: Any  # int64[streets + 1] where those of a street begin
    deal: Any  # int32[...] nodes that lead to the entry of the same number on the next street
    deals: Any  # int64[streets + 1]
    end: Any  # int32[...] folds and showdowns
    ends: Any  # int64[streets + 1]
    pay: Any  # float64[2, ends, 2] what each player gets there: for meeting a hand, and more for beating it
    line: Any  # int32[2, ends] which of the player's lines on this street an end belongs to
    lines: Any  # int32[...] for each player and street: rows of the opponent's reach with an end under them
    first_line: Any  # int64[2, streets + 1] where those begin
    showdowns: Any  # int64[2, streets] how many of them have a showdown; they come first
    rows: Any  # int64[2, streets] how many rows each player's strategy has
    swap: Any  # float64[nodes] at decisions to change a card, the chance of each card that may come; else 0
    twin: Any  # int32[nodes] where such a decision is one with that at another node: that node; else -1
    seen: Any  # int32[2, nodes, 2] at such decisions, the lines of what is met (`swap_up`)


class FourCardOrders(NamedTuple):
    """What four-card hands add: the subsets of their cards, and orders for boards where a low splits the pot.

    Boards are in groups by the renamings of suits that leave them alone; `FourAlike` has more than one. Its hands are
    columns, each of which stands for several hands, and its rows of `held` stand for several sets of cards.
    """

    group: Any  # int64[boards]
    shares: Any  # bool[groups] whether a column or a row stands for several
    sets: Any  # uint16[groups, 2, hands, SLOTS] rows of `held`; the last number is not used
    same: Any  # int32[groups, 2, hands] the opponent's hand of the same cards, or -1
    size: Any  # float64[groups, 2, hands] how many hands a column stands for
    part: Any  # float64[groups, rows] one over the number of sets that a row stands for
    split: Any  # bool[boards] whether a low is possible
    order: Any  # int32[2, 2, boards, hands] of each player all hands by lows, then those without a low by highs
    strength: Any  # int16[2, 2, boards, hands] theirs in that order
    number: Any  # int32[2, 2, boards] how many those are


class WalkHands(NamedTuple):
    """Both players' hands, and the boards of all streets with the hands in order on each.

    `above`, `times` and `facts` are for columns that stand for several hands; else empty.
    """

    number: Any  # int64[2] how many hands each player may hold
    cards: Any  # uint8[2, hands, 2 or 4]
    same: Any  # int32[2, hands] the opponent's hand of the same cards, or -1
    maps: Any  # int16 (int32 for four cards) [2, 24, hands] the hand that each renaming of suits turns a hand into
    start: Any  # int64[streets + 1] where the boards of a street begin
    child: Any  # int64[boards + 1] the boards below a board are child[b] .. child[b + 1]
    first: Any  # int64[boards + 1] where the renamings of a board begin
    renaming: Any  # uint8[...]
    order: Any  # int16 or int32 [2, boards, hands] the hands that the board leaves, weakest first
    strength: Any  # int16[2, boards, hands] their strengths in that order; all equal before the last street
    alive: Any  # int32[2, boards] how many those are
    wide: Any  # int64[2, boards] how many columns a board has
    before: Any  # int64[2, boards] how many those before it on its street have
    link: Any  # int64[2, boards] which row of `above` and `times` a board has
    above: Any  # int16 or int32 [rows, columns] the column of the board above that has the same hands
    times: Any  # float64[rows, columns] how often a column's value counts in that one
    facts: Any  # uint8[boards, columns, 5] two rows of `held`; how often it counts in `held[0]` and in those
    four: Any = None  # `FourCardOrders`; None for hands of two cards


@dataclass(frozen=True)
class Alike:
    """The columns of a game's boards, where hands that are alike on a board take one, so that a walk is shorter.

    Two hands are alike where a renaming of suits that leaves the board, the ranges and the boards above it alone
    carries one to the other. The columns of a board are its kinds from the weakest to the strongest. With n hands of a
    kind, N on the board above, and a board that stands for c boards, what happens there counts c n / N times in the
    value of the kind above. Of the n hands, n / m have one certain card of m that are alike, and 2 n / m if both cards
    are of these. `folded` and `unfolded` translate arrays of the usual layout.
    """

    hands: WalkHands  # for the kernels
    column: AnyArray  # int16[boards, hands] the column that each hand has on a board, -1 where it is blocked
    rows: AnyArray  # int64[2, streets] how many rows the boards of a street have
    sizes: tuple[int, int]  # how many hands each player may hold

    @cached_property
    def layout(self) -> tuple[AnyArray, AnyArray]:
        """For each player, where the streets of an array begin, and its size; a board has [rows, columns]."""
        every = np.add.reduceat(self.hands.wide, self.hands.start[:-1], axis=1)
        first, second = (np.cumsum([0, *(every[p] * self.rows[p])]).astype(np.int64) for p in (0, 1))
        return first, second

    def folded(self, array: AnyArray, seat: int) -> AnyArray:
        """An array of the usual layout, with one column for each kind: that of the hand which stands for it."""
        out = np.zeros(int(self.layout[seat][-1]), array.dtype)
        for part, usual, b in self._parts(out, array, seat):
            part[:] = usual[:, self.standing(seat, b)]
        return out

    def unfolded(self, array: AnyArray, seat: int) -> AnyArray:
        """An array in the usual layout again; blocked hands have 0."""
        hands, boards = self.sizes[seat], np.diff(self.hands.start)
        out = np.zeros(int((boards * self.rows[seat]).sum()) * hands, array.dtype)
        for part, usual, b in self._parts(array, out, seat):
            column = self.columns(seat, b)
            usual[:, column >= 0] = part[:, column[column >= 0]]
        return out

    def standing(self, seat: int, b: int) -> AnyArray:
        """The hand that stands for each column of a board."""
        return np.asarray(self.hands.order[seat, b, : self.hands.wide[seat, b]])

    def columns(self, seat: int, b: int) -> AnyArray:
        """The column that each hand has on a board, -1 for none."""
        return np.asarray(self.column[b])

    def _parts(self, array: AnyArray, usual: AnyArray, seat: int) -> Iterator[tuple[AnyArray, AnyArray, int]]:
        """Board by board [rows, columns], [rows, hands], and its number among all boards."""
        low, hands = 0, self.sizes[seat]
        for s in range(len(self.hands.start) - 1):
            rows, at = int(self.rows[seat, s]), int(self.layout[seat][s])
            for b in range(int(self.hands.start[s]), int(self.hands.start[s + 1])):
                begin, n = at + rows * int(self.hands.before[seat, b]), int(self.hands.wide[seat, b])
                part = array[begin : begin + rows * n].reshape(rows, n)
                yield part, usual[low : low + rows * hands].reshape(rows, hands), b
                low += rows * hands


@dataclass(frozen=True)
class FourAlike(Alike):
    """The same for hands of four cards: columns are the same on all boards of a group, in the order of their cards.

    Blocked hands keep their columns, so that a group needs one list of columns and one table of subsets. `column` is
    int32[groups, 2, hands].
    """

    stand: AnyArray  # int32[groups, 2, columns] the hand that stands for each column
    pairs: AnyArray  # int64[2, pairs] groups of a board and of the one above; `hands.link` has two rows for each pair

    def standing(self, seat: int, b: int) -> AnyArray:
        return np.asarray(self.stand[self.hands.four.group[b], seat, : self.hands.wide[seat, b]])

    def columns(self, seat: int, b: int) -> AnyArray:
        return np.asarray(self.column[self.hands.four.group[b], seat, : self.sizes[seat]])


class ShowdownBuffers(NamedTuple):
    """Where the showdowns of a board are added up (`headsup.games.holdem.showdown_kernels`)."""

    block: Any  # [hands, LINES] the opponent's reach; FEW lines for hands of four cards, here and below
    sums: Any  # [hands, LINES] what own hands meet or beat
    held: Any
    """[1 + 52, LINES] the reach counted so far: of all hands, and of those that hold each card; for hands of four cards
    each set of at most three, and a row to add up in."""
    pick: Any  # int64[LINES] where the rows of the lines begin
    beaten: Any  # [lines, hands] the opponent's reach that each own hand beats; ties count half
    met: Any  # [lines, hands] the opponent's reach that each own hand can meet: no card is in both


class Workspace(NamedTuple):
    """The buffers of one worker: an array for all streets, and where each street's part of it begins."""

    reach: Any  # ([...], [...]) for each player [entries + rows, hands]
    sigma: Any  # ([...], [...]) for each player [rows, hands]
    value: Any  # [nodes, hands]
    reach_at: Any  # int64[2, streets]
    sigma_at: Any  # int64[2, streets]
    showdown: ShowdownBuffers
    inverse: Any  # [hands] one over the sum of positive regrets
    uniform: Any  # [hands] the probability of each action where no regret is positive, else 0
    mixed: Any  # [actions + 1, hands] numbers before they are rounded to int16
    cursor: Any  # int64[streets] the next board to visit on each street
    current: Any  # int64[streets] the board that each street is on


class Store(NamedTuple):
    """What one player has learnt: [boards, rows, hands] of each street, one street after another.

    A number is a float, or an int16 times the scale of its decision.
    """

    regret: Any
    cumulative: Any  # the sum of strategies, weighted by reach
    prediction: Any  # regrets with the last gain counted twice, for predictive variants; else empty
    regret_scale: Any  # float32, [boards, rows] of each street; empty for floats
    cumulative_scale: Any
    at: Any  # int64[streets] where a street begins
    scale_at: Any  # int64[streets]


class BoardRows(NamedTuple):
    """A player's rows on one board, [rows, hands]."""

    source: Any  # what strategies are matched to
    sigma: Any  # the strategy
    regret: Any
    cumulative: Any
    prediction: Any  # the regrets themselves unless the rule is predictive
    mark: int  # where the scales of the board begin


class Here(NamedTuple):
    street: int
    board: int  # counted over all streets
    player: int
    own: bool  # whether the walk is this player's
    mode: int
    columns: int  # of the player's hands on the board


class WalkTask(NamedTuple):
    """Which part of a walk a call does."""

    stage: int
    mode: int
    seat: int
    first: int  # of the boards below the root: this one and every `step`th after it
    step: int


class Learning(NamedTuple):
    """The strategies that are walked, and how they learn."""

    policy: Any  # for each player an array of every street in turn
    stores: Any
    rule: Any
    steps: Any  # [iterations, 4] the numbers of the rule


class Rule(NamedTuple):
    """The update of one iteration; the kernels take its numbers in the precision that they work in."""

    keep: float  # what is kept of positive regrets
    shrink: float  # what is kept of negative ones
    weight: float  # of this iteration in the average
    predictive: bool
    whole: bool  # whether stores are int16
    turn: int = 0  # how many iterations came before; rounding to int16 takes other chances in each
    floor: float = 0.0  # the least probability of every action, of players who learn and of best responses


def tiled(n: int) -> int:
    """A number of rows or columns, made full for squares of TILE."""
    return -(-n // TILE) * TILE


def aligned(shape: tuple[int, int], dtype: Any) -> AnyArray:
    """Zeros that begin where a line of the cache does."""
    size = shape[0] * shape[1]
    raw = np.zeros(size + 64, dtype)
    first = -raw.ctypes.data % 64 // raw.itemsize
    return raw[first : first + size].reshape(shape)


def new_showdown_buffers(lines: int, sizes: tuple[int, int], dtype: Any = np.float64, sets: int = 0) -> ShowdownBuffers:
    """Buffers for that many lines and both players' numbers of hands; `sets` as in `new_workspace`."""
    most, width = tiled(max(sizes)), FEW if sets else LINES
    return ShowdownBuffers(
        block=aligned((most, width), dtype),
        sums=aligned((most, width), dtype),
        held=aligned((sets + 1 if sets else 1 + 52, width), dtype),
        pick=np.zeros(width, dtype=np.int64),
        beaten=aligned((tiled(lines), most), dtype),
        met=aligned((tiled(lines), most), dtype),
    )


def new_workspace(rounds: Rounds, sizes: tuple[int, int], dtype: Any = np.float64, sets: int = 0) -> Workspace:
    """One worker's buffers for a game's betting and numbers of hands; of four cards if there are `sets` of at most
    three of them to count.
    """
    most, streets = tiled(max(sizes)), len(rounds.start) - 1
    reach_at, sigma_at = np.zeros((2, streets), dtype=np.int64), np.zeros((2, streets), dtype=np.int64)
    reach, sigma = [0, 0], [0, 0]
    for s in range(streets):
        for p in (0, 1):
            reach_at[p, s], sigma_at[p, s] = reach[p], sigma[p]
            reach[p] += int(rounds.entries[s + 1] - rounds.entries[s] + rounds.rows[p, s]) * sizes[p]
            sigma[p] += int(rounds.rows[p, s]) * sizes[p]
    return Workspace(
        reach=(np.zeros(reach[0] + most, dtype), np.zeros(reach[1] + most, dtype)),
        sigma=(np.zeros(sigma[0], dtype), np.zeros(sigma[1], dtype)),
        value=aligned((len(rounds.player), most), dtype),
        reach_at=reach_at,
        sigma_at=sigma_at,
        showdown=new_showdown_buffers(int(np.diff(rounds.first_line, axis=1).max(initial=0)), sizes, dtype, sets),
        inverse=np.zeros(most, dtype),
        uniform=np.zeros(most, dtype),
        mixed=np.zeros((int(rounds.count.max(initial=1)) + 1, most), dtype),
        cursor=np.zeros(streets, dtype=np.int64),
        current=np.zeros(streets, dtype=np.int64),
    )


def showdown_bytes(sizes: tuple[int, int], dtype: Any, sets: int = 0) -> int:
    """What `new_showdown_buffers` for no lines will take."""
    width = FEW if sets else LINES
    return int((2 * tiled(max(sizes)) + (sets + 1 if sets else 53)) * width * np.dtype(dtype).itemsize)


def workspace_bytes(rounds: Rounds, sizes: tuple[int, int], dtype: Any, sets: int = 0) -> int:
    """What `new_workspace` will take, before it is made."""
    most, width = tiled(max(sizes)), FEW if sets else LINES
    cells = 2 * most + (sets or 53) * width
    for p in (0, 1):
        cells += (int(rounds.entries[-1]) + 2 * int(rounds.rows[p].sum())) * sizes[p]
    lines = tiled(int(np.diff(rounds.first_line, axis=1).max(initial=0)))
    rows = len(rounds.player) + 2 * lines + 2 * width + int(rounds.count.max(initial=1)) + 3
    return int((cells + rows * most) * np.dtype(dtype).itemsize)
