#!/usr/bin/env python3
"""The unit of systemd, running: a minimal Debian 12 boots in systemd-nspawn, without a network, and is set up by the commands of
docs/control-plane.md, from the package in dist/ alone.

    tests/release/test_unit.py APPLYGUARD

Needs root, for the container.
"""

import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from dist import DIST, ROOT, VERSION, run

sys.path.append(str(ROOT / "tests/image"))

import containerfile
import harness

PACKAGE = DIST / f"applyguard-server_{VERSION}_amd64.deb"
DOCUMENTED = ROOT / "docs/control-plane.md"
POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: {}\n"
# `systemd-analyze security` calls exposures below 2 "OK" or better.
MOST_EXPOSURE = 2.0


def debian_with_systemd():
    """An archive of it, with the libraries of the package, made once for each list of them."""
    depends = run("dpkg-deb", "--field", PACKAGE, "Depends").stdout
    libraries = re.findall(r"(?:^|, )([a-z0-9.+-]+)", depends.strip())
    wanted = ",".join(["systemd", "systemd-sysv", "dbus", "curl", *libraries])
    archive = containerfile.cache() / f"debian-12-systemd-{hashlib.sha256(wanted.encode()).hexdigest()[:16]}.tar"
    if not archive.exists():
        root = harness.temporary_directory() / "root"
        containerfile.quietly("debootstrap", "--variant=minbase", f"--include={wanted}", "bookworm", root, containerfile.debian_mirror())
        containerfile.pack(root, archive)
        shutil.rmtree(root)
    return archive


def documented_commands():
    """The commands that set up the unit. apt would ask its sources first, which this machine does not have."""
    [block] = re.findall(r"## The server as a unit.*?```console\n(.*?)```", DOCUMENTED.read_text(), re.DOTALL)
    commands = [line.removeprefix("# ") for line in block.splitlines()]
    assert commands[0].startswith("apt install ./"), commands[0]
    return [f"dpkg --install /{PACKAGE.name}", *commands[1:]]


class Machine:
    """A container with systemd as its first process."""

    def __init__(self, root):
        self.root = root
        flags = ["--register=no"] + ([] if os.path.isdir("/run/systemd/system") else ["--keep-unit"])
        self.nspawn = subprocess.Popen(
            ["systemd-nspawn", *flags, "--directory", root, "--boot", "--private-network", "--console=pipe", "--quiet",
             f"--machine=applyguard-{os.getpid()}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        harness.wait_until(self.is_up, timeout=60, what="systemd to be up")

    def first_process(self):
        children = pathlib.Path(f"/proc/{self.nspawn.pid}/task/{self.nspawn.pid}/children").read_text().split()
        return next((pid for pid in children if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "systemd"), None)

    def is_up(self):
        if self.nspawn.poll() is not None:
            raise unittest.SkipTest(f"systemd-nspawn may not start a container here: {self.nspawn.stdout.read().decode().strip()}")
        with contextlib.suppress(FileNotFoundError):
            return self.first_process() and self.does("systemctl is-system-running").stdout.strip() == "running"

    def does(self, command, **options):
        return run("nsenter", "--target", self.first_process(), "--all", "sh", "-c", command, **options)

    def must(self, command, **options):
        done = self.does(command, **options)
        if done.returncode:
            raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def stop(self):
        self.does("systemctl --no-block poweroff")
        try:
            self.nspawn.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.nspawn.kill()
            self.nspawn.wait()
        self.nspawn.stdout.close()


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or not shutil.which("systemd-nspawn"):
            raise unittest.SkipTest("needs root and systemd-nspawn")
        root = harness.temporary_directory() / "root"
        root.mkdir()
        containerfile.unpack(debian_with_systemd(), root)
        shutil.copy(PACKAGE, root)
        (root / "review.json").write_bytes(harness.review("edit-ssa"))
        cls.machine = Machine(root)
        cls.addClassCleanup(cls.machine.stop)
        for command in documented_commands():
            cls.machine.must(command)

    def set_policy(self, profile):
        """Replaces the file, as an administrator's editor does."""
        policy = self.machine.root / "etc/applyguard/policy.yaml"
        changed = policy.with_suffix(".new")
        changed.write_text(POLICY.format(profile))
        changed.rename(policy)

    def wait_for_answer(self, part):
        curl = "curl --silent --cacert /etc/applyguard/ca.crt --json @/review.json https://127.0.0.1:8443/validate"
        harness.wait_until(lambda: part in self.machine.does(curl).stdout, timeout=30, what=f"an answer with {part}")

    def property(self, name):
        return self.machine.must(f"systemctl show --value --property={name} applyguard")


class Unit(Installed):
    def setUp(self):
        self.set_policy("baseline")
        self.wait_for_answer('"allowed":true')

    def test_it_judges(self):
        self.wait_for_answer("[ownership-conflict]")

    def test_a_changed_policy_counts_without_a_restart(self):
        before = self.property("MainPID")
        self.set_policy("strict")
        self.wait_for_answer('"allowed":false')
        self.assertEqual(self.property("MainPID"), before)

    def test_a_reload_loads_the_policy(self):
        self.set_policy("strict")
        self.machine.must("systemctl reload applyguard")
        self.wait_for_answer('"allowed":false')

    def test_it_has_no_rights(self):
        """It runs as a user that exists only while the unit runs, without capabilities, under a filter of system calls."""
        status = self.machine.must(f"cat /proc/{self.property('MainPID')}/status")
        found = dict(re.findall(r"^(\w+):\s+(.*)$", status, re.MULTILINE))
        user = found["Uid"].split()
        self.assertEqual(len(set(user)), 1)
        self.assertTrue(61184 <= int(user[0]) <= 65519, user)
        self.assertEqual([found[name] for name in ("CapEff", "CapPrm", "CapBnd")], ["0" * 16] * 3)
        self.assertEqual((found["NoNewPrivs"], found["Seccomp"]), ("1", "2"))

    def test_systemd_finds_it_little_exposed(self):
        exposure = float(re.search(r"Overall exposure level for applyguard.service: ([0-9.]+)", self.machine.must(
            "systemd-analyze security --no-pager applyguard.service")).group(1))
        self.assertLess(exposure, MOST_EXPOSURE)

    def test_it_comes_back_after_it_was_killed(self):
        before = self.property("MainPID")
        self.machine.must(f"kill -KILL {before}")
        harness.wait_until(lambda: self.property("MainPID") not in (before, "0"), timeout=30, what="a restart")
        self.wait_for_answer('"allowed":true')

    def test_it_stops_in_order(self):
        self.machine.must("systemctl stop applyguard")
        self.assertEqual((self.property("Result"), self.property("ExecMainStatus")), ("success", "0"))
        self.machine.must("systemctl start applyguard")

    def test_an_upgrade_restarts_it_and_keeps_the_policy(self):
        self.set_policy("strict")
        self.wait_for_answer('"allowed":false')
        before = self.property("MainPID")
        self.machine.must(f"dpkg --install --force-confold /{PACKAGE.name}")
        self.assertNotIn(self.property("MainPID"), (before, "0"))
        self.wait_for_answer('"allowed":false')


class Removed(Installed):
    def test_nothing_runs_after_it_was_removed(self):
        self.machine.must("dpkg --purge applyguard-server")
        self.assertEqual(self.machine.does("systemctl is-active applyguard").stdout.strip(), "inactive")
        self.assertEqual(self.machine.does("ls /usr/bin/applyguard /lib/systemd/system/applyguard.service").stdout, "")
        self.assertEqual(self.machine.must("ls -A /etc/applyguard | sort | tr '\\n' ' '").split(), ["ca.crt", "ca.key", "tls.crt", "tls.key"])


if __name__ == "__main__":
    harness.main()
