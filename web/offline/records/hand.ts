/** Games as records tell them, in mjai's events: the TypeScript of `janshi.riichi.records.builder`. */
import { kindOf, RiichiEvent as Logged } from "../../../npm/dist/index.js";
import type { HandStart, Janshi } from "../../../npm/dist/index.js";
import { winEvent } from "../own";
import { inOrder, laidDown } from "../riichi";
import { type Event, fromMjai, toMjai } from "../side";

/** A record that cannot be read; the message is one sentence. */
export class RecordError extends Error {}

export type Rules = ReturnType<Janshi["rulesOf"]>;

/** The lines of a text, which end with `\n`, `\r` or both. */
export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/);

/** One game of Riichi. */
export interface RiichiRecord {
  game: "riichi";
  players: number;
  /** Name of the rules. */
  rules: string;
  /** Fields of the rules that differ from those of the name. */
  changes: Rules;
  names: string[];
  /** The events of each hand, from `start_kyoku` to `end_kyoku`. */
  hands: Event[][];
  /** Points and results at the end, as far as they are known. */
  end: { scores?: number[]; points?: number[] };
}

const WINDS = "ESWN";
const NORTH = 30;
/** Draws, replacements included, after which a hand has run out. */
const FULL_DRAWS: Record<number, number> = { 3: 55, 4: 70 };

export const listed = (tiles: readonly number[]): string[] => [...tiles].sort(inOrder).map(toMjai);

/** The start of a hand by its `start_kyoku`. */
export const startOf = (event: Event): HandStart => ({
  kyoku: 4 * WINDS.indexOf(event["bakaze"] as string) + (event["kyoku"] as number) - 1,
  honba: event["honba"] as number,
  deposits: event["kyotaku"] as number,
  dealer: event["oya"] as number,
  points: event["scores"] as number[],
});

/** The events of one hand. Every method throws `RecordError` for tiles that are not where they must be. */
export class HandEvents {
  readonly events: Event[];
  /** Seat whose riichi is not yet accepted; −1 for none. */
  private declared = -1;
  private readonly held: number[][];
  private readonly pons: [seat: number, kind: number][] = [];
  /** The tile just drawn; −1 for none. */
  drawn = -1;
  private offered = -1;
  private over = false;

  constructor(
    private readonly rules: Rules,
    start: HandStart,
    dora: number,
    deal: number[][],
  ) {
    const short = deal.findIndex((hand) => hand.length !== 13);
    if (short >= 0) throw new RecordError(`seat ${short} is dealt ${deal[short]!.length} tiles, not 13`);
    if (start.kyoku < 0 || start.kyoku >= 16 || !(start.dealer in deal))
      throw new RecordError(`round ${start.kyoku} with dealer ${start.dealer} in a game of ${deal.length}`);
    this.held = deal.map((hand) => [...hand]);
    this.events = [
      {
        type: "start_kyoku",
        bakaze: WINDS[Math.floor(start.kyoku / 4)]!,
        kyoku: (start.kyoku % 4) + 1,
        honba: start.honba,
        kyotaku: start.deposits,
        oya: start.dealer,
        scores: [...start.points],
        dora_marker: toMjai(dora),
        tehais: deal.map(listed),
      },
    ];
  }

  get players(): number {
    return this.held.length;
  }

  private add(event: Event): void {
    const ends = ["hora", "ryukyoku", "end_kyoku"].includes(event.type);
    if (this.over && !ends) throw new RecordError("events follow the end of the hand");
    this.over ||= ends;
    this.events.push(event);
  }

  private take(seat: number, tiles: readonly number[]): void {
    const held = this.held[seat];
    if (!held) throw new RecordError(`seat ${seat} in a game of ${this.players}`);
    for (const tile of tiles) {
      const at = held.indexOf(tile);
      if (at < 0) throw new RecordError(`seat ${seat} uses ${toMjai(tile)}, which is not in its hand`);
      held.splice(at, 1);
    }
  }

  draw(seat: number, tile: number): void {
    this.take(seat, []);
    this.held[seat]!.push(tile);
    this.drawn = tile;
    this.add({ type: "tsumo", actor: seat, pai: toMjai(tile) });
  }

  discard(seat: number, tile: number, tsumogiri: boolean): void {
    if (tsumogiri && tile !== this.drawn)
      throw new RecordError(`seat ${seat} discards ${toMjai(tile)} by tsumogiri, but has not drawn it`);
    this.take(seat, [tile]);
    // The tile just drawn is discarded, too, if the hand holds no other one.
    const fresh = tsumogiri || (tile === this.drawn && !this.held[seat]!.includes(tile));
    this.drawn = -1;
    this.offered = tile;
    this.add({ type: "dahai", actor: seat, pai: toMjai(tile), tsumogiri: fresh });
  }

  /** A chii, pon or open kan of a tile of another seat; `own` are laid down from the hand. */
  call(type: "chi" | "pon" | "daiminkan", seat: number, target: number, tile: number, own: readonly number[]): void {
    this.take(seat, own);
    this.drawn = -1;
    if (type === "pon") this.pons.push([seat, kindOf(tile)]);
    this.add({ type, actor: seat, target, pai: toMjai(tile), consumed: listed(own) });
  }

  closedKan(seat: number, kind: number): void {
    const own = laidDown(this.rules, Logged.ANKAN, kind, 0);
    this.take(seat, own);
    this.offered = kind;
    this.add({ type: "ankan", actor: seat, consumed: own.map(toMjai) });
  }

  addedKan(seat: number, tile: number): void {
    if (!this.pons.some(([owner, kind]) => owner === seat && kind === kindOf(tile)))
      throw new RecordError(`seat ${seat} adds ${toMjai(tile)} to a missing pon`);
    this.take(seat, [tile]);
    this.offered = tile;
    const pon = laidDown(this.rules, Logged.KAKAN, tile, 0);
    this.add({ type: "kakan", actor: seat, pai: toMjai(tile), consumed: pon.map(toMjai) });
  }

  kita(seat: number): void {
    this.take(seat, [NORTH]);
    this.offered = NORTH;
    this.add({ type: "nukidora", actor: seat, pai: toMjai(NORTH) });
  }

  riichi(seat: number): void {
    this.declared = seat;
    this.add({ type: "reach", actor: seat });
  }

  /** Accepts the last declaration of riichi, if any. */
  accept(): void {
    if (this.declared >= 0) this.add({ type: "reach_accepted", actor: this.declared });
    this.declared = -1;
  }

  /** A new dora indicator; `early`: turned over before the latest discard. */
  indicator(tile: number, early = false): void {
    this.add({ type: "dora", dora_marker: toMjai(tile) });
    let at = this.events.length - 1;
    while (early && ["dahai", "reach", "reach_accepted"].includes(this.events[at - 1]!.type)) at--;
    this.events.splice(at, 0, this.events.pop()!);
  }

  // -----------------------------------------------------------------------------------------------------
  // The end

  /** The seat that acted last, whose tile others may win on. */
  get offerer(): number {
    return this.events.findLast((event) => "actor" in event)?.["actor"] as number;
  }

  /** A winner, on the tile last drawn or offered. Without `hora_points` the engine's values are shown. */
  win(seat: number, target: number, fields: Omit<Event, "type">): void {
    const tile = seat === target ? this.drawn : this.offered;
    const rest = [...(this.held[seat] ?? [])];
    if (tile < 0) throw new RecordError(`seat ${seat} wins without a tile to win on`);
    if (seat === target) rest.splice(rest.indexOf(tile), 1);
    this.add(winEvent({ actor: seat, target, pai: toMjai(tile), hora_tehais: listed(rest), ...fields }));
  }

  /** The end without a winner; `shown`: the seats that reveal their hands; null if unknown, as payments may be. */
  drawnHand(reason: string, deltas: number[] | null, shown: readonly number[] | null): void {
    const hands = this.held.map((hand, seat) => (shown?.includes(seat) ? listed(hand) : hand.map(() => "?")));
    const open = shown && { tenpais: hands.map((_, seat) => shown.includes(seat)), tehais: hands };
    this.add({ type: "ryukyoku", reason, ...open, ...(deltas && { deltas }) });
  }

  /** Reason of a drawn hand, and the seats that reveal their hands, as far as they follow from what was played. */
  reason(deltas: readonly number[]): string {
    const types = this.events.map((event) => event.type);
    if (types.filter((type) => type === "tsumo").length >= FULL_DRAWS[this.players]!)
      return Math.max(...deltas) > 3000 ? "nagashimangan" : "fanpai";
    if (types.at(-1) === "tsumo") return "kyushukyuhai";
    if (types.filter((type) => type === "reach_accepted").length === this.players) return "suchareach";
    if (types.filter((type) => type.endsWith("kan")).length === 4) return "sukaikan";
    return types.filter((type) => type === "dahai").length === this.players ? "sufonrenta" : "sanchaho";
  }

  shown(reason: string, deltas: readonly number[]): number[] | null {
    const everybody = [...this.held.keys()];
    if (reason === "fanpai") return deltas.some(Boolean) ? everybody.filter((seat) => deltas[seat]! > 0) : null;
    if (reason === "kyushukyuhai") return [this.offerer];
    if (reason === "suchareach") return everybody;
    if (reason === "sanchaho") return everybody.filter((seat) => seat !== this.offerer);
    return reason === "nagashimangan" ? null : [];
  }

  finish(): Event[] {
    if (!this.over) throw new RecordError("the hand has no end (a win or a draw)");
    this.add({ type: "end_kyoku" });
    return this.events;
  }
}

/** Points of every seat after a hand: those at its beginning, less riichi sticks, with all payments. */
export function pointsAfter(hand: readonly Event[]): number[] {
  const points = [...(hand[0]!["scores"] as number[])];
  for (const event of hand) {
    if (event.type === "reach_accepted") points[event["actor"] as number]! -= 1000;
    const deltas = event["deltas"] as number[] | undefined;
    deltas?.forEach((delta, seat) => (points[seat]! += delta));
  }
  return points;
}

/** Whether a game of unknown rules is one of East only: it ends in the East round, and nobody is below 0. */
export function endsInEast(hands: readonly Event[][], players: number): boolean {
  const last = hands.at(-1)!;
  if (last[0]!["bakaze"] !== "E") return false;
  const ends = last[0]!["kyoku"] === players || hands.length > players;
  return ends && Math.min(...pointsAfter(last)) >= 0;
}

/** Returns a tile by mjai's name. */
export function tileNamed(name: unknown): number {
  const tile = typeof name === "string" && /^([1-9][mps]|5[mps]r|[ESWNPFC])$/.test(name) ? fromMjai(name) : -1;
  if (tile < 0) throw new RecordError(`${JSON.stringify(name)} is not a tile`);
  return tile;
}
