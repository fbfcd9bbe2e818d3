"""A hook of MkDocs that adds texts of the repository's root to the site and adapts links between files.

The same Markdown is valid in the repository and on the site. Linked files that are not pages (examples, sources) are
added to the site as texts under ``source/``.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).parents[1]
#: Files of the repository that are pages, by their path.
PAGES: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
    "research/README.md": "research.md",
    "npm/README.md": "javascript.md",
    "src/janshi/players/README.md": "shipped-players.md",
    **{f"results/{path.name}": f"results/{path.name}" for path in (ROOT / "results").glob("*.md")},
}
_LINK: Final = re.compile(r"(?P<before>\]\()(?P<path>(?!\w+:)[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside ``docs/``, and every linked file."""
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in PAGES}
    for path, page in PAGES.items():
        files.append(File.generated(config, page, content=texts[path]))
    own = [file for file in files.documentation_pages() if not file.generated_by]
    texts |= {f"docs/{file.src_uri}": file.content_string for file in own}
    for path, text in texts.items():
        for link in _LINK.finditer(text):
            wanted = _repository_path(path, link["path"])
            uri = _site_path(wanted)
            if uri.startswith("source/") and (ROOT / wanted).is_file() and files.get_file_from_path(uri) is None:
                files.append(File.generated(config, uri, abs_src_path=str(ROOT / wanted)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Change links to the pages and files of the site."""
    own = page.file.src_uri
    path = next((path for path, name in PAGES.items() if name == own), f"docs/{own}")

    def led(link: re.Match[str]) -> str:
        uri = _site_path(_repository_path(path, link["path"]))
        relative = posixpath.relpath(uri, posixpath.dirname(own) or ".")
        return f"{link['before']}{relative}{link['anchor'] or ''})"

    return _LINK.sub(led, markdown).replace("```python\n>>>", "```pycon\n>>>")


def _repository_path(page: str, link: str) -> str:
    """Return the path in the repository of a page's link.

    >>> _repository_path("docs/guide.md", "../examples/bot.py")
    'examples/bot.py'
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def _site_path(path: str) -> str:
    """Return the path of a repository's file on the site.

    >>> _site_path("README.md"), _site_path("docs/table.png"), _site_path("examples/bot.py")
    ('index.md', 'table.png', 'source/examples/bot.py.txt')
    """
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"source/{path}.txt" if path.endswith((".md", ".py")) else f"source/{path}"
