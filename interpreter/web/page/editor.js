// The page on which a ruleset is written: its text, what is wrong with it, and the game as it stands.
//
// What is typed is kept in the browser at once and checked a moment later. A text without
// errors is shown as a game; while one with errors is typed, the last good one stays.

import { html, nothing, render } from "lit";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

import { Asking } from "./asking.js";
import "./editor.css";
import { Keeping } from "./keeping.js";
import { Trial } from "./trial.js";

const at = (id) => document.getElementById(id);
const { id, parent } = document.body.dataset;
const name = id ? `id:${id}` : parent ? `from:${parent}` : "new";
const nonce = document.querySelector("script[nonce]").nonce;

// Colours are custom properties, so that they follow the scheme of light or dark.
const inks = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--name)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--quoted)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--remark)" },
  { tag: [tags.keyword, tags.meta, tags.typeName, tags.labelName], color: "var(--mark)" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--dim)" },
]);

const asking = new Asking();
const keeping = new Keeping(name, asking.tab);
const trial = new Trial(asking.tab, at("preview"), (status) => shown(status));
let view = null;
let good = null; // the last text without errors
let found = []; // the faults of the text that was checked last
let other = null; // what another tab wrote

const text = () => view.state.doc.toString();

// ---- the text -----------------------------------------------------------------------------------

async function begin() {
  let first = "";
  try {
    first = await begun();
  } catch (problem) {
    alarm(html`${problem.message}`);
  }
  const kept = keeping.found();
  good = kept ? (kept.good ?? null) : null;
  view = new EditorView({
    parent: at("text"),
    state: EditorState.create({
      doc: kept?.text ?? first,
      extensions: [
        EditorView.cspNonce.of(nonce),
        basicSetup,
        syntaxHighlighting(inks),
        yaml(),
        lintGutter(),
        keymap.of(lintKeymap),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Text of the ruleset", "aria-describedby": "keys", spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
  tools(first);
  offer();
  if (kept && kept.text !== first) said(`What you wrote ${ago(kept.at)} is here again.`);
  asking.later(check, 0);
}

async function begun() {
  const asked = id ? `?id=${encodeURIComponent(id)}` : parent ? `?from=${encodeURIComponent(parent)}` : "";
  let told;
  try {
    told = await (await fetch(`/api/draft${asked}`)).json();
  } catch {
    throw new Error("The server cannot be reached.");
  }
  if (typeof told.text !== "string") throw new Error(`${told.problem ?? "The server failed"}.`);
  return told.text;
}

function changed() {
  keep();
  asking.later(check);
  trial.stale(text());
}

function keep() {
  if (keeping.keep(text(), good)) {
    if (!keeping.apart) said("What you write is kept in this browser.");
  } else {
    alarm(html`This browser cannot keep what you write. Save it as a file before you leave.`);
  }
}

function put(words) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: words } });
  view.focus();
}

// A text that was kept apart, because two tabs wrote at once, is offered until somebody says what becomes of it.
function offer() {
  const [stray] = keeping.strays();
  if (!stray || keeping.apart) return;
  const done = (wanted) => {
    alarm(nothing);
    if (wanted) put(stray.text);
    keeping.drop(stray.key);
    offer();
  };
  alarm(
    html`Another text of this draft was kept ${ago(stray.at)}, when two tabs wrote at once:
      <button type="button" @click=${() => done(true)}>take it</button>
      <button type="button" @click=${() => done(false)}>throw it away</button>`,
  );
}

function tools(first) {
  const save = (event) => {
    const address = URL.createObjectURL(new Blob([text()], { type: "application/yaml" }));
    event.currentTarget.href = address;
    event.currentTarget.download = `${(/^ruleset: *"?([\w/-]+)/m.exec(text())?.[1] ?? "ruleset").split("/").at(-1)}.yaml`;
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  const open = async (event) => {
    const [file] = event.currentTarget.files;
    if (file) put(await file.text());
    event.target.value = "";
  };
  const again = () => {
    put(first);
    said("The text is as it was at first; undo (Ctrl-Z) brings yours back.");
  };
  render(
    html`<a href="#" download @click=${save}>Save as a file</a>
      <label class="file">Open a file <input type="file" accept=".yaml,.yml,text/plain" @change=${open} /></label>
      <button type="button" @click=${again}>Start again</button>
      ${id ? html`<a href="/edit?from=${encodeURIComponent(id)}">Begin a variant of it</a>` : nothing}
      ${id || parent ? html`<a href="/edit">Begin a new game</a>` : nothing}`,
    at("tools"),
  );
}

window.addEventListener("storage", (event) => {
  const theirs = keeping.other(event);
  if (theirs === null || theirs === text()) return;
  other = theirs;
  keeping.apart = true;
  keeping.keep(text(), good);
  alarm(
    html`This draft was changed in another tab. Nothing of either text is lost:
      <button type="button" @click=${() => decide(true)}>take the other tab's text</button>
      <button type="button" @click=${() => decide(false)}>keep this one</button>`,
  );
});

function decide(theirs) {
  keeping.together();
  alarm(nothing);
  if (theirs) put(other);
  else keep();
}

// ---- what is wrong ------------------------------------------------------------------------------

async function check(number) {
  const asked = text();
  const troubled = (words) => summary(words || "The text is being checked.");
  const quick = await asking.ask("/api/check", { text: asked }, number, troubled);
  if (quick === null) return;
  faults(quick, "");
  if (!quick.diagnostics || quick.errors) {
    await trial.show(good, asked);
    return;
  }
  if (quick.playable) {
    good = asked;
    keeping.keep(asked, good);
    await trial.show(asked, asked);
  } else {
    trial.nothing(quick.problem ?? "This is no game by itself: nothing can be shown.");
  }
  if (!asking.current(number)) return;
  const played = await asking.ask("/api/check", { text: asked, played: true }, number);
  if (played !== null) faults(played, quick.playable ? " Its stories were run too." : "");
}

function faults(told, more) {
  if (told.problem) {
    view.dispatch(setDiagnostics(view.state, []));
    render(nothing, at("faults"));
    summary(`The check gave no answer: ${told.problem}.`);
    return;
  }
  found = told.diagnostics;
  const marks = found.filter((one) => one.from !== null).map((one) => mark(one));
  view.dispatch(setDiagnostics(view.state, marks.sort((a, b) => a.from - b.from)));
  render(found.map(item), at("faults"));
  const { errors, warnings } = told;
  const counted = [count(errors, "error"), count(warnings, "warning")].filter(Boolean).join(" and ");
  const [first] = found;
  summary(counted ? `${counted}. The first is ${where(first)}: ${first.message}.` : `No faults.${more}`);
}

// A fault as the editor marks it: on its first line, however far it goes.
function mark(one) {
  const { doc } = view.state;
  const from = Math.min(one.from, doc.length);
  const to = Math.max(from, Math.min(one.to, doc.lineAt(from).to));
  const words = [one.message, ...one.notes.map((note) => `note: ${note}`), ...(one.help ? [`help: ${one.help}`] : [])];
  return { from, to, severity: one.severity, source: one.code, message: words.join("\n") };
}

function item(one) {
  const go = () => {
    const place = Math.min(one.from, view.state.doc.length);
    view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
    view.focus();
  };
  const place = html`<span class="sign">${one.severity}</span> ${where(one)}: ${one.message}`;
  return html`<li class=${one.severity}>
    ${one.from === null ? place : html`<button type="button" @click=${go}>${place}</button>`}
    <a href="/codes/${one.code}" target="_blank" rel="noopener">${one.code}: ${one.title}</a>
    ${one.help ? html`<span class="help">${one.help}</span>` : nothing}
    ${one.notes.map((note) => html`<small>${note}</small>`)}
  </li>`;
}

const where = (one) => (one.from === null ? (one.file ?? "nowhere") : `line ${one.line}`);
const count = (n, what) => (n ? `${n} ${what}${n === 1 ? "" : "s"}` : "");

// ---- what is said -------------------------------------------------------------------------------

function write(element, words) {
  if (element.textContent !== words) element.textContent = words; // what did not change is not read out again
}
const summary = (words) => write(at("summary"), words);
const said = (words) => write(at("kept"), words);
const alarm = (words) => render(words, at("alarm"));

function shown({ words, old }) {
  const line = at("shown");
  write(line, words);
  line.className = old ? "old" : "now";
}

function ago(time) {
  const then = new Date(time);
  return Number.isNaN(then.getTime()) ? "before" : `on ${then.toLocaleDateString()} at ${then.toLocaleTimeString()}`;
}

begin();
