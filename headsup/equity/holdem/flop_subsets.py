"""Subsets of the 1,755 flops up to suits, with weights, that approximate averages over all flops.

`make_flop_subsets` chooses them and measures their errors. With weights w0, w1 of both players' hands the probability
of a flop is proportional to Z(flop) = sum of w0(a) w1(b) over hands a, b and flop without a common card, so an average
over flops is sum(n Z x) / sum(n Z), where n of the 22,100 flops are equivalent to one.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import parse_cards
from headsup.cards.combos import combo_masks, holdem_combos, omaha_combos, row_masks, weight_apart
from headsup.common.checks import as_text, door, whole
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed, read_shipped

DATA = Path(__file__).parent / "data" / "flop_subsets.txt"
Floats = npt.NDArray[np.float64]
FLOPS = 22_100  # all flops


@dataclass(frozen=True, eq=False)
class FlopSubset:
    """Some flops up to suits that represent all of them."""

    flops: npt.NDArray[np.uint8]  # [n, 3]
    weights: Floats  # [n] how many of the 22,100 flops each stands for; not whole numbers
    rms: float  # the error of the average equity, as a share of the pot: root mean square over pairs of ranges not used
    worst: float  # the greatest of those errors

    def __repr__(self) -> str:
        return f"<FlopSubset of {len(self.flops)}: average equities within {self.worst:.2%}, {self.rms:.2%} rms>"


@cache
def flop_subsets() -> dict[int, FlopSubset]:
    text = read_shipped(DATA).decode()
    return parsed(DATA, lambda: parse_subsets(text), "a list of flops")


@door(size=whole)
def flop_subset(size: int) -> FlopSubset:
    subsets = flop_subsets()
    if size not in subsets:
        raise UserError(f"there is no subset of {size} flops: choose one of {', '.join(map(str, subsets))}")
    return subsets[size]


@door(text=as_text)
def parse_subsets(text: str) -> dict[int, FlopSubset]:
    subsets: dict[int, FlopSubset] = {}
    for block in text.split("\n\n")[1:]:
        head, *lines = block.strip().splitlines()
        size, rms, worst = head.split()[1::2]
        rows = [line.split() for line in lines]
        flops = np.array([sorted(parse_cards(name)) for name, _ in rows], dtype=np.uint8)
        weights = np.array([float(weight) for _, weight in rows])
        if len(flops) != int(size) or flops.shape[1:] != (3,) or not (weights > 0.0).all():
            raise DataError(f"the subset of {size} flops is not whole: reinstall headsup")
        subsets[int(size)] = FlopSubset(flops, weights, float(rms), float(worst))
    return subsets


def flop_masses(flops: npt.NDArray[np.uint8], ranges: tuple[Floats, Floats]) -> Floats:
    """[n] Z: the weight of all pairs of hands that can be dealt with each flop, from weights of all combos."""
    if len(ranges[0]) == len(omaha_combos()):
        return np.array([_mass_of_four(np.uint64(mask), ranges) for mask in row_masks(flops)])
    free = (combo_masks(2)[None] & row_masks(flops)[:, None]) == 0
    first, second = (free * np.asarray(weights, dtype=np.float64) for weights in ranges)
    # Of all pairs, those that share a card are taken out; the same hand twice shares two, so it comes back once.
    has = (holdem_combos()[:, :, None] == np.arange(52)).any(axis=1).astype(np.float64)
    shared = ((first @ has) * (second @ has)).sum(axis=1)
    return np.asarray(first.sum(axis=1) * second.sum(axis=1) - shared + (first * second).sum(axis=1))


def _mass_of_four(flop: np.uint64, ranges: tuple[Floats, Floats]) -> float:
    """The same for hands of four cards on one flop."""
    free = (combo_masks(4) & flop) == 0
    first, second = (np.flatnonzero(free & (weights > 0.0)) for weights in ranges)
    met = weight_apart(omaha_combos()[first], omaha_combos()[second], np.asarray(ranges[1][second], dtype=np.float64))
    return float(ranges[0][first] @ met)
