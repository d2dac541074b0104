// Activates the extension with a stand-in for the editor's API. Arguments: the program, a .cu file with a race.
// Prints one line of JSON for each thing that the extension made; the last one is the page of the stage.
"use strict";

const fs = require("fs");
const Module = require("module");
const path = require("path");

const [program, file] = process.argv.slice(2);
const made = { commands: {}, diagnostics: [], posted: [], requests: [] };
const disposable = { dispose() {} };
class Range {
  constructor(startLine, startColumn, endLine, endColumn) {
    Object.assign(this, { startLine, startColumn, endLine, endColumn });
  }
}
const uri = (fsPath) => ({ fsPath, toString: () => "file://" + fsPath });
const lines = fs.readFileSync(file, "utf8").split("\n");
const document = {
  uri: uri(file),
  lineCount: lines.length,
  lineAt: (line) => ({ text: lines[line], range: new Range(line, 0, line, lines[line].length) }),
};
const register = (name) => (type, provider) => {
  made[name] = provider ?? type;
  return disposable;
};
const webview = {
  postMessage: (message) => made.posted.push(message),
  onDidReceiveMessage: (hear) => (made.hear = hear),
};
const vscode = {
  Range,
  CodeLens: class { constructor(range, command) { Object.assign(this, { range, command }); } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DiagnosticRelatedInformation: class { constructor(location, message) { Object.assign(this, { location, message }); } },
  Location: class { constructor(at, range) { Object.assign(this, { uri: at, range }); } },
  DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
  ViewColumn: { Beside: -2 },
  ColorThemeKind: { Light: 1, Dark: 2 },
  Uri: { file: uri, parse: (text) => uri(new URL(text).pathname) },
  workspace: {
    getConfiguration: () => ({ get: (name) => ({ program, checkOnSave: true, showStage: true })[name] }),
    onDidSaveTextDocument: register("saved"),
    onDidCloseTextDocument: register("closed"),
  },
  languages: {
    createDiagnosticCollection: () => ({ set: (at, list) => made.diagnostics.push([at.fsPath, list]), delete() {}, dispose() {} }),
    registerCodeLensProvider: register("lenses"),
  },
  window: {
    activeColorTheme: { kind: 2 },
    activeTextEditor: { document },
    createOutputChannel: () => ({ appendLine() {}, dispose() {} }),
    createWebviewPanel: () => (made.panel = { webview, onDidDispose() {}, reveal() {} }),
    showErrorMessage: (text) => { throw new Error(text); },
    showInformationMessage() {},
    showInputBox: async () => "37",
  },
  debug: {
    registerDebugConfigurationProvider: register("configurations"),
    registerDebugAdapterDescriptorFactory: register("adapters"),
    onDidStartDebugSession: register("started"),
    onDidReceiveDebugSessionCustomEvent: register("told"),
    onDidTerminateDebugSession: register("ended"),
    startDebugging: async (folder, configuration) => (made.launched = configuration),
  },
  commands: { registerCommand: (name, run) => { made.commands[name] = run; return disposable; } },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.join(__dirname, "../../editors/vscode/extension.js"));

async function main() {
  extension.activate({ subscriptions: [] });
  const declared = require("../../editors/vscode/package.json").contributes.commands.map((each) => each.command);
  const adapter = await made.adapters.createDebugAdapterDescriptor();
  await made.commands["lanescope.debug"]();
  const session = {
    type: "lanescope",
    customRequest: async (name, body) => { made.requests.push([name, body]); return { data: "AAAA", mimeType: "image/png", step: 1, steps: 2 }; },
  };
  made.started(session);
  made.told({ session, event: "lanescope/position" });
  await made.hear({ ask: "picture", view: "flow", width: 800, height: 600 });
  await made.hear({ ask: "seek", step: "2" });
  await made.commands["lanescope.focusLane"]();
  await made.saved(document);
  console.log(JSON.stringify({
    undeclared: Object.keys(made.commands).filter((name) => !declared.includes(name)),
    missing: declared.filter((name) => !made.commands[name]),
    adapter, launched: made.launched, requests: made.requests, posted: made.posted, diagnostics: made.diagnostics,
    lenses: made.lenses.provideCodeLenses(document).map((lens) => lens.range.startLine + 1),
    empty: made.configurations.resolveDebugConfiguration(undefined, {}),
    html: made.panel.webview.html,
  }));
}
main();
