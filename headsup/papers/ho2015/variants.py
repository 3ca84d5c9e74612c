"""Games near the thesis's equations, solved by its own method: does one of them have its printed equilibria?

`python -m headsup.papers.ho2015.variants OUT.json --table FOLDER [--device gpu]` solves all variants at once, one
product with the table for all, and prints how near each comes to what section 4.1 prints; with an OUT.json that is
there it only prints. It needs the matchup table, and its outcomes for variants of quartered pots.

A variant changes what the small blind (equation 3.6) or the big blind (3.4) believes. From class A, class B has a
weight m(A, B) and an equity E(A, B); with n(A, B) the hands of B that A leaves in the deck and w(B) all hands of B,

    exact   m = n(A, B)         sizes   m = w(B), no card removal
    alike   m = n(A, B) / w(B)  each    m = 1, every class once

    EV raise(A) = b + sum of c(B) m [2 S (E - 1/2) - b] / sum of m
    EV call(B)  = 2 S [sum of j(A) m E / sum of j(A) m - 1/2]

The method is section 3.5.2: regret matching + with regrets times t, current strategies, a start from the stack before,
and a stop once both seats regret less than 0.001 chips. The strategies are those of the last iteration.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import omaha_class_name, parse_omaha_class
from headsup.common.arrays import Floats
from headsup.common.checks import DEVICES
from headsup.common.files import read_json, write_json
from headsup.games.betting.stakes import Payoffs, Stakes
from headsup.games.holdem.classes import Classes, class_table
from headsup.papers.ho2015.equilibria import ENDS, TABLE_4_1
from headsup.papers.section import Section, markdown, stored

KINDS = ("exact", "sizes", "alike", "each")
EPSILON = 0.001  # chips that a seat may regret at the end, at the stakes below
CHIPS = 400.0  # of a big blind
ROUNDS = 150  # iterations at most for a stack
AFTER = 100  # and so many more once the regret is small, as in the thesis
FINE, WIDE = (0.125, 11.25), (0.5, 45.0)  # steps and ends of the thesis's stakes of 200/400 and 50/100
SWEEPS = {"wide": WIDE, "fine": FINE}
ROWS = 512
NAMED = (*(row.hand for row in TABLE_4_1), "KsKhKdKc", "As9h2d2c", "Js6sTh9h", "8s5s6h2c", "AsKsQsJs")  # in section 4.1


OTHERS = ((("As9h2d2c", 1), "12.5"), (("Js6sTh9h", 0), "3.5"), (("Js6sTh9h", 1), "6.5"))  # of the text: hand, seat, R
FIGURE_4_2 = (("8s5s6h2c", 8.75, 10.25), ("AsKsQsJs", 6.625, 9.875))  # jammed up to the first R and above the second


SUMMARY = {"jams at R = 45": 0.33, "calls": 0.18, "value peaks at R": 9.5, "value below zero from R": 16.0}
BREAKS = (116, 3, 0)  # discontinuities at the three stakes
HALF, PERCENT = 0.5, 0.01  # a figure read off a drawing is as printed if it is less than this away
SHIPPED = Path(__file__).parent / "data" / "variants.json"


class BeliefVariant(NamedTuple):
    """What each seat believes: a kind of weight, or `printed` for its equation as it stands."""

    name: str
    small: str = "exact"
    big: str = "exact"
    pots: str = "quartered"  # or `halved`, `whole`: what three quarters and one quarter of a pot count as
    pairs: str = "all"  # or `once`: two hands of one class are counted half, as unordered pairs


def variants(outcomes: bool) -> tuple[BeliefVariant, ...]:
    """All of them; variants of quartered pots need a table with outcomes."""
    games = [BeliefVariant(f"small blind {small}, big blind {big}", small, big) for small in KINDS for big in KINDS]
    games += [
        BeliefVariant("equation 3.4 as printed", big="printed"),
        BeliefVariant("equation 3.6 as printed", small="printed"),
        BeliefVariant("both equations as printed", "printed", "printed"),
        BeliefVariant("pairs of one class counted once", pairs="once"),
    ]
    if outcomes:
        games += [
            BeliefVariant("quartered pots halved", pots="halved"),
            BeliefVariant("quartered pots won or lost", pots="whole"),
        ]
    return tuple(games)


class SeenStrategy(NamedTuple):
    """What every class sees of a strategy: [variants, classes]."""

    pots: Any
    hands: Any


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Variants with the matrices of a table that they need, in its array module."""

    table: Classes
    games: Sequence[BeliefVariant]
    equity: Any  # E(A, B); pairs that never meet count as even
    pots: dict[str, Any]  # by kind of quartered pot: pots that a hand of A wins from the hands of B
    hands: Any  # n(A, B)

    @classmethod
    def of(cls, table: Classes, games: Sequence[BeliefVariant]) -> "Beliefs":
        xp, every = table.xp, np.arange(table.classes)
        equity, hands, quartered = (xp.empty((table.classes, table.classes)) for _ in range(3))
        pots = {"quartered": quartered}
        if table.outcomes is not None:
            pots |= {name: xp.empty_like(equity) for name in ("halved", "whole")}
        for low in range(0, table.classes, ROWS):
            rows = slice(low, low + ROWS)
            quartered[rows], hands[rows] = table.block(every[rows], every)
            met = hands[rows] > 0
            equity[rows] = xp.where(met, quartered[rows] / xp.where(met, hands[rows], 1.0), 0.5)
            if table.outcomes is not None:
                ends = xp.asarray(table.outcomes[rows]).astype(np.float64) / table.outcome_boards
                scoop, most, half, least, _ = xp.moveaxis(ends, 2, 0)
                pots["halved"][rows] = scoop + (most + half + least) / 2
                pots["whole"][rows] = scoop + most + half / 2
        return cls(table, games, equity, pots, hands)

    @cached_property
    def weights(self) -> Any:
        """[variants, classes]: the weight of all hands that a class may meet, to the small blind."""
        every = self.table.xp.ones((len(self.games), self.table.classes))
        return self.seen([_summed(game.small) for game in self.games], every).hands

    def seen(self, kinds: Sequence[str], x: Any) -> SeenStrategy:
        """The weighted sums of strategies x[variants, classes], each as its variant believes."""
        games = self.games
        xp, sizes = self.table.xp, self.table.xp.asarray(self.table.class_sizes, dtype=np.float64)
        pots, hands = xp.empty_like(x), xp.empty_like(x)
        scaled = xp.stack([row * _scale(kind, sizes) for kind, row in zip(kinds, x, strict=True)])
        for name, matrix in self.pots.items():
            which = [at for at, game in enumerate(games) if kinds[at] in ("exact", "alike") and game.pots == name]
            if which:
                pots[which] = scaled[which] @ matrix.T
        removed = [at for at, kind in enumerate(kinds) if kind in ("exact", "alike")]
        if removed:
            hands[removed] = scaled[removed] @ self.hands.T
        apart = [at for at, kind in enumerate(kinds) if kind in ("sizes", "each")]
        if apart:
            pots[apart] = scaled[apart] @ self.equity.T
            hands[apart] = scaled[apart].sum(axis=1, keepdims=True)
        once = [at for at, game in enumerate(games) if game.pairs == "once" and kinds[at] == "exact"]
        if once:
            pots[once] -= scaled[once] * xp.diagonal(self.pots["quartered"]) / 2
            hands[once] -= scaled[once] * xp.diagonal(self.hands) / 2
        return SeenStrategy(pots, hands)

    def gains(self, payoffs: Payoffs, seat: str, x: Any) -> Any:
        """[variants, classes]: what raising or calling gains over folding against strategies x of the other seat."""
        xp, total = self.table.xp, self.table.total
        stack, small, big, _ = payoffs
        own = [game.small if seat == "sb" else game.big for game in self.games]
        seen = self.seen([_summed(kind) for kind in own], x)
        net = seen.pots - seen.hands / 2
        if seat == "sb":
            gain = small + big + (2 * stack * net - big * seen.hands) / self.weights
        else:
            met = seen.hands > 0
            gain = xp.where(met, 2 * stack * net / xp.where(met, seen.hands, 1.0) + big, 0.0)
        for at, kind in enumerate(own):
            if kind == "printed" and seat == "sb":  # half the pot is lost to hands that fold, too
                gain[at] = small + 2 * stack * seen.pots[at] / total - stack + big * (1 - seen.hands[at] / total)
            elif kind == "printed":  # the sum over classes has no frequencies, the divisor has them
                raised = xp.maximum(seen.hands[at] / total, 1e-300)
                gain[at] = 2 * stack * (self.equity @ x[at] - 0.5) / raised + big
        return gain


def _summed(kind: str) -> str:
    """The kind of the sums that an equation starts from."""
    return "exact" if kind == "printed" else kind


def _scale(kind: str, sizes: Any) -> Any:
    return {"exact": 1.0, "each": 1.0, "sizes": sizes, "alike": 1.0 / sizes}[kind]


class VariantPoint(NamedTuple):
    """All variants at one stack: [variants, classes] and [variants]."""

    stack: float
    jam: Floats
    call: Floats
    value: Floats  # to the small blind as it believes, in big blinds
    regret: Floats  # of the seat that regrets more, in chips
    rounds: int


def solve(beliefs: Beliefs, stacks: Sequence[float], rounds: int = ROUNDS) -> list[VariantPoint]:
    """All variants at all stacks, each stack from the one before."""
    table, games = beliefs.table, beliefs.games
    xp, shares = table.xp, table.shares
    x = [xp.ones((len(games), table.classes)) for _ in range(2)]  # the strategies of both seats
    points = []
    for stack in stacks:
        payoffs = Stakes.of(float(stack)).payoffs
        sums = [xp.zeros((2, len(games), table.classes)) for _ in range(2)]  # regrets of playing and of folding
        regret, left = xp.full((2, len(games)), xp.inf), AFTER
        for t in range(1, rounds + 1):
            for seat, name in enumerate(("sb", "bb")):
                gain = beliefs.gains(payoffs, name, x[1 - seat])
                regrets = xp.stack([(1 - x[seat]) * gain, -x[seat] * gain])
                regret[seat] = CHIPS * (regrets.max(axis=0) * shares).sum(axis=1)
                sums[seat] = xp.maximum(sums[seat] + t * regrets, 0.0)
                both = sums[seat].sum(axis=0)
                x[seat] = xp.where(both > 0, sums[seat][0] / xp.where(both > 0, both, 1.0), x[seat])
            left -= bool((regret < EPSILON).all())
            if left == 0:
                break
        gain = beliefs.gains(payoffs, "sb", x[1])
        value = payoffs.fold_sb + (shares * x[0] * gain).sum(axis=1)
        jam, call, worth, most = (table.to_host(array) for array in (*x, value, regret.max(axis=0)))
        points.append(VariantPoint(float(stack), jam, call, worth, most, t))
    return points


def figures(
    points: Sequence[VariantPoint], games: Sequence[BeliefVariant], shares: Floats, hands: Sequence[int]
) -> dict[str, Any]:
    """By variant, for JSON: frequencies, values and regrets by stack, breaks, and where named hands are played."""
    jam, call = (np.stack([getattr(point, name) for point in points]) for name in ("jam", "call"))
    broken = {
        stakes: _broken(jam[: sum(point.stack <= end for point in points)] >= 0.5)
        for stakes, end in ENDS.items()
        if points[-1].stack >= end
    }
    return {
        game.name: {
            "jams": np.round(jam[:, at] @ shares, 6).tolist(),
            "calls": np.round(call[:, at] @ shares, 6).tolist(),
            "value": [round(float(point.value[at]), 8) for point in points],
            "regret": [float(f"{point.regret[at]:.3g}") for point in points],
            "breaks": {stakes: int(counts[at]) for stakes, counts in broken.items()},
            "hands": {
                omaha_class_name(hand): ["".join("01"[int(p >= 0.5)] for p in row[:, at, hand]) for row in (jam, call)]
                for hand in hands
            },
        }
        for at, game in enumerate(games)
    }


def _broken(plays: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """[variants]: how many classes are folded at some stack and played at a larger one. [stacks, variants, classes]"""
    later = np.logical_or.accumulate(plays[::-1], axis=0)[::-1]
    return np.asarray((later & ~plays).any(axis=0).sum(axis=1))


class Nearness(NamedTuple):
    """How near a variant comes to section 4.1: the cells of its row, and how many figures are as printed."""

    cells: tuple[str, ...]
    agree: int


def compared(kept: Mapping[str, Any]) -> Section:
    """How near every variant comes to the figures of section 4.1, the nearest first."""
    printed = [((row.hand, seat), (row.sb, row.bb)[seat]) for row in TABLE_4_1 for seat in (0, 1)]
    levels = {key: float(level.rstrip("+")) for key, level in (*printed, *OTHERS)}
    rows = sorted((_nearness(kept, name, levels) for name in kept["wide"]["variants"]), key=lambda row: -row.agree)
    every = len(levels) + len(SUMMARY) + len(BREAKS) + len(FIGURE_4_2)
    jams, calls, peak, below = SUMMARY.values()
    target = (
        *("the thesis", str(every), str(len(levels)), "0", f"{jams:.0%} / {calls:.0%}", f"{peak:g}", f"{below:g}"),
        *(" / ".join(map(str, BREAKS)), str(len(FIGURE_4_2)), "0.001 to 0.01 chips"),
    )
    heads = (
        *("variant", f"of {every} figures as printed", f"of {len(levels)} levels", "mean difference in R"),
        *("jams / calls at R = 45", "value peaks at R", "below zero from R", "breaks up to 11.25 / 9 / 7.5"),
        *("hands of figure 4.2", "regret, chips"),
    )
    fits = [row.cells[0] for row in rows if row.agree == every]
    which = (
        f"{', '.join(fits)} fits"
        if fits
        else f"none of {len(rows)} fits, the nearest has {rows[0].agree} of {every} figures"
    )
    return Section(f"Variants of the thesis's equations: {which}", heads, [target, *(row.cells for row in rows)])


def _nearness(kept: Mapping[str, Any], name: str, levels: Mapping[tuple[str, int], float]) -> Nearness:
    wide, fine = kept["wide"], kept["fine"]
    figure, near = wide["variants"][name], fine["variants"][name]
    off = []
    for (hand, seat), level in levels.items():
        played = figure["hands"][omaha_class_name(parse_omaha_class(hand))][seat]
        largest = max((stack for stack, p in zip(wide["stacks"], played, strict=True) if p == "1"), default=0.0)
        off.append(abs(largest - level))
    jams, calls = figure["jams"][-1], figure["calls"][-1]
    peak = fine["stacks"][int(np.argmax(near["value"]))]
    below = next((s for s, v in zip(wide["stacks"], figure["value"], strict=True) if s > peak and v < 0), np.inf)
    breaks = tuple(near["breaks"].values())
    patterns = sum(_pattern(near, fine["stacks"], *case) for case in FIGURE_4_2)
    equal = sum(x < HALF / 2 for x in off)
    summary = (jams, PERCENT), (calls, PERCENT), (peak, HALF), (below, HALF)
    near_ones = sum(abs(x - y) < step for (x, step), y in zip(summary, SUMMARY.values(), strict=True))
    agree = equal + near_ones + sum(x == y for x, y in zip(breaks, BREAKS, strict=True)) + patterns
    cells = (
        *(name, str(agree), str(equal), f"{np.mean(off):.2f}", f"{jams:.1%} / {calls:.1%}", f"{peak:g}"),
        *("never" if below == np.inf else f"{below:g}", " / ".join(map(str, breaks)), str(patterns)),
        f"{max(*figure['regret'], *near['regret']):.2g}",
    )
    return Nearness(cells, agree)


def variant_sections() -> list[Section]:
    """The table of the variants that ship."""
    return [compared(stored(SHIPPED))]


def _pattern(near: Mapping[str, Any], stacks: Sequence[float], hand: str, until: float, again: float) -> bool:
    """Whether a hand is jammed up to one stack, folded above it, and jammed again above another, as printed."""
    played = near["hands"][omaha_class_name(parse_omaha_class(hand))][0]
    return all((p == "1") == (stack <= until or stack > again) for stack, p in zip(stacks, played, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "out", type=Path, metavar="OUT.json", help="where to write; variants in it are not solved again"
    )
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="the matchup table")
    parser.add_argument("--device", choices=DEVICES, default="cpu", help="the device to solve on (default: cpu)")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"iterations at most for a stack (default: {ROUNDS})"
    )
    parser.add_argument("--ranks", type=int, default=13, help=argparse.SUPPRESS)
    args = parser.parse_args()
    known: dict[str, Any] = read_json(args.out) if args.out.exists() else {}
    if len(known) < len(SWEEPS):
        _run(args, known)
    print(markdown([compared(known)]))


def _run(args: argparse.Namespace, out: dict[str, Any]) -> None:
    """Do the sweeps that are missing."""
    began = perf_counter()
    table = class_table("omaha8", device=args.device, folder=args.table, ranks=args.ranks)
    games = variants(table.outcomes is not None)
    beliefs = Beliefs.of(table, games)
    named = [hand for hand in sorted(map(parse_omaha_class, NAMED)) if hand < table.classes]
    for name, (step, end) in SWEEPS.items():
        if name in out:
            continue
        stacks = np.arange(step, end + step / 2, step).tolist()
        points = solve(beliefs, stacks, args.rounds)
        shares = np.asarray(table.class_sizes / table.hands)
        rounds = [point.rounds for point in points]
        out[name] = {"stacks": stacks, "rounds": rounds, "variants": figures(points, games, shares, named)}
        write_json(args.out, out)
        print(f"{name}: {len(stacks)} stacks, {len(games)} variants, {perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
