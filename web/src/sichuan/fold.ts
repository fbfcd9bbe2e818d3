/**
 * Sichuan mahjong's additions to the state of a table, and its own events (`janshi.sichuan.records.live`).
 * `table/fold` folds draws, discards and calls, as in Riichi.
 */
import type { Fold, SeatState, TableState } from "../table/fold";
import { arranged, HIDDEN } from "../table/names";

/** A win; the hand continues without its winner. */
export interface SichuanWin {
  actor: number;
  /** Seat of the tile; the winner itself after a self-draw. */
  target: number;
  tile: string;
  /** 1 to 3: the first, second or third to win. */
  place: number;
  /** Sources of fan with their values. */
  fans: [string, number][];
  fan: number;
  points: number;
  robbed: boolean;
}

export interface SichuanSeat {
  /** True if its void suit is public. */
  voidShown: boolean;
  /** True if it has voided a suit, known or not. */
  voided: boolean;
  /** The tile face down, which is discarded first. */
  laid: string | null;
  /** Tiles laid aside for the exchange. */
  aside: string[];
  won: SichuanWin | null;
}

export type Reason = "win" | "kong" | "kong_discard_refund" | "kong_transfer" | "ready" | "pig" | "kong_refund";

/** Immediate payments: payer, receiver, points. */
export interface Paid {
  reason: Reason;
  payments: [number, number, number][];
  /** The win of the payment. */
  win: SichuanWin | null;
}

export interface SichuanTable {
  /** Number of the hand from 0. */
  number: number;
  /** Seat offset of the exchange; 0: no exchange. */
  direction: number;
  /** All payments of the hand, in order. */
  paid: Paid[];
  /** Set when the hand is over. */
  settlement: { reason: string; ready: boolean[]; pigs: boolean[] } | null;
}

export function emptySichuanSeat(): SichuanSeat {
  return { voidShown: false, voided: false, laid: null, aside: [], won: null };
}

/** This game's data of a seat, and of the table. */
export const ownOf = (seat: SeatState | undefined) => (seat?.own ?? null) as SichuanSeat | null;
export const tableOf = (state: TableState) => state.own as SichuanTable | null;

type Of<T> = (seat: SeatState, own: SichuanSeat) => T;

function change(state: TableState, who: number, how: Of<SeatState>): TableState {
  const seats = state.seats.map((seat, at) => {
    const own = ownOf(seat);
    return at === who && own ? how(seat, own) : seat;
  });
  return { ...state, seats };
}

const number = (value: unknown) => (typeof value === "number" ? value : 0);
const text = (value: unknown) => (typeof value === "string" ? value : null);
const texts = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);

/** The hand without some tiles; hidden ones for a hidden hand. */
function less(hand: readonly string[], gone: readonly string[]): string[] {
  const left = [...hand];
  for (const tile of gone) {
    const at = left.indexOf(tile) >= 0 ? left.indexOf(tile) : left.indexOf(HIDDEN);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

export const SICHUAN_FOLDS: Record<string, (next: Record<string, Fold>) => Fold> = {
  start_kyoku: (base) => (state, event) => {
    const dealt = base["start_kyoku"]!(state, event);
    return {
      ...dealt,
      wall: number(event["left"]),
      indicators: [],
      seats: dealt.seats.map((seat) => ({ ...seat, own: emptySichuanSeat() })),
      own: { number: number(event["number"]), direction: 0, paid: [], settlement: null },
    };
  },
  tsumo: (base) => (state, event) => ({ ...base["tsumo"]!(state, event), wall: number(event["left"]) }),
  dahai: (base) => (state, event) => {
    const who = number(event["actor"]);
    const faceDown = ownOf(state.seats[who])?.laid ?? null;
    if (event["laid"] !== true || faceDown === null) return base["dahai"]!(state, event);
    // It is beside the hand already: put it back, and discard it like any other.
    const back = change(state, who, (seat, own) => ({
      ...seat,
      hand: [...seat.hand, faceDown],
      own: { ...own, laid: null },
    }));
    return base["dahai"]!(back, event);
  },
  lay_aside: () => (state, event) => {
    const tile = text(event["pai"]) ?? HIDDEN;
    return change(state, number(event["actor"]), (seat, own) => ({
      ...seat,
      hand: less(seat.hand, [tile]),
      own: { ...own, aside: [...own.aside, tile] },
    }));
  },
  exchange: () => (state, event) => {
    const [from, to] = [number(event["actor"]), number(event["target"])];
    // Tiles that another seat receives are not tracked in its hand, not even by the giver.
    const open = state.seat === null || state.seat === to;
    const tiles = texts(event["tiles"]).map((tile) => (open ? tile : HIDDEN));
    const given = change(state, from, (seat, own) => ({ ...seat, own: { ...own, aside: [] } }));
    const got = change(given, to, (seat) => ({ ...seat, hand: arranged([...seat.hand, ...tiles], null) }));
    const direction = (to - from + state.players) % state.players;
    return { ...got, own: tableOf(got) && { ...tableOf(got), direction } };
  },
  void: () => (state, event) => {
    const suit = text(event["suit"]);
    const laid = text(event["pai"]);
    const known = suit !== null && suit !== HIDDEN;
    return change(state, number(event["actor"]), (seat, own) => ({
      ...seat,
      hand: known ? arranged(less(seat.hand, laid === null ? [] : [laid]), suit) : seat.hand,
      void: known ? suit : null,
      own: { ...own, voided: true, laid: known ? laid : null },
    }));
  },
  void_shown: () => (state, event) =>
    change(state, number(event["actor"]), (seat, own) => ({
      ...seat,
      void: text(event["suit"]),
      own: { ...own, voided: true, voidShown: true },
    })),
  win: () => (state, event) => {
    const win: SichuanWin = {
      actor: number(event["actor"]),
      target: number(event["target"]),
      tile: text(event["pai"]) ?? HIDDEN,
      place: number(event["place"]),
      fans: (event["fans"] ?? []) as [string, number][],
      fan: number(event["fan"]),
      points: number(event["points"]),
      robbed: event["robbed"] === true,
    };
    const robbed = win.robbed ? change(state, win.target, (seat) => unrobbed(seat, win.tile)) : state;
    const after = change(robbed, win.actor, (seat, own) => ({
      ...seat,
      // The winning tile is shown beside the hand, which does not change.
      ...(win.actor === win.target ? withoutDrawn(seat, win.tile) : {}),
      own: { ...own, won: win },
    }));
    return { ...after, turn: null };
  },
  pay: () => (state, event) => {
    const payments = (event["payments"] ?? []) as [number, number, number][];
    const deltas = changes(state.players, payments);
    const reason = event["reason"] as Reason;
    const winner = reason === "win" ? (payments[0]?.[1] ?? -1) : -1;
    const table = tableOf(state);
    const paid: Paid = { reason, payments, win: ownOf(state.seats[winner])?.won ?? null };
    return {
      ...state,
      seats: state.seats.map((seat, who) => ({ ...seat, score: seat.score + (deltas[who] ?? 0) })),
      own: table && { ...table, paid: [...table.paid, paid] },
      result: state.result && { ...state.result, deltas: handChanges(state, [paid]) },
    };
  },
  settlement: () => (state, event) => {
    const hands = (event["hands"] ?? []) as string[][];
    const ready = (event["ready"] ?? []) as boolean[];
    const pigs = (event["pigs"] ?? []) as boolean[];
    const seats = state.seats.map((seat, who) => {
      const own = ownOf(seat);
      // A winner's hand is shown without the winning tile, as before.
      const selfDrawn = own?.won != null && own.won.actor === own.won.target;
      const open = less(hands[who] ?? [], selfDrawn ? [own.won!.tile] : []);
      const hand = arranged(open, seat.void);
      return { ...seat, hand, drawn: null, own: own && { ...own, laid: null } };
    });
    const settlement = { reason: text(event["reason"]) ?? "", ready, pigs };
    return {
      ...state,
      seats,
      turn: null,
      offer: null,
      own: tableOf(state) && { ...tableOf(state), settlement },
      result: { wins: [], reason: settlement.reason, tenpais: ready, deltas: handChanges(state, []) },
    };
  },
};

/** A robbed kong becomes a pung again. */
function unrobbed(seat: SeatState, tile: string): SeatState {
  const melds = seat.melds.map((meld) =>
    meld.kind === "kakan" && meld.added === tile ? { ...meld, kind: "pon" as const, added: null } : meld,
  );
  return { ...seat, melds };
}

function withoutDrawn(seat: SeatState, tile: string): Pick<SeatState, "hand" | "drawn"> {
  // None of the dealer's fourteen tiles is separate.
  return seat.drawn === null ? { hand: less(seat.hand, [tile]), drawn: null } : { hand: seat.hand, drawn: null };
}

/** Changes of every seat's points by payments. */
export function changes(players: number, payments: readonly (readonly [number, number, number])[]): number[] {
  const sums = Array.from({ length: players }, () => 0);
  for (const [payer, receiver, points] of payments) {
    sums[payer] = (sums[payer] ?? 0) - points;
    sums[receiver] = (sums[receiver] ?? 0) + points;
  }
  return sums;
}

function handChanges(state: TableState, more: readonly Paid[]): number[] {
  const all = [...(tableOf(state)?.paid ?? []), ...more];
  return changes(
    state.players,
    all.flatMap((one) => one.payments),
  );
}

/** The winner's points of a win. */
export function gainOfWin(table: SichuanTable, who: number): number {
  const payments = table.paid.filter((paid) => paid.win?.actor === who).flatMap((paid) => paid.payments);
  return payments.reduce((sum, [, , points]) => sum + points, 0);
}

/** Hide the others' hidden information from a seat. */
export function hideSichuan(seat: SeatState): SeatState {
  const own = ownOf(seat);
  if (own === null) return seat;
  return {
    ...seat,
    void: own.voidShown ? seat.void : null,
    own: { ...own, laid: own.laid === null ? null : HIDDEN, aside: own.aside.map(() => HIDDEN) },
  };
}
