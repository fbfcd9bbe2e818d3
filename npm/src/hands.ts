import { type Engine, rulesOf, whole } from "./engine.js";
import { JanshiError } from "./errors.js";
import { FAULTS, GAMES, LIMITS, RiichiMeldForm, type RuleFields, SichuanFan, type SichuanGivenHand, type WorthRow } from "./generated.js";
import { sizeOf, type Values } from "./records.js";
import { countsOf, KINDS, kindOf, kindsIn, parseTiles, tileText } from "./tiles.js";

/** A hand: text such as `"123m406p77z"`, or its counts of the 34 kinds. Concealed tiles only. */
export type Hand = string | ArrayLike<number>;
/** Called sets and kans of a hand, and the number of players. */
export interface HandOptions {
  calls?: number;
  players?: 3 | 4;
}
/** Form of a complete hand. */
export type Form = "standard" | "pairs" | "orphans";
/** Ukeire after a discard, or of a hand that waits for a draw. */
export interface Discard {
  /** Kind to discard; null for a hand that waits for a draw. */
  discard: number | null;
  shanten: number;
  /** Kinds whose draw lowers the shanten. */
  accepted: number[];
  /** Tiles of these kinds that are neither in the hand nor visible. */
  left: number;
}

/** Circumstances of a win. */
export interface WinOptions {
  /** Winning tile; by default the last one of the hand. */
  win?: string;
  /** Called sets, each as text. */
  melds?: readonly string[];
  /** Closed kans, each as text. */
  closedKans?: readonly string[];
  /** Name of the rules; by default `"tenhou"`. */
  rules?: string;
  tsumo?: boolean;
  riichi?: boolean;
  doubleRiichi?: boolean;
  ippatsu?: boolean;
  rinshan?: boolean;
  chankan?: boolean;
  /** Last tile of the wall, or last discard. */
  last?: boolean;
  /** First turn, nothing called. */
  first?: boolean;
  /** Own wind, E (the dealer), S, W or N. */
  seat?: string;
  roundWind?: string;
  /** Dora indicators. */
  dora?: string;
  ura?: string;
  kitas?: number;
  honba?: number;
}
/** Value of a winning hand. */
export interface Score {
  /** Yaku with their han; dora last. */
  yaku: [name: string, han: number][];
  han: number;
  fu: number;
  /** Number of yakuman. */
  yakuman: number;
  limit: string;
  /** Basic points. */
  basic: number;
  /** Points of hand and honba. */
  points: number;
  /** Payments by payer: `discarder`, or `dealer` and `others` (each). */
  payments: Record<string, number>;
}

/** Melds and void suit of a Sichuan hand. */
export interface SichuanOptions {
  pungs?: readonly string[];
  /** Exposed and added kongs. */
  kongs?: readonly string[];
  concealedKongs?: readonly string[];
  /** The void suit: `"m"`, `"p"` or `"s"`. */
  void?: string;
}
/** Value of a Sichuan hand. */
export interface FanValue {
  fans: [name: string, fan: number][];
  /** Fan in all, before the cap. */
  fan: number;
  /** Payment of the discarder. */
  points: number;
  /** Payment of each player still in on a self-draw. */
  each: number;
}

const FORMS = [undefined, "standard", "pairs", "orphans"];
const NOT_HELD = 127;

// ---------------------------------------------------------------------------------------------------------
// Shanten, waits, ukeire

function countsOfHand(hand: Hand): Int8Array {
  if (typeof hand !== "string" && hand?.length !== KINDS)
    throw new JanshiError(`a hand is text such as '123m0p7z' or ${KINDS} counts, not ${String(hand)}`);
  const counts = typeof hand === "string" ? countsOf(parseTiles(hand)) : Int8Array.from(hand);
  for (let kind = 0; kind < KINDS; kind++) {
    const count = typeof hand === "string" ? counts[kind]! : hand[kind]!;
    if (!Number.isInteger(count) || count < 0 || count > 4)
      throw new JanshiError(`the hand holds ${tileText(kind)} ${count} times: there are four of each tile`);
  }
  return counts;
}

function checkedOptions({ calls = 0, players = 4 }: HandOptions): [calls: number, players: number] {
  return [whole("calls", calls, 0, 4), whole("players", players, 3, 4)];
}

function refuse(counts: Int8Array, calls: number, players: number, waits = false): never {
  for (let kind = 1; kind < 8; kind++)
    if (players === 3 && counts[kind])
      throw new JanshiError(`the hand holds ${tileText(kind)}, which three players do not use`);
  const tiles = counts.reduce((sum, count) => sum + count, 0);
  const full = 14 - 3 * calls;
  const wanted = waits ? `${full - 1}` : `${full - 1} or ${full}`;
  throw new JanshiError(`the hand has ${tiles} tiles: with ${calls} calls it has ${wanted} concealed ones`);
}

function place(engine: Engine, counts: Int8Array): number {
  const address = engine.workspace("counts", KINDS);
  engine.signed(address, KINDS).set(counts);
  return address;
}

/** Returns the number of tiles missing from tenpai: 0 tenpai, −1 complete. */
export function shanten(engine: Engine, hand: Hand, options: HandOptions & { form?: Form } = {}): number {
  const [calls, players] = checkedOptions(options);
  const counts = countsOfHand(hand);
  const form = FORMS.indexOf(options.form);
  if (form < 0) throw new JanshiError(`form is ${String(options.form)}: it is standard, pairs, or orphans`);
  if (calls && form > 1)
    throw new JanshiError(`form ${options.form} needs a hand without calls, but calls is ${calls}`);
  const result = engine.workspace("shanten", 1);
  const tools = engine.record("RiichiHandWorkspace");
  const at = place(engine, counts);
  if (engine.exports.shanten(engine.tables, tools, at, 1, KINDS, calls, Number(players === 3), form, result, 1))
    refuse(counts, calls, players);
  return engine.signed(result, 1)[0]!;
}

/** Returns the kinds that complete a hand of 13 tiles, three less for each call. */
export function waits(engine: Engine, hand: Hand, options: HandOptions = {}): number[] {
  const [calls, players] = checkedOptions(options);
  const counts = countsOfHand(hand);
  const mask = engine.workspace("waits", KINDS);
  const tools = engine.record("RiichiHandWorkspace");
  const at = place(engine, counts);
  if (engine.exports.waits(engine.tables, tools, at, 1, KINDS, calls, Number(players === 3), mask, KINDS))
    refuse(counts, calls, players, true);
  const found = engine.bytes(mask, KINDS);
  return [...found.keys()].filter((kind) => found[kind]);
}

/** Returns the ukeire after each discard, the best first, or of a hand that waits for a draw. */
export function ukeire(engine: Engine, hand: Hand, options: HandOptions & { visible?: Hand } = {}): Discard[] {
  const [calls, players] = checkedOptions(options);
  const counts = countsOfHand(hand);
  const seen = withVisible(counts, options.visible);
  const out = engine.record("Ukeire");
  engine.bytes(out, sizeOf("Ukeire")).fill(0);
  engine.write("Ukeire", out, { visible: seen });
  const tools = engine.record("RiichiHandWorkspace");
  const at = place(engine, counts);
  if (engine.exports.ukeire(engine.tables, tools, at, 1, KINDS, calls, Number(players === 3), out))
    refuse(counts, calls, players);
  return discardsOf(engine.copy("Ukeire", out));
}

function withVisible(counts: Int8Array, visible: Hand | undefined): Int8Array {
  const seen = visible === undefined ? new Int8Array(KINDS) : countsOfHand(visible);
  const sum = counts.map((count, kind) => count + seen[kind]!);
  const wrong = sum.findIndex((count) => count > 4);
  if (wrong >= 0)
    throw new JanshiError(
      `the hand and the visible tiles have more than four ${tileText(wrong)}: ` +
        `visible are discards, calls and indicators, without the hand's own tiles`,
    );
  return sum;
}

function discardsOf(table: { shanten: Int8Array; accepted: BigInt64Array; left: Int16Array }): Discard[] {
  const asItIs = table.shanten.length - 1;
  const held = [...Array(asItIs).keys()].filter((slot) => table.shanten[slot] !== NOT_HELD);
  const rows = (held.length ? held : [asItIs]).map((slot) => ({
    discard: slot === asItIs ? null : slot,
    shanten: table.shanten[slot]!,
    accepted: kindsIn(table.accepted[slot]!),
    left: table.left[slot]!,
  }));
  return rows.sort((a, b) => a.shanten - b.shanten || b.left - a.left);
}

// ---------------------------------------------------------------------------------------------------------
// Scores

/** Returns the score of a winning hand: concealed tiles, the winning one included. */
export function score(engine: Engine, tiles: string, options: WinOptions = {}): Score {
  const name = options.rules ?? "tenhou";
  const rules = rulesOf("riichi", name);
  const players = rules["players"] as number;
  const concealed = parseTiles(tiles);
  const melds = [
    ...(options.melds ?? []).map((text) => meldOf(text, false)),
    ...(options.closedKans ?? []).map((text) => meldOf(text, true)),
  ];
  const held = [...concealed, ...melds.flatMap((meld) => meld.tiles)];
  const winning = winningKind(tiles, concealed, options.win, melds.length);
  checkTiles(held, options, name, rules["red_fives"] as readonly number[]);
  const counts = countsOf(concealed);
  const hand = {
    counts,
    calls: melds.length,
    forms: filled(melds.map((meld) => meld.form), 4, 0),
    kinds: filled(melds.map((meld) => Math.min(...meld.tiles.map(kindOf))), 4, 0),
    kind: winning,
    reds: held.filter((tile) => tile >= KINDS).length,
    ...conditions(options, players),
  };
  const found = valueOf(engine, hand, rules, options.honba ?? 0);
  if (found) return found;
  const away = shanten(engine, counts, { calls: melds.length, players: players as 3 | 4 });
  throw new JanshiError(`'${tiles}' ${away < 0 ? "has no yaku" : `is not complete (shanten ${away})`}`);
}

const filled = (numbers: readonly number[], length: number, none: number): number[] =>
  [...numbers, ...Array<number>(length).fill(none)].slice(0, length);

/** Returns the score of a `Winning` of the Python package; null for one that is incomplete or has no yaku. */
function valueOf(engine: Engine, hand: Values, rules: RuleFields, honba: number): Score | null {
  const { exports } = engine;
  const [wins, faults] = [engine.workspace("wins", 1), engine.workspace("faults", 1)];
  const names = ["RiichiWinning", "RiichiValue", "RiichiScoreWorkspace", "RiichiScoreNumbers"] as const;
  const [winning, value, work, numbers] = names.map((name) => engine.record(name)) as [number, number, number, number];
  engine.write("RiichiWinning", winning, hand);
  engine.bytes(wins, 1)[0] = 0;
  const ruleset = engine.rules("riichi", rules);
  exports.score(ruleset, 1, work, 1, winning, 1, value, 1, wins, 1, faults, 1);
  const fault = engine.signed(faults, 1)[0]!;
  if (fault) throw new JanshiError(FAULTS[fault]!);
  if (!engine.bytes(wins, 1)[0]) return null;
  exports.score_numbers(ruleset, 1, winning, 1, value, 1, honba, numbers, 1);
  const { han, fu, yakuman, basic } = engine.copy("RiichiValue", value);
  const { worth, limit, ...payers } = engine.copy("RiichiScoreNumbers", numbers);
  const payments = Object.fromEntries(Object.entries(payers).filter(([, points]) => points)) as Record<string, number>;
  const yaku = fansOf(worth, "riichi");
  return { yaku, han, fu, yakuman, limit: LIMITS[limit]!, basic, points: worth.points, payments };
}

/** Returns the yaku or sources of fan of a hand by name. */
const fansOf = ({ fans, fans_count }: WorthRow, game: "riichi" | "sichuan"): [name: string, fan: number][] =>
  fans.slice(0, fans_count).map(({ name, fan }) => [GAMES[game].names["fan"]![name]!, fan]);

function winningKind(text: string, concealed: number[], win: string | undefined, calls: number): number {
  const wanted = 14 - 3 * calls;
  if (concealed.length !== wanted || wanted < 2)
    throw new JanshiError(`'${text}' has ${concealed.length} tiles: with ${calls} melds a winning hand has ${wanted}`);
  const winning = win === undefined ? concealed.slice(-1) : parseTiles(win);
  if (winning.length !== 1) throw new JanshiError(`'${win}' is not one tile`);
  const [tile] = winning as [number];
  if (!(tile >= KINDS ? concealed : concealed.map(kindOf)).includes(tile))
    throw new JanshiError(`the winning tile ${tileText(tile)} is not in '${text}'`);
  return kindOf(tile);
}

function checkTiles(held: number[], options: WinOptions, rules: string, reds: readonly number[]): void {
  const kitas = whole("kitas", options.kitas ?? 0, 0, 4);
  const counts = countsOf(held);
  counts[30]! += kitas;
  const kind = counts.findIndex((count) => count > 4);
  if (kind >= 0) throw new JanshiError(`${tileText(kind)} is there ${counts[kind]} times: there are four of each tile`);
  const tiles = [...held, ...parseTiles(options.dora ?? ""), ...parseTiles(options.ura ?? "")];
  reds.forEach((most, suit) => {
    const count = tiles.filter((tile) => tile === KINDS + suit).length;
    if (count > most) throw new JanshiError(`rules '${rules}' have ${most} of ${tileText(KINDS + suit)}, not ${count}`);
  });
}

function meldOf(text: string, closed: boolean): { form: number; tiles: number[] } {
  const tiles = parseTiles(text).sort((a, b) => kindOf(a) - kindOf(b));
  const kinds = tiles.map(kindOf);
  const same = new Set(kinds).size === 1;
  const low = kinds[0] ?? 0;
  if (same && kinds.length === 4)
    return {
      form: closed ? RiichiMeldForm.ANKAN : RiichiMeldForm.DAIMINKAN,
      tiles,
    };
  if (closed) throw new JanshiError(`'${text}' is no closed kan: that is four tiles of a kind`);
  if (same && kinds.length === 3) return { form: RiichiMeldForm.PON, tiles };
  if (kinds.join() === [low, low + 1, low + 2].join() && low < 27 && low % 9 < 7)
    return { form: RiichiMeldForm.CHII, tiles };
  throw new JanshiError(`'${text}' is no run, triplet or kan`);
}

function windOf(name: string, players: number): number {
  const wind = name.length === 1 ? "ESWN".slice(0, players).indexOf(name.toUpperCase()) : -1;
  if (wind < 0) throw new JanshiError(`'${name}' is no wind: ${[..."ESWN".slice(0, players)].join(", ")}`);
  return 27 + wind;
}

function indicatorsOf(what: string, text: string): number[] {
  const tiles = parseTiles(text);
  if (tiles.length > 5) throw new JanshiError(`${tiles.length} ${what} indicators: there are five at most`);
  return tiles.map(kindOf);
}

function flag(name: string, value: unknown = false): number {
  if (typeof value !== "boolean") throw new JanshiError(`${name} must be true or false, not ${String(value)}`);
  return Number(value);
}

function conditions(options: WinOptions, players: number) {
  whole("honba", options.honba ?? 0, 0, 1000);
  return {
    seat_wind: windOf(options.seat ?? "E", players),
    round_wind: windOf(options.roundWind ?? "E", 4),
    dora: filled(indicatorsOf("dora", options.dora ?? ""), 5, -1),
    ura: filled(indicatorsOf("ura", options.ura ?? ""), 5, -1),
    riichi: flag("riichi", options.riichi) + 2 * flag("doubleRiichi", options.doubleRiichi), // both: 3, a fault
    tsumo: flag("tsumo", options.tsumo),
    ippatsu: flag("ippatsu", options.ippatsu),
    rinshan: flag("rinshan", options.rinshan),
    chankan: flag("chankan", options.chankan),
    last: flag("last", options.last),
    first: flag("first", options.first),
    kitas: options.kitas ?? 0,
  };
}

// ---------------------------------------------------------------------------------------------------------
// Sichuan

const SICHUAN_KINDS = 27;
const SUITS = "mps";

function sichuanHand(text: string, options: SichuanOptions, complete: boolean) {
  const tiles = parseTiles(text);
  const [pungs, exposed, concealed] = [options.pungs ?? [], options.kongs ?? [], options.concealedKongs ?? []];
  const open = pungs.length + exposed.length;
  const count = open + concealed.length;
  const circumstances = open ? 0 : 1 << SichuanFan.CONCEALED;
  const melds = { pungs: maskOf(pungs, 3), kongs: maskOf([...exposed, ...concealed], 4), circumstances };
  const suit = options.void === undefined ? -1 : SUITS.indexOf(options.void || "?");
  if (options.void !== undefined && (options.void.length !== 1 || suit < 0))
    throw new JanshiError(`void is 'm', 'p' or 's', not '${options.void}'`);
  if (tiles.some((tile) => tile >= SICHUAN_KINDS))
    throw new JanshiError(`'${text}': Sichuan has no honours and no red fives`);
  const counts = countsOf(tiles).slice(0, SICHUAN_KINDS);
  const held = ownTiles({ counts, ...melds });
  const wrong = held.findIndex((each) => each > 4);
  if (wrong >= 0)
    throw new JanshiError(
      `${tileText(wrong)} is there ${held[wrong]} times, melds included: there are four of each tile`,
    );
  const size = tiles.length + 3 * count;
  if (size !== 14 && (complete || size !== 13)) {
    const wanted = complete ? "14" : "13 or 14";
    throw new JanshiError(`'${text}' and ${count} melds are ${size} tiles, three for each meld: not ${wanted}`);
  }
  return { counts, void: suit, kind: tiles[tiles.length - 1]!, ...melds };
}

/** Returns the tiles of each kind of a Sichuan hand, melds included. */
function ownTiles(hand: Pick<SichuanGivenHand, "counts" | "pungs" | "kongs">): number[] {
  return Array.from(hand.counts, (count, kind) => {
    const bit = 1 << kind;
    return count + (hand.pungs & bit ? 3 : 0) + (hand.kongs & bit ? 4 : 0);
  });
}

function maskOf(texts: readonly string[], size: number): number {
  let mask = 0;
  for (const text of texts) {
    const tiles = parseTiles(text);
    const kind = tiles[0] ?? 0;
    if (tiles.length !== size || tiles.some((tile) => tile !== kind) || kind >= SICHUAN_KINDS)
      throw new JanshiError(`'${text}' is no ${size === 3 ? "pung" : "kong"}: ${size} equal tiles`);
    if (mask & (1 << kind)) throw new JanshiError("two melds of one kind: there are four of each tile");
    mask |= 1 << kind;
  }
  return mask;
}

/** Returns the value of a complete Sichuan hand, its last tile the winning one. */
export function fan(engine: Engine, tiles: string, options: SichuanOptions & { rules?: string } = {}): FanValue {
  const rules = engine.rules("sichuan", rulesOf("sichuan", options.rules ?? "sichuan"));
  const names = ["SichuanGivenHand", "SichuanTools", "SichuanValue", "WorthRow"] as const;
  const [hand, tools, value, out] = names.map((name) => engine.record(name)) as [number, number, number, number];
  engine.write("SichuanGivenHand", hand, sichuanHand(tiles, options, true));
  const wrong = engine.exports.sichuan_values(rules, 1, engine.tables, 1, hand, 1, tools, 1, value, 1);
  if (wrong >= 0 || !engine.copy("SichuanValue", value).points)
    throw new JanshiError(`'${tiles}' is not complete in two suits without the void one`);
  engine.exports.sichuan_worth(rules, 1, value, 1, out, 1);
  const worth = engine.copy("WorthRow", out);
  const fans = fansOf(worth, "sichuan").map(([name, fan]): [string, number] => [name.replaceAll("_", " "), fan]);
  return { fans, fan: worth.fan, points: worth.points, each: worth.each };
}

/** Returns the ukeire of a Sichuan hand after each discard, the best first, or of a hand that waits for a draw. */
export function sichuanUkeire(
  engine: Engine,
  tiles: string,
  options: SichuanOptions & { visible?: string } = {},
): Discard[] {
  const hand = sichuanHand(tiles, options, false);
  const held = Int8Array.from([...ownTiles(hand), 0, 0, 0, 0, 0, 0, 0]);
  const names = ["SichuanGivenHand", "SichuanTools", "SichuanUkeire"] as const;
  const [at, tools, out] = names.map((name) => engine.record(name)) as [number, number, number];
  engine.bytes(out, sizeOf("SichuanUkeire")).fill(0);
  engine.write("SichuanUkeire", out, { visible: withVisible(held, options.visible).slice(0, SICHUAN_KINDS) });
  engine.write("SichuanGivenHand", at, hand);
  engine.exports.sichuan_ukeire(engine.tables, tools, at, 1, out, engine.workspace("faults", 1));
  return discardsOf(engine.copy("SichuanUkeire", out));
}
