"""Plug-ins in the process of a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from janshi import plugins
from janshi.agents.onnx import _network
from janshi.core.rules import REGISTERED
from janshi.plugins import ENVIRONMENT
from janshi.registries import REGISTRIES

PLUGINS = Path(__file__).parents[1] / "examples" / "plugins"


@contextmanager
def nothing_registered(*folders: Path) -> Iterator[None]:
    """Begin without plug-ins, and forget at the end what was registered and imported from these folders."""
    known, registered = set(sys.modules), REGISTERED.copy()
    REGISTERED.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENVIRONMENT, "")
        patch.setattr(plugins, "_imported", {})
        patch.setattr(sys, "path", [*sys.path])
        for registry in REGISTRIES.values():
            patch.setattr(registry, "_entry_points_read", False)
            for name in ("_addresses", "_values", "_origins"):
                patch.setattr(registry, name, getattr(registry, name).copy())
        _network.cache_clear()
        yield
        REGISTERED.clear()
        REGISTERED.update(registered)
    for name in sys.modules.keys() - known:
        if (file := getattr(sys.modules[name], "__file__", None)) and {*folders} & {*Path(file).parents}:
            del sys.modules[name]
