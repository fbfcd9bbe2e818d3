"""A review as a single HTML file."""

from __future__ import annotations

import dataclasses
import html
import json
import re
from pathlib import Path
from typing import Final

from janshi.review.model import Review

#: Folder of the built page.
STATIC: Final = Path(__file__).parent / "static"

_SCRIPT: Final = re.compile(r'<script\b[^>]*\bsrc="(?P<path>[^"]+)"[^>]*>\s*</script>')
_STYLE: Final = re.compile(r'<link\b(?=[^>]*\brel="stylesheet")[^>]*\bhref="(?P<path>[^"]+)"[^>]*>')
_TITLE: Final = re.compile(r"<title>.*?</title>", re.DOTALL)


class ReportError(ValueError):
    """The page of a review cannot be made."""


def report_html(review: Review, static_dir: str | Path = STATIC) -> str:
    """Return a page that shows a review: the built ``index.html`` with its script and style embedded.

    The element ``<script type="application/json" id="review">`` contains the review as JSON. Raises `ReportError` if
    the page has not been built.
    """
    static_dir = Path(static_dir)
    page = _read(static_dir, "index.html")
    page, scripts = _SCRIPT.subn(lambda match: _script(_read(static_dir, match["path"])), page)
    page, styles = _STYLE.subn(lambda match: _style(_read(static_dir, match["path"])), page)
    if not scripts or not styles:
        raise ReportError(f"{static_dir / 'index.html'} has no script or no style: run npm run build in web/")
    page = _TITLE.sub(lambda _: f"<title>{html.escape(_title(review))}</title>", page, count=1)
    head, end, rest = page.partition("</head>")
    return f'{head}<script type="application/json" id="review">{_json(review)}</script>\n{end}{rest}'


def _title(review: Review) -> str:
    return f"{review.names[review.seat]}: {review.source} · Janshi"


def _json(review: Review) -> str:
    # Without "<" the text cannot end the element or begin a comment.
    text = json.dumps(dataclasses.asdict(review), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def _script(text: str) -> str:
    # "\/" and "\x21" are equivalent in strings, patterns and templates, the only possible places.
    safe = re.sub(r"</(?=script)", r"<\\/", text, flags=re.IGNORECASE).replace("<!--", r"<\x21--")
    return f'<script type="module">{safe}</script>'


def _style(text: str) -> str:
    safe = re.sub(r"</(?=style)", r"<\\/", text, flags=re.IGNORECASE)
    return f"<style>{safe}</style>"


def _read(folder: Path, path: str) -> str:
    file = folder / path.removeprefix("./").removeprefix("/")
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no text"
        raise ReportError(f"the page needs {file} ({reason}): it has not been built (npm run build in web/)") from None
