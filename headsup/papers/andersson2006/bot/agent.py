"""andersson-2006's bot at the table (`headsup.papers.andersson2006.bot.strategy`), for 15 and 20 big blinds.

It holds a place in the betting tree of its model. An opponent's bet that the model has not is read as one that it has,
by the paper's linear random rule (`headsup.abstraction.bets.sizes`), once for the rest of the hand. Own bets are the
model's shares of the real pot; where the model has no place for what happens (its street is closed, or all chips are
in) it checks and calls.

Nothing is drawn by lot here but the action itself: as in `headsup.abstraction.bets.translation`, all readings are
followed together, each weighted by its chance and by how often the hand has played its own way there, which is how
often a bot that draws its readings would act so. So the bot can be measured by AIVAT and priced.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from headsup.abstraction.bets.follow import share_of, total_of
from headsup.abstraction.bets.sizes import PASSIVE, Sizes
from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.spec import restore_buckets
from headsup.cards.combos import HOLDEM_COUNT, colex
from headsup.common import contents
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.common.files import parsed
from headsup.games.betting.rules import DEAL, Betting, Move, State
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import VectorGame
from headsup.papers.andersson2006.bot.strategy import Bot, shipped_bot
from headsup.play.agents.strategy import SingleBoards
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, maker
from headsup.play.table.real import RealCards, free_of
from headsup.play.table.rules import BOARD, CALLS, Action, Legal, PlayerView, Table, apply

METHOD = "linear"


class Stand(NamedTuple):
    """A place in the model's tree."""

    weight: Floats
    """[hands] chances of the readings that lead there times the shares of the hand's own actions."""
    reading: float
    """The chances of the readings alone."""


class BotPlayer(Mixed):
    """Plays a bot; see the module's text."""

    def __init__(self, name: str, bot: Bot, method: str = METHOD) -> None:
        self.name, self.bot, self.method = name, bot, method
        self.tree, self.sizes, self.hands = bot.tree, Sizes(bot.tree), BotHands(bot)
        self._table = lru_cache(maxsize=4096)(bot.table)

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """Of the hand that the player holds."""
        actions, found = self._mixed(view, np.array([colex(sorted(view.hole))]))
        merged: dict[Action, float] = {}
        for action, share in zip(actions, found[:, 0].tolist(), strict=True):
            if share > 0.0:
                merged[action] = merged.get(action, 0.0) + share
        total = sum(merged.values())
        return [(action, share / total) for action, share in merged.items()]

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        """All hands of the player at once."""
        actions, found = self._mixed(view, np.arange(HOLDEM_COUNT))
        played = sum((found[i] for i, one in enumerate(actions) if one == action), np.zeros(HOLDEM_COUNT))
        return np.where(free_of(view.board), played, 0.0)

    def _mixed(self, view: PlayerView, hands: AnyArray) -> tuple[list[Action], Floats]:
        """Real actions, and [actions, hands] how often each hand takes them."""
        buckets = [self.hands.on(view.board[: BOARD[street]])[hands] for street in range(view.street + 1)]
        actions: list[Action] = []
        known: list[tuple[Stand, list[int], Floats]] = []
        for node, stand in self._stands(view, buckets).items():
            if self.tree.player[node] != view.seat:
                made, shares = [CALLS if view.legal.call >= 0 else view.legal.passive], np.ones((1, len(hands)))
            else:
                made = [one for one, _ in self._made(view.table.betting, view.state, node)]
                shares = self._shares(node, buckets).T
            places = []
            for one in made:
                if one not in actions:
                    actions.append(one)
                places.append(actions.index(one))
            known.append((stand, places, shares))
        weighed, read = np.zeros((2, len(actions), len(hands)))
        for stand, places, shares in known:
            np.add.at(weighed, places, stand.weight * shares)
            np.add.at(read, places, stand.reading * shares)
        total = weighed.sum(axis=0)
        out = np.where(total > 0.0, weighed / np.where(total > 0.0, total, 1.0), read / read.sum(axis=0))
        return actions, out

    def _stands(self, view: PlayerView, buckets: list[AnyArray]) -> dict[int, Stand]:
        """All places of the model where the player may stand now."""
        real, state, street = view.table.betting, view.table.root, 0
        found = {0: Stand(np.ones(len(buckets[0])), 1.0)}
        for step in view.steps:
            found, street = self._dealt(found, step.street - street), step.street
            while state.player == DEAL:
                state = real.next_street(state)
            found = self._after(found, real, state, step.action, step.seat == view.seat, buckets)
            state = apply(real, state, step.action)
        return self._dealt(found, view.street - street)

    def _dealt(self, stands: dict[int, Stand], streets: int) -> dict[int, Stand]:
        for _ in range(streets):
            stands = _joined([(self.sizes.dealt(node), stand) for node, stand in stands.items()])
        return stands

    def _after(
        self, stands: dict[int, Stand], real: Betting, state: State, action: Action, own: bool, buckets: list[AnyArray]
    ) -> dict[int, Stand]:
        """Where an action in a state of the real betting leads."""
        found = []
        for node, stand in stands.items() if own else ():
            if self.tree.player[node] != state.player:
                if action == CALLS:
                    found.append((node, stand))
                continue
            shares = self._shares(node, buckets)
            for number, (made, after) in enumerate(self._made(real, state, node)):
                if made == action:
                    found.append((after, Stand(stand.weight * shares[:, number], stand.reading)))
        if found:
            return _joined(found)
        move = {"f": Move.FOLD, "c": Move.CALL}.get(action.kind, Move.BET)
        share = share_of(real, state, action.amount) if move == Move.BET else 0.0
        if move == Move.BET and action.amount >= real.all_in(state):
            move = Move.ALLIN
        for node, stand in stands.items():
            if self.tree.player[node] != state.player:
                found.append((node, stand))
                continue
            for after, chance in self.sizes.read(node, move, share, self.method):
                found.append((after, Stand(stand.weight * chance, stand.reading * chance)))
        return _joined(found)

    def _shares(self, node: int, buckets: list[AnyArray]) -> Floats:
        """[hands, actions] of the model at a place."""
        street, sizes = int(self.tree.street[node]), self.bot.chances.sizes()
        path = buckets[0].astype(np.int64) if street == 0 else np.zeros(len(buckets[0]), dtype=np.int64)
        for s in range(1, street + 1):
            path = path * sizes[s] + buckets[s]
        return np.asarray(self._table(node)[path])

    def _made(self, real: Betting, state: State, node: int) -> list[tuple[Action, int]]:
        """For each action of a place: what it is at the table, and the place to which it leads."""
        legal, passive, found = Legal.of(real, state), self.sizes.after(node, PASSIVE), []
        for after in self.sizes.children(node):
            move = Move(int(self.tree.kind[after]))
            if move == Move.FOLD and legal.fold:
                found.append((legal.passive, after))
                continue
            total = total_of(real, state, move, float(self.sizes.share[after])) if move >= Move.BET else None
            if total is not None:
                found.append((legal.bet(total), after))
            else:
                waits = CALLS if legal.call >= 0 else legal.passive
                found.append((waits, after if passive is None or move in PASSIVE else passive))
        return found


def _joined(stands: list[tuple[int, Stand]]) -> dict[int, Stand]:
    found: dict[int, Stand] = {}
    for node, stand in stands:
        known = found.get(node)
        if known is None:
            found[node] = stand
        else:
            found[node] = Stand(known.weight + stand.weight, known.reading + stand.reading)
    return found


class BotHands:
    """The buckets of real hands on real boards."""

    def __init__(self, bot: Bot) -> None:
        buckets = _buckets(bot)
        self.real, self.single = RealCards(buckets.game), SingleBoards(buckets)
        self.on = lru_cache(maxsize=512)(self._on)

    def _on(self, board: tuple[int, ...]) -> AnyArray:
        """[1326] the bucket of each hand; of those that share a card with the board, any."""
        place = self.real.canonical(board).place
        rows = self.single.rows(0, place.street, place.number, place.number + 1)[0]
        return np.asarray(rows[self.real.hands(0, board)])


@cache
def _buckets(bot: Bot) -> FeatureBuckets:
    """Made once for a bot: every session of a match asks for them."""
    holdem = named_game("holdem-nolimit")
    assert isinstance(holdem, VectorGame)
    parts = {name: one for name, one in bot.parts.items() if name.startswith("part")}
    found = restore_buckets(holdem, bot.chances.text, parts)
    for street in (0, 1):
        if f"table{street}" in bot.parts:
            shape = len(found.features.sets(street)), len(found.features.hands)
            packed = contents.array(bot.parts[f"table{street}"], f"the table of street {street}", "u")
            flat = np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], axis=1).ravel()
            buckets = flat[: shape[0] * shape[1]].reshape(shape)
            if buckets.max() >= found.sizes[street][0]:
                raise ValueError(f"the table of street {street} has buckets that are not there")
            found.give_table(street, 0, buckets)
    return found


@maker("aggrobot")
def make_aggrobot(rest: str, table: Table) -> Agent:
    """The paper's bot that ships; `aggrobot:FILE` one that `headsup.papers.andersson2006.bot.make` wrote."""
    from headsup.papers.andersson2006.bot.strategy import load_bot

    if table.name != "holdem-nolimit":
        raise UserError(f"aggrobot plays holdem-nolimit, and not {table.name}: choose another agent or game")
    stack = min(table.betting.stacks) / table.unit
    bot = load_bot(rest) if rest else shipped_bot(stack)
    if bot.stack != stack:
        raise UserError(f"aggrobot:{rest} is for {bot.stack} big blinds, not {stack:g}: give --stack {bot.stack}")
    return parsed(rest, lambda: BotPlayer(f"aggrobot:{rest}", bot), "a bot") if rest else BotPlayer("aggrobot", bot)
