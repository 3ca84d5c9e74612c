"""What other solvers need for Leduc: run by a Python that has them, one peer a call, the result as one line of JSON.

    python engine_peers.py NAME SECONDS [FILE.efg]

NAME is openspiel, openspiel-python, liteefg, openspiel-lp or gambit-lp. A solver that is not installed prints
{"missing": ...}.
"""

import json
import sys
import time

TARGETS = (1e-3, 1e-4, 1e-6)


def curve(step, exploitability, budget):
    """Iterate for some seconds; when iterations have grown by a fifth, look at the exploitability, off the clock."""
    iterations, seconds, reached, due = 0, 0.0, {}, 10
    while seconds < budget and len(reached) < len(TARGETS):
        began = time.process_time()
        step()
        seconds += time.process_time() - began
        iterations += 1
        if iterations >= due:
            due = max(iterations + 10, iterations * 6 // 5)
            gap = exploitability()
            for target in TARGETS:
                if gap <= target and str(target) not in reached:
                    reached[str(target)] = seconds
    return {"iterations": iterations, "seconds": seconds, "rate": iterations / seconds, "reached": reached}


def openspiel(budget):
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(game)
    return curve(
        solver.evaluate_and_update_policy,
        lambda: pyspiel.exploitability(game, solver.tabular_average_policy()),
        budget,
    )


def openspiel_python(budget):
    import pyspiel
    from open_spiel.python.algorithms import cfr, exploitability

    game = pyspiel.load_game("leduc_poker")
    solver = cfr.CFRPlusSolver(game)
    return curve(
        solver.evaluate_and_update_policy,
        lambda: exploitability.exploitability(game, solver.average_policy()),
        budget,
    )


def liteefg(budget):
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()):
        import LiteEFG as leg
        import pyspiel
        from LiteEFG.baselines import CFRplus

        graph = CFRplus.graph()
        env = leg.OpenSpielEnv(pyspiel.load_game("leduc_poker"), traverse_type="Enumerate")
        env.set_graph(graph)

        def step():
            graph.update_graph(env)
            env.update_strategy(graph.current_strategy())

        return curve(step, lambda: sum(env.exploitability(graph.current_strategy(), "linear-avg-iterate")) / 2, budget)


def openspiel_lp(budget):
    import pyspiel
    from open_spiel.python.algorithms import sequence_form_lp

    game = pyspiel.load_game("leduc_poker")
    began = time.process_time()
    value = sequence_form_lp.solve_zero_sum_game(game)[0]
    return {"seconds": time.process_time() - began, "value": value}


def gambit_lp(budget, path):
    import pygambit

    game = pygambit.read_efg(path)
    began = time.process_time()
    equilibrium = pygambit.nash.lp_solve(game, rational=False).equilibria[0]
    return {"seconds": time.process_time() - began, "value": float(equilibrium.payoff("Player 1"))}


if __name__ == "__main__":
    name, budget, *rest = sys.argv[1:]
    peers = {
        "openspiel": openspiel,
        "openspiel-python": openspiel_python,
        "liteefg": liteefg,
        "openspiel-lp": openspiel_lp,
        "gambit-lp": gambit_lp,
    }
    try:
        print(json.dumps(peers[name](float(budget), *rest)))
    except ImportError as error:
        print(json.dumps({"missing": str(error)}))
