"""soaking.py: all that a server meets in a long life, and what must be the same after it as before.

An act does one thing to the server and checks what came of it; `Acts` has them. tests/bench/soak lets each act go on
for as long as is asked, under the load of wrk; tests/server/test_soak.py does each some times.
"""
import collections
import json
import os
import pathlib
import re
import signal
import sys
import unittest
import uuid

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "server"))

import bodies
import harness
import wire
from authority import Authority
from test_certificates import replace, served
from test_refusals import NOT_REVIEWS, broken_reviews

CHECK = unittest.TestCase()
HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"
# The same verdicts from each: the answers are checked while they change.
POLICIES = [HEAD + f"overrides:\n- match: {{namespaces: [away-{number}]}}\n  mode: audit\n" for number in range(2)]
BROKEN_POLICY = HEAD + "rulez: {}\n"
# A review has at most one finding of it, so as many lines are logged that name it.
COUNTED_RULE = "explicit-strategy"
FIRST_BYTES = 65536
# The memory of takeovers is soon full of these, and then grows no more.
OBJECTS = 100
DROPPED = re.compile(rb'"linesDropped":(\d+)')
METRIC_SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)


def contested_deployment():
    """60 KB with a conflict: one of ten appliers takes a container's image from another."""
    review = json.loads(bodies.shared_deployment())
    changed = review["request"]["object"]
    containers = changed["spec"]["template"]["spec"]["containers"]
    taken = 'k:{"name":"%s"}' % containers[4]["name"]
    taker, loser = (
        changed["metadata"]["managedFields"][index]["fieldsV1"]["f:spec"]["f:template"]["f:spec"]["f:containers"]
        for index in (3, 4))
    containers[4]["image"] += "-taken"
    del loser[taken]["f:image"]
    taker[taken] = {"f:image": {}}
    return bodies.encode(review)


class Server(harness.Server):
    """A server whose log is counted as it comes and not kept; it may be many GiB."""

    def __init__(self, *flags, **options):
        self.unfinished = b""
        self.lines = self.counted_lines = self.lines_dropped = 0
        self.troubles = collections.Counter()
        super().__init__(*flags, **options)

    def _collect(self):
        while data := os.read(self.process.stderr.fileno(), 1 << 20):
            if len(self.output) < FIRST_BYTES:
                self.output += data
            *lines, self.unfinished = (self.unfinished + data).split(b"\n")
            for line in lines:
                self._count(line)

    def _count(self, line):
        self.lines += 1
        self.counted_lines += COUNTED_RULE.encode() in line
        self.lines_dropped += sum(map(int, DROPPED.findall(line)))
        if b'"level":"info"' not in line:
            self.troubles[json.loads(line)["message"] if line.startswith(b"{") else line.decode()] += 1

    def sample(self, name, **labels):
        """A metric's value now; with labels, the sum of the series that have them."""
        with self.connect_plain() as connection:
            samples = METRIC_SAMPLE.findall(connection.get("/metrics").body.decode())
        return sum(float(value) for found, text, value in samples
                   if found == name and all(f'{label}="{asked}"' in text for label, asked in labels.items()))

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))


class Acts:
    """The load on one server. Each act raises an exception where an answer is not what it has to be."""

    def __init__(self):
        self.directory = harness.temporary_directory()
        authority = Authority()
        self.pairs = [authority.another() for _ in range(2)]
        self.pair = authority.another()
        self.policy = self.directory / "policy.yaml"
        self.policy.write_text(POLICIES[0])
        self.server = Server(policy=self.policy, certificate=self.pair)
        self.reviews = [json.loads(make()) for make in (*bodies.BODIES.values(), contested_deployment)]
        self.malformed = [*NOT_REVIEWS.values(), *broken_reviews().values()]
        self.done = collections.Counter()
        self.kept = self.server.connect()

    def stop(self):
        self.kept.close()
        self.server.stop()

    def all(self):
        return (self.review, self.refuse, self.abandon, self.come_and_go, self.change_policy, self.change_certificate,
                self.scrape)

    def review(self):
        """A review of each kind, 8 KB to 900 KB, over a connection that is kept."""
        turn = self.done["review"]
        review = self.reviews[turn % len(self.reviews)]
        request = review["request"]
        request["uid"] = str(uuid.uuid4())
        if bodies.LAST_APPLIED not in request["object"]["metadata"].get("annotations", {}):
            request["name"] = request["object"]["metadata"]["name"] = f"web-{turn % OBJECTS}"
        body = bodies.encode(review)
        harness.assert_verdict(CHECK, self.kept.review(body), body, allowed=True)

    def refuse(self):
        """A body that is not a review."""
        body = self.malformed[self.done["refuse"] % len(self.malformed)]
        with self.server.connect() as connection:
            harness.assert_sentence(CHECK, connection.review(body), 400)

    def abandon(self):
        """A client that is killed: before, in and after a handshake, in a body, and before it has its answer."""
        body = wire.post(harness.review("csa-image"))
        stage = self.done["abandon"] % 5
        connection = self.server.connect(handshake=stage > 1, context=self.server.context if stage else None)
        if stage > 2:
            connection.send(body if stage == 4 else body[:len(body) // 2])
        connection.abort()

    def come_and_go(self):
        """A client that asks once."""
        body = harness.review("csa-image")
        harness.assert_verdict(CHECK, self.server.review(body), body, allowed=True)

    def change_policy(self):
        """Another policy, and every third time one that does not load."""
        turn = self.done["change_policy"]
        loads = turn % 3 != 2
        fresh = self.directory / "policy.new"
        fresh.write_text(POLICIES[turn % 2] + f"# {turn}\n" if loads else BROKEN_POLICY)
        os.replace(fresh, self.policy)
        self.server.signal(signal.SIGHUP)
        harness.wait_until(
            lambda: self.server.sample("applyguard_policy_last_load_successful") == loads, 30, "the policy to be read")

    def change_certificate(self):
        """Another certificate of the same authority."""
        pair = self.pairs[self.done["change_certificate"] % 2]
        replace(self.pair, pair)
        self.server.signal(signal.SIGHUP)
        harness.wait_until(lambda: served(self.server) == pair.bytes(), 30, "the other certificate")

    def scrape(self):
        CHECK.assertGreater(self.server.sample("process_open_fds"), 0)

    def do(self, act):
        act()
        self.done[act.__name__] += 1

    def begin(self):
        """Does each act once, so that all is there that stays, and notes what must be the same at the end."""
        for act in self.all():
            self.do(act)
        self._wait_for_connections(1)
        self.open_files, self.threads = len(self.server.open_files()), self.server.threads()

    def check_at_rest(self):
        """When all clients have gone nothing of them is left."""
        self._wait_for_connections(1)
        harness.wait_until(
            lambda: len(self.server.open_files()) <= self.open_files, 30, f"no more than {self.open_files} open files")
        CHECK.assertEqual(self.threads, self.server.threads(), "threads")

    def check_answers(self):
        """Exactly the right requests were refused, and no review was denied."""
        CHECK.assertEqual(self.done["refuse"], self.server.sample("applyguard_requests_refused_total"), "refused requests")
        CHECK.assertEqual(0, self.server.sample("applyguard_reviews_total", allowed="false"), "denied reviews")

    def check_reloads(self):
        """Policies and certificates did change; files that did not load changed nothing."""
        CHECK.assertGreater(self.server.sample("applyguard_policy_loads_total"), 2, "policies")
        CHECK.assertGreater(self.server.sample("applyguard_policy_load_failures_total"), 0, "broken policies")
        CHECK.assertGreater(self.server.sample("applyguard_certificate_loads_total"), 2, "certificates")

    def check_log(self):
        """Every finding was logged, or counted as dropped."""
        findings = int(self.server.sample("applyguard_findings_total", rule=COUNTED_RULE))
        harness.wait_until(lambda: self._logged_at_most() >= findings, 30, f"{findings} lines with {COUNTED_RULE}")
        CHECK.assertLessEqual(self.server.counted_lines, findings)

    def _logged_at_most(self):
        return self.server.counted_lines + self.lines_dropped()

    def lines_dropped(self):
        """Cut connections in the log, and cut ones that are not logged yet."""
        return self.server.lines_dropped + int(self.server.sample("applyguard_log_lines_dropped"))

    def _wait_for_connections(self, count):
        harness.wait_until(
            lambda: self.server.sample("applyguard_connections") == count, 30, f"the end of all but {count} connections")
