"""day.py: the table of a day of many tools under a policy that is enforced, kept in golden/day.md.

A phase of the day is named TOOL: EVENT. False is a denial or warning in normal life of which no remark says why it is right. A
fight is one act of a person against one tool: it is denied, reported by a warning, recorded in the audit log alone, or missed.
"""

import dataclasses

import golden
from verdicts import STRENGTH

TOOL = "day"
FILE = golden.FOLDER / "day.md"
PROFILE = "strict"
HEADER = ["tool", "requests", "denied", "warned", "false denials", "false warnings", "fights", "refused",
          "reported", "recorded", "missed"]
# How many requests there are depends on how often controllers try again.
INEXACT = HEADER.index("requests")
# The users who fight with tools.
PEOPLE = ("alice", "bob")
CONTROLLERS = {"system:kube-controller-manager": "kube-controller-manager"}


@dataclasses.dataclass
class Row:
    requests: int = 0
    denied: int = 0
    warned: int = 0
    false_denials: int = 0
    false_warnings: int = 0
    fights: int = 0
    fights_denied: int = 0
    fights_reported: int = 0
    fights_recorded: int = 0
    fights_missed: int = 0

    def __add__(self, other):
        return Row(*map(sum, zip(dataclasses.astuple(self), dataclasses.astuple(other))))


def rows(judged):
    """{tool: its row}, the tools in the order in which they appear, and what controllers of Kubernetes do last."""
    found = {each.phase.name.partition(": ")[0]: Row() for each in judged} | {name: Row() for name in CONTROLLERS.values()}
    fights = {}
    for each in judged:
        tool, action = _writer(each), each.action(PROFILE)
        if each.phase.is_fight and each.request["userInfo"]["username"] in PEOPLE:
            fights.setdefault(each.phase.name, []).append(action)
        else:
            _count(found[tool], each, action)
    for name, actions in fights.items():
        _count_fight(found[name.partition(": ")[0]], max(actions, key=STRENGTH.index))
    return found


def _count_fight(row, action):
    row.fights += 1
    row.fights_denied += action == "deny"
    row.fights_reported += action == "warn"
    row.fights_recorded += action == "audit"
    row.fights_missed += action == "off"


def _writer(each):
    return CONTROLLERS.get(each.request["userInfo"]["username"], each.phase.name.partition(": ")[0])


def _count(row, each, action):
    row.requests += 1
    if action not in golden.told:
        return
    is_false = golden.unremarked(TOOL, each, PROFILE, action)
    row.denied += action == "deny"
    row.warned += action == "warn"
    row.false_denials += is_false and action == "deny"
    row.false_warnings += is_false and action == "warn"


def table_of(judged):
    """The lines of the table in Markdown, with the sum of all."""
    found = rows(judged)
    cells = [[tool, *map(str, dataclasses.astuple(row))] for tool, row in found.items()]
    cells.append(["**all**", *map(str, dataclasses.astuple(sum(found.values(), Row())))])
    return ["| " + " | ".join(each) + " |" for each in [HEADER, ["---"] + ["--:"] * (len(HEADER) - 1), *cells]]


def write(table):
    FILE.write_text("\n".join(table) + "\n")


def problems(table):
    """How it differs from the golden one, but for the numbers that depend on the machine."""
    before = FILE.read_text().splitlines() if FILE.exists() else []
    return [f"golden/day.md: no longer so: {line}" for line in before if _exact(line) not in map(_exact, table)] + [
        f"golden/day.md: now so: {line}" for line in table if _exact(line) not in map(_exact, before)]


def _exact(line):
    cells = line.split(" | ")
    return cells[:INEXACT] + cells[INEXACT + 1:]
