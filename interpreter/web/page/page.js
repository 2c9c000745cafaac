// The entry of the page: data in, a game on the board. What cannot be had is said in words.

import { Book } from "./book.js";

const KEPT = "alfonso game";

function sorry(text) {
  const shown = document.createElement("p");
  shown.setAttribute("role", "alert");
  shown.textContent = text;
  (document.getElementById("page") ?? document.body).replaceChildren(shown);
}

/** What a browser lacks, or "". */
function lacking() {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, or it is switched off: this page cannot play here.";
  // a module of one function that makes a vector: refused where there is no SIMD
  const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  if (!WebAssembly.validate(new Uint8Array(simd))) return "This browser's WebAssembly has no SIMD (browsers have it since 2021–2023): this page cannot play here.";
  if (typeof DecompressionStream !== "function") return "This browser cannot unpack the game (it has no DecompressionStream, which browsers have since 2023).";
  return "";
}

/** The last game is kept in the browser; where that is forbidden, it is not. */
const kept = {
  name: "",
  read() {
    try {
      return localStorage.getItem(this.name);
    } catch {
      return null;
    }
  },
  write(text) {
    try {
      localStorage.setItem(this.name, text);
    } catch {
      // private windows and files of some browsers have no storage: the game is still on the page
    }
  },
};

/** The document of a game, from the server. */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the game cannot be had from the server (${answer.status})`);
  return answer.json();
}

async function remoteTable(book, { base, id }) {
  const [{ RemoteGame, placeOf }, { RemoteTable }] = await Promise.all([import("./remote.js"), import("./remote-table.js")]);
  const place = placeOf(location.hash);
  if (!place) throw new Error("this is not a whole link to a game: the part behind # is missing");
  return new RemoteTable(book, new RemoteGame(base, id, place));
}

async function start() {
  const problem = lacking();
  if (problem) return sorry(problem);
  document.getElementById("page").textContent = "Getting ready …"; // a server may have to compile the game first
  const { Table } = await import("./table.js");
  await import("./app.js");
  const data = JSON.parse(document.getElementById("data").textContent);
  const book = new Book(data.book ?? (await fetched(data.bookAt)));
  const table = data.remote ? await remoteTable(book, data.remote) : new Table(book, data.worker);
  const page = document.createElement("alfonso-page");
  page.table = table;
  page.language = data.language ?? "";
  document.getElementById("page").replaceChildren(page);
  if (data.remote) {
    table.addEventListener("seated", () => {
      page.near = Math.max(0, book.data.sides.indexOf(table.side));
    });
    return undefined;
  }
  kept.name = `${KEPT} ${book.data.id} ${book.data.content}`;
  page.addEventListener("alfonso-changed", () => {
    if (table.session) kept.write(table.session.text());
  });
  const before = kept.read();
  if (before) {
    try {
      await table.restore(before);
      return undefined;
    } catch {
      // what was kept can no longer be played: a new game begins
    }
  }
  return table.begin({});
}

start().catch((problem) => sorry(`This page cannot begin: ${problem.message}`));
