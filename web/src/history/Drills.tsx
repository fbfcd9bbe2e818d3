/** Drills: decisions of reviewed games that cost places, asked again until they are answered correctly. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { Decision, Drills, DrillShown, Review } from "../messages";
import { answerDrill, getDrills, getReview } from "../net/api";
import { reasonOf } from "../net/reason";
import { AdvicePanel } from "../review/AdvicePanel";
import { alike, optionOf, phrase, unitOf } from "../review/explain";
import { MeasuredLoss } from "../review/Moment";
import { Sentence } from "../review/marks";
import { replayOf, stateAt } from "../review/replay";
import { different, WhatIf } from "../review/WhatIf";
import { Board, seenFrom } from "../table/Board";
import { Hand } from "../table/Hand";
import { partsOf } from "../table/games";

export function DrillsPage() {
  const words = useWords();
  const text = words.drills;
  const [drills, setDrills] = useState<Drills | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const attempt = (work: Promise<Drills>) =>
    void work.then(setDrills, (error: Error) => setFailed(reasonOf(error, words)));
  useEffect(() => attempt(getDrills()), []);
  if (failed !== null)
    return (
      <div class="notice" role="alert">
        <p>{failed}</p>
      </div>
    );
  if (drills === null) return <div class="notice">{text.loading}</div>;
  if (drills.next === null)
    return (
      <div class="notice">
        <p>{drills.total > 0 ? text.done(drills.total) : text.none}</p>
        <a class="button" href="#/history">
          {words.history.title}
        </a>
      </div>
    );
  const { next } = drills;
  return (
    <Drill
      key={next.id}
      drill={next}
      due={drills.due}
      onAnswer={(correct) => attempt(answerDrill(next.id, correct))}
      onFail={setFailed}
    />
  );
}

interface DrillProps {
  drill: DrillShown;
  due: number;
  onAnswer: (correct: boolean) => void;
  onFail: (reason: string) => void;
}

function Drill({ drill, due, onAnswer, onFail }: DrillProps) {
  const words = useWords();
  const [review, setReview] = useState<Review | null>(null);
  useEffect(() => {
    getReview(drill.review, drill.seat).then(setReview, (error: Error) => onFail(error.message));
  }, []);
  const decision = review?.decisions[drill.decision];
  if (!review || !decision) return <div class="notice">{words.drills.loading}</div>;
  return <Question {...{ drill, due, review, decision, onAnswer }} />;
}

interface QuestionProps extends Omit<DrillProps, "onFail"> {
  review: Review;
  decision: Decision;
}

/** The table at the decision; after a choice the better one with its reasons. */
function Question({ drill, due, review, decision, onAnswer }: QuestionProps) {
  const words = useWords();
  const text = words.drills;
  const [chosen, setChosen] = useState<number | null>(null);
  const replay = useMemo(() => replayOf(review), [review]);
  const whole = stateAt(replay, decision.event);
  const state = seenFrom(whole, drill.seat);
  const own = state.seats[drill.seat];
  const [choice, best] = [chosen, drill.best].map((action) => optionOf(decision.options, action ?? -1));
  const asked = { ...decision, loss: drill.loss };
  const correct = choice !== undefined && best !== undefined && alike(choice, best);
  return (
    <div class="review drill">
      <div class="surface review-surface">
        <div class="play-board">
          <Board state={state} view={drill.seat} waiting={drill.seat} />
        </div>
        <div class="play-hand">
          {own && (
            <Hand seat={own} who={drill.seat} mark={(one) => (partsOf(state).isDora(one.tile, state) ? "dora" : "")} />
          )}
        </div>
      </div>
      <aside class="review-side">
        <div class="tab-panel">
          <h2>{text.title}</h2>
          <p class="about">{text.left(due)}</p>
          {chosen === null ? (
            <>
              <p>{text.ask}</p>
              <div class="what-if-options" role="group" aria-label={text.ask}>
                {different(decision).map((option) => (
                  <button key={option.action} type="button" onClick={() => setChosen(option.action)}>
                    <Sentence text={phrase(option, words)} />
                  </button>
                ))}
              </div>
            </>
          ) : (
            <>
              <p role="status">
                <strong class={correct ? "agrees" : "differs"}>{correct ? text.correct : text.wrong}</strong>{" "}
                {best && <Sentence text={text.better(phrase(best, words))} />}
              </p>
              <MeasuredLoss decision={asked} state={whole} seat={drill.seat} unit={unitOf(review)} />
              <button type="button" class="primary" onClick={() => onAnswer(correct)}>
                {text.next}
              </button>
              <AdvicePanel
                advice={decision.advice}
                options={decision.options}
                names={whole.names}
                done={decision.done}
                loss={drill.loss}
              />
              <WhatIf id={drill.review} seat={drill.seat} unit={unitOf(review)} decision={decision} state={whole} />
            </>
          )}
        </div>
      </aside>
    </div>
  );
}
