"""What the `long` paper reports, to stand beside our figures.

Numbers are those printed in Long and Kaneko, Improving Mahjong Agent by Predicting Types of Yaku (2019; sections 4 and
5, tables 6 to 10). Rates are fractions of one.
"""

from __future__ import annotations

from typing import Any, Final

#: Validation accuracy without and with yaku. Source: sections 5.1 to 5.3.
ACCURACY: Final[dict[str, tuple[float, float]]] = {
    "discard": (0.6488, 0.6681),
    "pon": (0.7625, 0.7726),
    "chii": (0.7205, 0.7282),
}

#: Situations that each was trained on, a tenth of them for validation. Source: sections 5.1 to 5.3.
SAMPLES: Final = {"discard": 1_400_000, "pon": 160_000, "chii": 140_000}

#: Accuracy of discards with so many situations. Source: section 5.5.
FEWER: Final = (800_000, 0.6102)

#: How often the first choice is in the hand, at least. Source: section 5.1.
IN_HAND: Final = 0.9996

#: Calls said and made, said and not made, not said and made, neither. Source: tables 6 to 9; the second number of each
#: is lost in the text that we have, and follows from the printed accuracy (of chii, whose accuracy is of four classes,
#: only about).
CONFUSION: Final[dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]]] = {
    "pon": ((11_223, 3_448, 528, 1_542), (10_189, 2_129, 1_562, 2_352)),
    "chii": ((3_979, 1_817, 2_346, 6_752), (4_332, 2_147, 1_901, 6_513)),
}

#: Accuracy, precision, recall and F1 of the nine yaku, by Tenhou's number. Source: table 10, where the fourth is
#: "Prevailing Wind (North)".
YAKU: Final[dict[int, tuple[float, float, float, float]]] = {
    1: (0.7250, 0.5812, 0.8964, 0.7052),
    8: (0.7921, 0.5447, 0.9010, 0.6790),
    14: (0.9756, 0.7611, 0.6023, 0.6724),
    15: (0.9788, 0.7524, 0.5883, 0.6603),
    18: (0.9614, 0.7039, 0.8634, 0.7756),
    19: (0.9606, 0.6993, 0.8432, 0.7645),
    20: (0.9599, 0.8100, 0.6412, 0.7158),
    34: (0.9589, 0.5735, 0.6762, 0.6206),
    52: (0.7798, 0.6907, 0.8329, 0.7552),
}


def as_json() -> dict[str, Any]:
    """Return all of it as plain data.

    >>> as_json()["accuracy"]["pon"]
    [0.7625, 0.7726]
    """
    return {
        "accuracy": {name: list(rates) for name, rates in ACCURACY.items()},
        "samples": SAMPLES,
        "fewer": list(FEWER),
        "in hand": IN_HAND,
        "confusion": {name: [list(table) for table in tables] for name, tables in CONFUSION.items()},
        "yaku": {str(number): list(figures) for number, figures in YAKU.items()},
    }
