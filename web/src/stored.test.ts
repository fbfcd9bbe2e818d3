import { beforeEach, expect, test, vi } from "vitest";
import { decoded, forget } from "./stored";

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};

/** The modules of a page that begins with some values in its storage. */
async function opened(values: Record<string, string>) {
  vi.resetModules();
  kept.clear();
  for (const [key, value] of Object.entries(values)) kept.set(key, value);
  const [settings, tables, api] = await Promise.all([
    import("./settings"),
    import("./net/tables"),
    import("./net/api"),
  ]);
  return { settings: settings.settings(), tables: tables.ownTables(), token: api.token() };
}

beforeEach(() => {
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("location", { href: "http://localhost/" });
});

const DAMAGED = [
  ...'null 3 [] {} true "a" [null] [[]] [3] [{}] {'.split(" "),
  '{"language": "xx", "theme": 3, "coach": {}, "indices": "no", "sound": null, "name": 5}',
  '{"language": "__proto__", "theme": "constructor"}',
  '[{"id": 3, "key": "a"}, {"id": "b", "key": null}]',
];

test.each(DAMAGED)("damaged settings are the usual ones: %s", async (value) => {
  const { settings } = await opened({ "janshi.settings": value });
  expect(["en", "ja", "zh"]).toContain(settings.language);
  expect([settings.theme, settings.coach, settings.name]).toEqual(["auto", "request", ""]);
  expect([settings.indices, settings.sound]).toEqual([false, true]);
});

test.each(DAMAGED)("damaged tables are none: %s", async (value) => {
  expect((await opened({ "janshi.tables": value })).tables).toEqual([]);
});

test("sound values are taken beside damaged ones", async () => {
  const { settings, tables } = await opened({
    "janshi.settings": '{"language": "zh", "name": 5, "other": 1}',
    "janshi.tables": '[3, {"id": "a", "key": "b", "asked": {"seed": 4}}, {"id": "c", "key": "d", "asked": 7}]',
  });
  expect([settings.language, settings.name, "other" in settings]).toEqual(["zh", "", false]);
  expect(tables).toEqual([
    { id: "a", key: "b", asked: { seed: 4 } },
    { id: "c", key: "d", asked: {} },
  ]);
});

test("a token that no header can carry is none", async () => {
  expect((await opened({ "janshi.token": "\u6771" })).token).toBeNull();
  expect((await opened({ "janshi.token": "abc-_1" })).token).toBe("abc-_1");
});

test("a damaged address stays as it is", () => {
  expect(["%", "%E0%A4%A", "a%20b"].map(decoded)).toEqual(["%", "%E0%A4%A", "a b"]);
});

test("only the page's own values are forgotten", () => {
  kept.clear();
  vi.stubGlobal("localStorage", Object.assign(Object.create(storage), { "janshi.a": "1", other: "2" }));
  kept.set("janshi.a", "1").set("other", "2");
  forget();
  expect([...kept.keys()]).toEqual(["other"]);
});
