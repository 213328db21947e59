"""cmake/where.cmake: the one place of the addresses that nobody owns yet."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "cmake"))
sys.path.append(str(ROOT / "tests/server"))

import where
from harness import Program, main

# The addresses of the formats' own schemas.
STANDARDS = ("https://json.schemastore.org/", "https://docs.oasis-open.org/", "https://raw.githubusercontent.com/oasis-tcs/")


class Where(unittest.TestCase):
    def test_each_value_has_a_placeholder(self):
        self.assertEqual(set(where.values()), set(where.PLACEHOLDERS))
        for one in where.PLACEHOLDERS.values():
            self.assertFalse([other for other in where.PLACEHOLDERS.values() if other != one and one in other])

    def test_a_value_that_is_set_has_no_placeholder_left(self):
        for name, value in where.values().items():
            if value:
                self.assertEqual(where.waiting(name), [], f"run cmake/where.py --write for APPLYGUARD_{name}")

    def test_what_is_still_to_fill_in_is_named(self):
        """Names what an owner must set before a release, and the files that wait for it."""
        empty = where.still_empty()
        self.assertEqual(len(empty), list(where.values().values()).count(""))
        print("still to fill in, in cmake/where.cmake:", *empty or ["nothing"], sep="\n  ", file=sys.stderr)

    def test_values_take_the_place_of_placeholders(self):
        text = " ".join(where.PLACEHOLDERS.values())
        found = {name: f"<{name}>" for name in where.PLACEHOLDERS}
        self.assertEqual(where.filled(text, found), " ".join(found.values()))
        self.assertEqual(where.filled(text, dict.fromkeys(found, "")), text)

    def test_addresses_in_the_repository_lead_to_files(self):
        """A person who follows a link of the chart, an alert or a form finds the page."""
        links = re.compile(re.escape(where.get("REPOSITORY")) + r"/(?:blob|raw)/main/([\w./-]+)")
        for path in where.users():
            for target in links.findall(path.read_text()):
                self.assertTrue((ROOT / target).exists(), f"{path.relative_to(ROOT)}: {target}")

    def test_reports_link_the_repository_alone(self):
        """Without a repository, no format has a link."""
        manifest = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}}\n---\n'
        for form in "sarif", "markdown":
            printed = subprocess.run(
                [Program.path, "check", f"--output={form}", "-"], input=2 * manifest, stdout=subprocess.PIPE, text=True).stdout
            links = {link for link in re.findall(r"https?://[^\s\"<>)]+", printed) if not link.startswith(STANDARDS)}
            repository = where.values()["REPOSITORY"]
            self.assertIn("duplicate-object", printed)
            self.assertEqual([link for link in links if not (repository and link.startswith(repository))], [], form)


if __name__ == "__main__":
    main()
