"""Corrections of a subset of flops: they pay every hand what it lacks, and make a chart less exploitable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import HOLDEM_CLASSES
from headsup.common.arrays import Floats
from headsup.common.errors import DataError, UserError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.packet import board_packet, board_subset
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.trunk import LinePayments, open_lines
from headsup.games.walk.walk import Policy
from headsup.preflop import all_flops, make
from headsup.preflop.all_flops import FlopResult, reach_of_lines
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.correct import (
    Correction,
    Lacking,
    PairPayments,
    find_correction,
    hands_met,
    pair_terms,
    reliable_share,
)
from headsup.preflop.estimate import Outcomes, flop_textures, sum_over_flops
from headsup.preflop.flops import subset_error, subset_flops, subset_game
from headsup.preflop.shipped import DATA, shipped_preflop
from headsup.solve.holdem.trunk import TrunkCfr, trunk_values
from headsup.solve.records.settings import PRESETS
from tests.solve import compiled

pytestmark = compiled
METHOD = PRESETS["dcfr-holdem"]


@pytest.fixture(scope="module")
def small() -> VectorGame:
    """Twelve cards, 5 big blinds, three streets."""
    played = named_game("holdem-nolimit", stack=5, ranks=4, suits=3, streets=3, menu="a; a | preflop 2x, a; a")
    assert isinstance(played, VectorGame)
    return played


def test_payments_are_those_of_every_pair_of_hands(small: VectorGame) -> None:
    rng, lines, hands = np.random.default_rng(1), open_lines(small), small.showdown.sizes[0]
    terms = rng.normal(size=(2, len(lines), hands))
    reach, meet = rng.random((2, len(lines), hands)), hands_met(small)
    paid = PairPayments(small, lines, (terms[0], terms[1]))
    first, second = paid.values(0, reach[1]), paid.values(1, reach[0])
    for line in range(len(lines)):
        for h in (0, 17, hands - 1):
            pairs = [meet[h, k] * (terms[0, line, h] + terms[1, line, k]) for k in range(hands)]
            assert first[line, h] == pytest.approx(np.dot(pairs, reach[1, line]))
        assert reach[0, line] @ first[line] == pytest.approx(-(reach[1, line] @ second[line]))


def test_every_hand_receives_what_it_lacks(small: VectorGame) -> None:
    rng, meet = np.random.default_rng(2), hands_met(small)
    reach, lacking = rng.random((2, len(meet))), rng.normal(size=(2, len(meet)))
    reach[0, :20] = 0.0  # hands that never come receive it too
    lacking[1] -= (reach[0] @ lacking[0] + reach[1] @ lacking[1]) / reach[1].sum()  # together they lack nothing
    terms = pair_terms(meet, (reach[0], reach[1]), (lacking[0], lacking[1]))
    paid = PairPayments(small, [(0, 0)], (terms[0][None], terms[1][None]))
    for seat in (0, 1):
        assert np.allclose(paid.values(seat, reach[1 - seat][None])[0], lacking[seat], atol=1e-8)
    never = pair_terms(meet, (reach[0], np.zeros(len(meet))), (lacking[0], lacking[1]))
    assert not np.any(never)


def test_a_corrected_subset_makes_a_chart_less_exploitable(small: VectorGame) -> None:
    part = board_subset(small, [0, 9, 20], [1, 1, 1])
    down = subset_error(small, part)
    before = solved(part, [down])
    lines, meet = open_lines(small), hands_met(small)
    reach = [reach_of_lines(small, before, seat) for seat in (0, 1)]
    lacking = [dealt(small, before, seat, []) - dealt(part, before, seat, [down]) for seat in (0, 1)]
    terms = [
        pair_terms(meet, (reach[0][line], reach[1][line]), (lacking[0][line], lacking[1][line])) for line, _ in lines
    ]
    more = PairPayments(small, lines, (np.stack([x for x, _ in terms]), np.stack([y for _, y in terms])))
    after = solved(part, [down, more])
    gains = [
        sum(trunk_values(small, policy, seat, dealt(small, policy, seat, []), best=True) for seat in (0, 1))
        for policy in (before, after)
    ]
    assert gains[1] < 0.5 * gains[0]


def solved(game: VectorGame, added: list[LinePayments]) -> Policy:
    solver = TrunkCfr(game, METHOD, store="float64", threads=1, added=added)
    solver.step(60)
    return solver.average(0).ravel(), solver.average(1).ravel()


def dealt(game: VectorGame, policy: Policy, seat: int, added: list[LinePayments]) -> Floats:
    """[lines, hands] by a best response, with both strategies below a fixed trunk solved."""
    solver = TrunkCfr(game, METHOD, store="float64", threads=1, added=added, fixed=policy)
    solver.step(40)
    values = solver.dealt(seat, best=True)
    group = int(game.boards.levels[0].group[0])  # type: ignore[attr-defined]
    renamings = [r for r in range(group.bit_length()) if group >> r & 1]
    return np.asarray(np.mean([values[:, game.showdown.renamed(seat, r)] for r in renamings], axis=0))


def test_values_that_follow_from_checking_down_are_known_from_a_few_flops() -> None:
    """What is linear in the outcomes needs no sampling, and all flops together are exact."""
    rng = np.random.default_rng(3)
    outcomes = Outcomes(rng.random((40, 169)) + 0.5, rng.random((40, 169)) / 2.0, rng.random(169))
    copies, flops, textures = rng.integers(1, 25, 40).astype(float), [3, 8, 21, 30], rng.random((40, 4))
    linear = copies[:, None] * (outcomes.met * -0.5 + outcomes.beaten * 2.0)
    assert np.allclose(sum_over_flops(linear[flops], outcomes, textures, copies, flops), linear.sum(axis=0))
    noisy = linear + rng.random((40, 169))
    every = rng.permutation(40).tolist()
    assert np.allclose(sum_over_flops(noisy[every], outcomes, textures, copies, every), noisy.sum(axis=0))


def test_flops_like_those_of_the_sample_add_as_much_again() -> None:
    """Where hands meet more on some kinds of flops than on others, the kinds must not shift what all flops pay."""
    rng = np.random.default_rng(5)
    suits, copies = (rng.random((60, 4)) < 0.4).astype(float), rng.integers(1, 25, 60).astype(float)
    met = 0.5 + rng.random((60, 20)) + suits[:, :1]
    first, again = Outcomes(met, met * rng.random((60, 20)), rng.random(20)), list(range(60))
    twice = Outcomes(np.tile(first.met, (2, 1)), np.tile(first.beaten, (2, 1)), first.own)
    values = copies[:, None] * (first.beaten + rng.random((60, 20)) + suits[:, 1:2])
    total = sum_over_flops(values, twice, np.tile(suits, (2, 1)), np.tile(copies, 2), again)
    assert np.allclose(total, 2.0 * values.sum(axis=0))


def test_kinds_of_flops_predict_what_equities_do_not() -> None:
    """Every class loses a tenth on flops of one suit, in its own measure: 60 flops are enough to see that."""
    rng = np.random.default_rng(4)
    outcomes = Outcomes(np.ones((400, 30)), rng.random((400, 30)), np.ones(30))
    textures, copies = (rng.random((400, 4)) < 0.3).astype(float), np.ones(400)
    values = outcomes.beaten - 0.1 * textures[:, :1] * (1.0 + np.arange(30) / 10.0)
    flops = rng.choice(400, 60, replace=False).tolist()
    error = sum_over_flops(values[flops], outcomes, textures, copies, flops) - values.sum(axis=0)
    plain = 400.0 * (values - outcomes.beaten)[flops].mean(axis=0) - (values - outcomes.beaten).sum(axis=0)
    assert np.abs(error).mean() < 0.5 * np.abs(plain).mean()


def test_the_correction_for_ten_big_blinds_ships() -> None:
    ships = Correction.load(DATA / "correction-10.headsup")
    ships.check(shipped_preflop(10).setting, 95)
    assert ships.solved == 1755


def test_only_what_an_estimate_can_tell_is_paid() -> None:
    zero, some = np.zeros(HOLDEM_CLASSES), np.full(HOLDEM_CLASSES, 20.0)
    assert reliable_share([Lacking(0, 0, zero, some, zero, zero)]) == 1.0
    assert reliable_share([Lacking(0, 0, zero, some, some / 2.0, zero)]) == pytest.approx(0.75)
    assert reliable_share([Lacking(0, 0, zero, some, some, zero), Lacking(0, 1, zero, zero, some, zero)]) == 0.0
    assert reliable_share([Lacking(0, 0, zero, zero, zero, zero)]) == 1.0


def test_textures_of_flops() -> None:
    flops = np.array([[0, 4, 8], [0, 4, 9], [0, 1, 10], [0, 1, 2], [0, 5, 10]])
    assert flop_textures(flops).tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]


def test_corrections_are_saved_and_checked(tmp_path: Path) -> None:
    path, setting = tmp_path / "more", Setting(5.0, "2x, a; a")
    terms = np.random.default_rng(5).normal(size=(2, 3, HOLDEM_CLASSES))
    Correction(setting, 9, 30, (terms[0], terms[1])).save(path)
    again = Correction.load(path)
    assert (again.setting, again.flops, again.solved) == (setting, 9, 30)
    assert all(np.array_equal(again.terms[seat], terms[seat]) for seat in (0, 1))
    again.check(setting, 9)
    with pytest.raises(UserError, match="say --flops 9"):
        again.check(setting, 25)
    again.check(Setting(6.0, "2x, a; a"), 9)
    with pytest.raises(UserError, match="another game"):
        again.check(Setting(5.0, "2.5x, a; a"), 9)
    chart_of(setting).save(path)
    with pytest.raises(DataError, match="is not a headsup-preflop-correction file"):
        Correction.load(path)
    noted = {**chart_of(setting).about, "corrected_by": 30}
    assert PreflopChart(noted, *TABLES).note.endswith("corrected by 30 flops solved one by one")
    assert PreflopChart({**noted, "corrected_at": 4.0}, *TABLES).note.endswith("solved one by one at 4 big blinds")


def test_a_correction_serves_other_stacks_with_the_same_lines() -> None:
    ships = Correction.load(DATA / "correction-10.headsup")
    setting = Setting(9.0, "2x, a; a")
    ships.check(setting, 95)
    reach = np.ones((len(ships.terms[0]), 1326))
    at_nine, at_ten = (ships.payments(subset_game(game.game, 9)) for game in (setting, ships.setting))
    assert np.array_equal(at_nine.values(0, reach), at_ten.values(0, reach))
    assert np.any(at_nine.values(0, reach))
    with pytest.raises(UserError, match="take a stack nearer to 10 big blinds"):
        ships.payments(subset_game(Setting(2.0, "2x, a; a").game, 9))


TABLES: tuple[tuple[Floats, Floats], tuple[Floats, Floats]] = ((np.zeros((0, 0)),) * 2, (np.zeros((0, 0)),) * 2)


def chart_of(setting: Setting) -> PreflopChart:
    """Every action as often as every other."""
    tables = []
    for seat in (0, 1):
        rounds = setting.chart.rounds
        rows = np.zeros((int(rounds.rows[seat, 0]), HOLDEM_CLASSES))
        for node in np.flatnonzero(rounds.player[: int(rounds.start[1])] == seat):
            rows[rounds.row[node] : rounds.row[node] + rounds.count[node]] = 1.0 / rounds.count[node]
        tables.append(rows)
    about = {name: getattr(setting, name) for name in Setting.__dataclass_fields__}
    figures = {"flops": 9, "iterations": 1, "seconds": 0.0, "value_sb_bb": None, "exploitability_mbb": None}
    return PreflopChart({**about, **figures, "exact": False}, (tables[0], tables[1]), (tables[0], tables[1]))


@pytest.mark.long
def test_a_correction_is_the_difference_of_all_flops_and_the_subset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chart = chart_of(Setting(5.0, "2x, a; a"))
    whole, rng = all_flops.whole_game(chart.setting), np.random.default_rng(6)
    level, deals = whole.boards.levels[1], int(whole.rounds.deals[1])
    copies = level.copies.astype(float)  # type: ignore[attr-defined]
    same = rng.normal(size=(2, deals, HOLDEM_CLASSES)) * 1e-6
    results = {}
    for flop, times in enumerate(copies.tolist()):
        best = times * (same + 1e-6 * rng.normal(size=same.shape))
        results[flop] = FlopResult(best, best)
    pairs = np.zeros((1755, 2, HOLDEM_CLASSES, HOLDEM_CLASSES), dtype=np.float32)
    numbers, times = subset_flops(whole, 9)
    found, parts = find_correction(chart, 9, results, pairs)
    assert found.solved == 1755
    weights = np.array(times) * copies[numbers]
    error = subset_error(whole, board_subset(whole, numbers, times))
    for part in parts:
        reach = reach_of_lines(board_packet(whole, 0).game, all_flops.policy_of(chart), 1 - part.seat)
        down = all_flops.class_means(error.values(part.seat, reach[[line for line, _ in error.lines]]))
        place = [line for line, _ in error.lines].index(part.line)
        total = sum(result.best[part.seat, part.line] for result in results.values())
        each = [results[flop].best[part.seat, part.line] / copies[flop] for flop in numbers]
        have = copies.sum() * np.average(each, axis=0, weights=weights) + down[place]
        assert np.allclose(part.sums, total - have, rtol=1e-6, atol=1e-9)
        assert not part.error_mbb.any()  # nothing is left to the sample
    again, rest = find_correction(chart, 9, results, pairs, found)  # nothing is left that pairs of hands can be paid
    assert again.solved == 2 * 1755
    assert np.allclose(again.terms, found.terms, rtol=1e-6, atol=1e-6 * np.abs(found.terms).max())
    assert sum(part.mbb @ part.mbb for part in rest) < 0.7 * sum(part.mbb @ part.mbb for part in parts)
    with pytest.raises(DataError, match="1 of the 9 flops of the subset are not solved"):
        find_correction(chart, 9, {flop: result for flop, result in results.items() if flop != numbers[0]}, pairs)
    path = str(tmp_path / "more")
    found.save(path)
    with pytest.raises(SystemExit):
        make.main(["5", "--flops", "25", "--iterations", "1", "--correct", path, "--out", str(tmp_path / "chart")])
    assert "say --flops 9" in capsys.readouterr().err
