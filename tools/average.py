"""Make one player of several runs of ``janshi reinforce`` from the same beginning: the mean of what they learned.

    python tools/average.py RUN RUN… --out FOLDER [--advised SHARE]

Weights are averaged, which works for runs of which one went on from the other, or that began alike and are still near
each other. What else belongs to the player is the last run's: what it keeps of its beginning and its share, and that of
advice where ``--advised`` does not say another. Writes the folder that ``janshi arena`` seats, with ``player.onnx``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch

from janshi.files import check_folder, save_text
from janshi.learn.networks import MixedNetwork, mixed
from janshi.learn.player import export_onnx
from janshi.learn.trainer import BEST, CheckpointError, load_network, save_tensors


def main() -> None:
    """Average the runs that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--advised", type=float, help="share of its discards, pons and riichi that plans say, 0 to 1")
    asked = parser.parse_args()
    try:
        check_folder(asked.out)
        loaded = [load_network(run) for run in asked.runs]
    except (CheckpointError, OSError) as error:
        raise SystemExit(str(error)) from None
    network, said = loaded[-1]
    learned = [one.learned if isinstance(one, MixedNetwork) else one for one, _ in loaded]
    weights = [one.state_dict() for one in learned]
    if any(one.keys() != weights[0].keys() for one in weights):
        raise SystemExit("these runs have networks of different shapes: their mean is none")
    mean = {
        name: torch.stack([one[name].double() for one in weights]).mean(dim=0).to(first.dtype)
        for name, first in weights[0].items()
    }
    learned[-1].load_state_dict(mean)
    if asked.advised is not None:
        if not isinstance(network, MixedNetwork) or not 0 <= asked.advised <= 1:
            raise SystemExit("--advised: a share from 0 to 1, of a player that keeps something of its beginning")
        try:
            network = mixed(network.learned, network.kept, network.share, asked.advised)
        except ValueError as error:
            raise SystemExit(str(error)) from None
        said["advised"] = asked.advised
    asked.out.mkdir(parents=True, exist_ok=True)
    save_tensors(network.state_dict(), asked.out / BEST)
    save_text(json.dumps(said, indent=1), asked.out / "player.json")
    export_onnx(network, asked.out / "player.onnx", int(said["players"]))
    print(f"the mean of {len(loaded)} runs: {asked.out}")


if __name__ == "__main__":
    main()
