/** English, and with it what every language must say. */
const plural = (many: number, one: string, more: string) => `${many} ${many === 1 ? one : more}`;
const WINDS = { E: "East", S: "South", W: "West", N: "North" } as Record<string, string>;

export const en = {
  language: "English",
  title: "Janshi",
  shell: {
    lobby: "Lobby",
    review: "Review",
    settings: "Settings",
    theme: "Colours",
    themes: { auto: "As the system", light: "Light", dark: "Dark" },
    languageLabel: "Language",
    indices: "Numerals on the tiles",
    pace: "Pace of others' moves",
    paces: { instant: "At once", quick: "Quick", normal: "Normal", slow: "Slow" },
    skip: "To the content",
    close: "Close",
    tables: "Tables",
    loading: "Loading …",
    unreachable: "The server does not answer. Is janshi still running?",
    again: "Try again",
  },
  tiles: {
    suits: { m: "man", p: "pin", s: "sou" } as Record<string, string>,
    honours: {
      E: "East",
      S: "South",
      W: "West",
      N: "North",
      P: "white dragon",
      F: "green dragon",
      C: "red dragon",
    } as Record<string, string>,
    red: (tile: string) => `red ${tile}`,
    hidden: "hidden tile",
  },
  winds: WINDS,
  round: (wind: string, number: number) => `${WINDS[wind] ?? wind} ${number}`,
  count: { tiles: (many: number) => plural(many, "tile", "tiles") },
};

export type Words = typeof en;
