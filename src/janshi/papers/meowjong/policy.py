"""The five decisions drawn from a network of ours, so that it learns by its own games.

What the agent does without asking a network, it does here too. Each decision that is possible is drawn in turn: kita,
pon, kan, riichi, each that is declined leaving the next to decide, and last the discard. Decisions that are not learned
are done as the network thinks best.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.protocol import Agent
from janshi.analysis.discards import discard_actions
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.learn.inference import best_device, many_answers
from janshi.learn.learners import Drawn, Situations
from janshi.learn.networks import encoder_of
from janshi.learn.policy import Policy
from janshi.papers.meowjong.agent import MeowjongAgent, actions_of, asked_of, forced
from janshi.papers.meowjong.decisions import DECISIONS, Decision
from janshi.papers.meowjong.networks import VALUE, WINNERS, MixedNetwork, ResidualNetwork, mixed, widened
from janshi.papers.meowjong.player import FIVE, TorchDecisions
from janshi.table import DecisionBatch

#: The order in which decisions are drawn: each that is declined leaves the next to decide.
ORDER: Final = (Decision.KITA, Decision.PON, Decision.KAN, Decision.RIICHI)
_KINDS: Final = 34
#: A probability of 0 has a logarithm too.
_LEAST: Final = 1e-12


class FiveDecisionPolicy:
    """Draws the five decisions from a `ResidualNetwork`'s winners' heads: see `janshi.learn.learners.LearnedPolicy`.

    ``decisions``: those that are drawn and learned. ``legal_only``: discards are drawn from what is possible alone;
    otherwise a hand in which something impossible is drawn is not learned from. ``prior``: the network of the
    beginning, which the player keeps where it has a weight.
    """

    def __init__(
        self,
        network: ResidualNetwork,
        metadata: dict[str, Any],
        decisions: Sequence[str] = DECISIONS,
        *,
        legal_only: bool = True,
        prior: nn.Module | None = None,
    ) -> None:
        self.device = best_device()
        self.network: nn.Module = network.to(self.device)
        self.player_network: nn.Module = self.network
        self.encoder = encoder_of(network)
        self.metadata = metadata
        self.players = int(metadata["players"])
        self.learned = [name in decisions for name in DECISIONS]
        self.legal_only = legal_only
        self.prior = copy.deepcopy(network) if prior is None else prior

    @classmethod
    def load(cls, folder: Path, decisions: Sequence[str] = DECISIONS, *, legal_only: bool = True) -> FiveDecisionPolicy:
        """Return the policy of a checkpoint's folder; of a mixture what was learned goes on learning.

        Raises `CheckpointError` where it holds none of our networks of five decisions.
        """
        network, metadata = load_network(folder)
        prior = network.prior if isinstance(network, MixedNetwork) else copy.deepcopy(network)
        learned = network.learned if isinstance(network, MixedNetwork) else network
        if not isinstance(learned, ResidualNetwork):
            raise CheckpointError(
                f"{folder}: reinforcement goes on from our network, or from the folder of the papers' five "
                f"({FIVE}): this one is a paper's"
            )
        return cls(learned, metadata, decisions, legal_only=legal_only, prior=prior)

    def widen(self, encoder: str) -> None:
        """Show the network (and the prior) what another encoder adds, from which it has still to learn."""
        self.network = widened(cast("ResidualNetwork", self.network), encoder).to(self.device)
        if isinstance(self.prior, ResidualNetwork):
            self.prior = widened(self.prior, encoder)
        self.player_network = self.network
        self.encoder = encoder_of(self.network)

    def mix(self, prior_weight: float, plan_weight: float) -> None:
        """Let the player keep a share of the prior, and of what plans say: see `MixedNetwork`."""
        if prior_weight or plan_weight:
            self.player_network = mixed(self.network, self.prior, prior_weight, plan_weight).to(self.device)

    # -------------------------------------------------------------------------------------------------------

    def ask(self, batch: DecisionBatch) -> Situations:
        """See `janshi.learn.learners.LearnedPolicy`."""
        possible = batch.legal.copy()
        actions = forced(np.asarray(batch.views), possible)
        rows = np.flatnonzero(actions < 0)
        rest = batch.part(rows)
        rest.legal = possible[rows]
        self.network.eval()
        packed = self.encoder.encode(rest)
        outputs = many_answers(self.network, packed, self.device) if len(rows) else np.zeros((0, 0), np.float32)
        return Situations(actions, rest, packed, outputs)

    def draw(self, situations: Situations, random: np.random.Generator) -> Drawn:
        """See `LearnedPolicy`; choices are ``taken`` (n, 5; −1: not drawn) and ``legal`` (masks of kinds)."""
        views, can = np.asarray(situations.batch.views), situations.batch.legal
        logits = situations.outputs[:, WINNERS : WINNERS + 38]
        count = len(situations)
        asked = asked_of(can)
        taken = np.full((count, 5), -1, np.int8)
        log = np.zeros(count, np.float32)
        chosen = np.where(asked[:, Decision.DISCARD], Decision.DISCARD, -1).astype(np.int8)
        open_ = np.ones(count, np.bool_)
        uniform = random.random((count, 5))
        for decision in ORDER:
            rows = np.flatnonzero(asked[:, decision] & open_)
            share = 1 / (1 + np.exp(-logits[rows, 33 + decision].astype(np.float64)))
            yes = uniform[rows, decision] < share if self.learned[decision] else share > 0.5
            if self.learned[decision]:
                taken[rows, decision] = yes
                log[rows] += np.log(np.maximum(np.where(yes, share, 1 - share), _LEAST))
            chosen[rows[yes]] = decision
            open_[rows[yes]] = False
        possible = discard_actions(views, can)
        table = possible >= 0
        discards = np.flatnonzero(chosen == Decision.DISCARD)
        drawn, done, shares = draw_discards(
            logits[discards, :_KINDS], table[discards], uniform[discards, 0], legal_only=self.legal_only
        )
        discarding = np.full(count, -1, np.int16)
        discarding[discards] = possible[discards, done]
        if self.learned[Decision.DISCARD]:
            taken[discards, Decision.DISCARD] = done
            log[discards] += np.log(np.maximum(shares[np.arange(len(discards)), done], _LEAST))
        noted = np.flatnonzero((taken >= 0).any(axis=1))
        legal = (table.astype(np.int64) << np.arange(_KINDS)).sum(axis=1)
        choices = {"taken": taken[noted], "legal": legal[noted]}
        actions = actions_of(chosen, discarding, views, can)
        return Drawn(actions, noted, choices, log[noted], discards[drawn != done])

    def log_probability(self, outputs: Tensor, choices: dict[str, NDArray[Any]]) -> tuple[Tensor, Tensor]:
        """See `LearnedPolicy`; the entropy is that of discards (0 where there is none)."""
        taken = torch.from_numpy(choices["taken"].astype(np.int64)).to(outputs.device)
        legal = None
        if self.legal_only:
            legal = torch.from_numpy((choices["legal"][:, None] >> np.arange(_KINDS) & 1) > 0).to(outputs.device)
        policy = Policy(outputs[:, WINNERS : WINNERS + _KINDS], legal)
        there = taken[:, Decision.DISCARD] >= 0
        log = torch.where(there, policy.log_probability(taken[:, Decision.DISCARD].clamp(min=0)), 0.0)
        entropy = torch.where(there, policy.entropy(), 0.0)
        for decision in (Decision.PON, Decision.KAN, Decision.KITA, Decision.RIICHI):
            yes = outputs[:, WINNERS + 33 + decision]
            answer = torch.where(taken[:, decision] == 1, nn.functional.logsigmoid(yes), nn.functional.logsigmoid(-yes))
            log = log + torch.where(taken[:, decision] >= 0, answer, 0.0)
        return log, entropy

    def value(self, outputs: Tensor) -> Tensor:
        """See `LearnedPolicy`."""
        return outputs[:, VALUE]

    def player(self, name: str) -> Agent:
        """See `LearnedPolicy`."""
        return MeowjongAgent(TorchDecisions(self.player_network), name, frozenset({self.players}))

    def figures(self, player: Agent) -> dict[str, Any]:
        """See `LearnedPolicy`: impossible first choices, and all discards."""
        agent = cast("MeowjongAgent", player)
        return {"illegal": agent.illegal, "discards": agent.discards}


def draw_discards(
    logits: NDArray[np.float32], possible: NDArray[np.bool_], uniform: NDArray[np.float64], *, legal_only: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the kinds drawn (n), those that go, where these are not possible the best one, and shares (n, 34).

    ``logits`` (n, 34), ``possible`` (n, 34), ``uniform`` (n): random numbers. ``legal_only``: only what is possible has
    a share.
    """
    masked = logits.astype(np.float64)
    if legal_only:
        masked = np.where(possible, masked, -np.inf)
    shares = np.exp(masked - masked.max(axis=1, keepdims=True, initial=-1e30))
    shares /= shares.sum(axis=1, keepdims=True)
    drawn = (shares.cumsum(axis=1) < uniform[:, None]).sum(axis=1).clip(0, _KINDS - 1)
    best = np.where(possible, masked, -np.inf).argmax(axis=1)
    return drawn, np.where(possible[np.arange(len(drawn)), drawn], drawn, best), shares
