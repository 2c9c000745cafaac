/**
 * Decisions and turns as text, and back: the counterpart of `machine/notation.py`.
 *
 * What a text means is found by playing: at every state the texts of what is legal there are compared with what
 * is written next. Words are told apart by one regular expression; whole turns in a game's own style are in
 * `styles.js`. Faults: N701 not a move, N711 ambiguous, N712 no such throw, N714 only part of a turn where all
 * of it is wanted; N710 not legal, with `refused`: the state and the word where the reading broke off.
 *
 * One room: writing and reading moves share how a decision is spelled.
 */

import { Fault, fault } from "./fault.js";
import { TO_DECIDE, same } from "./machine.js";
import { readSlides, slashed } from "./styles.js";
import { Remembering, finished, over } from "./turns.js";

export const PLAIN = "plain";
export const JOINED = "joined";
export const NUMERIC = "numeric";
export const SLASH = "slash";

const MOST_LENGTH = 10000;
const MOST_LOOKED = 5000;
/** So many ways of one man are looked at for one word. */

const WORD = "[a-z0-9]+(?:-[a-z0-9]+)*";
const SPACE = /[ \n]*/y;
const STEP = new RegExp(
  `([@~*^!]?)[ \\n]*(${WORD})(?:[ \\n]*\\([ \\n]*(${WORD})[ \\n]*\\))?|\\[[ \\n]*(${WORD})[ \\n]*\\]|-(?![a-z0-9])`,
  "y",
);

/** Does what one man does in a turn make one word? */
const runs = (style) => style === JOINED || style === NUMERIC;

/** How one game's decisions are written. */
export class Notation {
  #bare = [new Map(), new Map()];

  /**
   * @param machine  a `Machine`
   * @param said     what the rules say of it: {style, prefixed, spelled, named, order}, see `web/notations.py`
   */
  constructor(machine, said = {}) {
    this.machine = machine;
    this.style = said.style ?? PLAIN;
    this.prefixed = new Set(said.prefixed);
    this.spelled = new Set(said.spelled);
    this.named = new Set(said.named ?? [...this.spelled].map((verb) => machine.about.verbs[verb]));
    this.order = said.order ?? [[], []];
  }

  // ---- writing ----------------------------------------------------------------------------

  /** What a side calls a place. */
  label(place, side) {
    return this.machine.about.labels[side][place];
  }

  /** The sign a decision is written with. */
  sign(decision) {
    return this.machine.about.signs[decision.verb];
  }

  /** The text of a decision (by number), without the die. */
  bare(number, side) {
    const known = this.#bare[side];
    if (!known.has(number)) known.set(number, this.#spelledOut(number, side));
    return known.get(number);
  }

  #spelledOut(number, side) {
    const { verb, path, origin, to, die } = this.machine.decision(number);
    const name = this.machine.about.verbs[verb];
    if (path === 0) return name;
    if (origin < 0) return `${name} ${die}`;
    const sign = this.machine.about.signs[verb];
    const text = this.prefixed.has(verb)
      ? sign + this.label(to >= this.machine.about.points ? origin : to, side)
      : this.label(origin, side) + sign + this.label(to, side);
    return this.spelled.has(verb) ? `${name} ${text}` : text;
  }

  /** The text of a legal decision: the die follows where two read alike. */
  text(state, number, machine = this.machine) {
    const side = machine.now(state).decider;
    const bare = this.bare(number, side);
    const { die } = this.machine.decision(number);
    const alike = die && machine.legal(state).some((other) => other !== number && this.bare(other, side) === bare);
    return alike ? `${bare}(${die})` : bare;
  }

  /** A legal decision as it is shown to players: in the style of the game, where that says it. */
  shown(state, number) {
    const plain = this.text(state, number);
    const decision = this.machine.decision(number);
    const side = this.machine.now(state).decider;
    if (this.style !== SLASH || !this.simple(decision) || plain !== this.bare(number, side)) return plain;
    const walk = { decisions: [number], throws: [], end: this.machine.step(state, number) };
    return slashed(this, this.machine, state, walk, true)[0].replace(/ -$/, "");
  }

  /** Is a decision written as two places with a sign between? */
  simple({ verb, origin }) {
    return origin >= 0 && !this.prefixed.has(verb) && !this.spelled.has(verb);
  }

  /**
   * The text of a whole turn in the style of the game: the shortest that leads to the same end when it is read.
   * `walk` is as `turns.js` gives it.
   */
  turnText(state, walk) {
    const machine = new Remembering(this.machine);
    const candidates = this.style === PLAIN || !walk.decisions.length ? [] : this.#candidates(machine, state, walk);
    for (const text of candidates) {
      if (this.#leadsTo(machine, state, text, walk.end)) return text;
    }
    return this.#plainText(machine, state, walk);
  }

  #candidates(machine, state, walk) {
    return this.style === SLASH ? slashed(this, machine, state, walk, false) : this.#joined(machine, state, walk);
  }

  #leadsTo(machine, state, text, end) {
    try {
      const events = this.read(state, text, false, machine);
      const after = events.reduce((here, event) => this.advance(here, event, machine), state);
      return machine.key(after) === machine.key(end);
    } catch (problem) {
      if (problem instanceof Fault) return false;
      throw problem;
    }
  }

  /** The words of a turn: its decisions, and its throws where they were made; `each` is called for a decision. */
  #told(machine, state, { decisions, throws }, each) {
    const words = [];
    const waiting = [...throws];
    let here = state;
    const throwNow = () => {
      const [, faces] = waiting.shift();
      words.push(`[${faces.join("-")}]`);
      here = this.advance(here, { what: "throw", faces }, machine);
      return null;
    };
    let before = null;
    decisions.forEach((number, i) => {
      while (waiting.length && waiting[0][0] === i) before = throwNow();
      const decision = this.machine.decision(number);
      each(words, here, decision, before);
      here = machine.step(here, number);
      before = decision;
    });
    while (waiting.length) before = throwNow();
    return [words, here];
  }

  #plainText(machine, state, walk) {
    const [words, here] = this.#told(machine, state, walk, (found, now, decision, before) => {
      const side = machine.now(now).decider;
      const sign = this.sign(decision);
      const text = this.text(now, decision.number, machine);
      const chained =
        before !== null && sign !== "-" && this.sign(before) !== "-" && before.origin >= 0 &&
        decision.verb === before.verb && decision.origin === before.to && decision.origin >= 0 &&
        text === this.label(decision.origin, side) + sign + this.label(decision.to, side);
      if (chained) found[found.length - 1] += sign + this.label(decision.to, side);
      else found.push(text);
    });
    return [...words, ...(over(machine, state, here) && words.length ? [] : ["-"])].join(" ");
  }

  /** Candidates of the styles in which what one man does is one word, the shortest first. */
  #joined(machine, state, walk) {
    const side = machine.now(state).decider;
    const written = (short) => {
      const [words] = this.#told(machine, state, walk, (found, _, decision, before) => {
        const sign = this.sign(decision);
        const goesOn =
          before !== null && sign !== "-" && this.simple(decision) && this.simple(before) &&
          this.sign(before) === sign && before.to === decision.origin;
        const last = found.length - 1;
        if (!goesOn) found.push(this.bare(decision.number, side));
        else found[last] = (short ? found[last].split(sign)[0] : found[last]) + sign + this.label(decision.to, side);
      });
      return [...words, ...(over(machine, state, walk.end) ? [] : ["-"])].join(" ");
    };
    return this.style === NUMERIC ? [written(true), written(false)] : [written(false)];
  }

  // ---- reading ----------------------------------------------------------------------------

  /**
   * What a text says from a state: events {what: "decide", number}, {what: "throw", faces}, {what: "stuck"}.
   * `whole`: only what ends the turn is meant. Throws Fault: N701, N710, N711, N714; N713 as `styles.js` says.
   */
  read(state, text, whole = false, machine = new Remembering(this.machine)) {
    if (this.style === SLASH && text.includes("/")) {
      const found = readSlides(this, machine, state, text, whole);
      if (found !== null) return found;
    }
    return this.readPlain(state, text, whole, machine);
  }

  /** What a text in the plain form says. Throws as `read` does. */
  readPlain(state, text, whole = false, machine = new Remembering(this.machine)) {
    const steps = stepsOf(text);
    let readings = [];
    let best = [];
    for (const skip of this.style === NUMERIC ? [false, true] : [false]) {
      readings = [...readings, ...this.#follow(machine, state, steps, 0, "", skip)];
      best = readings.filter((r) => r.complete && (!whole || finished(machine, state, r.state)));
      if (best.length) break;
    }
    let distinct = [...new Map(best.map((r) => [JSON.stringify(r.events), r])).values()];
    if (this.style !== PLAIN) distinct = likeliest(machine, state, distinct);
    if (distinct.length === 1) return distinct[0].events;
    const shown = text.trim();
    if (distinct.length) {
      const ways = [...new Set(distinct.map((r) => this.spell(machine, state, r.events)))].sort();
      const help = `write ${ways.map((way) => `\`${way}\``).join(" or ")}`;
      throw fault("N711", `\`${shown}\` can be read in ${distinct.length} ways`, { help });
    }
    if (readings.some((r) => r.complete)) {
      throw fault("N714", `\`${shown}\` leaves the turn unfinished`, { help: "write all of it" });
    }
    const { state: at, word } = readings.reduce((a, b) => (b.at > a.at ? b : a));
    throw fault("N710", `\`${word}\` is not legal here`, { refused: { state: at, word } });
  }

  /** Legal decisions by every text that means them: with the die, and bare. */
  texts(machine, state) {
    const found = new Map();
    const side = machine.now(state).decider;
    const add = (text, number) => (found.has(text) ? found.get(text).push(number) : found.set(text, [number]));
    for (const number of machine.legal(state)) {
      const { die } = this.machine.decision(number);
      add(this.bare(number, side), number);
      if (die) add(`${this.bare(number, side)}(${die})`, number);
    }
    return found;
  }

  /** Every way to read `steps` from a place and a state on; `rest` is what is left of a chain. */
  *#follow(machine, state, steps, at, rest, skip) {
    const reading = (word, complete = false) => ({ events: [], complete, at, state, word, skipped: false });
    if (at === steps.length) {
      yield reading("", true);
      return;
    }
    const step = steps[at];
    if (step.kind !== "decision") {
      const event = step.kind === "throw" ? { what: "throw", faces: step.faces } : { what: "stuck" };
      const after = this.#followed(machine, state, event);
      if (after === null) yield reading(step.word);
      else yield* prefixed(event, this.#follow(machine, after, steps, at + 1, "", skip));
      return;
    }
    const word = rest || step.word;
    const texts = this.texts(machine, state);
    const side = machine.now(state).decider;
    let found = false;
    const onward = (number, next, left = "") => {
      found = true;
      const event = { what: "decide", number };
      return prefixed(event, this.#follow(machine, machine.step(state, number), steps, next, left, skip));
    };
    for (const number of texts.get(word) ?? []) yield* onward(number, at + 1);
    if (at + 1 < steps.length && !rest) {
      for (const number of texts.get(`${word} ${steps[at + 1].word}`) ?? []) yield* onward(number, at + 2);
    }
    for (const number of new Set([...texts.values()].flat())) {
      const decision = this.machine.decision(number);
      const bare = this.bare(number, side);
      if (decision.origin >= 0 && !this.prefixed.has(decision.verb) && word.startsWith(bare + this.sign(decision))) {
        yield* onward(number, at, this.label(decision.to, side) + word.slice(bare.length));
      }
    }
    if (runs(this.style) && !rest) {
      for (const { events, state: after, skipped } of this.#ways(machine, state, word, skip)) {
        found = true;
        for (const r of this.#follow(machine, after, steps, at + 1, "", skip)) {
          yield { ...r, events: [...events, ...r.events], skipped: r.skipped || skipped };
        }
      }
    }
    if (found) return;
    const both = this.named.has(word) && at + 1 < steps.length;
    yield reading(both ? `${word} ${steps[at + 1].word}` : word);
  }

  #followed(machine, state, event) {
    try {
      return this.advance(state, event, machine);
    } catch (problem) {
      if (problem instanceof Fault) return null;
      throw problem;
    }
  }

  /** What one man may do that a word says; with `skip`, places on his way may be left out. */
  *#ways(machine, state, word, skip) {
    const first = machine.now(state);
    const label = (place) => this.label(place, first.decider);
    let looked = 0;
    const self = this;
    function* onward(here, decision, rest, events, skipped) {
      if (++looked > MOST_LOOKED) {
        throw fault("N711", `\`${word}\` could mean too many ways`, { help: "write every place of the way" });
      }
      const sign = self.sign(decision);
      const after = machine.step(here, decision.number);
      const done = [...events, { what: "decide", number: decision.number }];
      const stop = sign + label(decision.to);
      if (rest === stop) yield { events: done, state: after, skipped };
      const now = machine.now(after);
      if (over(machine, state, after) || now.waits !== TO_DECIDE || now.decider !== first.decider) return;
      for (const number of machine.legal(after)) {
        const following = self.machine.decision(number);
        if (!self.simple(following) || following.origin !== decision.to || self.sign(following) !== sign) continue;
        if (rest.startsWith(stop + sign)) yield* onward(after, following, rest.slice(stop.length), done, skipped);
        if (skip) yield* onward(after, following, rest, done, true);
      }
    }
    for (const number of machine.legal(state)) {
      const decision = this.machine.decision(number);
      const sign = this.sign(decision);
      if (!this.simple(decision) || sign === "-" || !word.startsWith(label(decision.origin) + sign)) continue;
      yield* onward(state, decision, word.slice(label(decision.origin).length), [], false);
    }
  }

  /** Events as text that can mean nothing else. */
  spell(machine, state, events) {
    const decisions = events.filter((event) => event.what === "decide").map((event) => event.number);
    if (runs(this.style) && decisions.length === events.length) {
      return this.#plainText(machine, state, { decisions, throws: [] }).replace(/ -$/, "");
    }
    const words = [];
    let here = state;
    for (const event of events) {
      if (event.what === "decide") words.push(this.text(here, event.number, machine));
      here = this.advance(here, event, machine);
    }
    return words.join(" ");
  }

  /** The state after an event. Throws Fault N712 where it cannot be. */
  advance(state, event, machine = this.machine) {
    if (event.what === "decide") return machine.step(state, event.number);
    const { waits, over: ended } = machine.now(state);
    if (event.what === "stuck") {
      if (!ended && waits === TO_DECIDE && !machine.legal(state).length) return machine.movedOn(state);
    } else if (!ended && waits !== TO_DECIDE) {
      const found = machine.throws(state).find(({ faces }) => same(faces, event.faces));
      if (found !== undefined) return found.state;
    }
    throw fault("N712", "no such throw here");
  }
}

function* prefixed(event, readings) {
  for (const r of readings) yield { ...r, events: [event, ...r.events] };
}

/** Of several readings those that leave nothing out, else those that end the turn; one for each end. */
function likeliest(machine, state, readings) {
  const ranks = readings.map((r) => 2 * r.skipped + !over(machine, state, r.state));
  const best = readings.filter((_, i) => ranks[i] === Math.min(...ranks));
  if (!best.length || !best[0].skipped) return best;
  return [...new Map(best.reverse().map((r) => [machine.key(r.state), r])).values()];
}

/** The words of a text: decisions, throws in brackets, and `-` for a turn that can play nothing. */
function stepsOf(text) {
  if (text.length > MOST_LENGTH) {
    throw fault("N701", `a move of ${text.length} characters; the most is ${MOST_LENGTH}`);
  }
  const steps = [];
  const past = (at) => {
    SPACE.lastIndex = at;
    SPACE.test(text);
    return SPACE.lastIndex;
  };
  for (let at = past(0); at < text.length; at = past(STEP.lastIndex)) {
    STEP.lastIndex = at;
    const found = STEP.exec(text);
    if (found === null) {
      const message = `\`${String.fromCodePoint(text.codePointAt(at))}\` does not belong in a move`;
      throw fault("N701", message, { help: "write it as `legal` lists it" });
    }
    const [all, sign, word, die, faces] = found;
    if (word) steps.push({ kind: "decision", word: sign + word + (die ? `(${die})` : "") });
    else if (faces) steps.push({ kind: "throw", word: `[${faces}]`, faces: facesOf(faces) });
    else steps.push({ kind: "stuck", word: all });
  }
  if (!steps.length) throw fault("N701", "a move is missing", { help: "write it as `legal` lists it" });
  return steps;
}

function facesOf(word) {
  const parts = word.split("-");
  return parts.every((part) => /^[0-9]+$/.test(part)) ? parts.map(Number).sort((a, b) => b - a) : [];
}

export { stepsOf };
