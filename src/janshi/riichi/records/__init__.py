"""Records of Riichi: one model (`RiichiGame`), a reader and a writer per format.

Folders and archives of records are read by `janshi.records.read_games`.
"""

from janshi.records import (
    Converted,
    Damaged,
    RecordError,
    Source,
    convert,
    read_bytes,
    read_games,
    read_source,
    sources,
    write_games,
)
from janshi.riichi.records.majsoul import read_majsoul_bytes, read_majsoul_text
from janshi.riichi.records.mjai import read_mjai_text, write_mjai_text
from janshi.riichi.records.mjlog import read_mjlog, write_mjlog
from janshi.riichi.records.model import (
    Drawn,
    Limit,
    RecordedHand,
    RecordedMeld,
    RecordedWin,
    RiichiGame,
    difference,
    rules_of_flags,
)
from janshi.riichi.records.tenhou6 import read_tenhou6_text, viewer_address, write_tenhou6_text
from janshi.riichi.records.walls import walls
from janshi.riichi.state import Ending, Event

__all__ = [
    "Converted",
    "Damaged",
    "Drawn",
    "Ending",
    "Event",
    "Limit",
    "RecordError",
    "RecordedHand",
    "RecordedMeld",
    "RecordedWin",
    "RiichiGame",
    "Source",
    "convert",
    "difference",
    "read_bytes",
    "read_games",
    "read_majsoul_bytes",
    "read_majsoul_text",
    "read_mjai_text",
    "read_mjlog",
    "read_source",
    "read_tenhou6_text",
    "rules_of_flags",
    "sources",
    "viewer_address",
    "walls",
    "write_games",
    "write_mjai_text",
    "write_mjlog",
    "write_tenhou6_text",
]
