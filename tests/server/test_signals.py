"""Signals and stops: the event loop goes on (H2O's own returns -1 for every interrupted wait)."""

import signal
import time
import unittest

import harness
from harness import review

POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\n"


class Signals(unittest.TestCase):
    def setUp(self):
        self.body = review("csa-image")
        self.policy = harness.temporary_directory() / "policy.yaml"
        self.policy.write_text(POLICY)

    def _serves_on(self, server, connection):
        harness.assert_verdict(self, connection.review(self.body), self.body)
        harness.assert_verdict(self, server.review(self.body), self.body)
        self.assertTrue(server.is_running())

    def test_stop_and_continue(self):
        """A debugger or a frozen container (SIGSTOP, SIGCONT) interrupts every wait; the server goes on."""
        with harness.Server() as server, server.connect() as kept:
            self._serves_on(server, kept)
            for _ in range(5):
                with server.frozen():
                    pass
                self._serves_on(server, kept)

    def test_a_burst_of_hangups(self):
        """Hundreds of SIGHUPs, with a policy file and without, end nothing and lose no request."""
        for policy in (self.policy, None):
            with self.subTest(policy=policy), harness.Server(policy=policy) as server, server.connect() as kept:
                for count in range(300):
                    server.signal(signal.SIGHUP)
                    if count % 10 == 0:
                        self._serves_on(server, kept)
                self._serves_on(server, kept)

    def test_signals_that_mean_nothing_here(self):
        """A resized terminal, a child, urgent data and a broken pipe are not for us."""
        with harness.Server() as server, server.connect() as kept:
            for number in (signal.SIGWINCH, signal.SIGCHLD, signal.SIGURG, signal.SIGPIPE, signal.SIGCONT):
                server.signal(number)
                self._serves_on(server, kept)

    def test_interrupt_stops_like_terminate(self):
        """Ctrl-C on a terminal drains as SIGTERM does."""
        server = harness.Server()
        server.signal(signal.SIGINT)
        server.wait()

    def test_a_second_signal_stops_at_once(self):
        """A user who presses Ctrl-C twice does not wait for the drain."""
        server = harness.Server("--drain-delay", "30s", "--grace-period", "60s", drain=True)
        with server.connect() as kept:
            kept.review(self.body)
            server.signal(signal.SIGTERM)
            server.wait_for_log("draining")
            began = time.monotonic()
            server.signal(signal.SIGTERM)
            server.wait(timeout=5)
            self.assertLess(time.monotonic() - began, harness.stretched(3))

    def test_a_drain_delay_that_does_not_fit_is_told(self):
        """Protects who asked for a longer one: the pod leaves earlier, and the log says so at the start, with the delay that
        the stop then keeps to."""
        message = "the drain delay does not fit into the grace period"
        server = harness.Server("--drain-delay", "30s", "--grace-period", "2s", drain=True)
        [line] = server.wait_for_log(message)
        self.assertEqual((30000, 2000), (line["delayMilliseconds"], line["graceMilliseconds"]))
        self.assertLess(line["shortenedToMilliseconds"], 2000)
        server.stop()
        [draining] = server.log("draining")
        self.assertEqual(line["shortenedToMilliseconds"], draining["delayMilliseconds"])
        fitting = harness.Server("--drain-delay", "1s", "--grace-period", "4s", drain=True)
        fitting.stop()
        self.assertEqual([], fitting.log(message))


if __name__ == "__main__":
    harness.main()
