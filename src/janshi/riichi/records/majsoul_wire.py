"""The bytes of Mahjong Soul's protocol (protocol buffers), as far as records need them.

A message is read into a dictionary of the names that its JSON form has; fields that are not named here are passed over.
A record is a response of the site (three bytes and a ``Wrapper``), a ``ResGameRecord``, or ``GameDetailRecords`` alone,
with or without its wrapper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from janshi.records.formats import RecordError
from janshi.riichi.records.majsoul_rules import UNKNOWN_RULE

#: Fields of each message: number, name and kind. The kind: ``text``, ``bytes`` or the name of a message; ``int`` (also
#: for truths) where none is named; a star where there may be several.
_SCHEMA: Final = """
Wrapper: 1 name:text, 2 data:bytes
ResGameRecord: 3 head:RecordGame, 4 data:bytes, 5 data_url:text
GameDetailRecords: 1 records:bytes*, 2 version, 3 actions:GameAction*
GameAction: 1 passed, 2 type, 3 result:bytes
RecordGame: 1 uuid:text, 2 start_time, 3 end_time, 5 config:GameConfig, 11 accounts:AccountInfo*,
    12 result:GameEndResult
GameConfig: 1 category, 2 mode:GameMode, 3 meta:GameMetaData
GameMode: 1 mode, 6 detail_rule:GameDetailRule
GameMetaData: 1 room_id, 2 mode_id, 3 contest_uid
AccountInfo: 1 account_id, 2 seat, 3 nickname:text
GameEndResult: 1 players:PlayerResult*
PlayerResult: 1 seat, 2 total_point, 3 part_point_1
RecordNewRound: 1 chang, 2 ju, 3 ben, 4 dora:text, 5 scores:int*, 6 liqibang, 7 tiles0:text*, 8 tiles1:text*,
    9 tiles2:text*, 10 tiles3:text*, 14 paishan:text, 15 left_tile_count, 16 doras:text*, 18 muyu:bytes,
    21 field_spell, 23 yongchang:bytes
LiQiSuccess: 1 seat, 2 score, 3 liqibang, 4 failed
RecordDealTile: 1 seat, 2 tile:text, 3 left_tile_count, 5 liqi:LiQiSuccess, 6 doras:text*
RecordDiscardTile: 1 seat, 2 tile:text, 3 is_liqi, 5 moqie, 8 doras:text*, 9 is_wliqi
RecordChiPengGang: 1 seat, 2 type, 3 tiles:text*, 4 froms:int*, 5 liqi:LiQiSuccess
RecordAnGangAddGang: 1 seat, 2 type, 3 tiles:text, 6 doras:text*
RecordBaBei: 1 seat, 6 doras:text*, 8 moqie
RecordHule: 1 hules:HuleInfo*, 2 old_scores:int*, 3 delta_scores:int*, 5 scores:int*, 7 doras:text*, 9 baopai
HuleInfo: 1 hand:text*, 2 ming:text*, 3 hu_tile:text, 4 seat, 5 zimo, 6 qinjia, 7 liqi, 8 doras:text*,
    9 li_doras:text*, 10 yiman, 11 count, 12 fans:FanInfo*, 13 fu, 15 point_rong, 16 point_zimo_qin,
    17 point_zimo_xian, 21 baopai, 22 baopai_seats:int*
FanInfo: 1 name:text, 2 val, 3 id
RecordLiuJu: 1 type, 3 seat, 4 tiles:text*, 5 liqi:LiQiSuccess
RecordNoTile: 1 liujumanguan, 2 players:NoTilePlayerInfo*, 3 scores:NoTileScoreInfo*
NoTilePlayerInfo: 3 tingpai, 4 hand:text*
NoTileScoreInfo: 1 seat, 2 old_scores:int*, 3 delta_scores:int*
"""


def _fields_of(schema: str) -> Iterator[tuple[str, dict[int, tuple[str, str]]]]:
    """Yield the messages of a schema, each with the names and kinds of its fields by their numbers."""
    for message in re.split(r"\n(?=\S)", schema.strip()):
        kind, _, fields = message.partition(": ")
        found = re.findall(r"(\d+) (\w+)(?::(\S+?))?(?:,|$)", fields)
        yield kind, {int(number): (name, form or "int") for number, name, form in found}


#: Names and kinds of fields by message and number.
FIELDS: Final = dict(_fields_of(_SCHEMA))

#: `GameDetailRule`, from number 1 on …
_DETAILS: Final = (
    *("time_fixed", "time_add", "dora_count", "shiduan", "init_point", "fandian", "can_jifei", "tianbian_value"),
    *("liqibang_value", "changbang_value", "noting_fafu_1", "noting_fafu_2", "noting_fafu_3", "have_liujumanguan"),
    *("have_qieshangmanguan", "have_biao_dora", "have_gang_biao_dora", "ming_dora_immediately_open", "have_li_dora"),
    *("have_gang_li_dora", "have_sifenglianda", "have_sigangsanle", "have_sijializhi", "have_jiuzhongjiupai"),
    *("have_sanjiahele", "have_toutiao", "have_helelianzhuang", "have_helezhongju", "have_tingpailianzhuang"),
    *("have_tingpaizhongju", "have_yifa", "have_nanruxiru", "jingsuanyuandian", "shunweima_2", "shunweima_3"),
    *("shunweima_4", "bianjietishi", "ai_level", "have_zimosun", "disable_multi_yukaman", "fanfu", "guyi_mode"),
    *("dora3_mode", "begin_open_mode", "jiuchao_mode", "muyu_mode", "open_hand", "xuezhandaodi", "huansanzhang"),
    *("chuanma", "reveal_discard", "field_spell_mode", "zhanxing", "tianming_mode"),
)
#: … and from 60 on, without 61. Unknown fields of newer versions are kept by their numbers.
_MORE_DETAILS: Final = {
    60: "disable_leijiyiman",
    62: "disable_double_yakuman",
    63: "disable_composite_yakuman",
    64: "enable_shiti",
    65: "enable_nontsumo_liqi",
    66: "disable_double_wind_four_fu",
    67: "disable_angang_guoshi",
    68: "enable_renhe",
    69: "enable_baopai_extend_settings",
    70: "yongchang_mode",
    71: "hunzhiyiji_mode",
}
FIELDS["GameDetailRule"] = {
    number: (name, "int") for number, name in (*enumerate(_DETAILS, start=1), *_MORE_DETAILS.items())
}

#: The name that packed messages of a whole game have.
DETAIL_RECORDS: Final = ".lq.GameDetailRecords"
_RECORDS: Final = ".lq.Record"
#: First byte of a response of the site; two more are the number of the request.
_RESPONSE: Final = b"\x03"
#: Greatest depth of messages within messages: a wrapper, the response, a wrapper, the records.
_LAYERS: Final = 4


# ---------------------------------------------------------------------------------------------------------
# Reading


def is_wire(data: bytes) -> bool:
    r"""Return whether bytes are a record of the protocol; no text begins so.

    >>> is_wire(b'\n\x15.lq.GameDetailRecords\x12\x00'), is_wire(b'{"name": ".lq.RecordNewRound"}')
    (True, False)
    """
    head = data[:64].lstrip()
    return not head.startswith((b"{", b"[", b"<", b"\xef\xbb\xbf")) and b".lq." in data and _is_binary(data)


def _is_binary(data: bytes) -> bool:
    """Return whether bytes contain control characters, as lengths and field numbers are."""
    return any(byte < 32 and byte not in b"\t\n\r" for byte in data[:1000])


def parse_wire(data: bytes) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """Return the head of a record and its messages by name, from its bytes.

    Raises `RecordError` for other bytes.
    """
    if data[:1] == _RESPONSE and data[3:4] == b"\n":
        data = data[3:]
    head: dict[str, Any] = {}
    for _ in range(_LAYERS):
        outer = dict(_fields(data))
        name = outer.get(1)
        if isinstance(name, bytes) and (isinstance(outer.get(2), bytes) or name.startswith(b".lq.")):
            wrapper = _message("Wrapper", data)
            if wrapper["name"].startswith(_RECORDS):
                return head, [_named(wrapper)]
            data = wrapper.get("data", b"")
        elif 2 not in outer and (4 in outer or 5 in outer):
            response = _message("ResGameRecord", data)
            if not response.get("data"):
                raise RecordError("the response contains only the address of the record: save the file at its data_url")
            head, data = response.get("head", {}), response["data"]
        else:
            break
    return head, list(_messages(data))


def _messages(data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the messages of a ``GameDetailRecords`` of either version."""
    records = _message("GameDetailRecords", data)
    packed = [*records.get("records", ()), *(action.get("result", b"") for action in records.get("actions", ()))]
    for each in packed:
        if each:
            yield _named(_message("Wrapper", each))


def _named(wrapper: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the message in a wrapper with its name."""
    name = wrapper.get("name", "")
    if not name.startswith(_RECORDS):
        raise RecordError(f"{name[:40]!r} in place of a message of a record")
    kind = name.removeprefix(".lq.")
    return name, _message(kind, wrapper.get("data", b"")) if kind in FIELDS else {}


def _message(kind: str, data: bytes) -> dict[str, Any]:
    """Return the fields of a message by their names."""
    fields = FIELDS[kind]
    message: dict[str, Any] = {}
    for number, value in _fields(data):
        name, form = fields.get(number, ("", ""))
        if not name:
            if kind == "GameDetailRule" and value:
                message[f"{UNKNOWN_RULE}{number}"] = value
            continue
        several = form.endswith("*")
        values = _values(form.removesuffix("*"), value, name, several)
        if several:
            message.setdefault(name, []).extend(values)
        else:
            message[name] = values[0]
    return message


def _values(form: str, value: int | bytes, name: str, several: bool) -> list[Any]:
    """Return the values of one field: one value, or several packed numbers."""
    if form == "int":
        if isinstance(value, bytes) and several:
            return _packed(value)
        if not isinstance(value, int):
            raise RecordError(f"{name} must be a number")
        return [_signed(value)]
    if not isinstance(value, bytes):
        raise RecordError(f"{name} must not be a number")
    if form == "bytes":
        return [value]
    if form == "text":
        return [value.decode("utf-8", "replace")]
    return [_message(form, value)]


def _packed(data: bytes) -> list[int]:
    numbers = []
    at = 0
    while at < len(data):
        number, at = _varint(data, at)
        numbers.append(_signed(number))
    return numbers


def _signed(number: int) -> int:
    """Return a 64-bit number as signed."""
    return number - (1 << 64) if number >> 63 else number


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number in groups of seven bits, the lowest first, and where it ends."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise RecordError("the bytes are incomplete")
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number & (1 << 64) - 1, at
    raise RecordError("a number of more than ten bytes")


#: How a field lies in the bytes.
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message in their order, as number and value.

    Raises `RecordError` if the bytes are no message.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, form = key >> 3, key & 7
        if number == 0:
            raise RecordError("the bytes are not a message of the protocol")
        if form == _NUMBER:
            value, at = _varint(data, at)
            yield number, value
            continue
        if form == _BYTES:
            length, at = _varint(data, at)
        elif form in (_EIGHT_BYTES, _FOUR_BYTES):
            length = 8 if form == _EIGHT_BYTES else 4
        else:
            raise RecordError("the bytes are not a message of the protocol")
        if at + length > len(data):
            raise RecordError("the bytes are incomplete")
        if form == _BYTES:
            yield number, data[at : at + length]
        at += length
