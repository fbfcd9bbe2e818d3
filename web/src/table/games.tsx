/** What differs from game to game at a table; everything else is drawn alike. */
import type { ComponentChildren } from "preact";
import type { Words } from "../i18n";
import { Aside, sichuanSeat, SichuanInfo, SichuanMark, SichuanResult, sichuanTold, WonBadge } from "../sichuan/parts";
import { RiichiInfo, RiichiMark, riichiSeat } from "./Board";
import type { GameName, MjaiEvent, SeatState, TableState } from "./fold";
import { RiichiResult } from "./ResultPanel";

export interface GameParts {
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
  /** An event in words; null where it is told as in every game. */
  told: (event: MjaiEvent, state: TableState, seat: number | null, words: Words) => string | null;
}

const nothing = () => null;

const PARTS: Record<GameName, GameParts> = {
  riichi: {
    Info: RiichiInfo,
    Mark: RiichiMark,
    Badge: nothing,
    Before: nothing,
    Result: RiichiResult,
    round: (state, words) => words.round(state.wind, state.kyoku),
    seat: riichiSeat,
    told: nothing,
  },
  sichuan: {
    Info: SichuanInfo,
    Mark: SichuanMark,
    Badge: WonBadge,
    Before: Aside,
    Result: SichuanResult,
    round: (state, words) => words.sichuan.hand((state.sichuan?.number ?? 0) + 1),
    seat: sichuanSeat,
    told: sichuanTold,
  },
};

export function partsOf(state: TableState): GameParts {
  return PARTS[state.game];
}
