// The parts of the page that stand beside the board: each is given the page and gives what is drawn.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { unsafeSVG } from "lit/directives/unsafe-svg.js";

import { playersOf } from "./computer.js";
import { show } from "./rules.js";
import { ENDINGS } from "./table.js";

const SIGNS = [
  ["duty", "has to move now"],
  ["held", "taken up"],
  ["active", "moves on"],
  ["target", "can be chosen"],
  ["liable", "may be taken off by the other side"],
  ["mark", "something is remembered of this man"],
  ["last", "the last move"],
];

const choice = (id, says, chosen) => html`<option value=${id} .selected=${live(chosen)}>${says}</option>`;

/** A link to a rule: the rulebook opens there. */
export function toRule(page, clause) {
  if (!clause) return "the rules of play";
  return html`<a
    href="#rule-${clause}"
    @click=${(event) => {
      event.preventDefault();
      page.marked = clause;
      page.updateComplete.then(() => show(clause));
    }}
    >${clause}</a
  >`;
}

/** What was refused, and why. */
export function refusal(page) {
  const { move, found, text } = page.refusals;
  return html`<section class="refused" aria-labelledby="refused">
    <h2 id="refused">${text ? "This cannot be done" : "Not allowed"}${move ? `: ${move}` : ""}</h2>
    ${text ? html`<p class="log">${text}</p>` : nothing}
    ${found.map(
      ({ clause, rule, citation, facts, where }) => html`<dl>
        <dt>because</dt>
        <dd>${toRule(page, clause)}</dd>
        ${rule ? html`<dt>rule</dt><dd>${rule}</dd>` : nothing} ${citation ? html`<dt>source</dt><dd>${citation}</dd>` : nothing}
        ${facts.length ? html`<dt>now</dt><dd>${facts.join("; ")}</dd>` : nothing}
        ${!rule && where ? html`<dt>where</dt><dd>${where}</dd>` : nothing}
      </dl>`,
    )}
    <button type="button" @click=${() => page.understood()}>Understood</button>
  </section>`;
}

/** Who sits where, and how turns go on. */
export function seats(page) {
  const { table } = page;
  return html`<details id="seats">
    <summary><h2>Players</h2></summary>
    ${table.sides.map(
      (side) => html`<label
        >${side}
        <select @change=${(event) => page.doing(() => table.reseat(side, event.target.value))}>
          ${playersOf(table.game.machine.about).map(({ id, says }) => choice(id, says, table.player(side).split(":")[0] === id))}
        </select></label
      >`,
    )}
    <label
      >A person ends with a button
      <select
        @change=${(event) => {
          table.confirms = event.target.value;
        }}
      >
        ${ENDINGS.map(({ id, says }) => choice(id, says, table.confirms === id))}
      </select></label
    >
    ${table.game.machine.about.throws.length
      ? html`<label class="check"
          ><input
            type="checkbox"
            .checked=${live(table.throwsItself)}
            @change=${(event) => {
              table.throwsItself = event.target.checked;
              page.doing(() => table.proceed());
            }}
          />
          Dice are thrown by themselves</label
        >`
      : nothing}
    ${table.resigner === null ? nothing : givingUp(page)}
  </details>`;
}

/** To resign, or to agree a draw, is asked twice: a finger slips, and nothing takes it back. */
export function givingUp(page) {
  const { table, asked } = page;
  const ask = (what) => () => {
    page.asked = what;
  };
  if (!asked) {
    return html`<div class="buttons">
      <button type="button" @click=${ask("resign")}>Resign</button>
      ${table.sides.every((side) => table.human(side)) ? html`<button type="button" @click=${ask("draw")}>Agree a draw</button>` : nothing}
    </div>`;
  }
  const sure = () => {
    page.asked = "";
    page.doing(() => (asked === "resign" ? table.resign() : table.agree()));
  };
  return html`<p role="alert">${asked === "resign" ? `${table.resigner} gives the game up?` : "Both sides agree a draw?"}</p>
    <div class="buttons">
      <button type="button" id="sure" class="strong" @click=${sure}>Yes</button>
      <button type="button" @click=${ask("")}>No, play on</button>
    </div>`;
}

/** What was played. */
export function moves(session) {
  const turns = session.turns();
  const thrown = session.machine.about.throws.length > 0;
  return html`<details id="played" open>
    <summary><h2>Moves</h2></summary>
    <div class="scroll" id="moves" tabindex="0" role="region" aria-label="Moves">
      ${turns.length
        ? html`<table>
            <thead>
              <tr>
                <th scope="col">turn</th>
                <th scope="col">side</th>
                ${thrown ? html`<th scope="col">thrown</th>` : nothing}
                <th scope="col">played</th>
              </tr>
            </thead>
            <tbody>
              ${turns.map(
                (turn) => html`<tr>
                  <td>${turn.number}</td>
                  <td>${turn.side}</td>
                  ${thrown ? html`<td>${turn.throw.join("-")}</td>` : nothing}
                  <td>${turn.text}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
        : html`<p>Nothing was played yet.</p>`}
    </div>
  </details>`;
}

/** What was thrown, and the seed it came from; `hidden`: nobody is told the seed yet. */
export function throws(session, hidden) {
  const thrown = session.steps.filter(({ event }) => event.faces?.length);
  const counts = new Map();
  for (const { event } of thrown) for (const face of event.faces) counts.set(face, (counts.get(face) ?? 0) + 1);
  const any = session.head.dice === "any" ? " (dice from elsewhere)" : "";
  if (!session.machine.about.throws.length) {
    if (hidden) return nothing;
    return html`<details id="dice">
      <summary><h2>Seed</h2></summary>
      <p>Seed <output>${String(session.head.seed)}</output>. The same seed gives the same computer players, here and in the terminal.</p>
    </details>`;
  }
  return html`<details id="dice">
    <summary><h2>Dice and seed</h2></summary>
    <p>
      ${hidden
        ? "The seed is told when the game is over."
        : html`Seed <output>${String(session.head.seed)}</output>${any}. The same seed gives the same throws again, here and in the terminal.`}
    </p>
    ${thrown.length
      ? html`<p>${[...counts].sort(([a], [b]) => a - b).map(([face, many]) => `${face}: ${many} times`).join(", ")}.</p>
          <p class="log">${thrown.map(({ event }) => event.faces.join("-")).join("  ")}</p>`
      : html`<p>Nothing was thrown yet.</p>`}
  </details>`;
}

/** What men and signs on the board mean. */
export function legend(stage) {
  const drawn = (markup) => html`<svg viewBox="-30 -30 60 60" aria-hidden="true">${unsafeSVG(markup)}</svg>`;
  return html`<details id="signs">
    <summary><h2>Men and signs</h2></summary>
    <ul class="legend">
      ${stage.sides.flatMap((side, number) =>
        stage.kinds.map((kind, which) => html`<li>${drawn(stage.men[number][which].man)} ${side} ${kind}</li>`),
      )}
      <li>${drawn(stage.signs.may.held)} can be moved now</li>
      ${SIGNS.filter(([name]) => stage.signs[name]).map(([name, says]) => html`<li>${drawn(stage.signs[name].held)} ${says}</li>`)}
    </ul>
  </details>`;
}
