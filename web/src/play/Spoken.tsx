/** Announces events to screen readers: a polite live region. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { Live } from "../net/connection";
import { told } from "../table/told";

/** Events within about a second are announced together, because speech is slower than the table. */
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
    if (ask?.type === "ask" && !ask.options.some((one) => one.name === "discard")) waiting.current.push(words.play.claim);
  }, [ask?.number]);
  return (
    <div class="unseen" role="log" aria-live="polite">
      {text}
    </div>
  );
}
