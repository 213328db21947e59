"""debian.py: packages for Debian: the command line alone, and the server with its unit of systemd.

applyguard is the static program, and runs on any Debian or Ubuntu. applyguard-server is for Debian 12, whose libh2o-evloop it loads.
"""

import gzip
import os
import shutil
import subprocess
import tempfile
import pathlib

import archive
import elf
from facts import BUILT, ROOT, VERSION, epoch
import where

PACKAGING = ROOT / "packaging"
DESCRIPTION = {
    "applyguard": """see and check who owns which field of Kubernetes objects
 The command line of applyguard: check, blame, explain, preview, migrate, replay,
 scan and policy test. It is one static program, and reaches clusters through kubectl.""",
    "applyguard-server": """Kubernetes admission webhook for apply hygiene
 The whole of applyguard, with the admission webhook as a unit of systemd: for the
 host of a control plane, or any host that the API server reaches.""",
}


def control(package, architecture, size, more=""):
    return (f"Package: {package}\nVersion: {VERSION}\nArchitecture: {architecture}\nMaintainer: applyguard <{where.get('CONTACT')}>\n"
            f"Installed-Size: {size // 1024}\nSection: admin\nPriority: optional\nHomepage: {where.get('REPOSITORY')}\n"
            f"{more}Description: {DESCRIPTION[package]}\n")


def files_of_command_line(package, program):
    files = {f"usr/{name}": (path.read_bytes(), mode) for name, path, mode in (
        ("bin/applyguard", program, 0o755),
        ("bin/kubectl_complete-applyguard", ROOT / "cli/completion/kubectl_complete-applyguard", 0o755),
        ("share/bash-completion/completions/applyguard", ROOT / "cli/completion/applyguard.bash", 0o644),
        ("share/zsh/vendor-completions/_applyguard", ROOT / "cli/completion/applyguard.zsh", 0o644),
        ("share/fish/vendor_completions.d/applyguard.fish", ROOT / "cli/completion/applyguard.fish", 0o644),
        (f"share/doc/{package}/copyright", PACKAGING / "debian/copyright", 0o644))}
    files["usr/share/man/man1/applyguard.1.gz"] = gzip.compress((program.parent / "applyguard.1").read_bytes(), 9, mtime=0), 0o644
    return files


def files_of_server():
    return {name: ((PACKAGING / path).read_bytes(), 0o644) for name, path in (
        ("lib/systemd/system/applyguard.service", "systemd/applyguard.service"),
        ("usr/lib/sysusers.d/applyguard.conf", "systemd/applyguard.sysusers"),
        ("etc/default/applyguard", "systemd/applyguard.default"),
        ("etc/applyguard/policy.yaml", "systemd/policy.yaml"))}


def dependencies(program, architecture):
    """The packages of the libraries that the program itself asks for; glibc at least as new as the one it was linked with."""
    packages = sorted({elf.package_of(elf.find(name, architecture), architecture) for name in elf.needed(program)} - {"libc6"})
    glibc = elf.fields("libc6", architecture)["Version"].split("-")[0]
    return f"libc6 (>= {glibc}), {', '.join(packages)}"


def build(folder, package, architecture, files, more="", scripts=()):
    """Writes PACKAGE_VERSION_ARCHITECTURE.deb."""
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "root"
        size = sum(len(content) for content, _ in files.values())
        configuration = "".join(f"/{name}\n" for name in sorted(files) if name.startswith("etc/"))
        files = {**files, "DEBIAN/control": (control(package, architecture, size, more).encode(), 0o644)}
        if configuration:
            files["DEBIAN/conffiles"] = configuration.encode(), 0o644
        for script in scripts:
            files[f"DEBIAN/{script}"] = (PACKAGING / "debian" / script).read_bytes(), 0o755
        archive.unpack(root, files)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", root, folder / f"{package}_{VERSION}_{architecture}.deb"],
                       check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch())})
        shutil.rmtree(root)


def write_command_line(folder, architecture):
    files = files_of_command_line("applyguard", BUILT / f"linux-{architecture}/applyguard")
    build(folder, "applyguard", architecture, files)


def write_server(folder, architecture):
    program = BUILT / f"server-{architecture}/applyguard"
    more = (f"Depends: {dependencies(program, architecture)}\nProvides: applyguard\nConflicts: applyguard\nReplaces: applyguard\n")
    build(folder, "applyguard-server", architecture, {**files_of_command_line("applyguard-server", program), **files_of_server()},
          more, scripts=("postinst", "prerm", "postrm"))
