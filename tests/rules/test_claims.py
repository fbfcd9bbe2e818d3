"""The rules of Riichi at constructed tables, and the values of hands: the claims of ``tests/vectors``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from janshi.records import read_games
from janshi.riichi.hands import HandError, Score, score
from janshi.riichi.play.legal import winning_kinds
from janshi.riichi.records.fu import fu_parts_of
from janshi.riichi.records.mjai import hand_end_events
from janshi.riichi.state import Offer
from janshi.sample import SAMPLE
from tests.cases import few_or_many
from tests.claims import Row, claims, rules_in
from tests.rules.tables import RIICHI_WORDS, laid


@pytest.mark.parametrize("row", claims("riichi-tables"))
def test_tables(row: Row) -> None:
    RIICHI_WORDS.check(row)


def scored(row: Row, rules: str = "tenhou") -> Score:
    """Return the score of a hand; ``how`` has the circumstances that are not False, such as ``riichi seat=S``."""
    how: dict[str, Any] = {"win": row.get("win")}
    for word in row.get("how", "").split():
        name, _, value = word.partition("=")
        if name in ("melds", "kans"):
            how["closed_kans" if name == "kans" else name] = value.split(",")
        else:
            how[name] = int(value) if name in ("honba", "kitas") else value or True
    return score(row["tiles"], **how, rules=rules_in(row.get("rules", rules)))


def rounded(parts: Sequence[Any]) -> int:
    """Return the fu of sources by the rule: their sum, rounded up to tens except seven pairs."""
    total: int = sum(part.fu for part in parts)
    return total if total == 25 else -(-total // 10) * 10


@pytest.mark.parametrize("row", claims("riichi-values"))
def test_values(row: Row) -> None:
    if "error" in row:
        with pytest.raises(HandError, match=re.escape(row["error"])) as error:
            scored(row)
        assert "\n" not in str(error.value)
        return
    value = scored(row)
    assert value.points
    assert not value.fu_parts or value.fu == rounded(value.fu_parts)
    names = sorted(yaku.name for yaku, _ in value.yaku)
    for name, expected in row.items():
        if name == "yakuman" and isinstance(expected, dict):  # some rules count double yakuman
            assert {rules: scored(row, rules).yakuman for rules in expected} == expected
            assert {rules: scored(row, rules).basic // 8000 for rules in expected} == expected
        elif name == "parts":
            assert ", ".join(" ".join(map(str, filter(None, part))) for part in value.fu_parts) == expected
        elif name in ("has", "lacks"):
            assert (expected in names) == (name == "has")
        elif name == "yaku":
            assert ", ".join(names) == expected
        elif name not in ("claim", "rules", "tiles", "win", "how"):
            assert (getattr(value, name) or "") == (expected or ""), name


@pytest.mark.parametrize("players", [3, 4])
def test_each_indicator_makes_the_next_tile_dora(players: int) -> None:
    sets = {"p": "345s678s789s111m", "s": "345p678p789p111m", "z": "345s678s345p999m", "m": "345s678s345p678p"}
    for circle in ("123456789p", "123456789s", "1234z", "567z", "19m" if players == 3 else "123456789m"):
        suit, tiles = circle[-1], circle[:-1]
        for indicator, dora in zip(tiles, tiles[1:] + tiles[0], strict=True):
            rules = "tenhou-sanma" if players == 3 else "tenhou"
            value = score(sets[suit] + 2 * dora + suit, riichi=True, dora=indicator + suit, rules=rules)
            assert [(yaku.name, han) for yaku, han in value.yaku][-1] == ("dora", 2), indicator + suit


def test_kinds_on_which_a_seat_could_win_have_a_yaku_and_no_furiten() -> None:
    state = laid({"deals": "junk tenpai"}).state
    east, bamboo = 1 << 27, 1 << 26
    assert [winning_kinds(state, seat) for seat in (0, 1)] == [0, east]
    state.claimed = Offer.KAKAN  # of another tile: the yaku of robbing it does not count
    assert (winning_kinds(state, 1), int(state.claimed)) == (east, Offer.KAKAN)
    state.seats[1].accepted = 1
    assert winning_kinds(state, 1) == east | bamboo
    state.hands[1].missed = 2
    assert winning_kinds(state, 1) == 0


# ---------------------------------------------------------------------------------------------------------
# Fu of records


@pytest.mark.parametrize("archive", ["four-2024", "sanma-2018"])
@few_or_many(("most", "least"), (150, 1000), (None, 6000))
def test_the_fu_of_recorded_wins_are_explained(archive: str, most: int | None, least: int, real_games: Any) -> None:
    wins = 0
    for game in real_games(archive, most):
        for hand in game.hands:
            for win in hand.wins:
                parts = fu_parts_of(game.rules, hand, win)
                assert rounded(parts) == (0 if win.yakuman else win.fu), (game.source, hand.round, win)
                wins += not win.yakuman
    assert wins > least


def test_fu_that_contradict_the_rules_are_not_explained() -> None:
    game: Any = next(read_games([SAMPLE]))
    hand = next(hand for hand in game.hands if hand.wins and not hand.wins[0].yakuman)
    (event, *_) = hand_end_events(game.rules, hand)
    assert [list(part) for part in fu_parts_of(game.rules, hand, hand.wins[0])] == event["janshi"]["fu_parts"]
    hand.wins[0].fu += 10
    (event, *_) = hand_end_events(game.rules, hand)
    assert "fu_parts" not in event["janshi"]
