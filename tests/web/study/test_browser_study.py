"""Study in a real browser: what lies beside the chart, locks by clicking, presets, the list of spots and of cards."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from headsup.common.errors import UserError
from headsup.common.files import write_json
from headsup.games.holdem.spot import Spot
from headsup.spots.solve import SpotSolution, solve_spot
from headsup.web.jobs import SOLUTION, Ask, mark_of
from headsup.web.pages.study import without_locks
from headsup.web.study import ahead, panels, walking
from headsup.web.study.library import preset, presets
from headsup.web.study.spots import fields_of, read_spot
from tests.web.conftest import keep_solved
from tests.web.test_browser import until


def test_each_action_has_its_combos_value_and_pot_odds_and_a_panel_beside(page: Any, turn: str) -> None:
    page.goto(turn)
    bet = page.inner_text(".act >> nth=1")
    assert "combos, EV" in bet
    assert "60% of the pot; a call needs 27% equity" in bet  # 120 into 200: 120 of 440
    page.click(".act >> nth=1")
    page.wait_for_selector(".act.a-call")
    assert "needs 27% equity" in page.inner_text(".act.a-call")
    assert "120 to call" in page.inner_text(".facts")
    page.click("text=Both ranges")
    page.wait_for_selector("[aria-label='Range of oop']")
    assert page.evaluate("document.querySelectorAll('.walk .grid13').length") == 2
    page.click("text=Equity graph")
    page.wait_for_selector(".walk .chart svg")
    assert "panel=graph" in page.url


def test_a_category_filters_the_chart(page: Any, turn: str) -> None:
    page.goto(turn)
    assert page.inner_text("#categories .group >> nth=0") == "Made hands"
    assert page.inner_text("#categories .group >> nth=1") == "Draws"
    page.click("#categories a:text-is('overpair')")
    page.wait_for_selector("h2:has-text('overpair')")
    assert page.get_attribute("[data-grid] button[value='oop:KJs']", "title") == "KJs: no such hand"
    assert "reach" in page.get_attribute("[data-grid] button[value='oop:AA']", "title")
    page.click("text=Show all")
    until(page, "!location.search.includes('only=')")
    page.goto(f"{turn}?only=nonsense")
    assert "there is no category 'nonsense'" in page.inner_text(".mistake")


def test_a_hand_is_locked_by_clicking_and_unlocked_again(page: Any, turn: str) -> None:
    page.goto(f"{turn}?hand=AA")
    page.click("summary:has-text('Lock AA')")
    for slider, value in enumerate(("50", "0", "100")):
        page.locator("[data-lock] input").nth(slider).fill(value)
    assert page.inner_text("[data-lock] output >> nth=0") == "33 %"
    page.click("[data-add]")
    assert page.input_value("#locks") == "AA: check 33%, all-in 900"
    page.locator("[data-lock] input").nth(2).fill("0")
    page.click("[data-add]")  # the same hand again: the lock is replaced
    assert page.input_value("#locks") == "AA: check"
    assert page.url.endswith("hand=AA")  # sliders ask for nothing


def test_a_locked_spot_is_compared_with_its_parent_and_unlocked(page: Any, turn: str, work: Path) -> None:
    parent, locked = turn.rpartition("/")[2], work / "0123456789ad"
    solved = ahead.solution_of(work / parent)
    locked.mkdir()
    ask = vars(Ask(solved.spot.text(), "A turn, locked", locks=("AA: check",), start=parent)) | {"locks": ["AA: check"]}
    write_json(locked / "job.json", ask)
    mark = mark_of(locked)
    fixed = solved.lock("AA: check")
    fixed.save(locked / SOLUTION, job=mark)
    write_json(locked / "summary.json", {"job": mark, **fixed.summary()})
    write_json(locked / "state.json", {"state": "done", "message": ""})
    page.goto("/study/0123456789ad")
    assert "Locked: AA: check" in page.inner_text("main")
    assert page.locator("[data-grid] button[value='oop:AA'] small").inner_text() == "\N{LOCK}"
    assert page.input_value("#pair select") == parent
    page.click("#pair button")
    page.wait_for_selector("#compare h3")
    page.uncheck("input[name=keep-0]")
    page.click("text=Solve with locks")
    page.wait_for_url(f"**{turn}")
    assert "Locked:" not in page.inner_text("main")
    shutil.rmtree(locked)


def test_edit_a_copy_fills_the_form(page: Any, turn: str) -> None:
    page.goto(turn)
    page.click("text=Edit a copy")
    assert page.input_value("input[name=board]") == "Td9d6hQc"
    assert page.input_value("#ip-text") == "QQ,AQs,J8s"
    assert page.input_value("input[name=name]") == "A turn (copy)"
    page.click("#spots a:text-is('A turn')")
    page.wait_for_url(f"**{turn}")


def test_presets_and_own_ranges_fill_a_range(page: Any) -> None:
    page.goto("/study")
    select = "[data-name=oop] [data-presets]"
    page.select_option(select, "all pairs")
    until(page, "document.querySelector('#oop-text').value === '22+'")
    page.once("dialog", lambda dialog: dialog.accept("mine"))
    page.click("[data-name=oop] [data-save]")
    page.click("[data-name=ip] [data-clear]")
    page.select_option("[data-name=ip] [data-presets]", "mine")
    until(page, "document.querySelector('#ip-text').value === '22+'")
    page.select_option(select, "big blind after call, check")
    until(page, "document.querySelector('#oop-text').value.length > 100")


def test_solve_is_in_sight_and_plain_numbers_are_bet_sizes(page: Any) -> None:
    page.goto("/study")
    top = "document.querySelector('.solvebar button').getBoundingClientRect()"
    assert page.evaluate(f"{top}.top > 0 && {top}.bottom <= innerHeight")
    shown = page.inner_text("#plan")
    page.fill("input[name=bets]", "60, a")
    page.wait_for_timeout(400)
    assert page.inner_text("#plan") == shown


def test_the_cards_to_come_are_a_grid_and_a_list_to_sort(page: Any, turn: str) -> None:
    page.goto(f"{turn}?line=check,check")
    page.wait_for_selector(".runcards.grid4 a small")
    assert page.locator(".runcards.grid4 a").count() == 48
    page.click("summary:has-text('List of cards')")
    rows = "[...document.querySelectorAll('[aria-label=Runouts] tbody tr')]"
    values = f"{rows}.map((row) => Number(row.children[5].dataset.value))"
    for click in (1, -1):
        page.click("th button:text-is('expected value')")
        listed = page.evaluate(values)
        assert listed == sorted(listed, reverse=click == 1)
    page.click(".runcards.grid4 a >> nth=0")
    page.wait_for_selector("h2:has-text('Out of position')")


@pytest.fixture(scope="module")
def river() -> SpotSolution:
    spot = Spot("Td9d6hQc2s", "AA,T9s,KJs", "QQ,AQs,J8s", 200, 900, bets="60%", raises="2.5x")
    return solve_spot(spot, None, iterations=30)


def test_the_equity_graph_has_the_equities_of_both_ranges(river: SpotSolution) -> None:
    """Its mean is the equity of the range, up to its steps; both means add up to 1."""
    curves = {name: [y for _, y in points] for name, points in panels.equity_curves(river.known, "").items()}
    assert all(curve == sorted(curve) for curve in curves.values())
    view = river.at("")
    assert np.mean(curves["oop"]) == pytest.approx(100 * float(view.weights @ view.equity), abs=1.5)
    assert np.mean(curves["oop"]) + np.mean(curves["ip"]) == pytest.approx(100.0, abs=3.0)
    assert min(curves["oop"]) == pytest.approx(100 * view.equity[view.weights > 0].min())


def test_combos_and_values_of_the_actions_add_up(river: SpotSolution) -> None:
    loaded = walking.Loaded(river, walking.Ahead())
    for line in ("", "check", "bet 120"):
        view = river.at(line)
        rows = panels.actions(loaded, view)
        assert sum(row["combos"] for row in rows) == pytest.approx(view.totals["combos"])
        mean = sum(row["share"] * row["ev"] for row in rows if row["ev"] is not None)
        assert mean == pytest.approx(view.totals["ev"])


def test_locked_hands_are_those_of_the_lock(river: SpotSolution) -> None:
    locked = river.lock("check | QQ: check")
    loaded = walking.Loaded(locked, walking.Ahead())
    view = locked.at("check")
    mask = panels.locked_hands(loaded, "check")
    assert {name for name, held in zip(view.classes, mask, strict=True) if held} == {"QQ"}
    assert not panels.locked_hands(loaded, "").any()
    cells = {cell.hand: cell for cell in walking.cells(view, "strategy", locked=mask)}
    assert "locked" in cells["QQ"].words
    assert "locked" not in cells["AQs"].words


def test_fields_of_a_spot_make_the_same_spot() -> None:
    spot = Spot("Td9d6hQc", "AA,T9s", "QQ,AQs:0.5", 200, (900, 700), bets="60%", river="75%; 3x", rake="5%/30")
    assert read_spot(fields_of(spot)) == spot
    plain = read_spot(fields_of(spot) | {"bets": "60", "river": "75; 3x"})
    assert plain == spot


def test_every_preset_is_a_range(client: TestClient) -> None:
    assert any("Preflop equilibrium" in group for group in presets())
    for group, ranges in presets().items():
        for name in list(ranges)[:3]:
            text = client.get("/api/range/preset", params={"group": group, "name": name}).json()["text"]
            assert client.get("/api/range", params={"text": text}).json()["combos"] > 0, name
    with pytest.raises(UserError, match="no preset"):
        preset("Common ranges", "nothing")


def test_a_spot_is_unlocked_by_its_parent(client: TestClient) -> None:
    """A locked spot that has no parent cannot be unlocked; the message says what to do instead."""
    jobs, request = client.app.state.jobs, Request({"type": "http", "app": client.app})  # type: ignore[attr-defined]
    solved = solve_spot(Spot("Td9d6hQc2s", "AA", "QQ", 200, 900, bets="60%"), None, iterations=3)
    keep_solved(jobs.folder / "aaaaaaaaaaaa", solved)
    parent = jobs.get("aaaaaaaaaaaa")
    child = replace(parent, id="b", ask=Ask(parent.ask.spot, locks=("AA: check",), start=parent.id))
    assert without_locks(request, child).id == parent.id
    with pytest.raises(UserError, match="edit a copy"):
        without_locks(request, replace(child, ask=Ask(parent.ask.spot, locks=("AA: check",))))
    jobs.delete(parent)
