#!/usr/bin/env python3
"""Asks the driver what recorded/ asks: the answers equal those of Kubernetes' own code.

The pairs are a few of the many that tests/differential/run generates, so that each build is tested with them, without Go and
under the sanitizers. README.md says how they are recorded.
"""
import argparse
import gzip
import json
import pathlib
import struct
import subprocess
import sys

RECORDED = pathlib.Path(__file__).with_name("recorded")


def question(pair):
    parts = [part.encode() for part in pair["parts"]]
    yield pair["letter"].encode() + bytes([len(parts)])
    for part in parts:
        yield struct.pack("<I", len(part)) + part


def answers_of(driver, pairs):
    asked = b"".join(b"".join(question(pair)) for pair in pairs) + b"\0"
    said = subprocess.run([driver], input=asked, stdout=subprocess.PIPE, check=True).stdout
    answers = []
    while said:
        (length,), said = struct.unpack("<I", said[:4]), said[4:]
        answers.append(said[:length].decode())
        said = said[length:]
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver", metavar="DRIVER", help="the program differential_driver")
    driver = parser.parse_args().driver
    differing = 0
    paths = sorted(RECORDED.glob("*.jsonl.gz"))
    if not paths:
        sys.exit(f"{RECORDED}: nothing is recorded")
    for path in paths:
        pairs = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        answers = answers_of(driver, pairs)
        wrong = [number for number, (pair, answer) in enumerate(zip(pairs, answers)) if pair["answer"] != answer]
        for number in wrong[:3]:
            print(f"{path.name}: pair {number}: {pairs[number]['parts']}\n"
                  f"  recorded: {pairs[number]['answer']}\n  said: {answers[number]}")
        differing += len(wrong) + abs(len(pairs) - len(answers))
        print(f"{path.name}: {len(pairs)} pairs, {len(wrong)} read in another way")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
