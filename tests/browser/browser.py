"""Pages in Debian's Chromium, without a screen.

    import browser

    with browser.Browser() as chromium:
        page = chromium.open(path, is_dark=True, width=browser.PHONE)
        page.click("text=replicas")            # a page of Playwright
        browser.serious_violations(page)       # what axe finds

A page loads only files, and what a server on this machine serves. `page.requests_elsewhere` has its requests to other addresses,
and `page.errors` the errors of its scripts. A script that imports this module goes on
in the Python of tests/browser/setup, which has Playwright.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = pathlib.Path(subprocess.run([HERE / "setup"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())
if pathlib.Path(sys.prefix) != FOLDER:
    os.execv(FOLDER / "bin" / "python", [str(FOLDER / "bin" / "python"), *sys.argv])

from playwright.sync_api import sync_playwright  # pylint: disable=wrong-import-position

PHONE = 390
DESKTOP = 1280

HERE_ONLY = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:")


class Browser:
    """Close it, or use it in a `with` statement."""

    def __init__(self):
        program = shutil.which("chromium")
        if not program:
            sys.exit("browser.py: there is no chromium; ./dev test site installs it")
        self._playwright = sync_playwright().start()
        # Chromium's own sandbox does not work for root and in containers. The pages are ours.
        self._chromium = self._playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._chromium.close()
        self._playwright.stop()

    def open(self, place, is_dark=False, width=DESKTOP, height=900, has_scripts=True):
        """The page of an address or a file."""
        context = self._chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if is_dark else "light",
            reduced_motion="reduce", java_script_enabled=has_scripts)
        page = context.new_page()
        page.requests_elsewhere, page.errors = [], []
        page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        context.route("**/*", lambda route: self._allow(route, page))
        page.goto(place if "://" in str(place) else pathlib.Path(place).resolve().as_uri())
        return page

    @staticmethod
    def _allow(route, page):
        if route.request.url.startswith(HERE_ONLY):
            route.continue_()
            return
        page.requests_elsewhere.append(route.request.url)
        route.abort()


def serious_violations(page):
    """A line for each rule of axe that the page breaks and whose impact is serious or critical. The page needs its scripts."""
    page.evaluate((FOLDER / "axe.min.js").read_text() + ";0")
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then(results => results.violations)")
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}" for each in found
            if each["impact"] in ("serious", "critical")]


def is_wider_than_screen(page):
    """Whether a reader has to scroll sideways."""
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
