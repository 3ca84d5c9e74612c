"""Charts before the flop: an equilibrium with play after the flop, by hand class, as a file holds it.

`headsup.preflop.flops` solves them, `headsup.preflop.shipped` has those that ship. Reading and showing a chart compiles
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_of_combo, holdem_class_sizes
from headsup.common import contents
from headsup.common.archives import load_record, record_kind, save_record
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.common.files import parsed
from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.rules import DEAL
from headsup.games.betting.stakes import CHIPS, SEATS
from headsup.preflop.game import MENU, NO_LIMP, preflop_betting, preflop_game
from headsup.preflop.view import (
    DEALS,
    PreflopView,
    Tables,
    line_to,
    node_after,
    pairs_reaching,
    rarely,
    reach_of,
    row_counts,
    rows_at,
    sees_flop,
    view_at,
)

if TYPE_CHECKING:
    from headsup.games.holdem.vector import VectorGame
    from headsup.preflop.solve import PreflopSolution

KIND = "headsup-preflop"
FLOP_MENU = "75%, a; a"
"""One bet size and all-in on every later street; raises are all-in."""
STREETS = ("flop", "turn", "river")
ROUGH = 30.0
"""In mbb/g: charts that may be exploitable for more have values that jump from hand to hand."""


@dataclass(frozen=True)
class Setting:
    """A game before the flop with a menu for every street; stacks and blinds are in big blinds."""

    stack: float
    menu: str = MENU
    flop: str = FLOP_MENU
    turn: str = FLOP_MENU
    river: str = FLOP_MENU
    small_blind: float = 0.5
    ante: float = 0.0
    limp: bool = True

    @cached_property
    def betting(self) -> BettingTree:
        """The betting before the flop."""
        return preflop_betting(self.stack, self.small_blind, self.ante, self.limp, self.menu)

    @cached_property
    def chart(self) -> VectorGame:
        """The betting before the flop on the 169 hand classes, with pots checked down."""
        return preflop_game("preflop", self.stack, self.small_blind, self.ante, self.limp, self.menu)

    @cached_property
    def game(self) -> VectorGame:
        """All four streets with all cards."""
        from headsup.games.holdem.vector import holdem_game

        rules = replace(self.betting.rules, first=(0, 1, 1, 1))
        menus = {"preflop": self.menu, **{street: getattr(self, street) for street in STREETS}}
        parts = [f"{street} {menu}" for street, menu in menus.items()] + ([] if self.limp else [NO_LIMP])
        return holdem_game("preflop", betting_tree(rules, " | ".join(parts)), unit=float(CHIPS))


@dataclass(frozen=True, repr=False)
class PreflopChart:
    """An equilibrium before the flop with play after it, by hand class."""

    about: Mapping[str, Any]
    """The setting and the figures, as plain JSON values."""
    probabilities: Tables
    """For each seat [rows, 169], the rows of all its decisions."""
    ev: Tables
    """What each action earns in big blinds since the deal, if it is taken once and best play against the opponent's
    strategy follows; nan where the opponent never comes."""
    stopped: bool = False
    """Whether the run was interrupted before it met a limit."""

    @cached_property
    def setting(self) -> Setting:
        """The game that was solved."""
        return Setting(**{name: self.about[name] for name in Setting.__dataclass_fields__})

    name = "preflop"

    @property
    def betting(self) -> BettingTree:
        """The betting before the flop."""
        return self.setting.betting

    @property
    def stack(self) -> float:
        """In big blinds."""
        return self.setting.stack

    @property
    def menu(self) -> str:
        """The sizes of bets and raises on every street, in words."""
        setting = self.setting
        first = f"{setting.menu} before the flop" if setting.limp else f"{setting.menu} before the flop, no limp"
        after = {street: getattr(setting, street) for street in STREETS}
        if len(set(after.values())) == 1:
            return f"{first} | {setting.flop} after it"
        return " | ".join([first, *(f"{menu} on the {street}" for street, menu in after.items())])

    @property
    def value_sb(self) -> float:
        """The value for the small blind, in big blinds a game."""
        return float(np.nan if self.about["value_sb_bb"] is None else self.about["value_sb_bb"])

    @property
    def exploitability_mbb(self) -> float:
        """In thousandths of a big blind a game; nan if it was not measured yet."""
        return float(np.nan if self.about["exploitability_mbb"] is None else self.about["exploitability_mbb"])

    @property
    def exploitability_text(self) -> str:
        """The exploitability, and whether it is exact."""
        if np.isnan(self.exploitability_mbb):
            return "not measured: python -m headsup.preflop.all_flops does that"
        if self.about["exact"]:
            return f"{self.exploitability_mbb:.3f} mbb/g, exact over all flops"
        if "boards" in self.about:
            return f"{self.exploitability_mbb:.1f} mbb/g if later streets follow the blueprint, estimated"
        if self.measured is None:
            return f"{self.exploitability_mbb:.3f} mbb/g on the flops of the subset, estimated"
        between = f"{self.about['low_mbb']:.1f} to {self.about['high_mbb']:.1f}"
        without = "" if self.about.get("sample_error") else ", without the error of the sample"
        return (
            f"{self.exploitability_mbb:.1f} mbb/g, estimated from {self.measured:,} of 1,755 flops: {between}{without}"
        )

    @property
    def rough(self) -> str:
        """Why values of single hands may be wrong; empty if the chart is close to equilibrium."""
        if "boards" in self.about:
            return "later streets follow a blueprint: values of hands and raises that are rarely played may be far off"
        if self.about.get("high_mbb", 0.0) <= ROUGH:
            return ""
        return f"solved with {self.about['flops']} flops: the value of a single hand may be off by some tenths of a bb"

    @property
    def measured(self) -> int | None:
        """On how many random flops the exploitability was measured; None if on those of the subset only."""
        return self.about.get("measured_flops")

    @property
    def note(self) -> str:
        """How the chart was solved."""
        return f"{self._solved_with}, stopped early" if self.stopped else self._solved_with

    @property
    def _solved_with(self) -> str:
        if self.about["exact"] and self.measured is None:
            return "nobody can bet on the flop: all-in pots are settled by exact equities over all boards"
        if "boards" in self.about:
            return f"solved above a blueprint, whose later play was sampled on {self.about['boards']:,} boards"
        text = f"solved with {self.about['flops']} flops that represent all flops"
        corrected = self.about.get("corrected_by")
        if corrected is None:
            return text
        at = self.about.get("corrected_at", self.setting.stack)
        where = "" if at == self.setting.stack else f" at {at:g} big blinds"
        return f"{text}, corrected by {corrected:,} flops solved one by one{where}"

    def __repr__(self) -> str:
        actions = ", ".join(f"{action} {share:.1%}" for action, share in self.at("").totals.items())
        figures = f"sb {self.value_sb:+.4f} bb, {self.exploitability_mbb:.2f} mbb/g"
        return f"<PreflopChart: {self.setting.stack:g} bb, {figures}; {actions}>"

    def at(self, line: str = "") -> PreflopView:
        """The decision after a line, such as `raise 2.5, all-in`; amounts are in big blinds."""
        betting = self.setting.betting
        node = node_after(betting, line)
        ev = self.ev[int(betting.player[node])][rows_at(betting, node)]
        return view_at(betting, self.probabilities, line, ev, bool(self.about["exact"]), self.rough)

    def sees_flop(self, line: str) -> bool:
        """Whether a flop comes after a line."""
        return sees_flop(self.setting.betting, line)

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Every decision: who acts, `sb` or `bb`, and the line that leads there."""
        betting = self.setting.betting
        nodes = [node for node in range(betting.n_nodes) if betting.player[node] < DEAL]
        return [(SEATS[int(betting.player[node])], line_to(betting, node)) for node in nodes]

    def pot(self, line: str) -> tuple[float, float]:
        """The pot where a line ends, and what each player has left behind, in big blinds."""
        betting = self.setting.betting
        paid = betting.paid[node_after(betting, line, ended=True)]
        return float(paid.sum()) / CHIPS, float(betting.rules.stacks[0] - paid.max()) / CHIPS

    def ranges(self, line: str) -> tuple[str, str]:
        """Both ranges where a line reaches the flop, small blind first, as range text."""
        from headsup.cards.ranges.model import Range, range_text

        betting = self.setting.betting
        if not self.sees_flop(line):
            if not line.strip():
                raise UserError("the first decision is before the flop: give a line that reaches it, as 'call, check'")
            raise UserError(f"after '{line.strip()}' no flop comes: add a call or a check, or leave out the fold")
        node, classes = node_after(betting, line, ended=True), holdem_class_of_combo()
        shares = [reach_of(betting, self.probabilities, node, seat) / holdem_class_sizes() for seat in (0, 1)]
        first, second = (range_text(Range("holdem", _rounded(share)[classes])) for share in shares)
        return first, second

    def arrival(self, line: str) -> dict[str, Any]:
        """Where a line reaches the flop: the share of deals that come there, and why its ranges are less reliable."""
        betting = self.setting.betting
        node = node_after(betting, line, ended=True)
        own, other = (reach_of(betting, self.probabilities, node, seat) for seat in (0, 1))
        reached = float(pairs_reaching(own, other).sum()) / DEALS
        rare = rarely(reached, "this flop")
        return {"reached": reached, "caution": f"{rare}: ranges are less reliable" if rare else None}

    def summary(self) -> dict[str, Any]:
        """The setting and the figures as plain JSON values."""
        return {**self.about, "note": self.note, "stopped": self.stopped}

    def save(self, path: str | Path) -> None:
        """Write the chart to a file."""
        arrays = {"probabilities": self.probabilities, "ev": self.ev}
        about = {**self.about, "stopped": self.stopped}
        save_record(path, KIND, about, {f"{name}{p}": arrays[name][p] for name in arrays for p in (0, 1)})

    @classmethod
    def load(cls, path: str | Path) -> PreflopChart:
        """Read what `save` wrote."""
        meta, arrays = load_record(path, KIND)
        return parsed(path, lambda: cls._read(meta, arrays), "a preflop chart")

    @classmethod
    def _read(cls, meta: dict[str, Any], arrays: Mapping[str, Any]) -> PreflopChart:
        about = {name: value for name, value in meta.items() if not name.startswith("format")}
        stopped = about.pop("stopped", False) is True  # older files do not have it
        tables = (arrays["probabilities0"], arrays["probabilities1"]), (arrays["ev0"], arrays["ev1"])
        chart = cls(about, *tables, stopped)
        for seat in (0, 1):
            shape = (row_counts(chart.setting.betting)[seat], HOLDEM_CLASSES)
            contents.chances(chart.probabilities[seat], "a probability", 2)
            if chart.probabilities[seat].shape != shape or chart.ev[seat].shape != shape:
                raise ValueError(f"a chart of this game has {shape} numbers")
        return chart


def _rounded(shares: Floats) -> Floats:
    """To two decimals; to three or four where the greatest is below a half, so that thin ranges keep their hands."""
    most = max(float(shares.max(initial=0.0)), 1e-9)
    return np.round(shares, min(4, 2 + max(0, math.ceil(-math.log10(2.0 * most)))))  # range text has four


def answer_dict(
    solution: PreflopSolution | PreflopChart, line: str = "", hand: str | None = None, asked: float | None = None
) -> dict[str, Any]:
    """A decision, or both ranges where a line reaches the flop, as plain JSON values; the actions are those of a hand,
    or else of the whole range. `asked` is the stack that was asked for, where the nearest one may answer.
    """
    figures = solution.summary() | ({} if asked is None else {"asked_stack": asked})
    if isinstance(solution, PreflopChart) and solution.sees_flop(line):
        check_no_hand(line, hand)
        pot, behind = solution.pot(line)
        ranges = dict(zip(SEATS, solution.ranges(line), strict=True))
        facts = {"line": line.strip(), "actions": [], "ranges": ranges, "pot_bb": pot, "behind_bb": behind}
        return {**figures, **facts, **solution.arrival(line)}
    view = solution.at(line)
    chosen = {} if hand is None else {"hand": view.hand(hand)}
    return {**figures, **view.as_dict(), "actions": view.table(hand), **chosen}


def check_no_hand(line: str, hand: str | None) -> None:
    """Refuse a hand where a line reaches the flop."""
    if hand is not None:
        raise UserError(f"after '{line.strip()}' the flop comes and nobody acts before it: leave out the hand")


def load_preflop(path: str | Path) -> PreflopSolution | PreflopChart:
    """Read a saved solution of either kind: with play after the flop, or checked down."""
    from headsup.preflop.solve import PreflopSolution

    return PreflopChart.load(path) if record_kind(path) == KIND else PreflopSolution.load(path)
