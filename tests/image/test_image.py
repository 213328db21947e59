#!/usr/bin/env python3
"""The image: what the Containerfile makes is run as the chart's pod runs it, without a container engine.

It needs root, for chroot and mount: in a mount namespace of its own, so that nothing is left mounted.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(PROJECT / "tests" / folder) for folder in ("server", "chart", "cluster")]

import containerfile
import harness
import wire
from chart import render
from control_plane import free_ports
from harness import main, wait_until

POLICY = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
# Debian's libcurl speaks more than we ask of it, and brings what it speaks it with.
CURL_LIBRARIES = (
    "brotlicommon brotlidec com_err curl ffi gmp gnutls gssapi_krb5 hogweed idn2 k5crypto keyutils krb5 krb5support lber-2.5 "
    "ldap-2.5 nettle nghttp2 p11-kit psl resolv rtmp sasl2 ssh2 tasn1 unistring zstd").split()
LIBRARIES = ["c", "crypto", "h2o-evloop", "ssl", "wslay", "yaml-0", "yyjson", "z", *CURL_LIBRARIES]
NEEDED_LIBRARY = re.compile(r"ld-linux.*|lib(" + "|".join(map(re.escape, LIBRARIES)) + r")\.so\..*")


def in_a_mount_namespace_of_its_own():
    if os.environ.get("APPLYGUARD_MOUNTS") == "own":
        return
    command = ["unshare", "--mount", "--propagation=private", "env", "APPLYGUARD_MOUNTS=own", sys.executable, *sys.argv]
    if os.geteuid():
        command.insert(0, "sudo")
    os.execvp(command[0], command)


def container_of_the_chart(port, health_port):
    """The arguments and the mounts of the chart's container."""
    done = render(4, "--show-only=templates/deployment.yaml", f"--set=server.port={port},server.healthPort={health_port},certs.mode=secret")
    if done.returncode:
        raise RuntimeError(done.stderr)
    [args] = re.findall(r"^( +)args:\n((?:\1- .*\n)+)", done.stdout, re.MULTILINE)
    return [line.strip()[2:] for line in args[1].splitlines()], re.findall(r"mountPath: (\S+)", done.stdout)


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix="applyguard-image-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        os.chmod(cls.directory, 0o755)
        cls.image = containerfile.build(cls.directory)

    def files(self):
        return [path for path in self.image.root.rglob("*") if not path.is_dir()]

    def test_only_the_program_and_its_libraries_are_in_it(self):
        """Protects against what an intruder could use, and against an image that grows unseen."""
        programs = [path for path in self.files() if path.stat().st_mode & 0o111]
        self.assertIn(self.image.root / "usr/bin/applyguard", programs)
        for path in programs:
            self.assertTrue(path.name == "applyguard" or NEEDED_LIBRARY.fullmatch(path.name), path)
        self.assertLess(sum(path.stat().st_size for path in self.files()), 24 << 20)

    def test_scanners_find_each_library(self):
        """Protects users who must know of vulnerable libraries: each Debian package is named, with its licence."""
        status = {path.name: path.read_text() for path in (self.image.root / "var/lib/dpkg/status.d").iterdir()}
        self.assertLessEqual({"libc6", "libcurl4", "libh2o-evloop0.13", "libssl3", "libyaml-0-2", "libyyjson0", "zlib1g"}, set(status))
        for package, text in status.items():
            self.assertIn(f"Package: {package}\n", text)
            self.assertRegex(text, r"\nVersion: \S+\n")
            self.assertTrue((self.image.root / "usr/share/doc" / package / "copyright").read_text())

    def test_the_sbom_names_them_too(self):
        """Protects the same from two lists that differ: the SBOM is this program's, and names the packages that are there."""
        sbom = json.loads((self.image.root / "usr/share/doc/applyguard/applyguard.spdx.json").read_text())
        program = (self.image.root / "usr/bin/applyguard").read_bytes()
        packages = {each["name"]: each for each in sbom["packages"]}
        self.assertEqual(packages.pop("applyguard")["checksums"][0]["checksumValue"], hashlib.sha256(program).hexdigest())
        linked = {each["relatedSpdxElement"] for each in sbom["relationships"] if each["relationshipType"] == "DYNAMIC_LINK"}
        loaded = {name: each["versionInfo"] for name, each in packages.items() if each["SPDXID"] in linked}
        status = {path.name: path.read_text() for path in (self.image.root / "var/lib/dpkg/status.d").iterdir()}
        self.assertEqual(loaded, {name: re.search(r"^Version: (\S+)$", text, re.MULTILINE).group(1) for name, text in status.items()})

    def test_nothing_is_anybody_elses_or_set_uid(self):
        """Protects the uid that serves: it owns no file and may write none, and no file lends rights."""
        for path in [*self.files(), *(each for each in self.image.root.rglob("*") if each.is_dir())]:
            status = path.lstat()
            self.assertEqual((status.st_uid, status.st_gid), (0, 0), path)
            self.assertFalse(status.st_mode & (stat.S_ISUID | stat.S_ISGID), path)
            self.assertFalse(not path.is_symlink() and status.st_mode & 0o022, path)

    def test_the_user_is_a_number(self):
        """Protects pods with runAsNonRoot: the kubelet refuses a user that is a name."""
        self.assertEqual(self.image.user, "65532:65532")

    def test_it_prints_help_without_arguments(self):
        """Protects who runs it to see what it is."""
        with self.read_only_root() as root:
            done = subprocess.run(self.as_user(root, *self.image.command), capture_output=True, text=True, timeout=20)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Usage: applyguard", done.stdout)

    @contextlib.contextmanager
    def read_only_root(self, mounts=()):
        """The root as the pod has it: nothing can be written, and the mounts (place: directory) are where they belong."""
        root = pathlib.Path(tempfile.mkdtemp(dir=self.directory))
        # A container engine makes the places to mount at as well.
        for place in dict(mounts):
            (self.image.root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
        self.mount("--bind", self.image.root, root)
        with contextlib.ExitStack() as stack:
            stack.callback(subprocess.run, ["umount", "--recursive", root], check=True)
            for place, source in dict(mounts).items():
                self.mount("--bind", source, root / place.lstrip("/"))
                self.mount("-o", "remount,bind,ro", root / place.lstrip("/"))
            self.mount("-o", "remount,bind,ro", root)
            yield root

    def mount(self, *arguments):
        subprocess.run(["mount", *arguments], check=True)

    def as_user(self, root, *arguments):
        return ["chroot", f"--userspec={self.image.user}", root, *self.image.entrypoint, *arguments]

    def test_it_serves_as_the_charts_pod_does(self):
        """Protects the whole: with the chart's arguments and mounts, as uid 65532 on a read-only root, a review is judged."""
        port, health_port = free_ports(2)
        args, places = container_of_the_chart(port, health_port)
        certificate = harness.Certificate()
        mounts = self.config_map_and_secret(places, certificate)
        with self.read_only_root(mounts) as root:
            with self.assertRaises(OSError):
                (root / "written").write_text("")
            server = subprocess.Popen(self.as_user(root, *args), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                wait_until(lambda: server.poll() is not None or self.health(health_port) == 200, what="/readyz")
                self.assertIsNone(server.poll(), server.stderr.read() if server.poll() is not None else "")
                self.assertEqual(self.ids(server.pid), {"Uid": {"65532"}, "Gid": {"65532"}, "Groups": {"65532"}})
                self.judges(port, certificate)
            finally:
                server.terminate()
                told = server.communicate(timeout=60)[1]
        self.assertEqual(server.returncode, 0, told)

    def config_map_and_secret(self, places, certificate):
        """The chart's two mounts, the Secret readable by the group alone, as the pod's fsGroup has it."""
        policy, secret = (pathlib.Path(tempfile.mkdtemp(dir=self.directory)) for _ in range(2))
        (policy / "policy.yaml").write_text(POLICY)
        shutil.copy(certificate.certificate, secret / "tls.crt")
        shutil.copy(certificate.key, secret / "tls.key")
        for directory in policy, secret:
            directory.chmod(0o755)
        for file in secret.iterdir():
            os.chown(file, 0, 65532)
            file.chmod(0o440)
        by_name = {"policy": policy, "certificate": secret}
        return {place: by_name[pathlib.PurePosixPath(place).name] for place in places}

    def health(self, port):
        try:
            with wire.Connection(port) as connection:
                return connection.get("/readyz").status
        except (OSError, wire.Closed):
            return None

    def ids(self, pid):
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
        return {name: set(re.search(rf"^{name}:(.*)$", text, re.MULTILINE).group(1).split()) for name in ("Uid", "Gid", "Groups")}

    def judges(self, port, certificate):
        with wire.Connection(port, context=certificate.client_context()) as connection:
            for story, allowed in ("create-plain", True), ("edit-ssa", False), ("configmap-last-applied-222k", None):
                body = harness.review(story)
                harness.assert_verdict(self, connection.review(body, "/validate?timeout=5s"), body, allowed)


if __name__ == "__main__":
    in_a_mount_namespace_of_its_own()
    main()
