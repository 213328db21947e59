#include "commands/scan/expect.h"

#include "base/array_size.h"
#include "base/glob.h"
#include "policy/config/config_reader.h"
#include "policy/fieldset/fields.h"
#include "policy/review/review.h"
#include "policy/verdict/finding_fields.h"
#include "policy/verdict/message.h"

#include <stddef.h>

/*
 * The file
 */

static const struct config_key expectation_keys[] = {
    {.name = "fields",
     .read_each = config_read_owned_path,
     .offset = offsetof(struct scan_expectation, fields),
     .required = true},
    {.name = "managers",
     .read_each = config_read_manager_name,
     .offset = offsetof(struct scan_expectation, managers),
     .required = true},
    {.name = "kinds", .read_each = config_read_kind, .offset = offsetof(struct scan_expectation, kinds)},
    {.name = "namespaces",
     .read_each = config_read_namespace,
     .offset = offsetof(struct scan_expectation, namespaces)},
    {.name = "names",
     .read_each = config_read_object_name,
     .offset = offsetof(struct scan_expectation, names)},
};

static int read_expectation(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        expectation_keys, ARRAY_SIZE(expectation_keys),
        "{fields: [.spec.replicas], managers: [keda-operator]}"};
    return config_read_map(value, &keys, target);
}

static int read_expectations(const struct config_value *value, void *target)
{
    struct scan_expectations *expectations = target;
    expectations->items =
        config_read_list(value, read_expectation, sizeof(struct scan_expectation), &expectations->count);
    return expectations->items ? 0 : -1;
}

static int read_kind(const struct config_value *value, void *target)
{
    (void)target;
    return config_read_constant(value, "Ownership");
}

static const struct config_key file_keys[] = {
    {.name = "apiVersion", .read = config_read_api_version, .required = true},
    {.name = "kind", .read = read_kind, .required = true},
    {.name = "expect", .read = read_expectations, .required = true},
};

bool scan_expectations_read(
    struct slice text, struct arena *arena, struct policy_problems *problems,
    struct scan_expectations *expectations)
{
    static const struct config_keys keys = {
        file_keys, ARRAY_SIZE(file_keys), "{apiVersion: applyguard.io/v1, kind: Ownership, expect: []}"};
    struct config_reader reader = {
        .file = "the file",
        .reference = "what docs/scan.md lists",
        .arena = arena,
        .problems = problems,
    };
    *expectations = (struct scan_expectations){0};
    return config_read_file(&reader, text, &keys, expectations);
}

/*
 * An object
 */

static bool matches(struct slice_list globs, struct slice text)
{
    return !globs.count || glob_match_any(globs.items, globs.count, text);
}

struct owned {
    const struct scan_expectation *expectation;
    struct finding_fields fields;
};

static bool visit(void *context, const struct path *path)
{
    struct owned *owned = context;
    const struct slice_list *patterns = &owned->expectation->fields;
    for (size_t i = 0; i < patterns->count; i++) {
        if (path_pattern_covers(patterns->items[i], path, owned->fields.arena)) {
            finding_fields_add(&owned->fields, path);
            break;
        }
    }
    return true;
}

static struct slice describe(
    const struct review *review, const struct managed_fields_entry *entry, const struct owned *owned)
{
    const struct slice_list *managers = &owned->expectation->managers;
    struct text text = text_start(review->arena, 200);
    text_append_all(
        &text, message_manager(&entry->manager), " owns ",
        message_fields(owned->fields.items, owned->fields.total), ", which ");
    for (size_t i = 0; i < managers->count; i++)
        text_append_all(&text, i ? " or " : "", as_printable(managers->items[i]));
    text_append_string(&text, " should own");
    return text_slice(&text);
}

static void judge_entry(
    const struct scan_expectation *expectation, const struct managed_fields_entry *entry,
    struct verdict *verdict)
{
    const struct review *review = verdict->review;
    struct owned owned = {.expectation = expectation};
    if (!finding_fields_start(&owned.fields, review->arena))
        return;
    enum fields_result result = fields_difference(entry_fields(entry), NULL, review->lookup, visit, &owned);
    if (result != FIELDS_OK)
        verdict_add_unread_fields(verdict, result);
    if (!owned.fields.total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_manager_scope,
            .action = ACTION_DENY,
            .message = describe(review, entry, &owned),
            FINDING_FIELDS(owned.fields),
            .has_writer = true,
            .writer = entry->manager,
        });
}

void scan_expectations_judge(const struct scan_expectations *expectations, struct verdict *verdict)
{
    const struct review *review = verdict->review;
    const struct managed_fields *side = &review->ownership.after;
    /* The file asks for it, under any policy. */
    verdict->policy_actions[RULE_manager_scope] = ACTION_DENY;
    for (size_t i = 0; i < expectations->count; i++) {
        const struct scan_expectation *expectation = &expectations->items[i];
        if (!matches(expectation->kinds, review->group_kind) ||
            !matches(expectation->namespaces, review->namespace) ||
            !matches(expectation->names, review->name))
            continue;
        for (size_t j = 0; j < side->count; j++)
            if (!matches(expectation->managers, side->entries[j].manager.name))
                judge_entry(expectation, &side->entries[j], verdict);
    }
    verdict_finish(verdict);
}
