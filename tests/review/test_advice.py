"""Advice: ukeire and safety compared with counts by hand, and no hidden information."""

import numpy as np
import pytest

from janshi.agents import AgentError, RandomAgent
from janshi.compiling import PLAIN, dtype_of, zeros
from janshi.review.model import Accepted, Option
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.analysis.danger import CLASSES, ENDS, HONOURS, SAFE, rates, risk_of, safety_of
from janshi.riichi.game import RIICHI
from janshi.riichi.hands import ukeire
from janshi.riichi.records.live import Story
from janshi.riichi.review import advise, advise_all, options_of
from janshi.riichi.rules import MAHJONG_SOUL, TENHOU, TENHOU_SANMA
from janshi.riichi.state import State, View
from janshi.sichuan.review.advice import advise_sichuan
from janshi.table import DecisionBatch, Table, Tables
from janshi.tiles import from_mjai, kind_of
from tests.rules.tables import make_table, offer, seen_outside, throw

EFFICIENT = EfficientAgent()
#: Checked decisions of each table, and the minimum number of discards against a riichi among them.
STEPS, COMPARED = (12, 0) if PLAIN else (45, 100)


def advice_of(table):
    return advise(table.decision(), EFFICIENT)


def candidates(table):
    return {one.tile: one for one in advice_of(table).candidates}


def accepted(**left):
    return [Accepted(name, count) for name, count in left.items()]


WRONG_SHARES = {
    "that are not finite": lambda shares: np.full_like(shares, np.nan),
    "below 0": lambda shares: shares - np.float32(0.5),
    "for illegal actions": lambda shares: np.full_like(shares, 1 / shares.shape[1]),
    "whose sum is not 1": lambda shares: 2 * shares,
    "floats are wanted": lambda shares: shares[:, :-1],
    "int64": lambda shares: shares.astype(np.int64),
}


@pytest.mark.parametrize("words", WRONG_SHARES)
@pytest.mark.parametrize("rules", ["tenhou", "sichuan"])
def test_wrong_preferences_of_a_reviewer_are_named(words, rules):
    class Odd:
        name = "odd"
        players = frozenset({3, 4})
        games = None

        def act(self, batch):
            return batch.legal.argmax(axis=1).astype(np.int16)

        def preferences(self, batch):
            return WRONG_SHARES[words](batch.legal / np.float32(batch.legal.sum(axis=1, keepdims=True)))

    batch = Table(rules, seed=3).decision()
    with pytest.raises(AgentError, match=f"player 'odd' gives preferences .*{words}"):
        (advise if rules == "tenhou" else advise_sichuan)(batch, Odd())


# ---------------------------------------------------------------------------------------------------------
# Constructed hands


def test_at_one_shanten_both_ends_and_both_pairs_are_accepted():
    table = make_table(TENHOU, ["1239m456p78s1155z"], "2z", dora="9s")
    after = candidates(table)["9m"]
    assert (after.shanten, after.furiten, after.safety) == (1, False, {})
    # 9s is the indicator; the hand contains two each of 1z and 5z.
    assert after.accepts == [Accepted("6s", 4), Accepted("9s", 3), Accepted("E", 2), Accepted("P", 2)]
    assert after.left == 11
    assert after.actions == [8]


def test_worse_discards_come_later_and_shanten_is_that_of_the_hand():
    table = make_table(TENHOU, ["1239m456p78s1155z"], "2z", dora="9s")
    advice = advice_of(table)
    assert advice.shanten == 1
    assert [one.tile for one in advice.candidates[:2]] == ["9m", "S"]
    assert candidates(table)["4p"].shanten == 2


def test_a_tenpai_hand_has_waits_and_furiten_by_its_own_river():
    table = make_table(TENHOU, ["123m456p789s1155z"], "9m", dora="9p")
    ready = candidates(table)["9m"]
    assert (ready.shanten, ready.left, ready.furiten) == (0, 4, False)
    assert ready.accepts == [Accepted("E", 2), Accepted("P", 2)]
    table.state.seats[0].river_mask = 1 << 31
    assert candidates(table)["9m"].furiten
    assert not candidates(table)["1m"].furiten, "not ready then"


def test_the_discard_itself_can_cause_furiten():
    table = make_table(TENHOU, ["23m456p789s111z55z"], "1m", dora="9p")
    assert candidates(table)["1m"].furiten
    assert [one.tile for one in candidates(table)["1m"].accepts] == ["1m", "4m"]


def test_drawn_held_and_red_tiles_are_one_candidate():
    table = make_table(TENHOU, ["129m05p456p78s115z"], "5p")
    five = candidates(table)["5p"]
    assert five.actions == [13, 35, Action.TSUMOGIRI]


def test_calls_count_as_sets():
    table = make_table(TENHOU, ["", "55z234m567p2499s1p"], "5z")
    offer(table, 0, "5z")
    table.act(Action.PON)
    after = candidates(table)["1p"]
    assert (after.shanten, after.accepts, after.left) == (0, [Accepted("3s", 4)], 4)


def test_with_three_players_only_existing_tiles_are_accepted():
    table = make_table(TENHOU_SANMA, ["19m123p456p1199s1z"], "7z")
    names = {one.tile for advice in candidates(table).values() for one in advice.accepts}
    assert names.isdisjoint({f"{number}m" for number in range(2, 9)})
    assert {"1m", "9m"} <= names


def test_the_hand_after_a_call():
    table = make_table(TENHOU, ["", "55z234m567p2499s1p"], "5z")
    offer(table, 0, "5z")
    advice = advice_of(table)
    assert advice.shanten == 1
    assert advice.candidates == []
    (pon,) = advice.after
    assert (pon.action, pon.shanten, pon.discard, pon.left) == (Action.PON, 0, "1p", 4)
    assert pon.accepts == [Accepted("3s", 4)]


def test_the_called_tile_is_not_discarded_at_once():
    # 4m called for 23m or 56m: 1m and 4m, or 4m and 7m, cannot be discarded.
    table = make_table(TENHOU, ["", "123567m99p99s19p1z"], "4m")
    offer(table, 0, "4m")
    low = {one.action: one for one in advice_of(table).after}
    assert low[Action.CHII + 2].discard not in ("1m", "4m")
    assert low[Action.CHII].discard not in ("4m", "7m")
    loose = make_table(MAHJONG_SOUL, ["", "123567m99p99s19p1z"], "4m")
    assert int(loose.state.rules.kuikae) == int(table.state.rules.kuikae)


def test_the_hand_after_a_kita():
    table = make_table(TENHOU_SANMA, ["123456p789s55z7p4z"], "8p")
    (kita,) = [one for one in advice_of(table).after if one.action == Action.KITA]
    assert (kita.shanten, kita.discard) == (0, None)
    assert {one.tile for one in kita.accepts} == {"3p", "6p", "9p"}, "12 345 678, 123 45 678, 123 456 78"


# ---------------------------------------------------------------------------------------------------------
# Safety


def against_riichi(rules=TENHOU, **passed):
    """Return seat 1's candidates; seat 0 is in riichi, has discarded 4p 7z and passed 9s."""
    table = make_table(rules, ["", "1478p36789s5577z"], "")
    table.act(table.legal[0])
    while table.actor != 1 or int(table.state.phase):
        table.act(Action.PASS)
    table.state.seats[0].riichi = 1
    table.state.seats[0].river_mask = 1 << 12 | 1 << 33
    table.state.seats[0].passed = 1 << 26
    return {name: one.safety for name, one in candidates(table).items()}


def test_the_own_river_and_passed_tiles_are_safe():
    safety = against_riichi()
    assert safety["4p"] == safety["C"] == safety["9s"] == {"0": "safe"}


def test_suji_needs_every_two_sided_wait_gone():
    safety = against_riichi()
    assert safety["1p"] == {"0": "suji"}, "23p would wait for 4p as well"
    assert safety["7p"] == {"0": "suji"}, "56p would wait for 4p as well; 89p is no two-sided wait"
    assert safety["8p"] == {"0": "open"}, "5p has not passed"
    assert safety["6s"] == {"0": "open"}, "9s has passed, 3s not"
    assert safety["3s"] == {"0": "open"}


def test_honours_are_scarce_when_no_pair_is_hidden():
    table = make_table(TENHOU, ["", "147p369s555z66z12z"], "")
    table.act(table.legal[0])
    while table.actor != 1 or int(table.state.phase):
        table.act(Action.PASS)
    table.state.seats[0].riichi = 1
    table.state.seats[0].river_mask = 0
    safety = {name: one.safety["0"] for name, one in candidates(table).items()}
    assert safety["P"] == "scarce"
    assert safety["F"] == "open"


def test_without_riichi_there_is_no_safety():
    table = make_table(TENHOU, ["1239m456p78s1155z"], "2z")
    assert all(one.safety == {} for one in advice_of(table).candidates)


def test_a_tile_that_passes_a_riichi_is_safe_from_then_on():
    table = make_table(
        TENHOU, ["234m567p345s11z99s", "147m147p147s2234z", "258m258p258s2235z", "369m369p369s3346z"], "7z7z9m9m9m"
    )
    table.act(Action.RIICHI)  # 7z is its only legal discard then
    assert candidates(table)["1m"].safety == {"0": "open"}
    throw(table, 1, "1m")
    assert table.actor == 2
    throw(table, 2, "8p")
    assert candidates(table)["3m"].safety == {"0": "open"}
    assert int(table.state.seats[0].passed) == 1 << 0 | 1 << 16


# ---------------------------------------------------------------------------------------------------------
# Random games


def random_play(rules, count, steps, seed=3):
    """Yield tables and their decisions; one decision in ten is random, so that all kinds occur."""
    tables, dice = Tables(rules, 4 if PLAIN else count, seed), np.random.default_rng(seed)
    for _ in range(steps):
        batch = tables.decisions()
        legal = batch.legal
        yield tables, batch
        likes = np.where(legal, dice.random(legal.shape) + (np.arange(ACTIONS) == Action.RIICHI), -1)
        sense = dice.random(len(legal)) < 0.9
        tables.step(np.where(sense, EFFICIENT.act(batch), likes.argmax(axis=1)))


def class_by_hand(cannot, players, kind, unseen):
    """Return the class of a discard, from the possible two-sided waits."""
    if kind in cannot:
        return SAFE
    if kind >= 27:
        return HONOURS + min(unseen, 3)
    if players == 3 and kind < 9:
        return ENDS + min(unseen, 3)
    sides = 0
    for pair in ((kind - 2, kind - 1), (kind + 1, kind + 2)):
        ends = (min(pair) - 1, max(pair) + 1)
        whole = all(one >= 0 and one // 9 == kind // 9 for one in (*pair, *ends))
        sides += whole and not any(one in cannot for one in ends)
    return 3 * min(kind % 9, 8 - kind % 9) + sides


@pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda one: one.name)
@pytest.mark.parametrize(("steps", "least"), [(STEPS, COMPARED), pytest.param(120, 1000, marks=pytest.mark.long)])
def test_advice_is_that_of_janshi_hand_and_of_the_classes_of_danger_and_hidden_tiles_change_nothing(
    rules, steps, least
):
    dice, compared = np.random.default_rng(8), 0
    for tables, batch in random_play(rules, 10, steps):
        states = np.asarray(tables.states).copy()
        all_advice = advise_all(batch, EFFICIENT)
        for at, advice in enumerate(all_advice):
            check_preferences(advice, batch.legal[at])
            check_candidates(advice, states[at], rules.players)
            compared += check_danger(advice, states[at], rules.players)
        assert advise_all(with_others_hidden(rules, states, batch, dice), EFFICIENT) == all_advice
    assert compared >= least


def check_preferences(advice, legal):
    """Check that candidates are the legal discards, the best first."""
    ways = sorted(action for one in advice.candidates for action in one.actions)
    assert ways == np.flatnonzero(legal[:38]).tolist()
    assert legal[advice.best]
    order = [(one.shanten, -one.left) for one in advice.candidates]
    assert order == sorted(order)
    assert sum(one.share for one in advice.preferences) == pytest.approx(1, abs=0.02)


def check_candidates(advice, state, players):
    seat = int(state["actor"])
    calls = int(state["seats"][seat]["calls"])
    hand = state["hands"][seat]["counts"]
    expected = ukeire(hand, seen_outside(state), calls=calls, players=players)
    if not advice.candidates:
        assert expected[0].shanten == advice.shanten
    by_kind = {one.discard: one for one in expected}
    for one in advice.candidates:
        other = by_kind[from_mjai(one.tile)]
        assert (one.shanten, one.left) == (other.shanten, other.left)
        assert [from_mjai(kind.tile) for kind in one.accepts] == list(other.accepted)


def check_danger(advice, state, players):
    """Compare safety and risk with those of a discard's class; return their number."""
    me, compared = int(state["actor"]), 0
    threats = [seat for seat in range(players) if seat != me and state["seats"][seat]["riichi"]]
    hidden = 4 - state["hands"][me]["counts"].astype(int) - seen_outside(state)
    assert (advice.risk is not None) == bool(threats and advice.candidates)
    for one in advice.candidates:
        assert sorted(one.safety) == [str(seat) for seat in threats]
        kind, passes = kind_of(from_mjai(one.tile)), 1.0
        for seat in threats:
            mask = int(state["seats"][seat]["river_mask"]) | int(state["seats"][seat]["passed"])
            cannot = {other for other in range(34) if mask >> other & 1}
            number = class_by_hand(cannot, players, kind, int(hidden[kind]))
            assert one.safety[str(seat)] == safety_by_hand(cannot, kind, number, hidden)
            row = min(int(state["seats"][me]["discards"]) // 6, 2)
            passes *= 1 if number == SAFE else 1 - rates()[players - 3, number, row]
            compared += 1
        for action in one.actions if threats else []:
            assert advice.risk[action] == pytest.approx(1 - passes, abs=1e-4)
    return compared


def safety_by_hand(cannot, kind, number, hidden):
    """Return the safety of a discard, with each two-sided wait that can win written out."""
    if safety_of(number) != "open" or number >= HONOURS:
        return safety_of(number)
    rank, least = kind % 9, []
    if rank >= 3 and kind - 3 not in cannot:
        least.append(min(hidden[kind - 1], hidden[kind - 2]))
    if rank <= 5 and kind + 3 not in cannot:
        least.append(min(hidden[kind + 1], hidden[kind + 2]))
    return {0: "no_chance", 1: "one_chance"}.get(int(max(least)), "open")


def with_others_hidden(rules, states, batch, dice):
    """Return the same decisions at tables with other hidden information."""
    for name in ("wall", "log", "wins", "winning", "value", "seed"):
        if name in dtype_of(State).names:
            noise = states[name]
            states[name] = dice.permutation(noise.reshape(-1)).reshape(noise.shape)
    for at in range(len(states)):
        others = [seat for seat in range(4) if seat != int(states["actor"][at])]
        states["hands"][at, others] = states["hands"][dice.integers(len(states)), others]
    views = zeros(View, len(states))
    RIICHI.views(states, states["actor"].copy(), views)
    return DecisionBatch(rules, views, batch.legal)


def test_counted_rates_agree_with_common_knowledge():
    found = rates()
    assert found.shape == (2, CLASSES, 3)
    assert ((found >= 0) & (found < 0.35)).all()
    four = found[1]
    for place in range(5):
        sides = [3 * place, 3 * place + 1] + ([3 * place + 2] if place >= 3 else [])
        assert (np.diff(four[sides], axis=0) > 0).all(), "each two-sided wait more is more dangerous"
    assert (np.diff(four[[0, 3, 6]], axis=0) > 0).all(), "suji: 1 and 9 before 2 and 8 before 3 and 7"
    assert (np.diff(four[HONOURS : HONOURS + 4], axis=0) >= 0).all(), "the fewer are unseen the safer"
    assert (np.diff(found[:, :ENDS].sum(axis=1), axis=1) > 0).all(), "the later the more dangerous"


def test_risks_against_two_riichi_combine():
    one, other = np.full(4, -2, np.int8), np.full(4, -2, np.int8)
    one[1], other[2] = 14, 4
    alone = [risk_of(one, 4, 1), risk_of(other, 4, 1)]
    both = np.where(other == -2, one, other)
    assert risk_of(both, 4, 1) == pytest.approx(1 - (1 - alone[0]) * (1 - alone[1]))
    safe = np.full(4, -2, np.int8)
    safe[3] = SAFE
    assert risk_of(safe, 4, 1) == 0


def test_agents_that_only_act_do_not_review():
    with pytest.raises(AgentError, match="'random' cannot review"):
        advise(Table(TENHOU_SANMA).decision(), RandomAgent())


def test_no_decisions_no_advice_and_no_riichi_no_risk():
    assert advise_all(Table(TENHOU_SANMA).decision().part([]), EFFICIENT) == []
    batch = Tables(TENHOU, 3).decisions()
    assert not batch.legal[:, Action.RIICHI].any()
    assert all(advice.risk is None for advice in advise_all(batch, EFFICIENT))


# ---------------------------------------------------------------------------------------------------------
# Options


def options(table):
    return {one.action: one for one in options_of(table.view(table.actor), table.rules, table.legal)}


def test_a_chii_names_its_tiles():
    table = make_table(TENHOU, ["", "1204m6m999p999s11z"], "3m")
    offer(table, 0, "3m")
    there = options(table)
    assert there[Action.CHII_RED] == Option(42, "chi", "3m", ["4m", "5mr"])
    assert there[Action.CHII + 1] == Option(40, "chi", "3m", ["2m", "4m"])
    assert there[Action.CHII + 2] == Option(41, "chi", "3m", ["1m", "2m"])


def test_pons_with_and_without_the_red_five():
    table = make_table(TENHOU, ["", "550p19m123s789s17z"], "5p")
    offer(table, 0, "5p")
    there = options(table)
    assert sorted(there[Action.PON + 1].tiles) == ["5p", "5pr"]
    assert there[Action.PON].tiles == ["5p", "5p"]
    assert sorted(there[Action.DAIMINKAN].tiles) == ["5p", "5p", "5pr"]
    assert there[Action.PASS] == Option(Action.PASS, "pass")


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_options_describe_actions(rules):
    dice, kinds = np.random.default_rng(5), set()
    for seed in range(1 if PLAIN else 12):
        table = Table(rules, seed)
        story = Story(table.record, table.rules, ["a", "b", "c", "d"][: table.rules.players])
        story.update()
        while not table.over:
            if table.hand_over:
                table.next_hand()
                story.update()
                continue
            seat, there = table.actor, options(table)
            legal = [one for one in table.legal if one != Action.PASS] or table.legal
            action = int(dice.choice(legal if dice.random() < 0.9 else table.legal))
            table.act(action)
            option = there[action]
            for event in story.update():
                if event.get("actor") != seat:
                    continue
                if event["type"] == "dahai" and option.name == "discard":
                    assert (event["pai"], event["tsumogiri"]) == (option.tile, option.tsumogiri)
                elif event["type"] == option.name:
                    assert event.get("pai", option.tile) == option.tile
                    if option.name != "kakan":
                        assert sorted(event["consumed"]) == sorted(option.tiles)
                elif (event["type"], option.name) in (("nukidora", "kita"), ("hora", "ron"), ("hora", "tsumo")):
                    assert event["pai"] == option.tile
                else:
                    continue
                kinds.add(option.name)
                break
    assert PLAIN or {"discard", "pon", "daiminkan", "ankan", "kakan", "ron"} <= kinds
