"""The boards of a game, street by street, up to the names of the suits.

A BoardTree starts from a root and deals some cards before each later street. The renamings that fix the root, the dead
cards and every range are the root's group. Sets of new cards are equivalent if a renaming of the board's group maps one
to the other; the greatest mask of each orbit is kept with its size (`copies`), and the renamings that also fix it are
the child's group. Each kept board stores a renaming for each board it stands for, so for values by hand

    value_parent[h] = sum over children c, over r in renamings(c), of value_c[r(h)]

Lists depend on the group alone, and there are at most 30 groups; the children of a board are the entries of its group's
list that share no card with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, prod
from threading import RLock
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import FULL_MASK, card_name, cards_in, cards_name, mask_of
from headsup.cards.combos import combo_masks, frozen, row_masks
from headsup.cards.suits import (
    SUIT_PERMUTATIONS,
    KeptSets,
    count_deals,
    keep_sets,
    permute_card,
    permute_masks,
    permuted_combos,
    renamed_mask,
    renamings_in,
    sorted_suits,
    stabiliser,
)
from headsup.common.checks import as_list, as_numbers, as_truth, door, quoted, whole
from headsup.common.errors import UserError

HELD = {2: "two", 4: "four"}
MAX_NEW_CARDS = 5  # `combos` lists sets of at most five cards
EVERY_RENAMING = (1 << len(SUIT_PERMUTATIONS)) - 1
_keep_many = lru_cache(maxsize=4)(keep_sets)  # all boards of five cards take half a second: games share them
_BUILDING = RLock()  # streets are built by one thread at a time; others wait for the same lists
_CELLS = 1 << 22  # boards x sets of new cards looked at together: 4 MB of truth values and 32 MB of masks


@dataclass(frozen=True, eq=False)
class Boards:
    """The boards of one street, up to suits; n boards of k public cards. The arrays are read-only.

    Board b names renamings[first[b] : first[b + 1]], one for each board of its parent that it stands for; the first is
    the identity, 0, for the board itself.
    """

    cards: npt.NDArray[np.uint8]
    """[n, k] the root's cards as given, then the new cards of each street, ascending within a street."""
    parent: npt.NDArray[np.int32]  # [n] the board of the street before; 0 on the root's street
    child: npt.NDArray[np.int32]
    """[n + 1] the children of board b in the next street are child[b] .. child[b + 1] - 1; all 0 on the last street."""
    copies: npt.NDArray[np.int32]  # [n] how many boards of its parent it stands for; 1 on the root's street
    count: npt.NDArray[np.int64]
    """[n] how many boards it stands for in all: the product of the copies from the root down."""
    first: npt.NDArray[np.int64]
    """[n + 1] where the renamings of each board begin; first[b + 1] - first[b] is copies[b]."""
    renaming: npt.NDArray[np.uint8]
    """[first[n]] indices in SUIT_PERMUTATIONS: r(real board's new cards) is the new cards stored here."""
    group: npt.NDArray[np.uint32]
    """[n] bit i: SUIT_PERMUTATIONS[i] leaves each street's cards, the dead cards and all ranges alone."""

    def __repr__(self) -> str:
        return f"<Boards: {len(self):,} of {self.cards.shape[1]} cards up to suits, {int(self.count.sum()):,} in all>"

    def __post_init__(self) -> None:
        for array in vars(self).values():
            frozen(array)

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def masks(self) -> npt.NDArray[np.uint64]:
        return frozen(row_masks(self.cards))

    def children(self, board: int) -> range:
        return range(int(self.child[board]), int(self.child[board + 1]))

    def renamings(self, board: int) -> npt.NDArray[np.uint8]:
        """The renamings of one board, indices in SUIT_PERMUTATIONS."""
        return self.renaming[self.first[board] : self.first[board + 1]]

    def name(self, board: int) -> str:
        return cards_name(self.cards[board].tolist())

    @property
    def names(self) -> Iterator[str]:
        return (self.name(board) for board in range(len(self)))


class FoundBoard(NamedTuple):
    """Where a real board is kept."""

    numbers: tuple[int, ...]
    """The number of the kept board on each street, from the root's, which is 0, to the board's own."""
    renaming: int
    """An index in SUIT_PERMUTATIONS: it carries the real cards, and a hand that goes with them, onto the kept ones."""


class BoardTree:
    """All boards that can follow a root, street by street and up to suits."""

    @door(ranks=whole, suits=whole, ranges=as_list, merged=as_truth, held=whole)
    def __init__(
        self,
        root: Iterable[int] = (),
        streets: Sequence[int] = (0, 3, 1, 1),
        ranks: int = 13,
        suits: int = 4,
        ranges: Sequence[npt.ArrayLike] = (),
        merged: bool = True,
        dead: Iterable[int] = (),
        held: int = 2,
    ) -> None:
        """`streets`: how many new cards come before each betting street, the first of which is the root's, with 0.

        The deck has the top ranks of the first suits (clubs, diamonds, ..). A hand has `held` cards, and each of the
        `ranges` is a weight for every hand in colex order. Dead cards are never dealt. Not merged, every board is
        listed.
        """
        deck, self.held = _deck(ranks, suits), held
        if held not in HELD:
            raise UserError(f"a hand has two or four cards, not {quoted(held)}")
        self.ranks, self.suits, self.deck_mask = int(ranks), int(suits), mask_of(deck)
        self.root = _read_cards(root, "the root", self.deck_mask)
        self.dead = _read_cards(dead, "the dead cards", self.deck_mask)
        for card in self.root:
            if card in self.dead:
                raise UserError(f"{card_name(card)} is in the root and dead: a card is in one place only")
        self.streets = _read_streets(streets, len(deck) - len(self.root) - len(self.dead))
        weights = [self._possible_weights(hands) for hands in ranges]
        own = [
            renaming for renaming in SUIT_PERMUTATIONS if all(renaming[suit] == suit for suit in range(self.suits, 4))
        ]
        allowed = stabiliser(mask_of(self.root), mask_of(self.dead), *weights, permutations=own if merged else own[:1])
        self.group = sum(1 << SUIT_PERMUTATIONS.index(renaming) for renaming in allowed)
        self._kept: dict[tuple[int, int], KeptSets] = {}
        self._others: dict[tuple[int, ...], BoardTree] = {}

    def __repr__(self) -> str:
        deck = "" if self.ranks == 13 and self.suits == 4 else f", {self.ranks} ranks, {self.suits} suits"
        return f"BoardTree({cards_name(self.root)!r}, {self.streets}{deck}: {self.sizes()} boards)"

    @cached_property
    def levels(self) -> Sequence[Boards]:
        """The boards of each street; a street is built when it is first asked for, and kept."""
        return _Levels(self)

    def sizes(self) -> list[int]:
        """How many boards each street has up to suits, without building them."""
        group, free = renamings_in(self.group), self._free_cards()
        return [count_deals(free, self.streets[1 : street + 1], group) for street in range(len(self.streets))]

    def kinds(self, street: int) -> int:
        """How many pairs of a board of a street and a hand there are up to suits, without building them."""
        return count_deals(self._free_cards(), (self.held, *self.streets[1 : street + 1]), renamings_in(self.group))

    def totals(self) -> list[int]:
        """How many boards each street really has; the counts of its boards add up to this."""
        free = len(self._free_cards())
        ways = [comb(free - sum(self.streets[:street]), new) for street, new in enumerate(self.streets)]
        return [prod(ways[: street + 1]) for street in range(len(ways))]

    def identity(self) -> bytes:
        """What makes these boards differ from others, for checksums."""
        return repr((self.root, self.dead, self.streets, self.deck_mask, self.group)).encode()

    def below(self, street: int, board: int, streets: int | None = None) -> BoardTree:
        """The tree whose root is one board of a street: the same boards in the same order as the whole tree has there.

        Its counts start again at 1, and only the street asked for and those above it are built in the whole tree. It
        has the remaining streets, or the first `streets` of them.
        """
        if not 0 <= street < len(self.streets):
            raise UserError(f"there is no street {street}: the tree has streets 0 to {len(self.streets) - 1}")
        boards = self.levels[street]
        if not 0 <= board < len(boards):
            raise UserError(f"there is no board {board} on street {street}: its boards are 0 to {len(boards) - 1}")
        rest = (0, *self.streets[street + 1 :])[:streets]
        tree = BoardTree(
            boards.cards[board], rest, self.ranks, self.suits, merged=False, dead=self.dead, held=self.held
        )
        # A root is one set of cards and could have more renamings than the streets that led to it, and than the ranges.
        tree.group = int(boards.group[board])
        tree._kept = self._kept
        return tree

    def dealt(self, card: int, board: int, street: int, renamings: Sequence[int]) -> tuple[int, int]:
        """The stored board to which a real card leads from a board of the street before, and the renaming onto it."""
        for renaming in renamings:
            card = permute_card(card, SUIT_PERMUTATIONS[renaming])
        below = self.levels[street]
        for child in self.levels[street - 1].children(board):
            for renaming in below.renamings(child).tolist():
                if permute_card(card, SUIT_PERMUTATIONS[renaming]) == int(below.cards[child, -1]):
                    return child, renaming
        raise AssertionError(f"no board stands for {card_name(card)}")

    def find(self, cards: Iterable[int]) -> FoundBoard:
        """The kept boards of a real one: its cards in the order of the streets, the root's first.

        Within a street the order does not matter. No street beyond the last but one that the cards reach is built.
        """
        given = _read_cards(cards, "the board", self.deck_mask)
        if {*given[: len(self.root)]} != {*self.root}:
            raise UserError(f"the board {cards_name(given)} does not begin with the root, {cards_name(self.root)}")
        for card in given:
            if card in self.dead:
                raise UserError(f"{card_name(card)} is dead: it is on no board")
        at, group, suits, number, numbers = len(self.root), self.group, SUIT_PERMUTATIONS[0], 0, [0]
        mask = mask_of(self.root)
        for street, new in enumerate(self.streets[1:]):
            if at + new > len(given):
                break
            real, kept = renamed_mask(mask_of(given[at : at + new]), suits), self._kept_sets(group, new)
            images = {renamed_mask(real, renaming): renaming for renaming in renamings_in(group)}
            wanted = max(images)
            place = int(np.searchsorted(kept.masks, np.uint64(wanted)))  # colex order is the order of the masks
            before = int(((kept.masks[:place] & np.uint64(mask)) == 0).sum())
            number = int(self.levels[street].child[number]) + before
            suits = tuple(images[wanted][suit] for suit in suits)
            group, mask, at = int(kept.group[place]), mask | wanted, at + new
            numbers.append(number)
        if at != len(given):
            raise UserError(
                f"{cards_name(given)} has {len(given)} cards: a board here has "
                + " or ".join(str(len(self.root) + sum(self.streets[: s + 1])) for s in range(len(self.streets)))
            )
        return FoundBoard(tuple(numbers), SUIT_PERMUTATIONS.index(suits))

    def at_once(self, *streets: int) -> BoardTree:
        """The tree that deals these numbers of cards from the same root: (0, 4) has turns without an order of cards.

        It has the renamings of this tree, and is cached.
        """
        if streets not in self._others:
            tree = BoardTree(self.root, streets, self.ranks, self.suits, merged=False, dead=self.dead, held=self.held)
            tree.group = self.group
            self._others[streets] = tree
        return self._others[streets]

    def as_sets(self, street: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """For each board of a street: its board in `at_once` (all new cards together), and the renaming onto it."""
        sets, root = self.at_once(0, sum(self.streets[: street + 1])).levels[1], np.uint64(mask_of(self.root))
        mine = self.levels[street].masks & ~root
        if self.group == EVERY_RENAMING:
            best, renaming = sorted_suits(mine)
        else:
            best, renaming = np.zeros(len(mine), dtype=np.uint64), np.zeros(len(mine), dtype=np.uint8)
            for i, permutation in enumerate(SUIT_PERMUTATIONS):
                if self.group >> i & 1:
                    image = permute_masks(mine, permutation)
                    better = image > best
                    best[better], renaming[better] = image[better], i
        return np.searchsorted(sets.masks & ~root, best).astype(np.int32), renaming

    def hands(self) -> npt.NDArray[np.signedinteger]:
        """The colex indices of the hands that the deck, the root and the dead cards leave possible."""
        return np.flatnonzero(self._possible()).astype(self._number)

    def hand_masks(self, hands: npt.ArrayLike) -> npt.NDArray[np.uint64]:
        """uint64[n]: the mask of each hand; it meets `blocked(street)[b]` where board b has one of its cards."""
        return combo_masks(self.held)[self._read_hands(hands)]

    def hand_map(self, hands: npt.ArrayLike) -> npt.NDArray[np.signedinteger]:
        """[24, n]: where in the list each hand is when its suits are renamed; -1 where it is not in the list."""
        listed = self._read_hands(hands)
        place = np.full(comb(52, self.held), -1, dtype=self._number)
        place[listed] = np.arange(len(listed))
        if (place[listed] != np.arange(len(listed))).any():
            raise UserError("a hand is twice in the list: name each hand once")
        return np.stack([place[permuted_combos(self.held, renaming)[listed]] for renaming in SUIT_PERMUTATIONS])

    @property
    def _number(self) -> npt.DTypeLike:
        """The type that numbers all hands."""
        return np.int16 if self.held == 2 else np.int32

    def _read_hands(self, hands: npt.ArrayLike) -> npt.NDArray[np.intp]:
        read, count = np.asarray(hands), comb(52, self.held)
        if read.ndim != 1 or (read.size and read.dtype.kind not in "iu"):
            raise UserError(f"hands are a list of the colex indices of {HELD.get(self.held, self.held)}-card hands")
        if read.size and (read.min() < 0 or read.max() >= count):
            raise UserError(f"a number in the list is not a hand: hands are the numbers 0 to {count - 1}")
        return read.astype(np.intp)

    def blocked(self, street: int) -> npt.NDArray[np.uint64]:
        """uint64[n]: the mask of each board's cards on a street, for use with `hand_masks`."""
        return self.levels[street].masks

    def _free_cards(self) -> tuple[int, ...]:
        return cards_in(self.deck_mask & ~mask_of(self.root) & ~mask_of(self.dead))

    def _possible(self) -> npt.NDArray[np.bool_]:
        taken = np.uint64(FULL_MASK & ~mask_of(self._free_cards()))
        possible: npt.NDArray[np.bool_] = (combo_masks(self.held) & taken) == 0
        return possible

    def _possible_weights(self, weights: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """A range without the hands that cannot be held: their weights must not affect the symmetry."""
        read = np.asarray(as_numbers(weights, "a range"), dtype=np.float64)
        count = comb(52, self.held)
        if read.shape != (count,):
            raise UserError(f"a range has a weight for each of the {count} hands, not the shape {read.shape}")
        if not np.isfinite(read).all():
            raise UserError("a range has a weight that is no number: weights are finite")
        return np.where(self._possible(), read, 0.0)

    def _root_boards(self) -> Boards:
        group = np.array([self.group], dtype=np.uint32)
        return Boards(
            cards=np.array([self.root], dtype=np.uint8).reshape(1, len(self.root)),
            parent=np.zeros(1, dtype=np.int32),
            child=self._children(0, np.array([mask_of(self.root)], dtype=np.uint64), group),
            copies=np.ones(1, dtype=np.int32),
            count=np.ones(1, dtype=np.int64),
            first=np.array([0, 1], dtype=np.int64),
            renaming=np.zeros(1, dtype=np.uint8),
            group=group,
        )

    def _next_boards(self, street: int, parents: Boards) -> Boards:
        """The boards of a street from those of the street before."""
        new, old = self.streets[street], parents.cards.shape[1]
        parent = np.repeat(np.arange(len(parents), dtype=np.int32), np.diff(parents.child))
        cards = np.empty((len(parent), old + new), dtype=np.uint8)
        cards[:, :old] = parents.cards[parent]
        copies, group = np.empty(len(parent), dtype=np.int32), np.empty(len(parent), dtype=np.uint32)
        entry = np.empty(len(parent), dtype=np.int32)  # in the list of the parent's group
        for kept, some, fits in self._fitting(new, parents.masks, parents.group):
            row, column = np.nonzero(fits)
            # Row by row the entries that fit are a board's children in order.
            size = fits.sum(axis=1)
            place = parents.child[some][row] + (np.arange(len(row)) - (np.cumsum(size) - size)[row])
            cards[place, old:] = kept.cards[column]
            copies[place], group[place], entry[place] = kept.copies[column], kept.group[column], column
        first = np.zeros(len(parent) + 1, dtype=np.int64)
        np.cumsum(copies, out=first[1:])
        renaming = np.empty(int(first[-1]), dtype=np.uint8)
        for bits in np.unique(parents.group):
            kept = self._kept_sets(int(bits), new)
            mine = np.flatnonzero((parents.group == bits)[parent])
            begin, length = kept.first[entry[mine]], copies[mine]
            within = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
            renaming[np.repeat(first[mine], length) + within] = kept.renaming[np.repeat(begin, length) + within]
        child = self._children(street, row_masks(cards), group)
        return Boards(cards, parent, child, copies, parents.count[parent] * copies, first, renaming, group)

    def _children(
        self, street: int, masks: npt.NDArray[np.uint64], groups: npt.NDArray[np.uint32]
    ) -> npt.NDArray[np.int32]:
        """int32[n + 1]: where the children of each board of a street begin in the next one."""
        child = np.zeros(len(masks) + 1, dtype=np.int32)
        if street + 1 < len(self.streets):
            for _, some, fits in self._fitting(self.streets[street + 1], masks, groups):
                child[some + 1] = fits.sum(axis=1)
            np.cumsum(child, out=child)
        return child

    def _fitting(
        self, new: int, masks: npt.NDArray[np.uint64], groups: npt.NDArray[np.uint32]
    ) -> Iterator[tuple[KeptSets, npt.NDArray[np.intp], npt.NDArray[np.bool_]]]:
        """Some boards of one group at a time, its list, and bool[boards, list]: whether they share no card."""
        for bits in np.unique(groups):
            kept = self._kept_sets(int(bits), new)
            mine = np.flatnonzero(groups == bits)
            step = max(1, _CELLS // max(1, len(kept.masks)))
            for start in range(0, len(mine), step):
                some = mine[start : start + step]
                yield kept, some, (masks[some, None] & kept.masks) == 0

    def _kept_sets(self, bits: int, new: int) -> KeptSets:
        if (bits, new) not in self._kept:
            with _BUILDING:
                if (bits, new) not in self._kept:
                    outside = FULL_MASK & ~self.deck_mask | mask_of(self.dead)
                    make = keep_sets if new < 3 else _keep_many
                    self._kept[bits, new] = make(new, outside, tuple(renamings_in(bits)))
        return self._kept[bits, new]


class _Levels(Sequence[Boards]):
    """The streets of a tree, each built from the one before when it is asked for."""

    def __init__(self, tree: BoardTree) -> None:
        self._tree, self._built = tree, [tree._root_boards()]

    def __len__(self) -> int:
        return len(self._tree.streets)

    @overload
    def __getitem__(self, street: int) -> Boards: ...
    @overload
    def __getitem__(self, street: slice) -> list[Boards]: ...
    def __getitem__(self, street: int | slice) -> Boards | list[Boards]:
        if isinstance(street, slice):
            return [self[index] for index in range(*street.indices(len(self)))]
        wanted = range(len(self))[street]
        if wanted >= len(self._built):
            # Two streets are looked at, for a board knows the numbers of its children, and they are int32.
            most = max(self._tree.totals()[: wanted + 2])  # without suits, which takes no counting
            for street, size in enumerate(self._tree.sizes()[: wanted + 2] if most >= 1 << 31 else []):
                if size >= 1 << 31:
                    raise UserError(
                        f"street {street} has {size} boards up to suits, too many to number: deal fewer cards"
                    )
            with _BUILDING:
                while len(self._built) <= wanted:
                    self._built.append(self._tree._next_boards(len(self._built), self._built[-1]))
        return self._built[wanted]


def _deck(ranks: int, suits: int) -> list[int]:
    if not 1 <= ranks <= 13 or not 1 <= suits <= 4:
        raise UserError(
            f"there is no deck of {quoted(ranks)} ranks and {quoted(suits)} suits: take 1 to 13 ranks and 1 to 4 suits"
        )
    return [4 * rank + suit for rank in range(13 - ranks, 13) for suit in range(suits)]


def _read_cards(cards: Iterable[int], where: str, deck_mask: int) -> tuple[int, ...]:
    read = tuple(whole(card, f"a card of {where}") for card in as_list(cards, where))
    for i, card in enumerate(read):
        if not 0 <= card < 52:
            raise UserError(f"{quoted(card)} is not a card: cards are the numbers 0 (2c) to 51 (As)")
        if card in read[:i]:
            raise UserError(f"{card_name(card)} is twice in {where}: each card is in the deck once")
        if not deck_mask >> card & 1:
            raise UserError(f"{card_name(card)} in {where} is not in this deck of {deck_mask.bit_count()} cards")
    return read


def _read_streets(streets: Sequence[int], free: int) -> tuple[int, ...]:
    read = tuple(whole(new, "the new cards of a street") for new in as_list(streets, "streets"))
    if not read or read[0] != 0:
        raise UserError(f"streets {read} must begin with 0: the root's street brings no new cards")
    for new in read:
        if not 0 <= new <= MAX_NEW_CARDS:
            raise UserError(
                f"a street of {quoted(new)} new cards cannot be listed: a street brings 0 to {MAX_NEW_CARDS}"
            )
    if sum(read) > free:
        raise UserError(f"streets {read} need {sum(read)} cards, but the deck has only {free} left")
    return read
