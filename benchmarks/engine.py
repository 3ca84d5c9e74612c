"""The general engine: Leduc against other solvers, the sequence-form LP, and trees of up to ten million nodes.

Other solvers run in a process of their own, by the Python named in HEADSUP_PEERS (an environment that has open_spiel,
LiteEFG, pygambit, cvxpy and ecos), or by this one; a peer that is missing is said to be missing.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from headsup.games import PublicGame, SequenceForm, game, public_tree, sequence_form
from headsup.games.trees.efg import write_efg
from headsup.games.trees.unroll import unroll
from headsup.solve import solve, start
from headsup.solve.records.loop import Solver, next_measure
from headsup.solve.small.lp import sequence_lp

PEERS = os.environ.get("HEADSUP_PEERS", sys.executable)
TARGETS = (1e-3, 1e-4, 1e-6)


def run(quick: bool) -> None:
    """Print every figure; `quick` leaves out the long ones."""
    rate = leduc(quick)
    peers(quick, rate)
    programs(quick)
    trees(quick)


def best(repeats: int, clock: Callable[[], float], work: Callable[[], Any]) -> float:
    """The least seconds that some work took: the machine may be busy with other things."""
    times = []
    for _ in range(repeats):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def reach(solver: Solver, form: SequenceForm, last: float) -> dict[float, float]:
    """CPU seconds until each target is reached; measuring is off the clock."""
    reached: dict[float, float] = {}
    seconds = 0.0
    while last not in reached:
        began = time.process_time()
        solver.step(next_measure(solver.iterations) - solver.iterations)
        seconds += time.process_time() - began
        exploitability = sum(form.best_values(solver.plans())) / 2
        for target in TARGETS:
            if exploitability <= target:
                reached.setdefault(target, seconds)
    return reached


def leduc(quick: bool) -> float:
    """Iterations a second, and seconds to three exploitabilities; returns the rate of CFR+."""
    print("Leduc (9,457 nodes, 936 information sets); CPU seconds of one thread")
    rates = {}
    for name, options in (("leduc", {}), ("leduc", {"form": "vector"}), ("leduc:merged=true", {})):
        for method in ("cfr+", "dcfr", "pcfr+") if not options else ("cfr+",):
            label = name + (" vector" if options else "")
            solver = start(game(name), method, **options)
            form = solver.form
            seconds = best(4 if quick else 10, time.process_time, lambda s=solver: s.step(1000))
            rates[label, method] = 1000 / seconds
            when = reach(start(game(name), method, **options), form, 1e-4 if quick else 1e-6)
            times = ", ".join(f"{target:g} in {when[target]:.3g} s" for target in TARGETS if target in when)
            print(f"  headsup {label:18} {method:6} {rates[label, method]:10,.0f} it/s   {times}")
    return rates["leduc", "cfr+"]


def ask(peer: str, seconds: float, *rest: str, limit: float = 120.0) -> dict[str, Any]:
    """Run one peer in its own process."""
    script = Path(__file__).with_name("engine_peers.py")
    command = [PEERS, str(script), peer, str(seconds), *rest]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return answer
    except subprocess.TimeoutExpired:
        return {"late": limit}
    except (OSError, ValueError, IndexError):
        return {"missing": "it does not run here"}


def peers(quick: bool, rate: float) -> None:
    """The same game and method by others."""
    for peer in ("liteefg", "openspiel", "openspiel-python"):
        answer = ask(peer, 3.0 if quick else 40.0)
        if "rate" not in answer:
            print(f"  {peer:26} not installed ({answer.get('missing', 'too slow')})")
            continue
        reached = ", ".join(f"{float(target):g} in {seconds:.3g} s" for target, seconds in answer["reached"].items())
        ratio = f"headsup: {rate / answer['rate']:,.0f} x"
        print(f"  {peer:26} cfr+   {answer['rate']:10,.1f} it/s   {reached or '-'}   {ratio}")


def programs(quick: bool) -> None:
    """The sequence-form LP of Leduc: HiGHS alone, what headsup adds, and others; CPU seconds of one thread."""
    import highspy

    print("sequence-form LP")
    inside = [0.0]
    plain = highspy.Highs.run

    def timed(highs: Any) -> Any:
        began = time.process_time()
        status = plain(highs)
        inside[0] = time.process_time() - began
        return status

    highspy.Highs.run = timed
    try:
        for name in ("kuhn", "leduc", "leduc:merged=true"):
            played = game(name)
            for algorithm in ("simplex", "interior"):
                runs = []
                for _ in range(2 if quick else 5):
                    began = time.process_time()
                    value = sequence_lp(sequence_form(played), algorithm)[0]
                    runs.append((time.process_time() - began, inside[0]))
                total, alone = min(runs)
                added = min(whole - part for whole, part in runs)
                print(
                    f"  headsup {name:18} {algorithm:9} {total:7.3f} s, of which HiGHS {alone:.3f} s and "
                    f"headsup {added:.3f} s (tree, form, plans)   value {value:.12f}"
                )
    finally:
        highspy.Highs.run = plain
    with tempfile.TemporaryDirectory() as folder:
        for peer, name in (("openspiel-lp", "leduc"), ("gambit-lp", "kuhn"), ("gambit-lp", "leduc:merged=true")):
            path = str(Path(folder) / "game.efg")
            write_efg(game(name), path)
            answer = ask(peer, 0.0, *([path] if peer == "gambit-lp" else []), limit=20.0 if quick else 120.0)
            result = (
                f"{answer['seconds']:.3f} s, value {answer['value']:.9f}"
                if "seconds" in answer
                else f"not done after {answer['late']:.0f} s"
                if "late" in answer
                else f"not installed ({answer['missing']})"
            )
            print(f"  {peer:12} {name:18} {result}")


def trees(quick: bool) -> None:
    """Leduc with more cards: bytes a node, nodes a second, and how both grow."""
    print("trees; seconds on the wall, all threads")
    sizes = [f"leduc:ranks={ranks},suits=4" for ranks in (4, 7, 10, 13)] + ["small_holdem:ranks=4,suits=3"]
    for name in sizes[: 2 if quick else None]:
        played = game(name)
        assert isinstance(played, PublicGame)
        began = time.perf_counter()
        tree = unroll(public_tree(played))
        built = time.perf_counter() - began
        form = tree.sequence_form()
        formed = time.perf_counter() - began - built
        kept = sum(
            a.nbytes for seat in form.seats for a in (seat.first, seat.parent, seat.start, seat.other, seat.payoff)
        )
        solver = start(form, "cfr+")
        seconds = best(3, time.perf_counter, lambda s=solver: s.step(10)) / 10
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"  {name:28} {tree.n_nodes:11,} nodes, {tree.nbytes / tree.n_nodes:.1f} bytes a node"
            f" (form {kept / tree.n_nodes:.1f});"
            f" built at {tree.n_nodes / built:,.0f} nodes/s, form at {tree.n_nodes / formed:,.0f};"
            f" cfr+ {1 / seconds:,.1f} it/s = {tree.n_nodes / seconds:,.0f} nodes/s; peak {peak:.1f} GiB"
        )
    solution = solve(form, "cfr+", target=5e-2 if quick else 1e-2)
    result = f"exploitability {solution.exploitability:.4f} after {solution.iterations} iterations"
    print(f"  {solution.game}: {result}, {solution.seconds:.1f} s")


if __name__ == "__main__":
    run("--quick" in sys.argv)
