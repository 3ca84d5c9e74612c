"""Buckets on disk: what makes them in one small file, and their tables in packets that can be stopped and gone on with.

A saved abstraction is its text, the game it is for and every partition's numbers (edges, centres), some kilobytes to a
megabyte, sealed with a checksum; who loads it has the same buckets without making them again. Tables follow. For those
that take long to make (histograms of all turns on a CPU), `tabulate` writes each packet of a street's sets to a
file of its own as it is done; what is there and whole is not made again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from headsup.abstraction.buckets import FeatureBuckets
from headsup.abstraction.partitions import Centres, Edges, Partition, StrengthAndPotential
from headsup.abstraction.spec import kinds_by_pot, parse_spec
from headsup.cache import read_arrays, write_arrays
from headsup.distribute import clear_scratch, locked
from headsup.errors import DataError, UserError
from headsup.files import Member, parsed, read_archive, telling_full_disk, write_archive
from headsup.games.arrays import AnyArray
from headsup.games.vector import VectorGame
from headsup.progress import Progress, Watch

VERSION = 1
PACKET = 1024
"""Sets of cards in a file of `tabulate`."""


def save_buckets(buckets: FeatureBuckets, path: str | Path) -> None:
    """Write what makes these buckets; the same ones give the same bytes."""
    write_archive(path, _members(buckets), squeeze=True)


def load_buckets(game: VectorGame, path: str | Path) -> FeatureBuckets:
    """The buckets in a file, for the game that they were made for."""
    members, sealed = read_archive(path, "an abstraction")
    if not sealed or "spec.txt" not in members:
        raise DataError(f"{path} is not an abstraction: give a file that save_buckets wrote")
    spec, boards = (bytes(members[name]).decode() for name in ("spec.txt", "boards.txt"))
    if boards != _boards(game):
        raise UserError(f"{path} has buckets of another game: those of {game} have other boards or hands")
    partitions = parsed(path, lambda: _partitions(game, members), "an abstraction")
    kinds = [kinds_by_pot(game, street, max(1, len(many))) for street, many in enumerate(partitions)]
    return FeatureBuckets(game, partitions, nested=parse_spec(spec).nested, kinds=kinds, text=spec)


def tabulate(buckets: FeatureBuckets, folder: str | Path, progress: Watch | None = None) -> None:
    """Make all tables of buckets, packet by packet in a folder, for the buckets to use; go on where it stopped."""
    place = Path(folder)
    mark = hashlib.sha256(b"".join(_bytes(one) for one in _members(buckets).values())).hexdigest()[:12]
    with locked(place), telling_full_disk(place):
        clear_scratch(place)
        for street, many in enumerate(buckets.partitions):
            for kind, partition in enumerate(many):
                name = f"{mark}-{street}-{kind}"
                buckets.give_table(street, kind, _table(buckets, street, partition, place / name, progress))


def _table(buckets: FeatureBuckets, street: int, partition: Partition, start: Path, progress: Watch | None) -> AnyArray:
    features = buckets.features
    boards = features.sets(street)
    out = np.zeros((len(boards), len(features.hands)), dtype=np.min_scalar_type(max(0, partition.size - 1)))
    for low in range(0, len(boards), PACKET):
        high = min(len(boards), low + PACKET)
        path = start.with_name(f"{start.name}-{low:06d}.npz")
        found = read_arrays(path, VERSION)
        if found is None or found["buckets"].shape != (high - low, len(features.hands)):
            found = {"buckets": buckets.sorted_in(street, partition, low, high)}
            write_arrays(path, VERSION, found)
        out[low:high] = found["buckets"]
        if progress is not None:
            progress(Progress(high, len(boards), features.name(street), unit="boards"))
    return out


def _members(buckets: FeatureBuckets) -> dict[str, Member]:
    members: dict[str, Member] = {"spec.txt": buckets.text.encode(), "boards.txt": _boards(buckets.game).encode()}
    for street, many in enumerate(buckets.partitions):
        for kind, one in enumerate(many):
            for name, array in one.arrays().items():
                members[f"{street}-{kind}-{name}.npy"] = np.asarray(array)
    return members


def _bytes(member: Member) -> bytes:
    return member if isinstance(member, bytes) else np.ascontiguousarray(member).tobytes()


def _boards(game: VectorGame) -> str:
    """What buckets know of a game: its boards and hands; betting is not their business."""
    return hashlib.sha256(game.boards.identity() + game.showdown.identity()).hexdigest()


def _partitions(game: VectorGame, members: dict[str, Member]) -> list[list[Partition]]:
    found: list[list[Partition]] = [[] for _ in range(game.streets)]
    kept: dict[tuple[int, int], dict[str, AnyArray]] = {}
    for name, array in members.items():
        if name.endswith(".npy") and isinstance(array, np.ndarray):
            street, kind, what = name.removesuffix(".npy").split("-")
            kept.setdefault((int(street), int(kind)), {})[what] = array
    for place in sorted(kept):
        found[place[0]].append(_partition(kept[place]))
    return found


def _partition(arrays: dict[str, AnyArray]) -> Partition:
    if "centres" in arrays:
        kind = bytes(arrays["kind"]).decode()
        return Centres(arrays["centres"], kind, int(arrays["bins"]), arrays.get("weights"), float(arrays["explained"]))
    if "least" in arrays:
        return StrengthAndPotential(arrays["edges"], int(arrays["least"]))
    return Edges(arrays["edges"], bool(arrays["squares"]))
