"""Cases of the window: the preview of image convolutions. The last one leaves the window at the block that was stepped into."""

import shutil
import time

from harness import ROOT, run

# Of the window of 1600 × 1000 pixels with the sample harbour.
DIVIDER, DIVIDER_TO = (555, 522), (850, 522)
PIXEL, OTHER_PIXEL = (400, 700), (300, 760)
SHARPEN = (1455, 179)
STEP_INTO = (1552, 448)   # with a mask of three rows, and below
FIRST_TAB = (226, 22)
OPEN = (1570, 88)
REUSE_MAP = (1553, 472)
CORNER = (1222, 277)      # of the mask's grid
MIDDLE_OF_MASK = (1286, 309)
BOX, SIZES = (1285, 179), (1350, 405)
MASK_SAVE, MASK_LOAD = (1529, 370), (1574, 370)
NOWHERE = (780, 990)
SAME_SHARE = 0.0005  # of the pixels: fewer than a typed line has


def i_opens_the_preview(screen, moments):
    screen.tool_of_x("mousemove", *map(str, NOWHERE))
    moments["lesson"] = screen.still("preview_before")
    screen.press("i")
    screen.expect_change(moments["lesson"], "preview_opens")
    time.sleep(1)  # the filter starts and ends without the mouse
    moments["preview"] = screen.still("preview")
    if screen.share(moments["lesson"], moments["preview"]) < 0.4:
        raise screen.failure("the preview should take the whole window")


def the_divider_is_dragged(screen, moments):
    """With a pinned pixel: which one the mouse was over last depends on when frames are drawn."""
    drag(screen, DIVIDER, DIVIDER_TO)
    dragged = screen.expect_change(moments["pixel"], "divider_dragged")
    drag(screen, DIVIDER_TO, DIVIDER)
    moments["pixel"] = screen.expect_change(dragged, "divider_back")
    drag(screen, DIVIDER, DIVIDER_TO)
    screen.expect_same(dragged, "divider_dragged_again")
    drag(screen, DIVIDER_TO, DIVIDER)
    screen.expect_same(moments["pixel"], "divider_back_again")


def at_rest(screen, name):
    """The picture once the filter has ended, too: its portions come with pauses where the machine is busy."""
    picture = screen.still(name)
    for _ in range(10):
        time.sleep(1.5)
        before = screen.folder / "before.png"
        shutil.copyfile(picture, before)
        picture = screen.still(name)
        if screen.share(before, picture) == 0:
            return picture
    raise screen.failure(f"{name}: the picture does not come to rest")


def move(screen, place):
    screen.tool_of_x("mousemove", *map(str, place))


def the_products_follow_the_mouse(screen, moments):
    """Over the picture the column tells of the pixel under the mouse, and keeps it when the mouse leaves."""
    move(screen, PIXEL)
    hovered = screen.expect_change(moments["preview"], "pixel_hovered")
    move(screen, NOWHERE)
    left = screen.expect_change(hovered, "pixel_left")
    if screen.share(moments["preview"], left) == 0:
        raise screen.failure("the column should tell of the pixel that was under the mouse")
    move(screen, OTHER_PIXEL)
    screen.expect_change(hovered, "other_pixel_hovered")
    move(screen, PIXEL)
    screen.expect_same(hovered, "pixel_hovered_again")


def a_click_pins_the_pixel(screen, moments):
    """Another pixel under the mouse changes nothing then; a second click lets go, and so does Esc."""
    click(screen, PIXEL)
    moments["pixel"] = screen.expect_change(moments["preview"], "pixel_pinned")
    move(screen, OTHER_PIXEL)
    screen.expect_change(moments["pixel"], "other_pixel_while_pinned")
    move(screen, NOWHERE)
    screen.expect_same(moments["pixel"], "still_pinned")
    click(screen, PIXEL)
    free = screen.expect_change(moments["pixel"], "let_go", least=0.0003)
    click(screen, PIXEL)
    screen.expect_same(moments["pixel"], "pinned_again")
    screen.press("Escape")
    screen.expect_same(free, "let_go_by_esc")
    click(screen, PIXEL)
    screen.expect_same(moments["pixel"], "pinned_once_more")


def a_mask_is_chosen(screen, moments):
    click(screen, SHARPEN)
    screen.expect_change(moments["pixel"], "sharpen")
    sharpened = at_rest(screen, "sharpen")
    if screen.share(moments["pixel"], sharpened) < 0.01:
        raise screen.failure("the right half should be sharper")
    moments["sharpen"] = sharpened


def the_reuse_map_comes_and_goes(screen, moments):
    """Over the picture, and in place of the pixel's neighbours."""
    click(screen, REUSE_MAP)
    screen.expect_change(moments["sharpen"], "reuse_map")
    click(screen, REUSE_MAP)
    screen.expect_same(moments["sharpen"], "reuse_map_hidden")


def esc_closes_the_keys_then_the_preview(screen, moments):
    screen.press("question")
    screen.expect_change(moments["sharpen"], "preview_keys")
    screen.press("Escape")
    screen.expect_same(moments["sharpen"], "preview_keys_closed")
    screen.press("Escape")
    free = screen.expect_change(moments["sharpen"], "pixel_let_go", least=0.0003)
    screen.press("Escape")
    screen.expect_same(moments["lesson"], "preview_left")
    screen.press("i")
    screen.expect_same(free, "preview_again")
    click(screen, PIXEL)
    screen.expect_same(moments["sharpen"], "preview_pinned_again")


def typed(screen, text):
    screen.press("ctrl+a")
    screen.type(str(text))
    screen.press("Return")


def saved_mask(screen, before, file):
    """Its rows, saved through the window, which looks as before then."""
    click(screen, MASK_SAVE)
    screen.expect_change(before, "mask_save", least=0.0003)
    typed(screen, file)
    wait_for(screen, "mask_saved", lambda _: file.is_file() and file.read_text().strip())
    screen.expect_same(before, "mask_saved")
    return [[float(value) for value in line.replace(",", " ").split()] for line in file.read_text().splitlines()
            if line.strip() and not line.startswith("#")]


def the_mask_is_dragged_saved_and_loaded(screen, moments):
    """A value is dragged upwards; saved and loaded again, after another mask, it is the same mask and picture."""
    start, end = CORNER, (CORNER[0], CORNER[1] - 40)
    drag(screen, start, end)
    screen.expect_change(moments["sharpen"], "mask_dragged")
    own = at_rest(screen, "mask_dragged")
    file = screen.folder / "own.mask"
    rows = saved_mask(screen, own, file)
    corners = {rows[0][0], rows[0][2], rows[2][0], rows[2][2]}
    if len(rows) != 3 or len(corners) != 1 or corners.pop() <= 0 or rows[1][1] != 5:
        raise screen.failure(f"the corners should have been raised together: {rows}")
    click(screen, SHARPEN)
    screen.expect_same(moments["sharpen"], "sharpen_again")
    click(screen, MASK_LOAD)
    screen.expect_change(moments["sharpen"], "mask_load", least=0.0003)
    typed(screen, file)
    wait_for(screen, "mask_loaded", lambda picture: screen.share(own, picture) < 0.001)
    click(screen, SHARPEN)
    screen.expect_same(moments["sharpen"], "sharpen_once_more")


def numbers_are_typed_into_the_mask(screen, moments):
    """Into the middle and, with Tab, into the next cell; a mask that was loaded is not symmetric. What is no number is refused."""
    click(screen, MIDDLE_OF_MASK)
    screen.expect_change(moments["sharpen"], "mask_typing", least=0.0001)
    screen.press("ctrl+a")
    screen.type("9")
    screen.press("Tab", "ctrl+a")
    screen.press("minus", "2")
    screen.press("Return")
    screen.expect_change(moments["sharpen"], "mask_typed")
    own = at_rest(screen, "mask_typed")
    rows = saved_mask(screen, own, screen.folder / "typed.mask")
    if rows != [[0, -1, 0], [-1, 9, -2], [0, -1, 0]]:
        raise screen.failure(f"the mask should hold what was typed: {rows}")
    kept = screen.folder / "kept.mask"
    kept.write_text("mine", encoding="utf-8")
    click(screen, MASK_SAVE)
    screen.expect_change(own, "mask_save_over", least=0.0003)
    typed(screen, kept)
    screen.still("mask_save_asks")
    if kept.read_text(encoding="utf-8") != "mine":
        raise screen.failure("the file was replaced without a question")
    screen.press("Return")
    wait_for(screen, "mask_replaced", lambda _: kept.read_text(encoding="utf-8") != "mine")
    screen.expect_same(own, "mask_replaced")
    click(screen, CORNER)
    screen.type("ab")
    screen.press("Return")
    screen.expect_change(own, "no_number", least=0.0003)
    click(screen, SHARPEN)
    screen.expect_same(moments["sharpen"], "sharpen_after_typing")


def escape_closes_an_open_list(screen, moments):
    click(screen, BOX)
    box = at_rest(screen, "box")
    click(screen, SIZES)
    screen.expect_change(box, "sizes")
    screen.press("Escape")
    screen.expect_same(box, "sizes_closed")
    click(screen, SHARPEN)
    screen.expect_same(moments["sharpen"], "sharpen_after_the_list")


def the_kernel_is_edited(screen, moments):
    """A mistake leaves the picture, what compiles changes it, Ctrl+Z takes it back."""
    screen.press("e")
    screen.expect_change(moments["sharpen"], "kernel_editor")
    screen.press("ctrl+End")
    editing = moments["editing"] = screen.still("kernel_end")  # it was in sight
    screen.type("x")
    wrong = screen.expect_change(editing, "kernel_mistake")
    if screen.share(editing, wrong) > 0.2:
        raise screen.failure("the last good picture should stay")
    screen.press("BackSpace")
    wait_for(screen, "kernel_mended", lambda picture: screen.share(editing, picture) < 0.01)
    screen.type("#define rows (rows / 2)")
    screen.press("Return")
    screen.still("kernel_before_save")
    taken_back = screen.still("kernel_taken_back")
    for _ in range(5):  # how much one Ctrl+Z takes back depends on how the keys came in
        if screen.share(editing, taken_back) <= SAME_SHARE:
            return
        screen.press("ctrl+z")
        taken_back = screen.still("kernel_taken_back")
    raise screen.failure("five times Ctrl+Z do not take the text back")


def the_edited_kernel_becomes_a_file(screen, moments):
    """The course's file stays as it is."""
    lesson = ROOT / "kernels/convolution/tiled_2d.cu"
    before = lesson.read_text(encoding="utf-8")
    screen.press("ctrl+End")
    screen.type("// mine")
    screen.still("kernel_note")
    screen.press("ctrl+s")
    screen.still("kernel_save_as")
    mine = screen.folder / "mine.cu"
    typed(screen, mine)
    wait_for(screen, "kernel_saved", lambda _: mine.is_file())
    if lesson.read_text(encoding="utf-8") != before:
        raise screen.failure("the lesson should hold what it held")
    if (saved := mine.read_text(encoding="utf-8")) != before + "// mine":
        raise screen.failure(f"the own file ends with {saved[-40:]!r}")
    screen.still("kernel_saved")
    screen.press("ctrl+End")
    screen.type(" and more")
    screen.still("kernel_more")
    screen.press("ctrl+s")
    wait_for(screen, "kernel_saved_again", lambda _: mine.read_text(encoding="utf-8").endswith("more"))
    screen.press("Escape")
    click(screen, FIRST_TAB)
    wait_for(screen, "course_kernel_again", lambda picture: screen.share(moments["sharpen"], picture) < 0.01)


def a_saved_kernel_is_run_again(screen, moments):
    """The path of an own kernel is typed; saved with a fault it makes another picture, saved as before the same."""
    source = (ROOT / "kernels/convolution/tiled_2d.cu").read_text(encoding="utf-8")
    own = screen.folder / "own.cu"
    own.write_text(source, encoding="utf-8")
    click(screen, OPEN)
    popup = screen.expect_change(moments["sharpen"], "open_popup")
    screen.type(str(own))
    screen.press("Return")
    screen.expect_change(popup, "own_kernel")
    own.write_text(source.replace("+ x] = sum;", "+ x] = sum / 2;"), encoding="utf-8")
    wait_for(screen, "own_kernel_faulty", lambda picture: screen.share(moments["sharpen"], picture) > 0.05)
    own.write_text(source, encoding="utf-8")
    wait_for(screen, "own_kernel_mended", lambda picture: screen.share(moments["sharpen"], picture) < 0.01)
    click(screen, FIRST_TAB)
    wait_for(screen, "course_kernel", lambda picture: screen.share(moments["sharpen"], picture) < 0.01)  # one tab more
    moments["sharpen"] = screen.still("course_kernel")


def wait_for(screen, name, condition):
    deadline = time.monotonic() + 30
    while not condition(screen.grab(name)):
        screen.alive()
        if time.monotonic() > deadline:
            raise screen.failure(f"{name}: not within 30 s")
        time.sleep(0.3)


def a_block_is_stepped_into(screen, moments):
    """Explore opens on the block that made the chosen pixel, with the image in the kernel's buffer."""
    click(screen, STEP_INTO)
    inside = screen.expect_change(moments["sharpen"], "stepping")
    deadline = time.monotonic() + 30
    while screen.share(moments["sharpen"], inside) < 0.3:
        if time.monotonic() > deadline:
            raise screen.failure("the block was not stepped into within 30 s")
        time.sleep(0.5)
        inside = screen.still("stepped_into")
    if screen.share(moments["lesson"], inside) < 0.05:
        raise screen.failure("the lesson from before is shown instead of the block")
    screen.press("End")
    screen.expect_change(inside, "stepped_into_end")


def drop(screen, file):
    """As a file manager does."""
    code, out, _ = run(["xdotool", "search", "--onlyvisible", "--name", "Lanescope"], cwd=ROOT, env=screen.env, timeout_s=30)
    code, _, err = run([str(ROOT / "tests/window/drop.py"), out.split()[0], "500", "400", str(file)], cwd=ROOT, env=screen.env, timeout_s=60)
    if code != 0:
        raise screen.failure(err)


def files_are_dropped_on_the_preview(screen, moments):
    """An image is filtered, a kernel filters it; a damaged image is told of and leaves what is there."""
    before = screen.still("before_drop")
    drop(screen, ROOT / "assets/images/chart.png")
    chart = screen.expect_change(before, "image_dropped")
    if screen.share(before, chart) < 0.2:
        raise screen.failure("the chart should fill the picture")
    wrong = screen.folder / "wrong kernel.cu"
    source = (ROOT / "kernels/convolution/tiled_2d.cu").read_text(encoding="utf-8")
    wrong.write_text(source.replace("+ x] = sum;", "+ x] = sum / 2;"), encoding="utf-8")
    drop(screen, wrong)
    wait_for(screen, "kernel_dropped", lambda picture: screen.share(chart, picture) > 0.05)
    dropped = screen.still("kernel_dropped")
    broken = screen.folder / "broken.png"
    broken.write_bytes((ROOT / "assets/images/noise.png").read_bytes()[:2000])
    drop(screen, broken)
    told = screen.expect_change(dropped, "broken_image_dropped", least=0.0003)
    if screen.share(dropped, told) > 0.05:
        raise screen.failure("the picture should stay")
    click(screen, FIRST_TAB)
    drop(screen, ROOT / "assets/images/harbour.png")
    wait_for(screen, "harbour_dropped", lambda picture: screen.share(before, picture) < 0.05)


def a_kernel_and_a_trace_are_dropped_on_the_panels(screen, moments):
    """A .cu file is opened, a trace is shown; an image leads to the preview."""
    screen.press("Home")
    before = screen.still("panels_before_drop")
    drop(screen, ROOT / "kernels/scan/hillis_steele.cu")
    scan = screen.expect_change(before, "lesson_dropped")
    if screen.share(before, scan) < 0.02:
        raise screen.failure("another lesson should be shown")
    trace = screen.folder / "dropped.trace"
    code, _, err = run([str(screen.build / "lanescope"), "run", "kernels/reduction/modulo.cu", "--save", str(trace)], cwd=ROOT,
                       env=screen.env, timeout_s=60)
    if code != 0:
        raise screen.failure(err)
    drop(screen, trace)
    screen.expect_change(scan, "trace_dropped")
    drop(screen, ROOT / "assets/images/noise.png")
    wait_for(screen, "image_on_panels", lambda picture: screen.share(scan, picture) > 0.4)
    drop(screen, trace)
    wait_for(screen, "trace_on_preview", lambda picture: screen.share(moments["preview"], picture) > 0.4)


def click(screen, place):
    at, away = map(str, place), map(str, NOWHERE)
    screen.tool_of_x("mousemove", *at, "sleep", "0.3", "mousedown", "1", "sleep", "0.2", "mouseup", "1", "sleep", "0.2",
                     "mousemove", *away)


def drag(screen, start, end):
    middle = [str((a + b) // 2) for a, b in zip(start, end)]
    screen.tool_of_x("mousemove", *map(str, start), "sleep", "0.3", "mousedown", "1", "sleep", "0.2", "mousemove", *middle,
                     "sleep", "0.2", "mousemove", *map(str, end), "sleep", "0.2", "mouseup", "1", "sleep", "0.2",
                     "mousemove", *map(str, NOWHERE))


CASES = [i_opens_the_preview, the_products_follow_the_mouse, a_click_pins_the_pixel, the_divider_is_dragged, a_mask_is_chosen,
         the_reuse_map_comes_and_goes, esc_closes_the_keys_then_the_preview, the_mask_is_dragged_saved_and_loaded,
         numbers_are_typed_into_the_mask, escape_closes_an_open_list,
         the_kernel_is_edited, the_edited_kernel_becomes_a_file, a_saved_kernel_is_run_again, files_are_dropped_on_the_preview,
         a_block_is_stepped_into, a_kernel_and_a_trace_are_dropped_on_the_panels]
