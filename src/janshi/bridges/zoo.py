"""PettingZoo: every seat is an agent's, one after the other (AEC) or all at every step (parallel).

>>> from janshi.bridges import zoo
>>> env = zoo.env(rules="tenhou-sanma", observation="masks")
>>> env.reset(seed=1)
>>> for name in env.agent_iter():
...     seen, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(name).sample(seen["action_mask"]))
>>> env.agents
[]

Agents are ``player_0`` (who deals first) to ``player_2`` or ``player_3``; an episode is a game, by default of a single
hand. Actions are those of `janshi.engine.actions`; an observation is a dictionary of ``"observation"`` and
``"action_mask"`` (122, int8). Options are those of `janshi.bridges.desks.Settings` without seat, opponents and threads.
Rewards come when a hand is over, to all at once; ``infos`` then say in ``"change"`` what every seat has won or lost.

In the parallel environment one seat is asked at each step all the same: ``infos[name]["active_agent"]`` says which. The
mask of the others allows to pass and nothing else; whatever they answer is not looked at.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from janshi.bridges.desks import SELF, Desks, settings_of
from janshi.bridges.gym import observation_space
from janshi.bridges.rendering import METADATA, check_mode, picture
from janshi.bridges.stepping import NEXT_GAME
from janshi.compiling import row
from janshi.engine.actions import ACTIONS, PASS

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
        self.desks = Desks(self.settings, 1)
        self.players = self.desks.players
        self.names = [f"player_{seat}" for seat in range(self.players)]
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            n: observation_space(self.settings) for n in self.names
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {name: spaces.Discrete(ACTIONS) for name in self.names}
        self.seeds: np.random.Generator | None = None

    def begin(self, seed: int | None) -> None:
        """Begin the game of a seed, or the one that follows the last."""
        desks = self.desks
        if seed is None and self.seeds is not None:
            desks.begin_next(desks.every)
        else:
            self.seeds, _ = seeding.np_random(seed)
            first = int(self.seeds.integers(_SEEDS)) if seed is None else seed & _SEEDS
            desks.begin(desks.every, np.array([first]))

    @property
    def asked(self) -> int:
        """Seat that is asked, or that was asked last where the game is over."""
        return int(self.desks.fields["asked"][0])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return int(self.desks.fields["waits"][0]) == NEXT_GAME

    def step(self, action: Any) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Do an action; return the rewards of all seats, and what each seat's info says."""
        desks = self.desks
        acted = self.asked
        illegal = desks.step(np.array([action]))[0]
        rewards = np.zeros(self.players)
        info: dict[str, Any] = {}
        found = desks.take()
        if found is not None:
            rewards = found[0][0]
            info["change"] = found[1][0]
        if illegal:
            rewards[acted] -= self.settings.illegal_penalty
        return rewards, info

    def observe(self, seats: list[int], rest: int | None = None) -> list[Observation]:
        """Return the observations of seats. Who is not asked may do nothing, or the one action ``rest``."""
        desks = self.desks
        asked = -1 if self.over else self.asked
        if seats == [asked]:
            views = desks.views()
        else:
            views = desks.views(np.zeros(len(seats), np.int64), np.array(seats, np.int8))
        seen = desks.observe(views)
        found = []
        for number, seat in enumerate(seats):
            mask = np.zeros(ACTIONS, np.int8)
            if seat == asked:
                mask[:] = desks.fields["mask"][0]
            elif rest is not None:
                mask[rest] = 1
            found.append({"observation": seen[number], "action_mask": mask})
        return found


class _Environment:
    """What both environments are to PettingZoo."""

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        self._game = _Game(options)
        game = "sanma" if self._game.players == 3 else "riichi"
        self.metadata = {**METADATA, "name": f"janshi_{game}_v0", "is_parallelizable": False}
        self.render_mode = check_mode(render_mode)
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
        desks = self._game.desks
        return picture(np.asarray(desks.views())[0], self.render_mode, row(desks.states))

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
        found = (
            self._observations(),
            dict(zip(names, rewards.tolist(), strict=True)),
            dict.fromkeys(names, over),
            dict.fromkeys(names, False),
            self._infos(info),
        )
        if over:
            self.agents = []
        return found

    def _observations(self) -> dict[str, Observation]:
        seen = self._game.observe(list(range(self._game.players)), PASS)
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
