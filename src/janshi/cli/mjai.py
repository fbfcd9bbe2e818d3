"""``janshi mjai``: a player of ours as an mjai bot."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from janshi.cli.options import argument, option, rules_named


@dataclass(frozen=True)
class MjaiOptions:
    """Options of ``janshi mjai``."""

    seat: int | None = argument("Own seat, for servers that do not send it.", default=None, min=0, max=3)
    agent: str = option("Player: a name of janshi agents, a folder, an ONNX file, or file.py:Class.", default="sl")
    rules: str | None = option("Rule set (default: that of start_game).", default=None)
    tcp: str | None = option("Join a server at HOST:PORT, HOST:PORT/ROOM or mjsonp://…", default=None)
    name: str | None = option("Name on the server (default: the agent's).", default=None)
    seed: int = option("Random seed of the agent.", default=0, min=0)
    kita: str = option("Name of the event for a North set aside: nukidora or kita.", default="nukidora")


def play_mjai(options: MjaiOptions) -> None:
    """Play by the mjai protocol, over stdin and stdout or over TCP."""
    from janshi.agents import agent
    from janshi.mjai.bot import MjaiPlayer, answer_lines, complain, lines_of, play_at, warm_up
    from janshi.mjai.events import KITA_NAMES, MjaiError

    if options.kita not in KITA_NAMES:
        raise MjaiError(f"--kita is {' or '.join(KITA_NAMES)}, not {options.kita!r}")
    rules = None if options.rules is None else rules_named(options.rules)
    decides = agent(options.agent)
    player = MjaiPlayer(decides, rules, seat=options.seat, seed=options.seed, kita=options.kita)
    warm_up(decides, rules)
    if options.tcp is not None:
        play_at(player, options.tcp, options.name or decides.name)
    else:
        answer_lines(player, lines_of(sys.stdin.buffer), _write, complain)


def _write(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()
