import { expect, test } from "vitest";
import { en } from "../i18n/en";
import { ja } from "../i18n/ja";
import { doraOf, order, playerName, reviewerName, reviewersOf, rulesName, sorted, spoken, symbol } from "./names";

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

test.each([
  ["tenhou", "Tenhou, four players", "天鳳 四人"],
  ["tenhou-sanma-hand", "Tenhou, three players, one hand", "天鳳 三人、一局戦"],
  [
    "tenhou-nored-2009-east",
    "Tenhou, four players, no red fives, as of 2009, East",
    "天鳳 四人、赤なし、2009年、東風戦",
  ],
  ["kitchen", "kitchen", "kitchen"],
  ["tenhou-kitchen", "tenhou-kitchen", "tenhou-kitchen"],
])("rules are named in words: %s", (name, english, japanese) => {
  expect([rulesName(name, en), rulesName(name, ja)]).toEqual([english, japanese]);
});

test("the package's players have names in both languages, and people keep theirs", () => {
  expect(playerName("Imitator 2", ja)).toBe("模倣AI 2");
  expect([playerName("You", ja), playerName("あなた", en)]).toEqual(["あなた", "You"]);
  for (const name of ["Mori", "Mori 2", "", "toString", "sl"]) expect(playerName(name, ja)).toBe(name);
  expect([
    reviewerName("sl", en),
    reviewerName("sl", ja),
    reviewerName("sl-2026-11-22", ja),
    reviewerName("mine", en),
  ]).toEqual(["Imitator", "模倣AI", "旧模倣AI", "mine"]);
});

test("only players of the game and the number of seats that review are offered as reviewers of a record", () => {
  const player = (name: string, game: string, players: number[], reviews = true) => ({
    name,
    label: name,
    players,
    games: [game],
    description: "",
    reviews,
  });
  const all = [
    player("sl", "riichi", [3, 4]),
    player("four", "riichi", [4]),
    player("sichuan", "sichuan", [3, 4]),
    player("random", "riichi", [3, 4], false),
  ];
  const offered = (game: string, seats: number) => reviewersOf(all, game, seats).map(({ name }) => name);
  expect(offered("riichi", 4)).toEqual(["sl", "four"]);
  expect(offered("riichi", 3)).toEqual(["sl"]);
  expect(offered("sichuan", 4)).toEqual(["sichuan"]);
});
