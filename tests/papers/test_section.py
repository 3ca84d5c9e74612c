"""Sections of a comparison as Markdown and as records."""

from __future__ import annotations

from pathlib import Path

from headsup.papers.section import Section, markdown, records, write_plots

TWO = [
    Section("First", ("hand", "ours"), [("AA", "1"), ("KK", "2")]),
    Section("Second", ("", "thesis"), [("peak", "9.5")]),
]


def test_markdown() -> None:
    assert markdown(TWO) == (
        "\n### First\n\n| hand | ours |\n| --- | --- |\n| AA | 1 |\n| KK | 2 |\n"
        "\n### Second\n\n|  | thesis |\n| --- | --- |\n| peak | 9.5 |\n"
    )
    assert markdown([]) == ""


def test_records() -> None:
    assert records(TWO) == {
        "First": [{"hand": "AA", "ours": "1"}, {"hand": "KK", "ours": "2"}],
        "Second": [{"": "peak", "thesis": "9.5"}],
    }


def test_records_keep_columns_of_the_same_name() -> None:
    fits = Section("Fits", ("name", "error", "t", "error", "t"), [("a", "1", "2", "3", "4")])
    assert records([fits]) == {"Fits": [{"name": "a", "error": "1", "t": "2", "error 2": "3", "t 2": "4"}]}


def test_plots_are_written_under_their_names(tmp_path: Path) -> None:
    assert write_plots(tmp_path, {"a.svg": "<svg/>", "b.svg": "<svg></svg>"}) == [
        tmp_path / "a.svg",
        tmp_path / "b.svg",
    ]
    assert (tmp_path / "b.svg").read_text() == "<svg></svg>"
