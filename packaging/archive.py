"""archive.py: archives whose bytes depend on names, contents and modes alone."""

import gzip
import io
import pathlib
import tarfile

from facts import BUILT, ROOT, epoch

COMPLETIONS = ("applyguard.bash", "applyguard.fish", "applyguard.zsh", "kubectl_complete-applyguard")
# The program of this machine wrote it; that of macOS cannot run here, and has the same text.
MANUAL = BUILT / "linux-amd64/applyguard.1"


def files_of_program(program):
    """The members of an archive of the command line, by their names: (content, mode)."""
    files = {"applyguard": (program, 0o755), "LICENSE": (ROOT / "LICENSE", 0o644), "applyguard.1": (MANUAL, 0o644)}
    for name in COMPLETIONS:
        files[f"completion/{name}"] = (ROOT / "cli/completion" / name, 0o755 if name.startswith("kubectl") else 0o644)
    return {name: (pathlib.Path(path).read_bytes(), mode) for name, (path, mode) in files.items()}


def tar(files):
    """The bytes of a tar file of regular files, {name: (content, mode)}, in the order of their names."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as stream:
        for name, (content, mode) in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.mtime = len(content), mode, epoch()
            stream.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def write(path, files):
    """Writes a .tar.gz or .tgz."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as stream:
        stream.write(tar(files))
    path.write_bytes(packed.getvalue())


def unpack(root, files):
    """Writes the files, {name: (content, mode)}, below a folder; all folders get the mode 0755."""
    for name, (content, mode) in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
