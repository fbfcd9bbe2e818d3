"""Whole games over loopback: both dialects, three and four players, bad connections, returns, records."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from janshi.agents import RandomAgent, agent
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.records import read_games
from janshi.riichi.records.model import EAST_SOUTH, RiichiGame
from janshi.riichi.records.replay import Replayer
from janshi.table import DecisionBatch
from janshi.tenhou.client import ClientOptions, TenhouClient
from janshi.tenhou.protocol import Element, ProtocolError, parse_xml
from janshi.tenhou.running import Times
from janshi.tenhou.server import ServerSettings, TenhouServer
from tests.tenhou.games import PATIENT, Result, play_games

KINDS = {"four": 1, "three": 17}


class Lowest:
    """Takes the first legal action, which depends only on its own tiles."""

    name = "lowest"
    players = frozenset({3, 4})

    def act(self, batch: DecisionBatch) -> np.ndarray:
        return batch.legal.argmax(axis=1).astype(np.int16)


def check(result: Result, players: int, games: int = 1) -> None:
    assert (result.games, len(result.played)) == (games, players)
    # The only message allowed in games over bad connections: that an end was missed.
    lost = "the interrupted game is over"
    assert result.faults == ({lost: result.unseen} if result.unseen else {})
    for game in (game for played in result.played for game in played if game.results):
        assert sum(game.scores) == (100_000 if players % 4 == 0 else 105_000)
        assert abs(sum(game.results)) < 0.05


@pytest.mark.parametrize(("players", "dialect"), [(4, "json"), (3, "xml")])
def test_clients_play_a_game_and_the_record_replays(players: int, dialect: str, tmp_path: Path) -> None:
    check(play_games(RandomAgent, 1 if players == 4 else 17, dialect, records=tmp_path), players)
    (game,) = read_games([tmp_path])
    assert isinstance(game, RiichiGame)
    assert sorted(game.names) == [f"ID{number:03d}" for number in range(players)]
    assert Replayer().replay(game).mismatches == []


def test_a_games_end_depends_neither_on_the_dialect_nor_on_broken_connections() -> None:
    calm = play_games(Lowest, KINDS["three"], "json")
    stormy = play_games(Lowest, KINDS["three"], "xml", breaks=2)
    check(stormy, 3)
    assert stormy.returns > 0
    assert stormy.places == calm.places


def test_a_client_plays_against_the_servers_agents_and_writes_log_and_view(tmp_path: Path) -> None:
    async def play() -> TenhouClient:
        settings = ServerSettings(agents=[RandomAgent], seed=3, times=PATIENT)
        async with TenhouServer(settings) as server:
            port = await server.listen()
            with (tmp_path / "log").open("w") as log:
                options = ClientOptions(f"tcp://127.0.0.1:{port}", join="0,16", log=log, records=tmp_path)
                client = TenhouClient(RandomAgent(), options)
                (played,) = await client.play()
        assert sum(played.scores) == 105_000
        return client

    client = asyncio.run(play())
    assert client.faults == 0
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines[0].startswith('Send: <HELO name="NoName"')
    assert any(line.startswith("Get: <AGARI") or line.startswith("Get: <RYUUKYOKU") for line in lines)
    (view,) = tmp_path.glob("*.mjlog")
    tags = [sent.tag for sent in parse_xml_file(view)]
    assert tags[0] == "GO"
    assert "INIT" in tags


def parse_xml_file(path: Path) -> list[object]:
    text = path.read_text().removeprefix('<mjloggm ver="2.3">').removesuffix("</mjloggm>")
    return [sent for tag in text.split("<")[1:] for sent in parse_xml("<" + tag)]


def test_a_silent_client_passes_and_discards_drawn_tiles() -> None:
    async def play() -> int:
        impatient = Times(think=0, bank=0, fast=0, fast_bank=0, ready=0, away=0)
        async with TenhouServer(ServerSettings(agents=[RandomAgent], seed=4, times=impatient)) as server:
            port = await server.listen()
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b'<HELO name="mute" tid="f0" sx="M"/>\0<JOIN t="0,16"/>\0')
            while not (server.tables and len(server.tables[0].host.hands) > 1):
                await asyncio.sleep(0.01)
            writer.close()
            return len(server.tables[0].host.hands)

    assert asyncio.run(play()) > 1


#: Messages that a deciding client cannot send.
NOT_NOW = Element("NEXTREADY")


def test_each_result_may_be_answered_also_when_the_next_hand_has_begun() -> None:
    async def play() -> None:
        async with TenhouServer(ServerSettings(seed=1, times=PATIENT)) as server:
            port = await server.listen()
            writers = []
            for number in range(3):
                _reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f'<HELO name="ID{number}" tid="f0" sx="M"/>\0<JOIN t="0,17"/>\0'.encode())
                writers.append(writer)
            while not (server.tables and all(player.results for player in server.tables[0].players)):
                await asyncio.sleep(0.005)
            (table,) = server.tables
            first, *others = table.players
            # Like after a hand with two winners: clients answer both messages.
            first.results = 2
            for player in (first, *others):
                assert table.receive(player, Element("NEXTREADY"))
            assert not table.receive(first, Element("NEXTREADY"))
            with pytest.raises(ProtocolError, match="NEXTREADY"):
                table.receive(next(player for player in table.players if player.seat in table.host.waits), NOT_NOW)
            for writer in writers:
                writer.close()

    asyncio.run(play())


def check_crowd(result: Result, players: int, games: int) -> None:
    check(result, players, games)
    assert result.returns > 0
    assert (result.lost, result.changed) == (0, 0)


def test_games_over_bad_connections_end_like_games_without() -> None:
    check_crowd(play_games(EfficientAgent, KINDS["three"], "xml", tables=2, breaks=2, seed=100), 6, 2)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(25))
@pytest.mark.parametrize("dialect", ["xml", "json"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_games_over_bad_connections_end_like_games_without(kind: str, dialect: str, batch: int) -> None:
    flags = KINDS[kind] + (EAST_SOUTH if batch % 5 == 4 else 0)
    seed = 100_000 * (1 + list(KINDS).index(kind)) + 50_000 * (dialect == "json") + 100 * batch
    result = play_games(EfficientAgent, flags, dialect, tables=5, games=4, breaks=8, seed=seed)
    check_crowd(result, 15 if kind == "three" else 20, 20)


@pytest.mark.long
@pytest.mark.parametrize("sequence", [False, True])
def test_the_player_of_a_paper_plays_the_same_games_as_without_a_server(tmp_path: Path, sequence: bool) -> None:
    pytest.importorskip("torch")
    from tests.papers.tiny import save_tiny_player

    save_tiny_player(tmp_path, "gao-sequence" if sequence else "gao")
    flags = KINDS["four"] + EAST_SOUTH
    check_crowd(play_games(lambda: agent(str(tmp_path)), flags, "json", games=3, breaks=4, seed=6), 4, 3)
