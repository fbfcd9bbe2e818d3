/** Reasons for one of two choices with their causes: the TypeScript of `janshi.review.reasons`. */
import type { Cause, Decision, Estimate, Reason } from "../src/messages";
import type { Figures, HandEnds } from "./ends";
import { rounded, type Stakes, sum } from "./side";

type Kind = Reason["kind"];

/** Share of the most important reason below which another one is left out. */
const MINOR = 0.25;
/** Yaku named at most. */
const MOST_YAKU = 2;
const WINS = ["tsumo", "ron", "win"];
/** Discards from the safest on. */
const SAFEST = ["safe", "no_chance", "suji", "scarce", "one_chance", "open"];

/** The ends of a choice and of the reviewer's; `worse`: the latter is better. */
export interface Pair {
  decision: Decision;
  done: HandEnds;
  best: HandEnds;
  worse: boolean;
  stakes: Stakes;
}

const signOf = ({ worse }: Pair): number => (worse ? 1 : -1);

/** Points of the hand that differences of figures are worth to the reviewer's choice. */
function partsOf({ done, best }: Pair): [Kind, number][] {
  return [
    ["win", apart(done.win, best.win) * between(done.value, best.value)],
    ["value", apart(done.value, best.value) * between(done.win, best.win)],
    ["deal_in", -apart(done.dealIn, best.dealIn) * between(done.price, best.price)],
    ["price", -apart(done.price, best.price) * between(done.dealIn, best.dealIn)],
    ["draw", apart(done.drawPoints, best.drawPoints) * between(done.draw, best.draw)],
    ["others", apart(done.others, best.others) * between(done.othersPoints, best.othersPoints)],
  ];
}

/** At most two figures that explain why one of two choices is better, with their causes. */
export function reasonsOf(pair: Pair): Reason[] {
  const [sign, { done, best }] = [signOf(pair), pair];
  const gains = partsOf(pair)
    .map(([kind, points]): [Kind, number] => [kind, sign * points])
    .filter(([, points]) => points > 0)
    .sort(([, one], [, other]) => other - one);
  const chosen = gains.filter(([, points]) => points >= MINOR * gains[0]![1]).map(([kind]) => kind);
  const plain = !best.place.count || sign * apart(done.points, best.points) > 0 ? "points" : "place";
  const found: Kind[] = chosen.length ? chosen.slice(0, 2) : [plain];
  const fixes = fixed(pair).some(Boolean) && !found.includes("place");
  return (fixes ? (["place", found[0]!] as const) : found).map((kind) => ({
    kind,
    done: figure(done, kind),
    best: figure(best, kind),
    causes: causesOf(kind, pair),
  }));
}

/** The difference of two figures, 0 if chance may explain it or one is missing. */
export function apart(done: Estimate, best: Estimate): number {
  const difference = best.value - done.value;
  const chance = Math.hypot(done.high - done.low, best.high - best.low) / 2;
  return Math.abs(difference) > chance ? difference : 0;
}

/** The mean of two figures, without one that is missing; 0 without both. */
function between(done: Estimate, best: Estimate): number {
  const known = [done.value, best.value].filter((value) => !Number.isNaN(value));
  return known.length ? sum(known) / known.length : 0;
}

function figure(ends: HandEnds, kind: Kind): number {
  const { win, value, dealIn, price, drawPoints, others, points, place } = ends;
  const all = { win, value, deal_in: dealIn, price, draw: drawPoints, others, points, place };
  return ["win", "deal_in", "others", "place"].includes(kind)
    ? rounded(all[kind].value)
    : Math.round(all[kind].value) || 0;
}

// ---------------------------------------------------------------------------------------------------------
// Causes

function cause(kind: Cause["kind"], done: number | null = null, best: number | null = null, more = {}): Cause {
  return { kind, done, best, name: null, seat: null, safety: null, need: null, ...more };
}

function causesOf(kind: Kind, pair: Pair): Cause[] {
  if (kind === "win") return speed(pair);
  if (kind === "value") return [...yaku(pair), ...needs(pair)];
  if (kind === "deal_in") return dealtTo(pair);
  if (kind === "draw") return figures("tenpai", pair, pair.done.tenpai, pair.best.tenpai);
  return kind === "points" || kind === "place" ? placement(pair) : [];
}

/** A figure of both options if the better choice's is higher by more than chance. */
function figures(kind: Cause["kind"], pair: Pair, done: Estimate, best: Estimate): Cause[] {
  return signOf(pair) * apart(done, best) > 0 ? [cause(kind, rounded(done.value), rounded(best.value))] : [];
}

/** By what the hand after the better choice is faster. */
function speed({ decision, worse, stakes }: Pair): Cause[] {
  const actions = [decision.done, decision.advice.best];
  const [lesser, better] = (worse ? actions : actions.toReversed()) as [number, number];
  const found = stakes.yakuless.includes(lesser) && !stakes.yakuless.includes(better) ? [cause("yakuless")] : [];
  const [done, best] = actions.map((action) => handAfter(decision, action));
  if (!done || !best) return found;
  const [slower, faster] = worse ? [done, best] : [best, done];
  if (slower.furiten && !faster.furiten) found.push(cause("furiten"));
  if (faster.shanten < slower.shanten) found.push(cause("shanten", done.shanten, best.shanten));
  else if (faster.shanten === slower.shanten && faster.left > slower.left && slower.left > 0)
    found.push(cause(faster.shanten ? "ukeire" : "wait", done.left, best.left));
  return found;
}

/** The hand after an action; after a declaration without a tile that of the discard with the widest wait. */
function handAfter({ advice, options }: Decision, action: number) {
  const { name, tile } = options.find((option) => option.action === action)!;
  const declares = tile == null && !["pass", ...WINS].includes(name);
  const own = advice.candidates.find((each) => each.actions.includes(action) || (declares && each.shanten === 0));
  const after = advice.after.find((each) => each.action === action);
  if (own ?? after) return { furiten: false, ...(own ?? after)! };
  return name === "pass" ? { shanten: advice.shanten, left: 0, furiten: false } : null;
}

/** The yaku and dora that make the better choice's wins worth more, or their han. */
function yaku(pair: Pair): Cause[] {
  const { done, best } = pair;
  const both = (name: string) => [done, best].map((ends) => sourceOf(ends, name)) as [Figures, Figures];
  const gains = [...new Set([...done.sources.keys(), ...best.sources.keys()])]
    .filter((name) => apart(...shares(both(name))) !== 0)
    .map((name): [string, number] => [name, signOf(pair) * apart(...means(both(name)))])
    .filter(([, han]) => han > 0)
    .sort(([one, more], [other, less]) => less - more || (one < other ? -1 : 1));
  if (!gains.length) return figures("han", pair, done.han, best.han);
  return gains.slice(0, MOST_YAKU).map(([name]) => {
    const [own, other] = name.includes("dora") ? means(both(name)) : shares(both(name));
    return cause("yaku", rounded(own.value), rounded(other.value), { name });
  });
}

const shares = ([one, other]: [Figures, Figures]): [Estimate, Estimate] => [one.share, other.share];
const means = ([one, other]: [Figures, Figures]): [Estimate, Estimate] => [one.mean, other.mean];

/** A source of an option's wins, also one that no win had. */
function sourceOf(ends: HandEnds, name: string): Figures {
  const nothing = ends.neverWon;
  return ends.sources.get(name) ?? { share: nothing, mean: nothing };
}

/** To whom the worse choice deals in more often, and the safety of the two discards against that seat. */
function dealtTo(pair: Pair): Cause[] {
  const { decision, done, best } = pair;
  const sign = signOf(pair);
  const rates = (seat: number) =>
    [done, best].map((ends) => ends.dealtTo.get(seat)?.share ?? ends.never) as [Estimate, Estimate];
  const more = [...new Set([...done.dealtTo.keys(), ...best.dealtTo.keys()])]
    .map((seat): [number, number] => [seat, -sign * apart(...rates(seat))])
    .filter(([, gain]) => gain > 0)
    .sort(([one, gain], [other, least]) => least - gain || one - other);
  if (!more.length) return [];
  const seat = more[0]![0];
  const [own, other] = rates(seat);
  const found = [cause("seat", rounded(own.value), rounded(other.value), { seat })];
  const safety = [decision.done, decision.advice.best].flatMap(
    (action) => decision.advice.candidates.find((each) => each.actions.includes(action))?.safety[seat] ?? [],
  );
  const [did, would] = safety.map((level) => SAFEST.indexOf(level));
  if (safety.length === 2 && sign * (did! - would!) > 0) found.push(cause("safety", null, null, { seat, safety }));
  return found;
}

/** The final places that the choice taken and the reviewer's fix by a win. */
function fixed({ decision, done, best }: Pair): (number | null)[] {
  return [[decision.done, done] as const, [decision.advice.best, best] as const].map(([action, { place }]) => {
    const wins = WINS.includes(decision.options.find((option) => option.action === action)!.name);
    return wins && place.low === place.high && Number.isInteger(place.value) ? place.value : null;
  });
}

/** The places that a win fixes, and in the last hand what the next better place needs. */
function placement(pair: Pair): Cause[] {
  const [done, best] = fixed(pair) as [number | null, number | null];
  const held = [done, best].flatMap((place) => place ?? []);
  if (!held.length) return needs(pair);
  return [cause("fixes", done, best), ...needs(pair, Math.min(...held))];
}

/** What the place better than the present one, or than one held, needs. */
function needs({ stakes }: Pair, held = Infinity): Cause[] {
  const need = stakes.needs.find(({ place }) => place < held);
  return need ? [cause("needs", null, null, { need })] : [];
}
