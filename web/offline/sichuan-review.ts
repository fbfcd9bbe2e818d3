/** Reviews of games of Sichuan mahjong: the TypeScript of `janshi.sichuan.review.game` and of the replay. */
import type { Janshi, Table } from "../../npm/dist/index.js";
import type { Review } from "../src/messages";
import { judged, type Met, Mismatch, phaseOf, reportOf } from "./decisions";
import type { Players } from "./players";
import { RecordError } from "./records/hand";
import { BASE, eventJson, type Row, rowsOf, type SichuanHand, type SichuanRecord } from "./records/sichuan";
import { adviceAt, questionAt } from "./side";
import { Story } from "./story";

// ---------------------------------------------------------------------------------------------------------
// Replaying a game

const pointsText = (points: readonly number[]): string => `(${points.join(", ")})`;

function eventText(events: readonly Row[], place: number): string {
  const row = events[place];
  return row
    ? `[${eventJson(row)
        .map((each) => JSON.stringify(each))
        .join(", ")}]`
    : "the end of the hand";
}

/** Plays one hand; `watch` is called before each action, and without one at the end. Throws `Mismatch`. */
function replayHand(table: Table<"sichuan">, hand: SichuanHand, watch: (action?: number) => void): void {
  const { dealer } = table.state;
  if (dealer !== hand.dealer) throw new Mismatch("dealer", dealer, hand.dealer);
  comparePoints(table.scores, hand.points);
  const { actions, alike } = table.recorded(hand.events.flat());
  for (const action of actions) {
    watch(action);
    table.act(action);
  }
  watch();
  const ours = rowsOf(table);
  const record = eventText(hand.events, alike);
  if (alike < ours.length || (table.handOver && alike < hand.events.length))
    throw new Mismatch("event", eventText(ours, alike), record);
  if (!table.handOver) {
    const able = table.legal.map((action) => table.actionText(action)).join(", ");
    throw new Mismatch(`seat ${table.actor} decides`, able, record);
  }
  comparePoints(table.scores, hand.end);
}

function comparePoints(rules: readonly number[], record: readonly number[]): void {
  if (rules.join() !== record.join()) throw new Mismatch("points", pointsText(rules), pointsText(record));
}

/** The decisions of a seat, the events of the game, and a note on the rest if it cannot be replayed. */
class Watched<T> {
  /** What is taken down of each decision. */
  readonly taken: T[] = [];
  readonly notes: string[] = [];
  private story: Story | null = null;
  private readonly table: Table<"sichuan">;
  private hand = 0;

  constructor(
    janshi: Janshi,
    private readonly game: SichuanRecord,
    private readonly seat: number,
    private readonly take: (table: Table<"sichuan">, done: number, hand: number, event: number) => T,
  ) {
    const { hands, changes, before } = game;
    const first = hands[0]!;
    this.table = janshi.table<"sichuan">(BASE, {
      changes,
      wall: first.wall,
      ...(before && { start: { before, dealer: first.dealer, points: first.points } }),
    });
    try {
      this.replay();
    } finally {
      this.table.free();
    }
  }

  get events(): Review["events"] {
    if (!this.story) throw new RecordError(this.notes[0]!);
    const [start, ...rest] = this.story.events;
    return [{ ...start!, rules: this.game.rules }, ...rest];
  }

  private replay(): void {
    const { game, table } = this;
    let number = 1;
    try {
      for (const hand of game.hands) {
        if (number > 1 && table.over) throw new Mismatch("end of the game", "over", "goes on");
        if (number > 1) table.nextHand(hand.wall);
        replayHand(table, hand, (action) => this.watch(action));
        number += 1;
      }
      number -= 1;
      if (!table.over) throw new Mismatch("end of the game", "goes on", "over");
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.notes.push(`the game is not reviewed from hand ${number} on, it cannot be replayed: ${error.message}`);
    }
  }

  private watch(action?: number): void {
    const { table, seat } = this;
    this.story ??= new Story(table, this.game.names);
    this.story.update();
    if (action === undefined) this.hand += 1;
    else if (table.actor === seat) this.taken.push(this.take(table, action, this.hand, this.story.events.length));
  }
}

/** Tables at the decisions of a seat. */
export const positionsOfSichuan = (janshi: Janshi, game: SichuanRecord, seat: number): Table<"sichuan">[] =>
  new Watched(janshi, game, seat, (table) => table.copy()).taken;

/** A decision as it is reviewed. */
function met(table: Table<"sichuan">, done: number, hand: number, event: number): Met {
  const seat = table.actor;
  return {
    hand,
    event,
    options: questionAt(table).options,
    done,
    same: [done],
    alike: [],
    phase: phaseOf(table.view(seat).seats[seat]!.discards),
    input: table.encode(),
    known: adviceAt(table),
  };
}

/** The review of a seat's decisions. Throws `RecordError` for a record of which nothing can be replayed. */
export async function reviewOfSichuan(
  janshi: Janshi,
  players: Players,
  game: SichuanRecord,
  seat: number,
): Promise<Review> {
  const by = players.best({ game: "sichuan", players: game.players });
  const { events, taken, notes } = new Watched(janshi, game, seat, met);
  const decisions = await judged(players, by, taken);
  return {
    source: "record",
    rules: game.rules,
    players: game.players,
    names: game.names,
    seat,
    by,
    events,
    decisions,
    report: reportOf(decisions),
    notes,
    places: [],
    luck: [],
    plays_on: true,
    unit: "points",
  };
}
