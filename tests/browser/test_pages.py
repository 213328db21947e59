#!/usr/bin/env python3
"""The pages of HTML that commands print, as a reader sees them.

    tests/browser/test_pages.py APPLYGUARD

Protects readers in the dark, on phones, with a keyboard or a screen reader; and readers without a network.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
TESTS = pathlib.Path(__file__).resolve().parents[1]


def printed(*arguments, stdin=""):
    return subprocess.run([APPLYGUARD, *map(str, arguments)], input=stdin, capture_output=True, text=True).stdout


def edited():
    review = json.loads((TESTS / "reviews/edit-ssa/review.json").read_text())
    return json.dumps(review["request"]["object"])


def history():
    folder = TESTS / "histories"
    return printed("blame", "-f", folder / "web.json", "--history", folder / "audit.log.gz", "-o", "html")


# Each kind of element that a page of check has. What axe does grows faster than the page.
CHECKED = ("autoscaled-replicas", "broken", "duplicate-object", "schema-removed-version", "waived", "yaml-ambiguity-secret")

PAGES = {
    "check": lambda: printed("check", "-R", "-o", "html", *(TESTS / "manifests" / name for name in CHECKED)),
    "blame": lambda: printed("blame", "-f", "-", "-o", "html", stdin=edited()),
    "history": history,
    "scan": lambda: printed("scan", "-o", "html", *(f"-f{file}" for file in sorted(TESTS.glob("objects/*/objects.json")))),
    "replay": lambda: printed("replay", "-o", "html", TESTS / "replays/audit.log"),
}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.chromium = browser.Browser()
        cls.folder = tempfile.TemporaryDirectory()
        for name, page in PAGES.items():
            cls.path(name).write_text(page())

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return pathlib.Path(cls.folder.name, f"{name}.html")

    def test_each_can_be_read_by_all(self):
        """In both schemes, on a phone and on a screen, and with nothing from elsewhere."""
        for name in PAGES:
            for is_dark in (False, True):
                for width in (browser.PHONE, browser.DESKTOP):
                    with self.subTest(name, is_dark=is_dark, width=width):
                        page = self.chromium.open(self.path(name), is_dark=is_dark, width=width)
                        self.assertEqual(browser.serious_violations(page), [])
                        self.assertEqual((page.requests_elsewhere, page.errors), ([], []))
                        self.assertFalse(browser.is_wider_than_screen(page))

    def test_findings_are_next_to_their_lines(self):
        page = self.chromium.open(self.path("check"), has_scripts=False)
        finding = page.locator("li", has_text="web-scaler").first
        self.assertEqual(finding.locator(".here").inner_text().split(), ["7", "replicas:", "3"])
        lines, message = finding.locator(".source").bounding_box(), finding.locator("p").first.bounding_box()
        self.assertGreater(message["x"], lines["x"] + lines["width"])

    def test_each_manager_has_a_colour(self):
        page = self.chromium.open(self.path("blame"))
        colours = {name: page.locator("tbody .owner", has_text=name).first.evaluate("each => getComputedStyle(each).boxShadow")
                   for name in ("kubectl-edit", "kube-controller-manager")}
        self.assertEqual(len(set(colours.values())), 2, colours)
        image = page.locator(".fields tr", has_text="image: nginx").first.inner_text()
        self.assertIn("kubectl-edit", image)
        self.assertIn("stuck", image)

    def test_changes_appear_by_pointer_and_by_keyboard(self):
        page = self.chromium.open(self.path("history"), has_scripts=False)
        row = page.locator(".fields tr", has_text="replicas:").first
        button, changes = row.locator("button"), row.locator(".history")
        self.assertFalse(changes.is_visible())
        button.hover()
        self.assertTrue(changes.is_visible())
        self.assertIn("kubectl-edit", changes.inner_text())
        page.mouse.move(0, 0)
        self.assertFalse(changes.is_visible())
        button.press("Enter")
        self.assertTrue(changes.is_visible())
        page.keyboard.press("Escape")
        page.locator("h1").click()
        self.assertFalse(changes.is_visible())

    def test_a_replay_is_sorted_and_filtered_by_keyboard(self):
        page = self.chromium.open(self.path("replay"))
        managers = page.locator("table", has=page.locator("caption", has_text="By manager"))
        header = managers.locator("thead th").first
        for order, is_reversed in (("descending", True), ("ascending", False)):
            header.locator("button").press("Enter")
            names = managers.locator("tbody th").all_inner_texts()
            self.assertEqual((header.get_attribute("aria-sort"), names), (order, sorted(names, reverse=is_reversed)))
        rows = page.locator("#writes tbody tr")
        whole = rows.count()
        page.get_by_label("Show only").press_sequentially("alice")
        shown = rows.filter(visible=True)
        self.assertLess(0, shown.count())
        self.assertLess(shown.count(), whole)
        self.assertTrue(all("alice" in text.lower() for text in shown.all_inner_texts()))
        self.assertEqual(page.locator("#shown").inner_text(), f"{shown.count()} shown")

    def test_a_replay_without_scripts(self):
        page = self.chromium.open(self.path("replay"), has_scripts=False)
        self.assertTrue(page.locator("#writes tbody tr").first.is_visible())
        self.assertFalse(page.locator("#filter").is_visible())


if __name__ == "__main__":
    unittest.main()
