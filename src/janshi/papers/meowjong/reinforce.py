"""How a player of the five decisions improves by its own games: three settings, and what starts each.

`PaperReinforceConfig` is the papers': REINFORCE on discards alone, of the papers' own network or of ours.
`PaperSteadyConfig` is ours of all five decisions.
`DistillationConfig` learns from playouts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from janshi.agents.protocol import Agent
from janshi.learn.checkpoints import CheckpointError
from janshi.learn.reinforce import Reinforce, SteadyReinforce
from janshi.learn.runs import Run
from janshi.learn.scalars import ScalarLog, no_log
from janshi.papers.meowjong.configs import DistillationConfig, PaperReinforceConfig, PaperSteadyConfig
from janshi.papers.meowjong.discard_policy import DiscardPolicy
from janshi.papers.meowjong.distillation import PlayoutDistillation
from janshi.papers.meowjong.player import FIVE
from janshi.papers.meowjong.policy import FiveDecisionPolicy

Config = PaperReinforceConfig | PaperSteadyConfig | DistillationConfig


def reinforce(
    config: Config,
    start: Path,
    folder: Path,
    opponents: Mapping[str, Agent],
    rules: str | None = None,
    *,
    log: ScalarLog = no_log,
) -> Run:
    """Return the run that a configuration asks for, going on from the player in ``start``: see `Run`.

    ``opponents``: an agent for each name in ``config.opponents`` but ``self``. From the papers' five networks the
    papers' setting alone goes on, which learns their discards: any other raises `CheckpointError`.
    """
    if (start / FIVE).exists():
        if not isinstance(config, PaperReinforceConfig) or config.decisions != ("discard",):
            raise CheckpointError(f"{start}: the papers' networks go on in the papers' setting, and in discards alone")
        policy_of_papers = DiscardPolicy.load(start, legal_only=config.legal_only)
        return Reinforce(config, policy_of_papers, folder, opponents, rules, log=log)
    if isinstance(config, DistillationConfig):
        return PlayoutDistillation(config, FiveDecisionPolicy.load(start), folder, opponents, rules, log=log)
    policy = FiveDecisionPolicy.load(start, config.decisions, legal_only=config.legal_only)
    trainer = SteadyReinforce if isinstance(config, PaperSteadyConfig) else Reinforce
    return trainer(config, policy, folder, opponents, rules, log=log)


__all__ = [
    "Config",
    "DistillationConfig",
    "PaperReinforceConfig",
    "PaperSteadyConfig",
    "PlayoutDistillation",
    "reinforce",
]
