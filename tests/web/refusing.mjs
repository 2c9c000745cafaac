// Says why what is asked for is refused, as a page does: node refusing.mjs PAGE CASES, answers as one line of JSON.
// CASES holds [{wasm, why, notation, cases: [{record, history, number | pair | text, permits}]}]; bytes are in base64.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [page, file] = process.argv.slice(2);
const at = (name) => import(pathToFileURL(`${page}/${name}`).href);
const { Machine } = await at("machine.js");
const { Notation } = await at("notation.js");
const { why, whyNot } = await at("why.js");
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));

function answered(machine, reasons, notation, { record, history, ...asked }) {
  const state = { record: bytes(record), history: bytes(history) };
  try {
    if ("permits" in asked) return why(machine, reasons, state, asked.permits);
    return whyNot(machine, reasons, notation, state, asked.number ?? asked.pair ?? asked.text);
  } catch (problem) {
    if (!(problem.code || problem.name === "RulesBroken")) throw problem;
    return { code: problem.code ?? "broken" };
  }
}

const answers = [];
for (const { wasm, why: reasons, notation, cases } of JSON.parse(readFileSync(file, "utf8"))) {
  const machine = await Machine.of(bytes(wasm));
  const written = new Notation(machine, notation);
  answers.push(cases.map((one) => answered(machine, reasons, written, one)));
}
process.stdout.write(JSON.stringify(answers));
