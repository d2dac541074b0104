#!/usr/bin/env python3
"""Checks the style of the files of the project: layout of C++, white space, words, pages, catalogues, order of folders.

    tests/style/run.py [--tidy BUILD_FOLDER]      also runs clang-tidy over what that folder compiles
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report  # noqa: E402

CODE = {".cpp", ".h", ".def"}
TEXT = CODE | {".cu", ".py", ".sh", ".md", ".toml", ".cmake", ".txt", ".yml", ".js", ".css", ".html", ".glsl", ".frag", ".vert", ".comp"}
PLACES = ("app", "tests", "kernels", "shaders", "assets", ".github")
# Text that other programs or people wrote, and text that quotes it.
FOREIGN = ("tests/corpus/", "tests/checks/correct/", "tests/checks/faulty/", "tests/fuzz/findings/", "tests/fuzz/seeds/", "tests/screens/texts/", "tests/golden/", "tests/timings/")
RECORDED = "tests/corpus/"   # recordings of GPUs name the exact text of these kernels
# Patterns of another language's syntax, each with the remedy.
WORDS = [
    (re.compile(r"(?:^|[.;:(] |// |# |\")Of (?:the|a|an|its|all|each|every|these|this|those)\b"), "begin with the subject: 'Lines that ran'"),
    (re.compile(r"(?<!\bthere )(?<!\bThere )\b(?:is|are) no (?!longer\b|more\b)[a-z]"), "write 'is not a …' or 'must be …'"),
    (re.compile(r"\b(?:nobody|somebody|whoever)\b", re.I), "name the thread, the file or the person"),
    (re.compile(r"std::to(?:lower|upper)\("), "use base/text.h, which does not follow the user's locale"),
    (re.compile(r"\bthat which\b|\bsuch a one\b|\blets itself\b"), "say it in plain words"),
    (re.compile(r"\b(?:thread|lane|warp|block|kernel|launch)(?:e?s)? who\b|\b[Ww]ho (?:waits|runs|writes|loads|reads|is last)\b"),
     "a part of a program is 'which'"),
    (re.compile(r"\b(?:thread|lane|warp|block)'s way\b"), "write 'path'"),
    (re.compile(r"\b(?:is|are|was|were) told\b(?! apart)"), "write 'is reported', 'is listed', 'gets'"),
    (re.compile(r"[Ll]et [\w ]{3,20} out\b"), "write 'leave out …'"),
    (re.compile(r"\bnothing else in the \w+ tells\b"), "write 'no other … shows'"),
]
MOST_CHARACTERS = 140    # of a line of prose in a page; tables, code and pictures may have more
MOST_BYTES = 212_000     # of all pages together: a person reads them


def files():
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts:
                yield path
    yield from (path for path in sorted(ROOT.iterdir()) if path.is_file() and path.suffix in TEXT)


def room(path):
    """Returns the room of a file, which is one case: app/ui, tests/unit, kernels, …"""
    return "/".join(path.relative_to(ROOT).parts[:-1][:2]) or "the root folder"


def tell(report, kind, paths, found):
    """Reports one case for each room; `found` holds (path, text) pairs."""
    for each in sorted({room(path) for path in paths}):
        lines = [text for path, text in found if room(path) == each]
        if lines:
            report.failure(f"style: {kind} in {each}", "\n".join(lines))
        else:
            report.success(each)


def check_layout(report, code):
    program = shutil.which("clang-format")
    if program is None:
        return report.skip("style: layout of C++", "no clang-format")
    parts = [code[i::os.cpu_count()] for i in range(os.cpu_count())]
    with ThreadPoolExecutor() as pool:
        outputs = pool.map(lambda part: subprocess.run([program, "--dry-run", "-Werror", *map(str, part)], capture_output=True,
                                                       text=True, check=False).stderr, parts)
    wrong = {line.split(":")[0] for output in outputs for line in output.splitlines() if "clang-format-violations" in line}
    tell(report, "layout of C++", code, [(path, f"clang-format -i {path.relative_to(ROOT)}") for path in code if str(path) in wrong])


def mistakes(path):
    name = str(path.relative_to(ROOT))
    text = path.read_text(encoding="utf-8", errors="replace")
    if text and not text.endswith("\n"):
        yield f"{name}: the last line does not end with a newline"
    own = not name.startswith(FOREIGN) and name != "tests/style/run.py"
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip() and path.suffix != ".md" and not name.startswith(RECORDED):
            yield f"{name}:{number}: the line ends with white space"
        for pattern, remedy in WORDS if own else ():
            if match := pattern.search(line):
                yield f"{name}:{number}: '{match.group().strip()}': {remedy}"


def check_workflow(report):
    """Checks that the jobs of the workflow have each suite of tests/run.sh once."""
    script, workflow = ((ROOT / name).read_text(encoding="utf-8") for name in ("tests/run.sh", ".github/workflows/ci.yml"))
    suites = [name for words in re.findall(r"^(?:usual|slow)_suites=\((.*)\)", script, re.MULTILINE) for name in words.split()]
    jobs = [name for words in re.findall(r"\bsuites: ([\w ]*\w)", workflow) for name in words.split()]
    report.verdict("style: .github/workflows/ci.yml", "passed" if sorted(jobs) == sorted(suites) else "failed",
                   f"the jobs have {sorted(jobs)}, tests/run.sh has {sorted(suites)}")


def check_folders(report):
    """Checks that the top folders of app/ do not need each other in a circle, by the targets that their CMake files name."""
    tops = {path.name for path in (ROOT / "app").iterdir() if path.is_dir()}
    needs = {top: set() for top in tops}
    for path in (ROOT / "app").glob("*/**/CMakeLists.txt"):
        top = path.relative_to(ROOT / "app").parts[0]
        words = re.findall(r"\blanescope_([a-z]+)", re.sub(r"#.*", "", path.read_text(encoding="utf-8")))
        needs[top] |= tops.intersection(words) - {top}
    # Folders at both ends go away, one after the other; those of a circle stay.
    while ends := {top for top in needs if not needs[top] or not any(top in needed for needed in needs.values())}:
        needs = {top: needed - ends for top, needed in needs.items() if top not in ends}
    report.verdict("style: order of the folders of app", "failed" if needs else "passed",
                   "\n".join(f"{top} needs {', '.join(sorted(needed))}" for top, needed in sorted(needs.items())))


def long_lines(path):
    code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        code ^= line.lstrip().startswith("```")
        if len(line) > MOST_CHARACTERS and not code and not line.lstrip().startswith(("|", "![", "    ")):
            yield f"{path.relative_to(ROOT)}:{number}: {len(line)} characters; at most {MOST_CHARACTERS} in a line of prose"


def check_pages(report, pages):
    tell(report, "long lines", pages, [(path, text) for path in pages for text in long_lines(path)])
    size = sum(path.stat().st_size for path in pages)
    report.verdict("style: size of all pages", "passed" if size <= MOST_BYTES else "failed",
                   f"{size} bytes; at most {MOST_BYTES}. Leave out what the program says itself")


def check_catalogues(report):
    """Checks that each catalogue of assets/language has all words that the code marks for translation."""
    if shutil.which("xgettext") is None:
        return report.skip("style: catalogues", "no xgettext (package gettext)")
    code = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "app").rglob("*")) if path.suffix in {".cpp", ".h"}]
    keywords = [f"--keyword={word}" for word in ("", "tr:1", "tr_later:1", "hint_on:2")]
    words = subprocess.run(["xgettext", "-L", "C++", "--from-code=UTF-8", *keywords, "-o", "-", *code], cwd=ROOT, capture_output=True, check=True).stdout
    for catalogue in sorted((ROOT / "assets/language").glob("*.po")):
        compared = subprocess.run(["msgcmp", str(catalogue), "-"], input=words, capture_output=True, check=False)
        valid = subprocess.run(["msgfmt", "--check-format", "-o", os.devnull, str(catalogue)], capture_output=True, check=False)
        fuzzy = subprocess.run(["msgattrib", "--only-fuzzy", "--no-obsolete", str(catalogue)], capture_output=True, check=False).stdout
        lines = (compared.stderr + valid.stderr).decode().splitlines()
        wrong = [line for line in lines if "this message is not used" not in line] + (["fuzzy entries:", fuzzy.decode()] if fuzzy else [])
        failed = compared.returncode or valid.returncode or fuzzy
        report.verdict(f"style: {catalogue.relative_to(ROOT)}", "failed" if failed else "passed", "\n".join(wrong))


def tidy_one(build, entry):
    out = subprocess.run(["clang-tidy", "--quiet", "-p", str(build), entry], capture_output=True, text=True, check=False)
    return [line for line in out.stdout.splitlines() if ": error: " in line or ": warning: " in line], out


def check_tidy(report, build):
    """Checks one compilation at a time, as the build has them: a whole room in a unity build."""
    if shutil.which("clang-tidy") is None:
        return report.skip("style: clang-tidy", "no clang-tidy")
    # Rooms that are compiled again for another instruction set are checked only once.
    entries = sorted({entry["file"] for entry in json.loads((build / "compile_commands.json").read_text())
                      if "/app/" in entry["file"] and entry["file"].endswith((".cpp", ".cxx")) and "_avx2" not in entry["file"]})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry, (lines, out) in zip(entries, pool.map(lambda each: tidy_one(build, each), entries)):
            name = f"style: clang-tidy {Path(entry).relative_to(build) if entry.startswith(str(build)) else Path(entry).relative_to(ROOT)}"
            if out.returncode == 0 and not lines:
                report.success(name)
            else:
                report.failure(name, "\n".join(sorted(set(lines))) or out.stderr[-2000:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tidy", type=Path, metavar="BUILD_FOLDER",
                        help="only run clang-tidy over the files that this folder compiles")
    options = parser.parse_args()
    report = Report()
    if options.tidy:
        check_tidy(report, options.tidy.resolve())
        report.finish()
    paths = list(files())
    check_layout(report, [path for path in paths if path.suffix in {".cpp", ".h"}])
    check_pages(report, [path for path in paths if path.suffix == ".md"])
    tell(report, "words and white space", paths, [(path, text) for path in paths for text in mistakes(path)])
    check_workflow(report)
    check_catalogues(report)
    check_folders(report)
    report.finish()


main()
