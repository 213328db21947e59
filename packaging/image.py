"""image.py: the image of the server as an OCI archive with an index for all processors, without a container engine or a registry.

buildah writes the image. Its root holds the program, the libraries that the program loads, their licences, and their control data,
by which scanners know their versions.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

import archive
import elf
import where
from facts import ARCHITECTURES, BUILT, ROOT, VERSION, commit, epoch, sysroot

PASSWD = "applyguard:x:65532:65532:applyguard:/:/nonexistent\n"
GROUP = "applyguard:x:65532:\n"


def contents(architecture):
    """The files of the image by their paths from the root: (content, mode)."""
    program = BUILT / f"server-{architecture}/applyguard"
    loaded = {*elf.libraries(program, architecture), elf.interpreter(program).lstrip("/")}
    files = {"usr/bin/applyguard": (program.read_bytes(), 0o755), "etc/passwd": (PASSWD.encode(), 0o644), "etc/group": (GROUP.encode(), 0o644)}
    for path in loaded:
        files[path] = (sysroot(architecture) / path).read_bytes(), 0o755
    for package in packages(architecture):
        files[f"var/lib/dpkg/status.d/{package}"] = (sysroot(architecture) / "var/lib/dpkg/status.d" / package).read_bytes(), 0o644
        files[f"usr/share/doc/{package}/copyright"] = elf.copyright_of(package, architecture).read_bytes(), 0o644
    return files


def packages(architecture):
    """Debian's packages that the image has files of."""
    program = BUILT / f"server-{architecture}/applyguard"
    return sorted({elf.package_of(path, architecture) for path in elf.libraries(program, architecture)})


def write(path):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="applyguard-image-"))
    try:
        shutil.copy(ROOT / "packaging/image/Containerfile", scratch)
        for architecture in ARCHITECTURES:
            archive.unpack(scratch / f"root-{architecture}", contents(architecture))
        layout = build(scratch)
        # buildah gives the files of an archive the time of the day.
        path.write_bytes(archive.tar({str(file.relative_to(layout)): (file.read_bytes(), 0o644)
                                      for file in layout.rglob("*") if file.is_file()}))
    finally:
        shutil.rmtree(scratch)


def build(scratch):
    """The folder of an OCI image layout. buildah keeps its own state in the scratch folder, too."""
    environment = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot", "TMPDIR": str(scratch)}
    buildah = ["buildah", "--root", scratch / "storage", "--runroot", scratch / "run"]
    arguments = {"VERSION": VERSION, "REVISION": commit(), "REPOSITORY": where.get("REPOSITORY")}
    for architecture in ARCHITECTURES:
        run([*buildah, "build", "--quiet", f"--platform=linux/{architecture}", f"--timestamp={epoch()}", "--manifest=applyguard",
             *(f"--build-arg={name}={value}" for name, value in arguments.items()), scratch], environment)
    run([*buildah, "manifest", "push", "--quiet", "--all", "applyguard", f"oci:{scratch / 'layout'}:{VERSION}"], environment)
    return scratch / "layout"


def run(command, environment):
    done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"release: {' '.join(map(str, command[:4]))}: {done.stderr}")
