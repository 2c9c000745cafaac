/**
 * Why a move is refused: every clause that forbids it, its rule, its source, and the facts. The counterpart of
 * `play/explain.py`, from what `web/reasons.py` tells of the clauses; the values of terms are the module's.
 *
 * A reason is {clause, section, rule, citation, where, facts: [text]}; `clause` is "" where no clause is at fault.
 */

import { fault, known } from "./fault.js";
import { TO_BEGIN, TO_DECIDE } from "./machine.js";

const COMPASS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const COMPARE = [
  (a, b) => a === b,
  (a, b) => a !== b,
  (a, b) => a < b,
  (a, b) => a <= b,
  (a, b) => a > b,
  (a, b) => a >= b,
];
const RELATION = { in: ["is in", "is not in"], meets: ["meets", "does not meet"], "same-places": ["is", "is not"] };
const MOST_SHOWN = 6;
const MOST_PLACES = 8;
const MOST_LISTED = 12;

/**
 * Every clause that refuses what was asked for; empty if it is legal.
 *
 * `asked` is a decision by its number, a man tried from one place to another ({origin, to}, by number; origin null
 * where only a place was named), or what was typed. Throws Fault for a text: N701 if it is no move, N703 if it names
 * no place, N711 if it is ambiguous.
 */
export function whyNot(machine, reasons, notation, state, asked) {
  if (typeof asked === "string") return whyNotText(machine, reasons, notation, state, asked);
  const early = tooEarly(machine, state);
  if (early.length) return early;
  const asking = new Asking(machine, reasons, notation, state);
  if (typeof asked === "number") return machine.legal(state).includes(asked) ? [] : asking.refusals([asked]);
  const { origin, to } = asked;
  const nowhere = origin === null || origin < 0;
  const numbers = nowhere ? asking.on(to) : asking.between(origin, to);
  if (!numbers.length) return nowhere ? asking.nobody(to) : asking.noWay(origin, to);
  return machine.legal(state).some((number) => numbers.includes(number)) ? [] : asking.refusals(numbers);
}

/** The clause that permits a decision, in the same shape; empty if nothing does. */
export function why(machine, reasons, state, number) {
  const asking = new Asking(machine, reasons, null, state);
  const may = reasons.may.find((one) => asking.permits(one, number));
  return may === undefined ? [] : [asking.reason(may, [])];
}

function whyNotText(machine, reasons, notation, state, text) {
  const now = machine.read(state);
  if (now.outcome) return isOver(now);
  let problem;
  try {
    notation.read(state, text);
    return [];
  } catch (found) {
    if (!found.refused) throw found;
    problem = found.refused;
  }
  const { state: where, word } = problem;
  const early = tooEarly(machine, where);
  if (early.length) return early;
  if (word === "-") {
    const many = `${machine.legal(where).length} decisions are legal`;
    return [plain("A turn is passed only where nothing can be played.", [many])];
  }
  const there = machine.read(where);
  if (there.turn !== now.turn || there.turns !== now.turns) {
    return [plain("The turn is over.", [`\`${word}\` would be a decision of the next turn`])];
  }
  const asking = new Asking(machine, reasons, notation, where);
  const numbers = asking.meant(word);
  return numbers.length ? asking.refusals(numbers) : asking.noPath(word);
}

/** What is to be said where nobody decides. */
function tooEarly(machine, state) {
  const now = machine.read(state);
  if (now.outcome) return isOver(now);
  if (now.waits === TO_DECIDE) return [];
  return [plain(now.waits === TO_BEGIN ? "The starting throw comes first." : "The dice are to be thrown first.", [])];
}

const isOver = (now) => [plain("The game is over.", [`it ended by ${now.outcome.kind}`])];

const plain = (rule, facts) => ({ clause: "", section: "", rule, citation: "", where: "", facts });

/** The questions about one state. Sets of places are BigInts used as bit sets, as in the rules. */
class Asking {
  constructor(machine, reasons, notation, state) {
    this.machine = machine;
    this.reasons = reasons;
    this.notation = notation;
    this.state = state;
    this.about = machine.about;
    this.now = machine.read(state);
    this.side = this.now.decider;
    this.ends = reasons.mayNot.filter((one) => one.when === null && one.after === null);
    this.sets = new Map();
  }

  reason({ clause }, facts) {
    return { ...this.reasons.clauses[clause], facts };
  }

  refusals(numbers) {
    const legal = this.machine.legal(this.state);
    const stages = [[], [], []];
    for (const number of numbers) {
      if (legal.includes(number)) continue;
      const [stage, found] = this.#of(number);
      stages[stage].push(...found);
    }
    const spelled = numbers.filter((n) => legal.includes(n)).map((n) => this.#text(n, legal));
    let best = stages.findLast((found) => found.length);
    if (best === undefined) {
      return [plain("The move has to be written in full.", spelled.map((text) => `write \`${text}\``))];
    }
    if (spelled.length) {
      best = best.map((one) => ({ ...one, facts: [...one.facts, `legal on the same path: ${spelled.join(", ")}`] }));
    }
    const told = new Map();
    for (const one of best) told.set(JSON.stringify([one.clause, one.section, one.facts]), one);
    return [...told.values()];
  }

  /** The text of a decision among others: the die follows where two read alike. */
  #text(number, among) {
    const bare = this.notation.bare(number, this.side);
    const { die } = this.machine.decision(number);
    const alike = die && among.some((other) => other !== number && this.notation.bare(other, this.side) === bare);
    return alike ? `${bare}(${die})` : bare;
  }

  // ---- what is meant ----------------------------------------------------------------------

  /** Every decision that a word could mean, legal or not: exactly, else the first hop of a chain. */
  meant(word) {
    const exact = [];
    const begun = [];
    for (const number of this.#thinkable()) {
      const { verb, path, die } = this.machine.decision(number);
      const bare = this.notation.bare(number, this.side);
      const spelled = [bare, ...(die ? [`${bare}(${die})`] : [])];
      if (this.notation.spelled.has(verb)) spelled.push(...spelled.map((text) => text.slice(text.indexOf(" ") + 1)));
      if (spelled.includes(word)) exact.push(number);
      else if (path && word.startsWith(bare + this.about.signs[verb])) begun.push(number);
    }
    return exact.length ? exact : begun;
  }

  /** Every decision that leads from one place to another, legal or not. */
  between(origin, to) {
    return this.#thinkable().filter((number) => {
      const decision = this.machine.decision(number);
      return decision.origin === origin && decision.to === to;
    });
  }

  /** Every decision of the turn's phase that is written with one place: a man enters there, or goes from there. */
  on(place) {
    const verbs = new Set(
      this.reasons.may
        .filter((may) => may.phases.includes(this.now.phase) && may.sides.includes(this.side))
        .map((may) => may.verb)
        .filter((verb) => this.notation.prefixed.has(verb)),
    );
    return this.#thinkable().filter((number) => {
      const { verb, origin, to } = this.machine.decision(number);
      return verbs.has(verb) && (to >= this.about.points ? origin : to) === place;
    });
  }

  /** All decisions that some clause speaks of, in order. */
  #thinkable() {
    const paths = this.about.paths.length;
    const found = new Set();
    for (const may of this.reasons.may) {
      for (const path of this.#all(may)) found.add(may.verb * paths + path);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** The paths of a clause's way before anything narrows it. */
  #all(may) {
    return this.#set(may.all[may.way !== null && may.foe ? 1 - this.side : this.side]);
  }

  #set(index) {
    let found = this.sets.get(index);
    if (found === undefined) {
      found = new Set();
      const ranges = this.reasons.paths[index];
      for (let i = 0; i < ranges.length; i += 2) {
        for (let path = ranges[i]; path < ranges[i] + ranges[i + 1]; path++) found.add(path);
      }
      this.sets.set(index, found);
    }
    return found;
  }

  /** What this side calls the places it may name. */
  #labels() {
    const own = (place) => place < this.about.points || (place - this.about.points) % 2 === this.side;
    const labels = this.about.labels[this.side].map((label, place) => [label, place]);
    return new Map(labels.filter(([, place]) => own(place)));
  }

  /** Is what a clause permits written as two places, from and to? */
  #betweenPlaces(may) {
    return may.way !== null && may.way !== "name" && !this.notation.prefixed.has(may.verb);
  }

  /** The clauses by which no man goes from one place to another; the first says what leads nowhere. */
  #nothingLeads(mays, [first], origin, to) {
    const way = first.way === "travel" || first.way === "listed" ? "throw of a die" : "drawn line";
    return mays.map((may) => this.reason(may, [`no ${way} leads so from ${origin} to ${to}`]));
  }

  /** A place was named on which no man can be taken up. */
  nobody(place) {
    const label = this.about.labels[this.side][place];
    const own = this.now.men[this.side].some((counts) => counts[place] > 0);
    return [plain(`No ${own ? "move of yours begins" : "man of yours stands"} on ${label}.`, [])];
  }

  /** No path leads from one place to another: what is said of the ways of the men that stand there, else of all. */
  noWay(origin, to) {
    const moving = this.reasons.may.filter((may) => this.#betweenPlaces(may));
    const theirs = moving.filter(
      (may) => may.phases.includes(this.now.phase) && may.sides.includes(this.side) && this.#stands(may, origin),
    );
    const labels = this.about.labels[this.side];
    const shown = theirs.length ? theirs : moving;
    return shown.length ? this.#nothingLeads(shown, shown, labels[origin], labels[to]) : [];
  }

  /** The same for a word. */
  noPath(word) {
    const labels = this.#labels();
    for (const may of this.reasons.may) {
      const sign = this.about.signs[may.verb];
      const at = word.indexOf(sign);
      if (!this.#betweenPlaces(may) || at < 0) continue;
      const origin = word.slice(0, at);
      const to = word.slice(at + sign.length).split("(")[0];
      if (labels.has(origin) && labels.has(to)) {
        const alike = this.reasons.may.filter((m) => this.#betweenPlaces(m) && this.about.signs[m.verb] === sign);
        return this.#nothingLeads(alike, [may], origin, to);
      }
      const unknown = [origin, to].filter((part) => part && !labels.has(part));
      if (labels.has(origin) !== labels.has(to) && unknown.length) {
        throw fault("N703", `no place \`${unknown[0]}\``, { help: known(labels.keys(), "places") });
      }
    }
    const legal = this.machine.legal(this.state);
    const few = legal.length > 0 && legal.length <= MOST_LISTED;
    const help = few ? known(legal.map((one) => this.#text(one, legal)), "legal") : "";
    throw fault("N701", `\`${word}\` is no move of this game`, { help });
  }

  // ---- one decision -----------------------------------------------------------------------

  /** How far a decision gets and why not farther: 0 not permitted, 1 forbidden, 2 a duty comes first. */
  #of(number) {
    const { verb, path } = this.machine.decision(number);
    if (!this.reasons.may.some((may) => this.permits(may, number))) {
      const mays = this.reasons.may.filter((may) => may.verb === verb && this.#all(may).has(path));
      return [0, mays.map((may) => this.reason(may, this.#missing(may, number)))];
    }
    const found = this.#forbidden(number);
    return found.length ? [1, found] : [2, this.#duty(number)];
  }

  /** Does a clause permit a decision, before any prohibition? */
  permits(may, number) {
    const { verb, path, origin, die } = this.machine.decision(number);
    const { now, side } = this;
    if (may.verb !== verb || !may.phases.includes(now.phase) || !may.sides.includes(side)) return false;
    if (!this.#set(may.paths[side]).has(path)) return false;
    if (may.way === null || may.way === "name") {
      if (origin >= 0) return false;
    } else {
      if (origin < 0 || !this.#stands(may, origin) || (now.active >= 0 && now.active !== origin)) return false;
      if (die && !now.dice.includes(die)) return false;
    }
    return this.#holds(may.when, this.#context(number));
  }

  /** Does a man that a clause moves stand on a place? */
  #stands(may, place) {
    const kinds = this.now.men[may.foe ? 1 - this.side : this.side];
    return (may.kind < 0 ? kinds : [kinds[may.kind]]).some((counts) => counts[place] > 0);
  }

  #missing(may, number) {
    const { path, origin, die } = this.machine.decision(number);
    const { about, now, side } = this;
    const label = (place) => about.labels[side][place];
    if (!may.phases.includes(now.phase)) return [`the turn is in phase ${about.phases[now.phase]}`];
    if (!may.sides.includes(side)) return [`it is ${about.sides[side]}'s turn`];
    if (origin >= 0 && !this.#stands(may, origin)) {
      const kind = may.kind >= 0 ? about.kinds[may.kind] : "man";
      return [`no ${kind} of ${may.foe ? "the other side" : "yours"} stands on ${label(origin)}`];
    }
    if (origin >= 0 && now.active >= 0 && origin !== now.active) {
      return [`only the man on ${label(now.active)} may go on`];
    }
    if (die && origin >= 0 && !now.dice.includes(die)) {
      return [`it takes a ${die}; left to play: ${now.dice.join(" ") || "nothing"}`];
    }
    if (!this.#set(may.paths[side]).has(path)) return ["that is not one of its directions"];
    return this.#facts(may.when, this.#context(number), false);
  }

  #forbidden(number) {
    const { verb, path } = this.machine.decision(number);
    const found = [];
    const concerned = (clause) =>
      clause.verbs.includes(verb) && clause.phases.includes(this.now.phase) && clause.sides.includes(this.side);
    for (const clause of this.reasons.mayNot.filter(concerned)) {
      const context = this.#context(number, clause.after !== null);
      if (clause.when !== null) {
        if (this.#holds(clause.when, context)) found.push(this.reason(clause, this.#facts(clause.when, context, true)));
      } else if (clause.after !== null && this.#holds(clause.after, context)) {
        found.push(this.reason(clause, ["after it:", ...this.#facts(clause.after, context, true)]));
      }
    }
    return [...found, ...this.#playEnd(verb, path, this.ends.filter(concerned))];
  }

  /** The clauses asked at a play's end that leave no end to reach: each alone, else all that together do. */
  #playEnd(verb, path, concerned) {
    const asked = (name, clauses) => {
      const chosen = clauses.reduce((set, clause) => set | (1 << this.ends.indexOf(clause)), 0);
      this.machine.put(this.state);
      return this.machine.call(name, verb, path, chosen, this.side) !== 0;
    };
    if (!concerned.length || asked("ask_reaches", concerned)) return [];
    const alone = concerned.filter((clause) => !asked("ask_reaches", [clause]));
    const fact = "every play that begins so ends against this rule";
    if (alone.length) return alone.map((clause) => this.reason(clause, [fact]));
    const together = concerned.filter((clause) => asked("ask_meets", [clause]));
    return together.map((clause) => this.reason(clause, [`${fact} or another`]));
  }

  /** The first duty that leaves the decision out, in file order. */
  #duty(number) {
    let plays = this.#dutiful(0);
    for (const [index, clause] of this.reasons.must.entries()) {
      const after = this.#dutiful(index + 1);
      if (plays.includes(number) && !after.includes(number)) {
        const better = after.slice(0, MOST_SHOWN).map((one) => this.#text(one, after));
        const shown = better.join(" ") + (after.length > MOST_SHOWN ? " …" : "");
        return [this.reason({ clause }, [`plays that do better begin with ${shown}`])];
      }
      plays = after;
    }
    return [];
  }

  /** The decisions that the first so many duties leave. */
  #dutiful(duties) {
    if (!duties) return this.machine.permitted(this.state);
    this.machine.put(this.state);
    const many = this.machine.call("ask_dutiful", duties);
    return Array.from({ length: many }, (_, i) => this.machine.view.getUint32(this.about.scratch + 4 * i, true));
  }

  // ---- values -----------------------------------------------------------------------------

  /** From where a condition is read: its reader, the decision, and whether that is done already. */
  #context(number, done = false) {
    const { verb, path } = this.machine.decision(number);
    return { side: this.side, verb, path, done };
  }

  #holds(index, c) {
    return Boolean(this.#value(index, c));
  }

  /** The value of a node: a truth or a number, or a set of places. */
  #value(index, c) {
    const node = this.reasons.nodes[index];
    const { op, args, data } = node;
    const of = (i) => this.#value(args[i], c);
    const bit = (place) => (place < 0 ? 0n : 1n << BigInt(place));
    switch (op) {
      case "and":
        return of(0) && of(1);
      case "or":
        return of(0) || of(1);
      case "not":
        return !of(0);
      case "their":
        return this.#value(args[0], { ...c, side: 1 - c.side });
      case "compare":
      case "same-places":
        return COMPARE[data[0]](of(0), of(1));
      case "in":
        return inside(of(0), of(1));
      case "meets":
        return (of(0) & of(1)) !== 0n;
      case "true":
      case "false":
        return op === "true";
      case "int":
        return data[0];
      case "places":
        return BigInt(data[c.side]);
      case "from":
        return bit(this.about.paths[c.path][0]);
      case "over":
        return this.about.paths[c.path][1].reduce((set, place) => set | bit(place), 0n);
      case "to":
        return bit(this.about.paths[c.path][2]);
      case "die":
        return this.about.paths[c.path][4];
      default:
        return this.#asked(node, c);
    }
  }

  #asked(node, c) {
    const { machine, about } = this;
    machine.put(this.state);
    if (c.done) machine.call("ask_tried", c.verb, c.path);
    const value = machine.call("ask_value", node.term, c.side, c.verb, c.path);
    if (!isSet(node)) return value;
    let set = 0n;
    for (let i = about.state.word * about.state.words - 1; i >= 0; i--) {
      set = (set << 8n) | BigInt(machine.view.getUint8(about.scratch + i));
    }
    return set;
  }

  // ---- facts ------------------------------------------------------------------------------

  #facts(index, c, holds) {
    return [...new Set(this.#why(index, c, holds))];
  }

  /** The facts that made a condition come out as it did. */
  #why(index, c, holds) {
    const { op, args } = this.reasons.nodes[index];
    if (op === "and" || op === "or") {
      const deciding = args.filter((part) => this.#holds(part, c) === holds);
      const all = (op === "and") === holds;
      return (all ? deciding : deciding.slice(0, 1)).flatMap((part) => this.#why(part, c, holds));
    }
    if (op === "not") return this.#why(args[0], c, !holds);
    if (op === "their") {
      return this.#why(args[0], { ...c, side: 1 - c.side }, holds).map((text) => `for the other side: ${text}`);
    }
    if (op === "compare") {
      return args.filter((part) => this.reasons.nodes[part].op !== "int").map((part) => this.#said(part, c));
    }
    if (op === "in" || op === "meets" || op === "same-places") return this.#relation(op, args, c, holds);
    return op === "true" || op === "false" ? [] : [this.#said(index, c)];
  }

  /** Why places are, or are not, in or among others. */
  #relation(op, args, c, holds) {
    const [left, right] = args.map((part) => this.reasons.nodes[part]);
    if (["from", "to", "active", "it"].includes(left.op) && right.op === "places" && right.sort === "Place") return [];
    const value = this.#value(args[0], c);
    if (value === 0n) return left.text ? [`there is no ${left.text}`] : [];
    const shown = this.#places(value, c.side);
    if (right.op === "empty") {
      const taken = value & ~this.#value(args[1], c);
      return [holds ? `${shown} is empty` : `${this.#places(taken, c.side)} is not empty`];
    }
    if (right.op === "standing") {
      const whose = right.data[0] === 0 ? "your" : "the other side's";
      return [`${shown} holds ${holds ? "" : "none of "}${whose} ${this.#men(right)}`];
    }
    return [`${shown} ${RELATION[op][holds ? 0 : 1]} ${this.#name(args[1], c)}`];
  }

  /** What men are counted: `men`, `kings`. */
  #men({ data: [, kind] }) {
    return kind < 0 || this.about.kinds[kind] === "man" ? "men" : `${this.about.kinds[kind]}s`;
  }

  /** A subterm with its value: `point 2 holds 1 of your men`. */
  #said(index, c) {
    const node = this.reasons.nodes[index];
    const value = this.#value(index, c);
    if (node.op === "count") {
      const whose = node.data[0] === 0 ? "your " : "the other side's ";
      return `${this.#name(node.args[0], c)} holds ${value} of ${whose}${this.#men(node)}`;
    }
    if (node.op === "size") return node.of ? `${node.of} has ${value} places` : `${value} places`;
    return `${node.text || node.op} is ${this.#shown(node, value, c.side)}`;
  }

  #shown(node, value, side) {
    if (node.sort === "Bool") return value ? "yes" : "no";
    if (node.sort === "Int") return String(value);
    if (node.sort === "Direction") return value >= 0 ? COMPASS[value] : "none";
    return this.#places(value, side);
  }

  /** Places by their labels where they are few, else by the words of the rule. */
  #name(index, c) {
    const node = this.reasons.nodes[index];
    const value = this.#value(index, c);
    if (node.op !== "places" || node.sort === "Place" || listed(value).length <= 2) return this.#places(value, c.side);
    return node.text || this.#places(value, c.side);
  }

  #places(set, side) {
    if (set === 0n) return "no place";
    const { points } = this.about;
    const places = listed(set);
    const named = places.slice(0, MOST_PLACES).map((place) => {
      const label = this.about.labels[side][place];
      if (place < points) return /^\d+$/.test(label) ? `point ${label}` : label;
      return (place - points) % 2 === side ? `your ${label}` : `the other side's ${label}`;
    });
    const more = places.length - named.length;
    return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
  }
}

const isSet = (node) => node.sort === "Place" || node.sort === "Places";

/** Are these places some, and all among those? */
const inside = (some, all) => some !== 0n && (some & ~all) === 0n;

/** The places of a set, in order. */
function listed(set) {
  const found = [];
  for (let place = 0; set; place++, set >>= 1n) if (set & 1n) found.push(place);
  return found;
}
