"""Requests that come to a loop together are read, then judged, then answered: each client gets its own answer."""

import json
import time
import unittest

import harness
import wire
from harness import review

STORY = "csa-image"
ROUNDS = 5


def asked(uid, filler=""):
    """The recorded review under another uid, and with as much filler in its object."""
    body = json.loads(review(STORY))
    body["request"]["uid"] = uid
    body["request"]["object"]["metadata"]["annotations"]["filler"] = filler
    return json.dumps(body).encode()


def large(uid):
    """A review that others are not to wait for."""
    return asked(uid, "x" * 200000)


class Stages(unittest.TestCase):
    def at_once(self, server, sent):
        """Sends each on a connection of its own, all before the server can look, and leaves the reading to the caller."""
        connections = [server.connect() for _ in sent]
        for connection in connections:
            self.addCleanup(connection.close)
        with server.frozen():
            for connection, data in zip(connections, sent):
                connection.send(data)
        return connections

    def test_each_gets_its_own_answer(self):
        """Small and large reviews, broken ones, and other requests, all in one turn."""
        with harness.Server("--threads", "1") as server:
            for _ in range(ROUNDS):
                bodies = [asked("first"), large("second"), asked("third"), large("fourth"), asked("fifth")]
                others = [wire.post(b"{"), wire.request("GET", "/healthz"), wire.request("GET", "/nothing")]
                connections = self.at_once(server, [wire.post(body) for body in bodies] + others)
                for connection, body in zip(connections, bodies):
                    harness.assert_verdict(self, connection.read(), body)
                statuses = [connection.read().status for connection in connections[len(bodies):]]
                self.assertEqual(statuses, [400, 200, 404])

    def test_connections_serve_on(self):
        """After a turn with several requests, each connection takes the next ones."""
        with harness.Server("--threads", "1") as server:
            bodies = [asked(f"uid-{index}") for index in range(8)]
            connections = self.at_once(server, [wire.post(body) for body in bodies])
            for _ in range(ROUNDS):
                for connection, body in zip(connections, bodies):
                    harness.assert_verdict(self, connection.read(), body)
                    connection.send(wire.post(body))
            for connection, body in zip(connections, bodies):
                harness.assert_verdict(self, connection.read(), body)

    def test_whoever_goes_is_not_missed(self):
        """Connections that are reset around their turn do not cost other clients their answers."""
        with harness.Server("--threads", "1") as server:
            before = server.connections()
            for index in range(20):
                bodies = [asked(f"uid-{number}") for number in range(6)]
                connections = self.at_once(server, [wire.post(body) for body in bodies])
                time.sleep(0.0005 * index)
                for connection in connections[::2]:
                    connection.abort()
                for connection, body in list(zip(connections, bodies))[1::2]:
                    harness.assert_verdict(self, connection.read(), body)
                    connection.close()
            harness.wait_until(lambda: server.connections() <= before, what="sockets closed")


if __name__ == "__main__":
    harness.main()
