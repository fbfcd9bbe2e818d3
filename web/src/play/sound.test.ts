import { expect, test } from "vitest";
import type { TableState } from "../table/fold";
import { soundOf } from "./sound";

function after(last: object, wins: { actor: number; target: number }[] | null = null): TableState {
  return { last, result: wins && { wins } } as unknown as TableState;
}

test("discards, calls, riichi and wins have sounds", () => {
  expect(soundOf(after({ type: "dahai", actor: 1, pai: "5p" }))).toBe("discard");
  expect(soundOf(after({ type: "pon", actor: 2 }))).toBe("call");
  expect(soundOf(after({ type: "nukidora", actor: 0 }))).toBe("call");
  expect(soundOf(after({ type: "reach", actor: 0 }))).toBe("riichi");
  expect(soundOf(after({ type: "hora" }, [{ actor: 0, target: 1 }]))).toBe("win");
  expect(soundOf(after({ type: "tsumo", actor: 0, pai: "?" }))).toBeNull();
});
