/** Differences between games at a table. A game's folder registers its parts. */
import type { ComponentChildren } from "preact";
import type { Words } from "../i18n";
import type { TermName } from "../i18n/terms.en";
import type { Worth } from "../messages";
import type { Fold, MjaiEvent, SeatState, TableState } from "./state";

export interface GameParts {
  /** Its events by name: from the common change of the table to that of this game. */
  folds: Record<string, (base: Record<string, Fold>) => Fold>;
  /** A bar over the table, or a block in its corner. */
  Info: (props: { state: TableState }) => ComponentChildren;
  /** Content beside a score. */
  Mark: (props: { state: TableState; who: number }) => ComponentChildren;
  /** Content under a name. */
  Badge: (props: { state: TableState; who: number }) => ComponentChildren;
  /** Content of an empty river. */
  Before: (props: { seat: SeatState }) => ComponentChildren;
  /** The result of a hand. */
  Result: (props: { state: TableState }) => ComponentChildren;
  /** What a player looks up during a game. */
  Guide: () => ComponentChildren;
  /** The terms that open their meaning in reasons, in the order of their list. */
  terms: readonly TermName[];
  /** The name of the hand. */
  round: (state: TableState, words: Words) => string;
  /** The same in two letters or so. */
  roundMark: (state: TableState, words: Words) => string;
  /** How a hand ended; empty before its end. */
  ending: (state: TableState, words: Words) => string;
  /** A seat for screen readers. */
  seat: (state: TableState, who: number, words: Words) => string;
  /** The name of a seat (0: deals first) before a game. */
  place: (seat: number, words: Words) => string;
  /** The text of an event; null for the common text. */
  told: (event: MjaiEvent, state: TableState, seat: number | null, words: Words) => string | null;
  /** True if a tile is marked as a bonus. */
  isDora: (tile: string, state: TableState) => boolean;
  /** True if all hands are open. */
  open: (state: TableState) => boolean;
  /** A seat without hidden information besides its hand. */
  hide: (seat: SeatState) => SeatState;
  /** True if a seat is out of play, and if its offered tile was won with. */
  out: (seat: SeatState) => boolean;
  wonOn: (state: TableState, who: number) => boolean;
  /** The value of a win, and what it consists of. */
  value: (worth: Worth, words: Words) => string;
  sources: (worth: Worth, words: Words) => string;
  /** A source of han or fan by its name, and a number of them. */
  source: (name: string, words: Words) => string;
  han: (count: number, words: Words) => string;
  /** True if hints show the safety of discards against riichi. */
  threats: boolean;
}

/** The defaults of a game: what only its own layout or reviews show is empty. */
export const PLAIN: Omit<GameParts, "Result" | "round" | "ending"> = {
  folds: {},
  Info: () => null,
  Mark: () => null,
  Badge: () => null,
  Guide: () => null,
  terms: [],
  roundMark: () => "",
  seat: (state, who) => state.names[who] ?? "",
  place: (seat) => String(seat + 1),
  Before: () => null,
  told: () => null,
  isDora: () => false,
  open: () => false,
  hide: (seat) => seat,
  out: () => false,
  wonOn: () => false,
  value: (worth) => String(worth.points),
  sources: () => "",
  source: (name) => name,
  han: String,
  threats: false,
};

const PARTS = new Map<string, GameParts>();
let plain: GameParts | undefined;

/** `game`: null for the parts of all games without their own. */
export function register(game: string | null, parts: GameParts): void {
  if (game === null) plain = parts;
  else PARTS.set(game, parts);
}

/** True if a game has no layout of its own. */
export function isPlain(game: string): boolean {
  return partsOf({ game }) === plain;
}

/** The parts of a game; events without one belong to the first registered. */
export function partsOf({ game }: { game: string }): GameParts {
  const parts = PARTS.get(game) ?? (game === "" ? PARTS.values().next().value : plain);
  if (parts === undefined) throw new Error("no game is registered");
  return parts;
}
