// Two clients of one remote game play a list of moves; what happened is printed as JSON.
import { RemoteGame } from "../../interpreter/web/page/remote.js";

const { base, id, secrets, moves } = JSON.parse(process.argv[2]);
const states = {};
const changed = [];
const games = Object.fromEntries(
  Object.entries(secrets).map(([part, secret]) => {
    const game = new RemoteGame(base, id, { [part === "watch" ? "watch" : "seat"]: secret }, { wait: 50 });
    game.onupdate = (state) => {
      states[part] = state;
      for (const look of changed) look();
    };
    return [part, game];
  }),
);
const until = (holds) =>
  new Promise((resolve) => {
    const look = () => holds() && resolve();
    changed.push(look);
    look();
  });

const answers = [];
const log = (word) => process.stdout.write(`${word}\n`);
await until(() => Object.keys(secrets).every((part) => states[part]?.connected));
log("connected");
for (const [number, line] of moves.entries()) {
  const part = line.split(" ")[0];
  await until(() => states[part].connected && states[part].decider === part);
  answers.push(await games[part].send(states[part].events.length, line));
  if (number === Math.floor(moves.length / 2)) {
    log("half");
    await until(() => !states[part].connected);
    await until(() => Object.keys(secrets).every((part) => states[part].connected));
  }
}
const lengths = () => Object.values(states).map((state) => state.events.length);
const seen = Math.max(...lengths());
await until(() => lengths().every((length) => length === seen));
answers.push(await games.white.send(seen, "white nonsense"));
answers.push(await games.white.send(seen - 1, "resign white"));
answers.push(await games.watch.send(seen, "resign white"));
answers.push(await games.white.send(seen, "resign white"));
await until(() => Object.values(states).every((state) => state.over && state.dice.seed));
for (const game of Object.values(games)) game.close();
log(JSON.stringify({ answers, states }));
