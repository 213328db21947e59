"""More connections than there is room for: the rest wait their turn, and the server neither spins nor dies."""

import contextlib
import os
import pathlib
import re
import resource
import subprocess
import threading
import time
import unittest

import harness
import wire
from harness import review

MAX_CONNECTIONS = 20

# Standard streams, loops and spare files come first; what is left of so many files is for connections.
FEW_FILES = 200

# CPU time in a second in which nothing should happen. A listener that spins takes all of it.
IDLE_SHARE = 0.2


# How long a connection may be silent when others wait.
SILENCE = 2

# Tests hold as many connections as a server takes.
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


class Crowd:
    """Connections that were served and stay open, and more that come after them."""

    def __init__(self, server, served, more):
        self.server = server
        self.body = review("csa-image")
        self.served = [server.connect() for _ in range(served)]
        for connection in self.served:
            connection.review(self.body)
        self.more = [server.connect(handshake=False, timeout=30) for _ in range(more)]

    def close(self):
        for connection in self.served + self.more:
            connection.close()

    def serve_all(self):
        """Those that came later handshake, ask and leave, as many as have a place at a time; all statuses."""
        def take_turn(connection):
            with connection:
                connection.socket.do_handshake()
                return connection.review(self.body).status

        return harness.in_parallel([lambda connection=connection: take_turn(connection) for connection in self.more])


def idle_share(server, seconds=1.0):
    """The share of one processor that the server takes while nothing is asked of it."""
    time.sleep(0.2)  # What was just asked may still be under way.
    began, used = time.monotonic(), server.cpu_seconds()
    time.sleep(seconds)
    return (server.cpu_seconds() - used) / (time.monotonic() - began)


@harness.at_once
class Limits(unittest.TestCase):
    def _check_crowd(self, server, served, more):
        empty = server.connections()
        crowd = Crowd(server, served, more)
        self.addCleanup(crowd.close)
        self.assertEqual(set(crowd.serve_all()), {200}, "those that come later are served in the place of idle ones")
        self.assertTrue(server.is_running(), server.tail())
        crowd.close()
        harness.wait_until(lambda: server.connections() <= empty, what="the crowd leaving")
        crowd = Crowd(server, served, more)
        self.addCleanup(crowd.close)
        self.assertLess(idle_share(server), IDLE_SHARE, "connections that wait make the server spin")
        self.assertEqual(server.probe("/readyz"), 200, "probes do not depend on the load of the webhook")
        self.assertEqual(server.probe("/healthz"), 200)

    def test_more_than_max_connections(self):
        """At --max-connections a new client gets the place of an idle one, and no more files are open."""
        with harness.Server("--max-connections", str(MAX_CONNECTIONS)) as server:
            before = server.connections()
            crowd = Crowd(server, MAX_CONNECTIONS, 30)
            # One that gave way is closed an iteration after the next one came.
            harness.wait_until(lambda: server.connections() <= before + MAX_CONNECTIONS, what="those that gave way leaving")
            crowd.close()
            harness.wait_until(lambda: server.connections() <= before, what="the crowd leaving")
            self._check_crowd(server, MAX_CONNECTIONS, 30)

    def test_one_connection(self):
        """The smallest limit works too: one after the other."""
        with harness.Server("--max-connections", "1", "--threads", "1") as server:
            self._check_crowd(server, 1, 5)

    def test_fewer_files_than_connections(self):
        """With a low limit of open files, fewer connections are taken than asked for, and files never run out."""
        with harness.Server("--threads", "2", open_files=FEW_FILES) as server:
            room = server.log("listening")[0]["maxConnections"]
            self.assertLess(room, FEW_FILES)
            self.assertGreater(room, 0)
            self._check_crowd(server, room, 60)
            self.assertEqual(server.log("connections have to wait"), [], "the cap comes before the last file")

    def test_out_of_files_all_the_same(self):
        """If files do run out (EMFILE), the server says so a few times, waits without spinning, and recovers."""
        with harness.Server("--threads", "1") as server:
            open_now = len(server.open_files())
            highest = max(int(file.name) for file in pathlib.Path(f"/proc/{server.pid}/fd").iterdir())
            _, hard = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
            resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (highest + 9, hard))
            served = [server.connect() for _ in range(highest + 8 - open_now)]
            waiting = [server.connect(handshake=False, timeout=30) for _ in range(20)]
            server.wait_for_log("connections have to wait")
            self.assertLess(idle_share(server, seconds=2), IDLE_SHARE, "accept4 that fails makes the server spin")
            self.assertLess(len(server.log("connections have to wait")), 12)
            resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (4096, hard))
            body = review("csa-image")
            harness.assert_verdict(self, server.review(body), body)
            for connection in served + waiting:
                connection.close()

    def test_silent_connections_do_not_keep_others_out(self):
        """A client that takes all connections and asks nothing makes an API server wait for seconds, not for ever."""
        body = review("csa-image")
        # One loop: of two loops, one might have all clients that asked, and no other that could make room.
        with harness.Server("--max-connections", str(MAX_CONNECTIONS), "--threads", "1") as server:
            asked = [server.connect() for _ in range(4)]
            for connection in asked:
                self.addCleanup(connection.close)
                self.assertEqual(connection.review(body).status, 200)
            silent = [server.connect() for _ in range(MAX_CONNECTIONS // 2)]
            silent += [server.connect(handshake=False, timeout=30) for _ in range(5 * MAX_CONNECTIONS)]
            for connection in silent:
                self.addCleanup(connection.close)
            time.sleep(SILENCE)
            for _ in range(MAX_CONNECTIONS):
                with server.connect() as late:
                    self.assertEqual(late.review(body).status, 200)
            for connection in asked:
                self.assertEqual(connection.review(body).status, 200, "who has asked once stays")
            with server.connect_plain() as scraper:
                evicted = re.search(rb"applyguard_connections_evicted_total (\d+)", scraper.get("/metrics").body)
            self.assertGreater(int(evicted.group(1)), MAX_CONNECTIONS)

    def test_idle_without_clients(self):
        """A server without requests takes hardly any processor time."""
        with harness.Server() as server:
            self.assertLess(idle_share(server), 0.05)


def at_limit(server):
    """How often connections came when all were taken, and how many went for them."""
    with server.connect_plain() as scraper:
        text = scraper.get("/metrics").body
    return [int(re.search(rb"^applyguard_connections_%s_total (\d+)$" % name, text, re.MULTILINE).group(1))
            for name in (b"at_limit", b"evicted")]


@harness.at_once
class ShutOut(unittest.TestCase):
    """Nobody who holds connections open keeps an API server out: its review is served within two seconds."""

    def setUp(self):
        self.body = review("csa-image")

    def hold(self, server, count, ask=None, **options):
        """So many connections, each having asked once."""
        held = []
        for _ in range(count):
            held.append(server.connect(**options))
            self.addCleanup(held[-1].close)
            (ask or self.ask_review)(held[-1])
        return held

    def ask_review(self, connection):
        harness.assert_verdict(self, connection.review(self.body), self.body)

    def ask_probe(self, connection):
        self.assertEqual(connection.get("/healthz").status, 200)

    def assert_served_soon(self, server, **options):
        began = time.monotonic()
        connection, = self.hold(server, 1, timeout=60, **options)
        # The API server waits 5 seconds for the webhooks of the chart.
        self.assertLess(time.monotonic() - began, harness.stretched(5))
        return connection

    def assert_reported(self, server):
        lines = server.wait_for_log("connections at their limit")
        self.assertEqual([line["level"] for line in lines], ["warning"], "one line a minute")
        times, evicted = at_limit(server)
        self.assertGreater(times, 0)
        self.assertGreater(evicted, 0)

    def test_idle_after_a_probe(self):
        """1,024 connections that each asked GET /healthz, as many as there may be."""
        with harness.Server() as server:
            self.hold(server, server.log("listening")[0]["maxConnections"], self.ask_probe)
            for _ in range(10):
                self.assert_served_soon(server)
            self.assertEqual(server.probe("/readyz"), 200)
            self.assert_reported(server)

    def test_idle_after_rubbish(self):
        """An answer to a request that is not a review earns no right to stay."""
        rubbish = [
            (wire.request("POST", "/validate", b"{}"), 415), (wire.post(b"{}"), 400), (wire.post(b"rubbish"), 400),
            (wire.request("GET", "/validate"), 405), (wire.request("GET", "/nothing"), 404)]
        with harness.Server("--max-connections", str(MAX_CONNECTIONS), "--threads", "2") as server:
            for count in range(MAX_CONNECTIONS):
                data, status = rubbish[count % len(rubbish)]
                self.hold(server, 1, lambda connection: self.assertEqual(connection.exchange(data).status, status))
            for _ in range(MAX_CONNECTIONS):
                self.assert_served_soon(server)
            self.assert_reported(server)

    def test_those_that_asked_for_reviews_go_last(self):
        """An API server keeps its idle connections while there are others, however old and few they are."""
        with harness.Server("--max-connections", str(MAX_CONNECTIONS), "--threads", "1") as server:
            kept = self.hold(server, 5)
            self.hold(server, 4 * MAX_CONNECTIONS, self.ask_probe)
            for connection in kept:
                self.ask_review(connection)
            self.assertEqual(at_limit(server)[1], 5 + 3 * MAX_CONNECTIONS)

    def test_the_longest_idle_goes(self):
        """Where all have asked for reviews, it is the one that did so the longest ago."""
        with harness.Server("--max-connections", "5", "--threads", "1") as server:
            held = self.hold(server, 5)
            self.ask_review(held[0])
            self.assert_served_soon(server)
            self.assertTrue(held[1].has_ended(timeout=30))
            for connection in [held[0], *held[2:]]:
                self.ask_review(connection)

    def test_a_share_of_the_places(self):
        """An address with more than a quarter of the places gives its own up first, though others are idle for longer."""
        with harness.Server("--max-connections", "16", "--threads", "1") as server:
            few = self.hold(server, 4, source="127.0.0.2")
            many = self.hold(server, 12, source="127.0.0.1")
            for number in range(6):
                self.assert_served_soon(server, source=f"127.0.1.{number}")
            for connection in many[:6]:
                self.assertTrue(connection.has_ended(timeout=30))
            for connection in few + many[6:]:
                self.ask_review(connection)

    def test_one_address_alone(self):
        """A proxy of all API servers may have all places as long as no other client wants one."""
        with harness.Server("--max-connections", "16", "--threads", "1") as server:
            for connection in self.hold(server, 16):
                self.ask_review(connection)
            self.assertEqual(at_limit(server), [0, 0])

    def test_a_request_under_way_stays(self):
        """A client that is still sending a body is not cut as long as others are idle."""
        whole = wire.post(self.body)
        with harness.Server("--max-connections", "3", "--threads", "1") as server:
            (sender,) = self.hold(server, 1)
            self.hold(server, 2)
            for count in range(12):
                sender.send(whole[count:count + 1] if count < 11 else whole[count:])
                if count < 11:
                    self.assert_served_soon(server)
            harness.assert_verdict(self, sender.read(), self.body)

    def test_half_requests(self):
        """Requests that begin and do not go on hold no place for longer than two seconds, where others want it."""
        with harness.Server("--max-connections", "12", "--threads", "2") as server:
            self.hold(server, 12, lambda connection: connection.send(wire.post(self.body)[:200]))
            time.sleep(SILENCE)
            for _ in range(6):
                self.assert_served_soon(server)

    def trickle(self, server, first, data, done, **options):
        """Sends one thing at once and another byte by byte, and the same again whenever it is cut."""
        while not done.is_set():
            with contextlib.suppress(OSError, wire.Closed), server.connect(timeout=30, **options) as connection:
                connection.send(first)
                for count in range(len(data)):
                    connection.send(data[count:count + 1])
                    if done.wait(0.2):
                        return

    def assert_keep_nobody_out(self, first, data, count=48, **options):
        """While many do this, an API server gets a place in a few seconds, and keeps its other places."""
        done = threading.Event()
        with harness.Server("--max-connections", "24", "--threads", "1") as server:
            kept = self.hold(server, 3, source="127.0.0.2")
            arguments = {"server": server, "first": first, "data": data, "done": done, **options}
            crowd = [threading.Thread(target=self.trickle, kwargs=arguments) for _ in range(count)]
            for thread in crowd:
                thread.start()
            try:
                time.sleep(SILENCE)
                for _ in range(3):
                    began = time.monotonic()
                    self.hold(server, 1, source="127.0.0.2", timeout=60)
                    self.assertLess(time.monotonic() - began, harness.stretched(2 * SILENCE + 1))
                for connection in kept:
                    self.ask_review(connection)
            finally:
                done.set()
                for thread in crowd:
                    thread.join()

    def test_those_who_only_ever_begin(self):
        """A byte of a handshake or of a request now and then earns no place, nor that of an API server's idle connection."""
        self.assert_keep_nobody_out(b"", bytes.fromhex("1603010200010001fc") + bytes(504), context=None)
        self.assert_keep_nobody_out(b"", wire.post(self.body)[:400])

    def test_those_who_only_begin_another(self):
        """A client that got a verdict and then stops in the next request is cut before an API server that is idle for
        longer."""
        with harness.Server("--max-connections", "12", "--threads", "1") as server:
            kept = self.hold(server, 3, source="127.0.0.2")
            for connection in self.hold(server, 9):
                connection.send(wire.post(self.body)[:1])
            time.sleep(2 * SILENCE)
            for _ in range(9):
                self.assert_served_soon(server)
            for connection in kept:
                self.ask_review(connection)

    def test_those_who_begin_much(self):
        """Nor does it after a large part of a body."""
        whole = wire.post(self.body + b" " * 100000)
        self.assert_keep_nobody_out(whole[:20000], whole[20000:20400], count=32)

    def test_those_who_ask_once(self):
        """A client that got a verdict and then sends the next request byte by byte keeps its place for two seconds if others
        want it."""
        whole = wire.post(self.body)
        done = threading.Event()
        with harness.Server("--max-connections", "8", "--threads", "1") as server:
            held = self.hold(server, 8)

            def go_on():
                for count in range(400):
                    for connection in held:
                        with contextlib.suppress(OSError):
                            connection.send(whole[count:count + 1])
                    if done.wait(0.2):
                        return

            sender = threading.Thread(target=go_on)
            sender.start()
            try:
                time.sleep(SILENCE)
                began = time.monotonic()
                self.hold(server, 1, source="127.0.0.2", timeout=60)
                self.assertLess(time.monotonic() - began, harness.stretched(2 * SILENCE + 1))
            finally:
                done.set()
                sender.join()

    def test_those_who_only_seem_to_ask(self):
        """A part of a record does not count as a request: who sends it when others come is idle again, and goes before API
        servers do."""
        with harness.Server("--max-connections", "8", "--threads", "1") as server:
            held = self.hold(server, 6)
            _, kept = self.hold(server, 2, source="127.0.0.2")
            with server.frozen():
                for connection in held:
                    os.write(connection.socket.fileno(), b"\x17\x03\x03\x40\x00")
                self.addCleanup(server.connect(handshake=False).close)
            time.sleep(SILENCE)
            for number in range(4):
                self.assert_served_soon(server, source=f"127.0.1.{number}")
            self.ask_review(kept)

    def test_a_large_first_request_that_flows(self):
        """A client that sends a large request for longer than that keeps its place, as long as bytes keep coming."""
        body = self.body + b" " * (1 << 20)
        whole = wire.post(body)
        with harness.Server("--max-connections", "3", "--threads", "1") as server, server.connect(timeout=30) as sender:
            for start in range(0, len(whole), 64000):
                sender.send(whole[start:start + 64000])
                time.sleep(SILENCE / 5)
                self.hold(server, 3, timeout=60)
            harness.assert_verdict(self, sender.read(), body)

    def assert_not_blamed(self, first, rest, options, is_served):
        """Where the server stood still after a first part had come, clients that go on a round trip later keep their places."""
        with harness.Server("--max-connections", "24", "--threads", "1") as server:
            clients = [server.connect(**options) for _ in range(22)]
            leaving = [server.connect(handshake=False) for _ in range(2)]
            with server.frozen():
                for client in clients:
                    self.addCleanup(client.close)
                    client.send(first)
                # Two have a place as soon as it goes on, and the others look for one among the clients'.
                for client in leaving:
                    client.close()
                for _ in range(10):
                    self.addCleanup(server.connect(handshake=False).close)
                time.sleep(2 * SILENCE)
            time.sleep(SILENCE / 10)
            for client in clients:
                client.send(rest)
            for client in clients:
                is_served(client)

    def test_a_server_that_stands_still(self):
        """The time during which a client waits for the server does not count against the client."""
        def is_answered(client):
            self.assertGreater(len(client.socket.recv(65536)), 0)
            self.assertFalse(client.has_ended())

        self.assert_not_blamed(wire.client_hello(), b"", {"context": None}, is_answered)
        body = self.body + b" " * 200000
        whole = wire.post(body)
        self.assert_not_blamed(
            whole[:30000], whole[30000:], {}, lambda client: harness.assert_verdict(self, client.read(), body))

    def test_those_who_read_nothing(self):
        """Clients that ask on and read no answer hold no place for longer than two seconds, where others want it."""
        with harness.Server("--max-connections", "12", "--threads", "1") as server:
            deaf = [server.connect(receive_buffer=2048) for _ in range(12)]
            for connection in deaf:
                self.addCleanup(connection.close)
                connection.socket.setblocking(False)
            began = time.monotonic()
            while time.monotonic() - began < 2 * SILENCE:
                for connection in deaf:
                    with contextlib.suppress(OSError):
                        connection.socket.send(wire.post(self.body))
                time.sleep(0.05)
            for _ in range(6):
                self.assert_served_soon(server)

    def test_connections_that_are_never_idle(self):
        """Where every connection always has a request, one that is answered closes, and no client loses an answer."""
        many = wire.post(self.body) * 200
        done = threading.Event()

        def ask_on(server):
            while not done.is_set():
                try:
                    with server.connect(timeout=30) as connection:
                        connection.send(many)
                        while not connection.read().closes:
                            pass
                except (OSError, wire.Closed):
                    pass  # Kept out, for once.

        with harness.Server("--max-connections", "4", "--threads", "1") as server:
            busy = [threading.Thread(target=ask_on, args=(server,)) for _ in range(8)]
            for thread in busy:
                thread.start()
            try:
                for _ in range(5):
                    with server.connect(source="127.0.0.2", timeout=60) as connection:
                        self.ask_review(connection)
            finally:
                done.set()
                for thread in busy:
                    thread.join()

    def test_a_burst_is_not_cut(self):
        """Many at once who all ask are all served: earlier clients are not cut for later ones."""
        def ask(server):
            with server.connect(timeout=30) as connection:
                return connection.review(self.body).status

        with harness.Server("--max-connections", "8", "--threads", "2") as server:
            statuses = harness.in_parallel([lambda: ask(server)] * 60)
            self.assertEqual(set(statuses), {200})


@harness.at_once
class Probes(unittest.TestCase):
    """The second listener always answers, even under load at the first or at itself (outage 27)."""

    def test_idle_connections_do_not_keep_probes_out(self):
        """A client that holds connections to the second listener open does not get the pod killed."""
        with harness.Server() as server:
            idle = [server.connect_plain() for _ in range(100)]
            for connection in idle:
                self.addCleanup(connection.close)
            with server.connect_plain() as probe:
                self.assertEqual(probe.get("/readyz").status, 200)

    def test_under_load(self):
        """While large reviews keep every loop busy, probes are answered at once."""
        body = review("configmap-last-applied-222k")
        done = threading.Event()

        def load(server):
            with server.connect(timeout=60) as connection:
                while not done.is_set():
                    connection.review(body)

        with harness.Server() as server:
            clients = [threading.Thread(target=load, args=(server,)) for _ in range(6)]
            for client in clients:
                client.start()
            took = []
            try:
                for _ in range(100):
                    began = time.monotonic()
                    self.assertEqual(server.probe("/readyz"), 200)
                    took.append(time.monotonic() - began)
            finally:
                done.set()
                for client in clients:
                    client.join()
            # Most of them: a busy machine may keep any single one waiting.
            self.assertLess(sorted(took)[90], harness.stretched(1), "the kubelet's default timeout of a probe")

    def test_answers_that_nobody_reads(self):
        """Clients that ask on and on and read nothing are not the server's fault: a probe gets their place."""
        with harness.Server() as server:
            deaf = [server.connect_plain(receive_buffer=2048) for _ in range(64)]
            for _ in range(2):
                for connection in deaf:
                    self.addCleanup(connection.close)
                    connection.socket.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        connection.socket.send(wire.request("GET", "/metrics") * 50)
                time.sleep(1)
            began = time.monotonic()
            self.assertEqual(server.probe("/healthz"), 200)
            # Ten seconds is when they would be cut anyway. Their requests take long in a slow build.
            self.assertLess(time.monotonic() - began, harness.stretched(8))

    def test_it_serves_nothing_else(self):
        """No review is taken over plain HTTP."""
        body = review("csa-image")
        with harness.Server() as server:
            for path in ("/validate", "/validate/warn", "/", "/metrics2"):
                with server.connect_plain() as connection:
                    self.assertEqual(connection.review(body, path).status, 404 if len(body) < 4096 else 413)

    def test_both_listeners_answer_probes(self):
        """The kubelet may probe either: GET and HEAD, over HTTP and HTTPS."""
        with harness.Server() as server:
            for connect in (server.connect, server.connect_plain):
                with connect() as connection:
                    for path in ("/healthz", "/readyz", "/readyz?verbose"):
                        self.assertEqual(connection.get(path).status, 200)
                        self.assertEqual(connection.get(path, "HEAD").status, 200)
                    closing = wire.request("GET", "/readyz", headers=[("Connection", "close"), ("User-Agent", "kube-probe/1.36")])
                    self.assertTrue(connection.exchange(closing).closes)

    def test_without_a_second_listener(self):
        """--metrics-listen "" means none."""
        with harness.Server() as server:
            flags = [*server.flags]
        flags[flags.index("--metrics-listen") + 1] = ""
        process = subprocess.Popen([harness.Program.path, *flags], stderr=subprocess.PIPE)
        line = process.stderr.readline()
        process.terminate()
        process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"listening", line)
        self.assertNotIn(b"metricsAddress", line)


if __name__ == "__main__":
    harness.main()
