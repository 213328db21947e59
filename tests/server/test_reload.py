"""The policy file changes, and verdicts with it; a broken one changes nothing."""

import itertools
import os
import signal
import threading
import time
import unittest

import harness
from harness import review

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"
BASELINE = HEAD + "profile: baseline\n"
STRICT = HEAD + "profile: strict\n"
BROKEN = HEAD + "profile: strict\nrulez: {}\n"

RELOADED = "policy reloaded"
KEPT = "policy not reloaded, the old one stays"

# Files that are older are not read again before they change.
RECENT = 3

# A change of the file is noticed without a signal within this.
NOTICED_WITHIN = 10


@harness.at_once
class Reload(unittest.TestCase):
    def setUp(self):
        self.body = review("edit-ssa")
        self.directory = harness.temporary_directory()
        self.file = self.directory / "policy.yaml"
        self.file.write_text(BASELINE)

    def _allowed(self, server):
        return harness.assert_verdict(self, server.review(self.body), self.body)["allowed"]

    def _wait_for(self, server, allowed):
        harness.wait_until(lambda: self._allowed(server) == allowed, NOTICED_WITHIN, f"allowed: {allowed}")

    def _replace(self, text):
        """As editors and Kubernetes tools do it: another file takes the name."""
        new = self.directory / "new"
        new.write_text(text)
        os.replace(new, self.file)

    def test_hangup(self):
        """SIGHUP loads the file at once, on connections that are open as well."""
        with harness.Server(policy=self.file) as server, server.connect() as kept:
            self.assertTrue(self._allowed(server))
            self._replace(STRICT)
            server.signal(signal.SIGHUP)
            server.wait_for_log("policy reloaded", timeout=3)
            self._wait_for(server, False)
            harness.assert_verdict(self, kept.review(self.body), self.body, allowed=False)

    def test_all_loops_or_none(self):
        """If memory runs out in a reload, at any allocation, all loops judge by the old policy or all by the new."""
        if harness.Program.is_sanitized:
            self.skipTest("a sanitizer takes the allocations over itself")
        arm = self.directory / "fail"
        outcomes = set()

        def hashes(server):
            return {line["policy"] for line in server.log(RELOADED)}

        def verdicts_of_all(connections):
            return {harness.assert_verdict(self, connection.review(self.body), self.body)["allowed"]
                    for connection in connections}

        with harness.Server("--threads", "3", policy=self.file, environment={
                "LD_PRELOAD": harness.shared_library("allocations"), "FAIL": str(arm)}) as server:
            connections = [server.connect() for _ in range(3)]
            time.sleep(RECENT)
            allowed, is_over = True, False
            for number in itertools.count(1):
                known, kept = hashes(server), len(server.log(KEPT))
                arm.write_text(str(number))
                self._replace(f"{STRICT if allowed else BASELINE}# {number}\n")
                harness.wait_until(lambda: hashes(server) > known or len(server.log(KEPT)) > kept, what="an outcome")
                is_new, is_over = hashes(server) > known, arm.exists()
                arm.unlink(missing_ok=True)
                outcomes.add(is_new)
                verdicts = verdicts_of_all(connections)
                if hashes(server) == known:
                    self.assertEqual(verdicts, {allowed}, f"allocation {number}: the loops differ")
                else:  # at once, or when it was read again
                    allowed = not allowed
                    harness.wait_until(lambda: verdicts_of_all(connections) == {allowed}, what="the new policy in all loops")
                if is_over:
                    break
            for connection in connections:
                connection.close()
        self.assertEqual(outcomes, {True, False}, "some reloads fail, some do not")

    def test_expired_overrides_are_logged(self):
        """An exception that holds no more is named at start and with each new policy, once; others are not."""
        overrides = ("overrides:\n- {match: {}, mode: audit, expires: 2999-01-01}\n"
                     "- {match: {}, mode: audit, reason: REASON, expires: 2020-01-01}\n")

        def logged(server):
            return [line["reason"] for line in server.log("an override has expired and has no effect")]

        self.file.write_text(BASELINE + overrides.replace("REASON", "first"))
        with harness.Server(policy=self.file) as server:
            harness.wait_until(lambda: logged(server) == ["first"], NOTICED_WITHIN, "the first override")
            self._replace(STRICT + overrides.replace("REASON", "second"))
            harness.wait_until(lambda: logged(server) == ["first", "second"], NOTICED_WITHIN, "the second override")
            self.assertTrue(self._allowed(server), "the override that holds is in force")
            self.assertEqual(logged(server), ["first", "second"])

    def test_what_has_no_effect_is_logged(self):
        """A policy with a part that can never match is in force, at start and after a reload, and the log names the part."""
        def logged(server):
            return [(line["line"], line["reason"]) for line in server.log("a part of the policy has no effect")]

        override = "overrides:\n- match: {kinds: [NAME]}\n  mode: audit\n"
        self.file.write_text(STRICT + override.replace("NAME", "Deployment"))
        with harness.Server(policy=self.file) as server:
            harness.wait_until(lambda: len(logged(server)) == 1, NOTICED_WITHIN, "the first part")
            self.assertFalse(self._allowed(server))
            self._replace(BASELINE + override.replace("NAME", "StatefulSet"))
            harness.wait_until(lambda: len(logged(server)) == 2, NOTICED_WITHIN, "the second part")
            self._wait_for(server, True)
            first, second = logged(server)
            self.assertEqual(first[0], (STRICT + "overrides:\n-").count("\n") + 1)
            self.assertIn('"Deployment.apps"', first[1])
            self.assertIn('"StatefulSet.apps"', second[1])

    def test_the_file_is_replaced(self):
        """A file renamed over the old one is noticed without a signal."""
        with harness.Server(policy=self.file) as server:
            for allowed in (False, True, False):
                self._replace(BASELINE if allowed else STRICT)
                self._wait_for(server, allowed)

    def test_the_file_is_written_in_place(self):
        """A file written in place, of the same length even, is noticed."""
        same_length = STRICT.replace("strict\n", "strict  \n")
        self.assertEqual(len(same_length), len(BASELINE))
        with harness.Server(policy=self.file) as server:
            self.file.write_text(same_length)
            self._wait_for(server, False)

    def test_a_config_map(self):
        """The kubelet swaps the link ..data to a new directory; the file's own name and link never change."""
        def write(name, text):
            (self.directory / name).mkdir()
            (self.directory / name / "policy.yaml").write_text(text)
            os.symlink(name, self.directory / "..data_tmp")
            os.replace(self.directory / "..data_tmp", self.directory / "..data")

        self.file.unlink()
        write("..2026_11_21_1", BASELINE)
        os.symlink("..data/policy.yaml", self.file)
        with harness.Server(policy=self.file) as server:
            self.assertTrue(self._allowed(server))
            for count, (text, allowed) in enumerate(((STRICT, False), (BASELINE, True)), start=2):
                write(f"..2026_11_21_{count}", text)
                old = self.directory / f"..2026_11_21_{count - 1}"
                (old / "policy.yaml").unlink()
                old.rmdir()
                self._wait_for(server, allowed)

    def test_a_broken_file_changes_nothing(self):
        """A broken file is logged with its place, once, and the old policy stays until the file is mended."""
        with harness.Server(policy=self.file) as server:
            self._replace(BROKEN)
            line = server.wait_for_log("policy not reloaded, the old one stays")[0]
            self.assertIn(f"{self.file}:4:1: ", line["reason"])
            self.assertIn("rulez", line["reason"])
            self.assertEqual(line["level"], "error")
            self.assertTrue(self._allowed(server))
            server.signal(signal.SIGHUP)
            server.wait_for_log("policy not reloaded, the old one stays", count=2)
            self.assertTrue(self._allowed(server))
            self._replace(STRICT)
            self._wait_for(server, False)
            self.assertEqual(len(server.log("policy not reloaded, the old one stays")), 2)

    def test_a_file_that_is_gone_changes_nothing(self):
        """A file that is removed, empty, a directory or not to be read leaves the old policy in force."""
        self.file.write_text(STRICT)
        with harness.Server(policy=self.file) as server:
            count = 0
            for spoil in (self.file.unlink, lambda: self.file.write_text(""), self._make_directory,
                          lambda: self.file.write_bytes(b"\0\xff" * 50), lambda: self.file.write_bytes(b"#" * (2 << 20))):
                spoil()
                server.signal(signal.SIGHUP)
                count += 1
                server.wait_for_log("policy not reloaded, the old one stays", count=count)
                self.assertFalse(self._allowed(server))
                if self.file.is_dir():
                    self.file.rmdir()
            self._replace(BASELINE)
            self._wait_for(server, True)

    def _make_directory(self):
        self.file.unlink()
        self.file.mkdir()

    def test_no_request_is_lost(self):
        """Reviews that run while the policy changes each get a whole verdict, of the old policy or the new."""
        done = threading.Event()
        seen = set()

        def client(server):
            with server.connect() as connection:
                while not done.is_set():
                    answer = harness.assert_verdict(self, connection.review(self.body), self.body)
                    seen.add((answer["allowed"], bool(answer.get("warnings"))))

        def reload_often(server):
            try:
                for count in range(1, 101):
                    self._replace((BASELINE, STRICT)[count % 2] + f"# {count}\n")
                    server.signal(signal.SIGHUP)
                    server.wait_for_log("policy reloaded", count=count)
            finally:
                done.set()

        with harness.Server(policy=self.file) as server:
            harness.in_parallel([lambda: client(server)] * 3 + [lambda: reload_often(server)])
        self.assertEqual(seen, {(True, True), (False, False)})

    def test_memory_does_not_grow(self):
        """Old policies are freed once no loop uses them."""
        with harness.Server(policy=self.file) as server:
            def reload(first, last):
                for count in range(first, last):
                    self._replace(BASELINE + f"# {count}\n")
                    server.signal(signal.SIGHUP)
                    server.wait_for_log("policy reloaded", count=count)
                    self._allowed(server)
                return server.resident_bytes()

            early = reload(1, 50)
            late = reload(50, 250)
            if not harness.Program.is_sanitized:
                self.assertLess(late - early, 1 << 20)


if __name__ == "__main__":
    harness.main()
