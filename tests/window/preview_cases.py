"""Cases of the window: the preview of image convolutions. The last one leaves the window at the block that was stepped into."""

from harness import ROOT, run
from screen import need

PICTURE, DIVIDER = "preview picture/picture", "preview picture/divider"
PIXEL, OTHER_PIXEL = (PICTURE, 0.34, 0.7), (PICTURE, 0.25, 0.8)
CHOSEN, OTHER = "(348, 581)", "(255, 665)"   # the pixels of the harbour at these places
LEFT, RIGHT = (PICTURE, 0.47, 0.5), (PICTURE, 0.75, 0.5)
SHARPEN = "preview side/sharpen"
CORNER, MIDDLE_OF_MASK = "preview side/cell 0,0", "preview side/cell 1,1"
FIRST_TAB = "preview bar/tiled_2d.cu"
KERNEL = ROOT / "kernels/convolution/tiled_2d.cu"
TYPING = "preview side/value"


def i_opens_the_preview(screen, moments):
    screen.park()
    moments["lesson"] = screen.frame()
    preview = moments["preview"] = screen.press("i")
    need(preview.page == "preview" and preview.panels == ["preview side", "preview picture", "preview bar"],
         f"the preview should take the whole window: {preview.panels}")
    need(preview.shows("harbour.png", "preview side") and preview.shows("result as expected", "preview bar"), preview.summary())


def pixel_is(frame, pixel, pinned):
    need(frame.shows(pixel, "preview side"), f"the column should describe {pixel}: {frame.words('preview side')}")
    need(frame.shows("THIS PIXEL, PINNED", "preview side") == pinned, f"the pixel should be pinned: {pinned}")
    return frame


def the_products_follow_the_mouse(screen, moments):
    """The column describes the pixel under the mouse, and keeps it when the mouse leaves the picture."""
    hovered = pixel_is(screen.hover(PIXEL), CHOSEN, False)
    need(hovered.shows("before 142 112 92", "Tooltip_00"), f"beside the mouse: {hovered.words('Tooltip_00')}")
    left = pixel_is(screen.park(), CHOSEN, False)
    need(not left.figures_in("Tooltip_00"), "nothing is beside the mouse when it has left")
    pixel_is(screen.hover(OTHER_PIXEL), OTHER, False)
    screen.hover(PIXEL)
    screen.expect_same(hovered)


def a_click_pins_the_pixel(screen, moments):
    """A pinned pixel stays while the mouse moves; a second click or Esc unpins it."""
    pinned = moments["pixel"] = pixel_is(screen.click(PIXEL), CHOSEN, True)
    pixel_is(screen.hover(OTHER_PIXEL), CHOSEN, True)
    screen.park()
    screen.expect_same(pinned)
    free = pixel_is(screen.click(PIXEL), CHOSEN, False)
    screen.click(PIXEL)
    screen.expect_same(pinned)
    screen.press("Escape")
    screen.expect_same(free)
    screen.click(PIXEL)
    screen.expect_same(pinned)


def the_divider_is_dragged(screen, moments):
    """The pixel is pinned, because the last one under the mouse depends on when frames are drawn."""
    dragged = screen.drag(DIVIDER, RIGHT)
    moved = dragged.find(DIVIDER).x - moments["pixel"].find(DIVIDER).x
    need(moved > 100, f"the divider moved by {moved} pixels")
    need(halves(dragged)[0] > halves(moments["pixel"])[0] + 100, f"the halves are {halves(dragged)} pixels wide")
    moments["pixel"] = screen.drag(DIVIDER, LEFT)
    screen.drag(DIVIDER, RIGHT)
    screen.expect_same(dragged)
    screen.drag(DIVIDER, LEFT)
    screen.expect_same(moments["pixel"])


def halves(frame):
    return [each.width for each in frame.figures_in("preview picture", kind="picture")]


def a_mask_is_chosen(screen, moments):
    """Values, histogram and picture of the right half change."""
    before = screen.grab("before_sharpen")
    sharpened = moments["sharpen"] = screen.click(SHARPEN)
    need(sharpened.shows("0 -1 0 -1 5 -1 0 -1 0", "preview side"), f"the mask: {sharpened.words('preview side')[:300]}")
    need(sharpened.shows("142 × 5 710", "preview side") and sharpened.shows("result as expected", "preview bar"), "the products")
    screen.expect_picture(lambda after: screen.share(before, after) > 0.01, "sharpened", "the right half is sharper")


def the_reuse_map_comes_and_goes(screen, moments):
    """The map lies over the picture, its legend in place of the pixel's products."""
    reuse = screen.click("preview side/reuse")
    need(reuse.shows("pixels that the block reads", "preview side") and not reuse.shows("142 × 5", "preview side"),
         f"the column: {reuse.words('preview side')}")
    need("preview picture" in reuse.changed_panels(moments["sharpen"]), "the map should lie over the picture")
    screen.click("preview side/reuse")
    screen.expect_same(moments["sharpen"])


def esc_closes_the_keys_then_the_preview(screen, moments):
    keys = screen.press("question")
    need(keys.has("keys/Glossary"), f"the keys: {keys.panels}")
    screen.press("Escape")
    screen.expect_same(moments["sharpen"])
    free = pixel_is(screen.press("Escape"), CHOSEN, False)
    screen.press("Escape")
    screen.expect_same(moments["lesson"])
    screen.press("i")
    screen.expect_same(free)
    screen.click(PIXEL)
    screen.expect_same(moments["sharpen"])


def fill_in(screen, text):
    """Fills the open input line."""
    screen.press("ctrl+a")
    screen.type(str(text))
    return screen.press("Return")


def mask_popup(screen, word, name):
    screen.click(f"preview side/{word}", stay=True)
    screen.still(lambda frame: frame.has(f"Popup/{name}"), f"the line for the file's name after '{word}'")


def saved_mask(screen, before, file):
    """Saves the mask through the window, which then looks as before. Returns its rows."""
    mask_popup(screen, "save", "mask path")
    fill_in(screen, file)
    screen.park()
    screen.expect_same(before)
    return [[float(value) for value in line.replace(",", " ").split()] for line in file.read_text().splitlines()
            if line.strip() and not line.startswith("#")]


def sharpen_again(screen, moments):
    """Chooses the mask; loading another one may have switched 'symmetric' off."""
    sharpened = screen.click(SHARPEN)
    if not sharpened.shows("symmetric ✓", "preview side"):
        sharpened = screen.click("preview side/symmetric")
    screen.expect_same(moments["sharpen"])


def the_mask_is_dragged_saved_and_loaded(screen, moments):
    """A mask whose corner was dragged is saved and loaded again: mask and picture are the same."""
    own = screen.drag(CORNER, by=(0, -40))
    need(own.body != moments["sharpen"].body, "the mask should be another one")
    before = screen.grab("mask_dragged")
    file = screen.folder / "own.mask"
    rows = saved_mask(screen, own, file)
    corners = {rows[0][0], rows[0][2], rows[2][0], rows[2][2]}
    need(len(rows) == 3 and len(corners) == 1 and corners.pop() > 0 and rows[1][1] == 5, f"the corners should have been raised together: {rows}")
    screen.click(SHARPEN)
    screen.expect_same(moments["sharpen"])
    mask_popup(screen, "load", "mask to load")
    fill_in(screen, file)
    loaded = screen.park()
    need(numbers(loaded) == numbers(own), f"mask, products and histogram: {loaded.difference(own)}")
    screen.expect_picture(lambda again: screen.share(before, again) < 0.001, "mask_loaded", "the same picture as before")
    sharpen_again(screen, moments)


def numbers(frame):
    return [text for text in frame.texts if text.panel == "preview side" and not text.words.startswith("symmetric")]


def numbers_are_typed_into_the_mask(screen, moments):
    """Tab leads from the middle to the next cell. Text that is not a number is refused."""
    screen.click("preview side/symmetric")
    before = screen.frame()
    typing = screen.click(MIDDLE_OF_MASK)
    need(typing.has(TYPING), "a line to type in stands in the mask")
    screen.press("ctrl+a")
    screen.type("9")
    screen.press("Tab", "ctrl+a")
    screen.type("-2")
    own = screen.press("Return")
    need(own.shows("0 -1 0 -1 9 -2 0 -1 0", "preview side"), f"the mask: {own.words('preview side')[:300]}")
    rows = saved_mask(screen, own, screen.folder / "typed.mask")
    need(rows == [[0, -1, 0], [-1, 9, -2], [0, -1, 0]], f"the mask should hold what was typed: {rows}")
    kept = screen.folder / "kept.mask"
    kept.write_text("mine", encoding="utf-8")
    mask_popup(screen, "save", "mask path")
    asked = fill_in(screen, kept)
    need(asked.shows("the file exists", "Popup"), f"there should be a question: {asked.words('Popup')}")
    need(kept.read_text(encoding="utf-8") == "mine", "the file was replaced without a question")
    screen.press("Return")
    screen.park()
    screen.expect_same(own)
    need(kept.read_text(encoding="utf-8") != "mine", "the file should be replaced now")
    screen.click(CORNER)
    screen.type("ab")
    refused = screen.press("Return")
    need(refused.shows("'ab' is not a number", "preview picture"), f"the picture: {refused.words('preview picture')}")
    screen.click(SHARPEN)
    screen.expect_same(before)
    screen.click("preview side/symmetric")
    screen.expect_same(moments["sharpen"])


def ctrl_o_opens_an_image(screen, moments):
    asked = screen.press("ctrl+o")
    need(asked.has("path/name") and asked.shows("chart.png", "path"), f"the images beside the open one: {asked.words('path')}")
    fill_in(screen, ROOT / "assets/images/chart.png")
    screen.expect("chart.png", "preview side")
    screen.press("ctrl+o")
    fill_in(screen, ROOT / "assets/images/harbour.png")
    screen.expect("harbour.png", "preview side")
    screen.click(PIXEL)
    screen.expect_same(moments["sharpen"])


def ctrl_s_saves_the_result(screen, moments):
    need(moments["sharpen"].shows("save as PNG … · Ctrl + S", "preview side"), "the key stands beside the link")
    asked = screen.press("ctrl+s")
    need(asked.has("Popup/result path"), f"there is no line for the file's name: {asked.summary()}")
    saved = screen.folder / "saved_by_key.png"
    fill_in(screen, saved)
    screen.park()
    screen.still(lambda frame: saved.is_file(), "the file")
    need(saved.read_bytes()[:4] == b"\x89PNG", "the file is a PNG")


def escape_closes_an_open_list(screen, moments):
    box = screen.click("preview side/box")
    sizes = screen.click("preview side/size", stay=True)
    need(sizes.has("Popup/3 × 3"), f"the list of sizes: {sizes.words('Popup')}")
    screen.press("Escape")
    screen.park()
    screen.expect_same(box)
    screen.click(SHARPEN)
    screen.expect_same(moments["sharpen"])


def the_kernel_is_edited(screen, moments):
    """A mistake leaves the last good picture, and Ctrl+Z takes edits back."""
    screen.press("e")
    editing = moments["editing"] = screen.press("ctrl+End")
    need(editing.has("preview editor"), f"the panels: {editing.panels}")
    picture = screen.grab("kernel_end")
    screen.type("x")
    wrong = screen.still(lambda frame: "conflict" in colours_in(frame, "preview editor"), "the mistake is marked")
    need(wrong.words("preview picture").startswith(editing.words("preview picture")),
         f"the last good picture should stay: {wrong.words('preview picture')}")
    screen.expect_picture(lambda now: screen.share(picture, now) < 0.2, "kernel_mistake", "the last good picture stays")
    screen.press("BackSpace")
    screen.still(lambda frame: code(frame) == code(editing) and "conflict" not in colours_in(frame, "preview editor"),
                 "the mistake is mended")
    screen.type("#define rows (rows / 2)")
    screen.press("Return")
    for _ in range(5):  # how much one Ctrl+Z takes back depends on how the keys came in
        if code(screen.frame()) == code(editing):
            return
        screen.press("ctrl+z")
    need(code(screen.frame()) == code(editing), f"five times Ctrl+Z do not take the text back: {screen.frame().difference(editing)}")


def code(frame):
    return frame.words("preview editor/preview code")


def colours_in(frame, panel):
    return {text.colour for text in frame.texts if text.panel.startswith(panel)}


def the_edited_kernel_becomes_a_file(screen, moments):
    """The file of the course does not change."""
    before = KERNEL.read_text(encoding="utf-8")
    screen.press("ctrl+End")
    screen.type("// mine")
    asked = screen.press("ctrl+s")
    need(asked.has("Popup/kernel path"), f"there is no line for the file's name: {asked.summary()}")
    mine = screen.folder / "mine.cu"
    saved = fill_in(screen, mine)
    need(saved.has("preview bar/mine.cu"), f"the kernel should have a tab of its own: {saved.words('preview bar')}")
    need(KERNEL.read_text(encoding="utf-8") == before, "the lesson should hold what it held")
    need(mine.read_text(encoding="utf-8") == before + "// mine", f"the own file ends with {mine.read_text(encoding='utf-8')[-40:]!r}")
    screen.press("ctrl+End")
    screen.type(" and more")
    screen.press("ctrl+s")
    need(mine.read_text(encoding="utf-8").endswith("// mine and more"), "the file should be saved again")
    screen.press("Escape")
    screen.click(FIRST_TAB)
    course_kernel(screen, moments)


def course_kernel(screen, moments):
    """Waits for the window as before, except for more tabs."""
    screen.still(lambda frame: not differing(frame, moments["sharpen"]), "the course's kernel is shown again")


def differing(frame, expected):
    return set(frame.changed_panels(expected)) - {"preview bar"}


def a_saved_kernel_is_run_again(screen, moments):
    """A kernel opened by its path runs again whenever its file is saved elsewhere."""
    source = KERNEL.read_text(encoding="utf-8")
    own = screen.folder / "own.cu"
    own.write_text(source, encoding="utf-8")
    screen.click("preview side/open", stay=True)
    screen.still(lambda frame: frame.has("Popup/path"), "the line for the path")
    fill_in(screen, own)
    opened = screen.park()
    need(opened.has("preview bar/own.cu"), f"the tabs: {opened.words('preview bar')}")
    picture = screen.grab("own_kernel")
    own.write_text(source.replace("+ x] = sum;", "+ x] = sum / 2;"), encoding="utf-8")
    screen.expect("not the exact result", "preview bar")
    screen.expect_picture(lambda now: screen.share(picture, now) > 0.05, "own_kernel_faulty", "the fault changes the picture")
    own.write_text(source, encoding="utf-8")
    screen.expect("result as expected", "preview bar")
    screen.expect_same(opened)
    screen.click(FIRST_TAB)
    course_kernel(screen, moments)
    moments["sharpen"] = screen.frame()


def a_block_is_stepped_into(screen, moments):
    """Explore shows the block that computed the chosen pixel, with the image in the kernel's buffer."""
    screen.click("preview side/step", stay=True)
    inside = screen.still(lambda frame: frame.page == "explore", "the block is stepped into")
    screen.park()
    need(inside.shows("BLOCK (29, 48)", "stage"), f"the block: {inside.words('stage')[:120]}")
    need(inside.words("source") != moments["lesson"].words("source"), "the lesson from before is shown instead of the block")
    end = screen.press("End")
    need(end.step == end.steps > 1, f"the last step: {end.summary()}")


def drop(screen, file):
    """Drops the file in the middle of the window, as a file manager does."""
    x, y = (length // 2 for length in screen.size)
    code, _, err = run([str(ROOT / "tests/window/drop.py"), screen.window(), str(x), str(y), str(file)], cwd=ROOT, env=screen.env,
                       timeout_s=60)
    need(code == 0, err)


def files_are_dropped_on_the_preview(screen, moments):
    """A dropped image is filtered, a dropped kernel filters it; a damaged image is reported and changes nothing."""
    before = screen.frame()
    drop(screen, ROOT / "assets/images/chart.png")
    chart = screen.expect("chart.png", "preview side")
    need(chart.shows("result as expected", "preview bar"), f"the chart: {chart.words('preview bar')}")
    wrong = screen.folder / "wrong kernel.cu"
    wrong.write_text(KERNEL.read_text(encoding="utf-8").replace("+ x] = sum;", "+ x] = sum / 2;"), encoding="utf-8")
    drop(screen, wrong)
    dropped = screen.expect("not the exact result", "preview bar")
    need(dropped.has("preview bar/wrong kernel.cu"), f"the tabs: {dropped.words('preview bar')}")
    broken = screen.folder / "broken.png"
    broken.write_bytes((ROOT / "assets/images/noise.png").read_bytes()[:2000])
    drop(screen, broken)
    told = screen.expect("broken.png", "preview picture")
    need(told.words("preview side") == dropped.words("preview side"), "the picture should stay")
    screen.click(FIRST_TAB)
    drop(screen, ROOT / "assets/images/harbour.png")
    again = screen.expect("harbour.png", "preview side")
    need(again.shows("result as expected", "preview bar") and numbers(again)[:20] == numbers(before)[:20], again.summary())
    screen.click(PIXEL)
    pixel_is(screen.frame(), CHOSEN, True)


def a_kernel_and_a_trace_are_dropped_on_the_panels(screen, moments):
    """A .cu file is opened, a trace is shown; an image leads to the preview."""
    screen.press("Home")
    drop(screen, ROOT / "kernels/scan/hillis_steele.cu")
    screen.still(lambda frame: frame.file == "hillis_steele.cu" and frame.steps > 1, "the lesson that was dropped")
    trace = screen.folder / "dropped.trace"
    screen.lanescope("run", "kernels/reduction/modulo.cu", "--save", str(trace))
    drop(screen, trace)
    screen.still(lambda frame: frame.file == "dropped.trace" and frame.steps == 40, "the trace that was dropped")
    drop(screen, ROOT / "assets/images/noise.png")
    shown = screen.still(lambda frame: frame.page == "preview" and frame.shows("noise.png", "preview side"), "the image that was dropped")
    need(shown.shows("result as expected", "preview bar"), shown.summary())
    drop(screen, trace)
    screen.still(lambda frame: frame.page == "explore" and frame.file == "dropped.trace", "the trace, in place of the preview")


CASES = [i_opens_the_preview, the_products_follow_the_mouse, a_click_pins_the_pixel, the_divider_is_dragged, a_mask_is_chosen,
         the_reuse_map_comes_and_goes, esc_closes_the_keys_then_the_preview, the_mask_is_dragged_saved_and_loaded,
         numbers_are_typed_into_the_mask, ctrl_o_opens_an_image, ctrl_s_saves_the_result, escape_closes_an_open_list,
         the_kernel_is_edited, the_edited_kernel_becomes_a_file, a_saved_kernel_is_run_again, files_are_dropped_on_the_preview,
         a_block_is_stepped_into, a_kernel_and_a_trace_are_dropped_on_the_panels]
