"""Training on the page: questions, answers once each, what was missed again, progress to take away and to delete."""

from __future__ import annotations

import csv
import html
import io
import re
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from headsup.play.coach.decks import JamFoldDeck, PreflopDeck
from headsup.play.coach.trainer import GAPS, Answered, Due
from headsup.spots.solve import solve_spot
from headsup.web.app import make_app
from headsup.web.pages.hands import _spots, tone
from headsup.web.pages.train import simple
from headsup.web.training import GRADES, TrainingStore, deck_words, grade
from tests.play.coach.test_reference import river
from tests.web.conftest import keep_solved
from tests.web.table.test_hands import PART, brought

DECK = {"what": "jamfold", "game": "holdem", "stack": "9", "seat": "sb", "within": "0.01"}


def asked(client: TestClient, words: dict[str, str]) -> dict[str, str]:
    """The fields of the question that comes now."""
    text = client.get("/train", params=words).text
    form = re.findall(r'<form class="(?:moves|guess)".*?</form>', text, re.DOTALL)[0]
    found = re.findall(r'name="(\w+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in found if name != "answer"}


@pytest.fixture
def fresh(client: TestClient) -> TestClient:
    client.post("/train/delete", data={})
    return client


def test_an_answer_is_scored_and_counted_once(fresh: TestClient) -> None:
    fields = asked(fresh, DECK)
    assert fields["turn"] == "0"
    question = JamFoldDeck("holdem", 9.0, "sb").question(fields["key"])
    assert question.known is not None
    gain = question.known.choices[1].value or 0.0
    worse = "1" if gain > 0.0 else "2"
    text = fresh.post("/train", data={**fields, "answer": worse}, headers=PART).text
    if abs(gain) > 0.01:
        assert "Missed" in text
        assert f"{abs(gain):.3f} bb lost" in re.sub(r"\s+", " ", text)
    again = fresh.post("/train", data={**fields, "answer": worse}, headers=PART).text
    assert "not counted again" in again
    assert len(fresh.get("/train/progress.json").json()["answers"]) == 1


def test_decisions_before_the_flop_are_scored(fresh: TestClient) -> None:
    words = {"what": "preflop", "stack": "10", "seat": "sb", "within": "0.01"}
    fields = asked(fresh, words)
    question = PreflopDeck(10.0, "sb").question(fields["key"])
    assert question.known is not None
    values = [choice.value or 0.0 for choice in question.known.choices]
    worst = values.index(min(values))
    text = fresh.post("/train", data={**fields, "answer": str(worst + 1)}, headers=PART).text
    assert "the chart for 10 bb" in text
    assert f"{question.known.lost_by(worst):.3f} bb lost" in re.sub(r"\s+", " ", text)
    assert "Before the flop, 10 bb, small blind" in fresh.get("/train", params=words).text
    assert "There is no chart for" not in fresh.get("/train", params=words).text
    caution = "mbb here by its own values: frequencies or values are less reliable"
    assert caution not in text
    unsure = {"what": "preflop", "stack": "8", "key": "raise 2 | JTs", "turn": "0", "answer": "call"}
    assert f"The mix loses 181.1 {caution}" in fresh.post("/train", data=unsure, headers=PART).text
    between = fresh.get("/train?what=preflop&stack=13.4").text
    assert "There is no chart for 13.4 bb: questions are from the nearest one, for 12 bb." in between
    assert '<option value="12" selected>' in between
    assert fresh.get("/train?what=preflop&stack=99").status_code == 400


def test_any_mix_is_an_answer(fresh: TestClient) -> None:
    fields = asked(fresh, DECK)
    text = fresh.post("/train", data={**fields, "mix-01-fold": "30", "mix-02-jam": "70"}, headers=PART).text
    assert "fold 30 %, jam 70 %" in text
    fields = asked(fresh, DECK)
    assert fields["turn"] == "1"
    for wrong in ({}, {"answer": "9"}, {"mix-01-fold": "30", "mix-02-jam": "60"}, {"answer": "dance"}):
        assert fresh.post("/train", data={**fields, **wrong}).status_code == 400
    assert len(fresh.get("/train/progress.json").json()["answers"]) == 1


def test_what_was_missed_comes_again_after_three_others(fresh: TestClient) -> None:
    missed = "sb AA"
    fresh.post("/train", data={**DECK, "key": missed, "turn": "0", "answer": "fold"})
    keys = []
    for turn in range(1, 6):
        fields = asked(fresh, DECK)
        keys.append(fields["key"])
        fresh.post("/train", data={**fields, "answer": "jam" if fields["key"] == missed else "2"})
        assert fields["turn"] == str(turn)
    assert keys[3] == missed  # others may have been missed too, and come later


def test_points_are_guessed(fresh: TestClient) -> None:
    fields = asked(fresh, {"what": "card", "game": "holdem", "lines": "4"})
    text = fresh.post("/train", data={**fields, "answer": "1000"}, headers=PART).text
    assert "Missed" in text
    assert "points off" in text
    assert fresh.post("/train", data={**fields, "answer": "many"}).status_code == 400


def test_hands_that_were_brought_are_trained(fresh: TestClient) -> None:
    place = brought(fresh).rpartition("/")[2]
    words = {"what": "hands", "hands": place, "player": "ann"}
    fields = asked(fresh, words)
    text = fresh.post("/train", data={**fields, "answer": "1"}, headers=PART).text
    assert ", ann chose: " in text
    assert fresh.get("/train", params={"what": "hands", "hands": "../../etc"}).status_code == 400
    fresh.post(f"/hands/{place}/delete")


def test_without_a_solved_spot_it_says_where_to_get_one(client: TestClient) -> None:
    text = client.get("/train?what=spot").text
    assert "No spot is solved yet" in text or 'class="quiz"' in text


def test_a_spot_that_was_stopped_early_is_trained_only_if_it_is_chosen(tmp_path: Path) -> None:
    """The newest first: one that was stopped, then one that was solved."""
    app = make_app(work=tmp_path)
    jobs = app.state.jobs
    stopped = solve_spot(river().spot, None, iterations=1)
    with TestClient(app) as client:
        keep_solved(jobs.folder / ("a" * 12), stopped, "stopped", 2.0)
        text = client.get("/train?what=spot").text
        assert "No spot is solved to within 1 % of the pot yet" in text
        share = f"not solved: exploitability {100 * stopped.exploitability_pot:.2g} % of the pot"
        assert f"stopped ({share})</option>" in text
        keep_solved(jobs.folder / ("b" * 12), river(), "solved", 1.0)
        text = client.get("/train?what=spot").text
        assert f'value="{"b" * 12}" selected>solved</option>' in text
        assert "caution" not in text
        text = client.get(f"/train?what=spot&spot={'a' * 12}").text
        assert f"<span>caution</span>{share}" in text
        assert [one.name for one in _spots(Request({"type": "http", "app": app}))] == ["solved"]


def test_progress_is_taken_away_and_deleted(fresh: TestClient) -> None:
    for turn in range(12):
        fresh.post("/train", data={**DECK, "key": "sb AA", "turn": str(turn), "answer": "jam"})
    fresh.post(
        "/train", data={"what": "card", "game": "holdem", "lines": "4", "key": "sb 8 K7o", "turn": "0", "answer": "1"}
    )
    text = fresh.get("/train", params=DECK).text
    assert "<svg" in text
    assert "Mean loss per ten answers" in text
    for kind, looks in (("svg", "<svg"), ("csv", "lost,12.0,0.0"), ("txt", "lost         12   0")):
        link = re.findall(rf'href="(/train/curve.{kind}[^"]*)" download', text)[0]
        assert looks in fresh.get(html.unescape(link)).text
    rows = list(csv.DictReader(io.StringIO(fresh.get("/train/progress.csv").text)))
    assert len(rows) == 13
    assert {row["deck"] for row in rows} == {"jamfold holdem 9 sb", "card holdem 4"}
    fresh.post("/train/delete", data={"deck": "card holdem 4"})
    assert len(fresh.get("/train/progress.json").json()["answers"]) == 12
    fresh.post("/train/delete", data={})
    assert fresh.get("/train/progress.json").json() == {"answers": []}
    assert fresh.get("/train/progress.exe").status_code == 400


@pytest.mark.parametrize(
    "words",
    [
        {"what": "chess"},
        {"stack": "x"},
        {"stack": "nan"},
        {"stack": "-1"},
        {"seat": "x"},
        {"within": "9"},
        {"game": "chess"},
        {"what": "card", "game": "omaha"},
        {"what": "card", "lines": "99"},
        {"what": "card", "lines": "inf"},
        {"what": "flops", "hand": "72o"},
        {"what": "spot", "spot": "../x"},
        {"what": "hands", "hands": "0123456789ab"},
    ],
)
def test_a_mistake_is_one_sentence(client: TestClient, words: dict[str, str]) -> None:
    answer = client.get("/train", params=words, headers=PART)
    assert answer.status_code == (404 if "spot" in words else 400), answer.text
    assert answer.headers["hx-retarget"] == "#mistake"


def test_progress_survives_a_restart(tmp_path: Path) -> None:
    TrainingStore(tmp_path).add("d", Answered("k", "fold", 0.5, False), Due(0, 1 + GAPS[0]))
    store = TrainingStore(tmp_path)
    assert (store.turn("d"), store.missed("d")) == (1, 1)
    assert store.waiting("d", "k") == Due(0, 4)
    assert (store.due("d", 3), store.due("d", 4), store.due("other", 9)) == (None, "k", None)
    store.add("d", Answered("k", "jam", 0.0, True), None)
    assert store.waiting("d", "k") is None
    assert store.answers("d") == [Answered("k", "fold", 0.5, False), Answered("k", "jam", 0.0, True)]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("jamfold omaha8 8.5 bb", "Jam or fold, Omaha hi-lo, eight or better, 8.5 bb, big blind"),
        ("preflop 10 both", "Before the flop, 10 bb, both seats"),
        ("preflop 15 sb", "Before the flop, 15 bb, small blind"),
        ("flops AKs RS 5", "Equity on a flop, AKs against a strong range (4 %)"),
        ("card holdem 4", "Rule card with 4 lines, hold'em"),
        ("spot 0123", "Spot 0123"),
        ("hands 0123 ann b", "Hands of ann b"),
    ],
)
def test_decks_are_named_in_words(name: str, title: str) -> None:
    assert deck_words(name)[0] == title


def test_answers_have_grades_and_a_session_ends_with_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [grade(lost, lost <= 0.01, "bb") for lost in (0.0, 0.008, 0.05, 0.2, 3.0)] == list(GRADES)
    store, clock = TrainingStore(tmp_path), [1000.0]
    monkeypatch.setattr("headsup.web.training.time.time", lambda: clock[0])
    assert store.session("deck") == []
    for key, seconds in (("a", 0.0), ("b", 60.0), ("c", 5000.0), ("d", 60.0)):
        clock[0] += seconds
        store.add("deck", Answered(key, "fold", 0.0, True), None)
    assert [answered.key for answered in store.session("deck")] == ["c", "d"]


def test_simple_sizes_offer_one_bet_that_stands_for_the_best(fresh: TestClient) -> None:
    words = {"what": "preflop", "stack": "15", "seat": "sb", "sizes": "simple"}
    text = fresh.get("/train", params=words).text
    form = re.findall(r'<form class="moves".*?</form>', text, re.DOTALL)[0]
    names = [name.strip() for name in re.findall(r"<button[^>]*>([^<]*)<", form)]
    assert "Raise, any size" in names
    assert not any("all-in" in name.lower() for name in names)
    number = re.findall(r'value="(\d+)" data-key="r"', form)[0]
    fields = asked(fresh, words)
    question = PreflopDeck(15.0, "sb").question(fields["key"])
    assert question.known is not None
    offered = simple(question, [{"name": n, "kind": tone(n), "number": i} for i, n in enumerate(question.choices, 1)])
    losses = [question.known.lost_by(i) for i, n in enumerate(question.choices) if tone(n) in ("bet", "allin")]
    assert question.known.lost_by(offered[-1]["number"] - 1) == min(losses)  # type: ignore[type-var]
    assert int(number) <= len(question.choices)
    graded = fresh.post("/train", data={**fields, **words, "answer": str(offered[-1]["number"])}, headers=PART).text
    assert 'class="grade g-' in graded
    assert "This session: 1 answer," in graded
    assert fresh.get("/train", params={**words, "sizes": "huge"}).status_code == 400
