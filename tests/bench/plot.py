#!/usr/bin/env python3
"""Draws how judging grows, from the numbers that `./dev bench --judge` leaves.

    tests/bench/plot.py [CSV [FOLDER]]

Writes judging-bytes.svg and judging-managers.svg to the folder, by default from build/judging.csv to tests/bench. Both
axes are logarithmic, so what grows in proportion is parallel to the dashed line.
"""
import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 690, 64, 360

# Legible on white and on GitHub's dark ground.
COLOURS = ["#2f81f7", "#db6d28"]
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #768390 }
  .title { font-weight: 600; font-size: 15px }
  .grid { stroke: #8c959f; stroke-opacity: .3 }
  .slope { stroke: #8c959f; stroke-dasharray: 6 5 }
  .line { fill: none; stroke-width: 2 }
  .parsing { stroke-dasharray: 2 3; stroke-opacity: .7 }
"""


def bytes_text(value):
    return f"{value / 2 ** 20:g} MiB" if value >= 2 ** 20 else f"{value / 2 ** 10:g} KiB"


def nanoseconds_text(value):
    return f"{value / 1e6:g} ms" if value >= 1e6 else f"{value / 1e3:g} µs"


class Axis:
    """From values to places, the logarithm in between."""

    def __init__(self, values, base, start, end):
        """Up to whole powers of the base; what is a little beyond one needs no field of its own."""
        self.low = math.floor(math.log(min(values), base) + 0.05)
        self.high = math.ceil(math.log(max(values), base) - 0.05)
        self.base, self.start, self.end = base, start, end

    def place(self, value):
        share = (math.log(value, self.base) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        return [self.base ** power for power in range(self.low, self.high + 1)]


def line(points, x, y, attributes):
    places = " ".join(f"{x.place(amount):.1f},{y.place(value):.1f}" for amount, value in points)
    return f'<polyline points="{places}" {attributes}/>'


def grid(x, y, amount_text):
    for tick in x.ticks():
        place = x.place(tick)
        yield f'<line class="grid" x1="{place:.1f}" x2="{place:.1f}" y1="{TOP}" y2="{BOTTOM}"/>'
        yield f'<text x="{place:.1f}" y="{BOTTOM + 20}" text-anchor="middle">{amount_text(tick)}</text>'
    for tick in y.ticks():
        place = y.place(tick)
        yield f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{place:.1f}" y2="{place:.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{place + 4:.1f}" text-anchor="end">{nanoseconds_text(tick)}</text>'


def slope_of_one(x, y):
    """Through the lower left corner, up to where it leaves the field."""
    low, bottom = x.base ** x.low, y.base ** y.low
    factor = min(x.base ** x.high / low, y.base ** y.high / bottom)
    return line([(low, bottom), (low * factor, bottom * factor)], x, y, 'class="slope"')


def legend(names):
    for index, (name, attributes) in enumerate(names):
        left = LEFT + index % 2 * 310
        top = 40 + index // 2 * 18
        yield f'<line x1="{left}" x2="{left + 26}" y1="{top}" y2="{top}" {attributes}/>'
        yield f'<text x="{left + 34}" y="{top + 4}">{name}</text>'


def draw(rows, title, unit, base, amount_text):
    series = list(dict.fromkeys(row["series"] for row in rows))
    values = [int(row[column]) for row in rows for column in ("parsing_ns", "judging_ns")]
    x = Axis([int(row["amount"]) for row in rows], base, LEFT, RIGHT)
    y = Axis(values, 10, BOTTOM, TOP + 16)
    parts, names = [*grid(x, y, amount_text), slope_of_one(x, y)], []
    for name, colour in zip(series, COLOURS):
        for column, kind in (("judging_ns", ""), ("parsing_ns", " parsing")):
            points = [(int(row["amount"]), int(row[column])) for row in rows if row["series"] == name]
            attributes = f'class="line{kind}" stroke="{colour}"'
            parts.append(line(points, x, y, attributes))
            names.append((name if not kind else "parsed by yyjson alone", attributes))
    parts += legend(names)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" aria-label="{title}">', f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="22">{title}</text>', *parts,
        f'<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 44}" text-anchor="middle">{unit} (dashed: in proportion)</text>',
        "</svg>", ""])


def write_all(file, folder):
    with file.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    of_bytes = [row for row in rows if row["against"] == "bytes"]
    of_managers = [row for row in rows if row["against"] == "managers"]
    (folder / "judging-bytes.svg").write_text(
        draw(of_bytes, "Judging alone, by bytes of the review", "bytes", 4, bytes_text))
    (folder / "judging-managers.svg").write_text(
        draw(of_managers, "Judging alone, by field managers of the object", "field managers", 10, str))


if __name__ == "__main__":
    arguments = [pathlib.Path(argument) for argument in sys.argv[1:]]
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__.strip())
    else:
        write_all(*(arguments + [HERE.parent.parent / "build" / "judging.csv", HERE][len(arguments):]))
