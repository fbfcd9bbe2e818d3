// The bot of simple.py in JavaScript, without packages.

import { createInterface } from "node:readline";

const WANTED = ["hora", "nukidora", "reach"];
let me = null;
let hand = [];

function remove(tiles) {
  for (const tile of tiles) hand.splice(hand.indexOf(tile), 1);
}

function hear(event) {
  if (event.type === "start_game") me = event.id;
  else if (event.type === "start_kyoku") hand = [...event.tehais[me]];
  else if (event.actor !== me) return;
  else if (event.type === "tsumo") hand.push(event.pai);
  else if (["dahai", "nukidora", "kakan"].includes(event.type)) remove([event.pai]);
  else if (["chi", "pon", "daiminkan", "ankan"].includes(event.type)) remove(event.consumed);
}

function answer(event) {
  const possible = event.possible_actions ?? [];
  for (const name of WANTED) {
    const found = possible.find((one) => one.type === name);
    if (found) return found;
  }
  if (event.actor !== me || !["tsumo", "reach", "pon", "chi"].includes(event.type)) return { type: "none" };
  const barred = event.cannot_dahai ?? [];
  const tile = hand.findLast((one) => !barred.includes(one));
  const drawn = ["tsumo", "reach"].includes(event.type) ? hand.at(-1) : null;
  return { type: "dahai", actor: me, pai: tile, tsumogiri: tile === drawn };
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line);
  const events = Array.isArray(said) ? said : [said];
  events.forEach(hear);
  console.log(JSON.stringify(answer(events.at(-1))));
}
