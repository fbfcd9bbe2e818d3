/** Tenhou's mjlog XML: the TypeScript of `janshi.riichi.records.mjlog`. */
import type { Janshi } from "../../../npm/dist/index.js";
import { toMjai } from "../side";
import { HandEvents, RecordError, type RiichiRecord } from "./hand";

const REASONS: Record<string, string> = {
  "": "fanpai",
  yao9: "kyushukyuhai",
  kaze4: "sufonrenta",
  reach4: "suchareach",
  kan4: "sukaikan",
  ron3: "sanchaho",
  nm: "nagashimangan",
};
const SILENT = ["BYE", "TAIKYOKU", "SHUFFLE", "mjloggm", "/mjloggm"];
// Bits of Tenhou's type of a game.
const [NO_RED, NO_OPEN_TANYAO, EAST_SOUTH, SANMA, FAST] = [0x02, 0x04, 0x08, 0x10, 0x40];
const [PARLOUR_CHIPS, PARLOUR, TOUTENKOU, KNOWN] = [0x200, 0x400, 0x800, 0xfff];

/** Name of the rules of Tenhou's type of a game; `name` is the record's, which tells the year. */
export function rulesOfFlags(flags: number, name = ""): string {
  if (flags & TOUTENKOU || flags & ~KNOWN) throw new RecordError(`games of Tenhou's type ${flags} are not supported`);
  const parlour = flags & (PARLOUR | PARLOUR_CHIPS);
  const short = !(flags & EAST_SOUTH);
  const year = /(20\d\d)\d{6}gm-/.exec(name)?.[1];
  return [
    flags & SANMA ? "tenhou-sanma" : "tenhou",
    parlour && "-parlour",
    short && "-east",
    flags & NO_RED && "-nored",
    flags & NO_OPEN_TANYAO && "-noopen",
    flags & PARLOUR_CHIPS && (flags & PARLOUR ? "-chips5" : "-chips2"),
    parlour && short && (flags & FAST && !(flags & SANMA) ? "-start30" : "-honba500"),
    year !== undefined && Number(year) < 2010 && "-2009",
  ]
    .filter(Boolean)
    .join("");
}

interface Meld {
  type: "chi" | "pon" | "daiminkan" | "ankan" | "kakan" | "nukidora";
  /** Ids of all tiles. */
  tiles: number[];
  /** The id that is called, added, or names the kan. */
  tile: number;
  /** Seat of the tile, counted from the caller among four. */
  from: number;
}

/** The set of a 16-bit code. */
function meldOf(code: number): Meld {
  const from = code & 3;
  const wrong = new RecordError(`${code} is not the code of a set`);
  if (code & 0x4) {
    const first = Math.floor((code >> 10) / 3);
    const kind = Math.floor(first / 7) * 9 + (first % 7);
    const tiles = [0, 1, 2].map((step) => 4 * (kind + step) + ((code >> (3 + 2 * step)) & 3));
    if (!(first <= 20 && from === 3)) throw wrong;
    return { type: "chi", tiles, tile: tiles[(code >> 10) % 3]!, from };
  }
  const four = (kind: number) => [0, 1, 2, 3].map((copy) => 4 * kind + copy);
  if (code & 0x18) {
    const kind = Math.floor((code >> 9) / 3);
    const fourth = 4 * kind + ((code >> 5) & 3);
    const tiles = four(kind).filter((id) => id !== fourth);
    if (kind > 33 || !from) throw wrong;
    return code & 0x8
      ? { type: "pon", tiles, tile: tiles[(code >> 9) % 3]!, from }
      : { type: "kakan", tiles: [fourth], tile: fourth, from };
  }
  const tile = code >> 8;
  if (!(tile <= 135)) throw wrong;
  if (code & 0x20) return { type: "nukidora", tiles: [tile], tile, from };
  return { type: from ? "daiminkan" : "ankan", tiles: four(tile >> 2), tile, from };
}

class Reader {
  readonly game: RiichiRecord = {
    ...{ game: "riichi", players: 4, rules: "", changes: {} },
    ...{ names: [], hands: [], end: {} },
  };
  private reds: readonly number[] = [];
  private name = "";
  private hand: HandEvents | null = null;
  /** The tile just drawn, by id. */
  private drawn = -1;
  private ura: string[] = [];

  constructor(private readonly janshi: Janshi) {}

  private tile = (id: number): number => {
    if (!(Number.isInteger(id) && id >= 0 && id < 136)) throw new RecordError(`${id} is not a tile id`);
    const kind = id >> 2;
    return id % 4 === 0 && kind < 27 && kind % 9 === 4 && this.reds[Math.floor(kind / 9)]
      ? 34 + Math.floor(kind / 9)
      : kind;
  };

  private get playing(): HandEvents {
    if (!this.hand) throw new RecordError("events before the first hand starts");
    return this.hand;
  }

  take(tag: string, of: (name: string) => string, has: (name: string) => boolean): void {
    const move = /^([T-WD-G])(\d+)$/.exec(tag);
    const seatOf = (name: string) => Number(of(name));
    if (move) this.move(move[1]!, Number(move[2]));
    else if (tag === "GO") this.go(Number(of("type")));
    else if (tag === "UN") {
      if (!this.game.names.length && has("n0"))
        this.game.names = Array.from({ length: this.game.players }, (_, seat) =>
          has(`n${seat}`) ? decodeURIComponent(of(`n${seat}`)) : "",
        );
    } else if (tag === "INIT") this.init(of);
    else if (tag === "N") this.meld(seatOf("who"), meldOf(Number(of("m"))));
    else if (tag === "REACH") of("step") === "1" ? this.playing.riichi(seatOf("who")) : this.playing.accept();
    else if (tag === "DORA") this.playing.indicator(this.tile(Number(of("hai"))));
    else if (tag === "AGARI") this.agari(of, has);
    else if (tag === "RYUUKYOKU") this.ryuukyoku(of, has);
    else if (!SILENT.includes(tag)) throw new RecordError(`unknown tag <${tag.slice(0, 40)}>`);
    if (tag === "SHUFFLE" && has("ref")) this.name = of("ref");
  }

  private go(flags: number): void {
    this.game.players = flags & SANMA ? 3 : 4;
    this.game.rules = rulesOfFlags(flags, this.name);
    this.reds = this.janshi.rulesOf(this.game.rules)["red_fives"] as readonly number[];
  }

  private init(of: (name: string) => string): void {
    const { players, rules } = this.game;
    if (!rules) throw new RecordError("the first hand starts before the type of the game (GO) is known");
    this.endHand();
    const [kyoku, honba, deposits, , , dora] = numbers(of("seed"));
    const points = hundreds(of("ten")).slice(0, players);
    const start = { kyoku: kyoku!, honba: honba!, deposits: deposits!, dealer: Number(of("oya")), points };
    const deal = points.map((_, seat) => numbers(of(`hai${seat}`)).map(this.tile));
    this.hand = new HandEvents(this.janshi.rulesOf(rules), start, this.tile(dora!), deal);
    this.ura = [];
  }

  private move(letter: string, id: number): void {
    const tile = this.tile(id);
    const draws = "TUVW".indexOf(letter);
    if (draws >= 0) this.playing.draw(draws, tile);
    else this.playing.discard("DEFG".indexOf(letter), tile, id === this.drawn);
    this.drawn = draws >= 0 ? id : -1;
  }

  private meld(who: number, { type, tiles, tile, from }: Meld): void {
    const hand = this.playing;
    const own = tiles.filter((id) => id !== tile).map(this.tile);
    if (type === "nukidora") hand.kita(who);
    else if (type === "ankan") hand.closedKan(who, tile >> 2);
    else if (type === "kakan") hand.addedKan(who, this.tile(tile));
    else hand.call(type, who, (who + from) % 4, this.tile(tile), own);
  }

  private agari(of: (name: string) => string, has: (name: string) => boolean): void {
    const list = (name: string) => (has(name) ? numbers(of(name)) : []);
    const [fu, points, limit] = numbers(of("ten"));
    const pairs = list("yaku");
    const yaku = pairs.flatMap((number, at) => (at % 2 ? [] : [[number, pairs[at + 1]!]]));
    const ura = list("doraHaiUra").map((id) => toMjai(this.tile(id)));
    if (ura.length > this.ura.length) this.ura = ura;
    this.playing.win(Number(of("who")), Number(of("fromWho")), {
      deltas: this.deltas(of("sc")),
      fan: yaku.reduce((total, [, han]) => total + han!, 0),
      fu: fu!,
      hora_points: points!,
      limit: limit!,
      yaku,
      ...(has("yakuman") ? { yakuman: numbers(of("yakuman")) } : {}),
      ...(has("paoWho") ? { pao: Number(of("paoWho")) } : {}),
    });
    this.result(of, has);
  }

  private ryuukyoku(of: (name: string) => string, has: (name: string) => boolean): void {
    const reason = REASONS[has("type") ? of("type") : ""];
    if (reason === undefined) throw new RecordError(`unknown reason ${of("type")} of a drawn hand`);
    const seats = [...Array(this.game.players).keys()];
    const shown = seats.filter((seat) => has(`hai${seat}`) && of(`hai${seat}`));
    this.playing.drawnHand(reason, this.deltas(of("sc")), shown);
    this.result(of, has);
  }

  private deltas(sc: string): number[] {
    return hundreds(sc)
      .filter((_, at) => at % 2)
      .slice(0, this.game.players);
  }

  private result(of: (name: string) => string, has: (name: string) => boolean): void {
    if (!has("owari")) return;
    const pairs = numbers(of("owari"));
    const seats = [...Array(this.game.players).keys()];
    const scores = seats.map((seat) => 100 * pairs[2 * seat]!);
    this.game.end = { scores, points: seats.map((seat) => pairs[2 * seat + 1]!) };
  }

  endHand(): void {
    if (!this.hand) return;
    const events = this.hand.finish();
    for (const event of events) if (event.type === "hora") event["ura_markers"] = this.ura;
    this.game.hands.push(events);
  }
}

const numbers = (text: string): number[] => {
  const found = text === "" ? [] : text.split(",").map(Number);
  if (found.some(Number.isNaN)) throw new RecordError(`${text.slice(0, 40)} are no numbers`);
  return found;
};
const hundreds = (text: string): number[] => numbers(text).map((number) => 100 * number);

/** Reads one game. */
export function readMjlog(janshi: Janshi, text: string): RiichiRecord {
  if (!text.slice(0, 2000).includes("<mjloggm"))
    throw new RecordError("not an mjlog: it does not start with <mjloggm>");
  if (!text.includes("</mjloggm>")) throw new RecordError("the record is incomplete: no </mjloggm> at its end");
  const reader = new Reader(janshi);
  for (const [, token] of text.matchAll(/<([^<>?!][^<>]*)>/g)) {
    const tag = token!.split(/\s/)[0]!.replace(/(?<=.)\/$/, "");
    const found = new Map([...token!.matchAll(/([A-Za-z_]\w*)\s*=\s*["']([^"']*)["']/g)].map(([, a, b]) => [a!, b!]));
    const of = (name: string) => {
      const value = found.get(name);
      if (value === undefined) throw new RecordError(`<${tag}> lacks ${name}`);
      return value;
    };
    reader.take(tag, of, (name) => found.has(name));
  }
  reader.endHand();
  return reader.game;
}
