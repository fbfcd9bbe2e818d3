import { type Engine, held, letGo } from "./engine.js";
import { JanshiError } from "./errors.js";
import { type Records, RIICHI_PEOPLE, SICHUAN_HANDS, SICHUAN_WALKS, SichuanPhase } from "./generated.js";
import { sizeOf } from "./records.js";

/** What is hidden from a seat that decides. */
export interface Hidden<T> {
  /** Returns tables on which it is sampled; another seat may have to answer first. */
  sample(count: number): T[];
  /** Gives the memory back; the object must not be used any more. */
  free(): void;
}

/** A table that waits for a decision. */
interface Asked<T> {
  readonly actor: number;
  readonly players: number;
  inState(address: number): T;
}

/** Slots of a wall of Riichi. */
const SLOTS = 136;
const SICHUAN_KINDS = 27;

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What is hidden from the seat that decides at a table, in a record of the engine. */
abstract class InRecord<T> implements Hidden<T> {
  protected readonly random: () => number;
  protected readonly hidden: number;

  constructor(
    protected readonly engine: Engine,
    protected readonly table: Asked<T>,
    seed: number,
    record: keyof Records,
    private readonly state: keyof Records,
  ) {
    this.random = randomOf(seed);
    this.hidden = held(engine, this, sizeOf(record));
  }

  abstract sample(count: number): T[];

  /** A whole number below another one. */
  protected below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  protected newSeeds(count: number): BigInt64Array {
    return BigInt64Array.from({ length: count }, () => BigInt(this.below(2 ** 53)));
  }

  /** The address of seeds in the engine's memory. */
  protected placed(seeds: BigInt64Array): number {
    const address = this.engine.workspace("sample seeds", seeds.byteLength);
    this.engine.bytes(address, seeds.byteLength).set(new Uint8Array(seeds.buffer, seeds.byteOffset, seeds.byteLength));
    return address;
  }

  /** Tables in the states that a function writes at an address. */
  protected written(count: number, write: (states: number) => void): T[] {
    const size = sizeOf(this.state);
    const states = this.engine.workspace("sampled states", count * size);
    this.engine.bytes(states, count * size).fill(0);
    write(states);
    return Array.from({ length: count }, (_, row) => this.table.inState(states + row * size));
  }

  free(): void {
    letGo(this);
  }
}

/** The tiles hidden from a seat of Riichi: see `janshi.riichi.sampling`. */
class HiddenTiles<T> extends InRecord<T> {
  private readonly tenpai: number;

  /** @internal `view` and `events`: addresses of what the seat sees. */
  constructor(engine: Engine, table: Asked<T>, seed: number, view: number, events: number) {
    super(engine, table, seed, "RiichiHidden", "RiichiState");
    const { exports, tables } = engine;
    const people = engine.record("RiichiPeople");
    engine.write("RiichiPeople", people, RIICHI_PEOPLE[table.players - 3]!);
    const { seats } = engine.copy("RiichiView", view);
    const riichi = seats.some((seat, who) => who !== table.actor && seat.accepted);
    this.tenpai = riichi ? held(engine, this, sizeOf("RiichiTenpaiHands")) : 0;
    const labels = engine.workspace("labels", 2 * SLOTS);
    const [given, made] = [[tables, 1, view, 1, events, 1, people, 1] as const, [this.tenpai, 1, this.hidden, 1] as const];
    if (!exports.riichi_prepare_hidden(...given, ...made, labels, 1, SLOTS, 0)) throw this.error();
  }

  private error(): JanshiError {
    return new JanshiError(`no tiles of the others were found that fit what seat ${this.table.actor} has seen`);
  }

  sample(count: number): T[] {
    return this.sampleBy(this.newSeeds(count));
  }

  /** @internal A table for each seed. */
  sampleBy(seeds: BigInt64Array): T[] {
    const { engine, tenpai, hidden } = this;
    const count = seeds.length;
    const labels = engine.workspace("labels", 2 * count * SLOTS);
    return this.written(count, (states) => {
      const given = [states, count, engine.tables, 1, tenpai, 1, hidden, 1, labels, count, SLOTS] as const;
      if (engine.exports.riichi_sample_hidden(...given, this.placed(seeds), count) < count) throw this.error();
    });
  }
}

/** The tiles hidden from a seat of Sichuan mahjong: see `janshi.sichuan.sampling`. */
class HiddenHands<T> extends InRecord<T> {
  private readonly left: number;
  /** Of each other seat, whether its void suit is known. */
  private readonly known: boolean[];

  /** @internal `view` and `events`: addresses of what the seat sees. */
  constructor(engine: Engine, table: Asked<T>, seed: number, view: number, events: number) {
    const { phase, left, seats } = engine.copy("SichuanView", view);
    if (phase < SichuanPhase.TURN)
      throw new JanshiError("decisions about the exchange and the void suit are not sampled");
    super(engine, table, seed, "SichuanHiddenTable", "SichuanState");
    this.left = left;
    this.known = seats.filter((_, who) => who !== table.actor).map((seat) => seat.void >= 0);
    const { exports, tables } = engine;
    const counts = engine.record("SichuanHandCounts");
    engine.write("SichuanHandCounts", counts, { counts: SICHUAN_HANDS });
    exports.sichuan_read_hidden(view, 1, events, 1, this.hidden, 1);
    const walks = SICHUAN_WALKS.chains * SICHUAN_WALKS.rounds;
    const seeds = this.placed(this.newSeeds(walks));
    if (exports.sichuan_prepare_hidden(tables, 1, counts, 1, this.hidden, 1, seeds, walks) < 1)
      throw new JanshiError("no hands fit what was seen");
  }

  sample(count: number): T[] {
    const { engine } = this;
    const size = sizeOf("SichuanSampleNumbers");
    const numbers = engine.workspace("sample numbers", count * size);
    const chains = Array.from({ length: count }, () => this.below(SICHUAN_WALKS.chains));
    this.newSeeds(count).forEach((walk, row) => {
      const order = this.shuffled(this.left);
      const chances = this.known.flatMap((known) =>
        Array.from({ length: SICHUAN_KINDS }, () => (known ? 0 : this.random())),
      );
      const values = { walk, chain: chains[row]!, order, chances, seed: this.newSeeds(1)[0]! };
      engine.write("SichuanSampleNumbers", numbers + row * size, values);
    });
    return this.written(count, (states) =>
      engine.exports.sichuan_sample_hidden(states, count, engine.tables, 1, this.hidden, 1, numbers, count),
    );
  }

  /** The numbers below another one in random order. */
  private shuffled(count: number): number[] {
    const numbers = [...Array(count).keys()];
    for (let last = count - 1; last > 0; last--) {
      const at = this.below(last + 1);
      [numbers[last], numbers[at]] = [numbers[at]!, numbers[last]!];
    }
    return numbers;
  }
}

type Sampler = new <T>(engine: Engine, table: Asked<T>, seed: number, view: number, events: number) => Hidden<T>;
/** What samples the hidden tiles of a game. */
export const SAMPLERS: Readonly<Record<string, Sampler>> = { riichi: HiddenTiles, sichuan: HiddenHands };
