/** Games without events, questions and advice of their own: the TypeScript of `janshi.web.plain`. */
import type { Game, Table } from "../../npm/dist/index.js";
import type { Choose } from "../src/messages";
import type { Event } from "./side";

/** Fields that do not describe the position. */
const UNSEEN = ["rules", "seed", "wall", "clock", "walls_given"];

/** A value, or the fields of a record, in one line. */
function inline(value: unknown): string {
  if (typeof value !== "object") return String(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as Int8Array).join(" ");
  if (Array.isArray(value)) return value.map((each) => `(${inline(each)})`).join(", ");
  return Object.entries(value!)
    .map(([name, each]) => `${name} ${inline(each)}`)
    .join(", ");
}

/** A view as text, one line for each field: see `janshi.drawing.plain_text`. */
function textOf(view: object, players: number): string {
  const fields = Object.entries(view).filter(([name]) => !UNSEEN.includes(name));
  return fields
    .flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [`${name}: ${inline(value)}`];
      const rows: unknown[] = name === "seats" ? value.slice(0, players) : value;
      return rows.map((row, index) => `${name} ${index}: ${inline(row)}`);
    })
    .join("\n");
}

/** The legal actions, described by their game. */
export const choiceAt = (table: Table<Game>): Pick<Choose, "options"> => ({
  options: table.legal.map((action) => ({ action, text: table.actionText(action) })),
});

/** Returns a function that returns the events of a table since its last call, from the first hand on. */
export function plainEvents(table: Table<Game>): (acted?: { actor: number; text: string }) => Event[] {
  const seats = [...Array(table.players).keys()];
  let hand = -1;
  const position = () => ({
    scores: table.scores,
    turn: table.actor >= 0 ? table.actor : null,
    views: seats.map((seat) => textOf(table.view(seat), seats.length)),
  });
  return (acted) => {
    const added: Event[] = [];
    const number = Number(table.state.hand_number);
    if (acted) added.push({ type: "action", ...acted, ...position() });
    else if (number !== hand) {
      hand = number;
      added.push({ type: "start_kyoku", number: hand + 1, ...position() });
    }
    return acted && table.handOver ? [...added, ...endings(table)] : added;
  };
}

/** The end of a hand; without a name of its own it is told by the payments. */
function endings(table: Table<Game>): Event[] {
  const { scores, fields, over } = table;
  const { reason, change: deltas } = table.result!;
  const text = reason || deltas.map((each) => (each > 0 ? `+${each}` : each)).join(" ");
  const points = scores.map((each) => each - Number(fields["start"]));
  return [{ type: "end_kyoku", text, deltas }, ...(over ? [{ type: "end_game", scores, points }] : [])];
}
