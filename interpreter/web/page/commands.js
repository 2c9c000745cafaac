// The command line of the page: the game in words, for those who do not look at a board.
//
// A line that is no command is a move. The commands are those of the terminal, as far as a page has them.

import { Fault } from "./fault.js";
import { newsOf, sceneOf } from "./scene.js";
import { statusOf } from "./status.js";

export const HELP = [
  ["MOVE", "play it, one decision or a whole turn"],
  ["legal [PLACE]", "what can be played now, also of one man only"],
  ["why MOVE", "why it is refused, or by which rule it is allowed"],
  ["last", "what was played last"],
  ["board", "where everybody stands"],
  ["men SIDE", "where the men of a side stand"],
  ["place NAME", "what stands on a place"],
  ["throw", "throw the dice"],
  ["undo", "take back"],
  ["end", "end the turn, where turns are confirmed"],
  ["resign", "give the game up"],
  ["help", "these commands"],
];

const folded = (text) => text.trim().toLowerCase();

/** A refusal as lines of text, as the terminal prints it. */
export function refusalText(found) {
  return found
    .map(({ clause, rule, citation, facts, where }) =>
      [
        `  because  ${clause || "the rules of play"}${where ? `  ${where}` : ""}`,
        rule && `  rule     ${rule}`,
        citation && `  source   ${citation}`,
        facts.length && `  now      ${facts.join("; ")}`,
      ]
        .filter(Boolean)
        .join("\n"),
    )
    .join("\n");
}

/** Faults as lines of text. */
export function faultText(problem) {
  if (!(problem instanceof Fault)) throw problem;
  return problem.faults
    .map(({ code, message, line, help, notes }) =>
      [
        `${code ? `error ${code}: ` : ""}${message}${line ? ` (line ${line})` : ""}`,
        ...notes.map((note) => `  ${note}`),
        help && `  help: ${help}`,
      ]
        .filter(Boolean)
        .join("\n"),
    )
    .join("\n");
}

/** Answer a line. `viewer` is the side whose labels count. Gives text; the game may have gone on. */
export async function answered(table, line, viewer) {
  const [word = "", ...rest] = line.trim().split(/\s+/);
  const argument = rest.join(" ");
  const command = Object.hasOwn(COMMANDS, folded(word)) ? COMMANDS[folded(word)] : null;
  try {
    if (!word) return "";
    if (command) return (await command(table, argument, viewer)) || "";
    await table.type(line);
    return [COMMANDS.last(table), statusOf(table, viewer).head].join("\n");
  } catch (problem) {
    if (problem instanceof Fault && problem.code === "P806") {
      return `not allowed: ${line.trim()}\n${refusalText(table.whyNot(folded(line)))}`;
    }
    return faultText(problem);
  }
}

const label = (table, place, viewer) => table.game.machine.about.labels[viewer][place];

/** Places by what the viewer calls them; of both sides' places beside the board the viewer's own comes first. */
function placeOf(table, name, viewer) {
  const labels = table.game.machine.about.labels[viewer];
  const found = labels.findIndex((one) => folded(one) === folded(name));
  if (found < 0) throw new Fault([{ code: "N703", message: `no place \`${name}\``, line: 0, help: "", notes: [] }]);
  return found;
}

function standing(table, scene, place, viewer) {
  const men = scene.piles[place].map(([side, kind, count]) => `${count} ${scene.sides[side]} ${scene.kinds[kind]}`);
  return `${label(table, place, viewer)}: ${men.join(", ") || "empty"}`;
}

const sceneNow = (table, viewer) => sceneOf(table.game.machine, table.session.state, { viewer, last: table.session.last() });

const COMMANDS = {
  legal(table, argument, viewer) {
    const found = table.legal;
    if (!found.length) return "Nothing is to be decided here now.";
    const place = argument ? placeOf(table, argument, viewer) : null;
    const shown = found.filter((one) => place === null || one.origin === place || (one.origin < 0 && one.to === place));
    return shown.map((one) => one.text).join("  ") || `Nothing can be played from ${argument}.`;
  },
  why(table, argument) {
    if (!argument) return "Write: why MOVE";
    const found = table.whyNot(folded(argument));
    if (found.length) return `not allowed: ${argument}\n${refusalText(found)}`;
    const legal = table.legal.find((one) => one.text === folded(argument));
    return `allowed: ${argument}\n${legal ? refusalText(table.why(legal.number)) : ""}`;
  },
  last(table) {
    const turn = table.session.turns().at(-1);
    if (!turn) return "Nothing was played yet.";
    return `${turn.number}. ${turn.side}${turn.throw.length ? ` [${turn.throw.join("-")}]` : ""} ${turn.text}`;
  },
  board(table, _, viewer) {
    const scene = sceneNow(table, viewer);
    const places = scene.piles.flatMap((piles, place) => (piles.length ? [standing(table, scene, place, viewer)] : []));
    return [...newsOf(scene), ...places].join("\n");
  },
  men(table, argument, viewer) {
    const scene = sceneNow(table, viewer);
    const side = scene.sides.findIndex((one) => folded(one) === folded(argument));
    if (side < 0) return `Write: men ${scene.sides.join(" | men ")}`;
    const found = scene.piles.flatMap((piles, place) =>
      piles.filter(([owner]) => owner === side).map(([, kind, count]) => `${count} ${scene.kinds[kind]} on ${label(table, place, viewer)}`),
    );
    return found.join("\n") || "none";
  },
  place(table, argument, viewer) {
    return standing(table, sceneNow(table, viewer), placeOf(table, argument, viewer), viewer);
  },
  async throw(table) {
    if (table.session.due !== "throw" || !table.actor) return "There is nothing to throw now.";
    await table.throw();
    return "";
  },
  async undo(table) {
    if (table.undoer === null) return "There is no decision of this turn to take back.";
    await table.undo();
    return "taken back";
  },
  async end(table) {
    if (!table.held) return "No turn waits to be confirmed.";
    await table.confirm();
    return "";
  },
  async resign(table) {
    await table.resign();
    return "";
  },
  help: () => HELP.map(([name, says]) => `${name.padEnd(16)}${says}`).join("\n"),
};
