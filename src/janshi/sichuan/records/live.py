"""Events of a Sichuan game in progress: all of them, and those visible to one seat.

Events are mjai's (``start_kyoku``, ``tsumo``, ``dahai``, ``pon``, ``daiminkan``, ``ankan``, ``kakan``, ``end_kyoku``,
``end_game``), and in addition:

=============== ======================================================================================
``lay_aside``   a tile that a seat will give away (``actor``, ``pai``)
``exchange``    three tiles given: ``actor``, ``target``, ``tiles``
``void``        a seat has voided a suit: ``actor``, ``suit``, ``pai`` (the tile face down, or None)
``void_shown``  the suit becomes public: ``actor``, ``suit``
``win``         ``actor``, ``target`` (the actor itself: self-drawn), ``pai``, ``place`` (1 to 3), ``fans``, ``fan``,
                ``points``, ``robbed``
``pay``         ``reason`` and ``payments``: lists of payer, receiver, points
``settlement``  the hand is over: ``reason``, and for every seat ``hands``, ``ready``, ``pigs``
=============== ======================================================================================

>>> from janshi.table import Table
>>> table = Table("sichuan", seed=7)
>>> story = SichuanStory(table.record, table.rules, ["a", "b", "c", "d"])
>>> [event["type"] for event in story.update()]
['start_game', 'start_kyoku']
>>> table.act(table.legal[0])
>>> seen_by(story.update()[-1], 1)
{'type': 'void', 'actor': 0, 'pai': '?', 'suit': '?'}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha1
from typing import Any, Final

from janshi.records.recorder import Recorder
from janshi.records.story import GameStory, seen_by
from janshi.sichuan.records.jsonl import FORMAT, SichuanRecording, replay_sichuan, write_sichuan
from janshi.sichuan.rules import Rules


class SichuanStory(GameStory):
    """Events of a table of Sichuan mahjong from its beginning; see `GameStory` for the arguments."""

    def __init__(self, state: Any, rules: Rules, names: Sequence[str], seat: int | None = None) -> None:
        start = {"type": "start_game", "names": list(names), "rules": rules.name, "game": "sichuan"}
        super().__init__(state, rules, start, SichuanRecording(rules, names), seat)


RECORDER: Final = Recorder(
    format=FORMAT,
    recording=SichuanRecording,
    story=SichuanStory,
    seen_by=seen_by,
    replayer=lambda: replay_sichuan,
    fingerprint=lambda game: sha1(write_sichuan(game).encode(), usedforsecurity=False).digest(),
    with_rules=lambda game, rules: replace(game, rules=rules),
)
