"""Charts that ship: reach and hands met by NumPy alone agree with the compiled walk, and figures add up."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_sizes, parse_holdem_class
from headsup.cards.combos import colex
from headsup.cards.ranges.parser import parse_range
from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.betting.stakes import CHIPS
from headsup.games.holdem.vector import ArrayStrategy
from headsup.games.walk.walk import look_inside
from headsup.preflop import shipped
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.compare import PreflopComparison, compare_checked_down, compare_solutions
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.preflop.view import hands_met, node_after, reach_of, row_counts, rows_at
from tests.solve import compiled

EVERY = shipped_stacks()


def decisions(chart: PreflopChart) -> list[str]:
    """The lines to every decision of a chart, in big blinds."""
    lines, waiting = [], [""]
    while waiting:
        line = waiting.pop()
        lines.append(line)
        betting = chart.setting.betting
        for action in chart.at(line).actions:
            longer = f"{line}, {action}" if line else action
            try:
                chart.at(longer)
            except UserError:
                continue
            waiting.append(longer)
        assert len(lines) <= betting.n_nodes
    return lines


@compiled
@pytest.mark.parametrize("stack", EVERY[:1])
def test_reach_and_hands_met_agree_with_the_compiled_walk(stack: int) -> None:
    chart = shipped_preflop(stack)
    game, betting = chart.setting.chart, chart.setting.betting
    policy = chart.probabilities[0].ravel(), chart.probabilities[1].ravel()
    for seat in (0, 1):
        seen = look_inside(game, ArrayStrategy(game, policy), seat, [0])
        for node in range(betting.n_nodes):
            for p in (0, 1):
                assert reach_of(betting, chart.probabilities, node, p) == pytest.approx(seen.reach[p][node])
            met = game.showdown.lines(seat, 0, 0, seen.reach[1 - seat][node][None], 0)[1][0]
            assert hands_met(seen.reach[1 - seat][node]) == pytest.approx(met, abs=1e-9)
            if betting.player[node] == seat:
                assert rows_at(betting, node).start == game.rounds.row[node]
    assert row_counts(betting) == (game.rounds.rows[0, 0], game.rounds.rows[1, 0])


@pytest.mark.parametrize("stack", EVERY)
def test_values_of_shipped_charts_add_up(stack: int) -> None:
    chart = shipped_preflop(stack)
    assert chart.stack == stack
    first = chart.at("")
    mean = (first.frequencies * first.ev).sum(axis=0) @ holdem_class_sizes() / 1326
    assert mean == pytest.approx(chart.value_sb, abs=0.02 + 2 * chart.exploitability_mbb / 1000)
    for line in decisions(chart):
        view = chart.at(line)
        assert np.allclose(view.frequencies.sum(axis=0), 1.0, atol=1e-6), line
        for action in view.table():
            assert 0.0 <= action["frequency"] <= 1.0
            assert abs(action["ev_bb"] or 0.0) <= stack


@pytest.mark.parametrize("stack", EVERY)
def test_an_action_of_a_shipped_chart_loses_no_more_than_is_put_in(stack: int) -> None:
    """The value of an action is followed by best play, also for hands that never take it."""
    chart = shipped_preflop(stack)
    betting = chart.setting.betting
    for seat, line in chart.lines:
        view, node = chart.at(line), node_after(betting, line)
        for action in range(len(view.actions)):
            paid = betting.paid[int(betting.child[node]) + action, ("sb", "bb").index(seat)] / CHIPS
            assert np.nanmin(view.ev[action]) >= -paid - 1e-3, (line, view.actions[action])


@pytest.mark.parametrize("stack", EVERY)
def test_ranges_after_a_limp_are_the_frequencies_of_the_chart(stack: int) -> None:
    chart = shipped_preflop(stack)
    assert chart.sees_flop("call, check")
    assert not chart.sees_flop("call")
    sb, bb = (parse_range(text).weights for text in chart.ranges("call, check"))
    each = {"sb": chart.at("").hand("JTs"), "bb": chart.at("call").hand("JTs")}
    number = colex(parse_cards("JsTs"))
    assert sb[number] == pytest.approx(each["sb"]["frequencies"]["call"], abs=0.0051)
    assert bb[number] == pytest.approx(each["bb"]["frequencies"]["check"], abs=0.0051)


def made_up(setting: Setting) -> PreflopChart:
    """Every action equally often, and worth nothing."""
    betting, tables = setting.betting, []
    for seat, rows in enumerate(row_counts(betting)):
        table = np.zeros((rows, 169))
        for node in np.flatnonzero(betting.player == seat).tolist():
            table[rows_at(betting, node)] = 1.0 / betting.count[node]
        tables.append(table)
    about = {**asdict(setting), "value_sb_bb": 0.0, "exploitability_mbb": 750.0, "exact": False, "flops": 25}
    none = np.zeros_like(tables[0]), np.zeros_like(tables[1])
    return PreflopChart(about, (tables[0], tables[1]), none)


def test_a_menu_with_two_sizes_and_a_smaller_raise_again() -> None:
    chart = made_up(Setting(20.0, "2x, 3x, a; 3x, a; a"))
    assert chart.at("").actions == ("fold", "call", "raise 2", "raise 3", "all-in 20")
    assert chart.at("raise 2").actions == ("fold", "call", "raise 6", "all-in 20")
    assert ("sb", "raise 2, raise 6") in chart.lines
    assert ("bb", "raise 3, raise 9, all-in") in chart.lines
    assert chart.pot("raise 2, raise 6, call") == (12.0, 14.0)
    assert not chart.sees_flop("raise 2, raise 6")
    sb, bb = (parse_range(text).weights for text in chart.ranges("raise 2, raise 6, call"))
    assert sb == pytest.approx(np.full(1326, round(1 / 5 * 1 / 3, 3)))
    assert bb == pytest.approx(np.full(1326, 1 / 4))
    assert chart.at("raise 2, raise 6").weights == pytest.approx(holdem_class_sizes() / 1326)


def test_thin_ranges_keep_their_hands() -> None:
    """Weights of a line that is rarely played are rounded by the greatest of them."""
    for stack in EVERY:
        chart = shipped_preflop(stack)
        betting = chart.setting.betting
        for line in ("call, check", "raise 2, call", "call, raise 2, call"):
            node = node_after(betting, line, ended=True)
            for seat, text in enumerate(chart.ranges(line)):
                reach = reach_of(betting, chart.probabilities, node, seat)
                lost = reach.sum() - parse_range(text).weights.sum()
                assert abs(lost) < 0.02 * reach.sum(), (stack, line, seat)


def test_a_flop_that_few_deals_reach_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    common, rare = (answered(capsys, "--stack", "10", "--line", line) for line in ("call, check", "raise 2, call"))
    assert common["caution"] is None
    view = shipped_preflop(10).at("call")
    assert common["reached"] == pytest.approx(view.reached * view.totals["check"])
    assert rare["caution"].endswith("of deals reach this flop: ranges are less reliable")


def test_a_mix_that_loses_is_followed_by_the_best_action(capsys: pytest.CaptureFixture[str]) -> None:
    view = shipped_preflop(8).at("raise 2")
    names = [hand for hand in ("AA", "KK", "QQ", "AKs", "72o") if view.hand(hand)["loss_bb"] > 0.02]
    for name in ("AA", "KK", "QQ", "AKs", "72o"):
        hand = view.hand(name)
        assert hand["best"] == max(hand["ev"], key=hand["ev"].__getitem__)
        main(["preflop", "--stack", "8", "--line", "raise 2", "--hand", name])
        words = f"by these values {hand['best']} earns {hand['loss_bb']:.3f} bb more than this mix"
        assert (words in capsys.readouterr().out) == (name in names)


def test_the_menu_of_a_chart_may_be_written_in_other_ways(capsys: pytest.CaptureFixture[str]) -> None:
    for menu in ("2x, a", "a,2x", " 2x,a"):
        assert main(["preflop", "--stack", "12", "--bets", menu]) == 0
        said = capsys.readouterr()
        assert not said.err
        assert "a; a before the flop | 75%" in said.out


def test_a_size_that_is_all_in_at_the_stack_of_the_chart_alone_is_another_menu(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """12 of 13 big blinds are not all-in, though they are at 12, for which the nearest chart is."""
    assert main(["preflop", "--stack", "13", "--bets", "2x, 12x", "--iterations", "1"]) == 0
    assert "no chart ships with --bets (the one for 12 bb has --bets '2x, a'" in capsys.readouterr().err


def test_a_menu_without_limp() -> None:
    chart = made_up(Setting(8.0, "a", limp=False))
    assert chart.lines == [("sb", ""), ("bb", "all-in")]
    assert "no limp" in chart.menu
    with pytest.raises(UserError, match="where there is fold, all-in 8"):
        chart.at("call")


def test_another_stack_is_answered_from_the_nearest() -> None:
    low, high = EVERY[0], EVERY[-1]
    assert shipped_preflop(4).stack == low
    assert shipped_preflop(high + 0.3).stack == high
    for stack in (3.9, 30.5, 0):
        with pytest.raises(UserError, match="give a stack from 4 to 30"):
            shipped_preflop(stack)


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["preflop", *words, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


KEYS = {"stack", "actions", "value_sb_bb", "exploitability_mbb", "exact"}


@pytest.mark.parametrize("more", [(), ("--hand", "A5s"), ("--line", "call"), ("--line", "all-in", "--hand", "K7o")])
def test_the_shipped_answer_as_json(more: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    answer = answered(capsys, "--stack", str(EVERY[0]), *more)
    assert answer.keys() >= KEYS
    assert answer["stack"] == EVERY[0]
    assert all(action.keys() == {"name", "frequency", "ev_bb"} for action in answer["actions"])
    assert sum(action["frequency"] for action in answer["actions"]) == pytest.approx(1.0, abs=1e-6)


def test_checked_down_prints_the_same_keys(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answered(capsys, "--stack", "5", "--checked-down", "--iterations", "5")
    assert answer.keys() >= KEYS
    assert answer["exact"] is True
    assert [action["name"] for action in answer["actions"]] == ["fold", "call", "raise 2.5", "all-in 5"]


def test_a_game_of_your_own_is_checked_down_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("preflop", "--stack", "5", "--bets", "a", "--iterations", "2", "--json")
    assert main([*words]) == 0
    said = capsys.readouterr()
    assert (
        "no chart ships with --bets (the one for 5 bb has --bets '2x, a' --raises 'a'); pots are checked down"
        in said.err
    )
    assert "checked down" in json.loads(said.out)["note"]
    assert main([*words, "--checked-down"]) == 0
    assert "no chart ships" not in capsys.readouterr().err


def test_ranges_of_the_exploitability_name_what_they_leave_out() -> None:
    """`docs/preflop.md` has which: the chart for 10 big blinds is exact, and only the older ones leave it out."""
    for stack in EVERY:
        text = shipped_preflop(stack).exploitability_text
        assert text.endswith(", without the error of the sample") == (stack < 10)
    assert shipped_preflop(10).exploitability_text == "7.879 mbb/g, exact over all flops"
    assert shipped_preflop(12).exploitability_text == "7.1 mbb/g, estimated from 100 of 1,755 flops: 4.6 to 9.5"
    assert shipped_preflop(20).exploitability_text == "8.6 mbb/g, estimated from 70 of 1,755 flops: 0.6 to 16.5"


def test_decisions_are_marked_where_the_mix_contradicts_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    chart = shipped_preflop(8)
    view, total = chart.at("raise 2"), 0.0
    for number, weight in enumerate(view.weights):
        mix = sum(view.frequencies[action, number] * view.ev[action, number] for action in range(len(view.actions)))
        total += weight * (view.ev[:, number].max() - mix)
    assert view.loss_mbb == pytest.approx(1000 * total)
    assert view.reached == pytest.approx(chart.at("").totals["raise 2"], abs=1e-3)
    assert chart.at("").reached == pytest.approx(1.0)
    answer = answered(capsys, "--stack", "8", "--line", "raise 2")
    assert (answer["reached"], answer["loss_mbb"], answer["caution"]) == (view.reached, view.loss_mbb, view.caution)
    assert view.caution == "the mix loses 181.1 mbb here by its own values: frequencies or values are less reliable"
    assert "only 0.315% of deals reach this decision: freq" in (chart.at("raise 2, all-in").caution or "")
    assert chart.at("").caution is None
    for more in (("--hand", "JTs"), ("--compare", str(shipped.DATA / "preflop-8.headsup"))):
        assert main(["preflop", "--stack", "8", "--line", "raise 2", *more]) == 0
        shown = capsys.readouterr().out
        assert "by 0.75% of deals" in shown
        assert "the mix loses 181.1 mbb here by its own values" in shown


def test_charts_that_may_be_far_from_equilibrium_say_so_at_every_decision(capsys: pytest.CaptureFixture[str]) -> None:
    for stack in EVERY:
        chart = shipped_preflop(stack)
        assert (chart.rough, chart.about["high_mbb"] < 30.0) == ("", True)
        far = PreflopChart({**chart.about, "high_mbb": 30.1}, chart.probabilities, chart.ev)
        assert "may be off by some tenths of a bb" in (far.at("").caution or "")
    exact = answered(capsys, "--stack", "10", "--line", "call")["caution"]
    assert exact == "the mix loses 13.8 mbb here by its own values: frequencies are less reliable"


def test_options_that_ask_for_what_ships_are_answered_by_the_chart(capsys: pytest.CaptureFixture[str]) -> None:
    known = answered(capsys, "--stack", "15")
    for words in (["--ante", "0"], ["--small-blind", "0.5"], ["--bets", "2x, a", "--raises", "2.5x, a; a"]):
        assert answered(capsys, "--stack", "15", *words) == known
    assert answered(capsys, "--stack", "15", "--ante", "0.1")["exploitability_mbb"] != known["exploitability_mbb"]


def test_the_nearest_chart_has_the_smallest_ratio() -> None:
    assert [shipped_preflop(stack).stack for stack in (6.4, 13.4, 13.5, 22.4)] == [8.0, 12.0, 15.0, 25.0]


def test_a_pot_is_given_in_chips_of_a_spot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflop", "--stack", "12", "--line", "call, check"]) == 0
    assert "--pot 200 --stack 1100: 100 chips are a big blind" in capsys.readouterr().out


def test_measuring_a_chart_names_the_command_that_does(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(shipped.DATA / "preflop-5.headsup")
    assert main(["measure", path]) == 2
    assert f"measure it with  python -m headsup.preflop.all_flops {path} --work" in capsys.readouterr().err
    assert main(["measure", path, "--recorded"]) == 2
    assert f"headsup preflop {path} prints what it was measured at" in capsys.readouterr().err


def test_a_hand_that_never_gets_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    line = ("--stack", "25", "--line", "limp, all-in")
    assert answered(capsys, *line, "--hand", "72o")["hand"]["never"] is True
    assert answered(capsys, *line, "--hand", "AA")["hand"]["never"] is False
    assert main(["preflop", *line, "--hand", "72o"]) == 0
    assert "72o: this hand never gets here" in capsys.readouterr().out


def test_json_names_the_stack_that_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ((), ("--line", "call, check"), ("--compare", str(shipped.DATA / "preflop-12.headsup"))):
        answer = answered(capsys, "--stack", "13.4bb", *more)
        assert (answer["asked_stack"], answer["stack"]) == (13.4, 12.0)
    assert "asked_stack" not in answered(capsys, str(shipped.DATA / "preflop-12.headsup"))


def test_ranges_where_the_flop_comes(capsys: pytest.CaptureFixture[str]) -> None:
    answer = answered(capsys, "--stack", str(EVERY[0]), "--line", "call, check")
    assert answer.keys() >= KEYS
    assert answer["ranges"].keys() == {"sb", "bb"}
    assert main(["preflop", "--stack", str(EVERY[0]), "--line", "call, check"]) == 0
    assert "range of bb" in capsys.readouterr().out


def test_players_words_are_read_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    lines = (
        *(("limp", "call"), ("Limp, jam", "call, all-in"), ("jam", "all-in"), ("Raise 2BB, All-In", "raise 2, all-in")),
        *(("shove", "all-in"), ("Allin 10bb", "all-in"), ("CALL, all in", "call, all-in")),
    )
    for words, same in lines:
        given, plain = (answered(capsys, "--stack", "10", "--line", line) for line in (words, same))
        assert given["actions"] == plain["actions"]


def test_the_nearest_stack_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflop", "--stack", f"{EVERY[-1] + 0.3:g}", "--hand", "AA"]) == 0
    said = capsys.readouterr()
    assert f"this is the nearest, for {EVERY[-1]} bb" in said.err
    assert "exploitability" in said.out
    assert "before the flop" in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--stack", "3.9"), f"(those that ship: {', '.join(map(str, EVERY))})"),
        (("--stack", "31"), "give a stack from 4 to 30"),
        (("--line", "raise 9"), "'raise 9' is not possible here, where there is fold, call, "),
        (("--line", "call, limp"), "'limp' is not possible here, where there is check, "),
        (("--line", "call, check, check"), "not possible then: the flop comes, where the chart ends"),
        (("--line", "call, check", "--compare", "checked-down"), "the flop comes, where the chart ends: leave"),
        (("--line", "jam, call", "--compare", "checked-down"), "after 'jam, call' both players are all-in"),
        (("--line", "fold"), "after 'fold' the hand is over and nobody acts"),
        (("--line", "call, check", "--hand", "AA"), "leave out the hand"),
        (("--hand", "AKx"), "'AKx' is not one hold'em hand class"),
        (("--hand", "A5s+"), "'A5s+' is not a hold'em hand class: write two ranks and s or o"),
        (("--flop", "75%"), "--flop is for play after the flop: add --solve"),
        (("--target", "5"), "--target is for solving: add --solve or --checked-down"),
        (("--iterations", "5"), "--iterations is for solving: add --solve or --checked-down"),
        (("--seconds", "5"), "--seconds is for solving: add --solve or --checked-down"),
        (("--method", "lp"), "--method is for solving: add --solve or --checked-down"),
        (("--most", "3"), "--most is for a comparison: add --compare checked-down"),
        (("--compare", "checked-down", "--hand", "AA"), "--hand does not go with --compare"),
        (("--compare", "no-such-file"), "no-such-file"),
        (("--checked-down", "--bets", "40x"), "--bets 40x is more than the stack, 5 bb after the ante: write a"),
        (("--solve", "--bets", "2x, 5x", "--ante", "0.1"), "--bets 5x is more than the stack, 4.9 bb after the ante"),
        (("--bets", "a, 1.5x; a"), "--bets 1.5x is too small, a raise is to 2 bb or more: write 2x"),
        (("--bets", "20%, a"), "--bets 20% is too small, a raise is to 2 bb or more: write 2x"),
        (("--bets", "300%"), "--bets 300% is more than the stack, 5 bb after the ante: write a for all-in"),
        (("--bets", "2500c"), "--bets 2500c counts chips, and stacks here are in big blinds: write 2x or 50%"),
        (("--solve", "--bets", "huge"), "--bets: column 1: 'huge' is not a bet size"),
        (("--solve", "--flop", "huge"), "--flop: column 1: 'huge' is not a bet size"),
        (("--raises", ""), "--raises is empty: write sizes such as 75%, a, or none"),
        (("--solve", "--turn", " "), "--turn is empty"),
        (("--flop", "huge"), "--flop is for play after the flop: add --solve"),
        (("--raises", "a;;"), "--raises: column 3: a list of sizes is empty"),
        (("--solve", "--hand", "ZZ"), "'ZZ' is not a hold'em hand class"),
        (("--solve", "--line", "raise 9"), "'raise 9' is not possible here"),
        (("--checked-down", "--line", "call, check"), "the flop comes, where the chart ends"),
        (("--solve", "--flops", "1755"), "choose one of 9, 25, 49, 95, 184"),
        (("--solve", "--no-limp", "--bets", "none"), "the small blind can only fold"),
    ],
)
def test_mistakes_are_one_sentence(words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    stack = () if "--stack" in words else ("--stack", str(EVERY[0]))
    assert main(["preflop", *stack, *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err.splitlines()[-1]


@compiled
def test_comparison_with_checking_down(capsys: pytest.CaptureFixture[str]) -> None:
    chart = shipped_preflop(10)
    comparison = compare_checked_down(chart)
    view, other = comparison.view, comparison.other
    assert view.actions == other.actions
    number = parse_holdem_class("75o")
    here, there = view.frequencies[:, number], other.frequencies[:, number]
    changed = sum(abs(here[action] - there[action]) for action in range(len(view.actions)))
    assert comparison.change[number] == pytest.approx(changed / 2)
    hands = comparison.hands()
    assert len(hands) == 169
    assert [hand["cost_bb"] for hand in hands] == sorted((hand["cost_bb"] for hand in hands), reverse=True)
    summary = comparison.summary()
    mean = sum(hand["cost_bb"] * view.weights[parse_holdem_class(hand["hand"])] for hand in hands)
    assert summary["cost_mbb"] == pytest.approx(1000 * mean)
    assert summary["cost_mbb"] > 1.0
    answer = answered(capsys, "--stack", "10", "--compare", "checked-down")
    assert answer["hands"] == hands
    assert answer.keys() >= KEYS
    assert main(["preflop", "--stack", "10", "--compare", "checked-down", "--line", "all-in", "--most", "2"]) == 0
    shown = capsys.readouterr().out
    assert "act differently" in shown


def test_a_chart_does_not_differ_from_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "chart")
    shipped_preflop(EVERY[0]).save(path)
    answer = answered(capsys, path, "--compare", path, "--line", "call")
    assert answer["change"] == 0.0
    assert answer["cost_mbb"] == 0.0


@pytest.mark.parametrize(
    "other",
    [
        Setting(9.0, "2x, a; a"),
        Setting(8.0, "3x, a; a"),
        Setting(8.0, "2x, a; 3x, a; a"),
        Setting(8.0, "2x, a; a", small_blind=0.4),
        Setting(8.0, "2x, a; a", ante=0.1),
    ],
)
def test_other_games_are_not_compared(other: Setting) -> None:
    """Also where the actions of the decision have the same names."""
    chart = made_up(Setting(8.0, "2x, a; a"))
    assert compare_solutions(chart, made_up(Setting(8.0, "2x,a;a", flop="a; a")), "all-in").change.max() == 0.0
    with pytest.raises(UserError, match=r"the games differ, 8 bb .* compare solutions with the same stack and menu"):
        compare_solutions(chart, made_up(other), "all-in")


def test_other_actions_are_not_compared() -> None:
    chart = shipped_preflop(EVERY[0])
    with pytest.raises(UserError, match="compare solutions with the same stack and menu"):
        PreflopComparison(chart.at(""), chart.at("call"))
