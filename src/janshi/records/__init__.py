"""Game records: one model (`Game`), a reader and a writer per format, folders and archives of them.

for game in read_games(["records/", "more.zip"]):
    if isinstance(game, Damaged):
        print(game)
"""

from janshi.records.convert import FORMATS, Converted, convert, write_games
from janshi.records.majsoul import read_majsoul_bytes, read_majsoul_text
from janshi.records.majsoul_write import write_majsoul_text
from janshi.records.mjai import read_mjai_text, write_mjai_text
from janshi.records.mjlog import read_mjlog, write_mjlog
from janshi.records.model import Drawn, Game, Hand, Limit, Meld, RecordError, Win, difference, rules_of_flags
from janshi.records.sources import Damaged, Source, read_bytes, read_games, read_source, sources
from janshi.records.tenhou6 import read_tenhou6_text, viewer_address, write_tenhou6_text
from janshi.records.walls import check_wall, walls
from janshi.riichi.state import Ending, Event

__all__ = [
    "FORMATS",
    "Converted",
    "Damaged",
    "Drawn",
    "Ending",
    "Event",
    "Game",
    "Hand",
    "Limit",
    "Meld",
    "RecordError",
    "Source",
    "Win",
    "check_wall",
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
    "write_majsoul_text",
    "write_mjai_text",
    "write_mjlog",
    "write_tenhou6_text",
]
