"""Cases of the window: questions are answered, an exercise is done, results are predicted, progress is kept."""

import json
import re

from harness import ROOT
from screen import need

KERNEL = """/*--- lanescope
[buffers]
a = { type = "int", count = "20", init = "iota" }

[[launch]]
kernel = "twice"
grid   = ["1"]
block  = ["32"]
args   = ["a", "20"]
---*/
__global__ void twice(int* a, int n) {
    int i = threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
"""

LESSON = """[[lesson]]
file  = "twice.cu"
title = "Twice"
text  = "It doubles."

[[lesson.question]]
ask    = "How many threads write?"
answer = "The first twenty threads."
is     = "lanes"
at     = { code = "a[i] = 2" }
right  = 20
unit   = "threads"
"""

EXCLUSIVE = "kernels/scan/exclusive_shifted.cu"
STARTER = "kernels/reduction/exercises/fix_the_race.cu"
QUESTION, EXERCISE = "question 1/", "exercise fix_the_race/"


def widget(frame, end):
    """Returns the whole name of the widget of a box, or None if it is not in sight, or only an edge of it."""
    return next((name for name, place in frame.widgets if name.endswith("/" + end) and place.height > 15), None)


def page(screen):
    """Opens the lesson's page, and returns the name of its panel."""
    if not screen.frame().has("lesson page"):
        screen.press("d")
        screen.still(lambda frame: frame.has("lesson page"), "the lesson's page")
    return "lesson page"


def in_sight(screen, end):
    """Scrolls the page until the widget is in sight, and returns its name."""
    panel = page(screen)
    for clicks in (0, *[-1] * 40, *[1] * 80):
        if clicks:
            screen.wheel(panel, clicks)
        if name := widget(screen.frame(), end):
            return name
    need(False, f"there is no widget {end}: {screen.frame().summary()}")
    return None


def click(screen, end):
    return screen.click(in_sight(screen, end))


def progress(screen):
    return json.loads((screen.folder / "state" / "progress.json").read_text(encoding="utf-8"))


def opens_a_lesson_of_ones_own(screen, moments):
    screen.start_server()
    topic = screen.folder / "kernels" / "doubling"
    topic.mkdir(parents=True)
    (topic / "twice.cu").write_text(KERNEL, encoding="utf-8")
    (topic / "lesson.toml").write_text(LESSON, encoding="utf-8")
    screen.env["LANESCOPE_KERNELS"] = str(topic.parent)
    screen.env["LANESCOPE_STATE"] = str(screen.folder / "state")
    moments["first"] = screen.start_program("--no-tour", str(topic / "twice.cu"))
    need(moments["first"].step == 1, "the first step")


def a_key_leads_to_the_input(screen, moments):
    """Q goes to the question, and what is typed then is its answer."""
    screen.press("q")
    screen.still(lambda frame: frame.has("lesson page") and widget(frame, QUESTION + "answer"), "the question is in sight")
    screen.type("17")
    screen.still(lambda frame: frame.shows("17", "lesson page"), "the answer is typed")
    screen.press("ctrl+a", "BackSpace", "Escape")


def a_wrong_answer_is_told_without_the_right_one(screen, moments):
    click(screen, QUESTION + "answer")
    screen.type("19")
    screen.press("Return")
    wrong = screen.expect("is not what the run measures")
    need(not wrong.shows("first twenty") and not wrong.shows("✓ Right"), "the answer should stay folded")
    screen.press("ctrl+a")
    screen.type("18")
    screen.press("Return")
    screen.expect("18 is not what the run measures")   # the input has kept the keyboard
    screen.press("Escape")
    there = click(screen, QUESTION + "step")
    need(there.step > 1, f"the link leads to step {there.step}")


def a_right_answer_unfolds(screen, moments):
    name = in_sight(screen, QUESTION + "answer")
    screen.click(name)
    screen.press("ctrl+a")
    screen.type("20")
    screen.click(in_sight(screen, QUESTION + "check"))
    screen.still(lambda frame: frame.shows("✓ Right") and frame.shows("first twenty"), "the answer is right and unfolds")
    kept = progress(screen)
    need(len(kept["questions"]) == 1 and kept["lessons"], f"the progress: {kept}")
    click(screen, QUESTION + "show")
    screen.still(lambda frame: not frame.shows("first twenty"), "the answer is folded again")


def progress_is_forgotten_and_restored(screen, moments):
    screen.palette("forget my progress")
    screen.expect("Your progress is forgotten")
    need(not progress(screen)["questions"], f"the progress: {progress(screen)}")
    screen.palette("restore my forgotten")
    need(progress(screen)["questions"], f"the progress: {progress(screen)}")


def hidden_results_are_predicted(screen, moments):
    """Tab goes from one hidden cell to the next; the old values stay visible; R judges what was typed."""
    screen.press("Home", "h")
    screen.click("timeline/step 4")
    hidden = screen.still(lambda frame: frame.shows("reveals what this step wrote", "transport"), "a step that writes")
    screen.press("Tab")
    screen.still(lambda frame: frame.has("stage/prediction"), "the input over the first cell")
    screen.type("0")
    screen.press("Tab")
    screen.type("2")
    screen.press("Tab")
    screen.type("5")
    screen.press("Return")
    last = screen.press("Escape")
    need(not last.has("stage/prediction"), "Esc closes the input")
    need(last.step == hidden.step, "typing should not step")
    screen.press("r")
    told = screen.expect("2 of 3 predictions right", "transport")
    need(sum(text.words == "✓" for text in told.texts if text.panel == "stage") == 2, f"the marks: {told.words('stage')}")
    need(sum(text.words == "✗" for text in told.texts if text.panel == "stage") == 1, f"the marks: {told.words('stage')}")
    screen.press("Tab")
    screen.type("7")
    frame = screen.still(lambda frame: frame.shows("shown already"), "a line says that nothing is hidden here")
    need(frame.shows("20 elements") or not frame.shows("elements n 7", "parameters"), "what is typed falls into a parameter")
    screen.press("h", "Home")


def a_wrong_attempt_leads_to_its_step(screen, moments):
    screen.end_program()
    screen.start_program("--no-tour", STARTER)
    click(screen, EXERCISE + "hint")
    screen.expect("Hint 1 of 2")
    click(screen, EXERCISE + "judge")
    in_sight_words(screen, "Not yet")
    name = next((f"goal {number}" for number in (1, 2, 3) if find(screen, f"goal {number}")), None)
    need(name, "a goal that is missed should have a link to its step")
    click(screen, EXERCISE + name)
    screen.still(lambda frame: frame.step == 29, "the step that wrote the wrong sum")
    screen.press("d")
    screen.expect("warp by warp", "parameters")
    screen.press("d")
    need(progress(screen)["exercises"]["reduction/fix_the_race"]["points"] < 7, "not all points")


def in_sight_words(screen, words):
    screen.still(lambda frame: not frame.busy, "the verdict")
    panel = page(screen)
    for _ in range(40):
        if screen.frame().shows(words):
            return
        screen.wheel(panel, -1)
    need(False, f"'{words}': {screen.frame().summary()}")


def find(screen, end):
    try:
        return in_sight(screen, EXERCISE + end)
    except Exception:   # the widget does not exist
        return None


def a_mistake_is_told_with_its_place(screen, moments):
    """The text in the editor is judged; the starter file is never written."""
    before = (ROOT / STARTER).read_bytes()
    screen.press("e")
    screen.type("x")
    screen.expect("(edited)", "top")
    click(screen, EXERCISE + "judge")
    in_sight_words(screen, "Your code was not run")
    in_sight_words(screen, "fix_the_race.cu:")
    need((ROOT / STARTER).read_bytes() == before, "the starter file was written")


def the_solution_passes(screen, moments):
    """A file of one's own belongs to the exercise that it names."""
    screen.end_program()
    mine = screen.folder / "mine.cu"
    mine.write_text((ROOT / STARTER.replace(".cu", ".solution.cu")).read_text(encoding="utf-8"), encoding="utf-8")
    screen.start_program("--no-tour", str(mine))
    click(screen, EXERCISE + "judge")
    in_sight_words(screen, "Passed: 7 of 7 points")
    need(progress(screen)["exercises"]["reduction/fix_the_race"] == {"points": 7, "max_points": 7}, f"the progress: {progress(screen)}")
    click(screen, EXERCISE + "compare")
    screen.still(lambda frame: frame.page == "compare" and frame.shows("fix_the_race.solution.cu"), "the solution in step")
    screen.press("Escape")


def replace_line(screen, number, text):
    """Types a line anew; `number` counts from the end of the file."""
    screen.click("source/code/text")
    screen.press("ctrl+End", *["Up"] * number, "Home", "shift+End")
    screen.type(text)


def an_exercise_is_done_by_keys(screen, moments):
    """From the lesson's page to its mark in the list: a wrong attempt, its step, a hint, the right code."""
    screen.end_program()
    screen.start_program("--no-tour", EXCLUSIVE)
    click(screen, "exercise make_it_exclusive/open")
    screen.still(lambda frame: frame.file == "make_it_exclusive.cu", "the starter")
    replace_line(screen, 14, "    s[t] = in[t - 1];")
    click(screen, "exercise make_it_exclusive/judge")
    in_sight_words(screen, "the index is -1 as an unsigned number")
    need(screen.frame().has("source/Save as"), "the starter of the course is saved under another name only")
    need(screen.frame().shows("0 of 6 points"), "no points")
    screen.click(in_sight(screen, "exercise make_it_exclusive/goal 2"), stay=True)
    there = screen.still()
    need(not there.shows("What one press of"), "no hint on a term covers the verdict after a click")
    need(there.step == 3 and there.shows("LINE 26", "stage"), f"the link leads to step {there.step}")
    screen.park()
    click(screen, "exercise make_it_exclusive/hint")
    screen.expect("Hint 1 of 2")
    replace_line(screen, 14, "    s[t] = t > 0 ? in[t - 1] : 0;")
    in_sight_words(screen, "Your code has changed since this verdict")
    click(screen, "exercise make_it_exclusive/judge")
    in_sight_words(screen, "Passed: 6 of 6 points")
    screen.click("lesson page/All lessons, parameters")
    screen.still(lambda frame: re.search(r"\b1 of [2-9]", frame.words("lessons")), "the mark of the lesson in the list")
    need(progress(screen)["exercises"]["scan/make_it_exclusive"]["points"] == 6, f"the progress: {progress(screen)}")


CASES = [opens_a_lesson_of_ones_own, a_key_leads_to_the_input, a_wrong_answer_is_told_without_the_right_one, a_right_answer_unfolds,
         progress_is_forgotten_and_restored,
         hidden_results_are_predicted, a_wrong_attempt_leads_to_its_step, a_mistake_is_told_with_its_place, the_solution_passes,
         an_exercise_is_done_by_keys]
