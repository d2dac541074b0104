"""Cases of the window: choices of the views, tabs, the timeline and the stage under the mouse, sizes of type and window.

Each leaves the window as it found it, at the first step of reduction/modulo.cu, and checks that it does.
"""

import time

from harness import ROOT, run

# Of the window of 1600 × 1000 pixels.
HEAT, EXECUTIONS, CONFLICTS = (1550, 61), (1550, 79), (1550, 125)          # the word, and lines of the list below it
LABEL, LABEL_T, LABEL_S_T = (450, 538), (500, 624), (500, 693)
COLOUR, COLOUR_STATE, COLOUR_T = (366, 538), (400, 555), (400, 647)
UNIT, BY_INSTRUCTION, BY_LINE = (252, 811), (290, 828), (290, 874)
TABS = {"variables": (1225, 403), "problems": (1371, 403), "console": (1449, 403), "timings": (1518, 403)}
ACCESS = (1300, 403)
TIMELINE, LATER = (700, 865), (1200, 865)
STAGE, FIT = (700, 290), (1159, 61)
FOLDED_ROW = (700, 700)
FIRST_PROBLEM, SECOND_PROBLEM = (1285, 495), (1285, 515)                    # of atomics/lost_update.cu
NOWHERE = (1599, 999)   # the corner, where nothing answers to the mouse

LIMIT_S = 40


def until(screen, condition, what):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        screen.alive()
        if time.monotonic() > deadline:
            raise screen.failure(f"{what}: not within {LIMIT_S} s")
        time.sleep(0.1)


def press_at(screen, place, before, name, least=0.001):
    """Clicks; the mouse stays until that has shown, because a slow frame sees the click only where the mouse is then."""
    screen.tool_of_x("mousemove", *map(str, place), "sleep", "0.4", "mousedown", "1", "sleep", "0.3", "mouseup", "1")
    until(screen, lambda: screen.share(before, screen.grab(name)) > least, f"{name}: the picture should change")


def away(screen):
    screen.tool_of_x("mousemove", *map(str, NOWHERE))


def click(screen, place, before, name, least=0.001):
    """The picture after a click, once it rests and the mouse is away."""
    press_at(screen, place, before, name, least)
    away(screen)
    return screen.still(name)


def choose(screen, before, word, entry, name):
    """Opens the list at `word`, which must show, and clicks `entry`."""
    press_at(screen, word, before, f"{name}_list")
    screen.tool_of_x("mousemove", *map(str, entry))
    listed = screen.still(f"{name}_list")
    press_at(screen, entry, listed, name)   # the list closes
    away(screen)
    return screen.still(name)


def starts_anew(screen, moments):
    away(screen)
    screen.press("Home")
    moments["views"] = screen.still("views")


def heat_shows_another_metric(screen, moments):
    conflicts = choose(screen, moments["views"], HEAT, CONFLICTS, "heat_conflicts")
    if screen.share(moments["views"], conflicts) < 0.0005:
        raise screen.failure("the bars beside the lines should be others")
    choose(screen, conflicts, HEAT, EXECUTIONS, "heat_executions")
    screen.expect_same(moments["views"], "heat_as_before")


def a_variable_labels_the_lanes(screen, moments):
    labelled = choose(screen, moments["views"], LABEL, LABEL_T, "label_t")
    choose(screen, labelled, LABEL, LABEL_S_T, "label_s_t")
    screen.expect_same(moments["views"], "label_as_before")


def a_variable_colours_the_lanes(screen, moments):
    screen.press("End")
    end = screen.expect_change(moments["views"], "colour_end")
    coloured = choose(screen, end, COLOUR, COLOUR_T, "colour_t")
    if screen.share(end, coloured) < 0.01:
        raise screen.failure("64 lanes should have another colour")
    choose(screen, coloured, COLOUR, COLOUR_STATE, "colour_state")
    screen.expect_same(end, "colour_as_before")
    screen.press("Home")
    screen.expect_same(moments["views"], "colour_home")


def a_step_can_be_one_instruction(screen, moments):
    """It opens the PTX; three instructions are the kernel's first line, and five lie on the second one."""
    instructions = choose(screen, moments["views"], UNIT, BY_INSTRUCTION, "by_instruction")
    screen.press(*["Right"] * 5)
    fifth = screen.expect_change(instructions, "fifth_instruction")
    screen.press(*["Left"] * 5)
    screen.expect_same(instructions, "first_instruction")
    screen.press(*["Right"] * 5)
    screen.expect_same(fifth, "fifth_instruction_again")
    choose(screen, fifth, UNIT, BY_LINE, "by_line")
    screen.press("p", "Home")
    screen.expect_same(moments["views"], "by_line_home")


def every_tab_comes_forward(screen, moments):
    seen = moments["views"]
    for name, place in TABS.items():
        seen = click(screen, place, seen, f"tab_{name}")
    click(screen, ACCESS, seen, "tab_access")
    screen.expect_same(moments["views"], "tab_as_before")


def the_timeline_is_dragged_and_zoomed(screen, moments):
    """A drag ends where a click there leads; the wheel zooms, and as far out as it goes is where it began."""
    clicked = click(screen, LATER, moments["views"], "timeline_click")
    screen.press("Home")
    screen.expect_same(moments["views"], "timeline_home")
    press_at(screen, TIMELINE, moments["views"], "timeline_begin")
    screen.tool_of_x("mousedown", "1", "sleep", "0.5", "mousemove", "950", "865", "sleep", "0.5", "mousemove", *map(str, LATER))
    screen.still("timeline_dragging")
    screen.tool_of_x("mouseup", "1")
    away(screen)
    screen.expect_same(clicked, "timeline_drag")
    zoomed = wheel(screen, TIMELINE, "4", 4, clicked, "timeline_zoomed")
    wheel(screen, TIMELINE, "5", 12, zoomed, "timeline_wide")
    screen.expect_same(clicked, "timeline_whole")
    screen.press("Home")
    screen.expect_same(moments["views"], "timeline_home_again")


def wheel(screen, place, button, times, before, name, key=None):
    held = (["keydown", key], ["keyup", key]) if key else ([], [])
    screen.tool_of_x("mousemove", *map(str, place), *held[0], "sleep", "0.5", "click", "--repeat", str(times), "--delay", "250", button)
    until(screen, lambda: screen.share(before, screen.grab(name)) > 0.001, f"{name}: the picture should change")
    screen.still(name)
    if key:
        screen.tool_of_x(*held[1])
    away(screen)
    return screen.still(name)


def the_stage_zooms_pans_and_fits(screen, moments):
    zoomed = wheel(screen, STAGE, "4", 5, moments["views"], "stage_zoomed", "ctrl")
    if screen.share(moments["views"], zoomed) < 0.02:
        raise screen.failure("the cells of stage and warps should be larger")
    screen.tool_of_x("mousemove", *map(str, STAGE), "sleep", "0.5", "mousedown", "1", "sleep", "0.5", "mousemove", "600", "290", "sleep",
                     "0.5", "mousemove", "500", "290")
    screen.still("stage_panning")
    screen.tool_of_x("mouseup", "1")
    away(screen)
    panned = screen.still("stage_panned")
    if screen.share(zoomed, panned) < 0.02:
        raise screen.failure("the cells should move with the mouse")
    click(screen, FIT, panned, "stage_fits")
    screen.expect_same(moments["views"], "stage_as_before")


def f12_is_the_menu(screen, moments):
    screen.press("F12")
    screen.expect_change(moments["views"], "menu")
    screen.press("Escape")
    screen.expect_same(moments["views"], "menu_closed")


def ctrl_t_is_light(screen, moments):
    screen.press("ctrl+t")
    light = screen.expect_change(moments["views"], "light_theme")
    if screen.share(moments["views"], light) < 0.5:
        raise screen.failure("less than half of the pixels are light")
    screen.press("ctrl+t")
    screen.expect_same(moments["views"], "dark_theme")


def plus_is_larger_and_zero_as_it_was(screen, moments):
    screen.press("plus", "plus")
    larger = screen.expect_change(moments["views"], "larger")
    if screen.share(moments["views"], larger) < 0.05:
        raise screen.failure("everything should be larger")
    screen.press("minus", "minus", "minus")
    screen.expect_change(larger, "smaller")
    screen.press("0")
    screen.expect_same(moments["views"], "fits_again")


def geometry(screen):
    code, out, _ = run(["xdotool", "search", "--onlyvisible", "--name", "Lanescope", "getwindowgeometry"], cwd=ROOT, env=screen.env,
                       timeout_s=30)
    return out.split()[-1] if code == 0 and out.split() else ""


def f11_is_the_whole_screen(screen, moments):
    """From a smaller window, and back to it."""
    screen.tool_of_x("search", "--onlyvisible", "--name", "Lanescope", "windowsize", "1280", "800")
    until(screen, lambda: geometry(screen) == "1280x800", "a smaller window")
    screen.press("F11")
    until(screen, lambda: geometry(screen) == "1600x1000", "full screen")
    screen.expect_same(moments["views"], "full_screen")
    screen.press("F11")
    until(screen, lambda: geometry(screen) == "1280x800", "the window as it was")
    screen.tool_of_x("search", "--onlyvisible", "--name", "Lanescope", "windowsize", "1600", "1000")
    screen.expect_same(moments["views"], "window_again")


def by_palette(screen, before, words, name):
    screen.press("ctrl+p")
    opened = screen.expect_change(before, f"{name}_palette")
    screen.type(words)
    screen.expect_change(opened, f"{name}_typed", least=0.0003)
    screen.press("Return")


def many_warps_are_folded(screen, moments):
    """32 warps: one in full, the others as rows; a click on a row unfolds its warp."""
    by_palette(screen, screen.still("before_folding"), "reduction modulo", "to_modulo")
    screen.still("to_modulo", LIMIT_S)
    screen.press("Home")
    before = screen.still("two_warps")
    by_palette(screen, before, "block 1024", "block")
    folded = screen.expect_change(before, "folded")
    unfolded = click(screen, FOLDED_ROW, folded, "unfolded")
    screen.press("ctrl+z")
    screen.expect_change(unfolded, "fewer_warps")
    screen.press("Home")
    until(screen, lambda: screen.share(before, screen.grab("warps_back")) < 0.01, "two warps again")


def atomics_queue(screen, moments):
    """What the window shows of the step is what `lanescope render` draws of it."""
    lesson = "kernels/histogram/global_atomics.cu"
    by_palette(screen, screen.still("before_queues"), "histogram global_atomics", "queues")
    screen.still("queues_lesson")
    screen.press("Home", "Right", "Right")
    picture = screen.folder / "queues.png"
    code, _, err = run([str(screen.build / "lanescope"), "render", lesson, "--step", "2", "-o", str(picture)], cwd=ROOT, env=screen.env,
                       timeout_s=90)
    if code != 0:
        raise screen.failure(err)
    until(screen, lambda: screen.share(picture, screen.grab("queues")) < 0.02, "the rendered step")


def a_problem_leads_to_its_accesses(screen, moments):
    """In the lesson lost_update, whose race has two."""
    before = screen.still("before_problem")
    second = click(screen, SECOND_PROBLEM, before, "second_access", 0.0005)
    first = click(screen, FIRST_PROBLEM, second, "first_access", 0.0005)
    click(screen, SECOND_PROBLEM, first, "second_access_again", 0.0005)
    screen.expect_same(second, "second_access_as_before")
    screen.press("Home")
    screen.expect_change(second, "problem_home", least=0.0003)


CASES = [starts_anew, heat_shows_another_metric, a_variable_labels_the_lanes, a_variable_colours_the_lanes, a_step_can_be_one_instruction,
         every_tab_comes_forward, the_timeline_is_dragged_and_zoomed, the_stage_zooms_pans_and_fits, f12_is_the_menu, ctrl_t_is_light,
         plus_is_larger_and_zero_as_it_was, f11_is_the_whole_screen]
LATER_CASES = [many_warps_are_folded, atomics_queue]   # other files and parameters
