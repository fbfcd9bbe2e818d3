/** Tiles by their mjai names (`5p`, `5pr`, `E` … `C`, `?`): order, sprite symbols, spoken names. */
import { LANGUAGES, type Words } from "../i18n";
import type { Player } from "../messages";

const HONOURS = "ESWNPFC";
export const HIDDEN = "?";

/** Without the mark of a red five. */
export function plain(name: string): string {
  return name.endsWith("r") ? name.slice(0, -1) : name;
}

export function isRed(name: string): boolean {
  return name.endsWith("r");
}

/** The order of tiles in a sorted hand: man, pin, sou, honours; a red five before the plain ones. */
export function order(name: string): number {
  const honour = HONOURS.indexOf(name);
  if (honour >= 0) return 300 + honour * 10;
  const suit = "mps".indexOf(name[1] ?? "");
  return suit < 0 ? 999 : suit * 100 + Number(name[0]) * 10 - (isRed(name) ? 1 : 0);
}

export function sorted(names: readonly string[]): string[] {
  return [...names].sort((a, b) => order(a) - order(b));
}

/** The order with a void suit at the right, whose tiles are discarded first. */
export function arranged(names: readonly string[], voidSuit: string | null): string[] {
  const last = (name: string) => (voidSuit !== null && name[1] === voidSuit ? 1 : 0);
  return sorted(names).sort((a, b) => last(a) - last(b));
}

/** The sprite's symbol: `tile-5p`, `tile-0p`, `tile-1z`, `tile-back`. */
export function symbol(name: string): string {
  const honour = HONOURS.indexOf(name);
  if (honour >= 0) return `tile-${honour + 1}z`;
  if (name === HIDDEN) return "tile-back";
  return isRed(name) ? `tile-0${name[1]}` : `tile-${name}`;
}

/** The spoken name. */
export function spoken(name: string, words: Words): string {
  if (name === HIDDEN) return words.tiles.hidden;
  const honour = words.tiles.honours[name];
  if (honour !== undefined) return honour;
  const base =
    words.language !== "English"
      ? `${name[0]}${words.tiles.suits[name[1] ?? ""]}`
      : `${name[0]} ${words.tiles.suits[name[1] ?? ""]}`;
  return isRed(name) ? words.tiles.red(base) : base;
}

/** The dora of an indicator (kind, without red). */
export function doraOf(indicator: string, players: number): string {
  const honour = HONOURS.indexOf(indicator);
  if (honour >= 4) return HONOURS[4 + ((honour - 4 + 1) % 3)] ?? "";
  if (honour >= 0) return HONOURS[(honour + 1) % 4] ?? "";
  const number = Number(indicator[0]);
  const suit = indicator[1] ?? "";
  if (players === 3 && suit === "m") return number === 1 ? "9m" : "1m";
  return `${(number % 9) + 1}${suit}`;
}

/** A player's name in the chosen language, translated for the package's players and unnamed ones; `2` is kept. */
export function playerName(name: string, words: Words): string {
  const [, label = name, number = ""] = /^(.*?)( \d)?$/.exec(name) ?? [];
  if (Object.values(LANGUAGES).some((language) => language.shell.you === label)) return `${words.shell.you}${number}`;
  return `${Object.hasOwn(words.lobby.playerNames, label) ? words.lobby.playerNames[label] : label}${number}`;
}

/** Names of the package's players at tables, by their names on the command line. */
const LABELS: Record<string, string> = {
  sl: "Imitator",
  sl4: "Imitator",
  "sl-2026-11-22": "Earlier imitator",
  "sl4-2026-11-22": "Earlier imitator",
  efficient: "Efficient",
  random: "Random",
  heuristic: "Heuristic",
  sichuan: "Sichuan AI",
};

/** A reviewer's name in the chosen language, from that on the command line. */
export function reviewerName(by: string, words: Words): string {
  return playerName(LABELS[by] ?? by, words);
}

/** The players that can review a record of a game with this number of seats. */
export function reviewersOf(players: readonly Player[], game: string, seats: number): Player[] {
  return players.filter((player) => player.reviews && player.games.includes(game) && player.players.includes(seats));
}

/** A rule set as text: `tenhou-sanma-hand` as "Tenhou, three players, one hand". */
export function rulesName(name: string, words: Words): string {
  const endings: string[] = [];
  let base = name;
  while (words.lobby.rulesNames[base] === undefined) {
    const [, start, ending] = /^(.+)-([a-z0-9]+)$/.exec(base) ?? [];
    const said = words.lobby.rulesEndings[ending ?? ""];
    if (start === undefined || said === undefined) return name;
    endings.unshift(said);
    base = start;
  }
  return [words.lobby.rulesNames[base], ...endings].join(words.review.separator);
}

/** A player in a list: its name at the table, and its description. */
export function described(player: Player, words: Words): string {
  const label = playerName(player.label, words);
  const about = words.lobby.playerAbout[player.name] ?? (player.name === player.label ? words.lobby.ownPlayer : "");
  return `${label} – ${about || player.description}`;
}
