"""Invalid messages to server and client: reported and tolerated."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from janshi.agents import RandomAgent
from janshi.cli.failing import fail, say
from janshi.riichi.game import RIICHI
from janshi.table import DecisionBatch
from janshi.tenhou.client import ClientOptions, Played, TenhouClient
from janshi.tenhou.lobby import game_type
from janshi.tenhou.player import TenhouPlayer
from janshi.tenhou.protocol import LONGEST, Element, ProtocolError, parse_json, parse_xml, write_xml
from janshi.tenhou.running import RunningTable
from janshi.tenhou.server import ServerSettings, TenhouServer
from tests.claims import cases_of
from tests.tenhou.games import PATIENT

HELO = '<HELO name="rude" tid="f0" sx="M"/>\0'
PLAY = HELO + '<JOIN t="0,16"/>\0<GOK/>\0<NEXTREADY/>\0'

#: Messages of a client, a line each, after a login or in a game, and the server's reports.
TO_SERVER = {
    **{kind: said for kind, *said in cases_of("messages", "invalid messages of a client of Tenhou")[1]},
    "many attributes": ("<HELO " + " ".join(f'a{n}="1"' for n in range(99)) + "/>\n", "attributes"),
    "long name": (f'<HELO name="{"x" * 99}"/>\n', "needs a name"),
    "huge": ("<HELO " + "x" * (2 * LONGEST), "bytes"),
}


async def named(server: TenhouServer, reason: str) -> bool:
    for _ in range(2000):
        if any(reason in fault for fault in server.faults):
            return True
        await asyncio.sleep(0.005)
    return False


async def is_alive(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b'<HELO name="polite" tid="f0" sx="M"/>\0<ECHO/>\0')
    text = b""
    while b"ECHO" not in text:
        text += await reader.read(1000)
    writer.close()
    return b"HELO" in text


def test_the_server_reports_and_survives_invalid_messages() -> None:
    async def play() -> None:
        async with TenhouServer(ServerSettings(agents=[First], seed=1, times=PATIENT)) as server:
            port = await server.listen()
            for kind, (lines, reason) in TO_SERVER.items():
                server.faults.clear()
                text = lines.format(HELO=HELO, PLAY=PLAY).replace("\n", "\0")
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                if text.startswith(PLAY):
                    writer.write(PLAY.encode())
                    seen = b""
                    while b"<T" not in seen.replace(b"<TAI", b"") and b't="' not in seen:
                        seen += await reader.read(4096)
                    text = text.removeprefix(PLAY)
                writer.write(text.encode())
                assert await named(server, reason), (kind, server.faults)
                writer.close()
                assert await is_alive(port), kind

    asyncio.run(play())


class First(RandomAgent):
    """Discards drawn tiles and calls nothing."""

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        return np.array([RIICHI.passive(legal) for legal in batch.legal], np.int16)


def test_a_seat_moves_to_another_connection_only_by_its_token() -> None:
    async def play() -> None:
        async with TenhouServer(ServerSettings(agents=[First], seed=1, times=PATIENT)) as server:
            port = await server.listen()
            first, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(PLAY.encode())
            begun = await first.readuntil(b"<INIT")
            token = begun.partition(b'gpid="')[2].partition(b'"')[0].decode()
            other, others_writer = await asyncio.open_connection("127.0.0.1", port)
            others_writer.write(b'<HELO name="rude" tid="f0" sx="M"/>\0')
            assert b"<GO" not in await other.read()
            writer.write(b"<ECHO/>\0")
            await first.readuntil(b"<ECHO")
            back, backs_writer = await asyncio.open_connection("127.0.0.1", port)
            backs_writer.write(f'<HELO name="rude" gpid="{token}"/>\0'.encode())
            await back.readuntil(b"<SAIKAI")
            assert b"<ECHO" not in await first.read()
            assert await named(server, "is already playing")

    asyncio.run(play())


def test_a_client_that_sends_only_invalid_messages_is_disconnected() -> None:
    async def play() -> None:
        async with TenhouServer(ServerSettings()) as server:
            port = await server.listen()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"rubbish\0" * 1000)
            assert await reader.read() == b""
            writer.close()
            assert await is_alive(port)

    asyncio.run(play())


def test_invalid_websocket_frames_are_reported() -> None:
    async def play() -> None:
        import websockets

        async with TenhouServer(ServerSettings()) as server:
            port = await server.listen_web()
            async with websockets.connect(f"ws://127.0.0.1:{port}") as socket:
                for frame in ("{", "[1]", '{"tag":1}', b"\xff\xfe", '{"tag":"D","p":{}}'):
                    await socket.send(frame)
                await socket.send('{"tag":"HELO","name":"polite","sx":"M"}')
                assert '"tag":"HELO"' in str(await socket.recv())
            assert sum(server.faults.values()) == 5

    asyncio.run(play())


START = (
    '<GO type="1" lobby="0"/><UN n0="a" n1="b" n2="c" n3="d" dan="0,0,0,0" rate="0" sx="M,M,M,M"/><TAIKYOKU oya="0"/>'
    '<INIT seed="0,0,0,1,5,69" ten="250,250,250,250" oya="0" hai="10,134,7,31,9,45,112,50,125,20,41,81,76"/>'
)


@pytest.mark.parametrize(*cases_of("messages", "invalid messages of a server of Tenhou"))
def test_the_client_reports_invalid_messages_and_plays_the_next_hand(kind: str, text: str) -> None:
    complaints: list[str] = []
    player = TenhouPlayer(RandomAgent(), complain=complaints.append)
    for sent in [*parse_xml(START), *parse_xml(text)]:
        player.hear(sent)
        player.answer()
    assert len(complaints) >= 1
    # After any contradiction it does not block the table …
    for sent in parse_xml('<T100/><G0 t="4"/>'):
        player.hear(sent)
        assert player.answer()
    # … and follows the next deal.
    before = len(complaints)
    for sent in [*parse_xml(START), *parse_xml("<T100/>")]:
        player.hear(sent)
    assert player.table.asked
    assert player.answer()[0].tag == "D"
    assert len(complaints) == before


def test_invalid_messages_of_a_server_end_no_client() -> None:
    rubbish: Sequence[bytes] = (b"hello\0", b"<\0", b"\0\0\0", b"<T999/>\0", b"<ERROR", b'x="1"/>\0', b"\xff\xfe\0")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\0")
        for data in rubbish:
            writer.write(data)
        writer.write(b'<HELO uname="%61" auth="0"/>\0' + START.encode() + b"\0<T100/>\0")
        answers = b""
        while b"<D p=" not in answers:
            answers += await reader.read(1000)
        end = '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,250,0" owari="250,-5.0,250,0.0,250,0.0,250,5.0"/>\0'
        writer.write(end.encode())
        await writer.drain()

    async def play() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        client = TenhouClient(RandomAgent(), ClientOptions(f"tcp://127.0.0.1:{port}"))
        (played,) = await client.play()
        assert played.scores == (25_000,) * 4
        assert client.faults >= 3
        server.close()

    asyncio.run(play())


#: Values that are not what any attribute should contain.
JUNK = ("", "x", "-1", "999999999", "9" * 10, "1.5", "inf", "nan", "0x1", ",", "1,,2", "\u0661", "9" * 400, "\x1b[2J")
#: A hand as a client sees it.
COURSE = START + (
    '<T100 t="0"/><D100/><U/><E24 t="1"/><N who="0" m="9225"/><D7/><REACH who="1" step="1"/><REACH who="1" step="2"/>'
    '<DORA hai="3"/><FURITEN show="1"/><BYE who="2"/>'
    '<REINIT seed="0,0,0,1,5,69" ten="250,250,250,250" oya="0" hai="1,2" m0="9225" kawa0="4,5"/>'
    '<AGARI ba="0,0" hai="1,2" ten="30,1000,0" yaku="1,1" who="1" fromWho="2" sc="250,0,250,0,250,0,250,0"/>'
)


def test_no_value_of_a_servers_message_ends_a_player() -> None:
    course = parse_xml(COURSE)
    for at, sent in enumerate(course):
        for name in sent.values:
            parts = sent.values[name].split(",")
            for place, junk in product(range(len(parts)), JUNK):
                damaged = ",".join((*parts[:place], junk, *parts[place + 1 :]))
                player = TenhouPlayer(RandomAgent(), complain=lambda line: None)
                for each in (*course[:at], Element(sent.tag, {**sent.values, name: damaged}), *course[at + 1 :]):
                    player.hear(each)
                    player.answer()


async def client_of(*said: str) -> tuple[TenhouClient, list[str], list[Played]]:
    """Let a client play one game with a server that sends these messages; return what it says and its results."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\0")
        writer.write("".join(text + "\0" for text in said).encode())
        await writer.drain()

    lines: list[str] = []
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    client = TenhouClient(RandomAgent(), ClientOptions(address, attempts=0), lines.append)
    try:
        return client, lines, await client.play()
    finally:
        server.close()


@pytest.mark.parametrize("owari", ["inf", "nan,1", "250,x", "1e9,0", "9" * 40, ""])
def test_a_result_that_is_no_result_is_reported(owari: str) -> None:
    _, lines, (played,) = asyncio.run(client_of(START, f'<RYUUKYOKU owari="{owari}"/>'))
    assert (played.scores, played.results) == ((), ())
    assert "which is no result" in lines[-1]


def test_the_record_of_a_game_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("janshi.tenhou.client._LONGEST_RECORD", 2000)
    end = '<RYUUKYOKU owari="250,0.0,250,0.0,250,0.0,250,0.0"/>'
    client, lines, _ = asyncio.run(client_of(START, *['<UN n0="a"/>'] * 1000, end))
    assert sum(len(write_xml(sent)) for sent in client._game) <= 2000
    assert lines == ["the game is too long: the rest of its record is not kept"]


def test_invalid_messages_without_end_end_the_connection() -> None:
    with pytest.raises(ConnectionError, match="1,000 invalid messages"):
        asyncio.run(client_of(*["rubbish"] * 2000))


def test_errors_of_a_server_do_not_control_the_terminal() -> None:
    with pytest.raises(ConnectionError, match="the server refuses: error \ufffd\\[2J"):
        asyncio.run(client_of('<ERR code="\x1b[2J"/>'))
    _, lines, _ = asyncio.run(client_of(START, '<T100 a="\x1b[2J"/\x1b>', '<RYUUKYOKU owari="250,0.0"/>'))
    assert lines
    assert all(line.isprintable() for line in lines)


def test_the_name_of_a_record_says_nothing_of_the_wall() -> None:
    tables = [RunningTable(game_type("0,9"), seed=0x1234_5678, times=PATIENT, thinking=None) for _ in range(2)]
    assert "12345678" not in tables[0].log
    assert tables[0].log != tables[1].log


def test_pages_of_other_sites_cannot_play() -> None:
    async def play() -> None:
        async with TenhouServer(ServerSettings()) as server:
            address = f"ws://127.0.0.1:{await server.listen_web()}"
            for origin in ("https://example.org", "http://localhost.example.org", "null"):
                with pytest.raises(InvalidStatus, match="403"):
                    await connect(address, additional_headers={"Origin": origin})
            for headers in ({}, {"Origin": "http://127.0.0.1:8000"}):
                async with connect(address, additional_headers=headers) as socket:
                    await socket.send('{"tag":"HELO","name":"polite","sx":"M"}')
                    assert '"tag":"HELO"' in str(await socket.recv())

    asyncio.run(play())


@pytest.mark.parametrize("text", ['<PROF add="1"/>', '<REACH who="1" step="2"/>', '<FURITEN show="1"/>'])
def test_the_events_of_a_hand_have_an_end(text: str) -> None:
    player = TenhouPlayer(RandomAgent(), complain=lambda line: None)
    for sent in [*parse_xml(START), *parse_xml(text) * 3000]:
        player.hear(sent)
    assert len(player.table._events) <= 1000


def test_a_tag_in_json_is_a_word() -> None:
    with pytest.raises(ProtocolError, match="without a tag"):
        parse_json('{"tag":"\\u001b[2J"}')


def test_a_strangers_text_in_a_commands_message_does_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("tenhou", "<UN> \x1b[2J\x07")
    with pytest.raises(SystemExit):
        fail("tenhou", "the server refuses: error \x1b]0;title\x07")
    shown = capsys.readouterr().err
    assert shown.count("janshi tenhou: ") == 2
    assert all(letter.isprintable() for line in shown.splitlines() for letter in line)
