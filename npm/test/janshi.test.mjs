import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  JanshiError,
  kindsIn,
  load,
  parseTiles,
  RiichiEvent,
  RiichiPhase,
  SichuanEvent,
  SichuanPhase,
  tileText,
} from "../dist/index.js";

const janshi = await load();
const texts = (tiles) => tiles.map(tileText).join(" ");

test("a game is played to its end", () => {
  const table = janshi.table("tenhou-sanma-east", { seed: 7 });
  let hands = 0;
  while (!table.over) {
    while (!table.handOver) table.act(table.legal[table.legal.length >> 1]);
    hands += 1;
    const { change, reason } = table.result;
    assert.equal(change.length, 3);
    assert.ok(reason.length > 0);
    if (!table.over) table.nextHand();
  }
  assert.ok(hands >= 3);
  assert.equal(
    table.scores.reduce((sum, points) => sum + points),
    105_000,
  );
});

test("the wall of a seed can be given", () => {
  const first = janshi.table("sichuan-hand", { seed: 5 });
  const second = janshi.table("sichuan-hand", {
    seed: 6,
    wall: first.state.wall,
  });
  assert.deepEqual([...second.state.hands[2].counts], [...first.state.hands[2].counts]);
});

test("a hand within a game can be given", () => {
  const { wall } = janshi.table("tenhou", { seed: 5 }).state;
  const start = { kyoku: 6, honba: 2, deposits: 1, dealer: 2, points: [20_000, 30_000, 24_000, 25_000] };
  const table = janshi.table("tenhou", { wall, start });
  assert.deepEqual([table.state.kyoku, table.actor, table.scores], [6, 2, start.points]);
  assert.deepEqual(table.state.wall, wall);
  while (!table.handOver) table.act(table.legal.at(-1));
  table.nextHand();
  assert.ok(table.state.kyoku === 7 || table.state.honba === 3);
});

test("a later hand of Sichuan mahjong can be given", () => {
  const { wall } = janshi.table("sichuan", { seed: 5 }).state;
  const start = { before: 1, dealer: 2, points: [3, -1, -1, -1] };
  const table = janshi.table("sichuan", { wall, start, changes: { hands: 2 } });
  assert.deepEqual([table.state.dealer, table.scores], [2, start.points]);
  assert.deepEqual(table.state.wall, wall);
  while (!table.handOver) table.act(table.legal[0]);
  assert.ok(table.over);
  const wrong = { kyoku: 0, honba: 0, deposits: 0, dealer: 0, points: [0, 0, 0, 0] };
  assert.throws(() => janshi.table("sichuan", { wall, start: wrong }), JanshiError);
  assert.throws(() => janshi.table("sichuan", { start }), JanshiError);
});

test("sampled tables show the seat of Sichuan mahjong what it has seen", () => {
  for (const rules of ["sichuan-exchange", "sichuan-novikov"]) {
    const table = janshi.table(rules, { seed: 6 });
    assert.throws(() => table.hidden(), JanshiError);
    for (let turn = 0; turn < 90 && !table.handOver; turn++) {
      const { state, actor } = table;
      if (turn % 9 === 8 && state.phase >= SichuanPhase.TURN) {
        const hands = new Set();
        for (const sampled of table.hidden(turn).sample(6)) {
          const other = sampled.state;
          hands.add(other.hands.map((hand) => hand.counts.join()).join());
          while (sampled.actor !== actor) sampled.act(sampled.legal.at(-1));
          assert.deepEqual(sampled.legal, table.legal);
          assert.deepEqual(sampled.encode(), table.encode());
          assert.deepEqual(sampled.events(actor), table.events(actor));
          const tiles = ({ hands, wall, next, left }) =>
            [
              ...hands.flatMap(({ counts, laid }) =>
                [...counts].flatMap((count, kind) => Array(count + Number(laid === kind)).fill(kind)),
              ),
              ...wall.slice(next, next + left),
            ].sort((a, b) => a - b);
          assert.deepEqual(tiles(other), tiles(state));
          other.hands.forEach((hand, who) => {
            const { void: suit } = state.seats[who];
            const discards = state.log.slice(0, 4 * state.logged);
            const shown = [...discards.keys()].some(
              (at) =>
                at % 4 === 0 &&
                discards[at] === SichuanEvent.DISCARD &&
                discards[at + 1] === who &&
                Math.floor(discards[at + 2] / 9) !== suit,
            );
            if (who !== actor && suit >= 0 && shown)
              assert.ok([...hand.counts].every((count, kind) => count === 0 || Math.floor(kind / 9) !== suit));
          });
          sampled.free();
        }
        assert.ok(hands.size > 1 || state.left === 0);
      }
      table.act(table.best(Array.from({ length: 61 }, (_, action) => (action * 7 + turn) % 13)));
    }
  }
});

test("rules of a table can change in a hand", () => {
  const directions = [1, 2, 3].map((exchange) => {
    const table = janshi.table("sichuan-exchange", { seed: 5 });
    table.setRules({ exchange });
    while (table.state.phase === SichuanPhase.EXCHANGE) table.act(table.legal[0]);
    assert.equal(table.fields.exchange, 4);
    return table.state.direction;
  });
  assert.deepEqual(directions, [1, 2, 3]);
});

test("fields of the rules can differ", () => {
  const table = janshi.table("sichuan", { seed: 5, changes: { hands: 2 } });
  let hands = 0;
  for (; !table.over; hands++) {
    while (!table.handOver) table.act(table.legal[0]);
    if (!table.over) table.nextHand();
  }
  assert.equal(hands, 2);
});

test("a seat does not see the tiles that others draw", () => {
  const table = janshi.table("tenhou", { seed: 3 });
  for (let turn = 0; turn < 12; turn++) table.act(table.legal[0]);
  const drawn = (seat) => table.events(seat).filter(([event, who]) => event === RiichiEvent.DRAW && who !== seat);
  for (const seat of [0, 1, 2, 3]) assert.ok(drawn(seat).every(([, , tile]) => tile === -1));
  assert.equal(table.view(1).seat, 1);
  assert.deepEqual([...table.view(1).hand.counts], [...table.state.hands[1].counts]);
});

test("a copy goes its own way", () => {
  const table = janshi.table("tenhou-hand", { seed: 1 });
  const copy = table.copy();
  copy.act(copy.legal[0]);
  assert.notEqual(copy.state.clock, table.state.clock);
});

test("memory of freed tables is used again", () => {
  const rules = "tenhou";
  janshi.table(rules).free();
  const before = performance.now();
  for (let count = 0; count < 20_000; count++) janshi.table(rules).free();
  assert.ok(performance.now() - before < 60_000);
});

test("networks read one row", () => {
  const input = janshi.table("tenhou", { seed: 3 }).encode();
  assert.deepEqual(input.dims, [1, 369, 34]);
  assert.equal(input.data.length, 369 * 34);
  const table = janshi.table("tenhou", { seed: 3 });
  const answers = new Float32Array(127);
  answers[table.legal[3]] = 1;
  assert.equal(table.best(answers), table.legal[3]);
});

test("discards that a seat in riichi has discarded are safe from it", () => {
  let safe = 0;
  for (let seed = 0; seed < 40; seed++) {
    const table = janshi.table("tenhou-hand", { seed });
    while (!table.handOver) {
      const declared = table.state.seats.findIndex((seat) => seat.riichi);
      const { candidates, risk } = table.advice();
      for (const { tile, actions, safety } of declared >= 0 && table.actor !== declared ? candidates : []) {
        const names = kindsIn(table.state.seats[declared].river_mask).map(tileText);
        if (!/^[1-9]/.test(tile) || !names.includes(tile)) continue;
        assert.equal(safety[declared], "safe");
        assert.ok(risk[actions[0]] < 1);
        safe += 1;
      }
      const riichi = table.legal.find((action) => table.actionText(action) === "riichi");
      const discard = candidates[0]?.actions[0];
      table.act(riichi ?? discard ?? table.legal[table.legal.length - 1]);
    }
  }
  assert.ok(safe > 0);
});

test("hand tools agree with the examples of the Python package", () => {
  assert.equal(janshi.shanten("19m19p19s1234567z", { form: "orphans" }), 0);
  assert.equal(janshi.shanten("123m456p789s11z", { calls: 1 }), -1);
  assert.equal(texts(janshi.waits("1112345678999m")), "1m 2m 3m 4m 5m 6m 7m 8m 9m");
  const [best] = janshi.ukeire("123m456p78s111556z", { visible: "9s" });
  assert.deepEqual([tileText(best.discard), best.shanten, texts(best.accepted), best.left], ["6z", 0, "6s 9s", 7]);
  const value = janshi.score("123m456p789s1122z2z", {
    riichi: true,
    seat: "S",
  });
  assert.deepEqual([value.han, value.fu, value.points], [2, 40, 2600]);
  assert.deepEqual(
    value.yaku.map(([name]) => name),
    ["riichi", "own wind south"],
  );
  const open = janshi.score("11122m", {
    melds: ["555p", "777s", "123s"].slice(0, 2),
    closedKans: ["7777z"],
    tsumo: true,
  });
  assert.deepEqual(open.payments, { others: open.points / 3 });
  assert.deepEqual(janshi.fan("11223344m556677p"), {
    fans: [["seven pairs", 2]],
    fan: 2,
    points: 4,
    each: 5,
  });
  assert.equal(tileText(janshi.sichuanUkeire("123456m1155578p9s", { void: "s" })[0].discard), "9s");
  assert.deepEqual(parseTiles("10p 7z"), [9, 35, 33]);
});

const WRONG = {
  "an unknown rule set": [() => janshi.table("chess"), /no rules named "chess"; there are tenhou, /],
  "a seed that is no whole number": [() => janshi.table("tenhou", { seed: 0.5 }), /a seed is a whole number, not 0.5/],
  "a seed of more than 64 bits": [() => janshi.table("tenhou", { seed: 1n << 64n }), /does not fit into 64 bits/],
  "a hand within a game without a wall": [
    () => janshi.table("tenhou", { start: { kyoku: 0, honba: 0, deposits: 0, dealer: 0, points: [] } }),
    /needs its wall/,
  ],
  "a wall with a tile twice": [
    () => janshi.table("tenhou", { wall: Array(136).fill(0) }),
    /holds its 136 tiles once each/,
  ],
  "an unknown field of the rules": [() => janshi.table("tenhou", { changes: { tea: 1 } }), /tenhou have no field tea/],
  "a number that is no action": [() => janshi.table("tenhou").act(122), /action must be a whole number from 0 to 121/],
  "a seat that is not there": [() => janshi.table("tenhou-sanma").view(3), /seat must be a whole number from 0 to 2/],
  "the next hand during a hand": [() => janshi.table("tenhou").nextHand(), /the hand is not over/],
  "text that is no hand": [() => janshi.shanten("123x"), /"123x" is no hand/],
  "five of a kind": [() => janshi.shanten("11111m"), /holds 1m 5 times/],
  "too few tiles": [() => janshi.shanten("123m"), /the hand has 3 tiles: with 0 calls it has 13 or 14/],
  "middle man of three players": [() => janshi.waits("2223334445556m", { players: 3 }), /three players do not use/],
  "a hand without yaku": [() => janshi.score("123m567p789s33222z"), /'123m567p789s33222z' has no yaku/],
  "contradictory circumstances": [() => janshi.score("123m456p789s1122z2z", { ippatsu: true }), /ippatsu needs riichi/],
  "a red five that the rules lack": [
    () => janshi.score("123m406p789s1122z2z", { rules: "ema" }),
    /have 0 of 0p, not 1/,
  ],
  "honours in Sichuan": [() => janshi.fan("11223344m55667z"), /no honours/],
};
for (const [what, [call, message]] of Object.entries(WRONG))
  test(`${what} is refused with one clear error`, () => {
    assert.throws(
      call,
      (error) => (error instanceof JanshiError && message.test(error.message)) || assert.fail(String(error)),
    );
  });

const LISTED = JSON.parse(readFileSync(new URL("impossible-hands.json", import.meta.url), "utf8"));
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
for (const { tiles, words, ...options } of LISTED)
  test(`${tiles} ${JSON.stringify(options)} cannot be`, () => {
    const named = Object.fromEntries(Object.entries(options).map(([name, value]) => [camel(name), value]));
    assert.throws(
      () => janshi.score(tiles, named),
      (error) => (error instanceof JanshiError && error.message.includes(words)) || assert.fail(String(error)),
    );
  });

const VALUES = JSON.parse(readFileSync(new URL("../../tests/vectors/riichi-values.json", import.meta.url), "utf8"));
/** Rows of a vector file, one a case: see `tests/claims.py`. */
function* claims(rows) {
  for (const { cases, why, ...row } of rows) {
    const [columns, ...values] = cases ?? ["", ""];
    for (const texts of values) {
      const given = typeof texts === "string" ? texts.split(" ").map(valueOf) : texts;
      const filled = Object.entries(row).map((pair) => pair.map((each) => fill(each, columns.split(" "), given)));
      yield Object.fromEntries(filled);
    }
  }
}
const valueOf = (text) =>
  /^(\[.*|-?\d+|true|false)$/.test(text) ? JSON.parse(text) : text === "-" ? "" : text.replaceAll(",", " ");
const fill = (value, columns, given) =>
  columns.reduce(
    (text, column, at) =>
      text === `{${column}}` ? given[at] : typeof text === "string" ? text.replaceAll(`{${column}}`, given[at]) : text,
    value,
  );
test("hands have the values that Python's tests list", () => {
  let compared = 0;
  for (const { claim, rules = "tenhou", tiles, win, how = "", ...expected } of claims(VALUES)) {
    if (rules.includes("=") || expected.error) continue;
    const options = { rules: rules.trim(), ...(win && { win }) };
    for (const [name, value] of how.split(" ").map((word) => word.split("=")).filter(([name]) => name)) {
      if (name === "melds" || name === "kans") options[name === "kans" ? "closedKans" : name] = value.split(",");
      else options[camel(name)] = ["honba", "kitas"].includes(name) ? Number(value) : (value ?? true);
    }
    const value = janshi.score(tiles, options);
    const names = value.yaku.map(([name]) => name).sort();
    for (const name of ["han", "fu", "points", "yakuman"])
      if (typeof expected[name] === "number") assert.equal(value[name], expected[name], `${claim}: ${name}`);
    if (expected.yaku) assert.equal(names.join(", "), expected.yaku, claim);
    if (expected.payments) assert.deepEqual(value.payments, expected.payments, claim);
    compared += 1;
  }
  assert.ok(compared > 150);
});

test("an illegal action leaves the table unchanged", () => {
  const table = janshi.table("tenhou", { seed: 2 });
  const before = JSON.stringify(table.events(0));
  const illegal = [...Array(122).keys()].find((action) => !table.legal.includes(action));
  assert.throws(() => table.act(illegal), /seat 0 may not .*; it may: discard/);
  assert.equal(JSON.stringify(table.events(0)), before);
  assert.equal(table.state.phase, RiichiPhase.TURN);
});

test("the module imports nothing and is small", () => {
  const bytes = readFileSync(new URL("../dist/janshi.wasm", import.meta.url));
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
  assert.ok(bytes.length < 390_000);
});
