// The debugger, the stage beside the code, and the problems of a file, all by the program lanescope.
"use strict";

const { execFile } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");

const checkSeconds = 120;
const languages = ["cuda-cpp", "cuda"].map((language) => ({ language }));
const views = ["explore", "lecture", "flow", "layout", "threads", "clock"];

const settings = () => vscode.workspace.getConfiguration("lanescope");

// --- The program -------------------------------------------------------------------------------------------

function onPath(name) {
  for (const folder of (process.env.PATH || "").split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (folder && fs.statSync(file).isFile()) return file;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

function ofPackage(python) {
  const code = "import lanescope.program as p; print(p.program())";
  return new Promise((resolve) => {
    execFile(python, ["-c", code], { timeout: 20000 }, (problem, out) => resolve(problem ? undefined : out.trim() || undefined));
  });
}

async function program() {
  const found = settings().get("program") || onPath("lanescope") || (await ofPackage(settings().get("python") || "python3"));
  if (!found) throw new Error("Lanescope was not found. Install it with 'pip install lanescope', or set lanescope.program.");
  return found;
}

// --- Problems of a file ------------------------------------------------------------------------------------

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

function place(location, document) {
  const region = location?.physicalLocation?.region || {};
  const line = Math.max((region.startLine || 1) - 1, 0);
  const column = Math.max((region.startColumn || 1) - 1, 0);
  if (!region.startColumn && document && line < document.lineCount) return document.lineAt(line).range;
  return new vscode.Range(line, column, line, region.endColumn ? region.endColumn - 1 : column + 1);
}

function fileOf(location, folder) {
  const uri = location?.physicalLocation?.artifactLocation?.uri || "";
  return uri.startsWith("file:") ? vscode.Uri.parse(uri) : vscode.Uri.file(path.resolve(folder, decodeURIComponent(uri)));
}

// The problems of a SARIF log, by file.
function diagnosticsOf(sarif, document) {
  const folder = path.dirname(document.uri.fsPath);
  const files = new Map();
  for (const run of sarif.runs || [])
    for (const result of run.results || []) {
      const at = (result.locations || [])[0];
      const uri = at ? fileOf(at, folder) : document.uri;
      const same = uri.fsPath === document.uri.fsPath;
      const severity = severities[result.level] ?? vscode.DiagnosticSeverity.Warning;
      const made = new vscode.Diagnostic(place(at, same ? document : undefined), result.message?.text || "", severity);
      made.source = "lanescope";
      made.code = result.ruleId;
      made.relatedInformation = (result.relatedLocations || []).map(
        (each) =>
          new vscode.DiagnosticRelatedInformation(
            new vscode.Location(fileOf(each, folder), place(each, same ? document : undefined)),
            each.message?.text || "the other access"
          )
      );
      const key = uri.toString();
      if (!files.has(key)) files.set(key, [uri, []]);
      files.get(key)[1].push(made);
    }
  return [...files.values()];
}

const checks = new Map(); // running processes, by file

// The host code of a program does not run for a check.
async function check(document, problems, log) {
  const file = document.uri.fsPath;
  const command = await program();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "lanescope-"));
  const report = path.join(folder, "problems.sarif");
  checks.get(file)?.kill();
  await new Promise((resolve) => {
    const words = ["run", file, "--no-host-code", "--sarif", report];
    const child = execFile(command, words, { timeout: checkSeconds * 1000, maxBuffer: 1 << 24 }, (problem, out, err) => {
      try {
        if (checks.get(file) !== child) return;
        checks.delete(file);
        if (problem) log.appendLine(err || problem.message);
        if (!fs.existsSync(report)) return;
        problems.delete(document.uri);
        for (const [uri, list] of diagnosticsOf(JSON.parse(fs.readFileSync(report, "utf8")), document)) problems.set(uri, list);
      } finally {
        fs.rmSync(folder, { recursive: true, force: true });
        resolve();
      }
    });
    checks.set(file, child);
  });
}

// --- The stage ---------------------------------------------------------------------------------------------

function nonce() {
  return require("crypto").randomBytes(16).toString("hex");
}

// The picture and its controls. No text of the kernel becomes markup: the script sets text and a data URL.
function page() {
  const key = nonce();
  const choices = views.map((view) => `<option>${view}</option>`).join("");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'nonce-${key}'; script-src 'nonce-${key}'">
<title>Lanescope</title>
<style nonce="${key}">
  body { margin: 0; padding: 8px; display: flex; flex-direction: column; height: 100vh; box-sizing: border-box; gap: 8px; }
  header, footer { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; }
  #slider { flex: 1; min-width: 80px; }
  main { flex: 1; min-height: 0; }
  img { max-width: 100%; max-height: 100%; display: block; }
  select { color: inherit; background: var(--vscode-dropdown-background); }
</style>
</head>
<body>
<header>
  <select id="view" aria-label="View">${choices}</select>
  <input id="slider" type="range" min="1" max="1" value="1" aria-label="Step">
  <span id="heading"></span>
</header>
<main><img id="picture" alt="The step as a picture"></main>
<footer id="sentence">The stage appears when a kernel is debugged.</footer>
<script nonce="${key}">
  const vscode = acquireVsCodeApi();
  const of = (id) => document.getElementById(id);
  const size = () => ({ width: Math.round(innerWidth * devicePixelRatio), height: Math.round((innerHeight - 90) * devicePixelRatio) });
  const ask = () => vscode.postMessage({ ask: "picture", view: of("view").value, ...size() });
  of("view").addEventListener("change", ask);
  of("slider").addEventListener("change", () => vscode.postMessage({ ask: "seek", step: Number(of("slider").value) }));
  let resized;
  addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(ask, 200); });
  addEventListener("message", ({ data }) => {
    if (data.moved) return ask();
    if (data.problem) { of("sentence").textContent = data.problem; return; }
    of("picture").src = "data:" + data.mimeType + ";base64," + data.data;
    of("slider").max = data.steps;
    of("slider").value = data.step;
    of("heading").textContent = data.heading;
    of("sentence").textContent = data.sentence;
  });
  ask();
</script>
</body>
</html>`;
}

class Stage {
  constructor() {
    this.panel = undefined;
    this.session = undefined;
    this.drawing = false;
    this.again = undefined; // the newest request while a picture is drawn
  }

  show() {
    if (this.panel) return this.panel.reveal(undefined, true);
    this.panel = vscode.window.createWebviewPanel(
      "lanescope.stage",
      "Lanescope",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true }
    );
    this.panel.webview.onDidReceiveMessage((message) => this.hear(message));
    this.panel.onDidDispose(() => (this.panel = undefined));
    this.panel.webview.html = page();
  }

  follow(session) {
    this.session = session;
    this.panel?.webview.postMessage({ moved: true });
  }

  leave(session) {
    if (this.session === session) this.session = undefined;
  }

  async hear(message) {
    if (!this.session) return;
    if (message.ask === "seek") {
      await this.session.customRequest("lanescope/seek", { step: Number(message.step) }).then(undefined, () => {});
      return;
    }
    if (this.drawing) {
      this.again = message;
      return;
    }
    this.drawing = true;
    const light = vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.Light;
    const wanted = {
      view: views.includes(message.view) ? message.view : "explore",
      width: Math.round(Number(message.width) || 1280),
      height: Math.round(Number(message.height) || 720),
      theme: light ? "light" : "dark",
    };
    try {
      this.panel?.webview.postMessage(await this.session.customRequest("lanescope/picture", wanted));
    } catch (problem) {
      this.panel?.webview.postMessage({ problem: problem.message });
    }
    this.drawing = false;
    const next = this.again;
    this.again = undefined;
    if (next) await this.hear(next);
  }
}

// --- Activation --------------------------------------------------------------------------------------------

function activate(context) {
  const stage = new Stage();
  const problems = vscode.languages.createDiagnosticCollection("lanescope");
  const log = vscode.window.createOutputChannel("Lanescope");
  const own = (session) => session.type === "lanescope";
  const tell = (problem) => vscode.window.showErrorMessage(problem.message);
  const checkFile = (document) => check(document, problems, log).catch(tell);

  const debug = () => {
    const file = vscode.window.activeTextEditor?.document.uri.fsPath;
    if (!file) return vscode.window.showInformationMessage("Open a .cu file first.");
    return vscode.debug.startDebugging(undefined, { type: "lanescope", request: "launch", name: path.basename(file), program: file });
  };
  const focusLane = async () => {
    if (!stage.session) return vscode.window.showInformationMessage("No kernel is debugged.");
    const thread = await vscode.window.showInputBox({
      prompt: "Thread of the block, from 0",
      validateInput: (text) => (/^\d{1,4}$/.test(text) ? undefined : "a number from 0 to 1023"),
    });
    if (thread === undefined) return undefined;
    const number = Number(thread);
    return stage.session.customRequest("lanescope/focus", { warp: number >> 5, lane: number & 31 }).then(undefined, tell);
  };

  context.subscriptions.push(
    problems,
    log,
    vscode.debug.registerDebugConfigurationProvider("lanescope", {
      resolveDebugConfiguration(folder, configuration) {
        if (configuration.type) return configuration;
        const document = vscode.window.activeTextEditor?.document; // F5 without launch.json
        if (!document || !document.uri.fsPath.endsWith(".cu")) return undefined;
        return { type: "lanescope", request: "launch", name: "Step through this kernel", program: document.uri.fsPath };
      },
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory("lanescope", {
      async createDebugAdapterDescriptor() {
        return new vscode.DebugAdapterExecutable(await program(), ["dap"]);
      },
    }),
    vscode.debug.onDidStartDebugSession((session) => {
      if (own(session) && settings().get("showStage")) stage.show();
    }),
    vscode.debug.onDidReceiveDebugSessionCustomEvent((event) => {
      if (own(event.session) && event.event === "lanescope/position") stage.follow(event.session);
    }),
    vscode.debug.onDidTerminateDebugSession((session) => stage.leave(session)),
    vscode.commands.registerCommand("lanescope.debug", debug),
    vscode.commands.registerCommand("lanescope.stage", () => stage.show()),
    vscode.commands.registerCommand("lanescope.focusLane", focusLane),
    vscode.commands.registerCommand("lanescope.check", () => {
      const document = vscode.window.activeTextEditor?.document;
      return document ? checkFile(document) : undefined;
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (document.uri.fsPath.endsWith(".cu") && settings().get("checkOnSave")) return checkFile(document);
      return undefined;
    }),
    vscode.workspace.onDidCloseTextDocument((document) => problems.delete(document.uri)),
    vscode.languages.registerCodeLensProvider(languages, {
      provideCodeLenses(document) {
        const lenses = [];
        for (let line = 0; line < document.lineCount; ++line) {
          const range = document.lineAt(line).range;
          if (/^\s*(extern\s+"C"\s+)?__global__\b/.test(document.lineAt(line).text))
            lenses.push(new vscode.CodeLens(range, { title: "Step through with Lanescope", command: "lanescope.debug" }));
        }
        return lenses;
      },
    })
  );
}

module.exports = { activate, deactivate() {} };
