#!/usr/bin/env python3
"""Runs the commands that the pages print, and checks that the pages are complete.

    tests/readme/run.py [--build FOLDER] [--rebase]       --rebase: draws README.md's moving picture again

Commands: every line in a ```sh block of a page runs and must end with exit 0, except those of `NOT_RUN`. There is no
display, so a line that opens the window must end with the message that the window needs one.
Pages: the links, anchors and pictures of every page exist. A suite draws each picture again, or `RECORDED` names it.
Pages of `MOST_LINES` are no longer than that. The manual page describes every option, and each option that a page names
exists. Files and names of code that the pages in app/ mention exist. app/REPORT.md has every key of the JSON. Tables that
scripts write match the recordings.
"""

import argparse
import json
import re
import shlex
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, has_gpu, output_folder, run  # noqa: E402
from gif import facts_of_gif  # noqa: E402

LIMIT_S = 120
MOST_LINES = {"README.md": 130, "app/README.md": 200, "kernels/README.md": 250}
FOR_USERS = ("README.md", "app/COMMANDS.md", "app/WINDOW.md", "app/REPORT.md", "app/LIMITS.md", "kernels/README.md", "kernels/REFERENCE.md")
OTHER_OPTIONS = {"--cudart", "--gres", "--gtest_filter"}    # of other programs
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#:]*)(?:#([^):]*))?\)")
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
RECORDED = ("assets/images/gpu_threads.png", "assets/images/gpu_schedule.png")   # drawn on a GPU
MOVING = "assets/readme/brent_kung.gif"
DRAW_MOVING = "export kernels/scan/brent_kung.cu --set n=16 --steps 4..47 --delay 600 --size 1200x720"
MOST_BYTES = {".gif": 1_000_000, ".png": 128 * 1024}    # of README.md's pictures
KERNEL_START = "/*--- lanescope"

# Lines that begin with one of these do not run; the value is the reason.
NOT_RUN = {
    "app/run.sh --build-only": "it builds",
    "tests/run.sh": "it runs this suite",
    "tests/window/run.py": "the suite 'window' runs it",
    "tests/page/run.py": "the suite 'page' runs it",
    "tests/python/run.py": "the suite 'python' runs it",
    "tests/fuzz/run.sh": "it takes minutes",
    "FOLDER/run.sh": "it belongs to another machine",
    "tests/clock/run.py": "the suite 'clock' runs it",
    "tests/timings/record.py": "it needs a GPU, and writes the recording",
    "tests/timings/sweep.py": "it needs a GPU, and writes the recording",
    "tests/cudart/compare.py": "it needs a GPU; the suite 'cudart' checks its table",
    "tests/timings/ncu_lines.py": "it needs a GPU and Nsight Compute, and writes the recording",
    "tests/timings/merge.py": "it needs reports of a GPU, and writes the recordings",
    "tests/timings/roofline.py": "it needs a GPU or its reports, and writes the recording",
    "tests/timings/counts.py": "it writes assets/counts.json, which this suite checks",
    "tests/timings/counters_page.py": "it writes tests/timings/COUNTERS.md, which this suite checks",
    "tests/timings/table.py": "it writes kernels/REFERENCE.md, which this suite checks",
    "tests/bench/peers.py": "it takes minutes",
    "tests/suites/run.py": "it needs a suite; the suite 'cudart' tries it on programs of its own",
    "build/release/bench_": "it takes minutes",
    "build/release/flow_bench": "it measures, and is built with the tools",
    "build/asan/": "it needs the sanitized build",
    "cmake --install": "it installs",
    "cpack": "it makes packages",
    "pip install": "the suite 'install' does it",
    "app/python/wheel.sh": "the suite 'install' does it",
    "lanescope doctor --get-compiler": "it downloads",
    "lanescope run program.cu": "the suite 'cudart' runs whole programs",
    "lanescope program.cu": "the suite 'cudart' runs whole programs",
    "lanescope run tests/corpus/languages/": "unit_execution_ptx runs them",
    "lanescope build --": "the suite 'cudart' builds whole programs",
    "lanescope serve": "the suite 'serve' runs it",
    "lanescope record": "the suite 'cudart' runs whole programs",
}
TAKE_PROGRAM = ("tests/golden/run.py", "tests/checks/run.py")    # --program FILE, not --build FOLDER
SUBCOMMANDS = ("run", "render", "export", "list", "check", "lesson", "time", "preview", "serve", "web", "doctor", "record", "build")
SOURCES = {".cpp", ".h", ".def", ".comp", ".frag"}
OTHER_HEADERS = ("nvrtc.h", "cuda.h", "microhttpd.h")
NAME = re.compile(r"(?:\w+::)+([A-Za-z_]\w*)|^([A-Z][a-z]+[A-Z]\w*)$")
LIMITS = (    # what app/LIMITS.md says, and where the code says it
    ("2,000,000,000", "app/simt/launch/launch.h", "warp_instructions = 2'000'000'000;"),
    ("| 60 s;", "app/simt/launch/launch.h", "seconds = 60;"),
    ("| 20,000 (child grids included), 1 MiB", "app/simt/launch/launch.h", "launches = 20'000;"),
    ("| 4 GiB;", "app/simt/launch/launch.h", "memory_bytes = 4ull << 30;"),
    ("| trace | 1 GiB", "app/execution/run/run.h", "trace_bytes = 1ull << 30;"),
    ("remembers accesses in 1 GiB", "app/analysis/races.h", "shadow_bytes = 1ull << 30;"),
    ("100,000 runs", "app/execution/run/explore.h", "runs = 100'000;"),
    ("1024 threads", "app/execution/run/explore.h", "threads = 1024;"),
    ("2,000,000 instructions a run", "app/execution/run/explore.h", "warp_instructions = 2'000'000;"),
    ("32 random schedules", "app/execution/run/explore.h", "seeds = 32;"),
    ("| 30 s, 6 GiB", "app/compile/worker.cpp", "bytes = 6ull << 30;"),
    ("512 MiB for the graph", "app/analysis/flow/flow.h", "bytes = 512ull << 20;"),
    ("20 MB, 1000 steps", "app/page/page.h", "max_bytes = 20ull << 20;"),
    ("8192 × 8192 pixels", "app/image/decode.h", "max_side = 8192;"),
)
# JSON objects whose keys are names of buffers, parameters or operations.
NAMES = ("buffers", "kernels", "parameters", "operations", "data_operations")
JSON_SAMPLES = (
    "run kernels/scan/hillis_steele_one_barrier_missing.cu --json --per-instruction --record-blocks 0",
    "run kernels/reduction/modulo.cu --json --gpu-schedule",
    "run kernels/atomics/lost_update.cu --schedule all --json",
    "list --json",
    "check --list --json",
    "lesson check scan/sequential --json",
    "time convolution --roofline --recorded --json",
    "check kernels/reduction/exercises/fix_the_race.cu --json",
    "preview assets/images/chart.png -o chart_filtered.png --json",
    "doctor --json",
)
TIMES = "assets/timings/nvidia-h200.json"    # the output of `time --json` on a GPU


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def without_code(page):
    """Links and pictures in code are examples."""
    return CODE.sub("", BLOCK.sub("", text_of(page)))


def all_pages():
    folders = ("app", "assets", "kernels", "shaders", "tests")
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.md"))]
    return ["README.md", *(path.relative_to(ROOT).as_posix() for path in found)]


# --- Commands -----------------------------------------------------------------------------------------------------


def commands(page):
    for language, block in BLOCK.findall(text_of(page)):
        for line in block.splitlines() if language == "sh" else []:
            if words := shlex.split(line, comments=True):
                yield words


def unmarked_commands(page):
    """Returns lines that look like commands but stand in blocks of another language, so that they would not run."""
    return [line for language, block in BLOCK.findall(text_of(page)) if language != "sh"
            for line in block.splitlines() if re.match(r"lanescope |app/run\.sh|tests/\S+\.(sh|py)|build/", line)]


def own_kernel():
    """Returns the file name and the text of the kernel in kernels/README.md."""
    page = text_of("kernels/README.md")
    kernel = next(block for _, block in BLOCK.findall(page) if block.startswith(KERNEL_START) and "__global__" in block)
    return re.search(r"^lanescope run (\w+\.cu)", page, re.MULTILINE)[1], kernel


def write_own_exercise(folder):
    """Writes the files of the exercise that kernels/README.md prints, and its solution as a submission."""
    blocks = [block for _, block in BLOCK.findall(text_of("kernels/README.md"))]
    first = next(i for i, block in enumerate(blocks) if 'exercise = "week3/twice"' in block)
    starter, solution, entries = blocks[first:first + 3]
    files = {"marking/week3/exercises/twice.cu": starter, "marking/week3/exercises/twice.solution.cu": solution,
             "marking/week3/lesson.toml": entries, "submissions/ada.cu": solution}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def why_not_run(words):
    line = " ".join(words)
    return next((reason for start, reason in NOT_RUN.items() if line.startswith(start)), None)


def is_there(program):
    """Returns whether a script of the checkout is executable; other programs belong to the system or to a build."""
    if not program.startswith(("app/", "tests/")):
        return True
    return (ROOT / program).is_file() and bool((ROOT / program).stat().st_mode & 0o100)


def needs_gpu(words):
    return words[1:2] == ["time"] and "--recorded" not in words or "--engine gpu" in " ".join(words)


def opens_window(words):
    return words[0] in ("lanescope", "app/run.sh") and not set(words[1:2]) & set(SUBCOMMANDS) and "--version" not in words \
        and "--help" not in words


def is_right(words, code, err):
    """Returns whether a command ended as it must. A command that opens the window must accept its file and options, and
    then say that the window needs a display, which this suite lacks."""
    if opens_window(words):
        return code == 3 and "The window needs a display" in err
    return code == 0 or code == 3 and words[1:2] == ["doctor"] and not has_gpu()


def run_command(words, build, folder):
    """Returns (verdict, text)."""
    if (reason := why_not_run(words)) is not None:
        missing = f"{words[0]} does not exist or is not executable ({reason})"
        return ("passed", "") if is_there(words[0]) else ("failed", missing)
    if needs_gpu(words) and not has_gpu():
        return "skipped", "no GPU"
    env = clean_environment(folder)
    if words[0] in ("lanescope", "app/run.sh"):
        command, cwd = [str(build / "lanescope"), *words[1:]], folder
    elif words[:2] == ["python3", "-m"] and words[2].startswith("lanescope."):
        command, cwd = [sys.executable, *words[1:]], folder
        env |= {"PYTHONPATH": str(ROOT / "app" / "python"), "LANESCOPE_PROGRAM": str(build / "lanescope")}
    elif words[0].startswith("build/release/"):
        command, cwd = [str(build / Path(words[0]).name), *words[1:]], ROOT
    elif words[0].startswith("tests/") and is_there(words[0]):
        built = ["--program", str(build / "lanescope")] if words[0] in TAKE_PROGRAM else ["--build", str(build)]
        command, cwd = [sys.executable, str(ROOT / words[0]), *words[1:], *built], ROOT
    else:
        return "failed", f"this suite cannot run {words[0]}; remove the line or add it to NOT_RUN in tests/readme/run.py"
    code, out, err = run(command, cwd=cwd, env=env, timeout_s=LIMIT_S)
    return "passed" if is_right(words, code, err) else "failed", f"exit {code}\n{err}{out}"


def check_commands(report, build, folder):
    file_name, kernel = own_kernel()
    (folder / file_name).write_text(kernel, encoding="utf-8")
    write_own_exercise(folder)
    unused = set(NOT_RUN)
    for page in all_pages():
        unmarked = unmarked_commands(page)
        report.verdict(f"readme: {page}: blocks", "failed" if unmarked else "passed",
                       "put these commands into ```sh blocks: " + "; ".join(unmarked))
        for words in commands(page):
            unused -= {start for start in NOT_RUN if " ".join(words).startswith(start)}
            report.verdict(f"readme: {page}: {shlex.join(words)}", *run_command(words, build, folder))
    report.verdict("readme: NOT_RUN", "failed" if unused else "passed",
                   "no page has these lines; remove them from NOT_RUN: " + ", ".join(sorted(unused)))


# --- Links and pictures -------------------------------------------------------------------------------------------


def anchors(page):
    """Returns the anchors that GitHub makes of the headings."""
    plain = [re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(BLOCK.sub("", text_of(page)))]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def target_of(page, name):
    """Returns the target of a page's link, relative to the repository's root."""
    return (((ROOT / page).parent / name).resolve().relative_to(ROOT) if name else Path(page)).as_posix()


def check_links(report, page):
    for name, anchor in sorted(set(LINK.findall(without_code(page)))):
        target = target_of(page, name)
        if not (ROOT / target).exists():
            report.failure(f"readme: {page}: {target}", "no such file")
        elif anchor and anchor not in anchors(target):
            report.failure(f"readme: {page}: {target}#{anchor}", "no such heading")
        else:
            report.success(f"readme: {page}: {target}")


def case_names(name):
    lines = (ROOT / "tests/screens" / name).read_text(encoding="utf-8").splitlines()
    return [line.split(":", 1)[0] for line in lines if line.strip() and not line.startswith("#")]


def is_drawn(picture):
    """Returns whether a suite draws the picture again and compares it."""
    folder, name = Path(picture).parent.as_posix(), Path(picture).stem
    if folder == "assets/readme":
        return name in case_names("readme.txt") or picture == MOVING
    return folder == "tests/screens/pictures" and name in case_names("pictures.txt")


def fault_of_picture(page, picture):
    path = ROOT / picture
    if not path.is_file():
        return "no such file"
    if not is_drawn(picture) and picture not in RECORDED:
        return "no suite draws it again, and RECORDED does not name it"
    most = MOST_BYTES.get(path.suffix, 0)
    if page == "README.md" and path.stat().st_size > most:
        return f"the picture has {path.stat().st_size} bytes; at most {most} are allowed"
    return ""


def check_pictures(report, page):
    for name in PICTURE.findall(without_code(page)):
        picture = target_of(page, name)
        fault = fault_of_picture(page, picture)
        report.verdict(f"readme: {page}: {picture}", "failed" if fault else "passed", fault)


def check_moving_picture(report, build, folder, rebase):
    """Draws the picture again and compares its size, number of pictures and delays. Pixels may differ a little between
    versions of Mesa."""
    drawn = ROOT / MOVING if rebase else output_folder("readme") / Path(MOVING).name
    command = [str(build / "lanescope"), *shlex.split(DRAW_MOVING), "-o", str(drawn)]
    code, out, err = run(command, cwd=ROOT, env=clean_environment(folder), timeout_s=LIMIT_S)
    if code != 0:
        report.failure(f"readme: {MOVING}", f"exit {code}\n{err}{out}")
        return
    now, kept = facts_of_gif(drawn.read_bytes()), facts_of_gif((ROOT / MOVING).read_bytes())
    report.verdict(f"readme: {MOVING}", "rewritten" if rebase else "passed" if now == kept else "failed",
                   f"the new picture has {now}, the kept one {kept}; tests/readme/run.py --rebase replaces it")


# --- Contents of the pages ------------------------------------------------------------------------------------------


def check_lengths(report):
    for page, most in MOST_LINES.items():
        lines = text_of(page).count("\n")
        report.verdict(f"readme: {page}: length", "passed" if lines <= most else "failed",
                       f"the page has {lines} lines; at most {most} are allowed")


def check_names(report):
    """Checks that files and names such as `trace::Replay` or `StageView` in the pages on the code are those of the code."""
    sources = [path for folder in ("app", "shaders", "tests/unit") for path in (ROOT / folder).rglob("*") if path.suffix in SOURCES]
    words = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in sources)))
    names = [path.as_posix() for path in sources]
    for page in (page for page in all_pages() if page.startswith("app/") and page.endswith("README.md")):
        marked = [token.strip("`") for token in CODE.findall(BLOCK.sub("", text_of(page)))]
        files = [token for token in marked if re.fullmatch(r"[\w./-]+", token) and Path(token).suffix in SOURCES and token not in OTHER_HEADERS]
        wrong = [token for token in files if not any(name.endswith("/" + token) for name in names)]
        wrong += [token for token in marked for found in NAME.findall(token) if "".join(found) not in words]
        report.verdict(f"readme: {page}: names", "failed" if wrong else "passed", "the code has no " + ", ".join(wrong))


def check_limits(report):
    """Checks that app/LIMITS.md and the code state the same limits."""
    page = text_of("app/LIMITS.md")
    for words, file, code in LIMITS:
        wrong = "" if words in page else f"the page does not say {words}"
        wrong = wrong if code in text_of(file) else f"{file} does not have {code}"
        report.verdict(f"readme: app/LIMITS.md: {words}", "failed" if wrong else "passed", wrong)


def check_options(report, build, folder):
    """Checks that the manual page says of every option what it does, and that the pages name only options that exist."""
    code, out, err = run([str(build / "lanescope"), "__manual"], cwd=folder, env=clean_environment(folder), timeout_s=LIMIT_S)
    manual = out.replace("\\-", "-")
    silent = re.findall(r"^\.TP\n(\\fB-.*)\n(?=\.|\n)", manual, re.MULTILINE)
    report.verdict("readme: the manual page", "failed" if code or silent else "passed", err + "without a description: " + ", ".join(silent))
    options = set(re.findall(r"--[a-z][\w-]*", manual)) | OTHER_OPTIONS
    for page in FOR_USERS:
        words = " ".join(CODE.findall(BLOCK.sub("", text_of(page))))
        wrong = sorted(set(re.findall(r"(?<![\w-])--[a-z][\w-]*", words)) - options)
        report.verdict(f"readme: {page}: options", "failed" if wrong else "passed", "unknown options: " + ", ".join(wrong))


def keys_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from () if key in NAMES and isinstance(inner, dict) else keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


def check_json(report, build, folder):
    """Checks that a page describes every key, as `key` or as `…_ending`."""
    words = set(re.findall(r"`([\w…]+)`", text_of("app/REPORT.md") + text_of("app/COMMANDS.md")))
    endings = tuple(word[1:] for word in words if word.startswith("…"))
    for sample in (*JSON_SAMPLES, TIMES):
        if sample == TIMES:
            out, err = text_of(sample), ""
        else:
            _, out, err = run([str(build / "lanescope"), *shlex.split(sample)], cwd=folder, env=clean_environment(folder), timeout_s=LIMIT_S)
        try:
            missing = sorted({key for key in keys_of(json.loads(out)) if key not in words and not key.endswith(endings)})
        except json.JSONDecodeError as error:
            missing, err = ["everything"], f"{error}\n{err}"
        report.verdict(f"readme: app/REPORT.md: keys of {sample}", "failed" if missing else "passed",
                       err + "the page does not describe " + ", ".join(missing))


def check_tables(report, build, folder):
    for name, words in (("kernels/REFERENCE.md: the table", ["table.py", "--check"]),
                        ("tests/timings/COUNTERS.md", ["counters_page.py", "--check"]),
                        ("assets/counts.json", ["counts.py", "--check", "--build", str(build)])):
        code, out, err = run([sys.executable, str(ROOT / "tests/timings" / words[0]), *words[1:]], cwd=ROOT,
                             env=clean_environment(folder), timeout_s=LIMIT_S)
        report.verdict(f"readme: {name}", "passed" if code == 0 else "failed", err + out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--rebase", action="store_true", help="draw README.md's moving picture again")
    options = parser.parse_args()
    build = options.build.resolve()
    report = Report()
    for page in all_pages():
        check_links(report, page)
        check_pictures(report, page)
    check_lengths(report)
    check_names(report)
    check_limits(report)
    with tempfile.TemporaryDirectory(prefix="lanescope-readme-") as name:
        folder = Path(name)
        for link in ("kernels", "assets", "shaders"):
            (folder / link).symlink_to(ROOT / link)
        check_moving_picture(report, build, folder, options.rebase)
        check_commands(report, build, folder)
        check_options(report, build, folder)
        check_json(report, build, folder)
        check_tables(report, build, folder)
    report.finish()


main()
