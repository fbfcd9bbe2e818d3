"""Requirements of every encoder, and an encoder that reads the log of the hand.

Encoders read views and logs alone, which contain nothing hidden: see `tests.games.test_conformance`.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from janshi.compiling import Int16s, rule
from janshi.core.game import RuleSet
from janshi.encoders import ENCODERS, Encoder, EncoderError, Layout, encoder, register
from janshi.games import game_of
from janshi.riichi.encoders.symmetry import turned
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import Event, Events, View
from janshi.sichuan.rules import SICHUAN
from janshi.table import DecisionBatch, Tables

KINDS_OF_EVENTS = len(Event)


@rule
def write_event_counts(view: View, events: Events, counts: Int16s) -> None:
    """Write the counts of events, of visible draws and of hidden draws."""
    for index in range(int(events.count)):
        event, tile = int(events.rows[4 * index]), int(events.rows[4 * index + 2])
        counts[event] += 1
        if event == Event.DRAW:
            counts[KINDS_OF_EVENTS + (0 if tile >= 0 else 1)] += 1


#: An encoder that reads the log of the hand, as for networks over sequences.
EVENT_COUNTS = Encoder(
    name="test-event-counts",
    write=write_event_counts,
    columns=(*(event.name for event in Event), "draws seen", "draws not seen"),
    layout=Layout.NUMBERS,
    symmetric=False,
    number_shape=(1, KINDS_OF_EVENTS + 2),
)

EVERY = [
    pytest.param(one, rules, id=f"{one.name}-{rules.players}")
    for one in (*ENCODERS.values(), EVENT_COUNTS)
    for rules in (TENHOU_SANMA, TENHOU, SICHUAN)
    if one.game == game_of(rules).name and rules.players in one.players and not one.name.startswith("example")
]


def decisions(rules: RuleSet, tables: int = 40, played: int = 23, seed: int = 1) -> tuple[Tables, DecisionBatch]:
    batch = Tables(rules, tables, seed)
    batch.play_random(played)
    return batch, batch.decisions()


@pytest.mark.parametrize(("shown", "rules"), EVERY)
def test_shapes_and_types_are_as_described(shown: Encoder, rules: RuleSet):
    _, batch = decisions(rules)
    packed = shown.encode(batch)
    assert packed.shape == (40, *shown.packed_shape)
    assert packed.dtype == shown.packed_dtype
    inputs = shown.inputs(packed)
    assert inputs.shape == (40, *shown.shape)
    assert inputs.dtype == shown.dtype
    assert len(shown.columns) == shown.packed_shape[0]
    assert shown.encode(batch.part(np.zeros(0, np.int64))).shape == (0, *shown.packed_shape)


@pytest.mark.parametrize("shown", [*ENCODERS.values(), EVENT_COUNTS], ids=lambda shown: shown.name)
def test_names_exist_and_are_unique(shown: Encoder):
    assert len(set(shown.columns)) == len(shown.columns)
    assert all(name.strip() for name in shown.columns)
    if shown.extends is not None:
        first = encoder(shown.extends)
        assert shown.columns[: len(first.columns)] == first.columns


@pytest.mark.parametrize(("shown", "rules"), EVERY)
def test_an_encoding_does_not_depend_on_batch_and_threads(shown: Encoder, rules: RuleSet):
    _, batch = decisions(rules)
    batch.with_events()
    packed = shown.encode(batch)
    views = np.asarray(batch.views).copy()
    assert (shown.encode(batch) == packed).all()
    assert (shown.encode(batch, threads=3) == packed).all()
    assert (np.asarray(batch.views) == views).all(), "the views are as they were"
    order = np.random.default_rng(1).permutation(40)
    assert (shown.encode(batch.part(order)) == packed[order]).all()
    assert (shown.encode(batch.part([17])) == packed[17]).all()


@pytest.mark.parametrize(("shown", "rules"), EVERY)
def test_every_number_is_written(shown: Encoder, rules: RuleSet):
    """The earlier content of the memory does not matter."""
    _, batch = decisions(rules)
    batch.with_events()
    packed = shown.encode(batch)
    for poison in (0x7F, 0x5A):
        out = np.full_like(packed, poison)
        assert shown.encode_views(batch.views, batch.events, out=out) is out
        assert (out == packed).all()


@pytest.mark.parametrize(("shown", "rules"), EVERY)
def test_bound_to_views_it_writes_the_same(shown: Encoder, rules: RuleSet):
    tables, batch = decisions(rules)
    if shown.wants_events:
        with pytest.raises(EncoderError, match="reads the logs"):
            shown.bind(rules, batch.views, packed=True)
        return
    kept, inputs = (shown.bind(rules, batch.views, packed=packed) for packed in (True, False))
    first, packed = kept(), shown.encode(batch)
    assert (first == packed).all()
    assert (inputs() == shown.inputs(packed)).all()
    tables.play_random(7)
    np.asarray(batch.views)[:] = tables.views()
    packed_later = shown.encode_views(batch.views)
    assert (packed_later != packed).any()
    assert (kept() == packed_later).all()
    assert (inputs() == shown.inputs(packed_later)).all()
    assert (first == packed).all(), "what was returned before is the caller's"


@pytest.mark.parametrize(("shown", "rules"), [case for case in EVERY if case.values[0].layout is Layout.MASKS])
def test_masks_contain_only_the_34_kinds(shown: Encoder, rules: RuleSet):
    _, batch = decisions(rules)
    packed = shown.encode(batch)
    assert (packed >= 0).all()
    assert (packed < 1 << 34).all()
    inputs = shown.inputs(packed)
    assert inputs.max() == 1
    assert ((inputs.astype(np.int64) << np.arange(34)).sum(axis=2) == packed).all()


@pytest.mark.parametrize(
    ("shown", "rules"), [one for one in EVERY if one.values[0].symmetric and one.values[1] is TENHOU_SANMA]
)
def test_equivalent_suits_can_be_swapped_in_masks(shown: Encoder, rules: RuleSet):
    """Swapping twice is the identity, and the number of kinds in each column does not change."""
    _, batch = decisions(rules)
    packed = shown.encode(batch)
    for turn in range(4):
        turns = np.full(40, turn, np.uint8)
        once = turned(packed, turns)
        assert (turned(once, turns) == packed).all()
        assert (np.bitwise_count(once.astype(np.uint64)) == np.bitwise_count(packed.astype(np.uint64))).all()


# ---------------------------------------------------------------------------------------------------------
# Errors


def test_an_unknown_name_is_refused():
    with pytest.raises(EncoderError, match="no encoder 'nothing': there are meowjong, janshi, table"):
        encoder("nothing")
    with pytest.raises(EncoderError, match="there is an encoder 'janshi' already"):
        register(dataclasses.replace(encoder("janshi")))
    assert register(encoder("janshi")) is encoder("janshi")


def test_unsupported_rules_are_refused():
    batch = Tables(TENHOU_SANMA, 2).decisions()
    long = encoder("long")
    views = batch.views
    for refused in (lambda: long.encode(batch), lambda: long.encode_views(views), lambda: long.check(TENHOU_SANMA)):
        with pytest.raises(EncoderError, match="for games of 4 players, not of 3"):
            refused()
    elsewhere = dataclasses.replace(EVENT_COUNTS, name="elsewhere", game="go")
    with pytest.raises(EncoderError, match="is for go, not for riichi"):
        elsewhere.encode(batch)


@pytest.mark.parametrize(("shown", "rules"), {case.values[0]: case.values[1] for case in EVERY}.items())
def test_wrong_shapes_are_refused(shown: Encoder, rules: RuleSet):
    batch = Tables(rules, 3).decisions().with_events()
    packed = shown.encode(batch)
    for wrong in (packed[:, :-1], np.pad(packed, ((0, 0), (0, 1))), packed[0], packed[None]):
        with pytest.raises(EncoderError, match=f"encoder '{shown.name}' packs"):
            shown.inputs(wrong)
    for out in (packed[:2].copy(), packed[:, :-1].copy(), packed.astype(np.int32), np.asfortranarray(packed)):
        with pytest.raises(EncoderError, match=f"encoder '{shown.name}' writes"):
            shown.encode_views(batch.views, batch.events, out=out)
    for views in (np.zeros(3), np.asarray(batch.views).reshape(1, 3), np.asarray(batch.views)["hand"]):
        with pytest.raises(EncoderError, match="takes an array"):
            shown.encode_views(views, batch.events)


def test_descriptions_that_contradict_themselves_are_refused():
    with pytest.raises(ValueError, match="has two columns 'DRAW'"):
        dataclasses.replace(EVENT_COUNTS, columns=("DRAW", "DRAW"))
    with pytest.raises(ValueError, match=r"has 13 numbers, not \(2, 7\)"):
        dataclasses.replace(EVENT_COUNTS, number_shape=(2, 7))
    with pytest.raises(ValueError, match="number_shape belongs to"):
        dataclasses.replace(encoder("janshi"), number_shape=(401,))


# ---------------------------------------------------------------------------------------------------------
# The log of the hand


def test_an_encoder_receives_the_log_on_request():
    tables, batch = decisions(TENHOU_SANMA)
    assert EVENT_COUNTS.wants_events
    assert not encoder("janshi").wants_events
    counts = EVENT_COUNTS.encode(batch)
    logs = np.asarray(tables.states)["log"].reshape(40, -1, 4)
    logged = np.asarray(tables.states)["logged"]
    for row, log, length, seat in zip(counts, logs, logged, batch.seats, strict=True):
        events = log[:length]
        assert row[:KINDS_OF_EVENTS].tolist() == np.bincount(events[:, 0], minlength=KINDS_OF_EVENTS).tolist()
        draws = events[events[:, 0] == Event.DRAW]
        assert row[KINDS_OF_EVENTS] == (draws[:, 1] == seat).sum(), "its own draws alone are seen"
        assert row[KINDS_OF_EVENTS + 1] == (draws[:, 1] != seat).sum()
    assert EVENT_COUNTS.inputs(counts).shape == (40, 1, KINDS_OF_EVENTS + 2)


def test_without_the_log_it_is_refused():
    _, batch = decisions(TENHOU_SANMA)
    with pytest.raises(EncoderError, match="reads the logs of hands"):
        EVENT_COUNTS.encode_views(batch.views)
    with pytest.raises(EncoderError, match="reads the logs of hands"):
        EVENT_COUNTS.encode_views(batch.views, batch.events[:3])
