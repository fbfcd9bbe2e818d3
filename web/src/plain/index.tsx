/** Games without a layout of their own: the events of `janshi.web.plain`. */
import type { Words } from "../i18n";
import { PLAIN, register } from "../table/games";
import { Payments } from "../table/Payments";
import type { Fold, MjaiEvent, TableState } from "../table/state";

interface Own {
  /** Text of each seat's view, or the mark of a hidden one. */
  views: string[];
  /** The events of the game with a text, in order. */
  log: MjaiEvent[];
}

export function ownOf(state: TableState): Own {
  return (state.own as Own | null) ?? { views: [], log: [] };
}

const moved: Fold = (state, event) => {
  const scores = event["scores"] as number[];
  return {
    ...state,
    turn: event["turn"] as number | null,
    seats: state.seats.map((seat, who) => ({ ...seat, score: scores[who] ?? 0 })),
    own: { views: event["views"], log: [...ownOf(state).log, event] },
  };
};

function told(event: MjaiEvent, state: TableState, words: Words): string | null {
  switch (event.type) {
    case "start_kyoku":
      return words.tell.start(words.hand(Number(event["number"])));
    case "action":
      return words.plain.acts(state.names[Number(event["actor"])] ?? "", String(event["text"]));
    case "end_kyoku":
      return words.plain.ends(String(event["text"]));
    default:
      return null;
  }
}

register(null, {
  ...PLAIN,
  folds: {
    start_kyoku: () => (state, event) => ({
      ...moved(state, event),
      hand: state.hand + 1,
      result: null,
    }),
    action: () => moved,
    end_kyoku: () => (state, event) => ({
      ...state,
      turn: null,
      result: { wins: [], reason: String(event["text"]), tenpais: [], deltas: event["deltas"] as number[] },
      own: { ...ownOf(state), log: [...ownOf(state).log, event] },
    }),
  },
  round: (state, words) => words.hand(state.hand + 1),
  ending: (state) => state.result?.reason ?? "",
  told: (event, state, _seat, words) => told(event, state, words),
  Result: ({ state }) => (
    <>
      <h2>{state.result?.reason}</h2>
      <Payments state={state} />
    </>
  ),
});
