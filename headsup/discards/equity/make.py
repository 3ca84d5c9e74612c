"""Make the tables with swaps that ship: `python -m headsup.discards.equity.make` (some minutes on two cores).

1. Every hand class is dealt DEALS times against a random hand, both players swapping by the report's rule. The interval
   of each is then within 0.0005 to either side. Each class has cards of its own from the seed.
2. What the best swap gains over the rule is found on flops, each looked through (`swap_maps`), and averaged as often as
   flops come. What ships has all 1,755 flops up to suits (four minutes of two cores); fewer serve too, in a random
   order: `python -m headsup.discards.equity.make gains 520`. Where a file is named after the number, each flop is added
   to it as soon as it is done, and a run that was cut goes on from there.
"""

from __future__ import annotations

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
from headsup.discards.equity.kernels import Rule, Values
from headsup.discards.equity.maps import KINDS, flop_values
from headsup.discards.equity.table import DATA, SwapTable, table_text
from headsup.equity.blocks import map_blocks, threads
from headsup.equity.results import Z95

DEALS = 4_000_000
SEED = 2017
FLOPS = 1_755
ORDER = 5
"""The seed of the order of flops."""


def make(deals: int = DEALS, seed: int = SEED, tables: tuple[Rule, Values] | None = None) -> SwapTable:
    """Deal all classes; `tables` takes the place of the rule's and the evaluator's."""
    rows = class_holes(holdem_class_reps())

    def work(block: slice) -> np.ndarray:
        one = int(np.random.SeedSequence([seed, block.start]).generate_state(1, np.uint64)[0])
        print(holdem_class_name(block.start), file=sys.stderr)
        return deal_counts(rows[block], deals, one, tables=tables)

    return SwapTable(np.concatenate(list(map_blocks(work, HOLDEM_CLASSES, 1))), seed)


def flop_sums(flop: tuple[int, ...]) -> tuple[Floats, Floats]:
    """[169, kinds] the equities of the hands of each class on a flop, added up, and how many there are, [169]."""
    x, y = holdem_combos().astype(np.int64).T
    equities = flop_values(flop, np.ones((52, 52)) - np.eye(52)).equities[:, x, y]
    free, classes = ~np.isin(holdem_combos(), flop).any(axis=1), holdem_class_of_combo()
    sums = [np.bincount(classes[free], one[free], HOLDEM_CLASSES) for one in equities]
    return np.stack(sums, axis=1), np.bincount(classes[free], minlength=HOLDEM_CLASSES).astype(np.float64)


def make_gains(flops: int = FLOPS, kept: Path | None = None) -> GainTable:
    """Look through some flops, as many at once as there are threads; `kept` has the sums of those that were done."""
    level = BoardTree((), (0, 3)).levels[1]
    order = np.random.default_rng(ORDER).permutation(len(level))
    order = np.concatenate([order[::2], order[1::2]])[:flops]
    found = read_sums(kept)[:flops] if kept is not None and kept.exists() else []
    left = [tuple(sorted(level.cards[i].tolist())) for i in order[len(found) :].tolist()]
    if left:
        with ProcessPoolExecutor(min(threads(), len(left))) as pool:
            for sums, hands in pool.map(flop_sums, left):
                found.append((sums, hands))
                if kept is not None:
                    with kept.open("ab") as file:
                        file.write(np.column_stack([sums, hands]).tobytes())
                print(len(found), file=sys.stderr, flush=True)
    return gains_of(found, level.count[order].astype(np.float64), len(level))


def read_sums(path: Path) -> list[tuple[Floats, Floats]]:
    """What `flop_sums` told of each flop of a file; one that was cut in the middle is taken off it."""
    row = 8 * HOLDEM_CLASSES * (len(KINDS) + 1)
    with path.open("ab") as file:
        file.truncate(file.tell() // row * row)
    numbers = np.fromfile(path).reshape(-1, HOLDEM_CLASSES, len(KINDS) + 1)
    return [(one[:, :-1], one[:, -1]) for one in numbers]


def gains_of(found: Iterable[tuple[Floats, Floats]], counts: Floats, every: int) -> GainTable:
    """The average gains over flops drawn from `every`, each standing for `counts`, and their margins."""
    pairs = list(found)
    sums, hands = np.array([one for one, _ in pairs]), np.array([two for _, two in pairs])
    better = sums[:, :, 1:] - sums[:, :, :1]
    n, total = len(pairs), counts @ hands
    gains = np.einsum("f,fck->ck", counts, better) / total[:, None]
    off = counts[:, None, None] * (better - gains[None] * hands[:, :, None])
    error = np.sqrt(off.var(axis=0, ddof=1) * n * (1.0 - n / every)) / total[:, None]
    return GainTable(gains.T, Z95 * error.T, n)


if __name__ == "__main__":
    wanted = sys.argv[1:2]
    if wanted != ["gains"]:
        write_text(DATA, table_text(make()))
    if wanted != ["deals"]:
        flops = int(sys.argv[2]) if len(sys.argv) > 2 else FLOPS
        write_text(GAINS, gains_text(make_gains(flops, Path(sys.argv[3]) if len(sys.argv) > 3 else None)))
    write_text(DATA.parent / CHECKSUMS, list_checksums(DATA.parent))
