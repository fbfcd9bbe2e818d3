/** The events of a table, with what a seat knows of its hand after each. */
import type { Game, Table } from "../../npm/dist/index.js";
import type { Own } from "../src/messages";
import { startGame } from "./own";
import type { Event } from "./side";

/** An event, and what the seat knows of its hand after it; null: nothing new. */
export interface NewEvent {
  event: Event;
  own: Own | null;
}

/** Events of a table from its beginning: see `janshi.records.story`. */
export class Story {
  /** All events so far, hidden tiles included. */
  readonly events: Event[] = [];
  private readonly read: ReturnType<Table<Game>["eventReader"]>;

  /** `seat`: whose knowledge of its hand comes with the events. */
  constructor(
    private readonly table: Table<Game>,
    private readonly names: readonly string[],
    seat: number | null = null,
  ) {
    this.read = table.eventReader(seat);
  }

  /** Events since the last call, with what the seat knows after each. Call it after every change. */
  update(): NewEvent[] {
    const { table, names } = this;
    const start = { type: "start_game", names, rules: table.rules, game: "sichuan" };
    const event = table.game === "riichi" ? startGame(names, table.fields, table.rules) : start;
    const added = this.read().map(({ event, own }) => ({
      event: event as Event,
      own: own && ({ type: "own", ...own } as Own),
    }));
    if (!this.events.length) added.unshift({ event, own: null });
    this.events.push(...added.map((each) => each.event));
    return added;
  }
}
