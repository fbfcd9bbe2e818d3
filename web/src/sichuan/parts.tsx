/** Parts of a Sichuan table besides tiles: void suits, winners, payments, and the settlement of a hand. */
import type { ComponentChildren } from "preact";
import { useWords, type Words } from "../i18n";
import { MeldTiles } from "../table/Board";
import type { SeatState, TableState } from "../table/fold";
import { HIDDEN, spoken } from "../table/names";
import { signed } from "../table/signed";
import { Tile } from "../table/tiles";
import { changes, gainOfWin, ownOf, tableOf, type Paid, type SichuanWin } from "./fold";

/** A void suit as a coloured letter; a dash if it is unknown. */
export function SuitMark({ suit }: { suit: string | null }) {
  const words = useWords();
  const title = suit === null ? words.sichuan.voidUnknown : words.sichuan.voidIs(words.sichuan.suits[suit] ?? "");
  return (
    <abbr class={`suit-mark suit-${suit ?? "none"}`} title={title}>
      {suit === null ? "–" : words.sichuan.suitMarks[suit]}
    </abbr>
  );
}

/** Beside the score: the void suit. */
export function SichuanMark({ state, who }: { state: TableState; who: number }) {
  const words = useWords();
  return (
    <span title={who === state.dealer ? words.sichuan.dealer : undefined}>
      <SuitMark suit={state.seats[who]?.void ?? null} />
    </span>
  );
}

/** Description of a seat for screen readers. */
export function sichuanSeat(state: TableState, who: number, words: Words): string {
  const suit = state.seats[who]?.void;
  const [won, table] = [ownOf(state.seats[who])?.won, tableOf(state)];
  const parts = [
    who === state.dealer ? words.sichuan.dealer : "",
    suit ? words.sichuan.voidIs(words.sichuan.suits[suit] ?? "") : "",
    won && table ? words.sichuan.wonShort(won.place, gainOfWin(table, who)) : "",
  ];
  const is = parts.filter(Boolean).join(words.review.separator);
  return words.sichuan.seat(state.names[who] ?? "", state.seats[who]?.score ?? 0, is);
}

/** Under a winner's name: the winning tile and the points. */
export function WonBadge({ state, who }: { state: TableState; who: number }) {
  const words = useWords();
  const [won, table] = [ownOf(state.seats[who])?.won, tableOf(state)];
  if (!won || !table) return null;
  return (
    <span class="won" title={fansOf(won.fans, words)}>
      <Tile name={won.tile} />
      <b>{words.sichuan.wonShort(won.place, gainOfWin(table, who))}</b>
    </span>
  );
}

/** In place of the river before play: tiles given away, or the one face down. */
export function Aside({ seat }: { seat: SeatState }) {
  const words = useWords();
  const own = ownOf(seat);
  const tiles = own ? [...own.aside, ...(own.laid === null ? [] : [own.laid])] : [];
  if (tiles.length === 0) return null;
  return (
    <div class="river aside" role="group" aria-label={own?.laid ? words.sichuan.faceDown : words.sichuan.aside}>
      <div class="river-row">
        {tiles.map((tile, at) => (
          <Tile key={at} name={tile} silent={tile === HIDDEN} class={own?.laid ? "face-down" : ""} />
        ))}
      </div>
    </div>
  );
}

/** Payments of this hand so far, the last first. */
export function SichuanInfo({ state }: { state: TableState }) {
  const words = useWords();
  const table = tableOf(state);
  if (table === null) return null;
  return (
    <div class="info sichuan-info">
      {table.direction > 0 && (
        <span class="passed-to">{words.sichuan.exchanged(words.sichuan.passedTo[table.direction] ?? "")}</span>
      )}
      <ol class="paid" aria-label={words.sichuan.result.settled}>
        {[...table.paid].reverse().map((paid, at) => (
          <li key={table.paid.length - at}>
            <PaidLine paid={paid} state={state} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Receiver, amount and reason of a payment. */
function PaidLine({ paid, state }: { paid: Paid; state: TableState }) {
  const words = useWords();
  const gained = changes(state.players, paid.payments)
    .map((points, who) => ({ points, who }))
    .filter((one) => one.points > 0);
  const what = paid.win ? words.calls.win : words.sichuan.result.reasons[paid.reason];
  return (
    <>
      <span class={paid.win ? "paid-win" : ""}>{what}</span>
      {gained.map((one) => (
        <b key={one.who}>
          {state.names[one.who]} {signed(one.points)}
        </b>
      ))}
    </>
  );
}

export function fansOf(fans: readonly (readonly [string, number])[], words: Words): string {
  if (fans.length === 0) return words.sichuan.noFan;
  return fans.map(([name, fan]) => `${words.sichuan.fans[name] ?? name} ${fan}`).join(words.review.separator);
}

function winTitle(win: SichuanWin, state: TableState, words: Words): string {
  const [name, from] = [state.names[win.actor] ?? "", state.names[win.target] ?? ""];
  if (win.actor === win.target) return words.sichuan.result.selfDraw(name);
  return win.robbed ? words.sichuan.result.robbed(name, from) : words.sichuan.result.from(name, from);
}

/** The winners of a hand in order with the points that they won, or the reason of its end. */
export function ending(state: TableState, words: Words): string {
  const table = tableOf(state);
  if (!table?.settlement) return "";
  const wins = order(state).flatMap((who) => {
    const won = ownOf(state.seats[who])?.won;
    return won ? [`${winTitle(won, state, words)}, ${words.sichuan.points(gainOfWin(table, who))}`] : [];
  });
  return wins.join("; ") || (words.sichuan.endings[table.settlement.reason] ?? words.result.drawn);
}

/** The result of a hand: every hand with its value, then every payment. */
export function SichuanResult({ state }: { state: TableState }) {
  const words = useWords();
  const settled = tableOf(state)?.settlement;
  if (!settled) return null;
  return (
    <>
      <article class="win">
        <h2>{words.sichuan.endings[settled.reason] ?? words.result.drawn}</h2>
        <ul class="settled-hands">
          {order(state).map((who) => (
            <li key={who}>
              <SettledHand state={state} who={who} />
            </li>
          ))}
        </ul>
      </article>
      <PaymentsTable state={state} />
    </>
  );
}

/** Winners in their order, then the others. */
function order(state: TableState): number[] {
  const place = (who: number) => ownOf(state.seats[who])?.won?.place ?? 9;
  return state.seats.map((_, who) => who).sort((a, b) => place(a) - place(b) || a - b);
}

function SettledHand({ state, who }: { state: TableState; who: number }) {
  const words = useWords();
  const seat = state.seats[who];
  const settled = tableOf(state)?.settlement;
  const own = ownOf(seat);
  if (!seat || !own || !settled) return null;
  const { won } = own;
  const is: ComponentChildren = won ? (
    words.sichuan.result.won(won.place)
  ) : settled.pigs[who] ? (
    <em class="loss">{words.sichuan.result.pig}</em>
  ) : settled.ready[who] ? (
    words.sichuan.result.ready
  ) : (
    words.sichuan.result.notReady
  );
  return (
    <>
      <span class="settled-name">
        <SuitMark suit={seat.void} /> <b>{won ? winTitle(won, state, words) : state.names[who]}</b> <small>{is}</small>
        {won && (
          <small>
            {words.sichuan.points(won.points)} · {fansOf(won.fans, words)}
            {won.fans.length > 1 && ` · ${words.sichuan.fan(won.fan)}`}
          </small>
        )}
      </span>
      <span class="win-tiles">
        <span class="win-hand">
          {seat.hand.map((tile, at) => (
            <Tile key={at} name={tile} />
          ))}
        </span>
        {won && (
          <span class="win-tile" title={words.result.winningTile}>
            <Tile name={won.tile} />
          </span>
        )}
        {seat.melds.map((meld, at) => (
          <MeldTiles key={at} meld={meld} who={who} />
        ))}
      </span>
    </>
  );
}

interface Line {
  what: string;
  deltas: number[];
}

/** Payments by reason, each win separately. */
export function paymentLines(state: TableState, words: Words): Line[] {
  const lines: Line[] = [];
  for (const paid of tableOf(state)?.paid ?? []) {
    const what = paid.win
      ? `${words.calls.win} ${paid.win.place}: ${state.names[paid.win.actor] ?? ""}`
      : (words.sichuan.result.reasons[paid.reason] ?? paid.reason);
    const deltas = changes(state.players, paid.payments);
    const line = lines.find((one) => one.what === what);
    if (line) line.deltas = line.deltas.map((points, who) => points + (deltas[who] ?? 0));
    else lines.push({ what, deltas });
  }
  return lines;
}

function PaymentsTable({ state }: { state: TableState }) {
  const words = useWords();
  const sums = state.result?.deltas ?? [];
  const cell = (points: number, who: number) => (
    <td key={who} class={points > 0 ? "gain" : points < 0 ? "loss" : ""}>
      {signed(points)}
    </td>
  );
  return (
    <table class="payments settled">
      <caption class="unseen">{words.sichuan.result.settled}</caption>
      <thead>
        <tr>
          <th scope="col">{words.sichuan.result.what}</th>
          {state.names.map((name, who) => (
            <th key={who} scope="col" class={who === state.seat ? "me" : ""}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {paymentLines(state, words).map((line) => (
          <tr key={line.what}>
            <th scope="row">{line.what}</th>
            {line.deltas.map(cell)}
          </tr>
        ))}
        <tr class="settled-sum">
          <th scope="row">{words.sichuan.result.sum}</th>
          {sums.map(cell)}
        </tr>
        <tr>
          <th scope="row">{words.result.after}</th>
          {state.seats.map((seat, who) => (
            <td key={who}>{signed(seat.score).replace("+", "")}</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

/** The text of an event of this game; null for events of all games. */
export function sichuanTold(
  event: { type: string; [field: string]: unknown },
  state: TableState,
  seat: number | null,
  words: Words,
): string | null {
  const name = state.names[Number(event["actor"])] ?? "";
  switch (event.type) {
    case "start_kyoku":
      return words.tell.start(words.hand((tableOf(state)?.number ?? 0) + 1));
    case "void_shown":
      return words.sichuan.tell.voided(name, words.sichuan.suits[String(event["suit"])] ?? "");
    case "exchange": {
      const tiles = (event["tiles"] as string[]).map((tile) => spoken(tile, words));
      return event["target"] === seat ? words.sichuan.tell.given(tiles.join(", ")) : "";
    }
    case "win":
      return words.sichuan.tell.wins(name, Number(event["points"]));
    case "settlement":
      return words.sichuan.tell.over(words.sichuan.endings[String(event["reason"])] ?? "");
    default:
      return null;
  }
}
