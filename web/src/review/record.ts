/** A file for upload: text if possible, else base64. */
import type { NewReview } from "../messages";

/** The limit of the server's guard, allowing for base64. */
const LONGEST = 3 << 20;

export class TooLongError extends Error {}

/** Raises `TooLongError` for a file above the server's limit. */
export async function recordOf(file: Blob): Promise<Pick<NewReview, "record" | "base64">> {
  if (file.size > LONGEST) throw new TooLongError();
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return { record: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { record: base64(bytes), base64: true };
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
