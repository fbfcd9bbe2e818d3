import { JanshiError } from "./errors.js";
import { type Exports, type Game, type GameFunctions, GAMES, type Records, type RuleFields } from "./generated.js";
import { readRecord, sizeOf, type Values, writeRecord } from "./records.js";

/** The compiled module and its memory. */
export class Engine {
  /** Address of the shanten tables. */
  readonly tables: number;
  /** The functions of each game, which are exported under its name. */
  readonly functions: Readonly<Record<Game, GameFunctions>>;
  private end: number;
  private readonly free = new Map<number, number[]>();
  private readonly kept = new Map<string, number>();

  constructor(
    readonly exports: Exports,
    tables: Uint8Array,
  ) {
    this.end = Number(exports.__heap_base.value);
    this.tables = this.allocate(tables.length);
    this.bytes(this.tables, tables.length).set(tables);
    const named = Object.entries(exports);
    const own = (game: string) =>
      named.flatMap(([name, call]) => (name.startsWith(`${game}_`) ? [[name.slice(game.length + 1), call] as const] : []));
    const games = Object.keys(GAMES).map((game) => [game, Object.fromEntries(own(game))]);
    this.functions = Object.fromEntries(games) as typeof this.functions;
  }

  get buffer(): ArrayBuffer {
    return this.exports.memory.buffer as ArrayBuffer;
  }

  /** Returns the address of new memory, all zeros. */
  allocate(size: number): number {
    const rounded = Math.ceil(Math.max(size, 1) / 64) * 64;
    let address = this.free.get(rounded)?.pop();
    if (address === undefined) {
      address = Math.ceil(this.end / 64) * 64;
      this.end = address + rounded;
      const lacking = this.end - this.buffer.byteLength;
      if (lacking > 0) this.exports.memory.grow(Math.ceil(lacking / 65536));
    }
    this.bytes(address, rounded).fill(0);
    return address;
  }

  /** Gives memory back for later allocations of that size. */
  release(address: number, size: number): void {
    const rounded = Math.ceil(Math.max(size, 1) / 64) * 64;
    this.free.set(rounded, [...(this.free.get(rounded) ?? []), address]);
  }

  /** Returns the address of memory that is made once under a name, as a workspace of calls. */
  workspace(name: string, size: number): number {
    const key = `${name} ${size}`;
    const address = this.kept.get(key) ?? this.allocate(size);
    this.kept.set(key, address);
    return address;
  }

  /** Returns the address of the workspace for a record. */
  record(name: keyof Records): number {
    return this.workspace(name, sizeOf(name));
  }

  bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.buffer, address, length);
  }

  signed(address: number, length: number): Int8Array {
    return new Int8Array(this.buffer, address, length);
  }

  /** Returns a copy of a record, which later calls do not change. */
  copy<Name extends keyof Records>(name: Name, address: number): Records[Name] {
    return readRecord(name, this.buffer.slice(address, address + sizeOf(name)), 0);
  }

  write(name: keyof Records, address: number, values: Values): void {
    writeRecord(name, this.buffer, address, values);
  }

  /** Writes a rule set to the workspace of its record; returns the address. */
  rules(game: Game, fields: RuleFields): number {
    const record = GAMES[game].records.rules;
    const address = this.record(record);
    this.bytes(address, sizeOf(record)).fill(0);
    this.write(record, address, fields as Values);
    return address;
  }
}

interface Held {
  engine: Engine;
  address: number;
  size: number;
}

const release = ({ engine, address, size }: Held) => engine.release(address, size);
const abandoned = new FinalizationRegistry(release);
const memory = new WeakMap<object, Held[]>();

/** Returns the address of new memory for an object, which is given back when it is let go or collected. */
export function held(engine: Engine, owner: object, size: number): number {
  const found = { engine, address: engine.allocate(size), size };
  memory.set(owner, [...(memory.get(owner) ?? []), found]);
  abandoned.register(owner, found, owner);
  return found.address;
}

/** Gives an object's memory back. */
export function letGo(owner: object): void {
  abandoned.unregister(owner);
  memory.get(owner)?.forEach(release);
  memory.delete(owner);
}

/** Fields of a rule set with some changed. */
export function changed(name: string, fields: RuleFields, changes: RuleFields): RuleFields {
  const unknown = Object.keys(changes).find((field) => !Object.hasOwn(fields, field));
  if (unknown !== undefined)
    throw new JanshiError(`rules ${name} have no field ${unknown}; there are ${Object.keys(fields).join(", ")}`);
  const wrong = Object.keys(changes).find((field) => typeof changes[field] !== typeof fields[field]);
  if (wrong !== undefined) throw new JanshiError(`rules ${name}: ${wrong} is no ${typeof fields[wrong]}`);
  return { ...fields, ...changes };
}

/** Returns the game of a rule set's name. */
export function gameOf(name: string): Game {
  for (const game of Object.keys(GAMES) as Game[]) if (find(game, name)) return game;
  const names = Object.values(GAMES).flatMap((data) => Object.keys(data.rules));
  throw new JanshiError(`no rules named ${JSON.stringify(name)}; there are ${names.join(", ")}`);
}

/** Returns the fields of a rule set: a preset's name, with suffixes in any order (`tenhou-sanma-hand`). */
export function rulesOf(game: Game, name: string): RuleFields {
  const found = find(game, name);
  if (!found)
    throw new JanshiError(
      `no rules of ${game} named ${JSON.stringify(name)}; there are ${Object.keys(GAMES[game].rules).join(", ")}`,
    );
  return found;
}

function find(game: Game, name: string): RuleFields | undefined {
  const presets = GAMES[game].rules;
  if (typeof name !== "string") return undefined;
  let base = name;
  const used: string[] = [];
  while (!Object.hasOwn(presets, base)) {
    const suffix = Object.keys(Object.values(presets)[0]!.endings).find((each) => base.endsWith(each));
    if (suffix === undefined) return undefined;
    used.push(suffix);
    base = base.slice(0, -suffix.length);
  }
  const preset = presets[base]!;
  return Object.assign({}, preset.fields, ...used.map((suffix) => preset.endings[suffix]));
}

/** Checks a whole number; `what` names it in the error. */
export function whole(what: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw new JanshiError(`${what} must be a whole number from ${least} to ${most}, not ${String(value)}`);
  return value;
}
