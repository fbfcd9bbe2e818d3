/** Records of Sichuan mahjong, one JSON object a line: the TypeScript of `janshi.sichuan.records.jsonl`. */
import {
  type Janshi,
  JanshiError,
  parseTiles,
  SICHUAN_CONFLICTS,
  SICHUAN_FIELDS,
  SichuanEvent as Logged,
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

const EVENTS = Object.fromEntries(
  Object.entries(Logged).map(([name, event]) => [name.toLowerCase().replaceAll("_", " "), event]),
);
const nameOf = (members: Record<string, number>, value: number): string =>
  Object.keys(members).find((name) => members[name] === value)!;

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
  if (!name) throw problem("a rule set has a name");
  const conflict = SICHUAN_CONFLICTS.find(([values]) =>
    Object.entries(values).every(([field, value]) => rules[field] === value),
  );
  if (conflict) throw problem(conflict[1]);
  return { name, changes, hands: rules["hands"] as number };
}

/** The number that stands for a field of the rules. */
function readField(field: string, value: unknown, problem: (text: string) => RecordError): number {
  const { choices, bounds, optional } = SICHUAN_FIELDS[field]!;
  if (choices) {
    if (typeof value !== "string" || !Object.hasOwn(choices, value))
      throw new RecordError(`rules: ${field} must be one of ${Object.keys(choices).join(", ")}`);
    return choices[value]!;
  }
  if (!bounds) {
    if (typeof value !== "boolean") throw problem(`${field} must be True or False, not ${JSON.stringify(value)}`);
    return Number(value);
  }
  if (value === null && optional) return NONE;
  if (!Number.isInteger(value)) throw problem(`${field} must be an integer, not ${JSON.stringify(value)}`);
  const [[least, most, unit], number] = [bounds, value as number];
  if (number < least || number > most)
    throw problem(`${field} is ${least} to ${most.toLocaleString("en", { useGrouping: "min2" })}${unit}, not ${number}`);
  return number;
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
  const event = typeof name === "string" && Object.hasOwn(EVENTS, name) ? EVENTS[name] : undefined;
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
    const { choices, bounds } = SICHUAN_FIELDS[field]!;
    if (choices) return [field, nameOf(choices, value)];
    return [field, bounds ? (value === NONE ? null : value) : value > 0];
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
