"""Thousands of command lines put together at random, with values that someone might really type or paste.

Whatever is asked, the answer is a result without a nan in it and status 0, or one line that says what is wrong and
status 2: never a traceback. Calls are made in the same process; work that would take long is left out or kept short.
"""

from __future__ import annotations

import io
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from headsup.cli import VERBS, main
from headsup.cli.range import FORMATS
from headsup.games.holdem.spot import Spot
from headsup.spots.solve import solve_spot

NASTY = (
    *("", " ", ",", "-", "--", "0", "-1", "1.5", "1e400", "-inf", "9" * 5000, "x" * 20_000, "½", "♠", "Aſ", "A\ud800"),
    *(
        "[red]",
        "[/b]",
        "[/b].x",
        "[link=x]",
        ":smile:",
        "{}",
        "%s",
        "$ds",
        "\\",
        "'",
        '"',
        "a\nb",
        "a\x00b",
        "\x1b[31m",
    ),
    *(
        "\udcff",
        "..",
        ".",
        "/",
        "/nonexistent/x",
        "folder",
        "folder/x",
        "١٢",
        "1_000",
        "true",
        "None",
        "(((",
        "!!!",
        "][",
    ),
    *("As,Kh", "AsAs", "AsKh,", "22+", "nan%", "1e999%", "AA@nan", "AA:1e9", "random!random", "As Kh", "10s10h"),
)
NUMBERS = ("nan", "inf", "-inf", "1e400", "-1", "0", "0.0", "1e-320", "0x10", "9" * 400, "2", "3", "١٢", "", "5,5")
HOLDINGS = ("AA", "AsKh", "QQ+,AKs", "random", "As,Kh", "15%", "AsKhQdJc", "AA$ds", "72o", "RML")
CARDS = ("", "2c3c4c", "2c,3c,4c", "Ks7d2c", "2c3c4c5c", "AsAs", "2c3c")
GAMES = ("holdem", "omaha", "omaha8", "kuhn")
SPOTS = ("spot.sol", "locked.sol", "reply.sol")
FILES = (
    *SPOTS,
    *SPOTS,
    "spot.txt",
    "cut.sol",
    "odd.json",
    "deep.json",
    "good.json",
    "big.efg",
    "twins.efg",
    "one.efg",
    "empty",
    "folder",
    "rock.sol",
    "nofile",
)
TREES = ("kuhn", "rps", "spades", "kuhn:ranks=4", "kuhn:ranks=nan", "kuhn:ranks=-1", "leduc:merged=maybe", *FILES)
METHODS = ("lp", "normal", "cfr", "cfr+", "linear", "dcfr", "pcfr+", "external", "outcome", "fictitious", "fsi", "none")
SETTINGS = (
    *(
        "seed=5",
        "rate=1000",
        "rate=nan",
        "rate=1e400",
        "hands=0",
        "hands=10",
        "averaging=10",
        "averaging=-1",
        "form=vector",
    ),
    *("negative=-inf", "positive=nan", "tremble=0.3", "tremble=nan", "tremble=-1", "tremble=9", "algorithm=interior"),
    *("iterations=3", "game=rps", "=", "a", "explore=0", "decay=2", "strategy=current", "alternating=false"),
)
LOCKS = (
    "AA: check",
    "all: check",
    "AA: check 30%, bet 10",
    "check | bet 10 30%",
    "check, bet 10 | as is",
    "check 50%",
    "check | all: check",
    "| bet 5 30%",
    "as is",
    "check, * | AA: check",
    "|",
    ":",
    ";",
    *HOLDINGS,
)
SPECS = ("*-3:ehs", "*-3-2:ehs2", "*", "4-4:emd,samples=100", "*-4:ochs,clusters=2,samples=100", "*-2:best", "1-1")
AGENTS = (
    *("caller", "folder", "allin", "random", "raiser") * 4,
    *("caller", "folder", "allin", "raiser", "random", "tight", "jamfold", "sklansky", "average", "loose-passive"),
    *(
        "rule:sage",
        "rule:oracle",
        "rule:x",
        "rule:",
        "lbr",
        "lbr:wide",
        "lbr:nan",
        "lbr:1,a",
        "spot:spot.sol",
        "uniform",
    ),
    *("equilibrium", "solution:rock.sol", "solution:", "spot:nofile", "spot:cut.sol", "caller:1", ":", "me:"),
)
MATCHES: dict[str, Sequence[str] | None] = {
    "--game": (
        *("holdem-limit", "holdem-nolimit", "holdem-jamfold", "omaha-jamfold", "omaha8-jamfold", "omaha-potlimit"),
        *(
            "omaha8-potlimit",
            "holdem-discard",
            "kuhn",
            "kuhn:ranks=4",
            "rps",
            "spot:spot.sol",
            "spot:spot.txt",
            "spot:",
        ),
    ),
    "--stack": (*NUMBERS, *("10", "7.125", "20") * 4),
    "--seed": NUMBERS,
    "--session": NUMBERS,
    "--seconds": NUMBERS,
    "--address": ("x",),
    **dict.fromkeys(("--duplicate", "--equity", "--aivat", "--json")),
}
HOSTED: dict[str, Sequence[str] | None] = {
    "--stack": (*NUMBERS, "20", "20"),
    "--seed": NUMBERS,
    "--port": ("0", "70000", "x"),
    "--host": ("127.0.0.1", ""),
    "--json": None,
}
PLACES = ("out.x", "[red]x", "[/b]", "folder", "/nonexistent/x", "nofolder/x", "", "ü.x", "a b.x", "\udcff.x")


class Verb(NamedTuple):
    """What a verb may be given: pools for its arguments, for its options, and options that are always there."""

    arguments: Sequence[Sequence[str]]
    options: dict[str, Sequence[str] | None]
    always: Sequence[str] = ()


SHARDS = ("1/2", "0/0", "3/2", "x")
LINES: dict[str, Verb] = {
    "range": Verb(
        [(*HOLDINGS, *FILES, "[50]AKs[/50]", "0 " * 1326)],
        {
            "--read": (*FORMATS, "x"),
            "--write": (*FORMATS, "spot", "x"),
            "--part": ("oop", "x", "a/b"),
            "--game": GAMES,
            "--json": None,
        },
    ),
    "rank": Verb([HOLDINGS], {"--board": CARDS, "--game": GAMES, "--json": None}),
    "equity": Verb(
        [HOLDINGS, HOLDINGS],
        {
            "--board": CARDS,
            "--dead": CARDS,
            "--game": (*GAMES, "holdem-discard"),
            "--swap": ("rule", "x"),
            "--seed": NUMBERS,
            "--json": None,
        },
        ("--samples", "20"),
    ),
    "flops": Verb([HOLDINGS, NASTY], {"--csv": PLACES, "--json": None}),
    "matchup": Verb(
        [HOLDINGS, ("AsKhQdJc", "5h4s3c2h")], {"--game": GAMES, "--dead": CARDS, "--classes": None, "--json": None}
    ),
    "tabulate": Verb([GAMES], {"--seed": NUMBERS, "--shard": SHARDS, "--device": ("cpu", "gpu")}, ("--verify", "-1")),
    "merge": Verb([PLACES, PLACES], {"--json": None}),
    "games": Verb([TREES], {"--efg": PLACES, "--json": None}),
    "buckets": Verb(
        [SPECS],
        {
            "--game": ("holdem-limit:ranks=3,streets=2", "holdem-limit:ranks=3,streets=3", "kuhn", "jamfold", "x"),
            "--street": ("preflop", "flop", "turn", "river"),
            "--board": (*CARDS, "AsKsQs", "AsKdQc"),
            "--hand": ("AdKd", "AsKs", "2c2d"),
            "--transitions": None,
            "--samples": NUMBERS,
            "--seed": NUMBERS,
            "--device": ("cpu", "gpu"),
            "--plot": PLACES,
            "--json": None,
        },
        ("--game", "holdem-limit:ranks=3,streets=2"),
    ),
    "solve": Verb(
        [TREES],
        {
            "--method": METHODS,
            "--target": NUMBERS,
            "--seed": NUMBERS,
            "--set": SETTINGS,
            "--buckets": ("none", *FILES),
            "--sample": (*NUMBERS, "2,1"),
            "--bits": ("8", "16"),
            "--save": PLACES,
            "--plot": PLACES,
            "--checkpoint": (*PLACES, *FILES),
            "--rounds": ("flop", "river", "street"),
            "--work": PLACES,
            "--engine": ("local", "rays"),
            "--jobs": ("1", *NUMBERS),
            "--table": None,
            "--json": None,
        },
        ("--iterations", "2"),
    ),
    "measure": Verb(
        [FILES],
        {
            "--game": TREES,
            "--translation": ("nearest", "call", "copy", "best"),
            "--check": ("20", "x"),
            "--value": None,
            "--table": None,
            "--json": None,
        },
    ),
    "spot": Verb(
        [],
        {
            "--oop": HOLDINGS,
            "--ip": HOLDINGS,
            "--board": (*CARDS, "Td9d6hQc2s"),
            "--stack": NUMBERS,
            "--bets": ("60%", "a", "none", "60%;", "x", *NUMBERS),
            "--rake": ("5%/30", "5%", "nan%", "5", *NUMBERS),
            "--menu": ("cap 1", "cap", "river a", "flop a", "|"),
            "--target": NUMBERS,
            "--store": ("float32", "int16", "x"),
            "--from": FILES,
            "--checkpoint": (*PLACES, *FILES),
            "--method": METHODS,
            "--turn": ("60%", "x", *NUMBERS),
            "--swaps": ("", "x"),  # real ones take gigabytes on a flop
            "--game": ("holdem", "omaha"),
            "--dead": CARDS,
            "--threads": NUMBERS,
            "--seconds": NUMBERS,
            "--lock": LOCKS,
            "--unlock": None,
            "--small": None,
            "--save": PLACES,
            "--write": PLACES,
            "--json": None,
        },
        ("--pot", "10", "--iterations", "1"),
    ),
    "sizes": Verb(
        [],
        {
            "--board": ("Ks7d2c5s", "Td9d6hQc2s", "x", ""),
            "--oop": ("x", "AA,", "AsKh"),  # few hands, or mistakes: a dense menu takes long
            "--stack": NUMBERS,
            "--bets": ("50%, a", "none", "60%;", "x", *NUMBERS),
            "--count": NUMBERS,
            "--per": ("street", "node", "x"),
            "--rake": ("5%", "x"),
            "--json": None,
        },
        ("--ip", "QQ", "--pot", "10", "--seconds", "0.01"),
    ),
    "look": Verb(
        [FILES],
        {
            "--line": ("check", "bet", "7c", "keep, swap high", ""),
            "--hand": HOLDINGS,
            **dict.fromkeys(("--list", "--blockers", "--json")),
            "--by": ("category", "x"),
        },
    ),
    "report": Verb(
        [],
        {
            "--oop": ("x", "AA,", "AsKh"),  # mistakes only: a report takes long
            "--ip": HOLDINGS,
            "--flops": ("7", "-1", "all", *FILES),
            "--stack": NUMBERS,
            "--address": ("x",),
            "--json": None,
        },
        ("--pot", "10", "--iterations", "0", "--work", "folder/report", "--flops", "none"),
    ),
    "preflop": Verb(
        [],
        {
            "--stack": NUMBERS,
            "--bets": ("2x", "a", "none", "60%;", "x", *NUMBERS),
            "--ante": NUMBERS,
            "--small-blind": NUMBERS,
            "--line": ("call", "raise 2", "raise x", "fold", ""),
            "--hand": HOLDINGS,
            "--compare": ("checked-down", *FILES),
            "--most": NUMBERS,
            "--json": None,
        },
        ("--no-limp", "--iterations", "1"),
    ),
    "exploit": Verb(
        [FILES],
        {
            "--seat": ("oop", "ip", "x"),
            "--lock": LOCKS,
            "--profile": ("nit", "x", *FILES),
            "--save": PLACES,
            "--json": None,
        },
    ),
    "compare": Verb([FILES, FILES], {"--line": ("check", "bet", "7c", ""), "--most": NUMBERS, "--json": None}),
    "endgame": Verb(
        [],
        {
            "--chips": ("4", "6", "nan", "inf", "1e400", "-1", "0", "0.1", "", "5,5"),
            "--stack": (*NUMBERS, "8", "0.25", "20"),
            "--blinds": ("0.5/1", "1/2", "0.5/1x3,1/2", "1/2/", "2/1", "nan/1", "0/1", "/", "1/2x0", ","),
            "--button": ("me", "opponent", "x"),
            "--ante": ("0", "0", *NUMBERS),
            "--bb-ante": ("0", "0", *NUMBERS),
            "--unit": ("0.25", "0.5", *NUMBERS),
            "--payouts": ("65/35", "35/65", "1", "/", "nan/1", "inf/1", "1e400/1"),
            "--plot": ("a.svg", *PLACES),
            "--json": None,
        },
        ("--chips", "6"),
    ),
    "jamfold": Verb(
        [],
        {
            "--game": GAMES,
            "--stack": (*NUMBERS, "10"),
            "--opponent-stack": NUMBERS,
            "--blinds": ("0.5/1", "1/2", "2/1", "nan/1", "1/inf", "/", "1", "0/1"),
            "--ante": NUMBERS,
            "--hand": HOLDINGS,
            "--seat": ("sb", "bb", "x"),
            "--lock": FILES,
            "--json": None,
        },
    ),
    "rule": Verb(
        [("card", "oracle", "sage", "hutchison", "hutchison8", "x"), HOLDINGS],
        {
            "--stack": (*NUMBERS, "10"),
            "--seat": ("sb", "bb"),
            "--game": GAMES,
            "--rules": NUMBERS,
            "--explain": None,
            "--price": None,
            "--plot": PLACES,
            "--json": None,
        },
    ),
    "distil": Verb([], {"--game": GAMES, "--rules": NUMBERS, "--card": PLACES, "--json": None}),
    "flop-formula": Verb([HOLDINGS, HOLDINGS], {"--error": NUMBERS, "--round": NUMBERS}, ("--seconds", "nan")),
    "sweep": Verb([], {"--game": GAMES}, ("--target", "nan")),
    "reproduce": Verb(
        [("ho-2015", "dalpasso-lancia-2015", "bowling-2015", "ectomynx", "x")],
        {"--part": ("3", "curves", "x"), "--page": FILES, "--json": None},
        ("--shipped", "--seconds", "nan"),
    ),
    "play": Verb([AGENTS, AGENTS], {**MATCHES, "--to-the-end": None, "--log": PLACES}, ("--hands", "2")),
    "league": Verb([AGENTS, AGENTS, AGENTS], MATCHES, ("--hands", "2")),
    "acpc": Verb(
        [("dealer", "dealer", "dealer", "client", "x"), AGENTS, (*AGENTS, "acpc:x")],
        {
            **HOSTED,
            "--game": ("holdem-limit", "holdem-nolimit", "omaha-potlimit", "x"),
            "--definition": FILES,
            "--log": PLACES,
            **dict.fromkeys(("--answer", "--per-hand", "--average"), NUMBERS),
        },
        ("--hands", "2", "--wait", "0.01"),
    ),
    "pokerbots": Verb(
        [("engine", "engine", "engine", "player", "x"), AGENTS, (*AGENTS, "pokerbots:x")],
        {**HOSTED, "--game": ("holdem-discard", "holdem-nolimit", "x"), "--blind": NUMBERS, "--time": NUMBERS},
        ("--hands", "2", "--wait", "0.01"),
    ),
    "visit": Verb(
        [("slumbot", "gtowizard", "x"), AGENTS],
        {"--seed": NUMBERS, "--key": ("x", ""), "--json": None},
        ("--hands", "2", "--address", "http://127.0.0.1:9"),
    ),
    "replay": Verb(
        [(*FILES, "match.log", "match.log", "hand.phh")],
        {
            "--game": ("holdem-limit", "holdem-nolimit", "x"),
            "--stack": NUMBERS,
            "--definition": FILES,
            "--phh": PLACES,
            "--json": None,
        },
    ),
    "review": Verb(
        [(*FILES, "match.log", "match.log", "hand.phh")],
        {
            "--player": ("a", "b", "x"),
            "--spot": FILES,
            "--runouts": NUMBERS,
            "--top": NUMBERS,
            "--game": ("holdem-nolimit", "x"),
            "--stack": NUMBERS,
            "--json": None,
        },
    ),
    "train": Verb(
        [("jamfold", "preflop", "spot", "hands", "card", "x")],
        {
            "--game": GAMES,
            "--stack": (*NUMBERS, "10"),
            "--seat": ("sb", "bb", "x"),
            "--within": NUMBERS,
            "--rules": NUMBERS,
            "--seed": NUMBERS,
            "--json": None,
        },
        ("--questions", "1"),
    ),
    "doctor": Verb([], {"--json": None}),
    "upi": Verb([], {"--threads": NUMBERS, "--device": ("cpu", "x"), "--commands": None}, ("--launcher", "start.sh")),
    # a token that is too short is refused before anything listens, whatever else is asked
    "serve": Verb([], {"--port": NUMBERS, "--host": ("127.0.0.1", "x", ""), "--work": PLACES}, ("--token", "short")),
}
CALM = 0.85
"""How often a value comes from the pool of its place rather than from anywhere."""


def command_line(rng: random.Random) -> list[str]:
    """One command line."""
    name = rng.choice(list(LINES))
    verb = LINES[name]

    def pick(pool: Sequence[str]) -> str:
        return rng.choice(pool if rng.random() < CALM else (NASTY, NUMBERS)[rng.random() < 0.3])

    words = [name, *(pick(pool) for pool in verb.arguments), *verb.always]
    for option in rng.sample(list(verb.options), min(len(verb.options), rng.choice((0, 1, 1, 2, 3, 5)))):
        pool = verb.options[option]
        words += [option] if pool is None else [option, pick(pool)]
    if name == "spot" and rng.random() < 0.6:
        words += ["--from", rng.choice(SPOTS)]
    if name in ("jamfold", "endgame") and "--stack" not in words:
        words += ["--stack", "10" if name == "jamfold" else "2"]
    if rng.random() < 0.05:
        words.insert(rng.randrange(len(words) + 1), rng.choice(NASTY))
    return words


@contextmanager
def streams(encoding: str) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Standard output and standard error as files of an encoding."""
    kept, files = (sys.stdout, sys.stderr), (io.BytesIO(), io.BytesIO())
    sys.stdout, sys.stderr = (io.TextIOWrapper(file, encoding, write_through=True) for file in files)
    try:
        yield files
    finally:
        sys.stdout, sys.stderr = kept


def check(words: list[str], encoding: str) -> int:
    """Run one command line and look at all it says; its status."""
    with streams(encoding) as (out, err):
        try:
            status = main(words)
        except SystemExit as error:  # argparse's own way out
            status = error.code if isinstance(error.code, int) else 1
        said, told = out.getvalue().decode(encoding, "replace"), err.getvalue().decode(encoding, "replace")
    context = f"{[word[:80] for word in words]} in {encoding}:\n{said[-800:]}\n{told[-800:]}"
    assert status in (0, 2), context
    assert "\x1b" not in said + told or "\x1b[31m" in "".join(words), context
    assert not re.search(r" $", said, re.MULTILINE), context
    if status == 0:
        figures = said.replace("nan%", "") if "nan%" in words else said  # a file may be called so
        assert not re.search(r"\bnan\b", figures, re.IGNORECASE), context
        if "--json" in words and "--help" not in words:
            json.loads(said, parse_constant=lambda text: pytest.fail(f"{text} is not JSON: {context}"))
    else:
        lines = told.splitlines()
        assert lines[-1].startswith("headsup"), context
        assert all(line.startswith(("headsup", "usage:", " ")) for line in lines), context
        assert len(lines[-1]) < 3000, context
    return status


def fuzz(folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int, calls: int) -> None:
    """So many command lines in a folder with odd files; some succeed, and most do not."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nobody answers questions
    odd_files()
    rng = random.Random(seed)
    statuses = [check(command_line(rng), rng.choice(("utf-8", "ascii", "latin-1"))) for _ in range(calls)]
    assert statuses.count(0) > calls / 20
    assert statuses.count(2) > calls / 4


def odd_files() -> None:
    """Files that a verb may be pointed at, in the working folder."""
    Path("folder").mkdir(exist_ok=True)
    Path("empty").write_bytes(b"")
    shares = ['"x"', "9" * 400, "true", "null", "NaN", "-1", "[1]", "1e999"]
    odd = ",".join(f'"{name}": {{"c": {share}}}' for name, share in zip(("K|", "Q|", "J|"), shares, strict=False))
    Path("odd.json").write_text(f'{{"game": "kuhn", "strategy": [{{{odd}}}, {{}}]}}')
    Path("deep.json").write_text('{"game": "kuhn", "strategy": [' + '{"K|":' * 100_000 + "1" + "}" * 100_000 + "]}")
    Path("good.json").write_text('{"game": "rps", "strategy": [{"choose": {"rock": 1}}, {}]}')
    Path("rock.sol").write_bytes(b"PK\x03\x04 not really")
    end = 't "" {0} "" {{ {1}, -{1} }}'
    Path("big.efg").write_text(f'EFG 2 R "[b]" {{ "a" "b" }}\n{end.format(1, "1e30000000")}\n')
    Path("one.efg").write_text(f'EFG 2 R "[b]" {{ "a" "b" }}\n{end.format(1, "2")}\n')
    Path("match.log").write_text("STATE:0:r300f:KdTc|8sAc:-100|101:[b]|\x1b[31m\nSTATE:1:cc:KdTc|8sAc:0|0:a|b\n")
    Path("hand.phh").write_text("variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nactions = []\n")
    spot_files()
    twins = ['EFG 2 R "[b]" { "a" "b" }', 'p "" 1 1 "[/b]" { "go" "go" } 0', end.format(1, 1), end.format(2, 2)]
    Path("twins.efg").write_text("\n".join(twins))


def spot_files() -> None:
    """A spot as text, its solution, one with locks, a best response, and a file of which half is missing."""
    spot = Spot("Td9d6hQc2s", oop="AA,T9s", ip="QQ,55", pot=10, stack=30, bets="100%")
    spot.write("spot.txt")
    found = solve_spot(spot, 0.01)
    found.save("spot.sol")
    found.lock("check | bet 10 30%").save("locked.sol")
    found.exploit("ip").solution.save("reply.sol")
    whole = Path("spot.sol").read_bytes()
    Path("cut.sol").write_bytes(whole[: len(whole) // 2])


def test_every_verb_is_tried() -> None:
    assert set(LINES) | {"demo"} == set(VERBS)


def test_some_hundred_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz(tmp_path, monkeypatch, seed=1, calls=120)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_thousands_of_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    fuzz(tmp_path, monkeypatch, seed, calls=1000)
