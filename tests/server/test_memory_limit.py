"""Memory keeps to --memory-limit with any requests; who is refused for it may try again, and small reviews never are."""

import contextlib
import json
import re
import socket
import ssl
import subprocess
import threading
import time
import unittest

import harness
import wire
from harness import review

MIB = 1 << 20
MAX_BODY = 8 * MIB
LIMIT = 192 * MIB
MANY = 100

# The memory that the process may keep at the end, in addition to its memory at the start.
KEPT = 24 * MIB

# A client that waits longer than this does more than wait for its turn among a hundred others, even on a busy machine.
PATIENCE = 15

HEAD = b"POST /validate?timeout=10s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def padded(size, padding=None):
    """A review of exactly so many bytes, with one long text in it, or with what `padding` makes of the room."""
    body = json.loads(review("csa-image"))
    body["request"]["object"]["padding"] = "@"
    whole = json.dumps(body).encode()
    room = size - len(whole) + len('"@"')
    text = padding(room) if padding else b'"' + b"a" * (room - 2) + b'"'
    return whole.replace(b'"@"', text.ljust(room))


def numbers(room):
    """As many values as can be: what is judged takes the most memory for its bytes."""
    return b"[" + b",".join([b"1"] * ((room - 2) // 2)) + b"]"


def long_paths(count, depth=7, length=250):
    """Another manager takes fields whose names above are said once, but would be printed with each of them."""
    names = [chr(97 + level) * length for level in range(depth)]

    def nested(name_prefix, leaf):
        below = {f"{name_prefix}k{field:04d}": leaf for field in range(count)}
        for name in reversed(names):
            below = {name_prefix + name: below}
        return below

    def widget(manager, operation, value):
        return {
            "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "c", "namespace": "default", "managedFields": [
                {"manager": manager, "operation": operation, "apiVersion": "example.com/v1", "time": f"2026-0{value}-01T00:00:00Z",
                 "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": nested("f:", {})}}]},
            "spec": nested("", value)}

    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "x", "kind": {"group": "example.com", "version": "v1", "kind": "Widget"},
        "resource": {"group": "example.com", "version": "v1", "resource": "widgets"}, "name": "c", "namespace": "default",
        "operation": "UPDATE", "userInfo": {"username": "alice"}, "options": {"fieldManager": "kubectl-edit"},
        "oldObject": widget("argocd-controller", "Apply", 1), "object": widget("kubectl-edit", "Update", 2)}}).encode()


def metric(server, name):
    with server.connect_plain() as connection:
        text = connection.get("/metrics").body.decode()
    return int(float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE).group(1)))


def in_use(server):
    return metric(server, "applyguard_memory_budget_in_use_bytes")


def refusals(server):
    return metric(server, 'applyguard_requests_refused_total{reason="memory-limit"}')


def kernel_queues(port, clients):
    """For each connection to the port: the bytes that the kernel holds of answers and of requests."""
    of_server = filter(None, (harness.tcp_socket(port, client.local_port) for client in clients))
    return [tuple(int(part, 16) for part in fields[4].split(":")) for fields in of_server]


class SmallReviews(threading.Thread):
    """A client that sends small reviews all the while: how long its slowest answer took."""

    def __init__(self, server):
        super().__init__()
        self.server = server
        self.done = threading.Event()
        self.slowest = 0
        self.statuses = []

    def run(self):
        body = review("csa-image")
        while not self.done.wait(0.02):
            began = time.monotonic()
            self.statuses.append(self.server.review(body).status)
            self.slowest = max(self.slowest, time.monotonic() - began)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.join()


def send_at_once(server, requests):
    """Each request on a connection of its own, none whole before all have begun; the answers."""
    begun = threading.Barrier(len(requests))

    def send(request):
        with server.connect(timeout=60) as connection:
            connection.send(request[:1000])
            begun.wait(60)
            connection.send(request[1000:])
            return connection.read()

    return harness.in_parallel([lambda request=request: send(request) for request in requests])


class LastFlight:
    """A client whose TLS handshake lacks the last flight, which goes out in one write with what is sent then."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port))
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = server.context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        while not self._has_shaken_hands():
            self.socket.sendall(self.outgoing.read())
            self.incoming.write(self.socket.recv(65536))

    def _has_shaken_hands(self):
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        return True

    def send(self, data):
        """As much as the kernel takes at once."""
        self.tls.write(data)
        self.socket.setblocking(False)
        self.socket.send(self.outgoing.read())


def number(data, at):
    return int.from_bytes(data[at:at + 2], "big")


def without_shares(hello, padding=0):
    """The ClientHello of one record with no share of a key, to which the answer is to try again, and so much padding."""
    at = 5 + 4 + 34                 # The heads of record and message, version and random; then:
    at += 1 + hello[at]             # session
    at += 2 + number(hello, at)     # ciphers
    at += 1 + hello[at]             # compression
    extensions, end = b"", len(hello)
    begin, at = at, at + 2
    while at < end:
        following = at + 4 + number(hello, at + 2)
        extensions += hello[at:following] if number(hello, at) != 51 else bytes.fromhex("003300020000")
        at = following
    if padding:
        extensions += bytes.fromhex("fafa") + padding.to_bytes(2, "big") + bytes(padding)
    body = hello[9:begin] + len(extensions).to_bytes(2, "big") + extensions
    message = b"\x01" + len(body).to_bytes(3, "big") + body
    return hello[:3] + len(message).to_bytes(2, "big") + message


class MemoryLimit(unittest.TestCase):
    def start(self, *flags, limit=LIMIT):
        server = harness.Server("--memory-limit", str(limit), "--threads", "2", *flags)
        self.addCleanup(server.stop)
        self.at_start = server.resident_bytes()
        return server

    def assert_within_limit(self, server):
        if not harness.Program.is_sanitized:
            self.assertLess(server.resident_bytes(peak=True), LIMIT)

    def assert_may_try_again(self, response):
        harness.assert_sentence(self, response, 503)
        self.assertEqual(response.headers.get("retry-after"), "1")
        self.assertTrue(response.closes)

    def assert_as_before(self, server):
        """Everything is served again, the largest included, and memory is given back."""
        harness.wait_until(lambda: in_use(server) == 0, PATIENCE, "what was taken is given back")
        # Bytes that clients sent before they went may be read, and take memory, only now.
        largest = padded(MAX_BODY - 1)
        harness.wait_until(lambda: server.review(largest).status == 200, PATIENCE, "the largest has room again")
        harness.wait_until(lambda: in_use(server) == 0, PATIENCE, "what that took is given back")
        if not harness.Program.is_sanitized:
            harness.wait_until(
                lambda: server.resident_bytes() < self.at_start + KEPT, PATIENCE, "memory given back to the system")

    def check_flood(self, requests, some_are_served=True):
        server = self.start()
        with SmallReviews(server) as small:
            answers = send_at_once(server, requests)
        self.assert_within_limit(server)
        refused = [answer for answer in answers if answer.status != 200]
        self.assertTrue(refused, "the flood was none")
        for answer in refused:
            self.assert_may_try_again(answer)
        if some_are_served:
            self.assertGreater(len(answers), len(refused), "as much is served as there is room for")
        self.assertEqual(set(small.statuses), {200}, "small reviews are not refused for what the large take")
        self.assertLess(small.slowest, harness.stretched(PATIENCE))
        self.assertGreater(refusals(server), 0)
        self.assert_as_before(server)

    def leave_half_bodies(self, server):
        """The connections of more clients than there is room for, who have sent 2 MiB of a body and stop there."""
        part = wire.post(padded(MAX_BODY - 1))[:2 * MIB]
        held = [server.connect() for _ in range(30)]
        for connection in held:
            self.addCleanup(connection.close)
            connection.send(part)
        harness.wait_until(lambda: refusals(server) > 0, what="no room for all")
        return held

    def test_many_of_the_largest(self):
        """A hundred bodies of just under the limit of a body, 800 MiB together."""
        self.check_flood([wire.post(padded(MAX_BODY - 1))] * MANY)

    def test_many_that_are_costly_to_judge(self):
        """Reviews that take little memory on arrival and much in judging are bounded too."""
        self.check_flood([wire.post(padded(3 * MIB, numbers))] * MANY)

    def test_sizes_side_by_side(self):
        """Buffers of some hundred KiB, which stay in the heap, together with the largest, which do not."""
        middle = [wire.post(padded(300000 + 10000 * n)) for n in range(MANY // 2)]
        self.check_flood(middle + [wire.post(padded(MAX_BODY - 1))] * (MANY // 2))

    def test_chunked(self):
        """A body without a declared length takes no more until it is refused."""
        server = self.start()
        body = padded(MAX_BODY - MIB)
        chunks = wire.chunked(body[start:start + 65536] for start in range(0, len(body), 65536))
        answers = send_at_once(server, [HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks] * 60)
        self.assertEqual({answer.status for answer in answers}, {411, 503})
        self.assert_within_limit(server)
        self.assert_as_before(server)

    def test_after_a_small_request(self):
        """A body that follows another request at once, or that waits for leave (100 Continue), takes no more."""
        server = self.start()
        small, large = wire.post(review("csa-image")), padded(MAX_BODY - 1)
        expecting = HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(large)

        def send(first, last):
            with server.connect(timeout=60) as connection:
                connection.send(first)
                time.sleep(0.1)
                connection.send(last)
                return connection.read_to_end() if first == expecting else connection.read()

        pipelined = [lambda: send(small + wire.post(large)[:5000], wire.post(large)[5000:])] * 40
        harness.in_parallel(pipelined + [lambda: send(expecting, large + b"\r\n" + HEAD + b"Connection: close\r\n\r\n")] * 40)
        self.assertGreater(refusals(server), 0)
        self.assert_within_limit(server)
        self.assert_as_before(server)

    def test_what_takes_more_than_its_bytes_let_expect(self):
        """Names above thousands of fields are not printed thousands of times: such a review has its verdict."""
        server = self.start()
        for count in (300, 1024, 4000, 16000):
            body = long_paths(count)
            harness.assert_verdict(self, server.review(body), body, allowed=True)
            small = review("csa-image")
            harness.assert_verdict(self, server.review(small), small, allowed=True)
        self.assert_as_before(server)

    def test_all_are_served_in_the_end(self):
        """Clients that try again as the API server does get their answer: refusals do not keep all from an end."""
        server = self.start()
        body = padded(MAX_BODY - 1)

        def insist(_):
            deadline = time.monotonic() + harness.stretched(60)
            while server.review(body).status == 503:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(1)
            return 200

        self.assertEqual(set(harness.in_parallel([lambda n=n: insist(n) for n in range(12)])), {200})
        self.assert_within_limit(server)

    def test_half_bodies_that_are_left(self):
        """Clients that stop in the middle take the room of others of their kind only, and give it back when they go."""
        server = self.start()
        held = self.leave_half_bodies(server)
        self.assertGreater(in_use(server), 10 * MIB)
        self.assertEqual(server.review(review("csa-image")).status, 200)
        self.assertEqual(server.review(padded(100000)).status, 200, "a part is kept for those that are not large")
        for connection in held:
            connection.abort()
        self.assert_as_before(server)

    def test_half_bodies_that_come_with_the_handshake(self):
        """Nobody has asked the budget when the server reads them: they are still taken from it, or refused."""
        self.check_what_comes_with_the_handshake(wire.post(padded(MAX_BODY - 1))[:190 * 1024])

    def test_half_bodies_behind_requests_that_come_with_the_handshake(self):
        """So they are while the server is at the requests before them, more than it answers at once."""
        requests = wire.post(review("csa-image")) * 12
        self.check_what_comes_with_the_handshake((requests + wire.post(padded(MAX_BODY - 1)))[:190 * 1024])

    def check_what_comes_with_the_handshake(self, half):
        server = self.start()
        clients = [LastFlight(server) for _ in range(server.log("listening")[0]["maxConnections"] - 10)]
        for client in clients:
            self.addCleanup(client.socket.close)
        # So that all of it is there before the loops get to any.
        with server.frozen():
            for client in clients:
                client.send(half)
        harness.wait_until(lambda: refusals(server) > 0, PATIENCE, what="no room for all")
        self.assertGreater(in_use(server), 10 * MIB)
        self.assertEqual(server.review(review("csa-image")).status, 200)
        self.assert_within_limit(server)
        for client in clients:
            client.socket.close()
        self.assert_as_before(server)

    def test_a_body_that_comes_with_the_handshake(self):
        """One that is whole is judged, and one that goes on, with the window that was small until then."""
        server = self.start()
        body = padded(MAX_BODY - 1)
        for whole in (wire.post(review("csa-image")), wire.post(body)):
            client = LastFlight(server)
            self.addCleanup(client.socket.close)
            client.tls.write(whole)
            client.socket.settimeout(4 * PATIENCE)
            client.socket.sendall(client.outgoing.read())
            client.incoming.write(client.socket.recv(65536))
            self.assertTrue(client.tls.read(12).startswith(b"HTTP/1.1 200"))

    def hold(self, server, data):
        """As many connections as there may be, each of which sends this instead of a handshake."""
        held = []
        for _ in range(server.log("listening")[0]["maxConnections"] - 10):
            held.append(server.connect(context=None))
            self.addCleanup(held[-1].close)
            held[-1].send(data)
        return held

    def test_handshakes_that_announce_much(self):
        """Nine bytes cannot make a connection take more memory than it may: who announces a large message is cut at once."""
        server = self.start()
        for connection in self.hold(server, wire.announced_hello(130816)):
            self.assertEqual(connection.read_to_end(), b"")
        with server.connect(context=None) as connection:
            connection.send(without_shares(wire.client_hello()))
            self.assertEqual(connection.socket.recv(1), b"\x16", "it shall try again")
            connection.send(wire.announced_hello(130816))
            connection.read_to_end()
        if not harness.Program.is_sanitized:
            self.assertLess(server.resident_bytes(peak=True), self.at_start + 8 * MIB)
        self.assertEqual(server.review(review("csa-image")).status, 200)

    def test_large_handshakes(self):
        """A ClientHello may be some times as large as any that is sent, and no larger: its parts are copied."""
        server = self.start()
        for padding, answer in ((0, b"\x16"), (6000, b"\x16"), (9000, b""), (16000, b"")):
            with self.subTest(padding), server.connect(context=None) as connection:
                connection.send(without_shares(wire.client_hello(), padding))
                self.assertEqual(connection.socket.recv(1), answer)

    def test_what_a_crowd_leaves(self):
        """Connections that go give their memory back to the system, though no large body came."""
        server = self.start(limit=1024 * MIB)
        held = self.hold(server, wire.announced_hello(16000))
        if not harness.Program.is_sanitized:
            harness.wait_until(lambda: server.resident_bytes() > self.at_start + 16 * MIB, PATIENCE, "memory taken")
        for connection in held:
            connection.close()
        if not harness.Program.is_sanitized:
            harness.wait_until(
                lambda: server.resident_bytes() < self.at_start + 8 * MIB, PATIENCE, "memory given back to the system")

    def test_heads_without_end_on_the_second_listener(self):
        """No scraper sends so much, and no budget knows of it: who does is cut long before H2O's limit."""
        server = self.start()
        clients = [server.connect_plain() for _ in range(60)]
        for client in clients:
            self.addCleanup(client.close)
            with contextlib.suppress(OSError):
                client.send(b"GET /metrics HTTP/1.1\r\nA: " + b"a" * (300 << 10))
        for client in clients:
            client.read_to_end()
        if not harness.Program.is_sanitized:
            self.assertLess(server.resident_bytes(peak=True), self.at_start + 8 * MIB)
        self.assertEqual(server.probe("/healthz"), 200)

    def test_scrapers_that_do_not_read(self):
        """Each has a copy of /metrics, which is large where many label sets are allowed: they share what there is."""
        server = self.start("--metrics-labels", "kind,namespace", "--metrics-labels-max", "10000")
        asked = json.loads(review("edit-ssa"))
        with server.connect() as connection:
            for count in range(6000):
                namespace = f"{count:060d}"
                asked["request"]["namespace"] = namespace
                for side in ("object", "oldObject"):
                    asked["request"][side]["metadata"]["namespace"] = namespace
                self.assertEqual(connection.review(json.dumps(asked).encode()).status, 200)
        statuses = []
        for _ in range(60):
            scraper = server.connect_plain(receive_buffer=2048)
            self.addCleanup(scraper.close)
            scraper.send(wire.request("GET", "/metrics"))
            statuses.append(scraper.socket.recv(12))
        self.assertIn(b"HTTP/1.1 200", statuses)
        self.assertIn(b"HTTP/1.1 503", statuses)
        self.assertEqual(server.review(review("csa-image")).status, 200)
        self.assert_within_limit(server)

    def test_clients_that_send_and_do_not_read(self):
        """The kernel's buffers count as the container's memory: buffers of unread answers, and of requests behind them."""
        server = self.start()
        of_reviews = [server.connect() for _ in range(30)]
        of_probes = [server.connect_plain() for _ in range(30)]
        requests = [(client, wire.post(review("csa-image")) * 8) for client in of_reviews]
        requests += [(client, wire.request("GET", "/metrics") * 50) for client in of_probes]
        for client in of_reviews + of_probes:
            self.addCleanup(client.close)
            client.socket.setblocking(False)
        began = time.monotonic()
        while time.monotonic() - began < 4:
            for client, several in requests:
                with contextlib.suppress(OSError):
                    client.socket.send(several)
        for port, clients in (server.port, of_reviews), (server.metrics_port, of_probes):
            queues = kernel_queues(port, clients)
            self.assertTrue(any(answers > 8 << 10 for answers, _ in queues), "answers wait for their clients")
            self.assertLess(max(answers for answers, _ in queues), 128 << 10)
            self.assertLess(max(requests for _, requests in queues), 192 << 10)
        self.assert_within_limit(server)
        self.assertEqual(server.review(review("csa-image")).status, 200)

    def test_a_refused_client_that_goes_on(self):
        """Bytes after a refusal are thrown away for a while, and then the connection ends."""
        server = self.start()
        self.leave_half_bodies(server)
        before = refusals(server)
        with server.connect(timeout=60) as stubborn:
            self.assertIsNone(self._send_for(stubborn, wire.post(padded(MAX_BODY - 1))[:1000], 30))
        self.assertGreater(refusals(server), before)
        self.assertGreater(metric(server, 'applyguard_connections_cut_total{phase="closing"}'), 0)
        self.assert_within_limit(server)
        self.assertIn("memoryLimit", server.log("large reviews refused, memory is at its limit")[0])

    def _send_for(self, connection, first, seconds):
        """Sends until the connection ends, and returns None; the bytes sent if it did not within the time."""
        began, sent = time.monotonic(), len(first)
        connection.send(first)
        while time.monotonic() - began < seconds:
            try:
                connection.send(b"a" * 65536)
            except OSError:
                return None
            sent += 65536
        return sent

    def test_too_small_a_limit(self):
        """A limit that the largest review does not fit into is refused at the start, with what is needed."""
        certificate = harness.Certificate()
        flags = ["serve", "--tls-cert", certificate.certificate, "--tls-key", certificate.key, "--listen", "127.0.0.1:0",
                 "--metrics-listen", "", "--threads", "2"]
        result = subprocess.run(
            [harness.Program.path, *flags, "--memory-limit", "64Mi"], capture_output=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr.decode(), r"^applyguard serve: 64 MiB of memory \(--memory-limit\) .* need \d+ MiB")

    def test_threads_leave_room_for_the_largest_review(self):
        """Without a number of threads, the server starts as many as fit, instead of an error about too many."""
        with harness.Server("--memory-limit", "118Mi") as server:
            self.assertEqual(server.log("listening")[0]["threads"], 1)

    def test_fewer_connections_than_asked_for(self):
        """Connections are limited to their part of the memory limit, and the log says how many."""
        server = self.start("--max-connections", "60000")
        self.assertLess(server.log("listening")[0]["maxConnections"], 2000)
        self.assertEqual(metric(server, "applyguard_memory_limit_bytes"), LIMIT)
        self.assertLess(metric(server, "applyguard_memory_budget_bytes"), LIMIT)

    def test_connections_of_the_charts_default(self):
        """As webhook/README.md and the chart say: seven eighths of 256 MiB are enough for 253."""
        self.assertEqual(self.start(limit=224 * MIB).log("listening")[0]["maxConnections"], 253)


if __name__ == "__main__":
    harness.main()
