/**
 * A game being played: the counterpart of `play/session.py`, with the same promises.
 *
 * `apply` is the one way in, for players as for a record: every event is checked before it counts. Throws come
 * from the generator of the seed; a decision can be taken back until its turn is over and confirmed, never past a
 * throw, never one of the other side. One game: records of matches, and games that begin from a position, are
 * refused (P805). Faults: P805 an event that cannot happen now, P806 a move that is not legal, P807 a throw that is
 * not the seed's; N701, N711, N713 of moves as text.
 *
 * One room: one method for each thing that can happen.
 */

import { Chance } from "./chance.js";
import { Fault, fault, known } from "./fault.js";
import { TO_BEGIN, TO_DECIDE, TO_THROW, same } from "./machine.js";
import { AGREED, BEGIN, GAME, MOVE, NOTE, PLAYERS, RESIGN, STUCK, THROW, UNDO, eventText, recordText } from "./record.js";
import { turnsPlayed } from "./played.js";

export const DECIDE = "decide";
export const OVER = "over";
const CHANCE = [BEGIN, THROW, STUCK];

export class Session {
  #chance;
  #drawn = null;
  #open = [];

  /**
   * @param machine   a `Machine`
   * @param notation  its `Notation`
   * @param head      as `record.js` reads it
   * @param sink      told of each event once it has happened
   * Throws Fault P805 for a match, or a game that does not begin with the set-up.
   */
  constructor(machine, notation, head, sink = () => {}) {
    if (head.match) {
      const help = "`alfonso replay FILE` reads it";
      throw fault("P805", "this is a record of a match; a page plays single games", { line: head.lines?.match, help });
    }
    if (head.position) {
      const help = "`alfonso replay FILE` reads it";
      const message = "this game does not begin with the set-up; a page plays games from their beginning";
      throw fault("P805", message, { line: head.lines?.position, help });
    }
    this.machine = machine;
    this.notation = notation;
    this.head = head;
    this.sink = sink;
    this.players = Object.assign(Object.create(null), Object.fromEntries(head.players ?? []));
    this.events = [];
    this.steps = [];
    this.outcome = null;
    this.#chance = Chance.ofGame(head.seed, 0);
    this.#settle(machine.initial());
  }

  /** The session of a record. Throws Fault for the first event that cannot have happened. */
  static of(machine, notation, { head, events }, sink) {
    const session = new Session(machine, notation, head);
    for (const event of events) session.apply(event);
    if (sink) session.sink = sink;
    return session;
  }

  // ---- what there is to do ----------------------------------------------------------------

  get sides() {
    return this.machine.about.sides;
  }

  /** The side that decides now (at a throw: the thrower), by name. */
  get decider() {
    return this.sides[this.machine.now(this.state).decider];
  }

  /** What comes next: begin, throw, stuck, decide, or over. */
  get due() {
    if (this.outcome !== null) return OVER;
    const { waits } = this.machine.now(this.state);
    if (waits !== TO_DECIDE) return waits === TO_BEGIN ? BEGIN : THROW;
    return this.machine.legal(this.state).length ? DECIDE : STUCK;
  }

  /** The event that chance brings next: the start, the throw, a side stuck. Asked twice it is the same. */
  drawn() {
    if (this.due === STUCK) return { what: STUCK };
    if (this.#drawn === null) this.#drawn = this.#draw();
    return this.#drawn;
  }

  /** Can this side take its last decision back? `ended`: also one that ended the turn, if nothing came after. */
  undoable(side, ended = false) {
    const last = this.#open.at(-1);
    if (last === undefined || last.event.side !== side) return false;
    const [before, now] = [this.machine.now(last.before), this.machine.now(this.state)];
    return ended || (this.outcome === null && before.turns === now.turns && before.turn === now.turn);
  }

  /** How many decisions of the last turn could be taken back, one after the other. */
  get openDecisions() {
    return this.#open.length;
  }

  /** What was played, turn by turn: {number, side, throw, text}, in the notation of the game. */
  turns() {
    return turnsPlayed(this.machine, this.notation, this.steps);
  }

  /** The places of the decisions of the last turn, as they were made. */
  last() {
    const made = this.steps.slice(-12).filter((step) => step.decision !== null);
    const turn = made.length ? this.machine.now(made.at(-1).before).turns : 0;
    const places = made
      .filter((step) => this.machine.now(step.before).turns === turn)
      .flatMap(({ decision }) => [this.machine.decision(decision).origin, this.machine.decision(decision).to]);
    return [...new Set(places.filter((place) => place >= 0))];
  }

  /** The record of the game so far, as text. */
  text() {
    return recordText({ head: this.head, events: this.events });
  }

  // ---- what happens -----------------------------------------------------------------------

  /** Let an event happen. Throws Fault, and then nothing has happened. */
  apply(event) {
    if (event.side && !this.sides.includes(event.side)) {
      this.#impossible(event, `no side \`${event.side}\``, known(this.sides, "sides"));
    }
    if (CHANCE.includes(event.what) && this.due !== event.what) {
      this.#impossible(event, `\`${eventText(event)}\` cannot happen here: ${this.#dueNow()}`);
    }
    const happen = {
      [BEGIN]: () => this.#start(event),
      [THROW]: () => this.#throw(event),
      [STUCK]: () => this.#done(event, this.machine.movedOn(this.state)),
      [MOVE]: () => this.#move(event),
      [UNDO]: () => this.#undo(event),
      [RESIGN]: () => this.#resign(event),
      [AGREED]: () => this.#agree(event),
      [GAME]: () => this.#impossible(event, "this is one game, no match", "write `match yes` above the events"),
      [PLAYERS]: () => this.#seat(event),
      [NOTE]: () => {},
    }[event.what];
    if (happen === undefined) this.#impossible(event, `nothing is known of \`${event.what}\``);
    happen();
    this.events.push(event);
    this.sink(event);
  }

  /** A side plays a decision or several as it typed them; each is an event of its own. Gives their numbers. */
  move(side, text) {
    const words = this.#decided({ what: MOVE, side, text: text.trim().toLowerCase() });
    for (const [, word] of words) this.apply({ what: MOVE, side, text: word });
    return words.map(([number]) => number);
  }

  /** The side whose turn it is plays decisions by their numbers, in order. */
  decide(numbers) {
    for (const number of numbers) {
      const text = this.machine.legal(this.state).includes(number) ? this.notation.text(this.state, number) : "";
      if (!text) throw fault("P806", "this cannot be played now");
      this.apply({ what: MOVE, side: this.decider, text });
    }
  }

  #settle(state) {
    this.state = state;
    this.outcome = this.machine.now(state).over ? this.machine.read(state).outcome : null;
  }

  #done(event, after, decision = null) {
    const step = { event, before: this.state, after, decision };
    this.steps.push(step);
    const turns = (state) => this.machine.now(state).turns;
    if (decision === null || (this.#open.length && turns(this.#open.at(-1).before) !== turns(step.before))) {
      this.#open = [];
    }
    if (decision !== null) this.#open.push(step);
    this.#settle(after);
  }

  // ---- chance -----------------------------------------------------------------------------

  #draw() {
    if (this.machine.now(this.state).waits === TO_THROW) {
      const throws = this.machine.about.throws.map(([faces, weight]) => [weight, faces]);
      return { what: THROW, faces: this.#chance.weighted(throws) };
    }
    const { side, faces } = this.#chance.weighted(this.machine.starts(this.state).map((one) => [one.weight, one]));
    return { what: BEGIN, side: this.sides[side], faces };
  }

  /** The generator goes on by one draw, whoever threw; with dice of the seed it must have given this. */
  #fromSeed(event) {
    const drawn = this.drawn();
    if ((this.head.dice ?? "seed") === "seed" && eventText(drawn) !== eventText(event)) {
      throw fault("P807", `\`${eventText(event)}\` is not what the seed gives here: \`${eventText(drawn)}\``, {
        line: event.line,
        help: "if the dice were not the seed's, write `dice any` above the events",
      });
    }
    this.#drawn = null;
  }

  #start(event) {
    const faces = event.faces ?? [];
    const found = this.machine.starts(this.state).find((one) => this.sides[one.side] === event.side && same(one.faces, faces));
    if (found === undefined) {
      const help = `for instance \`${eventText(this.drawn())}\``;
      this.#impossible(event, `\`${eventText(event)}\`: the game cannot begin so`, help);
    }
    this.#fromSeed(event);
    this.#done(event, found.state);
  }

  #throw(event) {
    const { throws, throw: dice } = this.machine.about;
    if (!throws.some(([faces]) => same(faces, event.faces))) {
      const help = `${dice[0]} dice of ${dice[1]} faces`;
      this.#impossible(event, `\`${eventText(event)}\`: that cannot be thrown`, help);
    }
    const after = this.machine.withThrow(this.state, event.faces);
    this.#fromSeed(event);
    this.#done(event, after);
  }

  // ---- decisions --------------------------------------------------------------------------

  #move(event) {
    for (const [number, word] of this.#decided(event)) {
      const after = this.machine.step(this.state, number);
      this.#done({ what: MOVE, side: event.side, text: word, line: event.line }, after, number);
    }
  }

  /** The decisions a move says, and how each is written; all its side's, and of the turn under way. */
  #decided(event) {
    if (this.due !== DECIDE) {
      this.#impossible(event, `\`${event.text}\` cannot be played here: ${this.#dueNow()}`);
    }
    if (event.side !== this.decider) {
      this.#impossible(event, `it is not ${event.side} who decides but ${this.decider}`);
    }
    const first = this.machine.now(this.state);
    const found = [];
    let here = this.state;
    for (const read of this.#read(event)) {
      const now = this.machine.now(here);
      if (read.what !== "decide") {
        this.#impossible(event, `\`${read.what}\` is no decision of a player`, "throws are made, not written");
      }
      if (now.turns !== first.turns || now.turn !== first.turn || this.sides[now.decider] !== event.side) {
        const words = found.map(([, word]) => word).join(" ");
        this.#impossible(event, `after \`${words}\` it is ${this.sides[now.decider]} who decides`);
      }
      found.push([read.number, this.notation.text(here, read.number)]);
      here = this.machine.step(here, read.number);
    }
    return found;
  }

  #read(event) {
    try {
      return this.notation.read(this.state, event.text);
    } catch (problem) {
      if (!(problem instanceof Fault)) throw problem;
      if (problem.code !== "N710") throw problem.at(event.line);
      const { refused } = problem;
      throw fault("P806", `not allowed: ${event.text}`, { line: event.line, refused });
    }
  }

  #undo(event) {
    if (!this.undoable(event.side, true)) {
      const last = this.#open.at(-1);
      const whose = last ? `the last decision was ${last.event.side}'s` : "";
      this.#impossible(event, whose || "there is no decision of this turn to take back");
    }
    this.steps.pop();
    this.#settle(this.#open.pop().before);
  }

  #resign(event) {
    this.#endBy(event, { winner: this.sides[1 - this.sides.indexOf(event.side)], points: 1, kind: "resigned" });
  }

  /** A draw that no rule makes, but both sides. */
  #agree(event) {
    this.#endBy(event, { winner: null, points: 0, kind: "agreed" });
  }

  #endBy(event, outcome) {
    if (this.due === OVER) this.#impossible(event, "the game is over");
    this.#done(event, this.state);
    this.outcome = { ...outcome, clause: outcome.kind };
  }

  #seat(event) {
    for (const [side] of event.players) {
      if (!this.sides.includes(side)) this.#impossible(event, `no side \`${side}\``, known(this.sides, "sides"));
    }
    for (const [side, kind] of event.players) this.players[side] = kind;
  }

  #dueNow() {
    return {
      [BEGIN]: "the game has not begun",
      [THROW]: `${this.decider} has to throw`,
      [STUCK]: `${this.decider} can play nothing`,
      [DECIDE]: `${this.decider} has to decide`,
      [OVER]: "the game is over",
    }[this.due];
  }

  #impossible(event, message, help = "") {
    throw fault("P805", message, { line: event.line, help });
  }
}
