#include "webhook/telemetry/shadow_difference.h"

/* How many findings of each rule have each action. */
static void count_findings(const struct verdict *verdict, int counts[RULE_COUNT][ACTION_COUNT], int step)
{
    for (size_t i = 0; i < verdict->finding_count; i++)
        counts[verdict->findings[i].rule][verdict->findings[i].policy_action] += step;
}

static bool have_other_findings(const struct verdict *verdict, const struct verdict *shadow)
{
    int counts[RULE_COUNT][ACTION_COUNT] = {{0}};
    count_findings(verdict, counts, 1);
    count_findings(shadow, counts, -1);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int action = 0; action < ACTION_COUNT; action++)
            if (counts[rule][action])
                return true;
    return false;
}

enum action shadow_action(const struct verdict *verdict)
{
    enum action strongest = ACTION_OFF;
    for (size_t i = 0; i < verdict->finding_count; i++)
        if (verdict->findings[i].policy_action > strongest)
            strongest = verdict->findings[i].policy_action;
    return strongest;
}

enum shadow_difference shadow_compare(const struct verdict *verdict, const struct verdict *shadow)
{
    enum action now = shadow_action(verdict), then = shadow_action(shadow);
    if (now != then && then == ACTION_DENY)
        return SHADOW_NEWLY_DENIED;
    if (now != then && now == ACTION_DENY)
        return SHADOW_NO_LONGER_DENIED;
    if (now != then && then == ACTION_WARN)
        return SHADOW_NEWLY_WARNED;
    if (now != then && now == ACTION_WARN)
        return SHADOW_NO_LONGER_WARNED;
    return have_other_findings(verdict, shadow) ? SHADOW_OTHER_FINDINGS : SHADOW_SAME;
}

const char *shadow_difference_name(enum shadow_difference difference)
{
    static const char *const names[SHADOW_DIFFERENCE_COUNT] = {
        "same", "newly-denied", "no-longer-denied", "newly-warned", "no-longer-warned", "other-findings"};
    return names[difference];
}
