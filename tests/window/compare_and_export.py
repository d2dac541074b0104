"""Cases of tests/window/run.py: two runs side by side, and what the window exports."""

import shutil
import time
from pathlib import Path

LIMIT_S = 90
# In the window of 1600×1000 pixels.
PLUS_COMPARE = (940, 22)
WRITE = (994, 484)
PNG_CHIP, GIF_CHIP = (575, 350), (727, 350)
LAST_STEP = (690, 438)
FILE_OF_B = (672, 61)
SAME_FILE = (700, 96)
N_OF_B = (655, 95)
TOGETHER, BY_PHASE, BY_SHARE = (195, 815), (260, 832), (260, 857)
MIDDLE_OF_TIMELINE = (850, 930)


def click(screen, place, number=1):
    screen.tool_of_x("mousemove", "--sync", *map(str, place))
    for _ in range(number):
        screen.tool_of_x("click", "1")


def away(screen):
    """Where the mouse shows nothing by itself."""
    screen.tool_of_x("mousemove", "--sync", "1500", "60")


def c_compares_two_runs(screen, moments):
    screen.press("Home")
    away(screen)
    moments["alone"] = screen.still("alone")
    screen.press("c")
    both = screen.expect_change(moments["alone"], "compare")
    if screen.share(moments["alone"], both) < 0.1:
        raise ValueError("a second run should change more than a tenth of the window")
    screen.press("Right")
    screen.expect_change(both, "compare_right")
    screen.press("Left")
    screen.expect_same(both, "compare_left")
    screen.press("Down")
    screen.expect_change(both, "compare_phase")
    screen.press("Home")
    screen.expect_same(both, "compare_home")
    moments["both"] = both


def both_go_by_share_of_the_run(screen, moments):
    """Half-way through, the two stand at other steps than by phases; Escape closes the list and nothing else."""
    click(screen, MIDDLE_OF_TIMELINE)
    away(screen)
    by_phase = screen.still("by_phase")
    click(screen, TOGETHER)
    listed = screen.expect_change(by_phase, "ways_listed")
    screen.press("Escape")
    away(screen)
    screen.expect_same(by_phase, "ways_closed")
    click(screen, TOGETHER)
    screen.expect_same(listed, "ways_listed_again")
    click(screen, BY_SHARE)
    away(screen)
    by_share = screen.expect_change(by_phase, "by_share")
    screen.press("Right")
    screen.expect_change(by_share, "by_share_right")
    click(screen, TOGETHER)
    screen.still("ways_listed_at_last")
    click(screen, BY_PHASE)
    away(screen)
    screen.expect_change(by_share, "by_phase_again")
    screen.press("Home")
    moments["both"] = screen.still("by_phase_home")


def the_mouse_chooses_file_size_and_place(screen, moments):
    click(screen, MIDDLE_OF_TIMELINE)
    away(screen)
    middle = screen.expect_change(moments["both"], "compare_middle")
    click(screen, FILE_OF_B)
    listed = screen.expect_change(middle, "compare_files")
    click(screen, SAME_FILE)
    away(screen)
    screen.expect_change(listed, "compare_same_file")
    screen.press("Home")
    same = screen.still("compare_same_file_home")
    click(screen, N_OF_B)
    screen.press("ctrl+a", "2", "5", "6", "Return")
    away(screen)
    screen.expect_change(same, "compare_other_size")
    screen.press("Escape")
    screen.expect_same(moments["alone"], "compare_left_by_escape")


def plus_compare_opens_and_closes(screen, moments):
    click(screen, PLUS_COMPARE)
    away(screen)
    both = screen.expect_change(moments["alone"], "compare_by_mouse")
    if screen.share(moments["alone"], both) < 0.1:
        raise ValueError("the word in the top bar should open the comparison")
    screen.press("c")
    screen.expect_same(moments["alone"], "compare_left_by_key")


def e_edits_one_of_them_by_itself(screen, moments):
    screen.press("c")
    screen.expect_change(moments["alone"], "compare_to_edit")
    screen.press("e")
    away(screen)
    editing = screen.still("edited_alone")
    if not 0.001 < screen.share(moments["alone"], editing) < 0.3:
        raise ValueError("all panels of the one file, and its editor, should be there")
    screen.press("Escape")
    screen.expect_same(moments["alone"], "edited_no_more")


def wait_for(path, screen):
    deadline = time.monotonic() + LIMIT_S
    while not path.exists():
        screen.alive()
        if time.monotonic() > deadline:
            raise ValueError(f"{path} is not written within {LIMIT_S} s")
        time.sleep(0.1)


def x_exports_a_page(screen, moments):
    """Through the dialogue; a file that is there is not overwritten before that is asked for twice."""
    page = Path(screen.folder) / "modulo.html"
    screen.press("x")
    dialogue = screen.expect_change(moments["alone"], "export")
    click(screen, WRITE)
    away(screen)
    wait_for(page, screen)
    if "</html>" not in page.read_text(encoding="utf-8"):
        raise ValueError("the page is not whole")
    screen.expect_change(dialogue, "export_written")
    page.write_text("mine", encoding="utf-8")
    click(screen, WRITE)
    screen.still("export_asks")
    if page.read_text(encoding="utf-8") != "mine":
        raise ValueError("the file was overwritten without a question")
    click(screen, WRITE)
    deadline = time.monotonic() + LIMIT_S
    while page.read_text(encoding="utf-8") == "mine":
        if time.monotonic() > deadline:
            raise ValueError("the file is not overwritten when that is asked for")
        time.sleep(0.1)
    screen.still("export_overwritten")


def x_exports_an_animation(screen, moments):
    """Three steps: three pictures."""
    animation = Path(screen.folder) / "modulo.gif"
    before = screen.still("export_before_gif")
    click(screen, GIF_CHIP)
    screen.expect_change(before, "export_gif")
    click(screen, LAST_STEP)
    screen.press("ctrl+a", "3")
    away(screen)
    screen.still("export_gif_steps")
    click(screen, WRITE)
    away(screen)
    wait_for(animation, screen)
    deadline = time.monotonic() + LIMIT_S
    while not animation.read_bytes().endswith(b";"):
        if time.monotonic() > deadline:
            raise ValueError("the animation is not whole")
        time.sleep(0.1)
    written = animation.read_bytes()
    if not written.startswith(b"GIF89a") or pictures_of(written) != 3:
        raise ValueError("an animation of three steps should have three pictures")
    screen.still("export_gif_written")


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
    picture = Path(screen.folder) / "modulo.png"
    click(screen, PNG_CHIP)
    away(screen)
    screen.still("export_png")
    click(screen, WRITE)
    wait_for(picture, screen)
    screen.press("Escape")
    screen.expect_same(moments["alone"], "export_closed")
    if screen.share(moments["alone"], picture) > 0.001:
        shutil.copyfile(picture, moments["alone"].parent / "exported_view.png")
        raise ValueError("the picture is not what the window shows: see exported_view.png and alone.png")


CASES = [c_compares_two_runs, both_go_by_share_of_the_run, the_mouse_chooses_file_size_and_place,
         plus_compare_opens_and_closes, e_edits_one_of_them_by_itself, x_exports_a_page, x_exports_an_animation,
         x_exports_the_view]
