import { expect, test } from "vitest";
import type { Advice, Candidate, Option } from "../messages";
import { isDear, naturalOf } from "./dear";

const option = (action: number, name: Option["name"], tile: string | null = null): Option => ({ action, name, tile });
const candidate = (tile: string, action: number, left: number): Candidate => ({
  ...{ tile, actions: [action], shanten: 1, accepts: [], left, furiten: false, safety: {} },
});
const after = (action: number, shanten: number, left: number) => ({
  action,
  discard: null,
  shanten,
  accepts: [],
  left,
});

function advice(shares: Record<number, number>, more: Partial<Advice> = {}): Advice {
  const preferences = Object.entries(shares).map(([action, share]) => ({ action: Number(action), share }));
  preferences.sort((a, b) => b.share - a.share);
  const best = preferences[0]!.action;
  return { by: "sl4", best, preferences, shanten: 1, candidates: [], after: [], ...more };
}

const DISCARDS = [option(1, "discard", "2m"), option(2, "discard", "3m")];
const candidates = [candidate("2m", 1, 12), candidate("3m", 2, 8)];
const CLAIM = [option(7, "pon", "5p"), option(8, "pass")];

test("a call that lowers the shanten is natural, otherwise the pass", () => {
  expect(naturalOf(advice({ 8: 1 }, { after: [after(7, 0, 4)] }), CLAIM)).toEqual([7]);
  expect(naturalOf(advice({ 8: 1 }, { after: [after(7, 1, 4)] }), CLAIM)).toEqual([8]);
});

test("the hint appears if a natural call is clearly worse than the pass", () => {
  expect(isDear(advice({ 8: 0.9, 7: 0.1 }, { after: [after(7, 0, 4)] }), CLAIM)).toBe(true);
  expect(isDear(advice({ 8: 0.8, 7: 0.2 }, { after: [after(7, 0, 4)] }), CLAIM)).toBe(false);
});

test("a natural choice that the reviewer takes too needs no hint, however certain it is", () => {
  expect(isDear(advice({ 8: 1 }, { after: [after(7, 1, 4)] }), CLAIM)).toBe(false);
  expect(isDear(advice({ 9: 1 }), [option(9, "ron", "5p"), option(8, "pass")])).toBe(false);
});

test("a discard that is not the fastest is dear against a riichi only", () => {
  expect(isDear(advice({ 2: 0.95, 1: 0.05 }, { candidates }), DISCARDS)).toBe(false);
  expect(isDear(advice({ 2: 0.95, 1: 0.05 }, { candidates, risk: { 1: 0.1, 2: 0 } }), DISCARDS)).toBe(true);
});

test("a discard instead of riichi is dear", () => {
  const options = [...DISCARDS, option(5, "riichi")];
  expect(isDear(advice({ 2: 0.9, 5: 0.1 }, { candidates }), options)).toBe(true);
  expect(isDear(advice({ 5: 0.9, 2: 0.1 }, { candidates }), options)).toBe(false);
});

test("the suit with the fewest tiles is the natural void one", () => {
  const options = [option(1, "void_m"), option(2, "void_p")];
  const voids = [
    { suit: "m", tiles: 5, shanten: 3 },
    { suit: "p", tiles: 3, shanten: 4 },
  ];
  expect(naturalOf(advice({ 1: 1 }, { voids }), options)).toEqual([2]);
  expect(isDear(advice({ 1: 1 }, { voids }), options)).toBe(true);
});

test("without a natural choice there is no hint", () => {
  expect(isDear(advice({ 1: 1 }), [option(1, "give", "2m"), option(2, "give", "3m")])).toBe(false);
});
