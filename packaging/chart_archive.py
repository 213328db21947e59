"""chart_archive.py: the chart as a .tgz, as `helm package` would pack it, but with the same bytes each time."""

import fnmatch
import re

import archive
from facts import ROOT, VERSION

CHART = ROOT / "charts/applyguard"


def ignored(path):
    """By a line of .helmignore."""
    patterns = [line.rstrip("/") for line in (CHART / ".helmignore").read_text().split()]
    return any(fnmatch.fnmatch(part, pattern) for part in path.parts for pattern in patterns)


def write(path):
    declared = re.findall(r"^(?:version|appVersion): (\S+)|/applyguard:(\S+)$", (CHART / "Chart.yaml").read_text(), re.MULTILINE)
    declared = ["".join(each) for each in declared]
    if declared != 3 * [VERSION]:
        raise SystemExit(f"release: Chart.yaml has the versions {declared}, CMakeLists.txt has {VERSION}")
    files = [file for file in CHART.rglob("*") if file.is_file() and not ignored(file.relative_to(CHART))]
    archive.write(path, {f"applyguard/{file.relative_to(CHART)}": (file.read_bytes(), 0o644) for file in files})
