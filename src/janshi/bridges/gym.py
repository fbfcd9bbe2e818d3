"""Gymnasium environments: one learner against agents, at one table or at many that step together.

Importing this module registers ``janshi/Sanma-v0`` (three players) and ``janshi/Riichi-v0`` (four), each also as a
vector environment. ``gymnasium.make("janshi.bridges.gym:janshi/Sanma-v0")`` imports the module itself.

>>> import gymnasium
>>> import janshi.bridges.gym
>>> env = gymnasium.make("janshi/Sanma-v0", opponents="random", observation="meowjong")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].shape
((366, 34), (122,))
>>> terminated = False
>>> while not terminated:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
>>> int(info["change"].sum())
0

An episode is a game, by default of a single hand. Actions are those of `janshi.riichi.actions`, options those of
`janshi.bridges.settings.Settings`. ``info["action_mask"]`` (122, int8) marks the legal actions; it is all zeros after
the end of the game. ``info["seat"]`` is the learner's seat. If hands ended in a step, ``info["change"]`` contains the
points that every seat won or lost in them. At the end of the game, ``info["scores"]`` contains the points. Render modes
are those of `janshi.bridges.rendering.RENDER_MODES`.

Both classes support every game of `janshi.games`: pass ``rules``, and an encoder if the game has no default.
"""

from __future__ import annotations

from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.bridges.rendering import METADATA, check_mode, metadata_of, picture
from janshi.bridges.settings import Results, Reward, Settings, settings_of
from janshi.bridges.slots import Gains, Slots
from janshi.bridges.stepping import NO_ACTION
from janshi.built_in import ENVIRONMENTS
from janshi.encoders import Layout
from janshi.installing import naming_extra
from janshi.table import ActionError

with naming_extra(__name__):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

__all__ = ["MahjongEnv", "MahjongVectorEnv", "Results", "Reward", "Settings", "observation_space"]

#: Exclusive upper bound of random seeds.
SEEDS: Final = np.iinfo(np.int64).max


#: Largest value of a column that is a mask of kinds.
_MASK_MOST: Final = (1 << 34) - 1


def observation_space(settings: Settings) -> spaces.Space[Any]:
    """Return the space of one learner's observations: see `Settings.observation`."""
    space = _array_space(settings)
    if settings.mask_in_observation:
        return spaces.Dict({"observation": space, "action_mask": spaces.Box(0, 1, (settings.game.actions,), np.int8)})
    return space


def _array_space(settings: Settings) -> spaces.Space[Any]:
    """Return the space of the encoder's arrays."""
    encoder = settings.encoder
    if encoder is None:
        return spaces.Discrete(1)
    if encoder.layout is Layout.MASKS:
        if settings.packed:
            return spaces.Box(0, _MASK_MOST, encoder.packed_shape, np.int64)
        return spaces.Box(0, 1, encoder.shape, np.uint8)
    shape, dtype = (encoder.packed_shape, encoder.packed_dtype) if settings.packed else (encoder.shape, encoder.dtype)
    low, high = (-np.inf, np.inf) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return spaces.Box(low, high, shape, dtype.type)


class MahjongEnv(gymnasium.Env[Any, Any]):
    """Environment of one learner: see the module. Options as in `Settings`.

    The same seed gives the same game; `reset` without a seed begins the next game.
    """

    metadata: dict[str, Any] = METADATA

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        self.settings = settings_of(options)
        self.metadata = metadata_of(self.settings.game)
        self.render_mode = check_mode(render_mode, self.settings.game)
        self.observation_space = observation_space(self.settings)
        self.action_space = spaces.Discrete(self.settings.game.actions)
        self._slots = Slots(self.settings, 1)
        self._mask = self._slots.masks[0]
        self._actions = self._slots.actions
        self._raises = self.settings.illegal == "raise"
        self._every_seat = self._slots.every_seat
        self._shows = render_mode == "human"
        self._seat = 0
        self._begun = False
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin the game of a seed, or the next game without one."""
        super().reset(seed=seed)
        slots = self._slots
        if seed is not None or not self._begun:
            first = int(self.np_random.integers(SEEDS)) if seed is None else seed
            slots.begin(slots.every, np.array([first & SEEDS]))
        else:
            slots.begin_next(slots.every)
        self._begun, self._over = True, False
        self._seat = slots.single_asked()
        if self._shows:
            self.render()
        return self._observation(), {"action_mask": self._mask.copy(), "seat": self._seat}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Execute an action, let the others play, and return the learner's next observation."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over, or none has begun: call reset()")
        slots = self._slots
        action = index(action)
        if not 0 <= action < self._actions:
            action = NO_ACTION
        if self._raises and (action < 0 or not self._mask[action]):
            raise ActionError(slots.what_is_wrong(0, action))
        acted = self._seat
        plain = slots.step_single(action)
        if plain and not self._shows:
            if self._every_seat:
                self._seat = slots.single_asked()
            return self._observation(), 0.0, False, False, {"action_mask": self._mask.copy(), "seat": self._seat}
        return self._rest(acted)

    def _rest(self, acted: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return the result of a step in which others acted, a hand ended, or the action was illegal."""
        slots = self._slots
        self._seat = slots.single_asked()
        info: dict[str, Any] = {"action_mask": self._mask.copy(), "seat": self._seat}
        reward = 0.0
        gains = slots.take()
        if gains is not None:
            reward = float(gains[0][0, acted])
            info["change"] = gains[1][0]
            if self._every_seat:
                info["rewards"] = gains[0][0]
        if slots.single_illegal:
            reward -= self.settings.illegal_penalty
            info["illegal"] = True
        self._over = bool(slots.over[0])
        if self._over:
            info["scores"] = slots.tables.scores[0]
        if self._shows:
            self.render()
        return self._observation(), reward, self._over, False, info

    def _observation(self) -> Any:
        slots = self._slots
        seen: Any = np.int64(0) if slots.encoder is None else slots.observe()[0]
        return {"observation": seen, "action_mask": self._mask.copy()} if self.settings.mask_in_observation else seen

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions (actions; bool), for sb3-contrib's ``MaskablePPO``."""
        legal: NDArray[np.bool_] = self._mask != 0
        return legal

    def render(self) -> Any:
        """Return the learner's view in the render mode; ``"human"`` prints it, also in `reset` and `step`."""
        view = np.asarray(self._slots.views())[0]
        return picture(self.settings.game, view, self.render_mode, legal=np.flatnonzero(self._mask).tolist())


class MahjongVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Environments that step together in compiled code: see the module. Options as in `Settings`.

    Environment i plays the game of `MahjongEnv` with seed + i. ``infos`` contains the arrays of `MahjongEnv`'s
    ``info``, one row each, and masks of the rows that are set as ``"_…"``. With ``opponents="self"`` the learner plays
    every seat: each step is one decision, ``infos["seat"]`` is the seat of the next one, and the reward is that of the
    seat that acted. If hands ended, ``infos["rewards"]`` (n, players) contains the rewards of all seats.

    ``autoreset_mode`` is ``"SameStep"`` (the last step of a game returns the first observation of the next game;
    ``infos["final_obs"]`` contains the last observation, ``infos["final_info"]`` its info), ``"NextStep"`` (the
    following step begins the next game and ignores the action), or ``"Disabled"`` (call `reset` with
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
        self.render_mode = check_mode(render_mode, self.settings.game)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**metadata_of(self.settings.game), "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self.settings)
        self.single_action_space = spaces.Discrete(self.settings.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._slots = Slots(self.settings, num_envs)
        self._begun = False

    def reset(
        self,
        *,
        seed: int | list[int | None] | NDArray[Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the games of seed + i (or of a list of seeds), or the next games without a seed.

        ``options={"reset_mask": mask}`` (n, bool) selects environments. Raises `ValueError` for a mask of another
        shape or type.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        slots = self._slots
        which = slots.every
        if self._begun and options is not None and "reset_mask" in options:
            chosen = np.asarray(options["reset_mask"])
            if chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,):
                wanted = f"reset_mask of {self.num_envs} environments must be an array ({self.num_envs},) of bool"
                raise ValueError(f"{wanted}, not {chosen.shape} of {chosen.dtype}")
            which = np.flatnonzero(chosen)
        if seed is None and self._begun:
            slots.begin_next(which)
        else:
            slots.begin(which, self._seeds(seed)[which])
        self._begun = True
        mask = slots.masks.copy()
        return self._observation(mask), self._info(mask)

    def _seeds(self, seed: int | list[int | None] | NDArray[Any] | None) -> NDArray[np.int64]:
        """Return the seed of every environment (n)."""
        if isinstance(seed, int | np.integer):
            return (np.arange(self.num_envs, dtype=np.int64) + (int(seed) & SEEDS)) & SEEDS
        drawn = self.np_random.integers(SEEDS, size=self.num_envs)
        if seed is None:
            return drawn
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
        return np.array([drawn[i] if given is None else int(given) & SEEDS for i, given in enumerate(seed)])

    def step(
        self, actions: ArrayLike
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Execute one action in every environment (n, integers): see the class."""
        slots = self._slots
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no game has begun: call reset()")
        before = slots.over
        if self.autoreset_mode == AutoresetMode.DISABLED and before.any():
            raise gymnasium.error.ResetNeeded(f"games {np.flatnonzero(before)} are over: call reset with a reset_mask")
        acted = slots.asked
        illegal = slots.step(actions)
        infos: dict[str, Any] = {}
        rewards = np.zeros(self.num_envs)
        over = slots.over
        gains = slots.take()
        if gains is not None:
            rewards = gains[0][slots.every, acted]
            infos |= self._hands(gains, over & ~before)
        if illegal.any():
            rewards = rewards - self.settings.illegal_penalty * illegal
            infos |= {"illegal": illegal, "_illegal": illegal}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and before.any():
            slots.begin_next(np.flatnonzero(before))
            over = slots.over
        elif self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._final(infos, over)
            slots.begin_next(np.flatnonzero(over))
        mask = slots.masks.copy()
        infos |= self._info(mask)
        return self._observation(mask), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _info(self, mask: NDArray[np.int8]) -> dict[str, Any]:
        """Return the info of every step."""
        every = np.ones(self.num_envs, np.bool_)
        return {"action_mask": mask, "_action_mask": every, "seat": self._slots.asked, "_seat": every}

    def _hands(self, gains: Gains, over: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the info after the end of hands, and of games (``over``)."""
        rewards, changes, hands_over = gains
        infos: dict[str, Any] = {"change": changes, "_change": hands_over}
        if self._slots.every_seat:
            infos |= {"rewards": rewards, "_rewards": hands_over}
        if over.any():
            infos |= {"scores": np.where(over[:, None], self._slots.tables.scores, 0), "_scores": over}
        return infos

    def _final(self, infos: dict[str, Any], over: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the infos of a step that ends games, with those of the ended games in ``final_info``."""
        slots = self._slots
        which = np.flatnonzero(over)
        last = np.full(self.num_envs, None, dtype=object)
        mask = slots.masks.copy()
        for table, seen in zip(which.tolist(), slots.observe(which), strict=True):
            with_mask = {"observation": seen, "action_mask": mask[table]}
            last[table] = with_mask if self.settings.mask_in_observation else seen
        final = dict(infos)
        stay: dict[str, Any] = {}
        for name in [key for key in infos if not key.startswith("_")]:
            there = infos[f"_{name}"]
            final[f"_{name}"] = there & over
            if (there & ~over).any():
                stay |= {name: infos[name], f"_{name}": there & ~over}
        final |= {"action_mask": mask, "_action_mask": over, "seat": slots.asked, "_seat": over}
        return {**stay, "final_obs": last, "_final_obs": over, "final_info": final, "_final_info": over}

    def _observation(self, mask: NDArray[np.int8]) -> Any:
        seen = self._slots.observe()
        return {"observation": seen, "action_mask": mask.copy()} if self.settings.mask_in_observation else seen

    def render(self) -> tuple[Any, ...] | None:
        """Return every learner's view in the render mode (``"human"`` prints it)."""
        game, views = self.settings.game, np.asarray(self._slots.views())
        pictures = tuple(picture(game, view, self.render_mode) for view in views)
        return None if self.render_mode in (None, "human") else pictures

    def random_actions(self) -> NDArray[np.int16]:
        """Return a uniformly random legal action for every environment (n).

        The actions depend only on the seeds and the decisions so far.
        """
        return self._slots.random_actions()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of legal actions (n, actions; bool)."""
        legal: NDArray[np.bool_] = self._slots.masks != 0
        return legal


for _id, _options in ENVIRONMENTS.items():
    gymnasium.register(
        _id,
        entry_point="janshi.bridges.gym:MahjongEnv",
        vector_entry_point="janshi.bridges.gym:MahjongVectorEnv",
        kwargs=dict(_options),
    )
