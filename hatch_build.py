"""Build hook: with ``JANSHI_COMPILE=1`` a wheel contains the compiled code, for one platform and version of Python.

Its commands are in docs/release.md.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledCode(BuildHookInterface):
    """Runs ``tools/compile_wheel.py`` for wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, add the code, and name the platform; nothing in editable installs."""
        if self.target_name != "wheel" or version == "editable" or os.environ.get("JANSHI_COMPILE") != "1":
            return
        folder = self._folder
        subprocess.run([sys.executable, "tools/compile_wheel.py", str(folder)], cwd=self.root, check=True)
        build_data["force_include"][str(folder)] = "janshi/compiled"
        build_data["pure_python"] = False
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["tag"] = f"{python}-{python}-{_platform()}"

    @property
    def _folder(self) -> Path:
        return Path(self.directory) / "compiled"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder of the code, which is in the wheel now."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _platform() -> str:
    """Return the platform tag; on Linux with the oldest C library that Numba's wheels run on."""
    if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
        return f"manylinux_2_17_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
