"""Our bot for hold'em with discards: it reads the entry of what it knows, and does what it says.

Bets of others are read by what they are beside the pot: up to 0.15 of it as a check that costs something, then as the
bet, the large bet and the all-in that learning had, those between two of them as a mixture of both (the pseudo-harmonic
mapping of `headsup.abstraction.bets.sizes`); the first raise of a street likewise as a raise and an all-in; later ones
are all-in where they take six tenths of the stack, and else raises. What was never met in learning is played as the
nearest that was: with another who bet last, then with a stack that is one or two classes deeper or less deep. Where
nothing of that was met, it checks, calls for a fifth of the pot or less, and else folds; cards are changed by the rule.

    discard             what is played less than 5 % of the time is not played
    discard:0.5         another share, from 0 to 0.5, where only the most frequent action is left
    discard:FILE.npz    a strategy of one's own (`headsup.discards.strategy.data`); a share may follow, as FILE.npz,0.5
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.abstraction.bets.sizes import chances
from headsup.cards.classes import holdem_class, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.common.arrays import Floats
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.common.files import parsed
from headsup.play.agents.discard_history import StreetBetting, follow
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, maker
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView, Table

TINY = 0.15
"""A share of the pot: bets up to it are checks."""
SMALL, JAMS = 0.2, 0.6
"""Shares of the pot and of the stack: what is called where nothing was learned, and later raises that are all-in."""
JAM, BIG = 100.0, 35.0
"""Before the flop, chips: bets from which one is answered as an all-in, and above which a first raise is."""


class DiscardPlayer(Mixed):
    """Plays shares of actions, [ENTRIES, 4] (`headsup.discards.strategy.walk_kernels`)."""

    def __init__(self, name: str, strategy: npt.NDArray[Any], mode: int = 0) -> None:
        self.name, self.strategy, self.mode = name, strategy, mode

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """The entry of the hand."""
        if view.legal.discards:
            which = _first(view.hole, view.board)
            actions = [CALLS, Action("d", view.hole[which]), Action("d", view.hole[1 - which])]
            return _merged(actions, self.rows(view, np.array([view.hole]))[0, :3])
        return _merged(self.actions(view), self.rows(view, np.array([view.hole]))[0])

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        """All hands at once; of a swap only whether there is one is asked."""
        found, free = np.zeros(HOLDEM_COUNT), free_of(view.board)
        if view.legal.discards:
            keeps = self.swap_probabilities(view)[:, 0]
            return np.where(free, keeps if action.kind == "c" else 1.0 - keeps, 0.0)
        rows = self.rows(view, holdem_combos()[free])
        for column, does in enumerate(self.actions(view)):
            if does == action:
                found[free] += rows[:, column]
        return found

    def swap_probabilities(self, view: PlayerView) -> Floats:
        """[1326, 3] how often each hand keeps its cards, changes its lower and its higher card (as numbers)."""
        from headsup.discards.strategy.facts import swap_order

        found, free = np.zeros((HOLDEM_COUNT, 3)), free_of(view.board)
        holes = holdem_combos()[free]
        rows = self.rows(view, holes)
        first = swap_order(holes, np.broadcast_to(np.array(view.board, dtype=np.uint8), (len(holes), len(view.board))))
        at = np.arange(len(holes))
        played = np.zeros((len(holes), 3))
        played[:, 0] = rows[:, 0]
        played[at, 1 + first], played[at, 2 - first] = rows[:, 1], rows[:, 2]
        found[free] = played
        return found

    def rows(self, view: PlayerView, holes: npt.NDArray[Any]) -> Floats:
        """[n, 4] shares of the actions here for hands; they add up to 1, and of a swap the last is 0."""
        from headsup.discards.strategy import walk_kernels as kernels

        streets = follow(view)
        now, seat = streets[-1], view.seat
        if not view.board:
            if len(holes) == 1:
                kinds = np.array([holdem_class(holes[0].tolist())])
            else:
                kinds = holdem_class_of_combo().astype(np.int64)
            return self._legal(view, now, self.strategy[169 * _line(view, now) + kinds])
        buckets = _buckets(holes, view.board)
        phase = kernels.SWAP if view.legal.discards else kernels.BETTING
        mine, theirs = (sum(street.swaps[one] for street in streets) for one in (seat, 1 - seat))
        if self.mode & kernels.UNSEEN:
            theirs = 0
        raisers = [turn.seat for turn in streets[-2].turns if turn.kind == "r"]
        last = 0 if not raisers else 1 if raisers[-1] == seat else 2
        depth = kernels.depth_of(now.stack, now.pot)
        rows = np.zeros((len(buckets), kernels.ACTIONS))
        for node, weight in [(0, 1.0)] if phase == kernels.SWAP else _nodes(view, now):
            found = np.zeros_like(rows)
            for near, who in _nearest(depth, last):
                missing = np.flatnonzero(found.sum(axis=1) <= 0.0)
                if not len(missing):
                    break
                start = kernels.entry_of(len(view.board) - 2, phase, seat, node, near, who, mine, theirs)
                found[missing] = self.strategy[start + buckets[missing]]
            rows += weight * found
        if phase == kernels.SWAP:
            pat = buckets // 3 % 2
            by_rule = np.stack([pat, 1 - pat, 0 * pat, 0 * pat], axis=1).astype(np.float64)
            if self.mode & kernels.BY_RULE:
                return by_rule
            total = rows.sum(axis=1, keepdims=True)
            return np.where(total > 0.0, rows / np.maximum(total, 1e-9), by_rule)
        return self._legal(view, now, rows)

    def _legal(self, view: PlayerView, now: StreetBetting, rows: Floats) -> Floats:
        """Shares of what is legal; where nothing is left, check, call what is cheap, fold the rest."""
        found = rows.astype(np.float64)
        if not view.legal.low:
            found[:, 1] += found[:, 2:].sum(axis=1)
            found[:, 2:] = 0.0
        total = found.sum(axis=1, keepdims=True)
        owed = 2.0 * max(view.legal.call, 0) / view.table.unit
        passive = np.array([1.0, 0.0, 0.0, 0.0])
        if _asked(view) and owed <= SMALL * (now.pot + sum(now.bets)):
            passive = np.array([0.0, 1.0, 0.0, 0.0])
        return np.asarray(np.where(total > 0.0, found / np.maximum(total, 1e-9), passive))

    def actions(self, view: PlayerView) -> list[Action]:
        """What the four actions are at the table."""
        from headsup.discards.strategy import walk_kernels as kernels

        now, legal = follow(view)[-1], view.legal
        fold, all_in = FOLDS if legal.fold else CALLS, legal.bet(legal.high)
        scale = view.table.unit / 2.0
        if not view.board:
            line = _line(view, now)
            total = max(float(kernels.LINES[line, 1]), 3.0 * max(view.state.paid) / scale if line != 0 else 0.0)
            bet = legal.bet(legal.high if kernels.LINES[line, 1] == 200 else total * scale)
            return [CALLS, bet, bet, all_in] if line == kernels.LIMP else [fold, CALLS, bet, all_in]
        node, share = _nodes(view, now)[0][0], _share(view.board)
        if self.mode & kernels.ONE_SIZE:
            share = 2.0 / 3.0
        theirs = (view.state.paid[1 - view.seat] - view.state.start[1 - view.seat]) / scale
        totals = [kernels.bet_to(node, action, now.pot, now.stack, theirs, share) for action in (1, 2)]
        if node == kernels.OPEN:
            return [CALLS, *(legal.bet(max(total, 3.0 * theirs) * scale) for total in totals), all_in]
        return [fold, CALLS, legal.bet(totals[1] * scale), all_in]


def _asked(view: PlayerView) -> bool:
    """Whether the first action is to fold."""
    return view.legal.fold


def _nodes(view: PlayerView, now: StreetBetting) -> list[tuple[int, float]]:
    """Where the betting of the street stands for who is to act (`walk_kernels.OPEN` and on), one place or two with how
    much each counts.
    """
    from headsup.discards.strategy import walk_kernels as kernels

    raises = [turn.total for turn in now.turns if turn.kind == "r"]
    if not raises or (len(raises) == 1 and raises[0] <= TINY * now.pot):
        return [(kernels.OPEN, 1.0)]
    last, before = raises[-1], raises[-2] if len(raises) > 1 else 0.0
    large = last >= JAMS * now.stack
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
    """The line before the flop (`walk_kernels.LINES`)."""
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


@cache
def _nearest(depth: int, last: int) -> list[tuple[int, int]]:
    """Classes of stacks and who bet last, the nearest first."""
    places = [(near, who) for near in range(max(0, depth - 2), min(6, depth + 2) + 1) for who in range(3)]
    return sorted(places, key=lambda place: (abs(place[0] - depth), place[1] != last, place))


def _share(board: tuple[int, ...]) -> float:
    from headsup.discards.strategy.hands import bet_share

    return bet_share(board)


def _first(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Which card is the first to go."""
    from headsup.discards.strategy.facts import swap_order

    return int(swap_order(np.array([hole], dtype=np.uint8), np.array([board], dtype=np.uint8))[0])


def _buckets(holes: npt.NDArray[Any], board: tuple[int, ...]) -> npt.NDArray[np.int64]:
    if len(holes) == 1:
        return np.array([_bucket(tuple(holes[0].tolist()), board)])
    return _many(np.ascontiguousarray(holes, dtype=np.uint8), board)


@lru_cache(maxsize=4096)
def _bucket(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    return int(_many(np.array([hole], dtype=np.uint8), board)[0])


def _many(holes: npt.NDArray[np.uint8], board: tuple[int, ...]) -> npt.NDArray[np.int64]:
    from headsup.discards.strategy.facts import buckets

    return np.asarray(buckets(holes[None], np.array([board], dtype=np.uint8))[0], dtype=np.int64)


def _merged(actions: list[Action], shares: Floats) -> ActionProbabilities:
    found: dict[Action, float] = {}
    for action, share in zip(actions, shares.tolist(), strict=True):
        if share > 0.0:
            found[action] = found.get(action, 0.0) + share
    return list(found.items())


@maker("discard")
def make_discard(rest: str, table: Table) -> Agent:
    """Our strategy that ships or that of a file, cleaned as `discard:0.5` says."""
    from headsup.play.agents.discard_history import check_discard

    check_discard("discard", table)
    file, comma, share = (rest, "", "") if rest.endswith(".npz") else rest.rpartition(",")
    try:
        clean = parse_float(share) if share or comma else None
    except ValueError:
        clean = -1.0
    if clean is not None and not 0.0 <= clean <= 0.5:
        raise UserError(
            f"'discard:{rest}' does not say what is played: write a share from 0 to 0.5 below which nothing is, as "
            "discard:0.1, or the file of a strategy, as discard:FILE.npz"
        )
    from headsup.discards.strategy.data import load, shipped
    from headsup.discards.strategy.learn import CLEAN, cleaned

    name = f"discard:{rest}" if rest else "discard"
    strategy = parsed(file, lambda: load(Path(file)), "a strategy of hold'em with discards") if file else shipped()
    return DiscardPlayer(name, cleaned(strategy, CLEAN if clean is None else clean))
