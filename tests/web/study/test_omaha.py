"""Omaha spots in Study: the form, the list in place of the chart, categories, locks; and all of it in a browser."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from shutil import rmtree
from typing import Any

import pytest
from starlette.testclient import TestClient

from headsup.games.holdem.spot import Spot
from headsup.spots.solve import SpotSolution, solve_spot
from headsup.web.study.library import presets
from headsup.web.study.listing import listing, picked
from tests.web.conftest import keep_solved
from tests.web.test_browser import faults, until

ID = "0aaaa0000aaa"


@pytest.fixture(scope="module")
def river() -> SpotSolution:
    spot = Spot("Ts7d4h2cKs", "AA,A2$ds", "A2$ss,KK$ds", 100, 300, bets="100%", variant="omaha8")
    return solve_spot(spot, None, iterations=10)


@pytest.fixture(scope="module")
def kept(client: TestClient, river: SpotSolution) -> Iterator[str]:
    folder = client.app.state.jobs.folder / ID  # type: ignore[attr-defined]
    keep_solved(folder, river, "An Omaha river")
    yield f"/study/{ID}"
    rmtree(folder)  # other tests share the client


def test_the_list_finds_hands_and_sorts_them(river: SpotSolution) -> None:
    view = river.at("")
    whole = listing(view, "", None, "", None)
    assert whole["combos"] == pytest.approx(view.totals["combos"])
    assert whole["share"] == pytest.approx(1.0)
    assert [row["combos"] for row in whole["rows"][:2]] == sorted(
        (r["combos"] for r in whole["rows"][:2]), reverse=True
    )
    aces = listing(view, "AA", None, "equity", None)
    assert aces["rows"]
    assert all(row["hand"].count("A") >= 2 for row in aces["rows"])
    equities = [row["equity"] for row in aces["rows"]]
    assert equities == sorted(equities, reverse=True)
    often = [row["frequencies"]["check"] for row in listing(view, "", None, "check", None)["rows"]]
    assert often == sorted(often, reverse=True)
    assert listing(view, "KQJT", None, "", None)["rows"] == []
    assert "missing" in listing(view, "((", None, "", None)["message"]


def test_a_row_opens_its_hands(river: SpotSolution) -> None:
    view = river.at("")
    row = listing(view, "", None, "", None)["rows"][0]
    opened = picked(view, row["hand"])
    assert row["hand"] in opened["alike"]
    assert opened["left_out"] + len(opened["hands"]) == opened["alike"].count(",") + 1
    assert {hand["words"] for hand in opened["hands"]} == {row["category"]}
    locked = river.lock(f"{opened['alike']}: {view.actions[0]}").at("")
    rows = listing(locked, row["hand"], None, "", locked.frequencies[0] == 1.0)["rows"]
    assert rows[0]["locked"]
    assert rows[0]["frequencies"][view.actions[0]] == 1.0
    assert picked(view, "KdKhQdQh")["hands"] == []


def test_pages_of_an_omaha_spot(client: TestClient, kept: str, river: SpotSolution) -> None:
    text = client.get(kept).text
    for words in ("Made hands", "Lows", "Search hands", "Lock hands", "bet 100"):
        assert words in text
    assert "Best" in client.get(kept, params={"panel": "extremes"}).text
    assert "Range of ip" in client.get(kept, params={"panel": "ranges"}).text
    assert "Each range is sorted" in client.get(kept, params={"panel": "graph"}).text
    assert "In position" in client.get(kept, params={"line": "check", "reply": "ip"}).text
    rows = list(csv.DictReader(io.StringIO(client.get(f"{kept}/chart.csv").text)))
    assert len(rows) == len(river.at("").hands)
    assert client.get(f"{kept}/chart.svg").status_code == 400
    edit = re.search(
        r'href="(/study\?[^"]*variant=omaha8[^"]*)">Edit a copy', client.get(kept).text.replace("&amp;", "&")
    )
    assert edit
    assert "A2$ds" in client.get(edit[1]).text


def test_the_form_takes_omaha(client: TestClient) -> None:
    page = client.get("/study", params={"variant": "omaha"}).text
    assert 'name="variant" value="omaha"' in page
    assert "decisions in the betting tree" in page
    assert client.get("/study", params={"variant": "stud"}).status_code == 400
    for group, ranges in presets("omaha8").items():
        for name in ranges:
            text = client.get("/api/range/preset", params={"group": group, "name": name}).json()["text"]
            found = client.get("/api/range", params={"text": text, "game": "omaha8"}).json()
            assert found["combos"] > 0, name


def test_an_omaha_spot_in_a_browser(page: Any, work: Any, river: SpotSolution) -> None:
    keep_solved(work / ID, river, "An Omaha river")
    page.goto("/study?variant=omaha8")
    until(page, "document.querySelector('[data-name=oop] .told').innerText.includes('combos')")
    assert not page.is_visible("[data-name=oop] .paint")
    page.goto(f"/study/{ID}")
    page.fill("[name=find]", "AA")
    page.press("[name=find]", "Enter")
    until(page, "location.search.includes('find=AA')")
    until(
        page, "[...document.querySelectorAll('#hands tbody th .pips')].every((e) => e.ariaLabel.match(/A/g).length > 1)"
    )
    page.click("#hands thead a:has-text('equity')")
    until(page, "document.querySelector('#hands th[aria-sort]').innerText === 'equity'")
    page.click("#hands tbody a >> nth=0")
    page.wait_for_selector("#picked h2:has-text('hands like it')")
    page.click("summary:has-text('Lock these hands')")
    page.click("[data-add]")
    assert "A" in page.input_value("#locks")
    page.click("#categories tbody a >> nth=0")
    page.wait_for_selector("h2 a:has-text('Show all')")
    page.click("a:has-text('Best and worst')")
    page.wait_for_selector("h2:has-text('best and worst hands')")
    page.click(".act >> nth=0")
    page.wait_for_selector("h2:has-text('In position')")
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []
