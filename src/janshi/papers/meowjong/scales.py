"""How much of the papers' work is done: four sizes, each one frozen set of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of a reproduction. ``None`` stands for all there is, or for what the papers did."""

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
    check: int
    """Observations of each decision whose deviation is computed directly (table 3.4)."""

    # Kernel-size search
    search_decisions: tuple[str, ...]
    search_epochs: float
    search_width: float
    """Filters of a searched network, as a share of the papers'."""
    search_samples: int | None
    """Situations that a searched network is trained on in each epoch."""
    search_measured: int
    """Situations held out on which it is measured, at most."""

    # The papers' networks
    filters: tuple[int, int, int, int]
    dense: int
    samples: int | None
    """Situations that each is trained on; None: the papers' epochs."""
    measurements: int
    """Points of a learning curve on the development set."""
    measured: int
    """Situations of it at each."""
    tested: int | None
    """Situations of the test set on which each is measured, at most."""

    # Our network
    channels: int
    blocks: int
    epochs: float

    # REINFORCE
    paper_episodes: int
    steady_episodes: int
    steady_hands: int
    """Hands an episode in the steady variant."""
    evaluate_every: int
    steady_every: int
    evaluate_hands: int
    """Hands in each seat against two Random players."""

    # Matches
    walls: int
    """Hands in each seat for our players."""
    paper_walls: int
    """Hands in each seat for the papers' networks, a hundred times slower."""


_ALL: Final = ("discard", "pon", "kan", "kita", "riichi")

TINY: Final = Scale(
    name="tiny",
    description="under a minute: tries every stage with networks of a few filters, and says nothing",
    disk="10 MB",
    hands=60,
    test_hands=24,
    check=20,
    search_decisions=("pon",),
    search_epochs=1.0,
    search_width=1 / 32,
    search_samples=60,
    search_measured=40,
    filters=(4, 4, 4, 2),
    dense=8,
    samples=40,
    measurements=2,
    measured=20,
    tested=60,
    channels=16,
    blocks=1,
    epochs=1.0,
    paper_episodes=4,
    steady_episodes=2,
    steady_hands=6,
    evaluate_every=2,
    steady_every=1,
    evaluate_hands=4,
    walls=6,
    paper_walls=3,
)

SMALL: Final = Scale(
    name="small",
    description="15 minutes on two cores: the papers' networks see a few hundred situations, ours every record twice",
    disk="4 GB",
    hands=None,
    test_hands=None,
    check=400,
    search_decisions=_ALL,
    search_epochs=1.0,
    search_width=1 / 16,
    search_samples=300,
    search_measured=200,
    filters=(64, 64, 64, 32),
    dense=256,
    samples=200,
    measurements=2,
    measured=100,
    tested=300,
    channels=96,
    blocks=6,
    epochs=2.0,
    paper_episodes=400,
    steady_episodes=10,
    steady_hands=512,
    evaluate_every=20,
    steady_every=2,
    evaluate_hands=200,
    walls=600,
    paper_walls=50,
)

MEDIUM: Final = Scale(
    name="medium",
    description="about ten hours on two cores: the papers' networks see 20,000 situations",
    disk="5 GB",
    hands=None,
    test_hands=None,
    check=1000,
    search_decisions=_ALL,
    search_epochs=2.0,
    search_width=1 / 4,
    search_samples=4000,
    search_measured=1000,
    filters=(64, 64, 64, 32),
    dense=256,
    samples=20_000,
    measurements=10,
    measured=500,
    tested=3000,
    channels=96,
    blocks=6,
    epochs=12.0,
    paper_episodes=400,
    steady_episodes=30,
    steady_hands=1536,
    evaluate_every=10,
    steady_every=5,
    evaluate_hands=500,
    walls=5000,
    paper_walls=300,
)

FULL: Final = Scale(
    name="full",
    description="the papers' numbers: for a GPU, days",
    disk="5 GB",
    hands=None,
    test_hands=None,
    check=1000,
    search_decisions=_ALL,
    search_epochs=20.0,
    search_width=1.0,
    search_samples=None,
    search_measured=20_000,
    filters=(64, 64, 64, 32),
    dense=256,
    samples=None,
    measurements=100,
    measured=4000,
    tested=None,
    channels=96,
    blocks=6,
    epochs=24.0,
    paper_episodes=400,
    steady_episodes=60,
    steady_hands=1536,
    evaluate_every=10,
    steady_every=10,
    evaluate_hands=500,
    walls=5000,
    paper_walls=5000,
)

SCALES: Final = {scale.name: scale for scale in (TINY, SMALL, MEDIUM, FULL)}
