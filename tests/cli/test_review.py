"""The command ``janshi review``."""

import dataclasses
import json

import pytest
from typer.testing import CliRunner

from janshi.agents import agent
from janshi.cli import app
from janshi.cli.review import print_review
from janshi.records.formats import write_games
from janshi.review import review_game
from janshi.review.losses import with_losses
from janshi.review.model import Loss, Reason
from janshi.riichi.positions import nth_game
from janshi.riichi.records import viewer_address
from janshi.riichi.records.crawl import links
from janshi.riichi.review.words import moment_words
from janshi.sample import SAMPLE
from janshi.web import report
from tests.claims import cases_of
from tests.commands import janshi
from tests.records import fake_site

RUN = CliRunner()
BY = ["--by", "efficient", "--no-browser", "--hands", "0"]


def review(*args, **options):
    return RUN.invoke(app, ["review", *map(str, args), *BY], **options)


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Provide a built page."""
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "index.html").write_text(
        '<head><title></title><script src="./a.js"></script><link rel="stylesheet" href="./a.css"></head>'
    )
    (folder / "a.js").write_text("")
    (folder / "a.css").write_text("")
    monkeypatch.setattr(report.report_html, "__defaults__", (folder,))


def test_it_prints_rating_phases_and_moments():
    result = review(SAMPLE, "--game", 3, "--seat", 2)
    assert result.exit_code == 0
    assert "rating" in result.stdout
    assert "turns 7–12" in result.stdout


def test_different_choices_are_played_out_for_some_hands():
    pytest.importorskip("onnxruntime")
    by = ["--by", "sl", "--no-browser", "--hands", "200", "--processes", "1", "--json"]
    said = json.loads(RUN.invoke(app, ["review", str(SAMPLE), *by]).stdout)
    measured = [each["loss"] for each in said["decisions"] if each["loss"]]
    assert said["report"]["losses"]["measured"] == len(measured) > 0
    assert 0 < sum(2 * each["samples"] for each in measured) <= 200
    text = RUN.invoke(app, ["review", str(SAMPLE), *by[:-1]]).stdout
    assert "different choice" in text
    assert "certainly worse (" in text


def test_mistakes_are_beside_those_of_strong_people(capsys):
    plain = review_game(nth_game(SAMPLE, 1), 0, agent("efficient"))
    losses = {number: Loss(0.15, 0.1, 0.2, True, 128, [Reason("win", 0.2, 0.4)], "shape") for number in (3, 5)}
    print_review(with_losses(plain, losses, {"shape": 0.012}), moment_words)
    print_review(with_losses(plain, losses), moment_words)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  shape")]
    assert lines == ["  shape: 2, 0.30 places (strong people: 0.01 a game)", "  shape: 2, 0.30 places"]


def test_names_control_neither_the_terminal_nor_its_markup(tmp_path):
    game = dataclasses.replace(nth_game(SAMPLE, 1), names=["[/b]", "\x1b[31mred", "雀士"])
    (tmp_path / "game.mjson").write_text(write_games([game], "mjai")[0], encoding="utf-8")
    result = review(tmp_path / "game.mjson", "--seat", 0)
    assert result.exit_code == 0
    assert "seat 0 ([/b])" in result.stdout
    assert "\x1b" not in result.stdout
    assert "雀士" in result.stdout


def test_json_is_the_review():
    result = review(SAMPLE, "--json", "--seat", 1)
    assert result.exit_code == 0
    said = json.loads(result.stdout)
    assert (said["seat"], said["by"], said["players"]) == (1, "efficient", 3)
    assert said["report"]["total"]["decisions"] == len(said["decisions"])


def test_a_link_in_a_file_and_a_record_from_standard_input(tmp_path):
    game = nth_game(SAMPLE, 2)
    link = tmp_path / "link.txt"
    for address in (viewer_address(game), viewer_address(game).replace("/6/", "/5/") + "&ts=3"):
        link.write_text(f"\n  {address}\n")
        told = review(link, "--json")
        assert told.exit_code == 0, told.stderr
        piped = review("-", "--json", input=link.read_text())
        assert json.loads(piped.stdout)["decisions"] == json.loads(told.stdout)["decisions"]


def test_the_page_is_written_whole(tmp_path, page):
    out = tmp_path / "report.html"
    result = review(SAMPLE, "--out", out)
    assert result.exit_code == 0
    assert 'id="review"' in out.read_text(encoding="utf-8")
    assert str(out) in result.stdout
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["report.html"]


def test_the_page_is_opened_on_request(page, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    janshi("review", SAMPLE, "--by", "efficient", "--open")
    assert opened[0].startswith("file://")
    janshi("review", SAMPLE, "--by", "efficient")
    assert len(opened) == 1, "no terminal, no browser"


@pytest.mark.parametrize(*cases_of("messages", "damaged input is one line"))
def test_damaged_input_is_one_line(tmp_path, text):
    file = tmp_path / "link.txt"
    file.write_text(text)
    result = review(file)
    assert result.exit_code == 2
    assert result.stderr.startswith("janshi review: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output


def test_a_missing_bundle_is_reported_after_the_summary(tmp_path, monkeypatch):
    monkeypatch.setattr(report.report_html, "__defaults__", (tmp_path / "empty",))
    result = review(SAMPLE, "--out", tmp_path / "report.html")
    assert result.exit_code == 2
    assert "rating" in result.stdout
    assert "has not been built" in result.stderr
    assert not (tmp_path / "report.html").exists()


NAME = "2019010100gm-00b9-0000-0123abcd"


@pytest.fixture
def tenhou(tmp_path, monkeypatch):
    """Provide a local site with one record of three players in place of Tenhou."""
    pytest.importorskip("urllib3")
    game = nth_game(SAMPLE, 3)
    game.ref = NAME
    (record,) = write_games([game], "mjlog")
    with fake_site.serving(fake_site.Site({NAME: record.encode()})) as site:
        monkeypatch.setattr(links, "SITE", site.url)
        monkeypatch.setattr(links, "cache_folder", lambda: tmp_path / "cache")
        yield site


def test_a_link_is_fetched_and_reviewed_at_its_seat(tenhou):
    for address in (f"https://tenhou.net/0/?log={NAME}&tw=2", f"tenhou.net/5/?log={NAME}&tw=2"):
        result = review(address, "--json")
        assert result.exit_code == 0, result.stderr
        assert json.loads(result.stdout)["seat"] == 2
    assert json.loads(review(f"https://tenhou.net/0/?log={NAME}&tw=2", "--seat", 1, "--json").stdout)["seat"] == 1
    assert json.loads(review(f"https://tenhou.net/0/?log={NAME}&tw=3", "--json").stdout)["seat"] == 0
    assert tenhou.asked == {NAME: 1}


def test_a_link_is_not_fetched_against_the_users_will(tenhou):
    result = review(f"https://tenhou.net/0/?log={NAME}", "--no-fetch")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"/0/log/?{NAME} as a file" in result.stderr
    assert not tenhou.asked


@pytest.mark.parametrize("command", ["review", "replay", "convert", "dataset"])
@pytest.mark.parametrize(
    "address", ["https://game.mahjongsoul.com/?paipu=240101-01234567-89ab-cdef-0123-456789abcdef", "https://a.b/c"]
)
def test_no_command_calls_a_link_a_missing_file(command, address, tmp_path):
    more = {"convert": ["--to", "mjai", "--out", str(tmp_path)], "dataset": ["--out", str(tmp_path / "store")]}
    result = RUN.invoke(app, [command, address, *more.get(command, [])])
    assert result.exit_code in (1, 2)
    assert "no such file" not in result.stderr
    assert "open that file." in result.stderr


def test_the_seat_is_that_of_a_named_player():
    names = nth_game(SAMPLE, 3).names
    assert json.loads(review(SAMPLE, "--game", 3, "--player", names[1].upper(), "--json").stdout)["seat"] == 1
    for wrong, words in (("nobody", "no player named 'nobody': seats 0 "), ("", "several players named ''")):
        result = review(SAMPLE, "--game", 3, "--player", wrong)
        assert result.exit_code == 2
        assert words in result.stderr
    assert "not both" in review(SAMPLE, "--seat", 0, "--player", names[0]).stderr
