// A game on the page: who sits where, what happens by itself, what a person may do now.
//
// The session knows the rules; the table knows people. It fires `change` whenever something is to be drawn anew and
// `say` with {text, urgent} for what is to be announced.

import { Computer, named, player } from "./computer.js";
import { refusalText } from "./commands.js";
import { fault } from "./fault.js";
import { BEGIN, MOVE, PLAYERS, STUCK, THROW, UNDO, checkContent, eventText, readRecord, variantOf } from "./record.js";
import { DECIDE, OVER, Session } from "./session.js";
import { whyNot, why } from "./why.js";

const HUMAN = "human";

/** When a person ends a turn with a word of its own, before anything else happens by itself. */
export const ENDINGS = [
  { id: "several", says: "turns with dice or of several decisions" },
  { id: "always", says: "every turn" },
  { id: "never", says: "no turn: the game goes on by itself" },
];

/** A seed of 53 bits by lot. */
export function drawnSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return BigInt((high & 0x1fffff) * 2 ** 32 + low);
}

/** Milliseconds between two things that happen by themselves, so that eyes can follow. */
const BREATH = 350;
const calm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

/** A fault of a record whose move is not legal, with the reasons: they are of the record's game, not of the page's. */
function reasoned(problem, game) {
  if (!problem.refused) return problem;
  const { state, word } = problem.refused;
  let notes;
  try {
    notes = refusalText(whyNot(game.machine, game.why, game.notation, state, word)).split("\n");
  } catch (unread) {
    notes = [unread.message];
  }
  return fault(problem.code, problem.message, { line: problem.line, notes });
}

export class Table extends EventTarget {
  constructor(book, workerSource) {
    super();
    this.book = book;
    this.computer = new Computer(workerSource);
    this.game = null;
    this.session = null;
    /** A person's turn is over or can go no further; what comes next waits until that person ends it. */
    this.held = false;
    /** Which turns a person ends: one of ENDINGS. */
    this.confirms = "several";
    /** Are dice thrown without asking? */
    this.throwsItself = false;
    /** A game that only computers play stands still. */
    this.paused = false;
    this.thinking = false;
    this.problem = null;
    /** What happens by itself is numbered: a newer stretch of it, or a person, ends the older one. */
    this.run = 0;
  }

  // ---- games begin and are taken up ---------------------------------------------------------

  /** A new game. `seed` "" is drawn by lot. */
  async begin({ index = 0, seats = {}, seed = "" }) {
    const game = await this.book.game(index);
    const { data } = this.book;
    const players = data.sides.map((side) => [side, named(seats[side] ?? HUMAN)]);
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

  /** The same game from the beginning, with dice of another seed. */
  again() {
    return this.begin({ index: this.game.index, seats: { ...this.session.players } });
  }

  /** Go on with a record. Throws Fault, and then nothing has changed. */
  async restore(text) {
    const record = readRecord(text);
    checkContent(record, this.book.data);
    const game = await this.book.game(variantOf(record, this.book.data));
    let session;
    try {
      session = Session.of(game.machine, game.notation, record);
    } catch (problem) {
      throw reasoned(problem, game);
    }
    this.seat(game, session);
    const last = session.steps.at(-1);
    const ended = last?.decision != null && game.machine.now(last.before).turns !== this.turns;
    this.held = ended && this.human(last.event.side) && this.holds();
    if (record.cutOff) this.say(`The last line was cut off and is left out: ${record.cutOff}`);
    await this.proceed();
  }

  seat(game, session) {
    this.interrupt();
    this.game = game;
    this.session = session;
    this.held = this.paused = false;
    this.problem = null;
    this.changed();
  }

  /** Whatever goes on by itself ends here, and what a computer thinks about no longer matters. */
  interrupt() {
    this.run++;
    this.computer.stop();
    this.thinking = false;
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
    return this.sides.find((one) => this.human(one) && this.session?.undoable(one, true)) ?? null;
  }

  /** The side that gives up where somebody here does: whoever decides, else the one person. */
  get resigner() {
    const { session } = this;
    if (!session || session.due === OVER) return null;
    return this.human(session.decider) ? session.decider : (this.sides.find((side) => this.human(side)) ?? null);
  }

  /** Has nobody decided anything yet? */
  get untouched() {
    return !this.session.steps.some(({ decision }) => decision !== null);
  }

  /** Do only computers play? */
  get watched() {
    return !this.sides.some((side) => this.human(side));
  }

  // ---- what people do -----------------------------------------------------------------------

  /** A person's events; each is checked by the session. Throws Fault. */
  async act(make) {
    const before = this.session.events.length;
    const { turns } = this;
    this.interrupt();
    try {
      make();
      this.problem = null;
      this.held = turns !== this.turns && this.holds();
    } finally {
      this.told(before);
      this.changed();
      this.going = this.proceed();
    }
    await this.going;
  }

  get turns() {
    return this.game.machine.now(this.session.state).turns;
  }

  /** Is a turn that was just ended held, so that it can be taken back before anything comes of it? */
  holds() {
    if (this.session.due === OVER || this.confirms === "never") return false;
    if (this.confirms === "always") return true;
    const several = this.session.openDecisions > 1 || this.game.machine.about.throws.length > 0;
    return several && this.byItself !== "";
  }

  /** Decisions by number. */
  async decide(numbers) {
    if (this.actor) await this.act(() => this.session.decide(numbers));
  }

  /** A move as it was typed. */
  async type(text) {
    const { actor, session } = this;
    if (this.held) throw fault("", "your turn is played: end it, or take back");
    if (!actor && session.due !== OVER) throw fault("", `a computer plays ${session.decider}`);
    await this.act(() => session.move(actor ?? session.decider, text));
  }

  async throw() {
    if (this.actor && this.session.due === THROW) await this.act(() => this.session.apply(this.session.drawn()));
  }

  /** Take back, again and again if a turn of several decisions is to be begun anew. */
  async undo() {
    const side = this.undoer;
    if (side === null) return;
    this.interrupt();
    this.held = false;
    this.session.apply({ what: UNDO, side });
    this.say(`${side} takes back.`);
    this.changed();
  }

  /** A person ends the turn: what waits for it goes on. */
  async confirm() {
    if (!this.held) return;
    this.held = false;
    if (this.session.due === STUCK) await this.act(() => this.session.apply(this.session.drawn()));
    else await this.proceed();
  }

  async resign() {
    const side = this.resigner;
    if (side !== null) await this.act(() => this.session.apply({ what: "resign", side }));
  }

  async agree() {
    if (this.session.due !== OVER) await this.act(() => this.session.apply({ what: "agreed" }));
  }

  /** Somebody else takes a seat. */
  async reseat(side, text) {
    this.interrupt();
    this.session.apply({ what: PLAYERS, players: [[side, named(text)]] });
    this.problem = null;
    this.changed();
    await this.proceed();
  }

  /** A game of computers stands still, or goes on. */
  async pause(paused) {
    this.interrupt();
    this.paused = paused;
    this.changed();
    if (!paused) await this.proceed();
  }

  /** Why something is not legal: clauses with rule, source and facts. `asked` as in `why.js`. */
  whyNot(asked) {
    return whyNot(this.game.machine, this.game.why, this.game.notation, this.session.state, asked);
  }

  why(number) {
    return why(this.game.machine, this.game.why, this.session.state, number);
  }

  // ---- what happens by itself -----------------------------------------------------------------

  /** What would happen now without a person: "chance", "computer", or "". */
  get byItself() {
    const { session } = this;
    const { due } = session;
    if (this.held || due === OVER || (this.paused && this.watched)) return "";
    if (due === BEGIN || due === STUCK) return "chance";
    const human = this.human(session.decider);
    if (due === THROW) return this.throwsItself || !human ? "chance" : "";
    return human ? "" : "computer";
  }

  /** Chance and computers go on until a person has to do something. */
  async proceed() {
    const run = ++this.run;
    for (;;) {
      const { session } = this;
      if (session.due === STUCK && !this.held && this.confirms !== "never" && this.human(session.decider)) {
        this.held = true;
        this.say(`${session.decider} can play nothing.`);
      }
      const next = this.byItself;
      const before = session.events.length;
      if (next === "chance") session.apply(session.drawn());
      else if (next === "computer") await this.answered(run);
      if (run !== this.run) return;
      this.told(before);
      this.changed();
      if (!next || this.problem) return;
      if (!calm()) await new Promise((resolve) => setTimeout(resolve, BREATH));
      if (run !== this.run) return;
    }
  }

  /** A computer plays, unless somebody interrupts it. What it fails with is the table's problem. */
  async answered(run) {
    const { session, game } = this;
    const side = session.decider;
    this.thinking = true;
    this.changed();
    try {
      const { seed } = session.head;
      const chosen = player(this.player(side));
      const numbers = await this.computer.choose(game.bytes, session.state, chosen, seed, session.steps.length);
      if (run !== this.run) return;
      for (const number of numbers) {
        session.decide([number]);
        if (session.due !== DECIDE || session.decider !== side) break;
      }
    } catch (problem) {
      if (run !== this.run) return;
      this.problem = `The computer cannot go on (${problem.message}). Another player may take its seat.`;
      this.say(this.problem, true);
    }
    this.thinking = false;
  }

  /** Announce what has happened since. */
  told(before) {
    const said = this.session.events.slice(before).map((event) => this.worded(event));
    if (this.session.due === OVER) said.push(this.ending());
    else if (said.length && !this.byItself && !this.held) said.push(...this.next());
    if (said.length) this.say(said.join(" "));
  }

  /** Whose turn it is now, where that is news. */
  next() {
    const { due, decider, events } = this.session;
    if (due === THROW) return [`${decider} to throw.`];
    return events.at(-1)?.side === decider ? [] : [`${decider} to play.`];
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
