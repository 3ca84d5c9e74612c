"""Every deal of eight cards with the ranks R, once for each class up to suits: the kernel that adds up its results.

Choose the suits of each different rank, from the highest down. Suits whose sets agree so far are `tied`, and among them
the first ones take the card: so each class comes up exactly once, and the ties left at the end are its symmetries.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit

N_SPLITS = 35


class HandClasses(NamedTuple):
    """The classes of four-card hands."""

    of_combo: Any  # [270725] in colex order
    binomial: Any  # C(card, k), for the colex index
    first: Any  # [1821] the first class of each rank hand
    count: Any  # [1820] the classes of each rank hand


class RankDeals(NamedTuple):
    """What is known of a rank set before its deals are listed."""

    ranks: Any  # [8]
    splits: Any  # [35] positions of the first hand
    hands: Any  # [256] the rank hand at each mask of four positions
    part_of: Any  # [35] the part that each split is
    turned: Any  # [35] whether its hands are exchanged there
    base: Any  # [parts, .] the sums without flushes
    by_places: Any  # [256, 35, .] what a suit with these positions changes
    block_at: Any  # [parts + 1] where the block of each part starts


class DealSums(NamedTuple):
    """What is added up, over whole suit orbits."""

    sums: Any  # [kept, cell] results
    number: Any  # [cell] deals
    census: Any  # [sizes and ties, 2] classes and deals


@jit
def deals(classes, rank_set, outcomes, out):
    """Every deal with these ranks up to suits, once; its results go to the blocks of hand-class pairs."""
    ranks = rank_set.ranks
    n_ranks = 0
    rank_list = np.empty(8, dtype=np.int64)
    need = np.empty(8, dtype=np.int64)
    start = np.empty(8, dtype=np.int64)
    i = 7
    while i >= 0:
        j = i
        while j > 0 and ranks[j - 1] == ranks[i]:
            j -= 1
        rank_list[n_ranks], need[n_ranks], start[n_ranks] = ranks[i], i - j + 1, j
        n_ranks += 1
        i = j - 1
    choice = np.full(9, -1, dtype=np.int64)
    tied = np.zeros(9, dtype=np.int64)
    tied[0] = 7
    suits = np.zeros(8, dtype=np.int64)
    depth = 0
    while depth >= 0:
        option = choice[depth] + 1
        while option < 16 and not _fits(option, need[depth], tied[depth]):
            option += 1
        if option == 16:
            choice[depth] = -1
            depth -= 1
            continue
        choice[depth] = option
        tied[depth + 1] = tied[depth] & ~(option ^ (option >> 1))
        at = start[depth]
        for suit in range(4):
            if option >> suit & 1:
                suits[at] = suit
                at += 1
        if depth + 1 < n_ranks:
            depth += 1
            continue
        _deal(classes, rank_set, suits, tied[n_ranks] & 7, outcomes, out)


@jit(inner=True)
def _fits(option, need, tied):
    """Whether these suits are `need` many and, among tied suits, the first ones."""
    bits = (option & 1) + (option >> 1 & 1) + (option >> 2 & 1) + (option >> 3 & 1)
    return bits == need and not (tied & ~option & (option >> 1))


@jit(inner=True)
def _deal(classes, rank_set, suits, tied, outcomes, out):
    """Add one deal for its whole orbit; the three bits of `tied` mark neighbouring suits with equal sets."""
    ranks, splits, hands, part_of, turned, base, by_places, block_at = rank_set
    orbit = 24 // (24 if tied == 7 else 6 if tied == 3 or tied == 6 else 4 if tied == 5 else 2 if tied else 1)
    places = np.zeros(4, dtype=np.int64)
    for i in range(8):
        places[suits[i]] |= 1 << i
    _count(places, tied, orbit, out.census)
    groups = 4 if outcomes else 2
    cells = 2 * groups if outcomes else groups
    local = np.empty(256, dtype=np.int64)
    for p in range(N_SPLITS):
        for turn in range(2):
            hand = 255 ^ splits[p] if turn else splits[p]
            index, k = 0, 1
            for i in range(8):
                if hand >> i & 1:
                    index += classes.binomial[4 * ranks[i] + suits[i], k]
                    k += 1
            local[hand] = np.int64(classes.of_combo[index]) - classes.first[hands[hand]]
    value = np.empty(8, dtype=np.int64)
    for p in range(N_SPLITS):
        q = part_of[p]
        sign = -1 if turned[p] else 1
        for c in range(cells):
            group = (4 - c % 4) % 4 + c // 4 * 4 if outcomes and turned[p] else c
            change = np.int64(0)
            for suit in range(4):
                change += by_places[places[suit], p, group]
            value[c] = base[q, c] + (change if c >= groups else sign * change)
        first, second = splits[p], 255 ^ splits[p]
        if turned[p]:
            first, second = second, first
        columns = classes.count[hands[second]]
        cell = block_at[q] + local[first] * columns + local[second]
        _add(value, base[q], False, outcomes, orbit, cell, out)
        if hands[first] == hands[second]:
            cell = block_at[q] + local[second] * columns + local[first]
            _add(value, base[q], True, outcomes, orbit, cell, out)


@jit(inner=True)
def _add(value, base, turned, outcomes, orbit, cell, out):
    """Turn the sums of one split into what is kept, from the point of view of either hand, and add it.

    Kept: quarter-pots won in hi-lo and in high only; with outcomes scoop, three-quarter, half, quarter, lose in hi-lo
    and win, tie, lose in high only.
    """
    sign, sums = -1 if turned else 1, out.sums
    out.number[cell] += orbit
    if outcomes:
        for share in range(4):
            low = (4 - share) % 4 if turned else share
            boards, tie = base[8 + low], value[4 + low]
            win = (boards - tie + sign * value[low]) // 2
            lose = boards - tie - win
            worth = share if share else -1  # none, win, shared, lose
            sums[5, cell] += orbit * win
            sums[6, cell] += orbit * tie
            sums[7, cell] += orbit * lose
            if worth == -1:
                sums[0, cell] += orbit * win
                sums[2, cell] += orbit * tie
                sums[4, cell] += orbit * lose
            else:
                sums[worth - 1, cell] += orbit * win
                sums[worth, cell] += orbit * tie
                sums[worth + 1, cell] += orbit * lose
    else:
        none, first, shared, second = base[4], base[5], base[6], base[7]
        boards = none + first + shared + second
        low = sign * (first - second)
        sums[0, cell] += orbit * (2 * boards + sign * (2 * value[0] - value[1]) + low)
        sums[1, cell] += orbit * (2 * boards + sign * 2 * value[0])


@jit(inner=True)
def _count(places, tied, orbit, census):
    """Count a class and its deals under the sizes of its suits, largest first, and which equal-sized ones agree."""
    size = np.zeros(4, dtype=np.int64)
    group = np.zeros(4, dtype=np.int64)
    for suit in range(4):
        for i in range(8):
            size[suit] += places[suit] >> i & 1
        group[suit] = group[suit - 1] + (1 - (tied >> (suit - 1) & 1)) if suit else 0
    for i in range(1, 4):
        j = i
        while j > 0 and (size[j], group[j]) > (size[j - 1], group[j - 1]):
            size[j], size[j - 1] = size[j - 1], size[j]
            group[j], group[j - 1] = group[j - 1], group[j]
            j -= 1
    ties = (group[0] == group[1]) | (group[1] == group[2]) << 1 | (group[2] == group[3]) << 2
    key = ((size[0] * 9 + size[1]) * 9 + size[2]) * 8 + ties
    census[key, 0] += 1
    census[key, 1] += orbit
