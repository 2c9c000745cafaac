// What stands beside a remote game: who plays, who is here, what the dice are bound to.

import { html, nothing } from "lit";
import { givingUp } from "./panels.js";
import { OVER } from "./session.js";

export function remotePanel(page) {
  const { table } = page;
  const { state, side } = table;
  const { seats = {}, present = [], offer, dice, connected } = state;
  return html`<section aria-label="The others">
    <p>
      ${side ? html`You play <b>${side}</b>.` : "You watch this game."}
      ${Object.entries(seats)
        .filter(([name]) => name !== side)
        .map(([name, kind]) => html` ${name}: ${kind === "human" ? (present.includes(name) ? "here" : "away") : kind}.`)}
      ${connected ? nothing : html`<b>Not connected.</b>`}
    </p>
    ${offer ? html`<p>${offer === side ? "You have offered a draw." : `${offer} offers a draw.`}</p>` : nothing}
    ${side && table.session.due !== OVER ? ending(page, Boolean(offer) && offer !== side) : nothing}
    ${dice?.commitment && table.game?.machine.about.throws.length
      ? html`<details>
          <summary><h2>Are the dice fair?</h2></summary>
          <p>
            The server drew the seed of all throws before the game began and is bound to it by this number:
            <output>${dice.commitment}</output>. ${dice.seed === undefined
              ? "When the game is over the seed is told, and anybody can check it."
              : html`The seed was <output>${dice.seed}</output>, the salt <output>${dice.salt}</output>.`}
          </p>
        </details>`
      : nothing}
  </section>`;
}

/** The ways to end a game that no rule ends; `offered`: a draw, by the other side. */
function ending(page, offered) {
  const { table } = page;
  // a computer player agrees to no draw
  const people = Object.entries(table.state.seats ?? {}).every(([side, kind]) => side === table.side || kind === "human");
  const button = (text, act) => html`<button type="button" @click=${() => page.doing(act)}>${text}</button>`;
  return html`<div class="buttons">
    ${people ? button(offered ? "Agree to a draw" : "Offer a draw", () => table.agree()) : nothing}
    ${offered ? button("Decline", () => table.decline()) : nothing}
    </div>
    ${givingUp(page)}`;
}
