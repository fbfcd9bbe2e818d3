"""Messages in both dialects, wherever packets are cut; what cannot be read is named."""

from __future__ import annotations

import json
import random

import pytest

from janshi.tenhou.lobby import TYPES, counts_of, game_type, run_lengths
from janshi.tenhou.protocol import (
    LONGEST,
    Message,
    ProtocolError,
    XmlStream,
    message,
    parse_json,
    parse_xml,
    write_json,
    write_xml,
)

PLAYED = [
    message("HELO", name="NoName", tid="f0", sx="M"),
    message("T45", t=32),
    Message("U"),
    message("f63"),
    message("N", who=0, m=30752),
    message("REACH", who=0, ten="340,0,350,350", step=2),
    message("AGARI", ba="0,1", hai="3,5", sc="250,0", owari="1,-2.0"),
    message("CHAT", text="%2Flobby%201234"),
]


@pytest.mark.parametrize("sent", PLAYED, ids=lambda sent: sent.tag)
def test_a_message_comes_back_from_both_dialects(sent: Message) -> None:
    assert parse_xml(write_xml(sent)) == [sent]
    for from_client in (True, False):
        assert parse_json(write_json(sent, from_client=from_client)) == [sent]


def test_numbers_of_a_client_are_numbers_in_json_and_texts_of_a_server() -> None:
    assert json.loads(write_json(message("D", p=115), from_client=True)) == {"tag": "D", "p": 115}
    assert json.loads(write_json(message("T45", t=32), from_client=False)) == {"tag": "T45", "t": "32"}
    assert write_json(Message("Z"), from_client=True) == "<Z/>"


def test_packets_are_cut_and_joined_anywhere() -> None:
    data = b"".join(write_xml(sent).encode() + b"\0" for sent in PLAYED)
    chooser = random.Random(1)
    for _ in range(50):
        stream, texts, at = XmlStream(), [], 0
        while at < len(data):
            size = chooser.randrange(1, 60)
            texts += stream.feed(data[at : at + size])
            at += size
        assert [parse_xml(text)[0] for text in texts] == PLAYED


def test_several_messages_may_stand_in_one_packet_without_nul() -> None:
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
def test_xml_that_is_none_is_named(text: str) -> None:
    with pytest.raises(ProtocolError, match=r"message|attributes"):
        parse_xml(text)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"t":1}', '{"tag":3}', '{"tag":"D","p":[1]}', '{"tag":"D","p":true}',
             '{"tag":"D","p":null}', "[" * 9000, '{"tag":"D","p":' + "9" * 5000 + "}"]
)  # fmt: skip
def test_json_that_is_no_message_is_named(text: str) -> None:
    with pytest.raises(ProtocolError):
        parse_json(text)


def test_a_message_that_never_ends_is_refused_before_it_fills_the_memory() -> None:
    stream = XmlStream()
    for _ in range(LONGEST // 1000):
        assert stream.feed(b"x" * 1000) == []
    with pytest.raises(ProtocolError, match="bytes"):
        stream.feed(b"x" * 1000)


@pytest.mark.parametrize("sent", [message("T136"), message("T999")])
def test_an_id_that_no_tile_has_is_named(sent: Message) -> None:
    with pytest.raises(ProtocolError, match="ids run from 0 to 135"):
        _ = sent.tile


def test_the_lobbys_counts_come_back() -> None:
    counts = [random.Random(2).choice((0, 0, 1, 60, 3000)) for _ in TYPES]
    assert counts_of(run_lengths(counts)) == counts


def test_a_lobbys_counts_are_read_as_the_site_wrote_them() -> None:
    assert counts_of("BLh1BJX1VN1Ez1")[:2] == [1 * 52 * 52 + 11 * 52 + 33, 1 * 52 * 52 + 9 * 52 + 23]


def test_every_type_makes_rules_or_is_refused_by_name() -> None:
    for flags in filter(None, TYPES):
        if flags & 0x0F00:
            with pytest.raises(ProtocolError, match="parlour"):
                game_type(f"0,{flags}")
        else:
            kind = game_type(f"0,{flags}")
            assert kind.rules.players == kind.players == (3 if flags & 16 else 4)


@pytest.mark.parametrize("text", ["", "0", "a,9", "0,5", "0,9,r,r", "99999,9", "0,-1", "0,2113"])
def test_a_queue_that_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        game_type(text)
