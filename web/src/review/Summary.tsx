/** The whole game: costliest decisions, agreement by phase and kind, all differences, hands. */
import { useState } from "preact/hooks";
import { useWords, type Words } from "../i18n";
import type { Agreement, Decision, Losses } from "../messages";
import { partsOf } from "../table/games";
import { signed } from "../table/signed";
import { Course } from "./Course";
import { amount, percent, type Unit, unitOf } from "./explain";
import { Choice, Cost, MomentCard, useWhere } from "./Moment";
import { disagreeing, handAt, moments, stateAt, type Order, type Replay, type ReplayHand } from "./replay";
import { handName } from "./Transport";
import { reasonOf } from "../net/reason";

interface Props {
  replay: Replay;
  at: number;
  go: (at: number) => void;
}

interface SummaryProps extends Props {
  measuring: boolean;
  /** Add the moments to the drills; null if they cannot be kept. */
  onPractise: (() => Promise<unknown>) | null;
}

export function Summary({ replay, at, measuring, onPractise, go }: SummaryProps) {
  const words = useWords();
  const { report, notes } = replay.review;
  const { losses } = report;
  const unit = unitOf(replay.review);
  const found = moments(replay.review);
  return (
    <div class="summary">
      <h2>{words.review.moments}</h2>
      {measuring && (
        <p class="about working" role="status">
          <i aria-hidden="true" /> {words.review.loss.measuring}
        </p>
      )}
      {losses && (
        <p class="about">
          {words.review.loss.summary(losses, words.review.loss.units[unit](amount(losses.lost, unit)))}
        </p>
      )}
      {losses && losses.kinds.length > 0 && <Mistakes losses={losses} unit={unit} />}
      {found.length === 0 ? (
        !losses && <p class="about">{words.review.noMoments}</p>
      ) : (
        <ol class="moments">
          {found.map((decision, at) => (
            <MomentCard key={decision.number} replay={replay} decision={decision} place={at + 1} go={go} />
          ))}
        </ol>
      )}
      {onPractise && losses && losses.worse > 0 && <Practise add={onPractise} />}
      <Course replay={replay} at={at} go={go} />
      <AgreementTable report={report} />
      <p class="about">{words.review.ratingAbout}</p>
      {notes.length > 0 && (
        <>
          <h2>{words.review.notes}</h2>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Mistakes({ losses, unit }: { losses: Losses; unit: Unit }) {
  const words = useWords().review.loss;
  const { people } = losses;
  return (
    <table class="mistakes">
      <thead>
        <tr>
          <th scope="col">{words.byKind}</th>
          <th scope="col">{words.number}</th>
          <th scope="col">{words.lost[unit]}</th>
          {people && (
            <th scope="col" title={words.peopleAbout}>
              {words.people}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {losses.kinds.map(({ kind, number, lost }) => (
          <tr key={kind}>
            <th scope="row">{words.kinds[kind]}</th>
            <td>{number}</td>
            <td>{amount(lost, unit)}</td>
            {people && <td>{amount(people[kind] ?? 0, unit)}</td>}
          </tr>
        ))}
        {people && (
          <tr>
            <th scope="row">{words.all}</th>
            <td>{losses.worse}</td>
            <td>{amount(losses.lost, unit)}</td>
            <td>
              {amount(
                Object.values(people).reduce((sum, one) => sum + one, 0),
                unit,
              )}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Practise({ add }: { add: () => Promise<unknown> }) {
  const words = useWords();
  const [said, setSaid] = useState<string | null>(null);
  const press = () =>
    void add().then(
      () => setSaid(words.drills.added),
      (error: Error) => setSaid(reasonOf(error, words)),
    );
  return said === null ? (
    <button type="button" onClick={press}>
      {words.drills.add}
    </button>
  ) : (
    <p role="status">
      {said} <a href="#/drills">{words.drills.open}</a>
    </p>
  );
}

function AgreementTable({ report }: { report: Replay["review"]["report"] }) {
  const words = useWords();
  const text = words.review.agreementParts;
  const row = (name: string, some: Agreement, key: string) => (
    <tr key={key}>
      <th scope="row">{name}</th>
      <td>{some.decisions}</td>
      <td>{some.decisions > 0 && <AgreedBar some={some} />}</td>
      <td>{some.decisions > 0 ? percent(some.cost) : "–"}</td>
    </tr>
  );
  const names = Object.entries(report.names).sort((a, b) => b[1].decisions - a[1].decisions);
  return (
    <table class="agreement">
      <caption class="unseen">{words.review.agreement}</caption>
      <thead>
        <tr>
          <th scope="col">{words.review.agreement}</th>
          <th scope="col">{text.decisions}</th>
          <th scope="col">{text.agreed}</th>
          <th scope="col" title={words.review.costAbout}>
            {text.cost}
          </th>
        </tr>
      </thead>
      <tbody>{row(words.review.all, report.total, "all")}</tbody>
      <tbody>
        {(["opening", "middle", "end"] as const).map(
          (phase) => report.phases[phase] && row(words.review.phases[phase] ?? phase, report.phases[phase], phase),
        )}
      </tbody>
      <tbody>
        <tr class="part">
          <th scope="rowgroup" colSpan={4}>
            {words.review.byName}
          </th>
        </tr>
        {names.map(([name, some]) => row(words.review.actions[name as "discard"] ?? name, some, name))}
      </tbody>
    </table>
  );
}

function AgreedBar({ some }: { some: Agreement }) {
  const share = some.agreed / some.decisions;
  return (
    <span class="share">
      <span class="share-bar" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span class="share-number">{percent(share)}</span>
    </span>
  );
}

/** All decisions in which player and reviewer differ. */
export function Differences({ replay, at, go }: Props) {
  const words = useWords();
  const [order, setOrder] = useState<Order>("cost");
  const found = disagreeing(replay.review, order);
  return (
    <div class="differences">
      <div class="differences-head">
        <span>{words.review.disagreements(found.length)}</span>
        <label>
          {words.review.sortBy}{" "}
          <select value={order} onChange={(event) => setOrder(event.currentTarget.value as Order)}>
            {(["cost", "time"] as const).map((one) => (
              <option key={one} value={one}>
                {words.review.orders[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ol>
        {found.map((decision) => (
          <Difference key={decision.number} replay={replay} decision={decision} here={decision.event === at} go={go} />
        ))}
      </ol>
    </div>
  );
}

function Difference({
  replay,
  decision,
  here,
  go,
}: {
  replay: Replay;
  decision: Decision;
  here: boolean;
  go: (at: number) => void;
}) {
  const where = useWhere(replay, decision);
  return (
    <li>
      <button
        type="button"
        class="difference"
        aria-current={here ? "true" : undefined}
        onClick={() => go(decision.event)}
      >
        <span class="difference-where">{where}</span>
        <Choice decision={decision} />
        <Cost decision={decision} review={replay.review} />
      </button>
    </li>
  );
}

/** Every hand with its result and agreement. */
export function Hands({ replay, at, go }: Props) {
  const words = useWords();
  const here = handAt(replay, at);
  return (
    <ol class="hands">
      {replay.hands.map((hand) => (
        <li key={hand.number}>
          <button
            type="button"
            class="hand-row"
            aria-current={hand === here ? "true" : undefined}
            onClick={() => go(hand.start)}
          >
            <strong>{handName(replay, hand, words)}</strong>
            <span class="hand-end">{endingOf(replay, hand, words)}</span>
            <Change replay={replay} hand={hand} />
            {hand.decisions.length > 0 && (
              <small>{words.review.handAgreed(agreed(hand.decisions), hand.decisions.length)}</small>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}

function agreed(decisions: readonly Decision[]): number {
  return decisions.filter((one) => one.agrees).length;
}

function endingOf(replay: Replay, hand: ReplayHand, words: Words): string {
  const state = stateAt(replay, hand.end);
  return partsOf(state).ending(state, words);
}

function Change({ replay, hand }: { replay: Replay; hand: ReplayHand }) {
  const delta = stateAt(replay, hand.end).result?.deltas[replay.review.seat] ?? 0;
  return <span class={`hand-change ${delta > 0 ? "gain" : delta < 0 ? "loss" : ""}`}>{signed(delta)}</span>;
}
