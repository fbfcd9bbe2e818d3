/** Replays of games of Riichi: the TypeScript of `janshi.riichi.records.replay`. */
import { GAMES, RiichiReplayStatus as Status } from "../../npm/dist/generated.js";
import {
  type Janshi,
  RiichiEnding as Ending,
  RiichiEvent as Logged,
  type RiichiReplayResult,
  type Table,
  tileText,
} from "../../npm/dist/index.js";
import { Mismatch, type Take, type Watched } from "./decisions";
import { COLUMNS, type RiichiHand, type RiichiRecord, type Rules, written } from "./records/hand";
import { endGame, startGame, withOwn } from "./own";
import { type Event, sum } from "./side";
import { Story } from "./story";

const ENDS = ["hora", "ryukyoku", "end_kyoku", "end_game"];

// ---------------------------------------------------------------------------------------------------------
// Replaying a hand

const EVENTS = Object.keys(Logged).map((name) => name.toLowerCase());
const NAMES_OF_ENDINGS = Object.fromEntries(
  Object.entries(Ending).map(([name, number]) => [number, name.toLowerCase().replaceAll("_", " ")]),
);

/** The table of a hand at its first decision, and what is decided in it. Throws `Mismatch` if the rules do not allow it. */
function replayed({ janshi, game, rules }: Omit<Asked<unknown>, "take">, hand: RiichiHand): { table: Table<"riichi">; actions: number[] } {
  const { engine } = janshi;
  const [state, space, facts, result] = (["RiichiState", "RiichiWallSpace", "RiichiFacts", "RiichiReplayResult"] as const).map(
    (name) => engine.record(name),
  ) as [number, number, number, number];
  const players = hand.start.points.length;
  const points = [...hand.start.points, 0].slice(0, 4);
  engine.write("RiichiState", state, { rules: rules as never });
  engine.write("RiichiFacts", facts, { ...hand.facts, wall_known: 0, start: { ...hand.start, points } });
  const rows = written(janshi, "rows", hand.rows);
  const deal = engine.workspace("deal", 4 * 13);
  engine.bytes(deal, hand.deal.length).set(hand.deal);
  const [which, code] = [engine.workspace("which", 8), engine.workspace("code", 1)];
  engine.bytes(which, 8).fill(0);
  engine.exports.riichi_replay_hands(
    ...([engine.tables, space, state, 1, rows, 1, hand.rows.length / COLUMNS, COLUMNS] as const),
    ...([deal, players, 13, facts, result, which, code] as const),
  );
  const found = engine.copy("RiichiReplayResult", result);
  const { ended } = engine.copy("RiichiState", state);
  const status = engine.bytes(code, 1)[0]!;
  const actionText = (action: number) => GAMES.riichi.actions[action] ?? `action ${action}`;
  if (status !== Status.MATCHED) throw differenceOf(status, found, ended, hand.facts["ended"] as number, actionText);
  const { wall } = engine.copy("RiichiFacts", facts).start;
  const { changes, rules: name } = game;
  const table = janshi.table<"riichi">(name, { changes, wall: wall.slice(0, players === 4 ? 136 : 108), start: hand.start });
  return { table, actions: [...found.actions.subarray(0, found.decisions)] };
}

/** Where the replay of a hand and the record part: see `janshi.riichi.records.replay`. */
function differenceOf(
  status: number,
  { identity, asked, seat, action, logged, recorded }: RiichiReplayResult,
  ended: number,
  recordedEnd: number,
  actionText: (action: number) => string,
): Mismatch {
  const done = `seat ${seat}: ${actionText(action)}`;
  const eventText = ({ event, seat: by, tile, detail }: RiichiReplayResult["logged"]) =>
    [
      EVENTS[event] ?? `unknown event ${event}`,
      ...(by >= 0 ? [`by seat ${by}`] : []),
      ...(tile >= 0 && tile < 37 ? [`of ${tileText(tile)}`] : []),
      ...(detail ? [event === Logged.DISCARD ? "(tsumogiri)" : `(${actionText(detail)})`] : []),
    ].join(" ");
  if (status === Status.TILE_TWICE)
    return new Mismatch("tiles", "each of them once", `tile id ${identity} in two places, or in none that it can have`);
  if (status === Status.WRONG_EVENT)
    return new Mismatch("event", eventText(logged), recorded.event < 0 ? "the hand is over" : eventText(recorded));
  if (status === Status.NOTHING_TO_DECIDE)
    return new Mismatch("decision", `asks seat ${asked}, which has nothing to decide`, "-");
  if (status === Status.HAND_OVER)
    return new Mismatch("end", `the hand is over (${NAMES_OF_ENDINGS[ended]})`, "the hand goes on");
  const decides = `seat ${asked} has to decide`;
  if (status === Status.HAND_GOES_ON)
    return new Mismatch("end", decides, `the hand is over (${NAMES_OF_ENDINGS[recordedEnd]})`);
  return status === Status.WRONG_SEAT ? new Mismatch("decision", decides, done) : new Mismatch("action", "not legal", done);
}

/** The first field in which two events differ. */
const differing = (names: readonly string[], one: Event, other: Event): string | undefined =>
  names.find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));

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
interface Asked<T> {
  janshi: Janshi;
  game: RiichiRecord;
  rules: Rules;
  seat: number;
  take: Take<T>;
}

/**
 * What is taken down of a seat's decisions in a hand, whose first event has a number in the game. Throws `Mismatch` for
 * a hand that the rules do not allow.
 */
function replayHand<T>(asked: Asked<T>, number: number, first: number): T[] {
  const hand = asked.game.hands[number]!;
  const { table, actions } = replayed(asked, hand);
  try {
    const taken = actions.flatMap((action) => {
      const own = table.actor === asked.seat && table.declared() < 0;
      const found = own ? [asked.take(table, action, number, first + 1 + table.state.logged)] : [];
      table.act(action);
      return found;
    });
    const events = new Story(table, asked.game.names).update().map(({ event }) => event);
    const ends = (all: readonly Event[]) => all.slice(all.findIndex((event) => ENDS.includes(event.type)));
    compareEnds(ends(events), ends(hand.events));
    return taken;
  } finally {
    table.free();
  }
}

/** Replays a game for a seat; hands that contradict the rules are left out. */
export function replayRiichi<T>(janshi: Janshi, game: RiichiRecord, seat: number, take: Take<T>): Watched<T> {
  const { changes, end, hands, names } = game;
  const rules = { ...janshi.rulesOf(game.rules), ...changes };
  const taken: T[] = [];
  const notes: string[] = [];
  let first = 1;
  hands.forEach((hand, number) => {
    try {
      taken.push(...replayHand({ janshi, game, rules, seat, take }, number, first));
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const { bakaze, kyoku } = hand.events[0]! as unknown as { bakaze: string; kyoku: number };
      const wind = { E: "East", S: "South", W: "West", N: "North" }[bakaze];
      notes.push(`hand ${number + 1} (${wind} ${kyoku}) is not reviewed, it cannot be replayed: ${error.message}`);
    }
    first += hand.events.length;
  });
  const named = Object.keys(changes).length ? undefined : game.rules;
  const events = [startGame(names, rules, named), ...hands.flatMap((hand) => hand.events), endGame(end)];
  return { taken, notes, events };
}
