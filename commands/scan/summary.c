#include "commands/scan/summary.h"

#include "base/json.h"
#include "base/text.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"

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
    yyjson_obj_iter members;
    yyjson_obj_iter_init(annotations, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));)
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
    struct text text = text_start(arena, 128);
    text_append_printable(&text, review->group_kind);
    text_append_string(&text, " ");
    text_append_printable(&text, review->namespace);
    text_append_string(&text, review->namespace.length ? "/" : "");
    text_append_printable(&text, review->name);
    return text_slice(&text);
}

/* Returns false if memory runs out. Only a few objects get into the list, so little is copied. */
static bool note_large(
    struct scan_large list[SCAN_LARGEST], uint64_t bytes, const struct review *review, struct arena *arena)
{
    size_t place = SCAN_LARGEST;
    while (place && bytes > list[place - 1].bytes)
        place--;
    if (place == SCAN_LARGEST)
        return true;
    struct slice object = arena_copy(arena, name_object(review, review->arena));
    for (size_t i = SCAN_LARGEST - 1; i > place; i--)
        list[i] = list[i - 1];
    list[place] = (struct scan_large){object, bytes};
    return object.bytes != NULL;
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
    struct scan_kind *kind = scan_table_add(&summary->kinds, review->group_kind);
    if (!kind)
        return false;
    kind->objects++;
    add_budget(&kind->budget, &budget);
    add_budget(&summary->budget, &budget);
    return note_large(summary->annotations, budget.annotations, review, summary->arena) &&
        note_large(summary->managed_fields, budget.managed_fields, review, summary->arena);
}

bool scan_summary_add_object(struct scan_summary *summary, const struct review *review)
{
    summary->objects++;
    return add_kind(summary, review) && scan_managers_add(&summary->managers, review);
}

/*
 * Its findings
 */

bool scan_summary_keep_example(struct scan_summary *summary, enum rule_id rule, struct slice message)
{
    struct scan_examples *examples = &summary->examples[rule];
    if (examples->count >= (summary->keeps_all ? SCAN_EXAMPLES_ALL : SCAN_EXAMPLES))
        return true;
    struct slice *messages = arena_grow(
        summary->arena, examples->messages, examples->count, &examples->capacity, sizeof(*messages));
    struct slice copy = messages ? arena_copy(summary->arena, message) : (struct slice){NULL, 0};
    if (!copy.bytes)
        return false;
    examples->messages = messages;
    messages[examples->count++] = copy;
    return true;
}

bool scan_summary_add_findings(struct scan_summary *summary, const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        summary->findings[finding->rule][finding->policy_action]++;
        if (!scan_summary_keep_example(summary, finding->rule, finding->message))
            return false;
    }
    return true;
}

/* A leftover time of a restart does no harm. */
static bool is_stuck(const struct verdict *verdict)
{
    static const char restart[] = "kubectl.kubernetes.io/restartedAt";
    const struct finding *finding = NULL;
    while ((finding = verdict_next(verdict, RULE_orphaned_fields, ACTION_OFF, finding))) {
        struct slice field = finding->field_count ? finding->fields[0] : (struct slice){"", 0};
        size_t length = sizeof(restart) - 1;
        bool is_restart = field.length >= length &&
            slice_equal(slice_from(field, field.length - length), slice_of(restart));
        if (!is_restart || finding->field_total > 1)
            return true;
    }
    return false;
}

static bool has_update_of_applier(const struct ownership *ownership)
{
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (entry->manager.operation == MANAGER_UPDATE && !entry->manager.subresource.length &&
            ownership_class(ownership, entry) == CLASS_APPLIER)
            return true;
    }
    return false;
}

enum scan_readiness scan_readiness_of(const struct verdict *verdict)
{
    const struct ownership *ownership = &verdict->review->ownership;
    if (!ownership->writer.known)
        return SCAN_NOT_APPLIED;
    if (is_stuck(verdict))
        return SCAN_STUCK;
    return has_update_of_applier(ownership) ? SCAN_MIGRATE : SCAN_READY;
}

const char *scan_readiness_name(enum scan_readiness readiness)
{
    static const char *const names[] = {NULL, "ready", "migrate", "stuck"};
    return names[readiness];
}

void scan_summary_end(struct scan_summary *summary)
{
    scan_managers_sort(&summary->managers);
    scan_table_sort(&summary->kinds, scan_table_compare_names);
    scan_table_sort(&summary->forbidden, scan_table_compare_names);
    scan_table_sort(&summary->old_versions, scan_table_compare_names);
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
