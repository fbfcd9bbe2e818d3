"""``janshi`` and ``python -m janshi``: the command line, or one line that says what it needs."""

from __future__ import annotations

import sys

from janshi import __version__


def main() -> None:
    """Run the command line; what an installation without extras lacks is said in one line, with the line to type."""
    try:
        from janshi.cli import main as run
    except ModuleNotFoundError as error:
        from janshi.installing import lacking

        if sys.argv[1:] == ["--version"]:
            print(f"janshi {__version__}")
            sys.exit()
        print(f"janshi: the command line {lacking(error.name or 'typer', 'cli')}", file=sys.stderr)
        sys.exit(2)
    run()


if __name__ == "__main__":
    main()
