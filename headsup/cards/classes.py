"""Classes of hands and flops up to the names of the suits, each with a dense index and a name.

| cards          | classes | order of the index                                       | name        |
|----------------|---------|----------------------------------------------------------|-------------|
| hold'em hands  | 169     | the usual chart row by row from the ace: AA, AKs, .. 22  | `AKs` `77`  |
| flops          | 1,755   | rank multiset (colex), then canonical mask               | `AsKs7h`    |
| Omaha hands    | 16,432  | rank multiset (colex), then canonical mask               | `AsKsQhJh`  |

A class is named after its canonical cards, highest first; any cards of the class parse to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS, SUITS, Cards, cards_name, parse_cards, read_cards
from headsup.cards.combos import colex, colex_array, combos, frozen, holdem_combos, row_masks
from headsup.cards.suits import canonical_masks
from headsup.common.checks import as_integers, between, door, explained, quoted, whole
from headsup.common.errors import UserError

HOLDEM_CLASSES = 169


class CardClasses:
    """The suit-isomorphism classes of all n-card sets; that of each combo is found when it is first asked for."""

    reps: npt.NDArray[np.uint8]  # [classes, n]: the canonical cards of each class, ascending
    sizes: npt.NDArray[np.int64]  # how many combos each class has
    starts: npt.NDArray[np.int64]  # the first class of each rank multiset, and the number of classes at the end

    @door(n=between(1, 4))
    def __init__(self, n: int) -> None:
        # Suit patterns do not depend on the ranks but on which of them are equal, so one row for each way to be equal
        # gives the place of a combo among the classes of its ranks.
        multisets = rank_multisets(n)
        self._places, patterns, sizes = _suit_patterns(n)
        kinds = _equal_ranks(multisets)
        counts = np.array([len(orbits) for orbits in sizes])[kinds]
        self.starts = frozen(np.concatenate([[0], np.cumsum(counts)]))
        self.reps = np.empty((self.starts[-1], n), dtype=np.uint8)
        self.sizes = np.empty(self.starts[-1], dtype=np.int64)
        for kind, (suits, orbit) in enumerate(zip(patterns, sizes, strict=True)):
            own = np.flatnonzero(kinds == kind)
            at = self.starts[own, None] + np.arange(len(orbit))
            self.reps[at] = multisets[own, None] << 2 | suits
            self.sizes[at] = orbit
        frozen(self.reps), frozen(self.sizes)

    @cached_property
    def of_combo(self) -> npt.NDArray[np.uint16]:
        return frozen(self.of(combos(self.reps.shape[1])))

    def of(self, cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
        """The class of each row of cards, which must ascend."""
        rows, n = cards.shape
        columns = np.ascontiguousarray(cards.T)
        ranks = columns >> 2
        index, suits_and_ties = np.zeros((2, rows), dtype=np.uint16)
        for i, column in enumerate(columns):
            index += _multiset_terms(i).astype(np.uint16).take(ranks[i])
            suits_and_ties += (column & 3).astype(np.uint16) << (2 * i)
            if i:
                suits_and_ties += (ranks[i] == ranks[i - 1]).astype(np.uint16) << (2 * n + i - 1)
        return self.starts.astype(np.uint16).take(index) + self._places.reshape(-1).take(suits_and_ties)


@explained(n=whole)
@cache
def card_classes(n: int) -> CardClasses:
    """The classes of n-card sets, n = 1..4, in order of rank multiset and then of suit pattern."""
    if not 1 <= whole(n, "n") <= 4:
        raise UserError(f"card_classes lists sets of n = 1 to 4 cards, not {quoted(n)}: street_indexer has larger ones")
    return CardClasses(n)


def _equal_ranks(ranks: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    """Which neighbours of each row of ascending ranks are equal, as bits."""
    return np.asarray((ranks[:, 1:] == ranks[:, :-1]) @ (1 << np.arange(ranks.shape[1] - 1)), dtype=np.intp)


def _suit_patterns(
    n: int,
) -> tuple[npt.NDArray[np.uint16], list[npt.NDArray[np.uint8]], list[npt.NDArray[np.int64]]]:
    """For each way in which neighbouring ranks may be equal, the suit patterns in order of their canonical masks.

    uint16[ways, 4^n]: the pattern of every choice of suits (card i's in the bits 2i and 2i + 1), where cards ascend;
    and of each way the suits of each pattern's canonical cards, and how many combos each pattern has.
    """
    choices = (np.arange(4**n)[:, None] >> 2 * np.arange(n) & 3).astype(np.uint8)
    places = np.zeros((2 ** (n - 1), 4**n), dtype=np.uint16)
    patterns, sizes = [], []
    for way, row in enumerate(places):
        ranks = np.cumsum([0] + [1 - (way >> i & 1) for i in range(n - 1)]).astype(np.uint8)
        cards = (ranks << 2 | choices).astype(np.uint8)
        ascending = np.flatnonzero((cards[:, 1:] > cards[:, :-1]).all(axis=1))
        masks = row_masks(cards[ascending])
        best = canonical_masks(masks)
        distinct, row[ascending], counts = np.unique(best, return_inverse=True, return_counts=True)
        patterns.append(choices[ascending[[np.flatnonzero(masks == mask)[0] for mask in distinct]]])
        sizes.append(counts)
    return places, patterns, sizes


@door(n=between(0, 8), ranks=between(1, 13))
def rank_multisets(n: int, ranks: int = 13) -> npt.NDArray[np.uint8]:
    """uint8[., n]: the multisets of n of the lowest `ranks` ranks in colex order, ascending within a row."""
    rows = np.array(list(combinations_with_replacement(range(ranks), n)), dtype=np.uint8)
    return np.ascontiguousarray(rows[np.lexsort(rows.T)]) if n else np.zeros((1, 0), dtype=np.uint8)


def rank_counts(rows: npt.NDArray[np.uint8], ranks: int = 13) -> npt.NDArray[np.int64]:
    """int64[n, ranks]: how often each rank is in each row of ranks."""
    return np.asarray((rows[:, :, None] == np.arange(ranks)).sum(axis=1))


@door(ranks=as_integers)
def rank_multiset_index(ranks: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The colex index of each row of ranks (0..12, repeats allowed): the sum of C(r_i + i, i + 1), r0 <= r1 <= .."""
    if not np.ndim(ranks):
        raise UserError(f"ranks must be rows of ranks, not {quoted(ranks)}")
    ordered = np.sort(np.asarray(ranks), axis=-1).astype(np.intp)
    if ordered.size and not 0 <= ordered[..., 0].min() <= ordered[..., -1].max() < 13:
        raise UserError("ranks hold a number that is not a rank: ranks are the numbers 0 (deuce) to 12 (ace)")
    total = np.zeros(ordered.shape[:-1], dtype=np.int64)
    for i in range(ordered.shape[-1]):
        total += _multiset_terms(i)[ordered[..., i]]
    return total


@cache
def _multiset_terms(i: int) -> npt.NDArray[np.int64]:
    """int64[13]: what each rank in place i adds to the colex index of a rank multiset."""
    return frozen(np.array([comb(rank + i, i + 1) for rank in range(13)], dtype=np.int64))


@cache
def holdem_class_of_combo() -> npt.NDArray[np.uint8]:
    """uint8[1326]: the chart class of each two-card combo in colex order."""
    low, high = (12 - (holdem_combos() >> 2)).T
    suited = (holdem_combos()[:, 0] & 3) == (holdem_combos()[:, 1] & 3)
    return frozen(np.where(suited, 13 * high + low, 13 * low + high).astype(np.uint8))


def class_means(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """[..., 169] the means over the hands of each hold'em class, from [..., 1326]."""
    which = holdem_class_of_combo()
    count = np.bincount(which, minlength=HOLDEM_CLASSES)
    means = [np.bincount(which, row, HOLDEM_CLASSES) / count for row in rows.reshape(-1, rows.shape[-1])]
    return np.array(means).reshape(*rows.shape[:-1], HOLDEM_CLASSES)


@cache
def holdem_class_reps() -> npt.NDArray[np.uint8]:
    """uint8[169, 2]: the canonical cards of each class, ascending: AsKs for AKs, AsKh for AKo, AsAh for AA."""
    reps = np.empty((HOLDEM_CLASSES, 2), dtype=np.uint8)
    two = card_classes(2).reps
    reps[holdem_class_of_combo()[colex_array(two)]] = two
    return frozen(reps)


@cache
def holdem_class_sizes() -> npt.NDArray[np.int64]:
    """int64[169]: 6 for a pair, 4 for a suited hand, 12 for an offsuit one."""
    return frozen(np.bincount(holdem_class_of_combo()).astype(np.int64))


def holdem_class(cards: Cards) -> int:
    """The chart class 0..168 of two cards."""
    hand = read_cards(cards, "hand")
    if len(hand) != 2:
        raise UserError(f"a hold'em hand has two cards, not {len(hand)}: write for example AsKh")
    return int(holdem_class_of_combo()[colex(hand)])


@door(index=whole)
def holdem_class_name(index: int) -> str:
    """Write a class: 0 -> `AA`, 1 -> `AKs`, 13 -> `AKo`."""
    if not 0 <= index < HOLDEM_CLASSES:
        raise UserError(f"{quoted(index)} is not a hold'em hand class: they run from 0 (AA) to 168 (22)")
    row, column = divmod(index, 13)
    letters = RANKS[12 - min(row, column)] + RANKS[12 - max(row, column)]
    return letters if row == column else letters + ("s" if row < column else "o")


def parse_holdem_class(text: str | Cards) -> int:
    """Read a class: `AKs`, `kqo`, `77`, ranks in either order, or two cards such as `AsKh` or `["As", "Kh"]`."""
    if not isinstance(text, str):
        return holdem_class(text)
    word = text.strip()
    ranks = [RANKS.find(letter) for letter in word[:2].upper()]
    if len(word) == 4 and word[1].lower() in SUITS:
        return holdem_class(parse_cards(word))
    if len(word) not in (2, 3) or len(ranks) != 2 or -1 in ranks:
        raise UserError(f"'{text}' is not a hold'em hand class: write two ranks and s or o, for example AKs, T9o or 77")
    pair, kind = ranks[0] == ranks[1], word[2:].lower()
    if pair and kind:
        raise UserError(f"'{text}' is not a hold'em hand class: a pair is neither suited nor offsuit, write {word[:2]}")
    if not pair and kind not in ("s", "o"):
        raise UserError(f"'{text}' is not one hold'em hand class: add s for suited or o for offsuit")
    row, column = 12 - max(ranks), 12 - min(ranks)
    return 13 * row + column if kind == "s" else 13 * column + row


def omaha_class_of_combo() -> npt.NDArray[np.uint16]:
    """uint16[270725]: the class of each four-card combo in colex order."""
    return card_classes(4).of_combo


def omaha_class_reps() -> npt.NDArray[np.uint8]:
    """uint8[16432, 4]: the canonical cards of each class, ascending."""
    return card_classes(4).reps


def omaha_class_sizes() -> npt.NDArray[np.int64]:
    """int64[16432]: how many combos each class has; they add up to 270,725."""
    return card_classes(4).sizes


def omaha_class_starts() -> npt.NDArray[np.int64]:
    """int64[1821]: the first class of each of the 1,820 rank multisets, and 16,432 at the end."""
    return card_classes(4).starts


@door(index=whole)
def omaha_class_name(index: int) -> str:
    """Write a class as its canonical cards, highest first: `AsKsQhJh`."""
    return _class_name(index, 4, "an Omaha hand class")


def parse_omaha_class(text: Cards) -> int:
    """The class of a hand written as any four cards: `AdKdQsJs` and `AsKsQhJh` are the same class."""
    return _parse_class(text, 4, "an Omaha hand")


def omaha_class(cards: Cards) -> int:
    """The class 0..16431 of four cards."""
    hand = read_cards(cards, "hand")
    if len(hand) != 4:
        raise UserError(f"an Omaha hand has four cards, not {len(hand)}: write for example AsKsQhJh")
    return _class_of(hand, 4)


@door(index=whole)
def flop_class_name(index: int) -> str:
    """Write a flop class as its canonical cards, highest first: `AsKs7h`."""
    return _class_name(index, 3, "a flop class")


def parse_flop_class(text: Cards) -> int:
    """The class of a flop written as any three cards."""
    return _parse_class(text, 3, "a flop")


def _class_name(index: int, n: int, what: str) -> str:
    reps = card_classes(n).reps
    if not 0 <= index < len(reps):
        raise UserError(f"{quoted(index)} is not {what}: they run from 0 to {len(reps) - 1}")
    return cards_name(reps[index, ::-1].tolist())


def _parse_class(text: Cards, n: int, what: str) -> int:
    cards = read_cards(text)
    if len(cards) != n:
        example = "AsKsQhJh"[: 2 * n]
        raise UserError(
            f"'{cards_name(cards)}' is not {what}: it has {len(cards)} cards, write {n}, for example {example}"
        )
    return _class_of(cards, n)


def _class_of(cards: Iterable[int], n: int) -> int:
    """The class of n different cards in any order, without the list of those of all combos."""
    return int(card_classes(n).of(np.array([sorted(cards)], dtype=np.uint8))[0])
