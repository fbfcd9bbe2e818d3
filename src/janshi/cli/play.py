"""``janshi play``: the table in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from janshi.rules import RuleError

if TYPE_CHECKING:
    from janshi.web.messages import Length


def play_table(
    rules: Annotated[str, typer.Option(help="Rules to play by.")] = "tenhou-sanma",
    length: Annotated[str, typer.Option(help="hand, east or south.")] = "hand",
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="Your seat (default: by lot).")] = None,
    agents: Annotated[list[str] | None, typer.Option(help="Who plays against you, from the seat after yours.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Decides the walls (default: nobody knows).")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Agents among themselves.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
) -> None:
    """Play sanma or four-player mahjong against agents, in the browser."""
    try:
        import uvicorn
        from pydantic import ValidationError

        from janshi.agents import AgentError
        from janshi.web.messages import NewTable
        from janshi.web.roster import Roster
        from janshi.web.server import Setup, create_app, in_words, rules_for
    except ModuleNotFoundError as error:
        typer.echo(f"janshi play: needs {error.name}: pip install 'janshi[web]'", err=True)
        raise typer.Exit(2) from None
    try:
        named, how_long = agents or [], cast("Length", length)
        begin = NewTable(rules=rules, length=how_long, seat=seat, watch=watch, agents=named, seed=seed)
        rules_for(rules, length)
        app = create_app(Setup(Roster(named), begin))
    except ValidationError as error:
        typer.echo(f"janshi play: {in_words(error.errors())}", err=True)
        raise typer.Exit(2) from None
    except (AgentError, RuleError) as error:
        typer.echo(f"janshi play: {error}", err=True)
        raise typer.Exit(2) from None
    typer.echo(f"janshi play: http://127.0.0.1:{port}/")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", ws_max_size=65536)
