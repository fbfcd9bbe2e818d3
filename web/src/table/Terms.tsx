/** Terms of the shown game: one that opens its meaning, and the list of all. */
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { GameShown, useWords } from "../i18n";
import type { TermName } from "../i18n/terms.en";
import { partsOf } from "./games";

/** Width and distances of a meaning in pixels. */
const [WIDTH, GAP] = [300, 8];

/** The place of a meaning: above or under its term, inside the window. */
function placeAt(term: DOMRect): { left: string; top: string; bottom: string } {
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.max(GAP, Math.min(term.left, clientWidth - WIDTH - GAP));
  const under = term.bottom < clientHeight * 0.6;
  return {
    left: `${left}px`,
    top: under ? `${term.bottom + GAP}px` : "auto",
    bottom: under ? "auto" : `${clientHeight - term.top + GAP}px`,
  };
}

/** A word of a sentence as a button that opens its meaning over the page. */
export function Term({ term, text }: { term: TermName; text: string }) {
  const words = useWords();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const about = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const close = () => about.current?.hidePopover();
    addEventListener("scroll", close, { capture: true });
    return () => removeEventListener("scroll", close, { capture: true });
  }, [open]);
  const toggled = (event: { newState: string }) => {
    const opens = event.newState === "open";
    if (opens && button.current && about.current)
      Object.assign(about.current.style, placeAt(button.current.getBoundingClientRect()));
    setOpen(opens);
  };
  return (
    <>
      <button type="button" class="term" ref={button} popovertarget={id} aria-expanded={open}>
        {text}
      </button>
      <span class="term-about" id={id} ref={about} popover="auto" role="note" onBeforeToggle={toggled}>
        {open && words.terms[term][1]}
      </span>
    </>
  );
}

/** All terms of the shown game. */
export function TermGuide() {
  const words = useWords();
  const { terms } = partsOf({ game: useContext(GameShown) });
  if (terms.length === 0) return null;
  return (
    <details class="term-guide">
      <summary>{words.play.terms}</summary>
      <dl>
        {terms.map((term) => (
          <div key={term}>
            <dt>{words.terms[term][0].split("|")[0]}</dt>
            <dd>{words.terms[term][1]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
