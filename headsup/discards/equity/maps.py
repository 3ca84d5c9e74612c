"""Swaps as maps on hand vectors, and the best swap against an opponent who follows the report's rule.

A state is one of the 1,326 hands, as a symmetric matrix [52, 52]; discarded cards are forgotten, and docs/discards.md
measures the error. Of reach G[x, y], the part of hand {x, y} that throws x away,

    down:  reach'{y, c} = (d[y] - G[c, y]) / n   + the same with y and c exchanged,      d[y] = sum over x of G[x, y]
    up:    N of throwing x from {x, y} = R[y] - N{x, y},                                 R[y] = sum over c of N{y, c}

for a new card c; n is the number of such cards less the opponent's two. The value of a choice is N / D = weight beaten
/ weight met. For each turn card the opponent's hands go through the rule, in four vectors by their public swaps; a
showdown per river gives N and D; a hand takes the best of keep and two swaps, on the turn and then on the flop.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.boards import BoardTree
from headsup.cards.combos import holdem_combos
from headsup.cards.suits import SUIT_PERMUTATIONS
from headsup.common.backend import jit
from headsup.discards.equity.deals import rule_many
from headsup.evaluate import rank_on_boards
from headsup.games.holdem.showdown_kernels import add_showdown

ONE = np.uint64(1)
DECK = tuple(range(52))
WORDS = 117  # 64-bit words for the values 0..7462


@jit
def river_sums(values: Any, cards: Any, weights: Any, won: Any, met: Any) -> None:
    """Add to won and met, for each hand, the weight that it beats (half of what it ties) and meets, over all rivers.

    values: uint16[rivers, hands] what each hand is worth, 0 where it shares a card with the board. cards: uint8[hands,
    2]. weights, won, met: float64[hands, lanes].

    Hands of one value are linked in a list, and a bitmap tells which values there are. The last hand of a list comes
    first: sums of floats depend on the order, and shipped numbers on the sums.
    """
    n = len(cards)
    head = np.zeros(64 * WORDS, dtype=np.int16)
    following = np.zeros(n, dtype=np.int16)
    words = np.zeros(WORDS, dtype=np.uint64)
    order, strength = np.empty(n, dtype=np.uint16), np.empty(n, dtype=np.uint16)
    held = np.zeros((53, weights.shape[1]))
    for river in range(values.shape[0]):
        words[:] = np.uint64(0)
        for i in range(n):
            value = values[river, i]
            if value:
                word, bit = np.uint64(value) >> np.uint64(6), ONE << (np.uint64(value) & np.uint64(63))
                following[i] = head[value] if words[word] & bit else -1
                words[word] |= bit
                head[value] = i
        alive = 0
        for w in range(WORDS):
            word, value = words[w], 64 * w
            while word:
                i = head[value] if word & ONE else -1
                while i >= 0:
                    order[alive], strength[alive] = i, value
                    alive += 1
                    i = following[i]
                value += 1
                word >>= ONE
        add_showdown(order[:alive], strength[:alive], cards, weights, 1.0, held, won, met)


Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
KINDS = ("rule", "first", "last")
"""How the player whose equity is asked swaps: by the rule; best, swapping first; best, swapping last."""
Policy = Callable[[tuple[int, ...]], Floats]
"""What a player does on a board: float64[52, 52], the share of hand {x, y} that throws x away at [x, y]."""


SITUATIONS = ("first", "last, after a keep", "last, after a swap")
"""What the player who swaps has seen of the opponent on this street."""


class SwapValues(NamedTuple):
    """The value of every hand on a flop or turn, before the swaps."""

    equities: Floats
    """[kinds, 52, 52] the share of the pot by kind of KINDS; on a flop 0 where a hand shares a card with it."""
    options: Floats
    """[situations, 3, 52, 52] the share of the pot after keeping, throwing x of [x, y] and throwing y, with the best
    swap of the next street.
    """
    met: Floats  # [52, 52] the weight of the opponent's hands that a hand can meet


@cache
def _indices() -> tuple[Ints, Ints]:
    x, y = holdem_combos().astype(np.int64).T
    return x, y


def spread(values: Floats) -> Floats:
    """[..., 1326] as symmetric matrices [..., 52, 52]."""
    x, y = _indices()
    out = np.zeros((*values.shape[:-1], 52, 52))
    out[..., x, y] = out[..., y, x] = values
    return out


def rule_policy(board: tuple[int, ...]) -> Floats:
    x, y = _indices()
    cards = holdem_combos()
    swap = rule_many(cards, np.array(board, dtype=np.uint8))
    free = ~np.isin(cards, board).any(axis=1)
    out = np.zeros((52, 52))
    out[x, y], out[y, x] = (swap == 1) & free, (swap == 2) & free
    return out


def swap_down(reach: Floats, policy: Floats, board: tuple[int, ...]) -> Floats:
    """[2, 52, 52]: the reach that kept its cards, and the reach that changed one, after the new cards."""
    gone = reach * policy
    kept = reach - gone - gone.T
    moved = np.broadcast_to(gone.sum(axis=0)[:, None], (52, 52)) - gone.T
    moved = (moved + moved.T) * free_of(board) / (48 - len(board))
    return np.stack([kept, moved])


def swap_up(values: Floats) -> Floats:
    """[..., 52, 52] of N after a swap -> of N before it for throwing x of {x, y}, at [x, y]."""
    return np.asarray(values.sum(axis=-1)[..., None, :] - values)


def free_of(board: tuple[int, ...]) -> Floats:
    """1 for the hands that share no card with a board."""
    free = np.ones((52, 52)) - np.eye(52)
    free[list(board)] = 0.0
    free[:, list(board)] = 0.0
    return free


def ratio(n: Floats, d: Floats) -> Floats:
    """n / d, and 0 where no hand is met."""
    return np.divide(n, d, out=np.zeros_like(n), where=d > 1e-12)


def choices(n: Floats, d: Floats) -> Floats:
    """[3, ..., 52, 52]: the value of keeping, of throwing x of [x, y] and of throwing y."""
    throw = ratio(swap_up(n), swap_up(d))
    return np.stack([ratio(n, d), throw, np.swapaxes(throw, -1, -2)])


def _followed(options: Floats, policy: Floats) -> Floats:
    return np.asarray((1.0 - policy - policy.T) * options[0] + policy * options[1] + policy.T * options[2])


def turn_sums(board: tuple[int, ...], reach: Floats, policy: Policy) -> tuple[Floats, Floats]:
    """N and D of every hand on a turn, [2, 2, 52, 52]: by what the other did on the flop, and does on the turn.

    `reach` is [2, 52, 52], the opponent's hands after the swaps on the flop, kept or changed.
    """
    free, does = free_of(board), policy(board)
    lanes = np.stack([swap_down(reached * free, does, board) for reached in reach])
    return showdowns(board, lanes)


def showdowns(
    board: tuple[int, ...], lanes: Floats, deck: Sequence[int] = DECK, to_come: int = 1
) -> tuple[Floats, Floats]:
    """What every hand beats and meets over all rivers of a turn, [..., 52, 52], by lanes of opponent hands.

    With a smaller deck a hand may end on the flop or turn, with no card `to_come`.
    """
    x, y = _indices()
    weights = np.ascontiguousarray(lanes.reshape(-1, 52, 52)[:, x, y].T)
    rivers = [card for card in deck if card not in board]
    boards = [sorted((*board, card)) for card in rivers] if to_come else [sorted(board)]
    values = rank_on_boards(np.array(boards, dtype=np.uint8), np.arange(len(x)))
    if len(deck) < len(DECK):
        values = np.where(np.isin(holdem_combos(), deck).all(axis=1), values, 0).astype(np.uint16)
    won, met = np.zeros_like(weights), np.zeros_like(weights)
    river_sums(values, holdem_combos(), weights, won, met)
    return spread(won.T).reshape(lanes.shape), spread(met.T).reshape(lanes.shape)


def flop_values(
    flop: tuple[int, ...], weights: Floats, opponent: Policy = rule_policy, mine: Policy = rule_policy
) -> SwapValues:
    """Every hand's equity on a flop against weighted hands ([52, 52]) that swap by the policy `opponent`."""
    free = free_of(flop)
    reach = swap_down(weights * free, opponent(flop), flop)
    tree = BoardTree(flop, (0, 1), ranges=() if _alike(weights) else (_flat(weights),))
    turns = tree.levels[1]
    n, d = np.zeros((len(KINDS), 2, 52, 52)), np.zeros((2, 52, 52))
    for turn in range(len(turns)):
        board = tuple(turns.cards[turn].tolist())
        beaten, met_by = turn_sums(board, reach, opponent)
        here, met = np.empty((len(KINDS), 2, 52, 52)), met_by.sum(axis=1)
        seen = choices(beaten, met_by)
        here[0] = (_followed(seen, mine(board)) * met_by).sum(axis=1)
        here[1] = choices(beaten.sum(axis=1), met).max(axis=0) * met
        here[2] = (seen.max(axis=0) * met_by).sum(axis=1)
        for renaming in turns.renamings(turn).tolist():
            moved = renamed(renaming)
            n += here[..., moved[:, None], moved[None, :]]
            d += met[..., moved[:, None], moved[None, :]]
    total = d.sum(axis=0)
    first = choices(n[1].sum(axis=0), total)
    seen = choices(n[2], d)
    equities = np.stack(
        [
            ratio((_followed(choices(n[0], d), mine(flop)) * d).sum(axis=0), total),
            first.max(axis=0),
            ratio((seen.max(axis=0) * d).sum(axis=0), total),
        ]
    )
    return SwapValues(equities * free, np.stack([first, *seen.swapaxes(0, 1)]), total)


def turn_values(board: tuple[int, ...], weights: Floats) -> SwapValues:
    """Every hand's equity on a turn before swaps."""
    beaten, met_by = (lanes[0] for lanes in turn_sums(board, np.stack([weights, np.zeros((52, 52))]), rule_policy))
    met, seen = met_by.sum(axis=0), choices(beaten, met_by)
    ruled = ratio((_followed(seen, rule_policy(board)) * met_by).sum(axis=0), met)
    first = choices(beaten.sum(axis=0), met)
    equities = np.stack([ruled, first.max(axis=0), ratio((seen.max(axis=0) * met_by).sum(axis=0), met)])
    return SwapValues(equities, np.stack([first, *seen.swapaxes(0, 1)]), met)


def board_values(board: tuple[int, ...], weights: Floats) -> SwapValues:
    """Every hand's equity on a flop or turn against weighted hands that swap by the rule."""
    return turn_values(board, weights) if len(board) == 4 else flop_values(board, weights)


def gains(values: SwapValues, board: tuple[int, ...], mine: Floats) -> Floats:
    """[kinds] what a range ([52, 52]) gains over the rule by each kind of swap, on a flop or turn."""
    weight = mine * values.met * free_of(board)
    return np.asarray(((values.equities - values.equities[0]) * weight).sum(axis=(1, 2)) / weight.sum())


def _alike(weights: Floats) -> bool:
    off = ~np.eye(52, dtype=bool)
    return bool(np.ptp(weights[off]) == 0.0)


def _flat(weights: Floats) -> Floats:
    x, y = _indices()
    return np.asarray(weights[x, y])


@cache
def renamed(renaming: int) -> Ints:
    """The image of each card under a suit permutation."""
    suits = SUIT_PERMUTATIONS[renaming]
    return np.array([card // 4 * 4 + suits[card % 4] for card in range(52)])
