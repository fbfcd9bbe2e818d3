"""The page of a review: self-contained, with escaped content."""

import dataclasses
import json
from html.parser import HTMLParser

import pytest

from janshi.review import review_game
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.positions import nth_game
from janshi.sample import SAMPLE
from janshi.web.report import ReportError, report_html

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Janshi</title>
    <link rel="icon" href="data:," />
    <script type="module" crossorigin src="./assets/app.js"></script>
    <link rel="stylesheet" crossorigin href="./assets/app.css">
  </head>
  <body><div id="app"></div></body>
</html>
"""
SCRIPT = r'const end = "</script><!-- \1 \g<0>"; const text = `</SCRIPT >`;'


@pytest.fixture
def bundle(tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "assets" / "app.js").write_text(SCRIPT)
    (tmp_path / "assets" / "app.css").write_text("a::after { content: '</style>雀' }", encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def review():
    said = review_game(nth_game(SAMPLE, 1), 0, EfficientAgent())
    return dataclasses.replace(said, names=["</script><b>", "<!-- 雀士", 'Q"&'])


class Elements(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data):
        if self.found:
            tag, attrs, text = self.found[-1]
            self.found[-1] = (tag, attrs, text + data)

    def handle_endtag(self, tag):
        self.found.append((f"/{tag}", {}, ""))

    def of(self, tag):
        return [(attrs, text) for name, attrs, text in self.found if name == tag]


def test_the_page_is_self_contained_and_its_content_escaped(bundle, review):
    page = report_html(review, bundle)
    elements = Elements(page)
    ((_, text),) = [one for one in elements.of("script") if one[0].get("id") == "review"]
    assert json.loads(text) == json.loads(json.dumps(dataclasses.asdict(review)))
    assert len(elements.of("script")) == 2
    assert not [attrs for tag, attrs, _ in elements.found if "src" in attrs], "nothing is fetched"
    assert [attrs["href"] for attrs, _ in elements.of("link")] == ["data:,"]
    ((_, style),) = elements.of("style")
    assert "雀" in style
    assert not elements.of("b"), "a name is no element"
    assert (page.count("</script"), page.count("</style"), page.count("<!--")) == (2, 1, 0)
    assert r'const end = "<\/script><\x21-- \1 \g<0>"' in page
    ((_, title),) = elements.of("title")
    assert title.startswith("</script><b>: ")


def test_a_missing_bundle_is_reported(tmp_path, review):
    with pytest.raises(ReportError, match=r"index.html .*: it has not been built"):
        report_html(review, tmp_path)
    (tmp_path / "index.html").write_text(PAGE)
    with pytest.raises(ReportError, match=r"app.js .*has not been built"):
        report_html(review, tmp_path)
    (tmp_path / "index.html").write_text("<html></html>")
    with pytest.raises(ReportError, match="has no script or no style"):
        report_html(review, tmp_path)
