/** What was played, turn by turn: the counterpart of `turns_played` in `play/moves.py`. */

import { BEGIN, MOVE, STUCK, THROW } from "./record.js";

const COUNTED = [BEGIN, THROW, MOVE, STUCK];
const known = new WeakMap();

/**
 * The turns of a session's steps, in order: {number, side, throw, text}, `text` in the style of the game.
 *
 * A turn that is over is worked out once, and remembered by its last step.
 */
export function turnsPlayed(machine, notation, steps) {
  const turns = (state) => machine.now(state).turns;
  const found = [];
  let run = [];
  const close = () => {
    if (run.length) found.push(turnOf(machine, notation, run));
    run = [];
  };
  for (const step of steps) {
    if (!COUNTED.includes(step.event.what)) continue;
    if (run.length && turns(run[0].after) !== turns(step.before)) close();
    run.push(step);
    if (turns(step.after) !== turns(step.before) || machine.now(step.after).over) close();
  }
  close();
  return found.filter((turn) => turn.text || turn.throw.length);
}

/** One turn. Dice thrown before the first decision stand apart; later throws stand in the text. */
function turnOf(machine, notation, run) {
  const last = run.at(-1);
  const remembered = known.get(last);
  if (remembered?.first === run[0]) return remembered.turn;
  const walk = { decisions: [], throws: [], end: last.after };
  let first = [];
  let start = null;
  let stuck = false;
  for (const { event, before, decision } of run) {
    const faces = event.faces ?? [];
    if (decision !== null) {
      start ??= before;
      walk.decisions.push(decision);
    } else if (event.what === STUCK) stuck = true;
    else if (faces.length && start === null) first = faces;
    else if (faces.length) walk.throws.push([walk.decisions.length, faces]);
  }
  const text = start === null ? (stuck ? "-" : "") : notation.turnText(start, walk);
  const turn = {
    number: machine.now(run[0].before).turns + 1,
    side: machine.about.sides[machine.now(last.before).turn],
    throw: first,
    text: stuck ? text : text.replace(/ -$/, ""),
  };
  known.set(last, { first: run[0], turn });
  return turn;
}
