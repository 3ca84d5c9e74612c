"""Measure an equilibrium before the flop over all 1,755 flops, one flop at a time.

A chart says what both players do before the flop. With that fixed, each flop is a game of its own. It is solved below
every line that reaches it, and reports what each hand class earns there, by its strategy and by a best response.
Nothing else of the flop is kept. The sum over all flops, put into the trunk, gives the exact exploitability of the
whole strategy: the chart, and on every flop the strategy that this procedure finds.

    python -m headsup.preflop.all_flops chart.headsup --work folder --iterations 100 --device gpu

solves flops in a fixed random order, a small file each, and resumes where it stopped. `--jobs N` shares them out among
N processes, `--engine ray` among machines; `--flops N` takes the first N alone.

While some are missing the result is an estimate: `low` chooses the best response before the flop by half of the flops
and measures it on the other half, which misses something; `high` chooses and measures on the same flops, which finds
more than there is. Both are moved apart by what a sample of so many flops may be off (95 %, from groups of flops that
are left out in turn).

With `--pairs FILE` (`headsup.preflop.pairs` makes it) the estimate knows what every hand would earn on every flop if it
were checked down, and predicts from that what it earns on the other flops (`headsup.preflop.estimate`).

`--sums FILE` adds what was earned on the flops that are done to a file of 40 kB, and takes the flops in it for done, so
that another machine goes on without the folder. Parts of the work (`--shard`) read the file and leave it as it is.

With `--subset N` only the flops of that subset are solved; `headsup.preflop.correct` needs them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from headsup.cards.boards import Boards
from headsup.cards.classes import HOLDEM_CLASSES, class_means, holdem_class_of_combo, holdem_class_sizes
from headsup.common.archives import parse_array, read_arrays, write_arrays
from headsup.common.arrays import AnyArray, Floats, Longs
from headsup.common.checks import DEVICES, cores
from headsup.common.display import json_line
from headsup.common.distribute import ENGINES, HERE, Packet, Team, check_jobs
from headsup.common.errors import DataError, UserError, plainly
from headsup.common.files import fingerprint, own_bytes, owned_bytes
from headsup.common.shards.merge import seal
from headsup.common.shards.shard import Shard
from headsup.common.stop import until_stopped
from headsup.games.betting.stakes import CHIPS
from headsup.games.holdem.packet import board_packet
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.trunk import TrunkWalker, open_lines, run_outs
from headsup.games.walk.walk import MIX, Policy, check_kernels
from headsup.preflop.chart import PreflopChart, Setting
from headsup.preflop.estimate import Outcomes, flop_textures, sum_over_flops
from headsup.preflop.flops import best_values, subset_flops
from headsup.preflop.pairs import read_pairs
from headsup.solve.holdem.trunk import TrunkCfr, trunk_response, trunk_values
from headsup.solve.records.settings import PRESETS

FUNCTION = "headsup.preflop.all_flops:flop_packet"
METHOD = "dcfr-holdem"
ITERATIONS = 100
GROUPS = 20
VERSION = 1  # of files of sums
GPU_JOBS = 5
"""Processes that share a GPU: hands of some flops are put in order while it solves others."""
SAID_EACH = 10.0
"""Seconds between two lines of progress."""
STOPPED = 130
"""The exit status after Ctrl-C."""


class FlopResult(NamedTuple):
    """What the classes of both seats earn where the trunk ends, on some flops: [seats, lines, 169] each."""

    best: Floats
    value: Floats


class FlopSums(NamedTuple):
    """What was earned on some flops together."""

    flops: frozenset[int]
    total: FlopResult

    @classmethod
    def read(cls, path: str | None, job: str, lines: int) -> FlopSums:
        """The sums in a file; those of no flop if there is none."""
        if path is None or not Path(path).exists():
            none = np.zeros((2, lines, HOLDEM_CLASSES))
            return cls(frozenset(), FlopResult(none, none))
        arrays = read_arrays(Path(path), VERSION, job)
        if arrays is None:
            raise DataError(f"{path} has no flops of this chart that were solved like this: name another file")
        return cls(frozenset(arrays["flops"].tolist()), FlopResult(*arrays["sums"]))

    def write(self, path: Path, job: str) -> None:
        flops = np.array(sorted(self.flops), np.int16)
        write_arrays(path, VERSION, {"flops": flops, "sums": np.stack(self.total)}, job)

    def plus(self, results: Mapping[int, FlopResult]) -> FlopSums:
        """With flops that are not in it yet."""
        new = {flop: result for flop, result in results.items() if flop not in self.flops}
        total = (np.sum([part, *(result[n] for result in new.values())], axis=0) for n, part in enumerate(self.total))
        return FlopSums(self.flops | new.keys(), FlopResult(*total))


class Exploitability(NamedTuple):
    """In mbb a game."""

    low: float
    high: float
    value_sb_bb: float
    flops: int

    @property
    def exact(self) -> bool:
        """Whether all flops were measured."""
        return self.low == self.high


@cache
def whole_game(setting: Setting) -> VectorGame:
    """The game with all flops; its boards take seconds to list."""
    return setting.game


def policy_of(chart: PreflopChart) -> Policy:
    """What both players do before the flop, hand by hand."""
    classes = holdem_class_of_combo()
    first, second = (np.ascontiguousarray(rows[:, classes]).ravel() for rows in chart.probabilities)
    return first, second


def flop_game(setting: Setting, flop: int) -> VectorGame:
    """The game below one flop, by its number among the 1,755, with its hands in order on every board."""
    game = board_packet(whole_game(setting), flop).game
    check_kernels(game)
    return game


def solve_flop(
    chart: PreflopChart,
    game: VectorGame,
    iterations: int = ITERATIONS,
    *,
    store: str = "int16",
    threads: int | None = None,
    device: str = "cpu",
) -> FlopResult:
    """Solve one flop (`flop_game`) below the chart's lines."""
    solver = TrunkCfr(game, PRESETS[METHOD], store=store, threads=threads, device=device, fixed=policy_of(chart))
    solver.step(iterations)
    best, value = (np.stack([class_means(solver.dealt(seat, mode)) for seat in (0, 1)]) for mode in (True, False))
    return FlopResult(best, value)


def exploitability(
    chart: PreflopChart, flops: Sequence[int], results: Sequence[FlopResult], pairs: AnyArray | None = None
) -> Exploitability:
    """The exploitability of a chart from the flops that were solved; exact where they are all of them, and then
    `results` may have one sum.

    `pairs` are the outcomes of pairs of classes on all flops, [flops, 2, 169, 169] (`headsup.preflop.pairs`).
    """
    if len(flops) < 2:
        raise DataError("measure two flops or more before the exploitability is estimated")
    trunk, every = trunk_of(chart), np.arange(len(flops), dtype=np.int64)
    share = len(flops) / len(trunk.copies)
    known = (
        None if pairs is None or share == 1.0 else [checked_down(trunk.game, trunk.policy, p, pairs) for p in (0, 1)]
    )

    def measured(chosen: Longs, on: Longs) -> tuple[float, float]:
        """The exploitability in mbb and the small blind's value in bb: the best response is chosen on some flops and
        measured on others.

        What a seat gains is measured against its own strategy on the same flops. Both strategies together earn nothing,
        but estimates of what they earn add up to a few mbb, and those of best responses err alike.
        """
        gains, earned = 0.0, []
        for seat in (0, 1):
            parts = [
                dealt_values(trunk, seat, flops, results, None)
                if share == 1.0
                else dealt_values(trunk, seat, [flops[i] for i in part], [results[i] for i in part], known)
                for part in ((on,) if chosen is on else (on, chosen))
            ]
            response = trunk_response(trunk.game, trunk.policy, seat, parts[-1][0])
            earned.append(trunk_values(trunk.game, trunk.policy, seat, parts[0][1], best=False))
            gains += trunk_values(trunk.game, response, seat, parts[0][0], best=False) - earned[seat]
        return 1000.0 * gains / 2.0 / CHIPS, (earned[0] - earned[1]) / 2.0 / CHIPS

    high, value = measured(every, every)
    if share == 1.0:
        return Exploitability(high, high, value, len(flops))
    halves = every[::2], every[1::2]
    low = np.mean([measured(*pair)[0] for pair in (halves, halves[::-1])])
    groups = min(GROUPS, len(flops))
    without = [every[every % groups != group] for group in range(groups)]
    spread = np.std([measured(part, part)[0] for part in without])
    margin = 1.96 * float(spread) * math.sqrt((groups - 1) * (1.0 - share))  # the jackknife, for a part of all flops
    return Exploitability(min(float(low), high) - margin, max(float(low), high) + margin, value, len(flops))


class Trunk(NamedTuple):
    """What does not depend on the flops that were solved."""

    game: VectorGame
    policy: Policy
    copies: Floats
    textures: Floats
    lines: list[int]
    """Those that are all-in before the flop."""
    settled: list[Floats]
    """By seat, [lines, hands]: what they earn."""


def trunk_of(chart: PreflopChart) -> Trunk:
    whole, policy = whole_game(chart.setting), policy_of(chart)
    game = board_packet(whole, 0).game
    runouts = run_outs(game)
    lines = [line for line, _ in runouts.lines]
    settled = [runouts.values(seat, reach_of_lines(game, policy, 1 - seat)[lines]) for seat in (0, 1)]
    level = cast(Boards, whole.boards.levels[1])
    return Trunk(game, policy, level.copies.astype(np.float64), flop_textures(level.cards), lines, settled)


def dealt_values(
    trunk: Trunk,
    seat: int,
    flops: Sequence[int],
    results: Sequence[FlopResult],
    known: list[dict[int, Outcomes]] | None,
) -> tuple[Floats, Floats]:
    """[lines, hands] by a best response and by the strategy, these flops standing for all of them."""
    copies, dealt = trunk.copies, []
    for name in ("best", "value"):
        values = np.stack([getattr(result, name)[seat] for result in results])
        sums = copies.sum() / copies[list(flops)].sum() * values.sum(axis=0)
        for line, outcomes in {} if known is None else known[seat].items():
            sums[line] = sum_over_flops(values[:, line], outcomes, trunk.textures, copies, list(flops))
        sums = sums[:, holdem_class_of_combo()]
        sums[trunk.lines] = trunk.settled[seat]
        dealt.append(sums)
    return dealt[0], dealt[1]


def reach_of_lines(game: VectorGame, policy: Policy, seat: int) -> Floats:
    """[lines, hands]: a seat's reach where the trunk ends."""
    walk = TrunkWalker(game, None)
    walk.enter(1 - seat, MIX, policy)
    return np.asarray(walk.reach(0, seat)[game.rounds.at[seat, game.rounds.deal[: int(game.rounds.deals[1])]]])


def checked_down(game: VectorGame, policy: Policy, seat: int, pairs: AnyArray) -> dict[int, Outcomes]:
    """For each line with play after the flop: what every flop pays the classes of a seat if it is checked down."""
    reach = [class_means(reach_of_lines(game, policy, player)) for player in (0, 1)]
    own, lines = reach[seat] * holdem_class_sizes(), [line for line, _ in open_lines(game)]
    each = np.asarray(pairs @ reach[1 - seat][lines].T.astype(np.float32), dtype=np.float64)
    return {line: Outcomes(each[:, 0, :, n], each[:, 1, :, n], own[line]) for n, line in enumerate(lines)}


def every_flop(setting: Setting) -> list[int]:
    """All flops of a game, in a random order that is always the same."""
    return np.random.default_rng(1755).permutation(len(whole_game(setting).boards.levels[1])).tolist()  # type: ignore[no-any-return]


def run(args: argparse.Namespace) -> None:
    """Solve the flops that are missing, then print what is known."""
    chart, work = PreflopChart.load(args.chart), Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    job = _job(chart, args.iterations, args.store)
    game, began = whole_game(chart.setting), time.perf_counter()
    shard = Shard.parse(args.shard)
    if args.flops is not None and args.flops < 1:
        raise UserError(f"--flops {args.flops} leaves no flop to solve: give 1 or more")
    if args.sums is not None and args.subset is not None:
        raise UserError("--sums adds up all flops, and --subset keeps those of a subset apart: take one of them")
    pairs = None if args.pairs is None else read_pairs(args.pairs)
    every = every_flop(chart.setting) if args.subset is None else subset_flops(game, args.subset)[0]
    lines = int(game.rounds.deals[1] - game.rounds.deals[0])
    sums = FlopSums.read(args.sums, job, lines)
    mine = shard.pick([flop for flop in every if flop not in sums.flops])[: args.flops]
    missing = [flop for flop in mine if _read(_path(work, flop), job) is None]
    stopped = _solve(args, chart, missing, began)
    if shard.of > 1 and args.flops is None and all(_path(work, flop).exists() for flop in mine):
        seal(work, shard, [_path(work, flop) for flop in mine])
    read = solved_flops(chart, work, args.iterations, args.store, every)
    sums = sums.plus(read)
    if args.sums is not None and shard.of == 1:
        sums.write(Path(args.sums), job)
    figures = {} if args.subset is not None else _figures(args, chart, read, sums, pairs)
    about = {"seconds": time.perf_counter() - began, "flops": len(read)} | figures
    print(json_line(about | {"summed_flops": len(sums.flops)} if args.sums is not None else about))
    if stopped:
        sys.exit(STOPPED)


def _figures(
    args: argparse.Namespace, chart: PreflopChart, read: dict[int, FlopResult], sums: FlopSums, pairs: AnyArray | None
) -> dict[str, Any]:
    """The exploitability from the flops that are done, or from the sums of all; of less than two flops nothing is
    known.
    """
    flops, results, total = list(read), list(read.values()), len(whole_game(chart.setting).boards.levels[1])
    if len(sums.flops) == total:
        flops, results = list(range(total)), [sums.total]
    elif len(flops) < 2 and args.sums is not None:
        return {}
    measured = exploitability(chart, flops, results, pairs)
    if args.save is not None:
        measured_chart(chart, flops, results, measured).save(args.save)
    return measured._asdict()


class _EnoughError(Exception):
    """The time is over, or the run was asked to stop."""


def _solve(args: argparse.Namespace, chart: PreflopChart, flops: Sequence[int], began: float) -> bool:
    """Solve flops, a file each, until all are done, the time is over or Ctrl-C; whether it was Ctrl-C."""
    on_gpu, ray = args.device == "gpu", args.engine == "ray"
    jobs = args.jobs if args.jobs is not None or ray else GPU_JOBS if on_gpu else 1
    check_jobs(jobs)
    threads = 1 if jobs is None else max(1, cores() // jobs)
    how = {"iterations": args.iterations, "store": args.store, "threads": threads, "device": args.device}
    text, work, done, said = _text(chart), Path(args.work), 0, began
    packets = [Packet(_path(work, flop), {"chart": text, "flop": flop, **how}) for flop in flops]

    def is_done(_: Packet) -> None:
        nonlocal done, said
        now, done = time.perf_counter(), done + 1
        if now - said > SAID_EACH:
            said = now
            print(f"{done} of {len(flops)} flops, {now - began:.0f} s", file=sys.stderr, flush=True)
        if stop.asked() or (args.seconds is not None and now - began > args.seconds):
            raise _EnoughError

    engine = HERE if jobs == 1 and not ray else args.engine
    team = Team(FUNCTION, engine, jobs, args.address, 1.0 / GPU_JOBS if on_gpu else 0.0)
    with until_stopped() as stop, suppress(_EnoughError), team:
        if args.seconds is None or time.perf_counter() - began <= args.seconds:
            team.do(packets, is_done)
    return stop.asked()


def flop_packet(chart: str, flop: int, iterations: int, store: str, threads: int, device: str) -> bytes:
    """The file of a flop: a packet of `headsup.common.distribute`. `chart` is what `_text` returns."""
    known = _chart(chart)
    game = flop_game(known.setting, flop)
    result = solve_flop(known, game, iterations, store=store, threads=threads, device=device)
    return _content(_job(known, iterations, store), result)


def _text(chart: PreflopChart) -> str:
    """A chart's game and strategy, for workers that do not see its file."""
    return json.dumps([asdict(chart.setting), *(rows.tolist() for rows in chart.probabilities)])


@lru_cache(1)
def _chart(text: str) -> PreflopChart:
    setting, *tables = json.loads(text)
    first, second = (np.array(rows) for rows in tables)
    return PreflopChart(setting, (first, second), (first, second))


def measured_chart(
    chart: PreflopChart,
    flops: Sequence[int],
    results: Sequence[FlopResult],
    measured: Exploitability,
) -> PreflopChart:
    """The chart with its exploitability and the value of the game.

    What each action earns is taken from the flops if all were solved. Those of a sample err by 0.03 to 0.07 bb a hand,
    more than the subset of flops that the chart was solved with.
    """
    ev = chart.ev
    if measured.exact:
        trunk = trunk_of(chart)
        first, second = (dealt_values(trunk, seat, flops, results, None)[0] for seat in (0, 1))
        ev = best_values(chart.setting, trunk.game, trunk.policy, (first, second))
    figures = {
        "value_sb_bb": measured.value_sb_bb,
        "exploitability_mbb": max(0.0, (measured.low + measured.high) / 2.0),
        "exact": measured.exact,
        "low_mbb": max(0.0, measured.low),
        "high_mbb": measured.high,
        "measured_flops": measured.flops,
        "sample_error": True,  # older files do not have it: their range leaves out what the sample may be off
    }
    return PreflopChart({**chart.about, **figures}, chart.probabilities, ev, chart.stopped)


def solved_flops(
    chart: PreflopChart, work: str | Path, iterations: int, store: str, flops: Sequence[int]
) -> dict[int, FlopResult]:
    """Those of some flops that a folder has, solved below a chart."""
    job = _job(chart, iterations, store)
    read = {flop: _read(_path(Path(work), flop), job) for flop in flops}
    return {flop: result for flop, result in read.items() if result is not None}


def _job(chart: PreflopChart, iterations: int, store: str) -> str:
    """What the results of a flop depend on: the game, the strategy before the flop, and how a flop is solved."""
    rows = b"".join(np.ascontiguousarray(table, dtype=np.float64).tobytes() for table in chart.probabilities)
    how = {"iterations": iterations, "store": store, "method": METHOD, "chart": hashlib.sha256(rows).hexdigest()}
    return fingerprint({**asdict(chart.setting), **how})


def _path(work: Path, flop: int) -> Path:
    return work / f"{flop:04}.flop"


def _content(job: str, result: FlopResult) -> bytes:
    """The file of a flop."""
    buffer = io.BytesIO()
    np.save(buffer, np.stack(result).astype(np.float32))
    return owned_bytes(buffer.getvalue(), job)


def _read(path: Path, job: str) -> FlopResult | None:
    """A flop that was solved; None if it is missing, damaged or of another job."""
    if not path.exists():
        return None
    try:
        best, value = parse_array(own_bytes(path, job)).astype(np.float64)
    except (DataError, ValueError):
        return None
    return FlopResult(best, value)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m headsup.preflop.all_flops", description=__doc__)
    parser.add_argument("chart", metavar="CHART", help="a chart that headsup preflop --solve saved")
    parser.add_argument("--work", required=True, metavar="DIR", help="folder of the flops that are solved")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, metavar="N", help="for each flop")
    parser.add_argument(
        "--flops", type=int, metavar="N", help="solve only the first N flops, of the shard if there is one"
    )
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds")
    parser.add_argument(
        "--subset", type=int, metavar="N", help="solve the flops of a subset of this size, and no others"
    )
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="solve only every Nth flop, from the Ith on")
    parser.add_argument(
        "--pairs", metavar="FILE", help="outcomes of pairs of hands on all flops, for a better estimate"
    )
    parser.add_argument(
        "--sums", metavar="FILE", help="take the flops in this file for done, and add those of the folder"
    )
    parser.add_argument("--save", metavar="FILE", help="write the chart with what was measured")
    parser.add_argument("--store", default="int16", choices=("float32", "int16"))
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    parser.add_argument("--jobs", type=int, metavar="N", help=f"processes (default: 1; {GPU_JOBS} on a GPU)")
    parser.add_argument("--engine", choices=ENGINES, default="local", help="processes of this machine or a Ray cluster")
    parser.add_argument("--address", metavar="A", help="address of a running Ray cluster")
    plainly(lambda: run(parser.parse_args(words)))


if __name__ == "__main__":
    main()
