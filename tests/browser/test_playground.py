#!/usr/bin/env python3
"""The playground of the site finds what the program finds, and sends nothing anywhere.

    tests/browser/test_playground.py APPLYGUARD
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser
import site_server

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
TESTS = pathlib.Path(__file__).resolve().parents[1]
PROFILES = ("audit", "baseline", "strict")


def policy_of(profile):
    return f"apiVersion: applyguard.io/v1\nkind: Policy\nprofile: {profile}\n"


def printed(*arguments, stdin):
    return subprocess.run([APPLYGUARD, *map(str, arguments)], input=stdin, capture_output=True, text=True).stdout


class Playground(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = site_server.Site()
        cls.chromium = browser.Browser()
        cls.page = cls.open()

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.site.close()

    @classmethod
    def open(cls, **options):
        page = cls.chromium.open(cls.site.address + "playground.html", **options)
        page.locator(".playground-found").first.wait_for()
        return page

    def ask(self, **question):
        return self.page.evaluate("question => applyguard.ask(question)", question)

    def test_it_is_small(self):
        self.assertLess((self.site.root / "assets/applyguard.wasm").stat().st_size, 1024 * 1024)

    def test_each_recorded_review_gets_the_verdict_of_the_program(self):
        """Except for files of several reviews, of which the program judges one after another."""
        judged = 0
        for profile in PROFILES:
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as policy:
                policy.write(policy_of(profile))
                policy.flush()
                for path in sorted(TESTS.glob("reviews/*/review.json")):
                    text = path.read_text()
                    lines = printed("review", "--policy", policy.name, "-o", "json", "-", stdin=text).splitlines()
                    if len(lines) != 1:
                        continue
                    answer = self.ask(policy=policy_of(profile), review=text)
                    with self.subTest(path.parent.name, profile=profile):
                        self.assertEqual(answer["verdict"], json.loads(lines[0]))
                        self.assertEqual(len(answer["places"]), len(answer["verdict"]["findings"]))
                    judged += 1
        self.assertGreater(judged, 500)

    def test_manifests_get_the_findings_of_check(self):
        for profile in PROFILES:
            for path in sorted(TESTS.glob("manifests/**/*.yaml")):
                text = path.read_text()
                lines = printed("check", "--profile", profile, "-o", "json", "-", stdin=text).splitlines()
                with self.subTest(path.relative_to(TESTS), profile=profile):
                    self.assertEqual(self.ask(policy=policy_of(profile), manifest=text)["checked"], [json.loads(line) for line in lines])

    def test_a_change_gets_the_findings_of_a_policy_test(self):
        """The program's own test of the same change passes if it expects what the page found."""
        before = (TESTS / "manifests/autoscaled-replicas/web.yaml").read_text()
        changes = {"image": ("image: ", "image: other/"), "replicas": ("replicas: 3", "replicas: 5"), "same": ("x-", "x-")}
        for name, (old, new) in changes.items():
            for writer, operation in (("kubectl-edit", "Update"), ("kubectl", "Apply"), ("helm", "Update")):
                after = before.replace(old, new)
                answer = self.ask(policy=policy_of("strict"), before=before, after=after, owner="kustomize-controller",
                                  owner_operation="Apply", manager=writer, operation=operation)
                self.assertEqual(answer["problems"], [])
                found = [{key: each[key] for key in ("rule", "action", "fields") if each.get(key)} for each in answer["verdict"]["findings"]]
                with self.subTest(name, writer=writer), tempfile.TemporaryDirectory() as name_:
                    folder = pathlib.Path(name_)
                    (folder / "before.yaml").write_text(before)
                    (folder / "after.yaml").write_text(after)
                    (folder / "policy.yaml").write_text(policy_of("strict"))
                    case = {"name": name, "before": "before.yaml", "owners": [{"manager": "kustomize-controller", "operation": "Apply"}],
                            "after": "after.yaml", "manager": writer, "operation": operation, "expect": found}
                    (folder / "a.test.yaml").write_text(json.dumps(
                        {"apiVersion": "applyguard.io/v1", "kind": "PolicyTest", "policy": "policy.yaml", "cases": [case]}))
                    done = subprocess.run([APPLYGUARD, "policy", "test", folder], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_findings_are_next_to_their_lines(self):
        page = self.open()
        row = page.locator(".playground-found", has_text="autoscaled-replicas")
        self.assertEqual(row.locator("code").inner_text().strip(), "replicas: 3")
        self.assertEqual(row.locator("a").get_attribute("href"), "rules/autoscaled-replicas.html")
        page.check("input[value=change]")
        row = page.locator(".playground-found", has_text="ownership-conflict")
        row.first.wait_for()
        self.assertIn("replicas: 5", row.first.inner_text())

    def test_errors_are_shown_where_they_are(self):
        page = self.open()
        page.fill("#manifest", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [}\n")
        page.locator(".playground-found", has_text="error").wait_for()
        self.assertIn("name: [}", page.locator(".playground-found").inner_text())
        page.check("input[value=review]")
        page.fill("#review", "{}")
        page.locator(".playground-found", has_text="error").wait_for()
        page.fill("#review", "")
        page.locator("#summary", has_text="Paste something").wait_for()
        self.assertEqual(page.errors, [])

    def test_what_is_pasted_is_text(self):
        page = self.open()
        page.fill("#manifest", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: \"<img src=x onerror=document.title='no'>\"}\n")
        page.locator(".playground-found", has_text="<img").first.wait_for()
        self.assertEqual(page.locator("#findings img").count(), 0)

    def test_nothing_leaves_the_page(self):
        page, requests = self.open(), []
        page.wait_for_load_state("networkidle")
        page.on("request", lambda request: requests.append(request.url))
        page.fill("#manifest", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
        page.locator("#summary", has_text="Nothing").wait_for()
        page.select_option("select[name=profile]", "baseline")
        page.check("input[value=change]")
        page.locator(".playground-found").first.wait_for()
        self.assertEqual((requests, page.requests_elsewhere, page.errors), ([], [], []))


if __name__ == "__main__":
    unittest.main()
