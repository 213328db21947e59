#!/usr/bin/env python3
"""Writes the SBOM of a program as SPDX 2.3 JSON: the Debian packages of all libraries that the loader maps for it, and of
the start files that are linked into it, with versions and licences.

    cmake/sbom.py PROGRAM --version VERSION --compiler CC --output FILE

What depends on nothing but the program and the installed packages gives the same bytes each time. The one time in it is
SOURCE_DATE_EPOCH, or else that of the last commit, or 1970 without either.
"""
import argparse
import datetime
import functools
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import urllib.parse
import uuid

NAME = "applyguard"
START_FILES = ("Scrt1.o", "crti.o", "crtbeginS.o", "crtendS.o", "crtn.o")
# Debian's short names of licences and SPDX's, where they differ by more than the case. The GPL's have a rule.
LICENSES = {
    "apache-2": "Apache-2.0", "apache-2.0": "Apache-2.0", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause",
    "bsd-4-clause": "BSD-4-Clause", "bsl-1.0": "BSL-1.0", "curl": "curl", "expat": "MIT", "fsfap": "FSFAP", "isc": "ISC",
    "mit": "MIT", "mpl-2.0": "MPL-2.0", "openldap-2.8": "OLDAP-2.8", "zlib": "Zlib"}
GPL = re.compile(r"(A?GPL|LGPL)-(\d)(\.\d)?(\.0)?(\+)?$")


def fail(message):
    sys.exit(f"sbom: {message}")


def run(*command):
    """The command's output, or None if it failed or is not installed."""
    if not shutil.which(command[0]):
        return None
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return done.stdout if done.returncode == 0 else None


def spdx_name(*parts):
    """With the letters that identifiers may have."""
    return re.sub("[^A-Za-z0-9.]+", "-", "-".join(parts)).strip("-")


# Files and their packages


def mapped_libraries(program):
    """The loader's own answer, so that it has the libraries of libraries as well."""
    listed = run("ldd", program) or fail(f"ldd cannot read {program}")
    missing = re.findall(r"^\s*(\S+) => not found", listed, re.MULTILINE)
    if missing:
        fail(f"not installed: {', '.join(missing)}")
    return sorted(set(re.findall(r"(/\S+) \(0x", listed)))


def needed(file):
    """The names by which it asks for libraries."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--wide", "--dynamic", file) or "")


def names_of(file):
    """/lib is a link to /usr/lib, and dpkg knows a file by one of these names alone."""
    real = os.path.realpath(file)
    return real, real.removeprefix("/usr"), f"/usr{real}"


def packages_of(files):
    """The package of each file. dpkg-query reads its whole database each time, so it is asked once; it also fails if it does not
    know one of the names."""
    if not shutil.which("dpkg-query"):
        fail("only Debian's dpkg-query knows the packages of libraries")
    names = sorted({name for file in files for name in names_of(file)})
    found = subprocess.run(["dpkg-query", "--search", *names], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    owners = {}
    for line in found.stdout.splitlines():
        packages, _, name = line.rpartition(": ")
        owners[name] = packages.split(",")[0]
    return {file: next((owners[name] for name in names_of(file) if name in owners), None)
            or fail(f"{file} is of no installed Debian package") for file in files}


# Licences


def paragraphs(text):
    """Those of a copyright file in Debian's machine-readable form: each the texts of its fields, by their names."""
    for paragraph in re.split(r"\n\s*\n", text):
        fields = re.split(r"^([A-Za-z-]+):", paragraph, flags=re.MULTILINE)[1:]
        yield {name.lower(): value.strip() for name, value in zip(fields[::2], fields[1::2])}


class Licenses:
    """The license of a source package: an SPDX expression, and the texts of licenses that SPDX has no name for."""

    def __init__(self, source, text):
        self.source, self.whole, self.texts, self.extracted = source, text, {}, {}
        if not re.match(r"Format(-Specification)?:", text):
            self.expression = self.reference("copyright")
            return
        found = list(paragraphs(text))
        for license in (each["license"] for each in found if "license" in each):
            name, _, body = license.partition("\n")
            if body:
                self.texts.setdefault(name.strip().lower(), body)
        # Files under debian/ build the package, and are not in it.
        stated = {each["license"].partition("\n")[0].strip() for each in found
                  if "license" in each and "files" in each and not each["files"].startswith("debian/")}
        parts = {part for each in sorted(stated) for part in self.parts(each)}
        self.expression = " AND ".join(sorted(parts)) or self.reference("copyright")

    def parts(self, stated):
        """Licenses that hold at the same time."""
        words = re.split(r",?\s+(and|or)\s+", stated.lower())
        words[::2] = (self.license(each.strip(" ,")) for each in words[::2])
        if "or" not in words:
            return words[::2]
        return [f"({' '.join(word.upper() if index % 2 else word for index, word in enumerate(words))})"]

    def license(self, name):
        gpl = GPL.match(name.upper())
        if gpl:
            kind, major, minor, _, later = gpl.groups()
            return f"{kind}-{major}{minor or '.0'}-{'or-later' if later else 'only'}"
        return LICENSES.get(name) or self.reference(name)

    def reference(self, name):
        identifier = spdx_name("LicenseRef", self.source, name)
        self.extracted[identifier] = {
            "licenseId": identifier, "name": name, "extractedText": self.texts.get(name, self.whole).strip()}
        return identifier


# The document


def identifier(package):
    return spdx_name("SPDXRef-Package", package)


def described(package):
    """A package as dpkg and its copyright file describe it; and the texts of licences that SPDX has no name for."""
    form = "\t".join(f"${{{field}}}" for field in ("Package", "Version", "Architecture", "Homepage", "source:Package"))
    name, version, architecture, homepage, source = run("dpkg-query", "--show", f"--showformat={form}", package).split("\t")
    copyright = pathlib.Path("/usr/share/doc", name, "copyright")
    if not copyright.exists():
        fail(f"{copyright} is missing: this machine was told to leave out what packages document")
    licenses = Licenses(source, copyright.read_text(errors="replace"))
    vendor, release = distribution()
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "supplier": f"Organization: {vendor.capitalize()}",
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, **({"homepage": homepage} if homepage else {}),
        "licenseConcluded": "NOASSERTION", "licenseDeclared": licenses.expression, "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "LIBRARY",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/{vendor}/{name}@{urllib.parse.quote(version, safe='~')}"
                                f"?arch={architecture}&distro={vendor}-{release}"}],
    }, licenses.extracted


def distribution():
    release = platform.freedesktop_os_release()
    return release["ID"], release.get("VERSION_ID", "unstable")


def program_package(program, version):
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    return {
        "SPDXID": identifier(NAME), "name": NAME, "versionInfo": version, "packageFileName": program.name,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}


def relationships(program, libraries, start_files):
    """Which package links which."""
    package = packages_of([*libraries, *start_files])
    name_of = {os.path.basename(file): package[file].split(":")[0] for file in libraries}
    links = {(NAME, "DYNAMIC_LINK", name_of[name]) for name in needed(program)}
    for file in libraries:
        links |= {(name_of[os.path.basename(file)], "DYNAMIC_LINK", name_of[name]) for name in needed(file)}
    links |= {(NAME, "STATIC_LINK", package[file].split(":")[0]) for file in start_files}
    found = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": identifier(NAME)}]
    found += [{"spdxElementId": identifier(one), "relationshipType": kind, "relatedSpdxElement": identifier(other)}
              for one, kind, other in sorted(links) if one != other]
    return found, sorted(set(package.values()))


def created():
    committed = run("git", "-C", pathlib.Path(__file__).parent, "log", "-1", "--format=%ct")
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or committed or 0)
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def document(program, version, compiler):
    start_files = [(run(compiler, f"-print-file-name={name}") or "").strip() for name in START_FILES]
    links, names = relationships(program, mapped_libraries(program), [file for file in start_files if "/" in file])
    packages, extracted = zip(*map(described, names))
    content = {
        "packages": [program_package(program, version), *packages],
        "hasExtractedLicensingInfos": list(functools.reduce(dict.__or__, extracted).values()),
        "relationships": links}
    # Another content is another document.
    content_id = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{NAME}-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{NAME}-{version}-{content_id}",
        "creationInfo": {"created": created(), "creators": [f"Tool: {NAME}-sbom"]}, **content}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    for flag in ("--version", "--compiler", "--output"):
        parser.add_argument(flag, required=True)
    options = parser.parse_args()
    text = json.dumps(document(options.program, options.version, options.compiler), indent=2)
    pathlib.Path(options.output).write_text(text + "\n")


if __name__ == "__main__":
    main()
