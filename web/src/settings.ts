/** The user's settings in this browser: language, appearance, name. Stored in localStorage if available. */
import { useEffect, useState } from "preact/hooks";
import { stored } from "./stored";

export type Language = "en" | "ja" | "zh";

export interface Settings {
  language: Language;
  theme: "auto" | "light" | "dark";
  /** Numerals and letters on the tiles, for people who do not read Chinese. */
  indices: boolean;
  /** Hints at the table: for no decision, on request, for dear decisions (`review/dear.ts`), or for each one. */
  coach: "off" | "request" | "dear" | "always";
  /** Sounds of the table. */
  sound: boolean;
  name: string;
}

const KEY = "janshi.settings";
const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  language: ["en", "ja", "zh"],
  theme: ["auto", "light", "dark"],
  coach: ["off", "request", "dear", "always"],
};

function standard(): Settings {
  const preferred = typeof navigator === "undefined" ? "en" : navigator.language;
  const language = preferred.startsWith("ja") ? "ja" : preferred.startsWith("zh") ? "zh" : "en";
  return { language, theme: "auto", indices: false, coach: "request", sound: true, name: "" };
}

/** The stored settings; what is no value of a setting is the usual one. */
function load(): Settings {
  const usual = standard();
  const found = stored(KEY);
  if (found === null || typeof found !== "object") return usual;
  const fits = ([name, value]: [string, unknown]) =>
    Object.hasOwn(usual, name) &&
    typeof value === typeof usual[name as keyof Settings] &&
    (CHOICES[name as keyof Settings]?.includes(value as string) ?? true);
  return { ...usual, ...Object.fromEntries(Object.entries(found).filter(fits)) };
}

let current = load();
const listeners = new Set<() => void>();

export function settings(): Settings {
  return current;
}

export function change(part: Partial<Settings>): void {
  current = { ...current, ...part };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A page opened from disk or in a private window may have no storage; settings then last as long as the page.
  }
  apply();
  for (const listener of listeners) listener();
}

/** Apply the settings to the style sheet. */
export function apply(): void {
  const root = document.documentElement;
  root.lang = current.language;
  root.dataset["theme"] = current.theme;
  root.dataset["indices"] = current.indices ? "yes" : "no";
}

export function useSettings(): Settings {
  const [, again] = useState(0);
  useEffect(() => {
    const listener = () => again((count) => count + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return current;
}
