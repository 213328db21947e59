"""Events of findings with --events: sent to an API server that may be slow, unwilling or away.

Whatever that does, reviews are answered as ever.
"""

import calendar
import datetime
import json
import time
import unittest

import api_server
import harness
from test_metrics import samples, total

REVIEW = json.loads(harness.review("edit-ssa"))
NAMESPACE, NAME = REVIEW["request"]["namespace"], REVIEW["request"]["name"]
UID = REVIEW["request"]["object"]["metadata"]["uid"]
COLLECTION = f"/api/v1/namespaces/{NAMESPACE}/events"
OUTCOMES = ("sent", "aggregated", "limited", "dropped", "failed")
# Events of one object at once, of one namespace, and of all.
BURST, NAMESPACE_BURST, ALL_BURST = 25, 50, 200
# The time that the end may take for the last Events, and time for a busy machine.
FLUSH_SECONDS, PATIENCE_SECONDS = 1, 8
NOT_RECORDED = "an Event could not be recorded"


class ApiServer(api_server.ApiServer):
    """Keeps Events, or refuses every request with a Status."""

    def __init__(self):
        self.refusal = None
        self.events = {}
        super().__init__()

    def answer(self, method, path, body):
        path, _, query = path.partition("?")
        assert query == "fieldManager=applyguard", query
        if self.refusal:
            return self.refusal, {"kind": "Status", "reason": "Forbidden", "message": "events is forbidden", "code": self.refusal}
        if method == "POST":
            path += "/" + body["metadata"]["name"]
            if path in self.events:
                return 409, {}
            self.events[path] = body
            return 201, body
        if path not in self.events:
            return 404, {}
        event = self.events[path]
        event.update(body, metadata={**event["metadata"], **body["metadata"]})
        return 200, self.events[path]


def review(uid=UID, name=NAME, **request):
    """The review, of this object."""
    changed = json.loads(json.dumps(REVIEW))
    changed["request"].update({"name": name, **request})
    for side in ("object", "oldObject"):
        changed["request"][side]["metadata"].update(uid=uid, name=name)
    return json.dumps(changed).encode()


def time_of(line):
    """By the server's own clock."""
    return datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00")).timestamp()


class Events(unittest.TestCase):
    def serve(self, *flags, api=None, events=True, policy=None):
        self.api = api or ApiServer()
        self.addCleanup(self.api.stop)
        if events:
            flags += ("--events", "--kubeconfig", self.api.kubeconfig())
        server = harness.Server(*flags, policy=policy)
        self.addCleanup(server.stop)
        return server

    def outcomes(self, server):
        values = samples(server)
        counts = {name: total(values, "applyguard_events_total", outcome=name) for name in OUTCOMES}
        return {name: count for name, count in counts.items() if count}

    def wait_for(self, server, **outcomes):
        harness.wait_until(lambda: self.outcomes(server) == outcomes, what=f"{outcomes}")

    def test_a_finding_becomes_an_event_of_its_object(self):
        """Protects who looks at the object: the Event is there, about it, with the words that others are warned with."""
        server = self.serve()
        answer = json.loads(server.review(review(), "/validate/audit").body)
        self.assertNotIn("warnings", answer["response"])
        self.wait_for(server, sent=1)
        [asked] = self.api.requests
        self.assertEqual(("POST", f"{COLLECTION}?fieldManager=applyguard", "Bearer s3cr3t", "application/json"),
                         (asked.method, asked.path, asked.authorization, asked.content_type))
        [event] = self.api.events.values()
        self.assertEqual({"apiVersion": "apps/v1", "kind": "Deployment", "namespace": NAMESPACE, "name": NAME, "uid": UID},
                         event["involvedObject"])
        self.assertEqual(("OwnershipConflict", "Warning", 1), (event["reason"], event["type"], event["count"]))
        self.assertTrue(event["message"].startswith(f"Deployment {NAMESPACE}/{NAME}: kubectl edit changes "), event["message"])
        told = calendar.timegm(time.strptime(event["lastTimestamp"], "%Y-%m-%dT%H:%M:%SZ"))
        self.assertLess(abs(told - time.time()), 60)

    def test_what_a_controller_is_warned_of(self):
        """Protects admins from warnings that a controller alone is given, which never reads them: a label finds them, and
        a repetition is one Event as always."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
        server = self.serve(policy=policy)
        server.review(harness.by_controller())
        server.review(harness.by_controller())
        self.wait_for(server, sent=1, aggregated=1)
        [event] = self.api.events.values()
        self.assertEqual({"applyguard.io/action": "warn", "applyguard.io/policy-action": "warn", "applyguard.io/unattended": "true"},
                         event["metadata"]["labels"])

    def test_what_enforcing_would_refuse(self):
        """Protects who is about to enforce: the Event says it, to people and by a label, until it is refused indeed."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
        server = self.serve(policy=policy)
        for path, action, said in (("/validate/audit", "audit", "would be refused if enforced: "),
                                   ("/validate/warn", "warn", "would be refused if enforced: "),
                                   ("/validate", "deny", "refused: ")):
            before = len(self.api.requests)
            server.review(review(), path)
            harness.wait_until(lambda: len(self.api.requests) > before and sum(self.outcomes(server).values()) > before, what="the Event")
            [event] = self.api.events.values()
            self.assertEqual({"applyguard.io/action": action, "applyguard.io/policy-action": "deny", "applyguard.io/unattended": "false"},
                             event["metadata"]["labels"])
            self.assertTrue(event["message"].startswith(said), event["message"])

    def test_without_the_flag_nothing_is_reported(self):
        """Protects who does not want it: no call is made."""
        server = self.serve("--kubeconfig", "nowhere", events=False)
        server.review(review())
        self.assertEqual({}, self.outcomes(server))

    def test_a_repetition_raises_the_count(self):
        """Protects `kubectl get events` from a line for each edit: the first Event counts them, until it is deleted."""
        server = self.serve()
        for count in range(1, 4):
            server.review(review())
            self.wait_for(server, sent=1, **({"aggregated": count - 1} if count > 1 else {}))
        [(path, event)] = self.api.events.items()
        self.assertEqual(3, event["count"])
        self.assertEqual(["POST", "PATCH", "PATCH"], [each.method for each in self.api.requests])
        self.assertEqual("application/merge-patch+json", self.api.requests[-1].content_type)
        self.assertEqual(f"{path}?fieldManager=applyguard", self.api.requests[-1].path)
        self.api.events.clear()
        server.review(review())
        self.wait_for(server, sent=2, aggregated=2)
        self.assertEqual([4], [each["count"] for each in self.api.events.values()])

    def test_each_rule_has_an_event_and_no_more(self):
        """Protects from one line for each field: six findings by two rules are two Events."""
        server = self.serve()
        server.review(harness.review("replace"))
        self.wait_for(server, sent=2)
        messages = {each["reason"]: each["message"] for each in self.api.events.values()}
        self.assertEqual({"OwnershipConflict", "LastAppliedMissing"}, set(messages))
        self.assertTrue(messages["OwnershipConflict"].endswith("; and 4 more of this kind"), messages)

    def test_what_was_not_written_has_no_event(self):
        """Protects from Events of requests that changed nothing: dry runs, and what is found of Events themselves."""
        server = self.serve()
        server.review(review(dryRun=True))
        server.review(review(kind={"group": "", "version": "v1", "kind": "Event"}))
        server.review(review(name="told"))
        self.wait_for(server, sent=1)
        self.assertEqual(["told"], [each["involvedObject"]["name"] for each in self.api.events.values()])

    def test_what_is_waived_has_no_event(self):
        """Protects users who waived the finding: no write brings an Event of it."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nwaivers: {rules: [ownership-conflict]}\n")
        server = self.serve("--policy", str(policy))
        waived = json.loads(review(uid="waived"))
        for side in ("object", "oldObject"):
            waived["request"][side]["metadata"].setdefault("annotations", {})["applyguard.io/waive"] = "ownership-conflict"
        server.review(json.dumps(waived).encode())
        [line] = server.wait_for_log("review")
        self.assertIn("ownership-conflict", line["rules"])
        server.review(review())
        self.wait_for(server, sent=1)
        self.assertEqual([UID], [each["involvedObject"]["uid"] for each in self.api.events.values()])

    def test_every_recorded_review_can_be_reported(self):
        """Protects from what only real objects have: each finding in the recorded reviews is taken, or limited."""
        server = self.serve()
        for story in harness.stories():
            server.review(harness.review(story))
        server.review(review(uid="the-last", namespace="another"))
        harness.wait_until(lambda: "the-last" in [each["involvedObject"]["uid"] for each in self.api.events.copy().values()],
                           what="the last Event")
        self.assertFalse({"failed", "dropped"} & set(self.outcomes(server)))
        self.assertGreaterEqual(len(self.api.events), 40)

    def test_one_object_is_limited(self):
        """Protects the API server from a fight over one field; the metric says what was kept from it."""
        server = self.serve()
        with server.connect() as connection:
            for _ in range(BURST + 5):
                connection.review(review())
        self.wait_for(server, sent=1, aggregated=BURST - 1, limited=5)
        self.assertEqual(BURST, len(self.api.requests))

    def test_a_flood_of_one_namespace_hides_no_other(self):
        """Protects what is found elsewhere: four hundred Events of one namespace leave room for another namespace's."""
        server = self.serve()
        with server.connect() as connection:
            for number in range(400):
                connection.review(review(uid=f"u-{number}"))
            for number in range(10):
                connection.review(review(uid=f"other-{number}", namespace="another"))
        harness.wait_until(lambda: len(self.told_in("another")) == 10, what="the Events of the other namespace")
        self.assertGreaterEqual(self.outcomes(server)["limited"], 400 - NAMESPACE_BURST - 60)

    def told_in(self, namespace):
        return [event for event in self.api.events.copy().values() if event["metadata"]["namespace"] == namespace]

    def test_a_refusal_is_counted_and_reported_once(self):
        """Protects who forgot the permission, and the log: one line says what is missing, and reviews go on."""
        api = ApiServer()
        api.refusal = 403
        server = self.serve(api=api)
        for number in range(5):
            self.assertEqual(200, server.review(review(uid=f"u-{number}")).status)
        self.wait_for(server, failed=5)
        [line] = server.log(NOT_RECORDED)
        self.assertEqual(("Deployment", NAMESPACE, NAME, "403 Forbidden: events is forbidden"),
                         tuple(line[key] for key in ("kind", "namespace", "name", "reason")))
        self.assertEqual(5, len(api.requests), "a refusal was tried again")
        api.refusal = None
        server.review(review(uid="u-0"))
        self.wait_for(server, failed=5, sent=1)
        self.assertEqual([2], [each["count"] for each in api.events.values()])

    def test_an_api_server_that_hangs_holds_nobody(self):
        """Protects writes: reviews are answered while nothing moves, and what is too much is counted."""
        server = self.serve()
        self.api.may_answer.clear()
        server.review(review(uid="first"))
        harness.wait_until(lambda: self.api.requests, what="the first Event")
        with server.connect() as connection:
            for number in range(2 * ALL_BURST):
                body = review(uid=f"u-{number}", namespace=f"n-{number % 10}")
                self.assertEqual(200, connection.review(body).status)
        # Ten more are allowed each second.
        outcomes = self.outcomes(server)
        self.assertGreaterEqual(outcomes["limited"] + outcomes.get("dropped", 0), ALL_BURST - 150)
        self.api.may_answer.set()

    def test_a_shutdown_tells_what_waits(self):
        """Protects the last findings of a replica that goes: they are sent before it ends."""
        server = self.serve()
        self.api.may_answer.clear()
        for number in range(10):
            server.review(review(uid=f"u-{number}"))
        harness.wait_until(lambda: self.api.requests, what="the first Event")
        server.process.terminate()
        server.wait_for_log("stopped")
        self.api.may_answer.set()
        server.wait()
        left = sum(line["count"] for line in server.log("Events were not recorded before the exit"))
        # One may be under way when the time is up.
        self.assertIn(len(self.api.events) + left, (9, 10))
        self.assertGreaterEqual(len(self.api.events), 2)

    def test_a_shutdown_does_not_wait_for_the_api_server(self):
        """Protects the grace period: Events that cannot be sent within a second are dropped, and the log says how many."""
        server = self.serve()
        self.api.may_answer.clear()
        for number in range(10):
            server.review(review(uid=f"u-{number}"))
        harness.wait_until(lambda: self.api.requests, what="the first Event")
        begin = time.monotonic()
        server.stop()
        self.assertLess(time.monotonic() - begin, harness.stretched(FLUSH_SECONDS + PATIENCE_SECONDS))
        [line] = server.log("Events were not recorded before the exit")
        self.assertGreaterEqual(line["count"], 8)

    def test_a_shutdown_keeps_to_the_grace_period(self):
        """Protects a replica from being killed: where the grace period is over, no Event is waited for."""
        server = self.serve("--grace-period", "0")
        self.api.may_answer.clear()
        server.review(review())
        harness.wait_until(lambda: self.api.requests, what="the Event")
        server.stop()
        stopped, left = (time_of(server.log(message)[0]) for message in ("stopped", NOT_RECORDED))
        self.assertLess(left - stopped, harness.stretched(FLUSH_SECONDS))

    def test_the_start_says_who_can_have_events_recorded(self):
        """Protects who did not know: with no client certificate every client can, and the log says so once."""
        message = "every client that reaches the port can have Events recorded about any object"
        server = self.serve()
        [line] = server.wait_for_log(message)
        self.assertIn("--client-ca", line["advice"])
        closed = self.serve("--client-ca", harness.Certificate().certificate, "--client-name", "kube-apiserver")
        silent = self.serve(events=False)
        for each in (closed, silent):
            each.stop()
            self.assertEqual([], each.log(message))

    def test_no_way_to_the_api_server_is_no_start(self):
        """Protects who asked for it: outside of a cluster it cannot be, and that is said at once."""
        certificate = harness.Certificate()
        done = harness.run(
            harness.Program.path, "serve", "--events", *certificate.flags(), "--listen", "127.0.0.1:0", "--metrics-listen", "")
        self.assertEqual(2, done.returncode)
        self.assertIn(b"--events: this is not a pod", done.stderr)


if __name__ == "__main__":
    harness.main()
