"""SIGTERM: not ready at once, serving on, asking clients to leave, and gone in time, with no request lost."""

import random
import signal
import ssl
import threading
import time
import unittest

import harness
import wire
from harness import review

DELAY = 2
GRACE = 8
FLAGS = ("--drain-delay", f"{DELAY}s", "--grace-period", f"{GRACE}s")

# The time that a test allows in addition to a promised one, on a busy machine. How the time is shared out is tested without a
# clock (tests/unit/webhook/server/test_webhook_drain.c).
SLACK = 3.0


class Shutdown:
    """A server that got SIGTERM, and the time since then."""

    def __init__(self, server):
        self.server = server
        self.began = time.monotonic()
        server.signal(signal.SIGTERM)

    def elapsed(self):
        return time.monotonic() - self.began

    def sleep_until(self, seconds):
        time.sleep(max(0, seconds - self.elapsed()))

    def wait_for_exit(self):
        """The seconds until it had stopped, by its own clock: sanitizers and a busy machine may end the process later."""
        self.server.wait(timeout=30)
        return self.server.log("stopped")[-1]["afterMilliseconds"] / 1000


@harness.at_once
class Drain(unittest.TestCase):
    """A server for each."""

    def setUp(self):
        self.server = harness.Server(*FLAGS, drain=True)
        self.addCleanup(lambda: self.server.is_running() and self.server.kill())
        self.body = review("csa-image")

    def _connect(self, **options):
        connection = self.server.connect(**options)
        self.addCleanup(connection.close)
        return connection

    def _try_to_connect(self):
        """A connection, or None."""
        try:
            return self._connect()
        except (ConnectionError, ssl.SSLError):
            return None

    def _verdict(self, connection):
        response = connection.review(self.body)
        harness.assert_verdict(self, response, self.body)
        return response

    def test_stages(self):
        """Not ready at once; reviews as before during --drain-delay; then Connection: close, and the end."""
        kept, left, plain = self._connect(), self._connect(), self.server.connect_plain()
        self.addCleanup(plain.close)
        for connection in (kept, left):
            self._verdict(connection)
        shutdown = Shutdown(self.server)
        harness.wait_until(lambda: self.server.probe("/readyz") == 503, DELAY, "/readyz 503 on the second listener")
        self.assertEqual(self.server.probe("/readyz", tls=True), 503)
        self.assertEqual(plain.get("/readyz").status, 503)
        self.assertEqual(self.server.probe("/healthz"), 200, "a process that drains is alive")

        served = 0
        while not self._verdict(kept).closes:
            served += 1
            if new := self._try_to_connect():
                self._verdict(new)
                new.close()
            else:
                self.assertGreaterEqual(shutdown.elapsed(), DELAY, "nor is a new one refused")
            time.sleep(0.05)
        self.assertGreaterEqual(shutdown.elapsed(), DELAY, "no client is asked to leave before the API servers look elsewhere")
        self.assertGreater(served, 0)
        self.assertTrue(kept.has_ended(30))
        harness.wait_until(lambda: self._try_to_connect() is None, 1, "no new connections")
        self.assertEqual(plain.get("/readyz").status, 503, "probes are answered to the end")
        self.assertTrue(left.is_readable(4 * GRACE), "idle connections are cut at the end")
        self.assertEqual(left.socket.recv(1), b"", "and the cut is an end, not a reset")
        self.assertLess(shutdown.wait_for_exit(), GRACE)

    def test_an_idle_connection_is_reported_first(self):
        """A connection that was idle all the while gets an answer with Connection: close, not a cut (outage 8)."""
        idle = self._connect()
        self._verdict(idle)
        shutdown = Shutdown(self.server)
        shutdown.sleep_until(DELAY + 0.5)
        self.assertFalse(idle.is_readable())
        self.assertTrue(self._verdict(idle).closes)
        self.assertTrue(idle.has_ended(30))
        self.assertLess(shutdown.wait_for_exit(), harness.stretched(DELAY + 0.5 + SLACK))

    def test_requests_under_way(self):
        """A body that is half sent at any stage is read to its end and answered."""
        whole = wire.post(self.body)
        during, after = self._connect(), self._connect()
        for connection in (during, after):
            connection.send(whole[:3000])
        shutdown = Shutdown(self.server)
        shutdown.sleep_until(DELAY / 2)
        harness.assert_verdict(self, during.exchange(whole[3000:]), self.body)
        shutdown.sleep_until(DELAY + 2.5)  # Idle connections have been cut by now.
        self.assertTrue(self.server.is_running())
        harness.assert_verdict(self, after.exchange(whole[3000:]), self.body)
        self.assertLess(shutdown.wait_for_exit(), harness.stretched(DELAY + 2.5 + SLACK))

    def test_too_late(self):
        """A review that comes in just before the end is sent elsewhere: 503, Retry-After, Connection: close."""
        whole = wire.post(self.body)
        late = self._connect()
        late.send(whole[:3000])
        shutdown = Shutdown(self.server)
        shutdown.sleep_until(GRACE - 1.2)
        response = late.exchange(whole[3000:])
        harness.assert_sentence(self, response, 503)
        self.assertEqual(response.headers["retry-after"], "1")
        self.assertTrue(response.closes)
        self.assertLess(shutdown.wait_for_exit(), GRACE)

    def test_clients_that_never_finish(self):
        """Half a request, half a handshake and a client that never reads do not hold the exit up."""
        whole = wire.post(self.body)
        self._connect().send(whole[:3000])
        self._connect().send(whole[:30])
        self._connect(handshake=False)
        deaf = self._connect(receive_buffer=4096)
        deaf.socket.settimeout(0.5)
        try:
            while True:
                deaf.send(wire.post(self.body) * 20)
        except (TimeoutError, OSError):
            pass
        shutdown = Shutdown(self.server)
        elapsed = shutdown.wait_for_exit()
        self.assertGreater(elapsed, DELAY)
        self.assertLess(elapsed, harness.stretched(GRACE + SLACK), "later, and the kubelet kills")

    def test_without_clients(self):
        """With no connection at all it stays for the delay, because new ones may come, and not longer."""
        elapsed = Shutdown(self.server).wait_for_exit()
        self.assertGreaterEqual(elapsed, DELAY)
        self.assertLess(elapsed, harness.stretched(DELAY + SLACK))

    def test_pipelined_requests(self):
        """Pipelined reviews that are with the server when it begins to close: those answered are answered whole."""
        connection = self._connect(timeout=20)
        shutdown = Shutdown(self.server)
        shutdown.sleep_until(DELAY + 0.3)
        connection.send(wire.post(self.body) * 3)
        self.assertTrue(self._read(connection).closes)
        self.assertEqual(connection.read_to_end(), b"")
        shutdown.wait_for_exit()

    def _read(self, connection):
        response = connection.read()
        harness.assert_verdict(self, response, self.body)
        return response


@harness.at_once
class Times(unittest.TestCase):
    def test_no_delay(self):
        """--drain-delay 0 with an idle connection takes the two seconds that it has to leave."""
        with harness.Server() as server, server.connect() as connection:
            self.assertEqual(connection.review(review("delete")).status, 200)
            self.assertLess(Shutdown(server).wait_for_exit(), 2 + SLACK)

    def test_a_delay_longer_than_the_grace(self):
        """A delay that leaves no time is shortened: the exit is in time, with any flags."""
        server = harness.Server("--drain-delay", "60s", "--grace-period", "3s", drain=True)
        with server.connect() as connection:
            self.assertEqual(connection.review(review("delete")).status, 200)
            self.assertLess(Shutdown(server).wait_for_exit(), 3 + SLACK)


    def test_connections_in_the_queue(self):
        """Clients in the listener's queue are served when SIGTERM comes, not reset."""
        body = review("csa-image")
        server = harness.Server()
        with server.frozen():
            waiting = [server.connect(handshake=False) for _ in range(20)]
            shutdown = Shutdown(server)
        for connection in waiting:
            connection.socket.do_handshake()
            harness.assert_verdict(self, connection.review(body), body)
            connection.close()
        self.assertLess(shutdown.wait_for_exit(), 2 + SLACK)


class Endpoints:
    """Where new connections go: to the first server, and to the second once it is known that the first is not ready.

    That takes a while in a cluster (the kubelet's probe, the endpoints controller, kube-proxy), in which clients go on
    connecting to the first; a refused connection goes to the second.
    """

    PROPAGATION = 0.7

    def __init__(self, first, second):
        self.first, self.second = first, second
        self.refused = 0
        self.not_ready_since = None

    def watch(self, done):
        while not done.wait(0.05):
            if self.not_ready_since is None and self.first.probe("/readyz") != 200:
                self.not_ready_since = time.monotonic()

    def connect(self):
        since = self.not_ready_since
        if since is None or time.monotonic() - since < self.PROPAGATION:
            try:
                return self.first, self.first.connect()
            except ConnectionRefusedError:
                self.refused += 1
        return self.second, self.second.connect()


class GoClient(threading.Thread):
    """A client that keeps connections as Go's net/http does.

    It drops a kept connection that has ended by the time it is wanted, leaves at Connection: close, obeys Retry-After as the
    API server does, and sends a POST once: what fails on the wire has failed.
    """

    def __init__(self, endpoints, bodies, pause, done):
        super().__init__()
        self.endpoints, self.bodies, self.pause, self.done = endpoints, bodies, pause, done
        self.random = random.Random(id(self))
        self.connection = None
        self.failures = []
        self.served_by = []
        self.retries = 0

    def run(self):
        count = 0
        while not self.done.is_set():
            body = self.bodies[count % len(self.bodies)]
            count += 1
            try:
                self._review(body)
            except Exception as problem:  # Any is a failed admission call.
                self.failures.append(f"request {count} after {self.served_by[-3:]}: {problem!r}")
                self._drop()
            time.sleep(self.random.uniform(0, self.pause))
        self._drop()

    def _review(self, body):
        for _ in range(10):
            if self.connection and self.connection.is_readable():
                self._drop()
            if not self.connection:
                self.server, self.connection = self.endpoints.connect()
            response = self.connection.review(body)
            if response.closes:
                self._drop()
            if response.status == 200:
                self.served_by.append(self.server)
                return
            if response.status != 503 or "retry-after" not in response.headers:
                raise AssertionError(response)
            self.retries += 1
            time.sleep(0.2)
        raise AssertionError("503 ten times")

    def _drop(self):
        if self.connection:
            self.connection.close()
            self.connection = None


class RollingUpdate(unittest.TestCase):
    def test_no_request_fails(self):
        """Clients that post all the while see no failed call as one instance replaces another (outages 7, 9)."""
        first = harness.Server(*FLAGS, drain=True)
        self.addCleanup(lambda: first.is_running() and first.kill())
        with harness.Server() as second:
            endpoints = Endpoints(first, second)
            done = threading.Event()
            small = [review(story) for story in ("csa-image", "edit-ssa", "delete", "ssa-shared")]
            large = [review("configmap-last-applied-222k")]
            clients = [GoClient(endpoints, small, pause, done) for pause in (0, 0, 0.01, 0.01, 0.1, 0.1, 0.5, 1.5)]
            clients += [GoClient(endpoints, large, pause, done) for pause in (0.01, 0.2)]
            watcher = threading.Thread(target=endpoints.watch, args=(done,))
            for thread in [watcher, *clients]:
                thread.start()
            try:
                time.sleep(1)
                shutdown = Shutdown(first)
                elapsed = shutdown.wait_for_exit()
                harness.wait_until(
                    lambda: all(client.served_by[-1] is second for client in clients), what="all served by the second")
            finally:
                done.set()
                for thread in [watcher, *clients]:
                    thread.join()
        self.assertEqual([failure for client in clients for failure in client.failures], [])
        self.assertLess(elapsed, harness.stretched(DELAY + 2 + SLACK))
        for client in clients:
            self.assertIs(client.served_by[0], first)
            self.assertIs(client.served_by[-1], second)
        self.assertEqual(endpoints.refused, 0, "nobody was still sent to the first when it stopped listening")


if __name__ == "__main__":
    harness.main()
