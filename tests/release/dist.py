"""dist.py: the release in dist/, as `./dev release` wrote it, and an image of it in a folder."""

import json
import os
import pathlib
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / folder) for folder in ("packaging", "tests/server")]

from facts import VERSION

DIST = ROOT / "dist"
ARCHITECTURES = ("amd64", "arm64")
PLATFORMS = [f"{system}-{architecture}" for system in ("linux", "darwin") for architecture in ARCHITECTURES]
# Starts a program for a processor; {root} is where its libraries are.
EMULATORS = {"amd64": [], "arm64": ["qemu-aarch64", "-L", "{root}"]}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120, **options)


def enter(root):
    """The beginning of a command that sees this root and nothing else."""
    return ["chroot", root] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot", root]


def unpack(archive, folder):
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")


class Image:
    """An image of the OCI archive, for one processor."""

    def __init__(self, layout, architecture):
        self.layout = layout
        [tagged] = self.read_json(layout / "index.json")["manifests"]
        self.tag = tagged["annotations"]["org.opencontainers.image.ref.name"]
        self.index = self.blob(tagged)
        [described] = [each for each in self.index["manifests"] if each["platform"] == {"architecture": architecture, "os": "linux"}]
        self.manifest = self.blob(described)
        self.configuration = self.blob(self.manifest["config"])

    @staticmethod
    def read_json(path):
        return json.loads(path.read_text())

    def path(self, described):
        return self.layout / "blobs" / described["digest"].replace(":", "/")

    def blob(self, described):
        return self.read_json(self.path(described))

    def unpack(self, root):
        for layer in self.manifest["layers"]:
            unpack(self.path(layer), root)
