#!/usr/bin/env python3
"""Builds CUDA programs with nvcc and runs them on the CPU machine: what they print, and what is said of them.

    tests/cudart/run.py [--build FOLDER] [NAME…]

Without nvcc the cases are skipped.
"""

import argparse
import ctypes.util
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, other_locale, run  # noqa: E402

LIMIT_S = 300
PROGRAMS = ROOT / "tests/cudart/programs"
TOOLKIT_CURAND = Path("/usr/local/cuda/lib64/libcurand.so.10")


class Place:
    def __init__(self, folder, build):
        self.folder, self.program = folder, build / "lanescope"
        self.env = clean_environment(folder / "home") | {"LANESCOPE_CACHE": str(folder / "cache")}

    def start(self, *words, cwd=None):
        return run([str(self.program), *map(str, words)], cwd=cwd or self.folder, env=self.env, timeout_s=LIMIT_S)

    def json(self, *words, code=0):
        done, out, err = self.start(*words)
        expect(done == code, f"exit {done}, not {code}\n{err}{out}")
        return json.loads(out)


class Missing(Exception):
    """What a case needs and this machine lacks."""


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def same(got, wanted, what):
    expect(got == wanted, f"{what}: {got!r}, not {wanted!r}")


def first_program(place):
    """A whole program runs, says what it says, and its launch is known with the host's lines."""
    report = place.json("run", PROGRAMS / "vector_add.cu", "--json", "--", "500")
    same(report["program"]["exit_status"], 0, "exit status")
    same(report["program"]["stdout"], "all 500 sums are right: no error\n", "output")
    launch, = report["launches"]
    same((launch["kernel"], launch["grid"], launch["block"]), ("add", [2, 1, 1], [256, 1, 1]), "launch")
    same(launch["place"]["line"], 28, "line of the launch")
    same([buffer["name"] for buffer in report["buffers"]], ["d_a", "d_b", "d_sum"], "names of buffers")
    expect(not any(buffer["leaked"] for buffer in report["buffers"]), "nothing leaks")
    same(report["errors"] + launch["problems"], [], "errors")


def other_language(place):
    """A program with its user's locale prints numbers in it, and the kernel does so too, as on a GPU; the report stays as it is."""
    locale = other_locale()
    if not locale:
        raise Missing("no localedef or no source of a locale")
    done, out, err = run([str(place.program), "run", str(PROGRAMS / "localised.cu"), "--json"], cwd=place.folder, env=place.env | locale, timeout_s=LIMIT_S)
    expect(done == 0, err + out)
    report = json.loads(out)
    same(report["program"]["stdout"], "device 1,25\nhost 12.345,5\n", "output")
    launch, = report["launches"]
    same((launch["grid"], launch["block"], launch["problems"]), ([1, 1, 1], [1024, 1, 1], []), "launch")
    same([(buffer["name"], buffer["bytes"]) for buffer in report["buffers"]], [("values", 8192)], "buffers")


def runtime_inside(place):
    """For a program with the static runtime, a note says how to link it."""
    program = place.folder / "static"
    done, out, err = run(["nvcc", "--cudart=static", "-o", str(program), str(PROGRAMS / "vector_add.cu")],
                         cwd=place.folder, env=place.env, timeout_s=LIMIT_S)
    expect(done == 0, out + err)
    report = place.json("record", "--json", "--", program, code=3)
    expect("libcudart_static.a" in report["program"]["note"], report["program"])
    done, _, err = place.start("record", "--", program)
    expect(done == 3 and "CMAKE_CUDA_RUNTIME_LIBRARY=Shared" in err, err)


def recorded_launch(place):
    """A launch is recorded, and the trace shows its steps, with the host's names of the buffers."""
    trace = place.folder / "add.trace"
    done, out, err = place.start("run", PROGRAMS / "vector_add.cu", "--launch", "add:0", "--save", trace)
    expect(done == 0, err)
    same(out, "all 1000 sums are right: no error\n", "the program's own output")
    expect("step by step" in err, err)
    done, steps, err = place.start("run", trace, "--steps")
    expect(done == 0, err)
    expect("sum[i] = x + y;" in steps, steps)
    done, out, err = place.start("run", trace, "--json")
    expect(done == 0, err)
    expect('"problems": []' in out, out[-2000:])
    picture = place.folder / "add.png"
    done, _, err = place.start("render", trace, "--step", "3", "-o", picture)
    expect(done == 0 and picture.stat().st_size > 10000, err)


def shared_types(place):
    """The cells of shared arrays have the types of the source, in kernels and in templates."""
    rows = {}
    for launch, step in (("k:0", 15), ("tk:0", 4)):
        trace, told = place.folder / "types.trace", place.folder / "types.txt"
        done, _, err = place.start("run", PROGRAMS / "shared_types.cu", "--launch", launch, "--save", trace)
        expect(done == 0, err)
        done, _, err = place.start("render", trace, "--step", step, "--size", "2400x1600", "-o", told)
        expect(done == 0, err)
        stage = told.read_text(encoding="utf-8").split("== stage")[1].split("== ")[0].splitlines()
        for number, line in enumerate(stage):
            if re.match(r"\w+: shared", line):
                cells = [cell.split(":")[0] for cell in stage[number + 1].split()[1:5]]
                rows[line.split(":")[0]] = (line.partition(" · ")[2], cells)
    wanted = {"d": ["0.167", "0.5", "0.833", "1.167"], "p": ["0.5/0", "1.5/1", "2.5/2", "3.5/3"],
              "h": ["0.5", "1.5", "2.5", "3.5"], "bf": ["0.5", "1.5", "2.5", "3.5"], "b": ["0", "1", "0", "1"],
              "c": ["a", "b", "c", "d"], "l": ["0", "-1099511627776", "-2199023255552", "-3298534883328"],
              "e": ["0", "5", "0", "5"], "u": ["4000000000", "4000000001", "4000000002", "4000000003"],
              "n": ["0", "-1", "-2", "-3"], "f4": ["0/1/2/0.5", "1/1/2/1.5", "2/1/2/2.5", "3/1/2/3.5"],
              "tile": ["0.5", "1.5", "2.5", "3.5"]}
    for name, cells in wanted.items():
        same(rows.get(name, ("", []))[1], cells, name)
    expect("4 × 8" in rows["tile"][0], rows["tile"][0])


def mistakes(place):
    """Each mistake is reported at its line, with the error that CUDA gives for it."""
    report = place.json("run", PROGRAMS / "faulty.cu", "--json", code=1)
    same(report["program"]["exit_status"], 7, "the program sees the error")
    kinds = [[problem["kind"] for problem in launch["problems"]] for launch in report["launches"]]
    same(kinds, [["uninitialised"], [], ["launch_config"], ["out_of_bounds"]], "problems")
    line = [launch["problems"][0]["line"] for launch in report["launches"] if launch["problems"]]
    same([line[0], line[2]], [10, 6], "lines")
    message = report["launches"][3]["problems"][0]["message"]
    expect("values[64], just past the end of values (64 elements)" in message, message)
    same([error["name"] for error in report["errors"]],
         ["cudaErrorInvalidValue", "cudaErrorInvalidValue", "cudaErrorIllegalAddress"], "errors of calls")
    same([error["place"]["line"] for error in report["errors"]], [23, 25, 27], "lines of the calls")
    expect("reaches 64 bytes beyond the end of values (256 bytes)" in report["errors"][1]["reason"], report["errors"][1])
    same([buffer["leaked"] for buffer in report["buffers"]], [True, True], "leaks")


def host_side(place):
    """The list of what the host does is in its order: copies, streams, events, waits, with lines and names of buffers."""
    report = place.json("run", PROGRAMS / "host_side.cu", "--json")
    same([event["event"] for event in report["host"]],
         ["allocate", "allocate", "copy", "create_stream", "memset", "copy", "launch", "record_event", "wait_for_event", "copy",
          "synchronise", "destroy_stream", "free", "free"], "events")
    copies = [event for event in report["host"] if event["event"] == "copy"]
    same([(copy["line"], copy["stream"], copy["bytes"], copy["direction"]) for copy in copies],
         [(19, 0, 4, "host to device"), (26, 1, 256, "host to device"), (30, 0, 256, "device to host")], "copies")
    same(copies[0]["to"], {"name": "factor"}, "a variable of the device")
    same(copies[1]["to"], {"buffer": 0, "name": "d_values", "offset": 256}, "destination")
    same(copies[1]["from"], {"buffer": 1, "name": "h_values"}, "source")
    launch = report["host"][6]
    same((launch["line"], launch["stream"], launch["launch"]), (27, 1, 0), "launch")
    times = [event["at_ms"] for event in report["host"]]
    same(times, sorted(times), "times")
    report = place.json("run", PROGRAMS / "host_side.cu", "--json", "--", "100007")
    same(sum(event["event"] == "copy" for event in report["host"]), 100000, "copies that are kept")
    same(report["left_out"], {"copy": 9}, "what is cut")
    same(report["host"][-1]["event"], "free", "other events are kept")


def ended_from_outside(place):
    """A program that is killed, or asked to end, still gives its report, with the launch that was running."""
    program, _ = built(place, "ended")
    report = place.json("record", "--json", "--", program, "kill", code=1)
    same((report["program"]["ended"], report["program"]["signal"]), ("signal", 9), "a killed program")
    same([(launch["kernel"], launch["ending"], launch["place"]["line"]) for launch in report["launches"]],
         [("once", "finished", 31), ("spin", "interrupted", 41)], "launches")
    same(report["left_out"], {"end": 1}, "what is missing")
    report = place.json("record", "--json", "--timeout", "0.5", "--", program, "spin", code=1)
    same([launch["ending"] for launch in report["launches"]], ["finished", "timeout"], "a kernel at its limit")
    same((report["program"]["ended"], report["left_out"]), ("exit", {}), "its program")
    report = place.json("record", "--json", "--timeout", "0.5", "--", program, "sleep", code=1)
    same((report["program"]["ended"], report["program"]["stdout"]), ("time_limit", "asleep\n"), "a host that waits")
    report = place.json("record", "--json", "--", program, "copies", code=1)
    same((report["program"]["signal"], report["left_out"]), (9, {"copy": 7, "end": 1}), "what is cut of a killed program")
    for number in (signal.SIGTERM, signal.SIGINT):
        (place.folder / "running").unlink(missing_ok=True)
        child = subprocess.Popen([place.program, "record", "--json", "--", program, "spin"], stdout=subprocess.PIPE,
                                 cwd=place.folder, env=place.env, text=True, start_new_session=True)
        until((place.folder / "running").exists, "the program runs")
        child.send_signal(number)
        report = json.loads(child.communicate(timeout=LIMIT_S)[0])
        same((child.returncode, report["program"]["ended"], report["program"]["signal"], report["program"]["passed_signal"]),
             (1, "signal", number, number), "exit, end and signals")
        same(report["launches"][-1]["ending"], "interrupted", "the last launch")


def until(condition, what):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        expect(time.monotonic() < deadline, f"not reached: {what}")
        time.sleep(0.02)


def checked(place):
    """A check finds races in every launch and between streams, a double free and an error that the program did not see."""
    sarif = place.folder / "checked.sarif"
    report = place.json("run", PROGRAMS / "checked.cu", "--json", "--check", "--sarif", sarif, code=1)
    kinds = [(finding["kind"], finding["severity"]) for finding in report["findings"]]
    same(sorted(set(kinds)), [("double_free", "error"), ("launch_config", "error"), ("leak", "note"), ("race", "error"),
                              ("stream_race", "error"), ("unchecked_error", "error")], "kinds")
    races = [finding for finding in report["findings"] if finding["kind"] == "race"]
    same([finding["line"] for finding in races], [5, 9], "lines of races")
    streams = [finding for finding in report["findings"] if finding["kind"] == "stream_race"]
    same([(finding["other"]["line"], finding["place"]["line"]) for finding in streams], [(16, 17), (16, 21), (28, 29)], "streams")
    expect("a, which launch 2 of fill on stream 1" in streams[0]["message"], streams[0])
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    same(len(results), len(report["findings"]), "SARIF")
    expect(any(races[0]["why"] in result["message"]["text"] for result in results), results)
    for program in ("vector_add.cu", "unified.cu", "cooperating.cu", "host_side.cu"):
        report = place.json("run", PROGRAMS / program, "--json", "--check")
        same([finding for finding in report["findings"] if finding["severity"] != "note"], [], f"findings in {program}")


def early(place):
    """A check finds what the host accesses too early, and elements that a launch leaves out; in time, and with a flag, nothing."""
    report = place.json("run", PROGRAMS / "early.cu", "--json", "--check", code=1)
    found = [(each["kind"], each["severity"], each["place"]["line"]) for each in report["findings"]]
    same(found, [("host_race", "error", 17), ("host_race", "error", 20), ("host_race", "error", 25), ("host_race", "error", 29),
                 ("unwritten", "note", 37)], "findings")
    messages = [each["message"] for each in report["findings"]]
    expect("reads pinned + 8000 bytes, which cudaMemcpyAsync on stream 1" in messages[0], messages[0])
    expect("launch 1 of fill" in messages[1] and "cudaDeviceSynchronize()" in messages[1], messages[1])
    expect("writes managed," in messages[2], messages[2])
    expect("184 of them, part[2816] first" in messages[4] and "round up" in messages[4], messages[4])
    late = place.json("run", PROGRAMS / "early.cu", "--json", "--check", "--", "late")
    same((late["findings"], late["program"]["stdout"]), ([], report["program"]["stdout"]), "in time")


def schedules(place):
    """A check tries several schedules and names the one that shows a problem; one schedule can be chosen; a racy line is one finding."""
    program, tried = built(place, "schedules", "call")[0], ["rr", "warp", "seed:1", "seed:2", "seed:3", "seed:4"]
    report = place.json("record", "--json", "--check", "--", program, "lock", code=1)
    same(report["schedules"], tried, "schedules")
    found = [each for each in report["findings"] if each["severity"] == "error"]
    same([(each["kind"], each["line"]) for each in found], [("race", 8)], "findings")
    expect(found[0]["schedule"] in tried[1:] and "__threadfence()" in found[0]["why"], found[0])
    again = place.json("record", "--json", "--check", "--schedule", found[0]["schedule"], "--", program, "lock", code=1)
    same((again["schedules"], again["findings"][0]["line"]), ([found[0]["schedule"]], 8), "one schedule")
    alone = place.json("record", "--json", "--check", "--schedule", "rr", "--", program, "lock")
    same(alone["findings"], [], "findings under rr")
    report = place.json("record", "--json", "--check", "--", program, "lines", code=1)
    same([(each["line"], each["occurrences"]) for each in report["findings"]], [(12, 30)], "racy lines")
    text = place.start("record", "--check", "--", program, "lines")[2]
    expect(text.count("problem ") == 1 and "6 schedules: rr, warp, seed:1" in text and "checked      1 problem\n" in text, text)
    report = place.json("record", "--json", "--check", "--", program, "call")
    same([(each["kind"], each["severity"]) for each in report["findings"]], [("failed_call", "note")], "findings of a call")
    done, _, err = place.start("record", "--check", "--schedule", "threads:0,1", "--", program, "lock")
    expect(done == 2 and "use rr, warp or seed:N" in err, err)


def several_programs(place):
    """A command that starts programs: one report, each finding once, and no program is mixed up with another or left out."""
    racy = place.folder / "racy"
    done, out, err = place.start("build", "--", "nvcc", "-o", racy, PROGRAMS / "cluster_races.cu", "-arch=sm_90")
    expect(done == 0, out + err)
    clean = place.folder / "clean"
    done, out, err = place.start("build", "--", "nvcc", "-o", clean, PROGRAMS / "vector_add.cu")
    expect(done == 0, out + err)
    alone = place.json("record", "--check", "--json", "--", racy, code=1)["findings"]
    both = place.json("record", "--check", "--json", "--schedule", "rr", "--", "sh", "-c", f"'{racy}'; '{clean}' 400 & '{clean}' 500; wait; '{racy}'; true", code=1)
    same([Path(each["words"][0]).name for each in both["programs"]], ["racy", "clean", "clean", "racy"], "programs")
    same(sorted(each["words"][-1] for each in both["programs"][1:3]), ["400", "500"], "arguments")
    same([(each["kind"], each["line"], each["programs"]) for each in both["findings"]], [(each["kind"], each["line"], [0, 3]) for each in alone], "findings")
    same([len(each["launches"]) for each in both["programs"][1:3]], [1, 1], "launches")
    done, out, err = place.start("record", "--check", "--", "sh", "-c", f"'{clean}' 400; '{clean}' 500")
    expect(done == 0 and "checked      0 problems in 2 programs" in err, err)
    done, out, err = place.start("record", "--check", "--", "sh", "-c", f"'{clean}' 400; '{clean}' 500; exit 7")
    expect(done == 1 and "exit status 7" in err, err)
    script = textwrap.dedent((ROOT / "action.yml").read_text(encoding="utf-8").rpartition("run: |\n")[2])
    commands = {"INPUT_BUILD": f"nvcc -o again '{PROGRAMS / 'vector_add.cu'}'", "INPUT_CHECK": "./again 7; ./again 8", "INPUT_FILES": "",
                "INPUT_SARIF": "found.sarif"}
    env = place.env | commands | {"PATH": f"{place.program.parent}:{place.env['PATH']}"}
    done, out, err = run(["bash", "-eo", "pipefail", "-c", script], cwd=place.folder, env=env, timeout_s=LIMIT_S)
    expect(done == 0 and "0 problems in 2 programs" in err, out + err)
    same(json.loads((place.folder / "found.sarif").read_text())["runs"][0]["results"], [], "SARIF of the action")
    for name in ("one", "two"):
        (place.folder / f"{name} race.cu").write_text("__global__ void k(int* a) { a[0] = threadIdx.x; }\n", encoding="utf-8")
    env |= {"INPUT_BUILD": "", "INPUT_CHECK": "", "INPUT_FILES": "*race.cu"}
    done, out, err = run(["bash", "-eo", "pipefail", "-c", script], cwd=place.folder, env=env, timeout_s=LIMIT_S)
    results = json.loads((place.folder / "found.sarif").read_text())["runs"][0]["results"]
    expect(done == 1 and {Path(each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]).name for each in results} ==
           {"one%20race.cu", "two%20race.cu"}, f"{done} {results} {err}")
    done, out, err = run(["bash", "-eo", "pipefail", "-c", script], cwd=place.folder, env=env | {"INPUT_FILES": "none*.cu"}, timeout_s=LIMIT_S)
    expect(done == 2 and "nothing was checked" in err, f"{done} {err}")


def planted(place):
    """Programs with one mistake each, which a check finds at the line that is marked; and their twins, in which it finds nothing."""
    wrong = []
    for source in sorted((PROGRAMS / "planted").glob("*.cu")):
        lines = source.read_text(encoding="utf-8").splitlines()
        kind = lines[0].removeprefix("// Finds: ")
        bug = next((number for number, line in enumerate(lines, 1) if "// (bug)" in line), 0)
        report = place.json("run", source, "--json", "--check", code=0 if kind == "nothing" else 1)
        found = {(each["kind"], each.get("line") or each["place"]["line"]) for each in report["findings"] if each["severity"] != "note"}
        if found != (set() if kind == "nothing" else {(kind, bug)}):
            wrong.append(f"{source.stem}: {found}, not {kind} in line {bug}")
    expect(not wrong, "\n".join(wrong))


def unified_memory(place):
    """Host and device share managed variables and memory and page-locked memory."""
    report = place.json("run", PROGRAMS / "unified.cu", "--json")
    same(report["program"]["stdout"], "59401\n", "output")
    same([launch["kernel"] for launch in report["launches"]], ["sum<0>", "sum<1>"], "kernels")


def empty_members(place):
    """A byte of an empty class is nothing to write; a member that was forgotten is found."""
    copies, forgets = place.json("run", PROGRAMS / "empty_members.cu", "--json", code=1)["launches"]
    same(copies["problems"], [], "problems of a copy")
    same([problem["kind"] for problem in forgets["problems"]], ["uninitialised"], "problems of a forgotten member")


def cooperation(place):
    """Cooperative launches, launches by kernels (linked on the device) and graphs."""
    report = place.json("run", PROGRAMS / "cooperating.cu", "--json")
    same(report["program"]["stdout"], "3022 cudaSuccess\n", "output")
    same(len(report["launches"]), 2 + 6, "launches")


def graphs(place):
    """Graphs made node by node run in the order of their dependencies; captured allocations; registered memory of the host."""
    report = place.json("run", PROGRAMS / "graphs.cu", "--json")
    same(report["program"]["stdout"].splitlines(),
         ["7 nodes, in the clone: cudaSuccess", "host node: 1024", "host node: 1024", "a circle: cudaErrorInvalidValue",
          "captured: 24 32", "registered: 2 51 2 1", "changed: 10 110 111", "cudaErrorInvalidValue"], "output")
    same([launch["kernel"] for launch in report["launches"]], ["add", "twice", "add"] * 2 + ["twice"] * 3 + ["add"] * 5, "launches")
    same([error["function"] for error in report["errors"]], ["cudaGraphInstantiate"], "errors")
    expect(not any(buffer["leaked"] for buffer in report["buffers"]), "nothing leaks")


def linked_files(place):
    """Any build, unchanged: make calls nvcc, files are linked on the device, and a step can be in any of them."""
    folder = place.folder / "linked"
    shutil.copytree(PROGRAMS / "linked", folder)
    done, out, err = place.start("build", "--", "make", cwd=folder)
    expect(done == 0, out + err)
    trace = folder / "compute.trace"
    done, out, err = place.start("record", "--launch", "compute", "--save", trace, "--", "./program", cwd=folder)
    expect(done == 0, err)
    same(out, "5 11\n", "output")
    done, steps, err = place.start("run", trace, "--steps")
    expect(done == 0, err)
    expect("out[threadIdx.x] = x + offset;" in steps, steps)


def other_runtimes(place):
    """The message for a program without the shared runtime says how to build it; a missing program is an error."""
    done, _, err = place.start("record", "--", "/bin/true")
    same(done, 3, "exit of a program that uses no runtime")
    expect("lanescope build" in err, err)
    done, _, err = place.start("record", "--", "./missing")
    same(done, 2, "exit of a program that is not there")
    expect("missing: error: cannot be started" in err, err)


def conformance(place):
    """Every call of a long list returns what NVIDIA's runtime returned on a GPU."""
    _, _, err = place.start("run", PROGRAMS / "conformance.cu", "--", "devices")
    program = next((place.folder / "cache/programs").glob("*/conformance"), None)
    expect(program is not None, err)
    recorded = {}
    for line in (ROOT / "tests/cudart/recorded/nvidia-h200.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("section "):
            section = recorded.setdefault(line.split()[1], [])
        elif not line.startswith("#"):
            section.append(line)
    differences, calls = [], 0
    for name, wanted in recorded.items():
        _, out, _ = place.start("record", "--", program, name)
        got = out.splitlines()
        calls += len(wanted) - 1
        differences += [f"{name}: {a!r}, on the GPU {b!r}" for a, b in zip(got, wanted) if a != b]
        if len(got) != len(wanted):
            differences.append(f"{name}: {len(got)} lines, on the GPU {len(wanted)}")
    expect(not differences, "\n".join(differences))
    expect(calls > 250, f"{calls} lines")


def built(place, name, *words):
    """The program of a file, built and run once, and what it printed."""
    _, out, err = place.start("run", PROGRAMS / f"{name}.cu", "--", *words)
    program = next((place.folder / "cache/programs").glob(f"*/{name}"), None)
    expect(program is not None, err)
    return program, out


def sections(path):
    """The lines of a recording by the sections in it; without sections, under the empty name."""
    found, name = {}, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("section "):
            name = line.split()[1]
        elif not line.startswith("#"):
            found.setdefault(name, []).append(line)
    return found


# What differs from the GPU: sRGB is refused; tests/unit/simt/texture_test.cpp says by how much the others do.
DIFFERENT_TEXTURES = re.compile(r"srgb|tex a?cube|s8x\d .*linear .*as-float|tex 3d .* linear wide")


def textures(place):
    """Fetches and surfaces of all kinds have the bits of a GPU."""
    _, out = built(place, "textures", "256")
    wanted = sections(ROOT / "tests/cudart/recorded/textures-h200.txt")[""]
    got = out.splitlines()
    same(len(got), len(wanted), "cases")
    differences = [f"{a!r}, on the GPU {b!r}" for a, b in zip(got, wanted) if a != b and not DIFFERENT_TEXTURES.search(b)]
    expect(not differences, "\n".join(differences[:20]))
    equal = sum(a == b for a, b in zip(got, wanted))
    expect(equal > 930, f"only {equal} cases are equal")


# Misuses that a GPU lets pass: a handle of 0, destroyed objects, freed arrays, objects of another kind. Here they are problems.
TOLERATED = set("acdefgmno")


def texture_calls(place):
    """Calls about arrays, textures and surfaces return what NVIDIA's runtime returned; misuses are problems."""
    program, _ = built(place, "texture_calls", "arrays")
    differences, calls = [], 0
    for name, wanted in sections(ROOT / "tests/cudart/recorded/texture_calls-h200.txt").items():
        _, out, err = place.start("record", "--", program, name)
        got = out.splitlines()
        if name in TOLERATED:
            expect("IllegalAddress cudaDeviceSynchronize()" in out and "problem" in err, f"misuse {name}: {out}{err}")
            continue
        calls += len(wanted)
        differences += [f"{name}: {a!r}, on the GPU {b!r}" for a, b in zip(got, wanted) if a != b]
        same(len(got), len(wanted), f"lines of {name}")
    expect(not differences, "\n".join(differences))
    expect(calls > 200, f"{calls} lines")


def textured_launch(place):
    """A recorded launch shows what a texture reads from its array, element by element; a refusal is reported once."""
    trace = place.folder / "texture.trace"
    done, out, err = place.start("run", PROGRAMS / "smooth.cu", "--launch", "smooth:0", "--save", trace)
    same((done, out), (1, "0.5 1.5 77\n"), "exit and output")
    same(err.count("'txq' is not supported"), 1, "times that the refusal is reported")
    expect("line 9: thread 0 of block 0 reads array 1[0], which was freed" in err, err)
    report = place.json("run", trace, "--json")
    arrays = {array["name"]: array for array in report["launches"][0]["arrays"]}
    same([(name, arrays[name]["cells"], arrays[name]["loads"], arrays[name]["stores"]) for name in ("d", "source", "copy")],
         [("d", 40, 0, 40), ("source", 40, 120, 0), ("copy", 40, 0, 40)], "accesses")
    same(report["metrics"]["global_load_requests"], 0, "requests of the texture unit are not counted")


def compiler_errors(place):
    """What nvcc refuses is located in the file."""
    done, _, err = place.start("run", PROGRAMS / "broken.cu")
    same(done, 2, "exit")
    expect("broken.cu:4" in err and "undeclared" in err, err)
    elsewhere = place.folder / "elsewhere.cu"
    elsewhere.write_text("int f(int);\n\n__global__ void k(int* a) { *a = 1; }\n"
                         "int main() { k<<<1, 1>>>(nullptr); return f(2) + f(3); }\n")
    done, _, err = place.start("run", elsewhere)
    same((done, err.count("'f(int)' is used, and nothing defines it")), (2, 1), err)
    expect("elsewhere.cu:4" in err and "lanescope build" in err, err)
    elsewhere.write_text("#include <absent/header.h>\nint main() { cudaFree(nullptr); }\n")
    done, _, err = place.start("run", elsewhere)
    expect(done == 2 and "elsewhere.cu:1" in err and "absent/header.h: No such file" in err and "# 1 " not in err, err)


def wrong_options(place):
    """Options that do not fit a program are refused, with the way that works."""
    done, _, err = place.start("run", PROGRAMS / "vector_add.cu", "--steps")
    same(done, 2, "exit")
    expect("--save FILE.trace" in err, err)
    done, out, err = place.start("run", PROGRAMS / "vector_add.cu", "--no-host-code", "--json")
    expect("proposed" in out and "sums are right" not in out, "the host code must not run: " + out[:500] + err)
    done, _, err = place.start("run", ROOT / "kernels/reduction/modulo.cu", "--launch", "0")
    same(done, 2, "exit")
    expect("is not a program" in err, err)


def watched_program(place):
    """--engine gpu: CUDA's runtime does the work, here the CPU machine's, behind a driver that is a fake."""
    vector_add = PROGRAMS / "vector_add.cu"
    done, _, err = place.start("run", vector_add, "--engine", "gpu")
    if "no NVIDIA driver" in err:
        same(done, 3, "exit without a GPU")
    build = place.program.parent
    place.env |= {"LANESCOPE_CUDA_DRIVER": str(build / "libfake_cuda_driver.so"), "LANESCOPE_GPU_RUNTIME": str(build / "cudart")}
    report = place.json("run", vector_add, "--engine", "gpu", "--json", "--", "500")
    same(report["program"]["stdout"], "all 500 sums are right: no error\n", "output")
    expect("CPU machine" in report["program"]["device"], report["program"]["device"])
    launch, = report["launches"]
    same((launch["kernel"], launch["grid"], launch["ending"], launch["place"]["line"]), ("add", [2, 1, 1], "finished", 28),
         "launch")
    expect(0.1 < launch["us"] < 1000, str(launch))
    same([(buffer["name"], buffer["leaked"]) for buffer in report["buffers"]],
         [("d_a", False), ("d_b", False), ("d_sum", False)], "buffers")
    same(report["warnings"], [], "optimised code is timed")
    report = place.json("run", PROGRAMS / "faulty.cu", "--engine", "gpu", "--json", code=1)
    same([(launch["ending"], [problem["kind"] for problem in launch["problems"]]) for launch in report["launches"]],
         [("finished", []), ("finished", []), ("refused", ["launch_config"]), ("faulted", ["out_of_bounds"])], "launches")
    same([error["name"] for error in report["errors"]],
         ["cudaErrorInvalidValue", "cudaErrorInvalidValue", "cudaErrorIllegalAddress"], "errors of calls")
    report = place.json("run", PROGRAMS / "cooperating.cu", "--engine", "gpu", "--json")
    same([launch["kernel"] for launch in report["launches"]], ["all_sum", "parent", "increment", "increment"], "kernels")
    expect("us" not in report["launches"][2], "a launch that is captured has no time of its own")
    done, out, err = place.start("run", vector_add, "--engine", "gpu", "--launch", "add", "--save", place.folder / "x.trace")
    same((done, out), (2, "all 1000 sums are right: no error\n"), "exit and output, when the driver cannot record")
    expect("launch 0 cannot be recorded on the GPU" in err and "built with -G" in err, err)


def watched_host(place):
    """What the host does stands in the journal of a watched program as the CPU machine's runtime tells it."""
    build = place.program.parent
    place.env |= {"LANESCOPE_CUDA_DRIVER": str(build / "libfake_cuda_driver.so"), "LANESCOPE_GPU_RUNTIME": str(build / "cudart")}

    printed = {"images": "379.25 378 1440 cudaSuccess\n", "heap": "took 32 lists\n6 186, 32 then 0 cudaSuccess\n",
               "family": "1152 cudaSuccess\n"}  # by an H200

    def host_of(*words):
        report = place.json("run", *words, "--json")
        same(report["program"]["stdout"], printed.get(words[0].stem, report["program"]["stdout"]), "output")
        same(report["errors"] + report["warnings"], [], "errors and warnings")
        events = report["host"]
        times = [event["at_ms"] for event in events]
        same(times, sorted(times), "times")
        for event in events:
            del event["at_ms"]
            event.pop("ms", None)
        return events

    for name in ("host_calls", "host_side", "vector_add", "images", "heap", "family"):
        told, watched = host_of(PROGRAMS / f"{name}.cu"), host_of(PROGRAMS / f"{name}.cu", "--engine", "gpu")
        graph = next((i for i, event in enumerate(told) if event["event"] == "launch_graph"), None)
        if graph is not None:  # only the CPU machine tells what the graph does
            same([event["event"] for event in told[graph + 1:graph + 3]], ["memset", "copy"], "the graph's work")
            del told[graph + 1:graph + 3]
        for got, wanted in zip(watched, told):
            same(got, wanted, name)
        same(len(watched), len(told), f"events of {name}")
        expect(name != "host_calls" or len(told) > 55, "few events")
    program = place.folder / "per_thread"
    done, out, err = place.start("build", "--", "nvcc", "--default-stream", "per-thread", "-o", program, PROGRAMS / "host_calls.cu")
    expect(done == 0, out + err)
    report = place.json("record", "--engine", "gpu", "--json", "--", program)
    streams = {event["stream"] for event in report["host"] if event["event"] in ("copy", "memset", "launch", "synchronise") and "stream" in event}
    same((report["program"]["stdout"], streams), ("cudaSuccess\n", {1, 2, 3}), "output, and streams of code with a default stream for each thread")


def cuda_12(place):
    """A program of CUDA 12 finds that version of the runtime, with its structures and parameters."""
    kernel, program = place.folder / "square.fatbin", place.folder / "twelve"
    library = place.program.parent / "cudart/libcudart.so.12"
    for command in (["nvcc", "-G", "-fatbin", "-gencode=arch=compute_90,code=compute_90", "-o", kernel, PROGRAMS / "square.cu"],
                    ["c++", "-O1", f'-DKERNEL="{kernel}"', "-o", program, PROGRAMS / "twelve.cpp", library]):
        done, out, err = run([str(word) for word in command], cwd=place.folder, env=place.env, timeout_s=LIMIT_S)
        expect(done == 0, out + err)
    report = place.json("record", "--json", "--", program)
    same(report["program"]["stdout"].splitlines(),
         ["0 0: 9.0, 132 multiprocessors, 1024 threads, L2 62914560, 32 blocks, pools 1", "sizes fit, old ones agree",
          "12090 0 0 0 0 0: 9 * 9 = 81"], "output")
    same([launch["kernel"] for launch in report["launches"]], ["square"], "launches")


def linear_algebra(place):
    """A part of cuBLAS is there; the rest is refused by name."""
    if not (place.program.parent / "cudart/libcublas.so.13").exists() or not ctypes.util.find_library("blas"):
        raise Missing("no cuBLAS headers or no BLAS")
    done, out, err = place.start("build", "--", "nvcc", "-o", place.folder / "blas", PROGRAMS / "blas.cu", "-lcublas")
    expect(done == 0, out + err)
    report = place.json("record", "--json", "--", place.folder / "blas", code=3)  # results may be wrong
    same(report["program"]["stdout"].splitlines(),
         ["gemm 0, 0 wrong", "axpy 0, dot 0: 60, largest 2", "gemv 0: 86 112 138",
          "narrow 7, backward 15, absent 15, freed 13"], "output")
    refused = [(each["message"].split()[0], each["place"]["line"] > 0) for each in report["unsupported"]]
    same(refused, [("cublasDscal", True), ("cublasSrotm_v2", True)], "what is not there")
    done, out, err = place.start("run", PROGRAMS / "products.cu")  # linked with what its headers need
    same((done, out), (0, "24 products, 0 wrong\n"), "products")
    expect("unsupported" not in err, err)
    same([(event["function"], event["line"] > 0) for event in report["host"] if event["event"] == "library"][:3],
         [("cublasSgemm", True), ("cublasDaxpy", True), ("cublasDdot", True)], "events")


def random_numbers(place):
    """Numbers of cuRAND's interface for the host are those of its generators on the host, in the device's memory."""
    if not (place.program.parent / "cudart/libcurand.so.10").exists() or not TOOLKIT_CURAND.exists():
        raise Missing("no cuRAND in the toolkit")
    done, out, err = place.start("build", "--", "nvcc", "-o", place.folder / "random", PROGRAMS / "random.cu", "-lcurand")
    expect(done == 0, out + err)
    report = place.json("record", "--json", "--", place.folder / "random", code=3)
    same(report["program"]["stdout"].splitlines(),
         ["101: 0 0, 624778773 3522650202 3362343509, 0.022605 0.242447",
          "161: 0 0, 546353992 3665621163 253049307, 1.087999 0.808446", "host: 0 0.786752, absent 999"], "output")
    warnings = " ".join(report["warnings"])
    expect("curandCreatePoissonDistribution is not supported" in warnings and "generators on the host" in warnings, warnings)
    same([event["function"] for event in report["host"] if event["event"] == "library"],
         ["curandGenerate", "curandGenerateUniform"] * 2 + ["curandCreatePoissonDistribution"], "events")


def fourier_transforms(place):
    """cuFFT's plans give the sums of the definition in every layout, refuse what is wrong, and keep a stream's order."""
    libraries = place.program.parent / "cudart"
    if not (libraries / "libcufft.so.12").exists():
        raise Missing("no cuFFT headers")
    if not ctypes.util.find_library("fftw3") or not ctypes.util.find_library("fftw3f"):
        raise Missing("no FFTW: libfftw3-double3 and libfftw3-single3")
    source, object_file = PROGRAMS / "transforms.cu", place.folder / "transforms.o"
    done, out, err = place.start("build", "--", "nvcc", "-o", place.folder / "transforms", source, "-lcufft")
    expect(done == 0, out + err)
    found, lines = differences(place, place.folder / "transforms", "transforms-h200.txt")
    same(found, [], "differences")
    expect(lines > 100, f"{lines} lines")
    report = place.json("record", "--json", "--", place.folder / "transforms", "layouts")
    lines = report["program"]["stdout"].splitlines()[1:]
    same([line for line in lines if ": 0 0 0, 0 wrong, destroy 0" not in line], [], "wrong results")
    same((len(lines), report["errors"], report["left_out"]), (29, [], {}), "layouts and errors")
    report = place.json("record", "--json", "--", place.folder / "transforms", "misuse", code=3)
    same(report["program"]["stdout"].split()[-1], "4", "the last misuse")
    expect("xt half: 16" in report["program"]["stdout"], report["program"]["stdout"])
    expect("beyond the end of out (512 bytes)" in report["errors"][0]["reason"], report["errors"])
    for text in ("must be memory of the device", "single and double"):
        expect(text in " ".join(report["warnings"]), report["warnings"])
    for command in (["nvcc", "-G", "-c", "-gencode=arch=compute_90,code=compute_90", "-o", object_file, source],
                    ["c++", "-o", place.folder / "transforms12", object_file, libraries / "libcufft.so.11", libraries / "libcudart.so.12"]):
        done, out, err = run([str(word) for word in command], cwd=place.folder, env=place.env, timeout_s=LIMIT_S)
        expect(done == 0, out + err)
    for program in ("transforms", "transforms12"):
        report = place.json("record", "--json", "--check", "--", place.folder / program, "order")
        same(report["program"]["stdout"].splitlines(),
             ["section order", "round: 0", "there and back: 0 wrong", "captured: 0", "end of capture: 0", "instance: 0",
              "two launches of the graph: 0 wrong"], "output of " + program)
        same((len(report["launches"]), report["findings"]), (6, []), "launches and findings")


def compared_programs(place):
    """Every mistake of the programs beside compute-sanitizer is found at its line; the table is that of the recording."""
    folder = ROOT / "tests/cudart/compared"
    for source in sorted(folder.glob("*.cu")):
        line = next((number for number, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1) if "// (bug)" in text), 0)
        report = place.json("run", source, "--json", "--check", "--leaks", code=1 if line else 0)
        found = [each for each in report["findings"] if each["severity"] == "error"]
        lines = {each.get("line") for each in found} | {(each["place"] or {}).get("line") for each in found}
        expect(line in lines if line else not found, f"{source.name}: line {line}, found {found}")
    table = run(["python3", str(ROOT / "tests/cudart/compare.py"), "--table", str(folder / "h200.json")], cwd=ROOT, env=place.env, timeout_s=LIMIT_S)[1]
    expect(table in (ROOT / "tests/cudart/README.md").read_text(encoding="utf-8"), "tests/cudart/README.md has another table:\n" + table)


# The node that an update names may be another one, and several blocks on a multiprocessor are counted otherwise.
DIFFERENT_CALLS = re.compile(r"^ 26 \d+ +its node$|of three blocks|of an uneven grid|of sixteen blocks")


def differences(place, program, recording):
    """Lines of a program's sections that differ from those of the GPU, and how many lines there are."""
    found, lines = [], 0
    for section, wanted in sections(ROOT / "tests/cudart/recorded" / recording).items():
        _, out, _ = place.start("record", "--", program, section)
        got = [line.split(", 0 ")[0] for line in out.splitlines() if not line.startswith("section ")]
        lines += len(wanted)
        found += [f"{section}: {a!r}, on the GPU {b!r}" for a, b in zip(got, [line.split(", 0 ")[0] for line in wanted])
                  if a != b and not DIFFERENT_CALLS.search(b)]
        if len(got) != len(wanted):
            found.append(f"{section}: {len(got)} lines, on the GPU {len(wanted)}")
    return found, lines


def graph_calls(place):
    """Calls about graphs return and compute what they did on a GPU."""
    found, lines = differences(place, built(place, "graph_calls", "instances")[0], "graph_calls-h200.txt")
    same(found, [], "differences")
    expect(lines > 350, f"{lines} lines")


def refused_launches(place):
    """Launches beyond the limits return what they did on a GPU."""
    found, lines = differences(place, built(place, "refused_launches")[0], "refused_launches-h200.txt")
    same(found, [], "differences")
    expect(lines > 30, f"{lines} lines")


def device_calls(place):
    """The L2 cache's limits and the default streams are those of a GPU, also with a default stream for each thread."""
    found, lines = differences(place, built(place, "device_calls", "streams")[0], "device_calls-h200.txt")
    program = place.folder / "per_thread"
    done, out, err = place.start("build", "--", "nvcc", "--default-stream", "per-thread", "-o", program, PROGRAMS / "device_calls.cu")
    expect(done == 0, out + err)
    more, own = differences(place, program, "device_calls_per_thread-h200.txt")
    same(found + more, [], "differences")
    expect(lines + own > 140, f"{lines + own} lines")


def clusters(place):
    """Launches in clusters compute what they did on a GPU, and their errors are those; they are checked like other launches."""
    program, _ = built(place, "cluster_calls", "refusals")
    found, lines = differences(place, program, "cluster_calls-h200.txt")
    same(found, [], "differences")
    expect(lines > 170, f"{lines} lines")
    report = place.json("record", "--json", "--check", "--", program, "launches")
    same([finding["kind"] for finding in report["findings"] if finding["severity"] != "note"], [], "findings")
    expect("cluster" not in " ".join(report["warnings"]), report["warnings"])


def cluster_races(place):
    """A check finds what the blocks of a cluster do without waiting for each other, and a recording shows them."""
    program = PROGRAMS / "cluster_races.cu"
    report = place.json("run", program, "--json", "--check", code=1)
    found = [(finding["kind"], finding["line"]) for finding in report["findings"] if finding["severity"] != "note"]
    same(found, [("race", 12), ("out_of_bounds", 32)], "findings")
    same(report["warnings"], [], "warnings")
    trace = place.folder / "in_order.trace"
    done, _, err = place.start("run", program, "--launch", "in_order:0", "--save", trace)
    expect(done == 0, err)
    recorded = place.json("run", trace, "--json")
    same(recorded["launches"][0]["cluster"], [2, 1, 1], "cluster")
    same(recorded["problems"], [], "problems")
    same(recorded["metrics"]["remote_load_requests"], 4, "requests to other blocks")


def old_targets(place):
    """A build for targets that nvcc no longer knows says which, and where they stand."""
    folder = place.folder / "old"
    folder.mkdir()
    (folder / "Makefile").write_text(f"# sm_13\nprogram:\n\tnvcc -gencode arch=compute_20,code=sm_20 -o program {PROGRAMS / 'vector_add.cu'}\n")
    done, _, err = place.start("build", "--", "make", cwd=folder)
    expect(done != 0 and "Makefile:3: error: nvcc does not know the target sm_20" in err and "sm_13" not in err, err)
    done, _, err = place.start("build", "--", "nvcc", "-arch=sm_20", "-o", "program", PROGRAMS / "vector_add.cu", cwd=folder)
    expect(done != 0 and "error: nvcc does not know the target sm_20" in err and "write sm_90" in err, err)
    if not shutil.which("cmake"):
        raise Missing("no cmake")
    (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.18)\nproject(p CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 53)\nadd_executable(p {PROGRAMS / 'vector_add.cu'})\n")
    expect(place.start("build", "--", "cmake", "-B", "made", ".", cwd=folder)[0] == 0, "CMake configures")
    done, _, err = place.start("build", "--", "cmake", "--build", "made", cwd=folder)
    expect(done != 0 and "CMakeLists.txt:3: error: nvcc does not know the target sm_53" in err, err)


def old_cmake(place):
    """Projects with FindCUDA, its targets and its variables get the shared runtime when CMake configures."""
    modules = sorted(Path("/usr/share").glob("cmake-*/Modules/FindCUDA.cmake"))
    if not shutil.which("cmake") or not modules:
        raise Missing("no CMake with FindCUDA")
    projects = {"targets": "project(p CXX)\nfind_package(CUDA REQUIRED)\ncuda_add_executable(p p.cu)\n",
                "variables": "project(p CXX CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 80)\nfind_package(CUDA REQUIRED)\nadd_executable(p p.cu)\n"
                             "target_link_libraries(p ${CUDA_LIBRARIES})\n"}
    for name, lines in projects.items():
        folder = place.folder / name
        folder.mkdir()
        shutil.copy(PROGRAMS / "vector_add.cu", folder / "p.cu")
        (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.18)\n" + lines)
        for words in (["-S", ".", "-B", "made"], ["--build", "made"]):
            done, out, err = place.start("build", "--", "cmake", *words, cwd=folder)
            expect(done == 0, f"{name}: {out}{err}")
        same(place.json("record", "--json", "--", folder / "made/p")["launches"][0]["kernel"], "add", name)


def same_header(place):
    """A header with #pragma once that is reached by several names, one of them a link, is read once."""
    folder = place.folder / "same"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts/one.cuh").write_text("#pragma once\nstruct One { __device__ int value() { return 1; } };\n")
    (folder / "parts/two.cuh").write_text('#pragma once\n#include "../parts/one.cuh"\n')
    (folder / "link.cuh").symlink_to("parts/one.cuh")
    names = ["parts/two.cuh", "link.cuh", "parts/one.cuh", "parts/../parts/one.cuh"]
    kernel = "".join(f'#include "{name}"\n' for name in names) + "__global__ void k(int* a) { a[threadIdx.x] = One().value(); }\n"
    (folder / "k.cu").write_text(kernel)
    (folder / "p.cu").write_text(kernel + "int main() { int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); cudaFree(a); }\n")
    for name in ("k.cu", "p.cu"):
        done, out, err = place.start("run", folder / name)
        expect(done == 0, out + err)


def library_calls(place):
    """A call of CUB or of cuda::barrier is steps of the caller's line; their barriers and races have this line, too."""
    trace = place.folder / "library.trace"
    report = place.json("run", PROGRAMS / "library_calls.cu", "--json", "--check", code=1)
    race, = [each for each in report["findings"] if each["kind"] == "race"]
    same(race["line"], 10, "the line of the race")
    expect("line 11: " in race["message"] and "the barrier in line 10" in race["why"] and "between line 10 and line 11" in race["why"], race)
    done, _, err = place.start("run", PROGRAMS / "library_calls.cu", "--launch", "0", "--save", trace)
    expect(done == 0, err)
    done, steps, err = place.start("run", trace, "--steps")
    lines = [int(line.split()[2]) for line in steps.splitlines() if re.match(r" +\d+ +line ", line)]
    expect(done == 1 and set(lines) <= set(range(5, 20)) and {10, 11, 13, 16} <= set(lines), f"{lines}{err}")



NAMES = ["a$(touch ran).cu", "b `touch ran`.cu", 'c"q.cu', "d,e.cu", "f\ng.cu", "h i.cu", "-j.cu", "ké.cu", "l\\m.cu", "n'o.cu", "p;touch ran;.cu"]


def strange_names(place):
    """The name of a file and of its folder is only a name: nothing in it runs, and traces and messages have it."""
    source = PROGRAMS / "vector_add.cu"
    for folder in (place.folder / "names", place.folder / "na$(touch ran)m\"es"):
        folder.mkdir()
        (folder / "part.cuh").write_text("inline int one() { return 1; }\n")
        for name in NAMES if folder.name == "names" else ["a.cu", NAMES[0]]:
            (folder / name).write_text('#include "part.cuh"\n' + source.read_text(encoding="utf-8"))
            done, out, err = place.start("run", "./" + name, "--json", "--save", "x.trace", cwd=folder)
            expect(done == 0, f"{name!r}: {err}{out}")
            report = json.loads(out)
            same(report["launches"][0]["place"], {"file": str(folder / name), "line": 29, "function": "main"}, name)
            done, steps, err = place.start("run", "x.trace", "--steps", cwd=folder)
            expect(done == 0 and "sum[i] = x + y;" in steps, f"{name!r}: {err}{steps[:300]}")
            done, _, err = place.start("build", "--", "nvcc", "./" + name, "-o", f"{name} program", cwd=folder)
            expect(done == 0 and (folder / f"{name} program").exists(), f"{name!r}: {err}")
        (folder / NAMES[0]).write_text("#include <cstdio>\nint main() { undeclared<<<1, 1>>>(); }\n")
        done, _, err = place.start("run", NAMES[0], cwd=folder)
        expect(done == 2 and f"{folder / NAMES[0]}:2: error: " in err, err)
    expect(not list(place.folder.rglob("ran")), "a part of a name ran as a command")


def strange_names_in_builds(place):
    """make and nvcc build files with spaces and quotes in their names; where nvcc cannot, its file and the character are named."""
    folder = place.folder / "a build's folder"
    (folder / "more").mkdir(parents=True)
    shutil.copy(PROGRAMS / "vector_add.cu", folder / "it's one.cu")
    (folder / "Makefile").write_text('program: it\'s\\ one.cu\n\tnvcc -o program "it\'s one.cu"\n')
    done, out, err = place.start("build", "--", "make", cwd=folder)
    expect(done == 0, out + err)
    same(place.json("record", "--json", "--", folder / "program")["launches"][0]["kernel"], "add", "kernel")
    for name, sign in {"a$b.cu": "$", "c,d.cu": ","}.items():
        shutil.copy(PROGRAMS / "vector_add.cu", folder / "more" / name)
        (folder / "Makefile").write_text(f"other:\n\tnvcc -o other 'more/{name.replace('$', '$$')}'\n")
        done, _, err = place.start("build", "--", "make", cwd=folder)
        expect(done != 0 and f"more/{name}: error: nvcc cannot read a name with '{sign}'" in err, err)
        (folder / "more" / name).unlink()


def encodings(place):
    """Programs in the encodings and with the line ends of people's editors; a header that nvcc cannot read is named."""
    text = '#include "part.cuh"\n' + (PROGRAMS / "vector_add.cu").read_text(encoding="utf-8")
    folder = place.folder / "encodings"
    folder.mkdir()
    header = folder / "part.cuh"
    header.write_bytes(b"\xef\xbb\xbf// a header\n")
    for name, content in {"mark.cu": b"\xef\xbb\xbf" + text.encode(), "mac.cu": text.replace("\n", "\r").encode(),
                          "windows.cu": text.replace("\n", "\r\n").encode(), "wide.cu": b"\xff\xfe" + text.encode("utf-16le")}.items():
        (folder / name).write_bytes(content)
        done, out, err = place.start("run", name, "--json", "--save", "x.trace", cwd=folder)
        expect(done == 0, f"{name}: {err}{out}")
        same(json.loads(out)["launches"][0]["place"]["line"], 29, name)
        done, steps, err = place.start("run", "x.trace", "--steps", cwd=folder)
        expect(done == 0 and "sum[i] = x + y;" in steps, f"{name}: {err}{steps[:300]}")
    header.write_bytes(b"// a header\rint one();\r")
    done, _, err = place.start("run", "mark.cu", cwd=folder)
    expect(done == 2 and "part.cuh: error: nvcc cannot read the line ends" in err, err)
    header.write_bytes(b"\xff\xfe" + "// a header\n".encode("utf-16le"))
    done, _, err = place.start("run", "mark.cu", cwd=folder)
    expect(done == 2 and "part.cuh: error: nvcc cannot read UTF-16" in err, err)


CASES = [several_programs, strange_names, strange_names_in_builds, encodings, other_language, graph_calls, refused_launches, device_calls, clusters, cluster_races, old_targets, old_cmake, same_header, library_calls, compared_programs, cuda_12, linear_algebra, random_numbers, fourier_transforms, watched_program, watched_host, first_program, runtime_inside, recorded_launch, shared_types,
         mistakes, host_side, ended_from_outside, checked, early, schedules, planted, unified_memory, empty_members, cooperation, graphs, linked_files, other_runtimes, conformance,
         textures, texture_calls, textured_launch, compiler_errors, wrong_options]


def has_nvcc(place):
    return "there is none" not in place.start("run", PROGRAMS / "broken.cu")[2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="lanescope-programs-") as folder:
        place = Place(Path(folder), options.build.resolve())
        known = has_nvcc(place)
        for case in CASES:
            name = case.__name__
            if options.names and name not in options.names:
                continue
            if not known and case not in (other_runtimes, wrong_options):
                report.skip(name, "no nvcc")
                continue
            try:
                case(place)
                report.success(name)
            except Missing as missing:
                report.skip(name, str(missing))
            except (AssertionError, json.JSONDecodeError, OSError, ValueError) as problem:
                report.failure(name, str(problem))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
