import { expect, test } from "vitest";
import { en } from "../i18n/en";
import { ja } from "../i18n/ja";
import { doraOf, order, sorted, spoken, symbol } from "./names";

test.each([
  ["1p", 4, "2p"],
  ["9s", 4, "1s"],
  ["N", 4, "E"],
  ["C", 4, "P"],
  ["1m", 4, "2m"],
  ["1m", 3, "9m"],
  ["9m", 3, "1m"],
])("the indicator %s at a table of %i makes %s dora", (indicator, players, dora) => {
  expect(doraOf(indicator, players)).toBe(dora);
});

test("tiles are sorted man, pin, sou, honours, red fives before plain ones", () => {
  expect(sorted(["C", "E", "5s", "5sr", "1p", "9m", "?"])).toEqual(["9m", "1p", "5sr", "5s", "E", "C", "?"]);
  expect(order("5mr")).toBeLessThan(order("5m"));
});

test("every name has its symbol in the sprite", () => {
  expect(["5p", "5pr", "E", "C", "?"].map(symbol)).toEqual(["tile-5p", "tile-0p", "tile-1z", "tile-7z", "tile-back"]);
});

test("tiles are spoken in the language", () => {
  expect(["5p", "5sr", "F", "?"].map((tile) => spoken(tile, en))).toEqual([
    "5 pin",
    "red 5 sou",
    "green dragon",
    "hidden tile",
  ]);
  expect(["5p", "5sr", "F"].map((tile) => spoken(tile, ja))).toEqual(["5筒", "赤5索", "發"]);
});
