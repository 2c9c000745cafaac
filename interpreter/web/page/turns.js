/** Whole turns over a machine: the counterpart of `machine/turns.py`. */

import { TO_DECIDE } from "./machine.js";

export const MOST_NODES = 20000;
/** Whole turns are listed up to so many states within one turn. */

/**
 * The throws of a chance node with the states after them; at a side that can do nothing, what follows.
 * Each is {faces, state, weight}.
 */
export const thrown = (machine, state) => machine.throws(state);

/** Has the turn of `before` ended in `after`? */
export function over(machine, before, after) {
  const [was, is] = [machine.now(before), machine.now(after)];
  return is.over || is.turns !== was.turns || is.turn !== was.turn;
}

/** Has the turn of `before` ended in `after`, or can nothing more be played in it? */
export function finished(machine, before, after) {
  return over(machine, before, after) || (machine.now(after).waits === TO_DECIDE && !machine.legal(after).length);
}

/**
 * The whole turns from a state where somebody decides, in the order of their decisions: each a *walk*
 * {decisions: numbers, throws: [[decisions before, faces]], end: state}.
 *
 * With `merged` a state that two orders of the same decisions reach is followed once, and of turns that end in
 * the same state only the first is given. Ends early after `most` states: a page must not hang.
 */
export function* walks(machine, state, merged = true, most = MOST_NODES) {
  const first = machine.now(state);
  if (first.over || first.waits !== TO_DECIDE) return;
  const seen = new Set();
  const stack = [{ decisions: [], throws: [], end: state }];
  for (let nodes = 0; stack.length && nodes < most; nodes++) {
    const walk = stack.pop();
    const { decisions, throws, end } = walk;
    const now = machine.now(end);
    if (merged) {
      const key = `${machine.key(end)} ${throws.map(([, faces]) => faces.join("-")).join(" ")}`;
      if (seen.has(key)) continue;
      seen.add(key);
    }
    if (now.over || now.turns !== first.turns) {
      yield walk;
      continue;
    }
    const following = [];
    if (now.waits !== TO_DECIDE) {
      for (const { faces, state: after } of thrown(machine, end)) {
        following.push({ decisions, throws: [...throws, [decisions.length, faces]], end: after });
      }
    } else {
      const legal = machine.legal(end);
      if (!legal.length) following.push({ decisions, throws, end: machine.movedOn(end) });
      for (const number of legal) {
        following.push({ decisions: [...decisions, number], throws, end: machine.step(end, number) });
      }
    }
    stack.push(...following.reverse());
  }
}

/** A machine that answers the same question only once. For one list of turns, then thrown away. */
export class Remembering {
  #known = new Map();
  #steps = new Map();

  constructor(machine) {
    this.machine = machine;
    this.about = machine.about;
  }

  #one(state) {
    const key = this.machine.key(state);
    if (!this.#known.has(key)) this.#known.set(key, state);
    return this.#known.get(key);
  }

  legal(state) {
    return this.machine.legal(this.#one(state));
  }

  step(state, number) {
    const from = this.#one(state);
    let after = this.#steps.get(from);
    if (after === undefined) this.#steps.set(from, (after = new Map()));
    if (!after.has(number)) after.set(number, this.#one(this.machine.step(from, number)));
    return after.get(number);
  }

  throws(state) {
    return this.machine.throws(state);
  }

  movedOn(state) {
    return this.machine.movedOn(state);
  }

  now(state) {
    return this.machine.now(state);
  }

  key(state) {
    return this.machine.key(state);
  }

  menOn(state, side, place) {
    return this.machine.menOn(state, side, place);
  }

  decision(number) {
    return this.machine.decision(number);
  }
}
