"""What comes out of the command line: text that is never markup, lines that fit any stream, messages of one line."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

import headsup
from headsup.cli import VERBS, as_shown, main, one_line
from headsup.cli.console import (
    NARROWEST,
    UNLIMITED,
    Unpadded,
    at_commas,
    beside,
    make_console,
    print_heading,
    print_table,
    small_grid,
)
from headsup.cli.demo import SCENES
from headsup.cli.options import say
from headsup.distil.shipped import shipped_cards

MARKUP = ("[/b].sol", "[red]x.sol", "[link=x]y.sol", ":smile:.sol", "a\\[b].sol")
SHORT = (
    ("range", "AA"),
    ("range", "AA$ds", "--game", "omaha"),
    ("rank", "AsKh"),
    ("equity", "AsQsAdJd", "5h4s3c2h", "--game", "omaha8"),
    ("equity", "QQ+,AKs", "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo", "--board", "Ks7d2c"),
    ("games",),
    ("games", "kuhn"),
    ("solve", "kuhn", "--iterations", "3", "--strategies", "--plot"),
    ("jamfold", "--stack", "10"),
    ("jamfold", "--stack", "10", "--hand", "A5s"),
    ("jamfold", "--game", "omaha8", "--stack", "10"),
    ("rule", "card", "QsJs5h4d", "--stack", "10", "--explain"),
    ("distil",),
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.mark.parametrize("name", MARKUP)
def test_paths_are_printed_as_they_are(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("[").mkdir()
    assert main(["solve", "kuhn", "--iterations", "3", "--save", name]) == 0
    out = capsys.readouterr().out
    assert f"saved           {name}\n" in out
    command = re.search(r"measure it: (.*)", out)
    assert command
    assert shlex.split(command[1]) == ["headsup", "measure", name]
    assert main(["measure", name]) == 0


def test_names_in_a_game_are_printed_as_they_are(capsys, tmp_path: Path) -> None:
    path = tmp_path / "[bold]g[.efg"
    path.write_text(
        'EFG 2 R "[b]" { "a" "b" }\np "" 1 1 "[/red]" { "[b]l" "[/]" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n'
    )
    assert main(["solve", str(path), "--method", "lp", "--strategies"]) == 0
    out = capsys.readouterr().out
    assert f"game            {path}\n" in out
    assert re.search(r"\[/red\] +\[b\]l 100.00%  \[/\]   0.00%\n", out)


def test_no_text_of_ours_is_markup_either() -> None:
    """Markup would have to be turned on: nobody does, so no text that reaches the console can be taken for it."""
    for path in Path(headsup.__file__).parent.rglob("*.py"):
        assert not re.search(r"markup=True|from_markup|\[/\]|\[bold\]", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("words", SHORT, ids=" ".join)
def test_piped_output_is_neither_wrapped_nor_padded(capsys, words: tuple[str, ...]) -> None:
    assert main(list(words)) == 0
    wide = capsys.readouterr().out
    assert not re.search(r"[ \t]$", wide, re.MULTILINE)
    assert "\x1b" not in wide


def test_long_lines_stay_whole_in_a_pipe(capsys) -> None:
    words = ["equity", "AsQsAdJd", "5h4s3c2h", "--game", "omaha8"]
    assert main(words) == 0
    assert len(capsys.readouterr().out.splitlines()) == 6
    assert main(["flops", "AsKs", "AA"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(headsup.GAMES)
    assert max(map(len, lines)) > 100


@pytest.mark.parametrize("columns", ["40", "60"])
@pytest.mark.parametrize("words", SHORT, ids=" ".join)
def test_narrow_output_fits(capsys, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(list(words)) == 0
    out = capsys.readouterr().out
    lines = [line for line in out.splitlines() if not line.startswith(("jams: ", "calls: "))]  # those are to be copied
    assert max(map(len, lines)) <= int(columns)
    assert "…" not in out


CARDS = (
    *(
        ("distil", "--game", game, "--rules", str(one.lines), "--threshold", "row" if one.card.row else "sum")
        for game in ("holdem", "omaha8")
        for one in shipped_cards(game)
    ),
    ("distil",),
    ("distil", "--game", "omaha8"),
    ("rule", "card", "76s", "--stack", "9", "--explain"),
    ("rule", "card", "QsJs5h4d", "--stack", "10", "--seat", "bb", "--explain"),
    ("rule", "card", "As2dKhKc", "--stack", "11", "--rules", "7"),
    ("rule", "card", "--game", "omaha8", "--price"),
    ("rule", "card", "--price"),
    ("rule", "oracle", "AsTh9d9c", "--stack", "8", "--explain"),
    ("rule", "oracle", "--price"),
    ("rule", "sage", "K7o", "--stack", "12", "--explain"),
    ("rule", "hutchison", "AsTh9d9c", "--stack", "8", "--explain"),
    ("rule", "hutchison8", "AsTh9d9c", "--stack", "8", "--explain"),
)
"""Every verb that prints rules and their prices."""


@pytest.mark.parametrize("words", CARDS, ids=" ".join)
def test_narrow_cards_say_all_that_wide_ones_say(capsys, monkeypatch: pytest.MonkeyPatch, words) -> None:
    assert main(list(words)) == 0
    piped = capsys.readouterr().out
    for columns in (40, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(list(words)) == 0
        narrow = capsys.readouterr().out
        assert max(map(cell_len, narrow.splitlines())) <= columns
        assert not Counter(piped.split()) - Counter(narrow.split())
    if words[0] == "distil":
        monkeypatch.setenv("COLUMNS", "80")
        assert main(list(words)) == 0
        assert capsys.readouterr().out == piped


def test_narrow_cards_of_the_demo_say_all_that_wide_ones_say() -> None:
    for scene in SCENES:
        if scene.command.startswith(("headsup distil", "headsup rule")):
            wide, narrow = io.StringIO(), io.StringIO()
            scene.show(make_console(file=wide))
            scene.show(make_console(file=narrow, width=40))
            assert max(map(cell_len, narrow.getvalue().splitlines())) <= 40
            assert wide.getvalue().split() != []
            assert not Counter(wide.getvalue().split()) - Counter(narrow.getvalue().split())


def test_thresholds_stand_under_each_other_on_a_narrow_screen(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["distil", "--game", "omaha8", "--rules", "4"]) == 0
    out = capsys.readouterr().out
    card = next(one.card for one in shipped_cards("omaha8") if one.lines == 4 and one.card.row)
    rows = [
        list(map(int, line.split())) for line in out.splitlines() if re.fullmatch(r"[ \d-]+", line) and line.split()
    ]
    assert rows == [[stack, *both] for stack, both in enumerate(zip(card.sb, card.bb, strict=True), start=1)]


def test_narrow_output_cuts_no_word(capsys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["range", "AA$ds", "--game", "omaha"]) == 0
    assert re.search(r"^double-suited +864 +100.00% +13.48%$", capsys.readouterr().out, re.MULTILINE)
    text = "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo"
    for words in (["range", text], ["equity", "QQ+,AKs", text, "--board", "Ks7d2c"]):
        assert main(words) == 0
        out = capsys.readouterr().out
        assert all(hand in out for hand in text.split(","))
    assert main(["solve", "leduc", "--iterations", "3", "--strategies"]) == 0
    lines = capsys.readouterr().out.split("\n\nthe first player\n")[1].splitlines()
    assert any(re.fullmatch(r"  Jh\|cr            f +[\d.]+%  c +[\d.]+%", line) for line in lines)
    assert all(line.startswith((" ", "the second player")) for line in lines if line)
    path = tmp_path / "a-rather-long-name-of-a-folder-for-so-narrow-a-screen" / "kuhn.sol"
    path.parent.mkdir()
    assert main(["solve", "kuhn", "--iterations", "3", "--save", str(path)]) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    assert "".join(out.split()).count(str(path)) == 2
    assert main(["jamfold", "--stack", "10", "--lock", "QQ+"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(("jams: ", "calls: "))]
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize("verb", VERBS)
def test_help_fits_a_narrow_screen(capsys, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > 40 and len(line.split()) > 1 and not line.startswith(" ")] == []


def test_notices_are_broken_between_words_on_a_narrow_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    notice = "headsup solve: compiling its kernels (on first use only; this takes some seconds)"
    for stream, columns, lines in ((Terminal(), "40", 3), (Terminal(), "80", 1), (io.StringIO(), "40", 1)):
        monkeypatch.setenv("COLUMNS", columns)
        monkeypatch.setattr(sys, "stderr", stream)
        say(notice)
        assert stream.getvalue().count("\n") == lines
        assert " ".join(stream.getvalue().split()) == notice
    say(notice, stream := Terminal())
    assert max(map(len, stream.getvalue().splitlines())) <= 40


def test_parts_stand_beside_a_name() -> None:
    assert beside("  K  ", ["f 1%", "c 99%"], 80) == "  K  f 1%  c 99%"
    assert beside("  K  ", ["f 1%", "c 99%", "r 0%"], 17) == "  K  f 1%  c 99%\n     r 0%"
    assert beside("  a long name  ", ["f 1%", "c 99%"], 16) == "  a long name\n    f 1%  c 99%"
    assert beside("  K", [], 2) == "  K"


def test_range_text_is_broken_after_commas() -> None:
    assert at_commas("AA,KK,QQ", 8) == "AA,KK,QQ"
    assert at_commas("AA,KK,QQ", 6) == "AA,KK,\nQQ"
    assert at_commas("AKs[long],QQ", 5) == "AKs[long],\nQQ"
    assert at_commas("", 5) == ""


def test_a_table_that_is_too_wide_becomes_blocks() -> None:
    table = Table("stack", "first", "second", box=None)
    table.add_row("10", "123,456,789", Text("[b]"))
    table.add_row("[/b]", "", "5")
    kept = io.StringIO()
    print_table(make_console(file=kept, width=25), table)
    assert kept.getvalue() == "stack 10\n  first   123,456,789\n  second  [b]\nstack [/b]\n  second  5\n"
    kept = io.StringIO()
    print_table(make_console(file=kept), table)
    assert [line.split() for line in kept.getvalue().splitlines()][1:] == [["10", "123,456,789", "[b]"], ["[/b]", "5"]]


def test_small_grid() -> None:
    lines = small_grid([1, 0, 0.5, 0.001, 0.999, 0.049, 0.05, 0.95, 0.97, *[0] * 160]).plain.splitlines()
    assert lines[0] == "  A K Q J T 9 8 7 6 5 4 3 2"
    assert lines[1] == "A # . 5 - + - 1 9 + . . . ."
    assert lines[-1].endswith("# always, + over 95%, 1-9 tenths, - under 5%, . never")
    assert len(lines) == 15


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-16"])
@pytest.mark.parametrize("words", SHORT, ids=" ".join)
def test_any_encoding_will_do(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], encoding: str) -> None:
    kept = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(kept, encoding, write_through=True))
    assert main(list(words)) == 0
    text = kept.getvalue().decode(encoding)
    assert "?" not in text
    assert text.strip()


def test_signs_and_their_nearest() -> None:
    assert as_shown("½ pot · A♠", "ascii") == "1/2 pot . As"
    assert as_shown("½ pot · A♠", "latin-1") == "½ pot · As"
    assert as_shown("½ · ♠", "utf-8") == "½ · ♠"
    assert as_shown("é漢", "ascii") == "e?"


def test_a_file_name_that_is_no_text_comes_out_as_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(kept, "utf-8", write_through=True))
    assert main(["measure", "\udcff.sol"]) == 2
    assert b"'\xff.sol'" in kept.getvalue() or b"udcff.sol" in kept.getvalue()


def test_spaces_at_the_end_of_a_line_are_dropped() -> None:
    kept = io.StringIO()
    stream = Unpadded(kept)
    for piece in ("a  ", "b ", "\n  c", "  \n", "d "):
        stream.write(piece)
    assert kept.getvalue() == "a  b\n  c\nd"


def test_width_of_terminals_pipes_and_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_console(file=io.StringIO()).width == UNLIMITED
    assert make_console(file=Terminal()).width < UNLIMITED
    for columns, width in (("40", 40), ("1", NARROWEST), ("9" * 30, UNLIMITED), ("0", UNLIMITED), ("x", UNLIMITED)):
        monkeypatch.setenv("COLUMNS", columns)
        assert make_console(file=io.StringIO()).width == width


def test_a_heading_is_no_longer_than_a_line_of_text() -> None:
    kept = io.StringIO()
    print_heading(make_console(file=kept), "A [title]")
    assert kept.getvalue().startswith("A [title] ")
    assert len(kept.getvalue()) <= 81


def test_messages_are_one_line() -> None:
    assert one_line("a\nb\x1b\0ü") == r"a\nb\x1b\x00ü"
    cut = one_line("start" + "x" * 5000 + "end")
    assert cut.startswith("startx")
    assert cut.endswith("xend")
    assert len(cut) < 1100


@pytest.mark.parametrize("words", [("equity", "AA", "KK", "QQ"), ("rank", "9s9h", "--lines", "4"), ("acpc", "dealer")])
def test_what_is_left_over_is_told_by_the_verb(capsys, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, "--no-such-thing"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith(f"headsup {words[0]}")
    assert re.search(rf"\(see headsup {words[0]}[a-z ]* --help\)", told)
    assert told.count("\n") == 1


LIGHT = (
    *SHORT,
    ("buckets", "*", "--game", "holdem-limit:ranks=3,streets=2"),
    ("measure", "always-call", "--game", "holdem-limit:ranks=3,streets=2"),
    ("flops", "AsKs", "QQ"),
    ("preflop", "--stack", "5", "--checked-down", "--iterations", "1"),
    ("rule", "sage", "--price"),
    ("spot", "--board", "Ks7d2c3h4h", "--oop", "AA", "--ip", "QQ", "--pot", "10", "--stack", "10", "--bets", "a"),
    ("play", "caller", "folder", "--hands", "4"),
    ("play", "me", "caller", "--hands", "1"),
    ("league", "caller", "folder", "--hands", "4"),
    ("acpc", "dealer", "caller", "folder", "--hands", "4"),
    ("pokerbots", "engine", "caller", "folder", "--hands", "4"),
    ("train", "jamfold", "--questions", "1"),
    ("train", "jamfold", "--questions", "1", "--json"),
    ("reproduce", "bowling-2015"),
)


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
@pytest.mark.parametrize("words", LIGHT, ids=" ".join)
def test_every_verb_bears_a_closed_stream(monkeypatch: pytest.MonkeyPatch, stream: str, words: tuple[str, ...]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys, stream, None)  # what Python has for a stream that is closed when it begins
    assert main(words) == 0


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_mistake_bears_a_closed_stream(monkeypatch: pytest.MonkeyPatch, stream: str) -> None:
    monkeypatch.setattr(sys, stream, None)
    assert main(["equity", "AA", "KKK"]) == 2
    with pytest.raises(SystemExit) as ended:
        main(["equity", "AA"])
    assert ended.value.code == 2


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the streams")
@pytest.mark.parametrize(
    ("line", "answers"),
    [("equity AA KK 2>&-", True), ("train jamfold --questions 1 <&-", True), ("train card <&- >&- 2>&-", False)],
)
def test_a_shell_may_close_streams(line: str, answers: bool) -> None:
    command = f"{shlex.quote(sys.executable)} -m headsup {line}"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert (done.returncode, bool(done.stdout), done.stderr) == (0, answers, b"")


def test_the_commands_of_the_demo_can_be_pasted(capsys) -> None:
    for scene in SCENES:
        words = shlex.split(scene.command)
        assert words[0] == "headsup"
        assert shlex.join(words) == scene.command  # nothing in it that a shell would read its own way
