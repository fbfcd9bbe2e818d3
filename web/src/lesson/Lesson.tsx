/** The first lesson: one step at a time, with the exercises' answers in words. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { StepWords } from "../i18n/lesson.en";
import { openTable } from "../net/tables";
import { RequestButton } from "../net/RequestButton";
import { YakuGuide } from "../riichi/YakuGuide";
import { change, settings, useSettings } from "../settings";
import { moveFocus } from "../table/Hand";
import { spoken } from "../table/names";
import { Tile } from "../table/tiles";
import { found, groupsOf, isDone, rightOf, type Step, STEPS } from "./steps";

/** `step`: from 1 on; others show the nearest one. */
export function Lesson({ step }: { step: number }) {
  const words = useWords();
  const { indices } = useSettings();
  const heading = useRef<HTMLHeadingElement>(null);
  const number = Math.min(Math.max(step, 1), STEPS.length);
  const shown = STEPS[number - 1]!;
  const text = words.lesson.steps[shown.name]!;
  const [given, setGiven] = useState<Record<string, number[]>>({});
  const answers = given[shown.name] ?? [];
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [number]);
  const link = (to: number, label: string, more = "") => (
    <a class={`button ${more}`} href={`#/lesson?step=${to}`}>
      {label}
    </a>
  );
  return (
    <div class="lobby">
      <section class="card lesson">
        <div class="lesson-top">
          <p class="about">
            {words.lesson.title} · {words.lesson.progress(number, STEPS.length)}
          </p>
          <label class="check">
            <input
              type="checkbox"
              checked={indices}
              onChange={(event) => change({ indices: event.currentTarget.checked })}
            />
            {words.shell.indices}
          </label>
        </div>
        <h1 ref={heading} tabIndex={-1}>
          {text.title}
        </h1>
        <div class="lesson-step" key={shown.name}>
          <p>{text.text}</p>
          {shown.shown?.map((row, at) => (
            <figure key={row}>
              {text.rows?.[at] && <figcaption>{text.rows[at]}</figcaption>}
              <Row tiles={row} />
            </figure>
          ))}
          {shown.points && <Points rows={shown.points} />}
          {shown.right !== undefined && (
            <Exercise
              step={shown}
              text={text}
              given={answers}
              onAnswer={(at) => setGiven({ ...given, [shown.name]: [...answers, at] })}
            />
          )}
          {shown.name === "tanyao" && <YakuGuide />}
          {number === STEPS.length && <Begin />}
        </div>
        <nav class="lesson-nav" aria-label={words.lesson.title}>
          {number > 1 ? link(number - 1, words.lesson.back) : <span />}
          {number < STEPS.length && link(number + 1, words.lesson.next, isDone(shown, answers) ? "primary" : "")}
        </nav>
      </section>
    </div>
  );
}

function Row({ tiles }: { tiles: string }) {
  return (
    <span class="lesson-row">
      {groupsOf(tiles).map((group, at) => (
        <span key={at}>
          {group.map(({ name, turned, apart }, place) => (
            <Tile key={place} name={name} turned={turned} class={apart ? "apart" : ""} />
          ))}
        </span>
      ))}
    </span>
  );
}

interface ExerciseProps {
  step: Step;
  text: StepWords;
  /** All answers so far, the last one at the end. */
  given: readonly number[];
  onAnswer: (at: number) => void;
}

/** Tiles or buttons; below them the answer, whose place has room for the longest one. */
function Exercise({ step, text, given, onAnswer }: ExerciseProps) {
  const words = useWords();
  const tiles = step.pick?.split(" ") ?? [];
  const right = rightOf(step);
  const done = isDone(step, given);
  const mark = (at: number) => (!given.includes(at) ? "" : right.includes(at) ? "found" : "missed");
  const choose = (at: number) => !done && onAnswer(at);
  const wrong = (tile: string) => words.lesson.wrong(spoken(tile, words), text.wrong!);
  const reply = (at: number): string => {
    if (text.options) return text.options[at]![1];
    if (!right.includes(at)) return wrong(tiles[at]!);
    return done ? text.right! : words.lesson.more(found(step, given), right.length);
  };
  const possible = text.options?.map(([, answer]) => answer) ?? [text.right!, ...tiles.map(wrong)];
  const last = given.at(-1);
  const good = last !== undefined && right.includes(last);
  return (
    <>
      <p id="ask">
        <strong>{text.ask}</strong>
      </p>
      {step.pick ? (
        <div class="lesson-tiles" role="group" aria-labelledby="ask" onKeyDown={moveFocus}>
          {tiles.map((tile, at) => (
            <button
              key={at}
              type="button"
              class={`hand-tile ${mark(at)}`}
              aria-label={spoken(tile, words)}
              aria-pressed={given.includes(at)}
              onClick={() => choose(at)}
            >
              <Tile name={tile} silent />
            </button>
          ))}
        </div>
      ) : (
        <div class="lesson-options" role="group" aria-labelledby="ask">
          {text.options!.map(([label], at) => (
            <button
              key={at}
              type="button"
              class={mark(at)}
              aria-pressed={given.includes(at)}
              onClick={() => choose(at)}
            >
              {label}
              {step.hands && <Row tiles={step.hands[at]!} />}
            </button>
          ))}
        </div>
      )}
      <div class="lesson-answer">
        <p role="status">
          {last !== undefined && (
            <>
              <strong class={good ? "good" : "bad"}>{good ? words.lesson.correct : words.lesson.no}</strong>{" "}
              {reply(last)}
            </>
          )}
        </p>
        {[...new Set(possible)].map((answer) => (
          <p key={answer} aria-hidden="true">
            <strong>{words.lesson.correct}</strong> {answer}
          </p>
        ))}
      </div>
    </>
  );
}

function Points({ rows }: { rows: number[][] }) {
  const { lesson } = useWords();
  return (
    <table class="lesson-points">
      <thead>
        <tr>
          {[lesson.han, lesson.others, lesson.dealer].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([han, ...points]) => (
          <tr key={han}>
            <th scope="row">{han}</th>
            {points.map((each) => (
              <td key={each}>{each.toLocaleString(settings().language)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The guided hand: random opponents, and a hint for each decision. */
function Begin() {
  const words = useWords();
  const begin = () => {
    change({ coach: "always" });
    const agents = ["random", "random", "random"];
    return openTable({ name: settings().name || words.shell.you, rules: "tenhou", length: "hand", agents });
  };
  return (
    <RequestButton class="big primary" request={begin}>
      {words.lesson.play}
    </RequestButton>
  );
}
