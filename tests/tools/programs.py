"""programs.py: the tools of the bench, each built once from what is pinned in programs/TOOL.

A folder there pins a tool by a `tool` line of its go.mod, or holds a small program that drives a library; or it lists
Python packages in requirements.txt. Builds are cached by the folder's content, so that a machine builds each once.

    programs.py [TOOL...]        builds them, all if none is named, and prints their paths
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "programs"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "applyguard" / "tools"
# The API server names a manager after the client's program, where the client gives no name.
NAMES = {"argocd": "argocd-application-controller"}
ENVIRONMENT = {**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"}


@functools.cache
def program(tool):
    """The path of the tool's program, which is built if need be."""
    folder = CACHE / f"{tool}-{_fingerprint(tool)}"
    path = folder / NAMES.get(tool, tool)
    if not os.access(path, os.X_OK):
        folder.mkdir(parents=True, exist_ok=True)
        print(f"building {tool}; the next run finds it in {folder}", file=sys.stderr, flush=True)
        _build(tool, path)
    return path


def python(tool):
    """The Python that has the tool's packages; they are installed if need be."""
    folder = CACHE / f"{tool}-{_fingerprint(tool)}"
    path, done = folder / "bin" / "python", folder / "installed"
    if not done.exists():
        print(f"installing {tool}; the next run finds it in {folder}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([path, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check",
                        "--requirement", HERE / tool / "requirements.txt"], check=True)
        done.touch()
    return path


def _build(tool, path):
    # Built next to its place and then renamed: an interrupted build leaves no half program under the name.
    with tempfile.TemporaryDirectory(dir=path.parent) as unfinished:
        built = pathlib.Path(unfinished) / path.name
        subprocess.run(
            ["go", "build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", built, _package(tool)],
            cwd=HERE / tool, env=ENVIRONMENT, check=True)
        built.rename(path)


def _package(tool):
    """The package in the folder's `tool` line, else the program in the folder."""
    return _tool_line(tool) or "."


def _tool_line(tool):
    named = re.search(r"^tool (\S+)$", (HERE / tool / "go.mod").read_text(), re.MULTILINE)
    return named and named.group(1)


def _fingerprint(tool):
    """The sum of all that the program is built from."""
    digest = hashlib.sha256()
    for file in sorted((HERE / tool).iterdir()):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


@functools.cache
def sources(tool, module):
    """The folder with the sources of a module that the tool's folder pins: manifests of its custom resources lie there."""
    downloaded = subprocess.run(
        ["go", "mod", "download", "-json", module], cwd=HERE / tool, check=True, stdout=subprocess.PIPE, text=True,
        env=ENVIRONMENT)
    return pathlib.Path(json.loads(downloaded.stdout)["Dir"])


def build(tool):
    """The path of the module that the folder pins; None if that is only sources."""
    if (HERE / tool / "requirements.txt").exists():
        return python(tool)
    return program(tool) if (HERE / tool / "main.go").exists() or _tool_line(tool) else None


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(folder.name for folder in HERE.iterdir()):
        print(build(name) or f"{name}: sources alone")
