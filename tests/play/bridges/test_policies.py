"""Policies of other people: tables, objects with one method, and games played with numbered actions."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cards.combos import holdem_combos
from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.measure import Measurement, measure
from headsup.play.bridges.policies import LowerBound, PolicyAgent, PolicyView, load_policy, measure_policy
from headsup.play.bridges.states import TableBridge, TableState, bridge_game
from headsup.play.table.agent import Mixed
from headsup.play.table.record import replay
from headsup.play.table.rules import CALLS, FOLDS, Deal, PlayerView, table
from headsup.solve import solve

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


class Uniform:
    def probabilities(self, seen: PolicyView) -> list[float]:
        return [1 / len(seen.actions)] * len(seen.actions)


class Caller:
    def probabilities(self, view: Any) -> list[Any]:
        return [(CALLS, 1.0)]


@pytest.mark.parametrize("game", ["kuhn", "leduc:merged=1", "rps"])
def test_an_object_with_one_method_is_measured_as_its_table(game: str) -> None:
    result = measure_policy(Uniform(), game)
    assert isinstance(result, Measurement)
    assert result.exploitability == pytest.approx(measure(game, [{}, {}]).exploitability, abs=1e-12)


def test_an_equilibrium_survives_the_way_through_an_object() -> None:
    solved = solve("kuhn", "lp")
    tables = [seat.table(row) for seat, row in zip(solved_form("kuhn").seats, solved.strategy, strict=True)]

    class Known:
        def probabilities(self, seen: PolicyView) -> dict[str, float]:
            return tables[seen.player][seen.infoset]

    result = measure_policy(Known(), "kuhn")
    assert isinstance(result, Measurement)
    assert result.exploitability < 1e-9


def solved_form(game: str) -> Any:
    from headsup.games import sequence_form

    return sequence_form(game)


def test_tables_in_csv_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["player,infoset,action,probability"]
    flat = {}
    form = solved_form("kuhn")
    for player, seat in enumerate(form.seats):
        for i in range(seat.n_infosets):
            name, actions = seat.labels.infoset(i), seat.actions(i)
            flat[name] = {actions[0]: 0.25, actions[1]: 0.75}
            rows += [f"{player},{name},{actions[0]},0.25", f"{player},{name},{actions[1]},0.75"]
    tables = [{name: row for name, row in flat.items() if f"{player},{name}," in "\n".join(rows)} for player in (0, 1)]
    wanted = measure("kuhn", tables).exploitability
    (tmp_path / "t.csv").write_text("\n".join(rows))
    (tmp_path / "t.json").write_text(json.dumps(flat))
    for name in ("t.csv", "t.json"):
        assert main(["measure", str(tmp_path / name), "--game", "kuhn", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["exploitability"] == pytest.approx(wanted, abs=1e-12)
    assert measure_policy(flat, "kuhn").summary()["exploitability"] == pytest.approx(wanted, abs=1e-12)
    assert main(["measure", str(tmp_path / "t.csv")]) == 2
    assert "add --game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "lacks the column player"),
        ("player,infoset,action,probability\n2,J|,c,1", "line 2: the player is 0 or 1"),
        ("player,infoset,action,probability\n0,J|,c,x", "line 2: the player is 0 or 1"),
        ("player,infoset,action,probability\n0,J|,c,1\n0,J|,c,1", "line 3: this action was given before"),
        ("player,infoset,action,probability\n0,J|,c,0.5", "add up to 0.5"),
        ("player,infoset,action,probability\n0,Z|,c,1", "no information set 'Z|'"),
        ("player,infoset,action,probability\n0,J|,x,1", "has no action 'x'"),
    ],
)
def test_a_wrong_table_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, why: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert main(["measure", str(path), "--game", "kuhn"]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert why in err


def test_random_tables_never_end_in_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(3)
    good = "player,infoset,action,probability\n0,J|,c,1\n1,Q|r,f,0.5\n1,Q|r,c,0.5\n"
    for ending, text in ((".csv", good), (".json", '{"J|": {"c": 1}, "Q|r": {"f": 0.5, "c": 0.5}}')):
        path = tmp_path / f"t{ending}"
        for _ in range(100):
            at = dice.randrange(len(text))
            path.write_text(text[:at] + dice.choice(',"{}0x\n|:-\0é') + text[at + dice.randrange(3) :])
            assert main(["measure", str(path), "--game", "kuhn"]) in (0, 2)
            assert len(capsys.readouterr().err.splitlines()) <= 1


def test_a_policy_named_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert main(["measure", "own_policy:Cautious", "--game", "leduc", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exact"]
    assert found["exploitability"] == pytest.approx(4 / 3)
    for command, why in (
        ("own_policy:Nothing --game leduc", "has no 'Nothing'"),
        ("no_such_module:x --game leduc", "cannot be imported"),
        ("own_policy:Cautious", "does not name its game"),
        ("own_policy:Cautious --game leduc --stack 3", "a stack is for hold'em"),
        ("own_policy:Cautious --game leduc --jobs 2", "is not for policies in Python"),
    ):
        assert main(["measure", *command.split()]) == 2
        assert why in capsys.readouterr().err
    with pytest.raises(UserError, match="is not module:name"):
        load_policy("os.system('x'):y")


def test_the_lower_bound_on_a_caller() -> None:
    result = measure_policy(Caller(), "holdem-nolimit", stack=5, hands=20)
    assert isinstance(result, LowerBound)
    assert result.mbb.mean > 0
    assert result.summary()["exact"] is False

    class Broken:
        def probabilities(self, view: Any) -> list[Any]:
            raise ZeroDivisionError("oops")

    with pytest.raises(UserError, match=r"the policy fails in hand 0 \(crash\)"):
        measure_policy(Broken(), "holdem-nolimit", stack=5, hands=10)


class ByRank:
    """Its answers depend on the hand; it counts how often it is asked."""

    def __init__(self) -> None:
        self.count = 0

    def probabilities(self, view: Any) -> list[Any]:
        self.count += 1
        strong = view.hole[0] // 4 + view.hole[1] // 4 >= 14
        if view.legal.fold and not strong:
            return [(FOLDS, 0.75), (CALLS, 0.25)]
        return [(view.legal.bet(view.legal.low), 1.0)] if view.legal.low and strong else [(CALLS, 1.0)]


class WholeRange(ByRank):
    def range_probabilities(self, view: Any) -> dict[Any, Any]:
        rows: dict[Any, Any] = {}
        for number, hole in enumerate(holdem_combos().tolist()):
            for action, share in ByRank.probabilities(self, view._replace(hole=tuple(hole))):
                rows.setdefault(action, np.zeros(1326))[number] = share
        return rows


def test_a_range_is_asked_only_for_hands_that_may_be_held() -> None:
    there = table("holdem-nolimit", 20.0)
    plain, kept = MixedTwin(), PolicyAgent(ByRank())
    view = PlayerView.at(there, there.root, (), (), ())
    reach = np.where(np.arange(1326) % 3 == 0, 0.5, 0.0)
    for action in (CALLS, view.legal.bet(view.legal.low)):
        np.testing.assert_array_equal(kept.narrow(view, action, reach), plain.narrow(view, action, reach))
    assert kept.policy.count == 442
    np.testing.assert_array_equal(kept.hand_probabilities(view, CALLS), plain.hand_probabilities(view, CALLS))
    assert kept.policy.count == 1326


class MixedTwin(Mixed):
    """The slow way: every hand is asked for every action."""

    name = "twin"

    def probabilities(self, view: Any) -> list[Any]:
        return ByRank().probabilities(view)


def test_answers_for_a_whole_range_are_those_of_each_hand() -> None:
    by_hand, whole = (measure_policy(policy(), "holdem-limit", hands=10, seed=3) for policy in (ByRank, WholeRange))
    assert isinstance(by_hand, LowerBound)
    assert isinstance(whole, LowerBound)
    assert by_hand.mbb == whole.mbb


@pytest.mark.parametrize("answer", [{CALLS: [1.0]}, {CALLS: np.full(1326, 0.5)}, {CALLS: np.full(1326, np.nan)}])
def test_a_wrong_answer_for_a_range_is_one_sentence(answer: dict[Any, Any]) -> None:
    policy = WholeRange()
    policy.range_probabilities = lambda view: answer  # type: ignore[method-assign]
    with pytest.raises(UserError, match="range_probabilities"):
        measure_policy(policy, "holdem-limit", hands=4)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "spades", "rps"])
def test_numbered_actions_lead_through_the_whole_game(name: str) -> None:
    """Every line by numbers ends as the tree does: the same payoffs, chance adding up to one."""
    game = bridge_game(name)
    total, ends = 0.0, 0
    waiting = [(game.root(), 1.0)]
    while waiting:
        state, reach = waiting.pop()
        if state.player == TERMINAL:
            ends += 1
            total += reach * state.returns()[0]
            continue
        moves = state.chance() if state.player == CHANCE else [(a, 1 / len(state.legal())) for a in state.legal()]
        assert sum(odds for _, odds in moves) == pytest.approx(1.0)
        for action, odds in moves:
            after = state.copy()
            after.act(action)
            waiting.append((after, reach * odds))
    assert total == pytest.approx(measure(name, [{}, {}]).value, abs=1e-12)
    assert ends > 2


@pytest.mark.parametrize(
    ("name", "stack"), [("holdem-limit", None), ("holdem-nolimit", 20.0), ("holdem-jamfold", 10.0)]
)
def test_hands_by_numbers_are_hands_of_the_table(name: str, stack: float | None) -> None:
    game, dice = bridge_game(name, stack), random.Random(5)
    assert isinstance(game, TableBridge)
    for _ in range(60):
        state = game.root()
        length = 0
        while state.player != TERMINAL:
            if state.player == CHANCE:
                state.act(dice.choice(state.chance())[0])
                continue
            for player in (0, 1):
                assert state.observe(player).shape == (game.size,)
                assert (state.observe(player) >= 0).all()
            length += 1
            state.act(dice.choice(state.legal()))
        assert isinstance(state, TableState)
        assert state.hand is not None
        again = replay(game.table, Deal((state.cards[:2], state.cards[2:4]), state.cards[4:]), [step.action for step in state.hand.steps])  # noqa: E501  # fmt: skip
        assert state.returns() == pytest.approx([chips / game.table.unit for chips in again.chips])
        assert length <= game.max_length
        assert max(map(abs, state.returns())) <= game.utility[1]
