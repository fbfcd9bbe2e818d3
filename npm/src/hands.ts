import { type Engine, rulesOf, whole } from "./engine.js";
import { JanshiError } from "./errors.js";
import {
  FAULTS,
  type Records,
  RiichiFuSource,
  RiichiMeldForm,
  type RiichiValue,
  type RuleFields,
  SichuanFan,
  YAKU,
} from "./generated.js";
import { sizeOf } from "./records.js";
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
const LIMITS = [
  [8000, "yakuman"],
  [6000, "sanbaiman"],
  [4000, "baiman"],
  [3000, "haneman"],
  [2000, "mangan"],
] as const;
const NOT_HELD = 127;
const DORA = 52;

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
  const hand: WinningHand = {
    counts: countsOf(concealed),
    calls: melds.length,
    forms: melds.map((meld) => meld.form),
    kinds: melds.map((meld) => Math.min(...meld.tiles.map(kindOf))),
    kind: winning,
    reds: held.filter((tile) => tile >= KINDS).length,
    ...conditions(options, players),
  };
  const value = valueOf(engine, hand, name, options.honba ?? 0);
  if (typeof value === "string") throw new JanshiError(value);
  if (value === null) {
    const away = shanten(engine, hand.counts, { calls: melds.length, players: players as 3 | 4 });
    throw new JanshiError(`'${tiles}' ${away < 0 ? "has no yaku" : `is not complete (shanten ${away})`}`);
  }
  return value;
}

/** A complete hand and the circumstances of its win: `Winning` of the Python package; what is left out is 0 or none. */
export interface WinningHand {
  /** Concealed tiles of each kind, the winning one included. */
  counts: ArrayLike<number>;
  kind: number;
  seat_wind: number;
  round_wind: number;
  /** Kinds of the indicators. */
  dora?: readonly number[];
  ura?: readonly number[];
  calls?: number;
  /** `RiichiMeldForm`s of the melds, and their lowest kinds. */
  forms?: readonly number[];
  kinds?: readonly number[];
  reds?: number;
  kitas?: number;
  tsumo?: number;
  /** 1 riichi, 2 double riichi. */
  riichi?: number;
  ippatsu?: number;
  rinshan?: number;
  chankan?: number;
  last?: number;
  first?: number;
}

const filled = (numbers: readonly number[] = [], length: number, none: number): number[] =>
  [...numbers, ...Array<number>(length).fill(none)].slice(0, length);

function placeWinning(engine: Engine, hand: WinningHand): number {
  const winning = engine.record("RiichiWinning");
  engine.bytes(winning, sizeOf("RiichiWinning")).fill(0);
  engine.write("RiichiWinning", winning, {
    ...hand,
    dora: filled(hand.dora, 5, -1),
    ura: filled(hand.ura, 5, -1),
    forms: filled(hand.forms, 4, 0),
    kinds: filled(hand.kinds, 4, 0),
  });
  return winning;
}

/** Returns the sources of the fu of a winning hand, with the kind of a set or the pair, else −1. */
export function fuParts(engine: Engine, hand: WinningHand, name: string): [source: string, fu: number, kind: number][] {
  const [winning, parts] = [placeWinning(engine, hand), engine.record("RiichiFuParts")];
  const [workspace, value] = [engine.record("RiichiScoreWorkspace"), engine.record("RiichiValue")];
  engine.exports.fu_parts(engine.rules("riichi", rulesOf("riichi", name)), 1, workspace, 1, winning, 1, value, 1, parts, 1);
  const { sources, fu, kinds, count } = engine.copy("RiichiFuParts", parts);
  const names = Object.keys(RiichiFuSource).map((source) => source.toLowerCase());
  return Array.from({ length: count }, (_, index) => [names[sources[index]!]!, fu[index]!, kinds[index]!]);
}

/** Returns the score of a hand; null for one that is incomplete or has no yaku, the fault of an impossible one. */
export function valueOf(engine: Engine, hand: WinningHand, name: string, honba = 0): Score | string | null {
  const wins = engine.workspace("wins", 1);
  const faults = engine.workspace("faults", 1);
  const [winning, value] = [placeWinning(engine, hand), engine.record("RiichiValue")];
  engine.bytes(wins, 1)[0] = 0;
  const ruleset = engine.rules("riichi", rulesOf("riichi", name));
  engine.exports.score(ruleset, 1, engine.record("RiichiScoreWorkspace"), 1, winning, 1, value, 1, wins, 1, faults, 1);
  const fault = engine.signed(faults, 1)[0]!;
  if (fault) return FAULTS[fault]!;
  return engine.bytes(wins, 1)[0] ? scoreOf(engine, engine.copy("RiichiValue", value), hand, name, honba) : null;
}

function scoreOf(engine: Engine, value: RiichiValue, hand: WinningHand, name: string, honba: number): Score {
  const closed = (hand.forms ?? []).every((form) => form === 0 || form === RiichiMeldForm.ANKAN);
  const yaku = YAKU.flatMap(([yakuName, whenClosed, whenOpen], number): [string, number][] =>
    (value.yaku >> BigInt(number)) & 1n ? [[yakuName, closed ? whenClosed : whenOpen]] : [],
  );
  const extra = [value.dora, value.ura, value.red].map((han, index): [string, number] => [YAKU[DORA + index]![0], han]);
  if (!value.yakuman) yaku.push(...extra.filter(([, han]) => han));
  const limit = LIMITS.find(([least]) => value.basic >= least)?.[1] ?? "";
  const { han, fu, yakuman, basic } = value;
  return { yaku, han, fu, yakuman, limit, basic, ...payments(engine, basic, hand, name, honba) };
}

function payments(
  engine: Engine,
  basic: number,
  hand: WinningHand,
  name: string,
  honba: number,
): { points: number; payments: Record<string, number> } {
  const rules = rulesOf("riichi", name);
  const deals = hand.seat_wind === 27;
  const players = rules["players"] as number;
  if (!hand.tsumo) {
    const points = engine.exports.payment_by_ron(basic, Number(deals)) + honba * (rules["honba_ron"] as number);
    return { points, payments: { discarder: points } };
  }
  const share = (payerDeals: boolean) =>
    shareOf(engine, basic, deals, payerDeals, name) + honba * (rules["honba_each"] as number);
  if (deals) return { points: share(false) * (players - 1), payments: { others: share(false) } };
  const paid = { dealer: share(true), others: share(false) };
  return { points: paid.dealer + paid.others * (players - 2), payments: paid };
}

/** Returns one payer's share of a self-draw, without honba. */
export function shareOf(engine: Engine, basic: number, deals: boolean, payerDeals: boolean, name: string): number {
  const rules = rulesOf("riichi", name);
  const loss = rules["tsumo_loss"] as number;
  return engine.exports.payment_by_tsumo(basic, Number(deals), Number(payerDeals), rules["players"] as number, loss);
}

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
    dora: indicatorsOf("dora", options.dora ?? ""),
    ura: indicatorsOf("ura", options.ura ?? ""),
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

/** A Sichuan hand: `SichuanHand` of the Python package. */
export interface SichuanHandCounts {
  /** Concealed tiles of each kind (27), the winning one of a complete hand included. */
  counts: ArrayLike<number>;
  /** The void suit, 0 to 2; −1: none. */
  void: number;
  kind?: number;
  /** Masks of the kinds of its pungs and kongs. */
  pungs: number;
  kongs: number;
  /** Bits of `SichuanFan`. */
  circumstances?: number;
}

function sichuanHand(text: string, options: SichuanOptions, complete: boolean): SichuanHandCounts {
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
  const held = ownTiles({ counts, void: suit, ...melds });
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
export function ownTiles(hand: SichuanHandCounts): number[] {
  return Array.from(hand.counts, (count, kind) => {
    const bit = 1 << kind;
    return count + (hand.pungs & bit ? 3 : 0) + (hand.kongs & bit ? 4 : 0);
  });
}

function placeHand(engine: Engine, hand: SichuanHandCounts): number {
  const address = engine.record("SichuanGivenHand");
  engine.write("SichuanGivenHand", address, { kind: 0, circumstances: 0, ...hand });
  return address;
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
  const rules = rulesOf("sichuan", options.rules ?? "sichuan");
  const value = valueOfSichuan(engine, sichuanHand(tiles, options, true), rules);
  if (!value) throw new JanshiError(`'${tiles}' is not complete in two suits without the void one`);
  return value;
}

/** Returns the value of a Sichuan hand of 14 tiles; null for one that is not complete. */
export function valueOfSichuan(engine: Engine, hand: SichuanHandCounts, rules: RuleFields): FanValue | null {
  const at = placeHand(engine, hand);
  const [tools, value] = [engine.record("SichuanTools"), engine.record("SichuanValue")];
  const ruleset = engine.rules("sichuan", rules);
  const wrong = engine.exports.sichuan_values(ruleset, 1, engine.tables, 1, at, 1, tools, 1, value, 1);
  const { points, fan: total, times } = engine.copy("SichuanValue", value);
  if (wrong >= 0 || !points) return null;
  const fans = Object.entries(SichuanFan).flatMap(([source, index]): [string, number][] => {
    const name = source.toLowerCase();
    return times[index] ? [[name.replaceAll("_", " "), times[index]! * (rules[name] as number)]] : [];
  });
  const [base, cap] = [rules["base_points"] as number, rules["cap"] as number];
  const drawn = total + (times[SichuanFan.SELF_DRAW] ? 0 : (rules["self_draw"] as number));
  const worth = base * 2 ** (cap < 0 ? drawn : Math.min(drawn, cap));
  const each = Math.max(points, worth) + (rules["self_draw_bonus"] as number) * base;
  return { fans, fan: total, points, each };
}

/** Returns the ukeire of a Sichuan hand after each discard, the best first, or of a hand that waits for a draw. */
export function sichuanUkeire(
  engine: Engine,
  tiles: string,
  options: SichuanOptions & { visible?: string } = {},
): Discard[] {
  const hand = sichuanHand(tiles, options, false);
  const held = Int8Array.from([...ownTiles(hand), 0, 0, 0, 0, 0, 0, 0]);
  return discardsOf(ukeireOfSichuan(engine, hand, withVisible(held, options.visible).slice(0, SICHUAN_KINDS)));
}

/** Returns the ukeire of a Sichuan hand, by discard and last as it is; `visible`: all tiles that its seat sees. */
export function ukeireOfSichuan(
  engine: Engine,
  hand: SichuanHandCounts,
  visible: ArrayLike<number>,
): Records["SichuanUkeire"] {
  const out = engine.record("SichuanUkeire");
  engine.bytes(out, sizeOf("SichuanUkeire")).fill(0);
  engine.write("SichuanUkeire", out, { visible });
  const at = placeHand(engine, hand);
  engine.exports.sichuan_ukeire(
    engine.tables,
    engine.record("SichuanTools"),
    at,
    1,
    out,
    engine.workspace("faults", 1),
  );
  return engine.copy("SichuanUkeire", out);
}
