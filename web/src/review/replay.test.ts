import "../games";
import { expect, test } from "vitest";
import type { Decision, Review } from "../messages";
import four from "./fixtures/four.json";
import sanma from "./fixtures/sanma.json";
import {
  along,
  clamp,
  disagreeing,
  handAt,
  moments,
  replayOf,
  stateAt,
  step,
  turnOf,
  weight,
  type Unit,
} from "./replay";

const REVIEWS = { sanma: sanma as Review, four: four as Review };
const UNITS: Unit[] = ["event", "turn", "hand", "disagreement"];

for (const [name, review] of Object.entries(REVIEWS)) {
  const replay = replayOf(review);

  test(`${name}: at a decision the seat holds its legal discards`, () => {
    for (const decision of review.decisions) {
      const seat = stateAt(replay, decision.event).seats[review.seat]!;
      for (const option of decision.options.filter((one) => one.name === "discard"))
        expect(option.tsumogiri ? [seat.drawn] : seat.hand, `decision ${decision.number}`).toContain(option.tile);
    }
  });

  test(`${name}: a legal call is of the offered tile`, () => {
    for (const decision of review.decisions)
      for (const option of decision.options.filter(
        (one) => one.name === "pon" || one.name === "chi" || one.name === "ron",
      ))
        expect(stateAt(replay, decision.event).offer?.tile).toBe(option.tile);
  });

  test(`${name}: steps forward end at the last place, steps back at the first`, () => {
    for (const unit of UNITS)
      for (const forward of [true, false]) {
        let at = forward ? replay.first : replay.last;
        for (let count = 0; count <= replay.last; count++) {
          const next = step(replay, at, unit, forward, review.seat);
          expect(forward ? next >= at : next <= at).toBe(true);
          if (next === at) break;
          at = next;
        }
        expect(step(replay, at, unit, forward, review.seat)).toBe(at);
      }
  });

  test(`${name}: steps by turn reach every decision of the reviewed seat`, () => {
    const met: number[] = [];
    for (let at = replay.first - 1; ;) {
      const next = step(replay, at, "turn", true, review.seat);
      if (next === at) break;
      met.push((at = next));
    }
    expect(met).toEqual(review.decisions.map((one) => one.event));
  });

  test(`${name}: steps by difference follow the list in order of time`, () => {
    const met: number[] = [];
    for (let at = replay.first - 1; ;) {
      const next = step(replay, at, "disagreement", true, review.seat);
      if (next === at) break;
      met.push((at = next));
    }
    expect(met).toEqual(disagreeing(review, "time").map((one) => one.event));
    expect(met.length).toBe(review.report.total.decisions - review.report.total.agreed);
  });

  test(`${name}: by cost, the listed moments come first`, () => {
    const first = disagreeing(review, "cost").slice(0, review.report.moments.length);
    expect(first.map((one) => one.number)).toEqual(moments(review).map((one) => one.number));
  });

  test(`${name}: another seat's turns are its draws and calls`, () => {
    const other = (review.seat + 1) % review.players;
    const at = step(replay, replay.first, "turn", true, other);
    expect(["tsumo", "pon", "chi"]).toContain(review.events[at - 1]?.["type"]);
    expect(review.events[at - 1]?.["actor"]).toBe(other);
  });
}

test("a game of several hands is split at their beginnings", () => {
  const hand = sanma.events.filter((one) => !["start_game", "end_game"].includes(one.type));
  const start = sanma.events.find((one) => one.type === "start_game")!;
  const replay = replayOf({ ...(sanma as Review), events: [start, ...hand, ...hand], decisions: [] });
  expect(replay.hands.map((one) => [one.start, one.end])).toEqual([
    [2, 1 + hand.length],
    [2 + hand.length, 1 + 2 * hand.length],
  ]);
  expect(handAt(replay, 1 + hand.length)?.number).toBe(0);
  expect(handAt(replay, 2 + hand.length)?.number).toBe(1);
  expect(step(replay, 5, "hand", true, 0)).toBe(2 + hand.length);
  expect(step(replay, 2 + hand.length, "hand", false, 0)).toBe(2);
});

test("places outside of the game become its ends", () => {
  const replay = replayOf(sanma as Review);
  expect([clamp(replay, -5), clamp(replay, 1e9)]).toEqual([replay.first, replay.last]);
  expect([along(replay, replay.first), along(replay, replay.last)]).toEqual([0, 1]);
});

test("the turn counts the seat's discards", () => {
  const replay = replayOf(sanma as Review);
  const turns = sanma.decisions.map((one) => turnOf(replay, one as Review["decisions"][number]));
  expect(turns[0]).toBe(1);
  expect(turns).toEqual([...turns].sort((a, b) => a - b));
});

test("a cost has three steps, a measured loss three others", () => {
  const plain = sanma as Review;
  const losses = { measured: 1, worse: 1, better: 0, lost: 0.1, kinds: [] };
  const measured = { ...plain, report: { ...plain.report, losses } };
  const first = plain.decisions[0]!;
  const steps = ["small", "small", "middle", "middle", "large", "large"];
  expect([0, 0.19, 0.2, 0.49, 0.5, 1].map((cost) => weight({ ...first, cost }, plain))).toEqual(steps);
  expect([-0.3, 0.04, 0.05, 0.09, 0.1, 1].map((lost) => weight(lossy(first, lost), measured))).toEqual(steps);
  expect(weight({ ...lossy(first, 0.3, false), cost: 1 }, measured)).toBe("small");
  expect(weight({ ...first, cost: 1 }, measured)).toBe("small");
});

test("certainly worse choices come first by cost, whatever the reviewer's probabilities", () => {
  const { decisions } = sanma as Review;
  const [some, most] = disagreeing(sanma as Review, "cost").slice(-2) as [Decision, Decision];
  const measured = decisions.map((one) =>
    one.number === some.number ? lossy(one, 0.02) : one.number === most.number ? lossy(one, 0.3) : one,
  );
  const order = disagreeing({ ...(sanma as Review), decisions: measured }, "cost").map((one) => one.number);
  expect(order.slice(0, 2)).toEqual([most.number, some.number]);
});

function lossy(decision: Decision, lost: number, certain = true): Decision {
  const loss = { lost, low: lost - 0.01, high: lost + 0.01, certain, samples: 128, reasons: [], kind: null };
  return { ...decision, loss };
}
