"""provenance.py: the statement of in-toto, as SLSA v1 has it, of the sources that the files of a release were built from. It has no
times and no name of a machine, so the same commit makes the same bytes."""

import os

import where
from facts import ROOT, VERSION, commit

# The workflow names itself here; else a person built it.
BUILDER = "APPLYGUARD_BUILDER"


def tools():
    """zig comes from PyPI, by its sum; all else is Debian's, and is in the SBOM."""
    name, _, digest = (ROOT / "packaging/zig-requirements.txt").read_text().strip().partition(" --hash=sha256:")
    package, _, version = name.partition("==")
    return [{"uri": f"pkg:pypi/{package}@{version}", "digest": {"sha256": digest}}]


def statement(sums):
    repository, revision = where.get("REPOSITORY"), commit()
    source = {"uri": f"git+{repository}@refs/tags/v{VERSION}", **({"digest": {"gitCommit": revision}} if revision else {})}
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in sums.items()],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{repository}/blob/v{VERSION}/packaging/README.md",
                "externalParameters": {"source": source["uri"], "command": "./dev release"},
                "internalParameters": {},
                "resolvedDependencies": [source, *tools()],
            },
            "runDetails": {"builder": {"id": os.environ.get(BUILDER) or f"{repository}/blob/v{VERSION}/packaging/release.py"}},
        },
    }
