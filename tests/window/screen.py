"""The program on a virtual screen. Tests find widgets by name and wait for states."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from frame import Frame
from harness import ROOT, clean_environment, output_folder, run

OUTPUT = output_folder("window")
LIMIT_S = 12       # only a failing case waits so long
POLL_S = 0.01
TOLERANCE = 16     # levels of a colour by which compared pictures may differ
SHIFTED = {"question", "plus", "colon"}   # with Shift on the keyboard of the virtual screen
SHIFTED_CHARACTERS = set('~!@#$%^&*()_+{}|:"<>?ABCDEFGHIJKLMNOPQRSTUVWXYZ')


class Failure(Exception):
    pass


def need(condition, what):
    """Fails the case unless the condition holds."""
    if not condition:
        raise Failure(what)


class Screen:
    """A virtual X server with the program in it. All processes that it starts end with it."""

    def __init__(self, build, name, width=1600, height=1000):
        self.build, self.name, self.size = build, name, (width, height)
        self.children = []
        self.program = None
        self.folder = Path(tempfile.mkdtemp(prefix="lanescope-window-"))
        self.described = self.folder / "frame.txt"
        self.env = clean_environment(self.folder)
        self.env["LANESCOPE_MOTION"] = "off"   # steps come to rest at once
        self.log = open(OUTPUT / f"{name}.log", "w", encoding="utf-8")
        self.mouse = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- Server and program ---------------------------------------------------------------------------------------------

    def start(self, command, **more):
        child = subprocess.Popen(command, cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL, stderr=self.log,
                                 start_new_session=True, **more)
        self.children.append(child)
        return child

    def start_server(self):
        number = self.folder / "display"
        width, height = self.size
        with open(number, "w", encoding="utf-8") as out:
            server = self.start(["Xvfb", "-displayfd", "1", "-r", "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset",
                                 "-fbdir", str(self.folder)], stdout=out)
        until(lambda: number.read_text().endswith("\n") or server.poll() is not None, "Xvfb starts")
        need(server.poll() is None, f"Xvfb did not start: see {self.log.name}")
        self.env["DISPLAY"] = ":" + number.read_text().strip()
        self.mouse = self.corner()
        self.xdotool("mousemove", *self.mouse)

    def start_program(self, *arguments):
        """Starts the program and returns the first frame at rest."""
        self.described.unlink(missing_ok=True)
        self.program = self.start([str(self.build / "lanescope"), *arguments, "--describe", str(self.described)], stdout=self.log)
        until(lambda: self.alive() or self.described.exists(), "the window draws")
        self.xdotool("windowfocus", "--sync", self.window())
        self.park()
        return self.still()

    def window(self):
        code, out, err = run(["xdotool", "search", "--onlyvisible", "--name", "Lanescope"], cwd=ROOT, env=self.env, timeout_s=30)
        need(code == 0 and out.split(), f"no window is called Lanescope {err}")
        return out.split()[0]

    def title(self):
        return run(["xdotool", "getwindowname", self.window()], cwd=ROOT, env=self.env, timeout_s=30)[1].strip()

    def ended(self):
        return self.program.poll() is not None

    def alive(self):
        if self.ended():
            raise Failure(f"the program ended with exit {self.program.returncode}: see {self.log.name}")

    def end_program(self, how=signal.SIGTERM):
        os.killpg(self.program.pid, how)
        self.program.wait(timeout=LIMIT_S)

    # --- What the window shows ------------------------------------------------------------------------------------------

    def frame(self):
        self.alive()
        return Frame(self.described.read_text(encoding="utf-8"))

    def wait(self, condition, what, limit_s=LIMIT_S):
        """Returns the first frame that meets the condition."""
        text = None
        deadline = time.monotonic() + limit_s
        while True:
            self.alive()
            now = self.described.read_text(encoding="utf-8")
            if now != text:
                text, frame = now, Frame(now)
                if condition(frame):
                    return frame
            if time.monotonic() > deadline:
                raise Failure(f"{what}: not within {limit_s} s; the window shows\n{frame.summary()}")
            time.sleep(POLL_S)

    def still(self, condition=lambda frame: True, what="the window comes to rest"):
        return self.wait(lambda frame: not frame.busy and condition(frame), what)

    def expect_change(self, before, what="the window shows something else"):
        """The first frame at rest that differs from `before`."""
        return self.still(lambda frame: frame.body != before.body, what)

    def expect_same(self, expected, what="the window shows the same as before"):
        try:
            return self.still(lambda frame: frame.body == expected.body, what)
        except Failure:
            raise Failure(f"{what}: not within {LIMIT_S} s\n{self.frame().difference(expected)}") from None

    def expect(self, words, panel=None):
        """Waits until a panel at rest shows this text."""
        return self.still(lambda frame: frame.shows(words, panel), f"'{words}' in {panel or 'the window'}")

    def expect_step(self, step):
        return self.still(lambda frame: frame.step == step, f"step {step}")

    # --- Pictures, where the look is the point --------------------------------------------------------------------------

    def grab(self, name):
        """Writes the screen's picture to build/tests/window/NAME.png."""
        picture = OUTPUT / f"{name}.png"
        self.tool("--convert", str(self.folder / "Xvfb_screen0"), str(picture))
        return picture

    def keep_evidence(self, name):
        """Keeps picture and description of the window for a failed case."""
        if self.described.exists():
            shutil.copyfile(self.described, OUTPUT / f"{name}.txt")
        if "DISPLAY" in self.env:
            self.grab(name)

    def share(self, a, b):
        """Returns the share of pixels that differ."""
        return float(self.tool(str(a), str(b), "--tolerance", str(TOLERANCE)))

    def expect_picture(self, condition, name, what):
        """Waits until the screen's picture meets the condition, because the server draws later than the program."""
        until(lambda: self.alive() or condition(self.grab(name)), f"{what}: see {name}.png")
        return OUTPUT / f"{name}.png"

    def tool(self, *arguments):
        code, out, err = run([str(self.build / "compare_images"), *arguments], cwd=ROOT, env=self.env, timeout_s=60)
        need(code == 0, f"compare_images: {err}")
        return out

    def lanescope(self, *arguments):
        code, _, err = run([str(self.build / "lanescope"), *arguments], cwd=ROOT, env=self.env, timeout_s=90)
        need(code == 0, f"lanescope {' '.join(arguments)}: {err}")

    # --- Keys and mouse -------------------------------------------------------------------------------------------------

    def xdotool(self, *arguments):
        code, _, err = run(["xdotool", *map(str, arguments)], cwd=ROOT, env=self.env, timeout_s=30)
        need(code == 0, f"xdotool {' '.join(map(str, arguments))}: {err}")

    def act(self, events, *arguments, rest=True):
        """Returns the first frame after these events."""
        seen = self.frame().events + events
        self.xdotool(*arguments)
        return self.wait(lambda frame: frame.events >= seen and not (rest and frame.busy),
                         f"{events} events after xdotool {' '.join(map(str, arguments))}")

    def press(self, *keys, rest=True):
        """Presses one key after the other, such as "Right" or "ctrl+p"."""
        for key in keys:
            parts = key.split("+")
            frame = self.act(len(parts) + (parts[-1] in SHIFTED), "key", key, rest=rest)
        return frame

    def type(self, text):
        """Types into the widget that has the keyboard."""
        return self.act(len(text) + sum(each in SHIFTED_CHARACTERS for each in text), "type", "--delay", 2, "--", text)

    def place(self, target):
        """Returns the pixel of a target: the name of a widget, a text, or (name, share across, share down)."""
        try:
            if isinstance(target, tuple):
                return self.frame().find(target[0]).at(*target[1:])
            return self.frame().find(target).at()
        except LookupError as problem:
            raise Failure(f"{problem}\n{self.frame().summary()}") from None

    def move(self, place, rest=True):
        if place == self.mouse:
            return self.frame()
        self.mouse = place
        return self.act(1, "mousemove", *place, rest=rest)

    def corner(self):
        """Returns a place without a widget."""
        return self.size[0] - 1, self.size[1] - 1

    def park(self):
        return self.move(self.corner())

    def hover(self, target):
        return self.move(self.place(target))

    def click(self, target, button=1, stay=False):
        """Holds the button until a frame has seen it; then moves the mouse away, unless `stay`."""
        self.move(self.place(target), rest=False)
        self.act(1, "mousedown", button, rest=False)
        frame = self.act(1, "mouseup", button, rest=stay)
        return frame if stay else self.park()

    def drag(self, start, end=None, by=(0, 0)):
        """Drags in two moves to the target `end`, or by pixels to the right and down."""
        begin = self.place(start)
        stop = self.place(end) if end else (begin[0] + by[0], begin[1] + by[1])
        self.move(begin, rest=False)
        self.act(1, "mousedown", 1, rest=False)
        self.move(((begin[0] + stop[0]) // 2, (begin[1] + stop[1]) // 2), rest=False)
        self.move(stop)
        self.act(1, "mouseup", 1)
        return self.park()

    def wheel(self, target, clicks, key=None):
        """Turns the wheel up, or down if `clicks` is negative, with a key held."""
        self.hover(target)
        if key:
            self.act(1, "keydown", key)
        for _ in range(abs(clicks)):
            self.act(1, "click", 4 if clicks > 0 else 5)
        if key:
            self.xdotool("keyup", key)
        return self.park()

    def choose(self, word, entry):
        """Opens the list at `word` and clicks one of its entries."""
        self.click(word, stay=True)
        self.still(lambda frame: frame.has(f"Popup/{entry}"), f"'{entry}' in the list at {word}")
        return self.click(f"Popup/{entry}")

    def palette(self, words):
        """Finds an entry of the palette and takes it."""
        self.press("ctrl+p")
        self.still(lambda frame: frame.has("palette/find"), "the palette")
        self.type(words)
        return self.press("Return")


def until(condition, what, limit_s=LIMIT_S):
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not within {limit_s} s")
        time.sleep(POLL_S)
