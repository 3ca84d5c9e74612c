"""Make the shipped tables with swaps: `python -m headsup.discards.equity.make` (some minutes on two cores).

Every hand class is dealt DEALS times against a random hand, both players swapping by the rule; the final hands of a
player who swaps by the rule are counted (four minutes of one core); the gain of the best swap is averaged over all
flops. `.. make gains 520 FILE` takes some flops in random order and resumes from FILE.
"""

import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_name, holdem_class_of_combo, holdem_class_reps
from headsup.cards.combos import holdem_combos
from headsup.common.files import CHECKSUMS, list_checksums, write_text
from headsup.discards.equity.best import DATA as GAINS
from headsup.discards.equity.best import Floats, GainTable, gains_text
from headsup.discards.equity.deals import class_holes, deal_counts
from headsup.discards.equity.frequencies import DATA as FREQUENCIES
from headsup.discards.equity.frequencies import count_frequencies, frequencies_text
from headsup.discards.equity.kernels import RuleTables, Values
from headsup.discards.equity.maps import KINDS, flop_values
from headsup.discards.equity.table import DATA, SwapTable, table_text
from headsup.equity.blocks import map_blocks, threads
from headsup.equity.results import Z95

DEALS = 4_000_000
SEED = 2017
FLOPS = 1_755
ORDER = 5  # the seed of the order of flops


def make(deals: int = DEALS, seed: int = SEED, tables: tuple[RuleTables, Values] | None = None) -> SwapTable:
    """Deal all classes; `tables` replaces those of the rule and the evaluator."""
    rows = class_holes(holdem_class_reps())

    def work(block: slice) -> np.ndarray:
        own_seed = int(np.random.SeedSequence([seed, block.start]).generate_state(1, np.uint64)[0])
        print(holdem_class_name(block.start), file=sys.stderr)
        return deal_counts(rows[block], deals, own_seed, tables=tables)

    return SwapTable(np.concatenate(list(map_blocks(work, HOLDEM_CLASSES, 1))), seed)


def flop_sums(flop: tuple[int, ...]) -> tuple[Floats, Floats]:
    """[169, kinds] the sum of the equities of each class on a flop, and [169] the number of hands."""
    x, y = holdem_combos().astype(np.int64).T
    equities = flop_values(flop, np.ones((52, 52)) - np.eye(52)).equities[:, x, y]
    free, classes = ~np.isin(holdem_combos(), flop).any(axis=1), holdem_class_of_combo()
    sums = [np.bincount(classes[free], values[free], HOLDEM_CLASSES) for values in equities]
    return np.stack(sums, axis=1), np.bincount(classes[free], minlength=HOLDEM_CLASSES).astype(np.float64)


def make_gains(flops: int = FLOPS, kept: Path | None = None) -> GainTable:
    """Average over some flops, in parallel; `kept` is the file with the sums of finished flops."""
    level = BoardTree((), (0, 3)).levels[1]
    order = np.random.default_rng(ORDER).permutation(len(level))
    order = np.concatenate([order[::2], order[1::2]])[:flops]
    done = read_sums(kept)[:flops] if kept is not None and kept.exists() else []
    left = [tuple(sorted(level.cards[i].tolist())) for i in order[len(done) :].tolist()]
    if left:
        with ProcessPoolExecutor(min(threads(), len(left))) as pool:
            for sums, hands in pool.map(flop_sums, left):
                done.append((sums, hands))
                if kept is not None:
                    with kept.open("ab") as file:
                        file.write(np.column_stack([sums, hands]).tobytes())
                print(len(done), file=sys.stderr, flush=True)
    return gains_of(done, level.count[order].astype(np.float64), len(level))


def read_sums(path: Path) -> list[tuple[Floats, Floats]]:
    """The `flop_sums` in a file; an incomplete last flop is cut off."""
    row = 8 * HOLDEM_CLASSES * (len(KINDS) + 1)
    with path.open("ab") as file:
        file.truncate(file.tell() // row * row)
    numbers = np.fromfile(path).reshape(-1, HOLDEM_CLASSES, len(KINDS) + 1)
    return [(flop[:, :-1], flop[:, -1]) for flop in numbers]


def gains_of(flops: Iterable[tuple[Floats, Floats]], counts: Floats, every: int) -> GainTable:
    """The average gains over flops drawn from `every`, each standing for `counts`, and their margins."""
    pairs = list(flops)
    sums, hands = np.array([first for first, _ in pairs]), np.array([second for _, second in pairs])
    better = sums[:, :, 1:] - sums[:, :, :1]
    n, total = len(pairs), counts @ hands
    gains = np.einsum("f,fck->ck", counts, better) / total[:, None]
    off = counts[:, None, None] * (better - gains[None] * hands[:, :, None])
    error = np.sqrt(off.var(axis=0, ddof=1) * n * (1.0 - n / every)) / total[:, None]
    return GainTable(gains.T, Z95 * error.T, n)


if __name__ == "__main__":
    wanted = sys.argv[1:2]
    if wanted in ([], ["deals"]):
        write_text(DATA, table_text(make()))
    if wanted in ([], ["frequencies"]):
        write_text(FREQUENCIES, frequencies_text(count_frequencies()))
    if wanted in ([], ["gains"]):
        flops = int(sys.argv[2]) if len(sys.argv) > 2 else FLOPS
        write_text(GAINS, gains_text(make_gains(flops, Path(sys.argv[3]) if len(sys.argv) > 3 else None)))
    write_text(DATA.parent / CHECKSUMS, list_checksums(DATA.parent))
