/** Records of any format that the page without a server reads. */
import { type Game, type Janshi, JanshiError } from "../../../npm/dist/index.js";
import { RecordError, type RiichiRecord } from "./hand";
import { isMajsoul, readMajsoul } from "./majsoul";
import { gamesOfMjai, readMjai } from "./mjai";
import { readMjlog } from "./mjlog";
import { isSichuan, readSichuan, type SichuanRecord } from "./sichuan";
import { gamesOfTenhou6, jsonOf, readTenhou6 } from "./tenhou6";

export { RecordError } from "./hand";

/** One game of any kind. */
export type GameRecord = RiichiRecord | SichuanRecord;

/** The game of a record. */
export const gameOf = (record: GameRecord): Game => record.game ?? "riichi";

const LARGEST = 4 << 20;
const MOST_HANDS = 64;
/** Marks of formats that only Python reads. */
const UNREAD = /"(?:qipai|handRecord|handEventRecord)"/;

/** The text of a record's bytes, unpacked. */
export async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw new RecordError("this page reads no archives: unpack the file first");
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const stream = packed ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")) : null;
  try {
    const plain = stream ? await new Response(stream).arrayBuffer() : bytes;
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    throw new RecordError(packed ? "the record is damaged: it cannot be unpacked" : "the record is not text");
  }
}

/** Reads a game (from 1) of a record. Throws `RecordError`. */
export function readRecord(janshi: Janshi, text: string, number: number): GameRecord {
  if (text.length > LARGEST) throw new RecordError("the record is too long");
  const games = gamesOf(janshi, text.replace(/^\ufeff/, "").trim());
  const game = games[number - 1];
  if (!game) throw new RecordError(`the record has ${games.length} games, there is no game ${number}`);
  const found = read(game);
  if (!found.hands.length) throw new RecordError("the record contains no hand");
  if (found.hands.length > MOST_HANDS)
    throw new RecordError(`the game has ${found.hands.length} hands: the limit is ${MOST_HANDS}`);
  const names = Array.from({ length: found.players }, (_, seat) => found.names[seat] ?? `P${seat}`);
  return { ...found, names };
}

/** Damaged values that a reader does not name are refused in general. */
function read(game: () => GameRecord): GameRecord {
  try {
    return game();
  } catch (error) {
    if (error instanceof RecordError) throw error;
    if (error instanceof JanshiError || error instanceof TypeError || error instanceof URIError)
      throw new RecordError(`the record is damaged (${error.message})`);
    throw error;
  }
}

/** Sites that show records to their users alone, by marks of their links; as in `janshi.riichi.records.crawl.links`. */
const CLOSED = [
  {
    mark: /(?:maj-soul|mahjongsoul)[\w.-]*\/|paipu=\d{6}-[0-9a-z]{8}-/i,
    advice:
      "Mahjong Soul shows records to its users alone. " +
      "Open the record there, save it as JSON with a userscript or converter, and open that file.",
  },
  {
    mark: /(?:riichi-?city|mahjong-jp)[\w.-]*\//i,
    advice:
      "Riichi City shows records to its users alone. " +
      "Convert the site's answer for the record with janshi convert, and open that file.",
  },
];

/** The seat that a link shows; 0 for other texts. */
export function seatOf(text: string): number {
  return text.length < LARGEST && !/^\s*[<{[]/.test(text) ? Number(/[?&#]tw=([0-3])(?!\d)/.exec(text)?.[1] ?? 0) : 0;
}

/** The games of a text, by format. */
function gamesOf(janshi: Janshi, text: string): (() => GameRecord)[] {
  const closed = /^[<{[]/.test(text) || text.length > 4000 ? undefined : CLOSED.find(({ mark }) => mark.test(text));
  if (closed) throw new RecordError(closed.advice);
  if (text.startsWith("<")) return [() => readMjlog(janshi, text)];
  const line = text.split("\n", 1)[0]!;
  if (/^[{[]/.test(line) && UNREAD.test(text))
    throw new RecordError(
      "this page without a server reads no records of kobalab's programs or of Riichi City: " +
        "convert the file with janshi convert, or open it in janshi play",
    );
  if (isSichuan(text)) return readSichuan(janshi, text).map((game) => () => game);
  if (/^[{[]/.test(line) && isMajsoul(text)) return jsonOf(text).map((record) => () => readMajsoul(janshi, record));
  if (/^[{[]/.test(line) && line.includes('"type"') && !line.includes('"log"'))
    return gamesOfMjai(text).map((events) => () => readMjai(janshi, events));
  return gamesOfTenhou6(text).map((record) => () => readTenhou6(janshi, record));
}
