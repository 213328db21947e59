"""containerfile.py: builds a Containerfile into directories, with chroot in the place of a container engine.

It knows the instructions that the Containerfile of this project uses, and refuses all others. `FROM debian:12` is a
minimal Debian 12 made with debootstrap, which takes its packages from where this machine's own come from. The result of the
steps before the sources are copied is kept for the next time, as a container engine keeps its layers.
"""

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import string
import subprocess
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN = "docker.io/library/debian:12"


@dataclasses.dataclass
class Image:
    """A root directory, and what a container of it starts with.

    made_by: what it was made from so far, or None if that was more than lines and single files.
    """

    root: pathlib.Path
    made_by: list | None = dataclasses.field(default_factory=list)
    workdir: str = "/"
    user: str = ""
    entrypoint: list = dataclasses.field(default_factory=list)
    command: list = dataclasses.field(default_factory=list)
    labels: dict = dataclasses.field(default_factory=dict)


def instructions(text):
    """The instructions and their arguments, without comments, their lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", "", "\n".join(lines)).splitlines():
        if line.strip():
            yield line.split(maxsplit=1)


def build(directory):
    """Builds the project's Containerfile below the directory; its last image."""
    stages = {}
    defaults = {}
    image = None
    for name, argument in instructions((PROJECT / "Containerfile").read_text()):
        match name:
            case "FROM":
                base, _, stage = string.Template(argument).substitute(defaults).partition(" AS ")
                image = Image(directory / (stage or "final"), made_by=[argument])
                stages[stage] = image
                start_from(base, image.root)
            case "ARG":
                # An argument without a default is not set unless it is given.
                defaults.update([argument.split("=", 1)] if "=" in argument else [])
            case "WORKDIR":
                image.workdir = argument
                inside(image, argument).mkdir(parents=True, exist_ok=True)
            case "COPY":
                copy(argument, image, stages)
            case "RUN":
                run_or_take_kept(image, argument)
            case "LABEL":
                image.labels.update(part.split("=", 1) for part in shlex.split(argument))
            case "USER":
                image.user = argument
            case "ENTRYPOINT":
                image.entrypoint = json.loads(argument)
            case "CMD":
                image.command = json.loads(argument)
            case "EXPOSE":
                pass
            case _:
                raise ValueError(f"Containerfile: {name} is not known here")
    return image


def inside(image, path):
    return image.root / str(pathlib.PurePosixPath(image.workdir, path)).lstrip("/")


def start_from(base, root):
    if base == "scratch":
        root.mkdir()
    elif base == DEBIAN:
        root.mkdir()
        unpack(minimal_debian(), root)
    else:
        raise ValueError(f"Containerfile: the base {base} is not known here")


def cache():
    caches = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    folder = caches / "applyguard"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def minimal_debian():
    """An archive of it, made once."""
    archive = cache() / "debian-12.tar"
    if not archive.exists():
        with tempfile.TemporaryDirectory() as directory:
            root = f"{directory}/root"
            quietly("debootstrap", "--variant=minbase", "bookworm", root, debian_mirror())
            pack(root, archive)
    return archive


def pack(root, archive):
    """All but what apt fetched and need not have again."""
    unfinished = f"{archive}.{os.getpid()}"
    quietly("tar", "--create", "--numeric-owner", "--exclude=./var/cache/apt/*", "--exclude=./var/lib/apt/lists/*_*",
            "--file", unfinished, "--directory", root, ".")
    os.rename(unfinished, archive)


def unpack(archive, root):
    quietly("tar", "--extract", "--numeric-owner", "--file", archive, "--directory", root)


def quietly(*command, **options):
    """Runs a command whose output matters only when it fails."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-4000:]}")


def debian_mirror():
    """Where this machine's own Debian comes from."""
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE) $(CODENAME)", "Created-By: Packages"], check=True,
        capture_output=True, text=True).stdout
    return re.search(r"^(\S+) bookworm$", targets, re.MULTILINE).group(1)


def copy(argument, image, stages):
    source, target = argument.split()[-2:]
    stage = re.match(r"--from=(\S+) ", argument)
    if stage:
        shutil.copytree(inside(Image(stages[stage.group(1)].root), source), inside(image, target), symlinks=True, dirs_exist_ok=True)
        image.made_by = None
    elif (PROJECT / source).is_file():
        shutil.copy(PROJECT / source, inside(image, target))
        image.made_by += [argument, (PROJECT / source).read_text()]
    else:
        image.made_by = None
        ignored = (PROJECT / ".dockerignore").read_text().split()
        shutil.copytree(
            PROJECT / source, inside(image, target), symlinks=True, dirs_exist_ok=True,
            ignore=lambda folder, names: ignored if pathlib.Path(folder) == PROJECT else [])


def run_or_take_kept(image, command):
    if image.made_by is None:
        run(image, command)
        return
    image.made_by.append(command)
    layer = cache() / f"image-{hashlib.sha256(json.dumps(image.made_by).encode()).hexdigest()[:16]}.tar"
    if layer.exists():
        shutil.rmtree(image.root)
        image.root.mkdir()
        unpack(layer, image.root)
        return
    run(image, command)
    for outdated in cache().glob("image-*.tar"):
        outdated.unlink()
    pack(image.root, layer)


def run(image, command):
    script = f"cd {shlex.quote(image.workdir)} && {command}"
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    with mounted(image.root):
        quietly("chroot", image.root, "/bin/sh", "-c", script, env=environment)


@contextlib.contextmanager
def mounted(root):
    """A build's container has more than files: how names are resolved, and processes.

    The few devices are debootstrap's. The machine's own are not lent: deleting the directory would delete them.
    """
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", root / "proc"], check=True)
