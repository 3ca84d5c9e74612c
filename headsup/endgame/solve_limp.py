"""A plan against limps: jam over them, or check and jam the flop or give the pot up.

CFR+ solves one hand for chips at each of a few depths, first with a subset of flops, which gives both ranges that see a
flop; then each of the 1,755 flops is solved alone between these ranges. `limps` keeps ranges and packets of flops in a
folder, so that stopped work resumes. The floor of the plan (`headsup.endgame.measure_limp`) is the proof.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, row_masks
from headsup.cards.suits import permuted_combos, stabiliser
from headsup.common import distribute
from headsup.common.archives import checksum, read_arrays, write_arrays
from headsup.common.arrays import Floats
from headsup.common.checks import cores
from headsup.common.errors import DataError
from headsup.common.files import fingerprint, own_bytes, owned_bytes
from headsup.common.progress import Progress, Watch
from headsup.endgame.measure_limp import Limps, flop_weights
from headsup.equity.holdem.flop_pairs import FlopPairs, flop_pairs, holds
from headsup.equity.holdem.flop_subsets import FlopSubset, flop_subset
from headsup.games.holdem.classes import Classes
from headsup.solve.records.matching import regret_matching

Singles = npt.NDArray[np.float32]

DEPTHS = (1.5, 2.0, 3.0, 4.0, 5.0, 5.5, 6.0, 6.5, 7.0, 8.0, 9.0, 10.0)
"""What both can lose, in big blinds, in the hands that are solved."""
FOLD = -0.5  # what folding the small blind costs
SUBSET = 95
ITERATIONS = 200
FLOP_ITERATIONS = 80
RANDOM = 0.03
"""How much of every hand the small blind's range has on a flop that is solved alone, so that none is forgotten."""


class _LimpedFlop:
    """One flop at all depths: the big blind jams or gives up, the small blind calls or folds; [depths, hands] each."""

    def __init__(self, pairs: FlopPairs, depths: Singles) -> None:
        self.hands, self.depths = pairs.hands, depths[:, None]
        self.kind = holdem_class_of_combo()[pairs.hands]
        wins = pairs.wins.astype(np.float32)
        self.sign = (wins - wins.T) / np.float32(pairs.runs)  # [H, H]: wins less losses, on average
        self.has = holds(pairs.hands).astype(np.float32)
        self.regrets = np.zeros((2, 2, len(depths), len(pairs.hands)), dtype=np.float32)
        """Of the big blind to jam or give up, of the small blind to call or fold."""

    def met(self, reach: Singles) -> Singles:
        return np.asarray(reach.sum(axis=1, keepdims=True) - (reach @ self.has) @ self.has.T + reach)

    def jam(self) -> Singles:
        return np.asarray(regret_matching(self.regrets[0])[0])

    def call(self, jams: Singles) -> Singles:
        """Update the small blind against jams; returns its value of the flop beyond a pot given up to it."""
        called, met = self.depths * (self.sign @ jams.T).T, self.met(jams)
        now = regret_matching(self.regrets[1])[0]
        learn_two(self.regrets[1], now, called + met)
        return np.asarray(now * called - (1 - now) * met - met)

    def open(self, reach: Singles) -> Singles:
        """Update the big blind against limps, [depths, hands]; returns its value of the flop beyond giving it up."""
        call, now = regret_matching(self.regrets[1])[0], self.jam()
        called = reach * call
        gain = self.depths * (self.sign @ called.T).T + self.met(2 * reach - called)
        learn_two(self.regrets[0], now, gain)
        return np.asarray(now * gain)


class Ranges(NamedTuple):
    """Both ranges of a limped pot, [depths, classes]."""

    limp: Floats  # how often the small blind limps
    over: Floats  # how often the big blind jams over it; it checks the rest


class _Hand:
    """One hand from the deal on, at all depths; arrays are [depths, classes], regrets have actions before that."""

    def __init__(self, table: Classes, depths: tuple[float, ...], few: FlopSubset) -> None:
        self.depths, self.classes, self.sizes = np.array(depths)[:, None], table.classes, table.class_sizes
        self.flops = [_LimpedFlop(flop_pairs(flop), np.array(depths, dtype=np.float32)) for flop in few.flops]
        self.weights = flop_weights(few.weights)
        every = np.arange(table.classes)
        ways = table.way_block(every, every) / table.total
        self.met, self.sign = ways.sum(axis=2).T, (ways[..., 0] - ways[..., 2]).T
        shape = (len(depths), table.classes)
        self.root, self.stay = np.zeros((3, *shape)), np.zeros((2, *shape))
        """The small blind's: fold, jam, limp; and call a jam over a limp, or give it up."""
        self.call, self.over = np.zeros((2, *shape)), np.zeros((2, *shape))
        """The big blind's: call a jam or fold; jam over a limp or check."""

    def small_blind(self) -> None:
        call, over, stay = (regret_matching(regrets)[0] for regrets in (self.call, self.over, self.stay))
        called, met = self.depths * (over @ self.sign), over @ self.met
        over_limp = stay * called - (1 - stay) * met
        checked = self._on_flops(lambda flop: flop.call((1 - over)[:, flop.kind].astype(np.float32) * flop.jam()))
        learn_two(self.stay, stay, called + met)
        jam = self.depths * (call @ self.sign) + 1 - call @ self.met
        worth = np.stack([np.full_like(jam, FOLD), jam, over_limp + 1 - met + checked])
        self.root += worth - (regret_matching(self.root) * worth).sum(axis=0)
        np.maximum(self.root, 0, out=self.root)

    def big_blind(self) -> None:
        call, over, stay = (regret_matching(regrets)[0] for regrets in (self.call, self.over, self.stay))
        _, jam, limp = regret_matching(self.root)
        called = limp * stay
        jammed = self.depths * (called @ self.sign) + (limp - called) @ self.met
        checked = self._on_flops(lambda flop: flop.open(limp[:, flop.kind].astype(np.float32))) - limp @ self.met
        learn_two(self.over, over, jammed - checked)
        learn_two(self.call, call, self.depths * (jam @ self.sign) + jam @ self.met)

    def _on_flops(self, worth: Callable[[_LimpedFlop], Singles]) -> Floats:
        """The value of all flops to each class."""
        total = np.zeros((len(self.depths), self.classes))
        for flop, weight in zip(self.flops, self.weights, strict=True):
            for row, values in zip(total, worth(flop), strict=True):
                row += weight * np.bincount(flop.kind, weights=values, minlength=self.classes)
        return np.asarray(total / self.sizes)


def learn_ranges(table: Classes, watch: Watch | None = None) -> Ranges:
    """The ranges of one hand for chips, with a subset of flops for all."""
    hand = _Hand(table, DEPTHS, flop_subset(SUBSET))
    limp, over = np.zeros((2, len(DEPTHS), table.classes))
    for t in range(1, ITERATIONS + 1):
        hand.small_blind()
        hand.big_blind()
        limp += t * regret_matching(hand.root)[2]
        over += t * regret_matching(hand.over)[0]
        if watch is not None:
            watch(Progress(t, ITERATIONS, "ranges"))
    total = ITERATIONS * (ITERATIONS + 1) / 2
    return Ranges(limp / total, over / total)


def learn_flop(
    pairs: FlopPairs, ranges: Ranges, depths: tuple[float, ...] = DEPTHS, iterations: int = FLOP_ITERATIONS
) -> Singles:
    """[depths, hands]: the big blind's jamming frequencies on a flop, by the average of CFR+."""
    flop = _LimpedFlop(pairs, np.array(depths, dtype=np.float32))
    limp = ((1 - RANDOM) * ranges.limp + RANDOM)[:, flop.kind].astype(np.float32)
    check = (1 - ranges.over)[:, flop.kind].astype(np.float32)
    mean = np.zeros_like(limp)
    for t in range(1, iterations + 1):
        flop.call(check * flop.jam())
        flop.open(limp)
        mean += np.float32(t) * flop.jam()
    return mean / np.float32(iterations * (iterations + 1) / 2)


def learn_two(regrets: npt.NDArray[Any], now: npt.NDArray[Any], gain: npt.NDArray[Any]) -> None:
    """CFR+ for two actions, given the frequency of the first and its gain over the second."""
    regrets[0] += (1 - now) * gain
    regrets[1] -= now * gain
    np.maximum(regrets, 0, out=regrets)


VERSION = 1
PACKET = 15  # flops of a packet
HANDS = 1176  # hands that a flop leaves
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
    distribute.run("headsup.endgame.solve_limp:packet", missing, done=tell)
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

    with ThreadPoolExecutor(cores()) as pool:
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
