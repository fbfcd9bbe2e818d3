"""Gymnasium: one learner against agents, as one environment or as many that step together.

Importing this module registers ``janshi/Sanma-v0`` (three players) and ``janshi/Riichi-v0`` (four), each also as a
vector environment; ``gymnasium.make("janshi.bridges.gym:janshi/Sanma-v0")`` imports it by itself.

>>> import gymnasium
>>> import janshi.bridges.gym
>>> env = gymnasium.make("janshi/Sanma-v0", opponents="random", observation="masks")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].shape
((366,), (122,))
>>> terminated = False
>>> while not terminated:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
>>> int(info["change"].sum())
0

An episode is a game, by default of a single hand. Actions are those of `janshi.engine.actions`, options those of
`janshi.bridges.desks.Settings`. ``info["action_mask"]`` (122, int8) says what is legal; it is all zeros when the game
is over. ``info["seat"]`` is the learner's seat. Where hands have ended in a step, ``info["change"]`` is what every seat
has won or lost in them; at the end of the game ``info["scores"]`` are the points. Render modes are those of
`janshi.bridges.rendering.RENDER_MODES`.
"""

from __future__ import annotations

from operator import index
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from janshi.bridges.desks import MASK_MOST, OBSERVATIONS, Desks, Results, Reward, Settings, settings_of
from janshi.bridges.rendering import METADATA, check_mode, picture
from janshi.bridges.stepping import NEXT_GAME, NO_ACTION, advance, choose_legal
from janshi.engine.actions import ACTIONS
from janshi.table import ActionError

__all__ = ["MahjongEnv", "MahjongVectorEnv", "Results", "Reward", "Settings", "observation_space"]

#: Seeds of games are drawn below this where none is given.
_SEEDS: Final = np.iinfo(np.int64).max


def observation_space(settings: Settings) -> spaces.Space[Any]:
    """Return the space of one learner's observations: see `Settings.observation`."""
    space: spaces.Space[Any]
    columns, dense = OBSERVATIONS[settings.observation]
    if not columns:
        space = spaces.Discrete(1)
    elif dense:
        space = spaces.Box(0, 1, (columns, 34), np.uint8)
    else:
        space = spaces.Box(0, MASK_MOST, (columns,), np.int64)
    if settings.mask_in_observation:
        return spaces.Dict({"observation": space, "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)})
    return space


class MahjongEnv(gymnasium.Env[Any, Any]):
    """One learner's game: see the module. Options as in `Settings`.

    The same seed is the same game; `reset` without one goes on to the game that follows.
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        self.settings = settings_of(options)
        self.render_mode = check_mode(render_mode)
        self.observation_space = observation_space(self.settings)
        self.action_space = spaces.Discrete(ACTIONS)
        self._desks = Desks(self.settings, 1)
        self._mask = self._desks.fields["mask"][0]
        self._chosen = self._desks.fields["chosen"]
        self._raises = self.settings.illegal == "raise"
        self._every_seat = not self._desks.others
        self._shows = render_mode == "human"
        self._seat = 0
        self._begun = False
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game: that of the seed, or the one that follows the last."""
        super().reset(seed=seed)
        desks = self._desks
        if seed is not None or not self._begun:
            first = int(self.np_random.integers(_SEEDS)) if seed is None else seed
            desks.begin(desks.every, np.array([first & _SEEDS]))
        else:
            desks.begin_next(desks.every)
        self._begun, self._over = True, False
        self._seat = int(desks.fields["asked"][0])
        if self._shows:
            self.render()
        return self._observation(), {"action_mask": self._mask.copy(), "seat": self._seat}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action, let the others play, and return what the learner sees at its next decision."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over, or none has begun: call reset()")
        desks = self._desks
        action = index(action)
        if not 0 <= action < ACTIONS:
            action = NO_ACTION
        if self._raises and (action < 0 or not self._mask[action]):
            raise ActionError(desks.what_is_wrong(0, action))
        self._chosen[0] = action
        special = advance(desks.states, desks.lookup, desks.desks, desks.every, 0, 1, desks.against_random)
        if not special and not desks.any_over and not self._shows:
            if self._every_seat:
                self._seat = int(desks.fields["asked"][0])
            return self._observation(), 0.0, False, False, {"action_mask": self._mask.copy(), "seat": self._seat}
        return self._rest()

    def _rest(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The rest of a step in which another agent is asked, a hand has ended, or the action was not legal."""
        desks = self._desks
        acted = self._seat
        illegal = bool(desks.fields["illegal"][0])
        desks.until_asked(desks.every)
        self._seat = int(desks.fields["asked"][0])
        info: dict[str, Any] = {"action_mask": self._mask.copy(), "seat": self._seat}
        reward = 0.0
        found = desks.take()
        if found is not None:
            reward = float(found[0][0, acted])
            info["change"] = found[1][0]
            if self._every_seat:
                info["rewards"] = found[0][0]
        if illegal:
            reward -= self.settings.illegal_penalty
            info["illegal"] = True
        self._over = int(desks.fields["waits"][0]) == NEXT_GAME
        if self._over:
            info["scores"] = desks.tables.scores[0]
        if self._shows:
            self.render()
        return self._observation(), reward, self._over, False, info

    def _observation(self) -> Any:
        desks = self._desks
        seen: Any = desks.observe(desks.views())[0] if desks.columns else np.int64(0)
        return {"observation": seen, "action_mask": self._mask.copy()} if self.settings.mask_in_observation else seen

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what is legal (122, bool): where sb3-contrib's ``MaskablePPO`` looks for it."""
        legal: NDArray[np.bool_] = self._mask != 0
        return legal

    def render(self) -> Any:
        """Return what the learner sees as ``render_mode`` says; ``"human"`` prints it, in `reset` and `step` too."""
        return picture(np.asarray(self._desks.views())[0], self.render_mode)


class MahjongVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Many learners' games that step together in compiled code: see the module. Options as in `Settings`.

    Environment i plays what `MahjongEnv` plays with seed + i. ``infos`` holds the arrays that `MahjongEnv` has in
    ``info``, one row each, and as ``"_…"`` which of the rows are there. With ``opponents="self"`` the learner plays
    every seat: each step is one decision, ``infos["seat"]`` says whose comes next, the reward is that of the seat that
    acted, and where hands have ended ``infos["rewards"]`` (n, players) are those of all seats.

    ``autoreset_mode``: ``"SameStep"`` (what the last step of a game brings is returned with the first observation of
    the next one; the last one is in ``infos["final_obs"]``, and its info in ``infos["final_info"]``), ``"NextStep"``
    (the step after begins the next game, whatever the action), or ``"Disabled"`` (call `reset` with
    ``options={"reset_mask": …}``).
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        self.settings = settings_of(options)
        self.num_envs = num_envs
        self.render_mode = check_mode(render_mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self.settings)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._desks = Desks(self.settings, num_envs)
        self._every_seat = not self._desks.others
        self._begun = False

    def reset(
        self,
        *,
        seed: int | list[int | None] | NDArray[Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin games: environment i that of seed + i (or of its own seed of a list), or those that follow the last.

        ``options={"reset_mask": mask}`` (n, bool) begins them at some environments only.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        desks = self._desks
        which = desks.every
        if self._begun and options is not None and "reset_mask" in options:
            which = np.flatnonzero(np.asarray(options["reset_mask"], np.bool_))
        if seed is None and self._begun:
            desks.begin_next(which)
        else:
            desks.begin(which, self._seeds(seed)[which])
        self._begun = True
        mask = desks.mask
        return self._observation(mask), self._info(mask)

    def _seeds(self, seed: int | list[int | None] | NDArray[Any] | None) -> NDArray[np.int64]:
        """The seed of every environment."""
        if isinstance(seed, int | np.integer):
            return (np.arange(self.num_envs, dtype=np.int64) + (int(seed) & _SEEDS)) & _SEEDS
        drawn = self.np_random.integers(_SEEDS, size=self.num_envs)
        if seed is None:
            return drawn
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
        return np.array([drawn[i] if one is None else int(one) & _SEEDS for i, one in enumerate(seed)])

    def step(
        self, actions: ArrayLike
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do one action in every environment (n, whole numbers): see the class."""
        desks = self._desks
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no game has begun: call reset()")
        before = desks.over
        if self.autoreset_mode == AutoresetMode.DISABLED and before.any():
            raise gymnasium.error.ResetNeeded(f"games {np.flatnonzero(before)} are over: call reset with a reset_mask")
        acted = desks.asked
        illegal = desks.step(actions)
        infos: dict[str, Any] = {}
        rewards = np.zeros(self.num_envs)
        over = desks.over
        found = desks.take()
        if found is not None:
            rewards = found[0][desks.every, acted]
            infos |= self._hands(*found, over & ~before)
        if illegal.any():
            rewards = rewards - self.settings.illegal_penalty * illegal
            infos |= {"illegal": illegal, "_illegal": illegal}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and before.any():
            desks.begin_next(np.flatnonzero(before))
            over = desks.over
        elif self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._final(infos, over)
            desks.begin_next(np.flatnonzero(over))
        mask = desks.mask
        infos |= self._info(mask)
        return self._observation(mask), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _info(self, mask: NDArray[np.int8]) -> dict[str, Any]:
        """What is there in every step."""
        every = np.ones(self.num_envs, np.bool_)
        return {"action_mask": mask, "_action_mask": every, "seat": self._desks.asked, "_seat": every}

    def _hands(
        self,
        rewards: NDArray[np.float64],
        changes: NDArray[np.int32],
        hands_over: NDArray[np.bool_],
        over: NDArray[np.bool_],
    ) -> dict[str, Any]:
        """What is there where hands have ended."""
        infos: dict[str, Any] = {"change": changes, "_change": hands_over}
        if self._every_seat:
            infos |= {"rewards": rewards, "_rewards": hands_over}
        if over.any():
            infos |= {"scores": np.where(over[:, None], self._desks.tables.scores, 0), "_scores": over}
        return infos

    def _final(self, infos: dict[str, Any], over: NDArray[np.bool_]) -> dict[str, Any]:
        """The infos of a step in which games are over and others begin: what belongs to those goes to final_info."""
        desks = self._desks
        which = np.flatnonzero(over)
        last = np.full(self.num_envs, None, dtype=object)
        seen = desks.observe(desks.views(which))
        mask = desks.fields["mask"][which]
        for row, place in enumerate(which):
            one = seen[row]
            last[place] = {"observation": one, "action_mask": mask[row]} if self.settings.mask_in_observation else one
        final = dict(infos)
        stay: dict[str, Any] = {}
        for name in [one for one in infos if not one.startswith("_")]:
            there = infos[f"_{name}"]
            final[f"_{name}"] = there & over
            if (there & ~over).any():
                stay |= {name: infos[name], f"_{name}": there & ~over}
        final |= {"action_mask": desks.mask, "_action_mask": over, "seat": desks.asked, "_seat": over}
        return {**stay, "final_obs": last, "_final_obs": over, "final_info": final, "_final_info": over}

    def _observation(self, mask: NDArray[np.int8]) -> Any:
        desks = self._desks
        seen = desks.observe(desks.views()) if desks.columns else np.zeros(self.num_envs, np.int64)
        return {"observation": seen, "action_mask": mask.copy()} if self.settings.mask_in_observation else seen

    def render(self) -> tuple[Any, ...] | None:
        """Return what every learner sees as ``render_mode`` says (``"human"`` prints it)."""
        found = tuple(picture(view, self.render_mode) for view in np.asarray(self._desks.views()))
        return None if self.render_mode in (None, "human") else found

    def random_actions(self) -> NDArray[np.int16]:
        """Return a legal action for every environment (n), each as likely as the other.

        They come from the games' seeds and decisions alone: the same games, the same actions.
        """
        choose_legal(self._desks.states, self._desks.desks)
        chosen: NDArray[np.int16] = self._desks.fields["chosen"].copy()
        return chosen

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what is legal (n, 122; bool)."""
        legal: NDArray[np.bool_] = self._desks.fields["mask"] != 0
        return legal


for _id, _rules, _players in (("janshi/Sanma-v0", "tenhou-sanma", 3), ("janshi/Riichi-v0", "tenhou", 4)):
    gymnasium.register(
        _id,
        entry_point="janshi.bridges.gym:MahjongEnv",
        vector_entry_point="janshi.bridges.gym:MahjongVectorEnv",
        kwargs={"rules": _rules, "players": _players},
    )
