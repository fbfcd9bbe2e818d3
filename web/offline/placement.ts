/** Expected final places between hands: `janshi.worth.placement`. */
import { type HandStart, type Janshi, RiichiPhase, type Table } from "../../npm/dist/index.js";
import type { RiichiRecord } from "./records/hand";
import { sum } from "./side";

/** Expected final place of every seat at the beginning of a hand; the place after the game. */
export const expectedPlaces = (table: Table<"riichi">, ...of: Parameters<Table<"riichi">["places"]>): number[] =>
  table.places(...of).map((shares) => sum(shares.map((share, place) => share * (place + 1))));

/** See `Review.places`. */
export function placesOf(janshi: Janshi, { rules, changes, hands, end }: RiichiRecord, weights: Float32Array): number[][] {
  const table = janshi.table<"riichi">(rules, { changes });
  if (table.fields["length"] === 0) return [];
  const placesAt = ({ points, ...at }: Pick<HandStart, "points"> & Partial<HandStart & { phase: number }>) =>
    expectedPlaces(table, weights, { ...at, seats: points.map((each) => ({ points: each })) });
  const places = hands.map(({ start }) => placesAt(start));
  if (end.scores) places.push(placesAt({ points: end.scores, phase: RiichiPhase.GAME_OVER }));
  table.free();
  return places.map((row) => row.map((place) => Number(place.toFixed(3))));
}
