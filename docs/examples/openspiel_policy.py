"""An OpenSpiel policy, measured by headsup: the average strategy of OpenSpiel's CFR in Leduc hold'em.

pip install open_spiel
python docs/examples/openspiel_policy.py
cd docs/examples && headsup measure openspiel_policy:leduc
"""

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

from headsup.play.bridges.openspiel_games import openspiel_game
from headsup.play.bridges.policies import measure_policy


def learned(game, iterations):
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.average_policy()


def leduc():
    return learned(pyspiel.load_game("leduc_poker"), 20)


if __name__ == "__main__":
    policy = leduc()
    ours, theirs = measure_policy(policy), exploitability.exploitability(policy.game, policy)
    print(f"leduc_poker: {ours.exploitability:.9f} by headsup, {theirs:.9f} by OpenSpiel")
    kuhn = learned(openspiel_game("kuhn"), 100)  # a game of headsup, learned in OpenSpiel
    print(f"kuhn: {measure_policy(kuhn).exploitability:.9f}")
