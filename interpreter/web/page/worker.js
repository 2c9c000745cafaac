// Computer players think here, so that the page stays awake. One question at a time; a newer one ends it.
//
// in    {ask, bytes?, name, state, seed, number, iterations, milliseconds}   `bytes` of a module once, then by its number
// out   {ask, decisions} · {ask, problem}

import { Machine } from "./machine.js";

/** Iterations at first, and milliseconds, between two looks at the clock and at new questions. */
const FIRST = 16;
const LOOK = 20;

let machine = null;
let asked = 0;

const breath = () => new Promise((resolve) => setTimeout(resolve, 0));

/** The decisions a player chooses; null where a newer question has come. */
async function chosen({ ask, name, state, seed, number, iterations, milliseconds }) {
  const { exports, about } = machine;
  machine.put(state);
  const kind = about.players.indexOf(name);
  if (kind < 0) throw new Error(`this game has no player \`${name}\``);
  exports.player_begin(kind, seed, number);
  const begun = performance.now();
  const most = iterations || (milliseconds ? 2 ** 31 - 1 : 0);
  let slice = FIRST;
  for (let done = 0; done >= 0 && done < most; ) {
    const before = performance.now();
    if (milliseconds && before - begun >= milliseconds) break;
    done = exports.player_think(Math.min(slice, most - done));
    const took = performance.now() - before;
    if (took < LOOK / 2) slice *= 2;
    else if (took > LOOK) slice = Math.max(1, Math.floor(slice / 2));
    await breath();
    if (ask !== asked) return null;
  }
  const many = exports.player_choice();
  return [...new Uint32Array(exports.memory.buffer, about.scratch, many)];
}

self.onmessage = async ({ data }) => {
  asked = data.ask;
  try {
    if (data.bytes) machine = await Machine.of(data.bytes);
    const decisions = await chosen(data);
    if (decisions) self.postMessage({ ask: data.ask, decisions });
  } catch (problem) {
    self.postMessage({ ask: data.ask, problem: String(problem?.message ?? problem) });
  }
};
