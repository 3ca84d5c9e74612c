"""Buckets as a file or a command names them: the text that they were made from, or their tables.

Where buckets have a `text`, a file holds that text, the numbers of its partitions and a checksum. A file of buckets
alone is a sealed archive with `buckets.json` (`format` "headsup-buckets", `game`).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from headsup.abstraction.hands.partitions import partition_arrays
from headsup.common.archives import read_archive, write_archive
from headsup.common.arrays import AnyArray
from headsup.common.checks import as_path, as_text, door, of_kind, quoted
from headsup.common.contents import array
from headsup.common.contents import text as contents_text
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed
from headsup.games.holdem.bucketed import Buckets, TableBuckets, no_buckets
from headsup.games.holdem.vector import VectorGame

NONE = "none"  # the text of buckets that merge nothing
MOST_TABLES = 1 << 28  # bytes of the largest tables that a file of a strategy holds


@dataclass(frozen=True, eq=False)
class NamedBuckets:
    """The description of buckets in a file; `on(game)` are the buckets themselves."""

    text: str | None
    tables: tuple[tuple[AnyArray, ...], ...] = ()
    kinds: tuple[AnyArray, ...] = ()
    checksum: str = ""  # of the buckets made from the text; empty where unknown
    parts: Mapping[str, AnyArray] = field(default_factory=dict)
    """The numbers of the partitions made from the text, which are reused (`spec.restore_buckets`)."""

    @classmethod
    def of(cls, game: VectorGame, buckets: Buckets) -> NamedBuckets:
        """The description of buckets: their text if they have one, else their tables."""
        text = getattr(buckets, "text", None)
        if isinstance(text, str) and text:
            return cls(
                text,
                checksum=bucket_checksum(game, buckets),
                parts=partition_arrays(getattr(buckets, "partitions", ())),
            )
        if isinstance(buckets, TableBuckets):
            return cls(None, buckets.tables, tuple(np.asarray(kind, dtype=np.int64) for kind in buckets.kinds))
        size = sum(n * game.showdown.sizes[0] * len(buckets.sizes[s]) * 4 for s, n in enumerate(game.boards.sizes()))
        if size > MOST_TABLES:
            raise UserError(f"these buckets have no text, and their tables take {size:,} bytes: give them a text")
        tables = []
        for s, n in enumerate(game.boards.sizes()):
            many = [[buckets.rows(p, s, 0, n, kind) for p in (0, 1)] for kind in range(len(buckets.sizes[s]))]
            if not all(np.array_equal(mine, yours) for mine, yours in many):
                raise UserError("the two players have buckets of their own, which files do not hold: give them a text")
            tables.append(tuple(pair[0].astype(np.uint32) for pair in many))
        return cls(None, tuple(tables), tuple(np.asarray(kind, dtype=np.int64) for kind in buckets.kinds))

    def on(self, game: VectorGame) -> Buckets:
        if self.text is not None:
            from headsup.abstraction.hands.spec import restore_buckets

            buckets = restore_buckets(game, self.text, self.parts) if self.parts else read_buckets(self.text, game)
            if self.checksum and bucket_checksum(game, buckets) != self.checksum:
                raise DataError(f"the buckets {self.text} come out differently here: use the headsup that made them")
            return buckets
        return TableBuckets(game, self.tables, self.kinds)

    def arrays(self) -> dict[str, AnyArray]:
        """The tables by name, as a file holds them."""
        tables = {f"bucket{s}_{k}": table for s, many in enumerate(self.tables) for k, table in enumerate(many)}
        return tables | {f"kind{s}": kind for s, kind in enumerate(self.kinds)} | dict(self.parts)

    @classmethod
    def read(cls, text: str | None, arrays: Mapping[str, AnyArray], checksum: str = "") -> NamedBuckets:
        """Read what `arrays` returned."""
        if text is not None:
            parts = {n: array(part, "a partition", "fiub", None) for n, part in arrays.items() if n.startswith("part")}
            return cls(text, checksum=checksum, parts=parts)
        streets = range(sum(name.startswith("kind") for name in arrays))
        kinds = tuple(array(arrays[f"kind{s}"], "the partitions of a street", "iu") for s in streets)
        counts = [sum(name.startswith(f"bucket{s}_") for name in arrays) for s in range(len(kinds))]
        tables = tuple(tuple(arrays[f"bucket{s}_{k}"] for k in range(n)) for s, n in enumerate(counts))
        if not tables or not all(tables):
            raise ValueError("the tables of the buckets are not all there")
        return cls(None, tables, kinds)


@door(text=as_text, game=of_kind(VectorGame))
def read_buckets(text: str, game: VectorGame) -> Buckets:
    """Buckets by text: `none`, a file of `save_buckets`, or what `headsup.abstraction.hands.spec` reads."""
    if text == NONE:
        size = 4 * sum(game.boards.sizes()) * game.showdown.sizes[0]
        if size > MOST_TABLES:
            raise UserError(f"tables that merge nothing take {size:,} bytes in {game}: take fewer cards, or buckets")
        return no_buckets(game)
    if os.path.exists(text):
        return load_buckets(text, game)
    from headsup.abstraction.hands.spec import build_buckets

    try:
        return build_buckets(game, text)
    except UserError as error:
        if Path(text).suffix:  # more likely a file's name than a list of numbers
            raise UserError(f"{quoted(text)} is no file of buckets that is there, and no text for them ({error})") from None  # noqa: E501  # fmt: skip
        raise


def bucket_checksum(game: VectorGame, buckets: Buckets) -> str:
    """SHA-256 of buckets: their own if they have one, else of their partitions, or of all their numbers."""
    known = getattr(buckets, "checksum", None)
    if isinstance(known, str):
        return known
    digest = hashlib.sha256()
    for which in buckets.kinds:
        digest.update(np.asarray(which, dtype=np.int64).tobytes())
    partitions = getattr(buckets, "partitions", None)  # of `FeatureBuckets`, whose tables may take minutes
    if partitions is not None:
        digest.update(f"{game.boards.sizes()} {getattr(buckets, 'nested', False)} {len(partitions)}".encode())
        for street, many in enumerate(partitions):
            for partition in many:
                digest.update(f"{street} {type(partition).__name__}".encode())
                for name, array in sorted(partition.arrays().items()):
                    digest.update(name.encode() + np.asarray(array).tobytes())
        return digest.hexdigest()
    digest.update(repr(buckets.sizes).encode())
    for s, boards in enumerate(game.boards.sizes()):
        for seat in (0, 1):
            for kind in range(len(buckets.sizes[s])):
                for low in range(0, boards, 1 << 12):
                    rows = buckets.rows(seat, s, low, min(low + (1 << 12), boards), kind)
                    digest.update(np.ascontiguousarray(rows, dtype=np.uint32).tobytes())
    return digest.hexdigest()


def save_buckets(path: str | Path, game: VectorGame, buckets: Buckets) -> None:
    """Write buckets to a file: their text and partitions, or their tables; equal buckets give equal bytes."""
    named = NamedBuckets.of(game, buckets)
    head = {"format": "headsup-buckets", "game": game.name, "boards": _boards(game), "text": named.text}
    members: dict[str, Any] = {"buckets.json": (json.dumps(head, indent=1) + "\n").encode()}
    write_archive(path, members | {f"{name}.npy": array for name, array in named.arrays().items()}, squeeze=True)


@door(path=as_path, game=of_kind(VectorGame))
def load_buckets(path: str | Path, game: VectorGame) -> Buckets:
    """Read what `save_buckets` wrote; it must be of this game."""
    members, sealed = read_archive(path, "a file of buckets")
    head = parsed(path, lambda: dict(json.loads(bytes(members["buckets.json"]))), "a file of buckets")
    if head.get("format") != "headsup-buckets" or not sealed:
        raise DataError(f"{path} is not a file of buckets, or it is damaged: give another file")
    if head.get("boards") != _boards(game):
        raise UserError(f"{path} has buckets of {head.get('game')}, whose boards or hands are not those of {game}")
    arrays = {name.removesuffix(".npy"): array for name, array in members.items() if isinstance(array, np.ndarray)}
    words = head.get("text")

    def read() -> Buckets:
        return NamedBuckets.read(None if words is None else contents_text(words, "the text"), arrays).on(game)

    return parsed(path, read, "a file of buckets")


def _boards(game: VectorGame) -> str:
    """A checksum of the boards and hands of a game; buckets do not depend on its betting."""
    return hashlib.sha256(game.boards.identity() + game.showdown.identity()).hexdigest()
