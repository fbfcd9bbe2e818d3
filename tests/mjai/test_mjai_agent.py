"""External bots at our tables: play, and counted faults without side effects."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from janshi.agents import AgentError, agent
from janshi.agents.protocol import Faults
from janshi.arena import Match, as_json, play_match
from janshi.cli import app
from janshi.mjai.agent import Limits, MjaiAgent
from janshi.mjai.bot import MjaiPlayer, play_at
from janshi.mjai.events import MjaiError
from janshi.riichi.records import RiichiGame
from janshi.riichi.rules import preset
from janshi.table import Table
from tests.cases import mostly_long
from tests.claims import cases_of
from tests.mjai.conftest import command
from tests.processes import gone

SANMA = "tenhou-sanma-hand"
JANSHI = shlex.join([sys.executable, "-c", "from janshi.cli import main; main()", "mjai", "--agent"])
#: Limits that suffice for a correct bot on a busy machine.
PATIENT = Limits(start=60, answer=60)


def match_with(bot: MjaiAgent, rules: str = SANMA, walls: int = 2, seed: int = 4, **more: Any) -> Match:
    others = [agent("random")] * (preset(rules).players - 1)
    return play_match([bot, *others], preset(rules), walls, seed, **more)


def only_fault(match: Match) -> Faults:
    (faults,) = match.faults.values()
    return faults


def children() -> set[int]:
    """Return the child processes, including zombies."""
    file = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return {int(pid) for pid in file.read_text().split()} if file.exists() else set()


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Check that no test leaves a process behind."""
    before = children()
    yield
    assert children() <= before


# ---------------------------------------------------------------------------------------------------------
# Correct bots


def foreign(name: str) -> str:
    if name.endswith(".mjs") and shutil.which("node") is None:
        pytest.skip("no node")
    return command(name)


@pytest.mark.parametrize(
    ("bot", "rules", "walls"),
    mostly_long(
        [
            *(("simple.py", "tenhou-sanma-east", 2), ("simple.mjs", "tenhou-east", 1)),
            *((bot, *game) for bot in ("simple.py", "simple.mjs") for game in (("tenhou-sanma", 34), ("tenhou", 25))),
        ],
        lambda bot, rules, walls: walls < 3,
    ),
)
def test_an_external_bot_plays_without_a_fault(bot: str, rules: str, walls: int) -> None:
    with MjaiAgent(f"mjai:{foreign(bot)}", PATIENT) as player:
        match = match_with(player, rules, walls)
    faults = only_fault(match)
    assert (faults.counts, faults.defaults, match.walls) == ({}, 0, walls)
    assert faults.decisions > 50 * walls


def test_the_same_seed_plays_the_same_games_on_any_number_of_tables() -> None:
    with MjaiAgent(f"mjai:{command('simple.py')}", PATIENT) as player:
        first = as_json(match_with(player, walls=4))
    with MjaiAgent(f"mjai:{command('simple.py')}", Limits(60, 60, tables=7)) as player:
        assert as_json(match_with(player, walls=4)) | {"faults": None} == first | {"faults": None}


def test_events_may_be_sent_one_by_one() -> None:
    results = []
    for prefix in ("mjai:", "mjai-lines:"):
        with MjaiAgent(prefix + command("simple.py"), PATIENT) as player:
            match = match_with(player, walls=3)
            results.append((match.hands.change.tolist(), only_fault(match).counts))
    assert results[0] == results[1]
    assert results[0][1] == {}


#: Bots that read one form alone, and discard what they draw.
_READS = {
    "lists": "for event in json.loads(line): event['type']",
    "lines": "event = json.loads(line); event['type']",
}
_DISCARDS = """
import json, sys
for line in sys.stdin:
    {reads}
    answer = {{"type": "none"}}
    if event["type"] == "tsumo" and event["pai"] != "?":
        answer = {{"type": "dahai", "actor": event["actor"], "pai": event["pai"], "tsumogiri": True}}
    if "possible_actions" in event or {every}:
        print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize("reads", _READS)
@pytest.mark.parametrize("prefix", ["mjai:", "mjai-lines:"])
@pytest.mark.parametrize("every", [True, False])
def test_a_bot_gets_the_form_that_it_reads(reads: str, prefix: str, every: bool) -> None:
    script = _DISCARDS.format(reads=_READS[reads], every=every)
    with MjaiAgent(prefix + shlex.join([sys.executable, "-c", script]), Limits(60, 3)) as player:
        match = match_with(player, walls=1)
    assert (only_fault(match).counts, only_fault(match).defaults, only_fault(match).unasked) == ({}, 0, 0)
    assert only_fault(match).decisions > 10


def test_a_bot_that_reads_neither_form_is_refused_with_both_reasons() -> None:
    script = "import json, sys\nfor line in sys.stdin: json.loads(line)['no such field']"
    bot = MjaiAgent(f"it=mjai:{shlex.join([sys.executable, '-c', script])}")
    with bot, pytest.raises(AgentError) as error:
        match_with(bot)
    assert str(error.value) == (
        "it does not start: TypeError: list indices must be integers or slices, not str "
        "(with a list of events a line); KeyError: 'no such field' (with one event a line)"
    )


def test_a_bot_may_be_started_for_its_seat(tmp_path: Path) -> None:
    seen = tmp_path / "seats"
    script = (
        "import json, sys\n"
        f"open({str(seen)!r}, 'a').write(sys.argv[1])\n"
        "for line in sys.stdin:\n"
        "    events = json.loads(line)\n"
        "    assert events[0].get('id', int(sys.argv[1])) == int(sys.argv[1])\n"
        "    last, answer = events[-1], {'type': 'none'}\n"
        "    if last['type'] == 'tsumo' and last['pai'] != '?':\n"
        "        answer = {'type': 'dahai', 'pai': last['pai'], 'tsumogiri': True}\n"
        "    print(json.dumps(answer), flush=True)\n"
    )
    words = shlex.join([sys.executable, "-c", script, "{seat}"])
    with MjaiAgent(f"mjai:{words}", PATIENT) as player:
        match = match_with(player, walls=2)
    assert set(seen.read_text()) == {"0", "1", "2"}
    assert only_fault(match).counts == {}


def test_a_bot_cannot_be_asked_without_its_table() -> None:
    decision = Table("tenhou-sanma-hand").decision()
    with MjaiAgent(f"mjai:{command('simple.py')}") as player, pytest.raises(AgentError, match="has had no start_game"):
        player.act(decision)


# ---------------------------------------------------------------------------------------------------------
# Our players as bots at our tables: the same games as without mjai


def same_games(name: str, rules: str, walls: int, bot: MjaiAgent) -> None:
    plain: list[RiichiGame] = []
    through: list[RiichiGame] = []
    player = agent(name)
    others = [player] * (preset(rules).players - 1)
    play_match([player, *others], preset(rules), walls, seed=8, on_game=plain.append)
    match = play_match([bot, *others], preset(rules), walls, seed=8, on_game=through.append)
    assert only_fault(match).counts == {}
    assert only_fault(match).decisions > 10
    assert {game.source: game.hands for game in through} == {game.source: game.hands for game in plain}


@pytest.mark.parametrize(
    ("name", "prefix", "rules", "walls", "tables"),
    mostly_long(
        [
            ("efficient", "mjai:", "tenhou-hand", 2, 1),
            ("efficient", "mjai-lines:", "tenhou-sanma-east", 1, 1),
            ("sl", "mjai:", SANMA, 3, 1),
            ("sl", "mjai:", "tenhou-sanma", 10, 2),
            ("efficient", "mjai:", "tenhou", 10, 2),
        ],
        lambda name, prefix, rules, walls, tables: tables == 1,
    ),
)
def test_ours_by_mjai_plays_the_same_games(name: str, prefix: str, rules: str, walls: int, tables: int) -> None:
    if name == "sl":
        pytest.importorskip("onnxruntime")
    with MjaiAgent(f"{prefix}{JANSHI} {name}", Limits(60, 60, tables=tables)) as bot:
        same_games(name, rules, walls, bot)


# ---------------------------------------------------------------------------------------------------------
# Faulty bots

#: Expected faults of each bot, and whether it is disqualified (with a low limit of faults).
WRONG = {
    "does-not-read": ({"silent": 4}, True),
    "hangs": ({"silent": 4}, True),
    "dies": ({"died": 4}, True),
    "lies": ({"illegal": 4}, True),
    "lies-about-tiles": ({"illegal": 4}, True),
    "writes-garbage": ({"garbage": 4}, True),
    "writes-bytes": ({"garbage": 4}, True),
    "one-endless-line": ({"flood": 4}, True),
    # A line of its flood within the time limit counts as an invalid answer.
    "endless-lines": ({"flood": 4, "illegal": 4}, True),
    "blank-lines": ({"flood": 4}, True),
    "endless-complaints": ({"silent": 4}, True),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_faulty_bot_does_not_affect_the_match(how: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    counts, given_up = WRONG[how]
    # Short only if the bot reaches a limit: correct bots must not reach it on a busy machine.
    limits = Limits(60.0, 0.5 if "silent" in counts or "illegal" in counts else 20.0, faults=3)
    with MjaiAgent(f"mjai:{command('bad.py', how, pids)}", limits) as bot:
        match = match_with(bot, walls=3)
    faults = only_fault(match)
    assert set(faults.counts) <= set(counts)
    assert faults.counts[next(iter(counts))] >= 1
    assert sum(faults.counts.values()) == next(iter(counts.values()))
    assert faults.replaced is given_up
    assert faults.defaults > 10
    assert faults.examples
    assert {example.kind for example in faults.examples} == set(faults.counts)
    assert match.walls == 3
    assert len(match.hands.wall) == 9
    assert match.hands.change.sum() % 1000 == 0
    assert all(gone(int(pid)) for pid in pids.read_text().split())


@pytest.mark.parametrize(*cases_of("messages", "a bot that never starts ends the match"))
def test_a_bot_that_never_starts_ends_the_match(how: str, says: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    limits = Limits(start=2.0 if how == "never-starts" else 60.0)
    with MjaiAgent(f"it=mjai:{command('bad.py', how, pids)}", limits) as bot, pytest.raises(AgentError) as error:
        match_with(bot, walls=3)
    assert str(error.value) == f"it does not start: {says}"
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_the_command_says_why_a_bot_does_not_start(tmp_path: Path) -> None:
    name = f"mine=mjai:{command('bad.py', 'dies-at-start')}"
    for arguments in (["arena", name, "random", "random", "--hands", "2"], ["compare", name, "random", "--walls", "2"]):
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr == f"janshi {arguments[0]}: mine does not start: no model file\n"
    (tmp_path / "bot").write_text("no program")
    (tmp_path / "bot").chmod(0o755)
    result = CliRunner().invoke(app, ["arena", f"mjai:{tmp_path / 'bot'}", "random", "random", "--hands", "2"])
    assert (result.exit_code, "cannot be started: Exec format error" in result.stderr) == (2, True)


def test_faults_are_shown_one_line_each_under_the_bots_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    name = f"mine=mjai:{command('bad.py', 'writes-garbage')}"
    result = CliRunner().invoke(app, ["arena", name, "random", "random", "--hands", "1", "--fault-limit", "2"])
    assert result.exit_code == 1
    assert "the result is void: mine was given up after 3 garbage" in result.stderr
    lines = result.stdout.splitlines()
    (first,) = (number for number, line in enumerate(lines) if line.startswith("mine: garbage: "))
    assert lines[first + 1].startswith("  tenhou-sanma-hand-0-0-0, hand E1-0, turn 1, seat 0")
    assert lines[first + 2].startswith('  event: {"type":"tsumo","actor":0,')
    assert lines[first + 3].startswith("  answer: ")
    assert "bad.py" not in result.stdout


def test_the_log_of_a_bot_contains_what_passed(tmp_path: Path) -> None:
    name = f"mine=mjai:{command('bad.py', 'dies')}"
    arguments = ["arena", name, "random", "random", "--hands", "1", "--bot-log", str(tmp_path / "logs")]
    CliRunner().invoke(app, arguments)
    files = sorted((tmp_path / "logs").iterdir())
    assert [file.name for file in files] == [f"tenhou-sanma-hand-0-0-{seat}-seat{seat}.txt" for seat in range(3)]
    rows = [row[10:] for row in files[0].read_text().splitlines()]
    assert rows[0].startswith('> 1 [{"type":"start_game"')
    assert '< {"type":"none"}' in rows
    assert "! out of memory" in rows
    assert "# died: out of memory" in rows
    assert rows[-1].startswith("# decided for it: ")
    before = files[0].read_text()
    CliRunner().invoke(app, arguments)
    assert files[0].read_text() == before
    assert (tmp_path / "logs" / "tenhou-sanma-hand-0-0-0-seat0-2.txt").exists()


def test_a_folder_for_logs_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    arguments = ["arena", f"mjai:{command('simple.py')}", "random", "random", "--hands", "1"]
    result = CliRunner().invoke(app, [*arguments, "--bot-log", str(tmp_path / "logs")])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert str(tmp_path / "logs") in result.stderr


def test_a_bot_never_learns_the_name_of_its_game(tmp_path: Path) -> None:
    """The name holds seed and wall, from which all tiles could be computed."""
    with MjaiAgent(f"mjai:{command('simple.py')}") as bot:
        bot.log = tmp_path
        match_with(bot, walls=1, seed=987_654)
    sent = [row for file in tmp_path.iterdir() for row in file.read_text().splitlines() if row[10:].startswith(">")]
    assert sent
    assert not any("987654" in row for row in sent)


def test_an_example_of_a_fault_tells_where_it_was(tmp_path: Path) -> None:
    with MjaiAgent(f"mjai:{command('bad.py', 'dies')}") as bot:
        (example,) = only_fault(match_with(bot, walls=1)).examples
    assert (example.kind, example.game, example.hand, example.seat) == ("died", "tenhou-sanma-hand-4-0-0", "E1-0", 0)
    assert example.turn > 0
    assert json.loads(example.event)["possible_actions"] is not None
    assert example.answer.startswith('{"type"')
    assert example.stderr == "out of memory"


def test_a_bot_that_no_longer_starts_is_disqualified(tmp_path: Path) -> None:
    with MjaiAgent(f"mjai:{command('bad.py', 'starts-once', tmp_path / 'pids')}", Limits(faults=20)) as bot:
        match = match_with(bot, walls=2)
    faults = only_fault(match)
    assert faults.counts["start"] == 2
    assert faults.replaced


def test_all_tables_of_a_bot_go_on_after_its_last_permitted_fault() -> None:
    with MjaiAgent(f"mjai:{command('bad.py', 'lies')}", Limits(answer=20, faults=0, tables=6)) as bot:
        begun = time.monotonic()
        match = match_with(bot, walls=2)
    assert only_fault(match).replaced
    assert match.walls == 2
    assert time.monotonic() - begun < 20


def test_the_others_games_do_not_depend_on_a_bots_fault() -> None:
    """After a disqualification drawn tiles are discarded, so that the games do not depend on the fault."""
    changes = []
    for how in ("lies", "writes-garbage"):
        with MjaiAgent(f"mjai:{command('bad.py', how)}", Limits(faults=0)) as bot:
            changes.append(match_with(bot, walls=2).hands.change.tolist())
    assert changes[0] == changes[1]


def test_a_late_answer_is_not_taken_for_the_next_one() -> None:
    with MjaiAgent(f"mjai:{command('bad.py', 'slow-once')}", Limits(answer=0.6)) as bot:
        match = match_with(bot, walls=1)
    faults = only_fault(match)
    assert 1 <= faults.counts.pop("silent") <= 3
    assert faults.counts == {}
    assert not faults.replaced


@pytest.mark.parametrize("how", ["says-too-much", "silent-at-the-end", "ends-after-a-game", "behaves"])
def test_tolerated_behaviour_of_bots(how: str) -> None:
    with MjaiAgent(f"mjai:{command('bad.py', how)}", Limits(answer=10)) as bot:
        match = match_with(bot, walls=2)
    assert (only_fault(match).counts, only_fault(match).defaults) == ({}, 0)


def test_child_processes_of_a_bot_end_with_it(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with MjaiAgent(f"mjai:{command('bad.py', 'has-children', pids)}", Limits(answer=10)) as bot:
        match_with(bot, walls=1)
        assert not any(gone(int(pid), 0.01) for pid in pids.read_text().split())
    assert len(pids.read_text().split()) == 2
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_a_bot_can_play_again_after_an_aborted_match() -> None:
    def stop(_: int) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt

    left = 30
    with MjaiAgent(f"mjai:{command('simple.py')}", PATIENT) as bot:
        broken = match_with(bot, walls=3, progress=stop)
        assert broken.interrupted
        assert broken.walls < 3
        assert len(broken.hands.wall) == 3 * broken.walls
        assert only_fault(match_with(bot)).counts == {}


@pytest.mark.parametrize(*cases_of("messages", "invalid names of bots"))
def test_invalid_names_of_bots_are_refused(name: str, says: str) -> None:
    with pytest.raises(AgentError, match=says):
        agent(name)


# ---------------------------------------------------------------------------------------------------------
# TCP


def joined(bot: MjaiAgent, name: str) -> threading.Thread:
    """Let a player join from a thread until the server closes."""
    thread = threading.Thread(target=play_at, args=(MjaiPlayer(agent(name)), f"127.0.0.1:{bot.port}", "ours"))
    thread.start()
    return thread


def test_a_bot_may_join_by_tcp() -> None:
    bot = MjaiAgent("mjai+tcp:127.0.0.1:0", PATIENT)
    thread = joined(bot, "efficient")
    with bot:
        same_games("efficient", "tenhou-sanma-east", 1, bot)
    thread.join(10)
    assert not thread.is_alive()


def test_a_bot_may_reconnect_for_every_game() -> None:
    """Like clients of the first mjai server, which close the connection at the end of a game."""
    bot = MjaiAgent("mjai+tcp:127.0.0.1:0/here", PATIENT)
    games = 0

    def play() -> None:
        nonlocal games
        while games < 6:
            with socket.create_connection(("127.0.0.1", bot.port or 0)) as line, line.makefile("r") as lines:
                for text in lines:
                    event = json.loads(text)
                    if event["type"] == "end_game":
                        games += 1
                        break
                    answer: dict[str, Any] = {"type": "none"}
                    if event["type"] == "hello":
                        answer = {"type": "join", "name": "anew", "room": "here"}
                    elif event["type"] == "tsumo" and "possible_actions" in event:
                        answer = {"type": "dahai", "actor": event["actor"], "pai": event["pai"], "tsumogiri": True}
                    line.sendall(json.dumps(answer).encode() + b"\n")

    thread = threading.Thread(target=play)
    thread.start()
    with bot:
        match = match_with(bot, walls=2)
        thread.join(10)
    assert only_fault(match).counts == {}
    assert games == 6


def test_nobody_joins() -> None:
    bot = MjaiAgent("mjai+tcp:127.0.0.1:0", Limits(start=0.2))
    with bot, pytest.raises(AgentError, match=f"does not start: no bot has joined at port {bot.port}$"):
        match_with(bot, walls=1)


def test_invalid_handshakes_are_rejected() -> None:
    bot = MjaiAgent("mjai+tcp:127.0.0.1:0/here", Limits(start=5.0))
    answers = []

    def knock() -> None:
        for line in ("nonsense", '{"type":"join"}', '{"type":"join","name":"x","room":"there"}'):
            with socket.create_connection(("127.0.0.1", bot.port or 0)) as other, other.makefile("rw") as stream:
                stream.readline()
                stream.write(line + "\n")
                stream.flush()
                answers.append(json.loads(stream.readline()))
        play_at(MjaiPlayer(agent("efficient")), f"127.0.0.1:{bot.port}/here", "ours")

    thread = threading.Thread(target=knock)
    thread.start()
    with bot:
        match = match_with(bot, walls=1)
    thread.join(10)
    assert [answer["type"] for answer in answers] == ["error"] * 3
    assert "no such room" in answers[2]["message"]
    assert only_fault(match).counts == {}


def test_a_server_that_sends_a_line_without_end_is_left() -> None:
    received = 0

    def serve() -> None:
        nonlocal received
        connection, _ = listening.accept()
        with contextlib.suppress(OSError), connection:
            while received < 200 << 20:
                received += connection.send(b"x" * 65536)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(MjaiError, match="a line of more than 1,048,576 bytes"):
            play_at(MjaiPlayer(agent("efficient")), address, "ours")
        thread.join(10)
    assert received < 100 << 20


# ---------------------------------------------------------------------------------------------------------
# The command


def test_the_arena_reports_faults_of_bots() -> None:
    bots = [f"mjai:{command('simple.py')}", f"mjai:{command('bad.py', 'lies')}"]
    done = CliRunner().invoke(app, ["arena", *bots, "random", "--hands", "2", "--fault-limit", "2", "--json"])
    assert done.exit_code == 1, done.stderr
    assert "given up after 3 illegal" in json.loads(done.stdout)["void"][0]
    faults = json.loads(done.stdout)["faults"]
    assert [faults[name]["counts"] for name in bots] == [{}, {"illegal": 3}]
    assert [faults[name]["replaced"] for name in bots] == [False, True]
    shown = CliRunner().invoke(app, ["arena", *bots, "random", "--hands", "1"])
    assert "illegal" in shown.stdout
    assert "given up" in shown.stdout


@pytest.mark.parametrize(
    ("sent", "code"),
    mostly_long(
        [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], lambda sent, _: sent == signal.SIGTERM
    ),
)
def test_bots_end_with_the_arena(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot = f"mjai:{command('bad.py', 'has-children', pids)}"
    words = [sys.executable, "-m", "janshi", "arena", bot, "random", "random", "--games", "500"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 60
        while not (pids.exists() and pids.read_text().count("\n") == 2) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(sent)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code
    assert "Traceback" not in errors
    assert all(gone(int(pid)) for pid in pids.read_text().split())
