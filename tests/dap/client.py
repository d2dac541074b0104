"""A small client of the Debug Adapter Protocol: requests, responses and events over a process's streams."""

import json
import queue
import subprocess
import threading


class Failed(Exception):
    """A request whose response says that it failed."""


class Client:
    def __init__(self, command, env=None, seconds=20, record=None):
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seconds = seconds
        self.number = 0
        self.messages = []  # all that have arrived
        self.sent = []
        self.record = record
        self.waiting = []  # arrived, not yet asked for
        self.arrived = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name == b"Content-Length":
                    length = int(value)
            if length is None:
                return self.arrived.put(None)
            self.arrived.put(json.loads(stream.read(length)))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _next(self, wanted):
        for message in self.waiting:
            if wanted(message):
                self.waiting.remove(message)
                return message
        while True:
            message = self.arrived.get(timeout=self.seconds)
            if message is None:
                raise EOFError("the adapter has ended")
            self.messages.append(message)
            if self.record:
                self.record(message)
            if wanted(message):
                return message
            self.waiting.append(message)

    def send(self, command, **arguments):
        self.number += 1
        message = {"seq": self.number, "type": "request", "command": command, "arguments": arguments}
        self.sent.append(message)
        if self.record:
            self.record(message)
        data = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        return self.number

    def answer(self, number):
        response = self._next(lambda m: m["type"] == "response" and m["request_seq"] == number)
        if not response["success"]:
            raise Failed(response["message"])
        return response["body"]

    def ask(self, command, **arguments):
        return self.answer(self.send(command, **arguments))

    def event(self, name):
        return self._next(lambda m: m["type"] == "event" and m["event"] == name)["body"]

    def events(self, name):
        """Those that have arrived."""
        return [m["body"] for m in self.messages if m["type"] == "event" and m["event"] == name]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(self.seconds)
