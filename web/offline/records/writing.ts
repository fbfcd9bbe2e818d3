/** The formats in which games of tables are saved. */
import { type Game, type Janshi, type Table } from "../../../npm/dist/index.js";
import type { Event } from "../side";
import { FORMAT, handAt, type SichuanHand, writeSichuan } from "./sichuan";

/** A finished game of a table. */
interface Played {
  table: Table<Game>;
  names: string[];
  events: readonly Event[];
  /** What was kept of each hand. */
  hands: readonly unknown[];
}

interface Format {
  name: string;
  suffix: string;
  /** What is kept of a hand that is over. */
  hand?(table: Table<Game>): unknown;
  write(janshi: Janshi, played: Played): string;
}

/** The format of each game that has one. */
export const FORMATS: Partial<Record<Game, Format>> = {
  riichi: {
    name: "mjai",
    suffix: "mjson",
    write: (_, { events }) => events.map((event) => `${JSON.stringify(event)}\n`).join(""),
  },
  sichuan: {
    name: FORMAT,
    suffix: "jsonl",
    hand: (table) => handAt(table as Table<"sichuan">),
    write: (janshi, { table: { rules, fields }, names, hands }) =>
      writeSichuan(
        janshi,
        { game: "sichuan", players: 4, rules, names, hands: hands as SichuanHand[], before: 0 },
        fields,
      ),
  },
};
