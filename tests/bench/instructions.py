"""Where a review's way goes, of applyguard and of the bare server: in instructions, which no busy machine disturbs.

Both run in valgrind's callgrind, so this is what the process itself does; what the kernel does for it is the same for
both, as they make the same system calls. Misses are counted for an instruction cache of 32 KiB: most of this code runs once for
a review.
"""
import collections
import re
import subprocess
import threading
import time

import wrk
from server import Server

CONNECTIONS = 4
# Handshakes come first, and are not to be counted.
WARM_SECONDS, COUNTED_SECONDS, REST_SECONDS = 4, 5, 3
EVENTS = ("Ir", "I1mr")


class Counts:
    """callgrind's counts: of each function how often it was called, and what it took with all it called."""

    def __init__(self, text):
        self.calls = collections.Counter()
        self.taken = collections.defaultdict(collections.Counter)
        names, callee = {}, None
        lines = iter(text.splitlines())
        for line in lines:
            if line.startswith("events:"):
                self.columns = [line.split()[1:].index(event) for event in EVENTS]
            elif line.startswith(("cfn=", "fn=")):
                number, name = re.fullmatch(r"c?fn=(\(\d+\)) ?(.*)", line).groups()
                callee = names.setdefault(number, name)
            elif line.startswith("calls="):
                self.calls[callee] += int(line[6:].split()[0])
                self._take(callee, next(lines))

    def _take(self, callee, line):
        values = line.split()[1:]
        for event, column in zip(EVENTS, self.columns):
            self.taken[callee][event] += int(values[column]) if column < len(values) else 0

    def of(self, function):
        """For each review, by event."""
        reviews = self.calls["on_request"]
        return {event: self.taken[function][event] / reviews for event in EVENTS}


def control(server, state):
    subprocess.run(["callgrind_control", "-i", state, str(server.process.pid)], check=True, capture_output=True)


def under_load(server, file):
    """Counts without the beginning and the end."""
    seconds = WARM_SECONDS + COUNTED_SECONDS + REST_SECONDS
    load = threading.Thread(target=wrk.post, args=(server.port, [file], seconds, CONNECTIONS))
    load.start()
    time.sleep(WARM_SECONDS)
    control(server, "on")
    time.sleep(COUNTED_SECONDS)
    control(server, "off")
    load.join()


def count(name, command, port, folder, file):
    """The command is of one loop, which listens at the port."""
    out = folder / f"callgrind.{name}"
    server = Server(name, [
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--instr-atstart=no", "--cache-sim=yes",
        "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64", *command], port)
    try:
        under_load(server, file)
    finally:
        server.stop()
    return Counts(out.read_text())


def parts(counts):
    """The instructions of a review, by part, with the sum last."""
    # applyguard's stages come due after all requests are there (on_due) and send with send_answer; the bare server
    # does all in on_request.
    answer = add(counts.of("on_request"), counts.of("on_due"))
    judging, parsing, encoding = (counts.of(name) for name in ("judge", "yyjson_read_opts", "encode_response"))
    sending = counts.of("send_answer" if counts.calls["send_answer"] else "h2o_send")
    reading, all_of_it = counts.of("SSL_read"), counts.of("h2o_evloop_run")
    judging_alone = subtract(judging, parsing) if counts.calls["judge"] else judging
    return {
        "reading TLS": reading,
        "parsing JSON": parsing,
        "judging": judging_alone,
        "encoding": encoding,
        "sending, TLS": sending,
        "H2O otherwise": subtract(all_of_it, answer, reading),
        "the webhook otherwise": subtract(answer, parsing, judging_alone, encoding, sending),
        "all": all_of_it,
    }


def add(*parts_of_it):
    return {event: sum(part[event] for part in parts_of_it) for event in EVENTS}


def subtract(whole, *others):
    return {event: whole[event] - sum(other[event] for other in others) for event in EVENTS}


def table(ours, bare):
    """Both as parts() gives them."""
    lines = [f"{'of an 8 KB review':<24}{'instructions':>14}{'':>14}{'cache misses':>14}{'':>14}",
             f"{'':<24}" + f"{'applyguard':>14}{'bare':>14}" * 2]
    for part in ours:
        lines.append(f"{part:<24}" + "".join(f"{side[part][event]:>14.0f}" for event in EVENTS for side in (ours, bare)))
    return "\n".join(lines) + "\n"
