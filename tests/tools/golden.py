"""golden.py: the table of findings in a tool's life, kept in golden/TOOL.txt and compared line by line.

    resync
      chart  UPDATE Role web by argocd-application-controller: ownership-conflict warn/deny .rules
    fight: kubectl edit
      chart  UPDATE Deployment web by kubectl-edit: ownership-conflict warn/deny .spec.replicas
    fight: kubectl rollout restart
      nobody is told

A line is a finding under the profiles `baseline/strict`, `chart` where the chart's own kinds include the object, else
`all`. A warning or denial in normal life, and a fight that is not reported, need a sentence in remarks.txt:

    right  WHY: its user needs the warning or denial
        TOOL: PHASE: LINE, with * for any text; several are several lines
    wrong  WHY: it must go, or must be reported; none of these is left when the rules are right
        ...
"""

import collections
import functools
import re
from pathlib import Path

from verdicts import PROFILES, STRENGTH

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "golden"
REMARKS = HERE / "remarks.txt"
NOBODY = "nobody is told"
told = ("warn", "deny")


def table_of(phases, judged):
    """{title of a phase: its lines}, of the findings."""
    lines = collections.defaultdict(set)
    for each in judged:
        lines[each.phase.title].update(_lines(each))
    for phase in phases:
        if phase.is_fight and not any(map(_is_reported, lines[phase.title])):
            lines[phase.title].add(NOBODY)
    return {phase.title: sorted(lines[phase.title]) for phase in phases}


def _lines(judged):
    scope = "chart" if judged.in_chart else "all"
    for rule in sorted({finding["rule"] for profile in PROFILES for finding in judged.findings[profile]}):
        found = {profile: [each for each in judged.findings[profile] if each["rule"] == rule] for profile in PROFILES}
        actions = [_strongest(found[profile]) for profile in PROFILES]
        worst = max(actions, key=STRENGTH.index)
        fields = {field for profile in PROFILES for each in found[profile] if each["action"] == worst
                  for field in each.get("fields", [])}
        yield f"{scope:5}  {_described(judged)}: {rule} {'/'.join(actions)} {_shortened(sorted(fields))}".rstrip()


def _strongest(findings):
    return max((each["action"] for each in findings), key=STRENGTH.index, default="off")


def _described(judged):
    request = judged.request
    metadata = (request["object"] or request["oldObject"])["metadata"]
    generated = metadata.get("generateName")
    name = f"{generated}*" if generated else re.sub(r"-[0-9a-f]{8,10}(?=-|$)", "-*", metadata["name"])
    dry_run = " (dry run)" if request.get("dryRun") else ""
    return f"{request['operation']} {request['kind']['kind']} {name} by {_writer(judged)}{dry_run}"


def _writer(judged):
    """The manager's name, and for who gives none: the user's."""
    named = (judged.request.get("options") or {}).get("fieldManager")
    takers = [each["taker"]["manager"] for profile in PROFILES for each in judged.findings[profile] if "taker" in each]
    return named or (takers[0] if takers else judged.request["userInfo"]["username"].rpartition(":")[2])


def _shortened(fields, most=3):
    more = f" and {len(fields) - most} more" if len(fields) > most else ""
    return ", ".join(fields[:most]) + more


def _is_reported(line):
    """Whether a profile reports it."""
    return line != NOBODY and any(action in told for action in line.partition(": ")[2].split()[1].split("/"))


def read(tool):
    file, table, title = FOLDER / f"{tool}.txt", {}, None
    for text in file.read_text().splitlines() if file.exists() else []:
        if text.startswith("  "):
            table[title].append(text[2:])
        else:
            title = text
            table[title] = []
    return table


def write(tool, table):
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{tool}.txt").write_text(
        "".join(f"{title}\n" + "".join(f"  {line}\n" for line in lines) for title, lines in table.items()))


def problems(tool, found):
    """The faults of this table: how it differs from the golden one, and what in it has no remark."""
    golden, complaints = read(tool), []
    for title in [*golden, *(title for title in found if title not in golden)]:
        before, after = golden.get(title, []), found.get(title, [])
        complaints += [f"{tool}: {title}: no longer found: {line}" for line in before if line not in after]
        complaints += [f"{tool}: {title}: not in the table: {line}" for line in after if line not in before]
    if list(golden) != list(found):
        complaints.append(f"{tool}: the phases are now: {', '.join(found)}")
    patterns = [pattern for _, _, patterns in remarks() for pattern in patterns]
    complaints += [f"no remark on {each}" for each in _remarkable(tool, found)
                   if not any(_matches(pattern, each) for pattern in patterns)]
    return complaints


def _remarkable(tool, table):
    for title, lines in table.items():
        is_fight = title.startswith("fight: ")
        yield from (f"{tool}: {title}: {line}" for line in lines if (line == NOBODY if is_fight else _is_reported(line)))


@functools.cache
def remarks():
    """[(right or wrong, the sentence, its patterns)]"""
    found = []
    for text in REMARKS.read_text().splitlines():
        if text.startswith("    "):
            found[-1][2].append(text.strip())
        elif text and not text.startswith("#"):
            verdict, _, sentence = text.partition("  ")
            if verdict not in ("right", "wrong") or not sentence:
                raise ValueError(f"{REMARKS}: neither right nor wrong: {text}")
            found.append((verdict, sentence, []))
    return found


def _matches(pattern, text):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text)


def unremarked(tool, judged, profile, action):
    """Whether a finding of this action in normal life has a line that no remark calls right."""
    patterns = [pattern for verdict, _, patterns in remarks() if verdict == "right" for pattern in patterns]
    rules = {finding["rule"] for finding in judged.findings[profile] if finding["action"] == action}
    lines = [line for line in _lines(judged) if line.partition(": ")[2].split()[0] in rules]
    return not all(any(_matches(pattern, f"{tool}: {judged.phase.title}: {line}") for pattern in patterns) for line in lines)


def stale_remarks():
    """Patterns that no golden table needs any more."""
    needed = [each for file in FOLDER.glob("*.txt") for each in _remarkable(file.stem, read(file.stem))]
    return [f"remarks.txt: on nothing that is found: {pattern}" for _, _, patterns in remarks() for pattern in patterns
            if not any(_matches(pattern, each) for each in needed)]


def wrong(tool):
    """How many lines of the golden table are known to be wrong."""
    patterns = [pattern for verdict, _, patterns in remarks() if verdict == "wrong" for pattern in patterns]
    return sum(any(_matches(pattern, each) for pattern in patterns) for each in _remarkable(tool, read(tool)))
