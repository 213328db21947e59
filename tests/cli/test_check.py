#!/usr/bin/env python3
"""`applyguard check` from outside: inputs, exit status, formats, baseline. Its findings are tested in tests/manifests.

    tests/cli/test_check.py APPLYGUARD

Protects pipelines that go by its exit status, and people who give it directories, pipes and files that cannot be read.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import stub_kubectl

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
STORIES = pathlib.Path(__file__).resolve().parents[1] / "manifests"
WARNED, DENIED, CLEAN = (STORIES / name for name in ("autoscaled-replicas", "refused-combination", "clean"))
FORMATS = ("text", "json", "sarif", "junit", "github", "codeclimate", "markdown", "html")


def check(*arguments, stdin=b""):
    done = subprocess.run([APPLYGUARD, "check", *map(str, arguments)], input=stdin, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Check(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def test_exit_status(self):
        for arguments, status in (
                ((CLEAN,), 0), ((WARNED,), 0), ((DENIED,), 1), (("--fail-on", "warn", WARNED), 1), (("--fail-on", "warn", CLEAN), 0),
                (("--fail-on", "audit", STORIES / "yaml-ambiguity-meant"), 1), ((STORIES / "yaml-ambiguity-meant",), 0),
                ((STORIES / "broken", DENIED), 2), ((self.directory / "absent", DENIED), 2), (("--policy", "/absent", CLEAN), 2),
                ((), 2), (("--apply", "both", CLEAN), 2), (("-o", "yaml", CLEAN), 2)):
            with self.subTest(arguments):
                self.assertEqual(check(*arguments)[0], status)

    def test_what_cannot_be_read_keeps_nothing_from_the_others(self):
        status, output, errors = check(self.directory / "absent", DENIED)
        self.assertIn("refused-combination", output)
        self.assertIn("absent: error: No such file or directory", errors)

    def test_directories(self):
        (self.directory / "below").mkdir()
        (self.directory / "b.yaml").write_text("{apiVersion: v1, kind: Pod, metadata: {name: b}}\n")
        (self.directory / "a.json").write_text('{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}\n')
        (self.directory / "notes.txt").write_text("no manifest\n")
        (self.directory / "below" / "c.yml").write_text("{apiVersion: v1, kind: Pod, metadata: {name: c}}\n")
        names = [json.loads(line)["name"] for line in check("-o", "json", self.directory)[1].splitlines()]
        self.assertEqual(names, ["a", "b"])
        names = [json.loads(line)["name"] for line in check("-o", "json", "-R", "-f", self.directory)[1].splitlines()]
        self.assertEqual(names, ["a", "b", "c"])

    def test_a_kustomization_says_what_to_check(self):
        """Where it is named; in a directory with objects, it is passed over."""
        file = self.directory / "kustomization.yaml"
        file.write_text("resources: [web.yaml]\n")
        status, _, errors = check(file)
        self.assertEqual(status, 2)
        self.assertIn("kustomization.yaml:1:1: error: this is a kustomization and no object; pipe what kustomize build", errors)
        self.assertEqual(check(self.directory), (0, "0 objects in 1 file: no findings; 1 skipped (not Kubernetes manifests)\n", ""))

    def test_text_groups_findings(self):
        """At most five findings of a rule are shown; audits are counted. Other formats have all of them."""
        items = "".join(f"- {{apiVersion: example.com/v1, kind: Widget, metadata: {{name: w{number}}}, spec: {{a: on, mode: 2001-01-01}}}}\n" for number in range(8))
        text = f"apiVersion: v1\nkind: List\nitems:\n{items}".encode()
        status, output, _ = check("-", stdin=text)
        self.assertEqual((status, output.count("warn yaml-ambiguity:"), output.count("audit yaml-ambiguity:")), (0, 5, 0))
        self.assertEqual(output.splitlines()[-3:], ["yaml-ambiguity: 3 more findings; --all lists them", "by rule: yaml-ambiguity 16",
                                                    "8 objects in 1 file: 8 warn, 8 audit (--show audit lists audit findings)"])
        self.assertEqual(check("--all", "-", stdin=text)[1].count(" yaml-ambiguity: "), 8)
        for flags in (("--show", "audit"), ("--fail-on", "audit")):
            self.assertEqual(check(*flags, "--all", "-", stdin=text)[1].count(" yaml-ambiguity: "), 16)
        self.assertEqual(sum(len(json.loads(line)["findings"]) for line in check("-o", "json", "-", stdin=text)[1].splitlines()), 16)
        self.assertEqual(check("--show", "warn", "-", stdin=text)[0], 2)

    def test_text_begins_with_what_matters_most(self):
        """Denials, then the rules that find little. With --all, and of one large input, the order is that of the objects."""
        widgets = "".join(f"---\n{{apiVersion: example.com/v1, kind: Widget, metadata: {{name: w{number}}}, spec: {{a: on}}}}\n" for number in range(7))
        self.files(a_yaml=widgets, b_yaml=(WARNED / "web.yaml").read_text(), c_yaml=(DENIED / "web.yaml").read_text())
        def rules(*flags):
            return [" ".join(line.split(": ")[1].split()) for line in check(*flags, self.directory)[1].splitlines() if line.startswith(str(self.directory))]
        first = rules()
        self.assertEqual(first, sorted(first, key=lambda rule: (not rule.startswith("deny"), first.count(rule))))
        self.assertEqual((first[0].split()[0], first[-5:]), ("deny", ["warn yaml-ambiguity"] * 5))
        lines = check(self.directory)[1].splitlines()
        self.assertEqual(lines[-3], "yaml-ambiguity: 2 more findings; --all lists them")
        self.assertEqual(rules("--all")[:7], ["warn yaml-ambiguity"] * 7)

    def test_no_warning_takes_the_place_of_a_denial(self):
        """A rule has five lines, and denials get them."""
        policy = self.directory / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\noverrides: [{match: {kinds: [Widget.example.com]}, rules: {yaml-ambiguity: {action: deny}}}]\n")
        text = "---\n{apiVersion: example.com/v1, kind: %s, metadata: {name: w%d}, spec: {a: on}}\n"
        output = check("--policy", policy, "-", stdin="".join(text % (kind, number) for kind in ("Gadget", "Widget") for number in range(6)).encode())[1]
        self.assertEqual((output.count(" deny yaml-ambiguity: "), output.count(" warn yaml-ambiguity: ")), (5, 0))
        self.assertIn("yaml-ambiguity: 7 more findings", output)

    def test_samples_do_not_fill_the_page(self):
        """How they would be applied is counted, and what is wrong in them is listed, and so is each directory that is named."""
        secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: %s}\nstringData: {a: hunter2}\n"
        self.files(**{f"pkg__{folder}__a_yaml": secret % folder for folder in ("examples", "e2e", "tests", "test", "docs2")})
        self.files(examples__b_yaml="{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {a: on}}\n")
        def listed(*arguments):
            output = check(*arguments)[1]
            return [output.count(f" {rule}: ") for rule in ("last-applied-secret", "yaml-ambiguity")], output
        self.assertEqual(listed("-R", self.directory)[0], [1, 1])
        self.assertIn("last-applied-secret: 4 more findings in samples and tests; --all lists them\n", listed("-R", self.directory)[1])
        self.assertIn("last-applied-secret 5, yaml-ambiguity 1\n6 objects in 6 files: 6 warn\n", listed("-R", self.directory)[1])
        self.assertEqual(listed("-R", "--all", self.directory)[0], [5, 1])
        self.assertEqual(listed("-R", "--profile", "strict", self.directory)[0], [5, 1])
        self.assertEqual(listed("-R", "--fail-on", "warn", self.directory)[0], [5, 1])
        self.assertEqual(listed("-R", self.directory / "pkg/examples", self.directory / "pkg/e2e")[0], [2, 0])
        self.assertIn("last-applied-secret: 1 finding in samples and tests; --all lists them\n", listed("-R", "--exclude", "te*", "--exclude", "docs2", "--exclude", "e2e", self.directory)[1])
        self.assertEqual(check("-R", "-o", "json", self.directory)[1].count('"last-applied-secret"'), 5)

    def test_directories_of_samples_have_many_names(self):
        secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: hunter2}\n"
        for folder, is_sample in (("conformance", True), ("hack", True), ("configsamples", True), ("My_Examples", True), ("hackathon", False), ("samples2go", False), ("web", False)):
            with self.subTest(folder):
                directory = self.directory / f"of-{folder}"
                (directory / folder).mkdir(parents=True)
                (directory / folder / "a.yaml").write_text(secret)
                self.assertEqual("1 finding in samples and tests" in check("-R", directory)[1], is_sample)

    def test_denials_about_samples_come_last(self):
        """However many of them are read first."""
        denied = "{apiVersion: v1, kind: Service, metadata: {name: A}, spec: {ports: [{port: 1}]}}\n"
        self.files(**{f"{folder}__a_yaml": denied for folder in ("Test_Data", "archived", "olm-samples", "third_party", "web")}, web__b_yaml=denied.replace("A", "B"))
        lines = check("-R", self.directory)[1].replace(f"{self.directory}/", "").splitlines()
        self.assertEqual([line.split(":")[0] for line in lines if " deny " in line][:3], ["web/a.yaml", "web/b.yaml", "Test_Data/a.yaml"])
        self.assertEqual(check("-R", "--all", self.directory)[1].count(" deny "), 6)

    def test_findings_at_one_place_are_one_line(self):
        """Fields that an empty map lacks have the place of the map. Findings at other places of a line are listed."""
        text = b"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\nspec: {}\n"
        lines = [line for line in check("-", stdin=text)[1].splitlines() if " deny " in line]
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].endswith(" (and 4 more here; --all lists them)"), lines)
        self.assertEqual(check("--all", "-", stdin=text)[1].count(" deny "), 5)
        self.assertIn("refused-combination 5\n1 object in 1 file: 5 deny\n", check("-", stdin=text)[1])
        many = b"---\n".join(text.replace(b"a.b.c", b"a%d.b.c" % number) for number in range(7))
        self.assertIn("refused-combination: 10 more findings; --all lists them\n", check("-", stdin=many)[1])
        self.assertEqual(check("-", stdin=b"{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: 1, b: 2}}")[1].count(" deny "), 2)

    def test_a_problem_is_shown_once_for_a_file(self):
        """Each document of a template has it. Other formats have all of them."""
        self.files(a_yaml="apiVersion: v1\nkind: A\nx: {{ .A }}\n---\n" * 4 + "apiVersion: [\n", b_yaml="apiVersion: v1\nkind: A\nx: {{ .A }}\n---\n" * 2)
        errors = check(self.directory)[2].replace(f"{self.directory}/", "").splitlines()
        self.assertEqual([line.split(": ")[0] for line in errors], ["a.yaml:3:5", "a.yaml", "a.yaml:17:14", "b.yaml:3:5", "b.yaml"])
        self.assertEqual((errors[1], errors[4]), ("a.yaml: error: 3 more problems of this kind; --all lists them", "b.yaml: error: 1 more problem of this kind; --all lists it"))
        self.assertEqual(len(check("--all", self.directory)[2].splitlines()), 7)
        self.assertEqual(check("-o", "json", self.directory)[1].count('"error"'), 7)

    def test_copies_of_an_object_are_listed_once(self):
        """A warning, such as in three ways to install a program. Denials are listed for each file."""
        text = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: %s}, spec: %s}\n"
        for folder in ("a", "b", "c"):
            (self.directory / folder).mkdir()
            (self.directory / folder / "w.yaml").write_text(text % ("w", "on") + "---\n" + text % ("x", "on"))
        for flags, listed in (((), 2), (("--all",), 6), (("--profile", "strict"), 5)):
            with self.subTest(flags):
                output = check("-R", *flags, self.directory)[1]
                self.assertEqual(output.count(" yaml-ambiguity: "), listed)
                self.assertIn("yaml-ambiguity 6\n", output)
                self.assertEqual("yaml-ambiguity: 4 more findings" in output, listed == 2)

    def test_copies_need_not_be_the_same(self):
        """Such as the definitions of several releases, each a little larger."""
        schema = "x" * 150000
        for number in range(3):
            self.files(**{f"v{number}__a_yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata: {{a: {schema}}}\n"})
            schema += "x" * 20000
        output = check("-R", self.directory)[1]
        self.assertEqual(output.count(" oversized-annotations: "), 1)
        self.assertIn("oversized-annotations: 2 more findings", output)
        self.files(**{f"w{number}__a_yaml": f"{{apiVersion: example.com/v1, kind: Widget, metadata: {{name: w}}, spec: {{f{number}: on}}}}\n" for number in range(3)})
        self.assertEqual(check("-R", self.directory)[1].count(" yaml-ambiguity: "), 1)

    def test_copies_that_are_too_large_are_listed_once(self):
        """A denial, but one that server-side apply ends for all files. Other objects are listed, and all are counted."""
        for folder, name in (("a", "w"), ("b", "w"), ("c", "w"), ("d", "x")):
            self.files(**{f"{folder}__a_yaml": json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": folder * 262144}})})
        status, output, _ = check("-R", self.directory)
        self.assertEqual((status, [line.split(":")[0][-8:] for line in output.splitlines() if " deny " in line]), (1, ["a/a.yaml", "d/a.yaml"]))
        self.assertIn("last-applied-size: 2 more findings; --all lists them\n", output)
        self.assertEqual(check("-R", "--all", self.directory)[1].count(" deny last-applied-size: "), 4)

    def test_copies_hide_no_other_object(self):
        text = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: %s}, spec: on}\n"
        for name, number in (("w", 6), ("x", 1)):
            for each in range(number):
                (self.directory / f"{name}{each}").mkdir()
                (self.directory / f"{name}{each}" / "w.yaml").write_text(text % name)
        output = check("-R", self.directory)[1]
        self.assertEqual(output.count(" yaml-ambiguity: "), 2)
        self.assertIn(": Widget x: ", output)
        self.assertIn("yaml-ambiguity: 5 more findings", output)

    def test_every_ambiguity_counts(self):
        """Waived findings hide no others, and findings that are not listed are counted."""
        head = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n"
        meant = "".join(f"  f{number}: {{mode: 0644}}\n" for number in range(1500))
        found = json.loads(check("-o", "json", "-", stdin=(head + meant + "  last: on\n").encode())[1])["findings"]
        self.assertEqual([finding["fields"] for finding in found], [[".spec.last"]])
        many = head + "".join(f"  f{number}: on\n" for number in range(1500))
        self.assertIn("1436 more findings are not listed", check("-", stdin=many.encode())[1])
        items = "".join(f"- {{apiVersion: example.com/v1, kind: Widget, metadata: {{name: w{number}}}, spec: on}}\n"
                        for number in range(1500))
        self.assertIn("1500 warn\n", check("-", stdin=f"apiVersion: v1\nkind: List\nitems:\n{items}".encode())[1])

    def test_a_list_in_one_line_takes_little_memory(self):
        """As jq -c prints it: the line is long, and each finding in it has it as its source."""
        items = [{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": f"w{number}"}} for number in range(5000)]
        file = self.directory / "list.json"
        file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        child = subprocess.Popen([APPLYGUARD, "check", file], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 1)
        self.assertLess(usage.ru_maxrss, 1024 * 1024, "KiB; as large as the line for each finding would be more than twice that")

    def test_a_large_list_is_read_item_by_item(self):
        """As kubectl get -A -o json prints all objects of a cluster: larger than a document may be."""
        item = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"text": "]},{\\\"" * 30000, "items": [1]}}
        items = [{**item, "metadata": {"name": f"w{number}"}} for number in range(160)]
        file = self.directory / "list.json"
        for indent, after in ((None, {"kind": "List"}), (4, {"kind": "List", "metadata": {"resourceVersion": "", "items": [{}]}})):
            text = json.dumps({"apiVersion": "v1", "items": items, **after}, indent=indent)
            self.assertGreater(len(text), 33554432)
            file.write_text(text + '\n{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "last"}}\n')
            status, output, errors = check("-o", "json", file)
            names = [json.loads(line)["name"] for line in output.splitlines()]
            self.assertEqual((status, errors, names), (0, "", [f"w{number}" for number in range(160)] + ["last"]))
        broken = text.replace('"name": "w5"', '"name": w5', 1)
        file.write_text(broken)
        self.assertEqual(check(file)[0], 2)
        nothing = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "x" * 33554432}}
        file.write_text(json.dumps(nothing))
        self.assertIn("larger than 33554432 bytes", check(file)[2])

    def test_items_of_a_list_show_their_lines(self):
        items = "".join(f"- apiVersion: apps/v1\n  kind: Deployment # {number}\n  metadata: {{name: w{number}}}\n  spec: {{}}\n"
                        for number in range(3))
        output = check("-", stdin=f"apiVersion: v1\nkind: Pod\nmetadata: {{name: first}}\n---\nkind: List\napiVersion: v1\n"
                                  f"items:\n{items}".encode())[1]
        self.assertRegex(output, r"-:19:3: warn explicit-\w+: Deployment default/w2.*\n +19 \|   spec: \{\}\n")

    def test_configuration_of_programs_is_no_object(self):
        """However it comes: the program that reads it never sends it. An unknown document is judged."""
        stream = "---\n".join(
            f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: w}}\nyes: 0\n" for version, kind in (
                ("v1", "Config"), ("kustomize.config.k8s.io/v1beta1", "Kustomization"), ("builtin", "PatchTransformer"),
                ("kubeadm.k8s.io/v1beta4", "ClusterConfiguration"), ("kind.x-k8s.io/v1alpha4", "Cluster"),
                ("skaffold/v4beta11", "Config"), ("v1", "Policy"), ("install.istio.io/v1alpha1", "IstioOperator"), ("applyguard.io/v1", "Policy"), ("test.gatekeeper.sh/v1alpha1", "Suite"), ("v1alpha1", "HostnameConfig"), ("kops.k8s.io/v1alpha2", "InstanceGroup"),
                ("kops.k8s.io/v1alpha2", "Host"), ("kustomize.toolkit.fluxcd.io/v1", "Kustomization"), ("cluster.x-k8s.io/v1beta1", "Cluster")))
        status, output, errors = check("-o", "json", "--apply", "client", "-", stdin=stream.encode())
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual([json.loads(line)["kind"] for line in output.splitlines()],
                         ["Host.kops.k8s.io", "Kustomization.kustomize.toolkit.fluxcd.io", "Cluster.cluster.x-k8s.io"])
        self.assertIn("; 12 skipped (not Kubernetes manifests)", check("-", stdin=stream.encode())[1])

    def test_messages_of_the_api_server_are_no_manifests(self):
        """kubectl's cache of an API holds them, and so do recorded requests. What is stored is judged."""
        for version, kind, objects in (
                ("v1", "APIResourceList", 0), ("v1", "APIGroupList", 0), ("apidiscovery.k8s.io/v2", "APIGroupDiscoveryList", 0), ("v1", "Status", 0),
                ("v1", "DeleteOptions", 0), ("meta.k8s.io/v1", "Table", 0), ("meta.k8s.io/v1", "PartialObjectMetadata", 0), ("admission.k8s.io/v1", "AdmissionReview", 0),
                ("apiextensions.k8s.io/v1", "ConversionReview", 0), ("apiextensions.k8s.io/v1", "CustomResourceDefinition", 1), ("v1", "Pod", 1), ("status.example.com/v1", "Status", 1)):
            with self.subTest((version, kind)):
                status, output, errors = check("-", stdin=json.dumps({"kind": kind, "apiVersion": version, "metadata": {}, "groupVersion": "apps/v1"}).encode())
                self.assertEqual((status, output.splitlines()[-1].split()[0], errors), (objects, str(objects), ""))

    def test_local_objects_of_kustomize_are_passed_over(self):
        """Configuration of its functions, and objects with the mark."""
        for annotation, objects in (("config.kubernetes.io/function: 'exec: {path: ./a}'", 0), ("config.kubernetes.io/local-config: 'true'", 0),
                                    ("config.kubernetes.io/local-config: 'false'", 1), ("config.kubernetes.io/path: a.yaml", 1)):
            with self.subTest(annotation):
                text = f"apiVersion: example.com/v1\nkind: A\nmetadata:\n  name: a\n  annotations:\n    {annotation}\n"
                self.assertEqual(check("-", stdin=text.encode())[1].split()[0], str(objects))

    def test_machine_configuration_of_talos_is_no_manifest(self):
        """Its first document has no kind, as nothing had in earlier versions. Beside an object that is a mistake."""
        file = self.directory / "node.yaml"
        file.write_text("machine: {install: {disk: /dev/sda}}\n---\napiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n")
        self.assertEqual(check(self.directory), (0, "0 objects in 1 file: no findings; 2 skipped (not Kubernetes manifests)\n", ""))
        file.write_text(file.read_text() + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
        self.assertEqual(check(self.directory)[0], 2)

    def test_a_repository_has_more_than_objects(self):
        chart = self.directory / "chart"
        (chart / "templates").mkdir(parents=True)
        (chart / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
        (chart / "values.yaml").write_text("kind: Deployment\nreplicas: 2\n")
        (chart / "templates" / "web.yaml").write_text("metadata: {{ .Values.metadata }}\n")
        (self.directory / "workflow.yml").write_text("on: push\njobs: {}\n")
        (self.directory / "list.json").write_text("[1, 2]\n")
        (self.directory / "web.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        self.assertEqual(check("-R", self.directory), (0, "1 object in 6 files: no findings; 5 skipped (not Kubernetes manifests)\n", ""))
        for name, said in (("chart/values.yaml", "no apiVersion"), ("chart/Chart.yaml", "/chart | applyguard check -"),
                           ("chart/templates/web.yaml", "--show-only templates/web.yaml | applyguard check -"),
                           ("workflow.yml", "no kind"), ("list.json", "error:")):
            with self.subTest(name):
                self.assertEqual(check(self.directory / name)[0], 2)
                self.assertIn(said, check(self.directory / name)[2])

    def test_patches_of_kustomizations_are_no_objects(self):
        """Wherever they lie; who names one wants it judged. Other documents, even those that look like one, are objects."""
        pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {hostNetwork: on}\n"
        for name in ("base/a.yaml", "base/b.yaml", "overlay/c.yaml", "overlay/below/d.yml", "patches/e.yaml", "overlay/kept.yaml"):
            (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
            (self.directory / name).write_text(pod % "w")
        (self.directory / "base" / "kustomization.yml").write_text("resources: [a.yaml, absent.yaml]\npatchesJson6902: [{path: b.yaml}]\n")
        (self.directory / "overlay" / "kustomization.yaml").write_text(
            "x: &x {k: 1}\ny: {<<: *x}\nresources: [../base]\npatches:\n- path: c.yaml\n- path: ./below//x/../d.yml\n- patch: |\n    - op: remove\n"
            "patchesStrategicMerge:\n- ../../" + self.directory.name + "/patches/e.yaml\n- |\n  kept.yaml\n")
        def judged(*arguments):
            output = check("-o", "json", "-R", *arguments)[1]
            return [str(pathlib.Path(json.loads(line)["file"]).relative_to(self.directory)) for line in output.splitlines()]
        for directory in (self.directory, f"{self.directory}/", f"{self.directory}/base/.."):
            self.assertEqual(len(judged(directory)), 2)
        self.assertEqual(judged(self.directory), ["base/a.yaml", "overlay/kept.yaml"])
        self.assertEqual(judged(self.directory / "overlay" / "c.yaml"), ["overlay/c.yaml"])
        self.assertTrue(check("-R", self.directory)[1].endswith("; 6 skipped (not Kubernetes manifests)\n"))

    def test_contents_of_generated_objects_are_no_objects(self):
        """Files of ConfigMaps and Secrets that a kustomization makes, unless it takes their objects, too."""
        for name in ("pod.yaml", "key.yaml", "job.json", "taken.yaml"):
            (self.directory / name).write_text('{"apiVersion": "v1", "kind": "Pod", "metadata": {}}')
        (self.directory / "kustomization.yaml").write_text(
            "resources: [taken.yaml]\nconfigMapGenerator:\n- {name: a, files: [./pod.yaml, k=key.yaml, taken.yaml]}\n- {name: b, literals: [a=b]}\n- c\n"
            "secretGenerator: [{name: c, files: [job.json, {}]}]\n")
        status, output, errors = check("-R", self.directory, "--skipped")
        self.assertEqual((status, errors), (1, ""))
        self.assertEqual(output.count(": skipped: the content of a ConfigMap or a Secret that a kustomization makes\n"), 3)
        self.assertTrue(output.endswith("1 object in 5 files: 1 deny; 4 skipped (not Kubernetes manifests)\n"), output)
        self.assertEqual(check(self.directory / "pod.yaml")[0], 1)

    def test_kustomizations_are_applied_by_themselves(self):
        """Overlays of two clusters declare the same objects; an overlay scales what its base declares."""
        web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n  selector: {}\n  strategy: {}\n"
        scaler = ("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n"
                  "spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n")
        def write(**files):
            for name, text in files.items():
                file = self.directory / name.replace("__", "/").replace("_", ".")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        def found(*arguments):
            return sorted((str(pathlib.Path(item["file"]).relative_to(self.directory)), finding["rule"])
                          for item in map(json.loads, check("-o", "json", *arguments)[1].splitlines())
                          for finding in item["findings"] if finding["rule"] in ("duplicate-object", "autoscaled-replicas"))
        write(dev__web_yaml=web, prod__web_yaml=web, prod__scale__hpa_yaml=scaler)
        self.assertEqual(found("-R", self.directory), [("prod/web.yaml", "duplicate-object")])
        write(prod__kustomization_yaml="resources: [web.yaml, scale/hpa.yaml]\n")
        self.assertEqual(found("-R", self.directory), [("prod/web.yaml", "autoscaled-replicas")])
        self.assertEqual(found(self.directory / "dev/web.yaml", self.directory / "prod/web.yaml"), [("prod/web.yaml", "duplicate-object")])
        write(prod__again_yaml=web, prod__samples__a_yaml=web, prod__samples__b_yaml=web)
        self.assertEqual(found("-R", self.directory), [("prod/web.yaml", "autoscaled-replicas")])
        write(prod__kustomization_yaml="resources: [web.yaml, scale/hpa.yaml, ./again.yaml]\n")
        self.assertEqual(found("-R", self.directory), [("prod/again.yaml", "autoscaled-replicas"),
                                                       ("prod/web.yaml", "autoscaled-replicas"), ("prod/web.yaml", "duplicate-object")])
        write(prod__samples__a_yaml="", prod__samples__b_yaml="")
        write(prod__web_yaml="", prod__again_yaml="", prod__Kustomization="patches: [{path: web.yaml}]\n")
        self.assertEqual(found("-R", self.directory), [("dev/web.yaml", "autoscaled-replicas")])
        write(other__web_yaml=web, prod__web_yaml=web)
        self.assertEqual(found("-R", self.directory), [("other/web.yaml", "duplicate-object")])

    def test_labels_that_a_kustomization_adds_are_not_missing(self):
        """It adds them to the selectors and pod templates of its resources, also in other folders. Else they are missing."""
        web = ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  strategy: {type: Recreate}\n"
               "  template: {spec: {containers: [{name: web, image: web}]}}\n")
        short = web.replace("  strategy", "  selector: {matchLabels: {app: web}}\n  strategy")
        taking = {"a": "commonLabels: {app: web}\nresources: [../b, ../files/one.yaml]\n", "b": "bases: [../c/]\n",
                  "c": "resources: [web.yaml]\n", "d": "labels: [{pairs: {app: web}}]\nresources: [web.yaml, https://example.com/c]\n",
                  "e": "labels:\n- {pairs: {app: web}, includeSelectors: true}\nresources: [web.yaml]\n", "f": "commonLabels: {}\n"}
        for folder, text in taking.items():
            (self.directory / folder).mkdir()
            (self.directory / folder / "kustomization.yaml").write_text(text)
            (self.directory / folder / "web.yaml").write_text(web)
        (self.directory / "files").mkdir()
        for name in ("one.yaml", "two.yaml"):
            (self.directory / "files" / name).write_text(web)
        def found(*arguments, cwd=None):
            done = subprocess.run([APPLYGUARD, "check", "-o", "json", "--policy", "-", *arguments], cwd=cwd, capture_output=True, text=True,
                                  input="apiVersion: applyguard.io/v1\nkind: Policy\nrules:\n"
                                        "  dedicated-selector: {action: warn, labelKey: app}\n")
            return {(item["file"].removeprefix(f"{self.directory}/"), finding["rule"])
                    for item in map(json.loads, done.stdout.splitlines()) for finding in item["findings"]}
        missing = {(name, "explicit-selector") for name in ("d/web.yaml", "f/web.yaml", "files/two.yaml")}
        self.assertEqual({each for each in found("-R", self.directory) if each[1] == "explicit-selector"}, missing)
        self.assertEqual(found("-R", ".", cwd=self.directory / "e"), set())
        self.assertEqual({rule for _, rule in found(self.directory / "e" / "web.yaml")}, {"dedicated-selector", "explicit-selector"})
        for folder, rules in (("d", {"refused-combination", "dedicated-selector", "explicit-selector"}), ("e", set())):
            (self.directory / folder / "web.yaml").write_text(short)
            self.assertEqual({rule for _, rule in found(self.directory / folder)}, rules)

    def test_what_is_no_yaml_may_be_no_manifest(self):
        """Settings of editors are JSON with comments. Where it is named it is an error, as is a manifest that is broken."""
        texts = ('{\n  // comment\n  "kind": [1, 2,],\n}\n', "just a text\n", "\x00GITCRYPT", "a: b: c\n")
        for number, text in enumerate(texts):
            (self.directory / f"{number}.json").write_text(text)
            self.assertEqual(check(self.directory / f"{number}.json")[0], 2)
        self.assertEqual(check(self.directory), (0, "0 objects in 4 files: no findings; 4 skipped (not Kubernetes manifests)\n", ""))
        (self.directory / "pod.json").write_text('{"apiVersion": "v1", "kind": "Pod",, "metadata": {"name": "w"}}\n')
        self.assertEqual(check(self.directory)[0], 2)

    def test_an_object_that_lost_its_kind_is_a_mistake(self):
        """Alone, or together with objects: a line was lost, or --- is in the wrong place."""
        good = "apiVersion: v1\nkind: Pod\nmetadata: {name: w}\n"
        for text in ("apiVersion: v1\nmetadata: {name: w}\n", "kind: Pod\nmetadata: {name: w}\n", good + "---\nspec: {}\n",
                     good + "---\njust a text\n", good + "---\nspec: [\n", "apiVersion: v1\nkind: Pod\nspec: [\n"):
            with self.subTest(text):
                (self.directory / "a.yaml").write_text(text)
                self.assertEqual(check(self.directory)[0], 2)

    def test_what_holds_nothing_is_an_error(self):
        """A user who names it, or pipes it, expects objects. A file that is found in a directory may hold none."""
        for text in ("", "\n", "---\n", "null\n", "# a comment\n", "---\n---\n", "{apiVersion: v1, kind: List, items: []}\n"):
            with self.subTest(text):
                file = self.directory / "empty.yaml"
                file.write_text(text)
                self.assertEqual(check(file)[::2], (2, f"{file}: error: it holds no object\n"))
                self.assertEqual(check("-", stdin=text.encode())[::2], (2, "-: error: it holds no object\n"))
                self.assertEqual(check(self.directory)[::2], (0, ""))
        (self.directory / "empty.yaml").rename(self.directory / "empty.txt")
        nothing = f"{self.directory}: error: no file in it ends in .yaml, .yml or .json"
        self.assertEqual(check("-R", self.directory)[::2], (2, f"{nothing}\n"))
        self.assertEqual(check(self.directory)[::2], (2, f"{nothing}; --recursive looks into its directories, too\n"))
        self.assertEqual(check("--source", f"a={self.directory}", CLEAN)[::2],
                         (0, nothing.replace("error", "note") + "; --recursive looks into its directories, too\n"))

    def test_a_directory_whose_manifests_are_below(self):
        """Protects from a success that judged nothing: the files in the directory itself are others."""
        (self.directory / "deploy").mkdir()
        (self.directory / "mkdocs.yml").write_text("site_name: web\n")
        (self.directory / "deploy" / "web.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        said = f"{self.directory}: note: no object in it; --recursive looks into its directories, too\n"
        self.assertEqual(check(self.directory)[::2], (0, said))
        self.assertEqual(check("-R", self.directory)[::2], (0, ""))
        self.assertEqual(check(self.directory, CLEAN)[::2], (0, ""))

    def test_a_chart_says_how_to_check_it(self):
        """Its templates are no manifests. Beside manifests it is passed over."""
        chart = self.directory / "my chart"
        (chart / "charts" / "sub").mkdir(parents=True)
        (chart / "templates").mkdir()
        for folder in (chart, chart / "charts" / "sub"):
            (folder / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
        (chart / "templates" / "web.yaml").write_text("metadata: {{ .Values.metadata }}\n")
        said = f"{chart}: error: this is a Helm chart, and check judges what it renders; run: helm template '{chart}' | applyguard check -\n"
        for arguments in ((chart,), ("-R", chart), ("-R", self.directory)):
            with self.subTest(arguments):
                self.assertEqual(check(*arguments)[::2], (2, said))
        (self.directory / "web.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        self.assertEqual(check("-R", self.directory)[::2], (0, ""))
        self.assertEqual(check(chart / "templates")[::2], (2, said))
        (self.directory / "web.yaml").unlink()
        done = subprocess.run([APPLYGUARD, "check", "-R", "."], capture_output=True, text=True, cwd=self.directory, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (2, said.replace(f"{chart}", "my chart")))
        (chart / "files").mkdir()
        (chart / "files" / "gateway.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n---\nmetadata: {{ .Values.metadata }}\n")
        status, output, errors = check("-R", "--skipped", self.directory)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("gateway.yaml:3: skipped: part of a Helm chart", output)
        (chart / "crds").mkdir()
        (chart / "files" / "gateway.yaml").rename(chart / "crds" / "gateway.yaml")
        self.assertEqual(check("-R", self.directory)[0], 2)
        (chart / "crds" / "gateway.yaml").unlink()
        template = chart / "templates" / "web.yaml"
        one = f"this is a template of a Helm chart, and check judges what it renders; run: helm template '{chart}' --show-only templates/web.yaml | applyguard check -"
        self.assertEqual(check(template)[::2], (2, f"{template}:1:12: error: {one}\n"))
        template.write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        self.assertEqual(check(template)[0], 0)

    def test_templates_of_ytt_are_no_manifests(self):
        """They hold code in comments, so what they lack is not known before ytt has rendered them."""
        part = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: #@ data.values.image\n}]}\n"
        first = '#@ load("@ytt:data", "data")\n---\n'
        self.files(a_yaml="#! settings\n" + first + part, b_yaml="#@data/values\n---\na: b\n", c_yaml="#@overlay/match by=x\n---\nspec: {}\n",
                   d_yaml="a:\n  - #@ def name():\n")
        said = f"{self.directory}/a.yaml: error: this is a template of ytt, and check judges what it renders; run: ytt -f FILE | applyguard check -\n"
        self.assertEqual(check("-R", self.directory)[::2], (2, said))
        self.assertIn("it is required", check(self.directory / "a.yaml")[1])
        self.files(e_yaml="# @param image\n#@author\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
        reason = "a template of ytt; check what ytt prints"
        self.assertEqual(self.skipped(self.directory), {f"{name}.yaml": reason for name in "abcd"})
        self.assertIn("1 object in 5 files: no findings; 4 skipped", check("-R", self.directory)[1])

    def test_a_kustomization_may_lack_its_version(self):
        """kustomize reads it by its name. Flux's Kustomization is an object, and lacks its own."""
        self.files(a__kustomization_yaml="kind: Component\nmetadata: {name: a}\nresources: []\n", b__kustomization_yaml="kind: Kustomization\nmetadata: {name: a}\n",
                   c__all_yaml="{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        self.assertEqual(self.skipped(self.directory), {f"{name}/kustomization.yaml": "no Kubernetes manifest" for name in "ab"})
        self.files(d__flux_yaml="kind: Kustomization\nmetadata: {name: a}\nspec: {}\n")
        status, _, errors = check("-R", self.directory)
        self.assertEqual((status, errors), (2, f"{self.directory}/d/flux.yaml:1:1: error: kubectl refuses this: the object has no apiVersion\n"))

    def test_a_link_to_a_file_is_the_same_input(self):
        """Of a directory, only if the file is in it, too: another kustomization may make something else of it."""
        self.files(a__web_yaml="apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n")
        (self.directory / "a" / "latest.yaml").symlink_to("web.yaml")
        (self.directory / "b").mkdir()
        (self.directory / "b" / "web.yaml").symlink_to("../a/web.yaml")
        self.assertIn("1 object in 1 file: no findings", check(self.directory / "a")[1])
        self.assertIn("1 object in 1 file: no findings", check(self.directory / "a" / "latest.yaml", self.directory / "b" / "web.yaml")[1])
        self.assertIn("2 objects in 2 files: 1 audit", check("-R", self.directory)[1])

    def test_a_removed_version_that_a_kustomization_replaces(self):
        budget = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 1}\n"
        patch = "- target: {kind: PodDisruptionBudget}\n  patch: '[{op: replace, path: /apiVersion, value: policy/v1}]'\n"
        for patches, status in (("", 1), ("patches:\n" + patch, 0)):
            with self.subTest(patches):
                self.files(budget_yaml=budget, kustomization_yaml="resources: [budget.yaml]\n" + patches)
                self.assertEqual(check(self.directory)[0], status)

    def test_replicas_that_a_patch_removes(self):
        """The target of an autoscaler in a base declares replicas, and an overlay removes them."""
        kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        scaler = ("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n"
                  "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}\n")
        base = ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2, selector: {matchLabels: {a: b}}, "
                "strategy: {type: Recreate}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}\n")
        removes = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: null\n"
        for patches, expected in (
                ("", "1 warn"), ("patches:\n- target: {kind: Deployment}\n  patch: |\n    - {op: remove, path: /spec/replicas}\n", "no findings"),
                ("patches:\n- target: {kind: Deployment}\n  patch: |\n    - {op: remove, path: /spec/paused}\n", "1 warn"),
                ("patches: [path: removes.yaml]\n", "no findings"), ("patchesStrategicMerge: [removes.yaml]\n", "no findings"),
                ("patchesStrategicMerge:\n- |\n  kind: Deployment\n  spec: {replicas: ~}\n", "no findings"),
                ("patches: [path: absent.yaml]\n", "1 warn")):
            with self.subTest(patches):
                self.files(base__web_yaml=base, base__kustomization_yaml=f"{kustomization}resources: [web.yaml]\n", prod__scaler_yaml=scaler,
                           prod__removes_yaml=removes, prod__kustomization_yaml=f"{kustomization}resources: [../base, scaler.yaml]\n{patches}")
                self.assertIn(expected, check("-R", self.directory)[1])

    def test_a_file_that_is_given_twice_is_one_input(self):
        file = self.directory / "a.yaml"
        file.write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        for arguments in ((file, file), (self.directory, file), (file, self.directory), (f"{self.directory}/./a.yaml", file), (file, "-f", file),
                          (file, os.path.relpath(file)), (os.path.relpath(self.directory), file)):
            with self.subTest(arguments):
                self.assertEqual(check(*arguments), (0, "1 object in 1 file: no findings\n", ""))
        file.rename(self.directory / "empty.yaml").write_text("")
        self.assertEqual(check(self.directory, self.directory / "empty.yaml")[0], 2)

    def test_a_packed_file_is_named_as_one(self):
        for program, start in (("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"), ("zstd", b"\x28\xb5\x2f\xfd\x24\x01\0\0")):
            with self.subTest(program):
                code, _, errors = check("-", stdin=start)
                self.assertEqual((code, errors), (2, f"-:1:1: error: this is packed with {program}; unpack it first: {program} -dc FILE\n"))

    def test_objects_without_metadata(self):
        """With a group that Kubernetes does not have, they configure a program."""
        for apply in ("client", "server"):
            for text in ("apiVersion: config.example.com/v1\nkind: ProgramConfig\nport: 80\n", "apiVersion: release-notes/v2\nkind: feature\n"):
                with self.subTest((apply, text)):
                    self.assertEqual(check("--apply", apply, "-", stdin=text.encode()),
                                     (0, "0 objects in 1 file: no findings; 1 skipped (not Kubernetes manifests)\n", ""))
            self.assertNotIn("memory", check("--apply", apply, "-", stdin=b"{apiVersion: v1, kind: Namespace}")[2])

    def test_what_is_left_out(self):
        good = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
        bad = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}\n"
        for name in ("web.yaml", "b/web.yaml", "b/job-template.yaml", "b/out/web.yaml", "b/out/keep.yaml", "c/x/out/web.yaml"):
            file = self.directory / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(bad if "template" in name or "out" in name else good)
        self.assertEqual(check("-R", self.directory)[0], 2)
        for patterns, left, excluded in (
                (("*-template.yaml", "out"), 2, 4), (("*-template.yaml", "out/"), 2, 4), (("b", "x/"), 1, 5), (("**/out/**", "*-t[de-f]mplate.ya?l"), 2, 4),
                (("*-template.yaml", "out/*.yaml", "# c", ""), None, 0)):
            with self.subTest(patterns):
                flags = [flag for pattern in patterns for flag in ("--exclude", pattern)]
                status, output, _ = check("-R", *flags, self.directory)
                if left is None:
                    self.assertEqual(status, 2)
                    continue
                self.assertEqual((status, output), (0, output))
                self.assertIn(f"{left} object", output)
                self.assertIn(f"{excluded} excluded", output)
        ignored = self.directory / ".applyguardignore"
        ignored.write_text("# templates\n*-template.yaml  \n/b/out/*\n!/b/out/keep.yaml\nc/**/out\n")
        status, output, _ = check("-R", "--skipped", self.directory)
        self.assertEqual(status, 2)
        self.assertEqual(sorted(line.split("/")[-1] for line in output.splitlines() if "skipped:" in line),
                         ["job-template.yaml: skipped: excluded by a pattern", "web.yaml: skipped: excluded by a pattern", "web.yaml: skipped: excluded by a pattern"])
        ignored.write_text("*-template.yaml\nout\n")
        self.assertEqual(check("-R", self.directory)[0], 0)
        self.assertEqual(check(self.directory / "b/job-template.yaml")[0], 2)
        self.assertEqual(check("--exclude", "*.yaml", self.directory / "b/job-template.yaml")[0], 0)

    def test_a_directory_that_is_left_out_gets_no_other_advice(self):
        (self.directory / "below").mkdir()
        self.files(a_yaml="{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        self.assertEqual(check("--exclude", "*.yaml", self.directory), (0, "0 objects in 0 files: no findings; 1 excluded\n", ""))

    def test_each_directory_says_what_is_left_out_of_it(self):
        """As .gitignore does: relative to the directory, and the deeper one decides."""
        one = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
        self.files(a__x_yaml=one, a__b__x_yaml=one, a__b__y_yaml=one, a__c__x_yaml=one, a__c__y_yaml=one, d__x_yaml=one, d__y_yaml=one)
        def judged(*arguments):
            return [str(pathlib.Path(json.loads(line)["file"]).relative_to(self.directory)) for line in check("-o", "json", *arguments)[1].splitlines()]
        (self.directory / "a" / ".applyguardignore").write_text("x.yaml\n/c/y.yaml\n")
        (self.directory / "a/b" / ".applyguardignore").write_text("!x.yaml\n/y.yaml\n")
        self.assertEqual(judged("-R", self.directory), ["a/b/x.yaml", "d/x.yaml", "d/y.yaml"])
        self.assertEqual(judged("-R", f"{self.directory}/a/", self.directory / "d"), ["a/b/x.yaml", "d/x.yaml", "d/y.yaml"])
        self.assertEqual(judged("-R", self.directory / "a/b", self.directory / "a/c"), ["a/b/x.yaml", "a/c/x.yaml", "a/c/y.yaml"])
        (self.directory / "a" / ".applyguardignore").write_text("b/\n")
        self.assertEqual(judged("-R", self.directory), ["a/c/x.yaml", "a/c/y.yaml", "a/x.yaml", "d/x.yaml", "d/y.yaml"])

    def test_the_baseline_has_problems(self):
        """So one template does not fail a pipeline for ever. A problem of another kind does."""
        file, baseline = self.directory / "job.yaml", self.directory / "baseline.jsonl"
        file.write_text("name: {{ .Name }}\n")
        status, output, _ = check("-o", "json", file, self.directory / "absent")
        self.assertEqual(status, 2)
        self.assertEqual([sorted(json.loads(line)) for line in output.splitlines()], [["column", "error", "file", "line"], ["error", "file"]])
        baseline.write_text(output)
        file.write_text("# moved\nname: {{ .Name }}\n")
        self.assertEqual(check("--baseline", baseline, file, self.directory / "absent"), (0, "0 objects in 1 file: no findings; 2 known\n", ""))
        file.write_text("name: {{ .Name }}\n---\nname: {{ .Name }}\n")
        self.assertEqual(check("--baseline", baseline, file)[0], 2)

    def files(self, **texts):
        for name, text in texts.items():
            file = self.directory / name.replace("__", "/").replace("_yaml", ".yaml")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def test_identities_are_those_that_kustomize_makes(self):
        web = "{apiVersion: example.com/v1, kind: Web, metadata: {name: web}, spec: {a: 1}}\n"
        both = web + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: _, labels: {a: b}}}\n"
        take = "resources: [web.yaml]\n"
        for a, b, found in (("namespace: a\n", "namespace: b\n", 0), ("namespace: a\n", "namespace: a\n", 2), ("namePrefix: x-\n", "", 1),
                            ("nameSuffix: -x\n", "nameSuffix: -y\n", 1), ("", "", 2)):
            with self.subTest((a, b)):
                self.files(a__web_yaml=both, a__kustomization_yaml=a + take, b__web_yaml=both, b__kustomization_yaml=b + take)
                output = check("-o", "json", "--source", f"a={self.directory}/a", "--source", f"b={self.directory}/b")[1]
                self.assertEqual(output.count('"overlapping-sources"'), found, output)
        # The outermost namespace wins, and a name that a variable fills in equals nothing.
        self.files(a__web_yaml=both, a__kustomization_yaml="namespace: a\n" + take, b__web_yaml=both, b__kustomization_yaml="namespace: a\n" + take,
                   b__top__kustomization_yaml="namespace: b\nresources: [..]\n")
        sources = ("-R", "-o", "json", "--source", f"a={self.directory}/a", "--source", f"b={self.directory}/b")
        self.assertEqual(check(*sources)[1].count('"overlapping-sources"'), 0)
        variable = web.replace("name: web", "name: 'web-${NAME}'")
        self.files(c_yaml=variable + "---\n" + variable)
        self.assertIn("no findings", check(self.directory / "c.yaml")[1])

    def test_autoscalers_match_custom_resources(self):
        text = ("{{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {{name: web{0}}}, spec: {{replicas: 3}}}}\n---\n"
                "{{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {{name: web{1}}}, spec: {{maxReplicas: 5, "
                "scaleTargetRef: {{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web}}}}}}\n")
        for rollout, scaler, found in (("", "", True), (", namespace: a", ", namespace: a", True), (", namespace: a", "", False), ("", ", namespace: a", False)):
            with self.subTest((rollout, scaler)):
                self.assertEqual("autoscaled-replicas" in check("-", stdin=text.format(rollout, scaler).encode())[1], found)

    def test_what_a_patch_may_add_is_not_missing(self):
        """The base lacks a volume and a strategy; a kustomization above it patches it."""
        web = ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n"
               "    metadata: {labels: {app: web}}\n    spec:\n      containers:\n      - {name: web, image: a, volumeMounts: [{name: data, mountPath: /data}]}\n")
        self.files(base__web_yaml=web, base__kustomization_yaml="resources: [web.yaml]\n")
        self.assertEqual(check("-R", self.directory)[0], 1)
        self.files(overlay__kustomization_yaml="resources: [../base]\npatches: [{path: p.yaml}]\n")
        self.assertEqual(check("-R", self.directory)[0], 0)

    def test_parts_and_assertions_are_passed_over(self):
        part = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: web}]}}}\n"
        self.files(k__kustomization_yaml="resources: []\n", k__patch_yaml=part, k__image_patch_yaml=part.replace("name: web}]", "name: web, image: web}]"),
                   k___a_yaml="apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.}\nspec: {group: '', names: {kind: A, plural: a}, scope: Namespaced}\n",
                   k__webhook_in_a_yaml="apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec: {conversion: {strategy: Webhook, a: b}}\n")
        (self.directory / "t").mkdir()
        for name in ("00-assert.yaml", "01-errors.yml", "02-assert-more.yaml"):
            (self.directory / "t" / name).write_text(part)
        (self.directory / "t" / "00-install.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        self.files(c__ready_yaml=part, c__gone_yaml=part, c__change_yaml=part, **{"c__pod-assert-1_yaml": part, "c__pod-asserted_yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n"})
        (self.directory / "c" / "chainsaw-test.yaml").write_text(
            "# one test\n---\n# of two\n---\napiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\nspec:\n  steps:\n  - try:\n"
            "    - assert: {file: ready.yaml}\n    - error: {file: ./gone.yaml}\n    - patch: {file: change.yaml}\n")
        status, output, errors = check("-R", "--skipped", self.directory)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(sorted(line.split("/")[-1].split(":")[0] for line in output.splitlines() if " skipped: " in line),
                         ["00-assert.yaml", "01-errors.yml", "02-assert-more.yaml", "_a.yaml", "chainsaw-test.yaml", "change.yaml", "gone.yaml", "image_patch.yaml", "kustomization.yaml", "patch.yaml",
                          "pod-assert-1.yaml", "ready.yaml", "webhook_in_a.yaml"])
        self.assertIn("2 objects in 15 files: no findings; 13 skipped", output)

    def skipped(self, *arguments):
        status, output, errors = check("-R", "--skipped", *arguments)
        self.assertEqual((status, errors), (0, ""))
        return {line.split(f"{self.directory}/")[1].split(":")[0]: line.split(" skipped: ")[1] for line in output.splitlines() if " skipped: " in line}

    def test_test_data_is_not_applied(self):
        """Nor is the code of others, if a file of their tool shows that it is. A directory that is named is judged."""
        pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: w}\nspec: {hostNetwork: on, containers: [{name: w, image: i}]}\n"
        for name in ("web.yaml", "testdata/a.yaml", "pkg/x/testdata/y/a.yaml", "api/src/test/resources/a.yaml", "node_modules/x/a.yaml", "go/vendor/k8s.io/a.yaml",
                     ".chainsaw/crds/a.yaml", "_archived/web/a.yaml", "e2e/fixtures/a.yaml", "pkg/fake/data/a.yaml", "mock_data/a.yaml", "tests/__snapshot__/a.yaml",
                     "_testdata/a.yaml", "bats/test-data/a.yaml", "bundle/manifests/a.yaml", "bundle/metadata/annotations.yaml", "deploy/manifests/a.yaml",
                     "package/crds/a.yaml", "package/crossplane.yaml", "deploy/crds/a.yaml", "deploy/olm-catalog/web/1.0.0/a.yaml",
                     "apps/vendor/a.yaml", "apps/testdata.yaml", "apps/test/a.yaml", "src/test/a.yaml", "fixtures.yaml", "fake-gpu/a.yaml"):
            (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
            (self.directory / name).write_text(pod)
        (self.directory / "go" / "vendor" / "modules.txt").write_text("# k8s.io/api v0.36.3\n")
        (self.directory / "testdata" / "bad.yaml").write_text("kind: [\n")
        (self.directory / "testdata" / "nowhere.yaml").symlink_to("absent.yaml")
        reasons = self.skipped(self.directory)
        self.assertEqual(sorted(reasons), [".chainsaw/crds/a.yaml", "_archived/web/a.yaml", "_testdata/a.yaml", "api/src/test/resources/a.yaml", "bats/test-data/a.yaml", "bundle/manifests/a.yaml",
                                           "deploy/olm-catalog/web/1.0.0/a.yaml", "e2e/fixtures/a.yaml", "go/vendor/k8s.io/a.yaml", "mock_data/a.yaml",
                                           "node_modules/x/a.yaml", "package/crds/a.yaml", "pkg/fake/data/a.yaml", "pkg/x/testdata/y/a.yaml",
                                           "testdata/a.yaml", "testdata/bad.yaml", "testdata/nowhere.yaml", "tests/__snapshot__/a.yaml"])
        self.assertIn("test data", reasons["testdata/a.yaml"])
        self.assertIn("11 objects in 29 files", check("-R", self.directory)[1])
        for named in ("testdata", "pkg/x/testdata/", "pkg/x/testdata/y", "go/vendor", "node_modules/x", "api/src/test/resources", "e2e/fixtures", "pkg/fake"):
            with self.subTest(named):
                self.assertIn("yaml-ambiguity 1", check("-R", self.directory / named)[1])

    def test_objects_of_tests_are_not_applied(self):
        """gator and the program of Kyverno judge them without a cluster. Their templates and policies are manifests."""
        pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {hostNetwork: on, containers: [{name: w, image: i}]}\n"
        for name in ("gator/template.yaml", "gator/samples/bad.yaml", "gator/samples/all.yaml", "gator/samples/rule.yaml", "other/rule.yaml",
                     "kyverno/policy.yaml", "kyverno/test/resource.yaml", "kyverno/test/patched.yaml", "kyverno/test/rest.yaml", "kyverno/test/param.yaml", "kyverno/test/made.yaml"):
            (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
            (self.directory / name).write_text(pod % name.replace("/", "-"))
        suite = ("apiVersion: %s/v1alpha1\nkind: Suite\nmetadata: {name: s}\ntests:\n- template: template.yaml\n  constraint: %srule.yaml\n"
                 "  cases:\n  - {object: %sbad.yaml, inventory: [%sall.yaml]}\n")
        (self.directory / "gator" / "suite.yaml").write_text(suite % ("test.gatekeeper.sh", *["samples/"] * 3))
        (self.directory / "other" / "suite.yaml").write_text((suite % ("example.com", "", "", "")).replace("bad", "rule"))
        (self.directory / "kyverno" / "test" / "kyverno-test.yaml").write_text(
            "apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [../policy.yaml]\nresources: [resource.yaml]\nparamResources: [param.yaml]\n"
            "results: [{policy: p, rule: r, resources: [w], patchedResources: patched.yaml, generatedResource: made.yaml, result: pass}]\n")
        self.assertEqual(sorted(name for name, reason in self.skipped(self.directory).items() if "object of a test" in reason),
                         ["gator/samples/all.yaml", "gator/samples/bad.yaml", "kyverno/test/made.yaml", "kyverno/test/param.yaml", "kyverno/test/patched.yaml", "kyverno/test/resource.yaml"])

    def test_steps_of_a_test_are_not_applied_together(self):
        """chainsaw and kuttl apply them one after the other. A hidden directory of a test holds nothing else."""
        pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: w}\n"
        self.files(plain__a_yaml=pod, plain__b_yaml=pod)
        self.assertIn(": 1 warn\n", check("-R", self.directory)[1])
        (self.directory / "plain" / "chainsaw-test.yaml").write_text(
            "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\nspec:\n  steps:\n  - try:\n    - apply: {file: a.yaml}\n")
        self.assertIn(": 1 audit; 1 skipped", check("-R", self.directory)[1])
        (self.directory / "plain").rename(self.directory / ".chainsaw-test")
        self.assertIn("object of a test", self.skipped(self.directory)[".chainsaw-test/a.yaml"])
        self.files(**{".github__suite_yaml": "name: a\n", ".github__a_yaml": pod})
        self.assertNotIn(".github/a.yaml", self.skipped(self.directory))
        (self.directory / ".github" / "suite.yaml").rename(self.directory / ".github" / "kyverno-test.yaml")
        self.assertIn("object of a test", self.skipped(self.directory)[".github/a.yaml"])
        (self.directory / ".chainsaw-test").rename(self.directory / "steps")
        (self.directory / "steps" / "chainsaw-test.yaml").rename(self.directory / "steps" / "00-assert.yaml")
        self.assertIn(": 1 audit; 3 skipped", check("-R", self.directory)[1])

    def test_a_directory_of_variants(self):
        """If several files repeat objects of others, they are not applied together, and an autoscaler in one scales nothing in the others."""
        web = ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n  selector: {matchLabels: {a: b}}\n"
               "  strategy: {type: Recreate}\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: w, image: w}]}}\n")
        scaler = ("---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n"
                  "spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n")
        def found():
            return [(pathlib.Path(item["file"]).name, finding["rule"], finding["action"])
                    for item in map(json.loads, check("-o", "json", "-R", self.directory)[1].splitlines()) for finding in item["findings"]]
        self.files(a_yaml=web + scaler, b_yaml=web)
        self.assertEqual(found(), [("a.yaml", "autoscaled-replicas", "warn"), ("b.yaml", "duplicate-object", "warn"), ("b.yaml", "autoscaled-replicas", "warn")])
        self.files(c_yaml=web)
        self.assertEqual(found(), [("a.yaml", "autoscaled-replicas", "warn"), ("b.yaml", "duplicate-object", "audit"), ("c.yaml", "duplicate-object", "audit")])
        self.files(c_yaml=web + "---\n" + web)
        self.assertEqual(found()[-1], ("c.yaml", "duplicate-object", "audit"))
        self.files(b_yaml="", c_yaml=web + "---\n" + web.replace("web", "other"), d_yaml=web.replace("web", "other"))
        self.assertEqual({action for _, rule, action in found() if rule == "duplicate-object"}, {"audit"})
        self.files(kustomization_yaml="resources: [a.yaml, c.yaml, d.yaml]\n")
        self.assertEqual({action for _, rule, action in found() if rule == "duplicate-object"}, {"warn"})

    def test_names_of_variants(self):
        """One has the words of the other, and more. A leftover file is a mistake, and so is a duplicate in one file or one kustomization."""
        pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: w}\n"
        def action(first, second, **files):
            with tempfile.TemporaryDirectory() as directory:
                for name, text in {first: pod, second: pod, **files}.items():
                    (pathlib.Path(directory) / name).write_text(text)
                return check("-R", directory)[1].split(": ")[-1].split()[1]
        for first, second, expected in (
                ("proxy", "proxy-tls", "audit"), ("proxy", "proxy_tls", "audit"), ("nginx-ingress", "nginx-plus-ingress", "audit"), ("issuer", "mesh-issuer", "audit"),
                ("a-b", "a-x-b-y", "audit"), ("a", "b", "warn"), ("web", "web2", "warn"), ("web", "web-2", "warn"), ("web", "web-v2", "warn"), ("web", "web-old", "warn"),
                ("web", "web-copy", "warn"), ("01-web", "web", "warn"), ("web-previous", "web-current", "warn"), ("a-b", "a-c-d", "warn"), ("a-b-c", "b-a-c-d", "warn"),
                ("proxy", "proxyfied", "warn"), ("web", "web-", "warn")):
            with self.subTest((first, second)):
                self.assertEqual(action(f"{first}.yaml", f"{second}.yml"), expected)
        self.assertEqual(action("web.yaml", "web-tls.yaml", **{"kustomization.yaml": "resources: [web.yaml, web-tls.yaml]\n"}), "warn;")
        self.assertEqual(action("web.yaml", "web-tls.yaml", **{"web.yaml": f"{pod}---\n{pod}", "web-tls.yaml": "a: b\n"}), "warn;")
        self.files(web_yaml=pod)
        (self.directory / "web-tls.yaml").write_text(pod)
        self.assertIn(": 1 warn", check(self.directory / "web.yaml", self.directory / "web-tls.yaml")[1])

    def test_names_of_siblings(self):
        """Each has words of its own, as two answers to one question. A word of the object means a copy that was not changed to the end."""
        def action(first, second, kind="Pod", name="w", **files):
            text = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}\n"
            with tempfile.TemporaryDirectory() as directory:
                for file, content in {f"{first}.yaml": text, f"{second}.yaml": text, **files}.items():
                    (pathlib.Path(directory) / file).write_text(content.replace("SAME", text))
                return check("-R", directory)[1].split(": ")[-1].split()[1].strip(";")
        for first, second, expected in (
                ("policy-allow", "policy-deny", "audit"), ("web-with-tls", "web-without-tls", "audit"), ("minio-standalone-pv", "minio-distributed-pv", "audit"),
                ("web-all-ports", "web-no-port", "audit"), ("web-gpu-16", "web-slice", "audit"), ("web-gpu-16", "web-2", "warn"), ("allow", "deny", "warn"), ("web-1", "web-2", "warn"), ("web-a", "web-b", "warn"), ("web-v1", "web-v2", "warn"),
                ("web-old", "web-tls", "warn"), ("web-tls", "web-backup", "warn"), ("web-pod", "web-service", "warn"), ("team-w", "team-x", "warn")):
            with self.subTest((first, second)):
                self.assertEqual(action(first, second), expected)
        self.assertEqual(action("cart-config", "orders-config", "ConfigMap", "cart"), "warn")
        self.assertEqual(action("cart-config", "orders-config", "ConfigMap", "shop-orders"), "warn")
        self.assertEqual(action("web-cart", "web-orders", "ConfigMap", "shop"), "audit")
        other = "SAME---\napiVersion: v1\nkind: Pod\nmetadata: {name: other}\n"
        self.assertEqual(action("web-cart", "web-orders", **{"web-orders.yaml": other}), "warn", "it holds more than the other's objects")
        self.assertEqual(action("web-cart", "web-orders", **{"kustomization.yaml": "resources: [web-cart.yaml, web-orders.yaml]\n"}), "warn")

    def test_a_directory_of_releases(self):
        """Their definitions are alternatives, in no certain order. With --crd, one comes before the others."""
        old, new = ((STORIES / "crd-topology" / f"{name}.yaml").read_text() for name in ("old", "new"))
        def actions(*flags):
            lines = map(json.loads, check("-o", "json", "-R", *flags)[1].splitlines())
            return {finding["action"] for item in lines for finding in item["findings"] if finding["rule"] == "crd-topology" and finding.get("related")}
        self.files(releases__a_yaml=old, releases__b_yaml=new)
        self.assertEqual(actions(self.directory), {"warn"})
        self.files(releases__c_yaml=new)
        self.assertEqual(actions(self.directory), {"audit"})
        self.files(base__z_yaml=new, releases__a_yaml=new, releases__b_yaml=old)
        self.assertEqual(actions(self.directory), {"audit"})
        (self.directory / "releases" / "b.yaml").unlink()
        (self.directory / "releases" / "c.yaml").unlink()
        self.files(releases__a_yaml=old)
        self.assertEqual(actions(self.directory), {"audit"}, "two directories are alternatives")
        self.files(base__kustomization_yaml="resources: [z.yaml]\n")
        self.assertEqual(actions(self.directory), {"audit"})
        self.files(releases__a_yaml=new, former__a_yaml=old)
        self.assertEqual(actions("--crd", f"{self.directory}/former={self.directory}/releases"), {"warn"})

    def test_directories_are_alternatives(self):
        """As are two files with the same objects. One object in two files is not."""
        objects = "".join(f"---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: c{number}}}}}\n" for number in range(3))
        self.files(dev__a_yaml=objects, prod__a_yaml=objects)
        self.assertIn(": 1 audit", check("-R", self.directory)[1])
        self.files(dev__b_yaml=objects)
        self.assertIn(": 2 audit", check("-R", self.directory)[1])
        self.files(dev__b_yaml=objects.split("---\n")[1])
        self.assertIn(": 1 warn, 1 audit", check("-R", self.directory)[1])
        self.files(prod__kustomization_yaml="resources: [a.yaml]\n")
        self.assertIn(": 1 warn; 1 skipped", check("-R", self.directory)[1])

    def test_placeholders_are_no_secrets(self):
        secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  a: %s\n"
        for value, found in (("'${TOKEN}'", False), ("op://vault/item/field", False), ("ref+vault://a/b", False), ("hunter2", True), ("'${A}hunter2'", True),
                             ("'${A}'\n  b: hunter2", True), ("password", True)):
            with self.subTest(value):
                self.assertEqual("last-applied-secret" in check("-", stdin=(secret % value).encode())[1], found)

    def test_a_list_of_numbers_is_one_finding(self):
        text = "apiVersion: example.com/v1\nkind: A\nmetadata: {name: a}\nspec: {list: [0.5, 1.0, 2.0, 3.0], percent: 100.0, words: [on, off]}\n"
        self.assertEqual([finding["fields"] for finding in json.loads(check("-o", "json", "-", stdin=text.encode())[1])["findings"]],
                         [[".spec.list[1]"], [".spec.percent"], [".spec.words[0]"], [".spec.words[1]"]])

    def test_a_profile_needs_no_file(self):
        self.assertEqual([check("--profile", profile, WARNED)[0] for profile in ("audit", "baseline", "strict")], [0, 0, 1])
        self.assertEqual(check("--profile", "audit", DENIED)[0], 1)
        self.assertEqual(check("--profile", "lax", WARNED)[0], 2)
        self.assertIn("write --profile strict", check("--policy", "strict", WARNED)[2])
        self.assertEqual(check("--policy", "p.yaml", "--profile", "strict", WARNED)[0], 2)

    def test_appliers_say_how_it_is_applied(self):
        """Server-side if all do so; a flag decides otherwise."""
        def application(name, options="", source="path: web"):
            return (f"---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}}}\n"
                    f"spec: {{source: {{{source}}}, syncPolicy: {{syncOptions: [{options}]}}}}\n")
        flux = "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: shop}\nspec: {path: web}\n"
        secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: b}\n"
        side = "ServerSideApply=true"
        for appliers, client_side, said in (
                ("", True, ""), (flux, False, "judged as server-side applies"), (application("a", side), False, "judged as server-side applies"),
                (application("a"), True, ""), (flux + application("a"), True, "--apply server fits"),
                (flux + application("a", source="chart: web"), False, "judged as server-side applies")):
            with self.subTest(appliers):
                self.files(a_yaml=secret, flux__a_yaml=appliers or "a: b\n")
                for flags, found in (((), client_side), (("--apply", "client"), True), (("--server-side",), False)):
                    status, output, errors = check("-R", *flags, self.directory)
                    self.assertEqual((status, "last-applied-secret" in output), (0, found))
                    self.assertIn(said if not flags else "", errors)
                    self.assertEqual(bool(errors), not flags and bool(said))

    def test_definitions_are_compared_with_those_of_the_cluster(self):
        story = STORIES / "crd-topology"
        served = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinitionList", "items": []}
        stub = stub_kubectl.Served(self.directory, {"/apis/apiextensions.k8s.io/v1/customresourcedefinitions": served}, {})
        def against_cluster(*arguments):
            done = subprocess.run([APPLYGUARD, "check", "-o", "json", *map(str, arguments)], capture_output=True, text=True, timeout=60, env=stub.environment)
            return done.returncode, [finding for line in done.stdout.splitlines() for finding in json.loads(line)["findings"]], done.stderr
        self.assertEqual(against_cluster("--crd", "cluster", story / "new.yaml"), (0, [], ""))
        schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"rules": {"type": "array"}}}}}
        served["items"] = [{"metadata": {"name": "widgets.example.com"}, "spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}}]
        stub.write()
        status, findings, errors = against_cluster("--crd", "cluster", "--context", "shop", story / "new.yaml")
        self.assertEqual((status, [finding["rule"] for finding in findings], errors), (0, ["crd-topology"], ""))
        self.assertIn("from an atomic list (the cluster) to a list by name", findings[0]["message"])
        self.assertNotIn("related", findings[0])
        stub.objects.clear()
        stub.write()
        self.assertEqual(against_cluster("--crd=cluster", story / "new.yaml")[0], 2)
        for wrong in ("", "=a", "a="):
            self.assertIn("is neither OLD nor OLD=NEW", check("--crd", wrong, story / "new.yaml")[2])
        self.assertEqual(check("--crd", f"{story}/absent={story}/new.yaml")[0], 2)
        self.assertEqual(check("--crd", f"{story}/old.yaml", story / "new.yaml")[1].count("crd-topology:"), 4)

    def test_pipes(self):
        """They can be read only once, though judging may take two looks."""
        manifest = (DENIED / "web.yaml").read_bytes()
        self.assertEqual(check("-", stdin=manifest)[0], 1)
        fifo = self.directory / "fifo"
        os.mkfifo(fifo)
        writer = threading.Thread(target=fifo.write_bytes, args=(manifest,))
        writer.start()
        self.assertEqual(check(fifo)[0], 1)
        writer.join()

    def test_rendered_text_is_told_by_its_origin(self):
        """Helm's comment and kustomize's annotation name the file; its lines differ from the lines of the rendered text."""
        rendered = (b"---\n# Source: shop/templates/web.yaml\n" + (DENIED / "web.yaml").read_bytes()
                    + b"---\n" + (DENIED / "web.yaml").read_bytes().replace(b"name: web\n", b"name: other\n  annotations:\n"
                    b"    config.kubernetes.io/origin: 'path: base/other.yaml'\n", 1))
        items = [json.loads(line) for line in check("-o", "json", "-", stdin=rendered)[1].splitlines()]
        self.assertEqual([(each["file"], each["name"], "line" in each) for each in items],
                         [("shop/templates/web.yaml", "web", False), ("base/other.yaml", "other", False)])
        self.assertNotIn("line", items[0]["findings"][0])
        self.assertTrue(check("-", stdin=rendered)[1].startswith("shop/templates/web.yaml: deny refused-combination: "))
        file = self.directory / "rendered.yaml"
        file.write_bytes(rendered)
        self.assertTrue(check(file)[1].startswith(f"{file}:14:5: deny "), check(file)[1])

    def test_a_reader_that_goes_away_is_no_error(self):
        with subprocess.Popen([APPLYGUARD, "check", "-o", "json", *[WARNED] * 2000], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
        self.assertIn(process.returncode, (0, 1))

    def test_many_files_come_in_order(self):
        """Threads read ahead; their findings are reported in the order of the files."""
        for number in range(300):
            (self.directory / f"{number:03}.yaml").write_text(
                f"apiVersion: v1\nkind: Pod\nmetadata: {{name: pod-{number}}}\nspec: {{containers: []}}\n")
        names = [json.loads(line)["name"] for line in check("-o", "json", self.directory)[1].splitlines()]
        self.assertEqual(names, [f"pod-{number}" for number in range(300)])

    def test_files_tell_about_each_other_in_any_order(self):
        """A file is judged as it is read, and again where another one, before or after it, says something about its objects."""
        workload = (b"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n"
                    b"spec: {replicas: 2, selector: {matchLabels: {a: b}}, strategy: {type: Recreate}, "
                    b"template: {metadata: {labels: {a: b}}}}\n")
        scaler = (b"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\n"
                  b"spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}\n")
        for first, second, expected in (
                (workload, scaler, [["autoscaled-replicas"], []]), (scaler, workload, [[], ["autoscaled-replicas"]]),
                (workload, workload, [[], ["duplicate-object"]]), (workload.replace(b"replicas: 2, ", b""), scaler, [[], []])):
            (self.directory / "a.yaml").write_bytes(first)
            (self.directory / "b.yaml").write_bytes(second)
            items = [json.loads(line) for line in check("-o", "json", self.directory)[1].splitlines()]
            self.assertEqual([[finding["rule"] for finding in item["findings"]] for item in items], expected)

    def test_as_much_is_found_in_a_large_input(self):
        """Findings are kept while the rest is read, within a bound: beyond it the file is read again."""
        fields = "".join(f"  f{number}: on\n" for number in range(64))
        stream = "---\n".join(f"apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: w{number}}}\nspec:\n{fields}"
                              for number in range(1000))
        (self.directory / "a.yaml").write_text(stream)
        (self.directory / "b.yaml").write_text("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w999}\n")
        *items, last = [json.loads(line) for line in check("-o", "json", self.directory)[1].splitlines()]
        self.assertEqual([item["name"] for item in items], [f"w{number}" for number in range(1000)])
        for number, item in enumerate(items):
            self.assertEqual([finding["line"] for finding in item["findings"]], [69 * number + 5 + field for field in range(64)])
        self.assertEqual([finding["rule"] for finding in last["findings"]], ["duplicate-object"])

    def test_what_is_in_the_baseline_is_known(self):
        before = self.directory / "before.json"
        before.write_text(check("-o", "json", DENIED)[1])
        status, output, _ = check("--baseline", before, DENIED)
        self.assertEqual((status, output), (0, "1 object in 1 file: no findings; 1 known\n"))
        self.assertEqual(check("--baseline", before, DENIED, STORIES / "refused-combination-many")[0], 1)
        before.write_text("no report")
        self.assertEqual(check("--baseline", before, DENIED)[0], 2)

    def test_findings_that_are_not_listed_are_counted(self):
        env = "".join(f"        - {{name: E{number}, value: 0{number + 8:o}}}\n" for number in range(72))
        many = self.directory / "many.yaml"
        many.write_text(
            "apiVersion: example.com/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n"
            f"      - name: web\n        env:\n{env}")
        _, output, _ = check("-o", "json", many)
        item = json.loads(output)
        self.assertEqual((64, {"audit": 8}), (len(item["findings"]), item["dropped"]))
        status, output, _ = check("--fail-on", "audit", many)
        self.assertEqual(1, status)
        self.assertIn(f"{many}:1: audit: 8 more findings are not listed\n", output)
        self.assertTrue(output.endswith("; 8 more not listed\n"), output[-200:])
        before = self.directory / "before.json"
        before.write_text(check("-o", "json", many)[1])
        self.assertEqual(check("--fail-on", "audit", "--baseline", before, many)[:2], (0, "MANY:1: audit: 8 more findings are not listed\n"
                         "1 object in 1 file: no findings; 64 known, 8 more not listed\n".replace("MANY", str(many))))
        many.write_text(many.read_text() + "        - {name: E72, value: 0777}\n")
        self.assertEqual(check("--fail-on", "audit", "--baseline", before, many)[0], 1)

    def test_a_waiver_needs_a_reason(self):
        """Without one it waives nothing, and the summary says why."""
        text = (DENIED / "web.yaml").read_text()
        line = json.loads(check("-o", "json", DENIED)[1].splitlines()[0])["findings"][0]["line"]
        lines = text.splitlines()
        for reason, status, said in (("", 1, "; 1 waiver without a reason\n"), (" an old cluster", 0, "; 1 waived\n")):
            lines[line - 1] = text.splitlines()[line - 1] + f" # applyguard:waive refused-combination{reason}"
            done = check("-", stdin="\n".join(lines).encode())
            self.assertEqual((done[0], done[1][done[1].rindex(";"):]), (status, said))

    def test_a_waiver_of_no_rule_is_told(self):
        """Whatever the format; the others count."""
        text = ("apiVersion: v1\nkind: List # applyguard:waive refused-combinaton because\nitems:\n"
                "- {apiVersion: a.io/v1, kind: A, metadata: {name: a}} # applyguard:waive nonsense because\n"
                "- {apiVersion: a.io/v1, kind: A, metadata: {name: b}, data: {a: on}} # applyguard:waive yaml-ambiguity it is meant\n"
                "# applyguard:waive\n# applyguard:waive yaml-ambiguity,duplicate-object because\n")
        void = "note: this waiver waives nothing:"
        expected = (f'-:2:12: {void} there is no rule "refused-combinaton"; did you mean "refused-combination"?\n'
                    f'-:4:55: {void} there is no rule "nonsense"\n'
                    f"-:6:1: {void} it names no rule; write RULE REASON after it\n"
                    f"-:7:1: {void} it names several rules; write a comment for each\n")
        for form in FORMATS:
            self.assertEqual(check("-o", form, "-", stdin=text.encode())[::2], (0, expected))
        self.assertEqual(check("-", stdin=text.encode())[1], "2 objects in 1 file: no findings; 1 waived\n")
        (self.directory / "a.yaml").write_text(text)
        (self.directory / "b.yaml").write_text(text.replace("name: b", "name: c"))
        self.assertEqual(check(self.directory)[2].count(void), 8)

    def test_a_waiver_in_an_empty_document_is_told(self):
        """kubectl skips a document of comments, such as the head of a file above its first ---."""
        waiver = "# applyguard:waive yaml-ambiguity it is meant\n"
        value = "apiVersion: example.com/v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: on}\n"
        note = "note: this waiver waives nothing: there is no object in its document; write it below the next ---\n"
        for text, notes in ((f"# head\n  {waiver}{waiver}---\n---\n{value}---\n{value}", f"-:2:3: {note}"),
                            (f"{value}---\n{waiver}---\n{value}", f"-:6:1: {note}"), (f"---\n{waiver}{value}---\n{waiver}---\n", None)):
            with self.subTest(text):
                status, output, errors = check("-", stdin=text.encode())
                self.assertEqual(status, 0)
                self.assertEqual("".join(line for line in errors.splitlines(True) if "below" in line), notes or "")

    def test_a_waiver_with_a_sign_behind_it_is_told(self):
        """It names no rule; a longer word is another one."""
        text = "# applyguard:waive%s\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
        void = "-:1:1: note: this waiver waives nothing: "
        for rest, said in ((": yaml-ambiguity why", 'there is no rule ":"\n'), (":yaml-ambiguity why", 'there is no rule ":yaml-ambiguity"'),
                           ("=yaml-ambiguity why", 'there is no rule "=yaml-ambiguity"; did you mean "yaml-ambiguity"?\n'),
                           (":", 'there is no rule ":"\n'), ("rs: see below", None), ("-rule: see below", None)):
            with self.subTest(rest):
                errors = check("-", stdin=(text % rest).encode())[2]
                self.assertTrue(errors.startswith(void + said) if said else not errors, errors)

    def test_a_waiver_in_the_wrong_place_is_told(self):
        """Not one of a rule that finds nothing, as another policy may know more; nor where something else is waived."""
        rule = "# applyguard:waive yaml-ambiguity"
        text = (f"{rule} at the top\napiVersion: example.com/v1\nkind: ConfigMap\nmetadata: {{name: a}}\n{rule} it is meant\ndata:\n  a: on\n"
                f"  b: off {rule} it is meant\n  c: true # applyguard:waive duplicate-object by hand\n---\n"
                f"apiVersion: v1\nkind: List\nitems:\n- {{apiVersion: v1, kind: ConfigMap, metadata: {{name: b}}}} {rule} nothing\n"
                f"- apiVersion: example.com/v1\n  kind: ConfigMap {rule} here\n  metadata: {{name: c}}\n  data: {{a: on}}\n")
        note = "note: this waiver waives nothing: yaml-ambiguity is found on line"
        status, output, errors = check("-", stdin=text.encode())
        self.assertEqual(errors, "".join(f"-:{place}: {note} {line}, so write the comment there or above\n"
                                         for place, line in (("1:1", 7), ("5:1", 7), ("16:19", 18))))
        self.assertEqual(status, 0)
        self.assertIn("3 objects in 1 file: 2 warn; 1 waived\n", output)
        mended = text.replace("a: on\n", f"a: on {rule} it is meant\n").replace("a: on}\n", f"a: on}} {rule} it is meant\n")
        self.assertEqual(check("-", stdin=mended.encode())[::2], (0, ""))

    def test_what_is_cut_short_has_its_place_in_the_file(self):
        head = '{"apiVersion": "v1", "kind": "Pod"}\n'
        for text, place in (('{"apiVersion": "v1", "kind": "Pod"', "1:35"), ('{"apiVersion": "v1",', "1:21"), ('{"a": [', "1:8"),
                            (head + '{"a":', "2:6"), (head + head + '{"a":{"b": 1', "3:13"),
                            ("apiVersion: v1\nkind: Pod\na: {b: c", "3:9"), ("apiVersion: v1\nkind: Pod\na: [b, c", "3:9")):
            for end in ("", "\n", "\r\n", "  \n\n"):
                with self.subTest(text, end=end):
                    self.assertRegex(check("-", stdin=(text + end).encode())[2], f"^-:{place}: error: ")

    def test_findings_come_in_the_order_of_the_file(self):
        text = ("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {a: b}}\nspec: {z: 0644, x: 08, y: 0777, "
                "strategy: {type: Recreate, rollingUpdate: {maxSurge: 1_0}}}\n")
        for flags in ((), ("--apply", "server")):
            found = json.loads(check("-o", "json", *flags, "-", stdin=text.encode())[1])["findings"]
            places = [(finding["line"], finding["column"]) for finding in found]
            self.assertGreater(len(places), 4)
            self.assertEqual(places, sorted(places))

    def test_a_baseline_that_is_none(self):
        baseline = self.directory / "before.json"
        self.assertEqual(check("--baseline", baseline, CLEAN)[::2],
                         (2, f"{baseline}: error: No such file or directory\n"))
        for text, said in ((check("-o", "sarif", DENIED)[1], "1:1: error: it is JSON, but not what check -o json prints: a line for each object"),
                           (json.dumps({"file": "a", "findings": []}, indent=1), "1:1: error: it is JSON, but not what check"),
                           ('{"version": "2.1.0", "runs": []}', "1:1: error: it is not a line of -o json"), ("no report", "1:1: error: it is not JSON"),
                           ('{"file":"a","findings":[]}\n{', "2:2: error: it is not JSON: unexpected end of data")):
            baseline.write_text(text)
            status, output, errors = check("--baseline", baseline, DENIED)
            self.assertEqual((status, output), (2, ""))
            self.assertTrue(errors.startswith(f"{baseline}:{said}"), errors)

    def test_overrides_that_cannot_match_are_said(self):
        policy = self.directory / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\noverrides:\n- match: {groups: [sre]}\n"
                          "  rules: {refused-combination: {action: warn}}\n")
        status, _, errors = check("--policy", policy, DENIED)
        self.assertEqual(status, 1)
        self.assertIn("1 override of the policy matches users or groups", errors)
        self.assertEqual(check("--policy", policy, "--group", "sre", "--user", "alice", DENIED)[::2], (0, ""))

    def test_values_of_secrets_are_shown_in_no_format(self):
        for form in FORMATS:
            _, output, errors = check("-o", form, STORIES / "yaml-ambiguity-secret")
            self.assertIn("yaml-ambiguity", output)
            self.assertNotRegex(output + errors, "0123456|hunter2")

    def test_objects_go_to_the_namespace_of_the_flag(self):
        """Custom resources as well, although without a cluster their schema is not known."""
        policy = self.directory / "policy.yaml"
        policy.write_text("apiVersion: applyguard.io/v1\nkind: Policy\noverrides:\n- match: {namespaces: [prod]}\n"
                          "  rules: {yaml-ambiguity: {action: deny}}\n")
        for version in ("v1", "example.com/v1"):
            text = f"apiVersion: {version}\nkind: ConfigMap\nmetadata: {{name: b}}\ndata: {{a: b, a: c}}\n"
            for flags, status in (((), 0), (("-n", "dev"), 0), (("-n", "prod"), 1)):
                self.assertEqual(check("--policy", policy, *flags, "-", stdin=text.encode())[0], status)

    def test_no_excerpt_shows_what_a_secret_has(self):
        """On any line, and for a finding in any object."""
        map_, secret = "{apiVersion: v1, kind: CM, metadata: {name: c}, d: on}", "{apiVersion: v1, kind: Secret, metadata: {name: s}, "
        lists = "kind: List\napiVersion: v1\n"
        for text, is_shown in (
                (f"{lists}items: [{map_}, {secret}stringData: {{p: HUNTER2}}}}]\n", False),
                (f"{lists}items:\n- {map_}\n- {secret}\n   stringData: {{p: HUNTER2}}}}\n", True),
                (f"{lists}items: [{map_},\n {secret}stringData: {{p: HUNTER2}}}}]\n", True),
                (f"{lists}items:\n- apiVersion: v1\n  kind: CM\n  d: {{a: on, p: &p HUNTER2}}\n- {secret}stringData: {{p: *p}}}}\n", False),
                (f"{lists}items:\n- apiVersion: v1\n  kind: CM\n  d: &d {{a: on, p: HUNTER2}}\n- {secret}stringData: {{<<: *d}}}}\n", False),
                (f"{lists}items:\n- apiVersion: v1\n  kind: CM\n  d: {{a: &p 0x42}}\n- {secret}stringData: {{p: *p}}}}\n", False),
                (f"{lists}items: [{map_}, {{apiVersion: v1, metadata: {{name: s}}, stringData: {{p: HUNTER2}}}}]\n", False),
                (f"kind: SecretList\napiVersion: v1\nitems: [{map_}, {{metadata: {{name: s}}, stringData: {{p: HUNTER2}}}}]\n", False),
                ("apiVersion: v1\nkind: CM\nd: 08\n...\n{kind: Secret, stringData: {p: HUNTER2}}\n", True),
                ("apiVersion: v1\nkind: CM\n... {kind: Secret, stringData: {p: HUNTER2}}\n", False),
                ('{"apiVersion":"v1","kind":"CM","d":1,"d":1} {"apiVersion":"v1","kind":"Secret","stringData":{"p":"HUNTER2"}}', True),
                ('{"apiVersion":"v1","kind":"Secret","stringData":{"p":"HUNTER2"}} {"apiVersion":"v1","kind":"CM","d":1,"d":1}', True),
                ('{"apiVersion":"v1","kind":"CM","d":1,"d":1} {"apiVersion":"v1","kind":"Secret","stringData":{"p":"HUNTER2', True)):
            for form in FORMATS:
                with self.subTest(text, form=form):
                    _, output, errors = check("-o", form, "-", stdin=text.encode())
                    self.assertNotRegex(output + errors, "HUNTER2|0x42")
                    if form == "text":
                        self.assertIn("yaml-ambiguity", output)
                        lines = output.splitlines()
                        shown = [" | " in after for line, after in zip(lines, lines[1:]) if " yaml-ambiguity: " in line]
                        self.assertEqual(any(shown), is_shown, output)

    def test_no_error_quotes_a_value(self):
        """A password that begins with * or ! is an alias or a tag to YAML."""
        head = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  password: "
        for value in ("*HUNTER2", "&HUNTER2 [*HUNTER2]", "!HUNTER2\n  a: *b", "!!int HUNTER2", "@HUNTER2", "%HUNTER2", "`HUNTER2",
                      '"HUNTER2', '"HUNTER2\\q"', "HUNTER2: a: b", "{HUNTER2", "[HUNTER2", "|HUNTER2", "HUNTER2\n a: b"):
            with self.subTest(value):
                status, output, errors = check("-", stdin=f"{head}{value}\n".encode())
                self.assertEqual(status, 2)
                self.assertRegex(errors, r"^-:\d+:\d+: error: ")
                self.assertNotIn("HUNTER2", output + errors)

    def test_a_caret_behind_another_value(self):
        """JSON values may share a line: what is shown of it begins with the one that the finding is of."""
        text = '{"apiVersion":"v1","kind":"CM"} {"apiVersion":"v1","kind":"CM","d":1,"d":1}'
        self.assertIn('\n    1 | {"apiVersion":"v1","kind":"CM","d":1,"d":1}\n      |                                      ^\n',
                      check("-", stdin=text.encode())[1])

    def test_ambiguities_on_one_line_are_charged_to_their_object(self):
        items = "[{apiVersion: v1, kind: Secret, metadata: {name: s}}, {apiVersion: v1, kind: ConfigMap, data: {a: b, a: c}}]"
        found = [json.loads(line) for line in check("-o", "json", "-", stdin=f"{{kind: List, apiVersion: v1, items: {items}}}".encode())[1].splitlines()]
        self.assertEqual([[finding["rule"] for finding in item["findings"] if finding["rule"] == "yaml-ambiguity"] for item in found],
                         [[], ["yaml-ambiguity"]])

    def test_server_side_has_no_annotation(self):
        self.assertIn("last-applied-secret", check(STORIES / "yaml-ambiguity-secret")[1])
        self.assertNotIn("last-applied-secret", check("--apply", "server", STORIES / "yaml-ambiguity-secret")[1])


if __name__ == "__main__":
    unittest.main()
