"""Work packets: contiguous ranges of rank sets, and the files that hold their results.

The plan for a deck is fixed, and a packet's bytes do not depend on the machine, the time or the device. When made and
when read, a packet is checked: each rank set has all its deals, entries are within the pot, both hands' winnings or all
outcomes add up, and the census counts its classes and deals by suit pattern.

The file: one line `headsup packet VERSION SHA256`, padded with spaces to 128 bytes, one line of JSON (what it is; name,
type and shape of each array), then the arrays, each from a multiple of 64 bytes. The SHA-256 covers everything after
the first line.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from math import comb, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.checks import check_device, cores
from headsup.common.errors import DataError, UserError
from headsup.common.files import MOST_ARCHIVE, opened, parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from headsup.equity.omaha.matchups.ranksets import Blocks, Tabulator

VERSION = 1  # of the packets and of the table; raised whenever either's bytes change
SPLITS = 35
MOST_PACKETS = 512
GPU_PACKETS = 64  # packets that a GPU computes at once, while the previous ones are joined and written
_WORK = np.array([0, 0, 1.1, 1.5, 2.5, 5.6, 12.9, 31.5, 72.0])
"""Milliseconds of one core for a rank set, by how many different ranks it has."""
_ALIGN = 64
_HEAD = 128
_KIND = "headsup packet"


@dataclass(frozen=True)
class Plan:
    """What is to be computed: a deck of the lowest `ranks` ranks, with or without all outcomes."""

    ranks: int = 13
    outcomes: bool = False

    def __post_init__(self) -> None:
        if not 5 <= self.ranks <= 13:
            raise UserError(f"a deck of {self.ranks} ranks cannot be tabulated: choose 5 to 13, 13 is the full deck")

    @property
    def boards(self) -> int:
        """How many boards two hands leave."""
        return comb(4 * self.ranks - 8, 5)

    @property
    def classes(self) -> int:
        """How many hand classes the deck has: the first ones of the full deck's."""
        from headsup.cards.classes import omaha_class_starts

        return int(omaha_class_starts()[comb(self.ranks + 3, 4)])

    @property
    def cuts(self) -> npt.NDArray[np.int64]:
        """Where each packet starts among the rank sets, and their number at the end."""
        return _cuts(self.ranks)

    @property
    def packets(self) -> int:
        return len(self.cuts) - 1

    def rank_sets(self, number: int) -> npt.NDArray[np.uint8]:
        from headsup.equity.omaha.matchups.ranksets import rank_sets

        return rank_sets(self.ranks)[self.cuts[number] : self.cuts[number + 1]]

    def work(self, number: int) -> float:
        """Expected core-seconds of one packet."""
        return float(_rank_set_work(self.rank_sets(number)).sum() / 1000)

    def file_name(self, number: int) -> str:
        return f"{'outcomes' if self.outcomes else 'quarters'}-{number:03d}.packet"


def _rank_set_work(sets: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    different = 1 + (np.diff(sets.astype(np.int64), axis=1) != 0).sum(axis=1)
    return np.asarray(_WORK[different])


@cache
def _cuts(ranks: int) -> npt.NDArray[np.int64]:
    from headsup.equity.omaha.matchups.ranksets import rank_sets

    done = np.cumsum(_rank_set_work(rank_sets(ranks)))
    packets = min(MOST_PACKETS, max(8, len(done) // 128))
    inner = np.searchsorted(done, done[-1] * np.arange(1, packets) / packets)
    return np.concatenate([[0], inner, [len(done)]]).astype(np.int64)


class PacketData(NamedTuple):
    """What a packet's file holds: the blocks of all its rank sets, one after the other."""

    hands: npt.NDArray[np.uint16]  # [n, 2]: the rank hands a <= b of each block
    starts: npt.NDArray[np.uint32]  # [n + 1]: where each block starts among the cells
    sums: npt.NDArray[np.uint32]  # [kept, cells]: as `ranksets.Blocks.sums`
    number: npt.NDArray[np.uint8]  # [cells]: as `ranksets.Blocks.number`
    census: npt.NDArray[np.int64]  # [n, 3]: key (see `Tabulator.census`), classes, deals


def packet_bytes(ranks: int, outcomes: bool, number: int, device: str = "cpu") -> bytes:
    plan = Plan(ranks, outcomes)
    return next(compute(plan, [number], device))


def compute(
    plan: Plan,
    numbers: Iterable[int],
    device: str = "cpu",
    keep: Callable[[int, bytes], None] = lambda number, made: None,
) -> Iterator[bytes]:
    """The files of some packets, in order, each passed to `keep` first; a GPU works ahead while the cores check."""
    numbers = list(numbers)
    tabulator = _tabulator(plan.ranks, plan.outcomes, device)

    def packet(number: int, own: npt.NDArray[np.uint8], some: list[Blocks], census: npt.NDArray[np.int64]) -> bytes:
        made = to_bytes(plan, number, _gather(plan, own, some, census))
        keep(number, made)
        return made

    def tabulated(some: list[int]) -> Iterator[tuple[int, npt.NDArray[np.uint8], list[Blocks], npt.NDArray[np.int64]]]:
        sets = np.concatenate([plan.rank_sets(number) for number in some])
        blocks = tabulator.blocks_many(sets) if device == "gpu" else map(tabulator.blocks, sets)  # type: ignore[attr-defined]
        for number in some:
            before, own = tabulator.counted(), plan.rank_sets(number)
            yield number, own, [next(blocks) for _ in own], tabulator.counted() - before

    if device == "gpu":
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(cores()) as pool:
            waiting: list[Future[bytes]] = []
            for start in range(0, len(numbers), GPU_PACKETS):
                jobs = [pool.submit(packet, *work) for work in tabulated(numbers[start : start + GPU_PACKETS])]
                # the last ones were joined while the device worked on these
                yield from (job.result() for job in waiting)
                waiting = jobs
            yield from (job.result() for job in waiting)
    else:
        yield from (packet(*work) for work in tabulated(numbers))


@cache
def _tabulator(ranks: int, outcomes: bool, device: str) -> Tabulator:
    if device == "gpu":
        from headsup.equity.omaha.matchups.gpu import GpuTabulator

        return GpuTabulator(ranks, outcomes)
    check_device(device)
    from headsup.equity.omaha.matchups.ranksets import Tabulator

    return Tabulator(ranks, outcomes)


def _gather(plan: Plan, sets: npt.NDArray[np.uint8], blocks: list[Blocks], census: npt.NDArray[np.int64]) -> PacketData:
    """Join the blocks of the rank sets and check them."""
    keys = np.flatnonzero(census[:, 0])
    deals = int(_deals(sets).sum())
    if int(census[:, 1].sum()) != deals:
        raise DataError(f"{int(census[:, 1].sum())} deals were counted in a packet that has {deals}: this is a fault")
    offsets = np.cumsum([0] + [int(block.starts[-1]) for block in blocks])
    starts = np.concatenate(
        [block.starts[:-1] + at for block, at in zip(blocks, offsets, strict=False)] + [offsets[-1:]]
    )
    data = PacketData(
        np.concatenate([block.hands for block in blocks]).astype(np.uint16),
        starts.astype(np.uint32),
        np.concatenate([block.sums for block in blocks], axis=1).astype(np.uint32, copy=False),
        np.concatenate([block.number for block in blocks]).astype(np.uint8, copy=False),
        np.column_stack([keys, census[keys]]),
    )
    _check_rank_sets(plan, sets, blocks, data)
    return data


def _deals(sets: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """How many eight-card deals have the ranks of each set."""
    from headsup.cards.classes import rank_counts

    return np.asarray(np.array([comb(4, n) for n in range(5)])[rank_counts(sets)].prod(axis=1))


def _check_rank_sets(plan: Plan, sets: npt.NDArray[np.uint8], blocks: list[Blocks], data: PacketData) -> None:
    """Of each rank set all deals in all splits, and entries that a board can give; all cells of a packet at once."""
    from headsup.cards.classes import omaha_class_sizes, omaha_class_starts

    first, sizes = omaha_class_starts(), omaha_class_sizes()
    a, b = data.hands.astype(np.int64).T
    columns, starts = first[b + 1] - first[b], data.starts.astype(np.int64)
    block = np.repeat(np.arange(len(a)), np.diff(starts))
    row, column = np.divmod(np.arange(starts[-1]) - starts[block], columns[block])
    weight, number = sizes[first[a][block] + row].astype(np.int64), data.number.astype(np.int64)
    pairs = np.add.reduceat(number * weight, starts[:-1])
    of_set = np.cumsum([0] + [len(block.hands) for block in blocks])
    met = np.add.reduceat(np.where(a < b, pairs, pairs // 2), of_set[:-1])
    all_of_them = SPLITS * _deals(sets)
    for wrong in np.flatnonzero(met != all_of_them)[:1].tolist():
        raise DataError(
            f"the ranks {sets[wrong].tolist()} have {all_of_them[wrong]} matchups, but {met[wrong]} were counted: "
            "this is a fault"
        )
    boards = plan.boards * number
    if plan.outcomes:
        both = data.sums[:5].sum(axis=0, dtype=np.int64), data.sums[5:].sum(axis=0, dtype=np.int64)
        unfair = (both[0] != boards) | (both[1] != boards)
    else:
        same = np.flatnonzero((a == b)[block])
        across = starts[block[same]] + column[same] * columns[block[same]] + row[same]
        unfair = np.zeros(len(number), dtype=np.bool_)
        for sums in data.sums.astype(np.int64):
            won = sums * weight
            unfair[same] |= won[same] + won[across] != 4 * boards[same] * weight[same]
    unfair |= (data.sums > 4 * boards).any(axis=0)
    if unfair.any():
        wrong = int(np.searchsorted(of_set, block[unfair.argmax()], side="right")) - 1
        ranks = sets[wrong].tolist()
        raise DataError(f"the results of the ranks {ranks} do not add up to their boards: this is a fault")


def to_bytes(plan: Plan, number: int, data: PacketData) -> bytes:
    about = {
        "ranks": plan.ranks,
        "outcomes": plan.outcomes,
        "packet": number,
        "packets": plan.packets,
        "rank_sets": plan.cuts[number : number + 2].tolist(),
        "boards": plan.boards,
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in data._asdict().items()],
    }
    parts = [json.dumps(about).encode() + b"\n"]
    for array in data:
        at = sum(map(len, parts))
        parts += [b"\0" * (-at % _ALIGN), np.ascontiguousarray(array).tobytes()]
    body = b"".join(parts)
    return f"{_KIND} {VERSION} {hashlib.sha256(body).hexdigest()}".ljust(_HEAD - 1).encode() + b"\n" + body


def check_file(plan: Plan, number: int, path: Path) -> str | None:
    """The SHA-256 of a whole packet, or None if its file is damaged or of another plan. A wrong version is an error."""
    try:
        head, body = _open(path)
    except DataError as error:
        if isinstance(error, WrongVersion):
            raise
        return None
    if hashlib.sha256(body).hexdigest() != head[-1]:
        return None
    expected = (plan.ranks, plan.outcomes, number, plan.packets)

    def ours() -> bool:
        about = json.loads(bytes(body[: _line_end(body)]))
        return (about["ranks"], about["outcomes"], about["packet"], about["packets"]) == expected and bool(read(path))

    try:
        return head[-1] if parsed(path, ours) else None
    except DataError:
        return None


class WrongVersion(DataError):
    """A file written by another version of headsup."""


def read(path: Path) -> PacketData:
    """A packet's arrays, mapped from its file."""
    return parsed(path, lambda: _arrays(_open(path)[1]), "a packet of matchups")


def _arrays(body: memoryview) -> PacketData:
    at = _line_end(body) + 1
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, dtype, shape in json.loads(bytes(body[:at]))["arrays"]:
        at += -at % _ALIGN
        size = prod(shape) * np.dtype(dtype).itemsize
        arrays[name] = np.frombuffer(body[at : at + size], dtype=dtype).reshape(shape)
        at += size
    data = PacketData(**arrays)
    cells, blocks = len(data.number), len(data.hands)
    shapes = [array.shape for array in data]
    wanted = [(blocks, 2), (blocks + 1,), (len(data.sums), cells), (cells,), (len(data.census), 3)]
    if shapes != wanted or [array.dtype.kind for array in data] != list("uuuui"):
        raise ValueError(f"its arrays have the shapes {shapes}")
    if data.starts[0] != 0 or data.starts[-1] != cells or (np.diff(data.starts.astype(np.int64)) < 0).any():
        raise ValueError("its blocks do not follow each other")
    return data


def _open(path: Path) -> tuple[list[str], memoryview]:
    """The words of the first line, and everything after it."""
    try:
        with opened(path, MOST_ARCHIVE):
            pass  # a regular file
        content = np.memmap(path, dtype=np.uint8, mode="r").data  # an empty file cannot be mapped
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read as a packet: {error}") from error
    line = bytes(content[:_HEAD]).partition(b"\n")[0]
    words = line.decode("ascii", "replace").split()
    if " ".join(words[:2]) != _KIND or len(words) != 4:
        raise DataError(f"{path} is not a packet of matchups, or it is damaged: delete it and run the command again")
    if words[2] != str(VERSION):
        raise WrongVersion(
            f"{path} has format version {words[2]}, this headsup reads and writes version {VERSION}: "
            "choose another folder or delete the old one"
        )
    return words, content[len(line) + 1 :]


def _line_end(body: memoryview) -> int:
    return bytes(body[:4096]).index(b"\n")
