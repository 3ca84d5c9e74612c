"""What a view adds up: totals by category, equity realised, and blockers, each against a sum written out."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.games.holdem.spot import Spot
from headsup.spots.solve import SpotSolution, solve_spot
from tests.naive import split_cards
from tests.solve import compiled

SPOT = Spot("Td9d6hQc", "AA,T9s,KJs,87s:0.5,A5s", "QQ,AQs,J8s,55", 20, 50, bets="50%, a", raises="3x")
pytestmark = compiled


@cache
def solved() -> SpotSolution:
    return solve_spot(SPOT, None, iterations=30, store="float64")


@pytest.mark.parametrize("line", ["", "check", "check, bet 10", "check, check, 2d"])
def test_made_hands_share_out_the_range(line: str) -> None:
    view = solved().at(line)
    made = [row for row in view.categories() if row["kind"] == "made"]
    assert sum(row["share"] for row in made) == pytest.approx(1.0)
    assert sum(row["combos"] for row in made) == pytest.approx(view.totals["combos"])
    assert sum(row["share"] * row["value"] for row in made) == pytest.approx(view.totals["ev"])
    assert sum(row["share"] * row["equity"] for row in made) == pytest.approx(view.totals["equity"])
    for i, action in enumerate(view.actions):
        total = sum(row["share"] * row["frequencies"][action] for row in made)
        assert total == pytest.approx(view.totals["frequencies"][i])
    words = view.words
    for row in view.categories():
        chosen = [
            i
            for i, said in enumerate(words)
            if row["category"] in said.split(", ") or (row["category"] == "no draw" and ", " not in said)
        ]
        assert row["share"] == pytest.approx(view.weights[chosen].sum())
        assert row["value"] == pytest.approx(view.value[chosen] @ view.weights[chosen] / row["share"])
        wanted = row["value"] / (row["equity"] * view.pot) if row["equity"] else np.nan
        assert row["realised"] == pytest.approx(wanted, nan_ok=True)
    assert any(row["kind"] == "draw" for row in view.categories()) == (len(parse_cards(view.board)) < 5)


def test_equity_realised_hand_by_hand() -> None:
    view = solved().at("check")
    assert view.realised == pytest.approx(view.value / np.where(view.equity > 0, view.equity, np.nan) / 20, nan_ok=True)
    aces = solved().at("").hand("AA")
    assert aces["realised"] == pytest.approx(aces["value"] / aces["equity"] / 20)
    assert aces["categories"] == ["overpair"]
    columns = solved().at("").columns()
    assert columns["category"][columns["hand"].index("KdJd")] == "straight, flush draw"
    assert len(columns["realised"]) == len(columns["hand"])


@pytest.mark.parametrize("line", ["", "check, bet 10", "check, check, 2d"])
def test_blockers_against_sums_written_out(line: str) -> None:
    view = solved().at(line)
    before = view.opponent
    names = ["".join(split_cards(one)) for one in _names(before.combos)]

    def share(held: set[str], which: np.ndarray) -> float:
        left = total = 0.0
        for hand, reach, part in zip(names, before.reach, which, strict=True):
            if not held & set(split_cards(hand)):
                total += reach
                left += reach * part
        return left / total

    rows = view.blockers()
    assert {row["cards"] for row in rows} == {
        c for n, r in zip(names, before.reach, strict=True) if r for c in split_cards(n)
    }
    for row in [*rows[:4], *view.blockers("AA")]:
        held = set(split_cards(row["cards"]))
        has = np.array([float(bool(held & set(split_cards(hand)))) for hand in names])
        assert row["blocked"] == pytest.approx(share(set(), has))
        for name, change in row["holds"].items():
            mine = np.array([name == _made(hand, view.board) for hand in names], dtype=float)
            assert change == pytest.approx(share(held, mine) - share(set(), mine), abs=1e-12)
        for action, changes in row["answers"].items():
            answer = before.answers[action]
            for name, freq in zip(answer.actions, answer.frequencies, strict=True):
                assert changes[name] == pytest.approx(share(held, freq) - share(set(), freq), abs=1e-12)
    if line == "check, bet 10":
        assert set(rows[0]["answers"]) == {"raise 30"}  # a call deals the river, a fold ends it


def test_answers_are_those_of_the_next_view() -> None:
    """How often the opponent answers, weighed as the next view does, by what each of their hands can meet."""
    view, after = solved().at("check"), solved().at("check, bet 10")
    answer = view.opponent.answers["bet 10"]
    assert answer.actions == after.actions
    place = {int(one): i for i, one in enumerate(view.opponent.combos)}
    order = [place[int(one)] for one in after.combos]
    assert np.array_equal(answer.frequencies[:, order], after.frequencies)
    assert view.opponent.reach[order] == pytest.approx(after.reach)


def test_blockers_in_the_users_suits() -> None:
    """A river of a suit that the stored board names otherwise: nobody holds the card that came."""
    for card in ("2c", "2s", "2h"):
        view = solved().at(f"check, check, {card}")
        assert card not in {row["cards"] for row in view.blockers()}
        assert not any(card in split_cards(name) for name in _names(view.opponent.combos))


def _names(combos: np.ndarray) -> list[str]:
    from headsup.cards.cards import cards_name
    from headsup.cards.combos import holdem_combos

    return [cards_name(two) for two in holdem_combos()[combos].tolist()]


def _made(hand: str, board: str) -> str:
    from tests.evaluate.test_categories import naive_made

    return naive_made(split_cards(hand), split_cards(board))
