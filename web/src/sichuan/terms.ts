/** Terms of Sichuan mahjong, in the order of the list. */
import type { TermName } from "../i18n/terms.en";

export const TERMS: readonly TermName[] = [
  ...(["exchange", "voidSuit", "shanten", "tenpai", "ukeire", "dealIn"] as const),
  ...(["pung", "kong", "fan", "root", "goldenWait", "flowerPig"] as const),
];
