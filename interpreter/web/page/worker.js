// Computer players think here, so that the page stays awake. One question at a time; a newer one ends it.
//
// in    {ask, bytes?, name, state, seed, number, iterations, milliseconds}   `bytes` of a module once, then by its number
// out   {ask, decisions} · {ask, problem}

import { Machine } from "./machine.js";

/** Iterations between two looks at the clock and at new questions. */
const SLICE = 50;

let machine = null;
let asked = 0;

const breath = () => new Promise((resolve) => setTimeout(resolve, 0));

/** The decisions a player chooses; null where a newer question has come. */
async function chosen({ ask, name, state, seed, number, iterations, milliseconds }) {
  const { exports, about } = machine;
  machine.put(state);
  exports.player_begin(about.players[name], seed, number);
  const end = milliseconds ? performance.now() + milliseconds : Infinity;
  let looked = performance.now();
  for (;;) {
    const before = performance.now();
    const done = exports.player_think(iterations ? Math.min(SLICE, iterations) : SLICE);
    if (done < 0 || (iterations && done >= iterations) || performance.now() >= end) break;
    if (before - looked > 50) {
      looked = before;
      await breath();
      if (ask !== asked) return null;
    }
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
