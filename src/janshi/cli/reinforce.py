"""``janshi reinforce``: a player that improves by its own games."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from janshi.cli.failing import failing, needing, training_interrupted
from janshi.cli.options import argument, changes_of, option, overrides, rules_named
from janshi.cli.progress import timed_bar
from janshi.learn.configs import SteadyConfig

Changes: Any = overrides("Changes", SteadyConfig, leave_out=("opponents",), shown={"": SteadyConfig()})


@dataclass(frozen=True)
class ReinforceOptions:
    """Options of ``janshi reinforce``."""

    start: Path = argument("Folder of the trained player to begin with.")
    out: Path = option("Folder for the player; an unfinished run there goes on.")
    rules: str | None = option("Rules of the hands (default: a single hand by the game's common rules).", default=None)
    opponents: str | None = option(
        "self, start, or agents' names, with commas: who sits there, hand by hand.", default=None
    )
    changes: Changes = dataclasses.field(default_factory=Changes)
    tensorboard: Path | None = option("Folder for curves: tensorboard --logdir FOLDER shows them.", default=None)
    as_json: bool = option("Print the curve as JSON.", "--json", default=False)
    setting: str | None = option("", default=None, hidden=True)


def reinforce_player(options: ReinforceOptions) -> None:
    """Improve a trained player by self-play; Ctrl-C can be resumed."""
    with needing("reinforce", "learn"):
        from janshi.agents import AgentError
        from janshi.files import working_in
        from janshi.learn.checkpoints import CheckpointError, load_network
        from janshi.learn.datasets import dataset_of
        from janshi.learn.export import export_onnx
        from janshi.learn.learners import ActionPolicy
        from janshi.learn.networks import ActionNetwork, encoder_of
        from janshi.learn.players import load_player
        from janshi.learn.reinforce import SteadyReinforce
        from janshi.learn.scalars import no_log, tensorboard_log
        from janshi.registry import agent
    with failing("reinforce", AgentError, ValueError, interrupted=lambda: training_interrupted(options.out)):
        if options.setting is not None:
            raise CheckpointError("--setting is an option of: janshi paper meowjong reinforce")
        changes = changes_of(options.changes)
        if options.opponents is not None:
            changes["opponents"] = tuple(options.opponents.split(","))
        config = dataclasses.replace(SteadyConfig(), **changes)
        network, metadata = load_network(options.start)
        if not isinstance(network, ActionNetwork):
            raise CheckpointError(f"{options.start} answers no whole action space: see janshi paper meowjong reinforce")
        named = dict.fromkeys(name for name in config.opponents if name != "self")
        opponents = {name: load_player(options.start) if name == "start" else agent(name) for name in named}
        policy = ActionPolicy(network, metadata)
        if options.rules is None:
            rules = dataset_of(encoder_of(network).game).single_hand(policy.players)
        else:
            rules = rules_named(options.rules)
        with working_in(options.out), timed_bar(options.as_json) as bar:
            task = bar.add_task("evaluating", total=config.episodes)
            log = no_log if options.tensorboard is None else tensorboard_log(options.tensorboard)
            learner = SteadyReinforce(config, policy, options.out, opponents, rules, log=log)
            bar.update(task, completed=learner.done)

            def show(episode: int, played: Any, last: dict[str, Any]) -> None:
                wins = 100 * sum(last["win"]) / len(last["win"])
                text = f"reward {played.reward:+.3f}, first in {wins:.1f} % against random (episode {last['episode']})"
                bar.update(task, completed=episode, description=text)

            learner.train(show)
        export_onnx(learner.player_network, options.out / "player.onnx", learner.rules.players)
    if options.as_json:
        typer.echo(json.dumps(learner.curve, indent=1))
        return
    for point in (learner.curve[0], learner.curve[-1]):
        wins, losses = (100 * sum(point[name]) / len(point[name]) for name in ("win", "loss"))
        hands = point["hands"] * len(point["win"])
        typer.echo(
            f"episode {point['episode']}: first in {wins:.2f} %, last in {losses:.2f} % of {hands:,} hands against "
            "random players"
        )
    typer.echo(f"saved in {options.out}")
