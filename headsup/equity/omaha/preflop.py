"""Omaha before the flop: pairs of hands up to suits by factorisation, or a table of all matchups.

A range against a random hand is a sum over its hands, each against all at once (`hand_against_all`). Ranges of whole
classes are a weighted sum over the entries of the table that `headsup tabulate` has written; without a table, the part
that the two ranges need is computed (`rank_sets`).
"""

from __future__ import annotations

from math import comb, inf
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import omaha_class_of_combo, omaha_class_sizes
from headsup.cards.combos import OMAHA_COUNT, combos
from headsup.cards.suits import permuted_combos, stabiliser
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.equity.blocks import map_blocks
from headsup.equity.question import Ints, Question, Side
from headsup.equity.results import Grid, as_grid, high_grid, mirrored, outcome_grid

if TYPE_CHECKING:
    from headsup.equity.omaha.matchups import Matchups

MOST_PAIRS = 20_000_000  # more pairs of hands than this are not listed
MATCHUP = 2e-3  # seconds for one hand against another
AGAINST_ALL = 3.0  # seconds for one hand against all others
LISTED = 60.0  # pairs that take at least so many seconds are not listed to know it better


def outcome_table(game: str) -> Matchups | None:
    """The table of this game in the cache folder, if it is there, whole, of a full deck, and has outcomes."""
    from headsup.equity.omaha.matchups import default_folder, load
    from headsup.equity.omaha.matchups.store import read_manifest

    try:
        manifest = read_manifest(default_folder())
        if manifest is None or manifest.ranks != 13:
            return None
        table = load(game)
    except (UserError, OSError):  # one that cannot be read answers nothing, and every question has another way
        return None
    return table if table.outcomes is not None else None


def class_weights(side: Side) -> Ints | None:
    """int64[16432]: the weight that the hands of each class share, or None when a class is held only in part."""
    classes = omaha_class_of_combo()[side.combos]
    sizes = omaha_class_sizes()
    most = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(most, classes, side.weights)
    held = np.bincount(classes, side.weights, len(sizes)).astype(np.int64)
    return most if np.array_equal(held, most * sizes) else None


def table_cost(question: Question) -> float | None:
    """Roughly the seconds for an answer from the table, as far as it must be computed; None where it has no answer."""
    if question.board or question.dead or class_weights(question.a) is None or class_weights(question.b) is None:
        return None
    if outcome_table(question.game) is not None:
        return 0.05 + 4e-9 * len(question.a.combos) * len(question.b.combos)
    from headsup.equity.omaha.rank_sets import rank_sets_cost

    return 0.5 + rank_sets_cost(question)


def table_grid(question: Question, progress: Watch | None = None) -> Grid:
    """The counts from the table: win, tie, lose in Omaha high; the five outcomes, without parts, in hi-lo."""
    table, a, b = outcome_table(question.game), class_weights(question.a), class_weights(question.b)
    if a is None or b is None:
        raise UserError(
            "the matchup table knows hands up to suits only, and one of these ranges holds a class of hands in part: "
            "use method factorisation or sweep"
        )
    if table is not None:
        return weighted_outcomes(table, a, b)
    from headsup.equity.omaha.rank_sets import rank_sets_counts

    counts = rank_sets_counts(question, a, b, progress)
    return high_grid(*counts[5:]) if question.game == "omaha" else outcome_grid(*counts[:5])


def weighted_outcomes(table: Matchups, a: Ints, b: Ints) -> Grid:
    """The sum over classes i, j of a[i] * b[j] * (all outcomes of hands of i against hands of j)."""
    assert table.outcomes is not None
    columns = np.flatnonzero(b)
    totals = [0] * table.outcomes.shape[2]
    for row in np.flatnonzero(a).tolist():
        # An entry is below 2^25, a weight below 2^14 and there are fewer than 2^15 columns: a row fits in int64.
        counts = b[columns] @ table.outcomes[row][columns].astype(np.int64)
        hands = int(a[row]) * int(table.sizes[row])
        totals = [total + hands * int(count) for total, count in zip(totals, counts, strict=True)]
    return high_grid(*totals) if table.game == "omaha" else outcome_grid(*totals)


def canonical_pairs(question: Question) -> tuple[Ints, list[int]]:
    """The pairs of disjoint hands up to suits, as int64[n, 2] combo numbers, and the weight of each."""
    pairs = len(question.a.combos) * len(question.b.combos)
    if pairs > MOST_PAIRS:
        raise UserError(f"{pairs:,} pairs of hands are too many to go through one by one: use method sweep or sampling")
    rows, columns = np.nonzero((question.a.masks[:, None] & question.b.masks[None, :]) == 0)
    first, second = question.a.combos[rows], question.b.combos[columns]
    weights = question.a.weights[rows] * question.b.weights[columns]
    keys = np.full(len(rows), np.iinfo(np.int64).max)
    for renaming in stabiliser(question.known):
        image = permuted_combos(4, renaming)
        np.minimum(keys, image[first].astype(np.int64) * OMAHA_COUNT + image[second], out=keys)
    distinct, which = np.unique(keys, return_inverse=True)
    totals: npt.NDArray[np.int64] = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, which.reshape(-1), weights)  # a weight is at most 10^8 and a pair has at most 24 images
    return np.stack(np.divmod(distinct, OMAHA_COUNT), axis=1), totals.tolist()


def holds_all(question: Question, side: Side) -> bool:
    """Whether a side is a random hand: every hand of the deck, all with one weight."""
    cards = 52 - question.known.bit_count()
    return len(side.combos) == comb(cards, 4) and bool((side.weights == side.weights[0]).all())


def canonical_hands(question: Question, side: Side) -> tuple[Ints, Ints]:
    """The hands of a side up to suits, as combo numbers, and the weight of each."""
    images = [permuted_combos(4, renaming)[side.combos] for renaming in stabiliser(question.known)]
    distinct, which = np.unique(np.min(images, axis=0), return_inverse=True)
    totals: npt.NDArray[np.int64] = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, which.reshape(-1), side.weights)
    return distinct.astype(np.int64), totals


def against_random_grid(question: Question, progress: Watch | None = None) -> Grid:
    """The exact grid of a range against a random hand, or of a random hand against a range."""
    from headsup.equity.omaha.eval8 import hand_against_all

    turned = not holds_all(question, question.b)
    mine, random = (question.b, question.a) if turned else (question.a, question.b)
    numbers, weights = canonical_hands(question, mine)
    total = np.zeros((3, 4), dtype=object)
    each = progress if len(numbers) == 1 else None
    for done, (number, weight) in enumerate(zip(numbers.tolist(), weights.tolist(), strict=True), start=1):
        counts = hand_against_all(_cards(combos(4)[number]), question.dead, each)
        total += weight * int(random.weights[0]) * counts.astype(object)
        if progress is not None and each is None:
            progress(Progress(done, len(numbers)))
    grid = as_grid(total.tolist())
    return mirrored(grid) if turned else grid


def factorised_grid(question: Question, progress: Watch | None = None) -> Grid:
    """The exact grid by factorisation, whichever way is less work."""
    if random_cost(question) < pairs_cost(question):
        return against_random_grid(question, progress)
    return pairs_grid(question, progress)


def random_cost(question: Question) -> float:
    """Roughly the seconds of `against_random_grid` on one core; infinite unless one side is a random hand."""
    for mine, theirs in ((question.a, question.b), (question.b, question.a)):
        if holds_all(question, theirs):
            return AGAINST_ALL * len(canonical_hands(question, mine)[0])
    return inf


def pairs_cost(question: Question) -> float:
    """Roughly the seconds of `pairs_grid` on one core; for many pairs, which are not listed, less than that."""
    # A pair has at most 24 images.
    least = MATCHUP * len(question.a.combos) * len(question.b.combos) / 24
    return least if least > LISTED else MATCHUP * len(canonical_pairs(question)[1])


def pairs_grid(question: Question, progress: Watch | None = None) -> Grid:
    """The exact grid by one `matchup_grid` for each pair of hands up to suits."""
    from headsup.equity.omaha.eval8 import matchup_grid

    pairs, weights = canonical_pairs(question)
    hands = combos(4)

    def work(block: slice) -> npt.NDArray[np.object_]:
        total = np.zeros((3, 4), dtype=object)
        for (a, b), weight in zip(pairs[block], weights[block], strict=True):
            total += weight * matchup_grid(_cards(hands[a]), _cards(hands[b]), question.dead).astype(object)
        return total

    parts = map_blocks(work, len(pairs), 16, progress)
    return as_grid(sum(parts, np.zeros((3, 4), dtype=object)).tolist())


def _cards(row: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    return tuple(int(card) for card in row)
