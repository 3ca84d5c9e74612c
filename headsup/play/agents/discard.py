"""Our bot for hold'em with discards: it looks up its information set and plays the stored probabilities.

Opponents' bets are translated by the pseudo-harmonic mapping of their size relative to the pot. Untrained information
sets use the nearest trained one; failing that, it checks, calls up to a fifth of the pot, and otherwise folds. With
stacks of up to 8 big blinds it goes all-in or folds before the flop (`headsup.discards.strategy.short`). The last swap
after an all-in is computed on the real cards (`headsup.play.agents.discard_all_in`).
"""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.abstraction.bets.sizes import chances
from headsup.cards.classes import holdem_class, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, colex, holdem_combos
from headsup.common.arrays import Floats
from headsup.play.agents.discard_all_in import is_last, last_swaps
from headsup.play.agents.discard_history import StreetBetting, SwapPlayer, follow
from headsup.play.table.agent import ActionProbabilities, merge_actions, merge_rows
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView, hidden

TINY = 0.15  # bets up to this fraction of the pot count as checks
SMALL, JAMS = 0.2, 0.6
"""Fraction of the pot called where nothing was learned; fraction of the stack that makes later raises all-in."""
KEPT = 256  # last swaps that are kept in memory
JAM, BIG = 100.0, 35.0  # preflop, in chips: bets from JAM on count as all-in, and first raises above BIG


class DiscardPlayer(SwapPlayer):
    """Plays a table of action probabilities, [ENTRIES, 4] (`headsup.discards.strategy.walk_kernels`)."""

    def __init__(self, name: str, strategy: npt.NDArray[Any]) -> None:
        self.name, self.strategy = name, strategy
        self._swaps: OrderedDict[Hashable, Floats] = OrderedDict()  # the last swaps of some hands

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        hole = tuple(sorted(view.hole))
        if is_last(view):
            row = self.swap_probabilities(view)[colex(hole)].tolist()
            return list(merge_actions([CALLS, *(Action("d", card) for card in hole)], row).items())
        if view.legal.discards:
            which = _first(hole, view.board)
            actions = [CALLS, Action("d", hole[which]), Action("d", hole[1 - which])]
            return list(merge_actions(actions, self.rows(view, np.array([hole]))[0, :3].tolist()).items())
        return list(merge_actions(self.actions(view), self.rows(view, np.array([view.hole]))[0].tolist()).items())

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        free = free_of(view.board)
        rows = np.zeros((HOLDEM_COUNT, len(actions := self.actions(view))))
        rows[free] = self.rows(view, holdem_combos()[free])
        return merge_rows(actions, rows.T)

    def narrow(self, view: PlayerView, action: Action, reach: Floats) -> Floats:
        """A bet that the strategy does not have is read as the nearest that it has."""
        if action.kind == "r" and view.legal.low:
            bets = [bet.amount for bet in self.actions(view) if bet.kind == "r"]
            action = Action("r", min(bets, key=lambda amount: abs(log(amount / action.amount)), default=action.amount))
        return super().narrow(view, action, reach)

    def swap_probabilities(self, view: PlayerView) -> Floats:
        """[1326, 3] the probability that each hand keeps, discards its lower, or its higher card."""
        if not is_last(view):
            return self._learned_swaps(view)
        key = view.table, view.seat, view.board, hidden(hidden(view.steps, 0), 1)
        if key not in self._swaps:
            best = last_swaps(self, view)
            known = np.asarray(best.any(axis=1))
            learned = 0.0 if known[free_of(view.board)].all() else self._learned_swaps(view)
            self._swaps[key] = np.where(known[:, None], best, learned)
            while len(self._swaps) > KEPT:
                self._swaps.popitem(last=False)
        return self._swaps[key]

    def _learned_swaps(self, view: PlayerView) -> Floats:
        from headsup.discards.strategy.facts import swap_order

        probabilities, free = np.zeros((HOLDEM_COUNT, 3)), free_of(view.board)
        holes = holdem_combos()[free]
        rows = self.rows(view, holes)
        first = swap_order(holes, np.broadcast_to(np.array(view.board, dtype=np.uint8), (len(holes), len(view.board))))
        at = np.arange(len(holes))
        played = np.zeros((len(holes), 3))
        played[:, 0] = rows[:, 0]
        played[at, 1 + first], played[at, 2 - first] = rows[:, 1], rows[:, 2]
        probabilities[free] = played
        return probabilities

    def rows(self, view: PlayerView, holes: npt.NDArray[Any]) -> Floats:
        """[n, 4] action probabilities of hands; in a swap the last is 0."""
        from headsup.discards.strategy import short
        from headsup.discards.strategy import walk_kernels as kernels

        streets = follow(view)
        now, seat = streets[-1], view.seat
        if not view.board:
            if len(holes) == 1:
                kinds = np.array([holdem_class(holes[0].tolist())])
            else:
                kinds = holdem_class_of_combo().astype(np.int64)
            line = _line(view, now)
            if now.stack / 2.0 <= short.MOST:
                return self._legal(view, now, short.rows(line, now.stack / 2.0)[kinds])
            return self._legal(view, now, self.strategy[169 * line + kinds])
        buckets = _buckets(holes, view.board)
        phase = kernels.SWAP if view.legal.discards else kernels.BETTING
        mine, theirs = (_swaps(streets, player) for player in (seat, 1 - seat))
        last = _last(streets[-2], seat)
        if len(view.board) > 3:
            last = 3 * last + _last(streets[-3], seat)
        depth = kernels.depth_of(now.stack, now.pot)
        rows = np.zeros((len(buckets), kernels.ACTIONS))
        for node, weight in [(0, 1.0)] if phase == kernels.SWAP else _nodes(view, now):
            known = np.zeros_like(rows)
            for near, who in _nearest(depth, last, 3 if len(view.board) == 3 else 9):
                missing = np.flatnonzero(known.sum(axis=1) <= 0.0)
                if not len(missing):
                    break
                start = kernels.entry_of(len(view.board) - 2, phase, seat, node, near, who, mine, theirs)
                known[missing] = self.strategy[start + buckets[missing]]
            rows += weight * known
        if phase == kernels.SWAP:
            pat = buckets // 3 % 2
            by_rule = np.stack([pat, 1 - pat, 0 * pat, 0 * pat], axis=1).astype(np.float64)
            if depth == 0:
                rows = self._all_in_swaps(len(view.board) - 2, buckets, rows)
            total = rows.sum(axis=1, keepdims=True)
            return np.where(total > 0.0, rows / np.maximum(total, 1e-9), by_rule)
        return self._legal(view, now, rows)

    def _all_in_swaps(self, street: int, buckets: npt.NDArray[np.int64], rows: Floats) -> Floats:
        """What a bucket does most where all chips are in, whoever bet and swapped: only the cards count then, and each
        of these entries alone is rare. `rows` are played where nothing is known.
        """
        from headsup.discards.strategy import walk_kernels as kernels

        bettors, swaps = (3, 2) if street == 1 else (9, 4)
        played = np.zeros_like(rows)
        for seat, last, mine, theirs in np.ndindex(2, bettors, swaps, swaps):
            played += self.strategy[kernels.entry_of(street, kernels.SWAP, seat, 0, 0, last, mine, theirs) + buckets]
        most = np.eye(kernels.ACTIONS)[played.argmax(axis=1)]
        return np.where(played.sum(axis=1, keepdims=True) > 0.0, most, rows)

    def _legal(self, view: PlayerView, now: StreetBetting, rows: Floats) -> Floats:
        """Legal probabilities; where nothing was learned, check, call cheap bets, else fold."""
        legal = rows.astype(np.float64)
        if not view.legal.low:
            legal[:, 1] += legal[:, 2:].sum(axis=1)
            legal[:, 2:] = 0.0
        total = legal.sum(axis=1, keepdims=True)
        owed = 2.0 * max(view.legal.call, 0) / view.table.unit
        passive = np.array([1.0, 0.0, 0.0, 0.0])
        if view.legal.fold and owed <= SMALL * (now.pot + sum(now.bets)):
            passive = np.array([0.0, 1.0, 0.0, 0.0])
        return np.asarray(np.where(total > 0.0, legal / np.maximum(total, 1e-9), passive))

    def actions(self, view: PlayerView) -> list[Action]:
        """The four actions at the table."""
        from headsup.discards.strategy import walk_kernels as kernels

        now, legal = follow(view)[-1], view.legal
        fold, all_in = FOLDS if legal.fold else CALLS, legal.bet(legal.high)
        scale = view.table.unit / 2.0
        if not view.board:
            line = _line(view, now)
            total = max(float(kernels.LINES[line, 1]), 2.5 * max(view.state.paid) / scale if line != 0 else 0.0)
            bet = legal.bet(legal.high if kernels.LINES[line, 1] == 200 else total * scale)
            return [CALLS, bet, bet, all_in] if line == kernels.LIMP else [fold, CALLS, bet, all_in]
        node, share = _nodes(view, now)[0][0], _share(view.board)
        theirs = (view.state.paid[1 - view.seat] - view.state.start[1 - view.seat]) / scale
        totals = [kernels.bet_to(node, action, now.pot, now.stack, theirs, share) for action in (1, 2)]
        if node == kernels.OPEN:
            return [CALLS, *(legal.bet(max(total, 3.0 * theirs) * scale) for total in totals), all_in]
        return [fold, CALLS, legal.bet(totals[1] * scale), all_in]


def _nodes(view: PlayerView, now: StreetBetting) -> list[tuple[int, float]]:
    """The betting nodes of the street (`walk_kernels.OPEN` and on) that represent the real betting, with weights."""
    from headsup.discards.strategy import walk_kernels as kernels

    raises = [turn.total for turn in now.turns if turn.kind == "r"]
    if not raises or (len(raises) == 1 and raises[0] <= TINY * now.pot):
        return [(kernels.OPEN, 1.0)]
    last, before = raises[-1], raises[-2] if len(raises) > 1 else 0.0
    large = last > JAMS * now.stack
    if len(raises) > 2:
        return [(kernels.JAMMED if large else kernels.RAISED, 1.0)]
    plain, all_in = [(kernels.RAISED, 1.0)], kernels.RAISED_ALL
    if not before:
        plain, all_in = [(kernels.FACING, _share(view.board)), (kernels.FACING_LARGE, kernels.LARGE)], kernels.SHOVED
    if large:
        return [(all_in, 1.0)]
    pot = now.pot + 2.0 * before  # after a call of what was to be raised
    known = [(node, size) for node, size in plain if before + size * pot <= kernels.COMMIT * now.stack]
    known.append((all_in, (now.stack - before) / pot))
    read = chances((last - before) / pot, [size for _, size in known])
    return [(known[place][0], counts) for place, counts in read]


def _line(view: PlayerView, now: StreetBetting) -> int:
    """The preflop line (`walk_kernels.LINES`)."""
    raises = [turn for turn in now.turns if turn.kind == "r"]
    top = raises[-1].total if raises else 0.0
    if not raises:
        return view.seat
    limped, button = now.turns[0].kind == "c", view.seat == 0
    if top >= JAM or (len(raises) == 1 and top > BIG):
        if limped:
            return 12 if not button else 10 if len(raises) == 1 else 7
        return (11 if len(raises) == 2 else 8) if button else 9 if len(raises) == 1 else 13
    if button:
        return 3 if limped and len(raises) == 1 else 4 if len(raises) <= 2 else 7 if limped else 8
    return 2 if len(raises) == 1 else 5 if limped else 6


def _last(street: StreetBetting, seat: int) -> int:
    """Who bet last on a street: 0 nobody, 1 the player, 2 the opponent."""
    raisers = [turn.seat for turn in street.turns if turn.kind == "r"]
    return 0 if not raisers else 1 if raisers[-1] == seat else 2


def _swaps(streets: Sequence[StreetBetting], player: int) -> int:
    """1 if a player changed a card on the flop, and 2 if on the turn."""
    return sum(street.swaps[player] << at for at, street in enumerate(streets[1:3]))


@cache
def _nearest(depth: int, last: int, kinds: int) -> list[tuple[int, int]]:
    """Stack depths and last bettors, the nearest first; of the latter, those who bet last on the street before."""
    from headsup.discards.strategy.walk_kernels import N_DEPTHS

    places = [
        (near, who) for near in range(max(0, depth - 2), min(N_DEPTHS - 1, depth + 2) + 1) for who in range(kinds)
    ]
    apart = kinds // 3
    return sorted(
        places, key=lambda place: (abs(place[0] - depth), place[1] != last, place[1] // apart != last // apart, place)
    )


def _share(board: tuple[int, ...]) -> float:
    from headsup.discards.strategy.hands import bet_share

    return bet_share(board)


def _first(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Which card is discarded first."""
    from headsup.discards.strategy.facts import swap_order

    return int(swap_order(np.array([hole], dtype=np.uint8), np.array([board], dtype=np.uint8))[0])


def _buckets(holes: npt.NDArray[Any], board: tuple[int, ...]) -> npt.NDArray[np.int64]:
    if len(holes) == 1:
        return np.array([_bucket(tuple(holes[0].tolist()), board)])
    return _all_buckets(board)


@lru_cache(maxsize=64)
def _all_buckets(board: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Of all hands that a board leaves."""
    return _many(np.ascontiguousarray(holdem_combos()[free_of(board)], dtype=np.uint8), board)


@lru_cache(maxsize=4096)
def _bucket(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    return int(_many(np.array([hole], dtype=np.uint8), board)[0])


def _many(holes: npt.NDArray[np.uint8], board: tuple[int, ...]) -> npt.NDArray[np.int64]:
    from headsup.discards.strategy.facts import buckets

    return np.asarray(buckets(holes[None], np.array([board], dtype=np.uint8))[0], dtype=np.int64)
