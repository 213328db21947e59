"""Others are still served if a client sends more than its share, and that client loses nothing."""

import json
import threading
import time
import unittest

import harness
import wire
from harness import review

FLOODERS = 4
REQUESTS = 120

# Requests of one connection that are served before the loop looks at the others again.
SHARE = 8

# Waiting for one turn among others takes less, even on a busy machine.
PATIENCE = 5

# A story that is small, so that many fit into what the kernel holds for a connection, and has a line in the log.
SMALL = "applyset-member-of-none"


def named(name):
    """The small review, of an object of this name."""
    body = json.loads(review(SMALL))
    body["request"]["name"] = name
    body["request"]["object"]["metadata"]["name"] = name
    return json.dumps(body).encode()


def names_in_order(server):
    """The clients whose reviews were judged, in order; None for lines that the log had to drop."""
    names = []
    for line in server.log("review"):
        names += [None] * line.get("linesDropped", 0) + [line["name"]]
    return names


class Fairness(unittest.TestCase):
    def test_pipelined_floods(self):
        """Four clients have sent hundreds of requests in one piece; who asks once is served among the first."""
        with harness.Server("--threads", "1") as server:
            flooders = [server.connect(timeout=60) for _ in range(FLOODERS)]
            first, last = server.connect(timeout=60), server.connect(timeout=60)
            for connection in [first, last, *flooders]:
                self.addCleanup(connection.close)
            with server.frozen():
                first.send(wire.post(named("first")))
                for connection in flooders:
                    connection.send(wire.post(named("flood")) * REQUESTS)
                last.send(wire.post(named("last")))
            for connection in (first, last):
                self.assertEqual(connection.read().status, 200)
            for connection in flooders:
                statuses = {connection.read().status for _ in range(REQUESTS)}
                self.assertEqual(statuses, {200}, "what waited for its turn is answered too")
            harness.wait_until(lambda: len(names_in_order(server)) > FLOODERS * REQUESTS + 1, what="all lines of the log")
            for name in ("first", "last"):
                before = names_in_order(server).index(name)
                self.assertLessEqual(before, FLOODERS * SHARE * 3, "the flood went first")

    def test_steady_floods(self):
        """While four clients send in bursts without end, one that waits for each answer gets its own in turn."""
        done = threading.Event()
        served = []

        def flood(server):
            burst = wire.post(named("flood")) * 20
            with server.connect(timeout=60) as connection:
                while not done.is_set():
                    connection.send(burst)
                    served.extend(connection.read().status for _ in range(20))

        with harness.Server("--threads", "1") as server, server.connect(timeout=60) as polite:
            flooders = [threading.Thread(target=flood, args=(server,)) for _ in range(FLOODERS)]
            for flooder in flooders:
                flooder.start()
            slowest = 0
            try:
                for _ in range(100):
                    began = time.monotonic()
                    self.assertEqual(polite.review(named("polite")).status, 200)
                    slowest = max(slowest, time.monotonic() - began)
            finally:
                done.set()
                for flooder in flooders:
                    flooder.join()
            self.assertLess(slowest, harness.stretched(PATIENCE))
            self.assertEqual(set(served), {200})

    def test_clients_that_go_while_they_wait(self):
        """Requests that wait for their turn go with their connection, and nothing is left of them."""
        with harness.Server("--threads", "1") as server:
            before = server.connections()
            for _ in range(20):
                connections = [server.connect() for _ in range(FLOODERS)]
                with server.frozen():
                    for connection in connections:
                        connection.send(wire.post(named("flood")) * REQUESTS)
                for index, connection in enumerate(connections):
                    time.sleep(0.001 * index)
                    connection.abort()
            harness.wait_until(lambda: server.connections() <= before, what="sockets closed")
            self.assertEqual(server.review(named("polite")).status, 200)

    def test_stop_while_requests_wait(self):
        """A server that is stopped with requests waiting still ends in time and in order."""
        with harness.Server("--threads", "1", "--grace-period", "2s") as server:
            connection = server.connect()
            self.addCleanup(connection.close)
            connection.send(wire.post(named("flood")) * REQUESTS)


if __name__ == "__main__":
    harness.main()
