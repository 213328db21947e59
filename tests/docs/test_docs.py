#!/usr/bin/env python3
"""The documents say what the code does: the same rules, the same defaults, policies that load, links that lead somewhere.

    tests/docs/test_docs.py APPLYGUARD

Protects readers from a README that was true once.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()
PAGES = ROOT / "docs" / "rules"
RULES = (PAGES / "README.md").read_text()
POLICY = (ROOT / "docs" / "policy.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
SECURITY = (ROOT / "SECURITY.md").read_text()

ROW = re.compile(r'^RULE\(\s*(\w+),\s*"([a-z-]+)",\s*\w+,\s*(\w+),\s*(\w+),\s*"([^"]+)"\)', re.MULTILINE)


def judged_rules():
    """Name, baseline, strict, summary of each row of the table."""
    table = (ROOT / "policy" / "rules.def").read_text()
    rows = [row[1:] for row in ROW.findall(table)]
    assert len(rows) == len(re.findall(r"^RULE\(", table, re.MULTILINE)), "a row has another form"
    return rows


def shown(profile):
    """The profile with every default, as `policy show` has it."""
    policy = f"apiVersion: applyguard.io/v1\nkind: Policy\nprofile: {profile}\n"
    return subprocess.run([APPLYGUARD, "policy", "show", "-"], input=policy, capture_output=True, text=True,
                          check=True).stdout


def shown_actions(profile):
    """The action of each rule."""
    return dict(re.findall(r'^  ([a-z-]+):\n    action: "?(\w+)"?$', shown(profile), re.MULTILINE))


class Policies(unittest.TestCase):
    def test_what_is_shown_is_checked_without_a_word(self):
        """Protects who starts from the defaults: `policy check` has nothing to say about them."""
        for profile in ("audit", "baseline", "strict"):
            done = subprocess.run([APPLYGUARD, "policy", "check", "-"], input=shown(profile), capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


# Rules of a single command, which are no rows of policy/rules.def.
COMMANDS_RULES = ["index-patch"]


class Rules(unittest.TestCase):
    PARTS = ["What it sees", "Example", "Why it matters", "Fix", "Tune", "When it stays silent"]

    def test_every_rule_has_its_page(self):
        pages = sorted(path.stem for path in PAGES.glob("*.md") if path.name != "README.md")
        self.assertEqual(pages, sorted([row[0] for row in judged_rules()] + COMMANDS_RULES))

    def test_every_page_has_the_same_parts(self):
        """Protects who comes from a warning: the answer is in the same place for each rule."""
        for name in [row[0] for row in judged_rules()] + COMMANDS_RULES:
            page = (PAGES / f"{name}.md").read_text()
            self.assertTrue(page.startswith(f"# {name}\n"), name)
            self.assertEqual(re.findall(r"^## (.+)$", page, re.MULTILINE), self.PARTS, name)
            self.assertRegex(page, r"\n\n\*\*.+\*\*\n.* \[I got a warning\]\(\.\./warned\.md\) .*\n\n## What it sees\n", name)
            self.assertIn("```yaml\n", page, name)

    def test_examples_are_what_the_rule_says(self):
        """Two rules speak only where another is off, or of several requests: they are asked so."""
        reviews = ROOT / "tests" / "reviews"
        said = {}
        for verdict in reviews.glob("*/verdict.txt"):
            for rule, message in re.findall(r"^  (?:deny|warn|audit) +([a-z-]+)\n {11}(.+)$", verdict.read_text(), re.MULTILINE):
                said.setdefault(rule, set()).add(message)
        for findings in (ROOT / "tests" / "manifests").glob("*/findings.txt"):
            for rule, message in re.findall(r"^\S+: (?:deny|warn|audit) ([a-z-]+): (.+)$", findings.read_text(), re.MULTILINE):
                said.setdefault(rule, set()).add(message)
        for findings in (ROOT / "tests" / "objects").glob("*/findings.txt"):
            for rule, message in re.findall(r"^(?:deny|warn|audit) ([a-z-]+): (.+)$", findings.read_text(), re.MULTILINE):
                said.setdefault(rule, set()).add(message)
        for rules in ({"ownership-conflict": {"action": "off"}}, {"contested-field": {"changes": 1}}):
            policy = json.dumps({"apiVersion": "applyguard.io/v1", "kind": "Policy", "profile": "strict", "rules": rules})
            done = subprocess.run([APPLYGUARD, "review", "--policy", "-", "-o", "json", *sorted(reviews.glob("*/review.json"))],
                                  input=policy, capture_output=True, text=True)
            for line in done.stdout.splitlines():
                for finding in json.loads(line)["findings"]:
                    said.setdefault(finding["rule"], set()).add(finding["message"])
        for name, *_ in judged_rules():
            example = re.search(r"^## Example\n.*?^```\n(.*?)\n```$", (PAGES / f"{name}.md").read_text(), re.MULTILINE | re.DOTALL)
            self.assertIn(example.group(1), said[name])

    def test_the_index_lists_every_rule(self):
        listed = re.findall(r"^\| \[`([a-z-]+)`\]\(([a-z-]+)\.md\) \| (.+?) \|", RULES, re.MULTILINE)
        self.assertEqual(listed, [(row[0], row[0], row[3]) for row in judged_rules()])

    def test_the_index_has_the_defaults(self):
        """ownership-conflict goes by its table: the index names the strongest cell."""
        cells = re.findall(r"^\| \[`([a-z-]+)`\].*\| (\w+) \| (\w+) \|$", RULES, re.MULTILINE)
        for column, profile in ((1, "baseline"), (2, "strict")):
            actions = shown_actions(profile)
            if profile == "baseline":
                self.assertEqual(actions["ownership-conflict"], "deny")
                actions["ownership-conflict"] = "warn"
            self.assertEqual({cell[0]: cell[column] for cell in cells}, actions)


def timeless(line):
    """A line of blame without the age of its owner and the width of its columns."""
    return re.sub(r"\s+", " ", re.sub(r"((?:Apply|Update(?: \w+)?) +)(?:\d+[smhdy])+ ", r"\1", line))


class Examples(unittest.TestCase):
    def test_policies_load(self):
        examples = [block for block in re.findall(r"```yaml\n(.*?)```", README + "".join(page.read_text() for page in sorted(PAGES.glob("*.md"))),
                                                   re.DOTALL)
                    if "kind: Policy" in block or block.startswith("rules:")]
        self.assertGreaterEqual(len(examples), 2)
        for example in examples:
            text = example if "kind:" in example else "apiVersion: applyguard.io/v1\nkind: Policy\n" + example
            done = subprocess.run([APPLYGUARD, "policy", "check", "-"], input=text, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_warning_shown_is_the_warning_given(self):
        shown = re.search(r"^Warning: (applyguard: .*)$", README, re.MULTILINE).group(1)
        answer = subprocess.run([APPLYGUARD, "review", "-o", "response", ROOT / "tests/reviews/edit-ssa/review.json"],
                                capture_output=True, text=True, check=True).stdout
        self.assertEqual([shown], json.loads(answer)["response"]["warnings"])

    def test_the_blame_shown_is_what_it_prints(self):
        """Of the same recorded object; ages grow, and the page leaves out lines."""
        page = (ROOT / "docs" / "blame.md").read_text()
        recorded = json.loads((ROOT / "tests/reviews/edit-ssa/review.json").read_text())["request"]["object"]
        examples = re.findall(r"^\$ kubectl get .* \| applyguard (blame .*)\n((?:.*\n)*?)```$", page, re.MULTILINE)
        self.assertEqual(len(examples), 2)
        for command, shown in examples:
            printed = subprocess.run([APPLYGUARD, *command.split()], input=json.dumps(recorded), capture_output=True,
                                     text=True, check=True).stdout
            lines = iter([timeless(line) for line in printed.splitlines()])
            for line in shown.splitlines():
                if line != "...":
                    self.assertIn(timeless(line), lines, line)

    def test_the_history_shown_is_what_it_prints(self):
        """Of a recorded log; the page leaves out lines."""
        page = (ROOT / "docs" / "blame.md").read_text()
        [shown] = re.findall(r"^\$ applyguard blame deploy/web --history audit.log\n((?:.*\n)*?)```$", page, re.MULTILINE)
        folder = ROOT / "tests" / "histories"
        printed = subprocess.run([APPLYGUARD, "blame", "-f", folder / "web.json", "--history", folder / "audit.log.gz"],
                                 capture_output=True, text=True, check=True).stdout
        lines = iter(printed.splitlines())
        for line in shown.splitlines():
            self.assertIn(line, lines)

    def test_the_previews_shown_are_what_it_prints(self):
        page = (ROOT / "docs" / "preview.md").read_text()
        examples = re.findall(r"^\$ applyguard (preview .*)\n((?:.*\n)*?)```$", page, re.MULTILINE)
        self.assertGreaterEqual(len(examples), 2)
        for command, shown in examples:
            done = subprocess.run([APPLYGUARD, *command.split()], capture_output=True, text=True, cwd=ROOT)
            self.assertEqual((done.stdout, done.stderr), (shown, ""))

    def test_the_migration_shown_is_what_it_prints(self):
        """Of recorded objects; the page leaves out the patch itself."""
        page = (ROOT / "docs" / "migrate.md").read_text()
        examples = [("set-image", re.search(r"^\$ kubectl get .* \| applyguard (migrate .*) -f - > patch.json\n((?:.+\n)+?)```$", page, re.MULTILINE)),
                    ("rollout-restart", re.search(r"^\$ applyguard (migrate .*) deploy/web\n((?:.+\n)+?)```$", page, re.MULTILINE))]
        for name, example in examples:
            recorded = json.loads((ROOT / "tests/reviews" / name / "review.json").read_text())["request"]["object"]
            done = subprocess.run([APPLYGUARD, *example.group(1).split(), "-f", "-"], input=json.dumps(recorded), capture_output=True,
                                  text=True, check=True)
            printed = re.sub(r'(?<="replace",).*(?=}])', "…", done.stdout) if "-o command" in example.group(1) else done.stderr
            self.assertEqual(printed, example.group(2))

    def test_the_refusal_of_a_policy_shown_is_what_the_check_prints(self):
        """The chart's page shows it as Helm prints the log of the Job."""
        page = (ROOT / "charts" / "applyguard" / "README.md").read_text()
        shown = re.search(r'^level=INFO msg="/etc/applyguard/policy/policy\.yaml(:\d+:\d+: .*)"$', page, re.MULTILINE).group(1)
        policy = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: baseline\nrules:\n  explicit-fields: {action: dony}\n"
        done = subprocess.run([APPLYGUARD, "policy", "check", "-"], input=policy, capture_output=True, text=True)
        self.assertEqual(done.stderr, "-" + shown.replace('\\"', '"') + "\n")

    def test_the_picture_shows_what_blame_and_check_print(self):
        drawn = subprocess.run([ROOT / "cmake/draw_picture.py", APPLYGUARD, "--check"], capture_output=True, text=True)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        self.assertTrue(all(f'"docs/picture-{scheme}.svg"' in README for scheme in ("light", "dark")))

    def test_the_readme_is_short_and_begins_with_two_commands(self):
        """Protects who has a clone: these two set up everything."""
        self.assertLess(len(README.splitlines()), 120)
        shown = [line.partition("  ")[0] for line in re.search(r"```console\n(\$ \./dev run .*?)```", README, re.DOTALL).group(1).splitlines()]
        self.assertEqual(shown, ["$ ./dev run", "$ ./dev test"])


class PolicyPage(unittest.TestCase):
    """docs/policy.md is the whole policy file: nothing that the parser takes is missing, no default is another."""

    HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"

    def check(self, text):
        return subprocess.run([APPLYGUARD, "policy", "check", "-"], input=text, capture_output=True, text=True)

    def section(self, heading):
        found = re.search(rf"^##+ {heading}\n(.*?)(?=^## |\Z)", POLICY, re.DOTALL | re.MULTILINE)
        self.assertIsNotNone(found, heading)
        return found.group(1)

    def test_every_key_of_the_parser_is_on_the_page(self):
        """The parser itself says which keys it takes: it names them where it meets one that is not among them."""
        unknown = "qqqqqqqqqqqqqqqqqqqq: 1"
        maps = (
            ("Keys", self.HEAD + unknown),
            ("Managers", self.HEAD + f"managers: [{{{unknown}}}]"),
            ("Bindings and scopes", self.HEAD + f"rules: {{manager-identity: {{bindings: [{{{unknown}}}]}}}}"),
            ("Bindings and scopes", self.HEAD + f"rules: {{manager-scope: {{scopes: [{{{unknown}}}]}}}}"),
            ("Moves", self.HEAD + f"rules: {{managedfields-rewritten: {{moves: [{{{unknown}}}]}}}}"),
            ("Overrides", self.HEAD + f"overrides: [{{{unknown}}}]"),
            ("Overrides", self.HEAD + f"overrides: [{{match: {{{unknown}}}}}]"),
            ("Waivers", self.HEAD + f"waivers: {{{unknown}}}"),
        )
        for heading, text in maps:
            with self.subTest(text=text):
                listed = re.search(r"it takes only (.*)", self.check(text).stderr)
                self.assertIsNotNone(listed, text)
                keys = re.split(r", | and ", listed.group(1))
                self.assertGreaterEqual(len(keys), 2)
                first_cells = " ".join(re.findall(r"^\| (.*?) \|", self.section(heading), re.MULTILINE))
                self.assertEqual([key for key in keys if f"`{key}`" not in first_cells], [])

    def test_rules_have_the_actions_of_the_profiles(self):
        rows = re.findall(r"^\| \[`([a-z-]+)`\]\(\S+\) \| (\w+) \| (\w+) \|$", self.section("Rules"), re.MULTILINE)
        for column, profile in ((1, "baseline"), (2, "strict")):
            actions = shown_actions(profile)
            if profile == "baseline":  # its action caps the table, whose strongest cell is what a user sees
                actions["ownership-conflict"] = "warn"
            self.assertEqual({row[0]: row[column] for row in rows}, actions)

    def test_settings_have_their_defaults(self):
        rows = re.findall(r"^\| `([a-z-]+)` \| `(\w+)` \| .*? \| (.*) \|$", self.section("Rules"), re.MULTILINE)
        for profile in ("audit", "baseline", "strict"):
            settings = re.findall(r"^  (\S+):$|^    (?!action)(\w+):(.*)$", shown(profile).partition("rules:\n")[2]
                                  .partition("\noverrides:")[0], re.MULTILINE)
            rule, expected = None, {}
            for name, key, value in settings:
                rule = name or rule
                if key:
                    expected[rule, key] = value.strip()
            documented = {(rule, key): default.strip("`") for rule, key, default in rows}
            documented["ownership-conflict", "takeover"] = ""
            self.assertEqual(documented, expected)

    def test_takeover_has_its_cells(self):
        rows = re.findall(r"^\| `(\w+-from-\w+)` \| (\w+) \| (\w+) \|$", POLICY, re.MULTILINE)
        for column, profile in ((1, "baseline"), (2, "strict")):
            cells = dict(re.findall(r'^      (\w+-from-\w+): "?(\w+)"?$', shown(profile), re.MULTILINE))
            self.assertEqual({row[0]: row[column] for row in rows}, cells)

    def test_classes_are_those_of_the_parser(self):
        refused = self.check(self.HEAD + "managers: [{name: a, class: q}]").stderr
        classes = re.split(r", | or ", re.search(r"must be (.*), not", refused).group(1))
        self.assertEqual(re.findall(r"^\| `(\w+)` \| [^|]* \|$", self.section("Managers"), re.MULTILINE), classes)

    def test_examples_have_nothing_to_refuse_or_note(self):
        examples = re.findall(r"```yaml\n(.*?)```", POLICY, re.DOTALL)
        self.assertGreaterEqual(len(examples), 3)
        for example in examples:
            text = example if "kind: Policy" in example else self.HEAD + example
            done = self.check(text.replace("2027-01-31", "9999-12-31"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertNotIn("note", done.stdout)

    def judge(self, policy, namespace, groups, mode):
        """The findings of a recorded server-side apply that takes a field by force and declares no strategy."""
        review = json.loads((ROOT / "tests/reviews/ssa-force/review.json").read_text())
        review["request"]["namespace"] = namespace
        review["request"]["userInfo"] = {"username": "ci", "groups": groups}
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(policy)
            file.flush()
            done = subprocess.run([APPLYGUARD, "review", "--policy", file.name, "--mode", mode, "-o", "json", "-"],
                                  input=json.dumps(review), capture_output=True, text=True)
        return {finding["rule"]: finding["action"] for finding in json.loads(done.stdout)["findings"]}

    def test_the_worked_example_comes_out_as_said(self):
        section = self.section("How an action is decided")
        policy = re.search(r"```yaml\n(.*?)```", section, re.DOTALL).group(1)
        rows = re.findall(r"^\| (.*?) \| (\w+): .*? \| (\w+): .*? \|$", section, re.MULTILINE)
        self.assertEqual(len(rows), 6)
        for who, conflict, strategy in rows:
            mode = re.search(r"label `(\w+)`", who)
            last_day = "2026-01-31" if "has expired" in who else "9999-12-31"
            found = self.judge(policy.replace("2027-01-31", last_day),
                               "shop" if "`shop`" in who else "other",
                               ["sre-oncall"] if who.startswith("on-call") else ["devs"],
                               mode.group(1) if mode else "enforce")
            self.assertEqual((found["ownership-conflict"], found["explicit-strategy"]), (conflict, strategy), who)


class Paths(unittest.TestCase):
    """Paths in the pages for contributors exist, so that a moved file takes its mention along."""

    FOLDERS = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "." and path.name != "build")
    IN_FOLDER = re.compile(rf"(?<![\w./-])(?:\./)?((?:{FOLDERS})/[\w./-]*\w/?)")
    SOURCE = re.compile(r"`([\w./-]+/[\w.-]+\.(?:c|h|def|py|md|json|yaml|txt))`")

    def test_every_path_exists(self):
        """NAME matches any name."""
        for name, text in (("README.md", README), ("CONTRIBUTING.md", CONTRIBUTING), ("architecture.md", ARCHITECTURE),
                           ("SECURITY.md", SECURITY)):
            paths = set(self.IN_FOLDER.findall(text) + self.SOURCE.findall(text))
            self.assertGreater(len(paths), 5, name)
            missing = sorted(path for path in paths if not any(ROOT.glob(path.strip("/").replace("NAME", "*"))))
            self.assertEqual(missing, [], name)

    def test_the_map_says_which_folder_may_use_which(self):
        """As the build lets them: base/, which all may use, is left out."""
        table = re.sub(r"#.*", "", (ROOT / "cmake" / "rooms.cmake").read_text())
        uses = {}
        for room, used in re.findall(r"\broom\((\S+)\s+USES\s+([^)]*)\)", table):
            uses.setdefault(room.partition("/")[0], set()).update(name.partition("/")[0] for name in used.split())
        uses = {room: used & set(uses) - {room, "base"} for room, used in uses.items()}
        rows = dict(re.findall(r"^\| \[`(\w+)/`\]\(\.\./\w+/README\.md\) \| .* \|(.*)\|$", ARCHITECTURE, re.MULTILINE))
        said = {room: set(re.findall(r"\w+", cell.replace("policy/fieldset", "policy"))) & set(uses) for room, cell in rows.items() if room in uses}
        for room, cell in (("cli", "all of them"), ("commands", "the libraries above")):
            self.assertEqual(rows[room].strip(), cell)
            said[room] = uses[room]
        self.assertEqual(uses["commands"] & {"cli", "commands"}, set())
        self.assertEqual(said, uses)

    def test_the_security_page_names_tests_that_there_are(self):
        """Protects its claims: the test that shows a claim exists under the name that the page gives."""
        scripts = [path for path in (ROOT / "tests").rglob("test_*.*") if path.suffix in (".py", ".c")]
        there = set(re.findall(r"^    def (test_\w+)\(", "".join(path.read_text() for path in scripts), re.MULTILINE))
        files, tests = (set(re.findall(rf"`(?:tests/\w+/)?({name})`", SECURITY)) for name in (r"test_\w+\.(?:py|c)", r"test_\w+"))
        self.assertGreater(min(len(files), len(tests)), 5)
        self.assertEqual((files - {path.name for path in scripts}, tests - there), (set(), set()))

    def test_the_walk_names_each_file_once(self):
        files = re.findall(r"`([\w/]+\.(?:c|def))`", ARCHITECTURE)
        self.assertGreater(len(files), 50)
        self.assertEqual(sorted({file for file in files if files.count(file) > 1}), [])


def anchors(document):
    """Those of its headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Links(unittest.TestCase):
    def test_links_lead_to_files_and_headings_of_ours(self):
        documents = [path for path in ROOT.rglob("*.md") if "build" not in path.relative_to(ROOT).parts]
        for document in documents:
            for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", document.read_text()):
                with self.subTest(document=document.relative_to(ROOT), target=target, anchor=anchor):
                    page = document.parent / target if target else document
                    self.assertTrue(page.exists())
                    if anchor and page.suffix == ".md":
                        self.assertIn(anchor, anchors(page))


class Tests(unittest.TestCase):
    def test_every_test_that_is_named_exists(self):
        """Protects readers who look for the test of an outage or an attack in tests/README.md."""
        text = (ROOT / "tests" / "README.md").read_text()
        named = re.findall(r"\b(?:tests/)?((?:[a-z_]+/)+[\w.-]+\.(?:py|c))(?:: (\w+(?:, \w+)*))?", text)
        self.assertGreater(len(named), 80)
        for file, names in named:
            with self.subTest(file):
                source = (ROOT / "tests" / file).read_text()
                for name in filter(None, names.split(", ")):
                    self.assertRegex(source, rf"(?:def|class|void) {name}\b")
        for story in re.findall(r"\breviews/([a-z0-9-]+)", text):
            self.assertTrue((ROOT / "tests" / "reviews" / story / "review.json").exists(), story)


if __name__ == "__main__":
    unittest.main()
