import { expect, test } from "vitest";
import { LANGUAGES } from "../i18n";
import { doraOf } from "../table/names";
import { found, groupsOf, isDone, rightOf, type Step, STEPS } from "./steps";

const step = (name: string) => STEPS.find((one) => one.name === name)!;

test("every step has its texts, with an answer to each tile or button", () => {
  for (const { lesson } of Object.values(LANGUAGES)) {
    expect(Object.keys(lesson.steps)).toEqual(STEPS.map((one) => one.name));
    for (const one of STEPS) {
      const text = lesson.steps[one.name]!;
      expect(text.ask === undefined).toBe(one.right === undefined);
      expect(Boolean(text.right && text.wrong)).toBe(one.pick !== undefined);
      expect(text.options !== undefined).toBe(typeof one.right === "number");
      if (one.hands) expect(text.options).toHaveLength(one.hands.length);
      if (text.rows) expect(text.rows).toHaveLength(one.shown!.length);
    }
  }
});

test("an exercise is done with all right answers, however many wrong or equal ones there are", () => {
  const run = step("sets");
  expect(rightOf(run)).toEqual([1, 2, 3]);
  expect([found(run, [0, 1, 1, 3]), isDone(run, [0, 1, 1, 3]), isDone(run, [0, 1, 1, 3, 2])]).toEqual([2, false, true]);
  expect(isDone(step("win"), [1, 2])).toBe(false);
  expect(isDone(step("win"), [1, 0])).toBe(true);
  expect(isDone(step("goal"), [])).toBe(true);
});

test("every right tile can be clicked, and some tile is wrong", () => {
  for (const one of STEPS.filter(({ pick }) => pick) as (Step & { pick: string; right: string })[]) {
    const tiles = one.pick.split(" ");
    expect(tiles).toEqual(expect.arrayContaining(one.right.split(" ")));
    expect(rightOf(one).length).toBeLessThan(tiles.length);
  }
});

test("the dora follows the indicator shown", () => {
  expect(step("dora").right).toBe(doraOf(step("dora").shown![0]!, 4));
});

test("groups, turned tiles and the winning tile are read", () => {
  const plain = { turned: false, apart: false };
  expect(groupsOf("1m +2p | ~P P")).toEqual([
    [
      { name: "1m", ...plain },
      { name: "2p", ...plain, apart: true },
    ],
    [
      { name: "P", ...plain, turned: true },
      { name: "P", ...plain },
    ],
  ]);
});
