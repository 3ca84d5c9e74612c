"""Our bot for hold'em with discards: it reads the entry of what it knows, and does what it says.

Bets of others are read by what they are beside the pot: up to 0.15 of it as a check that costs something, up to 1.6 as
a bet, above that as a large one; the first raise of a street is a raise whatever its size, later ones are all-in where
they take six tenths of the stack, and else raises too. What was never met in learning is played as the nearest that
was: with another who bet last, then with a stack that is one or two classes deeper or less deep. Where nothing of that
was met, it checks, calls for a fifth of the pot or less, and else folds; cards are changed by the rule.

    discard             what is played less than 5 % of the time is not played
    discard:0.5         another share, from 0 to 0.5, where only the most frequent action is left
    discard:FILE.npz    a strategy of one's own (`headsup.play.discard.data`); a share may follow, as FILE.npz,0.5
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.errors import UserError
from headsup.files import parsed
from headsup.games.arrays import Floats
from headsup.play.agent import Agent, Mixed, Shares, maker
from headsup.play.ectomynx.history import Street, follow
from headsup.play.real import free_of
from headsup.play.table import CALLS, FOLDS, Action, Table, View

TINY, LARGE = 0.15, 1.6
"""Shares of the pot: bets up to the first are checks, those above the second large."""
SMALL, JAMS = 0.2, 0.6
"""Shares of the pot and of the stack: what is called where nothing was learned, and later raises that are all-in."""
JAM, BIG = 100.0, 35.0
"""Before the flop, chips: bets from which one is answered as an all-in, and above which a first raise is."""
COLD, COLD_LEVEL = 30.0, 3.8
"""Who has bet less than this meets an all-in cold, which learning never did: then hands are called with that the
ectomynx report's start goes with to this level or higher on the mean."""


class DiscardPlayer(Mixed):
    """Plays shares of actions, [ENTRIES, 3] (`headsup.play.discard.walk_kernels`)."""

    def __init__(self, name: str, strategy: npt.NDArray[Any], mode: int = 0) -> None:
        self.name, self.strategy, self.mode = name, strategy, mode

    def shares(self, view: View) -> Shares:
        """The entry of the hand."""
        if view.legal.discards:
            which = _first(view.hole, view.board)
            actions = [CALLS, Action("d", view.hole[which]), Action("d", view.hole[1 - which])]
            return _merged(actions, self.rows(view, np.array([view.hole]))[0])
        return _merged(self.actions(view), self.rows(view, np.array([view.hole]))[0])

    def chances(self, view: View, action: Action) -> Floats:
        """All hands at once; of a swap only whether there is one is asked."""
        found, free = np.zeros(HOLDEM_COUNT), free_of(view.board)
        if view.legal.discards:
            keeps = self.swap_chances(view)[:, 0]
            return np.where(free, keeps if action.kind == "c" else 1.0 - keeps, 0.0)
        rows = self.rows(view, holdem_combos()[free])
        for column, does in enumerate(self.actions(view)):
            if does == action:
                found[free] += rows[:, column]
        return found

    def swap_chances(self, view: View) -> Floats:
        """[1326, 3] how often each hand keeps its cards, changes its lower and its higher card (as numbers)."""
        from headsup.play.discard.facts import swap_order

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

    def rows(self, view: View, holes: npt.NDArray[Any]) -> Floats:
        """[n, 3] shares of the three actions here for hands; they add up to 1."""
        from headsup.play.discard import walk_kernels as kernels

        streets = follow(view)
        now, seat = streets[-1], view.seat
        if not view.board:
            if len(holes) == 1:
                kinds = np.array([holdem_class(holes[0].tolist())])
            else:
                kinds = holdem_class_of_combo().astype(np.int64)
            line = _line(view, now)
            paid = 2.0 * (view.state.paid[seat] - view.state.start[seat]) / view.table.unit
            if line == 8 and paid < COLD:
                calls = _cold_calls()[kinds]
                return np.stack([1.0 - calls, calls, 0.0 * calls], axis=1)
            return self._legal(view, now, self.strategy[169 * line + kinds])
        buckets = _buckets(holes, view.board)
        phase = kernels.SWAP if view.legal.discards else kernels.BETTING
        mine, theirs = (sum(street.swaps[one] for street in streets) for one in (seat, 1 - seat))
        if self.mode & kernels.UNSEEN:
            theirs = 0
        raisers = [turn.seat for turn in streets[-2].turns if turn.kind == "r"]
        last = 0 if not raisers else 1 if raisers[-1] == seat else 2
        node = 0 if view.legal.discards else _node(view, now)
        depth = kernels.depth_of(now.stack, now.pot)
        found = np.zeros((len(buckets), 3))
        for near, who in _nearest(depth, last):
            missing = np.flatnonzero(found.sum(axis=1) <= 0.0)
            if not len(missing):
                break
            start = kernels.entry_of(len(view.board) - 2, phase, seat, node, near, who, mine, theirs, 0)
            found[missing] = self.strategy[start + buckets[missing]]
        if phase == kernels.SWAP:
            if self.mode & kernels.BY_RULE:
                pat = buckets // 3 % 2
                return np.stack([pat, 1 - pat, 0 * pat], axis=1).astype(np.float64)
            total = found.sum(axis=1, keepdims=True)
            pat = np.stack([buckets // 3 % 2, 1 - buckets // 3 % 2, 0 * buckets], axis=1)
            return np.where(total > 0.0, found / np.maximum(total, 1e-9), pat)
        return self._legal(view, now, found)

    def _legal(self, view: View, now: Street, rows: Floats) -> Floats:
        """Shares of what is legal; where nothing is left, check, call what is cheap, fold the rest."""
        found = rows.astype(np.float64)
        if not view.legal.low:
            found[:, 1] += found[:, 2]
            found[:, 2] = 0.0
        total = found.sum(axis=1, keepdims=True)
        owed = 2.0 * max(view.legal.call, 0) / view.table.unit
        passive = np.array([1.0, 0.0, 0.0])
        if _asked(view) and owed <= SMALL * (now.pot + sum(now.bets)):
            passive = np.array([0.0, 1.0, 0.0])
        return np.asarray(np.where(total > 0.0, found / np.maximum(total, 1e-9), passive))

    def actions(self, view: View) -> list[Action]:
        """What the three actions are at the table."""
        from headsup.play.discard import walk_kernels as kernels

        now, legal = follow(view)[-1], view.legal
        fold = FOLDS if legal.fold else CALLS
        scale = view.table.unit / 2.0
        if not view.board:
            line = _line(view, now)
            total = max(float(kernels.LINES[line, 1]), 3.0 * max(view.state.paid) / scale if line != 0 else 0.0)
            bet = legal.bet(legal.high if kernels.LINES[line, 1] == 200 else total * scale)
            return [CALLS, bet, bet] if line == kernels.LIMP else [fold, CALLS, bet]
        node, share = _node(view, now), _share(view.board)
        if self.mode & kernels.ONE_SIZE:
            share = 2.0 / 3.0
        bets = [(paid - start) / scale for paid, start in zip(view.state.paid, view.state.start, strict=True)]
        mine, theirs = bets[view.seat], bets[1 - view.seat]
        totals = [kernels.bet_to(node, action, now.pot, now.stack, mine, theirs, share) for action in (1, 2)]
        if node == kernels.OPEN:
            return [CALLS, *(legal.bet(max(total, 3.0 * theirs) * scale) for total in totals)]
        return [fold, CALLS, legal.bet(totals[1] * scale)]


def _asked(view: View) -> bool:
    """Whether the first action is to fold."""
    return view.legal.fold


def _node(view: View, now: Street) -> int:
    """Where the betting of the street stands for who is to act (`walk_kernels.OPEN` and on)."""
    raises = [turn for turn in now.turns if turn.kind == "r"]
    if not raises or (len(raises) == 1 and raises[0].total <= TINY * now.pot):
        return 0
    if len(raises) == 1:
        return 1 if raises[0].total <= LARGE * now.pot else 2
    return 3 if len(raises) == 2 or raises[-1].total < JAMS * now.stack else 4


def _line(view: View, now: Street) -> int:
    """The line before the flop (`walk_kernels.LINES`)."""
    raises = [turn for turn in now.turns if turn.kind == "r"]
    top = raises[-1].total if raises else 0.0
    if top >= JAM or (len(raises) == 1 and top > BIG):
        return 8
    if not raises:
        return view.seat
    limped = now.turns[0].kind == "c"
    if view.seat == 0:
        return 3 if limped and len(raises) == 1 else 4 if len(raises) <= 2 else 8
    return 2 if len(raises) == 1 else 5 if limped else 6


@cache
def _nearest(depth: int, last: int) -> list[tuple[int, int]]:
    """Classes of stacks and who bet last, the nearest first."""
    places = [(near, who) for near in range(max(0, depth - 2), min(6, depth + 2) + 1) for who in range(3)]
    return sorted(places, key=lambda place: (abs(place[0] - depth), place[1] != last, place))


@cache
def _cold_calls() -> Floats:
    """[169] 1 for the classes that call an all-in cold."""
    from headsup.play.ectomynx.start import start_before

    return (start_before() @ np.arange(6.0) >= COLD_LEVEL).astype(np.float64)


def _share(board: tuple[int, ...]) -> float:
    from headsup.play.ectomynx.advice import bet_share

    return bet_share(board)


def _first(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """Which card is the first to go."""
    from headsup.play.discard.facts import swap_order

    return int(swap_order(np.array([hole], dtype=np.uint8), np.array([board], dtype=np.uint8))[0])


def _buckets(holes: npt.NDArray[Any], board: tuple[int, ...]) -> npt.NDArray[np.int64]:
    if len(holes) == 1:
        return np.array([_bucket(tuple(holes[0].tolist()), board)])
    return _many(np.ascontiguousarray(holes, dtype=np.uint8), board)


@lru_cache(maxsize=4096)
def _bucket(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    return int(_many(np.array([hole], dtype=np.uint8), board)[0])


def _many(holes: npt.NDArray[np.uint8], board: tuple[int, ...]) -> npt.NDArray[np.int64]:
    from headsup.play.discard.facts import buckets

    return np.asarray(buckets(holes[None], np.array([board], dtype=np.uint8))[0], dtype=np.int64)


def _merged(actions: list[Action], shares: Floats) -> Shares:
    found: dict[Action, float] = {}
    for action, share in zip(actions, shares.tolist(), strict=True):
        if share > 0.0:
            found[action] = found.get(action, 0.0) + share
    return list(found.items())


@maker("discard")
def make_discard(rest: str, table: Table) -> Agent:
    """Our strategy that ships or that of a file, cleaned as `discard:0.5` says."""
    from headsup.play.ectomynx.agent import check_discard

    check_discard("discard", table)
    file, comma, share = (rest, "", "") if rest.endswith(".npz") else rest.rpartition(",")
    try:
        clean = float(share) if share or comma else None
    except ValueError:
        clean = -1.0
    if clean is not None and not 0.0 <= clean <= 0.5:
        raise UserError(
            f"'discard:{rest}' does not say what is played: write a share from 0 to 0.5 below which nothing is, as "
            "discard:0.1, or the file of a strategy, as discard:FILE.npz"
        )
    from headsup.play.discard.data import load, shipped
    from headsup.play.discard.learn import CLEAN, cleaned

    name = f"discard:{rest}" if rest else "discard"
    strategy = parsed(file, lambda: load(Path(file)), "a strategy of hold'em with discards") if file else shipped()
    return DiscardPlayer(name, cleaned(strategy, CLEAN if clean is None else clean))
