/** HTTP requests to the server. */
import type {
  Drills,
  FoundGames,
  NewPlayouts,
  NewReview,
  NewTable,
  NewTableFrom,
  OwnHistory,
  OwnTable,
  PlayedOn,
  Review,
  ReviewMade,
  Site,
  TableMade,
} from "../messages";
import { transport } from "./transport";

const TOKEN = "janshi.token";

/** The token of the page's address, stored for every tab of this browser. */
export function takeToken(): void {
  const address = new URL(location.href);
  const token = address.searchParams.get("token");
  if (token === null) return;
  try {
    localStorage.setItem(TOKEN, token);
  } catch {
    return; // it stays in the address
  }
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

/** The token; null if there is none, or if no header can carry it. */
export function token(): string | null {
  try {
    const found = localStorage.getItem(TOKEN) ?? new URL(location.href).searchParams.get("token");
    return found !== null && /^[!-~]+$/.test(found) ? found : null;
  } catch {
    return null;
  }
}

/** A refusal with the server's message. */
export class ApiError extends Error {}

/** Requests refusals as ordinary answers with their status, which browsers do not report as errors of the page. */
const STATUS = "Janshi-Status";

/** Send a request with the token; throw the reason of a refusal. */
async function send(path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { [STATUS]: "" };
  const secret = token();
  if (secret !== null) headers["Authorization"] = `Bearer ${secret}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await transport.fetch(path, init);
  if (!answer.ok || answer.headers.has(STATUS)) throw new ApiError(await reason(answer));
  return answer;
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  return (await (await send(path, body)).json()) as T;
}

async function reason(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const said: unknown = (JSON.parse(text) as { reason?: unknown }).reason;
    return typeof said === "string" ? said : JSON.stringify(said);
  } catch {
    return text || `${answer.status} ${answer.statusText}`;
  }
}

export const getSite = () => ask<Site>("api/site");
export const makeTable = (table: Partial<NewTable>) => ask<TableMade>("api/tables", table);
export const getGames = (tables: OwnTable[]) => ask<FoundGames>("api/games", { tables });
export const makeReview = (review: NewReview) => ask<ReviewMade>("api/reviews", review);
export const reviewTable = (table: string, key: string) =>
  ask<ReviewMade>(`api/tables/${encodeURIComponent(table)}/review?key=${encodeURIComponent(key)}`, {});

/** `part`: `losses` for the review with measured losses, which takes some seconds. */
export function getReview(id: string, seat?: number, by?: string, part = ""): Promise<Review> {
  const query = new URLSearchParams();
  if (seat !== undefined) query.set("seat", String(seat));
  if (by !== undefined) query.set("by", by);
  return ask<Review>(`api/reviews/${encodeURIComponent(id)}${part && `/${part}`}?${query}`);
}

export const getDrills = () => ask<Drills>("api/drills");
export const answerDrill = (drill: number, correct: boolean) => ask<Drills>(`api/drills/${drill}`, { correct });
export const addDrills = (review: string, seat: number, by?: string) =>
  ask<Drills>(`api/reviews/${encodeURIComponent(review)}/drills`, { seat, by: by ?? null });
export const getHistory = () => ask<OwnHistory>("api/history");
export const eraseHistory = () => ask<OwnHistory>("api/history/erase", {});
export const reviewPast = (game: string) => ask<ReviewMade>(`api/history/${encodeURIComponent(game)}/review`, {});
export const playOn = (id: string, wanted: NewPlayouts) =>
  ask<PlayedOn>(`api/reviews/${encodeURIComponent(id)}/playouts`, wanted);
export const makeTableFrom = (review: string, wanted: NewTableFrom) =>
  ask<TableMade>(`api/reviews/${encodeURIComponent(review)}/tables`, wanted);

/** Save a file of the server; links cannot send the token's header. `name`: unless the server names it. */
export async function download(path: string, name: string): Promise<void> {
  const answer = await send(path);
  const given = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = given ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
