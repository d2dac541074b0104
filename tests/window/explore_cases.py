"""Cases of the window: breakpoints, watches, PTX. They leave the window as they found it, at the first step."""

# Of the window of 1600 × 1000 pixels with the kernel reduction/modulo.cu at its first step.
LINE_NUMBER = (1206, 300)     # a line of code below the current one
LINE_CODE = (1330, 300)


def f5_without_a_breakpoint_says_so(screen, moments):
    screen.press("Home")
    before = screen.still("explore_before")
    moments["explore"] = before
    screen.press("F5")
    screen.expect_change(before, "f5_without_breakpoint")
    screen.press("Home")
    screen.expect_same(before, "f5_home")


def a_click_on_a_line_number_and_f5_stop_there(screen, moments):
    screen.click(*LINE_NUMBER)
    marked = screen.expect_change(moments["explore"], "breakpoint")
    screen.press("F5")
    stopped = screen.expect_change(marked, "stopped")
    if screen.share(marked, stopped) < 0.01:
        raise screen.failure("F5 did not move to another step")
    screen.press("F5")
    screen.expect_change(stopped, "stopped_again")
    screen.press("shift+F5")
    screen.expect_same(stopped, "stopped_back")
    screen.press("Home")
    screen.expect_same(marked, "marked_home")
    screen.click(*LINE_NUMBER)
    screen.expect_same(moments["explore"], "breakpoint_removed")


def the_menu_of_a_line_takes_a_condition(screen, moments):
    screen.click(*LINE_CODE, button=3)
    menu = screen.expect_change(moments["explore"], "line_menu")
    screen.type("t == 0 && stride == 8")
    screen.press("Return")
    condition = screen.expect_change(menu, "condition")
    screen.press("F5")
    screen.expect_change(condition, "condition_met")
    screen.press("Home")
    screen.click(*LINE_NUMBER)
    screen.expect_same(moments["explore"], "condition_removed")


def w_watches_an_expression(screen, moments):
    screen.press("w")
    tab = screen.expect_change(moments["explore"], "watch_box")
    screen.type("threadIdx.x % 4")
    screen.press("Return")
    watched = screen.expect_change(tab, "watched")
    if screen.share(tab, watched) < 0.004:
        raise screen.failure("a watch shows 32 values")
    screen.press("Right")
    screen.expect_change(watched, "watched_second")
    screen.press("Home")


def p_shows_the_ptx(screen, moments):
    before = screen.still("before_ptx")
    screen.press("p")
    ptx = screen.expect_change(before, "ptx")
    if screen.share(before, ptx) < 0.1:
        raise screen.failure("the PTX takes a column")
    screen.press("p")
    screen.expect_same(before, "ptx_closed")


CASES = [f5_without_a_breakpoint_says_so, a_click_on_a_line_number_and_f5_stop_there,
         the_menu_of_a_line_takes_a_condition, w_watches_an_expression, p_shows_the_ptx]
