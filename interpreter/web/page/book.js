// The document a page is made of (interpreter/web/book.py): which choices it carries, and the game of each.

import { applied } from "./deltas.js";
import { Machine } from "./machine.js";
import { Notation } from "./notation.js";

const FORMAT = 1;

/** Bytes of base64 of gzip. */
async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Book {
  constructor(data) {
    if (data.format !== FORMAT) {
      throw new Error(`this page reads games of form ${FORMAT}; this one has form ${data.format}`);
    }
    this.data = data;
    this.games = new Map();
    this.modules = new Map();
  }

  /** The titles' languages, English first. */
  get languages() {
    return Object.keys(this.data.title).sort((a, b) => (b === "en") - (a === "en"));
  }

  title(language) {
    const { title, id } = this.data;
    return title[language] ?? title.en ?? Object.values(title)[0] ?? id;
  }

  /** The variant with just these options; -1 where the page does not carry it. */
  index(options) {
    const wanted = Object.entries(options);
    return this.data.variants.findIndex(
      (one) => Object.keys(one.options).length === wanted.length && wanted.every(([name, value]) => one.options[name] === value),
    );
  }

  /** The bytes of a variant's module. */
  async bytes(index) {
    if (!this.modules.has(index)) {
      const { wasm } = this.data.variants[index];
      const made = typeof wasm === "string" ? unpacked(wasm) : this.made(wasm);
      this.modules.set(index, made);
    }
    return this.modules.get(index);
  }

  async made({ base, delta }) {
    return applied(await this.bytes(base), await unpacked(delta));
  }

  /** A variant ready to be played. */
  async game(index) {
    if (!this.games.has(index)) this.games.set(index, this.begun(index));
    return this.games.get(index);
  }

  async begun(index) {
    const variant = this.data.variants[index];
    const bytes = await this.bytes(index);
    const machine = await Machine.of(bytes);
    return {
      index,
      options: variant.options,
      hash: variant.hash,
      bytes,
      machine,
      notation: new Notation(machine, this.data.notations[variant.notation]),
      stages: this.data.stages[variant.stage],
      why: this.data.whys[variant.why],
      rulebook: this.data.rulebooks[variant.rulebook],
    };
  }
}
