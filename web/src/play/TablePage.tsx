/** `#/table/ID`: play at a table, or watch one. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { GameShown, useWords } from "../i18n";
import type { Advised, Ask, Call } from "../messages";
import { type Connection, type Live } from "../net/connection";
import { connection, leaveTable, linkOf, useLive } from "../net/tables";
import { isDear, tileBars } from "../review";
import { useSettings } from "../settings";
import { useExchange } from "../sichuan/exchange";
import { Announce } from "../table/Announce";
import { Board, seenFrom } from "../table/Board";
import { PlainTable } from "../plain/PlainTable";
import { isPlain, partsOf } from "../table/games";
import { Calls, Help, type Looking } from "./Calls";
import { EndPanel } from "./EndPanel";
import { Hand, type HandTile } from "../table/Hand";
import { callButtons, automatic, discardOf, isByTile, NO_SWITCHES } from "../table/keys";
import { playerName } from "../table/names";
import { ResultPanel } from "../table/ResultPanel";
import { Side } from "./Side";
import { useSounds } from "./sound";
import { Spoken } from "./Spoken";

/** Tiles of a hand that are narrower than two calls. */
const FEW = 7;

export function TablePage({ id }: { id: string }) {
  const words = useWords();
  const heard = useLive(id);
  const names = heard.state.names.map((name) => playerName(name, words));
  const live = { ...heard, state: { ...heard.state, names } };
  const { welcome } = live;
  useSounds(live.state);
  useEffect(() => {
    document.title = live.ask ? `● ${words.title}` : words.title;
    return () => void (document.title = words.title);
  }, [live.ask === null, words]);
  if (welcome === null)
    return (
      <div class="notice">
        {live.status === "connecting" ? <p role="status">{words.shell.loading}</p> : <Lost live={live} id={id} />}
      </div>
    );
  return (
    <GameShown.Provider value={live.state.game}>
      {isPlain(live.state.game) ? (
        <PlainGame live={live} id={id} seat={welcome.seat} />
      ) : welcome.seat === null ? (
        <Watching live={live} id={id} />
      ) : (
        <Playing live={live as Live<Ask>} id={id} seat={welcome.seat} />
      )}
    </GameShown.Provider>
  );
}

/** A disconnected table: the reason, and a remedy. */
function Lost({ live, id }: { live: Live; id: string }) {
  const words = useWords();
  if (live.status === "connecting" || live.status === "open") return null;
  const { cause } = live;
  const said =
    live.status === "lost"
      ? words.play.lost
      : cause === "token"
        ? words.shell.token
        : (words.play.ended[cause ?? ""] ?? live.refused ?? words.play.lost);
  const why = cause === "failed" && live.refused !== null ? ` ${live.refused}` : "";
  const gone = live.status === "ended" && cause !== null && cause !== "taken_over";
  return (
    <div class="lost-table" role="alert">
      <p>
        {said}
        {why}
      </p>
      {gone ? (
        <a class="button primary" href="#/" onClick={() => leaveTable(id)}>
          {words.end.lobby}
        </a>
      ) : (
        <button type="button" class="primary" onClick={() => connection(id).again()}>
          {cause === "taken_over" ? words.play.playHere : words.play.tryNow}
        </button>
      )}
    </div>
  );
}

function Playing({ live, id, seat }: { live: Live<Ask>; id: string; seat: number }) {
  const line = connection(id);
  const { state } = live;
  const alive = live.status === "open";
  const ask = alive ? live.ask : null;
  const own = state.seats[seat];
  const [set, setSwitches] = useState({ hand: -1, switches: NO_SWITCHES });
  const switches = set.hand === state.hand ? set.switches : NO_SWITCHES; // the switches apply to one hand
  const [riichi, setRiichi] = useState(false);
  const [looking, setLooking] = useState<Looking>(null);
  const [calling, setCalling] = useState<Call | null>(null);
  const chosen = useRef<HandTile | null>(null);
  useLayoutEffect(() => {
    setRiichi(false);
    setLooking(null);
    setCalling(null);
    if (ask) answerAlone(ask);
  }, [ask?.number, switches]);

  /** The discard chosen with riichi, and the actions of the switches. */
  function answerAlone(asked: Ask): void {
    const picked = chosen.current;
    chosen.current = null;
    const discard = picked && discardOf(asked, picked.tile, picked.drawn);
    const action = discard ? discard.action : automatic(asked, switches, own?.riichi === "accepted");
    if (action !== null) line.act(action);
  }

  const exchange = useExchange(ask, own, (action) => line.act(action));

  function pick(one: HandTile, at: number): void {
    if (ask === null) return;
    if (exchange.asked) return exchange.toggle(at);
    if (riichi) {
      const declare = ask.options.find((option) => option.name === "riichi");
      chosen.current = one;
      if (declare) line.act(declare.action);
      return;
    }
    const option = discardOf(ask, one.tile, one.drawn);
    if (option) line.act(option.action);
  }

  const call = (action: number) => {
    const option = ask?.options.find((one) => one.action === action);
    if (option?.name === "riichi" && ask && ask.discards.length > 0) setRiichi(true);
    else line.act(action);
  };
  const can = (one: HandTile, at: number) => {
    if (exchange.asked) return exchange.can(one, at);
    if (ask === null || discardOf(ask, one.tile, one.drawn) === undefined) return false;
    return !riichi || ask.discards.some((discard) => discard.tile === one.tile);
  };
  const { coach } = useSettings();
  const [requested, setRequested] = useState<number | null>(null);
  const request = () => {
    if (ask && coach !== "off") line.send({ type: "hint", number: ask.number });
  };
  const hint = () => {
    setRequested(ask?.number ?? null);
    if (live.advised === null) request();
  };
  useEffect(() => {
    // A server without hints refuses the first one.
    if ((coach === "always" || coach === "dear") && live.refused === null) request();
  }, [ask?.number, coach]);
  const dora = (one: HandTile) => (partsOf(state).isDora(one.tile, state) ? "dora" : "");
  useKeys(ask, riichi, call, () => setRiichi(false), hint, exchange.asked ? exchange.give : null);
  useFocus(ask);
  if (!own) return null;
  const wanted = ({ advice }: Advised) =>
    coach === "dear" ? requested === ask?.number || isDear(advice, ask?.options ?? []) : coach !== "off";
  const advised = live.advised && wanted(live.advised) ? live.advised : null;
  const bars = ask && advised ? tileBars({ advice: advised.advice, options: ask.options }, own) : null;
  const discarding = ask?.options.some(isByTile) ?? false;
  return (
    <div class={`play ${discarding ? "asked" : ""} ${alive ? "" : "lost"}`}>
      <Lost live={live} id={id} />
      <div class="surface" inert={!alive}>
        <div class="play-board">
          <Board state={state} view={seat} waiting={ask ? seat : state.turn}>
            <Announce state={state} view={seat} />
          </Board>
        </div>
        <div class={`play-line ${own.hand.length <= FEW ? "few" : ""}`} style={{ "--held": own.hand.length }}>
          <Help live={{ ...live, ask }} looking={looking} calling={calling} riichi={riichi} seat={seat} />
          {ask && (
            <Calls
              ask={ask}
              riichi={riichi}
              exchange={exchange.asked ? exchange : null}
              onCall={call}
              onLook={setCalling}
              onCancel={() => setRiichi(false)}
            />
          )}
        </div>
        <div class="play-hand">
          <Hand
            seat={own}
            who={seat}
            onPick={pick}
            can={can}
            onLook={setLooking}
            mark={(one, at) =>
              `${dora(one)} ${exchange.chosen.includes(at) ? "raised chosen" : ""} ${bars?.mark(one, at) ?? ""}`
            }
            {...(bars ? { over: bars.over } : {})}
          />
        </div>
        <Panels live={live} id={id} line={line} />
      </div>
      <Side
        live={{ ...live, advised }}
        line={line}
        switches={switches}
        onSwitches={(switches) => setSwitches({ hand: state.hand, switches })}
        onHint={coach === "off" ? null : hint}
        link={() => linkOf(id)}
      />
      <Spoken live={live} seat={seat} />
    </div>
  );
}

function Watching({ live, id }: { live: Live; id: string }) {
  const line = connection(id);
  const [view, setView] = useState(0);
  const [open, setOpen] = useState(false);
  const alive = live.status === "open";
  useWatchKeys(live, line);
  const state = open ? live.state : seenFrom(live.state, view);
  const own = state.seats[view];
  return (
    <div class={`play watch ${alive ? "" : "lost"}`}>
      <Lost live={live} id={id} />
      <div class="surface" inert={!alive}>
        <div class="play-board">
          <Board state={state} view={view}>
            <Announce state={state} view={view} />
          </Board>
        </div>
        <div class="play-hand">{own && <Hand seat={own} who={view} />}</div>
        <Panels live={live} id={id} line={line} />
      </div>
      <Side live={live} line={line} watch={{ view, setView, open, setOpen }} />
      <Spoken live={live} seat={null} />
    </div>
  );
}

/** A game without a layout of its own, played or watched (`seat` null). */
function PlainGame({ live, id, seat }: { live: Live; id: string; seat: number | null }) {
  const line = connection(id);
  const [view, setView] = useState(0);
  const [open, setOpen] = useState(false);
  const alive = live.status === "open";
  const choose = alive && live.ask?.type === "choose" ? live.ask : null;
  useWatchKeys(live, line);
  useFocus(choose);
  const views = seat !== null ? [seat] : open ? live.state.seats.map((_, who) => who) : [view];
  return (
    <div class={`play plain ${alive ? "" : "lost"}`}>
      <Lost live={live} id={id} />
      <div class="surface" inert={!alive}>
        <PlainTable state={live.state} views={views} choose={choose} onAct={(action) => line.act(action)} />
        <Panels live={live} id={id} line={line} />
      </div>
      <Side
        live={live}
        line={line}
        {...(seat === null ? { watch: { view, setView, open, setOpen } } : { link: () => linkOf(id) })}
      />
      <Spoken live={live} seat={seat} />
    </div>
  );
}

/** The result of a hand, then that of the game. */
function Panels({ live, id, line }: { live: Live; id: string; line: Connection }) {
  const [seenHand, setSeenHand] = useState(-1);
  const { state } = live;
  const over = state.last?.type === "end_kyoku" || state.end !== null;
  if (state.result === null || !over) return null;
  if (state.end !== null && seenHand === state.hand) return <EndPanel live={live} id={id} />;
  const onNext = () => (state.end === null ? line.send({ type: "next" }) : setSeenHand(state.hand));
  return (
    <ResultPanel
      state={state}
      last={state.end !== null}
      onNext={live.welcome?.seat === null && state.end === null ? null : onNext}
    />
  );
}

/** Space pauses and resumes a watched table; the right arrow makes a step. */
function useWatchKeys(live: Live, line: Connection): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (live.pace === null || target.closest("button, a, input, select, summary, .panel") !== null) return;
      if (event.key === " ") line.send({ type: "set_pace", paused: !live.pace.paused });
      else if (event.key === "ArrowRight" && live.pace.paused) line.send({ type: "set_pace", step: true });
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  });
}

/** Letters and digits of the call buttons; H requests a hint, G gives the chosen tiles, Escape cancels a riichi; others move to the hand. */
function useKeys(
  ask: Ask | null,
  riichi: boolean,
  call: (action: number) => void,
  cancel: () => void,
  hint: () => void,
  give: (() => void) | null,
): void {
  // before the next key: a quick key must not reach the previous listener
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(input|select|textarea)$/i.test(target.tagName)) return;
      const key = event.key.toUpperCase();
      const lost = target === document.body || (target as HTMLButtonElement).disabled;
      if (key === "ESCAPE" && riichi) cancel();
      else if (key === "H") hint();
      else if (key === "G" && give) give();
      else if (ask && lost && /^(ARROW(LEFT|RIGHT)|HOME|END|ENTER| )$/.test(key)) focusWanted();
      else {
        const button = ask && !riichi && callButtons(ask).find((one) => one.key === key);
        if (!button) return;
        call(button.option.action);
      }
      event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  });
}

let byKeyboard = false;
addEventListener("keydown", () => (byKeyboard = true), true);
addEventListener("pointerdown", () => (byKeyboard = false), true);

/** Keyboard focus starts on a win, else on the pass or the drawn tile, so that Enter alone makes no call. */
function useFocus(ask: Live["ask"]): void {
  useEffect(() => {
    if (ask === null || !byKeyboard) return;
    const here = document.activeElement;
    if (here !== document.body && here?.closest(".play-hand, .play-line") == null && here?.isConnected) return;
    focusWanted();
  }, [ask?.number]);
}

function focusWanted(): void {
  const order = [
    ".calls :is(.win, .ron, .tsumo)",
    ".calls :is(.give, .pass)",
    "button.hand-tile.drawn",
    "button.hand-tile",
    ".calls button",
  ];
  const found = order.map((one) => document.querySelector<HTMLElement>(`${one}:not(:disabled)`));
  found.find((one) => one !== null)?.focus({ preventScroll: true });
}
