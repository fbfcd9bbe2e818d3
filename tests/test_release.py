"""What is released says the same version everywhere."""

import re
from pathlib import Path

import janshi

ROOT = Path(__file__).parents[1]


def test_the_last_version_of_the_changelog_is_the_packages():
    versions = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == janshi.__version__
