#include "policy/verdict/difference.h"

/* How many findings of each rule have each action. */
static void count_findings(const struct verdict *verdict, int counts[RULE_COUNT][ACTION_COUNT], int step)
{
    for (size_t i = 0; i < verdict->finding_count; i++)
        counts[verdict->findings[i].rule][verdict->findings[i].policy_action] += step;
}

static bool have_other_findings(const struct verdict *verdict, const struct verdict *other)
{
    int counts[RULE_COUNT][ACTION_COUNT] = {{0}};
    count_findings(verdict, counts, 1);
    count_findings(other, counts, -1);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int action = 0; action < ACTION_COUNT; action++)
            if (counts[rule][action])
                return true;
    return false;
}

enum action verdict_strongest(const struct verdict *verdict)
{
    enum action strongest = ACTION_OFF;
    for (size_t i = 0; i < verdict->finding_count; i++)
        if (verdict->findings[i].policy_action > strongest)
            strongest = verdict->findings[i].policy_action;
    return strongest;
}

enum verdict_difference action_difference(enum action now, enum action then)
{
    if (now == then)
        return DIFFERENCE_NONE;
    if (then == ACTION_DENY)
        return DIFFERENCE_NEWLY_DENIED;
    if (now == ACTION_DENY)
        return DIFFERENCE_NO_LONGER_DENIED;
    if (then == ACTION_WARN)
        return DIFFERENCE_NEWLY_WARNED;
    return now == ACTION_WARN ? DIFFERENCE_NO_LONGER_WARNED : DIFFERENCE_NONE;
}

enum verdict_difference verdict_compare(const struct verdict *verdict, const struct verdict *other)
{
    enum verdict_difference difference =
        action_difference(verdict_strongest(verdict), verdict_strongest(other));
    if (difference == DIFFERENCE_NONE && have_other_findings(verdict, other))
        return DIFFERENCE_OTHER_FINDINGS;
    return difference;
}

const char *verdict_difference_name(enum verdict_difference difference)
{
    static const char *const names[DIFFERENCE_COUNT] = {
        "same", "newly-denied", "no-longer-denied", "newly-warned", "no-longer-warned", "other-findings"};
    return names[difference];
}
