"""Writer of bytes of Mahjong Soul's protocol: the inverse of
`janshi.riichi.records.majsoul_wire.parse_wire`."""

from __future__ import annotations

from typing import Any

from janshi.riichi.records.majsoul_wire import DETAIL_RECORDS, FIELDS


def write_wire(record: dict[str, Any]) -> bytes:
    """Return the bytes (``ResGameRecord``) of a record of `majsoul_records.write_majsoul`."""
    data = packed_details(record) if record["data"] else b""
    return _written("ResGameRecord", {"head": record["head"], "data": data, "data_url": "" if data else "somewhere"})


def packed_details(record: dict[str, Any], *, bare: bool = False) -> bytes:
    """Return ``GameDetailRecords``, ``bare`` without its wrapper."""
    details = record["data"]["data"]
    actions = [{**action, "result": wrapped(action["result"])} for action in details["actions"]]
    packed = _written("GameDetailRecords", {"version": details["version"], "actions": actions})
    return packed if bare else _written("Wrapper", {"name": DETAIL_RECORDS, "data": packed})


def as_response(record: dict[str, Any]) -> bytes:
    """Return the answer of the site's socket."""
    return b"\x03\x07\x00" + b"\n\x00" + _with_length(2, write_wire(record))


def wrapped(message: dict[str, Any]) -> bytes:
    """Return one message in its wrapper."""
    kind = message["name"].removeprefix(".lq.")
    return _written("Wrapper", {"name": message["name"], "data": _written(kind, message["data"])})


def _written(kind: str, message: dict[str, Any]) -> bytes:
    """Return a message's bytes without fields of 0, false or empty content, like the protocol."""
    parts = []
    for number, (name, form) in FIELDS[kind].items():
        value = message.get(name)
        if not value:
            continue
        if form == "int*":
            parts.append(_with_length(number, b"".join(map(_written_number, value))))
        elif form == "int":
            parts.append(_written_number(number << 3) + _written_number(int(value)))
        else:
            for each in value if form.endswith("*") else [value]:
                parts.append(_with_length(number, _content(form.removesuffix("*"), each)))
    return b"".join(parts)


def _content(form: str, value: Any) -> bytes:
    if form == "bytes":
        return bytes(value)
    return value.encode() if form == "text" else _written(form, value)


def _with_length(number: int, content: bytes) -> bytes:
    return _written_number(number << 3 | 2) + _written_number(len(content)) + content


def _written_number(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
