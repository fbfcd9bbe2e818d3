"""The page in a real browser: whole games with clicks, keys and switches, on a desktop and on a phone.

Browsers start slowly, so that there are few tests with many steps each.

``JANSHI_CHROMIUM`` names the browser (``/usr/bin/chromium``); without one these tests are skipped.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from janshi.riichi.records.mjai import write_mjai_text
from tests.laid_games import laid_game
from tests.web.conftest import DESKTOP, PHONE, Opened, serve
from tests.web.pages import (
    READY,
    check_a_hand_by_clicks,
    click_on,
    length_of,
    play,
    requested,
    seat_at,
    sit,
    what_lies,
)

pytestmark = pytest.mark.later
SIZES = {"wide": (1920, 1080), "desktop": DESKTOP, "tablet": (768, 1024), "phone": PHONE}


@pytest.mark.parametrize(
    ("size", "rules", "total"),
    [
        (DESKTOP, "tenhou", 100_000), (DESKTOP, "tenhou-sanma", 105_000), (PHONE, "tenhou-sanma", 105_000),
        (PHONE, "sichuan-exchange", 0),
    ],
)
def test_a_hand_is_played_by_clicks_reloaded_saved_and_played_again(
    open_page: Opened, size: tuple[int, int], rules: str, total: int
) -> None:
    check_a_hand_by_clicks(open_page, size, rules, total)


def test_switches_play_a_hand_and_are_reset_and_enter_continues_with_any_focus(open_page: Opened) -> None:
    page = open_page()
    seat_at(page, rules="tenhou", agents=["efficient"])
    expect(page.locator(".switch")).to_have_count(3)  # there is no kita there
    seat_at(page, length="east", agents=["efficient"])
    for key in ("Enter", " "):
        for name in ("Auto-win", "No calls", "Auto-discard", "Auto-kita"):
            page.get_by_role("button", name=name).click()
        page.wait_for_selector(".panel.result")
        expect(page.locator(".switch[aria-pressed=true]")).to_have_count(4)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        page.wait_for_selector(".panel.result", state="detached")
        expect(page.locator(".switch")).to_have_count(4)
        expect(page.locator(".switch[aria-pressed=true]")).to_have_count(0)


def give_by_keys(page: Any) -> None:
    """Choose the first tiles that can be exchanged, from left to right, and give them away."""
    page.keyboard.press("Home")
    for _ in range(20):
        page.keyboard.press("Enter")
        if page.query_selector(".call.give:enabled"):
            page.keyboard.press("g")
            page.wait_for_selector(".call.give", state="detached")
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError("no three tiles can be chosen by keys")


def play_by_keys(page: Any) -> int:
    """Play to the end of the game without a pointer; return the number of hands."""
    hands = 0
    while True:
        page.wait_for_selector(READY)
        if page.query_selector(".panel.end"):
            return hands
        if page.query_selector(".panel.result"):
            page.keyboard.press(" " if hands % 2 else "Enter")
            page.wait_for_selector(".panel.result", state="detached")
            hands += 1
        elif page.query_selector(".call.pass"):
            page.keyboard.press("x")
        elif page.query_selector(".call.void_m"):
            page.keyboard.press("2")
        elif page.query_selector(".call.give"):
            give_by_keys(page)
        else:
            page.keyboard.press("End")
            page.keyboard.press("Enter")
        page.wait_for_timeout(30)


@pytest.mark.parametrize(
    ("rules", "length", "hands"),
    [
        ("sichuan-exchange", "hand", 1),
        pytest.param("tenhou-sanma", "east", 3, marks=pytest.mark.long),
        pytest.param("tenhou", "east", 3, marks=pytest.mark.long),
        pytest.param("sichuan-exchange", "four", 3, marks=pytest.mark.long),
    ],
)
def test_a_game_is_played_by_keys_alone(open_page: Opened, rules: str, length: str, hands: int) -> None:
    page = open_page(reduced_motion="no-preference")
    seat_at(page, rules=rules, agents=["efficient"], length=length)
    assert play_by_keys(page) >= hands
    old = page.url
    page.keyboard.press("Enter")  # once more
    page.wait_for_url(lambda url: url != old)


@pytest.mark.parametrize(
    ("rules", "length", "least"),
    [
        ("tenhou", "hand", 1),
        pytest.param("tenhou", "south", 1000, marks=pytest.mark.long),
        pytest.param("tenhou-sanma", "south", 1000, marks=pytest.mark.long),
    ],
)
def test_enter_and_space_alone_make_no_call(open_page: Opened, rules: str, length: str, least: int) -> None:
    page = open_page()
    turns = offers = 0
    for seed in range(100):
        if turns >= least:
            break
        made = seat_at(page, rules=rules, agents=["efficient"], length=length, seed=seed)
        while page.query_selector(".panel.end") is None:
            page.wait_for_selector(READY)
            offers += page.query_selector(".call") is not None
            page.keyboard.press(" " if turns % 2 else "Enter")
            page.wait_for_timeout(30)
            turns += 1
        address = f"api/tables/{made['table']}/record?key={made['key']}&format=mjai"
        record = page.evaluate("(address) => fetch(address).then((answer) => answer.text())", address)
        own = [event["type"] for event in map(json.loads, record.splitlines()) if event.get("actor") == 0]
        assert not {"chi", "pon", "daiminkan", "ankan", "kakan", "nukidora", "reach"} & set(own)
        assert "dahai" in own
    assert offers > 0
    print(f"{turns} turns, {offers} with calls or wins")


#: Positions of all clickable elements: tiles by their index from the left, buttons by their names.
CLICKABLE = """() => Object.fromEntries([
    ...[...document.querySelectorAll(".hand-tile:not(.drawn)")].map((one, at) => [`tile ${at}`, one])
        .filter(([, one]) => !one.matches(".chosen")),
    ...[...document.querySelectorAll(".switch, .hint-button, .tab a, .tab button, .side-foot button, .menu summary")]
        .map((one) => [one.getAttribute("aria-label") ?? one.textContent, one]),
].map(([name, one]) => [name, one.getBoundingClientRect()]).map(([name, box]) => [name, [box.x, box.y, box.width]]))"""
CALLS = """() => [...document.querySelectorAll(".call")].map((one) => one.getBoundingClientRect())
    .map((box) => [box.x, box.y, box.width])"""


def play_with_hints(page: Any, decisions: int) -> dict[str, int]:
    """Play with a hint for every decision; nothing may move. Return the counts of actions."""
    where: dict[str, Any] = {}
    done: dict[str, int] = {}

    def look() -> None:
        page.mouse.move(0, 0)  # the tile under the pointer is lifted
        for name, box in page.evaluate(CLICKABLE).items():
            assert box == pytest.approx(where.setdefault(name, box), abs=0.5), (name, done)

    for _ in range(decisions):
        page.wait_for_selector(READY)
        if not page.query_selector(".panel"):
            look()
            calls = page.evaluate(CALLS)
            page.keyboard.press("h")
            page.wait_for_selector(".advice")
            look()
            assert page.evaluate(CALLS) == calls
        kind = click_on(page)
        done[kind] = done.get(kind, 0) + 1
        if kind == "end":
            break
        look()
    return done


ALL_SIZES = pytest.mark.parametrize(
    "size", [pytest.param(SIZES[name], id=name, marks=pytest.mark.long if name == "tablet" else ()) for name in SIZES]
)


@ALL_SIZES
@pytest.mark.parametrize(
    ("rules", "decisions", "least"),
    [
        ("tenhou-sanma", 5, {"discard": 1, "pon": 1}),
        ("sichuan-exchange", 8, {"give": 4, "void_m": 1, "discard": 1}),
        *(
            pytest.param(rules, 1000, {"end": 1}, marks=pytest.mark.long)
            for rules in ("tenhou-sanma", "tenhou", "sichuan-exchange")
        ),
    ],
)
def test_nothing_moves_while_hints_come_and_go(
    open_page: Opened, size: tuple[int, int], rules: str, decisions: int, least: dict[str, int]
) -> None:
    page = open_page(size)
    length = length_of(rules) if "end" in least else "hand"
    seat_at(page, rules=rules, length=length, seed=11, agents=["efficient"])
    done = play_with_hints(page, decisions)
    assert {kind: min(done.get(kind, 0), count) for kind, count in least.items()} == least


#: Greatest distance of a call from the nearest tile of the hand, in pixels.
FARTHEST = """() => {
    const boxes = (one) => [...document.querySelectorAll(one)].map((each) => each.getBoundingClientRect());
    const apart = (one, other) => Math.hypot(
        Math.max(0, one.left - other.right, other.left - one.right),
        Math.max(0, one.top - other.bottom, other.top - one.bottom),
    );
    const tiles = boxes(".hand-tile");
    return Math.max(0, ...boxes(".call").map((call) => Math.min(...tiles.map((tile) => apart(call, tile)))));
}"""


@ALL_SIZES
def test_calls_are_near_the_hand(open_page: Opened, size: tuple[int, int]) -> None:
    page = open_page(size)
    seat_at(page, rules="tenhou", agents=["efficient"], seed=0)
    farthest = []
    while page.query_selector(".panel.end") is None:
        page.wait_for_selector(READY)
        if page.query_selector(".call"):
            farthest.append(page.evaluate(FARTHEST))
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    assert 0 < max(farthest) <= 100


@ALL_SIZES
@pytest.mark.parametrize(("left", "tiles", "calls"), [("3467p", 4, 4), ("123z9p", 5, 3)], ids=["chii", "kan"])
def test_many_calls_are_near_a_hand_of_four_tiles(
    open_page: Opened, size: tuple[int, int], left: str, tiles: int, calls: int
) -> None:
    page = open_page(size)
    record = {"record": write_mjai_text([laid_game("four tiles", left=left)]), "seat": 1, "by": "efficient"}
    address = f"api/reviews/{requested(page, 'api/reviews', record)['review']}"
    decisions = page.evaluate("(at) => fetch(at).then((answer) => answer.json())", address)["decisions"]
    called = [sum(option["name"] != "discard" for option in each["options"]) for each in decisions]
    number = max(number for number, count in enumerate(called) if count == calls)
    sit(page, requested(page, f"{address}/tables", {"seat": 1, "decision": number}), {})
    page.wait_for_selector(READY)
    assert (page.locator(".hand-tile").count(), page.locator(".call").count()) == (tiles, calls)
    assert 0 < page.evaluate(FARTHEST) <= 100


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desktop", "phone"])
def test_a_call_that_would_wait_without_a_yaku_says_so(open_page: Opened, size: tuple[int, int]) -> None:
    page = open_page(size)
    seat_at(page, rules="tenhou", seed=22, agents=["efficient"])
    while not page.query_selector(".call-worth"):
        assert click_on(page) != "result"
        page.wait_for_selector(READY)
    call = page.get_by_role("button", name=re.compile("^Chii: .*no yaku$"))
    expect(call.locator(".call-worth")).to_have_text("no yaku")
    calls = page.evaluate(CALLS)
    call.hover()
    expect(page.locator(".help-title")).to_have_text(re.compile("^After Chii and "))
    assert page.evaluate(CALLS) == calls


def test_the_coach_hints_at_each_decision_or_at_none(open_page: Opened) -> None:
    page = open_page()
    for mode, hinted in (("always", True), ("off", False)):
        seat_at(page, rules="tenhou-sanma", agents=["efficient"])
        page.click(".menu summary")
        page.select_option(".menu select >> nth=2", mode)
        page.keyboard.press("Escape")
        for _ in range(3):
            page.wait_for_selector(READY)
            if hinted:
                page.wait_for_selector(".advice")
            else:
                page.keyboard.press("h")
                expect(page.locator(".hint-button, .advice")).to_have_count(0)
            click_on(page)


def test_the_coach_hints_where_it_matters_and_on_request(open_page: Opened) -> None:
    page = open_page()
    seat_at(page, rules="tenhou", seed=22, agents=["efficient"])
    page.click(".menu summary")
    page.select_option(".menu select >> nth=2", "dear")
    page.keyboard.press("Escape")
    page.wait_for_selector(READY)
    page.wait_for_timeout(1000)
    expect(page.locator(".advice")).to_have_count(0)  # a discard while nobody is in riichi
    page.keyboard.press("h")
    page.wait_for_selector(".advice")
    while not page.query_selector(".call-worth"):
        assert click_on(page) != "result"
        page.wait_for_selector(READY)
    page.wait_for_selector(".advice")  # a chii that would wait without a yaku


def test_a_finger_lifts_a_tile_before_it_discards_it(open_page: Opened) -> None:
    page = open_page(PHONE, touch=True)
    seat_at(page, rules="tenhou", agents=["efficient"])
    page.wait_for_selector(READY)
    tile = page.locator(".hand-tile:enabled").last
    tile.tap()
    page.wait_for_selector(".hand-tile.raised")
    expect(page.locator(".side-0 .river .tile")).to_have_count(0)
    tile.tap()
    page.wait_for_selector(".side-0 .river .tile")


# ---------------------------------------------------------------------------------------------------------
# Connections


def test_a_lost_connection_is_resumed_in_other_tabs_and_from_the_lobby(open_page: Opened) -> None:
    page = open_page()
    lines: list[Any] = []

    def through(line: Any) -> None:
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket("**/ws", through)
    seat_at(page, agents=["efficient", "random"])
    for _ in range(8):  # an answer before the first rendering is not lost
        page.reload()
        page.wait_for_selector(".board", timeout=10_000)
    for _ in range(4):
        click_on(page)
        page.wait_for_timeout(50)
    page.wait_for_selector(READY)
    before, opened = what_lies(page), len(lines)
    lines[-1].close()
    page.get_by_text("Connection lost").wait_for()
    page.get_by_text("Connection lost").wait_for(state="detached")
    assert len(lines) == opened + 1
    assert what_lies(page) == before
    other = page.context.new_page()
    other.goto(page.url.split("#")[0])
    expect(other.locator(".go-on")).to_contain_text("Tenhou, three players, one hand · against Efficient, Random")
    other.get_by_role("link", name="Resume your game").click()
    other.wait_for_selector(READY)
    assert (what_lies(other), other.url) == (before, page.url)
    page.get_by_role("alert").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("opened in another window")
    assert page.evaluate(LOOKS_LOST) == []
    page.bring_to_front()  # timers of a hidden tab are slow
    page.get_by_role("button", name="Play here").click()
    page.wait_for_selector(READY)
    expect(page.get_by_role("alert")).to_have_count(0)
    other.get_by_role("alert").wait_for()
    assert play(page)[-1] == "end"


def test_a_link_with_its_key_opens_the_seat_in_another_browser(open_page: Opened) -> None:
    page = open_page()
    made = seat_at(page)
    other = open_page(at=f"{page.url.split('#')[0]}#/table/{made['table']}")
    expect(other.get_by_role("alert")).to_contain_text("another browser")
    expect(other.get_by_role("link", name="Back to the lobby")).to_be_visible()
    other.goto(f"{page.url.split('#')[0]}#/table/{made['table']}?key={made['key']}")
    other.reload()
    other.wait_for_selector(READY)
    assert made["key"] not in other.url


#: Elements that look active at a lost table.
LOOKS_LOST = """() => {
    const shown = (one) => one.checkVisibility() && !one.closest("[inert]");
    const alive = [...document.querySelectorAll(".play button, .clock")].filter(shown)
        .filter((one) => !one.closest(".lost-table"));
    const box = document.querySelector(".lost-table").getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + 5)?.closest(".lost-table") !== null;
    return [...alive.map((one) => one.outerHTML), ...(top && box.top < innerHeight / 2 ? [] : ["message not on top"])];
}"""


@pytest.mark.parametrize("size", [pytest.param(DESKTOP, marks=pytest.mark.long), PHONE], ids=["desktop", "phone"])
def test_a_lost_table_looks_lost_and_suggests_a_remedy(open_page: Opened, size: tuple[int, int]) -> None:
    page = open_page(size)
    reachable = True
    lines: list[Any] = []

    def through(line: Any) -> None:
        if reachable:
            line.connect_to_server()
            lines.append(line)

    page.route_web_socket("**/ws", through)
    seat_at(page)
    page.wait_for_selector(READY)
    reachable = False
    lines[-1].close()
    page.get_by_text("Connection lost").wait_for()
    assert page.evaluate(LOOKS_LOST) == []
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page.locator(".side-0 .river .tile")).to_have_count(0)
    reachable = True
    page.get_by_role("button", name="Try now").click()
    page.get_by_text("Connection lost").wait_for(state="detached")
    click_on(page)


HAND = ["1m", "2m", "3m", "4p", "5pr", "5p", "6p", "2s", "2s", "6s", "7s", "8s", "9s"]
DEAL = [
    {"type": "start_game", "names": ["Mori", "a", "b", "c"], "id": 0},
    {
        **{"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "E"},
        **{"scores": [25000] * 4, "tehais": [HAND, *[["?"] * 13] * 3]},
    },
    {"type": "tsumo", "actor": 0, "pai": "9s"},
]
KINDS = {"1m": 0, "5p": 13, "5pr": 35, "9s": 26}
DISCARDS = [{"action": action, "name": "discard", "tile": tile, "tiles": []} for tile, action in KINDS.items()]
DRAWN = {"action": 37, "name": "discard", "tile": "9s", "tiles": [], "tsumogiri": True}
READY_AFTER = [{"tile": "9s", "waits": [{"tile": "3p", "left": 4}, {"tile": "6p", "left": 2}], "furiten": True}]


RIICHI = {"action": 38, "name": "riichi", "tiles": []}
CHIIS = [
    {"action": 41, "name": "chi", "tile": "6p", "tiles": ["4p", "5p"]},
    {"action": 44, "name": "chi", "tile": "6p", "tiles": ["4p", "5pr"]},
    {"action": 45, "name": "pon", "tile": "6p", "tiles": ["6p", "6p"]},
    {"action": 53, "name": "pass", "tiles": []},
]
#: Messages of the server, each after the next answer of the page; the first when it joins.
SCRIPT: list[list[dict[str, Any]]] = [
    [{"type": "ask", "number": 1, "options": [*DISCARDS, DRAWN], "discards": READY_AFTER}],
    [{"type": "refused", "reason": "not now", "fatal": False}],
    [{"type": "ask", "number": 2, "options": [*DISCARDS, DRAWN, RIICHI], "discards": READY_AFTER}],
    [
        {"type": "happened", "first": 3, "events": [{"type": "reach", "actor": 0}]},
        {"type": "ask", "number": 3, "options": [DISCARDS[-1], DRAWN], "discards": READY_AFTER},
    ],
    [{"type": "ask", "number": 4, "options": CHIIS, "discards": []}],
]


def test_discards_riichi_and_calls_at_a_scripted_table(open_page: Opened) -> None:
    page = open_page()
    said: list[dict[str, Any]] = []

    def serve(line: Any) -> None:
        def hear(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "join":
                said.clear()
                about = {"table": "x", "seat": 0, "rules": "tenhou", "length": "hand", "players": 4}
                table = {**about, "names": ["Mori"] * 4, "first": 0, "events": DEAL, "own": None}
                line.send(json.dumps({"type": "welcome", **table, "ask": SCRIPT[0][0]}))
                return
            said.append(message)
            for answer in SCRIPT[len(said)] if len(said) < len(SCRIPT) else []:
                line.send(json.dumps(answer))

        line.on_message(hear)

    page.route_web_socket("**/ws", serve)
    page.evaluate("history.replaceState(null, '', '#/table/x')")
    page.reload()
    possible = page.locator(".hand-tile:enabled")
    expect(possible).to_have_count(5)  # the nine of the hand and the drawn one among them
    # Waits and furiten are shown while the pointer is on a discard.
    expect(page.locator(".help .waits")).to_have_count(0)
    page.locator(".hand-tile.drawn").hover()
    assert page.locator(".help .waits .tile").evaluate_all("all => all.map((one) => one.dataset.tile)") == ["3p", "6p"]
    expect(page.locator(".help")).to_contain_text("6 in total")
    expect(page.locator(".help")).to_contain_text("Furiten")
    # A refused answer is reported and the question repeated; red and plain fives are different choices.
    page.locator(".hand-tile.drawn").click()
    expect(page.get_by_role("alert")).to_have_text("not now")
    expect(possible).to_have_count(5)
    page.get_by_role("button", name="red 5 pin").click()
    # Riichi is declared in two steps and can be cancelled.
    page.get_by_role("button", name="Riichi").click()
    expect(possible).to_have_count(2)
    page.keyboard.press("Escape")
    expect(possible).to_have_count(5)
    page.keyboard.press("i")
    expect(possible).to_have_count(2)
    possible.first.click()
    # Calls show their tiles and have keys.
    buttons = page.locator(".call")
    expect(buttons.locator("kbd")).to_have_text(["P", "C", "3", "X"])
    labels = buttons.evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert labels == ["Pon: 6 pin, 6 pin, 6 pin", "Chii: 6 pin, 4 pin, 5 pin", "Chii: 6 pin, 4 pin, red 5 pin", "Pass"]
    page.keyboard.press("3")
    page.wait_for_selector(".calls", state="detached")
    assert [(message["number"], message["action"]) for message in said] == [(1, 37), (1, 35), (2, 38), (3, 26), (4, 44)]


# ---------------------------------------------------------------------------------------------------------
# The lobby, watching, languages


def test_the_lobby_has_labels_starts_tables_and_remembers_the_language(open_page: Opened) -> None:
    page = open_page()
    page.wait_for_selector("form")
    names = page.locator("form option").all_inner_texts()
    assert "Tenhou, three players" in names
    assert any(re.fullmatch(r"Imitator – trained on games of strong players · rating \d+", name) for name in names)
    raw = re.compile(r"\b(sl|rl)\b|[a-z]+-[a-z]+-?[a-z]*$")
    assert [name for name in names if raw.search(name)] == []
    for count in (1, 2):
        page.get_by_role("link", name="Janshi").click()
        page.get_by_role("button", name="Play a hand of sanma").click()
        page.wait_for_selector(READY)
        expect(page.locator(".plate")).to_have_count(3)
        expect(page.locator(".tabs a")).to_have_count(count)
    page.locator(".tabs a").first.click()
    page.wait_for_selector(READY)
    expect(page.locator(".tabs a").first).to_have_attribute("aria-current", "page")
    page.get_by_text("Settings").click()
    page.get_by_label("Language").select_option("ja")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.goto(page.url.split("#")[0])
    page.get_by_role("button", name="三人麻雀を一局打つ").wait_for()


def test_a_table_with_custom_settings(open_page: Opened) -> None:
    page = open_page(PHONE)
    page.get_by_role("combobox", name=re.compile("^Rules")).select_option("mahjong-soul")
    page.get_by_label("Length").select_option("hand")
    page.get_by_role("combobox", name="Seat", exact=True).select_option("2")
    page.get_by_label("Your name").fill("Aoki")
    page.get_by_label("Player 3").select_option("random")
    page.locator("form button[type=submit]").click()
    page.wait_for_selector(READY)
    names = page.locator(".nametag").all_inner_texts()
    assert sorted(names) == ["Aoki", "Imitator 1", "Imitator 2", "Random"]
    expect(page.locator(".plate.side-0 .wind")).to_have_text("W")


def test_watching_pauses_steps_and_hides_hidden_information(open_page: Opened) -> None:
    with serve(0.4) as at:
        page = open_page(at=at)
        seat_at(page, watch=True, seat=None, rules="tenhou", agents=["efficient"], length="east")
        page.wait_for_selector(".river .tile")
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Resume").wait_for()
        page.wait_for_timeout(500)
        before = what_lies(page)
        page.wait_for_timeout(500)
        assert what_lies(page) == before
        page.get_by_role("button", name="Step", exact=True).click()
        deadline = time.monotonic() + 10
        while what_lies(page) == before and time.monotonic() < deadline:
            page.wait_for_timeout(50)
        assert what_lies(page) != before
        expect(page.locator(".edge-hand .tile:not([data-tile='?'])")).to_have_count(0)
        page.get_by_label("All hands open").check()
        expect(page.locator(".edge-hand .tile[data-tile='?']")).to_have_count(0)


#: Words in Latin letters that every language has.
LATIN = """() => document.body.innerText.replaceAll(/EMA|Janshi|mjlog|tenhou|mjai|JSON|AI|M(?=リーグ)|WRC|RMU/g, "")
    .match(/[A-Za-z]{2,}/g) ?? []"""


def test_the_japanese_and_the_chinese_page_contain_no_english(open_page: Opened) -> None:
    page = open_page(locale="ja-JP")
    page.wait_for_selector("form")
    assert page.evaluate(LATIN) == []
    page.get_by_role("combobox", name=re.compile("^ルール")).select_option("tenhou")
    page.get_by_label("長さ").select_option("hand")
    page.locator("form button[type=submit]").click()
    page.wait_for_selector(READY)
    assert sorted(page.locator(".nametag").all_inner_texts()) == ["あなた", "模倣AI 1", "模倣AI 2", "模倣AI 3"]
    page.wait_for_timeout(300)
    assert page.evaluate(LATIN) == []
    page = open_page(locale="zh-CN")
    page.get_by_role("button", name="打四川麻将").click()
    page.wait_for_selector(READY)
    assert page.locator(".call").evaluate_all("all => all.map((one) => one.ariaLabel)") == ["缺万", "缺筒", "缺条"]
    page.keyboard.press("h")
    page.wait_for_selector(".advice")
    assert page.evaluate(LATIN) == []


def test_hints_before_play_winners_and_payments(open_page: Opened) -> None:
    page = open_page()
    for rules in ("sichuan-novikov", "sichuan"):
        seat_at(page, rules=rules, seed=9, agents=["efficient"])
        page.wait_for_selector(READY)
        page.keyboard.press("h")
        expect(page.locator(".voids-table tbody tr")).to_have_count(3)
        expect(page.locator(".voids-table tbody tr.best")).to_have_count(1)
    while not page.query_selector(".won"):  # a dozen decisions of one's own follow the first win
        assert click_on(page) != "end"
    expect(page.locator(".paid li").first).to_contain_text("+")
    expect(page.locator(".panel")).to_have_count(0)


#: Addresses that no page has, and values that no page stores.
BAD_ADDRESSES = ["#/table/%", "#/review/%", "#/review/%E0%A4%A?at=x", "#/table/%00?key=%", "#/lesson?step=999", "#%"]
BAD_VALUES = [
    {"janshi.settings": '{"language": "xx", "theme": 3}', "janshi.tables": "{}"},
    {"janshi.settings": "[1]", "janshi.tables": '[null, {"id": 5}]', "janshi.token": "\u6771"},
    {"janshi.settings": "{", "janshi.tables": '[{"id": "x", "key": "y", "asked": {"seed": "z"}}]'},
]


def test_a_bad_address_or_stored_value_leads_to_a_page_with_a_word(open_page: Opened) -> None:
    page = open_page(DESKTOP)
    shown = "() => document.querySelector('main')?.innerText.trim().length > 0"
    for address in BAD_ADDRESSES:
        page.evaluate("(hash) => { location.hash = hash; location.reload(); }", address)
        page.wait_for_function(shown)
    page.evaluate("() => { location.hash = '#/'; }")
    for values in BAD_VALUES:
        page.evaluate("(all) => { for (const key in all) localStorage.setItem(key, all[key]); }", values)
        page.reload()
        page.wait_for_function(shown)
        assert page.locator(".failed").count() == 0


def test_a_page_that_cannot_be_drawn_says_so_and_starts_again(open_page: Opened) -> None:
    opened = open_page(DESKTOP)
    page = opened.context.new_page()  # whose errors are no failure of the test
    page.goto(opened.url)
    page.evaluate("() => { Array.prototype.map = () => { throw new Error('broken'); }; }")
    page.evaluate("() => { location.hash = '#/history'; }")
    page.locator(".failed").wait_for()
    page.locator(".failed button.primary").click()
    page.wait_for_selector(".to-review a")
