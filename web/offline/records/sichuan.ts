/** Records of Sichuan mahjong, one JSON object a line: the TypeScript of `janshi.sichuan.records.jsonl`. */
import {
  type Janshi,
  JanshiError,
  parseTiles,
  SICHUAN_FLAGS,
  SichuanAfterWins,
  SichuanEvent as Logged,
  SichuanExchange,
  SichuanGoldenWait,
  SichuanPassedWin,
  type Table,
  tileText,
} from "../../../npm/dist/index.js";
import { linesOf, RecordError, type Rules } from "./hand";

/** One event: a `SichuanEvent` and its three numbers. */
export type Row = readonly [event: number, first: number, second: number, third: number];

export interface SichuanHand {
  dealer: number;
  /** Points of the seats at the deal. */
  points: number[];
  wall: number[];
  events: Row[];
  /** Points after the hand. */
  end: number[];
}

/** One game of Sichuan mahjong. */
export interface SichuanRecord {
  game: "sichuan";
  players: 4;
  /** Name of the rules, which need be no preset. */
  rules: string;
  /** Fields of the rules that differ from those of the preset `sichuan`. */
  changes: Rules;
  names: string[];
  hands: SichuanHand[];
  /** Hands of the game before the first one recorded. */
  before: number;
}

export const FORMAT = "janshi-sichuan";
export const BASE = "sichuan";
const VERSION = 1;
const TILES = 108;
const KINDS = 27;
const SUITS = "mps";
const NONE = -1;

const namesOf = (members: Readonly<Record<string, number>>): Map<string, number> =>
  new Map(Object.entries(members).map(([name, value]) => [name.toLowerCase(), value]));
const EVENTS = new Map([...namesOf(Logged)].map(([name, event]) => [name.replaceAll("_", " "), event]));
const CHOICES: Record<string, Map<string, number>> = {
  exchange: namesOf(SichuanExchange),
  golden_wait_form: namesOf(SichuanGoldenWait),
  passed_win: namesOf(SichuanPassedWin),
  after_wins: namesOf(SichuanAfterWins),
};
/** Fields that may be null. */
const OPTIONAL = ["cap", "pig_fan"];

const nameOf = (members: Map<string, number>, value: number): string =>
  [...members].find(([, each]) => each === value)![0];

/** Whether a text is a record of this format. */
export function isSichuan(text: string): boolean {
  const line = text.split("\n", 1)[0]!;
  return line.startsWith("{") && line.includes('"format"') && line.includes(`"${FORMAT}"`);
}

// ---------------------------------------------------------------------------------------------------------
// Reading

type Fields = Readonly<Record<string, unknown>>;

/** Reads the games of a text. Throws `RecordError`. */
export function readSichuan(janshi: Janshi, text: string): SichuanRecord[] {
  const games: SichuanRecord[] = [];
  linesOf(text).forEach((line, index) => {
    if (!line.trim()) return;
    const value = readLine(line, index + 1);
    const game = games.at(-1);
    if ("format" in value) games.push(readHeader(janshi, value));
    else if (!game) throw new RecordError(`line ${index + 1}: a record must begin with a line with format and rules`);
    else game.hands.push(within(`hand ${game.hands.length + 1}`, () => readHand(value)));
  });
  return games;
}

/** Names the place of an error. */
function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new RecordError(`${place}${/^event \d/.test(error.message) ? "," : ":"} ${error.message}`);
  }
}

function readLine(line: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RecordError(`line ${number} is not valid JSON`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RecordError(`line ${number} is not an object`);
  return value as Fields;
}

function readHeader(janshi: Janshi, value: Fields): SichuanRecord {
  if (value["format"] !== FORMAT || value["version"] !== VERSION)
    throw new RecordError(
      `${JSON.stringify(value["format"])} version ${JSON.stringify(value["version"])}: ${FORMAT} ${VERSION} is read`,
    );
  const { names, hands_before: before = 0 } = value;
  if (!Array.isArray(names) || names.length !== 4 || names.some((name) => typeof name !== "string"))
    throw new RecordError("names must be four strings");
  const { name, changes, hands } = readRules(janshi, value["rules"]);
  if (!isNumber(before) || before < 0 || before >= hands)
    throw new RecordError("hands_before is a number of hands, less than those of a game");
  return { game: "sichuan", players: 4, rules: name, changes, names: names as string[], hands: [], before };
}

function readRules(janshi: Janshi, value: unknown): { name: string; changes: Rules; hands: number } {
  const given = value as Fields | null | undefined;
  const name = typeof given === "object" ? given?.["name"] : undefined;
  if (typeof name !== "string") throw new RecordError("rules must be an object with a name");
  const defaults = janshi.rulesOf(BASE);
  const fields = Object.keys(given!).filter((field) => field !== "name");
  const unknown = fields.sort().find((field) => !Object.hasOwn(defaults, field));
  if (unknown !== undefined) throw new RecordError(`rules: no field '${unknown}'`);
  const problem = (text: string) => new RecordError(`rules '${name}': ${text}`);
  const changes = Object.fromEntries(fields.map((field) => [field, readField(field, given![field], problem)]));
  const rules = { ...defaults, ...changes };
  const text = problemOf(name, rules);
  if (text) throw problem(text);
  return { name, changes, hands: rules["hands"] as number };
}

/** The number that stands for a field of the rules. */
function readField(field: string, value: unknown, problem: (text: string) => RecordError): number {
  const choices = CHOICES[field];
  if (choices) {
    const found = typeof value === "string" ? choices.get(value) : undefined;
    if (found === undefined) throw new RecordError(`rules: ${field} must be one of ${[...choices.keys()].join(", ")}`);
    return found;
  }
  if (SICHUAN_FLAGS.includes(field)) {
    if (typeof value !== "boolean") throw problem(`${field} must be True or False, not ${JSON.stringify(value)}`);
    return Number(value);
  }
  if (value === null && OPTIONAL.includes(field)) return NONE;
  if (!Number.isInteger(value)) throw problem(`${field} must be an integer, not ${JSON.stringify(value)}`);
  const [least, most, what] = BOUNDS[field]!;
  const number = value as number;
  if (number < least || number > most)
    throw problem(`${field} is ${least} to ${most.toLocaleString("en")}${what}, not ${number}`);
  return number;
}

const FAN = [
  ...["all_pungs", "full_flush", "seven_pairs", "golden_wait", "kong", "root"],
  ...["after_kong", "kong_discard", "robbing", "last_tile", "heaven", "earth"],
  ...["terminals", "jiang", "all_simples", "concealed", "self_draw"],
];
/** Bounds of the fields, with what they count. */
const BOUNDS: Record<string, [least: number, most: number, what: string]> = {
  players: [4, 4, " players"],
  hands: [1, 1000, ""],
  base_points: [1, 1000, ""],
  start: [0, 1_000_000, ""],
  ...Object.fromEntries(FAN.map((name) => [name, [0, 6, " fan"]])),
  ...Object.fromEntries(OPTIONAL.map((name) => [name, [0, 16, " fan, or None"]])),
  ...Object.fromEntries(
    ["self_draw_bonus", "exposed_kong", "concealed_kong", "added_kong"].map((name) => [name, [0, 1000, " points"]]),
  ),
};

/** What makes a rule set unplayable, if anything: see `janshi.sichuan.rules`. */
function problemOf(name: string, rules: Rules): string | null {
  if (!name) return "a rule set has a name";
  if (rules["kong_discard_refund"] && rules["kong_transfer"])
    return "a kong's money goes to its payers or to the winners, not to both (kong_discard_refund, kong_transfer)";
  if (rules["cap"] !== NONE) return null;
  if (rules["heaven_is_cap"])
    return "heaven and earth cannot be worth the cap where there is none (heaven_is_cap, cap)";
  const unpaid = rules["flower_pig"] && rules["pig_fan"] === NONE;
  return unpaid ? "a flower pig pays the cap, and there is none: set pig_fan" : null;
}

const isNumber = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
const arePoints = (value: unknown): boolean => Array.isArray(value) && value.length === 4 && value.every(isNumber);

/** Checks of the fields of a hand, with their requirements in words. */
const FIELDS: Record<string, [fits: (value: unknown) => boolean, words: string]> = {
  points: [arePoints, "are four whole numbers"],
  end: [arePoints, "are four whole numbers"],
  dealer: [(value) => isNumber(value) && value >= 0 && value <= 3, "is a seat, 0 to 3"],
  wall: [(value) => typeof value === "string" && value.length === 2 * TILES, `is a text of ${TILES} tiles`],
  events: [Array.isArray, "are a list"],
};

function readHand(value: Fields): SichuanHand {
  for (const [name, [fits, words]] of Object.entries(FIELDS))
    if (!fits(value[name])) throw new RecordError(`${name} ${words}`);
  const wall = Array.from({ length: TILES }, (_, tile) => readTile((value["wall"] as string).substr(2 * tile, 2)));
  const counts = new Int8Array(KINDS);
  for (const tile of wall) counts[tile]! += 1;
  if (counts.some((count) => count !== 4)) throw new RecordError("the wall must contain each tile four times");
  const events = (value["events"] as unknown[]).map((event, index) =>
    within(`event ${index + 1}`, () => readEvent(event)),
  );
  const points = (name: string) => value[name] as number[];
  return { dealer: value["dealer"] as number, points: points("points"), wall, events, end: points("end") };
}

function readTile(value: unknown): number {
  let tiles: number[] = [];
  try {
    if (typeof value === "string") tiles = parseTiles(value);
  } catch (error) {
    if (!(error instanceof JanshiError)) throw error;
  }
  if (tiles.length !== 1 || tiles[0]! >= KINDS) throw new RecordError(`${JSON.stringify(value)} is not a tile`);
  return tiles[0]!;
}

function readEvent(value: unknown): Row {
  const [name, first, second, third] = Array.isArray(value) && value.length === 4 ? (value as unknown[]) : [];
  const event = typeof name === "string" ? EVENTS.get(name) : undefined;
  if (event === undefined || !isNumber(first))
    throw new RecordError("an event must be a name and three values, the first of them a seat");
  if (event === Logged.VOID) {
    const suit = typeof second === "string" && second.length === 1 ? SUITS.indexOf(second) : -1;
    if (suit < 0) throw new RecordError(`${JSON.stringify(second)} is not a suit`);
    return [event, first, suit, third === null ? -1 : readTile(third)];
  }
  if (!isNumber(third)) throw new RecordError("the last value of an event must be an integer");
  if (event < Logged.WIN_PAY) return [event, first, readTile(second), third];
  if (!isNumber(second)) throw new RecordError("a payment must have two seats");
  return [event, first, second, third];
}

// ---------------------------------------------------------------------------------------------------------
// Writing

/** The events of the hand at a table. */
export function rowsOf({ state: { log, logged } }: Table<"sichuan">): Row[] {
  return Array.from({ length: logged }, (_, row) => [...log.slice(4 * row, 4 * row + 4)] as unknown as Row);
}

/** The hand that is over at a table. */
export function handAt(table: Table<"sichuan">): SichuanHand {
  const { dealer, before, wall } = table.state;
  return { dealer, points: [...before], wall: [...wall], events: rowsOf(table), end: table.scores };
}

export function eventJson([event, first, second, third]: Row): unknown[] {
  const name = nameOf(EVENTS, event);
  if (event >= Logged.WIN_PAY) return [name, first, second, third];
  if (event === Logged.VOID) return [name, first, SUITS[second], third >= 0 ? tileText(third) : null];
  return [name, first, tileText(second), third];
}

function rulesJson(janshi: Janshi, name: string, fields: Rules): Fields {
  const usual = janshi.rulesOf(BASE);
  const changed = Object.entries(fields as Record<string, number>).filter(([field, value]) => value !== usual[field]);
  const texts = changed.map(([field, value]) => {
    if (CHOICES[field]) return [field, nameOf(CHOICES[field], value)];
    if (SICHUAN_FLAGS.includes(field)) return [field, value > 0];
    return [field, value === NONE && OPTIONAL.includes(field) ? null : value];
  });
  return { name, ...Object.fromEntries(texts) };
}

/** A game as lines of JSON; `fields`: those of its rules. */
export function writeSichuan(janshi: Janshi, game: Omit<SichuanRecord, "changes">, fields: Rules): string {
  const rules = rulesJson(janshi, game.rules, fields);
  const header = { format: FORMAT, version: VERSION, rules, names: game.names };
  const hands = game.hands.map((hand) => ({
    ...hand,
    wall: hand.wall.map(tileText).join(""),
    events: hand.events.map(eventJson),
  }));
  const first = game.before ? { ...header, hands_before: game.before } : header;
  return [first, ...hands].map((line) => `${JSON.stringify(line)}\n`).join("");
}
