/**
 * A compiled game (docs/compiled.md), asked from JavaScript: the counterpart of `compiled/machine.py`.
 *
 * A state is a record as it lies in the module's memory, and the positions of its game that
 * came before, where rules ask for repeats. States are never changed; one machine answers
 * one question at a time. Runs in browsers (also in a worker) and in Node; needs nothing.
 *
 * One room: states laid before the module and taken back, every question asked so, and what a state says.
 */

export const TO_DECIDE = 0;
export const TO_THROW = 1;
export const TO_BEGIN = 2;

const NO_END = "a search that has no end in sight";
const ENDLESS = "a play that never ends";
const NOTHING = new Uint8Array(0);
const CHARACTERS = new TextDecoder("latin1"); // every byte another character

/** A rule led where no game can go. `clause` is the id of the clause that did it, "" if no single one did. */
export class RulesBroken extends Error {
  constructor(message, clause = "") {
    super(message);
    this.name = "RulesBroken";
    this.clause = clause;
  }
}

/** A question took more than it may. */
export class Stopped extends Error {
  constructor(message) {
    super(message);
    this.name = "Stopped";
  }
}

/** A position with all that bears on what may follow. Made by a `Machine`, never changed. */
class State {
  constructor(record, history) {
    this.record = record;
    this.history = history;
    Object.freeze(this);
  }
}

export class Machine {
  #bytes;
  #layout;
  #known = new WeakMap();
  #keys = new WeakMap();

  constructor(instance, about) {
    this.about = about;
    this.exports = instance.exports;
    this.#layout = about.state;
    this.#bytes = new Uint8Array(this.exports.memory.buffer); // it never grows, so this view stays
    this.view = new DataView(this.exports.memory.buffer);
  }

  /** The machine of a module's bytes. Throws what `WebAssembly` throws, and Error where it is no module of a game. */
  static async of(bytes) {
    const module = await WebAssembly.compile(bytes);
    const [section] = WebAssembly.Module.customSections(module, "alfonso");
    if (section === undefined) throw new Error("this module is none of a game");
    const about = JSON.parse(new TextDecoder().decode(section));
    return new Machine(await WebAssembly.instantiate(module, {}), about);
  }

  // ---- states to and fro ------------------------------------------------------------------

  /** Lay a state before the module. */
  put(state) {
    const { at, "history-size": size } = this.#layout;
    // the last of the earlier positions lies in the record itself
    if (state.history.length) this.#bytes.set(state.history.subarray(0, state.history.length - size), this.about.history);
    this.#bytes.set(state.record, at);
  }

  /** The state that lies before the module; `before` is the state it was made from. */
  got(before) {
    const { at, size, key, history, "history-key": last, "history-size": step } = this.#layout;
    const record = new Uint8Array(size);
    record.set(this.#bytes.subarray(at, at + key)); // what lies behind is the module's own business, and over
    if (!step) return new State(record, NOTHING);
    const number = this.view.getUint32(at + history, true);
    const had = before.history.length / step;
    let keys = before.history;
    if (number > had) {
      keys = new Uint8Array(number * step);
      keys.set(before.history);
      const from = this.about.history;
      keys.set(this.#bytes.subarray(from + had * step, from + (number - 1) * step), had * step);
      keys.set(this.#bytes.subarray(at + last, at + last + step), (number - 1) * step);
    }
    if (keys.length) {
      new DataView(record.buffer).setUint32(history, keys.length / step, true);
      record.set(keys.subarray(keys.length - step), last);
    }
    return new State(record, keys);
  }

  #after(name, state, ...numbers) {
    this.put(state);
    this.call(name, ...numbers);
    return this.got(state);
  }

  #list(name, state) {
    this.put(state);
    const many = this.call(name);
    return Array.from({ length: many }, (_, i) => this.view.getUint32(this.about.scratch + 4 * i, true));
  }

  /**
   * Call a function of the module.
   *
   * Throws RulesBroken where the module says that the rules lead nowhere, Stopped where it searched too long.
   */
  call(name, ...numbers) {
    try {
      return this.exports[name](...numbers);
    } catch (problem) {
      throw this.#broken(problem);
    }
  }

  #broken(problem) {
    if (problem instanceof RangeError) return new RulesBroken(ENDLESS); // the stack is full
    if (!(problem instanceof WebAssembly.RuntimeError)) return problem;
    if (/stack|recursion/i.test(problem.message)) return new RulesBroken(ENDLESS);
    const fault = this.exports.fault.value;
    if (!fault) return problem;
    const [message, clause] = this.about.faults[fault - 1];
    if (message === NO_END) {
      return new Stopped(`stopped after ${this.exports.most_nodes.value} states searched within one turn`);
    }
    const place = this.about.places[this.exports.at.value] ?? "no place";
    return new RulesBroken(message.replace("{}", place), clause);
  }

  // ---- the questions ----------------------------------------------------------------------

  /** The set-up, before anybody has begun. */
  initial() {
    const { initial, size } = this.#layout;
    return new State(this.#bytes.slice(initial, initial + size), NOTHING);
  }

  /** The set-up with this side (by number) to begin. */
  begin(side) {
    return this.#after("ask_begin", this.initial(), side);
  }

  /** The legal decisions, by number; empty at a chance node and after the end. */
  legal(state) {
    let known = this.#known.get(state);
    if (known === undefined) {
      const decides = this.#waits(state) === TO_DECIDE && !this.#over(state);
      known = decides ? this.#list("ask_legal", state) : [];
      this.#known.set(state, known);
    }
    return known;
  }

  /** What is legal before duties, by number. */
  permitted(state) {
    return this.#list("ask_permitted", state);
  }

  /** The state after a legal decision. */
  step(state, number) {
    const paths = this.about.paths.length;
    return this.#after("ask_step", state, Math.floor(number / paths), number % paths);
  }

  /** What becomes of a side that has to decide and can do nothing. */
  movedOn(state) {
    return this.#after("ask_moved_on", state);
  }

  /** The state after this throw, at a chance node. Throws RangeError if there is no such throw. */
  withThrow(state, faces) {
    const wanted = [...faces].sort((a, b) => b - a);
    if (!this.about.throws.some(([one]) => same(one, wanted))) throw new RangeError("no such throw");
    return this.#thrown(state.record.slice(), state, wanted);
  }

  /** Lay dice on a record that nobody else has, and see what follows. */
  #thrown(record, state, faces) {
    const left = this.left(faces);
    const { dice, faces: most } = this.#layout;
    record.fill(0, dice, dice + 1 + 2 * most);
    record[dice] = left.length;
    for (const face of left) record[dice + face]++;
    for (const face of faces) record[dice + most + face]++;
    return this.#after("ask_after_throw", new State(record, state.history));
  }

  /** The ways a game can begin, all as likely; `faces` are empty where the dice of the start are not played. */
  starts(state) {
    const [who, kept] = this.about.start;
    const most = this.about.throw[1] ?? 0;
    const started = (side) => {
      const after = this.#after("ask_begin", state, side);
      return { weight: 1, side, faces: this.read(after).thrown, state: after };
    };
    if (!most || !kept || (who !== "highest" && who !== "lowest")) return [started(0), started(1)];
    const found = [];
    for (let low = 1; low <= most; low++) {
      for (let high = low + 1; high <= most; high++) {
        for (const side of [0, 1]) found.push(this.#startedWith(state, side, [high, low]));
      }
    }
    return found;
  }

  #startedWith(state, side, faces) {
    const record = state.record.slice();
    record[this.#layout.turn] = record[this.#layout.decider] = side;
    record[this.#layout.waits] = TO_DECIDE;
    const after = this.#thrown(record, state, faces);
    const { thrown, turn } = this.read(after);
    return { weight: 1, side: turn, faces: thrown, state: after };
  }

  /** What chance may bring, weighted; for a side that can do nothing what follows from it; else empty. */
  throws(state) {
    if (this.#over(state)) return [];
    const waits = this.#waits(state);
    if (waits === TO_BEGIN) return this.starts(state);
    if (waits === TO_THROW) {
      return this.about.throws.map(([faces, weight]) => ({ weight, faces, state: this.withThrow(state, faces) }));
    }
    return this.permitted(state).length ? [] : [{ weight: 1, faces: [], state: this.movedOn(state) }];
  }

  #waits(state) {
    return state.record[this.#layout.waits];
  }

  #over(state) {
    const at = this.#layout.ending;
    return (state.record[at + 1] & 0x80) === 0; // 16 bits, -1 while the game goes on
  }

  // ---- what a state and a decision say ----------------------------------------------------

  /** The little that is asked most of a state: numbers, and whether the game is over. */
  now(state) {
    const { turn, decider, phase, waits, active, turns } = this.#layout;
    const view = viewed(state);
    return {
      turn: view.getUint8(turn),
      decider: view.getUint8(decider),
      phase: view.getUint8(phase),
      waits: view.getUint8(waits),
      active: view.getInt16(active, true),
      turns: view.getInt32(turns, true),
      over: this.#over(state),
    };
  }

  /** How many men of a side stand on a place. */
  menOn(state, side, place) {
    return this.about.kinds.reduce((sum, _, kind) => sum + this.#count(state.record, side, kind, place), 0);
  }

  /** A text that two states share if what may follow from them is the same (repeats of positions aside). */
  key(state) {
    let key = this.#keys.get(state);
    if (key === undefined) {
      key = CHARACTERS.decode(state.record.subarray(0, this.#layout.key));
      this.#keys.set(state, key);
    }
    return key;
  }

  /** The dice that a throw leaves to be played, largest first. */
  left(faces) {
    const found = this.about.throws.find(([one]) => same(one, faces));
    return found === undefined ? [...faces, ...(this.about.throw[2] ?? [])].sort((a, b) => b - a) : found[2];
  }

  /**
   * What a record says. `men[side][kind][place]` are counts; dice are largest first; a fact is a number, a
   * boolean (flag) or the numbers of its places, kept for sides and men in arrays of these.
   */
  read(state) {
    const layout = this.#layout;
    const { record } = state;
    const view = viewed(state);
    const dice = layout.dice + 1;
    const { over: _, ...now } = this.now(state);
    return {
      ...now,
      men: this.about.sides.map((_, side) =>
        this.about.kinds.map((_, kind) => this.about.places.map((_, place) => this.#count(record, side, kind, place))),
      ),
      lastVerb: view.getInt16(layout["last-verb"], true),
      lastPath: view.getInt32(layout["last-path"], true),
      dice: counted(record.subarray(dice, dice + layout.faces)),
      thrown: counted(record.subarray(dice + layout.faces, dice + 2 * layout.faces)),
      outcome: this.#outcome(view),
      facts: Object.fromEntries(layout.facts.map((fact) => [fact[0], this.#fact(view, fact)])),
    };
  }

  #count(record, side, kind, place) {
    const layout = this.#layout;
    const row = side * this.about.kinds.length + kind;
    if (place < layout["first-counted"]) return bit(record, layout.where + row * layout.word * layout.words, place);
    return record[layout.counts + row * layout.row + place - layout["first-counted"]];
  }

  #outcome(view) {
    const layout = this.#layout;
    const ending = view.getInt16(layout.ending, true);
    if (ending < 0) return null;
    const [clause, kind] = this.about.ends[ending];
    const winner = this.about.sides[view.getUint8(layout.winner)] ?? null;
    return { winner, points: view.getInt32(layout.points, true), kind, clause };
  }

  #fact(view, [, offset, form, many, kind, per]) {
    const size = this.#layout.word * this.#layout.words;
    const record = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const one = {
      u8: (i) => (kind === "flag" ? view.getUint8(offset + i) !== 0 : view.getUint8(offset + i)),
      s8: (i) => view.getInt8(offset + i),
      i32: (i) => view.getInt32(offset + 4 * i, true),
      mask: (i) => this.about.places.map((_, place) => place).filter((place) => bit(record, offset + i * size, place)),
    }[form];
    return kind === "mark" || per === "" ? one(0) : Array.from({ length: many }, (_, i) => one(i));
  }

  /** A decision by its number. */
  decision(number) {
    const paths = this.about.paths.length;
    const verb = Math.floor(number / paths);
    const path = number % paths;
    const [origin, over, to, direction, die, excess] = this.about.paths[path];
    return { number, verb, path, origin, over, to, direction, die, excess };
  }
}

/** Are two lists of numbers equal? */
export function same(one, other) {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}

function viewed({ record }) {
  return new DataView(record.buffer, record.byteOffset, record.byteLength);
}

/** Is a place in a set of places? 1 or 0. Words are little-endian, so their size does not matter. */
function bit(record, offset, place) {
  return (record[offset + (place >> 3)] >> (place & 7)) & 1;
}

/** Pips, largest first, of a row that says how many there are of each from 1. */
function counted(row) {
  const found = [];
  for (let face = row.length; face > 0; face--) {
    for (let i = 0; i < row[face - 1]; i++) found.push(face);
  }
  return found;
}
