"""Games one action at a time with numbered actions, as OpenSpiel and PettingZoo play them.

A `BridgeGame` is a small game of the catalogue, or hold'em at a table (`holdem-limit`, `holdem-nolimit`), and a
`BridgeState` is a game in play. Actions of players have fixed numbers in the whole game; outcomes of chance have
numbers of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from functools import cached_property

import numpy as np

from headsup.cards.cards import card_name, cards_name
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import STREETS, UNLIMITED
from headsup.games.catalogue.forms import flatten
from headsup.games.catalogue.names import game as named_game
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.games.trees.tree import Tree
from headsup.play.table.record import betting_text
from headsup.play.table.rules import BOARD, CALLS, FOLDS, TABLES, Action, Deal, PlayerView, Table, TableHand, table

MOST_NODES = 5_000_000
RAISES: tuple[float | str, ...] = ("min", 0.5, 1.0, 2.0, "a")
"""Raises of no-limit hold'em by action number, from 2 on: the smallest, fractions of the pot, all-in."""


class BridgeGame(ABC):
    """A game with numbered actions."""

    name: str
    action_names: tuple[str, ...]
    max_chance: int  # outcomes of chance at most
    max_length: int  # actions of players at most
    utility: tuple[float, float]  # the least and the most that a player can win
    size: int  # numbers in an observation

    @abstractmethod
    def root(self) -> BridgeState:
        """A new game."""


class BridgeState(ABC):
    """A game in play; `act` changes it."""

    @property
    @abstractmethod
    def player(self) -> int:
        """0 or 1, CHANCE or TERMINAL."""

    @abstractmethod
    def legal(self) -> list[int]:
        """The numbers of the player's actions, in ascending order."""

    @abstractmethod
    def chance(self) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities."""

    @abstractmethod
    def act(self, action: int) -> None:
        """Take an action of the player, or an outcome of chance."""

    @abstractmethod
    def action_name(self, action: int) -> str:
        """The name of an action or outcome here."""

    @abstractmethod
    def knows(self, player: int) -> str:
        """What a player knows, as text: the same for states that the player cannot tell apart."""

    @abstractmethod
    def observe(self, player: int) -> Floats:
        """What a player knows, as numbers."""

    @abstractmethod
    def returns(self) -> tuple[float, float]:
        """What both have won; zeros before the end."""

    @abstractmethod
    def copy(self) -> BridgeState: ...


def bridge_game(name: str, stack: float | None = None) -> BridgeGame:
    """A game by name: one of the catalogue that is small, or hold'em at a table with a stack in big blinds."""
    if name in TABLES:
        return TableBridge(table(name, stack))
    if stack is not None:
        raise UserError(f"{name} has no stack to choose: leave it out, or name a game such as holdem-nolimit")
    game = named_game(name)
    if not isinstance(game, Game):
        raise UserError(f"{name} is too large to be played node by node: choose a small game, or holdem-nolimit")
    return SmallBridge(game)


# --- small games ------------------------------------------------------------------------------------------------------


class SmallBridge(BridgeGame):
    """A game of the contract; its tree is walked once, to number actions and information sets."""

    def __init__(self, game: Game) -> None:
        self.game, self.name = game, str(game)
        tree = self.tree
        moves = [tuple(tree.labels[seat].actions(i)) for seat in (0, 1) for i in range(len(tree.firsts[seat]) - 1)]
        self.action_names = tuple(dict.fromkeys(name for names in moves for name in names))
        self.ids = {name: i for i, name in enumerate(self.action_names)}
        self.infosets = tuple(
            {tree.labels[seat].infoset(i): i for i in range(len(tree.firsts[seat]) - 1)} for seat in (0, 1)
        )
        counts = np.diff(tree.child)
        self.max_chance = int(counts[tree.player == CHANCE].max(initial=1))
        self.max_length = sum(1 for _ in tree.levels())
        most = float(np.abs(tree.payoff).max())
        self.utility = (-most, most)
        self.size = max(len(known) for known in self.infosets)

    @cached_property
    def tree(self) -> Tree:
        tree = flatten(self.game)
        if tree.n_nodes > MOST_NODES:
            raise UserError(f"{self.game} has {tree.n_nodes:,} nodes: choose a game with at most {MOST_NODES:,}")
        return tree

    def root(self) -> SmallState:
        return SmallState(self)


class SmallState(BridgeState):
    def __init__(self, game: SmallBridge) -> None:
        self.game, self.state = game, game.game.root()
        self.seen: tuple[str, str] = ("", "")  # what each knew at the last own decision, and did there
        self._look()

    def _look(self) -> None:
        who = self.player
        if who in (0, 1):
            known = self.game.game.infoset(self.state)
            self.seen = (known, self.seen[1]) if who == 0 else (self.seen[0], known)

    @property
    def player(self) -> int:
        return self.game.game.player(self.state)

    def legal(self) -> list[int]:
        return sorted(self.game.ids[name] for name in self.game.game.actions(self.state))

    def chance(self) -> list[tuple[int, float]]:
        return list(enumerate(float(odds) for odds in self.game.game.chance(self.state)))

    def act(self, action: int) -> None:
        rules = self.game.game
        names = list(rules.actions(self.state))
        index = action if self.player == CHANCE else names.index(self.game.action_names[action])
        self.state = rules.next(self.state, index)
        self._look()

    def action_name(self, action: int) -> str:
        if self.player == CHANCE:
            return str(self.game.game.actions(self.state)[action])
        return self.game.action_names[action]

    def knows(self, player: int) -> str:
        return self.seen[player]

    def observe(self, player: int) -> Floats:
        """One number for each information set: 1 at that of the player's last decision."""
        numbers = np.zeros(self.game.size)
        at = self.game.infosets[player].get(self.seen[player])
        if at is not None:
            numbers[at] = 1.0
        return numbers

    def returns(self) -> tuple[float, float]:
        won = self.game.game.payoff(self.state) if self.player == TERMINAL else 0.0
        return won, -won

    def copy(self) -> SmallState:
        return copy(self)


# --- tables -----------------------------------------------------------------------------------------------------------


class TableBridge(BridgeGame):
    """Hold'em at a table, card by card; what is won is in big blinds."""

    def __init__(self, there: Table) -> None:
        if there.cards != "holdem" or there.draws:
            raise UserError(f"{there.name} is not hold'em: choose holdem-limit, holdem-nolimit or holdem-jamfold")
        self.table, rules = there, there.betting
        self.name, self.limit = there.name, rules.one_size
        sizes = ("raise",) if self.limit else tuple(f"raise {size}" for size in RAISES)
        self.action_names = ("fold", "call", *sizes)
        self.max_chance = 52
        most = min(rules.stacks) / there.unit if min(rules.stacks) < UNLIMITED else 24.0
        self.max_length = 4 * (3 + int(most))
        self.utility = (-most, most)
        self.size = 2 * 52 + len(STREETS) + 6

    def root(self) -> TableState:
        return TableState(self)


class TableState(BridgeState):
    """Cards are dealt one by one: both hands of seat 0, those of seat 1, then the board."""

    def __init__(self, game: TableBridge) -> None:
        self.game = game
        self.cards: tuple[int, ...] = ()
        self.hand: TableHand | None = None

    @classmethod
    def of_view(cls, game: TableBridge, view: PlayerView) -> TableState:
        """The state that a player sees; the opponent's cards are any others."""
        state, left = cls(game), [card for card in range(52) if card not in {*view.hole, *view.board}][:2]
        holes = (view.hole, tuple(left)) if view.seat == 0 else (tuple(left), view.hole)
        state.cards = (*holes[0], *holes[1], *view.board)
        state.hand = game.table.hand(Deal(holes, view.board), (step.action for step in view.steps))
        return state

    def with_hole(self, player: int, hole: tuple[int, ...]) -> TableState:
        """The same betting with other cards of a player, who is the one to act."""
        other, state = [card for card in range(52) if card not in {*hole, *self.cards[4:]}][:2], copy(self)
        holes = (*hole, *other) if player == 0 else (*other, *hole)
        state.cards = (*holes, *self.cards[4:])
        return state

    @property
    def _wanted(self) -> int:
        """Cards that must lie before anybody acts or wins."""
        if self.hand is None:
            return 4
        shown = self.hand.over and self.hand.state.folder < 0
        return 4 + BOARD[-1 if shown else self.hand.street]

    @property
    def player(self) -> int:
        if len(self.cards) < self._wanted:
            return CHANCE
        assert self.hand is not None
        return TERMINAL if self.hand.over else self.hand.player

    def _totals(self) -> dict[int, Action]:
        """The legal actions by number."""
        assert self.hand is not None
        legal, state, rules = self.hand.legal, self.hand.state, self.game.table.betting
        actions: dict[int, Action] = {}
        if legal.fold:
            actions[0] = FOLDS
        if legal.call >= 0:
            actions[1] = CALLS
        if not legal.low:
            return actions
        if self.game.limit:
            return {**actions, 2: legal.bet(legal.high)}
        last, pot = state.paid[1 - state.player] - state.start[1 - state.player], rules.pot_after_call(state)
        fixed = {"min": legal.low, "a": legal.high}
        for number, size in enumerate(RAISES, start=2):
            total = fixed[size] if isinstance(size, str) else round(last + size * pot)
            action = Action("r", total)
            if legal.low <= total <= legal.high and action not in actions.values():
                actions[number] = action
        return actions

    def legal(self) -> list[int]:
        return sorted(self._totals())

    def chance(self) -> list[tuple[int, float]]:
        left = [card for card in range(52) if card not in self.cards]
        return [(card, 1.0 / len(left)) for card in left]

    def act(self, action: int) -> None:
        if self.player != CHANCE:
            assert self.hand is not None
            taken = (*(step.action for step in self.hand.steps), self._totals()[action])
            self.hand = self.game.table.hand(self.hand.deal, taken)
            return
        self.cards = (*self.cards, action)
        if len(self.cards) < 4:
            return
        deal = Deal((self.cards[:2], self.cards[2:4]), self.cards[4:])
        steps = () if self.hand is None else self.hand.steps
        self.hand = self.game.table.hand(deal, (step.action for step in steps))

    def action_of(self, number: int) -> Action:
        """An action of the table by its number."""
        return self._totals()[number]

    def action_name(self, action: int) -> str:
        return f"deal {card_name(action)}" if self.player == CHANCE else self.game.action_names[action]

    def _hole(self, player: int) -> tuple[int, ...]:
        return self.cards[2 * player : 2 * player + 2]

    def knows(self, player: int) -> str:
        steps = () if self.hand is None else tuple(self.hand.steps)
        return f"{cards_name(sorted(self._hole(player)))}|{cards_name(self.cards[4:])}|{betting_text(steps)}"

    def observe(self, player: int) -> Floats:
        """Own cards, the board, the street, and chips in big blinds: paid, behind and bet, own first."""
        numbers = np.zeros(self.game.size)
        for card in self._hole(player):
            numbers[card] = 1.0
        for card in self.cards[4:]:
            numbers[52 + card] = 1.0
        if self.hand is not None:
            unit, state, stacks = self.game.table.unit, self.hand.state, self.game.table.betting.stacks
            numbers[104 + self.hand.street] = 1.0
            chips = [
                (state.paid[who], 0 if stacks[who] >= UNLIMITED else stacks[who] - state.paid[who],
                 state.paid[who] - state.start[who])
                for who in (player, 1 - player)
            ]  # fmt: skip
            numbers[108:] = np.array(chips).ravel() / unit
        return numbers

    def returns(self) -> tuple[float, float]:
        if self.player != TERMINAL:
            return 0.0, 0.0
        assert self.hand is not None
        first, second = self.hand.chips
        return first / self.game.table.unit, second / self.game.table.unit

    def copy(self) -> TableState:
        return copy(self)
