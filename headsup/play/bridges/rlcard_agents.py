"""RLCard: its agents measured exactly in its own Leduc hold'em, and as agents of the arena in hold'em.

RLCard's Leduc has blinds and a bet order of its own, so it is played by RLCard's code: every state is reached by its
game, and the agent sees what its environment would show. An agent is asked by `eval_step`; without probabilities in
its answer, it is taken to always act like that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import rlcard
from rlcard.games.nolimitholdem.round import Action as Raise

from headsup.common.errors import UserError
from headsup.games.betting.rules import UNLIMITED
from headsup.games.catalogue.forms import sequence_form
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.measure import Measurement, measure
from headsup.play.bridges.asked import AskedAgent
from headsup.play.table.agent import ActionProbabilities, merge_actions
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView

LEDUC = "rlcard:leduc-holdem"
State = tuple[tuple[int, ...], tuple[str, ...]]  # cards (hand of 0, hand of 1, public) and actions


class RLCardLeduc(Game):
    """RLCard's Leduc hold'em by the contract of games; player 0 has the small blind."""

    name, unit = LEDUC, 2.0

    def __init__(self) -> None:
        self.env = rlcard.make("leduc-holdem")
        dealer = type(self._fresh().dealer)(np.random.RandomState(0))
        self.deck = sorted(dealer.deck, key=lambda card: card.get_index())

    def _fresh(self) -> Any:
        game = type(self.env.game)(num_players=2)
        game.np_random = np.random.RandomState(0)
        game.init_game()
        return game

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - a game lives as long as its measurement
    def played(self, state: State) -> Any:
        """RLCard's game after these cards and actions; an unknown public card is any."""
        cards, actions = state
        game = self._fresh()
        for seat, chips in ((0, game.small_blind), (1, game.big_blind)):
            game.players[seat].in_chips = chips
            game.players[seat].hand = self.deck[cards[seat]]
        left = [card for card in range(len(self.deck)) if card not in cards[:2]]
        game.dealer.deck = [self.deck[cards[2] if len(cards) > 2 else left[0]]]
        game.game_pointer = 0
        game.round.start_new_round(game_pointer=0, raised=[game.small_blind, game.big_blind])
        for action in actions:
            game.step(action)
        return game

    def root(self) -> State:
        return (), ()

    def player(self, state: State) -> int:
        cards, _ = state
        if len(cards) < 2:
            return CHANCE
        game = self.played(state)
        if game.is_over():
            return TERMINAL
        return CHANCE if game.round_counter and len(cards) < 3 else int(game.game_pointer)

    def _left(self, state: State) -> list[int]:
        """Places in the deck of six, without those that were dealt."""
        return [card for card in range(6) if card not in state[0]]

    def actions(self, state: State) -> Sequence[str]:
        if self.player(state) == CHANCE:
            return [self.deck[card].get_index() for card in self._left(state)]
        return list(self.played(state).get_legal_actions())

    def next(self, state: State, index: int) -> State:
        cards, actions = state
        if self.player(state) == CHANCE:
            return (*cards, self._left(state)[index]), actions
        return cards, (*actions, self.actions(state)[index])

    def chance(self, state: State) -> Sequence[float]:
        return [1.0 / len(self._left(state))] * len(self._left(state))

    def infoset(self, state: State) -> str:
        cards, actions = state
        public = self.deck[cards[2]].get_index() if len(cards) > 2 else ""
        return f"{self.deck[cards[self.player(state)]].get_index()}|{public}|{' '.join(actions)}"

    def payoff(self, state: State) -> float:
        game = self.played(state)
        return float(game.get_payoffs()[0]) * float(game.big_blind)

    def seen(self, state: State) -> dict[str, Any]:
        """What the environment shows the player to act."""
        game = self.played(state)
        self.env.game = game
        self.env.action_recorder = [(i % 2, action) for i, action in enumerate(state[1])]
        shown: dict[str, Any] = self.env._extract_state(game.get_state(game.game_pointer))
        return shown


def asked(agent: Any, shown: dict[str, Any], names: Sequence[Any], ids: Sequence[int]) -> list[float]:
    """The probabilities of actions by an agent; `names` and `ids` are RLCard's."""
    chosen, info = agent.eval_step(shown)
    probabilities = (info or {}).get("probs") if isinstance(info, dict) else None
    if not probabilities:
        row = [float(chosen in (name, number)) for name, number in zip(names, ids, strict=True)]
    else:
        words = {str(key): float(value) for key, value in dict(probabilities).items()}
        row = [words.get(str(name), words.get(str(number), 0.0)) for name, number in zip(names, ids, strict=True)]
    total = sum(row)
    if not total > 0.0:
        raise UserError(f"the agent returns {str(chosen)[:20]}, which is none of {', '.join(map(str, names))}")
    return [value / total for value in row]


def measure_rlcard(agent: Any) -> Measurement:
    """The exact exploitability of an agent in RLCard's Leduc hold'em."""
    game = RLCardLeduc()
    tables: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    waiting: list[State] = [game.root()]
    while waiting:
        state = waiting.pop()
        who = game.player(state)
        if who == TERMINAL:
            continue
        names = list(game.actions(state))
        if who != CHANCE and game.infoset(state) not in tables[who]:
            row = asked(agent, game.seen(state), names, [game.env.actions.index(name) for name in names])
            tables[who][game.infoset(state)] = dict(zip(names, row, strict=True))
        waiting += [game.next(state, index) for index in range(len(names))]
    return measure(sequence_form(game), list(tables))


# --- hold'em ----------------------------------------------------------------------------------------------------------


class RLCardPlayer(AskedAgent):
    """An agent of RLCard's limit-holdem or no-limit-holdem at a table of the arena."""

    name = "rlcard"

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.index = rlcard.make("limit-holdem").card2index

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        limit = view.table.betting.kind == "limit"
        names, ids, actions = _limit(view) if limit else _nolimit(view)
        row = asked(self.agent, self._shown(view, names, ids, limit), names, ids)
        return list(merge_actions(actions, row).items())

    def _shown(self, view: PlayerView, names: Sequence[Any], ids: Sequence[int], limit: bool) -> dict[str, Any]:
        cards = [_card(card) for card in (*view.board, *view.hole)]
        scale = 2.0 / view.table.unit  # RLCard's big blind is two chips
        chips = [int(paid * scale) for paid in view.state.paid]
        raw = {
            "hand": [_card(card) for card in view.hole],
            "public_cards": [_card(card) for card in view.board],
            "all_chips": chips,
            "my_chips": chips[view.seat],
            "legal_actions": list(names),
        }
        shown = np.zeros(72 if limit else 54)
        shown[[self.index[card] for card in cards]] = 1
        if limit:
            raises = [sum(step.action.kind == "r" for step in view.steps if step.street == s) for s in range(4)]
            raw["raise_nums"] = raises
            for street, count in enumerate(raises):
                shown[52 + 5 * street + min(count, 4)] = 1
        else:
            shown[52], shown[53] = chips[view.seat], max(chips)
            if view.table.betting.stacks[view.seat] < UNLIMITED:
                raw["stakes"] = [int(stack * scale) - paid for stack, paid in zip(view.table.betting.stacks, chips, strict=True)]  # noqa: E501  # fmt: skip
        return {
            "obs": shown,
            "legal_actions": dict.fromkeys(ids),
            "raw_obs": raw,
            "raw_legal_actions": list(names),
            "action_record": [(step.seat, step.action.kind) for step in view.steps],
        }


def _card(card: int) -> str:
    """A card as RLCard writes it: `SA`."""
    return "CDHS"[card & 3] + "23456789TJQKA"[card >> 2]


def _limit(view: PlayerView) -> tuple[list[str], list[int], list[Action]]:
    """RLCard allows a fold where a check is free; here that is a check."""
    words = ["call", "raise", "fold", "check"]
    fold = FOLDS if view.legal.fold else CALLS
    given = {"fold": fold, "call" if view.legal.call > 0 else "check": CALLS}
    if view.legal.low:
        given["raise"] = view.legal.bet(view.legal.high)
    names = [word for word in words if word in given]
    return names, [words.index(name) for name in names], [given[name] for name in names]


def _nolimit(view: PlayerView) -> tuple[list[Any], list[int], list[Action]]:
    """RLCard's five actions: its raises add half the pot or the pot to the player's bet."""
    legal, state = view.legal, view.state
    given = {Raise.FOLD: FOLDS if legal.fold else CALLS}
    if legal.call >= 0:
        given[Raise.CHECK_CALL] = CALLS
    if legal.low:
        mine = state.paid[view.seat] - state.start[view.seat]
        for name, added in ((Raise.RAISE_HALF_POT, view.pot // 2), (Raise.RAISE_POT, view.pot)):
            if legal.low <= mine + added < legal.high:
                given[name] = Action("r", mine + added)
        given[Raise.ALL_IN] = legal.bet(legal.high)
    return list(given), [name.value for name in given], list(given.values())
