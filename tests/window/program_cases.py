"""Cases of the window: a whole program comes in by the dialog that opens files, by a drop and by its changes on disk."""

import re
import shutil
from pathlib import Path

from harness import ROOT
from preview_cases import drop
from screen import need

PROGRAMS = ROOT / "tests/cudart/programs"
LIMIT_S = 120   # nvcc compiles


def has_nvcc(screen):
    """Whether programs can be compiled here; else the cases below check what the window says instead."""
    return shutil.which("nvcc", path=screen.env.get("PATH")) is not None or Path("/usr/local/cuda/bin/nvcc").exists()


def opens_a_program_by_the_dialog(screen, moments):
    """Its kernels are shown alone, and the window asks before its host code runs."""
    screen.start_server()
    screen.adds, screen.notes = screen.folder / "vector_add.cu", screen.folder / "said.txt"
    text = (PROGRAMS / "vector_add.cu").read_text(encoding="utf-8")
    # The program leaves a mark, so that a run without consent is seen.
    marks = f'    if (FILE* mark = std::fopen("{screen.notes}", "a")) std::fprintf(mark, "%d ", n), std::fclose(mark);\n'
    screen.adds.write_text(text.replace("    std::vector<float> a(n)", marks + "    std::vector<float> a(n)", 1), encoding="utf-8")
    screen.start_program("--no-tour", "kernels/reduction/modulo.cu")
    screen.press("ctrl+o")
    screen.press("ctrl+a")
    screen.type(str(screen.adds))
    screen.press("Return", rest=False)
    offered = screen.still(lambda frame: frame.file == "vector_add.cu" and frame.steps > 1, "the kernels alone")
    screen.programs = has_nvcc(screen)
    if not screen.programs:
        need(offered.shows("is compiled by nvcc, and there is none"), f"what is missing: {offered.summary()}")
        return
    need(offered.shows("vector_add.cu is a whole program"), f"the offer: {offered.summary()}")
    need(not screen.notes.exists(), "the program ran without consent")


def runs_it_after_consent(screen, moments):
    if not screen.programs:
        return
    screen.click("program offer/run the program", stay=True)
    asked = screen.still(lambda frame: frame.has("program/run now"), "the question")
    need(asked.shows("as a process of your own") and asked.shows("10 minutes"), f"the question: {asked.words('program')}")
    need(not screen.notes.exists(), "the program ran without consent")
    screen.type("64")
    screen.press("Return", rest=False)   # nvcc may take longer than a press waits
    shown = screen.wait(lambda frame: not frame.busy and frame.has("inspector/launch 0"), "the launches", LIMIT_S)
    need(screen.notes.read_text(encoding="utf-8").startswith("64 "), "the argument reaches the program")
    need(shown.file == "vector_add.cu" and shown.steps > 1, f"the recording is the run of the program's file: {shown.summary()}")
    need(shown.shows("1 launch", "inspector") and shown.shows("arguments: 64", "parameters"), f"the tab: {shown.words('inspector')}")
    need(not shown.shows("is a whole program"), "the offer is gone")
    screen.click("inspector/Console")
    screen.expect("all 64 sums are right: no error", "inspector")
    screen.click("inspector/Launches")


def runs_it_again_when_its_file_changes(screen, moments):
    """The arguments stay; a file that does not compile keeps the last run, with the error at its line."""
    if not screen.programs:
        return
    text = screen.adds.read_text(encoding="utf-8")
    screen.adds.write_text(text.replace("x + y", "x - y"), encoding="utf-8")
    failed = screen.wait(lambda frame: not frame.busy and frame.shows("exit status 1", "inspector"), "the new run", LIMIT_S)
    need(screen.notes.read_text(encoding="utf-8").split()[-1] == "64" and failed.shows("x - y", "source"), "the same argument")
    screen.adds.write_text(text.replace("x + y", "x + z"), encoding="utf-8")
    wrong = screen.wait(lambda frame: not frame.busy and frame.has("source/error0"), "the error of the compiler", LIMIT_S)
    need(wrong.shows('"z" is undefined', "source"), f"the error: {wrong.words('source')[:300]}")
    screen.adds.write_text(text, encoding="utf-8")
    screen.wait(lambda frame: not frame.busy and not frame.has("source/error0"), "the first text runs again", LIMIT_S)


def shows_its_kernels_alone(screen, moments):
    if not screen.programs:
        return
    ran = screen.notes.read_text(encoding="utf-8")
    screen.click("parameters/rows/kernels only")
    alone = screen.still(lambda frame: not frame.has("inspector/launch 0") and frame.steps > 1, "the kernels alone")
    need(alone.file == "vector_add.cu" and not alone.shows("arguments: 64"), f"the panels: {alone.summary()}")
    need(screen.notes.read_text(encoding="utf-8") == ran, "the program ran again")


def a_dropped_program_waits_and_is_cancelled(screen, moments):
    """A program that does not end is cancelled; the window says that nothing was launched by another."""
    if not screen.programs:
        return
    endless, empty = screen.folder / "endless.cu", screen.folder / "empty.cu"
    endless.write_text("__global__ void k(int* a) { a[threadIdx.x] = 1; }\nint main() { cudaFree(0); for (volatile int i = 0;; ++i) {} }\n",
                       encoding="utf-8")
    empty.write_text("__global__ void k(int* a) { a[threadIdx.x] = 1; }\nint main() { int* a; cudaMalloc(&a, 4); return 3; }\n",
                     encoding="utf-8")
    drop(screen, endless)
    screen.still(lambda frame: frame.shows("endless.cu is a whole program"), "the offer")
    screen.click("program offer/run the program", stay=True)
    screen.press("Return", rest=False)
    screen.wait(lambda frame: frame.shows("Running the program"), "it runs", LIMIT_S)
    screen.click("progress/cancel", stay=True)
    screen.still(lambda frame: not frame.shows("Running the program") and frame.shows("RUN AGAIN", "parameters"), "it was cancelled")
    drop(screen, empty)
    screen.still(lambda frame: frame.shows("empty.cu is a whole program"), "the offer")
    screen.click("program offer/run the program", stay=True)
    screen.press("Return", rest=False)
    screen.wait(lambda frame: not frame.busy and frame.shows("The program launched no kernel", "inspector"), "nothing was launched",
                LIMIT_S)
    need(screen.frame().shows("exit status 3", "inspector"), f"how it ended: {screen.frame().words('inspector')}")


def calls_in(frame):
    """The numbers of the rows that are drawn."""
    return [int(name.split()[-1]) for name, _ in frame.widgets if name.startswith("inspector/call ")] or [-1]


def the_host_is_a_timeline(screen, moments):
    """30,000 copies are rows of which only those in sight are drawn; the timeline scrolls the list, a row shows its line."""
    if not screen.programs:
        return
    many = screen.folder / "host_side.cu"
    shutil.copyfile(PROGRAMS / "host_side.cu", many)
    drop(screen, many)
    screen.still(lambda frame: frame.shows("host_side.cu is a whole program"), "the offer")
    screen.click("program offer/run the program", stay=True)
    screen.type("30000")
    screen.press("Return", rest=False)
    screen.wait(lambda frame: not frame.busy and frame.has("inspector/launch 0"), "the launches", LIMIT_S)
    screen.click("inspector/Host")
    rows = screen.still(lambda frame: frame.shows("calls", "inspector") and frame.has("inspector/host timeline"), "the host")
    calls = calls_in(rows)
    need(0 < len(calls) < 60, f"{len(calls)} rows are drawn")
    need(30005 in calls or 30006 in calls, f"the launch that is shown is in sight, and these are: {calls}")
    screen.click(("inspector/host timeline", 0.5, 0.5))
    middle = screen.still(lambda frame: 14000 < calls_in(frame)[0] < 16000, "the middle of the program")
    need(middle.shows("copy h_values → d_values", "inspector"), f"its rows: {middle.words('inspector')[:300]}")
    screen.click(f"inspector/call {calls_in(middle)[3]}")
    screen.still(lambda frame: frame.has("source/line 26") and frame.shows("cudaMemcpyAsync", "source"), "the line of the copies")
    need(screen.frame().shows("Look for races between streams", "inspector"), "the offer to look for races between streams")


def findings_of_the_host_lead_to_their_lines(screen, moments):
    """A checked run finds a race between two streams; the problems lead to the host's line and record a launch."""
    if not screen.programs:
        return
    checked = screen.folder / "checked.cu"
    shutil.copyfile(PROGRAMS / "checked.cu", checked)
    drop(screen, checked)
    screen.still(lambda frame: frame.shows("checked.cu is a whole program"), "the offer")
    screen.click("program offer/run the program", stay=True)
    screen.click("program/check for races", stay=True)
    screen.click("program/run now")
    screen.wait(lambda frame: not frame.busy and frame.has("inspector/Launches"), "the program ran", LIMIT_S)
    screen.click("inspector/Host")
    screen.click("inspector/with findings")
    left = screen.still(lambda frame: frame.shows("✗", "inspector") and not frame.shows("create stream", "inspector"),
                        "only rows with findings")
    need(left.shows("launch 3: fill", "inspector"), f"the rows: {left.words('inspector')[:400]}")
    screen.palette("Problems")
    told = screen.still(lambda frame: frame.shows("✗ race", "inspector"), "the problems")
    link = next(name for name, _ in told.widgets if re.fullmatch(r"inspector/finding \d+ launch", name))
    screen.click(link)
    screen.wait(lambda frame: not frame.busy and frame.shows("grid_race", "timeline"), "the launch is recorded", LIMIT_S)


def no_host_code_offers_nothing(screen, moments):
    screen.end_program()
    shown = screen.start_program("--no-tour", "--no-host-code", str(screen.adds))
    need(shown.file == "vector_add.cu" and not shown.shows("is a whole program"), f"the panels: {shown.summary()}")
    screen.press("ctrl+p")
    screen.type("run the program")
    screen.still(lambda frame: frame.shows("--no-host-code was given"), "the reason in the palette")


CASES = [opens_a_program_by_the_dialog, runs_it_after_consent, runs_it_again_when_its_file_changes, shows_its_kernels_alone,
         a_dropped_program_waits_and_is_cancelled, the_host_is_a_timeline, findings_of_the_host_lead_to_their_lines,
         no_host_code_offers_nothing]
