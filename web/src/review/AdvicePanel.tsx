/** A reviewer's advice on one decision: the reason in a sentence, and figures of every candidate. For review and hints. */
import { useContext, useState } from "preact/hooks";
import { GameShown, useWords } from "../i18n";
import type { Advice, Candidate, Decision, Option } from "../messages";
import { SuitMark } from "../sichuan/parts";
import { partsOf } from "../table/games";
import { isByTile } from "../table/keys";
import { spoken } from "../table/names";
import { Tile } from "../table/tiles";
import {
  alike,
  explain,
  explainHint,
  gainOf,
  liked,
  optionOf,
  percent,
  riskOf,
  shareOf,
  type Gain,
  voidOf,
  worthPhrase,
} from "./explain";
import { Marks, Reason, Sentence, Share } from "./marks";

export interface AdviceProps {
  advice: Advice;
  options: Option[];
  /** Names by seat, for the owner of a riichi. */
  names: readonly string[];
  /** The action taken, in a review. */
  done?: number | undefined;
  /** Its measured cost. */
  loss?: Decision["loss"];
}

/** Initial number of candidates. */
const FEW = 5;

export function AdvicePanel({ advice, options, names, done, loss = null }: AdviceProps) {
  const words = useWords();
  const why =
    done === undefined
      ? explainHint(advice, options, words, names)
      : explain({ advice, options, done, loss }, names, words);
  return (
    <div class="advice-panel">
      <div class="why">
        {why.map((text) => (
          <p key={text}>
            <Reason text={text} />
          </p>
        ))}
      </div>
      <VoidsTable advice={advice} options={options} done={done} />
      <CallsTable advice={advice} options={options} done={done} />
      {advice.candidates.length > 0 && <Candidates advice={advice} options={options} names={names} done={done} />}
    </div>
  );
}

interface Row {
  candidate: Candidate;
  /** The tile to show: red if the reviewer prefers the red one. */
  option: Option;
  share: number;
  best: boolean;
  done: boolean;
}

function rowsOf({ advice, options, done }: Pick<AdviceProps, "advice" | "options" | "done">): Row[] {
  const [best, was] = [optionOf(options, advice.best), done === undefined ? undefined : optionOf(options, done)];
  const rows = advice.candidates.flatMap((candidate) => {
    const own = liked(
      advice,
      options.filter((one) => candidate.actions.includes(one.action)),
    );
    const option = own.find((one) => one.action === done) ?? own[0];
    if (!option) return [];
    const share = candidate.actions.reduce((sum, action) => sum + shareOf(advice, action), 0);
    const is = (other: Option | undefined) => other !== undefined && own.some((one) => alike(one, other));
    return [{ candidate, option, share, best: is(best), done: is(was) }];
  });
  return rows.sort((a, b) => b.share - a.share);
}

function Candidates(props: AdviceProps) {
  const { advice, options, names } = props;
  const words = useWords();
  const [all, setAll] = useState(false);
  const rows = rowsOf(props);
  const shown = all ? rows : rows.filter((row, at) => at < FEW || row.best || row.done);
  const threats = partsOf({ game: useContext(GameShown) }).threats
    ? Object.keys(advice.candidates[0]?.safety ?? {})
    : [];
  const text = words.review.table;
  return (
    <table class="candidates">
      <caption class="unseen">{text.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{text.discard}</th>
          <th scope="col">{text.liked}</th>
          <th scope="col">{text.accepts}</th>
          {threats.length > 0 && <th scope="col">{text.safety}</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => {
          const risk = riskOf(advice, row.option.action);
          return (
            <tr key={row.candidate.tile} class={`${row.best ? "best" : ""} ${row.done ? "done" : ""}`}>
              <th scope="row">
                <Discarded row={row} />
              </th>
              <td class="liked">
                <Share share={row.share} best={row.best} />
              </td>
              <td>
                <Width gain={gainOf(advice, options, row.option)} />
              </td>
              {threats.length > 0 && (
                <td class="safety-cell">
                  {threats.map((seat) => (
                    <Against
                      key={seat}
                      level={row.candidate.safety[seat] ?? "open"}
                      name={threats.length > 1 ? (names[Number(seat)] ?? seat) : null}
                    />
                  ))}
                  {risk !== null && risk > 0 && (
                    <span class="risk" title={text.riskAbout}>
                      {text.risk(percent(risk))}
                    </span>
                  )}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
      {rows.length > FEW && (
        <tfoot>
          <tr>
            <td colSpan={4}>
              <button type="button" class="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? text.fewer : text.more(rows.length - shown.length)}
              </button>
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function Discarded({ row }: { row: Row }) {
  return (
    <span class="discarded">
      <Tile name={row.option.tile ?? row.candidate.tile} />
      <Marks best={row.best} done={row.done} />
    </span>
  );
}

/** Shanten, followed by the accepted kinds as small tiles with the number left of each. */
function Width({ gain }: { gain: Gain | null }) {
  const words = useWords();
  if (gain === null) return null;
  return (
    <div class="width">
      <span class="width-numbers">
        <strong class={gain.shanten <= 0 ? "is-ready" : ""}>{words.review.shanten(gain.shanten)}</strong>
        <span>{words.review.kindsTiles(gain.kinds, gain.left)}</span>
        {gain.worth.length > 0 && <span class="worth">{worthPhrase(gain.worth, words)}</span>}
        {gain.furiten && <em class="furiten">{words.review.furiten}</em>}
      </span>
      <span class="accepts">
        {gain.accepts.map((one) => (
          <span
            key={one.tile}
            class={one.left === 0 ? "gone" : ""}
            role="img"
            aria-label={words.review.leftOf(spoken(one.tile, words), one.left)}
          >
            <Tile name={one.tile} silent />
            <small aria-hidden="true">{one.left}</small>
          </span>
        ))}
      </span>
    </div>
  );
}

function Against({ level, name }: { level: Candidate["safety"][string]; name: string | null }) {
  const words = useWords();
  return (
    <span class={`safety ${level}`} title={words.review.safetyAbout[level]}>
      <i aria-hidden="true" />
      <span>
        {name !== null && <small>{name}</small>}
        {words.review.safety[level]}
      </span>
    </span>
  );
}

/** Sichuan mahjong before play: the tiles of each void suit, and the hand without them. */
function VoidsTable({ advice, options, done }: Pick<AdviceProps, "advice" | "options" | "done">) {
  const words = useWords();
  const voids = advice.voids ?? [];
  if (voids.length === 0) return null;
  const text = words.sichuan.hint;
  const share = (suit: string) =>
    options
      .filter((option) => voidOf(advice, option)?.suit === suit)
      .reduce((sum, option) => sum + shareOf(advice, option.action), 0);
  const taken = options.find((option) => option.action === done);
  const most = Math.max(...voids.map((one) => share(one.suit)));
  return (
    <table class="candidates voids-table">
      <caption class="unseen">{text.voids}</caption>
      <thead>
        <tr>
          <th scope="col">{text.suit}</th>
          <th scope="col">{words.review.table.liked}</th>
          <th scope="col">{text.left}</th>
        </tr>
      </thead>
      <tbody>
        {voids.map((one) => {
          const best = most > 0 && share(one.suit) === most;
          return (
            <tr key={one.suit} class={best ? "best" : ""}>
              <th scope="row">
                <SuitMark suit={one.suit} /> {words.sichuan.suits[one.suit]}
                <Marks best={best} done={taken !== undefined && voidOf(advice, taken)?.suit === one.suit} />
              </th>
              <td class="liked">{most > 0 && <Share share={share(one.suit)} best={best} />}</td>
              <td>
                <span class="width-numbers">
                  <strong>{words.review.shanten(one.shanten)}</strong>
                  <span>{text.tiles(one.tiles)}</span>
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Calls, wins and the pass: probability of each, and the hand afterwards. */
function CallsTable({ advice, options, done }: Omit<AdviceProps, "names">) {
  const words = useWords();
  const calls = liked(
    advice,
    options.filter((one) => !isByTile(one) && voidOf(advice, one) === undefined),
  );
  if (calls.length === 0) return null;
  const text = words.review.table;
  return (
    <table class="candidates calls-table">
      <caption class="unseen">{text.calls}</caption>
      <thead>
        <tr>
          <th scope="col">{text.call}</th>
          <th scope="col">{text.liked}</th>
          <th scope="col">{text.accepts}</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((option) => {
          const best = option.action === advice.best;
          const gain = gainOf(advice, options, option);
          return (
            <tr key={option.action} class={`${best ? "best" : ""} ${option.action === done ? "done" : ""}`}>
              <th scope="row">
                <Called option={option} />
                <Marks best={best} done={option.action === done} />
              </th>
              <td class="liked">
                <Share share={shareOf(advice, option.action)} best={best} />
              </td>
              <td>
                {gain ? (
                  <>
                    <Width gain={gain} />
                    {gain.discard !== null && (
                      <span class="then">
                        <Sentence text={words.review.then(`[${gain.discard}]`)} />
                      </span>
                    )}
                  </>
                ) : option.name === "pass" ? (
                  <span class="width-numbers">
                    <strong>{words.review.shanten(advice.shanten)}</strong>
                  </span>
                ) : null}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Called({ option }: { option: Option }) {
  const words = useWords();
  const bare = option.name === "pass" || option.name === "riichi";
  const tiles = bare ? [] : [option.tile, ...(option.name === "chi" ? (option.tiles ?? []) : [])];
  return (
    <span class="called-option">
      <span>{words.calls[option.name]}</span>
      {tiles.map((tile, at) => tile && <Tile key={at} name={tile} class="in-text" />)}
    </span>
  );
}
