#include "commands/check/comment_waivers.h"

#include "base/words.h"
#include "base/yaml.h"
#include "policy/rules.h"

static const char *nearest_rule(struct slice name)
{
    const char *names[RULE_COUNT];
    for (size_t i = 0; i < RULE_COUNT; i++)
        names[i] = rules[i].name;
    return word_nearest(name, names, RULE_COUNT);
}

bool comment_waiver_is_void(const struct manifest_waiver *waiver, struct arena *scratch, struct error *note)
{
    static const char several[] =
        "this waiver waives nothing: it names several rules; write a comment for each";
    static const char none[] = "this waiver waives nothing: it names no rule; write RULE REASON after it";
    enum rule_id rule;
    if (rule_find(waiver->rule, &rule))
        return false;
    const char *nearest = nearest_rule(waiver->rule);
    if (!waiver->rule.length || slice_contains(waiver->rule, ','))
        error_set_at(note, waiver->line, waiver->column, "%s", waiver->rule.length ? several : none);
    else
        error_set_at(
            note, waiver->line, waiver->column, "this waiver waives nothing: there is no rule \"%s\"%s%s%s",
            yaml_excerpt(scratch, waiver->rule), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
            nearest ? "\"?" : "");
    return true;
}

/* A finding of the rule that is not waived; returns NULL if it has none, or the waiver has its own. */
static const struct report_finding *find_elsewhere(
    const struct manifest_waiver *waiver, const struct judged_object *judged, enum rule_id rule)
{
    const struct report_finding *elsewhere = NULL;
    for (size_t i = 0; i < judged->finding_count; i++) {
        const struct report_finding *finding = &judged->findings[i];
        if (finding->rule != rule)
            continue;
        if (finding->line == waiver->line || finding->line == waiver->for_line)
            return NULL;
        if (!finding->is_waived && !elsewhere)
            elsewhere = finding;
    }
    return elsewhere;
}

/*
 * The lines of unlisted findings are unknown, and so are the lines of findings in the origin of rendered
 * text.
 */
static bool has_all_lines(const struct judged_object *judged)
{
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++)
        if (judged->item.dropped[action])
            return false;
    return judged->item.line;
}

bool comment_waiver_is_misplaced(
    const struct manifest_waiver *waiver, const struct judged_object *judged, struct error *note)
{
    enum rule_id rule;
    const struct report_finding *elsewhere =
        rule_find(waiver->rule, &rule) && has_all_lines(judged) ? find_elsewhere(waiver, judged, rule) : NULL;
    if (!elsewhere)
        return false;
    error_set_at(
        note, waiver->line, waiver->column,
        "this waiver waives nothing: %s is found on line %u, so write the comment there or above",
        rules[rule].name, elsewhere->line);
    return true;
}
