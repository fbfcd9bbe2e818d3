/** What if: a decision of Sichuan mahjong played on with some options: the TypeScript of `janshi.review.what_if`. */
import type { Table } from "../../npm/dist/index.js";
import type { Estimate, PlayedOn, PlayedOption } from "../src/messages";
import type { Players } from "./players";
import { sum } from "./side";

/** Samples of each option at most. */
const SAMPLES = 2048;
/** Samples in the first batch and in a batch at most. */
const FIRST = 20;
const BATCH = 32;
/** 97.5 % of a normal distribution lies below. */
const Z = 1.959964;
/** Fewer values have no interval of their mean; for more Student's t is near the normal distribution. */
const LEAST = 20;

interface Outcome {
  won: boolean;
  value: number;
  dealtIn: boolean;
  points: number;
}

/** The playouts of a decision, batch by batch. */
export class Playouts {
  /** Outcomes by option and sample. */
  private readonly outcomes: Outcome[][];
  private readonly hidden;
  private readonly by: string;
  private last: Promise<PlayedOn> | null = null;

  /** `table` waits for the decision. */
  constructor(
    private readonly players: Players,
    private readonly table: Table<"sichuan">,
    private readonly options: readonly number[],
  ) {
    this.outcomes = options.map(() => []);
    this.hidden = table.hidden();
    this.by = players.best(table);
  }

  /** The results after one more batch. */
  next(): Promise<PlayedOn> {
    this.last = (this.last ?? Promise.resolve()).catch(() => {}).then(() => this.play());
    return this.last;
  }

  private async play(): Promise<PlayedOn> {
    const done = this.outcomes[0]!.length;
    const count = Math.min(Math.max(FIRST, done), BATCH, SAMPLES - done);
    const seat = this.table.actor;
    const sampled = count > 0 ? this.hidden.sample(count) : [];
    await this.playOn(sampled, (table) => table.actor === seat);
    for (const [number, option] of this.options.entries()) {
      const tables = sampled.map((table) => table.copy());
      const before = this.table.scores[seat]!;
      for (const table of tables) table.act(option);
      await this.playOn(tables, (table) => table.handOver);
      this.outcomes[number]!.push(...tables.map((table) => outcomeOf(table, seat, before)));
      for (const table of tables) table.free();
    }
    for (const table of sampled) table.free();
    return this.result();
  }

  /** Plays tables on until each is done. */
  private async playOn(tables: readonly Table<"sichuan">[], isDone: (table: Table<"sichuan">) => boolean) {
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
    const points = this.outcomes.map((all) => all.map((each) => each.points));
    const means = points.map((all) => sum(all) / all.length);
    const best = points[means.indexOf(Math.max(...means))]!;
    const options = this.outcomes.map((all, number): PlayedOption => {
      const values = all.filter((each) => each.won).map((each) => each.value);
      return {
        action: this.options[number]!,
        place: null,
        win: rate(all.map((each) => each.won)),
        value: values.length ? mean(values) : null,
        deal_in: rate(all.map((each) => each.dealtIn)),
        points: mean(points[number]!),
        behind: mean(points[number]!.map((each, sample) => best[sample]! - each)),
      };
    });
    const samples = points[0]!.length;
    return { samples, finished: samples >= SAMPLES, options };
  }
}

function outcomeOf(table: Table<"sichuan">, seat: number, before: number): Outcome {
  const { wins, winners, seats } = table.state;
  const made = wins.slice(0, winners);
  const own = made.find((win) => win.seat === seat);
  return {
    won: own !== undefined,
    value: own?.value.points ?? 0,
    dealtIn: made.some((win) => win.discarder === seat),
    points: seats[seat]!.points - before,
  };
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

/** A mean with a normal interval. */
export function mean(values: readonly number[]): Estimate {
  const count = values.length;
  const value = sum(values) / count;
  const spread = Math.sqrt(sum(values.map((each) => (each - value) ** 2)) / (count - 1) / count);
  const reach = count < LEAST ? NaN : Z * spread;
  return { value, low: value - reach, high: value + reach, count };
}
