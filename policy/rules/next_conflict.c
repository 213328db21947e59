#include "base/min.h"
#include "policy/analysis/replicas.h"
#include "policy/analysis/stored_object.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/finding_fields.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/tool_habits.h"
#include "policy/verdict/verdict.h"

/* The fields of one finding, and the managers that hold them. */
struct held_fields {
    struct finding_fields fields;
    struct manager *owners;
    size_t owner_count;
};

struct search {
    const struct review *review;
    const struct managed_fields_entry *applier;
    const struct tool_habits *habits;
    const struct managed_fields_entry *others[FIELDSET_OVERLAP_MAX];
    size_t count;
    bool owns_shared[FIELDSET_OVERLAP_MAX], owns_taken[FIELDSET_OVERLAP_MAX];
    struct held_fields shared;   /* the applier owns them as well */
    struct held_fields taken;    /* the applier has lost them, but its manifest must declare them */
    bool applies_whole_workload; /* the applier does */
    struct lookup_cursor *object;
};

/* Tools that force their applies never see a conflict. */
static bool can_conflict(const struct managed_fields_entry *entry, const struct tool_habits *habits)
{
    return manager_meets_conflicts(&entry->manager, habits) && !entry->manager.subresource.length;
}

/*
 * Whether the other manager's fields conflict with those of the applier. Two appliers that set the same field
 * are a matter of multiple-appliers and mixed-apply. kubectl takes over the entry of a former client-side
 * apply.
 */
static bool is_other(const struct search *search, const struct managed_fields_entry *entry)
{
    const struct managed_fields_entry *applier = search->applier;
    enum manager_class class = ownership_class(&search->review->ownership, entry);
    return entry != applier && class != CLASS_APPLIER && class != CLASS_BOOKKEEPING &&
        entries_share_names(search->review, entry, applier) &&
        !manager_is_same_tool(entry->manager.name, applier->manager.name);
}

static bool is_held(struct search *search, const struct path *path)
{
    yyjson_val *value = NULL;
    unsigned absent_depth = 0;
    return lookup_path(search->object, path, &value, &absent_depth) == LOOKUP_FOUND;
}

static bool mark(const struct search *search, const struct overlap_node *node, bool *owns)
{
    bool any = false;
    for (size_t i = 0; i < search->count; i++) {
        bool holds = node->others[i] && fields_is_leaf(node->others[i]);
        owns[i] |= holds;
        any |= holds;
    }
    return any;
}

static bool is_named(const struct path *path, const char *name)
{
    return path && path->kind == PATH_FIELD && slice_equal(path->text, slice_of(name));
}

/* A container of a workload's pods: the API server demands an image of it. */
static bool is_container(const struct path *path)
{
    return path->kind == PATH_KEY &&
        (is_named(path->parent, "containers") || is_named(path->parent, "initContainers")) &&
        is_named(path->parent->parent, "spec") && is_named(path->parent->parent->parent, "template");
}

/* Every complete manifest of a workload has its selector; one of a few fields may lack the image. */
static bool applies_whole_workload(const struct search *search)
{
    return review_is_of_workload(search->review) &&
        fields_child(fields_child(entry_fields(search->applier), SLICE("spec")), SLICE("selector"));
}

/*
 * The applier's manifest has the whole container, but no image is the applier's: another manager has taken
 * it since.
 */
static void find_taken_image(struct search *search, const struct overlap_node *node)
{
    bool any = false;
    const struct path image = path_member(node->path, SLICE("image"));
    if (fields_child(node->fields, SLICE("image")) || !is_held(search, &image))
        return;
    for (size_t i = 0; i < search->count; i++) {
        bool holds = node->others[i] && fields_child(node->others[i], SLICE("image"));
        search->owns_taken[i] |= holds;
        any |= holds;
    }
    if (any)
        finding_fields_add(&search->taken.fields, &image);
}

static enum walk_action visit(void *context, const struct overlap_node *node)
{
    struct search *search = context;
    if (!node->shared)
        return WALK_PASS;
    if (is_container(node->path) && search->applies_whole_workload)
        find_taken_image(search, node);
    if (!node->is_leaf)
        return WALK_DESCEND;
    bool is_counted = node->path->kind != PATH_KEY && !path_is_key_field(node->path) &&
        !field_is_bookkeeping(node->path) && is_held(search, node->path);
    if (is_counted && mark(search, node, search->owns_shared))
        finding_fields_add(&search->shared.fields, node->path);
    return WALK_PASS;
}

static bool start(struct held_fields *held, size_t count, struct arena *arena)
{
    held->owners = arena_allocate_array(arena, count, sizeof(*held->owners));
    return held->owners && finding_fields_start(&held->fields, arena);
}

static void collect_owners(const struct search *search, const bool *owns, struct held_fields *held)
{
    for (size_t i = 0; i < search->count; i++)
        if (owns[i])
            held->owners[held->owner_count++] = search->others[i]->manager;
}

static enum fields_result find(struct search *search)
{
    const struct review *review = search->review;
    yyjson_val *others[FIELDSET_OVERLAP_MAX];
    for (size_t i = 0; i < search->count; i++)
        others[i] = entry_fields(search->others[i]);
    search->applies_whole_workload = applies_whole_workload(search);
    search->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    if (!search->object || !start(&search->shared, search->count, review->arena) ||
        !start(&search->taken, search->count, review->arena))
        return FIELDS_OUT_OF_MEMORY;
    enum fields_result result = fieldset_overlap_walk(
        entry_fields(search->applier), others, search->count, review->lookup, visit, search);
    collect_owners(search, search->owns_shared, &search->shared);
    collect_owners(search, search->owns_taken, &search->taken);
    return result;
}

static struct slice describe_shared(const struct search *search)
{
    const struct held_fields *held = &search->shared;
    return text_join(
        search->review->arena, message_managers(held->owners, held->owner_count, held->owner_count),
        message_for(held->owner_count, " also owns ", " also own "),
        message_fields(held->fields.items, held->fields.total), ", so ", search->habits->refuses, " once ",
        search->habits->source,
        message_for(held->fields.total, " changes it; hand it over", " changes them; hand them over"));
}

static struct slice describe_taken(const struct search *search)
{
    const struct held_fields *held = &search->taken;
    return text_join(
        search->review->arena, message_managers(held->owners, held->owner_count, held->owner_count),
        message_for(held->owner_count, " holds ", " hold "),
        message_fields(held->fields.items, held->fields.total), ", so ", search->habits->refuses,
        message_for(held->fields.total, "; hand it over", "; hand them over"));
}

/* The finding has its message and fields. */
static void add(
    struct verdict *verdict, const struct manager *applier, const struct manager *owners, size_t owner_count,
    struct finding finding)
{
    finding.rule = RULE_next_conflict;
    finding.action = ACTION_DENY;
    finding.command = message_command_migrate(verdict->review, owners, owner_count, applier);
    finding.has_writer = true;
    finding.writer = *applier;
    finding.previous_owners = owners;
    finding.previous_owner_count = min_u64(owner_count, FINDING_PREVIOUS_OWNERS_MAX);
    finding.previous_owner_total = owner_count;
    verdict_add(verdict, &finding);
}

static void report(
    const struct search *search, struct verdict *verdict, const struct held_fields *held,
    struct slice message)
{
    if (held->fields.total)
        add(verdict, &search->applier->manager, held->owners, held->owner_count,
            (struct finding){
                .message = message,
                FINDING_FIELDS(held->fields),
            });
}

static void judge_applier(
    const struct review *review, const struct managed_fields_entry *applier, bool has_release,
    struct verdict *verdict)
{
    struct search search = {
        .review = review,
        .applier = applier,
        .habits = manager_habits(&applier->manager, entry_tool(applier))};
    const struct managed_fields *side = &review->ownership.after;
    if (!can_conflict(applier, search.habits))
        return;
    for (size_t i = 0; i < side->count && search.count < FIELDSET_OVERLAP_MAX; i++)
        if (is_other(&search, &side->entries[i]))
            search.others[search.count++] = &side->entries[i];
    if (!search.count)
        return;
    enum fields_result result = find(&search);
    if (result != FIELDS_OK)
        verdict_add_unread_fields(verdict, result);
    if (result != FIELDS_OK && !fields_unread(result))
        return;
    /* The manifest of a release shows more. */
    if (!has_release)
        report(&search, verdict, &search.taken, describe_taken(&search));
    report(&search, verdict, &search.shared, describe_shared(&search));
}

/* Whether it is a workload's number of replicas, set through the subresource scale. */
static bool is_scale(const struct stored_upgrade *upgrade)
{
    return upgrade->field_total == 1 && slice_equal(upgrade->fields[0], SLICE(REPLICAS_PATH)) &&
        upgrade->owners[0].subresource.length;
}

static struct slice describe_upgrade(const struct review *review, const struct stored_upgrade *upgrade)
{
    const struct managed_fields_entry *applier = review->ownership.writer.after;
    const struct tool_habits *habits = manager_habits(&applier->manager, entry_tool(applier));
    struct text text = text_start(review->arena, 256);
    text_append_all(
        &text, message_managers(upgrade->owners, upgrade->owner_count, upgrade->owner_count), " changed ",
        message_fields(upgrade->fields, upgrade->field_total), ", which its release declares, so ",
        habits->refuses, "; ");
    if (is_scale(upgrade) && habits->leaves_scale)
        text_append_string(&text, habits->leaves_scale);
    else
        text_append_string(&text, message_for(upgrade->field_total, "hand it over", "hand them over"));
    return text_slice(&text);
}

/* The manifest of the object's release decides. */
static void judge_upgrade(
    const struct review *review, const struct stored_upgrade *upgrade, struct verdict *verdict)
{
    if (upgrade->is_refused && upgrade->field_total)
        add(verdict, &review->ownership.writer.manager, upgrade->owners, upgrade->owner_count,
            (struct finding){
                .message = describe_upgrade(review, upgrade),
                .fields = upgrade->fields,
                .field_count = upgrade->field_count,
                .field_total = upgrade->field_total,
            });
}

/* A controller sends the same values again, or forces its applies: no person meets its conflicts. */
static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    const struct writer *applier = &review->ownership.writer;
    if (!applier->after)
        return;
    judge_applier(review, applier->after, object->upgrade != NULL, verdict);
    if (object->upgrade)
        judge_upgrade(review, object->upgrade, verdict);
}

const struct rule_definition rule_next_conflict = {.judge_object = judge_object};
