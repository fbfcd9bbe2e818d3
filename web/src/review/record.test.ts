import { expect, test } from "vitest";
import { recordOf, TooLongError } from "./record";

test("text is sent as text", async () => {
  expect(await recordOf(new Blob(['{"名": 1}']))).toEqual({ record: '{"名": 1}' });
});

test("other bytes are sent as base64 without loss", async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256);
  const { record, base64 } = await recordOf(new Blob([bytes]));
  expect(base64).toBe(true);
  expect(Uint8Array.from(atob(record), (one) => one.charCodeAt(0))).toEqual(bytes);
});

test("files above the limit are not sent", async () => {
  await expect(recordOf(new Blob([new Uint8Array((3 << 20) + 1)]))).rejects.toThrow(TooLongError);
});
