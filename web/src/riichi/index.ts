import { PLAIN, register } from "../table/games";
import { isDora, RiichiInfo, RiichiMark, RiichiResult, riichiSeat, sources, value } from "./parts";

register("riichi", {
  ...PLAIN,
  Info: RiichiInfo,
  Mark: RiichiMark,
  Result: RiichiResult,
  round: (state, words) => words.round(state.wind, state.kyoku),
  seat: riichiSeat,
  place: (seat, words) => words.winds["ESWN"[seat] ?? ""] ?? "",
  isDora,
  value,
  sources,
  threats: true,
});
