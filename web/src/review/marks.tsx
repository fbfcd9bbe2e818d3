/** Small parts of advice: the two marks, bars, sentences with tiles. */
import { Fragment } from "preact";
import { useContext } from "preact/hooks";
import { GameShown, useWords } from "../i18n";
import { partsOf } from "../table/games";
import { Term } from "../table/Terms";
import { splitAtTerms } from "../table/split";
import { Tile } from "../table/tiles";
import { cut, percent } from "./explain";

/** A star: the reviewer's choice; a triangle: the action taken. */
export function Mark({ of }: { of: "best" | "done" }) {
  const words = useWords();
  const label = of === "best" ? words.review.bestMark : words.review.doneMark;
  return (
    <svg class={`mark mark-${of}`} viewBox="0 0 16 16" role="img" aria-label={label}>
      <title>{label}</title>
      {of === "best" ? (
        <path d="M8 .8l2.2 4.6 5 .7-3.6 3.5.9 5L8 12.2l-4.5 2.4.9-5L.8 6.100l5-.7z" />
      ) : (
        <path d="M8 2.500l6.500 11.500h-13z" />
      )}
    </svg>
  );
}

export function Marks({ best, done }: { best: boolean; done: boolean }) {
  return (
    <span class="marks">
      {best && <Mark of="best" />}
      {done && <Mark of="done" />}
    </span>
  );
}

/** A probability as a horizontal bar with its number. */
export function Share({ share, best = false }: { share: number; best?: boolean }) {
  return (
    <span class={`share ${best ? "best" : ""}`}>
      <span class="share-bar" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span class="share-number">{percent(share)}</span>
    </span>
  );
}

/** Text with `[3p]` drawn as a tile. */
export function Sentence({ text }: { text: string }) {
  return (
    <>
      {cut(text).map((part, at) =>
        part.tile === null ? <span key={at}>{part.text}</span> : <Tile key={at} name={part.tile} class="in-text" />,
      )}
    </>
  );
}

/** A sentence whose terms open their meaning. */
export function Reason({ text }: { text: string }) {
  const words = useWords();
  const { terms } = partsOf({ game: useContext(GameShown) });
  return (
    <>
      {splitAtTerms(text, terms, words).map((part, at) => (
        <Fragment key={at}>
          {part.term === null ? <Sentence text={part.text} /> : <Term term={part.term} text={part.text} />}
        </Fragment>
      ))}
    </>
  );
}
