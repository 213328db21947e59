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
     .read = config_read_owned_paths,
     .offset = offsetof(struct scan_expectation, fields),
     .required = true},
    {.name = "managers",
     .read = config_read_manager_names,
     .offset = offsetof(struct scan_expectation, managers),
     .required = true},
    {.name = "kinds", .read = config_read_kinds, .offset = offsetof(struct scan_expectation, kinds)},
    {.name = "namespaces",
     .read = config_read_namespaces,
     .offset = offsetof(struct scan_expectation, namespaces)},
    {.name = "names", .read = config_read_object_names, .offset = offsetof(struct scan_expectation, names)},
};

static int read_expectation(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        expectation_keys, ARRAY_SIZE(expectation_keys),
        "{fields: [.spec.replicas], managers: [keda-operator]}"};
    return config_read_map(reader, path, node, &keys, target);
}

static int read_expectations(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct scan_expectations *expectations = target;
    expectations->items = config_read_list(
        reader, path, node, read_expectation, sizeof(struct scan_expectation), &expectations->count);
    return expectations->items ? 0 : -1;
}

static int read_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    return config_read_constant(reader, path, node, "Ownership");
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
    struct error error = {0};
    *expectations = (struct scan_expectations){0};
    const struct yaml_node *root = yaml_read_on(text, arena, config_add_yaml_problem, &reader, &error);
    if (!root)
        config_add_problem(&reader, POLICY_BROKEN, &error);
    else
        config_read_map(&reader, NULL, root, &keys, expectations);
    if (arena_has_failed(arena))
        config_out_of_memory(&reader);
    return !reader.is_broken;
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
    return !owned->fields.out_of_memory;
}

static struct slice describe(
    const struct review *review, const struct managed_fields_entry *entry, const struct owned *owned)
{
    const struct slice_list *managers = &owned->expectation->managers;
    struct text text = text_start(review->arena, 200);
    message_append_manager(&text, &entry->manager);
    text_append_string(&text, " owns ");
    message_append_fields(&text, owned->fields.items, owned->fields.total);
    text_append_string(&text, ", which ");
    for (size_t i = 0; i < managers->count; i++) {
        text_append_string(&text, i ? " or " : "");
        text_append_printable(&text, managers->items[i]);
    }
    text_append_string(&text, " should own");
    return text_slice(&text);
}

static void judge_entry(
    const struct scan_expectation *expectation, const struct managed_fields_entry *entry,
    struct verdict *verdict)
{
    const struct review *review = verdict->review;
    struct owned owned = {.expectation = expectation};
    if (!finding_fields_start(&owned.fields, review->arena)) {
        verdict->out_of_memory = true;
        return;
    }
    enum fields_result result = fields_difference(entry_fields(entry), NULL, review->lookup, visit, &owned);
    if (fields_unread(result))
        verdict_add_unread_fields(verdict, result);
    verdict->out_of_memory |= owned.fields.out_of_memory || result == FIELDS_OUT_OF_MEMORY;
    if (!owned.fields.total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_manager_scope,
            .action = ACTION_DENY,
            .message = describe(review, entry, &owned),
            .fields = owned.fields.items,
            .field_count = owned.fields.listed,
            .field_total = owned.fields.total,
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
