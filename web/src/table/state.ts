/** The state of the table, and its events. */

/** Events of the server: mjai's fields and those of a game's records. */
export interface MjaiEvent {
  type: string;
  [field: string]: unknown;
}

export interface RiverTile {
  tile: string;
  tsumogiri: boolean;
  /** Turned: the riichi discard, or the next one if that was called. */
  turned: boolean;
  /** Called, and therefore no longer in the river. */
  taken: boolean;
}

export interface Meld {
  kind: "chi" | "pon" | "daiminkan" | "ankan" | "kakan";
  /** Tiles of the caller's hand; for an added kan the two of the pon. */
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
  /** The next discard is turned. */
  turnNext: boolean;
  /** A suit to discard first, whose tiles are at the right of the hand. */
  void: string | null;
  /** Further data of the game about a seat. */
  own: unknown;
}

export interface Win {
  actor: number;
  /** The discarder; the winner itself after a self-draw. */
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
  /** Sources of the fu: name, fu, tile of a set or the pair. Empty where unknown. */
  fuParts: [string, number, string | null][];
  /** 0: none, 1: mangan … 5: yakuman, from the record. */
  limit: number;
  points: number;
  ura: string[];
  deltas: number[];
  pao: number | null;
  riichi: boolean;
  /** Points for honba and from riichi sticks, in addition to `points`. */
  honba: number;
  sticks: number;
}

export interface HandResult {
  wins: Win[];
  /** mjai's name of the draw (`fanpai`, `kyushukyuhai` …) without a winner. */
  reason: string | null;
  /** Seats with revealed hands at a draw. */
  tenpais: boolean[];
  /** Changes of all points, for all winners together, without paid riichi sticks. */
  deltas: number[];
}

export interface TableState {
  /** The server's name of the game. */
  game: string;
  players: number;
  names: string[];
  rules: string | null;
  /** Seat of the view; null: all hands open. */
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
  /** The seat to draw or discard. */
  turn: number | null;
  /** The discard, added kan or kita that may be claimed, with its seat. */
  offer: { seat: number; tile: string } | null;
  /** The last event, for announcements and marks. */
  last: MjaiEvent | null;
  /** Set once the hand is over. */
  result: HandResult | null;
  /** Set once the game is over. */
  end: { scores: number[]; points: number[] | null } | null;
  /** Further data of the game about the table. */
  own: unknown;
  /** Number of folded events. */
  events: number;
}

/** The table after an event. */
export type Fold = (state: TableState, event: MjaiEvent) => TableState;
