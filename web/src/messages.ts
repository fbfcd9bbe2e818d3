// Made from janshi.web.messages by `npm run messages`; do not edit. Schema: 3da8c19df4eb2f53

export type Anything =
  | Accepted
  | Act
  | Advice
  | Advised
  | After
  | Agreement
  | Ask
  | Call
  | Candidate
  | Cause
  | Choose
  | DealtInTo
  | Decision
  | Discard
  | DrillAnswer
  | DrillShown
  | Drills
  | Ends
  | Estimate
  | FanCount
  | Figures
  | FoundGame
  | FoundGames
  | GameSummary
  | Happened
  | Hint
  | Join
  | Loss
  | Losses
  | Mistakes
  | Need
  | NewDrills
  | NewPlayouts
  | NewReview
  | NewTable
  | NewTableFrom
  | Next
  | Option
  | Own
  | OwnHistory
  | OwnRating
  | OwnTable
  | OwnTables
  | Pace
  | PastGame
  | PlainOption
  | PlayedOn
  | PlayedOption
  | Player
  | Preference
  | Reason
  | Refused
  | Review
  | ReviewMade
  | RulesOffered
  | SetPace
  | Site
  | TableMade
  | VoidSuit
  | Welcome
  | WonOn
  | WonWith
  | Worth
  | FromBrowser
  | FromServer;
export type FromBrowser = Join | Act | Next | Hint | SetPace;
export type FromServer = Welcome | Happened | Ask | Choose | Own | Pace | Advised | Refused;

/**
 * A kind that lowers the shanten (ukeire), or completes the hand.
 */
export interface Accepted {
  left: number;
  tile: string;
}
/**
 * An answer to `Ask` or `Choose`.
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
 * The hand after a call, a kan or a kita.
 */
export interface After {
  accepts: Accepted[];
  action: number;
  discard: string | null;
  left: number;
  shanten: number;
}
/**
 * A possible discard by kind, and the hand afterwards.
 */
export interface Candidate {
  accepts: Accepted[];
  actions: number[];
  furiten: boolean;
  left: number;
  safety: {
    [k: string]: "safe" | "no_chance" | "suji" | "scarce" | "one_chance" | "open";
  };
  shanten: number;
  tile: string;
  worth?: Worth[];
}
/**
 * The value of a hand completed by a tile, in games whose hints provide it.
 */
export interface Worth {
  each: number;
  fan: number;
  fans: FanCount[];
  points: number;
  tile: string;
}
/**
 * A source of fan.
 */
export interface FanCount {
  fan: number;
  name: string;
}
/**
 * The reviewer's probability of an action; those of a decision sum to 1.
 */
export interface Preference {
  action: number;
  share: number;
}
/**
 * The hand after the choice of a void suit.
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
 * The agreement of player and reviewer.
 */
export interface Agreement {
  agreed: number;
  cost: number;
  decisions: number;
}
/**
 * A decision for this seat.
 */
export interface Ask {
  calls?: Call[];
  discards: Discard[];
  number: number;
  options: Option[];
  type: "ask";
  win?: Worth | null;
}
/**
 * The waits after a call or kan that leaves the hand tenpai.
 */
export interface Call {
  action: number;
  discard: string | null;
  furiten: boolean;
  waits: Accepted[];
  worth: Worth[];
}
/**
 * The waits after a discard that leaves the hand tenpai.
 */
export interface Discard {
  furiten: boolean;
  tile: string;
  waits: Accepted[];
  worth?: Worth[];
}
/**
 * A possible action, with its tiles.
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
    | "tenpai"
    | "noten"
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
 * What a reason comes from, by figures of both options.
 *
 * ==========  =========================================================================================
 * kind        meaning of ``done`` and ``best``
 * ==========  =========================================================================================
 * yakuless    the tenpai hand of the choice taken cannot win by ron on any of its waits for want of a yaku
 * furiten     the choice taken leaves a tenpai hand in furiten
 * shanten     shanten after the option
 * wait        tiles of the wait that the seat cannot see, of tenpai hands
 * ukeire      tiles that lower the shanten and that the seat cannot see, at equal shanten
 * yaku        share of the won hands that have the yaku ``name`` (dora: mean number)
 * han         mean han or fan of a won hand
 * seat        rate of deal-ins to ``seat``
 * safety      the discards' safety against ``seat``, by ``names``
 * tenpai      share of the draws at which the seat is tenpai
 * fixes       final place after the win that the reviewer's choice (``best``) or the choice taken (``done``) is
 * needs       see `Need`, for the place better than that one or than the present one
 * ==========  =========================================================================================
 */
export interface Cause {
  best?: number | null;
  done?: number | null;
  kind:
    | "yakuless"
    | "furiten"
    | "shanten"
    | "wait"
    | "ukeire"
    | "yaku"
    | "han"
    | "seat"
    | "safety"
    | "tenpai"
    | "fixes"
    | "needs";
  name?: string | null;
  need?: Need | null;
  safety?: ("safe" | "no_chance" | "suji" | "scarce" | "one_chance" | "open")[] | null;
  seat?: number | null;
}
/**
 * What a win in the last hand has to be worth for a better final place.
 *
 * Values of the hand without honba and deposits, None if no hand of the rules is enough.
 */
export interface Need {
  direct: number | null;
  place: number;
  ron: number | null;
  tsumo: number | null;
}
/**
 * A decision for this seat, in a game without names of its actions (the facet ``"say"``).
 */
export interface Choose {
  number: number;
  options: PlainOption[];
  type: "choose";
}
/**
 * A possible action, described by its game.
 */
export interface PlainOption {
  action: number;
  text: string;
}
/**
 * Deal-ins to a seat after an option.
 */
export interface DealtInTo {
  points: number;
  rate: number;
  seat: number;
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
  loss?: Loss | null;
  number: number;
  options: Option[];
  phase: "opening" | "middle" | "end";
}
/**
 * The cost of a choice, measured by playouts of it and of the reviewer's choice.
 */
export interface Loss {
  certain: boolean;
  ends?: Ends[];
  high: number;
  kind: ("win" | "declaration" | "call" | "before_play" | "pushed" | "folded" | "shape" | "value" | "placement") | null;
  lost: number;
  low: number;
  reasons: Reason[];
  samples: number;
}
/**
 * How the hand ends for the deciding seat after an option, in playouts.
 *
 * Either it wins, deals in, or pays or receives points at a draw or at a win of another seat without a deal-in.
 */
export interface Ends {
  deal_in: number;
  draw: number;
  draw_points: number | null;
  han: number | null;
  others: number;
  others_points: number | null;
  place: number | null;
  points: number;
  price: number | null;
  samples: number;
  tenpai: number | null;
  tiles: WonOn[];
  to: DealtInTo[];
  value: number | null;
  win: number;
  yaku: WonWith[];
}
/**
 * A tile that completed hands after an option.
 */
export interface WonOn {
  points: number;
  share: number;
  tile: string;
}
/**
 * A yaku, or another source of han or fan, of the hands won after an option.
 */
export interface WonWith {
  han: number;
  name: string;
  share: number;
}
/**
 * A figure in which the better choice is better.
 */
export interface Reason {
  best: number;
  causes?: Cause[];
  done: number;
  kind: "win" | "value" | "deal_in" | "price" | "draw" | "others" | "points" | "place";
}
/**
 * ``POST /api/drills/{id}``: the answer to a drill.
 */
export interface DrillAnswer {
  correct: boolean;
}
/**
 * A decision to practise.
 */
export interface DrillShown {
  best: number;
  decision: number;
  id: number;
  loss: Loss;
  review: string;
  seat: number;
}
/**
 * ``GET /api/drills``: the next decision to practise.
 */
export interface Drills {
  due: number;
  next: DrillShown | null;
  total: number;
}
/**
 * A figure with its 95 % interval.
 */
export interface Estimate {
  count: number;
  high: number;
  low: number;
  value: number;
}
/**
 * Figures of the player over all games of one number of players; rates are per hand, None without one.
 */
export interface Figures {
  deal_in: number | null;
  game: string;
  games: number;
  habits: {
    [k: string]: number;
  };
  hands: number;
  mean_place: number;
  places: number[];
  players: number;
  price: number | null;
  rating?: OwnRating | null;
  value: number | null;
  win: number | null;
}
/**
 * The player's rating on the scale of `Player.ratings`, with its 95 % interval.
 *
 * It is estimated from the places in whole games against opponents with a rating.
 */
export interface OwnRating {
  games: number;
  high: number;
  low: number;
  rating: number;
}
/**
 * An existing game.
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
 * The answer: the games that still exist.
 */
export interface FoundGames {
  games: FoundGame[];
}
/**
 * The summary of a whole game.
 */
export interface GameSummary {
  losses?: Losses | null;
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
 * The measured decisions of a game.
 */
export interface Losses {
  better: number;
  kinds: Mistakes[];
  lost: number;
  measured: number;
  people?: {
    [k: string]: number;
  } | null;
  worse: number;
}
/**
 * Certainly worse choices of a kind.
 */
export interface Mistakes {
  kind: "win" | "declaration" | "call" | "before_play" | "pushed" | "folded" | "shape" | "value" | "placement";
  lost: number;
  number: number;
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
 * Request advice on the open decision.
 */
export interface Hint {
  number: number;
  type: "hint";
}
/**
 * The first message of a connection: the table, and the player's key (empty to watch an open table).
 */
export interface Join {
  key: string;
  received?: number;
  table: string;
  type: "join";
}
/**
 * ``POST /api/reviews/{id}/drills``: practise the moments of a review with measured losses.
 */
export interface NewDrills {
  by?: string | null;
  seat: number;
}
/**
 * ``POST /api/reviews/{id}/playouts``: play a decision on with each of some options, one batch a request.
 *
 * The answer is a `PlayedOn` with all batches so far.
 */
export interface NewPlayouts {
  decision: number;
  options: number[];
  seat: number;
}
/**
 * ``POST /api/reviews``: request a review of a record.
 */
export interface NewReview {
  base64?: boolean;
  by?: string | null;
  game?: number;
  record: string;
  seat?: number;
}
/**
 * ``POST /api/tables``: open a table to play at or to watch.
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
 * ``POST /api/reviews/{id}/tables``: open a table at a decision of a game, with sampled hidden tiles.
 *
 * The answer is a `TableMade`. The default agent plays the other seats.
 */
export interface NewTableFrom {
  decision: number;
  name?: string;
  seat: number;
}
/**
 * Begin the next hand.
 */
export interface Next {
  type: "next";
}
/**
 * The seat's knowledge of its own hand between decisions.
 */
export interface Own {
  furiten: boolean;
  shanten: number;
  type: "own";
  waits: Accepted[];
  worth?: Worth[];
}
/**
 * ``GET /api/history``: the player's games, the last one first, with figures beside those of strong players.
 */
export interface OwnHistory {
  figures: Figures[];
  games: PastGame[];
  people: Figures[];
}
/**
 * A finished game of the player.
 */
export interface PastGame {
  ended: number;
  game: string;
  id: string;
  length: string;
  names: string[];
  place: number;
  points: number;
  reviews: boolean;
  rules: string;
  seat: number;
}
/**
 * A table whose key the browser has.
 */
export interface OwnTable {
  key: string;
  table: string;
}
/**
 * ``POST /api/games``: request the status of the browser's tables.
 */
export interface OwnTables {
  tables: OwnTable[];
}
/**
 * The pace of a watched table.
 */
export interface Pace {
  paused: boolean;
  seconds: number;
  type: "pace";
}
/**
 * Results of the playouts of a decision so far.
 */
export interface PlayedOn {
  finished: boolean;
  options: PlayedOption[];
  samples: number;
}
/**
 * Results of an option that was played on, for the deciding seat.
 */
export interface PlayedOption {
  action: number;
  behind: Estimate;
  deal_in: Estimate;
  ends: Ends;
  place: Estimate | null;
  points: Estimate;
  value: Estimate | null;
  win: Estimate;
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
  ratings?: {
    [k: string]: number;
  };
  reviews: boolean;
}
/**
 * The answer to a refused message; the table is unchanged.
 */
export interface Refused {
  cause?: ("taken_over" | "no_table" | "wrong_key" | "failed" | "token") | null;
  fatal: boolean;
  reason: string;
  type: "refused";
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
  luck?: number[][];
  names: string[];
  notes: string[];
  places?: number[][];
  players: number;
  plays_on?: boolean;
  report: GameSummary;
  rules: string;
  seat: number;
  source: string;
  unit?: "places" | "points";
}
/**
 * The answer: the id for ``GET /api/reviews/{id}`` (a `Review`) and ``…/report.html`` (a page).
 */
export interface ReviewMade {
  game: string;
  review: string;
  seat: number;
  seats: string[];
}
/**
 * An available rule set.
 */
export interface RulesOffered {
  game: string;
  lengths: string[];
  name: string;
  players: number;
}
/**
 * Set the pace of a watched table, pause it, or show a single event while paused.
 */
export interface SetPace {
  paused?: boolean | null;
  seconds?: number | null;
  step?: boolean;
  type: "set_pace";
}
/**
 * ``GET /api/site``: rules, players, and what to open first.
 */
export interface Site {
  begin: NewTable | null;
  history: boolean;
  players: Player[];
  review: string | null;
  rules: RulesOffered[];
  version: string;
}
/**
 * The answer: the table and its key.
 */
export interface TableMade {
  key: string;
  seat: number | null;
  table: string;
}
/**
 * The answer to `Join`: the events so far (from `Join.received` on), and the open decision.
 */
export interface Welcome {
  ask: (Ask | Choose) | null;
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
