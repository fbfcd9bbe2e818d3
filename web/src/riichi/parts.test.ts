import { expect, test, vi } from "vitest";
import { change } from "../settings";
import { shownHands, source, yakuName } from "./parts";
import { YAKU } from "./yaku";

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

test.each([
  ["en", "menzen tsumo", /^[\x20-\x7e]+$/],
  ["ja", "門前清自摸和", /^[\p{Script=Han}\p{Script=Katakana}々ー]+$/u],
  ["zh", "门前清自摸和", /^\p{Script=Han}+$/u],
] as const)("yaku have their names in the language %s", (language, first, letters) => {
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  change({ language });
  expect(yakuName(0)).toBe(first);
  expect(source("menzen tsumo")).toBe(first);
  expect(source("no yaku")).toBe("no yaku");
  expect(YAKU.map((_, number) => yakuName(number)).filter((name) => !letters.test(name))).toEqual([]);
});
