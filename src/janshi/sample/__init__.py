"""A small sample of game records that ships with the package, for a first run without other records.

The games were made by this package's own efficient agent playing against itself (``tools/make_sample.py``). They are no
games of people, and nothing measured on them says anything about people's play.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

#: The archive: 60 sanma games, East–South, mjlog.
SAMPLE: Final = Path(__file__).parent / "machine-made-sanma.zip"
