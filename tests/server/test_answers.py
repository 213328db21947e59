"""Reviews in, answers out: what the API server asks for and what it must be given."""

import json
import unittest

import harness
import wire
from harness import review, stories

STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"

# The webhook's memory of earlier reviews changes no answer.
FORGETFUL = "apiVersion: applyguard.io/v1\nkind: Policy\nrules:\n  contested-field: {action: \"off\"}\n"

# Where a review's own parts stand, as against the object that it carries.
ENVELOPE = {"apiVersion", "kind", "request"}


class Answers(harness.ServerTest):
    def forgetful(self):
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(FORGETFUL)
        return policy

    def test_as_the_api_server_sends_it(self):
        """The very request of kube-apiserver 1.36.3 gets an answer that it takes (outage 19: v1 without uid, kind)."""
        body = review("edit-ssa")
        sent = (
            b"POST /validate?timeout=10s HTTP/1.1\r\nHost: applyguard.applyguard.svc:443\r\n"
            b"User-Agent: kube-apiserver-admission\r\nContent-Length: %d\r\nAccept: application/json, */*\r\n"
            b"Content-Type: application/json\r\nAccept-Encoding: gzip\r\n\r\n" % len(body)) + body
        with self.server.connect() as connection:
            response = connection.exchange(sent)
            self.assert_verdict(response, body, allowed=True)
            self.assertEqual(response.headers["content-length"], str(len(response.body)))
            self.assertFalse(response.closes, "a kept connection saves the next handshake")
            self.assertFalse(connection.is_readable(0.05), "nothing follows the answer")

    def test_every_path_with_and_without_a_query(self):
        """The three webhook paths answer with any query string that the API server adds."""
        body = review("csa-image")
        with self.server.connect() as connection:
            for path in ("/validate", "/validate/warn", "/validate/audit"):
                for query in ("", "?", "?timeout=10s", "?timeout=30s&dry=1", "?a=/validate/../x%2f"):
                    with self.subTest(path + query):
                        self.assert_verdict(connection.review(body, path + query), body)

    def test_a_token_changes_nothing(self):
        """An API server may send a token (KEP-6060): it is neither needed nor refused, and not logged."""
        body = review("edit-ssa")
        with self.server.connect() as connection:
            without = connection.review(body)
            for token in ("Bearer a-token.of.somebody", "Bearer", "Basic YTpi", ""):
                with self.subTest(token):
                    sent = wire.post(body, headers=[("Content-Type", "application/json"), ("Authorization", token)])
                    self.assertEqual(connection.exchange(sent).body, without.body)
        self.assertNotIn("a-token", json.dumps(self.server.log()))

    def test_both_versions(self):
        """A v1beta1 review gets a v1beta1 answer, a v1 review a v1 answer."""
        with self.server.connect() as connection:
            for story in ("v1beta1", "csa-create"):
                body = review(story)
                self.assert_verdict(connection.review(body), body)

    def test_content_types_that_are_json(self):
        """Parameters, case and white space do not make application/json something else."""
        body = review("configmap-create")
        with self.server.connect() as connection:
            for kind in ("application/json", "application/json; charset=utf-8", "Application/JSON",
                         "application/json;charset=UTF-8", "application/json ;q=1"):
                with self.subTest(kind):
                    sent = wire.post(body, headers=[("Content-Type", kind)])
                    self.assert_verdict(connection.exchange(sent), body)

    def test_the_command_line_gives_the_same_bytes(self):
        """`review -o response` is byte for byte the webhook's answer, for each recorded review on one connection."""
        policy = self.forgetful()
        with harness.Server(policy=policy) as server, server.connect() as connection:
            for story in stories():
                with self.subTest(story):
                    body = review(story)
                    answer = connection.review(body)
                    self.assert_verdict(answer, body)
                    file = str(harness.REVIEWS / story / "review.json")
                    command = harness.run(
                        harness.Program.path, "review", "--policy", policy, "-o", "response", file)
                    self.assertIn(command.returncode, (0, 1), command.stderr)
                    self.assertEqual(command.stdout, answer.body)

    def test_the_same_review_twice_is_the_same_answer(self):
        """But for contested fields no state is kept from review to review: any replica, at any time, says the same."""
        with harness.Server(policy=self.forgetful()) as server:
            first = [server.review(review(story)).body for story in stories()]
            with server.connect() as connection:
                again = [connection.review(review(story)).body for story in reversed(stories())]
        self.assertEqual(first, list(reversed(again)))

    def test_expect(self):
        """A client that waits for 100 Continue, as curl does with large bodies, is served too."""
        body = review("csa-image")
        with self.server.connect() as connection:
            head = wire.post(body, headers=(*wire.API_SERVER_HEADERS, ("Expect", "100-continue")))[:-len(body)]
            connection.send(head)
            self.assertEqual(connection._line(), "HTTP/1.1 100 Continue")
            self.assertEqual(connection._line(), "")
            self.assert_verdict(connection.exchange(body), body)

    def test_curl(self):
        """A person with curl and a recorded review gets the answer: the line that the README prints works."""
        story = harness.REVIEWS / "configmap-last-applied-222k" / "review.json"
        command = harness.run(
            "curl", "--silent", "--show-error", "--fail", "--cacert", self.server.certificate.certificate,
            "-H", "Content-Type: application/json", "--data-binary", f"@{story}",
            f"https://localhost:{self.server.port}/validate")
        self.assertEqual(command.returncode, 0, command.stderr)
        self.assertEqual(json.loads(command.stdout)["response"]["uid"], json.loads(story.read_bytes())["request"]["uid"])

    def test_operations_with_and_without_objects(self):
        """DELETE has no object, CREATE no oldObject, CONNECT neither: none is an error (outages 14, 16, 17)."""
        whole = json.loads(review("edit-ssa"))
        with self.server.connect() as connection:
            for operation in ("CREATE", "UPDATE", "DELETE", "CONNECT"):
                for missing in ((), ("object",), ("oldObject",), ("object", "oldObject")):
                    for absent in (False, True):
                        changed = json.loads(json.dumps(whole))
                        changed["request"]["operation"] = operation
                        for name in missing:
                            changed["request"][name] = None
                            if absent:
                                del changed["request"][name]
                        with self.subTest(operation=operation, missing=missing, absent=absent):
                            body = json.dumps(changed).encode()
                            self.assert_verdict(connection.review(body), body)


    def test_subresources(self):
        """Requests for other things than the object itself, in which no fields are owned, are allowed without findings (outages
        15, 16)."""
        whole = json.loads(review("edit-ssa"))
        bodies = {
            "binding": {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}},
            "eviction": {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}},
            "exec": {"apiVersion": "v1", "kind": "PodExecOptions", "command": ["sh"], "stdin": True},
            "token": {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": []}},
            "proxy": {"apiVersion": "v1", "kind": "PodProxyOptions", "path": "/"},
        }
        with self.server.connect() as connection:
            for name, content in bodies.items():
                changed = json.loads(json.dumps(whole))
                group, _, version = content["apiVersion"].rpartition("/")
                changed["request"].update(
                    operation="CONNECT" if name in ("exec", "proxy") else "CREATE", subResource=name, object=content, oldObject=None,
                    kind={"group": group, "version": version, "kind": content["kind"]},
                    resource={"group": "", "version": "v1", "resource": "pods"}, options=None)
                with self.subTest(name):
                    body = json.dumps(changed).encode()
                    self.assertNotIn("warnings", self.assert_verdict_of(connection, body))

    def assert_verdict_of(self, connection, body):
        response = connection.review(body)
        self.assert_verdict(response, body, allowed=True)
        return json.loads(response.body)["response"]


class Ceilings(unittest.TestCase):
    def test_the_path_lowers_the_verdict(self):
        """One Deployment serves three webhooks: what /validate denies, /warn only warns of and /audit only records."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(STRICT)
        body = review("edit-ssa")
        with harness.Server(policy=policy) as server:
            denied = harness.assert_verdict(self, server.review(body, "/validate"), body, allowed=False)
            warned = harness.assert_verdict(self, server.review(body, "/validate/warn"), body, allowed=True)
            recorded = harness.assert_verdict(self, server.review(body, "/validate/audit"), body, allowed=True)
        self.assertEqual(denied["status"]["code"], 403)
        self.assertEqual(denied["status"]["reason"], "Forbidden")
        self.assertTrue(denied["status"]["message"])
        self.assertTrue(warned["warnings"])
        self.assertNotIn("status", warned)
        self.assertNotIn("warnings", recorded)
        for answer in (denied, warned, recorded):
            self.assertIn("ownership-conflict", answer["auditAnnotations"]["rules"])


def places(value, path=()):
    """The path of every member and item in a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield (*path, key)
        yield from places(child, (*path, key))


def mutated(whole, path, replacement):
    """A copy of the value with the part at `path` replaced, or dropped."""
    copy = json.loads(whole)
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    if replacement is DROP:
        del parent[path[-1]]
    else:
        parent[path[-1]] = replacement
    return copy


DROP = object()
REPLACEMENTS = (DROP, None, 1, "x", [], {}, [None], {"": None}, "\n\u202e\x1b", -1e308, True)


class Mutations(harness.ServerTest):
    def test_every_part_dropped_or_retyped(self):
        """Any field of a review may be missing or of another type: always a well-formed answer (outage 13)."""
        count = 0
        for story in ("edit-ssa", "csa-create", "delete", "widget-status"):
            whole = review(story)
            uid = json.loads(whole)["request"]["uid"]
            connection = self.server.connect()
            for path in places(json.loads(whole)):
                for replacement in REPLACEMENTS:
                    body = json.dumps(mutated(whole, path, replacement)).encode()
                    response = connection.review(body)
                    count += 1
                    self._check(response, path, replacement, uid)
                    if response.closes:
                        connection.close()
                        connection = self.server.connect()
            connection.close()
        self.assertGreater(count, 1000)

    def _check(self, response, path, replacement, uid):
        with self.subTest(path=path, replacement=repr(replacement)):
            if response.status == 400:
                self.assertIn(path[0], ENVELOPE)
                inside = path[:2] in (("request", "object"), ("request", "oldObject"), ("request", "options"))
                self.assertFalse(inside, f"what is inside the object never makes a review unreadable: {response}")
                self.assert_sentence(response, 400)
                return
            self.assertEqual(response.status, 200)
            said = json.loads(response.body)["response"]["uid"]
            self.assertEqual(said, replacement if path == ("request", "uid") else uid)


if __name__ == "__main__":
    harness.main()
