// Asks players of a module for what they would play, and prints it as one line of JSON.
// node node_players.mjs MODULE RECORDS SLICE   (RECORDS: JSON [[player, record in hex, seed, number, iterations], ...])

import { readFileSync } from "node:fs";

const [file, records, slice] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(file));
const [section] = WebAssembly.Module.customSections(module, "alfonso");
const about = JSON.parse(new TextDecoder().decode(section));
const { exports } = new WebAssembly.Instance(module, {});

function choice([player, record, seed, number, iterations]) {
  new Uint8Array(exports.memory.buffer).set(Buffer.from(record, "hex"), about.state.at);
  exports.player_begin(about.players.indexOf(player), BigInt(seed), BigInt(number));
  let done = 0;
  while (done >= 0 && done < iterations) done = exports.player_think(Math.min(Number(slice), iterations - done));
  const many = exports.player_choice();
  return { done, decisions: [...new Int32Array(exports.memory.buffer, about.scratch, many)] };
}

console.log(JSON.stringify(JSON.parse(readFileSync(records)).map(choice)));
