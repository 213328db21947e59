#include "base/glob.h"
#include "policy/config/config.h"
#include "policy/review/applied.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct explicit_fields_settings {
    struct kind_paths_list fields;
};

static const struct explicit_fields_settings defaults = {{NULL, 0}};

static const struct setting settings[] = {
    {"fields", SETTING_PATHS_BY_KIND, offsetof(struct explicit_fields_settings, fields),
     "for each kind, the fields that an applied configuration must declare"},
};

/* Only [*] can be looked for in a manifest: which fields are a list's keys is not known there. */
static const char *check(const void *checked, bool is_on)
{
    (void)is_on;
    const struct explicit_fields_settings *set = checked;
    for (size_t i = 0; i < set->fields.count; i++) {
        const struct slice_list *paths = &set->fields.items[i].paths;
        for (size_t j = 0; j < paths->count; j++) {
            struct slice rest = paths->items[j];
            for (size_t bracket; (bracket = slice_find(rest, '[')) < rest.length;) {
                rest = slice_from(rest, bracket);
                if (!slice_starts_with(rest, SLICE("[*]")))
                    return "paths may have [*] only, not a certain list item";
                rest = slice_from(rest, 3);
            }
        }
    }
    return NULL;
}

static void report(
    const struct review *review, struct verdict *verdict, const struct slice *missing, size_t count)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_explicit_fields,
            .action = ACTION_DENY,
            .message = text_join(
                review->arena, "the policy requires ", message_fields(missing, count),
                " in the manifest; add ", message_for(count, "it", "them")),
            .fields = missing,
            .field_count = count < FINDING_FIELDS_MAX ? count : FINDING_FIELDS_MAX,
            .field_total = count,
        });
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct explicit_fields_settings *set = verdict->policy->settings[RULE_explicit_fields];
    if (applied_is_partial(review))
        return;
    for (size_t i = 0; i < set->fields.count; i++) {
        const struct kind_paths *line = &set->fields.items[i];
        if (!glob_match(line->kind, review->group_kind))
            continue;
        struct slice *missing = arena_allocate_array(review->arena, line->paths.count, sizeof(*missing));
        if (!missing)
            return;
        size_t count = 0;
        for (size_t j = 0; j < line->paths.count; j++) {
            if (applied_declares(review, line->paths.items[j]) == DECLARED_NO)
                missing[count++] = text_printable(review->arena, line->paths.items[j]);
        }
        if (count)
            report(review, verdict, missing, count);
    }
}

const struct rule_definition rule_explicit_fields = {
    .judge = judge,
    .judges_objects = true,
    RULE_SETTINGS(settings, defaults),
    .check = check,
};
