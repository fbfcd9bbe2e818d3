/** Beside the board: the switches of a hand, hints, or speed and view of watching. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { transport } from "../net/transport";
import { CopyLink } from "../table/CopyLink";
import { useWords } from "../i18n";
import { HintPanel } from "../review";
import type { Connection, Live } from "../net/connection";
import { partsOf } from "../table/games";
import type { Switches } from "../table/keys";
import { TermGuide } from "../table/Terms";

interface Props {
  live: Live;
  line: Connection;
  switches?: Switches;
  onSwitches?: (switches: Switches) => void;
  /** Request a hint; null without a coach. */
  onHint?: (() => void) | null;
  watch?: WatchView;
  /** The link that opens this seat elsewhere. */
  link?: () => string;
}

interface WatchView {
  view: number;
  setView: (seat: number) => void;
  open: boolean;
  setOpen: (open: boolean) => void;
}

export function Side({ live, line, switches, onSwitches, onHint = null, watch, link }: Props) {
  const words = useWords();
  const { ask, advised, state } = live;
  const { Guide } = partsOf(state);
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => stretch(place.current), [advised]);
  return (
    <aside class="play-side" ref={place} inert={live.status !== "open"}>
      {watch && <WatchControls live={live} line={line} watch={watch} />}
      {switches && onSwitches && (
        <div class="switches" role="group" aria-label={words.play.autoLabel}>
          {(["win", "calls", "discard", "kita"] as const)
            .filter((name) => name !== "kita" || state.players === 3)
            .map((name) => (
              <button
                key={name}
                type="button"
                class="switch"
                aria-pressed={switches[name]}
                onClick={() => onSwitches({ ...switches, [name]: !switches[name] })}
              >
                {words.play.auto[name]}
              </button>
            ))}
          {onHint && (
            <button type="button" class="hint-button" disabled={ask === null} aria-keyshortcuts="H" onClick={onHint}>
              {words.play.hint} <kbd aria-hidden="true">H</kbd>
            </button>
          )}
        </div>
      )}
      {live.refused !== null && live.status === "open" && (
        <p class="warning" role="alert">
          {live.refused}
        </p>
      )}
      <Guide />
      <TermGuide />
      {link && (
        <p class="side-foot">
          {transport.served && <CopyLink address={link} name={words.play.copyLink} about={words.play.copyLinkAbout} />}
        </p>
      )}
      {advised && ask?.type === "ask" && (
        <section class="advice" aria-label={words.play.hintTitle}>
          <HintPanel advice={advised.advice} options={ask.options} names={state.names} />
        </section>
      )}
    </aside>
  );
}

/** The page keeps the height of a hint, because shrinking would move elements under the pointer. */
function stretch(side: HTMLElement | null): void {
  if (side === null || getComputedStyle(side).overflowY !== "visible") return;
  side.style.minHeight = `${Math.max(side.scrollHeight, parseFloat(side.style.minHeight || "0"))}px`;
}

function WatchControls({ live, line, watch }: { live: Live; line: Connection; watch: WatchView }) {
  const words = useWords();
  const { pace, state } = live;
  return (
    <div class="watch-controls" role="group" aria-label={words.watch.label}>
      {pace && (
        <>
          <div class="row">
            <button type="button" class="primary" onClick={() => line.send({ type: "set_pace", paused: !pace.paused })}>
              {pace.paused ? words.watch.go : words.watch.pause}
            </button>
            <button type="button" disabled={!pace.paused} onClick={() => line.send({ type: "set_pace", step: true })}>
              {words.watch.step}
            </button>
          </div>
          <label>
            <span>
              {words.watch.speed}: {pace.seconds.toFixed(1)}
            </span>
            <input
              type="range"
              min="0"
              max="3"
              step="0.1"
              value={pace.seconds}
              onChange={(event) => line.send({ type: "set_pace", seconds: Number(event.currentTarget.value) })}
            />
          </label>
        </>
      )}
      <label>
        <span>{words.watch.view}</span>
        <select value={watch.view} onChange={(event) => watch.setView(Number(event.currentTarget.value))}>
          {state.names.map((name, seat) => (
            <option key={seat} value={seat}>
              {seat + 1}: {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={watch.open} onChange={(event) => watch.setOpen(event.currentTarget.checked)} />
        {words.watch.open}
      </label>
    </div>
  );
}
