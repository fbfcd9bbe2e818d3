/** A position as the address's part after `#`: review, seat, reviewer, place, view. */

export interface Place {
  /** Number of events; null: the beginning. */
  at: number | null;
  /** The seat at the bottom; null: the reviewed one. */
  view: number | null;
  /** All hands open. */
  open: boolean;
  /** The panel beside the table; null: the summary at the beginning, else the decision. */
  tab: Tab | null;
}

export const TABS = ["decision", "game", "list", "hands"] as const;
export type Tab = (typeof TABS)[number];

/** Request parameters besides the review's id. */
export interface Asked {
  seat?: number;
  by?: string;
}

function query(hash: string): URLSearchParams {
  return new URLSearchParams(
    hash.includes("?") ? hash.slice(hash.indexOf("?") + 1) : hash.startsWith("#/") ? "" : hash.slice(1),
  );
}

function number(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Read `#/review/ID?at=12&view=1&open=yes&tab=list`, or, in a saved review, `#at=12&view=1`. */
export function placeOf(hash: string): Place {
  const said = query(hash);
  return {
    at: number(said.get("at")),
    view: number(said.get("view")),
    open: said.get("open") === "yes",
    tab: TABS.find((tab) => tab === said.get("tab")) ?? null,
  };
}

export function askedOf(hash: string): Asked {
  const said = query(hash);
  const [seat, by] = [number(said.get("seat")), said.get("by")];
  return { ...(seat === null ? {} : { seat }), ...(by ? { by } : {}) };
}

/** The hash of a position; `id` null: of a saved review. */
export function hashOf(id: string | null, place: Place, asked: Asked): string {
  const said = new URLSearchParams();
  if (asked.seat !== undefined) said.set("seat", String(asked.seat));
  if (asked.by !== undefined) said.set("by", asked.by);
  if (place.at !== null) said.set("at", String(place.at));
  if (place.view !== null) said.set("view", String(place.view));
  if (place.open) said.set("open", "yes");
  if (place.tab !== null) said.set("tab", place.tab);
  const text = said.toString();
  return id === null ? `#${text}` : `#/review/${encodeURIComponent(id)}${text && `?${text}`}`;
}
