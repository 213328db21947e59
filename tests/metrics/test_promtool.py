"""The text of /metrics and the chart's alerts, as Prometheus' own tools read them.

promtool comes from a Debian package: see the script in this folder.
"""

import functools
import json
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CHART = HERE.parents[1] / "charts" / "applyguard"
ALERTS, CASES = CHART / "monitoring/alerts.yaml", (HERE / "alerts.yaml", HERE / "alerts_over_days.yaml")
DASHBOARD = CHART / "monitoring/dashboard.json"
METRICS, README = HERE.parents[1] / "webhook/telemetry/metrics.def", HERE.parents[1] / "webhook/README.md"
sys.path.append(str(HERE.parent / "server"))

import harness
import wire


@functools.cache
def promtool():
    return subprocess.run([HERE / "promtool"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def shadow_policy():
    file = harness.temporary_directory() / "shadow.yaml"
    file.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
    return file


def scraped(accept):
    """/metrics of a server that has judged every recorded review."""
    with harness.Server("--metrics-labels", "kind,namespace", "--shadow-policy", shadow_policy()) as server:
        with server.connect() as connection:
            for story in harness.stories():
                connection.review(harness.review(story))
        with server.connect_plain() as connection:
            request = wire.request("GET", "/metrics", headers=(("Accept", accept),))
            return connection.exchange(request, "GET").body


class Promtool(unittest.TestCase):
    def test_names_and_help_are_as_prometheus_wants_them(self):
        """Protects users who search by the usual rules of naming: promtool's linter has nothing to say."""
        done = harness.run(promtool(), "check", "metrics", input=scraped("text/plain"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_so_are_those_of_scan(self):
        objects = HERE.parent / "objects" / "next-conflict" / "objects.json"
        metrics = harness.run(harness.Program.path, "scan", "-o", "metrics", "-f", objects).stdout
        self.assertIn(b'applyguard_scan_findings{rule="next-conflict",action="warn"} 1\n', metrics)
        done = harness.run(promtool(), "check", "metrics", input=metrics)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_open_metrics_is_parsed_to_the_last_sample(self):
        """Protects scrapes: Prometheus' strict parser takes every sample. It wants times, which a scrape has not."""
        text = scraped("application/openmetrics-text").decode()
        timed, count = re.subn(r"^([^#\n].*)$", r"\1 1700000000", text, flags=re.MULTILINE)
        directory = harness.temporary_directory()
        (directory / "metrics").write_text(timed)
        done = harness.run(
            promtool(), "tsdb", "create-blocks-from", "openmetrics", directory / "metrics", directory / "blocks")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        heading, kept = done.stdout.decode().splitlines()
        column = re.split(r"\s{2,}", heading.strip()).index("NUM SAMPLES")
        self.assertEqual(re.split(r"\s{2,}", kept.strip())[column], str(count))


class Alerts(unittest.TestCase):
    """The chart's alerts, as they are in its file."""

    names = re.findall(r"- alert: (\w+)", ALERTS.read_text())

    def test_promtool_takes_the_file(self):
        """Protects users who turn them on: a Prometheus would load every rule."""
        done = harness.run(promtool(), "check", "rules", ALERTS)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn(f"SUCCESS: {len(self.names)} rules found", done.stdout.decode())

    def test_they_fire_and_stay_silent_as_their_cases_say(self):
        """Protects sleep, and what is slept through: every alert over made-up series."""
        done = harness.run(promtool(), "test", "rules", *CASES, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())

    def test_every_alert_has_a_case(self):
        """Protects new alerts from having none: each fires in some case, and the others say that it is silent there."""
        fired = {name for cases in CASES for name in re.findall(r'alertname="(\w+)"', cases.read_text())}
        self.assertEqual(fired, set(self.names))

    def test_the_readme_says_what_each_is_about(self):
        """Protects users whom one wakes: the chart's README has them all, in the same order."""
        listed = re.findall(r"^\| `(Applyguard\w+)` \|", (CHART / "README.md").read_text(), re.MULTILINE)
        self.assertEqual(listed, self.names)

    def test_they_look_at_metrics_that_there_are(self):
        """Protects alerts from silence: a metric of ours that is misspelt, or has another name now, would never fire."""
        self.assertEqual(unknown_metrics(ALERTS.read_text()), [])
        self.assertEqual(unknown_labels(ALERTS.read_text()), [])
        self.assertEqual(unknown_metrics("rate(applyguard_reviews[5m])"), ["applyguard_reviews"])
        self.assertEqual(unknown_labels('applyguard_reviews_total{alowed="true"}'), ["applyguard_reviews_total alowed"])


def shown(readme):
    """The expressions that a README shows."""
    return re.findall(r"^```promql\n(.*?)```$", readme.read_text(), re.MULTILINE | re.DOTALL)


class Readme(unittest.TestCase):
    def test_prometheus_parses_what_it_shows(self):
        """Protects who copies an expression out of a README: it parses, and its metrics and labels are there."""
        for readme in README, CHART / "README.md":
            expressions = shown(readme)
            self.assertTrue(expressions)
            self.assertEqual(unknown_metrics("".join(expressions)), [])
            self.assertEqual(unknown_labels("".join(expressions)), [])
            check_expressions(self, expressions)


class RollOut(unittest.TestCase):
    """The chart README's queries before a namespace is enforced, on the metrics of a real server."""

    def test_what_enforcing_would_break(self):
        """Protects who enforces the namespaces that are not listed: those are listed where the mode alone let writes pass
        within the day, also those in which that happened once and never before, and no others."""
        with harness.Server("--metrics-labels", "namespace", policy=strict_policy()) as server:
            def write(namespace, path, count=1, story="edit-ssa"):
                for _ in range(count):
                    server.review(in_namespace(namespace, story), path)
            write("quiet-by-now", "/validate/audit", 5)
            write("shop", "/validate/audit", 3)
            before = object_findings(server)
            write("shop", "/validate/warn", 2)
            write("shop", "/validate/audit", 2)
            write("seen-once", "/validate/audit")
            write("enforced", "/validate", 7)
            write("only-recorded", "/validate/audit", story="orphaned-edits")
            after = object_findings(server)
        self.assertIn("only-recorded", " ".join(after))
        # A scrape every five minutes for two days; what came later came half a day ago.
        series = [{"series": name, "values": f"{before.get(name, '_')}x432 {value}x144"} for name, value in after.items()]
        [asked] = shown(CHART / "README.md")
        listed = {("seen-once", "ownership-conflict"): 1, ("shop", "ownership-conflict"): 4}
        self.assert_evaluates(f"round({asked})", series, listed)

    def assert_evaluates(self, expression, series, listed):
        """promtool finds these samples at the end of the two days."""
        expected = [{"labels": f'{{object_namespace="{namespace}",rule="{rule}"}}', "value": value}
                    for (namespace, rule), value in listed.items()]
        directory = harness.temporary_directory()
        (directory / "cases.json").write_text(json.dumps({"rule_files": [], "evaluation_interval": "5m", "tests": [{
            "interval": "5m", "input_series": series,
            "promql_expr_test": [{"expr": expression, "eval_time": "48h", "exp_samples": expected}]}]}))
        done = harness.run(promtool(), "test", "rules", directory / "cases.json")
        self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())


def strict_policy():
    file = harness.temporary_directory() / "policy.yaml"
    file.write_text("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n")
    return file


def in_namespace(namespace, story):
    """A recorded review as if it were about an object in this namespace."""
    whole = json.loads(harness.review(story))
    whole["request"]["namespace"] = namespace
    return json.dumps(whole).encode()


def object_findings(server):
    """The samples of findings by namespace, with the labels that Prometheus adds."""
    with server.connect_plain() as connection:
        text = connection.get("/metrics").body.decode()
    found = re.findall(r"^(applyguard_object_findings_total\{[^}]*)\} (\d+)$", text, re.MULTILINE)
    return {f'{name},job="applyguard",namespace="applyguard",pod="a"}}': value for name, value in found}


class Dashboard(unittest.TestCase):
    """The chart's dashboard, as far as it can be read without a Grafana."""

    dashboard = json.loads(DASHBOARD.read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]

    def test_prometheus_parses_every_expression(self):
        """Protects every panel: promtool takes each expression, with Grafana's variables filled in."""
        check_expressions(self, map(filled_in, self.expressions))

    def test_they_show_metrics_that_there_are(self):
        """Protects panels from being empty for ever: every metric of ours that they name is served."""
        queries = [each["definition"] for each in self.dashboard["templating"]["list"] if "definition" in each]
        self.assertEqual(unknown_metrics("\n".join(self.expressions + queries)), [])
        self.assertEqual(unknown_labels("\n".join(self.expressions)), [])

    def test_every_query_is_of_the_release_that_is_chosen(self):
        """Protects against a panel that adds up two releases: ours go by the dashboard's variables, all of which exist."""
        variables = {each["name"] for each in self.dashboard["templating"]["list"]}
        for expression in self.expressions:
            for selector in re.findall(r"\b(?:applyguard|process)_\w+(?:\{([^}]*)\})?", expression):
                self.assertTrue(selector.startswith('namespace="$namespace",job="$job"'), expression)
        used = set(re.findall(r"\$\{?(\w+)", DASHBOARD.read_text())) - {"__rate_interval"}
        self.assertEqual(used, variables)

    def test_panels_lie_beside_each_other(self):
        """Protects the picture: each panel has a number of its own, and none lies over another or over the edge."""
        taken, ids = set(), [panel["id"] for panel in self.dashboard["panels"]]
        self.assertEqual(len(set(ids)), len(ids))
        for panel in self.dashboard["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
            self.assertLessEqual(place["x"] + place["w"], 24)
            self.assertFalse(cells & taken, panel["title"])
            taken |= cells


def check_expressions(test, expressions):
    """Has promtool parse them, as rules."""
    rules = [{"record": f"expression:{index}", "expr": expression} for index, expression in enumerate(expressions)]
    file = harness.temporary_directory() / "rules.json"
    file.write_text(json.dumps({"groups": [{"name": "expressions", "rules": rules}]}))
    done = harness.run(promtool(), "check", "rules", file)
    test.assertEqual(done.returncode, 0, done.stderr.decode())
    test.assertIn(f"SUCCESS: {len(rules)} rules found", done.stdout.decode())


def filled_in(expression):
    for variable, value in (("$__rate_interval", "5m"), ("$namespace", "applyguard"), ("$job", "applyguard")):
        expression = expression.replace(variable, value)
    return expression


def served_names():
    """The names of all samples, as the table of metrics has them."""
    suffixes = {"COUNTER": ("_total",), "GAUGE": ("",), "HISTOGRAM": ("_bucket", "_sum", "_count")}
    rows = re.findall(r'^METRIC\(\w+, (\w+), "(\w+)"', METRICS.read_text(), re.MULTILINE)
    return {name + suffix for kind, name in rows for suffix in suffixes[kind]}


def unknown_metrics(text):
    """Names of metrics of ours in expressions that no sample has."""
    return sorted(set(re.findall(r"\b(?:applyguard|process)_[a-z_]+", text)) - served_names())


def unknown_labels(text):
    """Labels in selectors of these metrics that they do not have, by the README's table, nor get from Kubernetes."""
    table = re.findall(r"^\| `(\w+)` \| \w+ \| ?(.*?) ?\|", README.read_text(), re.MULTILINE)
    labels = {name: {"job", "namespace", "pod", *listed.split(", ")} for name, listed in table}
    return [f"{name} {label}" for name, selector in re.findall(r"\b((?:applyguard|process)_\w+)\{([^}]*)\}", text)
            for label in re.findall(r"(\w+)(?:!=|=~|=)", selector)
            if label not in labels.get(re.sub("_bucket$", "", name), ())]


if __name__ == "__main__":
    harness.main()
