/**
 * What a decision is about beside the tiles: tenpai hands without a yaku, and wins that the last hand needs. The
 * TypeScript of `janshi.riichi.review.stakes`.
 */
import { type Game, type Janshi, kindOf, type RiichiView, type Table } from "../../npm/dist/index.js";
import type { Candidate, Need } from "../src/messages";
import { finalPlaces } from "./placement";
import type { Rules } from "./records/hand";
import { number } from "./riichi";
import { kindNamed, sum } from "./side";

/** See `janshi.review.reviewing.Stakes`. */
export interface Stakes {
  needs: readonly Need[];
  /** Discards that leave a tenpai hand which cannot win by ron for want of a yaku. */
  yakuless: ReadonlySet<number>;
}

const EAST = 27;
/** Basic points of mangan, haneman, baiman, sanbaiman and yakuman. */
const LIMITS = [2000, 3000, 4000, 6000, 8000];
/** Number of winds by `length`: the game of East, and of East and South. */
const WINDS: Record<number, number> = { 1: 1, 2: 2 };

export function stakesOf(janshi: Janshi, table: Table<Game>, candidates: readonly Candidate[]): Stakes {
  if (table.game !== "riichi") return { needs: [], yakuless: new Set() };
  const riichi = table as Table<"riichi">;
  const view = riichi.view(riichi.actor);
  return { needs: needsOf(riichi.fields, view), yakuless: yakuless(janshi, riichi.rules, view, candidates) };
}

// ---------------------------------------------------------------------------------------------------------
// The last hand

/** Basic points of all hands up to a yakuman, ascending. */
function basics(tsumo: boolean): number[] {
  const fu = [30, 40, 50, 60, 70, 80, 90, 100, 110].flatMap((each) => [1, 2, 3, 4].map((han) => [han, each] as const));
  const few = [2, 3, 4].flatMap((han) => [[han, 25] as const, ...(tsumo ? [[han, 20] as const] : [])]);
  const below = [...fu, ...few].map(([han, each]) => each * 2 ** (han + 2)).filter((basic) => basic < LIMITS[0]!);
  return [...new Set([...below, ...LIMITS])].sort((one, other) => one - other);
}

const roundUp = (points: number): number => Math.ceil(points / 100) * 100;

/** What each seat pays for a hand, without honba; `payer`: null for a tsumo. */
function paymentsOf(rules: Rules, view: RiichiView, payer: number | null, basic: number): number[] {
  const players = number(rules, "players");
  const deals = view.seat === view.dealer;
  const share = (seat: number) => {
    const doubled = deals || seat === view.dealer ? 2 : 1;
    const absent = players === 3 && !number(rules, "tsumo_loss") ? Math.floor((basic * (deals ? 2 : 1)) / 2) : 0;
    return roundUp(basic * doubled + absent);
  };
  return Array.from({ length: players }, (_, seat) => {
    if (payer === null) return seat === view.seat ? 0 : share(seat);
    return seat === payer ? roundUp(basic * (deals ? 6 : 4)) : 0;
  });
}

/** The points after a win of the view's seat. */
function pointsAfter(rules: Rules, view: RiichiView, payer: number | null, basic: number): number[] {
  const each = number(rules, payer === null ? "honba_each" : "honba_ron");
  const paid = paymentsOf(rules, view, payer, basic).map((points) => (points ? points + each * view.honba : 0));
  const gained = sum(paid) + 1000 * view.deposits;
  return paid.map((points, seat) => view.seats[seat]!.points - points + (seat === view.seat ? gained : 0));
}

/** What a win needs for each better place than the present one, the nearest first. */
function needsOf(rules: Rules, view: RiichiView): Need[] {
  const players = number(rules, "players");
  const winds = WINDS[number(rules, "length")];
  if (winds === undefined || view.kyoku < 4 * (winds - 1) + players - 1) return [];
  if (view.seat === view.dealer && !number(rules, "dealer_stops_leading")) return [];
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const present = finalPlaces(seats.map((seat) => view.seats[seat]!.points));
  const least = (place: number, payers: readonly (number | null)[]): number | null => {
    const enough = (basic: number) =>
      payers.every((payer) => {
        const after = pointsAfter(rules, view, payer, basic);
        return endsAfter(rules, view, after) && finalPlaces(after)[view.seat]! <= place;
      });
    const basic = basics(payers[0] === null).find(enough);
    if (basic === undefined) return null;
    return Math.max(...payers.map((payer) => sum(paymentsOf(rules, view, payer, basic))));
  };
  const others = seats.filter((seat) => seat !== view.seat);
  return Array.from({ length: present[view.seat]! - 1 }, (_, step) => {
    const place = present[view.seat]! - 1 - step;
    return {
      place,
      ron: least(place, others),
      direct: least(place, [present.indexOf(place)]),
      tsumo: least(place, [null]),
    };
  });
}

/** Whether the game ends after a win of the view's seat in the last hand, by the points after it. */
function endsAfter(rules: Rules, view: RiichiView, points: readonly number[]): boolean {
  if (number(rules, "tobi") && Math.min(...points) < 0) return true;
  const most = Math.max(...points);
  const reached = most >= number(rules, "target");
  if (view.seat === view.dealer) return reached && points.indexOf(most) === view.dealer;
  return reached || !number(rules, "extension");
}

// ---------------------------------------------------------------------------------------------------------
// Yaku

function yakuless(
  janshi: Janshi,
  rules: string,
  view: RiichiView,
  candidates: readonly Candidate[],
): ReadonlySet<number> {
  const seat = view.seats[view.seat]!;
  const melds = seat.melds.slice(0, seat.calls);
  const held = {
    calls: seat.calls,
    kitas: seat.kitas,
    riichi: seat.riichi,
    forms: melds.map((meld) => meld.form),
    kinds: melds.map((meld) => meld.kind),
    reds: sum(view.hand.reds) + sum(melds.map((meld) => meld.reds)),
    dora: Array.from(view.indicators.slice(0, view.shown), kindOf),
    seat_wind: EAST + ((view.seat - view.dealer + view.rules.players) % view.rules.players),
    round_wind: EAST + Math.floor(view.kyoku / 4),
  };
  const wins = (discard: number, kind: number) => {
    const counts = view.hand.counts.map((count, each) => count - Number(each === discard) + Number(each === kind));
    if (counts[kind]! > 4) return false;
    const score = janshi.valueOf({ ...held, counts, kind }, rules);
    return score !== null && typeof score !== "string" && score.points > 0;
  };
  const found = candidates.filter(({ tile, shanten, accepts }) => {
    const waits = accepts.map((each) => kindNamed(each.tile));
    return shanten === 0 && waits.length > 0 && !waits.some((kind) => wins(kindNamed(tile), kind));
  });
  return new Set(found.flatMap((each) => each.actions));
}
