/** What the decisions of a game cost: see `janshi.say.losses`. */
import type { Engine } from "./engine.js";
import { MISTAKES, type Records } from "./generated.js";
import { sizeOf, type Values } from "./records.js";
import { inWords } from "./words.js";

/** A decision in which player and reviewer differ, with what the choice taken and the reviewer's promise by a model. */
export interface Difference {
  number: number;
  done: number;
  best: number;
}

/** The measured loss of a decision. */
export interface MeasuredLoss {
  number: number;
  lost: number;
  certain: boolean;
  /** Kind of the mistake. */
  kind: string | null;
}

export function byGain<D extends Difference>(engine: Engine, rows: readonly D[]): D[] {
  const order = engine.allocate(4 * rows.length);
  const values = rows.map(({ number, done, best }) => ({ number, done, best }));
  withRows(engine, "DifferenceRow", values, (first) =>
    engine.exports.order_by_gain(first, rows.length, order, rows.length),
  );
  const ordered = [...new Int32Array(engine.buffer, order, rows.length)].map((row) => rows[row]!);
  engine.release(order, 4 * rows.length);
  return ordered;
}

export function summaryOf(engine: Engine, measured: readonly MeasuredLoss[]): Record<string, unknown> {
  const values = measured.map(({ number, lost, certain, kind }) => ({
    ...{ number, lost, certain },
    kind: MISTAKES.indexOf(kind ?? ""),
  }));
  const out = engine.record("LossesNumbers");
  withRows(engine, "MeasuredRow", values, (first) => engine.exports.summarise(first, values.length, out, 1));
  return inWords("LossesNumbers", engine.buffer, out, { mistake: MISTAKES });
}

/** Calls a function with the address of rows. */
function withRows(engine: Engine, record: keyof Records, rows: readonly Values[], call: (first: number) => unknown) {
  const size = sizeOf(record);
  const first = engine.allocate(size * rows.length);
  rows.forEach((row, index) => engine.write(record, first + index * size, row));
  call(first);
  engine.release(first, size * rows.length);
}
