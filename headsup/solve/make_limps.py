"""The plan against limps on all flops, in a folder: what is there is kept, so the work may be stopped at any moment.

The folder has the ranges that see a flop (`ranges.npz`) and, in packets of flops, how often each hand jams, in 255ths.
`limps` does what is missing on all cores (a quarter of an hour on two) and then counts what the plan meets.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup import distribute
from headsup.cache import read_arrays, write_arrays
from headsup.cards.classes import card_classes, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, row_masks
from headsup.cards.suits import permuted_combos, stabiliser
from headsup.equity.flop_pairs import flop_pairs
from headsup.errors import DataError
from headsup.files import read_bytes
from headsup.games.arrays import Floats
from headsup.games.classes import Classes
from headsup.measure.endgame_limp import Limps, flop_weights
from headsup.progress import Progress, Watch
from headsup.solve.endgame_limp import DEPTHS, Ranges, learn_flop, learn_ranges

VERSION = 1
PACKET = 15
"""Flops of a packet."""
HANDS = 1176
"""Hands that a flop leaves."""
STEPS = 255


def limps(table: Classes, folder: Path, watch: Watch | None = None) -> Limps:
    """The plan of this folder, made as far as it is missing, and what it meets."""
    flops = card_classes(3)
    folder.mkdir(parents=True, exist_ok=True)
    ranges = _ranges(table, folder, watch)
    packets = [
        distribute.Packet(_path(folder, first), {"folder": str(folder), "first": first}, PACKET)
        for first in range(0, len(flops.reps), PACKET)
    ]
    done = len(flops.reps)

    def tell(packet: distribute.Packet) -> None:
        nonlocal done
        done += int(packet.work)
        if watch is not None:
            watch(Progress(done, len(flops.reps), "flops solved", unit="flops"))

    missing = [packet for packet in packets if not packet.path.exists()]
    done -= PACKET * len(missing)
    distribute.run("headsup.solve.make_limps:packet", missing, done=tell)
    kind = np.empty((len(flops.reps), HANDS), dtype=np.uint8)
    outcomes = np.empty((len(DEPTHS), 3, len(flops.reps), HANDS))

    def count(number: int) -> None:
        first = number // PACKET * PACKET
        played = _played(_path(folder, first), min(PACKET, len(flops.reps) - first))[number - first]
        kind[number], met = meeting(flops.reps[number], ranges.over, played)
        outcomes[:, :, number] = met.transpose(1, 0, 2)
        if watch is not None and number % 100 == 99:
            watch(Progress(number + 1, len(flops.reps), "flops counted", unit="flops"))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(count, range(len(flops.reps))))
    return Limps(DEPTHS, ranges.over, kind, flop_weights(flops.sizes), outcomes, table.class_sizes)


def meeting(
    flop: npt.NDArray[np.uint8], over: Floats, played: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint8], Floats]:
    """(class of each hand, [3, depths, hands] what it meets) where `played`, [depths, hands], jam a flop.

    Hands that differ by a renaming of suits that leaves the flop alone are played alike, so that an opponent's hands of
    one class meet the same on all flops together.
    """
    pairs = flop_pairs(flop)
    kind = holdem_class_of_combo()[pairs.hands]
    group = stabiliser(int(row_masks(flop[None])[0]))
    place = np.zeros(HOLDEM_COUNT, dtype=np.intp)
    place[pairs.hands] = np.arange(HANDS)
    alike = sum(played[:, place[permuted_combos(2, one)[pairs.hands]]].astype(np.int64) for one in group)
    return kind, pairs.outcomes((1 - over)[:, kind] * (alike / (STEPS * len(group))))


def packet(folder: str, first: int) -> bytes:
    """How often each hand jams each of some flops, uint8[flops, depths, hands]: the work of one process."""
    arrays = read_arrays(Path(folder) / "ranges.npz", VERSION)
    assert arrays is not None, "the ranges are written before any packet is given out"
    ranges = Ranges(arrays["limp"], arrays["over"])
    found = [learn_flop(flop_pairs(flop), ranges) for flop in card_classes(3).reps[first : first + PACKET]]
    return np.rint(STEPS * np.stack(found)).astype(np.uint8).tobytes()


def _ranges(table: Classes, folder: Path, watch: Watch | None) -> Ranges:
    arrays = read_arrays(folder / "ranges.npz", VERSION)
    if arrays is None:
        found = learn_ranges(table, watch=watch)
        write_arrays(folder / "ranges.npz", VERSION, {"limp": found.limp, "over": found.over})
        return found
    if arrays["over"].shape != (len(DEPTHS), table.classes):
        raise DataError(f"{folder} has the ranges of other depths: choose another folder")
    return Ranges(arrays["limp"], arrays["over"])


def _path(folder: Path, first: int) -> Path:
    return folder / f"flops-{first:04}.bin"


def _played(path: Path, flops: int) -> npt.NDArray[np.uint8]:
    content = read_bytes(path)
    if len(content) != flops * len(DEPTHS) * HANDS:
        raise DataError(f"{path} is damaged: remove it, and the same command makes it anew")
    return np.frombuffer(content, dtype=np.uint8).reshape(flops, len(DEPTHS), HANDS)
