// Made from janshi.web.messages by `npm run messages`; do not edit. Schema: 47a270906e252f23

export type Anything =
  | Accepted
  | Act
  | Advice
  | Advised
  | After
  | Agreement
  | Ask
  | Candidate
  | Decision
  | Discard
  | FanCount
  | FoundGame
  | FoundGames
  | Happened
  | Hint
  | Join
  | NewReview
  | NewTable
  | Next
  | Option
  | Own
  | OwnTable
  | OwnTables
  | Pace
  | Player
  | Preference
  | Refused
  | Report
  | Review
  | ReviewMade
  | RulesOffered
  | SetPace
  | Site
  | TableMade
  | VoidSuit
  | Welcome
  | Worth
  | FromBrowser
  | FromServer;
export type FromBrowser = Join | Act | Next | Hint | SetPace;
export type FromServer = Welcome | Happened | Ask | Own | Pace | Advised | Refused;

/**
 * A kind that brings the hand on (ukeire), or completes it.
 */
export interface Accepted {
  left: number;
  tile: string;
}
/**
 * An answer to `Ask`.
 */
export interface Act {
  action: number;
  number: number;
  type: "act";
}
/**
 * A reviewer's advice on one decision.
 */
export interface Advice {
  after: After[];
  best: number;
  by: string;
  candidates: Candidate[];
  preferences: Preference[];
  risk?: {
    [k: string]: number;
  } | null;
  shanten: number;
  voids?: VoidSuit[];
}
/**
 * What a call, a kan or a kita would leave.
 */
export interface After {
  accepts: Accepted[];
  action: number;
  discard: string | null;
  left: number;
  shanten: number;
}
/**
 * A kind that may be discarded, and what is left then.
 */
export interface Candidate {
  accepts: Accepted[];
  actions: number[];
  furiten: boolean;
  left: number;
  safety: {
    [k: string]: "safe" | "suji" | "scarce" | "open";
  };
  shanten: number;
  tile: string;
  worth?: Worth[];
}
/**
 * What a hand is worth when a tile completes it, in games whose hints tell.
 */
export interface Worth {
  each: number;
  fan: number;
  fans: FanCount[];
  points: number;
  tile: string;
}
/**
 * What brings a hand fan.
 */
export interface FanCount {
  fan: number;
  name: string;
}
/**
 * The reviewer's probability of an action: all of a decision sum to 1.
 */
export interface Preference {
  action: number;
  share: number;
}
/**
 * What it would leave to void a suit.
 */
export interface VoidSuit {
  shanten: number;
  suit: string;
  tiles: number;
}
/**
 * The answer to `Hint`.
 */
export interface Advised {
  advice: Advice;
  number: number;
  type: "advised";
}
/**
 * How often player and reviewer agree.
 */
export interface Agreement {
  agreed: number;
  cost: number;
  decisions: number;
}
/**
 * The table waits for this seat.
 */
export interface Ask {
  discards: Discard[];
  number: number;
  options: Option[];
  type: "ask";
  win?: Worth | null;
}
/**
 * What a discard would leave: waits where the hand is tenpai then.
 */
export interface Discard {
  furiten: boolean;
  tile: string;
  waits: Accepted[];
  worth?: Worth[];
}
/**
 * One possible action, with what it would show.
 */
export interface Option {
  action: number;
  name:
    | "discard"
    | "riichi"
    | "chi"
    | "pon"
    | "daiminkan"
    | "ankan"
    | "kakan"
    | "kita"
    | "tsumo"
    | "ron"
    | "kyuushu_kyuuhai"
    | "pass"
    | "win"
    | "give"
    | "lay"
    | "void_m"
    | "void_p"
    | "void_s";
  tile?: string | null;
  tiles?: string[];
  tsumogiri?: boolean;
}
/**
 * One decision of the reviewed seat.
 */
export interface Decision {
  advice: Advice;
  agrees: boolean;
  cost: number;
  done: number;
  event: number;
  hand: number;
  number: number;
  options: Option[];
  phase: "opening" | "middle" | "end";
}
/**
 * A game that is there.
 */
export interface FoundGame {
  length: string;
  moved: number;
  names: string[];
  over: boolean;
  rules: string;
  seat: number | null;
  table: string;
}
/**
 * The answer: those that can be gone on with, or looked at.
 */
export interface FoundGames {
  games: FoundGame[];
}
/**
 * Events, in order.
 */
export interface Happened {
  events: {
    [k: string]: unknown;
  }[];
  first: number;
  type: "happened";
}
/**
 * Ask for advice about the decision that is waited for.
 */
export interface Hint {
  number: number;
  type: "hint";
}
/**
 * The first message: which table, and the key that makes one its player (none to watch an open table).
 */
export interface Join {
  key: string;
  received?: number;
  table: string;
  type: "join";
}
/**
 * ``POST /api/reviews``: a record to review, as text or as a viewer's link.
 */
export interface NewReview {
  base64?: boolean;
  by?: string | null;
  game?: number;
  record: string;
  seat?: number;
}
/**
 * ``POST /api/tables``: a table to play at, or to watch.
 */
export interface NewTable {
  agents?: string[];
  length?: string;
  name?: string;
  rules: string;
  seat?: number | null;
  seed?: number | null;
  watch?: boolean;
}
/**
 * On to the next hand.
 */
export interface Next {
  type: "next";
}
/**
 * What the seat may know of its own hand between decisions.
 */
export interface Own {
  furiten: boolean;
  shanten: number;
  type: "own";
  waits: Accepted[];
  worth?: Worth[];
}
/**
 * A table that a browser has the key of.
 */
export interface OwnTable {
  key: string;
  table: string;
}
/**
 * ``POST /api/games``: what has become of them.
 */
export interface OwnTables {
  tables: OwnTable[];
}
/**
 * How fast a watched table goes.
 */
export interface Pace {
  paused: boolean;
  seconds: number;
  type: "pace";
}
/**
 * An agent that can be seated.
 */
export interface Player {
  description: string;
  games: string[];
  label: string;
  name: string;
  players: number[];
  reviews: boolean;
}
/**
 * The answer to a message that is refused, with the reason; the table is as it was.
 */
export interface Refused {
  cause?: ("taken_over" | "no_table" | "wrong_key" | "failed" | "token") | null;
  fatal: boolean;
  reason: string;
  type: "refused";
}
/**
 * The summary of a whole game.
 */
export interface Report {
  moments: number[];
  names: {
    [k: string]: Agreement;
  };
  phases: {
    [k: string]: Agreement;
  };
  rating: number;
  total: Agreement;
}
/**
 * A game with a reviewer's advice on one seat's decisions.
 */
export interface Review {
  by: string;
  decisions: Decision[];
  events: {
    [k: string]: unknown;
  }[];
  names: string[];
  notes: string[];
  players: number;
  report: Report;
  rules: string;
  seat: number;
  source: string;
}
/**
 * The answer: its id; ``GET /api/reviews/{id}`` gives a `Review`, ``…/report.html`` the page.
 */
export interface ReviewMade {
  review: string;
  seats: string[];
}
/**
 * A rule set that can be played.
 */
export interface RulesOffered {
  game: string;
  lengths: string[];
  name: string;
  players: number;
}
/**
 * While watching: how fast, whether at all, and one step where paused.
 */
export interface SetPace {
  paused?: boolean | null;
  seconds?: number | null;
  step?: boolean;
  type: "set_pace";
}
/**
 * ``GET /api/site``: what the server offers.
 */
export interface Site {
  begin: NewTable | null;
  players: Player[];
  review: string | null;
  rules: RulesOffered[];
  version: string;
}
/**
 * The answer: where to join, and with which key.
 */
export interface TableMade {
  key: string;
  seat: number | null;
  table: string;
}
/**
 * The answer to `Join`: all that has happened (from `Join.received` on), and what is waited for.
 */
export interface Welcome {
  ask: Ask | null;
  events: {
    [k: string]: unknown;
  }[];
  first: number;
  formats: string[];
  game: string;
  length: string;
  names: string[];
  own: Own | null;
  pace: Pace | null;
  players: number;
  reviews: boolean;
  rules: string;
  seat: number | null;
  table: string;
  type: "welcome";
}
