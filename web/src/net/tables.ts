/** The tables of this tab: with their keys in sessionStorage, so that a reload goes on where it was. */
import { useEffect, useState } from "preact/hooks";
import type { NewTable } from "../messages";
import { makeTable } from "./api";
import { Connection, type Live } from "./connection";

export interface OwnTable {
  id: string;
  key: string;
  asked: Partial<NewTable>;
}

const KEY = "janshi.tables";
const connections = new Map<string, Connection>();
const listeners = new Set<() => void>();

export function ownTables(): OwnTable[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as OwnTable[];
  } catch {
    return [];
  }
}

function keep(tables: OwnTable[]): void {
  sessionStorage.setItem(KEY, JSON.stringify(tables));
  for (const listener of listeners) listener();
}

/** Make a table and go there. */
export async function openTable(asked: Partial<NewTable>): Promise<void> {
  const made = await makeTable(asked);
  keep([...ownTables(), { id: made.table, key: made.key, asked }]);
  location.hash = `#/table/${encodeURIComponent(made.table)}`;
}

export function leaveTable(id: string): void {
  connections.get(id)?.close();
  connections.delete(id);
  keep(ownTables().filter((one) => one.id !== id));
}

/** The table's connection, opened at the first call. It stays open while other pages are looked at. */
export function connection(id: string): Connection {
  let found = connections.get(id);
  if (found === undefined) {
    found = new Connection(id, ownTables().find((one) => one.id === id)?.key ?? "");
    found.subscribe(() => listeners.forEach((listener) => listener()));
    connections.set(id, found);
  }
  return found;
}

function useAgain(subscribe: (again: () => void) => () => void): void {
  const [, again] = useState(0);
  useEffect(() => {
    const changed = () => again((count) => count + 1);
    const stop = subscribe(changed);
    changed(); // an answer may have come between the first drawing and this
    return stop;
  }, []);
}

export function useLive(id: string): Live {
  const found = connection(id);
  useAgain((again) => found.subscribe(again));
  return found.live;
}

/** The tables of this tab: whether one waits for the player, and whether its game is over. */
export function useTables(): (OwnTable & { waits: boolean; over: boolean })[] {
  useAgain((again) => {
    listeners.add(again);
    return () => listeners.delete(again);
  });
  return ownTables().map((one) => {
    const live = connections.get(one.id)?.live;
    return {
      ...one,
      waits: live?.ask != null,
      over: live === undefined || live.state.end !== null || live.status === "ended",
    };
  });
}
