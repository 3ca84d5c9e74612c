"""OpenSpiel: headsup's games as games of its Python API, and policies of OpenSpiel measured exactly.

    game = openspiel_game("leduc_nolimit")           # or pyspiel.load_game("headsup(game=leduc_nolimit)") after import
    measure_openspiel(policy, "leduc")               # a policy of pyspiel's own leduc_poker, or of one of our games

Games that both know are walked side by side, and their payoffs are compared at every end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from headsup.common.errors import UserError
from headsup.games.catalogue.forms import sequence_form
from headsup.games.catalogue.names import game as named_game
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.measure import Measurement, measure
from headsup.play.bridges.asked import AskedAgent
from headsup.play.bridges.states import BridgeGame, BridgeState, TableBridge, TableState, bridge_game
from headsup.play.table.agent import ActionProbabilities
from headsup.play.table.rules import PlayerView

NAME = "headsup"
_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="A game of headsup",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"game": "kuhn", "stack": 0.0},
)


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of headsup for OpenSpiel; `stack` is for hold'em, in big blinds."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {"game": "kuhn", "stack": 0.0, **(params or {})}
        self.bridge: BridgeGame = bridge_game(str(given["game"]), float(given["stack"]) or None)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.bridge.action_names),
            max_chance_outcomes=self.bridge.max_chance,
            num_players=2,
            min_utility=self.bridge.utility[0],
            max_utility=self.bridge.utility[1],
            utility_sum=0.0,
            max_game_length=self.bridge.max_length,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> OpenSpielState:
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        return OpenSpielObserver(self.bridge.size)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.bridge: BridgeState = game.bridge.root()

    def current_player(self) -> int:
        who = self.bridge.player
        return {CHANCE: int(pyspiel.PlayerId.CHANCE), TERMINAL: int(pyspiel.PlayerId.TERMINAL)}.get(who, who)

    def _legal_actions(self, player: int) -> list[int]:
        return self.bridge.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.bridge.chance()

    def _apply_action(self, action: int) -> None:
        self.bridge = self.bridge.copy()
        self.bridge.act(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.bridge.action_name(int(action))

    def is_terminal(self) -> bool:
        return self.bridge.player == TERMINAL

    def returns(self) -> list[float]:
        return list(self.bridge.returns())

    def __str__(self) -> str:
        return " / ".join(self.bridge.knows(player) for player in (0, 1)) + f" {self.history()}"


class OpenSpielObserver:
    """What a player knows, as OpenSpiel asks for it."""

    def __init__(self, size: int) -> None:
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        self.tensor[:] = state.bridge.observe(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return state.bridge.knows(player)


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_TYPE, OpenSpielGame)


def openspiel_game(name: str, stack: float | None = None) -> OpenSpielGame:
    """One of headsup's games as an OpenSpiel game."""
    return OpenSpielGame({"game": name, **({} if stack is None else {"stack": float(stack)})})


# --- policies ---------------------------------------------------------------------------------------------------------

Numbers = Callable[[list[str]], list[int]]  # OpenSpiel's numbers of the actions f, c and r at a decision


def _pass_or_bet(names: list[str]) -> list[int]:
    """Kuhn: a check or fold is 0, a bet or call 1."""
    return list(range(len(names)))


def _fold_call_raise(names: list[str]) -> list[int]:
    return ["fcr".index(name) for name in names]


TWINS: dict[str, tuple[str, Numbers]] = {
    "kuhn": ("kuhn_poker", _pass_or_bet),
    "leduc": ("leduc_poker", _fold_call_raise),
}
"""Games that both libraries have: OpenSpiel's name, and its numbers of actions."""


def headsup_name(game: Any) -> str:
    """What headsup calls a game of OpenSpiel; UserError if it has none like it."""
    kind = game.get_type().short_name
    if kind == NAME:
        return str(game.get_parameters()["game"])
    names = {theirs: ours for ours, (theirs, _) in TWINS.items()}
    names |= {f"python_{theirs}": ours for theirs, ours in names.items()}
    if kind not in names:
        known = ", ".join([*names, f"{NAME}(game=...)"])
        raise UserError(f"OpenSpiel's {kind} is not a game of headsup: known are {known}")
    return names[kind]


def openspiel_tables(policy: Any, game: str) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """A policy of OpenSpiel by headsup's information sets.

    Args:
        policy: an object with `action_probabilities(state)`, or a mapping from information state strings to
            probabilities by action number.
        game: headsup's name of the game; the policy is of OpenSpiel's twin, or of `openspiel_game(game)`.
    """
    rules = named_game(game)
    if not isinstance(rules, Game):
        raise UserError(f"{game} is too large to ask a policy everywhere: choose a small game, such as leduc")
    theirs = getattr(policy, "game", None)
    own = theirs is not None and theirs.get_type().short_name == NAME
    if own or str(rules) not in TWINS:
        start, number = openspiel_game(game).new_initial_state(), None
    else:
        start, number = pyspiel.load_game(TWINS[str(rules)][0]).new_initial_state(), TWINS[str(rules)][1]
    tables: tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]] = ({}, {})
    _walk(rules, rules.root(), start, number, policy, tables)
    return tables


def _walk(rules: Game, ours: Any, theirs: Any, number: Numbers | None, policy: Any, tables: Any) -> None:
    """Both games side by side."""
    who = rules.player(ours)
    if who == TERMINAL:
        if not theirs.is_terminal() or abs(theirs.returns()[0] - rules.payoff(ours)) > 1e-9:
            raise UserError(f"{rules} is another game in OpenSpiel: the payoffs differ after {theirs}")
        return
    names = list(rules.actions(ours))
    if who == CHANCE:
        numbers = [outcome for outcome, _ in theirs.chance_outcomes()]
    else:
        actions = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
        numbers = [actions[name] for name in names] if number is None else number(names)
        known = rules.infoset(ours)
        if known not in tables[who]:
            tables[who][known] = dict(zip(names, _asked(policy, theirs, numbers), strict=True))
    if len(numbers) != len(names):
        raise UserError(
            f"{rules} is another game in OpenSpiel: it has {len(numbers)} actions where ours has {len(names)}"
        )
    for index, action in enumerate(numbers):
        _walk(rules, rules.next(ours, index), theirs.child(action), number, policy, tables)


def _asked(policy: Any, state: Any, numbers: list[int]) -> list[float]:
    """The probabilities of some actions."""
    if isinstance(policy, Mapping):
        text = state.information_state_string()
        if text not in policy:
            raise UserError(f"the policy has no information state '{text[:60]}'")
        given = policy[text]
        probabilities = dict(given) if not isinstance(given, Mapping) else given
        return [float(probabilities.get(action, probabilities.get(str(action), 0.0))) for action in numbers]
    probabilities = dict(policy.action_probabilities(state))
    return [float(probabilities.get(action, 0.0)) for action in numbers]


def measure_openspiel(policy: Any, game: str | None = None) -> Measurement:
    """The exact exploitability of a policy of OpenSpiel; the game is the policy's own unless it is named."""
    name = game if game is not None else headsup_name(_game_of(policy))
    form = sequence_form(named_game(name))
    return measure(form, list(openspiel_tables(policy, name)))


def _game_of(policy: Any) -> Any:
    game = getattr(policy, "game", None)
    if game is None:
        raise UserError("the policy does not name its game: give headsup's name, such as leduc")
    return game


class OpenSpielPlayer(AskedAgent):
    """A policy of `openspiel_game(TABLE)` as an agent of the arena."""

    name = "openspiel"

    def __init__(self, policy: Any, game: OpenSpielGame) -> None:
        if not isinstance(game.bridge, TableBridge):
            raise UserError(f"{game.bridge.name} is not played at a table: measure its policy with measure_openspiel")
        self.policy, self.game, self.bridge = policy, game, game.bridge
        self._state = game.new_initial_state()
        self._at: tuple[tuple[Any, ...], TableState] = (), game.bridge.root()

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        key = (view.seat, view.board, view.steps)
        if self._at[0] != key:
            self._at = key, TableState.of_view(self.bridge, view)
        seen = self._at[1].with_hole(view.seat, view.hole)
        self._state.bridge = seen
        given = dict(self.policy.action_probabilities(self._state, view.seat))
        return [(seen.action_of(action), float(p)) for action, p in given.items() if p > 0.0]
