"""rates.py: how many requests of the tools' normal life are warned of and denied."""

from verdicts import PROFILES

SCOPES = {"chart": "the chart's kinds", "all": "all kinds"}


def of(judged):
    """{(scope, profile): [requests, warned, denied]}, of normal life."""
    counts = {(scope, profile): [0, 0, 0] for scope in SCOPES for profile in PROFILES}
    for each in judged:
        if each.phase.is_fight:
            continue
        for scope in SCOPES:
            if scope == "chart" and not each.in_chart:
                continue
            for profile in PROFILES:
                count, action = counts[scope, profile], each.action(profile)
                count[0] += 1
                count[1] += action == "warn"
                count[2] += action == "deny"
    return counts


def printed(counts_by_tool, wrong_by_tool):
    """The rates as a table, with the sum of several tools."""
    lines = []
    for scope, words in SCOPES.items():
        lines.append(f"{'normal life, ' + words:36}{'requests':>9}" + "".join(f"{profile:>20}" for profile in PROFILES)
                     + ("   known to be wrong" if scope == "all" else ""))
        rows = {tool: counts for tool, counts in counts_by_tool.items()}
        if len(rows) > 1:
            rows["all together"] = {
                key: [sum(counts[key][i] for counts in counts_by_tool.values()) for i in range(3)]
                for key in next(iter(counts_by_tool.values()))}
        for tool, counts in rows.items():
            cells = [f"{counts[scope, profile][1]:>4} warned {counts[scope, profile][2]:>4} denied" for profile in PROFILES]
            marks = wrong_by_tool.get(tool, sum(wrong_by_tool.values()))
            lines.append(f"  {tool:34}{counts[scope, PROFILES[0]][0]:>9}" + "".join(f"{cell:>24}" for cell in cells)
                         + (f"{marks:>8} lines" if scope == "all" else ""))
    return "\n".join(lines)
