"""How a player of the five decisions improves by its own games: two settings, and what starts each.

`PaperReinforceConfig` is the papers': REINFORCE on discards alone, of the papers' own network or of ours.
`PaperSteadyConfig` is ours of all five decisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from janshi.agents.protocol import Agent
from janshi.arena import single_hand
from janshi.learn.checkpoints import CheckpointError
from janshi.learn.reinforce import PolicyGradient, SteadyReinforce
from janshi.learn.runs import SelfPlayRun
from janshi.learn.scalars import ScalarLog, no_log
from janshi.learn.selfplay import Trajectories
from janshi.papers.meowjong.configs import PaperReinforceConfig, PaperSteadyConfig
from janshi.papers.meowjong.player import FIVE
from janshi.papers.meowjong.policy import DiscardPolicy, FiveDecisionPolicy
from janshi.riichi.rules import TENHOU_OF

Config = PaperReinforceConfig | PaperSteadyConfig


class Reinforce(PolicyGradient):
    """REINFORCE as it is: one hand an episode against itself, the hand's points as the reward, discounted.

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


def reinforce(
    config: Config,
    start: Path,
    folder: Path,
    opponents: Mapping[str, Agent],
    rules: Any = None,
    *,
    log: ScalarLog = no_log,
) -> SelfPlayRun:
    """Return the run that a configuration asks for, going on from the player in ``start``: see `SelfPlayRun`.

    ``opponents``: an agent for each name in ``config.opponents`` but ``self``; ``rules``: by default Tenhou's single
    hands. From the papers' five networks the papers' setting alone goes on, which learns their discards: any other
    raises `CheckpointError`.
    """
    if (start / FIVE).exists():
        if not isinstance(config, PaperReinforceConfig) or config.decisions != ("discard",):
            raise CheckpointError(f"{start}: the papers' networks go on in the papers' setting, and in discards alone")
        policy_of_papers = DiscardPolicy.load(start, legal_only=config.legal_only)
        rules = single_hand(TENHOU_OF[policy_of_papers.players]) if rules is None else rules
        return Reinforce(config, policy_of_papers, folder, opponents, rules, log=log)
    policy = FiveDecisionPolicy.load(start, config.decisions, legal_only=config.legal_only)
    rules = single_hand(TENHOU_OF[policy.players]) if rules is None else rules
    trainer = SteadyReinforce if isinstance(config, PaperSteadyConfig) else Reinforce
    return trainer(config, policy, folder, opponents, rules, log=log)


__all__ = [
    "Config",
    "PaperReinforceConfig",
    "PaperSteadyConfig",
    "reinforce",
]
