"""The jam/fold equilibria that ship with headsup: one file for each game, made by `headsup sweep`.

For each stack of `STACKS`, blinds 1:2 without an ante, a file has both strategies without loss, the expected value of
every hand, rounded to a thousandth of a big blind (hold'em: to a millionth), the value and its certificate. Each hand's
pure frequencies are stored as changes from stack to stack, mixed ones as a list; expected values as second differences
along the stacks, in blocks of classes, so that one hand can be read without the others.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.games import check_game
from headsup.common import contents
from headsup.common.archives import Arrays, read_arrays, write_arrays
from headsup.common.arrays import Floats
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed
from headsup.games.betting.stakes import PLAYS, Stakes
from headsup.jamfold.hands import Equilibrium

VERSION = 3
BLOCK = 1024  # classes whose expected values are compressed together
EV_STEPS = {"holdem": 1e-6, "omaha": 1e-3, "omaha8": 1e-3}  # expected values are rounded to this, in big blinds
STACKS: Floats = np.concatenate([np.arange(4, 121) / 8, np.arange(31, 101) / 2])
"""0.5 to 15 in steps of 0.125, then to 50 in steps of 0.5: 187 stacks, in big blinds."""
DEEP_STACKS: Floats = np.arange(55.0, 101.0, 5.0)
"""Stacks of a second file for each Omaha game: strategies for `transferred`, no part of the sweep."""
SAME = 1e-9  # stacks closer than this, in big blinds, are the same
_SINGLE = ("value_sb", "exploitability_mbb", "jam_frequency", "call_frequency")


@dataclass(frozen=True, eq=False)
class Sweep:
    """Equilibria of one game along the stacks; the arrays have one row a stack and one column a hand class."""

    game: str
    stacks: Floats
    jam: Floats
    call: Floats
    ev: Mapping[str, Floats]
    """Of `jam` and `call`, in big blinds, a call given a jam; folding is worth -0.5 and -1 (or minus the stack)."""
    value_sb: Floats
    exploitability_mbb: Floats
    jam_frequency: Floats
    call_frequency: Floats
    iterations: npt.NDArray[np.int32]

    def __repr__(self) -> str:
        first, last = self.stacks[[0, -1]]
        return (
            f"<Sweep of {self.game}: {len(self.stacks)} stacks from {first:g} to {last:g} bb, {self.classes:,} classes>"
        )

    @property
    def classes(self) -> int:
        return int(self.jam.shape[1])

    @property
    def ev_jam(self) -> Floats:
        return self.ev["jam"]

    @property
    def ev_call(self) -> Floats:
        """The expected value of a call, given a jam."""
        return self.ev["call"]

    @property
    def pure(self) -> npt.NDArray[np.bool_]:
        """For each stack, whether no hand mixes."""
        return np.asarray(((self.jam % 1) == 0).all(axis=1) & ((self.call % 1) == 0).all(axis=1))

    def nearest_index(self, stack: float) -> int:
        return int(np.abs(self.stacks - stack).argmin())

    def nearest_pair(self, stack: float) -> tuple[Floats, Floats]:
        """(jam, call) of the closest stack."""
        at = self.nearest_index(stack)
        return self.jam[at], self.call[at]

    def has(self, stack: float) -> bool:
        return bool(np.abs(self.stacks - stack).min() < SAME)

    def at(self, stack: float) -> int:
        if not self.has(stack):
            raise UserError(f"{stack:g} big blinds is not a stack of the shipped sweep: they go by eighths up to 15")
        return self.nearest_index(stack)

    def equilibrium(self, at: int) -> Equilibrium:
        single = {name: float(getattr(self, name)[at]) for name in _SINGLE}
        return Equilibrium(self.jam[at], self.call[at], self.ev_jam[at], self.ev_call[at], **single)

    def played(self, seat: str) -> Floats:
        return self.jam if seat == "sb" else self.call


class Played(NamedTuple):
    """The stacks at which one hand is played."""

    at: list[tuple[float, float]]  # intervals of stacks, (first, last), at which it is played at least half of the time
    mixed: list[tuple[float, float]]  # stacks at which it mixes, each with its frequency
    among: tuple[float, float]  # the first and the last stack that ships


def changes(stacks: Floats, frequencies: Floats) -> list[tuple[float, float]]:
    """The intervals of stacks (first, last) at which a hand is played at least half of the time."""
    plays = np.concatenate([[False], frequencies >= 0.5, [False]])
    edges = np.flatnonzero(plays[1:] != plays[:-1])
    return [(float(stacks[first]), float(stacks[last - 1])) for first, last in edges.reshape(-1, 2)]


def stacks_played(game: str, stakes: Stakes, seat: str, hand: int) -> Played | None:
    """Where along the shipped stacks a hand is played and mixed; None for blinds that the sweep does not have."""
    if not stakes.standard or not has_shipped(game):
        return None
    parts = [_packed(game), *([_packed(game, deep=True)] if data_path(game, deep=True).exists() else ())]
    stacks = np.concatenate([arrays["stacks"] for arrays in parts])
    played = np.concatenate([_frequencies(arrays, PLAYS[seat], slice(hand, hand + 1))[:, 0] for arrays in parts])
    mixed = [pair for pair in zip(stacks.tolist(), played.tolist(), strict=True) if 0 < pair[1] < 1]
    return Played(changes(stacks, played), mixed, (float(stacks[0]), float(stacks[-1])))


def write(path: Path, sweep: Sweep) -> None:
    n, classes = sweep.jam.shape
    arrays: Arrays = {name: getattr(sweep, name) for name in ("stacks", *_SINGLE, "iterations")}
    arrays["shape"] = np.array([n, classes])
    arrays["ev_step"] = np.array(EV_STEPS[sweep.game])
    arrays["game"] = np.frombuffer(sweep.game.encode(), dtype=np.uint8)
    for name in ("jam", "call"):
        frequencies = getattr(sweep, name)
        at = np.argwhere((frequencies % 1) != 0)
        arrays[f"{name}_mixed_at"] = at.astype(np.uint16)
        arrays[f"{name}_mixed"] = frequencies[tuple(at.T)]
        arrays[f"{name}_bits"] = _squeeze(np.packbits(_turned(frequencies == 1).T, axis=None))
        values = np.rint(getattr(sweep, f"ev_{name}") / EV_STEPS[sweep.game]).astype(np.int64)
        seconds = np.diff(values, n=2, axis=0, prepend=np.zeros((2, classes), np.int64))
        blocks = [_squeeze_integers(seconds[:, first : first + BLOCK]) for first in range(0, classes, BLOCK)]
        arrays[f"ev_{name}"] = np.concatenate(blocks)
        arrays[f"ev_{name}_ends"] = np.cumsum([len(block) for block in blocks])
    path.parent.mkdir(parents=True, exist_ok=True)
    write_arrays(path, VERSION, arrays)


_WHAT = "a file of jam/fold equilibria"


def read(path: Path) -> Sweep:
    """Read a file; its version and checksum are checked."""
    arrays = _arrays(path)
    return parsed(path, lambda: _unpacked(path, arrays), _WHAT)


def _unpacked(path: Path, arrays: Arrays) -> Sweep:
    columns: dict[str, Any] = {}
    for name in ("jam", "call"):
        columns[name] = contents.chances(_frequencies(arrays, name, slice(None)), f"the list of {name}s", 2)
    for name in ("stacks", *_SINGLE, "iterations"):
        columns[name] = contents.array(arrays[name], f"the list of {name}", "iu" if name == "iterations" else "f")
        if len(columns[name]) != len(columns["jam"]):
            raise ValueError(f"the list of {name} is not as long as there are stacks")
    if not (np.diff(columns["stacks"], prepend=0.0) > 0.0).all():
        raise ValueError("the stacks do not ascend from above 0")
    for name in ("jam_frequency", "call_frequency"):
        contents.chances(columns[name], f"the list of {name}")
    contents.exploitability(float(columns["exploitability_mbb"].min()))
    for array in columns.values():
        array.setflags(write=False)
    game = contents.array(arrays["game"], "the game", "u").tobytes().decode()
    return Sweep(game=game, ev=_Packed(path, arrays), **columns)


class _Packed(dict[str, Floats]):
    """Expected values, unpacked on first use: they are most of a file."""

    def __init__(self, path: Path, arrays: Arrays) -> None:
        self.path, self.arrays = path, arrays

    def __missing__(self, name: str) -> Floats:
        self[name] = values = parsed(self.path, lambda: _values(self.arrays, name, slice(None)), _WHAT)
        values.setflags(write=False)
        return values


def _arrays(path: Path) -> Arrays:
    arrays = read_arrays(path, VERSION)
    if arrays is None:
        raise DataError(
            f"{path.name} is missing, damaged or of another version: make it again with  headsup sweep --save {path}"
        )
    return arrays


def _frequencies(arrays: Arrays, name: str, of: slice) -> Floats:
    """float64[stacks, classes]: the frequencies of some of the classes."""
    n, classes = contents.weights(arrays["shape"], "the shape", "iu").tolist()
    first, last, _ = of.indices(classes)
    start = first * n // 8  # the byte in which the bits of the first class begin
    packed = contents.array(arrays[f"{name}_bits"], "the list of played hands", "u")
    whole = np.unpackbits(_unsqueeze(packed)[start:], count=last * n - 8 * start)
    bits = whole[first * n - 8 * start :].reshape(-1, n).T
    played: Floats = np.bitwise_xor.accumulate(bits, axis=0).astype(np.float64)
    at = contents.weights(arrays[f"{name}_mixed_at"], "the places of mixed hands", "iu", 2).astype(np.intp)
    mixed = contents.chances(arrays[f"{name}_mixed"], "the list of mixed hands")
    here = (first <= at[:, 1]) & (at[:, 1] < last)
    played[at[here, 0], at[here, 1] - first] = mixed[here]
    return played


def _values(arrays: Arrays, name: str, of: slice) -> Floats:
    """float64[stacks, classes]: the expected values of some of the classes."""
    n, classes = contents.weights(arrays["shape"], "the shape", "iu").tolist()
    first, last, _ = of.indices(classes)
    wanted = slice(first // BLOCK, -(-last // BLOCK))
    ends = arrays[f"ev_{name}_ends"]
    packed = contents.array(arrays[f"ev_{name}"], "the list of values", "u")
    blocks = [packed[begin:end] for begin, end in pairwise([0, *ends])][wanted]
    seconds = np.concatenate([_unsqueeze_integers(block).reshape(n, -1) for block in blocks], axis=1)
    skipped = wanted.start * BLOCK
    here = seconds[:, first - skipped : last - skipped]
    if here.shape != (n, last - first):
        raise ValueError("the values are not those of all hands")
    step = float(contents.array(arrays["ev_step"], "the step of values", "f", 0))
    return np.asarray(here.cumsum(axis=0, dtype=np.int32).cumsum(axis=0, dtype=np.int32) * step)


class HandSweep(NamedTuple):
    """One hand class in one seat along the shipped stacks."""

    stacks: Floats
    played: Floats  # its frequency in equilibrium
    gain: Floats  # of playing over folding, in big blinds, against the equilibrium; from the big blind given a jam


def shipped_hand(game: str, seat: str, hand: int) -> HandSweep:
    """One hand of the shipped sweep, without unpacking the others."""
    arrays, name = _packed(game), PLAYS[seat]
    played, values = (decode(arrays, name, slice(hand, hand + 1))[:, 0] for decode in (_frequencies, _values))
    payoffs = (Stakes.of(float(stack)).payoffs for stack in arrays["stacks"])
    lost = np.array([posted.small if seat == "sb" else posted.big for posted in payoffs])
    return HandSweep(arrays["stacks"], played, values + lost)


def shipped_equilibrium(game: str, stack: float, hand: int | None = None) -> Equilibrium | None:
    """The shipped equilibrium of a stack, or None; with a hand class only this hand is unpacked, and others are nan."""
    if hand is None:
        sweep = shipped(game)
        return sweep.equilibrium(sweep.nearest_index(stack)) if sweep.has(stack) else None
    arrays = _packed(game)
    distance = np.abs(arrays["stacks"] - stack)
    at = int(distance.argmin())
    if distance[at] >= SAME:
        return None
    columns: dict[str, Any] = {name: float(arrays[name][at]) for name in _SINGLE}
    for name in PLAYS.values():
        for column, decode in ((name, _frequencies), (f"ev_{name}", _values)):
            columns[column] = np.full(int(arrays["shape"][1]), np.nan)
            columns[column][hand] = decode(arrays, name, slice(hand, hand + 1))[at, 0]
    return Equilibrium(**columns)


def data_path(game: str, deep: bool = False) -> Path:
    return Path(__file__).parent / "data" / f"jamfold-{check_game(game)}{'-deep' * deep}.npz"


@cache
def _packed(game: str, deep: bool = False) -> Arrays:
    """The arrays of a shipped file, read once: a server reads many single hands."""
    return _arrays(data_path(game, deep) if deep else _there(game))


@cache
def shipped(game: str) -> Sweep:
    """The sweep of a game that ships with the package."""
    return read(_there(game))


@cache
def with_deep(game: str) -> Sweep:
    """The shipped sweep, and the deeper stacks where they ship."""
    near, path = shipped(game), data_path(game, deep=True)
    if not path.exists():
        return near
    deep = read(path)
    columns = ("stacks", "jam", "call", *_SINGLE, "iterations")
    joined = {name: np.concatenate([getattr(near, name), getattr(deep, name)]) for name in columns}
    ev = {name: np.concatenate([near.ev[name], deep.ev[name]]) for name in PLAYS.values()}
    return Sweep(game=game, ev=ev, **joined)


def _there(game: str) -> Path:
    path = data_path(game)
    if not path.exists():
        raise UserError(
            f"no {game} equilibria came with this headsup: make them with  headsup sweep --game {game} --save {path}"
        )
    return path


def has_shipped(game: str) -> bool:
    """Whether the sweep of a game ships with the package."""
    return data_path(game).exists()


def _turned(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """True where a bit differs from the stack before (the first from 0)."""
    return np.concatenate([bits[:1], bits[1:] != bits[:-1]])


def _squeeze(array: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(zlib.compress(array.tobytes(), 9), dtype=np.uint8)


def _unsqueeze(array: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(zlib.decompress(array.tobytes()), dtype=np.uint8)


def _squeeze_integers(values: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """One byte each for -127..127; the few larger ones are marked -128 and follow in a list of their own."""
    large = np.abs(values) > 127
    small = np.where(large, -128, values).astype(np.int8)
    body = _squeeze(small.reshape(-1).view(np.uint8))
    rest = _squeeze(values[large].astype("<i4").view(np.uint8))
    return np.concatenate([np.array([len(body)], dtype="<u4").view(np.uint8), body, rest])


def _unsqueeze_integers(stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    length = int(stored[:4].copy().view("<u4")[0])
    values = _unsqueeze(stored[4 : 4 + length]).view(np.int8).astype(np.int32)
    values[values == -128] = _unsqueeze(stored[4 + length :]).view("<i4")
    return values
