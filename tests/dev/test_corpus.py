#!/usr/bin/env python3
"""The inputs that are kept for the fuzz targets: archives that can be packed again, and `./dev fuzz --keep`, which adds to
them.

tests/dev/test_corpus.py
"""
import hashlib
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

FUZZ = pathlib.Path(__file__).resolve().parent.parent / "fuzz"
sys.path.insert(0, str(FUZZ))

import corpus


def load_run():
    """tests/fuzz/run, whose name has no ending."""
    loader = importlib.machinery.SourceFileLoader("fuzz_run", str(FUZZ / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz_run", loader))
    with mock.patch.object(sys, "dont_write_bytecode", True):
        loader.exec_module(module)
    return module


def targets():
    return sorted(path.stem.removeprefix("fuzz_") for path in FUZZ.glob("fuzz_*.c"))


class Archives(unittest.TestCase):
    def test_each_belongs_to_a_target(self):
        self.assertGreater(len(targets()), 20)
        paths = {path.name.removesuffix(".tar.gz").removeprefix("fuzz_") for path in corpus.CORPUS.iterdir()}
        self.assertEqual(paths - set(targets()), set())
        for target in targets():
            with self.subTest(target):
                self.assertTrue(corpus.inputs(target))

    def test_inputs_are_named_by_what_they_are(self):
        """Protects against an archive that was changed by hand: an input with a name belongs into the folder."""
        for target in targets():
            with self.subTest(target):
                for name, data in corpus.found(target).items():
                    self.assertEqual(hashlib.sha1(data).hexdigest(), name)
                for name in corpus.named(target):
                    self.assertIsNone(corpus.FOUND.fullmatch(name))

    def test_packing_again_changes_nothing(self):
        """Sorted, and without times and owners: a difference in an archive is a difference of inputs."""
        packed = [target for target in targets() if corpus.archive(target).exists()]
        self.assertGreater(len(packed), 20)
        for target in packed:
            with self.subTest(target), tarfile.open(corpus.archive(target), "r:gz") as tar:
                members = tar.getmembers()
                self.assertEqual([member.name for member in members], sorted(corpus.found(target)))
                self.assertEqual({(member.mtime, member.uid, member.gid, member.uname, member.gname) for member in members},
                                 {(0, 0, 0, "", "")} if members else set())
        some = {"b": b"2", "a": b"1" * 600, "empty": b""}
        self.assertEqual(corpus.pack(some), corpus.pack(dict(reversed(some.items()))))


class Keep(unittest.TestCase):
    """On a corpus of its own, with a script in place of the fuzz target."""

    def setUp(self):
        self.run_module = load_run()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch.object(corpus, "CORPUS", self.folder / "corpus"))
        self.enterContext(mock.patch.multiple(
            self.run_module, CACHE=self.folder / "cache", PROGRAMS=self.folder, FIGURES=self.folder / "figures",
            KEPT_FIGURES=self.folder / "kept-figures"))
        self.enterContext(mock.patch("builtins.print"))
        # Merging copies each input of the last folder to the one before it.
        program = self.folder / "fuzz_review"
        program.write_text('#!/bin/bash\ncp -- "${@: -1}"/* "${@: -2:1}"\n')
        program.chmod(0o755)
        named = self.folder / "corpus" / "fuzz_review"
        named.mkdir(parents=True)
        (named / "regression").write_bytes(b"named")
        corpus.write("review", {self.name_of(b"old"): b"old"})

    @staticmethod
    def name_of(data):
        return hashlib.sha1(data).hexdigest()

    def find(self, data):
        found = self.run_module.folder("corpus", "fuzz_review")
        (found / self.name_of(data)).write_bytes(data)

    def test_small_inputs_are_added(self):
        self.find(b"new")
        self.find(b"x" * 4000)
        self.assertEqual(self.run_module.keep(["review"]), 0)
        self.assertEqual(corpus.found("review"), {self.name_of(data): data for data in (b"old", b"new")})
        self.assertEqual(corpus.named("review"), {"regression": b"named"})

    def test_an_archive_without_news_is_left_alone(self):
        self.find(b"old")
        os.utime(corpus.archive("review"), (1, 1))
        self.assertEqual(self.run_module.keep(["review"]), 0)
        self.assertEqual(corpus.archive("review").stat().st_mtime, 1)

    def test_fuzzing_starts_from_all_that_is_kept(self):
        unpacked = self.run_module.unpacked("review")
        (unpacked / "gone").write_bytes(b"left by another checkout")
        unpacked = self.run_module.unpacked("review")
        self.assertEqual({path.name: path.read_bytes() for path in unpacked.iterdir()},
                         {"regression": b"named", self.name_of(b"old"): b"old"})


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
