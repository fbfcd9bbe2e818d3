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

    side_by_side: bool
    """Whether the papers' networks are trained in several processes at once, each with its share of the cores."""

    # Kernel-size search
    search_decisions: tuple[str, ...]
    search_sizes: tuple[tuple[int, int], ...] | None
    """Rows and columns of the kernels that are tried; None: all sixteen."""
    search_epochs: float
    search_width: float
    """Filters of a searched network, as a share of the papers'."""
    search_samples: int | None
    """Situations that a searched network is trained on in each epoch."""
    search_measured: int
    """Situations held out on which it is measured, at most."""

    # The papers' networks
    tied_decisions: tuple[str, ...]
    """Decisions of which all kernels that tie in the search are trained; of others the one of the smallest loss."""
    filters: tuple[int, int, int, int]
    dense: int
    dropout: float
    """Share dropped (papers: 0.5)."""
    batch: int | None
    """Situations a step; None: as in the papers 64 for discards, else 32."""
    learning_rate: float
    """Step size (papers: 10⁻³)."""
    average: float
    """What a step keeps of a moving mean of the weights, which then plays; 0: no mean, as in the papers."""
    renormalise: int
    """Situations over which normalisation is worked out anew before a network is measured; 0: the moving means stay,
    as in the papers."""
    cosine: bool
    """Whether it falls to nothing along a cosine; in the papers it stays."""
    augment: bool
    """Whether suits of equal standing change places at random where situations are seen more than once; in the papers
    they never do."""
    precision: str
    """Of the numbers: bf16-mixed, or 32-true, which is quicker on processors without matrix units."""
    samples: tuple[int, ...] | None
    """Situations that the networks of discard, pon, kan, kita and riichi are trained on; None: the papers' epochs."""
    scaled_share: float
    """Share of these that the standardised networks are trained on."""
    example_splits: tuple[str, ...]
    """Decisions of which one more network is trained with examples, not games, held out."""
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
    discounts: tuple[float, ...]
    """Discounts that are searched; none: no search."""
    learning_rates: tuple[float, ...]
    search_episodes: int
    """Episodes of each of their combinations."""
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
    """Hands in each seat for the papers' networks, which are many times slower."""


_ALL: Final = ("discard", "pon", "kan", "kita", "riichi")

TINY: Final = Scale(
    name="tiny",
    description="under a minute: tries every stage with networks of a few filters, and says nothing",
    disk="10 MB",
    hands=60,
    test_hands=24,
    check=20,
    side_by_side=False,
    search_decisions=("pon",),
    search_sizes=((2, 3), (5, 4)),
    search_epochs=1.0,
    search_width=1 / 32,
    search_samples=16,
    search_measured=10,
    tied_decisions=_ALL,
    filters=(2, 2, 2, 2),
    dense=8,
    dropout=0.5,
    batch=None,
    learning_rate=1e-3,
    average=0.0,
    renormalise=16,
    cosine=False,
    augment=False,
    precision="32-true",
    samples=(40,) * 5,
    scaled_share=1.0,
    example_splits=("pon",),
    measurements=2,
    measured=20,
    tested=20,
    channels=16,
    blocks=1,
    epochs=1.0,
    paper_episodes=2,
    discounts=(0.99,),
    learning_rates=(1e-3,),
    search_episodes=1,
    steady_episodes=2,
    steady_hands=6,
    evaluate_every=2,
    steady_every=2,
    evaluate_hands=1,
    walls=3,
    paper_walls=2,
)

SMALL: Final = Scale(
    name="small",
    description="15 to 25 minutes on two cores: the papers' networks narrow, ours from a tenth of the records",
    disk="200 MB",
    hands=None,
    test_hands=None,
    check=400,
    side_by_side=True,
    search_decisions=_ALL,
    search_sizes=((2, 2), (2, 3), (3, 2)),  # small ones learn soonest: docs/experiments.md
    search_epochs=1.0,
    search_width=1 / 16,
    search_samples=1_000,
    search_measured=300,
    tied_decisions=(),
    filters=(8, 4, 4, 4),
    dense=256,
    dropout=0.0,
    batch=16,
    learning_rate=1e-3,
    average=0.99,
    renormalise=512,
    cosine=True,
    augment=True,
    precision="32-true",
    samples=(110_000, 16_000, 36_000, 6_000, 50_000),
    scaled_share=0.05,
    example_splits=("kita",),
    measurements=10,
    measured=500,
    tested=3_000,
    channels=96,
    blocks=6,
    epochs=0.1,
    paper_episodes=400,
    discounts=(),
    learning_rates=(),
    search_episodes=0,
    steady_episodes=4,
    steady_hands=512,
    evaluate_every=100,
    steady_every=2,
    evaluate_hands=100,
    walls=500,
    paper_walls=100,
)

MEDIUM: Final = Scale(
    name="medium",
    description="a night and a day on two cores: networks as printed, in steps of 16 situations",
    disk="5 GB",
    hands=None,
    test_hands=None,
    check=1000,
    side_by_side=True,
    search_decisions=_ALL,
    search_sizes=None,
    search_epochs=2.0,
    search_width=1 / 4,
    search_samples=4000,
    search_measured=1000,
    tied_decisions=_ALL,
    filters=(64, 64, 64, 32),
    dense=256,
    dropout=0.5,
    batch=16,
    learning_rate=1e-4,
    average=0.98,
    renormalise=256,
    cosine=False,
    augment=False,
    precision="32-true",
    samples=(120_000, 20_000, 20_000, 20_000, 120_000),
    scaled_share=1.0,
    example_splits=("pon", "riichi"),
    measurements=10,
    measured=500,
    tested=3000,
    channels=96,
    blocks=6,
    epochs=12.0,
    paper_episodes=400,
    discounts=(0.95, 0.99, 1.0),
    learning_rates=(1e-4, 1e-3),
    search_episodes=100,
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
    hands=50_000,
    test_hands=5_000,
    check=1000,
    side_by_side=False,
    search_decisions=_ALL,
    search_sizes=None,
    search_epochs=20.0,
    search_width=1.0,
    search_samples=None,
    search_measured=20_000,
    tied_decisions=_ALL,
    filters=(64, 64, 64, 32),
    dense=256,
    dropout=0.5,
    batch=None,
    learning_rate=1e-3,
    average=0.0,
    renormalise=0,
    cosine=False,
    augment=False,
    precision="bf16-mixed",
    samples=None,
    scaled_share=1.0,
    example_splits=_ALL,
    measurements=100,
    measured=4000,
    tested=None,
    channels=96,
    blocks=6,
    epochs=24.0,
    paper_episodes=400,
    discounts=(0.95, 0.99, 1.0),
    learning_rates=(1e-4, 3e-4, 1e-3),
    search_episodes=400,
    steady_episodes=60,
    steady_hands=1536,
    evaluate_every=10,
    steady_every=10,
    evaluate_hands=500,
    walls=5000,
    paper_walls=5000,
)

SCALES: Final = {scale.name: scale for scale in (TINY, SMALL, MEDIUM, FULL)}
