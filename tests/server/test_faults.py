"""The system refuses what the server asks of it: it goes on, gives no wrong answer, and serves clients when that is over.

Every call of a kind fails, or one in several (tests/faults.c). H2O ends the process by itself where it gets no memory
(h2o_mem_alloc), as its authors mean it to; what fails here is memory that applyguard asks for.
"""

import errno
import functools
import json
import os
import re
import ssl
import subprocess
import time
import unittest

import faults
import harness
import wire
from faults import SHORT, Faults, error_name
from harness import review

STORIES = ("csa-image", "edit-ssa", "delete", "ssa-shared", "managedfields-outgrow-the-object", "configmap-last-applied-222k")
STRICT = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
BASELINE = STRICT.replace("strict", "baseline")

# Faults that a program must bear without losing anything.
BORNE = [
    ("socket read", 1, SHORT), ("socket read", 2, SHORT), ("socket read", 2, errno.EINTR), ("socket read", 2, errno.EAGAIN),
    ("socket write", 1, SHORT), ("socket write", 2, SHORT), ("socket write", 2, errno.EINTR), ("socket write", 2, errno.EAGAIN),
    ("wait", 2, errno.EINTR), ("accept", 2, errno.EINTR), ("accept", 2, errno.EAGAIN), ("accept", 2, errno.ECONNABORTED),
]
# Faults that may cost the clients in question their connection.
COSTLY = [
    ("socket read", 5, errno.ECONNRESET), ("socket read", 5, errno.EIO), ("socket read", 5, errno.ETIMEDOUT),
    ("socket write", 3, errno.EPIPE), ("socket write", 3, errno.ECONNRESET), ("socket write", 3, errno.EIO),
    ("accept", 2, errno.EMFILE), ("accept", 2, errno.ENOMEM), ("accept", 2, errno.EPERM),
]
LOG_ERRORS = (errno.ENOSPC, errno.EIO, errno.EAGAIN, errno.EPIPE, errno.EDQUOT)


class Faulty(unittest.TestCase):
    """One server, and the calls that fail in it."""

    def setUp(self):
        self.faults = Faults()
        self.addCleanup(self.faults.close)

    def serve(self, *flags, **options):
        server = harness.Server(*flags, environment=self.faults.environment(), **options)
        self.addCleanup(lambda: server.is_running() and server.kill())
        self.truth = {story: server.review(review(story)).body for story in STORIES}
        return server

    def ask(self, server, story):
        """The status; None where the connection broke. A verdict is the one that was given before."""
        try:
            response = server.review(review(story))
        except (OSError, wire.Closed):
            return None
        if response.status == 200:
            self.assertEqual(response.body, self.truth[story], "another verdict")
        return response.status

    def ask_all(self, server, stories=STORIES):
        return [self.ask(server, story) for story in stories]

    def assert_serves(self, server):
        self.faults.clear()
        self.assertTrue(server.is_running(), server.tail())
        self.assertEqual(self.ask_all(server), [200] * len(STORIES))
        harness.wait_until(lambda: server.probe("/readyz") == 200, what="ready again")

    def assert_struck(self, kind):
        self.assertGreater(self.faults.hits(kind), 0, f"no {kind} failed: this tests nothing")


class Sockets(Faulty):
    def test_what_is_borne(self):
        """Protects every review from what each system does now and then: less at a time, an interruption, not yet."""
        server = self.serve()
        for kind, every, error in BORNE:
            # Byte by byte, a busy machine takes longer for the largest than a transfer may take (webhook/http/limits.h).
            stories = STORIES[:-1] if every == 1 else STORIES
            with self.subTest(kind, every=every, error=error_name(error)):
                self.faults.set(kind, every=every, error=error)
                self.assertEqual(self.ask_all(server, stories), [200] * len(stories))
                if kind == "accept":
                    harness.in_parallel([lambda: self.ask(server, "csa-image")] * 8)
                self.assert_struck(kind)
                self.faults.clear()
        self.assert_serves(server)
        server.stop()

    def test_what_costs_a_connection(self):
        """Protects all others: a connection that breaks affects its client alone, and no client gets a wrong verdict."""
        server = self.serve()
        for kind, every, error in COSTLY:
            with self.subTest(kind, every=every, error=error_name(error)):
                self.faults.set(kind, every=every, error=error)
                statuses = [self.ask(server, story) for story in STORIES[:2 if kind == "accept" else None]]
                self.assertLessEqual(set(statuses), {200, None})
                self.assert_struck(kind)
                self.assert_serves(server)
        server.stop()

    def test_nobody_can_be_let_in(self):
        """Protects the node: where accept fails all the time, the server waits, does not spin, and is back at once."""
        server = self.serve("--threads", "1")
        for error in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS):
            with self.subTest(error=error_name(error)):
                self.faults.set("accept", every=1, error=error)
                waiting = server.connect(handshake=False, timeout=30)
                self.addCleanup(waiting.close)
                harness.wait_until(lambda: self.faults.hits("accept") > 0, what="a refusal")
                before = self.faults.hits("accept")
                time.sleep(1)
                self.assertLess(self.faults.hits("accept") - before, 50, "it spins")
                self.faults.clear()
                waiting.socket.do_handshake()
                self.assertEqual(waiting.review(review("csa-image")).body, self.truth["csa-image"])
        self.assert_serves(server)
        server.stop()


class Logs(Faulty):
    def test_a_log_that_cannot_be_written(self):
        """Protects reviews from a full disk behind the log: they are answered, and what was lost is counted."""
        server = self.serve()
        for error in LOG_ERRORS:
            with self.subTest(error=error_name(error)):
                server.wait_for_log("review")
                self.faults.set("file write", every=1, error=error)
                self.assertEqual(self.ask_all(server), [200] * len(STORIES))
                self.assert_struck("file write")
                before = len(server.log())
                self.assert_serves(server)
                harness.wait_until(lambda: any("linesDropped" in line for line in server.log()[before:]), what="the loss told")
        server.stop()

    def test_lines_that_are_torn(self):
        """Protects who reads the log: a line that was written in part costs that line, and not the next as well."""
        server = self.serve()
        self.faults.set("file write", every=2, error=SHORT)
        for _ in range(6):
            self.assertEqual(self.ask(server, "edit-ssa"), 200)
        self.assert_struck("file write")
        struck = self.faults.hits("file write")
        self.assert_serves(server)
        server.stop()
        lines = server.output.splitlines()
        whole = [json.loads(line) for line in lines if line.endswith(b"}")]
        self.assertEqual({line for line in lines if not line.endswith(b"}")}, {b"{"}, "what is left of lines that were torn")
        self.assertLessEqual(len(lines) - len(whole), struck)
        self.assertEqual(sum(line.get("linesDropped", 0) for line in whole), struck)


class Files(Faulty):
    def test_a_policy_that_cannot_be_read(self):
        """Protects the policy in force: it stays until the new file can be read, and is taken then by itself."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(BASELINE)
        server = self.serve(policy=policy)
        for count, (kind, error) in enumerate((
                ("open", errno.EMFILE), ("open", errno.ENFILE), ("open", errno.ENOMEM), ("open", errno.EACCES),
                ("file read", errno.EIO), ("file read", errno.EISDIR))):
            with self.subTest(kind, error=error_name(error)):
                kept = len(server.log("policy not reloaded, the old one stays"))
                self.faults.set(kind, every=1, error=error)
                new = policy.with_name("new")
                new.write_text(BASELINE + f"# {count}\n")
                os.replace(new, policy)
                harness.wait_until(lambda: len(server.log("policy not reloaded, the old one stays")) > kept, what="a failure told")
                self.assertEqual(self.ask(server, "edit-ssa"), 200)
                reloaded = len(server.log("policy reloaded"))
                self.faults.clear()
                harness.wait_until(lambda: len(server.log("policy reloaded")) > reloaded, what="the new policy")
        self.assert_serves(server)
        server.stop()

    def test_memory_that_runs_out_while_a_file_is_read(self):
        """Protects the new policy and certificate from the moment at which they came: they are taken when memory is there
        again, although the files do not change any more."""
        if harness.Program.is_sanitized:
            self.skipTest("a sanitizer has the allocations to itself")
        folder, certificate = harness.temporary_directory(), harness.Certificate()
        policy = folder / "policy.yaml"
        policy.write_text(BASELINE)
        server = self.serve("--threads", "1", policy=policy, certificate=certificate)

        def replace_policy():
            (folder / "new").write_text(BASELINE + "# new\n")
            os.replace(folder / "new", policy)

        def replace_certificate():
            new = harness.Certificate()
            os.replace(new.key, certificate.key)
            os.replace(new.certificate, certificate.certificate)

        for what, replace in ("policy", replace_policy), ("certificate", replace_certificate):
            with self.subTest(what):
                time.sleep(3)  # files that are older are not read again before they change
                self.faults.set("allocate", every=1, error=errno.ENOMEM)
                replace()
                time.sleep(4)  # longer than a file counts as one that may still change
                self.assert_struck("allocate")
                self.assertEqual(server.log(f"{what} reloaded"), [])
                self.faults.clear()
                harness.wait_until(lambda: server.log(f"{what} reloaded"), what=f"the new {what}")
        server.stop()

    def test_files_that_come_in_pieces(self):
        """Protects policy and certificate from a system that reads a byte at a time: they are still whole."""
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(BASELINE)
        for error in (SHORT, errno.EINTR):
            with self.subTest(error=error_name(error)):
                self.faults.set("file read", every=2, error=error)
                server = self.serve(policy=policy)
                self.assert_struck("file read")
                self.assert_serves(server)
                server.stop()


class Memory(Faulty):
    def test_a_server_without_memory(self):
        """Protects who asks next: where memory is refused, a review has its verdict or none (503), and never another."""
        if harness.Program.is_sanitized:
            self.skipTest("a sanitizer has the allocations to itself")
        server = self.serve("--threads", "1", "--metrics-labels", "kind,namespace")
        seen = set()
        for every in faults.sample(range(1, 40), 12):
            with self.subTest(every=every):
                self.faults.set("allocate", every=every, error=errno.ENOMEM)
                statuses = self.ask_all(server)
                self.assertLessEqual(set(statuses), {200, 503, None})
                seen |= set(statuses)
                self.assert_serves(server)
        self.assertIn(200, seen)
        server.stop()


class Start(Faulty):
    """Whatever is refused while it starts: it says so in a sentence and ends with status 2, or it serves."""

    def outcome(self, *flags):
        """True if it served; False if it said why not."""
        certificate = self.certificate
        process = subprocess.Popen(
            [harness.Program.path, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--drain-delay", "0",
             "--threads", "2", *certificate.flags(), *flags],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, **self.faults.environment()})
        try:
            line = process.stderr.readline().decode()
            while line and "listening" not in line and process.poll() is None and line.startswith("{"):
                line = process.stderr.readline().decode()
            if "listening" in line:
                self.check_serves(line, certificate)
                self.faults.clear()
                process.terminate()
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0, line)
                return True
            rest = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, 2, line + rest)
            self.assertRegex(line + rest, r"^applyguard[^\x00-\x1f\x7f]{15,}\n$")
            return False
        finally:
            process.kill()
            process.communicate()

    def check_serves(self, line, certificate):
        """A server that says that it listens gives right answers. A call that fails later may cost one connection, and no
        other."""
        port = int(re.search(r"127\.0\.0\.1:(\d+)", line).group(1))
        body = review("csa-image")

        def ask():
            with wire.Connection(port, context=certificate.client_context()) as connection:
                return connection.review(body)

        is_to_fail = self.is_to_fail()
        try:
            answer = ask()
        except (ssl.SSLEOFError, ConnectionError):
            self.assertTrue(is_to_fail, "what failed before it listened cost a connection")
            answer = ask()
        if is_to_fail and answer.status == 503:
            answer = ask()
        harness.assert_verdict(self, answer, body, allowed=True)

    @staticmethod
    def is_to_fail():
        """Whether the call that is to fail is yet to come."""
        return False

    def sweep(self, kind, error, count):
        """Each call of the kind fails in turn, as many as there are until it serves."""
        self.certificate = harness.Certificate()
        policy = harness.temporary_directory() / "policy.yaml"
        policy.write_text(BASELINE)
        self.faults.set(kind)
        self.assertTrue(self.outcome_counted(policy, kind))
        refused = 0
        for number in faults.sample(range(1, self.counted + 1), count):
            with self.subTest(kind, number=number, error=error_name(error)):
                self.faults.set(kind, at=number, error=error)
                self.is_to_fail = functools.partial(self.is_before, kind, number)
                refused += not self.outcome("--policy", str(policy))
                del self.is_to_fail
                self.faults.clear()
        return refused

    def is_before(self, kind, number):
        return self.faults.calls(kind) < number

    def outcome_counted(self, policy, kind):
        """Notes how many calls it took until it served."""
        check = self.check_serves

        def note(line, certificate):
            self.counted = self.faults.calls(kind)
            check(line, certificate)

        self.check_serves = note
        try:
            return self.outcome("--policy", str(policy))
        finally:
            self.check_serves = check

    def test_threads(self):
        """Protects who reads why it did not start (EAGAIN from pthread_create)."""
        self.assertGreater(self.sweep("thread", errno.EAGAIN, 8), 0)

    def test_files(self):
        """EMFILE and EIO at each file that it opens and reads."""
        self.assertGreater(self.sweep("open", errno.EMFILE, 8), 0)
        self.assertGreater(self.sweep("file read", errno.EIO, 6), 0)

    def test_memory(self):
        """ENOMEM at each allocation of its own."""
        if harness.Program.is_sanitized:
            self.skipTest("a sanitizer has the allocations to itself")
        self.assertGreater(self.sweep("allocate", errno.ENOMEM, 16), 0)


def tearDownModule():
    print(f"fault points: {Faults.total}")


if __name__ == "__main__":
    harness.main()
