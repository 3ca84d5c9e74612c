"""One decision of a solved spot, hand by hand: how often, what for, with what equity.

1. A line such as `check, bet 94, call, 7c` is followed through the betting and the boards. Boards are stored up to the
   names of the suits, so a card may lead to a board that stands for the real one; the renamings on the way carry the
   user's hands onto those of the stored board, and everything is told in the user's own suits.
2. One walk below that board gives what each hand earns after each action (`headsup.games.walk.look_inside`). Divided
   by the weight of the opponent's hands that it meets there, that is an expected value; what the player has paid since
   the root is added, so that a fold is worth 0 and both players' values add up to the pot (less rake).
3. Equity is that of the hand against the opponent's reach if nobody bet any more: the same walk in a game in which
   everyone checks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from headsup.cards.cards import cards_name
from headsup.cards.classes import holdem_class_name, holdem_class_of_combo
from headsup.errors import UserError
from headsup.games.arrays import AnyArray, Floats
from headsup.games.betting import Betting
from headsup.games.bettingtree import betting_tree
from headsup.games.showdown import Sorted
from headsup.games.vector import ArrayStrategy, VectorGame, hand_names, holdem
from headsup.games.walk import Walker, look_inside
from headsup.solve.paths import follow

PLAYERS = ("oop", "ip")


@dataclass(frozen=True, repr=False)
class View:
    """A decision: who acts, and for each of their hands what they do and what it is worth. Arrays are hand by hand."""

    line: str
    board: str
    player: str
    """`oop` or `ip`."""
    pot: int
    """Chips in the middle, bets of this street too."""
    actions: tuple[str, ...]
    hands: tuple[str, ...]
    """Those of the player's range that the board leaves possible."""
    combos: AnyArray
    """[hands] the same as colex numbers of two-card hands."""
    reach: Floats
    """[hands] the weight of a hand in the range times how often its own actions lead here."""
    weights: Floats
    """[hands] reach times the weight of the opponent's hands that it can meet here; they add up to 1."""
    frequencies: Floats
    """[actions, hands]"""
    ev: Floats
    """[actions, hands] expected chips from here on if the action is taken once; nan where no opponent is left."""
    equity: Floats
    """[hands] against the opponent's hands here, if nobody bet any more; nan where none is left."""

    def __repr__(self) -> str:
        shares = ", ".join(f"{a} {f:.1%}" for a, f in zip(self.actions, self.totals["frequencies"], strict=True))
        after = f" after {self.line}" if self.line else ""
        return f"<View of {self.player} on {self.board}{after}: {len(self.hands):,} hands, {shares}>"

    @property
    def value(self) -> Floats:
        """[hands] expected chips from here on, as the strategy plays."""
        played = self.frequencies * np.where(self.frequencies > 0.0, self.ev, 0.0)
        return np.asarray(played.sum(axis=0))

    @cached_property
    def totals(self) -> dict[str, Any]:
        """The range as a whole: `frequencies` by action, `ev`, `equity`, `combos` (the sum of the reach)."""
        return {
            "frequencies": [float(self.weights @ row) for row in self.frequencies],
            "ev": self._mean(self.value),
            "equity": self._mean(self.equity),
            "combos": float(self.reach.sum()),
        }

    def _mean(self, values: Floats) -> float:
        here = self.weights > 0.0
        return float(self.weights[here] @ values[here]) if here.any() else float("nan")

    def hand(self, name: str) -> dict[str, Any]:
        """All that is known of one hand, by its cards, or of a class such as AKs, whose hands count by their weight."""
        chosen = self._chosen(name)
        weight = self.weights[chosen]
        share = weight / weight.sum() if weight.sum() > 0.0 else np.full(len(chosen), 1.0 / len(chosen))

        def mean(values: Floats) -> float:
            return float(share[share > 0.0] @ values[chosen][share > 0.0])

        return {
            "hand": name,
            "combos": len(chosen),
            "reach": float(self.reach[chosen].sum()),
            "weight": float(weight.sum()),
            "frequencies": dict(zip(self.actions, map(mean, self.frequencies), strict=True)),
            "ev": dict(zip(self.actions, map(mean, self.ev), strict=True)),
            "value": mean(self.value),
            "equity": mean(self.equity),
        }

    def _chosen(self, name: str) -> AnyArray:
        from headsup.cards.ranges import parse_range

        found: AnyArray = np.flatnonzero(parse_range(name).weights[self.combos] > 0.0)
        if not len(found):
            raise UserError(f"{self.player} has no hand '{name}' here: it is not in the range, or the board has a card")
        return found

    def grid(self) -> Floats:
        """[actions, 169]: how often each class of the chart takes each action; nan where nothing of it is left."""
        kind = holdem_class_of_combo()[self.combos]
        weight = np.bincount(kind, self.reach, 169)
        with np.errstate(invalid="ignore"):
            return np.stack([np.bincount(kind, self.reach * row, 169) / weight for row in self.frequencies])

    def columns(self) -> dict[str, list[Any]]:
        """One row a hand, as columns of equal length, ready for a data frame."""
        told: dict[str, list[Any]] = {"hand": list(self.hands), "class": self.classes}
        told |= {key: getattr(self, key).tolist() for key in ("reach", "weights", "equity", "value")}
        for key, rows in (("frequency", self.frequencies), ("ev", self.ev)):
            told |= {f"{key} {action}": row.tolist() for action, row in zip(self.actions, rows, strict=True)}
        return told

    @property
    def classes(self) -> list[str]:
        """The class of each hand: AKs."""
        return [holdem_class_name(int(one)) for one in holdem_class_of_combo()[self.combos]]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain JSON values; what is not a number is None."""
        head = {key: getattr(self, key) for key in ("line", "board", "player", "pot")}
        told = {**head, "actions": list(self.actions), "totals": self.totals, "hands": list(self.hands)}
        arrays = {key: getattr(self, key) for key in ("reach", "weights", "frequencies", "ev", "equity")}
        found: dict[str, Any] = _plain({**told, **{key: array.tolist() for key, array in arrays.items()}})
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and value != value else value


def view_at(game: VectorGame, strategy: ArrayStrategy, line: str, threads: int = 1) -> View:
    """The view of the decision to which a line leads."""
    showdown, betting = game.showdown, game.betting
    if not isinstance(showdown, Sorted):
        raise UserError(f"{game} has no cards to look at")
    node, (path,) = follow(game, showdown.boards, line)
    boards = path.boards
    street, seat = len(boards) - 1, int(betting.player[node])
    seen = look_inside(game, strategy, seat, boards, threads)
    alive = showdown.alive(seat, street, boards[-1])
    first, count = int(betting.child[node]), int(betting.count[node])
    own, other = seen.reach[seat][node], seen.reach[1 - seat][node]
    met = showdown.lines(seat, street, boards[-1], other[None], 0)[1][0]
    with np.errstate(invalid="ignore", divide="ignore"):
        ev = seen.values[first : first + count] * (game.mass / game.chance[street]) / met
    ev = np.where(met > 0.0, ev + betting.paid[node, seat], np.nan)
    frequencies = strategy.rows(node, game.board(street, boards[-1]))
    equity = _equities(showdown, boards[-1], street, seat, alive, other, met)
    carried = path.carried(showdown, seat)
    mine = np.flatnonzero(np.isin(carried, alive))
    there = carried[mine]
    weights = own * met
    names = hand_names(showdown, seat)
    return View(
        line=", ".join(part.strip() for part in re.split("[,/]", line) if part.strip()),
        board=cards_name(path.cards),
        player=PLAYERS[seat],
        pot=game.betting.rules.pot + int(betting.paid[node].sum()),
        actions=tuple(betting.actions(node)),
        hands=tuple(names[i] for i in mine),
        combos=showdown.hands[seat][mine],
        reach=own[there],
        weights=(weights / weights.sum() if weights.sum() > 0.0 else weights)[there],
        frequencies=frequencies[:, there],
        ev=ev[:, there],
        equity=equity[there],
    )


def _equities(
    showdown: Sorted, board: int, street: int, seat: int, alive: AnyArray, reach: Floats, met: Floats
) -> Floats:
    """The equity of each hand against a reach of the opponent's, from the game in which everyone checks."""
    out = np.full(showdown.sizes[seat], np.nan)
    if not met.any():
        return out
    cards, ranges = showdown.boards.levels[street].cards[board].tolist(), np.zeros((2, 1326))
    ranges[seat, showdown.hands[seat][alive]] = 1.0
    ranges[1 - seat, showdown.hands[1 - seat]] = reach
    streets = (0, 5 - len(cards)) if len(cards) < 5 else (0,)
    rules = Betting(first=(0,) * len(streets), stacks=(1, 1), pot=1)
    dead = showdown.boards.dead
    checked = holdem(
        "equity", betting_tree(rules, "none"), root=cards, streets=streets, ranges=(ranges[0], ranges[1]), dead=dead
    )
    nothing = tuple(np.zeros(int(at[-1]), dtype=np.float32) for at in checked.layout)
    won = Walker(checked).node_values((nothing[0], nothing[1]), seat)[0] * checked.mass
    with np.errstate(invalid="ignore", divide="ignore"):
        out[alive] = np.where(met[alive] > 0.0, won / met[alive], np.nan)
    return out
