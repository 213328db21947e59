"""elf.py: the libraries that a program for any processor loads, from a sysroot of Debian's packages."""

import functools
import re
import subprocess

from facts import TRIPLES, sysroot


def needed(file):
    shown = subprocess.run(["readelf", "--wide", "--dynamic", file], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", shown)


def interpreter(program):
    shown = subprocess.run(["readelf", "--wide", "--program-headers", program], check=True, capture_output=True, text=True).stdout
    return re.search(r"interpreter: (/[^\]]+)\]", shown)[1]


def find(name, architecture):
    """The path of a library from the root, where the loader finds it."""
    for folder in "lib", "usr/lib":
        path = f"{folder}/{TRIPLES[architecture]}/{name}"
        if (sysroot(architecture) / path).exists():
            return path
    raise SystemExit(f"release: {name} is in no package of {sysroot(architecture)}")


def libraries(program, architecture):
    """The paths from the root of the libraries that the loader maps, those of libraries as well."""
    found, names = set(), needed(program)
    while names:
        path = find(names.pop(), architecture)
        if path not in found:
            found.add(path)
            names += needed(sysroot(architecture) / path)
    return sorted(found)


@functools.cache
def owners(architecture):
    """The package of each file."""
    lists = (sysroot(architecture) / "var/lib/dpkg/info").glob("*.list")
    return {line: listed.stem for listed in lists for line in listed.read_text().splitlines()}


def package_of(path, architecture):
    return owners(architecture)[f"/{path}"]


def fields(package, architecture):
    """The control fields of a package."""
    text = (sysroot(architecture) / "var/lib/dpkg/status.d" / package).read_text()
    return dict(re.findall(r"^([A-Za-z-]+): (.*)$", text, re.MULTILINE))


def copyright_of(package, architecture):
    return sysroot(architecture) / "usr/share/doc" / package / "copyright"
