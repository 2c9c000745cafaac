// `<alfonso-page>`: a game on its board, with everything around it.
//
// One room: the whole page, one method for each part of it.

import { LitElement, html, nothing } from "lit";
import "./board.js";
import { answered, faultText } from "./commands.js";
import { Fault } from "./fault.js";
import { legend, moves, refusal, seats, throws, toRule } from "./panels.js";
import { remotePanel } from "./remote-panel.js";
import { rules } from "./rules.js";
import { sceneOf } from "./scene.js";
import "./setup.js";
import { statusOf } from "./status.js";

const HUMAN = "human";

export class AlfonsoPage extends LitElement {
  static properties = {
    table: { attribute: false },
    language: { type: String },
    near: { state: true },
    refusals: { state: true },
    marked: { state: true },
    log: { state: true },
    kept: { state: true },
    asked: { state: true },
  };

  constructor() {
    super();
    this.table = null;
    this.language = "";
    this.near = 0;
    this.refusals = null;
    this.marked = "";
    this.log = [];
    this.kept = "";
    /** What is asked twice before it is done: "resign", "draw", or "". */
    this.asked = "";
    this.typed = [];
    this.capture = { handleEvent: (event) => this.keyed(event), capture: true };
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.table.addEventListener("change", () => this.drawn());
    this.table.addEventListener("say", ({ detail }) => this.announce(detail.text, detail.urgent));
    this.addEventListener("alfonso-decide", ({ detail }) => this.doing(() => this.table.decide(detail.numbers.slice(0, 1))));
    this.addEventListener("alfonso-refused", ({ detail }) => this.refused(detail));
    this.addEventListener("alfonso-say", ({ detail }) => this.announce(detail.text, false));
    this.addEventListener("alfonso-begin", ({ detail }) => this.begin(detail));
  }

  /** The game has gone on: draw it, and keep it. */
  drawn() {
    this.refusals = null;
    this.asked = "";
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent("alfonso-changed", { bubbles: true }));
  }

  /** A new game, by the form. */
  async begin(detail) {
    this.querySelector("#new")?.removeAttribute("open");
    await this.afresh(() => this.table.begin(detail));
  }

  /** Once a new game stands there, a person's own side is near and the keyboard is on the board. */
  async afresh(start) {
    this.marked = "";
    const seated = new Promise((resolve) => this.table.addEventListener("change", resolve, { once: true }));
    const done = this.doing(start);
    await Promise.race([seated, done]);
    const human = this.table.sides.findIndex((side) => this.table.human(side));
    if (human >= 0) this.near = human;
    await this.updateComplete;
    this.querySelector("h1").scrollIntoView({ block: "start" });
    this.querySelector("alfonso-board")?.focus();
    await done;
  }

  understood() {
    this.refusals = null;
    this.querySelector("alfonso-board")?.focus();
  }

  // ---- where the keyboard is ----------------------------------------------------------------

  /** A button that goes away while it has the keyboard leaves it to what is to be done next. */
  willUpdate() {
    this.had = document.activeElement?.matches("#actions button, .refused button") ? document.activeElement : null;
  }

  updated(changed) {
    const { had } = this;
    this.had = null;
    if (changed.has("refusals")) this.querySelector(".refused")?.scrollIntoView({ block: "nearest" });
    const moves = this.querySelector("#moves");
    if (moves && this.length !== moves.scrollHeight) moves.scrollTop = this.length = moves.scrollHeight;
    if (!had || (had.isConnected && !had.disabled)) return;
    (this.querySelector("#actions button.strong") ?? this.querySelector("alfonso-board"))?.focus();
  }

  /** Enter on the board does what is to be done where nothing is to be moved: throw, end the turn. */
  keyed(event) {
    if ((event.key !== "Enter" && event.key !== " ") || event.repeat || this.table.legal.length) return;
    const strong = this.querySelector("#throw, #end");
    if (!strong) return;
    event.preventDefault();
    event.stopPropagation();
    strong.click();
  }

  /** Do something; what is at fault is shown and announced, and nothing is lost. */
  async doing(act) {
    try {
      await act();
    } catch (problem) {
      this.failed(problem);
    }
  }

  failed(problem) {
    const found = problem.refused ? this.reasons(problem.refused.word) : [];
    if (found.length) {
      this.showRefusals(problem.refused.word, found);
      return;
    }
    const text = problem instanceof Fault ? faultText(problem) : `This cannot be done: ${problem.message}`;
    this.refusals = { move: "", found: [], text };
    this.announce(text, true);
  }

  reasons(word) {
    try {
      return this.table.whyNot(word);
    } catch {
      return []; // a word that cannot be read has no reasons but the fault itself
    }
  }

  /** A try on the board that is not legal. */
  refused({ origin, to }) {
    const { game, session } = this.table;
    const { decider } = game.machine.now(session.state);
    const name = (place) => game.machine.about.labels[this.near][place];
    try {
      if (origin === null || origin < 0) this.showRefusals(name(to), [this.nothingThere(to, decider)]);
      else this.showRefusals(`${name(origin)}–${name(to)}`, this.table.whyNot({ origin, to }));
    } catch (problem) {
      this.failed(problem);
    }
  }

  /** Nothing was taken up, and nothing can be done with this place alone. */
  nothingThere(place, decider) {
    const { machine } = this.table.game;
    const { sides } = machine.about;
    const foreign = machine.menOn(this.table.session.state, 1 - decider, place) > 0;
    const rule = foreign ? `${sides[decider]} is to play; here stands ${sides[1 - decider]}.` : "Nothing that can move stands here: choose a man first.";
    return { clause: "", rule, citation: "", where: "", facts: [] };
  }

  showRefusals(move, found) {
    this.refusals = { move, found, text: "" };
    this.marked = found[0]?.clause ?? "";
    const [first] = found;
    const why = first ? `${first.rule} ${first.facts.join("; ")}` : "";
    this.announce(`Not allowed${move ? ` ${move}` : ""}. ${why}`, true);
  }

  /** Announce to those who listen. The same text twice is told apart by a space. */
  announce(text, urgent) {
    const region = this.querySelector(urgent ? "#urgent" : "#calm");
    if (region) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }

  // ---- drawing ----------------------------------------------------------------------------

  render() {
    const { table } = this;
    const { book, session } = table;
    const title = book.title(this.language);
    return html`<div class="page">
      <header>
        <h1 lang=${this.language || "en"}>${title}</h1>
      </header>
      <p id="calm" class="hidden" role="status" aria-live="polite"></p>
      <p id="urgent" class="hidden" role="alert" aria-live="assertive"></p>
      <main class="columns">
        ${session
          ? html`${this.status()}
              <section class="place" aria-label="Board" @keydown=${this.capture}>${this.board()}</section>
              <section class="game" aria-label="Game">${this.play()} ${this.aside(book)}</section>`
          : html`<p class="status ${table.problem ? "warning" : ""}">${table.problem ?? "Getting ready …"}</p>`}
      </main>
      <footer>
        ${book.data.program} · ${book.data.id}${book.data.version ? ` ${book.data.version}` : ""} · rules
        ${book.data.content.slice(0, 16)}…
        ${table.game ? this.unusual(book, table.game.options).map((text) => `· ${text} `) : nothing}
        ${book.languages.length > 1 ? this.languages(book) : nothing}
      </footer>
    </div>`;
  }

  /** What is answered otherwise than usual. */
  unusual(book, options) {
    return book.data.options.flatMap(({ id, default: usual }) => (id in options && options[id] !== usual ? [`${id}=${options[id]}`] : []));
  }

  languages(book) {
    return html`<label
      >Language of the title
      <select
        @change=${(event) => {
          this.language = event.target.value;
          document.title = book.title(this.language);
        }}
      >
        ${book.languages.map((one) => html`<option value=${one} ?selected=${one === (this.language || "en")}>${one}</option>`)}
      </select></label
    >`;
  }

  board() {
    const { table } = this;
    const { game, session } = table;
    const scene = sceneOf(game.machine, session.state, { viewer: this.near, last: session.last() });
    const stage = game.stages[this.near];
    return html`<alfonso-board
      style="--wide: ${stage.width}; --high: ${stage.height}"
      .stage=${stage}
      .scene=${scene}
      .legal=${table.legal}
      ?disabled=${table.actor === null}
      language=${this.language || "en"}
    ></alfonso-board>`;
  }

  status() {
    const { head, hint } = statusOf(this.table, this.near);
    return html`<div class="status" id="status"><p><b>${head}</b></p><p>${hint}</p></div>`;
  }

  play() {
    const { table } = this;
    const { session } = table;
    return html`<div class="buttons" id="actions">${this.buttons()}</div>
      ${this.ended(session.outcome)}
      ${this.refusals ? refusal(this) : nothing} ${table.problem ? html`<p class="warning">${table.problem}</p>` : nothing}
      ${table.remote ? remotePanel(this) : nothing} ${moves(session)} ${table.remote ? nothing : seats(this)} ${throws(session, Boolean(table.remote) && session.head.dice === "any")} ${legend(table.game.stages[this.near])} ${this.commandLine()}`;
  }

  /** The rule that ended the game. */
  ended(outcome) {
    const clauses = outcome ? this.table.game.rulebook.sections.flatMap((section) => section.clauses) : [];
    const found = clauses.find(({ id }) => id === outcome.clause);
    return found ? html`<p>${found.rule || found.id} (${toRule(this, found.id)})</p>` : nothing;
  }

  /** What can be done, each at a place of its own, so that a button never turns into another under a finger. */
  buttons() {
    const { table } = this;
    const { session } = table;
    const words = table.legal.filter((one) => one.origin < 0 && one.to < 0);
    const button = (text, act, { strong = false, id = nothing, word = false } = {}) =>
      html`<button type="button" id=${id} class="${strong ? "strong" : ""} ${word ? "word" : ""}" @click=${() => this.doing(act)}>${text}</button>`;
    const only = words.length === table.legal.length;
    return [
      table.actor && session.due === "throw" ? button("Throw", () => table.throw(), { strong: true, id: "throw" }) : nothing,
      table.held ? button(session.due === "stuck" ? "Go on" : "End turn", () => table.confirm(), { strong: true, id: "end" }) : nothing,
      words.map((one) => button(one.text, () => table.decide([one.number]), { strong: only, word: true })),
      table.undoer === null ? nothing : button("Take back", () => table.undo(), { id: "undo" }),
      table.watched && !table.remote && session.due !== "over"
        ? button(table.paused ? "Go on" : "Pause", () => table.pause(!table.paused), { strong: table.paused, id: "pause" })
        : nothing,
      session.due === "over" && !table.remote ? button("Play again", () => this.afresh(() => table.again()), { strong: true, id: "again" }) : nothing,
      !table.remote && table.untouched && table.sides.every((side) => table.human(side))
        ? button(`Let the computer play ${table.sides[1 - this.near]}`, () => table.reseat(table.sides[1 - this.near], "mcts"), { id: "alone" })
        : nothing,
      table.remote ? nothing : button("New game …", () => this.toSetup(), { id: "fresh" }),
      button("Turn the board", () => {
        this.near = 1 - this.near;
      }),
    ];
  }

  /** The form of a new game, opened and brought before the eyes. */
  toSetup() {
    const form = this.querySelector("#new");
    form.setAttribute("open", "");
    form.scrollIntoView({ block: "start" });
    form.querySelector("select")?.focus({ preventScroll: true });
  }

  commandLine() {
    return html`<details id="commands">
      <summary><h2>Play in words</h2></summary>
      <form class="command" @submit=${this.typedLine}>
        <label><span class="hidden">A move or a command</span><input
            name="line"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            placeholder="a move, or: help"
            @keydown=${this.recalled}
        /></label>
        <button type="submit">Say</button>
      </form>
      <div class="scroll" role="log" aria-label="Answers" tabindex="0">
        ${this.log.map(({ line, answer }) => html`<p class="log"><b>${line}</b>\n${answer}</p>`)}
      </div>
    </details>`;
  }

  async typedLine(event) {
    event.preventDefault();
    const input = event.target.elements.line;
    const line = input.value;
    input.value = "";
    if (!line.trim()) return;
    this.typed = [line, ...this.typed.filter((one) => one !== line)].slice(0, 50);
    this.recall = -1;
    let answer;
    try {
      answer = await answered(this.table, line, this.near);
    } catch (problem) {
      answer = problem.message;
    }
    this.log = [{ line, answer }, ...this.log].slice(0, 100);
  }

  /** Earlier lines come back by the arrow keys. */
  recalled(event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const step = event.key === "ArrowUp" ? 1 : -1;
    this.recall = Math.max(-1, Math.min(this.typed.length - 1, (this.recall ?? -1) + step));
    event.target.value = this.recall < 0 ? "" : this.typed[this.recall];
  }

  aside(book) {
    const { table } = this;
    return html`${table.remote ? nothing : this.setup(book)}
      <details id="keep">
        <summary><h2>${table.remote ? "Save" : "Save and load"}</h2></summary>
        <div class="buttons">
          <button type="button" @click=${this.save}>Save to a file</button>
          <button type="button" @click=${() => (this.kept = table.session.text())}>Show as text</button>
        </div>
        ${table.remote ? nothing : html`<label>Open a file<input type="file" accept=".record,.txt,text/plain" @change=${this.opened} /></label>`}
        <label
          >Record<textarea
            id="record"
            spellcheck="false"
            ?readonly=${Boolean(table.remote)}
            .value=${this.kept}
            @input=${(event) => (this.kept = event.target.value)}
          ></textarea>
        </label>
        ${table.remote ? nothing : html`<button type="button" @click=${this.goOn}>Go on with this record</button>`}
      </details>
      <details id="rules">
        <summary><h2>Rules and sources</h2></summary>
        ${table.game ? rules(book, table.game, this.marked) : nothing}
      </details>`;
  }

  setup(book) {
    const { table } = this;
    return html`<details id="new">
      <summary><h2>New game</h2></summary>
      <alfonso-setup
        .about=${table.game.machine.about}
        .book=${book}
        .index=${table.game?.index ?? 0}
        .seats=${Object.fromEntries(book.data.sides.map((side) => [side, table.session?.players[side] ?? HUMAN]))}
      ></alfonso-setup>
    </details>`;
  }

  /** The record in the field is taken up; its last line may lack its end. */
  goOn() {
    return this.doing(() => this.table.restore(this.kept.endsWith("\n") ? this.kept : `${this.kept}\n`));
  }

  save() {
    const { book, session } = this.table;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([session.text()], { type: "text/plain" }));
    link.download = `${book.data.id.replace(/[^\w-]+/g, "-")}.record`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async opened(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    if (file.size > 1_000_000) {
      await this.doing(() => Promise.reject(new Error("the file is larger than a record can be")));
      return;
    }
    const text = await file.text();
    await this.doing(() => this.table.restore(text));
  }
}

customElements.define("alfonso-page", AlfonsoPage);
