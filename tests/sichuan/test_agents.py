"""Agents of Sichuan mahjong: the paper's heuristic against its formulas, and matches."""

from __future__ import annotations

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
from tests.sichuan.tables import KONG, PASS, PUNG, discard, table, tile, wall


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


def test_the_lowest_kind_is_discarded_if_it_leaves_the_hand_ready() -> None:
    made = table(["1m456789m1155578s", "", "", ""], "pmpp")
    assert choice(made, EfficientAgent()) == tile("1m")


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


def test_equal_totals_void_the_suit_of_fewer_tiles_and_equal_scores_the_lowest_kind() -> None:
    # With all parameters 0 every score is equal.
    player = HeuristicAgent(parameters=(0, 0, 0))
    made = table(["1469m258p1368s147p", "", "", ""], "mpsp")
    assert choice(made, player) == tile("1m")
    made = Table("sichuan", wall=wall(["1234m1234p123456s", "", "", ""], "mpsp"))
    assert choice(made, player) == Action.VOID  # as many tiles: the first suit
    counts = Table("sichuan", seed=3).view(0).hand.counts.reshape(3, 9).sum(axis=1)
    assert int(player.act(Table("sichuan", seed=3).decision())[0]) == Action.VOID + int(np.argmin(counts))


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


def test_efficient_prefers_the_discard_that_leaves_it_ready() -> None:
    made = table(["9p123456p1155578s", "", "", ""], "mmpp")
    assert choice(made) == tile("9p")


def choice(made: Table, player: EfficientAgent | HeuristicAgent | None = None) -> int:
    """Return the action of a player, by default the efficient agent."""
    return int((player or EfficientAgent()).act(made.decision())[0])


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        ("1234567m288p1199s", "p"),  # two from ready without dots, else three or six
        ("123456m19p123456s", "p"),
        ("147m12p113355779s", "p"),  # as far without each of two suits: the fewer tiles
        ("12m147p113355779s", "m"),
        ("12m19p1134466799s", "p"),  # and as many tiles: the lesser total, a part of a run being worth more
        ("19m12p1134466799s", "m"),
    ],
)
def test_efficient_voids_the_suit_without_which_it_is_nearest(hand: str, suit: str) -> None:
    made = Table("sichuan", wall=wall([hand, "", "", ""], "mpsp"))
    assert choice(made) == Action.VOID + "mps".index(suit)


@pytest.mark.parametrize(
    ("hand", "given"),
    [
        ("2258m1234p123456s", "5m"),  # of the suit to void: a pair counts more than single tiles
        ("147m12p113355779s", "1m"),  # the suit to void has only two tiles
        ("11m12p3345577799s", "4s"),  # the only single tile of the one suit with three
    ],
)
def test_efficient_gives_the_least_tiles_of_the_suit_to_void_or_else_of_another(hand: str, given: str) -> None:
    made = Table("sichuan-exchange", wall=wall([hand, "", "", ""], "mpsp"))
    assert choice(made) == tile(given)


@pytest.mark.parametrize(
    ("hand", "laid"), [("2258m1234p123456s", tile("5m")), ("1234567m1199s888s", Action.VOID + 1)]
)
def test_efficient_lays_the_least_tile_of_the_suit_face_down_or_names_a_suit_that_it_lacks(
    hand: str, laid: int
) -> None:
    made = Table("sichuan-novikov", wall=wall([hand, "", "", ""], "mpsp"))
    assert choice(made) == laid


@pytest.mark.parametrize(
    ("hand", "discarded"),
    [
        ("1222333457889s5p", "5p"),  # 23 tiles for a flush, a half more each, instead of 34 with 8s
        ("3444677888999s5p", "8s"),  # 39 tiles instead of 23
        ("1444666778889s5p", "8s"),  # 34 tiles instead of 22
    ],
)
def test_efficient_counts_accepted_tiles_half_more_in_one_suit(hand: str, discarded: str) -> None:
    assert choice(table([hand, "", "", ""], "mmpp")) == tile(discarded)


def test_efficient_discards_for_the_most_points_of_its_waits() -> None:
    # Without 1s 222333444s55666p waits for all pungs and more; fewer kinds, but worth twice as much, decide.
    made = table(["2223334446s5566p", "", "", ""], "mmpp")
    assert choice(made) == tile("6s")


@pytest.mark.parametrize(
    ("rest", "answer"),
    [
        ("345m678m11m", KONG),  # ready before and after
        ("1245s456789m", PASS),  # 123s45s, which the kong breaks up
    ],
)
def test_efficient_makes_an_exposed_kong_that_does_not_set_it_back(rest: str, answer: int) -> None:
    made = table(["3s", "", f"333s{rest}", ""], "spps")
    discard(made, "3s")
    assert choice(made) == answer


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        ("33s234678m1147m", PUNG),
        ("33129s12345679m", PASS),  # three sets then, but no pair
        ("33s123456789m99s", PASS),  # ready before and after; the win waits for a self-draw
    ],
)
def test_efficient_makes_a_pung_that_brings_it_nearer(hand: str, answer: int) -> None:
    made = table(["3s", "", hand, ""], "spps")
    discard(made, "3s")
    assert choice(made) == answer


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        ("3333p14m789p11599s", Action.OWN_KONG + tile("3p")),
        ("3333p1246p456789s", tile("6p")),  # 3333p124p waits for 245p
    ],
)
def test_efficient_makes_a_concealed_kong_that_does_not_set_it_back(hand: str, action: int) -> None:
    assert choice(table([hand, "", "", ""], "mmss")) == action


def test_efficient_makes_no_kong_of_its_void_suit() -> None:
    made = table(["3333m1469p1368s14p", "", "", ""], "mpsp", void_kong=True)
    assert Action.OWN_KONG + tile("3m") in made.legal
    assert choice(made) == tile("3m")


def test_efficient_discards_the_void_tile_of_least_score() -> None:
    assert choice(table(["129m11245577899p", "", "", ""], "mssp")) == tile("9m")


def test_efficient_discards_the_lowest_of_equal_tiles() -> None:
    assert choice(table(["147m2589p13689s25p", "", "", ""], "mpsp")) == tile("1m")


def test_efficient_takes_a_self_draw_and_with_fewer_than_twenty_tiles_left_a_discard() -> None:
    made = table(["3s", "123456789m1299s", "", ""], "spmm")
    discard(made, "3s")
    for left, answer in ((int(made.record["left"]), PASS), (20, PASS), (19, Action.WIN)):
        made.record["left"] = left
        assert choice(made) == answer
    made = table(["", "123456789m1299s", "", ""], "spmm", draws="3s")
    made.act(made.legal[-1])
    assert choice(made) == Action.WIN


def test_the_heuristic_gives_away_tiles_of_the_least_suit_that_has_three() -> None:
    made = Table("sichuan-exchange", wall=wall(["19m258p113355779s", "", "", ""], "mpsp"))
    assert choice(made, HeuristicAgent()) == tile("2p")
    made = Table("sichuan-exchange", wall=wall(["123456m13p224589s", "", "", ""], "mpsp"))
    assert choice(made, HeuristicAgent()) == tile("8s")
    made = Table("sichuan-exchange", wall=wall(["19m1122344557p19s", "", "", ""], "mpsp"))
    assert choice(made, HeuristicAgent()) == tile("7p")


def test_the_heuristic_lays_the_least_tile_of_the_least_suit_face_down() -> None:
    made = Table("sichuan-novikov", wall=wall(["2258m1234p123456s", "", "", ""], "mpsp"))
    assert choice(made, HeuristicAgent()) == tile("5m")


def test_the_heuristic_makes_the_kong_of_the_highest_score() -> None:
    made = table(["1111p4444p2356s78s", "", "", ""], "mmss")
    kinds = [kind for kind in (tile("1p"), tile("4p")) if Action.OWN_KONG + kind in made.legal]
    assert len(kinds) == 2
    assert choice(made, HeuristicAgent()) == Action.OWN_KONG + tile("1p")
    made = table(["1111p444456p1479s", "", "", ""], "mmss")
    assert choice(made, HeuristicAgent()) == Action.OWN_KONG + tile("4p")  # part of a run as well


@pytest.mark.parametrize(
    ("hand", "answer"), [("33s114679p25789p", PUNG), ("333s14679p25789p", KONG), ("123456789p1299s", Action.WIN)]
)
def test_the_heuristic_makes_a_pung_or_kong_and_takes_a_win(hand: str, answer: int) -> None:
    made = table(["3s", "", hand, ""], "spms")
    discard(made, "3s")
    assert choice(made, HeuristicAgent()) == answer


def test_the_lowest_kind_can_be_the_best_kong() -> None:
    made = table(["1111m23m9999p2456p", "", "", ""], "ssmm")
    assert choice(made, HeuristicAgent()) == Action.OWN_KONG + tile("1m")
    made = table(["1111m789m115995s", "", "", ""], "ppmm")
    assert choice(made) == Action.OWN_KONG + tile("1m")


def test_an_agent_bears_the_name_that_it_is_given() -> None:
    assert (EfficientAgent().name, EfficientAgent("other").name) == ("efficient", "other")


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
