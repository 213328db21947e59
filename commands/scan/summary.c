#include "commands/scan/summary.h"

#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"
#include "policy/review/review.h"

#include <string.h>

void scan_summary_start(struct scan_summary *summary, struct arena *arena, bool keeps_all)
{
    *summary = (struct scan_summary){
        .arena = arena,
        .keeps_all = keeps_all,
        .managers = {.arena = arena, .record_bytes = sizeof(struct scan_manager), .limit = SCAN_MANAGERS_MAX},
        .kinds = {.arena = arena, .record_bytes = sizeof(struct scan_kind)},
        .forbidden = {.arena = arena, .record_bytes = sizeof(struct scan_count)},
        .old_versions = {.arena = arena, .record_bytes = sizeof(struct scan_count)},
    };
}

/*
 * Its budget
 */

static uint64_t bytes_of_annotations(yyjson_val *annotations)
{
    uint64_t bytes = 0;
    json_each_key(key, annotations)
        bytes += yyjson_get_len(key) + yyjson_get_len(yyjson_obj_iter_get_val(key));
    return bytes;
}

static void add_budget(struct scan_budget *sum, const struct scan_budget *more)
{
    sum->annotations += more->annotations;
    sum->managed_fields += more->managed_fields;
    sum->objects += more->objects;
    sum->last_applied += more->last_applied;
}

static struct slice name_object(const struct review *review, struct arena *arena)
{
    return text_join(
        arena, as_printable(review->group_kind), " ",
        as_qualified(text_append_printable, review->namespace, review->name));
}

/* Keeps the object if it is among the `count` largest of the list, which is in descending order. */
static void note_large(
    struct scan_large *list, size_t count, uint64_t bytes, struct slice kind, const struct review *review)
{
    size_t place = count;
    while (place && bytes > list[place - 1].bytes)
        place--;
    if (place == count)
        return;
    for (size_t i = count - 1; i > place; i--)
        list[i] = list[i - 1];
    struct scan_large *large = &list[place];
    struct slice space = text_cut(review->namespace, SCAN_NAMESPACE_BYTES);
    struct slice name = text_cut(review->name, SCAN_OBJECT_NAME_BYTES);
    *large = (struct scan_large){
        .bytes = bytes, .kind = kind, .namespace_length = space.length, .name_length = name.length};
    if (space.length)
        memcpy(large->namespace, space.bytes, space.length);
    if (name.length)
        memcpy(large->name, name.bytes, name.length);
}

void scan_append_large(struct text *text, const struct scan_large *large)
{
    text_append_all(
        text, as_printable((struct slice){large->namespace, large->namespace_length}),
        large->namespace_length ? "/" : "", as_printable((struct slice){large->name, large->name_length}));
}

static struct scan_budget budget_of(const struct review *review)
{
    const struct metadata *metadata = &review->parts.metadata;
    return (struct scan_budget){
        .annotations = bytes_of_annotations(metadata->annotations),
        .managed_fields = json_bytes(metadata->managed_fields),
        .objects = json_bytes(review->object),
        .last_applied = review->last_applied.after.length,
    };
}

static bool add_kind(struct scan_summary *summary, const struct review *review)
{
    const struct scan_budget budget = budget_of(review);
    struct scan_kind *kind = name_table_add(&summary->kinds, review->group_kind);
    if (!kind)
        return false;
    if (summary->keeps_all && !kind->largest)
        kind->largest = arena_allocate_array(summary->arena, SCAN_LARGEST_OF_KIND, sizeof(*kind->largest));
    if (summary->keeps_all && !kind->largest)
        return false;
    if (summary->keeps_all)
        note_large(kind->largest, SCAN_LARGEST_OF_KIND, budget.objects, kind->name, review);
    kind->objects++;
    add_budget(&kind->budget, &budget);
    add_budget(&summary->budget, &budget);
    note_large(summary->annotations, SCAN_LARGEST, budget.annotations, kind->name, review);
    note_large(summary->managed_fields, SCAN_LARGEST, budget.managed_fields, kind->name, review);
    return true;
}

bool scan_summary_add_object(struct scan_summary *summary, const struct review *review)
{
    summary->objects++;
    return add_kind(summary, review) && scan_managers_add(&summary->managers, review);
}

bool scan_summary_add_readiness(struct scan_summary *summary, const struct verdict *verdict)
{
    const struct review *review = verdict->review;
    const struct managed_fields_entry *applier = review->ownership.writer.after;
    enum scan_readiness readiness = scan_readiness_of(verdict);
    struct scan_tasks *tasks = &summary->tasks[readiness];
    summary->readiness[readiness]++;
    summary->without_last_applied +=
        applier && applier->manager.operation == MANAGER_APPLY && !review->last_applied.after.bytes;
    bool has_task = readiness == SCAN_MIGRATE || readiness == SCAN_STUCK;
    if (!summary->keeps_all || !has_task || tasks->count >= SCAN_EXAMPLES_ALL)
        return true;
    struct scan_task *items =
        arena_grow(summary->arena, tasks->items, tasks->count, &tasks->capacity, sizeof(*items));
    if (!items)
        return false;
    struct scan_task *task = &items[tasks->count++];
    tasks->items = items;
    task->object = arena_copy(summary->arena, name_object(review, review->arena));
    task->what = arena_copy(summary->arena, scan_readiness_task(verdict, readiness));
    return task->object.bytes && task->what.bytes;
}

/*
 * Its findings
 */

/* The command is the end of the copied message. */
static struct slice end_of(struct slice message, struct slice command)
{
    bool is_end = command.length && slice_ends_with(message, command);
    return is_end ? slice_from(message, message.length - command.length) : SLICE("");
}

bool scan_summary_keep_example(
    struct scan_summary *summary, enum rule_id rule, const struct scan_example *example)
{
    struct scan_examples *examples = &summary->examples[rule];
    if (examples->count >= (summary->keeps_all ? SCAN_EXAMPLES_ALL : SCAN_EXAMPLES))
        return true;
    struct scan_example *items =
        arena_grow(summary->arena, examples->items, examples->count, &examples->capacity, sizeof(*items));
    struct slice copy = items ? arena_copy(summary->arena, example->message) : (struct slice){NULL, 0};
    if (!copy.bytes)
        return false;
    examples->items = items;
    items[examples->count++] = (struct scan_example){copy, end_of(copy, example->command)};
    return true;
}

bool scan_summary_add_findings(struct scan_summary *summary, const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        summary->findings[finding->rule][finding->policy_action]++;
        const struct scan_example example = {finding->message, finding->command};
        if (!scan_summary_keep_example(summary, finding->rule, &example))
            return false;
    }
    return true;
}

/*
 * Overlaps
 */

/* An empty slice stays one. */
static bool copy_text(struct arena *arena, struct slice *text)
{
    if (!text->length)
        return true;
    *text = arena_copy(arena, *text);
    return text->bytes != NULL;
}

bool scan_summary_add_overlap(struct scan_summary *summary, const struct scan_overlap *overlap)
{
    struct arena *arena = summary->arena;
    if (summary->overlap_count == SCAN_EXAMPLES_ALL)
        return true;
    struct scan_overlap *overlaps = arena_grow(
        arena, summary->overlaps, summary->overlap_count, &summary->overlap_capacity, sizeof(*overlaps));
    if (!overlaps)
        return false;
    struct scan_overlap *copy = &overlaps[summary->overlap_count];
    *copy = *overlap;
    summary->overlaps = overlaps;
    summary->overlap_count++;
    return copy_text(arena, &copy->context) && copy_text(arena, &copy->namespace) &&
        copy_text(arena, &copy->kind) && copy_text(arena, &copy->name) &&
        copy_text(arena, &copy->other_kind) && copy_text(arena, &copy->other_name);
}

static void append_workload(
    struct text *text, const struct scan_overlap *overlap, struct slice kind, struct slice name)
{
    text_append_all(
        text, as_printable(slice_until(kind, slice_find(kind, '.'))), " ", as_printable(overlap->namespace),
        "/", as_printable(name));
}

void scan_append_overlap(struct text *text, const struct scan_overlap *overlap)
{
    if (overlap->context.length)
        text_append_all(text, as_printable(overlap->context), ": ");
    append_workload(text, overlap, overlap->kind, overlap->name);
    text_append_string(text, overlap->is_mutual ? " and " : " selects the pods of ");
    append_workload(text, overlap, overlap->other_kind, overlap->other_name);
    text_append_string(text, overlap->is_mutual ? " select each other's pods" : "");
}

void scan_summary_end(struct scan_summary *summary)
{
    scan_managers_sort(&summary->managers);
    name_table_sort(&summary->kinds, slice_compare_items);
    name_table_sort(&summary->forbidden, slice_compare_items);
    name_table_sort(&summary->old_versions, slice_compare_items);
}

bool scan_summary_has_reached(const struct scan_summary *summary, enum action action)
{
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int at_least = (int)action; at_least < ACTION_COUNT; at_least++)
            if (summary->findings[rule][at_least])
                return true;
    return false;
}

uint64_t scan_summary_findings(const struct scan_summary *summary, enum rule_id rule)
{
    uint64_t findings = 0;
    for (int action = ACTION_AUDIT; action < ACTION_COUNT; action++)
        findings += summary->findings[rule][action];
    return findings;
}
