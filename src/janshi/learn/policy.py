"""One masked policy over a game's actions, in torch: `janshi.agents.policy.Policy` for learning.

>>> policy = TorchPolicy(torch.tensor([[2.0, 1.0, 3.0]]), torch.tensor([[True, True, False]]))
>>> policy.best().tolist(), [round(share, 3) for share in policy.probabilities()[0].tolist()]
([0], [0.731, 0.269, 0.0])
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

#: Logit of illegal actions: far below all others, without the NaN gradients of −∞.
NEVER: Final = -1e9


class TorchPolicy:
    """A distribution over legal actions for each of n decisions.

    ``logits`` (n, actions; float); ``legal`` (n, actions; bool, at least one in each row), None if all are legal.
    """

    def __init__(self, logits: Tensor, legal: Tensor | None = None) -> None:
        self.logits = logits if legal is None else logits.masked_fill(~legal, NEVER)
        self._log = torch.log_softmax(self.logits, dim=1)

    def log_probabilities(self) -> Tensor:
        """Return the logarithms of the probabilities (n, actions), very low for illegal actions."""
        return self._log

    def probabilities(self) -> Tensor:
        """Return the probabilities (n, actions)."""
        return self._log.exp()

    def log_probability(self, actions: Tensor) -> Tensor:
        """Return the logarithm of the probability of one action in each row (n)."""
        return self._log.gather(1, actions[:, None])[:, 0]

    def entropy(self) -> Tensor:
        """Return the entropy of each row in nats (n)."""
        return -(self._log.exp() * self._log.clamp(min=-30)).sum(dim=1)

    def best(self) -> Tensor:
        """Return the most probable action of each row (n)."""
        return self._log.argmax(dim=1)

    def sample(self, uniform: Tensor) -> Tensor:
        """Return an action of each row (n), sampled by numbers from 0 to 1 (n)."""
        below = self._log.double().exp().cumsum(dim=1)
        drawn = (below <= (uniform.double() * below[:, -1])[:, None]).sum(dim=1)
        return drawn.clamp(max=self._log.shape[1] - 1)
