/**
 * A reviewed game for navigation: the table after each event, and the places of steps. A place in the
 * game is a number of events; all functions are pure.
 */
import type { Decision, Review } from "../messages";
import { emptyTable, fold, type MjaiEvent, type TableState } from "../table/fold";

export interface ReplayHand {
  number: number;
  /** The place after the deal. */
  start: number;
  /** The place after its last event. */
  end: number;
  decisions: Decision[];
}

export interface Replay {
  review: Review;
  /** The table by place. */
  states: TableState[];
  hands: ReplayHand[];
  /** Decisions by place. */
  byPlace: ReadonlyMap<number, Decision>;
  first: number;
  last: number;
}

/** Fold a review's events once, for all steps. */
export function replayOf(review: Review): Replay {
  const events = review.events as MjaiEvent[];
  const states = [emptyTable(review.players)];
  for (const event of events) states.push(fold(states.at(-1)!, event));
  const starts = events.flatMap((event, at) => (event.type === "start_kyoku" ? [at + 1] : []));
  const hands = starts.map((start, number) => ({
    number,
    start,
    end: number + 1 < starts.length ? starts[number + 1]! - 1 : events.length,
    decisions: review.decisions.filter((one) => one.hand === number),
  }));
  const byPlace = new Map(review.decisions.map((one) => [one.event, one]));
  return { review, states, hands, byPlace, first: starts[0] ?? 0, last: events.length };
}

/** The table at a place. */
export function stateAt(replay: Replay, at: number): TableState {
  return replay.states[clamp(replay, at)] ?? emptyTable(replay.review.players);
}

export function clamp(replay: Replay, at: number): number {
  return Math.min(Math.max(Math.round(at), replay.first), replay.last);
}

/** The hand of a place. */
export function handAt(replay: Replay, at: number): ReplayHand | undefined {
  return replay.hands.findLast((one) => one.start <= at) ?? replay.hands[0];
}

export type Unit = "event" | "turn" | "hand" | "disagreement";

/** The next place in a direction by a unit, or the same place if there is none. `seat`: seat of turns. */
export function step(replay: Replay, at: number, by: Unit, forward: boolean, seat: number): number {
  if (by === "event") return clamp(replay, at + (forward ? 1 : -1));
  const places = {
    turn: () => turns(replay, seat),
    hand: () => hands(replay),
    disagreement: () => disagreements(replay),
  }[by]();
  return (forward ? places.find((one) => one > at) : places.findLast((one) => one < at)) ?? at;
}

/** Places of a seat's decisions: the reviewed seat's, or draws and calls of others. */
function turns(replay: Replay, seat: number): number[] {
  if (seat === replay.review.seat) return replay.review.decisions.map((one) => one.event);
  const own = new Set(["tsumo", "chi", "pon"]);
  return (replay.review.events as MjaiEvent[]).flatMap((event, at) =>
    own.has(event.type) && event["actor"] === seat ? [at + 1] : [],
  );
}

/** Starts of the hands, and the end of the game. */
function hands(replay: Replay): number[] {
  return [...replay.hands.map((one) => one.start), replay.last];
}

function disagreements(replay: Replay): number[] {
  return replay.review.decisions.filter((one) => !one.agrees).map((one) => one.event);
}

/** The seat's turn in its hand, from 1: its number of discards plus one. */
export function turnOf(replay: Replay, decision: Decision): number {
  return 1 + (stateAt(replay, decision.event).seats[replay.review.seat]?.river.length ?? 0);
}

export type Order = "cost" | "time";

/** Decisions in which player and reviewer differ, by cost or in order. */
export function disagreeing(review: Review, order: Order): Decision[] {
  const found = review.decisions.filter((one) => !one.agrees);
  return order === "time" ? found : found.sort((a, b) => lost(b) - lost(a) || b.cost - a.cost || a.number - b.number);
}

/** The places that a certainly worse choice loses, else 0. */
function lost({ loss }: Decision): number {
  return loss?.certain ? Math.max(loss.lost, 0) : 0;
}

/** The costliest decisions in descending order. */
export function moments(review: Review): Decision[] {
  return review.report.moments.flatMap((number) => review.decisions.filter((one) => one.number === number));
}

/** A cost in three steps, for marks that do not rely on colour only. */
export type Weight = "small" | "middle" | "large";

export function weight(decision: Decision, { report, unit }: Review): Weight {
  // Where losses are measured, a preference of the reviewer alone has no weight.
  const steps = unit === "points" ? ([0.5, 1] as const) : ([0.05, 0.1] as const);
  const [cost, middle, large] = report.losses
    ? ([lost(decision), ...steps] as const)
    : ([decision.cost, 0.2, 0.5] as const);
  return cost >= large ? "large" : cost >= middle ? "middle" : "small";
}

/** The relative position of a place in the game, 0 to 1. */
export function along(replay: Replay, at: number): number {
  const span = replay.last - replay.first;
  return span === 0 ? 0 : (at - replay.first) / span;
}
