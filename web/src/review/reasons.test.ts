import "../games";
import { expect, test } from "vitest";
import { en } from "../i18n/en";
import { ja } from "../i18n/ja";
import { zh } from "../i18n/zh";
import type { Candidate, Cause, Decision, Ends, Loss, Need, Option, Reason } from "../messages";
import { emptyTable } from "../table/fold";
import { explain } from "./explain";
import { change, endsOf, reasonsOf, worth, type Measured } from "./reasons";

const option = (action: number, name: Option["name"], tile: string | null): Option => ({ action, name, tile });
const OPTIONS = [
  option(13, "discard", "5p"),
  option(26, "discard", "9s"),
  option(90, "ron", "9s"),
  option(91, "pass", null),
];
const ENDS: Ends = {
  samples: 512,
  win: 0.1,
  value: 5200,
  han: 3,
  yaku: [],
  tiles: [],
  deal_in: 0.14,
  price: 7000,
  to: [],
  draw: 0.3,
  tenpai: 0.5,
  draw_points: 300,
  others: 0.46,
  others_points: -1200,
  points: -320,
  place: 2.6,
};

function measured(reasons: Reason[], more: Partial<Loss> = {}, done = 13, best = 26, dealer = 1): Measured {
  const loss = { lost: 0.2, low: 0.1, high: 0.3, certain: true, samples: 512, reasons, kind: null, ...more };
  const advice = { by: "sl", best, preferences: [], shanten: 1, candidates: [], after: [] };
  const decision = { advice, options: OPTIONS, done, loss } as unknown as Decision;
  const state = { ...emptyTable(4), game: "riichi", names: ["Mori", "Aya", "Bob", "Chie"], dealer };
  return { decision, loss, state, seat: 0, unit: "places" };
}

const because = (kind: Reason["kind"], done: number, best: number, ...causes: Cause[]): Reason => ({
  kind,
  done,
  best,
  causes,
});
function said(reasons: Reason[], more: Partial<Loss> = {}, candidates: Candidate[] = []): string[] {
  const asked = measured(reasons, more);
  asked.decision.advice.candidates.push(...candidates);
  return reasonsOf(asked, en);
}

test.each<[Reason, string]>([
  [
    because("win", 0.27, 0.44, { kind: "wait", done: 4, best: 8 }),
    "wins 27 % instead of 44 %: waits for 4 tiles instead of 8 tiles",
  ],
  [because("win", 0.1, 0.3, { kind: "yakuless" }), "wins 10 % instead of 30 %: the wait has no yaku for a ron"],
  [because("win", 0.1, 0.3, { kind: "furiten" }), "wins 10 % instead of 30 %: the hand is furiten"],
  [
    because("win", 0.1, 0.3, { kind: "shanten", done: 1, best: 0 }),
    "wins 10 % instead of 30 %: 1-shanten instead of tenpai",
  ],
  [
    because("win", 0.1, 0.3, { kind: "ukeire", done: 12, best: 20 }),
    "wins 10 % instead of 30 %: ukeire of 12 tiles instead of 20",
  ],
  [
    because(
      "value",
      2100,
      5300,
      { kind: "yaku", name: "riichi", done: 0, best: 0.81 },
      { kind: "yaku", name: "ura-dora", done: 0, best: 0.42 },
    ),
    "a win is worth 2,100 points instead of 5,300: riichi in 0 % of the wins instead of 81 %, 0.0 ura-dora a win instead of 0.4",
  ],
  [
    because("value", 2100, 5300, { kind: "han", done: 2, best: 3.44 }),
    "a win is worth 2,100 points instead of 5,300: 2 han a win instead of 3.4 han",
  ],
  [
    because(
      "deal_in",
      0.12,
      0.03,
      { kind: "seat", seat: 1, done: 0.09, best: 0.01 },
      { kind: "safety", seat: 1, safety: ["open", "safe"] },
    ),
    "deals in 12 % instead of 3 %: deal-ins to Aya 9 % instead of 1 %, against Aya [5p] is not safe and [9s] is genbutsu",
  ],
  [
    because("draw", -900, 300, { kind: "tenpai", done: 0.2, best: 0.7 }),
    "a draw brings −900 points instead of +300: tenpai in 20 % of the draws instead of 70 %",
  ],
  [because("others", 0.5, 0.4), "others win 50 % instead of 40 %"],
])("a reason is followed by its causes", (reason, text) => {
  expect(said([reason])).toEqual([text]);
});

const needs = (place: number, ron: number | null, direct: number | null, tsumo: number | null): Cause => {
  const need: Need = { place, ron, direct, tsumo };
  return { kind: "needs", need };
};

test.each<[number, Cause, string]>([
  [
    1,
    needs(2, 5200, 3900, 6400),
    "second place needs 5,200 points by ron or 3,900 points by ron from second place or 6,400 points by tsumo",
  ],
  [1, needs(2, 8000, 8000, 12000), "second place needs mangan by ron or haneman by tsumo"],
  [0, needs(1, 12000, null, 12000), "first place needs mangan by ron or mangan by tsumo"],
  [1, needs(1, null, 32000, null), "first place needs yakuman by ron from first place"],
  [1, needs(1, null, null, null), "no hand reaches first place"],
])("the needs of a place are points or limit hands, without ways that do not exist", (dealer, cause, text) => {
  const { decision, loss, ...more } = measured([because("place", 3.2, 3, cause)], {}, 91, 90, dealer);
  expect(reasonsOf({ decision, loss, ...more }, en)).toEqual([`mean final place 3.20 instead of 3.00: ${text}`]);
});

test("a win that fixes a place is named by its action", () => {
  const win = because("place", 2.6, 3, { kind: "fixes", done: null, best: 3 }, needs(2, 8000, 8000, 8000));
  expect(reasonsOf(measured([win], {}, 91, 90), en)).toEqual([
    "mean final place 2.60 instead of 3.00: the ron fixes third place, second place needs mangan by ron or mangan by tsumo",
  ]);
  const passed = because("place", 3, 2.6, { kind: "fixes", done: 3, best: null });
  expect(reasonsOf(measured([passed], {}, 90, 91), ja)).toEqual(["平均最終順位3.00（検討者は2.60）：ロンで3着が確定"]);
});

test("a push and a fold are named by both prices in the place of their figures", () => {
  const fold = { ...ENDS, win: 0.0213, value: null, deal_in: 0.03, price: 6000 };
  const safety: Cause = { kind: "safety", seat: 1, safety: ["open", "safe"] };
  const draw = because("draw", -900, 300);
  const prices = [
    "[5p]: wins are worth 520 points (10.0 % × 5,200), deal-ins cost 980 points (14.0 % × 7,000)",
    "[9s]: wins are worth nothing, deal-ins cost 180 points (3.0 % × 6,000)",
  ];
  const ends = [ENDS, fold];
  const told = "a draw brings −900 points instead of +300";
  const against = "against Aya [5p] is not safe and [9s] is genbutsu";
  expect(said([because("deal_in", 0.14, 0.03, safety), draw], { kind: "pushed", ends })).toEqual([
    ...prices,
    against,
    told,
  ]);
  expect(said([draw, because("win", 0.1, 0.2)], { kind: "folded", ends })).toEqual([told, ...prices]);
  expect(said([draw], { kind: "folded", ends })).toEqual([told, ...prices]);
});

test("a comparison says nothing that a measured cause says", () => {
  const candidate = (tile: string, action: number, left: number, level: "safe" | "open") => ({
    tile,
    actions: [action],
    shanten: 0,
    accepts: [{ tile: "1s", left }],
    left,
    furiten: false,
    safety: { "1": level, "2": level },
  });
  const { decision, state } = measured([
    because("win", 0.27, 0.44, { kind: "wait", done: 4, best: 8 }),
    because("deal_in", 0.12, 0.03, { kind: "safety", seat: 1, safety: ["open", "safe"] }),
  ]);
  decision.advice.candidates.push(candidate("5p", 13, 4, "open"), candidate("9s", 26, 8, "safe"));
  expect(said(decision.loss!.reasons, {}, decision.advice.candidates)[0]).toBe(
    "wins 27 % instead of 44 %: waits for 4 tiles ([1s]) instead of 8 tiles ([1s])",
  );
  expect(explain(decision, state.names, en)).toEqual([
    "Against the riichi of Bob: [9s] is genbutsu, [5p] is not safe.",
  ]);
  expect(explain({ ...decision, loss: null }, state.names, en)).toHaveLength(3);
});

test("every language has every reason without gaps", () => {
  const causes: Cause[] = [
    { kind: "yakuless" },
    { kind: "furiten" },
    { kind: "shanten", done: 1, best: 0 },
    { kind: "yaku", name: "tanyao", done: 0.2, best: 0.5 },
    { kind: "yaku", name: "dora", done: 0.2, best: 1.5 },
    { kind: "han", done: 2, best: 3 },
    { kind: "seat", seat: 2, done: 0.2, best: 0.1 },
    ...(["safe", "suji", "no_chance", "one_chance", "scarce", "open"] as const).map((level): Cause => ({
      kind: "safety",
      seat: 2,
      safety: ["open", level],
    })),
    { kind: "fixes", done: null, best: 2 },
    needs(1, 1000, null, 8000),
  ];
  for (const words of [en, ja, zh])
    for (const kind of ["win", "value", "deal_in", "price", "draw", "others", "points", "place"] as const)
      for (const text of reasonsOf(measured([because(kind, 1, 2, ...causes)]), words))
        expect(text).not.toMatch(/undefined|null|NaN|\[\]|: ,|：、/);
});

test("points of a hand have a sign as changes, and a decimal in games of small values", () => {
  expect([
    change(300, "places"),
    change(-0.4, "places"),
    change(-1200, "places"),
    change(-1.25, "points"),
    change(-0.04, "points"),
  ]).toEqual(["+300", "0", "−1,200", "−1.3", "0.0"]);
  expect(worth(5.25, "points")).toBe("5.3");
});

test("ends belong to the choice taken and to the reviewer's", () => {
  const { decision, loss } = measured([], { ends: [ENDS, { ...ENDS, win: 0.2 }] });
  expect(endsOf(decision, loss).map(({ action, ends }) => [action, ends.win])).toEqual([
    [13, 0.1],
    [26, 0.2],
  ]);
  expect(endsOf(decision, { ...loss, ends: undefined as never })).toEqual([]);
});
