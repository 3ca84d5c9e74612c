"""The page: how long a hundred clients wait at once, and how soon a browser paints and answers a click.

The server is a process of its own, as `headsup serve` starts it. A client waits for each answer before it asks again;
clients are threads of this process, so they take a part of the cores themselves, and what the server's processor took
for an answer stands beside the waiting times. The first who asks for a slide waits until it is made; a word that the
page does not know makes every question a first one. The browser is Debian's Chromium, if it is there.
A click is timed in the page: from its event until the frame with the new view has been drawn. It comes without the rest
of a person's pointer, in which the page asks ahead, but after a short press. Where other programs have the cores
too, what counts is the processor: of the browser's main thread (with what drives it), and of the server.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import socket
import threading
import time
from collections.abc import Sequence
from http.client import HTTPConnection
from statistics import median
from typing import Any

import numpy as np

from benchmarks.serving import Server, serving

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
PRESS = 60
"""Milliseconds from a finger's coming down until it is lifted, which is the click; the pointer does not rest before."""
CLICKS = {
    "an action": lambda page: page.click(".act >> nth=0", delay=PRESS),
    "a hand": lambda page: page.click("[data-grid] button >> nth=30", delay=PRESS),
    "another hand": lambda page: page.click("[data-grid] button >> nth=0", delay=PRESS),
    "values": lambda page: page.get_by_label("Value").check(),
    "equities": lambda page: page.get_by_label("Equity").check(),
    "the strategy": lambda page: page.get_by_label("Strategy").check(),
    "a best reply": lambda page: page.select_option("select[name=reply]", "ip"),
    "the solution": lambda page: page.select_option("select[name=reply]", ""),
    "an action to the river": lambda page: page.click(".act >> nth=0", delay=PRESS),
    "a card": lambda page: page.click(".runcards a >> nth=7", delay=PRESS),
    "an action there": lambda page: page.click(".act >> nth=0", delay=PRESS),
    "back to the start": lambda page: page.click(".steps a >> nth=0", delay=PRESS),
}
"""One after the other, the last of them back to the first decision."""
THINKING = 700
"""Milliseconds between two clicks of a person who looks at what is shown."""


def run(quick: bool) -> None:
    """Print the waiting times."""
    each = 4 if quick else 20
    with serving() as server:
        port = server.port
        for game in ("holdem", "omaha", "omaha8"):  # wait until the data is there
            _ask(port, f"/jamfold?game={game}")
        print(f"{CLIENTS} clients at once, {each} questions each, {os.cpu_count()} cores (ms)")
        print(f"{'':36}{'p50':>8}{'p99':>8}{'worst':>8}{'a second':>10}{'server each':>13}")
        for name, address, words in QUESTIONS:
            _measure(server, name, address, words, each)
        _browse(server, 3 if quick else 9)


def _ask(port: int, address: str, body: Any = None) -> Any:
    line = HTTPConnection("127.0.0.1", port, timeout=120)
    kind = {} if body is None else {"content-type": "application/json"}
    line.request("GET" if body is None else "POST", address, None if body is None else json.dumps(body), kind)
    answer = line.getresponse()
    text = answer.read()
    assert answer.status < 300, (answer.status, text[:200])
    return json.loads(text) if address.startswith("/api") else text


def _measure(server: Server, name: str, address: str, words: list[float], each: int) -> None:
    waited: list[float] = []

    def client(seed: int) -> None:
        rng, line = random.Random(seed), socket.create_connection(("127.0.0.1", server.port), 120)
        mine = [_once(line, address.format(rng.choice(words), rng.random())) for _ in range(each)]
        waited.extend(mine)
        line.close()

    before, began = server.used(), time.perf_counter()
    clients = [threading.Thread(target=client, args=(seed,)) for seed in range(CLIENTS)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
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
    chromium = os.environ.get("HEADSUP_CHROMIUM") or shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("no Chromium and Playwright here: paints and clicks are left out")
        return
    port = server.port
    spot = _solved(port)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        print(f"in Chromium, median and worst of {times} (ms)")
        for path in PAGES:
            _tell(f"first paint of {path}", [_paint(browser, port, path.format(spot)) for _ in range(times)])
        page = browser.new_page()
        ticks = page.context.new_cdp_session(page)
        ticks.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(f"http://127.0.0.1:{port}/study/{spot}")
        before = server.used()
        took = [[_watched(page, ticks, click) for click in CLICKS.values()] for _ in range(times)]
        used = 1000 * (server.used() - before) / (times * len(CLICKS))
        print(f"{'':44}{'median':>8}{'worst':>8}   the main thread's processor: median, worst")
        for click, one in zip(CLICKS, zip(*took, strict=True), strict=True):
            _tell(f"click: {click}", *zip(*one, strict=True))
        _tell("all clicks", *zip(*(one for row in took for one in row), strict=True))
        print(f"the server's processor, a click and what was asked for ahead of the next: {used:.1f}")
        page.goto(f"http://127.0.0.1:{port}/jamfold")
        _tell("slide of the stack", *zip(*(_slide(page, ticks, 5 + k / 8) for k in range(times)), strict=True))
        browser.close()


def _tell(name: str, *columns: Sequence[float]) -> None:
    print(f"{name:44}" + "".join(f"{1000 * median(one):8.0f}{1000 * max(one):8.0f}   " for one in columns))


def _paint(browser: Any, port: int, path: str) -> float:
    """A new visitor, nothing in the browser's cache."""
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{port}{path}")
    found = None
    while not found:
        page.wait_for_timeout(20)
        found = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    page.close()
    return float(found) / 1000


_WATCH = """
window.took = 0;
for (const name of ["click", "change", "input"]) {
  document.addEventListener(name, (event) => { window.began = event.timeStamp; }, true);
}
new MutationObserver(() => {
  if (window.took) return;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.took ||= performance.now() - window.began; };
    port2.postMessage(null);
  });
}).observe(document.getElementById("view"), { subtree: true, childList: true, attributes: true, characterData: true });
"""


def _slide(page: Any, ticks: Any, stack: float) -> tuple[float, float]:
    return _watched(page, ticks, lambda page: page.get_by_label("Stack in big blinds, slider").fill(str(stack)))


def _busy(ticks: Any) -> float:
    """Seconds of the processor that the page's main thread has taken."""
    metrics = ticks.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def _watched(page: Any, ticks: Any, act: Any) -> tuple[float, float]:
    """From the click until the frame with the new view has been drawn, and what the main thread took for it."""
    page.wait_for_timeout(THINKING)
    page.evaluate(f"() => {{ if (window.took === undefined) {{ {_WATCH} }} window.took = 0; }}")
    before = _busy(ticks)
    act(page)
    for _ in range(500):
        took = page.evaluate("window.took")
        if took:
            return float(took) / 1000, _busy(ticks) - before
        page.wait_for_timeout(10)
    raise AssertionError("the view did not change")


def _solved(port: int) -> str:
    """A turn with its rivers, solved in the server; its name."""
    from headsup.web.spots import EXAMPLE

    asked = EXAMPLE | {"board": EXAMPLE["board"][:8], "name": "turn", "target": 0.02, "seconds": 60}
    spot = _ask(port, "/api/spots", asked)["id"]
    while _ask(port, f"/api/spots/{spot}")["state"] == "running":
        time.sleep(0.3)
    return str(spot)
