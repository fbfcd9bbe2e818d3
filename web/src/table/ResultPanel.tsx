/** How a hand ended, as its game shows it, and the button that goes on. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { TableState } from "./fold";
import { partsOf } from "./games";

interface Props {
  state: TableState;
  /** It was the last hand. */
  last: boolean;
  /** null: the table goes on by itself. */
  onNext: (() => void) | null;
  /** The focus stays where it is. */
  quiet?: boolean;
}

export function ResultPanel({ state, last, onNext, quiet = false }: Props) {
  const words = useWords();
  const next = useRef<HTMLButtonElement>(null);
  const [aside, setAside] = useState(false);
  useEffect(() => void (quiet || next.current?.focus({ preventScroll: true })), []);
  useGoOn(onNext, quiet ? ["Enter"] : ["Enter", " "]);
  if (state.result === null) return null;
  const { Result, round } = partsOf(state);
  return (
    <section class={`panel result ${aside ? "aside" : ""}`} role="dialog" aria-label={round(state, words)}>
      <div class="panel-body" hidden={aside}>
        <Result state={state} />
      </div>
      <div class="panel-foot">
        <button type="button" aria-pressed={aside} onClick={() => setAside(!aside)}>
          {aside ? words.result.show : words.result.hide}
        </button>
        {onNext && (
          <button type="button" class="primary" ref={next} onClick={onNext}>
            {last ? words.play.toEnd : words.play.next}
          </button>
        )}
      </div>
    </section>
  );
}

/** Keys that go on wherever the focus is, but for what does something of its own with them. */
export function useGoOn(onNext: (() => void) | null, keys: readonly string[] = ["Enter", " "]): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const own = target.closest("button:not(:disabled), a, input, select, textarea, summary") !== null;
      if (onNext === null || own || event.repeat || event.defaultPrevented || !keys.includes(event.key)) return;
      event.preventDefault();
      onNext();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  });
}
