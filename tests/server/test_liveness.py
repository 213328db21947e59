"""/healthz fails when a loop that serves is stuck, and only then."""

import contextlib
import ctypes
import pathlib
import signal
import threading
import time
import unittest

import harness
from harness import review

# From <sys/ptrace.h>.
PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000

# Looks of the server, a second apart, that find a loop where it was; and as many again for a busy machine.
STUCK_SECONDS = 10
STUCK, AGAIN = "a serving loop is stuck", "a serving loop runs again"
libc = ctypes.CDLL(None, use_errno=True)


def thread_named(server, name):
    """A sanitizer starts threads of its own, so neither their order nor their number identifies one."""
    for task in pathlib.Path(f"/proc/{server.pid}/task").iterdir():
        if (task / "comm").read_text().strip() == name:
            return int(task.name)
    raise AssertionError(f"no thread has the name {name}")


def ptrace(request, thread):
    if libc.ptrace(request, thread, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


@contextlib.contextmanager
def stopped(thread):
    """One thread of a child stands still, as if it were caught in an endless loop; the others go on."""
    ptrace(PTRACE_SEIZE, thread)
    ptrace(PTRACE_INTERRUPT, thread)
    libc.waitpid(thread, None, WALL)
    try:
        yield
    finally:
        ptrace(PTRACE_DETACH, thread)


def health(server):
    with server.connect_plain() as connection:
        answer = connection.get("/healthz")
    return answer.status, answer.body.decode().strip()


@harness.at_once
class Liveness(unittest.TestCase):
    def setUp(self):
        self.body = review("csa-image")

    def assert_alive_for(self, server, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.assertEqual(health(server), (200, "ok"))
            time.sleep(0.1)
        self.assertEqual(server.log(STUCK), [])

    def test_a_loop_that_is_stuck(self):
        """One of two loops does not serve any more: the kubelet gets the reason, and the log names the loop."""
        with harness.Server("--threads", "2") as server:
            try:
                standstill = stopped(thread_named(server, "loop-1"))
                with standstill:
                    began = time.monotonic()
                    self.assertEqual(health(server), (200, "ok"))
                    harness.wait_until(lambda: health(server)[0] == 503, 3 * STUCK_SECONDS, "/healthz failing")
                    self.assertGreater(time.monotonic() - began, STUCK_SECONDS - 2)
                    self.assertEqual(health(server)[1], "a serving loop has not run for ten seconds; see the log")
                    self.assertEqual([line["loop"] for line in server.wait_for_log(STUCK)], [1])
            except PermissionError:
                self.skipTest("the system does not let us stop a thread")
            harness.wait_until(lambda: health(server) == (200, "ok"), what="/healthz, when the loop turns again")
            self.assertEqual([line["loop"] for line in server.wait_for_log(AGAIN)], [1])
            harness.assert_verdict(self, server.review(self.body), self.body)

    def test_a_process_that_was_stopped(self):
        """A container that was frozen, or a machine that slept, is alive from its first answer on."""
        with harness.Server("--threads", "2") as server:
            with server.frozen():
                time.sleep(STUCK_SECONDS + 3)
            self.assert_alive_for(server, 3)

    def test_signals_without_end(self):
        """Constant reloads do not get the pod killed."""
        with harness.Server("--threads", "2") as server:
            for _ in range(100):
                server.signal(signal.SIGHUP)
                time.sleep(0.02)
            self.assert_alive_for(server, 2)

    def test_loops_that_never_rest(self):
        """Large reviews one behind the other, for longer than a stuck loop is given, are no standstill."""
        body = review("configmap-last-applied-222k")
        done = threading.Event()

        def load(server):
            with server.connect(timeout=60) as connection:
                while not done.is_set():
                    connection.send(harness.wire.post(body) * 20)
                    for _ in range(20):
                        connection.read()

        with harness.Server("--threads", "1") as server:
            clients = [threading.Thread(target=load, args=(server,)) for _ in range(4)]
            for client in clients:
                client.start()
            try:
                self.assert_alive_for(server, STUCK_SECONDS + 5)
            finally:
                done.set()
                for client in clients:
                    client.join()


if __name__ == "__main__":
    harness.main()
