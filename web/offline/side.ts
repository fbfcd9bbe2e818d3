/** What is sent of a table: its events, what a seat knows of its hand, questions and advice, probabilities. */
import { GAMES, HIDDEN_FIELDS, tileText } from "../../npm/dist/index.js";
import type { Game, Table } from "../../npm/dist/index.js";
import type { Advice, Ask, Preference } from "../src/messages";

export type Event = { type: string; [field: string]: unknown };

/** Placeholder of a tile or suit hidden from a seat. */
export const HIDDEN = "?";

/** An event as one seat may know it: see `janshi.records.story.seen_by`. */
export function seenBy(event: Event, seat: number): Event {
  if (event.type === "start_game") return { ...event, id: seat };
  if (event["views"]) {
    const views = event["views"] as string[];
    return { ...event, views: views.map((view, owner) => (owner === seat ? view : HIDDEN)) };
  }
  if (event.type === "start_kyoku") {
    const hands = event["tehais"] as string[][];
    return { ...event, tehais: hands.map((hand, owner) => (owner === seat ? hand : hand.map(() => HIDDEN))) };
  }
  if (event["actor"] === seat || event["target"] === seat) return event;
  const hidden = (value: unknown) => (Array.isArray(value) ? value.map(() => HIDDEN) : HIDDEN);
  const fields = HIDDEN_FIELDS[event.type] ?? [];
  return { ...event, ...Object.fromEntries(fields.map((field) => [field, hidden(event[field])])) };
}

/** Whether the actor is asked about another's tile. */
export const isClaim = (table: Table<Game>): boolean => table.state.phase === GAMES[table.game].claim;

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

export const sum = (numbers: ArrayLike<number>): number => Array.from(numbers).reduce((total, each) => total + each, 0);

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
export function sharesAt(answers: ArrayLike<number>, table: Table<Game>): Float64Array {
  const declared = table.declared();
  return sharesOf(answers, declared < 0 ? table.legal : [declared], GAMES[table.game].actions.length);
}

/** Probabilities above 0.05 %, in descending order. */
export function preferred(shares: Float64Array): Preference[] {
  const ranked = [...shares.keys()].sort((a, b) => shares[b]! - shares[a]! || a - b);
  return ranked
    .filter((action) => shares[action]! > 0.0005)
    .map((action) => ({ action, share: rounded(shares[action]!) }));
}

export const rounded = (number: number): number => Number(number.toFixed(4));

// ---------------------------------------------------------------------------------------------------------
// What a seat knows and may do

export const questionAt = (table: Table<Game>): Omit<Ask, "type" | "number"> => table.question() as never;

export const adviceAt = (table: Table<Game>): Omit<Advice, "by" | "best" | "preferences"> => table.advice() as never;
