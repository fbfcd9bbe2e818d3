/**
 * mjai events folded into the state of the table: a pure function of state and event. Play, watch, replay and review
 * draw this state. Tiles hidden from a seat are `?`.
 */
import { partsOf } from "./games";
import { arranged, HIDDEN, plain, sorted } from "./names";
import type { Fold, Meld, MjaiEvent, SeatState, TableState, Win } from "./state";

export type * from "./state";

const WALL: Record<number, number> = { 3: 108 - 14 - 39, 4: 136 - 14 - 52 };

/** The state before the first event. */
export function emptyTable(players: number, seat: number | null = null, game = ""): TableState {
  return {
    game,
    players,
    names: Array.from({ length: players }, () => ""),
    rules: null,
    seat,
    hand: -1,
    wind: "E",
    kyoku: 1,
    honba: 0,
    deposits: 0,
    dealer: 0,
    wall: 0,
    indicators: [],
    seats: Array.from({ length: players }, () => emptySeat(0)),
    turn: null,
    offer: null,
    last: null,
    result: null,
    end: null,
    own: null,
    events: 0,
  };
}

/** Distinct names of seats, with numbers for equal ones. */
export function distinct(names: readonly string[]): string[] {
  return names.map((name, at) => {
    const alike = names.filter((one) => one === name).length;
    return alike === 1 ? name : `${name} ${names.slice(0, at + 1).filter((one) => one === name).length}`;
  });
}

function emptySeat(score: number): SeatState {
  return {
    score,
    hand: [],
    drawn: null,
    river: [],
    melds: [],
    kitas: 0,
    riichi: "no",
    turnNext: false,
    void: null,
    own: null,
  };
}

/** Fold several events. */
export function foldAll(state: TableState, events: readonly MjaiEvent[]): TableState {
  return events.reduce(fold, state);
}

/** The table after one more event. Unknown events change only `last` and `events`. */
export function fold(state: TableState, event: MjaiEvent): TableState {
  const after = (partsOf(state).folds[event.type]?.(FOLDS) ?? FOLDS[event.type] ?? same)(state, event);
  return { ...after, last: event, events: state.events + 1 };
}

const same: Fold = (state) => state;

/** A field that mjai does not have: in the object `janshi` of an event, or in the event itself. */
function own(event: MjaiEvent, name: string): unknown {
  const ours = event["janshi"] as Record<string, unknown> | undefined;
  return ours?.[name] ?? event[name];
}

const FOLDS: Record<string, Fold> = {
  start_game: (state, event) => {
    const names = distinct(texts(event["names"]));
    const seat = typeof event["id"] === "number" ? event["id"] : state.seat;
    return {
      ...emptyTable(names.length || state.players, seat, text(event["game"]) ?? state.game),
      names,
      rules: text(own(event, "rules")),
      events: state.events,
    };
  },
  start_kyoku: (state, event) => {
    const hands = event["tehais"] as string[][];
    const scores = numbers(event["scores"]);
    const players = state.players;
    return {
      ...state,
      hand: state.hand + 1,
      wind: text(event["bakaze"]) ?? "E",
      kyoku: number(event["kyoku"]),
      honba: number(event["honba"]),
      deposits: number(event["kyotaku"]),
      dealer: number(event["oya"]),
      wall: WALL[players] ?? 0,
      indicators: [text(event["dora_marker"]) ?? HIDDEN],
      seats: Array.from({ length: players }, (_, who) => ({
        ...emptySeat(scores[who] ?? 0),
        hand: sorted(hands[who] ?? []),
      })),
      turn: number(event["oya"]),
      offer: null,
      result: null,
    };
  },
  tsumo: (state, event) => {
    const who = number(event["actor"]);
    const drawn = text(event["pai"]) ?? HIDDEN;
    return { ...change(state, who, (seat) => ({ ...seat, drawn })), wall: state.wall - 1, turn: who, offer: null };
  },
  dahai: (state, event) => {
    const who = number(event["actor"]);
    const tile = text(event["pai"]) ?? HIDDEN;
    const tsumogiri = event["tsumogiri"] === true;
    const discarded = change(state, who, (seat) => {
      const river = [...seat.river, { tile, tsumogiri, turned: seat.turnNext, taken: false }];
      const left = tsumogiri && seat.drawn !== null ? { hand: seat.hand, drawn: null } : without(seat, [tile]);
      return { ...seat, ...left, river, turnNext: false };
    });
    return { ...discarded, turn: null, offer: { seat: who, tile } };
  },
  chi: called,
  pon: called,
  daiminkan: called,
  ankan: (state, event) => {
    const who = number(event["actor"]);
    const own = texts(event["consumed"]);
    const meld: Meld = { kind: "ankan", own, called: null, from: null, added: null };
    const laid = change(state, who, (seat) => ({ ...seat, ...without(seat, own), melds: [...seat.melds, meld] }));
    return { ...laid, turn: who, offer: { seat: who, tile: own[0] ?? HIDDEN } };
  },
  kakan: (state, event) => {
    const who = number(event["actor"]);
    const tile = text(event["pai"]) ?? HIDDEN;
    const laid = change(state, who, (seat) => ({
      ...seat,
      ...without(seat, [tile]),
      melds: seat.melds.map((meld) =>
        meld.kind === "pon" && plain(meld.called ?? "") === plain(tile)
          ? { ...meld, kind: "kakan" as const, added: tile }
          : meld,
      ),
    }));
    return { ...laid, turn: who, offer: { seat: who, tile } };
  },
  nukidora: (state, event) => {
    const who = number(event["actor"]);
    const laid = change(state, who, (seat) => ({ ...seat, ...without(seat, ["N"]), kitas: seat.kitas + 1 }));
    return { ...laid, turn: who, offer: { seat: who, tile: "N" } };
  },
  kita: (state, event) => FOLDS["nukidora"]!(state, event),
  dora: (state, event) => ({ ...state, indicators: [...state.indicators, text(event["dora_marker"]) ?? HIDDEN] }),
  reach: (state, event) =>
    change(state, number(event["actor"]), (seat) => ({ ...seat, riichi: "declared", turnNext: true })),
  reach_accepted: (state, event) => ({
    ...change(state, number(event["actor"]), (seat) => ({ ...seat, riichi: "accepted", score: seat.score - 1000 })),
    deposits: state.deposits + 1,
  }),
  hora: (state, event) => {
    const who = number(event["actor"]);
    const hand = sorted(texts(event["hora_tehais"]));
    const deltas = numbers(event["deltas"]);
    const target = number(event["target"]);
    const tile = text(event["pai"]) ?? HIDDEN;
    const seat = state.seats[who] ?? emptySeat(0);
    // Points without a payer are riichi sticks; payments beyond the hand's points are honba.
    const sticks = deltas.reduce((sum, delta) => sum + delta, 0);
    const points = number(event["hora_points"]);
    const win: Win = {
      actor: who,
      target,
      tile,
      hand,
      melds: seat.melds,
      kitas: seat.kitas,
      yaku: (own(event, "yaku") ?? []) as [number, number][],
      yakuman: numbers(own(event, "yakuman")),
      han: number(event["fan"]),
      fu: typeof event["fu"] === "number" ? event["fu"] : null,
      fuParts: (own(event, "fu_parts") ?? []) as [string, number, string | null][],
      limit: number(own(event, "limit")),
      points,
      sticks,
      honba: deltas.length > 0 ? Math.max(0, (deltas[who] ?? 0) - points - sticks) : 0,
      ura: seat.riichi === "accepted" ? texts(event["ura_markers"]) : [],
      deltas,
      pao: typeof event["pao"] === "number" ? event["pao"] : null,
      riichi: seat.riichi === "accepted",
    };
    const before = state.result ?? { wins: [], reason: null, tenpais: [], deltas: deltas.map(() => 0) };
    const shown = change(paid(state, deltas), who, (one) => ({ ...one, hand, drawn: target === who ? tile : null }));
    const result = {
      ...before,
      wins: [...before.wins, win],
      deltas: before.deltas.map((sum, at) => sum + (deltas[at] ?? 0)),
    };
    return { ...shown, turn: null, deposits: 0, result };
  },
  ryukyoku: (state, event) => {
    const deltas = numbers(event["deltas"]);
    const tenpais = Array.isArray(event["tenpais"]) ? (event["tenpais"] as boolean[]) : [];
    const hands = (event["tehais"] ?? []) as string[][];
    const after = paid(state, deltas);
    const seats = after.seats.map((seat, who) => {
      const open = hands[who];
      return tenpais[who] && open ? { ...seat, hand: sorted(open), drawn: null } : seat;
    });
    const result = { wins: [], reason: text(event["reason"]), tenpais, deltas };
    return { ...after, seats, turn: null, offer: null, result };
  },
  end_kyoku: (state) => ({ ...state, turn: null }),
  end_game: (state, event) => ({
    ...state,
    turn: null,
    end: {
      scores: Array.isArray(event["scores"]) ? numbers(event["scores"]) : state.seats.map((seat) => seat.score),
      points: Array.isArray(own(event, "points")) ? numbers(own(event, "points")) : null,
    },
  }),
};

/** A called discard leaves the river, and the caller lays down its own tiles. */
function called(state: TableState, event: MjaiEvent): TableState {
  const who = number(event["actor"]);
  const from = number(event["target"]);
  const tile = text(event["pai"]) ?? HIDDEN;
  const own = texts(event["consumed"]);
  const meld: Meld = { kind: event.type as "chi" | "pon" | "daiminkan", own, called: tile, from, added: null };
  const taken = change(state, from, (seat) => {
    const lost = seat.river.at(-1);
    if (!lost) return seat;
    return {
      ...seat,
      river: [...seat.river.slice(0, -1), { ...lost, taken: true }],
      turnNext: seat.turnNext || lost.turned,
    };
  });
  const laid = change(taken, who, (seat) => ({ ...seat, ...without(seat, own), melds: [...seat.melds, meld] }));
  return { ...laid, turn: who, offer: null };
}

function change(state: TableState, who: number, how: (seat: SeatState) => SeatState): TableState {
  return { ...state, seats: state.seats.map((seat, at) => (at === who ? how(seat) : seat)) };
}

function paid(state: TableState, deltas: number[]): TableState {
  return { ...state, seats: state.seats.map((seat, at) => ({ ...seat, score: seat.score + (deltas[at] ?? 0) })) };
}

/** The hand with the drawn tile sorted in, without some tiles; hidden ones for a hidden hand. */
function without(seat: SeatState, gone: readonly string[]): { hand: string[]; drawn: null } {
  const hand = seat.drawn === null ? [...seat.hand] : [...seat.hand, seat.drawn];
  for (const tile of gone) {
    const at = hand.indexOf(tile);
    const place = at >= 0 ? at : hand.indexOf(HIDDEN);
    if (place >= 0) hand.splice(place, 1);
  }
  return { hand: arranged(hand, seat.void), drawn: null };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? (value as number[]) : [];
}
