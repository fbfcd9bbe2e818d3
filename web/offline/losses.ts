/** The cost of decisions by playouts: the TypeScript of `janshi.review.losses`. */
import type { Game, Janshi, Table } from "../../npm/dist/index.js";
import type { Decision, Loss, Losses, Review } from "../src/messages";
import type { Play } from "./helpers";
import type { LossData, Players } from "./players";
import type { Outcome } from "./playouts";

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

type People = NonNullable<Losses["people"]> | null;

/**
 * A review with the measured losses of decisions in which the player and the reviewer differ.
 *
 * @param positions Tables at the decisions.
 * @param play Plays parts of the playouts; the results do not depend on where.
 */
export async function withLosses(
  janshi: Janshi,
  players: Players,
  review: Review,
  positions: readonly Table<Game>[],
  hands: number,
  play: Play,
): Promise<Review> {
  const data = await players.lossData();
  const ordered = await byExpectedGain(janshi, players, review.decisions, positions, data.change);
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
      (each) => each.outcomes[0].length && tableOf(each).goesOn(each.outcomes, placed, LEVEL),
    );
  }
  const found = measured.filter(({ outcomes }) => outcomes[0].length);
  const losses = found.map(({ decision, outcomes }): [number, Loss] => [
    decision.number,
    lossOf(decision, positions[decision.number]!, outcomes),
  ]);
  return withMeasured(janshi, review, new Map(losses), peopleOf(data, positions[0]));
}

/** Decisions with a cost by the points that the reviewer's choice gains by the outcome model; without one by cost. */
async function byExpectedGain(
  janshi: Janshi,
  players: Players,
  all: readonly Decision[],
  positions: readonly Table<Game>[],
  change: number,
): Promise<Decision[]> {
  const decisions = all.filter((each) => each.cost > 0);
  const tables = decisions.map(({ number }) => positions[number]!);
  const named = tables[0]?.game === "riichi" ? `outcomes-${tables[0].players}` : null;
  const answers =
    named &&
    (await players.answers(
      named,
      tables.map((table) => table.encode()),
    ));
  const rows = decisions.map(({ number, cost, done, advice }, row) => ({
    number,
    done: answers ? answers[row]![change + done]! : 0,
    best: answers ? answers[row]![change + advice.best]! : cost,
  }));
  return janshi.byGain(rows).map(({ number }) => all[number]!);
}

/** What strong people lose in games like that of a table. */
const peopleOf = ({ people }: LossData, table: Table<Game> | undefined): People =>
  (table?.game === "riichi" && people[table.players]?.[String(table.fields["length"])]) || null;

/** The loss of a decision, at a table that waits for it, by the outcomes of the choice taken and of the reviewer's. */
export const lossOf = (
  { done, advice }: Decision,
  table: Table<Game>,
  outcomes: readonly (readonly Outcome[])[],
): Loss => table.loss([done, advice.best], outcomes, table.game === "riichi", LEVEL) as unknown as Loss;

/** A review with losses by the number of their decision; moments are the certainly worse choices. */
function withMeasured(janshi: Janshi, review: Review, losses: ReadonlyMap<number, Loss>, people: People): Review {
  const measured = [...losses].map(([number, { lost, certain, kind }]) => ({ number, lost, certain, kind }));
  const { moments, ...summary } = janshi.summaryOf(measured) as unknown as Losses & { moments: number[] };
  return {
    ...review,
    decisions: review.decisions.map((each) => ({ ...each, loss: losses.get(each.number) ?? null })),
    report: { ...review.report, moments, losses: { ...summary, people } },
  };
}
