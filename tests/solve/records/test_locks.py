"""Locked spots: against the linear program with decisions fixed, exact in every store, and one sentence a mistake."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.ranges import parse_range
from headsup.common.errors import UserError
from headsup.games.catalogue.flat import FlatHoldem
from headsup.games.catalogue.forms import sequence_form
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.trees.sequence import Seat, SequenceForm
from headsup.games.walk.walk import Walker
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.regrets import decisions_of, street_of
from headsup.solve.records.settings import PRESETS
from headsup.solve.small.lp import Sparse, _solve_program, constraint_matrix, payoff_matrix
from headsup.spots.lock_text import least_lost, locks_of
from headsup.spots.solve import SpotSolution, solve_spot
from tests.solve import compiled
from tests.spots.test_solve import SMALL, TINY

Told = Callable[[str, str, str], list[float] | None]
"""How a hand plays after cards and a line, or None where it is free."""


@cache
def flat_form(spot: Spot) -> SequenceForm:
    return sequence_form(FlatHoldem(spot.game()))


@cache
def held_value(spot: Spot, strategy: Told) -> float:
    """The value of a spot in which some hands are locked, by the linear program.

    What is free, z, determines the realisation plan, x = R z: the plan of a locked sequence is its share of that of
    the sequence before.
    """
    form = flat_form(spot)
    maps = [_plan_of_free(seat, strategy) for seat in form.seats]
    payoff = maps[0].transposed @ payoff_matrix(form) @ maps[1]
    ours, theirs = (constraint_matrix(seat) @ free for seat, free in zip(form.seats, maps, strict=True))
    return _solve_program(payoff, ours, theirs, "simplex")[0] + spot.pot / 2.0


def _plan_of_free(seat: Seat, strategy: Told) -> Sparse:
    rows = [{0: 1.0}]
    for i in range(seat.n_infosets):
        hand, cards, line = seat.labels.infoset(i).split("|")
        shares, above = strategy(hand, cards, line), rows[int(seat.parent[i])]
        for a, s in enumerate(range(int(seat.first[i]), int(seat.first[i + 1]))):
            rows.append({s: 1.0} if shares is None else {at: value * shares[a] for at, value in above.items()})
    entries = [(i, at, value) for i, row in enumerate(rows) for at, value in row.items()]
    first, second, values = (np.array(column) for column in zip(*entries, strict=True))
    return Sparse(first, second, values.astype(float), (len(rows), len(rows)))


def holds(hand: str, text: str) -> bool:
    return bool((parse_range(text) & parse_range(hand)).combos)


def free(hand: str, cards: str, line: str) -> list[float] | None:
    """No hand is locked."""
    return None


def first_bets(hand: str, cards: str, line: str) -> list[float] | None:
    return [0.7, 0.3, 0.0] if line == "" and holds(hand, "AA,KJs") else None


def never_folds(hand: str, cards: str, line: str) -> list[float] | None:
    return [0.0, 1.0] if line == "all-in 50" else [0.25, 0.5, 0.25] if line == "check" else None


def turn_and_river(hand: str, cards: str, line: str) -> list[float] | None:
    if line == "check, check":
        return [0.4, 0.6, 0.0] if holds(hand, "AA,QQ") else [0.9, 0.0, 0.1]
    return [0.5, 0.5] if line == "" and holds(hand, "AQ") else None


@compiled
@pytest.mark.parametrize(
    ("spot", "strategy", "locks"),
    [
        (SMALL, first_bets, ["AA,KJs: check .7, bet 10 30%"]),
        (SMALL, never_folds, ["all-in 50 | all: call", "check | all: bet 10 50%, all-in 25%, check"]),
        (TINY, turn_and_river, ["check, check, * | AA,QQ: check .4, bet 5; rest: check .9, a", "AQ: check .5, bet 5"]),
    ],
    ids=["some hands", "a whole strategy", "every river"],
)  # fmt: skip
def test_a_locked_game_against_the_linear_program(spot: Spot, strategy: Told, locks: list[str]) -> None:
    solved = solve_spot(spot, 0.0005, store="float64", locks=locks)
    assert solved.exploitability_locked_pot is not None
    assert solved.exploitability_locked_pot <= 0.0005 < solved.exploitability_pot
    slack = 2.1 * solved.exploitability_locked_pot * spot.pot
    held = held_value(spot, strategy)
    assert solved.value_oop == pytest.approx(held, abs=slack)
    assert abs(held - held_value(spot, free)) > 2 * slack  # locks matter


@compiled
@pytest.mark.parametrize("store", ["float64", "float32", "int16"])
@pytest.mark.parametrize("method", ["cfr", "dcfr", "cfr+", "pcfr+"])
def test_locked_hands_keep_their_strategy_at_every_step(method: str, store: str) -> None:
    game = TINY.game()
    solver = VectorCfr(game, PRESETS[method], store=store, threads=1)
    locks = locks_of(game, "check, check, * | AA,QQ: check 12.3%, bet 5 50%, all-in") | locks_of(
        game, "check | KK: check"
    )
    solver.lock(locks)
    before = solver.arrays()["regret0"].copy()
    for _ in range(6):
        for average in (False, True):
            policy = solver.stores.policy(average)
            shared = ArrayStrategy(game, locks.on((np.zeros_like(policy[0]), np.zeros_like(policy[1]))))
            played = ArrayStrategy(game, policy)
            for node, street in ((game.betting.find("check"), 0), (game.betting.find("check, check/"), 1)):
                for b in range(len(game.boards.levels[street])):
                    place, seat = game.board(street, b), int(game.betting.player[node])
                    locked = _locked_hands(game, locks, node, b)
                    wanted, rows = shared.rows(node, place)[:, locked], played.rows(node, place)[:, locked]
                    np.testing.assert_allclose(rows, wanted, rtol=0.0, atol=1e-15 if store == "float64" else 1e-7)
                    assert len(locked) > 0 or seat == 1
        solver.step(1)
    free = np.setdiff1d(np.arange(len(before)), locks.cells[0])
    assert (solver.arrays()["regret0"][free] != before[free]).any()
    shares = np.unique(ArrayStrategy(game, solver.policy()).rows(game.betting.find("check, check/"), game.board(1, 0)))
    assert np.isclose(shares, 0.123, rtol=0.0, atol=1e-7).any()  # tenths of a percent, also in int16


@compiled
def test_sixteen_bits_learn_beside_locks_as_floats_do() -> None:
    """Also where nobody came for a while: a lock's numbers must not drown what is learnt there later."""
    results = []
    for store in ("float64", "int16"):
        game = SMALL.game()
        solver = VectorCfr(game, PRESETS["dcfr"], store=store, threads=1)
        solver.lock(locks_of(game, "all: check") | locks_of(game, "bet 10 | QQ: call"))  # nobody bets
        solver.step(5)
        if store == "int16":
            first = locks_of(game, "bet 10 | QQ: call").decisions(game, 1)[0][1]
            assert (solver.stores.seats[1].regret_scale[first] == 0.0).all()
        solver.lock(locks_of(game, "bet 10 | QQ: call"))
        solver.step(300)
        results.append(solver)
    assert results[1].exploitability() == pytest.approx(results[0].exploitability(), abs=0.001 * SMALL.pot)
    assert results[1].values() == pytest.approx(results[0].values(), abs=0.001 * SMALL.pot)


def _locked_hands(game, locks, node, board) -> np.ndarray:
    seat, street, hands = int(game.betting.player[node]), int(game.betting.street[node]), None
    hands = game.showdown.sizes[seat]
    low = (
        int(game.layout[seat][street])
        + (board * int(game.rounds.rows[seat, street]) + int(game.rounds.row[node])) * hands
    )
    return locks.cells[seat][(locks.cells[seat] >= low) & (locks.cells[seat] < low + hands)] - low


@compiled
def test_the_opponent_of_a_locked_player_finds_the_best_response() -> None:
    first = solve_spot(SMALL, 0.05, store="float64")
    betting = first.game.betting
    lines = [betting.line(node) for node in range(betting.n_nodes) if betting.player[node] == 1]
    locked = first.lock(*(f"{line} | as is" for line in lines))
    np.testing.assert_allclose(locked.at("check").frequencies, first.at("check").frequencies)
    best = locked.exploit("oop")
    solved = locked.resume(0.00001)
    assert solved.value_oop == pytest.approx(best.earns, abs=0.0001 * SMALL.pot)
    assert solved.exploitability_locked_pot <= 0.00001 < solved.exploitability_pot
    assert best.earns > first.value_oop + 0.05


@pytest.mark.parametrize("share", [0.0, 0.2, 0.45, 0.8, 1.0])
@pytest.mark.parametrize("action", [0, 1, 2])
def test_hands_that_lose_least_are_moved_first(action: int, share: float) -> None:
    """Against all ways to move quarters of hands of equal weight."""
    rng = np.random.default_rng(5)
    rows = np.array([[1.0, 0.5, 0.0, 0.25], [0.0, 0.5, 0.0, 0.5], [0.0, 0.0, 1.0, 0.25]])
    ev, weights = rng.integers(0, 20, (3, 4)) / 2.0, np.full(4, 0.25)
    share = round(share * 16) / 16
    moved = least_lost(rows, ev, weights, action, share)
    assert moved.sum(axis=0) == pytest.approx(np.ones(4))
    assert moved.min() >= 0.0
    assert weights @ moved[action] == pytest.approx(share)
    mixes = np.array([mix for mix in product(range(5), repeat=3) if sum(mix) == 4]) / 4.0
    more = share > weights @ rows[action]
    ways = mixes[np.array(list(product(range(len(mixes)), repeat=4)))].transpose(0, 2, 1)
    ways = ways[np.abs(ways[:, action] @ weights - share) < 1e-9]
    others = np.delete(ways - rows, action, axis=1)  # all moves are to the action, or all from it
    ways = ways[((others <= 1e-12) if more else (others >= -1e-12)).all(axis=(1, 2))]
    best = float((weights * ((rows - ways) * ev).sum(axis=1)).sum(axis=1).min())
    lost = float((weights * ((rows - moved) * ev).sum(axis=0)).sum())
    assert lost == pytest.approx(best)


@compiled
def test_a_frequency_of_the_whole_range() -> None:
    solved = solve_spot(SMALL, 0.01, store="float64")
    before = solved.at("check")
    locked = solved.lock("check | bet 10 35%")
    after = locked.at("check")
    assert before.totals["frequencies"][1] != pytest.approx(0.35, abs=0.02)
    assert after.totals["frequencies"][1] == pytest.approx(0.35, abs=1e-12)
    kept = np.isclose(after.frequencies[0], before.frequencies[0], rtol=0.0, atol=1e-12)
    assert 0 < kept.sum() < len(kept)
    cost, still = before.ev[0] - before.ev[1], after.frequencies[0] > 1e-9
    assert cost[still].min() >= cost[~kept].max() - 1e-9  # whoever still checks would lose at least as much
    np.testing.assert_allclose(locked.resume(0.01).at("check").frequencies, after.frequencies, atol=1e-12)


@compiled
def test_numbers_locks_on_locks_and_files(tmp_path) -> None:
    solved = solve_spot(SMALL, None, iterations=20, store="float64")
    rows = np.full((3, len(solved.at("check").hands)), np.nan)
    rows[:, 2] = (0.5, 0.25, 0.25)
    locked = solved.lock(("check", rows), "| AA: check", "| AA: bet 10")  # what comes last counts
    assert locked.at("check").frequencies[:, 2] == pytest.approx([0.5, 0.25, 0.25])
    assert locked.at("").hand("AA")["frequencies"]["bet 10"] == 1.0
    np.testing.assert_allclose(
        np.delete(locked.at("check").frequencies, 2, 1), np.delete(solved.at("check").frequencies, 2, 1)
    )
    locked.save(tmp_path / "a.sol")
    again = SpotSolution.load(tmp_path / "a.sol")
    assert again.summary() == locked.summary()
    assert again.locks.checksum() == locked.locks.checksum()
    assert again.locks.texts == ("check | numbers for 1 hands", "| AA: check", "| AA: bet 10")
    assert "within its locks" in repr(again)
    more = again.resume(None, iterations=60)
    assert more.at("").hand("AA")["frequencies"]["bet 10"] == 1.0
    assert more.exploitability_locked_pot < more.exploitability_pot
    free = more.unlock().resume(0.002)
    assert free.exploitability_pot <= 0.002
    assert not free.locks


@compiled
def test_locks_are_carried_to_a_changed_spot() -> None:
    solved = solve_spot(SMALL, 0.02, locks=["| AA: check .25, bet 10", "check | all: check"])
    other = solved.resume(0.02, oop="AA,KK,T9s,KJs,87s", bets="50%, 100%, a")
    view = other.at("")
    assert view.actions == ("check", "bet 10", "bet 20", "all-in 50")
    assert list(view.hand("AA")["frequencies"].values()) == pytest.approx([0.25, 0.75, 0.0, 0.0])
    assert other.at("check").frequencies[0] == pytest.approx(1.0)
    assert other.at("").hand("KK")["combos"] == 6
    assert other.exploitability_locked_pot <= 0.02 < other.exploitability_pot


@compiled
def test_suits_that_are_one_are_locked_as_one() -> None:
    solved = solve_spot(
        TINY, None, iterations=8, store="float64", locks=["AA: check", "check, check, 3d | AdQd: bet 5"]
    )
    for card in ("3c", "3d", "3h"):  # the river is stored once for all three, and the hand is renamed
        view = solved.at(f"check, check, {card}")
        names = ["".join(sorted((name[:2], name[2:]))) for name in view.hands]
        assert view.frequencies[1, names.index(f"A{card[1]}Q{card[1]}")] == pytest.approx(1.0)
    with pytest.raises(UserError, match=r"A.A. and A.A. are one hand here, since nothing distinguishes their suits"):
        solved.lock("| AcAd: bet 5")
    with pytest.raises(UserError, match="are one hand here"):
        solved.lock("check, check, * | AcQc: bet 5")
    with pytest.raises(UserError, match=r"A[cd]Q[cd] and A[cd]Q[cd] are one hand here"):  # in the user's suits
        solved.lock("check, check, 3h | AcQc: bet 5")


@compiled
@pytest.mark.parametrize("player", ["oop", "ip"])
def test_a_best_response_is_what_is_measured(player: str, tmp_path) -> None:
    solved = solve_spot(TINY, None, iterations=8)
    seat = ("oop", "ip").index(player)
    best = Walker(solved.game).best_values(solved.solution.strategy)
    reply = solved.exploit(player)
    assert reply.earns == pytest.approx(best[seat], abs=1e-9)
    assert reply.gains == pytest.approx(best[seat] - (solved.value_oop, solved.value_ip)[seat], abs=1e-9)
    assert (reply.solution.value_oop, reply.solution.value_ip)[seat] == pytest.approx(reply.earns, abs=1e-9)
    line = "" if seat == 0 else "check"
    assert set(np.unique(reply.solution.at(line).frequencies)) == {0.0, 1.0}
    other = "check" if seat == 0 else ""
    np.testing.assert_array_equal(reply.solution.at(other).frequencies, solved.at(other).frequencies)
    reply.solution.save(tmp_path / "r.sol")
    again = SpotSolution.load(tmp_path / "r.sol")
    assert again.exploit(player).gains == pytest.approx(0.0, abs=1e-9)
    assert again.summary()["method"] == "best reply"
    assert f"<Exploit by {player}: wins " in repr(reply)


@pytest.fixture(scope="module")
def solved() -> SpotSolution:
    return solve_spot(SMALL, None, iterations=3)


@compiled
@pytest.mark.parametrize(
    ("lock", "sentence"),
    [
        ("", "lock '' says nothing: write LINE | HANDS: MIX"),
        ("check | ", "says nothing"),
        ("check | AA: fly", "'fly' is not an action"),
        ("check | QQ: bet 7", "'bet 7' is not possible here, where there is check, bet 10, all-in 50"),
        ("check | QQ: bet 10 30%", "the shares of 'bet 10 30%' add up to 0.3: make it 1, or leave one of them out"),
        ("check | QQ: check, bet 10", "add up to 0: make it 1"),
        ("check | QQ: bet 10 130%", "'bet 10 130%' is no share: write 30% or .3, from 0% to 100%"),
        ("check | QQ: bet 10 .5, bet 10", "'bet 10' is there twice"),
        ("check | QQ: cc 30%", "'cc' is not one action"),
        ("check | QQ: 30%", "lock 'check | QQ: 30%', column 1: '30%' is not an action"),
        ("check | : bet 10", "names no hands before the colon"),
        ("check | A?!: bet 10", "the hands of a lock, column "),
        ("check | AA: bet 10", "meets no hand: ip holds none of them there"),
        ("check | bet 10 30%, all-in 5%", "a frequency is for one action, such as bet 94 30%"),
        ("check | bet 10", "a frequency is for one action"),
        ("check | bet 10 30%; check 20%", "say how often the range takes one action"),
        ("check, 7c | all: check", "lock 'check, 7c | all: check', column 7: '7c' cannot come here"),
        ("check, check | all: check", "the hand is over and nobody acts"),
    ],
)
def test_mistakes_are_one_sentence(solved: SpotSolution, lock: str, sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        solved.lock(lock)
    assert sentence in str(caught.value)


@compiled
def test_what_is_no_lock_line_or_spot_is_reported(solved: SpotSolution) -> None:
    asked: list[tuple[Callable[..., object], tuple[object, ...], str]] = [
        (solved.lock, (5,), "a lock is a text, or a line and an array of shares, not 5"),
        (solved.lock, (["check | bet 10 30%"],), "a lock is a text"),
        (solved.lock, (("check",),), "a lock is a text"),
        (solved.lock, (("check", "abc"),), "the shares of a lock at 'check' are an array of numbers, not 'abc'"),
        (solved.lock, ((None, [1.0]),), "a line is text such as 'check, bet 94', not None"),
        (solved.at, (5,), "a line is text"),
        (solved.compare, ("my.sol",), "a solved spot is compared with another one, not with 'my.sol'"),
    ]
    for ask, wrong, sentence in asked:
        with pytest.raises(UserError) as caught:
            ask(*wrong)
        assert sentence in str(caught.value)
    with pytest.raises(UserError, match=r"'stacks' is no part of a spot: it has board, oop, ip"):
        solved.resume(stacks=50)
    assert solved.resume(None, iterations=1, locks="check | QQ: check").locks.texts == ("check | QQ: check",)


@compiled
def test_words_may_be_in_capitals(solved: SpotSolution) -> None:
    for text in ("check | As Is", "Check | QQ: AS IS"):
        assert solved.lock(text).locks.checksum() == solved.lock(text.lower().replace("qq", "QQ")).locks.checksum()


@compiled
def test_locks_that_a_changed_spot_cannot_keep_are_refused(solved: SpotSolution) -> None:
    locked = solved.lock("check, bet 10 | all: call")
    assert locked.resume(None, iterations=1, bets="50%").locks
    for changes in ({"bets": "a"}, {"pot": 30}):
        with pytest.raises(UserError, match=r"play 'call' after 'check, bet 10', which the changed spot has not"):
            locked.resume(None, iterations=1, **changes)
        assert not locked.unlock().resume(None, iterations=1, **changes).locks
    relocked = solved.lock("check | QQ: bet 10")
    with pytest.raises(UserError, match=r"play 'bet 10' after 'check', which the changed spot has not: unlock them"):
        relocked.resume(None, iterations=1, bets="a")


WORDS = (
    "check",
    "bet 10",
    "all-in",
    "call",
    "raise 30",
    "|",
    ":",
    ";",
    ",",
    "*",
    "7c",
    "AA",
    "all",
    "as is",
    ".5",
    "30%",
    " ",
)


@compiled
@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), max_size=9).map("".join))
@settings(max_examples=300, deadline=None)
def test_a_text_is_a_lock_or_a_sentence(text: str) -> None:
    game = _game()
    try:
        locks = locks_of(game, text)
    except UserError:
        return
    held = locks.held((np.zeros(int(game.layout[0][-1])), np.zeros(int(game.layout[1][-1]))))
    for seat in (0, 1):
        for _, s, rows in decisions_of(game, seat):
            shares = street_of(game, held[seat], seat, s)[:, rows]
            free = (shares < 0.0).all(axis=1)
            np.testing.assert_allclose(np.where(free, 1.0, shares.sum(axis=1)), 1.0)


@cache
def _game() -> VectorGame:
    return SMALL.game()


@pytest.mark.parametrize("share", [0.0, 0.001, 1 / 3, 0.5, 0.999, 1.0])
def test_a_share_is_read_as_it_is_written(share: float) -> None:
    game = SMALL.game()
    for text in (f"{share:.6f}", f"{100 * share:.4f}%"):
        (first, *_) = locks_of(game, f"AA: check {text}, bet 10").probabilities[0].tolist()
        assert first == pytest.approx(share, abs=1e-6)


@compiled
def test_what_cannot_be_locked(solved: SpotSolution) -> None:
    with pytest.raises(UserError, match="needs a solution to stand on"):
        solve_spot(SMALL, 0.1, locks=["check | bet 10 30%"])
    with pytest.raises(UserError, match=r"has a row an action and a column a hand, \(3, \d+\), not \(2, 2\)"):
        solved.lock(("check", np.ones((2, 2))))
    with pytest.raises(UserError, match="must be 0 or more and add up to 1"):
        solved.lock(("check", np.ones((3, len(solved.at("check").hands)))))
    with pytest.raises(UserError, match="a player is oop or ip, not 'me'"):
        solved.exploit("me")
    with pytest.raises(UserError, match="a frequency is for one board"):
        solve_spot(TINY, None, iterations=1).lock("check, check, * | bet 5 30%")
    with pytest.raises(UserError, match="a lock by numbers is for one board"):
        solve_spot(TINY, None, iterations=1).lock(("check, check, *", np.ones((1, 1))))
