// A game on the page: who sits where, what happens by itself, what a person may do now.
//
// The session knows the rules; the table knows people. It fires `change` whenever something is to be drawn anew and
// `say` with {text, urgent} for what is to be announced.

import { Computer, player } from "./computer.js";
import { Fault } from "./fault.js";
import { BEGIN, MOVE, PLAYERS, STUCK, THROW, UNDO, checkContent, eventText, readRecord, variantOf } from "./record.js";
import { DECIDE, OVER, Session } from "./session.js";
import { whyNot, why } from "./why.js";

const HUMAN = "human";

/** A seed of 53 bits by lot. */
export function drawnSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return BigInt((high & 0x1fffff) * 2 ** 32 + low);
}

const calm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

export class Table extends EventTarget {
  constructor(book, workerSource) {
    super();
    this.book = book;
    this.computer = new Computer(workerSource);
    this.game = null;
    this.session = null;
    /** A person's turn is over, but the next player waits until it is confirmed. */
    this.held = false;
    /** Are turns confirmed before the other side goes on? */
    this.confirms = false;
    /** Are dice thrown without asking? */
    this.throwsItself = false;
    this.thinking = false;
    this.problem = null;
    this.generation = 0;
  }

  // ---- games begin and are taken up ---------------------------------------------------------

  /** A new game. `seed` "" is drawn by lot. */
  async begin({ index = 0, seats = {}, seed = "" }) {
    const game = await this.book.game(index);
    const { data } = this.book;
    const players = data.sides.map((side) => [side, this.named(seats[side] ?? HUMAN)]);
    const head = {
      ruleset: data.id,
      content: data.content,
      options: Object.entries(game.options),
      seed: seed === "" ? drawnSeed() : BigInt(seed),
      players,
      program: data.program,
      date: new Date().toISOString().slice(0, 10),
    };
    this.seat(game, new Session(game.machine, game.notation, head));
    this.say("A new game.");
    await this.proceed();
  }

  /** A player as it stands in a record, with what it is given to think: `mcts:500ms`. */
  named(text) {
    const known = player(text);
    if (!known || text.includes(":")) return text;
    const { id, iterations, milliseconds } = known;
    return iterations ? `${id}:${iterations}` : milliseconds ? `${id}:${milliseconds}ms` : id;
  }

  /** Go on with a record. Throws Fault, and then nothing has changed. */
  async restore(text) {
    const record = readRecord(text);
    checkContent(record, this.book.data);
    const game = await this.book.game(variantOf(record, this.book.data));
    const session = Session.of(game.machine, game.notation, record);
    this.seat(game, session);
    if (record.cutOff) this.say(`The last line was cut off and is left out: ${record.cutOff}`);
    await this.proceed();
  }

  seat(game, session) {
    this.computer.stop();
    this.generation++;
    this.game = game;
    this.session = session;
    this.held = this.thinking = false;
    this.problem = null;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  say(text, urgent = false) {
    this.dispatchEvent(new CustomEvent("say", { detail: { text, urgent } }));
  }

  // ---- who does what ------------------------------------------------------------------------

  get sides() {
    return this.book.data.sides;
  }

  player(side) {
    return this.session.players[side] ?? HUMAN;
  }

  human(side) {
    return player(this.player(side))?.id === HUMAN || player(this.player(side)) === null;
  }

  /** The side that a person here may act for now, or null. */
  get actor() {
    const { session } = this;
    if (!session || this.held || session.due === OVER || session.due === BEGIN) return null;
    return this.human(session.decider) ? session.decider : null;
  }

  /** The legal decisions of a person here, with their texts. */
  get legal() {
    const { session, game } = this;
    if (!this.actor || session.due !== DECIDE) return [];
    return game.machine.legal(session.state).map((number) => ({
      ...game.machine.decision(number),
      text: game.notation.text(session.state, number),
    }));
  }

  /** The side that could take its last decision back; null if none here can. */
  get undoer() {
    const side = this.sides.find((one) => this.human(one) && this.session?.undoable(one, true));
    return side !== undefined && !this.thinking ? side : null;
  }

  // ---- what people do -----------------------------------------------------------------------

  /** A person's events; each is checked by the session. Throws Fault. */
  async act(make) {
    const before = this.session.events.length;
    const turns = this.turns;
    try {
      make();
    } finally {
      this.problem = null;
      this.told(before);
      this.changed();
    }
    if (this.confirms && this.turns !== turns && this.session.due !== OVER) {
      this.held = true;
      this.changed();
      return;
    }
    await this.proceed();
  }

  get turns() {
    return this.game.machine.now(this.session.state).turns;
  }

  /** Decisions by number. */
  decide(numbers) {
    return this.act(() => this.session.decide(numbers));
  }

  /** A move as it was typed. */
  type(text) {
    const side = this.actor;
    return this.act(() => this.session.move(side ?? this.session.decider, text));
  }

  throw() {
    return this.act(() => this.session.apply(this.session.drawn()));
  }

  /** Take back, again and again if a turn of several decisions is to be begun anew. */
  undo() {
    const side = this.undoer;
    if (side === null) return Promise.resolve();
    this.held = false;
    this.session.apply({ what: UNDO, side });
    this.say(`${side} takes back.`);
    this.changed();
    return Promise.resolve();
  }

  confirm() {
    this.held = false;
    return this.proceed();
  }

  resign() {
    const side = this.actor ?? this.sides.find((one) => this.human(one));
    if (!side) return Promise.resolve();
    this.computer.stop();
    return this.act(() => this.session.apply({ what: "resign", side }));
  }

  agree() {
    this.computer.stop();
    return this.act(() => this.session.apply({ what: "agreed" }));
  }

  /** Somebody else takes a seat. */
  async reseat(side, text) {
    this.session.apply({ what: PLAYERS, players: [[side, this.named(text)]] });
    this.computer.stop();
    this.thinking = false;
    this.changed();
    await this.proceed();
  }

  /** Why something is not legal: clauses with rule, source and facts. `asked` as in `why.js`. */
  whyNot(asked) {
    return whyNot(this.game.machine, this.game.why, this.game.notation, this.session.state, asked);
  }

  why(number) {
    return why(this.game.machine, this.game.why, this.session.state, number);
  }

  // ---- what happens by itself -----------------------------------------------------------------

  /** Chance and computers go on until a person has to do something. */
  async proceed() {
    const { generation } = this;
    for (;;) {
      const { session } = this;
      if (generation !== this.generation || this.held || this.thinking || session.due === OVER) return;
      const { due } = session;
      const before = session.events.length;
      if (due === BEGIN || due === STUCK || (due === THROW && (this.throwsItself || !this.human(session.decider)))) {
        session.apply(session.drawn());
      } else if (due === DECIDE && !this.human(session.decider)) {
        if (!(await this.answered())) return;
      } else {
        this.changed();
        return;
      }
      if (generation !== this.generation) return;
      this.told(before);
      this.changed();
      if (!calm()) await new Promise((resolve) => setTimeout(resolve, 350));
    }
  }

  /** A computer plays. False where it was broken off or failed. */
  async answered() {
    const { session, game, generation } = this;
    const chosen = player(this.player(session.decider));
    this.thinking = true;
    this.changed();
    try {
      const { seed } = session.head;
      const numbers = await this.computer.choose(game.bytes, session.state, chosen, seed, session.events.length);
      if (generation !== this.generation) return false;
      this.thinking = false;
      for (const number of numbers) {
        session.decide([number]);
        if (session.due !== DECIDE) break;
      }
      return true;
    } catch (problem) {
      if (generation !== this.generation || problem.name === "AbortError") return false;
      this.thinking = false;
      this.problem = `The computer cannot go on (${problem.message}). Another player may take its seat.`;
      this.say(this.problem, true);
      this.changed();
      return false;
    } finally {
      if (generation === this.generation) this.thinking = false;
    }
  }

  /** Announce what has happened since. */
  told(before) {
    const said = this.session.events.slice(before).map((event) => this.worded(event));
    if (this.session.due === OVER) said.push(this.ending());
    if (said.length) this.say(said.join(" "));
  }

  worded(event) {
    const faces = event.faces?.length ? ` ${event.faces.join("-")}` : "";
    const words = {
      [BEGIN]: () => `${event.side} begins${faces ? `, thrown${faces}` : ""}.`,
      [THROW]: () => `Thrown${faces}.`,
      [STUCK]: () => "Nothing can be played.",
      [MOVE]: () => `${event.side} ${event.text}.`,
    }[event.what];
    return words ? words() : `${eventText(event)}.`;
  }

  ending() {
    const { outcome } = this.session;
    const points = outcome.points === 1 ? "" : ` with ${outcome.points} points`;
    return `${outcome.winner ? `${outcome.winner} wins${points}` : "Drawn"}: ${outcome.kind}.`;
  }
}

export { Fault };
