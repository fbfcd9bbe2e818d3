"""The command line in the process of a test."""

from __future__ import annotations

import json
from typing import Any

from click.testing import Result
from typer.testing import CliRunner

from janshi.cli import app


def janshi(*words: object, code: int = 0, **more: Any) -> Result:
    """Run ``janshi`` with these words, which must end with this exit code; ``more`` is for `CliRunner`."""
    result = CliRunner(env={"COLUMNS": "160"}).invoke(app, [*map(str, words)], **more)
    assert result.exit_code == code, result.output
    return result


def report_of(result: Result) -> Any:
    """Return the JSON at the end of a command's output."""
    return json.loads(result.stdout[result.stdout.index("{") :])
