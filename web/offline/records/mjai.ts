/** mjai, one JSON object a line: the TypeScript of `janshi.riichi.records.mjai`. */
import { kindOf } from "../../../npm/dist/index.js";
import type { Janshi } from "../../../npm/dist/index.js";
import { withOwn } from "../own";
import { type Event, toMjai } from "../side";
import { endsInEast, HandEvents, linesOf, pointsAfter, RecordError, type RiichiRecord, tileNamed } from "./hand";

const REASONS = "fanpai kyushukyuhai sufonrenta suchareach sukaikan sanchaho nagashimangan".split(" ");

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

const tilesOf = (names: unknown): number[] => (names as string[]).map(tileNamed);

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
  const reds = events.some((event) => JSON.stringify(event).includes('r"'));
  let rules = named ?? `tenhou${players === 3 ? "-sanma" : ""}${reds ? "" : "-nored"}`;
  const hands: Event[][] = [];
  let end: RiichiRecord["end"] = {};
  let hand: HandEvents | null = null;
  const finish = () => {
    if (hand) hands.push(hand.finish());
    hand = null;
  };
  for (const event of events) {
    if (event.type === "start_kyoku") {
      finish();
      hand = start(janshi, rules, players, event, hands.at(-1));
    } else if (event.type === "end_kyoku") finish();
    else if (event.type === "end_game") {
      finish();
      const list = (name: string) => (withOwn(event)[name] as number[] | undefined)?.slice(0, players);
      const [scores, points] = [list("scores"), list("points")];
      end = { ...(scores && { scores }), ...(points && { points }) };
    } else if (event.type !== "start_game") {
      if (!hand) throw new RecordError(`${event.type} before the hand starts or after its end`);
      play(hand, event);
    }
  }
  finish();
  if (!named && endsInEast(hands, players)) rules += "-east";
  const names = ((opening?.["names"] ?? []) as string[]).slice(0, players);
  return { game: "riichi", players, rules, changes: {}, names, hands, end };
}

function namedRules(janshi: Janshi, name: unknown, players: number): string | null {
  try {
    return typeof name === "string" && janshi.rulesOf(name)["players"] === players ? name : null;
  } catch {
    return null;
  }
}

function start(janshi: Janshi, rules: string, players: number, event: Event, before?: Event[]): HandEvents {
  const points = ((event["scores"] ?? (before && pointsAfter(before))) as number[] | undefined)?.slice(0, players);
  return new HandEvents(
    janshi.rulesOf(rules),
    {
      kyoku: 4 * "ESWN".indexOf(event["bakaze"] as string) + (event["kyoku"] as number) - 1,
      honba: event["honba"] as number,
      deposits: event["kyotaku"] as number,
      dealer: event["oya"] as number,
      points: points ?? Array<number>(players).fill(janshi.rulesOf(rules)["start"] as number),
    },
    tileNamed(event["dora_marker"]),
    (event["tehais"] as string[][]).slice(0, players).map(tilesOf),
  );
}

function play(hand: HandEvents, event: Event): void {
  const { type } = event;
  const seat = event["actor"] as number;
  const triple = type === "ryukyoku" && event["reason"] === "sanchaho";
  if (!["reach", "dahai", "dora", "hora"].includes(type) && !triple) hand.accept();
  if (type === "tsumo") hand.draw(seat, tileNamed(event["pai"]));
  else if (type === "dahai") hand.discard(seat, tileNamed(event["pai"]), Boolean(event["tsumogiri"]));
  else if (type === "chi" || type === "pon" || type === "daiminkan")
    hand.call(type, seat, event["target"] as number, tileNamed(event["pai"]), tilesOf(event["consumed"]));
  else if (type === "ankan") hand.closedKan(seat, kindOf(tilesOf(event["consumed"])[0]!));
  else if (type === "kakan") hand.addedKan(seat, tileNamed(event["pai"]));
  else if (type === "nukidora" || type === "kita") hand.kita(seat);
  else if (type === "reach") hand.riichi(seat);
  else if (type === "dora") hand.indicator(tileNamed(event["dora_marker"]));
  else if (type === "hora") win(hand, event, seat);
  else if (type === "ryukyoku") drawn(hand, event);
}

/** Payments of an event of the end. */
function deltasOf(hand: HandEvents, event: Event): number[] {
  const list = (name: string) => (event[name] as number[] | undefined)?.slice(0, hand.players);
  const before = pointsAfter(hand.events);
  return list("deltas") ?? list("scores")?.map((now, seat) => now - before[seat]!) ?? before.map(() => 0);
}

function win(hand: HandEvents, event: Event, seat: number): void {
  const given = withOwn(event);
  const [first] = (given["yaku"] ?? []) as unknown[][];
  if (first && typeof first[0] !== "number") delete given["yaku"]; // names: labels, which the values do not need
  const kept = ["fan", "fu", "hora_points", "limit", "yaku", "yakuman", "pao"].filter((name) => given[name] != null);
  hand.win(seat, event["target"] as number, {
    ...Object.fromEntries(kept.map((name) => [name, given[name]])),
    deltas: deltasOf(hand, event),
    ura_markers: tilesOf(event["ura_markers"] ?? event["uradora_markers"] ?? []).map(toMjai),
  });
}

function drawn(hand: HandEvents, event: Event): void {
  const deltas = deltasOf(hand, event);
  const reason = REASONS.includes(event["reason"] as string) ? (event["reason"] as string) : hand.reason(deltas);
  const ready = event["tenpais"] as boolean[] | undefined;
  const seats = [...Array(hand.players).keys()];
  hand.drawnHand(reason, deltas, ready ? seats.filter((seat) => ready[seat]) : hand.shown(reason, deltas));
}
