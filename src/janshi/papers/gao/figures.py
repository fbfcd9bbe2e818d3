"""What the `gao` thesis reports, to stand beside our figures.

Source: S. Gao, Study on Imperfect Information Game Record Learning in the Game of Mahjong via Deep Convolutional Neural
Networks, master thesis, University of Tokyo, 2019. Rates are fractions of one.
"""

from __future__ import annotations

from typing import Any, Final

#: Agreement within the first one, two, three choices. Source: table 6.2; "our name" -> rates.
AGREEMENT: Final[dict[str, tuple[float, ...]]] = {
    "tile": (0.6948, 0.8759, 0.9398),
    "sequential": (0.6814,),
    "off-table-68": (0.7034, 0.9428, 0.9694),
    "off-table-86": (0.7044, 0.9437, 0.9703),
}
#: Of others' systems, from the same table.
OTHERS: Final[dict[str, tuple[float, ...]]] = {"Mizukami": (0.621, 0.829, 0.909), "Tsukiji": (0.5398,)}
#: Accuracy on the situations held out. Source: sections 4.4, 5.5, 6.4, 7.7; of the sequential model with its padding.
VALIDATION: Final[dict[str, float]] = {
    "tile": 0.695,
    "off-table-68": 0.7067,
    "pon": 0.8839,
    "chii": 0.9079,
    "riichi": 0.7718,
}
#: Tables 7.1, 7.2, 7.3: rows are the answers, columns what was done, classes from "no" upwards (see `DOUBTS`).
CONFUSION: Final[dict[str, tuple[tuple[int, ...], ...]]] = {
    "pon": ((19_572, 1_929), (1_576, 6_923)),
    "chii": ((33_357, 817, 777, 858), (338, 813, 22, 9), (509, 18, 1_289, 29), (335, 7, 32, 790)),
    "riichi": ((8_510, 1_558), (1_915, 3_017)),
}
#: Accuracy as the thesis prints it. Source: section 7.7.
PRINTED: Final[dict[str, float]] = {"pon": 0.8832, "chii": 0.9062, "riichi": 0.7585}
#: Situations trained and tested on. Source: sections 4.4, 5.4, 7.7.
TRAINED: Final[dict[str, int]] = {
    "discard": 2_135_331,
    "sequences": 193_696,
    "pon": 212_845,
    "chii": 315_692,
    "riichi": 99_999,
}
TESTED: Final[dict[str, int]] = {"discard": 50_000, "pon": 30_000, "chii": 40_000, "riichi": 15_000}
#: Parameters, running means and variances included. Source: figures 4.2, 5.5, 6.1.
PARAMETERS: Final[dict[str, int]] = {"tile": 928_058, "sequential": 2_717_370, "off-table-68": 343_158}
#: Rating on Tenhou after 300 games, and of an average player. Source: section 7.8.
RATING: Final = (1850, 1600)

#: Where the thesis contradicts itself, or cannot be compared.
DOUBTS: Final = (
    "It says that the rows of tables 7.1 to 7.3 are the truth and the columns the predictions. Its own precision, "
    "recall and shares of calls come out only the other way round: here rows are the answers, columns what was done.",
    "Riichi: 75.85 % is printed, its table gives (3,017 + 8,510) of 15,000 = 76.85 %.",
    "Ranks 2 and 3: from the tile model to 68 planes second choices gain 6.7 points and first ones 0.9: probably they "
    "were counted differently. They are no target.",
    "It prints no number of epochs, and not what place in a block its activation has: here on the convolution.",
)


def accuracy(decision: str) -> float:
    """Return the accuracy of a call network by its table.

    >>> round(accuracy("riichi"), 4), round(accuracy("pon"), 4)
    (0.7685, 0.8832)
    """
    table = CONFUSION[decision]
    return sum(table[place][place] for place in range(len(table))) / sum(map(sum, table))


def majority(decision: str) -> float:
    """Return what always giving the most frequent answer would reach on the thesis's test set.

    >>> round(majority("pon"), 3), round(majority("chii"), 3), round(majority("riichi"), 3)
    (0.705, 0.863, 0.695)
    """
    table = CONFUSION[decision]
    return max(map(sum, zip(*table, strict=True))) / sum(map(sum, table))


def as_json() -> dict[str, Any]:
    """Return all of it as plain data.

    >>> as_json()["agreement"]["sequential"]
    [0.6814]
    """
    return {
        "agreement": {name: list(rates) for name, rates in AGREEMENT.items()},
        "others": {name: list(rates) for name, rates in OTHERS.items()},
        "validation": VALIDATION,
        "confusion": {name: [list(row) for row in table] for name, table in CONFUSION.items()},
        "printed": PRINTED,
        "trained": TRAINED,
        "tested": TESTED,
        "parameters": PARAMETERS,
        "rating": list(RATING),
        "doubts": list(DOUBTS),
    }
