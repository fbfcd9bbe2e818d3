/** The JSON of tenhou.net/6, Tenhou's viewer of records: the TypeScript of `janshi.riichi.records.tenhou6`. */
import { GAMES } from "../../../npm/dist/generated.js";
import {
  type Janshi,
  RiichiDrawnTile as Drawn,
  RiichiEnding as Ending,
  RiichiEvent as Row,
} from "../../../npm/dist/index.js";
import { YAKU } from "../../src/riichi/yaku";
import { endsInEast, HandRows, linesOf, RecordError, type RiichiRecord, rowOf, type Rules } from "./hand";
import { namedRules } from "./mjai";
import { rulesOfFlags } from "./mjlog";

/** A game object; its values are checked as they are read. */
interface Log {
  log: unknown[][];
  name?: string[];
  ref?: string;
  rule?: Record<string, unknown>;
  sc?: number[];
}

const LIMITS = ["", "満貫", "跳満", "倍満", "三倍満", "役満"];
const REASONS: Record<string, number> = {
  ...{ 流局: Ending.EXHAUSTIVE, 全員聴牌: Ending.EXHAUSTIVE, 全員不聴: Ending.EXHAUSTIVE },
  ...{ 流し満貫: Ending.NAGASHI_MANGAN, 九種九牌: Ending.KYUUSHU_KYUUHAI, 四風連打: Ending.FOUR_WINDS },
  ...{ 四家立直: Ending.FOUR_RIICHI, 四槓散了: Ending.FOUR_KANS, 三家和了: Ending.TRIPLE_RON },
};
const DORA = 52;
/** Whom a call is from, by the index of its letter (in tiles): counted from the caller among four seats. */
const DISCARDERS = [3, 2, 1, 1];
const CALLS = { c: Row.CHII, p: Row.PON, m: Row.DAIMINKAN };
const KANS = { k: Row.KAKAN, a: Row.ANKAN, f: Row.KITA };

const plain = (name: string) =>
  name
    .replace(/[\s:：・]/g, "")
    .replace("么", "幺")
    .replace("発", "發");

// ---------------------------------------------------------------------------------------------------------
// Games

/** The game objects of a text: one, a list of them, a line each, or addresses of the viewer. */
export function gamesOfTenhou6(text: string): Log[] {
  const values = /^[{[]/.test(text) ? jsonOf(text) : linesOf(text).filter(Boolean).map(ofAddress);
  const games = values.flat() as Log[];
  if (!games.length || games.some((game) => !Array.isArray(game?.log)))
    throw new RecordError("not a record of tenhou.net/6: it has no list named log");
  return games;
}

/** The JSON values of a text: one, or one in each line. */
export function jsonOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch (error) {
    try {
      return linesOf(text)
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new RecordError(`not valid JSON, or incomplete (${(error as Error).message})`);
    }
  }
}

function ofAddress(line: string): unknown {
  const named = /[?&]log=(\d{10}gm-[0-9a-f]{4}-[0-9]{4,8}-x?[0-9a-f]{8,12})(?![0-9a-z])/.exec(line);
  const at = line.indexOf("json=");
  if (at < 0 && named) {
    const where = `https://tenhou.net/0/log/?${named[1]}`;
    throw new RecordError(`the link contains no record: save the page ${where} , and use that file`);
  }
  if (at < 0) throw new RecordError("no record: neither mjlog, JSON, nor an address of Tenhou's viewer (…#json=…)");
  try {
    // The seat and the place may follow the record.
    const text = decodeURIComponent(line.slice(at + 5).trim());
    return JSON.parse(text.slice(0, text.lastIndexOf("}") + 1));
  } catch {
    throw new RecordError("the address contains no complete JSON");
  }
}

/** Reads one game. */
export function readTenhou6(janshi: Janshi, record: Log): RiichiRecord {
  const { log, rule = {} } = record;
  const list = (hand: unknown[], at: number) => hand[at] as unknown[];
  const three =
    log.every((hand) => !list(hand, 13)?.length && !list(hand, 14)?.length) && !(list(log[0] ?? [], 1)?.[3] as number);
  const players = three ? 3 : 4;
  const disp = String(rule["disp"] ?? "");
  let [rules, isTenhou] = rulesNamed(janshi, disp, players, record.ref ?? "");
  let changes: Rules = {};
  const reds = redsOf(rule, log, players, janshi.rulesOf(rules)["red_fives"] as readonly number[]);
  if (reds.join() !== Array.from(janshi.rulesOf(rules)["red_fives"] as readonly number[]).join()) {
    if (reds.some(Boolean)) changes = { red_fives: reds };
    else rules += "-nored";
  }
  let points: number[] = [];
  const hands = log.map((hand, number) => {
    try {
      const read = readHand(janshi, { ...janshi.rulesOf(rules), ...changes }, hand, players);
      points = read.points;
      return read.finish();
    } catch (error) {
      if (error instanceof RecordError) throw new RecordError(`hand ${number + 1}: ${error.message}`);
      throw error;
    }
  });
  const named = isTenhou || !record.rule || !(rules in GAMES.riichi.rules);
  if (!named && (disp.includes("東") || endsInEast(hands, players, points))) rules += "-east";
  const seats = [...Array(players).keys()];
  const sc = record.sc ?? [];
  const end =
    sc.length >= 2 * players
      ? { scores: seats.map((seat) => sc[2 * seat]!), points: seats.map((seat) => sc[2 * seat + 1]!) }
      : {};
  return { game: "riichi", players, rules, changes, names: (record.name ?? []).slice(0, players), hands, end };
}

/** Name of the rules, and whether it follows from the name of one of Tenhou's tables. */
function rulesNamed(janshi: Janshi, disp: string, players: number, ref: string): [rules: string, isTenhou: boolean] {
  const table = /^(三?)[般上特鳳]([東南])(喰?)(赤?)(速?)$/.exec(disp);
  const sanma = players === 3 ? 0x10 : 0;
  if (table && Boolean(table[1]) === (players === 3)) {
    const [, , length, open, red] = table;
    const flags = 1 | sanma | (length === "南" ? 8 : 0) | (open ? 0 : 4) | (red ? 0 : 2);
    return [rulesOfFlags(flags, ref), true];
  }
  const parlour = /^([三四])[若銀琥孔](東速|南)祝([025])$/.exec(disp);
  if (parlour && (parlour[1] === "三") === (players === 3)) {
    const chips = { "0": 0x400, "2": 0x200, "5": 0x600 }[parlour[3]!]!;
    return [rulesOfFlags(1 | sanma | chips | (parlour[2] === "南" ? 8 : 0), ref), true];
  }
  if (namedRules(janshi, disp, players)) return [disp, false];
  if (/の間|友人戦|大会戦|^mahjong-soul/.test(disp) || /^\d{6}-[0-9a-z]{8}(-[0-9a-z]{4}){3}-[0-9a-z]{12}/.test(ref))
    return [players === 3 ? "mahjong-soul-sanma" : "mahjong-soul", false];
  return [rulesOfFlags(8 | sanma, ref), false];
}

/** The red fives of man, pin and sou: as named, else as seen. */
function redsOf(rule: Record<string, unknown>, log: unknown, players: number, usual: readonly number[]): number[] {
  let reds = ["aka51", "aka52", "aka53"].map((name) => Number(rule[name] ?? 0));
  if (!["aka51", "aka52", "aka53"].some((name) => name in rule)) {
    const seen = /\b5[123]\b|[a-z](?:\d\d)*5[123]/.test(JSON.stringify(log));
    reds = "aka" in rule ? Array<number>(3).fill(Math.min(Number(rule["aka"]), 1)) : seen ? [...usual] : [0, 0, 0];
  }
  return players === 3 ? [0, reds[1]!, reds[2]!] : reds;
}

// ---------------------------------------------------------------------------------------------------------
// Hands

function tileOf(number: unknown): number {
  const code = Number(number);
  const [suit, rank] = [Math.floor(code / 10), code % 10];
  if (suit === 5 && rank >= 1 && rank <= 3) return 33 + rank;
  if (!Number.isInteger(code) || suit < 1 || suit > 4 || rank < 1 || (suit === 4 && rank > 7))
    throw new RecordError(`${JSON.stringify(number)} is not a tile`);
  return 9 * (suit - 1) + rank - 1;
}

const isCall = (entry: unknown): entry is string => typeof entry === "string" && !/^r?\d+$/.test(entry);

/** The row of a call or kan; the place of its letter says whom it is from. */
function callRow(seat: number, text: string, events: Record<string, number>): number[] {
  const match = /^((?:\d\d)*)([a-z])((?:\d\d)+)$/.exec(text);
  const event = events[match?.[2] ?? ""];
  if (!match || event === undefined) throw new RecordError(`invalid call ${JSON.stringify(text)}`);
  const tiles = (match[1]! + match[3]!).match(/../g)!.map(tileOf);
  const index = match[1]!.length / 2;
  const [tile] = tiles.splice(index, 1);
  if (event >= Row.ANKAN) return rowOf(event, seat, tile!);
  return rowOf(event, seat, tile!, (seat + (DISCARDERS[index] ?? 0)) % 4, ...tiles.slice(0, 4));
}

/** The rows of a seat: see `janshi.riichi.records.ordering`. */
function rowsOf(seat: number, takes: unknown[], discards: unknown[]): number[][] {
  if (discards.length > takes.length)
    throw new RecordError(`${discards.length} discards after ${takes.length} tiles taken`);
  return takes.flatMap((take, at) => {
    const row = isCall(take) ? callRow(seat, take, CALLS) : rowOf(Row.DRAW, seat, tileOf(take));
    const entry = discards[at];
    if (at >= discards.length) return [row];
    if (row[0] === Row.DAIMINKAN && entry === 0) return [row];
    if (row[0] === Row.DAIMINKAN) throw new RecordError("a discard after an open kan before the replacement draw");
    if (isCall(entry)) return [row, callRow(seat, entry, KANS)];
    const riichi = typeof entry === "string" && entry.startsWith("r");
    const out = riichi ? entry.slice(1) : entry;
    const drawn = Number(out) === 60;
    const how = drawn ? [-1, -1, Drawn.YES] : [tileOf(out), -1, Drawn.NO];
    return [row, rowOf(Row.DISCARD, seat, ...how, Number(riichi))];
  });
}

/** Reads one hand. */
function readHand(janshi: Janshi, rules: Rules, log: unknown[], players: number): HandRows {
  if (log.length !== 17) throw new RecordError(`the hand has ${log.length} entries, not 17`);
  const [counts, scores, dora, ura] = log as number[][];
  const [kyoku, honba, deposits] = counts as [number, number, number];
  const seats = [...Array(players).keys()];
  const start = { kyoku, honba, deposits, dealer: kyoku % 4, points: scores!.slice(0, players) };
  const doras = dora!.map(tileOf);
  if (!doras.length) throw new RecordError("no dora indicator");
  const deal = seats.map((seat) => (log[4 + 3 * seat] as unknown[]).map(tileOf));
  const hand = new HandRows(janshi, rules, start, doras[0]!, deal);
  const rows = seats.flatMap((seat) => rowsOf(seat, log[5 + 3 * seat] as unknown[], log[6 + 3 * seat] as unknown[]));
  const [name, ...ends] = log[16] as [string, ...unknown[]];
  const ending = name === "和了" ? Ending.RON : REASONS[name];
  if (ending === undefined) throw new RecordError(`unknown result ${JSON.stringify(name ?? null)}`);
  const wins = ending === Ending.RON ? ends : [];
  if (ending === Ending.RON && (!wins.length || wins.length % 2))
    throw new RecordError("winners and payments are not in pairs");
  const [winner, discarder] = (wins[1] ?? [-1, -1]) as number[];
  const shown = hand.addUnordered(rows, doras, { ending, winner: winner!, discarder: discarder! });
  if (shown !== doras.length)
    throw new RecordError(`${doras.length} dora indicators in the list, ${shown} turned over`);
  if (ending !== Ending.RON) {
    const deltas = ((ends[0] as number[] | undefined) ?? seats.map(() => 0)).slice(0, players);
    hand.drawnHand(ending, deltas, { 全員聴牌: seats, 全員不聴: [] }[name]);
  } else hand.ura(ura!.map(tileOf));
  for (let at = 0; at < wins.length; at += 2)
    readWin(
      hand,
      (wins[at] as number[]).slice(0, players),
      wins[at + 1] as [number, number, number, string, ...string[]],
    );
  return hand;
}

function readWin(hand: HandRows, deltas: number[], win: [number, number, number, string, ...string[]]): void {
  const [who, target, pao, value, ...texts] = win;
  const [yaku, yakuman] = yakuOf(texts);
  hand.win(who, target, {
    deltas,
    fan: yaku.reduce((total, [, han]) => total + han!, 0),
    ...valueOf(value, deltas.length, who === target),
    yaku,
    ...(yakuman.length ? { yakuman } : {}),
    ...(pao === who ? {} : { pao }),
  });
}

/** Tenhou's numbers of the yaku by their Japanese names. */
const NUMBERS: Record<string, number> = {
  ...Object.fromEntries(YAKU.map(([, , japanese], number) => [plain(japanese), number])),
  ...{ ダブル立直: 21, 自摸: 0, 国士無双十三面: 48, 国士無双十三面待ち: 48, 抜きドラ: DORA },
};

function yakuOf(texts: readonly string[]): [yaku: number[][], yakuman: number[]] {
  const counted = new Map<number, number>();
  const yakuman: number[] = [];
  for (const text of texts) {
    const match = /^(.+?)\(?(?:(\d+)[飜翻番]|([^()]*役満))\)?$/.exec(text.slice(0, 40));
    const number = match ? NUMBERS[plain(match[1]!)] : undefined;
    if (!match || number === undefined) throw new RecordError(`unknown yaku ${JSON.stringify(text.slice(0, 40))}`);
    if (match[2] === undefined) yakuman.push(number);
    else counted.set(number, (counted.get(number) ?? 0) + Number(match[2]));
  }
  return [[...counted], yakuman];
}

/** Fu, points of all payers together, and limit, from a text like `40符3飜5200点`. */
function valueOf(
  text: string,
  players: number,
  selfDraw: boolean,
): { fu?: number; hora_points: number; limit: number } {
  const match = /^(?:(\d+)符(\d+)[飜翻番])?(\D*?)(\d+)(?:-(\d+))?点(∀?)$/.exec(text);
  if (!match) throw new RecordError(`invalid value of a hand ${JSON.stringify(text)}`);
  const [, fu, , name, points, dealerPoints, allPay] = match;
  let value = Number(points);
  if (allPay) value *= players - 1;
  else if (selfDraw && dealerPoints) value = (players - 2) * value + Number(dealerPoints);
  const limit = LIMITS.includes(name!) ? LIMITS.indexOf(name!) : name!.includes("役満") ? 5 : 0;
  return { ...(fu ? { fu: Number(fu) } : {}), hora_points: value, limit };
}
