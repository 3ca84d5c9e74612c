"""Make a blueprint of no-limit hold'em: CFR in buckets on sampled boards, packed, measured, saved.

    python -m headsup.nolimit.make 20 --preflop --seconds 60 --out blueprint-20.headsup --device gpu

With `--preflop`, play before the flop is that of the shipped equilibrium (`headsup.preflop.shipped`) and does not
change; flop, turn and river learn below it, in its menu. On a GPU each player learns against an opponent of its own who
may play anything before the flop: that costs a best responder more than an opponent who keeps to the equilibrium.

With `--deep`, for 30, 50, 100 and 200 big blinds, all streets learn, in the menu (or `--menu`) and the buckets of deep
stacks. With `--before FILE`, play before the flop is that of another blueprint of the same game, or of a chart with its
menu (`headsup.nolimit.make_opening`), and does not change: players who learn against each other enter more pots than
those who learn against a best response on the river, which plays later streets better.

1. Print its size: decisions, shapes of the betting (each is compiled), numbers and bytes.
2. Learn; on a GPU each player against a best response on the river (`--plain`: against the other player).
3. Round probabilities to 8 bits and measure best responses over all boards. On a CPU with all cards that would take
   days and is left out: the record then has nan.

Every step prints a line of JSON, and the file is written before and after the measurement. `--looks` measures after
each of some iterations and stops after the last. `--among` also measures in games with more bets, which are translated
(`headsup.abstraction.bets.translation.forgetful`). Several menus share the same buckets.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from os.path import exists
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.abstraction.bets.translation import forgetful
from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.named import NamedBuckets, read_buckets
from headsup.abstraction.hands.partitions import partition_arrays
from headsup.abstraction.hands.spec import build_buckets, restore_buckets
from headsup.common.archives import record_kind
from headsup.common.checks import DEVICES
from headsup.common.display import print_line
from headsup.common.errors import UserError, plainly
from headsup.games.betting.stakes import CHIPS
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import Buckets, BucketStrategy, SameCards, bucket_layout, on_device, packed
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_shapes import shapes
from headsup.measure.exploit import measure
from headsup.measure.measurement import Measurement
from headsup.nolimit.shipped import (
    BUCKETS,
    DEEP_BUCKETS,
    DEEP_STACKS,
    MENU,
    STACKS,
    deep_game,
    first_street_of,
    nolimit_game,
    shipped_nolimit,
)
from headsup.preflop.chart import KIND as CHART
from headsup.preflop.chart import PreflopChart
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.solve.holdem.bucket_solver import FirstStreet, first_street
from headsup.solve.holdem.bucketed import start_bucketed
from headsup.solve.records.solution import Solution

OLDER = "older"  # the buckets of the older blueprints, for 15 and 20 big blinds
FEW_BOARDS = 50_000  # boards of a last street that a CPU measures at once
BITS = 8
ROUNDING = 0.01  # by which chips may differ where a chart counts in smaller ones


def planned(game: VectorGame, buckets: Buckets, sample: int) -> dict[str, Any]:
    """The size of a blueprint, in numbers and in bytes of the device; nothing is allocated."""
    numbers = [bucket_layout(game, buckets, seat).size for seat in (0, 1)]
    streets = [shapes(game, s) for s in range(game.streets)]
    hands, most = game.showdown.sizes[0], game.boards.sizes()
    gains = [sum(len(shape.entry) * shape.pad for shape in many if shape.rows[0].shape[1]) for many in streets]
    lines = [sum(len(shape.entry) for shape in many) for many in streets]
    walk = 4 * sample * hands * (max(gains) + 6 * sum(lines))
    tables = sum(n * hands * (1 if size[0] <= 256 else 2) for n, size in zip(most, buckets.sizes, strict=True))
    return {
        "game": game.name,
        "decisions": int((game.rounds.player < 2).sum()),
        "shapes": [len(many) for many in streets],
        "lines": lines,
        "buckets": [size[0] for size in buckets.sizes],
        "numbers": numbers,
        "device_bytes": 16 * sum(numbers) + walk + tables,
    }


class LearntBlueprint(NamedTuple):
    """How far a blueprint has been learnt."""

    record: Solution  # not measured yet; its seconds are those of learning alone
    strategy: BucketStrategy  # its shares in 8 bits
    near: Buckets | None  # its buckets where they are on a device


def learnt(
    game: VectorGame,
    buckets: Buckets,
    *,
    seconds: float,
    device: str = "cpu",
    method: str = "linear",
    sample: int = 512,
    seed: int = 1,
    plain: bool = False,
    looks: Sequence[int] = (),
    near: Buckets | None = None,
    fixed: FirstStreet | None = None,
    shared: bool = False,
    tell: Any = lambda **_: None,
) -> Iterator[LearntBlueprint]:
    """A blueprint after each of the iterations in `looks` and at the end: after `seconds`, or the last look.

    `fixed`: what both players do on the first street (`first_street_of`), which then does not learn.
    `shared`: the buckets ship in a file of their own, so the record names them only.
    """
    tell(step="plan", **planned(game, buckets, sample))
    began = time.monotonic()
    options: dict[str, Any] = {"buckets": buckets if near is None else near, "sample": sample, "device": device}
    against_best = device == "gpu" and not plain
    if against_best:
        options["against"] = "best"
    solver = start_bucketed(game, method, seed, options)
    if fixed is not None:
        solver.fix(fixed)
    named = NamedBuckets.of(game, buckets)
    tell(step="ready", seconds=time.monotonic() - began)
    spent, left = 0.0, sorted(looks)
    while True:
        began = time.monotonic()
        solver.step(solver.at_once)
        there = solver.device_buckets()  # waits for the device, else the clock would run ahead of it
        spent += time.monotonic() - began
        looked = bool(left) and solver.iterations >= left[0]
        left = [look for look in left if look > solver.iterations]
        over = spent >= seconds or bool(looks and not left)
        if looked or over:
            tell(step="learnt", seconds=spent, iterations=solver.iterations)
            strategy = packed(BucketStrategy(game, buckets, solver.policy()), BITS)
            record = Solution(
                game=game.name,
                method=method,
                params={"sample": sample, "against_best": against_best, "bits": BITS},
                iterations=solver.iterations,
                seconds=spent,
                value=math.nan,
                exploitability=math.nan,
                epsilon=math.nan,
                strategy=strategy.stored(),
                seed=seed,
                content=game.checksum,
                buckets=replace(named, parts={}) if shared else named,
            )
            yield LearntBlueprint(record, strategy, there)
        if over:
            return


def make(
    game: VectorGame,
    buckets: Buckets,
    *,
    out: Path | None = None,
    among: Sequence[VectorGame] = (),
    measuring: bool = True,
    tell: Any = lambda **_: None,
    **how: Any,
) -> Solution:
    """A blueprint, measured where that takes minutes at most, unless not `measuring`; `how` is that of `learnt`.

    It is measured at each look, and at the end also in games of more bets (`among`), which it reads as its own.
    """
    record: Solution | None = None
    for record, strategy, near in learnt(game, buckets, tell=tell, **how):
        _save(record, out)
        began = time.monotonic()
        measured = _measured(game, strategy, near) if measuring else None
        if measured is not None:
            best = _replies(measured)
            params = {**record.params, "reply_sb_mbb": best[0], "reply_bb_mbb": best[1]}
            record = replace(record, exploitability=measured.exploitability, best=measured.best, params=params)
            tell(step="measured", seconds=time.monotonic() - began, mbb=measured.mbb, replies=best)
            _save(record, out)
    assert record is not None
    for larger in among:
        if larger.checksum != game.checksum:
            began = time.monotonic()
            measured = _measured(larger, forgetful(larger, strategy), None if near is None else SameCards(near, larger))
            mbb, replies = (None, None) if measured is None else (measured.mbb, _replies(measured))
            tell(step="among", seconds=time.monotonic() - began, game=larger.name, mbb=mbb, replies=replies)
    return record


def older_buckets(game: VectorGame) -> Buckets:
    """The buckets of the older blueprints in another betting: they depend on the cards alone."""
    named = shipped_nolimit(STACKS[0]).buckets
    assert named is not None
    assert named.text is not None
    return restore_buckets(game, named.text, named.parts)


def _measured(game: VectorGame, strategy: BucketStrategy, near: Buckets | None) -> Measurement | None:
    """Measured on the device of the buckets; None where it would take a CPU days."""
    if near is not None:
        return measure(game, BucketStrategy(game, near, strategy.numbers), device="gpu")
    return measure(game, strategy) if game.boards.sizes()[-1] <= FEW_BOARDS else None


def _replies(measured: Measurement) -> list[float]:
    """What best responses of both seats win, in mbb/g."""
    return [1000.0 * chips / measured.unit for chips in measured.best]


def _save(record: Solution, out: Path | None) -> None:
    if out is not None:
        record.save(out)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make a blueprint of no-limit hold'em.")
    parser.add_argument("stack", type=int, nargs="+", help="in big blinds; several are made one after the other")
    parser.add_argument("--menu", nargs="+", help="one, or several that are made one after the other")
    parser.add_argument("--among", nargs="+", default=(), metavar="MENU", help="larger ones to measure it in, too")
    parser.add_argument("--preflop", action="store_true", help="play before the flop as in the shipped equilibrium")
    parser.add_argument("--deep", action="store_true", help="the menu and buckets of deep stacks: 30, 50, 100 and 200")
    parser.add_argument("--before", metavar="FILE", help="play before the flop as this blueprint or chart does")
    parser.add_argument("--game", help="another game in place of the stack, such as one of fewer cards")
    parser.add_argument(
        "--buckets", help=f"{OLDER} (of the older blueprints), a text, or a file; for --preflop and --deep what ships"
    )
    parser.add_argument("--seconds", type=float, default=100.0, help="of learning, at most")
    parser.add_argument("--looks", type=int, nargs="+", default=(), help="iterations to measure after, up to the last")
    parser.add_argument("--method", default="linear")
    parser.add_argument("--sample", type=int, default=512, help="boards an iteration and player")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    parser.add_argument("--plain", action="store_true", help="both players learn against each other")
    parser.add_argument("--unmeasured", action="store_true", help="do not measure it, such as the first of two steps")
    parser.add_argument("--plan", action="store_true", help="say what it takes, and stop")
    parser.add_argument("--out", help="the file; a {} in its name stands for the stack")
    args = parser.parse_args(given)
    if args.out and len(args.menu or ()) > 1:
        raise UserError("one file holds one blueprint: leave --out away, or give one menu")
    if args.preflop and (args.menu or args.game):
        raise UserError("with --preflop the menu is that of the equilibrium: leave out --menu and --game")
    if args.unmeasured and (args.among or args.looks):
        raise UserError("--among and --looks say what is measured, and --unmeasured that nothing is: leave one out")
    if args.before and args.preflop:
        raise UserError("--before and --preflop both say how to play before the flop: give one of them")
    if args.deep and (args.preflop or args.game):
        raise UserError("with --deep the game is that of deep stacks: leave out --preflop and --game")
    if args.deep and not set(args.stack) <= set(DEEP_STACKS):
        raise UserError(f"deep blueprints are for {', '.join(map(str, DEEP_STACKS))} big blinds: choose from these")
    text = args.buckets or str(BUCKETS if args.preflop else DEEP_BUCKETS if args.deep else OLDER)
    buckets: Buckets | None = None
    held: Buckets | None = None  # on the device
    for stack, menu in product(args.stack, args.menu or (None,)):
        chart = _chart(stack) if args.preflop else None
        if args.deep:
            played = deep_game(stack, menu)
        else:
            played = _game(stack, menu, args.game) if chart is None else chart.setting.game
        buckets = _buckets(played, text, args.device, buckets)
        if args.plan:
            print_line(step="plan", **planned(played, buckets, args.sample))
            continue
        if args.device == "gpu":
            held = on_device(buckets) if held is None else held
        make(
            played, buckets, seconds=args.seconds, device=args.device, method=args.method, sample=args.sample,
            seed=args.seed, plain=args.plain, looks=args.looks, tell=print_line,
            near=None if held is None else SameCards(held, played),
            fixed=_first_street(chart, args.before, played, buckets), shared=not args.buckets and text != OLDER,
            measuring=not args.unmeasured,
            out=Path(args.out.format(stack)) if args.out else None,
            among=[_game(stack, larger, args.game) for larger in args.among],
        )  # fmt: skip


def _chart(stack: int) -> PreflopChart:
    chart = shipped_preflop(stack)
    if chart.stack != stack:
        listed = ", ".join(map(str, shipped_stacks()))
        raise UserError(f"no equilibrium before the flop ships for {stack} big blinds: choose from {listed}")
    return chart


def _first_street(
    chart: PreflopChart | None, before: str | None, game: VectorGame, buckets: Buckets
) -> FirstStreet | None:
    """What is played before the flop and does not learn: by a chart, or by another blueprint."""
    if chart is not None:
        return first_street_of(chart, buckets)
    return None if before is None else first_street_in(before, game, buckets)


def first_street_in(before: str | Path, game: VectorGame, buckets: Buckets) -> FirstStreet:
    """What a file plays before the flop: a blueprint of the game, or a chart with its menu there."""
    if record_kind(before) == CHART:
        chart = PreflopChart.load(before)
        own, whole, nodes = chart.setting.betting, game.betting, int(game.betting.start[1])
        alike = np.array_equal(own.kind, whole.kind[:nodes])
        if not alike or not np.allclose(own.paid / CHIPS, whole.paid[:nodes] / game.unit, rtol=ROUNDING, atol=ROUNDING):
            raise UserError(f"{before} has another stack or menu before the flop than {game.name}: give --menu with it")
        return first_street_of(chart, buckets)
    record = Solution.load(Path(before))
    if record.content != game.checksum:
        raise UserError(f"{before} is of another game, {record.game}: give a blueprint of {game.name}")
    strategy = BucketStrategy(game, buckets, record.strategy)
    first, second = (
        numbers[: first_street(layout)] for numbers, layout in zip(strategy.numbers, strategy.layouts, strict=True)
    )
    return first, second


def _game(stack: int, menu: str | None, text: str | None) -> VectorGame:
    if text is None:
        return nolimit_game(stack, menu or MENU)
    played = named_game(text) if menu is None else named_game(text, menu=menu)
    assert isinstance(played, VectorGame)
    return played


def _buckets(game: VectorGame, text: str, device: str, known: Buckets | None) -> Buckets:
    """Buckets by text; those known from another betting are reused."""
    if isinstance(known, FeatureBuckets):
        return restore_buckets(game, known.text, partition_arrays(known.partitions))
    if text == OLDER:
        return older_buckets(game)
    return (
        build_buckets(game, text, device=device) if device == "gpu" and not exists(text) else read_buckets(text, game)
    )


if __name__ == "__main__":
    plainly(main)
