"""The command line: one thin module per command."""

from __future__ import annotations

import sys

import typer

from janshi.cli.arena import play_arena
from janshi.cli.compare import compare_players
from janshi.cli.convert import convert_records
from janshi.cli.crawl import crawl_records
from janshi.cli.dataset import make_dataset
from janshi.cli.demo import show_demo
from janshi.cli.hand import show_hand
from janshi.cli.mjai import play_mjai
from janshi.cli.reinforce import reinforce_player
from janshi.cli.replay import replay_records
from janshi.cli.reproduce import reproduce_paper
from janshi.cli.search import search_kernels
from janshi.cli.show_observation import show_position
from janshi.cli.train import train_network

app = typer.Typer(help="Janshi: mahjong hands, records and players.", no_args_is_help=True, add_completion=False)
app.command("demo")(show_demo)
app.command("hand")(show_hand)
app.command("convert")(convert_records)
app.command("crawl")(crawl_records)
app.command("replay")(replay_records)
app.command("show-observation")(show_position)
app.command("dataset")(make_dataset)
app.command("train")(train_network)
app.command("search")(search_kernels)
app.command("reinforce")(reinforce_player)
app.command("arena")(play_arena)
app.command("compare")(compare_players)
app.command("mjai")(play_mjai)
app.command("reproduce")(reproduce_paper)


@app.callback()
def _commands() -> None:
    """Keep every command named, however few there are."""


def main() -> None:
    """Run the command line; an interruption ends it with exit code 130."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
