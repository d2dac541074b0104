"""Cases of the window: the GPU engine in another process. The CPU machine stands in for the GPU, and then a driver that fails in known ways."""

import os
import signal
import struct
import time
import zlib
from pathlib import Path

from harness import ROOT
from screen import need, until

GOOD = """__global__ void k(int* p) {
    p[threadIdx.x] = threadIdx.x * 2;
}
"""
FAULTY = """__global__ void k(int* p) {
    int i = threadIdx.x;
    p[i] = i;
    if (i == 5)
        *(int*)nullptr = i;
}
"""
ENDLESS = """__global__ void k(volatile int* p) {
    p[threadIdx.x] = 1;
    while (p[0] != 2)
        p[0] = 1;
}
"""
STAND_IN = "instrumented CPU"


def children(screen):
    """The processes that run kernels for the window."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if b"__device" in words and parent == screen.program.pid:
            found.append(int(process.name))
    return found


def write(screen, text):
    """Another program changes the file, and the window reads it again."""
    later = screen.mine.stat().st_mtime_ns + 1_000_000_000 if screen.mine.exists() else None
    screen.mine.write_text(text, encoding="utf-8")
    if later:
        os.utime(screen.mine, ns=(later, later))


def place(screen):
    return f"exec {screen.build}/lanescope __device --machine"


def a_gpu_elsewhere_runs_the_file(screen, moments):
    screen.start_server()
    screen.mine = screen.folder / "mine.cu"
    write(screen, GOOD)
    screen.start_program(str(screen.mine), "--engine", "gpu", "--gpu", place(screen), "--no-tour")
    first = screen.still(lambda frame: frame.shows(STAND_IN, "top"), "the run of the other process")
    need(first.steps > 0, first.summary())
    need(len(children(screen)) == 1, f"the processes: {children(screen)}")


def a_fault_costs_its_process_alone(screen, moments):
    """It is shown at its line, and the next runs are as if nothing had been."""
    for _ in range(3):
        write(screen, FAULTY)
        told = screen.still(lambda frame: frame.shows("line 5") and frame.shows("null pointer"), "the fault at its line")
        need(told.shows(STAND_IN, "top"), f"the engine: {told.words('top')}")
        write(screen, GOOD)
        screen.still(lambda frame: frame.shows(STAND_IN, "top") and not frame.shows("null pointer"), "the good run after it")
    need(len(children(screen)) == 1, f"the processes: {children(screen)}")


def cancel_stops_an_endless_kernel(screen, moments):
    for _ in range(2):
        write(screen, ENDLESS)
        screen.wait(lambda frame: frame.has("progress/cancel"), "the progress with Cancel")
        began = time.monotonic()
        screen.click("progress/cancel")
        screen.still(lambda frame: not frame.has("progress/cancel") and frame.shows("was cancelled"), "the older run")
        need(time.monotonic() - began < 30, "Cancel should end the run, not its time limit of a minute")
        write(screen, GOOD)
        screen.still(lambda frame: frame.shows(STAND_IN, "top") and not frame.shows("was cancelled"), "the good run after it")


def a_killed_process_is_replaced(screen, moments):
    for child in children(screen):
        os.kill(child, signal.SIGKILL)
    write(screen, GOOD + "// again\n")
    screen.still(lambda frame: frame.shows("// again") and frame.shows(STAND_IN, "top"), "the run in another process")
    need(len(children(screen)) == 1, f"the processes: {children(screen)}")


def a_place_without_a_device_is_told_of(screen, moments):
    """The last trace stays, and the CPU machine is the engine again."""
    screen.palette("Choose the engine")
    screen.still(lambda frame: frame.has("engine/place"), "the choice of the engine")
    screen.click("engine/place")
    screen.press("ctrl+a")
    screen.type("echo no device is here")
    screen.press("Return")
    told = screen.still(lambda frame: frame.shows("not a device"), "what came instead of a device")
    need(told.shows("no device is here") and told.steps > 0, told.summary())


def the_choice_of_the_engine(screen, moments):
    """Connects to the stand-in again, and goes back to the CPU machine."""
    screen.palette("Choose the engine")
    screen.click("engine/place")
    screen.press("ctrl+a")
    screen.type(place(screen))
    screen.click("engine/connect")
    screen.still(lambda frame: frame.shows(STAND_IN, "top"), "the run of the other process")
    screen.palette("Choose the engine")
    chosen = screen.still(lambda frame: frame.has("engine/cpu"), "the choice of the engine")
    need(chosen.shows("records are copied through the host", "engine"), chosen.words("engine"))
    screen.click("engine/cpu")
    screen.still(lambda frame: frame.shows("CPU SIMT machine", "top"), "the CPU machine")


def no_process_outlives_the_window(screen, moments):
    """Not even one whose kernel does not end."""
    screen.press("g")
    screen.still(lambda frame: frame.shows(STAND_IN, "top"), "the other process")
    write(screen, ENDLESS)
    screen.wait(lambda frame: frame.has("progress/cancel"), "the endless kernel")
    left = children(screen)
    need(len(left) == 1, f"the processes: {left}")
    screen.press("ctrl+q", rest=False)
    until(screen.ended, "the window closes")
    until(lambda: not any(Path(f"/proc/{each}").exists() for each in left), "its process ends")


def a_driver_that_faults(screen, moments):
    """This machine's GPU, with the stand-in for CUDA's driver: every kernel faults in the other process."""
    write(screen, GOOD)
    screen.env["LANESCOPE_CUDA_DRIVER"] = str(screen.build / "libfake_cuda_driver.so")
    screen.env["LANESCOPE_FAKE"] = "fault"
    screen.start_program(str(screen.mine), "--engine", "gpu", "--no-tour")
    screen.still(lambda frame: frame.shows("an illegal memory access was encountered"), "the fault")
    for _ in range(3):
        screen.palette("Run again")
        screen.still(lambda frame: frame.shows("an illegal memory access was encountered"), "the fault again")
    back = screen.press("g")
    need(back.shows("CPU SIMT machine", "top") and not back.shows("illegal memory"), back.summary())
    screen.end_program()


FILTER = (ROOT / "kernels/convolution/basic_2d.cu").read_text(encoding="utf-8")
LAST_LINE = "    out[row * cols + col] = sum;"
FAULTY_FILTER = FILTER.replace(LAST_LINE, "    if (row == 5)\n        *(volatile int*)8 = sum;\n" + LAST_LINE)
ENDLESS_FILTER = FILTER.replace(LAST_LINE, "    while (*(volatile int*)out != -77)\n        *(volatile int*)out = 1;\n" + LAST_LINE)


def bar_shows(*words):
    return lambda frame: all(frame.shows(each, "preview bar") for each in words)


def start_preview(screen, *engine):
    """With a picture of which the stand-in filters all pixels soon, by the person's kernel."""
    picture = screen.folder / "small.png"
    if not picture.exists():
        rows = b"".join(b"\0" + bytes(x * y % 251 for x in range(72)) for y in range(48))
        parts = [(b"IHDR", struct.pack(">IIBBBBB", 72, 48, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
        picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts))
    screen.mine = screen.folder / "filter.cu"   # the panels run the file of the cases before
    write(screen, FILTER)
    screen.start_program(str(picture), "--view", "preview", "--kernel", str(screen.mine), "--engine", "gpu", *engine, "--no-tour")


def a_filter_runs_elsewhere(screen, moments):
    for name in ("LANESCOPE_CUDA_DRIVER", "LANESCOPE_FAKE"):
        del screen.env[name]
    start_preview(screen, "--gpu", place(screen))
    screen.still(bar_shows(STAND_IN, "result as expected"), "the filter of the other process")
    need(len(children(screen)) == 1, f"the processes: {children(screen)}")
    need("libcuda" not in Path(f"/proc/{screen.program.pid}/maps").read_text(), "the window has no driver of CUDA")


def mended(screen, before, text=FILTER):
    """The good filter runs in another process."""
    write(screen, text)
    screen.still(lambda frame: bar_shows(STAND_IN, "result as expected")(frame) and not frame.shows("error", "preview picture") and
                 len(children(screen)) == 1 and children(screen) != before, "the good filter after it, in another process")


def a_faulty_filter_costs_its_process_alone(screen, moments):
    for _ in range(2):
        before = children(screen)
        write(screen, FAULTY_FILTER)
        line = 1 + FAULTY_FILTER[:FAULTY_FILTER.index("*(volatile int*)8")].count("\n")
        told = screen.expect("the kernel faulted on the GPU", "preview picture")
        need(told.shows(f"filter.cu:{line}", "preview picture"), told.words("preview picture"))
        need(told.shows(STAND_IN, "preview bar"), told.words("preview bar"))
        mended(screen, before)


def an_endless_filter_ends(screen, moments):
    """With its time, by Cancel, and when it is mended."""
    before = children(screen)
    write(screen, ENDLESS_FILTER)
    screen.wait(lambda frame: frame.shows("the kernel did not end on the GPU within 10 s", "preview picture"), "the end of its time",
                limit_s=30)
    mended(screen, before)
    for cancels in (True, False):
        before = children(screen)
        write(screen, ENDLESS_FILTER)
        screen.wait(lambda frame: frame.has("preview bar/cancel"), "the filter with Cancel")
        began = time.monotonic()
        if cancels:
            screen.click("preview bar/cancel")
            screen.still(lambda frame: not frame.has("preview bar/cancel"), "the end of the filter")
            need(time.monotonic() - began < 7, "Cancel should end the filter soon")
        mended(screen, before)


def a_killed_filter_is_replaced(screen, moments):
    before = children(screen)
    for child in before:
        os.kill(child, signal.SIGKILL)
    mended(screen, before, FILTER + "// again\n")
    write(screen, ENDLESS_FILTER)
    screen.wait(lambda frame: frame.has("preview bar/cancel"), "the filter")
    before = children(screen)
    for child in before:
        os.kill(child, signal.SIGKILL)
    screen.expect("ended by signal 9", "preview picture")
    mended(screen, before)
    screen.end_program()


def a_filter_whose_driver_faults(screen, moments):
    """This machine's GPU, with the stand-in for CUDA's driver. The CPU machine goes on when it is asked to."""
    screen.env["LANESCOPE_CUDA_DRIVER"] = str(screen.build / "libfake_cuda_driver.so")
    screen.env["LANESCOPE_FAKE"] = "fault"
    start_preview(screen)
    screen.expect("an illegal memory access was encountered", "preview picture")
    back = screen.press("g")
    screen.still(lambda frame: bar_shows("CPU SIMT machine", "result as expected")(frame), "the CPU machine")
    need(not back.shows("illegal memory", "preview picture"), back.words("preview picture"))
    screen.end_program()


CASES = [a_gpu_elsewhere_runs_the_file, a_fault_costs_its_process_alone, cancel_stops_an_endless_kernel, a_killed_process_is_replaced,
         a_place_without_a_device_is_told_of, the_choice_of_the_engine, no_process_outlives_the_window, a_driver_that_faults,
         a_filter_runs_elsewhere, a_faulty_filter_costs_its_process_alone, an_endless_filter_ends, a_killed_filter_is_replaced,
         a_filter_whose_driver_faults]
