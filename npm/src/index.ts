import { Engine, gameOf, rulesOf } from "./engine.js";
import { JanshiError } from "./errors.js";
import { type Exports, type Game, GAMES } from "./generated.js";
import * as hands from "./hands.js";
import * as losses from "./losses.js";
import { Table, type TableOptions } from "./table.js";

export { JanshiError } from "./errors.js";
export type * from "./generated.js";
export {
  GAMES,
  HIDDEN_FIELDS,
  RiichiAction,
  RiichiDiscardFlag,
  RiichiDrawnTile,
  RiichiEnding,
  RiichiEvent,
  RiichiMeldForm,
  RiichiOffer,
  RiichiPhase,
  RiichiTurned,
  RiichiYakuId,
  SichuanAction,
  SichuanAfterWins,
  SichuanDiscardFlag,
  SichuanEnding,
  SICHUAN_CONFLICTS,
  SICHUAN_FIELDS,
  SichuanEvent,
  SichuanExchange,
  SichuanFan,
  SichuanGoldenWait,
  SichuanMeldForm,
  SichuanOffer,
  SichuanPassedWin,
  SichuanPhase,
  SichuanReady,
} from "./generated.js";
export type {
  Discard,
  FanValue,
  Form,
  Hand,
  HandOptions,
  Score,
  SichuanOptions,
  WinOptions,
} from "./hands.js";
export type { Difference, MeasuredLoss } from "./losses.js";
export {
  type HandResult,
  type HandStart,
  type Input,
  type Outcomes,
  type PlainData,
  type PlayedOption,
  type SichuanStart,
  Table,
  type TableOptions,
} from "./table.js";
export { writeRecord } from "./records.js";
export type { Hidden } from "./sampling.js";
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
  /** @internal */
  constructor(readonly engine: Engine) {}

  /** Returns a table with its first hand dealt. */
  table<G extends Game = Game>(rules: string, options: TableOptions = {}): Table<G> {
    return new Table<G>(this.engine, rules, options);
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

  /** Returns decisions by what the reviewer's choice gains, most first. */
  byGain = <D extends losses.Difference>(rows: readonly D[]) => losses.byGain(this.engine, rows);

  /** Returns the summary of the losses of a game: `Losses` of the page, and `moments`. */
  summaryOf = (measured: readonly losses.MeasuredLoss[]) => losses.summaryOf(this.engine, measured);

  /** Returns the name of a preset at a length of games of the page, and the fields that differ from those of the name. */
  rulesAt = (preset: string, length: string) => GAMES[gameOf(preset)].rules[preset]!.lengths[length]!;

  /** Returns the fields of a rule set, as records store them. */
  rulesOf = (name: string) => rulesOf(gameOf(name), name);

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
  return new Janshi(new Engine(instance.exports as unknown as Exports, await unpacked(packed)));
}

/** Unpacks gzip, unless the server has sent the file as content packed for the way alone. */
async function unpacked(packed: BufferSource): Promise<Uint8Array> {
  const bytes = ArrayBuffer.isView(packed)
    ? new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength)
    : new Uint8Array(packed);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
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
