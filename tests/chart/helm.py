"""helm.py: Helm 3 and Helm 4, and the chart as they render it."""

import functools
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
CHART = HERE.parents[1] / "charts" / "applyguard"
NAMESPACE = "applyguard-system"
RELEASE = "guard"


@functools.cache
def helm_program(major):
    """The path of Helm 3 or 4, which is built if need be."""
    return subprocess.run([HERE / "tools/helm", str(major)], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=180, **options)


def render(major, *arguments, release=RELEASE, **options):
    """helm template, which needs no cluster."""
    return run([helm_program(major), "template", release, CHART, "--namespace", NAMESPACE, *arguments], **options)


def helm_environment(plane):
    """Helm for a control plane; nothing of the user's own Helm takes part."""
    home = plane.directory / "helm"
    return {**plane.kubectl_environment(), **{
        f"HELM_{what}_HOME": str(home / what.lower()) for what in ("CACHE", "CONFIG", "DATA")}}
