// What a game says of itself, always: whose turn it is, and what is to be done next.

import { DECIDE, OVER } from "./session.js";
import { STUCK, THROW } from "./record.js";
import { sceneOf } from "./scene.js";

/** More names of places than this are no help. */
const MOST_NAMES = 8;

/** {head, hint}: how the game stands, and what a person may do about it; `near` is the side whose labels count. */
export function statusOf(table, near) {
  const { session } = table;
  if (session.due === OVER) return { head: table.ending(), hint: table.undoer === null ? "" : "The last decision can be taken back." };
  if (table.thinking) return { head: `${session.decider}, a computer, thinks …`, hint: "" };
  if (table.paused && table.watched) return { head: `${session.decider} is next`, hint: "The game stands still." };
  const back = table.undoer === null ? "" : ", or take back";
  if (table.held && session.due === STUCK) return { head: `${session.decider} can play nothing`, hint: `Go on${back}.` };
  if (table.held) return { head: "The turn is played", hint: `End it${back}.` };
  const scene = sceneOf(table.game.machine, session.state, { viewer: near });
  const left = scene.dice.filter(([, waits]) => waits).map(([pips]) => pips);
  const head = [scene.status, left.length ? `left to play ${left.join(" ")}` : "", ...scene.facts.both];
  return { head: head.filter(Boolean).join(" · "), hint: table.actor ? hintOf(table, scene, near) : "" };
}

function hintOf(table, scene, near) {
  const { session, legal } = table;
  if (session.due === THROW) return "Throw the dice.";
  if (session.due !== DECIDE) return "";
  const { labels, beside } = table.game.machine.about;
  const aside = new Set(Object.values(beside).flat());
  const words = legal.filter((one) => one.origin < 0 && one.to < 0);
  const moves = legal.filter((one) => one.origin >= 0);
  const names = (places) => [...new Set(places)].map((place) => labels[near][place]).join(", ");
  if (legal.length === 1) return `Only ${legal[0].text} can be played.`;
  const or = words.length ? `, or ${words.map((one) => one.text).join(", or ")}` : "";
  if (!moves.length) return words.length ? `Choose ${words.map((one) => one.text).join(" or ")}.` : "Choose a place.";
  if (scene.active >= 0 && moves.every((one) => one.origin === scene.active)) {
    return `The man on ${names([scene.active])} moves on: choose where it goes${or}.`;
  }
  if (moves.every((one) => aside.has(one.origin))) return `Choose where a man is entered${or}.`;
  if (scene.duty.length && scene.duty.length <= MOST_NAMES) {
    return `A rule leaves only ${names(scene.duty)}: choose ${scene.duty.length > 1 ? "one, then " : ""}where it goes${or}.`;
  }
  return `Choose a man, then where it goes${or}.`;
}
