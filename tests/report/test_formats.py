"""Reports as the tools read them that they are for: SARIF and JUnit by their schemas, the others by their own rules.

    tests/report/test_formats.py PRINT_REPORT

Names of files and objects are a stranger's: each format stays well-formed with any names.
"""
import functools
import html.parser
import json
import pathlib
import random
import re
import subprocess
import sys
import unicodedata
import unittest
import urllib.parse
import xml.etree.ElementTree

PRINT_REPORT = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FORMATS = ("text", "json", "sarif", "junit", "github", "codeclimate", "markdown", "html")
AUDIT, WARN, DENY = 1, 2, 3
RULES = re.findall(r'^RULE\(\w+, "([a-z-]+)"', (ROOT / "policy/rules.def").read_text(), re.MULTILINE)

HOSTILE = [
    b"a\nb", b"\r::error::x", b"::add-mask::x", b"  ::stop-commands::x", b"##vso[task.setvariable variable=x]y", b"%0A::error::",
    b"\x00\x01\x1b[31m\x7f", "\u202egnp\u2066".encode(), "\u2028\ufeff\ufffe\U000e0041".encode(), b"\xff\xfe\xc0\xaf\xed\xa0\x80",
    b"a,b:c%d;e=f", b"'\"\\</testcase><x>&amp;]]>", b"<script>alert(1)</script>", b"`a``b```", b"`", b"*_~[x](http://example.com)|x|",
    b"@everyone #1 GH-1 https://example.com", b"-->", b"{{x}} ${{ secrets.X }}", b"\\u0000\\n", "日本語 é e\u0301".encode(),
    b"C:\\x y.yaml", b"//host/x", b"./x", b"../x", b"/etc/x", b"a?b#c", b"a" * 3000, b"`" * 2000, b"-", b" ",
]


def finding(rule="explicit-strategy", action=WARN, message=b"Deployment default/web: the strategy is not set", **others):
    return {"rule": rule, "action": action, "message": message, "fields": [b".spec.strategy.type"], "line": 12, "column": 3,
            "source_line": b"  replicas: 3", **others}


def item(*findings, **others):
    return {"item": {"file": b"web.yaml", "line": 1, "kind": b"Deployment.apps", "namespace": b"default", "name": b"web",
                     "findings": list(findings), **others}}


def problem(file=b"bad.yaml", line=3, column=7, sentence=b"it is not YAML"):
    return {"problem": {"file": file, "line": line, "column": column, "sentence": sentence}}


def run(format, *entries):
    lines = "".join(json.dumps(entry, default=bytes.hex) + "\n" for entry in entries)
    return subprocess.run([PRINT_REPORT, format], input=lines.encode(), capture_output=True, check=True)


def report(format, *entries):
    return run(format, *entries).stdout


def hostile_entries():
    """Every name at every place, with all that a finding may have or lack."""
    yield problem(b"", 0, 0)
    for name in HOSTILE:
        sentence = name.replace(b"\0", b"") or b"x"
        yield item(finding(message=name, fields=[name], source_line=name),
                   finding(message=name, action=DENY, waived=name, end_line=14),
                   finding(message=name, action=AUDIT, line=0, column=0, fields=[]),
                   file=name, kind=name, namespace=name, name=name)
        yield item(file=name, line=0, kind=b"", namespace=b"", name=b"")
        yield problem(name, 0, 0, sentence)
        yield problem(name, 2, 0, sentence)


@functools.cache
def hostile(format):
    return report(format, *hostile_entries())


def random_entries(seed):
    chance = random.Random(seed)
    pieces = [name[i:i + 4] for name in HOSTILE for i in range(0, min(len(name), 40), 2)]

    def text():
        return b"".join(chance.choices(pieces, k=chance.randint(0, 6)))

    for _ in range(300):
        yield item(*(finding(chance.choice(RULES), chance.randint(1, 3), text(), fields=[text() for _ in range(chance.randint(0, 3))],
                             line=chance.randint(0, 3), column=chance.randint(0, 90), end_line=chance.randint(0, 4), source_line=text(),
                             **({"waived": text()} if chance.random() < 0.2 else {}))
                     for _ in range(chance.randint(0, 4))), file=text(), name=text(), namespace=text(), kind=text())
        if chance.random() < 0.1:
            yield problem(text(), sentence=text().replace(b"\0", b""))


@functools.cache
def schemas():
    done = subprocess.run([HERE / "schemas"], check=True, stdout=subprocess.PIPE, text=True)
    return pathlib.Path(done.stdout.strip())


def errors_by_schema(format, text):
    schema = schemas() / {"sarif": "sarif.json", "junit": "junit.xsd"}[format]
    done = subprocess.run([schemas() / "bin/python", HERE / "validate.py", format, schema], input=text, stdout=subprocess.PIPE)
    assert done.returncode == 0, "it could not be asked"
    return done.stdout.decode().strip()


class Any(unittest.TestCase):
    """Tests that each format passes."""

    def reports(self):
        for format in FORMATS:
            yield format, hostile(format)
            yield format, report(format, *random_entries(format))

    def test_nothing_steers_a_terminal(self):
        """Protects who reads a log: UTF-8 without control characters, and without what hides or turns text around."""
        for format, text in self.reports():
            characters = set(text.decode()) - {"\n"}
            bad = [c for c in characters if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")]
            self.assertEqual(bad, [], format)

    def test_problems_are_on_standard_error(self):
        """Protects who keeps the report in a file: what could not be read is on the screen. GitHub's log has it already."""
        for format in FORMATS:
            done = run(format, problem())
            expected = b"" if format == "github" else b"bad.yaml:3:7: error: it is not YAML\n"
            self.assertEqual(done.stderr, expected, format)

    def test_an_empty_report_is_one(self):
        """Protects pipelines in which nothing is wrong."""
        self.assertEqual(report("json"), b"")
        self.assertEqual(json.loads(report("codeclimate")), [])
        self.assertEqual(json.loads(report("sarif"))["runs"][0]["results"], [])
        self.assertEqual(len(xml.etree.ElementTree.fromstring(report("junit"))), 0)
        for format in ("sarif", "junit"):
            self.assertEqual(errors_by_schema(format, report(format)), "")

    def test_memory_is_flat(self):
        """Protects large repositories: a hundred times as many objects take no more memory."""
        if "sanitize" in (pathlib.Path(PRINT_REPORT).parents[1] / "CMakeCache.txt").read_text():
            self.skipTest("sanitizers keep what is freed")
        script = ("import resource, subprocess, sys\n"
                  "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n")
        for format in FORMATS:
            peaks = []
            for files in (40, 4000):
                lines = "".join(json.dumps(item(finding(), finding(action=DENY), file=b"%d.yaml" % (i // 10)), default=bytes.hex) + "\n"
                                for i in range(files * 10))
                done = subprocess.run([sys.executable, "-c", script, PRINT_REPORT, format], input=lines, stdout=subprocess.PIPE,
                                      text=True, check=True)
                peaks.append(int(done.stdout))
            self.assertLess(peaks[1], peaks[0] + 1024, format)


    def test_what_is_not_listed_is_counted(self):
        """Protects who reads the report alone: an object has more findings than it lists. Json has numbers of its own."""
        entries = (item(finding(), dropped={"warn": 7, "audit": 1}), {"summary": {"dropped": 8}})
        for format in FORMATS:
            if format != "json":
                self.assertRegex(report(format, *entries).decode(), r"\b[78] more (findings are )?not listed", format)
        self.assertEqual(errors_by_schema("sarif", report("sarif", *entries)), "")
        self.assertEqual(errors_by_schema("junit", report("junit", *entries)), "")
        run, = json.loads(report("sarif", *entries))["runs"]
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        issues = json.loads(report("codeclimate", *entries, entries[0]))
        self.assertEqual([issue["severity"] for issue in issues], ["major", "major", "info"] * 2)
        self.assertEqual(len({issue["fingerprint"] for issue in issues}), 6)


class Sarif(unittest.TestCase):
    def run_of(self, *entries):
        return json.loads(report("sarif", *entries))["runs"][0]

    def test_it_is_valid_by_its_schema(self):
        self.assertEqual(errors_by_schema("sarif", hostile("sarif")), "")
        self.assertEqual(errors_by_schema("sarif", report("sarif", *random_entries(1))), "")

    def test_the_schema_is_asked(self):
        """Protects the test above: a report with faults does not pass."""
        for old, new in ((b'"level":"warning"', b'"level":"warn"'), (b'"uri":"web.yaml"', b'"uri":"a b"'), (b'"ruleId"', b'"rule"'),
                         (b'"startLine":12', b'"startLine":0')):
            broken = report("sarif", item(finding())).replace(old, new)
            self.assertNotEqual(errors_by_schema("sarif", broken), "", new)

    def test_rules(self):
        """Protects who clicks on an alert: each rule has its page, and says what it sees."""
        driver = self.run_of()["tool"]["driver"]
        self.assertEqual([rule["id"] for rule in driver["rules"]], RULES)
        for rule in driver["rules"]:
            self.assertTrue(rule["helpUri"].endswith(f"/docs/rules/{rule['id']}.md"))
            self.assertTrue(rule["fullDescription"]["text"])

    def test_results(self):
        results = self.run_of(item(finding(action=DENY, end_line=14), finding("unjudged", AUDIT, line=0)))["results"]
        self.assertEqual([result["level"] for result in results], ["error", "note"])
        self.assertEqual([RULES[result["ruleIndex"]] for result in results], [result["ruleId"] for result in results])
        places = [result["locations"][0]["physicalLocation"] for result in results]
        self.assertEqual(places[0]["region"], {"startLine": 12, "startColumn": 3, "endLine": 14})
        self.assertEqual(places[1]["region"], {"startLine": 1})
        self.assertEqual(results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "Deployment.apps default/web")

    def test_waived_findings_are_suppressed(self):
        result, = self.run_of(item(finding(waived=b"OPS-1")))["results"]
        self.assertEqual(result["suppressions"], [{"kind": "inSource", "justification": "OPS-1"}])

    def test_uris_lead_back_to_the_file(self):
        for name in HOSTILE:
            uri = self.run_of(item(finding(), file=name))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            path = urllib.parse.unquote_to_bytes(uri.removeprefix("file://"))
            self.assertEqual(path, name.removeprefix(b"./"), uri)

    def test_fingerprints_stay_when_lines_move(self):
        """Protects what was dismissed from coming back, and what is new from being taken for it."""
        def prints(*entries):
            return [result["partialFingerprints"]["primaryLocationLineHash"] for result in self.run_of(*entries)["results"]]
        before = prints(item(finding(), finding("unjudged")), item(finding(), file=b"b.yaml"))
        after = prints(item(finding(line=500, column=1, message=b"in other words"), finding("unjudged"), line=490), item(finding(), file=b"b.yaml"))
        self.assertEqual(before, after)
        twice = prints(item(finding(), finding()), item(finding()), item(finding(), file=b"b.yaml"))
        self.assertEqual(len(set(twice)), 4)
        self.assertEqual([print_.split(":")[1] for print_ in twice], ["1", "2", "3", "1"])

    def test_problems_are_notifications(self):
        """Protects from half a run that looks whole; a million problems are no million notifications."""
        invocation, = self.run_of(problem())["invocations"]
        notification, = invocation["toolExecutionNotifications"]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertEqual(notification["message"]["text"], "it is not YAML")
        self.assertEqual(notification["locations"][0]["physicalLocation"]["region"], {"startLine": 3, "startColumn": 7})
        notifications = self.run_of(*[problem()] * 1002)["invocations"][0]["toolExecutionNotifications"]
        self.assertEqual((len(notifications), notifications[-1]["message"]["text"]), (1001, "and 2 more problems"))
        self.assertTrue(self.run_of(item())["invocations"][0]["executionSuccessful"])


class JUnit(unittest.TestCase):
    def test_it_is_valid_by_its_schema(self):
        self.assertEqual(errors_by_schema("junit", hostile("junit")), "")
        self.assertEqual(errors_by_schema("junit", report("junit", *random_entries(2))), "")

    def test_the_schema_is_asked(self):
        for old, new in ((b'<testsuite name="web.yaml"', b"<testsuite"), (b"<testcase ", b"<test "), (b"<failure ", b"<failed ")):
            broken = report("junit", item(finding())).replace(old, new).replace(b"</testcase>", b"</%s>" % new[1:].split(b" ")[0]
                                                                               if b"test " in new else b"</testcase>")
            broken = broken.replace(b"</failure>", b"</failed>") if b"failed" in new else broken
            self.assertNotEqual(errors_by_schema("junit", broken), "", new)

    def test_suites_are_files_and_cases_are_objects(self):
        text = report("junit", item(finding(), finding(action=DENY)), item(finding(action=AUDIT), name=b"quiet"), item(name=b"good"),
                      item(finding(waived=b"OPS-1"), name=b"waived"), problem(b"web.yaml"), item(file=b"b.yaml"))
        suites = xml.etree.ElementTree.fromstring(text)
        self.assertEqual([[suite.get(key) for key in ("name", "tests", "failures", "errors")] for suite in suites],
                         [["web.yaml", "5", "1", "1"], ["b.yaml", "1", "0", "0"]])
        cases = list(suites[0])
        self.assertEqual([case.get("name") for case in cases],
                         [f"Deployment.apps default/{name}" for name in ("web", "quiet", "good", "waived")] + ["read line 3"])
        self.assertEqual([[child.tag for child in case] for case in cases],
                         [["failure", "failure"], ["system-out"], [], ["system-out"], ["error"]])
        self.assertEqual(cases[0][0].get("type"), "explicit-strategy")
        self.assertEqual(cases[0][0].text, "web.yaml:12:3: warn explicit-strategy: Deployment default/web: the strategy is not set")
        self.assertIn("(waived: OPS-1)", cases[3][0].text)

    def test_a_case_of_an_object_without_a_name_has_its_line(self):
        """The API server makes the name, of metadata.generateName."""
        suites = xml.etree.ElementTree.fromstring(report("junit", item(name=b"")))
        self.assertEqual([case.get("name") for case in suites[0]], ["Deployment.apps at line 1"])


class GitHub(unittest.TestCase):
    COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:\r\n]*,?)*)::([^\r\n]*)")

    def read(self, line):
        """As ActionCommand.TryParseV2 of GitHub's runner does."""
        kind, properties, message = self.COMMAND.fullmatch(line).groups()

        def unescape(text):
            for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
                text = text.replace(escape, character)
            return text
        return kind, {key: unescape(value) for key, value in (each.split("=", 1) for each in properties.split(",") if each)}, unescape(message)

    def test_commands(self):
        lines = report("github", item(finding(action=DENY, end_line=14), finding(), finding(action=AUDIT, line=0), finding(waived=b"x")),
                       problem()).decode().splitlines()
        self.assertEqual([self.read(line) for line in lines[:4]], [
            ("error", {"file": "web.yaml", "line": "12", "col": "3", "endLine": "14", "title": "explicit-strategy"},
             "Deployment default/web: the strategy is not set"),
            ("warning", {"file": "web.yaml", "line": "12", "col": "3", "title": "explicit-strategy"},
             "Deployment default/web: the strategy is not set"),
            ("notice", {"file": "web.yaml", "line": "1", "title": "explicit-strategy"},
             "Deployment default/web: the strategy is not set"),
            ("error", {"file": "bad.yaml", "line": "3", "col": "7"}, "it is not YAML")])
        self.assertEqual(len(lines), 5)

    def test_names_give_no_commands(self):
        """Protects the job's secrets and outputs: each line is one command of ours, with what was meant in it."""
        *lines, summary = hostile("github").decode().splitlines()
        for line in lines:
            self.read(line)
        self.assertEqual(len(lines), sum(2 if "item" in entry and entry["item"]["findings"] else "problem" in entry for entry in hostile_entries()))
        self.assertRegex(summary, r"^\d+ objects in \d+ files: ")
        line = report("github", item(finding(message=b"50%, a:b"), file=b"a,b:c%2C.yaml")).decode().splitlines()[0]
        self.assertEqual((self.read(line)[1]["file"], self.read(line)[2]), ("a,b:c%2C.yaml", "50%, a:b"))


class CodeClimate(unittest.TestCase):
    def test_issues_are_as_gitlab_wants_them(self):
        for text in (hostile("codeclimate"), report("codeclimate", *random_entries(3))):
            for issue in json.loads(text):
                self.assertTrue({"description", "check_name", "fingerprint", "severity", "location"} <= set(issue))
                self.assertIn(issue["severity"], ("info", "minor", "major", "critical", "blocker"))
                self.assertGreaterEqual(issue["location"]["lines"]["begin"], 1)
                self.assertFalse(issue["location"]["path"].startswith("./"))

    def test_each_issue_has_a_fingerprint_of_its_own(self):
        """Protects the second of two alike: GitLab shows one issue for each fingerprint."""
        issues = json.loads(report("codeclimate", item(finding(), finding()), item(finding()), item(finding(action=DENY), file=b"b.yaml"),
                                   item(finding(waived=b"x")), problem(), problem(line=4)))
        self.assertEqual(len(issues), 6)
        self.assertEqual(len({issue["fingerprint"] for issue in issues}), 6)
        self.assertEqual([issue["severity"] for issue in issues], ["major"] * 3 + ["critical"] + ["blocker"] * 2)


class Markdown(unittest.TestCase):
    LINE = re.compile(r"- \*\*(?:deny|warn|audit|error)\*\*(?: \[[a-z-]+\]\(https://[\w./-]+\))?(.*)")

    def spans(self, text):
        """The code spans of a line, as CommonMark finds them, and what is left between them."""
        left, spans = "", []
        while text:
            fence = re.match("`+", text)
            if not fence:
                left, text = left + text[0], text[1:]
                continue
            fence = fence.group()
            closed = re.match(f"{fence}(.*?)(?<!`){fence}(?!`)", text, re.DOTALL)
            self.assertIsNotNone(closed, text[:80])
            spans.append(closed.group(1))
            text = text[closed.end():]
        return spans, left

    def test_names_are_in_code(self):
        """Protects reviewers: no name becomes a link, an image, HTML or a mention."""
        for text in (hostile("markdown"), report("markdown", *random_entries(4))):
            heading, empty, *lines = text.decode().splitlines()
            self.assertRegex(heading, r"^\*\*applyguard\*\*: [\w ,;:]+$")
            self.assertEqual(empty, "")
            for line in lines:
                if re.fullmatch(r"- and \d+ more", line):
                    continue
                _, left = self.spans(self.LINE.fullmatch(line).group(1))
                self.assertEqual(left.replace("<br>", "").strip(), "", line)

    def test_a_message_is_shown_as_it_is(self):
        for message in (b"a ` b", b"``", b"a `` b ` c", b"<b>&amp;"):
            *_, line = report("markdown", item(finding(message=message))).decode().splitlines()
            self.assertEqual(self.spans(self.LINE.fullmatch(line).group(1))[0][-1].strip(), message.decode())

    def test_the_worst_come_first_and_all_fit(self):
        """Protects the comment: GitHub refuses one of more than 65,536 characters."""
        text = report("markdown", *[item(finding(action=AUDIT)), item(finding())] * 2000, item(finding(action=DENY)), problem()).decode()
        lines = text.splitlines()[2:]
        self.assertLess(len(text), 65536)
        self.assertGreater(len(text), 60000)
        self.assertIn("**error**", lines[0])
        self.assertIn("**deny**", lines[1])
        self.assertIn("**warn**", lines[2])
        self.assertEqual(int(re.fullmatch(r"- and (\d+) more", lines[-1]).group(1)) + len(lines) - 1, 4002)
        all_fit = report("markdown", *[item(finding(action=AUDIT)), item(finding())] * 10).decode()
        self.assertNotIn("more", all_fit)


class Tags(html.parser.HTMLParser):
    """The tags of a page, each closed where it has to be, and its text."""

    VOID = {"meta"}

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts = [], set(), set(), []
        self.feed(page)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update((tag, name) for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


class Html(unittest.TestCase):
    TAGS = set("html head meta title style body main h1 h2 h3 p a strong span code div ul li table caption thead tbody tr th td".split())

    def test_names_are_text(self):
        """Protects readers: no name becomes a tag, an attribute or a script."""
        for page in (hostile("html"), report("html", *random_entries(5))):
            found = Tags(page.decode())
            self.assertEqual(found.tags - self.TAGS, set())
            self.assertEqual({name for _, name in found.attributes} - {"lang", "charset", "name", "content", "http-equiv", "class", "id",
                                                                       "href", "scope"}, set())
        self.assertIn("<script>alert(1)</script>", Tags(hostile("html").decode()).texts)

    def test_it_loads_nothing(self):
        page = report("html", item(finding())).decode()
        self.assertIn("content=\"default-src 'none'; style-src 'unsafe-inline'\"", page)
        self.assertEqual(set(re.findall(r"(?:href|src)=\"([^\"]*)\"", page)),
                         {"#summary", "https://example.com/docs/rules/explicit-strategy.md"})

    def test_findings_problems_and_the_summary(self):
        page = report("html", item(finding(), finding(action=DENY, waived=b"until May")), problem(),
                      {"summary": {"files": 2, "items": 1, "waived": 1, "problems": 1}}).decode()
        for part in ("<h2>web.yaml</h2>", "<h3>Deployment.apps default/web</h3>", "line 12, column 3", "waived: until May",
                     "<strong class=\"deny\">error</strong> line 3: it is not YAML", "1 object in 2 files"):
            self.assertIn(part, page)


class Columns(unittest.TestCase):
    """Columns of characters are as Unicode has them."""

    def test_ranges(self):
        rows = [(kind, int(first, 16), int(last, 16)) for kind, first, last in
                re.findall(r"(NONE|TWO)\(0x(\w+), 0x(\w+)\)", (ROOT / "base/terminal_columns.def").read_text())]
        self.assertGreater(len(rows), 300)
        self.assertTrue(all(a[2] < b[1] for a, b in zip(rows, rows[1:])))
        columns = {code: kind for kind, first, last in rows for code in range(first, last + 1)}
        for code in range(0x20, 0x110000):
            category = unicodedata.category(chr(code))
            if category in ("Cn", "Co", "Cs", "Cc", "Cf", "Zl", "Zp") or (not unicodedata.unidata_version.startswith("14.") and code not in columns):
                continue
            # Variation selectors beyond the first plane are escaped; Hangul vowels and finals join what is before them.
            if 0xe0000 <= code <= 0xe0fff or code == 0x180f:
                continue
            expected = "NONE" if category in ("Mn", "Me") or 0x1160 <= code <= 0x11ff else \
                "TWO" if unicodedata.east_asian_width(chr(code)) in "WF" else None
            self.assertEqual(columns.get(code), expected, f"U+{code:04X}")


if __name__ == "__main__":
    unittest.main(argv=[__file__])
