/** Replay and review: the page of one review, the same page from data within the file, and the panel of a hint. */
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { Advice, Option, Review } from "../messages";
import { getReview } from "../net/api";
import { Tile } from "../table/tiles";

/** `#/review/ID` and `#/review/ID?seat=1`. */
export function ReviewPage({ id }: { id: string }) {
  const words = useWords();
  const [review, setReview] = useState<Review | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => void getReview(id).then(setReview, (error: Error) => setFailed(error.message)), [id]);
  if (review === null) return <p class="notice">{failed ?? words.shell.loading}</p>;
  return <ReviewView review={review} saved={false} />;
}

/** `saved`: shown from a file, without a server. */
export function ReviewView({ review }: { review: Review; saved: boolean }) {
  return <h1>{review.names[review.seat]}</h1>;
}

/** What a reviewer thinks of the decision that is waited for: its preferences, the likeliest first. */
export function HintPanel({ advice, options }: { advice: Advice; options: Option[]; players: number }) {
  const words = useWords();
  return (
    <ol class="preferences">
      {advice.preferences.slice(0, 6).map(({ action, share }) => {
        const option = options.find((one) => one.action === action);
        if (!option) return null;
        return (
          <li key={action}>
            {option.name === "discard" && option.tile ? <Tile name={option.tile} /> : <span>{words.calls[option.name]}</span>}
            <meter min={0} max={1} value={share} aria-label={`${Math.round(share * 100)} %`} />
            <span>{Math.round(share * 100)} %</span>
          </li>
        );
      })}
    </ol>
  );
}
