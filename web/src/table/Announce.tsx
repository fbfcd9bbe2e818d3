/** The last call beside its caller; at the end of a hand, the winners. */
import { useWords } from "../i18n";
import { sideOf } from "./Board";
import type { TableState } from "./fold";

const CALLS = {
  chi: "chi",
  pon: "pon",
  daiminkan: "daiminkan",
  ankan: "daiminkan",
  kakan: "daiminkan",
  nukidora: "kita",
  reach: "riichi",
  win: "win",
} as const;

type Called = (typeof CALLS)[keyof typeof CALLS] | "ron" | "tsumo";

/** Callers and calls of the last event. */
export function announced(state: TableState): { who: number; call: Called }[] {
  if (state.result)
    return state.result.wins.map((win) => ({ who: win.actor, call: win.actor === win.target ? "tsumo" : "ron" }));
  const who = state.last?.["actor"];
  const call = CALLS[state.last?.type as keyof typeof CALLS];
  return typeof who === "number" && call !== undefined ? [{ who, call }] : [];
}

export function Announce({ state, view }: { state: TableState; view: number }) {
  const words = useWords();
  return (
    <>
      {announced(state).map(({ who, call }) => (
        <div
          key={`${state.result ? state.hand : state.events} ${who}`}
          class={`announce side-${sideOf(who, view)} ${call}`}
          aria-hidden="true"
        >
          {words.calls[call]}
        </div>
      ))}
    </>
  );
}
