"""Scales with --lookup: judged by the scaled object, which comes from an API server that may be slow, wrong or away.

Whatever that does, a scale is answered soon, and other reviews do not wait for it.
"""

import contextlib
import json
import threading
import time
import unittest

import api_server
import harness
import wire
from test_metrics import samples, total

SCALE = json.loads(harness.review("scale-subresource"))
NAMESPACE, NAME = SCALE["request"]["namespace"], SCALE["request"]["name"]
UID = SCALE["request"]["oldObject"]["metadata"]["uid"]
VERSION = SCALE["request"]["oldObject"]["metadata"]["resourceVersion"]
PATH = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/{NAME}"
# How long a lookup may take, and time for a busy machine.
LOOKUP_SECONDS, PATIENCE_SECONDS = 1, 8
# Look-ups that are not done, and calls at a time.
LOOKUPS_MAX, PARALLEL = 256, 16
WARNING = (f"applyguard: Deployment {NAMESPACE}/{NAME}: this request changes replicas, which kubectl apply --server-side manages: "
           "the next apply fails or undoes this; change the manifest [ownership-conflict]")
NOT_FETCHED = "a scaled object could not be fetched, its scale is not judged"


def deployment(**metadata):
    return {
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": NAME, "namespace": NAMESPACE, "uid": UID, "resourceVersion": VERSION, "managedFields": [
            {"manager": "kubectl", "operation": "Apply", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
             "fieldsV1": {"f:spec": {"f:replicas": {}}}}], **metadata},
        "spec": {"replicas": 3}}


def scale(version=VERSION, **specs):
    """The review, of an object at this version; `object` and `oldObject` may be given another spec."""
    review = json.loads(json.dumps(SCALE))
    for side in ("object", "oldObject"):
        review["request"][side]["metadata"]["resourceVersion"] = version
        review["request"][side]["spec"] = specs.get(side, review["request"][side]["spec"])
    return json.dumps(review).encode()


class ApiServer(api_server.ApiServer):
    """Answers every request with a status and a body, once it may, some seconds later; Events not until the end."""

    def __init__(self, status=200, body=None, seconds=0):
        self.status, self.body, self.seconds = status, deployment() if body is None else body, seconds
        self.has_ended = threading.Event()
        self.lock, self.at_once, self.most_at_once = threading.Lock(), 0, 0
        super().__init__()

    def answer(self, method, path, body):
        if method == "POST":
            self.has_ended.wait(60)
        self.count(1)
        time.sleep(self.seconds)
        self.count(-1)
        return self.status, self.body

    def count(self, change):
        with self.lock:
            self.at_once += change
            self.most_at_once = max(self.most_at_once, self.at_once)

    def stop(self):
        self.has_ended.set()
        super().stop()

    @property
    def asked(self):
        return [(each.path, each.authorization) for each in self.requests]


class Scales(unittest.TestCase):
    def serve(self, api, *flags):
        server = harness.Server("--lookup", "--kubeconfig", api.kubeconfig(), "--threads", "1", *flags)
        self.addCleanup(server.stop)
        return server

    def api(self, *arguments, **options):
        api = ApiServer(*arguments, **options)
        self.addCleanup(api.stop)
        return api

    def ask(self, server, body=None):
        body = body or scale()
        return harness.assert_verdict(self, server.review(body), body, allowed=True)

    def ask_at_once(self, server, count):
        """The verdicts on so many scales, each of another version of the object; and how long all of them took."""
        with contextlib.ExitStack() as stack:
            bodies = [scale(f"{number}") for number in range(count)]
            connections = [stack.enter_context(server.connect()) for _ in bodies]
            begin = time.monotonic()
            for connection, body in zip(connections, bodies):
                connection.send(wire.post(body))
            answers = [connection.read() for connection in connections]
            seconds = time.monotonic() - begin
        return [harness.assert_verdict(self, *each, allowed=True) for each in zip(answers, bodies)], seconds

    def outcomes(self, server):
        values = samples(server)
        names = ("fetched", "kept", "failed", "late", "overloaded")
        counts = {name: total(values, "applyguard_scale_lookups_total", outcome=name) for name in names}
        return {name: count for name, count in counts.items() if count}

    def test_a_scale_is_judged_by_its_object(self):
        """Protects what is declared from people who scale by hand: the warning says what will happen to the scale."""
        api = self.api()
        server = self.serve(api)
        self.assertEqual([WARNING], self.ask(server)["warnings"])
        self.assertEqual([(PATH, "Bearer s3cr3t")], api.asked)
        [line] = server.wait_for_log("review")
        self.assertEqual(("Deployment.apps", "scale"), (line["kind"], line["subresource"]))
        self.assertEqual({"fetched": 1}, self.outcomes(server))

    def test_scaling_to_zero_and_from_it(self):
        """Protects who stops everything, as KEDA does each night: the API server leaves zeros out."""
        server = self.serve(self.api())
        zeros = ({}, {"replicas": 0}, {"replicas": None}, None)
        for spec in zeros:
            self.assertEqual([WARNING], self.ask(server, scale(object=spec))["warnings"])
            self.assertEqual([WARNING], self.ask(server, scale(oldObject=spec))["warnings"])
            for other in zeros:
                self.assertNotIn("warnings", self.ask(server, scale(object=spec, oldObject=other)))
        self.assertEqual([WARNING], self.ask(server)["warnings"], "it goes on serving")

    def test_without_the_flag_nothing_is_asked(self):
        """Protects who does not want it: the scale is allowed, with no word."""
        with harness.Server() as server:
            self.assertNotIn("warnings", self.ask(server))
            self.assertEqual({}, self.outcomes(server))

    def test_an_object_is_fetched_once_for_each_of_its_versions(self):
        """Protects the API server from one question twice, and verdicts from what is not true any more."""
        api = self.api()
        server = self.serve(api)
        for version, asked in ((VERSION, 1), (VERSION, 1), ("261", 2), (VERSION, 2)):
            self.assertEqual([WARNING], self.ask(server, scale(version))["warnings"])
            self.assertEqual(asked, len(api.asked))
        self.assertEqual({"fetched": 2, "kept": 2}, self.outcomes(server))

    def test_a_forged_review_leaves_nothing_behind(self):
        """Protects verdicts from clients that reach the port: a scale of another object, with this one's uid and version."""
        api = self.api()
        server = self.serve(api)
        forged = json.loads(scale())
        forged["request"]["name"] = "another"
        api.body = deployment(name="another", uid="another")
        self.assertNotIn("warnings", self.ask(server, json.dumps(forged).encode()))
        api.body = deployment()
        self.assertEqual([WARNING], self.ask(server)["warnings"])
        self.assertEqual({"fetched": 2}, self.outcomes(server))

    def test_what_is_no_scale_asks_nothing(self):
        """Protects the API server: only for scales of known kinds that change something."""
        api = self.api()
        server = self.serve(api)
        for story in harness.stories():
            if story != "scale-subresource":
                server.review(harness.review(story))
        self.assertEqual([], api.asked)

    def test_an_object_that_cannot_be_had_is_reported(self):
        """Protects who forgot the permission: scales go on, unjudged, and log and metric say why."""
        status = {"kind": "Status", "reason": "Forbidden", "message": "deployments.apps is forbidden", "code": 403}
        server = self.serve(self.api(403, status))
        self.assertNotIn("warnings", self.ask(server))
        [line] = server.wait_for_log(NOT_FETCHED)
        self.assertEqual((PATH, "403 Forbidden: deployments.apps is forbidden"), (line["object"], line["reason"]))
        self.assertEqual({"failed": 1}, self.outcomes(server))

    def test_what_is_not_the_object_judges_nothing(self):
        """Protects from blame for what belongs to another object of that name, or to none."""
        for body in (deployment(uid="another"), deployment(managedFields=None), [], {"kind": "Deployment"}, "x"):
            with self.subTest(body=body):
                server = self.serve(self.api(200, body))
                self.assertNotIn("warnings", self.ask(server))

    def test_an_api_server_that_hangs_holds_nobody(self):
        """Protects everybody else: one loop goes on serving, and the scale is answered when the time is up."""
        api = self.api()
        server = self.serve(api)
        api.may_answer.clear()
        body = scale()
        with server.connect() as waiting:
            begin = time.monotonic()
            waiting.send(wire.post(body))
            harness.wait_until(lambda: api.asked, what="the question")
            for _ in range(20):
                other = time.monotonic()
                server.review(harness.review("edit-ssa"))
                self.assertLess(time.monotonic() - other, harness.stretched(LOOKUP_SECONDS), "another had to wait")
            verdict = harness.assert_verdict(self, waiting.read(), body, allowed=True)
            self.assertLess(time.monotonic() - begin, harness.stretched(LOOKUP_SECONDS + PATIENCE_SECONDS))
        self.assertNotIn("warnings", verdict)
        self.assertEqual({"failed": 1}, self.outcomes(server))

    def test_too_many_scales_are_not_judged(self):
        """Protects from a crowd: what finds no room is allowed at once, what comes too late when its time is up."""
        api = self.api()
        server = self.serve(api)
        api.may_answer.clear()
        count = LOOKUPS_MAX + 40
        verdicts, seconds = self.ask_at_once(server, count)
        self.assertLess(seconds, harness.stretched(LOOKUP_SECONDS + PATIENCE_SECONDS))
        self.assertEqual([], [verdict for verdict in verdicts if "warnings" in verdict])
        outcomes = self.outcomes(server)
        self.assertEqual(count, sum(outcomes.values()))
        self.assertGreaterEqual(outcomes["overloaded"], 1)
        self.assertGreaterEqual(outcomes["late"], 1)

    def test_many_scales_at_once_are_judged(self):
        """Protects what is declared when everything scales at once: no scale waits for the answers to all others."""
        api = self.api(seconds=0.05)
        server = self.serve(api)
        verdicts, seconds = self.ask_at_once(server, 60)
        judged = [verdict for verdict in verdicts if verdict.get("warnings") == [WARNING]]
        self.assertIn(api.most_at_once, range(2, PARALLEL + 1))
        # A machine so busy that all of it takes longer may be late with some.
        if seconds < LOOKUP_SECONDS:
            self.assertEqual(60, len(judged), self.outcomes(server))

    def test_none_is_begun_that_cannot_end_in_time(self):
        """Protects a slow API server from questions whose answers are not needed any more: those scales are allowed."""
        api = self.api(seconds=0.9)
        server = self.serve(api)
        verdicts, _ = self.ask_at_once(server, 60)
        outcomes = self.outcomes(server)
        self.assertEqual(60, sum(outcomes.values()))
        self.assertGreaterEqual(outcomes["late"], 60 - 2 * PARALLEL, outcomes)
        judged = [verdict for verdict in verdicts if "warnings" in verdict]
        self.assertEqual(outcomes.get("fetched", 0), len(judged), outcomes)

    def test_events_hold_no_scale(self):
        """Protects scales from what is written meanwhile: an Event without an answer delays none."""
        api = self.api()
        server = self.serve(api, "--events")
        self.ask(server)
        harness.wait_until(lambda: "POST" in [each.method for each in api.requests], what="the Event of the first")
        self.assertEqual([WARNING], self.ask(server, scale("261"))["warnings"])

    def test_a_client_that_leaves_is_not_answered(self):
        """Protects the server's memory: the request is gone before its object comes."""
        api = self.api()
        server = self.serve(api, "--max-connections", "4")
        api.may_answer.clear()
        for _ in range(8):
            with server.connect() as leaving:
                leaving.send(wire.post(scale()))
                harness.wait_until(lambda: server.has_read_all(leaving), what="the request to be read")
        api.may_answer.set()
        self.assertEqual([WARNING], self.ask(server)["warnings"])

    def test_a_shutdown_does_not_wait_for_the_api_server(self):
        """Protects the grace period: the scale is answered and the process ends, although the API server does not answer."""
        api = self.api()
        server = self.serve(api)
        api.may_answer.clear()
        body = scale()
        with server.connect() as waiting:
            waiting.send(wire.post(body))
            harness.wait_until(lambda: api.asked, what="the question")
            begin = time.monotonic()
            server.process.terminate()
            harness.assert_verdict(self, waiting.read(), body, allowed=True)
        server.wait()
        self.assertLess(time.monotonic() - begin, harness.stretched(LOOKUP_SECONDS + PATIENCE_SECONDS))

    def test_a_second_signal_ends_it_at_once(self):
        """Protects who cannot wait: calls in progress are abandoned."""
        api = self.api()
        server = self.serve(api, "--drain-delay", "10s")
        api.may_answer.clear()
        with server.connect() as waiting:
            waiting.send(wire.post(scale()))
            harness.wait_until(lambda: api.asked, what="the question")
            server.process.terminate()
            server.wait_for_log("draining")
            server.process.terminate()
            server.wait()

    def test_two_signals_while_more_scales_come(self):
        """Protects the exit: what the loops still ask for while they end is refused, by what is still there."""
        api = self.api()
        api.may_answer.clear()
        for _ in range(3):
            api.requests.clear()
            server = self.serve(api, "--drain-delay", "10s")
            with contextlib.ExitStack() as stack:
                connections = [stack.enter_context(server.connect()) for _ in range(8)]
                for number, connection in enumerate(connections):
                    connection.send(b"".join(wire.post(scale(f"{number}-{each}")) for each in range(200)))
                harness.wait_until(lambda: api.asked, what="the question")
                server.process.terminate()
                time.sleep(0.03)
                server.process.terminate()
                server.wait()

    def test_no_way_to_the_api_server_is_no_start(self):
        """Protects who asked for it: outside of a cluster it cannot be, and that is said at once."""
        certificate = harness.Certificate()
        flags = ("serve", "--lookup", "--tls-cert", certificate.certificate, "--tls-key", certificate.key,
                 "--listen", "127.0.0.1:0", "--metrics-listen", "")
        done = harness.run(harness.Program.path, *flags)
        self.assertEqual(2, done.returncode)
        self.assertIn(b"--lookup: this is not a pod", done.stderr)
        broken = harness.temporary_directory() / "kubeconfig"
        broken.write_text("current-context: a\ncontexts: 7\n")
        done = harness.run(harness.Program.path, *flags, "--kubeconfig", str(broken))
        self.assertEqual(2, done.returncode)
        self.assertIn(f"--lookup: --kubeconfig: {broken}:2:11: ".encode(), done.stderr)


if __name__ == "__main__":
    harness.main()
