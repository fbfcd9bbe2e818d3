"""What the `meowjong` papers report, to stand beside our figures.

Numbers are those printed in the dissertation (X. Zhao, Deep Reinforcement Learning for Mahjong, 2021; its tables 3.3,
3.4, 4.1 to 4.6) and in the conference paper (X. Zhao, S. B. Holden, Building a 3-Player Mahjong AI using Deep
Reinforcement Learning, 2022; tables V to XI). Rates are fractions of one.
"""

from __future__ import annotations

from typing import Any, Final

#: Where the papers can be read.
LINKS: Final = {"conference paper": "https://arxiv.org/abs/2202.12847"}

#: Examples and positive ones of each decision (of discards None) by set. Source: table 3.3.
SIZES: Final[dict[str, dict[str, tuple[int, int | None]]]] = {
    "discard": {"training": (797_285, None), "development": (88_588, None), "test": (147_444, None)},
    "pon": {"training": (151_348, 42_842), "development": (16_817, 4_760), "test": (16_887, 4_788)},
    "kan": {"training": (34_319, 5_217), "development": (3_814, 580), "test": (3_548, 590)},
    "kita": {"training": (136_924, 114_863), "development": (15_214, 12_763), "test": (15_498, 12_777)},
    "riichi": {"training": (109_804, 33_078), "development": (12_201, 3_675), "test": (11_944, 3_741)},
}

#: Mean μ and √(μ − μ²) of each training set, the deviation computed directly (np.std), and the relative error of the
#: second to it. Source: table 3.4.
MEANS: Final[dict[str, tuple[float, float, float | None, float | None]]] = {
    "discard": (0.050877545, 0.21974763, None, None),
    "pon": (0.050338324, 0.218642121, 0.21864033, 8.19218e-6),
    "kan": (0.053289082, 0.22460934, 0.2246095, -7.11115e-7),
    "kita": (0.048485067, 0.214788885, 0.21479078, -8.82082e-6),
    "riichi": (0.052583974, 0.223201478, 0.22320393, -1.09865e-5),
}

#: Terminals and honours at the start, kinds of them: rates of hands drawn, won, dealt in, lost to another's tsumo.
#: Source: table 3.7.
STARTS: Final[dict[tuple[int, int], tuple[float, float, float, float]]] = {
    (13, 13): (0.0, 0.99812, 0.00057, 0.00048),
    (13, 12): (0.02834, 0.66542, 0.10637, 0.09859),
    (12, 12): (0.03797, 0.55718, 0.14052, 0.13162),
    (12, 11): (0.11049, 0.2096, 0.23977, 0.22067),
    (11, 11): (0.11074, 0.19749, 0.24525, 0.22381),
    (11, 10): (0.15024, 0.06464, 0.27919, 0.25453),
}

#: Test accuracy of the network, and of the one with standardised input. Source: table 4.1.
ACCURACY: Final[dict[str, tuple[float, float]]] = {
    "discard": (0.6581, 0.6554),
    "pon": (0.7095, 0.7210),
    "kan": (0.9245, 0.8892),
    "kita": (0.9426, 0.9444),
    "riichi": (0.6263, 0.6429),
}

#: Rates of first, second, third places and draws by seat. Source: tables VIII and X; "vs" as in `ours`.
RATES: Final[dict[str, dict[str, tuple[float, float, float, float]]]] = {
    "Random vs 2 Random": {"Total": (0.0002, 0.0002, 0.0002, 0.9994)},
    "SL vs 2 Random": {
        "East": (0.2200, 0.0006, 0.0008, 0.7786),
        "South": (0.2268, 0.0006, 0.0002, 0.7724),
        "West": (0.2072, 0.0016, 0.0004, 0.7908),
        "Total": (0.2180, 0.0009, 0.0005, 0.7806),
    },
    "SL-scaled vs 2 Random": {
        "East": (0.2140, 0.0004, 0.0014, 0.7842),
        "South": (0.2272, 0.0008, 0.0000, 0.7720),
        "West": (0.2002, 0.0020, 0.0006, 0.7972),
        "Total": (0.2138, 0.0011, 0.0006, 0.7845),
    },
    "RL vs 2 Random": {
        "East": (0.7359, 0.0002, 0.0327, 0.2312),
        "South": (0.7193, 0.0008, 0.0346, 0.2453),
        "West": (0.7161, 0.0006, 0.0285, 0.2548),
        "Total": (0.7238, 0.0005, 0.0319, 0.2438),
    },
    "SL vs 2 SL": {
        "East": (0.1870, 0.1190, 0.2484, 0.4456),
        "South": (0.1974, 0.2432, 0.1138, 0.4456),
        "West": (0.1700, 0.1922, 0.1922, 0.4456),
        "Total": (0.1848, 0.1848, 0.1848, 0.4456),
    },
    "SL vs 2 RL": {
        "East": (0.0576, 0.0709, 0.8153, 0.0562),
        "South": (0.0610, 0.3809, 0.4936, 0.0645),
        "West": (0.0490, 0.3769, 0.5168, 0.0572),
        "Total": (0.0559, 0.2762, 0.6086, 0.0593),
    },
    "RL vs 2 SL": {
        "East": (0.5746, 0.0775, 0.1392, 0.2087),
        "South": (0.5790, 0.1634, 0.0493, 0.2083),
        "West": (0.5568, 0.1818, 0.0525, 0.2089),
        "Total": (0.5702, 0.1409, 0.0803, 0.2086),
    },
}

#: Hands that ended first, second, third and drawn, by seat. Source: tables IX and XI.
COUNTS: Final[dict[str, dict[str, tuple[int, int, int, int]]]] = {
    "SL vs 2 Random": {
        "East": (1_100, 3, 4, 3_893),
        "South": (1_134, 3, 1, 3_862),
        "West": (1_036, 8, 2, 3_954),
        "Total": (3_270, 14, 7, 11_709),
    },
    "SL-scaled vs 2 Random": {
        "East": (1_070, 2, 7, 3_921),
        "South": (1_136, 4, 0, 3_860),
        "West": (1_001, 10, 3, 3_986),
        "Total": (3_207, 16, 10, 11_767),
    },
    "RL vs 2 Random": {
        "East": (3_642, 1, 162, 1_144),
        "South": (3_560, 4, 171, 1_214),
        "West": (3_544, 3, 141, 1_261),
        "Total": (10_746, 8, 474, 3_619),
    },
    "RL vs 2 SL": {
        "East": (2_869, 387, 695, 1_042),
        "South": (2_891, 816, 246, 1_040),
        "West": (2_780, 908, 262, 1_043),
        "Total": (8_540, 2_111, 1_203, 3_125),
    },
    "SL vs 2 RL": {
        "East": (288, 354, 4_073, 281),
        "South": (305, 1_903, 2_466, 322),
        "West": (245, 1_883, 2_582, 286),
        "Total": (838, 4_140, 9_121, 889),
    },
}

#: What the papers print in the column of probabilities of tables IX and XI.
CHANCES: Final = {
    "SL vs 2 Random": "< 1.67·10⁻³¹¹",
    "SL-scaled vs 2 Random": "< 1.67·10⁻³¹¹",
    "RL vs 2 Random": "< 1.67·10⁻³¹¹",
    "RL vs 2 SL": "< 1.67·10⁻³¹¹",
    "SL vs 2 RL": "≈ 1",
}

#: Level of the tests; two-tailed ones (the sign test) reject below half of it. Source: dissertation, section 4.2.2.
ALPHA: Final = 0.05

#: Plus (SL-scaled ended better than SL), minus, null, n, k and probability of the sign test. Source: table 4.6.
SIGNS: Final[dict[str, tuple[int, int, int, int, int, float]]] = {
    "East": (513, 545, 3_942, 5_000, 2_484, 0.3305),
    "South": (529, 528, 3_943, 5_001, 2_500, 0.5000),
    "West": (488, 523, 3_989, 5_001, 2_483, 0.3153),
    "Total": (1_530, 1_596, 11_874, 15_000, 7_467, 0.2978),
}

#: Samples that each network of the papers was trained on: examples of its training set × epochs.
SAMPLES: Final = {name: sets["training"][0] * (200 if name == "discard" else 500) for name, sets in SIZES.items()}

#: Seconds a hand in the papers' evaluation: 4.2 hours for 5,000. Source: dissertation, section 4.4.1.
SECONDS_A_HAND: Final = 3.0

#: What is different in the game that the papers' tables VIII to XI come from. Source: the published simulator.
OTHER_RULES: Final = (
    "riichi can never be declared",
    "hands whose only yaku is riichi or concealed self-draw cannot win",
    "every self-draw counts as one after a kan",
    "hands that end without a winner pay nobody",
    "red fives do not count as dora",
    "the dora after 9s is 1p",
)


def as_json() -> dict[str, Any]:
    """Return all of it as plain data.

    >>> as_json()["accuracy"]["kan"]
    [0.9245, 0.8892]
    """
    return {
        "sizes": SIZES,
        "means": MEANS,
        "accuracy": {name: list(one) for name, one in ACCURACY.items()},
        "samples": SAMPLES,
        "rates": RATES,
        "counts": COUNTS,
        "chances": CHANCES,
        "starts": [[*start, *rates] for start, rates in STARTS.items()],
        "signs": SIGNS,
        "seconds a hand": SECONDS_A_HAND,
        "other rules": list(OTHER_RULES),
    }
