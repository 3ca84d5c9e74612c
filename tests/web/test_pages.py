"""Every page answers, says what is wrong in one sentence, and keeps to its own policy."""

from __future__ import annotations

import json
import re
import shlex

import numpy as np
import pytest
from starlette.testclient import TestClient

from headsup.cards.ranges import parse_range
from headsup.cli import main
from headsup.distil.formulas.shipped import shipped_for
from headsup.web.charts.grid import value_cells
from headsup.web.render import PAGES, fixed, signed

PART = {"hx-request": "true", "hx-target": "view"}
ADDRESSES = (
    "/jamfold",
    "/jamfold?stack=8&by=value&hand=63s&rows=all",
    "/jamfold?game=omaha8&search=AA$ds&sort=hands&hand=AsKsQsJs",
    "/jamfold?stack=20&by=regret",
    "/jamfold?by=close",
    "/preflop",
    "/preflop?stack=10&line=call&by=value&hand=A5s",
    "/preflop?stack=10&line=call,%20check",
    "/preflop?stack=10&line=all-in,%20call",
    "/preflop?line=fold",
    "/study",
    "/train?stack=10",
    "/hands",
    "/rules?game=omaha8&lines=2&seat=bb",
    "/flops?hand=KK&villain=RS&features=4",
    "/flops/own?hand=KQo&villain=15%25",
    "/play",
    "/play?game=omaha8-jamfold&stack=8&bot=rule:oracle",
    "/play/leaders",
    "/papers",
    "/papers/dalpasso-lancia-2015",
    "/papers/dalpasso-lancia-2015/figures",
    "/papers/dalpasso-lancia-2015/tables",
    "/papers/ectomynx",
    "/papers/ectomynx/finding",
    "/flops?hand=KK&villain=RS&features=4&flop=Qd7c2h",
    "/docs/spots",
    "/papers/ectomynx/figures",
    "/papers/ectomynx/tables",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_answer_without_inline_script_or_style_or_anything_from_elsewhere(
    client: TestClient, address: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    text = answer.text
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|hx-on|javascript:|<script(?![^>]*\ssrc=)", text)
    loaded = re.findall(r"""(?:src|href|hx-get|hx-post|action)=["']([^"']*)""", text)
    assert loaded or address.endswith(("/tables", "/figures", "/finding"))
    assert all(one.startswith(("/", "#")) and not one.startswith("//") for one in loaded), loaded
    assert "nan" not in re.sub(r"<[^>]*>", " ", text).lower().split()


def test_the_menu_names_every_page_and_only_pages_that_are_there(client: TestClient) -> None:
    named = re.findall(r'<nav aria-label="Pages">(.*?)</nav>', client.get("/jamfold").text, re.DOTALL)[0]
    assert re.findall(r'href="([^"]+)"', named) == [path for path, _, _ in PAGES]
    wanted = "jamfold preflop study equity rules flops play train hands papers"
    assert [path for path, _, _ in PAGES] == [f"/{name}" for name in wanted.split()]
    assert [client.get(path).status_code for path, _, _ in PAGES] == [200] * len(PAGES)


def test_htmx_gets_the_part_that_changes_and_an_address_that_reproduces_it(client: TestClient) -> None:
    words = {"stack": "7.5", "pick": "bb:K7o", "by": "value", "lock": "", "game": "holdem"}
    part = client.get("/jamfold", params=words, headers=PART)
    assert "<html" not in part.text
    assert "K7o" in part.text
    again = client.get(part.headers["hx-replace-url"])
    assert part.headers["hx-replace-url"].startswith("/jamfold?stack=7.5")
    assert part.text.strip() in again.text


def test_the_charts_have_the_exploitability_and_the_numbers_of_the_command_line(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split("jamfold --stack 10 --hand 63s")) == 0
    printed = capsys.readouterr().out
    text = client.get("/jamfold?stack=10&hand=63s").text
    for number in ("58.28%", "37.38%"):
        assert number in printed
        assert number in text
    assert "exploitability (precomputed chart)" in text
    assert "5.125, 5.625 to 5.75, 6.125 to 7.125" in printed
    assert "5.125, 5.625 to 5.75, 6.125 to 7.125" in text


def test_charts_as_files(client: TestClient) -> None:
    svg = client.get("/jamfold/chart.svg?stack=10&seat=bb")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert svg.text.count("<title>") == 169
    rows = client.get("/jamfold/chart.csv?game=omaha8&stack=10").text.splitlines()
    assert rows[0] == "hand,hands,jam,call,ev_jam,ev_call"
    assert len(rows) == 16_433
    assert "small blind jams 58.28%" in client.get("/jamfold/chart.txt?stack=10").text
    assert client.get("/jamfold/chart.exe").status_code == 400
    assert "<svg" in client.get("/rules/card.svg?game=omaha8&lines=4").text


@pytest.mark.parametrize(
    "address",
    [
        "/jamfold?stack=10&hand=63s",
        "/jamfold?game=omaha8&stack=10&hand=AsKsQhJh",
        "/preflop?stack=10&line=call",
        "/equity?a=AhKh&b=QQ&board=Ks7d2c",
        "/rules?game=omaha8&lines=2",
        "/papers/ho-2015/figures",
    ],
)
def test_every_chart_is_there_as_svg_csv_and_text(client: TestClient, address: str) -> None:
    shown = client.get(address).text
    charts = len(re.findall(r"<svg[^>]*font-family", shown)) - shown.count('class="paper"')  # the card is no chart
    links = [one.replace("&amp;", "&") for one in re.findall(r'href="([^"]+)" download', shown)]
    for kind, looks in (("svg", "<svg"), ("csv", ","), ("txt", " ")):
        files = {one for one in links if f".{kind}" in one}
        assert len(files) >= charts
        for one in files:
            answer = client.get(one)
            assert answer.status_code == 200, one
            assert looks in answer.text
            assert f'.{kind}"' in answer.headers["content-disposition"]


def test_the_numbers_of_a_chart_are_those_that_it_was_drawn_from(client: TestClient) -> None:
    rows = client.get("/jamfold/hand.csv?stack=10&hand=63s").text.splitlines()
    assert rows[0] == "series,stack in big blinds,big blinds"
    told = client.get("/api/jamfold?stack=10&hand=63s").json()
    at_ten = next(row for row in rows if row.startswith("jam minus fold,10.0,"))
    assert float(at_ten.split(",")[2]) == pytest.approx(told["ev_jam"] - told["ev_fold"], abs=1e-9)
    assert len(client.get("/jamfold/stacks.csv?stack=10&rows=all").text.splitlines()) == 170
    wrong = (
        "/jamfold/hand.csv",
        "/jamfold/stacks.exe",
        "/jamfold/stacks.csv?blinds=1/3",
        "/papers/ho-2015/figures/x.csv",
    )
    assert all(400 <= client.get(one).status_code < 500 for one in wrong)


def test_the_list_of_omaha_hands_goes_on_to_its_end(client: TestClient) -> None:
    address, seen = "/jamfold?game=omaha&stack=10&search=AAKK&sort=hand", list[str]()
    text = client.get(address).text
    while True:
        seen += re.findall(r'value="sb:(\w{8})"', text)
        more = re.search(r'hx-get="(/jamfold/more[^"]*)"', text)
        if not more:
            break
        text = client.get(more[1].replace("&amp;", "&")).text
    assert len(seen) == len(set(seen)) == 3  # aces and kings: in the same two suits, one in common, none
    assert "AsAhKsKh" in seen


@pytest.mark.parametrize(
    "address",
    [
        "/jamfold?stack=x",
        "/jamfold?stack=-3",
        "/jamfold?game=chess",
        "/jamfold?hand=ZZ",
        "/jamfold?by=colour",
        "/jamfold?blinds=1",
        "/jamfold?chips=7",
        "/equity?a=AhKh&b=AhKh",
        "/equity?board=AsAs",
        "/rules?game=omaha",
        "/rules?stack=many",
        "/flops?hand=72o",
        "/flops/own?hand=ZZ&villain=15%25",
        "/study/../../etc",
        "/study/0123456789ab",
        "/study/%2e%2e",
        "/papers/nobody-1999",
    ],
)
def test_a_mistake_is_one_sentence(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert 400 <= answer.status_code < 500, answer.text
    part = client.get(address, headers=PART)
    assert part.status_code == answer.status_code
    if "mistake" in part.text:  # it is shown beside the view, which stays as it was
        assert part.headers["hx-retarget"] == "#mistake"
        assert "--" not in re.sub(r"<[^>]*>", "", part.text)


def test_a_locked_range_gets_its_best_response_and_never_names_a_file(
    client: TestClient, tmp_path, monkeypatch
) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "QQ+").write_text("random")
    monkeypatch.chdir(tmp_path)
    api = client.get("/api/jamfold?stack=10&lock=QQ%2B").json()
    assert api["lock"]["opponent_frequency"] == pytest.approx(18 / 1326)
    text = client.get("/jamfold?stack=10&lock=QQ%2B&me=sb").text
    assert "1.36" in text  # percent: the hands of the text, not those of the file
    assert "The best response jams" in text
    kept = [one.replace("&amp;", "&") for one in re.findall(r'href="(/jamfold/locked[^"]+)" download', text)]
    assert len(kept) == 6  # both charts as svg, csv and text
    rows = next(client.get(one).text for one in kept if ".csv" in one and "response" in one).splitlines()
    assert rows[0] == "hand,the equilibrium,the best response"
    assert len(rows) == 170
    assert "72o,0.0,1.0" in rows  # against so few calls every hand jams
    assert all("<svg" in client.get(one).text for one in kept if ".svg" in one)


def test_a_best_response_that_could_not_be_found_is_asked_for_again(client: TestClient) -> None:
    wrong = client.get("/jamfold?stack=10&lock=QQ,((")
    assert 'class="mistake"' in wrong.text
    assert wrong.headers["cache-control"] == "no-store"


def test_a_stack_that_outgrows_the_endgame_gets_a_larger_one(client: TestClient) -> None:
    assert "22 of 40" in client.get("/jamfold?stack=22&chips=20").text
    assert "22 of 50" in client.get("/jamfold?stack=22&chips=50").text
    assert "No endgame is precomputed for a stack this large" in client.get("/jamfold?stack=120&chips=20").text


def test_an_endgame_names_the_chart_that_it_is_compared_with(client: TestClient) -> None:
    assert "differently than in the charts above" in client.get("/jamfold?stack=10&chips=20").text
    text = client.get("/jamfold?stack=12&chips=20").text  # the opponent has 8: that is what can be lost
    assert re.search(r'differently than in the charts for <a href="/jamfold\?stack=8&amp;chips=20">8 bb</a>', text)
    text = client.get("/jamfold?stack=10.1").text
    assert 'differently than in the charts for <a href="/jamfold?stack=10">10 bb</a>' in text


def test_the_stack_is_in_big_blinds_whatever_the_blinds_are(client: TestClient) -> None:
    charts = {
        client.get(f"/jamfold/chart.csv?stack=10{blinds}").text for blinds in ("", "&blinds=1/2", "&blinds=200/400")
    }
    assert len(charts) == 1
    text = client.get("/jamfold?stack=10&blinds=200/400&ante=50").text
    told = client.get("/api/jamfold?stack=4000&blinds=200/400&ante=50").json()  # as the command line has it: chips
    assert f"{told['jam_frequency']:.2%}" in text
    assert "Jam or fold, hold&#39;em, 10 bb" in text
    assert client.get("/jamfold?stack=10&blinds=0/0").status_code == 400


def test_a_stack_beyond_the_map_has_no_line_in_it(client: TestClient) -> None:
    for stack, there in (("0.5", True), ("50", True), ("60", False), ("0.25", False)):
        text = client.get("/jamfold", params={"stack": stack}).text
        assert ("#ffd166" in text) == there
        assert ("yellow line: the stack" in text) == there


def test_what_is_quoted_in_a_mistake_has_an_end(client: TestClient) -> None:
    told = client.get("/api/range", params={"text": "A" * 5000}).json()["error"]
    assert told.startswith("range text, column 3: 'AAAA")
    assert len(told) < 200


def test_json_of_the_page_is_that_of_the_command_line(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {
        "jamfold --stack 8 --hand K7o --seat bb": "/api/jamfold?stack=8&hand=K7o&seat=bb",
        "jamfold --stack 10 --game omaha8": "/api/jamfold?stack=10&game=omaha8",
        "range 22+,AKs:0.5": "/api/range?text=22%2B,AKs:0.5",
        "endgame --chips 20 --stack 8": "/api/endgame?chips=20&stack=8",
        "rule card K7o --stack 8": "/api/rule?hand=K7o&stack=8",
        "rule oracle --price": "/api/rule/price?rule=oracle",
        "distil --game omaha8": "/api/cards?game=omaha8",
        "reproduce ectomynx": "/api/papers/ectomynx",
        "reproduce ho-2015": "/api/papers/ho-2015",
    }
    for command, address in asked.items():
        assert main([*shlex.split(command), "--json"]) == 0
        assert client.get(address).json() == json.loads(capsys.readouterr().out), command


def test_formulas_as_json_are_those_that_ship(client: TestClient) -> None:
    told = client.get("/api/flop-formula?hand=AKs&villain=RUS&features=10").json()
    ships = shipped_for("AKs", "RUS")[10]
    assert {one["id"]: one["weight"] for one in told["features"]} == {f"F{n}": w for n, w in ships.weights.items()}
    assert told["proved"] is ships.proved
    assert told["sum_error"] == pytest.approx(ships.average_error, abs=1e-9)
    wrong = client.get("/api/flop-formula?hand=AKs&villain=RUS&features=99")
    assert (wrong.status_code, "choose one of 1, 2, 3" in wrong.json()["error"]) == (400, True)
    assert client.get("/api/papers/nobody").status_code == 404


def test_the_api_describes_itself(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/api/jamfold", "/api/equity", "/api/range", "/api/spots", "/api/spots/{spot}/look"} <= paths.keys()
    assert all(path.startswith("/api/") for path in paths)


def test_numbers_and_words_of_the_page() -> None:
    assert [fixed(value) for value in (-0.04, 0.04, -0.05001, 12.25)] == ["0.0", "0.0", "−0.1", "12.2"]
    assert [signed(value, 1) for value in (-0.04, 0.0, -2.0)] == ["+0.0", "+0.0", "−2.0"]
    assert value_cells(np.array([-0.04, 12.3]), 0.0, "jam")[0].small == "+0.0"
    assert [repr(parse_range(text)).split(",")[0] for text in ("AsKs", "AKs")] == [
        "<Range holdem: 1 combo",
        "<Range holdem: 4 combos",
    ]


def test_the_example_of_the_leaderboard_asks_this_server(client: TestClient) -> None:
    assert "http://localhost:9123/api/new_hand" in client.get("/play/leaders", headers={"host": "localhost:9123"}).text


def test_stacks_at_which_a_hand_is_mixed_are_not_said_to_be_pure(client: TestClient) -> None:
    assert (
        "Mostly call with stacks of 0.5 to 13.25 bb; mixed at 13.25 bb (75%)."
        in client.get("/jamfold?stack=10&hand=K5s").text
    )


def test_the_key_of_a_chart_has_its_colours(client: TestClient) -> None:
    drawn, keys = (
        lambda text, found=found: set(re.findall(found, text)) for found in (r'class="t-(\w+)"', r"key k-(\w+)")
    )
    for by, tones in (("frequency", {"jam", "call"}), ("value", {"up", "down"})):
        view = client.get(f"/jamfold?stack=10&by={by}").text
        charts = "".join(re.findall(r'<div class="grid13" data-grid.*?</svg>', view, re.DOTALL))
        assert drawn(charts) == keys(view) - {"base"} == tones
    assert not keys(client.get("/jamfold?stack=10&by=regret").text)
