"""The exact table of all Omaha matchups before the flop: every hand class against every hand class.

For each ordered pair of the 16,432 classes it has how many hands of the column's class one hand of the row's class can
meet, and how many quarter-pots it wins from all of them over all boards. `headsup tabulate omaha8` writes it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.checks import as_path, as_text, door, whole
from headsup.common.errors import DataError, UserError
from headsup.equity.omaha.matchups.store import Manifest, array_specs, damaged_blocks, read_manifest, wrong_sizes

OUTCOMES = {"omaha8": ("scoop", "three_quarter", "half", "quarter", "lose"), "omaha": ("win", "tie", "lose")}
GAMES = tuple(OUTCOMES)

TABLE_COST = "about ten minutes on two cores, 3.7 GB of disk"
"""What it takes to make the table, for every message that asks for it."""

__all__ = ["GAMES", "OUTCOMES", "TABLE_COST", "Matchups", "Pair", "default_folder", "load"]


@dataclass(frozen=True)
class Pair:
    """One hand of a class against all hands of another class that it can meet."""

    row: int
    column: int
    number: int  # hands of the column's class that one hand of the row's class can meet
    quarters: int  # quarter-pots that it wins from all of them, over all boards
    boards: int
    outcomes: Mapping[str, int] | None  # boards by outcome, if the table was built with all outcomes

    @property
    def equity(self) -> Fraction:
        if not self.number:
            raise UserError(
                "these two hand classes never meet: every hand of one shares a card with every hand of the other"
            )
        return Fraction(self.quarters, 4 * self.boards * self.number)


class Matchups:
    """The table of one game, mapped from its files."""

    def __init__(self, game: str, folder: Path, manifest: Manifest) -> None:
        from headsup.cards.classes import omaha_class_sizes

        self.game, self.folder, self.manifest = game, folder, manifest
        self.ranks, self.classes, self.boards = manifest.ranks, manifest.classes, manifest.boards
        arrays = {spec.name: spec.open(folder) for spec in array_specs(manifest.plan)}
        self.quarters: npt.NDArray[np.uint32] = arrays[game]
        """[classes, classes]: quarter-pots that one hand of the row wins from all hands of the column."""
        self.number: npt.NDArray[np.uint8] = arrays["number"]
        """[classes, classes]: hands of the column's class that one hand of the row's class can meet."""
        self.outcomes: npt.NDArray[np.uint32] | None = arrays.get("outcomes8" if game == "omaha8" else "outcomes")
        """[classes, classes, 5 or 3]: boards by outcome, or None."""
        self.sizes: npt.NDArray[np.int64] = omaha_class_sizes()[: self.classes]
        """[classes]: how many hands each class has."""

    def __repr__(self) -> str:
        return (
            f"<Matchups of {self.game}: {self.classes:,} x {self.classes:,} hand classes, {self.boards:,} boards each>"
        )

    @property
    def labels(self) -> tuple[str, ...]:
        from headsup.cards.classes import omaha_class_name

        return tuple(map(omaha_class_name, range(self.classes)))

    def row_blocks(self, rows: int = 256) -> Iterator[slice]:
        """Slices of at most `rows` rows, for work that should not copy the whole table."""
        for start in range(0, self.classes, rows):
            yield slice(start, min(start + rows, self.classes))

    def equity(self, rows: slice = slice(None), dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        won = self.winnings(rows, dtype)
        number = self.number[rows]
        np.divide(won, number, out=won, where=number > 0)
        return won

    def winnings(self, rows: slice = slice(None), dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """Equity times frequency of some rows: pots won from all hands of each class."""
        won: npt.NDArray[Any] = np.multiply(self.quarters[rows], 1 / (4 * self.boards), dtype=np.float64)
        return won.astype(dtype, copy=False)

    def frequency(self, rows: slice = slice(None), dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """How many hands of each class a hand of these rows can meet; each row adds up to C(48, 4) in a full deck."""
        return self.number[rows].astype(dtype)

    def pair(self, row: int, column: int) -> Pair:
        for hand_class in (row, column):
            if not 0 <= hand_class < self.classes:
                raise UserError(
                    f"{hand_class} is not a hand class of this table: they run from 0 to {self.classes - 1}"
                )
        outcomes = None
        if self.outcomes is not None:
            outcomes = dict(zip(OUTCOMES[self.game], self.outcomes[row, column].tolist(), strict=True))
        number, quarters = int(self.number[row, column]), int(self.quarters[row, column])
        return Pair(row, column, number, quarters, self.boards, outcomes)

    def verify_checksums(self) -> None:
        """Read everything and compare it with the manifest; one sentence if a block is not what it was."""
        damaged = damaged_blocks(self.folder, self.manifest)
        if damaged:
            where = ", ".join(f"{number} of {' and '.join(names)}" for number, names in sorted(damaged.items()))
            raise DataError(
                f"damaged blocks in {self.folder}: {where}: run headsup tabulate again on this folder to repair them"
            )


@door(ranks=whole)
def default_folder(ranks: int = 13) -> Path:
    from headsup.common.archives import cache_dir

    return cache_dir() / "matchups" / f"{ranks}-ranks"


@door(game=as_text, folder=as_path)
def load(game: str = "omaha8", folder: Path | str | None = None) -> Matchups:
    """Map the table of a game; its version and sizes are checked, its bytes by `verify_checksums`."""
    if game not in GAMES:
        raise UserError(f"'{game}' has no table of matchups: choose one of {', '.join(GAMES)}")
    place = default_folder() if folder is None else Path(folder)
    manifest = read_manifest(place)
    if manifest is None:
        option = "" if folder is None else f" --work {place}"
        raise UserError(
            f"there is no finished table of matchups in {place}: make it with  headsup tabulate omaha8{option}  "
            f"({TABLE_COST})"
        )
    for spec, size in wrong_sizes(place, manifest).items():
        raise DataError(
            f"{place / spec.file} has {size} bytes instead of {spec.size}: "
            "run headsup tabulate again on this folder to repair it"
        )
    return Matchups(game, place, manifest)
