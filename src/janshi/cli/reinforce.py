"""``janshi reinforce``: a player that improves by its own games."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from janshi.cli.failing import failing, needing
from janshi.cli.options import argument, changes_of, option, overrides
from janshi.cli.progress import timed_bar
from janshi.papers.meowjong.configs import DistillationConfig, PaperReinforceConfig, PaperSteadyConfig

if TYPE_CHECKING:
    from janshi.agents import Agent

#: Settings by name.
SETTINGS: Final[dict[str, Any]] = {
    "paper": PaperReinforceConfig(),
    "stable": PaperSteadyConfig(),
    "distillation": DistillationConfig(),
}
#: Names of earlier versions.
_FORMERLY: Final = {"looking": "distillation"}
_OPTIONS: Final = (
    "episodes",
    "hands",
    "reward",
    "learning_rate",
    "entropy",
    "evaluate_every",
    "evaluate_hands",
    "seed",
)


def _changes() -> Any:
    """Options that change a setting: of all fields of any of them, those that are asked for at the command line."""
    shown: dict[str, Any] = {}
    for name, config in SETTINGS.items():
        for field in dataclasses.fields(config):
            if field.name in _OPTIONS:
                shown.setdefault(field.name, []).append((name, getattr(config, field.name)))
    fields = {field.name: field for config in SETTINGS.values() for field in dataclasses.fields(config)}
    made = []
    for name in _OPTIONS:
        values = ", ".join(f"{setting} {value}" for setting, value in shown[name])
        metadata = dict(fields[name].metadata) | {"help": f"{fields[name].metadata['help']} ({values})"}
        made.append((name, type(shown[name][0][1]), dataclasses.field(default=shown[name][0][1], metadata=metadata)))
    return overrides("Changes", dataclasses.make_dataclass("Settings", made, frozen=True))


Changes: Any = _changes()


@dataclass(frozen=True)
class ReinforceOptions:
    """Options of ``janshi reinforce``."""

    start: Path = argument("Folder of the trained player to begin with.")
    out: Path = option("Folder for the player; an unfinished run there goes on.")
    setting: str = option(
        "paper: one hand an episode, discards alone; stable: many hands, all decisions; distillation: playouts.",
        default="paper",
    )
    opponents: str | None = option(
        "self, start, or agents' names, with commas: who sits there, hand by hand.", default=None
    )
    changes: Changes = dataclasses.field(default_factory=Changes)
    tensorboard: Path | None = option("Folder for curves: tensorboard --logdir FOLDER shows them.", default=None)
    as_json: bool = option("Print the curve as JSON.", "--json", default=False)


def config_of(options: ReinforceOptions) -> Any:
    """Return the setting with its changes. Raises `CheckpointError` for one that there is not, or a field it lacks."""
    from janshi.learn.checkpoints import CheckpointError

    name = _FORMERLY.get(options.setting, options.setting)
    if name != options.setting:
        typer.echo(f"janshi reinforce: --setting {options.setting} is called {name} now", err=True)
    if name not in SETTINGS:
        raise CheckpointError(f"no setting {options.setting!r}: there are {', '.join(SETTINGS)}")
    changes = changes_of(options.changes)
    if changes.get("reward") not in (None, "points", "place"):
        raise CheckpointError("--reward is points or place")
    if options.opponents is not None:
        changes["opponents"] = tuple(options.opponents.split(","))
    config = SETTINGS[name]
    for field in changes:
        if not hasattr(config, field):
            raise CheckpointError(f"--{field.replace('_', '-')} is no option of --setting {name}")
    return dataclasses.replace(config, **changes)


def opponents_of(config: Any, start: Path) -> dict[str, Agent]:
    """Return the agents that a run names as opponents; ``start`` is the player that it begins with."""
    from janshi.papers.meowjong.player import load_player
    from janshi.registry import agent

    names = dict.fromkeys(name for name in config.opponents if name != "self")
    return {name: load_player(start) if name == "start" else agent(name) for name in names}


def reinforce_player(options: ReinforceOptions) -> None:
    """Improve a trained player by REINFORCE; Ctrl-C can be resumed."""
    with needing("reinforce", "learn"):
        from janshi.files import working_in
        from janshi.learn.export import export_onnx
        from janshi.learn.scalars import no_log, tensorboard_log
        from janshi.papers.meowjong.discard_policy import DiscardPolicy
        from janshi.papers.meowjong.reinforce import reinforce
    with failing(
        "reinforce", ValueError, interrupted="interrupted; the same command goes on from the last checkpoint"
    ):
        config = config_of(options)
        with working_in(options.out), timed_bar(options.as_json) as bar:
            task = bar.add_task("evaluating", total=config.episodes)
            log = no_log if options.tensorboard is None else tensorboard_log(options.tensorboard)
            learner = reinforce(config, options.start, options.out, opponents_of(config, options.start), log=log)
            bar.update(task, completed=learner.done)

            def show(episode: int, played: Any, last: dict[str, Any]) -> None:
                wins = 100 * sum(last["win"]) / len(last["win"])
                text = f"reward {played.reward:+.3f}, first in {wins:.1f} % against random (episode {last['episode']})"
                bar.update(task, completed=episode, description=text)

            learner.train(show)
        if isinstance(learner.policy, DiscardPolicy):
            learner.policy.save_player(options.out)
        else:
            export_onnx(learner.player_network, options.out / "player.onnx", learner.rules.players)
    if options.as_json:
        typer.echo(json.dumps(learner.curve, indent=1))
        return
    for point in (learner.curve[0], learner.curve[-1]):
        wins, losses = (100 * sum(point[name]) / len(point[name]) for name in ("win", "loss"))
        typer.echo(
            f"episode {point['episode']}: first in {wins:.2f} %, last in {losses:.2f} % of "
            f"{point['hands'] * len(point['win']):,} hands against random players, "
            f"{point['illegal']:,} impossible first choices of {point['discards']:,} discards"
        )
    typer.echo(f"saved in {options.out}")
