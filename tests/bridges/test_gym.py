"""Gymnasium environments: conformance, seeds, rewards, vectors."""

import warnings
from itertools import product
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from janshi.agents.random import RandomAgent
from janshi.bridges.gym import MahjongEnv, MahjongVectorEnv, Results
from janshi.encoders import encoder
from janshi.games import game_of, rules_of
from janshi.riichi.actions import Action
from janshi.riichi.drawing.table import table_text
from janshi.riichi.rules import PRESETS
from janshi.table import ActionError, DecisionBatch, Tables
from tests.cases import mostly_long
from tests.claims import cases_of
from tests.games.tiny_players import TINY_ENCODER

GAMES = ("janshi/Sanma-v0", "janshi/Riichi-v0")
RULES = ("tenhou-sanma", "tenhou")
LENGTHS = ("hand", "east", "south")
#: Observations: name, and whether packed.
OBSERVATIONS = (("none", False), ("meowjong", True), ("meowjong", False), ("janshi", True), ("janshi", False))


class Named:
    """A copy of the random agent, which the compiled path does not recognise."""

    name = "named"
    players = frozenset({3, 4})
    games = None

    def __init__(self) -> None:
        self.decisions = 0

    def act(self, batch: DecisionBatch) -> Any:
        self.decisions += len(batch)
        return RandomAgent().act(batch)


def first_legal(mask: np.ndarray) -> int:
    return int(mask.argmax())


def play(env: Any, seed: int | None, steps: int, choose: Any = first_legal) -> list[tuple[Any, ...]]:
    """Yield steps of an environment, reset after each episode: mask, reward, terminated, change of points."""
    _, info = env.reset(seed=seed)
    seen: list[tuple[Any, ...]] = []
    for _ in range(steps):
        observation, reward, terminated, _, info = env.step(choose(info["action_mask"]))
        seen.append((observation, reward, terminated, info))
        if terminated:
            _, info = env.reset()
    return seen


# Conformance


CHECKED = [
    *mostly_long(
        (
            {"id": game, "length": length, "observation": observation, "packed": packed}
            for game in GAMES
            for length in (*LENGTHS, None)
            for observation, packed in OBSERVATIONS
        ),
        lambda options: options["length"] is None if options["id"] == GAMES[0] else options["observation"] == "none",
    ),
    *({"id": game, "mask_in_observation": True} for game in GAMES),
    *({"id": GAMES[1], "rules": "sichuan", "observation": name} for name in ("none", "sichuan", "sichuan-dqn")),
    {"id": GAMES[1], "rules": "sichuan-exchange", "observation": "sichuan"},
    {"id": GAMES[0], "rules": "tiny", "length": "hand", "observation": TINY_ENCODER.name},
    {"id": GAMES[0], "rules": "tiny", "observation": TINY_ENCODER.name},
]


@pytest.mark.parametrize("options", CHECKED, ids=lambda options: "-".join(map(str, options.values())))
def test_the_environment_checker_passes(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(**options).unwrapped)


def test_the_id_with_its_module_registers_by_itself() -> None:
    assert isinstance(gymnasium.make("janshi.bridges.gym:janshi/Riichi-v0").unwrapped, MahjongEnv)


# Pictures


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou", "sichuan"])
def test_every_render_mode_shows_the_learners_table(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "svg", "rgb_array"):
        env = MahjongEnv(rules=rules, observation="none", render_mode=mode)
        _, info = env.reset(seed=1)
        first = env.render()
        env.step(first_legal(info["action_mask"]))
        later = env.render()
        assert type(first) is type(later) is (np.ndarray if mode == "rgb_array" else str)
        assert not np.array_equal(first, later)
    assert later.shape[2] == 3
    assert capsys.readouterr().out == ""


def test_a_picture_contains_only_visible_information() -> None:
    env = MahjongEnv(render_mode="ansi", seat=1)
    env.reset(seed=1)
    assert env.render() == table_text(np.asarray(env._slots.tables.views([0], [1]))[0])


def test_human_mode_prints_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(GAMES[0], render_mode="human")
    _, info = env.reset(seed=1)
    first = capsys.readouterr().out
    assert first.startswith("East 1")
    env.step(first_legal(info["action_mask"]))
    assert capsys.readouterr().out.startswith("East 1")
    assert env.render() is None


def test_a_vector_shows_all_its_tables() -> None:
    env = MahjongVectorEnv(3, render_mode="svg")
    env.reset(seed=1)
    shown = env.render()
    assert shown is not None
    assert len(set(shown)) == 3


# Seeds


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("length", ["hand", "east"])
def test_the_compiled_random_opponents_play_as_the_random_agent_does(rules: str, length: str) -> None:
    other = Named()
    compiled = play(MahjongEnv(rules=rules, length=length, observation="meowjong", packed=True), 9, 300)
    asked = play(MahjongEnv(rules=rules, length=length, observation="meowjong", packed=True, opponents=other), 9, 300)
    assert other.decisions > 300
    for a, b in zip(compiled, asked, strict=True):
        assert (a[0] == b[0]).all()
        assert a[1:3] == b[1:3]
        assert (a[3]["action_mask"] == b[3]["action_mask"]).all()


#: Rules, length, opponents and threads of a vector; each of them, and each pair of opponents and rules, every time.
VECTORS = [
    (rules, length, opponents, threads)
    for rules, length in [*product(RULES, ["hand", "east"]), ("sichuan", "hand"), ("tiny", None)]
    for opponents in ("random", "self", Named())
    for threads in (1, 2)
]
USUAL = {("tenhou-sanma", "hand", 2), ("tenhou", "east", 2), ("sichuan", "hand", 1), ("tiny", None, 1)}


@pytest.mark.parametrize(
    ("rules", "length", "opponents", "threads"),
    mostly_long(VECTORS, lambda rules, length, opponents, threads: (rules, length, threads) in USUAL),
)
def test_a_vector_plays_the_games_of_single_environments(
    rules: str, length: str | None, opponents: Any, threads: int
) -> None:
    options = {"rules": rules, "length": length, "opponents": opponents, "packed": True}
    options["observation"] = rules if rules in ("sichuan", "tiny") else "meowjong"
    singles = [MahjongEnv(**options) for _ in range(4)]
    vector = MahjongVectorEnv(4, threads=threads, **options)
    seen, infos = vector.reset(seed=3)
    for number, one in enumerate(singles):
        one.reset(seed=3 + number)
    for _ in range(120):
        chosen = infos["action_mask"].argmax(axis=1)
        seen, rewards, terminated, _, infos = vector.step(chosen)
        for number, one in enumerate(singles):
            observation, reward, over, _, info = one.step(chosen[number])
            assert (reward, over) == (rewards[number], terminated[number])
            there = infos["final_info"] if over else infos
            if "rewards" in info:
                assert (there["rewards"][number] == info["rewards"]).all()
            assert ("rewards" in info) == ("change" in info and opponents == "self")
            assert ("change" in info) == ("change" in there and bool(there["_change"][number]))
            if over:
                assert (infos["final_obs"][number] == observation).all()
                assert (there["scores"][number] == info["scores"]).all()
                observation, info = one.reset()
            assert (seen[number] == observation).all()
            assert (infos["action_mask"][number] == info["action_mask"]).all()
            assert infos["seat"][number] == info["seat"]


def test_next_step_mode_begins_the_next_game_with_the_next_step() -> None:
    same = MahjongVectorEnv(3, observation="meowjong", packed=True)
    following = MahjongVectorEnv(3, observation="meowjong", packed=True, autoreset_mode="NextStep")
    assert following.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    options = [list[Any](), list[Any]()]
    for env, found in zip((same, following), options, strict=True):
        _, infos = env.reset(seed=1)
        over = np.zeros(3, bool)
        for _ in range(150):
            before = over
            _, rewards, over, _, infos = env.step(infos["action_mask"].argmax(axis=1))
            if env is following:
                assert not (before & over).any()
                assert not rewards[before].any()
            if not before[0] or env is same:
                found.append((rewards[0], over[0]))
    assert options[0][: len(options[1])] == options[1]


def test_without_autoreset_the_mask_restarts_finished_games() -> None:
    env = MahjongVectorEnv(3, observation="none", autoreset_mode="Disabled")
    _, infos = env.reset(seed=[4, None, 6])
    over = np.zeros(3, bool)
    while not over.any():
        _, _, over, _, infos = env.step(env.random_actions())
    assert not infos["action_mask"][over].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(3, int))
    masks = infos["action_mask"].copy()
    for wrong in (over[:2], np.ones(4, bool), over[None], over.astype(int), True):
        with pytest.raises(ValueError, match=r"reset_mask of 3 environments must be an array \(3,\) of bool"):
            env.reset(options={"reset_mask": wrong})
    _, infos = env.reset(options={"reset_mask": over})
    assert infos["action_mask"].any(axis=1).all()
    assert (infos["action_mask"][~over] == masks[~over]).all()


# Observations


@pytest.mark.parametrize(
    ("rules", "observation", "packed"),
    [*((rules, *each) for rules in RULES for each in OBSERVATIONS[1:]), ("tiny", TINY_ENCODER.name, False)],
)
def test_observations_are_those_of_the_tables(rules: str, observation: str, packed: bool) -> None:
    env = MahjongVectorEnv(20, rules=rules, opponents="self", observation=observation, packed=packed)
    tables = Tables(rules + "-hand", 20, 7)
    seen, infos = env.reset(seed=7)
    for _ in range(120):
        wanted = encoder(observation).encode(tables.decisions())
        assert (seen == (wanted if packed else encoder(observation).inputs(wanted))).all()
        assert (infos["action_mask"] == tables.legal()).all()
        assert (infos["seat"] == tables.actors).all()
        chosen = env.random_actions()
        tables.step(chosen)
        seen, _, over, _, infos = env.step(chosen)
        if over.any():
            break
    assert over.any()


def test_the_mask_is_in_all_conventional_places() -> None:
    env = MahjongEnv(mask_in_observation=True)
    observation, info = env.reset(seed=1)
    assert (env.action_masks() == (observation["action_mask"] == 1)).all()
    assert (info["action_mask"] == observation["action_mask"]).all()
    assert info["action_mask"][env.action_space.sample(info["action_mask"])]


# Rewards


@pytest.mark.parametrize(
    ("rules", "length", "autoreset_mode"),
    mostly_long(
        [*product(PRESETS, ["hand", "east"], ["SameStep", "NextStep"]), ("tiny", None, "SameStep")],
        lambda rules, length, mode: rules == "tiny" or (rules, length, mode) in (
            ("tenhou-sanma", "hand", "SameStep"), ("tenhou", "east", "NextStep"), ("m-league", "east", "SameStep"),
        ),
    ),
)
def test_an_episodes_rewards_sum_to_the_learners_change(
    rules: str, length: str | None, autoreset_mode: str
) -> None:
    env = MahjongVectorEnv(40, rules=rules, length=length, observation="none", autoreset_mode=autoreset_mode)
    chooser = np.random.default_rng(1)
    _, infos = env.reset(seed=5)
    over = np.zeros(40, bool)
    won = np.zeros(40)
    games = 0
    for step in range(250):
        assert (infos["action_mask"].any(axis=1) | over).all()
        # Occasional arbitrary actions: illegal ones must not change the sum.
        _, rewards, over, _, infos = env.step(env.random_actions() if step % 5 else chooser.integers(-5, 130, 40))
        won += rewards
        for place in np.flatnonzero(over):
            last = infos.get("final_info", infos)
            scores, seat = last["scores"][place], last["seat"][place]
            assert won[place] * 1000 == pytest.approx(scores[seat] - rules_of(rules).start)
            won[place] = 0
            games += 1
        if autoreset_mode == "SameStep":
            over = np.zeros(40, bool)
    assert games > 20


@pytest.mark.parametrize(("rules", "length"), [*((rules, "east") for rules in RULES), ("tiny", None)])
def test_rank_rewards_are_the_final_points(rules: str, length: str | None) -> None:
    env = MahjongEnv(rules=rules, length=length, reward="rank", observation="none")
    final_points = game_of(env.settings.played).final_points
    for reward, terminated, info in [one[1:] for one in play(env, 1, 600)]:
        if terminated:
            scores = info["scores"].tolist()
            assert reward == pytest.approx(final_points(env.settings.played, scores)[info["seat"]])
        else:
            assert reward == 0


def test_a_function_can_define_rewards() -> None:
    def first(results: Results) -> Any:
        return (results.change == results.change.max(axis=1, keepdims=True)).astype(np.float32)

    found = play(MahjongEnv(reward=first, observation="none"), 1, 500)
    ends = [(reward, info) for _, reward, terminated, info in found if terminated]
    assert len(ends) > 5
    assert all(reward == (info["change"][info["seat"]] == info["change"].max()) for reward, info in ends)


def test_a_reward_function_of_the_wrong_shape_is_named() -> None:
    with pytest.raises(ValueError, match="reward function returned"):
        play(MahjongEnv(reward=lambda results: results.change[:, 0], observation="none"), 1, 200)


# Seats and opponents


@pytest.mark.parametrize(
    ("rules", "seat", "seats"), [("tenhou", 0, {0}), ("tenhou", 2, {2}), ("tenhou-sanma", None, {0, 1, 2})]
)
def test_the_learner_has_the_given_seat_or_each_in_turn(rules: str, seat: int | None, seats: set[int]) -> None:
    env = MahjongEnv(rules=rules, seat=seat, observation="none")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(len(seats) + (seat is not None))} == seats
    assert {env.reset()[1]["seat"] for _ in range(50)} == seats


def test_opponents_sit_in_the_order_of_play_after_the_learner() -> None:
    class Seats(Named):
        def __init__(self) -> None:
            super().__init__()
            self.seats: set[int] = set()

        def act(self, batch: DecisionBatch) -> Any:
            self.seats |= set(batch.seats.tolist())
            return super().act(batch)

    following, before = Seats(), Seats()
    play(MahjongEnv(seat=2, opponents=[following, before], observation="none"), 1, 100)
    assert (following.seats, before.seats) == ({0}, {1})


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (lambda legal: np.full(len(legal), Action.KAKAN), "an opponent chose an illegal action"),
        *(
            (lambda legal, beyond=beyond: legal.argmax(axis=1).astype(np.int64) + beyond, "chose an illegal action")
            for beyond in (1 << 16, (1 << 16) + 1, -(1 << 16))
        ),
        (lambda legal: np.zeros(len(legal)), "opponent 'wide' answers"),
        (lambda legal: np.zeros((len(legal), 1), int), "opponent 'wide' answers"),
    ],
)
def test_an_opponent_with_an_invalid_answer_is_named(answers: Any, said: str) -> None:
    class Wide:
        name = "wide"
        players = frozenset({3, 4})

        def act(self, batch: Any) -> Any:
            return answers(batch.legal)

    with pytest.raises(ValueError, match=said):
        play(MahjongEnv(opponents=Wide()), 1, 100)


# Errors


@pytest.mark.parametrize("action", [Action.KAKAN, 122, 500, -1])
def test_illegal_actions_are_replaced_and_reported(action: int) -> None:
    env = MahjongEnv(illegal_penalty=2.0, observation="none", seat=0)
    env.reset(seed=1)
    _, reward, _, _, info = env.step(action)
    assert info["illegal"] is True
    assert reward == -2.0
    vector = MahjongVectorEnv(2, illegal_penalty=2.0, observation="none", seat=0)
    vector.reset(seed=1)
    _, rewards, _, _, infos = vector.step(np.array([action, env.reset(seed=2)[1]["action_mask"].argmax()]))
    assert infos["illegal"].tolist() == [True, False]
    assert rewards.tolist() == [-2.0, 0.0]


def test_illegal_actions_are_refused_on_request() -> None:
    env = MahjongEnv(illegal="raise", seat=0)
    _, info = env.reset(seed=1)
    with pytest.raises(ActionError, match="seat 0 may not do added kan 1m; it may do: "):
        env.step(Action.KAKAN)
    env.step(first_legal(info["action_mask"]))
    vector = MahjongVectorEnv(3, illegal="raise", seat=0)
    _, infos = vector.reset(seed=1)
    chosen = infos["action_mask"].argmax(axis=1)
    with pytest.raises(ActionError, match="table 1: seat 0 may not do an unknown action"):
        vector.step([chosen[0], 122, chosen[2]])
    assert (vector._slots.masks == infos["action_mask"]).all()


def test_an_action_is_an_integer() -> None:
    env = MahjongEnv(observation="none")
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(3.5)
    vector = MahjongVectorEnv(2, observation="none")
    vector.reset(seed=1)
    for wrong in ([1.0, 2.0], [1], 1):
        with pytest.raises(ActionError, match="2 tables need as many integers"):
            vector.step(wrong)


def test_a_finished_game_refuses_actions() -> None:
    env = MahjongEnv(observation="none")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = env.step(first_legal(info["action_mask"]))
    assert not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(*cases_of("messages", "unknown options are named"))
def test_unknown_options_are_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MahjongEnv(**options)


def test_a_game_of_three_refuses_rules_of_four() -> None:
    with pytest.raises(ValueError, match="'tenhou' are for 4 players, not 3"):
        gymnasium.make("janshi/Sanma-v0", rules="tenhou")


def test_a_vector_is_made_by_gymnasium() -> None:
    env = gymnasium.make_vec("janshi/Riichi-v0", 5, observation="janshi", packed=True)
    observation, infos = env.reset(seed=1)
    assert observation in env.observation_space
    assert infos["action_mask"].shape == (5, 122)
    assert isinstance(env, MahjongVectorEnv)
    sync = gymnasium.make_vec("janshi/Riichi-v0", 5, vectorization_mode="sync", observation="janshi", packed=True)
    assert (sync.reset(seed=1)[0] == observation).all()


@pytest.mark.parametrize(
    ("rules", "observation"), [("tenhou", "janshi"), ("sichuan", "sichuan"), ("tiny", "none")]
)
def test_a_game_defines_the_default_observation(rules: str, observation: str) -> None:
    env = MahjongEnv(rules=rules, opponents="self")
    assert env.settings.observation == observation
    assert env.reset(seed=1)[0] in env.observation_space
