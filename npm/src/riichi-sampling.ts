import { type Engine, held, letGo } from "./engine.js";
import { JanshiError } from "./errors.js";
import { RIICHI_PEOPLE } from "./generated.js";
import { sizeOf } from "./records.js";
import { randomOf } from "./sampling.js";
import type { Hidden, Table } from "./table.js";

/** Slots of a wall. */
const SLOTS = 136;

/** The tiles hidden from the seat of Riichi that decides at a table: see `janshi.riichi.sampling`. */
export class HiddenTiles implements Hidden<"riichi"> {
  private readonly random: () => number;
  private readonly hidden: number;
  private readonly tenpai: number;

  /** @internal `view` and `events`: addresses of what the seat sees. */
  constructor(
    private readonly engine: Engine,
    private readonly table: Table<"riichi">,
    seed: number,
    view: number,
    events: number,
  ) {
    const { exports, tables } = engine;
    const people = engine.record("RiichiPeople");
    engine.write("RiichiPeople", people, RIICHI_PEOPLE[table.players - 3]!);
    this.random = randomOf(seed);
    this.hidden = held(engine, this, sizeOf("RiichiHidden"));
    const { actor, state } = table;
    const riichi = state.seats.some((seat, who) => who !== actor && seat.accepted);
    this.tenpai = riichi ? held(engine, this, sizeOf("RiichiTenpaiHands")) : 0;
    const labels = engine.workspace("labels", 2 * SLOTS);
    const [given, made] = [[tables, 1, view, 1, events, 1, people, 1] as const, [this.tenpai, 1, this.hidden, 1] as const];
    if (!exports.riichi_prepare_hidden(...given, ...made, labels, 1, SLOTS, 0)) throw this.error();
  }

  private error(): JanshiError {
    return new JanshiError(`no tiles of the others were found that fit what seat ${this.table.actor} has seen`);
  }

  sample(count: number): Table<"riichi">[] {
    return this.sampleBy(BigInt64Array.from({ length: count }, () => BigInt(Math.floor(this.random() * 2 ** 53))));
  }

  /** @internal A table for each seed. */
  sampleBy(numbers: BigInt64Array): Table<"riichi">[] {
    const { engine } = this;
    const [count, size] = [numbers.length, sizeOf("RiichiState")];
    const states = engine.workspace("sampled states", count * size);
    const labels = engine.workspace("labels", 2 * count * SLOTS);
    const seeds = engine.workspace("sample seeds", 8 * count);
    engine.bytes(states, count * size).fill(0);
    engine.bytes(seeds, 8 * count).set(new Uint8Array(numbers.buffer, numbers.byteOffset, 8 * count));
    const found = engine.exports.riichi_sample_hidden(
      ...([states, count, engine.tables, 1, this.tenpai, 1, this.hidden, 1] as const),
      ...([labels, count, SLOTS, seeds, count] as const),
    );
    if (found < count) throw this.error();
    return [...numbers.keys()].map((row) => this.table.inState(states + row * size));
  }

  free(): void {
    letGo(this);
  }
}
