"""The page in a real browser, as a person uses it: slide, click, type, paint, print; and what axe says of it."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from headsup.web.study.spots import EXAMPLE
from tests.waiting import PATIENCE
from tests.web.conftest import AXE

PATHS = (
    *("/", "/play", "/train", "/hands"),
    *("/jamfold?hand=A9s", "/jamfold?game=omaha8", "/preflop?hand=A5s", "/preflop?line=call,check"),
    *("/study", "/study?variant=omaha", "/equity", "/rules", "/flops", "/papers", "/papers/ho-2015", "/docs/spots"),
)


def until(page: Any, true: str) -> None:
    """Wait until an expression holds. Playwright's own waiting evaluates text in the page, which its policy forbids."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(true):
        assert time.monotonic() < end, f"it did not come to be that {true}"
        page.wait_for_timeout(40)


def faults(page: Any) -> list[str]:
    """What axe finds, in words; targets of fewer than 24 pixels too."""
    page.evaluate(AXE.read_text())  # its own world: the policy of the page holds for the page's scripts
    rules = "{'target-size': {enabled: true}}"
    report = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], rules: {rules}}})")
    return [f"{fault['id']}: {node['html'][:160]}" for fault in report["violations"] for node in fault["nodes"][:3]]


def test_axe_finds_nothing_on_a_page(page: Any) -> None:
    page.goto("/rules?game=omaha8")
    assert faults(page) == []


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_page(page: Any, path: str, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=theme)
    page.goto(path)
    until(page, "!document.querySelector('.waiting')")  # parts that come later
    assert faults(page) == []


@pytest.mark.parametrize("path", [path for path in PATHS if "flops" not in path])
def test_a_phone_need_not_scroll_sideways(page: Any, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_sliding_and_clicking_in_jam_or_fold(page: Any) -> None:
    page.goto("/jamfold?stack=10")
    assert "58.28%" in page.inner_text(".facts")
    page.get_by_label("Stack in big blinds, slider").fill("8")
    until(page, "document.querySelector('.facts').innerText.includes('61.86')")
    assert page.input_value("#stack") == "8"
    page.click("[data-grid] button[value='sb:K7o']")
    page.wait_for_selector(".hand h2:has-text('K7o')")
    assert "jam" in page.inner_text(".hand .seat >> nth=0")
    assert re.search(r"stack=8.*hand=K7o|hand=K7o.*stack=8", page.url)
    page.get_by_label("Loss").check(force=True)
    until(page, "document.querySelector('[data-grid] .t-cost') !== null")
    address = page.url
    shown = page.inner_text("#view")
    page.goto(address)  # the address reproduces the view
    assert page.inner_text("#view") == shown


AS_SENT = """async () => {
  const answer = await fetch(location.href, {headers: {"HX-Request": "true"}});
  const [sent, shown] = [document.createElement("div"), document.querySelector("#view").cloneNode(true)];
  sent.innerHTML = await answer.text();
  const fields = [...document.querySelectorAll("#view input")];
  return sent.childNodes.length === shown.childNodes.length && fields.every((one) => one.checked === one.defaultChecked)
    && [...sent.childNodes].every((one, at) => one.isEqualNode(shown.childNodes[at]));
}"""
"""Whether the view is what the server sends for its address."""


def test_a_view_that_was_renewed_is_the_one_that_was_sent(page: Any) -> None:
    page.goto("/jamfold?stack=10")
    page.evaluate("() => { window.cell = document.querySelector('#view button[value=\"sb:K7o\"]'); }")
    for act in (
        lambda: page.click("#view button[value='sb:K7o']"),
        lambda: page.get_by_label("Stack in big blinds, slider").fill("8"),
        lambda: page.click("#view button[value='bb:22']"),
        lambda: page.get_by_label("Loss").check(force=True),
    ):
        address = page.url
        act()
        until(page, f"location.href !== {address!r} && !document.querySelector('.htmx-request')")
        assert page.evaluate(AS_SENT)
        assert page.evaluate("window.cell.isConnected")  # changed in place
    page.get_by_label("Omaha Hi-Lo").check(force=True)
    page.wait_for_selector("#search")
    page.click(".tree a >> nth=3")  # a link that is new here asks as the old ones do
    page.wait_for_selector(".tree tr.chosen")
    page.get_by_label("Hold'em").check(force=True)
    page.wait_for_selector("#view [data-grid]")
    assert page.evaluate(AS_SENT)


def test_the_chart_by_keyboard(page: Any) -> None:
    page.goto("/jamfold?stack=10")
    page.focus("[data-grid] button[value='sb:AA']")
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.value") == "sb:KQo"
    page.keyboard.press("Enter")
    page.wait_for_selector(".hand h2:has-text('KQo')")


def test_a_mistake_leaves_the_view_as_it_was(page: Any) -> None:
    page.goto("/jamfold?stack=10")
    page.click("summary:has-text('Blinds')")
    page.fill("input[name=blinds]", "one")
    page.wait_for_selector("#mistake .mistake")
    assert "not two numbers" in page.inner_text("#mistake")
    assert "58.28%" in page.inner_text(".facts")
    page.fill("input[name=blinds]", "0.5/1")
    until(page, "!document.querySelector('#mistake .mistake')")


def test_search_in_the_list_of_omaha_hands(page: Any) -> None:
    page.goto("/jamfold?game=omaha8&stack=10")
    page.fill("#search", "AAKK")
    page.press("#search", "Enter")
    until(page, "document.querySelectorAll('.list tbody button').length === 3")
    assert "3 canonical hands" in page.inner_text("#view")


def test_painting_a_range(page: Any) -> None:
    page.goto("/equity?a=&b=QQ")
    cells = "[data-name=a] [data-hand='{}']"
    start, end = (page.locator(cells.format(hand)).bounding_box() for hand in ("AKs", "ATs"))
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 9, steps=12)
    page.mouse.up()
    until(page, "document.querySelector('#a-text').value === 'ATs+'")
    page.locator("[data-name=a] [data-weight]").fill("50")
    page.focus(cells.format("AA"))
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#a-text').value === 'ATs+,AA:0.5'")
    page.fill("#a-text", "KK,QQ:0.25")
    until(page, """document.querySelector("[data-name=a] [data-hand='QQ']").title === 'QQ: 25 %'""")
    assert page.get_attribute(cells.format("AA"), "aria-pressed") == "false"
    assert page.get_attribute(cells.format("KK"), "aria-pressed") == "true"
    page.fill("#a-text", "KK,(")
    page.wait_for_selector("[data-name=a] .told.wrong")
    page.locator("[data-name=a] [data-top]").fill("15")
    until(page, "document.querySelector('[data-name=a] .told').innerText.startsWith('200 combos')")


def test_a_stroke_that_nobody_understands_or_that_is_cut_off(page: Any) -> None:
    cells = "[data-name=a] [data-hand='{}']"
    page.goto("/equity?a=AA&b=QQ")
    page.fill("#a-text", "AA,((")
    page.wait_for_selector("[data-name=a] .told.wrong")
    page.click(cells.format("T2o"))
    until(page, f"""document.querySelector("{cells.format("T2o")}").getAttribute('aria-pressed') === 'false'""")
    assert page.input_value("#a-text") == "AA,(("
    page.fill("#a-text", "AA")
    until(page, "!document.querySelector('[data-name=a] .told.wrong')")
    page.hover(cells.format("KK"))
    page.mouse.down()
    page.dispatch_event(cells.format("KK"), "pointercancel")
    until(page, "document.querySelector('#a-text').value === 'KK+'")
    page.mouse.up()


PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text", text);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector("#a-text").dispatchEvent(event);
}"""


def test_a_range_of_another_program_can_be_pasted(page: Any) -> None:
    page.goto("/equity?a=AA&b=QQ")
    for text, shown in (("[50]AKs[/50]", "AKs:0.5"), (" ".join(["1"] * 6 + ["0"] * 1320), "22")):
        page.evaluate(PASTE, text)
        until(page, f"document.querySelector('#a-text').value === '{shown}'")
    page.evaluate(PASTE, "[50]AKs")
    page.wait_for_selector("[data-name=a] .told.wrong")
    assert page.input_value("#a-text") == "22"


def test_what_was_painted_while_the_server_thinks_is_not_lost(page: Any) -> None:
    cells = "[data-name=a] [data-hand='{}']"
    page.goto("/equity?a=&b=QQ")
    asked = list[Any]()
    page.route("**/api/range/paint", lambda one: asked.append(one))
    page.click(cells.format("AA"))
    page.hover(cells.format("KK"))
    page.mouse.down()
    asked[0].continue_()  # the answer to the first stroke comes in the middle of the second
    until(page, "document.querySelector('#a-text').value === 'AA'")
    page.hover(cells.format("QQ"))
    page.unroute("**/api/range/paint")
    page.mouse.up()
    until(page, "document.querySelector('#a-text').value === 'QQ+'")


def test_a_server_that_is_gone_is_told(page: Any) -> None:
    page.goto("/jamfold?stack=10")
    page.route("**/jamfold?**", lambda asked: asked.abort("connectionrefused"))
    page.get_by_label("Stack in big blinds, slider").fill("8")
    page.wait_for_selector("#mistake:has-text('does not answer')")
    page.unroute("**/jamfold?**")
    page.get_by_label("Stack in big blinds, slider").fill("9")
    until(page, "!document.querySelector('#mistake .mistake')")


def test_a_board_by_clicking(page: Any) -> None:
    page.goto("/equity?a=AhKh&b=QcQd")
    page.wait_for_selector(".result")
    assert "46.2145" in page.inner_text(".result")
    for card in ("Qs", "Js", "Ts"):
        page.click(f"[data-card={card}]")
    assert page.input_value("#board") == "QsJsTs"
    until(page, "document.querySelector('.result').innerText.includes('990 deals')")
    page.fill("#board", "QsJsTs2c")
    assert page.get_attribute("[data-card='2c']", "aria-pressed") == "true"
    until(page, "location.search.endsWith('board=QsJsTs2c')")
    page.fill("#board", "QsJsTs")
    until(page, "location.search.endsWith('board=QsJsTs')")
    page.click("[data-card=Ts]")  # no count is of two cards, and none is shown as if it were
    page.wait_for_selector("#mistake:has-text('cards, not 2')")


def test_the_deck_is_one_stop_for_tab_and_arrows_move_in_it(page: Any) -> None:
    page.goto("/equity?a=AhKh&b=QcQd")
    page.focus("[data-card=As]")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.input_value("#board") == "Kh"
    assert (
        page.evaluate("document.querySelectorAll('.deck [tabindex=\"0\"], .deck button:not([tabindex])').length") == 1
    )
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.deck')") is None


def test_hands_by_clicking(page: Any) -> None:
    page.goto("/equity?game=omaha8")
    page.wait_for_selector(".result")
    page.get_by_label("first hand", exact=True).check(force=True)
    assert page.get_attribute("[data-card=As]", "aria-pressed") == "true"  # of the hand that stands there
    for card in ("Kh", "Kd", "Qh", "Qd"):  # the first begins a new hand
        page.click(f"[data-card={card}]")
    until(page, "document.querySelector('.result')?.innerText.includes('KhKdQhQd')")
    assert page.input_value("#board") == ""
    page.goto("/equity?a=22%2B&b=QcQd")
    page.get_by_label("first hand", exact=True).check(force=True)
    page.click("[data-card=Ah]")
    page.click("[data-card=Ad]")
    until(page, "document.querySelector('.result')?.innerText.includes('AhAd')")
    until(page, """document.querySelector("[data-name=a] [data-hand='AA']").title === 'AA: 16.7 %'""")
    assert page.get_attribute("[data-name=a] [data-hand='22']", "aria-pressed") == "false"


def test_a_card_to_print(page: Any) -> None:
    page.goto("/rules?game=omaha8&lines=4")
    page.get_by_label("Lines on the card, slider").fill("1")
    until(page, "document.querySelector('.face').textContent.includes('1 line, ')")
    page.emulate_media(media="print")
    assert page.is_visible(".face svg")
    assert not page.is_visible(".ask")
    assert not page.is_visible(".noprint >> nth=0")


def test_the_theme_stays(page: Any) -> None:
    page.goto("/papers")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.goto("/rules")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_spot_tells_its_size_as_it_is_typed(page: Any) -> None:
    page.goto("/study")
    assert "12 decisions" in page.inner_text("#plan")
    page.fill("input[name=bets]", "33%, 75%, a")
    until(page, "!document.querySelector('#plan').innerText.includes('12 decisions')")
    assert "decisions" in page.inner_text("#plan")
    page.fill("input[name=bets]", "a lot")
    page.wait_for_selector("#plan .mistake")


def test_a_mistake_in_a_spot_loses_nothing_of_it(page: Any) -> None:
    page.goto("/study")
    page.fill("#oop-text", "TT+,AKs")
    page.click("summary:has-text('Accuracy')")
    page.fill("input[name=target]", "some")
    page.press("input[name=target]", "Enter")
    page.wait_for_selector("#mistake:has-text('percentage of the pot')")
    until(page, "location.search.includes('oop=TT')")  # the address has the fields
    assert "percentage" in page.inner_text("#mistake")
    assert page.input_value("#oop-text") == "TT+,AKs"
    page.fill("input[name=target]", "200")
    page.click("button:text-is('Solve')")
    page.wait_for_selector("#mistake:has-text('200 % of the pot')")
    page.reload()
    assert page.input_value("#oop-text") == "TT+,AKs"


def test_a_click_on_solve_is_answered_by_a_sign(page: Any) -> None:
    page.goto("/study")
    held = list[Any]()
    page.route("**/study", lambda asked: held.append(asked) if asked.request.method == "POST" else asked.continue_())
    page.click("summary:has-text('Accuracy')")
    page.fill("input[name=target]", "200")
    page.click("button:text-is('Solve')")
    until(page, "document.querySelector('#busy').classList.contains('htmx-request')")
    assert page.is_disabled("button:text-is('Solve')")  # a second click would do nothing
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.wait_for_selector("#mistake:has-text('200 % of the pot')")
    assert page.is_enabled("button:text-is('Solve')")
    page.unroute("**/study")
    with page.expect_request("**/study/plan"):
        page.select_option("select[name=store]", "int16")
    until(page, "location.search.includes('store=int16')")


def test_back_undoes_a_step_and_the_form_of_locks_is_that_of_the_decision(page: Any, turn: str) -> None:
    page.goto("/study")
    page.goto(turn)
    hint, lines = "document.querySelector('#locks').placeholder", ("", "check", "check, bet 120")
    for action, line in enumerate(lines[1:]):
        page.click(f".act >> nth={action}")
        until(page, f"new URLSearchParams(location.search).get('line') === '{line}'")
        until(page, f"{hint}.split('\\n').every((lock) => lock.startsWith('{line} | '))")
        assert f'"{line} | ' in page.inner_text("#locks-about")
    page.click("[data-grid] button[value='oop:AA']")
    until(page, "location.search.includes('hand=AA')")  # no step of its own
    for go, line in ((page.go_back, lines[1]), (page.go_back, lines[0]), (page.go_forward, lines[1])):
        go()
        until(page, f"(document.querySelector('#view input[name=line]').value) === '{line}'")
        until(page, f"{hint}.startsWith('check | ') === {'true' if line else 'false'}")
        assert (page.evaluate("new URLSearchParams(location.search).get('line')") or "") == line
    stale = "document.querySelector('#view').classList.contains('stale')"
    page.evaluate("() => { document.querySelector('.act').href = '?line=fly'; }")
    page.click(".act >> nth=0")
    page.wait_for_selector("#mistake .mistake")
    assert page.evaluate(stale)  # it is not the decision that was asked for
    page.click(".act >> nth=1")
    until(page, f"!{stale} && new URLSearchParams(location.search).get('line') === '{lines[2]}'")
    for _ in range(3):
        page.go_back()
    page.wait_for_url("**/study")


def test_a_phone_shows_the_answer_to_a_tap_at_the_bottom_and_a_menu(page: Any, turn: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for address, cell, answer in (("/jamfold", "sb:K7o", ".hand h2"), (turn, "oop:AA", "#picked h2")):
        page.goto(address)
        assert not page.is_visible(".top nav")
        button = f"[data-grid] button[value='{cell}']"
        assert page.evaluate(f'document.querySelector("{button}").getBoundingClientRect().width') >= 28
        page.click(button)
        page.wait_for_selector(f"{answer}:has-text('{cell[-3:].strip(':')}')")
        assert page.evaluate("document.querySelector('.sheet').getBoundingClientRect().bottom") == 844
        assert page.evaluate("document.querySelector('.sheet').getBoundingClientRect().top") > 844 / 3
        page.click("[data-close]")
        assert not page.is_visible(".sheet")
    page.click("#menu")
    assert page.evaluate("[...document.querySelectorAll('.top nav a')].every((link) => link.offsetWidth > 0)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.click(".top nav a:has-text('Equity')")
    page.wait_for_url("**/equity")


def test_a_mistake_leaves_what_was_typed(page: Any) -> None:
    page.goto("/hands")
    page.fill("#histories", "these are no hands")
    page.fill("input[name=name]", "mine")
    page.click("button:has-text('Review')")
    page.wait_for_selector("#mistake .mistake")
    assert (page.input_value("#histories"), page.input_value("input[name=name]")) == ("these are no hands", "mine")
    page.goto("/flops/own")
    page.fill("input[name=hand]", "AKs")
    page.fill("input[name=villain]", "15% of hands")
    page.click("button:text-is('Search')")
    page.wait_for_selector("#mistake .mistake")
    assert (page.input_value("input[name=hand]"), page.input_value("input[name=villain]")) == ("AKs", "15% of hands")


def test_a_result_that_is_not_of_the_fields_is_pale(page: Any) -> None:
    pale, bright = (f"{no}document.querySelector('[data-result]').classList.contains('stale')" for no in ("", "!"))
    page.goto("/equity?a=AhKh&b=QcQd&board=Qs+js+Ts")
    assert page.get_attribute(".result .pips", "aria-label") == "QsJsTs"
    assert page.evaluate(bright)
    for field, wrong, right in (("#board", "QsJs", "QsJsTs2c"), ("#a-text", "AhKh,(", "AhKh")):
        page.fill(field, wrong)
        until(page, pale)
        page.fill(field, right)
        until(page, bright)
    assert page.get_attribute(".result .pips", "aria-label") == "QsJsTs2c"
    page.fill("#a-text", "AsKs:0.5")
    until(page, "document.querySelector('[data-name=a] .told').innerText.startsWith('1 combo,')")
    page.fill("#board", "")
    until(page, "document.querySelector('.result').innerText.includes('Before the flop')")
    page.click("[data-card='2c']")  # the board is begun
    until(page, pale)
    page.goto("/study")
    page.fill("#oop-text", "AA,(")
    until(page, pale)
    page.fill("#oop-text", "AA")
    until(page, bright)


@pytest.mark.long
def test_a_spot_from_the_fields_to_the_last_card(page: Any) -> None:
    """Solve, walk, look at a hand, exploit, lock and solve on, compare: in one sitting."""
    page.goto("/study")
    page.fill("input[name=name]", "by hand")
    page.click("button:has-text('Solve')")
    page.wait_for_selector(".bar-actions")
    first = page.url
    assert "exploitability" in page.inner_text(".facts")
    page.evaluate("() => { window.cell = document.querySelector('#view [data-grid] button'); }")
    page.click(".act >> nth=0")
    page.wait_for_selector("h2:has-text('In position')")
    page.click("[data-grid] button[value='ip:QQ']")
    page.wait_for_selector("th [aria-label='QhQs'], th [aria-label='QsQh']")
    until(page, "location.search === '?line=check&by=strategy&hand=QQ&panel=hands'")
    assert page.evaluate(AS_SENT)
    page.get_by_label("Value").check()
    until(page, "location.search === '?line=check&by=value&hand=QQ&panel=hands'")
    assert page.evaluate(AS_SENT)
    page.select_option("select[name=reply]", "ip")
    page.wait_for_selector("text=more than the solution")
    until(page, "location.search.includes('&reply=ip')")
    assert page.evaluate(AS_SENT)
    assert page.evaluate("window.cell.isConnected")  # nothing was reloaded, and cells changed in place
    page.evaluate("() => { document.querySelector('.act').href = '?line=fly'; }")
    page.click(".act >> nth=0")
    page.wait_for_selector("#mistake .mistake")
    page.click(".act >> nth=1")
    until(page, "!document.querySelector('#mistake .mistake')")
    page.goto(first)
    page.fill("#locks", "all: check")
    page.click("text=Solve with locks")
    page.wait_for_url(lambda url: not url.startswith(first))  # this page has actions too
    page.wait_for_selector(".bar-actions")
    assert "100.0" in page.inner_text(".act >> nth=0")
    page.click("button:text-is('Compare')")
    page.wait_for_selector("#compare li:has-text('locks')")
    assert faults(page) == []


@pytest.mark.long
def test_what_each_card_changes_is_there_before_the_click(page: Any) -> None:
    page.goto("/study")
    page.fill("input[name=board]", EXAMPLE["board"][:8])
    page.click("button:has-text('Solve')")
    page.wait_for_selector(".bar-actions")
    with page.expect_response(lambda answer: "/runouts?" in answer.url) as ahead:
        page.click(".act >> nth=0")  # check; the next check leads to the river
        page.wait_for_selector("h2:has-text('In position')")
    assert ahead.value.request.resource_type == "fetch"
    ahead.value.finished()
    page.context.set_offline(True)  # whatever is shown from here on was there before
    page.click(".act >> nth=0")
    page.wait_for_selector(".runcards")
    page.wait_for_selector(".runcards.grid4 a small")
    page.context.set_offline(False)
    page.goto(f"{page.url}&reply=ip")
    page.click(".runcards.grid4 .suit-d >> nth=0")  # the player of the best response stays
    until(page, "location.search.endsWith('check%2C+Ad&by=strategy&reply=ip&panel=hands')")
    page.click(".steps a >> nth=0")
    until(page, "location.search === '?by=strategy&reply=ip&panel=hands'")
    page.wait_for_selector("h2:has-text('Out of position')")


def test_a_pasted_hand_becomes_a_spot_in_one_click(page: Any, served: str) -> None:
    rooms = Path(__file__).parents[1] / "play" / "protocols" / "rooms"
    page.goto(f"{served}/hands")
    page.fill("#histories", (rooms / "winamax.txt").read_text())
    page.click("text=Solve the spot")
    page.wait_for_url("**/study?board=*")
    assert page.input_value("input[name=board]") == "Tc8d3d"
    assert (page.input_value("input[name=pot]"), page.input_value("input[name=stack]")) == ("500", "9750, 5870")
    assert page.input_value("input[name=flop]") == "34%, 75%, a; 60.7%, a"
    assert "the chart before the flop for 50 bb after raise 2.5, call" in page.inner_text("#ask .note >> nth=0")
