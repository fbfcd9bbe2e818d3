"""Check a commit message: a short subject, then a blank line before any body.

    python tools/check_commit_message.py FILE

``FILE`` contains the message, as in a ``commit-msg`` hook of Git; pre-commit runs this script as one. Problems are
printed to standard error, with exit code 1. The imperative mood of the subject is not checked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

#: Maximum characters of a subject.
LONGEST_SUBJECT: Final = 72
#: Line above the diff of ``git commit --verbose``; the message ends before it.
SCISSORS: Final = "# ------------------------ >8 ------------------------"
#: Prefixes of subjects that Git writes for commits to be squashed.
AUTOSQUASH: Final = ("fixup! ", "squash! ", "amend! ")


def message_lines(text: str) -> list[str]:
    r"""Return the lines of a message without Git's comments, leading and trailing blank lines.

    >>> message_lines("Add a preset\n# On branch main\n")
    ['Add a preset']
    """
    kept = [line.rstrip() for line in text.partition(SCISSORS)[0].splitlines() if not line.startswith("#")]
    return "\n".join(kept).strip("\n").splitlines()


def problems(text: str) -> list[str]:
    """Return the problems of a commit message, one sentence each.

    >>> problems("Add an encoder for sequences")
    []
    >>> problems("Add an encoder.")
    ['the subject ends with a full stop']
    """
    lines = message_lines(text)
    if not lines:
        return ["the message is empty"]
    subject = lines[0]
    if subject.startswith(AUTOSQUASH):
        return []
    wrong = []
    if len(subject) > LONGEST_SUBJECT:
        wrong.append(f"the subject has {len(subject)} characters; {LONGEST_SUBJECT} are allowed")
    if subject.endswith("."):
        wrong.append("the subject ends with a full stop")
    if subject[0].islower():
        wrong.append("the subject does not begin with a capital letter")
    if len(lines) > 1 and lines[1]:
        wrong.append("the line after the subject is not blank")
    return wrong


def main(arguments: list[str]) -> int:
    """Check the message in the file of the command line; return the exit code."""
    if len(arguments) != 1:
        print("usage: python tools/check_commit_message.py FILE", file=sys.stderr)
        return 2
    try:
        text = Path(arguments[0]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    wrong = problems(text)
    for problem in wrong:
        print(f"commit message: {problem}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
