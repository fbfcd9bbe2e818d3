import "../games";
import { expect, test } from "vitest";
import { en } from "../i18n/en";
import four from "./fixtures/four-seen.json";
import { emptyTable, fold, type MjaiEvent } from "./fold";
import { told } from "./told";

test("screen readers hear all players's calls and discards and the own draws, and no hidden tile", () => {
  let state = emptyTable(4);
  const said: string[] = [];
  for (const event of four as MjaiEvent[]) {
    state = fold(state, event);
    const text = told(event, state, 0, en);
    if (text) said.push(text);
    if (event.type === "tsumo" && event["actor"] !== 0) expect(text).toBe("");
  }
  const all = said.join(" ");
  expect(said[0]).toBe("East 1 begins.");
  expect(all).toMatch(/You draw \d (man|pin|sou)\./);
  expect(all).toMatch(/efficient 2: (Pon|Chii) /);
  expect(all).toContain(": riichi!");
  expect(all).toMatch(/wins \d+ points\./);
  expect(said.at(-1)).toBe("The game is over.");
  expect(all).not.toContain("hidden");
});
