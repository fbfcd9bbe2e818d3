/** Riichi without a server: the TypeScript of `janshi.riichi.records.live`, `janshi.riichi.page` and `janshi.riichi.review`. */
import { YAKU } from "../../npm/dist/generated.js";
import {
  kindOf,
  RiichiAction as Action,
  RiichiEnding as Ending,
  RiichiEvent as Logged,
  RiichiMeldForm as Form,
  RiichiOffer as Offer,
  RiichiPhase as Phase,
  RiichiYakuId as Yaku,
} from "../../npm/dist/index.js";
import type { Danger, Janshi, RiichiView, Score, Table, WinningHand } from "../../npm/dist/index.js";
import type { Advice, Call, Candidate, Discard, Option, Own, Worth } from "../src/messages";
import { endGame, startGame, winEvent } from "./own";
import {
  acceptedOf,
  type Event,
  HIDDEN,
  hideHands,
  isRed,
  kindNamed,
  type Knowledge,
  rounded,
  type Side,
  Story,
  sum,
  toMjai,
} from "./side";

const EAST = 27;
const NORTH = 30;
const STICK = 1000;
const WINDS = "ESWN";
const EVENTS = [
  "tsumo",
  "dahai",
  "chi",
  "pon",
  "daiminkan",
  "ankan",
  "kakan",
  "nukidora",
  "reach",
  "reach_accepted",
  "dora",
];
const REASONS: Record<number, string> = {
  [Ending.EXHAUSTIVE]: "fanpai",
  [Ending.KYUUSHU_KYUUHAI]: "kyushukyuhai",
  [Ending.FOUR_WINDS]: "sufonrenta",
  [Ending.FOUR_RIICHI]: "suchareach",
  [Ending.FOUR_KANS]: "sukaikan",
  [Ending.TRIPLE_RON]: "sanchaho",
  [Ending.NAGASHI_MANGAN]: "nagashimangan",
};
const LIMITS = [2000, 3000, 4000, 6000, 8000];
const YAKUMAN_HAN = 13;
const DORA = 52;

type Safety = Candidate["safety"][string];
type Rules = ReturnType<Janshi["rulesOf"]>;
export const number = (rules: Rules, name: string): number => rules[name] as number;

/** Orders tiles by kind, red fives before the plain ones. */
export const inOrder = (a: number, b: number): number => place(a) - place(b);
const place = (tile: number): number => (tile < 34 ? tile : kindOf(tile) - 0.5);

const equal = (kind: number, count: number, reds: number): number[] => [
  ...Array<number>(reds).fill(34 + Math.floor(kind / 9)),
  ...Array<number>(count - reds).fill(kind),
];

/** Tiles that a call lays down from the hand; for an added kan the three tiles of the pon. */
export function laidDown(rules: Rules, event: number, tile: number, action: number): number[] {
  const kind = tile >= 0 ? kindOf(tile) : -1;
  const fives = kind >= 0 && kind < 27 && kind % 9 === 4;
  const reds = fives ? (rules["red_fives"] as readonly number[])[Math.floor(kind / 9)]! : 0;
  if (event === Logged.ANKAN) return equal(kind, 4, reds);
  if (event === Logged.DAIMINKAN || event === Logged.KAKAN) return equal(kind, 3, reds - Number(tile >= 34));
  if (event === Logged.PON) return equal(kind, 2, action - Action.PON);
  if (event !== Logged.CHII) return [];
  const low = kind - ((action - Action.CHII) % 3);
  const red = action >= Action.CHII_RED;
  return [low, low + 1, low + 2]
    .filter((own) => own !== kind)
    .map((own) => (red && own % 9 === 4 ? 34 + Math.floor(own / 9) : own));
}

// ---------------------------------------------------------------------------------------------------------
// Events

class RiichiStory extends Story<"riichi"> {
  private discarder = -1;
  private readonly rules: Rules;

  constructor(...given: ConstructorParameters<typeof Story<"riichi">>) {
    super(...given);
    this.rules = this.table.state.rules as unknown as Rules;
  }

  protected startGame(): Event {
    return startGame(this.names, this.rules, this.table.rules);
  }

  protected startHand(): Event {
    const { state, players } = this.table;
    this.discarder = -1;
    const seats = state.seats.slice(0, players);
    const deposits = state.deposits - sum(seats.map((seat) => seat.accepted));
    return {
      type: "start_kyoku",
      bakaze: WINDS[Math.floor(state.kyoku / 4)]!,
      kyoku: (state.kyoku % 4) + 1,
      honba: state.honba,
      kyotaku: deposits,
      oya: state.dealer,
      scores: seats.map((seat) => seat.points + STICK * seat.accepted),
      dora_marker: toMjai(state.indicators[0]!),
      tehais: this.dealt().map((hand) => hand.sort(inOrder).map(toMjai)),
    };
  }

  /** The 13 tiles that each seat was dealt: three times four, then one. */
  private dealt(): number[][] {
    const { state, players } = this.table;
    let slot = state.wall_size - 1;
    const hands: number[][] = Array.from({ length: players }, () => []);
    for (const count of [4, 4, 4, 1])
      for (let turn = 0; turn < players; turn++)
        for (let step = 0; step < count; step++) hands[(state.dealer + turn) % players]!.push(state.wall[slot--]!);
    return hands;
  }

  protected eventsOf(rows: number[][]): Event[] {
    return rows.map(([event, seat, tile, detail]) => {
      const seen = this.eventOf(event!, seat!, tile!, detail!);
      if (event === Logged.DISCARD) this.discarder = seat!;
      return seen;
    });
  }

  private eventOf(event: number, seat: number, tile: number, detail: number): Event {
    if (event === Logged.DORA) return { type: "dora", dora_marker: toMjai(tile) };
    const fields: Event = { type: EVENTS[event]!, actor: seat };
    const claimed = event === Logged.CHII || event === Logged.PON || event === Logged.DAIMINKAN;
    if (claimed) fields["target"] = this.discarder;
    if (event !== Logged.ANKAN && event !== Logged.RIICHI && event !== Logged.ACCEPTED) fields["pai"] = toMjai(tile);
    if (event === Logged.DISCARD) fields["tsumogiri"] = detail !== 0;
    else if (claimed || event === Logged.ANKAN || event === Logged.KAKAN)
      fields["consumed"] = laidDown(this.rules, event, tile, detail).map(toMjai);
    return fields;
  }

  protected endHand(): Event[] {
    const { ended } = this.table.state;
    const events = ended === Ending.TSUMO || ended === Ending.RON ? this.wins() : [this.drawn(ended)];
    return [...events, { type: "end_kyoku" }, ...this.endGame()];
  }

  private wins(): Event[] {
    const { state } = this.table;
    const wins = state.wins.slice(0, state.winners);
    const declared = wins.some((win) => state.seats[win.seat]!.riichi > 0);
    const ura = declared ? this.ura().map(toMjai) : [];
    return wins.map((win) => this.win(win, ura));
  }

  /** Ura-dora indicators that a winner with riichi may count. */
  private ura(): number[] {
    const { state } = this.table;
    const turned = number(this.rules, "kan_ura") ? state.shown : 1;
    const first = state.rules.players === 4 ? 5 : 9;
    if (!number(this.rules, "ura_dora")) return [];
    return Array.from({ length: turned }, (_, index) => state.wall[first + 2 * index - 1]!);
  }

  private win(win: RiichiStoryWin, ura: string[]): Event {
    const { state, players } = this.table;
    const { value } = win;
    const closed = state.seats[win.seat]!.opened === 0;
    const scored = [...YAKU.keys()].filter((yaku) => (value.yaku >> BigInt(yaku)) & 1n);
    const yakuman = scored.filter((yaku) => YAKU[yaku]![1] === YAKUMAN_HAN);
    const extra = [value.dora, value.ura, value.red].map((han, index) => [DORA + index, han]);
    const yaku = yakuman.length
      ? []
      : [...scored.map((each) => [each, YAKU[each]![closed ? 1 : 2]]), ...extra.filter(([, han]) => han)];
    const hand = this.concealed(win.seat);
    if (win.discarder === win.seat) hand.splice(hand.indexOf(win.tile), 1);
    return winEvent({
      actor: win.seat,
      target: win.discarder,
      pai: toMjai(win.tile),
      hora_tehais: hand.map(toMjai),
      deltas: [...win.change.slice(0, players)],
      ura_markers: ura,
      fan: value.han,
      fu: value.fu,
      ...(yakuman.length ? {} : this.fuParts(win)),
      hora_points: win.points,
      limit: LIMITS.filter((least) => value.basic >= least).length,
      yaku,
      ...(yakuman.length ? { yakuman } : {}),
      ...(win.pao >= 0 ? { pao: win.pao } : {}),
    });
  }

  /** The sources of a win's fu. */
  private fuParts({ seat, tile, value, discarder }: RiichiStoryWin): { fu_parts?: unknown } {
    const { state, players } = this.table;
    const { counts, reds } = state.hands[seat]!;
    const { kitas, ...own } = state.seats[seat]!;
    const melds = own.melds.slice(0, own.calls);
    const has = (...yaku: number[]) => Number(yaku.some((each) => (value.yaku >> BigInt(each)) & 1n));
    const tsumo = Number(discarder === seat);
    const hand: WinningHand = {
      counts: counts.map((count, kind) => count + Number(!tsumo && kind === kindOf(tile))),
      kind: kindOf(tile),
      seat_wind: EAST + ((seat - state.dealer + players) % players),
      round_wind: EAST + Math.floor(state.kyoku / 4),
      dora: [...state.indicators].filter((indicator) => indicator >= 0).map(kindOf),
      ura: own.riichi ? this.ura().map(kindOf) : [],
      calls: own.calls,
      forms: melds.map((meld) => meld.form),
      kinds: melds.map((meld) => meld.kind),
      reds: sum([...reds]) + sum(melds.map((meld) => meld.reds)) + Number(!tsumo && tile >= 34),
      kitas,
      tsumo,
      riichi: own.riichi,
      ippatsu: has(Yaku.IPPATSU),
      rinshan: has(Yaku.RINSHAN_KAIHOU),
      chankan: has(Yaku.CHANKAN),
      last: has(Yaku.HAITEI, Yaku.HOUTEI),
    };
    const parts = this.janshi.fuParts(hand, this.table.rules);
    return parts.length
      ? { fu_parts: parts.map(([source, fu, kind]) => [source, fu, kind < 0 ? null : toMjai(kind)]) }
      : {};
  }

  /** Concealed tiles of a seat in order. */
  private concealed(seat: number): number[] {
    const hand = this.table.state.hands[seat]!;
    const tiles: number[] = [];
    hand.counts.forEach((count, kind) => {
      const reds = kind < 27 && kind % 9 === 4 ? hand.reds[Math.floor(kind / 9)]! : 0;
      tiles.push(...equal(kind, count, reds));
    });
    return tiles;
  }

  private drawn(ended: number): Event {
    const { state, players } = this.table;
    const shown = this.shown(ended);
    const seats = [...Array(players).keys()];
    return {
      type: "ryukyoku",
      reason: REASONS[ended]!,
      ...(shown && {
        tenpais: seats.map((seat) => shown.includes(seat)),
        tehais: seats.map((seat) => this.concealed(seat).map((tile) => (shown.includes(seat) ? toMjai(tile) : HIDDEN))),
      }),
      deltas: [...state.change.slice(0, players)],
    };
  }

  /** Seats that show their hands after a draw; null if the rules do not say. */
  private shown(ended: number): number[] | null {
    const { state, players } = this.table;
    const seats = [...Array(players).keys()];
    if (ended === Ending.EXHAUSTIVE) return seats.filter((seat) => state.hands[seat]!.waits !== 0n);
    if (ended === Ending.KYUUSHU_KYUUHAI) return [state.log[4 * state.logged - 3]!];
    if (ended === Ending.FOUR_RIICHI) return seats;
    if (ended === Ending.TRIPLE_RON) return seats.filter((seat) => seat !== this.discarder);
    return ended === Ending.NAGASHI_MANGAN ? null : [];
  }

  private endGame(): Event[] {
    const { over, scores } = this.table;
    return over ? [endGame({ scores, points: finalPoints(this.rules, scores) })] : [];
  }
}

type RiichiStoryWin = Table<"riichi">["state"]["wins"][number];

/** Results of a game in thousands: points over the target, uma by rank, oka for the first. */
function finalPoints(rules: Rules, scores: readonly number[]): number[] {
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
  const results = number(rules, "results_from");
  const from = results > 0 ? results : number(rules, "target");
  const bonuses = umaOf(rules, scores.filter((points) => points >= from).length).slice(0, scores.length);
  bonuses[0]! += number(rules, "oka");
  if (number(rules, "ties_share_uma"))
    for (const points of new Set(scores)) {
      const ranks = [...order.keys()].filter((rank) => scores[order[rank]!] === points);
      const all = sum(ranks.map((rank) => bonuses[rank]!)) / 100;
      const each = Math.floor(all / ranks.length);
      ranks.forEach((rank, index) => (bonuses[rank] = 100 * (each + Number(index < all - each * ranks.length))));
    }
  const points = Array<number>(scores.length).fill(0);
  order.forEach((seat, rank) => (points[seat] = (scores[seat]! - from + bonuses[rank]!) / 1000));
  return points;
}

/** The uma of a game that so many players finish with at least the points that results count from. */
function umaOf(rules: Rules, above: number): number[] {
  const name = ({ 1: "uma_one_above", 3: "uma_three_above" } as Record<number, string>)[above];
  const floating = name ? Array.from(rules[name] as readonly number[]) : [];
  return floating.some((points) => points !== 0) ? floating : Array.from(rules["uma"] as readonly number[]);
}

function seenBy(event: Event, seat: number): Event {
  if (event.type === "tsumo" && event["actor"] !== seat) return { ...event, pai: HIDDEN };
  if (event.type === "start_kyoku") return hideHands(event, seat);
  return event.type === "start_game" ? { ...event, id: seat } : event;
}

// ---------------------------------------------------------------------------------------------------------
// Options

const SINGLE: Record<number, Option["name"]> = {
  [Action.RIICHI]: "riichi",
  [Action.KITA]: "kita",
  [Action.TSUMO]: "tsumo",
  [Action.RON]: "ron",
  [Action.KYUUSHU_KYUUHAI]: "kyuushu_kyuuhai",
  [Action.PASS]: "pass",
};
/** At an exhaustive draw. */
const AT_A_DRAW: Record<number, Option["name"]> = { [Action.KYUUSHU_KYUUHAI]: "tenpai", [Action.PASS]: "noten" };

const made = (
  action: number,
  name: Option["name"],
  tile: string | null,
  tiles: number[] = [],
  tsumogiri = false,
): Option => ({
  action,
  name,
  tile,
  tiles: tiles.map(toMjai),
  tsumogiri,
});

function optionOf(view: RiichiView, rules: Rules, action: number): Option {
  const { tile, drawn } = view;
  if (action < Action.TSUMOGIRI) return made(action, "discard", toMjai(action));
  if (action === Action.TSUMOGIRI) return made(action, "discard", toMjai(drawn), [], true);
  if (view.phase === Phase.CLAIM && view.claimed === Offer.DRAW) return made(action, AT_A_DRAW[action]!, null);
  const single = SINGLE[action];
  if (single) {
    const shown =
      ({ [Action.KITA]: NORTH, [Action.TSUMO]: drawn, [Action.RON]: tile } as Record<number, number>)[action] ?? -1;
    return made(action, single, shown < 0 ? null : toMjai(shown));
  }
  if (action >= Action.KAKAN) {
    const kind = action - Action.KAKAN;
    const red = kind < 27 && kind % 9 === 4 && view.hand.reds[Math.floor(kind / 9)]! > 0;
    return made(action, "kakan", toMjai(red ? 34 + Math.floor(kind / 9) : kind));
  }
  if (action >= Action.ANKAN) {
    const kind = action - Action.ANKAN;
    return made(action, "ankan", toMjai(kind), laidDown(rules, Logged.ANKAN, kind, action));
  }
  const name = action < Action.PON ? "chi" : action < Action.DAIMINKAN ? "pon" : "daiminkan";
  const event = { chi: Logged.CHII, pon: Logged.PON, daiminkan: Logged.DAIMINKAN }[name];
  return made(action, name, toMjai(tile), laidDown(rules, event, tile, action));
}

// ---------------------------------------------------------------------------------------------------------
// Knowledge

const CALLS: Record<string, number> = {
  chi: Form.CHII,
  pon: Form.PON,
  daiminkan: Form.DAIMINKAN,
  ankan: Form.ANKAN,
};
const CLAIMS = ["chi", "pon", "daiminkan"];
const REPLACED = ["daiminkan", "ankan", "kakan", "nukidora"];

type Held = ReturnType<RiichiKnowledge["nothing"]>;

class RiichiKnowledge implements Knowledge {
  private hand = new Int8Array(34);
  /** Red fives among them. */
  private redFives = new Int8Array(34);
  private visible = new Int8Array(34);
  private held = this.nothing();
  private river = new Set<number>();
  private interrupted = false;
  private replaced = false;
  private offered = false;
  /** 1 until the next own discard, 2 to the end of the hand. */
  private missed = 0;
  private accepted = false;
  private drawn = "?";
  private shanten = 0;
  private waits: number[] = [];
  private worth: Worth[] = [];
  private readonly players: 3 | 4;

  constructor(
    private readonly janshi: Janshi,
    private readonly table: Table<"riichi">,
    private readonly seat: number,
  ) {
    this.players = table.players as 3 | 4;
  }

  private nothing() {
    const melds: { form: number; kind: number }[] = [];
    return { melds, dora: [] as number[], reds: 0, kitas: 0, riichi: 0, seat_wind: EAST, round_wind: EAST };
  }

  follow(event: Event): void {
    if (this.offered && event.type !== "hora") this.missed = this.accepted ? PERMANENTLY : Math.max(this.missed, 1);
    this.offered = false;
    if (event.type === "start_kyoku") this.begin(event);
    else if (event.type === "dora") {
      this.indicate(event["dora_marker"] as string);
      this.countWithoutDraw();
    } else if ("actor" in event && event.type !== "hora") this.moved(event, event["actor"] === this.seat);
  }

  private begin(event: Event): void {
    const hand = (event["tehais"] as string[][])[this.seat]!;
    this.hand = new Int8Array(34);
    this.redFives = new Int8Array(34);
    this.visible = new Int8Array(34);
    this.held = this.nothing();
    this.river = new Set();
    this.interrupted = this.replaced = this.offered = this.accepted = false;
    this.missed = 0;
    this.hold(hand, 1);
    this.held.reds = hand.filter(isRed).length;
    this.indicate(event["dora_marker"] as string);
    this.held.seat_wind = EAST + ((this.seat - (event["oya"] as number) + this.players) % this.players);
    this.held.round_wind = EAST + WINDS.indexOf(event["bakaze"] as string);
    this.count();
  }

  private move(counts: Int8Array, names: readonly string[], count: number): void {
    for (const name of names) counts[kindNamed(name)]! += count;
  }

  private hold(names: readonly string[], count: number): void {
    this.move(this.hand, names, count);
    this.move(this.redFives, names.filter(isRed), count);
  }

  private indicate(name: string): void {
    this.move(this.visible, [name], 1);
    this.held.dora.push(kindNamed(name));
  }

  /** Adds the drawn tile to the hand, or removes it (−1). */
  private draw(count: number): void {
    this.hold([this.drawn], count);
    this.held.reds += count * Number(isRed(this.drawn));
  }

  /** Computes the values of waits anew, of the hand before the replacement tile if there is one. */
  private countWithoutDraw(): void {
    const replaced = sum(this.hand) % 3 === 2;
    if (replaced) this.draw(-1);
    this.count();
    if (replaced) this.draw(1);
  }

  private moved(event: Event, own: boolean): void {
    const kind = event.type;
    const pai = event["pai"] as string;
    if (kind === "reach" && own) this.held.riichi = this.river.size || this.interrupted ? 1 : 2;
    else if (kind === "reach_accepted" && own) this.accepted = true;
    else if (kind === "tsumo" && own) {
      this.drawn = pai;
      this.draw(1);
    } else if (kind in CALLS || kind === "dahai" || kind === "kakan" || kind === "nukidora") {
      const laid = kind in CALLS ? (event["consumed"] as string[]) : [pai];
      this.move(this.visible, laid, 1);
      this.interrupted ||= kind !== "dahai";
      if (own) this.layDown(event, laid);
      else if (!(kind in CALLS)) this.offered = this.waits.includes(kindNamed(pai));
      else if (kind === "ankan" && number(this.janshi.rulesOf(this.table.rules), "orphans_rob_closed_kan"))
        this.offered = this.waits.includes(kindNamed(laid[0]!)) && this.waitsForOrphans();
    }
  }

  private waitsForOrphans(): boolean {
    const options = { players: this.players, form: "orphans" } as const;
    return this.held.melds.length === 0 && this.janshi.shanten(this.hand, options) === 0;
  }

  private layDown(event: Event, tiles: readonly string[]): void {
    const kind = event.type;
    this.hold(tiles, -1);
    this.replaced = REPLACED.includes(kind);
    if (kind in CALLS || kind === "kakan")
      this.held = this.withMeld(kind, tiles, CLAIMS.includes(kind) ? (event["pai"] as string) : null);
    else if (kind === "nukidora") this.held.kitas += 1;
    else if (kind === "dahai") {
      this.held.reds -= Number(isRed(tiles[0]!));
      this.river.add(kindNamed(tiles[0]!));
      if (this.missed < PERMANENTLY) this.missed = 0;
    }
    if (sum(this.hand) % 3 === 1) this.count();
  }

  /** The melds after a call or kan of concealed tiles and perhaps a called one. */
  private withMeld(name: string, tiles: readonly string[], called: string | null): Held {
    const { melds, reds } = this.held;
    const meld = [...tiles, ...(called === null ? [] : [called])];
    const kind = Math.min(...meld.map(kindNamed));
    if (name !== "kakan")
      return {
        ...this.held,
        melds: [...melds, { form: CALLS[name]!, kind }],
        reds: reds + Number(called !== null && isRed(called)),
      };
    const added = melds.map((each) =>
      each.form === Form.PON && each.kind === kind ? { form: Form.KAKAN as number, kind } : each,
    );
    return { ...this.held, melds: added };
  }

  private get options(): { calls: number; players: 3 | 4 } {
    return { calls: this.held.melds.length, players: this.players };
  }

  private count(): void {
    this.shanten = this.janshi.shanten(this.hand, this.options);
    this.waits = this.shanten === 0 ? this.janshi.waits(this.hand, this.options) : [];
    this.worth = this.worthOf(this.held, this.hand, this.waits);
  }

  private winning(held: Held, counts: ArrayLike<number>, kind: number, more: Partial<WinningHand>): WinningHand {
    const { melds, ...rest } = held;
    return {
      ...rest,
      ...{ counts, kind, calls: melds.length },
      forms: melds.map((meld) => meld.form),
      kinds: melds.map((meld) => meld.kind),
      ...more,
    };
  }

  /** Values of wins on some kinds, without honba and yaku of chance. */
  private worthOf(held: Held, hand: Int8Array, kinds: readonly number[]): Worth[] {
    const rules = this.table.rules;
    return kinds.flatMap((kind) => {
      if (hand[kind]! >= 4) return [];
      const counts = hand.map((count, each) => count + Number(each === kind));
      const ron = this.janshi.valueOf(this.winning(held, counts, kind, {}), rules);
      if (typeof ron === "string") return [];
      const tsumo = this.janshi.valueOf(this.winning(held, counts, kind, { tsumo: 1 }), rules);
      const each = tsumo === null || typeof tsumo === "string" ? 0 : this.eachOf(tsumo);
      return [ron ? worthOf(kind, ron, each) : { tile: toMjai(kind), fan: 0, points: 0, each, fans: [] }];
    });
  }

  private eachOf(score: Score): number {
    return this.janshi.shareOf(score.basic, this.held.seat_wind === EAST, false, this.table.rules);
  }

  win(): Worth | null {
    const view = this.table.view(this.seat);
    const { legal } = this.table;
    const tsumo = legal.includes(Action.TSUMO);
    if (!tsumo && !legal.includes(Action.RON)) return null;
    const tile = tsumo ? view.drawn : view.tile;
    const kind = kindOf(tile);
    const counts = this.hand.slice();
    if (!tsumo) counts[kind]! += 1;
    const seat = view.seats[this.seat]!;
    const rinshan = tsumo && this.replaced;
    const first = seat.discards === 0 && !view.interrupted;
    const rules = this.janshi.rulesOf(this.table.rules);
    const score = this.janshi.valueOf(
      this.winning(this.held, counts, kind, {
        reds: this.held.reds + Number(!tsumo && tile >= 34),
        tsumo: Number(tsumo),
        ippatsu: seat.ippatsu,
        rinshan: Number(rinshan),
        chankan: Number(!tsumo && (view.claimed === Offer.KAKAN || view.claimed === Offer.ANKAN)),
        last: Number(view.left === 0 && !rinshan && (tsumo || view.claimed === Offer.DISCARD)),
        first: Number(first && (tsumo || number(rules, "renhou") > 0)),
      }),
      this.table.rules,
    );
    return score === null || typeof score === "string" ? null : worthOf(kind, score, this.eachOf(score));
  }

  own(): Own {
    const furiten = this.waits.some((kind) => this.river.has(kind)) || (this.waits.length > 0 && this.missed > 0);
    const waits = acceptedOf(this.waits, this.seen());
    return { type: "own", shanten: this.shanten, waits, furiten, worth: this.worth };
  }

  private seen(): Int8Array {
    return this.hand.map((count, kind) => count + this.visible[kind]!);
  }

  discards(tiles: string[]): Discard[] {
    if (!tiles.length) return [];
    const after = this.janshi.ukeire(this.hand, { ...this.options, visible: this.visible });
    return tiles.flatMap((tile): Discard[] => {
      const discard = kindNamed(tile);
      const row = after.find((each) => each.discard === discard);
      if (row?.shanten !== 0) return [];
      const missed = this.missed === PERMANENTLY;
      const furiten = row.accepted.some((kind) => kind === discard || this.river.has(kind)) || missed;
      const worth = this.worthAfter(this.held, this.hand, tile, row.accepted);
      return [{ tile, waits: acceptedOf(row.accepted, this.seen()), furiten, worth }];
    });
  }

  /** Values of the waits after a discard. */
  private worthAfter(held: Held, hand: Int8Array, tile: string, kinds: readonly number[]): Worth[] {
    const left = hand.map((count, kind) => count - Number(kind === kindNamed(tile)));
    return this.worthOf({ ...held, reds: held.reds - Number(isRed(tile)) }, left, kinds);
  }

  calls(options: Option[]): Call[] {
    const melds = options.filter((option) => option.name in CALLS || option.name === "kakan");
    return melds.flatMap((option) => this.callOf(option) ?? []);
  }

  /** The waits after a call or kan, and after the best discard if one follows; null if not tenpai. */
  private callOf({ action, name, tile, tiles }: Option): Call | null {
    const called = CLAIMS.includes(name) ? tile! : null;
    const laid = name === "kakan" ? [tile!] : tiles!;
    const [hand, reds] = [this.hand.slice(), this.redFives.slice()];
    this.move(hand, laid, -1);
    this.move(reds, laid.filter(isRed), -1);
    const held = this.withMeld(name, laid, called);
    const visible = this.visible.map((count, kind) => count + this.hand[kind]! - hand[kind]!);
    const barred = called === null ? [] : barredBy(this.janshi.rulesOf(this.table.rules), called, laid);
    const after = this.janshi.ukeire(hand, { calls: held.melds.length, players: this.players, visible });
    const possible = after
      .filter((row) => row.shanten === 0 && (row.discard === null || !barred.includes(row.discard)))
      .sort((a, b) => (a.discard ?? 0) - (b.discard ?? 0))
      .map(({ discard, accepted }): Call => {
        const red = discard !== null && reds[discard] === hand[discard];
        const left = discard === null ? null : toMjai(red ? 34 + Math.floor(discard / 9) : discard);
        const inRiver = accepted.some((kind) => kind === discard || this.river.has(kind));
        const worth = left === null ? this.worthOf(held, hand, accepted) : this.worthAfter(held, hand, left, accepted);
        const waits = acceptedOf(accepted, this.seen());
        return { action, discard: left, waits, furiten: inRiver || this.missed === PERMANENTLY, worth };
      });
    const best = (one: Call, other: Call) => (compared(chances(other), chances(one)) > 0 ? other : one);
    return possible.length ? possible.reduce(best) : null;
  }
}

/** By this a discard after a call is the best: tiles that win by a yaku, no furiten, all tiles. */
function chances({ waits, worth, furiten }: Call): number[] {
  const wins = (name: string) => worth.some((each) => each.tile === name && each.points > 0);
  const winning = waits.filter((each) => wins(each.tile));
  return [sum(winning.map((each) => each.left)), Number(!furiten), sum(waits.map((each) => each.left))];
}

const compared = (one: number[], other: number[]): number =>
  one.map((each, index) => each - other[index]!).find((difference) => difference !== 0) ?? 0;

function worthOf(kind: number, score: Score, each: number): Worth {
  const fans = score.yaku.map(([name, fan]) => ({ name, fan }));
  return { tile: toMjai(kind), fan: sum(fans.map((one) => one.fan)), points: score.points, each, fans };
}

// ---------------------------------------------------------------------------------------------------------
// Advice

const PERMANENTLY = 2;

export function advise(
  janshi: Janshi,
  table: Table<"riichi">,
  seat: number,
): Omit<Advice, "by" | "best" | "preferences"> {
  const view = table.view(seat);
  const visible = table.visible(seat);
  const dangers = table.dangers(seat);
  const players = table.players as 3 | 4;
  const calls = view.seats[seat]!.calls;
  const outside = (counts: Int8Array) => visible.map((count, kind) => count - counts[kind]!);
  const discards = discardsByKind(table.legal, view.drawn);
  const rows = janshi.ukeire(view.hand.counts, { calls, players, visible: outside(view.hand.counts) });

  const candidates = [...discards].map(([kind, actions]): Candidate => {
    const row = rows.find((each) => each.discard === kind)!;
    const accepts = acceptedOf(row.accepted, visible);
    const river = view.seats[seat]!.river_mask | (1n << BigInt(kind));
    const missed = view.hand.missed === PERMANENTLY;
    const inRiver = row.accepted.some((each) => (river >> BigInt(each)) & 1n);
    return {
      tile: toMjai(kind),
      actions,
      shanten: row.shanten,
      accepts,
      left: sum(accepts.map((each) => each.left)),
      furiten: row.shanten === 0 && (missed || inRiver),
      safety: Object.fromEntries(dangers.map((danger) => [danger.seat, safetyOf(danger, view, visible, kind)])),
      worth: [],
    };
  });
  const riskOf = (kind: number) =>
    rounded(1 - dangers.reduce((passes, danger) => passes * (1 - danger.risks[kind]!), 1));
  const risks = [...discards].flatMap(([kind, actions]) => actions.map((action) => [action, riskOf(kind)]));

  const after = table.legal.flatMap((action) => {
    const laid = laidKinds(view, action);
    if (!laid.length) return [];
    const counts = view.hand.counts.slice();
    for (const kind of laid) counts[kind]! -= 1;
    const added = action === Action.KITA || action >= Action.KAKAN ? 0 : 1;
    const barred = barredAfter(view, action);
    const possible = janshi
      .ukeire(counts, { calls: calls + added, players, visible: outside(counts) })
      .filter((row) => row.discard === null || !barred.includes(row.discard));
    const best = possible.reduce((one, other) =>
      other.shanten < one.shanten || (other.shanten === one.shanten && other.left > one.left) ? other : one,
    );
    const accepts = acceptedOf(best.accepted, visible);
    const discard = best.discard === null ? null : toMjai(best.discard);
    return [{ action, discard, shanten: best.shanten, accepts, left: sum(accepts.map((each) => each.left)) }];
  });
  return {
    shanten: janshi.shanten(view.hand.counts, { calls, players }),
    candidates: candidates.sort((a, b) => a.shanten - b.shanten || b.left - a.left),
    after,
    risk: discards.size && dangers.length ? (Object.fromEntries(risks) as Record<string, number>) : null,
    voids: [],
  };
}

/** The safety of a discard against a seat: see `janshi.review.model.Candidate.safety`. */
function safetyOf({ seat, safety }: Danger, view: RiichiView, visible: Int8Array, kind: number): Safety {
  const found = safety[kind] as Safety;
  if (found !== "open" || kind >= EAST) return found;
  return (["no_chance", "one_chance"] as const)[twoSidedWaits(view, visible, seat, kind)] ?? "open";
}

/** The number of two-sided waits of a seat on a kind, of one side, that the hidden tiles allow at most. */
function twoSidedWaits(view: RiichiView, visible: Int8Array, seat: number, kind: number): number {
  const cannot = view.seats[seat]!.river_mask | view.seats[seat]!.passed;
  const left = (other: number) => 4 - visible[other]!;
  const sides = [-1, 1].filter((side) => {
    const end = (kind % 9) + 3 * side;
    return end >= 0 && end < 9 && !((cannot >> BigInt(kind + 3 * side)) & 1n);
  });
  return Math.max(0, ...sides.map((side) => Math.min(left(kind + side), left(kind + 2 * side))));
}

/** The actions that discard each kind, kinds ascending. */
function discardsByKind(legal: readonly number[], drawn: number): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const action of legal) {
    if (action > Action.TSUMOGIRI) continue;
    const kind = kindOf(action === Action.TSUMOGIRI ? drawn : action);
    found.set(kind, [...(found.get(kind) ?? []), action]);
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}

function laidKinds(view: RiichiView, action: number): number[] {
  const called = view.tile >= 0 ? kindOf(view.tile) : -1;
  if (action >= Action.CHII && action < Action.PON) {
    const low = called - ((action - Action.CHII) % 3);
    return [low, low + 1, low + 2].filter((kind) => kind !== called);
  }
  if (action >= Action.PON && action <= Action.DAIMINKAN)
    return Array<number>(action === Action.DAIMINKAN ? 3 : 2).fill(called);
  if (action === Action.KITA) return [NORTH];
  if (action >= Action.ANKAN && action < Action.KAKAN) return Array<number>(4).fill(action - Action.ANKAN);
  return action >= Action.KAKAN ? [action - Action.KAKAN] : [];
}

/** Kinds that may not be discarded after a call (kuikae). */
function barredAfter(view: RiichiView, action: number): number[] {
  const called = view.tile >= 0 ? kindOf(view.tile) : -1;
  return barredKinds(view.rules.kuikae, called, action >= Action.PON ? 1 : (action - Action.CHII) % 3);
}

function barredBy(rules: Rules, called: string, laid: readonly string[]): number[] {
  const [kind, own] = [kindNamed(called), laid.map(kindNamed)];
  return barredKinds(number(rules, "kuikae"), kind, own.includes(kind) ? 1 : kind - Math.min(kind, ...own));
}

/** Kinds barred after a chii of a tile at a position of its run; after a pon as in the middle. */
function barredKinds(kuikae: number, called: number, position: number): number[] {
  const barred = kuikae >= 1 ? [called] : [];
  if (kuikae >= 2 && position === 0 && called % 9 <= 5) barred.push(called + 3);
  if (kuikae >= 2 && position === 2 && called % 9 >= 3) barred.push(called - 3);
  return barred;
}

export const RIICHI: Side<"riichi"> = {
  story: (...given) => new RiichiStory(...given),
  seenBy,
  knowledge: (janshi, table, seat) => new RiichiKnowledge(janshi, table, seat),
  options: (table, seat) => {
    const view = table.view(seat);
    return table.legal.map((action) => optionOf(view, view.rules as unknown as Rules, action));
  },
  advise,
  claim: Phase.CLAIM,
};
