/** Hands as records tell them, in mjai's events; what their rows mean is the rule `janshi.riichi.records.building`. */
import { ORDER_FAULTS, type RiichiHolder, ROW_FAULTS } from "../../../npm/dist/generated.js";
import { type HandStart, type Janshi, kindOf, RiichiEnding as Ending, RiichiEvent as Row, tileText } from "../../../npm/dist/index.js";
import { sizeOf, type Values } from "../../../npm/dist/records.js";
import { winEvent } from "../own";
import { type Event, fromMjai, sum, toMjai } from "../side";

/** A record that cannot be read; the message is one sentence. */
export class RecordError extends Error {}

export type Rules = ReturnType<Janshi["rulesOf"]>;

/** The lines of a text, which end with `\n`, `\r` or both. */
export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/);

/** One game of Riichi. */
export interface RiichiRecord {
  game: "riichi";
  players: number;
  /** Name of the rules. */
  rules: string;
  /** Fields of the rules that differ from those of the name. */
  changes: Rules;
  names: string[];
  hands: RiichiHand[];
  /** Points and results at the end, as far as they are known. */
  end: { scores?: number[]; points?: number[] };
}

/** One hand as it is told, and as the compiled replay reads it. */
export interface RiichiHand {
  /** From `start_kyoku` to `end_kyoku`. */
  events: Event[];
  start: HandStart;
  /** Rows of events and the tiles dealt to each seat, by ids. */
  rows: number[];
  deal: number[];
  /** Fields of the record `RiichiFacts` beside the start. */
  facts: Values;
}

const WINDS = "ESWN";
/** mjai's names of the events, and of the reasons of drawn hands by the engine's numbers of endings. */
const EVENTS = "tsumo dahai chi pon daiminkan ankan kakan nukidora reach reach_accepted dora".split(" ");
export const REASONS = "fanpai kyushukyuhai sufonrenta suchareach sukaikan sanchaho nagashimangan".split(" ");
export const COLUMNS = 8;
const STICK = 1000;
const AT_ONCE = 1;
/** Numbers of 16 bits in a workspace of rows. */
const MOST = 1 << 14;
/** Steps tried before the search for an order is given up. */
const PATIENCE = 50_000;

/** The start of a hand by its `start_kyoku`. */
export const startOf = (event: Event): HandStart => ({
  kyoku: 4 * WINDS.indexOf(event["bakaze"] as string) + (event["kyoku"] as number) - 1,
  honba: event["honba"] as number,
  deposits: event["kyotaku"] as number,
  dealer: event["oya"] as number,
  points: event["scores"] as number[],
});

/** The names of tiles by kind, red fives before the plain ones. */
const listed = (tiles: readonly number[]): string[] => {
  const place = (tile: number) => (tile < 34 ? tile : kindOf(tile) - 0.5);
  return [...tiles].sort((a, b) => place(a) - place(b)).map(toMjai);
};

/** Writes numbers of 16 bits to a workspace; returns its address. */
export function written(janshi: Janshi, name: string, numbers: readonly number[]): number {
  if (numbers.length > MOST) throw new RecordError("a hand with more events than any has");
  const at = janshi.engine.workspace(name, 2 * MOST);
  new Int16Array(janshi.engine.buffer, at, numbers.length).set(numbers);
  return at;
}

/** One hand; the last one begun is the only one in use. Every method throws `RecordError` for what cannot be. */
export class HandRows {
  private readonly at: number;
  /** Rows that the rule has not seen yet. */
  private readonly rows: number[] = [];
  private readonly ends: Event[] = [];

  /** `exact`: tiles are ids. */
  constructor(
    private readonly janshi: Janshi,
    private readonly rules: Rules,
    private readonly start: HandStart,
    dora: number,
    deal: readonly number[][],
    exact = false,
  ) {
    const short = deal.findIndex((hand) => hand.length !== 13);
    if (short >= 0) throw new RecordError(`seat ${short} is dealt ${deal[short]!.length} tiles, not 13`);
    if (!(start.kyoku >= 0 && start.kyoku < 16 && start.dealer in deal))
      throw new RecordError(`round ${start.kyoku} with dealer ${start.dealer} in a game of ${deal.length}`);
    const { engine } = janshi;
    this.at = engine.record("RiichiBuilding");
    engine.bytes(this.at, sizeOf("RiichiBuilding")).fill(0);
    engine.write("RiichiBuilding", this.at, { players: deal.length, reds: rules["red_fives"]!, exact });
    const rows = written(janshi, "rows", deal.flat());
    if (engine.exports.riichi_begin_building(this.at, 1, rows, deal.length, 13, dora)) throw this.fault();
  }

  /** The record of the rule, with all rows. */
  private get built() {
    const rows = this.rows.splice(0);
    const at = written(this.janshi, "rows", rows);
    const count = rows.length / COLUMNS;
    if (this.janshi.engine.exports.riichi_add_rows(this.at, 1, at, count, COLUMNS) < count) throw this.fault();
    return this.janshi.engine.copy("RiichiBuilding", this.at);
  }

  private fault(): RecordError {
    const { fault, ...built } = this.janshi.engine.copy("RiichiBuilding", this.at);
    const words: Record<string, unknown> = {
      seat: built.fault_seat,
      tile: built.fault_tile >= 0 ? tileText(built.fault_tile) : "",
      event: EVENTS[built.fault_event],
      number: built.fault_number,
      other: built.fault_other,
    };
    return new RecordError(ROW_FAULTS[fault]!.replace(/\{(\w+)\}/g, (_, name: string) => String(words[name])));
  }

  /** Adds a row, which may be refused later. */
  add(...row: number[]): void {
    this.rows.push(...rowOf(...row));
  }

  /**
   * Adds the rows of a hand that stand seat by seat, in the order that their calls and the end give; returns the number
   * of the dora indicators turned over. See `janshi.riichi.records.ordering`.
   */
  addUnordered(rows: readonly number[][], doras: readonly number[], ends: Values): number {
    const { engine } = this.janshi;
    const search = engine.record("RiichiOrdering");
    const { dealer, points } = this.start;
    engine.bytes(search, sizeOf("RiichiOrdering")).fill(0);
    engine.write("RiichiOrdering", search, {
      players: points.length,
      dealer,
      at_once: this.rules["kan_dora"] === AT_ONCE,
      ...ends,
    });
    const [at, list] = [written(this.janshi, "rows", rows.flat()), written(this.janshi, "doras", doras)];
    const ordered = engine.workspace("ordered", 2 * MOST);
    const { riichi_order_rows: order, riichi_add_rows: add } = engine.exports;
    const room = MOST / COLUMNS;
    const count = order(search, 1, at, rows.length, COLUMNS, list, doras.length, PATIENCE, ordered, room, COLUMNS);
    if (count < 0) throw new RecordError(ORDER_FAULTS[-1 - count]!);
    if (add(this.at, 1, ordered, count, COLUMNS) < count) throw this.fault();
    return engine.copy("RiichiOrdering", search).shown;
  }

  // -----------------------------------------------------------------------------------------------------
  // The end

  /** The seat whose tile others may win on. */
  get offerer(): number {
    return this.built.offerer;
  }

  /** Points of every seat now, after riichi sticks and payments. */
  get points(): number[] {
    const { riichi, accepted } = this.built;
    const sticks = [...riichi.slice(0, accepted)];
    const paid = this.ends.flatMap((event) => (event["deltas"] ? [event["deltas"] as number[]] : []));
    return this.start.points.map(
      (points, seat) =>
        points - STICK * sticks.filter((each) => each === seat).length + sum(paid.map((each) => each[seat]!)),
    );
  }

  private end(event: Event): void {
    this.ends.push(event);
    this.janshi.engine.write("RiichiBuilding", this.at, { over: 1 });
  }

  /** The ura indicators, which only the first call with any sets. */
  ura(tiles: readonly number[]): void {
    const at = written(this.janshi, "rows", tiles);
    if (this.janshi.engine.exports.riichi_show_ura(this.at, 1, at, tiles.length)) throw this.fault();
  }

  /** A winner, on the tile last drawn or offered. Without `hora_points` the engine's values are shown. */
  win(seat: number, target: number, fields: Omit<Event, "type">): void {
    const { players, tiles, drawn, offered, seats } = this.built;
    const won = seat === target ? drawn : offered;
    if (!(seat >= 0 && seat < players)) throw new RecordError(`seat ${seat} in a game of ${players}`);
    if (won < 0) throw new RecordError(`seat ${seat} wins without a tile to win on`);
    const rest = heldBy(seats[seat]!, tiles, won);
    const shown = { pai: toMjai(tiles[won]!), hora_tehais: listed(rest) };
    this.end(winEvent({ actor: seat, target, ...shown, ...fields }));
  }

  /** The end without a winner. A reason of −1 is inferred, as are the seats that show their hands without `given`. */
  drawnHand(reason: number, deltas: number[] | null, given?: readonly number[] | null): void {
    const { engine } = this.janshi;
    const { seats } = this.built;
    const at = engine.workspace("deltas", 16);
    new Int32Array(engine.buffer, at, 4).set(deltas ?? [0, 0, 0, 0]);
    engine.exports.riichi_conclude(this.at, 1, at, 4, reason);
    const { shown, tiles, reason: found } = this.built;
    const known = given ? bits(given) : shown;
    const shows = this.start.points.map((_, seat) => ((known >> seat) & 1) === 1);
    const tehais = shows.map((_, seat) => listed(heldBy(seats[seat]!, tiles)));
    this.end({
      type: "ryukyoku",
      reason: REASONS[found]!,
      ...(known >= 0 && {
        tenpais: shows,
        tehais: tehais.map((hand, seat) => (shows[seat] ? hand : hand.map(() => "?"))),
      }),
      ...(deltas && { deltas }),
    });
  }

  finish(): RiichiHand {
    if (!this.ends.length) throw new RecordError("the hand has no end (a win or a draw)");
    const { start, ends } = this;
    const { count, deal, indicator, rows, tiles, uras, ...built } = this.built;
    const nameOf = (id: number) => toMjai(tiles[id]!);
    const names = (ids: readonly number[]) => listed(ids.map((id) => tiles[id]!));
    const ura = Array.from(built.ura.slice(0, uras), nameOf);
    const played = Array.from({ length: count }, (_, row) => [...rows.subarray(COLUMNS * row, COLUMNS * (row + 1))]);
    const { type, reason, tenpais, actor, target } = ends[0]!;
    const ended = type === "ryukyoku" ? REASONS.indexOf(reason as string) : actor === target ? Ending.TSUMO : Ending.RON;
    const winners = ends.flatMap((event) => (event.type === "hora" ? [event["actor"] as number] : []));
    const shown = (tenpais as boolean[] | undefined)?.flatMap((shows, seat) => (shows ? [seat] : []));
    const facts = { indicator, ura: built.ura, ura_count: uras, ended, winners: bits(winners), shown: bits(shown) };
    const events = [
      {
        type: "start_kyoku",
        bakaze: WINDS[Math.floor(start.kyoku / 4)]!,
        kyoku: (start.kyoku % 4) + 1,
        honba: start.honba,
        kyotaku: start.deposits,
        oya: start.dealer,
        scores: [...start.points],
        dora_marker: nameOf(indicator),
        tehais: start.points.map((_, seat) => names([...deal.subarray(13 * seat, 13 * seat + 13)])),
      },
      ...played.map((row) => eventOf(row, nameOf, names)),
      ...ends.map((event) => (event.type === "hora" ? { ...event, ura_markers: ura } : event)),
      { type: "end_kyoku" },
    ];
    return { events, start, rows: played.flat(), deal: [...deal.subarray(0, 13 * start.points.length)], facts };
  }
}

/** Seats as bits; −1 for unknown ones. */
const bits = (seats?: readonly number[]): number => seats?.reduce((all, seat) => all | (1 << seat), 0) ?? -1;

/** The concealed tiles of a seat, but the one with an id. */
const heldBy = ({ ids, count }: RiichiHolder, tiles: Int8Array, without = -1): number[] =>
  [...ids.subarray(0, count)].filter((id) => id !== without).map((id) => tiles[id]!);

export const rowOf = (...row: number[]): number[] => [...row, ...Array<number>(COLUMNS - row.length).fill(-1)];

type Named = (ids: readonly number[]) => string[];
function eventOf(row: number[], nameOf: (id: number) => string, names: Named): Event {
  const [event, seat, id, from, ...own] = row as [number, number, number, number, ...number[]];
  if (event === Row.DORA) return { type: "dora", dora_marker: nameOf(id) };
  const laid = event === Row.KAKAN ? [0, 1, 2, 3].map((copy) => (id & ~3) + copy).filter((each) => each !== id) : own;
  return {
    type: EVENTS[event]!,
    actor: seat,
    ...(from >= 0 && { target: from }),
    ...(id >= 0 && event !== Row.ANKAN && { pai: nameOf(id) }),
    ...(event === Row.DISCARD && { tsumogiri: own[0] === 1 }),
    ...(event >= Row.CHII && event <= Row.KAKAN && { consumed: names(laid.filter((each) => each >= 0)) }),
  };
}

/** Whether a game of unknown rules is one of East only: it ends in the East round, and nobody is below 0. */
export function endsInEast(hands: readonly RiichiHand[], players: number, points: readonly number[]): boolean {
  const last = hands.at(-1)?.events[0];
  const ends = last?.["kyoku"] === players || hands.length > players;
  return last?.["bakaze"] === "E" && ends && Math.min(...points) >= 0;
}

/** Returns a tile by mjai's name. */
export function tileNamed(name: unknown): number {
  const tile = typeof name === "string" && /^([1-9][mps]|5[mps]r|[ESWNPFC])$/.test(name) ? fromMjai(name) : -1;
  if (tile < 0) throw new RecordError(`${JSON.stringify(name)} is not a tile`);
  return tile;
}
