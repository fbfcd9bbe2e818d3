/** Parts of a Riichi table besides tiles: winds, sticks, indicators, yaku, payments. */
import { useWords, type Words } from "../i18n";
import type { Worth } from "../messages";
import { settings } from "../settings";
import { MeldTiles, windOf } from "../table/Board";
import type { HandResult, TableState, Win } from "../table/fold";
import { doraOf, HIDDEN, isRed, plain, spoken } from "../table/names";
import { Payments } from "../table/Payments";
import { signed } from "../table/signed";
import { Tile } from "../table/tiles";
import { YAKU } from "./yaku";

export function isDora(tile: string, state: TableState): boolean {
  const dora = state.indicators.some((one) => doraOf(plain(one), state.players) === plain(tile));
  return dora || isRed(tile) || (state.players === 3 && tile === "N");
}

/** The winners of a hand with their points, or the reason of a draw. */
export function ending({ result, names }: TableState, words: Words): string {
  if (result === null) return "";
  const name = (seat: number) => names[seat] ?? "";
  const wins = result.wins.map((win) =>
    win.actor === win.target
      ? words.review.handTsumo(name(win.actor), win.points)
      : words.review.handRon(name(win.actor), name(win.target), win.points),
  );
  return wins.length > 0 ? wins.join("; ") : (words.result.reasons[result.reason ?? ""] ?? words.review.handDrawn);
}

/** Honba, riichi sticks, dora indicators. */
export function RiichiInfo({ state }: { state: TableState }) {
  const words = useWords();
  return (
    <div class="info">
      <span class="info-counts">
        <span title={words.board.honba}>
          <i class="stick honba" aria-hidden="true" />
          <span class="unseen">{words.board.honba} </span>
          {state.honba}
        </span>
        <span title={words.board.deposits}>
          <i class="stick" aria-hidden="true" />
          <span class="unseen">{words.board.deposits} </span>
          {state.deposits}
        </span>
      </span>
      <div class="info-dora" role="group" aria-label={words.board.indicators}>
        {Array.from({ length: 5 }, (_, at) => {
          const indicator = state.indicators[at];
          return indicator === undefined ? (
            <Tile key={at} name={HIDDEN} silent class="later" />
          ) : (
            <span key={at} title={words.board.dora(spoken(doraOf(plain(indicator), state.players), words))}>
              <Tile name={indicator} />
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** Beside the score: the wind of the seat. */
export function RiichiMark({ state, who }: { state: TableState; who: number }) {
  const words = useWords();
  const wind = windOf(state, who);
  return (
    <abbr class="wind" title={words.winds[wind]}>
      {words.board.windLetters[wind]}
    </abbr>
  );
}

export function riichiSeat(state: TableState, who: number, words: Words): string {
  const wind = words.winds[windOf(state, who)] ?? "";
  return words.board.seat(state.names[who] ?? "", wind, state.seats[who]?.score ?? 0);
}

/** The result of a hand: the winner's tiles, yaku, han, fu and payments, or the tenpai seats of a draw. */
export function RiichiResult({ state }: { state: TableState }) {
  const wins = state.result?.wins ?? [];
  return (
    <>
      {wins.map((win) => (
        <WinPart key={win.actor} win={win} state={state} />
      ))}
      {wins.length === 0 && <DrawnPart state={state} />}
      <Payments state={state} />
    </>
  );
}

function WinPart({ win, state }: { win: Win; state: TableState }) {
  const words = useWords();
  const winner = state.names[win.actor] ?? "";
  const title =
    win.actor === win.target ? words.result.tsumo(winner) : words.result.ron(winner, state.names[win.target] ?? "");
  const limit = words.result.limits[win.limit] ?? "";
  return (
    <article class="win">
      <h2>{title}</h2>
      <div class="win-tiles">
        <span class="win-hand">
          {win.hand.map((tile, at) => (
            <Tile key={at} name={tile} />
          ))}
        </span>
        <span class="win-tile" title={words.result.winningTile}>
          <Tile name={win.tile} />
        </span>
        {win.melds.map((meld, at) => (
          <MeldTiles key={at} meld={meld} who={win.actor} />
        ))}
        {win.kitas > 0 && (
          <span class="meld" role="group" aria-label={words.board.kitas(win.kitas)}>
            {Array.from({ length: win.kitas }, (_, at) => (
              <Tile key={at} name="N" silent />
            ))}
          </span>
        )}
      </div>
      <div class="win-about">
        <YakuList win={win} />
        <div class="win-sum">
          <p class="win-points">
            <strong>{words.result.points(win.points)}</strong>
            <span>
              {win.yakuman.length > 0
                ? limit
                : `${words.result.han(win.han)}${win.fu === null ? "" : ` ${words.result.fu(win.fu)}`}${limit ? ` · ${limit}` : ""}`}
            </span>
          </p>
          <Fu win={win} />
          <Sum win={win} honba={state.honba} />
          <Indicators label={words.result.dora} tiles={state.indicators} />
          {win.riichi && <Indicators label={words.result.ura} tiles={win.ura} />}
          {win.pao !== null && <p>{words.result.pao(state.names[win.pao] ?? "")}</p>}
        </div>
      </div>
    </article>
  );
}

/** The sources of the fu, on request. */
function Fu({ win }: { win: Win }) {
  const words = useWords();
  if (win.fu === null || win.fuParts.length === 0) return null;
  const sum = win.fuParts.reduce((total, [, fu]) => total + fu, 0);
  return (
    <details class="win-fu">
      <summary>{words.result.fuSum(sum, win.fu)}</summary>
      <dl class="win-parts">
        {win.fuParts.map(([source, fu, tile], at) => (
          <div key={at}>
            <dt>
              {words.result.fuSources[source] ?? source} {tile && <Tile name={tile} />}
            </dt>
            <dd>{fu}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The winner's additional points: honba, and the riichi sticks of the table. */
function Sum({ win, honba }: { win: Win; honba: number }) {
  const words = useWords();
  if (win.honba === 0 && win.sticks === 0) return null;
  const row = (name: string, points: number) => (
    <div>
      <dt>{name}</dt>
      <dd>{signed(points)}</dd>
    </div>
  );
  return (
    <dl class="win-parts">
      {row(words.result.hand, win.points)}
      {win.honba > 0 && row(words.result.honba(honba), win.honba)}
      {win.sticks > 0 && row(words.result.sticks(Math.round(win.sticks / 1000)), win.sticks)}
      <div class="win-whole">
        <dt>{words.result.sum}</dt>
        <dd>{signed(win.points + win.honba + win.sticks)}</dd>
      </div>
    </dl>
  );
}

/** The points of a win; without a yaku, in words. */
export function value(worth: Worth, words: Words): string {
  return worth.points > 0 ? words.result.points(worth.points) : words.play.noYaku;
}

/** The yaku of a win with their han. */
export function sources(worth: Worth, words: Words): string {
  return worth.fans.map((one) => `${source(one.name)} ${one.fan}`).join(words.review.separator);
}

/** The name of a yaku in the page's language; romaji in English. */
export function yakuName(number: number): string {
  return YAKU[number]?.[({ en: 0, ja: 2, zh: 6 } as const)[settings().language]] ?? "";
}

/** A yaku by its romaji. */
export function source(name: string): string {
  return yakuName(YAKU.findIndex((one) => one[0] === name)) || name;
}

function YakuList({ win }: { win: Win }) {
  const words = useWords();
  const name = yakuName;
  const title = (number: number) => (settings().language === "en" ? YAKU[number]?.[1] : undefined);
  return (
    <ul class="yaku">
      {win.yakuman.map((number) => (
        <li key={number}>
          <span title={title(number)}>{name(number)}</span>
          <span>{words.result.limits[5]}</span>
        </li>
      ))}
      {win.yaku.map(([number, han]) => (
        <li key={number}>
          <span title={title(number)}>{name(number)}</span>
          <span>{words.result.han(han)}</span>
        </li>
      ))}
    </ul>
  );
}

function Indicators({ label, tiles }: { label: string; tiles: readonly string[] }) {
  const shown = [...tiles, ...Array.from({ length: Math.max(0, 5 - tiles.length) }, () => HIDDEN)];
  return (
    <p class="indicators">
      <span>{label}</span>
      <span class="indicators-tiles">
        {shown.map((tile, at) => (
          <Tile key={at} name={tile} silent={tile === HIDDEN} />
        ))}
      </span>
    </p>
  );
}

/** Abortive draws: nobody pays for noten, and the hand that declares kyuushu kyuuhai is open. */
const ABORTIVE: readonly (string | null)[] = ["kyushukyuhai", "sufonrenta", "suchareach", "sukaikan", "sanchaho"];

interface ShownRow {
  who: number;
  mark: "tenpai" | "noten" | null;
}

/** Seats listed after a draw: all as tenpai or noten, or the open hands of an abortive draw. */
export function shownHands(result: HandResult): ShownRow[] {
  const abortive = ABORTIVE.includes(result.reason);
  return result.tenpais.flatMap((open, who): ShownRow[] => {
    if (abortive) return open ? [{ who, mark: null }] : [];
    return [{ who, mark: open ? "tenpai" : "noten" }];
  });
}

function ShownHand({ state, who }: { state: TableState; who: number }) {
  const seat = state.seats[who];
  if (seat === undefined) return null;
  return (
    <span class="win-tiles">
      <span class="win-hand">
        {seat.hand.map((tile, at) => (
          <Tile key={at} name={tile} />
        ))}
      </span>
      {seat.melds.map((meld, at) => (
        <MeldTiles key={at} meld={meld} who={who} />
      ))}
    </span>
  );
}

function DrawnPart({ state }: { state: TableState }) {
  const words = useWords();
  const result = state.result;
  if (result === null) return null;
  const rows = shownHands(result);
  return (
    <article class="win">
      <h2>{words.result.reasons[result.reason ?? ""] ?? words.result.drawn}</h2>
      {rows.length > 0 && (
        <ul class="tenpai">
          {rows.map(({ who, mark }) => (
            <li key={who}>
              <span class="tenpai-name">
                {state.names[who]} {mark && <small>{words.result[mark]}</small>}
              </span>
              {result.tenpais[who] && <ShownHand state={state} who={who} />}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
