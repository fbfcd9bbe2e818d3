/** The line between board and hand: buttons of a decision, and waits of the hand. */
import { useContext, useEffect, useState } from "preact/hooks";
import { GameShown, useWords, type Words } from "../i18n";
import type { Accepted, Ask, Call, Option, Worth } from "../messages";
import type { Live } from "../net/connection";
import type { Exchange } from "../sichuan/exchange";
import { ownOf } from "../sichuan/fold";
import { partsOf } from "../table/games";
import type { HandTile } from "../table/Hand";
import { callButtons, GIVEN } from "../table/keys";
import { plain, spoken } from "../table/names";
import { Tile } from "../table/tiles";

const WINS: readonly Option["name"][] = ["win", "ron", "tsumo"];

/** The tile of the hand under the pointer or focus. */
export type Looking = HandTile | null;

interface CallsProps {
  ask: Ask;
  /** Riichi is being declared and needs a tile. */
  riichi: boolean;
  /** Tiles for the exchange are being chosen. */
  exchange: Exchange | null;
  onCall: (action: number) => void;
  /** The call under the pointer or focus leaves the hand tenpai; null: none. */
  onLook: (call: Call | null) => void;
  onCancel: () => void;
}

export function Calls({ ask, riichi, exchange, onCall, onLook, onCancel }: CallsProps) {
  const words = useWords();
  if (riichi)
    return (
      <div class="calls">
        <span class="calls-say">{words.play.chooseRiichi}</span>
        <button type="button" onClick={onCancel}>
          {words.play.cancel} <kbd>Esc</kbd>
        </button>
      </div>
    );
  if (exchange)
    return (
      <div class="calls">
        <button type="button" class="call give primary" disabled={exchange.missing > 0} onClick={exchange.give}>
          <span>{words.sichuan.giveButton}</span> <kbd aria-hidden="true">G</kbd>
        </button>
      </div>
    );
  const buttons = callButtons(ask);
  if (buttons.length === 0) return null;
  return (
    <div class="calls" role="group" aria-label={words.play.claim}>
      {buttons.map(({ option, key }) => (
        <CallButton
          key={option.action}
          option={option}
          letter={key}
          worth={WINS.includes(option.name) && ask.win ? [ask.win] : (callOf(ask, option)?.worth ?? [])}
          onCall={onCall}
          onLook={(over) => onLook(over ? (callOf(ask, option) ?? null) : null)}
        />
      ))}
    </div>
  );
}

const callOf = (ask: Ask, option: Option): Call | undefined => ask.calls?.find((one) => one.action === option.action);

interface CallButtonProps {
  option: Option;
  letter: string;
  /** Value of the offered win, or of the waits after a call. */
  worth: readonly Worth[];
  onCall: (action: number) => void;
  onLook: (over: boolean) => void;
}

function CallButton({ option, letter, worth, onCall, onLook }: CallButtonProps) {
  const words = useWords();
  const game = partsOf({ game: useContext(GameShown) });
  const tiles = shown(option);
  const name = words.calls[option.name];
  const best = mostOf(worth);
  const lacking = worth.filter((one) => one.points === 0);
  const value = best && (lacking.length > 0 && best.points > 0 ? words.play.someNoYaku : game.value(best, words));
  const meld = tiles.length > 0 ? words.play.take(name, tiles.map((one) => spoken(one.tile, words)).join(", ")) : name;
  const label = value ? `${meld}${words.review.separator}${value}` : meld;
  return (
    <button
      type="button"
      class={`call ${option.name}`}
      aria-label={label}
      aria-keyshortcuts={letter}
      onClick={() => onCall(option.action)}
      onPointerEnter={() => onLook(true)}
      onPointerLeave={() => onLook(false)}
      onFocus={() => onLook(true)}
      onBlur={() => onLook(false)}
    >
      <span>{name}</span>
      {tiles.length > 0 && (
        <span class="call-tiles">
          {tiles.map((one, at) => (
            <Tile key={at} name={one.tile} silent class={one.called ? "called" : undefined} />
          ))}
        </span>
      )}
      {best && (
        <b class={`call-worth ${lacking.length > 0 ? "lacking" : ""}`} title={game.sources(best, words)}>
          {value}
        </b>
      )}
      <kbd aria-hidden="true">{letter}</kbd>
    </button>
  );
}

/** The resulting meld: the own tiles and, marked, the called one. */
function shown(option: Option): { tile: string; called: boolean }[] {
  const own = (option.tiles ?? []).map((tile) => ({ tile, called: false }));
  const called =
    option.tile != null && ["chi", "pon", "daiminkan", "ron", "win"].includes(option.name)
      ? [{ tile: option.tile, called: true }]
      : [];
  if (option.name === "kakan" || option.name === "tsumo")
    return option.tile ? [{ tile: option.tile, called: false }] : [];
  return [...called, ...own];
}

/** The highest of some values. */
const mostOf = (worth: readonly Worth[]): Worth | undefined => [...worth].sort((a, b) => b.points - a.points)[0];

interface HelpProps {
  live: Live<Ask>;
  looking: Looking;
  calling: Call | null;
  riichi: boolean;
  seat: number;
}

/** Waits of the hand, now or after a discard or call; furiten; the seat to move. */
export function Help({ live, looking, calling, riichi, seat }: HelpProps) {
  const words = useWords();
  const { ask, own, state } = live;
  const discard =
    looking && ask?.discards.find((one) => plain(one.tile) === plain(looking.tile) && one.tile === looking.tile);
  if (discard && looking)
    return (
      <div class="help">
        <span class="help-title">{words.play.after(spoken(looking.tile, words))}</span>
        <Waits waits={discard.waits} worth={riichi ? [] : (discard.worth ?? [])} furiten={discard.furiten} />
      </div>
    );
  const option = calling && ask?.options.find((one) => one.action === calling.action);
  if (calling && option)
    return (
      <div class="help beside-calls">
        <span class="help-title">
          {words.play.afterCall(words.calls[option.name], calling.discard && spoken(calling.discard, words))}
        </span>
        <WaitTiles waits={calling.waits} worth={calling.worth} />
        {calling.furiten && <Furiten />}
      </div>
    );
  if (own && own.waits.length > 0 && !(ask && ask.discards.length > 0))
    return (
      <div class="help">
        <span class="help-title">{words.play.waits}</span>
        <Waits waits={own.waits} worth={own.worth ?? []} furiten={own.furiten} />
      </div>
    );
  const turn = state.turn;
  if (ownOf(state.seats[seat])?.won && state.result === null)
    return (
      <div class="help">
        <span class="help-title">{words.sichuan.youHaveWon}</span>
      </div>
    );
  return (
    <div class="help">
      <span class="help-title">
        {ask ? (
          <>
            {riichi ? words.play.chooseRiichi : asks(live, seat, words)}
            <Clock key={ask.number} since={live.asked} />
          </>
        ) : turn !== null && state.result === null ? (
          turn === seat ? (
            words.play.yourTurn
          ) : (
            words.play.waitsFor(state.names[turn] ?? "")
          )
        ) : null}
      </span>
      {own && own.furiten && <Furiten />}
    </div>
  );
}

/** The requested choice. */
function asks({ ask, state }: Live<Ask>, seat: number, words: Words): string {
  const names = ask?.options.map((one) => one.name) ?? [];
  const own = ownOf(state.seats[seat]);
  if (names.includes("give"))
    return own?.aside.length ? words.sichuan.ask.giveMore(GIVEN - own.aside.length) : words.sichuan.ask.give;
  if (names.includes("lay")) return words.sichuan.ask.lay;
  if (names.includes("void_m") || names.includes("void_p")) return words.sichuan.ask.void;
  if (!names.includes("discard")) return words.play.claim;
  const suit = state.seats[seat]?.void ?? null;
  const first = suit !== null && ask?.options.every((one) => one.name !== "discard" || one.tile?.[1] === suit);
  return first ? words.sichuan.ask.discardVoid(words.sichuan.suits[suit] ?? "") : words.play.yourTurn;
}

interface WaitsProps {
  waits: readonly Accepted[];
  /** Value of each wait; none before riichi, which changes it. */
  worth: readonly Worth[];
  furiten: boolean;
}

function Waits({ waits, worth, furiten }: WaitsProps) {
  const words = useWords();
  const game = partsOf({ game: useContext(GameShown) });
  const best = mostOf(worth);
  const lacking = worth.find((one) => one.points === 0);
  const total = waits.reduce((sum, one) => sum + one.left, 0);
  return (
    <>
      <WaitTiles waits={waits} worth={worth} />
      <span class="help-total">{words.play.total(total)}</span>
      {best && best.points > 0 && <span class="help-worth">{game.sources(best, words)}</span>}
      {lacking && <strong class="furiten">{lacking.each > 0 ? words.play.tsumoOnly : words.play.cannotWin}</strong>}
      {furiten && <Furiten />}
    </>
  );
}

/** Waits with the tiles left and the value of each. */
function WaitTiles({ waits, worth }: Pick<WaitsProps, "waits" | "worth">) {
  const words = useWords();
  const game = partsOf({ game: useContext(GameShown) });
  const worthOf = (tile: string) => worth.find((one) => one.tile === tile);
  return (
    <span class="waits">
      {waits.map((one) => (
        <span key={one.tile} class={one.left === 0 ? "gone" : ""}>
          <Tile name={one.tile} />
          <small>{one.left}</small>
          {worthOf(one.tile) && (
            <b class="worth" title={game.sources(worthOf(one.tile)!, words)}>
              {game.value(worthOf(one.tile)!, words)}
            </b>
          )}
        </span>
      ))}
    </span>
  );
}

function Furiten() {
  return <strong class="furiten">{useWords().play.furiten}</strong>;
}

/** The time of this decision, without a limit. */
function Clock({ since }: { since: number }) {
  const words = useWords();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  return (
    <span class="clock" title={words.play.thinkingLabel} aria-hidden="true">
      {words.play.thinking(seconds)}
    </span>
  );
}
