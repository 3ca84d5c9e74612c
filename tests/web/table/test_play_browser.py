"""The table in a real browser: hands of every game to the end with mouse and keys, at a desk and on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from headsup.web.guard import FAULT
from tests.web.test_browser import faults, until

GAMES = (
    ("holdem-nolimit", "20", "caller"),
    ("holdem-limit", "", "average"),
    ("holdem-discard", "", "random"),
    ("holdem-jamfold", "10", "jamfold"),
    ("omaha-jamfold", "6", "jamfold"),
    ("omaha8-jamfold", "8", "jamfold"),
)
BOTS = (("holdem-nolimit", "20", "nolimit:blueprint"), ("holdem-limit", "", "limit"), ("holdem-discard", "", "discard"))
SIZES = {"desk": (1280, 900), "phone": (390, 844)}


QUICK = 250
"""Milliseconds between two events at the quickest speed that shows them one after the other."""


def at_speed(page: Any, speed: int) -> None:
    """Show events so many milliseconds apart."""
    page.goto("/play")
    page.evaluate(f"localStorage.setItem('play-speed', '{speed}')")


def at_once(page: Any) -> None:
    """Nothing is waited for."""
    at_speed(page, 0)


def sit(page: Any, game: str, stack: str, bot: str) -> None:
    """Choose and sit down, as a person does."""
    page.goto(f"/play?game={game}&stack={stack}")
    if not page.is_visible(f".levels [value='{bot}']"):
        page.click("text=All opponents")
    page.check(f"input[name=bot][value='{bot}']")
    page.click("text=Sit down")
    page.wait_for_selector("#moves")


def decision(page: Any) -> str:
    return str(page.get_attribute("#moves [name=decision]", "value"))


def after(page: Any, before: str) -> None:
    """Wait until the table has changed."""
    until(page, f"document.querySelector('#moves [name=decision]')?.value !== '{before}'")


def play_hand(page: Any, number: int, keys: bool) -> None:
    """One hand to its end: mostly calls, now and then a bet, a changed card or a fold."""
    for turn in range(40):
        now = decision(page)
        if page.query_selector("#moves[data-over]"):
            return
        change = page.query_selector("[data-key='1'].m-swap")
        bet, call, fold = (page.query_selector(f".m-{kind}") for kind in ("bet", "call", "fold"))
        if change and (number + turn) % 2:
            page.keyboard.press("1") if keys else change.click()
        elif bet and (not call or (number + turn) % 4 == 1):
            page.keyboard.press("r") if keys else bet.click()
        elif fold and number % 3 == 2:
            page.keyboard.press("f") if keys else fold.click()
        else:
            page.keyboard.press("c") if keys else page.click("[data-key='c']")
        after(page, now)
    raise AssertionError("the hand does not end")


def play_hands(page: Any, hands: int, keys: bool) -> None:
    for number in range(hands):
        play_hand(page, number, keys)
        page.wait_for_selector("#moves [data-key='n']")  # visible: nobody has to hurry it
        assert re.search(r"You (win|lose|fold)|folds|The pot is split", page.inner_text(".ending"))
        if number + 1 < hands:
            now = decision(page)
            page.keyboard.press("n") if keys else page.click("#moves [data-key='n']")
            after(page, now)


def whole(
    page: Any, game: str, stack: str, bot: str, size: str, hands: int, *, reviewed: bool = True, speed: int = 0
) -> None:
    """Some hands; without animations at a desk by keys, else by the buttons alone."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    at_speed(page, speed)
    sit(page, game, stack, bot)
    if not reviewed:  # strategies that take seconds to load stay where they are
        page.route("**/review", lambda route: route.fulfill(status=204))
    play_hands(page, hands, keys=size == "desk" and not speed)
    if reviewed:
        until(page, "!document.querySelector('.review').innerText.includes('Calculating')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert f"hands\n{hands}" in page.inner_text(".came")


@pytest.mark.parametrize(
    ("game", "stack", "bot"), [GAMES[0], *(pytest.param(*game, marks=pytest.mark.long) for game in GAMES[1:4])]
)
def test_two_animated_hands_of_each_game_by_the_buttons(page: Any, game: str, stack: str, bot: str) -> None:
    whole(page, game, stack, bot, "phone" if "limit" in game else "desk", 2, reviewed=False, speed=QUICK)


@pytest.mark.long
@pytest.mark.parametrize(("game", "stack", "bot"), GAMES + BOTS)
@pytest.mark.parametrize("size", SIZES)
def test_ten_hands_of_each_game(page: Any, game: str, stack: str, bot: str, size: str) -> None:
    whole(page, game, stack, bot, size, 10)
    assert faults(page) == []


def deal_on(page: Any) -> None:
    """Tick the setting, as a person does."""
    page.click(".settings summary")
    page.check("#on")


@pytest.mark.long
def test_dealing_on_by_itself_begins_as_soon_as_it_is_ticked(page: Any) -> None:
    page.set_viewport_size(dict(zip(("width", "height"), SIZES["phone"], strict=True)))  # the settings open there, too
    at_speed(page, QUICK)
    sit(page, "holdem-jamfold", "10", "folder")
    play_hands(page, 1, keys=False)
    page.wait_for_selector(".review .looked summary")  # shown without a click
    deal_on(page)
    page.wait_for_selector("text=/^Hand 2$/")
    play_hand(page, 1, keys=False)
    page.wait_for_selector("text=/^Hand 3$/")
    page.uncheck("#on")
    play_hands(page, 1, keys=False)
    page.reload()
    assert page.is_visible("#moves [data-key='n']")


@pytest.mark.long
@pytest.mark.parametrize(("game", "stack", "bot"), BOTS)
@pytest.mark.parametrize("size", SIZES)
def test_twenty_animated_hands_by_the_buttons(page: Any, game: str, stack: str, bot: str, size: str) -> None:
    page.set_default_timeout(120_000)
    whole(page, game, stack, bot, size, 20, speed=QUICK)


@pytest.mark.long
@pytest.mark.parametrize(("game", "stack", "bot"), BOTS)
@pytest.mark.parametrize("size", SIZES)
def test_ten_animated_hands_that_are_dealt_by_themselves(page: Any, game: str, stack: str, bot: str, size: str) -> None:
    page.set_default_timeout(120_000)
    page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
    at_speed(page, QUICK)
    sit(page, game, stack, bot)
    deal_on(page)
    for number in range(10):
        page.wait_for_selector(f"text=/^Hand {number + 1}$/")
        play_hand(page, number, keys=False)


def test_slider_number_marks_and_keys_are_one(page: Any) -> None:
    at_once(page)
    sit(page, "holdem-nolimit", "20", "caller")
    assert page.inner_text("#how") == "200"
    page.locator("#size").fill("725")
    assert (page.input_value("#amount"), page.inner_text("#how")) == ("725", "725")
    page.click(".mark >> nth=1")
    assert (page.input_value("#size"), page.inner_text("#how")) == ("300", "300")
    assert page.get_attribute(".mark >> nth=1", "aria-pressed") == "true"
    page.locator("body").focus()
    page.keyboard.press("ArrowUp")
    assert page.input_value("#amount") == "325"
    page.keyboard.press("a")
    assert page.input_value("#amount") == "2000"
    page.fill("#amount", "444")
    assert page.input_value("#size") == "444"
    before = decision(page)
    page.click(".m-bet")
    after(page, before)
    assert "You raise to 444" in page.inner_text(".story")


def test_two_windows_cannot_play_one_hand_twice(page: Any, browser: Any) -> None:
    at_once(page)
    sit(page, "holdem-nolimit", "20", "caller")
    other = page.context.new_page()
    other.goto(page.url)
    now = decision(page)
    page.keyboard.press("c")
    after(page, now)
    other.keyboard.press("f")
    other.wait_for_selector("#mistake .mistake")
    assert "played in another window or sent twice" in other.inner_text("#mistake")
    other.click("text=Show the current state")
    until(other, f"document.querySelector('#moves [name=decision]')?.value === '{decision(page)}'")
    assert other.inner_text(".story") == page.inner_text(".story")


def test_what_happens_is_shown_step_by_step_and_a_key_hurries_it(page: Any) -> None:
    sit(page, "holdem-nolimit", "20", "caller")
    page.evaluate("document.querySelector('#speed :checked').value = '3600000'")  # an hour for each step
    now = decision(page)
    page.keyboard.press("c")
    after(page, now)
    assert page.query_selector("#view.staging")
    assert not page.is_visible(".m-check, .m-bet")
    page.keyboard.press("c")  # not yet a move
    until(page, "!document.querySelector('#view.staging')")
    assert page.is_visible(".m-bet")
    assert page.query_selector_all(".board .pc[aria-label]").__len__() == 3


def test_a_hand_is_replayed_by_keys_and_reviewed(page: Any) -> None:
    at_once(page)
    sit(page, "holdem-jamfold", "10", "jamfold")
    play_hands(page, 1, keys=False)
    page.wait_for_selector(".review .looked")
    assert not page.is_visible(".review .list")  # one line for each decision; its numbers on demand
    page.click(".review .looked summary >> nth=0")
    assert "the equilibrium" in page.inner_text(".review .list")
    page.click("text=Hand 1 >> nth=-1")
    page.wait_for_selector(".replay")
    page.keyboard.press("Home")
    until(page, "document.querySelector('.at').innerText.startsWith('step 0')")
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('.at').innerText.startsWith('step 1')")
    assert "step=1" in page.url
    shown = page.inner_text("#view")
    page.reload()
    assert page.inner_text("#view") == shown
    with page.expect_download() as download:
        page.click("text=phh")
    assert download.value.suggested_filename.endswith(".phh")


def test_a_review_that_fails_says_so_in_its_card(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*asked: Any) -> None:
        raise IndexError("tuple index out of range")

    monkeypatch.setattr("headsup.web.pages.play.review", fails)
    at_once(page)
    sit(page, "holdem-jamfold", "10", "folder")
    play_hand(page, 0, keys=False)
    page.wait_for_selector(".review .mistake")
    assert page.inner_text(".review") == FAULT
    page.click("#moves [data-key='n']")
    page.wait_for_selector("text=/^Hand 2$/")


def test_no_serious_fault_at_the_table(page: Any) -> None:
    at_once(page)
    assert faults(page) == []
    sit(page, "holdem-jamfold", "10", "caller")
    assert faults(page) == []
    page.keyboard.press("f")
    page.wait_for_selector(".review .looked")
    assert faults(page) == []


def test_three_opponents_come_first_and_the_others_are_folded_away(page: Any) -> None:
    page.goto("/play")
    assert page.locator(".levels b").all_inner_texts() == ["Strong", "Medium", "Beginner"]
    assert not page.is_visible(".bots")
    page.fill("input[name=stack]", "37.5")  # any stack, not only those of the list
    page.press("input[name=stack]", "Tab")
    until(page, "location.search.includes('stack=37.5')")
    page.click(".levels .tile:has-text('Beginner')")
    page.click("text=Sit down")
    page.wait_for_selector("h1:has-text('Loose-passive player')")
    assert "37.5 big blinds" in page.inner_text("h1")
    page.goto("/play?bot=raiser")  # an address keeps a choice of the long list
    assert page.is_checked("input[value=raiser]")
    assert page.is_visible(".bots")
