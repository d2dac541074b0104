"""A file of a person's own in the window: typing, taking back, saving, drafts, what is kept between runs."""

import os
import shutil
import signal
import subprocess
import time

from harness import ROOT, run

CHANGE_LIMIT_S, START_LIMIT_S = 30, 60

LESSON = "kernels/reduction/modulo.cu"
LESSONS_SHARE = 0.05  # of the pixels, more than differ where the list of lessons is another
DIMMED_SHARE = 0.05  # of the pixels that change at least when the last good run is dimmed


def wait_until(condition, limit_s, what):
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            raise ValueError(f"{what}: not within {limit_s} s")
        time.sleep(0.1)


def window_is_there(screen):
    code, out, _ = run(["xdotool", "search", "--onlyvisible", "--name", "."], cwd=ROOT, env=screen.env, timeout_s=30)
    if code == 0 and out.split():
        run(["xdotool", "windowfocus", out.split()[0]], cwd=ROOT, env=screen.env, timeout_s=30)
    return code == 0 and bool(out.split())


def title(screen):
    code, out, _ = run(["xdotool", "search", "--onlyvisible", "--name", "Lanescope"], cwd=ROOT, env=screen.env, timeout_s=30)
    if code != 0 or not out.split():
        return ""
    return run(["xdotool", "getwindowname", out.split()[0]], cwd=ROOT, env=screen.env, timeout_s=30)[1].strip()


def expect_title(screen, wanted):
    wait_until(lambda: screen.alive() or title(screen) == wanted + " – Lanescope", CHANGE_LIMIT_S, f"the title {wanted}")


def type_text(screen, text):
    run(["xdotool", "type", "--delay", "40", text], cwd=ROOT, env=screen.env, timeout_s=60)


def choose(screen, words):
    """By the palette: what a person without a mouse does."""
    before = screen.still("before_palette")
    screen.press("ctrl+p")
    opened = screen.expect_change(before, "palette")
    type_text(screen, words)
    screen.expect_change(opened, "palette_typed")
    screen.press("Return")


def start(screen, *arguments):
    screen.start_program("--no-tour", *arguments)
    wait_until(lambda: screen.alive() or window_is_there(screen), START_LIMIT_S, "the window")


def opens_a_file_of_ones_own(screen, moments):
    screen.start_server()
    screen.mine = screen.folder / "mine.cu"
    shutil.copyfile(ROOT / LESSON, screen.mine)
    start(screen, str(screen.mine))
    expect_title(screen, "mine.cu")
    moments["first"] = screen.still("mine", START_LIMIT_S)


def a_mistake_leaves_the_last_good_run_dimmed(screen, moments):
    screen.press("e")
    moments["editing"] = screen.expect_change(moments["first"], "editing")
    type_text(screen, "x")
    wrong = screen.expect_change(moments["editing"], "mistake")
    if screen.share(moments["editing"], wrong) < DIMMED_SHARE:
        raise ValueError("the last good run is not dimmed")
    expect_title(screen, "mine.cu (edited)")


def ctrl_z_and_ctrl_y(screen, moments):
    wrong = screen.still("mistake_again")
    screen.press("ctrl+z")
    expect_title(screen, "mine.cu")
    if screen.share(wrong, screen.still("taken_back")) < DIMMED_SHARE:
        raise ValueError("the run is still dimmed after the mistake was taken back")
    screen.press("ctrl+y")
    expect_title(screen, "mine.cu (edited)")
    screen.press("ctrl+z")
    expect_title(screen, "mine.cu")


def ctrl_s_saves_ones_own_file(screen, moments):
    screen.press("ctrl+End")
    type_text(screen, "// note")
    expect_title(screen, "mine.cu (edited)")
    screen.press("ctrl+s")
    expect_title(screen, "mine.cu")
    if "// note" not in screen.mine.read_text():
        raise ValueError("the file does not hold what was typed")


def a_draft_outlives_a_crash(screen, moments):
    type_text(screen, " draft")
    expect_title(screen, "mine.cu (edited)")
    folder = screen.folder / ".local" / "state" / "lanescope" / "drafts"
    wait_until(lambda: folder.is_dir() and any("draft" in file.read_text() for file in folder.iterdir()),
               CHANGE_LIMIT_S, "the draft in the state folder")
    os.killpg(screen.program.pid, signal.SIGKILL)
    screen.program.wait()
    start(screen, str(screen.mine))
    expect_title(screen, "mine.cu")
    screen.still("draft_offered", START_LIMIT_S)
    choose(screen, "restore the draft")
    expect_title(screen, "mine.cu (edited)")


def a_change_on_disk_is_asked(screen, moments):
    before = screen.still("before_disk")
    text = screen.mine.read_text()
    screen.mine.write_text(text + "// theirs\n")
    screen.expect_change(before, "disk_asked")
    choose(screen, "keep mine")
    expect_title(screen, "mine.cu (edited)")
    screen.press("ctrl+s")
    expect_title(screen, "mine.cu")
    if "theirs" in screen.mine.read_text() or "draft" not in screen.mine.read_text():
        raise ValueError("mine was not kept")


def a_parameter_by_keyboard_and_back(screen, moments):
    before = screen.still("before_parameter")
    choose(screen, "n 32")
    screen.expect_change(before, "parameter")
    screen.press("ctrl+z")
    screen.expect_same(before, "parameter_back")


def the_form_opens_and_closes(screen, moments):
    before = screen.still("before_form")
    screen.press("ctrl+f")
    screen.expect_change(before, "form")
    screen.press("Escape")
    screen.expect_same(before, "form_closed")


def a_lesson_is_saved_under_another_name(screen, moments):
    lesson = (ROOT / LESSON).read_text()
    choose(screen, "reduction modulo")
    expect_title(screen, "modulo.cu")
    screen.still("lesson")
    screen.press("ctrl+s")
    screen.still("save_as")
    screen.press("Return")
    copy = screen.folder / ".local" / "share" / "lanescope" / "modulo.cu"
    wait_until(lambda: screen.alive() or copy.is_file(), CHANGE_LIMIT_S, "the copy in the person's own folder")
    if copy.read_text() != lesson or (ROOT / LESSON).read_text() != lesson:
        raise ValueError("the copy is not the lesson")


def a_lesson_is_reset(screen, moments):
    choose(screen, "reduction modulo")
    expect_title(screen, "modulo.cu")
    clean = screen.still("lesson_clean")
    screen.press("e")
    screen.expect_change(clean, "lesson_editing", least=0.0003)
    type_text(screen, "x")
    expect_title(screen, "modulo.cu (edited)")
    choose(screen, "reset to the lesson")
    expect_title(screen, "modulo.cu")
    screen.press("Escape")


def a_recent_file_opens_again(screen, moments):
    choose(screen, "mine.cu")
    expect_title(screen, "mine.cu")


def ctrl_o_opens_a_saved_trace(screen, moments):
    trace = screen.folder / "saved.trace"
    subprocess.run([str(screen.build / "lanescope"), "run", LESSON, "--save", str(trace)], cwd=ROOT, env=screen.env,
                   check=True, stdout=subprocess.DEVNULL)
    screen.press("ctrl+o")
    screen.still("open")
    screen.press("ctrl+a")
    type_text(screen, str(screen.folder) + "/sav")
    screen.press("Tab")
    screen.still("completed")
    screen.press("Return")
    expect_title(screen, "saved.trace")


def theme_and_file_are_kept(screen, moments):
    dark = screen.still("dark")
    screen.press("ctrl+t")
    light = screen.expect_change(dark, "light")
    if screen.share(dark, light) < 0.5:
        raise ValueError("the light theme changes less than half of the pixels")
    screen.press("ctrl+q")
    wait_until(screen.ended, CHANGE_LIMIT_S, "the end of the program")
    start(screen)
    expect_title(screen, "saved.trace")
    # Which topics of the list are open is not kept; everything else is as it was.
    wait_until(lambda: screen.alive() or screen.share(light, screen.grab("light_again")) < LESSONS_SHARE, CHANGE_LIMIT_S,
               "the same theme, file and step as before")


CASES = [opens_a_file_of_ones_own, a_mistake_leaves_the_last_good_run_dimmed, ctrl_z_and_ctrl_y,
         ctrl_s_saves_ones_own_file, a_draft_outlives_a_crash, a_change_on_disk_is_asked,
         a_parameter_by_keyboard_and_back, the_form_opens_and_closes, a_lesson_is_saved_under_another_name,
         a_lesson_is_reset, a_recent_file_opens_again, ctrl_o_opens_a_saved_trace, theme_and_file_are_kept]
