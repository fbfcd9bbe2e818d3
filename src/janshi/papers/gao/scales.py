"""How much of the thesis's work is done: four sizes, each one frozen set of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of a reproduction. ``None`` stands for all there is."""

    name: str
    description: str
    """How long it takes, and where."""
    disk: str
    """What the folder needs at its largest."""

    # Records
    hands: int | None
    """Hands to train on at most."""
    test_hands: int | None
    """Hands to test on at most."""

    side_by_side: bool
    """Whether networks are trained in several processes at once, each with its share of the cores."""

    # Networks
    filters: int
    """Filters of each convolution (thesis: 100)."""
    dense: int
    """Units of the tile model's dense layer (thesis: 300)."""
    sequence_filters: int
    """Filters of the sequential model (thesis: 128)."""
    units: int
    """Units of its GRU (thesis: 256)."""
    dropout: float
    """Share dropped (thesis: 0.5)."""
    learning_rate: float
    """Step size (thesis: 10⁻³)."""
    cosine: bool
    """Whether it falls to nothing along a cosine; in the thesis it stays."""
    batch: int
    """Situations a step (thesis: 256)."""
    sequences: int
    """Sequences a step."""
    discards: int
    """Situations that each network of discards is trained on."""
    sequence_discards: int
    """Situations in the sequences that each sequential model is trained on."""
    calls: int
    """Situations that each of the networks of pon, chii and riichi is trained on."""
    follow_one: bool
    """Whether one player a hand is learned from, as in the thesis; else all who lose no more than 1,500 points."""
    measurements: int
    """Points of a learning curve on the games held out."""
    measured: int
    """Situations of them at each."""
    tested: int | None
    """Situations of the test set on which each is measured, at most."""
    ablations: int
    """Situations that each network of an ablation is trained on; 0: no ablations."""

    # Matches
    walls: int
    """Walls, each played in every seat."""


TINY: Final = Scale(
    name="tiny",
    description="a minute or two: tries every stage with networks of a few filters, and says nothing",
    disk="10 MB",
    hands=200,
    test_hands=60,
    side_by_side=False,
    filters=8,
    dense=16,
    sequence_filters=8,
    units=16,
    dropout=0.5,
    learning_rate=1e-3,
    cosine=True,
    batch=64,
    sequences=16,
    discards=200,
    sequence_discards=100,
    calls=64,
    follow_one=True,
    measurements=2,
    measured=50,
    tested=80,
    ablations=64,
    walls=1,
)

SMALL: Final = Scale(
    name="small",
    description="15 to 25 minutes on two cores: networks of the printed width, 720,000 discards each",
    disk="200 MB",
    hands=None,
    test_hands=8_000,
    side_by_side=True,
    filters=100,
    dense=300,
    sequence_filters=128,
    units=256,
    dropout=0.0,
    learning_rate=2e-3,
    cosine=True,
    batch=64,
    sequences=8,
    discards=720_000,
    sequence_discards=48_000,
    calls=200_000,
    follow_one=True,
    measurements=5,
    measured=2_000,
    tested=8_000,
    ablations=0,
    walls=20,
)

MEDIUM: Final = Scale(
    name="medium",
    description="a night on two cores: every record that there is, a few million situations a network",
    disk="500 MB",
    hands=None,
    test_hands=None,
    side_by_side=True,
    filters=100,
    dense=300,
    sequence_filters=128,
    units=256,
    dropout=0.3,
    learning_rate=1e-3,
    cosine=True,
    batch=256,
    sequences=64,
    discards=6_000_000,
    sequence_discards=1_500_000,
    calls=1_000_000,
    follow_one=True,
    measurements=20,
    measured=5_000,
    tested=None,
    ablations=1_500_000,
    walls=200,
)

FULL: Final = Scale(
    name="full",
    description="the thesis's setting, one player a hand and dropout of one half: for a GPU, hours",
    disk="1 GB",
    hands=None,
    test_hands=None,
    side_by_side=False,
    filters=100,
    dense=300,
    sequence_filters=128,
    units=256,
    dropout=0.5,
    learning_rate=1e-3,
    cosine=False,
    batch=256,
    sequences=256,
    discards=100_000_000,
    sequence_discards=100_000_000,
    calls=10_000_000,
    follow_one=True,
    measurements=50,
    measured=20_000,
    tested=None,
    ablations=50_000_000,
    walls=1_000,
)

SCALES: Final = {scale.name: scale for scale in (TINY, SMALL, MEDIUM, FULL)}
