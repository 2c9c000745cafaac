/**
 * A remote game, as a client holds it: it connects, catches up with what it missed, and says what its side does.
 *
 *     const game = new RemoteGame(base, id, { seat: secret });    // or { watch: secret }
 *     game.onupdate = ({ head, events, seats, side, connected, … }) => …;
 *     await game.send(events.length, "white 8-5");
 *
 * What the game is are the lines of its record; the client plays them again. A line that is sent has an id of its
 * own and is sent again when the connection comes back: the server plays it once, whatever got lost on the way.
 * Where sockets do not get through, the game is asked for by HTTP every few seconds.
 */

const FIRST_WAIT = 500; // milliseconds before the first try to connect again; doubled each time
const LONGEST_WAIT = 30_000;
const SILENCE = 60_000; // a socket that says nothing for so long is dead: the server says something more often
const POLL = 3_000;
const TRIES = 2; // so many sockets that never opened, and HTTP is used meanwhile
const LASTING = ["forbidden", "unknown"]; // refusals that another try does not change
const DEEDS = ["undo", "resign", "offer", "decline", "agree"];

/** The seat or the spectator's place that an address gives in its fragment: {seat} or {watch}; null without. */
export function placeOf(fragment) {
  const found = /^#?(seat|watch)=([\w-]+)$/.exec(fragment);
  return found && { [found[1]]: found[2] };
}

export class RemoteGame {
  /**
   * @param base     where the server is ("": where this page is from)
   * @param id       the game's
   * @param secret   the secret of a seat, or what `placeOf` gives
   * @param options  `WebSocket` and `fetch` for programs that have none; `wait`, the first wait in milliseconds
   */
  constructor(base, id, secret, options = {}) {
    this.address = new URL(`${base || globalThis.location.origin}/api/games/${encodeURIComponent(id)}`);
    this.secret = typeof secret === "string" ? secret : (secret?.seat ?? secret?.watch ?? "");
    this.WebSocket = options.WebSocket ?? globalThis.WebSocket;
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.firstWait = options.wait ?? FIRST_WAIT;
    this.onupdate = () => {};
    this.events = [];
    this.state = {};
    this.connected = false;
    this.closed = false;
    this.waiting = new Map(); // by id: {message, resolve}
    this.number = 0;
    this.name = [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36)).join("");
    this.tries = 0;
    this.unopened = 0;
    this.online = () => this.again(0);
    globalThis.addEventListener?.("online", this.online);
    queueMicrotask(() => this.connect());
  }

  /** Nothing more is asked or told. */
  close() {
    this.closed = true;
    globalThis.removeEventListener?.("online", this.online);
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.socket?.close();
    for (const { resolve } of this.waiting.values()) resolve({ ok: false, code: "closed", reason: "closed", refusals: [] });
    this.waiting.clear();
  }

  // ---- saying ------------------------------------------------------------------------------

  /**
   * Say what this side does: a line as records write it (`white 8-5`, `undo white`, `resign white`), or `offer`,
   * `decline`, `agree` of a draw.
   *
   * @param n  how many events were seen
   * @returns  {ok: true, n}, or {ok: false, code, reason, refusals: [{clause, rule, source, facts}]}
   */
  send(n, line) {
    const id = `${this.name}-${++this.number}`;
    const message = { n, id, ...this.said(line) };
    return new Promise((resolve) => {
      if (this.closed) return resolve({ ok: false, code: "closed", reason: "closed", refusals: [] });
      this.waiting.set(id, { message, resolve });
      this.say(message);
    });
  }

  said(line) {
    const [first, ...rest] = line.trim().split(/\s+/);
    if (DEEDS.includes(first) && rest.length <= 1) return { do: first };
    const move = first in (this.state.seats ?? {}) ? rest.join(" ") : line.trim();
    return { move };
  }

  say(message) {
    if (this.socket?.readyState === 1 && this.connected) this.socket.send(JSON.stringify(message));
    else if (this.polling) this.post(message);
  }

  answered(answer) {
    const asked = this.waiting.get(answer.id);
    if (!asked) return;
    if (answer.code === "not-kept" || answer.code === "too-many") {
      setTimeout(() => this.waiting.has(answer.id) && this.say(asked.message), (answer.wait ?? 1) * 1000);
      return;
    }
    this.waiting.delete(answer.id);
    const { ok, n, code, reason, refusals = [] } = answer;
    asked.resolve(ok ? { ok, n } : { ok, n, code, reason, refusals });
  }

  // ---- hearing -----------------------------------------------------------------------------

  connect() {
    if (this.closed) return;
    clearTimeout(this.timer);
    if (!this.WebSocket) return void this.poll();
    const address = new URL(`${this.address}/socket`);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new this.WebSocket(address.href);
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.heard();
      socket.send(JSON.stringify({ secret: this.secret, from: this.events.length }));
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.heard();
      this.told(JSON.parse(data));
    };
    // where a connection fails, some programs tell an error and no end
    socket.onerror = socket.onclose = () => {
      if (socket !== this.socket) return;
      this.socket = null;
      clearTimeout(this.watch);
      this.unopened = opened ? 0 : this.unopened + 1;
      this.connected = false;
      if (this.closed || this.failed) return;
      this.update();
      if (this.unopened >= TRIES && !this.polling) this.poll();
      this.again();
    };
  }

  /** Try again after a while, longer each time and not all clients at once. */
  again(wait = Math.min(this.firstWait * 2 ** this.tries++, LONGEST_WAIT) * (0.5 + Math.random() / 2)) {
    if (this.closed || this.failed || this.connected) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  heard() {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.socket?.close(), SILENCE);
  }

  told(message) {
    if (message.kind === "closed") {
      if (LASTING.includes(message.code)) this.fail(message);
      return;
    }
    if (message.kind === "game") {
      this.tries = 0;
      this.connected = true;
      this.polling = false;
      for (const { message: unanswered } of this.waiting.values()) this.say(unanswered);
    }
    if (message.lines) this.take(message);
    if (message.kind === "answer") this.answered(message);
  }

  /** Take over the lines that are new, and how the game stands. */
  take({ kind, from, lines, n, ...state }) {
    if (from > this.events.length) return void this.socket?.close(); // lines are missing: ask from where we are
    const added = lines.slice(this.events.length - from);
    this.events = added.length ? [...this.events, ...added] : this.events;
    const { due, side, offer, over, present, changed = null } = state;
    this.state = { ...this.state, due, decider: side, offer, over, present, changed };
    if (kind === "game") {
      const { part, head, ruleset, content, options, seats, dice } = state;
      Object.assign(this.state, { side: part in seats ? part : null, head, ruleset, content, options, seats, dice });
    } else if (over && !this.state.dice?.seed && !this.closing) {
      this.closing = true;
      this.ask().catch(() => {}); // the game is over: now the seed is told
    }
    this.update();
  }

  update() {
    this.onupdate({ ...this.state, events: this.events, connected: this.connected || Boolean(this.polled) });
  }

  /** The link opens no game: nothing is tried any more. */
  fail({ code, reason }) {
    this.failed = true;
    this.connected = this.polled = false;
    this.state = { ...this.state, problem: { code, reason } };
    for (const { resolve } of this.waiting.values()) resolve({ ok: false, code, reason, refusals: [] });
    this.waiting.clear();
    this.update();
  }

  // ---- by HTTP -----------------------------------------------------------------------------

  async request(path, body) {
    const headers = { authorization: `Bearer ${this.secret}`, ...(body && { "content-type": "application/json" }) };
    const answer = await this.fetch(`${this.address}${path}`, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      cache: "no-store",
    });
    return answer.json();
  }

  /** Ask how the game stands, from what is known. */
  async ask() {
    const view = await this.request(`?from=${this.events.length}`);
    if (view.ok) this.take(view);
    else if (LASTING.includes(view.code)) this.fail(view);
    return view;
  }

  async poll() {
    this.polling = true;
    while (this.polling && !this.closed && !this.failed) {
      try {
        const { ok } = await this.ask();
        this.polled = Boolean(ok);
        if (ok) for (const { message } of this.waiting.values()) await this.post(message);
      } catch {
        this.polled = false;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
    this.polled = false;
  }

  async post(message) {
    try {
      const answer = await this.request("/moves", message);
      if (answer.lines) this.take({ ...answer, kind: "news" });
      this.answered({ ...answer, id: message.id });
    } catch {
      // sent again when the server answers
    }
  }
}
