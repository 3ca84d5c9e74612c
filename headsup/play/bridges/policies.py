"""Other people's policies: exactly measured where the game allows it, and from below by local best response elsewhere.

A policy may be

    an OpenSpiel policy     anything with `action_probabilities(state)`
    an RLCard agent         anything with `eval_step(state)`
    an object of your own   one method, `probabilities(seen)`: probabilities by action name, or in the order of the
                            actions. In a small game `seen` is a `PolicyView`; at a table it is a `PlayerView`, and the
                            method returns pairs of an action and its probability (`headsup.play.table.agent.Mixed`);
                            `range_probabilities(seen)`, if there is one, answers for all 1,326 hands at once
    a table                 probabilities by information set and action, as mappings, CSV or JSON
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.common.checks import finite, quoted, whole
from headsup.common.errors import DataError, UserError
from headsup.common.files import read_text
from headsup.common.progress import Progress, Watch
from headsup.games.catalogue.forms import sequence_form
from headsup.games.catalogue.names import game as named_game
from headsup.games.contract.game import Game
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.measure import Measurement, measure
from headsup.play.bridges.asked import AskedAgent
from headsup.play.statistics.interval import ConfidenceInterval, fixed
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import TABLES, Action, PlayerView, Table, table

MODULE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
COLUMNS = ("player", "infoset", "action", "probability")
METHODS = ("action_probabilities", "eval_step", "probabilities", "rows")
HANDS, LBR = 1000, "lbr:0.5,1,a"


class PolicyView(NamedTuple):
    """What a policy of a small game is asked."""

    game: str
    player: int
    infoset: str
    actions: tuple[str, ...]


@dataclass(frozen=True)
class LowerBound:
    """What local best response wins from an agent: its exploitability is at least that, up to the interval."""

    game: str
    agent: str
    hands: int
    mbb: ConfidenceInterval  # per hand

    def summary(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "exact": False,
            "exploitability_mbb": None,
            "lower_bound_mbb": self.mbb.mean,
            "interval_mbb": self.mbb.bounds,
            "method": LBR,
            "hands": self.hands,
        }


# --- what the user names ----------------------------------------------------------------------------------------------


def load_policy(name: str) -> Any:
    """The policy of `module:name`, from the current folder or an installed package. A class or a function without
    arguments is called.
    """
    if not MODULE.fullmatch(name):
        raise UserError(f"'{name}' is not module:name, such as mybot:policy")
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        loaded = import_module(module)
    except ImportError as error:
        raise UserError(f"the module {module} cannot be imported ({error}): name one in this folder") from error
    if not hasattr(loaded, attribute):
        raise UserError(f"the module {module} has no '{attribute}': name an object of it")
    policy = getattr(loaded, attribute)
    is_policy = any(hasattr(policy, method) for method in METHODS)
    return policy() if isinstance(policy, type) or (callable(policy) and not is_policy) else policy


def read_tables(path: str, game: str) -> tuple[SequenceForm, Profile]:
    """A table of information sets: CSV with the columns player, infoset, action, probability, or flat JSON.

    In JSON, probabilities are by action within information sets. Information sets that are left out play every action
    equally often.
    """
    form = small_form(game)
    text = read_text(path)
    if path.lower().endswith(".csv"):
        return form, profile_of(form, _read_csv(path, text))
    try:
        flat = json.loads(text)
    except (ValueError, RecursionError):
        raise DataError(f"'{path}' is not JSON: write {{INFORMATION_SET: {{ACTION: PROBABILITY}}}}") from None
    if not isinstance(flat, dict):
        raise DataError(f"'{path}' is not an object: write {{INFORMATION_SET: {{ACTION: PROBABILITY}}}}")
    return form, profile_of(form, flat)


def _read_csv(path: str, text: str) -> list[dict[str, dict[str, float]]]:
    rows = csv.DictReader(io.StringIO(text))
    missing = [column for column in COLUMNS if column not in (rows.fieldnames or ())]
    if missing:
        raise DataError(f"'{path}' lacks the column {missing[0]}: the first line is {','.join(COLUMNS)}")
    tables: list[dict[str, dict[str, float]]] = [{}, {}]
    for number, row in enumerate(rows, start=2):
        try:
            seat, value = int(str(row["player"])), float(str(row["probability"]))
        except ValueError:
            seat, value = -1, 0.0
        if seat not in (0, 1):
            raise DataError(f"'{path}', line {number}: the player is 0 or 1, and the probability a number")
        actions = tables[seat].setdefault(str(row["infoset"]), {})
        if str(row["action"]) in actions:
            raise DataError(f"'{path}', line {number}: this action was given before")
        actions[str(row["action"])] = value
    return tables


def small_form(game: str) -> SequenceForm:
    """The sequence form of a small game."""
    rules = named_game(game)
    if not isinstance(rules, Game):
        raise UserError(f"{game} is too large for a table of information sets: choose a small game, such as leduc")
    return sequence_form(rules)


def profile_of(form: SequenceForm, tables: Any) -> Profile:
    """Both strategies from tables: a pair, or one mapping whose information sets belong to either player."""
    if not isinstance(tables, Mapping):
        return form.seats[0].from_table(tables[0]), form.seats[1].from_table(tables[1])
    names = [{seat.labels.infoset(i) for i in range(seat.n_infosets)} for seat in form.seats]
    unknown = [name for name in tables if name not in names[0] | names[1]]
    if unknown:
        raise UserError(f"{form.name} has no information set '{str(unknown[0])[:60]}'")
    first, second = ({name: row for name, row in tables.items() if name in own} for own in names)
    return form.seats[0].from_table(first), form.seats[1].from_table(second)


# --- measuring --------------------------------------------------------------------------------------------------------


def measure_policy(
    policy: Any,
    game: str | None = None,
    *,
    stack: float | None = None,
    hands: int = HANDS,
    seed: int = 0,
    progress: Watch | None = None,
) -> Measurement | LowerBound:
    """Measure any policy (see the module's text).

    Args:
        policy: what is measured.
        game: the game by name; an OpenSpiel policy may know its own, and an RLCard agent's is RLCard's Leduc.
        stack: in hold'em at a table, in big blinds.
        hands: at a table, how many hands local best response plays, each deal twice with the seats exchanged.
        seed: of the cards at a table.
        progress: hears how many hands were played.
    """
    if isinstance(policy, type):
        raise UserError(f"a policy is an object, not the class {policy.__name__}: make one of it")
    if game in TABLES:
        return lower_bound(_agent(policy, game, stack), table(game, stack), hands, seed, progress)
    if stack is not None:
        raise UserError("a stack is for hold'em at a table, such as holdem-nolimit: leave it out")
    if hasattr(policy, "eval_step"):
        return _rlcard(policy, game)
    if hasattr(policy, "action_probabilities"):
        from headsup.play.bridges.openspiel_games import measure_openspiel

        return measure_openspiel(policy, game)
    if game is None:
        raise UserError("the policy does not name its game: give it, such as leduc")
    if isinstance(policy, Mapping):
        form = small_form(game)
        return measure(form, profile_of(form, policy))
    if hasattr(policy, "probabilities") and not hasattr(policy, "rows"):
        form = small_form(game)
        return measure(form, asked_everywhere(form, policy))
    return measure(game, policy)


def asked_everywhere(form: SequenceForm, policy: Any) -> Profile:
    """The strategies of an object with `probabilities(seen)`, asked at every information set."""
    strategies = []
    for player, seat in enumerate(form.seats):
        rows = {}
        for i in range(seat.n_infosets):
            view = PolicyView(form.name, player, seat.labels.infoset(i), seat.actions(i))
            rows[view.infoset] = _row(view, policy.probabilities(view))
        strategies.append(seat.from_table(rows))
    return strategies[0], strategies[1]


def _row(view: PolicyView, answer: Any) -> dict[str, float]:
    if isinstance(answer, Mapping):
        wrong = [name for name in answer if name not in view.actions]
        if wrong:
            raise UserError(f"the policy answers '{wrong[0]}' at '{view.infoset}', which has {', '.join(view.actions)}")
        return {str(name): finite(value, f"a probability at '{view.infoset}'") for name, value in answer.items()}
    values = list(answer) if hasattr(answer, "__iter__") else []
    if len(values) != len(view.actions):
        raise UserError(
            f"the policy answers {quoted(answer)} at '{view.infoset}': give one probability for each of "
            f"{', '.join(view.actions)}"
        )
    return {name: finite(float(value), f"a probability at '{view.infoset}'") for name, value in zip(view.actions, values, strict=True)}  # noqa: E501  # fmt: skip


def _rlcard(agent: Any, game: str | None) -> Measurement:
    try:
        from headsup.play.bridges.rlcard_agents import LEDUC, measure_rlcard
    except ImportError:
        raise UserError("an RLCard agent needs RLCard: install it with  pip install rlcard") from None
    if game not in (None, LEDUC):
        raise UserError(f"an RLCard agent is measured in {LEDUC}, holdem-limit or holdem-nolimit, not in {game}")
    return measure_rlcard(agent)


class PolicyAgent(AskedAgent):
    """An object with `probabilities(view)` as an agent."""

    def __init__(self, policy: Any) -> None:
        self.policy, self.name = policy, str(getattr(policy, "name", type(policy).__name__))

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        answer = self.policy.probabilities(view)
        return list(answer.items()) if hasattr(answer, "items") else list(answer)

    def range_answers(self, view: PlayerView) -> Mapping[Action, Any] | None:
        ask = getattr(self.policy, "range_probabilities", None)
        return None if ask is None else dict(ask(view._replace(hole=())))


def _agent(policy: Any, game: str, stack: float | None) -> Agent:
    if isinstance(policy, Mixed):
        return policy
    if hasattr(policy, "eval_step"):
        try:
            from headsup.play.bridges.rlcard_agents import RLCardPlayer
        except ImportError:
            raise UserError("an RLCard agent needs RLCard: install it with  pip install rlcard") from None
        return RLCardPlayer(policy)
    if hasattr(policy, "action_probabilities"):
        from headsup.play.bridges.openspiel_games import OpenSpielPlayer, openspiel_game

        return OpenSpielPlayer(policy, openspiel_game(game, stack))
    if hasattr(policy, "probabilities"):
        return PolicyAgent(policy)
    raise UserError(
        f"{type(policy).__name__} cannot be measured at a table: give it a method probabilities(view) that returns "
        "actions with their probabilities"
    )


def lower_bound(agent: Agent, there: Table, hands: int = HANDS, seed: int = 0, progress: Watch | None = None) -> LowerBound:  # noqa: E501  # fmt: skip
    """What local best response wins from an agent, per hand; each deal is played from both seats."""
    pairs = whole(hands, "hands", 4) // 2
    response = make_agent(LBR, there)
    response.meet(agent)  # type: ignore[attr-defined]
    referee = Referee((response, agent), seed)
    referee.start(there)
    scores = np.zeros(pairs)
    for pair in range(pairs):
        deal = there.deal_number(seed, pair)
        for dealer in (0, 1):
            record = referee.play(there, deal, 2 * pair + dealer, dealer)
            for fault in record.faults:
                raise UserError(f"the policy fails in hand {record.number} ({fault.kind}): {fault.text}")
            scores[pair] += record.chips[dealer] / 2
        if progress is not None:
            progress(Progress(2 * (pair + 1), 2 * pairs, "local best response", unit="hands"))
    return LowerBound(there.name, agent.name, 2 * pairs, fixed(1000.0 * scores / there.unit))
