import { PLAIN, register } from "../table/games";
import { ending, isDora, RiichiInfo, RiichiMark, RiichiResult, riichiSeat, source, sources, value } from "./parts";
import { TERMS } from "./terms";
import { YakuGuide } from "./YakuGuide";

register("riichi", {
  ...PLAIN,
  Info: RiichiInfo,
  Mark: RiichiMark,
  Result: RiichiResult,
  Guide: YakuGuide,
  terms: TERMS,
  round: (state, words) => words.round(state.wind, state.kyoku),
  roundMark: (state, words) => `${words.board.windLetters[state.wind]}${state.kyoku}`,
  ending,
  seat: riichiSeat,
  place: (seat, words) => words.winds["ESWN"[seat] ?? ""] ?? "",
  isDora,
  value,
  sources,
  source,
  han: (count, words) => words.result.han(count),
  threats: true,
});
