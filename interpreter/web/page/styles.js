/**
 * Turns in the style `slash`: 8/5 6/5*  bar/20(2)  24/18*\/13  6/off (see `machine/styles.py`).
 *
 * Every man's way, a star where a man of the other side is sent off, equal ways counted. Reading looks for an
 * order of the moves that is legal; as they are written comes first. Fault N713: a star where nobody is hit.
 */

import { Fault, fault } from "./fault.js";
import { TO_DECIDE } from "./machine.js";
import { finished, over } from "./turns.js";

const HIT = "*";
const MOST_LENGTH = 10000;
const MOST_SLIDES = 60;
const MOST_LOOKED = 5000;
const WORD = "[a-z0-9]+(?:-[a-z0-9]+)*";
const SLIDE = new RegExp(`^(${WORD})((?:/${WORD}\\*?)+)(?:\\(([0-9]{1,2})\\))?$`);

/** Have men of the other side who stood on a place left it? */
export function sentOff(machine, before, after, place) {
  const other = 1 - machine.now(before).decider;
  return machine.menOn(after, other, place) < machine.menOn(before, other, place);
}

/** Candidates for the text of a turn, as players like them first; `exact`: one that keeps order and stops. */
export function slashed(notation, machine, state, walk, exact) {
  const side = machine.now(state).decider;
  const waiting = [...walk.throws];
  const groups = [];
  let here = state;
  for (const [i, number] of walk.decisions.entries()) {
    while (waiting.length && waiting[0][0] === i) {
      const [, faces] = waiting.shift();
      groups.push(`[${faces.join("-")}]`);
      here = notation.advance(here, { what: "throw", faces }, machine);
    }
    const decision = notation.machine.decision(number);
    if (!notation.simple(decision) || machine.now(here).decider !== side) return [];
    const after = machine.step(here, number);
    const hop = { origin: decision.origin, to: decision.to, hit: sentOff(machine, here, after, decision.to) };
    if (Array.isArray(groups.at(-1))) groups.at(-1).push(hop);
    else groups.push([hop]);
    here = after;
  }
  const tail = [...waiting.map(([, faces]) => `[${faces.join("-")}]`), ...(over(machine, state, walk.end) ? [] : ["-"])];
  const manners = exact ? [[false, false]] : [[true, true], [false, true], [false, false]];
  return manners.map(([merge, ordered]) => {
    const words = groups.flatMap((group) => {
      if (!Array.isArray(group)) return [group];
      return counted(waysOf(group, notation.order[side], merge, ordered).map((way) => wayText(notation, side, way, exact)));
    });
    return [...words, ...tail].join(" ");
  });
}

/** Hops joined to the ways of single men: neighbours only, or (`merge`) wherever one goes on. */
function waysOf(hops, order, merge, ordered) {
  const ways = [];
  for (const hop of hops) {
    const open = merge ? ways : ways.slice(-1);
    const way = merge || !ordered ? open.find((one) => one.at(-1).to === hop.origin) : undefined;
    if (way === undefined) ways.push([hop]);
    else way.push(hop);
  }
  const rank = (way) => [way[0].origin, ...way.map((hop) => hop.to)].map((place) => order[place]);
  return ordered ? ways.sort((a, b) => compared(rank(a), rank(b))) : ways;
}

/** Order by the first numbers that differ; what has none left comes first. */
function compared(one, other) {
  const at = one.findIndex((number, i) => number !== other[i]);
  return at < 0 ? one.length - other.length : at < other.length ? one[at] - other[at] : 1;
}

/** `stops`: every place is named, not only the last and those where somebody is hit. */
function wayText(notation, side, way, stops) {
  const told = way.filter((hop, i) => stops || hop.hit || i === way.length - 1);
  const places = told.map((hop) => `/${notation.label(hop.to, side)}${hop.hit ? HIT : ""}`);
  return notation.label(way[0].origin, side) + places.join("");
}

/** Neighbours that are equal, counted. */
function counted(texts) {
  const found = [];
  for (const text of texts) {
    if (found.length && found.at(-1)[0] === text) found.at(-1)[1]++;
    else found.push([text, 1]);
  }
  return found.map(([text, many]) => (many === 1 ? text : `${text}(${many})`));
}

// ---- reading ------------------------------------------------------------------------------

/** What a text in this style says, as `Notation.read` gives it; null where it is to be read as the plain form. */
export function readSlides(notation, machine, state, text, whole) {
  const groups = groupsOf(text);
  if (groups === null) return null;
  const reader = new Reader(notation, machine, state);
  const shown = text.trim();
  const found = [...reader.groups(state, groups, 0)].filter((r) => !whole || finished(machine, state, r.state));
  if (!found.length) {
    if (reader.complete) throw fault("N714", `\`${shown}\` leaves the turn unfinished`, { help: "write all of it" });
    const starred = text.includes(HIT);
    if (starred && [...new Reader(notation, machine, state).groups(state, unstarred(groups), 0)].length) {
      throw fault("N713", "nobody is hit where a star says so", { help: "leave the star out" });
    }
    throw fault("N710", `\`${shown}\` is not legal here`, { refused: { state, word: shown } });
  }
  const best = found.reduce((a, b) => (compared(b.rank, a.rank) < 0 ? b : a)).rank;
  const likely = found.filter((r) => compared(r.rank, best) === 0).reverse();
  const chosen = [...new Map(likely.map((r) => [machine.key(r.state), r])).values()];
  if (chosen.length > 1) {
    const ways = [...new Set(chosen.map((r) => notation.spell(machine, state, r.events)))].sort();
    const help = `write ${ways.map((way) => `\`${way}\``).join(" or ")}`;
    throw fault("N711", `\`${shown}\` can be read in ${ways.length} ways`, { help });
  }
  return chosen[0].events;
}

/** The parts of a text: runs of slides [{places, stars}], and plain words between; null if it is not in this style. */
function groupsOf(text) {
  if (text.length > MOST_LENGTH) return null;
  const groups = [];
  let slides = 0;
  for (const word of text.split(/[ \n]+/).filter(Boolean)) {
    const found = SLIDE.exec(word);
    if (found === null) {
      if (word.includes("/")) return null;
      groups.push(word);
      continue;
    }
    const stops = found[2].slice(1).split("/");
    const places = [found[1], ...stops.map((stop) => stop.replace(HIT, ""))];
    const slide = { places, stars: stops.map((stop) => stop.endsWith(HIT)) };
    const many = Number(found[3] ?? 1);
    slides += many;
    if (!many || slides > MOST_SLIDES) return null;
    const group = Array.from({ length: many }, () => slide);
    if (Array.isArray(groups.at(-1))) groups.at(-1).push(...group);
    else groups.push(group);
  }
  return groups;
}

function unstarred(groups) {
  const bare = (slide) => ({ ...slide, stars: slide.stars.map(() => false) });
  return groups.map((group) => (Array.isArray(group) ? group.map(bare) : group));
}

/** All ways to play what is written, with how well each fits: [stars that differ, moves out of order]. */
class Reader {
  constructor(notation, machine, start) {
    this.notation = notation;
    this.machine = machine;
    this.start = start;
    this.side = machine.now(start).decider;
    this.looked = 0;
    this.complete = false;
  }

  *groups(state, groups, at) {
    if (at === groups.length) {
      this.complete = true;
      yield { events: [], state, rank: [0, 0] };
      return;
    }
    const group = groups[at];
    const firsts = Array.isArray(group)
      ? this.#moves(state, group, group.map(() => 0), group.map(() => -1))
      : this.#plain(state, group);
    for (const first of firsts) {
      for (const rest of this.groups(first.state, groups, at + 1)) {
        const rank = first.rank.map((number, i) => number + rest.rank[i]);
        yield { events: [...first.events, ...rest.events], state: rest.state, rank };
      }
    }
  }

  *#plain(state, word) {
    let events;
    try {
      events = this.notation.readPlain(state, word, false, this.machine);
    } catch (problem) {
      if (problem instanceof Fault) return;
      throw problem;
    }
    const after = events.reduce((here, event) => this.notation.advance(here, event, this.machine), state);
    yield { events, state: after, rank: [0, 0] };
  }

  /** `done`: how many places of each slide are reached; `at`: where its man is, -1 before it starts. */
  *#moves(state, slides, done, at) {
    if (++this.looked > MOST_LOOKED) {
      throw fault("N711", "this could mean too many ways", { help: "write fewer moves at once" });
    }
    const { notation, machine, side } = this;
    const isDone = (i) => done[i] === slides[i].places.length - 1;
    if (slides.every((_, i) => isDone(i))) {
      yield { events: [], state, rank: [0, 0] };
      return;
    }
    const now = machine.now(state);
    if (over(machine, this.start, state) || now.waits !== TO_DECIDE || now.decider !== side) return;
    const firstOpen = slides.findIndex((_, i) => !isDone(i));
    for (const number of machine.legal(state)) {
      const decision = notation.machine.decision(number);
      if (!notation.simple(decision)) continue;
      const tried = new Set();
      for (const [i, slide] of slides.entries()) {
        if (isDone(i)) continue;
        const standing =
          at[i] >= 0 ? at[i] === decision.origin : notation.label(decision.origin, side) === slide.places[0];
        const key = JSON.stringify([slide.places, slide.stars, done[i], at[i]]);
        if (!standing || tried.has(key)) continue;
        tried.add(key);
        const target = slide.places[done[i] + 1];
        const arrived = notation.label(decision.to, side) === target;
        if (!arrived && !this.#between(decision.to, target)) continue;
        const after = machine.step(state, number);
        const hit = sentOff(machine, state, after, decision.to);
        const star = arrived && slide.stars[done[i]];
        if (star && !hit) continue;
        const moved = done.map((many, j) => (j === i ? many + arrived : many));
        const stands = at.map((place, j) => (j === i ? decision.to : place));
        for (const rest of this.#moves(after, slides, moved, stands)) {
          const rank = [rest.rank[0] + (hit && !star), rest.rank[1] + (i !== firstOpen)];
          yield { ...rest, events: [{ what: "decide", number }, ...rest.events], rank };
        }
      }
    }
  }

  /** Does a place lie before a named one on the way? */
  #between(place, target) {
    const order = this.notation.order[this.side];
    return this.machine.about.labels[this.side].some(
      (label, other) => label === target && order[other] > order[place] && order[place] >= 0,
    );
  }
}
