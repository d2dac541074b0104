"""What the test runners share: where things are, a clean environment, commands with a time limit, counting.

Every runner ends with the line "N passed, N failed, N skipped"; tests/run.sh adds these lines up.
"""

import os
import pty
import shutil
import signal
import subprocess
import sys
import tty
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOFTWARE_EGL = Path("/usr/share/glvnd/egl_vendor.d/50_mesa.json")


def has_gpu():
    return any(Path("/dev").glob("nvidia[0-9]*"))


def clean_environment(home):
    """Nothing of the person's own settings; software rendering, so that pictures are the same everywhere."""
    env = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "CUDA_HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}
    env |= {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "LANESCOPE_CACHE": str(output_folder("cache")),
        "LC_ALL": "C.UTF-8",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "__GLX_VENDOR_LIBRARY_NAME": "mesa",
    }
    if SOFTWARE_EGL.exists():
        env["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(SOFTWARE_EGL)
    return env


NOT_EMULATED = "no qemu-x86_64"


def emulated(command, processor="max"):
    """The command on an emulated processor, which rounds rsqrtss and the like in its own way; None without qemu-user (NOT_EMULATED).
    "qemu64" has only SSE2 and SSE3. Programs that the command starts, such as the compiler's process, run on the machine itself."""
    qemu = shutil.which("qemu-x86_64")
    return [qemu, "-cpu", processor, *map(str, command)] if qemu else None


def other_locale():
    """Variables of a locale with a decimal comma, other separators and other letters for 'i'; None without its source (package locales)."""
    folder = output_folder("locales")
    command = ["localedef", "-i", "tr_TR", "-f", "UTF-8", "--no-archive", str(folder / "tr_TR.UTF-8")]
    if shutil.which("localedef") and subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return {"LC_ALL": "tr_TR.UTF-8", "LOCPATH": str(folder)}
    return None


def output_folder(name):
    folder = ROOT / "build" / "tests" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def shown_by(terminal):
    """What is written to a terminal until its last writer ends."""
    shown = b""
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:  # how a terminal ends
        pass
    os.close(terminal)
    return shown


def run(command, *, cwd, env, timeout_s, terminal=False):
    """(exit code, stdout, stderr); the exit code is None when the command and its children were stopped at the time limit.
    `terminal`: standard error is a terminal."""
    if terminal:
        screen, end = pty.openpty()
        tty.setraw(end)  # no carriage return before a line feed
        with ThreadPoolExecutor(1) as reader:
            child = subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=end, start_new_session=True)
            os.close(end)
            shown = reader.submit(shown_by, screen)
            code, out, _ = ended(child, timeout_s)
            return code, out, shown.result().decode("utf-8", "replace")
    return ended(subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, start_new_session=True), timeout_s)


def ended(child, timeout_s):
    try:
        out, err = child.communicate(timeout=timeout_s)
        code = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        code = None
    return code, out.decode("utf-8", "replace"), (err or b"").decode("utf-8", "replace")


class Report:
    """Counts cases, prints those that did not pass."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def success(self, name):
        self.passed += 1

    def failure(self, name, details=""):
        self.failed += 1
        print(f"FAILED {name}")
        for line in details.rstrip("\n").splitlines():
            print(f"    {line}")

    def skip(self, name, reason):
        self.skipped += 1
        print(f"skipped: {reason}: {name}")

    def verdict(self, name, verdict, text=""):
        """verdict: passed, rewritten (the new expectation was written), failed or skipped."""
        if verdict == "failed":
            self.failure(name, text)
        elif verdict == "skipped":
            self.skip(name, text)
        else:
            if verdict == "rewritten":
                print(f"rewritten: {name}")
            self.success(name)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)
        sys.exit(1 if self.failed or not self.passed + self.skipped else 0)
