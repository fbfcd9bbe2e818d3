import { changed, type Engine, gameOf, held, letGo, rulesOf, whole } from "./engine.js";
import { JanshiError } from "./errors.js";
import { type Game, type GameRecords, GAMES, LAYOUTS, type OptionFigures, type Records, type RuleFields } from "./generated.js";
import { readField, sizeOf, type Values } from "./records.js";
import { type Hidden, SAMPLERS } from "./sampling.js";
import { KINDS } from "./tiles.js";
import { inWords } from "./words.js";

/** Riichi: a hand within a game. */
export interface HandStart {
  /** Round: 0–3 East, 4–7 South, 8–11 West. */
  kyoku: number;
  honba: number;
  /** Riichi sticks on the table. */
  deposits: number;
  dealer: number;
  /** Points of every seat. */
  points: readonly number[];
}

/** Sichuan mahjong: a hand within a game. */
export interface SichuanStart {
  /** Number of hands of the game before it. */
  before: number;
  dealer: number;
  /** Points of every seat. */
  points: readonly number[];
}

/** What a table begins with. */
export interface TableOptions {
  /** Seed of all walls; 0 by default. */
  seed?: number | bigint;
  /** The first hand's wall: tiles in the order of `state.wall`. */
  wall?: ArrayLike<number>;
  /** The hand to begin with, by default the first one of a game; needs `wall`. */
  start?: HandStart | SichuanStart;
  /** Fields of the rules that differ, as records store them; their values are not checked. */
  changes?: RuleFields;
}

/** How a hand ended. */
export interface HandResult {
  /** `"tsumo"`, `"ron"`, or the name of the draw; empty in games without names of endings. */
  reason: string;
  /** Winning seats in order. */
  winners: number[];
  /** Seat that dealt in, or null. */
  discarder: number | null;
  /** Change of every seat's points since the deal. */
  change: number[];
}

/** What a seat knows or may do, by the names of the Python package's messages (`janshi.web.messages`). */
export type PlainData = Record<string, unknown>;

/** What is known of an option of a decision. */
export interface PlayedOption {
  figures: OptionFigures;
  /** Rounded figures, as `Ends` of the page. */
  ends: PlainData;
}

/** `HandEnd` records by option and sample. */
export type Outcomes = readonly (readonly Uint8Array[])[];

/** An input of a network: a tensor of unsigned bytes. */
export interface Input {
  data: Uint8Array;
  dims: number[];
}

/** More than a hand of Sichuan mahjong has. */
const MOST_EVENTS = 512;
const OPTION = sizeOf("OptionFigures");
/**
 * One table, from the first hand of a game to its end.
 *
 * Seats are numbers from 0, actions whole numbers: see `actionText`. A table holds memory of the engine until `free`
 * is called or the table is collected.
 */
export class Table<G extends Game = Game> {
  readonly game: G;
  /** Fields of the rules, as records store them. */
  readonly fields: RuleFields;
  private readonly data;
  /** Functions of the game. */
  private readonly call;
  private address: number;
  private changes: number[] = [];

  /** @internal */
  constructor(
    private readonly engine: Engine,
    readonly rules: string,
    { seed = 0, wall, start, changes = {} }: TableOptions = {},
    copied?: Table<G>,
  ) {
    this.game = gameOf(rules) as G;
    this.data = GAMES[this.game];
    this.call = engine.functions[this.game];
    this.fields = copied ? copied.fields : changed(rules, rulesOf(this.game, rules), changes);
    const size = sizeOf(this.data.records.state);
    const number = copied ? 0n : seedOf(seed);
    this.address = held(engine, this, size);
    if (copied) {
      engine.bytes(this.address, size).set(engine.bytes(copied.address, size));
      this.changes = copied.changes;
      return;
    }
    try {
      this.write({ rules: this.fields as never, seed: number });
      if (start && wall === undefined) throw new JanshiError("a hand within a game needs its wall");
      this.lay(wall);
      if (start) this.beginAt(start as unknown as Values);
      else this.call.begin_games(engine.tables, this.address, 1, this.which, 1);
    } catch (error) {
      this.free();
      throw error;
    }
    this.write({ walls_given: 0 });
  }

  /** Deals the wall that has been laid for a hand within a game. */
  private beginAt({ points, ...given }: Values): void {
    const { start } = this.data;
    const names = Object.keys(start);
    if (names.join() !== Object.keys(given).join())
      throw new JanshiError(`a hand of ${this.rules} cannot begin so: besides points it has ${names.join(", ")}`);
    this.write(Object.fromEntries(names.map((name) => [start[name]!, given[name]!])));
    this.write({ seats: Array.from(points as ArrayLike<number>, (each) => ({ points: each })) });
    this.call.begin_hands!(this.engine.tables, this.address, 1, this.which, 1);
  }

  /** Changes fields of the rules from the next action on; `fields` keep those of the beginning. */
  setRules(fields: RuleFields): void {
    changed(this.rules, this.fields, fields);
    this.write({ rules: fields as never });
  }

  /**
   * @internal Sichuan mahjong: what a hand's events in a record (four numbers each) decide, and how many of them come so;
   * the dice of the exchange fall in this hand as recorded. See `janshi.sichuan.records.replay`.
   */
  recorded(events: readonly number[]): { actions: number[]; alike: number } {
    const { engine } = this;
    this.setRules({ exchange: this.fields["exchange"]! });
    const made = this.copy();
    const replay = engine.record("SichuanHandReplay");
    const rows = Math.min(events.length / 4, MOST_EVENTS);
    const at = engine.workspace("events", 16 * MOST_EVENTS);
    new Int32Array(engine.buffer, at, 4 * rows).set(events.slice(0, 4 * rows));
    engine.exports.sichuan_replay_hands(engine.tables, made.address, 1, at, 1, rows, 4, replay, this.which);
    this.setRules({ exchange: (made as Table<"sichuan">).state.rules.exchange });
    made.free();
    const { actions, decisions, alike } = engine.copy("SichuanHandReplay", replay);
    return { actions: [...actions.subarray(0, decisions)], alike };
  }

  private get which(): number {
    return this.engine.workspace("which", 8); // the number 0: the only table
  }

  private write(values: Parameters<Engine["write"]>[2]): void {
    this.engine.write(this.data.records.state, this.address, values);
  }

  /** Lays the tiles of a wall for the next hand. */
  private lay(wall?: ArrayLike<number>): void {
    if (wall === undefined) return;
    const tiles = Array.from(wall);
    const before = this.engine.bytes(this.address, sizeOf(this.data.records.state)).slice();
    const count = this.call.lay_walls(this.address, 1, this.which, 1);
    const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b).join();
    if (sorted(tiles) !== sorted(Array.from(this.state.wall.slice(0, count)))) {
      this.engine.bytes(this.address, before.length).set(before);
      throw new JanshiError(`a wall of ${this.rules} holds its ${count} tiles once each; this one does not`);
    }
    this.write({ wall: tiles, walls_given: 1 });
  }

  /** Copy of the table's record, hidden information included. */
  get state(): GameRecords[G]["state"] {
    if (!this.address) throw new JanshiError("the table has been freed");
    return this.engine.copy(this.data.records.state, this.address) as GameRecords[G]["state"];
  }

  private field(name: "actor" | "phase"): number {
    if (!this.address) throw new JanshiError("the table has been freed");
    return readField(this.data.records.state, name, this.engine.buffer, this.address) as number;
  }

  /** Whether the game has events, questions and advice: the facet `say` of the Python package. */
  get says(): boolean {
    return this.call.new_events !== undefined;
  }

  /** Number of players. */
  get players(): number {
    return this.fields["players"] as number;
  }

  /** Seat that decides; −1 after a hand. */
  get actor(): number {
    return this.field("actor");
  }

  /** True after a hand. */
  get handOver(): boolean {
    return this.field("phase") >= this.data.handOver;
  }

  /** True after the game. */
  get over(): boolean {
    return this.field("phase") > this.data.handOver;
  }

  /** Points of every seat. */
  get scores(): number[] {
    const { seats } = this.state;
    return seats.slice(0, this.players).map((seat) => seat.points);
  }

  /** Legal actions of the actor, ascending; none after a hand. */
  get legal(): number[] {
    if (this.actor < 0) return [];
    const count = this.data.actions.length;
    const mask = this.engine.workspace("legal", count);
    this.call.legal(this.address, 1, mask, 1, count, this.which);
    const legal = this.engine.bytes(mask, count);
    return this.data.actions.map((_, action) => action).filter((action) => legal[action]);
  }

  /** Result of the hand; null during a hand. */
  get result(): HandResult | null {
    if (!this.handOver) return null;
    const state = this.state as Partial<GameRecords["riichi"]["state"]>; // a game of a plug-in may lack these fields
    const wins = (state.wins ?? []).slice(0, state.winners);
    const paid = wins.find((win) => win.discarder >= 0 && win.discarder !== win.seat);
    return {
      reason: this.data.endings[state.ended ?? -1] ?? "",
      winners: wins.map((win) => win.seat).sort((a, b) => a - b),
      discarder: paid ? paid.discarder : null,
      change: this.changes.slice(0, this.players),
    };
  }

  /** Describes an action. */
  actionText(action: number): string {
    return this.data.actions[whole("action", action, 0, this.data.actions.length - 1)]!;
  }

  /** Performs an action of the actor. An illegal one throws an error, and the table does not change. */
  act(action: number): void {
    const text = this.actionText(action);
    if (this.handOver) throw new JanshiError(`${text}: the hand is over; go on with nextHand()`);
    if (!this.legal.includes(action)) {
      const options = this.legal.map((each) => this.actionText(each)).join(", ");
      throw new JanshiError(`seat ${this.actor} may not ${text}; it may: ${options}`);
    }
    const { engine } = this;
    const outcome = engine.record("StepResult");
    const taken = engine.workspace("action", 2);
    new Int16Array(engine.buffer, taken, 1)[0] = action;
    this.call.step(engine.tables, this.address, 1, taken, 1, 0, outcome, this.which);
    this.changes = Array.from(engine.copy("StepResult", outcome).change);
  }

  /** Begins the next hand, by default from the wall of the seed. */
  nextHand(wall?: ArrayLike<number>): void {
    if (!this.handOver || this.over) throw new JanshiError(this.over ? "the game is over" : "the hand is not over");
    this.lay(wall);
    this.call.next_hands(this.engine.tables, this.address, 1, this.which, 1);
    this.write({ walls_given: 0 });
  }

  /** Copy of what a seat sees. */
  view(seat: number): GameRecords[G]["view"] {
    return this.engine.copy(this.data.records.view, this.viewAt(seat)) as GameRecords[G]["view"];
  }

  private viewAt(seat: number): number {
    const { engine } = this;
    const record = this.data.records.view;
    const view = engine.record(record);
    engine.bytes(view, sizeOf(record)).fill(0);
    this.call.views(this.address, 1, this.seatAt(seat), 1, view, this.which);
    return view;
  }

  private seatAt(seat: number): number {
    const address = this.engine.workspace("seat", 1);
    this.engine.bytes(address, 1)[0] = whole("seat", seat, 0, this.players - 1);
    return address;
  }

  /** Log of the hand as a seat sees it: rows of event, seat, tile, detail; tiles that others drew are −1. */
  events(seat: number): number[][] {
    const log = this.eventsAt(seat);
    const { rows, count } = this.engine.copy(this.data.records["events"]!, log) as Records["RiichiEvents"];
    return Array.from({ length: count }, (_, row) => Array.from(rows.slice(4 * row, 4 * row + 4)));
  }

  private eventsAt(seat: number): number {
    const { engine } = this;
    const record = this.data.records["events"];
    if (!record) throw new JanshiError(`${this.game} has no log of a hand`);
    const log = engine.record(record);
    engine.bytes(log, sizeOf(record)).fill(0);
    this.call.event_logs!(this.address, 1, this.seatAt(seat), 1, log, this.which);
    return log;
  }

  /** Input of the shipped networks for the actor's decision: a tensor of `dims`, one row. */
  encode(): Input {
    if (this.actor < 0) throw new JanshiError("the table waits for no decision");
    const { engine } = this;
    const { inputs, masks } = this.data;
    const view = this.viewAt(this.actor);
    const dims = [1, ...inputs];
    const size = dims.reduce((product, each) => product * each);
    const dense = engine.workspace("dense", size);
    const [columns] = inputs as [number];
    const written = masks ? engine.workspace("masks", 8 * columns) : dense;
    this.call.encode!(engine.tables, this.space("encode"), view, 1, written, columns);
    if (masks) engine.exports.expand_masks(written, 1, columns, dense, columns, KINDS);
    return { data: engine.bytes(dense, size).slice(), dims };
  }

  /** Returns the legal action with the largest number in a network's answer. */
  best(answers: ArrayLike<number>): number {
    if (answers.length < this.data.actions.length)
      throw new JanshiError(`${answers.length} answers for ${this.data.actions.length} actions`);
    const { legal } = this;
    if (!legal.length) throw new JanshiError("the table waits for no decision");
    const declared = this.declared();
    if (declared >= 0) return declared;
    return legal.reduce((best, action) => (answers[action]! > answers[best]! ? action : best));
  }

  /** The action of the rule-based player `efficient` for the actor's decision. */
  efficient(): number {
    if (this.actor < 0) throw new JanshiError("the table waits for no decision");
    const { engine } = this;
    const declared = this.declared();
    if (declared >= 0) return declared;
    const view = this.viewAt(this.actor);
    const chosen = engine.workspace("chosen", 2);
    this.call.efficient!(engine.tables, this.space("efficient"), view, 1, chosen);
    return new Int16Array(engine.buffer, chosen, 1)[0]!;
  }

  /** Scratch memory of a function. */
  private space(what: string): number {
    return this.engine.record(this.data.workspaces[what]!);
  }

  /**
   * Riichi: what players do by rule for the actor's decision, −1 where they decide: a tenpai hand is shown at an
   * exhaustive draw unless the dealer ends the game as the first by keeping it hidden.
   */
  declared(): number {
    if (!this.call.declared || this.actor < 0) return -1;
    const { engine } = this;
    const chosen = engine.workspace("chosen", 2);
    this.call.declared(this.viewAt(this.actor), 1, chosen);
    return new Int16Array(engine.buffer, chosen, 1)[0]!;
  }

  /**
   * What a seat knows of its hand between decisions (shanten, waits, furiten, worth); null while it is to discard without
   * having drawn.
   */
  own(seat: number): PlainData | null {
    const out = this.say("own", "OwnHand", this.viewAt(seat));
    return known(this.words("OwnHand", out));
  }

  /** The options of the actor's decision, and what they lead to: discards and calls that leave it tenpai, an offered win. */
  question(): PlainData {
    return this.words("DecisionOptions", this.say("question", "DecisionOptions", this.viewAt(this.actor)));
  }

  /** The numbers of an advice to the actor: shanten, discards, calls, risks, void suits. */
  advice(): PlainData {
    return this.words("AdviceNumbers", this.say("advice", "AdviceNumbers", this.viewAt(this.actor)));
  }

  /**
   * Riichi: the probability of each final place (first to last) of each seat by the weights of a placement model, at the
   * beginning of a hand or after the game; `at`: fields of the state instead of the table's.
   */
  places(weights: Float32Array, at: Values = {}): number[][] {
    const { engine, players } = this;
    const record = this.data.records.state;
    const size = sizeOf(record);
    const state = engine.workspace("placed", size);
    engine.bytes(state, size).set(engine.bytes(this.address, size));
    engine.write(record, state, at);
    const given = engine.workspace("weights", weights.byteLength);
    new Float32Array(engine.buffer, given, weights.length).set(weights);
    const out = engine.record("PlaceShares");
    engine.bytes(out, sizeOf("PlaceShares")).fill(0);
    this.call.places!(state, 1, given, weights.length, engine.record("PlacementWorkspace"), 1, out, 1);
    const { shares } = engine.copy("PlaceShares", out);
    return Array.from({ length: players }, (_, seat) => [...shares.slice(players * seat, players * (seat + 1))]);
  }

  /**
   * Returns a function that returns the events of the table since its last call, from the first hand on, each with what a
   * seat knows of its hand after it (`own`; null: nothing new, or no seat).
   */
  eventReader(seat: number | null): () => { event: PlainData; own: PlainData | null }[] {
    const { engine } = this;
    const owner = {};
    const record = this.data.records["progress"]!;
    const progress = held(engine, owner, sizeOf(record));
    engine.write(record, progress, { own: seat === null ? 0 : seat + 1 });
    const added = engine.record("NewEvents");
    const work = this.space("new_events");
    return () => {
      const found: { event: PlainData; own: PlainData | null }[] = [];
      for (;;) {
        this.call.new_events!(engine.tables, work, this.address, 1, progress, 1, added, this.which);
        const { events, own } = this.words("NewEvents", added) as { events: PlainData[]; own: PlainData[] };
        if (!events.length) return found;
        found.push(...events.map((event, index) => ({ event, own: known(own[index]!) })));
      }
    };
  }

  private say(
    what: "own" | "question" | "advice",
    record: "OwnHand" | "DecisionOptions" | "AdviceNumbers",
    view: number,
    out = this.engine.record(record),
  ): number {
    this.call[what]!(this.engine.tables, this.space(what), view, 1, out);
    return out;
  }

  private words(record: keyof Records, address: number): PlainData {
    return inWords(record, this.engine.buffer, address, this.data.names);
  }

  /** The end of the hand that is over for a seat that had some points before: a `HandEnd` record. */
  end(seat: number, before: number): Uint8Array {
    const { engine } = this;
    const out = engine.record("HandEnd");
    engine.bytes(out, sizeOf("HandEnd")).fill(0);
    const points = engine.workspace("points", 4);
    new Int32Array(engine.buffer, points, 1)[0] = before;
    this.call.ends!(this.address, 1, seat, points, 1, out, this.which);
    return engine.bytes(out, sizeOf("HandEnd")).slice();
  }

  /**
   * What is known of options by the ends of hands after them: see `janshi.say.ends`.
   *
   * @param ends `HandEnd` records by option and sample.
   * @param placed Whether the worth of a hand is minus the final place.
   */
  sumUp(ends: Outcomes, placed: boolean): PlayedOption[] {
    const { engine } = this;
    const options = engine.workspace("options", ends.length * OPTION);
    this.addUp(ends, placed, 0, options);
    return ends.map((_, row) => ({
      figures: engine.copy("OptionFigures", options + row * OPTION),
      ends: this.endsAt(options + row * OPTION),
    }));
  }

  /** Whether the first of two options looks worse, and is not decided with some error probability. */
  goesOn(ends: Outcomes, placed: boolean, error: number): boolean {
    const options = this.engine.workspace("options", 2 * OPTION);
    return this.engine.exports.goes_on(options, 2, this.addUp(ends, placed, error, options)) === 1;
  }

  /**
   * The loss by the first of two actions, by the ends of hands after both, as `Loss` of the page: with reasons if one of
   * them is better by a test of some error probability.
   */
  loss(actions: readonly number[], ends: Outcomes, placed: boolean, error: number): PlainData {
    const { engine } = this;
    const view = this.viewAt(this.actor);
    const asked = engine.record("TwoOptions");
    const at = (field: string) => asked + LAYOUTS["TwoOptions"]!.fields[field]![1];
    engine.bytes(asked, sizeOf("TwoOptions")).fill(0);
    this.say("question", "DecisionOptions", view, at("question"));
    this.say("advice", "AdviceNumbers", view, at("advice"));
    this.call.stakes?.(view, 1, at("question"), at("stakes"));
    const decided = this.addUp(ends, placed, error, at("figures"));
    engine.write("TwoOptions", asked, { actions, dora: this.data.dora, placed, decided });
    const out = engine.record("LossNumbers");
    engine.exports.loss_numbers(asked, 1, out);
    return { ...this.words("LossNumbers", out), ends: [0, OPTION].map((row) => this.endsAt(at("figures") + row)) };
  }

  /** Writes the figures of options; returns 1 if one is better than every other one for certain, else 0. */
  private addUp(ends: Outcomes, placed: boolean, error: number, options: number): number {
    const { engine } = this;
    const all = ends.flat();
    const size = sizeOf("HandEnd");
    const hands = engine.allocate(all.length * size);
    all.forEach((end, row) => engine.bytes(hands + row * size, size).set(end));
    const decided = engine.exports.sum_up(hands, all.length, Number(placed), error, options, ends.length);
    engine.release(hands, all.length * size);
    return decided;
  }

  private endsAt(option: number): PlainData {
    return this.words("EndsNumbers", option + LAYOUTS["OptionFigures"]!.fields["ends"]![1]);
  }

  /** Takes random decisions across hands and games; returns the number of hands ended. */
  playRandomly(decisions: number): number {
    if (this.actor < 0) throw new JanshiError("random play begins where the table waits for a decision");
    const count = whole("decisions", decisions, 0, 2 ** 31 - 1);
    return this.call.play_randomly(this.engine.tables, this.address, 1, count, this.which, 1);
  }

  /** What is hidden from the actor, to sample it; decisions of Sichuan mahjong before play are refused. */
  hidden(seed = 0): Hidden<Table<G>> {
    const { engine, actor, game } = this;
    if (actor < 0) throw new JanshiError("the table waits for no decision");
    const sampler = SAMPLERS[game];
    if (!sampler) throw new JanshiError(`hidden tiles of ${game} are not sampled`);
    return new sampler<Table<G>>(engine, this, seed, this.viewAt(actor), this.eventsAt(actor));
  }

  /** @internal A table by the same rules in the state at an address. */
  inState(address: number): Table<G> {
    const made = this.copy();
    const { engine } = this;
    const size = sizeOf(this.data.records.state);
    engine.bytes(made.address, size).set(engine.bytes(address, size));
    return made;
  }

  /** Returns a copy of the table. */
  copy(): Table<G> {
    this.state; // throws if the table has been freed
    return new Table<G>(this.engine, this.rules, {}, this);
  }

  /** Gives the table's memory back; the table must not be used any more. */
  free(): void {
    letGo(this);
    this.address = 0;
  }
}

/** What a seat knows; null where nothing is new. */
const known = ({ known, ...own }: PlainData): PlainData | null => (known ? own : null);

function seedOf(seed: number | bigint): bigint {
  if (typeof seed !== "bigint" && !Number.isSafeInteger(seed))
    throw new JanshiError(`a seed is a whole number, not ${String(seed)}: use a bigint for one above 2^53`);
  const number = BigInt(seed);
  if (BigInt.asIntN(64, number) !== number) throw new JanshiError(`seed ${seed} does not fit into 64 bits`);
  return number;
}
