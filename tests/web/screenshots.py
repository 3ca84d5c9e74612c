"""The pictures of the page that README and docs show: `make screenshots`, or python -m tests.web.screenshots FOLDER.

A server is started, a river is solved in it, and each page is taken in a real browser; on one machine the pictures are
the same every time.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from headsup.play.table.record import parse_betting
from headsup.web.app import make_app
from headsup.web.study.spots import EXAMPLE, EXAMPLES
from headsup.web.table.matches import PAGE, Matches
from tests.web import screenshots_train
from tests.web.test_browser import until

PORT = 8765
ADDRESS = f"http://127.0.0.1:{PORT}"
SHOTS = (
    ("start", "/", 1280, 800, "light"),
    ("jamfold", "/jamfold?stack=10&hand=63s", 1280, 1010, "dark"),
    ("omaha", "/jamfold?game=omaha8&stack=10&hand=AsKsQsJs", 1280, 900, "light"),
    ("preflop", "/preflop?stack=15&hand=K9s", 1280, 1300, "dark"),
    ("equity", "/equity?a=QQ%2B,AKs&b=22-99,A2s-A9s:0.5&board=Ks7d2c", 1280, 1130, "light"),
    ("study", "/study/{spot}?line=check&hand=A8s", 1280, 1080, "dark"),
    ("study-omaha", "/study/{omaha}?hand=AsAhTsTh&order=equity", 1280, 1010, "light"),
    ("rules", "/rules?game=omaha8", 1280, 860, "light"),
    ("phone", "/jamfold?stack=10&hand=K7o", 390, 844, "dark"),
    ("play", "/play/{open}", 1280, 860, "dark"),
    ("review", "/play/{over}", 1280, 1240, "light"),
    ("play-phone", "/play/{open}", 390, 844, "light"),
)
HANDS = {
    "open": ("holdem-nolimit", 20.0, "nolimit:blueprint", 237, ("r250", "c")),
    "over": ("holdem-nolimit", 20.0, "nolimit:blueprint", 237, ("r250", "c", "c", "c")),
}
"""Matches at the table: game, stack, bot, the secret of the cards and the guest's moves."""


def main(folder: Path) -> None:
    """Take them all."""
    import uvicorn
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as work:
        app = make_app(work=Path(work))
        server = uvicorn.Server(uvicorn.Config(app, port=PORT, log_level="warning"))
        serving = threading.Thread(target=server.run, daemon=True)
        serving.start()
        while not server.started:
            if not serving.is_alive():
                sys.exit(f"port {PORT} is taken: end what uses it")
            time.sleep(0.05)
        spot, omaha = _solved(EXAMPLE, "A river"), _solved(EXAMPLES["omaha"], "An Omaha river")
        tables = {name: _sat(app.state.matches, name) for name in HANDS}
        folder.mkdir(parents=True, exist_ok=True)
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name, path, width, height, theme in SHOTS:
                view = {"width": width, "height": height}
                page = browser.new_page(viewport=view, color_scheme=theme)
                page.goto(ADDRESS + path.format(spot=spot, omaha=omaha, **tables))
                page.wait_for_timeout(700)
                until(page, "!document.querySelector('.review')?.innerText.includes('Calculating')")
                if name == "phone":  # as after a tap: the chart above, its answer below
                    page.evaluate("document.querySelector('#view [data-grid]').scrollIntoView()")
                page.screenshot(path=str(folder / f"{name}.png"))
                print(f"{folder / name}.png: {(folder / f'{name}.png').stat().st_size:,} bytes")
            screenshots_train.take(browser, folder, ADDRESS)
            browser.close()
        server.should_exit = True
        time.sleep(0.5)


def _solved(example: dict[str, str], name: str) -> str:
    """A spot, solved; its name."""
    asked = example | {"name": name, "target": 0.001}
    spot = httpx.post(f"{ADDRESS}/api/spots", json=asked, timeout=60).json()["id"]
    while httpx.get(f"{ADDRESS}/api/spots/{spot}", timeout=60).json()["state"] == "running":
        time.sleep(0.3)
    return str(spot)


def _sat(matches: Matches, name: str) -> str:
    """A match in which some moves were made; its name."""
    game, stack, bot, secret, moves = HANDS[name]
    made = matches.create(PAGE, game, stack, bot)
    with matches.db as db:
        db.execute("UPDATE matches SET secret = ? WHERE id = ?", (secret.to_bytes(16, "big"), made.id))
    sitting = matches.get(made.id, PAGE)
    now = matches.deal(sitting)
    for move in moves:
        if now.over:
            break
        now = matches.act(sitting, now.decision, parse_betting(move)[0])
    return made.id


if __name__ == "__main__":
    main(Path(sys.argv[1]))
