#!/usr/bin/env python3
"""Debugs kernels through `lanescope dap`, as an editor does, and examines the extension of VS Code.

    tests/dap/run.py [--build FOLDER] [--print] [CASE…]    --print: every message of the cases

All messages are checked against the protocol's JSON schema, and one case drives the adapter with a public client library, if they
are there:  pip install --target build/tests/dap/libraries dap-python debugpy jsonschema
"""

import argparse
import base64
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from client import Client, Failed  # noqa: E402
from harness import ROOT, Report, clean_environment, output_folder  # noqa: E402

KERNELS = ROOT / "kernels"
MODULO = str(KERNELS / "reduction/modulo.cu")
LIBRARIES = output_folder("dap") / "libraries"
sys.path.append(str(LIBRARIES))

CALLS = """__device__ __noinline__ int twice(int x) {
    int y = x + x;
    return y;
}
__global__ void k(int* out) {
    int t = threadIdx.x;
    int v = t + 1;
    v = twice(v);
    out[t] = v;
    printf("t%d has %d\\n", t, v);
}
"""
PROGRAM = """#include <cstdio>
__global__ void fill(int* a, int v) { a[threadIdx.x] = v; }
int main(int argc, char** argv) {
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    fill<<<1, 32>>>(a, 3);
    fill<<<1, 32>>>(a, argc);
    cudaDeviceSynchronize();
    std::printf("argument %s\\n", argv[1]);
}
"""
ENDLESS = "__global__ void k(volatile int* a) { while (a[0] == 0) a[1] = a[1] + 1; }\n"


class Failure(Exception):
    pass


class Skip(Exception):
    pass


def check(fine, what):
    if not fine:
        raise Failure(str(what))


def equal(got, wanted, what=""):
    check(got == wanted, f"{what}: {got!r}, expected {wanted!r}")


class Editor:
    """A debugger's side: where it stands, and what is there."""

    def __init__(self, bench, **initialize):
        self.client = Client([str(bench.program), "dap"], bench.env, record=bench.record)
        bench.clients.append(self.client)
        self.ask = self.client.ask
        self.can = self.ask("initialize", adapterID="lanescope", supportsProgressReporting=True, **initialize)

    def launch(self, file, stops=(), **configuration):
        self.ask("launch", program=str(file), **configuration)
        self.client.event("initialized")
        made = self.ask("setBreakpoints", source={"path": str(file)}, breakpoints=list(stops))["breakpoints"]
        self.ask("configurationDone")
        return made

    def stopped(self, reason):
        body = self.client.event("stopped")
        equal(body["reason"], reason, "reason of the stop")
        self.thread = body["threadId"]
        self.place = self.client.event("lanescope/position")
        return body

    def move(self, command, reason="step", **arguments):
        self.ask(command, threadId=self.thread, **arguments)
        return self.stopped(reason)

    def frames(self):
        return self.ask("stackTrace", threadId=self.thread)["stackFrames"]

    def line(self):
        return self.frames()[0]["line"]

    def variables(self, scope):
        frame = self.frames()[0]["id"]
        found = [s for s in self.ask("scopes", frameId=frame)["scopes"] if s["name"].startswith(scope)]
        check(found, f"there is no scope {scope}")
        return {v["name"]: v for v in self.ask("variables", variablesReference=found[0]["variablesReference"])["variables"]}

    def value(self, expression, context="watch"):
        frame = {} if context == "repl" else {"frameId": self.frames()[0]["id"]}
        return self.ask("evaluate", expression=expression, context=context, **frame)["result"]

    def refuses(self, words, command, **arguments):
        try:
            self.ask(command, **arguments)
        except Failed as problem:
            return check(words in str(problem), f"{command}: '{problem}' lacks '{words}'")
        raise Failure(f"{command} does not fail")

    def leave(self):
        self.ask("disconnect")
        equal(self.client.end(), 0, "exit status")


def forwards_and_back(bench):
    editor = Editor(bench)
    check(editor.can["supportsStepBack"] and editor.can["supportsDataBreakpoints"], editor.can)
    made = editor.launch(MODULO, [{"line": 33}], set={"n": 64, "block": "32"})
    check(made[0]["verified"] and made[0]["line"] == 33, made)
    editor.stopped("entry")
    equal(editor.place["step"], 1)
    equal([t["name"] for t in editor.ask("threads")["threads"]], ["block 0 · warp 0 · 32 of 32 lanes on"])
    editor.move("continue", "breakpoint")
    equal(editor.line(), 33)
    equal(editor.value("s[0]"), "3", "before the line")
    equal(editor.value("s[0] + s[1]"), "8")
    editor.move("next")
    equal((editor.line(), editor.value("s[0]")), (30, "8"), "after it")
    editor.move("stepBack")
    equal((editor.line(), editor.value("s[0]")), (33, "3"), "back")
    first = editor.place["step"]
    editor.move("continue", "breakpoint")
    equal(editor.variables("Lane 0")["stride"]["value"], "2")
    editor.move("continue", "breakpoint")
    equal(editor.ask("threads")["threads"][0]["name"], "block 0 · warp 0 · 8 of 32 lanes on")
    shared = editor.variables("Shared memory")["s"]
    equal(shared["indexedVariables"], 64)
    part = editor.ask("variables", variablesReference=shared["variablesReference"], start=8, count=2)["variables"]
    equal([v["name"] for v in part], ["[8]", "[9]"])
    editor.ask("evaluate", expression="focus lane 5", context="repl")
    editor.stopped("goto")
    equal(editor.value("t"), "5", "the lane in focus")
    check("waits" in editor.value("why", "repl"), "why lane 5 waits")
    lanes = editor.ask("evaluate", expression="t * 2", context="hover", frameId=editor.frames()[0]["id"])
    of_lanes = editor.ask("variables", variablesReference=lanes["variablesReference"])["variables"]
    equal([v["value"] for v in of_lanes], [str(2 * t) for t in range(32)], "lanes")
    editor.move("reverseContinue", "breakpoint")
    editor.move("reverseContinue", "breakpoint")
    equal(editor.place["step"], first)
    editor.move("reverseContinue", "entry")
    equal(editor.place["step"], 1)
    targets = editor.ask("gotoTargets", source={"path": MODULO}, line=38)["targets"]
    editor.ask("goto", threadId=editor.thread, targetId=targets[-1]["id"])
    editor.stopped("goto")
    equal(editor.line(), 38)
    picture = editor.ask("lanescope/picture", width=640, height=400)
    check(base64.b64decode(picture["data"]).startswith(b"\x89PNG") and picture["sentence"], "a picture")
    drawn = editor.ask("lanescope/picture", view="flow", format="svg")
    check(b"<svg" in base64.b64decode(drawn["data"])[:200], "a figure")
    editor.move("continue", "pause")
    check(editor.place["atEnd"], editor.place)
    equal(editor.value("out[0]"), "274")
    editor.move("stepBack")
    check(not editor.place["atEnd"], editor.place)
    editor.move("continue", "pause")
    editor.ask("continue", threadId=1)
    equal(editor.client.event("exited")["exitCode"], 0)
    editor.client.event("terminated")
    editor.leave()
    check(editor.client.number >= 30, f"only {editor.client.number} requests")


def conditions_counts_and_messages(bench):
    editor = Editor(bench)
    stops = [{"line": 33, "condition": "t == 8", "hitCondition": "3"}, {"line": 32, "logMessage": "stride {stride}, {{t}}"}]
    editor.launch(MODULO, stops, set=["n=64", "block=32"], stopOnEntry=False)
    editor.stopped("breakpoint")
    equal((editor.line(), editor.value("t"), editor.value("stride")), (33, "8", "4"))
    messages = [m["output"] for m in editor.client.events("output") if "stride" in m["output"]]
    equal(messages, [f"stride {s}, {{t}}\n" for s in (1, 2, 4)])
    bad = [{"line": 33, "condition": "bogus > 1"}, {"line": 999}, {"line": 33, "hitCondition": "often"}]
    made = editor.ask("setBreakpoints", source={"path": MODULO}, breakpoints=bad)["breakpoints"]
    check(not any(b["verified"] for b in made), made)
    check("bogus" in made[0]["message"] and "999" in made[1]["message"] and "often" in made[2]["message"], made)
    other = editor.ask("setBreakpoints", source={"path": "/other.cu"}, breakpoints=[{"line": 1}])["breakpoints"]
    check("not part of the run" in other[0]["message"], other)
    name = editor.ask("dataBreakpointInfo", name="s[16]", frameId=editor.frames()[0]["id"])["dataId"]
    editor.ask("setDataBreakpoints", breakpoints=[{"dataId": name, "accessType": "write"}])
    editor.move("continue", "data breakpoint")
    equal((editor.line(), editor.value("stride"), editor.value("t")), (33, "8", "8"))
    editor.ask("setDataBreakpoints", breakpoints=[])
    functions = editor.ask("setFunctionBreakpoints", breakpoints=[{"name": "reduce"}, {"name": "nothing"}])["breakpoints"]
    equal([b["verified"] for b in functions], [True, False])
    editor.move("reverseContinue", "function breakpoint")
    equal(editor.place["step"], 1)
    editor.refuses("recorded", "setVariable", variablesReference=1, name="t", value="1")
    editor.ask("restart", arguments={"program": MODULO, "set": {"n": 128}, "stopOnEntry": True})
    editor.stopped("entry")
    equal(editor.variables("Global memory")["in"]["indexedVariables"], 128)
    editor.leave()


def problems_are_exceptions(bench):
    editor = Editor(bench)
    file = KERNELS / "scan/hillis_steele_one_barrier_missing.cu"
    editor.launch(file, stopOnEntry=False)
    stop = editor.stopped("exception")
    info = editor.ask("exceptionInfo", threadId=editor.thread)
    equal(info["exceptionId"], "race")
    check(len(info["details"]["stackTrace"].splitlines()) >= 2, info)
    check("line" in stop["text"] or info["description"], stop)
    equal([e["exitCode"] for e in editor.client.events("exited")], [])
    editor.ask("setExceptionBreakpoints", filters=["out_of_bounds"])
    editor.move("continue", "pause")
    editor.ask("setExceptionBreakpoints", filters=["race"])
    editor.move("reverseContinue", "exception")
    editor.refuses("is not supported", "disassemble", memoryReference="x")
    editor.leave()


def calls_have_frames(bench):
    file = bench.file("calls.cu", CALLS)
    editor = Editor(bench, linesStartAt1=False)
    editor.launch(file, [{"line": 1}], stopOnEntry=False, options=["--grid", "1", "--block", "32"])
    editor.stopped("breakpoint")
    frames = editor.frames()
    equal([(f["name"].split(" ")[0], f["line"]) for f in frames], [("twice", 1), ("k", 7)], "frames, lines from 0")
    equal(editor.value("x"), "1")
    outer = editor.ask("variables", variablesReference=editor.ask("scopes", frameId=frames[1]["id"])["scopes"][0]["variablesReference"])
    check("v" in [v["name"] for v in outer["variables"]], outer)
    editor.move("stepOut")
    equal(len(editor.frames()), 1)
    editor.move("reverseContinue", "breakpoint")
    editor.move("stepBack")
    while len(editor.frames()) > 1:
        editor.move("stepBack")
    editor.ask("setBreakpoints", source={"path": str(file)}, breakpoints=[])
    while editor.line() < 7:
        editor.move("next")
    editor.move("next")
    equal(editor.line(), 8, "stepped over the call")
    before = editor.frames()[0]["instructionPointerReference"]
    editor.move("next", granularity="instruction")
    check(editor.frames()[0]["instructionPointerReference"] and editor.line() == 8, before)
    editor.move("next")
    equal((editor.line(), editor.value("v")), (9, "2"))
    editor.move("continue", "pause")
    printed = [m for m in editor.client.events("output") if m["category"] == "stdout"]
    equal((printed[5]["output"], len(printed)), ("t5 has 12\n", 32))
    editor.leave()


def blocks_and_warps(bench):
    editor = Editor(bench)
    editor.launch(MODULO, [{"line": 33}], set={"n": 512, "block": 64})
    editor.stopped("entry")
    equal(len(editor.ask("threads")["threads"]), 2)
    editor.move("continue", "breakpoint")
    editor.thread = editor.ask("threads")["threads"][1]["id"]
    editor.move("next")
    equal(editor.place["warp"], 1, "a step follows the warp")
    editor.ask("lanescope/focus", block=2)
    editor.stopped("goto")
    equal((editor.place["block"], editor.value("blockIdx.x")), (2, "2"))
    editor.refuses("not recorded", "lanescope/focus", block=99)
    editor.refuses("does not exist", "lanescope/seek", step=100000)
    editor.refuses("earlier position", "variables", variablesReference=12345)
    editor.leave()


def a_whole_program(bench):
    if not shutil.which("nvcc") and not Path("/usr/local/cuda/bin/nvcc").exists():
        raise Skip("no nvcc")
    editor = Editor(bench)
    editor.launch(bench.file("program.cu", PROGRAM), args=["words"], launch="fill:1")
    editor.stopped("entry")
    editor.move("continue", "pause")
    equal(editor.value("a[31]"), "2", "the second launch stores argc")
    check(any("argument words" in m["output"] for m in editor.client.events("output")), "what the program prints")
    editor.ask("evaluate", expression="launch 0", context="repl")
    editor.stopped("entry")
    editor.move("continue", "pause")
    equal(editor.value("a[31]"), "3")
    editor.leave()


def long_runs_are_cancelled(bench):
    editor = Editor(bench)
    launch = editor.client.send("launch", program=str(bench.file("endless.cu", ENDLESS)), options=["--max-steps", "900000000000"])
    progress = editor.client.event("progressStart")
    editor.ask("threads")
    editor.refuses("needs a run", "stackTrace", threadId=1)
    editor.ask("cancel", progressId=progress["progressId"])
    try:
        editor.client.answer(launch)
        raise Failure("the launch succeeds")
    except Failed as problem:
        check("cancelled" in str(problem), problem)
    editor.client.event("progressEnd")
    editor.launch(MODULO)  # another one is possible
    editor.stopped("entry")
    editor.leave()


def bad_input(bench):
    editor = Editor(bench)
    editor.refuses("no such file", "launch", program="/nothing.cu")
    editor.refuses("names no file", "launch")
    editor.refuses("must be \"before\"", "launch", program=MODULO, values="both")
    editor.refuses("launch", "attach")
    editor.refuses("needs a run", "next", threadId=1)
    editor.refuses("not supported", "frobnicate")
    editor.refuses("modulo.cu", "launch", program=MODULO, set={"n": -1})
    editor.refuses("nonsense", "launch", program=MODULO, options=["--nonsense"])
    editor.refuses("error: ", "launch", program=str(bench.file("wrong.cu", "__global__ void k( {")))
    editor.refuses("", "launch", program={"a": [1]}, set=7, options="x")
    for text in (b"{broken", b"[]", b'"words"', b"", b'{"type":"request","seq":{},"command":7}', b"[" * 100000):
        editor.client.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        check("not a request" in editor.client.event("output")["output"], text[:20])
    editor.launch(MODULO)  # it still works
    editor.stopped("entry")
    equal(editor.client.end(), 0, "the end of the stream")
    for header in (b"Content-Length: 99999999999999\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"Hello\r\n\r\n", b"x" * 5000):
        late = Editor(bench).client
        late.write(header)
        check("error" in late.event("output")["output"], header[:30])
        equal(late.process.wait(20), 2, header[:30])
    early = Client([str(bench.program), "dap"], bench.env)
    try:
        early.ask("launch", program=MODULO)
        raise Failure("a launch before initialize succeeds")
    except Failed as problem:
        check("initialize" in str(problem), problem)
    equal(early.end(), 0)


def a_client_library(bench):
    found = importlib.util.find_spec("dap")
    if found is None or found.origin is None:  # without the library, this folder is the package of that name
        raise Skip(f"no dap-python; pip install --target {LIBRARIES.relative_to(ROOT)} dap-python")
    from dap.client import Client as Library  # pylint: disable=import-outside-toplevel,import-error
    library = Library(adapter_id="lanescope")
    with subprocess.Popen([str(bench.program), "dap"], env=bench.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        stop = threading.Timer(10, process.kill)
        stop.start()
        seen = []

        def until(name):
            while True:
                process.stdin.write(library.send())
                process.stdin.flush()
                for body in seen:
                    if type(body).__name__ == name:
                        seen.clear()
                        return body
                data = os.read(process.stdout.fileno(), 65536)
                if not data:
                    raise Failure(f"no {name}, but {seen}")
                while data is not None:
                    try:
                        seen.extend(library.receive(data))
                        data = None
                    except ValueError as problem:  # dap-python 0.5 looks for a whole response in an empty body
                        check("request_seq" in str(problem), problem)
                        data = b""

        library.send_request("launch", {"program": MODULO})
        until("InitializedEvent")
        library.configuration_done()
        thread = until("StoppedEvent").threadId
        for move in (library.next, library.step_in, library.step_back, library.reverse_continue):
            move(thread_id=thread)
            equal(until("StoppedEvent").allThreadsStopped, True)
        library.stack_trace(thread_id=thread)
        equal(until("StackTraceResponse").stackFrames[0].line, 23)
        library.disconnect()
        process.stdin.write(library.send())
        process.stdin.close()
        equal(process.wait(20), 0)
        stop.cancel()


def every_message_fits_the_schema(bench):
    found = importlib.util.find_spec("debugpy")
    schema = found and Path(found.origin).parent / "_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"
    if not schema or not schema.exists() or not importlib.util.find_spec("jsonschema"):
        raise Skip(f"no schema; pip install --target {LIBRARIES.relative_to(ROOT)} debugpy jsonschema")
    import jsonschema  # pylint: disable=import-outside-toplevel,import-error
    definitions = json.loads(schema.read_text())["definitions"]
    validators = {}

    def fits(message, name):
        if name not in definitions:
            return
        whole = {"$ref": f"#/definitions/{name}", "definitions": definitions}
        validator = validators.setdefault(name, jsonschema.Draft4Validator(whole))
        for problem in validator.iter_errors(message):
            raise Failure(f"{name}: {problem.message}: {json.dumps(message)[:300]}")

    count = 0
    for client in bench.clients:
        for message in client.messages:
            if message["type"] == "event":
                name = message["event"]
            else:
                name = message["command"] if message["success"] else "error"
            kind = "Event" if message["type"] == "event" else "Response"
            fits(message, name[0].upper() + name[1:] + kind)
            count += 1
    check(count > 100 or bench.some, f"only {count} messages")


def the_extension_of_vs_code(bench):
    if not shutil.which("node"):
        raise Skip("no node")
    file = KERNELS / "scan/hillis_steele_one_barrier_missing.cu"
    command = ["node", Path(__file__).with_name("extension_test.js"), bench.program, file]
    done = subprocess.run(command, env=bench.env, capture_output=True, text=True, timeout=60, check=False)
    equal(done.returncode, 0, done.stderr)
    made = json.loads(done.stdout)
    equal((made["undeclared"], made["missing"]), ([], []), "commands")
    equal(made["adapter"], {"command": str(bench.program), "args": ["dap"]})
    equal(made["launched"]["program"], str(file))
    equal(made["empty"]["program"], str(file), "F5 without launch.json")
    equal([r[0] for r in made["requests"]], ["lanescope/picture", "lanescope/seek", "lanescope/focus"])
    equal(made["requests"][2][1], {"warp": 1, "lane": 5})
    equal((made["posted"][0], made["posted"][1]["data"]), ({"moved": True}, "AAAA"))
    (at, found), = made["diagnostics"]
    text = file.read_text().splitlines()
    equal((at, found[0]["code"]), (str(file), "race"))
    check("[" in text[found[0]["range"]["startLine"]] and found[0]["relatedInformation"], found[0])
    check(all("__global__" in text[line - 1] for line in made["lenses"]) and made["lenses"], made["lenses"])
    check("Content-Security-Policy" in made["html"] and "http" not in made["html"].split("<style")[0].replace("http-equiv", ""), "the page")


def the_package_of_vs_code(bench):
    command = [sys.executable, str(ROOT / "editors/vscode/package.py")]
    packages = [bench.folder / name for name in ("one.vsix", "two.vsix")]
    for package in packages:
        subprocess.run([*command, str(package)], check=True, stdout=subprocess.DEVNULL)
    equal(packages[0].read_bytes(), packages[1].read_bytes(), "two packages")
    with zipfile.ZipFile(packages[0]) as archive:
        names = set(archive.namelist())
        manifest = xml.etree.ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        types = xml.etree.ElementTree.fromstring(archive.read("[Content_Types].xml"))
        package = json.loads(archive.read("extension/package.json"))
    assets = {each.get("Path") for each in manifest.iter() if each.tag.endswith("}Asset")}
    check(assets <= names and "extension/extension.js" in names, names)
    endings = {each.get("Extension") for each in types}
    check(all("." + name.rsplit(".")[-1] in endings for name in names if name != "[Content_Types].xml"), endings)
    identity = next(each for each in manifest.iter() if each.tag.endswith("}Identity"))
    equal((identity.get("Id"), identity.get("Version")), (package["name"], package["version"]))
    version = subprocess.run([str(bench.program), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    equal(package["version"], version)


CASES = [forwards_and_back, conditions_counts_and_messages, problems_are_exceptions, calls_have_frames, blocks_and_warps,
         a_whole_program, long_runs_are_cancelled, bad_input, a_client_library, every_message_fits_the_schema,
         the_extension_of_vs_code, the_package_of_vs_code]


def shown(message):
    arrow = "→" if message["type"] == "request" else "←"
    name = message.get("event") or message["command"]
    body = message.get("arguments") or message.get("body") or message.get("message") or ""
    print(f"{arrow} {name} {json.dumps(body, ensure_ascii=False)[:160]}")


class Bench:
    def __init__(self, options, folder):
        self.program = options.build.resolve() / "lanescope"
        self.folder = folder
        self.env = clean_environment(folder)
        self.record = shown if options.print else None
        self.clients = []
        self.some = bool(options.cases)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("cases", nargs="*", help="run only cases whose name contains one of these")
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="lanescope-dap-", ignore_cleanup_errors=True) as folder:
        bench = Bench(options, Path(folder))
        for case in CASES:
            name = f"dap: {case.__name__}"
            if options.cases and not any(part in case.__name__ for part in options.cases):
                continue
            try:
                case(bench)
                report.success(name)
            except Skip as reason:
                report.skip(name, str(reason))
            except Exception as problem:  # pylint: disable=broad-exception-caught
                report.failure(name, f"{type(problem).__name__}: {problem}")
        for client in bench.clients:
            client.process.kill()
    report.finish()


main()
