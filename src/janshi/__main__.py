"""``janshi`` and ``python -m janshi``: the command line."""

from janshi.cli import main

if __name__ == "__main__":
    main()
