/** The page of an address. */
import { decoded } from "./stored";

export type Route =
  | { page: "lobby" | "upload" | "history" | "drills" }
  | { page: "lesson"; step: number }
  | { page: "table" | "review"; id: string };

/** The page of the address's part after `#`; the lobby if it is unknown. */
export function route(hash: string): Route {
  const [, page, id] = /^#\/(table|review)\/([^/?]+)/.exec(hash) ?? [];
  if ((page === "table" || page === "review") && id) return { page, id: decoded(id) };
  const lesson = /^#\/lesson(?:\?step=(\d+))?$/.exec(hash);
  if (lesson) return { page: "lesson", step: Number(lesson[1] ?? 1) };
  if (hash === "#/history") return { page: "history" };
  if (hash === "#/drills") return { page: "drills" };
  return { page: /^#\/review\/?(\?|$)/.test(hash) ? "upload" : "lobby" };
}
