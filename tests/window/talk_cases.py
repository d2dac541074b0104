"""Cases of the window suite: lecture, "predict, then reveal", notes, glossary, tour. Each leaves the window at the first step."""

import os
import signal
import time

from harness import ROOT, run

CORNER = ("1599", "999")   # where nothing is hovered


def mouse(screen, x, y):
    code, _, err = run(["xdotool", "mousemove", str(x), str(y)], cwd=ROOT, env=screen.env, timeout_s=30)
    if code != 0:
        raise ValueError(f"xdotool: {err}")


def write(screen, text):
    code, _, err = run(["xdotool", "type", "--delay", "60", text], cwd=ROOT, env=screen.env, timeout_s=30)
    if code != 0:
        raise ValueError(f"xdotool: {err}")


def l_starts_a_lecture_that_a_clicker_steps(screen, moments):
    mouse(screen, *CORNER)
    screen.press("Home")
    moments["explore"] = screen.still("explore")
    screen.press("l")
    moments["lecture"] = screen.expect_change(moments["explore"], "lecture")
    screen.press("Next")
    moments["clicked"] = screen.expect_change(moments["lecture"], "clicked")
    screen.press("Prior")
    screen.expect_same(moments["lecture"], "clicked_back")


def a_clickers_other_keys_do_no_harm(screen, moments):
    """The black screen comes and goes; F5 and Shift+F5, which start a show elsewhere, do nothing."""
    for key in ("b", "period"):
        screen.press(key)
        screen.expect_change(moments["lecture"], "black")
        screen.press("Next")
        screen.expect_same(moments["lecture"], "picture_again")
    screen.press("F5", "shift+F5")
    time.sleep(1)
    screen.expect_same(moments["lecture"], "after_f5")


def p_points_and_o_dims(screen, moments):
    mouse(screen, 800, 250)
    before = screen.still("no_pointer")
    screen.press("p")
    pointer = screen.expect_change(before, "pointer")
    mouse(screen, 700, 250)
    screen.expect_change(pointer, "pointer_moved")
    screen.press("o")
    spot = screen.expect_change(before, "spotlight")
    screen.press("Escape")
    screen.expect_change(spot, "pointer_gone")
    mouse(screen, *CORNER)
    screen.expect_same(moments["lecture"], "lecture_again")


def h_hides_what_a_step_writes_until_it_is_asked_for(screen, moments):
    screen.press("Home", *["Right"] * 8)
    time.sleep(1)
    told = screen.still("told")
    screen.press("Left", "h", "Right")
    hidden = screen.expect_change(told, "hidden")
    screen.press("Right")
    screen.expect_same(told, "revealed")
    screen.press("Left", "Right")
    screen.expect_same(hidden, "hidden_again")
    screen.press("r")
    screen.expect_same(told, "revealed_by_r")
    screen.press("h", "Home")
    moments["lecture"] = screen.expect_change(told, "nothing_hidden")   # the stage may be scrolled otherwise than before


def n_writes_a_note_that_can_be_removed_and_had_back(screen, moments):
    screen.press("n")
    screen.expect_change(moments["lecture"], "note_box")
    write(screen, "Ask who runs first.")
    screen.press("Return")
    noted = screen.expect_change(moments["lecture"], "noted")
    screen.press("Right", "Left")
    screen.expect_same(noted, "noted_again")
    screen.press("n")
    screen.expect_change(noted, "note_box_again")
    screen.press("ctrl+a", "BackSpace", "Return")
    screen.expect_change(noted, "note_gone")
    screen.press("ctrl+z")
    screen.expect_same(noted, "note_back")
    screen.press("n")
    screen.expect_change(noted, "note_box_once_more")
    screen.press("ctrl+a", "BackSpace", "Return")
    screen.expect_same(moments["lecture"], "note_removed")   # once the offer to take it back has gone


def the_lecture_ends(screen, moments):
    screen.press("Escape")
    screen.expect_same(moments["explore"], "explore_again")


def a_term_is_explained_under_the_mouse(screen, moments):
    """The heading of the warps."""
    mouse(screen, 268, 538)
    screen.expect_change(moments["explore"], "term")
    mouse(screen, *CORNER)
    screen.expect_same(moments["explore"], "no_term")


def the_tour_is_offered_to_who_is_new(screen, moments):
    os.killpg(screen.program.pid, signal.SIGKILL)
    screen.program.wait()
    screen.start_program(moments["kernel"])
    moments["there"](screen)
    screen.expect_change(moments["explore"], "tour_starts")
    tour = screen.still("tour")
    screen.press("Right")
    screen.expect_change(tour, "tour_second")
    screen.press("Left")
    screen.expect_same(tour, "tour_first")
    screen.press("Escape")
    screen.expect_change(tour, "tour_over")
    screen.press("Home")
    screen.expect_same(moments["first"], "after_the_tour")


CASES = [l_starts_a_lecture_that_a_clicker_steps, a_clickers_other_keys_do_no_harm, p_points_and_o_dims,
         h_hides_what_a_step_writes_until_it_is_asked_for, n_writes_a_note_that_can_be_removed_and_had_back,
         the_lecture_ends, a_term_is_explained_under_the_mouse]   # and the tour, last: it starts the program anew
