"""bowling-2015: what ships, and the study that made it."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.papers import bowling2015
from headsup.papers.bowling2015.averages import columns, tables
from headsup.papers.bowling2015.history import YEARS, between, history
from headsup.papers.bowling2015.preflop import LINES, frequencies, probabilities, reach
from headsup.papers.bowling2015.skill import DATA, longest, range_of_skill
from headsup.papers.bowling2015.study import RUNS, Point, StudyRun, points, shipped_points, study
from headsup.papers.section import stored, written
from headsup.solve import solve
from tests.equity import compiled


def test_every_name_of_the_notation_is_there() -> None:
    for row in written(bowling2015.__file__, "notation").rows:
        for name in re.findall("`(.*?)`", row[2]):
            parts = name.split(".")
            module = next(k for k in range(len(parts), 0, -1) if _is_module(".".join(parts[:k])))
            found = import_module(".".join(parts[:module]))
            for part in parts[module:]:
                found = getattr(found, part)


def _is_module(name: str) -> bool:
    try:
        import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def test_figure_s1_has_every_year() -> None:
    rows = history().rows
    assert {int(row[0]) for row in rows} >= {*YEARS, 2015}
    assert between(2007) == (275.9, 275.9)
    assert between(2009) == (135.4, 235.3)
    assert between(2006) == (275.9, float("inf"))
    assert between(2012) == (0.986, 135.4)
    for year in (2006, 2009, 2011, 2012, 2013):
        (row,) = [row for row in rows if row[0] == str(year)]
        assert row[2].startswith("no number")
    assert {row[4] for row in rows} == {"supplement", "supplement, figure S1 alone", "main article", "ours"}


def test_before_the_flop() -> None:
    """Frequencies by counting pairs of hands one by one, for one decision of the big blind."""
    from headsup.cards.combos import holdem_combos

    assert frequencies("") == pytest.approx(probabilities("").mean(axis=1))
    cards, raises = holdem_combos(), reach("raise 4")[0]
    weights = [sum(raises[j] for j in range(1326) if not set(cards[i]) & set(cards[j])) for i in range(0, 1326, 331)]
    from headsup.papers.bowling2015.preflop import _apart

    np.testing.assert_allclose((_apart() @ raises)[::331], weights)
    for line in LINES:
        assert frequencies(line).sum() == pytest.approx(1.0)
        np.testing.assert_allclose(probabilities(line).sum(axis=0), 1.0)


def test_what_ships_has_every_run() -> None:
    known = {(one.run, one.method, one.weights, one.iterations) for one in shipped_points()}
    assert known == {(r.name, r.method, name, t) for r in RUNS for name in r.weights for t in r.ends}
    first = next(one for one in shipped_points() if (one.run, one.weights) == ("Leduc", "uniform"))
    assert first.exploitability == pytest.approx(2373.61, abs=0.01)  # OpenSpiel pull request 197: 2.37361 after 0


@compiled
def test_a_run_is_what_the_solver_does(tmp_path: Path) -> None:
    """One run that keeps many averages against runs that keep one each; and a file that has all is left as it is."""
    weights = ("current", "uniform", "linear", "last half")
    run = StudyRun("Leduc", "cfr+", (1, 2, 4, 8), weights)
    known = study(tmp_path / "some.json", [run])
    found = columns(known, "Leduc")
    for name in ("uniform", "linear"):
        mbb = 1000 * solve("leduc", "cfr+", iterations=8, averaging=name).exploitability
        assert found["cfr+", name][8] == pytest.approx(mbb, rel=1e-6)
        alone = {p.iterations: p.exploitability for p in points(StudyRun("Leduc", "cfr+", (4, 8), (name,)))}
        assert alone[8] == pytest.approx(found["cfr+", name][8], rel=1e-9)
    current = 1000 * solve("leduc", "cfr+", iterations=8, strategy="current").exploitability
    assert found["cfr+", "current"][8] == pytest.approx(current, rel=1e-6)
    assert study(tmp_path / "some.json", [run]) == known
    assert found["cfr+", "last half"][1] == found["cfr+", "uniform"][1]
    assert found["cfr+", "last half"][8] != found["cfr+", "uniform"][8]


@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(1, 60))
def test_no_weights_that_rise_break_the_bound(seed: int, actions: int, last: int) -> None:
    """Regret matching + against utilities at random in [0, 1]: w(T) sqrt(|A| T) bounds the weighted regret."""
    random = np.random.default_rng(seed)
    weights = np.cumsum(random.random(last) * (random.random(last) < 0.5))
    q, regret = np.zeros(actions), np.zeros(actions)
    for weight in weights:
        sigma = q / q.sum() if q.sum() > 0 else np.full(actions, 1 / actions)
        worth = random.random(actions) if random.random() < 0.5 else 1.0 * (np.arange(actions) == sigma.argmin())
        one = worth - sigma @ worth
        q, regret = np.maximum(q + one, 0.0), regret + weight * one
    assert regret.max() <= weights[-1] * np.sqrt(actions * last) + 1e-9


def test_the_least_of_a_line_is_bold() -> None:
    some = [Point("Leduc", "cfr+", name, 8, x) for name, x in (("current", 2.0), ("linear", 1.0))]
    assert tables(some)[0].rows == [("8", "2", "**1**")]


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.3, 0.8]))
def test_the_longest_list_is_that_of_all_orders(seed: int, epsilon: float) -> None:
    values = np.random.default_rng(seed).normal(size=(5, 5))
    won = values - values.T
    lists = [order for n in range(1, 6) for order in permutations(range(5), n)]
    good = [
        order
        for order in lists
        if all(won[order[j], order[i]] > epsilon for i, j in combinations(range(len(order)), 2))
    ]
    chain = longest(won, epsilon)
    assert len(chain) == max(map(len, good))
    assert tuple(chain) in good


def test_the_ladder_of_limit_strategies() -> None:
    kept = stored(DATA)
    won, lost = np.array(kept["won"]), np.array(kept["exploitability"])
    assert won.shape == (len(kept["names"]),) * 2
    assert np.abs(won + won.T).max() < 1e-9
    assert (won <= 2 * lost[None] + 1e-3).all(), "nobody wins more than a best response in both seats"
    matches, lists = range_of_skill()
    assert len(matches.rows) == len(kept["names"])
    lengths = [int(row[1]) for row in lists.rows]
    assert lengths == sorted(lengths, reverse=True)
