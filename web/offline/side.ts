/** What a game adds to the table without a server; `riichi.ts` and `sichuan.ts` implement it as the Python package does. */
import { kindOf, tileText } from "../../npm/dist/index.js";
import type { Game, Janshi, Table } from "../../npm/dist/index.js";
import type { Accepted, Advice, Call, Discard, Option, Own, Preference, Worth } from "../src/messages";

export type Event = { type: string; [field: string]: unknown };

/** Placeholder of a tile or suit hidden from a seat. */
export const HIDDEN = "?";

/** Events of a table from its beginning: see `janshi.records.story`. */
export abstract class Story<G extends Game> {
  /** All events so far, hidden tiles included. */
  readonly events: Event[] = [];
  private logged = 0;
  private started = false;
  private hand = -1n;
  private ended = false;

  constructor(
    protected readonly janshi: Janshi,
    protected readonly table: Table<G>,
    protected readonly names: readonly string[],
  ) {}

  /** Events since the last call. Call it after every change. */
  update(): Event[] {
    const events: Event[] = [];
    const { state, handOver } = this.table;
    if (!this.started) events.push(this.startGame());
    this.started = true;
    if (state.hand_number !== this.hand) {
      this.hand = state.hand_number;
      this.logged = 0;
      this.ended = false;
      events.push(this.startHand());
    }
    events.push(...this.newEvents(state.log, this.logged, state.logged));
    this.logged = state.logged;
    if (handOver && !this.ended) {
      events.push(...this.endHand());
      this.ended = true;
    }
    this.events.push(...events);
    return events;
  }

  private newEvents(log: ArrayLike<number>, first: number, last: number): Event[] {
    const rows = Array.from({ length: last - first }, (_, row) =>
      Array.from(log).slice(4 * (first + row), 4 * (first + row) + 4),
    );
    return this.eventsOf(rows);
  }

  protected abstract startGame(): Event;
  protected abstract startHand(): Event;
  protected abstract eventsOf(rows: number[][]): Event[];
  protected abstract endHand(): Event[];
}

/** What a seat can derive from its events: see `janshi.web.pages.SeatKnowledge`. */
export interface Knowledge {
  follow(event: Event): void;
  own(): Own;
  discards(tiles: string[]): Discard[];
  win(): Worth | null;
  calls(options: Option[]): Call[];
}

export interface Side<G extends Game> {
  story(janshi: Janshi, table: Table<G>, names: readonly string[]): Story<G>;
  /** An event as one seat may know it. */
  seenBy(event: Event, seat: number): Event;
  knowledge(janshi: Janshi, table: Table<G>, seat: number): Knowledge;
  options(table: Table<G>, seat: number): Option[];
  advise(
    janshi: Janshi,
    table: Table<G>,
    seat: number,
    shares: Float64Array,
  ): Omit<Advice, "by" | "best" | "preferences">;
  /** Phase in which a seat may claim another's tile. */
  claim: number;
}

// ---------------------------------------------------------------------------------------------------------
// Tiles by mjai's names

const HONOURS = "ESWNPFC";

export function toMjai(tile: number): string {
  if (tile >= 34) return `5${"mps"[tile - 34]}r`;
  return tile >= 27 ? HONOURS[tile - 27]! : tileText(tile);
}

export function fromMjai(name: string): number {
  if (name.endsWith("r")) return 34 + "mps".indexOf(name[1]!);
  return name.length === 1 ? 27 + HONOURS.indexOf(name) : 9 * "mps".indexOf(name[1]!) + Number(name[0]) - 1;
}

export const kindNamed = (name: string): number => kindOf(fromMjai(name));
export const isRed = (name: string): boolean => name.endsWith("r");

/** The kinds with the number of tiles of each that are not visible. */
export const acceptedOf = (kinds: readonly number[], visible: ArrayLike<number>): Accepted[] =>
  kinds.map((kind) => ({ tile: toMjai(kind), left: 4 - visible[kind]! }));

export const sum = (numbers: ArrayLike<number>): number => Array.from(numbers).reduce((total, each) => total + each, 0);

/** The events' kinds that everybody sees as they are. */
export function hideHands(event: Event, seat: number): Event {
  const hands = (event["tehais"] as string[][]).map((hand, owner) => (owner === seat ? hand : hand.map(() => HIDDEN)));
  return { ...event, tehais: hands };
}

// ---------------------------------------------------------------------------------------------------------
// Probabilities

export function softmax(answers: readonly number[]): number[] {
  const most = Math.max(...answers);
  const powers = answers.map((answer) => Math.exp(answer - most));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

/** Probabilities of all actions by the answers of a network: 0 for illegal ones. */
export function sharesOf(answers: ArrayLike<number>, legal: readonly number[], actions: number): Float64Array {
  const shares = new Float64Array(actions);
  softmax(legal.map((action) => answers[action]!)).forEach((share, at) => (shares[legal[at]!] = share));
  return shares;
}

/** The same for a table's decision; what players do by rule has the whole share. */
export function sharesAt(answers: ArrayLike<number>, table: Table<Game>, actions: number): Float64Array {
  const declared = table.declared();
  return sharesOf(answers, declared < 0 ? table.legal : [declared], actions);
}

/** Probabilities above 0.05 %, in descending order. */
export function preferred(shares: Float64Array): Preference[] {
  const ranked = [...shares.keys()].sort((a, b) => shares[b]! - shares[a]! || a - b);
  return ranked
    .filter((action) => shares[action]! > 0.0005)
    .map((action) => ({ action, share: rounded(shares[action]!) }));
}

export const rounded = (number: number): number => Number(number.toFixed(4));
