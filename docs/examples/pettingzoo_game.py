"""headsup's games as PettingZoo environments: random play, and PettingZoo's own test.

pip install pettingzoo
python docs/examples/pettingzoo_game.py
"""

import numpy as np
from pettingzoo.test import api_test

from headsup.play.bridges.pettingzoo_env import headsup_env

if __name__ == "__main__":
    for name, stack in (("leduc", None), ("holdem-limit", None), ("holdem-nolimit", 20)):
        env = headsup_env(name, stack)
        api_test(env, num_cycles=100)
        won = []
        for seed in range(50):
            env.reset(seed=seed)
            for agent in env.agent_iter():
                seen, reward, terminated, _, _ = env.last()
                mask = seen["action_mask"]
                env.step(None if terminated else env.action_space(agent).sample(mask))
                if terminated and agent == "player_0":
                    won.append(reward)
        print(f"{name}: {np.mean(won):+.2f} for player_0 in {len(won)} games")
