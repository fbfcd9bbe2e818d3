/** The steps of the lesson: what they show, and which answers are right. */
import written from "./steps.json";

/**
 * Tiles are written as mjai's names, with `|` between groups, `~` before a turned tile and `+` before one set apart.
 * `right`: the tiles to click of `pick`, or the number of the right button.
 */
export interface Step {
  name: string;
  /** Rows of tiles above the exercise. */
  shown?: string[];
  pick?: string;
  /** Tiles on the buttons. */
  hands?: string[];
  /** Rows of han, points of the others, points of the dealer. */
  points?: number[][];
  right?: string | number;
}

export const STEPS: readonly Step[] = written;

export interface Laid {
  name: string;
  turned: boolean;
  apart: boolean;
}

export function groupsOf(text: string): Laid[][] {
  return text.split(" | ").map((group) =>
    group.split(" ").map((tile) => ({
      name: tile.replace(/^[~+]/, ""),
      turned: tile.startsWith("~"),
      apart: tile.startsWith("+"),
    })),
  );
}

/** The places of the right answers: among the tiles to click, or among the buttons. */
export function rightOf(step: Step): number[] {
  if (typeof step.right === "number") return [step.right];
  const wanted = (step.right ?? "").split(" ");
  return (step.pick ?? "").split(" ").flatMap((tile, at) => (wanted.includes(tile) ? [at] : []));
}

/** How many right answers are among those given, each counted once. */
export function found(step: Step, given: readonly number[]): number {
  return rightOf(step).filter((at) => given.includes(at)).length;
}

export function isDone(step: Step, given: readonly number[]): boolean {
  return step.right === undefined || found(step, given) === rightOf(step).length;
}
