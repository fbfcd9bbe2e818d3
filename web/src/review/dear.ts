/** Decisions in which a hint appears by itself with the setting "where it matters". */
import type { Advice, Option } from "../messages";
import { candidateOf, shareOf } from "./explain";

/** So many times the reviewer prefers its choice to the natural one. */
const TIMES = 5;
/** Choices that a player takes without thinking if they are possible. */
const TAKEN: readonly Option["name"][] = ["win", "tsumo", "ron", "kita", "riichi"];

/**
 * True if the reviewer clearly prefers another choice to the natural one, about a call, kan, riichi, win or void suit,
 * or against a riichi. Other discards cost little.
 */
export function isDear(advice: Advice, options: readonly Option[]): boolean {
  const natural = naturalOf(advice, options);
  const chosen = candidateOf(advice, advice.best)?.actions ?? [advice.best];
  const shares = (actions: readonly number[]) => actions.reduce((sum, action) => sum + shareOf(advice, action), 0);
  const discards = [...natural, advice.best].every((action) => candidateOf(advice, action) !== undefined);
  if (natural.length === 0 || (discards && !advice.risk)) return false;
  return shares(chosen) >= TIMES * shares(natural);
}

/**
 * The equal actions of a player who looks only at the speed of the own hand: a win, kita or riichi, a call that lowers
 * the shanten, else pass; the discard that accepts the most tiles; the suit with the fewest tiles as void one.
 */
export function naturalOf(advice: Advice, options: readonly Option[]): readonly number[] {
  const named = (...names: readonly Option["name"][]) => options.find((one) => names.includes(one.name));
  const taken = named(...TAKEN);
  if (taken) return [taken.action];
  const pass = named("pass");
  if (pass) {
    const nearer = advice.after.filter((one) => one.shanten < advice.shanten);
    const [call] = nearer.sort((a, b) => a.shanten - b.shanten || b.left - a.left);
    return [call?.action ?? pass.action];
  }
  const suits = [...(advice.voids ?? [])].sort((a, b) => a.tiles - b.tiles);
  const [fewest] = suits.flatMap(({ suit }) => options.find((one) => one.name === `void_${suit}`) ?? []);
  return fewest ? [fewest.action] : (advice.candidates[0]?.actions ?? []);
}
