"""PettingZoo: every seat is an agent's, one after the other (AEC) or all at every step (parallel).

>>> from janshi.bridges import zoo
>>> env = zoo.env(rules="tenhou-sanma", observation="meowjong")
>>> env.reset(seed=1)
>>> for name in env.agent_iter():
...     seen, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(name).sample(seen["action_mask"]))
>>> env.agents
[]

Agents are ``player_0`` (who deals first) to ``player_2`` or ``player_3``; an episode is a game, by default of a single
hand. Actions are those of `janshi.riichi.actions`; an observation is a dictionary of ``"observation"`` and
``"action_mask"`` (122, int8). Options are those of `janshi.bridges.settings.Settings` without seat, opponents and
threads. Rewards come when a hand is over, to all at once; ``infos`` then say in ``"change"`` what every seat has won or
lost.

In the parallel environment one seat is asked at each step all the same: ``infos[name]["active_agent"]`` says which. The
mask of the others allows to pass and nothing else; whatever they answer is not looked at.

Any game of `janshi.games` is played: give ``rules``, and an encoder for that game or ``observation="none"``.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from janshi.bridges.gym import observation_space
from janshi.bridges.rendering import check_mode, metadata_of, picture
from janshi.bridges.settings import SELF, settings_of
from janshi.bridges.slots import slots_for
from janshi.compiling import row

__all__ = ["MahjongAEC", "MahjongParallel", "env", "parallel_env", "raw_env"]

Observation = dict[str, Any]

_SEEDS: Final = np.iinfo(np.int64).max
#: Options of `Settings` that say who plays where: here every seat is an agent's.
_NOT_HERE: Final = ("seat", "opponents", "threads", "mask_in_observation")


class _Game:
    """One table with an agent in every seat."""

    def __init__(self, options: dict[str, Any]) -> None:
        for name in _NOT_HERE:
            if name in options:
                raise ValueError(f"option {name!r} is none of PettingZoo's environments: every seat is an agent's")
        self.settings = settings_of({**options, "opponents": SELF, "mask_in_observation": True})
        self.slots = slots_for(self.settings, 1)
        self.players = self.slots.players
        self.names = [f"player_{seat}" for seat in range(self.players)]
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            name: observation_space(self.settings) for name in self.names
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            name: spaces.Discrete(self.slots.actions) for name in self.names
        }
        self.seeds: np.random.Generator | None = None

    def begin(self, seed: int | None) -> None:
        """Begin the game of a seed, or the one that follows the last."""
        slots = self.slots
        if seed is None and self.seeds is not None:
            slots.begin_next(slots.every)
        else:
            self.seeds, _ = seeding.np_random(seed)
            first = int(self.seeds.integers(_SEEDS)) if seed is None else seed & _SEEDS
            slots.begin(slots.every, np.array([first]))

    @property
    def asked(self) -> int:
        """Seat that is asked, or that was asked last where the game is over."""
        return self.slots.single_asked()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.slots.over[0])

    @property
    def idle_action(self) -> int:
        """The one action that is allowed to who is not asked, where everybody must name one: in Riichi a pass."""
        return self.slots.game.passive(np.ones(self.slots.actions, np.bool_))

    def step(self, action: Any) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Do an action; return the rewards of all seats, and what each seat's info says."""
        acted = self.asked
        illegal = self.slots.step(np.array([action]))[0]
        rewards = np.zeros(self.players)
        info: dict[str, Any] = {}
        gains = self.slots.take()
        if gains is not None:
            rewards = gains[0][0]
            info["change"] = gains[1][0]
        if illegal:
            rewards[acted] -= self.settings.illegal_penalty
        return rewards, info

    def observe(self, seats: list[int], idle: int | None = None) -> list[Observation]:
        """Return the observations of seats. Who is not asked may do nothing, or the one action ``idle``."""
        asked = -1 if self.over else self.asked
        if seats == [asked]:
            seen = self.slots.observe()
        else:
            seen = self.slots.observe(np.zeros(len(seats), np.int64), np.array(seats, np.int8))
        observations = []
        for number, seat in enumerate(seats):
            mask = np.zeros(self.slots.actions, np.int8)
            if seat == asked:
                mask[:] = self.slots.masks[0]
            elif idle is not None:
                mask[idle] = 1
            observations.append({"observation": seen[number], "action_mask": mask})
        return observations


class _Environment:
    """What both environments are to PettingZoo."""

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        self._game = _Game(options)
        game = self._game.settings.game
        name = "sanma" if game.name == "riichi" and self._game.players == 3 else game.name
        self.metadata = {**metadata_of(game), "name": f"janshi_{name}_v0", "is_parallelizable": False}
        self.render_mode = check_mode(render_mode, game)
        self.possible_agents = list(self._game.names)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self._game.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self._game.action_spaces[agent]

    def render(self) -> Any:
        """Return the table as ``render_mode`` says.

        ``"ansi"`` is what the seat sees that is asked, ``"human"`` prints that, in `reset` and `step` too; ``"svg"``
        and ``"rgb_array"`` are a picture with all hands open.
        """
        slots = self._game.slots
        return picture(np.asarray(slots.views())[0], self.render_mode, row(slots.states))

    def _show(self) -> None:
        """Print the table for people."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Nothing is held that must be given back."""


class MahjongAEC(_Environment, AECEnv[str, Observation, Any]):  # type: ignore[misc]
    """Agents act one after the other, in the order in which the rules ask them: see the module."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: that of the seed, or the one that follows the last."""
        self._game.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._game.asked]
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now; the mask of one who is not asked is all zeros."""
        return self._game.observe([self._game.names.index(agent)])[0]

    def step(self, action: Any) -> None:
        """Let the agent that is asked act; one whose game is over takes None."""
        if not self.agents:
            raise ValueError("the game is over: call reset()")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        rewards, info = self._game.step(action)
        self.rewards = dict(zip(self.agents, rewards.tolist(), strict=True))
        self.infos = {name: dict(info) for name in self.agents}
        self.agent_selection = self.possible_agents[self._game.asked]
        if self._game.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        self._accumulate_rewards()
        self._show()


class MahjongParallel(_Environment, ParallelEnv[str, Observation, Any]):  # type: ignore[misc]
    """All agents answer at every step, and the answer of the one that is asked counts: see the module."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game: that of the seed, or the one that follows the last."""
        self._game.begin(seed)
        self.agents = list(self.possible_agents)
        self._show()
        return self._observations(), self._infos({})

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Do the action of the agent that is asked; the others' are not looked at."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        asked = self.possible_agents[self._game.asked]
        if asked not in actions:
            raise ValueError(f"{asked} is asked, and actions hold {', '.join(actions) or 'nobody'}")
        rewards, info = self._game.step(actions[asked])
        over = self._game.over
        self._show()
        names = self.possible_agents
        answers = (
            self._observations(),
            dict(zip(names, rewards.tolist(), strict=True)),
            dict.fromkeys(names, over),
            dict.fromkeys(names, False),
            self._infos(info),
        )
        if over:
            self.agents = []
        return answers

    def _observations(self) -> dict[str, Observation]:
        seen = self._game.observe(list(range(self._game.players)), self._game.idle_action)
        return dict(zip(self.possible_agents, seen, strict=True))

    def _infos(self, info: dict[str, Any]) -> dict[str, dict[str, Any]]:
        asked = self.possible_agents[self._game.asked]
        return {name: {**info, "active_agent": asked} for name in self.possible_agents}


def raw_env(**options: Any) -> MahjongAEC:
    """Return the environment in which agents act one after the other, without PettingZoo's wrappers."""
    return MahjongAEC(**options)


def env(**options: Any) -> AECEnv[str, Observation, Any]:
    """Return the environment in which agents act one after the other; a wrong order of calls is told in words."""
    return cast("AECEnv[str, Observation, Any]", OrderEnforcingWrapper(MahjongAEC(**options)))


def parallel_env(**options: Any) -> MahjongParallel:
    """Return the environment in which all agents answer at every step."""
    return MahjongParallel(**options)
