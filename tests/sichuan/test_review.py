"""Options and advice of Sichuan mahjong at constructed tables: ``tests/vectors/sichuan-review.json``."""

from __future__ import annotations

import dataclasses

import pytest

from janshi.agents import agent
from janshi.review.advising import advise, options_of, question_of
from janshi.review.model import Advice, Option
from janshi.sichuan.agents import EfficientAgent
from janshi.sichuan.state import Phase
from janshi.table import Table
from tests.claims import Row, claims
from tests.sichuan.tables import PASS, SICHUAN_WORDS, action_word, table, tile, wall


def advice(made: Table) -> Advice:
    """Return the advice of the efficient agent to the actor."""
    return advise(made.decision(), EfficientAgent())


def options(made: Table, of: str = "") -> str:
    """Return the actor's options, those of a name, a tile or a place alone: action, name, tile, tiles of the hand."""
    every: list[Option] = options_of(made.decision())
    every = [every[int(of)]] if of.isdigit() else [option for option in every if of in ("", option.name, option.tile)]
    return ", ".join(
        " ".join(
            [
                *(str(part) for part in (option.action, option.name, option.tile) if part is not None),
                *(["tsumogiri"] if option.tsumogiri else []),
                *(["with", *option.tiles] if option.tiles else []),
            ]
        )
        for option in every
    )


def kinds_of_options(made: Table, _: str) -> str:
    return " ".join({option.name for option in options_of(made.decision())})


def worth(made: Table) -> str:
    """Return the tile of the win that the actor may take, and its fans."""
    value = question_of(made.decision())["win"]
    return "" if value is None else " ".join([value.tile, *(f"{fan.name} {fan.fan}" for fan in value.fans)])


def after(made: Table) -> str:
    """Return calls with the discard after them, its shanten, tiles left, and the kinds accepted."""
    return ", ".join(
        f"{action_word(one.action, made)} {one.discard} {one.shanten} {one.left} "
        + " ".join(part.tile for part in one.accepts)
        for one in advice(made).after
    )


def after_actions(made: Table) -> str:
    """Return the calls, and the last one's discard and shanten."""
    calls = advice(made).after
    return f"{', '.join(action_word(one.action, made) for one in calls)} {calls[-1].discard or '-'} {calls[-1].shanten}"


WORDS = dataclasses.replace(
    SICHUAN_WORDS,
    facts={
        "options": options,
        "kinds": kinds_of_options,
        "worth": worth,
        "after": after,
        "after_actions": after_actions,
        "shanten": lambda made: advice(made).shanten,
        "advised": lambda made: action_word(advice(made).best, made),
        "discards": lambda made: " ".join(one.tile for one in advice(made).candidates),
        "furiten": lambda made: " ".join(one.tile for one in advice(made).candidates if one.furiten),
        "suits": lambda made: ", ".join(f"{one.suit} {one.tiles} {one.shanten}" for one in advice(made).voids),
        "safe": lambda made, name: "".join(
            seat for one in advice(made).candidates if one.tile == name for seat in one.safety
        ),
    },
)


@pytest.mark.parametrize("row", claims("sichuan-review"))
def test_options_and_advice(row: Row) -> None:
    WORDS.check(row)


def test_discards_are_sorted_by_shanten_and_tiles_left_with_waits_and_their_worth() -> None:
    made = table(["9p123456p1155578s", "", "", ""], "mmpp")
    given = advice(made)
    assert (given.by, given.best, given.shanten) == ("efficient", tile("9p"), 0)
    best = given.candidates[0]
    assert (best.tile, best.actions, best.shanten, best.left) == ("9p", [tile("9p")], 0, 8)
    assert [(part.tile, part.left) for part in best.accepts] == [("6s", 4), ("9s", 4)]
    assert [(value.tile, value.points) for value in best.worth] == [("6s", 1), ("9s", 1)]
    order = [(candidate.shanten, -candidate.left) for candidate in given.candidates]
    assert order == sorted(order)
    assert len(given.candidates) == len(made.legal)
    assert not any(candidate.worth for candidate in given.candidates if candidate.shanten > 0)
    assert (given.after, given.voids) == ([], [])


def test_the_reviewer_itself_advises_in_play_by_rules_with_tiles_face_down() -> None:
    made = Table("sichuan-novikov", wall=wall(["1469m258p1368s147p", "", "", ""], "mpsp"))
    while int(made.state.phase) != Phase.TURN:
        made.act(PASS if PASS in made.legal else made.legal[0])
    assert advise(made.decision(), EfficientAgent("other")).by == "other"


@pytest.mark.parametrize("rules", ["sichuan-exchange", "sichuan-novikov"])
def test_the_shipped_player_advises_on_the_exchange_and_the_tile_face_down(rules: str) -> None:
    pytest.importorskip("onnxruntime")
    made = Table(rules, wall=wall(["2258m1234p123456s", "", "", ""], "mpsp"))
    given = advise(made.decision(), agent("sichuan"))
    assert given.by == "sichuan"
    assert given.best in made.legal
