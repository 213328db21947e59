#!/usr/bin/env python3
"""Draws the table of rooms (rooms.cmake) as docs/rooms.svg: who uses whom, from the command line down to base/.

    cmake/draw_rooms.py > docs/rooms.svg

A box is a top folder, or the folder of a command. An arrow leads to a folder that the box uses and that nothing else it uses
leads to. The colours are legible on a light and on a dark page.
"""
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).with_name("rooms.cmake")

BOX_WIDTH, BOX_HEIGHT, GAP, LAYER_HEIGHT, MARGIN = 100, 30, 14, 74, 16
FILLS = {"cli": "#ffe2b8", "commands": "#d9ecff", "webhook": "#d9ecff"}
OTHER_FILL = "#e3e8ee"


def folder(room):
    parts = room.split("/")
    return "/".join(parts[:2]) if parts[0] == "commands" else parts[0]


def table():
    """Each folder, in the table's order, with the folders that it uses."""
    text = re.sub(r"#.*", "", TABLE.read_text(encoding="utf-8"))
    rows = [(name, uses.split()) for name, uses in re.findall(r"\broom\((\S+)\s+USES\s+([^)]*)\)", text)]
    rooms = {name for name, _ in rows}
    folders = {}
    for name, uses in rows:
        folders.setdefault(folder(name), set()).update(folder(use) for use in uses if use in rooms)
    return {name: uses - {name} for name, uses in folders.items()}


def reachable(uses, name):
    return set().union(*({use} | reachable(uses, use) for use in uses[name]))


def direct(uses):
    """The arrows that no other arrows imply."""
    return {name: {use for use in used if not any(use in reachable(uses, other) for other in used)} for name, used in uses.items()}


def layers(uses):
    """The folders from the bottom up, each one layer above the highest that it uses."""
    height = {}
    for name, used in uses.items():
        height[name] = 1 + max((height[use] for use in used), default=-1)
    top = max(height.values())
    # A folder that only the command line uses is as high as the commands.
    for name in uses:
        if name != "cli" and {user for user, used in uses.items() if name in used} == {"cli"}:
            height[name] = top - 1
    return [[name for name in uses if height[name] == each] for each in range(top + 1)]


def ordered(rows, arrows):
    """Each layer in an order that lets few arrows cross: by the mean place of its neighbours, again and again."""
    neighbours = {name: arrows[name] | {user for user, used in arrows.items() if name in used} for name in arrows}
    rows = [list(row) for row in rows]
    for _ in range(24):
        place = {name: (number + 0.5) / len(row) for row in rows for number, name in enumerate(row)}
        for row in rows:
            row.sort(key=lambda name: (sum(place[each] for each in neighbours[name]) / max(1, len(neighbours[name])), name))
    return rows


def places(rows):
    """The middle of each box."""
    width = max(len(row) for row in rows) * (BOX_WIDTH + GAP) - GAP
    middle = {}
    for height, row in enumerate(rows):
        for number, name in enumerate(row):
            x = MARGIN + width * (number + 0.5) / len(row)
            y = MARGIN + BOX_HEIGHT / 2 + (len(rows) - 1 - height) * LAYER_HEIGHT
            middle[name] = round(x), round(y)
    return middle, width + 2 * MARGIN, (len(rows) - 1) * LAYER_HEIGHT + BOX_HEIGHT + 2 * MARGIN


def draw_arrow(start, end):
    (x, y), (to_x, to_y) = start, end
    y, to_y = y + BOX_HEIGHT // 2, to_y - BOX_HEIGHT // 2 - 5
    bend = (to_y - y) // 2
    return f'<path d="M{x} {y}C{x} {y + bend} {to_x} {to_y - bend} {to_x} {to_y}"/>'


def draw_box(name, middle):
    x, y = middle
    fill = FILLS.get(name.split("/")[0], OTHER_FILL)
    label = name.removeprefix("commands/") + ("" if name.startswith("commands/") else "/")
    return (f'<rect x="{x - BOX_WIDTH // 2}" y="{y - BOX_HEIGHT // 2}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="5" fill="{fill}"/>'
            f'<text x="{x}" y="{y + 4}">{label}</text>')


def draw():
    uses = table()
    arrows = direct(uses)
    middle, width, height = places(ordered(layers(uses), arrows))
    commands = [middle[name] for name in uses if name.startswith("commands/")]
    left, right, y = min(x for x, _ in commands), max(x for x, _ in commands), commands[0][1]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        "<title>The folders, and which of them use which</title>",
        '<style>text{font:13px sans-serif;text-anchor:middle;fill:#1b1f24}rect{stroke:#7d8590}path{fill:none;stroke:#7d8590;'
        "stroke-width:1.3;marker-end:url(#head)}.note{font-size:11px;fill:#7d8590;text-anchor:start}</style>",
        '<defs><marker id="head" viewBox="0 0 6 6" refX="1" refY="3" markerWidth="6" markerHeight="6" orient="auto">'
        '<polygon points="0,0 6,3 0,6" fill="#7d8590"/></marker></defs>',
        f'<rect x="{left - BOX_WIDTH // 2 - 6}" y="{y - BOX_HEIGHT // 2 - 20}" width="{right - left + BOX_WIDTH + 12}" '
        f'height="{BOX_HEIGHT + 26}" rx="7" fill="none" stroke-dasharray="4 3"/>',
        f'<text class="note" x="{left - BOX_WIDTH // 2}" y="{y - BOX_HEIGHT // 2 - 7}">commands/</text>']
    lines += [draw_arrow(middle[name], middle[use]) for name in arrows for use in sorted(arrows[name])]
    lines += [draw_box(name, middle[name]) for name in uses]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(__doc__.strip() if sys.argv[1] not in ("-h", "--help") else print(__doc__.strip()))
    sys.stdout.write(draw())
