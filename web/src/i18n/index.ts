/** The words of the interface in the chosen language. */
import { settings, useSettings } from "../settings";
import { en, type Words } from "./en";
import { ja } from "./ja";

export type { Words };
export const LANGUAGES: Record<"en" | "ja", Words> = { en, ja };

export function words(): Words {
  return LANGUAGES[settings().language];
}

export function useWords(): Words {
  return LANGUAGES[useSettings().language];
}
