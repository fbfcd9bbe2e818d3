/** The line between board and hand: buttons of a decision, and what the hand waits for. */
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../i18n";
import type { Accepted, Ask, Option } from "../messages";
import type { Live } from "../net/connection";
import type { HandTile } from "./Hand";
import { callButtons } from "./keys";
import { plain, spoken } from "./names";
import { Tile } from "./tiles";

/** The tile of the hand that is looked at. */
export type Looking = HandTile | null;

interface CallsProps {
  ask: Ask;
  /** Riichi is being declared: only a tile is wanted. */
  riichi: boolean;
  onCall: (action: number) => void;
  onCancel: () => void;
}

export function Calls({ ask, riichi, onCall, onCancel }: CallsProps) {
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
  const buttons = callButtons(ask);
  if (buttons.length === 0) return null;
  return (
    <div class="calls" role="group" aria-label={words.play.claim}>
      {buttons.map(({ option, key }) => (
        <CallButton key={option.action} option={option} letter={key} onCall={onCall} />
      ))}
    </div>
  );
}

function CallButton({ option, letter, onCall }: { option: Option; letter: string; onCall: (action: number) => void }) {
  const words = useWords();
  const tiles = shown(option);
  const name = words.calls[option.name];
  const label = tiles.length > 0 ? words.play.take(name, tiles.map((one) => spoken(one.tile, words)).join(", ")) : name;
  return (
    <button
      type="button"
      class={`call ${option.name}`}
      aria-label={label}
      aria-keyshortcuts={letter}
      onClick={() => onCall(option.action)}
    >
      <span>{name}</span>
      {tiles.length > 0 && (
        <span class="call-tiles">
          {tiles.map((one, at) => (
            <Tile key={at} name={one.tile} silent class={one.called ? "called" : undefined} />
          ))}
        </span>
      )}
      <kbd aria-hidden="true">{letter}</kbd>
    </button>
  );
}

/** What would lie on the table: the own tiles and, marked, the called one. */
function shown(option: Option): { tile: string; called: boolean }[] {
  const own = (option.tiles ?? []).map((tile) => ({ tile, called: false }));
  const called =
    option.tile != null && ["chi", "pon", "daiminkan", "ron"].includes(option.name)
      ? [{ tile: option.tile, called: true }]
      : [];
  if (option.name === "kakan" || option.name === "tsumo")
    return option.tile ? [{ tile: option.tile, called: false }] : [];
  return [...called, ...own];
}

/** Waits of the hand, or of what a discard would leave; furiten; whose turn it is. */
export function Help({ live, looking, riichi }: { live: Live; looking: Looking; riichi: boolean }) {
  const words = useWords();
  const { ask, own, state } = live;
  const discard =
    looking && ask?.discards.find((one) => plain(one.tile) === plain(looking.tile) && one.tile === looking.tile);
  if (discard && looking)
    return (
      <div class="help">
        <span class="help-title">{words.play.after(spoken(looking.tile, words))}</span>
        <Waits waits={discard.waits} furiten={discard.furiten} />
      </div>
    );
  if (own && own.waits.length > 0 && !(ask && ask.discards.length > 0))
    return (
      <div class="help">
        <span class="help-title">{words.play.waits}</span>
        <Waits waits={own.waits} furiten={own.furiten} />
      </div>
    );
  const turn = state.turn;
  return (
    <div class="help">
      <span class="help-title">
        {ask ? (
          <>
            {riichi
              ? words.play.chooseRiichi
              : ask.options.some((one) => one.name === "discard")
                ? words.play.yourTurn
                : words.play.claim}
            <Clock key={ask.number} since={live.asked} />
          </>
        ) : turn !== null && state.result === null ? (
          words.play.waitsFor(state.names[turn] ?? "")
        ) : null}
      </span>
      {own && own.furiten && <Furiten />}
    </div>
  );
}

function Waits({ waits, furiten }: { waits: readonly Accepted[]; furiten: boolean }) {
  const words = useWords();
  const total = waits.reduce((sum, one) => sum + one.left, 0);
  return (
    <>
      <span class="waits">
        {waits.map((one) => (
          <span key={one.tile} class={one.left === 0 ? "gone" : ""}>
            <Tile name={one.tile} />
            <small>{one.left}</small>
          </span>
        ))}
      </span>
      <span class="help-total">{words.play.total(total)}</span>
      {furiten && <Furiten />}
    </>
  );
}

function Furiten() {
  return <strong class="furiten">{useWords().play.furiten}</strong>;
}

/** How long this decision takes; nothing happens when it takes long. */
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
