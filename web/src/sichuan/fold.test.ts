import "../games";
import { expect, test } from "vitest";
import { seenFrom } from "../table/Board";
import novikovWhole from "../table/fixtures/sichuan-novikov.json";
import novikovSeen from "../table/fixtures/sichuan-novikov-seen.json";
import exchangeWhole from "../table/fixtures/sichuan.json";
import exchangeSeen from "../table/fixtures/sichuan-seen.json";
import { en } from "../i18n/en";
import { emptyTable, fold, type MjaiEvent, type TableState } from "../table/fold";
import { partsOf } from "../table/games";
import { HIDDEN } from "../table/names";
import { changes, ownOf, tableOf } from "./fold";

const GAMES: { name: string; whole: MjaiEvent[]; seen: MjaiEvent[] }[] = [
  { name: "exchange", whole: exchangeWhole, seen: exchangeSeen },
  { name: "novikov", whole: novikovWhole, seen: novikovSeen },
];

/** The state after each event. */
function states(events: readonly MjaiEvent[]): TableState[] {
  const all: TableState[] = [];
  let state = emptyTable(4);
  for (const event of events) all.push((state = fold(state, event)));
  return all;
}

const tilesOf = (state: TableState, who: number): number => {
  const { hand, drawn, melds } = state.seats[who]!;
  const sichuan = ownOf(state.seats[who]);
  const laid = (sichuan?.laid == null ? 0 : 1) + (sichuan?.aside.length ?? 0);
  return hand.length + (drawn === null ? 0 : 1) + 3 * melds.length + laid;
};

test("a hand ends with its winners in order, or with the wall", () => {
  const end = (events: MjaiEvent[]) => states(events).at(-1)!;
  const ending = (state: TableState) => partsOf({ game: "sichuan" }).ending(state, en);
  expect(ending(end(exchangeWhole))).toBe(
    "efficient 1: on random’s tile, 2 points; heuristic: self-draw, 4 points; efficient 2: self-draw, 3 points",
  );
  const unwon = exchangeWhole.filter(({ type }: MjaiEvent) => type !== "win");
  expect(ending(end(unwon))).toBe("Three have won");
  const before = (exchangeWhole as MjaiEvent[]).findIndex(({ type }) => type === "settlement");
  expect(ending(end(exchangeWhole.slice(0, before)))).toBe("");
});

test.each(GAMES)("a game ends with the points that its events end with: $name", ({ whole, seen }) => {
  for (const events of [whole, seen]) {
    const end = states(events).at(-1)!;
    expect(end.seats.map((seat) => seat.score)).toEqual(end.end?.scores);
    expect(end.result?.deltas).toEqual(
      changes(
        4,
        tableOf(end)!.paid.flatMap((paid) => paid.payments),
      ),
    );
  }
});

test.each(GAMES)("everybody holds thirteen tiles, or one more on his turn: $name", ({ whole, seen }) => {
  for (const events of [whole, seen])
    for (const state of states(events).filter((one) => tableOf(one) && !tableOf(one)!.settlement))
      for (const who of [0, 1, 2, 3]) {
        const most = state.last?.type === "exchange" ? 16 : 14; // gifts come one after the other
        expect(tilesOf(state, who)).toBeGreaterThanOrEqual(state.last?.type === "exchange" ? 10 : 13);
        expect(tilesOf(state, who)).toBeLessThanOrEqual(most);
      }
});

test.each(GAMES)("a seat's view is the whole game with the others' tiles hidden: $name", ({ whole, seen }) => {
  const own = states(seen);
  states(whole).forEach((state, at) => {
    if (!tableOf(state)) return;
    const watched = seenFrom(state, 0);
    expect(own[at]!.seats[0]).toEqual(watched.seats[0]);
    expect(own[at]!.seats.map((seat) => [seat.river, seat.melds, seat.score, ownOf(seat)?.won])).toEqual(
      watched.seats.map((seat) => [seat.river, seat.melds, seat.score, ownOf(seat)?.won]),
    );
    if (!tableOf(state)!.settlement)
      for (const seat of own[at]!.seats.slice(1)) {
        expect(new Set([...seat.hand, seat.drawn ?? HIDDEN, ...ownOf(seat)!.aside])).toEqual(new Set([HIDDEN]));
        expect(ownOf(seat)!.voidShown || seat.void === null).toBe(true);
      }
  });
});

test("a robbed kong becomes a pung again", () => {
  const dealt = states(exchangeWhole).find((state) => state.last?.type === "start_kyoku")!;
  const events: MjaiEvent[] = [
    { type: "dahai", actor: 1, pai: "5p", tsumogiri: false },
    { type: "pon", actor: 0, target: 1, pai: "5p", consumed: ["5p", "5p"] },
    { type: "kakan", actor: 0, pai: "5p", consumed: ["5p", "5p", "5p"] },
    { type: "win", actor: 2, target: 0, pai: "5p", place: 1, fans: [["robbing", 1]], fan: 1, points: 2, robbed: true },
    { type: "pay", reason: "win", payments: [[0, 2, 2]] },
  ];
  const after = events.reduce(fold, dealt);
  expect(after.seats[0]!.melds.map((meld) => [meld.kind, meld.added])).toEqual([["pon", null]]);
  expect(tableOf(after)!.paid[0]!.win?.actor).toBe(2);
  expect(after.seats.map((seat) => seat.score)).toEqual([-2, 0, 2, 0]);
});
