"""What hands earn over all flops, estimated from the flops that were solved.

On every flop it is known what a hand would earn if it were checked down (`headsup.preflop.pairs`). What it earns with
betting is predicted from that on the flops that were not solved, in three steps. The first is a regression with the
same coefficients for all classes: on the hand's equity, and on how well its range does on the flop. The second adds for
each class what this leaves on average. The third is a ridge regression of the rest, for each class alone, on what kind
of flop it is: its suits and pairs, and the directions in which the equities of all classes vary most from flop to flop.

`headsup.preflop.correct` prints the error of such estimates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headsup.common.arrays import AnyArray, Floats

DIRECTIONS = 12
"""Of the equities of all classes."""
SPREAD = 2.0
"""The mean square of a flop's place along these directions, where suits and pairs count 0 or 1."""
RIDGE = 8.0


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What a line pays a seat on every flop if it is checked down."""

    met: Floats
    """[flops, classes]: how much of the opponent's reach a hand meets."""
    beaten: Floats
    """[flops, classes]: how much of it the hand beats."""
    own: Floats
    """[classes]: how many hands of each class come there."""

    @property
    def equity(self) -> Floats:
        """[flops, classes]; 0 where a hand meets nothing."""
        return np.asarray(self.beaten / np.maximum(self.met, 1e-30))

    @cached_property
    def terms(self) -> Floats:
        """[flops, classes, terms] of the regression that all classes share."""
        met, beaten, equity = self.met, self.beaten, self.equity
        weight = np.maximum((met * self.own).sum(axis=1), 1e-30)
        whole, squared = (((table * self.own).sum(axis=1) / weight)[:, None] for table in (beaten, beaten * equity))
        terms = [met, beaten, beaten * equity]
        shared = [term * of for of in (whole - whole.mean(), squared - squared.mean()) for term in terms]
        return np.stack([*terms, beaten * equity**2, *shared], axis=-1)

    @cached_property
    def directions(self) -> Floats:
        """[flops, directions]: where a flop lies in the directions in which equities vary most."""
        left, size, _ = np.linalg.svd(self.equity - self.equity.mean(axis=0), full_matrices=False)
        places = left[:, :DIRECTIONS] * size[:DIRECTIONS]
        return np.asarray(places * np.sqrt(SPREAD / max(float((places**2).sum(axis=1).mean()), 1e-30)))


def flop_textures(cards: AnyArray) -> Floats:
    """[flops, 4]: whether a flop has one suit, two suits, a pair, three of a kind."""
    suits, ranks = (np.array([len(set(row)) for row in part.tolist()]) for part in (cards % 4, cards // 4))
    return np.stack([suits == 1, suits == 2, ranks == 2, ranks == 1], axis=1).astype(np.float64)


def sum_over_flops(values: Floats, outcomes: Outcomes, textures: Floats, copies: Floats, flops: list[int]) -> Floats:
    """[classes]: the sum over all flops of what was found on some, [flops, classes]; exact where they are all of them.

    `copies` are the flops that each one stands for up to suits; a value is the sum over them.
    """
    known, times = outcomes.terms, copies[flops][:, None]
    sample = known[flops]
    slopes = np.linalg.lstsq(sample.reshape(-1, known.shape[-1]), (values / times).ravel(), rcond=None)[0]
    left = values / times - sample @ slopes
    met = outcomes.met / np.maximum(outcomes.met.mean(axis=0), 1e-30)
    weight = times / times.mean()
    mean = (weight * left).sum(axis=0) / np.maximum((weight * met[flops]).sum(axis=0), 1e-30)
    kinds = np.concatenate([outcomes.directions, textures], axis=1)
    # centered for each class where it meets hands, so that on these flops the third step adds nothing to the sum
    center = (weight * met[flops]).T @ kinds[flops] / np.maximum((weight * met[flops]).sum(axis=0), 1e-30)[:, None]
    columns = met[flops].T[:, :, None] * (kinds[flops] - center[:, None])  # [classes, flops, terms]
    inner, rest = columns.transpose(0, 2, 1) @ (weight * columns), weight * (left - met[flops] * mean)
    right = np.einsum("fh,hfi->hi", rest, columns)
    each = np.linalg.solve(inner + RIDGE * np.eye(kinds.shape[1]), right[..., None])[..., 0]
    others = np.where(np.isin(np.arange(len(copies)), flops), 0.0, copies)
    weighted = others[:, None] * met
    predicted = np.tensordot(others, known, 1) @ slopes + weighted.sum(axis=0) * mean
    places = weighted.T @ kinds - weighted.sum(axis=0)[:, None] * center
    return np.asarray(values.sum(axis=0) + predicted + (places * each).sum(axis=1))
