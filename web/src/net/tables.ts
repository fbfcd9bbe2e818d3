/** The tables of this browser, with their keys in localStorage for every tab and later visits. */
import { useEffect, useState } from "preact/hooks";
import type { FoundGame, NewTable } from "../messages";
import { getGames, makeTable, makeTableFrom } from "./api";
import { Connection, type Live } from "./connection";
import { decoded, stored } from "../stored";

/** A decision of a reviewed game. */
export interface Moment {
  review: string;
  seat: number;
  decision: number;
}

export interface OwnTable {
  id: string;
  key: string;
  asked: Partial<NewTable>;
  /** Where the game began, unless it is a new one. */
  from?: Moment;
}

const KEY = "janshi.tables";
/** Maximum number of tables in one request. */
const MOST = 64;
const connections = new Map<string, Connection>();
const listeners = new Set<() => void>();

/** Without storage the tables last as long as the page. */
let unstored: OwnTable[] = [];

/** The tables of this browser; stored values that are none are passed over. */
export function ownTables(): OwnTable[] {
  if (!hasStorage()) return unstored;
  const found = stored(KEY);
  return Array.isArray(found) ? found.flatMap(tableOf) : [];
}

function hasStorage(): boolean {
  try {
    return localStorage.getItem(KEY) !== undefined;
  } catch {
    return false;
  }
}

function tableOf(found: unknown): OwnTable[] {
  if (found === null || typeof found !== "object") return [];
  const { id, key, asked, from } = found as Partial<Record<keyof OwnTable, unknown>>;
  if (typeof id !== "string" || typeof key !== "string") return [];
  const isObject = (value: unknown) => value !== null && typeof value === "object" && !Array.isArray(value);
  return [
    {
      id,
      key,
      asked: isObject(asked) ? (asked as OwnTable["asked"]) : {},
      ...(isObject(from) && { from: from as Moment }),
    },
  ];
}

function keep(tables: OwnTable[]): void {
  unstored = tables;
  try {
    localStorage.setItem(KEY, JSON.stringify(tables));
  } catch {
    // see `unstored`
  }
  changed();
}

function changed(): void {
  for (const listener of listeners) listener();
}

if (typeof addEventListener === "function") addEventListener("storage", (event) => event.key === KEY && changed()); // another tab has opened or closed a table

/** Create a table, for a new game or from a decision on, and open it. */
export async function openTable(asked: Partial<NewTable>, from?: Moment): Promise<void> {
  const { name = "" } = asked;
  const made = await (from
    ? makeTableFrom(from.review, { seat: from.seat, decision: from.decision, name })
    : makeTable(asked));
  keep([...ownTables(), { id: made.table, key: made.key, asked, ...(from && { from }) }].slice(-MOST));
  location.hash = `#/table/${encodeURIComponent(made.table)}`;
}

/** The resumable games; finished and missing ones are forgotten unless this tab shows them. */
export async function findGames(): Promise<FoundGame[]> {
  const own = ownTables();
  if (own.length === 0) return [];
  const { games } = await getGames(own.map((table) => ({ table: table.id, key: table.key })));
  const going = games.filter((game) => !game.over);
  const kept = new Set([...going.map((game) => game.table), ...connections.keys()]);
  keep(ownTables().filter((table) => kept.has(table.id) || !own.some((asked) => asked.id === table.id)));
  return going.sort((a, b) => a.moved - b.moved);
}

export function leaveTable(id: string): void {
  connections.get(id)?.close();
  connections.delete(id);
  keep(ownTables().filter((one) => one.id !== id));
}

/** The link that opens a table in another browser. */
export function linkOf(id: string): string {
  const key = ownTables().find((table) => table.id === id)?.key ?? "";
  const address = new URL(location.href);
  address.hash = `#/table/${encodeURIComponent(id)}?key=${encodeURIComponent(key)}`;
  return address.href;
}

/** Store the key of such a link, which adds the table to this browser. */
export function takeKey(): void {
  const [, id, key] = /^#\/table\/([^/?]+)\?key=([\w-]+)$/.exec(location.hash) ?? [];
  if (id === undefined || key === undefined) return;
  const table = decoded(id);
  keep([...ownTables().filter((own) => own.id !== table), { id: table, key, asked: {} }]);
  history.replaceState(null, "", `#/table/${id}`);
}

/** The table's connection, opened at the first call. It stays open on other pages. */
export function connection(id: string): Connection {
  let found = connections.get(id);
  if (found === undefined) {
    found = new Connection(id, ownTables().find((one) => one.id === id)?.key ?? "");
    found.subscribe(changed);
    connections.set(id, found);
  }
  return found;
}

function useAgain(subscribe: (again: () => void) => () => void): void {
  const [, again] = useState(0);
  useEffect(() => {
    const changed = () => again((count) => count + 1);
    const stop = subscribe(changed);
    changed(); // an answer may have arrived since the first rendering
    return stop;
  }, []);
}

export function useLive(id: string): Live {
  const found = connection(id);
  useAgain((again) => found.subscribe(again));
  return found.live;
}

/** The states of this browser's tables: waiting for the player, and finished. */
export function useTables(): (OwnTable & { waits: boolean; over: boolean })[] {
  useAgain((again) => {
    listeners.add(again);
    return () => listeners.delete(again);
  });
  return ownTables().map((one) => {
    const live = connections.get(one.id)?.live;
    return {
      ...one,
      waits: live?.status === "open" && live.ask !== null,
      over: live === undefined || live.state.end !== null || live.status === "ended",
    };
  });
}
