"""kubernetes.py: the programs of a Kubernetes control plane, built once from the modules pinned here.

Each folder kubernetes-MINOR pins one version; those in ahead/ are for who asks for them alone. Builds are cached by version, so
that a machine builds each once.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
AHEAD = HERE / "ahead"
PROGRAMS = {
    "etcd": "go.etcd.io/etcd/server/v3",
    "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
    "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
    "kubectl": "k8s.io/kubernetes/cmd/kubectl",
}


def pinned_minors(folder=HERE):
    """The versions that the folder pins, the oldest first: ["1.33", "1.36"]."""
    minors = [path.parent.name.removeprefix("kubernetes-") for path in folder.glob("kubernetes-*/go.mod")]
    return sorted(minors, key=lambda minor: [int(number) for number in minor.split(".")])


def chosen_minor():
    """The version in the environment variable KUBERNETES, else the newest that is not ahead."""
    minors = pinned_minors()
    minor = os.environ.get("KUBERNETES") or minors[-1]
    minors += pinned_minors(AHEAD)
    if minor not in minors:
        sys.exit(f"KUBERNETES={minor}: there is {', '.join(minors)}")
    return minor


def module_of(minor):
    return (AHEAD if minor in pinned_minors(AHEAD) else HERE) / f"kubernetes-{minor}"


def version_of(minor):
    """The full version that the folder pins: "1.36.3"."""
    pins = (module_of(minor) / "go.mod").read_text()
    return re.search(r"^\s*(?:require )?k8s\.io/kubernetes v(\S+)$", pins, re.MULTILINE).group(1)


def cache_of(version):
    caches = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return caches / "applyguard" / f"kubernetes-{version}"


def programs():
    """The folder with the programs of the chosen version; missing ones are built."""
    minor = chosen_minor()
    cache = cache_of(version_of(minor))
    missing = [name for name in PROGRAMS if not os.access(cache / name, os.X_OK)]
    if missing:
        cache.mkdir(parents=True, exist_ok=True)
        _build(missing, minor, cache)
    return cache


def _build(names, minor, cache):
    """All at once: while one is linked, which takes one processor, others are compiled."""
    print(f"building {', '.join(names)} {version_of(minor)}; the next run finds them in {cache}", file=sys.stderr, flush=True)
    # Built next to their place and then renamed: an interrupted build leaves no half program under a name.
    with tempfile.TemporaryDirectory(dir=cache) as unfinished:
        subprocess.run(
            ["go", "build", "-mod=readonly", "-trimpath", f"-ldflags={_linker_flags(version_of(minor))}", "-o", f"{unfinished}/",
             *(PROGRAMS[name] for name in names)],
            cwd=module_of(minor), env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"}, check=True)
        for name in names:
            (pathlib.Path(unfinished) / _name_by_go(PROGRAMS[name])).rename(cache / name)


def _name_by_go(package):
    """The last part of a package's path that is not a major version."""
    return re.sub(r"/v\d+$", "", package).rpartition("/")[2]


def _linker_flags(version):
    major, minor, _ = version.split(".", 2)
    stamps = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    return " ".join(["-s", "-w", *(f"-X k8s.io/component-base/version.{key}={text}" for key, text in stamps.items())])


def module_cache_folder(minor, module):
    """Where Go keeps the sources of a module that the folder pins."""
    listed = subprocess.run(
        ["go", "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", module], cwd=module_of(minor), check=True,
        capture_output=True, text=True, env={**os.environ, "GOWORK": "off"})
    return pathlib.Path(listed.stdout.strip())


if __name__ == "__main__":
    print(programs())
