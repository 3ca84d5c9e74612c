"""Suit symmetry: the 24 renamings of the suits, canonical forms, orbits, stabilisers, and boards up to symmetry.

A situation is one or more sets of cards, each a 52-bit mask. Of its images under renamings the canonical form is the
greatest, masks compared from the first to the last; the number of different images is the size of the orbit.
Calculations over all boards keep one board per orbit of the renamings that fix hands, ranges and dead cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations
from math import comb, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import as_card, as_mask, suit_of
from headsup.cards.combos import colex_array, combo_masks, combos, frozen, row_masks
from headsup.common.checks import as_integers, door, each, explained, quoted, whole
from headsup.common.errors import UserError

SuitPermutation: TypeAlias = tuple[int, ...]

SUIT_PERMUTATIONS: tuple[SuitPermutation, ...] = tuple(permutations(range(4)))
"""All 24; entry s of a permutation is the suit that suit s becomes. The identity comes first."""

IDENTITY: tuple[SuitPermutation, ...] = SUIT_PERMUTATIONS[:1]  # the group that renames nothing

_ONE_SUIT = sum(1 << 4 * rank for rank in range(13))
_KNOWN = {renaming: renaming for renaming in SUIT_PERMUTATIONS}


def as_permutation(value: Any, what: str) -> SuitPermutation:
    try:
        return _KNOWN[tuple(value)]
    except (TypeError, KeyError):
        raise UserError(f"{what} must rename the suits, as (1, 0, 2, 3) does, not {quoted(value)}") from None


def as_masks(value: Any, what: str) -> npt.NDArray[np.uint64]:
    masks = as_integers(value, what)
    if masks.ndim == 0 or (masks.dtype.kind == "i" and masks.size and masks.min() < 0):
        raise UserError(f"{what} must be an array of card masks, none below 0, not {quoted(value)}")
    return np.asarray(masks, dtype=np.uint64)


@door(cards=as_integers, permutation=as_permutation)
def permute_cards(cards: npt.ArrayLike, permutation: SuitPermutation) -> npt.NDArray[np.uint8]:
    """The same cards with their suits renamed: uint8, in the shape given."""
    given = np.asarray(cards)
    if given.size and not 0 <= given.min() <= given.max() < 52:
        raise UserError("cards hold a number that is not a card: cards are the numbers 0 (2c) to 51 (As)")
    old = given.astype(np.uint8)
    new_suits: npt.NDArray[np.uint8] = np.array(permutation, dtype=np.uint8)[old & np.uint8(3)]
    return (old & np.uint8(0xFC)) | new_suits


def permute_card(card: int, permutation: SuitPermutation) -> int:
    """One card with its suit renamed, without an array."""
    try:
        return card & ~3 | permutation[card & 3]
    except (TypeError, LookupError):
        return permute_card(as_card(card), as_permutation(permutation, "permutation"))


@door(mask=as_mask, permutation=as_permutation)
def permute_mask(mask: int, permutation: SuitPermutation) -> int:
    return renamed_mask(mask, permutation)


def renamed_mask(mask: int, permutation: SuitPermutation) -> int:
    """`permute_mask` for loops: nothing is checked."""
    a, b, c, d = permutation
    one = _ONE_SUIT
    return (mask & one) << a | (mask >> 1 & one) << b | (mask >> 2 & one) << c | (mask >> 3 & one) << d


@door(masks=as_masks, permutation=as_permutation)
def permute_masks(masks: npt.NDArray[np.uint64], permutation: SuitPermutation) -> npt.NDArray[np.uint64]:
    """`permute_mask` of each mask in an array."""
    out = np.zeros_like(masks)
    for suit, new in enumerate(permutation):
        if suit == new:
            out |= masks & np.uint64(_ONE_SUIT << suit)
        else:
            out |= (masks >> np.uint64(suit) & np.uint64(_ONE_SUIT)) << np.uint64(new)
    return out


@explained(n=whole, permutation=as_permutation)
@cache
def permuted_combos(n: int, permutation: SuitPermutation) -> npt.NDArray[np.int32]:
    """int32[C(52, n)]: the colex index that each n-card combo gets when its suits are renamed (n <= 5)."""
    return frozen(colex_array(permute_cards(combos(n), permutation)).astype(np.int32))


def orbits(images: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.int64]]:
    """Of what the renamings of a group carry n things to, [renamings, n]: the first of each thing's orbit, its size."""
    first = images.min(axis=0)
    return first, np.bincount(first, minlength=len(first))[first]


@door(masks=each(as_mask), permutations=each(as_permutation))
def canonical(
    masks: Sequence[int], permutations: Sequence[SuitPermutation] = SUIT_PERMUTATIONS
) -> tuple[tuple[int, ...], int]:
    """The canonical form of a tuple of card masks, and the size of its orbit."""
    images = {tuple(renamed_mask(mask, renaming) for mask in masks) for renaming in permutations}
    return max(images), len(images)


def canonical_masks(masks: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The canonical form of each single mask in an array, under all 24 renamings."""
    return sorted_suits(masks)[0]


@door(masks=as_masks)
def sorted_suits(masks: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
    """The canonical form of each mask under all 24 renamings, and a renaming (its index) that leads there.

    A mask is the sum over suits s of 2^s times its cards of that suit, so the largest image has the suits in order. A
    suit's own number rides along in the two lowest bits.
    """
    two, own = np.uint64(2), np.uint64(_ONE_SUIT)
    suits = np.stack([(masks >> np.uint64(suit) & own) << two | np.uint64(suit) for suit in range(4)], axis=-1)
    suits.sort(axis=-1)
    codes = np.zeros(len(masks), dtype=np.intp)
    best = np.zeros(len(masks), dtype=np.uint64)
    for place in range(4):
        codes |= ((suits[:, place] & np.uint64(3)) << np.uint64(2 * place)).astype(np.intp)
        best |= (suits[:, place] >> two) << np.uint64(place)
    return best, _renaming_by_order()[codes]


@cache
def _renaming_by_order() -> npt.NDArray[np.uint8]:
    """uint8[256]: the renaming under which suit (code >> 2p) & 3 becomes suit p, for p = 0..3."""
    table = np.zeros(256, dtype=np.uint8)
    for i, renaming in enumerate(SUIT_PERMUTATIONS):
        table[sum(suit << 2 * new for suit, new in enumerate(renaming))] = i
    return frozen(table)


def stabiliser(
    *objects: int | npt.NDArray[np.generic], permutations: Iterable[SuitPermutation] = SUIT_PERMUTATIONS
) -> tuple[SuitPermutation, ...]:
    """The renamings that leave every object unchanged; they form a group.

    An object is a card mask (an int), or an array with one value for each n-card combo in colex order, n = 1..5: the
    weights of a range (1326 or 270725 of them), or anything else known of each combo.
    """
    listed = tuple(permutations) if isinstance(permutations, Iterator) else permutations
    group: tuple[SuitPermutation, ...] = each(as_permutation)(listed, "permutations")
    for thing in objects:
        if isinstance(thing, np.ndarray) and thing.ndim:
            n = _combo_size(len(thing))
            group = tuple(renaming for renaming in group if np.array_equal(thing[permuted_combos(n, renaming)], thing))
        else:
            mask = as_mask(thing, "each of objects")
            group = tuple(renaming for renaming in group if renamed_mask(mask, renaming) == mask)
    return group


@door(dead_mask=as_mask, permutations=each(as_permutation))
def canonical_boards(
    n_cards: int, dead_mask: int = 0, permutations: Sequence[SuitPermutation] = SUIT_PERMUTATIONS
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """One board of each orbit of the n-card boards without dead cards, and the sizes of the orbits.

    `permutations` must be a group that leaves the dead cards unchanged, as `stabiliser` gives. Boards are uint8[m, n],
    in colex order, cards ascending; the int64[m] sizes add up to the number of all boards.
    """
    group = tuple(dict.fromkeys(permutations))
    _check_group(group, dead_mask)
    every = combo_masks(n_cards)
    chosen = np.flatnonzero((every & np.uint64(dead_mask)) == 0) if dead_mask else np.arange(len(every))
    for renaming in group:
        if renaming != IDENTITY[0]:
            masks = every[chosen]
            chosen = chosen[permute_masks(masks, renaming) <= masks]
    masks = every[chosen]
    fixed = np.zeros(len(chosen), dtype=np.int64)
    for renaming in group:
        fixed += permute_masks(masks, renaming) == masks
    return combos(n_cards)[chosen], len(group) // fixed


def _combo_size(length: int) -> int:
    for n in range(1, 6):
        if comb(52, n) == length:
            return n
    raise UserError(f"an array of {length} values is not one for each combo: hold'em has 1326 combos, Omaha 270725")


def _check_group(group: tuple[SuitPermutation, ...], dead_mask: int) -> None:
    members = set(group)
    closed = all(tuple(a[suit] for suit in b) in members for a in group for b in group)
    if not members or not closed:
        raise UserError("the suit permutations are not a group: pass all 24, the identity, or what stabiliser returns")
    if any(renamed_mask(dead_mask, renaming) != dead_mask for renaming in group):
        raise UserError("a suit permutation moves the dead cards: pass stabiliser(dead_mask, ...) as the permutations")


class KeptSets(NamedTuple):
    """The sets that one group keeps, m of n cards in colex order; renamings are indices in SUIT_PERMUTATIONS."""

    cards: npt.NDArray[np.uint8]  # [m, n] ascending
    masks: npt.NDArray[np.uint64]  # [m]
    copies: npt.NDArray[np.int32]  # [m] the size of the orbit
    first: npt.NDArray[np.int64]  # [m + 1] where the renamings of each set begin, as many as copies, the identity first
    renaming: npt.NDArray[np.uint8]  # for each set of the orbit one that carries it onto the kept set
    group: npt.NDArray[np.uint32]  # [m] bit i: renaming i leaves the kept set alone


def keep_sets(n_cards: int, outside: int, group: Sequence[SuitPermutation]) -> KeptSets:
    """The n-card sets that a group keeps, none of them with a card of the mask `outside`, which it must leave alone."""
    cards, sizes = canonical_boards(n_cards, outside, group)
    masks = row_masks(cards)
    bits = np.zeros(len(cards), dtype=np.uint32)
    numbers = np.array([SUIT_PERMUTATIONS.index(renaming) for renaming in group], dtype=np.uint8)
    # The set that a renaming carries onto the kept one; a renaming is named where no earlier one has the same set.
    sources = [permute_masks(masks, tuple(renaming.index(suit) for suit in range(4))) for renaming in group]
    named = np.ones((len(masks), len(group)), dtype=bool)
    for i, source in enumerate(sources):
        bits |= (source == masks).astype(np.uint32) << np.uint32(numbers[i])
        for earlier in sources[:i]:
            named[:, i] &= source != earlier
    first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return KeptSets(cards, masks, sizes.astype(np.int32), first, numbers[np.nonzero(named)[1]], bits)


def renamings_in(bits: int) -> list[SuitPermutation]:
    """The renamings whose bits are set: bit i is SUIT_PERMUTATIONS[i]."""
    return [renaming for i, renaming in enumerate(SUIT_PERMUTATIONS) if bits >> i & 1]


def count_deals(free: Sequence[int], rounds: Sequence[int], group: Sequence[SuitPermutation]) -> int:
    """How many deals of the free cards in rounds of these sizes there are up to a group that leaves the cards alone.

    By Burnside's lemma this is the average number of deals that a renaming fixes: those made of whole cycles.
    """
    return sum(_whole_deals(_cycles(free, renaming), tuple(rounds)) for renaming in group) // len(group)


def _cycles(free: Sequence[int], renaming: SuitPermutation) -> tuple[int, ...]:
    """How many cycles of 1, 2, 3 and 4 cards a renaming makes of the free cards."""
    lengths = [0, 0, 0, 0]
    for card in free:
        suit, length = renaming[suit_of(card)], 1
        while suit != suit_of(card):
            suit, length = renaming[suit], length + 1
        lengths[length - 1] += 1
    return tuple(cards // (i + 1) for i, cards in enumerate(lengths))


@cache
def _whole_deals(cycles: tuple[int, ...], rounds: tuple[int, ...]) -> int:
    """In how many ways sets of these sizes can be dealt one after another, each made of whole cycles."""
    if not rounds:
        return 1
    total = 0
    for used in _cycle_counts(rounds[0], len(cycles)):
        ways = prod(map(comb, cycles, used))
        if ways:
            total += ways * _whole_deals(tuple(a - b for a, b in zip(cycles, used, strict=True)), rounds[1:])
    return total


def _cycle_counts(cards: int, longest: int) -> Iterator[tuple[int, ...]]:
    """Every number of cycles of length 1 .. longest with this many cards in all."""
    if longest == 0:
        if cards == 0:
            yield ()
        return
    for last in range(cards // longest + 1):
        for rest in _cycle_counts(cards - last * longest, longest - 1):
            yield (*rest, last)
