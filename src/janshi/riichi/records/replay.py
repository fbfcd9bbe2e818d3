"""Replaying records through the engine, with every check that a record allows.

Each hand is replayed as `janshi.riichi.records.replay_hand` says. Checked are:

* every action is legal at its moment, and nobody is asked who has nothing to decide;
* everything that happens (draws, discards, calls, riichi, indicators) is what the record says, in its order;
* how the hand ends: winners, discarder, pao, yaku, han, fu, limit, points, honba, deposits and every seat's change;
* what follows: round, dealer, honba, deposits, points of the next hand; the end of the game and its final points.

A `Script` is what remains of a hand once this has been done: its wall, its start and its decisions.

>>> from janshi.riichi.records import read_games
>>> from janshi.sample import SAMPLE
>>> replayed = Replayer().replay(next(read_games([SAMPLE])), scripts=True)
>>> replayed.mismatches, replayed.hands == len(replayed.scripts)
([], True)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, zeros
from janshi.core.rules import write_rules
from janshi.records import recorder
from janshi.records.recorder import Mismatch
from janshi.riichi.actions import ACTIONS, action_text
from janshi.riichi.hands.yaku import YAKUMAN
from janshi.riichi.play.steps import HandStart, begin_given_hands
from janshi.riichi.records.lobby import UNSUPPORTED
from janshi.riichi.records.model import (
    UNFINISHED,
    Drawn,
    Limit,
    RecordedHand,
    RecordedWin,
    RiichiGame,
    limit_of_basic,
)
from janshi.riichi.records.replay_hand import MOST_URA, Facts, ReplayResult, ReplayStatus, replay_hands
from janshi.riichi.records.walls import check_ura
from janshi.riichi.rules import Rules
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA, YakuId
from janshi.riichi.state import Ending, Event, State
from janshi.table import new_states
from janshi.tiles import TILES, tile_text

#: Yaku that are dora: their names in a mismatch, and the field of `janshi.riichi.state.Value` with their han.
_EXTRA_HAN: Final = {DORA: ("dora", "dora"), URA_DORA: ("ura-dora", "ura"), RED_FIVES: ("red fives", "red")}

#: Ignored (`ReplayedGame.remarks`): yaku, dora, han or fu of a win whose payments are right, in a record of mere texts.
WRONG_LABELS: Final = "labels of a win that its hand contradicts"

#: Something that differs: what, the engine's version, the record's.
_Difference: TypeAlias = tuple[str, object, object]


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """A hand that has been replayed: all that the engine needs to play it again."""

    number: int  # of the hand in its game, from 0
    kyoku: int
    honba: int
    deposits: int
    dealer: int
    scores: tuple[int, ...]
    wall: NDArray[np.int8]  # (136,) or (108,): tiles 0–36
    actions: NDArray[np.uint8]  # (n,): decisions in the order in which the table asks

    def start(self) -> Batch[HandStart]:
        """Return the table at the beginning of the hand (1,)."""
        starts = zeros(HandStart, 1)
        start = cast("NDArray[Any]", starts)[0]
        start["wall"][: len(self.wall)] = self.wall
        start["points"][: len(self.scores)] = self.scores
        for name in ("kyoku", "honba", "deposits", "dealer"):
            start[name] = getattr(self, name)
        return starts

    def begin(self, rules: Rules) -> Batch[State]:
        """Return a table (1,) by these rules at the hand's first decision."""
        states = new_states(rules, 1)
        begin_given_hands(states, self.start())
        return states


@dataclass(slots=True)
class ReplayedGame(recorder.Replayed):
    """One game after its replay."""

    scripts: list[Script] = field(default_factory=list)  # of the hands that matched, where asked for


class Replayer:
    """Replays games one after the other (one per thread)."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._wrong_labels = 0  # wins of the game whose yaku the record names otherwise
        # Arrays of one record each: NumPy reads a field of an array thirty times quicker than one of a single record.
        self._state: Any = None
        self._facts: Any = zeros(Facts, 1)
        self._result: Any = zeros(ReplayResult, 1)

    def replay(self, game: RiichiGame, *, scripts: bool = False) -> ReplayedGame:
        """Replay a game and return every disagreement; with ``scripts`` also the hands that matched.

        A hand matches whatever follows on it: a game may be a part of one, or have ended by rules that its format
        cannot tell (a single hand, as mjlog).
        """
        self._set_rules(game.rules)
        replayed = ReplayedGame(game.source, remarks=game.remarks)
        self._wrong_labels = 0
        for number, hand in enumerate(game.hands):
            replayed.hands += 1
            replayed.walls += hand.wall is not None
            mismatches = list(self._mismatches(game, number))
            replayed.decisions += self._result["decisions"].item()
            replayed.mismatches += mismatches
            if self._is_cut(game, number, mismatches):
                replayed.remarks.notes[UNFINISHED] = 1
            if scripts and all(mismatch.sequel for mismatch in mismatches):
                replayed.scripts.append(self._script(number, hand))
        if self._wrong_labels:
            replayed.remarks.ignored[WRONG_LABELS] = self._wrong_labels
        return replayed

    def _is_cut(self, game: RiichiGame, number: int, mismatches: list[Mismatch]) -> bool:
        """Return whether a record, whose last hand has just been replayed, ends before the game does."""
        ends = game.final_scores is None and not game.cut and number + 1 == len(game.hands)
        return ends and not mismatches and not self._state["over"].item()

    def fu(self, game: RiichiGame, number: int) -> tuple[int, ...]:
        """Return the fu of each winner of a hand (from 0) by the rules; empty if the engine ends it otherwise."""
        self._set_rules(game.rules)
        hand = game.hands[number]
        if isinstance(hand.outcome, Drawn) or self._outcome(hand) != ReplayStatus.MATCHED:
            return ()
        wins = self._state["wins"][0, : len(hand.outcome)]
        engine = list(zip(wins["seat"].tolist(), wins["discarder"].tolist(), strict=True))
        return tuple(wins["value"]["fu"].tolist()) if engine == [(w.who, w.from_who) for w in hand.outcome] else ()

    def _set_rules(self, rules: Rules) -> None:
        if rules != self._rules:
            if self._state is None:
                self._state = new_states(rules, 1)
            write_rules(rules, self._state["rules"])
            self._rules = rules

    def _outcome(self, hand: RecordedHand) -> ReplayStatus:
        """Replay a hand and write how far engine and record agree into `_result`."""
        write_facts(hand, self._facts)
        codes = replay_hands(self._state, hand.events[None], hand.deal[None], self._facts, self._result)
        return ReplayStatus(int(codes[0]))

    def _script(self, number: int, hand: RecordedHand) -> Script:
        return Script(
            number,
            hand.round,
            hand.honba,
            hand.deposits,
            hand.dealer,
            tuple(hand.scores),
            self._state["wall"][0, : 136 if len(hand.deal) == 4 else 108].copy(),
            self._result["actions"][0, : self._result["decisions"].item()].copy(),
        )

    def _mismatches(self, game: RiichiGame, number: int) -> Iterator[Mismatch]:
        """Replay a hand (from 0) and yield what differs."""
        hand, recorded = game.hands[number], game.number_of(number)
        code = self._outcome(hand)
        if code != ReplayStatus.MATCHED:
            what, engine, record = _first_difference(code, hand, self._state, self._result)
            dealt = code not in (ReplayStatus.TILE_TWICE, ReplayStatus.WRONG_DEAL)
            event = self._result["events"].item() + 1 if dealt else None
            yield Mismatch(game.source, recorded, event, what, engine, record)
            return
        endings = list(_ending_differences(game, hand, self._state))
        if not _names_exactly(game) and all(what.endswith(_LABELS) for what, _, _ in endings):
            self._wrong_labels += len({what.partition(":")[0] for what, _, _ in endings})
            endings = []
        for what, mine, theirs in endings:
            yield Mismatch(game.source, recorded, None, what, str(mine), str(theirs))
        for what, mine, theirs in _sequel_differences(game, number, self._state):
            yield Mismatch(game.source, recorded, None, what, str(mine), str(theirs), sequel=True)


def write_facts(hand: RecordedHand, facts: NDArray[Any]) -> None:
    """Write the facts of a record about a hand into an array of one `janshi.riichi.records.replay_hand.Facts`."""
    start = facts["start"]
    start["kyoku"][0] = hand.round
    start["honba"][0] = hand.honba
    start["deposits"][0] = hand.deposits
    start["dealer"][0] = hand.dealer
    start["points"][0] = [*hand.scores, 0][:4]
    facts["wall_known"][0] = hand.wall is not None
    if hand.wall is not None:
        facts["wall"][0, : len(hand.wall)] = hand.wall
    ura: tuple[int, ...] = ()
    winners = 0
    shown = -1
    if isinstance(hand.outcome, Drawn):
        if hand.outcome.shown is not None:
            shown = sum(1 << seat for seat in hand.outcome.shown)
    else:
        for win in hand.outcome:
            winners |= 1 << win.who
            ura = win.ura[:MOST_URA] if len(win.ura) > len(ura) else ura
    if ura:
        facts["ura"][0, : len(ura)] = ura
    facts["ura_count"][0] = len(ura)
    facts["indicator"][0] = hand.dora
    facts["ended"][0] = int(_ending_of(hand.outcome))  # NumPy takes a member of an enum far slower
    facts["winners"][0] = winners
    facts["shown"][0] = shown


def _ending_of(outcome: list[RecordedWin] | Drawn) -> Ending:
    """Return the ending of a record's hand."""
    if isinstance(outcome, Drawn):
        return outcome.reason
    return Ending.TSUMO if outcome[0].who == outcome[0].from_who else Ending.RON


# ---------------------------------------------------------------------------------------------------------
# What differs while a hand is played


def _first_difference(
    outcome: ReplayStatus, hand: RecordedHand, state: NDArray[Any], result: NDArray[Any]
) -> tuple[str, str, str]:
    """Return the first difference while a hand was played: subject, the engine's version, the record's."""
    identity, asked = result["identity"].item(), result["asked"].item()
    recorded = f"seat {result['seat'].item()}: {_action_text(result['action'].item())}"
    if outcome == ReplayStatus.TILE_TWICE:
        return "tiles", "each of them once", f"tile id {identity} in two places, or in none that it can have"
    if outcome == ReplayStatus.WRONG_DEAL:
        return "deal", f"tile id {identity} from the seed's wall", "another"
    if outcome == ReplayStatus.WRONG_EVENT:
        over = result["recorded"]["event"].item() < 0
        return "event", _event_text(result["logged"]), "the hand is over" if over else _event_text(result["recorded"])
    if outcome == ReplayStatus.NOTHING_TO_DECIDE:
        return "decision", f"asks seat {asked}, which has nothing to decide", "-"
    if outcome == ReplayStatus.HAND_OVER:
        return "end", f"the hand is over ({_ending_text(state['ended'].item())})", "the hand goes on"
    if outcome == ReplayStatus.HAND_GOES_ON:
        return "end", f"seat {asked} has to decide", f"the hand is over ({_ending_text(_ending_of(hand.outcome))})"
    if outcome == ReplayStatus.WRONG_SEAT:
        return "decision", f"seat {asked} has to decide", recorded
    return "action", "not legal", recorded


_EVENT_NAMES: Final = {int(event): event.name.lower() for event in Event}


def _event_text(logged: NDArray[Any]) -> str:
    event, seat, tile, detail = logged[0].tolist()
    words = [_EVENT_NAMES.get(event, f"unknown event {event}")]
    if seat >= 0:
        words.append(f"by seat {seat}")
    if 0 <= tile < TILES:
        words.append(f"of {tile_text(tile)}")
    if detail:
        words.append("(tsumogiri)" if event == Event.DISCARD else f"({_action_text(detail)})")
    return " ".join(words)


def _action_text(action: int) -> str:
    """Return an action in words; a damaged record may name an unknown one."""
    return action_text(action) if 0 <= action < ACTIONS else f"action {action}"


def _ending_text(ended: int) -> str:
    return Ending(ended).name.lower().replace("_", " ")


# ---------------------------------------------------------------------------------------------------------
# What differs at the end of a hand and after it


def _ending_differences(game: RiichiGame, hand: RecordedHand, state: NDArray[Any]) -> Iterator[_Difference]:
    """Yield the differences between the engine's end of a hand and the record's."""
    outcome = hand.outcome
    ended = state["ended"].item()
    if ended != _ending_of(outcome):
        yield "end", _ending_text(ended), _ending_text(_ending_of(outcome))
    elif isinstance(outcome, Drawn):
        yield from _draw_differences(game, outcome, state)
    elif state["winners"].item() != len(outcome):
        yield "winners", state["winners"].item(), len(outcome)
    else:
        wins = state["wins"][0]
        first, paid = outcome[0], [wins["honba"].item(0), wins["deposits"].item(0)]
        if paid != [first.honba, first.deposits]:
            yield f"seat {first.who}: honba and deposits", paid, [first.honba, first.deposits]
        for number, win in enumerate(outcome):
            yield from _win_differences(game, win, wins[number : number + 1])
        if hand.wall is not None:
            departure = check_ura(outcome, hand.wall.tolist(), game.players)
            if departure is not None:
                yield "ura indicators", departure, "others"


def _draw_differences(game: RiichiGame, drawn: Drawn, state: NDArray[Any]) -> Iterator[_Difference]:
    change = tuple(state["change"][0, : game.players].tolist())
    if change != drawn.deltas:
        yield "payments", change, drawn.deltas
    waits = state["hands"]["waits"][0].tolist()
    tenpai = tuple(seat for seat in range(game.players) if waits[seat])
    if drawn.reason == Ending.EXHAUSTIVE and drawn.shown is not None and tenpai != tuple(sorted(drawn.shown)):
        yield "seats that are tenpai", tenpai, drawn.shown


#: Ends of the subjects of differences that concern labels alone: what is paid is the same.
_LABELS: Final = (": yaku", ": yakuman", ": dora", ": ura-dora", ": red fives", ": han", ": fu")


def _names_exactly(game: RiichiGame) -> bool:
    """Return whether the labels of a record are those of the site where it was played, not somebody's texts."""
    return game.format not in ("tenhou6", "paipu") or game.flags is not None or all(hand.exact for hand in game.hands)


def _win_differences(game: RiichiGame, win: RecordedWin, engine: NDArray[Any]) -> Iterator[_Difference]:
    """Yield the differences between the engine's win (an array of one `janshi.riichi.state.Win`) and the record's."""
    seat = f"seat {win.who}: "
    seats = engine["seat"].item(), engine["discarder"].item()
    if seats != (win.who, win.from_who):
        yield "winner and discarder", seats, (win.who, win.from_who)
        return
    pao = engine["pao"].item()
    if win.pao is not None and pao != win.pao:
        yield f"{seat}pao", pao, win.pao
    if game.format == "mjlog" and win.pao is None and pao >= 0:
        yield f"{seat}pao", pao, "nobody"
    value = engine["value"]
    for what, mine, theirs in _value_differences(win, value):
        yield seat + what, mine, theirs
    if engine["points"].item() != win.points:
        yield f"{seat}points", engine["points"].item(), win.points
    limit = limit_of_basic(value["basic"].item())
    # Parlour tables of Tenhou pay a rounded mangan and name no limit.
    rounded = limit == Limit.MANGAN and value["fu"].item() << value["han"].item() + 2 == 1920
    if limit != win.limit and not (rounded and win.limit == Limit.NONE):
        yield f"{seat}limit", limit.name.lower(), win.limit.name.lower()
    change = tuple(engine["change"][0, : game.players].tolist())
    if change != win.deltas:
        yield f"{seat}payments", change, win.deltas
    if game.rules.chip_value and win.chip_deltas and not win.yakuman:
        chips = _chips(value)
        if chips != dict(win.chips):
            yield f"{seat}chips", chips, dict(win.chips)
        paid = _chip_deltas(game.players, win, sum(chips.values()))
        if paid != win.chip_deltas:
            yield f"{seat}chips paid", paid, win.chip_deltas


def _chips(value: NDArray[Any]) -> dict[int, int]:
    """Return the chips of a win by yaku number: one for ippatsu, one for each ura dora and red five.

    A yakuman is paid more; how many is not known here.
    """
    ippatsu = value["yaku"].item() >> YakuId.IPPATSU & 1
    counts = {YakuId.IPPATSU: ippatsu, RED_FIVES: value["red"].item(), URA_DORA: value["ura"].item()}
    return {int(number): count for number, count in counts.items() if count}


def _chip_deltas(players: int, win: RecordedWin, chips: int) -> tuple[int, ...]:
    """Return the change of chips of every seat: from the discarder, or from everybody."""
    payers = [win.from_who] if win.from_who != win.who else [seat for seat in range(players) if seat != win.who]
    return tuple(chips * len(payers) if seat == win.who else -chips * (seat in payers) for seat in range(players))


def _value_differences(win: RecordedWin, value: NDArray[Any]) -> Iterator[_Difference]:
    """Yield the differences in yaku, han and fu (an array of one `janshi.riichi.state.Value`)."""
    yaku = value["yaku"].item()
    if win.yakuman:
        yakuman = tuple(number for number in YAKUMAN if yaku >> number & 1)
        if yakuman != tuple(sorted(win.yakuman)):
            yield "yakuman", yakuman, tuple(sorted(win.yakuman))
        return
    if not win.yaku:
        return
    named = 0
    extra = dict.fromkeys(_EXTRA_HAN, 0)
    for number, han in win.yaku:
        if number in extra:
            extra[number] += han
        else:
            named |= 1 << number
    if yaku != named:
        yield "yaku", _numbers_in(yaku), _numbers_in(named)
    for number, (what, name) in _EXTRA_HAN.items():
        if value[name].item() != extra[number]:
            yield what, value[name].item(), extra[number]
    if value["han"].item() != win.han:
        yield "han", value["han"].item(), win.han
    if win.fu >= 0 and value["fu"].item() != win.fu:
        yield "fu", value["fu"].item(), win.fu


def _numbers_in(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def _sequel_differences(game: RiichiGame, number: int, state: NDArray[Any]) -> Iterator[_Difference]:
    """Yield the differences between the next hand, or the end of the game, and the record's."""
    if any(note.startswith(UNSUPPORTED) for note in game.notes):
        return  # a rule that the engine lacks may decide what follows
    points = state["seats"]["points"][0, : game.players].tolist()
    over = bool(state["over"].item())
    last = number + 1 == len(game.hands)
    if any(hand.number == game.number_of(number) + 1 for hand in game.cut):
        return  # the next hand cannot be read
    if last and game.final_scores is None:
        return  # a part of a game: the record does not say that it ended here
    if over != last:
        yield "game", "over" if over else "goes on", "over" if last else "goes on"
    if not last:
        following = game.hands[number + 1]
        recorded = (following.round, following.dealer, following.honba, following.deposits)
        engine = tuple(state[name].item() for name in ("kyoku", "dealer", "honba", "deposits"))
        if not over and engine != recorded:
            yield "next round, dealer, honba, deposits", engine, recorded
        if not over and points != following.scores:
            yield "points before the next hand", points, following.scores
        return
    if over and points != game.final_scores:
        yield "final points", points, game.final_scores
    chips = _chips_after(game.hands[number])
    if game.final_chips and chips and chips != game.final_chips:
        yield "final chips", chips, game.final_chips


def _chips_after(hand: RecordedHand) -> tuple[int, ...]:
    """Return every seat's chips after a hand by the recorded payments; empty if not recorded."""
    wins = hand.outcome if isinstance(hand.outcome, list) else []
    changes = zip(hand.chips, *(win.chip_deltas or (0,) * len(hand.chips) for win in wins), strict=True)
    return tuple(map(sum, changes))
