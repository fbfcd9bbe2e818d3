"""Records of any game: formats, folders and archives, conversion, replay.

for game in read_games(["records/", "more.zip"]):
    if isinstance(game, Damaged):
        print(game)

The content of a record depends on its game: see `janshi.riichi.records` and `janshi.sichuan.records.jsonl`.
"""

from __future__ import annotations

from janshi.records.convert import Converted, GameWriter, convert
from janshi.records.formats import (
    FORMATS,
    CutHand,
    Damaged,
    RecordError,
    RecordFormat,
    Remarks,
    format_of,
    formats_of,
    write_games,
)
from janshi.records.recorder import Mismatch, RecordedGame, Recorder, Replayed, recorder_of
from janshi.records.sources import Source, read_bytes, read_games, read_source, sources
from janshi.records.story import GameStory, Recording
from janshi.records.verify import Tally, verify

__all__ = [
    "FORMATS",
    "Converted",
    "CutHand",
    "Damaged",
    "GameStory",
    "GameWriter",
    "Mismatch",
    "RecordError",
    "RecordFormat",
    "RecordedGame",
    "Recorder",
    "Recording",
    "Remarks",
    "Replayed",
    "Source",
    "Tally",
    "convert",
    "format_of",
    "formats_of",
    "read_bytes",
    "read_games",
    "read_source",
    "recorder_of",
    "sources",
    "verify",
    "write_games",
]
