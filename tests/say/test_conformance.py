"""Requirements of every game's facet ``"say"``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.compiling import PLAIN, Batch, zeros
from janshi.games import GAMES, game_of, rules_of
from janshi.records import recorder_of
from janshi.review.advising import advise, advise_all, options_of, own_of, question_of
from janshi.say import say_of
from janshi.say.records import AdviceNumbers, DecisionOptions, OwnHand
from janshi.say.words import in_words
from janshi.table import Table, Tables

RULES = [name for game in GAMES.values() if "say" in game.facets for name in game.presets]
EFFICIENT = agent("efficient")


def moments(rules: str, count: int = 6, steps: int = 40) -> Iterator[Tables]:
    """Yield tables whose seats mostly play well, so that hands become tenpai and are won."""
    tables, dice = Tables(rules, count, 3), np.random.default_rng(3)
    for step in range(2 if PLAIN else steps):
        if step % 4 == 3:
            yield tables
        batch = tables.decisions()
        random = np.where(batch.legal, dice.random(batch.legal.shape), -1).argmax(axis=1)
        tables.step(np.where(dice.random(count) < 0.9, EFFICIENT.act(batch), random))


def words(rules: Any, views: Batch[Any], asked: Any, junk: int = 0) -> list[Any]:
    """Return all that is said of views, and of those (rows ``asked``) that decide, into memory that holds ``junk``."""
    say, found = say_of(game_of(rules)), []
    told = ((say.own, OwnHand, views), (say.question, DecisionOptions, asked), (say.advice, AdviceNumbers, asked))
    for write, record, part in told:
        out = zeros(record, len(part))
        np.asarray(out).view(np.uint8)[:] = junk
        write(part, out)
        known = np.asarray(out)["known"] if record is OwnHand else np.ones(len(part))
        found += [in_words(row, record, say.names, {}) for row in np.asarray(out)[known != 0]]
    return found


@pytest.mark.parametrize("name", RULES)
def test_words_depend_on_nothing_hidden_and_on_no_earlier_content(name: str) -> None:
    dice = np.random.default_rng(5)
    for tables in moments(name):
        rules, actors = tables.rules, tables.actors
        views = [tables.views(None, np.full(len(tables), seat)) for seat in range(rules.players)]
        told = [words(rules, view, np.asarray(view)[actors == seat]) for seat, view in enumerate(views)]
        for seat, view in enumerate(views):
            assert words(rules, view, np.asarray(view)[actors == seat], 0x5A) == told[seat]
            other = tables.copy()
            states: Any = other.states
            states["wall"] = dice.permuted(states["wall"], axis=1)
            for who in range(rules.players):
                if who != seat:
                    states["hands"][:, who] = dice.permutation(states["hands"][:, who])
            changed = other.views(None, np.full(len(tables), seat))
            assert words(rules, changed, np.asarray(changed)[actors == seat]) == told[seat]


@pytest.mark.parametrize("name", RULES)
def test_options_are_the_legal_actions_and_advice_is_sorted(name: str) -> None:
    for tables in moments(name):
        batch = tables.decisions()
        every = advise_all(batch, EFFICIENT)
        assert every[-1] == advise(batch.part([len(batch) - 1]), EFFICIENT)
        for row, advice in enumerate(every):
            asked, legal = question_of(batch.part([row])), np.flatnonzero(batch.legal[row]).tolist()
            assert list(dict.fromkeys(option.action for option in asked["options"])) == legal
            assert advice.best in legal
            assert {one.action for one in advice.preferences} <= set(legal)
            assert sum(one.share for one in advice.preferences) == pytest.approx(1, abs=0.02)
            discards = {option.action for option in asked["options"] if option.name == "discard"}
            assert {action for one in advice.candidates for action in one.actions} == discards
            order = [(one.shanten, -one.left) for one in advice.candidates]
            assert order == sorted(order)
            for one in advice.candidates:
                assert one.left == sum(kind.left for kind in one.accepts)
            tenpai = {one.tile for one in advice.candidates if one.shanten == 0}
            assert {one["tile"].removesuffix("r") for one in asked["discards"]} == tenpai
            wins = [option.tile for option in asked["options"] if option.name in ("win", "tsumo", "ron")]
            assert [tile.removesuffix("r") for tile in wins if tile] == [asked["win"].tile for _ in wins]
            assert wins or asked["win"] is None


#: Events of actions with other names.
EVENTS = {"dahai": ("discard",), "nukidora": ("kita",), "hora": ("ron", "tsumo"), "lay_aside": ("give",)}


@pytest.mark.parametrize("name", ["tenhou-sanma", "tenhou", "sichuan-exchange"])
def test_options_name_the_tiles_of_their_events(name: str) -> None:
    dice, kinds = np.random.default_rng(5), set()
    for seed in range(1 if PLAIN else 6):
        table = Table(name, seed)
        story = recorder_of(table.rules).story(table.record, table.rules, list("abcd")[: table.rules.players])
        while not table.over:
            story.update()
            if table.hand_over:
                table.next_hand()
                continue
            seat, options = table.actor, options_of(table.decision())
            option = dice.choice(np.array([one for one in options if one.name != "pass"] or options, object))
            table.act(option.action)
            for event in story.update():
                if event.get("actor") == seat and option.name in EVENTS.get(event["type"], (event["type"],)):
                    assert event.get("pai", option.tile) == option.tile
                    if option.tiles:
                        assert sorted(event["consumed"]) == sorted(option.tiles)
                    if event["type"] == "dahai" and name != "sichuan-exchange":
                        assert event["tsumogiri"] == option.tsumogiri
                    kinds.add(option.name)
                    break
    wanted = {"discard", "pon", "daiminkan", "kakan", "win" if "sichuan" in name else "ankan"}
    assert PLAIN or wanted <= kinds


@pytest.mark.parametrize("name", ["tenhou", "sichuan"])
def test_a_hand_is_known_as_soon_as_it_is_dealt(name: str) -> None:
    table = Table(rules_of(name), seed=1)
    own = own_of(table.rules, table._tables.views([0], [2]))
    assert own is not None
    assert set(own) == {"shanten", "waits", "furiten", "worth"}
