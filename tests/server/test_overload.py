"""Four times as many reviews as can be judged: who is served is served in time, and a moment later all is as before.

A server that is slowed down can be overloaded by clients that are not faster than it. So it is stopped for most of each
fiftieth of a second, as a container is that has used up its share of the processor.
"""

import statistics
import threading
import time
import unittest

import harness
import wire
from harness import review

CONNECTIONS = 256

# As many as the API server keeps; the others it closes when they become idle.
IDLE_MAX = 25
RUN_SECONDS, STOP_SECONDS = 0.002, 0.018
MEASURE_SECONDS = 3
OVERLOAD_SECONDS = 8

# The API server's own default for how long it waits for a webhook; and where the machine is too slow for that, how many
# times as long as the others one may wait.
TIMEOUT = 10
UNFAIR = 4

# The memory that the process may keep at the end, in addition to its memory before.
KEPT = 24 << 20

LARGE = "v1beta1"  # 250 KB


class SlowedDown:
    """While it lasts the server runs a tenth of the time."""

    def __init__(self, server):
        self.server = server
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._alternate)

    def _alternate(self):
        while not self.done.wait(RUN_SECONDS):
            with self.server.frozen():
                time.sleep(STOP_SECONDS)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()


class Pool:
    """Connections as the API server keeps them: one that is idle, or else a new one."""

    def __init__(self, server):
        self.server = server
        self.idle = []

    def review(self, request):
        """The status, and how long it took."""
        began = time.monotonic()
        try:
            connection = self.idle.pop()
        except IndexError:
            connection = self.server.connect(timeout=60)
        response = connection.exchange(request)
        if response.closes or len(self.idle) >= IDLE_MAX:
            connection.close()
        else:
            self.idle.append(connection)
        return response.status, time.monotonic() - began

    def close(self):
        for connection in self.idle:
            connection.close()


def capacity(server, pool, request):
    """How many reviews a second can be judged, and how many in a second of the server's processor time."""
    used = server.cpu_seconds()
    deadline = time.monotonic() + MEASURE_SECONDS

    def send():
        count = 0
        while time.monotonic() < deadline:
            pool.review(request)
            count += 1
        return count

    count = sum(harness.in_parallel([send] * 8))
    return count / MEASURE_SECONDS, count / max(server.cpu_seconds() - used, 0.01)


def overload(pool, request, rate):
    """Calls that begin at this rate, even if earlier ones are not answered; what each comes to."""
    began = time.monotonic()
    starts = iter([began + index / rate for index in range(int(rate * OVERLOAD_SECONDS))])
    lock = threading.Lock()
    results = []

    def send():
        while True:
            with lock:
                start = next(starts, None)
            if start is None or time.monotonic() > began + OVERLOAD_SECONDS:
                return
            time.sleep(max(0, start - time.monotonic()))
            results.append(pool.review(request))

    harness.in_parallel([send] * CONNECTIONS)
    return results


class Overload(unittest.TestCase):
    def test_four_times_over_capacity(self):
        """Latency is bounded by how many connections there can be, memory by its limit, and neither stays up."""
        request, small = wire.post(review(LARGE)), review("csa-image")
        flags = ("--threads", "1", "--max-connections", str(CONNECTIONS), "--memory-limit", "192Mi")
        with harness.Server(*flags) as server:
            pool = Pool(server)
            server.review(review(LARGE))
            resident, sockets = server.resident_bytes(), server.connections()
            with SlowedDown(server):
                rate, rate_by_cpu = capacity(server, pool, request)
                used = server.cpu_seconds()
                results = overload(pool, request, 4 * rate)
            used, ended = server.cpu_seconds() - used, time.monotonic()
            self.assertEqual(server.review(small).status, 200)
            self.assertEqual(server.review(review(LARGE)).status, 200)
            recovery = time.monotonic() - ended
            pool.close()
            took = sorted(seconds for status, seconds in results if status == 200)
            self.assertLessEqual({status for status, _ in results}, {200, 503})
            self.assertGreater(len(took), rate_by_cpu * used / 4, "what can be judged is judged, or much of it")
            self.assertLess(took[-1], max(harness.stretched(TIMEOUT), UNFAIR * statistics.mean(took)))
            self.assertLess(recovery, harness.stretched(TIMEOUT))
            harness.wait_until(lambda: server.connections() <= sockets, what="sockets closed")
            if not harness.Program.is_sanitized:
                harness.wait_until(lambda: server.resident_bytes() < resident + KEPT, what="memory given back")


if __name__ == "__main__":
    harness.main()
