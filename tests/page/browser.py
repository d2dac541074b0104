"""Drives a headless Chromium over its debugging pipe: one page at a time, with its log and its requests."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_LIMIT_S = 60
ANSWER_LIMIT_S = 60
KEYS = {"p": 80, "ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, " ": 32, "Enter": 13, "Escape": 27, "f": 70, "n": 78}


def find():
    """Returns the browser's path, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, path, folder, *more):
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()

        def connect():  # the browser reads commands from descriptor 3 and answers on 4
            reading, writing = os.dup(to_child), os.dup(from_child)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe"]
        self.log = open(folder / "browser.txt", "w", encoding="utf-8")
        self.child = subprocess.Popen([path, *flags, *more, f"--user-data-dir={folder / 'profile'}", "about:blank"],
                                      stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, close_fds=False,
                                      start_new_session=True, preexec_fn=connect, env=os.environ | {"HOME": str(folder)})
        os.close(to_child)
        os.close(from_child)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        deadline = time.monotonic() + START_LIMIT_S
        target = self.call("Target.createTarget", {"url": "about:blank"}, deadline)["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True}, deadline)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable", {})

    def close(self):
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.child.wait()
        os.close(self.out)
        os.close(self.into)
        self.log.close()

    def call(self, method, parameters=None, deadline=None):
        """Returns the answer to one command; reports that arrive before it go to `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = deadline or time.monotonic() + ANSWER_LIMIT_S
        while True:
            answer = self.receive(deadline, method)
            if answer.get("id") != self.number:
                continue
            if "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def receive(self, deadline, what):
        while b"\0" not in self.buffer:
            if not select.select([self.into], [], [], max(0, deadline - time.monotonic()))[0]:
                raise BrowserError(f"{what}: the browser did not answer in time")
            chunk = os.read(self.into, 1 << 20)
            if not chunk:
                raise BrowserError(f"{what}: the browser ended; see {self.log.name}")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, url, width=1600, height=1000, phone=False, dark=False):
        """Loads a page and waits until it is complete."""
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone})
        self.call("Emulation.setTouchEmulationEnabled", {"enabled": phone})
        self.call("Emulation.setEmulatedMedia",
                  {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.call("Page.navigate", {"url": "about:blank"})
        self.events.clear()
        self.call("Page.navigate", {"url": url})
        deadline = time.monotonic() + ANSWER_LIMIT_S
        while self.value("document.readyState + (location.protocol == 'about:')") != "completefalse":
            if time.monotonic() > deadline:
                raise BrowserError(f"{url} did not load within {ANSWER_LIMIT_S} s")
            time.sleep(0.05)

    def value(self, expression):
        """Returns the value of a JavaScript expression, converted from JSON."""
        answer = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression[:80]}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def press(self, *keys):
        for key in keys:
            event = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": KEYS[key]}
            self.call("Input.dispatchKeyEvent", {"type": "keyDown", **event})
            self.call("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def place(self, selector, share=0.5):
        """Returns window coordinates within an element: `share` of its width, half of its height."""
        box = self.value(f"(b => [b.left, b.top, b.width, b.height])"
                         f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        return {"x": box[0] + box[2] * share, "y": box[1] + box[3] / 2}

    def click(self, selector, share=0.5):
        at = self.place(selector, share) | {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", {"type": "mousePressed", **at})
        self.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **at})

    def tap(self, selector):
        self.call("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [self.place(selector)]})
        self.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def swipe(self, selector, right):
        """Moves a finger from the middle of an element to the right, or to the left where `right` is negative."""
        at = self.place(selector)
        self.call("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        for share in (0.5, 1):
            self.call("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": at["x"] + share * right, "y": at["y"] + 3}]})
        self.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", {"format": "png"})["data"]))

    def complaints(self):
        """Returns errors and warnings since the page was opened, and all requests except the one for the page."""
        self.value("0")
        found, pages = [], 0
        for event in self.events:
            what = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append("exception: " + json.dumps(what["exceptionDetails"])[:400])
            elif event["method"] == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
                found.append(f"log: {what['entry']['text']}")
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(f"console: {json.dumps(what['args'])[:400]}")
            elif event["method"] == "Network.requestWillBeSent":
                pages += 1
                if pages > 1:
                    found.append(f"request: {what['request']['url']}")
        return found
