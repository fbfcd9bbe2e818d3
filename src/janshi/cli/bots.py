"""Bots in commands: the options of their limits, their seats, and what a command prints of their faults."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from janshi.cli.failing import GIVEN_UP, fail
from janshi.cli.options import option

if TYPE_CHECKING:
    from types import FrameType

    from janshi.agents import Agent
    from janshi.agents.protocol import Faults
    from janshi.mjai.agent import Limits


@dataclass(frozen=True)
class BotOptions:
    """Options of every command that seats bots (``mjai:…``)."""

    start_limit: float = option(
        "Time limit in seconds for the start of a bot (mjai:…).", default=60.0, min=0.1, max=86_400
    )
    answer_limit: float = option("Time limit in seconds for a bot's decision.", default=5.0, min=0.001, max=86_400)
    fault_limit: int = option("Faults permitted before a bot is given up.", default=10, min=0)
    bot_tables: int = option("Number of parallel tables in a match with bots.", default=1, min=1, max=256)

    bot_log: Path | None = option(
        "Write what passed between Janshi and each bot to this folder, a file a game.", default=None
    )

    @property
    def limits(self) -> Limits:
        """The limits of a bot."""
        from janshi.mjai.agent import Limits

        return Limits(self.start_limit, self.answer_limit, self.fault_limit, self.bot_tables)

    def prepare(self, player: Agent) -> None:
        """Set the limits and the log of a player that is a bot."""
        from janshi.mjai.agent import MjaiAgent

        if isinstance(player, MjaiAgent):
            player.limits, player.log = self.limits, self.bot_log


@contextmanager
def seat_players(names: list[str], options: BotOptions) -> Iterator[list[Agent]]:
    """Make the agents of these names, one of each but of bots one a seat; bots are ended with the context.

    A signal that ends the command ends them as well: see `ended_by_signals`.
    """
    from janshi.agents import agent
    from janshi.mjai.agent import MjaiAgent

    with ExitStack() as stack:
        made: dict[str, Agent] = {}
        seated: list[Agent] = []
        for name in names:
            player = made.get(name) or agent(name)
            if isinstance(player, MjaiAgent):
                options.prepare(player)
                if not any(isinstance(each, MjaiAgent) for each in seated):
                    stack.enter_context(ended_by_signals())
                stack.enter_context(player)
            else:
                made[name] = player
            seated.append(player)
        yield seated


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let the signals that end a program leave the context in order: they raise `SystemExit`.

    A terminal sends SIGHUP when it closes, other programs SIGTERM. The first signal counts; an ignored one
    (``nohup``) stays ignored.
    """
    numbers = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.getsignal(number) for number in numbers}
    ending = [number for number in numbers if before[number] is not signal.SIG_IGN]
    if threading.current_thread() is not threading.main_thread():  # signals are handled in the main thread alone
        ending = []

    def end(number: int, _: FrameType | None) -> None:
        for each in ending:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for number in ending:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ending:
            signal.signal(number, before[number])


def faults_of(players: list[Agent]) -> dict[str, Faults]:
    """Return the faults of the bots among some players, by name."""
    from janshi.agents.protocol import Listener

    return {player.name: player.faults() for player in players if isinstance(player, Listener)}


def print_faults(console: Console, faults: Mapping[str, Faults]) -> None:
    """Print the faults of bots: a table, and an example of each kind. Prints nothing without bots."""
    if not faults:
        return
    table = Table("bot", "decisions", "faults", "decided for it", "unasked", "mean time", "longest", title="Bots")
    for name, each in faults.items():
        times = [f"{seconds:.2f} s" if each.answers else "–" for seconds in (each.mean_seconds, each.longest_seconds)]
        decisions, *dropped = (f"{count:,}" for count in (each.decisions, each.defaults, each.unasked))
        table.add_row(escape(name), decisions, escape(str(each)), *dropped, *times)
    console.print(table)
    for name, each in faults.items():
        for example in each.examples:
            console.print(f"{name}: {example}", markup=False, highlight=False, soft_wrap=True)


def end_if_given_up(command: str, faults: Mapping[str, Faults], verdict: str = "the result is void") -> None:
    """End a command with exit code `GIVEN_UP` if a bot was given up, which makes its result void."""
    from janshi.agents.protocol import void_reasons

    if reasons := void_reasons(faults):
        fail(command, f"{verdict}: {'; '.join(reasons)}", GIVEN_UP)
