"""The pictures of Hands and Train, taken by `tests.web.screenshots`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx

SHOTS = (
    ("hands", "{hands}", 1280, 800, "light"),
    ("replay", "{hands}/3?step=1&seat=1", 1280, 960, "dark"),
    ("train", "/train?stack=8&seat=bb", 1280, 930, "light"),
    ("train-phone", "/train?stack=8&seat=bb", 390, 844, "dark"),
)


def take(browser: Any, folder: Path, address: str) -> None:
    """Take them all from a server."""
    hands = _brought(address)
    _answered(address)
    for name, path, width, height, theme in SHOTS:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
        page.goto(address + path.format(hands=hands))
        if name == "train":  # the question is one that was missed, so the same every time; it is missed again
            page.click(".moves .m-call")
            page.wait_for_selector("#verdict")
        page.wait_for_timeout(700)
        page.screenshot(path=str(folder / f"{name}.png"))
        print(f"{folder / name}.png: {(folder / f'{name}.png').stat().st_size:,} bytes")


def _brought(address: str) -> str:
    """The hands of the docs, looked at; where they are."""
    text = (Path(__file__).parents[2] / "docs" / "friday.phhs").read_text()
    answer = httpx.post(f"{address}/hands/text?name=Friday night", content=text, timeout=60)
    place = str(answer.headers["location"])
    while "Reviewing hand" in httpx.get(address + place, timeout=60).text:
        time.sleep(0.3)
    return place


def _answered(address: str) -> None:
    """Three dozen answers of somebody who learns."""
    words = {"what": "jamfold", "game": "holdem", "stack": "8", "seat": "bb", "within": "0.01"}
    hands = ("A2o", "K9o", "72o", "QJs", "J7o", "55", "T8s", "K4o", "94s", "Q8o", "A9s", "63o")
    for turn in range(38):
        hand = hands[turn % len(hands)]
        wrong = turn % 24 in (1, 4, 7, 9, 15) and turn < 30
        plays = (hand not in ("72o", "J7o", "94s", "63o")) != wrong
        words |= {"key": f"bb {hand}", "turn": str(turn), "answer": "call" if plays else "fold"}
        httpx.post(f"{address}/train", data=words, timeout=60)
