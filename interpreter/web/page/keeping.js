// Keeps a draft in the browser, so that closing a page loses nothing.
//
// One entry for each thing that can be begun with. If another tab writes to the same
// entry, this tab no longer does: its text goes to an entry of its own until somebody
// says which of the two counts.

const PREFIX = "alfonso-draft:";

export class Keeping {
  // storage: as window.localStorage, or null where the browser has none.
  constructor(name, tab, storage = ownStorage()) {
    this.key = PREFIX + name;
    this.tab = tab;
    this.storage = storage;
    this.apart = false;
  }

  // {text, at, good} as it was kept last, or null. `good` is the last text without faults.
  found() {
    try {
      const kept = JSON.parse(this.storage.getItem(this.key));
      return typeof kept?.text === "string" ? kept : null;
    } catch {
      return null;
    }
  }

  // Keep a text; false where the browser cannot.
  keep(text, good) {
    try {
      const entry = JSON.stringify({ text, good: good === text ? null : good, at: Date.now(), tab: this.tab });
      this.storage.setItem(this.apart ? `${this.key}:${this.tab}` : this.key, entry);
      return true;
    } catch {
      return false;
    }
  }

  // Was this event another tab's writing to the same entry? Its text, or null.
  other(event) {
    if (event.key !== this.key || event.newValue === null) return null;
    try {
      const kept = JSON.parse(event.newValue);
      return kept.tab !== this.tab && typeof kept.text === "string" ? kept.text : null;
    } catch {
      return null;
    }
  }

  // Texts that tabs kept apart: [{key, text, at}], the newest first; those of tabs that are open too.
  strays() {
    try {
      const keys = Array.from({ length: this.storage.length }, (_, n) => this.storage.key(n));
      const apart = keys.filter((key) => key.startsWith(`${this.key}:`) && !key.slice(this.key.length + 1).includes(":"));
      const entries = apart.map((key) => ({ ...JSON.parse(this.storage.getItem(key)), key }));
      return entries.filter(({ text, tab }) => typeof text === "string" && tab !== this.tab).sort((a, b) => b.at - a.at);
    } catch {
      return [];
    }
  }

  drop(key) {
    try {
      this.storage.removeItem(key);
    } catch {
      // then it is offered again
    }
  }

  // This tab's text counts again.
  together() {
    if (this.apart) {
      this.apart = false;
      this.drop(`${this.key}:${this.tab}`);
    }
  }
}

function ownStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
