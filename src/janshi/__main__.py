"""``janshi`` and ``python -m janshi``: the command line, or one line that says what it needs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from janshi.cli import main as run
    except ModuleNotFoundError as error:
        print(f"janshi: needs {error.name}: pip install 'janshi[cli]'", file=sys.stderr)
        sys.exit(2)
    run()


if __name__ == "__main__":
    main()
