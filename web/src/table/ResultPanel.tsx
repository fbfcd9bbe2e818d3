/** The result of a hand in its game's form, and the button that continues. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { TableState } from "./fold";
import { partsOf } from "./games";

interface Props {
  state: TableState;
  /** It was the last hand. */
  last: boolean;
  /** null: the table continues automatically. */
  onNext: (() => void) | null;
  /** True to keep the focus. */
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

/** Keys that continue with any focus except on elements that use them. */
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
