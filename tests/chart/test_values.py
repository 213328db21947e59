#!/usr/bin/env python3
"""The chart's values, without an API server: what is refused, what is the default, and that Helm 3 and 4 render the same."""

import json
import re
import shutil
import unittest

from chart import CHART, HERE, NAMESPACE, helm_program, render, run
from harness import main, temporary_directory
from helm import IMAGE, chart_values, chart_with_values, only_document

VALUES = sorted((HERE / "values").glob("*.yaml"))
REFUSED = sorted((HERE / "refused").glob("*.yaml"))
MAJORS = (3, 4)
# All that is made only if it is asked for, with each of two sources of certificates.
ALL = {
    "lookup": True, "events": {"enabled": True}, "modeGuard": {"enabled": True}, "webhook": {"clusterScoped": {"mode": "audit"}},
    "server": {"clientCA": {"configMap": "clients", "names": ["kube-apiserver"]}},
    "metrics": {"enabled": True, "labels": ["kind"], **{
        what: {"enabled": True} for what in ("serviceMonitor", "prometheusRule", "dashboard")}}}
ALL_BY_MAJOR = {3: {**ALL, "certs": {"mode": "certManager"}}, 4: ALL}
# Keys that may be absent.
TAKEN_AS_THEY_ARE = re.compile(r"(replicas|resources\..*|podSecurityContext\..*|metrics\.dashboard\.labels\..*)$")


def documents(text):
    """The YAML documents, in no order (kinds that Helm does not know come in any) and without blank lines."""
    lines = "\n".join(line for line in text.splitlines() if line.strip())
    return sorted(document.strip() for document in re.split(r"^---$", lines, flags=re.MULTILINE))


class Schema(unittest.TestCase):
    def test_wrong_values_are_refused_by_name(self):
        """Protects admins from typos: a value that the chart does not know is reported, not ignored."""
        self.assertTrue(REFUSED)
        for file in REFUSED:
            told = re.match(r"# told: (\S+)\n", file.read_text()).group(1)
            for major in MAJORS:
                with self.subTest(file.stem, helm=major):
                    done = render(major, "--values", file)
                    self.assertNotEqual(done.returncode, 0, "it was accepted")
                    self.assertIn("schema", done.stderr)
                    self.assertIn(told, done.stderr)

    def test_every_value_is_documented_and_in_the_schema(self):
        """Protects the documentation: a value in the schema alone, or without a word about it, is found."""
        schema = json.loads((CHART / "values.schema.json").read_text())
        documented, undocumented = documented_values((CHART / "values.yaml").read_text())
        self.assertEqual(undocumented, [], "values without a comment that starts with # --")
        former = "certs.self.caLife", "certs.self.leafLife"
        self.assertEqual(documented, sorted(
            path for path in schema_leaves(schema, schema) if path not in ("global", "enabled", "certificates", *former)))

    def test_a_bundle_may_have_text_before_its_certificates(self):
        """Protects who has a CA from `openssl ca` or easy-rsa, which describe it first: the API server skips that, too."""
        bundle = "Certificate:\n    Data:\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
        values = json.dumps({"certs": {"mode": "secret"}, "webhook": {"caBundle": bundle}})
        for major in MAJORS:
            done = render(major, "--values=-", input=values)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_chart_that_depends_on_this_one_has_its_condition(self):
        """Protects charts of charts: Helm hands the condition of the dependency, `applyguard.enabled`, to this chart as a value."""
        parent = temporary_directory() / "parent"
        shutil.copytree(CHART, parent / "charts" / CHART.name)
        (parent / "Chart.yaml").write_text(json.dumps({
            "apiVersion": "v2", "name": "parent", "version": "0.1.0",
            "dependencies": [{"name": CHART.name, "version": "*", "condition": f"{CHART.name}.enabled"}]}))
        for major in MAJORS:
            for enabled in True, False:
                done = render(major, f"--set={CHART.name}.enabled={json.dumps(enabled)}",
                              IMAGE.replace("=", f"={CHART.name}.", 1), chart=parent)
                self.assertEqual((done.returncode, "kind: Deployment" in done.stdout), (0, enabled), done.stderr)

    def test_no_object_of_the_schema_takes_unknown_keys(self):
        """Protects the schema itself: a developer who adds an object to it cannot forget to close it."""
        schema = json.loads((CHART / "values.schema.json").read_text())
        # Kubernetes' own types, which the API server checks.
        free = {"global", "resources.requests", "resources.limits", "affinity.nodeAffinity", "affinity.podAffinity",
                "affinity.podAntiAffinity"}
        self.assertEqual({path for path in open_objects(schema, schema)} - free, set())


def resolve(node, schema):
    return schema["definitions"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node


def schema_leaves(node, schema, path=""):
    node = resolve(node, schema)
    if not node.get("properties") or path.rsplit(".", 1)[-1] in (
            "namespaceSelector", "objectSelector", "issuerRef", "resources", "affinity", "podSecurityContext", "updateStrategy"):
        return [path]
    return [leaf for name, child in node["properties"].items()
            for leaf in schema_leaves(child, schema, f"{path}.{name}".lstrip("."))]


def open_objects(node, schema, path=""):
    node = resolve(node, schema)
    if node.get("type") == "object" and "additionalProperties" not in node:
        yield path
    for name, child in node.get("properties", {}).items():
        yield from open_objects(child, schema, f"{path}.{name}".lstrip("."))


def documented_values(text):
    """The values of values.yaml that have a comment `# --` above them, and the values without one.

    It relies on the file's form: two spaces a level, and each default on lines that are deeper or start with `- `.
    """
    documented, undocumented, path, comment = [], [], [], ""
    within = None
    for line in text.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        key = re.match(r"\s*([A-Za-z]+):(.*)", line)
        if within is not None and (depth > within or line.lstrip().startswith("- ")):
            continue
        if line.lstrip().startswith("#"):
            comment += line.strip() + "\n"
            continue
        if key:
            within = None
            path = path[:depth] + [key.group(1)]
            is_documented = "# --" in comment
            if is_documented or key.group(2).strip():
                (documented if is_documented else undocumented).append(".".join(path))
                within = depth
        comment = ""
    return sorted(documented), undocumented


def paths_of(values, path=()):
    """All keys, maps included."""
    for key, value in values.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from paths_of(value, (*path, key))


def without(values, path):
    """A copy without the key."""
    key, *rest = path
    return {name: without(value, rest) if rest and name == key else value for name, value in values.items() if rest or name != key}


def only(path, value):
    """Values that say this alone."""
    for key in reversed(path):
        value = {key: value}
    return value


class Absent(unittest.TestCase):
    """Values that are not there: the release comes from an older chart and keeps its values, or the user gave null."""

    def test_templates_have_the_defaults_of_the_values(self):
        """Protects the second copy of the defaults from saying something else."""
        chart = chart_with_values({}, '{{ include "applyguard.defaults" . | fromYaml | toJson }}')
        self.assertEqual(only_document(render(4, chart=chart, image=())), without(chart_values(), ["replicas"]))

    def test_each_absent_key_is_its_default(self):
        """Protects `helm upgrade --reuse-values` from a chart without the key, or without the map that it is in."""
        for major in MAJORS:
            expected = self.rendered(major, CHART)
            for path in paths_of(chart_values()):
                self.assert_default(major, path, self.rendered(major, chart_with_values(without(chart_values(), path))), expected)
            self.assertEqual(
                self.rendered(major, chart_with_values({"replicas": 2})), expected, "no values at all")

    def test_each_null_is_the_default(self):
        """Protects who gives null to any value: it is the default, or nothing where the values say so."""
        for major in MAJORS:
            expected = self.rendered(major, CHART, {})
            for path in paths_of(chart_values()):
                # Without any image the chart is refused.
                if path != ("image",):
                    self.assert_default(major, path, self.rendered(major, CHART, only(path, None)), expected)

    def assert_default(self, major, path, manifests, expected):
        name = ".".join(path)
        with self.subTest(name, helm=major):
            if TAKEN_AS_THEY_ARE.match(name):
                self.assertIn(manifests == expected, (False, name == "metrics.dashboard.labels.grafana_dashboard"))
            else:
                self.assertEqual(manifests, expected)

    def rendered(self, major, chart, values=None):
        values = ALL_BY_MAJOR[major] if values is None else values
        done = render(major, "--values=-", chart=chart, input=json.dumps(values))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class Lint(unittest.TestCase):
    def test_lint_is_content(self):
        """Protects what helm lint looks at, with every set of values."""
        for major in MAJORS:
            for file in VALUES:
                with self.subTest(file.stem, helm=major):
                    done = run([helm_program(major), "lint", "--strict", CHART, IMAGE, "--values", file])
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_helm_3_and_4_render_the_same(self):
        """Protects upgrades from one Helm to the other: nothing in the cluster changes by it."""
        for file in VALUES:
            with self.subTest(file.stem):
                self.assertEqual(*(documents(render(major, "--values", file).stdout) for major in MAJORS))


class Labels(unittest.TestCase):
    def test_common_labels_are_on_every_object(self):
        """Protects who must label all that runs: a cluster that asks for a label refuses the pods of hooks, too."""
        for major, values in ALL_BY_MAJOR.items():
            done = render(major, "--values=-", input=json.dumps({**values, "commonLabels": {"team": "platform"}}))
            self.assertEqual(done.returncode, 0, done.stderr)
            for document in filter(None, documents(done.stdout)):
                kind = re.search(r"^kind: (\w+)$", document, re.MULTILINE).group(1)
                with self.subTest(kind, helm=major):
                    found = re.findall(r"^ +team: platform$", document, re.MULTILINE)
                    self.assertEqual(len(found), 2 if kind in ("Deployment", "Job") else 1)


class Notes(unittest.TestCase):
    """The output of Helm at the end."""

    def notes(self, *values):
        done = run([helm_program(4), "install", "guard", CHART, IMAGE, "--dry-run=client", "--namespace", NAMESPACE, *values])
        self.assertEqual(done.returncode, 0, done.stderr)
        return " ".join(done.stdout.partition("\nNOTES:\n")[2].split())

    def test_whoever_can_ask_is_reported(self):
        """Protects admins from not knowing that anybody may ask, and have Events written."""
        anybody, events = "Whoever reaches port 8443 can have reviews judged", "and Events written about any object"
        notes = self.notes()
        self.assertIn(f"{anybody}. Close it with server.clientCA, or with networkPolicy.from:", notes)
        self.assertNotIn(events, notes)
        notes = self.notes("--set=events.enabled=true,hostNetwork=true")
        self.assertIn(f"{anybody}, {events}. Close it with server.clientCA:", notes)
        self.assertIn("pod-security.kubernetes.io/enforce=privileged", notes)
        self.assertNotIn(anybody, self.notes("--set=server.clientCA.configMap=clients,server.clientCA.names={kube-apiserver}"))
        self.assertNotIn(anybody, self.notes("--set=server.enabled=false,webhook.url=https://applyguard.example.com"))

    def test_what_an_autoscaler_decides_is_not_warned_of(self):
        """Protects against a note about replicas that are not set."""
        note = "with fewer than two replicas"
        self.assertIn(note, self.notes("--set=replicas=1"))
        self.assertNotIn(note, self.notes("--set=replicas=null"))


if __name__ == "__main__":
    main()
