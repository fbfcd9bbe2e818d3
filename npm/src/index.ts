import { Engine, type Game } from "./engine.js";
import { JanshiError } from "./errors.js";
import type { Exports } from "./generated.js";
import * as hands from "./hands.js";
import { Table } from "./table.js";

export { JanshiError } from "./errors.js";
export type * from "./generated.js";
export {
  RiichiAction,
  RiichiDiscardFlag,
  RiichiEnding,
  RiichiEvent,
  RiichiMeldForm,
  RiichiOffer,
  RiichiPhase,
  RiichiYakuId,
  SichuanAction,
  SichuanDiscardFlag,
  SichuanEnding,
  SichuanEvent,
  SichuanFan,
  SichuanMeldForm,
  SichuanOffer,
  SichuanPhase,
  SichuanReady,
} from "./generated.js";
export type { Game } from "./engine.js";
export type { Discard, FanValue, Form, Hand, HandOptions, Score, SichuanOptions, WinOptions } from "./hands.js";
export { type GameRecords, type HandResult, type Input, Table } from "./table.js";
export { kindOf, kindsIn, parseTiles, tileText } from "./tiles.js";

/** Files of the engine, where they are not beside this module. */
export interface Files {
  /** `janshi.wasm`. */
  wasm?: BufferSource;
  /** `shanten.bin.gz`. */
  tables?: BufferSource;
}

/** The engine: tables and hand tools. */
export class Janshi {
  constructor(private readonly engine: Engine) {}

  /** Returns a table with its first hand dealt; `wall` replaces the wall of the seed. */
  table<G extends Game = Game>(
    rules: string,
    options: { seed?: number | bigint; wall?: ArrayLike<number> } = {},
  ): Table<G> {
    return new Table<G>(this.engine, rules, options.seed, options.wall);
  }

  /** Returns the number of tiles missing from tenpai: 0 tenpai, −1 complete. */
  shanten = (hand: hands.Hand, options?: hands.HandOptions & { form?: hands.Form }) =>
    hands.shanten(this.engine, hand, options);

  /** Returns the kinds that complete a hand. */
  waits = (hand: hands.Hand, options?: hands.HandOptions) => hands.waits(this.engine, hand, options);

  /** Returns the ukeire after each discard, the best first. */
  ukeire = (hand: hands.Hand, options?: hands.HandOptions & { visible?: hands.Hand }) =>
    hands.ukeire(this.engine, hand, options);

  /** Returns the score of a winning hand. */
  score = (tiles: string, options?: hands.WinOptions) => hands.score(this.engine, tiles, options);

  /** Returns the value of a complete Sichuan hand. */
  fan = (tiles: string, options?: hands.SichuanOptions & { rules?: string }) => hands.fan(this.engine, tiles, options);

  /** Returns the ukeire of a Sichuan hand. */
  sichuanUkeire = (tiles: string, options?: hands.SichuanOptions & { visible?: string }) =>
    hands.sichuanUkeire(this.engine, tiles, options);
}

/** Loads the engine, by default from the files beside this module. */
export async function load(files: Files = {}): Promise<Janshi> {
  const wasm = files.wasm ?? (await contentOf(new URL("./janshi.wasm", import.meta.url)));
  const packed = files.tables ?? (await contentOf(new URL("./shanten.bin.gz", import.meta.url)));
  const { instance } = await WebAssembly.instantiate(wasm);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const tables = new Uint8Array(await new Response(stream).arrayBuffer());
  return new Janshi(new Engine(instance.exports as unknown as Exports, tables));
}

async function contentOf(file: URL): Promise<BufferSource> {
  if (file.protocol === "file:") {
    const name = "node:fs/promises"; // a variable, so that bundlers for browsers leave it alone
    const { readFile } = (await import(/* @vite-ignore */ name)) as {
      readFile(file: URL): Promise<Uint8Array<ArrayBuffer>>;
    };
    return readFile(file);
  }
  const response = await fetch(file);
  if (!response.ok) throw new JanshiError(`${file.href}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}
