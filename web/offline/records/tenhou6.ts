/** The JSON of tenhou.net/6, Tenhou's viewer of records: the TypeScript of `janshi.riichi.records.tenhou6`. */
import { GAMES } from "../../../npm/dist/generated.js";
import { type Janshi, kindOf } from "../../../npm/dist/index.js";
import { YAKU } from "../../src/riichi/yaku";
import { type Event, toMjai } from "../side";
import { endsInEast, HandEvents, linesOf, RecordError, type RiichiRecord, type Rules } from "./hand";
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
const REASONS: Record<string, string> = {
  流局: "fanpai",
  全員聴牌: "fanpai",
  全員不聴: "fanpai",
  流し満貫: "nagashimangan",
  九種九牌: "kyushukyuhai",
  四風連打: "sufonrenta",
  四家立直: "suchareach",
  四槓散了: "sukaikan",
  三家和了: "sanchaho",
};
const DORA = 52;
const AT_ONCE = 1;
/** Whom a call is from, by the index of its letter (in tiles): counted from the caller among four seats. */
const DISCARDERS = [3, 2, 1, 1];
const CALLS = { c: "chi", p: "pon", m: "daiminkan" } as const;
const KANS = { k: "kakan", a: "ankan", f: "nukidora" } as const;
/** Steps tried before the search for an order is given up. */
const PATIENCE = 50_000;

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
  const hands = log.map((hand, number) => {
    try {
      return new Reader({ ...janshi.rulesOf(rules), ...changes }, hand, players).read();
    } catch (error) {
      if (error instanceof RecordError) throw new RecordError(`hand ${number + 1}: ${error.message}`);
      throw error;
    }
  });
  const named = isTenhou || !record.rule || !(rules in GAMES.riichi.rules);
  if (!named && (disp.includes("東") || endsInEast(hands, players))) rules += "-east";
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
  try {
    if (janshi.rulesOf(disp)["players"] === players) return [disp, false];
  } catch {
    // no name of a rule set
  }
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

/** One entry of a seat's takes with the entry of its discards beside it. */
interface Step {
  /** How the tile was taken: null for a draw. */
  call: "chi" | "pon" | "daiminkan" | null;
  tile: number;
  own: number[];
  discarder: number;
  /** What was done then: null if the hand ended, or a replacement follows an open kan. */
  action: "dahai" | "kakan" | "ankan" | "nukidora" | null;
  out: number;
  tsumogiri: boolean;
  riichi: boolean;
}

const goesOn = (step: Step) => step.call === "daiminkan" || (step.action !== null && step.action !== "dahai");

function tileOf(number: unknown): number {
  const code = Number(number);
  const [suit, rank] = [Math.floor(code / 10), code % 10];
  if (suit === 5 && rank >= 1 && rank <= 3) return 33 + rank;
  if (!Number.isInteger(code) || suit < 1 || suit > 4 || rank < 1 || (suit === 4 && rank > 7))
    throw new RecordError(`${JSON.stringify(number)} is not a tile`);
  return 9 * (suit - 1) + rank - 1;
}

/** The letter of a call, whom it is from, the tile after the letter, and the others. */
function split(text: string): [letter: string, discarder: number, tile: number, others: number[]] {
  const match = /^((?:\d\d)*)([cpmkaf])((?:\d\d)+)$/.exec(text);
  if (!match) throw new RecordError(`invalid call ${JSON.stringify(text)}`);
  const tiles = (match[1]! + match[3]!).match(/../g)!.map(tileOf);
  const index = match[1]!.length / 2;
  const [tile] = tiles.splice(index, 1);
  return [match[2]!, DISCARDERS[index] ?? 0, tile!, tiles];
}

const isCall = (entry: unknown): entry is string => typeof entry === "string" && !/^\d+$/.test(entry);

const NOTHING_DONE = { action: null, out: -1, tsumogiri: false, riichi: false };

function stepsOf(takes: unknown[], discards: unknown[]): Step[] {
  if (discards.length > takes.length)
    throw new RecordError(`${discards.length} discards after ${takes.length} tiles taken`);
  return takes.map((take, at) => {
    const step: Step = { call: null, tile: -1, own: [], discarder: 0, ...NOTHING_DONE };
    if (isCall(take)) {
      const [letter, discarder, tile, own] = split(take);
      if (!(letter in CALLS)) throw new RecordError(`invalid entry ${JSON.stringify(take)} among the takes`);
      Object.assign(step, { call: CALLS[letter as keyof typeof CALLS], discarder, tile, own });
    } else step.tile = tileOf(take);
    if (at < discards.length) act(step, discards[at]);
    return step;
  });
}

function act(step: Step, entry: unknown): void {
  if (step.call === "daiminkan") {
    if (entry !== 0) throw new RecordError("a discard after an open kan before the replacement draw");
    return;
  }
  let discard = entry;
  if (typeof discard === "string" && discard.startsWith("r")) {
    step.riichi = true;
    discard = discard.slice(1);
  } else if (isCall(discard)) {
    const [letter, , tile] = split(discard);
    if (!(letter in KANS)) throw new RecordError(`invalid entry ${JSON.stringify(entry)} among the discards`);
    step.action = KANS[letter as keyof typeof KANS];
    step.out = tile;
    return;
  }
  step.action = "dahai";
  step.tsumogiri = Number(discard) === 60;
  step.out = step.tsumogiri ? step.tile : tileOf(discard);
}

class Reader {
  private readonly hand: HandEvents;
  private readonly steps: Step[][];
  private readonly dora: number[];
  private readonly ura: string[];
  private readonly result: unknown[];
  private readonly dealer: number;

  constructor(
    private readonly rules: Rules,
    log: unknown[],
    private readonly players: number,
  ) {
    if (log.length !== 17) throw new RecordError(`the hand has ${log.length} entries, not 17`);
    const [counts, scores, dora, ura] = log as number[][];
    const [kyoku, honba, deposits] = counts!;
    this.dealer = kyoku! % 4;
    this.dora = dora!.map(tileOf);
    this.ura = ura!.map((number) => toMjai(tileOf(number)));
    const seats = [...Array(players).keys()];
    const start = { kyoku: kyoku!, honba: honba!, deposits: deposits!, dealer: this.dealer };
    const points = scores!.slice(0, players);
    if (!this.dora.length) throw new RecordError("no dora indicator");
    const deal = seats.map((seat) => (log[4 + 3 * seat] as unknown[]).map(tileOf));
    this.hand = new HandEvents(rules, { ...start, points }, this.dora[0]!, deal);
    this.steps = seats.map((seat) => stepsOf(log[5 + 3 * seat] as unknown[], log[6 + 3 * seat] as unknown[]));
    this.result = log[16] as unknown[];
    if (typeof this.result?.[0] !== "string") throw new RecordError("the hand has no result");
  }

  read(): Event[] {
    const { hand, dora } = this;
    const order = this.order();
    const atOnce = this.rules["kan_dora"] === AT_ONCE;
    let [pending, shown] = [0, 1];
    const reveal = () => {
      for (const tile of dora.slice(shown, shown + pending)) hand.indicator(tile);
      shown += pending;
      pending = 0;
    };
    order.forEach(([seat, index], position) => {
      const step = this.steps[seat]![index]!;
      const isLast = position === order.length - 1;
      if (step.call === null) hand.draw(seat, step.tile);
      else hand.call(step.call, seat, (seat + step.discarder) % 4, step.tile, step.own);
      if (goesOn(step)) {
        // Indicators of earlier open kans are turned over now, a closed kan's own at once.
        if (step.action === "ankan") hand.closedKan(seat, kindOf(step.out));
        else if (step.action === "kakan") hand.addedKan(seat, step.out);
        else if (step.action === "nukidora") hand.kita(seat);
        const open = step.action === "kakan" || (step.action === null && step.call === "daiminkan");
        pending += Number(step.action === "ankan") + Number(open && atOnce);
        // Robbed: nothing is turned over before the claims are settled.
        if (isLast) pending = Math.min(pending, dora.length - shown);
        reveal();
        pending = Number(open && !atOnce);
      } else if (step.action === "dahai") {
        reveal();
        if (step.riichi) hand.riichi(seat);
        hand.discard(seat, step.out, step.tsumogiri);
        if (step.riichi && !(isLast && this.wonOnDiscard())) hand.accept();
      }
    });
    if (shown !== dora.length)
      throw new RecordError(`${dora.length} dora indicators in the list, ${shown} turned over`);
    this.end();
    return hand.finish();
  }

  private wonOnDiscard(): boolean {
    const [name, , win] = this.result as [string, unknown, number[]];
    return name === "和了" ? win[0] !== win[1] : REASONS[name] === "sanchaho";
  }

  /** The order of all steps, as seat and number of its step: see the Python module. */
  private order(): [seat: number, index: number][] {
    const nexts = this.steps.map(() => 0);
    const order: [number, number][] = [];
    const choices: { length: number; options: number[] }[] = [];
    if (this.steps.every((steps) => !steps.length)) return [];
    let options = [this.dealer];
    for (let tries = 0; tries < PATIENCE; tries++) {
      if (!options.length && this.isEnd(order, nexts)) return order;
      while (!options.length) {
        const choice = choices.pop();
        if (!choice) throw new RecordError("no order of draws, calls and discards is consistent");
        ({ options } = choice);
        for (const [seat, index] of order.splice(choice.length).reverse()) nexts[seat] = index;
      }
      const [seat, ...others] = options as [number, ...number[]];
      if (others.length) choices.push({ length: order.length, options: others });
      order.push([seat, nexts[seat]!]);
      nexts[seat]! += 1;
      options = this.options(seat, nexts);
    }
    throw new RecordError("no consistent order of draws, calls and discards was found in reasonable time");
  }

  /** The seats that may act after a seat's latest step, the likeliest first. */
  private options(seat: number, nexts: readonly number[]): number[] {
    const upcoming = (other: number) => this.steps[other]![nexts[other]!];
    const step = this.steps[seat]![nexts[seat]! - 1]!;
    if (goesOn(step)) return upcoming(seat)?.call === null ? [seat] : [];
    if (step.action === null) return [];
    const callers = [...this.steps.keys()].filter((other) => {
      const after = upcoming(other);
      const from = after && (other + after.discarder) % 4;
      return other !== seat && after && after.call !== null && after.tile === step.out && from === seat;
    });
    const chiiLast = (other: number) => Number(upcoming(other)!.call === "chi");
    callers.sort((a, b) => chiiLast(a) - chiiLast(b) || a - b);
    const turn = (seat + 1) % this.players;
    return upcoming(turn)?.call === null ? [...callers, turn] : callers;
  }

  /** Whether every list is used up and the last step fits the result. */
  private isEnd(order: readonly [number, number][], nexts: readonly number[]): boolean {
    if (nexts.some((done, seat) => done !== this.steps[seat]!.length)) return false;
    const [seat, index] = order.at(-1)!;
    const ended = this.steps[seat]![index]!.action === null;
    const [name, , win] = this.result as [string, unknown, number[]];
    if (name === "和了") return seat === win[1] && ended === (win[0] === win[1]);
    return ended === (REASONS[name] === "kyushukyuhai");
  }

  private end(): void {
    const { hand, players, result } = this;
    const name = result[0] as string;
    if (name !== "和了") {
      const reason = REASONS[name];
      if (!reason) throw new RecordError(`unknown result ${JSON.stringify(name)}`);
      const seats = [...Array(players).keys()];
      const deltas = ((result[1] as number[] | undefined) ?? seats.map(() => 0)).slice(0, players);
      const all = { 全員聴牌: seats, 全員不聴: [] }[name];
      hand.drawnHand(reason, deltas, all ?? hand.shown(reason, deltas));
      return;
    }
    if (result.length < 3 || result.length % 2 === 0) throw new RecordError("winners and payments are not in pairs");
    for (let at = 1; at < result.length; at += 2) {
      const [who, target, pao, value, ...texts] = result[at + 1] as [number, number, number, string, ...string[]];
      const [yaku, yakuman] = yakuOf(texts);
      hand.win(who, target, {
        deltas: (result[at] as number[]).slice(0, players),
        ura_markers: this.ura,
        fan: yaku.reduce((total, [, han]) => total + han!, 0),
        ...valueOf(value, players, who === target),
        yaku,
        ...(yakuman.length ? { yakuman } : {}),
        ...(pao === who ? {} : { pao }),
      });
    }
  }
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
