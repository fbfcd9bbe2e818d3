"""The facet ``recorder`` of Riichi: its records."""

from __future__ import annotations

from typing import Final

from janshi.records.recorder import Recorder
from janshi.riichi.records.live import Story, seen_by
from janshi.riichi.records.model import alternatives, fingerprint, with_rules
from janshi.riichi.records.recording import GameRecording
from janshi.riichi.records.replay import Replayer

RECORDER: Final = Recorder(
    format="mjlog",
    recording=GameRecording,
    story=Story,
    seen_by=seen_by,
    replayer=lambda: Replayer().replay,
    fingerprint=fingerprint,
    with_rules=with_rules,
    alternatives=alternatives,
)
