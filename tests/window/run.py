#!/usr/bin/env python3
"""End to end: starts the window on a virtual screen, presses keys, and looks at what is drawn.

    tests/window/run.py [--build FOLDER]

The pictures of every moment are in build/tests/window.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare_and_export  # noqa: E402
import explore_cases  # noqa: E402
import preview_cases  # noqa: E402
import edit  # noqa: E402
from harness import ROOT, Report, clean_environment, output_folder, run  # noqa: E402

import talk_cases  # noqa: E402
import view_cases  # noqa: E402

OUTPUT = output_folder("window")
WIDTH, HEIGHT = 1600, 1000
KERNEL = "kernels/reduction/modulo.cu"
LOST_UPDATE = "kernels/atomics/lost_update.cu"
START_LIMIT_S = 60
CHANGE_LIMIT_S = 20
POLL_S = 0.1
PRESS_PAUSE_S = 0.3
TOLERANCE = 16
CARET_SHARE = 0.00003   # a caret in a text blinks, and is all that may
SAME_SHARE = 0.0005     # of the pixels: below, two pictures are the same
CHANGED_SHARE = 0.001   # above, something that a person sees has changed


class Failure(Exception):
    pass


class Screen:
    """An X server without a monitor, and the program in it. Everything that it starts ends with it."""

    def __init__(self, build):
        self.build = build
        self.children = []
        self.pressed_s = 0.0
        self.folder = Path(tempfile.mkdtemp(prefix="lanescope-window-"))
        self.env = clean_environment(self.folder)
        self.log = open(OUTPUT / "log.txt", "w", encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, command, **more):
        child = subprocess.Popen(command, cwd=ROOT, env=self.env, stdin=subprocess.DEVNULL, stderr=self.log,
                                 start_new_session=True, **more)
        self.children.append(child)
        return child

    def start_server(self):
        number = self.folder / "display"
        with open(number, "w", encoding="utf-8") as out:
            server = self.start(["Xvfb", "-displayfd", "1", "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset",
                                 "-fbdir", str(self.folder)], stdout=out)
        wait_until(lambda: number.read_text().endswith("\n") or server.poll() is not None, START_LIMIT_S, "Xvfb")
        if server.poll() is not None:
            raise Failure("Xvfb did not start: see log.txt")
        self.env["DISPLAY"] = ":" + number.read_text().strip()

    def start_program(self, *arguments):
        self.program = self.start([str(self.build / "lanescope"), *arguments], stdout=self.log)

    def ended(self):
        return self.program.poll() is not None

    def grab(self, name):
        """The screen now, as build/tests/window/NAME.png."""
        picture = OUTPUT / f"{name}.png"
        self.tool("--convert", str(self.folder / "Xvfb_screen0"), str(picture))
        return picture

    def share(self, a, b):
        """Of the pixels, how many differ."""
        return float(self.tool(str(a), str(b), "--tolerance", str(TOLERANCE)))

    def tool(self, *arguments):
        code, out, err = run([str(self.build / "compare_images"), *arguments], cwd=ROOT, env=self.env, timeout_s=60)
        if code != 0:
            raise Failure(f"compare_images: {err}")
        return out

    def press(self, *keys):
        """At a person's pace: different letters within 0.15 s are taken for typing, not for keys."""
        time.sleep(max(0.0, self.pressed_s + PRESS_PAUSE_S - time.monotonic()))
        self.pressed_s = time.monotonic()
        code, _, err = run(["xdotool", "key", "--delay", "60", *keys], cwd=ROOT, env=self.env, timeout_s=30)
        if code != 0:
            raise Failure(f"xdotool: {err}")

    def click(self, x, y, button=1):
        """Held for a moment, so that a frame sees it; then the mouse goes where nothing answers to it."""
        at, away = (str(x), str(y)), (str(WIDTH // 2), "12")
        code, _, err = run(["xdotool", "mousemove", *at, "sleep", "0.3", "mousedown", str(button), "sleep", "0.2", "mouseup", str(button),
                            "sleep", "0.2", "mousemove", *away], cwd=ROOT, env=self.env, timeout_s=30)
        if code != 0:
            raise Failure(f"xdotool: {err}")

    def end_program(self):
        os.killpg(self.program.pid, signal.SIGTERM)
        self.program.wait(timeout=START_LIMIT_S)

    def tool_of_x(self, *arguments):
        code, _, err = run(["xdotool", *arguments], cwd=ROOT, env=self.env, timeout_s=30)
        if code != 0:
            raise Failure(f"xdotool: {err}")

    def type(self, text):
        code, _, err = run(["xdotool", "type", "--delay", "60", text], cwd=ROOT, env=self.env, timeout_s=60)
        if code != 0:
            raise Failure(f"xdotool: {err}")

    @staticmethod
    def failure(text):
        return Failure(text)

    def still(self, name, limit_s=CHANGE_LIMIT_S):
        """The picture once it has stopped changing."""
        last = self.grab(name)
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            time.sleep(3 * POLL_S)
            self.alive()
            shutil.copyfile(last, OUTPUT / "previous.png")
            last = self.grab(name)
            if self.share(OUTPUT / "previous.png", last) <= CARET_SHARE:
                (OUTPUT / "previous.png").unlink()
                return last
        raise Failure(f"{name}: the picture does not come to rest within {limit_s} s")

    def alive(self):
        if self.ended():
            raise Failure(f"the program ended with exit {self.program.returncode}: see {self.log.name}")

    def expect_change(self, before, name, least=CHANGED_SHARE):
        """Waits until the picture differs from `before`, then until it rests."""
        wait_until(lambda: self.alive() or self.share(before, self.grab(name)) > least, CHANGE_LIMIT_S,
                   f"{name}: the picture should change")
        return self.still(name)

    def expect_same(self, picture, name):
        """Waits until the picture is `picture` again."""
        wait_until(lambda: self.alive() or self.share(picture, self.grab(name)) <= SAME_SHARE, CHANGE_LIMIT_S,
                   f"{name}: the picture should be the same as {picture.name}")


def wait_until(condition, limit_s, what):
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not within {limit_s} s")
        time.sleep(POLL_S)


# --- Cases: in this order, in one window ------------------------------------------------------------------------------

def opens(screen, moments):
    """The window opens and shows the first step of the kernel."""
    screen.start_server()
    empty = screen.grab("empty")
    screen.start_program(KERNEL, "--no-tour")
    wait_until(lambda: screen.alive() or window_is_there(screen), START_LIMIT_S, "the window")
    wait_until(lambda: screen.alive() or screen.share(empty, screen.grab("first")) > 0.2, START_LIMIT_S, "first frame")
    screen.press("Home")
    moments["first"] = screen.still("first", START_LIMIT_S)


def window_is_there(screen):
    code, out, _ = run(["xdotool", "search", "--onlyvisible", "--name", "."], cwd=ROOT, env=screen.env, timeout_s=30)
    windows = out.split()
    if code != 0 or not windows:
        return False
    run(["xdotool", "windowfocus", windows[0]], cwd=ROOT, env=screen.env, timeout_s=30)
    return True


def step_forward(screen, moments):
    screen.press("Right")
    moments["second"] = screen.expect_change(moments["first"], "second")


def step_again(screen, moments):
    screen.press("Right")
    moments["third"] = screen.expect_change(moments["second"], "third")


def step_back_gives_the_same_pictures(screen, moments):
    screen.press("Left")
    screen.expect_same(moments["second"], "second_again")
    screen.press("Left")
    screen.expect_same(moments["first"], "first_again")


def end_and_home(screen, moments):
    screen.press("End")
    moments["last"] = screen.expect_change(moments["first"], "last")
    screen.press("Home")
    screen.expect_same(moments["first"], "home")


def space_plays_and_stops(screen, moments):
    screen.press("space")
    wait_until(lambda: screen.alive() or screen.share(moments["first"], screen.grab("playing")) > CHANGED_SHARE,
               CHANGE_LIMIT_S, "playing")
    screen.press("space")
    screen.still("stopped")
    screen.press("Home")
    screen.expect_same(moments["first"], "home_after_play")


def question_mark_shows_the_keys(screen, moments):
    screen.press("question")
    help_picture = screen.expect_change(moments["first"], "help")
    if screen.share(moments["first"], help_picture) < 0.05:
        raise Failure("the overlay with the keys covers less than 5 % of the window")
    screen.press("question")
    screen.expect_same(moments["first"], "help_closed")


def t_tries_all_schedules(screen, moments):
    """The left panel lists the outcomes: more of it changes than where the control was."""
    screen.press("t")
    outcomes = screen.expect_change(moments["first"], "outcomes")
    if screen.share(moments["first"], outcomes) > 0.2:
        raise Failure("more than the left panel changed")


def m_shows_the_map_of_threads(screen, moments):
    screen.press("m")
    moments["map"] = screen.expect_change(moments["first"], "map")
    screen.press("Right")
    screen.expect_change(moments["map"], "map_second")
    screen.press("Home")
    screen.expect_same(moments["map"], "map_home")
    screen.press("m")
    screen.expect_same(moments["first"], "map_closed")


def s_shows_multiprocessors(screen, moments):
    screen.press("s")
    screen.expect_change(moments["first"], "multiprocessors")
    screen.press("s")
    screen.expect_same(moments["first"], "warps_again")


def g_asks_for_the_gpu(screen, moments):
    """Where there is none, a line below the source says why, and the run stays; where there is one, its trace is shown."""
    screen.press("Home")
    before = screen.still("before_gpu")
    screen.press("g")
    screen.expect_change(before, "gpu")


# Of the lesson's rows below the parameters, in a window of 1600 × 1000.
LINK, CHOOSE, THREAD_0, THREAD_1, UNDO, IN_TURN = (54, 643), (180, 541), (31, 567), (73, 567), (205, 593), (80, 490)


def the_lesson_leads_to_its_step(screen, moments):
    """A click on the lesson's link is as many steps forward."""
    screen.end_program()
    empty = screen.grab("empty_again")
    screen.start_program(LOST_UPDATE, "--no-tour")
    wait_until(lambda: screen.alive() or window_is_there(screen), START_LIMIT_S, "the window")
    wait_until(lambda: screen.alive() or screen.share(empty, screen.grab("lost_update")) > 0.2, START_LIMIT_S, "first frame")
    moments["lost_update"] = screen.still("lost_update", START_LIMIT_S)
    screen.click(*LINK)
    linked = screen.expect_change(moments["lost_update"], "linked")
    screen.press("Home")
    moments["lost_update"] = screen.expect_change(linked, "lost_update")
    screen.press("Right", "Right", "Right")
    screen.expect_same(linked, "three_steps")


def the_learner_chooses_who_goes_next(screen, moments):
    """Turn after turn by clicks is the lesson's own schedule."""
    screen.click(*CHOOSE)
    before = moments["nobody"] = screen.expect_change(moments["lost_update"], "nobody")
    for number, place in enumerate((THREAD_0, THREAD_1) * 3):
        screen.click(*place)
        before = moments[f"turn_{number}"] = screen.expect_change(before, f"turn_{number}", least=0.0003)
    screen.click(*IN_TURN)
    screen.expect_same(moments["turn_5"], "in_turn")


def undo_takes_a_turn_back(screen, moments):
    screen.press("Home", "Right")
    moments["two"] = screen.expect_change(moments["turn_5"], "two")
    screen.click(*THREAD_1)
    moments["three"] = screen.expect_change(moments["two"], "three")
    screen.click(*UNDO)
    screen.expect_change(moments["three"], "undone")


CASES = [opens, step_forward, step_again, step_back_gives_the_same_pictures, end_and_home, space_plays_and_stops,
         question_mark_shows_the_keys, m_shows_the_map_of_threads, s_shows_multiprocessors, *view_cases.CASES,
         *explore_cases.CASES, *talk_cases.CASES, t_tries_all_schedules, g_asks_for_the_gpu, *compare_and_export.CASES,
         *preview_cases.CASES, *view_cases.LATER_CASES, the_lesson_leads_to_its_step,
         view_cases.a_problem_leads_to_its_accesses, the_learner_chooses_who_goes_next, undo_takes_a_turn_back,
         talk_cases.the_tour_is_offered_to_who_is_new]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    build = parser.parse_args().build.resolve()
    report = Report()
    for old in OUTPUT.glob("*.png"):
        old.unlink()
    for cases in (CASES, edit.CASES):
        run_cases(cases, build, report)
    report.finish()


def run_cases(cases, build, report):
    """In this order, on one screen; what follows a failure is not reached."""
    with Screen(build) as screen:
        moments = {"kernel": KERNEL, "there": lambda on: wait_until(lambda: on.alive() or window_is_there(on), START_LIMIT_S,
                                                                       "the window")}
        broken = None
        for case in cases:
            name = f"window: {case.__name__}"
            if broken:
                report.failure(name, f"not reached: {broken} failed")
                continue
            try:
                case(screen, moments)
                report.success(name)
            except (Failure, OSError, ValueError) as problem:
                report.failure(name, str(problem))
                broken = case.__name__


main()
