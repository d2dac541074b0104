#!/usr/bin/env python3
"""Installs the program into a folder, moves that folder, and uses it without the source tree and without CUDA.

    tests/install/run.py [--build FOLDER] [NAME…]

The source tree and installed CUDA Toolkits are hidden by a mount namespace, where this user may make one; else the program is only told
to use no toolkit, and the cases that need the namespace are skipped.
"""

import argparse
import functools
import hashlib
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness import ROOT, Report, clean_environment, run  # noqa: E402

LIMIT_S = 120
LESSON = "kernels/reduction/modulo.cu"
PINNED = dict(line.strip().split("==") for line in (ROOT / "app/wheels/pinned.txt").read_text(encoding="utf-8").splitlines()
              if line[:1].isalpha())
HIDE = ('for folder in "$HIDDEN" /usr/local/cuda*; do [ -d "$folder" ] && { mount -t tmpfs none "$(realpath "$folder")" || exit 97; }; '
        'done; exec "$@"')


class Place:
    """The moved installation, and how it is started."""

    def __init__(self, folder, build):
        self.folder, self.build = folder, build
        self.prefix = folder / "moved here"
        self.work = folder / "work"
        self.work.mkdir()
        self.env = clean_environment(folder / "home") | {
            "LANESCOPE_CACHE": str(folder / "cache"), "LANESCOPE_DATA": str(folder / "data"), "LANESCOPE_STATE": str(folder / "state"),
            "LANESCOPE_NO_SYSTEM_CUDA": "1", "HIDDEN": str(ROOT)}
        for name in ("CUDA_HOME", "CUDA_PATH"):
            self.env.pop(name, None)
        self.namespace = self.find_namespace()

    def find_namespace(self):
        for start in (["unshare", "-m"], ["unshare", "-rm"]):
            try:
                code, _, _ = run([*start, "sh", "-c", HIDE, "sh", "true"], cwd="/", env=self.env, timeout_s=LIMIT_S)
            except FileNotFoundError:
                return []
            if code == 0:
                return [*start, "sh", "-c", HIDE, "sh"]
        return []

    def start(self, *words, env=None, cwd=None):
        program = self.prefix / "bin/lanescope"
        return run([*self.namespace, str(program), *words], cwd=cwd or self.work, env=self.env | (env or {}), timeout_s=LIMIT_S)

    def share(self, name):
        return self.prefix / "share" / name


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def fine(outcome):
    code, out, err = outcome
    expect(code == 0, f"exit {code}\n{err}{out}")
    return out


def install(build, folder):
    prefix = folder / "prefix"
    subprocess.run(["cmake", "--install", str(build), "--prefix", str(prefix)], check=True, stdout=subprocess.DEVNULL)
    prefix.rename(folder / "moved here")


# --- The installed program ------------------------------------------------------------------------------------------


def case_list(place):
    out = fine(place.start("list"))
    expect(LESSON in out, out)
    files = [lesson["file"] for topic in json.loads(fine(place.start("list", "--json"))) for lesson in topic["lessons"]]
    expect(all(Path(file).is_relative_to(place.prefix) for file in files), "a lesson lies outside the prefix")


def case_exercises_need_the_compiler(place):
    exercises = json.loads(fine(place.start("check", "--list", "--json")))
    expect(len(exercises) >= 40 and all(Path(each["starter"]).is_relative_to(place.prefix) for each in exercises), f"{len(exercises)} exercises")
    code, out, err = place.start("check", "kernels/reduction/exercises/fix_the_race.solution.cu")
    expect(code == 3 and "NVRTC" in err and not out, f"{code} {err}{out}")


def case_no_path_of_the_build(place):
    words = (str(ROOT).encode(), str(place.build).encode())
    for path in place.prefix.rglob("*"):
        if path.is_file():
            expect(not any(word in path.read_bytes() for word in words), f"{path} holds a path of the build")


def case_every_lesson_runs(place):
    files = sorted((place.share("lanescope/kernels")).glob("*/*.cu"))
    expect(len(files) > 50, f"{len(files)} lessons")
    for file in files:
        for code in ("debug", "optimized"):
            status, out, err = place.start("run", str(file), "--code", code)
            expect(status in (0, 1) and "NVRTC" not in err, f"{file} {code}: exit {status}\n{err}{out}")


def case_parameters_and_schedules(place):
    out = fine(place.start("run", LESSON, "--set", "n=1000", "--set", "block=128", "--schedule", "seed:3"))
    expect("as expected" in out, out)
    fine(place.start("run", "kernels/atomics/atomic_add.cu", "--schedule", "all"))
    fine(place.start("run", "kernels/convolution/fastest.cu", "--set", "width=9"))


def case_render_and_export(place):
    fine(place.start("render", LESSON, "--step", "12", "-o", "step.png"))
    fine(place.start("render", LESSON, "--view", "threads", "-o", "threads.png"))
    fine(place.start("export", LESSON, "-o", "page.html"))
    for name in ("step.png", "threads.png", "page.html"):
        expect((place.work / name).stat().st_size > 10_000, name)


def case_preview(place):
    fine(place.start("preview", "assets/images/chart.png", "-o", "filtered.png"))
    fine(place.start("preview", "assets/images/chart.png", "--mask", "box:7", "--kernel", "assets/preview/any_mask.cu"))


def case_doctor_without_a_compiler(place):
    code, out, err = place.start("doctor")
    expect(code == 3, f"exit {code}\n{err}{out}")
    expect("a lesson as it ships ran" in out and "lanescope doctor --get-compiler" in out, out)


def case_bad_own_text_names_the_remedy(place):
    text = (place.share("lanescope") / LESSON).read_text(encoding="utf-8")
    (place.work / "changed.cu").write_text(text + "// changed\n", encoding="utf-8")
    code, out, err = place.start("run", "changed.cu")
    expect(code == 2 and err.startswith("changed.cu: error: NVRTC") and "lanescope doctor --get-compiler" in err, f"{code} {err}{out}")


def case_bad_data_missing(place):
    share = place.share("lanescope")
    hidden = share.rename(place.folder / "hidden")
    try:
        code, out, err = place.start("list")
        expect(code == 2 and str(share / "kernels") in err, f"{code} {err}{out}")
    finally:
        hidden.rename(share)


# --- Files beside the program ---------------------------------------------------------------------------------------


def long_options(text):
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))


def options_of_help(place):
    found = {}
    for command in ("", *re.findall(r"^  (\w+) ", fine(place.start("--help")).split("Subcommands:")[1], re.MULTILINE)):
        found[command] = set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", fine(place.start(*filter(None, [command]), "--help")), re.MULTILINE))
    expect(len(found) > 5, found)
    return found


def shell(name):
    if shutil.which(name) is None:
        raise Skip(f"no {name}")
    return name


class Skip(Exception):
    pass


def check_shell(place, name, path):
    code, out, err = run([shell(name), "-n", str(path)], cwd=place.work, env=place.env, timeout_s=LIMIT_S)
    expect(code == 0 and not err, f"{err}{out}")


def case_completions_bash(place):
    path = place.share("bash-completion/completions/lanescope")
    check_shell(place, "bash", path)
    script = f"""source '{path}'
ask() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _lanescope; printf '%s\\n' "${{COMPREPLY[@]}}"; echo .; }}
ask lanescope re; ask lanescope run x.cu --eng; ask lanescope run --engine ''; ask lanescope render x.cu -"""
    code, out, err = run(["bash", "-c", script], cwd=place.work, env=place.env, timeout_s=LIMIT_S)
    expect(code == 0, err)
    commands, engine, values, options = out.split(".\n")[:4]
    expect("render" in commands.split() and engine.split() == ["--engine"] and values.split() == ["cpu", "gpu"], out)
    expect(set(options.split()) >= options_of_help(place)["render"], options)


def case_completions_zsh(place):
    path = place.share("zsh/site-functions/_lanescope")
    expect(path.read_text(encoding="utf-8").startswith("#compdef lanescope\n"), "no #compdef")
    expect(long_options(path.read_text(encoding="utf-8")) >= set().union(*options_of_help(place).values()), "options are missing")
    check_shell(place, "zsh", path)


def case_completions_fish(place):
    path = place.share("fish/vendor_completions.d/lanescope.fish")
    check_shell(place, "fish", path)
    script = f"source '{path}'; complete -C 'lanescope ren'; complete -C 'lanescope run --engine '"
    code, out, err = run(["fish", "--no-config", "-c", script], cwd=place.work, env=place.env, timeout_s=LIMIT_S)
    words = [line.split("\t")[0] for line in out.splitlines()]
    expect(code == 0 and "render" in words and "gpu" in words, f"{err}{out}")


def case_manual_page(place):
    page = place.share("man/man1/lanescope.1")
    text = page.read_text(encoding="utf-8").replace("\\-", "-")
    for command, options in options_of_help(place).items():
        missing = [option for option in options if option not in text]
        expect(not missing, f"{command}: {missing} are not in the manual page")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*") if path.suffix in (".cpp", ".h")]
    variables = {name for source in sources for name in re.findall(r'"(LANESCOPE_[A-Z_]+)"', source)}
    missing = [name for name in sorted(variables - {"LANESCOPE_PROGRAM", "LANESCOPE_GPU_PROGRAM"}) if name not in text]
    expect(not missing, f"{missing} are not in the manual page")
    if shutil.which("man") is None:
        raise Skip("no man")
    code, out, err = run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(page)], cwd=place.work, env=place.env, timeout_s=LIMIT_S)
    expect(code == 0 and not err, err)


def case_desktop_entry(place):
    entry = place.share("applications/lanescope.desktop")
    text = entry.read_text(encoding="utf-8")
    expect("Exec=lanescope --no-host-code %f" in text and "Icon=lanescope" in text, text)
    expect(place.share("icons/hicolor/scalable/apps/lanescope.svg").read_text(encoding="utf-8").startswith("<svg"), "no icon")
    if shutil.which("desktop-file-validate") is None:
        raise Skip("no desktop-file-validate")
    code, out, err = run(["desktop-file-validate", str(entry)], cwd=place.work, env=place.env, timeout_s=LIMIT_S)
    expect(code == 0 and not out, out + err)


# --- Lessons of one's own -------------------------------------------------------------------------------------------


def case_own_lessons(place):
    topic = place.folder / "data/kernels/mine"
    topic.mkdir(parents=True)
    shutil.copy(place.share("lanescope") / LESSON, topic / "modulo.cu")
    (topic / "broken.cu").write_text("/*--- lanescope\ntitel = 1\n---*/\n__global__ void broken() {}\n", encoding="utf-8")
    other = place.folder / "other"
    (other / "more").mkdir(parents=True)
    (other / "more" / "one.cu").write_text("__global__ void one(int* a) { a[0] = 1; }\n", encoding="utf-8")
    env = {"LANESCOPE_KERNELS": f"{other}:/nowhere"}
    code, out, err = place.start("list", env=env)
    expect(code == 0 and str(topic / "modulo.cu") in out and str(other / "more/one.cu") in out and LESSON in out, f"{code} {err}{out}")
    expect(f"{topic / 'broken.cu'}:2:" in err, err)
    topics = json.loads(fine(place.start("list", "--json", env=env)))
    expect([each["topic"] for each in topics if each.get("own")] == ["more", "mine"], topics)
    fine(place.start("run", str(topic / "modulo.cu")))


# --- Getting the compiler -------------------------------------------------------------------------------------------


class Index:
    """A package index with tiny wheels on this machine. `ways` change what it answers."""

    def __init__(self, folder, form="json"):
        self.folder, self.form = folder, form
        self.requests, self.ways = [], set()
        folder.mkdir()
        for name, version in PINNED.items():
            self.make_wheel(name, version)
        handler = functools.partial(self.Handler, self)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def make_wheel(self, name, version):
        path = self.folder / f"{name.replace('-', '_')}-{version}-py3-none-manylinux2014_x86_64.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.writestr(f"{name}.dist-info/METADATA", f"Name: {name}\n")
            if name == "nvidia-cuda-nvrtc":
                wheel.writestr("nvidia/cu13/lib/libnvrtc.so.13", os.urandom(300_000))
                wheel.writestr("nvidia/cu13/lib/libnvrtc.alt.so.13", "not needed")
            else:
                wheel.writestr(f"nvidia/cu13/include/{name}.h", "// header\n")

    def page(self, name):
        files = [path for path in self.folder.glob("*.whl") if path.name.startswith(name.replace("-", "_") + "-")]
        sums = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
        if self.form == "html":
            links = "".join(f'<a href="../../files/{path.name}#sha256={sums[path]}">{path.name}</a>' for path in files)
            return "text/html", f"<!DOCTYPE html><html><body>{links}</body></html>"
        return "application/vnd.pypi.simple.v1+json", json.dumps({"files": [
            {"filename": path.name, "url": f"{self.url}/files/{path.name}", "hashes": {"sha256": sums[path]}, "size": path.stat().st_size}
            for path in files]})

    class Handler(http.server.BaseHTTPRequestHandler):
        def __init__(self, index, *arguments):
            self.index = index
            super().__init__(*arguments)

        def log_message(self, *arguments):
            pass

        def do_HEAD(self):
            self.answer(body=False)

        def do_GET(self):
            self.answer(body=True)

        def answer(self, body):
            index = self.index
            index.requests.append((self.command, self.path, self.headers.get("Range")))
            kind, name = self.path.strip("/").split("/")[-2:]
            if kind == "simple":
                content_type, text = index.page(name)
                return self.send(200, content_type, text.encode(), body)
            content = (index.folder / name).read_bytes()
            if "longer" in index.ways:
                content += b"more than the index says"
            if "damaged" in index.ways:
                content = content[:-1] + bytes([content[-1] ^ 1])
            wanted = "Range" in self.headers and "whole" not in index.ways
            start = int(self.headers["Range"].split("=")[1].split("-")[0]) if wanted else 0
            if "break" in index.ways and "Range" in self.headers:
                index.ways.discard("break")
            if "break" in index.ways and len(content) > 100_000 and start == 0:
                self.send(200, "application/octet-stream", content, False)
                self.wfile.write(content[:100_000])
                self.wfile.flush()
                return self.connection.close()
            self.send(206 if start else 200, "application/octet-stream", content[start:], body)

        def send(self, status, content_type, content, body):
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(content)))
            if status == 206:
                whole = (self.index.folder / Path(self.path).name).stat().st_size
                self.send_header("Content-Range", f"bytes {whole - len(content)}-{whole - 1}/{whole}")
            self.end_headers()
            if body:
                self.wfile.write(content)


def get_compiler(place, index, name):
    data = place.folder / name
    env = {"PIP_INDEX_URL": f"{index.url}/simple/", "PIP_CONFIG_FILE": "/dev/null", "LANESCOPE_DATA": str(data), "no_proxy": "127.0.0.1"}
    return data / "cuda", place.start("doctor", "--get-compiler", env=env)


def left_over(data):
    return sorted(path.name for path in data.iterdir() if path.name not in ("cuda", "notes", "kernels"))


def expect_compiler(folder, outcome):
    code, out, err = outcome
    expect("Getting NVRTC" in err and re.search(r"4 files, \d+\.\d MB", err), err)
    library = folder / "nvidia/cu13/lib/libnvrtc.so.13"
    expect(library.exists() and library.stat().st_size == 300_000, f"exit {code}\n{err}{out}")
    expect(not (folder / "nvidia/cu13/lib/libnvrtc.alt.so.13").exists(), "what is not needed was unpacked")
    expect((folder / "nvidia/cu13/include/nvidia-cuda-cccl.h").exists(), "a header is missing")
    expect(not left_over(folder.parent), left_over(folder.parent))
    # The file must be found; that it is not a library is what the loader then says.
    expect(code == 1 and "NVRTC cannot be loaded" in err and str(folder) in err, f"{code} {err}{out}")


def case_get_compiler_json(place):
    index = Index(place.folder / "index json")
    expect_compiler(*get_compiler(place, index, "data json"))


def case_get_compiler_html(place):
    index = Index(place.folder / "index html", form="html")
    expect_compiler(*get_compiler(place, index, "data html"))


def case_get_compiler_goes_on_after_a_break(place):
    index = Index(place.folder / "index break")
    index.ways.add("break")
    expect_compiler(*get_compiler(place, index, "data break"))
    ranges = [asked for _, path, asked in index.requests if asked]
    expect(ranges == ["bytes=100000-"], index.requests)


def case_get_compiler_begins_again_where_the_server_cannot_resume(place):
    index = Index(place.folder / "index whole")
    index.ways |= {"break", "whole"}
    expect_compiler(*get_compiler(place, index, "data whole"))


def case_bad_compiler_damaged(place):
    index = Index(place.folder / "index damaged")
    folder, outcome = get_compiler(place, index, "data damaged")
    index.ways.add("damaged")
    shutil.rmtree(folder)
    folder, (code, out, err) = get_compiler(place, index, "data damaged")
    expect(code == 1 and "SHA-256 differs" in err and "by hand: " in err, f"{code} {err}{out}")
    expect(not folder.exists(), "a damaged download was put in place")
    index.ways.clear()
    expect_compiler(*get_compiler(place, index, "data damaged"))


def case_bad_compiler_hostile_archive(place):
    index = Index(place.folder / "index hostile")
    with zipfile.ZipFile(next(index.folder.glob("nvidia_cuda_crt*.whl")), "a") as wheel:
        wheel.writestr("../../evil.txt", "x")
    folder, (code, out, err) = get_compiler(place, index, "data hostile")
    expect(code == 1 and "outside its folder" in err, f"{code} {err}{out}")
    expect(not folder.exists() and not list(place.folder.rglob("evil.txt")), "it was unpacked")
    expect(not list(folder.parent.rglob("nvidia_cuda_crt*.whl")), "the refused file is left on the disk")


def case_bad_compiler_longer_than_the_index_says(place):
    index = Index(place.folder / "index longer")
    index.ways.add("longer")
    folder, (code, out, err) = get_compiler(place, index, "data longer")
    expect(code == 1 and "sends more than the package index says" in err, f"{code} {err}{out}")
    expect(not list(folder.parent.rglob("*.whl")), "the refused file is left on the disk")


def case_bad_compiler_other_version(place):
    index = Index(place.folder / "index other")
    for path in index.folder.glob("nvidia_cuda_nvrtc*"):
        path.rename(index.folder / path.name.replace(PINNED["nvidia-cuda-nvrtc"], "99.1"))
    _, (code, out, err) = get_compiler(place, index, "data other")
    expect(code == 1 and "it has 99.1" in err, f"{code} {err}{out}")


def case_bad_compiler_offline(place):
    index = Index(place.folder / "index offline")
    index.server.shutdown()
    index.server.server_close()
    folder, (code, out, err) = get_compiler(place, index, "data offline")
    expect(code == 1 and "no download from 127.0.0.1" in err and "by hand: " in err and f"-d {folder}" in err, f"{code} {err}{out}")


# --- Packages -------------------------------------------------------------------------------------------------------


def case_packages(place):
    """A .deb installs below /usr; a portable archive is one folder that runs where it lies."""
    folder = place.folder / "packages"
    outcome = run(["cpack", "--config", str(place.build / "CPackConfig.cmake"), "-B", str(folder)], cwd=place.folder, env=os.environ,
                  timeout_s=LIMIT_S)
    fine(outcome)
    debs, archives = list(folder.glob("*.deb")), list(folder.glob("*.tar.*"))
    if not debs or not archives:
        raise Skip(f"cpack makes no {'.deb' if not debs else 'archive'} here")
    installed = {line.split()[5] for line in fine(run(["dpkg-deb", "-c", str(debs[0])], cwd=folder, env=os.environ,
                                                      timeout_s=LIMIT_S)).splitlines()}
    expect("./usr/bin/lanescope" in installed, sorted(installed)[:5])
    outside = [path for path in installed if not path.startswith("./usr/") and path != "./"]
    expect(not outside, f"the .deb installs {outside}")
    fine(run(["tar", "-xf", str(archives[0])], cwd=folder, env=os.environ, timeout_s=LIMIT_S))
    unpacked = [path for path in folder.iterdir() if path.is_dir() and path.name != "_CPack_Packages"]
    expect(len(unpacked) == 1, f"the archive holds {unpacked}")
    program = unpacked[0] / "bin/lanescope"
    out = fine(run([*place.namespace, str(program), "run", LESSON], cwd=place.work, env=place.env, timeout_s=LIMIT_S))
    expect("as expected" in out, out)


def case_wheel(place):
    """The wheel installs without a network and runs; every Linux with glibc 2.34 takes it, and it is small."""
    tools, folder = ROOT / "build/wheel-tools", place.folder / "wheel"
    if not (tools / "installed.txt").exists():
        raise Skip("no tools for wheels: app/python/wheel.sh --tools")
    wheel = Path(fine(run([str(ROOT / "app/python/wheel.sh"), str(folder)], cwd=place.folder,
                          env=os.environ | {"LANESCOPE_BUILD": str(place.build)}, timeout_s=LIMIT_S)).strip())
    expect(wheel.name.endswith("-py3-none-manylinux_2_34_x86_64.whl"), wheel.name)
    expect(wheel.stat().st_size < 40_000_000, f"{wheel.stat().st_size} bytes")
    environment = folder / "environment"
    fine(run([sys.executable, "-m", "venv", str(environment)], cwd=folder, env=os.environ, timeout_s=LIMIT_S))
    fine(run([str(environment / "bin/pip"), "install", "--quiet", "--no-index", "--no-deps", str(wheel)], cwd=folder, env=os.environ,
             timeout_s=LIMIT_S))
    start = [*place.namespace, str(environment / "bin/lanescope")]
    out = fine(run([*start, "run", LESSON], cwd=place.work, env=place.env, timeout_s=LIMIT_S))
    expect("as expected" in out, out)
    (place.work / "own.cu").write_text("__global__ void k(int* a) { a[threadIdx.x] = 1; }\n", encoding="utf-8")
    code, out, err = run([*start, "run", "own.cu"], cwd=place.work, env=place.env, timeout_s=LIMIT_S)
    expect(code == 2 and "NVRTC" in err, f"without NVIDIA's wheels: exit {code}\n{err}{out}")
    cuda = Path(re.search("^cuda=(.*)$", (place.build / "build_tree.txt").read_text(encoding="utf-8"), re.MULTILINE)[1])
    beside = next(environment.glob("lib/python3*/site-packages")) / "nvidia/cu13/lib"
    beside.mkdir(parents=True)
    for library in {path.name: path for name in ("lib64", "lib") for path in (cuda / name).glob("libnvrtc[.-]*so.1[0-9]*")}.values():
        if ".alt." not in library.name:
            shutil.copy(library, beside)
    out = fine(run([*start, "run", "own.cu"], cwd=place.work, env=place.env, timeout_s=LIMIT_S))
    expect("= 1 1" in out, out)
    (beside.parents[2] / "lanescope/bin/lanescope").unlink()
    code, out, err = run([*start, "--version"], cwd=place.work, env=place.env | {"PATH": "/usr/bin:/bin"}, timeout_s=LIMIT_S)
    expect(code == 2 and err.startswith("lanescope: error: the program lanescope was not found"), f"{code} {err}{out}")


CASES = {name[5:]: value for name, value in list(globals().items()) if name.startswith("case_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("names", nargs="*", help="cases to run: " + " ".join(CASES))
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="lanescope-install-") as name:
        folder = Path(name)
        install(options.build.resolve(), folder)
        place = Place(folder, options.build.resolve())
        if not place.namespace:
            report.skip("install: hidden source tree", "no mount namespace")
        for case in options.names or CASES:
            try:
                CASES[case](place)
                report.success(f"install: {case}")
            except Skip as reason:
                report.skip(f"install: {case}", str(reason))
            except (AssertionError, OSError, ValueError, KeyError, IndexError) as error:
                report.failure(f"install: {case}", f"{type(error).__name__}: {error}")
    report.finish()


main()
