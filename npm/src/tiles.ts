import { JanshiError } from "./errors.js";

// Kinds are 0–33 (man, pin, sou, then the honours), tiles 0–36 (34 to 36 are red fives), as in janshi.tiles.

/** Number of kinds. */
export const KINDS = 34;
const SUITS = "mpsz";

/** Returns the kind of a tile: that of a red five is the five's. */
export const kindOf = (tile: number): number => (tile < KINDS ? tile : 4 + 9 * (tile - KINDS));

/** Returns the text of a tile: `5p`, `0p` (a red five), `7z`. */
export function tileText(tile: number): string {
  if (!Number.isInteger(tile) || tile < 0 || tile > 36)
    throw new JanshiError(`${tile} is no tile: tiles run from 0 to 36`);
  return tile < KINDS ? `${(tile % 9) + 1}${SUITS[Math.floor(tile / 9)]}` : `0${SUITS[tile - KINDS]}`;
}

/** Returns the tiles of a text such as `123m0p77z`, in the written order. */
export function parseTiles(text: string): number[] {
  const tiles: number[] = [];
  let digits = "";
  for (const char of text) {
    if (/\s/.test(char) && digits === "") continue;
    if (/[0-9]/.test(char)) digits += char;
    else if (SUITS.includes(char) && digits !== "") {
      for (const digit of digits) tiles.push(tileOf(Number(digit), SUITS.indexOf(char), text));
      digits = "";
    } else throw new JanshiError(`${JSON.stringify(text)} is no hand: write digits, then their suit m, p, s or z`);
  }
  if (digits !== "") throw new JanshiError(`${JSON.stringify(text)} ends without the suit of ${digits}`);
  return tiles;
}

function tileOf(digit: number, suit: number, text: string): number {
  if (suit === 3 && (digit < 1 || digit > 7))
    throw new JanshiError(`${JSON.stringify(text)}: honours are 1z to 7z, not ${digit}z`);
  return digit === 0 ? KINDS + suit : 9 * suit + digit - 1;
}

/** Returns the tiles of each kind (34). */
export function countsOf(tiles: Iterable<number>): Int8Array {
  const counts = new Int8Array(KINDS);
  for (const tile of tiles) counts[kindOf(tile)]! += 1;
  return counts;
}

/** Returns the kinds in a mask with one bit for each. */
export function kindsIn(mask: bigint): number[] {
  return [...Array(KINDS).keys()].filter((kind) => (mask >> BigInt(kind)) & 1n);
}
