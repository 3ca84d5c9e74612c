"""Spots from a browser: refused before they begin, or solved in a process and looked into as from the command line."""

from __future__ import annotations

import fcntl
import json
import re
import shlex
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from headsup.cli import main
from headsup.common.files import write_json
from headsup.games.betting import bettingtree
from headsup.web.answers import FOREVER
from headsup.web.app import make_app
from headsup.web.render import pips, printed
from headsup.web.study import ahead
from headsup.web.study.spots import EXAMPLE, read_spot
from headsup.web.study.walking import parts, tones
from tests.waiting import until


def test_a_spot_is_measured_before_it_begins(client: TestClient) -> None:
    told = client.post("/api/spots/plan", json=EXAMPLE).json()
    assert told["decisions"] == 12
    assert told["refused"] is None
    wide = EXAMPLE | {"board": "Td9d6h", "oop": "random", "ip": "random", "bets": "20%, 33%, 50%, 75%, 100%, a"}
    told = client.post("/api/spots/plan", json=wide).json()
    assert told["bytes"] > 8e9
    assert "the limit is" in told["refused"]
    assert "the limit is" in client.post("/api/spots", json=wide).json()["error"]
    assert client.get("/api/spots").json() == {"spots": []}


@pytest.mark.parametrize(
    "change",
    [
        {"board": "Td9d"},
        {"oop": "((("},
        {"pot": "-1"},
        {"pot": "1e9"},
        {"stack": "1,2,3"},
        {"bets": "lots"},
        {"board": "Td9d6h", "pot": "1", "stack": "1000000000", "bets": "33%, 75%, a", "raises": "2x, 3x"},
        {"target": 0},
        {"seconds": 1e9},
        {"store": "float16"},
        {"start": "../../etc"},
        {"locks": ["x"] * 51},
        {"locks": ["x" * 6000]},
        {"oop": "A" * 20_001},
    ],
    ids=str,
)
def test_a_spot_that_cannot_be_is_told_in_one_sentence(
    client: TestClient, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bettingtree, "MOST_KINDS", bettingtree.MOST_KINDS // 10)  # so many take seconds to lay out
    answer = client.post("/api/spots", json=EXAMPLE | change)
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]
    assert client.get("/api/spots").json() == {"spots": []}


def test_a_page_says_whether_a_killed_run_can_be_continued_and_that_it_stops(tmp_path: Path) -> None:
    client, folder = TestClient(make_app(work=tmp_path)), tmp_path / "0123456789ab"
    folder.mkdir()
    write_json(folder / "job.json", {"spot": read_spot(EXAMPLE).text()})
    text = client.get("/study/0123456789ab").text
    assert (text.count("Solve again"), text.count("Continue")) == (2, 0)
    assert "solve the spot again" in text
    part = client.get("/study/0123456789ab?line=check", headers={"hx-request": "true"})
    assert part.status_code == 400
    assert "no solution yet" in part.text
    (folder / "checkpoint").touch()
    text = client.get("/study/0123456789ab").text
    assert (text.count("Solve again"), text.count("Continue")) == (0, 2)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as the process that solves it has it
        assert '<button class="button">Stop and keep' in client.get("/study/0123456789ab").text
        (folder / "stopping").touch()
        text = client.get("/study/0123456789ab").text
        assert "Stopping after" in text
        assert '<button class="button" disabled>Stop and keep' in text
        assert "Stopping after" in client.get("/study/0123456789ab/live").text


def test_bets_have_a_tone_by_size() -> None:
    assert tones(("fold", "call", "raise 300", "all-in 900")) == ["fold", "call", "bet1", "bet4"]
    sizes = ("check", "bet 1", "bet 2", "bet 3", "bet 4", "all-in 9")
    assert tones(sizes) == ["check", "bet1", "bet2", "bet3", "bet3", "bet4"]
    assert parts(" check, bet 94/ 7c ,") == ["check", "bet 94", "7c"]


def test_cards_by_their_signs() -> None:
    shown = str(pips("Td9h"))
    assert 'aria-label="Td9h"' in shown
    assert '<span class="pip suit-d">T♦</span><span class="pip suit-h">9♥</span>' in shown
    assert str(pips("<b>Td")) == "&lt;b&gt;Td"  # what is no card stays text


def test_cells_of_papers_are_text() -> None:
    assert printed("**0.5** `a` <b>") == "<b>0.5</b> a &lt;b&gt;"


@pytest.mark.long
def test_a_solved_spot_is_looked_into_as_from_the_command_line(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = client.post("/api/spots", json=EXAMPLE | {"target": 0.001}).json()["id"]
    until(lambda: client.get(f"/api/spots/{name}").json()["state"] != "running")
    told = client.get(f"/api/spots/{name}").json()
    assert (told["state"], told["solved"], told["message"]) == ("done", True, "")
    assert told["summary"]["exploitability_pot"] <= 0.001
    assert told["progress"][0][2] > told["progress"][-1][2]
    file = tmp_path / "river.sol"
    file.write_bytes(client.get(f"/study/{name}/solution").content)
    for options, words in (("", ""), ("--line check", "?line=check"), ("--hand QQ", "?hand=QQ")):
        assert main(shlex.split(f"look {file} {options} --json")) in (0, 2)
        printed_json = capsys.readouterr().out
        answer = client.get(f"/api/spots/{name}/look{words}").json()
        if printed_json:
            assert {"file": str(file), **answer} == json.loads(printed_json)
    assert (client.app.state.jobs.get(name).folder / ahead.FILE).is_file()  # type: ignore[attr-defined]
    view = client.get(f"/study/{name}?line=check&hand=QQ").text
    stamp = re.search(r'name="stamp" value="(\w+)"', view)[1]  # type: ignore[index]
    part, other = (
        client.get(f"/study/{name}?line=check&hand=QQ&stamp={word}", headers={"hx-request": "true"})
        for word in (stamp, "old")
    )
    assert part.text == other.text
    assert part.text.strip() in view
    assert [one.headers["cache-control"] == FOREVER for one in (part, other)] == [True, False]
    assert len(re.findall(r'name="pick" value="ip:', view)) == 169
    assert client.get(f"/study/{name}?line=check,check").text.count("The hand ends here") == 1
    assert client.get(f"/study/{name}?line=jump").status_code == 400
    rows = client.get(f"/study/{name}/chart.csv?line=check").text.splitlines()
    assert len(rows) == 1 + len(client.get(f"/api/spots/{name}/look?line=check").json()["hands"])
    assert "exploitability, % of the pot" in client.get(f"/study/{name}/progress.txt").text
    assert client.get(f"/study/{name}/cards.csv?line=check").status_code == 400  # a river: no card comes
    gains = [client.get(f"/api/spots/{name}/exploit?seat={seat}").json()["gains"] for seat in ("oop", "ip")]
    assert sum(gains) / 2 / 200 == pytest.approx(told["summary"]["exploitability_pot"], abs=1e-6)
    further = client.post(f"/api/spots/{name}/go-on", json={"target": 0.0005}).json()
    assert further["state"] == "running"
    until(lambda: client.get(f"/api/spots/{name}").json()["state"] != "running")
    assert client.get(f"/api/spots/{name}").json()["summary"]["exploitability_pot"] <= 0.0005
    assert client.delete(f"/api/spots/{name}").json() == {"deleted": name}


@pytest.mark.parametrize("path", ["/study/{}", "/study/{}/live", "/api/spots/{}", "/api/spots/{}/look"])
def test_a_spot_that_is_gone_is_not_found(client: TestClient, path: str) -> None:
    answer = client.get(path.format("0" * 12))
    assert answer.status_code == 404
    assert "there is no such spot: it may have been deleted" in answer.text
