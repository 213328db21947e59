"""A calendar that is set while the server runs: forwards, backwards, again and again. Limits go by another clock.

TLS and certificates go by the calendar, as they must (tests/server/test_certificates.py); nothing else may.
"""

import threading
import time
import unittest

import faults
import harness
import wire
from harness import review

HOUR, YEAR = 3600, 365 * 86400
STEPS = (1, -1, HOUR + 60, -2 * HOUR, YEAR, -YEAR, -40 * YEAR, 0)
BODY = review("csa-image")
# More than a connection's share of an iteration, so that requests wait for the next one.
PIPELINED = 100


class Clock(unittest.TestCase):
    def setUp(self):
        self.faults = faults.Faults()
        self.addCleanup(self.faults.close)

    def serve(self, *flags):
        server = harness.Server(*flags, environment=self.faults.environment())
        self.addCleanup(lambda: server.is_running() and server.kill())
        return server

    def test_connections_stay(self):
        """Protects the API server's connections: none is cut because the calendar moved, and each is served at once."""
        server = self.serve("--threads", "1")
        with server.connect() as idle, server.connect() as sending:
            harness.assert_verdict(self, idle.review(BODY), BODY)
            whole = wire.post(BODY)
            for step in STEPS:
                with self.subTest(step):
                    sending.send(whole[:1000])
                    self.faults.set_clock(step)
                    time.sleep(0.1)
                    sending.send(whole[1000:])
                    harness.assert_verdict(self, sending.read(), BODY)
                    harness.assert_verdict(self, idle.review(BODY), BODY)
                    harness.assert_verdict(self, server.review(BODY), BODY)
                    self.assertEqual(server.probe("/healthz"), 200)
        server.stop()

    def test_requests_under_way(self):
        """Protects who waits for an answer while the calendar is set back: it comes at once, not when the hour is over."""
        server = self.serve("--threads", "1")
        done = threading.Event()
        clock = threading.Thread(target=self._set_back, args=(done,))
        clock.start()
        try:
            for _ in range(20):
                with server.connect() as connection:
                    connection.send(wire.post(BODY) * PIPELINED)
                    for _ in range(PIPELINED):
                        harness.assert_verdict(self, connection.read(), BODY)
        finally:
            done.set()
            clock.join()
        server.stop()

    def _set_back(self, done):
        """By one second more, again and again."""
        ahead = 0
        while not done.wait(0.002):
            ahead -= 1
            self.faults.set_clock(ahead)

    def test_a_stop(self):
        """Protects the grace period: a drain takes as long as its flag says, even if the calendar changes meanwhile."""
        for step in (YEAR, -YEAR):
            server = self.serve("--drain-delay", "1s")
            with server.connect() as idle:
                harness.assert_verdict(self, idle.review(BODY), BODY)
                server.process.terminate()
                server.wait_for_log("draining")
                self.faults.set_clock(step)
                harness.assert_verdict(self, idle.review(BODY), BODY)
            server.wait(timeout=15)
            self.faults.set_clock(0)


if __name__ == "__main__":
    harness.main()
