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
  const shown = { options, state, unit };
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
        <WinRows {...shown} />
        <DealInRows {...shown} />
        <OtherRows {...shown} />
      </tbody>
    </table>
  );
}

type Shown = Omit<Props, "decision">;

interface RowProps extends Pick<Props, "options"> {
  name: string;
  cell: (ends: Ends) => ComponentChildren;
}

/** A figure of every option; none if no option has it. */
function Row({ options, name, cell }: RowProps) {
  const cells = options.map(({ action, ends }) => ({ action, content: cell(ends) }));
  if (cells.every(({ content }) => content === null)) return null;
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map(({ action, content }) => (
        <td key={action}>{content}</td>
      ))}
    </tr>
  );
}

/** The first of some lines; null without any. */
function lines<T>(all: readonly T[], line: (one: T) => ComponentChildren): ComponentChildren {
  return all.length === 0 ? null : all.slice(0, TOP).map((one, at) => <small key={at}>{line(one)}</small>);
}

/** Chance and value of a win, its yaku and its tiles. */
function WinRows({ options, state, unit }: Shown) {
  const words = useWords();
  const text = words.reasons.ends;
  const { source, han } = partsOf(state);
  return (
    <>
      <Row options={options} name={text.win} cell={(ends) => <strong>{percent(ends.win)}</strong>} />
      <Row
        options={options}
        name={text.value}
        cell={(ends) =>
          ends.value === null || ends.han === null ? null : (
            <>
              {worth(ends.value, unit)} <small>{han(Number(ends.han.toFixed(1)), words)}</small>
            </>
          )
        }
      />
      <Row
        options={options}
        name={text.yaku}
        cell={(ends) =>
          lines(ends.yaku, (one) => (
            <>
              {source(one.name, words)} <i>{DORA.includes(one.name) ? one.han.toFixed(1) : percent(one.share)}</i>
            </>
          ))
        }
      />
      <Row
        options={options}
        name={text.tiles}
        cell={(ends) =>
          lines(ends.tiles, (one) => (
            <>
              <Tile name={one.tile} class="in-text" /> <i>{percent(one.share)}</i> · <i>{worth(one.points, unit)}</i>
            </>
          ))
        }
      />
    </>
  );
}

/** Chance and cost of a deal-in, by seat. */
function DealInRows({ options, state, unit }: Shown) {
  const text = useWords().reasons.ends;
  return (
    <>
      <Row
        options={options}
        name={text.dealIn}
        cell={({ deal_in, price }) => (
          <>
            <strong>{percent(deal_in)}</strong>
            {price !== null && <small>{change(-price, unit)}</small>}
          </>
        )}
      />
      <Row
        options={options}
        name={text.to}
        cell={(ends) =>
          lines(ends.to, (one) => (
            <>
              <b>{state.names[one.seat]}</b> <i>{percent(one.rate)}</i> · <i>{change(-one.points, unit)}</i>
            </>
          ))
        }
      />
    </>
  );
}

/** Draws, wins of others, and what all ends bring. */
function OtherRows({ options, unit }: Shown) {
  const text = useWords().reasons.ends;
  return (
    <>
      <Row
        options={options}
        name={text.draw}
        cell={({ draw, tenpai, draw_points }) => (
          <>
            <strong>{percent(draw)}</strong>
            {tenpai !== null && <small>{text.tenpai(percent(tenpai))}</small>}
            {draw_points !== null && <small>{change(draw_points, unit)}</small>}
          </>
        )}
      />
      <Row
        options={options}
        name={text.others}
        cell={({ others, others_points }) => (
          <>
            <strong>{percent(others)}</strong>
            {others_points !== null && <small>{change(others_points, unit)}</small>}
          </>
        )}
      />
      <Row options={options} name={text.points} cell={(ends) => change(ends.points, unit)} />
      <Row options={options} name={text.place} cell={({ place }) => (place === null ? null : places(place))} />
    </>
  );
}
