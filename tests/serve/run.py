#!/usr/bin/env python3
"""Serves a page to browsers and compiles for them, then attacks the server; a small class of simulated browsers (classroom.py).

    tests/serve/run.py [--build FOLDER] [CASE…]

Every client has an address of its own in 127.0.0.0/8. After each attack the same server must compile for another client.
"""

import argparse
import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from classroom import KERNEL, Browser, Classroom, memory_mib  # noqa: E402
from harness import ROOT, Report, clean_environment, output_folder  # noqa: E402

SECRET = "the_answers_of_the_exam"
GOOD = "__global__ void good(int* a) { a[threadIdx.x] = 1; }\n"
numbers = itertools.count()


def new_address():
    number = next(numbers)
    return f"127.7.{number // 250}.{1 + number % 250}"


class Failure(Exception):
    pass


def check(fine, what):
    if not fine:
        raise Failure(str(what)[:600])


def equal(got, wanted, what=""):
    check(got == wanted, f"{what}: {got!r}, expected {wanted!r}")


class Serve:
    def __init__(self, bench, *words):
        self.process = subprocess.Popen([str(bench.program), "serve", *map(str, words), "--port", "0"], env=bench.env, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.link = self.process.stdout.readline().strip()
        self.log = []
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.reader.start()
        if not self.link:
            self.reader.join(10)
            raise Failure(f"the server ended: {''.join(self.log)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.process.stdout.close()

    def browser(self):
        return Browser(self.link, new_address())

    def compile(self, source, **more):
        """As a client that is new to the server."""
        browser = self.browser()
        try:
            return browser.compile(source, **more)
        finally:
            browser.close()

    def still_compiles(self, after):
        status, _, answer = self.compile(GOOD + f"// {time.monotonic()}\n")
        check(status == 200 and answer["compiled"], f"after {after}: {status} {answer}")

    def socket(self, timeout_s=30):
        made = socket.create_connection((self.browser().host, self.browser().port), timeout_s, (new_address(), 0))
        return made

    def settled(self):
        """The status when nothing runs any more: a compiler is counted until a moment after its answer."""
        for _ in range(100):
            now = self.status()
            if now["running"] == 0:
                break
            time.sleep(0.05)
        return now

    def status(self):
        browser = self.browser()
        status, _, body = browser.ask("GET", f"/status?token={browser.token}")
        browser.close()
        equal(status, 200, "status")
        return json.loads(body)

    def children(self):
        return Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split() + [
            child for task in Path(f"/proc/{self.process.pid}/task").iterdir() for child in (task / "children").read_text().split()]

    def end(self, name=signal.SIGTERM):
        self.process.send_signal(name)
        code = self.process.wait(15)
        self.reader.join(10)
        return code


# --- Files


def serves_the_page(bench):
    page = bench.page("page")
    with Serve(bench, page) as server:
        browser = server.browser()
        for path, kind in (("/", "text/html; charset=utf-8"), ("/program.wasm", "application/wasm"), ("/course.tar.gz", "application/gzip"),
                           ("/lanescope.js", "text/javascript; charset=utf-8"), ("/deep/", "text/html; charset=utf-8")):
            status, headers, body = browser.ask("GET", path)
            equal((status, headers["Content-Type"], headers["Content-Encoding"]), (200, kind, None), path)
            check(headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer", headers)
            equal(browser.ask("GET", path, headers={"If-None-Match": headers["ETag"]})[::2], (304, b""), f"{path} again")
            equal(browser.ask("HEAD", path)[::2], (200, b""), f"HEAD {path}")
        equal(browser.ask("GET", "/course.tar.gz")[2], (page / "course.tar.gz").read_bytes(), "bytes")
        (page / "index.html").write_text("<p>second edition")
        until(lambda: b"second" in browser.ask("GET", "/")[2], "the page follows its folder")
        browser.close()


def serves_no_other_file(bench):
    page = bench.page("fenced")
    (page / "link").symlink_to(bench.secret)
    (page / "folder").symlink_to(bench.secret.parent)
    (page / ".hidden").write_text(SECRET)
    with Serve(bench, page) as server:
        name = bench.secret.name
        for path in (f"/../{name}", f"/%2e%2e/{name}", f"/deep/../../{name}", f"/..%2f{name}", f"/deep/%2e%2e%2f%2e%2e%2f{name}", f"/%252e%252e/{name}",
                     f"/..\\{name}", "/../../../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/etc/passwd",
                     "/link", f"/folder/{name}", "/.hidden", "/index.html/", str(bench.secret), f"//{bench.secret}", "/deep/.."):
            with server.socket() as raw:
                raw.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
                answer = b"".join(iter(lambda: raw.recv(65536), b""))
            check(answer.startswith(b"HTTP/1.1 4"), f"{path}: {answer[:200]}")
            check(SECRET.encode() not in answer and b"root:" not in answer, f"{path}: {answer}")
        server.still_compiles("paths")


# --- Who may compile


def needs_the_token(bench):
    with Serve(bench, "--token", "blue-whale") as server:
        browser = server.browser()
        check(server.link.endswith("?serve&token=blue-whale"), server.link)
        for wrong in ("", "blue-whalE", "blue-whale2", "b", "%00"):
            status, _, answer = browser.compile(GOOD, token=wrong)
            equal(status, 401, wrong)
            check("link" in answer["hint"], answer)
            equal(browser.ask("GET", f"/status?token={wrong}")[0], 401, wrong)
        equal(browser.ask("POST", "/compile?token=blue-whale", json.dumps({"source": GOOD}), {"Content-Type": "text/plain"})[0], 415, "type")
        equal(browser.ask("GET", "/compile?token=blue-whale")[0], 405, "GET")
        equal(browser.ask("DELETE", "/")[0], 405, "DELETE")
        check(browser.ask("GET", "/")[0] in (200, 404), "the page, if it is built")
        equal(browser.compile(GOOD)[0], 200, "right")
        browser.close()
    with Serve(bench, "--no-token", "--allow-origin", "https://course.example") as server:
        browser = server.browser()
        equal(browser.compile(GOOD)[0], 200, "without")
        asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
        status, headers, _ = browser.ask("OPTIONS", "/compile", headers={"Origin": "https://course.example", **asks})
        equal((status, headers["Access-Control-Allow-Origin"], headers["Access-Control-Allow-Headers"]), (204, "https://course.example", "Content-Type"))
        equal(browser.ask("OPTIONS", "/compile", headers={"Origin": "https://other.example", **asks})[1]["Access-Control-Allow-Origin"], None)
        browser.close()


def compiles_as_the_program_does(bench):
    with Serve(bench) as server:
        status, _, answer = server.compile(KERNEL, file="modulo.cu", code="debug", architecture="compute_80")
        equal((status, answer["compiled"], answer["target"]), (200, True, "compute_80"))
        check(".entry" in answer["ptx"] and answer["aliased_ptx"] and answer["user_file"] == "/modulo.cu", str(answer)[:300])
        again = server.compile(KERNEL, file="modulo.cu", code="debug", architecture="compute_80")[2]
        check(again["from_cache"] and again["ptx"] == answer["ptx"], "the second time comes from the cache")
        headers = [{"name": "ops.cuh", "shown": "/own/ops.cuh", "text": "template <class T> __device__ T twice(T x) { return x + x; }\n"}]
        source = '#include "ops.cuh"\ntemplate <class T> __global__ void k(T* a) { a[0] = twice(a[0]) + N; }\n'
        made = server.compile(source, headers=headers, instantiations=["k<int>"], definitions=["N=7"], standard="c++20", code="optimized")[2]
        check(made["compiled"] and made["symbols"]["k<int>"] in made["ptx"] and made["headers"][0]["shown"] == "/own/ops.cuh", str(made)[:500])
        broken = server.compile("__global__ void k(int* a) {\n    a[0] = b;\n}\n", file="/own/broken.cu")[2]
        first = broken["diagnostics"][0]
        equal((broken["compiled"], first["severity"], first["file"], first["line"], first["column"]), (False, "error", "/own/broken.cu", 2, 12))
        counts = server.settled()
        equal([counts[key] for key in ("compiled", "from_cache", "with_errors", "waiting", "running")], [2, 1, 1, 0, 0])
        for bad in (b"", b"[]", b"{", b'{"file": "x.cu"}', b'{"source": 1}', b'{"source": "", "flags": ["-I/etc"]}', b'{"source": "\xff"}',
                    b'{"source": "", "include_folders": ["/etc"]}', b'{"source": "", "code": "fast"}', b'{"source": "", "headers": [{"path": "/etc/passwd"}]}',
                    b'{"source": "", "newest": "@/etc/passwd"}', b'{"source": ""} x'):
            status, _, answer = server.compile(bad)
            check(status == 400 and answer["message"] and answer["hint"], f"{bad}: {status} {answer}")
        equal(server.compile(" " * (1 << 20))[0], 200, "1 MiB")
        equal(server.compile(" " * ((1 << 20) + 1))[0], 413, "more than 1 MiB")
    lines = [line for line in server.log if " ms " in line]
    check(len(lines) == 5 and not any("global" in line for line in server.log), server.log)


# --- Hostile texts


def reads_no_file(bench):
    secret, hidden = str(bench.secret), bench.secret.with_suffix("")
    hidden.write_text(f"int {SECRET};\n")
    up = "/".join([".."] * 12) + secret
    link = bench.folder / "innocent.h"
    link.symlink_to(bench.secret)
    system = "/usr/lib/os-release"
    texts = [f'#include "{path}"\n' for path in (secret, hidden, up, link, "/etc/passwd", "/etc/hostname", system, "/proc/self/environ", "/proc/self/maps",
                                                 "/dev/stdin", "/dev/fd/0", f"/usr/lib/..{secret}", "/usr/local/cuda/include/../../../../etc/passwd")]
    texts += [f"#include <{secret}>\n", f"#include <{up}>\n", f'#define P "{secret}"\n#include P\n', f"#define S(x) #x\n#define T(x) S(x)\n#include T({hidden})\n",
              f'#include_next "{secret}"\n', f'#import "{secret}"\n', f'_Pragma("include \\"{secret}\\"")\n',
              f'const char leak[] = {{\n#embed "{secret}"\n}};\n', f'__device__ const unsigned char leak[] = {{\n#embed "{system}"\n}};\n',
              f'#line 1 "{secret}"\n#error\n', f'#line 1 "/etc/passwd"\nint x = y;\n', f'asm(".incbin \\"{secret}\\"");\n',
              f'__global__ void k() {{ asm(".file 7 \\"{secret}\\""); asm(".include \\"{secret}\\""); }}\n', f'#pragma GCC dependency "{secret}"\n',
              f'#include "{secret}" // \\\n', f'??=include "{secret}"\n', f'%:include "{secret}"\n']
    requests = [{"source": text} for text in texts]
    include = '#include "x.h"\n'
    requests += [{"source": include, "headers": [{"name": "x.h", "shown": secret, "text": f'#include "{secret}"\n'}]},
                 {"source": include, "headers": [{"name": secret, "shown": "x.h", "text": ""}], "file": secret},
                 {"source": include, "file": secret}, {"source": f'#include "{bench.secret.name}"\n', "file": str(bench.folder / "x.cu")},
                 {"source": f'#include "{bench.secret.name}"\n', "file": f"../../../{bench.folder}/x.cu"},
                 {"source": GOOD, "file": "@" + secret}, {"source": GOOD, "file": "--options-file=" + secret},
                 {"source": "N", "definitions": [f"N=1 -include {secret}"]}, {"source": "N", "definitions": [f'N \n#include "{secret}"']},
                 {"source": GOOD, "definitions": [f"N=1\n--pre-include={secret}"]}, {"source": GOOD, "definitions": ["I/etc"]},
                 {"source": GOOD, "standard": f"c++17 -I{bench.folder}"}, {"source": GOOD, "architecture": f"compute_90 -I{bench.folder}"},
                 {"source": "template <int N> __global__ void k() {}\n", "instantiations": [f'k<1>;\n#include "{secret}"\n']}]
    with Serve(bench) as server, ThreadPoolExecutor(4) as pool:
        for request, (status, _, answer) in zip(requests, pool.map(lambda each: server.compile(json.dumps(each).encode()), requests)):
            said = json.dumps(answer)
            check(status in (200, 400), f"{request}: {status} {answer}")
            for leak in (SECRET, "root:x", "PRETTY_NAME", "LANESCOPE_CACHE="):
                check(leak not in said, f"{request}: {said}")
            check(SECRET.encode().hex() not in said.lower(), request)
        # Neither must a text find out which files there are.
        for form in ('#if __has_include("{}")\n#error there\n#endif\n', '#if __has_embed("{}")\n#error there\n#endif\n', '#include "{}"\n'):
            for path in (secret, up, system, "/root", "/usr/lib"):
                there, absent = (json.dumps(server.compile(form.format(name) + GOOD)[2]["diagnostics"]).replace(name, "PATH")
                                 for name in (path, path[:-1] + "~"))
                equal(there, absent, form)
        server.still_compiles("texts that read files")


def survives_bombs(bench):
    deep = "".join(f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1}\n" for i in range(1, 30))
    bombs = {
        "an include of itself": {"source": '#include "a.h"\n', "headers": [{"name": "a.h", "shown": "a.h", "text": '#include "a.h"\n#include "a.h"\n'}]},
        "includes that double": {"source": '#include "h0"\n', "headers": [
            {"name": f"h{i}", "shown": f"h{i}", "text": f'#include "h{i + 1}"\n' * 8} for i in range(60)]},
        "endless templates": {"source": "template <int n> struct A { static const int v = A<n + 1>::v + A<n + 2>::v; };\n__device__ int x = A<0>::v;\n"},
        "growing types": {"source": "template <class A, class B> struct P {};\ntemplate <int n, class T> struct Q { typedef typename Q<n - 1, P<T, T>>::t t; };\n"
                                    "template <class T> struct Q<0, T> { typedef T t; };\n__global__ void k(Q<60, int>::t x) {}\n"},
        "a macro of 4^29 words": {"source": f"#define A0 x\n{deep}A29\n"},
        "an endless constant": {"source": "constexpr int f(int n) { int s = 0; for (int i = 0; i < 2000000000; i++) for (int j = 0; j < 2000000000; j++) s ^= i + n;"
                                          " return s; }\n__device__ int a[f(1) & 7];\n", "standard": "c++20"},
        "a huge array": {"source": "__device__ int a[1 << 30] = {1, 2, 3};\n__global__ void k(int* b) { b[0] = a[5]; }\n"},
        "a million brackets": {"source": "__device__ int a = " + "(" * 500_000 + "1" + ")" * 500_000 + ";\n"},
        "a million blocks": {"source": "__global__ void k() " + "{" * 500_000 + "}" * 500_000},
        "a NUL byte": {"source": "int a;\0int b;\n"},
        "half a UTF-16 pair": {"source": "// \ufffe \u0001 \x7f\n" + GOOD},
        "long names": {"source": "__global__ void " + "k" * 900_000 + "() {}\n"},
        "much code": {"source": "#define R(x) x x x x x x x x x x\n__global__ void k(volatile int* a) { R(R(R(R(R(a[0] = a[1];))))) }\n"},
    }
    with Serve(bench, "--workers", 2) as server, ThreadPoolExecutor(2) as pool:
        def drop(item):
            began = time.monotonic()
            status, _, answer = server.compile(json.dumps(item[1]).encode())
            return item[0], status, answer, time.monotonic() - began
        for name, status, answer, took_s in pool.map(drop, bombs.items()):
            check(status == 200 and took_s < 15, f"{name}: {status} after {took_s:.1f} s: {str(answer)[:300]}")
            if name in ("a huge array", "half a UTF-16 pair", "long names", "a million brackets", "a million blocks"):
                continue  # they compile where the stack and the time suffice
            check(not answer["compiled"] and answer["diagnostics"], f"{name}: {str(answer)[:300]}")
        for name, body in {"deep lists": b'{"source": ' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}", "deep objects": b'{"a":' * 300_000 + b"1" + b"}" * 300_000,
                           "many keys": json.dumps({f"k{i}": i for i in range(100_000)}).encode(), "a surrogate": b'{"source": "\\ud800"}',
                           "a long number": b'{"source": ' + b"9" * 1_000_000 + b"}", "a NUL": b'{"source": "\0"}'}.items():
            equal(server.compile(body)[0], 400, name)
        equal(server.settled()["running"], 0, "compilers that still run")
        server.still_compiles("bombs")
        check(memory_mib(server.process.pid, "VmRSS") < 200, f"{memory_mib(server.process.pid, 'VmRSS')} MiB")


# --- Hostile connections


def survives_bad_http(bench):
    with Serve(bench, bench.page("http")) as server:
        token = server.browser().token
        head = f"POST /compile?token={token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
        for name, text in {
                "noise": os.urandom(4096), "no version": b"GET /\r\n\r\n", "a long line": b"GET /" + b"a" * 100_000, "a long header": b"GET / HTTP/1.1\r\nA: " + b"a" * 1_000_000,
                "many headers": b"GET / HTTP/1.1\r\n" + b"".join(b"A%d: b\r\n" % i for i in range(100_000)), "no host": b"GET / HTTP/1.1\r\n\r\n",
                "two lengths": head + b"Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}", "a negative length": head + b"Content-Length: -1\r\n\r\n{}",
                "a huge length": head + b"Content-Length: 99999999999999999999999\r\n\r\n{}", "a bad chunk": head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                "a huge chunk": head + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}", "both": head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
                "a NUL": b"GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n", "TLS": bytes.fromhex("160301020001000001fc0303") + os.urandom(500), "another method": b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
        }.items():
            with server.socket(3) as raw:
                try:
                    raw.sendall(text)
                    raw.shutdown(socket.SHUT_WR)
                    answer = b"".join(iter(lambda one=raw: one.recv(65536), b""))
                except OSError:  # it closed the connection
                    answer = b""
            check(answer == b"" or answer.startswith(b"HTTP/1.1 4") or answer.startswith(b"HTTP/1.1 5") or name in ("no version", "a NUL"), f"{name}: {answer[:200]}")
        before = memory_mib(server.process.pid, "VmRSS")
        for extra in ("Content-Length: 104857600", "Transfer-Encoding: chunked"):
            with server.socket(10) as raw:
                sent = 0
                try:
                    raw.sendall(head + extra.encode() + b"\r\n\r\n")
                    while sent < 100 << 20:
                        part = b"x" * (1 << 20)
                        raw.sendall(b"100000\r\n" + part + b"\r\n" if "chunked" in extra else part)
                        sent += len(part)
                except OSError:  # it closed the connection
                    pass
            check(sent < 64 << 20, f"{extra}: {sent} bytes were taken")
        check(memory_mib(server.process.pid, "VmRSS") < before + 50, "memory after large bodies")
        server.still_compiles("bad HTTP")


def ends_slow_connections(bench):
    with Serve(bench, bench.page("slow")) as server:
        token = server.browser().token

        def seconds_open(first, drop_s):
            with server.socket(60) as raw:
                raw.sendall(first)
                raw.settimeout(drop_s)
                began = time.monotonic()
                while time.monotonic() - began < 50:
                    try:
                        if not raw.recv(4096):
                            break
                    except TimeoutError:
                        try:
                            raw.sendall(b"a")
                        except ConnectionError:
                            break
                    except ConnectionError:
                        break
                return time.monotonic() - began
        post = f"POST /compile?token={token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n".encode()
        with ThreadPoolExecutor(40) as pool:
            silent = [pool.submit(seconds_open, text, 55) for text in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX: ", post)]
            dripping = [pool.submit(seconds_open, post, 0.5) for _ in range(20)]
            time.sleep(2)
            server.still_compiles("slow connections")
            for each in silent:
                check(each.result() < 25, f"a silent connection stays for {each.result():.0f} s")
            for each in dripping:
                check(15 < each.result() < 30, f"a body byte by byte is taken for {each.result():.0f} s")
        # One address holds 32 connections at most, whatever another does.
        greedy = new_address()
        held = [socket.create_connection((server.browser().host, server.browser().port), 5, (greedy, 0)) for _ in range(60)]
        time.sleep(0.5)
        check(server.status()["connections"] <= 40, server.status())
        server.still_compiles("many connections")
        for each in held:
            each.close()


def limits_each_address(bench):
    slow = "constexpr int f() { int s = 0; for (int i = 0; i < 2000000000; i++) for (int j = 0; j < 9; j++) s ^= i; return s; }\n__device__ int a[f() & 7];\n"
    with Serve(bench, "--workers", 1, "--rate", 60) as server:
        eager = server.browser().address
        with ThreadPoolExecutor(8) as pool:
            def ask(_):
                browser = Browser(server.link, eager)
                try:
                    return browser.compile(slow, standard="c++20")
                finally:
                    browser.close()
            answers = [pool.submit(ask, number) for number in range(6)]
            time.sleep(1)
            server.still_compiles("an eager address")  # behind one of its compilations, not behind all
            answers = [each.result() for each in answers]
        equal(sorted(status for status, _, _ in answers), [200, 200, 429, 429, 429, 429], "in flight")
        check(all(int(headers["Retry-After"]) >= 1 and "address" in answer["message"] for status, headers, answer in answers if status == 429), answers)
        browser = server.browser()
        statuses = [browser.compile(GOOD)[0] for _ in range(14)]
        check(statuses[:10] == [200] * 10 and 429 in statuses, statuses)
        browser.close()
        check(server.status()["refused"] >= 4, server.status())
    with Serve(bench, "--trust-proxy") as server:
        def through(forwarded):
            browser = Browser(server.link, "127.0.0.1")
            status, _, body = browser.ask("POST", f"/compile?token={browser.token}", json.dumps({"source": GOOD}),
                                          {"Content-Type": "application/json", "X-Forwarded-For": forwarded})
            browser.close()
            return status
        equal([through("10.0.0.7, 10.0.0.8") for _ in range(10)], [200] * 10, "one student")
        equal([through(text) for text in ("10.0.0.7, 10.0.0.8", "1.1.1.1, 10.0.0.8")], [429, 429], "the same student, who lies")
        equal([through(text) for text in ("10.0.0.8, 10.0.0.9", "2001:db8::1")], [200, 200], "others")
        equal({through("2001:db8::" + str(i)) for i in range(2, 14)}, {200, 429}, "addresses of one network")
        equal(through("nonsense"), 200, "no address: the proxy's own")
    check(any(" 10.0.0.8 " in line for line in server.log), server.log)


# --- A class, and the end


def serves_a_class(bench):
    with Serve(bench, bench.page("class")) as server:
        room = Classroom(server.link, 20, 2, 2.0, ("/", "/lanescope.js", "/course.tar.gz"), seed=time.time_ns() % 10**6).run()
        equal((room.lost, len(room.page_s), len(room.compile_s)), ([], 20, 40))
        check(memory_mib(server.process.pid, "VmHWM") < 150, "memory")


def ends_cleanly(bench):
    endless = "template <int n> struct A { static const int v = A<n + 1>::v + A<n + 2>::v; };\n" \
              "constexpr int f() { int s = 0; for (int i = 0; i < 2000000000; i++) for (int j = 0; j < 2000; j++) s ^= i; return s; }\n__device__ int a[f() & 7];\n"
    for name in (signal.SIGTERM, signal.SIGINT):
        with Serve(bench, "--workers", 1) as server, ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(server.compile, endless, standard="c++20") for _ in range(3)]
            until(server.children, "a compiler runs")
            began, children = time.monotonic(), server.children()
            equal(server.end(name), 0, "exit status")
            check(time.monotonic() - began < 5, f"{time.monotonic() - began:.1f} s")
            until(lambda: not any(Path(f"/proc/{child}").exists() for child in children), "no compiler is left")
            for each in asked:
                try:
                    equal(each.result()[0], 503, "a request that waits gets an answer")
                except (OSError, http.client.HTTPException):
                    pass


def until(true, what, limit_s=10):
    end = time.monotonic() + limit_s
    while not true():
        check(time.monotonic() < end, f"not within {limit_s} s: {what}")
        time.sleep(0.05)


CASES = (survives_bombs, ends_slow_connections, limits_each_address, serves_a_class, survives_bad_http, ends_cleanly, reads_no_file, serves_the_page,
         serves_no_other_file, needs_the_token, compiles_as_the_program_does)


class Bench:
    def __init__(self, options, folder):
        self.program = options.build.resolve() / "lanescope"
        self.folder = folder
        self.env = clean_environment(folder) | {"LANESCOPE_CACHE": str(folder / "cache")}
        self.secret = folder / "exam.h"
        self.secret.write_text(f"int {SECRET} = 1;\n#error {SECRET}\n")

    def page(self, name):
        """A folder as `lanescope web` writes one, with small files."""
        folder = self.folder / name
        (folder / "deep").mkdir(parents=True)
        for path, text in {"index.html": "<!doctype html><p>page", "lanescope.js": "let page;", "program.wasm": "\0asm", "course.tar.gz": "\x1f\x08 course",
                           "deep/index.html": "<p>deep"}.items():
            (folder / path).write_text(text)
        return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("cases", nargs="*", help="run only cases whose name contains one of these")
    options = parser.parse_args()
    report = Report()
    # A plain name: the cases put it into addresses and C strings.
    with tempfile.TemporaryDirectory(prefix="lanescope-serve-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        bench = Bench(options, Path(folder))
        chosen = [case for case in CASES if not options.cases or any(part in case.__name__ for part in options.cases)]
        with ThreadPoolExecutor(3) as pool:  # most of them wait for a limit of time
            ended = [(case.__name__, pool.submit(case, bench)) for case in chosen]
            for name, each in ended:
                if problem := each.exception():
                    report.failure(f"serve: {name}", f"{type(problem).__name__}: {problem}")
                else:
                    report.success(f"serve: {name}")
    report.finish()


main()
