/** Buttons of a decision: their options, order and keys. */
import type { Ask, Option } from "../messages";

/** In order of preference. */
const ORDER = [
  "void_m",
  "void_p",
  "void_s",
  "win",
  "tsumo",
  "ron",
  "riichi",
  "kita",
  "ankan",
  "kakan",
  "daiminkan",
  "pon",
  "chi",
  "kyuushu_kyuuhai",
  "tenpai",
  "noten",
  "pass",
] as const;
const LETTERS: Partial<Record<Option["name"], string>> = {
  void_m: "1",
  void_p: "2",
  void_s: "3",
  win: "W",
  tsumo: "T",
  ron: "R",
  riichi: "I",
  kita: "N",
  ankan: "K",
  kakan: "K",
  daiminkan: "K",
  pon: "P",
  chi: "C",
  kyuushu_kyuuhai: "A",
  tenpai: "T",
  noten: "X",
  pass: "X",
};

/** Actions of a tile of the hand: discard, exchange, laying face down. */
const BY_TILE: readonly Option["name"][] = ["discard", "give", "lay"];

export function isByTile(option: Option): boolean {
  return BY_TILE.includes(option.name);
}

/** Tiles given together. */
export const GIVEN = 3;

export interface CallButton {
  option: Option;
  key: string;
}

/** A letter for the first of each kind, digits for the others. */
export function callButtons(ask: Ask): CallButton[] {
  const options = ask.options.filter((one) => !isByTile(one));
  options.sort((a, b) => ORDER.indexOf(a.name as never) - ORDER.indexOf(b.name as never));
  const used = new Set<string>();
  return options.map((option, at) => {
    const letter = LETTERS[option.name] ?? "";
    const key = letter === "" || used.has(letter) ? String(at + 1) : letter;
    used.add(key);
    return { option, key };
  });
}

/** The option of a tile of the hand. */
export function discardOf(ask: Ask, tile: string, drawn: boolean): Option | undefined {
  return ask.options.find((one) => isByTile(one) && one.tile === tile && (one.tsumogiri ?? false) === drawn);
}

export interface Switches {
  win: boolean;
  calls: boolean;
  discard: boolean;
  kita: boolean;
}

export const NO_SWITCHES: Switches = { win: false, calls: false, discard: false, kita: false };

/** The automatic answer of the switches; null: the player decides. */
export function automatic(ask: Ask, switches: Switches, riichi: boolean): number | null {
  const find = (...names: Option["name"][]) => ask.options.find((one) => names.includes(one.name));
  const win = find("tsumo", "ron", "win");
  if (win) return switches.win ? win.action : null;
  const only = ask.options.length === 1 ? ask.options[0] : undefined;
  if (riichi && only?.name === "discard") return only.action;
  const pass = find("pass");
  if (pass) return switches.calls ? pass.action : null;
  const kita = find("kita");
  if (switches.kita && kita) return kita.action;
  const drawn = ask.options.find((one) => one.name === "discard" && one.tsumogiri);
  return switches.discard && drawn ? drawn.action : null;
}
