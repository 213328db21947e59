"""corpus.py: the inputs that are kept for a fuzz target.

Those that fuzzing found are in corpus/fuzz_TARGET.tar.gz, each named by the SHA-1 of its bytes, as libFuzzer names them. Those
with a name, most of them regressions, are files in corpus/fuzz_TARGET. corpus.c reads both.
"""
import gzip
import io
import pathlib
import re
import tarfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"

# How libFuzzer names what it finds.
FOUND = re.compile(r"[0-9a-f]{40}")


def archive(target):
    return CORPUS / f"fuzz_{target}.tar.gz"


def folder(target):
    return CORPUS / f"fuzz_{target}"


def found(target):
    """The bytes of each input that fuzzing found, by name."""
    path = archive(target)
    if not path.exists():
        return {}
    with tarfile.open(path, "r:gz") as tar:
        return {member.name: tar.extractfile(member).read() for member in tar}


def named(target):
    """The bytes of each input with a name of its own."""
    return {path.name: path.read_bytes() for path in sorted(folder(target).glob("*"))}


def inputs(target):
    return {**found(target), **named(target)}


def pack(inputs_by_name):
    """The archive: the same inputs give the same bytes, whenever and by whomever they are packed."""
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as compressed:
        with tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, data in sorted(inputs_by_name.items()):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def write(target, inputs_by_name):
    archive(target).write_bytes(pack(inputs_by_name))


def unpack(target, into):
    """All inputs as files, for libFuzzer, in a folder that holds nothing else."""
    for path in into.iterdir():
        path.unlink()
    for name, data in inputs(target).items():
        (into / name).write_bytes(data)
    return into
