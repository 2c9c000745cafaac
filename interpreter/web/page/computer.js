// Computer players, as the page asks them: they think in a worker, which is ended when nobody waits for it any more.

/** The players a page offers; `usual` is how a record names one that was chosen here. */
export const PLAYERS = [
  { id: "human", says: "a person here" },
  { id: "random", says: "computer: any legal move" },
  { id: "greedy", says: "computer: looks one turn ahead" },
  { id: "mcts", says: "computer: thinks (about half a second)", usual: "mcts:500ms" },
  { id: "alpha-beta", says: "computer: looks as far as it can in half a second", usual: "alpha-beta:500ms" },
];

/** What a player is given where a record does not say: as in the terminal (interpreter/play/seats.py). */
const UNSAID = { mcts: 2000, "alpha-beta": 4 };

/** Those of them that a game's module knows. */
export function playersOf({ players }) {
  return PLAYERS.filter(({ id }) => id === "human" || players.includes(id));
}

/** `mcts:2000` or `mcts:500ms` or `mcts:1.5s`, as the terminal writes players. */
export function player(text) {
  const [id, limit = ""] = text.split(":");
  const known = PLAYERS.find((one) => one.id === id);
  if (!known) return null;
  const time = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(limit);
  if (time) return { id, milliseconds: Number(time[1]) * (time[2] === "s" ? 1000 : 1) };
  if (/^\d{1,9}$/.test(limit) && Number(limit) > 0) return { id, iterations: Number(limit) };
  if (limit) return null;
  return id in UNSAID ? { id, iterations: UNSAID[id] } : { id };
}

/** A player of the form, as a record names it. */
export function named(id) {
  return PLAYERS.find((one) => one.id === id)?.usual ?? id;
}

/** The generators of players are numbered from here (interpreter/play/players.py). */
const STREAM = 2 ** 32;

export class Computer {
  constructor(source) {
    this.source = source;
    this.worker = null;
    this.bytes = null;
    this.ask = 0;
    this.waiting = null;
  }

  /** The decisions a player chooses in a position. Rejects where it was asked something newer, or stopped. */
  choose(bytes, state, { id, iterations = 0, milliseconds = 0 }, seed, played) {
    this.stop();
    if (!this.worker) this.start();
    const ask = ++this.ask;
    const message = { ask, name: id, state, seed, number: BigInt(STREAM + played), iterations, milliseconds };
    if (this.bytes !== bytes) message.bytes = bytes;
    this.bytes = bytes;
    return new Promise((resolve, reject) => {
      this.waiting = { ask, resolve, reject };
      this.worker.postMessage(message);
    });
  }

  start() {
    const address = URL.createObjectURL(new Blob([this.source], { type: "text/javascript" }));
    this.worker = new Worker(address); // a plain script: a page from a disk may not load modules
    this.worker.onmessage = ({ data }) => {
      if (this.waiting?.ask !== data.ask) return;
      const { resolve, reject } = this.waiting;
      this.waiting = null;
      if (data.problem) reject(new Error(data.problem));
      else resolve(data.decisions);
    };
    this.worker.onerror = (event) => {
      this.waiting?.reject(new Error(event.message || "the computer player failed"));
      this.waiting = null;
      this.worker = this.bytes = null;
    };
  }

  /** Whatever it thinks about no longer matters. */
  stop() {
    if (!this.waiting) return;
    this.waiting.reject(new DOMException("no longer asked", "AbortError"));
    this.waiting = null;
    this.worker.terminate();
    this.worker = this.bytes = null;
  }
}
