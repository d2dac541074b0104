"""Cases of the window: breakpoints, watches, PTX. They leave the window as they found it, at the first step."""

from screen import need

LINE = 33   # of reduction/modulo.cu, which runs once in each round of the loop


def f5_without_a_breakpoint_goes_to_the_end(screen, moments):
    before = moments["explore"] = screen.press("Home")
    told = screen.press("F5")
    need(told.step == told.steps and told.shows("the end of the run: no breakpoint is set", "transport"),
         f"the transport: {told.words('transport')}")
    stopped = screen.press("shift+F5")
    need(stopped.step == 1, f"Shift+F5 leads to step {stopped.step}")
    screen.press("Home")
    screen.expect_same(before)


def f10_and_f11_step(screen, moments):
    for key in ("F10", "F11"):
        step = screen.press(key).step
        need(step == 2, f"{key} leads to step {step}")
        screen.press("Left")
    screen.expect_same(moments["explore"])


def ctrl_and_arrows_choose_warp_and_lane(screen, moments):
    """The tab shows the accesses of the chosen warp; at the last warp a line says that there is no other."""
    chosen = screen.press("ctrl+Right", "ctrl+Down")
    need(chosen.shows("line 23 · warp 1", "inspector"), f"the warp: {chosen.words('inspector')[:120]}")
    last = screen.press("ctrl+Down")
    need(last.shows("Warp 1 is the last one"), f"no line says so: {last.summary()}")
    screen.palette("t0")
    need(screen.press("Home").shows("line 23 · warp 0", "inspector"), "the palette leads to thread 0")
    screen.still(lambda frame: not frame.shows("Warp 1 is the last one"), "the line goes by itself")
    screen.expect_same(moments["explore"])


def a_click_on_a_line_number_and_f5_stop_there(screen, moments):
    marked = screen.click(f"source/number {LINE}")
    need({"source"} <= set(marked.changed_panels(moments["explore"])) <= {"source", "transport"}, "the line should be marked")
    need(number_colour(marked) != number_colour(moments["explore"]), "the line's number should stand on a tag")
    stopped = screen.press("F5")
    need(stopped.step > 1 and stopped.shows(f"stopped after line {LINE}", "transport"), f"the transport: {stopped.words('transport')}")
    need(stopped.shows(f"line {LINE} ·", "inspector"), f"the current line: {stopped.words('inspector')}")
    again = screen.press("F5")
    need(again.step > stopped.step and again.shows(f"stopped after line {LINE}", "transport"), f"the transport: {again.words('transport')}")
    screen.press("ctrl+F5")
    screen.expect_same(stopped)
    screen.press("Home")
    screen.expect_same(marked)
    screen.click(f"source/number {LINE}")
    screen.expect_same(moments["explore"])


def number_colour(frame):
    return next(text.colour for text in frame.texts if text.panel == "source" and text.words == str(LINE))


def the_menu_of_a_line_takes_a_condition(screen, moments):
    menu = screen.click(f"source/line {LINE}", button=3, stay=True)
    for entry in (f"Run to line {LINE}", "Set a breakpoint", "condition"):
        need(menu.has(f"Popup/{entry}"), f"{entry} is not in the line's menu: {menu.words('Popup')}")
    screen.type("t == 0 && stride == 8")
    screen.press("Return")
    condition = screen.park()
    need(not condition.has("Popup/condition") and number_colour(condition) != number_colour(moments["explore"]),
         "the line should have a breakpoint, and no menu")
    screen.hover(f"source/line {LINE}")
    screen.expect("stops when t == 0 && stride == 8", "Tooltip_00")
    screen.park()
    met = screen.press("F5")
    need(met.step > 1 and met.shows(f"stopped after line {LINE}, hit by t0", "transport"), f"the transport: {met.words('transport')}")
    need(met.shows("STRIDE = 8", "stage"), f"the stage: {met.words('stage')[:120]}")
    screen.press("Home")
    screen.click(f"source/number {LINE}")
    screen.expect_same(moments["explore"])


def w_watches_an_expression(screen, moments):
    """The inspector shows its value in each of the 32 lanes."""
    box = screen.press("w")
    need(box.has("inspector/watch"), f"the inspector: {box.words('inspector')}")
    screen.type("threadIdx.x % 4")
    watched = screen.press("Return")
    need(watched.shows("threadIdx.x % 4 × " + " ".join(["0 1 2 3"] * 8), "inspector"), f"the inspector: {watched.words('inspector')}")
    second = screen.press("Right")
    need(second.step == 2 and second.shows("threadIdx.x % 4", "inspector"), f"the inspector: {second.words('inspector')}")
    screen.press("Home")
    screen.expect_same(watched)


def p_shows_the_ptx(screen, moments):
    before = screen.frame()
    ptx = screen.press("p")
    need(ptx.has("ptx") and ptx.shows("mov.u32 %r11, %tid.x;", "ptx"), f"the PTX: {ptx.words('ptx')[:200]}")
    need(ptx.find("ptx").width > screen.size[0] // 10, f"the PTX takes only {ptx.find('ptx').width} pixels")
    screen.press("p")
    screen.expect_same(before)


CASES = [f5_without_a_breakpoint_goes_to_the_end, f10_and_f11_step, ctrl_and_arrows_choose_warp_and_lane,
         a_click_on_a_line_number_and_f5_stop_there,
         the_menu_of_a_line_takes_a_condition, w_watches_an_expression, p_shows_the_ptx]
