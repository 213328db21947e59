#!/usr/bin/env python3
"""Draws docs/picture-light.svg and docs/picture-dark.svg, the README's picture, from what applyguard prints on a terminal.

    cmake/draw_picture.py APPLYGUARD [--check]

The object is a recorded one, edited by hand; the manifests are those of a story in tests/manifests. --check only
says whether the pictures are what it would draw, by its exit status.
"""
import datetime
import fcntl
import html
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 104
WIDTH, HEIGHT, MARGIN = 8.0, 20, 20  # of a character, a line, and around all

SCHEMES = {
    "light": {"back": "#f6f8fa", "text": "#1b1f24", "prompt": "#57606a", "31": "#a40e26", "32": "#1a7f37", "35": "#8a2be2", "2": "#57606a",
              "38;5;30": "#007a78", "38;5;28": "#2a7a1f", "38;5;134": "#9a35b5"},
    "dark": {"back": "#0d1117", "text": "#e6edf3", "prompt": "#9da7b3", "31": "#ff8f8a", "32": "#56d364", "35": "#d2a8ff", "2": "#9da7b3",
             "38;5;30": "#2fc6c0", "38;5;28": "#62c454", "38;5;134": "#cf7fe6"},
}


def on_terminal(applyguard, *arguments, **options):
    """What a command prints on a terminal."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 200, COLUMNS, 0, 0))
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "PAGER": "cat", "LANG": "C.UTF-8"}
    child = subprocess.Popen([applyguard, *arguments], stdin=subprocess.DEVNULL, stdout=its, stderr=its, env=environment, **options)
    os.close(its)
    output = b""
    while True:
        try:
            output += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
    child.wait()
    os.close(ours)
    return output.decode().replace("\r\n", "\n").splitlines()


def edited_object():
    """A Deployment that kubectl edit changed two days ago: then the ages in the picture do not change."""
    found = json.loads((ROOT / "tests/reviews/edit-ssa/review.json").read_text())["request"]["object"]
    then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=2, minutes=5)
    for entry in found["metadata"]["managedFields"]:
        entry["time"] = then.strftime("%Y-%m-%dT%H:%M:%SZ")
    return found


def blame(applyguard):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(edited_object(), file)
        file.flush()
        lines = on_terminal(applyguard, "blame", "-f", file.name)
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    spec, image = (next(number for number, line in enumerate(plain) if found in line) for found in ("  spec:", "image: nginx"))
    selector = next(number for number, line in enumerate(plain) if "selector:" in line)
    containers = next(number for number, line in enumerate(plain) if "containers:" in line)
    stuck = next(number for number, line in enumerate(plain) if "is stuck" in line)
    return [lines[0], *lines[spec:selector + 1], "…", *lines[containers:image + 2], "…", lines[stuck]]


def wrapped(line):
    """The line in pieces that fit, broken between words. A break inside a run of one style takes the style along."""
    pieces, column, style = [""], 0, ""
    for part in re.findall(r"\x1b\[[0-9;]*m|[^ \x1b]+| ", line):
        if part.startswith("\x1b"):
            style = part
        elif column + len(part) > COLUMNS:
            pieces.append(style)
            column, part = (0, "") if part == " " else (len(part), part)
        else:
            column += len(part)
        pieces[-1] += part
    return pieces


def spans(line, scheme):
    """Each run of one style: its column, its text, its attributes."""
    column, fill, weight = 0, scheme["text"], "normal"
    for code, text in re.findall(r"\x1b\[([0-9;]*)m|([^\x1b]+)", line):
        if text:
            yield column, text, fill, weight
            column += len(text)
        elif code in ("", "0"):
            fill, weight = scheme["text"], "normal"
        else:
            parts = [code] if code.startswith("38;") else code.split(";")
            weight = "bold" if "1" in parts else weight
            fill = next((scheme[part] for part in parts if part in scheme), fill)


def drawn(sessions, name):
    scheme = SCHEMES[name]
    rows, y = [], MARGIN + 14
    for command, lines in sessions:
        for line in [f"\x1b[1m$ {command}\x1b[0m", *(piece for line in lines for piece in wrapped(line)), ""]:
            for column, text, fill, weight in spans(line, scheme):
                # Viewers make one space of several, so each piece of text has its own place.
                for piece in re.finditer(r"\S+(?: \S+)*", text):
                    shown = piece.group()
                    rows.append(f'<text x="{MARGIN + (column + piece.start()) * WIDTH:g}" y="{y}" fill="{fill}" '
                                f'font-weight="{weight}" textLength="{len(shown) * WIDTH:g}">{html.escape(shown)}</text>')
            y += HEIGHT
    width, height = 2 * MARGIN + COLUMNS * WIDTH, y - HEIGHT
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" role="img" '
            'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.3">\n'
            '<title>A terminal with applyguard blame and applyguard check</title>\n'
            f'<rect width="100%" height="100%" rx="8" fill="{scheme["back"]}"/>\n' + "\n".join(rows) + "\n</svg>\n")


def main():
    arguments = [each for each in sys.argv[1:] if each != "--check"]
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__)
    applyguard = pathlib.Path(arguments[0]).resolve()
    check = on_terminal(applyguard, "check", ".", cwd=ROOT / "tests/manifests/autoscaled-replicas")
    sessions = [("applyguard blame deploy/web", blame(applyguard)), ("applyguard check .", check)]
    for name in SCHEMES:
        path, text = ROOT / f"docs/picture-{name}.svg", drawn(sessions, name)
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path.name} is not what applyguard prints: run cmake/draw_picture.py APPLYGUARD")


if __name__ == "__main__":
    main()
