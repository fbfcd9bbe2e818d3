/**
 * Reasons for one action over another in numbers: shanten, accepted kinds and tiles, safety. Sentences are
 * text in which `[3p]` stands for a tile, which the display may draw.
 */
import type { Words } from "../i18n";
import type { Accepted, Advice, Candidate, Cause, Decision, Option, Review, VoidSuit, Worth } from "../messages";
import { fansOf } from "../sichuan/parts";
import { isByTile } from "../table/keys";

export type Safety = Candidate["safety"][string];

/** The hand after an action. */
export interface Gain {
  shanten: number;
  accepts: readonly Accepted[];
  /** Accepted kinds with a tile left. */
  kinds: number;
  left: number;
  furiten: boolean;
  /** The following discard: after a call, or with riichi. */
  discard: string | null;
  /** Values of the hand with each wait in Sichuan mahjong. */
  worth: readonly Worth[];
}

/** The candidate discarded by an action. */
export function candidateOf(advice: Advice, action: number): Candidate | undefined {
  return advice.candidates.find((one) => one.actions.includes(action));
}

/** The hand after an action; null for wins, aborts and passes. */
export function gainOf(advice: Advice, options: readonly Option[], option: Option): Gain | null {
  const counted = (
    one: Pick<Candidate, "shanten" | "accepts" | "left" | "worth">,
    furiten: boolean,
    discard: string | null,
  ): Gain => {
    const { shanten, accepts, left } = one;
    return {
      shanten,
      accepts,
      kinds: accepts.filter((kind) => kind.left > 0).length,
      left,
      furiten,
      discard,
      worth: one.worth ?? [],
    };
  };
  const own = candidateOf(advice, option.action);
  if (own) return counted(own, own.furiten, null);
  if (option.name === "riichi") {
    const [ready, second] = advice.candidates.filter((one) => one.shanten === 0);
    if (!ready) return null;
    const tile = options.find((one) => ready.actions.includes(one.action))?.tile ?? ready.tile;
    return counted(ready, ready.furiten, second ? null : tile);
  }
  const after = advice.after.find((one) => one.action === option.action);
  return after ? counted(after, false, after.discard) : null;
}

export function optionOf(options: readonly Option[], action: number): Option | undefined {
  return options.find((one) => one.action === action);
}

/** The reviewer's probability of an action, 0 if it is negligible. */
export function shareOf(advice: Advice, action: number): number {
  return advice.preferences.find((one) => one.action === action)?.share ?? 0;
}

/** The estimated deal-in rate of a discard; null without an estimate. */
export function riskOf(advice: Advice, action: number): number | null {
  return advice.risk?.[action] ?? null;
}

/** Places or a difference of places as text. */
export function places(count: number): string {
  return count.toFixed(2).replace("-", "\u2212");
}

/** Unit of a review's losses. */
export type Unit = NonNullable<Review["unit"]>;

export const unitOf = (review: Review): Unit => review.unit ?? "places";

/** A loss in the unit of a review as a number. */
export function amount(lost: number, unit: Unit): string {
  return unit === "places" ? places(lost) : lost.toFixed(1).replace("-", "\u2212");
}

/** Points as text. */
export function points(count: number): string {
  return count.toLocaleString("en").replace("-", "\u2212");
}

/** Options by descending probability; negligible ones in their original order. */
export function liked(advice: Advice, options: readonly Option[]): Option[] {
  return [...options].sort((a, b) => shareOf(advice, b.action) - shareOf(advice, a.action));
}

/** True for equivalent actions: discards of the drawn tile and of an equal one from the hand. */
export function alike(a: Option, b: Option): boolean {
  return a.action === b.action || (a.name === "discard" && b.name === "discard" && a.tile === b.tile);
}

/** An action as a phrase: `[3p]`, `pon [E]`, `chii [3p] with [1p][2p]`. */
export function phrase(option: Option, words: Words): string {
  const tile = option.tile ? `[${option.tile}]` : "";
  if (option.name === "discard") return tile;
  if (isByTile(option)) return `${words.review.actions[option.name]} ${tile}`;
  const call = words.review.actions[option.name];
  if (option.name === "chi")
    return words.review.with(`${call} ${tile}`, (option.tiles ?? []).map((one) => `[${one}]`).join(""));
  return ["pon", "daiminkan", "ankan", "kakan"].includes(option.name) ? `${call} ${tile}` : call;
}

/** The hand after an action, also after a pass or the choice of a void suit, as a phrase; empty if unknown. */
function afterPhrase(advice: Advice, options: readonly Option[], option: Option, words: Words): string {
  const gain = gainOf(advice, options, option);
  if (gain) return gainPhrase(gain, words);
  const voided = voidOf(advice, option);
  if (voided)
    return [words.sichuan.hint.tiles(voided.tiles), words.review.shanten(voided.shanten)].join(words.review.separator);
  return option.name === "pass" ? words.review.shanten(advice.shanten) : "";
}

/** The hand after an action, as a phrase. */
export function gainPhrase(gain: Gain, words: Words): string {
  const then = gain.discard === null ? "" : `${words.review.separator}${words.review.then(`[${gain.discard}]`)}`;
  return `${words.review.shanten(gain.shanten)}${words.review.separator}${widthPhrase(gain, words)}${then}`;
}

function widthPhrase(gain: Gain, words: Words): string {
  const width =
    gain.shanten === 0 ? words.review.waitsFor(gain.kinds, gain.left) : words.review.accepts(gain.kinds, gain.left);
  if (gain.worth.length > 0) return `${width}${words.review.separator}${worthPhrase(gain.worth, words)}`;
  return gain.furiten ? `${width}${words.review.separator}${words.review.furiten}` : width;
}

/** Values of waits: minimum, maximum, and the sources of the maximum. */
export function worthPhrase(worth: readonly Worth[], words: Words): string {
  const points = worth.map((one) => one.points);
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const best = worth.find((one) => one.points === most);
  const range = least === most ? `${most}` : `${least}–${most}`;
  const fans = best
    ? ` (${fansOf(
        best.fans.map((one) => [one.name, one.fan] as const),
        words,
      )})`
    : "";
  return `${words.sichuan.worthPoints(range)}${fans}`;
}

/** The void suit of an option before play. */
export function voidOf(advice: Advice, option: Option): VoidSuit | undefined {
  const suit = option.name.startsWith("void_")
    ? option.name.slice(-1)
    : option.name === "lay"
      ? option.tile?.[1]
      : null;
  return (advice.voids ?? []).find((one) => one.suit === suit);
}

/** Remaining players who cannot win on a discard because they voided its suit. */
function safeFrom(advice: Advice, option: Option, names: readonly string[], words: Words): string {
  const seats = Object.keys(candidateOf(advice, option.action)?.safety ?? {});
  const told = seats.map((seat) => names[Number(seat)] ?? seat).join(words.review.separator);
  return told === "" ? "" : words.sichuan.hint.safe(`[${option.tile ?? ""}]`, told);
}

/** Minimum difference of deal-in risks to be mentioned. */
const FAR = 0.02;

/** Causes of a measured reason that say what a comparison by ukeire says. */
const SPEED: readonly Cause["kind"][] = ["shanten", "wait", "ukeire"];

/** Sentences with reasons for the reviewer's choice over the action taken, besides those of its measured loss. */
export function explain(
  decision: Pick<Decision, "advice" | "options" | "done" | "loss">,
  names: readonly string[],
  words: Words,
): string[] {
  const { advice, options, loss } = decision;
  const causes = loss?.certain ? loss.reasons.flatMap((one) => one.causes ?? []) : [];
  const best = optionOf(options, advice.best);
  const done = optionOf(options, decision.done);
  if (!best || !done) return [];
  const say = words.review.why;
  const [to, from] = [phrase(best, words), phrase(done, words)];
  if (alike(best, done)) return [say.same(to, ...told(best)), ...safetyOfOne(best)].filter(Boolean);
  const danger = [...safetyOfTwo(best, done), risks(best, done)].filter(Boolean);
  const quick = causes.some((one) => SPEED.includes(one.kind)) ? "" : speed(best, done);
  const despite = ahead(done, best) && danger.length === 0 && !loss?.certain;
  return [quick, ...danger, despite ? say.despite : ""].filter(Boolean);

  function told(option: Option): [string] {
    return [afterPhrase(advice, options, option, words)];
  }

  /** Shanten after an action; a pass does not change the hand. */
  function away(option: Option): number {
    const after = gainOf(advice, options, option) ?? voidOf(advice, option);
    return after?.shanten ?? (option.name === "pass" ? advice.shanten : NaN);
  }

  /** Comparison by shanten and tiles only. */
  function ahead(one: Option, other: Option): boolean {
    const [gain, own] = [gainOf(advice, options, one), gainOf(advice, options, other)];
    if (away(one) !== away(other)) return away(one) < away(other);
    return gain !== null && own !== null && gain.left > own.left && !gain.furiten;
  }

  function speed(one: Option, other: Option): string {
    const [gain, own] = [gainOf(advice, options, one), gainOf(advice, options, other)];
    if (["ron", "tsumo", "win"].includes(one.name)) return say.win(to);
    if (!told(one)[0] && !told(other)[0]) return "";
    if (!gain || !own || gain.shanten !== own.shanten) return say.each(from, ...told(other), to, ...told(one));
    const shanten = words.review.shanten(gain.shanten);
    if (gain.left === own.left && gain.kinds === own.kinds && gain.furiten === own.furiten)
      return say.equal(from, to, shanten, widthPhrase(gain, words));
    return say.both(from, widthPhrase(own, words), to, widthPhrase(gain, words), shanten);
  }

  function safetyOfOne(option: Option): string[] {
    const own = candidateOf(advice, option.action);
    if (!own) return [];
    if ((advice.risk ?? null) === null) return [safeFrom(advice, option, names, words)];
    return Object.entries(own.safety).map(([seat, level]) =>
      say.against(names[Number(seat)] ?? seat, `${to}${words.review.safetyIs[level]}`),
    );
  }

  function risks(one: Option, other: Option): string {
    const [would, did] = [riskOf(advice, one.action), riskOf(advice, other.action)];
    if (would === null || did === null || Math.abs(would - did) < FAR) return "";
    return say.risks(from, percent(did), to, percent(would));
  }

  function isCause(seat: number): boolean {
    return causes.some((one) => one.kind === "safety" && one.seat === seat);
  }

  function safetyOfTwo(one: Option, other: Option): string[] {
    const [would, did] = [candidateOf(advice, one.action), candidateOf(advice, other.action)];
    if (!would || !did) return [];
    return Object.entries(would.safety).flatMap(([seat, level]) => {
      const own = did.safety[seat];
      if (own === undefined || own === level || isCause(Number(seat))) return [];
      const is = (what: string, how: Safety) => `${what}${words.review.safetyIs[how]}`;
      return [say.against(names[Number(seat)] ?? seat, `${is(to, level)}${words.review.separator}${is(from, own)}`)];
    });
  }
}

/** The reviewer's choice and the hand after it, for a pending decision. */
export function explainHint(
  advice: Advice,
  options: readonly Option[],
  words: Words,
  names: readonly string[] = [],
): string[] {
  const best = optionOf(options, advice.best);
  if (!best) return [];
  const leaves = best.name === "pass" ? "" : afterPhrase(advice, options, best, words);
  const would = words.review.why.would(phrase(best, words), percent(shareOf(advice, advice.best)), leaves);
  const safe = (advice.risk ?? null) === null ? safeFrom(advice, best, names, words) : "";
  const equal = equals(advice, options, best).map((one) => phrase(one, words));
  const same = equal.length > 0 ? words.review.why.noDifference(equal.join(words.review.separator)) : "";
  return [would, safe, same].filter(Boolean);
}

/** Other discards or void suits with the same figures as an option, in all that a hint says of it. */
function equals(advice: Advice, options: readonly Option[], best: Option): Option[] {
  const figures = (option: Option): string | null => {
    const own = candidateOf(advice, option.action);
    if (own) {
      const points = (own.worth ?? []).map((one) => one.points);
      const { shanten, accepts, left, furiten, safety } = own;
      const kinds = accepts.filter((kind) => kind.left > 0).length;
      return JSON.stringify([shanten, kinds, left, furiten, points, safety, riskOf(advice, option.action)]);
    }
    const voided = voidOf(advice, option);
    return voided ? JSON.stringify([voided.tiles, voided.shanten]) : null;
  };
  const wanted = figures(best);
  const chosen = candidateOf(advice, best.action);
  if (wanted === null) return [];
  return options.filter(
    (one, at) =>
      figures(one) === wanted &&
      one.action !== best.action &&
      (chosen === undefined || candidateOf(advice, one.action) !== chosen) &&
      options.findIndex((other) => alike(other, one)) === at,
  );
}

export function percent(share: number): string {
  const whole = Math.round(share * 100);
  return share > 0 && whole === 0 ? "<1 %" : `${whole} %`;
}

/** A sentence split at its tiles: text and tile names in turn. */
export function cut(sentence: string): { text: string; tile: string | null }[] {
  return sentence
    .split(/(\[[^\]]+\])/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("[") ? { text: "", tile: part.slice(1, -1) } : { text: part, tile: null }));
}
