/** What if: a decision played on with some options: the TypeScript of `janshi.review.what_if`. */
import { type Game, type Table, writeRecord } from "../../npm/dist/index.js";
import type { Ends, Estimate, PlayedOn } from "../src/messages";
import { expectedPlaces } from "./placement";
import type { Players } from "./players";

/** The end of a hand for the seat that decided: a `HandEnd` record. */
export type Outcome = Uint8Array;

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
    const placed = this.table.game === "riichi";
    const options = this.table.sumUp(this.outcomes, placed).map(({ figures: each, ends }, number) => ({
      action: this.options[number]!,
      place: placed ? negated(each.worth) : null,
      win: each.win,
      value: each.value.count ? each.value : null,
      deal_in: each.deal_in,
      points: each.points,
      behind: negated(each.difference),
      ends: ends as unknown as Ends,
    }));
    const samples = this.outcomes[0]!.length;
    return { samples, finished: samples >= SAMPLES, options };
  }
}

/** The points of a place are its negative number. */
const negated = ({ value, low, high, count }: Estimate): Estimate => ({
  ...{ value: 0 - value, low: 0 - high, high: 0 - low, count },
});

function after(table: Table<Game>, action: number): Table<Game> {
  const copy = table.copy();
  copy.act(action);
  return copy;
}

/** The outcome of a hand that is over; a table of Riichi goes on to the next hand, whose beginning is valued. */
function outcomeOf(table: Table<Game>, seat: number, before: number, placed: Float32Array | null): Outcome {
  const end = table.end(seat, before);
  if (placed) {
    const worth = -placesAfter(table as Table<"riichi">, placed)[seat]!;
    writeRecord("HandEnd", end.buffer as ArrayBuffer, 0, { worth });
  }
  return end;
}

/** Expected final place of every seat after a hand of Riichi. */
function placesAfter(table: Table<"riichi">, placed: Float32Array): number[] {
  if (!table.over) table.nextHand();
  return expectedPlaces(table, placed);
}
