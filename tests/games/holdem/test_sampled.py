"""Samples of chance: what they gain on average is what the whole game gains, to the last digit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games.holdem.bucketed import TableBuckets
from headsup.games.holdem.sampled import BoardSampler, Deals, DealSampler
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.bucketwalk import BucketSums, BucketWalker
from headsup.games.walk.walk import LEARN
from headsup.solve.holdem.deals import DealWalker
from tests.bucket_makers import HOLDEM, in_parts, small
from tests.solve import compiled

TINY = "holdem-limit:ranks=3,suits=3,streets=2,raises=2"
THREE = "holdem-limit:ranks=3,suits=3,streets=3,raises=1"


def setting(text: str) -> tuple[VectorGame, TableBuckets]:
    of = small(text)
    if text == "leduc":
        rank = np.arange(6) // 2
        boards = of.boards.levels[1].cards[:, 0] // 2
        return of, TableBuckets(of, [rank[None].astype(np.uint8), (boards[:, None] * 3 + rank).astype(np.uint8)])
    return of, in_parts(of, (4, 5, 6)[: of.streets])


def numbers(walker: BucketWalker, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.random(walker.layouts[0].size), random.random(walker.layouts[1].size)


def new_sums(walker: BucketWalker, seat: int) -> BucketSums:
    size = walker.layouts[seat].size
    return BucketSums(np.zeros(size, walker.dtype), np.zeros(size, walker.dtype))


@pytest.mark.parametrize("text", [*(pytest.param(one, marks=compiled) for one in (HOLDEM, THREE)), "leduc"])
def test_all_samples_by_their_odds_are_the_whole_game(text: str) -> None:
    """Every path of boards as a sample of one, weighted by how often it is drawn: what a full sweep gains."""
    of, buckets = setting(text)
    whole = BucketWalker(of, buckets)
    given, sampler, few = numbers(whole), BoardSampler(of, 1), None
    wanted = [new_sums(whole, 0), new_sums(whole, 1)]
    values = [whole.walk(p, LEARN, given, 0.5, wanted[p]) for p in (0, 1)]
    found, worth, odds = [new_sums(whole, 0), new_sums(whole, 1)], [0.0, 0.0], 0.0
    copies = [np.diff(getattr(level, "first", np.arange(len(level) + 1))) for level in of.boards.levels]
    for last in range(len(of.boards.levels[-1])):
        path = [last]
        for level in of.boards.levels[:0:-1]:
            path.insert(0, int(level.parent[path[0]]))
        often = np.prod([copies[s][b] for s, b in enumerate(path)]) / of.boards.totals()[-1]
        sample = sampler.sample([np.array([b]) for b in path])
        if few is None:
            few = BucketWalker(sample.game, sample.buckets(buckets))
        few.deal(sample.game, sample.buckets(buckets))
        odds += often
        for p in (0, 1):
            one = new_sums(few, p)
            worth[p] += often * float(of.weights[p] @ few.walk(p, LEARN, given, 0.5, one))
            for sums, part in zip(found[p], one, strict=True):
                sums += often * part
    assert odds == pytest.approx(1.0)
    for p in (0, 1):
        assert worth[p] == pytest.approx(float(of.weights[p] @ values[p]), abs=1e-12)
        assert found[p].gain == pytest.approx(wanted[p].gain, abs=1e-12)
        # averages are in proportion, street by street: the root is played in every sample
        first = whole.layouts[p].first[whole.layouts[p].row_at]
        factors = np.repeat(sampler.factors, np.diff(first))
        assert found[p].played * factors == pytest.approx(wanted[p].played, abs=1e-9)
        assert abs(wanted[p].gain).max() > 0.01


@pytest.mark.parametrize("counts", [2, (3, 2)])
def test_a_sample_has_as_many_boards_as_asked_for(counts: int | tuple[int, int]) -> None:
    of, _ = setting(THREE)
    sampler = BoardSampler(of, counts)
    one = sampler.draw(3, 0, 7)
    assert one.game.boards.sizes() == ([1, 2, 2] if counts == 2 else [1, 3, 6])
    for s in (1, 2):
        assert (
            of.boards.levels[s].parent[one.numbers[s]] == one.numbers[s - 1][one.game.boards.levels[s].parent]
        ).all()
        assert (one.game.boards.levels[s].cards == of.boards.levels[s].cards[one.numbers[s]]).all()
    again = sampler.draw(3, 0, 7)
    assert all((a == b).all() for a, b in zip(one.numbers, again.numbers, strict=True))


def test_boards_are_drawn_as_often_as_they_have_copies() -> None:
    of, _ = setting(THREE)
    level = of.boards.levels[2]
    for seat in (0, 1):
        drawn = BoardSampler(of, 20_000).draw(5, seat, 0)
        share = np.bincount(drawn.numbers[2], minlength=len(level)) / 20_000
        assert share == pytest.approx(level.count / level.count.sum(), abs=0.001)  # type: ignore[attr-defined]


@pytest.mark.parametrize("seat", [0, 1])
def test_boards_of_many_iterations_are_drawn_evenly(seat: int) -> None:
    """Counts of flops, and of turns below them, differ from their shares by a few draws, however many there were."""
    of, _ = setting(THREE)
    sampler, iterations = BoardSampler(of, (3, 2)), 400
    every = [sampler.numbers(5, seat, i) for i in range(iterations)]
    for s, draws in ((1, 3 * iterations), (2, 6 * iterations)):
        level = of.boards.levels[s]
        shares = level.count / level.count.sum()  # type: ignore[attr-defined]
        counts = np.bincount(np.concatenate([numbers[s] for numbers in every]), minlength=len(level))
        assert abs(counts - draws * shares).max() < 6
        assert counts.min() > 0


def pure(given: np.ndarray, layout_first: np.ndarray, rows: list[tuple[int, int]]) -> np.ndarray:
    """Numbers that play the best action of each bucket always."""
    out = np.zeros_like(given)
    for row, count in rows:
        parts = np.stack([given[layout_first[r] : layout_first[r + 1]] for r in range(row, row + count)])
        for bucket, best in enumerate(parts.argmax(axis=0)):
            out[layout_first[row + best] + bucket] = 1.0
    return out


@pytest.mark.parametrize("text", [pytest.param(TINY, marks=compiled), "leduc"])
def test_deals_one_by_one_are_the_whole_game(text: str) -> None:
    """All deals, each once, against an opponent who never mixes, so that nothing is left to chance."""
    of, buckets = setting(text)
    whole, deals = BucketWalker(of, buckets), DealWalker(of, buckets)
    given = numbers(whole)
    for me in (0, 1):
        layout, rounds = whole.layouts[1 - me], of.rounds
        street = np.repeat(np.arange(of.streets), np.diff(rounds.start))
        theirs = np.flatnonzero(rounds.player == 1 - me)
        rows = [(int(layout.row_at[street[n]] + rounds.row[n]), int(rounds.count[n])) for n in theirs]
        fixed = pure(given[1 - me], layout.first, rows)
        both = (given[0], fixed) if me == 0 else (fixed, given[1])
        wanted = new_sums(whole, me)
        whole.walk(me, LEARN, both, 0.0, wanted)
        weights, drawn = every_deal(of, deals.deals)
        gain, total = np.zeros_like(wanted.gain), 0.0
        for weight in np.unique(weights):
            some = np.flatnonzero(weights == weight)
            part = drawn._replace(
                numbers=tuple(one[some] for one in drawn.numbers),
                hands=(drawn.hands[0][some], drawn.hands[1][some]),
                share=drawn.share[some],
            )
            found = BucketSums(np.zeros_like(gain), np.zeros_like(given[1 - me]))
            deals.play(part, me, both, 0.0, found, np.random.default_rng(1))
            gain += weight * len(some) * found.gain
            total += weight * len(some)
        assert gain / total == pytest.approx(wanted.gain, abs=1e-12)


def every_deal(of: VectorGame, sampler: DealSampler) -> tuple[np.ndarray, Deals]:
    """All deals with their weights."""
    last, found = of.streets - 1, []
    for b in range(len(of.boards.levels[last])):
        copies = int(getattr(of.boards.levels[last], "count", np.ones(b + 1))[b])
        names = of.showdown.names(0)
        for mine, yours in product(of.showdown.alive(0, last, b), of.showdown.alive(1, last, b)):
            cards = {names[mine][i : i + 2] for i in range(0, len(names[mine]), 2)}
            if not cards & {names[yours][i : i + 2] for i in range(0, len(names[yours]), 2)}:
                found.append((copies, b, mine, yours))
    table = np.array(found)
    return table[:, 0], sampler.deals(table[:, 1], table[:, 2], table[:, 3])


@pytest.mark.parametrize("text", [TINY, "leduc"])
def test_deals_come_as_often_as_they_should(text: str) -> None:
    of, _ = setting(text)
    sampler = DealSampler(of)
    drawn = sampler.draw(np.random.default_rng(9), 40_000)
    weights, every = every_deal(of, sampler)
    for p in (0, 1):
        share = np.bincount(drawn.hands[p], minlength=of.showdown.sizes[p]) / 40_000
        wanted = np.bincount(every.hands[p], weights, minlength=of.showdown.sizes[p]) / weights.sum()
        assert share == pytest.approx(wanted, abs=0.012)
    share = np.bincount(drawn.numbers[-1], minlength=len(of.boards.levels[-1])) / 40_000
    wanted = np.bincount(every.numbers[-1], weights, minlength=len(share)) / weights.sum()
    assert share == pytest.approx(wanted, abs=0.012)
    assert drawn.share.mean() == pytest.approx(0.5, abs=0.012)


@compiled
def test_sampled_play_of_the_other_is_on_average_its_own() -> None:
    """What goes into the other's average by deals is, on average and in proportion, what a sweep puts there."""
    of, buckets = setting("leduc")
    whole, deals = BucketWalker(of, buckets), DealWalker(of, buckets)
    given, found = numbers(whole), new_sums(whole, 1)
    whole.walk(1, LEARN, given, 1.0, found)
    sums = BucketSums(np.zeros_like(given[0]), np.zeros_like(given[1]))
    deals.walk(0, given, 100_000, 1.0, sums, np.random.default_rng(4))
    played = sums.played
    first = whole.layouts[1].first[whole.layouts[1].row_at]
    for s in (0, 1):
        here = slice(first[s], first[s + 1])
        assert played[here] / played[here].sum() == pytest.approx(
            found.played[here] / found.played[here].sum(), abs=0.01
        )


def test_refusals() -> None:
    of, _ = setting(THREE)
    with pytest.raises(UserError, match="2 times"):
        BoardSampler(of, (1, 1, 1))
    with pytest.raises(UserError, match="at least 1"):
        BoardSampler(of, 0)
    with pytest.raises(UserError, match="deals no boards"):
        BoardSampler(small("kuhn"), 1)
