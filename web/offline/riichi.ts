/** Tiles of Riichi in order, and those that calls lay down. */
import { kindOf, RiichiAction as Action, RiichiEvent as Logged } from "../../npm/dist/index.js";
import type { Janshi } from "../../npm/dist/index.js";

type Rules = ReturnType<Janshi["rulesOf"]>;
export const number = (rules: Rules, name: string): number => rules[name] as number;

/** Orders tiles by kind, red fives before the plain ones. */
export const inOrder = (a: number, b: number): number => place(a) - place(b);
const place = (tile: number): number => (tile < 34 ? tile : kindOf(tile) - 0.5);

const equal = (kind: number, count: number, reds: number): number[] => [
  ...Array<number>(reds).fill(34 + Math.floor(kind / 9)),
  ...Array<number>(count - reds).fill(kind),
];

/** Tiles that a call lays down from the hand; for an added kan the three tiles of the pon. */
export function laidDown(rules: Rules, event: number, tile: number, action: number): number[] {
  const kind = tile >= 0 ? kindOf(tile) : -1;
  const fives = kind >= 0 && kind < 27 && kind % 9 === 4;
  const reds = fives ? (rules["red_fives"] as readonly number[])[Math.floor(kind / 9)]! : 0;
  if (event === Logged.ANKAN) return equal(kind, 4, reds);
  if (event === Logged.DAIMINKAN || event === Logged.KAKAN) return equal(kind, 3, reds - Number(tile >= 34));
  if (event === Logged.PON) return equal(kind, 2, action - Action.PON);
  if (event !== Logged.CHII) return [];
  const low = kind - ((action - Action.CHII) % 3);
  const red = action >= Action.CHII_RED;
  return [low, low + 1, low + 2]
    .filter((own) => own !== kind)
    .map((own) => (red && own % 9 === 4 ? 34 + Math.floor(own / 9) : own));
}
