"""The page before the flop: the numbers of the command line, lines that lead on, and pots that open in Study."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from headsup.cli import main
from headsup.preflop import compare_checked_down, shipped
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.web.pages.preflop import STAMP, fitting, study_fields, unit_of
from headsup.web.study.spots import read_spot
from tests.preflop.test_chart import made_up
from tests.web.test_browser import AS_SENT, faults, until

PART = {"hx-request": "true", "hx-target": "view"}
STACK = shipped_stacks()[0]


@pytest.mark.parametrize("words", [(), ("--line", "call"), ("--line", "call, check"), ("--hand", "K7o")])
def test_json_is_that_of_the_command_line(
    client: TestClient, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert main(["preflop", "--stack", str(STACK), *words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    asked = {word.removeprefix("--"): value for word, value in zip(words[::2], words[1::2], strict=True)}
    assert client.get("/api/preflop", params={"stack": STACK, **asked}).json() == printed
    assert printed["asked_stack"] == STACK


def test_a_hand_shows_its_frequencies_and_values(client: TestClient) -> None:
    text = client.get(f"/preflop?stack={STACK}&line=call&hand=A5s").text
    for action in shipped_preflop(STACK).at("call").table("A5s"):
        assert action["name"] in text
        assert f"{100 * action['frequency']:.1f}\N{NO-BREAK SPACE}%" in text
        assert f"{action['ev_bb']:+z.3f} bb".replace("-", "−") in text
    assert 'value="bb:A5s"' in text


def test_decisions_that_contradict_their_values_are_marked(client: TestClient) -> None:
    assert "The mix loses 181.1 mbb here by its own values" in client.get("/preflop?stack=8&line=raise%202").text
    assert (
        "Less than 0.001% of deals reach this decision and the mix" in client.get("/preflop?stack=25&line=all-in").text
    )
    assert "less reliable" not in client.get("/preflop?stack=8").text


def test_the_value_of_the_game_is_shown_once(client: TestClient) -> None:
    """The first decision has another one, by values on the flops of the chart."""
    assert "by the values of this chart" not in client.get("/preflop?stack=25").text
    later = client.get("/preflop?stack=25&line=call&hand=75s").text
    assert "value for the big blind here, by the values of this chart on its 49 flops" in later
    assert "corrected by 756 flops solved one by one: <a href" in later
    shallow = client.get("/preflop?stack=8&line=call&hand=75s").text
    assert "They are estimates, since the chart was solved with 25 flops" in shallow
    assert (
        "corrected by 1,755 flops solved one by one at 10 big blinds" in client.get("/preflop?stack=12&hand=75s").text
    )


def test_a_chart_against_checking_down(client: TestClient) -> None:
    comparison = compare_checked_down(shipped_preflop(STACK), "call")
    text = client.get(f"/preflop?stack={STACK}&line=call&by=change").text
    assert f"loses {comparison.summary()['cost_mbb']:.1f} mbb" in text
    worst = comparison.hands(1)[0]
    assert re.search(f'title="{worst["hand"]}: [^"]*; loses {worst["cost_bb"]:.3f} bb"', text)
    assert client.get(f"/preflop/chart.svg?stack={STACK}&line=call&by=change").text.count("<title>") == 169


def test_every_decision_has_a_tab_and_every_tab_leads_to_it(client: TestClient) -> None:
    chart = shipped_preflop(STACK)
    text = client.get(f"/preflop?stack={STACK}").text
    tabs = re.findall(r'<nav class="choose".*?</nav>', text, re.DOTALL)
    links = [unescape(link) for tab in tabs for link in re.findall(r'href="([^"]+)"', tab)]
    assert sorted(parse_qs(urlsplit(link).query).get("line", [""])[0] for link in links) == sorted(
        line for _, line in chart.lines
    )
    for link in links:
        shown = client.get(link).text
        assert shown.count('aria-current="page"><span>') == 1
        assert "The hand ends here" not in shown


def test_following_every_action_ends_in_folds_and_flops(client: TestClient) -> None:
    waiting, ends = [f"/preflop?stack={STACK}"], {"over": 0, "flop": 0, "all-in": 0}
    while waiting:
        text = client.get(waiting.pop()).text
        actions = re.findall(r'class="act [^"]*" href="([^"]+)"', text)
        waiting += [unescape(link) for link in actions]
        if not actions:
            kind = "over" if "The hand ends here" in text else "flop" if "The flop comes" in text else "all-in"
            assert ("pot-here" in text) == (kind == "flop")
            ends[kind] += 1
    assert min(ends.values()) > 0, ends


def test_a_pot_opens_in_study_with_both_ranges(client: TestClient) -> None:
    chart = shipped_preflop(STACK)
    fields = study_fields(chart, "call, check")
    spot = read_spot({"board": "Ks7d4d", **fields})
    assert (spot.pot, *set(spot.stacks)) == (2 * unit_of(chart), (STACK - 1) * unit_of(chart))
    assert (fields["ip"], fields["oop"]) == chart.ranges("call, check")
    text = client.get(f"/preflop?stack={STACK}&line=call,%20check").text
    sent = dict(re.findall(r'form="pot" name="([^"]+)" value="([^"]*)"', text))
    assert {name: unescape(value) for name, value in sent.items()} == fields
    studied = client.get("/study", params={"board": "Ks7d4d", **fields}).text
    assert "decisions</b>" in studied or "decisions in the betting tree" in studied


def test_a_fine_ante_has_whole_chips_in_study() -> None:
    assert unit_of(PreflopChart(vars(Setting(10.0)), *[()] * 2)) == 100  # type: ignore[arg-type]
    assert unit_of(PreflopChart(vars(Setting(10.0, ante=0.125)), *[()] * 2)) == 1000  # type: ignore[arg-type]


def test_another_stack_and_another_menu(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two stacks: the nearest one answers and is named; a line goes as far as the menu has it."""
    chart = shipped_preflop(STACK)
    assert fitting(chart, "call, raise 9, call") == "call"
    assert fitting(chart, "nonsense") == ""
    assert fitting(chart, "") == ""
    PreflopChart({**chart.about, "stack": 6.0}, chart.probabilities, chart.ev).save(tmp_path / "preflop-6.headsup")
    chart.save(tmp_path / f"preflop-{STACK}.headsup")
    monkeypatch.setattr(shipped, "DATA", tmp_path)
    shipped._load.cache_clear()
    try:
        text = client.get("/preflop?stack=5.8&hand=AA").text
        assert "this is the nearest one, for 6 bb" in text
        assert "At other stacks" in text
        assert "The line was cut" in client.get("/preflop?stack=6&line=call,%20raise%209").text
    finally:
        shipped._load.cache_clear()


def test_a_chart_with_other_bet_sizes(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up(Setting(17.0, "2x, 3x, a; 3x, a; a")).save(tmp_path / "preflop-17.headsup")
    monkeypatch.setattr(shipped, "DATA", tmp_path)
    shipped._load.cache_clear()
    try:
        text = client.get("/preflop?stack=17&line=raise%202,%20raise%206&hand=AA").text
        assert "Small blind after raise 2, raise 6" in text
        assert "after raise 3, raise 9, all-in" in text
        text = client.get("/preflop?stack=17&line=raise%202,%20raise%206,%20call").text
        assert "The pot is 12 bb, with 11 bb behind" in text
        text = client.get("/train?what=preflop&stack=17").text
        assert "17 bb" in text
    finally:
        shipped._load.cache_clear()


def test_views_are_kept_under_the_stamp_of_the_server(client: TestClient) -> None:
    answer = client.get(f"/preflop?line=call&stamp={STAMP}", headers=PART)
    assert "<html" not in answer.text
    assert "immutable" in answer.headers["cache-control"]
    assert "immutable" not in client.get("/preflop?line=call&stamp=old", headers=PART).headers.get("cache-control", "")


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/preflop?stack=99", "give a stack from 4 to 30"),
        ("/preflop?stack=x", "the stack is &#39;x&#39;, which is not a number"),
        ("/preflop?hand=AK", "add s for suited or o for offsuit"),
        ("/preflop?by=x", "the view is one of strategy, value, change"),
        ("/preflop/chart.exe", "a chart is available as svg, csv, txt"),
        ("/preflop/chart.csv?line=fold", "the hand is over and nobody acts"),
        ("/api/preflop?stack=99", "give a stack from 4 to 30"),
        ("/api/preflop?line=bet", "'bet' is not possible here, where there is fold, call"),
        ("/api/preflop?line=call,check&hand=AA", "leave out the hand"),
    ],
)
def test_a_mistake_is_one_sentence(client: TestClient, address: str, sentence: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 400
    assert sentence in answer.text


def test_following_a_line_in_the_browser_and_back(page: Any) -> None:
    page.goto(f"/preflop?stack={STACK}")
    page.click(".act:has-text('call')")
    until(page, "document.querySelector('#view h2')?.innerText === 'Big blind after call'")
    until(page, "location.search.includes('line=call')")
    page.click("[data-grid] button[value='bb:K7o']")
    page.wait_for_selector(".hand h2:has-text('K7o')")
    assert page.evaluate(AS_SENT)
    page.get_by_label("Value").check()
    until(page, "document.querySelector('[data-grid] .t-up') !== null")
    page.go_back()
    until(page, "document.querySelector('#view h2')?.innerText === 'Small blind first to act'")
    page.click(".tabs a:has-text('after all-in') >> nth=0")
    until(page, "document.querySelectorAll('.act').length === 2")
    page.fill("input[name=hand]", "A9s")
    page.press("input[name=hand]", "Enter")
    page.wait_for_selector(".hand h2:has-text('A9s')")
    page.fill("input[name=hand]", "A9")
    page.press("input[name=hand]", "Enter")
    page.wait_for_selector("#mistake .mistake")
    assert "add s for suited" in page.inner_text("#mistake")


def test_sliding_keeps_the_line_in_the_browser(page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chart = shipped_preflop(STACK)
    for stack in (6, 7, 9):
        about = {**chart.about, "stack": float(stack), "value_sb_bb": stack / 100}
        PreflopChart(about, chart.probabilities, chart.ev).save(tmp_path / f"preflop-{stack}.headsup")
    monkeypatch.setattr(shipped, "DATA", tmp_path)
    shipped._load.cache_clear()
    try:
        page.goto("/preflop?stack=6&line=call&hand=T9s")
        slider = page.get_by_label("Stack in big blinds")
        assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("4", "30")
        slider.fill("9")
        until(page, "document.querySelector('.facts').innerText.includes('0.0900')")
        assert "after call" in page.inner_text("#view h2 >> nth=0")
        until(page, "/stack=9.*line=call.*hand=T9s/.test(location.search)")
        slider.fill("8")
        until(page, "document.querySelector('#view').innerText.includes('the nearest one, for 9 bb')")
        page.click(".hand a:has-text('6 bb')")
        until(page, "document.querySelector('.facts').innerText.includes('0.0600')")
    finally:
        shipped._load.cache_clear()


def test_study_this_pot_in_the_browser(page: Any) -> None:
    page.goto(f"/preflop?stack={STACK}&line=call")
    assert not page.is_visible("#pot")
    page.click(".act:has-text('check')")
    page.wait_for_selector("#pot .deck")
    assert page.input_value("#board") == "Ks7d4d"
    for card in ("Ks", "7d", "4d", "Ah", "8h", "2c"):
        page.click(f"[data-card='{card}']")
    assert page.input_value("#board") == "Ah8h2c"
    assert faults(page) == []
    page.click("#pot button.main")
    page.wait_for_selector("#plan")
    assert page.url.split("?")[0].endswith("/study")
    assert page.input_value("#board") == "Ah8h2c"
    assert page.input_value("input[name=pot]") == str(2 * unit_of(shipped_preflop(STACK)))
    assert page.input_value("textarea[name=ip]") == shipped_preflop(STACK).ranges("call, check")[0]
    assert not page.is_visible(".mistake")
