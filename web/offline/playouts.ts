/** What if: a decision played on with some options: the TypeScript of `janshi.review.what_if`. */
import {
  type Game,
  RiichiEnding as Ending,
  type RiichiState,
  type SichuanState,
  type Table,
} from "../../npm/dist/index.js";
import type { Estimate, PlayedOn, PlayedOption } from "../src/messages";
import { expectedPlaces, finalPlaces } from "./placement";
import type { Players } from "./players";
import { sum } from "./side";

/** Samples of each option at most. */
const SAMPLES = 2048;
/** Samples in the first batch and in a batch at most. */
const FIRST = 20;
const BATCH = 32;
/** 97.5 % of a normal distribution lies below. */
const Z = 1.959964;
/** Fewer values have no interval of their mean. */
const LEAST = 5;

/** The end of a hand for the seat that decided. */
export interface Outcome {
  won: boolean;
  value: number;
  dealtIn: boolean;
  points: number;
  /** Expected final place, in Riichi. */
  place: number | null;
}

/** The playouts of a decision, batch by batch. */
export class Playouts {
  /** Outcomes by option and sample. */
  readonly outcomes: Outcome[][];
  private readonly by: string;
  private last: Promise<PlayedOn> | null = null;

  /** `table` waits for the decision; `batches`: those before, each of which has hidden tiles and luck of its own. */
  constructor(
    private readonly players: Players,
    private readonly table: Table<Game>,
    private readonly options: readonly number[],
    private batches = 0,
  ) {
    this.outcomes = options.map(() => []);
    this.by = players.best(table);
  }

  /** The results after one more batch. */
  next(): Promise<PlayedOn> {
    this.last = (this.last ?? Promise.resolve()).catch(() => {}).then(() => this.nextBatch());
    return this.last;
  }

  private async nextBatch(): Promise<PlayedOn> {
    const done = this.outcomes[0]!.length;
    await this.play(Math.min(Math.max(FIRST, done), BATCH, SAMPLES - done));
    return this.result();
  }

  /** Adds some samples of each option. */
  async play(count: number): Promise<void> {
    const seat = this.table.actor;
    const placed = this.table.game === "riichi" ? await this.players.placement(this.table.players) : null;
    const hidden = this.table.hidden(this.batches++);
    const sampled = hidden.sample(count);
    hidden.free();
    await this.playOn(sampled, (table) => table.actor === seat);
    const before = this.table.scores[seat]!;
    const tables = this.options.map((option) => sampled.map((table) => after(table, option)));
    await this.playOn(tables.flat(), (table) => table.handOver);
    for (const [number, played] of tables.entries())
      this.outcomes[number]!.push(...played.map((table) => outcomeOf(table, seat, before, placed)));
    for (const table of [...sampled, ...tables.flat()]) table.free();
  }

  /** Plays tables on until each is done. */
  private async playOn(tables: readonly Table<Game>[], isDone: (table: Table<Game>) => boolean) {
    for (;;) {
      const going = tables.filter((table) => !isDone(table));
      if (!going.length) return;
      const answers = await this.players.answers(
        this.by,
        going.map((table) => table.encode()),
      );
      going.forEach((table, row) => table.act(table.best(answers[row]!)));
    }
  }

  private result(): PlayedOn {
    const worths = this.outcomes.map((all) => all.map(worthOf));
    const means = worths.map((all) => sum(all) / all.length);
    const best = worths[means.indexOf(Math.max(...means))]!;
    const options = this.outcomes.map((all, number): PlayedOption => {
      const values = all.filter((each) => each.won).map((each) => each.value);
      const places = all.flatMap(({ place }) => (place === null ? [] : [place]));
      return {
        action: this.options[number]!,
        place: places.length ? mean(places) : null,
        win: rate(all.map((each) => each.won)),
        value: values.length ? mean(values) : null,
        deal_in: rate(all.map((each) => each.dealtIn)),
        points: mean(all.map((each) => each.points)),
        behind: mean(worths[number]!.map((each, sample) => best[sample]! - each)),
      };
    });
    const samples = best.length;
    return { samples, finished: samples >= SAMPLES, options };
  }
}

function after(table: Table<Game>, action: number): Table<Game> {
  const copy = table.copy();
  copy.act(action);
  return copy;
}

/** What options are compared by: the place, better if lower, or in games without one the points. */
export const worthOf = ({ place, points }: Outcome): number => (place === null ? points : -place);

/** The outcome of a hand that is over; a table of Riichi goes on to the next hand, whose beginning is valued. */
function outcomeOf(table: Table<Game>, seat: number, before: number, placed: Float64Array | null): Outcome {
  const points = table.scores[seat]! - before;
  if (placed === null) {
    const { wins, winners } = table.state as SichuanState;
    const made = wins.slice(0, winners);
    const own = made.find((win) => win.seat === seat);
    const dealtIn = made.some((win) => win.discarder === seat);
    return { won: own !== undefined, value: own?.value.points ?? 0, dealtIn, points, place: null };
  }
  const { wins, winners, ended } = table.state as RiichiState;
  const made = wins.slice(0, winners);
  const own = made.find((win) => win.seat === seat);
  const dealtIn = ended === Ending.RON && made.some((win) => win.discarder === seat);
  const place = placeAfter(table, placed)[seat]!;
  return { won: own !== undefined, value: own?.points ?? 0, dealtIn, points, place };
}

/** Expected final place of every seat after a hand of Riichi. */
function placeAfter(table: Table<Game>, placed: Float64Array): number[] {
  if (table.over) return finalPlaces(table.scores);
  table.nextHand();
  const { kyoku, honba, deposits, dealer } = table.state as RiichiState;
  return expectedPlaces(table.fields, { kyoku, honba, deposits, dealer, points: table.scores }, placed);
}

/** A rate with Wilson's interval. */
export function rate(hits: readonly boolean[]): Estimate {
  const number = hits.length;
  const share = hits.filter(Boolean).length / number;
  const square = (Z * Z) / number;
  const middle = (share + square / 2) / (1 + square);
  const reach = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / number + square / (4 * number));
  const [low, high] = [Math.max(0, middle - reach), Math.min(1, middle + reach)];
  return { value: share, low: Math.min(low, share), high: Math.max(high, share), count: number };
}

/** A mean with the interval of Student's t. */
export function mean(values: readonly number[]): Estimate {
  const count = values.length;
  const value = sum(values) / count;
  const spread = Math.sqrt(sum(values.map((each) => (each - value) ** 2)) / (count - 1) / count);
  const reach = count < LEAST ? NaN : student(count - 1) * spread;
  return { value, low: value - reach, high: value + reach, count };
}

/** 97.5 % of Student's t with at least four degrees of freedom lies below: the expansion of Fisher and Cornish. */
function student(freedom: number): number {
  const [third, fifth, seventh] = [Z ** 3, Z ** 5, Z ** 7];
  const terms = [
    (third + Z) / 4,
    (5 * fifth + 16 * third + 3 * Z) / 96,
    (3 * seventh + 19 * fifth + 17 * third - 15 * Z) / 384,
  ];
  return Z + sum(terms.map((term, number) => term / freedom ** (number + 1)));
}
