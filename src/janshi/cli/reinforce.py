"""``janshi reinforce``: a player that improves by its own games."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Any

import typer


def reinforce_player(
    start: Annotated[Path, typer.Argument(help="Folder of the trained player to begin with.")],
    out: Annotated[Path, typer.Option(help="Folder for the player; an unfinished run there goes on.")],
    setting: Annotated[
        str,
        typer.Option(
            help="paper: one hand an episode, discards alone; stable: many hands, all decisions; looking: playouts."
        ),
    ] = "paper",
    episodes: Annotated[int | None, typer.Option(min=1, help="Updates (400; others 200).")] = None,
    hands: Annotated[int | None, typer.Option(min=1, help="Hands an episode (1; stable 1280, looking 960).")] = None,
    opponents: Annotated[
        str | None, typer.Option(help="self, start, or agents' names, with commas: who sits there, hand by hand.")
    ] = None,
    reward: Annotated[str | None, typer.Option(help="points or place.")] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="Step size (0.001; stable 0.0002, looking 0.0015).")
    ] = None,
    entropy: Annotated[float | None, typer.Option(help="Weight of the entropy of discards.")] = None,
    evaluate_every: Annotated[int, typer.Option(min=1, help="Episodes between two evaluations.")] = 10,
    evaluate_hands: Annotated[int, typer.Option(min=1, help="Hands in each seat against random players.")] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Decides all hands and draws.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the curve as JSON.")] = False,
) -> None:
    """Improve a trained player by REINFORCE; Ctrl-C can be resumed."""
    try:
        from janshi.cli.train import progress_bar
        from janshi.files import check_folder
        from janshi.learn.player import export_onnx
        from janshi.learn.reinforce import LOOKING, STABLE, Played, ReinforceConfig, Reinforcer
        from janshi.learn.trainer import CheckpointError
    except ModuleNotFoundError as error:
        typer.echo(f"janshi reinforce: needs {error.name}: pip install 'janshi[learn]'", err=True)
        raise typer.Exit(2) from None
    settings = {"paper": ReinforceConfig(), "stable": STABLE, "looking": LOOKING}
    named: dict[str, Any] = {
        "episodes": episodes,
        "hands": hands,
        "opponents": None if opponents is None else tuple(opponents.split(",")),
        "reward": reward,
        "learning_rate": learning_rate,
        "entropy": entropy,
    }
    changes = {name: value for name, value in named.items() if value is not None}
    try:
        if setting not in settings or reward not in (None, "points", "place"):
            raise CheckpointError("--setting is paper, stable or looking, --reward points or place")
        check_folder(out)
        config = dataclasses.replace(
            settings[setting], seed=seed, evaluate_every=evaluate_every, evaluate_hands=evaluate_hands, **changes
        )
        with progress_bar(as_json) as bar:
            task = bar.add_task("compiling, then evaluating", total=config.episodes)
            learner = Reinforcer(config, start, out)
            bar.update(task, completed=learner.done)

            def tell(episode: int, played: Played, last: dict[str, Any]) -> None:
                wins = 100 * sum(last["win"]) / len(last["win"])
                text = f"reward {played.reward:+.3f}, first in {wins:.1f} % against random (episode {last['episode']})"
                bar.update(task, completed=episode, description=text)

            learner.train(tell)
        export_onnx(learner.whole, out / "player.onnx", learner.rules.players)
    except KeyboardInterrupt:
        typer.echo("janshi reinforce: interrupted; the same command goes on from the last checkpoint", err=True)
        raise typer.Exit(130) from None
    except (OSError, ValueError) as error:
        typer.echo(f"janshi reinforce: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps(learner.curve, indent=1))
        return
    for point in (learner.curve[0], learner.curve[-1]):
        wins, losses = (100 * sum(point[name]) / len(point[name]) for name in ("win", "loss"))
        typer.echo(
            f"episode {point['episode']}: first in {wins:.2f} %, last in {losses:.2f} % of "
            f"{point['hands'] * len(point['win']):,} hands against random players, "
            f"{point['illegal']:,} impossible first choices of {point['discards']:,} discards"
        )
    typer.echo(f"saved in {out}")
