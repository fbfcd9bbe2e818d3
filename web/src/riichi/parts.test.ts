import { expect, test } from "vitest";
import { shownHands } from "./parts";

const drawn = (reason: string, tenpais: boolean[]) => shownHands({ wins: [], reason, tenpais, deltas: [] });

test("kyuushu kyuuhai shows the declarer's hand and calls nobody tenpai or noten", () => {
  expect(drawn("kyushukyuhai", [false, true, false, false])).toEqual([{ who: 1, mark: null }]);
});

test("an exhaustive draw calls every seat tenpai or noten", () => {
  expect(drawn("fanpai", [false, true, false]).map((one) => one.mark)).toEqual(["noten", "tenpai", "noten"]);
});

test("a draw without shown hands lists nobody", () => {
  expect(drawn("sufonrenta", [])).toEqual([]);
});
