"""faults.py: calls of the system that fail in a program under test, as tests/faults.c has them.

    with faults.Faults() as faults:
        server = harness.Server(environment=faults.environment())
        faults.set("socket read", every=3, error=errno.EINTR)
"""

import errno
import functools
import mmap
import os
import re
import struct

import harness

KINDS = ("socket read", "socket write", "file read", "file write", "accept", "open", "wait", "allocate", "thread", "rename",
         "sync")
# every, at, error, calls, hits
FAULT = struct.Struct("=IIiII")
AHEAD = struct.Struct("=q")
AHEAD_OFFSET = (len(KINDS) * FAULT.size + 7) // 8 * 8

# In place of an error.
SHORT, KILLED = 0, -1

# All of them, and not a sample: takes minutes.
ALL = os.environ.get("APPLYGUARD_FAULTS") == "all"


def sample(numbers, count):
    """So many of the numbers, spread evenly; all of them where all are asked for."""
    numbers = list(numbers)
    return numbers if ALL or len(numbers) <= count else numbers[::-(-len(numbers) // -count)]


def error_name(error):
    return {SHORT: "short", KILLED: "killed"}.get(error) or errno.errorcode[error]


@functools.lru_cache
def memory_of_openssl(program):
    """Where certs/memory.c lies in the program: START-END, in hexadecimal."""
    listed = harness.run("nm", "--numeric-sort", "--print-size", program).stdout.decode()
    symbols = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [tT] (\w+)$", listed, re.MULTILINE)
    names = [name for _, _, name in symbols]
    last = names.index("memory_protect")
    first = max(index for index in range(last) if names[index] == "allocate")
    return f"{symbols[first][0]}-{symbols[last][0]}"


class Faults:
    """The file that a test shares with the program."""

    total = 0  # that struck, in all tests of the process

    def __init__(self):
        self.path = harness.temporary_directory() / "faults"
        self.path.write_bytes(bytes(mmap.PAGESIZE))
        with self.path.open("r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for kind in KINDS:
            Faults.total += self.hits(kind)
        self.shared.close()

    def environment(self):
        flags = ("-DWITHOUT_ALLOCATIONS",) if harness.Program.is_sanitized else ()
        return {"LD_PRELOAD": harness.shared_library("faults", *flags), "FAULTS": str(self.path),
                "FAULTS_OPENSSL": memory_of_openssl(harness.Program.path),
                **harness.sanitizer_options(ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=1")}

    def set(self, kind, every=0, at=0, error=SHORT):
        """Counted from now on."""
        self.clear(kind)
        offset = KINDS.index(kind) * FAULT.size
        # The variable that arms it comes last.
        self.shared[offset + 8:offset + 12] = struct.pack("=i", error)
        self.shared[offset:offset + 8] = struct.pack("=II", every, at)

    def clear(self, *kinds):
        for kind in kinds or KINDS:
            offset = KINDS.index(kind) * FAULT.size
            Faults.total += self.hits(kind)
            self.shared[offset:offset + FAULT.size] = bytes(FAULT.size)

    def hits(self, kind):
        return FAULT.unpack_from(self.shared, KINDS.index(kind) * FAULT.size)[4]

    def calls(self, kind):
        """As many as there were since the kind was set."""
        return FAULT.unpack_from(self.shared, KINDS.index(kind) * FAULT.size)[3]

    def set_clock(self, seconds_ahead):
        AHEAD.pack_into(self.shared, AHEAD_OFFSET, seconds_ahead)
