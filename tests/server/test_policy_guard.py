"""POST /policy: a ConfigMap whose policy does not load is refused, with file, line and column; all else is allowed."""

import json
import unittest

import harness
import wire

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"


def body(data, kind="ConfigMap", operation="UPDATE"):
    """A review of an object with this data."""
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u-1", "operation": operation, "kind": {"group": "", "version": "v1", "kind": kind},
        "resource": {"group": "", "version": "v1", "resource": "configmaps"}, "namespace": "applyguard", "name": "policy",
        "userInfo": {"username": "me"}, "oldObject": {"metadata": {"name": "policy"}},
        "object": {"apiVersion": "v1", "kind": kind, "metadata": {"name": "policy"}, "data": data}}}).encode()


class Guard(harness.ServerTest):
    def ask(self, *arguments, **options):
        asked = body(*arguments, **options)
        with self.server.connect() as connection:
            return harness.assert_verdict(self, connection.exchange(wire.post(asked, "/policy")), asked)

    def refusal(self, data):
        answer = self.ask(data)
        self.assertFalse(answer["allowed"])
        self.assertEqual((answer["status"]["code"], answer["status"]["reason"]), (422, "Invalid"))
        return answer["status"]["message"]

    def test_a_policy_that_loads_is_allowed(self):
        for operation in "CREATE", "UPDATE":
            answer = self.ask({"policy.yaml": HEAD, "shadow-policy.yaml": HEAD + "profile: strict\n"}, operation=operation)
            self.assertEqual(answer, {"uid": "u-1", "allowed": True})

    def test_one_that_does_not_load_is_refused(self):
        """Protects who edits it in the cluster: each error has its file, line and column, as `policy check` prints them."""
        self.assertEqual(
            self.refusal({"policy.yaml": HEAD + "profile: strickt\nrulez: {}\n"}),
            "policy.yaml:3:10: profile must be audit, baseline or strict, not \"strickt\"; did you mean \"strict\"?\n"
            "policy.yaml:4:1: unknown key \"rulez\" in the policy file; did you mean \"rules\"?")
        self.assertRegex(self.refusal({"policy.yaml": "a: ["}), r"\Apolicy.yaml:\d+:\d+: ")
        self.assertRegex(self.refusal({"policy.yaml": ""}), r"\Apolicy.yaml: ?")
        self.assertRegex(
            self.refusal({"policy.yaml": HEAD, "shadow-policy.yaml": HEAD + "mode: of\n"}), r"\Ashadow-policy.yaml:3:7: ")

    def test_a_missing_policy_is_refused(self):
        """Protects pods that start: without the file none does."""
        for data in None, {}, {"other": HEAD}, {"policy.yaml": 1}, []:
            self.assertIn("has no such key", self.refusal(data))

    def test_a_part_without_effect_is_a_warning(self):
        """Protects upgrades: such a policy loads, and the server logs the part, too."""
        answer = self.ask({"policy.yaml": HEAD + "managers:\n- {name: a, class: applier}\n- {name: a, class: adhoc}\n"})
        self.assertTrue(answer["allowed"])
        self.assertRegex(answer["warnings"][0], r"\Apolicy.yaml:5:\d+: ")

    def test_other_objects_are_allowed(self):
        self.assertEqual(self.ask({}, kind="Secret"), {"uid": "u-1", "allowed": True})

    def test_a_body_that_is_no_review_is_an_error(self):
        with self.server.connect() as connection:
            self.assert_sentence(connection.exchange(wire.post(b"{}", "/policy")), 400)
        with self.server.connect() as connection:
            self.assert_sentence(connection.exchange(wire.request("POST", "/policy", b"{}")), 415)


if __name__ == "__main__":
    harness.main()
