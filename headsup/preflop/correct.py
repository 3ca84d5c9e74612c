"""Correct a subset of flops for what betting earns on all flops.

What betting earns on a subset is not what it earns on all 1,755 flops. With a chart fixed, `headsup.preflop.all_flops`
solves the flops of the subset and some others below it. From both this module estimates what every hand earns more on
all flops than on the subset, line by line. A chart that is solved again with the same subset pays that on top.

    python -m headsup.preflop.all_flops chart.headsup --work subset --subset 49 --device gpu
    python -m headsup.preflop.all_flops chart.headsup --work others --shard 1/2 --flops 250 --device gpu
    python -m headsup.preflop.correct chart.headsup --work subset others --flops 49 --pairs pairs.npy --save more
    python -m headsup.preflop.make 15 --flops 49 --iterations 260 --device gpu --correct more --out better.headsup

The new chart is measured on flops that it has not seen: `all_flops better.headsup --shard 2/2`.

With `--start FILE`, a correction of the same lines found at another stack, only what is still lacking after it is
estimated, and as much of that is added as the estimate can tell from its own error.

A correction must be paid also after ranges have changed, and what one player gets the other must lose. So it is a sum
of two terms for each pair of hands, x(own hand) + y(opponent's hand), chosen so that with the ranges of the chart every
hand of both players gets what it lacks.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from headsup.cards.boards import Boards
from headsup.cards.classes import HOLDEM_CLASSES, class_means, holdem_class_of_combo, holdem_class_sizes
from headsup.cards.combos import combo_masks
from headsup.common.archives import load_record, save_record
from headsup.common.arrays import AnyArray, Floats
from headsup.common.display import json_line
from headsup.common.errors import DataError, UserError, plainly
from headsup.common.files import parsed
from headsup.games.betting.stakes import CHIPS, SEATS
from headsup.games.holdem.packet import board_packet
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.trunk import LinePayments, open_lines
from headsup.preflop.all_flops import (
    ITERATIONS,
    FlopResult,
    checked_down,
    every_flop,
    policy_of,
    reach_of_lines,
    solved_flops,
    whole_game,
)
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.estimate import flop_textures, sum_over_flops
from headsup.preflop.flops import subset_error, subset_flops, subset_game
from headsup.preflop.pairs import read_pairs
from headsup.preflop.view import line_to

KIND = "headsup-preflop-correction"
NEVER = 1e-7
"""A line to which fewer of the opponent's hands come than this is not corrected."""


class PairPayments:
    """What lines pay pairs of hands on top: a term of the small blind's hand and one of the big blind's.

    The small blind receives their sum, the big blind pays it.
    """

    def __init__(self, game: VectorGame, lines: list[tuple[int, int]], terms: tuple[Floats, Floats]) -> None:
        """`lines` as in `open_lines`; `terms` are [lines, hands] of both seats."""
        self.lines, self.terms = lines, terms
        self.meet = hands_met(game)

    def values(self, seat: int, reach: Floats) -> Floats:
        """[lines, hands]: what each hand of a seat receives, given the opponent's reach of these lines."""
        own, other = self.terms[seat], self.terms[1 - seat]
        received = own * (reach @ self.meet) + (reach * other) @ self.meet
        return np.asarray(received if seat == 0 else -received)


def hands_met(game: VectorGame) -> Floats:
    """[hands, hands]: 1 where two hands share no card, else 0."""
    masks = combo_masks(2)[game.showdown.hands[0]]  # type: ignore[attr-defined]
    return np.asarray((masks[:, None] & masks) == 0, dtype=np.float64)


def pair_terms(meet: Floats, reach: tuple[Floats, Floats], lacking: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """For both seats the terms that pay each hand what it lacks, given both players' reach of a line.

    Hands may be classes: `meet` then has how many hands of the second class a hand of the first one meets.
    """
    first, second = meet @ reach[1], meet @ reach[0]
    if min(first.max(), second.max()) < NEVER:
        return np.zeros_like(lacking[0]), np.zeros_like(lacking[1])
    # Hand h of the small blind receives sum over k of meet(h, k) reach1(k) (x(h) + y(k)), and likewise the big blind's.
    equations = np.block([[np.diag(first), meet * reach[1]], [meet * reach[0], np.diag(second)]])
    terms = np.linalg.lstsq(equations, np.concatenate([lacking[0], -lacking[1]]), rcond=1e-9)[0]
    return terms[: len(first)], terms[len(first) :]


class Lacking(NamedTuple):
    """How much more the hands of a seat earn on all flops than on the subset, at one line."""

    line: int
    seat: int
    sums: Floats
    """[classes], as a walk adds them up."""
    mbb: Floats
    """[classes], for each hand."""
    error_mbb: Floats
    """[classes]: half the difference between two estimates, each from half of the flops; 0 if all are solved."""
    hands: Floats
    """[classes]: how many hands of the seat come there."""


@dataclass(frozen=True)
class Correction:
    """What a subset of flops pays too little, by line and hand class."""

    setting: Setting
    flops: int
    """The size of the subset."""
    solved: int
    """How many flops the estimate comes from, with those of the correction that it began with."""
    terms: tuple[Floats, Floats]
    """[lines, 169] for each seat: those of `PairPayments`."""

    def payments(self, game: VectorGame) -> PairPayments:
        """What lines of the game with the subset pay on top."""
        classes, lines = holdem_class_of_combo(), open_lines(game)
        if len(lines) != len(self.terms[0]):
            raise UserError(
                f"the correction has {len(self.terms[0])} lines with play after the flop, and this stack {len(lines)}: "
                f"take a stack nearer to {self.setting.stack:g} big blinds"
            )
        return PairPayments(game, lines, (self.terms[0][:, classes], self.terms[1][:, classes]))

    def check(self, setting: Setting, flops: int) -> None:
        """Refuse another game or another subset; a correction found at one stack may serve at another."""
        if replace(setting, stack=self.setting.stack) != self.setting:
            raise UserError(f"the correction belongs to another game: {self.setting}; solve that one")
        if flops != self.flops:
            raise UserError(f"the correction belongs to the subset of {self.flops} flops: say --flops {self.flops}")

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        names = Setting.__dataclass_fields__
        about = {name: getattr(self.setting, name) for name in names} | {"flops": self.flops, "solved": self.solved}
        save_record(path, KIND, about, {"terms0": self.terms[0], "terms1": self.terms[1]})

    @classmethod
    def load(cls, path: str | Path) -> Correction:
        """Read what `save` wrote."""
        meta, arrays = load_record(path, KIND)
        return parsed(path, lambda: cls._read(meta, arrays), "a correction of a subset of flops")

    @classmethod
    def _read(cls, meta: dict[str, Any], arrays: dict[str, AnyArray]) -> Correction:
        setting = Setting(**{name: meta[name] for name in Setting.__dataclass_fields__})
        terms = arrays["terms0"].astype(np.float64), arrays["terms1"].astype(np.float64)
        for table in terms:
            if table.shape != terms[0].shape or table.shape[1:] != (HOLDEM_CLASSES,) or not np.isfinite(table).all():
                raise ValueError("a correction has a finite number for every line and hand class")
        return cls(setting, int(meta["flops"]), int(meta["solved"]), terms)


class _Solved:
    """What the flops that were solved below a chart pay, and what is known of the others."""

    def __init__(
        self,
        chart: PreflopChart,
        size: int,
        results: dict[int, FlopResult],
        pairs: AnyArray,
        start: Correction | None = None,
    ) -> None:
        whole = whole_game(chart.setting)
        self.chart, self.results, self.size, self.start = chart, results, size, start
        self.subset, self.times = subset_flops(whole, size)
        missing = [flop for flop in self.subset if flop not in results]
        if missing:
            raise DataError(
                f"{len(missing)} of the {size} flops of the subset are not solved below this chart with these"
                f" iterations: solve them with headsup.preflop.all_flops --subset {size}"
            )
        self.level = cast(Boards, whole.boards.levels[1])
        self.copies, self.textures = self.level.copies.astype(np.float64), flop_textures(self.level.cards)
        self.game = board_packet(whole, 0).game
        self.lines = [line for line, _ in open_lines(self.game)]
        self.known = [checked_down(self.game, policy_of(chart), seat, pairs) for seat in (0, 1)]
        self.reach = [reach_of_lines(self.game, policy_of(chart), seat) for seat in (0, 1)]
        self.meet = hands_met(self.game)

    @cached_property
    def on_subset(self) -> list[Floats]:
        """For each seat [lines, classes]: what the subset pays with the correction that is there already."""
        whole = whole_game(self.chart.setting)
        part = subset_game(whole, self.size)
        added: list[LinePayments] = [subset_error(whole, part)]
        if self.start is not None:
            added.append(self.start.payments(part))
        scale = self.copies.sum() / float(self.copies[self.subset] @ self.times)
        tables = []
        for seat in (0, 1):
            best = [times * self.results[flop].best[seat] for flop, times in zip(self.subset, self.times, strict=True)]
            paid = class_means(np.sum([more.values(seat, self.reach[1 - seat][self.lines]) for more in added], axis=0))
            tables.append(scale * np.sum(best, axis=0)[self.lines] + paid)
        return tables

    def on_all(self, seat: int, line: int, flops: list[int]) -> Floats:
        """[classes]: what all flops pay at a line, estimated from some.

        Those of the subset count like the others: they were chosen to represent all flops, and on average the estimate
        is nearer than one from the others alone.
        """
        values = np.stack([self.results[flop].best[seat, line] for flop in flops])
        return sum_over_flops(values, self.known[seat][line], self.textures, self.copies, flops)

    def lacking(self, place: int, seat: int) -> Lacking:
        """What the subset pays too little at one of the lines."""
        line, flops = self.lines[place], list(self.results)
        sums = self.on_all(seat, line, flops) - self.on_subset[seat][place]
        halves = [self.on_all(seat, line, flops[start::2]) for start in (0, 1)]
        met = class_means(self.reach[1 - seat][line] @ self.meet)
        unit = 1000.0 / CHIPS * self.game.mass / np.maximum(met, NEVER)
        hands, left = self.known[seat][line].own, 1.0 - len(flops) / len(self.copies)
        return Lacking(line, seat, sums, sums * unit, math.sqrt(left) * (halves[0] - halves[1]) / 2.0 * unit, hands)


def reliable_share(parts: Sequence[Lacking]) -> float:
    """How much of what a line lacks is not the error of the estimate: so much of it is paid."""
    sizes = holdem_class_sizes()
    noise, size = (sum(float(sizes @ getattr(part, name) ** 2) for part in parts) for name in ("error_mbb", "mbb"))
    return max(0.0, 1.0 - noise / max(size, 1e-30))


def find_correction(
    chart: PreflopChart,
    flops: int,
    results: dict[int, FlopResult],
    pairs: AnyArray,
    start: Correction | None = None,
) -> tuple[Correction, list[Lacking]]:
    """The correction of a subset from flops that were solved below a chart, and what is lacking without it.

    `results` has the flops of the subset and others, in random order; `pairs` are the outcomes of pairs of classes.
    `start` is paid already: the result adds to it.
    """
    solved = _Solved(chart, flops, results, pairs, start)
    classes, sizes = holdem_class_of_combo(), holdem_class_sizes()
    member = (classes[:, None] == np.arange(HOLDEM_CLASSES)).astype(np.float64)
    meet = (member.T @ solved.meet @ member) / sizes[:, None]
    reach = [class_means(table) for table in solved.reach]
    terms, parts = np.zeros((2, len(solved.lines), HOLDEM_CLASSES)), []
    for place, line in enumerate(solved.lines):
        first, second = (solved.lacking(place, seat) for seat in (0, 1))
        share = reliable_share([first, second])
        lacking = share * first.sums, share * second.sums
        terms[:, place] = pair_terms(meet, (reach[0][line], reach[1][line]), lacking)
        parts += [first, second]
    total = len(results)
    if start is not None:  # of the same lines, or its payments would have been refused
        terms, total = terms + start.terms, total + start.solved
    return Correction(chart.setting, flops, total, (terms[0], terms[1])), parts


def run(args: argparse.Namespace) -> None:
    """Read the flops, write the correction, and print how large it is."""
    chart = PreflopChart.load(args.chart)
    every, results = every_flop(chart.setting), {}
    for work in args.work:
        results.update(solved_flops(chart, work, args.iterations, args.store, every))
    results = {flop: results[flop] for flop in every if flop in results}
    start = None if args.start is None else Correction.load(args.start)
    if start is not None:
        start.check(chart.setting, args.flops)
    correction, parts = find_correction(chart, args.flops, results, read_pairs(args.pairs), start)
    correction.save(args.save)
    game = board_packet(whole_game(chart.setting), 0).game
    for part in parts:
        print(json_line(_summary(game, part)))
    print(json_line({"flops": correction.flops, "solved": correction.solved, "file": str(args.save)}))


def _summary(game: VectorGame, part: Lacking) -> dict[str, Any]:
    """Root mean squares over the hands that come to the line."""
    hands = float(part.hands.sum())
    share = part.hands / max(hands, 1e-30)
    root = {name: float(np.sqrt(share @ getattr(part, name) ** 2)) for name in ("mbb", "error_mbb")}
    line = line_to(game.betting, int(game.rounds.deal[part.line]))
    return {"line": line, "seat": SEATS[part.seat], "hands": hands, **root}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m headsup.preflop.correct", description=__doc__)
    parser.add_argument("chart", metavar="CHART", help="the chart below which flops were solved")
    parser.add_argument("--work", required=True, nargs="+", metavar="DIR", help="folders of flops that are solved")
    parser.add_argument("--flops", type=int, required=True, metavar="N", help="size of the subset that is corrected")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, metavar="N", help="those of every flop")
    parser.add_argument("--store", default="int16", choices=("float32", "int16"))
    parser.add_argument("--pairs", required=True, metavar="FILE", help="outcomes of pairs of hands on all flops")
    parser.add_argument("--start", metavar="FILE", help="a correction to begin with, also from another stack")
    parser.add_argument("--save", required=True, metavar="FILE", help="where to write the correction")
    plainly(lambda: run(parser.parse_args(words)))


if __name__ == "__main__":
    main()
