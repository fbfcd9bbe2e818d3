/** Replay and review: the page of one review, the same page from data within the file, and the panel of a hint. */
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { Advice, Option, Review } from "../messages";
import { getReview } from "../net/api";

/** `#/review/ID` and `#/review/ID?seat=1`. */
export function ReviewPage({ id }: { id: string }) {
  const words = useWords();
  const [review, setReview] = useState<Review | null>(null);
  useEffect(() => void getReview(id).then(setReview), [id]);
  return review ? <ReviewView review={review} saved={false} /> : <p class="notice">{words.shell.loading}</p>;
}

/** `saved`: shown from a file, without a server. */
export function ReviewView({ review }: { review: Review; saved: boolean }) {
  return <h1>{review.names[review.seat]}</h1>;
}

/** What a reviewer thinks of the decision that is waited for. */
export function HintPanel({ advice }: { advice: Advice; options: Option[]; players: number }) {
  return (
    <ol class="hint">
      {advice.preferences.map((one) => (
        <li key={one.action}>{Math.round(one.share * 100)} %</li>
      ))}
    </ol>
  );
}
