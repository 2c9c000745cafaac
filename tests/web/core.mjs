// Plays games by the page's own modules, and prints what came of them as one line of JSON.
// node core.mjs PAGE PLAN     PLAN holds {games: [{id, wasm, notation, record, walks, turns}], …}, see test_core.py

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [page, plan] = process.argv.slice(2);
const at = (name) => import(pathToFileURL(`${page}/${name}`).href);
const { Machine } = await at("machine.js");
const { Notation } = await at("notation.js");
const { Chance } = await at("chance.js");
const { Session, DECIDE, OVER } = await at("session.js");
const { Fault } = await at("fault.js");
const { checkContent, eventText, readEvent, readRecord, recordText, variantOf } = await at("record.js");
const { sceneOf, newsOf, legendOf } = await at("scene.js");
const { walks } = await at("turns.js");

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const laid = (state) => [hex(state.record), hex(state.history)];

/** What is said of a state: everything that Python is to say too. `chosen` is the decision to try. */
function told(machine, notation, state, chosen = null) {
  const legal = machine.legal(state);
  const said = machine.read(state);
  const scenes = [0, 1].map((viewer) => {
    const scene = sceneOf(machine, state, { viewer });
    return { ...scene, news: newsOf(scene), legend: legendOf(machine.about, scene, [0]) };
  });
  const found = { at: laid(state), legal, texts: legal.map((number) => notation.text(state, number)), said, scenes };
  found.permitted = said.outcome === null && said.waits === 0 ? machine.permitted(state) : [];
  const number = chosen ?? legal[0];
  if (legal.length) found.step = [number, ...laid(machine.step(state, number))];
  found.shown = legal.map((number) => notation.shown(state, number));
  found.throws = machine.throws(state).map(({ weight, faces, state: after }) => [weight, faces, ...laid(after)]);
  return found;
}

function golden(machine, notation, game) {
  const record = readRecord(readFileSync(game.record));
  const session = new Session(machine, notation, record.head);
  const samples = [];
  let texts = 0;
  const sampled = new Set(game.samples);
  for (const [number, event] of record.events.entries()) {
    if (session.due === DECIDE) {
      const found = notation.texts(machine, session.state).get(event.text);
      if (found?.length === 1) texts++; // the record writes a decision as it is written here
    }
    if (sampled.has(number)) samples.push(told(machine, notation, session.state));
    session.apply(event);
  }
  samples.push(told(machine, notation, session.state));
  const again = session.turns();
  return {
    samples,
    texts,
    due: session.due,
    outcome: session.outcome,
    text: session.text(),
    turns: game.turns ? again : again.length,
    last: session.last(),
  };
}

/** A random game: chance and decisions drawn from one generator; every decision is undone once and done again. */
function walk(machine, notation, game, seed) {
  const head = { ruleset: game.id, content: "c", seed: BigInt(seed), options: [], players: [], dice: "seed" };
  const session = new Session(machine, notation, head);
  const chance = Chance.ofGame(seed, 1);
  const samples = [];
  const events = [];
  let undone = 0;
  for (let i = 0; i < game.walks && session.due !== OVER; i++) {
    const due = session.due;
    const event = due === DECIDE ? { what: "move", side: session.decider } : session.drawn();
    if (due === DECIDE) {
      const number = chance.choice(machine.legal(session.state));
      event.text = notation.text(session.state, number);
      if (i % 23 === 0) samples.push(told(machine, notation, session.state, number));
    } else if (i % 23 === 0) samples.push(told(machine, notation, session.state));
    const before = laid(session.state).join();
    session.apply(event);
    events.push(eventText(event));
    if (due !== DECIDE) continue;
    const [after, outcome] = [laid(session.state).join(), JSON.stringify(session.outcome)];
    session.apply({ what: "undo", side: event.side });
    if (laid(session.state).join() !== before || session.outcome !== null) throw new Error("undone, and not as before");
    session.apply(event);
    if (laid(session.state).join() !== after || JSON.stringify(session.outcome) !== outcome) throw new Error("done again, and otherwise");
    undone++;
  }
  return { samples, events, undone, turns: game.turns ? session.turns() : [] };
}

/** What an attempt comes to: its faults, or what it gives. */
function attempt(ask) {
  try {
    return { gave: ask() };
  } catch (problem) {
    if (!(problem instanceof Fault)) throw problem;
    return { faults: problem.faults.map(({ code, line, message, notes }) => ({ code, line, message, notes })) };
  }
}

/** A record opened and played as a page does. */
function opened(made, { text, base64 }) {
  const data = base64 === undefined ? text : new Uint8Array(Buffer.from(base64, "base64"));
  return attempt(() => {
    const record = readRecord(data);
    const game = made.get(record.head.ruleset) ?? made.values().next().value;
    checkContent(record, game.book);
    variantOf(record, game.book);
    const session = Session.of(game.machine, game.notation, record);
    return { text: recordText(record), players: { ...session.players }, cutOff: record.cutOff, events: session.events.length };
  });
}

/** What typed words mean: texts of decisions, each read where the one before leads to. */
function typed(made, { id, record, upto, text, whole = false }) {
  const { machine, notation } = made.get(id);
  const told = readRecord(record);
  const session = Session.of(machine, notation, { ...told, events: told.events.slice(0, upto) });
  return attempt(() => {
    let here = session.state;
    return notation.read(here, text, whole).map((event) => {
      const said = event.what === "decide" ? notation.text(here, event.number) : event.what;
      here = notation.advance(here, event);
      return said;
    });
  });
}

/** Every whole turn from where a record stands: its text, and whether it is read back to the same end. */
function allTurns(made, { id, record, upto }) {
  const { machine, notation } = made.get(id);
  const told = readRecord(record);
  const { state } = Session.of(machine, notation, { ...told, events: told.events.slice(0, upto) });
  return [...walks(machine, state)].map((one) => {
    const text = notation.turnText(state, one);
    const end = notation.read(state, text).reduce((here, event) => notation.advance(here, event), state);
    return [text, machine.key(end) === machine.key(one.end)];
  });
}

const asked = JSON.parse(readFileSync(plan, "utf8"));
const answer = { games: {}, seeds: [] };
const made = new Map();
for (const game of asked.games) {
  const machine = await Machine.of(readFileSync(game.wasm));
  const notation = new Notation(machine, game.notation);
  const book = { id: game.id, content: game.content, variants: [{ options: machine.about.options }] };
  made.set(game.id, { machine, notation, book });
  answer.games[game.id] = { golden: golden(machine, notation, game), walk: walk(machine, notation, game, asked.seed) };
}
for (const [seed, number] of asked.seeds) {
  const chance = Chance.ofGame(BigInt(seed), BigInt(number));
  const next = Array.from({ length: 8 }, () => String(chance.next()));
  answer.seeds.push([next, asked.bounds.map((bound) => chance.below(bound))]);
}
answer.opened = asked.hostile.map((one) => opened(made, one));
answer.lines = asked.lines.map((line) => attempt(() => eventText(readEvent(line))));
answer.typed = asked.typed.map((one) => typed(made, one));
answer.turns = asked.turns.map((one) => allTurns(made, one));
process.stdout.write(JSON.stringify(answer));
