"""The report's bot at the table, with exact action probabilities.

A level is chosen once a street. A later action on the street follows the choices that fit the actions so far, so the
agent has no memory. Bets of any size are read as the report reads them.

    ectomynx                       trained by `data.make`, as the report meant it
    ectomynx:long                  trained with eight cycles of 1e9 hands
    ectomynx:start                 before training
    ectomynx:FILE.npz              the weights of a file that `data` wrote
    ectomynx:board-pairs,..        with faults (`train.FAULTS`) in what it sees, and the weights of `ectomynx`
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.common.arrays import Floats
from headsup.play.agents.discard_history import StreetBetting, SwapPlayer, check_discard, follow, swapped_by_rule
from headsup.play.table.agent import ActionProbabilities, Agent, maker
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView, Table

KINDS = "fcr"


class LevelPlayer(SwapPlayer):
    def __init__(self, name: str, strategy: object) -> None:
        from headsup.papers.ectomynx.bot.train import LevelStrategy

        assert isinstance(strategy, LevelStrategy)
        self.name, self.strategy = name, strategy

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        from headsup.discards.strategy.hands import strengths

        if view.legal.discards:
            return [(swapped_by_rule(view), 1.0)]
        if not view.board:
            return self._acts(view)(holdem_class(view.hole))
        faults = self.strategy.faults
        hand = strengths(view.hole, view.board, board_pairs=faults.board_pairs, river_draws=faults.river_draws)
        return self._acts(view)(int(hand[0]))

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        acts, kinds, free = self._acts(view), self._kinds(view), free_of(view.board)
        known = {kind: dict(acts(kind)) for kind in np.unique(kinds[free]).tolist()}
        rows = dict[Action, Floats]()
        for kind, options in known.items():
            for action, probability in options.items():
                rows.setdefault(action, np.zeros(HOLDEM_COUNT))[(kinds == kind) & free] = probability
        return rows

    def swap_probabilities(self, view: PlayerView) -> Floats:
        """[1326, 3] probabilities to keep both cards, to change the lower one and the higher one."""
        from headsup.discards.equity.deals import rule_chances

        return rule_chances(view.board)

    def _kinds(self, view: PlayerView) -> npt.NDArray[np.int64]:
        """[1326] the class of each hand before the flop, later its strength; -1 for hands on the board."""
        from headsup.discards.strategy.hands import strengths

        if not view.board:
            return holdem_class_of_combo().astype(np.int64)
        faults, free = self.strategy.faults, free_of(view.board)
        kinds = np.full(HOLDEM_COUNT, -1)
        kinds[free] = strengths(
            holdem_combos()[free], view.board, board_pairs=faults.board_pairs, river_draws=faults.river_draws
        )
        return kinds

    def _acts(self, view: PlayerView) -> Callable[[int], ActionProbabilities]:
        """What a hand of a class (before the flop) or of a strength does here."""
        streets = follow(view)
        now = streets[-1]
        place = self._place(view, streets) if view.board else None

        def acts(hand: int) -> ActionProbabilities:
            weights = self.strategy.before[view.seat][hand] if place is None else place(hand)
            probabilities: dict[Action, float] = {}
            does = [self._does(choice, view.seat, now) for choice in range(len(weights))]
            fit = [
                all(does[choice](*turn.bets) == turn.kind for turn in now.turns if turn.seat == view.seat)
                for choice in range(len(weights))
            ]
            chosen = weights * np.array(fit) if (weights * np.array(fit)).sum() > 0.0 else weights
            for choice in np.flatnonzero(chosen):
                action = self._real(does[choice](*_bets(view)), view, now)
                probabilities[action] = probabilities.get(action, 0.0) + float(chosen[choice])
            total = sum(probabilities.values())
            return [(action, share / total) for action, share in probabilities.items()]

        return acts

    def _place(self, view: PlayerView, streets: list[StreetBetting]) -> Callable[[int], Floats]:
        """The weights of a strength: those of the choices that fit the big blind's first action."""
        from headsup.discards.strategy.hands import texture_bins
        from headsup.papers.ectomynx.bot import train_kernels as kernels

        pre = min(4, max(1, kernels.level_before(streets[0].matched)))
        bins = [int(texture_bins([view.board[:n]])[0]) for n in range(3, len(view.board) + 1)] + [0, 0]
        played = [_code(street) for street in streets[1:-1]] + [0, 0]
        after = self.strategy.after[view.seat]
        led = streets[-1].led

        def place(hand: int) -> Floats:
            row = kernels.row_of(len(streets) - 1, pre, bins[0], hand, bins[1], played[0], bins[2], played[1])
            weights = np.array(after[row], dtype=np.float64)
            if view.seat == 0:
                weights[slice(0, 6) if led else slice(6, 12)] = 0.0
            return weights

        return place

    def _does(self, choice: int, seat: int, now: StreetBetting) -> Callable[[float, float], str]:
        from headsup.papers.ectomynx.bot import train_kernels as kernels

        if now.pot == 0.0:
            return lambda a, b: KINDS[max(kernels.answer_before(choice, max(a, b), now.stack), int(a == b and seat))]
        small = self.strategy.small
        level = min(choice % 6, kernels.level_of(now.stack, now.pot, small))

        def does(a: float, b: float) -> str:
            mine, theirs = (a, b) if seat == 0 else (b, a)
            if seat == 1 and theirs == mine == 0.0 and choice >= 6:
                return "c"
            return KINDS[kernels.answer(level, now.pot, now.stack, mine, theirs, small)]

        return does

    def _real(self, kind: str, view: PlayerView, now: StreetBetting) -> Action:
        from headsup.papers.ectomynx.bot import train_kernels as kernels

        if kind == "r":
            a, b = _bets(view)
            mine, theirs = (a, b) if view.seat == 0 else (b, a)
            if now.pot == 0.0:
                total = kernels.raise_before(max(a, b), now.stack)
            else:
                total = kernels.next_bet(now.pot, now.stack, mine, theirs)
            return view.legal.bet(total * view.table.unit / 2.0)
        return CALLS if kind == "c" or not view.legal.fold else FOLDS


def _bets(view: PlayerView) -> tuple[float, float]:
    scale, state = 2.0 / view.table.unit, view.state
    return scale * (state.paid[0] - state.start[0]), scale * (state.paid[1] - state.start[1])


def _code(street: StreetBetting) -> int:
    """The play of a street, as later streets remember it (`train_kernels`)."""
    from headsup.papers.ectomynx.bot import train_kernels as kernels

    level = min(3, int(kernels.level_of(street.matched, street.pot, 0.2)))
    return level if street.led or not level else 3 + level


@maker("ectomynx")
def make_ectomynx(rest: str, table: Table) -> Agent:
    """The report's bot, optionally with faults, before its training, after longer cycles, or from a file of weights."""
    check_discard("ectomynx", table)
    from headsup.papers.ectomynx.bot.data import LONG, load, trained
    from headsup.papers.ectomynx.bot.train import parse_faults, start

    if rest.endswith(".npz"):
        return LevelPlayer(f"ectomynx:{rest}", load(Path(rest)))
    if rest == "long":
        return LevelPlayer("ectomynx:long", trained(LONG))
    if rest == "start":
        return LevelPlayer("ectomynx:start", start())
    return LevelPlayer(f"ectomynx:{rest}" if rest else "ectomynx", trained()._replace(faults=parse_faults(rest)))
