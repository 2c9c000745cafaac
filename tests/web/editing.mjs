// Tries what the editor's page does without a page: asking (the newest question counts), keeping, comparing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Asking } from "../../interpreter/web/page/asking.js";
import { Keeping } from "../../interpreter/web/page/keeping.js";
import { firstChange } from "../../interpreter/web/page/texts.js";

// Answers are given by hand, timers run when they are told to.
function bench() {
  const asked = [];
  const timers = new Map();
  let next = 0;
  const post = (path, body, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("broken off")));
      asked.push({ path, body, signal, answer: (told, status = 200) => resolve({ status, told: { number: body.number, ...told } }), lose: reject });
    });
  const asking = new Asking(post, (job) => timers.set((next += 1), job) && next, (timer) => timers.delete(timer));
  const run = () => [...timers].forEach(([timer, job]) => timers.delete(timer) && job());
  return { asking, asked, run, timers };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("nothing is asked until typing pauses, and then once", async () => {
  const { asking, asked, run } = bench();
  for (const text of ["a", "ab", "abc"]) asking.later((number) => asking.ask("/api/check", { text }, number));
  assert.equal(asked.length, 0);
  run();
  assert.deepEqual(asked.map(({ body }) => body.text), ["abc"]);
});

test("an older answer never comes after a newer question", async () => {
  const { asking, asked, run } = bench();
  const got = [];
  const ask = (text) => asking.later(async (number) => got.push(await asking.ask("/api/check", { text }, number)));
  ask("old");
  run();
  ask("new");
  run();
  assert.equal(asked[0].signal.aborted, true);
  asked[1].answer({ of: "new" });
  asked[0].answer({ of: "old" });
  await settled();
  assert.deepEqual(got.filter(Boolean).map((one) => one.of), ["new"]);
});

test("an answer that comes after a keystroke is dropped", async () => {
  const { asking, asked, run } = bench();
  const got = [];
  asking.later(async (number) => got.push(await asking.ask("/api/check", { text: "a" }, number)));
  run();
  asked[0].answer({ of: "a" });
  asking.later(() => {});
  await settled();
  assert.deepEqual(got, [null]);
});

test("an answer with another's number is dropped, and one that was superseded", async () => {
  const { asking, asked } = bench();
  const one = asking.ask("/api/check", {}, asking.number);
  asked[0].answer({ number: asking.number + 7 });
  assert.equal(await one, null);
  const two = asking.ask("/api/check", {}, asking.number);
  asked[1].answer({ superseded: true });
  assert.equal(await two, null);
});

test("where the server is busy or away, it is asked again and says so meanwhile", async () => {
  const { asking, asked, run } = bench();
  const troubles = [];
  const one = asking.ask("/api/check", { text: "a" }, asking.number, (words) => troubles.push(words));
  asked[0].answer({ problem: "Too many" }, 503);
  await settled();
  run();
  await settled();
  asked[1].lose(new Error("no network"));
  await settled();
  run();
  await settled();
  asked[2].answer({ of: "a" });
  assert.equal((await one).of, "a");
  assert.equal(troubles.length, 3);
  assert.match(troubles[0], /Too many/);
  assert.match(troubles[1], /cannot be reached/);
  assert.equal(troubles[2], "");
});

test("what is refused for good is an answer", async () => {
  const { asking, asked } = bench();
  const one = asking.ask("/api/check", {}, asking.number);
  asked[0].answer({ problem: "too large" }, 413);
  assert.equal((await one).problem, "too large");
});

class Storage {
  entries = new Map();
  get length() {
    return this.entries.size;
  }
  key(n) {
    return [...this.entries.keys()][n];
  }
  full = false;
  getItem(key) {
    return this.entries.get(key) ?? null;
  }
  setItem(key, value) {
    if (this.full) throw new Error("full");
    this.entries.set(key, value);
  }
  removeItem(key) {
    this.entries.delete(key);
  }
}

test("what was kept is found again, with the last good text", () => {
  const storage = new Storage();
  const keeping = new Keeping("new", "tab", storage);
  assert.equal(keeping.found(), null);
  assert.equal(keeping.keep("a\n𝌆", "a"), true);
  const { text, good } = new Keeping("new", "other", storage).found();
  assert.deepEqual([text, good], ["a\n𝌆", "a"]);
  assert.equal(new Keeping("id:alquerque", "tab", storage).found(), null);
});

test("a browser that cannot keep says so, and rubbish is nothing", () => {
  const storage = new Storage();
  storage.full = true;
  assert.equal(new Keeping("new", "tab", storage).keep("a", null), false);
  assert.equal(new Keeping("new", "tab", null).keep("a", null), false);
  assert.equal(new Keeping("new", "tab", null).found(), null);
  for (const rubbish of ["", "{", "null", "7", '{"text": 7}', "[]"]) {
    storage.entries.set("alfonso-draft:new", rubbish);
    assert.equal(new Keeping("new", "tab", storage).found(), null);
  }
});

test("two tabs never write over one another", () => {
  const storage = new Storage();
  const [one, two] = ["one", "two"].map((tab) => new Keeping("new", tab, storage));
  two.keep("theirs", null);
  const event = { key: "alfonso-draft:new", newValue: storage.getItem("alfonso-draft:new") };
  assert.equal(one.other(event), "theirs");
  assert.equal(two.other(event), null);
  assert.equal(one.other({ key: "else", newValue: event.newValue }), null);
  assert.equal(one.other({ key: event.key, newValue: "{" }), null);
  one.apart = true;
  one.keep("mine", null);
  assert.equal(two.found().text, "theirs");
  assert.deepEqual([...storage.entries.values()].map((entry) => JSON.parse(entry).text).sort(), ["mine", "theirs"]);
  one.together();
  one.keep("mine", null);
  assert.equal(two.found().text, "mine");
  assert.equal(storage.entries.size, 1);
});

test("a text that was kept apart is offered again", () => {
  const storage = new Storage();
  const [one, two, later] = ["one", "two", "later"].map((tab) => new Keeping("new", tab, storage));
  two.keep("theirs", null);
  one.apart = true;
  one.keep("mine", null);
  assert.deepEqual(one.strays(), []);
  assert.deepEqual(later.strays().map(({ text }) => text), ["mine"]);
  assert.deepEqual(new Keeping("id:new", "x", storage).strays(), []);
  later.drop(later.strays()[0].key);
  assert.deepEqual(later.strays(), []);
  assert.equal(later.found().text, "theirs");
  assert.deepEqual(new Keeping("new", "x", null).strays(), []);
});

test("the first line that differs", () => {
  for (const [a, b, line] of [["a", "a", 2], ["a\nb", "a\nc", 2], ["", "a", 1], ["a\nb", "a", 2], ["a", "a\nb", 2]]) {
    assert.equal(firstChange(a, b), line);
  }
});
