#!/usr/bin/env python3
"""The browser that the other tests use finds the faults that they look for.

    tests/browser/test_browser.py APPLYGUARD
"""
import pathlib
import sys
import tempfile
import unittest

import browser

if len(sys.argv) > 1:
    sys.argv.pop(1)
else:
    sys.exit(__doc__)

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
<meta name="viewport" content="width=device-width"><style>
:root {{ color-scheme: light dark; --text: #222; --back: #fff }}
@media (prefers-color-scheme: dark) {{ :root {{ --text: #eee; --back: #111 }} }}
body {{ color: var(--text); background: var(--back) }}</style></head><body><main><h1>Page</h1>{}</main></body></html>"""


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.chromium = browser.Browser()
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.folder.cleanup()

    def open(self, content, **options):
        path = pathlib.Path(self.folder.name, "page.html")
        path.write_text(PAGE.format(content))
        return self.chromium.open(path, **options)

    def test_a_sound_page(self):
        for is_dark, back in ((False, "rgb(255, 255, 255)"), (True, "rgb(17, 17, 17)")):
            page = self.open("<p>All is well.</p>", is_dark=is_dark, width=browser.PHONE)
            self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), back)
            self.assertEqual((browser.serious_violations(page), page.requests_elsewhere, page.errors), ([], [], []))
            self.assertFalse(browser.is_wider_than_screen(page))

    def test_text_that_is_hard_to_read(self):
        self.assertIn("color-contrast", browser.serious_violations(self.open('<p style="color: #ccc">Pale.</p>'))[0])

    def test_an_image_from_elsewhere(self):
        page = self.open('<img src="https://example.com/picture.png" alt="">')
        self.assertEqual(page.requests_elsewhere, ["https://example.com/picture.png"])

    def test_a_script_that_fails(self):
        self.assertIn("broken", self.open("<script>throw new Error('broken')</script>").errors[0])

    def test_a_page_that_is_too_wide(self):
        self.assertTrue(browser.is_wider_than_screen(self.open('<div style="width: 60rem">Wide.</div>', width=browser.PHONE)))


if __name__ == "__main__":
    unittest.main()
