"""Ranges painted by hand, and equities within a page's patience."""

from __future__ import annotations

import gc
import math
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from headsup.cards.classes import holdem_class_name, holdem_class_of_combo, parse_holdem_class
from headsup.cards.ranges import parse_range
from headsup.common.errors import UserError
from headsup.web import asking
from headsup.web.asking import answering, asked_equity, calculating, give_way, painted, settle
from tests.equity import compiled

CLASSES = st.sampled_from([holdem_class_name(index) for index in range(169)])
WEIGHTS = st.dictionaries(CLASSES, st.integers(0, 10_000).map(lambda n: n / 10_000), max_size=12)


@settings(max_examples=40)
@given(st.sampled_from(["", "22+,A2s+", "AsKh,QQ:0.5", "15%", "random"]), WEIGHTS)
def test_text_and_chart_never_disagree(text: str, weights: dict[str, float]) -> None:
    made = painted(text, weights)
    again = parse_range(str(made)) if made.combos else parse_range("none")
    assert (again.weights == made.weights).all()
    before = parse_range(text or "none").weights
    for combo, index in enumerate(holdem_class_of_combo().tolist()):
        name = holdem_class_name(index)
        assert made.weights[combo] == pytest.approx(weights.get(name, before[combo]), abs=1e-9)


def test_painting_leaves_single_hands_alone() -> None:
    made = painted("AsKh", {"QQ": 1.0})
    assert made.combos == 7
    assert made.weights[holdem_class_of_combo() == parse_holdem_class("AKo")].sum() == 1.0


def test_pasted_ranges_are_recognised(client: TestClient) -> None:
    weights = " ".join("1" if i == 0 else "0" for i in range(1326))
    script = "set_range_oop AA\nset_range_ip KK:0.5"
    for text, player, wanted, name in (
        (weights, "", "2d2c", "pio"),
        ("[50]AKs[/50]", "oop", "AKs:0.5", "gto+"),
        (script, "ip", "KK:0.5", "texassolver"),
        ("AA,KK", "", "KK+", "headsup"),
    ):
        answer = client.post("/api/range/read", json={"text": text, "player": player}).json()
        assert (answer["text"], answer["format"]) == (wanted, name)
    for text, player in ((script, ""), (script, "a"), ("0 " * 200, ""), ("{" * 9000, "oop")):
        answer = client.post("/api/range/read", json={"text": text, "player": player})
        assert answer.status_code == 400
        assert answer.json()["error"]


def test_painting_says_what_is_wrong(client: TestClient) -> None:
    for body in ({"set": {"ZZ": 1}}, {"set": {"AA": 2}}, {"text": "(("}, {"set": {"AA": float(10**9)}}):
        answer = client.post("/api/range/paint", json=body)
        assert answer.status_code == 400
        assert answer.json()["error"]
    assert client.post("/api/range/paint", content=b'{"set": {"AA": NaN}}').status_code in (400, 422)


@compiled
def test_equity_is_exact_where_it_is_quick_and_sampled_where_it_is_not() -> None:
    found = asked_equity("AhKh", "QcQd", "", "", "holdem")
    assert (found.win, found.tie, found.lose, found.exact) == (787_966, 6_732, 917_606, True)
    with pytest.raises(UserError, match="leave the method out"):
        asked_equity("AA", "KK", "", "", "holdem", method="enumeration")
    with pytest.raises(UserError, match="is out of range"):
        asked_equity("AA", "KK", "", "", "holdem", samples=10**9)
    assert not asked_equity("AhKh", "QcQd", "", "", "holdem", samples=1000, seed=1).exact


def test_what_is_loaded_is_not_looked_through_again() -> None:
    loaded = [[] for _ in range(1000)]
    settle()
    try:
        assert gc.get_freeze_count() > len(loaded)
        assert len(gc.get_objects()) < gc.get_freeze_count()
    finally:
        gc.unfreeze()


def test_what_can_come_later_waits_while_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    def waited(most: float = 1.0) -> float:
        before = now[0]
        give_way(most)
        return now[0] - before

    monkeypatch.setattr(asking, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(asking, "_answered", [-math.inf])
    with answering():
        assert waited() == 0, "nobody else is there"
        with answering():
            assert waited(0.01) == pytest.approx(0.01, abs=0.003)
        assert waited() == pytest.approx(asking.DRAWN, abs=0.003), "what came is drawn now"
        assert waited() == 0


@pytest.mark.parametrize("number", ["1_0", "１０", "٣"])
@pytest.mark.parametrize(
    "address",
    [
        "/api/jamfold?stack={}",
        "/api/endgame?chips={}",
        "/api/rule?hand=AA&stack={}",
        "/api/equity?a=AA&b=KK&seed={}",
        "/api/flop-formula?features={}",
        "/rules?lines={}",
        "/flops?features={}",
    ],
)
def test_a_number_has_ascii_digits(client: TestClient, address: str, number: str) -> None:
    answer = client.get(address.format(number))
    assert answer.status_code in (400, 422)
    assert "number" in answer.text


def test_who_waits_in_vain_reads_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "PATIENCE", 0.01)
    reason = "tables are made: try again"
    with calculating(wait=True, reason=reason), pytest.raises(asking.Busy, match=reason), calculating():
        raise AssertionError
    with calculating(), pytest.raises(asking.Busy, match="other requests"), calculating():
        raise AssertionError
