"""The question: who holds what, the board and the dead cards. Text, ranges and cards become the same arrays.

A side is a list of combos (colex numbers) with integer weights, without those that share a card with the board or the
dead cards. Every pair of disjoint combos has the same number of boards, so the number of deals is known beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import Cards, card_name, cards_name, mask_of, parse_cards, read_cards
from headsup.cards.combos import colex, combo_masks, combos, counted, weight_apart
from headsup.cards.games import GAMES, check_board, check_game, hand_size
from headsup.cards.ranges import Range, RangeError, parse_range
from headsup.cards.ranges.weights import UNIT
from headsup.cards.suits import SuitPermutation, canonical_boards, stabiliser
from headsup.common.errors import UserError

Holding = str | Range | Cards
SWAPS = "holdem-discard"
"""Hold'em in which hole cards may be changed: `headsup.discards.equity.answer` answers its questions."""
WITH_SWAPS = (*GAMES, SWAPS)
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Side:
    """One player's possible combos and their integer weights; one unit of weight is worth `unit`."""

    text: str
    size: int
    combos: npt.NDArray[np.int32]
    weights: Ints
    unit: Fraction

    def __repr__(self) -> str:
        return f"<Side {self.text[:60]}: {counted(len(self.combos))}>"

    @cached_property
    def cards(self) -> npt.NDArray[np.uint8]:
        return combos(self.size)[self.combos]

    @cached_property
    def masks(self) -> npt.NDArray[np.uint64]:
        return combo_masks(self.size)[self.combos]

    @property
    def total(self) -> int:
        return int(self.weights.sum())

    def spread(self) -> Ints:
        """The weight of every combo of the game, 0 for those not held."""
        every = np.zeros(comb(52, self.size), dtype=np.int64)
        every[self.combos] = self.weights
        return every

    def same_as(self, other: Side) -> bool:
        return np.array_equal(self.combos, other.combos) and np.array_equal(self.weights, other.weights)


@dataclass(frozen=True)
class Question:
    """A checked question with at least one possible deal."""

    game: str
    a: Side
    b: Side
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def known(self) -> int:
        return mask_of(self.board) | mask_of(self.dead)

    @property
    def missing(self) -> int:
        """How many board cards are still to come."""
        return 5 - len(self.board)

    @property
    def runouts(self) -> int:
        """How many ways the board of one pair of disjoint combos can be completed."""
        return comb(52 - len(self.board) - len(self.dead) - 2 * self.a.size, self.missing)

    @cached_property
    def pair_weight(self) -> int:
        return exact_sum(self.a.weights * disjoint_weight(self.a, self.b))

    @property
    def deals(self) -> int:
        return self.pair_weight * self.runouts

    @property
    def unit(self) -> Fraction:
        """What one counted deal weighs."""
        return self.a.unit * self.b.unit

    @cached_property
    def symmetry(self) -> tuple[SuitPermutation, ...]:
        """The suit permutations that change nothing in the question."""
        group = stabiliser(mask_of(self.board), mask_of(self.dead))
        for side in (self.a, self.b):
            if len(group) > 1:
                if len(side.combos) == 1:
                    group = stabiliser(int(side.masks[0]), permutations=group)
                else:
                    group = stabiliser(side.spread(), permutations=group)
        return group

    def boards(self) -> tuple[npt.NDArray[np.uint8], Ints]:
        """The complete boards up to symmetry, uint8[n, 5] ascending, and how many each stands for."""
        rest, sizes = canonical_boards(self.missing, self.known, self.symmetry)
        return self._with_board(rest), sizes

    def all_boards(self) -> npt.NDArray[np.uint8]:
        """Every complete board that avoids the dead cards, whether or not a combo is in its way."""
        free = combo_masks(self.missing) & np.uint64(self.known) == 0
        return self._with_board(combos(self.missing)[free])

    def _with_board(self, rest: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        fixed = np.tile(np.array(self.board, dtype=np.uint8), (len(rest), 1))
        return np.sort(np.concatenate([fixed, rest], axis=1), axis=1)


def read_question(
    a: Holding, b: Holding, board: Cards | None = (), dead: Cards | None = (), game: str = "holdem"
) -> Question:
    """Check a question and turn it into arrays; each mistake is one sentence."""
    check_game(game)
    board_cards, dead_cards = read_cards(board, "board"), read_cards(dead, "dead cards")
    check_board(len(board_cards))
    _no_shared(board_cards, "on the board", dead_cards, "dead")
    known = mask_of(board_cards) | mask_of(dead_cards)
    first = _read_side(a, game, "A")
    second = first if isinstance(a, str) and isinstance(b, str) and a == b else _read_side(b, game, "B")
    if len(first.combos) == 1 and len(second.combos) == 1:
        _no_shared(_hand(first), "in the first hand", _hand(second), "in the second")
    for side in (first, second):
        if len(side.combos) == 1:
            _no_shared(_hand(side), f"in the hand {side.text}", board_cards, "on the board")
            _no_shared(_hand(side), f"in the hand {side.text}", dead_cards, "dead")
    first, second = _without(first, known), _without(second, known)
    if 52 - len(board_cards) - len(dead_cards) - 2 * first.size < 5 - len(board_cards):
        raise UserError("too many cards are dead: what is left does not complete the board")
    question = Question(game, first, second, board_cards, dead_cards)
    if question.pair_weight == 0:
        raise UserError(
            f"'{first.text}' and '{second.text}' leave no possible deal: every pair of their hands shares a card"
        )
    return question


def disjoint_weight(a: Side, b: Side) -> Ints:
    """int64[len(a)]: for each combo of `a`, the weight of the combos of `b` that share no card with it."""
    if len(a.combos) * len(b.combos) <= 1 << 16:
        clash = (a.masks[:, None] & b.masks[None, :]) != 0
        return np.asarray(np.where(clash, 0, b.weights).sum(axis=1))
    return weight_apart(a.cards, b.cards, b.weights)


def exact_sum(values: Ints) -> int:
    """The sum of int64 values as a Python int, whatever its size: the halves are added apart."""
    low = (values & np.int64(0xFFFFFFFF)).sum(dtype=np.int64)
    return (int((values >> np.int64(32)).sum(dtype=np.int64)) << 32) + int(low)


def _read_side(holding: Holding, game: str, player: str) -> Side:
    size = hand_size(game)
    if isinstance(holding, Range):
        if hand_size(holding.game) != size:
            raise UserError(f"a {holding.game} range was given for {game}: parse the range for this game")
        return _side_of_range(str(holding), holding, size)
    if isinstance(holding, str):
        hand = _plain_hand(holding, size)
        if hand is None:
            try:
                hands = parse_range(holding, game)
            except RangeError as error:
                raise error.renamed(f"range {player}") from None
            return _side_of_range(holding.strip(), hands, size)
        return _side_of_hand(holding.strip(), hand, size)
    hand = read_cards(holding, "hand")
    if len(hand) != size:
        raise UserError(f"a {game} hand has {size} cards, not {len(hand)}")
    return _side_of_hand(cards_name(hand), hand, size)


def _plain_hand(text: str, size: int) -> tuple[int, ...] | None:
    """The cards of a text that is just one hand, such as `AsKh`; None for anything else, which is range text."""
    if len("".join(text.split()).replace("10", "T")) != 2 * size:
        return None
    try:
        cards = parse_cards(text)
    except UserError as error:
        if "twice" in str(error):
            raise
        return None
    return cards if len(cards) == size and "," not in text else None


def _side_of_hand(text: str, hand: Sequence[int], size: int) -> Side:
    return Side(text, size, np.array([colex(hand)], dtype=np.int32), np.ones(1, dtype=np.int64), Fraction(1))


def _side_of_range(text: str, hands: Range, size: int) -> Side:
    units = hands.units
    held = np.flatnonzero(units).astype(np.int32)
    if not len(held):
        raise UserError(f"the range '{text}' holds no hand at all: give at least one hand a weight above 0")
    weights = units[held].astype(np.int64)
    common = int(np.gcd.reduce(weights))
    return Side(text, size, held, weights // common, Fraction(common, UNIT))


def _without(side: Side, known: int) -> Side:
    free = side.masks & np.uint64(known) == 0
    if not free.any():
        raise UserError(
            f"no hand of '{side.text}' is possible: each one shares a card with the board or the dead cards"
        )
    return Side(side.text, side.size, side.combos[free], side.weights[free], side.unit)


def _hand(side: Side) -> tuple[int, ...]:
    return tuple(int(card) for card in side.cards[0])


def _no_shared(first: Iterable[int], where: str, second: Iterable[int], also: str) -> None:
    taken = set(second)
    for card in first:
        if card in taken:
            raise UserError(f"{card_name(card)} is {where} and {also}: each card is in the deck once")
