/** `#/review`: upload a record (a file, text, a viewer's link), choose a seat, request a review. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { NewReview, Player, ReviewMade } from "../messages";
import { getSite, makeReview } from "../net/api";
import { reasonOf } from "../net/reason";
import { described, reviewersOf } from "../table/names";
import { hashOf } from "./place";
import { recordOf, TooLongError } from "./record";

interface Given {
  name: string;
  record: Pick<NewReview, "record" | "base64">;
}

export function UploadPage() {
  const words = useWords();
  const text = words.review.upload;
  const [given, setGiven] = useState<Given | null>(null);
  const [made, setMade] = useState<ReviewMade | null>(null);
  const [game, setGame] = useState(1);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);

  async function read(one: Given, number: number): Promise<void> {
    setGiven(one);
    setGame(number);
    setMade(null);
    setFailed(null);
    if (one.record.record.trim() === "") return setFailed(text.empty);
    setBusy(true);
    try {
      setMade(await makeReview({ ...one.record, game: number }));
    } catch (error) {
      setFailed(reasonOf(error, words));
    }
    setBusy(false);
  }
  async function takeFile(file: File): Promise<void> {
    setFailed(null);
    try {
      await read({ name: file.name, record: await recordOf(file) }, 1);
    } catch (error) {
      setFailed(error instanceof TooLongError ? text.tooLong : (error as Error).message);
    }
  }
  return (
    <div class="lobby upload">
      <section class="card choice">
        <h1>{text.title}</h1>
        <p class="about">{text.lead}</p>
        <Drop onFile={takeFile} />
        <Paste onText={(pasted) => void read({ name: text.pasted, record: { record: pasted } }, 1)} busy={busy} />
        {failed !== null && (
          <p class="warning" role="alert">
            <Linked text={failed} />
          </p>
        )}
        {busy && <Working text={text.reading} />}
      </section>
      {given && (made || failed) && (
        <GameNumber given={given} game={game} busy={busy} onGame={(number) => void read(given, number)} />
      )}
      {made && <Choose made={made} />}
    </div>
  );
}

/** A refusal with clickable addresses of Tenhou. */
function Linked({ text }: { text: string }) {
  const [before = text, address, after] = text.split(/(https:\/\/tenhou\.net\/0\/log\/\?[\w-]+)/);
  if (address === undefined) return <>{text}</>;
  return (
    <>
      {before}
      <a href={address} target="_blank" rel="noopener">
        {address}
      </a>
      {after}
    </>
  );
}

function Drop({ onFile }: { onFile: (file: File) => void }) {
  const words = useWords();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file) onFile(file);
  };
  return (
    <div
      class={`drop ${over ? "over" : ""}`}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>{words.review.upload.drop}</p>
      <button type="button" onClick={() => input.current?.click()}>
        {words.review.upload.choose}
      </button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={words.review.upload.choose}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}

function Paste({ onText, busy }: { onText: (text: string) => void; busy: boolean }) {
  const words = useWords();
  const [text, setText] = useState("");
  return (
    <form
      class="paste"
      onSubmit={(event) => {
        event.preventDefault();
        onText(text);
      }}
    >
      <label>
        <span>{words.review.upload.paste}</span>
        <textarea
          rows={3}
          value={text}
          placeholder={words.review.upload.pasteHint}
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={busy || text.trim() === ""}>
        {words.review.upload.read}
      </button>
    </form>
  );
}

function GameNumber({
  given,
  game,
  busy,
  onGame,
}: {
  given: Given;
  game: number;
  busy: boolean;
  onGame: (game: number) => void;
}) {
  const words = useWords();
  return (
    <section class="card upload-game">
      <span>{words.review.upload.chosen(given.name)}</span>
      <label>
        {words.review.upload.game}{" "}
        <input
          type="number"
          min="1"
          max="99999"
          value={game}
          disabled={busy}
          onChange={(event) => onGame(Math.max(1, Math.round(Number(event.currentTarget.value)) || 1))}
        />
      </label>
    </section>
  );
}

function Choose({ made }: { made: ReviewMade }) {
  const words = useWords();
  const [seat, setSeat] = useState(made.seat);
  const [by, setBy] = useState("");
  const [reviewers, setReviewers] = useState<Player[]>([]);
  useEffect(() => {
    getSite().then(
      (site) => setReviewers(reviewersOf(site.players, made.game, made.seats.length)),
      () => setReviewers([]), // the best player can still be chosen
    );
  }, [made]);
  const go = () => {
    location.hash = hashOf(
      made.review,
      { at: null, view: null, open: false, tab: null },
      { seat, ...(by ? { by } : {}) },
    );
  };
  return (
    <section class="card choice">
      <fieldset>
        <legend>{words.review.upload.seat}</legend>
        <div class="seat-choice">
          {made.seats.map((name, at) => (
            <label key={at}>
              <input type="radio" name="seat" checked={seat === at} onChange={() => setSeat(at)} />
              <span>
                <small>{words.winds["ESWN"[at] ?? ""]}</small> {name}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="fields">
        <label>
          <span>{words.review.upload.by}</span>
          <select value={by} onChange={(event) => setBy(event.currentTarget.value)}>
            <option value="">{words.review.upload.best}</option>
            {reviewers.map((one) => (
              <option key={one.name} value={one.name}>
                {described(one, words)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <button type="button" class="primary" onClick={go}>
        {words.review.upload.review}
      </button>
    </section>
  );
}

/** A task in progress with its elapsed time. */
export function Working({ text }: { text: string }) {
  const words = useWords();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="notice working" role="status">
      <i aria-hidden="true" /> {text}{" "}
      {seconds > 1 && <span aria-hidden="true">{words.review.upload.seconds(seconds)}</span>}
    </p>
  );
}
