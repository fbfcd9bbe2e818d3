/** The events of a table, with what a seat knows of its hand after each. */
import type { Game, Table } from "../../npm/dist/index.js";
import type { Own } from "../src/messages";
import { startGame } from "./own";
import { plainEvents } from "./plain";
import type { Event } from "./side";

/** An event, and what the seat knows of its hand after it; null: nothing new. */
export interface NewEvent {
  event: Event;
  own: Own | null;
}

/** The event that begins a game, where it has other fields than those of all games. */
const STARTS: Partial<Record<Game, typeof startGame>> = { riichi: startGame };

/** Events of a table from its beginning: see `janshi.records.story`. */
export class Story {
  /** All events so far, hidden tiles included. */
  readonly events: Event[] = [];
  private readonly read: (acted?: { actor: number; text: string }) => { event: object; own: object | null }[];

  /** `seat`: whose knowledge of its hand comes with the events. */
  constructor(
    private readonly table: Table<Game>,
    private readonly names: readonly string[],
    seat: number | null = null,
  ) {
    const plain = table.says ? null : plainEvents(table);
    this.read = plain ? (acted) => plain(acted).map((event) => ({ event, own: null })) : table.eventReader(seat);
  }

  /** Events since the last call, with what the seat knows after each. Call it after every change; `acted`: an action. */
  update(acted?: { actor: number; text: string }): NewEvent[] {
    const { table, names } = this;
    const { rules, game, fields } = table;
    const event = STARTS[game]?.(names, fields, rules) ?? { type: "start_game", names, rules, game };
    const added = this.read(acted).map(({ event, own }) => ({
      event: event as Event,
      own: own && ({ type: "own", ...own } as Own),
    }));
    if (!this.events.length) added.unshift({ event, own: null });
    this.events.push(...added.map((each) => each.event));
    return added;
  }
}
