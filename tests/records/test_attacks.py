"""Records made to do harm: each is refused, or read, at once and in one line."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from made_games import make_game

from janshi.records import RecordError, read_mjlog, read_tenhou6_text, write_mjlog, write_tenhou6_text

#: Letters of a text, and seconds of the processor that reading it may take: it takes some 10 ms, and a pattern whose
#: time grows with the square of the length takes minutes.
LETTERS, SECONDS = 200_000, 3.0


def _in_no_time(read: Callable[[], object]) -> None:
    start = time.process_time()
    with pytest.raises(RecordError) as refused:
        read()
    assert time.process_time() - start < SECONDS
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("unit", ["a", "a ", "a=", 'a="', "a = '", "=\"", " ", "a\t", "1a", "_", "é", "/", '"'])
@pytest.mark.parametrize("before", ["<GO ", "<", "<UN n0=", "<INIT a b"])
def test_a_long_tag_is_refused_at_once(before: str, unit: str) -> None:
    text = f'<mjloggm ver="2.3">{before}{unit * (LETTERS // len(unit))}></mjloggm>'
    _in_no_time(lambda: read_mjlog(text))


def test_a_thousand_unclosed_tags_are_refused_at_once() -> None:
    _in_no_time(lambda: read_mjlog("<mjloggm>" + "<GO a" * (LETTERS // 5) + "</mjloggm>"))


def test_attributes_are_read_as_before() -> None:
    game = make_game(4, 1)
    text = write_mjlog(game).replace('lobby="0"', "").replace("<GO type=", "<GO x.y=\"1\" lobby\n= '7'\ttype = ")
    assert read_mjlog(text).lobby == "7"


@pytest.mark.parametrize("unit", ["1", "(", "a", "1飜", "役満", "1符", "1-", " ", "点"])
def test_a_long_yaku_or_value_is_refused_at_once(unit: str) -> None:
    text = write_tenhou6_text([make_game(4, 1)])
    assert '"和了"' in text
    name = next(part for part in text.split('"') if part.endswith("飜)"))
    value = next(part for part in text.split('"') if "点" in part)
    for part in (name, value):
        damaged = text.replace(f'"{part}"', f'"{unit * (LETTERS // len(unit))}"', 1)
        _in_no_time(lambda damaged=damaged: list(read_tenhou6_text(damaged)))
