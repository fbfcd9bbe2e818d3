/** Tenhou's mjlog XML as rows of tile ids: see `janshi.riichi.records.mjlog`. */
import { TENHOU_RULES } from "../../../npm/dist/generated.js";
import { type Janshi, RiichiDrawnTile as Drawn, RiichiEvent as Row } from "../../../npm/dist/index.js";
import { HandRows, RecordError, type RiichiRecord } from "./hand";

/** Tenhou's reasons of drawn hands in the order of the engine's endings. */
const REASONS = ["", "yao9", "kaze4", "reach4", "kan4", "ron3", "nm"];
const SILENT = ["BYE", "TAIKYOKU", "mjloggm", "/mjloggm", "SHUFFLE"];
// Bits of Tenhou's type of a game: three players, those that decide the rules, and those that are known.
const [SANMA, DECIDING, KNOWN] = [0x10, 0x65e, 0x7ff];
/** Event of a row that is a set by its code: see `janshi.riichi.records.building`. */
const SET = 11;

/** Name of the rules of Tenhou's type of a game; `name` is the record's, which tells the year. */
export function rulesOfFlags(flags: number, name = ""): string {
  const rules = TENHOU_RULES[flags & DECIDING];
  if (rules === undefined || flags & ~KNOWN) throw new RecordError(`games of Tenhou's type ${flags} are not supported`);
  const year = /(20\d\d)\d{6}gm-/.exec(name)?.[1];
  return rules + (Number(year) < 2010 ? "-2009" : "");
}

type Attributes = { of: (name: string) => string; has: (name: string) => boolean };

class Reader {
  readonly game: RiichiRecord = { game: "riichi", players: 4, rules: "", changes: {}, names: [], hands: [], end: {} };
  private name = "";
  private hand: HandRows | null = null;

  constructor(private readonly janshi: Janshi) {}

  private get playing(): HandRows {
    if (!this.hand) throw new RecordError("events before the first hand starts");
    return this.hand;
  }

  take(tag: string, { of, has }: Attributes): void {
    const { game } = this;
    const move = /^([T-WD-G])(\d+)$/.exec(tag);
    const number = (name: string) => numbers(of(name))[0]!;
    const draws = "TUVW".indexOf(move?.[1] ?? "");
    if (move && draws >= 0) this.playing.add(Row.DRAW, draws, Number(move[2]));
    else if (move) this.playing.add(Row.DISCARD, "DEFG".indexOf(move[1]!), Number(move[2]), -1, Drawn.IF_EQUAL);
    else if (tag === "GO") {
      game.players = number("type") & SANMA ? 3 : 4;
      game.rules = rulesOfFlags(number("type"), this.name);
    } else if (tag === "UN" && !game.names.length && has("n0"))
      game.names = [0, 1, 2, 3]
        .slice(0, game.players)
        .map((seat) => (has(`n${seat}`) ? decodeURIComponent(of(`n${seat}`)) : ""));
    else if (tag === "INIT") this.init(of);
    else if (tag === "N") this.playing.add(SET, number("who"), number("m") & 255, number("m") >> 8);
    else if (tag === "REACH") this.playing.add(of("step") === "1" ? Row.RIICHI : Row.ACCEPTED, number("who"));
    else if (tag === "DORA") this.playing.add(Row.DORA, -1, number("hai"), -1, 0);
    else if (tag === "AGARI") this.agari(of, has);
    else if (tag === "RYUUKYOKU") this.ryuukyoku(of, has);
    else if (!SILENT.includes(tag) && tag !== "UN") throw new RecordError(`unknown tag <${tag.slice(0, 40)}>`);
    if (tag === "SHUFFLE" && has("ref")) this.name = of("ref");
    if ((tag === "AGARI" || tag === "RYUUKYOKU") && has("owari")) {
      const pairs = numbers(of("owari"));
      const seats = [...Array(game.players).keys()];
      game.end = {
        scores: seats.map((seat) => 100 * pairs[2 * seat]!),
        points: seats.map((seat) => pairs[2 * seat + 1]!),
      };
    }
  }

  private init(of: Attributes["of"]): void {
    const { players, rules } = this.game;
    if (!rules) throw new RecordError("the first hand starts before the type of the game (GO) is known");
    this.endHand();
    const [kyoku, honba, deposits, , , dora] = numbers(of("seed"));
    const points = hundreds(of("ten")).slice(0, players);
    const start = { kyoku: kyoku!, honba: honba!, deposits: deposits!, dealer: Number(of("oya")), points };
    const deal = points.map((_, seat) => numbers(of(`hai${seat}`)));
    this.hand = new HandRows(this.janshi, this.janshi.rulesOf(rules), start, dora!, deal, true);
  }

  private agari(of: Attributes["of"], has: Attributes["has"]): void {
    const list = (name: string) => (has(name) ? numbers(of(name)) : []);
    const [fu, points, limit] = numbers(of("ten"));
    const pairs = list("yaku");
    const yaku = pairs.flatMap((number, at) => (at % 2 ? [] : [[number, pairs[at + 1]!]]));
    this.playing.ura(list("doraHaiUra"));
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
  }

  private ryuukyoku(of: Attributes["of"], has: Attributes["has"]): void {
    const reason = REASONS.indexOf(has("type") ? of("type") : "");
    if (reason < 0) throw new RecordError(`unknown reason ${of("type")} of a drawn hand`);
    const shown = [...Array(this.game.players).keys()].filter((seat) => has(`hai${seat}`) && of(`hai${seat}`));
    this.playing.drawnHand(reason, this.deltas(of("sc")), shown);
  }

  private deltas(sc: string): number[] {
    const pairs = hundreds(sc);
    return pairs.filter((_, at) => at % 2).slice(0, this.game.players);
  }

  endHand(): void {
    if (this.hand) this.game.hands.push(this.hand.finish());
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
    reader.take(tag, { of, has: (name) => found.has(name) });
  }
  reader.endHand();
  return reader.game;
}
