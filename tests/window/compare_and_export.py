"""Cases of the window: two runs side by side, and exports."""

from pathlib import Path

from screen import need

OTHER_FILE, OWN_FILE = "Strided index", "Interleaved (modulo)"
MIDDLE = "compare timeline/tick 30"
TOGETHER, BY_PHASE, BY_SHARE = "compare timeline/together", "together: barrier phase", "together: share of the run"


def at(frame, a, b):
    """Expects both sides at these steps."""
    wanted = f"A step {a} of 40   B step {b} of 60"
    need(frame.shows(wanted, "compare timeline"), f"'{wanted}' is not in: {frame.words('compare timeline')}")
    return frame


def c_compares_two_runs(screen, moments):
    alone = moments["alone"] = screen.press("Home")
    both = moments["both"] = at(screen.press("c"), 1, 1)
    need(both.page == "compare" and alone.page == "explore", f"the page is {both.page}")
    need(both.shows(OWN_FILE, "compare head A") and both.shows(OTHER_FILE, "compare head B"), f"the files: {both.summary()}")
    for side in "AB":
        for panel in ("stage", "warps", "source"):
            need(both.has(f"compare {panel} {side}"), f"there is no {panel} of {side}")
    at(screen.press("Right"), 2, 2)
    screen.press("Left")
    screen.expect_same(both)
    at(screen.press("Down"), 8, 8)
    screen.press("Home")
    screen.expect_same(both)


def both_go_by_share_of_the_run(screen, moments):
    """By share of the run, the two steps differ from those by phase. Escape closes only the list."""
    by_phase = at(screen.click(MIDDLE), 22, 30)
    listed = screen.click(TOGETHER, stay=True)
    need(listed.has(f"Popup/{BY_PHASE}") and listed.has(f"Popup/{BY_SHARE}"), f"the list: {listed.words('Popup')}")
    screen.press("Escape")
    screen.park()
    screen.expect_same(by_phase)
    screen.click(TOGETHER, stay=True)
    screen.expect_same(listed)
    by_share = screen.click(f"Popup/{BY_SHARE}")
    at(by_share, 22, 33)
    need(by_share.shows(BY_SHARE, "compare timeline"), "the way is named")
    after = screen.press("Right")
    need(after.words("compare timeline") != by_share.words("compare timeline"), "both should step")
    screen.choose(TOGETHER, BY_PHASE)
    at(screen.press("Home"), 1, 1)
    screen.expect_same(moments["both"])


def the_mouse_chooses_file_size_and_place(screen, moments):
    middle = at(screen.click(MIDDLE), 22, 30)
    listed = screen.click("compare head B/file", stay=True)
    need(listed.has("Popup/Sequential"), f"the list of files: {listed.words('Popup')}")
    same = screen.click("Popup/same file, other parameters")
    need(middle.shows(OTHER_FILE, "compare head B") and same.shows(OWN_FILE, "compare head B"), f"B is {same.words('compare head B')}")
    screen.press("Home")
    screen.click("compare head B/n", stay=True)
    screen.press("ctrl+a", "2", "5", "6", "Return")
    other = screen.park()
    need(other.shows("n 256", "compare head B") and other.shows("n 128 256", "compare table"), f"the table: {other.words('compare table')}")
    screen.press("Escape")
    screen.expect_same(moments["alone"])


def plus_compare_opens_and_closes(screen, moments):
    both = screen.click("top/+ Compare")
    need(both.page == "compare" and both.has("compare stage B"), f"the page is {both.page}")
    screen.press("c")
    screen.expect_same(moments["alone"])


def f_compares_two_flows(screen, moments):
    screen.press("c")
    flows = screen.press("f")
    need(flows.has("compare flow A") and flows.has("compare flow B") and not flows.has("compare stage A"), f"the panels: {flows.panels}")
    need(flows.shows("operations on data", "compare flow A") and flows.shows("operations on data", "compare flow B"), "the figures of both")
    screen.press("f", "c")
    screen.expect_same(moments["alone"])


def e_edits_one_of_them_by_itself(screen, moments):
    """The editor opens with all panels of that file."""
    screen.press("c")
    editing = screen.press("e")
    need(editing.page == "explore" and editing.has("source/Done"), f"the source: {editing.words('source')[:100]}")
    need({panel.partition("/")[0] for panel in editing.changed_panels(moments["alone"])} == {"source"},
         f"these panels changed: {editing.changed_panels(moments['alone'])}")
    screen.press("Escape")
    screen.expect_same(moments["alone"])


def written(screen, file):
    """Waits until the dialogue says that the file is written."""
    return screen.still(lambda frame: frame.shows("written: ", "export") and frame.shows(file.name, "export"), f"{file.name} is written")


def x_exports_a_page(screen, moments):
    """The dialogue overwrites an existing file only after a question."""
    page = Path(screen.folder) / "modulo.html"
    dialogue = screen.press("x")
    need(dialogue.shows(page.name, "export"), f"the dialogue: {dialogue.words('export')}")
    screen.click("export/write")
    written(screen, page)
    need("</html>" in page.read_text(encoding="utf-8"), "the page is not whole")
    page.write_text("mine", encoding="utf-8")
    asked = screen.click("export/write")
    need(asked.shows("Overwrite", "export") and asked.shows("the file exists", "export"), f"the dialogue: {asked.words('export')}")
    need(page.read_text(encoding="utf-8") == "mine", "the file was overwritten without a question")
    screen.click("export/write")
    written(screen, page)
    need("</html>" in page.read_text(encoding="utf-8"), "the file is not overwritten when that is asked for")


def x_exports_an_animation(screen, moments):
    """Three steps give three pictures."""
    animation = Path(screen.folder) / "modulo.gif"
    chosen = screen.click("export/animation (.gif)")
    need(chosen.shows(animation.name, "export") and chosen.has("export/delay"), f"the dialogue: {chosen.words('export')}")
    screen.click("export/last", stay=True)
    screen.press("ctrl+a", "3")
    steps = screen.park()
    need(steps.shows("steps 1 to 3 of 40", "export"), f"the dialogue: {steps.words('export')}")
    screen.click("export/write")
    written(screen, animation)
    content = animation.read_bytes()
    need(content.startswith(b"GIF89a") and content.endswith(b";"), "the animation is not whole")
    need(pictures_of(content) == 3, f"an animation of three steps has {pictures_of(content)} pictures")


def pictures_of(gif):
    """Counts the images by walking through the blocks (GIF89a specification, appendix A)."""
    def skip(at):
        while gif[at]:
            at += gif[at] + 1
        return at + 1

    at = 13 + (3 << (gif[10] & 7) + 1 if gif[10] & 0x80 else 0)
    count = 0
    while gif[at] != 0x3B:
        if gif[at] == 0x21:
            at = skip(at + 2)
        else:
            count += 1
            flags = gif[at + 9]
            at = skip(at + 11 + (3 << (flags & 7) + 1 if flags & 0x80 else 0))
    return count


def x_exports_the_view(screen, moments):
    """The exported picture equals the window."""
    picture = Path(screen.folder) / "modulo.png"
    screen.click("export/this view (.png)")
    screen.click("export/write")
    written(screen, picture)
    screen.press("Escape")
    screen.expect_same(moments["alone"])
    screen.expect_picture(lambda real: screen.share(real, picture) <= 0.001, "alone", "the exported picture is what the window shows")


CASES = [c_compares_two_runs, both_go_by_share_of_the_run, the_mouse_chooses_file_size_and_place,
         plus_compare_opens_and_closes, f_compares_two_flows, e_edits_one_of_them_by_itself, x_exports_a_page, x_exports_an_animation,
         x_exports_the_view]
