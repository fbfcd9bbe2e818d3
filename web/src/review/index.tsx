/** Replay and review: the page of a review, the saved report, and the panel of a hint. */
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { Advice, Option, Review } from "../messages";
import { addDrills, getReview, getSite } from "../net/api";
import { reasonOf } from "../net/reason";
import { AdvicePanel } from "./AdvicePanel";
import { askedOf, hashOf, placeOf } from "./place";
import { ReviewView } from "./ReviewView";
import { Working } from "./Upload";

export { tileBars } from "./bars";
export { isDear } from "./dear";
export { ReviewView } from "./ReviewView";
export { UploadPage } from "./Upload";

/** `#/review/ID`, optionally with parameters: `#/review/ID?seat=1&by=sl`. */
export function ReviewPage({ id }: { id: string }) {
  const words = useWords();
  const [asked, setAsked] = useState(() => askedOf(location.hash));
  const [review, setReview] = useState<Review | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [measuring, setMeasuring] = useState(false);
  const [keeps, setKeeps] = useState(false);
  useEffect(
    () =>
      void getSite()
        .then((site) => setKeeps(site.history))
        .catch(() => undefined),
    [],
  );
  useEffect(() => {
    let wanted = true;
    setReview(null);
    setFailed(null);
    setMeasuring(true);
    const measured = () => getReview(id, asked.seat, asked.by, "losses");
    getReview(id, asked.seat, asked.by).then(
      (found) => {
        if (!wanted) return;
        setReview(found);
        if (!found.plays_on) return setMeasuring(false);
        // Without losses the review stays as it is.
        measured()
          .then((better) => wanted && setReview(better))
          .catch(() => undefined)
          .finally(() => wanted && setMeasuring(false));
      },
      (error: Error) => wanted && setFailed(reasonOf(error, words)),
    );
    return () => void (wanted = false);
  }, [id, asked]);
  useEffect(() => {
    const listener = () => {
      const now = askedOf(location.hash);
      setAsked((before) => (before.seat === now.seat && before.by === now.by ? before : now));
    };
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  const onSeat = (seat: number) => {
    const next = { ...asked, seat };
    history.pushState(null, "", hashOf(id, { ...placeOf(location.hash), view: null }, next));
    setAsked(next);
  };
  if (failed !== null)
    return (
      <div class="notice" role="alert">
        <p>{failed}</p>
        <a class="button" href="#/review">
          {words.review.upload.other}
        </a>
      </div>
    );
  if (review === null) return <Working text={words.review.upload.reviewing} />;
  const key = `${review.seat} ${review.by}`;
  const onPractise = keeps ? () => addDrills(id, review.seat, asked.by) : null;
  return <ReviewView key={key} {...{ review, id, asked, measuring, onSeat, onPractise }} />;
}

/** A reviewer's advice on the pending decision. */
export function HintPanel({ advice, options, names }: { advice: Advice; options: Option[]; names: readonly string[] }) {
  return <AdvicePanel advice={advice} options={options} names={names} />;
}
