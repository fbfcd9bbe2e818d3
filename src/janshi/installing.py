"""Missing extras and the command that installs them from a clone, a wheel file or an index.

The extras are read from the package's metadata, so that they are defined only in `pyproject.toml`.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

#: Modules whose name differs from that of their distribution.
_DISTRIBUTIONS: Final[Mapping[str, str]] = {
    **{"PIL": "pillow", "IPython": "ipython", "resvg_py": "resvg-py"},
    **{"pydantic": "fastapi", "starlette": "fastapi", "h11": "uvicorn"},
}
_REQUIREMENT: Final = re.compile(r"""^(?P<name>[\w.-]+)[^;]*;.*\bextra == ["'](?P<extra>[\w-]+)["']""")


def install_line(extra: str) -> str:
    """Return the command that installs an extra of the package into the running environment.

    >>> install_line("web").endswith('[web]"')
    True
    """
    return f"{_pip()} install {_target(_origin(), extra)}"


def lacking(module: str, extra: str) -> str:
    """Return a line that names a missing module and the command that installs its extra."""
    return f"needs {module.partition('.')[0]}: {install_line(extra)}"


@contextmanager
def naming_extra(module: str) -> Iterator[None]:
    """Import other packages in this context: one that is missing raises the command that installs its extra.

    ``module``: the importing module (``__name__``), which the message begins with.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        extra = extra_of(error.name or "")
        if extra is None:
            raise
        raise ModuleNotFoundError(f"{module} {lacking(error.name or '', extra)}", name=error.name) from None


def extra_of(module: str, wanted: str = "") -> str | None:
    """Return the extra with a module: ``wanted`` if it contains it, else the smallest, None if there is none.

    >>> extra_of("lightning_fabric.strategies"), extra_of("nothing_known")
    ('learn', None)
    >>> extra_of("scipy"), extra_of("scipy", "web")
    ('play', 'web')
    """
    top = module.partition(".")[0]
    distribution = _DISTRIBUTIONS.get(top, top.replace("_", "-")).lower()
    containing = [extra for extra, names in _extras().items() if distribution in names]
    if wanted in containing:
        return wanted
    return min(containing, key=lambda extra: (len(_extras()[extra]), extra), default=None)


@cache
def _extras() -> Mapping[str, Set[str]]:
    """Return the distributions of each extra; those of extras that it contains are listed in the metadata again."""
    try:
        requirements = metadata.requires("janshi") or []
    except metadata.PackageNotFoundError:  # sources on the path, not installed
        requirements = []
    read = [found for requirement in requirements if (found := _REQUIREMENT.match(requirement))]
    extras: dict[str, set[str]] = {}
    for found in read:
        extras.setdefault(found["extra"], set()).add(found["name"].lower())
    return extras


def _origin() -> str:
    """Return the installation's origin as stored by pip (PEP 610); empty for an index."""
    try:
        return metadata.distribution("janshi").read_text("direct_url.json") or ""
    except metadata.PackageNotFoundError:
        return ""


def _target(origin: str, extra: str) -> str:
    """Return pip's target, quoted for any shell.

    >>> _target("", "web")
    '"janshi[web]"'
    >>> _target('{"url": "file:///home/me/janshi", "dir_info": {"editable": true}}', "web")
    '-e "/home/me/janshi[web]"'
    >>> _target('{"url": "file:///home/me/janshi-1.0-py3-none-any.whl", "archive_info": {}}', "web")
    '"/home/me/janshi-1.0-py3-none-any.whl[web]"'
    >>> _target('{"url": "https://example.org/janshi.git", "vcs_info": {"vcs": "git"}}', "web")
    '"janshi[web] @ git+https://example.org/janshi.git"'
    """
    if not origin:
        return f'"janshi[{extra}]"'
    known = json.loads(origin)
    url = urlsplit(known["url"])
    if url.scheme != "file":
        version_control = known.get("vcs_info", {}).get("vcs")
        return f'"janshi[{extra}] @ {f"{version_control}+" if version_control else ""}{known["url"]}"'
    path = Path(url2pathname(url.path))
    if path == Path.cwd():
        path = Path(".")
    return f'{"-e " if known.get("dir_info", {}).get("editable") else ""}"{path.as_posix()}[{extra}]"'


def _pip() -> str:
    """Return the command of this environment's pip: its bare name if the shell would find the same one."""
    found = shutil.which("pip")
    if found is not None and Path(found).parent == Path(sys.executable).parent:
        return "pip"
    return f"{sys.executable} -m pip"


__all__ = ["extra_of", "install_line", "lacking", "naming_extra"]
