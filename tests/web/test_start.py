"""The start page opens each example with one click, and the colours of all charts can be read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from headsup.web.charts.grid import TONES
from headsup.web.render import HERE

STYLE = (HERE / "static" / "style.css").read_text()


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tone", TONES)
def test_white_text_on_every_tone_has_a_contrast_of_4_5(tone: str) -> None:
    assert contrast(TONES[tone], "#ffffff") >= 4.5
    drawn = re.findall(rf"--{tone}: (?:light-dark\()?(#[0-9a-f]{{6}})", STYLE)
    assert drawn == [TONES[tone]]  # a file has the colours of the page


def test_lines_of_charts_have_a_contrast_of_4_5_in_both_themes() -> None:
    cards = re.findall(r"--card: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", STYLE)[0]
    lines = re.findall(r"\[stroke=[^{]*{ stroke: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", STYLE)
    assert len(lines) >= 8
    for pair in lines:
        for colour, card in zip(pair, cards, strict=True):
            assert contrast(colour, card) >= 4.5, (colour, card)


def test_the_start_page_leads_to_pages_that_exist(client: TestClient) -> None:
    text = client.get("/").text
    links = set(re.findall(r'href="(/[^"#]*)"', text)) - {"/train?what=spot"}
    assert len(links) > 15
    assert [link for link in links if client.get(link.replace("&amp;", "&")).status_code != 200] == []


def test_the_example_history_is_that_of_the_docs() -> None:
    docs = Path(__file__).parents[2] / "docs" / "friday.phhs"
    assert (HERE / "static" / "example.phhs").read_text() == docs.read_text()


def test_an_example_opens_with_one_click(page: Any) -> None:
    page.goto("/")
    page.click("text=Review an example history")
    page.wait_for_selector(".decisions li")
    made = page.url
    page.goto("/")
    page.click("text=Review an example history")  # the same list, not another one
    page.wait_for_url(made + "*")
    page.goto("/")
    page.click("text=Play an example match")
    page.wait_for_selector(".felt")


@pytest.mark.long
def test_the_example_spot_is_solved_once(page: Any) -> None:
    page.goto("/")
    page.click("text=Open an example spot")
    page.wait_for_selector(".bar-actions")
    made = page.url
    page.goto("/")
    page.click("text=Open an example spot")
    page.wait_for_url(made + "*")
