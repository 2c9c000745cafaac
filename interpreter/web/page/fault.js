/** What cannot be had, and why: the counterpart of `diagnostics.py`, for pages. */

/**
 * One or several faults, with codes as `alfonso explain CODE` knows them.
 *
 * `faults` are all of them: {code, message, line, help, notes}; `line` is 0 where it is of no line. The error
 * itself bears what the first of them says. `refused` is {state, word} where a move was read up to a word.
 */
export class Fault extends Error {
  constructor(faults, refused = null) {
    super(faults[0].message);
    this.name = "Fault";
    this.faults = faults;
    this.refused = refused;
    Object.assign(this, faults[0]);
  }

  /** The same faults, said of a line of a record. */
  at(line) {
    return line ? new Fault(this.faults.map((one) => ({ ...one, line })), this.refused) : this;
  }
}

/** A single fault. */
export function fault(code, message, { line = 0, help = "", notes = [], refused = null } = {}) {
  return new Fault([{ code, message, line, help, notes }], refused);
}

/** Help that lists what there is. */
export function known(words, what = "known") {
  return `${what} here: ${[...words].sort().join(", ")}`;
}
