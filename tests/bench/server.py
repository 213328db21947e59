"""A server that is measured, from its start to its end."""
import http.client
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import time

TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Measured:
    """The memory of a process, which is in `process`."""

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def _status_mib(self, field):
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field + ":"))

    def resident_mib(self):
        return self._status_mib("VmRSS")

    def anonymous_mib(self):
        """Memory without a file behind it, so that no other process shares it."""
        return self._status_mib("RssAnon")

    def reset_peak(self):
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def peak_mib(self):
        return self._status_mib("VmHWM")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Server(Measured):
    """A server that listens."""

    def __init__(self, name, command, port):
        self.name, self.port = name, port
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait()

    def wait(self):
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        sys.exit(f"bench: {self.name} does not listen")

    def check(self, body):
        """A server that does not do its work must not be measured."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=ssl._create_unverified_context())
        connection.request("POST", "/validate?timeout=10s", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        response = json.loads(answer.read())["response"] if answer.status == 200 else {}
        connection.close()
        asked = json.loads(body)["request"]["uid"]
        if not response.get("allowed") or not self.name.startswith("bare") and response["uid"] != asked:
            sys.exit(f"bench: {self.name} answers {answer.status} {response}")
