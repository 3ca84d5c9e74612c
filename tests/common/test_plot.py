from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from headsup.common.plot import bar_chart, grid_chart, line_chart, scatter_chart

SVG = "{http://www.w3.org/2000/svg}"


def traces(text: str) -> list[list[tuple[float, float]]]:
    root = ElementTree.fromstring(text)
    lines = [line.attrib["points"].split() for line in root.iter(f"{SVG}polyline")]
    return [[(float(p.split(",")[0]), float(p.split(",")[1])) for p in line] for line in lines]


def test_points_land_where_their_values_say() -> None:
    chart = line_chart({"a": [(0, 0), (5, 50), (10, 100)]}, title="T", x="x", y="y")
    (x0, y0), (x1, y1), (x2, y2) = traces(chart)[0]
    assert x1 == pytest.approx((x0 + x2) / 2, abs=0.1)
    assert y1 == pytest.approx((y0 + y2) / 2, abs=0.1)
    assert x0 < x2
    assert y0 > y2, "up is up"


def test_log_axes_space_powers_of_ten_evenly_and_drop_what_has_no_logarithm() -> None:
    chart = line_chart(
        {"a": [(1, 1), (10, 0.1), (100, 0.01), (200, 0)]}, title="T", x="x", y="y", log_x=True, log_y=True
    )
    points = traces(chart)[0]
    assert len(points) == 3
    assert points[1][0] - points[0][0] == pytest.approx(points[2][0] - points[1][0], abs=0.2)
    assert points[1][1] - points[0][1] == pytest.approx(points[2][1] - points[1][1], abs=0.2)


def test_words_are_escaped_and_each_series_has_its_own_colour() -> None:
    chart = line_chart({"a<b": [(0, 1), (1, 1)], "c": [(0, 2), (1, 3)]}, title="<&>", x="x", y="y")
    words = [node.text for node in ElementTree.fromstring(chart).iter(f"{SVG}text")]
    assert {"<&>", "a<b", "c"} <= set(words)
    assert len(set(re.findall(r'polyline[^>]*stroke="(#\w+)"', chart))) == 2


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        line_chart({"a": [(1, 0)]}, title="T", x="x", y="y", log_y=True)


def test_a_faint_line_is_dashed_in_its_own_colour_and_has_no_place_in_the_key() -> None:
    chart = line_chart({"a": [(0, 1), (1, 2)]}, faint={"a": [(0, 0), (1, 1)]}, title="T", x="x", y="y")
    assert len(traces(chart)) == 2
    assert len(set(re.findall(r'polyline[^>]*stroke="(#\w+)"', chart))) == 1
    assert chart.count("stroke-dasharray") == 1
    assert [node.text for node in ElementTree.fromstring(chart).iter(f"{SVG}text")].count("a") == 1


def test_a_scatter_has_one_scale_and_areas_that_add_up() -> None:
    chart = scatter_chart(
        [(0, 0, 1), (100, 100, 4), (50, 20, 3), (50, 20, 1)], title="T", x="x", y="y", band=10, notes=["half <", "all"]
    )
    root = ElementTree.fromstring(chart)
    dots = {
        (float(one.attrib["cx"]), float(one.attrib["cy"])): float(one.attrib["r"]) for one in root.iter(f"{SVG}circle")
    }
    assert len(dots) == 3, "equal points are one dot"
    (x0, y0), (x1, y1), (x2, y2) = sorted(dots)
    assert x2 - x0 == pytest.approx(y0 - y2), "a step to the right is as long as a step up"
    assert (x1 - x0) / (x2 - x0) == pytest.approx(0.5, abs=0.001)
    assert (y0 - y1) / (y0 - y2) == pytest.approx(0.2, abs=0.001)
    assert dots[x1, y1] == pytest.approx(2 * dots[x0, y0], rel=0.01)
    assert dots[x1, y1] == dots[x2, y2]
    assert {"half <", "all"} <= {node.text for node in root.iter(f"{SVG}text")}
    clipped = [one.tag for one in root.iter() if "clip-path" in one.attrib]
    assert clipped == [f"{SVG}polygon"], "the band ends at the frame, a dot on the edge is whole"
    with pytest.raises(ValueError, match="at least one point"):
        scatter_chart([], title="T", x="x", y="y")


def bars(text: str, tall: str) -> list[tuple[float, float]]:
    """Where the bars of this height begin, and how wide they are."""
    found = re.findall(rf'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="{tall}"', text)
    return [(float(left), float(width)) for left, width in found]


def test_bars_are_as_long_as_their_values() -> None:
    chart = bar_chart([("a <b>", [0.25, 0.75]), ("c", [0.5, 0.5])], ["check", "bet"], title="Bars", x="share")
    assert "a <b>" in [node.text for node in ElementTree.fromstring(chart).iter(f"{SVG}text")]
    (x0, first), (x1, second), (_, third), (_, fourth) = bars(chart, "16")
    assert second == pytest.approx(3 * first, abs=0.3)
    assert third == fourth == pytest.approx(2 * first, abs=0.2)
    assert x1 == pytest.approx(x0 + first, abs=0.1), "stacked: one begins where the other ends"
    with pytest.raises(ValueError, match="at least one bar"):
        bar_chart([], [], title="", x="")


def test_bars_side_by_side_begin_at_zero() -> None:
    chart = bar_chart([("a", [0.25, -0.75])], ["value", "equity"], title="Bars", x="share", stacked=False)
    (left, one), (low, other) = bars(chart, "8")
    assert other == pytest.approx(3 * one, abs=0.3)
    assert low + other == pytest.approx(left, abs=0.1), "a value below zero goes to the left"


def test_a_grid_fills_each_cell_by_its_shares() -> None:
    chart = grid_chart([("AA", (0.25, 0.75)), ("K<", (0.0, 1.0)), ("Q", (1.0, 0.0))], ("a", "b"), title="T", columns=2)
    root = ElementTree.fromstring(chart)
    filled = [r for r in root.iter(f"{SVG}rect") if r.attrib.get("fill-opacity")]
    assert [float(r.attrib["width"]) for r in filled] == [12.0, 36.0, 48.0, 48.0]
    assert float(filled[1].attrib["x"]) == float(filled[0].attrib["x"]) + 12.0
    assert float(filled[3].attrib["y"]) > float(filled[0].attrib["y"])
    assert {"AA", "K<", "Q", "a", "b"} <= {node.text for node in root.iter(f"{SVG}text")}
    with pytest.raises(ValueError, match="at least one cell"):
        grid_chart([], ("a",), title="T")


def test_dots_mark_every_point() -> None:
    chart = line_chart({"a": [(0, 1), (1, 2)], "b": [(3, 3)]}, title="T", x="x", y="y", dots=True)
    assert chart.count("<circle") == 3


def test_lines_differ_in_more_than_their_colour() -> None:
    lines = {name: [(0.0, 1.0), (1.0, float(at))] for at, name in enumerate("abcd")}
    drawn = line_chart(lines, title="", x="", y="")
    dashes = re.findall(r'<polyline[^>]*?(stroke-dasharray="[^"]*")?/>', drawn)
    assert len(set(dashes)) == 4
    for dash in filter(None, dashes):
        assert drawn.count(dash) == 2  # the line, and its place in the key
