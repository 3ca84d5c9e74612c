"""Make the file of flop subsets that ships: `python -m headsup.equity.make_flop_subsets` (some minutes on one core).

1. k flops are chosen by k-medoids in the space of the equities of CHOOSING (in units of their spread) and textures.
2. The weights are moved as little as brings the averages right: nonnegative least squares on the shares of all textures
   and ranks and on the average equities of CHOOSING, with a small price on moving a weight.
3. What is stated is the error of the average equity for the pairs in HELD_OUT, against the equity before the flop.

TEXTURE and RIDGE are one of nine settings tried on six further pairs of ranges, before HELD_OUT was looked at;
FEW_TEXTURE is one of four tried on six other pairs.
"""

import sys
from collections.abc import Mapping, Sequence

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.cards import cards_name
from headsup.cards.ranges import parse_range
from headsup.common.files import CHECKSUMS, list_checksums, write_text
from headsup.equity.api import equity
from headsup.equity.holdem.flop_subsets import DATA, FLOPS, Floats, FlopSubset, flop_masses
from headsup.evaluate.texture import GROUPS, textures

SIZES = (9, 25, 49, 95, 184)
OPEN_BUTTON = "22+,A2s+,K2s+,Q5s+,J7s+,T7s+,96s+,86s+,75s+,64s+,54s,A2o+,K8o+,Q9o+,J9o+,T9o"
OPEN_CUTOFF = "22+,A2s+,K8s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,A9o+,KTo+,QTo+,JTo"
OPEN_EARLY = "55+,A9s+,A5s,KTs+,QTs+,JTs,T9s,98s,AJo+,KQo"
CALL_BIG_BLIND = "99-22,A9s-A2s,KJs-K2s,Q4s+,J6s+,T6s+,96s+,85s+,74s+,64s+,53s+,43s,ATo-A2o,KQo-K9o,Q9o+,J9o+,T8o+,98o"
CALL_EARLY = "TT-22,AJs-A2s,KQs-K9s,Q9s+,J9s+,T8s+,97s+,86s+,76s,65s,AQo-ATo,KQo-KJo,QJo"
RERAISE = "99+,A9s+,A5s-A2s,KTs+,QTs+,JTs,AJo+,KQo"
CALL_RERAISE = "JJ-22,AQs-A7s,KTs+,QTs+,JTs,T9s,98s,87s,AQo-AJo,KQo"
CHOOSING = (
    (CALL_BIG_BLIND, OPEN_BUTTON),
    (CALL_EARLY, OPEN_EARLY),
    (RERAISE, CALL_RERAISE),
    ("100%", "15%"),
    ("60%", "30%"),
    ("88-22,98s,87s,76s,65s,54s", "AT+,KT+,QT+"),
    ("A2s+,A2o+", "K2s+,QTs+,JTs,K9o+,QTo+"),
    ("TT+,AK", "40%"),
)
HELD_OUT = (
    ("35%", "20%"),
    ("80%", "10%"),
    ("50%", "12%"),
    (OPEN_CUTOFF, RERAISE),
    (OPEN_BUTTON, RERAISE),
    ("TT-22,AQs-A2s,KJs-K7s,QJs-Q8s,JTs-J8s,T9s,98s,87s,76s,65s", "99+,AJ+,KQs"),
    ("66-22,A8s-A2s,KTs-K2s,Q9s-Q2s,J4s+,T5s+,95s+,85s+,74s+,63s+,A7o-A2o,KTo-K4o,Q6o+,J7o+,T7o+,97o+,87o", "55%"),
    ("JJ+,AQ+", "TT-22,AJs-A8s,KQs-KTs,QTs+,JTs,T9s"),
    ("99-22", "A2+"),
    ("KQ,KJ,QJ,JT,T9,98", "88-22,A9-A2"),
)
TEXTURE, RIDGE = 0.7, 1e-2
"""How far apart two textures are in units of equity's spread, and the price on moving a weight."""
FEW, FEW_TEXTURE = 9, 2.5
"""So few flops would all be two-tone: for them textures lie further apart (0.7, 1.5, 2.5 and 4 were tried)."""


def all_flops() -> tuple[np.ndarray, Floats]:
    level = BoardTree((), (0, 3)).levels[1]
    return np.asarray(level.cards), level.count.astype(np.float64)


def pair_table(flops: np.ndarray, pairs: Sequence[tuple[str, str]]) -> tuple[Floats, Floats]:
    """[pairs, flops] how likely a pair of ranges makes each flop, and its exact equity there."""
    masses, equities = np.zeros((2, len(pairs), len(flops)))
    for i, texts in enumerate(pairs):
        first, second = (parse_range(text) for text in texts)
        masses[i] = flop_masses(flops, (first.weights, second.weights))
        for j, flop in enumerate(flops.tolist()):
            if masses[i, j] > 0.0:
                equities[i, j] = equity(first, second, cards_name(flop)).equity
        print(f"{texts[0]} against {texts[1]}", file=sys.stderr)
    return masses, equities


def average(weights: Floats, masses: Floats, equities: Floats) -> Floats:
    """[pairs] the average equity, flops as likely as both ranges make them."""
    return np.asarray((weights * masses * equities).sum(axis=1) / (weights * masses).sum(axis=1))


def choose(flops: np.ndarray, counts: Floats, masses: Floats, equities: Floats, size: int) -> tuple[np.ndarray, Floats]:
    """Places of the chosen flops, ascending, and how many flops each stands for."""
    marks = _texture_marks(flops)
    spread = equities.std(axis=1, keepdims=True)
    texture = FEW_TEXTURE if size <= FEW else TEXTURE
    chosen, groups = medoids(np.hstack([(equities / spread).T, texture * marks]), counts, size)
    start = np.array([counts[groups == i].sum() for i in range(size)])
    exact = average(counts, masses, equities)
    gains = (masses * (equities - exact[:, None]) / (masses @ counts)[:, None] * FLOPS / spread).T
    wanted = np.hstack([marks, gains])
    return chosen, fit_weights(wanted[chosen], counts @ wanted, start)


def medoids(points: Floats, counts: Floats, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Weighted k-medoids: the places of the chosen points, ascending, and for each point which of them is nearest."""
    far = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    nearest, picked = np.full(len(points), np.inf), list[int]()
    for _ in range(size):
        picked.append(int(np.argmin(counts @ np.minimum(nearest[:, None], np.minimum(far, 1e9)))))
        nearest = np.minimum(nearest, far[:, picked[-1]])
    chosen = np.array(sorted(picked))
    while True:
        groups = far[:, chosen].argmin(axis=1)
        middles = []
        for i in range(size):
            inside = np.flatnonzero(groups == i)
            middles.append(inside[np.argmin(counts[inside] @ far[np.ix_(inside, inside)])])
        better = np.array(sorted(middles))
        if np.array_equal(better, chosen):
            return chosen, groups
        chosen = better


def fit_weights(features: Floats, totals: Floats, start: Floats) -> Floats:
    """Weights near `start`, none below a tenth of it, whose features nearly add up to the totals; by coordinates."""
    scale = 1.0 / FLOPS
    price = RIDGE / start / FLOPS
    weights, missing = start.copy(), (start @ features - totals) * scale
    rows = features * scale
    bend = (rows**2).sum(axis=1) + price
    for _ in range(20_000):
        before = weights.copy()
        for i in range(len(weights)):
            slope = rows[i] @ missing + price[i] * (weights[i] - start[i])
            new = max(0.1 * start[i], weights[i] - slope / bend[i])
            missing += (new - weights[i]) * rows[i]
            weights[i] = new
        if np.abs(weights - before).max() < 1e-6:
            break
    return np.asarray(weights * (FLOPS / weights.sum()))


def _texture_marks(flops: np.ndarray) -> Floats:
    """[flops, marks] 1 for each word of its texture, and how many cards it has of each rank."""
    words_of = textures(flops)
    words = [words_of[group][:, None] == np.arange(len(names)) for group, names in GROUPS.items()]
    ranks = (flops[:, :, None] >> 2 == np.arange(13)).sum(axis=1) / 2.0
    return np.hstack([*words, ranks]).astype(np.float64)


def subsets_text(subsets: Mapping[int, FlopSubset]) -> str:
    """The subsets as a text that `flop_subsets.parse_subsets` reads."""
    head = (
        "# Flops that stand for all, each with how many of 22,100; made by python -m headsup.equity.make_flop_subsets"
    )
    blocks = [
        "\n".join(
            [
                f"flops {size} rms {subset.rms:.6f} worst {subset.worst:.6f}",
                *(
                    f"{cards_name(flop[::-1])} {w:.2f}"
                    for flop, w in zip(subset.flops.tolist(), subset.weights, strict=True)
                ),
            ]
        )
        for size, subset in subsets.items()
    ]
    return "\n\n".join([head, *blocks]) + "\n"


def errors(flops: np.ndarray, weights: Floats, pairs: Sequence[tuple[str, str]]) -> Floats:
    """[pairs] how far the average equity on some flops is from the exact one, as a share of the pot."""
    exact = [equity(first, second).equity for first, second in pairs]
    return average(weights, *pair_table(flops, pairs)) - exact


def make(known: tuple[Floats, Floats] | None = None) -> dict[int, FlopSubset]:
    """Choose the subsets of all sizes and measure them; `known` is the table of CHOOSING where it was made before."""
    flops, counts = all_flops()
    masses, equities = known or pair_table(flops, CHOOSING)
    subsets = {}
    for size in SIZES:
        chosen, weights = choose(flops, counts, masses, equities, size)
        weights = weights.round(2)
        off = errors(flops[chosen], weights, HELD_OUT)
        subsets[size] = FlopSubset(flops[chosen], weights, float(np.sqrt((off**2).mean())), float(np.abs(off).max()))
    return subsets


if __name__ == "__main__":
    DATA.parent.mkdir(exist_ok=True)
    write_text(DATA, subsets_text(make()))
    write_text(DATA.parent / CHECKSUMS, list_checksums(DATA.parent))
