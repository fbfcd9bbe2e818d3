/** The texts of the interface in the chosen language and for the shown game. */
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { type Language, settings, useSettings } from "../settings";
import { en, type Words } from "./en";
import { ja } from "./ja";
import { zh } from "./zh";

export type { Words };
export const LANGUAGES: Record<Language, Words> = { en, ja, zh };

/** The shown game, for which some texts differ. */
export const GameShown = createContext("");

/** The texts with a game's own: `calls` and `actions` of the texts under its name. */
function inGame(words: Words, game: string): Words {
  const own = (words as unknown as Record<string, Partial<Pick<Words["sichuan"], "calls" | "actions">> | undefined>)[
    game
  ];
  if (own?.calls === undefined) return words;
  const actions = { ...words.review.actions, ...own.actions };
  return { ...words, calls: { ...words.calls, ...own.calls }, review: { ...words.review, actions } };
}

export function words(): Words {
  return LANGUAGES[settings().language];
}

export function useWords(): Words {
  const { language } = useSettings();
  const game = useContext(GameShown);
  return useMemo(() => inGame(LANGUAGES[language], game), [language, game]);
}
