// Plays games in a compiled module with nothing but WebAssembly, and prints what came of them as one line of JSON.
// node node_games.mjs MODULE SEED FIRST COUNT BY LIMIT TRACED   (BY: 0 turn, 1 decision; TRACED: games told state by state)

import { readFileSync } from "node:fs";

const [file, seed, first, count, by, limit, traced] = process.argv.slice(2).map((word, i) => (i ? Number(word) : word));
const module = new WebAssembly.Module(readFileSync(file));
const [section] = WebAssembly.Module.customSections(module, "alfonso");
const about = JSON.parse(new TextDecoder().decode(section));
const { exports } = new WebAssembly.Instance(module, {});
const memory = new DataView(exports.memory.buffer);

function columns() {
  const [at, width] = about.columns;
  exports.games(BigInt(seed), BigInt(first), count, by, limit);
  return Array.from({ length: width }, (_, column) =>
    Array.from({ length: count }, (_, game) => memory.getInt32(at + 4 * (width * game + column), true)),
  );
}

function choices() {
  const [at, number] = about.choices;
  const found = {};
  for (let many = 0; many < number; many++) {
    const times = memory.getUint32(at + 4 * many, true);
    if (times) found[many] = times;
  }
  return found;
}

const key = () => Buffer.from(exports.memory.buffer, about.state.at, about.state.key).toString("hex");

function trace(number) {
  const { at, initial, size, ending, turns } = about.state;
  new Uint8Array(exports.memory.buffer).copyWithin(at, initial, initial + size);
  exports.seed_game(BigInt(seed), BigInt(number));
  const states = [key()];
  while (memory.getInt16(at + ending, true) < 0 && memory.getInt32(at + turns, true) < limit) {
    exports.ask_draw(by);
    states.push(key());
  }
  return states;
}

function generator() {
  exports.set_chance(1n, 2n, 3n, 4n);
  const numbers = Array.from({ length: 10 }, () => BigInt.asUintN(64, exports.next()).toString());
  exports.seed_game(7n, 0n);
  return { next: numbers, below: Array.from({ length: 200 }, (_, i) => exports.below(1 + 7 * i)) };
}

console.log(
  JSON.stringify({
    hash: about.hash,
    columns: columns(),
    choices: choices(),
    traces: Array.from({ length: traced }, (_, i) => trace(first + i)),
    generator: generator(),
  }),
);
