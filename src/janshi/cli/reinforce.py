"""``janshi reinforce``: a player that improves by its own games."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from janshi.cli.failing import failing, needing, training_interrupted
from janshi.cli.options import argument, changes_of, option, overrides, rules_named
from janshi.cli.progress import timed_bar
from janshi.learn.configs import SteadyConfig

if TYPE_CHECKING:
    from janshi.learn.runs import SelfPlayRun

Changes: Any = overrides("Changes", SteadyConfig, leave_out=("opponents",), shown={"": SteadyConfig()})


@dataclass(frozen=True)
class SelfPlayOptions:
    """Options of every run of self-play."""

    start: Path = argument("Folder of the trained player to start from.")
    out: Path = option("Output folder; an unfinished run in it is resumed.")
    opponents: str | None = option(
        "Opponents, separated by commas and used in turn: self, start, or names of agents.", default=None
    )
    tensorboard: Path | None = option("Folder for TensorBoard logs.", default=None)
    as_json: bool = option("Print the learning curve as JSON.", "--json", default=False)


@dataclass(frozen=True)
class ReinforceOptions(SelfPlayOptions):
    """Options of ``janshi reinforce``."""

    rules: str | None = option("Rule set (default: a single hand of the game's default rules).", default=None)
    changes: Changes = dataclasses.field(default_factory=Changes)
    setting: str | None = option("", default=None, hidden=True)


def reinforce_player(options: ReinforceOptions) -> None:
    """Improve a trained player by self-play; resumable."""
    with needing("reinforce", "learn"):
        from janshi.learn.checkpoints import CheckpointError, load_network
        from janshi.learn.datasets import dataset_of
        from janshi.learn.learners import ActionPolicy
        from janshi.learn.networks import ActionNetwork, encoder_of
        from janshi.learn.reinforce import SteadyReinforce

    def config() -> SteadyConfig:
        if options.setting is not None:
            raise CheckpointError("--setting is an option of: janshi paper meowjong reinforce")
        return dataclasses.replace(SteadyConfig(), **changes_of(options.changes))

    def run(config: Any, **given: Any) -> SelfPlayRun:
        network, metadata = load_network(options.start)
        if not isinstance(network, ActionNetwork):
            raise CheckpointError(f"{options.start} answers no whole action space: see janshi paper meowjong reinforce")
        policy = ActionPolicy(network, metadata)
        if options.rules is None:
            rules = dataset_of(encoder_of(network).game).single_hand(policy.players)
        else:
            rules = rules_named(options.rules)
        return SteadyReinforce(config, policy, options.out, rules=rules, **given)

    run_self_play("reinforce", options, config, run)


def export_player(run: SelfPlayRun) -> None:
    """Write the player of a run as ``player.onnx``."""
    from janshi.learn.export import export_onnx

    export_onnx(run.player_network, run.folder / "player.onnx", run.rules.players)


def run_self_play(
    command: str,
    options: SelfPlayOptions,
    config_of: Callable[[], Any],
    run_of: Callable[..., SelfPlayRun],
    save: Callable[[SelfPlayRun], None] = export_player,
) -> None:
    """Improve a player by a run of self-play, save it, and print how it did.

    ``config_of`` returns a configuration; ``run_of`` takes that, ``opponents`` and ``log``, and returns the run.
    """
    with needing(command, "learn"):
        from janshi.agents.names import agent
        from janshi.files import working_in
        from janshi.learn.scalars import no_log, tensorboard_log
    with failing(command, ValueError, interrupted=lambda: training_interrupted(options.out)):
        config = config_of()
        if options.opponents is not None:
            config = dataclasses.replace(config, opponents=tuple(options.opponents.split(",")))
        named = dict.fromkeys(name for name in config.opponents if name != "self")
        opponents = {name: agent(str(options.start.resolve()) if name == "start" else name) for name in named}
        with working_in(options.out), timed_bar(options.as_json) as bar:
            task = bar.add_task("evaluating", total=config.episodes)
            log = no_log if options.tensorboard is None else tensorboard_log(options.tensorboard)
            learner = run_of(config, opponents=opponents, log=log)
            bar.update(task, completed=learner.done)

            def show(episode: int, played: Any, last: dict[str, Any]) -> None:
                wins = 100 * sum(last["win"]) / len(last["win"])
                text = f"reward {played.reward:+.3f}, first in {wins:.1f} % against random (episode {last['episode']})"
                bar.update(task, completed=episode, description=text)

            learner.train(show)
        save(learner)
    if options.as_json:
        typer.echo(json.dumps(learner.curve, indent=1))
        return
    for point in (learner.curve[0], learner.curve[-1]):
        wins, losses = (100 * sum(point[name]) / len(point[name]) for name in ("win", "loss"))
        hands = point["hands"] * len(point["win"])
        impossible = ""
        if "illegal" in point:
            impossible = f", {point['illegal']:,} impossible first choices of {point['discards']:,} discards"
        typer.echo(
            f"episode {point['episode']}: first in {wins:.2f} %, last in {losses:.2f} % of {hands:,} hands against "
            f"random players{impossible}"
        )
    typer.echo(f"saved in {options.out}")
