#!/usr/bin/env python3
"""Writes a release into a folder, from the programs that packaging/build made: ./dev release.

    packaging/release.py [--output FOLDER]

The same commit makes the same bytes. The times of files are those of the commit, or SOURCE_DATE_EPOCH.
"""
import argparse
import hashlib
import json
import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

import archive
import chart_archive
import debian
import image
import plugins
import provenance
import sbom
from facts import ARCHITECTURES, BUILT, PLATFORMS, ROOT, VERSION


def pack_archives(folder):
    """The archive of each platform; their names have no version, so that an address of the newest can be written down."""
    for platform in PLATFORMS:
        archive.write(folder / f"applyguard-{platform}.tar.gz", archive.files_of_program(BUILT / platform / "applyguard"))


def sums(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def write_json(file, value):
    file.write_text(json.dumps(value, indent=2) + "\n")


def write_release(folder):
    pack_archives(folder)
    for architecture in ARCHITECTURES:
        debian.write_command_line(folder, architecture)
        debian.write_server(folder, architecture)
    chart_archive.write(folder / f"applyguard-{VERSION}.tgz")
    image.write(folder / "applyguard-image.tar")
    packed = sums(folder)
    (folder / "applyguard.krew.yaml").write_text(plugins.krew_manifest(VERSION, packed))
    (folder / "applyguard.rb").write_text(plugins.homebrew_formula(VERSION, packed))
    parts = sbom.parts(packed)
    write_json(folder / "applyguard.spdx.json", sbom.spdx(parts))
    write_json(folder / "applyguard.cdx.json", sbom.cyclonedx(parts))
    write_json(folder / "applyguard.intoto.json", provenance.statement(sums(folder)))
    listed = "".join(f"{digest}  {name}\n" for name, digest in sums(folder).items())
    (folder / "SHA256SUMS").write_text(listed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "dist")
    folder = parser.parse_args().output
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    write_release(folder)
    for file in sorted(folder.iterdir()):
        print(f"{file.stat().st_size:>10}  {file}")


if __name__ == "__main__":
    main()
