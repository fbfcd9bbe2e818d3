// Prints the hashes of tools/fingerprint.py for the npm package:
//
//     node test/fingerprint.mjs games COUNT
//     node test/fingerprint.mjs scores FOLDER
//     node test/fingerprint.mjs inputs FOLDER
//     node test/fingerprint.mjs samples FOLDER

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rulesOf } from "../dist/engine.js";
import { GAMES } from "../dist/generated.js";
import { load } from "../dist/index.js";
import { sizeOf } from "../dist/records.js";

const FIELDS = ["actor", "phase", "clock", "games", "hand_number", "wall"];
const NUMBERS = {
  actor: Int8Array,
  phase: Int8Array,
  clock: BigInt64Array,
  games: BigInt64Array,
  hand_number: BigInt64Array,
};

const digest = (arrays) => {
  const hash = createHash("sha256");
  for (const array of arrays) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest("hex").slice(0, 16);
};

/** As Tables without auto_reset: random play goes on after a hand and after a game. */
function games(janshi, count) {
  for (const { rules } of Object.values(GAMES))
    for (const preset of Object.keys(rules)) {
      const columns = Object.fromEntries([...FIELDS, "points"].map((field) => [field, []]));
      for (let index = 0; index < count; index++) {
        const table = janshi.table(preset, { seed: 11 + index });
        for (let turn = 0; turn < 6; turn++) table.playRandomly(150);
        const { state } = table;
        for (const field of FIELDS) columns[field].push(state[field]);
        columns.points.push(...state.seats.map((seat) => seat.points));
        table.free();
      }
      const walls = columns.wall.map((wall) => [...wall]).flat();
      const arrays = FIELDS.map((field) =>
        field === "wall" ? Int8Array.from(walls) : NUMBERS[field].from(columns[field]),
      );
      console.log("games", preset, digest([...arrays, Int32Array.from(columns.points)]));
    }
}

const read = (folder, name) => readFileSync(join(folder, name));

function place(engine, bytes) {
  const address = engine.allocate(bytes.length);
  engine.bytes(address, bytes.length).set(bytes);
  return address;
}

function scores({ engine }, folder) {
  const bytes = read(folder, "winnings.bin");
  const count = bytes.length / sizeOf("RiichiWinning");
  const [hands, values] = [place(engine, bytes), engine.allocate(count * sizeOf("RiichiValue"))];
  const [wins, faults] = [engine.allocate(count), engine.allocate(count)];
  const tools = engine.record("RiichiScoreWorkspace");
  engine.exports.score(
    engine.rules("riichi", rulesOf("riichi", "tenhou")),
    1,
    tools,
    1,
    hands,
    count,
    values,
    count,
    wins,
    count,
    faults,
    count,
  );
  const won = engine.bytes(wins, count);
  const rows = [...won.keys()]
    .filter((row) => won[row])
    .map((row) => engine.copy("RiichiValue", values + row * sizeOf("RiichiValue")));
  const fields = Object.keys(rows[0]).map((name) =>
    typeof rows[0][name] === "bigint"
      ? BigInt64Array.from(rows, (row) => row[name])
      : Int32Array.from(rows, (row) => row[name]),
  );
  console.log("scores", count, rows.length, digest([won, engine.bytes(faults, count), ...fields]));
}

function inputs({ engine }, folder) {
  for (const [game, presets] of [
    ["riichi", ["tenhou", "tenhou-sanma"]],
    ["sichuan", ["sichuan", "sichuan-exchange"]],
  ])
    for (const preset of presets) {
      const bytes = read(folder, `${preset}.bin`);
      const count = bytes.length / sizeOf(game === "riichi" ? "RiichiView" : "SichuanView");
      const views = place(engine, bytes);
      const width = GAMES[game].inputs[0];
      const dense = engine.allocate(count * width * (game === "riichi" ? 34 : 1));
      if (game === "riichi") {
        const masks = engine.allocate(8 * width * count);
        engine.exports.riichi_encode(
          engine.tables,
          engine.record(GAMES.riichi.workspaces.encode),
          views,
          count,
          masks,
          width,
        );
        engine.exports.expand_masks(masks, count, width, dense, width, 34);
      } else
        engine.exports.sichuan_encode(
          engine.tables,
          engine.record(GAMES.sichuan.workspaces.encode),
          views,
          count,
          dense,
          width,
        );
      console.log("inputs", preset, count, digest([engine.bytes(dense, count * width * (game === "riichi" ? 34 : 1))]));
    }
}

function samples(janshi, folder) {
  for (const preset of ["tenhou", "tenhou-sanma"]) {
    const size = sizeOf("RiichiState");
    const bytes = read(folder, `${preset}-tables.bin`);
    const count = bytes.length / size;
    const seeds = new BigInt64Array(Uint8Array.from(read(folder, `${preset}-seeds.bin`)).buffer);
    const [states, table] = [place(janshi.engine, bytes), janshi.table(preset)];
    const walls = [...Array(count).keys()].flatMap((row) => {
      const hidden = table.inState(states + row * size).hidden();
      const each = seeds.length / count;
      const sampled = hidden.sampleBy(seeds.subarray(row * each, (row + 1) * each));
      hidden.free();
      return sampled.map((other) => other.state.wall);
    });
    console.log("samples", preset, count, digest(walls));
  }
}

const [what, argument] = process.argv.slice(2);
const janshi = await load();
if (what === "games") games(janshi, Number(argument));
else ({ scores, inputs, samples })[what](janshi, argument);
