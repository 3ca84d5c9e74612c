"""A browser for benchmarks: Debian's Chromium, driven by Playwright, and clicks timed in the page itself.

A click takes from its event until the frame with the new view has been drawn. It comes without the rest of a person's
pointer, in which the page asks ahead, but after a short press (or none). Where other programs have the cores too, what
counts is the processor: of the browser's main thread (with what drives it), and of the server.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

PRESS = 60
"""Milliseconds from a finger's coming down until it is lifted, which is the click; the pointer does not rest before."""
THINKING = 700
"""Milliseconds between two clicks of a person who looks at what is shown."""
Act = Callable[[Any], object]
"""What is done on a page."""
Took = tuple[float, float, float]
"""Seconds until the view was drawn, and of the processor: of the browser's main thread, and of the server."""

_WATCH = """
window.took = window.began = 0;
for (const name of ["click", "change", "input"]) {
  document.addEventListener(name, (event) => { window.began = event.timeStamp; }, true);
}
new MutationObserver(() => {
  if (window.took || !window.began || !document.querySelector(window.wanted)) return;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.took ||= performance.now() - window.began; };
    port2.postMessage(null);
  });
}).observe(document.getElementById("view"), { subtree: true, childList: true, attributes: true, characterData: true });
"""


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium, or None where it or Playwright is not installed."""
    chromium = os.environ.get("HEADSUP_CHROMIUM") or shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("no Chromium and Playwright here: paints and clicks are left out")
        yield None
        return
    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()


def pressed(selector: str, press: int = PRESS) -> Act:
    """A click on an element."""
    return lambda page: page.click(selector, delay=press)


def touched(selector: str, press: int = PRESS) -> Act:
    """A finger on an element of a phone's screen."""

    def act(page: Any) -> None:
        box = page.locator(selector).bounding_box()
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        screen = page.context.new_cdp_session(page)
        screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        page.wait_for_timeout(press)
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    return act


class Watch:
    """Times what is done on a page."""

    def __init__(self, page: Any, used: Callable[[], dict[str, float]]) -> None:
        """`used` tells what the server's threads have used of the processor."""
        self.page, self.used, self.ticks = page, used, page.context.new_cdp_session(page)
        self.ticks.send("Performance.enable", {"timeDomain": "threadTicks"})

    def timed(self, act: Act, wanted: str = "#view", think: int = THINKING) -> Took:
        """From the click until a frame with what is wanted has been drawn, and what the processor took for it."""
        page = self.page
        page.wait_for_timeout(think)
        page.evaluate(f"() => {{ if (window.took === undefined) {{ {_WATCH} }} window.took = window.began = 0; }}")
        page.evaluate("(wanted) => { window.wanted = wanted; }", wanted)
        before, used = self._busy(), self.used()
        act(page)
        took = self._until("window.took")
        return took, self._busy() - before, sum(now - used.get(thread, 0.0) for thread, now in self.used().items())

    def until(self, selector: str) -> float:
        """Seconds from the last click until something is there."""
        there = "performance.now() - window.began"
        return self._until(f"document.querySelector({selector!r}) ? {there} : 0")

    def _until(self, script: str) -> float:
        for _ in range(6000):
            took = self.page.evaluate(script)
            if took:
                return float(took) / 1000
            self.page.wait_for_timeout(10)
        raise AssertionError("the view did not change")

    def _busy(self) -> float:
        """Seconds of the processor that the page's main thread has taken."""
        metrics = self.ticks.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def tell(name: str, *columns: Sequence[float]) -> None:
    """Median and worst of each column, in milliseconds."""
    print(
        f"{name:44}" + "".join(f"{1000 * median(column):8.0f}{1000 * max(column):8.0f}   " for column in columns),
        flush=True,
    )


def tell_clicks(names: Iterable[str], took: Sequence[Sequence[Took]]) -> None:
    """A row for each kind of click, from rounds of them, and one for all; which took longest."""
    print(f"{'':44}{'median':>8}{'worst':>8}   the main thread's processor, and the server's: median, worst")
    rows = dict(zip(names, zip(*took, strict=True), strict=True))
    for name, row in rows.items():
        tell(f"click: {name}", *zip(*row, strict=True))
    tell("all clicks", *zip(*(click for row in rows.values() for click in row), strict=True))
    print(f"the slowest click: {max(rows, key=lambda name: max(rows[name]))}")
