"""``janshi mjai``: a player of ours as an mjai bot."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer


def play_mjai(
    seat: Annotated[int | None, typer.Argument(help="Own seat, for servers that do not tell it.")] = None,
    agent: Annotated[str, typer.Option(help="Who decides: a name as in janshi arena, a folder, a file.")] = "rl",
    rules: Annotated[str | None, typer.Option(help="Rules, where start_game names none of ours.")] = None,
    tcp: Annotated[str | None, typer.Option(help="Join a server: HOST:PORT, HOST:PORT/ROOM, mjsonp://…")] = None,
    name: Annotated[str | None, typer.Option(help="Name to join under (default: the agent's).")] = None,
    seed: Annotated[int, typer.Option(help="Decides what an agent that draws lots does.")] = 0,
    kita: Annotated[str, typer.Option(help="What a North set aside is called: nukidora or kita.")] = "nukidora",
) -> None:
    """Speak mjai: events from stdin (one a line, or a list of them), one answer a line to stdout; or by TCP."""
    from janshi.agents import AgentError
    from janshi.agents import agent as agent_named
    from janshi.bridges.mjai_bot import MjaiPlayer, answer_lines, complain, play_at, warm_up
    from janshi.bridges.mjai_moves import KITA_NAMES
    from janshi.bridges.mjai_table import MjaiError
    from janshi.rules import RuleError, preset

    try:
        if kita not in KITA_NAMES:
            raise MjaiError(f"--kita is {' or '.join(KITA_NAMES)}, not {kita!r}")
        by = None if rules is None else preset(rules)
        who = agent_named(agent)
        player = MjaiPlayer(who, by, seat=seat, seed=seed, kita=kita)
        warm_up(who, by)
        if tcp is not None:
            play_at(player, tcp, name or who.name)
        else:
            if isinstance(sys.stdin, io.TextIOWrapper):
                sys.stdin.reconfigure(encoding="utf-8", errors="replace")
            answer_lines(player, sys.stdin, _write, complain)
    except (AgentError, RuleError, MjaiError, OSError) as error:
        typer.echo(f"janshi mjai: {error}", err=True)
        raise typer.Exit(2) from None


def _write(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()
