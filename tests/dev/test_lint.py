#!/usr/bin/env python3
"""./dev lint checks each source once: another checkout knows what was found clean, and a change makes it check again.

    tests/dev/test_lint.py APPLYGUARD
"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

LINT = pathlib.Path(__file__).resolve().parents[1] / "lint/sources"
sys.argv[1:2] = []
sys.dont_write_bytecode = True


def load():
    loader = importlib.machinery.SourceFileLoader("lint_sources", str(LINT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Keys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.system_header = self.folder / "system.h"
        self.system_header.write_text("/* of the system */\n")

    def key(self, checkout, header="int a;\n", is_built=True):
        """The key of main.c in a checkout, which the build has compiled or has not."""
        sources = load()
        root, build = self.folder / checkout, self.folder / checkout / "build"
        build.mkdir(parents=True, exist_ok=True)
        (root / "a.h").write_text(header)
        (root / "main.c").write_text(f'#include "a.h"\n#include "{self.system_header}"\n')
        entry = {"directory": str(build), "command": f"cc -I{root} -o main.c.o -c {root}/main.c", "file": f"{root}/main.c"}
        read = {"main.c.o": ["../main.c", "../a.h", str(self.system_header)]} if is_built else {}
        with unittest.mock.patch.object(sources, "ROOT", root):
            files = [path for path in sources.files_of(entry, read) if path.startswith(("..", str(self.folder)))]
            return sources.key("a tool", entry, files, build)

    def test_another_checkout_has_the_same_key(self):
        self.assertEqual(self.key("one"), self.key("deeper/in/two"))

    def test_a_header_changes_the_key(self):
        self.assertNotEqual(self.key("one"), self.key("two", header="int b;\n"))
        before = self.key("one")
        self.system_header.write_text("/* of a newer system */\n")
        self.assertNotEqual(before, self.key("one"))

    def test_a_source_that_the_build_leaves_out_has_a_key(self):
        self.assertIsNotNone(self.key("one", is_built=False))
        self.assertEqual(self.key("one"), self.key("one", is_built=False))


if __name__ == "__main__":
    unittest.main()
