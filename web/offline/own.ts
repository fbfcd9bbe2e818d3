/** Fields of events that mjai does not have, in their object `janshi`: see `janshi.riichi.records.mjai`. */
import { YAKU } from "../src/riichi/yaku";
import { type Event, sum } from "./side";

/** The event that begins a game; `named`: the preset, if the rules are one. */
export function startGame(names: readonly string[], rules: Record<string, unknown>, named?: string): Event {
  return {
    type: "start_game",
    names: [...names],
    kyoku_first: rules["length"] === EAST ? 4 : 0,
    aka_flag: Array.from(rules["red_fives"] as readonly number[]).some(Boolean),
    ...(named !== undefined && { janshi: { rules: named } }),
  };
}

/** `janshi.riichi.rules.Length.EAST`. */
const EAST = 1;

/** The event that ends a game, with points and results as far as they are known. */
export function endGame({ scores, points }: { scores?: readonly number[]; points?: readonly number[] }): Event {
  return { type: "end_game", ...(scores && { scores }), ...(points && { janshi: { points } }) };
}

/** The event of a win; `fields` has the numbers of the yaku as Tenhou counts them. */
export function winEvent(fields: Omit<Event, "type">): Event {
  const { yaku, yakuman, limit, fu_parts, fan, ...rest } = fields as Record<string, unknown>;
  if (yaku === undefined)
    return {
      type: "hora",
      ...rest,
      ...(fan !== undefined && { fan }),
      ...(limit !== undefined && { janshi: { limit } }),
    };
  const numbers = (yakuman ?? []) as number[];
  const named = [...(yaku as [number, number][]), ...numbers.map((number) => [number, YAKU[number]![3]] as const)];
  const han = numbers.length ? sum(named.map(([, each]) => each)) : fan;
  const own = { yaku, limit, ...(numbers.length && { yakuman }), ...(fu_parts !== undefined && { fu_parts }) };
  return {
    type: "hora",
    ...rest,
    fan: han,
    han,
    yaku: named.map(([number, each]) => [YAKU[number]![0], each]),
    janshi: own,
  };
}

/** An event with the fields of its object `janshi` beside the others. */
export function withOwn(event: Event): Event {
  return { ...event, ...(event["janshi"] as Record<string, unknown> | undefined) };
}
