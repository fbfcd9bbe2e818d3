"""Messages in both dialects, with packets cut anywhere; errors for invalid ones."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from unittest.mock import Mock

import pytest

from janshi.tenhou.lines import LineClosedError, XmlLine
from janshi.tenhou.lobby import TYPES, game_type, run_lengths
from janshi.tenhou.protocol import (
    LONGEST,
    Element,
    ProtocolError,
    message,
    parse_json,
    parse_xml,
    write_json,
    write_xml,
)
from tests.claims import cases_of

PLAYED = [
    message("HELO", name="NoName", tid="f0", sx="M"),
    message("T45", t=32),
    Element("U"),
    message("f63"),
    message("N", who=0, m=30752),
    message("REACH", who=0, ten="340,0,350,350", step=2),
    message("AGARI", ba="0,1", hai="3,5", sc="250,0", owari="1,-2.0"),
    message("CHAT", text="%2Flobby%201234"),
]


@pytest.mark.parametrize("sent", PLAYED, ids=lambda sent: sent.tag)
def test_a_message_survives_both_dialects(sent: Element) -> None:
    assert parse_xml(write_xml(sent)) == [sent]
    for from_client in (True, False):
        assert parse_json(write_json(sent, from_client=from_client)) == [sent]


def test_numbers_of_a_client_are_numbers_in_json_and_texts_of_a_server() -> None:
    assert json.loads(write_json(message("D", p=115), from_client=True)) == {"tag": "D", "p": 115}
    assert json.loads(write_json(message("T45", t=32), from_client=False)) == {"tag": "T45", "t": "32"}
    assert write_json(Element("Z"), from_client=True) == "<Z/>"


def received(packets: Iterable[bytes]) -> list[Element | ProtocolError]:
    """Return the messages that a line receives from packets until the end of the connection."""

    async def read() -> list[Element | ProtocolError]:
        reader = asyncio.StreamReader(limit=LONGEST)
        line, messages = XmlLine(reader, Mock()), list[Element | ProtocolError]()
        for packet in packets:
            reader.feed_data(packet)
        reader.feed_eof()
        with suppress(LineClosedError):
            while True:
                messages += await line.receive()
        return messages

    return asyncio.run(read())


def test_packets_are_cut_and_joined_anywhere() -> None:
    data = b"".join(write_xml(sent).encode() + b"\0" for sent in PLAYED)
    chooser = random.Random(1)
    for _ in range(50):
        cuts = sorted(chooser.sample(range(len(data)), 9))
        assert received(data[a:b] for a, b in pairwise([0, *cuts, len(data)])) == PLAYED


def test_one_packet_may_contain_several_messages_without_nul() -> None:
    assert [sent.tag for sent in parse_xml('<D112/> <U/> <E118 t="1"/>\r\n')] == ["D112", "U", "E118"]


MALFORMED = {
    "no tag": "hello",
    "cut": '<D p="1',
    "no name": "<>",
    "bare value": "<D p=1/>",
    "brackets in a value": '<D p="<U/>"/>',
    "text between": '<U/> x <V/>',
    "long": "<D " + 'p="1" ' * LONGEST + "/>",
    "attributes": "<D " + " ".join(f'a{n}="1"' for n in range(99)) + "/>",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_invalid_xml_is_named(text: str) -> None:
    with pytest.raises(ProtocolError, match=r"message|attributes"):
        parse_xml(text)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"t":1}', '{"tag":3}', '{"tag":"D","p":[1]}', '{"tag":"D","p":true}',
             '{"tag":"D","p":null}', "[" * 9000, '{"tag":"D","p":' + "9" * 5000 + "}"]
)  # fmt: skip
def test_json_without_a_message_is_named(text: str) -> None:
    with pytest.raises(ProtocolError):
        parse_json(text)


def test_a_message_that_never_ends_is_refused_before_it_fills_the_memory() -> None:
    async def read() -> None:
        reader = asyncio.StreamReader(limit=LONGEST)
        reader.feed_data(b"x" * (LONGEST + 1000))
        with pytest.raises(LineClosedError, match="bytes"):
            await XmlLine(reader, Mock()).receive()

    asyncio.run(read())


@pytest.mark.parametrize("sent", [message("T136"), message("T999")])
def test_an_invalid_tile_id_is_named(sent: Element) -> None:
    with pytest.raises(ProtocolError, match="ids are 0 to 135"):
        _ = sent.tile


def test_a_lobbys_counts_have_the_sites_format() -> None:
    assert run_lengths([52**2 + 11 * 52 + 33, 52**2 + 9 * 52 + 23, 51, 51]) == "BLh1BJX1z2"


def test_every_type_has_rules_or_is_refused_by_name() -> None:
    for flags in filter(None, TYPES):
        if flags & 0x0F00:
            with pytest.raises(ProtocolError, match="parlour"):
                game_type(f"0,{flags}")
        else:
            kind = game_type(f"0,{flags}")
            assert kind.rules.players == kind.players == (3 if flags & 16 else 4)


@pytest.mark.parametrize(*cases_of("messages", "unknown queues"))
def test_an_unknown_queue_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        game_type(text)
