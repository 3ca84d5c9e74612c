"""CFR, CFR+ and ways to average CFR+: exact exploitabilities, iteration by iteration.

After each iteration the current strategy, times both players' own reach, is added to every average with its own weight.
`python -m headsup.papers.bowling2015.study FILE` does the runs that FILE lacks (an hour of one core in all; `--only
leduc` picks runs). The shipped file was made so.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.files import parsed, read_shipped, read_text, write_text
from headsup.games import game
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

SHIPPED = Path(__file__).parent / "data" / "averages.json"
CURRENT, HALF, CALM = "current", "last half", "calm"
POWERS = {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0, "fifth power": 5.0}
WEIGHTS = (CURRENT, *POWERS, HALF, CALM)
"""How what was played is put together: the last of it, powers of the iteration, the later half of the iterations with
equal weights, and the iteration over how far the regrets moved in it: a rule that looks at no exploitability."""
_BLOCK = 1 << 20


@dataclass(frozen=True)
class StudyRun:
    """A run: a game, an algorithm, when it is measured, and the averages to keep."""

    name: str  # of `GAMES` or `SPOTS`
    method: str
    ends: tuple[int, ...]  # powers of two, so that the later half of the iterations is what came since the one before
    weights: tuple[str, ...] = WEIGHTS
    store: str = "float64"


@dataclass(frozen=True)
class Point:
    """A measurement: mbb/g, or percent of the pot in a spot."""

    run: str
    method: str
    weights: str
    iterations: int
    exploitability: float


def _doubling(last: int, first: int = 1) -> tuple[int, ...]:
    return tuple(2**k for k in range(first.bit_length() - 1, last.bit_length()))


RANGES = {
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
}
SPOTS = {
    name: Spot(board, **RANGES, pot=200, stack=900, bets="60%, a", raises="2.5x")
    for name, board in (("river spot", "Td9d6hQc2s"), ("turn spot", "Td9d6hQc"))
}
GAMES = {
    "Leduc": "leduc",
    "three streets, 12 cards": "holdem-limit:ranks=4,suits=3,streets=3,raises=2",
    "two streets, 28 cards": "holdem-limit:ranks=7,streets=2",
    "two streets, whole deck": "holdem-limit:streets=2",
}
SMALL = {
    "Leduc": 1024,
    "river spot": 1024,
    "turn spot": 256,
    "three streets, 12 cards": 256,
    "two streets, 28 cards": 256,
}
WHOLE = [("cfr+", "linear"), ("cfr", "uniform"), ("cfr+", "quadratic"), ("cfr+", "uniform")]
"""On the whole deck memory is short: a run for each average."""
RUNS = (
    *(StudyRun(name, "cfr+", _doubling(last)) for name, last in SMALL.items()),
    *(StudyRun(name, "cfr", _doubling(last), (CURRENT, "uniform")) for name, last in SMALL.items()),
    *(
        StudyRun("two streets, whole deck", method, _doubling(64, 4), (*(CURRENT,) * (at < 2), average), "float32")
        for at, (method, average) in enumerate(WHOLE)
    ),
)


def points(run: StudyRun) -> Iterator[Point]:
    """Do a run and yield its measurements."""
    played, scale = _playable(run.name)
    averages = [name for name in run.weights if name != CURRENT]
    alone = len(averages) == 1 and averages[0] in POWERS  # then the solver keeps it: half of the memory
    power = POWERS[averages[0]] if alone else 0.0
    solver = VectorCfr(played, replace(PRESETS[run.method], averaging=power), store=run.store, threads=1)
    total = played.betting.total
    assert total is not None
    now, regrets = solver.stores.policy(average=True), solver.stores.policy(average=False)
    kept = {name: now if alone else (np.zeros_like(now[0]), np.zeros_like(now[1])) for name in averages}
    for t in range(1, run.ends[-1] + 1):
        before = [array.copy() for array in regrets] if CALM in kept else []
        for array in () if alone else now:
            array[:] = 0.0  # so that it has what this iteration plays, and nothing else
        solver.step(1)
        if not alone:
            moved = sum(float(np.abs(new - old).sum()) for new, old in zip(regrets, before, strict=False))
            for name, sums in kept.items():
                _add(sums, now, t / moved if name == CALM and moved else t ** POWERS.get(name, 0.0))
        if t in run.ends:
            for name in run.weights:
                gains = sum(solver.walker.best_values(regrets if name == CURRENT else kept[name])) - total
                yield Point(run.name, run.method, name, t, scale * gains / 2)
            for array in kept.get(HALF, ()):
                array[:] = 0.0


def _playable(name: str) -> tuple[VectorGame, float]:
    """The game, and the factor from chips to the unit of its exploitability."""
    if name in SPOTS:
        return SPOTS[name].game(), 100.0 / SPOTS[name].pot
    named: Any = game(GAMES[name])
    played = named if isinstance(named, VectorGame) else named.vector()
    return played, 1000.0 / played.unit


def _add(sums: Policy, now: Policy, weight: float) -> None:
    """sums += weight x now, in blocks: the arrays may fill the memory."""
    for to, come in zip(sums, now, strict=True):
        for at in range(0, len(to), _BLOCK):
            part: AnyArray = to[at : at + _BLOCK]
            part += to.dtype.type(weight) * come[at : at + _BLOCK]


def study(path: Path, wanted: Sequence[StudyRun] = RUNS, tell: Callable[[str], None] | None = None) -> list[Point]:
    """Do the runs that a file lacks, adding each to it when it is done; return all points."""
    known = read_points(path) if path.exists() else []
    for run in wanted:
        done = {
            (known_point.weights, known_point.iterations)
            for known_point in known
            if (known_point.run, known_point.method) == (run.name, run.method)
        }
        if all((name, end) in done for name in run.weights for end in run.ends):
            continue
        for point in points(run):
            known.append(point)
            if tell is not None:
                tell(f"{run.name}, {run.method}, {point.weights}: {point.exploitability:.6g} after {point.iterations}")
        write_text(path, json.dumps([asdict(known_point) for known_point in known], indent=0) + "\n")
    return known


def read_points(path: Path, read: Callable[[Path], str | bytes] = read_text) -> list[Point]:
    return parsed(path, lambda: [Point(**point) for point in json.loads(read(path))], "a file of averages")


@cache
def shipped_points() -> tuple[Point, ...]:
    return tuple(read_points(SHIPPED, read_shipped))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", default="", help="runs whose name has this text in it")
    args = parser.parse_args()
    study(args.file, [run for run in RUNS if args.only.lower() in f"{run.name} {run.method}".lower()], print)


if __name__ == "__main__":
    main()
