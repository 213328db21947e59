"""helm.py: Helm 3 and Helm 4, and the chart as they render it."""

import functools
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "server"))

from harness import temporary_directory

CHART = HERE.parents[1] / "charts" / "applyguard"
NAMESPACE = "applyguard-system"
RELEASE = "guard"
# Without an image of their own the chart's values are refused.
IMAGE = "--set=image.repository=registry.test/applyguard"


@functools.cache
def helm_program(major):
    """The path of Helm 3 or 4, which is built if need be."""
    return subprocess.run([HERE / "tools/helm", str(major)], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=180, **options)


def render(major, *arguments, release=RELEASE, chart=CHART, image=(IMAGE,), **options):
    """helm template, which needs no cluster."""
    return run([helm_program(major), "template", release, chart, "--namespace", NAMESPACE, *image, *arguments], **options)


def chart_with_values(values, template=None):
    """A copy of the chart that has these values and no others; or with this one template only."""
    copy = temporary_directory() / CHART.name
    shutil.copytree(CHART, copy)
    (copy / "values.yaml").write_text(json.dumps(values))
    if template:
        for file in (copy / "templates").rglob("*.*"):
            if file.is_file() and file.suffix != ".tpl":
                file.unlink()
        (copy / "templates/only.yaml").write_text(template)
    return copy


@functools.cache
def chart_values():
    """The content of values.yaml, as Helm reads it."""
    chart = chart_with_values({}, "{{ toJson .Values }}")
    shutil.copy(CHART / "values.yaml", chart)
    return only_document(render(4, chart=chart, image=()))


def only_document(done):
    """The values of a chart whose only template renders JSON."""
    return json.loads(done.stdout[done.stdout.index("{"):])


def helm_environment(plane):
    """Helm for a control plane; nothing of the user's own Helm takes part."""
    home = plane.directory / "helm"
    return {**plane.kubectl_environment(), **{
        f"HELM_{what}_HOME": str(home / what.lower()) for what in ("CACHE", "CONFIG", "DATA")}}
