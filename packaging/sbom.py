"""sbom.py: one SBOM of the whole release, as SPDX 2.3 and as CycloneDX 1.5: each artifact, and the libraries that it has in it or
loads, with versions and licences."""

import datetime
import functools
import importlib.util
import json
import urllib.parse
import uuid

import elf
import image
from facts import ARCHITECTURES, ROOT, SUMMARY, VERSION, epoch

# cmake/sbom.py, which reads the licences of Debian's packages for the SBOM of one program.
_specification = importlib.util.spec_from_file_location("program_sbom", ROOT / "cmake/sbom.py")
program_sbom = importlib.util.module_from_spec(_specification)
_specification.loader.exec_module(program_sbom)

# Debian's packages whose static libraries are in the program for Linux, and the sources of the same that macOS has.
STATIC = ("libc6-dev", "libyaml-dev", "zlib1g-dev", "libzstd-dev", "libyyjson-dev")
STATIC_OF_MACOS = STATIC[1:]


def packages_of(name):
    """The architecture, and the packages whose code is in the artifact, or is loaded by it."""
    architecture = "arm64" if "arm64" in name else "amd64"
    if name.startswith("applyguard-server"):
        return architecture, image.packages(architecture)
    if name.endswith((".tar.gz", ".deb")):
        return architecture, STATIC_OF_MACOS if "darwin" in name else STATIC
    return architecture, ()


def parts(sums):
    """Each artifact: (name, sum, [(architecture, package)…])."""
    found = []
    for name, digest in sums.items():
        if name == "applyguard-image.tar":
            contents = [(architecture, package) for architecture in ARCHITECTURES for package in image.packages(architecture)]
        else:
            architecture, names = packages_of(name)
            contents = [(architecture, package) for package in names]
        found.append((name, digest, contents))
    return found


@functools.cache
def described(architecture, package):
    """Name, version, licence expression, texts of licences without a name in SPDX, purl."""
    fields = elf.fields(package, architecture)
    source = fields.get("Source", package).split()[0]
    licenses = program_sbom.Licenses(source, elf.copyright_of(package, architecture).read_text(errors="replace"))
    purl = (f"pkg:deb/debian/{package}@{urllib.parse.quote(fields['Version'], safe='~')}?arch={architecture}"
            f"&distro=debian-12")
    return {"name": package, "version": fields["Version"], "license": licenses.expression, "texts": licenses.extracted, "purl": purl,
            "architecture": architecture}


def created():
    return datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def dependencies(found):
    return [described(*each) for each in sorted({each for _, _, contents in found for each in contents})]


def spdx_artifact(name, digest):
    return {"SPDXID": program_sbom.spdx_name("SPDXRef-Artifact", name), "name": name, "versionInfo": VERSION, "packageFileName": name,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
            "copyrightText": "NOASSERTION", "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}


def spdx_identifier(part):
    return program_sbom.spdx_name("SPDXRef-Package", part["name"], part["architecture"])


def spdx_package(part):
    return {"SPDXID": spdx_identifier(part), "name": part["name"], "versionInfo": part["version"], "supplier": "Organization: Debian",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": part["license"], "copyrightText": "NOASSERTION", "primaryPackagePurpose": "LIBRARY",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part["purl"]}]}


def spdx(found):
    libraries = dependencies(found)
    links = [("SPDXRef-DOCUMENT", "DESCRIBES", spdx_artifact(name, digest)["SPDXID"]) for name, digest, _ in found]
    links += [(spdx_artifact(name, digest)["SPDXID"], "DEPENDS_ON", spdx_identifier(described(*each)))
              for name, digest, contents in found for each in contents]
    content = {
        "packages": [*(spdx_artifact(name, digest) for name, digest, _ in found), *map(spdx_package, libraries)],
        "hasExtractedLicensingInfos": list({name: text for part in libraries for name, text in part["texts"].items()}.values()),
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in links]}
    content_id = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"applyguard-{VERSION}",
        "documentNamespace": f"https://spdx.org/spdxdocs/applyguard-{VERSION}-{content_id}",
        "creationInfo": {"created": created(), "creators": ["Tool: applyguard-release"]}, **content}


def cyclonedx_component(part):
    """CycloneDX takes no expression with names that SPDX does not have: these are names."""
    known = "LicenseRef" not in part["license"]
    return {"type": "library", "bom-ref": part["purl"], "name": part["name"], "version": part["version"], "purl": part["purl"],
            "supplier": {"name": "Debian"},
            "licenses": [{"expression": part["license"]} if known else {"license": {"name": part["license"]}}]}


def cyclonedx(found):
    artifacts = [{"type": "file", "bom-ref": name, "name": name, "version": VERSION, "licenses": [{"license": {"id": "Apache-2.0"}}],
                  "hashes": [{"alg": "SHA-256", "content": digest}]} for name, digest, _ in found]
    links = [{"ref": name, "dependsOn": sorted(described(*each)["purl"] for each in contents)} for name, _, contents in found]
    content = {
        "metadata": {"timestamp": created(), "component": {
            "type": "application", "bom-ref": "applyguard", "name": "applyguard", "version": VERSION, "description": SUMMARY}},
        "components": [*artifacts, *map(cyclonedx_component, dependencies(found))],
        "dependencies": [{"ref": "applyguard", "dependsOn": [name for name, _, _ in found]}, *links]}
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1, **content}
