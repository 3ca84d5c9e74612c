"""andersson-2006's bot at the table (`headsup.papers.andersson2006.bot.strategy`), and its variants.

A bet that the model lacks is translated by the paper's linear random rule. All translations are followed together, each
weighted by its probability and the hand's own reach, so the bot's action probabilities are exact. Where the model has
no node for what happens it checks and calls.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from headsup.abstraction.bets.follow import readings, real_move
from headsup.abstraction.bets.sizes import Sizes
from headsup.abstraction.hands.buckets import FeatureBuckets, SingleBoards
from headsup.abstraction.hands.spec import restore_buckets
from headsup.cards.combos import HOLDEM_COUNT, colex
from headsup.common import contents
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.common.files import parsed
from headsup.games.betting.rules import Betting, Move, State
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import VectorGame
from headsup.papers.andersson2006.bot.strategy import VARIANTS, Bot, load_bot, shipped_bot, unpack
from headsup.play.agents.strategy import normalised
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, maker, merge_rows
from headsup.play.table.real import RealCards, free_of
from headsup.play.table.rules import BOARD, CALLS, FOLDS, Action, Legal, PlayerView, Table, states_before

METHOD = "linear"


class Stand(NamedTuple):
    weight: Floats  # [hands] chances of the readings that lead there times the shares of the hand's own actions
    reading: float  # the chances of the readings alone


class BotPlayer(Mixed):
    ranged = True

    def __init__(self, name: str, bot: Bot) -> None:
        self.name, self.bot = name, bot
        self.tree, self.sizes, self.hands = bot.tree, Sizes(bot.tree), BotHands(bot)
        self._table = lru_cache(maxsize=4096)(bot.table)

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        actions, rows = self._mixed(view, np.array([colex(sorted(view.hole))]))
        return normalised(actions, rows[:, 0].tolist())

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        rows, free = merge_rows(*self._mixed(view, np.arange(HOLDEM_COUNT))), free_of(view.board)
        return {action: np.where(free, row, 0.0) for action, row in rows.items()}

    def _mixed(self, view: PlayerView, hands: AnyArray) -> tuple[list[Action], Floats]:
        """Real actions, and [actions, hands] the probability of each."""
        buckets = [self.hands.on(view.board[: BOARD[street]])[:, hands] for street in range(view.street + 1)]
        actions: list[Action] = []
        known: list[tuple[Stand, list[int], Floats]] = []
        for node, stand in self._stands(view, buckets).items():
            if self.tree.player[node] != view.seat:
                made, shares = [CALLS if view.legal.call >= 0 else view.legal.passive], np.ones((1, len(hands)))
            else:
                made = [action for action, _ in self._made(view.table.betting, view.state, node)]
                shares = self._probabilities(node, buckets).T
            places = []
            for action in made:
                if action not in actions:
                    actions.append(action)
                places.append(actions.index(action))
            known.append((stand, places, shares))
        weighed, read = np.zeros((2, len(actions), len(hands)))
        for stand, places, shares in known:
            np.add.at(weighed, places, stand.weight * shares)
            np.add.at(read, places, stand.reading * shares)
        total = weighed.sum(axis=0)
        out = np.where(total > 0.0, weighed / np.where(total > 0.0, total, 1.0), read / read.sum(axis=0))
        return actions, out

    def _stands(self, view: PlayerView, buckets: list[AnyArray]) -> dict[int, Stand]:
        """All positions in the model that the real history may correspond to; `buckets` by street [kinds, hands]."""
        street, stands = 0, {0: Stand(np.ones(buckets[0].shape[1]), 1.0)}
        for step, state in states_before(view.table, view.steps):
            stands, street = self._dealt(stands, step.street - street), step.street
            stands = self._after(stands, view.table.betting, state, step.action, step.seat == view.seat, buckets)
        return self._dealt(stands, view.street - street)

    def _dealt(self, stands: dict[int, Stand], streets: int) -> dict[int, Stand]:
        for _ in range(streets):
            stands = _joined([(self.sizes.dealt(node), stand) for node, stand in stands.items()])
        return stands

    def _after(
        self, stands: dict[int, Stand], real: Betting, state: State, action: Action, own: bool, buckets: list[AnyArray]
    ) -> dict[int, Stand]:
        """The positions after an action in a state of the real betting."""
        stands_after = []
        for node, stand in stands.items() if own else ():
            if self.tree.player[node] != state.player:
                if action == CALLS:
                    stands_after.append((node, stand))
                continue
            shares = self._probabilities(node, buckets)
            for number, (made, after) in enumerate(self._made(real, state, node)):
                if made == action:
                    stands_after.append((after, Stand(stand.weight * shares[:, number], stand.reading)))
        if stands_after:
            return _joined(stands_after)
        move = {"f": Move.FOLD, "c": Move.CALL}.get(action.kind, Move.BET)
        for node, stand in stands.items():
            if self.tree.player[node] != state.player:
                stands_after.append((node, stand))
                continue
            for after, chance in readings(self.sizes, node, real, state, move, action.amount, METHOD):
                stands_after.append((after, Stand(stand.weight * chance, stand.reading * chance)))
        return _joined(stands_after)

    def _probabilities(self, node: int, buckets: list[AnyArray]) -> Floats:
        """[hands, actions] of the model at a position."""
        street, sizes = int(self.tree.street[node]), self.bot.chances.sizes()
        path = np.zeros(buckets[0].shape[1], dtype=np.int64)
        for s in range(min(street, 1), street + 1):
            path = path * sizes[s] + buckets[s][self.bot.ways[node, s]]
        return np.asarray(self._table(node)[path])

    def _made(self, real: Betting, state: State, node: int) -> list[tuple[Action, int]]:
        """For each action at a position: the real action, and the next position."""
        legal, made = Legal.of(real, state), []
        for child in self.sizes.children(node):
            move, total, after = real_move(self.sizes, node, child, real, state)
            action = legal.bet(total) if move >= Move.BET else CALLS if legal.call >= 0 else legal.passive
            made.append((FOLDS if move == Move.FOLD else action, after))
        return made


def _joined(stands: list[tuple[int, Stand]]) -> dict[int, Stand]:
    joined: dict[int, Stand] = {}
    for node, stand in stands:
        known = joined.get(node)
        if known is None:
            joined[node] = stand
        else:
            joined[node] = Stand(known.weight + stand.weight, known.reading + stand.reading)
    return joined


class BotHands:
    """The buckets of real hands on real boards."""

    def __init__(self, bot: Bot) -> None:
        buckets = _buckets(bot)
        self.real, self.single = RealCards(buckets.game), SingleBoards(buckets)
        self.on = lru_cache(maxsize=512)(self._on)

    def _on(self, board: tuple[int, ...]) -> AnyArray:
        """[kinds, 1326] the bucket of each hand in each partition; arbitrary for hands with a card of the board."""
        place = self.real.canonical(board).place
        kinds = range(len(self.single.sizes[place.street]))
        rows = [self.single.rows(0, place.street, place.number, place.number + 1, kind)[0] for kind in kinds]
        return np.asarray(np.stack(rows)[:, self.real.hands(0, board)])


@cache
def _buckets(bot: Bot) -> FeatureBuckets:
    """Cached for a bot: every session of a match uses them."""
    holdem = named_game("holdem-nolimit")
    assert isinstance(holdem, VectorGame)
    parts = {name: part for name, part in bot.parts.items() if name.startswith("part")}
    restored = restore_buckets(holdem, bot.chances.text, parts)
    for street in (0, 1):
        if f"table{street}" in bot.parts:
            shape, size = (len(restored.features.sets(street)), len(restored.features.hands)), restored.sizes[street][0]
            packed = contents.array(bot.parts[f"table{street}"], f"the table of street {street}", "u")
            buckets = unpack(packed, size)[: shape[0] * shape[1]].reshape(shape)
            if buckets.max() >= size:
                raise ValueError(f"the table of street {street} has buckets that are not there")
            restored.give_table(street, 0, buckets)
    return restored


@maker("aggrobot")
def make_aggrobot(rest: str, table: Table) -> Agent:
    """The shipped bot of the paper, a variant, or `aggrobot:FILE` of `headsup.papers.andersson2006.bot.make`."""
    if table.name != "holdem-nolimit":
        raise UserError(f"aggrobot plays holdem-nolimit, and not {table.name}: choose another agent or game")
    stack = min(table.betting.stacks) / table.unit
    if not rest or rest in VARIANTS:
        return BotPlayer(f"aggrobot:{rest}" if rest else "aggrobot", shipped_bot(stack, rest))
    if not Path(rest).exists():
        raise UserError(f"aggrobot:{rest} is no variant and no file: choose among {', '.join(VARIANTS)}")
    bot = load_bot(rest)
    if bot.stack != stack:
        raise UserError(f"aggrobot:{rest} is for {bot.stack} big blinds, not {stack:g}: give --stack {bot.stack}")
    return parsed(rest, lambda: BotPlayer(f"aggrobot:{rest}", bot), "a bot")
