// <alfonso-board>: a position on its stage, and all the ways to move a man on it: click and click,
// drag, touch, keyboard alone. It knows no rules: what may be done is given to it.
//
//     stage     what `play/stage.py` says of the board, for the side at the bottom
//     scene     what stands there now (`scene.js`)
//     legal     the legal decisions: [{number, origin, to, text, …}]
//     disabled  looked at, not played on
//     busy      attribute while men move
//
// Events: `alfonso-decide` {numbers}, `alfonso-refused` {origin, to} for a try that is not legal,
// `alfonso-say` {text} for those who listen.
//
// The picture is an SVG that nobody's tools read; over it lies a grid of cells, one for each
// place, with names. A finger means the place whose ground it is on, or the nearest one.

import { LitElement, html, nothing, svg } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { unsafeSVG } from "lit/directives/unsafe-svg.js";

import { look } from "./look.js";
import { arrivals, dieMarkup, diceStep, manMarkup, neighbour, placeAt, shown, spoken, spot, top } from "./places.js";

const MOVES = { duration: 220, easing: "ease-out" };
const ROLLS = { duration: 320, easing: "ease-out" };
const SLACK = { mouse: 4, pen: 6, touch: 10 };
const FINGER = 22; // CSS pixels around a place that still mean it
const SMALLEST = 10; // CSS pixels of a label, where it is enlarged
const NOBODY = { held: null, drag: null, menu: null };

/// A style set through the element, which a policy without inline styles allows.
const written = (where) => Object.entries(where).map(([name, value]) => `${name}: ${value}`).join("; ");

export class AlfonsoBoard extends LitElement {
  static styles = look;
  static properties = {
    stage: { attribute: false },
    scene: { attribute: false },
    legal: { attribute: false },
    disabled: { type: Boolean, reflect: true },
    language: { type: String },
    _held: { state: true },
    _at: { state: true },
    _drag: { state: true },
    _menu: { state: true },
  };

  constructor() {
    super();
    this.stage = null;
    this.scene = null;
    this.legal = [];
    this.disabled = false;
    this.language = "en";
    this._at = 0;
    this._letGo();
    this._came = [];
    this._watch = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => this._fitLabels());
  }

  connectedCallback() {
    super.connectedCallback();
    this._watch?.observe(this);
  }

  disconnectedCallback() {
    this._watch?.disconnect();
    super.disconnectedCallback();
  }

  _letGo() {
    this._held = NOBODY.held;
    this._drag = NOBODY.drag;
    this._menu = NOBODY.menu;
  }

  // ---- what is given --------------------------------------------------------------------------

  willUpdate(changed) {
    if (!this.stage || !this.scene) return;
    if (changed.has("stage") && this._at >= this.stage.places.length) this._at = 0;
    if (changed.has("stage") && !changed.get("stage")) this._at = this.stage.rows[this.stage.rows.length - 1][0];
    if (changed.has("scene") || changed.has("legal") || changed.has("stage") || changed.has("disabled")) {
      this._letGo();
      const one = this.scene.active;
      if (this._plays && one >= 0 && this._from(one).length) this._held = one;
    }
    if (changed.has("scene")) {
      const before = changed.get("scene");
      this._came = before && before.piles.length === this.scene.piles.length ? arrivals(before, this.scene) : [];
      this._rolled = before && JSON.stringify(before.dice?.map(([pips]) => pips)) !== JSON.stringify(this.scene.dice?.map(([pips]) => pips));
      this._before = before;
    }
  }

  get _plays() {
    return !this.disabled && this.legal?.length > 0;
  }

  /// Decisions that move what stands on a place.
  _from(place) {
    return (this.legal ?? []).filter((one) => one.origin === place && !this._alone(one));
  }

  /// Decisions said by one place alone: a man put there from beside the board, a man taken off.
  _alone(one) {
    return one.origin >= 0 && (one.to < 0 || this._takesOff(one));
  }

  _takesOff(one) {
    const piles = this.scene.piles[one.origin] ?? [];
    const decider = this.scene.turn;
    if (this._beside(one.origin) || decider === undefined || piles.length === 0) return false;
    return piles.every(([side]) => side !== decider);
  }

  _beside(place) {
    return place >= 0 && this.stage.places[place].side !== null;
  }

  /// What a click on a place decides while nothing is held.
  _direct(place) {
    const legal = this.legal ?? [];
    const off = legal.filter((one) => one.origin === place && this._alone(one));
    if (off.length) return off;
    if (this._from(place).length) return [];
    return legal.filter((one) => one.to === place && this._beside(one.origin));
  }

  /// Can what stands on a place be taken up (it need not have a legal move: a try is answered)?
  _takes(place) {
    if (!this._plays || place < 0) return false;
    if (this._from(place).length) return true;
    const own = (this.scene.piles[place] ?? []).some(([side]) => side === this.scene.turn);
    return own && !this._direct(place).length && !(this._beside(place) && place !== this.scene.active);
  }

  get _goals() {
    const goals = new Set();
    if (this._held !== null) for (const one of this._from(this._held)) goals.add(one.to);
    return goals;
  }

  get _movable() {
    return this.legal.filter((one) => one.origin >= 0 && !this._alone(one)).map((one) => one.origin);
  }

  get _liable() {
    const given = this.scene.liable ?? [];
    return new Set([...given, ...(this.legal ?? []).filter((one) => one.origin >= 0 && this._takesOff(one)).map((one) => one.origin)]);
  }

  // ---- what is done ---------------------------------------------------------------------------

  _tell(name, detail) {
    this.dispatchEvent(new CustomEvent(`alfonso-${name}`, { detail, bubbles: true, composed: true }));
  }

  _say(text) {
    this._tell("say", { text });
  }

  _label(place) {
    return this.stage.places[place].label;
  }

  /// A click, a tap or Enter on a place.
  _activate(place) {
    if (place < 0 || !this._plays) return;
    this._at = place;
    if (this._held !== null && (this._goals.has(place) || (place !== this._held && !this._from(place).length))) {
      if (this._try(this._held, place)) return;
      if (!this._takes(place)) return;
    }
    if (this._held === place) {
      this._held = null;
      this._say("let go");
      return;
    }
    const direct = this._held === null ? this._direct(place) : [];
    if (direct.length) this._decide(direct, place);
    else if (this._takes(place)) this._take(place);
    else this._refuse(this._onlyOrigin(), place);
  }

  _take(place) {
    this._held = place;
    const goals = [...this._goals].map((goal) => this._label(goal));
    this._say(`${this._label(place)} taken up; ${goals.length ? `it can go to ${goals.join(", ")}` : "it cannot move"}`);
  }

  /// Decide what leads from one place to another; false where nothing does (that is refused).
  _try(origin, to) {
    const found = this._from(origin).filter((one) => one.to === to);
    if (found.length) this._decide(found, to);
    else this._refuse(origin, to);
    return found.length > 0;
  }

  _decide(found, place) {
    this._drag = null;
    if (found.length > 1) {
      this._menu = { place, found };
      this._say(`${found.length} ways: ${found.map((one) => one.text).join(", ")}`);
      this.updateComplete.then(() => this.renderRoot.querySelector(".menu button")?.focus());
      return;
    }
    this._letGo();
    this._tell("decide", { numbers: found.map((one) => one.number) });
  }

  _refuse(origin, to) {
    this._drag = null;
    this._held = null;
    this._tell("refused", { origin, to });
  }

  /// Where one place beside the board is all that men can come from, a try without an origin is meant from there.
  _onlyOrigin() {
    const origins = new Set((this.legal ?? []).map((one) => one.origin));
    const [only] = origins;
    return origins.size === 1 && this._beside(only) ? only : null;
  }

  _choose(number) {
    const { place } = this._menu;
    this._letGo();
    this._focusCell(place);
    this._tell("decide", { numbers: [number] });
  }

  // ---- pointers ---------------------------------------------------------------------------------

  _pointed(event) {
    const ground = this.renderRoot.querySelector(".stage").getBoundingClientRect();
    const scale = this.stage.width / ground.width;
    const [x, y] = [(event.clientX - ground.left) * scale, (event.clientY - ground.top) * scale];
    return { x, y, scale, place: placeAt(this.stage, x, y, FINGER * scale) };
  }

  _down(event) {
    this._swallow = false;
    if (this._menu) {
      this._menu = null;
      return;
    }
    if (event.button !== 0 || !event.isPrimary || !this._plays) return;
    const { place } = this._pointed(event);
    if (this._takes(place)) this._grip = { place, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  _move(event) {
    if (this._drag && event.pointerId === this._drag.pointer) {
      const { x, y, place } = this._pointed(event);
      this._drag = { ...this._drag, x, y, over: place };
    } else if (this._grip && event.pointerId === this._grip.pointer) {
      const far = Math.hypot(event.clientX - this._grip.x, event.clientY - this._grip.y);
      if (far < (SLACK[event.pointerType] ?? SLACK.mouse)) return;
      const { place, pointer } = this._grip;
      this._grip = null;
      if (this._held !== place) this._take(place);
      const { x, y, place: over } = this._pointed(event);
      this._drag = { pointer, place, x, y, over };
      this._ground.setPointerCapture(pointer);
    }
  }

  _up(event) {
    this._grip = null;
    if (!this._drag || event.pointerId !== this._drag.pointer) return;
    this._swallow = true; // the click that follows belongs to the drag
    setTimeout(() => (this._swallow = false), 0);
    const { place } = this._pointed(event);
    const { place: origin } = this._drag;
    this._drag = null;
    if (place < 0 || place === origin) return;
    this._at = place;
    this._landed = this._goals.has(place);
    this._try(origin, place);
  }

  _cancel() {
    this._grip = null;
    this._drag = null;
  }

  _click(event) {
    if (this._swallow || !this._plays) return;
    const cell = event.target.closest?.("[data-place]");
    const unpointed = event.detail === 0 && cell; // made by a tool, not by a finger
    const place = unpointed ? Number(cell.dataset.place) : this._pointed(event).place;
    if (place < 0) return;
    this._focusCell(place);
    this._activate(place);
  }

  get _ground() {
    return this.renderRoot.querySelector(".grid");
  }

  // ---- keys ---------------------------------------------------------------------------------------

  _key(event) {
    if (event.altKey || event.metaKey || (event.ctrlKey && !["Home", "End"].includes(event.key))) return;
    const rows = this.stage.rows;
    if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) {
      const edge = event.key === "Home" ? rows[0][0] : rows[rows.length - 1].at(-1);
      this._focusCell(event.ctrlKey ? edge : neighbour(this.stage, this._at, event.key));
    } else if (event.key === "Enter" || event.key === " ") {
      this._activate(this._at);
    } else if (event.key === "Escape" && (this._held !== null || this._drag)) {
      this._letGo();
      this._say("let go");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _menuKey(event) {
    const buttons = [...this.renderRoot.querySelectorAll(".menu button")];
    const at = buttons.indexOf(this.renderRoot.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + buttons.length, Home: 0, End: buttons.length - 1 }[event.key];
    if (to !== undefined) buttons[to % buttons.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") {
      const { place } = this._menu;
      this._menu = null;
      this._focusCell(place);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _focusCell(place) {
    this._at = place;
    this.updateComplete.then(() => this.renderRoot.querySelector(`[data-place="${place}"]`)?.focus({ preventScroll: false }));
  }

  /// Put the keyboard on the board.
  focus() {
    this._focusCell(this._at);
  }

  // ---- how it looks -------------------------------------------------------------------------------

  render() {
    const { stage, scene } = this;
    if (!stage || !scene) return nothing;
    return html`<div class="stage">
      <svg viewBox="0 0 ${stage.width} ${stage.height}" aria-hidden="true" focusable="false">
        ${unsafeSVG(stage.board)}
        <g>${this._men()}</g>
        <g>${this._signs()}</g>
        <g>${this._dice()}</g>
        ${this._drag ? this._carried() : nothing}
      </svg>
      ${this._grid()} ${this._menu ? this._choices() : nothing}
    </div>`;
  }

  _men() {
    const { stage, scene } = this;
    const came = new Set(this._came.map((one) => one.place));
    const all = stage.places.flatMap((place, number) => {
      const men = shown(scene.piles[number] ?? [], stage.full);
      const lying = men.map((man, index) => ({ man, number, place, ...spot(stage, number, men, index), last: index === men.length - 1 }));
      return this._drag?.place === number ? lying.slice(0, -1) : lying;
    });
    all.sort((a, b) => came.has(a.number) - came.has(b.number)); // who moves is seen above the others
    return repeat(
      all,
      ({ number, man, x, y }) => `${number} ${x} ${y} ${man.side} ${man.kind}`,
      ({ man, number, place, x, y, last }) => svg`<g class="man" data-on=${number} data-top=${last ? number : nothing}
        transform="translate(${x} ${y})"><g><g transform="scale(${place.r / stage.r})">${unsafeSVG(manMarkup(stage, man))}</g></g></g>`,
    );
  }

  _signs() {
    const { stage, scene } = this;
    const marked = new Set((scene.marks ?? []).flatMap(([, places]) => places));
    const where = {
      last: new Set(scene.last ?? []),
      may: new Set(this._plays && this._held === null && !scene.duty?.length ? this._movable : []),
      held: new Set(this._held === null ? [] : [this._held]),
      active: new Set(this._held === scene.active ? [] : [scene.active]),
      mark: marked,
      duty: new Set(this._held === null ? (scene.duty ?? []) : []),
      liable: this._liable,
      target: this._goals,
    };
    const drawn = [];
    stage.places.forEach((place, number) => {
      const { x, y } = top(stage, scene, number);
      const held = (scene.piles[number] ?? []).length > 0;
      for (const [name, places] of Object.entries(where)) {
        if (!places.has(number)) continue;
        const markup = stage.signs[name][held ? "held" : "empty"];
        const size = place.r / stage.r;
        drawn.push(svg`<g data-sign=${name} transform="translate(${x} ${y}) scale(${size})">${unsafeSVG(markup)}</g>`);
      }
    });
    return drawn;
  }

  _dice() {
    const { stage, scene } = this;
    const dice = scene.dice ?? [];
    const step = diceStep(stage, dice.length);
    const { x, y, played } = stage.dice;
    return dice.map(
      ([pips, left], i) => svg`<g transform="translate(${x + step * i} ${y})"><g class="die" opacity=${left ? 1 : 0.45}>
        ${unsafeSVG(dieMarkup(stage, pips))}${left ? nothing : unsafeSVG(played)}</g></g>`,
    );
  }

  _carried() {
    const { stage, scene } = this;
    const { place, x, y } = this._drag;
    const man = shown(scene.piles[place], stage.full).at(-1);
    if (!man) return nothing;
    const one = man.count ? { ...man, count: 0 } : man;
    const size = (stage.places[place].r / stage.r) * 1.15;
    return svg`<g class="carried" transform="translate(${x} ${y}) scale(${size})">${unsafeSVG(manMarkup(stage, one))}</g>`;
  }

  _grid() {
    const { stage } = this;
    const columns = Math.max(...stage.places.map((place) => place.column));
    return html`<div
      class="grid ${this._drag ? "dragging" : ""}"
      role="grid"
      aria-label="board"
      aria-rowcount=${stage.rows.length}
      aria-colcount=${columns}
      @pointerdown=${this._down}
      @pointermove=${this._move}
      @pointerup=${this._up}
      @pointercancel=${this._cancel}
      @click=${this._click}
      @keydown=${this._key}
      @dragstart=${(event) => event.preventDefault()}
    >
      ${stage.rows.map((places, row) => html`<div role="row" aria-rowindex=${row + 1}>${places.map((place) => this._cell(place))}</div>`)}
    </div>`;
  }

  _cell(number) {
    const { stage, scene } = this;
    const place = stage.places[number];
    const [left, topmost, wide, high] = place.box;
    const goal = this._goals.has(number);
    const goes = this._takes(number);
    const says = [];
    if (this._held === number) says.push("taken up");
    else if (number === scene.active) says.push("moves on");
    if (this._plays && this._held === null && this._from(number).length) says.push((scene.duty ?? []).includes(number) ? "must move" : "can move");
    if (this._liable.has(number)) says.push("may be taken off");
    if (goal) says.push("can be chosen");
    else if (this._plays && this._held === null && this._direct(number).length && !this._liable.has(number)) says.push("can be entered");
    if ((scene.last ?? []).includes(number)) says.push("last move");
    const where = {
      left: `${(100 * left) / stage.width}%`,
      top: `${(100 * topmost) / stage.height}%`,
      width: `${(100 * wide) / stage.width}%`,
      height: `${(100 * high) / stage.height}%`,
    };
    return html`<div
      class="cell ${goes ? "goes" : ""} ${goal ? "goal" : ""}"
      role="gridcell"
      data-place=${number}
      aria-colindex=${place.column}
      aria-selected=${this._held === number ? "true" : "false"}
      aria-label=${spoken(stage, scene, number, says)}
      tabindex=${number === this._at ? 0 : -1}
      .style=${written(where)}
      @focus=${() => (this._at = number)}
    ></div>`;
  }

  _choices() {
    const { stage } = this;
    const { place, found } = this._menu;
    const [left, topmost, wide, high] = stage.places[place].box;
    const middle = (100 * (left + wide / 2)) / stage.width;
    const where = { left: `${Math.min(75, Math.max(25, middle))}%`, top: `${(100 * (topmost + high / 2)) / stage.height}%` };
    return html`<div class="menu" role="menu" aria-label="which way" .style=${written(where)} @keydown=${this._menuKey}>
      ${found.map((one) => html`<button type="button" role="menuitem" data-number=${one.number} @click=${() => this._choose(one.number)}>${one.text}</button>`)}
    </div>`;
  }

  // ---- what moves -----------------------------------------------------------------------------------

  updated(changed) {
    if (changed.has("stage")) this._fitLabels();
    if (!changed.has("scene") || !this.scene) return;
    const came = this._came;
    this._came = [];
    const landed = this._landed;
    this._landed = false;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    came.forEach(({ place, from }, i) => {
      if (i === 0 && landed) return; // it was carried there
      const man = this.renderRoot.querySelector(`[data-top="${place}"] > g`);
      if (!man || !this._before) return;
      const [there, here] = [top(this.stage, this._before, from), top(this.stage, this.scene, place)];
      man.animate([{ transform: `translate(${there.x - here.x}px, ${there.y - here.y}px)` }, { transform: "none" }], MOVES);
    });
    if (this._rolled) {
      for (const die of this.renderRoot.querySelectorAll(".die")) {
        die.animate([{ transform: "translate(14px, 14px) rotate(-200deg) translate(-14px, -14px)" }, { transform: "translate(14px, 14px) rotate(0) translate(-14px, -14px)" }], ROLLS);
      }
    }
  }

  /// Labels keep a size that can be read where the board is small.
  _fitLabels() {
    if (!this.stage || !this.clientWidth) return;
    const scale = this.clientWidth / this.stage.width;
    this.style.setProperty("--alfonso-label", String(Math.min(1.5, Math.max(1, SMALLEST / (15 * scale))).toFixed(2)));
  }
}

if (!customElements.get("alfonso-board")) customElements.define("alfonso-board", AlfonsoBoard);
