"""Environments of Sichuan mahjong: conformance, rewards, observations, pictures."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

from janshi.bridges import zoo
from janshi.bridges.gym import MahjongEnv, MahjongVectorEnv
from janshi.encoders import encoder
from tests.bridges.test_zoo import EXPECTED

OBSERVATIONS = ("none", "sichuan", "sichuan-dqn")
CYCLES = 30
#: For four players, of any game.
ID = "janshi/Riichi-v0"


@pytest.fixture(autouse=True)
def _unexpected_warnings_are_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for said in EXPECTED:
            warnings.filterwarnings("ignore", message=said)
        yield


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_gymnasiums_checker_finds_nothing(observation: str) -> None:
    check_env(gymnasium.make(ID, rules="sichuan", observation=observation).unwrapped)


def test_the_environment_is_made_by_its_id() -> None:
    env: Any = gymnasium.make(ID, rules="sichuan-exchange", observation="sichuan")
    observation, info = env.reset(seed=1)
    assert observation.shape == encoder("sichuan").shape
    assert info["action_mask"].shape == (61,)


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_the_api_tests_pass(observation: str, capsys: Any) -> None:
    api_test(zoo.env(rules="sichuan", observation=observation), num_cycles=CYCLES)
    parallel_api_test(zoo.parallel_env(rules="sichuan", observation=observation), num_cycles=CYCLES)
    printed = capsys.readouterr().out
    assert "Passed API test" in printed
    assert "Passed Parallel API test" in printed


@pytest.mark.parametrize("rules", ["sichuan", "sichuan-exchange", "sichuan-novikov"])
def test_the_seed_tests_pass(rules: str) -> None:
    seed_test(lambda: zoo.env(rules=rules, observation="sichuan"), num_cycles=CYCLES)
    parallel_seed_test(lambda: zoo.parallel_env(rules=rules, observation="sichuan"), num_cycles=CYCLES)


def test_every_way_to_show_a_table_works(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("human", "ansi", "svg", "rgb_array"):
        env = MahjongEnv(rules="sichuan", observation="none", render_mode=mode)
        env.reset(seed=4)
        shown = env.render()
        if mode == "human":
            assert "suits are voided" in capsys.readouterr().out
        elif mode == "ansi":
            assert "suits are voided" in shown
        elif mode == "svg":
            assert set(re.findall(r'data-seat="(\d)"', shown)) == {"0", "1", "2", "3"}
        else:
            assert shown.shape == (800, 800, 3)
    table = zoo.raw_env(rules="sichuan", observation="none", render_mode="svg")
    table.reset(seed=4)
    assert table.render().count("tile-back") == 0, "all hands lie open"


def test_a_vector_plays_what_single_environments_play() -> None:
    vector = MahjongVectorEnv(num_envs=3, rules="sichuan", observation="sichuan", opponents="heuristic")
    singles = [MahjongEnv(rules="sichuan", observation="sichuan", opponents="heuristic") for _ in range(3)]
    together, infos = vector.reset(seed=7)
    alone = [env.reset(seed=7 + number) for number, env in enumerate(singles)]
    for _ in range(8):
        for number, (observation, info) in enumerate(alone):
            assert (together[number] == observation).all()
            assert (infos["action_mask"][number] == info["action_mask"]).all()
        actions = infos["action_mask"].argmax(axis=1)
        together, rewards, ended, _, infos = vector.step(actions)
        alone = []
        for number, env in enumerate(singles):
            observation, reward, over, _, info = env.step(int(actions[number]))
            assert (rewards[number], ended[number]) == (reward, over)
            alone.append((observation, info))
        if ended.any():
            return


def test_rewards_of_all_seats_sum_to_nothing() -> None:
    env = zoo.raw_env(rules="sichuan", observation="none")
    env.reset(seed=2)
    total = np.zeros(4)
    for agent in env.agent_iter():
        observation, _, over, _, _ = env.last()
        env.step(None if over else int(np.flatnonzero(observation["action_mask"])[0]))
        if not env.agents:
            break
        total += [env.rewards.get(name, 0.0) for name in env.possible_agents]
        assert agent in env.possible_agents
    assert total.sum() == pytest.approx(0)
