/** What differs from game to game at a table; everything else is drawn alike. A game's folder registers its parts. */
import type { ComponentChildren } from "preact";
import type { Words } from "../i18n";
import type { Fold, MjaiEvent, SeatState, TableState } from "./state";

export interface GameParts {
  /** Its events by name: given how they change the table in every game, how they do in this one. */
  folds: Record<string, (base: Record<string, Fold>) => Fold>;
  /** A bar over the table, or a block in its corner. */
  Info: (props: { state: TableState }) => ComponentChildren;
  /** Beside a score. */
  Mark: (props: { state: TableState; who: number }) => ComponentChildren;
  /** Under a name. */
  Badge: (props: { state: TableState; who: number }) => ComponentChildren;
  /** Before a river has tiles. */
  Before: (props: { seat: SeatState }) => ComponentChildren;
  /** How a hand ended. */
  Result: (props: { state: TableState }) => ComponentChildren;
  /** What the hand is called. */
  round: (state: TableState, words: Words) => string;
  /** A seat, for those who listen. */
  seat: (state: TableState, who: number, words: Words) => string;
  /** What a seat (0: deals first) is called before a game. */
  place: (seat: number, words: Words) => string;
  /** An event in words; null where it is told as in every game. */
  told: (event: MjaiEvent, state: TableState, seat: number | null, words: Words) => string | null;
  /** Whether a tile is marked as one that brings more. */
  isDora: (tile: string, state: TableState) => boolean;
  /** Whether all hands lie open. */
  open: (state: TableState) => boolean;
  /** A seat without what others do not see beside its hand. */
  hide: (seat: SeatState) => SeatState;
  /** Whether a seat is out of play, and whether the tile that it offers was won with. */
  out: (seat: SeatState) => boolean;
  wonOn: (state: TableState, who: number) => boolean;
  /** Whether hints say how a discard stands against those in riichi. */
  threats: boolean;
}

/** A game that has nothing of that of its own. */
export const PLAIN: Pick<
  GameParts,
  "folds" | "Badge" | "Before" | "told" | "isDora" | "open" | "hide" | "out" | "wonOn" | "threats"
> = {
  folds: {},
  Badge: () => null,
  Before: () => null,
  told: () => null,
  isDora: () => false,
  open: () => false,
  hide: (seat) => seat,
  out: () => false,
  wonOn: () => false,
  threats: false,
};

const PARTS = new Map<string, GameParts>();

export function register(game: string, parts: GameParts): void {
  PARTS.set(game, parts);
}

/** The parts of a game; events that name none are of the first that is registered. */
export function partsOf({ game }: { game: string }): GameParts {
  const parts = PARTS.get(game) ?? PARTS.values().next().value;
  if (parts === undefined) throw new Error("no game is registered");
  return parts;
}
