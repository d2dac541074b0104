"""Cases of the window suite: lecture, "predict, then reveal", notes, glossary, tour. Each leaves the window at the first step."""

import signal

from screen import need

NOTE = "Ask which thread runs first."
LONG = "Then let the others run, one warp after the other, and see which barrier stops them"
CELL, OTHER_CELL = "stage/cell in[8]", "stage/cell in[5]"
ARRAY = [f"stage/cell s[{i}]" for i in range(64)]


def l_starts_a_lecture_that_a_clicker_steps(screen, moments):
    screen.park()
    moments["explore"] = screen.press("Home")
    lecture = moments["lecture"] = screen.press("l")
    need(lecture.page == "lecture" and not lecture.has("lessons"), f"the panels: {lecture.panels}")
    need(cell_size(lecture) > 1.2 * cell_size(moments["explore"]), "cells should be larger than before")
    flow = screen.press("f")
    need(flow.page == "lecture" and flow.has("flow"), f"the panels: {flow.panels}")
    screen.press("f")
    screen.expect_same(lecture)
    clicked = screen.press("Next")
    need(clicked.step == 2, f"the clicker leads to step {clicked.step}")
    screen.press("Prior")
    screen.expect_same(lecture)


def cell_size(frame):
    return frame.find(CELL).width


def a_clickers_other_keys_do_no_harm(screen, moments):
    """B and . switch the black screen. F5 and Shift+F5, with which clickers start a show, do nothing."""
    width, height = screen.size
    for key in ("b", "period"):
        black = screen.press(key)
        covers = [each for each in black.figures if (each.width, each.height, each.colours) == (width, height, ("#000000",))]
        need(covers and black.panels[-1] == "Foreground", "a black box should cover the window")
        screen.expect_picture(is_black, f"black_{key}", "the screen is black")
        screen.press("Next")
        screen.expect_same(moments["lecture"])
    screen.press("F5", "shift+F5")
    screen.expect_same(moments["lecture"])


def is_black(picture):
    """Returns whether the file is as small as a PNG of one colour."""
    return picture.stat().st_size < 8000


def p_points_and_o_dims(screen, moments):
    screen.hover(CELL)
    pointer = screen.press("p")
    need(drawn_over(pointer, moments["lecture"]), "the pointer should be drawn over the window")
    screen.hover(OTHER_CELL)
    moved = screen.still(lambda frame: drawn_over(frame, moments["lecture"]) not in ([], drawn_over(pointer, moments["lecture"])),
                         "the pointer follows the mouse")
    need(len(drawn_over(moved, moments["lecture"])) == len(drawn_over(pointer, moments["lecture"])), "the pointer should look the same")
    spot = screen.press("o")
    need(sum(each.colours[0].startswith("#000000/") for each in spot.figures_in("Foreground")) > 20, "all but the spot should be dimmed")
    gone = screen.press("Escape")
    need(not drawn_over(gone, moments["lecture"]), "Escape should end the spotlight")
    screen.park()
    screen.expect_same(moments["lecture"])


def drawn_over(frame, before):
    return [line for line in frame.lines_of("Foreground") if line not in before.lines_of("Foreground")]


def h_hides_what_a_step_writes_until_it_is_asked_for(screen, moments):
    told = screen.press("Home", *["Right"] * 8)
    need(told.step == 9, f"eight steps lead to step {told.step}")
    screen.press("Left", "h")
    hidden = screen.press("Right")
    need(hidden.step == told.step, f"the step is {hidden.step}")
    need(hidden.shows("reveals it", "transport"), f"the transport: {hidden.words('transport')}")
    written = [text for text in hidden.texts if text.words == "?" and text.colour == "write_edge"]
    need(len(written) > 16, f"{len(written)} cells are hidden")
    need(not any(text.words == "?" and text.colour == "write_edge" for text in told.texts), "nothing should be hidden before")
    screen.press("Right")
    screen.expect_same(told, "the same step, revealed")
    screen.press("Left", "Right")
    screen.expect_same(hidden, "hidden again")
    screen.press("r")
    screen.expect_same(told, "revealed by R")
    moments["lecture"] = screen.press("h", "Home")   # the stage may be scrolled otherwise than before
    need(not moments["lecture"].shows("reveals", "transport"), "nothing is hidden any more")


def n_writes_a_note_that_can_be_removed_and_had_back(screen, moments):
    note_box(screen)
    screen.type(NOTE)
    noted = screen.press("Return")
    need(noted.shows(NOTE, "caption"), f"the caption: {noted.words('caption')}")
    screen.press("ctrl+z")
    screen.expect_same(moments["lecture"], "a note is taken back like any other change")
    note_box(screen)
    screen.type(NOTE + " " + LONG)
    screen.press("shift+Home", "BackSpace")   # the last line of the box, which wraps
    shorter = screen.press("Return")
    need(shorter.shows("Ask which thread", "caption") and not shorter.shows("stops them", "caption"),
         f"the caption: {shorter.words('caption')}")
    screen.press("ctrl+z")
    note_box(screen)
    screen.type(NOTE)
    noted = screen.press("Return")
    need(noted.shows(NOTE, "caption") and not noted.has("note/text"), f"the caption: {noted.words('caption')}")
    screen.press("Right", "Left")
    screen.expect_same(noted)
    remove_note(screen)
    screen.press("ctrl+z")
    screen.expect_same(noted, "the note is back")
    remove_note(screen)
    screen.expect_same(moments["lecture"], "no note, and no offer to take it back any more")


def note_box(screen):
    box = screen.press("n")
    need(box.has("note/text") and box.has("note/keep"), f"there is no box for a note: {box.summary()}")
    return box


def remove_note(screen):
    need(note_box(screen).shows(NOTE, "note"), "the box should hold the note")
    removed = screen.press("ctrl+a", "BackSpace", "Return")
    need(removed.shows("brings it back", "note") and not removed.shows(NOTE), f"the note should be gone: {removed.summary()}")


def the_lecture_ends(screen, moments):
    screen.press("Escape")
    screen.expect_same(moments["explore"])


def a_term_is_explained_under_the_mouse(screen, moments):
    """The heading of the warps."""
    screen.hover("WARPS")
    screen.still(lambda frame: frame.shows("32 threads of a block with neighbouring indices"), "the word 'warp' is explained")
    screen.park()
    screen.expect_same(moments["explore"])


def the_tour_is_offered_to_who_is_new(screen, moments):
    screen.end_program(signal.SIGKILL)
    tour = screen.start_program(moments["kernel"])
    need(tour.has("tour/next") and tour.has("tour/skip"), f"the tour: {tour.words('tour')}")
    second = screen.press("Right")
    need(second.words("tour") != tour.words("tour") and second.has("tour/back"), f"the tour: {second.words('tour')}")
    need(second.file == "compaction.cu" and second.step > 1, f"the tour shows a scan: {second.summary()}")
    screen.press("Left")
    screen.expect_same(tour)
    screen.press(*["Right"] * 6)
    screen.still(lambda frame: frame.file == "hillis_steele_one_barrier_missing.cu" and frame.shows("race", "inspector"), "a race to find")
    over = screen.press("Escape")
    need(not over.has("tour/next"), "the tour is over")
    screen.still(lambda frame: frame.file == "modulo.cu" and frame.steps > 1, "the file that was open before")
    screen.click("inspector/Access")
    again = screen.press("Home")
    changed = {panel.partition("/")[0] for panel in again.changed_panels(moments["first"])}
    need(changed <= {"lessons"}, f"these panels are not as before the tour: {changed}")   # the topics of the tour stay open


CASES = [l_starts_a_lecture_that_a_clicker_steps, a_clickers_other_keys_do_no_harm, p_points_and_o_dims,
         h_hides_what_a_step_writes_until_it_is_asked_for, n_writes_a_note_that_can_be_removed_and_had_back,
         the_lecture_ends, a_term_is_explained_under_the_mouse]   # and the tour, last: it starts the program anew
