/** How played hands end for a seat: the TypeScript of `janshi.rollout.ends` and of the results of both games. */
import { YAKU } from "../../npm/dist/generated.js";
import {
  RiichiEnding as Ending,
  type RiichiState,
  type RiichiWin,
  SichuanFan as Fan,
  SichuanReady as Ready,
  type SichuanState,
  kindOf,
} from "../../npm/dist/index.js";
import type { Ends, Estimate } from "../src/messages";
import type { Rules } from "./records/hand";
import { rounded, sum, toMjai } from "./side";

/** 97.5 % of a normal distribution lies below. */
const Z = 1.959964;
/** Fewer values have no interval of their mean. */
const LEAST = 5;
/** Share of the wins from which on a yaku or a tile is named. */
const NAMED = 0.05;
/** Numbers of han that are no yaku, by the field of the value that counts them. */
const EXTRA = { dora: 52, ura: 53, red: 54 } as const;

/** The end of a hand for the seat that decided. */
export interface Outcome {
  won: boolean;
  value: number;
  /** Nobody won. */
  drawn: boolean;
  /** The seat was tenpai in an exhaustive draw. */
  tenpai: boolean;
  /** The kind that completed the won hand; −1 without a win. */
  tile: number;
  /** Han or fan of the won hand by source. */
  han: Record<string, number>;
  /** Seats that won on the seat's tiles. */
  dealtTo: number[];
  points: number;
  /** Expected final place, in Riichi. */
  place: number | null;
}

type SeatResult = Omit<Outcome, "points" | "place">;

/** Result of a hand of Riichi that is over. */
export function riichiResult(state: RiichiState, seat: number): SeatResult {
  const made = state.wins.slice(0, state.winners);
  const own = made.find((win) => win.seat === seat);
  const exhausted = state.ended === Ending.EXHAUSTIVE || state.ended === Ending.NAGASHI_MANGAN;
  const lost = state.ended === Ending.RON ? made.filter((win) => win.discarder === seat) : [];
  return {
    won: own !== undefined,
    value: own?.points ?? 0,
    drawn: made.length === 0,
    tenpai: exhausted && state.hands[seat]!.waits !== 0n,
    tile: own ? kindOf(own.tile) : -1,
    han: own ? hanBySource(own, state.seats[seat]!.opened === 0) : {},
    dealtTo: lost.map((win) => win.seat),
  };
}

function hanBySource({ value }: RiichiWin, closed: boolean): Record<string, number> {
  const han = YAKU.map(([, whenClosed, whenOpen], number) =>
    (value.yaku >> BigInt(number)) & 1n ? (closed ? whenClosed : whenOpen) : 0,
  );
  for (const [field, number] of Object.entries(EXTRA)) han[number] = value[field as keyof typeof EXTRA];
  return named(han.map((count, number) => [YAKU[number]![0], count]));
}

/** Result of a hand of Sichuan mahjong that is over. */
export function sichuanResult(state: SichuanState, seat: number, rules: Rules): SeatResult {
  const made = state.wins.slice(0, state.winners);
  const own = made.find((win) => win.seat === seat);
  const { ready, won } = state.seats[seat]!;
  const fan = Object.entries(Fan).map(([name, number]): [string, number] => {
    const source = name.toLowerCase();
    return [source, (own?.value.times[number] ?? 0) * (rules[source] as number)];
  });
  return {
    won: own !== undefined,
    value: own?.value.points ?? 0,
    drawn: made.length === 0,
    tenpai: ready === Ready.READY && won === 0,
    tile: own?.tile ?? -1,
    han: named(fan),
    dealtTo: made.filter((win) => win.discarder === seat).map((win) => win.seat),
  };
}

const named = (counts: readonly [string, number][]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0));

/** Two figures of the same hands. */
export interface Figures {
  share: Estimate;
  mean: Estimate;
}

/** How hands end for a seat: see `janshi.rollout.ends.HandEnds`, and `OptionResult`. */
export interface HandEnds {
  samples: number;
  win: Estimate;
  value: Estimate;
  han: Estimate;
  sources: Map<string, Figures>;
  tiles: Map<number, Figures>;
  dealIn: Estimate;
  price: Estimate;
  dealtTo: Map<number, Figures>;
  draw: Estimate;
  tenpai: Estimate;
  drawPoints: Estimate;
  others: Estimate;
  othersPoints: Estimate;
  points: Estimate;
  place: Estimate;
}

export function handEnds(all: readonly Outcome[]): HandEnds {
  const won = all.filter((one) => one.won);
  const lost = all.filter((one) => one.dealtTo.length > 0);
  const drawn = all.filter((one) => one.drawn);
  const isOthers = (one: Outcome) => !one.won && !one.drawn && one.dealtTo.length === 0;
  const pointsOf = (some: readonly Outcome[]) => mean(some.map((one) => one.points));
  const sources = ascending(
    won.flatMap((one) => Object.keys(one.han)),
    SOURCES,
  );
  const seats = ascending(all.flatMap((one) => one.dealtTo));
  return {
    samples: all.length,
    win: rate(all.map((one) => one.won)),
    value: mean(won.map((one) => one.value)),
    han: mean(won.map((one) => sum(Object.values(one.han)))),
    sources: new Map(
      sources.map((name) => {
        const han = won.map((one) => one.han[name] ?? 0);
        return [name, { share: rate(han.map((count) => count > 0)), mean: mean(han) }];
      }),
    ),
    tiles: new Map(
      ascending(won.map((one) => one.tile)).map((kind) => {
        const values = won.filter((one) => one.tile === kind).map((one) => one.value);
        return [kind, { share: rate(won.map((one) => one.tile === kind)), mean: mean(values) }];
      }),
    ),
    dealIn: rate(all.map((one) => one.dealtTo.length > 0)),
    price: mean(lost.map((one) => -one.points)),
    dealtTo: new Map(
      seats.map((seat) => {
        const paid = lost.filter((one) => one.dealtTo.includes(seat)).map((one) => -one.points);
        return [seat, { share: rate(all.map((one) => one.dealtTo.includes(seat))), mean: mean(paid) }];
      }),
    ),
    draw: rate(all.map((one) => one.drawn)),
    tenpai: rate(drawn.map((one) => one.tenpai)),
    drawPoints: pointsOf(drawn),
    others: rate(all.map(isOthers)),
    othersPoints: pointsOf(all.filter(isOthers)),
    points: pointsOf(all),
    place: mean(all.flatMap(({ place }) => (place === null ? [] : [place]))),
  };
}

/** Names of the sources of both games in their order. */
const SOURCES: readonly string[] = [
  ...YAKU.map(([name]) => name),
  ...Object.keys(Fan).map((name) => name.toLowerCase()),
];

/** Each value once, in the order of a list or of the numbers. */
function ascending<T>(values: readonly T[], order?: readonly T[]): T[] {
  const rank = (value: T) => (order ? order.indexOf(value) : Number(value));
  return [...new Set(values)].sort((one, other) => rank(one) - rank(other));
}

/** How hands end as plain data: see `janshi.review.reasons.ends_of`. */
export function endsOf(ends: HandEnds): Ends {
  const some = [...ends.sources].filter(([, { share }]) => share.value >= NAMED);
  const tiles = [...ends.tiles].filter(([, { share }]) => share.value >= NAMED);
  return {
    samples: ends.samples,
    win: rounded(ends.win.value),
    value: known(ends.value, 0),
    han: known(ends.han, 2),
    yaku: some
      .map(([name, one]) => ({ name, share: rounded(one.share.value), han: Number(one.mean.value.toFixed(2)) }))
      .sort((one, other) => other.share - one.share),
    tiles: tiles
      .map(([kind, one]) => ({
        tile: toMjai(kind),
        share: rounded(one.share.value),
        points: Math.round(one.mean.value),
      }))
      .sort((one, other) => other.share - one.share),
    deal_in: rounded(ends.dealIn.value),
    price: known(ends.price, 0),
    to: [...ends.dealtTo]
      .map(([seat, one]) => ({ seat, rate: rounded(one.share.value), points: Math.round(one.mean.value) }))
      .sort((one, other) => other.rate - one.rate),
    draw: rounded(ends.draw.value),
    tenpai: known(ends.tenpai, 4),
    draw_points: known(ends.drawPoints, 0),
    others: rounded(ends.others.value),
    others_points: known(ends.othersPoints, 0),
    points: Math.round(ends.points.value),
    place: known(ends.place, 4),
  };
}

const known = ({ value }: Estimate, digits: number): number | null =>
  Number.isNaN(value) ? null : Number(value.toFixed(digits));

// ---------------------------------------------------------------------------------------------------------
// Estimates: see `janshi.statistics`

/** A rate with Wilson's interval. */
export function rate(hits: readonly boolean[]): Estimate {
  const number = hits.length;
  const share = hits.filter(Boolean).length / number;
  const square = (Z * Z) / number;
  const middle = (share + square / 2) / (1 + square);
  const reach = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / number + square / (4 * number));
  const [low, high] = [Math.max(0, middle - reach), Math.min(1, middle + reach)];
  return { value: share, low: Math.min(low, share), high: Math.max(high, share), count: number };
}

/** A mean with the interval of Student's t. */
export function mean(values: readonly number[]): Estimate {
  const count = values.length;
  const value = sum(values) / count;
  const spread = Math.sqrt(sum(values.map((each) => (each - value) ** 2)) / (count - 1) / count);
  const reach = count < LEAST ? NaN : student(count - 1) * spread;
  return { value, low: value - reach, high: value + reach, count };
}

/** 97.5 % of Student's t with at least four degrees of freedom lies below: the expansion of Fisher and Cornish. */
function student(freedom: number): number {
  const [third, fifth, seventh] = [Z ** 3, Z ** 5, Z ** 7];
  const terms = [
    (third + Z) / 4,
    (5 * fifth + 16 * third + 3 * Z) / 96,
    (3 * seventh + 19 * fifth + 17 * third - 15 * Z) / 384,
  ];
  return Z + sum(terms.map((term, number) => term / freedom ** (number + 1)));
}
