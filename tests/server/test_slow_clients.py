"""Clients that are too slow are cut, clients that are only slow are served, and others do not wait.

All of them run at once against one server, so the file takes as long as the slowest limit; the tests then read what
became of each.
"""

import os
import socket
import ssl
import threading
import time
import unittest

import harness
import wire
from harness import review

# The limits are 10 s and are looked at every second; the rest is for a busy machine.
CUT_WITHIN = 20
GIVE_UP_AFTER = 28
TRICKLE_INTERVAL = 0.2

# A little more than the time from one look of the sweeper to the next.
SWEEP_SECONDS = 1.5

# The API server's client drops an idle connection after 90 s; until then it may use it at any time.
CLIENT_IDLE_SECONDS = 91
SERVER_IDLE_SECONDS = 120
LONG_IDLE_VARIABLE = "APPLYGUARD_TEST_LONG_IDLE"

HEAD = b"POST /validate?timeout=10s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def seconds_until_cut(server, connection, do_something=lambda: None, began=None):
    """Acts from time to time until the server lets go of the connection; None if it does not."""
    began = began or time.monotonic()
    while time.monotonic() - began < GIVE_UP_AFTER:
        if not server.holds(connection):
            return time.monotonic() - began
        try:
            do_something()
        except (OSError, ssl.SSLError):
            pass
        time.sleep(TRICKLE_INTERVAL)
    return None


def trickle(server, first, pieces, tls=True):
    """Sends `first`, then one of `pieces` at a time, and reads nothing."""
    pieces = iter(pieces)
    with server.connect() if tls else server.connect(context=None) as connection:
        began = time.monotonic()
        connection.send(first)
        harness.wait_until(lambda: server.holds(connection), what="accepted")
        return seconds_until_cut(server, connection, lambda: connection.send(next(pieces, b"")), began)


def bytes_of(data):
    return (data[index:index + 1] for index in range(len(data)))


def forever(piece):
    while True:
        yield piece


def slow_second_request(server):
    """A connection that was quick at first has no better right to be slow."""
    with server.connect() as connection:
        connection.review(review("delete"))
        connection.send(HEAD)
        return seconds_until_cut(server, connection)


def reads_nothing(server, body, drip=0):
    """Pipelines until nothing more goes through, and reads nothing, or a few bytes now and then."""
    with server.connect(receive_buffer=4096, timeout=60) as connection:
        requests = wire.post(body) * 20
        connection.socket.settimeout(1)
        try:
            while True:
                connection.send(requests)
        except (TimeoutError, ssl.SSLError, OSError):
            pass
        connection.socket.settimeout(0.05)
        return seconds_until_cut(server, connection, lambda: drip and connection.socket.read(drip))


def too_slow_clients(server):
    """Connections that must be cut, by name."""
    hello = wire.client_hello()
    body = review("csa-image")
    whole = wire.post(body)
    head_end = whole.index(b"\r\n\r\n") + 4
    return {
        "says nothing": lambda: trickle(server, b"", (), tls=False),
        "handshakes in single bytes": lambda: trickle(server, hello[:1], bytes_of(hello[1:]), tls=False),
        "stops in its ClientHello": lambda: trickle(server, hello[:100], (), tls=False),
        "stops in the middle of the handshake": lambda: trickle(server, hello, (), tls=False),
        "stops in the request line": lambda: trickle(server, b"P", ()),
        "stops in the headers": lambda: trickle(server, HEAD, ()),
        "sends headers in single bytes": lambda: trickle(server, HEAD, bytes_of(b"X-A: " + b"a" * 1000)),
        "sends headers without end": lambda: trickle(server, HEAD, forever(b"A: b\r\n")),
        "sends empty lines": lambda: trickle(server, b"", forever(b"\r\n")),
        "stops before the body": lambda: trickle(server, whole[:head_end], ()),
        "stops in the middle of the body": lambda: trickle(server, whole[:len(whole) // 2], ()),
        "sends the body in single bytes": lambda: trickle(server, whole[:head_end], bytes_of(whole[head_end:])),
        "sends an endless chunk extension": lambda: trickle(server, CHUNKED + b"5;", forever(b"a" * 200)),
        "sends endless trailers": lambda: trickle(server, CHUNKED + b"2\r\n{}\r\n0\r\n", forever(b"A: b\r\n" * 10)),
        "sends empty chunks slowly": lambda: trickle(server, CHUNKED, forever(b"1\r\n \r\n")),
        "is slow in its second request": lambda: slow_second_request(server),
        "never reads": lambda: reads_nothing(server, review("edit-ssa")),
        "never reads small answers": lambda: reads_nothing(server, b"{"),
        "reads a few bytes at a time": lambda: reads_nothing(server, review("edit-ssa"), drip=16),
        "reads slowly": lambda: reads_nothing(server, review("edit-ssa"), drip=1024),
    }


def hesitates(server):
    """Pauses of seconds in handshake, headers and body, each within the limits."""
    body = review("csa-image")
    whole = wire.post(body)
    with server.connect(handshake=False) as connection:
        time.sleep(4)
        connection.socket.do_handshake()
        for piece in (whole[:50], whole[50:120], whole[120:3000]):
            connection.send(piece)
            time.sleep(3)
        return connection.exchange(whole[3000:]).status


def idles(server, seconds, use_before):
    """A connection that waits without a request, and then is used."""
    body = review("csa-image")
    with server.connect() as connection:
        if use_before:
            connection.review(body)
        time.sleep(seconds)
        return connection.review(body).status


def frozen():
    """The server is stopped, as a container is frozen, in the middle of requests, longer than all limits."""
    body = review("csa-image")
    whole = wire.post(body)
    with harness.Server() as server, server.connect() as in_body, server.connect() as idle:
        idle.review(body)
        in_body.send(whole[:3000])
        time.sleep(SWEEP_SECONDS)  # The sweeper has seen the half body before the stop, and looks again after it.
        with server.frozen():
            time.sleep(12)
        time.sleep(SWEEP_SECONDS)
        statuses = [in_body.exchange(whole[3000:]).status, idle.review(body).status, server.review(body).status]
    return statuses


class Neighbour(threading.Thread):
    """A client that behaves, all the while: how long its slowest answer took."""

    def __init__(self, server):
        super().__init__()
        self.server = server
        self.done = threading.Event()
        self.slowest = 0
        self.statuses = set()
        self.count = 0

    def run(self):
        body = review("csa-image")
        with self.server.connect() as connection:
            while not self.done.wait(0.05):
                began = time.monotonic()
                self.statuses |= {connection.review(body).status, self.server.probe("/readyz")}
                self.slowest = max(self.slowest, time.monotonic() - began)
                self.count += 1


class SlowClients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = harness.Server()
        cls.before = cls.server.connections()
        cls.neighbour = Neighbour(cls.server)
        cls.neighbour.start()
        server = cls.server
        clients = {
            **too_slow_clients(server), "hesitates": lambda: hesitates(server),
            "idles": lambda: idles(server, 12, use_before=True), "idles from the start": lambda: idles(server, 12, False),
            "frozen": frozen}
        cls.results = {}

        def note(name, client):
            try:
                cls.results[name] = client()
            except Exception as problem:  # Each test looks at its own.
                cls.results[name] = problem

        harness.in_parallel([lambda name=name, client=client: note(name, client) for name, client in clients.items()])
        cls.too_slow = set(too_slow_clients(server))
        cls.neighbour.done.set()
        cls.neighbour.join()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_too_slow_clients_are_cut(self):
        """Slow handshakes, headers, bodies and readers hold a connection for seconds, not for ever."""
        self.assertGreater(len(self.too_slow), 15)
        for name in sorted(self.too_slow):
            with self.subTest(name):
                self.assertIsInstance(self.results[name], float, f"a client that {name} is not cut: {self.results[name]}")
                self.assertLess(self.results[name], CUT_WITHIN)

    def test_nothing_of_them_stays(self):
        """Each cut gives its socket back."""
        harness.wait_until(lambda: self.server.connections() <= self.before, what="sockets closed")

    def test_a_hesitant_client_is_served(self):
        """Pauses within the limits do no harm: a loaded API server sends in bursts."""
        self.assertEqual(self.results["hesitates"], 200)

    def test_an_idle_connection_still_answers(self):
        """More than 10 s idle, and the next review is served: H2O's own limit would have closed it (outage 10)."""
        self.assertEqual(self.results["idles"], 200)
        self.assertEqual(self.results["idles from the start"], 200)

    def test_a_frozen_server_does_not_blame_its_clients(self):
        """After the process was stopped for longer than the limits, requests under way are still answered."""
        self.assertEqual(self.results["frozen"], [200, 200, 200])

    def test_neighbours_are_served_meanwhile(self):
        """No slow client makes another one wait."""
        self.assertEqual(self.neighbour.statuses, {200})
        self.assertGreater(self.neighbour.count, 50)
        # A client that waited for a slow one would wait until that is cut, for 10 s.
        self.assertLess(self.neighbour.slowest, 8)

    def test_the_log_is_not_flooded(self):
        """Cut connections are summed up, not logged one by one."""
        lines = self.server.log("slow connections cut")
        self.assertTrue(lines)
        self.assertLess(len(lines), 5)
        for line in lines:
            self.assertEqual(line["count"], sum(line.get(phase, 0) for phase in ("handshake", "headers", "body", "answer", "closing")))


@unittest.skipUnless(os.environ.get(LONG_IDLE_VARIABLE), f"takes two minutes; set {LONG_IDLE_VARIABLE}=1")
class LongIdle(harness.ServerTest):
    def test_longer_than_the_client_keeps_it(self):
        """The client ends an idle connection after 90 s, so the server must not before: no `EOF` (outages 8, 10)."""
        body = review("csa-image")
        with self.server.connect() as kept, self.server.connect() as left:
            kept.review(body)
            left.review(body)
            began = time.monotonic()
            time.sleep(CLIENT_IDLE_SECONDS)
            self.assertEqual(kept.review(body).status, 200)
            self.assertFalse(left.is_readable())
            self.assertTrue(left.is_readable(SERVER_IDLE_SECONDS + 30 - CLIENT_IDLE_SECONDS), "an idle connection ends at last")
            self.assertEqual(left.socket.recv(1), b"", "and it ends cleanly, not with a reset")
            self.assertGreater(time.monotonic() - began, SERVER_IDLE_SECONDS - 2)


if __name__ == "__main__":
    harness.main()
