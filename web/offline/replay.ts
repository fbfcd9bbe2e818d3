/** A game played again from its actions, with everything that is sent: compared with the Python package by tests. */
import type { Game, Janshi } from "../../npm/dist/index.js";
import type { Advice, Ask, Own } from "../src/messages";
import { type Event, preferred, sharesAt } from "./side";
import { rulesAt } from "./server";
import { sideOf } from "./table";

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
  /** What each seat knows after each action. */
  own: Own[][];
  /** The decisions, each of the seat that acted. */
  asks: Pick<Ask, "options" | "discards" | "win" | "calls">[];
  advice: Omit<Advice, "by" | "best">[];
  /** Actions of the rule-based player in the same decisions. */
  efficient: number[];
}

export function replay(janshi: Janshi, played: Played): Replayed {
  const { rules, changes } = rulesAt(played.name, played.length);
  const table = janshi.table(rules, { seed: BigInt(played.seed), changes });
  const side = sideOf(table.game as Game);
  const story = side.story(janshi, table, played.names);
  const seats = [...Array(table.players).keys()];
  const knowledge = seats.map((seat) => side.knowledge(janshi, table, seat));
  const made: Replayed = {
    events: [],
    seen: seats.map(() => []),
    own: seats.map(() => []),
    asks: [],
    advice: [],
    efficient: [],
  };
  const update = () => {
    for (const event of story.update()) {
      made.events.push(event);
      for (const seat of seats) {
        const seen = side.seenBy(event, seat);
        made.seen[seat]!.push(seen);
        knowledge[seat]!.follow(seen);
      }
    }
    for (const seat of seats) made.own[seat]!.push(knowledge[seat]!.own());
  };
  update();
  for (const action of played.actions) {
    const seat = table.actor;
    const options = side.options(table, seat);
    const tiles = options.flatMap((option) => (option.name === "discard" && option.tile ? [option.tile] : []));
    const known = knowledge[seat]!;
    const discards = known.discards([...new Set(tiles)]);
    made.asks.push({ options, discards, win: known.win(), calls: known.calls(options) });
    const even = sharesAt(new Float64Array(122), table, 122);
    made.advice.push({ preferences: preferred(even), ...side.advise(janshi, table, seat, even) });
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
