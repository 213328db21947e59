"""More connections than there is room for: the rest wait their turn, and the server neither spins nor dies."""

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


# Longer than a connection may be silent when others wait.
SILENCE = 2


class Crowd:
    """Connections that are served, and more that have to wait."""

    def __init__(self, server, served, waiting):
        self.server = server
        self.body = review("csa-image")
        self.served = [server.connect() for _ in range(served)]
        for connection in self.served:
            connection.review(self.body)
        self.waiting = [server.connect(handshake=False, timeout=30) for _ in range(waiting)]

    def close(self):
        for connection in self.served + self.waiting:
            connection.close()

    def serve_all(self):
        """The served ones ask once more and leave, the waiting ones handshake, ask and leave; all statuses."""
        statuses = [connection.review(self.body).status for connection in self.served]
        for connection in self.served:
            connection.close()

        def take_turn(connection):
            with connection:
                connection.socket.do_handshake()
                return connection.review(self.body).status

        turns = harness.in_parallel([lambda connection=connection: take_turn(connection) for connection in self.waiting])
        return statuses + turns


def idle_share(server, seconds=1.0):
    """The share of one processor that the server takes while nothing is asked of it."""
    time.sleep(0.2)  # What was just asked may still be under way.
    began, used = time.monotonic(), server.cpu_seconds()
    time.sleep(seconds)
    return (server.cpu_seconds() - used) / (time.monotonic() - began)


@harness.at_once
class Limits(unittest.TestCase):
    def _check_crowd(self, server, served, waiting):
        crowd = Crowd(server, served, waiting)
        self.addCleanup(crowd.close)
        self.assertLess(idle_share(server), IDLE_SHARE, "connections that wait make the server spin")
        self.assertEqual(server.probe("/readyz"), 200, "probes do not depend on the load of the webhook")
        self.assertEqual(server.probe("/healthz"), 200)
        self.assertTrue(server.is_running(), server.tail())
        self.assertEqual(set(crowd.serve_all()), {200}, "those that waited are served when others leave")

    def test_more_than_max_connections(self):
        """At --max-connections the listener rests; whoever waits is served when another leaves."""
        with harness.Server("--max-connections", str(MAX_CONNECTIONS)) as server:
            before = server.connections()
            crowd = Crowd(server, MAX_CONNECTIONS, 30)
            self.assertLessEqual(server.connections(), before + MAX_CONNECTIONS)
            crowd.close()
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
        with harness.Server() as server:
            open_now = len(server.open_files())
            highest = max(int(file.name) for file in pathlib.Path(f"/proc/{server.pid}/fd").iterdir())
            _, hard = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
            resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (highest + 9, hard))
            served = [server.connect() for _ in range(highest + 8 - open_now)]
            waiting = [server.connect(handshake=False, timeout=30) for _ in range(20)]
            server.wait_for_log("connections have to wait")
            self.assertLess(idle_share(server, seconds=2), IDLE_SHARE, "accept4 that fails makes the server spin")
            self.assertLess(len(server.log("connections have to wait")), 12)
            body = review("csa-image")
            self.assertEqual({connection.review(body).status for connection in served}, {200})
            resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (4096, hard))
            for connection in waiting:
                connection.socket.do_handshake()
                harness.assert_verdict(self, connection.review(body), body)
            for connection in served + waiting:
                connection.close()

    def test_silent_connections_do_not_keep_others_out(self):
        """Whoever takes all connections and asks nothing makes an API server wait for seconds, not for ever."""
        body = review("csa-image")
        with harness.Server("--max-connections", str(MAX_CONNECTIONS), "--threads", "2") as server:
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
                with server.connect(timeout=20) as late:
                    self.assertEqual(late.review(body).status, 200)
            for connection in asked:
                self.assertEqual(connection.review(body).status, 200, "who has asked once stays")
            with server.connect_plain() as scraper:
                evicted = re.search(rb"applyguard_connections_evicted_total (\d+)", scraper.get("/metrics").body)
            self.assertGreater(int(evicted.group(1)), MAX_CONNECTIONS)

    def test_idle_without_clients(self):
        """A server that nobody asks anything takes no processor to speak of."""
        with harness.Server() as server:
            self.assertLess(idle_share(server), 0.05)


@harness.at_once
class Probes(unittest.TestCase):
    """The second listener answers whatever happens at the first, or at itself (outage 27)."""

    def test_idle_connections_do_not_keep_probes_out(self):
        """Whoever holds connections to the second listener open does not get the pod killed."""
        with harness.Server() as server:
            idle = [server.connect_plain() for _ in range(100)]
            for connection in idle:
                self.addCleanup(connection.close)
            began = time.monotonic()
            with server.connect_plain(timeout=5) as probe:
                self.assertEqual(probe.get("/readyz").status, 200)
            self.assertLess(time.monotonic() - began, 1)

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
            self.assertLess(max(took), 1, "the kubelet's default timeout of a probe")

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
