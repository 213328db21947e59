#!/usr/bin/env python3
"""`applyguard blame`: an object with the manager of each line.

    tests/cli/test_blame.py APPLYGUARD
"""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
TESTS = pathlib.Path(__file__).resolve().parent.parent
EDIT = TESTS / "reviews" / "edit-ssa" / "review.json"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("PAGER", "LESS", "NO_COLOR")}


def blame(*arguments, objects=(), text=None):
    stdin = text if text is not None else "".join(json.dumps(each) + "\n" for each in objects)
    files = ("-f", "-") if objects or text is not None else ()
    done = subprocess.run([APPLYGUARD, "blame", *files, *arguments], input=stdin.encode(), capture_output=True,
                          timeout=120, env=ENVIRONMENT)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def fields_of(an_object):
    status, output, errors = blame("-o", "json", objects=[an_object])
    assert (status, errors) == (0, ""), errors
    return {field["path"]: field for field in json.loads(output)["fields"]}


def recorded():
    """Every object of the recorded reviews that has managers."""
    for path in sorted(TESTS.glob("reviews/*/review.json")):
        request = json.loads(path.read_text())["request"]
        for side in ("object", "oldObject"):
            found = request.get(side) or {}
            entries = found.get("metadata", {}).get("managedFields") if isinstance(found, dict) else None
            if isinstance(entries, list) and entries and "apiVersion" in found and "kind" in found \
                    and all(isinstance(each.get("fieldsV1"), dict) for each in entries):
                yield f"{path.parent.name} {side}", found


def edited():
    return json.loads(EDIT.read_text())["request"]["object"]


def config_map(*entries, kind="ConfigMap", metadata=None, **values):
    """Each of the entries is MANAGER, OPERATION, FIELDSV1."""
    return {"apiVersion": "v1", "kind": kind, **values, "metadata": {"name": "c", **(metadata or {}), "managedFields": [
        {"manager": manager, "operation": operation, "apiVersion": "v1", "time": "2026-11-20T00:00:00Z",
         "fieldsType": "FieldsV1", "fieldsV1": fields} for manager, operation, fields in entries]}}


# The API server's own form of a path (structured-merge-diff, fieldpath), made from FieldsV1 alone.

def scalar(value):
    return json.dumps(value, ensure_ascii=False)


def element(key):
    kind, rest = key[:2], key[2:]
    if kind == "f:":
        return "." + rest
    if kind == "k:":
        return "[" + ",".join(f"{name}={scalar(value)}" for name, value in sorted(json.loads(rest).items())) + "]"
    return f"[={scalar(json.loads(rest))}]" if kind == "v:" else f"[{rest}]"


def members(fields, path=""):
    """Each path of the set, and whether nothing is owned below it."""
    for key, below in fields.items():
        if key == ".":
            continue
        here = path + element(key)
        is_leaf = not [name for name in below if name != "."]
        if is_leaf or "." in below:
            yield here, is_leaf
        yield from members(below, here)


def step(value, key):
    kind, rest = key[:2], key[2:]
    if kind == "f:":
        return value[rest]
    wanted = json.loads(rest)
    items = [item for item in value if (
        item == wanted if kind == "v:" else
        isinstance(item, dict) and all(item.get(name) == each for name, each in wanted.items()))]
    return items[0]


def absent(fields, value, path=""):
    """The paths of the set that lead to nothing in the object."""
    for key, below in fields.items():
        if key == ".":
            continue
        try:
            yield from absent(below, step(value, key), path + element(key))
        except (KeyError, IndexError, TypeError):
            yield path + element(key)


class Owners(unittest.TestCase):
    maxDiff = None

    def test_owners_are_the_sets_that_contain_the_field(self):
        """For all recorded objects, held against a reading of FieldsV1 of its own; none is dropped, none is added."""
        found = list(recorded())
        self.assertGreater(len(found), 150)
        status, output, errors = blame("-o", "json", objects=[each for _, each in found])
        self.assertEqual(errors, "")
        self.assertEqual(status, 0)
        lines = [json.loads(line) for line in output.splitlines()]
        self.assertEqual(len(lines), len(found))
        for (name, an_object), line in zip(found, lines):
            entries = an_object["metadata"]["managedFields"]
            sets = [dict(members(entry["fieldsV1"])) for entry in entries]
            fields = {field["path"]: field for field in line["fields"]}
            with self.subTest(name):
                if "duplicate" not in name:
                    self.assertEqual(len(fields), len(line["fields"]), "a field stands there twice")
                for path, field in ((field["path"], field) for field in line["fields"]):
                    expected = [(entry["manager"], entry["operation"], entry.get("subresource", ""), entry.get("time", ""))
                                for entry, owned in zip(entries, sets) if path in owned]
                    got = [(owner["manager"], owner["operation"], owner["subresource"], owner["time"])
                           for owner in field["owners"]]
                    self.assertEqual(got, expected, path)
                for entry, owned in zip(entries, sets):
                    gone = list(absent(entry["fieldsV1"], an_object))
                    leaves = {path for path, is_leaf in owned.items() if is_leaf and path not in fields}
                    self.assertEqual([path for path in leaves if not any(path.startswith(each) for each in gone)], [])

    def test_an_item_of_a_keyed_list_is_found_by_its_parsed_key(self):
        key = 'k:{ "protocol" : "TCP", "containerPort":80.0 }'
        spec = {"ports": [{"containerPort": 80, "protocol": "UDP"}, {"containerPort": 80, "protocol": "TCP", "name": "x"}]}
        fields = fields_of(config_map(("m", "Apply", {"f:spec": {"f:ports": {key: {".": {}, "f:name": {}}}}}), spec=spec))
        self.assertEqual(fields['.spec.ports[containerPort=80,protocol="TCP"].name']["owners"][0]["manager"], "m")
        self.assertEqual(fields['.spec.ports[containerPort=80,protocol="TCP"]']["owners"][0]["manager"], "m")
        self.assertEqual(fields['.spec.ports[containerPort=80,protocol="UDP"].protocol']["owners"], [])

    def test_sets_atomic_lists_and_empty_values(self):
        fields = fields_of(config_map(
            ("a", "Apply", {"f:metadata": {"f:finalizers": {'v:"x"': {}}}, "f:spec": {"f:atomic": {}, "f:none": {}, "f:map": {}}}),
            ("b", "Update", {"f:metadata": {"f:finalizers": {".": {}, 'v:"x"': {}, 'v:"y"': {}}}, "f:spec": {"f:map": {"f:k": {}}}}),
            metadata={"finalizers": ["y", "x"]}, spec={"atomic": [1, {"a": [2]}], "none": {}, "map": {"k": "v"}}))
        owners = {path: "".join(owner["manager"] for owner in field["owners"]) for path, field in fields.items() if field["owners"]}
        self.assertEqual(owners, {'.metadata.finalizers[="y"]': "b", '.metadata.finalizers[="x"]': "ab", ".spec.atomic": "a",
                                  ".spec.none": "a", ".spec.map": "a", ".spec.map.k": "b"})

    def test_declared_and_stuck(self):
        last_applied = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1"}})
        annotation = "kubectl.kubernetes.io/last-applied-configuration"
        fields = fields_of(config_map(
            ("kubectl-client-side-apply", "Update", {"f:data": {"f:a": {}}, "f:metadata": {"f:annotations": {f"f:{annotation}": {}}}}),
            ("kubectl-edit", "Update", {"f:data": {"f:b": {}}}), data={"a": "1", "b": "2"},
            metadata={"annotations": {annotation: last_applied}, "creationTimestamp": "2026-11-19T00:00:00Z"}))
        self.assertEqual([(path, field["declared"], field["stuck"]) for path, field in fields.items() if ".data" in path],
                         [(".data.a", True, False), (".data.b", False, True)])

    def test_string_data_is_not_stuck(self):
        """The manifest of a Secret has the data under another name."""
        fields = fields_of(config_map(
            ("kubectl", "Apply", {"f:stringData": {"f:a": {}}}), ("kubectl-patch", "Update", {"f:data": {"f:a": {}, "f:b": {}}}),
            kind="Secret", data={"a": "MQ==", "b": "Mg=="}, metadata={"creationTimestamp": "2026-11-19T00:00:00Z"}))
        self.assertEqual([(path, field["declared"], field["stuck"]) for path, field in fields.items() if ".data" in path],
                         [(".data.a", False, False), (".data.b", False, True)])


class Text(unittest.TestCase):
    def test_each_line_has_its_owners(self):
        status, output, errors = blame(objects=[edited()])
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"(?m)^kubectl +Apply +\S+ +minReadySeconds: 5$")
        self.assertRegex(output, r"(?m)^kubectl-edit +Update +\S+ +S +image: nginx:1.17.0$")
        self.assertRegex(output, r"(?m)^kube-controller-manager +Update status +\S+ +observedGeneration: 1$")
        self.assertRegex(output, r"(?m)^\(nobody\) +unowned +dnsPolicy: ClusterFirst$")
        self.assertRegex(output, r"(?m)^\(nobody\) +untracked +kind: Deployment$")
        self.assertIn('.spec.template.spec.containers[name="nginx"].image is stuck: no apply removes it', output)
        self.assertNotIn("managedFields", output)

    def test_fields_that_an_edit_still_holds(self):
        """After an edit that was reverted by hand, the next change in the manifest conflicts; Flux takes kubectl's fields over."""
        both = {"f:data": {"f:a": {}}}
        _, output, _ = blame(objects=[config_map(("helm", "Apply", both), ("kubectl-edit", "Update", both), data={"a": "b"})])
        self.assertRegex(output, r"(?m)^helm +Apply +\S+ +H +a: b\nkubectl-edit +Update +\S+$")
        self.assertIn(".data.a is held by hand, too: it belongs to helm, kubectl-edit, so a change in the manifest conflicts", output)
        _, output, _ = blame(objects=[config_map(
            ("kustomize-controller", "Apply", both), ("kubectl-edit", "Update", both), data={"a": "b"})])
        self.assertNotIn("is held", output)

    def test_co_owners_stand_below_each_other(self):
        both = {"f:data": {"f:a": {}}}
        _, output, _ = blame(objects=[config_map(("one", "Apply", both), ("two", "Apply", both), data={"a": "b"})])
        self.assertRegex(output, r"(?m)^one +Apply +\S+ +C +a: b\ntwo +Apply +\S+$")
        self.assertIn(".data.a is contested", output)

    def test_the_next_apply_sets_back_only_another_value(self):
        annotation = "kubectl.kubernetes.io/last-applied-configuration"
        last_applied = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1", "b": "1", "c": "1"}})
        _, output, _ = blame(objects=[config_map(
            ("kubectl-client-side-apply", "Update", {"f:data": {"f:a": {}}, "f:metadata": {"f:annotations": {f"f:{annotation}": {}}}}),
            ("flux", "Apply", {"f:data": {"f:a": {}, "f:b": {}}}), data={"a": "1", "b": "2", "c": "2"},
            metadata={"annotations": {annotation: last_applied}})])
        set_back = "and last-applied declares another value, which the next kubectl apply sets"
        self.assertEqual(re.findall(r"(?m)^\S+ is contested: .*$", output), [
            ".data.a is contested: it belongs to kubectl-client-side-apply, flux, which all apply it; keep it in one manifest",
            f".data.b is contested: it belongs to flux, {set_back}", f".data.c is contested: it belongs to nobody, {set_back}"])

    def test_nothing_of_a_stranger_reaches_the_terminal(self):
        evil = "\x1b[31m\u202e\u2028\x9b"
        found = config_map(("m" + evil, "Apply", {"f:data": {"f:a" + evil: {}, "f:gone" + evil: {}}}),
                           data={"a" + evil: "v" + evil, "b": "x\n" + evil}, metadata={"name": "n" + evil})
        for form in ("text", "yaml", "json", "html"):
            with self.subTest(form):
                _, output, errors = blame("-o", form, objects=[found])
                self.assertTrue(all(character == "\n" or character.isprintable() for character in output + errors), output)

    def test_nothing_of_a_stranger_is_html(self):
        evil = "<script>&\"'"
        found = config_map((evil, "Apply", {"f:data": {f"f:{evil}": {}, f"f:{evil}2": {}}}), data={evil: evil}, metadata={"name": evil},
                           kind=evil)
        status, output, errors = blame("-o", "html", objects=[found, edited()])
        self.assertEqual((status, errors), (0, ""))
        self.assertNotIn("<script", output)
        self.assertGreater(output.count("&lt;script&gt;&amp;"), 4)
        self.assertEqual((output.count("<!DOCTYPE html>"), output.count("</html>"), output.count("<h2>")), (1, 1, 2))

    def test_a_page_is_whole_although_an_object_cannot_be_read(self):
        status, output, errors = blame("-o", "html", text="{}")
        self.assertEqual(status, 2)
        self.assertTrue(errors)
        self.assertTrue(output.startswith("<!DOCTYPE html>") and output.endswith("</html>\n"))

    def test_nothing_of_a_stranger_is_a_command_to_a_ci_system(self):
        value = "a\n::add-mask::b\n  ##vso[task.setvariable variable=c]d\n"
        found = config_map(("##vso[m]", "Apply", {"f:data": {"f:##[k]": {}, "f:##[gone]": {}}}), data={"##[k]": value})
        for arguments in ((), ("-o", "yaml"), ("--manager", "##vso[m]", "-o", "yaml")):
            with self.subTest(arguments):
                _, output, _ = blame(*arguments, objects=[found])
                self.assertNotRegex(output, r"##\w*\[|(?:^|\n)\s*::")
                self.assertIn(r"a\n::add-mask::b\n  #\x23vso[task.setvariable variable=c]d\n", output)

    def test_values_of_secrets_are_never_shown(self):
        secret = config_map(
            ("m", "Apply", {"f:data": {"f:p": {}, 'v:"HIDDENVALUE"': {}}, "f:stringData": {'v:"HIDDENVALUE"': {}}}), kind="Secret",
            data={"p": "HIDDENVALUE", "q": ["HIDDENVALUE"]}, stringData=["HIDDENVALUE"], stringdata={"s": "HIDDENVALUE"}, password="HIDDENVALUE",
            metadata={"annotations": {"a": "HIDDENVALUE"}})
        for arguments in ((), ("-o", "json"), ("-o", "yaml"), ("--manager", "m", "-o", "yaml"), ("--manager", "m"), ("-o", "html")):
            with self.subTest(arguments):
                status, output, errors = blame(*arguments, objects=[secret])
                self.assertEqual((status, errors), (0, ""))
                self.assertIn("p", output)
                self.assertNotIn("HIDDENVALUE", output)
        self.assertIn("(hidden)", blame("--manager", "m", "-o", "yaml", objects=[secret])[1])
        self.assertNotIn("HIDDENVALUE", blame(objects=[{**secret, "kind": "secret"}])[1])

    def test_on_a_terminal_lines_fit_and_managers_have_colours(self):
        def on_terminal(columns, **environment):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(edited(), file)
                file.flush()
                main, other = pty.openpty()
                subprocess.run(["stty", "cols", str(columns)], stdin=other, check=True)
                process = subprocess.Popen([APPLYGUARD, "blame", "-f", file.name], stdin=subprocess.DEVNULL, stdout=other,
                                           env={**ENVIRONMENT, "TERM": "xterm", **environment})
                os.close(other)
                output = b""
                try:
                    while chunk := os.read(main, 65536):
                        output += chunk
                except OSError:
                    pass
                os.close(main)
                self.assertEqual(process.wait(60), 0)
                return output.decode()

        narrow = on_terminal(60, PAGER="cat")
        rows = re.sub(r"\x1b\[[\d;]*m", "", narrow).replace("\r", "").split("\n\n")[0].splitlines()
        self.assertEqual([row for row in rows if len(row) > 60], [])
        self.assertIn("…", narrow)
        colours = dict(re.findall(r"(\x1b\[[\d;]+m)(kube\S*)", on_terminal(120, PAGER="cat")))
        self.assertEqual(len(colours), 3)
        self.assertNotIn("\x1b", on_terminal(120, PAGER="cat", NO_COLOR="1"))
        self.assertIn("paged: MANAGER", on_terminal(120, PAGER="sed 's/^/paged: /'", NO_COLOR="1"))

    def test_the_yaml_with_comments_reads_back_as_the_object(self):
        """For all recorded objects: with the managers that blame leaves out put back, it prints the same again."""
        found = [each for _, each in recorded() if each["kind"] != "Secret"]
        status, output, errors = blame("-o", "yaml", objects=found)
        self.assertEqual((status, errors), (0, ""))
        documents = output.split("\n---\n")
        self.assertEqual(len(documents), len(found))
        entries = [json.dumps(each["metadata"]["managedFields"]) for each in found]
        again = "\n---\n".join(document.replace("\nmetadata:\n", f"\nmetadata:\n  managedFields: {each}\n", 1)
                               for document, each in zip(documents, entries))
        self.assertEqual(blame("-o", "yaml", text=again), (0, output, ""))


class Manifest(unittest.TestCase):
    def test_the_manifest_of_a_manager(self):
        status, output, errors = blame("--manager", "kubectl", "-o", "yaml", objects=[edited()])
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output, """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: default
spec:
  minReadySeconds: 5
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: nginx
        ports:
        - containerPort: 80
""")

    def test_what_others_put_into_an_empty_map_is_not_its_own(self):
        found = config_map(("m", "Apply", {"f:data": {}}), ("n", "Update", {"f:data": {"f:a": {}}}), data={"a": "b"})
        _, output, _ = blame("--manager", "m", "-o", "yaml", objects=[found])
        self.assertIn("\ndata: {}\n", output)

    def test_an_item_keeps_the_keys_that_name_it(self):
        found = config_map(("m", "Update", {"f:spec": {"f:l": {'k:{"name":"x"}': {"f:image": {}}}}}),
                           spec={"l": [{"name": "x", "image": "i", "other": 1}, {"name": "y"}]})
        _, output, _ = blame("--manager", "m", "-o", "yaml", objects=[found])
        self.assertIn("  l:\n  - image: i\n    name: x\n", output)
        self.assertNotIn("other", output)

    def test_a_manager_that_is_not_there(self):
        status, output, errors = blame("--manager", "kubectll", objects=[edited()])
        self.assertEqual((status, output), (2, ""))
        self.assertEqual(errors, 'applyguard blame: no object has fields of the manager "kubectll"; did you mean "kubectl"?\n')


class Problems(unittest.TestCase):
    def test_each_is_a_sentence_that_helps(self):
        entry = ("m", "Apply", {"f:data": {}})
        for change, sentence in (
                ({"managedFields": None}, "it has no managedFields; kubectl get shows them with --show-managed-fields"),
                ({"managedFields": []}, "it has no managedFields"),
                ({"managedFields": [{"manager": "m"}]}, "managedFields entry 1 has no operation, or no fieldsV1 that can be read"),
                ({"managedFields": config_map(("m", "Apply", {"f:data": {"a": {}}}))["metadata"]["managedFields"]},
                 "the managedFields entry of m has a key that is not a path element")):
            with self.subTest(sentence):
                broken = config_map(entry, data={"a": "b"})
                broken["metadata"].update(change)
                status, output, errors = blame(objects=[broken, edited()])
                self.assertEqual(status, 2)
                self.assertRegex(errors, r"\A-:1:1: error: ConfigMap c: " + re.escape(sentence))
                self.assertIn("Deployment default/web", output)

    def test_lists_and_documents(self):
        listed = {"apiVersion": "v1", "kind": "List", "items": [edited(), edited()]}
        status, output, _ = blame("-o", "json", text=json.dumps(listed) + "\n---\n" + json.dumps(edited()))
        self.assertEqual((status, output.count('"name":"web"')), (0, 3))

    def test_wrong_use(self):
        for arguments, sentence in (((), "KIND/NAME is missing"), (("-f", "/absent"), "/absent: "), (("-f", "x", "-o", "xml"), "text, json, yaml")):
            with self.subTest(arguments):
                status, output, errors = blame(*arguments)
                self.assertEqual((status, output), (2, ""))
                self.assertIn(sentence, errors)


if __name__ == "__main__":
    unittest.main()
