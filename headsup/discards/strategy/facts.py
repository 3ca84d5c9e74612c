"""The buckets of our strategy, which know about swaps.

The *place* of a hand is the fraction of all hands on the board that it beats, in bins that are equally frequent for
hands swapped by the rule. Before the river a bucket is the bin, the draw, whether the rule keeps both cards, and the
kind of board; on the river the bin and the kind of board, straights included. `make_facts` follows all swaps of a deal:
a player has 3 possible hands on the flop, 9 on turn and river.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import colex_array
from headsup.discards.equity.deals import rule_many
from headsup.discards.strategy import fact_kernels as kernels
from headsup.discards.strategy.hand_kernels import TOPS
from headsup.discards.strategy.hands import texture_bins
from headsup.evaluate import rank_hands, tables

Array = npt.NDArray[Any]
EDGES = (
    (),
    (0.1565, 0.2517, 0.3333, 0.415, 0.483, 0.5374, 0.5944, 0.6531, 0.7041, 0.75, 0.8027, 0.8495, 0.898, 0.9431, 0.9732,
     0.985, 0.993),
    (0.2553, 0.3901, 0.5035, 0.5851, 0.6596, 0.7234, 0.7872, 0.8475, 0.9043, 0.9402, 0.9725, 0.985, 0.993),
    (0.1318, 0.2146, 0.2706, 0.3289, 0.3663, 0.4118, 0.4477, 0.4792, 0.518, 0.5532, 0.5828, 0.6087, 0.6406, 0.6698,
     0.698, 0.7229, 0.7493, 0.7715, 0.7974, 0.8233, 0.8492, 0.8696, 0.8844, 0.9006, 0.9177, 0.9371, 0.9542, 0.9736,
     0.988, 0.994, 0.998),
)  # fmt: skip
"""Where bins of places begin, by street: equal shares of 40,000 hands swapped by the rule (seed 7), and two more
among the best hands, which play for stacks."""
CARDS = 13  # cards of a hand: two and two, the board, and four that may be drawn
BUCKETS = (169, 18 * 24, 14 * 24, 32 * 8)  # how many a street has
COLUMNS = 35
"""Class, then buckets: 1 and 3 of the flop's swap and betting, 3 and 9 of the turn's, 9 of the river; 9 values."""


def make_facts(cards: Array) -> tuple[Array, Array]:
    """[n, 2, 35] buckets and values of all hands of both seats, and [n, 3] the textures of flop, turn and river.

    cards: uint8[n, 13], the button's, the big blind's, five of the board, then draws (flop's and turn's, by seat).
    """
    facts = np.empty((len(cards), 2, COLUMNS), dtype=np.uint16)
    boards = [cards[:, 4:7], cards[:, 4:8], cards[:, 4:9]]
    flops, turns = [], []
    for seat in (0, 1):
        hole = cards[:, None, 2 * seat : 2 * seat + 2]
        facts[:, seat, 0] = holdem_class_of_combo()[colex_array(hole[:, 0])]
        flops.append(swapped(hole, boards[0], cards[:, 9 + seat]))
        turns.append(swapped(flops[seat], boards[1], cards[:, 11 + seat]))
    flop, turn = np.concatenate(flops, axis=1), np.concatenate(turns, axis=1)
    by_street = [buckets(flop, boards[0]), buckets(turn, boards[1]), buckets(turn, boards[2])]
    for seat in (0, 1):
        flop_bucket, turn_bucket = by_street[0][:, 3 * seat : 3 * seat + 3], by_street[1][:, 9 * seat : 9 * seat + 9]
        facts[:, seat, 1] = flop_bucket[:, 0]
        facts[:, seat, 2:5] = flop_bucket
        facts[:, seat, 5:8] = turn_bucket[:, ::3]  # nothing is changed yet
        facts[:, seat, 8:17] = turn_bucket
        facts[:, seat, 17:26] = by_street[2][:, 9 * seat : 9 * seat + 9]
        facts[:, seat, 26:35] = values(turns[seat], boards[2])
    textures = np.stack([texture_bins(board) for board in boards], axis=1)
    return facts, textures


def swap_order(holes: Array, boards: Array) -> Array:
    """[n] the card, 0 or 1, that is changed first: the rule's, or the lower one where it keeps both."""
    rule = rule_many(holes, boards)
    lower = (holes[:, 1] >> 2 < holes[:, 0] >> 2).astype(np.int64)
    return np.where(rule > 0, rule.astype(np.int64) - 1, lower)


def swapped(holes: Array, boards: Array, drawn: Array) -> Array:
    """[n, 3m, 2] each of m hands kept, with the first card changed, and with the other changed."""
    n, m = holes.shape[:2]
    flat = np.ascontiguousarray(holes.reshape(-1, 2))
    first = swap_order(flat, np.repeat(boards, m, axis=0))
    out = np.repeat(flat[:, None], 3, axis=1)
    rows, new = np.arange(len(flat)), np.repeat(drawn, m)
    out[rows, 1, first] = new
    out[rows, 2, 1 - first] = new
    return out.reshape(n, 3 * m, 2)


def values(holes: Array, boards: Array) -> Array:
    """[n, m] the value of hands on their boards."""
    n, m = holes.shape[:2]
    every = np.concatenate([holes.reshape(-1, 2), np.repeat(boards, m, axis=0)], axis=1)
    return rank_hands(every, check=False).reshape(n, m)


def places(holes: Array, boards: Array) -> Array:
    """[n, m] the fraction of all hands on the board that each beats, ties half."""
    t, worth = tables.load(), values(holes, boards)
    out = np.empty(worth.shape, dtype=np.float32)
    kernels.places(np.ascontiguousarray(boards), t.card_keys, t.row_starts, t.values, t.flush, worth, out)
    return out


def buckets(holes: Array, boards: Array) -> Array:
    """[n, m] the bucket of each hand on its board."""
    return _joined(places(holes, boards), holes, boards)


def _joined(place: Array, holes: Array, boards: Array) -> Array:
    street = boards.shape[1] - 2
    bins = np.searchsorted(EDGES[street], place, side="right")
    kind = board_kinds(boards)[:, None]
    if street == 3:
        return np.asarray(bins * 8 + kind)
    n, m = holes.shape[:2]
    drawn = np.empty((n, m), dtype=np.uint8)
    kernels.draws(np.ascontiguousarray(holes), np.ascontiguousarray(boards), TOPS, drawn)
    pat = rule_many(holes.reshape(-1, 2), np.repeat(boards, m, axis=0)).reshape(n, m) == 0
    return np.asarray(((bins * 4 + drawn) * 2 + pat) * 3 + kind)


def board_kinds(boards: Array) -> Array:
    """[n] 0, 1 for a board with a pair, 2 for three of a suit; on the river 3 for four of a suit, and 4 more where one
    card makes a straight.
    """
    ranks, suits = np.sort(boards >> 2, axis=1), boards & 3
    paired = (ranks[:, 1:] == ranks[:, :-1]).any(axis=1)
    most = np.max([(suits == suit).sum(axis=1) for suit in range(4)], axis=0)
    kind = np.where(most >= 3, 2, paired.astype(np.int64))
    if boards.shape[1] < 5:
        return kind
    there = np.zeros((len(boards), 14), dtype=np.int64)  # the ace below the deuce, and above the king
    np.put_along_axis(there, ranks.astype(np.int64) + 1, 1, axis=1)
    there[:, 0] = there[:, 13]
    straight = np.max([there[:, low : low + 5].sum(axis=1) for low in range(10)], axis=0) >= 4
    return np.asarray(np.where(most >= 4, 3, kind) + 4 * straight)


def deal_cards(seed: npt.NDArray[np.uint64], hands: int) -> npt.NDArray[np.uint8]:
    """[hands, 13] cards: button's, big blind's, board, draws; advances the counter `seed`."""
    cards = np.empty((hands, CARDS), dtype=np.uint8)
    kernels.deal(seed, cards)
    return cards
