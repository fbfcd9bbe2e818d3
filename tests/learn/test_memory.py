"""Reuse of freed memory in training."""

import subprocess
import sys

import pytest

#: Prints the newly allocated bytes of a program that fills an array of 64 MiB after such arrays were freed,
#: before and after `keep_freed_memory`.
_NEW_PAGES = """
import resource

import torch

from janshi.learn.memory import keep_freed_memory


def filled():
    torch.ones(16 << 20)


def new_bytes():
    for _ in range(12):  # arrays lie at other places at first
        filled()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    filled()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) * resource.getpagesize()


print(new_bytes())
assert keep_freed_memory()
print(new_bytes())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's parameters")
def test_freed_arrays_are_reused() -> None:
    """Without the setting the system allocates nearly all pages of an array anew, with it hardly any."""
    done = subprocess.run([sys.executable, "-c", _NEW_PAGES], capture_output=True, text=True, check=True, timeout=120)
    without, kept = map(int, done.stdout.split())
    assert without > 32 << 20
    assert kept < 1 << 20


def test_other_systems_are_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems other than Linux are not changed."""
    from janshi.learn.memory import keep_freed_memory

    monkeypatch.setattr(sys, "platform", "darwin")
    assert not keep_freed_memory()
