"""Files whose checksum is right and whose content cannot be: whatever reads them says so in one sentence.

Every kind of file that headsup writes and reads again is taken whole, its content is damaged, it is sealed again as it
should be, and every verb that reads it is run.
"""

from __future__ import annotations

import json
import lzma
import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import headsup
from headsup.cli import main
from headsup.common.archives import read_archive, read_arrays, write_archive, write_arrays
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import DataError
from headsup.common.files import json_text

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="small games are solved, which takes minutes without kernels")

SMALL = "holdem-limit:ranks=3,suits=3,streets=2"
SPOT = "--board KsTh5s2d7c --oop AA,KK,QJs --ip QQ,JJ,AKs --pot 100 --stack 200 --bets 50%"

NUMBER = (float("nan"), float("inf"), -float("inf"), "x", None, [], True)
COUNT = (*NUMBER, -1, 1.5)
POSITIVE = (*NUMBER, -1.0)
TEXT = (1, None, [], {"a": 1})
LIST = (1, "x", None, {"a": 1}, [["x"]], [float("nan")])
HISTORY = (1, "x", None, [1], [[1, 2]], [[1, 2.0, float("nan")]], [[-1, 2.0, 1.0]], [["a", "b", "c"]])
GONE = object()


def spoil(array: np.ndarray, signed: bool) -> Iterator[np.ndarray]:
    """Arrays that no strategy is, or no regrets, which may be below 0."""
    if array.ndim:
        yield array[:-1]
    yield array.reshape(1, -1)
    yield array.astype("U3")
    yield array.astype(np.complex128)
    if array.dtype.kind == "f":
        for odd in (np.nan, np.inf, *(() if signed else (-1.0,))):
            other = array.copy()
            other.flat[other.size // 2] = odd
            yield other


class Kind(NamedTuple):
    """A file: how it is made (or which one that ships), the verbs that read it, and what is impossible in it."""

    make: str
    file: str
    verbs: tuple[str, ...]
    head: dict[str, tuple[Any, ...]]
    arrays: tuple[str, ...] = ()


RECORD = {
    "game": TEXT,
    "method": TEXT,
    "params": (1, "x", None, []),
    "iterations": COUNT,
    "seconds": POSITIVE,
    "value": NUMBER,
    "exploitability": POSITIVE,
    "epsilon": POSITIVE,
    "best": (*LIST, [1.0]),
    "history": HISTORY,
    "seed": COUNT,
    "headsup": TEXT,
    "format_version": (7, None, "x"),
}
STRATEGY = ("strategy0", "strategy1")
LOOKS = (
    "look {}",
    "compare {} {}",
    "exploit {}",
    "measure {}",
    "spot --from {} --iterations 1",
    "train {} --questions 1",
    "play spot:{} random --hands 2",
    "review {log} --spot {}",
)

KINDS = {
    "solution": Kind(
        "solve kuhn --iterations 5 --save {}",
        "a.sol",
        ("measure {}", "play solution:{} random --game kuhn --hands 2"),
        RECORD,
        STRATEGY,
    ),
    "arrays": Kind(
        "solve jamfold:stack=4 --iterations 2 --save {}",
        "b.sol",
        ("measure {}", "measure {} --strategies"),
        RECORD,
        STRATEGY,
    ),
    "buckets": Kind(
        f"solve {SMALL} --iterations 2 --buckets none --save {{}}",
        "c.sol",
        ("measure {}",),
        RECORD | {"buckets": (1, "x", [])},
        STRATEGY,
    ),
    "spot": Kind(
        f"spot {SPOT} --iterations 2 --save {{}}", "d.sol", LOOKS, RECORD | {"source": (1, "x", None, [])}, STRATEGY
    ),
    "regrets": Kind(
        f"spot {SPOT} --iterations 2 --save {{}}",
        "i.sol",
        ("spot --from {} --iterations 1",),
        {},
        ("regret0", "regret_scale0"),
    ),
    "locked": Kind(
        f"spot {SPOT} --iterations 2 --lock AA:check --save {{}}",
        "e.sol",
        LOOKS,
        {"locks": LIST, "exploitability_locked": POSITIVE},
        ("locked0", "share0"),
    ),
    "preflop": Kind(
        "preflop --stack 4 --bets a --no-limp --iterations 2 --save {}",
        "f.sol",
        ("preflop {}", "measure {}"),
        RECORD,
        STRATEGY,
    ),
    "checkpoint": Kind(
        "solve kuhn --iterations 5 --checkpoint {}",
        "g.ckpt",
        ("solve kuhn --iterations 9 --checkpoint {}",),
        {"iterations": COUNT, "seconds": POSITIVE, "history": HISTORY, "game": TEXT, "method": TEXT},
        ("*",),
    ),
    "aggrobot": Kind(
        "papers/andersson2006/bot/data/aggrobot-15.headsup",
        "j.bot",
        ("play aggrobot:{} random --game holdem-nolimit --stack 15 --hands 2",),
        {"stack": COUNT, "menu": TEXT, "buckets": TEXT, "made": (1, "x", None, [])},
        ("*",),
    ),
    "nolimit": Kind(
        "nolimit/data/nolimit-15.headsup",
        "k.sol",
        ("play nolimit:{},blueprint random --game holdem-nolimit --stack 15 --hands 2",),
        {"exploitability": POSITIVE, "buckets": (1, "x", [])},
        STRATEGY,
    ),
    "strategy": Kind(
        "solve kuhn --iterations 5 --json",
        "h.json",
        ("measure {}",),
        {"game": TEXT, "strategy": (*LIST, [{}, {}, {}], [{"1": 2}, {}])},
    ),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of every kind, as headsup writes it."""
    return tmp_path_factory.mktemp("made")


def whole(kind: str, made: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The valid file of a kind."""
    about, path = KINDS[kind], made / KINDS[kind].file
    log = made / "log"
    if not log.exists():
        assert main(["play", "allin", "folder", "--hands", "2", "--log", str(log)]) == 0  # no flop: soon reviewed
    if "/" in about.make:
        shutil.copy(Path(headsup.__file__).parent / about.make, path)
    elif not path.exists():
        capsys.readouterr()
        assert main([word.format(path) for word in about.make.split()]) == 0
        printed = capsys.readouterr().out
        if "--json" in about.make:
            path.write_text(json_text(json.loads(printed)))
    return path


def forged(kind: str, path: Path, to: Path) -> Iterator[str]:
    """Write one damaged and sealed file after another; what is wrong with it."""
    about = KINDS[kind]
    if path.suffix == ".json":
        given = json.loads(path.read_text())
        given.pop("checksum")
        for key, told in _heads(given, about.head):
            to.write_text(_sealed(told))
            yield key
        return
    members, _ = read_archive(path)
    head = next(name for name in members if name.endswith(".json"))
    given = json.loads(bytes(members[head]))
    for key, told in _heads(given, about.head):
        write_archive(to, members | {head: json.dumps(told).encode()})
        yield key
    names = [name for name in members if name.endswith(".npy")]
    for name in names if about.arrays == ("*",) else [f"{name}.npy" for name in about.arrays]:
        if not name.startswith("table"):  # a bot may be without it
            write_archive(to, {key: one for key, one in members.items() if key != name})
            yield f"no {name}"
        for other in spoil(np.asarray(members[name]), kind in ("checkpoint", "regrets")):
            write_archive(to, members | {name: other})
            yield f"{name} {other.dtype}{other.shape} {other.ravel()[other.size // 2 :][:1]}"


def _sealed(told: dict[str, Any]) -> str:
    """As `json_text`, which refuses to write what JSON does not have."""
    from hashlib import sha256

    checksum = sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
    return json.dumps({**told, "checksum": checksum})


def _heads(given: dict[str, Any], wrong: dict[str, tuple[Any, ...]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, values in wrong.items():
        for value in (GONE, *values):
            told = {name: one for name, one in given.items() if name != key}
            if value is not GONE:
                told[key] = value
            if value is GONE and key in ("source", "locks", "buckets", "best"):
                continue  # a file may be without it
            yield f"{key}: {'gone' if value is GONE else value!r}", told


def refused(words: str, path: Path, why: str, capsys: pytest.CaptureFixture[str], log: Path | None = None) -> None:
    """Run a verb: one sentence, status 1 or 2."""
    try:
        status = main([word.format(path, log=log) for word in words.split()])
    except SystemExit as ended:
        status = int(ended.code or 0)
    except Exception as error:
        pytest.fail(f"{words}, {why}: {type(error).__name__}: {error}")
    said = capsys.readouterr()
    lines = [line for line in said.err.splitlines() if " of memory" not in line and "compiling" not in line]
    assert status in (1, 2), f"{words}, {why}: {said}"
    assert len(lines) == 1, f"{words}, {why}: {said}"
    assert path.name in lines[0], f"{words}, {why}: {said}"


@pytest.mark.parametrize("each", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", KINDS)
def test_impossible_content_is_one_sentence(kind: str, each: bool, made: Path, tmp_path: Path, capsys) -> None:
    """The verbs read a file in the same way, so they take turns; with `each`, all of them read every file."""
    path, verbs = whole(kind, made, capsys), KINDS[kind].verbs
    to = tmp_path / path.name
    for at, why in enumerate(forged(kind, path, to)):
        for words in verbs if each else [verbs[at % len(verbs)]]:
            refused(words, to, why, capsys, made / "log")


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_not_damaged_is_read(kind: str, made: Path, tmp_path: Path, capsys) -> None:
    path = whole(kind, made, capsys)
    to = tmp_path / path.name
    shutil.copy(path, to)
    for words in KINDS[kind].verbs:
        if not words.startswith("train"):  # which waits for an answer
            assert main([word.format(to, log=made / "log") for word in words.split()]) == 0, words


SESSION = {
    "hands": COUNT,
    "plain": (*LIST, [], [float("inf"), 1.0], [True]),
    "faults": (1, "x", None, [1]),
    "lines": (1, "x", None, [1]),
}
FLOP = {
    "value_oop": NUMBER,
    "exploitability_pot": NUMBER,
    "comes": NUMBER,
    "frequencies": (1, None, [], [2.0, -1.0], ["x"]),
    "actions": TEXT,
    "equity": ("x", float("nan"), []),
}
FOLDERS = {
    "session": (
        "play caller random --game holdem-limit --hands 20 --seed 3 --work {} --json",
        "session-000000.json",
        SESSION,
    ),
    "league": (
        "league caller random --game holdem-limit --hands 20 --seed 3 --work {} --json",
        "session-000000.json",
        SESSION,
    ),
    "report": (
        "report --oop AA,KK --ip QQ,JJ --pot 100 --stack 100 --bets 50% --flops {flops} --iterations 2 --jobs 1 "
        "--work {} --json",
        "KsTh5s.json",
        FLOP,
    ),
}


@pytest.mark.parametrize("kind", ["session", "league", pytest.param("report", marks=pytest.mark.long)])
def test_impossible_work_of_a_job_is_done_again(kind: str, tmp_path: Path, capsys) -> None:
    words, name, wrong = FOLDERS[kind]
    (tmp_path / "flops.txt").write_text("KsTh5s\n")
    home = tmp_path / "home"
    asked = [word.format(home, flops=tmp_path / "flops.txt") for word in words.split()]
    assert main(asked) == 0
    right = capsys.readouterr().out
    (path,) = home.rglob(name)
    given = json.loads(path.read_text())
    given.pop("checksum")
    for why, told in _heads(given, wrong):
        path.write_text(_sealed(told))
        assert main(asked) == 0, why
        assert capsys.readouterr().out == right, why


def test_buckets_that_cannot_be_are_one_sentence(tmp_path: Path, capsys) -> None:
    from headsup.abstraction.hands.named import read_buckets, save_buckets
    from headsup.games.catalogue.names import game
    from headsup.solve.records.solution import vector_game

    played, path = vector_game(game(SMALL)), tmp_path / "some.buckets"
    save_buckets(path, played, read_buckets("none", played))
    members, _ = read_archive(path)
    names = [name for name in members if name.endswith(".npy")]
    for name in names:
        for other in spoil(np.asarray(members[name]).astype(np.float64), signed=False):
            write_archive(path, members | {name: other})
            refused(f"solve {SMALL} --iterations 1 --buckets {{}}", path, name, capsys)


def _squeezed(array: np.ndarray) -> bytes:
    return lzma.compress(array.tobytes())


def test_a_strategy_with_discards_that_cannot_be_is_one_sentence(tmp_path: Path, capsys) -> None:
    from headsup.discards.strategy.data import PART, PATH

    members, path = dict(read_archive(PATH)[0]), tmp_path / "some.npz"
    places, shares = f"{PART}-places.xz", f"{PART}-shares.xz"
    far = _squeezed(np.array([1, 1 << 31], dtype="<u4"))
    wrong = {
        "no places": {places: None},
        "no shares": {shares: None},
        "not squeezed": {shares: b"x"},
        "an array": {places: None, f"{places}.npy": np.zeros(3)},
        "too few": {shares: _squeezed(np.ones(7, dtype="u1"))},
        "half a number": {places: _squeezed(np.ones(7, dtype="u1"))},
        "far away": {places: far, shares: _squeezed(np.ones(8, dtype="u1"))},
    }
    for why, parts in wrong.items():
        write_archive(path, {name: one for name, one in (members | parts).items() if one is not None})
        refused("play discard:{} random --game holdem-discard --hands 2", path, why, capsys)


PLANS = (f"{plan}_{seat}" for plan in ("chip", "match", "free") for seat in ("button", "big"))
ENDGAME = ("value", "low", "high", "hands_left", *PLANS)


@pytest.mark.parametrize("stage", ["jamfold", pytest.param("endgame", marks=pytest.mark.long)])
def test_archives_of_equilibria_that_cannot_be_are_one_sentence(stage: str, tmp_path: Path) -> None:
    shipped, path = import_module(f"headsup.{stage}.shipped"), tmp_path / "some.npz"
    arrays = read_arrays(shipped.data_path("holdem"), shipped.VERSION)
    assert arrays is not None

    def read() -> None:
        found = shipped.read(path)
        if stage == "jamfold":
            assert found.ev_jam.shape == found.ev_call.shape

    write_arrays(path, shipped.VERSION, arrays)
    read()
    figures = ("value_sb", "ev_step", "about", "0-gain", *(f"0-{name}" for name in ENDGAME))
    for name in [one for one in arrays if "-" not in one or one.startswith("0-")]:
        if name not in (f"0-{one}" for one in ENDGAME[3:]):  # a file may be without it
            write_arrays(path, shipped.VERSION, {key: one for key, one in arrays.items() if key != name})
            with pytest.raises(DataError, match=path.name):
                read()
        for other in spoil(arrays[name], signed=name in figures):
            same = other.dtype == arrays[name].dtype
            if same and (name in ("game", "about") or np.array_equal(other, arrays[name])):
                continue  # it may be of another game, or of fewer ones
            write_arrays(path, shipped.VERSION, arrays | {name: other})
            with pytest.raises(DataError, match=path.name):
                print(name, other.dtype, other.shape, read())
