"""PettingZoo environments: conformance, order, rewards."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

from janshi.bridges import zoo
from janshi.bridges.gym import MahjongVectorEnv
from janshi.drawing import drawing_of
from janshi.encoders import encoder, expand
from janshi.games import rules_of
from janshi.riichi.actions import Action
from janshi.table import ActionError, Table, Tables
from tests.games.tiny_players import TINY_ENCODER

RULES = ("tenhou-sanma", "tenhou")
LENGTHS = ("hand", "east", "south")
#: Warnings of PettingZoo's tests about dictionary observations and about the last mask.
EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
    "Observation has more than 3 dimensions",
    "Observation numpy array is all zeros",
    "Agent's m.* observation space",
)


@pytest.fixture(autouse=True)
def _unexpected_warnings_are_errors() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for said in EXPECTED:
            warnings.filterwarnings("ignore", message=said)
        yield


every_game = pytest.mark.parametrize("rules", RULES)


#: Options of the environments in PettingZoo's own tests.
OPTIONS = [
    *({"rules": rules, "length": length} for rules in RULES for length in LENGTHS),
    *(
        {"rules": rules, "observation": observation, "packed": packed}
        for rules in RULES
        for observation in ("meowjong", "janshi")
        for packed in (True, False)
    ),
    *({"rules": "sichuan", "observation": observation} for observation in ("none", "sichuan", "sichuan-dqn")),
    *({"rules": rules, "observation": "sichuan"} for rules in ("sichuan-exchange", "sichuan-novikov")),
    *({"rules": "tiny", "length": length, "observation": TINY_ENCODER.name} for length in ("hand", None)),
    {"rules": "tiny", "observation": "none"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options.values())))
def test_pettingzoos_own_tests_pass(options: dict[str, Any], capsys: Any) -> None:
    cycles = 300 if "length" in options else 30
    api_test(zoo.env(**options), num_cycles=cycles)
    parallel_api_test(zoo.parallel_env(**options), num_cycles=cycles)
    printed = capsys.readouterr().out
    assert "Passed API test" in printed
    assert "Passed Parallel API test" in printed
    seed_test(lambda: zoo.env(**options), num_cycles=cycles // 3)
    parallel_seed_test(lambda: zoo.parallel_env(**options), num_cycles=cycles // 3)


@pytest.mark.parametrize(("rules", "length"), [*product(RULES, LENGTHS), ("sichuan", "hand")])
def test_episodes_end_and_rewards_sum_to_the_changes(rules: str, length: str) -> None:
    env = zoo.env(rules=rules, length=length, observation="none")
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    dead = []
    for name in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[name] += reward
        assert not truncated
        if terminated:
            dead.append(name)
            scores = env.unwrapped._slots.tables.scores[0]
        env.step(None if terminated else int(seen["action_mask"].argmax()))
    assert dead == env.possible_agents
    assert [total[name] * 1000 for name in dead] == pytest.approx((scores - rules_of(rules).start).tolist())
    assert sum(total.values()) == pytest.approx(0)


@every_game
def test_agents_are_asked_in_the_tables_order(rules: str) -> None:
    env = zoo.env(rules=rules, observation="meowjong", packed=True)
    env.reset(seed=11)
    table = Table(f"{rules}-hand", 11)
    while not table.hand_over:
        assert env.agent_selection == f"player_{table.actor}"
        seen, *_ = env.last()
        assert np.flatnonzero(seen["action_mask"]).tolist() == table.legal
        env.step(table.legal[-1])
        table.act(table.legal[-1])
    assert all(env.terminations.values())


@every_game
def test_the_parallel_environment_plays_the_same_game(rules: str) -> None:
    options: dict[str, Any] = {"rules": rules, "observation": "meowjong", "packed": True}
    env, par = zoo.env(**options), zoo.parallel_env(**options)
    env.reset(seed=8)
    seen, infos = par.reset(seed=8)
    while par.agents:
        asked = env.agent_selection
        assert {one["active_agent"] for one in infos.values()} == {asked}
        for name in par.agents:
            assert (env.observe(name)["observation"] == seen[name]["observation"]).all()
            allowed = np.flatnonzero(seen[name]["action_mask"]).tolist()
            assert allowed == np.flatnonzero(env.observe(name)["action_mask"]).tolist() or name != asked
            assert allowed == [Action.PASS] or name == asked
        chosen = {name: int(one["action_mask"].argmax()) for name, one in seen.items()}
        env.step(chosen[asked])
        seen, rewards, terminated, _, infos = par.step(chosen)
        assert rewards == env.rewards
        assert terminated == env.terminations
    assert par.step({}) == ({}, {}, {}, {}, {})


def test_waiting_agents_observe_their_current_hand() -> None:
    env = zoo.raw_env(observation="janshi")
    env.reset(seed=3)
    tables = Tables("tenhou-sanma-hand", 1, 3)
    for seat, name in enumerate(env.agents):
        wanted = expand(encoder("janshi").encode_views(tables.views([0], [seat])))[0]
        assert (env.observe(name)["observation"] == wanted).all()


def test_a_vector_of_every_seat_gives_the_same_rewards() -> None:
    env = zoo.raw_env(observation="meowjong", packed=True)
    vector = MahjongVectorEnv(1, opponents="self", observation="meowjong", packed=True)
    env.reset(seed=5)
    vector.reset(seed=5)
    over = False
    while not over:
        chosen = vector.random_actions()
        *_, terminated, _, infos = vector.step(chosen)
        over = bool(terminated[0])
        env.step(chosen[0])
    assert list(env.rewards.values()) == infos["final_info"]["rewards"][0].tolist()


@pytest.mark.parametrize(("rules", "first"), [*((rules, "East 1") for rules in RULES), ("sichuan", "55 tiles left")])
def test_the_render_test_passes_and_pictures_show_all_hands_open(rules: str, first: str, capsys: Any) -> None:
    render_test(lambda render_mode: zoo.env(rules=rules, render_mode=render_mode, observation="none"))
    assert capsys.readouterr().out.startswith(first)
    env = zoo.raw_env(rules=rules, render_mode="svg", observation="none")
    env.reset(seed=1)
    table = Table(env.settings.played, 1)
    assert env.render() == drawing_of(table.game).open_svg(table)


def test_the_parallel_environment_renders_the_deciding_agents_table(capsys: Any) -> None:
    par = zoo.parallel_env(render_mode="human", observation="meowjong", packed=True)
    par.reset(seed=1)
    par.step(dict.fromkeys(par.agents, 37))
    assert capsys.readouterr().out.count("East 1") == 2
    assert zoo.parallel_env(render_mode="svg").possible_agents


def test_illegal_actions_are_replaced_and_cost_the_penalty() -> None:
    env = zoo.env(illegal_penalty=3.0, observation="meowjong", packed=True)
    env.reset(seed=1)
    first = env.agent_selection
    env.step(Action.KAKAN)
    assert env.rewards == {name: -3.0 * (name == first) for name in env.agents}


def test_illegal_actions_are_refused_on_request() -> None:
    env = zoo.env(illegal="raise", observation="meowjong", packed=True)
    env.reset(seed=1)
    with pytest.raises(ActionError, match="may not do added kan 1m"):
        env.step(Action.KAKAN)


def test_the_deciding_agents_action_is_required() -> None:
    par = zoo.parallel_env(observation="meowjong", packed=True)
    par.reset(seed=1)
    with pytest.raises(ValueError, match="no action of the active agent player_0: there are player_1"):
        par.step({"player_1": 0})


def test_a_finished_agent_accepts_only_none() -> None:
    env = zoo.raw_env(observation="meowjong", packed=True)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    for _ in range(3):
        env.step(None)
    with pytest.raises(ValueError, match="the game is over"):
        env.step(None)


@pytest.mark.parametrize("option", ["seat", "opponents", "threads"])
def test_options_of_one_learner_are_refused(option: str) -> None:
    with pytest.raises(ValueError, match="agents play every seat"):
        zoo.env(**{option: 1})
