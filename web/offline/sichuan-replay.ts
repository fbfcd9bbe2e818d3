/** Replays of games of Sichuan mahjong: the TypeScript of `janshi.sichuan.records.jsonl`. */
import type { Janshi, Table } from "../../npm/dist/index.js";
import { Mismatch, type Take, type Watched } from "./decisions";
import { BASE, eventJson, type Row, rowsOf, type SichuanHand, type SichuanRecord } from "./records/sichuan";
import { Story } from "./story";

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

/** Replays a game for a seat, up to the first hand that contradicts the rules; without events if it is the first. */
export function replaySichuan<T>(janshi: Janshi, game: SichuanRecord, seat: number, take: Take<T>): Watched<T> {
  const { hands, changes, before } = game;
  const { wall, ...start } = hands[0]!;
  const table = janshi.table<"sichuan">(BASE, { changes, wall, ...(before && { start: { before, ...start } }) });
  const story = new Story(table, game.names);
  const taken: T[] = [];
  const notes: string[] = [];
  let number = 1;
  try {
    for (const hand of hands) {
      if (hand !== hands[0]) number += 1;
      if (number > 1 && table.over) throw new Mismatch("end of the game", "over", "goes on");
      if (number > 1) table.nextHand(hand.wall);
      replayHand(table, hand, (action) => {
        story.update();
        if (action !== undefined && table.actor === seat)
          taken.push(take(table, action, number - 1, story.events.length));
      });
    }
    if (!table.over) throw new Mismatch("end of the game", "goes on", "over");
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    notes.push(`the game is not reviewed from hand ${number} on, it cannot be replayed: ${error.message}`);
  } finally {
    table.free();
  }
  const [first, ...events] = story.events;
  return { taken, notes, events: first ? [{ ...first, rules: game.rules }, ...events] : [] };
}
