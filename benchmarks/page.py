"""The page: how long a hundred clients wait at once, and how soon a browser paints and answers a click.

The server is a process of its own, as `headsup serve` starts it. A client waits for each answer before it asks again;
clients are threads of this process, so they take a part of the cores themselves, and what the server's processor took
for an answer stands beside the waiting times. The first who asks for a slide waits until it is made; a word that the
page does not know makes every question a first one. The browser is Debian's Chromium, if it is there.
Clicks are those on a solved turn (`benchmarks.browser` says how one is timed); `benchmarks.clicks` has a flop's.
"""

from __future__ import annotations

import os
import random
import re
import socket
import threading
import time
from typing import Any

import numpy as np

from benchmarks.browser import Act, Watch, browser, pressed, tell, tell_clicks
from benchmarks.serving import Server, serving
from headsup.web.study.spots import EXAMPLE

CLIENTS = 100
STACKS = [n / 8 for n in range(8, 121)]
QUESTIONS = (
    ("one hand as JSON", "/api/jamfold?hand=K7o&stack={}", STACKS),
    ("a chart as JSON", "/api/jamfold?stack={}", STACKS),
    ("the page, a slide of the stack", "/jamfold?stack={}", STACKS),
    ("a slide that nobody has asked for", "/jamfold?stack={}&new={}", STACKS),
    ("a style sheet", "/static/style.css?{}", STACKS),
)
PAGES = ("/jamfold", "/jamfold?game=omaha8", "/study", "/equity", "/rules", "/flops", "/papers", "/study/{}")
CLICKS = {
    "an action": pressed(".act >> nth=0"),
    "a hand": pressed("[data-grid] button >> nth=30"),
    "another hand": pressed("[data-grid] button >> nth=0"),
    "values": lambda page: page.check("input[name=by][value=value]"),
    "equities": lambda page: page.check("input[name=by][value=equity]"),
    "the strategy": lambda page: page.check("input[name=by][value=strategy]"),
    "a best response": lambda page: page.select_option("select[name=reply]", "ip"),
    "the solution": lambda page: page.select_option("select[name=reply]", ""),
    "an action to the river": pressed(".act >> nth=0"),
    "a card": pressed(".runcards a >> nth=7"),
    "an action there": pressed(".act >> nth=0"),
    "back to the start": pressed(".steps a >> nth=0"),
}
"""One after the other, the last of them back to the first decision."""


def run(quick: bool) -> None:
    """Print the waiting times."""
    each = 4 if quick else 20
    with serving() as server:
        for game in ("holdem", "omaha", "omaha8"):  # wait until the data is there
            server.ask(f"/jamfold?game={game}")
        print(f"{CLIENTS} clients at once, {each} questions each, {os.cpu_count()} cores (ms)")
        print(f"{'':36}{'p50':>8}{'p99':>8}{'worst':>8}{'a second':>10}{'server each':>13}")
        for name, address, words in QUESTIONS:
            _measure(server, name, address, words, each)
        _browse(server, 3 if quick else 9)


def _measure(server: Server, name: str, address: str, words: list[float], each: int) -> None:
    waited: list[float] = []

    def client(seed: int) -> None:
        rng, line = random.Random(seed), socket.create_connection(("127.0.0.1", server.port), 120)
        mine = [_once(line, address.format(rng.choice(words), rng.random())) for _ in range(each)]
        waited.extend(mine)
        line.close()

    before, began = server.used(), time.perf_counter()
    clients = [threading.Thread(target=client, args=(seed,)) for seed in range(CLIENTS)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    spent = time.perf_counter() - began
    used = 1000 * (server.used() - before) / len(waited)
    middle, late = 1000 * np.percentile(waited, [50, 99])
    print(f"{name:36}{middle:8.0f}{late:8.0f}{1000 * max(waited):8.0f}{len(waited) / spent:10.0f}{used:13.1f}")


def _once(line: socket.socket, address: str) -> float:
    """One question over a line that stays open; little Python, so that the server is what is measured."""
    began = time.perf_counter()
    line.sendall(
        f"GET {address} HTTP/1.1\r\nhost: 127.0.0.1\r\nhx-request: true\r\naccept-encoding: gzip\r\n\r\n".encode()
    )
    got = b""
    while b"\r\n\r\n" not in got:
        got += line.recv(1 << 20)
    head, _, body = got.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head[:200]
    left = int(re.search(rb"content-length: (\d+)", head)[1]) - len(body)  # type: ignore[index]
    while left > 0:
        left -= len(line.recv(1 << 20))
    return time.perf_counter() - began


# --- in a browser ----------------------------------------------------------------------------------------------------


def _browse(server: Server, times: int) -> None:
    """First paints of all pages, and clicks on a solved spot: from the click until the new view is on the screen."""
    port = server.port
    with browser() as chromium:
        if chromium is None:
            return
        spot = server.solved(name="turn", board=EXAMPLE["board"][:8], target=0.02)
        print(f"in Chromium, median and worst of {times} (ms)")
        for path in PAGES:
            tell(f"first paint of {path}", [_paint(chromium, port, path.format(spot)) for _ in range(times)])
        page = chromium.new_page()
        page.goto(f"http://127.0.0.1:{port}/study/{spot}")
        watch, before = Watch(page, server.used_by_threads), server.used()
        took = [[watch.timed(click) for click in CLICKS.values()] for _ in range(times)]
        used = 1000 * (server.used() - before) / (times * len(CLICKS))
        tell_clicks(CLICKS, took)
        print(f"the server's processor, a click and what was asked for ahead of the next: {used:.1f}")
        page.goto(f"http://127.0.0.1:{port}/jamfold")
        slides = [watch.timed(_slide(5 + k / 8)) for k in range(times)]
        tell("slide of the stack", *zip(*slides, strict=True))


def _slide(stack: float) -> Act:
    return lambda page: page.get_by_label("Stack in big blinds, slider").fill(str(stack))


def _paint(browser: Any, port: int, path: str) -> float:
    """A new visitor, nothing in the browser's cache."""
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{port}{path}")
    painted = None
    while not painted:
        page.wait_for_timeout(20)
        painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    page.close()
    return float(painted) / 1000
