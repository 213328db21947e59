"""The server's log: one JSON line for each review with findings, none for a clean one, nothing that lies."""

import json
import re
import subprocess
import threading
import unittest

import harness
import wire
from harness import review, stories

# Controls of ASCII and Latin-1, and what turns the direction of text, as UTF-8.
UNPRINTABLE = re.compile(
    rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c")

HOSTILE = "a\nb\r\x1b[31mc\x00d\x7f\u0085\u009b\u202e\u2066\u2028\"\\,{}e"

PIPE_BUF = 4096

# Several times what a pipe holds.
REVIEWS_UNREAD = 1500


def hostile_review(text=HOSTILE):
    """`kubectl edit` of a server-side applied object, in which all that a sender chooses holds `text`."""
    managers = {"kubectl": text, "kubectl-edit": f"kubectl-{text}"}
    whole = json.loads(review("edit-ssa"))
    asked = whole["request"]
    asked["uid"] = "u" + text
    asked["name"] = asked["namespace"] = text
    asked["kind"]["kind"] = asked["kind"]["group"] = text
    asked["userInfo"] = {"username": text, "groups": [text]}
    asked["options"]["fieldManager"] = managers["kubectl-edit"]
    for part in ("object", "oldObject"):
        asked[part]["metadata"]["name"] = text
        for entry in asked[part]["metadata"]["managedFields"]:
            entry["manager"] = managers.get(entry["manager"], text)
    return json.dumps(whole).encode()


class Logs(unittest.TestCase):
    def test_a_review_with_findings(self):
        """Exactly one line, with what a person needs to find the object, its writer and the rule."""
        body = review("edit-ssa")
        with harness.Server() as server:
            answer = harness.assert_verdict(self, server.review(body), body)
            line = server.wait_for_log("review")[0]
        asked = json.loads(body)["request"]
        self.assertEqual(len(server.log("review")), 1)
        self.assertEqual(line["uid"], asked["uid"])
        self.assertEqual(line["operation"], "UPDATE")
        self.assertEqual(line["kind"], "Deployment.apps")
        self.assertEqual(line["namespace"], "default")
        self.assertEqual(line["name"], "web")
        self.assertEqual(line["user"], "admin")
        self.assertEqual(line["manager"], "kubectl-edit")
        self.assertEqual(",".join(line["rules"]), answer["auditAnnotations"]["rules"])
        self.assertEqual((line["action"], line["policyAction"]), ("warn", "warn"))
        self.assertNotIn("denyRules", line)
        self.assertNotIn("unattended", line)
        self.assertIsInstance(line["microseconds"], int)
        self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_one_line_a_finding_bearing_review(self):
        """Over all recorded reviews: one line for a review with findings, in order, and no line without findings."""
        expected = []
        with harness.Server() as server:
            with server.connect() as connection:
                for story in stories():
                    answer = json.loads(connection.review(review(story)).body)["response"]
                    if answer.get("auditAnnotations"):
                        expected.append((answer["uid"], sorted(answer["auditAnnotations"]["rules"].split(","))))
        lines = [(line["uid"], sorted(line["rules"])) for line in server.log("review")]
        self.assertEqual(lines, expected)
        self.assertGreater(len(lines), 10)
        self.assertLess(len(lines), len(stories()))

    def test_what_is_refused_is_not_logged_one_by_one(self):
        """Noise from strangers (bad handshakes, bad bodies, wrong paths) does not drown real lines (outage 28)."""
        with harness.Server() as server:
            before = len(server.output.splitlines())
            for _ in range(50):
                with server.connect(context=None) as connection:
                    connection.send(b"GET / HTTP/1.0\r\n\r\n")
                    connection.read_to_end()
                with server.connect() as connection:
                    connection.review(b"{")
                    connection.get("/wp-login.php")
            self.assertLess(len(server.output.splitlines()) - before, 10)

    def test_dry_run_is_reported(self):
        """A dry run is judged like any other, and the line says that it was one."""
        with harness.Server() as server:
            whole = json.loads(review("edit-ssa"))
            whole["request"]["dryRun"] = True
            server.review(json.dumps(whole).encode())
            self.assertTrue(server.wait_for_log("review")[0]["dryRun"])

    def test_what_enforcing_would_deny(self):
        """Protects who is about to enforce: in every mode the line says what the policy alone would do, and for which rules."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\nrules: {last-applied-missing: {action: warn}}\n")
        with harness.Server(policy=policy) as server:
            for path in "/validate/audit", "/validate/warn", "/validate":
                server.review(review("replace"), path)
            lines = server.wait_for_log("review", count=3)
        self.assertEqual([line["action"] for line in lines], ["audit", "warn", "deny"])
        for line in lines:
            self.assertEqual(line["policyAction"], "deny")
            self.assertEqual(line["denyRules"], ["ownership-conflict"])
            self.assertEqual(line["rules"], ["ownership-conflict", "last-applied-missing"])

    def test_a_controller_is_unattended(self):
        """Protects admins from warnings that only a controller gets: the line says that they are not read."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
        with harness.Server(policy=policy) as server:
            server.review(harness.by_controller())
            [line] = server.wait_for_log("review")
        self.assertEqual((line["unattended"], line["action"], line["policyAction"]), (True, "warn", "warn"))

    def test_hostile_names(self):
        """No control or direction character of any name reaches the log raw, and no name makes a second line."""
        body = hostile_review()
        for form in ("json", "text"):
            with self.subTest(form):
                with harness.Server("--log-format", form) as server:
                    response = server.review(body)
                    self.assertEqual(json.loads(response.body)["response"]["uid"], "u" + HOSTILE)
                    harness.wait_until(lambda: b"microseconds" in server.output, what="the line")
                    server.stop()
                self.assertIsNone(UNPRINTABLE.search(server.output), server.output)
                lines = [line for line in server.output.splitlines() if b"microseconds" in line]
                self.assertEqual(len(lines), 1)
                self.assertRegex(lines[0], rb"ownership-conflict")
                if form == "json":
                    for line in server.output.splitlines():
                        json.loads(line)

    def test_hostile_names_in_the_answer(self):
        """A warning with a control character would be dropped by the API server (outage 22): none has one."""
        body = hostile_review()
        with harness.Server() as server:
            answer = json.loads(server.review(body).body)["response"]
        said = answer["warnings"] + list(answer["auditAnnotations"].values())
        self.assertTrue(answer["warnings"])
        for text in said:
            self.assertIsNone(UNPRINTABLE.search(text.encode()), text)
            self.assertNotIn("\n", text)
        self.assertLessEqual(max(len(text.encode()) for text in answer["warnings"]), 256)

    def test_enormous_names(self):
        """Names of any length make a line that one write carries whole."""
        body = hostile_review(text="\x1b\u202e" * 3000)
        with harness.Server() as server:
            self.assertEqual(server.review(body).status, 200)
            server.wait_for_log("review")
        self.assertLessEqual(max(len(line) for line in server.output.splitlines()), PIPE_BUF)

    def test_values_are_never_logged(self):
        """The log names fields, never what is in them: a Secret's data stays where it is."""
        body = review("secret-csa")
        secret = json.loads(body)["request"]["object"]
        data = secret["data"]
        applied = json.loads(secret["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"])["stringData"]
        with harness.Server() as server:
            answer = server.review(body).body
            server.wait_for_log("review")
        for value in [*data.values(), *applied.values()]:
            self.assertNotIn(value.encode(), server.output + answer)

    def test_text_format(self):
        """--log-format text is one line a review for people to read."""
        with harness.Server("--log-format", "text") as server:
            server.review(review("edit-ssa"))
            server.review(review("delete"))
            harness.wait_until(lambda: b"microseconds" in server.output, what="the line")
            server.stop()
        lines = [line for line in server.output.decode().splitlines() if " review " in line]
        self.assertEqual(len(lines), 1)
        for word in ("Deployment.apps", "kubectl-edit", "ownership-conflict", "warn", "admin"):
            self.assertIn(word, lines[0])

    def test_nobody_reads_the_log(self):
        """A log collector that hangs does not hang admission: lines are dropped, counted, and reported later."""
        certificate = harness.Certificate()
        process = subprocess.Popen(
            [harness.Program.path, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--drain-delay", "0",
             "--tls-cert", certificate.certificate, "--tls-key", certificate.key],
            stderr=subprocess.PIPE)
        try:
            addresses = json.loads(process.stderr.readline())
            port, metrics_port = (int(addresses[key].rpartition(":")[2]) for key in ("address", "metricsAddress"))
            body = review("edit-ssa")
            with wire.Connection(port, context=certificate.client_context()) as connection:
                for _ in range(REVIEWS_UNREAD):
                    self.assertEqual(connection.review(body).status, 200)
                lines = []
                collector = threading.Thread(target=lambda: lines.extend(process.stderr))
                collector.start()
                harness.wait_until(lambda: lines, what="the collector reading again")
                self.assertEqual(connection.review(body).status, 200)
            with wire.Connection(metrics_port) as scraper:
                counted = re.search(rb"^applyguard_log_lines_dropped_total (\d+)$", scraper.get("/metrics").body, re.MULTILINE)
            process.terminate()
            self.assertEqual(process.wait(10), 0)
            collector.join()
        finally:
            process.kill()
            process.wait()
            process.stderr.close()
        lines = [json.loads(line) for line in lines]
        written = sum(line["message"] == "review" for line in lines)
        dropped = sum(line.get("linesDropped", 0) for line in lines)
        self.assertGreater(written, 10)
        self.assertGreater(dropped, 10)
        self.assertEqual(written + dropped, REVIEWS_UNREAD + 1)
        self.assertEqual(int(counted.group(1)), dropped, "a counter does not go back")


if __name__ == "__main__":
    harness.main()
