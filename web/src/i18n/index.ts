/** The words of the interface in the chosen language, with those of the game that is shown. */
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { type Language, settings, useSettings } from "../settings";
import { en, type Words } from "./en";
import { ja } from "./ja";
import { zh } from "./zh";

export type { Words };
export const LANGUAGES: Record<Language, Words> = { en, ja, zh };

/** Which game is shown: some words differ. */
export const GameShown = createContext("");

/** The words with those that a game has of its own: `calls` and `actions` of the words under its name. */
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
