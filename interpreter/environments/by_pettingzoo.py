"""A PettingZoo environment: two agents who take decisions in the order the rules say.

Of PettingZoo: ``AECEnv`` (agents are asked one at a time; one may be asked again at once).
Observations are ``{"observation", "action_mask"}``, as its classic games have them.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import numpy
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from interpreter.environments.episode import MOST_STARTS, RENDER_MODES, Episode, Setting, rendering

if TYPE_CHECKING:
    from interpreter.machine.types import State


class RawEnv(AECEnv):  # type: ignore[misc]
    """The environment without wrappers: an action that is not legal raises Fault N710.

    Args:
        setting: the game, when it is cut off, what is rewarded, how it is observed.
        render_mode: ``ansi`` or ``svg``: what ``render`` gives.
    """

    def __init__(self, setting: Setting, render_mode: str | None = None) -> None:
        super().__init__()
        game = setting.playable.game
        self.metadata = {
            "name": f"alfonso_{game.ruleset.id}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.setting, self.render_mode = setting, rendering(render_mode)
        self.episode = Episode(setting)
        self.possible_agents = [f"{name}_{side}" for side, name in enumerate(game.sides)]
        self.agents: list[str] = []
        seen, many = setting.observing, len(setting.actions)
        self._actions = {agent: Discrete(many) for agent in self.possible_agents}
        self._observations = {
            agent: Dict(
                {
                    "observation": Box(seen.low, seen.high, dtype=numpy.float32),
                    "action_mask": Box(0, 1, (many,), numpy.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seed: int | None = None
        self._number = -1

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees: a vector or planes of float32, and the mask of what it may do."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Discrete:
        return self._actions[agent]

    @property
    def state_of_game(self) -> State:
        """The state of the game."""
        return self.episode.state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Without a seed the next game of the seed given last.

        Args:
            options: ``position``: where it begins, as text, instead of the set-up.
        """
        if seed is not None:
            self._seed, self._number = seed, -1
        elif self._seed is None:
            self._seed = secrets.randbits(63)
        for _ in range(MOST_STARTS):
            self._number += 1
            self.episode.begin(self._seed, self._number, (options or {}).get("position"))
            if not self.episode.over:
                break
        else:
            raise self.setting.never_asked()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._told()

    def _told(self) -> None:
        """Whose decision it is, or how it ended."""
        episode = self.episode
        self.terminations = dict.fromkeys(self.agents, episode.ended)
        self.truncations = dict.fromkeys(self.agents, episode.cut_off)
        news = episode.news
        self.infos = {agent: dict(news) for agent in self.agents}
        self.agent_selection = self.possible_agents[episode.decider]
        if episode.over:
            self.rewards = dict(zip(self.agents, episode.rewards, strict=True))

    def observe(self, agent: str) -> dict[str, Any]:
        side = self.possible_agents.index(agent)
        return {"observation": self.episode.observation(side), "action_mask": self.episode.mask(side)}

    def step(self, action: Any) -> None:
        """Take an action for the agent that is asked. Raises Fault N710, P831, P832."""
        if not self.agents:
            raise self.setting.nothing_under_way()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.episode.take(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._told()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as characters (``ansi``) or as SVG (``svg``), seen by the first side."""
        return self.episode.render(self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


def environment(setting: Setting, render_mode: str | None = None) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game, at the cost of 1."""
    env = wrappers.TerminateIllegalWrapper(RawEnv(setting, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


__all__ = ["RawEnv", "environment"]
