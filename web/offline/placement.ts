/** Expected final places between hands: the TypeScript of `janshi.worth.placement` and `janshi.riichi.placement`. */
import type { HandStart } from "../../npm/dist/index.js";
import type { RiichiRecord, Rules } from "./records/hand";
import { softmax, sum } from "./side";

const SCALES = [1_500, 5_000, 15_000];
const WIDTH = 96;
const ROUNDS = 12;
const MOST_HONBA = 5;
const EAST = 1;

/** The network's weights from their file of half-precision numbers. */
export const weightsOf = (file: ArrayBuffer): Float64Array => Float64Array.from(new Uint16Array(file), half);

function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, (bits & 1023) / 1024];
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
}

/** Every final order: the place (0 first) of each seat, in the order of `itertools.permutations`. */
function orders(places: readonly number[]): number[][] {
  if (!places.length) return [[]];
  return places.flatMap((first) => orders(places.filter((each) => each !== first)).map((rest) => [first, ...rest]));
}

/** Inputs of the network at the beginning of a hand; seats count from the dealer. */
function featuresOf(rules: Rules, start: HandStart, own: readonly number[]): number[] {
  const pairs = own.flatMap((points, first) => own.slice(first + 1).map((other) => points - other));
  const rounds = Array.from({ length: ROUNDS }, (_, each) => Number(each === Math.min(start.kyoku, ROUNDS - 1)));
  const short = Number(rules["length"] === EAST);
  const sticks = [start.honba, start.deposits];
  return [
    ...pairs.flatMap((pair) => SCALES.map((scale) => Math.tanh(pair / scale))),
    ...own.map((points) => points / 20_000),
    ...own.map((points) => Math.tanh(points / 4_000)),
    Math.tanh((Math.max(...own) - (rules["target"] as number)) / 4_000),
    ...sticks.map((count) => Math.min(count, MOST_HONBA) / MOST_HONBA),
    ...rounds,
    ...rounds.map((each) => each * short),
    short,
  ];
}

/** Answers of the three dense layers. */
function evaluate(weights: Float64Array, features: readonly number[], outputs: number): number[] {
  let x = [...features];
  let at = 0;
  for (const width of [WIDTH, WIDTH, outputs]) {
    const bias = at + x.length * width;
    const next = Array.from({ length: width }, (_, column) =>
      x.reduce((total, each, row) => total + each * weights[at + row * width + column]!, weights[bias + column]!),
    );
    at = bias + width;
    x = at < weights.length ? next.map((each) => Math.max(each, 0)) : next;
  }
  return x;
}

/** Expected final place of every seat at the beginning of a hand. */
export function expectedPlaces(rules: Rules, start: HandStart, weights: Float64Array): number[] {
  const { points } = start;
  const seats = points.map((_, step) => (start.dealer + step) % points.length);
  const own = seats.map((seat) => points[seat]!);
  const all = orders([...points.keys()]);
  const shares = softmax(evaluate(weights, featuresOf(rules, start, own), all.length));
  const places = points.map(() => 0);
  seats.forEach((seat, step) => (places[seat] = 1 + sum(all.map((order, number) => order[step]! * shares[number]!))));
  return places;
}

/** Place of every seat by points; equal points rank in the order of the seats. */
export function finalPlaces(scores: readonly number[]): number[] {
  return scores.map(
    (own, seat) => 1 + scores.filter((other, who) => other > own || (other === own && who < seat)).length,
  );
}

/** See `Review.places`. */
export function placesOf(rules: Rules, { hands, end }: RiichiRecord, weights: Float64Array): number[][] {
  if (rules["length"] === 0) return [];
  const places = hands.map(({ start }) => expectedPlaces(rules, start, weights));
  if (end.scores) places.push(finalPlaces(end.scores));
  return places.map((row) => row.map((place) => Number(place.toFixed(3))));
}
