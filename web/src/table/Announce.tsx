/** What was just called, beside who called it. */
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
} as const;

export function Announce({ state, view }: { state: TableState; view: number }) {
  const words = useWords();
  const event = state.last;
  if (event === null) return null;
  const who = event["actor"];
  if (typeof who !== "number") return null;
  const tsumo = event["target"] === who;
  const name = event.type === "hora" ? (tsumo ? "tsumo" : "ron") : CALLS[event.type as keyof typeof CALLS];
  if (name === undefined) return null;
  return (
    <div key={state.events} class={`announce side-${sideOf(who, view)} ${name}`} aria-hidden="true">
      {words.calls[name]}
    </div>
  );
}
