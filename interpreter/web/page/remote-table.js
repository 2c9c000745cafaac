// A remote game on the page: what the server has written down, and what this side says.
//
// Nothing happens here that the server has not accepted; the page plays the same lines on its own machine, so that
// the board, the legal moves and the reasons need no further question.

import { fault } from "./fault.js";
import { checkContent, readEvent, readRecord, variantOf } from "./record.js";
import { DECIDE, Session } from "./session.js";
import { Table } from "./table.js";

export class RemoteTable extends Table {
  /**
   * @param book    the page's
   * @param remote  a `RemoteGame`
   */
  constructor(book, remote) {
    super(book, "");
    this.remote = remote;
    /** What the server says beside the lines: side, seats, present, connected, offer, dice, problem. */
    this.said = {};
    this.seen = 0;
    this.queue = Promise.resolve();
    remote.onupdate = (update) => {
      this.queue = this.queue.then(() => this.take(update)).catch((problem) => this.failed(problem));
    };
  }

  get side() {
    return this.said.side ?? null;
  }

  get state() {
    return this.said;
  }

  failed(problem) {
    this.problem = problem.message;
    this.say(problem.message, true);
    this.changed();
  }

  async take(update) {
    const before = this.said;
    this.said = update;
    if (update.problem) throw new Error(update.problem.reason);
    if (update.changed) {
      const { played, found } = update.changed;
      throw new Error(`the rules have changed since this game began: played by ${played}, found now ${found || "none"}`);
    }
    if (!update.head) return this.changed();
    if (!this.session) await this.open(update);
    else {
      if (update.head !== before.head) this.session.head = readRecord(update.head).head;
      this.follow(update.events.slice(this.seen));
    }
    this.seen = update.events.length;
    this.problem = update.connected ? null : "The connection is lost. It is tried again; nothing is lost.";
    this.news(before, update);
    return this.changed();
  }

  /** All lines so far. */
  async open({ head, events }) {
    const record = readRecord(head + events.map((line) => `${line}\n`).join(""));
    checkContent(record, this.book.data);
    const game = await this.book.game(variantOf(record, this.book.data));
    this.seat(game, Session.of(game.machine, game.notation, record));
    this.dispatchEvent(new Event("seated"));
  }

  follow(lines) {
    const before = this.session.events.length;
    for (const line of lines) this.session.apply(readEvent(line));
    if (lines.length) this.told(before);
  }

  /** What is to be announced of the others. */
  news(before, now) {
    if (before.offer !== now.offer && now.offer && now.offer !== this.side) this.say(`${now.offer} offers a draw.`, true);
    if (before.connected !== undefined && before.connected !== now.connected) {
      this.say(now.connected ? "Connected again." : "The connection is lost.", true);
    }
    const here = now.present ?? [];
    for (const side of here) if (before.present && !before.present.includes(side) && side !== this.side) this.say(`${side} is here.`);
    for (const side of before.present ?? []) if (!here.includes(side) && side !== this.side) this.say(`${side} has gone.`);
  }

  // ---- who does what ------------------------------------------------------------------------

  human(side) {
    return side === this.side;
  }

  get actor() {
    const { session } = this;
    if (!session || !this.said.connected || this.waits || session.due !== DECIDE) return null;
    return session.decider === this.side ? this.side : null;
  }

  get undoer() {
    return this.side && !this.waits && this.session?.undoable(this.side) ? this.side : null;
  }

  /** Say something to the server and wait for its answer. Throws Fault where it refuses. */
  async sent(line, text = "") {
    this.waits = true;
    this.changed();
    try {
      const answer = await this.remote.send(this.session.events.length, line);
      await this.queue;
      if (!answer.ok) {
        const refused = text ? { state: this.session.state, word: text } : null;
        throw fault(answer.code === "illegal" ? "P806" : "P805", answer.reason, { refused });
      }
    } finally {
      this.waits = false;
      this.changed();
    }
  }

  decide(numbers) {
    const { machine, notation } = this.game;
    let { state } = this.session;
    const words = [];
    for (const number of numbers) {
      words.push(notation.text(state, number));
      state = machine.step(state, number);
    }
    return this.type(words.join(" "));
  }

  type(text) {
    return this.sent(`${this.side} ${text}`, text.trim().toLowerCase());
  }

  undo() {
    return this.sent(`undo ${this.side}`);
  }

  resign() {
    return this.sent(`resign ${this.side}`);
  }

  /** A draw is offered; where one was offered by the other side, it is agreed to. */
  agree() {
    return this.sent(this.said.offer && this.said.offer !== this.side ? "agree" : "offer");
  }

  decline() {
    return this.sent("decline");
  }

  async proceed() {
    this.changed();
  }
}
