"""The exact results of every eight-card deal whose ranks are R: the kernels, serial, over arrays.

Write w for the number of real boards behind a rank board and s for the sign of the high (+1 the first hand wins it).
The table needs sums of w*s over groups of rank boards chosen by the low, for each of the 35 splits, with flushes.

1. `features` scores all 6,188 rank boards as if no flush existed.
2. A suit that holds the rank set S of the eight cards changes the high only on `plain` boards, where no player has a
   full house or better on ranks, and adds the sum of w_S * (h - s), h the sign of the better flush, w_S the boards with
   three or more cards of the suit (`suit_weights`). If only one player has two cards of S, h is constant, and the sums
   are a product of matrices, exact in float32: every sum is an integer below 2^24.
3. If both have two, h depends on the set T of board ranks in the suit: `contested` adds up the plain boards over all U.
4. `straight_flushes` corrects the boards that are not plain.
5. `deal_kernels.deals` lists the deals with these ranks up to suits and adds base and corrections (`spread`).

A pair of hand classes meets only one R, so each R is finished on its own.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit
from headsup.equity.omaha.boards import FULL_HOUSE, STRAIGHT_FLUSH

N_SPLITS = 35
N_BOARDS = 6188
PLAIN = 4


class Lookups(NamedTuple):
    """What is the same for every rank set of a deck."""

    suited: Any  # [2288] the sets T of three to five ranks of a suit
    together: Any  # the rank board of each (T, U)
    starts: Any  # [2288] where the boards of each T start there
    flush: Any  # [78, 2288] the best flush of two ranks with T
    sf_from: Any  # [8193] for each rank set S of a suit, where its run of `sf_sets` starts
    sf_sets: Any  # the sets T that make a straight flush with S
    pairs: Any  # [91, 2] the two ranks of each U
    deck: Any  # mask of the ranks in the deck
    splits: Any  # [35] positions of the first hand


class RankScores(NamedTuple):
    """How the n parts of a rank set score on every rank board b, flushes aside."""

    codes: Any  # [n, b] s + 1, plain and the low's outcome (none, first hand, shared, second hand) in bits
    dense: Any  # [f * n + q, b] for each group g: plain, plain*s and (with outcomes) plain*tie
    lanes: Any  # [b, g * n + q] the first of these again, board by board
    base: Any  # [n, .] the sums of w*s by group, then of w*tie by group, then of w by the outcome of the low


class RankSet(NamedTuple):
    """One rank set R: its eight ranks, its splits and the sets that one suit can hold."""

    ranks: Any  # [8]
    part_of: Any  # [35] the part that each split is
    turned: Any  # [35] whether its hands are exchanged there
    sets: Any  # [m] the rank sets of two or more ranks of a suit
    places: Any  # [m] their lowest positions
    others: Any  # [m, 13] cards of each rank left in the other three suits
    products: Any  # [m, .] the rows of `suit_weights` times the dense features


class Held(NamedTuple):
    """The cards of one suit."""

    cards: Any  # positions
    size: Any  # how many there are
    mine: Any  # [35] those of the first hand, as a mask of `cards`
    others: Any  # [13] cards of each rank left in the other suits
    two: Any  # [91] ways to draw the two ranks of U from those


@jit
def features(high, low, parts, weights, outcomes, out):
    """Score every part (first hand, second hand) on every rank board without flushes."""
    codes, dense, lanes, base = out
    n, groups = parts.shape[0], 4 if outcomes else 2
    base[:] = 0
    for q in range(n):
        mine, theirs = high[parts[q, 0]], high[parts[q, 1]]
        low_one, low_two = low[parts[q, 0]], low[parts[q, 1]]
        code = codes[q]
        for b in range(N_BOARDS):
            plain = np.uint8(4) if (mine[b] < FULL_HOUSE) & (theirs[b] < FULL_HOUSE) else np.uint8(0)
            sign = np.uint8(2) if mine[b] > theirs[b] else np.uint8(0) if mine[b] < theirs[b] else np.uint8(1)
            code[b] = plain | sign
        for b in range(N_BOARDS):
            share = (
                np.uint8(8) if low_one[b] > low_two[b] else np.uint8(24) if low_one[b] < low_two[b] else np.uint8(16)
            )
            code[b] |= share if low_one[b] | low_two[b] else np.uint8(0)
        for b in range(N_BOARDS):
            weight, share, s = weights[b], np.int64(code[b] >> 3), np.int64(code[b] & 3) - 1
            base[q, 2 * groups + share] += weight
            if outcomes:
                base[q, share] += weight * s
                base[q, groups + share] += weight * (1 - s * s)
            else:
                base[q, 0] += weight * s
                base[q, 1] += weight * s if share else 0
        for g in range(groups):
            tied = dense[(2 * groups + g if outcomes else g) * n + q]
            _expand(code, np.uint8(g << 3), outcomes, g == 0, dense[g * n + q], dense[(groups + g) * n + q], tied)
    for start in range(0, N_BOARDS, 64):
        end = min(start + 64, N_BOARDS)
        for k in range(groups * n):
            flat = dense[k]
            for b in range(start, end):
                lanes[b, k] = np.uint8(flat[b])


@jit(inner=True)
def _expand(code, group, outcomes, every, flat, signed, tied):
    """One group's features of one part: plain, plain*s and, with outcomes, plain*tie."""
    for b in range(N_BOARDS):
        inside = (code[b] & 24) == group if outcomes else every or (code[b] & 24) != 0
        plain = np.float32(1) if inside and code[b] & 4 else np.float32(0)
        s = np.float32(code[b] & 3) - np.float32(1)
        flat[b] = plain
        signed[b] = plain * s
        if outcomes:
            tied[b] = plain * (np.float32(1) - s * s)


@jit
def suit_weights(suited, together, sets, others, deck, pairs, rows):
    """rows[i, b] = the number of real boards with the ranks of b and three or more cards of a suit that holds sets[i].

    others[i, r] = cards of rank r left in the other three suits; deck = mask of the ranks in the deck; pairs[u] = the
    two ranks of U.
    """
    two = np.empty(pairs.shape[0], dtype=np.float32)
    for i in range(sets.shape[0]):
        row = rows[i]
        row[:] = 0
        for u in range(pairs.shape[0]):
            a, b = np.int64(others[i, pairs[u, 0]]), np.int64(others[i, pairs[u, 1]])
            two[u] = np.float32(a * (a - 1) // 2 if pairs[u, 0] == pairs[u, 1] else a * b)
        at = 0
        for t in range(suited.shape[0]):
            size = 91 if t < 286 else 13 if t < 1001 else 1
            if suited[t] & sets[i] == 0 and suited[t] & ~deck == 0:
                if size == 91:
                    for u in range(91):
                        row[together[at + u]] += two[u]
                elif size == 13:
                    for u in range(13):
                        row[together[at + u]] += np.float32(others[i, u])
                else:
                    row[together[at]] += np.float32(1)
            at += size


@jit(inner=True)
def best_flushes(flush, ranks, held, t, best):
    """best[m] = the best flush that the cards in mask m of a suit make with T; 0 below two cards."""
    best[0] = 0
    for m in range(1, 1 << held.size):
        high = 0
        while m >> (high + 1):
            high += 1
        rest = m ^ (1 << high)
        value = best[rest]
        a = np.int64(ranks[held.cards[high]])
        for i in range(high):
            if rest >> i & 1:
                value = max(value, flush[ranks[held.cards[i]] + a * (a - 1) // 2, t])
        best[m] = value


@jit(inner=True)
def other_weights(others, pairs, two):
    """two[u] = the number of ways to draw the two ranks of U from what the other suits have left."""
    for u in range(pairs.shape[0]):
        a, b = np.int64(others[pairs[u, 0]]), np.int64(others[pairs[u, 1]])
        two[u] = a * (a - 1) // 2 if pairs[u, 0] == pairs[u, 1] else a * b


@jit(inner=True)
def contested(known, rank_set, ranks_held, held, lanes, won):
    """won[g, p] = plain boards of group g that the first hand's flush wins, for splits with two flushes."""
    won[:] = 0
    groups = won.shape[0]
    n = lanes.shape[1] // groups
    sums = np.empty(lanes.shape[1], dtype=np.uint16)
    best = np.zeros(256, dtype=np.uint16)
    single = np.ones(1, dtype=np.int64)
    every = (1 << held.size) - 1
    suited, together, deck = known.suited, known.together, known.deck
    at = 0
    for t in range(suited.shape[0]):
        size = 91 if t < 286 else 13 if t < 1001 else 1
        if suited[t] & ranks_held == 0 and suited[t] & ~deck == 0:
            if size == 91:
                _add_lanes(lanes, together[at : at + 91], held.two, sums)
            elif size == 13:
                _add_lanes(lanes, together[at : at + 13], held.others, sums)
            else:
                _add_lanes(lanes, together[at : at + 1], single, sums)
            best_flushes(known.flush, rank_set.ranks, held, t, best)
            for p in range(N_SPLITS):
                first, second = best[held.mine[p]], best[every ^ held.mine[p]]
                if first > second and second:
                    for g in range(groups):
                        won[g, p] += np.int64(sums[g * n + rank_set.part_of[p]])
        at += size


@jit(inner=True)
def _add_lanes(lanes, boards, weights, sums):
    """sums[k] = the weighted sum of lane k over these boards."""
    sums[:] = 0
    for u in range(boards.shape[0]):
        if weights[u]:
            _add_lane(sums, lanes[boards[u]], np.uint16(weights[u]))


@jit(inner=True)
def _add_lane(sums, lane, w):
    for k in range(sums.shape[0]):
        sums[k] = np.uint16(sums[k] + np.uint16(w * np.uint16(lane[k])))


@jit(inner=True)
def straight_flushes(known, rank_set, some, held, codes, outcomes, change):
    """Add to change[p] what straight flushes win on boards with a full house; some = the sets T that make one."""
    best = np.zeros(256, dtype=np.uint16)
    every = (1 << held.size) - 1
    together, starts, turned = known.together, known.starts, rank_set.turned
    for i in range(some.shape[0]):
        t = np.int64(some[i])
        size = 91 if t < 286 else 13
        best_flushes(known.flush, rank_set.ranks, held, t, best)
        for p in range(N_SPLITS):
            first, second = best[held.mine[p]], best[every ^ held.mine[p]]
            if max(first, second) < STRAIGHT_FLUSH:
                continue
            h = 1 if first > second else -1
            code_of, sign = codes[rank_set.part_of[p]], -1 if turned[p] else 1
            for u in range(size):
                w = np.int64(held.two[u]) if size == 91 else np.int64(held.others[u])
                code = np.int64(code_of[together[starts[t] + u]])
                if w == 0 or code & PLAIN:
                    continue
                s, share = sign * ((code & 3) - 1), code >> 3
                if outcomes:
                    share = (4 - share) % 4 if turned[p] else share
                    change[p, share] += w * (h - s)
                    change[p, 4 + share] -= w * (1 - s * s)
                else:
                    change[p, 0] += w * (h - s)
                    change[p, 1] += w * (h - s) if share else 0


@jit
def corrections(known, rank_set, scores, outcomes, change):
    """change[i, p] = the sums of w*(h - s), and of -w*tie, by group, that a suit holding sets[i] adds to split p."""
    groups = 4 if outcomes else 2
    won = np.zeros((groups, N_SPLITS), dtype=np.int64)
    two = np.empty(known.pairs.shape[0], dtype=np.int64)
    cards = np.empty(8, dtype=np.int64)
    mine = np.empty(N_SPLITS, dtype=np.int64)
    change[:] = 0
    for i in range(rank_set.sets.shape[0]):
        size = np.int64(0)
        mine[:] = 0
        for j in range(8):
            if rank_set.places[i] >> j & 1:
                cards[size] = j
                for p in range(N_SPLITS):
                    mine[p] |= (known.splits[p] >> j & 1) << size
                size += 1
        ranks_held = rank_set.sets[i]
        other_weights(rank_set.others[i], known.pairs, two)
        held = Held(cards, size, mine, rank_set.others[i], two)
        if size >= 4:
            contested(known, rank_set, ranks_held, held, scores.lanes, won)
        for p in range(N_SPLITS):
            _split_change(rank_set, i, p, held, won, outcomes, change[i, p])
        some = known.sf_sets[known.sf_from[ranks_held] : known.sf_from[ranks_held + 1]]
        straight_flushes(known, rank_set, some, held, scores.codes, outcomes, change[i])


@jit(inner=True)
def _split_change(rank_set, i, p, held, won, outcomes, change):
    """What flushes change on plain boards for one split: the flush of the only hand that has one, or the better one."""
    first = 0
    for j in range(held.size):
        first += held.mine[p] >> j & 1
    second = held.size - first
    if first < 2 and second < 2:
        return
    groups = won.shape[0]
    product, q, turned = rank_set.products[i], rank_set.part_of[p], rank_set.turned[p]
    n = product.shape[0] // (groups * (3 if outcomes else 2))
    sign = -1 if turned else 1
    for g in range(groups):
        group = (4 - g) % 4 if outcomes and turned else g
        plain = np.int64(product[group * n + q])
        without = sign * np.int64(product[(groups + group) * n + q])
        if second < 2:
            flush = plain
        elif first < 2:
            flush = -plain
        else:
            flush = 2 * won[group, p] - plain
        change[g] = flush - without
        if outcomes:
            change[groups + g] = -np.int64(product[(2 * groups + group) * n + q])


@jit
def spread(ranks, splits, split_index, sets_at, change, outcomes, by_places):
    """by_places[P, p] = the correction of the suit that holds positions P, for every set P of different ranks.

    `change` knows each rank set in its lowest positions only: swap equal ranks to get there, and the two hands if that
    moves position 0 to the second one.
    """
    groups = 4 if outcomes else 2
    by_places[:] = 0
    swap = np.empty((8, 2), dtype=np.int64)
    for places in range(256):
        mask, n, good = 0, 0, True
        for i in range(8):
            if places >> i & 1:
                good = good and not mask >> ranks[i] & 1
                mask |= 1 << ranks[i]
                lowest = i
                while lowest > 0 and ranks[lowest - 1] == ranks[i]:
                    lowest -= 1
                swap[n, 0], swap[n, 1] = i, lowest
                n += 1
        if not good or n < 2 or sets_at[mask] < 0:
            continue
        source = change[sets_at[mask]]
        for p in range(N_SPLITS):
            split = np.int64(splits[p])
            for k in range(n):
                i, j = swap[k, 0], swap[k, 1]
                if (split >> i ^ split >> j) & 1:
                    split ^= 1 << i | 1 << j
            turned = not split & 1
            q = split_index[255 ^ split if turned else split]
            for g in range(groups):
                from_group = (4 - g) % 4 if outcomes and turned else g
                by_places[places, p, g] = -source[q, from_group] if turned else source[q, from_group]
                if outcomes:
                    by_places[places, p, groups + g] = source[q, groups + from_group]
