import "../games";
import { expect, test } from "vitest";
import fourWhole from "./fixtures/four.json";
import fourSeen from "./fixtures/four-seen.json";
import sanmaWhole from "./fixtures/sanma.json";
import sanmaSeen from "./fixtures/sanma-seen.json";
import { distinct, emptyTable, fold, foldAll, type MjaiEvent, type TableState } from "./fold";
import { HIDDEN, plain } from "./names";

interface Played {
  name: string;
  players: number;
  whole: MjaiEvent[];
  seen: MjaiEvent[];
}
const GAMES: Played[] = [
  { name: "sanma", players: 3, whole: sanmaWhole, seen: sanmaSeen },
  { name: "four players", players: 4, whole: fourWhole, seen: fourSeen },
];

/** The state after each event. */
function states(events: readonly MjaiEvent[], players: number): TableState[] {
  const all: TableState[] = [];
  let state = emptyTable(players);
  for (const event of events) all.push((state = fold(state, event)));
  return all;
}

function during(all: TableState[]): TableState[] {
  return all.filter((state) => state.hand >= 0 && state.result === null);
}

for (const { name, players, whole, seen } of GAMES) {
  test(`${name}: every seat holds thirteen tiles, and one more when it has to discard`, () => {
    for (const state of during(states(whole, players)))
      for (const [who, seat] of state.seats.entries()) {
        const held = seat.hand.length + 3 * seat.melds.length;
        const called = state.turn === who && seat.drawn === null && ["chi", "pon"].includes(String(state.last?.type));
        const declared = state.turn === who && state.last?.type === "reach" && seat.drawn === null;
        expect(held, JSON.stringify(state.last)).toBe(called || declared ? 14 : 13);
      }
  });

  test(`${name}: no tile occurs more than four times`, () => {
    for (const state of during(states(whole, players))) {
      const count = new Map<string, number>();
      const lie = [
        ...state.indicators,
        ...state.seats.flatMap((seat) => [
          ...seat.hand,
          ...(seat.drawn === null ? [] : [seat.drawn]),
          ...seat.river.filter((one) => !one.taken).map((one) => one.tile),
          ...seat.melds.flatMap((meld) => [
            ...meld.own,
            ...(meld.called ? [meld.called] : []),
            ...(meld.added ? [meld.added] : []),
          ]),
          ...Array.from({ length: seat.kitas }, () => "N"),
        ]),
      ];
      for (const tile of lie) count.set(plain(tile), (count.get(plain(tile)) ?? 0) + 1);
      expect(Math.max(...count.values())).toBeLessThanOrEqual(4);
    }
  });

  test(`${name}: scores follow the game's own account`, () => {
    let state = emptyTable(players);
    for (const event of whole) {
      if (event.type === "start_kyoku" && state.hand >= 0) {
        expect(event["scores"]).toEqual(state.seats.map((seat) => seat.score));
        expect(event["kyotaku"]).toBe(state.deposits);
      }
      state = fold(state, event);
    }
    const end = state.end;
    const left = state.seats.map((seat) => seat.score).reduce((sum, one) => sum + one, 0) + 1000 * state.deposits;
    expect(end?.scores.reduce((sum, one) => sum + one, 0)).toBe(left);
  });

  test(`${name}: one seat's view has its own tiles and as many hidden ones as the others hold`, () => {
    const open = states(whole, players);
    const own = states(seen, players);
    expect(own.at(-1)?.seat).toBe(0);
    for (const [at, state] of own.entries()) {
      const all = open[at];
      expect(state.seats[0]).toEqual(all?.seats[0]);
      expect(state.wall).toBe(all?.wall);
      for (const [who, seat] of state.seats.entries()) {
        expect(seat.hand.length).toBe(all?.seats[who]?.hand.length);
        expect(seat.river).toEqual(all?.seats[who]?.river);
        if (who > 0 && state.result === null) expect(new Set(seat.hand).size, "hidden").toBeLessThanOrEqual(1);
      }
    }
  });

  test(`${name}: an exhausted hand has no tiles left to draw`, () => {
    const drawn = states(whole, players).find((state) => state.result?.reason === "fanpai");
    expect(drawn?.wall).toBe(0);
  });

  test(`${name}: one turned discard lies in the river of each seat in riichi`, () => {
    for (const state of states(whole, players).filter((one) => one.result !== null))
      for (const seat of state.seats) {
        const lying = seat.river.filter((one) => one.turned && !one.taken).length;
        expect(lying).toBeLessThanOrEqual(1);
        if (seat.riichi === "no") expect(lying).toBe(0);
      }
  });
}

test("the discard after a called riichi discard is turned", () => {
  const start = {
    type: "start_kyoku",
    bakaze: "E",
    kyoku: 1,
    honba: 0,
    kyotaku: 0,
    oya: 0,
    scores: [25000, 25000, 25000, 25000],
  };
  const state = foldAll(emptyTable(4, 0), [
    { ...start, dora_marker: "1p", tehais: [["1m"], [HIDDEN], [HIDDEN], [HIDDEN]] },
    { type: "tsumo", actor: 0, pai: "2m" },
    { type: "reach", actor: 0 },
    { type: "dahai", actor: 0, pai: "1m", tsumogiri: false },
    { type: "reach_accepted", actor: 0 },
    { type: "pon", actor: 1, target: 0, pai: "1m", consumed: ["1m", "1m"] },
    { type: "tsumo", actor: 0, pai: "3m" },
    { type: "dahai", actor: 0, pai: "3m", tsumogiri: true },
  ]);
  expect(state.seats[0]?.river.map((one) => [one.turned, one.taken])).toEqual([
    [true, true],
    [true, false],
  ]);
  expect(state.seats[0]?.hand).toEqual(["2m"]);
  expect(state.deposits).toBe(1);
});

test("an unknown event changes only the count", () => {
  const before = emptyTable(3);
  const after = fold(before, { type: "hello" });
  expect({ ...after, events: 0, last: null }).toEqual(before);
  expect(after.events).toBe(1);
});

test("equal names are numbered", () => {
  expect(distinct(["sl", "you", "sl"])).toEqual(["sl 1", "you", "sl 2"]);
});

test.each(GAMES)("a win's points, honba and riichi sticks are what the winner gets: $name", ({ whole, players }) => {
  const all = states(whole, players);
  const wins = all.flatMap((state, at) => (state.last?.type === "hora" ? [{ state, before: all[at - 1]! }] : []));
  expect(wins.length).toBeGreaterThan(0);
  for (const { state, before } of wins) {
    const win = state.result!.wins.at(-1)!;
    expect(win.points + win.honba + win.sticks).toBe(win.deltas[win.actor]);
    expect(win.sticks).toBe(1000 * before.deposits);
    expect(win.honba > 0).toBe(before.honba > 0 && before.result === null);
  }
});
