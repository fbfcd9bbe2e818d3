/** What if: some options of a decision played on many times, with figures that grow more certain, or at a table. */
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { Decision, Estimate, Option, PlayedOn, PlayedOption } from "../messages";
import { playOn } from "../net/api";
import { type Moment, openTable } from "../net/tables";
import { RequestButton } from "../net/RequestButton";
import { reasonOf } from "../net/reason";
import { settings } from "../settings";
import { signed } from "../table/signed";
import type { TableState } from "../table/state";
import { EndsTable } from "./Ends";
import { alike, amount, optionOf, phrase, places, type Unit } from "./explain";
import { Marks, Sentence } from "./marks";

/** Number of options that can be played on at once, as on the server. */
const MOST = 4;
/** Number of requests in succession that may fail. */
const RETRIES = 3;

interface Props {
  /** Id of the review on the server. */
  id: string;
  seat: number;
  unit: Unit;
  decision: Decision;
  state: TableState;
}

export function WhatIf({ id, seat, unit, decision, state }: Props) {
  const words = useWords();
  const text = words.review.whatIf;
  const [chosen, setChosen] = useState<number[] | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const result = usePlayouts(id, seat, decision.number, chosen, (error) => setFailed(reasonOf(error, words)));
  const options = different(decision);
  const toggle = (action: number) =>
    setChosen((now) => {
      const before = now ?? [];
      return before.includes(action) ? before.filter((one) => one !== action) : [...before, action];
    });
  if (chosen === null)
    return (
      <button type="button" class="what-if-start" onClick={() => setChosen(first(decision, options))}>
        {text.start}
      </button>
    );
  return (
    <section class="what-if" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p class="about">{text.about}</p>
      <div class="what-if-options" role="group" aria-label={text.options}>
        {options.map((option) => {
          const on = chosen.includes(option.action);
          return (
            <button
              key={option.action}
              type="button"
              aria-pressed={on}
              disabled={!on && chosen.length >= MOST}
              onClick={() => toggle(option.action)}
            >
              <Sentence text={phrase(option, words)} />
            </button>
          );
        })}
      </div>
      {failed !== null ? (
        <p class="warning" role="alert">
          {failed}
        </p>
      ) : (
        <>
          {result && <Results unit={unit} result={result} decision={decision} />}
          {result && <EndsTable options={result.options} decision={decision} state={state} unit={unit} />}
          {chosen.length > 0 && (
            <p class={result?.finished ? "about" : "about working"} role="status">
              {!result?.finished && <i aria-hidden="true" />} {text.samples(result?.samples ?? 0)}
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** A button that opens a table at the decision. */
export function PlayFrom(moment: Moment) {
  const words = useWords();
  const open = () => openTable({ name: settings().name || words.shell.you }, moment);
  return (
    <RequestButton class="play-from" title={words.review.playFromAbout} request={open}>
      {words.review.playFrom}
    </RequestButton>
  );
}

/** The options, without discards of an equal tile. */
export function different(decision: Decision): Option[] {
  const first = [decision.done, decision.advice.best].flatMap((action) => optionOf(decision.options, action) ?? []);
  const ordered = [...first, ...decision.options];
  const kept = ordered.filter((one, at) => ordered.findIndex((other) => alike(one, other)) === at);
  return decision.options.filter((one) => kept.includes(one));
}

/** The action taken and the reviewer's choice, or its second one if they agree. */
function first(decision: Decision, options: readonly Option[]): number[] {
  const ranked = [decision.done, decision.advice.best, ...decision.advice.preferences.map((one) => one.action)];
  const there = ranked.filter((action) => options.some((one) => one.action === action));
  return [...new Set(there)].slice(0, 2);
}

/** Results of the options so far: one request for each batch, until the last one or another choice. */
function usePlayouts(
  id: string,
  seat: number,
  decision: number,
  options: readonly number[] | null,
  onError: (error: Error) => void,
): PlayedOn | null {
  const [result, setResult] = useState<PlayedOn | null>(null);
  const key = `${id} ${seat} ${decision} ${options?.join(" ") ?? ""}`;
  useEffect(() => {
    let wanted = true;
    setResult(null);
    const play = async () => {
      let failures = 0;
      while (wanted && options !== null && options.length > 0) {
        try {
          const next = await playOn(id, { seat, decision, options: [...options] });
          failures = 0;
          if (wanted) setResult(next);
          if (next.finished) return;
        } catch (error) {
          // The server starts a new process for one that has ended.
          if (++failures > RETRIES) throw error;
          await new Promise((done) => setTimeout(done, 1000));
        }
      }
    };
    play().catch((error: Error) => wanted && onError(error));
    return () => void (wanted = false);
  }, [key]);
  return result;
}

function Results({ result, decision, unit }: { result: PlayedOn; decision: Decision; unit: Unit }) {
  const words = useWords();
  const text = words.review.whatIf;
  const best = result.options.find((one) => one.behind.value === 0);
  const certain = result.options.every((one) => one === best || one.behind.low > 0);
  return (
    <table class="candidates what-if-table">
      <caption class="unseen">{text.title}</caption>
      <thead>
        <tr>
          <th scope="col">{text.option}</th>
          {unit === "places" && <th scope="col">{text.place}</th>}
          <th scope="col">{text.win}</th>
          <th scope="col">{text.dealIn}</th>
          <th scope="col">{text.points}</th>
        </tr>
      </thead>
      <tbody>
        {result.options.map((played) => (
          <Row key={played.action} played={played} decision={decision} best={certain && played === best} unit={unit} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  played: PlayedOption;
  decision: Decision;
  best: boolean;
  unit: Unit;
}

function Row({ played, decision, best, unit }: RowProps) {
  const words = useWords();
  const text = words.review.whatIf;
  const option = optionOf(decision.options, played.action);
  const whole = (share: number) => `${Math.round(share * 100)}`;
  const { behind } = played;
  const number = (lost: number) => amount(lost, unit);
  const more = `${unit === "places" ? "+" : "\u2212"}${number(behind.value)}`;
  const lag = (
    <small class="below" title={text.behindAbout[unit]}>
      {text.behind(more, error(behind, number))}
    </small>
  );
  return (
    <tr class={best ? "best" : ""}>
      <th scope="row">
        {option && <Sentence text={phrase(option, words)} />}
        <Marks best={played.action === decision.advice.best} done={played.action === decision.done} />
      </th>
      {played.place && (
        <td>
          <strong>{places(played.place.value)}</strong>
          {behind.value > 0 && lag}
        </td>
      )}
      <td>
        {whole(played.win.value)} % <small>±{error(played.win, whole)}</small>
        {played.value && <small class="below">{text.value(Math.round(played.value.value))}</small>}
      </td>
      <td>
        {whole(played.deal_in.value)} % <small>±{error(played.deal_in, whole)}</small>
      </td>
      <td>
        {played.place ? signed(Math.round(played.points.value)) : signed(played.points.value, 1)}{" "}
        <small>±{error(played.points, played.place ? (one) => `${Math.round(one)}` : number)}</small>
        {!played.place && behind.value > 0 && lag}
      </td>
    </tr>
  );
}

/** Half of a figure's interval, as text. */
function error(figure: Estimate, show: (number: number) => string): string {
  return show((figure.high - figure.low) / 2);
}
