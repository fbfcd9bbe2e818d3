"""Maskable PPO on the vector environment, in the style of CleanRL: everything in one file.

    python examples/train_ppo.py [--decisions 500000] [--opponents random] [--rules tenhou-sanma] [--save ppo.pt]

The script learns to play single hands against agents from random weights, and prints its results, finally in matches on
shared walls. It needs torch and gymnasium (``pip install -e '.[learn,gym]'``).

Source of the method: Schulman and others, "Proximal policy optimization algorithms" (2017); masks: Huang and Ontañón,
"A closer look at invalid action masking" (2020). Untrained players seldom win, so that a potential additionally rewards
lower shanten, which does not change the optimal policy: Ng and others, "Policy invariance under reward transformations"
(1999).
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from dataclasses import dataclass

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import janshi.bridges.gym  # noqa: F401  registers the environments
from janshi.agents import agent
from janshi.arena import places, play_match
from janshi.encoders import encoder
from janshi.riichi.rules import preset
from janshi.table import DecisionBatch

ENCODER = encoder("janshi")
NAMES = list(ENCODER.columns)
#: The used ones of the 401 columns: own tiles, dora, and the 35 additional columns.
USED = [n for n, name in enumerate(NAMES) if n >= 366 or name.startswith(("target", "own tiles", "own red", "dora"))]
SHANTEN = NAMES.index("shanten 0")


@dataclass
class Config:
    rules: str = "tenhou-sanma"
    opponents: str = "random"
    decisions: int = 500_000
    matches: int = 500  # walls of the final match, in every seat
    envs: int = 128
    steps: int = 64
    epochs: int = 2
    batch: int = 1024
    learning_rate: float = 1e-3
    nearer: float = 0.1  # reward for each shanten less, in tens of thousands of points
    trace: float = 0.95  # λ of the generalised advantages; rewards are not discounted, a hand is short
    clip: float = 0.2
    entropy: float = 0.01
    seed: int = 1
    save: str = ""


class Player(nn.Module):
    """Reads each kind of tile with the same weights; actions of a kind depend on its features."""

    def __init__(self, columns: int, width: int = 64) -> None:
        super().__init__()
        self.each, self.every = nn.Linear(columns, width), nn.Linear(2 * width, width)
        self.kinds = nn.Linear(width, 3)  # discard, closed kan, added kan
        self.rest = nn.Linear(width, 20)  # actions 34 to 53
        self.value = nn.Linear(width, 1)
        for head in (self.kinds, self.rest, self.value):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        """Return the distribution over the actions (n, 122), legal ones only, and the values (n)."""
        seen = seen.float()  # (n, 34, columns)
        each = self.each(seen).relu()
        every = self.every(torch.cat([each.mean(1), each.amax(1)], 1)).relu()
        discard, closed, added = self.kinds(each + every[:, None]).unbind(2)
        # Red fives (34 to 36) and the tile just drawn (37, column 0) are discarded as their kind is.
        tied = torch.cat([discard[:, [4, 13, 22]], (discard * seen[:, :, 0]).sum(1, keepdim=True)], 1)
        rest = self.rest(every)
        logits = torch.cat([discard, rest[:, :4] + tied, rest[:, 4:], closed, added], 1)
        legal = torch.where(mask, logits, torch.full_like(logits, -1e9))
        return torch.distributions.Categorical(logits=legal, validate_args=False), self.value(every)[:, 0]


def features(observation: NDArray[np.int64]) -> tuple[Tensor, NDArray[np.float64]]:
    """Return the columns used as zeros and ones (n, 34, columns), and the shanten of the hands (n)."""
    seen = (observation[:, None, USED] >> np.arange(34)[:, None] & 1).astype(np.uint8)
    return torch.from_numpy(seen), (observation[:, SHANTEN : SHANTEN + 6] != 0).argmax(1).astype(float)


def advantages(rewards: Tensor, over: Tensor, values: Tensor, trace: float) -> Tensor:
    """Return generalised advantages (steps, n); ``values`` has one more row, ``over`` marks the ends of hands."""
    gains = torch.zeros_like(rewards)
    last = torch.zeros_like(rewards[0])
    for step in reversed(range(len(rewards))):
        goes_on = 1 - over[step]
        last = rewards[step] + goes_on * values[step + 1] - values[step] + goes_on * trace * last
        gains[step] = last
    return gains


class Learned:
    """The trained player as an agent, which takes the most probable action."""

    name = "learned"
    players = frozenset({3, 4})

    def __init__(self, player: Player) -> None:
        self.player = player

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        with torch.no_grad():
            policy, _ = self.player(features(ENCODER.encode(batch))[0], torch.from_numpy(batch.legal))
        return policy.logits.argmax(1).numpy().astype(np.int16)


def train(config: Config) -> Player:
    """Train, and print a table of the last 2,000 hands."""
    torch.manual_seed(config.seed)
    game = "janshi/Sanma-v0" if preset(config.rules).players == 3 else "janshi/Riichi-v0"
    options = {"rules": config.rules, "opponents": config.opponents, "packed": True, "illegal": "raise"}
    envs = gymnasium.make_vec(game, config.envs, **options)
    player = Player(len(USED))
    optimizer = torch.optim.Adam(player.parameters(), config.learning_rate, eps=1e-5)
    seen = torch.zeros(config.steps, config.envs, 34, len(USED), dtype=torch.uint8)
    masks = torch.zeros(config.steps, config.envs, 122, dtype=torch.bool)
    chosen = torch.zeros(config.steps, config.envs, dtype=torch.long)
    logs, rewards, over = (torch.zeros(config.steps, config.envs) for _ in range(3))
    values = torch.zeros(config.steps + 1, config.envs)
    hands: deque[tuple[float, bool]] = deque(maxlen=2000)  # points, and whether they are the highest
    observation, infos = envs.reset(seed=config.seed)
    print(" seconds  decisions    hands  points a hand  gains most  entropy")
    start, played = time.perf_counter(), 0
    updates = max(1, config.decisions // (config.steps * config.envs))
    for update in range(1, updates + 1):
        for step in range(config.steps):
            (seen[step], away), masks[step] = features(observation), torch.from_numpy(infos["action_mask"] != 0)
            with torch.no_grad():
                policy, values[step] = player(seen[step], masks[step])
            chosen[step] = policy.sample()
            logs[step] = policy.log_prob(chosen[step])
            observation, reward, ended, _, infos = envs.step(chosen[step].numpy())
            nearer = away - np.where(ended, 0, features(observation)[1])
            rewards[step], over[step] = torch.from_numpy(reward / 10 + config.nearer * nearer), torch.from_numpy(ended)
            if ended.any():
                change = infos["final_info"]["change"][ended]
                own = np.rint(reward[ended] * 1000)
                hands.extend(zip(own, (own == change.max(1)) & (own > 0), strict=True))
                played += len(own)
        with torch.no_grad():
            values[-1] = player(features(observation)[0], torch.from_numpy(infos["action_mask"] != 0))[1]
        gains = advantages(rewards, over, values, config.trace)
        flat = [rows.flatten(0, 1) for rows in (seen, masks, chosen, logs, gains, gains + values[:-1])]
        for _ in range(config.epochs):
            for part in torch.randperm(len(flat[0])).split(config.batch):
                x, mask, action, log, gain, target = (rows[part] for rows in flat)
                policy, value = player(x, mask)
                ratio = (policy.log_prob(action) - log).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                surrogate = torch.minimum(ratio * gain, ratio.clamp(1 - config.clip, 1 + config.clip) * gain).mean()
                # Illegal actions have no probability and do not contribute to the entropy.
                entropy = -(policy.logits.clamp(min=-30) * policy.probs).sum(1).mean()
                loss = 0.5 * (value - target).pow(2).mean() - surrogate - config.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(player.parameters(), 0.5)
                optimizer.step()
        if hands and update % max(1, updates // 12) == 0:
            points, most = np.array(hands, float).mean(0)
            spent, decisions = time.perf_counter() - start, update * config.steps * config.envs
            figures = f"{points:14,.0f} {most:11.1%} {entropy.item():8.2f}"
            print(f"{spent:8.0f} {decisions:10,} {played:8,} {figures}", flush=True)
    if config.save:
        torch.save(player.state_dict(), config.save)
    return player


def match(player: Player, config: Config) -> float:
    """Play matches on shared walls against the opponents of the training; return the rate of first places."""
    rules = preset(f"{config.rules}-hand")
    played = play_match([Learned(player), *[agent(config.opponents)] * (rules.players - 1)], rules, config.matches)
    hands = played.hands
    own = np.arange(len(hands.wall)), hands.rotation % rules.players
    place, points = places(hands)[own], hands.change[own].mean()
    first, last = (place == 1).mean(), (place == rules.players).mean()
    print(f"{len(place):,} hands against {config.opponents}: first {first:.1%}, last {last:.1%}, {points:+,.0f} a hand")
    return float(first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in vars(Config()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"default {value}")
    config = Config(**vars(parser.parse_args()))
    match(train(config), config)


if __name__ == "__main__":
    main()
