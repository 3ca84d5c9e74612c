"""Solutions are records: a strategy together with where it comes from and how good it is.

A `Solution` is saved as one file, a ZIP archive with

- `solution.json`: `format` ("headsup-solution"), `format_version`, `headsup` (the version that wrote it), `game`,
  `method`, `params`, `iterations`, `seconds`, `value`, `exploitability`, `epsilon`, `seed`, and `history`, a list of
  [iteration, seconds, exploitability];
- `strategy0.npy` and `strategy1.npy`: each player's behaviour strategy, one float64 a sequence in the order of the
  game's sequence form, in NumPy's own array format.

Checkpoints are files of the same kind (`format` "headsup-checkpoint") with the solver's arrays instead. Nothing in
them is code, and they are written to a temporary name first and then moved, so a file is either whole or not there.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from headsup.errors import DataError
from headsup.games.arrays import AnyArray
from headsup.games.forms import sequence_form
from headsup.games.sequence import Profile, SequenceForm
from headsup.version import __version__

FORMAT_VERSION = 1

History = tuple[tuple[int, float, float], ...]  # (iteration, seconds, exploitability)


@dataclass(frozen=True)
class Solution:
    """What a solver found. Values are in the game's chips for each game played; exploitability averages both seats."""

    game: str
    method: str
    params: Mapping[str, Any]
    iterations: int
    seconds: float
    value: float
    exploitability: float
    epsilon: float
    strategy: Profile = field(repr=False)
    history: History = field(default=(), repr=False)
    seed: int = 0
    version: str = __version__
    form: SequenceForm | None = field(default=None, compare=False)
    """What names the numbers of `strategy`; not saved, since the game's name leads to it."""

    def __repr__(self) -> str:
        how = f"{self.method}, {self.iterations:,} iterations" if self.iterations else self.method
        figures = f"value {self.value:+.6g}, exploitability {self.exploitability:.3g}"
        return f"<Solution of {self.game} by {how}: {figures}>"

    def table(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """Both strategies by name: for each player information set -> action -> share; `measure` reads it back."""
        first, second = self._form().seats
        return first.table(self.strategy[0]), second.table(self.strategy[1])

    def marks(self) -> tuple[dict[str, str], dict[str, str]]:
        """For each player, the information sets where the strategies say little, and why: see `Seat.marks`."""
        return self._form().marks(self.strategy)

    def columns(self) -> dict[str, list[Any]]:
        """One row an action of an information set, as columns of equal length, ready for a data frame."""
        rows = [
            (player, name, action, share)
            for player, table in enumerate(self.table())
            for name, row in table.items()
            for action, share in row.items()
        ]
        return {key: [row[i] for row in rows] for i, key in enumerate(("player", "infoset", "action", "share"))}

    def _form(self) -> SequenceForm:
        """The form that the solver had, or that of the game by name."""
        form = self.form if self.form is not None else sequence_form(self.game)
        if any(len(one) != seat.n_sequences for one, seat in zip(self.strategy, form.seats, strict=True)):
            raise DataError(f"this solution is not one of the game that is called {self.game} now: solve it again")
        return form

    def summary(self) -> dict[str, Any]:
        """The record without its strategy, as plain JSON values."""
        names = (
            "game",
            "method",
            "params",
            "iterations",
            "seconds",
            "value",
            "exploitability",
            "epsilon",
            "seed",
            "version",
        )
        return {name: plain(getattr(self, name)) for name in names}

    def save(self, path: str | Path) -> None:
        """Write the record to a file."""
        meta = {**self.summary(), "history": [list(point) for point in self.history]}
        meta["headsup"] = meta.pop("version")
        save_record(path, "headsup-solution", meta, {"strategy0": self.strategy[0], "strategy1": self.strategy[1]})

    @classmethod
    def load(cls, path: str | Path) -> Solution:
        """Read a record back."""
        meta, arrays = load_record(path, "headsup-solution")
        try:
            return cls(
                game=meta["game"],
                method=meta["method"],
                params={key: _back(value) for key, value in meta["params"].items()},
                iterations=int(meta["iterations"]),
                seconds=float(meta["seconds"]),
                value=float(meta["value"]),
                exploitability=float(meta["exploitability"]),
                epsilon=float(meta["epsilon"]),
                strategy=(arrays["strategy0"], arrays["strategy1"]),
                history=tuple((int(t), float(s), float(x)) for t, s, x in meta["history"]),
                seed=int(meta["seed"]),
                version=str(meta["headsup"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"'{path}' lacks a part of a solution ({error}): solve the game again") from None


def plain(value: Any) -> Any:
    """A value for JSON, which has no infinity and no functions: those are written as text."""
    if callable(value):
        return getattr(value, "__name__", str(value))
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def _back(value: Any) -> Any:
    return float(value) if value in ("inf", "-inf", "nan") else value


def save_record(path: str | Path, kind: str, meta: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
    """Write meta data and arrays to one file, atomically."""
    path = Path(path)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    head = {"format": kind, "format_version": FORMAT_VERSION, **meta}
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("solution.json", json.dumps(head, indent=1, allow_nan=False) + "\n")
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as out:
                    np.lib.format.write_array(out, np.ascontiguousarray(array), allow_pickle=False)
        os.replace(partial, path)
    except OSError as error:
        raise DataError(f"cannot write '{path}': {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)


def load_record(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Read what `save_record` wrote, or say in one sentence what is wrong with the file."""
    try:
        with zipfile.ZipFile(path) as archive:
            meta = json.loads(archive.read("solution.json"))
            arrays = {}
            for name in archive.namelist():
                if name.endswith(".npy"):
                    arrays[name[:-4]] = np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)
    except FileNotFoundError:
        raise DataError(f"there is no file '{path}'") from None
    except OSError as error:
        raise DataError(f"cannot read '{path}': {error.strerror}") from None
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise DataError(f"'{path}' is not a {kind} file, or it is damaged ({error})") from None
    if not isinstance(meta, dict) or meta.get("format") != kind:
        raise DataError(f"'{path}' is not a {kind} file")
    if meta.get("format_version") != FORMAT_VERSION:
        found = meta.get("format_version")
        raise DataError(f"'{path}' has format version {found}, this headsup reads {FORMAT_VERSION}: solve again")
    return meta, arrays
