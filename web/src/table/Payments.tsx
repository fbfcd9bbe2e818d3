import { useWords } from "../i18n";
import { partsOf } from "./games";
import { signed } from "./signed";
import type { TableState } from "./state";

/** All points before a hand, changes, and points after. */
export function Payments({ state }: { state: TableState }) {
  const words = useWords();
  const { Mark } = partsOf(state);
  const deltas = state.result?.deltas ?? [];
  return (
    <table class="payments">
      <caption class="unseen">{words.result.payments}</caption>
      <thead>
        <tr>
          <th scope="col">{words.result.player}</th>
          <th scope="col">{words.result.before}</th>
          <th scope="col">{words.result.change}</th>
          <th scope="col">{words.result.after}</th>
        </tr>
      </thead>
      <tbody>
        {state.seats.map((seat, who) => {
          const delta = deltas[who] ?? 0;
          return (
            <tr key={who} class={who === state.seat ? "me" : ""}>
              <th scope="row">
                <Mark state={state} who={who} /> {state.names[who]}
              </th>
              <td>{seat.score - delta}</td>
              <td class={delta > 0 ? "gain" : delta < 0 ? "loss" : ""}>{signed(delta)}</td>
              <td>{seat.score}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
