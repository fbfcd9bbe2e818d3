import { describe, expect, test } from "vitest";
import type { Ask, Option } from "../messages";
import { automatic, callButtons, discardOf, NO_SWITCHES } from "./keys";

const option = (action: number, name: Option["name"], tile?: string, tsumogiri = false): Option => ({
  action,
  name,
  tile: tile ?? null,
  tiles: [],
  tsumogiri,
});
const ask = (...options: Option[]): Ask => ({ type: "ask", number: 1, options, discards: [] });

test("the first of two equal calls has the letter, the second a digit; passing comes last", () => {
  const buttons = callButtons(ask(option(53, "pass"), option(39, "chi"), option(40, "chi"), option(45, "pon")));
  expect(buttons.map((one) => [one.option.name, one.key])).toEqual([
    ["pon", "P"],
    ["chi", "C"],
    ["chi", "3"],
    ["pass", "X"],
  ]);
});

test("the drawn tile and an equal one in the hand are different discards", () => {
  const both = ask(option(4, "discard", "5m"), option(37, "discard", "5m", true));
  expect(discardOf(both, "5m", true)?.action).toBe(37);
  expect(discardOf(both, "5m", false)?.action).toBe(4);
});

describe("switches", () => {
  const turn = ask(option(4, "discard", "5m"), option(37, "discard", "9m", true));
  test("nothing happens automatically by default", () => {
    expect(automatic(turn, NO_SWITCHES, false)).toBeNull();
  });
  test("the drawn tile is discarded", () => {
    expect(automatic(turn, { ...NO_SWITCHES, discard: true }, false)).toBe(37);
  });
  test("no other switch passes a win", () => {
    const win = ask(option(51, "ron", "5m"), option(53, "pass"));
    expect(automatic(win, { win: false, calls: true, discard: true, kita: true }, false)).toBeNull();
    expect(automatic(win, { ...NO_SWITCHES, win: true }, false)).toBe(51);
  });
  test("calls are passed", () => {
    const call = ask(option(45, "pon", "5m"), option(53, "pass"));
    expect(automatic(call, { ...NO_SWITCHES, calls: true }, false)).toBe(53);
    expect(automatic(call, { ...NO_SWITCHES, discard: true }, false)).toBeNull();
  });
  test("kita comes before the discard of the drawn tile", () => {
    const north = ask(option(49, "kita", "N"), option(37, "discard", "N", true));
    expect(automatic(north, { ...NO_SWITCHES, discard: true, kita: true }, false)).toBe(49);
  });
  test("forced actions in riichi are automatic", () => {
    expect(automatic(ask(option(37, "discard", "9m", true)), NO_SWITCHES, true)).toBe(37);
    expect(automatic(ask(option(37, "discard", "9m", true)), NO_SWITCHES, false)).toBeNull();
  });
});
