/** Sounds of the table, made by the browser: a tile on the table, calls, riichi, wins. */
import { useEffect } from "preact/hooks";
import { settings } from "../settings";
import { announced } from "../table/Announce";
import type { TableState } from "../table/fold";

export type Sound = "discard" | "call" | "riichi" | "win";

/** Frequencies of the notes of a sound, in order. */
const NOTES: Record<Exclude<Sound, "discard">, readonly number[]> = {
  call: [523],
  riichi: [392, 587],
  win: [523, 659, 784],
};
const SECONDS = 0.12;
const LOUDNESS = 0.12;

let context: AudioContext | null = null;

/** The sound of the last event of a table; null for one without. */
export function soundOf(state: TableState): Sound | null {
  const call = announced(state)[0]?.call;
  if (call === undefined) return state.last?.type === "dahai" ? "discard" : null;
  if (call === "ron" || call === "tsumo" || call === "win") return "win";
  return call === "riichi" ? "riichi" : "call";
}

/** Play the sounds of a table's events. */
export function useSounds(state: TableState): void {
  useEffect(() => {
    const sound = soundOf(state);
    if (sound !== null && settings().sound) play(sound);
  }, [state.events, state.result]);
}

function play(sound: Sound): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  // Before the first click on the page, browsers play nothing.
  if (context.state !== "running") {
    void context.resume();
    return;
  }
  if (sound === "discard") click(context);
  else NOTES[sound].forEach((frequency, at) => note(context!, frequency, at * SECONDS));
}

/** A tile that is laid on the table: a burst of noise that fades within some hundredths of a second. */
function click(audio: AudioContext): void {
  const length = Math.round(audio.sampleRate * 0.04);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 6;
  const source = new AudioBufferSourceNode(audio, { buffer });
  source
    .connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: 1800 }))
    .connect(volume(audio, 4 * LOUDNESS));
  source.start();
}

function note(audio: AudioContext, frequency: number, after: number): void {
  const from = audio.currentTime + after;
  const loud = volume(audio, LOUDNESS);
  loud.gain.setValueAtTime(LOUDNESS, from);
  loud.gain.exponentialRampToValueAtTime(0.001, from + 2 * SECONDS);
  const source = new OscillatorNode(audio, { type: "triangle", frequency });
  source.connect(loud);
  source.start(from);
  source.stop(from + 2 * SECONDS);
}

function volume(audio: AudioContext, gain: number): GainNode {
  const node = new GainNode(audio, { gain });
  node.connect(audio.destination);
  return node;
}
