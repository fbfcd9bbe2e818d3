import { type Engine } from "./engine.js";
import { JanshiError } from "./errors.js";
import {
  SICHUAN_PROGRESS,
  SichuanEvent as Logged,
  SichuanExchange,
  SichuanPhase,
  type SichuanView,
} from "./generated.js";
import { sizeOf } from "./records.js";
import type { Hidden, Table } from "./table.js";

// As in `janshi.sichuan.sampling.hidden`, which explains the walks.
const CHAINS = 64;
const ROUNDS = [300, 300, 300, 300, 1000];
const STEPS = 500;
const CLASSES = 4;
const LAST_DISCARDS = 20;
const KINDS = 27;
const TILES = 108;
/** The holder that is the wall; 0 to 2 are the other seats. */
const WALL = 3;
/** Tiles that leave the hand with each event. */
const LAID: Record<number, number> = {
  [Logged.DISCARD]: 1,
  [Logged.PUNG]: 2,
  [Logged.EXPOSED_KONG]: 3,
  [Logged.CONCEALED_KONG]: 4,
  [Logged.ADDED_KONG]: 1,
};

/** What is known of another seat. */
interface Other {
  seat: number;
  /** Number of concealed tiles, and those of each kind that it holds for certain. */
  tiles: number;
  kept: number[];
  /** The suit of which it holds no tile, and its void suit; −1: unknown. */
  barred: number;
  void: number;
  calls: number;
  discards: number;
  won: boolean;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const suitOf = (kind: number): number => Math.floor(kind / 9);

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The tiles hidden from the seat of Sichuan mahjong that decides at a table. */
export class HiddenHands implements Hidden<"sichuan"> {
  private readonly seat: number;
  private readonly exchange: boolean;
  private readonly others: Other[];
  /** The hidden tiles that nobody holds for certain. */
  private readonly tiles: number[];
  private readonly random: () => number;
  /** The record of the walk before the tiles are dealt out. */
  private walk: Uint8Array;
  private readonly found: Int8Array[];

  /** @internal */
  constructor(
    private readonly engine: Engine,
    private readonly table: Table<"sichuan">,
    seed: number,
  ) {
    const { actor } = table;
    const view = table.view(actor);
    if (view.phase < SichuanPhase.TURN)
      throw new JanshiError("decisions about the exchange and the void suit are not sampled");
    this.seat = actor;
    this.exchange = table.fields["exchange"] !== SichuanExchange.OFF;
    this.random = randomOf(seed);
    this.others = [0, 1, 2, 3].filter((seat) => seat !== actor).map((seat) => otherOf(seat, view, table.events(actor)));
    const left = unseenBy(view).map((count, kind) => count - sum(this.others.map((other) => other.kept[kind]!)));
    this.tiles = left.flatMap((count, kind) => Array<number>(count).fill(kind));
    const sizes = [...this.others.map((other) => other.tiles - sum(other.kept)), view.left];
    const fits = (holder: number, tile: number) => this.others[holder]?.barred !== suitOf(this.tiles[tile]!);
    const first = firstFit(this.tiles.length, sizes, fits);
    this.walk = this.newWalk();
    this.found = this.findWeights(first);
  }

  sample(count: number): Table<"sichuan">[] {
    const pick = () => this.found[Math.floor(this.random() * this.found.length)]!;
    const { holders, walks } = this.walked(Array.from({ length: count }, pick), STEPS);
    return holders.map((held, row) => {
      const counts = this.engine.copy("SichuanWalk", walks + row * sizeOf("SichuanWalk")).hands;
      const wall = this.shuffled(this.tiles.filter((_, tile) => held[tile] === WALL));
      const hands = [0, 1, 2, 3].map(() => ({ counts: Array<number>(KINDS).fill(0), void: -1, laid: -1 }));
      this.others.forEach((other, number) => {
        const hand = { counts: [...counts[number]!.counts], void: other.void, laid: -1 };
        hands[other.seat] = other.void < 0 ? this.withLaidTile(hand.counts) : hand;
      });
      return this.table.withHidden(this.seat, hands, wall, BigInt(Math.floor(this.random() * 2 ** 53)));
    });
  }

  free(): void {} // it has only workspaces

  private shuffled(tiles: number[]): number[] {
    for (let last = tiles.length - 1; last > 0; last--) {
      const at = Math.floor(this.random() * (last + 1));
      [tiles[last], tiles[at]] = [tiles[at]!, tiles[last]!];
    }
    return tiles;
  }

  /** A hand that voids the suit of which it has the fewest tiles, and lays one of them face down, if there is one. */
  private withLaidTile(counts: number[]): { counts: number[]; void: number; laid: number } {
    const sizes = [0, 1, 2].map((suit) => sum(counts.slice(9 * suit, 9 * suit + 9)));
    const suit = sizes.indexOf(Math.min(...sizes));
    const kinds = counts.flatMap((count, kind) => (count && suitOf(kind) === suit ? [kind] : []));
    const laid = kinds[Math.floor(this.random() * kinds.length)] ?? -1;
    return { counts: counts.map((count, kind) => count - Number(kind === laid)), void: suit, laid };
  }

  /** Finds the weights under which hands are as near to ready as the shipped player's; returns the last holders. */
  private findWeights(first: Int8Array): Int8Array[] {
    const weights = Array<number>(3 * CLASSES).fill(1);
    const shares = SICHUAN_PROGRESS[Number(this.exchange)]!;
    let { holders } = this.walked(Array<Int8Array>(CHAINS).fill(first), STEPS);
    for (const steps of ROUNDS) {
      const after = this.walked(holders, steps);
      holders = after.holders;
      const visits = Array<number>(3 * CLASSES).fill(1);
      for (let row = 0; row < CHAINS; row++) {
        const walk = this.engine.copy("SichuanWalk", after.walks + row * sizeOf("SichuanWalk"));
        walk.visits.forEach((count, place) => (visits[place]! += Number(count)));
      }
      this.others.forEach((other, number) => {
        if (other.won) return;
        const own = visits.slice(CLASSES * number, CLASSES * (number + 1));
        const wanted = shares[other.calls]![Math.min(other.discards, LAST_DISCARDS)]!;
        own.forEach((count, each) => (weights[CLASSES * number + each]! *= wanted[each]! / (count / sum(own))));
      });
      const at = this.engine.record("SichuanWalk");
      this.engine.bytes(at, this.walk.length).set(this.walk);
      this.engine.write("SichuanWalk", at, { weights });
      this.walk = this.engine.bytes(at, this.walk.length).slice();
    }
    return holders;
  }

  /** The holders of the hidden tiles after walks from some, and the address of the walks. */
  private walked(begun: readonly Int8Array[], steps: number): { holders: Int8Array[]; walks: number } {
    const { engine } = this;
    const [count, width, size] = [begun.length, this.tiles.length, sizeOf("SichuanWalk")];
    const walks = engine.workspace("walks", count * size);
    const holders = engine.workspace("holders", count * width);
    const seeds = engine.workspace("walk seeds", 8 * count);
    begun.forEach((held, row) => {
      engine.bytes(walks + row * size, size).set(this.walk);
      engine.signed(holders + row * width, width).set(held);
    });
    const numbers = BigInt64Array.from(begun, () => BigInt(Math.floor(this.random() * 2 ** 53)));
    engine.bytes(seeds, 8 * count).set(new Uint8Array(numbers.buffer));
    engine.exports.sichuan_walk(engine.tables, walks, count, holders, width, seeds, steps);
    return { holders: begun.map((_, row) => engine.signed(holders + row * width, width).slice()), walks };
  }

  private newWalk(): Uint8Array {
    const { engine, others } = this;
    const [walk, size] = [engine.record("SichuanWalk"), sizeOf("SichuanWalk")];
    engine.bytes(walk, size).fill(0);
    engine.write("SichuanWalk", walk, {
      tiles: [...this.tiles, ...Array<number>(TILES - this.tiles.length).fill(0)],
      barred: [...others.map((other) => other.barred), -1],
      calls: others.map((other) => other.calls),
      hands: others.map((other) => ({ void: other.void })),
      weights: Array<number>(3 * CLASSES).fill(1),
    });
    const kept = engine.workspace("kept", 3 * KINDS);
    engine.signed(kept, 3 * KINDS).set(others.flatMap((other) => other.kept));
    engine.exports.sichuan_keep_tiles(walk, 1, kept, 3 * KINDS);
    return engine.bytes(walk, size).slice();
  }
}

/** What a seat's view and log of the hand show of another seat. */
function otherOf(seat: number, view: SichuanView, log: readonly number[][]): Other {
  const seen = view.seats[seat]!;
  const rows = log.filter((row) => row[1] === seat);
  const kept = Array<number>(KINDS).fill(0);
  for (const [event, giver, tile, receiver] of log)
    if (event === Logged.GIVE && giver === view.seat && receiver === seat) kept[tile!]! += 1;
  for (const [event, , tile] of rows) if (event! in LAID) kept[tile!]! -= LAID[event!]!;
  const selfDrawn = rows.filter(([event, , , from]) => event === Logged.WIN && from! < 0).map((row) => row[2]!);
  const certain = kept.map((count, kind) => Math.max(count, selfDrawn.includes(kind) ? 1 : 0));
  const others = rows.some(([event, , tile]) => event === Logged.DISCARD && suitOf(tile!) !== seen.void);
  return {
    seat,
    tiles: 13 - 3 * seen.calls + selfDrawn.length,
    kept: certain,
    barred: seen.void >= 0 && others ? seen.void : -1,
    void: seen.void,
    calls: seen.calls,
    discards: seen.discards,
    won: seen.won > 0,
  };
}

/** Tiles of each kind that a view does not show. */
function unseenBy({ hand, seats }: SichuanView): number[] {
  return Array.from(hand.counts, (count, kind) => {
    const melded = seats.map(({ pungs, kongs }) => 3 * ((pungs >> kind) & 1) + 4 * ((kongs >> kind) & 1));
    const discarded = seats.map((seat) => seat.discarded[kind]!);
    return 4 - count - Number(hand.laid === kind) - sum(melded) - sum(discarded);
  });
}

/** A holder for each of some tiles; a tile without a free holder moves another one on (augmenting paths). */
function firstFit(count: number, sizes: number[], fits: (holder: number, tile: number) => boolean): Int8Array {
  const holders = new Int8Array(count).fill(-1);
  const free = [...sizes];
  const allowed = Array.from({ length: count }, (_, tile) => [...free.keys()].filter((holder) => fits(holder, tile)));
  const place = (tile: number, tried: Set<number>): boolean => {
    for (const holder of allowed[tile]!) {
      if (tried.has(holder)) continue;
      tried.add(holder);
      if (free[holder]! > 0) {
        free[holder]! -= 1;
        holders[tile] = holder;
        return true;
      }
      for (const [moved, of] of holders.entries()) {
        if (of !== holder) continue;
        holders[moved] = -1;
        holders[tile] = holder;
        if (place(moved, tried)) return true;
        holders[moved] = holder;
        holders[tile] = -1;
      }
    }
    return false;
  };
  const order = [...allowed.keys()].sort((one, other) => allowed[one]!.length - allowed[other]!.length);
  if (sum(free) !== count || order.some((tile) => !place(tile, new Set())))
    throw new JanshiError("no hands fit what was seen");
  return holders;
}
