"""The papers' REINFORCE: on discards alone, from the papers' five networks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from janshi.agents.protocol import Agent
from janshi.arena import single_hand
from janshi.learn.checkpoints import CheckpointError
from janshi.learn.reinforce import PolicyGradient
from janshi.learn.scalars import ScalarLog, no_log
from janshi.learn.selfplay import Trajectories
from janshi.papers.meowjong.configs import PaperReinforceConfig
from janshi.papers.meowjong.player import FIVE
from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.riichi.rules import TENHOU_OF


class Reinforce(PolicyGradient):
    """REINFORCE as printed: one hand an episode against itself, the hand's points as the reward, discounted.

    Source: dissertation, section 3.4; conference paper, section VI.
    """

    kind: ClassVar[str] = "reinforce"

    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the discounted rewards."""
        gains: NDArray[np.float32] = found.reward * self.config.discount ** found.after.astype(np.float32)
        return gains

    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """See `PolicyGradient`."""
        log, _ = self.drawn(found, rows, self.outputs(found, rows))
        return -(log * gains).mean()

    def save_player(self) -> None:
        """Make a player of the run's folder, with the other four networks where they lie."""
        cast("DiscardPolicy", self.policy).save_player(self.folder)


def reinforce(
    config: PaperReinforceConfig, start: Path, folder: Path, opponents: Mapping[str, Agent], *, log: ScalarLog = no_log
) -> Reinforce:
    """Return a run over Tenhou's single hands that starts from the papers' five networks in ``start``.

    ``opponents``: an agent for each name in ``config.opponents`` but ``self``. Raises `CheckpointError` if ``start``
    does not name five networks.
    """
    if not (start / FIVE).exists():
        raise CheckpointError(f"{start} holds no {FIVE}: REINFORCE starts from the papers' five networks")
    policy = DiscardPolicy(start)
    return Reinforce(config, policy, folder, opponents, single_hand(TENHOU_OF[policy.players]), log=log)
