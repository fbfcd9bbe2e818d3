/** The words of the interface in the chosen language, with those of the game that is shown. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Language, settings, useSettings } from "../settings";
import type { GameName } from "../table/fold";
import { en, type Words } from "./en";
import { ja } from "./ja";
import { zh } from "./zh";

export type { Words };
export const LANGUAGES: Record<Language, Words> = { en, ja, zh };

/** Which game is shown: some words differ. */
export const GameShown = createContext<GameName>("riichi");

const SICHUAN: Record<Language, Words> = { en: inSichuan(en), ja: inSichuan(ja), zh: inSichuan(zh) };

function inSichuan(words: Words): Words {
  const { calls, actions } = words.sichuan;
  return {
    ...words,
    calls: { ...words.calls, ...calls },
    review: { ...words.review, actions: { ...words.review.actions, ...actions } },
  };
}

export function words(): Words {
  return LANGUAGES[settings().language];
}

export function useWords(): Words {
  const { language } = useSettings();
  return (useContext(GameShown) === "sichuan" ? SICHUAN : LANGUAGES)[language];
}
