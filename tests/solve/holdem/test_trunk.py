"""Games cut below their first street: the same numbers as games that are solved whole."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.packet import board_packet, board_subset
from headsup.games.holdem.vector import ArrayStrategy, Uniform, VectorGame, decisions
from headsup.games.walk.streaming import hand_values
from headsup.games.walk.trunk import TrunkWalker, run_outs
from headsup.games.walk.walk import BEST
from headsup.measure.exploit import measure
from headsup.preflop.flops import subset_error
from headsup.solve.holdem.store import plan
from headsup.solve.holdem.trunk import TrunkCfr, trunk_values
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

MENU = "a; a | preflop 2x, a; a"
METHOD = PRESETS["dcfr-holdem"]


@pytest.fixture(scope="module")
def small() -> VectorGame:
    """Twelve cards, 5 big blinds, three streets."""
    played = named_game("holdem-nolimit", stack=5, ranks=4, suits=3, streets=3, menu=MENU)
    assert isinstance(played, VectorGame)
    return played


def test_all_boards_twice_are_the_whole_game(small: VectorGame) -> None:
    boards = len(small.boards.levels[1])
    twice = board_subset(small, range(boards), [2] * boards)
    assert np.allclose(measure(twice, Uniform(twice)).best, measure(small, Uniform(small)).best, rtol=1e-12)


def test_subset_counts_its_boards_by_weight(small: VectorGame) -> None:
    chosen, times = [1, 4, 7], [3, 1, 2]
    level = small.boards.levels[1]
    part = board_subset(small, chosen, times)
    counts = level.copies[chosen] * np.array(times)
    values = [measure(board_subset(small, [board], [1]), Uniform(small)).value for board in chosen]
    assert part.boards.sizes()[2] == sum(len(level.children(board)) for board in chosen)
    assert measure(part, Uniform(part)).value == pytest.approx(float(counts @ values / counts.sum()), rel=1e-12)


def test_all_in_lines_are_worth_what_the_boards_say(small: VectorGame) -> None:
    runouts, solver = run_outs(small), TrunkCfr(small, METHOD, store="float64", threads=1)
    assert [small.betting.line(int(small.rounds.deal[line])) for line, _ in runouts.lines] == [
        "all-in 10, call", "call, all-in 10, call", "raise 4, all-in 10, call", "call, raise 4, all-in 10, call",
    ]  # fmt: skip
    for seat in (0, 1):
        exact = solver.dealt(seat, best=False)
        runs, solver.walker._runouts.lines = solver.walker._runouts.lines, []
        walked = solver.dealt(seat, best=False)
        solver.walker._runouts.lines = runs
        assert np.allclose(exact, walked, atol=1e-15)


@pytest.mark.parametrize("threads", [1, 2])
def test_cut_solver_makes_the_steps_of_the_whole_one(small: VectorGame, threads: int) -> None:
    whole = VectorCfr(small, METHOD, store="float64", threads=1, alike=False)
    cut, rng = TrunkCfr(small, METHOD, store="float64", threads=threads), np.random.default_rng(3)
    for seat in (0, 1):  # some regret for every action: hands that do as well with any play by rounding otherwise
        start = np.repeat(rng.uniform(0.01, 0.1, int(small.layout[seat][-1]) // 66), 66)
        whole.stores.seats[seat].regret[:] = cut.stores.seats[seat].regret[:] = start
        cut.trunk[seat].regret[:] = start[: int(small.layout[seat][1])]
    for solver in (whole, cut):
        solver.step(7)
    for seat in (0, 1):
        first = int(small.layout[seat][1])
        assert np.allclose(cut.policy()[seat], whole.policy()[seat][:first], rtol=1e-9, atol=1e-12)
        assert np.allclose(
            cut.stores.seats[seat].cumulative[first:], whole.policy()[seat][first:], rtol=1e-9, atol=1e-12
        )
    assert cut.measure().exploitability == pytest.approx(whole.measure().exploitability, rel=1e-9)


def test_boards_one_by_one_add_up_to_the_whole(small: VectorGame) -> None:
    """Below a fixed trunk each board is solved alone; the sums over boards measure the strategy of all of them."""
    trunk = TrunkCfr(small, METHOD, store="float64", threads=1)
    trunk.step(20)
    fixed = trunk.average(0).ravel(), trunk.average(1).ravel()
    deals, sums = int(small.rounds.deals[1]), {}
    policy = [np.zeros(int(at[-1])) for at in small.layout]
    for board in range(len(small.boards.levels[1])):
        packet = board_packet(small, board)
        solver = TrunkCfr(packet.game, METHOD, store="float64", threads=1, fixed=fixed)
        solver.step(15)
        for seat in (0, 1):
            for best in (True, False):
                sums[seat, best] = sums.get((seat, best), np.zeros((deals, 66))) + solver.dealt(seat, best)
            policy[seat][: len(fixed[seat])] = fixed[seat]
            for s in range(1, small.streets):
                low, high = solver.game.layout[seat][s : s + 2]
                policy[seat][packet._place(small, seat, s)] = solver.stores.seats[seat].cumulative[low:high]
    lines = [line for line, _ in run_outs(small).lines]
    for seat in (0, 1):  # every packet settled these over all boards
        for best in (True, False):
            sums[seat, best][lines] /= len(small.boards.levels[1])
    measured = measure(small, ArrayStrategy(small, (policy[0], policy[1])))
    for seat in (0, 1):
        assert trunk_values(small, fixed, seat, sums[seat, True], True) == pytest.approx(measured.best[seat], rel=1e-9)
        values = hand_values(small, ArrayStrategy(small, (policy[0], policy[1])), seat)
        assert trunk_values(small, fixed, seat, sums[seat, False], False) == pytest.approx(
            float(small.weights[seat] @ values), rel=1e-9
        )


def test_a_corrected_subset_is_exact_for_hands_that_are_checked_down() -> None:
    whole = named_game("holdem-nolimit", stack=5, ranks=4, menu=MENU)
    assert isinstance(whole, VectorGame)
    part = board_subset(whole, [0, 3, 8], [1, 2, 3])
    values = []
    for game, added in ((whole, []), (part, [subset_error(whole, part)]), (part, [])):
        solver = TrunkCfr(game, METHOD, store="float64", threads=1, added=added)
        for seat in (0, 1):
            for street in range(1, game.streets):
                rows = int(game.rounds.rows[seat, street])
                low, high = game.layout[seat][street : street + 2]
                numbers = solver.stores.seats[seat].cumulative[low:high].reshape(-1, rows, game.showdown.sizes[seat])
                numbers[:, game.rounds.row[decisions(game.rounds, street, seat)]] = 1.0  # the first action is to check
        values.append(np.stack([solver.dealt(seat, best=False) for seat in (0, 1)]))
    assert np.allclose(values[1], values[0], atol=1e-14)
    assert np.abs(values[2] - values[0]).max() > 1e-4


DEVICES = [
    "cpu",
    pytest.param("gpu", marks=[pytest.mark.gpu, pytest.mark.skipif(not gpu_present(), reason="no CUDA device")]),
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("store", ["float32", "int16"])
def test_without_averages_below_the_trunk_takes_the_same_steps(small: VectorGame, store: str, device: str) -> None:
    kept, bare = (
        TrunkCfr(small, METHOD, store=store, threads=1, device=device, averages=averages) for averages in (True, False)
    )
    for solver in (kept, bare):
        solver.step(12)
    for seat in (0, 1):
        assert np.array_equal(kept.average(seat), bare.average(seat))
        known, same = kept.stores.arrays(), bare.stores.arrays()
        assert np.array_equal(known[f"regret{seat}"], same[f"regret{seat}"])
    assert not any(name.startswith("total") for name in bare.stores.arrays())
    assert plan(small, store, averages=False).stores == plan(small, store).stores // 2
    with pytest.raises(UserError, match="no averages were kept"):
        bare.measure()


@pytest.mark.long
def test_sums_of_the_trunk_become_the_values_of_a_best_response(small: VectorGame) -> None:
    """What hands earned over all iterations tends to what a best response earns against the average."""
    kept, bare = (TrunkCfr(small, METHOD, store="float64", threads=1, averages=averages) for averages in (True, False))
    for solver in (kept, bare):
        solver.step(150)
    policy = kept.average(0).ravel(), kept.average(1).ravel()
    for seat in (0, 1):
        walk = TrunkWalker(small, None)
        walk.enter(seat, BEST, policy)
        walk.close(0, 0, kept.dealt(seat, best=True))
        best, (value, reach) = walk.workspace.value[: int(small.rounds.start[1])], bare.sums[seat]
        weight = reach[0].sum() / walk.reach(0, 1 - seat)[0].sum()
        children = [
            int(small.rounds.child[node]) + action
            for node in decisions(small.rounds, 0, seat)
            for action in range(int(small.rounds.count[node]))
        ]
        scale = np.abs(best[children]).max()
        assert np.abs(value[children] / weight - best[children, : value.shape[1]]).max() < 0.02 * scale
        assert (value[0] / weight <= best[0, : value.shape[1]] + 1e-3 * scale).all()


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")
@pytest.mark.parametrize("store", ["float32", "int16"])
def test_a_gpu_walks_below_the_trunk_as_the_cpu_does(small: VectorGame, store: str) -> None:
    part = board_subset(small, [0, 3, 8, 20], [1, 2, 1, 3])
    near, far = (
        TrunkCfr(part, METHOD, store=kind, threads=1, device=device)
        for kind, device in (("float64", "cpu"), (store, "gpu"))
    )
    for solver in (near, far):
        solver.step(60)
    rough = 2e-3 if store == "int16" else 1e-4
    assert far.measure().value == pytest.approx(near.measure().value, abs=rough)
    assert far.measure().exploitability == pytest.approx(near.measure().exploitability, abs=rough)
    fixed = near.average(0).ravel(), near.average(1).ravel()
    for seat in (0, 1):
        dealt = [
            TrunkCfr(part, METHOD, store=kind, threads=1, device=device, fixed=fixed).dealt(seat, best=True)
            for kind, device in (("float64", "cpu"), ("float32", "gpu"))
        ]
        assert np.allclose(dealt[0], dealt[1], atol=1e-5)
