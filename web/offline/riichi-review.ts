/** Reviews of games of Riichi: the TypeScript of `janshi.riichi.review` and of the replay. */
import { type Janshi, RiichiAction as Action, RiichiOffer as Offer, RiichiPhase as Phase, type Table } from "../../npm/dist/index.js";
import type { Advice, Review } from "../src/messages";
import { judged, type Met, Mismatch, phaseOf, reportOf } from "./decisions";
import { placesOf } from "./placement";
import type { Players } from "./players";
import { type RiichiRecord, type Rules, startOf } from "./records/hand";
import { endGame, startGame, withOwn } from "./own";
import { adviceAt, questionAt, type Event, fromMjai, isRed, kindNamed, sum } from "./side";
import { Story } from "./story";

const ENDS = ["hora", "ryukyoku", "end_kyoku", "end_game"];

// ---------------------------------------------------------------------------------------------------------
// The wall: see `janshi.riichi.play.wall`

/** Tiles of a game in order. */
function allTiles(rules: Rules): number[] {
  const reds = rules["red_fives"] as readonly number[];
  const kinds = [...Array(34).keys()].filter((kind) => rules["players"] === 4 || kind < 1 || kind > 7);
  return kinds.flatMap((kind) =>
    [0, 1, 2, 3].map((copy) => {
      const suit = Math.floor(kind / 9);
      return kind < 27 && kind % 9 === 4 && copy < reds[suit]! ? 34 + suit : kind;
    }),
  );
}

/** A wall from which a hand comes as recorded; tiles that never turn up fill the other slots. */
function wallOf(hand: readonly Event[], rules: Rules): number[] {
  const start = hand[0]!;
  const deal = (start["tehais"] as string[][]).map((names) => names.map(fromMjai));
  const left = allTiles(rules);
  const wall = Array<number>(left.length).fill(-1);
  const put = (slot: number, tile: number) => {
    const at = left.indexOf(tile);
    if (at < 0 || wall[slot] !== -1) throw new Mismatch("tiles", "each of them once", "a tile in two places");
    wall[slot] = left.splice(at, 1)[0]!;
  };
  let slot = wall.length - 1;
  for (const [first, count] of [4, 4, 4, 1].map((count, turn) => [4 * turn, count] as const))
    for (let step = 0; step < deal.length; step++)
      for (const tile of deal[((start["oya"] as number) + step) % deal.length]!.slice(first, first + count))
        put(slot--, tile);
  const indicator = (number: number) => (deal.length === 4 ? 5 : 9) + 2 * number;
  put(indicator(0), fromMjai(start["dora_marker"] as string));
  let [shown, replaced, replaces] = [1, 0, false];
  for (const { type, ...event } of hand) {
    if (type === "tsumo") {
      put(replaces ? replaced++ ^ 1 : slot--, fromMjai(event["pai"] as string));
      replaces = false;
    } else if (type === "dora") put(indicator(shown++), fromMjai(event["dora_marker"] as string));
    else if (type.endsWith("kan") || type === "nukidora") replaces = true;
  }
  const won = hand.find((event) => event.type === "hora");
  ((won?.["ura_markers"] ?? []) as string[]).forEach((name, number) => put(indicator(number) - 1, fromMjai(name)));
  return wall.map((tile) => (tile < 0 ? left.pop()! : tile));
}

// ---------------------------------------------------------------------------------------------------------
// Replaying a hand

const PLAYED = ["type", "actor", "pai", "tsumogiri", "consumed", "dora_marker"];

/** The first field in which two events differ. */
const differing = (names: readonly string[], one: Event, other: Event): string | undefined =>
  names.find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));

const textOf = (event: Event | undefined): string =>
  event ? PLAYED.flatMap((name) => (event[name] === undefined ? [] : [String(event[name])])).join(" ") : "the end";

/** What the record's player does where the table asks; −1 if it does nothing. `at`: number of the next event. */
function recordedAction(table: Table<"riichi">, hand: readonly Event[], at: number): number {
  const { actor, legal } = table;
  const claims = table.state.phase === Phase.CLAIM;
  const passed = (event: Event) => event.type === "dora" || (claims && event.type === "reach_accepted");
  const next = hand.slice(at).find((event) => !passed(event))!;
  const [type, consumed] = [next.type, (next["consumed"] ?? []) as string[]];
  if (ENDS.includes(type)) {
    const won = hand.some((event) => event.type === "hora" && event["actor"] === actor);
    const self = next["actor"] === next["target"];
    const triple = next["reason"] === "sanchaho" && legal.includes(Action.RON);
    if (claims && table.state.claimed === Offer.DRAW) {
      const shown = next["tenpais"] as boolean[] | undefined;
      return shown && !shown[actor] ? Action.PASS : Action.KYUUSHU_KYUUHAI;
    }
    if (claims) return (type === "hora" && !self && won) || triple ? Action.RON : Action.PASS;
    if (type === "hora" && self && won) return Action.TSUMO;
    return next["reason"] === "kyushukyuhai" ? Action.KYUUSHU_KYUUHAI : -1;
  }
  const pai = (next["pai"] ?? consumed[0]) as string;
  if (claims) {
    if (next["actor"] !== actor) return Action.PASS;
    const reds = consumed.filter(isRed).length;
    const below = consumed.filter((name) => kindNamed(name) < kindNamed(pai)).length;
    if (type === "chi") return (reds ? Action.CHII_RED : Action.CHII) + below;
    if (type === "pon") return Action.PON + reds;
    return type === "daiminkan" ? Action.DAIMINKAN : Action.PASS;
  }
  if (next["actor"] !== actor) throw new Mismatch("decision", `seat ${actor} has to decide`, textOf(next));
  if (type === "dahai") return next["tsumogiri"] ? Action.TSUMOGIRI : fromMjai(pai);
  if (type === "reach") return Action.RIICHI;
  if (type === "nukidora") return Action.KITA;
  if (type === "ankan") return Action.ANKAN + kindNamed(pai);
  return type === "kakan" ? Action.KAKAN + kindNamed(pai) : -1;
}

/** Names of fields in notes. */
const CALLED: Record<string, string> = { hora_points: "points", deltas: "payments", fan: "han" };

/** Checks the end of a hand; a win gets the sources of its fu, and without a value that of the rules. */
function compareEnds(rules: readonly Event[], record: readonly Event[]): void {
  const [mine, theirs] = [rules, record].map((events) => events.filter((event) => event.type !== "end_game"));
  const types = [mine!, theirs!].map((events) => events.map((event) => event.type).join(", "));
  if (types[0] !== types[1]) throw new Mismatch("end", types[0], types[1]);
  theirs!.forEach((event, number) => {
    const own = withOwn(mine![number]!);
    const given = withOwn(event);
    if (own["fu_parts"] && isValued(event) && own["fu"] === event["fu"])
      event["janshi"] = { ...(event["janshi"] as object), fu_parts: own["fu_parts"] };
    const name = differing(fieldsOf(given), inOrderOfYaku(own), inOrderOfYaku(given));
    const where = event.type === "hora" ? `seat ${String(event["actor"])}: ` : "";
    if (name)
      throw new Mismatch(where + (CALLED[name] ?? name), JSON.stringify(own[name]), JSON.stringify(given[name]));
  });
  const [due, paid] = [mine!, theirs!].map(paymentsIn);
  if (paid && paid !== due) throw new Mismatch("payments", due, paid);
  theirs!.forEach((event, number) => isValued(event) || Object.assign(event, mine![number]));
}

/** The payments of the end of a hand by seat, as text; empty without any. */
function paymentsIn(events: readonly Event[]): string {
  const paid = events.flatMap((event) => (event["deltas"] ? [event["deltas"] as number[]] : []));
  return (paid[0] ?? []).map((_, seat) => sum(paid.map((deltas) => deltas[seat]!))).join(", ");
}

const isValued = (event: Event): boolean => event.type !== "hora" || event["hora_points"] !== undefined;

function fieldsOf(event: Event): string[] {
  if (!isValued(event)) return ["actor", "target"];
  if (event.type === "ryukyoku") {
    const shows = event["reason"] === "fanpai" && event["tenpais"] !== undefined;
    return ["reason", "deltas", ...(shows ? ["tenpais"] : [])];
  }
  const value = event["yakuman"]
    ? ["yakuman"]
    : (event["yaku"] as unknown[] | undefined)?.length
      ? ["yaku", "fan", ...(event["fu"] === undefined ? [] : ["fu"])]
      : [];
  return ["actor", "target", ...(event["pao"] === undefined ? [] : ["pao"]), ...value, "hora_points", "deltas"];
}

/** An event with its yaku in ascending order, those without han left out. */
function inOrderOfYaku(event: Event): Event {
  if (event.type !== "hora") return event;
  const yaku = ((event["yaku"] ?? []) as number[][]).filter(([, han]) => han).sort(([a], [b]) => a! - b!);
  const yakuman = (event["yakuman"] as number[] | undefined)?.toSorted((a, b) => a - b);
  return { ...event, yaku, yakuman };
}

/** A game that is replayed for a seat, and what is taken down of each of its decisions. */
interface Replay<T> {
  janshi: Janshi;
  game: RiichiRecord;
  rules: Rules;
  seat: number;
  take: (table: Table<"riichi">, done: number, hand: number, event: number) => T;
}

/**
 * What is taken down of a seat's decisions in a hand, whose first event has a number in the game. Throws `Mismatch` for
 * a hand that the rules do not allow.
 */
function replayHand<T>({ janshi, game, rules, seat, take }: Replay<T>, number: number, first: number): T[] {
  const hand = game.hands[number]!;
  const table = janshi.table<"riichi">(game.rules, {
    changes: game.changes,
    wall: wallOf(hand, rules),
    start: startOf(hand[0]!),
  });
  const story = new Story(table, game.names);
  const taken: T[] = [];
  let at = 1;
  try {
    for (;;) {
      const added = story.update().map(({ event }) => event);
      const events = added.filter((event) => !["start_game", "start_kyoku"].includes(event.type));
      const played = events.filter((event) => !ENDS.includes(event.type));
      for (const event of played) {
        const recorded = hand[at++]!;
        if (differing(PLAYED, event, recorded)) throw new Mismatch("event", textOf(event), textOf(recorded));
      }
      if (table.handOver) {
        if (!ENDS.includes(hand[at]!.type)) throw new Mismatch("end", "the hand is over", "the hand goes on");
        compareEnds(events.slice(played.length), hand.slice(at));
        return taken;
      }
      const { actor, legal } = table;
      const done = recordedAction(table, hand, at);
      if (done < 0) throw new Mismatch("end", `seat ${actor} has to decide`, "the hand is over");
      if (!legal.includes(done)) throw new Mismatch("action", "not legal", `seat ${actor}: ${table.actionText(done)}`);
      if (actor === seat && table.declared() < 0) taken.push(take(table, done, number, first + at));
      table.act(done);
    }
  } finally {
    table.free();
  }
}

/** What is taken down of a seat's decisions in a game, and notes on hands that cannot be replayed. */
function replay<T>(asked: Replay<T>): { taken: T[]; notes: string[] } {
  const taken: T[] = [];
  const notes: string[] = [];
  let first = 1;
  asked.game.hands.forEach((hand, number) => {
    try {
      taken.push(...replayHand(asked, number, first));
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const { bakaze, kyoku } = hand[0]! as unknown as { bakaze: string; kyoku: number };
      const wind = { E: "East", S: "South", W: "West", N: "North" }[bakaze];
      notes.push(`hand ${number + 1} (${wind} ${kyoku}) is not reviewed, it cannot be replayed: ${error.message}`);
    }
    first += hand.length;
  });
  return { taken, notes };
}

const rulesOf = (janshi: Janshi, game: RiichiRecord): Rules => ({ ...janshi.rulesOf(game.rules), ...game.changes });

/** Tables at the decisions of a seat. */
export const positionsOfRiichi = (janshi: Janshi, game: RiichiRecord, seat: number): Table<"riichi">[] =>
  replay({ janshi, game, rules: rulesOf(janshi, game), seat, take: (table) => table.copy() }).taken;

// ---------------------------------------------------------------------------------------------------------
// The review

/** An action and those of the same effect: a tile just drawn and the same tile from the hand. */
function equalActions(drawn: number, action: number): number[] {
  if (action === Action.TSUMOGIRI) return [action, drawn];
  return action === drawn ? [action, Action.TSUMOGIRI] : [action];
}

/** Discards safe against every riichi; none for a tenpai hand or without riichi. */
function safeDiscards({ candidates }: Pick<Advice, "candidates">): number[] {
  if (Math.min(...candidates.map((each) => each.shanten)) <= 0) return [];
  const safe = (of: (typeof candidates)[number]) => {
    const found = Object.values(of.safety);
    return found.length > 0 && found.every((each) => each === "safe");
  };
  return candidates.filter(safe).flatMap((each) => each.actions);
}

/** A decision as it is reviewed. */
function met(table: Table<"riichi">, done: number, hand: number, event: number): Met {
  const seat = table.actor;
  const view = table.view(seat);
  const known = adviceAt(table);
  const folds = safeDiscards(known);
  return {
    hand,
    event,
    options: questionAt(table).options,
    done,
    same: equalActions(view.drawn, done),
    alike: folds.includes(done) ? folds : [],
    phase: phaseOf(view.seats[seat]!.discards),
    input: table.encode(),
    known,
  };
}

/** The review of a seat's decisions. */
export async function reviewOfRiichi(
  janshi: Janshi,
  players: Players,
  game: RiichiRecord,
  seat: number,
): Promise<Review> {
  const by = players.best({ game: "riichi", players: game.players });
  const rules = rulesOf(janshi, game);
  const { taken, notes } = replay({ janshi, game, rules, seat, take: met });
  const decisions = await judged(players, by, taken);
  const named = Object.keys(game.changes).length ? undefined : game.rules;
  return {
    source: "record",
    rules: game.rules,
    players: game.players,
    names: game.names,
    seat,
    by,
    events: [startGame(game.names, rules, named), ...game.hands.flat(), endGame(game.end)],
    decisions,
    report: reportOf(decisions),
    notes,
    places: placesOf(rules, game, await players.placement(game.players)),
    luck: [],
    plays_on: true,
    unit: "places",
  };
}
