"""Sampling solvers: unbiased where they should be, repeatable, and honest where they do not converge."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import flatten, game, sequence_form
from headsup.solve import solve
from headsup.solve.small import sampling_kernels as kernels
from headsup.solve.small.sampling import MonteCarlo
from tests.solve import compiled


def expected_regrets(name: str) -> list[np.ndarray]:
    """The exact counterfactual regrets of the uniform strategies."""
    form = sequence_form(flatten(game(name)))
    plans = form.plans(form.uniform())
    out = []
    for p, seat in enumerate(form.seats):
        util, sigma = seat.utility(plans[1 - p]), seat.uniform()
        regret = np.zeros(seat.n_sequences)
        for i in reversed(range(seat.n_infosets)):
            part = slice(seat.first[i], seat.first[i + 1])
            value = sigma[part] @ util[part]
            util[seat.parent[i]] += value
            regret[part] = util[part] - value
        out.append(regret)
    return out


@compiled
@pytest.mark.parametrize("explore", [None, 0.6])
def test_sampled_regrets_are_unbiased(explore: float | None) -> None:
    """Walks from fresh uniform strategies average to the exact regrets, within five standard errors."""
    tree = flatten(game("kuhn"))
    exact, walks = expected_regrets("kuhn"), 40_000
    solver = MonteCarlo(tree, tree.sequence_form(), 7, explore)
    for me in (0, 1):
        total, squares = np.zeros(len(exact[me])), np.zeros(len(exact[me]))
        for _ in range(walks):
            regret = (np.zeros(len(exact[0])), np.zeros(len(exact[1])))
            average = (np.zeros(len(exact[0])), np.zeros(len(exact[1])))
            if explore is None:
                kernels.external(solver.nodes, regret, average, solver.seed, me, solver._path, solver._scratch)
            else:
                kernels.outcome(solver.nodes, regret, average, solver.seed, me, explore, solver._path, solver._odds)
            total += regret[me]
            squares += regret[me] ** 2
        mean = total / walks
        error = np.sqrt(np.maximum(squares / walks - mean**2, 1e-12) / walks)
        assert (np.abs(mean - exact[me]) <= 5 * error + 1e-12).all()


def test_draws_are_uniform_and_repeatable() -> None:
    seed = np.array([3], dtype=np.uint64)
    with np.errstate(over="ignore"):
        first = np.array([kernels.draw(seed) for _ in range(20_000)])
        again = kernels.draw(np.array([3], dtype=np.uint64))
    assert again == first[0]
    assert first.min() >= 0.0
    assert first.max() < 1.0
    counts = np.histogram(first, bins=20, range=(0, 1))[0]
    assert np.abs(counts - 1000).max() < 5 * np.sqrt(1000)


@pytest.mark.parametrize("method", ["external", "outcome"])
def test_seeds(method: str) -> None:
    solutions = [solve(game("kuhn"), method, iterations=500, seed=seed) for seed in (1, 1, 2)]
    assert solutions[0].exploitability == solutions[1].exploitability != solutions[2].exploitability


@compiled
def test_external_sampling_converges_on_leduc() -> None:
    curve = solve(game("leduc:merged=true"), "external", iterations=30_000).history
    at = {t: x for t, _, x in curve}
    assert at[30_000] < 0.15 < at[1]


@compiled
def test_fixed_strategy_iteration_as_described_does_not_solve_kuhn() -> None:
    """The literal update of the ectomynx report stays far from an equilibrium; counting by action and averaging
    helps.
    """
    literal = solve(game("kuhn"), "fsi", iterations=400, hands=2000)
    mended = solve(game("kuhn"), "fsi", iterations=400, hands=2000, per="action", decay=1.0, strategy="average")
    assert literal.exploitability > 0.1
    assert mended.exploitability < 0.07
    assert solve(game("kuhn"), "fsi", iterations=0).exploitability == pytest.approx(11 / 24)


def test_profit_is_shared_as_in_the_report() -> None:
    """The last decision of a player gets the whole profit, the one before it 0.8 of it (ectomynx section IV)."""
    tree = flatten(game("kuhn"))
    solver = MonteCarlo(tree, tree.sequence_form(), 5, None)
    form = solver.form
    sigma = (np.zeros(13), np.zeros(13))
    sigma[0][form.seats[0].first[:-1]] = 1.0  # player 0 checks and folds
    sigma[1][form.seats[1].first[1:] - 1] = 1.0  # player 1 bets and calls
    profit, played = (np.zeros(13), np.zeros(13)), (np.zeros(13), np.zeros(13))
    with np.errstate(over="ignore"):
        kernels.play_hands(solver.nodes, sigma, profit, played, solver.seed, 0.8, np.zeros((9, 2), np.int64), 100)
    labels = form.seats[0].labels
    checks = [form.seats[0].first[i] for i in range(6) if labels.infoset(i)[-1] == "|"]
    folds = [form.seats[0].first[i] for i in range(6) if labels.infoset(i).endswith("cr")]
    assert profit[0][folds].sum() == pytest.approx(-100.0)
    assert profit[0][checks].sum() == pytest.approx(-80.0)
    assert profit[1].sum() == pytest.approx(100.0)
    assert played[0].sum() == 200


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("external", {"explore": 0.5}, "not an option of external"),
        ("outcome", {"explore": 0.0}, "explore must be"),
        ("fsi", {"hands": 0}, "hands of at least 1"),
        ("fsi", {"per": "game"}, "per='state'"),
        ("fsi", {"hands": 2.5}, "a whole number"),
        ("outcome", {"explore": "much"}, "must be a number"),
    ],
)
def test_wrong_options_get_one_sentence(method: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        solve(game("kuhn"), method, **options)  # type: ignore[arg-type]


def test_sequence_forms_cannot_be_sampled() -> None:
    with pytest.raises(UserError, match="game tree"):
        solve(sequence_form(game("kuhn")), "external")
