"""Local yaku, and the addition of one: a row in `rules.yaku`, a condition in `hands.scoring`."""

import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools.make_tiles import NAMES, yaku_names

import janshi
from janshi.core.rules import rules_from_record
from janshi.riichi.hands import score
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


#: A yaku more, in the two places that docs/extending.md names.
ROW = '    SHOUSANPUU = 57, "shousanpuu", "little three winds", "小三風", "小三风", 2, 2\n'
CONDITION = """    if bit_count(triplets & WINDS) == 2 and EAST <= int(reading.pair) <= NORTH:
        yaku |= 1 << YakuId.SHOUSANPUU
"""
SCORED = """
import dataclasses
from janshi.riichi.hands import score
from janshi.riichi.rules import TENHOU
rules = dataclasses.replace(TENHOU, name="club", local_yaku=("shousanpuu",))
won = score("234m33344422z", melds=["567p"], win="2m", rules=rules)
print(won.han, [yaku.name for yaku, _ in won.yaku])
"""


def test_a_yaku_is_added_in_two_places(tmp_path: Path):
    package = tmp_path / "janshi"
    shutil.copytree(Path(janshi.__file__).parent, package, ignore=shutil.ignore_patterns("*.onnx", "static", "*.pyc"))
    yaku, scoring = package / "riichi/rules/yaku.py", package / "riichi/hands/scoring.py"
    yaku.write_text(yaku.read_text().replace("\n\n\nYAKU:", f"\n{ROW}\n\nYAKU:"))
    before, _, after = scoring.read_text().partition("def local_yaku")
    scoring.write_text(f"{before}def local_yaku{after.replace('    return yaku', CONDITION + '    return yaku', 1)}")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "JANSHI_PLAIN": "1"}
    run = subprocess.run([sys.executable, "-c", SCORED], env=environment, capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["2", "['shousanpuu']"], run.stderr


@pytest.mark.parametrize("yaku", EXAMPLES, ids=lambda yaku: yaku.name)
def test_the_examples_of_the_page_have_their_yaku(yaku: YakuId) -> None:
    won = score(EXAMPLES[yaku], seat="E", tsumo=yaku == YakuId.SUUANKOU)
    assert yaku.row.name in [each.name for each, _ in won.yaku]
