#!/usr/bin/env python3
"""Drops a file on a window, as a file manager does (XDND version 5, by libX11).

    tests/window/drop.py WINDOW X Y FILE

X and Y on the screen. Exit 0 once the window has taken the file, 1 with a line why not.
"""

import ctypes
import ctypes.util
import sys
import time
from pathlib import Path

LIMIT_S = 20
CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
PROP_REPLACE, ACCEPTED = 0, 1

Window = Atom = Time = ctypes.c_ulong


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", Window), ("message_type", Atom), ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("owner", Window), ("requestor", Window), ("selection", Atom), ("target", Atom), ("property", Atom), ("time", Time)]


class SelectionNotify(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("requestor", Window), ("selection", Atom), ("target", Atom), ("property", Atom), ("time", Time)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", SelectionRequest), ("notify", SelectionNotify),
                ("pad", ctypes.c_long * 24)]


class Source:
    """The window that the file is dragged from."""

    def __init__(self):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11"))
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = self.x.XCreateSimpleWindow.restype = Window
        self.x.XInternAtom.restype = Atom
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(None))
        if not self.display:
            raise RuntimeError("no X server")
        root = Window(self.x.XDefaultRootWindow(self.display))
        self.window = self.x.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, Window(0), Window(0))
        self.x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), Window(self.window), Time(0))

    def atom(self, name):
        return Atom(self.x.XInternAtom(self.display, name.encode(), 0))

    def send(self, target, kind, *data):
        event = Event()
        event.client = ClientMessage(CLIENT_MESSAGE, 0, 1, self.display, target, self.atom(kind), 32,
                                     (ctypes.c_long * 5)(self.window, *data))
        self.x.XSendEvent(self.display, Window(target), 0, ctypes.c_long(0), ctypes.byref(event))
        self.x.XFlush(self.display)

    def answer(self, request, contents):
        """The file's name, which the target asks for when it is dropped there."""
        self.x.XChangeProperty(self.display, Window(request.requestor), Atom(request.property), Atom(request.target), 8, PROP_REPLACE,
                               contents, len(contents))
        event = Event()
        event.notify = SelectionNotify(SELECTION_NOTIFY, 0, 1, self.display, request.requestor, request.selection,
                                       request.target, request.property, request.time)
        self.x.XSendEvent(self.display, Window(request.requestor), 0, ctypes.c_long(0), ctypes.byref(event))
        self.x.XFlush(self.display)

    def wait_for(self, kind, contents):
        deadline, wanted = time.monotonic() + LIMIT_S, self.atom(kind).value
        while time.monotonic() < deadline:
            if not self.x.XPending(self.display):
                time.sleep(0.02)
                continue
            event = Event()
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.answer(event.request, contents)
            elif event.type == CLIENT_MESSAGE and event.client.message_type == wanted:
                return event.client.data
        raise RuntimeError(f"the window does not answer with {kind}")


def drop(target, x, y, file):
    source = Source()
    contents = (Path(file).resolve().as_uri() + "\r\n").encode()
    source.send(target, "XdndEnter", 5 << 24, source.atom("text/uri-list").value, 0, 0)
    source.send(target, "XdndPosition", 0, x << 16 | y, 0, source.atom("XdndActionCopy").value)
    if not source.wait_for("XdndStatus", contents)[1] & ACCEPTED:
        raise RuntimeError("the window does not take the file")
    source.send(target, "XdndDrop", 0, 0, 0, 0)
    source.wait_for("XdndFinished", contents)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    try:
        drop(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    except RuntimeError as problem:
        sys.exit(f"drop: {problem}")


if __name__ == "__main__":
    main()
