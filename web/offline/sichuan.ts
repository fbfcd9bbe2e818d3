/**
 * Sichuan mahjong without a server: the TypeScript of `janshi.sichuan.records.live`, `janshi.sichuan.page` and
 * `janshi.sichuan.review.advice`.
 */
import {
  kindsIn,
  SichuanAction as Action,
  SichuanEnding as Ending,
  SichuanEvent as Logged,
  SichuanFan as Fan,
  SichuanMeldForm as MeldForm,
  SichuanOffer as Offer,
  SichuanPhase as Phase,
  SichuanReady as Ready,
} from "../../npm/dist/index.js";
import type { FanValue, Janshi, RuleFields, SichuanHandCounts, SichuanView, Table } from "../../npm/dist/index.js";
import type { Advice, After, Candidate, Discard, Option, Own, Worth } from "../src/messages";
import {
  acceptedOf,
  type Event,
  HIDDEN,
  hideHands,
  kindNamed,
  type Knowledge,
  type Side,
  Story,
  sum,
  toMjai,
} from "./side";

const SUITS = "mps";
const KINDS = 27;
const DEALT = 13;
const AS_IT_IS = 27;
const NOT_HELD = 127;
const REASONS: Record<number, string> = {
  [Logged.WIN_PAY]: "win",
  [Logged.KONG_PAY]: "kong",
  [Logged.KONG_DISCARD_REFUND]: "kong_discard_refund",
  [Logged.KONG_TRANSFER]: "kong_transfer",
  [Logged.READY_PAY]: "ready",
  [Logged.PIG_PAY]: "pig",
  [Logged.KONG_REFUND]: "kong_refund",
};
const SETTLED: readonly number[] = [Logged.READY_PAY, Logged.PIG_PAY, Logged.KONG_REFUND];

const nameOf = (members: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(members)
    .find((name) => members[name] === value)!
    .toLowerCase();

// ---------------------------------------------------------------------------------------------------------
// Events

class SichuanStory extends Story<"sichuan"> {
  private aside = [0, 0, 0, 0];
  private suits = [-1, -1, -1, -1];
  private known = [false, false, false, false];
  private settled = false;

  protected startGame(): Event {
    return { type: "start_game", names: [...this.names], rules: this.table.rules, game: "sichuan" };
  }

  protected startHand(): Event {
    const { state } = this.table;
    this.aside = [0, 0, 0, 0];
    this.suits = [-1, -1, -1, -1];
    this.known = [false, false, false, false];
    this.settled = false;
    const { dealer, wall } = state;
    const hands: number[][] = [[], [], [], []];
    for (let step = 0; step < 4; step++) hands[(dealer + step) % 4] = [...wall.slice(DEALT * step, DEALT * (step + 1))];
    hands[dealer]!.push(wall[4 * DEALT]!);
    return {
      type: "start_kyoku",
      number: Number(state.hand_number),
      oya: dealer,
      scores: [...state.before],
      tehais: hands.map((hand) => hand.sort((a, b) => a - b).map(toMjai)),
      left: wall.length - 4 * DEALT - 1,
    };
  }

  protected eventsOf(rows: number[][]): Event[] {
    const events = this.laidAside();
    for (let first = 0; first < rows.length;) {
      const last = rows.findIndex((row, index) => index > first && !same(row, rows[first]!));
      const group = rows.slice(first, last < 0 ? rows.length : last);
      events.push(...this.groupOf(group));
      first += group.length;
    }
    return events;
  }

  /** Tiles newly selected for the exchange. */
  private laidAside(): Event[] {
    return this.table.state.hands.flatMap((hand, who) => {
      const given = [...hand.given].filter((tile) => tile >= 0);
      const events = given.slice(this.aside[who]).map((tile) => ({ type: "lay_aside", actor: who, pai: toMjai(tile) }));
      this.aside[who] = given.length;
      return events;
    });
  }

  private groupOf(rows: number[][]): Event[] {
    const event = rows[0]![0]!;
    const reason = REASONS[event];
    if (reason) {
      const settled = SETTLED.includes(event) ? this.settle() : [];
      return [...settled, { type: "pay", reason, payments: rows.map((row) => row.slice(1)) }];
    }
    if (event === Logged.GIVE) {
      const [, giver, , receiver] = rows[0]!;
      return [{ type: "exchange", actor: giver, target: receiver, tiles: rows.map((row) => toMjai(row[2]!)) }];
    }
    return rows.flatMap(([, who, tile, detail]) => this.eventsOfRow(event, who!, tile!, detail!));
  }

  private eventsOfRow(event: number, who: number, tile: number, detail: number): Event[] {
    if (event === Logged.VOID) return this.voided(who, tile, detail);
    const pai = toMjai(tile);
    const actor = { actor: who, pai };
    if (event === Logged.DRAW || event === Logged.REPLACE) return [{ type: "tsumo", ...actor, left: detail }];
    if (event === Logged.DISCARD) {
      const shown = this.known[who] ? [] : this.showVoid(who);
      return [{ type: "dahai", ...actor, tsumogiri: false, laid: detail !== 0 }, ...shown];
    }
    if (event === Logged.PUNG) return [{ type: "pon", ...actor, target: detail, consumed: Array(2).fill(pai) }];
    if (event === Logged.EXPOSED_KONG)
      return [{ type: "daiminkan", ...actor, target: detail, consumed: Array(3).fill(pai) }];
    if (event === Logged.CONCEALED_KONG) return [{ type: "ankan", actor: who, consumed: Array(4).fill(pai) }];
    if (event === Logged.ADDED_KONG) return [{ type: "kakan", ...actor, consumed: Array(3).fill(pai) }];
    return [this.win(who, pai, detail)];
  }

  private voided(who: number, suit: number, laid: number): Event[] {
    this.suits[who] = suit;
    const event = { type: "void", actor: who, suit: SUITS[suit]!, pai: laid < 0 ? null : toMjai(laid) };
    const all = !this.table.state.rules.void_face_down && Math.min(...this.suits) >= 0;
    return [event, ...(all ? [0, 1, 2, 3].flatMap((seat) => this.showVoid(seat)) : [])];
  }

  private showVoid(who: number): Event[] {
    this.known[who] = true;
    return [{ type: "void_shown", actor: who, suit: SUITS[this.suits[who]!]! }];
  }

  private win(who: number, pai: string, discarder: number): Event {
    const { state } = this.table;
    const rules = this.table.fields;
    const place = state.wins.slice(0, state.winners).findIndex((win) => win.seat === who);
    const { value, robbed } = state.wins[place]!;
    const fans = Object.entries(Fan).flatMap(([name, fan]) => {
      const times = value.times[fan]!;
      return times ? [[name.toLowerCase(), times * (rules[name.toLowerCase()] as number)]] : [];
    });
    return {
      type: "win",
      actor: who,
      target: discarder < 0 ? who : discarder,
      pai,
      place: place + 1,
      fans,
      fan: value.fan,
      points: value.points,
      robbed: robbed !== 0,
    };
  }

  /** The settlement of a hand, once: all hands, ready players, flower pigs. */
  private settle(): Event[] {
    if (this.settled) return [];
    this.settled = true;
    const { state } = this.table;
    const hands = state.hands.map((hand) => {
      const tiles = [...hand.counts].flatMap((count, kind) => Array<number>(count).fill(kind));
      return [...tiles, ...(hand.laid >= 0 ? [hand.laid] : [])].sort((a, b) => a - b).map(toMjai);
    });
    const reason = nameOf(Ending, state.ended);
    const ready = state.seats.map((seat) => seat.ready === Ready.READY);
    return [{ type: "settlement", reason, hands, ready, pigs: state.seats.map((seat) => seat.pig > 0) }];
  }

  protected endHand(): Event[] {
    const { over, scores, state } = this.table;
    const points = scores.map((each) => each - state.rules.start);
    const end: Event[] = over ? [{ type: "end_game", scores, points }] : [];
    return [...this.settle(), { type: "end_kyoku" }, ...end];
  }
}

/** Whether rows form one event: payments, and the gifts of one seat. */
const same = (row: number[], first: number[]): boolean =>
  row[0] === first[0] && (row[0] !== Logged.GIVE || row[1] === first[1]);

function seenBy(event: Event, seat: number): Event {
  const own = event["actor"] === seat;
  if (event.type === "tsumo" || event.type === "lay_aside") return own ? event : { ...event, pai: HIDDEN };
  if (event.type === "void") return own ? event : { ...event, suit: HIDDEN, pai: HIDDEN };
  if (event.type === "exchange" && !own && event["target"] !== seat)
    return { ...event, tiles: (event["tiles"] as string[]).map(() => HIDDEN) };
  if (event.type === "start_kyoku") return hideHands(event, seat);
  return event.type === "start_game" ? { ...event, id: seat } : event;
}

// ---------------------------------------------------------------------------------------------------------
// Options

function optionsOf(view: SichuanView, action: number): Option[] {
  const option = optionOf(view, action);
  if (option.name !== "discard" || action !== view.drawn) return [option];
  const fromHand = view.hand.counts[action]! > 1 ? [option] : [];
  return [...fromHand, { ...option, tsumogiri: true }];
}

function optionOf(view: SichuanView, action: number): Option {
  const made = (name: Option["name"], tile: string | null = null, count = 0): Option => ({
    ...{ action, name, tile, tiles: Array<string>(count).fill(tile ?? ""), tsumogiri: false },
  });
  if (action < Action.VOID) {
    const name = view.phase === Phase.EXCHANGE ? "give" : view.phase === Phase.VOID ? "lay" : "discard";
    return made(name, toMjai(action));
  }
  if (action < Action.PUNG) return made((["void_m", "void_p", "void_s"] as const)[action - Action.VOID]!);
  if (action === Action.PASS) return made("pass");
  if (action === Action.WIN) return made("win", toMjai(view.phase === Phase.TURN ? view.drawn : view.tile));
  if (action >= Action.OWN_KONG) {
    const kind = action - Action.OWN_KONG;
    const added = view.seats[view.seat]!.pungs & (1 << kind);
    return added ? made("kakan", toMjai(kind)) : made("ankan", toMjai(kind), 4);
  }
  return action === Action.PUNG ? made("pon", toMjai(view.tile), 2) : made("daiminkan", toMjai(view.tile), 3);
}

// ---------------------------------------------------------------------------------------------------------
// Hands

type Hand = Required<SichuanHandCounts> & { counts: Int8Array };

const emptyHand = (): Hand => ({
  counts: new Int8Array(KINDS),
  void: -1,
  kind: 0,
  pungs: 0,
  kongs: 0,
  circumstances: 0,
});
const copyOf = (hand: Hand): Hand => ({ ...hand, counts: hand.counts.slice() });
const bitsOf = (mask: number): number[] => kindsIn(BigInt(mask));

/** Tiles of each kind, melds included. */
function ownTiles(hand: Hand): Int8Array {
  return hand.counts.map(
    (count, kind) => count + (hand.pungs & (1 << kind) ? 3 : 0) + (hand.kongs & (1 << kind) ? 4 : 0),
  );
}

interface Ukeire {
  shanten: Int8Array;
  accepted: BigInt64Array;
  left: Int16Array;
  visible: Int8Array;
}

function ukeireOf(janshi: Janshi, hand: Hand, outside: ArrayLike<number>): Ukeire {
  return janshi.ukeireOfSichuan(
    hand,
    ownTiles(hand).map((count, kind) => count + outside[kind]!),
  );
}

const inWords = (kind: number, value: FanValue): Worth => ({
  tile: toMjai(kind),
  fan: value.fan,
  points: value.points,
  each: value.each,
  fans: value.fans.map(([name, fan]) => ({ name: name.replaceAll(" ", "_"), fan })),
});

/** Values of plain wins on the waits of a hand of 13 tiles. */
function worthOf(janshi: Janshi, hand: Hand, rules: RuleFields): Worth[] {
  const held = ownTiles(hand);
  return [...Array(KINDS).keys()].flatMap((kind) => {
    if (held[kind]! >= 4) return [];
    const complete = { ...copyOf(hand), kind };
    complete.counts[kind]! += 1;
    const value = janshi.valueOfSichuan(complete, rules);
    return value ? [inWords(kind, value)] : [];
  });
}

function handOf(view: SichuanView): Hand {
  const seat = view.seats[view.seat]!;
  const counts = view.hand.counts.slice();
  const aside = view.phase === Phase.EXCHANGE ? [...view.hand.given] : [];
  for (const tile of [view.hand.laid, ...aside]) if (tile >= 0) counts[tile]! += 1;
  return { ...emptyHand(), counts, pungs: seat.pungs, kongs: seat.kongs, void: view.hand.void };
}

/** Tiles of each kind in rivers and the others' melds. */
function seenOutside(view: SichuanView): Int8Array {
  const seen = new Int8Array(KINDS);
  view.seats.forEach((seat, who) => {
    seat.discarded.forEach((count, kind) => (seen[kind]! += count));
    if (who === view.seat) return;
    for (const kind of bitsOf(seat.pungs)) seen[kind]! += 3;
    for (const kind of bitsOf(seat.kongs)) seen[kind]! += 4;
  });
  return seen;
}

function worthOfWin(janshi: Janshi, view: SichuanView, rules: RuleFields): Worth | null {
  if (!((view.legal >> BigInt(Action.WIN)) & 1n)) return null;
  const hand = handOf(view);
  const selfDrawn = view.phase === Phase.TURN;
  const kind = selfDrawn ? view.drawn : view.tile;
  hand.counts[kind]! += Number(!selfDrawn);
  hand.kind = kind;
  hand.circumstances = sum(circumstancesOf(view, selfDrawn).map((fan) => 1 << fan));
  const value = janshi.valueOfSichuan(hand, rules);
  return value && inWords(kind, value);
}

function circumstancesOf(view: SichuanView, selfDrawn: boolean): number[] {
  const { melds, calls } = view.seats[view.seat]!;
  const open = melds.slice(0, calls).some(({ form }) => form !== MeldForm.CONCEALED_KONG);
  const found: number[] = [...(open ? [] : [Fan.CONCEALED]), ...(selfDrawn ? [Fan.SELF_DRAW] : [])];
  if (!selfDrawn && view.claimed === Offer.ADDED_KONG) return [...found, Fan.ROBBING];
  if (view.replaced) found.push(selfDrawn ? Fan.AFTER_KONG : Fan.KONG_DISCARD);
  if (view.left === 0) found.push(Fan.LAST_TILE);
  const own = view.seats[view.seat]!;
  if (selfDrawn && own.discards === 0 && own.calls === 0 && !view.called)
    found.push(view.seat === view.dealer ? Fan.HEAVEN : Fan.EARTH);
  return found;
}

// ---------------------------------------------------------------------------------------------------------
// Knowledge

const CALLS = ["pon", "daiminkan", "ankan"];

class SichuanKnowledge implements Knowledge {
  private hand = emptyHand();
  private visible = new Int8Array(KINDS);
  private won = false;
  private known: Own = { type: "own", shanten: 0, waits: [], furiten: false, worth: [] };

  constructor(
    private readonly janshi: Janshi,
    private readonly table: Table<"sichuan">,
    private readonly seat: number,
  ) {}

  follow(event: Event): void {
    const { type } = event;
    if (type === "start_kyoku") this.begin((event["tehais"] as string[][])[this.seat]!);
    else if (type === "exchange" && !(event["tiles"] as string[]).includes(HIDDEN))
      this.take(event["tiles"] as string[], event["actor"] === this.seat ? -1 : 1);
    else if (["tsumo", "dahai", "kakan", ...CALLS].includes(type)) {
      this.lie(event);
      if (event["actor"] === this.seat) this.followOwn(event);
    } else if (type === "win") this.followWin(event);
    else if (type === "void" && event["actor"] === this.seat) this.hand.void = SUITS.indexOf(event["suit"] as string);
    const tiles = sum(ownTiles(this.hand));
    if ((this.hand.void >= 0 && tiles === 13 + bitsOf(this.hand.kongs).length) || this.won) this.count();
  }

  private begin(tiles: readonly string[]): void {
    this.hand = emptyHand();
    this.visible = new Int8Array(KINDS);
    this.won = false;
    this.known = { type: "own", shanten: 0, waits: [], furiten: false, worth: [] };
    this.take(tiles, 1);
  }

  private take(names: readonly string[], count: number): void {
    for (const name of names) this.hand.counts[kindNamed(name)]! += count;
  }

  private lie(event: Event): void {
    const { type } = event;
    const pai = event["pai"] as string;
    if (type === "dahai") this.visible[kindNamed(pai)]! += 1;
    else if (CALLS.includes(type) || type === "kakan") {
      const laid = CALLS.includes(type) ? (event["consumed"] as string[]) : [pai];
      if (event["actor"] !== this.seat) for (const name of laid) this.visible[kindNamed(name)]! += 1;
      else if (type === "pon" || type === "daiminkan") this.visible[kindNamed(pai)]! -= 1;
    }
  }

  private followOwn(event: Event): void {
    const { type } = event;
    const pai = event["pai"] as string;
    if (type === "tsumo") return this.take([pai], 1);
    this.take(type === "dahai" || type === "kakan" ? [pai] : (event["consumed"] as string[]), -1);
    if (type === "dahai") return;
    const bit = 1 << kindNamed((event["consumed"] as string[])[0]!);
    if (type === "pon") this.hand.pungs |= bit;
    else {
      this.hand.pungs &= ~bit;
      this.hand.kongs |= bit;
    }
  }

  private followWin(event: Event): void {
    this.won ||= event["actor"] === this.seat;
    const kind = kindNamed(event["pai"] as string);
    const bit = 1 << kind;
    if (event["robbed"] && event["target"] === this.seat && this.hand.kongs & bit) {
      this.hand.kongs &= ~bit;
      this.hand.pungs |= bit;
      this.visible[kind]! += 1;
    }
  }

  private count(): void {
    this.known = { type: "own", shanten: -1, waits: [], furiten: false, worth: [] };
    if (this.won) return;
    const ukeire = ukeireOf(this.janshi, this.hand, this.visible);
    const shanten = ukeire.shanten[AS_IT_IS]!;
    this.known = { ...this.known, shanten };
    if (shanten !== 0) return;
    const waits = acceptedOf(kindsIn(ukeire.accepted[AS_IT_IS]!), ukeire.visible);
    this.known = { ...this.known, waits, worth: worthOf(this.janshi, this.hand, this.table.fields) };
  }

  own(): Own {
    return this.known;
  }

  /** Nothing: every complete hand wins. */
  calls(): [] {
    return [];
  }

  win(): Worth | null {
    return worthOfWin(this.janshi, this.table.view(this.seat), this.table.fields);
  }

  discards(tiles: string[]): Discard[] {
    if (!tiles.length) return [];
    const ukeire = ukeireOf(this.janshi, this.hand, this.visible);
    return tiles.flatMap((tile): Discard[] => {
      const kind = kindNamed(tile);
      if (ukeire.shanten[kind] !== 0) return [];
      const after = copyOf(this.hand);
      after.counts[kind]! -= 1;
      const waits = acceptedOf(kindsIn(ukeire.accepted[kind]!), ukeire.visible);
      return [{ tile, waits, furiten: false, worth: worthOf(this.janshi, after, this.table.fields) }];
    });
  }
}

// ---------------------------------------------------------------------------------------------------------
// Advice

export function advise(
  janshi: Janshi,
  table: Table<"sichuan">,
  seat: number,
): Omit<Advice, "by" | "best" | "preferences"> {
  const view = table.view(seat);
  const before = view.phase === Phase.EXCHANGE || view.phase === Phase.VOID;
  const asked = view.phase === Phase.CLAIM;
  const calls = [Action.PUNG, Action.EXPOSED_KONG, ...[...Array(KINDS).keys()].map((kind) => Action.OWN_KONG + kind)];
  return {
    shanten: ukeireOf(janshi, handOf(view), seenOutside(view)).shanten[AS_IT_IS]!,
    candidates: before || asked ? [] : candidatesOf(janshi, table, view),
    after: before
      ? []
      : calls.filter((each) => table.legal.includes(each)).map((each) => afterCall(janshi, view, each)),
    risk: null,
    voids: before ? voidsOf(janshi, view) : [],
  };
}

function candidatesOf(janshi: Janshi, table: Table<"sichuan">, view: SichuanView): Candidate[] {
  const hand = handOf(view);
  const ukeire = ukeireOf(janshi, hand, seenOutside(view));
  const candidates = table.legal
    .filter((kind) => kind < Action.VOID)
    .map((kind): Candidate => {
      const slot = ukeire.shanten[kind] === NOT_HELD ? AS_IT_IS : kind;
      const shanten = ukeire.shanten[slot]!;
      const after = copyOf(hand);
      after.counts[kind]! -= 1;
      const safe = view.seats.flatMap((seat, who) =>
        who !== view.seat && !seat.won && seat.void === Math.floor(kind / 9) ? [[who, "safe"]] : [],
      );
      return {
        tile: toMjai(kind),
        actions: [kind],
        shanten,
        accepts: acceptedOf(kindsIn(ukeire.accepted[slot]!), ukeire.visible),
        left: ukeire.left[slot]!,
        furiten: false,
        safety: Object.fromEntries(safe) as Candidate["safety"],
        worth: shanten === 0 ? worthOf(janshi, after, table.fields) : [],
      };
    });
  return candidates.sort((a, b) => a.shanten - b.shanten || b.left - a.left);
}

function voidsOf(janshi: Janshi, view: SichuanView) {
  const hand = handOf(view);
  return [0, 1, 2].map((suit) => ({
    suit: SUITS[suit]!,
    tiles: sum(hand.counts.slice(9 * suit, 9 * suit + 9)),
    shanten: ukeireOf(janshi, { ...hand, void: suit }, new Int8Array(KINDS)).shanten[AS_IT_IS]!,
  }));
}

/** The hand after a pung or kong; after a pung, with the best discard. */
function afterCall(janshi: Janshi, view: SichuanView, action: number): After {
  const hand = handOf(view);
  const seen = seenOutside(view);
  const kind = action < Action.OWN_KONG ? view.tile : action - Action.OWN_KONG;
  const bit = 1 << kind;
  if (action === Action.PUNG) {
    hand.counts[kind]! -= 2;
    hand.pungs |= bit;
  } else {
    hand.counts[kind] = 0;
    hand.pungs &= ~bit;
    hand.kongs |= bit;
  }
  if (action < Action.OWN_KONG) seen[kind]! -= 1; // the called tile is still in a river
  const ukeire = ukeireOf(janshi, hand, seen);
  const held = [...Array(KINDS).keys()].filter((slot) => ukeire.shanten[slot] !== NOT_HELD);
  const slots = held.length ? held : [AS_IT_IS];
  const better = (one: number, other: number) =>
    ukeire.shanten[other]! < ukeire.shanten[one]! ||
    (ukeire.shanten[other] === ukeire.shanten[one] && ukeire.left[other]! > ukeire.left[one]!);
  const slot = slots.reduce((one, other) => (better(one, other) ? other : one));
  return {
    action,
    discard: slot === AS_IT_IS ? null : toMjai(slot),
    shanten: ukeire.shanten[slot]!,
    accepts: acceptedOf(kindsIn(ukeire.accepted[slot]!), ukeire.visible),
    left: ukeire.left[slot]!,
  };
}

export const SICHUAN: Side<"sichuan"> = {
  story: (...given) => new SichuanStory(...given),
  seenBy,
  knowledge: (janshi, table, seat) => new SichuanKnowledge(janshi, table, seat),
  options: (table, seat) => {
    const view = table.view(seat);
    return table.legal.flatMap((action) => optionsOf(view, action));
  },
  advise,
  claim: Phase.CLAIM,
};
