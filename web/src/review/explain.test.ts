import "../games";
import { expect, test } from "vitest";
import { en } from "../i18n/en";
import { ja } from "../i18n/ja";
import type { Advice, Candidate, Decision, Option, Review } from "../messages";
import four from "./fixtures/four.json";
import sanma from "./fixtures/sanma.json";
import { cut, explain, explainHint, liked, percent } from "./explain";

const NAMES = ["Aya", "Bob", "Chie"];

function candidate(
  tile: string,
  action: number,
  shanten: number,
  left: number[],
  more: Partial<Candidate> = {},
): Candidate {
  const accepts = left.map((many, at) => ({ tile: `${at + 1}s`, left: many }));
  return {
    tile,
    actions: [action],
    shanten,
    accepts,
    left: left.reduce((a, b) => a + b, 0),
    furiten: false,
    safety: {},
    ...more,
  };
}

const discard = (action: number, tile: string): Option => ({
  action,
  name: "discard",
  tile,
  tiles: [],
  tsumogiri: false,
});

function decision(candidates: Candidate[], best: number, done: number, options: Option[], more: Partial<Advice> = {}) {
  const preferences = [{ action: best, share: 0.625 }, ...(done === best ? [] : [{ action: done, share: 0.25 }])];
  return { advice: { by: "sl", best, preferences, shanten: 1, candidates, after: [], ...more }, options, done };
}

const TWO = [discard(11, "3p"), discard(26, "9s")];

test("two discards are compared by kinds and tiles", () => {
  const said = decision([candidate("9s", 26, 1, [4, 4, 4]), candidate("3p", 11, 1, [3, 3])], 26, 11, TWO);
  expect(explain(said, NAMES, en)).toEqual([
    "Your [3p] keeps 2 kinds, 6 tiles; [9s] keeps 3 kinds, 12 tiles (1-shanten both).",
  ]);
});

test("different shanten are both mentioned", () => {
  const said = decision([candidate("9s", 26, 0, [4]), candidate("3p", 11, 1, [3, 3])], 26, 11, TWO);
  expect(explain(said, NAMES, en)).toEqual([
    "Your [3p] leaves 1-shanten, 2 kinds, 6 tiles; [9s] leaves tenpai, waiting for 1 kind, 4 tiles.",
  ]);
});

test("figures in favour of the action taken are called incomplete", () => {
  const said = decision([candidate("9s", 26, 1, [1]), candidate("3p", 11, 1, [3, 3])], 26, 11, TWO);
  expect(explain(said, NAMES, en).at(-1)).toContain("By these numbers your choice is better");
});

test("a reason by danger replaces the note on other reasons", () => {
  const safe = candidate("9s", 26, 1, [1], { safety: { "1": "safe" } });
  const open = candidate("3p", 11, 1, [3, 3], { safety: { "1": "open" } });
  const said = explain(decision([safe, open], 26, 11, TWO), NAMES, en);
  expect(said).toHaveLength(2);
  expect(said.join(" ")).not.toContain("ahead");
});

test("without riichi a safe discard is one of a suit that others have voided", () => {
  const safe = candidate("9s", 26, 1, [2], { safety: { "1": "safe", "2": "safe" } });
  expect(explain(decision([safe], 26, 26, TWO, { risk: null }), NAMES, en)[1]).toBe(
    en.sichuan.hint.safe("[9s]", "Bob, Chie"),
  );
});

test("equal numbers are mentioned once", () => {
  const said = decision([candidate("9s", 26, 1, [2]), candidate("3p", 11, 1, [2])], 26, 11, TWO);
  expect(explain(said, NAMES, en)).toEqual(["Your [3p] and [9s] are equal in ukeire: 1-shanten, 1 kind, 2 tiles."]);
});

test("different safety is mentioned with its opponents", () => {
  const safe = candidate("9s", 26, 1, [2], { safety: { "1": "safe", "2": "open" } });
  const open = candidate("3p", 11, 1, [2], { safety: { "1": "open", "2": "open" } });
  expect(explain(decision([safe, open], 26, 11, TWO), NAMES, en)[1]).toBe(
    "Against the riichi of Bob: [9s] is genbutsu, [3p] is not safe.",
  );
});

test("different deal-in risks are mentioned", () => {
  const two = [candidate("9s", 26, 1, [2]), candidate("3p", 11, 1, [2])];
  const said = (own: number) => explain(decision(two, 26, 11, TWO, { risk: { "26": 0, "11": own } }), NAMES, en);
  expect(said(0.125)[1]).toBe("Deal-in risk: your [3p] 13 %, [9s] 0 %.");
  expect(said(0.01)).toHaveLength(1);
});

test("furiten is mentioned with the wait", () => {
  const said = decision([candidate("9s", 26, 0, [4]), candidate("3p", 11, 0, [4], { furiten: true })], 26, 11, TWO);
  expect(explain(said, NAMES, en)[0]).toContain("waiting for 1 kind, 4 tiles, furiten");
});

test("the drawn tile and the same one from the hand are one choice", () => {
  const options = [discard(11, "3p"), { ...discard(37, "3p"), tsumogiri: true }];
  const said = decision([candidate("3p", 11, 1, [2], { actions: [11, 37] })], 37, 11, options);
  expect(explain(said, NAMES, en)).toEqual(["Both choose [3p]: 1-shanten, 1 kind, 2 tiles."]);
});

test("a pass is compared with the hand after the call", () => {
  const options: Option[] = [
    { action: 70, name: "chi", tile: "3p", tiles: ["1p", "2p"] },
    { action: 121, name: "pass", tile: null, tiles: [] },
  ];
  const after = [{ action: 70, discard: "E", shanten: 0, accepts: [{ tile: "5s", left: 3 }], left: 3 }];
  const said = decision([], 70, 121, options, { after });
  expect(explain(said, NAMES, en)).toEqual([
    "Your pass leaves 1-shanten; chii [3p] with [1p][2p] leaves tenpai, waiting for 1 kind, 3 tiles, then [E].",
  ]);
});

test("riichi is mentioned with its discard, red if the hand has the red one", () => {
  const options: Option[] = [
    { action: 117, name: "riichi", tile: null, tiles: [] },
    discard(36, "5sr"),
    discard(11, "3p"),
  ];
  const said = decision([candidate("5s", 36, 0, [0, 2]), candidate("3p", 11, 1, [3])], 117, 117, options);
  expect(explain(said, NAMES, en)).toEqual(["Both choose riichi: tenpai, waiting for 1 kind, 2 tiles, then [5sr]."]);
});

test("an improving call with low probability has a note on other reasons", () => {
  const options: Option[] = [
    { action: 70, name: "pon", tile: "3p", tiles: ["3p", "3p"] },
    { action: 121, name: "pass", tile: null, tiles: [] },
  ];
  const after = [{ action: 70, discard: null, shanten: 0, accepts: [{ tile: "5s", left: 3 }], left: 3 }];
  expect(explain(decision([], 121, 70, options, { after }), NAMES, en).at(-1)).toContain(
    "By these numbers your choice is better",
  );
});

test("a win is a win", () => {
  const options: Option[] = [discard(11, "3p"), { action: 118, name: "tsumo", tile: "3p", tiles: [] }];
  expect(explain(decision([candidate("3p", 11, 0, [1])], 118, 11, options), NAMES, en)).toEqual([
    "The hand is complete: tsumo wins it.",
  ]);
});

test("a hint names the choice, its probability and the hand after it", () => {
  const { advice, options } = decision([candidate("9s", 26, 1, [4, 4])], 26, 26, TWO);
  expect(explainHint(advice, options, en)[0]).toBe("It would choose [9s] (63 %): 1-shanten, 2 kinds, 8 tiles.");
});

test("a hint names the other discards with the same figures", () => {
  const equal = candidate("1p", 9, 1, [4, 4]);
  const given = [candidate("9s", 26, 1, [4, 4]), equal, candidate("2p", 10, 1, [4])];
  const { advice, options } = decision(given, 26, 26, [...TWO, discard(9, "1p"), discard(10, "2p")]);
  expect(explainHint(advice, options, en)).toContain("These figures are the same for [1p].");
  const other = decision([given[0]!, given[2]!], 26, 26, [...TWO, discard(10, "2p")]);
  expect(explainHint(other.advice, other.options, en)).toHaveLength(1);
});

test("void suits are compared by the tiles to discard and the hand without them", () => {
  const options = (["void_m", "void_p"] as const).map((name, at): Option => ({ action: 27 + at, name }));
  const voids = [
    { suit: "m", tiles: 4, shanten: 3 },
    { suit: "p", tiles: 1, shanten: 2 },
  ];
  const said = decision([], 28, 27, options, { voids });
  expect(explain(said, NAMES, en)).toEqual([
    "Your voiding characters leaves 4 tiles to discard, 3-shanten; voiding dots leaves 1 tile to discard, 2-shanten.",
  ]);
});

test("tiles of the exchange, of which nothing is known, have no reasons", () => {
  const options = ["1m", "9p"].map((tile, at): Option => ({ action: 17 * at, name: "give", tile }));
  expect(explain(decision([], 17, 0, options), NAMES, en)).toEqual([]);
});

test("every decision of the machine-made hands is explained in both languages, without holes", () => {
  for (const review of [sanma, four] as Review[])
    for (const one of review.decisions as Decision[])
      for (const words of [en, ja]) {
        const said = explain(one, review.names, words);
        expect(said.length).toBeGreaterThan(0);
        for (const text of said) expect(text).not.toMatch(/undefined|null|\[\]|NaN|: \.|：。/);
      }
});

test("the most probable option comes first", () => {
  for (const one of (sanma as Review).decisions)
    expect(liked(one.advice, one.options)[0]?.action).toBe(one.advice.best);
});

test("a small probability is not shown as zero", () => {
  expect([0, 0.001, 0.5, 1].map(percent)).toEqual(["0 %", "<1 %", "50 %", "100 %"]);
});

test("a sentence is split at its tiles", () => {
  expect(cut("Your [3p] and [5sr].").map((part) => part.tile ?? part.text)).toEqual([
    "Your ",
    "3p",
    " and ",
    "5sr",
    ".",
  ]);
});
