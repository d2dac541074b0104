"""Cases of the window: a user's own file is edited, saved, restored and remembered."""

import shutil
import signal

from harness import ROOT
from screen import need, until

LESSON = "kernels/reduction/modulo.cu"
DIMMED = "last good"


def expect_title(screen, wanted):
    """Waits for this title of the window, which the desktop shows."""
    whole = wanted + " – Lanescope"
    until(lambda: screen.alive() or screen.title() == whole, f"the title '{whole}' (it is '{screen.title()}')")
    return screen.still()


def opens_the_users_own_file(screen, moments):
    screen.start_server()
    screen.mine = screen.folder / "mine.cu"
    shutil.copyfile(ROOT / LESSON, screen.mine)
    moments["first"] = screen.start_program("--no-tour", str(screen.mine))
    expect_title(screen, "mine.cu")


def a_mistake_leaves_the_last_good_run_dimmed(screen, moments):
    editing = screen.press("e")
    need(editing.has("source/code/text") or editing.shows("DONE", "source"), f"the source: {editing.words('source')[:100]}")
    screen.type("x")
    wrong = expect_title(screen, "mine.cu (edited)")
    need(wrong.figures_in(DIMMED) and not editing.figures_in(DIMMED), "the last good run should be dimmed")
    need(wrong.shows("the views still show the last good run", "source"), f"the mistake has no message: {wrong.words('source')[:200]}")
    need(wrong.words("stage") == editing.words("stage"), "the run should stay")


def a_click_on_an_error_goes_to_it(screen, moments):
    """The mistake is in the first line; the list below the source leads back to it."""
    screen.press("ctrl+End")
    end = screen.still(lambda frame: not frame.has("source/line 1"), "the end of the file")
    need(end.has("source/error0"), f"the errors are listed: {end.words('source')[:200]}")
    screen.click("source/error0")
    screen.still(lambda frame: frame.has("source/line 1"), "the first line is in sight")


def ctrl_z_and_ctrl_y(screen, moments):
    screen.press("ctrl+z")
    back = expect_title(screen, "mine.cu")
    need(not back.figures_in(DIMMED), "the run is still dimmed after the mistake was taken back")
    screen.press("ctrl+y")
    need(expect_title(screen, "mine.cu (edited)").figures_in(DIMMED), "the run should be dimmed again")
    screen.press("ctrl+z")
    expect_title(screen, "mine.cu")


def ctrl_s_saves_the_users_own_file(screen, moments):
    screen.press("ctrl+End")
    screen.type("// note")
    expect_title(screen, "mine.cu (edited)")
    screen.press("ctrl+s")
    expect_title(screen, "mine.cu")
    need("// note" in screen.mine.read_text(), "the file does not hold what was typed")


def a_failed_save_is_told_until_one_succeeds(screen, moments):
    in_the_way = screen.mine.with_name(f"mine.cu.{screen.program.pid}.part")  # as if the disk were full
    in_the_way.mkdir()
    (in_the_way / "full").touch()
    screen.type(" more")
    screen.press("ctrl+s")
    failed = screen.still(lambda frame: frame.shows("mine.cu is not saved", "file problem"), "the message of the save")
    need(not failed.figures_in(DIMMED), "the run is fine")
    shutil.rmtree(in_the_way)
    screen.press("ctrl+s")
    saved = expect_title(screen, "mine.cu")
    need(not saved.words("file problem"), "the message goes with the next good save")
    need(" more" in screen.mine.read_text(), "the file does not hold what was typed")


def an_endless_loop_says_where_it_is(screen, moments):
    """Time, instructions and line; the verdict and the picture are not taken for those of this run. Shift+F5 ends it."""
    text = screen.mine.read_text()
    end = text.rindex("}")
    screen.mine.write_text(text[:end] + "    for (unsigned i = 0;; ++i)\n        out[0] = i;\n" + text[end:])
    line = text[:end].count("\n") + 1
    running = screen.wait(lambda frame: frame.shows("warp instructions so far", "progress"), "the progress of the run")
    need(running.shows(f"now at line {line}", "progress") or running.shows(f"now at line {line + 1}", "progress"),
         f"the line: {running.words('progress')}")
    need(running.shows("no result yet", "top") and not running.shows("result as expected", "top"), f"the verdict: {running.words('top')}")
    need(running.shows("of the run before", DIMMED), f"the picture should be marked as old: {running.summary()}")
    screen.press("Escape", "shift+F5", rest=False)
    screen.still(lambda frame: frame.shows("the newest one was cancelled", DIMMED), "the run has ended")
    screen.mine.write_text(text)
    screen.still(lambda frame: not frame.figures_in(DIMMED) and frame.shows("result as expected", "top"), "the run as before")
    screen.press("e")
    screen.press("ctrl+End")


def a_draft_outlives_a_crash(screen, moments):
    screen.type(" draft")
    expect_title(screen, "mine.cu (edited)")
    folder = screen.folder / ".local" / "state" / "lanescope" / "drafts"
    until(lambda: folder.is_dir() and any("draft" in file.read_text() for file in folder.iterdir()), "the draft in the state folder")
    screen.end_program(signal.SIGKILL)
    offered = screen.start_program("--no-tour", str(screen.mine))
    expect_title(screen, "mine.cu")
    need(offered.shows("was edited and not saved", "question"), f"the draft should be offered: {offered.summary()}")
    screen.palette("restore the draft")
    taken = expect_title(screen, "mine.cu (edited)")
    need(not taken.words("question"), "the question is answered")


def a_change_on_disk_is_asked(screen, moments):
    screen.mine.write_text(screen.mine.read_text() + "// theirs\n")
    screen.expect("also changed on disk", "question")
    screen.palette("keep mine")
    expect_title(screen, "mine.cu (edited)")
    screen.press("ctrl+s")
    expect_title(screen, "mine.cu")
    need("theirs" not in screen.mine.read_text() and "draft" in screen.mine.read_text(), "mine was not kept")


def a_deleted_file_is_told_of_and_saved_again(screen, moments):
    text = screen.mine.read_text()
    screen.mine.unlink()
    screen.expect("deleted or moved", "question")
    expect_title(screen, "mine.cu (edited)")
    screen.palette("save the file again")
    expect_title(screen, "mine.cu")
    need(screen.mine.read_text() == text, "the file does not hold its text again")


def a_parameter_by_keyboard_and_back(screen, moments):
    before = screen.frame()
    smaller = screen.palette("n 32")
    need(smaller.shows("elements n 32", "parameters"), f"the parameters: {smaller.words('parameters')}")
    need({"stage", "parameters/rows"} <= set(smaller.changed_panels(before)), "the run should be of 32 elements")
    screen.press("ctrl+z")
    screen.expect_same(before)


def the_form_opens_and_closes(screen, moments):
    before = screen.frame()
    form = screen.press("ctrl+f")
    need(form.has("form/close") and form.shows("reduce", "form"), f"the form: {form.words('form')}")
    screen.press("Escape")
    screen.expect_same(before)


def the_form_looks_for_a_launch_of_a_file_that_cannot_run(screen, moments):
    """No run has proposed one, so the form has the file compiled in the background."""
    bare = screen.folder / "bare.cu"
    bare.write_text("__global__ void bare(int* a) { a[threadIdx.x] = b; }\n")
    screen.press("ctrl+o")
    screen.press("ctrl+a")
    screen.type(str(bare))
    screen.press("Return")
    expect_title(screen, "bare.cu")
    screen.press("ctrl+f")
    screen.still(lambda frame: frame.shows('identifier "b" is undefined', "form"), "why the form cannot show the file")
    screen.press("Escape")


def a_lesson_is_saved_under_another_name(screen, moments):
    lesson = (ROOT / LESSON).read_text()
    screen.palette("reduction modulo")
    expect_title(screen, "modulo.cu")
    asked = screen.press("ctrl+s")
    need(asked.has("path/name"), f"there is no line for the file's name: {asked.summary()}")
    screen.press("Return")
    copy = screen.folder / ".local" / "share" / "lanescope" / "modulo.cu"
    until(lambda: screen.alive() or copy.is_file(), "the copy in the user's folder")
    need(copy.read_text() == lesson and (ROOT / LESSON).read_text() == lesson, "the copy is not the lesson")


def a_lesson_is_reset(screen, moments):
    screen.palette("reduction modulo")
    expect_title(screen, "modulo.cu")
    screen.press("e")
    screen.type("x")
    expect_title(screen, "modulo.cu (edited)")
    screen.palette("reset to the lesson")
    expect_title(screen, "modulo.cu")
    screen.press("Escape")


def a_recent_file_opens_again(screen, moments):
    screen.palette("mine.cu")
    expect_title(screen, "mine.cu")


def a_file_that_cannot_be_opened_leaves_the_run_as_it_is(screen, moments):
    damaged = screen.folder / "damaged.trace"
    damaged.write_text("no trace")
    screen.press("ctrl+o")
    screen.press("ctrl+a")
    screen.type(str(damaged))
    screen.press("Return")
    refused = screen.still(lambda frame: frame.shows("damaged.trace: ", "file problem"), "the message of the file")
    need(not refused.figures_in(DIMMED), "the run is fine")
    need(screen.title() == "mine.cu – Lanescope", "the open file stays")
    damaged.unlink()


def ctrl_o_opens_a_saved_trace(screen, moments):
    trace = screen.folder / "saved.trace"
    screen.lanescope("run", LESSON, "--save", str(trace))
    need(screen.press("ctrl+o").has("path/name"), "there is no line for the file's name")
    screen.press("ctrl+a")
    screen.type(str(screen.folder) + "/sav")
    completed = screen.press("Tab")
    need(completed.shows(str(trace), "path"), f"the name is not completed: {completed.words('path')}")
    screen.press("Return")
    opened = expect_title(screen, "saved.trace")
    need(not opened.words("file problem"), "the message about another file goes")


def theme_and_file_are_kept(screen, moments):
    """Pictures show the theme; a description only names the colours' roles."""
    dark = screen.grab("edit_dark")
    light_frame = screen.press("ctrl+t")
    screen.expect_picture(lambda light: screen.share(dark, light) > 0.5, "edit_light", "more than half of the pixels are light")
    light = screen.grab("edit_light")
    screen.xdotool("key", "ctrl+q")
    until(screen.ended, "the end of the program")
    again = screen.start_program("--no-tour")
    expect_title(screen, "saved.trace")
    # The program does not keep which topics of the list are open.
    changed = {panel.partition("/")[0] for panel in again.changed_panels(light_frame)}
    need(changed <= {"lessons"} and again.step == light_frame.step, f"these panels are not as before: {changed}")
    screen.expect_picture(lambda now: screen.share(light, now) < 0.05, "edit_light_again", "the same theme as before")


CASES = [opens_the_users_own_file, a_mistake_leaves_the_last_good_run_dimmed, a_click_on_an_error_goes_to_it, ctrl_z_and_ctrl_y,
         ctrl_s_saves_the_users_own_file, a_failed_save_is_told_until_one_succeeds,
         an_endless_loop_says_where_it_is, a_draft_outlives_a_crash, a_change_on_disk_is_asked, a_deleted_file_is_told_of_and_saved_again,
         a_parameter_by_keyboard_and_back, the_form_opens_and_closes, the_form_looks_for_a_launch_of_a_file_that_cannot_run, a_lesson_is_saved_under_another_name,
         a_lesson_is_reset, a_recent_file_opens_again, a_file_that_cannot_be_opened_leaves_the_run_as_it_is, ctrl_o_opens_a_saved_trace, theme_and_file_are_kept]
