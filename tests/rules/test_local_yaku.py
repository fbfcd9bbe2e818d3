"""Local yaku (tests/test_extending.py adds one)."""

import dataclasses

import pytest
from tools.make_tiles import NAMES, yaku_names

from janshi.core.rules import rules_from_record
from janshi.riichi.hands import score
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.page.examples import EXAMPLES
from janshi.riichi.rules import PRESETS, TENHOU, RuleError, Rules
from janshi.riichi.rules.yaku import LOCAL, YakuId
from janshi.table import Table

CLUB = dataclasses.replace(TENHOU, name="club", local_yaku=("uumensai", "sanrenkou"))


def test_rules_name_local_yaku_and_no_preset_does():
    assert all(rules.local_yaku == () for rules in PRESETS.values())
    assert rules_from_record(Rules, Table(CLUB, seed=1).state.rules, "club") == CLUB
    for wrong in (("pinfu",), ["uumensai"], "uumensai"):
        with pytest.raises(RuleError, match=f"local_yaku must be a tuple of names from {', '.join(LOCAL)}"):
            dataclasses.replace(TENHOU, local_yaku=wrong)


def test_the_page_has_the_names_of_the_table():
    assert NAMES.read_text(encoding="utf-8") == yaku_names(), f"{NAMES} is stale: run python tools/make_tiles.py"


@pytest.mark.parametrize("yaku", EXAMPLES, ids=lambda yaku: yaku.name)
def test_the_examples_of_the_page_have_their_yaku(yaku: YakuId) -> None:
    won = score(EXAMPLES[yaku], seat="E", tsumo=yaku == YakuId.SUUANKOU)
    assert YAKU[yaku].name in [each.name for each, _ in won.yaku]
