import type { Words } from "../i18n";
import type { MjaiEvent, TableState } from "./fold";
import { partsOf } from "./games";
import { HIDDEN, spoken } from "./names";

/** The text of an event; empty for events without one. */
export function told(event: MjaiEvent, state: TableState, seat: number | null, words: Words): string {
  const own = partsOf(state).told(event, state, seat, words);
  if (own !== null) return own;
  const who = Number(event["actor"]);
  const name = state.names[who] ?? "";
  const pai = String(event["pai"] ?? HIDDEN);
  const tile = spoken(pai, words);
  switch (event.type) {
    case "start_kyoku":
      return words.tell.start(words.round(state.wind, state.kyoku));
    case "tsumo":
      return who === seat && pai !== HIDDEN ? words.tell.draws(tile) : "";
    case "dahai":
      return who === seat ? "" : words.tell.discards(name, tile);
    case "chi":
    case "pon":
    case "daiminkan":
    case "kakan":
      return words.tell.calls(name, words.calls[event.type], tile);
    case "ankan":
      return words.tell.calls(name, words.calls.ankan, spoken((event["consumed"] as string[])[0] ?? HIDDEN, words));
    case "nukidora":
      return words.tell.kita(name);
    case "reach":
      return words.tell.riichi(name);
    case "dora":
      return words.tell.dora(spoken(String(event["dora_marker"]), words));
    case "hora":
      return words.tell.wins(name, Number(event["hora_points"]));
    case "ryukyoku":
      return words.tell.drawn;
    case "end_game":
      return words.tell.over;
    default:
      return "";
  }
}
