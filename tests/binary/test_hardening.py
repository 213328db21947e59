#!/usr/bin/env python3
"""The program is hardened: the options of the compiler and the linker have their effect in it.

    tests/binary/test_hardening.py APPLYGUARD

Protects users from an attacker who has found a fault in it, and from a flag that is lost unseen.
"""
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
BUILD = APPLYGUARD.parent

# A program that shows each hardening, or the lack of it.
SAMPLE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WRITABLE_CODE
__asm__(".section .writable_code, \"awx\"\n.byte 0\n.previous");
#endif

int copy(const char *text, size_t length);

int copy(const char *text, size_t length)
{
    char on_stack[131072];
    char *allocated = malloc(length / 2);
    if (!allocated) return 1;
    memcpy(allocated, text, length);
    strcpy(on_stack, allocated);
    free(allocated);
    return printf("%s\n", on_stack);
}

int main(int argc, char **argv)
{
    return argc > 1 ? copy(argv[1], strlen(argv[1])) : 0;
}
"""

# For each weakness, the flag that causes it.
WEAKENED = {
    "not position-independent": "-no-pie -fno-pie",
    "no read-only relocations": "-Wl,-z,norelro",
    "lazy binding": "-Wl,-z,lazy",
    "executable stack": "-Wl,-z,execstack",
    "writable code": "-DWRITABLE_CODE",
    "no stack protector": "-fno-stack-protector",
    "no stack clash protection": "-fno-stack-clash-protection",
    "no fortified functions": "-U_FORTIFY_SOURCE",
}
OF_A_PROCESSOR = {
    "X86-64": {"no landing pads for indirect branches": "-fcf-protection=none"},
    "AArch64": {"no landing pads for indirect branches": "-mbranch-protection=none"},
}

# The first instruction of a function that may be called indirectly; paciasp is a landing pad, too.
LANDING_PADS = {"X86-64": ("endbr64",), "AArch64": ("bti", "paciasp")}
# The linker names it in the note that a loader reads, where all that is linked has it.
FEATURE = {"X86-64": "IBT, SHSTK", "AArch64": "BTI, PAC"}
# Functions that the C library and the compiler add to each program.
START_FILES = ("Scrt1.o", "crti.o", "crtbeginS.o", "crtendS.o", "crtn.o")
# A frame that is larger is entered in steps, each of which touches the page.
LARGEST_STEP = {"X86-64": 4096, "AArch64": 65536}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout


def read(flags, path):
    return run("readelf", "--wide", flags, path)


@functools.cache
def machine(path):
    return re.search(r"Machine: +.*?(X86-64|AArch64)", read("--file-header", path)).group(1)


def disassembly(path):
    """Each instruction with its operands; before the instructions of a function, its address."""
    command = {"X86-64": "objdump", "AArch64": "aarch64-linux-gnu-objdump"}[machine(path)]
    if not shutil.which(command):
        command = "objdump"
    text = run(command, "--disassemble", "--section=.text", "--no-show-raw-insn", path)
    without_comments = re.sub(r"\s+(//|#) .*$", "", text, flags=re.MULTILINE)
    return re.findall(r"^([0-9a-f]+) <.*>:$|^ *[0-9a-f]+:\t(.*\S)", without_comments, re.MULTILINE)


def first_instructions(path):
    """The first instruction of each function, by its address: several files may have one of the same name."""
    lines = disassembly(path)
    return {int(address, 16): instruction for (address, _), (_, instruction) in zip(lines, lines[1:]) if address}


def global_functions(path):
    """Addresses and names of the functions that other files of the program can call, and so take the address of; of the names
    that C leaves to programs, for start files and the compiler's own functions come compiled."""
    listed = re.findall(r": ([0-9a-f]+) +\S+ FUNC +GLOBAL +\S+ +\d+ ([^_\s]\S*)$", read("--symbols", path), re.MULTILINE)
    return {int(address, 16): name for address, name in listed}


def without_landing_pad(path):
    first = first_instructions(path)
    return {name for address, name in global_functions(path).items()
            if address in first and not first[address].startswith(LANDING_PADS[machine(path)])}


# How a frame of a size that is known is entered at once; a constant that is too wide goes by a register.
FRAMES = {
    "X86-64": r"^sub +\$0x(?P<size>[0-9a-f]+),%rsp$",
    "AArch64": r"^(?:sub\tsp, sp, #0x(?P<size>[0-9a-f]+)(?P<pages>, lsl #12)?|mov\t(?P<register>x\d+), #0x(?P<wide>[0-9a-f]+)"
               r"\nsub\tsp, sp, (?P=register))$"}


def has_unprobed_frame(path):
    text = "\n".join(instruction for _, instruction in disassembly(path))
    frames = (each.groupdict() for each in re.finditer(FRAMES[machine(path)], text, re.MULTILINE))
    sizes = [int(each.get("wide") or each["size"], 16) << (12 if each.get("pages") else 0) for each in frames]
    # A number this large is a negative one.
    return any(LARGEST_STEP[machine(path)] < size < 1 << 31 for size in sizes)


def weaknesses(path):
    segments, dynamic, imported = read("--segments", path), read("--dynamic", path), read("--dyn-syms", path)
    flags = " ".join(re.findall(r"\(FLAGS(?:_1)?\) +(.*)", dynamic))
    stack = re.search(r"GNU_STACK .* (R?W?E?) +0x", segments)
    protected = {
        "not position-independent": re.search(r"Type: +DYN", read("--file-header", path)) and "PIE" in flags,
        "no read-only relocations": "GNU_RELRO" in segments,
        "lazy binding": "NOW" in flags,
        "executable stack": stack and "E" not in stack.group(1),
        "writable code": not re.search(r"^ +LOAD .* R?WE +0x", segments, re.MULTILINE),
        "no stack protector": "__stack_chk_fail" in imported,
        "no fortified functions": re.search(r"__\w+_chk@", imported),
        "no stack clash protection": not has_unprobed_frame(path),
        "no landing pads for indirect branches": global_functions(path) and not without_landing_pad(path),
    }
    return {name for name, is_so in protected.items() if not is_so}


class Program(unittest.TestCase):
    def test_has_no_weakness(self):
        self.assertEqual(weaknesses(APPLYGUARD), set(), sorted(without_landing_pad(APPLYGUARD))[:5])

    def test_says_to_the_loader_what_it_has(self):
        """The linker leaves the note out where one file lacks it, as Debian 12's start files do."""
        feature = FEATURE[machine(APPLYGUARD)]
        objects = sorted(BUILD.glob("CMakeFiles/applyguard.dir/**/*.o"))
        self.assertGreater(len(objects), 10)
        self.assertEqual([path for path in objects if feature not in read("--notes", path)], [])
        start_files = [run(*compile_command(), f"-print-file-name={name}").strip() for name in START_FILES]
        self.assertEqual(feature in read("--notes", APPLYGUARD), all(feature in read("--notes", path) for path in start_files))


def compile_command():
    """The flags with which cli/main.c is compiled, without its input and output."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    [command] = [each for each in commands if each["file"].endswith("/cli/main.c")]
    words = shlex.split(command["command"])
    end = words.index("-o")
    return [word for word in words[:end] if not word.endswith("ccache")]


def link_options():
    """The flags with which the program is linked, without its objects and libraries."""
    rule = re.search(r"^build applyguard: C_EXECUTABLE_LINKER.*?\n\n", (BUILD / "build.ninja").read_text(), re.MULTILINE | re.DOTALL)
    return shlex.split(re.search(r"LINK_FLAGS = (.*)", rule.group()).group(1))


class Flags(unittest.TestCase):
    """The flags themselves, on a program in which each would be missed: the real one may not always show what it lacks."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="applyguard-hardening-"))
        self.addCleanup(shutil.rmtree, self.directory)
        (self.directory / "sample.c").write_text(SAMPLE)

    def sample(self, more=""):
        program = self.directory / "sample"
        run(*compile_command(), *link_options(), "-w", *more.split(), self.directory / "sample.c", "-o", program)
        return program

    def test_protect_a_sample(self):
        sample = self.sample()
        self.assertEqual(weaknesses(sample), set())
        # Level 2 checks only sizes that the compiler knows.
        self.assertIn("__memcpy_chk", read("--dyn-syms", sample))
        self.assertNotIn("__memcpy_chk", read("--dyn-syms", self.sample("-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2")))

    def test_are_missed(self):
        """Protects the tests above: without a flag they fail."""
        for weakness, flags in {**WEAKENED, **OF_A_PROCESSOR[machine(APPLYGUARD)]}.items():
            with self.subTest(weakness):
                self.assertEqual(weaknesses(self.sample(flags)), {weakness})


if __name__ == "__main__":
    unittest.main(verbosity=2)
