/** How the hand ends after some options of a decision, side by side. */
import type { ComponentChildren } from "preact";
import { useWords } from "../i18n";
import type { Decision, Ends } from "../messages";
import { partsOf } from "../table/games";
import type { TableState } from "../table/state";
import { Tile } from "../table/tiles";
import { optionOf, percent, phrase, places, type Unit } from "./explain";
import { Marks, Sentence } from "./marks";
import { change, DORA, worth } from "./reasons";

/** Number of yaku, tiles and seats of an option that are shown. */
const TOP = 4;

export interface Ended {
  action: number;
  ends: Ends;
}

interface Props {
  options: readonly Ended[];
  decision: Decision;
  state: TableState;
  unit: Unit;
}

export function EndsTable({ options, decision, state, unit }: Props) {
  const words = useWords();
  const text = words.reasons.ends;
  const { source, han } = partsOf(state);
  const all = options.map((one) => one.ends);
  const some = (has: (ends: Ends) => boolean) => all.some(has);
  const row = (name: string, cell: (ends: Ends) => ComponentChildren) => (
    <tr>
      <th scope="row">{name}</th>
      {options.map(({ action, ends }) => (
        <td key={action}>{cell(ends)}</td>
      ))}
    </tr>
  );
  const list = (lines: ComponentChildren[]) => lines.slice(0, TOP).map((line, at) => <small key={at}>{line}</small>);
  return (
    <table class="ends">
      <caption class="unseen">{text.title}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">{text.figure}</span>
          </th>
          {options.map(({ action }) => {
            const option = optionOf(decision.options, action);
            return (
              <th key={action} scope="col">
                {option && <Sentence text={phrase(option, words)} />}
                <Marks best={action === decision.advice.best} done={action === decision.done} />
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {row(text.win, (ends) => (
          <strong>{percent(ends.win)}</strong>
        ))}
        {some((ends) => ends.value !== null) &&
          row(text.value, ({ value, han: count }) => (
            <>
              {value !== null && worth(value, unit)}
              {count !== null && <small>{han(Number(count.toFixed(1)), words)}</small>}
            </>
          ))}
        {some((ends) => ends.yaku.length > 0) &&
          row(text.yaku, ({ yaku }) =>
            list(
              yaku.map((one) => (
                <>
                  {source(one.name, words)} <i>{DORA.includes(one.name) ? one.han.toFixed(1) : percent(one.share)}</i>
                </>
              )),
            ),
          )}
        {some((ends) => ends.tiles.length > 0) &&
          row(text.tiles, ({ tiles }) =>
            list(
              tiles.map((one) => (
                <>
                  <Tile name={one.tile} class="in-text" /> <i>{percent(one.share)}</i> ·{" "}
                  <i>{worth(one.points, unit)}</i>
                </>
              )),
            ),
          )}
        {row(text.dealIn, ({ deal_in, price }) => (
          <>
            <strong>{percent(deal_in)}</strong>
            {price !== null && <small>{change(-price, unit)}</small>}
          </>
        ))}
        {some((ends) => ends.to.length > 0) &&
          row(text.to, ({ to }) =>
            list(
              to.map((one) => (
                <>
                  <b>{state.names[one.seat]}</b> <i>{percent(one.rate)}</i> · <i>{change(-one.points, unit)}</i>
                </>
              )),
            ),
          )}
        {row(text.draw, ({ draw, tenpai, draw_points }) => (
          <>
            <strong>{percent(draw)}</strong>
            {tenpai !== null && <small>{text.tenpai(percent(tenpai))}</small>}
            {draw_points !== null && <small>{change(draw_points, unit)}</small>}
          </>
        ))}
        {row(text.others, ({ others, others_points }) => (
          <>
            <strong>{percent(others)}</strong>
            {others_points !== null && <small>{change(others_points, unit)}</small>}
          </>
        ))}
        {row(text.points, (ends) => change(ends.points, unit))}
        {some((ends) => ends.place !== null) && row(text.place, ({ place }) => place !== null && places(place))}
      </tbody>
    </table>
  );
}
