"""Clicks on a solved flop of three streets (790 MB): how long each kind of them waits, at a desk and on a phone.

Every round goes down to a river and back, by the solution and by a best reply, over cards that nobody has looked at;
a card is chosen in a hurry, before the table of all cards may have come. Then the rest: that table, two solutions
compared, and hands locked. To solve the flop takes some minutes; HEADSUP_WORK names a folder to keep it in.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from benchmarks.browser import PRESS, Act, Took, Watch, browser, pressed, tell, tell_clicks, touched
from benchmarks.serving import Server, serving
from headsup.web.study.spots import EXAMPLE

Click = Callable[[str, int], Act]
"""A click on an element after a press of some milliseconds."""
FLOP = {
    "board": EXAMPLE["board"][:6],
    "oop": "22+,A2s+,K9s+,QTs+,J9s+,T8s+,97s+,86s+,76s,65s,ATo+,KJo+",
    "ip": "22+,A2s+,K8s+,Q9s+,J8s+,T8s+,97s+,87s,76s,65s,54s,A9o+,KTo+,QTo+,JTo",
    "target": 0.2,  # clicks do not ask how good it is
}
HURRY = 200
"""Milliseconds until a card is chosen: the eye has found it, and what each card changes is not read."""
DEAL, GRID = ".runcards", "[data-grid]"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def run(quick: bool) -> None:
    """Print the waiting times."""
    rounds = 2 if quick else 5
    with serving(os.environ.get("HEADSUP_WORK")) as server, browser() as chromium:
        if chromium is None:
            return
        turn = server.solved(name="turn", board=EXAMPLE["board"][:8], target=0.02)
        spot = server.solved(name="flop", **FLOP)
        ways: tuple[tuple[str, dict[str, Any], Click, int], ...] = (
            (f"after a press of {PRESS} ms", {}, pressed, PRESS),
            ("without a press", {}, pressed, 0),
            (f"on a phone, touched for {PRESS} ms", PHONE, touched, PRESS),
        )
        _visit(server, chromium, spot)
        for way, (name, screen, made, press) in enumerate(ways):
            page = chromium.new_page(**screen)
            page.goto(f"http://127.0.0.1:{server.port}/study/{spot}")
            print(f"clicks on a flop {name}, median and worst of {rounds} (ms)")
            watch, before = Watch(page, server.used_by_threads), server.used()
            took = [_round(watch, made, press, way * rounds + k) for k in range(rounds)]
            tell_clicks(took[0], [list(clicks.values()) for clicks in took])
            used = 1000 * (server.used() - before) / sum(map(len, took))
            print(f"the server's processor, a click and what was asked for ahead of the next: {used:.1f}")
            page.close()
        _rest(server, chromium, spot, turn, rounds)


def _round(watch: Watch, made: Click, press: int, nth: int) -> dict[str, Took]:
    """Down and back, over the `nth` cards that differ by more than suits."""
    took: dict[str, Took] = {}

    def click(name: str, selector: str, wanted: str = "#view", **more: int) -> None:
        watch.page.locator(selector).scroll_into_view_if_needed()
        took[name] = watch.timed(made(selector, press), wanted, **more)

    def choose(name: str, value: str) -> None:
        took[name] = watch.timed(lambda page: page.check(f"input[name=by][value={value}]"))

    def reply(name: str, player: str) -> None:
        def act(page: Any) -> None:
            if press > 0:  # a list is opened before something is chosen from it
                page.focus("select[name=reply]")
                page.wait_for_timeout(press)
            page.select_option("select[name=reply]", player)

        took[name] = watch.timed(act)

    first, river, second = (f".runcards a:not(.suit-c) >> nth={n}" for n in (2 * nth, nth, 2 * nth + 1))
    click("an action", ".act >> nth=0")
    click("a hand", "[data-grid] button >> nth=30")
    click("another hand", "[data-grid] button >> nth=0")
    choose("values", "value")
    choose("equities", "equity")
    choose("the strategy", "strategy")
    reply("a best response", "ip")
    reply("the solution", "")
    click("an action to the turn", ".act >> nth=0", DEAL)
    click("a turn", first, GRID, think=HURRY)
    click("an action on the turn", ".act >> nth=0")
    reply("a best response on the turn", "oop")
    reply("the solution on the turn", "")
    click("an action to the river", ".act >> nth=0", DEAL)
    click("a river", river, GRID, think=HURRY)
    reply("a best response on the river", "ip")
    click("an action on the river", ".act >> nth=0")
    click("back to the turn", ".steps a >> nth=3")
    click("back to the start", ".steps a >> nth=0")
    click("an action, replying", ".act >> nth=0")
    click("to the turn, replying", ".act >> nth=0", DEAL)
    click("a turn, replying", second, GRID, think=HURRY)
    click("an action on the turn, replying", ".act >> nth=0")
    click("to the river, replying", ".act >> nth=0", DEAL)
    click("a river, replying", river, GRID, think=HURRY)
    click("back to the start, replying", ".steps a >> nth=0")
    reply("the solution at last", "")
    return took


def _visit(server: Server, chromium: Any, spot: str) -> None:
    """Somebody was there before, and what the server does after its start is over."""
    page = chromium.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/study/{spot}")
    page.wait_for_timeout(3000)
    used = -1.0
    while server.used() - used > 0.1:
        used = server.used()
        page.wait_for_timeout(2000)
    page.close()


def _rest(server: Server, chromium: Any, spot: str, turn: str, rounds: int) -> None:
    """What is not shown in the place of the view."""
    page = chromium.new_page()
    watch, tables, compared, locked = Watch(page, server.used_by_threads), [], [], []
    for nth in range(rounds):
        page.goto(f"http://127.0.0.1:{server.port}/study/{spot}?line=check, check, {'23458'[nth]}h, check")
        watch.timed(pressed(".act >> nth=0"), DEAL)
        tables.append(watch.until(".runcards.grid4 small"))
        page.select_option("select[name=other]", turn)
        page.wait_for_timeout(HURRY)
        page.evaluate("addEventListener('click', (event) => { window.began = event.timeStamp; }, true)")
        page.click("#pair button", delay=PRESS)
        compared.append(watch.until("#compare ul"))
        locked.append(_lock(server, page))
    tell("the table of all rivers", tables)
    tell("compared with a turn", compared)
    tell("locked: the new spot's first paint", locked)


def _lock(server: Server, page: Any) -> float:
    """Seconds from the click until the page of the locked spot is painted; that spot is deleted."""
    at = "performance.timeOrigin + event.timeStamp"
    page.evaluate(f"addEventListener('click', (event) => {{ sessionStorage.began = {at}; }}, true)")
    page.fill("#locks", "check | AA,KK: check")
    page.click("text=Solve with locks", no_wait_after=True)
    page.wait_for_url(lambda url: "line=" not in url)
    painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    while page.evaluate(painted) is None:
        page.wait_for_timeout(20)
    took = page.evaluate(f"performance.timeOrigin + {painted} - Number(sessionStorage.began)")
    made = page.url.rpartition("/")[2]
    server.ask(f"/api/spots/{made}/stop", {})
    while server.ask(f"/api/spots/{made}")["state"] == "running":
        page.wait_for_timeout(100)
    page.goto(f"http://127.0.0.1:{server.port}/study/{made}")
    page.once("dialog", lambda sure: sure.accept())
    page.click("text=Delete this spot")
    return float(took) / 1000
