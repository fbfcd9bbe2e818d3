"""Make one player of several runs of ``janshi reinforce`` from the same beginning: the mean of what they learned.

    python tools/average.py RUN RUN… --out FOLDER [--plan-weight SHARE]

Weights are averaged, which works for runs of which one went on from the other, or that began alike and are still near
each other. What else belongs to the player is the last run's: its prior and the prior's share, and that of plans where
``--plan-weight`` does not say another. Writes the folder that ``janshi arena`` seats, with ``player.onnx``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from janshi.files import check_folder
from janshi.learn.checkpoints import (
    BEST,
    CheckpointError,
    config_json,
    load_network,
    save_metadata,
    save_tensors,
)
from janshi.learn.export import export_onnx
from janshi.papers.meowjong.networks import MixedNetwork, mixed


def main() -> None:
    """Average the runs that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--plan-weight", type=float, help="share of its discards, pons and riichi, 0 to 1")
    options = parser.parse_args()
    try:
        check_folder(options.out)
        loaded = [load_network(run) for run in options.runs]
    except (CheckpointError, OSError) as error:
        raise SystemExit(str(error)) from None
    network, metadata = loaded[-1]
    learned = [run.learned if isinstance(run, MixedNetwork) else run for run, _ in loaded]
    weights = [part.state_dict() for part in learned]
    if any(part.keys() != weights[0].keys() for part in weights):
        raise SystemExit("these runs have networks of different shapes: their mean is none")
    mean = {
        name: torch.stack([part[name].double() for part in weights]).mean(dim=0).to(first.dtype)
        for name, first in weights[0].items()
    }
    learned[-1].load_state_dict(mean)
    if options.plan_weight is not None:
        if not isinstance(network, MixedNetwork) or not 0 <= options.plan_weight <= 1:
            raise SystemExit("--plan-weight: a share from 0 to 1, of a player that keeps something of its beginning")
        try:
            network = mixed(network.learned, network.prior, network.config.prior_weight, options.plan_weight)
        except ValueError as error:
            raise SystemExit(str(error)) from None
        metadata["shape"] = config_json(network.config)
    options.out.mkdir(parents=True, exist_ok=True)
    save_tensors(network.state_dict(), options.out / BEST)
    save_metadata(metadata, options.out)
    export_onnx(network, options.out / "player.onnx", int(metadata["players"]))
    print(f"the mean of {len(loaded)} runs: {options.out}")


if __name__ == "__main__":
    main()
