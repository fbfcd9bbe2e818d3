/** A picture of the table, and the events that change it. */

/** What the server tells; beside mjai's own fields those that the records of a game have. */
export interface MjaiEvent {
  type: string;
  [field: string]: unknown;
}

export interface RiverTile {
  tile: string;
  tsumogiri: boolean;
  /** Lies turned: the riichi discard, or the next one where that was called. */
  turned: boolean;
  /** Called by somebody, and so not in the river any more. */
  taken: boolean;
}

export interface Meld {
  kind: "chi" | "pon" | "daiminkan" | "ankan" | "kakan";
  /** From the caller's own hand; of an added kan the two of the pon. */
  own: string[];
  called: string | null;
  /** Seat that discarded it. */
  from: number | null;
  /** The fourth tile of an added kan. */
  added: string | null;
}

export interface SeatState {
  score: number;
  /** Concealed tiles without the drawn one, sorted; `?` where hidden. */
  hand: string[];
  drawn: string | null;
  river: RiverTile[];
  melds: Meld[];
  /** Norths set aside. */
  kitas: number;
  riichi: "no" | "declared" | "accepted";
  /** The next discard lies turned. */
  turnNext: boolean;
  /** A suit that has to go first: its tiles lie at the right of the hand. */
  void: string | null;
  /** What its game knows of a seat beside that. */
  own: unknown;
}

export interface Win {
  actor: number;
  /** Who fed it; the winner itself after a self-draw. */
  target: number;
  tile: string;
  hand: string[];
  melds: Meld[];
  kitas: number;
  /** [Tenhou's number, han]. */
  yaku: [number, number][];
  yakuman: number[];
  han: number;
  fu: number | null;
  /** 0: none, 1: mangan … 5: yakuman, as the record says. */
  limit: number;
  points: number;
  ura: string[];
  deltas: number[];
  pao: number | null;
  riichi: boolean;
  /** Points for honba, and from the riichi sticks on the table: both beside `points`. */
  honba: number;
  sticks: number;
}

export interface HandResult {
  wins: Win[];
  /** Why the hand was drawn, by mjai's name (`fanpai`, `kyushukyuhai` …), where nobody won. */
  reason: string | null;
  /** Whose hand is shown at a draw. */
  tenpais: boolean[];
  /** Change of everybody's points, all winners together, riichi sticks laid down not included. */
  deltas: number[];
}

export interface TableState {
  /** By the name that the server has for it. */
  game: string;
  players: number;
  names: string[];
  rules: string | null;
  /** Whose view this is; null: all hands open. */
  seat: number | null;
  /** Number of the hand from 0; -1 before the first. */
  hand: number;
  wind: string;
  kyoku: number;
  honba: number;
  /** Riichi sticks on the table. */
  deposits: number;
  dealer: number;
  /** Tiles left to draw. */
  wall: number;
  indicators: string[];
  seats: SeatState[];
  /** Who has to draw or discard. */
  turn: number | null;
  /** The discard, added kan or kita that may be claimed: whose, and which. */
  offer: { seat: number; tile: string } | null;
  /** The last event, for whoever tells or marks it. */
  last: MjaiEvent | null;
  /** Set once the hand is over. */
  result: HandResult | null;
  /** Set once the game is over. */
  end: { scores: number[]; points: number[] | null } | null;
  /** What its game knows of the table beside that. */
  own: unknown;
  /** Events folded so far. */
  events: number;
}

/** The table after an event. */
export type Fold = (state: TableState, event: MjaiEvent) => TableState;
