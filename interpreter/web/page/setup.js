// The form of a new game: who plays, by which rules, with which dice.

import { LitElement, html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { playersOf } from "./computer.js";

/** Does every need of an option hold among these choices? */
const applies = (option, choices) => Object.entries(option.needs).every(([name, value]) => choices[name] === value);

/**
 * `<alfonso-setup>`: fires `alfonso-begin` with {index, seats, seed, confirm}.
 *
 * `book` is the Book, `index` the variant that stands on the page now, `about` what its
 * module says of itself, `seats` who sits where,
 * `seats.side` a player as the terminal names it.
 */
export class Setup extends LitElement {
  static properties = {
    book: { attribute: false },
    index: { attribute: false },
    seats: { attribute: false },
    about: { attribute: false },
    fixed: { type: Boolean },
    choices: { state: true },
    sitting: { state: true },
  };

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (changed.has("book") || changed.has("index")) {
      this.choices = { ...this.book.data.variants[this.index].options };
    }
    const said = JSON.stringify(this.seats ?? {});
    if (said !== this.said) {
      this.said = said;
      this.sitting = { ...this.seats };
    }
  }

  /** The variant with these choices; where an option no longer applies, or newly does, its default is taken. */
  get chosen() {
    const { options } = this.book.data;
    const wanted = {};
    for (let changed = true; changed; ) {
      changed = false;
      for (const option of options) {
        if (option.id in wanted || !applies(option, wanted)) continue;
        wanted[option.id] = this.choices[option.id] ?? option.default;
        changed = true;
      }
    }
    return this.book.index(wanted);
  }

  /** Who is to sit there, as the terminal names players. */
  seat(side) {
    return this.sitting[side] ?? "human";
  }

  /** Does any game of the page answer so? */
  carries(id, value) {
    return this.book.data.variants.some(({ options }) => options[id] === value);
  }

  choose(id, value) {
    this.choices = { ...this.choices, [id]: value };
  }

  read(reading) {
    const { options } = this.book.data;
    const defaults = Object.fromEntries(options.map((option) => [option.id, option.default]));
    this.choices = { ...defaults, ...reading.choices };
  }

  begin(event) {
    event.preventDefault();
    if (this.chosen < 0) return;
    const seed = event.target.elements.seed.value.trim();
    const seats = Object.fromEntries(this.book.data.sides.map((side) => [side, this.seat(side)]));
    const detail = { index: this.chosen, seats, seed: /^-?\d{1,18}$/.test(seed) ? seed : "" };
    this.dispatchEvent(new CustomEvent("alfonso-begin", { detail, bubbles: true, composed: true }));
  }

  render() {
    const { data } = this.book;
    const carried = this.chosen >= 0;
    return html`<form class="setup" @submit=${this.begin}>
      <fieldset>
        <legend>Who plays</legend>
        ${data.sides.map(
          (side) => html`<label
            >${side}
            <select
              name="seat ${side}"
              @change=${(event) => {
                this.sitting = { ...this.sitting, [side]: event.target.value };
              }}
            >
              ${playersOf(this.about).map(
                ({ id, says }) => html`<option value=${id} .selected=${live(this.seat(side).split(":")[0] === id)}>${says}</option>`,
              )}
            </select></label
          >`,
        )}
      </fieldset>
      ${data.readings.length || data.options.length ? this.rules() : nothing}
      <label
        >Seed of the dice and of the computer
        <input name="seed" inputmode="numeric" pattern="-?[0-9]{1,18}" placeholder="drawn by lot" aria-describedby="seed-help"
      /></label>
      <small id="seed-help">A whole number. The same seed gives the same throws, here and in the terminal.</small>
      ${carried
        ? nothing
        : html`<p class="warning" role="status">
            This page does not carry these answers together. ${this.nearest()}
          </p>`}
      <button type="submit" class="strong" ?disabled=${!carried}>New game</button>
    </form>`;
  }

  rules() {
    const { data } = this.book;
    const reading = data.readings.find((one) => this.isReading(one));
    const usual = data.options.every((option) => (this.choices[option.id] ?? option.default) === option.default);
    return html`<details id="answers">
      <summary>By which rules: ${reading ? reading.id : usual ? "the usual answers" : "answers of your own"}</summary>
      ${data.readings.length
        ? html`<label
            >Reading
            <select
              aria-describedby="reading-says"
              @change=${(event) => {
                const reading = data.readings.find((one) => one.id === event.target.value);
                this.read(reading ?? { choices: {} });
              }}
            >
              <option value="" .selected=${live(reading === undefined)}>${usual ? "the usual answers" : "answers of your own"}</option>
              ${data.readings.map((one) => html`<option value=${one.id} .selected=${live(one === reading)}>${one.id}</option>`)}
            </select></label
          >
          <small id="reading-says"
            >${reading ? `${reading.says}${reading.sources.length ? ` — ${reading.sources.join("; ")}` : ""}` : nothing}</small
          >`
        : nothing}
      ${data.options.filter((option) => applies(option, this.choices)).map((option) => this.option(option))}
    </details>`;
  }

  isReading(reading) {
    const { options } = this.book.data;
    return options
      .filter((option) => applies(option, this.choices))
      .every((option) => (this.choices[option.id] ?? option.default) === (reading.choices[option.id] ?? option.default));
  }

  option(option) {
    const value = this.choices[option.id] ?? option.default;
    const said = option.values.find((one) => one.id === value);
    return html`<label
        >${option.ask || option.id}
        <select @change=${(event) => this.choose(option.id, event.target.value)}>
          ${option.values.map(
            (one) =>
              html`<option value=${one.id} .selected=${live(one.id === value)} ?disabled=${!this.carries(option.id, one.id)}>
                ${one.id}${one.id === option.default ? " (usual)" : ""}${this.carries(option.id, one.id) ? "" : " (not on this page)"}
              </option>`,
          )}
        </select></label
      >
      <small>${said?.says}${said?.sources.length ? html` <cite>${said.sources.join("; ")}</cite>` : nothing}</small>`;
  }

  /** What could be chosen instead. */
  nearest() {
    const { options } = this.book.data;
    const apart = options
      .filter((option) => applies(option, this.choices) && (this.choices[option.id] ?? option.default) !== option.default)
      .map((option) => option.id);
    return apart.length > 1
      ? `Change one of: ${apart.join(", ")}. (Written with all choices, the page carries every combination.)`
      : "";
  }
}

customElements.define("alfonso-setup", Setup);
