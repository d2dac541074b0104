#!/usr/bin/env python3
"""Compares Lanescope with the labels of public suites of CUDA programs. The suite lies in a folder; nothing is fetched.

    tests/suites/run.py SUITE FOLDER [--jobs N] [--only PATTERN] [--json FILE] [--program PATH]
    tests/suites/run.py --self-test [--program PATH]

SUITE: indigo, scor, barracuda, samples or sgemm; README.md says where they are published. Each program is built by nvcc and runs
as `lanescope record --check`. The exit status is 0 only if a program ran and EXPLAINED has every difference from the labels.
"""

import argparse
import ast
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, run  # noqa: E402

LIMIT_S = 300
RACE = frozenset({"race", "unsynced_lanes", "stream_race"})
BOUNDS = frozenset({"out_of_bounds", "misaligned", "use_after_free", "double_free"})
MEMORY = BOUNDS | {"uninitialised"}
CALL = frozenset({"failed_call", "unchecked_error", "lost_error"})
SYNC = frozenset({"barrier_divergence", "unsynced_lanes", "deadlock", "trap"})
# Labels, and the kinds of findings that agree with each.
KINDS = {"race": RACE, "plain race": RACE, "bounds": BOUNDS, "memory": MEMORY, "call": CALL, "sync": SYNC, "leak": frozenset({"leak"}),
         "any": RACE | MEMORY | CALL | SYNC | {"step_limit", "launch_config", "wrong_result"}}


class Unknown(Exception):
    """The folder does not look like the suite."""


@dataclass
class Program:
    name: str
    source: Path | str  # a file, or the text of one
    judged: frozenset  # the labels that the suite could give this program
    labels: frozenset = frozenset()  # those that it gives
    flags: tuple = ()
    defines: tuple = ()  # macros: "NAME" or "NAME=VALUE"
    arguments: tuple = ()


@dataclass
class Outcome:
    program: Program
    kinds: list = field(default_factory=list)
    messages: list = field(default_factory=list)
    not_run: str = ""
    seconds: float = 0.0

    def differences(self):
        """("miss LABEL" or "false alarm LABEL", text) for each label on which the suite and Lanescope differ, or ("not run", why)."""
        if self.not_run:
            return [("not run", self.not_run)]
        found = {label for label in self.program.judged if KINDS[label] & set(self.kinds)}
        return [(f"miss {label}", f"found {', '.join(self.kinds) or 'nothing'}") for label in sorted(self.program.labels - found)] + \
            [(f"false alarm {label}", "; ".join(self.messages)) for label in sorted(found - self.program.labels)]


def files_of(folder, pattern, what):
    found = sorted(folder.glob(pattern))
    if not found:
        raise Unknown(f"{folder}: no {pattern}; this must be the folder of {what}")
    return found


def indigo(folder):
    """Bugs are words of the file's name. Each program runs as in table 1 of the paper: 1024 blocks of 256 threads."""
    sources = files_of(folder, "indigo/indigo_sources/*/*.cu", "the artifact of HiRace")
    graph, = files_of(folder, "indigo/input/DAG_100n_200e.egr", "the artifact of HiRace")
    for source in sources:
        words = set(source.stem.split("_"))
        labels = {"race" if word != "boundsBug" else "memory" for word in words if word.endswith("Bug")}
        yield Program(source.stem, source, frozenset({"race", "memory"}), frozenset(labels),
                      flags=("-I", str(folder / "indigo/indigo_include")), arguments=(str(graph), "256", "1024"))


def scor(folder):
    """The file's name begins with race_ or norace_. Each program also runs with plain data instead of volatile data."""
    for source in files_of(folder, "microbenchmarks/src/*.cu", "ScoR"):
        label = source.stem.partition("_")[0]
        if label not in ("race", "norace"):
            raise Unknown(f"{source}: the name begins neither with race_ nor with norace_")
        yield Program(source.stem, source, frozenset({"race"}), frozenset({"race"} if label == "race" else ()))
        plain = source.read_text().replace("volatile unsigned int *data", "unsigned int *data")
        yield Program("plain/" + source.stem, plain, frozenset({"plain race"}), frozenset({"plain race"} if label == "race" else ()))


def barracuda(folder):
    """Lists of programs in Python: the file, its macros, and what cuda-memcheck should say for each list of arguments."""
    for listing in ("racey", "spatial_offset_r", "spatial_offset_w", "temporal"):
        path, = files_of(folder, f"{listing}.py", "Barracuda's tests")
        for call in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(call, ast.Call) and getattr(call.func, "id", "").endswith("TestProgram")):
                continue
            given = {each.arg: each.value for each in call.keywords}
            macros = ast.literal_eval(given["macros"]) if "macros" in given else {}
            defines = [name if value is None else f"{name}={value}" for name, value in macros.items()]
            source = folder / ast.literal_eval(call.args[0])
            for case in given["testCases"].elts:
                said = {name.attr for name in ast.walk(case.args[0]) if isinstance(name, ast.Attribute)}
                arguments = tuple(ast.literal_eval(each) for each in case.args[1:])
                judged = "race" if listing == "racey" else "call" if said & {"ARG", "OOM", "PITCH_ARG"} else \
                    "memory" if listing == "temporal" else "bounds"
                labels = frozenset() if said & {"NO_RACE", "NO_ERR"} else frozenset({judged})
                yield Program(" ".join([f"{source.parent.name}/{source.stem}", *defines, *arguments]), source, frozenset({judged}), labels,
                              ("-rdc=true", "-DcudaThreadSetLimit=cudaDeviceSetLimit"), tuple(defines), arguments)


# What the guide of Compute Sanitizer says of each sample. "leak" needs --leaks and is not judged.
SAMPLES = {"Memcheck/memcheck_demo": "memory", "Racecheck/block_error": "race", "Racecheck/warp_error": "race", "Initcheck/memset_error": "memory",
           "Synccheck/divergent_threads": "sync", "Synccheck/illegal_syncwarp": "sync", "Suppressions/suppressions_demo": "call",
           "Suppressions/suppressions_initcheck_demo": "memory", "NvtxMemoryPool/NvtxMemoryPool": "memory", "NvtxPermissions/NvtxPermissions": "memory"}


def samples(folder):
    for name, label in SAMPLES.items():
        source, = files_of(folder, f"{name}.cu", "NVIDIA's compute-sanitizer-samples")
        yield Program(name, source, frozenset({label}), frozenset({label}))


SGEMM_MAIN = """
#include "runner.cu"
// Runs one kernel on matrices of 256 x 256; ends with 1 if the product is wrong.
int main(int, char** arguments) {
    const int n = 256;
    float *a, *b, *c, *reference = new float[n * n];
    cudaMallocManaged(&a, n * n * 4); cudaMallocManaged(&b, n * n * 4); cudaMallocManaged(&c, n * n * 4);
    for (int i = 0; i < n * n; ++i) { a[i] = i % 7 - 3; b[i] = i % 5 - 2; c[i] = i % 3; }
    for (int i = 0; i < n * n; ++i) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
        reference[i] = 0.5f * sum + 3 * c[i];
    }
    run_kernel(atoi(arguments[1]), n, n, n, 0.5f, a, b, 3.0f, c, nullptr);
    cudaCheck(cudaDeviceSynchronize(), __FILE__, __LINE__);
    const bool right = verify_matrix(reference, c, n * n);
    cudaFree(a); cudaFree(b); cudaFree(c);
    return right ? 0 : 1;
}
"""


def sgemm(folder):
    """The kernels that compute what cuBLAS computes, with the launches of runner.cu. All are correct."""
    runner, = files_of(folder, "src/runner.cu", "SGEMM_CUDA")
    kernels = files_of(folder, "src/kernels/*.cuh", "SGEMM_CUDA")
    for number, path in sorted((int(path.name.partition("_")[0]), path) for path in kernels):
        yield Program(path.stem, SGEMM_MAIN, frozenset({"any"}), frozenset(),
                      flags=("-I", str(runner.parent), "-lcublas"), arguments=(str(number),))


SUITES = {each.__name__: each for each in (indigo, scor, barracuda, samples, sgemm)}

# (suite, patterns of names, what, why) for each difference that is understood.
SCOPES = "atomics of block scope are not strong for another block, and the threads that see the flag have no fence"
EXPLAINED = [
    ("indigo", "*_neighbor_*boundsBug*", "miss memory", "no vertex of this graph has its first neighbour beyond the end of the list"),
    ("indigo", "*boundsBug*", "false alarm race",
     "threads beyond the last vertex read other memory as the ends of their loops, and write elements of other threads: the race is real"),
    ("scor", "race_*fence_* race_*lock-* race_*_none-*", "miss race",
     "the data is volatile: two volatile accesses are strong, which PTX's memory model does not call a data race"),
    ("scor", "norace_*_fence-atom_*", "false alarm race", SCOPES),
    ("scor", "plain/norace_*_fence-atom_*", "false alarm plain race", SCOPES),
    ("scor", "plain/norace_*fence_*", "false alarm plain race",
     "the thread that sees the flag has no fence before it reads: only volatile data needs none"),
    ("barracuda", "racey/dynamic_*", "not run", "kernels can no longer call cudaDeviceSynchronize() or use events: CUDA 12 removed that"),
    ("barracuda", "racey/dynamic_parallelism_with_streams_RW", "miss race", "a grid's children run in one stream (app/LIMITS.md)"),
    ("barracuda", "racey/flag_sync_*_NO_VOLATILE_PTX_CG", "false alarm race", "a plain store and a plain load of the flag are a race"),
    ("barracuda", "racey/implicit_*_THREADS=2", "false alarm race", "lanes of a warp need not run in lockstep since Volta"),
    ("barracuda", "racey/base_with_* racey/dynamic_*_WW racey/warp_lock_GLOBAL_*_BLOCKS=2_*", "miss race",
     "both threads write 0: a note, because the order does not matter"),
    ("barracuda", "racey/warp_lock_SHARED_*_BLOCKS=2_*", "miss race", "each block has its own shared x"),
    ("barracuda", "racey/warp_lock_*_NO_VOLATILE_*", "miss race", "all accesses to the lock are atomic, and both fences are there"),
    ("barracuda", "spatial_offset/struct_*", "miss bounds", "the access leaves a member, but not the variable or the allocation"),
    ("barracuda", "spatial_offset/pitched_ptr_*", "miss bounds", "the padding of a pitched allocation belongs to it"),
    ("barracuda", "spatial_offset/two_array_*", "miss bounds", "the address is computed from both pointers, and the other array is there"),
    ("barracuda", "temporal/host_uninit_memcpy_*", "miss memory", "a copy may copy what was never written"),
    ("barracuda", "temporal/host_bad_memcpy_*", "miss *", "the file defines the sizes again, so that every copy is in bounds"),
    ("barracuda", "temporal/host_uninit_r", "miss memory", "the kernel only writes"),
    ("barracuda", "temporal/device_bad_alloc", "miss call", "malloc() in a kernel gives a null pointer, and free() takes it"),
    ("barracuda", "temporal/leaky_pointers_child_*", "miss memory", "the child does not use the pointer"),
    ("sgemm", "11_kernel_double_buffering", "false alarm any",
     "the halves of a block wait at different __syncthreads(), which CUDA allows only where all threads take the same path"),
    ("samples", "NvtxPermissions/*", "miss memory", "the permissions of the memory are known only to tools that NVTX calls"),
    ("samples", "NvtxMemoryPool/*", "not run", "the program ends at its first call of NVTX, which finds no tool"),
]


def explanation(suite, name, what):
    name = name.replace(" ", "_")
    return next((why for where, patterns, kind, why in EXPLAINED
                 if where == suite and fnmatch(what, kind) and any(fnmatch(name, each) for each in patterns.split())), None)


MOST = 20  # programs that are compiled at a time: most of nvcc's time goes into the headers
HEADERS = "".join(f"#include <{name}>\n" for name in (
    "assert.h", "cuda.h", "limits.h", "stdio.h", "stdlib.h", "string.h", "unistd.h", "cassert", "cstdio", "cstdlib", "iostream", "type_traits"))
CALL_MAIN = """
template<class Main> int call(Main main, int count, char** words) {
    if constexpr (std::is_invocable_v<Main, int, char**>) return main(count, words);
    else return main();
}
int main(int count, char** words) {
    switch (atoi(words[1])) {
"""


def variant(program):
    """What is compiled; programs that differ only in their arguments share it."""
    return program.source, program.flags, program.defines


def text_of(programs):
    """One file for several programs, each in a namespace. The first argument of its main() is the number of the program that runs.
    A single program is compiled as it is."""
    parts = [HEADERS] if len(programs) > 1 else []
    for number, program in enumerate(programs):
        pairs = [define.partition("=") for define in program.defines]
        parts += [f"#define {name} {value if given else 1}\n" for name, given, value in pairs]
        text = program.source if isinstance(program.source, str) else f'#include "{program.source}"'
        parts.append(f"namespace program_{number} {{\n{text}\n}}\n" if len(programs) > 1 else text + "\n")
        parts += [f"#undef {name}\n" for name, _, _ in pairs]
    cases = [f"    case {number}: return call(program_{number}::main, count - 1, words + 1);\n" for number in range(len(programs))]
    return "".join([*parts, CALL_MAIN, *cases, "    }\n    return 99;\n}\n"] if len(programs) > 1 else parts)


class Place:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.env = clean_environment(folder)

    def build(self, number, programs):
        """Returns (program's file, "") or (None, what the compiler says)."""
        binary = self.folder / f"program_{number}_{len(programs)}"
        source = binary.with_suffix(".cu")
        source.write_text(text_of(programs))
        command = [str(self.program), "build", "--", "nvcc", "-w", *programs[0].flags, "-o", str(binary), str(source)]
        status, out, err = run(command, cwd=self.folder, env=self.env, timeout_s=LIMIT_S)
        said = [line for line in (out + err).splitlines() if re.search("error|undefined", line)] or (out + err).splitlines() or ["no message"]
        return (binary, "") if status == 0 else (None, "does not compile: " + said[0].rpartition("error: ")[2])

    def check(self, program, command):
        began = time.monotonic()
        command = [str(self.program), "record", "--check", "--json", "--", *map(str, command), *program.arguments]
        status, out, err = run(command, cwd=self.folder, env=self.env, timeout_s=LIMIT_S)
        outcome = Outcome(program, seconds=time.monotonic() - began)
        if not out.startswith("{"):
            outcome.not_run = f"no end after {LIMIT_S} s" if status is None else f"exit {status}: {err.strip()[:200]}"
            return outcome
        report = json.loads(out)
        findings = [each for each in report["findings"] if each["severity"] != "note" or each["kind"] == "failed_call"]
        outcome.kinds = sorted({each["kind"] for each in findings})
        if "any" in program.judged and report["program"].get("exit_status"):
            outcome.kinds.append("wrong_result")
        outcome.messages = [each["message"] for each in findings]
        if report["unsupported"] and outcome.differences():
            outcome.not_run = "unsupported: " + report["unsupported"][0]["message"]
        elif report["program"].get("exit_status") != 0 and not report["launches"] and not outcome.kinds:
            outcome.not_run = "launches no kernel: " + (report["program"].get("note") or report["program"]["stderr"].strip()[:200] or "no message")
        return outcome

    def run_group(self, numbered):
        """Builds programs at once and runs them; if some do not compile, each half is tried by itself."""
        number, group = numbered
        variants = list({variant(each): each for each in group}.values())
        binary, why = self.build(number, variants)
        if not binary and len(variants) > 1:
            first = {variant(each) for each in variants[:len(variants) // 2]}
            return self.run_group((f"{number}a", [each for each in group if variant(each) in first])) + \
                self.run_group((f"{number}b", [each for each in group if variant(each) not in first]))
        commands = {variant(each): [binary, i] if len(variants) > 1 else [binary] for i, each in enumerate(variants)}
        outcomes = [self.check(each, commands[variant(each)]) if binary else Outcome(each, not_run=why) for each in group]
        if binary:
            binary.unlink()
        return outcomes


def groups_of(programs):
    """Programs with the same flags, at most MOST variants together."""
    by_flags = {}
    for each in programs:
        by_flags.setdefault(each.flags, {}).setdefault(variant(each), []).append(each)
    for variants in by_flags.values():
        every = list(variants.values())
        for first in range(0, len(every), MOST):
            yield [each for same in every[first:first + MOST] for each in same]


def version_of(program):
    return subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def tell(suite, outcomes, version, seconds, cpu_seconds):
    """Prints the table, and each difference. Returns it as an object for JSON."""
    ran = [each for each in outcomes if not each.not_run]
    rows = []
    for label in sorted({label for each in outcomes for label in each.program.judged}):
        judged = [each for each in ran if label in each.program.judged]
        pairs = Counter((label in each.program.labels, bool(KINDS[label] & set(each.kinds))) for each in judged)
        rows.append({"label": label, "labelled": pairs[True, True] + pairs[True, False], "found": pairs[True, True], "missed": pairs[True, False],
                     "others": pairs[False, True] + pairs[False, False], "false_alarms": pairs[False, True]})
    differences = [{"program": each.program.name, "what": what, "text": text, "explanation": explanation(suite, each.program.name, what)}
                   for each in outcomes for what, text in each.differences()]
    print(f"{suite}: {len(outcomes)} programs, {len(outcomes) - len(ran)} not run, Lanescope {version}")
    print(f"{seconds:.0f} s with building, {cpu_seconds:.0f} s of CPU time")
    print(f"{'label':10} {'labelled':>8} {'found':>8} {'missed':>8} {'others':>8} {'false alarms':>12}")
    for row in rows:
        print(f"{row['label']:10} {row['labelled']:8} {row['found']:8} {row['missed']:8} {row['others']:8} {row['false_alarms']:12}")
    for each in differences:
        print(f"{each['what']}: {each['program']}: {each['text']}\n    {each['explanation'] or 'NOT EXPLAINED'}")
    return {"suite": suite, "version": version, "programs": len(outcomes), "ran": len(ran), "seconds": round(seconds, 1),
            "cpu_seconds": round(cpu_seconds, 1), "labels": rows, "differences": differences}


def score(options):
    program = options.program.resolve()
    programs = [each for each in SUITES[options.suite](options.folder.resolve()) if fnmatch(each.name, options.only)]
    began = time.monotonic()
    outcomes = []
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(prefix="lanescope-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        place = Place(program, Path(folder))
        for done in pool.map(place.run_group, enumerate(groups_of(programs))):
            outcomes += done
            if sys.stderr.isatty():
                print(f"\r{len(outcomes)} of {len(programs)}", end="\n" if len(outcomes) == len(programs) else "", file=sys.stderr)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = tell(options.suite, outcomes, version_of(program), time.monotonic() - began,
                  now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
    result["outcomes"] = [{"program": each.program.name, "labels": sorted(each.program.labels), "kinds": each.kinds, "not_run": each.not_run,
                           "seconds": round(each.seconds, 2)} for each in outcomes]
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0 if result["ran"] and all(each["explanation"] for each in result["differences"]) else 1


RACY = "__global__ void add(int* sum) { *sum += 1; }\n"
CLEAN = "__global__ void add(int* sum) { atomicAdd(sum, 1); }\n"
MAIN = """int main() {
    int* sum;
    cudaMalloc(&sum, 4); cudaMemset(sum, 0, 4);
    add<<<2, 64>>>(sum);
    const bool fine = cudaDeviceSynchronize() == cudaSuccess;
    cudaFree(sum);
    return fine ? 0 : 1;
}
"""


def self_test(program):
    """Suites of two or three programs in the layout of ScoR: with right labels, with wrong ones, and in another layout."""
    report = Report()

    def case(name, files, wanted_status, *wanted):
        with tempfile.TemporaryDirectory(prefix="lanescope-") as folder:
            for path, text in files.items():
                (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / path).write_text(text)
            done = subprocess.run([sys.executable, __file__, "scor", folder, "--program", program], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
        missing = [text for text in wanted if not re.search(text, done.stdout)]
        report.verdict(f"suites: {name}", "failed" if missing or done.returncode != wanted_status else "passed",
                       f"exit {done.returncode}, not {wanted_status}; missing: {missing}\n{done.stdout}")

    source = "microbenchmarks/src/"
    if subprocess.run(["sh", "-c", "command -v nvcc"], stdout=subprocess.DEVNULL, check=False).returncode:
        report.skip("suites: self-test", "no nvcc")
    else:
        case("right labels", {source + "race_a.cu": RACY + MAIN, source + "norace_b.cu": CLEAN + MAIN}, 0, r"race +1 +1 +0 +1 +0\n")
        case("wrong labels", {source + "race_a.cu": CLEAN + MAIN, source + "norace_b.cu": RACY + MAIN, source + "race_c.cu": "?"}, 1,
             r"race +1 +0 +1 +1 +1\n", "miss race: race_a: found nothing", "false alarm race: norace_b: .*sum", "not run: race_c: does not compile",
             "NOT EXPLAINED")
        case("nothing ran", {source + "race_c.cu": "?"}, 1, "2 programs, 2 not run")
    case("bad_layout", {"other/race_a.cu": RACY}, 2, "no microbenchmarks/src/")
    report.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", nargs="?", choices=sorted(SUITES))
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="*", metavar="PATTERN", help="of the names of programs, as in 'race_*'")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "lanescope")
    parser.add_argument("--self-test", action="store_true", help="tries the scoreboard on programs of its own")
    options = parser.parse_args()
    if options.self_test:
        self_test(options.program.resolve())
    if not options.folder:
        parser.error("a suite and its folder are needed")
    try:
        sys.exit(score(options))
    except Unknown as unknown:
        parser.error(str(unknown))


if __name__ == "__main__":
    main()
