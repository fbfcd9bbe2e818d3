"""The npm package and the page without a server: built, run in Node and Chromium, and equal to the Python package."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.cluster import workers
from janshi.games import game_of
from janshi.records import recorder_of
from janshi.review import ReviewError, read_game, review_game
from janshi.review.losses import by_expected_gain, loss_of, measure_losses
from janshi.review.model import Decision
from janshi.review.reviewing import review_of
from janshi.review.what_if import what_if
from janshi.say import say_of
from janshi.sichuan.records.jsonl import SichuanGame, play_random_game, write_sichuan
from janshi.sichuan.rules import PRESETS
from tests.cases import mostly_long
from tests.javascript_vectors import PlayedGame
from tests.random_outcomes import playouts_of, random_ends
from tests.reviewed_records import expected_review, sample_game, text_of

ROOT = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.later,
    pytest.mark.skipif(
        os.name == "nt" or shutil.which("npm") is None or find_spec("ziglang") is None,
        reason="needs npm, the extra wasm, and cp",
    ),
]


def run(*command: str, where: Path) -> str:
    """Run a command; return its output."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package's folder, built."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("npm", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("node_modules", "dist", "build"))
    shutil.copytree(ROOT / "tests" / "vectors", folder / "tests" / "vectors")  # the package's own tests read them
    try:
        run("npm", "ci", "--silent", "--no-audit", "--no-fund", where=folder / "npm")
    except AssertionError as error:
        pytest.skip(f"npm cannot install TypeScript: {error}")
    run("npm", "run", "--silent", "build", where=folder / "npm")
    return folder / "npm"


def test_its_own_tests_pass(package: Path) -> None:
    run("npm", "test", "--silent", where=package)


def fingerprints(package: Path, what: str, count: int, folder: Path) -> tuple[str, str]:
    """Return the lines of hashes from Python and from Node."""
    tool = [sys.executable, str(ROOT / "tools" / "fingerprint.py"), what]
    if what == "games":
        options, argument = ["--count", str(count)], str(count)
    else:
        options = ["--count", str(count), "--decisions", str(count), "--write", str(folder)]
        argument = str(folder)
    return run(*tool, *options, where=ROOT), run("node", "test/fingerprint.mjs", what, argument, where=package)


@pytest.mark.parametrize(
    ("what", "count"),
    mostly_long(
        [
            *(("games", 100), ("scores", 2000), ("inputs", 1000), ("samples", 25)),
            *(("games", 20_000), ("scores", 20_000), ("inputs", 10_000), ("samples", 400)),
        ],
        lambda what, count: (what, count) != ("samples", 400) and count <= 2000,
    ),
)
def test_it_does_what_python_does(package: Path, what: str, count: int, tmp_path: Path) -> None:
    ours, theirs = fingerprints(package, what, count, tmp_path)
    assert ours == theirs
    assert ours


def test_the_packed_file_is_small_and_complete(package: Path) -> None:
    (told,) = json.loads(run("npm", "pack", "--json", "--silent", where=package))
    packed = package / told["filename"]
    assert packed.stat().st_size < 300_000
    with tarfile.open(packed) as files:
        names = {Path(name).name for name in files.getnames()}
    assert {"index.js", "index.d.ts", "janshi.wasm", "shanten.bin.gz", "README.md"} <= names


def test_the_version_is_that_of_the_python_package() -> None:
    from janshi import __version__

    assert json.loads((ROOT / "npm" / "package.json").read_text())["version"] == __version__


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield its address."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


SCRIPT = """async (address) => {
  const { load } = await import(`${address}/dist/index.js`);
  const janshi = await load();
  const table = janshi.table("tenhou-sanma-hand", { seed: 7 });
  while (!table.over) table.act(table.legal[0]);
  return [table.result.reason, table.scores, janshi.shanten("123m456p789s1155z")];
}"""


def test_it_works_in_a_browser(package: Path, chromium: Any) -> None:
    with served(package) as address:
        page = chromium.new_page()
        page.goto(f"{address}/package.json")
        reason, scores, away = page.evaluate(SCRIPT, address)
        page.close()
    assert (reason, sum(scores), away) == ("exhaustive draw", 105_000, 0)


# ---------------------------------------------------------------------------------------------------------
# The page without a server


@pytest.fixture(scope="module")
def site(package: Path) -> Path:
    """The folder of the built page."""
    web = package.parent / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules", "dist", "build"))
    for folder in (web, web / "offline"):
        run("npm", "ci", "--silent", "--no-audit", "--no-fund", where=folder)
    (web / "tools" / "offline.py").write_text((ROOT / "web" / "tools" / "offline.py").read_text())
    shutil.copytree(ROOT / "src" / "janshi" / "players", package.parent / "src" / "janshi" / "players")
    run("npm", "run", "--silent", "build", where=web / "offline")
    return web / "offline" / "dist"


@pytest.fixture
def page(site: Path, chromium: Any) -> Iterator[Any]:
    """The page in Chromium: see `page_in`."""
    with page_in(site, chromium) as opened:
        yield opened


@contextmanager
def page_in(site: Path, chromium: Any) -> Iterator[Any]:
    """Open the page of a folder, without pauses between events; it must not have an error."""
    with served(site) as address:
        context = chromium.new_context(viewport={"width": 1280, "height": 860}, locale="en-GB")
        opened = context.new_page()
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.goto(f"{address}/?pace=0")
        opened.wait_for_selector("form")
        yield opened
        context.close()
    assert errors == []


GAMES = (
    *(("tenhou", "east", 2), ("tenhou-sanma", "east", 4), ("mahjong-soul", "hand", 5), ("ema", "hand", 7)),
    ("m-league", "hand", 13),  # asks two tenpai seats whether they show their hands
    *(("sichuan", "four", 10), ("sichuan-exchange", "four", 11), ("sichuan-novikov", "four", 12)),
)


@pytest.mark.parametrize(("rules", "length", "seed"), GAMES)
def test_the_page_sends_what_the_server_sends(page: Any, rules: str, length: str, seed: int) -> None:
    check_messages(page, PlayedGame(rules, length, seed), rules, length, seed)


@pytest.mark.long
def test_the_page_sends_what_the_server_sends_in_many_games(page: Any) -> None:
    for seed in range(100, 130):
        for rules, length, _ in GAMES:
            check_messages(page, PlayedGame(rules, length, seed), rules, length, seed)


def check_messages(page: Any, game: PlayedGame, rules: str, length: str, seed: int) -> None:
    """Check that the page sends the same in a game."""
    wanted = {"name": rules, "length": length, "seed": str(seed), "names": game.names, "actions": game.actions}
    sent = page.evaluate("(played) => janshiAsk('replay', played)", wanted)
    assert sorted(sent) == sorted(game.sent)
    for name, expected in game.sent.items():
        assert json.loads(json.dumps(expected)) == sent[name], name


OPEN = """async (wanted) => {
    const made = await janshiAsk("api/tables", wanted);
    localStorage.setItem("janshi.tables", JSON.stringify([{id: made.table, key: made.key, asked: wanted}]));
    location.hash = "#/table/" + made.table;
    return made;
}"""


#: Formats in which finished games are saved.
FORMATS = {"tenhou-sanma": "mjai", "sichuan-exchange": "janshi-sichuan"}


@pytest.mark.parametrize("rules", FORMATS)
def test_a_hand_is_played_by_clicks_reloaded_and_saved(page: Any, rules: str, tmp_path: Path) -> None:
    from tests.web.pages import READY, click_on, play

    made = page.evaluate(OPEN, {"rules": rules, "length": "hand", "seat": 0, "seed": 5, "name": "Mori"})
    assert made["seat"] == 0
    page.wait_for_selector(".board")
    for _ in range(2):
        click_on(page)
    before = page.evaluate("localStorage.length")
    page.reload()
    page.wait_for_selector(".board")
    assert page.evaluate("localStorage.length") == before
    page.wait_for_selector(READY)
    page.keyboard.press("h")
    page.wait_for_selector(".advice")
    assert play(page)[-1] == "end"
    with page.expect_download() as saved:
        page.get_by_role("button", name=FORMATS[rules]).click()
    saved.value.save_as(tmp_path / saved.value.suggested_filename)
    game = read_game(tmp_path / saved.value.suggested_filename)
    assert (game.rules.players, game.names[0], len(game.hands)) == (3 if rules == "tenhou-sanma" else 4, "Mori", 1)
    assert recorder_of(game.rules).replayer()(game).mismatches == []
    page.locator(".panel-foot button").first.click()
    page.wait_for_selector(".review .tablist")
    page.reload()
    page.wait_for_selector(".review .tablist")


def test_a_game_is_open_in_one_tab_and_listed_in_the_others(page: Any) -> None:
    made = page.evaluate(OPEN, {"rules": "tenhou-sanma", "length": "hand", "seat": 0, "seed": 5, "name": "Mori"})
    page.wait_for_selector(".board")
    other = page.context.new_page()
    other.goto(page.url.partition("#")[0])
    other.wait_for_selector(".go-on-game")
    other.evaluate("(table) => { location.hash = '#/table/' + table; }", made["table"])
    other.get_by_text("another").first.wait_for()
    page.close()
    other.reload()
    other.wait_for_selector(".hand-tile:enabled")
    other.close()


#: Networks in eight-bit integers round elsewhere in WebAssembly: costs differ by as much as this.
_ROUNDED = 0.02
REVIEW = """async ([record, seat]) => {
    const made = await janshiAsk("api/reviews", {record});
    return made.reason ?? JSON.stringify(await janshiAsk(`api/reviews/${made.review}?seat=${seat}`));
}"""


def check_review(page: Any, text: str, name: str, seat: int, folder: Path) -> dict[str, Any]:
    """Check that the page reviews a record as Python does; return the review."""
    theirs: dict[str, Any] = json.loads(page.evaluate(REVIEW, [text, seat]))
    ours = expected_review(text, name, seat, folder)
    for field in ("rules", "players", "names", "events", "notes", "unit"):
        assert theirs[field] == ours[field], field
    assert len(theirs["decisions"]) == len(ours["decisions"]) > 0
    for their, our in zip(theirs["decisions"], ours["decisions"], strict=True):
        assert their["cost"] == pytest.approx(our["cost"], abs=_ROUNDED)
        for field in ("number", "hand", "event", "options", "done", "agrees", "phase"):
            assert their[field] == our[field], (our["number"], field)
        for field in ("best", "shanten", "candidates", "after", "risk", "voids"):
            assert their["advice"][field] == our["advice"][field], (our["number"], field)
    costs = {our["number"]: our["cost"] for our in ours["decisions"]}
    listed = [[costs[number] for number in review["report"]["moments"]] for review in (theirs, ours)]
    assert listed[0] == pytest.approx(listed[1], abs=_ROUNDED)
    assert theirs["report"]["rating"] == pytest.approx(ours["report"]["rating"], abs=0.11)
    assert theirs["places"] == [pytest.approx(places, abs=0.0011) for places in ours["places"]]
    return theirs


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ["mjlog", "tenhou6", "mjai", "majsoul"])
def test_the_page_reviews_as_python_does(page: Any, players: int, name: str, tmp_path: Path) -> None:
    game = sample_game(players, name)
    review = check_review(page, text_of(game, name), name, 1, tmp_path)
    assert review["notes"] == []
    assert len(review["places"]) == len(game.hands) + 1


def test_a_hand_that_contradicts_the_rules_is_left_out(page: Any, tmp_path: Path) -> None:
    record = text_of(sample_game(3, "mjlog"), "mjlog")
    text = re.sub(r'(<AGARI [^>]*?ten="[0-9]+),[0-9]+', r"\g<1>,100", record, count=1)
    review = check_review(page, text, "mjlog", 0, tmp_path)
    assert len(review["notes"]) == 1


@pytest.mark.parametrize("rules", ["sichuan-cap3", "sichuan-exchange", "sichuan-novikov-nopig"])
def test_the_page_reviews_sichuan_mahjong_as_python_does(page: Any, rules: str, tmp_path: Path) -> None:
    text = write_sichuan(PlayedGame(rules, "four", 200).record())
    assert check_review(page, text, "janshi-sichuan", 1, tmp_path)["notes"] == []


@pytest.mark.long
def test_the_page_reviews_many_games_of_sichuan_mahjong_as_python_does(page: Any, tmp_path: Path) -> None:
    presets = ("sichuan", "sichuan-exchange", "sichuan-novikov")
    names = [preset + ending for preset in presets for ending in ("", "-cap3", "-nopig")]
    for seed in range(300, 360):
        text = write_sichuan(PlayedGame(names[seed % len(names)], "four", seed).record())
        assert check_review(page, text, "janshi-sichuan", seed % 4, tmp_path)["notes"] == []


def later_hands() -> SichuanGame:
    """Return the record of the second and third hand of a game by rules that are no preset."""
    rules = dataclasses.replace(PRESETS["sichuan-exchange"], name="club", hands=3, cap=None, pig_fan=3, kong=2)
    game = play_random_game(rules, 31)
    game.hands, game.hands_before = game.hands[1:], 1
    return game


def test_the_page_reviews_later_hands_by_other_rules(page: Any, tmp_path: Path) -> None:
    review = check_review(page, write_sichuan(later_hands()), "janshi-sichuan", 1, tmp_path)
    assert (review["rules"], review["notes"], review["events"][1]["number"]) == ("club", [], 1)


def with_changes(number: int, **changes: Any) -> str:
    """Return `later_hands` as text, one hand with other values; a function changes its events."""
    game = later_hands()
    events = [*game.hands[number].events]
    changed = {name: value(events) if callable(value) else value for name, value in changes.items()}
    game.hands[number] = dataclasses.replace(game.hands[number], **changed)
    return write_sichuan(game)


PARTLY_REPLAYED = {
    "another tile": lambda: with_changes(1, events=lambda rows: [*rows[:40], (*rows[40][:2], 26, 0), *rows[41:]]),
    "a missing event": lambda: with_changes(1, events=lambda rows: [*rows[:30], *rows[31:]]),
    "an unfinished hand": lambda: with_changes(0, events=lambda rows: rows[:60]),
    "an event after the end": lambda: with_changes(0, events=lambda rows: [*rows, rows[-1]]),
    "another dealer": lambda: with_changes(1, dealer=3 - later_hands().hands[1].dealer),
    "other points at the end": lambda: with_changes(0, end=(1, 2, 3, -6)),
    "a missing hand": lambda: write_sichuan(later_hands()).rpartition("{")[0],
    "a hand too many": lambda: write_sichuan(later_hands()) + "{" + write_sichuan(later_hands()).rpartition("{")[2],
}


@pytest.mark.parametrize("damage", PARTLY_REPLAYED)
def test_the_rest_of_a_damaged_game_of_sichuan_mahjong_is_left_out(page: Any, damage: str, tmp_path: Path) -> None:
    review = check_review(page, PARTLY_REPLAYED[damage](), "janshi-sichuan", 1, tmp_path)
    assert len(review["notes"]) == 1


def first_hand() -> str:
    """Return the record of a game of one hand."""
    return write_sichuan(play_random_game("sichuan", 1))


REFUSED = {
    "dealer: by the rules 0, in the record 1": lambda: first_hand().replace('"dealer": 0', '"dealer": 1'),
    "hand 1: wall is a text of 108 tiles": lambda: first_hand().replace('"wall": "', '"wall": "1m'),
    "hand 1, event 1: an event must be": lambda: first_hand().replace('"void", 0', '["void"], 0'),
    "rules 'sichuan': cap is 0 to 16 fan": lambda: first_hand().replace('"sichuan"', '"sichuan", "cap": -1', 1),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_damaged_record_of_sichuan_mahjong_is_refused_as_in_python(page: Any, reason: str, tmp_path: Path) -> None:
    text = REFUSED[reason]()
    with pytest.raises(ReviewError, match=reason):
        expected_review(text, "janshi-sichuan", 1, tmp_path)
    assert reason in page.evaluate(REVIEW, [text, 1])


PLAY_ON = """async ([record, seat, decision, options, batches]) => {
    const { review } = await janshiAsk("api/reviews", {record});
    const played = [];
    for (let batch = 0; batch < batches; batch++)
        played.push(await janshiAsk(`api/reviews/${review}/playouts`, {seat, decision, options}));
    return played;
}"""


def discards_of(game: SichuanGame, seat: int) -> list[Decision]:
    """Return the decisions of a seat about at least four discards."""
    decisions = review_game(game, seat, agent("sichuan")).decisions
    return [each for each in decisions if len({option.tile for option in each.options if option.name == "discard"}) > 3]


def test_a_decision_of_sichuan_mahjong_is_played_on(page: Any) -> None:
    game = PlayedGame("sichuan-exchange", "hand", 300).record()
    decision = discards_of(game, 1)[2]
    options = [option.action for option in decision.options][:2]
    asked = [write_sichuan(game), 1, decision.number, options]
    first, second = page.evaluate(PLAY_ON, [*asked, 2])
    assert (first["samples"], second["samples"], second["finished"]) == (20, 40, False)
    assert [option["action"] for option in second["options"]] == options
    assert min(option["behind"]["value"] for option in second["options"]) == 0
    for option in second["options"]:
        check_ends(option["ends"], 40)
    assert page.evaluate(PLAY_ON, [*asked, 1]) == [first]
    (refused,) = page.evaluate(PLAY_ON, [write_sichuan(game), 1, 0, [0], 1])
    assert "not sampled" in refused["reason"]
    (refused,) = page.evaluate(PLAY_ON, [write_sichuan(game), 1, 999, [0], 1])
    assert "no decision 999" in refused["reason"]


def close_decisions(game: Any, seat: int) -> list[tuple[int, list[int]]]:
    """Return the numbers of decisions of a seat about discards, with the player's two first choices."""
    player = agent({3: "sl-int8", 4: "sl4-int8"}[game.rules.players])
    decisions = [each for each in review_game(game, seat, player).decisions if each.options[0].name == "discard"]
    preferred = [(each.number, [other.action for other in each.advice.preferences[:2]]) for each in decisions]
    return [(number, options) for number, options in preferred if len(options) == 2]


@pytest.mark.parametrize("players", [3, 4])
def test_a_decision_of_riichi_is_played_on(page: Any, players: int) -> None:
    game = sample_game(players, "mjai")
    number, options = close_decisions(game, 1)[-1]  # a late one, whose playouts are short
    asked = [text_of(game, "mjai"), 1, number, options]
    first, second = page.evaluate(PLAY_ON, [*asked, 2])
    assert (first["samples"], second["samples"], second["finished"]) == (20, 40, False)
    assert [option["action"] for option in second["options"]] == options
    assert all(1 <= option["place"]["value"] <= players for option in second["options"])
    places = [option["place"]["value"] for option in second["options"]]
    assert [option["behind"]["value"] for option in second["options"]] == pytest.approx(np.array(places) - min(places))
    for option in second["options"]:
        check_ends(option["ends"], 40)
    assert page.evaluate(PLAY_ON, [*asked, 1]) == [first]


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4])
def test_playouts_of_riichi_in_the_page_agree_with_those_of_python(page: Any, players: int) -> None:
    game = sample_game(players, "mjai")
    for number, options in close_decisions(game, 1)[4::14][:4]:
        *_, theirs = page.evaluate(PLAY_ON, [text_of(game, "mjai"), 1, number, options, 17])
        *_, ours = what_if(game, 1, number, options, samples=512)
        check_agreement(theirs, ours, ("place", "win", "deal_in", "points", "behind"), number)


MEASURE = """async ([record, seat, hands, leaves]) => {
    const { review } = await janshiAsk("api/reviews", {record});
    const measured = janshiAsk(`api/reviews/${review}/losses?seat=${seat}&hands=${hands}`, null);
    if (leaves) {
        await new Promise((done) => setTimeout(done, 500));
        await janshiAsk("api/site", null);
    }
    return measured;
}"""


def losses_of(review: Any) -> dict[int, Any]:
    """Return the measured losses by the number of their decision."""
    return {each["number"]: each["loss"] for each in review["decisions"] if each["loss"]}


@pytest.mark.parametrize("players", [3, 4])
def test_losses_are_measured_in_the_order_of_python(page: Any, players: int) -> None:
    game = sample_game(players, "mjai")
    positions = review_of(game.rules).positions
    assert positions is not None
    decisions = review_game(game, 1, agent(f"sl{'4' * (players == 4)}-int8")).decisions
    order = by_expected_gain([each for each in decisions if each.cost > 0], positions(game, 1))
    review = page.evaluate(MEASURE, [text_of(game, "mjai"), 1, 64 * 2 + 2, False])
    samples = {number: loss["samples"] for number, loss in losses_of(review).items()}
    assert samples == {order[0].number: 32, order[1].number: 32, order[2].number: 1}


def test_losses_are_measured_in_the_page(page: Any) -> None:
    game = sample_game(3, "mjai")
    review = page.evaluate(MEASURE, [text_of(game, "mjai"), 1, 192, False])
    losses = losses_of(review)
    assert sum(2 * loss["samples"] for loss in losses.values()) == 192
    assert all(loss["low"] <= loss["lost"] <= loss["high"] for loss in losses.values())
    certain = [number for number, loss in losses.items() if loss["certain"] and loss["lost"] > 0]
    assert sorted(review["report"]["moments"]) == certain
    found = review["report"]["losses"]
    assert (found["measured"], found["worse"]) == (len(losses), len(certain))
    assert found["people"] == review_of(game.rules).people(game.rules) is not None


def test_losses_are_no_longer_measured_once_the_page_shows_something_else(page: Any) -> None:
    refused = page.evaluate(MEASURE, [text_of(sample_game(3, "mjai"), "mjai"), 1, 2048, True])
    assert refused == {"reason": "the page shows something else"}


LOSSES = """async ([record, seat, outcomes]) => {
    const { review } = await janshiAsk("api/reviews", {record});
    const { decisions } = await janshiAsk(`api/reviews/${review}?seat=${seat}`);
    const losses = {};
    for (const [number, [best, some]] of Object.entries(outcomes))
        if (decisions[number].advice.best === best)
            losses[number] = await janshiAsk("loss", {review, seat, decision: Number(number), outcomes: some});
    return losses;
}"""


@pytest.mark.parametrize(
    "rules", ["tenhou-sanma", pytest.param("tenhou", marks=pytest.mark.long), "sichuan-exchange"]
)
def test_the_page_finds_the_losses_reasons_and_causes_of_given_ends_as_python_does(page: Any, rules: str) -> None:
    """The ends are random; what follows from them and from the decision is compared."""
    is_riichi = "tenhou" in rules
    game: Any = sample_game(3 + (rules == "tenhou"), "mjai") if is_riichi else PlayedGame(rules, "four", 200).record()
    text = text_of(game, "mjai") if is_riichi else write_sichuan(game)
    reviewer = agent({"tenhou-sanma": "sl-int8", "tenhou": "sl4-int8"}.get(rules, "sichuan"))
    facet, sources = review_of(game.rules), len(say_of(game_of(game.rules)).names["fan"])
    found, asked = {}, {}
    for seat in (0, 1):
        positions = facet.positions(game, seat)
        for each in review_game(game, seat, reviewer).decisions:
            if each.done != each.advice.best:
                ends = random_ends(each, game.rules.players, seat, sources, is_riichi)
                result = playouts_of(game.rules, each, seat, ends, is_riichi)
                loss = loss_of(each, result, positions[each.number])
                found[seat, each.number] = json.loads(json.dumps(dataclasses.asdict(loss)))
                outcomes = [[list(end.tobytes()) for end in some] for some in ends.T]
                asked.setdefault(seat, {})[each.number] = [each.advice.best, outcomes]
    compared = 0
    for seat, outcomes in asked.items():
        for number, loss in page.evaluate(LOSSES, [text, seat, outcomes]).items():
            assert loss == found[seat, int(number)], number
            compared += 1
    assert compared > 0.9 * len(found) > 10


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4])
def test_losses_in_the_page_agree_with_those_of_python(page: Any, players: int) -> None:
    game = sample_game(players, "mjai")
    page.set_default_timeout(1_200_000)
    theirs = page.evaluate(MEASURE, [text_of(game, "mjai"), 1, 2048, False])
    with workers() as here:
        ours = measure_losses(review_game(game, 1, agent(f"sl{'4' * (players == 4)}-int8")), game, here)
    expected = {each.number: each.loss for each in ours.decisions if each.loss}
    measured = losses_of(theirs)
    assert measured.keys() == expected.keys()
    for number, our in expected.items():
        their = measured[number]
        reach = np.hypot(their["high"] - their["low"], our.high - our.low)
        assert abs(their["lost"] - our.lost) < reach + 0.01, number
        for option, ends in enumerate(our.ends):
            check_ends(their["ends"][option], their["samples"])
            check_same_ends(their["ends"][option], dataclasses.asdict(ends), number)
        causes = causes_of_hands(their), causes_of_hands(dataclasses.asdict(our))
        assert not all(causes) or causes[0] == causes[1], number


@pytest.mark.long
def test_losses_in_the_page_do_not_depend_on_the_number_of_workers(site: Path, chromium: Any, tmp_path: Path) -> None:
    measured = []
    for cores in ("1", "3"):
        folder = shutil.copytree(site, tmp_path / cores)
        (file,) = folder.glob("assets/worker-*.js")
        before = file.read_text()
        file.write_text(before.replace("navigator.hardwareConcurrency", cores))
        assert file.read_text() != before
        with page_in(folder, chromium) as page:
            measured.append(page.evaluate(MEASURE, [text_of(sample_game(3, "mjai"), "mjai"), 1, 400, False]))
    assert measured[0] == measured[1]
    assert losses_of(measured[0])


def check_ends(ends: dict[str, Any], samples: int) -> None:
    """Check that the ends of hands after an option are complete and in their order."""
    assert ends["samples"] == samples
    assert ends["win"] + ends["deal_in"] + ends["draw"] + ends["others"] >= 0.999  # Sichuan: a winner may deal in, too
    for name, size in (("yaku", "share"), ("tiles", "share"), ("to", "rate")):
        found = [each[size] for each in ends[name]]
        assert found == sorted(found, reverse=True)
        assert bool(found) == (ends["deal_in" if name == "to" else "win"] > 0)
    for name, share in (("value", "win"), ("han", "win"), ("price", "deal_in"), ("tenpai", "draw")):
        assert (ends[name] is not None) == (ends[share] > 0), name


#: Shares of the ends of hands, and of what: all hands, won hands or draws.
SHARES = {"win": None, "deal_in": None, "draw": None, "others": None, "tenpai": "draw"}


def check_same_ends(theirs: dict[str, Any], ours: dict[str, Any], number: int) -> None:
    """Check that two ends of hands differ by less than five standard errors, yaku and winning tiles too."""

    def close(their: float, our: float, counts: tuple[float, float], what: str) -> None:
        share = (their * counts[0] + our * counts[1] + 1) / (sum(counts) + 2)
        error = (share * (1 - share) * (1 / max(counts[0], 1) + 1 / max(counts[1], 1))) ** 0.5
        assert abs(their - our) < 5 * error, (number, what)

    for name, of in SHARES.items():
        counts = [ends["samples"] * (1 if of is None else ends[of]) for ends in (theirs, ours)]
        if min(counts) > 0:
            close(theirs[name], ours[name], (counts[0], counts[1]), name)
    wins = (theirs["samples"] * theirs["win"], ours["samples"] * ours["win"])
    if min(wins) > 0:
        for name, key in (("yaku", "name"), ("tiles", "tile")):
            shares = [{each[key]: each["share"] for each in ends[name]} for ends in (theirs, ours)]
            for each in shares[0].keys() & shares[1].keys():
                close(shares[0][each], shares[1][each], wins, each)


def causes_of_hands(loss: dict[str, Any]) -> list[Any]:
    """Return the causes of the chance to win, which do not depend on playouts; none if it is no reason."""
    return [cause for reason in loss["reasons"] if reason["kind"] == "win" for cause in reason["causes"]]


def check_agreement(theirs: Any, ours: Any, names: tuple[str, ...], number: int) -> None:
    """Check that two results of playouts differ by less than twice the half-width of the 95 % interval of that."""
    for their, our in zip(theirs["options"], ours.options, strict=True):
        for name in names:
            estimate = getattr(our, name)
            reach = np.hypot(estimate.high - estimate.low, their[name]["high"] - their[name]["low"])
            assert abs(their[name]["value"] - estimate.value) < reach + 0.01, (number, name)
        check_same_ends(their["ends"], dataclasses.asdict(our.ends), number)


@pytest.mark.long
@pytest.mark.parametrize("rules", ["sichuan", "sichuan-exchange", "sichuan-novikov"])
def test_playouts_of_the_page_agree_with_those_of_python(page: Any, rules: str) -> None:
    game = PlayedGame(rules, "hand", 300).record()
    for decision in discards_of(game, 1)[:6:2]:
        options = [option.action for option in decision.options][:2]
        *_, theirs = page.evaluate(PLAY_ON, [write_sichuan(game), 1, decision.number, options, 17])
        *_, ours = what_if(game, 1, decision.number, options, samples=512)
        check_agreement(theirs, ours, ("win", "deal_in", "points"), decision.number)


BROKEN = {
    "hello": "Tenhou's viewer",
    "<mjloggm ver='2.3'><GO type='185'/>": "incomplete",
    '{"log": [[[0,0,0]]]}': "17",
    '{"title": []}': "no list named log",
    '{"type":"start_game"}\n{"type":': "line 2 is not valid JSON",
    '{"format": "janshi-sichuan", "version": 1}': "four strings",
    "https://tenhou.net/0/?log=2024010100gm-00a9-0000-0123abcd": "save the page",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_text_that_is_no_record_is_refused_in_one_sentence(page: Any, text: str) -> None:
    reason = page.evaluate(REVIEW, [text, 0])
    assert BROKEN[text] in reason
    assert "\n" not in reason


def test_a_packed_record_is_dropped_and_reviewed(page: Any, tmp_path: Path) -> None:
    packed = tmp_path / "game.mjlog.gz"
    packed.write_bytes(gzip.compress(text_of(sample_game(3, "mjlog"), "mjlog").encode()))
    page.click(".to-review a")
    page.set_input_files("input[type=file]", str(packed))
    page.locator(".seat-choice input").nth(2).click()
    page.locator(".choice button.primary").click()
    page.wait_for_selector(".review .tablist")
    assert page.locator(".review .save").count() == 0  # needs a server
    page.reload()
    page.wait_for_selector(".review .tablist")


#: Beginnings of records in formats that only Python reads.
UNREAD = ['{"title": "", "log": [[{"qipai": {}}]]}', '[{"code": 0, "data": {"handRecord": []}}]']


@pytest.mark.parametrize("text", UNREAD)
def test_formats_that_only_python_reads_are_refused_with_a_way_out(page: Any, text: str) -> None:
    assert "janshi convert" in page.evaluate(REVIEW, [text, 0])


def test_an_impossible_table_is_refused_with_a_reason(page: Any) -> None:
    refused = page.evaluate("(wanted) => janshiAsk('api/tables', wanted)", {"rules": "tenhou-sanma", "seat": 3})
    assert refused == {"reason": "rules 'tenhou-sanma' have seats 0 to 2, not 3"}
    assert "Python package" in page.evaluate("() => janshiAsk('api/history', null)")["reason"]


def test_a_stored_page_works_without_a_network(site: Path, chromium: Any) -> None:
    from tests.web.pages import play

    with served(site) as address:
        context = chromium.new_context(locale="en-GB")
        opened = context.new_page()
        opened.goto(f"{address}/?pace=0")
        opened.evaluate("() => navigator.serviceWorker.ready.then((ready) => ready.active.state)")
        opened.reload()
        opened.wait_for_selector("form")
    context.set_offline(True)
    opened.reload()
    opened.wait_for_selector("form")
    opened.evaluate(OPEN, {"rules": "tenhou-sanma", "length": "hand", "seat": 0, "seed": 5})
    opened.wait_for_selector(".board")
    assert play(opened)[-1] == "end"
    context.close()


def test_the_page_and_one_player_are_less_than_eight_megabytes(site: Path) -> None:
    others = ("sl4.onnx", "sichuan.onnx")
    loaded = [path for path in site.rglob("*") if path.is_file() and path.name not in others]
    assert sum(len(gzip.compress(path.read_bytes(), 6)) for path in loaded) < 8_000_000


TINY = Path(__file__).parent / "games" / "tiny.py"


@pytest.fixture
def site_with_tiny(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the page that is built with a game of a plug-in."""
    built = site.parents[2]
    for name in ("npm", "tools", "web", "src"):
        shutil.copytree(built / name, tmp_path / name, ignore=shutil.ignore_patterns("node_modules", "dist", "build"))
    monkeypatch.setenv("JANSHI_PLUGINS", str(TINY))
    for name in ("npm", "web", "web/offline"):
        (tmp_path / name / "node_modules").symlink_to(built / name / "node_modules")
    for name in ("npm", "web/offline"):
        run("npm", "run", "--silent", "build", where=tmp_path / name)
    return tmp_path / "web" / "offline" / "dist"


@pytest.mark.long  # compiles all games again
def test_a_game_of_a_plug_in_is_played_without_a_line_of_typescript(site_with_tiny: Path, chromium: Any) -> None:
    with page_in(site_with_tiny, chromium) as page:
        made = page.evaluate(OPEN, {"rules": "tiny", "length": "game", "seat": 0, "seed": 5})
        assert made["seat"] == 0
        page.wait_for_selector(".plain-table")
        while not page.query_selector(".panel.end"):
            page.wait_for_selector(".plain-choice .call, .panel .primary")
            if page.query_selector(".panel"):
                page.evaluate("document.querySelector('.panel:not(.end) .primary')?.click()")
                continue
            assert "hand: counts" in page.inner_text(".plain-views")
            page.locator(".plain-choice .call").last.click()
        log = page.locator(".plain-log li")
        assert log.last.inner_text() == "Hand 1 begins."
        assert log.filter(has_text="You: ").count() > 0
        points = page.locator(".plain-seats strong").all_inner_texts()
        assert sum(int(re.sub(r"[^-0-9]", "", text.replace("\u2212", "-"))) for text in points) == 30
