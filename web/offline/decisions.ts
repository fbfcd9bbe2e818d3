/** Reviews of all games: the TypeScript of `janshi.review.reviewing`. */
import type { Game, Input, Table } from "../../npm/dist/index.js";
import type { Advice, Agreement, Decision, Option, GameSummary, Review } from "../src/messages";
import type { Players } from "./players";
import { preferred, rounded, sharesOf, sum } from "./side";

/** At least the number of actions of a game. */
const ACTIONS = 122;
export const MOMENTS = 10;
/** Decisions that the network evaluates at once. */
const BATCH = 32;
const PHASES = ["opening", "middle", "end"] as const;

/** A decision of the reviewed seat, before the reviewer's answer. */
export interface Met {
  hand: number;
  event: number;
  options: Option[];
  done: number;
  /** Actions of the same effect as the one taken, itself among them. */
  same: number[];
  /** Actions that cost as much as the one taken, besides those. */
  alike: number[];
  phase: Decision["phase"];
  input: Input;
  known: Omit<Advice, "by" | "best" | "preferences">;
}

/** What is taken down of a decision: its table, the action done, the number of the hand and of the events before. */
export type Take<T> = (table: Table<Game>, done: number, hand: number, event: number) => T;

/** What a game is, replayed for a seat; `notes` say what is left out. */
export interface Watched<T> {
  taken: T[];
  notes: string[];
  events: Review["events"];
}

/** Where the rules and a record differ. */
export class Mismatch extends Error {
  constructor(what: string, rules: unknown, record: unknown) {
    super(`${what}: by the rules ${String(rules)}, in the record ${String(record)}`);
  }
}

/** The row of the river: the first six discards, the next six, the rest. */
export const phaseOf = (discards: number): Decision["phase"] => PHASES[Math.min(Math.floor(discards / 6), 2)]!;

/** The decisions with a player's advice on each. */
export async function judged(players: Players, by: string, met: readonly Met[]): Promise<Decision[]> {
  const answers: ArrayLike<number>[] = [];
  for (let at = 0; at < met.length; at += BATCH) {
    const inputs = met.slice(at, at + BATCH).map((each) => each.input);
    answers.push(...(await players.answers(by, inputs)));
  }
  return met.map((each, number) => decisionOf(number, each, by, answers[number]!));
}

function decisionOf(number: number, met: Met, by: string, answers: ArrayLike<number>): Decision {
  const legal = [...new Set(met.options.map((option) => option.action))];
  const shares = sharesOf(answers, legal, ACTIONS);
  const best = legal.reduce((one, other) => (shares[other]! > shares[one]! ? other : one));
  const preferences = preferred(shares);
  const agrees = met.same.includes(best);
  const shareOf = (action: number) => preferences.find((each) => each.action === action)?.share ?? 0;
  const taken = sum([...new Set([...met.same, ...met.alike])].map(shareOf));
  return {
    number,
    hand: met.hand,
    event: met.event,
    options: met.options,
    done: met.done,
    advice: { by, best, preferences, ...met.known },
    agrees,
    cost: agrees ? 0 : rounded(Math.max(0, shareOf(best) - taken)),
    phase: met.phase,
    loss: null,
  };
}

function agreement(decisions: readonly Decision[]): Agreement {
  const count = decisions.length;
  const cost = count ? sum(decisions.map((each) => each.cost)) / count : 0;
  return { decisions: count, agreed: decisions.filter((each) => each.agrees).length, cost: rounded(cost) };
}

/** The summary of a game. */
export function reportOf(decisions: readonly Decision[]): GameSummary {
  const nameOf = ({ options, advice }: Decision) => options.find((each) => each.action === advice.best)!.name;
  const names = [...new Set(decisions.map(nameOf))];
  const costly = decisions.filter((each) => each.cost > 0).sort((a, b) => b.cost - a.cost || a.number - b.number);
  const best = sum(decisions.map(({ advice }) => advice.preferences[0]!.share));
  const rating = best ? 100 * (1 - sum(decisions.map((each) => each.cost)) / best) : 100;
  const part = (group: (each: Decision) => boolean) => agreement(decisions.filter(group));
  return {
    total: agreement(decisions),
    phases: Object.fromEntries(PHASES.map((phase) => [phase, part((each) => each.phase === phase)])),
    names: Object.fromEntries(names.map((name) => [name, part((each) => nameOf(each) === name)])),
    moments: costly.slice(0, MOMENTS).map((each) => each.number),
    rating: Number(rating.toFixed(1)),
    losses: null,
  };
}
