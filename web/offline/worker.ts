/** The worker of the page without a server: engine, networks and tables. */
import { load } from "../../npm/dist/index.js";
import type { FromBrowser, Site } from "../src/messages";
import { Helper } from "./helpers";
import type { ToPage, ToWorker } from "./messages";
import { Networks } from "./players";
import { replay } from "./replay";
import { type Line, LocalServer, Refusal, type Store } from "./server";
import type { Kept, LocalTable } from "./table";

/** The folder of the page, above that of the scripts. */
const base = new URL("../", self.location.href).href;
const post = (message: ToPage) => self.postMessage(message);

/** Games are kept in the page's storage, which workers cannot use. */
const asked = new Map<string, (kept: Kept | null) => void>();
const store: Store = {
  read: (table) =>
    new Promise((resolve) => {
      asked.set(table, resolve);
      post({ kind: "read", table });
    }),
  begin: (table, setup) => post({ kind: "begin", table, setup }),
  add: (table, choice) => post({ kind: "add", table, choice }),
};

async function start() {
  const answer = fetch(new URL("site.json", base));
  const janshi = await load();
  const site = (await (await answer).json()) as Site;
  const networks = new Networks(base, site.players);
  const server = new LocalServer(janshi, networks, site, store, Number(self.name));
  return { janshi, server, helper: new Helper(janshi, networks) };
}

const started = start();
const lines = new Map<number, { line: Line; table: LocalTable | null; last: Promise<void> }>();

async function answer(path: string, body: unknown): Promise<{ status: number; body: unknown; file?: string }> {
  try {
    const { janshi, server, helper } = await started;
    if (path === "hold") return { status: 200, body: helper.hold(body as never) };
    if (path === "part") return { status: 200, body: await helper.play(body as never) };
    if (path === "loss") return { status: 200, body: await server.lossOf(body as never) };
    if (path === "replay") return { status: 200, body: replay(janshi, body as never) };
    const record = /^api\/tables\/([^/]+)\/record/.exec(path);
    if (record) return { status: 200, ...(await server.record(record[1]!)) };
    return { status: 200, body: await server.request(path, body) };
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 500;
    return { status, body: { reason: error instanceof Error ? error.message : String(error) } };
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "request")
    void answer(data.path, data.body).then((made) => post({ kind: "answer", id: data.id, ...made }));
  else if (data.kind === "kept") {
    asked.get(data.table)?.(data.kept);
    asked.delete(data.table);
  } else if (data.kind === "open") {
    const line: Line = {
      send: (message) => post({ kind: "text", line: data.line, text: JSON.stringify(message) }),
      end: () => post({ kind: "end", line: data.line }),
    };
    lines.set(data.line, { line, table: null, last: Promise.resolve() });
  } else if (data.kind === "close") {
    lines.delete(data.line);
  } else {
    const open = lines.get(data.line);
    if (!open) return;
    const message = JSON.parse(data.text) as FromBrowser;
    open.last = open.last.then(async () => {
      const { server } = await started;
      open.table = await server.receive(open.line, open.table, message);
    });
  }
};
