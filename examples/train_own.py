"""A custom network from records to a match: ``python examples/train_own.py [EPOCHS] [HANDS] [RECORDS …]``.

Records may be a folder of ``janshi dataset``; ``PLAYERS=4`` in the environment selects four players. Afterwards
``janshi arena examples/train_own.py:Own efficient random`` plays with the network. See docs/researchers.md.
"""

import os
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from janshi.agents import RandomAgent
from janshi.agents.policy import PolicyAgent
from janshi.arena import play_match, rows, single_hand
from janshi.encoders import encoder
from janshi.riichi.actions import ACTIONS
from janshi.riichi.dataset import read_hands
from janshi.riichi.rules import TENHOU_OF
from janshi.sample import SAMPLE

PLAYERS = int(os.environ.get("PLAYERS", "3"))
WEIGHTS = "own.pt"


class OwnNetwork(nn.Module):
    """A network from observations (n, columns, 34) to the logits of all actions (n, 122)."""

    encoder = encoder("janshi")

    def __init__(self, width=64):
        super().__init__()
        convolution = nn.Conv1d(self.encoder.shape[0], width, 3, padding=1)
        self.layers = nn.Sequential(convolution, nn.ReLU(), nn.Flatten(), nn.Linear(34 * width, ACTIONS))

    def forward(self, packed):
        return self.layers(torch.from_numpy(self.encoder.inputs(packed)).float())

    @torch.inference_mode()
    def logits(self, packed):
        return self(packed).numpy()


class Own(PolicyAgent):
    """The trained network as an agent: the most probable legal action."""

    def __init__(self, network=None):
        if network is None:
            (network := OwnNetwork()).load_state_dict(torch.load(WEIGHTS))
        super().__init__(network.eval(), "own", frozenset({PLAYERS}))


def train(network, hands, epochs, chunk=384):  # hands with observations in memory (75 MB with four players)
    optimizer, random = torch.optim.AdamW(network.parameters(), lr=1e-3), np.random.default_rng(0)
    for epoch in range(epochs):
        losses = []
        for which in np.array_split(random.permutation(len(hands)), -(-len(hands) // chunk)):
            batch = hands.decisions(which, network.encoder)  # lazy: observations of a `part` are computed on access
            batch = batch.part(batch.observed)  # without answers hidden by a claim of higher priority
            legal, taken = torch.from_numpy(batch.legal_mask()), torch.from_numpy(batch.action.astype(np.int64))
            for chosen in DataLoader(range(len(batch)), batch_size=128, shuffle=True, collate_fn=np.array):
                logits = network(batch.packed[chosen]).masked_fill(~legal[chosen], -torch.inf)
                loss = nn.functional.cross_entropy(logits, taken[chosen])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
        print(f"epoch {epoch + 1}: {len(hands):,} hands, loss {np.mean(losses):.3f}", flush=True)


if __name__ == "__main__":
    epochs, walls = (int(word) for word in (sys.argv[1:3] + ["2", "100"][len(sys.argv[1:3]) :]))
    train(network := OwnNetwork(), read_hands(sys.argv[3:] or [SAMPLE], PLAYERS), epochs)
    torch.save(network.state_dict(), WEIGHTS)
    row = rows(play_match([Own(network), *[RandomAgent()] * (PLAYERS - 1)], single_hand(TENHOU_OF[PLAYERS]), walls))[0]
    print(f"{row.points.value:+,.0f} points a hand against random players, {row.hands:,} hands")
