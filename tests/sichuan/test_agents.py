"""Agents of Sichuan mahjong: the paper's heuristic against its formulas, and matches."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.agents import AgentError, RandomAgent, agent
from janshi.arena import play_match, rows
from janshi.cli import app
from janshi.games import rules_of
from janshi.sichuan.actions import Action
from janshi.sichuan.agents import EfficientAgent, HeuristicAgent
from janshi.sichuan.agents.heuristic import pung_score
from janshi.sichuan.analysis import TileCounts, count_tiles
from janshi.sichuan.state import View
from janshi.table import DecisionBatch, Table, Tables
from tests.claims import Row, claims
from tests.sichuan.tables import SICHUAN_WORDS, action_word, tile, wall


class RiichiOnly(RandomAgent):
    games = frozenset({"riichi"})


RULES = ("sichuan", "sichuan-exchange", "sichuan-novikov")


def reference(view: View, pung: float, run: float, future: float) -> list[float]:
    """Return S(t) of every kind by the paper's section 3.1.1, term by term."""
    held = [int(count) for count in view.hand.counts]
    if int(view.hand.laid) >= 0:
        held[int(view.hand.laid)] += 1
    visible = list(held)
    for seat in view.seats:
        for kind, mark in zip(seat.river[: int(seat.discards)], seat.marks, strict=False):
            visible[int(kind)] += 0 if mark & 1 else 1
        for meld in seat.melds[: int(seat.calls)]:
            visible[int(meld.kind)] += 3 if int(meld.form) == 1 else 4
    scores = []
    for kind in range(27):
        total = future * (1 - visible[kind] / 4)
        if held[kind] >= 2:
            total += pung * held[kind] / 3 * max((5 - visible[kind]) / 3, float(held[kind] >= 3))
        for middle in (kind - 1, kind, kind + 1):
            if middle // 9 == kind // 9 and 1 <= middle % 9 <= 7:
                parts = [middle - 1, middle, middle + 1]
                there = sum(held[part] > 0 for part in parts)
                if there >= 2:
                    likely = np.prod([max(float(held[part] > 0), 1 - visible[part] / 4) for part in parts])
                    total += run * there / 3 * likely
        scores.append(total)
    return scores


def positions(count: int) -> list[Table]:
    """Return tables of random games at which a seat chooses a discard."""
    tables = []
    for seed in range(count):
        made = Table(RULES[seed % 3], seed=seed)
        random = np.random.default_rng(seed)
        for _ in range(int(random.integers(5, 60))):
            if made.hand_over:
                break
            made.act(int(random.choice(made.legal)))
        while not made.hand_over and (int(made.state.phase) not in (2, 3) or max(made.legal) > 26):
            made.act(int(random.choice(made.legal)))
        if not made.hand_over:
            tables.append(made)
    return tables


@pytest.mark.parametrize("parameters", [(7.5, 2.5, 1.0), (1.0, 1.0, 1.0), (0.0, 3.0, 0.5)])
def test_the_heuristic_discards_the_least_score_of_the_papers_formula(parameters: tuple[float, float, float]) -> None:
    player = HeuristicAgent(parameters=parameters)
    places = positions(60)
    assert len(places) > 40
    for made in places:
        scores = reference(made.view(made.actor), *parameters)
        chosen = int(player.act(made.decision())[0])
        least = min(scores[kind] for kind in made.legal)
        assert scores[chosen] == pytest.approx(least)
        assert chosen == min(kind for kind in made.legal if scores[kind] == pytest.approx(least))


def choice(made: Table, player: str) -> str:
    """Return the word of a player's action."""
    return action_word(int(agent(player).act(made.decision())[0]), made)


WORDS = dataclasses.replace(SICHUAN_WORDS, facts={"choice": choice})


@pytest.mark.parametrize("row", claims("sichuan-agents"))
def test_choices(row: Row) -> None:
    WORDS.check(row)


@pytest.mark.parametrize("laid", ["1m", "9s"])
def test_a_tile_face_down_is_held(laid: str) -> None:
    made = Table("sichuan-novikov", wall=wall(["12346789m258p147p", "", "", ""], "mpsp"))
    made.record["hands"]["laid"][0] = tile(laid)
    counts = SimpleNamespace(held=np.zeros(27, np.int8), visible=np.zeros(27, np.int8))
    count_tiles(made.view(0), cast("TileCounts", counts))
    assert counts.held[tile(laid)] == int(made.view(0).hand.counts[tile(laid)]) + 1
    assert counts.visible.tolist() == counts.held.tolist()


def test_a_triplet_is_a_pung_whatever_is_visible() -> None:
    assert [pung_score(held, 4) for held in range(5)] == pytest.approx([0, 0, 2 / 9, 1, 4 / 3])
    assert pung_score(2, 2) == pytest.approx(2 / 3)


def test_the_heuristic_voids_the_suit_of_least_total() -> None:
    player = HeuristicAgent()
    for seed in range(40):
        made = Table("sichuan", seed=seed)
        view = made.view(0)
        scores = reference(view, 7.5, 2.5, 1.0)
        totals = (view.hand.counts * np.array(scores)).reshape(3, 9).sum(axis=1)
        assert int(player.act(made.decision())[0]) == Action.VOID + int(np.argmin(totals))


def test_the_heuristic_makes_every_pung_and_kong_and_takes_every_win() -> None:
    player = HeuristicAgent()
    tables = Tables("sichuan-novikov", 64, seeds=1)
    seen = set()
    for _ in range(400):
        batch = tables.decisions()
        actions = player.act(batch)
        for legal, action in zip(batch.legal, actions.tolist(), strict=True):
            order = [int(Action.WIN), int(Action.EXPOSED_KONG), int(Action.PUNG)]
            wanted = next((best for best in order if legal[best]), None)
            if wanted is not None:
                assert action == wanted
                seen.add(wanted)
            elif legal[Action.OWN_KONG :].any():
                assert action >= Action.OWN_KONG
                seen.add(int(Action.OWN_KONG))
        tables.step(actions)
    assert len(seen) == 4


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("player", ["random", "heuristic", "efficient", "sichuan"])
def test_agents_play_legal_actions_in_any_batch(name: str, player: str) -> None:
    if player == "sichuan":
        pytest.importorskip("onnxruntime")
    tables = Tables(name, 16, seeds=4)
    chosen = agent(player)
    for _ in range(60 if player == "sichuan" else 250):
        batch = tables.decisions()
        actions = chosen.act(batch)
        assert batch.legal[np.arange(len(batch)), actions].all()
        some = batch.part([3, 7])
        assert chosen.act(some).tolist() == actions[[3, 7]].tolist()
        tables.step(actions)


def test_the_random_agent_takes_every_legal_action_equally() -> None:
    made = Table("sichuan", seed=5)
    for _ in range(4):
        made.act(27)
    while len(made.legal) < 8:
        made.act(made.legal[0])
    batch = made.decision()
    count = 4000
    words = np.random.default_rng(1).integers(0, 1 << 62, count)
    views = np.repeat(np.asarray(batch.views), count)
    many = DecisionBatch(batch.rules, views, np.repeat(batch.legal, count, axis=0), random=words)  # type: ignore[arg-type]
    shares = np.bincount(RandomAgent().act(many), minlength=61)[made.legal] / count
    assert np.abs(shares - 1 / len(made.legal)).max() < 4 * (1 / len(made.legal) / count) ** 0.5


def test_better_agents_win_more_points() -> None:
    match = play_match(
        [agent("efficient"), agent("heuristic"), RandomAgent(), RandomAgent("other")], rules_of("sichuan"), walls=60
    )
    points = {row.player: row.points for row in rows(match) if row.group == "all"}
    for better in ("efficient", "heuristic"):
        for worse in ("random", "other"):
            assert points[better].low > points[worse].high


def test_parameters_stand_behind_the_name() -> None:
    assert agent("heuristic:1,2,3").parameters == (1.0, 2.0, 3.0)  # type: ignore[attr-defined]
    for wrong in ("heuristic:1,2", "heuristic:a,b,c", "heuristic:", "heuristic:nan,1,1"):
        with pytest.raises(AgentError, match="three numbers"):
            agent(wrong)


def test_agents_of_one_game_do_not_sit_down_to_the_other() -> None:
    with pytest.raises(AgentError, match="plays sichuan, not riichi"):
        HeuristicAgent().act(Table("tenhou").decision())
    with pytest.raises(AgentError, match="plays riichi, not sichuan"):
        play_match([RiichiOnly()] * 4, rules_of("sichuan"), walls=1)


def test_the_arena_plays_sichuan() -> None:
    result = CliRunner().invoke(app, ["arena", *["random"] * 4, "--rules", "sichuan-cap3", "--hands", "3"])
    assert result.exit_code == 0
    assert "sichuan-cap3-hand, seed 0: 3 walls in every seat" in result.output
    wrong = CliRunner().invoke(app, ["arena", *["random"] * 4, "--rules", "sichuan-x"])
    assert (wrong.exit_code, wrong.output.count("\n")) == (2, 1)


def test_preferences_of_efficient_are_its_action() -> None:
    batch = Tables("sichuan", 5, seeds=2).decisions()
    shares = EfficientAgent().preferences(batch)
    assert shares.shape == (5, 61)
    assert shares.argmax(axis=1).tolist() == EfficientAgent().act(batch).tolist()
