// Starts `alfonso lsp` when a ruleset is opened, and lets the editor speak to it.

const { window, workspace, commands } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const [command, ...args] = workspace.getConfiguration("alfonso").get("command");
  const server = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient("alfonso", "alfonso", server, {
    documentSelector: [{ language: "alfonso" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,yml}") },
  });
  try {
    await client.start();
  } catch (problem) {
    window.showErrorMessage(
      `The language server of alfonso could not be started (${problem.message}). ` +
        "Install it with: pip install 'alfonso[editor]', or say in the setting alfonso.command where it is.",
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.isRunning()) await running.stop();
}

exports.activate = async (context) => {
  const again = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    commands.registerCommand("alfonso.restart", again),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("alfonso.command") && again()),
  );
  await start();
};

exports.deactivate = stop;
