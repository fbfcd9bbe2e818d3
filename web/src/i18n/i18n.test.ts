import { expect, test } from "vitest";
import { en } from "./en";
import { ja } from "./ja";

function keys(node: object, path = ""): string[] {
  return Object.entries(node).flatMap(([key, value]) =>
    value !== null && typeof value === "object" ? keys(value, `${path}${key}.`) : [`${path}${key}`],
  );
}

test("both languages say the same things", () => {
  expect(keys(ja).sort()).toEqual(keys(en).sort());
});
