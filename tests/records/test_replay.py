"""Replays of real records and of generated games: agreement, and detection of errors."""

from pathlib import Path

import pytest
from tests.cases import mostly_long

from janshi.agents import RandomAgent
from janshi.arena import play_match
from janshi.records.convert import GameWriter
from janshi.records.sources import Source, sources
from janshi.records.verify import replay_sources, verify
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import preset

#: Archives, and the number of their records in an ordinary run; all of them with ``-m long``.
ARCHIVES = {
    "sanma-2009": 15,
    "sanma-2018": 10,
    "sanma-2020": 15,
    "sanma-2022": 15,
    "sanma-2026": 10,
    "sanma-odd": 12,
    "four-2009-2022": 15,
    "four-2018": 10,
    "four-2020": 10,
    "four-2021": 10,
    "four-2024": 10,
    "four-ai": 15,
    "four-rare": 107,
    "four-odd": 42,
}
#: Its type is East-only, but it continues through the South round although a player has reached the target.
STRANGE = "97bda0e8d741.mjlog"


@pytest.mark.parametrize(
    ("archive", "most"), mostly_long([*ARCHIVES.items(), *((name, None) for name in ARCHIVES)], lambda _, most: most)
)
def test_real_records_replay(archive: str, most: int | None, records: Path) -> None:
    listed = [source for source in sources([records / f"{archive}.zip"]) if isinstance(source, Source)]
    # Spread over the archive, so that the sample covers many days.
    tally = replay_sources(listed if most is None else listed[:: max(1, len(listed) // most)])
    assert not tally.damaged
    assert not [str(mismatch) for mismatch in tally.mismatches if STRANGE not in mismatch.source]
    assert tally.hands > 0


# ---------------------------------------------------------------------------------------------------------
# Generated games


@pytest.fixture(scope="module")
def games() -> list[RiichiGame]:
    played: list[RiichiGame] = []
    for rules, others in (("tenhou-sanma-east", 2), ("tenhou-east", 3)):
        play_match(
            [EfficientAgent(), *[RandomAgent()] * others], preset(rules), 3, seed=3, on_game=played.append
        )
    return played


def test_games_of_the_engine_replay(games):
    replayer = Replayer()
    for game in games:
        done = replayer.replay(game, scripts=True)
        assert not done.mismatches
        assert len(done.scripts) == len(game.hands)
        assert done.decisions == sum(len(script.actions) for script in done.scripts)


def test_the_number_of_processes_does_not_matter(games, tmp_path):
    with GameWriter(tmp_path / "games", "mjai") as writer:
        for game in games:
            writer.write(game)
    (tmp_path / "games" / "broken.mjlog").write_bytes(b"\x00\xff\x00")
    alone, together = verify([tmp_path], jobs=1), verify([tmp_path], jobs=2)
    assert alone == together
    tally = alone[str(tmp_path / "games")]
    assert (tally.games, len(tally.damaged), len(tally.mismatches)) == (len(games), 1, 0)
