/** The cost of decisions by playouts: the TypeScript of `janshi.review.losses`. */
import type { Game, Table } from "../../npm/dist/index.js";
import type { Decision, Loss, Losses, Reason, Review } from "../src/messages";
import { MOMENTS } from "./decisions";
import { type HandEnds, handEnds, type Outcome } from "./ends";
import type { Play } from "./helpers";
import type { LossData, Players } from "./players";
import { apart, reasonsOf } from "./reasons";
import { stakesAt, sum } from "./side";

/** Hands of a review, decisions and samples of each at most, as in Python. */
export const HANDS = 2048;
const MEASURED = 20;
const SAMPLES = 1024;
/** Samples in the first round and in a round at most. */
const FIRST = 32;
const ROUND = 128;
/** Samples of a part, so that all workers are busy. */
const AT_ONCE = 32;
/** Error probability of the test of a decision. */
const LEVEL = 0.01;

const WINS = ["tsumo", "ron", "win", "kyuushu_kyuuhai"];
const CALLS = ["chi", "pon", "daiminkan", "ankan", "kakan", "kita", "pass"];
const BEFORE_PLAY = ["give", "lay", "void_m", "void_p", "void_s"];

type People = NonNullable<Losses["people"]> | null;
type Kind = NonNullable<Loss["kind"]>;

/**
 * A review with the measured losses of decisions in which the player and the reviewer differ.
 *
 * @param positions Tables at the decisions.
 * @param play Plays parts of the playouts; the results do not depend on where.
 */
export async function withLosses(
  players: Players,
  review: Review,
  positions: readonly Table<Game>[],
  hands: number,
  play: Play,
): Promise<Review> {
  const data = await players.lossData();
  const ordered = await byExpectedGain(players, review.decisions, positions, data.change);
  const measured = ordered.slice(0, MEASURED).map((decision) => ({
    decision,
    options: [decision.done, decision.advice.best],
    batch: 0,
    outcomes: [[], []] as [Outcome[], Outcome[]],
  }));
  const tableOf = ({ decision }: { decision: Decision }) => positions[decision.number]!;
  const placed = positions[0]?.game === "riichi";
  let [left, going] = [hands, measured];
  for (let [done, size] = [0, FIRST]; done < SAMPLES && going.length; done += size, size = Math.min(2 * size, ROUND)) {
    const most = Math.min(size, SAMPLES - done);
    const parts = going.flatMap((each) => {
      const samples = Math.min(most, Math.floor(left / 2));
      left -= 2 * samples;
      const counts = Array.from({ length: Math.ceil(samples / AT_ONCE) }, (_, at) => samples - AT_ONCE * at);
      return counts.map((count) => ({ each, samples: Math.min(AT_ONCE, count), batch: each.batch++ }));
    });
    const asked = parts.map(({ each: { decision, options }, ...part }) => ({
      ...part,
      options,
      decision: decision.number,
    }));
    const played = await play(asked);
    played.forEach((outcomes, number) => {
      if (!outcomes) left += 2 * parts[number]!.samples;
      outcomes?.forEach((some, option) => parts[number]!.each.outcomes[option]!.push(...some));
    });
    going = [...new Set(parts.map(({ each }) => each))].filter(
      (each) => each.outcomes[0].length && tableOf(each).sumUp(each.outcomes, placed, LEVEL).goesOn,
    );
  }
  const found = measured.filter(({ outcomes }) => outcomes[0].length);
  const losses = new Map(found.map((each) => [each.decision, lossOf(each.decision, tableOf(each), each.outcomes)]));
  return reviewWith(review, losses, peopleOf(data, positions[0]));
}

/** Decisions with a cost by the points that the reviewer's choice gains by the outcome model; without one by cost. */
async function byExpectedGain(
  players: Players,
  all: readonly Decision[],
  positions: readonly Table<Game>[],
  change: number,
): Promise<Decision[]> {
  const decisions = all.filter((each) => each.cost > 0);
  const tables = decisions.map(({ number }) => positions[number]!);
  if (!tables.length) return [];
  let gains = decisions.map(({ cost }) => cost);
  if (tables[0]!.game === "riichi") {
    const inputs = tables.map((table) => table.encode());
    const answers = await players.answers(`outcomes-${tables[0]!.players}`, inputs);
    gains = decisions.map(
      ({ advice, done }, row) => answers[row]![change + advice.best]! - answers[row]![change + done]!,
    );
  }
  const order = [...decisions.keys()].sort((one, other) => gains[other]! - gains[one]! || one - other);
  return order.map((at) => decisions[at]!);
}

/** What strong people lose in games like that of a table. */
const peopleOf = ({ people }: LossData, table: Table<Game> | undefined): People =>
  (table?.game === "riichi" && people[table.players]?.[String(table.fields["length"])]) || null;

/** The loss of a decision, at a table that waits for it, by the outcomes of the choice taken and of the reviewer's. */
export function lossOf(decision: Decision, table: Table<Game>, outcomes: readonly (readonly Outcome[])[]): Loss {
  const placed = table.game === "riichi";
  const { figures, ends, decided, loss, worse } = table.sumUp(outcomes, placed, LEVEL);
  const [done, best] = figures.map((each) => handEnds(table.game, each, placed)) as [HandEnds, HandEnds];
  const reasons = decided ? reasonsOf({ decision, done, best, worse, stakes: stakesAt(table) }) : [];
  const names = [decision.done, decision.advice.best].map(
    (action) => decision.options.find((option) => option.action === action)!.name,
  );
  const kind = worse && reasons.length ? mistakeOf(names, reasons[0]!.kind, apart(done.dealIn, best.dealIn)) : null;
  return { ...loss, reasons, kind, ends } as unknown as Loss;
}

function mistakeOf(names: readonly string[], reason: Reason["kind"], risk: number): Kind {
  const has = (some: readonly string[]) => names.some((name) => some.includes(name));
  if (has(WINS)) return "win";
  if (has(CALLS)) return "call";
  if (has(BEFORE_PLAY)) return "before_play";
  if (names.some((name) => name !== "discard")) return "declaration";
  if (reason === "deal_in" || reason === "price") return "pushed";
  if (risk > 0) return "folded";
  if (reason === "win") return "shape";
  return reason === "value" ? "value" : "placement";
}

/** A review with losses; moments are the certainly worse choices. */
function reviewWith(review: Review, losses: ReadonlyMap<Decision, Loss>, people: People): Review {
  const certain = [...losses].filter(([, loss]) => loss.certain);
  const worse = certain.filter(([, { lost }]) => lost > 0);
  const dearest = [...worse].sort(([a, one], [b, other]) => other.lost - one.lost || a.number - b.number);
  return {
    ...review,
    decisions: review.decisions.map((each) => ({ ...each, loss: losses.get(each) ?? null })),
    report: {
      ...review.report,
      moments: dearest.slice(0, MOMENTS).map(([{ number }]) => number),
      losses: {
        measured: losses.size,
        worse: worse.length,
        better: certain.length - worse.length,
        lost: thousandths(sum(worse.map(([, { lost }]) => lost))),
        kinds: byKind(certain.map(([, loss]) => loss)),
        people,
      },
    },
  };
}

const thousandths = (number: number): number => Number(number.toFixed(3));

function byKind(losses: readonly Loss[]): Losses["kinds"] {
  const kinds = [...new Set(losses.flatMap(({ kind }) => kind ?? []))];
  const found = kinds.map((kind) => {
    const lost = losses.filter((loss) => loss.kind === kind).map((loss) => loss.lost);
    return { kind, number: lost.length, lost: thousandths(sum(lost)) };
  });
  return found.sort((one, other) => other.lost - one.lost);
}
