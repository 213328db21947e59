"""The walls of the house: who includes whom, held against the table of rooms (cmake/rooms.cmake)."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "cmake/rooms.cmake"

# The libraries in the table, by the beginning of their headers' names.
OUTSIDE = {"h2o": "h2o", "openssl": "openssl", "yyjson": "yyjson", "yaml": "yaml", "curl": "curl", "zlib": "zlib", "zstd": "zstd"}
# The names that H2O's headers define begin so.
OF_H2O = re.compile(r"\b(h2o_\w+|H2O_\w+)\b")


def rooms():
    """Each room, in the table's order, with what it may use."""
    text = re.sub(r"#.*", "", TABLE.read_text())
    return {name: set(uses.split()) for name, uses in re.findall(r"\broom\((\S+)\s+USES\s+([^)]*)\)", text)}


def room_of(path, names):
    """The room with the longest name that holds the file, or is the file."""
    def is_home(name):
        return path.startswith(name + "/") or path.rsplit(".", 1)[0] == name and not (ROOT / name).is_dir()
    return max((name for name in names if is_home(name)), key=len, default=None)


def sources():
    """Every source file of the program, by its path from the root."""
    folders = sorted({name.split("/")[0] for name in rooms()})
    return {str(path.relative_to(ROOT)): path.read_text() for folder in folders
            for path in sorted((ROOT / folder).rglob("*.*")) if path.suffix in (".c", ".h", ".def")}


def without_comments(text):
    """C, but for its comments and the contents of its texts."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)


def includes(text):
    """The headers that a source includes: ours as paths, others' in angle brackets."""
    return re.findall(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', text, flags=re.MULTILINE)


def module(path):
    """A header, its source, and what only both of them and their parts see, NAME_state.h, are one module."""
    return path.rsplit(".", 1)[0].removesuffix("_state")


def circles(arrows):
    """The sets of nodes that reach each other, of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in arrows.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found


class Walls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rooms = rooms()
        cls.sources = sources()
        cls.arrows = [(path, ours, others) for path, text in cls.sources.items() for ours, others in includes(text)]

    def test_every_file_has_a_room(self):
        """Protects the table: no file is outside it, and no row of it is empty."""
        homes = {path: room_of(path, self.rooms) for path in self.sources}
        self.assertEqual([path for path, room in homes.items() if not room], [])
        self.assertEqual(set(self.rooms) - set(homes.values()), set())

    def test_rooms_use_only_what_stands_above_them(self):
        """Protects the direction: the table is in order, so rooms cannot go in a circle."""
        above = set(OUTSIDE.values()) | {"threads"}
        for name, uses in self.rooms.items():
            self.assertEqual(uses - above, set(), f"{name} uses what the table has below it")
            above.add(name)

    def test_a_room_includes_only_what_its_row_allows(self):
        """Protects the walls."""
        wrong = []
        for path, ours, others in self.arrows:
            home = room_of(path, self.rooms)
            used = room_of(ours, self.rooms) if ours else OUTSIDE.get(re.split(r"[/.]", others)[0])
            allowed = self.rooms[home]
            if ours and not (ROOT / ours).is_file():
                wrong.append(f"{path}: there is no {ours}")
            elif used and used != home and used not in allowed:
                wrong.append(f"{path}: {home} may not use {ours or others}, of {used}")
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_no_modules_include_each_other(self):
        """Protects who reads: every module can be understood after those that it includes."""
        arrows = {}
        for path, ours, _ in self.arrows:
            if ours and module(ours) != module(path):
                arrows.setdefault(module(path), set()).add(module(ours))
        self.assertEqual(circles(arrows), [])

    def test_only_http_knows_h2o(self):
        """Protects the narrow door to H2O: no type, function or constant of it has a name outside webhook/http/."""
        wrong = [f"{path}: {name}" for path, text in self.sources.items() if room_of(path, self.rooms) != "webhook/http"
                 for name in sorted(set(OF_H2O.findall(without_comments(text))))]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))


class Picture(unittest.TestCase):
    def test_the_picture_shows_the_table(self):
        """Protects who learns the layout from docs/architecture.md."""
        drawn = subprocess.run(["python3", ROOT / "cmake/draw_rooms.py"], capture_output=True, text=True, check=True).stdout
        self.assertTrue((ROOT / "docs/rooms.svg").read_text() == drawn, "run cmake/draw_rooms.py > docs/rooms.svg")


class Maps(unittest.TestCase):
    """Each room's README is a map: a line for each module, in which every file of the room is named once."""

    def test_maps_name_every_file(self):
        folders = {}
        for path in sources():
            folder, name = path.rsplit("/", 1)
            folders.setdefault(folder, []).append(name)
        for folder, names in folders.items():
            rows = re.findall(r"^\| ((?:`[\w.]+`(?:, )?)+) \| (\S.*) \|$", (ROOT / folder / "README.md").read_text(), re.MULTILINE)
            named = [name for row, _ in rows for name in re.findall(r"`([\w.]+)`", row)]
            self.assertEqual(sorted(named), sorted(names), folder)


def folder(room):
    """The top folder of a room; each command counts as one."""
    parts = room.split("/")
    return "/".join(parts[:2]) if parts[0] == "commands" else parts[0]


def figures():
    """Lines of each folder, the arrows between folders, and the circles of modules: how simple the layout is."""
    names, lines, arrows, modules = rooms(), {}, set(), {}
    for path, text in sources().items():
        home = folder(room_of(path, names))
        lines[home] = lines.get(home, 0) + text.count("\n")
        for ours, _ in includes(text):
            used = room_of(ours, names) if ours else None
            if used:
                arrows.add((home, folder(used)))
                modules.setdefault(module(path), set()).add(module(ours))
    between = sorted(arrow for arrow in arrows if arrow[0] != arrow[1])
    others = {name: used - {name} for name, used in modules.items()}
    yield from (f"{lines[name]:7} lines  {name}, with arrows to {', '.join(to for at, to in between if at == name) or 'none'}"
                for name in lines)
    yield f"{sum(lines.values()):7} lines, {len(between)} arrows between folders, {len(circles(others))} circles of modules"


class Reading(unittest.TestCase):
    """The functions that the tests above use are right."""

    def test_circles(self):
        self.assertEqual(circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}), [["b", "c"]])
        self.assertEqual(circles({"a": {"b"}, "b": {"c"}}), [])

    def test_rooms_of_files(self):
        names = ["policy", "policy/judge", "policy/rules"]
        self.assertEqual([room_of(path, names) for path in (
            "policy/rules.c", "policy/rules/waiver.c", "policy/judge.h", "policy/managers.c", "policyx/a.c")],
            ["policy", "policy/rules", "policy/judge", "policy", None])

    def test_comments_and_texts_name_nothing(self):
        self.assertEqual(OF_H2O.findall(without_comments('/* h2o_a */ "h2o_b" h2o_c; // h2o_d')), ["h2o_c"])


if __name__ == "__main__":
    print(*figures(), sep="\n", flush=True)
    unittest.main(argv=[__file__])
