// `<alfonso-page>`: a game on its board, with everything around it.
//
// One room: the whole page, one method for each part of it.

import { LitElement, html, nothing } from "lit";
import "./board.js";
import { answered, faultText } from "./commands.js";
import { PLAYERS } from "./computer.js";
import { Fault } from "./fault.js";
import { remotePanel } from "./remote-panel.js";
import { rules, show } from "./rules.js";
import { sceneOf } from "./scene.js";
import "./setup.js";

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
    this.typed = [];
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
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent("alfonso-changed", { bubbles: true }));
  }

  async begin(detail) {
    await this.doing(() => this.table.begin(detail));
    const human = this.table.sides.findIndex((side) => this.table.human(side));
    if (human >= 0) this.near = human;
    this.querySelector("#new")?.removeAttribute("open");
    this.querySelector("alfonso-board")?.focus();
  }

  /** Do something; what is at fault is shown and announced, and nothing is lost. */
  async doing(act) {
    try {
      await act();
    } catch (problem) {
      if (problem instanceof Fault && problem.code === "P806" && problem.refused) {
        this.showRefusals("", this.table.whyNot(problem.refused.word));
      } else {
        const text = problem instanceof Fault ? faultText(problem) : `This cannot be done: ${problem.message}`;
        this.refusals = { move: "", found: [], text };
        this.announce(text, true);
      }
    }
  }

  refused({ origin, to }) {
    const { labels } = this.table.game.machine.about;
    const side = this.table.session ? this.table.game.machine.now(this.table.session.state).decider : 0;
    const move = [origin, to].filter((place) => place >= 0).map((place) => labels[side][place]).join("–");
    try {
      this.showRefusals(move, this.table.whyNot({ origin, to }));
    } catch (problem) {
      this.doing(() => Promise.reject(problem));
    }
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
        ${book.languages.length > 1 ? this.languages(book) : nothing}
      </header>
      <p id="calm" class="hidden" role="status" aria-live="polite"></p>
      <p id="urgent" class="hidden" role="alert" aria-live="assertive"></p>
      <main class="columns">
        <section aria-label="Board">${session ? this.board() : html`<p>Getting ready …</p>`}</section>
        <section aria-label="Game">${session ? this.play() : nothing} ${this.aside(book)}</section>
      </main>
      <footer>
        ${book.data.program} · ${book.data.id}${book.data.version ? ` ${book.data.version}` : ""} · rules
        ${book.data.content.slice(0, 16)}…
        ${table.game ? Object.entries(table.game.options).map(([name, value]) => `· ${name}=${value} `) : nothing}
      </footer>
    </div>`;
  }

  languages(book) {
    return html`<label
      >Title
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
    const { decider } = game.machine.now(session.state);
    const scene = { ...sceneOf(game.machine, session.state, { viewer: this.near, last: session.last() }), decider };
    return html`<alfonso-board
      .stage=${game.stages[this.near]}
      .scene=${scene}
      .legal=${table.legal}
      ?disabled=${table.actor === null}
      language=${this.language || "en"}
    ></alfonso-board>`;
  }

  play() {
    const { table } = this;
    const { session } = table;
    return html`<p class="status">${this.status()}</p>
      <div class="buttons">${this.buttons()}</div>
      ${this.refusals ? this.refusal() : nothing} ${table.problem ? html`<p class="warning">${table.problem}</p>` : nothing}
      ${table.remote ? remotePanel(table) : this.seats()} ${this.moves(session)} ${this.throws(session)} ${this.commandLine()}`;
  }

  status() {
    const { table } = this;
    const { session } = table;
    if (session.outcome) return table.ending();
    if (table.held) return "Your turn is played: end it, or take back.";
    if (table.thinking) return `${session.decider} thinks …`;
    const { dice, status, facts } = sceneOf(table.game.machine, session.state, { viewer: this.near });
    const left = dice.filter(([, waits]) => waits).map(([pips]) => pips);
    return [status, left.length ? `left to play ${left.join(" ")}` : "", ...facts.both].filter(Boolean).join(" · ");
  }

  buttons() {
    const { table } = this;
    const { session } = table;
    const { actor } = table;
    const words = table.legal.filter((one) => one.origin < 0 && one.to < 0);
    const button = (text, act, { strong = false, id = nothing } = {}) =>
      html`<button type="button" id=${id} class=${strong ? "strong" : ""} @click=${() => this.doing(act)}>${text}</button>`;
    return [
      actor && session.due === "throw" ? button("Throw", () => table.throw(), { strong: true, id: "throw" }) : nothing,
      table.held ? button("End turn", () => table.confirm(), { strong: true, id: "end" }) : nothing,
      ...words.map((one) => button(one.text, () => table.decide([one.number]))),
      table.undoer !== null ? button("Take back", () => table.undo(), { id: "undo" }) : nothing,
      button("Turn the board", () => {
        this.near = 1 - this.near;
      }),
      session.due !== "over" && table.sides.some((side) => table.human(side))
        ? html`${button("Resign", () => table.resign())}
          ${table.remote || table.sides.every((side) => table.human(side))
            ? button(this.offered ? "Agree to a draw" : table.remote ? "Offer a draw" : "Agree a draw", () => table.agree())
            : nothing}
          ${this.offered ? button("Decline", () => table.decline()) : nothing}`
        : nothing,
    ];
  }

  /** Does the other side of a remote game offer a draw? */
  get offered() {
    const { offer } = this.table.state ?? {};
    return Boolean(offer) && offer !== this.table.side;
  }

  refusal() {
    const { move, found, text } = this.refusals;
    return html`<section class="refused" aria-labelledby="refused">
      <h2 id="refused">Not allowed${move ? `: ${move}` : ""}</h2>
      ${text ? html`<p class="log">${text}</p>` : nothing}
      ${found.map(
        ({ clause, rule, citation, facts }) => html`<dl>
          <dt>because</dt>
          <dd>
            ${clause
              ? html`<a
                  href="#rule-${clause}"
                  @click=${(event) => {
                    event.preventDefault();
                    this.marked = clause;
                    show(clause);
                  }}
                  >${clause}</a
                >`
              : "the rules of play"}
          </dd>
          ${rule ? html`<dt>rule</dt><dd>${rule}</dd>` : nothing} ${citation ? html`<dt>source</dt><dd>${citation}</dd>` : nothing}
          ${facts.length ? html`<dt>now</dt><dd>${facts.join("; ")}</dd>` : nothing}
        </dl>`,
      )}
    </section>`;
  }

  seats() {
    const { table } = this;
    return html`<details>
      <summary>Players</summary>
      ${table.sides.map(
        (side) => html`<label
          >${side}
          <select @change=${(event) => this.doing(() => table.reseat(side, event.target.value))}>
            ${PLAYERS.map(
              ({ id, says }) => html`<option value=${id} ?selected=${table.player(side).split(":")[0] === id}>${says}</option>`,
            )}
          </select></label
        >`,
      )}
      <label class="check"
        ><input
          type="checkbox"
          .checked=${table.confirms}
          @change=${(event) => {
            table.confirms = event.target.checked;
          }}
        />
        I end my turns myself</label
      >
      ${table.game.machine.about.throws.length
        ? html`<label class="check"
            ><input
              type="checkbox"
              .checked=${table.throwsItself}
              @change=${(event) => {
                table.throwsItself = event.target.checked;
                if (!table.held) this.doing(() => table.proceed());
              }}
            />
            Dice are thrown by themselves</label
          >`
        : nothing}
    </details>`;
  }

  moves(session) {
    const turns = session.turns();
    return html`<details open>
      <summary>Moves</summary>
      <div class="scroll" id="moves" tabindex="0" role="region" aria-label="Moves">
        <table>
          <thead>
            <tr><th scope="col">turn</th><th scope="col">side</th><th scope="col">thrown</th><th scope="col">played</th></tr>
          </thead>
          <tbody>
            ${turns.map(
              (turn) => html`<tr>
                <td>${turn.number}</td>
                <td>${turn.side}</td>
                <td>${turn.throw.join("-")}</td>
                <td>${turn.text}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  throws(session) {
    const thrown = session.steps.filter(({ event }) => event.faces?.length);
    const counts = new Map();
    for (const { event } of thrown) for (const face of event.faces) counts.set(face, (counts.get(face) ?? 0) + 1);
    return html`<details>
      <summary>Dice and seed</summary>
      <p>
        Seed <output>${String(session.head.seed)}</output>${session.head.dice === "any" ? " (dice from elsewhere)" : ""}. The same seed
        gives the same throws again, here and in the terminal.
      </p>
      ${thrown.length
        ? html`<p>${[...counts].sort(([a], [b]) => a - b).map(([face, many]) => `${face}: ${many} times`).join(", ")}.</p>
            <p class="log">${thrown.map(({ event }) => event.faces.join("-")).join("  ")}</p>`
        : html`<p>Nothing was thrown yet.</p>`}
    </details>`;
  }

  commandLine() {
    return html`<details id="commands">
      <summary>Play in words</summary>
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
    return html`${table.remote ? nothing : this.fresh(book)}
      <details id="keep">
        <summary>Save and load</summary>
        <div class="buttons">
          <button type="button" @click=${this.save}>Save to a file</button>
          <button type="button" @click=${() => (this.kept = table.session.text())}>Show as text</button>
        </div>
        ${table.remote ? (this.kept ? html`<pre class="log">${this.kept}</pre>` : nothing) : this.taken()}
      </details>
      <details id="rules">
        <summary>Rules and sources</summary>
        ${table.game ? rules(book, table.game, this.marked) : nothing}
      </details>`;
  }

  /** A record is taken up. */
  taken() {
    const { table } = this;
    return html`<label>Open a file<input type="file" accept=".record,.txt,text/plain" @change=${this.opened} /></label>
        <label>Record<textarea id="record" spellcheck="false" .value=${this.kept} @input=${(event) => (this.kept = event.target.value)}></textarea></label>
        <button type="button" @click=${() => this.doing(() => table.restore(this.kept.endsWith("\n") ? this.kept : `${this.kept}\n`))}>
          Go on with this record
        </button>`;
  }

  fresh(book) {
    const { table } = this;
    return html`<details id="new">
      <summary>New game</summary>
        <alfonso-setup
          .book=${book}
          .index=${table.game?.index ?? 0}
          .seats=${Object.fromEntries(book.data.sides.map((side) => [side, table.session?.players[side] ?? HUMAN]))}
        ></alfonso-setup>
    </details>`;
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
    if (file.size > 4_000_000) {
      await this.doing(() => Promise.reject(new Error("the file is larger than a record can be")));
      return;
    }
    const text = await file.text();
    await this.doing(() => this.table.restore(text));
  }
}

customElements.define("alfonso-page", AlfonsoPage);
