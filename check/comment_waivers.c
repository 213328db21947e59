#include "check/comment_waivers.h"

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
