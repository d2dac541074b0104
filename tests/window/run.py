#!/usr/bin/env python3
"""Starts the window on a virtual screen, presses keys, moves the mouse, and reads the drawn frames.

    tests/window/run.py [--build FOLDER] [--times] [SCREEN…]    SCREEN: panels, edit, learn, program or gpu; without one, all

A failed case leaves picture and description of the window in build/tests/window: CASE.png, CASE.txt.
"""

import argparse
import re
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare_and_export  # noqa: E402
import edit  # noqa: E402
import explore_cases  # noqa: E402
import gpu_cases  # noqa: E402
import learn_cases  # noqa: E402
import preview_cases  # noqa: E402
import program_cases  # noqa: E402
import talk_cases  # noqa: E402
import view_cases  # noqa: E402
from harness import ROOT, Report  # noqa: E402
from screen import OUTPUT, Failure, Screen, need  # noqa: E402

KERNEL = "kernels/reduction/modulo.cu"
LOST_UPDATE = "kernels/atomics/lost_update.cu"


# --- Cases: in this order, in one window ------------------------------------------------------------------------------

def opens(screen, moments):
    """The window opens and shows the first step of the kernel."""
    screen.start_server()
    empty = screen.grab("empty")
    screen.start_program(KERNEL, "--no-tour")
    first = moments["first"] = screen.press("Home")
    need((first.file, first.page, first.step) == ("modulo.cu", "explore", 1), f"the first step of modulo.cu: {first.summary()}")
    for panel in ("top", "lessons", "parameters", "stage", "warps", "source", "inspector", "transport", "timeline"):
        need(first.has(panel), f"there is no panel {panel}")
    need(first.shows("BLOCK 0 · AFTER LINE 23 · STEP 1 OF 40", "stage"), f"the stage: {first.words('stage')}")
    need(first.shows("extern __shared__ int s[];", "source"), f"the source: {first.words('source')}")
    screen.expect_picture(lambda picture: screen.share(empty, picture) > 0.2, "first", "the window covers the screen")


def step_forward(screen, moments):
    moments["second"] = step_to(screen, "Right", 2)


def step_again(screen, moments):
    moments["third"] = step_to(screen, "Right", 3)


def step_to(screen, key, step):
    """Transport, stage and source follow."""
    before = screen.frame()
    after = screen.press(key)
    need(after.step == step, f"{key} leads to step {after.step}, not {step}")
    title = " ".join(after.words("stage").split())   # spaced capitals may be drawn in two pieces
    need(after.shows(f"step {step} of 40", "transport") and f"STEP {step} OF 40" in title,
         f"the step's number: {after.words('transport')}; {after.words('stage')[:100]}")
    need({"source", "warps", "stage", "timeline"} <= set(after.changed_panels(before)),
         f"only these panels changed: {after.changed_panels(before)}")
    return after


def step_back_gives_the_same_pictures(screen, moments):
    screen.press("Left")
    screen.expect_same(moments["second"])
    screen.press("Left")
    screen.expect_same(moments["first"])


def end_and_home(screen, moments):
    moments["last"] = step_to(screen, "End", moments["first"].steps)
    need(moments["last"].shows("out", "stage"), "the result is on the stage")
    screen.press("Home")
    screen.expect_same(moments["first"])


def space_plays_and_stops(screen, moments):
    screen.press("space", rest=False)
    playing = screen.wait(lambda frame: frame.step >= 3, "two steps are played")
    need(playing.busy, "the window should go on by itself")
    stopped = screen.press("space")
    need(stopped.step < stopped.steps, "the run should be stopped before its end")
    screen.press("Home")
    screen.expect_same(moments["first"])


def question_mark_shows_the_keys(screen, moments):
    shown = screen.press("question")
    need({panel.partition("/")[0] for panel in shown.changed_panels(moments["first"])} == {"keys"}, f"only the keys should be new: {shown.changed_panels(moments['first'])}")
    for words in ("Glossary", "Tour", "play or pause", "first step, last step", "Shift + F5"):
        need(shown.shows(words, "keys"), f"'{words}' is not among the keys: {shown.words('keys')}")
    screen.press("question")
    screen.expect_same(moments["first"])


def t_tries_all_schedules(screen, moments):
    """Only the left column changes: it lists the outcomes."""
    before = screen.frame()
    found = screen.press("t")
    need(found.shows("1 outcome, every schedule", "parameters") and found.shows("out[0] = 495", "parameters"),
         f"the outcomes: {found.words('parameters')}")
    changed = {panel.partition("/")[0] for panel in found.changed_panels(before)}
    need(changed <= {"parameters", "lessons"}, f"these panels changed: {changed}")


def m_shows_the_map_of_threads(screen, moments):
    first_map = screen.press("m")
    need(first_map.has("threads") and not first_map.has("stage"), f"the panels: {first_map.panels}")
    need(first_map.figures_in("threads"), "the map is empty")
    second = screen.press("Right")
    need(second.step == 2 and second.has("threads"), f"the second step: {second.summary()}")
    screen.press("Home")
    screen.expect_same(first_map)
    screen.press("m")
    screen.expect_same(moments["first"])


def f_shows_the_flow(screen, moments):
    """The figure has a row for each phase; a cell tells its formula, and a click leads to the step that wrote it."""
    flow = screen.press("f")
    need(flow.has("flow") and not flow.has("stage") and not flow.has("warps"), f"the panels: {flow.panels}")
    rows = [name for name, _ in flow.widgets if name.startswith("flow/row ")]
    need([name.split(" ", 2)[2] for name in rows] == ["in", "load", "stride 1", "stride 2", "stride 4", "stride 8", "stride 16", "stride 32", "stride 64", "out"],
         f"the rows: {rows}")
    need(flow.shows("This run: 127 operations on data, depth 7", "flow"), f"the figures: {flow.words('flow')[-300:]}")
    # The figure is too wide: columns fold, and a click on a pile's number opens it.
    folds = [name for name, _ in flow.widgets if name.startswith("flow/fold ")]
    need(len(folds) >= 2, f"the folds: {folds}")
    before = len([name for name, _ in flow.widgets if name.startswith("flow/cell 1 s[")])
    opened = screen.click(folds[0])
    after = len([name for name, _ in opened.widgets if name.startswith("flow/cell 1 s[")])
    need(after > before, f"{before} cells of the first row are in sight, and {after} after a fold is opened")
    screen.wheel("flow/cell 1 s[0]", 3)
    screen.click("flow/Fit")
    # s[0] after the last addition
    cell = "flow/cell 8 s[0]"
    screen.click(cell, button=3, stay=True)
    life = screen.still(lambda frame: frame.has("Popup/events/event 1"), "the life of s[0]")
    need(life.shows("? → 3"), "the first value of s[0]")
    first = screen.click("Popup/events/event 1")
    need(first.step == 4, f"the first write leads to step {first.step}")
    told = screen.hover(cell)
    told = screen.still(lambda frame: "127 operations" in frame.words() and "in[127]" in frame.words(), "the formula of s[0]")
    there = screen.click(cell)
    need(there.step > 30 and there.has("flow"), f"a click on the last sum leads to step {there.step}")
    screen.press("f", "Home")
    screen.expect_same(moments["first"])


def a_cell_tells_its_life(screen, moments):
    """A click lists the writes and reads of s[0]; one of them leads to its step."""
    screen.click("stage/cell s[0]", stay=True)
    life = screen.still(lambda frame: frame.has("Popup/events/event 1"), "the life of s[0]")
    events = [name for name, _ in life.widgets if name.startswith("Popup/events/event ")]
    need(len(events) >= 15, f"s[0] is written 8 times and read before 7 of them, but there are {len(events)} events")
    need(life.shows("? → 3") and life.shows("3 → 8") and life.shows("in[0] + in[1]"), "the first value, and the sum of two inputs")
    there = screen.click("Popup/events/event 1")
    need(there.step > 1 and not there.has("Popup/events/event 1"), f"the first event leads to step {there.step}")
    screen.press("Home")
    screen.expect_same(moments["first"])


def a_cell_stops_at_its_writes(screen, moments):
    """A right click on s[0] sets a breakpoint on its writes; the second write is the first sum."""
    screen.click("stage/cell s[0]", button=3, stay=True)
    screen.still(lambda frame: frame.has("Popup/break on write"), "the menu of s[0]")
    screen.click("Popup/break on write")
    screen.press("F5")
    sum_of_two = screen.press("F5")
    need(sum_of_two.step == 9 and sum_of_two.shows("stopped after line 33: s[0] was written by t0", "transport"),
         f"step {sum_of_two.step}: {sum_of_two.words('transport')}")
    back = screen.press("ctrl+F5")
    need(back.step == 4, f"the write before it is in step {back.step}")
    screen.press("Home")
    screen.click("stage/cell s[0]", button=3, stay=True)
    screen.still(lambda frame: frame.shows("do not stop at writes"), "the menu of s[0]")
    screen.click("Popup/break on write")
    screen.expect_same(moments["first"])


def a_shows_the_state_before_the_step(screen, moments):
    before = screen.press("a")
    need(before.shows("BEFORE LINE 23", "stage") and before.shows("before step 1 of 40", "transport"),
         f"the titles: {before.words('stage')[:80]}; {before.words('transport')}")
    screen.press("a")
    screen.expect_same(moments["first"])


def values_travel_after_a_step(screen, moments):
    """The stage shows the old sums until the new ones arrive; then no more frames are drawn."""
    change_motion(screen)  # as the system says → on
    for _ in range(10):  # a machine that is busy may draw the last frame before the test reads an earlier one
        screen.click("timeline/step 12")
        time.sleep(0.5)  # steps that follow each other fast do not move anything
        screen.press("Right", rest=False)
        moving = screen.wait(lambda frame: frame.step == 13, "step 13")
        final = screen.still(lambda frame: frame.step == 13, "the values arrive")
        if moving.words("stage") != final.words("stage"):
            break
    else:
        raise Failure("no value is on its way")
    time.sleep(0.5)
    need(not screen.frame().busy, "frames are drawn although nothing moves")
    screen.press("Left")
    back = screen.press("Left")
    need(not back.busy and back.step == 11, "a step back moves something")
    change_motion(screen)  # off
    screen.click("timeline/step 12")
    screen.press("Right", rest=False)
    still = screen.wait(lambda frame: frame.step == 13, "step 13")
    need(still.words("stage") == screen.still().words("stage"), "values travel although motion is off")
    change_motion(screen)
    screen.press("Home")
    screen.expect_same(moments["first"])


def change_motion(screen):
    screen.press("ctrl+p")
    screen.type("motion of values")
    screen.press("Return")


def s_shows_multiprocessors(screen, moments):
    shown = screen.press("s")
    need(shown.shows("rows: SMs", "transport") and not shown.shows("warp 0", "timeline"), f"the timeline: {shown.words('timeline')}")
    need(set(shown.changed_panels(moments["first"])) == {"transport", "timeline"}, "only the timeline should change")
    screen.press("s")
    clock = screen.expect("estimated for an NVIDIA H200", "timeline")
    need(clock.shows("global memory", "timeline"), f"the legend of the clock: {clock.words('timeline')}")
    screen.press("s")
    screen.expect_same(moments["first"])


def g_asks_for_the_gpu(screen, moments):
    """With a GPU its trace is shown. Without one, a line says why, and the run stays."""
    before = screen.press("Home")
    after = screen.press("g")
    need(after.body != before.body, "nothing tells about the GPU")
    refused = after.shows("libcuda") or after.shows("driver")
    need(refused or not after.shows("CPU SIMT machine", "top"), f"neither a GPU nor a reason: {after.summary()}")
    need(not refused or after.step == before.step, "the run should stay")


def the_lesson_leads_to_its_step(screen, moments):
    """A click on the lesson's link shows the same as stepping there."""
    screen.end_program()
    lesson = screen.start_program(LOST_UPDATE, "--no-tour")
    need(lesson.file == "lost_update.cu", f"the file is {lesson.file}")
    page = screen.press("d")
    need(page.has("lesson page") and not page.has("parameters") and page.has("stage"), f"the panels: {page.panels}")
    while not page.has("lesson page/page/look"):   # the page begins with the introduction of the topic
        before, page = page, screen.press("ctrl+d")
        need(page.body != before.body, "the end of the page comes before the link")
    linked = screen.click("lesson page/page/look")
    need(linked.step == 4, f"the link leads to step {linked.step}")
    screen.press("d")
    linked = screen.still(lambda frame: frame.has("parameters") and not frame.has("lesson page"), "the page is closed")
    moments["lost_update"] = screen.press("Home")
    need(moments["lost_update"].step == 1, "the first step")
    screen.press("Right", "Right", "Right")
    screen.expect_same(linked)


def the_learner_chooses_who_goes_next(screen, moments):
    """Clicked turns give the same run as the schedule of the lesson."""
    chosen = screen.click("parameters/rows/choose")
    need(chosen.has("parameters/rows/t0") and chosen.has("parameters/rows/t1"), f"the threads: {chosen.words('parameters')}")
    so_far = ""
    for number in (0, 1) * 3:
        so_far += f" {number}"
        frame = screen.click(f"parameters/rows/t{number}")
        need(turns(frame) == so_far, f"the turns{so_far} were clicked, and{turns(frame)} are shown")
    screen.click("parameters/rows/in-turn-0-first")
    screen.expect_same(frame)


def turns(frame):
    """Returns the turns beside the word Undo."""
    undo = frame.find("parameters/rows/undo")
    line = [text.words for text in frame.texts if text.panel == "parameters/rows" and undo.y <= text.place.y < undo.y + undo.height]
    return re.search(r"(?: [0-9]+)*$", next(words for words in line if words != "Undo"))[0]


def undo_takes_a_turn_back(screen, moments):
    screen.press("Home", "Right")
    two = screen.frame()
    need(turns(two) == " 0 1", f"after two steps the turns are{turns(two)}")
    three = screen.click("parameters/rows/t1")
    need(turns(three) == " 0 1 1", f"after another turn the turns are{turns(three)}")
    back = screen.click("parameters/rows/undo")
    need(turns(back) == " 0 1", f"the turn is not taken back: the turns are{turns(back)}")


CASES = [opens, step_forward, step_again, step_back_gives_the_same_pictures, end_and_home, space_plays_and_stops,
         question_mark_shows_the_keys, m_shows_the_map_of_threads, f_shows_the_flow, a_cell_tells_its_life, a_cell_stops_at_its_writes,
         a_shows_the_state_before_the_step, values_travel_after_a_step, s_shows_multiprocessors, *view_cases.CASES,
         *explore_cases.CASES, *talk_cases.CASES, t_tries_all_schedules, g_asks_for_the_gpu, *compare_and_export.CASES,
         *preview_cases.CASES, *view_cases.LATER_CASES, the_lesson_leads_to_its_step,
         view_cases.a_problem_leads_to_its_accesses, the_learner_chooses_who_goes_next, undo_takes_a_turn_back,
         talk_cases.the_tour_is_offered_to_who_is_new]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--times", action="store_true", help="print how long each case takes")
    parser.add_argument("screen", nargs="*", metavar="SCREEN")
    arguments = parser.parse_args()
    for pattern in ("*.png", "*.txt", "*.log"):
        for old in OUTPUT.glob(pattern):
            old.unlink()
    runs = [Run("panels", CASES, arguments.build.resolve()), Run("edit", edit.CASES, arguments.build.resolve()),
            Run("learn", learn_cases.CASES, arguments.build.resolve()),
            Run("program", program_cases.CASES, arguments.build.resolve()),
            Run("gpu", gpu_cases.CASES, arguments.build.resolve())]
    runs = [each for each in runs if not arguments.screen or each.name in arguments.screen]
    for each in runs:
        each.start()
    report = Report()
    for each in runs:
        each.join()
        for case, seconds, problem in each.results:
            if arguments.times:
                print(f"{seconds:6.1f} s  {each.name}: {case}")
            if problem is None:
                report.success(f"window: {case}")
            else:
                report.failure(f"window: {case}", problem)
    report.finish()


class Run(threading.Thread):
    """Runs cases in order on one screen; the cases after a failure are not reached."""

    def __init__(self, name, cases, build):
        super().__init__(name=name)
        self.cases, self.build = cases, build
        self.results = []   # (case, seconds, problem or None)

    def run(self):
        with Screen(self.build, self.name) as screen:
            moments, broken = {"kernel": KERNEL}, None
            for case in self.cases:
                if broken:
                    self.results.append((case.__name__, 0.0, f"not reached: {broken} failed"))
                    continue
                began = time.monotonic()
                problem = self.problem_of(case, screen, moments)
                self.results.append((case.__name__, time.monotonic() - began, problem))
                if problem is not None:
                    broken = case.__name__
                    screen.keep_evidence(broken)

    @staticmethod
    def problem_of(case, screen, moments):
        try:
            case(screen, moments)
            return None
        except Failure as problem:
            return str(problem)
        except Exception as problem:   # a mistake in a case fails this case, not the suite
            return f"{type(problem).__name__}: {problem}"


main()
