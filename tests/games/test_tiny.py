"""Another game in tables, arena and environments, which do not know it."""

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from typer.testing import CliRunner

from janshi.agents import Agent, AgentError, RandomAgent, agent
from janshi.arena import CompareConfig, MatchConfig, as_json, compare, game_rows, places, play_match, rows
from janshi.bridges import zoo
from janshi.bridges.gym import MahjongEnv, MahjongVectorEnv
from janshi.cli import app
from janshi.compiling import Int8s, rule
from janshi.core.game import NothingShared
from janshi.drawing import drawing_of
from janshi.encoders import Encoder, EncoderError, Layout, encoder
from janshi.encoders import register as register_encoder
from janshi.games import GAMES, GameError, game_of, register, rules_of
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import ActionError, DecisionBatch, Table, Tables
from tests.games import tiny
from tests.games.tiny import GAME_OVER, KINDS, TILES, TINY, WIN, TinyRules, View


@rule
def write_numbers(view: View, out: Int8s) -> None:
    """Write the own tiles and the remaining players."""
    for kind in range(KINDS):
        out[kind] = view.hand.counts[kind]
    for seat in range(int(view.rules.players)):
        out[KINDS + seat] = 1 - int(view.seats[seat].won)


ENCODER = register_encoder(
    Encoder(
        name="tiny",
        write=write_numbers,
        columns=(*(f"own {kind + 1}" for kind in range(KINDS)), *(f"seat {seat} plays" for seat in range(4))),
        layout=Layout.NUMBERS,
        game="tiny",
        players=frozenset({2, 3, 4}),
        symmetric=False,
    )
)


class TinyAgent(Agent):
    """Wins if possible; ``keeps_pairs``: discards a single tile, else any tile at random."""

    players = frozenset({2, 3, 4})
    games = frozenset({"tiny"})

    def __init__(self, name: str = "tiny", keeps_pairs: bool = False) -> None:
        self.name = name
        self.keeps_pairs = keeps_pairs

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision."""
        single = batch.legal[:, :KINDS] & (np.asarray(batch.views)["hand"]["counts"] == 1)
        wanted = np.where(self.keeps_pairs & single.any(axis=1)[:, None], single, batch.legal[:, :KINDS])
        chosen = [np.flatnonzero(row)[word % row.sum()] for row, word in zip(wanted, batch.random, strict=True)]
        return np.where(batch.legal[:, WIN], WIN, chosen).astype(np.int16)


RULES = TinyRules()
OPTIONS: dict[str, Any] = {"rules": RULES, "opponents": TinyAgent(), "observation": "tiny"}
#: Warnings of PettingZoo's tests about dictionary observations and about the last mask.
EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
    "Observation numpy array is all zeros",
    "Agent's m.* observation space",
)


# The game and tables


def no_table(state: View, lookup: NothingShared, action: int) -> None:
    """A rule for a record that is not a table."""


def test_the_game_is_written_in_few_lines() -> None:
    assert len(Path(tiny.__file__).read_text().splitlines()) <= 120


def test_the_game_is_found_by_its_rules() -> None:
    assert game_of(RULES) is TINY is GAMES["tiny"]
    assert rules_of("tiny-duel").players == 2
    assert register(TINY) is TINY
    with pytest.raises(GameError, match="there is a game 'tiny' already"):
        register(replace(TINY))
    with pytest.raises(TypeError, match="its state lacks"):
        replace(TINY, name="broken", act=no_table)
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


def test_tables_continue_automatically_and_a_seed_determines_the_game() -> None:
    one, many = Tables("tiny", 1, 5), Tables("tiny", 8, range(8), threads=2)
    for _ in range(200):
        for tables in (one, many):
            tables.step(tables.legal().argmax(axis=1))
    assert (one.scores[0] == many.scores[5]).all()
    assert int(np.asarray(one.states)["games"][0]) > 0
    assert many.play_random(500) > 100
    by_hand = Tables("tiny", 1, 5, auto_reset=False)
    for _ in range(200):
        by_hand.step(by_hand.legal().argmax(axis=1))
        if by_hand.over[0]:
            by_hand.next_game([0])
        elif by_hand.hand_over[0]:
            by_hand.next_hand([0])
    assert (by_hand.scores == one.scores).all()
    assert (by_hand.views()["hand"]["counts"] == one.views()["hand"]["counts"]).all()


def test_illegal_actions_are_refused_and_walls_can_be_given() -> None:
    table = Table("tiny", 3)
    before = table.record.copy()
    wrong = next(action for action in range(TINY.actions) if action not in table.legal)
    with pytest.raises(ActionError, match="seat 0 may not"):
        table.act(wrong)
    assert table.record == before
    wall = np.repeat(np.arange(KINDS), TILES // KINDS)
    assert Table("tiny", wall=wall).state.hands[0].counts[6] == 3
    with pytest.raises(ValueError, match="28 tiles once each"):
        Table("tiny", wall=wall[:-1])
    with pytest.raises(ValueError, match="keeps no log"):
        table.events(0)


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
    with pytest.raises(EncoderError, match="'janshi' is for riichi, not for tiny"):
        MahjongEnv(rules=RULES, opponents=TinyAgent(), observation="janshi")


def test_commands_play_it_or_name_what_it_lacks() -> None:
    words = ["arena", "random", "random", "random", "--rules", "tiny", "--hands", "2", "--json"]
    assert json.loads(CliRunner().invoke(app, words).stdout)["rules"] == "tiny-hand"
    refused = CliRunner().invoke(app, ["play", "--no-browser", "--rules", "tiny"])
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert refused.stderr.startswith("janshi play: ")
    assert "'tiny' has no page" in refused.stderr


def test_observers_follow_it() -> None:
    counts = {"started": 0, "hands_over": 0}

    class Count(Observer):
        def started(self, tables: Any) -> None:
            counts["started"] += len(tables)

        def hands_over(self, tables: Any) -> None:
            counts["hands_over"] += len(tables)

    tables = Tables(RULES, 5, auto_reset=False)
    Driver(tables, Seating.same([TinyAgent(), RandomAgent(), RandomAgent()], 5), [Count()]).run()
    assert counts == {"started": 10, "hands_over": 10}
    assert (np.asarray(tables.states)["phase"] == GAME_OVER).all()


# Environments


@pytest.fixture
def _unexpected_warnings_are_errors() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXPECTED:
            warnings.filterwarnings("ignore", message=message)
        yield


every_length = pytest.mark.parametrize("length", ["hand", None])
every_observation = pytest.mark.parametrize("observation", ["tiny", "none"])


@every_length
@every_observation
@pytest.mark.usefixtures("_unexpected_warnings_are_errors")
def test_pettingzoos_tests_pass(length: str | None, observation: str, capsys: Any) -> None:
    options: dict[str, Any] = {"rules": RULES, "length": length, "observation": observation}
    api_test(zoo.env(**options), num_cycles=300)
    parallel_api_test(zoo.parallel_env(**options), num_cycles=300)
    assert capsys.readouterr().out.count("assed") >= 2
    seed_test(lambda: zoo.env(**options), num_cycles=50)
    parallel_seed_test(lambda: zoo.parallel_env(**options), num_cycles=50)


@every_length
@every_observation
@pytest.mark.usefixtures("_unexpected_warnings_are_errors")
def test_gymnasiums_checker_passes(length: str | None, observation: str) -> None:
    env = MahjongEnv(**OPTIONS | {"length": length, "observation": observation})
    assert env.metadata["render_modes"] == ["human", "ansi"]
    check_env(env, skip_render_check=True)


def test_observations_are_the_encoders() -> None:
    env = MahjongVectorEnv(6, **OPTIONS, seat=1)
    seen, infos = env.reset(seed=4)
    batch = env._slots.tables.decisions()
    assert (seen == encoder("tiny").encode(batch)).all()
    assert (infos["action_mask"] == batch.legal).all()
    assert seen in env.observation_space


@pytest.mark.parametrize("opponents", [TinyAgent(), "self"])
@pytest.mark.parametrize("length", ["hand", None])
def test_a_vector_plays_the_games_of_single_environments(opponents: Any, length: str | None) -> None:
    options = OPTIONS | {"opponents": opponents, "length": length}
    singles = [MahjongEnv(**options) for _ in range(3)]
    vector = MahjongVectorEnv(3, **options)
    _, infos = vector.reset(seed=3)
    for number, single in enumerate(singles):
        single.reset(seed=3 + number)
    for step in range(60):
        # Occasional arbitrary actions: illegal ones are replaced.
        chosen = vector.random_actions() if step % 5 else np.array([-1, 7, 8])
        seen, rewards, terminated, _, infos = vector.step(chosen)
        for number, single in enumerate(singles):
            observation, reward, over, _, info = single.step(chosen[number])
            assert (reward, over) == (rewards[number], terminated[number])
            last = infos.get("final_info", {}) if over else infos
            assert info.get("illegal", False) == bool(last.get("illegal", np.zeros(3))[number])
            if over:
                assert (infos["final_obs"][number] == observation).all()
                assert info["change"].sum() == 0
                observation, info = single.reset()
            assert (seen[number] == observation).all()
            assert (infos["action_mask"][number] == info["action_mask"]).all()
            assert infos["seat"][number] == info["seat"]


def test_an_episodes_rewards_sum_to_the_learners_change() -> None:
    env = MahjongVectorEnv(20, **OPTIONS | {"length": None})
    _, infos = env.reset(seed=1)
    won = np.zeros(20)
    games = 0
    for _ in range(100):
        _, rewards, over, _, infos = env.step(env.random_actions())
        won += rewards
        for table in np.flatnonzero(over):
            last = infos["final_info"]
            assert won[table] * 1000 == pytest.approx(last["scores"][table][last["seat"][table]] - RULES.start)
            won[table] = 0
            games += 1
    assert games > 20


def test_rank_rewards_are_the_final_points() -> None:
    env = MahjongEnv(**OPTIONS, reward="rank", seat=0)
    _, info = env.reset(seed=2)
    terminated = False
    while not terminated:
        _, reward, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    assert reward == info["scores"][0] - RULES.start


def test_unknown_values_are_named() -> None:
    with pytest.raises(ValueError, match="length='east': there are hand"):
        MahjongEnv(**OPTIONS | {"length": "east"})
    with pytest.raises(ValueError, match="the game 'tiny' has no pictures"):
        MahjongEnv(**OPTIONS, render_mode="svg")
    env = MahjongEnv(**OPTIONS, illegal="raise", seat=0)
    env.reset(seed=1)
    with pytest.raises(ActionError, match="seat 0 may not do an unknown action"):
        env.step(8)
