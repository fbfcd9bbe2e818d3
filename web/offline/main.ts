/** The page without a server: requests and connections go to a worker. */
import type { Socket, Transport } from "../src/net/transport";
import { useTransport } from "../src/net/transport";
import type { ToPage, ToWorker } from "./messages";
import type { Kept } from "./table";

/** Scales the pauses between events: `?pace=0` for none. */
const pace = new URL(location.href).searchParams.get("pace") ?? "1";
const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: pace });
const post = (message: ToWorker) => worker.postMessage(message);
const answers = new Map<number, (answer: Response) => void>();
const sockets = new Map<number, LocalSocket>();
let count = 0;

class LocalSocket implements Socket {
  readyState: number = WebSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  private readonly line = ++count;

  constructor() {
    sockets.set(this.line, this);
    post({ kind: "open", line: this.line });
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    post({ kind: "text", line: this.line, text });
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    post({ kind: "close", line: this.line });
    sockets.delete(this.line);
    this.onclose?.();
  }
}

/** A text with a name is a file to save. */
function responseOf({ status, body, file }: Extract<ToPage, { kind: "answer" }>): Response {
  if (!file) return new Response(JSON.stringify(body), { status });
  return new Response(String(body), { headers: { "Content-Disposition": `attachment; filename="${file}"` } });
}

const ask = (path: string, body: unknown): Promise<Response> =>
  new Promise((resolve) => {
    const id = ++count;
    answers.set(id, resolve);
    post({ kind: "request", id, path, body });
  });

// ---------------------------------------------------------------------------------------------------------
// Games are kept in this browser, so that a reload or a closed tab loses nothing

const KEPT = "janshi.kept.";
/** Maximum number of games kept; the oldest go first. */
const MOST = 64;

function readKept(table: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT + table) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

function keep(table: string, kept: Kept): void {
  try {
    localStorage.setItem(KEPT + table, JSON.stringify({ ...kept, at: Date.now() }));
    const games = Object.keys(localStorage).filter((key) => key.startsWith(KEPT));
    const age = (key: string) => readKept(key.slice(KEPT.length))?.at ?? 0;
    if (games.length > MOST) localStorage.removeItem(games.sort((a, b) => age(a) - age(b))[0]!);
  } catch {
    // without storage a game lasts as long as the page
  }
}

worker.onerror = () => {
  const body = JSON.stringify({ reason: "the page cannot start its worker: reload it, or use a newer browser" });
  for (const resolve of answers.values()) resolve(new Response(body, { status: 503 }));
  answers.clear();
};
worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "answer") {
    answers.get(data.id)?.(responseOf(data));
    answers.delete(data.id);
  } else if (data.kind === "text") sockets.get(data.line)?.onmessage?.({ data: data.text });
  else if (data.kind === "end") sockets.get(data.line)?.close();
  else if (data.kind === "read") post({ kind: "kept", table: data.table, kept: readKept(data.table) });
  else if (data.kind === "begin") keep(data.table, { setup: data.setup, choices: [] });
  else {
    const kept = readKept(data.table);
    if (kept) keep(data.table, { setup: kept.setup, choices: [...kept.choices, data.choice] });
  }
};

const local: Transport = {
  served: false,
  fetch: (path, init) => ask(path, init.body === undefined ? null : JSON.parse(String(init.body))),
  open: () => new LocalSocket(),
};
useTransport(local);
// For tests and benchmarks.
Object.assign(globalThis, { janshiAsk: async (path: string, body: unknown) => (await ask(path, body)).json() });
if (import.meta.env.PROD) void navigator.serviceWorker?.register("./sw.js"); // not without https
await import("../src/main");
