/*
 * A policy to start with: the strongest profile that denies nothing of what is stored, and classes for
 * managers that no table knows.
 */
#include "commands/scan/scan.h"
#include "policy/config/suggestion.h"

/* So many managers are proposed a class: people read each line. */
#define CLASSES_MAX 50

static bool denies(const struct scan_summary *summary, size_t profile)
{
    for (int rule = 0; rule < RULE_COUNT; rule++)
        if (summary->denied[profile][rule])
            return true;
    return false;
}

/* As an index of suggestion_profiles. */
static size_t choose_profile(const struct scan_summary *summary)
{
    size_t profile = 0;
    while (profile < SUGGESTION_PROFILES && denies(summary, profile))
        profile++;
    return profile;
}

/* "# strict would deny: last-applied-secret 3, applyset 1" */
static void append_denials(struct text *text, const struct scan_summary *summary, size_t profile)
{
    const char *before = " would deny: ";
    text_append_all(text, "# ", profile_name(suggestion_profiles[profile]));
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        if (!summary->denied[profile][rule])
            continue;
        text_append_all(text, before, rules[rule].name, " ", summary->denied[profile][rule]);
        before = ", ";
    }
    text_append_string(text, "\n");
}

/* The class that the manager has in other objects; else adhoc, the cautious guess. */
static enum manager_class guess_class(const struct scan_manager *manager)
{
    if (manager->classes[CLASS_APPLIER])
        return CLASS_APPLIER;
    return manager->classes[CLASS_CONTROLLER] ? CLASS_CONTROLLER : CLASS_AD_HOC;
}

static void append_evidence(struct text *text, const struct scan_manager *manager)
{
    if (manager->classes[CLASS_APPLIER])
        text_append_string(text, "keeps its configuration on some objects; ");
    else if (manager->evidence[SCAN_EVIDENCE_SUBRESOURCE])
        text_append_string(text, "writes status or scale of some objects; ");
    else if (manager->classes[CLASS_CONTROLLER])
        text_append_string(text, "made some objects for others; ");
    else
        text_append_string(text, "a guess; ");
    text_append_all(
        text, "owns ", as_count(manager->fields, "field of ", "fields of "),
        as_count(manager->objects, "object", "objects"));
    if (manager->last[0])
        text_append_all(text, ", last write ", slice_until(scan_time(manager->last), 10));
    text_append_string(text, "\n");
}

static void append_classes(struct text *text, const struct scan_summary *summary)
{
    size_t shown = 0;
    for (size_t i = 0; i < summary->managers.count && shown < CLASSES_MAX; i++) {
        const struct scan_manager *manager = name_table_item(&summary->managers, i);
        if (!manager->classes[CLASS_UNKNOWN] || manager->operation != MANAGER_UPDATE || !manager->name.length)
            continue;
        if (!shown++)
            text_append_string(
                text,
                "# Managers of unknown class. Uncomment the lines that are right, and scan with this "
                "policy.\n"
                "# managers:\n");
        suggestion_append_manager(text, manager->name, guess_class(manager));
        append_evidence(text, manager);
    }
}

void scan_append_suggestion(struct text *text, const struct scan_summary *summary)
{
    size_t profile = choose_profile(summary);
    text_append_all(
        text, "# By applyguard scan: of ",
        as_count(
            summary->objects, "stored object, this policy denies nothing.\n",
            "stored objects, this policy denies nothing.\n"));
    if (summary->is_partial || summary->forbidden.count)
        text_append_string(text, "# Some objects could not be read.\n");
    for (size_t i = 0; i < profile; i++)
        append_denials(text, summary, i);
    suggestion_append_head(text, suggestion_profiles[profile]);
    append_classes(text, summary);
}
