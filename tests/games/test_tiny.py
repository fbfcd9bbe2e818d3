"""Another game in tables and the arena, which do not know it; `tests.bridges` contains its environments."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from janshi.agents import AgentError, RandomAgent, agent
from janshi.arena import CompareConfig, MatchConfig, as_json, compare, game_rows, places, play_match, rows
from janshi.cli import app
from janshi.core.game import NothingShared
from janshi.drawing import drawing_of
from janshi.games import GAMES, GameError, game_of, register, rules_of
from janshi.table import Table, Tables
from tests.games import tiny
from tests.games.tiny import KINDS, TINY, WIN, TinyRules, View
from tests.games.tiny_players import TinyAgent

RULES = TinyRules()


# The game and tables


def no_table(state: View, lookup: NothingShared, action: int) -> None:
    """A rule for a record that is not a table."""


class ShortState(tiny.State):
    before: Annotated[NDArray[np.int32], 3]


def short_table(state: ShortState, lookup: NothingShared, action: int) -> None:
    """A rule for a table without rows for a fourth seat."""


def test_the_game_is_written_in_few_lines() -> None:
    assert len(Path(tiny.__file__).read_text().splitlines()) <= 120


def test_the_game_is_found_by_its_rules() -> None:
    assert game_of(RULES) is TINY is GAMES["tiny"]
    assert rules_of("tiny-duel").players == 2
    assert register(TINY) is TINY
    with pytest.raises(GameError, match="there is a game 'tiny' already"):
        register(replace(TINY))
    for act, problem in ((no_table, "its state lacks"), (short_table, "before need 4 rows")):
        with pytest.raises(TypeError, match=problem):
            replace(TINY, name="broken", act=act)
    with pytest.raises(GameError, match="the game 'tiny' has no recorder"):
        TINY.facet("recorder")


def test_a_hand_continues_after_a_win_without_the_winners() -> None:
    goes_on = 0
    for seed in range(60):
        table = Table("tiny-hand", seed)
        winners: list[int] = []
        while not table.over:
            assert table.actor not in winners
            assert int(sum(table.state.hands[table.actor].counts)) == 4
            if WIN in table.legal:
                winners.append(table.actor)
                table.act(WIN)
                goes_on += not table.over
            else:
                table.act(table.legal[seed % len(table.legal)])
        assert table.result is not None
        assert sorted(winners) == sorted(table.result.winners)
        assert len(winners) <= 2
        assert sum(table.scores) == 30
        assert table.result.reason == ("won" if winners else "draw")
    assert goes_on > 10


def test_tables_continue_automatically_as_by_hand() -> None:
    one = Tables("tiny", 1, 5)
    for _ in range(200):
        one.step(one.legal().argmax(axis=1))
    assert int(np.asarray(one.states)["games"][0]) > 0
    by_hand = Tables("tiny", 1, 5, auto_reset=False)
    for _ in range(200):
        by_hand.step(by_hand.legal().argmax(axis=1))
        if by_hand.over[0]:
            by_hand.next_game([0])
        elif by_hand.hand_over[0]:
            by_hand.next_hand([0])
    assert (by_hand.scores == one.scores).all()
    assert (by_hand.views()["hand"]["counts"] == one.views()["hand"]["counts"]).all()


def test_a_game_without_a_log_says_so() -> None:
    with pytest.raises(ValueError, match="keeps no log"):
        Table("tiny", 3).events(0)


def test_a_terminal_shows_a_seats_view() -> None:
    table = Table("tiny", 3)
    text = drawing_of(TINY).text(table.view(table.actor), table.legal)
    counts = " ".join(map(str, table.state.hands[0].counts.tolist()))
    assert "seats 0: points 10, won 0" in text
    assert f"hand: counts {counts}" in text
    assert text.endswith("may: " + ", ".join(map(table.action_text, table.legal)))


# The arena


@pytest.fixture(scope="module")
def match():
    return play_match([TinyAgent("pairs", True), TinyAgent(), TinyAgent("other")], RULES, 100, seed=2)


def test_random_plays_every_legal_action_of_it() -> None:
    batch = Tables("tiny", 500, 1).decisions()
    chosen = RandomAgent().act(batch)
    assert batch.legal[np.arange(500), chosen].all()
    assert set(chosen.tolist()) == set(range(KINDS + 1))
    match = play_match([RandomAgent(), TinyAgent(), TinyAgent("pairs", True)], RULES, 50, seed=2)
    assert game_rows(match)[0].points.value < game_rows(match)[-1].points.value


def test_the_arena_plays_it_and_batches_do_not_matter(match) -> None:
    again = play_match(
        [TinyAgent("pairs", True), TinyAgent(), TinyAgent("other")],
        RULES,
        100,
        seed=2,
        config=MatchConfig(tables=7, threads=2),
    )
    assert as_json(again) == as_json(match)
    hands = match.hands
    assert len(hands) == 100 * 3 * RULES.hands
    assert (hands.change.sum(axis=1) == 0).all()
    assert (hands.won.sum(axis=1) == 2).any()
    assert (hands.drawn == ~hands.won.any(axis=1)).all()
    assert (places(hands)[hands.drawn] == 0).all()
    assert hands.habits == {}
    keeps_pairs, plain = rows(match)[0], rows(match)[4]
    assert keeps_pairs.habits == {}
    assert keeps_pairs.win.low > plain.win.high
    assert sum(row.points.value for row in game_rows(match)) == pytest.approx(30)


def test_two_agents_are_compared() -> None:
    pairs, plain = TinyAgent("pairs", True), TinyAgent()
    for rules in (RULES, rules_of("tiny-hand")):
        comparison = compare(pairs, plain, rules, 200, config=CompareConfig(tables=64))
        assert comparison.rules == rules.name
        assert comparison.answer == "better"
        assert comparison.differences[0].points.low > 0


def test_an_agent_of_another_game_is_named() -> None:
    with pytest.raises(AgentError, match="'efficient' plays riichi or sichuan, not tiny"):
        play_match([agent("efficient")] * 3, RULES, 1)
    with pytest.raises(AgentError, match="the game 'tiny' has no recorder"):
        play_match([TinyAgent()] * 3, RULES, 1, on_game=print)


def test_commands_play_it_or_name_what_it_lacks() -> None:
    words = ["arena", "random", "random", "random", "--rules", "tiny", "--hands", "2", "--json"]
    assert json.loads(CliRunner().invoke(app, words).stdout)["rules"] == "tiny-hand"
    refused = CliRunner().invoke(app, ["play", "--no-browser", "--rules", "tiny", "--length", "south"])
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert refused.stderr == "janshi play: no length 'south' for rules 'tiny': there are game, hand\n"
