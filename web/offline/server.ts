/** The server's answers, given in a worker of the page. */
import type { Janshi } from "../../npm/dist/index.js";
import { JanshiError } from "../../npm/dist/index.js";
import type {
  FromBrowser,
  FromServer,
  FoundGame,
  FoundGames,
  Loss,
  NewPlayouts,
  NewReview,
  NewTable,
  OwnTables,
  PlayedOn,
  Review,
  ReviewMade,
  Site,
} from "../src/messages";
import type { Players } from "./players";
import { Helpers, Unwanted } from "./helpers";
import { HANDS, lossOf, withLosses } from "./losses";
import { Playouts } from "./playouts";
import { gameOf, type GameRecord, readRecord, RecordError, seatOf, textOf } from "./records";
import { positionsOf, reviewOf } from "./review";
import { type Choice, type Kept, LocalTable, NotNow, type Setup } from "./table";

/** A request that is refused, with a HTTP status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface LossAsked {
  review: string;
  seat: number;
  decision: number;
  /** Bytes of `HandEnd` records by option and sample. */
  outcomes: number[][][];
}

/** Where games are kept beyond the worker. */
export interface Store {
  read(table: string): Promise<Kept | null>;
  begin(table: string, setup: Setup): void;
  add(table: string, choice: Choice): void;
}

/** A browser's connection to one table. */
export interface Line {
  send(message: FromServer): void;
  end(): void;
}

/** A record with its reviews by seat. */
interface Reviewed {
  game: GameRecord;
  seat: number;
  reviews: Map<number, Promise<Review>>;
  /** Those with losses. */
  losses: Map<number, Promise<Review>>;
}

const GONE = "this table no longer exists";

export class LocalServer {
  private readonly tables = new Map<string, LocalTable>();
  private readonly opened = new Map<string, Promise<LocalTable>>();
  private readonly lines = new Map<string, Line>();
  private readonly records = new Map<string, Reviewed>();
  /** The review and seat whose losses are measured. */
  private measured: string | null = null;
  /** The playouts of the last question. */
  private playouts: { question: string; playouts: Playouts } | null = null;

  constructor(
    private readonly janshi: Janshi,
    private readonly players: Players,
    private readonly site: Site,
    private readonly store: Store,
    private readonly pace = 1,
  ) {}

  async request(path: string, body: unknown): Promise<unknown> {
    if (!path.startsWith("api/reviews/")) this.measured = null; // the page shows something else
    if (path === "api/site") return this.site;
    if (path === "api/tables") return this.open(body as NewTable);
    if (path === "api/games") return this.games(body as OwnTables);
    if (path === "api/reviews") return this.read(body as NewReview);
    const [, played] = /^api\/reviews\/([^/?]+)\/playouts$/.exec(path) ?? [];
    if (played) return this.playOn(played, body as NewPlayouts);
    const [, kind, id, part, query] = /^api\/(tables|reviews)\/([^/?]+)(\/review|\/losses)?\?(.*)$/.exec(path) ?? [];
    if (kind === "tables") return this.reviewTable(id!);
    if (part === "/losses") return this.losses(id!, new URLSearchParams(query));
    if (kind === "reviews") return this.review(id!, new URLSearchParams(query));
    throw new Refusal(404, "this page works without a server; this needs the Python package");
  }

  // -----------------------------------------------------------------------------------------------------
  // Reviews

  private async read({ record, base64, game }: NewReview): Promise<ReviewMade> {
    const id = crypto.randomUUID();
    try {
      const bytes = base64 ? Uint8Array.from(atob(record), (letter) => letter.charCodeAt(0)) : null;
      const read = readRecord(this.janshi, bytes ? await textOf(bytes) : record, game ?? 1);
      const seat = bytes ? 0 : seatOf(record);
      const made = this.keep(id, read, seat < read.players ? seat : 0);
      await storeRecord(id, this.records.get(id)!.game).catch(() => {}); // the review lasts as long as the page
      return made;
    } catch (error) {
      throw error instanceof RecordError ? new Refusal(400, error.message) : error;
    }
  }

  /** A finished game of this page, whose review has its name. */
  private async reviewTable(id: string): Promise<ReviewMade> {
    const table = await this.find(id);
    return this.keep(id, readRecord(this.janshi, table.record().text, 1), table.setup.seat ?? 0);
  }

  private keep(id: string, game: GameRecord, seat: number): ReviewMade {
    this.records.set(id, { game, seat, reviews: new Map(), losses: new Map() });
    return { review: id, game: gameOf(game), seats: game.names, seat };
  }

  private async recordOf(id: string): Promise<Reviewed> {
    const stored = this.records.has(id) ? null : await storedRecord(id);
    if (stored) this.keep(id, stored, 0);
    else if (!this.records.has(id) && (await this.store.read(id))) await this.reviewTable(id);
    const kept = this.records.get(id);
    if (!kept) throw new Refusal(404, "this review is no longer stored: open the record again");
    return kept;
  }

  private async review(id: string, query: URLSearchParams): Promise<Review> {
    const kept = await this.recordOf(id);
    const seat = Number(query.get("seat") ?? kept.seat);
    if (!(seat in kept.game.names)) throw new Refusal(400, `there is no seat ${seat}`);
    if (this.measured !== `${id} ${seat}`) this.measured = null;
    const review = kept.reviews.get(seat) ?? this.reviewOf(kept.game, seat);
    kept.reviews.set(seat, review);
    review.catch(() => kept.reviews.delete(seat)); // offline: try again
    return review;
  }

  /** A review with measured losses; it ends in a refusal once the page asks for something else. */
  private async losses(id: string, query: URLSearchParams): Promise<Review> {
    const { game, losses, seat } = await this.recordOf(id);
    const name = `${id} ${Number(query.get("seat") ?? seat)}`;
    this.measured = name;
    const review = await this.review(id, query);
    const found = losses.get(review.seat) ?? this.measure(game, review, Number(query.get("hands") ?? HANDS), name);
    losses.set(review.seat, found);
    found.catch(() => losses.delete(review.seat));
    return found;
  }

  private async measure(game: GameRecord, review: Review, hands: number, name: string): Promise<Review> {
    const helpers = new Helpers(game, review.seat, () => this.measured === name);
    const positions = positionsOf(this.janshi, game, review.seat);
    try {
      return await withLosses(this.janshi, this.players, review, positions, hands, helpers.play);
    } catch (error) {
      throw error instanceof Unwanted ? new Refusal(409, "the page shows something else") : error;
    } finally {
      helpers.end();
    }
  }

  /** For tests: a decision's loss by given outcomes of both options. */
  async lossOf({ review, seat, decision, outcomes }: LossAsked): Promise<Loss> {
    const { game } = await this.recordOf(review);
    const { decisions } = await this.review(review, new URLSearchParams({ seat: String(seat) }));
    const table = positionsOf(this.janshi, game, seat)[decision]!;
    return lossOf(
      decisions[decision]!,
      table,
      outcomes.map((some) => some.map((end) => Uint8Array.from(end))),
    );
  }

  /** The results of a decision's options after one more batch of playouts. */
  private async playOn(id: string, { seat, decision, options }: NewPlayouts): Promise<PlayedOn> {
    const { game } = await this.recordOf(id);
    const question = JSON.stringify([id, seat, decision, options]);
    if (this.playouts?.question !== question) {
      const table = positionsOf(this.janshi, game, seat)[decision];
      if (!table) throw new Refusal(400, `there is no decision ${decision}`);
      this.playouts = { question, playouts: new Playouts(this.players, table, options) };
    }
    return this.playouts.playouts.next();
  }

  private async reviewOf(game: GameRecord, seat: number): Promise<Review> {
    try {
      return await reviewOf(this.janshi, this.players, game, seat);
    } catch (error) {
      throw error instanceof RecordError ? new Refusal(400, error.message) : error;
    }
  }

  /** A finished game as a record, which the Python package reads. */
  async record(table: string): Promise<{ body: string; file: string }> {
    const { text, suffix } = (await this.find(table)).record();
    return { body: text, file: `janshi-${table}.${suffix}` };
  }

  private open(wanted: NewTable) {
    const setup = this.setupOf(wanted);
    const id = crypto.randomUUID();
    void hold(id);
    this.start(id, setup, []);
    this.store.begin(id, setup);
    return { table: id, key: id, seat: setup.seat };
  }

  private setupOf(wanted: NewTable): Setup {
    const offered = this.site.rules.find((rules) => rules.name === wanted.rules);
    if (!offered) throw new Refusal(400, `no rules named '${wanted.rules}'`);
    const length = wanted.length ?? "hand";
    if (!offered.lengths.includes(length))
      throw new Refusal(
        400,
        `no length '${length}' for rules '${wanted.rules}': there are ${offered.lengths.join(", ")}`,
      );
    const { players, game } = offered;
    if ((wanted.seat ?? 0) >= players)
      throw new Refusal(400, `rules '${wanted.rules}' have seats 0 to ${players - 1}, not ${wanted.seat}`);
    const seat = wanted.watch ? null : (wanted.seat ?? Math.floor(Math.random() * players));
    const able = this.site.players.filter((each) => each.games.includes(game) && each.players.includes(players));
    const named = wanted.agents?.length ? wanted.agents : [able[0]!.name];
    const unknown = named.find((name) => !able.some((each) => each.name === name));
    if (unknown !== undefined)
      throw new Refusal(400, `no player '${unknown}': there are ${able.map((each) => each.name).join(", ")}`);
    const count = seat === null ? players : players - 1;
    if (named.length > count) throw new Refusal(400, `${named.length} agents for ${count} seats`);
    const agents: Record<number, string> = {};
    for (let step = 0; step < count; step++)
      agents[((seat === null ? 0 : seat + 1) + step) % players] = named[step % named.length]!;
    const labelOf = (name: string) => able.find((each) => each.name === name)!.label;
    const names = Array.from({ length: players }, (_, who) =>
      agents[who] === undefined ? (wanted.name ?? "").trim() || "You" : labelOf(agents[who]),
    );
    const seed = wanted.seed == null ? randomSeed() : String(wanted.seed);
    return { ...this.janshi.rulesAt(wanted.rules, length), length, names, agents, seat, seed };
  }

  private start(id: string, setup: Setup, choices: readonly Choice[]): LocalTable {
    const note = (choice: Choice) => this.store.add(id, choice);
    const table = new LocalTable(this.janshi, id, setup, this.players, note, this.pace);
    if (choices.length) table.resume(choices);
    this.tables.set(id, table);
    void table.play();
    return table;
  }

  /** A table that is open, or kept from an earlier visit. */
  private find(id: string): Promise<LocalTable> {
    const open = this.tables.get(id);
    if (open) return Promise.resolve(open);
    let found = this.opened.get(id);
    if (!found) {
      found = this.resume(id);
      this.opened.set(id, found);
      found.catch(() => this.opened.delete(id));
    }
    return found;
  }

  private async resume(id: string): Promise<LocalTable> {
    const kept = await this.store.read(id);
    if (!kept) throw new Refusal(404, GONE);
    if (!(await hold(id))) throw new Refusal(409, "this game is open in another tab");
    return this.start(id, kept.setup, kept.choices);
  }

  private async games({ tables }: OwnTables): Promise<FoundGames> {
    const games: FoundGame[] = [];
    for (const { table } of tables) {
      const kept = await this.store.read(table);
      if (!kept) continue;
      const { rules, length, names, seat } = kept.setup;
      const over = kept.choices.at(-1) === "over";
      games.push({ table, rules, length, names, seat, over, moved: (Date.now() - (kept.at ?? 0)) / 1000 });
    }
    return { games };
  }

  // -----------------------------------------------------------------------------------------------------
  // Messages

  /** Handles a message of a connection that has joined `table`, or joins one; returns the table joined. */
  async receive(line: Line, joined: LocalTable | null, message: FromBrowser): Promise<LocalTable | null> {
    try {
      if (message.type === "join") return await this.join(line, message.table, message.received ?? 0);
      if (joined) await this.handle(line, joined, message);
    } catch (error) {
      if (error instanceof Refusal) {
        const cause = error.status === 404 ? "no_table" : "taken_over";
        line.send({ type: "refused", reason: error.message, fatal: true, cause });
        line.end();
      } else if (error instanceof NotNow || error instanceof JanshiError)
        line.send({ type: "refused", reason: error.message, fatal: false, cause: null });
      else line.send({ type: "refused", reason: `no hint: ${String(error)}`, fatal: false, cause: null });
    }
    return joined;
  }

  private async join(line: Line, id: string, received: number): Promise<LocalTable> {
    const table = await this.find(id);
    const before = this.lines.get(id);
    if (before && before !== line) {
      const reason = "this seat has been opened in another window";
      before.send({ type: "refused", reason, fatal: true, cause: "taken_over" });
      before.end();
    }
    this.lines.set(id, line);
    table.listener = (message) => line.send(message);
    line.send(table.welcome(received));
    if (table.failure) line.send({ type: "refused", reason: table.failure, fatal: true, cause: "failed" });
    return table;
  }

  private async handle(line: Line, table: LocalTable, message: Exclude<FromBrowser, { type: "join" }>): Promise<void> {
    if (message.type === "act") table.act(message.number, message.action);
    else if (message.type === "next") table.nextHand();
    else if (message.type === "hint") line.send(await table.hint(message.number));
    else table.setPace(message.paused ?? null, message.seconds ?? null, message.step ?? false);
  }
}

// ---------------------------------------------------------------------------------------------------------
// Records are stored in this browser, so that a reload loses no review

/** The name is known to `static/sw.js`. */
const RECORDS = "janshi.records";
/** Maximum number of records stored; the oldest go first. */
const MOST = 16;

async function storeRecord(id: string, game: GameRecord): Promise<void> {
  if (!("caches" in self)) return; // without https
  const cache = await caches.open(RECORDS);
  await cache.put(id, new Response(JSON.stringify(game)));
  const stored = await cache.keys();
  await Promise.all(stored.slice(0, -MOST).map((key) => cache.delete(key)));
}

async function storedRecord(id: string): Promise<GameRecord | null> {
  if (!("caches" in self)) return null;
  const found = await (await caches.open(RECORDS)).match(id);
  return found ? ((await found.json()) as GameRecord) : null;
}

/** Tries, a tenth of a second apart: a browser ends the busy worker of a tab that is reloaded after some two seconds. */
const TRIES = 50;

/** Holds a game for this tab; false while another tab holds it. */
async function hold(id: string): Promise<boolean> {
  if (!("locks" in navigator)) return true; // without https
  for (let tries = 0; tries < TRIES; tries++) {
    const held = await new Promise<boolean>((resolve) => {
      void navigator.locks.request(`janshi.table.${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock && new Promise(() => {}); // until the tab is closed
      });
    });
    if (held) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

function randomSeed(): string {
  const [number] = crypto.getRandomValues(new BigUint64Array(1));
  return String(number! >> 1n);
}
