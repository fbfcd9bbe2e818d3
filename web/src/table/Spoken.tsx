/** Says what happens to those who listen: a polite live region. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords, type Words } from "../i18n";
import type { Live } from "../net/connection";
import type { MjaiEvent, TableState } from "./fold";
import { partsOf } from "./games";
import { HIDDEN, spoken } from "./names";

/** One event in words; empty where it is not worth any. */
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

/** Events of about a second are said together: a voice takes longer than the table. */
export function Spoken({ live, seat }: { live: Live; seat: number | null }) {
  const words = useWords();
  const [text, setText] = useState("");
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const { state, ask } = live;
  useEffect(() => {
    const said = state.last && told(state.last, state, seat, words);
    if (said) waiting.current.push(said);
  }, [state.events]);
  useEffect(() => {
    if (timer.current !== null) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      if (waiting.current.length > 0) setText(waiting.current.splice(0).join(" "));
    }, 900);
  });
  useEffect(() => {
    if (ask && !ask.options.some((one) => one.name === "discard")) waiting.current.push(words.play.claim);
  }, [ask?.number]);
  return (
    <div class="unseen" role="log" aria-live="polite">
      {text}
    </div>
  );
}
