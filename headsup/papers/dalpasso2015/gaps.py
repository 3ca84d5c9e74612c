"""Proofs of open programs of tables 3 and 4 on many cores: `python -m headsup.papers.dalpasso2015.gaps FOLDER`.

An open program is one question for `Proof`: do N features reach a level? For the least error of N features, the level
is a few hundredths of a point below the value. For the fewest features, it is the error allowed, and N is the bound.
That is the harder question, so the least error of N features is asked about before, in steps: each goes half of the way
that is left, and its bound is kept.

Open nodes of a proof are independent of each other, and are dealt out in rounds: a worker searches some nodes depth
first for some seconds and returns those that are left. They are saved after each round, so a stopped run resumes with
the same command. The answer to a question is a result in the folder, as `study` writes them: `headsup reproduce
dalpasso-lancia-2015 --shipped --work FOLDER` shows it.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from headsup.common.distribute import Packet, Team, clear_scratch, locked
from headsup.common.errors import plainly
from headsup.common.files import json_text, read_json, write_json
from headsup.distil.formulas.problem import Bools, problem
from headsup.distil.formulas.results import Result, Task
from headsup.distil.formulas.sharing import implied
from headsup.distil.formulas.subset.fits import HandFit
from headsup.distil.formulas.subset.proof import Cores, Proof
from headsup.papers.dalpasso2015.study import beside_shipped, paper

WITHIN = 0.05  # points: how near its value a bound of the least error has to be
FIRST, TURN = 60.0, 20.0  # seconds of a packet: of the first, whose cores all workers start with, and of the others
TURNS = 2  # packets for each worker in a round
FUNCTION = "headsup.papers.dalpasso2015.gaps:search_nodes"
HOME = "proofs"  # the folder of open nodes, inside the folder of results

Node = dict[str, Any]  # columns that are `in` and `out`, and the `share` of the search that it stands for


@dataclass
class OpenQuestion:
    """Whether so many features reach a level, and what is left to search."""

    result: Result
    features: int
    level: float
    nodes: list[Node] = field(default_factory=lambda: [{"in": [], "out": [], "share": 1.0}])
    cores: list[dict[str, Any]] = field(default_factory=list)
    visited: int = 0
    seconds: float = 0.0  # of one core

    @classmethod
    def of(cls, result: Result, folder: Path, within: float) -> "OpenQuestion":
        """The question of an open program, with the nodes that the folder has for it."""
        task = result.task
        if task.model == "AVGERR":
            asked = cls(result, int(task.limit), result.value - within / 100.0)
        else:
            asked = cls(result, int(result.bound), task.limit)
        return replace(asked, **read_json(asked.path(folder))) if asked.path(folder).exists() else asked

    @property
    def name(self) -> str:
        return f"{self.result.task.name}-{self.features}-{100 * self.level:.6f}"

    def path(self, folder: Path) -> Path:
        return folder / HOME / f"{self.name}.json"

    def save(self, folder: Path) -> None:
        kept = {name: getattr(self, name) for name in ("nodes", "cores", "visited", "seconds")}
        write_json(self.path(folder), kept)

    def packets(self, folder: Path, number: int, seconds: float) -> list[Packet]:
        """The nodes in so many packets, the largest nodes first and dealt out in turn."""
        nodes = sorted(self.nodes, key=lambda node: -node["share"])
        task, path = self.result.task, self.path(folder)
        fixed = {"hand": task.hand, "villain": task.villain, "features": self.features, "level": self.level}
        fixed |= {"kept": str(path), "seconds": seconds if self.cores else max(seconds, min(FIRST, 3 * seconds))}
        parts = [nodes[k::number] for k in range(min(number, len(nodes)))]
        return [Packet(path.with_suffix(f".{k}.part.json"), fixed | {"nodes": part}) for k, part in enumerate(parts)]

    def take(self, replies: Sequence[dict[str, Any]]) -> Result | None:
        """Continue with what workers returned; the result, once the question is answered."""
        self.nodes = [node for reply in replies for node in reply["nodes"]]
        self.cores = self.cores or replies[0]["cores"]
        self.visited += sum(reply["visited"] for reply in replies)
        self.seconds += sum(reply["seconds"] for reply in replies)
        was = self.result
        spent = replace(was, seconds=was.seconds + self.seconds, nodes=was.nodes + self.visited)
        formula = next((reply["formula"] for reply in replies if reply["formula"] is not None), None)
        least = was.task.model == "AVGERR"
        if formula is not None:
            weights = {int(name[1:]): weight for name, weight in formula.pop("weights").items()}
            value = formula["average_error"] if least else float(len(weights))
            return replace(spent, value=value, weights=weights, proved=value - was.bound <= 1e-7, **formula)
        if self.nodes:
            return None
        bound = self.level if least else was.bound + 1.0
        return replace(spent, bound=bound, proved=not least and bound >= was.value)


def open_questions(folder: Path, within: float) -> list[OpenQuestion]:
    """The next one for each program of both tables that is neither proved nor within so many points of its bound."""
    known = {result.task: result for result in beside_shipped(folder)}
    questions = []
    for printed in paper():
        result = known[printed.task]
        if result.proved or (result.task.model == "AVGERR" and _near(result, within)):
            continue
        asked = OpenQuestion.of(result, folder, within)
        if result.task.model != "AVGERR":
            least = _least_error(result, known)
            step = OpenQuestion.of(least, folder, _step(least, within))
            if step.level < asked.level and not _near(least, within):
                asked = step
        questions.append(asked)
    return questions


def _near(result: Result, within: float) -> bool:
    return result.gap <= within / 100.0 + 1e-9


def _least_error(fewest: Result, known: Mapping[Task, Result]) -> Result:
    """What is known about the least error of as many features as the bound of an open program says."""
    task = replace(fewest.task, model="AVGERR", limit=fewest.bound)
    if task in known:
        return known[task]
    least = implied(task, [result for result in known.values() if task.same_pair(result.task)])
    assert least is not None
    return replace(least, seconds=0.0)


def _step(result: Result, within: float) -> float:
    """How near the value to ask next, in points: half of the way, and all of it if it is short."""
    gap = 100.0 * result.gap
    return (gap + within) / 2.0 if gap > 2.0 * within else within


def close_gaps(
    folder: Path, *, seconds: float, jobs: int, within: float = WITHIN, say: Callable[[str], None] = print
) -> list[Result]:
    """Search the open questions for so many seconds; results of those that are answered, also written to the folder."""
    with locked(folder), Team(FUNCTION, jobs=jobs) as team:
        clear_scratch(folder)
        (folder / HOME).mkdir(exist_ok=True)
        waiting, answered = open_questions(folder, within), list[Result]()
        until = perf_counter() + seconds
        while waiting and (left := until - perf_counter()) > 1.0:
            number = max(1, TURNS * jobs // len(waiting))
            packets = {}
            for asked in waiting:
                asked.save(folder)
                packets[asked.name] = asked.packets(folder, number, min(TURN, left))
            team.do([packet for some in packets.values() for packet in some])
            for asked in waiting:
                replies = [read_json(packet.path) for packet in packets[asked.name]]
                for packet in packets[asked.name]:
                    packet.path.unlink()
                result = asked.take(replies)
                say(
                    f"{asked.name}: {asked.visited} nodes, {asked.seconds:.0f} s of one core, "
                    f"{sum(node['share'] for node in asked.nodes):.2%} left"
                )
                if result is not None:
                    write_json(folder / f"{result.task.name}.json", result.as_dict())
                    asked.path(folder).unlink()
                    answered.append(result)
                else:
                    asked.save(folder)
            waiting = open_questions(folder, within)
        return answered


@cache
def _proof(hand: str, villain: str, features: int, level: float, kept: str) -> Proof:
    """The proof of a question in this process: the cores that it learns stay for later packets."""
    from headsup.distil.formulas.formula import one_hand

    fit = HandFit(problem(one_hand(hand), villain))
    cores = Cores.none(fit.width)
    for core in read_json(kept)["cores"]:
        cores.add(_bools(core["columns"], fit.width), core["error"])
    return Proof(fit, level, features, cores)


def _bools(columns: Sequence[int], width: int) -> Bools:
    return np.isin(np.arange(width), columns)


def search_nodes(
    hand: str, villain: str, features: int, level: float, kept: str, nodes: Sequence[Node], seconds: float
) -> bytes:
    """Search nodes of a question: a formula that reaches the level, the nodes that are left, and first cores."""
    proof = _proof(hand, villain, features, level, kept)
    began, before, fit, first = process_time(), proof.nodes, proof.fit, proof.cores.count == 0
    assert isinstance(fit, HandFit)
    proof.stack = [(fit.origin.with_(node["in"]), _bools(node["out"], fit.width), node["share"]) for node in nodes]
    verdict, columns = proof.run(perf_counter() + seconds)
    formula = None
    if verdict == "found":
        weights = fit.formula(fit.fit(columns).weights)
        errors = {"average_error": fit.of.average_error(weights), "max_error": fit.of.max_error(weights)}
        formula = errors | {"weights": {f"F{number}": weight for number, weight in weights.items()}}
    left = [
        {"in": np.flatnonzero(span.within).tolist(), "out": np.flatnonzero(barred).tolist(), "share": share}
        for span, barred, share in proof.stack
    ]
    cores = [
        {"columns": np.flatnonzero(core).tolist(), "error": float(error)}
        for core, error in zip(proof.cores.sets, proof.cores.errors[: proof.cores.count], strict=True)
    ]
    reply = {"formula": formula, "nodes": left, "cores": cores if first else [], "visited": proof.nodes - before}
    return json_text(reply | {"seconds": process_time() - began}).encode("ascii")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where open nodes and results are kept")
    parser.add_argument(
        "--seconds", type=float, default=1500.0, metavar="S", help="stop after S seconds (default: 1500)"
    )
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="number of processes (default: 2)")
    parser.add_argument(
        "--within", type=float, default=WITHIN, metavar="POINTS",
        help=f"how near the bound of a least error is to come (default: {WITHIN:g})",
    )  # fmt: skip
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    say = partial(print, flush=True)
    for result in close_gaps(args.folder, seconds=args.seconds, jobs=args.workers, within=args.within, say=say):
        say(f"{result.task.name}: {result.value:.6f}, proved: at least {result.bound:.6f}")


if __name__ == "__main__":
    plainly(main)
