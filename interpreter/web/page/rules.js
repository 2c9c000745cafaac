// The rulebook beside the board: every rule with its source, open questions with their answers.

import { html, nothing } from "lit";

const cited = (sources) => (sources?.length ? html` <cite>${sources.join("; ")}</cite>` : nothing);

/** A bibliography entry, whose titles stand between asterisks. */
const entry = (text) => text.split("*").map((part, i) => (i % 2 ? html`<i>${part}</i>` : part));

const id = (clause) => `rule-${clause}`;

/** The rules of the variant on the page; `marked` is the clause that was just spoken of. */
export function rules(book, game, marked) {
  const { data } = book;
  return html`
    ${data.summary ? html`<p>${data.summary}</p>` : nothing}
    <ul>
      ${game.rulebook.equipment.map((line) => html`<li>${line}</li>`)}
    </ul>
    ${game.rulebook.sections.map(
      ({ heading, clauses }) => html`<h3>${heading}</h3>
        <ol>
          ${clauses.map(
            (clause) => html`<li id=${id(clause.id)} class=${marked === clause.id ? "marked" : ""}>
              ${clause.rule || clause.id} ${cited(clause.sources)}
            </li>`,
          )}
        </ol>`,
    )}
    ${data.options.length ? options(data.options, game.options) : nothing} ${data.readings.length ? readings(data.readings) : nothing}
    ${data.doubts.length
      ? html`<h3>Open doubts</h3>
          <ul>
            ${data.doubts.map((one) => html`<li><b>${one.ask}</b> ${one.says} ${cited(one.sources)}</li>`)}
          </ul>`
      : nothing}
    ${data.bibliography.length
      ? html`<h3>Sources</h3>
          <ul class="sources">
            ${data.bibliography.map((one) => html`<li>${entry(one)}</li>`)}
          </ul>`
      : nothing}
  `;
}

function options(all, chosen) {
  return html`<h3>Disputed rules</h3>
    <dl>
      ${all.map(
        (option) => html`<dt>${option.ask || option.id}</dt>
          ${option.values.map(
            (value) => html`<dd class=${chosen[option.id] === value.id ? "chosen" : ""}>
              ${chosen[option.id] === value.id ? html`<b>here: </b>` : nothing}<b>${value.id}</b> ${value.says} ${cited(value.sources)}
            </dd>`,
          )}`,
      )}
    </dl>`;
}

function readings(all) {
  return html`<h3>Readings</h3>
    <ul>
      ${all.map((one) => html`<li><b>${one.id}</b> ${one.says} ${cited(one.sources)}</li>`)}
    </ul>`;
}

/** Show a rule where it stands. */
export function show(clause) {
  const found = document.getElementById(id(clause));
  found?.closest("details")?.setAttribute("open", "");
  found?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}
