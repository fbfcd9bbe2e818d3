/** Records of Mahjong Soul in JSON: the TypeScript of `janshi.riichi.records.majsoul`. */
import {
  type Janshi,
  parseTiles,
  RiichiDrawnTile as Drawn,
  RiichiEnding as Ending,
  RiichiEvent as Row,
  RiichiTurned as Turned,
} from "../../../npm/dist/index.js";
import { sum } from "../side";
import { endsInEast, HandRows, RecordError, type RiichiHand, type RiichiRecord } from "./hand";

/** A message, or what surrounds messages; values are checked as they are read. */
type Data = { [field: string]: unknown };
type Message = [name: string, data: Data];

/** By the numbers of their types. */
const CALLS = [Row.CHII, Row.PON, Row.DAIMINKAN];
const OWN_KANS: Record<number, number> = { 2: Row.KAKAN, 3: Row.ANKAN };
const ABORTS: Record<number, number> = {
  ...{ 1: Ending.KYUUSHU_KYUUHAI, 2: Ending.FOUR_WINDS, 3: Ending.FOUR_KANS },
  ...{ 4: Ending.FOUR_RIICHI, 5: Ending.TRIPLE_RON },
};
const KNOWN = "NewRound DealTile DiscardTile ChiPengGang AnGangAddGang BaBei Hule NoTile LiuJu dora".split(" ");
/** Endings of the rules' name by the last digit of `mode.mode`. */
const ENDINGS = ["-hand", "-east", "", "-east", "-hand"];
const RANKED = 2;
/** Rules of a room that change nothing here: times, and the number of red fives, which the tiles show. */
const HARMLESS = /^(time_|dora_count$|bianjietishi$|ai_level$)/;

/** Whether a JSON text is a record of Mahjong Soul. */
export const isMajsoul = (text: string): boolean =>
  /"(?:(?:\.?lq\.)?(?:(?:Record|Action)?NewRound|GameDetailRecords)"|ChUubHEuR2FtZURldGFpbFJlY29yZHMS)/.test(text);

// ---------------------------------------------------------------------------------------------------------
// Finding the messages

const shortName = (name: unknown): string => String(name).replace(/^\.?(lq\.)?(Record)?/, "");

/** The part of a record that holds the messages; nothing for a message. */
function bodyOf(value: Data): unknown {
  if ("name" in value && shortName(value["name"]) !== "GameDetailRecords") return undefined;
  const field = ["data", "record", "records", "actions", "rounds"].find((name) => value[name]);
  return field && value[field];
}

function messagesIn(value: unknown): Message[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (typeof value !== "object" || value === null)
    throw new RecordError("the record of Mahjong Soul is packed: this page reads its JSON");
  const data = value as Data;
  const body = bodyOf(data);
  if (typeof data["name"] === "string" && body === undefined)
    return [[shortName(data["name"]), (data["data"] ?? {}) as Data]];
  return data["result"] ? messagesIn(data["result"]) : body === undefined ? [] : messagesIn(body);
}

// ---------------------------------------------------------------------------------------------------------
// Reading

const whole = (value: unknown): number => Number(value ?? 0);
const list = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);
function tileOf(text: unknown): number {
  if (typeof text !== "string" || !/^([0-9][mps]|[1-7]z)$/.test(text))
    throw new RecordError(`${JSON.stringify(text)} is not a tile`);
  return parseTiles(text)[0]!;
}
const tilesOf = (texts: unknown): number[] => list(texts).map(tileOf);

/** Reads one game. */
export function readMajsoul(janshi: Janshi, record: unknown): RiichiRecord {
  const { head: first, header } = record as Data;
  const head = (first ?? header ?? {}) as Data;
  const messages = messagesIn(record);
  const start = messages.find(([name]) => name === "NewRound")?.[1];
  const other = messages.find(([name]) => !KNOWN.includes(name));
  if (other?.[0].startsWith("Action")) throw new RecordError("this is one player's view of a game, not a record of it");
  if (other) throw new RecordError(`Mahjong Soul's message ${other[0].slice(0, 40)} is not supported`);
  if (!start) throw new RecordError("the record contains no hand (RecordNewRound)");
  const players = [0, 1, 2, 3].filter((seat) => list(start[`tiles${seat}`]).length).length;
  const { rules, isNamed } = rulesOf(head, messages, players);
  const reader = new Reader(janshi, rules, players);
  for (const [name, data] of messages) reader.take(name, data);
  reader.endHand(null);
  const names = Array.from({ length: players }, (_, seat) => `P${seat}`);
  for (const account of list<Data>(head["accounts"]))
    if (account["nickname"]) names[whole(account["seat"])] = String(account["nickname"]);
  const east = !isNamed && endsInEast(reader.hands, players, reader.points) ? "-east" : "";
  const { hands } = reader;
  return {
    game: "riichi",
    players,
    rules: rules + east,
    changes: {},
    names: names.slice(0, players),
    hands,
    end: endOf(head, players),
  };
}

function rulesOf(head: Data, messages: readonly Message[], players: number): { rules: string; isNamed: boolean } {
  const config = (head["config"] ?? {}) as Data;
  const mode = (config["mode"] ?? {}) as Data;
  const detail = Object.entries((mode["detail_rule"] ?? {}) as Data);
  const ranked = config["category"] === RANKED;
  if (!ranked && detail.some(([name, value]) => value && !HARMLESS.test(name)))
    throw new RecordError("games of rooms with rules of their own need the Python package");
  const number = whole(mode["mode"]);
  let rules = `mahjong-soul${players === 3 ? "-sanma" : ""}${number ? (ENDINGS[number % 10] ?? "") : ""}`;
  const shown = messages.filter(([name]) => name === "NewRound" || name === "DealTile");
  if (!ranked && !/0[mps]/.test(JSON.stringify(shown))) rules += "-nored";
  return { rules, isNamed: number > 0 };
}

function endOf(head: Data, players: number): RiichiRecord["end"] {
  const found = list<Data>((head["result"] as Data | undefined)?.["players"]);
  const seats = Array.from({ length: players }, (_, seat) => found.find((each) => whole(each["seat"]) === seat));
  if (seats.some((each) => !each)) return {};
  const scores = seats.map((each) => whole(each!["part_point_1"]));
  return { scores, points: seats.map((each) => whole(each!["total_point"]) / 1000) };
}

class Reader {
  readonly hands: RiichiHand[] = [];
  points: readonly number[] = [];
  private hand: HandRows | null = null;
  /** Dora indicators turned over. */
  private shown = 1;
  /** Nothing has been discarded yet: the dealer's 14 tiles came at once. */
  private dealt = false;
  /** A drawn hand whose payments follow from the points of the next one. */
  private unpaid = false;

  constructor(
    private readonly janshi: Janshi,
    private readonly rules: string,
    private readonly players: number,
  ) {}

  take(name: string, data: Data): void {
    if (name === "NewRound") return this.start(data);
    const { hand } = this;
    if (!hand) throw new RecordError(`${name} before the first hand starts`);
    const seat = whole(data["seat"]);
    const doras = data["doras"];
    if (["DealTile", "DiscardTile"].includes(name)) this.reveal(hand, doras);
    if (name === "DealTile") hand.add(Row.DRAW, seat, tileOf(data["tile"]));
    else if (name === "DiscardTile") this.discard(hand, seat, data);
    else if (name === "ChiPengGang") this.call(hand, seat, data);
    else if (name === "AnGangAddGang") this.ownKan(hand, seat, data);
    else if (name === "BaBei") hand.add(Row.KITA, seat);
    else if (name === "dora") this.reveal(hand, [...Array(this.shown).fill(""), data["dora_marker"]]);
    else if (name === "Hule") this.win(hand, data);
    else if (name === "NoTile") this.exhausted(hand, data);
    else if (ABORTS[whole(data["type"])] === undefined)
      throw new RecordError(`a drawn hand with an unknown reason (${String(data["type"])})`);
    else hand.drawnHand(ABORTS[whole(data["type"])]!, Array<number>(this.players).fill(0));
    if (["AnGangAddGang", "BaBei"].includes(name)) this.reveal(hand, doras);
    this.dealt = false;
  }

  private start(data: Data): void {
    const points = list<number>(data["scores"]).slice(0, this.players);
    this.endHand(points);
    const dealer = whole(data["ju"]);
    const deal = Array.from({ length: this.players }, (_, seat) => tilesOf(data[`tiles${seat}`]));
    const [indicator] = tilesOf(data["doras"] ?? data["dora_indicators"] ?? [data["dora"] ?? data["dora_marker"]]);
    const fourteenth = deal[dealer]?.length === 14 ? deal[dealer].pop() : undefined;
    const start = {
      kyoku: 4 * whole(data["chang"]) + dealer,
      honba: whole(data["ben"] ?? data["honba"]),
      deposits: whole(data["liqibang"]),
      dealer,
      points,
    };
    this.hand = new HandRows(this.janshi, this.janshi.rulesOf(this.rules), start, indicator!, deal);
    this.shown = 1;
    this.dealt = fourteenth !== undefined;
    if (fourteenth !== undefined) this.hand.add(Row.DRAW, dealer, fourteenth);
  }

  /** Finishes the hand; `following` are the points after it, if known. */
  endHand(following: readonly number[] | null): void {
    const { hand } = this;
    if (!hand) return;
    const finished = hand.finish();
    if (this.unpaid && !following) throw new RecordError("the payments of the drawn hand are missing");
    if (this.unpaid) finished.events.at(-2)!["deltas"] = following!.map((points, seat) => points - hand.points[seat]!);
    this.points = following ?? hand.points;
    this.unpaid = false;
    this.hands.push(finished);
    this.hand = null;
  }

  /** Turns over new dora indicators; the record lists all of them each time. */
  private reveal(hand: HandRows, doras: unknown): void {
    for (const name of list(doras).slice(this.shown)) {
      hand.add(Row.DORA, -1, tileOf(name), -1, Turned.BEFORE_DISCARD);
      this.shown++;
    }
  }

  private discard(hand: HandRows, seat: number, data: Data): void {
    if (data["is_liqi"] || data["is_wliqi"]) hand.add(Row.RIICHI, seat);
    const drawn = this.dealt ? Drawn.IF_EQUAL : Drawn.YES;
    hand.add(Row.DISCARD, seat, tileOf(data["tile"]), -1, data["moqie"] ? drawn : Drawn.NO);
  }

  private call(hand: HandRows, seat: number, data: Data): void {
    const tiles = tilesOf(data["tiles"]);
    const froms = list<number>(data["froms"]);
    const event = CALLS[whole(data["type"])];
    const at = froms.findIndex((from) => from !== seat);
    if (!event || at < 0) throw new RecordError(`invalid call: type ${String(data["type"])} of ${tiles.length} tiles`);
    const [tile] = tiles.splice(at, 1);
    hand.add(event, seat, tile!, froms[at]!, ...tiles.slice(0, 4));
  }

  private ownKan(hand: HandRows, seat: number, data: Data): void {
    const named = data["tiles"];
    const event = OWN_KANS[whole(data["type"])];
    if (!event) throw new RecordError(`invalid kan: type ${String(data["type"])}`);
    hand.add(event, seat, tileOf(Array.isArray(named) ? named[0] : named));
  }

  /** The values of wins follow from the hands; the record's payments are those of all winners together. */
  private win(hand: HandRows, data: Data): void {
    const hules = list<Data>(data["hules"]);
    if (!hules.length) throw new RecordError("a win without a winner");
    const longest = (name: string) =>
      hules.map((hule) => list(hule[name])).reduce((one, other) => (other.length > one.length ? other : one));
    this.reveal(hand, longest("doras"));
    const { offerer } = hand;
    const total = list<number>(data["delta_scores"]).slice(0, this.players);
    hand.ura(tilesOf(longest("li_doras")));
    hules
      .sort((a, b) => ((whole(a["seat"]) - offerer + 4) % 4) - ((whole(b["seat"]) - offerer + 4) % 4))
      .forEach((hule, number) => {
        const seat = whole(hule["seat"]);
        hand.win(seat, hule["zimo"] ? seat : offerer, number || !total.length ? {} : { deltas: total });
      });
  }

  private exhausted(hand: HandRows, data: Data): void {
    const parts = list<Data>(data["scores"]).filter((part) => part["delta_scores"]);
    const paid = parts.map((part) => list<number>(part["delta_scores"]).slice(0, this.players));
    const nagashi = Boolean(data["liujumanguan"]);
    const seats = list<Data>(data["players"]).slice(0, this.players);
    const shown = seats.length ? [...seats.keys()].filter((seat) => seats[seat]!["tingpai"]) : null;
    // All or none tenpai: nobody pays. Otherwise it is inferred from what follows.
    this.unpaid = !paid.length && (nagashi || !shown || (shown.length > 0 && shown.length < this.players));
    const deltas = Array.from({ length: this.players }, (_, seat) => sum(paid.map((part) => part[seat]!)));
    hand.drawnHand(nagashi ? Ending.NAGASHI_MANGAN : Ending.EXHAUSTIVE, this.unpaid ? null : deltas, shown);
  }
}
