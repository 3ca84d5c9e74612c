"""PettingZoo: headsup's games as AEC environments.

    env = headsup_env("leduc")                       # or headsup_env("holdem-nolimit", stack=20)
    env.reset(seed=7)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"]))

Observations are dictionaries with `observation` and `action_mask`. Cards are drawn from the seed of `reset`. Rewards
come at the end: chips in small games, big blinds in hold'em. An illegal action raises an error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from headsup.common.errors import UserError
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.play.bridges.states import BridgeState, bridge_game

AGENTS = ("player_0", "player_1")


class HeadsupEnv(AECEnv):  # type: ignore[misc]
    metadata = {"name": "headsup_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str = "leduc", stack: float | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        self.bridge, self.render_mode = bridge_game(game, stack), render_mode
        self.possible_agents = list(AGENTS)
        count, most = len(self.bridge.action_names), max(52.0, 2 * self.bridge.utility[1])
        self._actions = {agent: spaces.Discrete(count) for agent in AGENTS}
        seen = {
            "observation": spaces.Box(0.0, most, (self.bridge.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (count,), np.int8),
        }
        self._seen = {agent: spaces.Dict(seen) for agent in AGENTS}
        self.state_of: BridgeState = self.bridge.root()

    def observation_space(self, agent: str) -> Any:
        return self._seen[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None or not hasattr(self, "random"):
            self.random, _ = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.state_of = self.bridge.root()
        self._deal()
        self.agent_selection = AGENTS[max(0, self.state_of.player)]

    def _deal(self) -> None:
        """Draw outcomes of chance until a player acts or the game is over."""
        while self.state_of.player == CHANCE:
            outcomes, odds = zip(*self.state_of.chance(), strict=True)
            at = int(np.searchsorted(np.cumsum(odds), self.random.random() * sum(odds), side="right"))
            self.state_of.act(outcomes[min(at, len(outcomes) - 1)])

    def observe(self, agent: str) -> dict[str, Any]:
        player = AGENTS.index(agent)
        mask = np.zeros(len(self.bridge.action_names), np.int8)
        if self.state_of.player == player:
            mask[self.state_of.legal()] = 1
        return {"observation": self.state_of.observe(player).astype(np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self.state_of.legal():
            names = ", ".join(f"{i} {self.bridge.action_names[i]}" for i in self.state_of.legal())
            raise UserError(f"action {action} is not legal for {agent}: choose one of {names}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.state_of.act(int(action))
        self._deal()
        if self.state_of.player == TERMINAL:
            self.rewards = dict(zip(AGENTS, self.state_of.returns(), strict=True))
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self.agent_selection = AGENTS[self.state_of.player]
        self._accumulate_rewards()
        if self.render_mode == "ansi":
            self.infos[agent] = {"text": self.render()}

    def render(self) -> str:
        return " / ".join(self.state_of.knows(player) for player in (0, 1))

    def close(self) -> None:
        """Nothing to release."""


def headsup_env(game: str = "leduc", stack: float | None = None, render_mode: str | None = None) -> HeadsupEnv:
    """One of headsup's games as an AEC environment; `stack` is for hold'em, in big blinds."""
    return HeadsupEnv(game, stack, render_mode)
