#!/usr/bin/env python3
"""The site that ./dev site builds: its links lead somewhere, it loads nothing from elsewhere, and all can read it.

    tests/browser/test_site.py APPLYGUARD
"""
import html.parser
import pathlib
import posixpath
import re
import sys
import unittest
import urllib.parse

import browser
import site_server

if len(sys.argv) > 1:
    sys.argv.pop(1)
else:
    sys.exit(__doc__)
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Each kind of page, for the tests that take long.
SAMPLE = ("index.html", "playground.html", "rules/ownership-conflict.html", "policy.html", "session.html", "blame.html")


class References(html.parser.HTMLParser):
    """What a page links and loads, and the names of its parts."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.names.add(attributes.get("id"))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif attributes.get("href"):
            self.loaded.append(attributes["href"])
        if attributes.get("src"):
            self.loaded.append(attributes["src"])


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = site_server.Site()
        cls.root = cls.site.root
        cls.pages = {path.relative_to(cls.root).as_posix(): References(path.read_text()) for path in sorted(cls.root.rglob("*.html"))}
        cls.chromium = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.site.close()

    def open(self, name, **options):
        return self.chromium.open(self.site.address + name, **options)

    def test_each_rule_has_its_page(self):
        rules = re.findall(r'^RULE\(\w+, "([a-z-]+)"', (ROOT / "policy/rules.def").read_text(), re.MULTILINE)
        self.assertGreater(len(rules), 20)
        self.assertEqual([rule for rule in rules if f"rules/{rule}.html" not in self.pages], [])
        for name in ("policy.html", "session.html", "policies/index.html", "chart.html", "server.html"):
            self.assertIn(name, self.pages)

    def test_links_lead_to_pages_and_their_parts(self):
        for name, page in self.pages.items():
            if name == "404.html":
                continue
            for link in page.links:
                target, anchor = urllib.parse.urldefrag(link)
                if re.match(r"[a-z]+:", target):
                    continue
                place = posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) if target else name
                place = place + "/index.html" if (self.root / place).is_dir() else place
                with self.subTest(name, link=link):
                    self.assertTrue((self.root / place).is_file())
                    if anchor and place in self.pages:
                        self.assertIn(urllib.parse.unquote(anchor), self.pages[place].names)

    def test_nothing_is_loaded_from_elsewhere(self):
        for name, page in self.pages.items():
            self.assertEqual([each for each in page.loaded if re.match(r"(https?:)?//", each)], [], name)
        for style in self.root.rglob("*.css"):
            self.assertEqual(re.findall(r"url\((?:https?:)?//[^)]*|@import[^;]*", style.read_text()), [], style)
        for name in SAMPLE:
            page = self.open(name)
            page.wait_for_load_state("networkidle")
            self.assertEqual((page.requests_elsewhere, page.errors), ([], []), name)

    def test_all_can_read_it(self):
        for name in SAMPLE:
            for is_dark in (False, True):
                for width in (browser.PHONE, browser.DESKTOP):
                    with self.subTest(name, is_dark=is_dark, width=width):
                        page = self.open(name, is_dark=is_dark, width=width)
                        page.wait_for_load_state("networkidle")
                        self.assertEqual(browser.serious_violations(page), [])
                        self.assertFalse(browser.is_wider_than_screen(page))
                        back = page.evaluate("getComputedStyle(document.body).backgroundColor")
                        self.assertEqual(max(map(int, re.findall(r"\d+", back)[:3])) < 100, is_dark, back)
                        page.context.close()

    def test_search_finds_a_rule(self):
        page = self.open("index.html")
        page.keyboard.press("s")
        page.keyboard.type("autoscaled-replicas", delay=10)
        page.locator(".md-search-result__item a", has_text="autoscaled-replicas").first.wait_for()
        self.assertEqual((page.requests_elsewhere, page.errors), ([], []))


if __name__ == "__main__":
    unittest.main()
