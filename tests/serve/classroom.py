#!/usr/bin/env python3
"""A class of simulated browsers against `lanescope serve`, each with an address of its own (127.0.1.1, …).

    tests/serve/classroom.py LINK [--students 200] [--edits 5] [--think 20] [--pid SERVER]

LINK is what the server printed. Every browser opens the page with its files, then edits a kernel and compiles: first as it is, then
each time a text that is new to the server. A refusal (429, 503) is repeated after the time that the server names.
"""

import argparse
import http.client
import json
import random
import statistics
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

KERNEL = (Path(__file__).resolve().parents[2] / "kernels/reduction/modulo.cu").read_text()
MOST_TRIES = 60


class Browser:
    def __init__(self, link, address):
        parts = urlsplit(link)
        self.token = parse_qs(parts.query, keep_blank_values=True).get("token", [""])[0]
        self.host, self.port, self.address = parts.hostname, parts.port, address
        self.connection = None

    def ask(self, method, path, body=None, headers=None, timeout_s=120):
        """(status, headers, body); a connection that the server has closed meanwhile is opened again."""
        for fresh in (False, True):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout_s, source_address=(self.address, 0))
                fresh = True
            try:
                self.connection.request(method, path, body, headers or {})
                answer = self.connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (http.client.HTTPException, ConnectionError):
                self.close()
                if fresh:
                    raise
        return None

    def compile(self, source, token=None, **more):
        body = source if isinstance(source, bytes) else json.dumps({"source": source, **more}).encode()
        status, headers, answer = self.ask("POST", f"/compile?token={self.token if token is None else token}", body, {"Content-Type": "application/json"})
        return status, headers, json.loads(answer) if answer else {}

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Classroom:
    def __init__(self, link, students, edits, think_s, files=("/",), seed=1):
        self.link, self.students, self.edits, self.think_s, self.files, self.seed = link, students, edits, think_s, files, seed
        self.page_s, self.compile_s, self.refusals, self.lost = [], [], 0, []
        self.lock = threading.Lock()

    def student(self, number):
        chance = random.Random(self.seed * 1000 + number)
        browser = Browser(self.link, f"127.0.{1 + number // 250}.{1 + number % 250}")
        try:
            time.sleep(chance.uniform(0, self.think_s))
            began = time.monotonic()
            for path in self.files:
                status, _, _ = browser.ask("GET", path)
                if status != 200:
                    raise RuntimeError(f"{path}: {status}")
            with self.lock:
                self.page_s.append(time.monotonic() - began)
            for edit in range(self.edits):
                time.sleep(chance.uniform(0.5, 1.5) * self.think_s)
                # The comment makes the text new for the cache; the first one is the lesson itself.
                self.edit(browser, number, edit, KERNEL if edit == 0 else f"{KERNEL}// {self.seed} {number} {edit}\n")
        except (OSError, RuntimeError, ValueError, http.client.HTTPException) as problem:
            with self.lock:
                self.lost.append(f"student {number}: {problem!r}")
        finally:
            browser.close()

    def edit(self, browser, number, edit, text):
        began = time.monotonic()
        for _ in range(MOST_TRIES):
            status, headers, answer = browser.compile(text, file="modulo.cu", code="debug")
            if status == 200:
                if not answer["compiled"] or ".entry" not in answer["ptx"]:
                    raise RuntimeError(f"edit {edit}: {str(answer)[:300]}")
                with self.lock:
                    self.compile_s.append(time.monotonic() - began)
                return
            if status not in (429, 503) or not headers.get("Retry-After"):
                raise RuntimeError(f"edit {edit}: {status} {answer}")
            with self.lock:
                self.refusals += 1
            time.sleep(int(headers["Retry-After"]))
        raise RuntimeError(f"edit {edit}: refused {MOST_TRIES} times")

    def run(self):
        threads = [threading.Thread(target=self.student, args=(number,)) for number in range(self.students)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self


def memory_mib(pid, field):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    return 0.0


def words(name, times):
    ordered = sorted(times)
    return (f"{name}: {len(ordered)}, median {statistics.median(ordered):.2f} s, 95 % within {ordered[int(0.95 * (len(ordered) - 1))]:.2f} s, "
            f"worst {ordered[-1]:.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("link")
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--edits", type=int, default=5)
    parser.add_argument("--think", type=float, default=20, help="seconds between edits, on average")
    parser.add_argument("--file", action="append", default=[], help="of the page, besides /")
    parser.add_argument("--pid", type=int, help="of the server, to read its memory")
    given = parser.parse_args()
    began = time.monotonic()
    room = Classroom(given.link, given.students, given.edits, given.think, ["/", *given.file], seed=int(time.time())).run()
    print(words("pages", room.page_s))
    print(words("compilations", room.compile_s))
    print(f"in {time.monotonic() - began:.0f} s; refused and repeated: {room.refusals}; lost: {len(room.lost)}")
    for line in room.lost[:10]:
        print(line)
    if given.pid:
        print(f"server's memory: {memory_mib(given.pid, 'VmRSS'):.0f} MiB, at most {memory_mib(given.pid, 'VmHWM'):.0f} MiB")


if __name__ == "__main__":
    main()
