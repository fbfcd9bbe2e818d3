/** mjai, one JSON object a line, as rows: see `janshi.riichi.records.mjai`. */
import { type Janshi, RiichiDrawnTile as Drawn, RiichiEvent as Row } from "../../../npm/dist/index.js";
import { withOwn } from "../own";
import type { Event } from "../side";
import { endsInEast, HandRows, linesOf, REASONS, RecordError, type RiichiHand, type RiichiRecord, startOf, tileNamed } from "./hand";

const MOVES: Record<string, number> = {
  ...{ tsumo: Row.DRAW, dahai: Row.DISCARD, chi: Row.CHII, pon: Row.PON, daiminkan: Row.DAIMINKAN },
  ...{ ankan: Row.ANKAN, kakan: Row.KAKAN, nukidora: Row.KITA, kita: Row.KITA },
  ...{ reach: Row.RIICHI, reach_accepted: Row.ACCEPTED, dora: Row.DORA },
};

/** The events of every game in a text. */
export function gamesOfMjai(text: string): Event[][] {
  const games: Event[][] = [];
  linesOf(text).forEach((line, number) => {
    if (!line.trim()) return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new RecordError(`line ${number + 1} is not valid JSON, or incomplete`);
    }
    for (const event of (Array.isArray(value) ? value : [value]) as Event[]) {
      if (typeof event?.type !== "string")
        throw new RecordError(`line ${number + 1} is not an event of mjai: it has no type`);
      if (event.type === "start_game" || !games.length) games.push([]);
      games.at(-1)!.push(event);
    }
  });
  return games;
}

const tilesOf = (names: unknown): number[] => ((names ?? []) as string[]).map(tileNamed);

/** Reads one game. */
export function readMjai(janshi: Janshi, events: readonly Event[]): RiichiRecord {
  const first = events.find((event) => event.type === "start_kyoku");
  if (!first) throw new RecordError("the record contains no hand (start_kyoku)");
  const dealt = first["tehais"] as string[][];
  const players = dealt.length === 4 && dealt[3]!.some((name) => name !== "?") ? 4 : 3;
  if (dealt.slice(0, players).some((hand) => hand.includes("?")))
    throw new RecordError("a hand is hidden: this is one player's view, not a record");
  const opening = events.find((event) => event.type === "start_game");
  const named = namedRules(janshi, opening && withOwn(opening)["rules"], players);
  const reds = JSON.stringify(events).includes('r"');
  let rules = named ?? `tenhou${players === 3 ? "-sanma" : ""}${reds ? "" : "-nored"}`;
  const list = (event: Event, name: string) => (withOwn(event)[name] as number[] | undefined)?.slice(0, players);
  const hands: RiichiHand[] = [];
  let end: RiichiRecord["end"] = {};
  let hand: HandRows | null = null;
  let points = Array<number>(players).fill(janshi.rulesOf(rules)["start"] as number);
  const finish = () => {
    if (hand) hands.push(hand.finish());
    if (hand) points = hand.points;
    hand = null;
  };
  for (const event of events) {
    if (event.type === "start_kyoku") {
      finish();
      const start = { ...startOf(event), points: list(event, "scores") ?? points };
      const deal = (event["tehais"] as string[][]).slice(0, players).map(tilesOf);
      hand = new HandRows(janshi, janshi.rulesOf(rules), start, tileNamed(event["dora_marker"]), deal);
    } else if (event.type === "end_kyoku") finish();
    else if (event.type === "end_game") {
      finish();
      const [scores, results] = [list(event, "scores"), list(event, "points")];
      end = { ...(scores && { scores }), ...(results && { points: results }) };
    } else if (event.type !== "start_game") {
      if (!hand) throw new RecordError(`${event.type} before the hand starts or after its end`);
      play(hand, event);
    }
  }
  finish();
  if (!named && endsInEast(hands, players, points)) rules += "-east";
  const names = ((opening?.["names"] ?? []) as string[]).slice(0, players);
  return { game: "riichi", players, rules, changes: {}, names, hands, end };
}

/** The name of rules, if it is one for so many players. */
export function namedRules(janshi: Janshi, name: unknown, players: number): string | null {
  try {
    return typeof name === "string" && janshi.rulesOf(name)["players"] === players ? name : null;
  } catch {
    return null;
  }
}

function play(hand: HandRows, event: Event): void {
  const move = MOVES[event.type];
  if (move !== undefined) return add(hand, move, event);
  if (event.type !== "hora" && event.type !== "ryukyoku") return;
  const before = hand.points;
  const list = (name: string) => (event[name] as number[] | undefined)?.slice(0, before.length);
  const deltas = list("deltas") ?? list("scores")?.map((now, seat) => now - before[seat]!) ?? before.map(() => 0);
  if (event.type === "hora") return win(hand, event, deltas);
  const ready = event["tenpais"] as boolean[] | undefined;
  const shown = ready && before.flatMap((_, seat) => (ready[seat] ? [seat] : []));
  hand.drawnHand(REASONS.indexOf(event["reason"] as string), deltas, shown);
}

function add(hand: HandRows, move: number, event: Event): void {
  const own = tilesOf(event["consumed"]);
  const named = event["pai"] ?? event["dora_marker"];
  const drawn = event["tsumogiri"] ? Drawn.YES : Drawn.NO;
  const tile = named === undefined ? (own[0] ?? -1) : tileNamed(named);
  const [seat, target] = [event["actor"] ?? -1, event["target"] ?? -1] as [number, number];
  hand.add(move, seat, tile, target, ...(move === Row.DISCARD ? [drawn] : move === Row.DORA ? [0] : own));
}

function win(hand: HandRows, event: Event, deltas: number[]): void {
  const given = withOwn(event);
  const [first] = (given["yaku"] ?? []) as unknown[][];
  if (first && typeof first[0] !== "number") delete given["yaku"]; // names: labels, which the values do not need
  const kept = ["fan", "fu", "hora_points", "limit", "yaku", "yakuman", "pao"].filter((name) => given[name] != null);
  const values = Object.fromEntries(kept.map((name) => [name, given[name]]));
  hand.ura(tilesOf(event["ura_markers"] ?? event["uradora_markers"]));
  hand.win(event["actor"] as number, event["target"] as number, { ...values, deltas });
}
