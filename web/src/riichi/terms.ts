/** Terms of Riichi, in the order of the list. */
import type { TermName } from "../i18n/terms.en";

export const TERMS: readonly TermName[] = [
  ...(["shanten", "tenpai", "ukeire", "furiten", "riichi", "dama"] as const),
  ...(["ryanmen", "kanchan", "penchan", "shanpon", "tanki"] as const),
  ...(["genbutsu", "suji", "noChance", "oneChance", "dealIn", "ron", "tsumo"] as const),
  ...(["chii", "pon", "kan", "kita", "kyuushu", "yaku", "han", "dora"] as const),
];
