/**
 * What a drawing shows of a state, as data for the board: the counterpart of `play/geometry.py` and `play/signs.py`.
 *
 * Where things lie is the stage's business (it is made once, of the board); here is what stands there now.
 */

import { TO_BEGIN, TO_THROW } from "./machine.js";

const DIRECTIONS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/**
 * The scene of a state.
 *
 *     near, sides, turn   the viewer; the names; the side that has to do something (null before and after the game)
 *     decider             the side whose men the decisions of this state are about
 *     piles[place]        [[side, kind, count] …], side 0 first
 *     beside              for each side the places beside the board that are its own
 *     active              the place of the man that moves on; -1 if there is none
 *     marks               [[what is remembered, [places]] …]
 *     last                the places of the last turn's decisions
 *     duty, liable        places of men one of whom has to be moved; of men that can be taken off as they stand
 *     dice                [[pips, still to be played] …], in the order thrown; `thrown` the throw alone
 *     facts               {both, sides: [of side 0, of side 1]}: what else is remembered, in words
 *     status, outcome     whose turn it is and what is waited for, or how it ended
 *
 * @param viewer  the side (0 or 1) that sits at the bottom and whose labels count
 * @param last    places, as `Session.last` gives them
 */
export function sceneOf(machine, state, { viewer = 0, last = [] } = {}) {
  const { about } = machine;
  const said = machine.read(state);
  const piles = about.places.map((_, place) =>
    about.sides.flatMap((_, side) =>
      about.kinds.map((_, kind) => [side, kind, said.men[side][kind][place]]).filter(([, , count]) => count),
    ),
  );
  const facts = about.state.facts.map((fact) => ({ ...factOf(fact), value: said.facts[fact[0]] }));
  const worded = (fact, value) => factText(about, fact, value, viewer);
  const apart = facts.filter((fact) => !fact.onMen);
  const over = said.outcome !== null;
  return {
    near: viewer,
    sides: about.sides,
    kinds: about.kinds,
    decider: said.decider,
    turn: over || said.waits === TO_BEGIN ? null : said.waits === TO_THROW ? said.turn : said.decider,
    piles,
    beside: [0, 1].map((side) => about.beside.map(([, ...both]) => both[side])),
    active: !over && said.active >= 0 && piles[said.active].length ? said.active : -1,
    marks: marksOf(facts, worded),
    last: [...last],
    ...pointedOut(machine, state, said),
    dice: diceOf(machine, said),
    thrown: said.thrown,
    facts: {
      both: apart.filter((f) => f.per === "" && !isBlank(f, f.value)).map((f) => worded(f, f.value)),
      sides: [0, 1].map((side) =>
        apart.filter((f) => f.per === "side" && !isBlank(f, f.value[side])).map((f) => worded(f, f.value[side])),
      ),
    },
    status: statusOf(about, said),
    outcome: said.outcome,
  };
}

const factOf = ([name, , , , kind, per, low]) => ({ name, kind, per, low, onMen: kind === "mark" || per === "man" });

/** Is a fact as it begins? */
function isBlank({ kind, low }, value) {
  if (kind === "flag") return !value;
  if (kind === "number") return value === low;
  return kind === "direction" ? value < 0 : value.length === 0;
}

function factText(about, { name, kind }, value, viewer) {
  if (kind === "flag") return name;
  if (kind === "direction") return `${name} ${DIRECTIONS[value]}`;
  if (kind === "place" || kind === "places") return [name, ...value.map((p) => about.labels[viewer][p])].join(" ");
  return `${name} ${value}`;
}

/** What is remembered of men, with the places where they stand. */
function marksOf(facts, worded) {
  const found = [];
  for (const fact of facts.filter((one) => one.onMen)) {
    if (fact.kind === "mark") {
      found.push([fact.name, fact.value]);
      continue;
    }
    const groups = new Map();
    fact.value.forEach((value, place) => {
      if (isBlank(fact, value)) return;
      const text = worded(fact, value);
      groups.set(text, [...(groups.get(text) ?? []), place]);
    });
    found.push(...groups);
  }
  return found.filter(([, places]) => places.length);
}

/** Men under duty and men that are liable, as `play/signs.py` tells them. */
function pointedOut(machine, state, { decider }) {
  const legal = machine.legal(state);
  const begins = (numbers) => [...new Set(numbers.map((number) => machine.decision(number).origin))].sort((a, b) => a - b);
  const origins = begins(legal);
  const pressed = !origins.includes(-1) && origins.length !== begins(machine.permitted(state)).length;
  const men = (side, place) => machine.menOn(state, side, place);
  const isLiable = (p) => p >= 0 && p < machine.about.points && men(1 - decider, p) > 0 && !men(decider, p);
  const liable = origins.filter(isLiable);
  return { duty: pressed ? origins.filter((place) => !liable.includes(place)) : [], liable };
}

/** The dice in the order thrown, and whether each is still to be played. */
function diceOf(machine, { dice, thrown }) {
  const left = new Map();
  for (const die of dice) left.set(die, (left.get(die) ?? 0) + 1);
  const shown = thrown.length ? machine.left(thrown) : [];
  const many = (die) => shown.filter((one) => one === die).length;
  // dice that this throw did not give: only what is left is shown
  if ([...left].some(([die, count]) => count > many(die))) return dice.map((die) => [die, true]);
  return shown.map((die) => {
    const count = left.get(die) ?? 0;
    left.set(die, count - 1);
    return [die, count > 0];
  });
}

/** Whose turn it is and what is waited for, or how it ended: `white to play`. */
export function statusOf(about, { outcome, waits, turn, decider, phase }) {
  if (outcome !== null) {
    const points = outcome.points === 1 ? "" : ` ${outcome.points} points`;
    return `${outcome.winner ? `${outcome.winner} wins${points}` : "drawn"} (${outcome.kind})`;
  }
  if (waits === TO_BEGIN) return "to begin";
  if (waits === TO_THROW) return `${about.sides[turn]} to throw`;
  return `${about.sides[decider]} to play${phase && about.phases[phase] ? `, ${about.phases[phase]}` : ""}`;
}

/** Whose turn it is, the dice, what is remembered of the game: a line each. */
export function newsOf(scene) {
  const left = scene.dice.filter(([, isLeft]) => isLeft).map(([die]) => die);
  return [
    scene.status,
    ...(scene.thrown.length ? [`thrown ${scene.thrown.join("-")}`] : []),
    ...(left.length ? [`left ${left.join(" ")}`] : []),
    ...scene.facts.both,
  ];
}

/**
 * What the signs in a drawing mean: [sign, its words], in the order drawings name them. `sign` is `active`, `mark`,
 * `duty`, `liable`, `target` or `last`, or the number of a kind.
 */
export function legendOf(about, scene, targets = []) {
  const label = (place) => about.labels[scene.near][place];
  const kinds = [...new Set(scene.piles.flat().map(([, kind]) => kind))].filter(Boolean).sort((a, b) => a - b);
  const others = [
    ["duty", "must move:", scene.duty],
    ["liable", "may be taken off:", scene.liable],
    ["target", "possible:", [...targets].sort((a, b) => a - b)],
    ["last", "last:", scene.last],
  ].filter(([, , places]) => places.length);
  return [
    ...kinds.map((kind) => [String(kind), [about.kinds[kind]]]),
    ...(scene.active >= 0 ? [["active", ["moves on:", label(scene.active)]]] : []),
    ...scene.marks.map(([name, places]) => ["mark", [`${name}:`, ...places.map(label)]]),
    ...others.map(([sign, word, places]) => [sign, [word, ...new Set(places.map(label))]]),
  ];
}
