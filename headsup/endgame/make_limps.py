"""The plan against limps on all flops, kept in a folder so that stopped work resumes.

The folder has the ranges that see a flop (`ranges.npz`) and, in packets of flops, the jamming frequency of each hand in
255ths. `limps` computes packets that are missing, damaged or of other ranges on all cores (a quarter of an hour on two)
and then the tallies of the plan.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, row_masks
from headsup.cards.suits import permuted_combos, stabiliser
from headsup.common import distribute
from headsup.common.archives import checksum, read_arrays, write_arrays
from headsup.common.arrays import Floats
from headsup.common.errors import DataError
from headsup.common.files import fingerprint, own_bytes, owned_bytes
from headsup.common.progress import Progress, Watch
from headsup.endgame.measure_limp import Limps, flop_weights
from headsup.endgame.solve_limp import DEPTHS, Ranges, learn_flop, learn_ranges
from headsup.equity.holdem.flop_pairs import flop_pairs
from headsup.games.holdem.classes import Classes

VERSION = 1
PACKET = 15
"""Flops of a packet."""
HANDS = 1176
"""Hands that a flop leaves."""
STEPS = 255


def limps(table: Classes, folder: Path, watch: Watch | None = None) -> Limps:
    """The plan kept in a folder; missing parts are computed first."""
    flops = card_classes(3)
    folder.mkdir(parents=True, exist_ok=True)
    ranges = _ranges(table, folder, watch)
    of_ranges, firsts = checksum(VERSION, ranges._asdict()), range(0, len(flops.reps), PACKET)
    jobs = {first: fingerprint({"ranges": of_ranges, "depths": DEPTHS, "first": first}) for first in firsts}
    packets = [
        distribute.Packet(_path(folder, first), {"folder": str(folder), "first": first, "job": job}, PACKET)
        for first, job in jobs.items()
    ]
    done = len(flops.reps)

    def tell(packet: distribute.Packet) -> None:
        nonlocal done
        done += int(packet.work)
        if watch is not None:
            watch(Progress(done, len(flops.reps), "flops solved", unit="flops"))

    missing = [packet for packet in packets if not _made(packet)]
    done -= PACKET * len(missing)
    distribute.run("headsup.endgame.make_limps:packet", missing, done=tell)
    kind = np.empty((len(flops.reps), HANDS), dtype=np.uint8)
    outcomes = np.empty((len(DEPTHS), 3, len(flops.reps), HANDS))

    def count(number: int) -> None:
        first = number // PACKET * PACKET
        content = own_bytes(_path(folder, first), jobs[first])
        played = np.frombuffer(content, dtype=np.uint8).reshape(-1, len(DEPTHS), HANDS)
        kind[number], met = meeting(flops.reps[number], ranges.over, played[number - first])
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
    alike = sum(played[:, place[permuted_combos(2, renaming)[pairs.hands]]].astype(np.int64) for renaming in group)
    return kind, pairs.outcomes((1 - over)[:, kind] * (alike / (STEPS * len(group))))


def packet(folder: str, first: int, job: str) -> bytes:
    """uint8[flops, depths, hands]: the frequency with which each hand jams each flop of a packet."""
    ranges = _read_ranges(Path(folder))
    assert ranges is not None, "the ranges are written before any packet is given out"
    jams = [learn_flop(flop_pairs(flop), ranges) for flop in card_classes(3).reps[first : first + PACKET]]
    return owned_bytes(np.rint(STEPS * np.stack(jams)).astype(np.uint8).tobytes(), job)


def _ranges(table: Classes, folder: Path, watch: Watch | None) -> Ranges:
    ranges, path = _read_ranges(folder), folder / "ranges.npz"
    if ranges is None and path.exists():
        raise DataError(f"{path} is damaged, or has the ranges of other depths: remove it, or choose another folder")
    if ranges is None:
        ranges = learn_ranges(table, watch=watch)
        write_arrays(path, VERSION, ranges._asdict(), fingerprint({"depths": DEPTHS}))
    return ranges


def _read_ranges(folder: Path) -> Ranges | None:
    arrays = read_arrays(folder / "ranges.npz", VERSION, fingerprint({"depths": DEPTHS}))
    return None if arrays is None else Ranges(**arrays)


def _path(folder: Path, first: int) -> Path:
    return folder / f"flops-{first:04}.bin"


def _made(packet: distribute.Packet) -> bool:
    try:
        own_bytes(packet.path, packet.arguments["job"])
    except DataError:
        return False
    return True
