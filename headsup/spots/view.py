"""One decision of a solved spot, hand by hand: frequencies, expected values, equity, and the effect of blockers.

A line such as `check, bet 94, call, 7c` (`headsup.spots.path`) names the decision; results use the user's suits. One
walk below that board gives what each hand earns after each action. Divided by the opponent reach that it meets, with
chips paid since the root added, that is an expected value: a fold is worth 0 and both players' values add up to the
pot (less rake). Equity is against the opponent's reach without further betting.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from headsup.cards.cards import card_name, cards_in, cards_name, parse_cards
from headsup.cards.classes import holdem_class_name, holdem_class_of_combo, omaha_class_name, omaha_class_of_combo
from headsup.cards.combos import combo_masks, combos, holdem_combos
from headsup.cards.games import hand_size
from headsup.cards.suits import SUIT_PERMUTATIONS, permute_cards
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import quoted
from headsup.common.display import jsonable
from headsup.common.errors import UserError
from headsup.evaluate.categories import NO_DRAW, Categories, hand_categories
from headsup.evaluate.omaha_categories import omaha_categories
from headsup.games.holdem.four import FourCardSorted
from headsup.games.holdem.showdown import CardShowdown, Sorted
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk.streaming import Asking
from headsup.games.walk.walk import MIX, Inside, look_inside
from headsup.spots.path import Path, follow
from headsup.spots.reach import share_reached


class OpponentDecision(NamedTuple):
    """The opponent's strategy after one action."""

    actions: tuple[str, ...]
    frequencies: Floats  # [actions, hands]


@dataclass(frozen=True, eq=False)
class Opponent:
    """The hands with which the opponent reaches a decision, and their next decisions."""

    board: tuple[int, ...]
    combos: AnyArray  # [hands] as colex numbers of two-card hands, in Omaha of four-card hands
    reach: Floats  # [hands] the weight of a hand in the range times how often its own actions lead here
    answers: Mapping[str, OpponentDecision]
    """By the action that they answer; actions that end the hand or the street have no answer."""
    game: str = "holdem"

    @cached_property
    def kinds(self) -> Categories:
        return categories_of(self.game, self.board, self.combos)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        masks = combo_masks(hand_size(self.game))[self.combos[self.reach > 0.0]]
        return cards_in(int(np.bitwise_or.reduce(masks)))

    def frequencies(self, held: int = 0) -> dict[str, Any]:
        """What the opponent holds and answers without hands that share a card with the mask `held`."""
        masks = combo_masks(hand_size(self.game))[self.combos]
        weight, names = np.where(masks & np.uint64(held) == 0, self.reach, 0.0), self.kinds.made_names
        total = weight.sum()
        if not total > 0.0:
            return {"left": 0.0, "holds": None, "answers": None}
        kinds = np.bincount(self.kinds.made, weight, len(names)) / total
        answers = {
            action: dict(zip(answer.actions, (answer.frequencies @ weight / total).tolist(), strict=True))
            for action, answer in self.answers.items()
        }
        holds = {name: float(share) for name, share, has in zip(names, kinds, self._has, strict=True) if has}
        return {"left": float(total / self.reach.sum()), "holds": holds, "answers": answers}

    @cached_property
    def _has(self) -> AnyArray:
        return np.bincount(self.kinds.made, self.reach, len(self.kinds.made_names)) > 0.0

    def blocked_by(self, held: int) -> dict[str, Any]:
        """What holding the cards of a mask changes; `holds` and `answers` are None where no hand is left."""
        before, after = self.frequencies(), self.frequencies(held)
        if after["holds"] is None:
            return {"blocked": 1.0, "holds": None, "answers": None}
        answers = {action: _less(after["answers"][action], answer) for action, answer in before["answers"].items()}
        return {"blocked": 1.0 - after["left"], "holds": _less(after["holds"], before["holds"]), "answers": answers}


def categories_of(game: str, board: Sequence[int], hands: AnyArray) -> Categories:
    """The made hands and draws of hands, given as colex numbers, on a board."""
    if game == "holdem":
        return hand_categories(board, holdem_combos()[hands])
    return omaha_categories(board, combos(4)[hands], low=game == "omaha8")


def _less(after: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {name: after[name] - share for name, share in before.items()}


def effect(row: Mapping[str, Any]) -> float:
    """The size of a change: the largest of an answer, or of a made hand where there is nothing to answer."""
    if row["holds"] is None:
        return 1.0
    changes = [abs(x) for answers in row["answers"].values() for x in answers.values()]
    return max(changes or [abs(x) for x in row["holds"].values()], default=0.0)


PLAYERS = ("oop", "ip")
Value = TypeVar("Value")
At = tuple[tuple[int, ...], int]  # boards from the root on, and a seat


def seat_of(player: str) -> int:
    """The seat of `oop` or `ip`."""
    if player not in PLAYERS:
        raise UserError(f"a player is {' or '.join(PLAYERS)}, not {quoted(player)}")
    return PLAYERS.index(player)


@dataclass(frozen=True, repr=False)
class SpotView:
    """A decision: the player to act, and the strategy and value of each hand. Arrays are by hand."""

    line: str
    board: str
    player: str  # `oop` or `ip`
    pot: int  # chips in the middle, bets of this street too
    actions: tuple[str, ...]
    hands: tuple[str, ...]  # those of the player's range that the board leaves possible
    combos: AnyArray  # [hands] the same as colex numbers of two-card hands, in Omaha of four-card hands
    reach: Floats  # [hands] the weight of a hand in the range times how often its own actions lead here
    weights: Floats  # [hands] reach times the weight of the opponent's hands that it can meet here; they add up to 1
    frequencies: Floats  # [actions, hands]
    ev: Floats
    """[actions, hands] expected chips from here on if the action is taken once; nan where no opponent is left."""
    equity: Floats  # [hands] against the opponent's hands here, if nobody bet any more; nan where none is left
    reached: float  # the fraction of the deals on this board in which play comes here
    opponent: Opponent  # with what the other player comes here, and what they would answer
    game: str = "holdem"

    def __repr__(self) -> str:
        shares = ", ".join(f"{a} {f:.1%}" for a, f in zip(self.actions, self.totals["frequencies"], strict=True))
        after = f" after {self.line}" if self.line else ""
        return f"<View of {self.player} on {self.board}{after}: {len(self.hands):,} hands, {shares}>"

    @cached_property
    def value(self) -> Floats:
        """[hands] expected chips from here on."""
        played = self.frequencies * np.where(self.frequencies > 0.0, self.ev, 0.0)
        return np.asarray(played.sum(axis=0))

    @property
    def realised(self) -> Floats:
        """[hands] value / (equity x pot); nan without equity."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.equity > 0.0, self.value / (self.equity * self.pot), np.nan)

    @cached_property
    def totals(self) -> dict[str, Any]:
        """The range as a whole: `frequencies` by action, `ev`, `equity`, `combos` (the sum of the reach)."""
        every = np.ones(len(self.hands), dtype=bool)
        total = self._total(every)
        return {"frequencies": [float(self.weights @ row) for row in self.frequencies]} | {
            "ev": total["value"],
            "equity": total["equity"],
            "combos": total["combos"],
        }

    def _total(self, chosen: AnyArray) -> dict[str, Any]:
        """Several hands together, weighted; nan where none of them reaches the decision."""
        here = chosen & (self.weights > 0.0)
        share, weight = float(self.weights[here].sum()), self.weights[here]
        mean = [float(weight @ values[here]) / share if share else float("nan") for values in (self.value, self.equity)]
        shares = (float(weight @ row[here]) / share if share else float("nan") for row in self.frequencies)
        return {
            "combos": float(self.reach[chosen].sum()),
            "share": share,
            "frequencies": dict(zip(self.actions, shares, strict=True)),
            "value": mean[0],
            "equity": mean[1],
            "realised": mean[0] / (mean[1] * self.pot) if mean[1] else float("nan"),
        }

    @cached_property
    def kinds(self) -> Categories:
        """The made hand and the draws of each hand."""
        return categories_of(self.game, parse_cards(self.board), self.combos)

    def categories(self) -> list[dict[str, Any]]:
        """Totals by made hand, which share out the range, in Hi-Lo by low, then by draw, of which it may have several.

        A row has `category`, `kind` (made, low or draw), `combos`, `share` of the range, `frequencies` by action,
        `value`, `equity` and `realised`. Rows without a hand are left out; on the river there are no draws.
        """
        return [dict(row) for row in self._category_rows]

    @cached_property
    def _category_rows(self) -> list[dict[str, Any]]:
        return [{"category": name, "kind": kind, **self._total(who)} for kind, name, who in self._groups() if who.any()]

    def in_category(self, name: str) -> AnyArray:
        """[hands] which hands a row of `categories` counts."""
        groups = {label: who for _, label, who in self._groups()}
        if name not in groups:
            raise UserError(f"there is no category {quoted(name)} here: choose one of {', '.join(groups)}")
        return groups[name]

    def _groups(self) -> list[tuple[str, str, AnyArray]]:
        kinds = self.kinds
        groups = [("made", name, kinds.made == i) for i, name in enumerate(kinds.made_names)]
        if kinds.low is not None:
            groups += [("low", name, kinds.low == i) for i, name in enumerate(kinds.low_names)]
        if len(parse_cards(self.board)) < 5:
            groups += [("draw", name, kinds.draws[:, i]) for i, name in enumerate(kinds.draw_names)]
            groups += [("draw", NO_DRAW, ~kinds.draws.any(axis=1))]
        return groups

    def blockers(self, hand: str | None = None) -> list[dict[str, Any]]:
        """What each card, or one hand, changes in what the opponent holds and answers, the greatest change first.

        A row has `cards`, `blocked` (the share of the opponent's hands that it makes impossible), `holds` (changes of
        the shares of made hands) and `answers` (of how often each action is answered in each way): exact shares with
        the cards held less those with nothing known (`headsup.spots.view`).
        """
        if hand is None:
            masks = [1 << card for card in self.opponent.cards]
            names = [card_name(card) for card in self.opponent.cards]
        else:
            chosen = self.chosen(hand)
            masks = combo_masks(hand_size(self.game))[self.combos[chosen]].tolist()
            names = [self.hands[i] for i in chosen]
        rows = [{"cards": name, **self.opponent.blocked_by(mask)} for name, mask in zip(names, masks, strict=True)]
        return sorted(rows, key=effect, reverse=True)

    def hand(self, name: str) -> dict[str, Any]:
        """One hand by its cards, or a class such as AKs, whose hands are weighted, as plain values."""
        chosen = self.chosen(name)
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
            "realised": self._total(np.isin(np.arange(len(self.hands)), chosen))["realised"],
            "categories": sorted({self.kinds.words(int(i)) for i in chosen}),
        }

    def chosen(self, name: str) -> AnyArray:
        """The numbers of the hands here that a range text names."""
        from headsup.cards.ranges import parse_range

        chosen: AnyArray = np.flatnonzero(parse_range(name, self.game).weights[self.combos] > 0.0)
        if not len(chosen):
            raise UserError(f"{self.player} has no hand '{name}' here: it is not in the range, or the board has a card")
        return chosen

    def grid(self) -> Floats:
        """[actions, 169]: the frequency of each action by class; nan for classes without hands."""
        if self.game != "holdem":
            raise UserError("a chart of 169 classes is of hold'em hands: look by category, or at a list")
        kind = holdem_class_of_combo()[self.combos]
        weight = np.bincount(kind, self.reach, 169)
        with np.errstate(invalid="ignore"):
            return np.stack([np.bincount(kind, self.reach * row, 169) / weight for row in self.frequencies])

    def columns(self) -> dict[str, list[Any]]:
        """One row per hand, as columns of equal length, ready for a data frame."""
        columns: dict[str, list[Any]] = {"hand": list(self.hands), "class": self.classes, "category": self.words}
        columns |= {key: getattr(self, key).tolist() for key in ("reach", "weights", "equity", "value", "realised")}
        for key, rows in (("frequency", self.frequencies), ("ev", self.ev)):
            columns |= {f"{key} {action}": row.tolist() for action, row in zip(self.actions, rows, strict=True)}
        return columns

    @property
    def classes(self) -> list[str]:
        """The class of each hand: AKs, or AsKsQhJh for all Omaha hands like it but for suits."""
        if self.game == "holdem":
            return [holdem_class_name(int(number)) for number in holdem_class_of_combo()[self.combos]]
        return [omaha_class_name(int(number)) for number in omaha_class_of_combo()[self.combos]]

    @property
    def words(self) -> list[str]:
        """The made hand and draws of each hand in words: `top pair, flush draw`."""
        return [self.kinds.words(i) for i in range(len(self.hands))]

    def as_dict(self) -> dict[str, Any]:
        head = {key: getattr(self, key) for key in ("line", "board", "player", "pot", "reached")}
        values = {**head, "actions": list(self.actions), "totals": self.totals, "categories": self.categories()}
        values |= {"hands": list(self.hands), "category": self.words}
        arrays = {key: getattr(self, key) for key in ("reach", "weights", "frequencies", "ev", "equity", "realised")}
        plain: dict[str, Any] = jsonable({**values, **{key: array.tolist() for key, array in arrays.items()}})
        return plain


class ViewCache:
    """What looks at one strategy have in common, board by board: walks, and hands compared on all boards to come.

    A second look at a board, whatever the line, walks no boards any more. The first board stays; of those below it
    the ones that were asked for longest ago go.
    """

    KEPT = 16

    def __init__(self, game: VectorGame, strategy: ArrayStrategy, threads: int = 1) -> None:
        if not isinstance(game.showdown, CardShowdown):
            raise UserError(f"{game} has no cards to look at")
        self.game, self.strategy, self.threads, self.showdown = game, strategy, threads, game.showdown
        self.walks: OrderedDict[At, Inside] = OrderedDict()
        self.leads: OrderedDict[At, tuple[AnyArray, int]] = OrderedDict()
        self.second: dict[int, AnyArray] = {}
        """By seat, [boards, nodes, hands] of the second street, where they were kept (`Walker.two_streets`)."""

    @cached_property
    def _walk(self) -> Asking:
        return Asking(self.game, self.strategy, 0, MIX)

    def playing(self, strategy: ArrayStrategy) -> ViewCache:
        """The same for another strategy of the game: comparisons of hands do not depend on it."""
        other = ViewCache(self.game, strategy, self.threads)
        other.leads = self.leads
        return other

    def inside(self, seat: int, boards: tuple[int, ...]) -> Inside:
        """The walk of a seat on the last board of a path."""
        values = self.second[seat][boards[1]] if len(boards) == 2 and seat in self.second else None
        asked = self.game, self.strategy, seat, boards, self.threads, values, self._walk
        return self._kept(self.walks, (boards, seat), lambda: look_inside(*asked))

    def won(self, seat: int, boards: tuple[int, ...], reach: Floats, met: Floats) -> Floats:
        """[hands] the pots that each hand wins from an opponent reach, `met` of it, without further betting."""
        street, showdown = len(boards) - 1, self.showdown
        if street == self.game.streets - 1 and showdown.compared:
            return np.asarray(showdown.lines(seat, street, boards[-1], reach[None], 1)[0][0])
        if isinstance(showdown, FourCardSorted):  # too many hands for a table of pairs
            return showdown.won_below(seat, street, boards[-1], reach)
        lead, count = self.lead(boards)
        ahead = lead @ reach if seat == 0 else -(reach @ lead)
        return np.asarray((met + ahead / count) / 2.0)

    def lead(self, boards: tuple[int, ...]) -> tuple[AnyArray, int]:
        """How every pair of hands compares on the boards to come (`Sorted.leads`)."""
        assert isinstance(self.showdown, Sorted)
        return self._kept(self.leads, (boards, 0), partial(self.showdown.leads, len(boards) - 1, boards[-1]))

    def _kept(self, kept: OrderedDict[At, Value], at: At, make: Callable[[], Value]) -> Value:
        value = kept.get(at)
        if value is None:
            value = kept[at] = make()
        kept.move_to_end(at)
        while len(kept) > self.KEPT:
            kept.pop(next(other for other in kept if len(other[0]) > 1))
        return value


def view_at(known: ViewCache, line: str) -> SpotView:
    """The view of the decision to which a line leads."""
    game, showdown, betting = known.game, known.showdown, known.game.betting
    node, (path,) = follow(game, showdown.boards, line)
    boards = path.boards
    street, seat = len(boards) - 1, int(betting.player[node])
    seen = known.inside(seat, boards)
    alive = showdown.alive(seat, street, boards[-1])
    first, count = int(betting.child[node]), int(betting.count[node])
    own, other = seen.reach[seat][node], seen.reach[1 - seat][node]
    met = showdown.lines(seat, street, boards[-1], other[None], 0)[1][0]
    with np.errstate(invalid="ignore", divide="ignore"):
        ev = seen.values[first : first + count] * (game.mass / game.chance[street]) / met
        equity = np.where(met > 0.0, known.won(seat, boards, other, met) / met, np.nan)
    ev = np.where(met > 0.0, ev + betting.paid[node, seat], np.nan)
    frequencies = np.array(known.strategy.rows(node, game.board(street, boards[-1])))
    mine, there = possible_hands(showdown, seat, alive, path)
    if game.rounds.swap[node] > 0.0:
        turned = there[_turned(showdown, seat, mine, path)]
        frequencies[1:, turned], ev[1:, turned] = frequencies[:0:-1, turned], ev[:0:-1, turned]
    weights = own * met
    names = showdown.names(seat)
    return SpotView(
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
        reached=share_reached(game, seat, street, boards[-1], weights),
        opponent=_opponent(game, known.strategy, node, path, other),
        game=showdown.game,
    )


def possible_hands(showdown: CardShowdown, seat: int, alive: AnyArray, path: Path) -> tuple[AnyArray, AnyArray]:
    """The user's hands that the board leaves possible, and their numbers on the stored board."""
    carried = path.carried(showdown, seat)
    mine = np.flatnonzero(np.isin(carried, alive))
    return mine, carried[mine]


def _turned(showdown: CardShowdown, seat: int, mine: AnyArray, path: Path) -> AnyArray:
    """Which of the user's hands are pairs whose lower card is the higher one on the stored board."""
    cards: AnyArray = holdem_combos()[showdown.hands[seat][mine]]
    for renaming in path.renamings:
        cards = permute_cards(cards, SUIT_PERMUTATIONS[renaming])
    return np.asarray(cards[:, 0] > cards[:, 1])


def _opponent(game: VectorGame, strategy: ArrayStrategy, node: int, path: Path, reach: Floats) -> Opponent:
    """The opponent of the player to act: their hands, and their decisions right below the node."""
    showdown, betting, street, board = game.showdown, game.betting, len(path.boards) - 1, path.boards[-1]
    assert isinstance(showdown, CardShowdown)
    seat = 1 - int(betting.player[node])
    theirs, there = possible_hands(showdown, seat, showdown.alive(seat, street, board), path)
    first, answers = int(betting.child[node]), {}
    for i, action in enumerate(betting.actions(node)):
        if betting.player[first + i] == seat:
            rows = strategy.rows(first + i, game.board(street, board))[:, there]
            answers[action] = OpponentDecision(tuple(betting.actions(first + i)), rows)
    return Opponent(tuple(path.cards), showdown.hands[seat][theirs], reach[there], answers, showdown.game)
