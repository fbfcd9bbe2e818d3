// The bot of quiet.py in JavaScript, without packages.

import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";

const KINDS = [..."mps"].flatMap((suit) => [..."123456789"].map((number) => number + suit)).concat([..."ESWNPFC"]);
const INDEX = Object.fromEntries(KINDS.map((name, kind) => [name, kind]));
[..."mps"].forEach((suit, at) => (INDEX[`5${suit}r`] = 4 + 9 * at));

function setsAlone(counts, sets) {
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return sets === 0;
  const parts = counts[first] >= 3 ? [[first, first, first]] : [];
  if (first < 27 && first % 9 < 7 && counts[first + 1] && counts[first + 2]) parts.push([first, first + 1, first + 2]);
  return parts.some((part) => {
    const rest = [...counts];
    for (const kind of part) rest[kind]--;
    return setsAlone(rest, sets - 1);
  });
}

function isComplete(counts) {
  const pairs = [...counts.keys()].filter((kind) => counts[kind] >= 2);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 14 && pairs.length === 7) return true;
  return pairs.some((pair) => {
    const rest = [...counts];
    rest[pair] -= 2;
    return setsAlone(rest, Math.floor((total - 2) / 3));
  });
}

let me = 0;
let players = 4;
let hand = [];
let riichi = false;
let draws = 0;

const remove = (tile) => hand.splice(hand.indexOf(tile), 1);

function hear(event) {
  const kind = event.type;
  if (kind === "start_game") me = event.id;
  else if (kind === "start_kyoku") {
    hand = [...event.tehais[me]];
    [players, riichi, draws] = [event.tehais.length, false, 0];
  } else if (event.actor === me) {
    riichi ||= kind === "reach";
    if (kind === "tsumo") {
      hand.push(event.pai);
      draws++;
    } else if (["dahai", "kakan", "nukidora", "kita"].includes(kind)) remove(event.pai);
    else (event.consumed ?? []).forEach(remove);
  }
}

function answer(event) {
  if (event.actor === me) return ["tsumo", "reach", "chi", "pon"].includes(event.type) ? own(event) : null;
  const found = event.possible_actions ?? claims(event);
  if (!found.length) return null;
  return found.find((claim) => claim.type === "hora") ?? (draws % 5 === 2 ? found[0] : { type: "none" });
}

function own(event) {
  if (event.type === "tsumo") {
    const wanted = ["hora", "reach", "nukidora", "kita", "ankan"];
    const action = (event.possible_actions ?? []).find((each) => wanted.includes(each.type));
    if (action) return action;
  }
  const barred = event.cannot_dahai ?? [];
  const tiles = riichi && event.type === "tsumo" ? [event.pai] : hand.filter((tile) => !barred.includes(tile));
  const key = (tile) => company(tile) * 100 - hand.indexOf(tile);
  const lonely = tiles.reduce((best, tile) => (key(tile) < key(best) ? tile : best));
  return { type: "dahai", actor: me, pai: lonely, tsumogiri: event.type === "tsumo" && lonely === event.pai };
}

function company(tile) {
  const kind = INDEX[tile];
  const suit = (each) => Math.floor(each / 9);
  const near = (each) => each === kind || (kind < 27 && suit(each) === suit(kind) && Math.abs(each - kind) < 3);
  return hand.filter((other) => near(INDEX[other])).length;
}

function claims(event) {
  if (!["dahai", "kakan", "nukidora", "kita"].includes(event.type)) return [];
  const counts = Array(34).fill(0);
  for (const tile of hand) counts[INDEX[tile]]++;
  const tile = INDEX[event.pai];
  const named = { actor: me, target: event.actor, pai: event.pai };
  counts[tile]++;
  const found = isComplete(counts) ? [{ type: "hora", ...named }] : [];
  counts[tile]--;
  if (event.type !== "dahai" || riichi) return found;
  const alike = hand.filter((own) => INDEX[own] === tile);
  if (alike.length >= 2) found.push({ type: "pon", ...named, consumed: alike.slice(0, 2) });
  if (players === 4 && (event.actor + 1) % 4 === me && tile < 27) {
    for (const steps of [[-2, -1], [-1, 1], [1, 2]]) {
      const fits = steps.every((step) => (tile % 9) + step >= 0 && (tile % 9) + step < 9 && counts[tile + step]);
      const consumed = steps.map((step) => hand.find((own) => INDEX[own] === tile + step));
      if (fits) found.push({ type: "chi", ...named, consumed });
    }
  }
  return found;
}

const log = join(process.argv[2], `${process.pid}.jsonl`);
const late = Number(process.argv[3] ?? 0);
let number = 0;
let said = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const read = JSON.parse(line);
  const events = Array.isArray(read) ? read : [read];
  number = events[0].type === "start_game" ? 1 : number + 1;
  events.forEach(hear);
  const event = events.at(-1);
  const given = answer(event);
  appendFileSync(log, JSON.stringify({ line: number, event, answer: given, asked: "possible_actions" in event }) + "\n");
  if (given === null) continue;
  said++;
  if (late && said % late === 0) await new Promise((done) => setTimeout(done, ((Math.floor(said / late) % 10) + 1) * 100));
  console.log(JSON.stringify(given));
}
