/** The table of a game without a layout of its own: seats, views as text, the actions as buttons, and a log. */
import { useWords } from "../i18n";
import type { Choose } from "../messages";
import type { TableState } from "../table/state";
import { told } from "../table/told";
import { partsOf } from "../table/games";
import { ownOf } from ".";

interface Props {
  state: TableState;
  /** The seats whose views are shown. */
  views: readonly number[];
  choose: Choose | null;
  onAct: (action: number) => void;
}

export function PlainTable({ state, views, choose, onAct }: Props) {
  const words = useWords();
  const own = ownOf(state);
  return (
    <section class="plain-table" aria-label={words.board.table} tabIndex={0}>
      <h2>{partsOf(state).round(state, words)}</h2>
      <ul class="plain-seats">
        {state.seats.map((seat, who) => (
          <li key={who} class={`${state.turn === who ? "turn" : ""} ${who === state.seat ? "me" : ""}`}>
            <span>{state.names[who]}</span>
            <strong>{words.result.points(seat.score)}</strong>
          </li>
        ))}
      </ul>
      <div class="plain-views">
        {views.map((who) => (
          <figure key={who}>
            <figcaption>{words.plain.view(state.names[who] ?? "")}</figcaption>
            <pre>{own.views[who]}</pre>
          </figure>
        ))}
      </div>
      <div class="play-line plain-choice">
        <span class="help-title">{asked()}</span>
        {choose && (
          <div class="calls" role="group" aria-label={words.play.yourTurn}>
            {choose.options.map((option) => (
              <button key={option.action} type="button" class="call" onClick={() => onAct(option.action)}>
                {option.text}
              </button>
            ))}
          </div>
        )}
      </div>
      <section class="plain-log" aria-label={words.plain.log}>
        <h3>{words.plain.log}</h3>
        <ol reversed>
          {own.log.toReversed().map((event, at) => (
            <li key={own.log.length - at}>{told(event, state, state.seat, words)}</li>
          ))}
        </ol>
      </section>
    </section>
  );

  function asked(): string {
    if (choose) return words.play.yourTurn;
    return state.turn === null || state.turn === state.seat ? "" : words.play.waitsFor(state.names[state.turn] ?? "");
  }
}
