"""Make the player of Sichuan mahjong that ships with the package: it imitates `efficient`, then improves by playing.

    python tools/make_sichuan_player.py FOLDER

Interrupted, the same command goes on. ``FOLDER/run`` is a run of `janshi.learn.actor_critic`, its ``training.json`` the
curve: points a hand against three heuristic agents. The last step writes ``FOLDER/player.onnx``.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import torch

from janshi.agents import EfficientAgent
from janshi.agents.sichuan.heuristic import HeuristicAgent
from janshi.learn.actor_critic import ActorCritic, ActorCriticConfig
from janshi.learn.checkpoints import LAST, describe_network, load_network, save_metadata, save_tensors
from janshi.learn.configs import DenseConfig
from janshi.learn.export import export_onnx
from janshi.learn.imitation import ImitationConfig, imitate
from janshi.learn.learners import ActionPolicy
from janshi.learn.networks import make_network

RULES = "sichuan-hand"
OPPONENTS = ("heuristic", "heuristic", "heuristic", "efficient")


def imitated(folder: Path, config: DenseConfig, seed: int) -> None:
    """Write a network that plays as the efficient agent does."""
    torch.manual_seed(seed)
    network = make_network(config)
    began = time.perf_counter()
    curve = imitate(network, EfficientAgent(), RULES, ImitationConfig(rounds=60, games=1500, seed=seed), print)
    folder.mkdir(parents=True, exist_ok=True)
    save_tensors(network.state_dict(), folder / LAST)
    (folder / "curve.json").write_text(json.dumps({"curve": curve, "seconds": time.perf_counter() - began}))
    save_metadata(describe_network(network, 4, [RULES], samples=sum(point["decisions"] for point in curve)), folder)


def main() -> None:
    """Do what is not done yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--start", type=Path, help="folder of a network to begin with instead of imitating")
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--hands", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--entropy", type=float, default=0.004)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    start = options.start or options.folder / "imitation"
    if not (start / "player.json").exists():
        imitated(start, DenseConfig(), options.seed)
    network, metadata = load_network(start)
    config = ActorCriticConfig(
        episodes=options.episodes,
        hands=options.hands,
        opponents=OPPONENTS,
        learning_rate=options.rate,
        entropy=options.entropy,
        seed=options.seed,
        evaluate_every=20,
        evaluate_hands=1500,
        evaluate_against="heuristic",
        max_probability=0.995,
    )
    opponents = {"heuristic": HeuristicAgent(), "efficient": EfficientAgent()}
    run = ActorCritic(config, ActionPolicy(network, metadata), options.folder / "run", opponents, RULES)

    def show(episode: int, played: object, last: dict[str, Any]) -> None:
        points = sum(last["points"]) / 4
        print(f"{time.strftime('%H:%M:%S')} {episode} {played} points {points:+.3f} at {last['episode']}", flush=True)

    run.train(show)
    export_onnx(run.player_network, options.folder / "player.onnx", 4)


if __name__ == "__main__":
    main()
