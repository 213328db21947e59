#!/usr/bin/env python3
"""A release from dist/ alone in a cluster: the chart's archive by Helm 3 and Helm 4, and the program of the image's archive, with the
image's own libraries, as the pods of the release. It takes over from an earlier chart with its policy (earlier/), and goes back.

    tests/release/test_installed.py APPLYGUARD
"""

import json
import sys

from dist import DIST, ROOT, VERSION, Image, unpack

sys.path += [str(ROOT / "tests" / folder) for folder in ("chart", "cluster")]

import harness
from chart import FULL_NAME, NAMESPACE, RELEASE
from installed import STRICT, policy_file
from node import Node
from test_certs import SelfMade

CHART, EARLIER = DIST / f"applyguard-{VERSION}.tgz", ROOT / "tests/release/earlier"
DEPLOYMENT = {
    "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
    "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": {
        "metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "nginx:1"}]}}}}


def program_of_image():
    """A script that starts the program of the image with the image's libraries; pods' files are outside of an empty root."""
    layout, root = harness.temporary_directory(), harness.temporary_directory()
    unpack(DIST / "applyguard-image.tar", layout)
    Image(layout, "amd64").unpack(root)
    started = root / "started"
    libraries = f"{root}/lib/x86_64-linux-gnu:{root}/usr/lib/x86_64-linux-gnu"
    started.write_text(f'#!/bin/sh\nexec {root}/lib64/ld-linux-x86-64.so.2 --library-path {libraries} {root}/usr/bin/applyguard "$@"\n')
    started.chmod(0o755)
    return str(started)


class FromDist(SelfMade):
    @classmethod
    def setUpClass(cls):
        cls.before, harness.Program.path = harness.Program.path, program_of_image()
        super().setUpClass()
        cls.create_namespace("shop", **{"applyguard.io/mode": "enforce"})

    @classmethod
    def tearDownClass(cls):
        harness.Program.path = cls.before

    def outcome(self):
        """Whether a person's edit of what a team applied is let through, and what is said of it."""
        apply = ("apply", "--server-side", "--force-conflicts", "--field-manager=team", "--namespace=shop", "--filename=-")
        self.must(*apply, input=json.dumps(DEPLOYMENT), user="flux")
        done = self.kubectl("set", "image", "deployment/web", "web=nginx:2", "--namespace=shop", "--dry-run=server", user="alice")
        return done.returncode, done.stderr

    def assert_outcome(self, status):
        with self.serve():
            harness.wait_until(lambda: "[ownership-conflict]" in self.outcome()[1] and self.outcome()[0] == status, timeout=60, what="the verdict")

    def test_install_upgrade_from_an_earlier_chart_and_roll_back(self):
        for major in (3, 4):
            with self.subTest(helm=major), Node(self, NAMESPACE):
                # The earlier chart knows leafLife and caLife alone, and the upgrade keeps these values.
                flags = [flag.replace("Validity=", "Life=") for flag in self.flags("--set=webhook.failurePolicy=Ignore", "--timeout=120s")]
                self.install(major, *flags, "--set-file", f"policy={EARLIER / 'policy.yaml'}", chart=EARLIER / "chart.tgz", checks_policy=True)
                self.assert_outcome(0)
                before = self.configuration()["webhooks"]
                upgrade = ("upgrade", RELEASE, CHART, "--reset-then-reuse-values", "--set-file", f"policy={policy_file(STRICT)}", "--timeout=120s")
                self.helm_does(major, *upgrade, checks_policy=True)
                self.assert_outcome(1)
                image = self.in_release("deployment", FULL_NAME)["spec"]["template"]["spec"]["containers"][0]["image"]
                self.assertTrue(image.endswith(f":{VERSION}"))
                self.helm_does(major, "rollback", RELEASE, "1", "--timeout=120s")
                self.assert_outcome(0)
                self.assertEqual([each["rules"] for each in self.configuration()["webhooks"]], [each["rules"] for each in before])
                self.clean()

    def test_install_from_nothing(self):
        for major in (3, 4):
            with self.subTest(helm=major), Node(self, NAMESPACE):
                self.install(major, *self.flags("--set=webhook.failurePolicy=Ignore", "--timeout=120s"), "--set-file",
                             f"policy={policy_file(STRICT)}", chart=CHART, checks_policy=True)
                self.assert_outcome(1)
                self.clean()


if __name__ == "__main__":
    harness.main()
