// Asks the server about a text that changes: the newest question is the only one that counts.
//
// A question is sent when nothing was typed for a while. Each has a number; what comes
// back for an older one is dropped, and its request is broken off. Where the server says
// that it is busy, or cannot be reached, the question is asked again a little later.

export const PAUSE = 300; // milliseconds without a keystroke
const AGAIN = [1000, 3000, 10000];

export class Asking {
  // post(path, body, signal) → {status, told}; it throws where the server cannot be reached.
  constructor(post = posted, wait = (job, time) => setTimeout(job, time), stop = (timer) => clearTimeout(timer)) {
    this.post = post;
    this.wait = wait;
    this.stop = stop;
    this.tab = Math.random().toString(36).slice(2);
    this.number = 0;
    this.waiting = null;
    this.going = null;
  }

  // From now on no older answer counts; the job is done after a pause.
  later(job, pause = PAUSE) {
    this.forget();
    const number = this.number;
    this.waiting = this.wait(() => job(number), pause);
    return number;
  }

  // What was asked so far is of no interest any more.
  forget() {
    this.number += 1;
    this.stop(this.waiting);
    this.going?.abort();
    this.going = null;
  }

  current(number) {
    return number === this.number;
  }

  // The answer to a question of that number, or null if it no longer counts. `troubled(words)`
  // is called when it has to be asked again, and with nothing when it got through after all.
  async ask(path, body, number, troubled = () => {}) {
    for (let attempt = 0; this.current(number); attempt += 1) {
      this.going = new AbortController();
      let answer;
      try {
        answer = await this.post(path, { ...body, tab: this.tab, number }, this.going.signal);
      } catch {
        answer = { status: 0, told: { problem: "The server cannot be reached" } };
      }
      if (!this.current(number)) return null;
      if (answer.status && answer.status !== 429 && answer.status < 500) {
        if (attempt) troubled("");
        const { told } = answer;
        return told.superseded || (answer.status === 200 && told.number !== number) ? null : told;
      }
      troubled(`${answer.told.problem ?? "The server failed"}. It will be asked again.`);
      await new Promise((resolve) => this.wait(resolve, AGAIN[Math.min(attempt, AGAIN.length - 1)]));
    }
    return null;
  }
}

async function posted(path, body, signal) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  let told = {};
  try {
    told = await response.json();
  } catch {
    if (response.ok) throw new Error("no JSON");
  }
  return { status: response.status, told };
}
