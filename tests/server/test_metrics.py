"""The server's work as /metrics shows it: every number here is brought about by the test."""

import json
import pathlib
import re
import ssl
import time
import unittest

import authority
import harness
import wire

README = pathlib.Path(__file__).resolve().parent.parent.parent / "webhook" / "README.md"
OPEN_METRICS = (("Accept", "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3"),)
STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"


def scrape(server, headers=()):
    with server.connect_plain() as connection:
        return connection.exchange(wire.request("GET", "/metrics", headers=headers), "GET")


def samples(server):
    """The value of each sample, by its name with labels."""
    text = scrape(server).body.decode()
    return {name: float(value) for name, value in re.findall(r"^([^# ]\S*) (\S+)$", text, re.MULTILINE)}


def total(values, name, **labels):
    """The sum over the samples of this name that have these labels."""
    wanted = labels.items()
    return sum(value for sample, value in values.items()
               if sample.partition("{")[0] == name and wanted <= dict(re.findall(r'(\w+)="([^"]*)"', sample)).items())


class Served(harness.ServerTest):
    def test_both_formats(self):
        """Protects scrapers of either format: OpenMetrics for a client that accepts it, Prometheus' own text otherwise."""
        plain, modern = scrape(self.server), scrape(self.server, OPEN_METRICS)
        self.assertEqual(plain.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        self.assertEqual(
            modern.headers["content-type"], "application/openmetrics-text; version=1.0.0; charset=utf-8")
        self.assertTrue(modern.body.endswith(b"\n# EOF\n"))
        self.assertNotIn(b"# EOF", plain.body)
        self.assertIn(b"# TYPE applyguard_reviews counter\n", modern.body)
        self.assertIn(b"# TYPE applyguard_reviews_total counter\n", plain.body)

    def test_the_readme_lists_what_is_served(self):
        """Protects readers of the table: the same metrics, types, labels and words, in the same order."""
        shadow = harness.temporary_directory() / "shadow.yaml"
        shadow.write_text(STRICT)
        with harness.Server("--metrics-labels", "kind,namespace", "--shadow-policy", shadow) as server:
            server.review(harness.review("edit-ssa"))
            text = scrape(server).body.decode()
        served = []
        for name, words, kind in re.findall(r"^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$", text, re.MULTILINE):
            first = re.search(rf"^{name}(?:{{(.*)}})? ", text, re.MULTILINE)
            labels = re.findall(r'(\w+)="', first.group(1) or "") if first else []
            served.append((name, kind, ", ".join(labels), words))
        listed = re.findall(r"^\| `(\w+)` \| (\w+) \| ?(.*?) ?\| (.*) \|$", README.read_text(), re.MULTILINE)
        self.assertEqual(listed, served)

    def test_not_where_anybody_could_see_it(self):
        """Protects against clients that reach the webhook's port: metrics are on the plain listener alone."""
        self.assertEqual(self.server.probe("/metrics", tls=True), 404)

    def test_the_process(self):
        """Protects dashboards that know the usual names: the numbers are this process'."""
        values = samples(self.server)
        self.assertAlmostEqual(values["process_resident_memory_bytes"], self.server.resident_bytes(), delta=8 << 20)
        self.assertAlmostEqual(values["process_open_fds"], len(self.server.open_files()), delta=3)
        self.assertLess(abs(values["process_start_time_seconds"] - time.time()), 3600)
        self.assertGreaterEqual(values["process_max_fds"], values["process_open_fds"])
        self.assertGreater(values["process_cpu_seconds_total"], 0)
        self.assertEqual(values["process_threads"], len(list(pathlib.Path(f"/proc/{self.server.pid}/task").iterdir())))


@harness.at_once
class Counted(unittest.TestCase):
    def test_reviews_of_all_loops(self):
        """Protects the sums: each review counts once, in any loop, with its findings and its size."""
        body = harness.review("edit-ssa")
        with harness.Server("--threads", "3") as server:
            with server.connect() as one, server.connect() as two, server.connect() as three:
                for connection in one, two, three, one:
                    connection.review(body)
                values = samples(server)
                self.assertEqual(values["applyguard_connections"], 3)
        name = "applyguard_reviews_total"
        self.assertEqual(total(values, name), 4)
        self.assertEqual(total(values, name, operation="UPDATE", mode="enforce", allowed="true", dry_run="false"), 4)
        self.assertEqual(total(values, "applyguard_findings_total"), 4)
        self.assertEqual(total(values, "applyguard_findings_total", rule="ownership-conflict", action="warn",
                               taker="adhoc", loser="applier"), 4)
        self.assertEqual(values["applyguard_review_size_bytes_sum"], 4 * len(body))
        for name in "applyguard_review_size_bytes", "applyguard_review_duration_seconds":
            self.assertEqual(values[f"{name}_count"], 4)
            self.assertEqual(values[f'{name}_bucket{{le="+Inf"}}'], 4)
        self.assertEqual(values["applyguard_connections_accepted_total"], 3)
        self.assertEqual(values["applyguard_tls_handshakes_completed_total"], 3)

    def test_modes_denials_and_dry_runs(self):
        """Protects alerts on denials: the labels are the verdict's."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(STRICT)
        body = harness.review("edit-ssa")
        asked = json.loads(body)
        asked["request"]["dryRun"] = True
        with harness.Server(policy=policy) as server:
            server.review(body)
            server.review(json.dumps(asked).encode())
            server.review(body, "/validate/warn")
            server.review(body, "/validate/audit")
            values = samples(server)
        name = "applyguard_reviews_total"
        self.assertEqual(total(values, name, mode="enforce", allowed="false", dry_run="false"), 1)
        self.assertEqual(total(values, name, mode="enforce", allowed="false", dry_run="true"), 1)
        self.assertEqual(total(values, name, mode="warn", allowed="true"), 1)
        self.assertEqual(total(values, name, mode="audit", allowed="true"), 1)
        self.assertEqual(total(values, name), 4)
        # Whatever the mode, it can be seen what the policy alone would do.
        name = "applyguard_findings_total"
        self.assertEqual(total(values, name, rule="ownership-conflict", policy_action="deny"), 4)
        for action, count in (("deny", 2), ("warn", 1), ("audit", 1)):
            self.assertEqual(total(values, name, rule="ownership-conflict", action=action, policy_action="deny"), count)

    def test_findings_that_nobody_attends(self):
        """Protects admins from warnings that only a controller is given: they are counted apart."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(STRICT)
        with harness.Server(policy=policy) as server:
            server.review(harness.by_controller())
            server.review(harness.review("edit-ssa"))
            values = samples(server)
        name = "applyguard_findings_total"
        self.assertEqual(total(values, name, rule="ownership-conflict", unattended="true", action="warn", policy_action="warn"), 1)
        self.assertEqual(total(values, name, rule="ownership-conflict", unattended="false", action="deny"), 1)
        self.assertEqual(total(values, name, rule="ownership-conflict"), 2)

    def test_rates_can_begin(self):
        """Protects `increase`, which does not see how a series begins: every rule and pair of actions is there at 0."""
        with harness.Server() as server:
            values = samples(server)
        counted = [sample for sample in values if sample.startswith("applyguard_findings_total")]
        self.assertEqual({values[sample] for sample in counted}, {0})
        served_rules = {re.search('rule="([^"]+)"', sample).group(1) for sample in counted}
        self.assertEqual(len(counted), len(served_rules) * 6 * 2)

    def test_refusals_by_reason(self):
        """Protects the search for why calls fail: each reason is counted under its own name."""
        with harness.Server("--max-body-bytes", "2048") as server:
            server.review(b"{}")
            with server.connect() as connection:
                connection.exchange(wire.request("POST", "/validate", b"{}"))
            with server.connect() as connection:
                self.assertEqual(connection.review(b" " * 4096).status, 413)
            with server.connect() as connection:
                connection.send(wire.request("POST", "/validate", headers=(("Content-Length", "12x"),)))
                connection.read_to_end()
            harness.wait_until(
                lambda: total(samples(server), "applyguard_requests_refused_total") == 4, what="four refusals")
            values = samples(server)
        for reason in "content-type", "unreadable", "http", "too-large":
            self.assertEqual(total(values, "applyguard_requests_refused_total", reason=reason), 1, reason)
        self.assertEqual(total(values, "applyguard_reviews_total"), 0)

    def test_a_client_that_does_not_trust_the_certificate(self):
        """Protects against a wrong caBundle, of which the server otherwise sees nothing but a broken connection."""
        with harness.Server() as server:
            with self.assertRaises(ssl.SSLError):
                server.connect(context=harness.Certificate().client_context())
            alerts = 'applyguard_tls_alerts_total{direction="received",alert="unknown_ca"}'
            harness.wait_until(lambda: samples(server)[alerts] == 1, what="the alert")
            values = samples(server)
        self.assertEqual(values["applyguard_tls_handshakes_started_total"], 1)
        self.assertEqual(values["applyguard_tls_handshakes_completed_total"], 0)

    def test_the_policy_in_force(self):
        """Protects against a policy that was changed and is not in force: loads, failures, hash, expired overrides."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(STRICT)
        with harness.Server(policy=policy) as server:
            before = samples(server)
            policy.write_text(STRICT + "nonsense: true\n")
            harness.wait_until(lambda: samples(server)["applyguard_policy_last_load_successful"] == 0, what="a failure")
            broken = samples(server)
            policy.write_text(STRICT + "overrides:\n- {match: {namespaces: [a]}, mode: audit, expires: 2020-01-31}\n")
            harness.wait_until(lambda: samples(server)["applyguard_policy_loads_total"] == 2, what="a second policy")
            harness.wait_until(lambda: samples(server)["applyguard_policy_overrides_expired"] == 1, what="an expiry")
            after = samples(server)

        def policies(values):
            return [name for name in values if name.startswith("applyguard_policy_info{")]
        self.assertEqual(before["applyguard_policy_overrides_expired"], 0)
        self.assertEqual(policies(broken), policies(before))
        self.assertEqual(broken["applyguard_policy_load_failures_total"], 1)
        self.assertNotEqual(policies(after), policies(before))
        self.assertEqual(after["applyguard_policy_last_load_successful"], 1)
        self.assertLess(abs(after["applyguard_policy_loaded_timestamp_seconds"] - time.time()), 60)

    def test_the_certificate(self):
        """Protects against an outage that has a date: the served certificate's first and last second are known."""
        with harness.Server(certificate=harness.Certificate(days=9)) as server:
            values = samples(server)
        left = values["applyguard_certificate_expiry_timestamp_seconds"] - time.time()
        age = time.time() - values["applyguard_certificate_start_timestamp_seconds"]
        self.assertAlmostEqual(left, 9 * 86400, delta=120)
        self.assertAlmostEqual(age + left, 9 * 86400, delta=120)

    def test_certificates_that_come_and_that_are_refused(self):
        """Protects against a renewal that never takes effect: each kind of bad pair is a failure until it is mended."""
        issuer = authority.Authority()
        pair, other, expired = issuer.another(), issuer.another(), issuer.another(days=1, age_days=3)
        good = [pathlib.Path(file).read_bytes() for file in (pair.certificate, pair.key)]

        def write(certificate, key):
            pathlib.Path(pair.key).write_bytes(key)
            pathlib.Path(pair.certificate).write_bytes(certificate)

        def certificates(server):
            values = samples(server)
            return tuple(values[f"applyguard_certificate_{name}"] for name in (
                "loads_total", "load_failures_total", "last_load_successful"))

        def wait_for(server, *counts):
            harness.wait_until(lambda: certificates(server) == counts, what=f"{counts}")

        bad = {
            "does not match": (good[0], pathlib.Path(other.key).read_bytes()),
            "has expired": [pathlib.Path(file).read_bytes() for file in (expired.certificate, expired.key)],
            "does not parse": (b"no certificate", good[1]),
        }
        with harness.Server(certificate=pair) as server:
            self.assertEqual(certificates(server), (1, 0, 1))
            for count, (what, files) in enumerate(bad.items(), 1):
                with self.subTest(what):
                    write(*files)
                    wait_for(server, 1, count, 0)
                    write(*good)
                    wait_for(server, 1, count, 1)
            write(b"no certificate", good[1])
            wait_for(server, 1, 4, 0)
            write(pathlib.Path(other.certificate).read_bytes(), pathlib.Path(other.key).read_bytes())
            wait_for(server, 2, 4, 1)


@harness.at_once
class Places(unittest.TestCase):
    """--metrics-labels: kinds and namespaces, as far as the cap goes."""

    def test_nothing_unless_asked_for(self):
        """Protects Prometheus: no name that others choose is a label by default."""
        with harness.Server() as server:
            server.review(harness.review("edit-ssa"))
            text = scrape(server).body.decode()
        self.assertIn("applyguard_reviews_total", text)
        self.assertNotIn("applyguard_object_", text)
        self.assertNotIn("namespace=", text)

    def test_each_place_by_itself(self):
        """Protects users who ask where findings come from: the sums are of all loops, and dry runs do not count."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(STRICT)
        with harness.Server("--threads", "3", "--metrics-labels", "kind,namespace", policy=policy) as server:
            connections = [server.connect() for _ in range(3)]
            for connection in connections * 2:
                connection.review(about("Deployment", "shop"))
                connection.review(about("Deployment", "bank"), "/validate/audit")
                connection.review(about("Deployment", "shop", dryRun=True))
                connection.review(about("Deployment", "only-tried", dryRun=True))
            for connection in connections:
                connection.close()
            values = samples(server)
        reviews, findings = "applyguard_object_reviews_total", "applyguard_object_findings_total"
        shop = {"object_kind": "Deployment.apps", "object_namespace": "shop"}
        self.assertEqual(total(values, reviews, allowed="false", **shop), 6)
        self.assertEqual(total(values, reviews, allowed="true", **shop), 0)
        self.assertEqual(total(values, reviews, allowed="true", object_kind="Deployment.apps", object_namespace="bank"), 6)
        self.assertEqual(total(values, reviews), 12)
        self.assertEqual(total(values, findings, rule="ownership-conflict", action="deny", **shop), 6)
        self.assertEqual(total(values, findings, rule="ownership-conflict", policy_action="deny", **shop), 6)
        self.assertEqual(total(values, findings, rule="ownership-conflict", action="audit", policy_action="deny",
                               object_namespace="bank"), 6)
        self.assertFalse([sample for sample in values if "only-tried" in sample])
        self.assertEqual(total(values, "applyguard_reviews_total"), 24)

    def test_no_more_than_the_cap(self):
        """Protects the server's memory and Prometheus' from invented names: the oldest gives way, and none is lost."""
        with harness.Server("--metrics-labels", "namespace", "--metrics-labels-max", "3") as server:
            with server.connect() as connection:
                for number in range(40):
                    connection.review(about("Deployment", f"n{number}"))
                connection.review(about("Deployment", "n1"))
            values = samples(server)
        name = "applyguard_object_reviews_total"
        counted = {sample: value for sample, value in values.items() if sample.startswith(name) and "true" in sample}
        self.assertEqual(counted, {
            f'{name}{{object_namespace="{namespace}",allowed="true"}}': value
            for namespace, value in {"other": 0, "n38": 1, "n39": 1, "n1": 1}.items()})
        self.assertEqual(total(values, "applyguard_object_reviews_forgotten_total", allowed="true"), 38)
        for findings in "applyguard_object_findings", "applyguard_findings":
            self.assertGreater(total(values, f"{findings}_total"), 0)
        self.assertEqual(
            total(values, "applyguard_object_findings_total") + total(values, "applyguard_object_findings_forgotten_total"),
            total(values, "applyguard_findings_total"))

    def test_junk_gives_way(self):
        """Protects real namespaces from 300 invented ones: they are counted by name again, without a restart."""
        with harness.Server("--metrics-labels", "namespace", "--threads", "2") as server:
            with server.connect() as one, server.connect() as two:
                for number in range(300):
                    one.review(about("Deployment", f"junk-{number}"))
                for _ in range(3):
                    one.review(about("Deployment", "shop"))
                    two.review(about("Deployment", "shop"))
            values = samples(server)
        name = "applyguard_object_reviews_total"
        self.assertEqual(total(values, name, object_namespace="shop", allowed="true"), 6)
        self.assertEqual(total(values, name) + total(values, "applyguard_object_reviews_forgotten_total"), 306)
        self.assertEqual(len([sample for sample in values if sample.startswith(name) and "true" in sample]), 201)

    def test_names_that_would_break_a_line(self):
        """Protects the whole scrape from one sender: names that no API server would send are not labels."""
        with harness.Server("--metrics-labels", "kind,namespace") as server:
            for word in ('a"} 1\n', "a\\", "a\nb", "\x1b[31m", "\u202e", "x" * 9999, "a b"):
                self.assertEqual(server.review(about("Deployment", word)).status, 200)
                self.assertEqual(server.review(about(word, "shop")).status, 200)
            text = scrape(server).body.decode()
        lines = [line for line in text.splitlines() if line.startswith("applyguard_object_reviews_total")]
        self.assertEqual(lines, [
            'applyguard_object_reviews_total{object_kind="other",object_namespace="other",allowed="false"} 0',
            'applyguard_object_reviews_total{object_kind="other",object_namespace="other",allowed="true"} 14'])


def about(kind, namespace, **more):
    """A recorded review as if it were about another kind, in another namespace."""
    asked = json.loads(harness.review("edit-ssa"))
    asked["request"].update(namespace=namespace, **more)
    asked["request"]["kind"]["kind"] = kind
    return json.dumps(asked).encode()


if __name__ == "__main__":
    harness.main()
