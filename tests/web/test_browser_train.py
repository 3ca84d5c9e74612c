"""Training and hands in a real browser, wide and narrow: twenty decisions, a history brought and a hand replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.table.test_hands import hands_text
from tests.web.test_browser import faults, until

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
long = pytest.mark.long


def fits(page: Any) -> bool:
    """Whether nothing lies beyond the right edge."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize(
    ("size", "stack", "questions"),
    [(WIDE, 5, 5), pytest.param(WIDE, 6, 20, marks=long), pytest.param(NARROW, 7, 20, marks=long)],
)
def test_twenty_decisions(page: Any, size: dict[str, int], stack: int, questions: int) -> None:
    page.set_viewport_size(size)
    address = f"/train?stack={stack}&seat=sb"
    page.goto(address)
    assert "jam or fold?" in page.inner_text(".quiz")
    for turn in range(1, questions + 1):
        if turn % 2:
            page.keyboard.press("j" if turn % 4 == 1 else "f")
        else:
            page.click(".moves .m-fold")
        page.wait_for_selector("#verdict")
        assert page.inner_text("#answered") == str(turn)
        assert fits(page)
        if turn < questions:
            page.keyboard.press("n" if turn % 2 else "Enter")
            page.wait_for_selector(".moves")
    assert (page.query_selector(".right .chart svg") is not None) == (questions > 10)
    missed = page.inner_text(".went div:last-child b")
    page.reload()  # progress is the server's
    assert page.inner_text("#answered") == str(questions)
    assert page.inner_text(".went div:last-child b") == missed
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("summary:has-text('Delete')")
    page.click("text=Answers to these questions")
    page.goto(address)
    until(page, "document.querySelector('#answered').innerText === '0'")


def test_a_full_hand_of_a_spot(page: Any, turn: str) -> None:
    """Both levels of sizing; the hand goes on with what was chosen until it is over, and is then summed up."""
    page.goto(f"/train?what=spot&spot={turn.rpartition('/')[2]}&sizes=simple")
    assert page.locator(".moves .m-bet").count() <= 1
    page.get_by_label("every size").check(force=True)
    until(page, "location.search.includes('sizes=all')")
    page.get_by_label("full hand").check(force=True)
    until(page, "location.search.includes('play=hand')")
    for _ in range(12):
        hand = page.get_attribute(".hole .pc >> nth=0", "aria-label")
        page.click(".moves .m-check, .moves .m-call")
        page.wait_for_selector("#verdict .then")
        step = page.inner_text("#verdict [data-key=n]")
        page.keyboard.press("n")
        page.wait_for_selector(".moves")
        if "Next hand" in step:
            break
        assert "Continue" in step
        assert page.get_attribute(".hole .pc >> nth=0", "aria-label") == hand
    assert "Next hand" in step
    page.get_by_label("one street").check(force=True)
    until(page, "location.search.includes('play=street')")
    page.goto("/train?what=preflop&stack=10&play=hand")
    page.click(".moves .move >> nth=-1")
    page.wait_for_selector("#verdict .then")
    assert fits(page)


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=long)])
def test_a_history_is_brought_and_a_hand_replayed(page: Any, size: dict[str, int], tmp_path: Path) -> None:
    page.set_viewport_size(size)
    page.goto("/hands")
    assert fits(page)
    file = tmp_path / "friday.log"
    file.write_text("nothing\n")
    page.set_input_files("[data-hands-file]", file)
    page.wait_for_selector("#mistake .mistake")
    file.write_text(hands_text())
    page.set_input_files("[data-hands-file]", file)
    page.wait_for_selector(".decisions")
    until(page, "!document.body.innerText.includes('Reviewing hand')")
    assert "friday.log" in page.inner_text("h1")
    assert "8.177 bb" in page.inner_text(".decisions li >> nth=0")
    assert fits(page)
    page.goto(page.url.partition("?")[0] + "/4?step=0")
    for step in range(1, 10):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f".replay .at:text-is('step {step} of 9')")
    assert "wins 550" in page.inner_text(".ending")
    assert fits(page)
    page.keyboard.press("Home")
    page.wait_for_selector(".replay .at:text-is('step 0 of 9')")


@long
def test_a_guess_and_a_mix(page: Any) -> None:
    page.goto("/train?what=card&game=holdem")
    page.keyboard.type("12")  # the field has the focus
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict")
    assert "You said 12" in page.inner_text("#verdict")
    page.goto("/train?stack=3&seat=bb")
    page.click("summary:has-text('mix')")
    page.get_by_label("Fold, %").fill("25")
    page.get_by_label("Call, %").fill("75")
    page.click(".mixed button")
    page.wait_for_selector("#verdict")
    assert "fold 25 %, call 75 %" in page.inner_text("#verdict")


@long
def test_no_serious_fault_after_an_answer_and_in_a_replay(page: Any) -> None:
    page.goto("/train?stack=4&seat=sb")
    page.keyboard.press("j")
    page.wait_for_selector("#verdict")
    assert faults(page) == []
    page.goto("/hands")
    page.fill("#histories", hands_text())
    page.click("button:has-text('Review')")
    page.wait_for_selector(".decisions")
    until(page, "!document.body.innerText.includes('Reviewing hand')")
    place = page.url.partition("?")[0]
    for path in ("", "/3?step=1", "/4"):
        page.goto(place + path)
        assert faults(page) == []


@long
@pytest.mark.parametrize("path", ["/train", "/train?what=card&game=omaha8", "/train?what=hands", "/hands"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_serious_fault(page: Any, path: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        page.goto(path)
        assert faults(page) == []
        assert fits(page)
