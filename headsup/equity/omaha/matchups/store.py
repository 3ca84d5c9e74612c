"""The table on disk: a folder with one flat file per array, and a manifest that describes them.

    manifest.json   format version, deck, shapes, types, the SHA-256 of every block, the counts that must add up
    omaha8.u32      [n, n]      quarter-pots that one hand of the row's class wins from all hands of the column's, hi-lo
    omaha.u32       [n, n]      the same in Omaha high
    number.u8       [n, n]      how many hands of the column's class one hand of the row's class can meet
    outcomes8.u32   [n, n, 5]   boards by scoop, three-quarter, half, quarter, lose (optional)
    outcomes.u32    [n, n, 3]   boards by win, tie, lose in Omaha high (optional)

Files are little-endian, row by row, without a header. A block is a range of rows, the same for every array, and ends
where the ranks of the hands change. The manifest is written last and in one step: without it there is no table. Its
checksum covers everything in it, block checksums included: tables with equal checksums are equal to the last bit.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common import contents
from headsup.common.errors import DataError
from headsup.common.files import MOST_ARCHIVE, Missing, opened, read_text, write_bytes
from headsup.equity.omaha.matchups.packets import VERSION, Plan, WrongVersion

FORMAT = "headsup matchups"
MOST_BLOCKS = 64
_SPECS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "omaha8": ("omaha8.u32", "<u4", ()),
    "omaha": ("omaha.u32", "<u4", ()),
    "number": ("number.u8", "|u1", ()),
    "outcomes8": ("outcomes8.u32", "<u4", (5,)),
    "outcomes": ("outcomes.u32", "<u4", (3,)),
}


@dataclass(frozen=True)
class ArraySpec:
    name: str
    file: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def row_bytes(self) -> int:
        return prod(self.shape[1:]) * np.dtype(self.dtype).itemsize

    @property
    def size(self) -> int:
        return self.shape[0] * self.row_bytes

    def open(self, folder: Path) -> npt.NDArray[Any]:
        return np.memmap(folder / self.file, dtype=self.dtype, mode="r", shape=self.shape)


def array_specs(plan: Plan) -> tuple[ArraySpec, ...]:
    side = plan.classes
    names = list(_SPECS) if plan.outcomes else list(_SPECS)[:3]
    return tuple(
        ArraySpec(name, file, dtype, (side, side, *last)) for name in names for file, dtype, last in [_SPECS[name]]
    )


@cache
def row_cuts(ranks: int) -> tuple[int, ...]:
    """Where each block of rows starts, and the number of rows at the end; no rank hand is in two blocks."""
    from headsup.cards.classes import omaha_class_starts

    starts = omaha_class_starts()[: comb(ranks + 3, 4) + 1]
    wanted = starts[-1] * np.arange(MOST_BLOCKS + 1) / MOST_BLOCKS
    return tuple(np.unique(starts[np.searchsorted(starts, wanted)]).tolist())


@dataclass(frozen=True)
class Manifest:
    ranks: int
    classes: int
    boards: int
    outcomes: bool
    rows: tuple[int, ...]
    blocks: Mapping[str, tuple[str, ...]]  # of each array, the SHA-256 of each block
    counts: Mapping[str, int]
    """Deals and classes of eight cards; hands; matchups (ordered pairs of disjoint hands); quarters in all of them."""
    patterns: Mapping[str, tuple[int, int]]  # classes and deals of each suit pattern of eight cards

    @property
    def plan(self) -> Plan:
        return Plan(self.ranks, self.outcomes)

    @property
    def checksum(self) -> str:
        return hashlib.sha256(json.dumps(self._content(), sort_keys=True).encode()).hexdigest()

    def _content(self) -> dict[str, Any]:
        arrays = {
            spec.name: {"file": spec.file, "dtype": spec.dtype, "shape": spec.shape} for spec in array_specs(self.plan)
        }
        return {"format": FORMAT, "version": VERSION, **asdict(self), "arrays": arrays}

    def write(self, folder: Path) -> None:
        write_bytes(
            folder / "manifest.json", json.dumps(self._content() | {"checksum": self.checksum}, indent=1).encode()
        )


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest in a folder, or None if there is none; one sentence if it is of another version or damaged."""
    path = folder / "manifest.json"
    try:
        content = json.loads(read_text(path))
        if content["format"] != FORMAT:
            raise DataError(f"{path} does not describe a table of matchups: choose another folder")
        version = content["version"]
        if version != VERSION:
            raise WrongVersion(
                f"{path} has format version {version}, this headsup reads and writes version {VERSION}: "
                "choose another folder or delete the old one"
            )
        manifest = Manifest(
            ranks=int(content["ranks"]),
            classes=int(content["classes"]),
            boards=int(content["boards"]),
            outcomes=bool(content["outcomes"]),
            rows=tuple(content["rows"]),
            blocks={name: tuple(blocks) for name, blocks in content["blocks"].items()},
            counts=dict(content["counts"]),
            patterns={code: (pair[0], pair[1]) for code, pair in content["patterns"].items()},
        )
        whole = content["checksum"] == manifest.checksum
        if whole:
            _check(manifest)
    except Missing:
        return None
    except DataError:
        raise
    except Exception as error:  # see `headsup.common.files.parsed`
        raise DataError(f"{path} is damaged: delete it and run tabulate again on the same folder") from error
    if not whole:
        raise DataError(f"{path} does not match its own checksum: delete it and run tabulate again on the same folder")
    return manifest


def _check(manifest: Manifest) -> None:
    plan = manifest.plan
    if (manifest.classes, manifest.boards, manifest.rows) != (plan.classes, plan.boards, row_cuts(plan.ranks)):
        raise ValueError("it describes no table of so many ranks")
    for spec in array_specs(plan):
        digests = [contents.text(digest, "a checksum") for digest in manifest.blocks[spec.name]]
        if len(digests) != len(manifest.rows) - 1:
            raise ValueError(f"{spec.name} has {len(digests)} checksums")
    for name, number in (*manifest.counts.items(), *((k, n) for k, pair in manifest.patterns.items() for n in pair)):
        contents.count(number, name)


def block_digest(folder: Path, spec: ArraySpec, row_from: int, row_to: int) -> str | None:
    """The SHA-256 of a block as it is on disk, or None where the file does not reach so far."""
    size = (row_to - row_from) * spec.row_bytes
    try:
        with opened(folder / spec.file, MOST_ARCHIVE) as file:
            file.seek(row_from * spec.row_bytes)
            content = file.read(size)
    except Missing:
        return None
    return hashlib.sha256(content).hexdigest() if len(content) == size else None


def wrong_sizes(folder: Path, manifest: Manifest) -> dict[ArraySpec, int]:
    """The files that are shorter or longer than they must be, with the bytes that they have."""
    sizes = {
        spec: path.stat().st_size if (path := folder / spec.file).exists() else 0 for spec in array_specs(manifest.plan)
    }
    return {spec: size for spec, size in sizes.items() if size != spec.size}


def damaged_blocks(folder: Path, manifest: Manifest) -> dict[int, list[str]]:
    """The blocks that differ from the manifest: block number -> names of arrays."""
    damaged: dict[int, list[str]] = {}
    for spec in array_specs(manifest.plan):
        for number, wanted in enumerate(manifest.blocks[spec.name]):
            if block_digest(folder, spec, manifest.rows[number], manifest.rows[number + 1]) != wanted:
                damaged.setdefault(number, []).append(spec.name)
    return damaged
