import { expect, test } from "vitest";
import { route } from "./route";

test.each(["", "#", "#/", "#/x", "#x=%", "#/table", "#/table/", "#//", "#/%", "#/history/", "#/lesson?step=x"])(
  "an unknown address is the start page: %s",
  (hash) => expect(route(hash).page).toBe("lobby"),
);

test.each(["#/table/%", "#/review/%E0%A4%A", "#/table/a%00b", "#/review/__proto__", "#/table/%2525?key=%"])(
  "a damaged address keeps its page: %s",
  (hash) => expect(["table", "review"]).toContain(route(hash).page),
);

test("an address is decoded", () => {
  expect(route("#/table/a%20b")).toEqual({ page: "table", id: "a b" });
});
