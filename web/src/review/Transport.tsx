/** Navigation through a game: the seek bar with marks, buttons, keys, and automatic play. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { useWords, type Words } from "../i18n";
import { partsOf } from "../table/games";
import { along, disagreeing, handAt, stateAt, weight, type Replay, type ReplayHand, type Unit } from "./replay";

interface Props {
  replay: Replay;
  at: number;
  go: (at: number) => void;
  move: (by: Unit, forward: boolean) => void;
  /** At the end of the row. */
  children?: ComponentChildren;
}

/** "East 2, honba 1". */
export function handName(replay: Replay, hand: ReplayHand, words: Words): string {
  const state = stateAt(replay, hand.start);
  return words.review.hand(partsOf(state).round(state, words), state.honba);
}

export function Transport({ replay, at, go, move: to, children }: Props) {
  const words = useWords();
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0.7);
  const move = (by: Unit, forward: boolean) => {
    setPlaying(false);
    to(by, forward);
  };
  useKeys(move, () => setPlaying(!playing));
  useEffect(() => {
    if (!playing) return;
    if (at >= replay.last) return setPlaying(false);
    const timer = setTimeout(() => to("event", true), seconds * 1000);
    return () => clearTimeout(timer);
  }, [playing, at, seconds]);
  const text = words.review.steps;
  const button = (by: Unit, forward: boolean) => {
    const label = text[by][forward ? 1 : 0];
    return (
      <button
        type="button"
        class={`step ${forward ? "forward" : ""}`}
        title={label}
        aria-label={label}
        onClick={() => move(by, forward)}
      >
        <Icon of={by} />
      </button>
    );
  };
  const pair = (by: Unit, name: string) => (
    <span class={`pair ${by}`}>
      {button(by, false)}
      <span class="pair-name" aria-hidden="true">
        {name}
      </span>
      {button(by, true)}
    </span>
  );
  const toggle = playing ? text.pause : text.play;
  return (
    <div class="transport">
      <Seek replay={replay} at={at} go={(to) => (setPlaying(false), go(to))} />
      <div class="step-buttons" role="group" aria-label={text.label}>
        {pair("hand", text.handShort)}
        {pair("turn", text.turnShort)}
        <span class="pair event">
          {button("event", false)}
          <button
            type="button"
            class="step go primary"
            aria-label={toggle}
            title={toggle}
            onClick={() => setPlaying(!playing)}
          >
            <Icon of={playing ? "pause" : "play"} />
          </button>
          {button("event", true)}
        </span>
        {pair("disagreement", text.disagreementShort)}
        <label class="speed">
          <span class="unseen">{text.speed}</span>
          <select value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
            {[0.2, 0.4, 0.7, 1.2, 2].map((one) => (
              <option key={one} value={one}>
                {one.toFixed(1)} s
              </option>
            ))}
          </select>
        </label>
        {children}
      </div>
    </div>
  );
}

/** An arrow to the left; mirrored on forward buttons. */
const ICONS = {
  event: "M10 3 5 8l5 5",
  turn: "M8 3 3 8l5 5M13 3 8 8l5 5",
  hand: "M13 3 8 8l5 5M4 3v10",
  disagreement: "M6 3 1 8l5 5",
  play: "M5 3v10l8-5z",
  pause: "M5 3v10M11 3v10",
} as const;

function Icon({ of }: { of: keyof typeof ICONS }) {
  return (
    <svg class={`icon icon-${of}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[of]} />
      {of === "disagreement" && <path class="triangle" d="M11.500 4.500l4 7h-8z" />}
    </svg>
  );
}

function Seek({ replay, at, go }: Pick<Props, "replay" | "at" | "go">) {
  const words = useWords();
  const hand = handAt(replay, at);
  const value = hand
    ? words.review.seekValue(handName(replay, hand, words), at - hand.start, hand.end - hand.start)
    : "";
  const percentOf = (place: number) => `${along(replay, place) * 100}%`;
  return (
    <div class="seek">
      <div class="seek-marks" aria-hidden="true">
        {replay.hands.map((one) => {
          const state = stateAt(replay, one.start);
          const wide = along(replay, one.end) - along(replay, one.start) > 0.05;
          return (
            <span
              key={one.number}
              class={`seek-hand ${one === hand ? "here" : ""}`}
              style={{ left: percentOf(one.start), width: `calc(${percentOf(one.end)} - ${percentOf(one.start)})` }}
            >
              {wide && partsOf(state).roundMark(state, words)}
            </span>
          );
        })}
        {disagreeing(replay.review, "time").map((one) => (
          <i
            key={one.number}
            class={`seek-mark ${weight(one, replay.review)}`}
            style={{ left: percentOf(one.event) }}
          />
        ))}
      </div>
      <input
        type="range"
        min={replay.first}
        max={replay.last}
        value={at}
        aria-label={words.review.seek}
        aria-valuetext={value}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
    </div>
  );
}

/** Keys of the whole page except in input fields; the seek bar uses the same keys. */
function useKeys(move: (by: Unit, forward: boolean) => void, toggle: () => void): void {
  // before the next key: a quick key must not start from the previous step
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (
        /^(select|textarea|summary)$/i.test(target.tagName) ||
        (target instanceof HTMLInputElement && target.type !== "range")
      )
        return;
      const found = keyed(event.key, event.shiftKey);
      if (found) move(...found);
      else if (event.key === " " && !/^(button|a)$/i.test(target.tagName)) toggle();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  });
}

/** The step of a key. */
function keyed(key: string, shift: boolean): [Unit, boolean] | null {
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight":
      return [shift ? "turn" : "event", key === "ArrowRight"];
    case "Home":
    case "End":
      return ["hand", key === "End"];
    case "n":
    case "N":
      return ["disagreement", true];
    case "p":
    case "P":
      return ["disagreement", false];
    default:
      return null;
  }
}
