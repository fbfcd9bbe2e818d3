import { expect, test } from "vitest";
import { en } from "./en";
import { ja } from "./ja";
import { zh } from "./zh";

function keys(node: object, path = ""): string[] {
  return Object.entries(node).flatMap(([key, value]) =>
    value !== null && typeof value === "object" ? keys(value, `${path}${key}.`) : [`${path}${key}`],
  );
}

test.each([ja, zh])("every language says the same things", (other) => {
  expect(keys(other).sort()).toEqual(keys(en).sort());
});
