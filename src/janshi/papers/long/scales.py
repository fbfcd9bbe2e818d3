"""How much of the paper's work is done: four sizes, each one frozen set of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of a reproduction. ``None`` stands for all there is, or for what the paper did."""

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

    # Networks: units of their layers
    discard: tuple[int, ...] | None
    pon: tuple[int, ...] | None
    chii: tuple[int, ...] | None
    yaku: tuple[int, ...]

    # Training
    discard_samples: int
    """Situations that each network of discards learns from, one epoch or many."""
    call_samples: int
    """… each network of pon and of chii."""
    yaku_samples: int
    """… the predictors of yaku."""
    discard_batch: int
    call_batch: int
    yaku_batch: int
    cosine: bool
    """Learning rate up in the first 2 % and down to nothing along a cosine; else 10⁻³ throughout, as in the paper."""
    patience: int
    """Measurements without a smaller loss on the development set after which a training stops; 0: never."""
    measurements: int
    """Points of a learning curve on the development set."""
    measured: int
    """Situations of it at each."""
    tested: int | None
    """Situations of the test set on which each network is measured, at most."""
    fewer: float | None
    """Share of the games that one more network of discards learns from (paper: 800,000 of 1,400,000 situations)."""

    # Matches
    walls: int
    """Hands in each seat."""


#: The paper's widths of the predictors of yaku.
PRINTED_YAKU: Final = (512, 512, 256, 256, 256, 64)

TINY: Final = Scale(
    name="tiny",
    description="under two minutes: tries every stage with networks of a few units, and says nothing",
    disk="5 MB",
    hands=60,
    test_hands=24,
    discard=(32, 48, 64, 32),
    pon=(8, 8, 8),
    chii=(32, 16, 8),
    yaku=(16, 8),
    discard_samples=1_000,
    call_samples=200,
    yaku_samples=600,
    discard_batch=64,
    call_batch=32,
    yaku_batch=32,
    cosine=True,
    patience=0,
    measurements=2,
    measured=100,
    tested=200,
    fewer=None,
    walls=2,
)

SMALL: Final = Scale(
    name="small",
    description="half an hour of one core: narrower networks of discards and yaku, all records",
    disk="100 MB",
    hands=None,
    test_hands=None,
    discard=(300, 1000, 1000, 300),
    pon=None,
    chii=None,
    yaku=(64, 64, 32, 32, 32, 16),
    discard_samples=1_600_000,
    call_samples=400_000,
    yaku_samples=600_000,
    discard_batch=512,
    call_batch=256,
    yaku_batch=1024,
    cosine=True,
    patience=0,
    measurements=8,
    measured=8_000,
    tested=100_000,
    fewer=None,
    walls=250,
)

MEDIUM: Final = Scale(
    name="medium",
    description="a night on two cores: every network as printed, the network of discards for 12 million situations",
    disk="2 GB",
    hands=None,
    test_hands=None,
    discard=None,
    pon=None,
    chii=None,
    yaku=PRINTED_YAKU,
    discard_samples=12_000_000,
    call_samples=3_000_000,
    yaku_samples=6_000_000,
    discard_batch=2_048,
    call_batch=256,
    yaku_batch=1024,
    cosine=True,
    patience=0,
    measurements=24,
    measured=20_000,
    tested=None,
    fewer=800_000 / 1_400_000,
    walls=2_000,
)

FULL: Final = Scale(
    name="full",
    description="the paper's networks, batch and rate, until the development set's loss no longer falls: for a GPU",
    disk="2 GB",
    hands=None,
    test_hands=None,
    discard=None,
    pon=None,
    chii=None,
    yaku=PRINTED_YAKU,
    discard_samples=500_000_000,
    call_samples=50_000_000,
    yaku_samples=100_000_000,
    discard_batch=16_384,
    call_batch=1_024,
    yaku_batch=4_096,
    cosine=False,
    patience=6,
    measurements=200,
    measured=50_000,
    tested=None,
    fewer=800_000 / 1_400_000,
    walls=5_000,
)

SCALES: Final = {scale.name: scale for scale in (TINY, SMALL, MEDIUM, FULL)}
