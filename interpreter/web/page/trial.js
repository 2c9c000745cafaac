// The game of a draft as it stands: the board, moves to try, options to choose.
//
// The server plays: it is given the text and the moves, and says what may follow. The
// text that is played is the last one without errors, whatever is being typed.

import { html, nothing, render } from "lit";
import { live } from "lit/directives/live.js";

import { Asking } from "./asking.js";
import "./board.js";
import { firstChange } from "./texts.js";

export class Trial {
  // say({words, old}) tells which text is shown.
  constructor(tab, place, say) {
    this.place = place;
    this.say = say;
    this.asking = new Asking();
    this.asking.tab = tab;
    this.text = null; // the text that is shown
    this.typed = null; // the text as it stands
    this.game = null; // what the server said of it
    this.stage = null;
    this.moves = [];
    this.options = {};
    this.viewer = 0;
    this.news = "";
  }

  // Show a text without errors (null: there was none yet), while `typed` is what stands in the editor.
  async show(text, typed) {
    this.typed = typed;
    if (text === null) {
      this.say({ words: "Nothing can be shown yet: the text has errors.", old: true });
      return;
    }
    if (text === this.text && this.game) this.told();
    else await this.ask({ text });
  }

  // Something was typed: what is shown may no longer be what is written.
  stale(typed) {
    this.typed = typed;
    if (this.game) this.told();
  }

  // There is no game in this text.
  nothing(words) {
    this.asking.forget();
    this.text = null;
    this.game = null;
    render(nothing, this.place);
    this.say({ words, old: true });
  }

  async ask(change) {
    const { text, moves, options, viewer } = { ...this, ...change };
    this.asking.forget();
    const asked = { text, moves, options, viewer, known: this.game?.stage_name ?? "" };
    const told = await this.asking.ask("/api/preview", asked, this.asking.number, (words) => words && this.say({ words, old: true }));
    if (told === null) return;
    if (!told.scene) {
      const why = told.problem ?? told.diagnostics?.[0]?.message ?? "it is no game";
      this.news = `This cannot be shown: ${why}.`;
      if (this.game) this.draw();
      this.say({ words: this.news, old: true });
      return;
    }
    this.news = told.broken ? `The moves end here: ${told.broken}.` : "";
    this.game = told;
    this.stage = told.stage ?? this.stage;
    Object.assign(this, { text, viewer, options, moves: told.moves });
    this.draw();
    this.told();
  }

  told() {
    if (this.typed === this.text) this.say({ words: "Shown: the text as it stands.", old: false });
    else {
      const line = firstChange(this.text, this.typed);
      this.say({ words: `Shown: the last version without errors. What is written now differs from line ${line} on.`, old: true });
    }
  }

  draw() {
    const { game, stage } = this;
    const title = game.title.en ?? Object.values(game.title)[0] ?? game.id;
    const decide = (event) => this.play(game.legal.find((one) => event.detail.numbers.includes(one.number)).text);
    const refused = ({ detail }) => {
      const name = (place) => (place === null || place < 0 ? "there" : stage.places[place].label);
      this.news = `Nothing legal goes ${detail.origin === null ? "" : `from ${name(detail.origin)} `}to ${name(detail.to)}.`;
      this.draw();
    };
    render(
      html`<h3>${title}</h3>
        <alfonso-board
          .stage=${stage}
          .scene=${game.scene}
          .legal=${game.legal}
          @alfonso-decide=${decide}
          @alfonso-refused=${refused}
          @alfonso-say=${(event) => this.hear(event.detail.text)}
        ></alfonso-board>
        ${stage.placed ? nothing : html`<p class="warning">The board does not say where its places lie: they are laid out as they come.</p>`}
        <p class="status">${game.scene.status}</p>
        <p role="status" id="news">${this.news}</p>
        <div class="buttons">${this.chances()}
          <button type="button" ?disabled=${!this.moves.length} @click=${() => this.ask({ moves: this.moves.slice(0, -1) })}>Back</button>
          <button type="button" ?disabled=${!this.moves.length} @click=${() => this.ask({ moves: [] })}>From the start</button>
          <button type="button" @click=${() => this.ask({ viewer: 1 - this.viewer })}>Turn the board</button>
        </div>
        ${game.legal.length ? this.decisions() : nothing}
        <p class="position"><small>${game.position}</small></p>
        ${game.options.length ? this.choices() : nothing}`,
      this.place,
    );
  }

  chances() {
    const { throws } = this.game;
    if (!throws.length) return nothing;
    const any = () => this.play(throws[Math.floor(Math.random() * throws.length)]);
    if (throws.length === 1) return html`<button type="button" class="strong" @click=${any}>${throws[0] === "-" ? "Go on" : throws[0]}</button>`;
    const chosen = (event) => event.target.value && this.play(event.target.value);
    return html`<button type="button" class="strong" @click=${any}>${this.game.waits === "start" ? "Begin" : "Throw"}</button>
      <select aria-label="A throw of your choice" .value=${live("")} @change=${chosen}>
        <option value="">a throw of your choice</option>
        ${throws.map((one) => html`<option value=${one}>${one}</option>`)}
      </select>`;
  }

  // Every legal decision by name, for those who do not aim at the board.
  decisions() {
    const chosen = (event) => event.target.value && this.play(event.target.value);
    const { legal } = this.game;
    return html`<label>${legal.length} legal ${legal.length === 1 ? "move" : "moves"}
      <select id="moves" .value=${live("")} @change=${chosen}>
        <option value="">play one</option>
        ${legal.map((one) => html`<option value=${one.text}>${one.text}</option>`)}
      </select></label>`;
  }

  choices() {
    const { options, chosen } = this.game;
    return html`<details>
      <summary>Options</summary>
      ${options.map((option) => {
        const change = (event) => this.ask({ options: { ...this.options, [option.id]: event.target.value }, moves: [] });
        return html`<label>${option.ask || option.id}
          <select ?disabled=${!(option.id in chosen)} @change=${change}>
            ${option.values.map(
              (value) => html`<option value=${value.id} .selected=${value.id === (chosen[option.id] ?? option.default)}>
                ${value.says ? `${value.id}: ${value.says}` : value.id}
              </option>`,
            )}
          </select></label>`;
      })}
    </details>`;
  }

  play(move) {
    return this.ask({ moves: [...this.moves, move] });
  }

  hear(words) {
    this.news = words;
    this.draw();
  }
}
