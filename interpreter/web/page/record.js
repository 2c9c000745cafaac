/**
 * A game as it was played, as text: the same form, byte for byte, as `play/record.py` reads and writes.
 *
 * An event is {what, side, text, faces, number, players, line}; what an event does not say is left out. A head is
 * {ruleset, content, seed (BigInt), options, players (both [[name, value]]), match, dice, position, file, program,
 * date, lines}. Faults: P801 no record, P802 its head, P803 an event that cannot be read, P808 another version;
 * P804 played by other rules (`checkContent`, `variantOf`).
 */

import { Fault, fault, known } from "./fault.js";

export const VERSION = 1;
export const FIRST_LINE = `alfonso record ${VERSION}`;
export const BEGIN = "begin";
export const THROW = "throw";
export const MOVE = "move";
export const STUCK = "stuck";
export const UNDO = "undo";
export const RESIGN = "resign";
export const AGREED = "agreed";
export const GAME = "game";
export const PLAYERS = "players";
export const NOTE = "note";

const NEEDED = ["ruleset", "content", "seed"];
const KEYS = "ruleset file content options seed dice players match position program date".split(" ");
const DICE = ["seed", "any"];
const FACES = /^[0-9]{1,4}(-[0-9]{1,4}){0,19}$/;
const SHAPES = new Map([
  [THROW, "`throw 6-1`"],
  [BEGIN, "`begin SIDE` or `begin SIDE 6-1`"],
  [UNDO, "`undo SIDE`"],
  [RESIGN, "`resign SIDE`"],
  [AGREED, "`agreed`"],
  [GAME, "`game 2`"],
  [PLAYERS, "`players SIDE=KIND …`"],
  [STUCK, "`stuck`"],
]);

// what Python takes for white space, which is not quite what JavaScript does
const CHARACTERS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WHITE = `[${CHARACTERS}]`;
const RUN = new RegExp(`${WHITE}+`, "u");
const ENDS = new RegExp(`^${WHITE}+|${WHITE}+$`, "gu");
const FIRST = new RegExp(`^alfonso record ([^${CHARACTERS}]+)${WHITE}*$`, "u");
const strip = (text) => text.replace(ENDS, "");
const split = (text) => text.split(RUN).filter(Boolean);

// ---- writing ------------------------------------------------------------------------------

const pairsText = (pairs) => pairs.map(([name, value]) => `${name}=${value}`).join(" ");

/** An event as a line, without its end. */
export function eventText(event) {
  const { what, side = "", text = "", faces = [], number = 0, players = [] } = event;
  const words = {
    [MOVE]: [side, text],
    [GAME]: [GAME, String(number)],
    [PLAYERS]: [PLAYERS, pairsText(players)],
    [NOTE]: [NOTE, split(text).join(" ")],
  }[what] ?? [what, side, faces.join("-")];
  return words.filter(Boolean).join(" ");
}

/** A head as text, the empty line after it included. */
export function headText(head) {
  const lines = [FIRST_LINE, `ruleset ${head.ruleset}`];
  if (head.file) lines.push(`file ${head.file}`);
  lines.push(`content ${head.content}`, strip(`options ${pairsText(head.options ?? [])}`), `seed ${head.seed}`);
  if ((head.dice ?? "seed") !== "seed") lines.push(`dice ${head.dice}`);
  lines.push(strip(`players ${pairsText(head.players ?? [])}`));
  if (head.match) lines.push("match yes");
  for (const key of ["position", "program", "date"]) if (head[key]) lines.push(`${key} ${head[key]}`);
  return `${lines.join("\n")}\n\n`;
}

/** A whole record as text. */
export function recordText({ head, events }) {
  return headText(head) + events.map((event) => `${eventText(event)}\n`).join("");
}

// ---- reading ------------------------------------------------------------------------------

/**
 * Read a record: {head, events, cutOff}. `cutOff` is a last line without its end, which is left out.
 *
 * @param data  text, or the bytes of a file
 * Throws Fault with every fault of the file.
 */
export function readRecord(data) {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  let end = bytes.length;
  while (end && bytes[end - 1] === 0) end--;
  const whole = bytes.lastIndexOf(10, end - 1) + 1;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const cutOff = decoder.decode(bytes.subarray(whole, end)).replace(/^[\r\n]+|[\r\n]+$/g, "");
  const lines = decoder.decode(bytes.subarray(0, whole)).split("\n").slice(0, -1);
  const faults = [];
  const refuse = (code, message, line, help = "") => faults.push({ code, message, line, help, notes: [] });
  const numbered = lines.map((text, i) => ({ text: text.replace(/\r+$/, ""), line: i + 1 }));
  checkFirst(numbered, cutOff, refuse);
  if (faults.length) throw new Fault(faults);
  const empty = numbered.findIndex(({ text }, i) => i && !strip(text));
  const at = empty < 0 ? numbered.length : empty;
  const says = ({ text }) => strip(text) && !strip(text).startsWith("#");
  const head = headOf(numbered.slice(1, at).filter(says), refuse);
  const events = numbered.slice(at).filter(says).map((line) => eventOf(line, refuse));
  if (faults.length) throw new Fault(faults);
  return { head, events, cutOff };
}

function checkFirst(lines, cutOff, refuse) {
  const found = lines.length ? FIRST.exec(lines[0].text) : null;
  if (found === null) {
    const help = !lines.length && cutOff ? "the file broke off before its first line was whole" : "";
    refuse("P801", `this is no record: the first line is not \`${FIRST_LINE}\``, 1, help);
  } else if (found[1] !== String(VERSION)) {
    refuse("P808", `a record of version ${found[1]}; this program reads version ${VERSION}`, 1);
  }
}

function headOf(lines, refuse) {
  const given = new Map();
  const where = new Map();
  for (const { text, line } of lines) {
    const said = strip(text);
    const space = said.indexOf(" ");
    const key = space < 0 ? said : said.slice(0, space);
    if (!KEYS.includes(key)) refuse("P802", `the head of a record has no \`${key}\``, line, known(KEYS));
    else if (given.has(key)) refuse("P802", `\`${key}\` is said twice`, line);
    else {
      given.set(key, space < 0 ? "" : strip(said.slice(space + 1)));
      where.set(key, line);
    }
  }
  const line = (key) => where.get(key) ?? 1;
  const value = (key, otherwise = "") => given.get(key) ?? otherwise;
  for (const key of NEEDED) {
    if (!given.get(key)) refuse("P802", `the record does not say its ${key}`, line(key), `write a line \`${key} …\``);
  }
  const [options, players] = ["options", "players"].map((key) => pairsOf(value(key), line(key), refuse));
  const [seed, dice, match] = [value("seed", "0"), value("dice", "seed"), value("match", "no")];
  const isSeed = /^-?[0-9]{1,40}$/.test(seed);
  if (!isSeed) refuse("P802", `\`${seed}\` is no seed`, line("seed"), "a seed is a whole number");
  if (!DICE.includes(dice)) refuse("P802", `dice are not from \`${dice}\``, line("dice"), known(DICE));
  if (!["yes", "no"].includes(match)) {
    refuse("P802", `\`match ${match}\``, line("match"), "write `match yes`, or no such line");
  }
  return {
    ruleset: value("ruleset"),
    content: value("content"),
    seed: isSeed ? wholeNumber(seed) : 0n,
    options,
    players,
    match: match === "yes",
    dice,
    position: value("position"),
    file: value("file"),
    program: value("program"),
    date: value("date"),
    lines: Object.fromEntries(where),
  };
}

const wholeNumber = (text) => (text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text));

function pairsOf(text, line, refuse) {
  return split(text).map((word) => {
    const sign = word.indexOf("=");
    const [name, value] = sign < 0 ? [word, ""] : [word.slice(0, sign), word.slice(sign + 1)];
    if (!name || !value) refuse("P802", `\`${word}\` is not \`name=value\``, line);
    return [name, value];
  });
}

/** One line of the events. A line that begins with no word of its own is a side and its move. */
function eventOf({ text, line }, refuse) {
  const [what, ...rest] = split(text);
  const [first = "", second = ""] = rest;
  if (what === NOTE) return { what, text: rest.join(" "), line };
  if ((what === STUCK || what === AGREED) && !rest.length) return { what, line };
  if (what === THROW && rest.length === 1 && FACES.test(first)) return { what, faces: facesOf(first), line };
  if (what === BEGIN && rest.length === 1) return { what, side: first, faces: [], line };
  if (what === BEGIN && rest.length === 2 && FACES.test(second)) {
    return { what, side: first, faces: facesOf(second), line };
  }
  if ((what === UNDO || what === RESIGN) && rest.length === 1) return { what, side: first, line };
  if (what === GAME && rest.length === 1 && /^[0-9]{1,9}$/.test(first)) return { what, number: Number(first), line };
  if (what === PLAYERS && rest.length) return { what, players: pairsOf(rest.join(" "), line, refuse), line };
  if (SHAPES.has(what) || !rest.length) {
    const help = SHAPES.has(what) ? `write it as ${SHAPES.get(what)}` : "write `SIDE MOVE`";
    refuse("P803", `\`${strip(text)}\` is no event`, line, help);
    return null;
  }
  return { what: MOVE, side: what, text: rest.join(" "), line };
}

const facesOf = (word) => word.split("-").map(Number).sort((a, b) => b - a);

/** The event that one line says (as remote games send them). Throws Fault P803 or P802. */
export function readEvent(text, line = 1) {
  const faults = [];
  const one = strip(text);
  const refuse = (code, message, at, help = "") => faults.push({ code, message, line: at, help, notes: [] });
  const event = one && !one.startsWith("#") && !one.includes("\n") ? eventOf({ text: one, line }, refuse) : null;
  if (event === null && !faults.length) refuse("P803", `\`${one}\` is no event`, line, "write `SIDE MOVE`");
  if (faults.length) throw new Fault(faults);
  return event;
}

// ---- by which rules -----------------------------------------------------------------------

/**
 * Was a record played by the rules of this book? Throws Fault P804 with both hashes if not.
 *
 * @param book  the page's book, or anything with its `id` and `content`
 */
export function checkContent({ head }, book) {
  if (head.content === book.content && head.ruleset === book.id) return;
  const message =
    head.ruleset === book.id
      ? `\`${book.id}\` is no longer the ruleset that was played`
      : `this is a record of \`${head.ruleset}\`, and these are the rules of \`${book.id}\``;
  throw fault("P804", message, {
    line: head.lines?.content ?? 0,
    notes: [`played by ${head.content}`, `found now ${book.content}`],
    help: `open it where \`${head.ruleset}\` is as it was, or try \`alfonso replay --force FILE\``,
  });
}

/**
 * The number of the variant of a book that a record was played with. Throws Fault P804 where those options were
 * not compiled in. What a record leaves open is as in the book's first variant that agrees with the rest.
 */
export function variantOf({ head }, book) {
  const agrees = ({ options }) => head.options.every(([name, value]) => options[name] === value);
  const found = book.variants.findIndex(agrees);
  if (found >= 0) return found;
  throw fault("P804", "this record was played with options that are not here", {
    line: head.lines?.options ?? 0,
    notes: [`played with ${pairsText(head.options)}`],
    help: "export the rules with these options, or with all of them",
  });
}
