#!/usr/bin/env python3
"""Reads cmake/where.cmake: the addresses of the repository, the site and the registry.

    cmake/where.py            print the values that are still empty, and the files that have their placeholders
    cmake/where.py --write    replace the placeholders in these files by the values that are set
    cmake/where.py --get NAME print one value, or its placeholder while it is empty, such as --get REPOSITORY
    cmake/where.py --require NAME...
                              fail if one of these values is empty, or if a file still has its placeholder
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "cmake/where.cmake"
# None is a part of another, so that they can be replaced in any order.
PLACEHOLDERS = {
    "OWNER": "example-owner",
    "REPOSITORY": "https://example.com/repository",
    "SITE": "https://example.com/site/",
    "REGISTRY": "registry.example.com/path",
    "CONTACT": "maintainers@example.com",
    "SIGN_KEY": "0000000000000000000000000000000000000000",
}
# Where placeholders may be. A folder counts with all its files.
USERS = (".github", ".krew.yaml", ".pre-commit-hooks.yaml", "SECURITY-INSIGHTS.yml", "SUPPORT.md", "action.yml", "artifacthub-repo.yml",
         "charts", "docs", "packaging", "README.md", "CONTRIBUTING.md", "SECURITY.md", "mkdocs.yml")


def values(table=TABLE):
    """Each name's value; an empty text where it is not set yet."""
    return dict(re.findall(r'^set\(APPLYGUARD_([A-Z_]+) "([^"]*)"', table.read_text(), re.MULTILINE))


def get(name):
    return values()[name] or PLACEHOLDERS[name]


def filled(text, found):
    """The text with the values in the place of their placeholders."""
    for name, value in found.items():
        if value:
            text = text.replace(PLACEHOLDERS[name], value)
    return text


def users(root=ROOT):
    """The text files that may have placeholders, in order."""
    for user in map(root.joinpath, USERS):
        for path in sorted(user.rglob("*")) if user.is_dir() else [user]:
            if path.is_file() and path.suffix not in (".png", ".tgz", ".gz"):
                yield path


def waiting(name, root=ROOT):
    """The files that have this placeholder."""
    return [str(path.relative_to(root)) for path in users(root) if PLACEHOLDERS[name] in path.read_text()]


def still_empty(root=ROOT):
    """A line for each value that is not set, with the files that wait for it."""
    return [f"APPLYGUARD_{name}: {', '.join(waiting(name, root)) or 'no file'}" for name, value in values().items() if not value]


def write(root=ROOT):
    found = values()
    for path in users(root):
        text = path.read_text()
        if filled(text, found) != text:
            path.write_text(filled(text, found))
            print(path.relative_to(root))


def missing(names, root=ROOT):
    """A sentence for each value that a release needs, and that is not there or not written yet."""
    found = values()
    return [f"APPLYGUARD_{name} is empty: set it in cmake/where.cmake" for name in names if not found[name]] + [
        f"{path} has a placeholder: run cmake/where.py --write" for name in names if found[name] for path in waiting(name, root)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--get", choices=PLACEHOLDERS)
    parser.add_argument("--require", choices=PLACEHOLDERS, nargs="+", default=[])
    options = parser.parse_args()
    if options.get:
        print(get(options.get))
    elif options.write:
        write()
    elif options.require:
        sys.exit("\n".join(missing(options.require)))
    else:
        print("\n".join(still_empty()))


if __name__ == "__main__":
    main()
