"""Links as people paste them, and the one request that fetches a record, against a local site."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import fake_site
import pytest
from fake_site import Site, serving
from made_games import make_game
from tests.claims import cases_of

pytest.importorskip("urllib3")

from janshi.records import Damaged, read_bytes, read_games
from janshi.records.links import LinkError, find_link
from janshi.riichi.records import viewer_address, write_mjlog
from janshi.riichi.records.crawl import links

NAME = "2019010100gm-00a9-0000-0123abcd"
SOUL = "240101-01234567-89ab-cdef-0123-456789abcdef"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Return a site with one record in place of Tenhou, and an empty cache."""
    game = make_game(4, 1)
    game.ref = NAME
    with serving(Site({NAME: write_mjlog(game).encode()})) as made:
        monkeypatch.setattr(links, "SITE", made.url)
        monkeypatch.setattr(links, "cache_folder", lambda: tmp_path / "cache")
        monkeypatch.setattr(links, "TIMEOUT", 0.3)
        yield made


@pytest.mark.parametrize(*cases_of("messages", "links of Tenhou"))
def test_links_of_tenhou_name_the_record_and_the_seat(text: str, seat: int | None) -> None:
    link = find_link(text)
    assert link is not None
    assert (link.name, link.seat, link.fetch is not None) == (NAME, seat, True)


def test_a_link_that_contains_its_record_asks_nobody() -> None:
    game = make_game(3, 1)
    link = find_link(f"{viewer_address(game)}&tw=2")
    assert link is not None
    assert link.seat == 2
    (read,) = read_bytes(link.record(fetch=False), "")
    assert len(read.hands) == len(game.hands)


@pytest.mark.parametrize(*cases_of("messages", "links to other sites"))
def test_other_links_say_in_two_sentences_what_to_do(text: str, site: str) -> None:
    link = find_link(text)
    assert link is not None
    with pytest.raises(LinkError) as refused:
        link.record()
    assert site in str(refused.value)
    assert str(refused.value).count(". ") == 1
    assert str(refused.value).endswith("open that file.")


@pytest.mark.parametrize("text", ["", "game.mjlog", "records/2019", "-", "{}", '["https://x"]', "C:\\x.json"])
def test_files_and_records_are_no_links(text: str) -> None:
    assert find_link(text) is None


def test_a_record_is_fetched_with_one_request_and_kept(site: Site, tmp_path: Path) -> None:
    link = find_link(NAME)
    assert link is not None
    assert [link.record(), link.record()] == [site.records[NAME]] * 2
    assert site.asked == {NAME: 1}
    (agent,) = site.agents
    assert agent.startswith("janshi/")
    kept = tmp_path / "cache" / "records" / f"{NAME}.mjlog"
    kept.write_bytes(b"<mjloggm")  # damaged since
    assert link.record() == site.records[NAME]
    assert site.asked == {NAME: 2}


def test_without_leave_nothing_is_fetched(site: Site) -> None:
    link = find_link(NAME)
    assert link is not None
    with pytest.raises(LinkError, match=r"the record is not fetched\. Save .* as a file, and open that file\."):
        link.record(fetch=False)
    assert not site.asked


@pytest.mark.parametrize(
    ("mood", "words"),
    [
        (fake_site.missing, "404"),
        (fake_site.busy, "503"),
        (fake_site.forbidden, "403"),
        (fake_site.garbage, "not an mjlog"),
        (fake_site.empty, "empty"),
        (fake_site.cut, ""),
        (fake_site.hang, "no answer within 0.3 s"),
        (fake_site.too_many_for_today, "429"),
        (fake_site.redirects("https://example.org/"), "redirects to another one"),
        (fake_site.redirects("http://127.0.0.1:1/"), "redirects to another one"),
        (fake_site.redirects("file:///etc/passwd"), "redirects to another one"),
        (fake_site.says(b"x" * (5 << 20)), "larger than 4 MiB"),
    ],
)
def test_a_bad_answer_is_one_request_and_one_line(site: Site, mood: fake_site.Mood, words: str) -> None:
    site.moods[NAME] = [mood] * 9
    link = find_link(NAME)
    assert link is not None
    start = time.monotonic()
    with pytest.raises(LinkError) as no:
        link.record()
    assert re.fullmatch(r".* cannot be fetched \(.*\)\. Save that page as a file, and open the file\.", str(no.value))
    assert words in str(no.value)
    assert site.asked == {NAME: 1}
    assert time.monotonic() - start < 5


def test_commands_that_read_files_say_that_a_link_is_none(site: Site) -> None:
    for text in (f"https://tenhou.net/0/?log={NAME}", f"https://game.mahjongsoul.com/?paipu={SOUL}"):
        (damaged,) = read_games([Path(text)])
        assert isinstance(damaged, Damaged)
        assert "this is a link, not a file" in str(damaged)
        assert "no such file" not in str(damaged)
    assert not site.asked


PIECES = ["tenhou.net/6/log=", "tenhou.net/6/#json", "maj-soul", "riichicity", "paipu=240101-", "tw=1&"]


@pytest.mark.parametrize("piece", PIECES)
def test_a_text_of_a_million_letters_is_no_link_within_a_moment(piece: str) -> None:
    start = time.process_time()
    link = find_link(piece * (1_000_000 // len(piece)))
    assert time.process_time() - start < 0.5
    assert link is None or link.fetch is None
