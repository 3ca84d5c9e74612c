"""Omaha spots: against the linear program, with locks and changes, and views against a slow count."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import omaha_combos
from headsup.common.errors import UserError
from headsup.equity.api import equity
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import ArrayStrategy
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.walk import Walker
from headsup.measure.exploit import measure
from headsup.solve import solve
from headsup.solve.holdem.vector import start_vector
from headsup.spots.groups import extremes
from headsup.spots.solve import SpotSolution, solve_spot, spot_memory
from tests import naive
from tests.solve import compiled

pytestmark = compiled
RIVER = Spot("As8d7c3hQs", "AA$ss:2,QQ88", "A2:KK,7733,65:AJ", 60, 200, bets="50%, pot", variant="omaha8")
LIVE = {rank + suit for rank in "AQ62" for suit in "cdh"}
DEAD = "".join(card for card in naive.DECK if card not in LIVE and card not in ("Ks", "7s", "4s", "5s"))
TURN = Spot("Ks7s4s5s", "AAQQ,AA62", "A2:66,QQ62@50", 10, 30, bets="pot", variant="omaha8", dead=DEAD)


@cache
def solved(game: str, target: float = 0.0005) -> SpotSolution:
    return solve_spot(RIVER.with_(variant=game), target, store="float64")


@pytest.mark.parametrize("spot", [TURN, TURN.with_(variant="omaha", betting="no-limit", bets="a")], ids=repr)
def test_a_turn_against_the_linear_program(spot: Spot) -> None:
    answer = solve_spot(spot, 0.001, store="float64")
    exact = solve(spot.game(), "lp")
    assert answer.value_oop == pytest.approx(
        exact.value + spot.pot / 2.0, abs=2.1 * answer.exploitability_pot * spot.pot
    )
    assert answer.equity_oop == pytest.approx(
        equity(spot.oop, spot.ip, spot.board, spot.dead, game=spot.variant).equity, abs=1e-12
    )


@pytest.mark.parametrize("game", ["omaha", "omaha8"])
def test_the_compiled_walk_is_the_plain_one(game: str) -> None:
    vector, rng = (
        RIVER.with_(variant=game, board="As8d7c3h", oop="AA82,QQ87", ip="A2KK,7733").game(),
        np.random.default_rng(1),
    )
    policy = tuple(rng.random(int(at[-1])) for at in vector.layout)
    plain, compiled = PlainWalker(vector), Walker(vector, threads=2)
    for ask in ("values", "best_values"):
        np.testing.assert_allclose(getattr(compiled, ask)(policy), getattr(plain, ask)(policy), rtol=1e-9)
    strategy = ArrayStrategy(vector, (policy[0], policy[1]))
    assert measure(vector, strategy).exploitability > 0.0


def test_bets_are_pot_limit_unless_asked() -> None:
    assert RIVER.with_(bets="a").tree.actions(0) == ["check", "bet 60"]
    assert RIVER.with_(bets="pot").tree.actions(0) == ["check", "bet 60"]
    assert RIVER.with_(bets="a", betting="no-limit").tree.actions(0) == ["check", "all-in 200"]
    assert Spot("As8d7c3hQs", "AA", "KK", 60, 200, bets="a", betting="pot-limit").tree.actions(0) == ["check", "bet 60"]


def test_a_spot_reads_back() -> None:
    assert Spot.parse(RIVER.text()) == RIVER
    assert "variant: omaha8\n" in RIVER.text()
    assert "variant" not in Spot("As8d7c3hQs", "AA", "KK", 60, 200, bets="a", variant="holdem").text()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variant": "stud"}, "variant: a spot is of holdem, omaha or omaha8, not 'stud'"),
        ({"swaps": "in turn"}, "swaps: cards are changed in hold'em only"),
        ({"betting": "limit"}, "betting: it is no-limit or pot-limit"),
        ({"oop": "AA:0.5"}, "oop, column 4"),
    ],
)
def test_mistakes(changes: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        RIVER.with_(**changes)


def test_memory_of_a_gpu_is_counted() -> None:
    """What is stored is the same, and orders on the device come on top of those on the host."""
    near, far = (spot_memory(RIVER, device=device) for device in ("cpu", "gpu"))
    assert (near.stores, near.boards) == (far.stores, far.boards)
    assert 0 < far.least <= far.work


def test_too_much_memory_is_refused() -> None:
    with pytest.raises(UserError, match=r"this needs .* TB"):
        spot_memory(Spot("As8d7c", "*", "*", 60, 2000, bets="50%, pot", variant="omaha"))


@pytest.mark.parametrize("game", ["omaha", "omaha8"])
def test_values_and_equities_of_hands_by_a_slow_count(game: str) -> None:
    """At the first decision, against all hands of the opponent, one by one."""
    answer = solved(game)
    view, board = answer.at(), list(parse_cards(RIVER.board))
    other = answer.game.showdown.names(1)
    weights = answer.game.weights[1]
    for hand in (0, len(view.hands) // 2, len(view.hands) - 1):
        mine = view.hands[hand]
        met = [i for i, name in enumerate(other) if not set(naive.split_cards(name)) & set(naive.split_cards(mine))]
        grids = [naive.equity_grid(game, [mine], [other[i]], RIVER.board) for i in met]
        slow = sum(weights[i] * _equity(grid) for i, grid in zip(met, grids, strict=True)) / weights[met].sum()
        assert view.equity[hand] == pytest.approx(slow, abs=1e-9)
    assert len(board) == 5
    assert view.weights @ view.value == pytest.approx(answer.value_oop, abs=1e-6)
    assert view.totals["equity"] == pytest.approx(answer.equity_oop, abs=1e-9)


def _equity(grid: tuple) -> float:
    """The part of the pot of one deal: rows are high win, tie, lose, columns low none, win, tie, lose."""
    high = np.array([1.0, 0.5, 0.0])[:, None]
    low = np.array([np.nan, 1.0, 0.5, 0.0])
    parts = np.where(np.isnan(low), high, (high + np.nan_to_num(low)) / 2.0)
    return float((np.array(grid) * parts).sum() / np.array(grid).sum())


def test_the_view_has_categories_extremes_and_blockers() -> None:
    view = solved("omaha8").at("check")
    rows = view.categories()
    for kind in ("made", "low"):
        assert sum(row["share"] for row in rows if row["kind"] == kind) == pytest.approx(1.0)
    assert {row["category"] for row in rows if row["kind"] == "low"} == {"low", "counterfeited low"}
    assert [row["action"] for row in extremes(view)] == list(view.actions)
    for row in extremes(view, 2):
        equities = [hand["equity"] for hand in (*row["best"], *row["worst"][::-1])]
        assert equities == sorted(equities, reverse=True)
    assert view.hand("A2:KK")["combos"] == sum("KK" in name[::2] and "A" in name and "2" in name for name in view.hands)
    assert {row["cards"] for row in view.blockers()} >= {"Ah", "Qc"}
    assert len(view.columns()["class"]) == len(view.hands)
    with pytest.raises(UserError, match="169"):
        view.grid()


def test_locks_best_responses_resumption_and_comparison(tmp_path: Path) -> None:
    answer = solved("omaha")
    locked = answer.lock("check | 7733: bet 60 100%")
    rows = locked.at("check")
    chosen = rows.chosen("7733")
    assert rows.frequencies[rows.actions.index("bet 60"), chosen] == pytest.approx(1.0)
    assert locked.exploitability_locked_pot is not None
    response = answer.exploit("oop")
    assert response.gains == pytest.approx(answer.exploit("oop").earns - answer.value_oop)
    assert 0.0 <= response.gains <= 2.0 * answer.exploitability_pot * RIVER.pot + 1e-9
    answer.save(tmp_path / "spot.headsup")
    again = SpotSolution.load(tmp_path / "spot.headsup")
    assert again.summary()["value_oop"] == answer.value_oop
    wider = again.resume(0.002, oop="AA$ss:2,QQ88,JJTT")
    assert wider.exploitability_pot <= 0.002
    compared = answer.compare(wider)
    assert any(reason.startswith("oop: ") for reason in compared.reasons)
    with pytest.raises(UserError, match="same game"):
        again.resume(0.01, variant="omaha8")


@pytest.mark.parametrize("line", ["check, check, 6h", "check, check, 6c", "check", "bet 10, call, Ad"])
def test_equities_on_the_way_are_those_of_the_ranges_that_come_there(line: str) -> None:
    """Hand by hand against the opponent's reach, on the river and with a card to come, in the user's suits."""
    answer = solve_spot(TURN, iterations=12, target=None, store="float64")
    view, opponent = answer.at(line), answer.at(line).opponent
    gone = set(naive.split_cards(view.board + TURN.dead))
    theirs = [[naive.DECK[card] for card in omaha_combos()[hand]] for hand in opponent.combos]
    for hand in range(0, len(view.hands), 7):
        mine, won, met = naive.split_cards(view.hands[hand]), 0.0, 0.0
        for other, reach in zip(theirs, opponent.reach, strict=True):
            if set(mine) & set(other):
                continue
            left = [card for card in naive.DECK if card not in gone | set(mine) | set(other)]
            cards = naive.split_cards(view.board)
            boards = [cards] if len(cards) == 5 else [[*cards, card] for card in left]
            parts = [_part(*(naive.showdown_keys("omaha8", held, board) for held in (mine, other))) for board in boards]
            won, met = won + reach * float(np.mean(parts)), met + reach
        assert view.equity[hand] == pytest.approx(won / met, abs=1e-9)


def _part(mine: tuple, theirs: tuple) -> float:
    """What the first of two hands wins of the pot, by their high and low keys."""
    high = 0.5 * (1 + (mine[0] > theirs[0]) - (mine[0] < theirs[0]))
    lows = [key or () for key in (mine[1], theirs[1])]
    return high if lows == [(), ()] else (high + 0.5 * (1 + (lows[0] > lows[1]) - (lows[0] < lows[1]))) / 2.0


@pytest.mark.parametrize("store", ["float32", pytest.param("int16", marks=pytest.mark.long)])
def test_memory_is_announced_and_stores_agree(store: str) -> None:
    spot = RIVER.with_(board="As8d7c3h", oop="AA8:dd,QQ87", ip="A2KK,7733,KQJ9")
    need = spot_memory(spot, store, threads=2)
    game = spot.game()
    solver = start_vector(game, "dcfr-holdem", {"store": store, "threads": 2})
    solver.step(30)
    assert solver.exploitability() / spot.pot < 0.02
    assert need.stores == sum(array.nbytes for array in solver.arrays().values())
    workspaces = _bytes((*solver.walker._workspaces, solver.walker._parts))  # type: ignore[attr-defined]
    assert need.work == pytest.approx(workspaces, rel=0.02)
    hands = game.showdown.arrays  # type: ignore[attr-defined]
    orders = (hands.order, hands.strength, hands.four.order, hands.four.strength)
    assert need.boards == pytest.approx(_bytes(orders), rel=0.02)


def _bytes(arrays: object) -> int:
    if isinstance(arrays, np.ndarray):
        return int(arrays.nbytes)
    return sum(map(_bytes, arrays)) if isinstance(arrays, tuple) else 0
