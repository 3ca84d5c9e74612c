"""Hands on the page: brought as text, looked at beside, listed by cost, replayed, taken away, deleted; never a path."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from headsup.cards.cards import parse_cards
from headsup.play.coach.replay import parse_hands
from headsup.play.coach.review import Decision, hand_decisions, review
from headsup.play.table.record import HandRecord, parse_betting, record, replay
from headsup.play.table.rules import Deal, table
from headsup.web.table.imports import Imports
from headsup.web.table.matches import YOU
from tests.waiting import until

PART = {"hx-request": "true", "hx-target": "view"}
EXAMPLE = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
players = ['bob', 'ann']
actions = ['d dh p1 AsTh', 'd dh p2 Ks8s', 'p2 f']
"""


def hands_text() -> str:
    """Four hands at ten big blinds, as a log of ours."""
    there = table("holdem-nolimit", 10)
    played = (
        (("Ks8s", "AsTh"), "", "f"),
        (("AsTh", "Ks8s"), "Td9d6hQc2s", "r1000c"),
        (("7c2d", "AsAh"), "", "r1000f"),
        (("QdJd", "8c8h"), "Td9d6hQc2s", "r250c/cr300c/cc/cc"),
    )
    lines = [{"headsup": "log", "game": "holdem-nolimit", "stack": 10}]
    for number, (holes, board, betting) in enumerate(played, start=1):
        deal = Deal((parse_cards(holes[0]), parse_cards(holes[1])), parse_cards(board))
        lines.append(record(replay(there, deal, parse_betting(betting)), number, ("ann", "<b>bob")).line())
    return "".join(json.dumps(line) + "\n" for line in lines)


def brought(client: TestClient, text: str = "", name: str = "") -> str:
    """Bring hands and wait until all were looked at; where they are."""
    answer = client.post("/hands", data={"text": text or hands_text(), "name": name}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    place = str(answer.headers["location"])
    until_ready(client, place)
    return place


def until_ready(client: TestClient, place: str) -> None:
    """Wait until all hands were looked at."""
    until(lambda: "Reviewing hand" not in client.get(place).text, pause=0.2)


@pytest.fixture(scope="module")
def place(client: TestClient) -> str:
    return brought(client, name="<i>friday")


def test_the_list_is_that_of_the_command_line(client: TestClient, place: str) -> None:
    told = client.get(f"{place}/review.json").json()
    wanted = review(parse_hands(hands_text())[1])
    assert [one["lost"] for one in told["list"]] == [one.lost for one in wanted.decisions]
    assert told["list"] == json.loads(json.dumps([one.as_dict() for one in wanted.decisions]))
    assert (told["hands"], told["valued"]) == (4, len(wanted.decisions))
    text = client.get(place).text
    assert text.index("8.177 bb") < text.index("0.794 bb") < text.index("✓ correct")
    only = client.get(f"{place}/review.json?player=ann").json()
    assert {one["player"] for one in only["list"]} == {"ann"}
    rows = list(csv.DictReader(io.StringIO(client.get(f"{place}/review.csv").text)))
    assert float(rows[0]["lost_bb"]) == pytest.approx(8.1774)
    assert "<i>friday" not in text
    assert "<b>bob" not in text


def felt(text: str) -> list[str]:
    """The cards on the board, in words."""
    board = re.findall(r'aria-label="The board">(.*?)</div>', text, re.DOTALL)[0]
    return re.findall(r'aria-label="(\w+ of \w+)"', board)


def test_every_step_of_a_hand_can_be_seen(client: TestClient, place: str) -> None:
    first = client.get(f"{place}/4?step=0").text
    assert "step 0 of 9" in first
    assert felt(first) == []
    flop = client.get(f"{place}/4?step=2", headers=PART)
    assert "<html" not in flop.text
    assert felt(flop.text) == ["ten of diamonds", "nine of diamonds", "six of hearts"]
    assert flop.headers["hx-replace-url"].endswith("/4?step=2&seat=0")
    last = client.get(f"{place}/4").text
    assert "step 9 of 9" in last
    assert "ann wins 550." in last
    judged = client.get(f"{place}/3?step=1").text
    assert "8.177 bb" in judged
    assert "The values are those of the chart." in judged
    for seat in (0, 1):
        assert client.get(f"{place}/2?seat={seat}").status_code == 200
    for wrong in ("/0", "/5", "/99999999999999999999999", "/x"):
        assert 400 <= client.get(place + wrong).status_code < 500


def test_cards_that_were_not_seen_lie_face_down_until_they_are_folded(client: TestClient) -> None:
    text = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
players = ['ann', 'bob']
actions = ['d dh p1 ????', 'd dh p2 Ks8s', 'p2 cbr 300', '{last}']
"""
    folded, won = brought(client, text.format(last="p1 f")), brought(client, text.format(last="p1 cbr 900', 'p2 f"))
    steps = [(folded, 0, "2"), (folded, 1, "2"), (won, 3, "2"), (folded, 2, "0 folded")]
    for place, step, shown in steps:
        for seat in (0, 1):  # from either side
            page = client.get(f"{place}/1?step={step}&seat={seat}").text
            backs, mucked = page.count("a card face down"), page.count('class="mucked"')
            assert f"{backs}{' folded' * mucked}" == shown


def test_hands_are_taken_away_as_they_came(client: TestClient, place: str) -> None:
    lines = [json.loads(line) for line in client.get(f"{place}/history.jsonl").text.splitlines()]
    assert lines == [json.loads(line) for line in hands_text().splitlines()[1:]]
    pytest.importorskip("pokerkit")
    kind, again = parse_hands(client.get(f"{place}/history.phh").text)
    assert kind == "phh"
    assert [one.hand.chips for one in again if one.hand] == [tuple(line["chips"]) for line in lines]
    assert client.get(f"{place}/history.exe").status_code == 400
    assert client.get(f"{place}/review.exe").status_code == 400


def test_the_stack_of_an_acpc_log_is_told(client: TestClient) -> None:
    text = "STATE:1:r1000f:AsAh|7c2d:-100|100:bob|ann\n"
    for stack, losses in (("300", []), ("10", [8.1774, 0.4545])):
        answer = client.post("/hands", data={"text": text, "stack": stack}, follow_redirects=False)
        place = answer.headers["location"]
        until_ready(client, place)
        assert [one["lost"] for one in client.get(f"{place}/review.json").json()["list"]] == pytest.approx(losses)
        client.post(f"{place}/delete")
    assert client.post("/hands", data={"text": text, "stack": "ten"}).status_code == 400


def test_a_text_is_sent_as_it_is(client: TestClient) -> None:
    answer = client.post("/hands/text?name=mine", content=hands_text(), headers=PART)
    assert answer.status_code == 204
    assert re.fullmatch(r"/hands/[0-9a-f]{12}", answer.headers["hx-redirect"])
    assert "mine" in client.get("/hands").text
    assert client.post(f"{answer.headers['hx-redirect']}/delete", follow_redirects=False).status_code == 303
    assert client.get(answer.headers["hx-redirect"]).status_code == 400


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a hand",
        "{}",
        "STATE:x",
        '{"headsup": "log", "game": "spot:/etc/passwd", "stack": null}',
        '{"headsup": "log", "game": "holdem-nolimit", "stack": 10}\n{"hand": 1}',
        "variant = 'NT'",
        "STATE:0:r300f:KdTc|8sAc:-100|100:a|b\n" * 1001,
    ],
)
def test_what_cannot_be_read_is_told_in_one_sentence(client: TestClient, text: str) -> None:
    answer = client.post("/hands", data={"text": text}, headers=PART)
    assert answer.status_code == 400, answer.text
    assert answer.headers["hx-retarget"] == "#mistake"
    assert "/etc" not in answer.text.replace("spot:/etc", "")
    assert client.post("/hands", content=b"x" * 300_000).status_code == 413


def test_hands_that_are_left_out_are_explained(client: TestClient) -> None:
    good = EXAMPLE.strip()
    place = brought(client, f"[1]\n{good}\n[2]\n{good.replace('p2', 'p0')}\n")
    page = client.get(place).text
    assert ", 1 skipped" in page
    assert "hand 2: it cannot be read (there is no player p0: the first is p1)" in page
    answer = client.post("/hands", data={"text": good.replace("p2", "p0")}, headers=PART)
    assert answer.status_code == 400
    assert "there is no player p0" in answer.text


def test_a_hand_that_cannot_be_looked_at_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails_once(record: HandRecord, number: int, *more: Any) -> Iterator[Decision | None]:
        if number == 1:
            raise IndexError("tuple index out of range")
        return hand_decisions(record, number, *more)

    monkeypatch.setattr("headsup.web.table.imports.hand_decisions", fails_once)
    imports = Imports(tmp_path)
    name = imports.bring(hands_text())
    imports._look_at_all(name, ())
    found = imports.get(name)
    assert found.ready
    assert {one.hand for one in imports.decisions(name)} == {0, 2, 3}
    assert "hand 2 of the import" in caplog.text


@pytest.mark.long
def test_hands_that_nobody_looked_at_are_looked_at_by_the_next_server(tmp_path: Path) -> None:
    imports = Imports(tmp_path)
    name = imports.bring(hands_text())
    assert (imports.get(name).looked, imports.decisions(name)) == (0, [])
    later = Imports(tmp_path)
    later.look(name)
    later.look(name)  # one thread at a time
    until(lambda: later.get(name).ready)
    found = later.get(name)
    assert (found.looked, found.hands, found.unknown) == (4, 4, 0)
    assert len(later.decisions(name)) == found.decisions == 14
    assert [one.number for one in later.hands(name)] == [1, 2, 3, 4]
    later.delete(name)
    assert later.all() == []


def test_a_match_that_was_played_here(client: TestClient) -> None:
    sat = client.post("/play", data={"game": "holdem-jamfold", "stack": "10", "bot": "caller"}, follow_redirects=False)
    match = sat.headers["location"]
    assert client.post(f"/hands/match/{match.rpartition('/')[2]}").status_code == 400  # nothing is over yet
    page = client.get(match).text
    decision = re.findall(r'name="decision" value="(\d+)"', page)[0]
    client.post(f"{match}/act", data={"decision": decision, "move": "f"})
    answer = client.post(f"/hands/match/{match.rpartition('/')[2]}", follow_redirects=False)
    assert answer.status_code == 303
    where = answer.headers["location"]
    until_ready(client, where)
    text = client.get(where).text
    assert "against Caller" in text
    imports = client.app.state.imports  # type: ignore[attr-defined]
    assert imports.hero(where.rpartition("/")[2]) == YOU
    assert f"player={YOU}" in text  # it starts at the hero
    listed = client.get("/hands").text
    assert re.search(r'against Caller</th><td>20\d\d-\d\d-\d\d \d\d:\d\d</td><td data-unit="hands">1</td>', listed)


ROOMS = Path(__file__).parents[2] / "play" / "protocols" / "rooms"


NO_LIMIT = [path for path in sorted(ROOMS.glob("*.[tjx]*")) if path.stem != "bovada_2012"]  # that is limit hold'em


@pytest.mark.parametrize("path", NO_LIMIT, ids=lambda path: path.stem)
def test_a_pasted_hand_becomes_a_filled_in_spot(client: TestClient, path: Path) -> None:
    answer = client.post("/hands/spot", data={"text": path.read_text()}, headers=PART)
    place = answer.headers["hx-redirect"]
    assert place.startswith("/study?board="), answer.text
    shown = client.get(place).text
    assert "decisions" in shown
    assert "Ranges: the chart before the flop for" in shown
    assert 'value="75%, a"' in shown
    fields = dict(re.findall(r'<input name="(board|pot|stack|flop)"[^>]*value="([^"]*)"', shown))
    assert fields["board"]
    assert fields["pot"].isdigit()


def test_a_text_without_a_spot_says_why(client: TestClient) -> None:
    for text, why in (
        ("", "the text is empty"),
        (EXAMPLE, "ends before the flop"),
        ("nothing of the kind", "not a hand history"),
        ((ROOMS / "bovada_2012.txt").read_text(), "this hand is holdem-limit"),
    ):
        answer = client.post("/hands/spot", data={"text": text}, headers=PART)
        assert answer.status_code == 400
        assert why in answer.text


@pytest.mark.long
def test_hands_of_rooms_are_replayed_and_solved_from_any_street(client: TestClient) -> None:
    where = brought(client, (ROOMS / "pokerstars.txt").read_text())
    first, second, third = (client.get(f"{where}/{number}?step=0").text for number in (1, 2, 3))
    assert re.findall(r'<a href="/study\?board=[^"]*">the (\w+)</a>', first) == ["flop", "turn", "river"]
    assert re.findall(r'<a href="/study\?board=[^"]*">the (\w+)</a>', second) == ["turn"]
    assert "/study?board" not in third
    assert "lo-fi wins 219." in client.get(f"{where}/2").text
    imports = client.app.state.imports  # type: ignore[attr-defined]
    assert imports.hero(where.rpartition("/")[2]) == ""  # hands of several people
