import "../games";
import { describe, expect, test } from "vitest";
import { lying, seenFrom, sideOf, windOf } from "./Board";
import four from "./fixtures/four.json";
import { emptyTable, foldAll, type Meld, type MjaiEvent } from "./fold";

const pon = (from: number): Meld => ({ kind: "pon", own: ["1m", "1m"], called: "1m", from, added: null });
const kan = (from: number): Meld => ({ ...pon(from), kind: "daiminkan", own: ["1m", "1m", "1m"] });
const turned = (meld: Meld, who: number) =>
  lying(meld, who)
    .map((one) => (one.turned ? "-" : "|"))
    .join("");

describe("the called tile is turned towards its discarder", () => {
  test.each([
    [3, "-||", "-|||"],
    [2, "|-|", "|-||"],
    [1, "||-", "|||-"],
  ])("from seat %i to seat 0: pon %s, kan %s", (from, ofPon, ofKan) => {
    expect(turned(pon(from), 0)).toBe(ofPon);
    expect(turned(kan(from), 0)).toBe(ofKan);
  });
  test("sides are counted from the caller", () => {
    expect(turned(pon(0), 3)).toBe("||-");
    expect(turned(pon(0), 1)).toBe("-||");
  });
});

test("the tile added to a pon lies on the turned one", () => {
  const [first] = lying({ ...pon(3), kind: "kakan", added: "1m" }, 0);
  expect(first).toEqual({ tile: "1m", turned: true, upon: "1m" });
});

test("of a closed kan the outer tiles lie face down", () => {
  const closed: Meld = { kind: "ankan", own: ["5m", "5m", "5m", "5mr"], called: null, from: null, added: null };
  expect(lying(closed, 0).map((one) => one.tile)).toEqual(["?", "5m", "5m", "?"]);
});

test("three players leave the fourth side empty's side empty", () => {
  expect([0, 1, 2].map((seat) => sideOf(seat, 1))).toEqual([3, 0, 1]);
});

test("winds go around from the dealer", () => {
  const state = { ...emptyTable(3), dealer: 2 };
  expect([0, 1, 2].map((seat) => windOf(state, seat))).toEqual(["S", "W", "E"]);
});

test("of a whole game one seat is shown its own hand only, and at the end the hands that are shown", () => {
  const events = four as MjaiEvent[];
  const end = events.findIndex((event) => event.type === "hora");
  const during = seenFrom(foldAll(emptyTable(4), events.slice(0, end)), 1);
  expect(during.seats.map((seat) => seat.hand.every((tile) => tile === "?"))).toEqual([true, false, true, true]);
  const after = foldAll(emptyTable(4), events.slice(0, end + 1));
  const winner = after.result?.wins[0]?.actor ?? -1;
  expect(seenFrom(after, 1).seats[winner]?.hand).toEqual(after.result?.wins[0]?.hand);
});
