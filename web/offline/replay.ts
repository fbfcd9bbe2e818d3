/** A game played again from its actions, with everything that is sent: compared with the Python package by tests. */
import { GAMES, type Janshi } from "../../npm/dist/index.js";
import type { Advice, Ask, Own } from "../src/messages";
import { adviceAt, questionAt, type Event, preferred, seenBy, sharesAt } from "./side";
import { Story } from "./story";

export interface Played {
  /** Name of the rules, and length of the game. */
  name: string;
  length: string;
  seed: string;
  names: string[];
  actions: number[];
}

export interface Replayed {
  /** All events, and those of each seat. */
  events: Event[];
  seen: Event[][];
  /** What each seat knows after each event. */
  own: (Own | null)[][];
  /** The decisions, each of the seat that acted. */
  asks: Pick<Ask, "options" | "discards" | "win" | "calls">[];
  advice: Omit<Advice, "by" | "best">[];
  /** Actions of the rule-based player in the same decisions. */
  efficient: number[];
}

export function replay(janshi: Janshi, played: Played): Replayed {
  const { rules, changes } = janshi.rulesAt(played.name, played.length);
  const table = janshi.table(rules, { seed: BigInt(played.seed), changes });
  const story = new Story(table, played.names);
  const seats = [...Array(table.players).keys()];
  const knowing = seats.map((seat) => new Story(table, played.names, seat));
  const made: Replayed = {
    events: [],
    seen: seats.map(() => []),
    own: seats.map(() => []),
    asks: [],
    advice: [],
    efficient: [],
  };
  const update = () => {
    for (const { event } of story.update()) {
      made.events.push(event);
      for (const seat of seats) made.seen[seat]!.push(seenBy(event, seat));
    }
    for (const seat of seats) for (const { own } of knowing[seat]!.update()) made.own[seat]!.push(own);
  };
  update();
  for (const action of played.actions) {
    made.asks.push(questionAt(table));
    const even = sharesAt(new Float64Array(GAMES[table.game].actions.length), table);
    made.advice.push({ preferences: preferred(even), ...adviceAt(table) });
    made.efficient.push(table.efficient());
    table.act(action);
    update();
    if (table.handOver && !table.over) {
      table.nextHand();
      update();
    }
  }
  table.free();
  return made;
}
