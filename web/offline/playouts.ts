/** What if: a decision played on with some options: the TypeScript of `janshi.review.what_if`. */
import type { Game, RiichiState, SichuanState, Table } from "../../npm/dist/index.js";
import type { PlayedOn, PlayedOption } from "../src/messages";
import { endsOf, handEnds, mean, type Outcome, riichiResult, sichuanResult } from "./ends";
import { expectedPlaces } from "./placement";
import type { Players } from "./players";
import { sum } from "./side";

/** Samples of each option at most. */
const SAMPLES = 2048;
/** Samples in the first batch and in a batch at most. */
const FIRST = 20;
const BATCH = 32;
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
      const ends = handEnds(all);
      return {
        action: this.options[number]!,
        place: ends.place.count ? ends.place : null,
        win: ends.win,
        value: ends.value.count ? ends.value : null,
        deal_in: ends.dealIn,
        points: ends.points,
        behind: mean(worths[number]!.map((each, sample) => best[sample]! - each)),
        ends: endsOf(ends),
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
function outcomeOf(table: Table<Game>, seat: number, before: number, placed: Float32Array | null): Outcome {
  const points = table.scores[seat]! - before;
  if (placed === null)
    return { ...sichuanResult(table.state as SichuanState, seat, table.fields), points, place: null };
  const result = riichiResult(table.state as RiichiState, seat);
  return { ...result, points, place: placesAfter(table as Table<"riichi">, placed)[seat]! };
}

/** Expected final place of every seat after a hand of Riichi. */
function placesAfter(table: Table<"riichi">, placed: Float32Array): number[] {
  if (!table.over) table.nextHand();
  return expectedPlaces(table, placed);
}
