"""RLCard agents, measured by headsup: exactly in RLCard's Leduc hold'em, by local best response in limit hold'em.

pip install rlcard
python docs/examples/rlcard_agent.py
cd docs/examples && headsup measure rlcard_agent:leduc_rule
"""

from rlcard import models

from headsup.play.bridges.policies import measure_policy


def leduc_rule():
    return models.load("leduc-holdem-rule-v1").agents[0]


def limit_rule():
    return models.load("limit-holdem-rule-v1").agents[0]


if __name__ == "__main__":
    exact = measure_policy(leduc_rule())
    print(f"leduc-holdem-rule-v1: {exact.mbb:.3f} mbb/g, exact")
    bound = measure_policy(limit_rule(), "holdem-limit", hands=40)
    low, high = bound.mbb.low, bound.mbb.high
    print(f"limit-holdem-rule-v1: at least {bound.mbb.mean:.0f} mbb/g, 95 % CI {low:.0f} to {high:.0f}")
