"""facts.py: the version, the time and the places of a release."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "cmake"))
BUILT = ROOT / "build/release"
ARCHITECTURES = ("amd64", "arm64")
PLATFORMS = tuple(f"{system}-{architecture}" for system in ("linux", "darwin") for architecture in ARCHITECTURES)
TRIPLES = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}
SUMMARY = "A Kubernetes admission webhook for apply hygiene"
VERSION = re.search(r"^project\(applyguard VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def git(*arguments):
    """What git prints, or an empty text where there is no repository."""
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    """Empty for a checkout with changes: a commit says nothing about it."""
    if "APPLYGUARD_COMMIT" in os.environ:
        return os.environ["APPLYGUARD_COMMIT"]
    return "" if git("status", "--porcelain", "--untracked-files=no") else git("rev-parse", "HEAD")


def epoch():
    """Seconds since 1970: the time of all files in the release. Some tools refuse files that are older than 1980."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct") or 315532800)


def sysroot(architecture):
    return ROOT / f"build/sysroot-{architecture}"
