/** One decision as a card or a line: its place, the hand, the action taken, the reviewer's choice. */
import { useWords } from "../i18n";
import type { Decision, Review } from "../messages";
import { Laid } from "../table/Board";
import { handTiles } from "../table/Hand";
import type { TableState } from "../table/state";
import { Tile } from "../table/tiles";
import { EndsTable } from "./Ends";
import { amount, explain, optionOf, percent, phrase, type Unit, unitOf } from "./explain";
import { Marks, Reason, Sentence } from "./marks";
import { endsOf, reasonsOf } from "./reasons";
import { handAt, stateAt, turnOf, weight, type Replay } from "./replay";
import { handName } from "./Transport";

export function useWhere(replay: Replay, decision: Decision): string {
  const words = useWords();
  const hand = handAt(replay, decision.event);
  return `${hand ? handName(replay, hand, words) : ""}${words.review.separator}${words.review.turn(turnOf(replay, decision))}`;
}

/** The result of the action taken, then that of the reviewer's choice. */
export function Choice({ decision }: { decision: Decision }) {
  const words = useWords();
  const [done, best] = [optionOf(decision.options, decision.done), optionOf(decision.options, decision.advice.best)];
  return (
    <span class="choice-pair">
      <Marks best={false} done />
      <span>{done && <Sentence text={phrase(done, words)} />}</span>
      <Marks best done={false} />
      <span>{best && <Sentence text={phrase(best, words)} />}</span>
    </span>
  );
}

export function Cost({ decision, review }: { decision: Decision; review: Review }) {
  const words = useWords();
  const { loss } = decision;
  const certain = loss?.certain ? loss : null;
  const unit = unitOf(review);
  const text = words.review.loss;
  return (
    <span class={`cost ${weight(decision, review)}`} title={certain ? text.about[unit] : words.review.costAbout}>
      {certain ? text.units[unit](amount(-certain.lost, unit)) : words.review.costOf(percent(decision.cost))}
    </span>
  );
}

interface LossProps {
  decision: Decision;
  state: TableState;
  seat: number;
  unit: Unit;
  /** Its terms open their meaning. */
  terms?: boolean;
}

/** The measured cost of a choice with its reasons, and how the hand ends after both options. */
export function MeasuredLoss({ decision, state, seat, unit, terms = false }: LossProps) {
  const words = useWords();
  const { loss } = decision;
  if (!loss) return null;
  const text = words.review.loss;
  const [low, high] = [amount(loss.low, unit), amount(loss.high, unit)];
  const lost = text.units[unit](amount(loss.certain ? Math.abs(loss.lost) : loss.lost, unit));
  const said = loss.lost > 0 ? text.worse(lost, low, high) : text.better(lost);
  const reasons = words.reasons.all(reasonsOf({ decision, loss, state, seat, unit }, words));
  const ends = endsOf(decision, loss);
  return (
    <>
      {loss.certain ? (
        <p class="measured">
          <strong>{said}</strong> {terms ? <Reason text={reasons} /> : <Sentence text={reasons} />}
        </p>
      ) : (
        <p class="measured">{text.undecided(lost, low, high, loss.samples)}</p>
      )}
      {ends.length > 0 && (
        <details class="ends-more">
          <summary>{words.reasons.ends.title}</summary>
          <EndsTable options={ends} decision={decision} state={state} unit={unit} />
        </details>
      )}
    </>
  );
}

interface Props {
  replay: Replay;
  decision: Decision;
  place: number;
  go: (at: number) => void;
}

export function MomentCard({ replay, decision, place, go }: Props) {
  const words = useWords();
  const { review } = replay;
  const state = stateAt(replay, decision.event);
  const seat = state.seats[review.seat];
  const where = useWhere(replay, decision);
  const [done, best] = [optionOf(decision.options, decision.done), optionOf(decision.options, decision.advice.best)];
  const is = (option: typeof done, tile: string, drawn: boolean) =>
    option?.name === "discard" && option.tile === tile && (option.tsumogiri ?? false) === drawn;
  const marked = new Set<string>();
  return (
    <li class="moment">
      <button
        type="button"
        class="moment-go"
        onClick={() => go(decision.event)}
        aria-label={`${words.review.moment(place)}: ${where}`}
      >
        <span class="moment-place">{place}</span>
        <span class="moment-where">{where}</span>
        <Cost decision={decision} review={review} />
      </button>
      <div class="moment-hand">
        {seat &&
          handTiles(seat).map((one, at) => {
            const first = !marked.has(`${one.tile}${one.drawn}`);
            marked.add(`${one.tile}${one.drawn}`);
            const [isDone, isBest] = [first && is(done, one.tile, one.drawn), first && is(best, one.tile, one.drawn)];
            return (
              <Tile
                key={at}
                name={one.tile}
                class={`${one.drawn ? "drawn" : ""} ${isDone ? "is-done" : ""} ${isBest ? "is-best" : ""}`}
              >
                {(isDone || isBest) && <Marks best={isBest} done={isDone} />}
              </Tile>
            );
          })}
        {seat && <Laid seat={seat} who={review.seat} />}
      </div>
      <div class="why">
        <MeasuredLoss decision={decision} state={state} seat={review.seat} unit={unitOf(review)} />
        {(done?.name !== "discard" || best?.name !== "discard") && <Choice decision={decision} />}
        {explain(decision, state.names, words).map((text) => (
          <p key={text}>
            <Sentence text={text} />
          </p>
        ))}
      </div>
    </li>
  );
}
