#!/usr/bin/env python3
"""Packs the program for Krew, the plugin manager of kubectl, and writes the manifest of the plugin.

    cmake/krew.py --version VERSION --url URL --homepage URL --output FOLDER OS/ARCH=PROGRAM...

Writes applyguard-OS-ARCH.tar.gz for each PROGRAM, and applyguard.yaml, which expects the archives at URL/NAME. The same
programs make the same bytes. To try it: kubectl krew install --manifest=applyguard.yaml --archive=applyguard-OS-ARCH.tar.gz
"""
import argparse
import gzip
import hashlib
import io
import pathlib
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

MANIFEST = """\
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: applyguard
spec:
  version: v{version}
  homepage: {homepage}
  shortDescription: Check apply hygiene of objects and reviews
  description: |
    Finds what breaks the next apply: fields that several tools own, a last-applied
    annotation that is lost or too large, values that a default replaces. Judges
    recorded AdmissionReviews by the rules of the admission webhook applyguard,
    checks its policies, and explains its rules.
  platforms:
"""

PLATFORM = """\
  - selector:
      matchLabels: {{os: {os}, arch: {arch}}}
    uri: {url}/{name}
    sha256: {sha256}
    bin: applyguard
    files:
    - {{from: applyguard, to: .}}
    - {{from: LICENSE, to: .}}
"""


def archive(program):
    """The bytes of a .tar.gz without times and owners."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as stream, tarfile.open(fileobj=stream, mode="w") as tar:
        for name, path, mode in (("applyguard", program, 0o755), ("LICENSE", ROOT / "LICENSE", 0o644)):
            content = path.read_bytes()
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for flag in ("version", "url", "homepage"):
        parser.add_argument(f"--{flag}", required=True)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("programs", nargs="+", metavar="OS/ARCH=PROGRAM")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    manifest = MANIFEST.format(version=given.version, homepage=given.homepage)
    for program in given.programs:
        platform, _, path = program.partition("=")
        system, _, processor = platform.partition("/")
        if not (system and processor and path):
            parser.error(f"{program} is not OS/ARCH=PROGRAM")
        name = f"applyguard-{system}-{processor}.tar.gz"
        content = archive(pathlib.Path(path))
        (given.output / name).write_bytes(content)
        manifest += PLATFORM.format(os=system, arch=processor, url=given.url.rstrip("/"), name=name,
                                    sha256=hashlib.sha256(content).hexdigest())
    (given.output / "applyguard.yaml").write_text(manifest)


if __name__ == "__main__":
    main()
