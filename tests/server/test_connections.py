"""Connections as the API server keeps them: many requests on each, many at once, and some that break."""

import collections
import json
import pathlib
import socket
import time

import harness
import wire
from harness import review, stories


class KeptConnections(harness.ServerTest):
    def test_fifty_requests_on_one_connection(self):
        """Keep-alive: the API server sends review after review over one connection."""
        names = stories()
        with self.server.connect() as connection:
            for count in range(50):
                body = review(names[count % len(names)])
                response = connection.review(body)
                self.assert_verdict(response, body)
                self.assertFalse(response.closes)

    def test_pipelined_reviews_are_answered_in_order(self):
        """Requests sent without waiting are answered one by one, each with its own uid."""
        bodies = [review(name) for name in stories()]
        with self.server.connect(timeout=60) as connection:
            connection.send(b"".join(wire.post(body) for body in bodies))
            for body in bodies:
                self.assert_verdict(connection.read(), body)
            self.assertFalse(connection.is_readable(0.05))

    def test_pipelined_requests_of_all_kinds(self):
        """A refusal between reviews shifts no answer to another request."""
        body = review("csa-image")
        with self.server.connect() as connection:
            connection.send(
                wire.post(body) + wire.request("GET", "/nowhere") + wire.post(b"{") + wire.request("HEAD", "/healthz") +
                wire.post(body, "/validate/warn") + wire.request("PUT", "/validate", b"x" * 5000) + wire.post(body))
            self.assert_verdict(connection.read(), body)
            self.assert_sentence(connection.read(), 404)
            self.assert_sentence(connection.read(), 400)
            self.assertEqual(connection.read("HEAD").status, 200)
            self.assert_verdict(connection.read(), body)
            self.assert_sentence(connection.read(), 405)
            self.assert_verdict(connection.read(), body)

    def test_connection_close_is_kept(self):
        """A client that says Connection: close, or speaks HTTP/1.0, gets its answer and then the end."""
        body = review("csa-image")
        for sent in (wire.post(body, headers=(*wire.API_SERVER_HEADERS, ("Connection", "close"))),
                     wire.post(body).replace(b"HTTP/1.1", b"HTTP/1.0", 1)):
            with self.server.connect() as connection:
                response = connection.exchange(sent)
                self.assert_verdict(response, body)
                self.assertTrue(response.closes)
                self.assertTrue(connection.has_ended(30))

    def test_byte_by_byte(self):
        """Two requests in single bytes, each a TLS record of its own, are two reviews."""
        body = review("configmap-create")
        with self.server.connect() as connection:
            for byte in wire.post(body) + wire.post(body):
                connection.send(bytes([byte]))
            self.assert_verdict(connection.read(), body)
            self.assert_verdict(connection.read(), body)

    def test_split_at_every_boundary(self):
        """Two pipelined requests in two pieces, cut at each place in turn, are two reviews."""
        body = json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "u", "kind": {"group": "", "version": "v1", "kind": "ConfigMap"}, "operation": "DELETE",
            "resource": {"group": "", "version": "v1", "resource": "configmaps"}, "name": "n", "namespace": "d",
            "userInfo": {"username": "x"}, "object": None, "oldObject": None}}).encode()
        both = wire.post(body) + wire.post(body)
        with self.server.connect() as connection:
            for place in range(1, len(both)):
                connection.send(both[:place])
                if place >= len(both) // 2:
                    self.assert_verdict(connection.read(), body)
                connection.send(both[place:])
                self.assert_verdict(connection.read(), body)
                if place < len(both) // 2:
                    self.assert_verdict(connection.read(), body)

    def test_a_large_body_leaves_the_next_request_alone(self):
        """A large body is parsed in the buffer in which the next request stands right behind it."""
        large = review("configmap-create") + b" " * 100_000
        small = review("csa-image")
        with self.server.connect() as connection:
            connection.send(wire.post(large) + wire.post(small) + wire.post(large))
            for body in (large, small, large):
                self.assert_verdict(connection.read(), body)

    def test_an_answer_is_not_held_back(self):
        """Small answers leave at once (no Nagle and delayed acknowledgement in the way): 40 ms would show."""
        body = review("csa-image")
        with self.server.connect(no_delay=False) as connection:
            connection.review(body)
            took = []
            for _ in range(80):
                began = time.monotonic()
                connection.review(body)
                took.append(time.monotonic() - began)
        # Held back would be all but the first few; a busy machine delays many of them, and not all.
        self.assertLess(sorted(took)[20], 0.03, took)


class ManyConnections(harness.ServerTest):
    def test_two_hundred_at_once(self):
        """A burst opens hundreds of connections: all are served, at the same time, and go when closed."""
        bodies = [review(name) for name in ("csa-image", "edit-ssa", "delete", "configmap-create")]
        connections = [self.server.connect(handshake=False) for _ in range(200)]
        try:
            for connection in connections:
                connection.socket.do_handshake()
            for _ in range(3):
                for number, connection in enumerate(connections):
                    connection.send(wire.post(bodies[number % 4]))
                for number, connection in enumerate(connections):
                    self.assert_verdict(connection.read(), bodies[number % 4])
            self.assertTrue(all(map(self.server.holds, connections)))
        finally:
            for connection in connections:
                connection.close()
        harness.wait_until(lambda: not any(map(self.server.holds, connections)), what="200 sockets closed")

    def test_threads_of_clients(self):
        """Answers never mix between connections: each client gets the uid it asked with."""
        whole = json.loads(review("edit-ssa"))

        def client(number):
            with self.server.connect() as connection:
                for count in range(25):
                    whole_again = dict(whole, request=dict(whole["request"], uid=f"{number}-{count}"))
                    body = json.dumps(whole_again).encode()
                    self.assert_verdict(connection.review(body), body)

        harness.in_parallel([lambda number=number: client(number) for number in range(16)])

    def test_both_loops_serve(self):
        """The few connections of an API server do not all end up on one loop: each takes as many as the other."""
        flow = wire.post(review("ssa-shared")) * 10
        for _ in range(3):
            with harness.Server("--threads", "2") as server:
                connections = [server.connect() for _ in range(6)]
                loops = collections.Counter(self._loop_of(server, connection, flow) for connection in connections)
                for connection in connections:
                    connection.close()
            self.assertEqual(list(loops.values()), [3, 3])

    def _loop_of(self, server, connection, flow):
        """The thread that works while only this connection asks: by far the most, as all others sleep."""
        before = self._thread_seconds(server)
        for _ in range(5):
            connection.send(flow)
            for _ in range(10):
                self.assertEqual(connection.read().status, 200)
        used = [after - now for after, now in zip(self._thread_seconds(server), before)]
        return used.index(max(used))

    @staticmethod
    def _thread_seconds(server):
        """CPU time of each thread, finer than the clock ticks of stat."""
        files = sorted(pathlib.Path(f"/proc/{server.pid}/task").glob("*/schedstat"))
        return [int(file.read_text().split()[0]) / 1e9 for file in files]


class Memory(harness.ServerTest):
    def test_it_does_not_grow(self):
        """A review's memory is given back when it is answered: memory is the same after thousands (outage 11)."""
        flow = b"".join(wire.post(review(name)) for name in ("csa-image", "edit-ssa", "annotate", "delete") * 25)
        with self.server.connect(timeout=60) as connection:
            def thousands(count):
                for _ in range(count * 10):
                    connection.send(flow)
                    for _ in range(100):
                        self.assertEqual(connection.read().status, 200)
                return self.server.resident_bytes()

            early = thousands(1)
            late = thousands(4)
        if not harness.Program.is_sanitized:
            self.assertLess(late - early, 1 << 20)


class BrokenConnections(harness.ServerTest):
    """Clients vanish at any moment; other clients do not notice, and nothing of them stays."""

    def setUp(self):
        self.body = review("csa-image")
        self.before = self.server.connections()

    def tearDown(self):
        super().tearDown()
        harness.wait_until(lambda: self.server.connections() <= self.before, what="sockets closed")
        self.assert_verdict(self.server.review(self.body), self.body)

    def _cut_everywhere(self, end):
        whole = wire.post(self.body)
        for place in [*range(1, 400, 7), *range(400, len(whole), 997), len(whole) - 1, len(whole)]:
            connection = self.server.connect()
            connection.send(whole[:place])
            end(connection)

    def test_closed_in_the_middle_of_a_request(self):
        """A connection that is closed in the headers, the body, or just before the answer."""
        self._cut_everywhere(wire.Connection.close)

    def test_reset_in_the_middle_of_a_request(self):
        """The same with a reset."""
        self._cut_everywhere(wire.Connection.abort)

    def test_half_closed(self):
        """A client that closes its sending side after half a body is let go."""
        with self.server.connect() as connection:
            connection.send(wire.post(self.body)[:2000])
            connection.socket.shutdown(socket.SHUT_WR)
            harness.wait_until(lambda: not self.server.holds(connection), what="let go")

    def test_gone_in_the_middle_of_answers(self):
        """A client that pipelines, reads some of the answers and resets: writing to a closed connection is not an error
        (SIGPIPE)."""
        for _ in range(20):
            connection = self.server.connect(receive_buffer=4096)
            connection.send(wire.post(self.body) * 30)
            self.assert_verdict(connection.read(), self.body)
            connection.abort()

    def test_tls_broken_in_the_middle(self):
        """Records that do not decrypt end that connection only."""
        for noise in (b"\x17\x03\x03\x00\x20" + b"x" * 32, b"GET / HTTP/1.1\r\n\r\n", b"\x15\x03\x03\x00\x02\x02\x28"):
            with self.server.connect() as connection:
                self.assert_verdict(connection.review(self.body), self.body)
                raw = socket.socket(fileno=socket.dup(connection.socket.fileno()))
                raw.send(noise)
                raw.close()
                self.assertTrue(connection.has_ended(30))

    def test_closed_without_a_goodbye(self):
        """TCP closed under TLS with no close_notify, right after an answer and before any request."""
        for requests in (0, 1):
            connection = self.server.connect()
            for _ in range(requests):
                self.assert_verdict(connection.review(self.body), self.body)
            connection.close()


if __name__ == "__main__":
    harness.main()
