"""PettingZoo environments: agents in every seat, which act in turn (AEC) or at every step (parallel).

>>> from janshi.bridges import zoo
>>> env = zoo.env(rules="tenhou-sanma", observation="meowjong")
>>> env.reset(seed=1)
>>> for name in env.agent_iter():
...     seen, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(name).sample(seen["action_mask"]))
>>> env.agents
[]

Agents are ``player_0`` (the first dealer) to ``player_2`` or ``player_3``. An episode is a game, by default of a single
hand. Actions are those of `janshi.riichi.actions`. An observation is a dictionary of ``"observation"`` and
``"action_mask"`` (122, int8). Options are those of `janshi.bridges.settings.Settings` except seat, opponents and
threads. All agents receive their rewards at the end of a hand; ``infos`` then contains the points won or lost by every
seat as ``"change"``.

In the parallel environment, too, only one seat decides at each step, ``infos[name]["active_agent"]``. The masks of the
others allow a pass only, and their actions are ignored.

Every game of `janshi.games` is supported: pass ``rules``, and an encoder if the game has no default.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.bridges.gym import SEEDS, observation_space
from janshi.bridges.rendering import check_mode, metadata_of, picture
from janshi.bridges.settings import SELF, settings_of
from janshi.bridges.slots import Slots
from janshi.bridges.stepping import environment_of
from janshi.compiling import row
from janshi.installing import naming_extra

with naming_extra(__name__):
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

__all__ = ["MahjongAEC", "MahjongParallel", "env", "parallel_env", "raw_env"]

Observation = dict[str, Any]

#: Options of `Settings` that do not apply because agents play every seat.
_NOT_HERE: Final = ("seat", "opponents", "threads", "mask_in_observation")


class _Environment:
    """One table with an agent in every seat: the common part of both environments."""

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        for name in _NOT_HERE:
            if name in options:
                raise ValueError(f"option {name!r} does not apply to PettingZoo's environments: agents play every seat")
        self.settings = settings_of({**options, "opponents": SELF, "mask_in_observation": True})
        game = self.settings.game
        self._slots = Slots(self.settings, 1)
        name = environment_of(game).names.get(self._slots.players, game.name)
        self.metadata = {**metadata_of(game), "name": f"janshi_{name}_v0", "is_parallelizable": False}
        self.render_mode = check_mode(render_mode, game)
        self._seeds: np.random.Generator | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(self._slots.players)]
        self.agents: list[str] = []
        self._observation_spaces = {name: observation_space(self.settings) for name in self.possible_agents}
        self._action_spaces = {name: spaces.Discrete(game.actions) for name in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    @property
    def _asked(self) -> str:
        """The agent of the current decision, or of the last one after the end of the game."""
        return self.possible_agents[self._slots.single_asked()]

    @property
    def _over(self) -> bool:
        return bool(self._slots.over[0])

    def _begin(self, seed: int | None) -> None:
        """Begin the game of a seed, or the next game without one."""
        slots = self._slots
        if seed is None and self._seeds is not None:
            slots.begin_next(slots.every)
        else:
            self._seeds, _ = seeding.np_random(seed)
            first = int(self._seeds.integers(SEEDS)) if seed is None else seed & SEEDS
            slots.begin(slots.every, np.array([first]))
        self.agents = list(self.possible_agents)

    def _do(self, action: Any) -> tuple[dict[str, float], dict[str, Any]]:
        """Execute an action; return the rewards of all agents, and their common info."""
        acted = self._slots.single_asked()
        illegal = self._slots.step(np.array([action]))[0]
        rewards: NDArray[np.float64] = np.zeros(self._slots.players)
        info: dict[str, Any] = {}
        gains = self._slots.take()
        if gains is not None:
            rewards = gains[0][0]
            info["change"] = gains[1][0]
        if illegal:
            rewards[acted] -= self.settings.illegal_penalty
        return dict(zip(self.possible_agents, rewards.tolist(), strict=True)), info

    def _observe(self, names: list[str], idle: int | None = None) -> dict[str, Observation]:
        """Return the observations of agents; the mask of an inactive agent allows only ``idle``, or nothing."""
        slots = self._slots
        asked = None if self._over else self._asked
        if names == [asked]:
            seen = slots.observe()
        else:
            seats = np.array([self.possible_agents.index(name) for name in names], np.int8)
            seen = slots.observe(np.zeros(len(names), np.int64), seats)
        observations = {}
        for name, observation in zip(names, seen, strict=True):
            mask = np.zeros(slots.actions, np.int8)
            if name == asked:
                mask[:] = slots.masks[0]
            elif idle is not None:
                mask[idle] = 1
            observations[name] = {"observation": observation, "action_mask": mask}
        return observations

    def render(self) -> Any:
        """Return the table in the render mode.

        ``"ansi"`` is the view of the active seat; ``"human"`` prints it, also in `reset` and `step`; ``"svg"`` and
        ``"rgb_array"`` show all hands.
        """
        slots = self._slots
        legal = np.flatnonzero(slots.masks[0]).tolist()
        return picture(slots.game, np.asarray(slots.views())[0], self.render_mode, row(slots.tables.states), legal)

    def _show(self) -> None:
        """Print the table in the mode ``"human"``."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Do nothing: the environment has no resources to release."""


class MahjongAEC(_Environment, AECEnv[str, Observation, Any]):  # type: ignore[misc]
    """Environment whose agents act in turn: see the module."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the game of a seed, or the next game without one."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self._asked
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation; the mask of an inactive agent is all zeros."""
        return self._observe([agent])[agent]

    def step(self, action: Any) -> None:
        """Execute the active agent's action, None after the end of the game."""
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards, info = self._do(action)
        self.infos = {name: dict(info) for name in self.agents}
        self.agent_selection = self._asked
        if self._over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        self._accumulate_rewards()
        self._show()


class MahjongParallel(_Environment, ParallelEnv[str, Observation, Any]):  # type: ignore[misc]
    """Environment whose agents act at every step, of which only one action counts: see the module."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin the game of a seed, or the next game without one."""
        self._begin(seed)
        self._show()
        return self._observations(), self._infos({})

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Execute the active agent's action; the others are ignored."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        asked = self._asked
        if asked not in actions:
            raise ValueError(f"no action of the active agent {asked}: there are {', '.join(actions) or 'none'}")
        rewards, info = self._do(actions[asked])
        over, names = self._over, self.possible_agents
        self._show()
        self.agents = [] if over else self.agents
        ended, cut = dict.fromkeys(names, over), dict.fromkeys(names, False)
        return self._observations(), rewards, ended, cut, self._infos(info)

    def _observations(self) -> dict[str, Observation]:
        # Inactive agents may choose the passive action only: in Riichi a pass.
        game = self._slots.game
        return self._observe(self.possible_agents, game.passive(np.ones(game.actions, np.bool_)))

    def _infos(self, info: dict[str, Any]) -> dict[str, dict[str, Any]]:
        return {name: {**info, "active_agent": self._asked} for name in self.possible_agents}


def raw_env(**options: Any) -> MahjongAEC:
    """Return the environment whose agents act in turn, without PettingZoo's wrappers."""
    return MahjongAEC(**options)


def env(**options: Any) -> AECEnv[str, Observation, Any]:
    """Return the environment whose agents act in turn; a wrong order of calls raises an error."""
    return cast("AECEnv[str, Observation, Any]", OrderEnforcingWrapper(MahjongAEC(**options)))


def parallel_env(**options: Any) -> MahjongParallel:
    """Return the environment whose agents act at every step."""
    return MahjongParallel(**options)
