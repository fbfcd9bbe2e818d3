/**
 * The table from one seat: rivers, calls, scores, indicators, all hands but the one at the bottom, which
 * `Hand` draws below. Hidden tiles of the state are drawn as backs; `seenFrom` hides those of a seat's view.
 */
import type { ComponentChildren } from "preact";
import { useWords } from "../i18n";
import type { Meld, RiverTile, SeatState, TableState } from "./fold";
import { partsOf } from "./games";
import { HIDDEN, spoken } from "./names";
import { Tile } from "./tiles";

/** The side of a seat relative to the one at the bottom: 0 bottom, 1 right, 2 across, 3 left. With three players a side is empty. */
export function sideOf(seat: number, view: number): number {
  return (seat - view + 4) % 4;
}

/** The wind of a seat. */
export function windOf(state: TableState, seat: number): string {
  return "ESWN"[(seat - state.dealer + state.players) % state.players] ?? "E";
}

/** The table with hands hidden from a seat (unless they are revealed at the end of a hand). */
export function seenFrom(state: TableState, view: number): TableState {
  const parts = partsOf(state);
  const shown = (who: number) =>
    who === view ||
    parts.open(state) ||
    (state.result?.wins.some((win) => win.actor === who) ?? false) ||
    state.result?.tenpais[who] === true;
  const hide = (seat: SeatState): SeatState => ({
    ...parts.hide(seat),
    hand: seat.hand.map(() => HIDDEN),
    drawn: seat.drawn === null ? null : HIDDEN,
  });
  return { ...state, seat: view, seats: state.seats.map((seat, who) => (shown(who) ? seat : hide(seat))) };
}

interface Props {
  state: TableState;
  /** The seat at the bottom. */
  view: number;
  /** Seats with a pending decision; else the seat to move. */
  waiting?: number | null;
  /** Overlays of the felt (announcements, results). */
  children?: ComponentChildren;
}

export function Board({ state, view, waiting, children }: Props) {
  const turn = waiting ?? state.turn;
  const { Info } = partsOf(state);
  return (
    <section class="board" aria-label={useWords().board.table}>
      <div class="felt">
        <Info state={state} />
        <div class="stage">
          <Centre state={state} view={view} turn={turn} />
          {state.seats.map((seat, who) => (
            <Side key={who} state={state} seat={seat} who={who} view={view} turn={turn === who} />
          ))}
        </div>
        {children}
      </div>
    </section>
  );
}

function Centre({ state, view, turn }: { state: TableState; view: number; turn: number | null }) {
  const words = useWords();
  const { Mark, round } = partsOf(state);
  return (
    <div class="centre">
      {state.seats.map((seat, who) => (
        <div
          key={who}
          class={`plate side-${sideOf(who, view)} ${turn === who ? "turn" : ""} ${who === state.dealer ? "dealer" : ""}`}
        >
          <Mark state={state} who={who} />
          <span class="score">{seat.score}</span>
        </div>
      ))}
      <div class="centre-middle">
        <strong>{round(state, words)}</strong>
        <span title={words.board.wall}>{words.board.left(state.wall)}</span>
      </div>
    </div>
  );
}

interface SideProps {
  state: TableState;
  seat: SeatState;
  who: number;
  view: number;
  turn: boolean;
}

function Side({ state, seat, who, view, turn }: SideProps) {
  const words = useWords();
  const side = sideOf(who, view);
  const name = state.names[who] ?? "";
  const dealtIn = state.result?.wins.some((win) => win.target === who && win.actor !== who) ?? false;
  const { Badge, Before, seat: described, out, wonOn } = partsOf(state);
  const offered = state.offer?.seat === who && (state.last?.type === "dahai" || dealtIn || wonOn(state, who));
  return (
    <div
      class={`side side-${side} ${turn ? "turn" : ""} ${out(seat) ? "out" : ""}`}
      role="group"
      aria-label={described(state, who, words)}
    >
      {seat.riichi !== "no" && <i class="riichi-stick" role="img" aria-label={words.board.inRiichi} />}
      <div class="nametag">
        <span>{name}</span>
        <Badge state={state} who={who} />
      </div>
      <Before seat={seat} />
      <River tiles={seat.river} offered={offered} label={words.board.river(name)} />
      {side !== 0 && (
        <div class="edge">
          <span class="edge-hand">
            <HiddenOrOpen seat={seat} />
          </span>
          <Laid seat={seat} who={who} />
        </div>
      )}
    </div>
  );
}

function HiddenOrOpen({ seat }: { seat: SeatState }) {
  const closed = seat.hand.every((tile) => tile === HIDDEN);
  return (
    <>
      {seat.hand.map((tile, at) => (
        <Tile key={at} name={tile} silent={closed} />
      ))}
      {seat.drawn !== null && <Tile name={seat.drawn} silent={closed} class="drawn" />}
    </>
  );
}

/** Rows of six; the third contains all remaining tiles. */
function River({ tiles, offered, label }: { tiles: readonly RiverTile[]; offered: boolean; label: string }) {
  const words = useWords();
  const rows = [tiles.slice(0, 6), tiles.slice(6, 12), tiles.slice(12)];
  return (
    <div class="river" role="group" aria-label={label}>
      {rows.map((row, number) => (
        <div key={number} class={`river-row ${row.length > 10 ? "close" : ""}`} style={{ "--many": row.length }}>
          {row.map((one, at) => {
            const last = offered && number * 6 + at === tiles.length - 1;
            const mark = `${one.taken ? "taken" : ""} ${one.tsumogiri ? "tsumogiri" : ""} ${last ? "offered" : ""}`;
            return (
              <Tile key={at} name={one.tile} turned={one.turned} class={mark}>
                {one.taken && <span class="unseen">{words.board.taken}</span>}
              </Tile>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Calls and kita. */
export function Laid({ seat, who }: { seat: SeatState; who: number }) {
  const words = useWords();
  if (seat.melds.length === 0 && seat.kitas === 0) return null;
  return (
    <span class="laid">
      {seat.kitas > 0 && (
        <span class="meld kitas" role="group" aria-label={words.board.kitas(seat.kitas)}>
          {Array.from({ length: seat.kitas }, (_, at) => (
            <Tile key={at} name="N" silent />
          ))}
        </span>
      )}
      {[...seat.melds].reverse().map((meld, at) => (
        <MeldTiles key={seat.melds.length - at} meld={meld} who={who} />
      ))}
    </span>
  );
}

interface Lying {
  tile: string;
  turned: boolean;
  /** True for a tile on the turned one. */
  upon?: string;
}

/** The tiles of a call from left to right; the called one is turned towards its discarder. */
export function lying(meld: Meld, who: number): Lying[] {
  const own = meld.own.map((tile) => ({ tile, turned: false }));
  if (meld.kind === "ankan")
    return own.map((one, at) => (at === 0 || at === 3 ? { tile: HIDDEN, turned: false } : one));
  const from = sideOf(meld.from ?? who, who);
  const turned: Lying = { tile: meld.called ?? HIDDEN, turned: true };
  if (meld.added !== null) turned.upon = meld.added;
  // Left of the caller: first; across: second; right: last.
  const place = from === 3 ? 0 : from === 2 ? 1 : own.length;
  return [...own.slice(0, place), turned, ...own.slice(place)];
}

export function MeldTiles({ meld, who }: { meld: Meld; who: number }) {
  const words = useWords();
  const tiles = [...meld.own, ...(meld.called ? [meld.called] : []), ...(meld.added ? [meld.added] : [])];
  const label = `${words.calls[meld.kind]}: ${tiles.map((tile) => spoken(tile, words)).join(", ")}`;
  return (
    <span class={`meld ${meld.kind}`} role="group" aria-label={label}>
      {openKan(meld).map((one, at) =>
        one.upon === undefined ? (
          <Tile key={at} name={one.tile} turned={one.turned} silent />
        ) : (
          <span key={at} class="stacked">
            <Tile name={one.upon} turned silent />
            <Tile name={one.tile} turned silent />
          </span>
        ),
      )}
    </span>
  );

  function openKan(one: Meld): Lying[] {
    // The red five of a closed kan stays visible.
    const shown = one.kind === "ankan" ? { ...one, own: redsInside(one.own) } : one;
    return lying(shown, who);
  }
}

function redsInside(own: readonly string[]): string[] {
  const plainOnes = own.filter((tile) => !tile.endsWith("r"));
  const reds = own.filter((tile) => tile.endsWith("r"));
  const [first, ...rest] = plainOnes;
  return first === undefined ? [...own] : [first, ...reds, ...rest];
}
