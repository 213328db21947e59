#include "base/json.h"
#include "base/json_changes.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/finding_fields.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* The sets that an owner's fields are compared with; the last only if it is another one than these fields. */
enum { OF_WRITER, OWNED_BEFORE, SET_COUNT };

/* Objects have about five members, and few managers own fields in all of them. */
#define PARTS_MAX 8

/* A manager that owns so little of a member, such as a revision, is searched sooner than the member is
 * compared. */
#define FEW_FIELDS_PARTS 8

/* A member of the old object, such as its spec, and where the object differs from it. */
struct changed_part {
    const yyjson_val *of;
    struct json_changes changes;
};

struct change_search {
    const struct review *review;
    bool has_several; /* several managers may keep fields */
    struct changed_part *parts;
    size_t part_count;
    const struct changed_part *part; /* the one that is walked; NULL: it is not known where it differs */
    struct lookup_cursor *old_object;
    struct lookup_cursor *object;
    const struct managed_fields_entry *owner; /* whose fields are walked */
    bool is_owner;                            /* whether the owner stands among these: */
    struct manager *owners;
    size_t owner_count;
    size_t owner_total;
    struct finding_fields fields;
};

static bool is_top_level(const struct path *path, const char *name)
{
    return path->depth == 1 && slice_equal(path->text, slice_of(name));
}

/* The API server writes the service account of pods under its old name, too. */
static bool is_service_account(struct change_search *search, const struct path *path)
{
    yyjson_val *pod = NULL;
    unsigned absent_depth;
    return path->kind == PATH_FIELD && path->parent && slice_equal(path->text, SLICE("serviceAccount")) &&
        lookup_path(search->object, path->parent, &pod, &absent_depth) == LOOKUP_FOUND &&
        lookup_member(search->review->lookup, pod, SLICE("serviceAccountName"));
}

/* A Secret's stringData becomes data. */
static bool is_string_data(const struct change_search *search, const struct path *path)
{
    const struct managed_fields_entry *writer = search->review->ownership.writer.after;
    return is_top_level(path, "data") && slice_equal(search->review->group_kind, SLICE("Secret")) && writer &&
        fields_child(entry_fields(writer), SLICE("stringData"));
}

static void add_owner(struct change_search *search)
{
    if (search->is_owner)
        return;
    search->is_owner = true;
    if (search->owner_total++ < FINDING_PREVIOUS_OWNERS_MAX)
        search->owners[search->owner_count++] = search->owner->manager;
}

static void add(struct change_search *search, const struct path *path)
{
    add_owner(search);
    finding_fields_add_once(&search->fields, path);
}

static bool is_value(const struct change_search *search, const struct path *path, yyjson_val *value)
{
    const struct review *review = search->review;
    return ownership_bare(&review->ownership, path, value, review->lookup) == ANSWER_NO;
}

/* Whether the writer owns the field, or an atomic value that it is part of. */
static bool is_writers(const struct overlap_node *node)
{
    yyjson_val *written = node->others[OF_WRITER];
    return written && (node->is_leaf || yyjson_obj_size(written) == 0);
}

/* The writer's fields, and which changes are of a value that it owns. */
struct writer_walk {
    struct change_search *search;
    const struct json_changes *changes;
    bool is_owned[JSON_CHANGES_MAX];
};

static void mark_owned(struct writer_walk *walk, const yyjson_val *value)
{
    const yyjson_val *end = value + json_parts(value);
    for (size_t i = 0; i < walk->changes->count; i++)
        walk->is_owned[i] |= value <= walk->changes->items[i].start && walk->changes->items[i].end <= end;
}

static enum walk_action visit_writers(void *context, const struct overlap_node *node)
{
    struct writer_walk *walk = context;
    yyjson_val *old_value = NULL;
    unsigned absent_depth;
    if (lookup_path(walk->search->old_object, node->path, &old_value, &absent_depth) != LOOKUP_FOUND ||
        !json_changes_touch(walk->changes, old_value))
        return WALK_PASS;
    if (yyjson_obj_size(node->fields))
        return WALK_DESCEND;
    mark_owned(walk, old_value);
    return WALK_PASS;
}

/* A value that the writer owns as a whole is its own change, with all that is in it. */
static void leave_out_writers(struct change_search *search, struct json_changes *changes)
{
    const struct review *review = search->review;
    const struct managed_fields_entry *writer = review->ownership.writer.after;
    struct writer_walk walk = {.search = search, .changes = changes};
    size_t kept = 0;
    if (!writer ||
        fieldset_overlap_walk(entry_fields(writer), NULL, 0, review->lookup, visit_writers, &walk) !=
            FIELDS_OK)
        return;
    for (size_t i = 0; i < changes->count; i++) {
        if (!walk.is_owned[i])
            changes->items[kept++] = changes->items[i];
    }
    changes->count = kept;
}

/*
 * Where the member of the object differs is found out when the first manager owns more than a few fields in
 * it. Where several managers own fields, most of them need not be walked without the writer's changes.
 */
static struct changed_part *add_part(
    struct change_search *search, const struct path *path, const yyjson_val *old_value)
{
    yyjson_val *value = NULL;
    unsigned absent_depth;
    if (search->part_count == PARTS_MAX)
        return NULL;
    struct changed_part *part = &search->parts[search->part_count++];
    part->of = old_value;
    if (lookup_path(search->object, path, &value, &absent_depth) != LOOKUP_FOUND)
        value = NULL;
    /* Entries are compared on their own (managed_fields.h). */
    json_changes_find(&part->changes, old_value, value, search->review->old_parts.metadata.managed_fields);
    if (search->has_several && part->changes.count)
        leave_out_writers(search, &part->changes);
    return part;
}

static const struct changed_part *part_of(
    struct change_search *search, const struct path *path, const yyjson_val *old_value)
{
    for (size_t i = 0; i < search->part_count; i++) {
        if (search->parts[i].of == old_value)
            return &search->parts[i];
    }
    return add_part(search, path, old_value);
}

/* Whether the value, or anything in it, may have changed without the writer. */
static bool may_have_changed(struct change_search *search, const struct overlap_node *node)
{
    yyjson_val *old_value = NULL;
    unsigned absent_depth;
    bool is_part = node->path->depth == 1;
    if (is_part ? json_parts(node->fields) <= FEW_FIELDS_PARTS : !search->part) {
        search->part = NULL;
        return true;
    }
    if (lookup_path(search->old_object, node->path, &old_value, &absent_depth) != LOOKUP_FOUND)
        return false;
    if (is_part)
        search->part = part_of(search, node->path, old_value);
    return !search->part || json_changes_touch(&search->part->changes, old_value);
}

static bool is_owned_before(const struct change_search *search, const struct overlap_node *node)
{
    return search->owner->same_fields || node->others[OWNED_BEFORE];
}

static enum walk_action visit(void *context, const struct overlap_node *node)
{
    struct change_search *search = context;
    const struct path *path = node->path;
    if (!is_owned_before(search, node) || is_writers(node) || field_is_bookkeeping(path) ||
        is_string_data(search, path) || !may_have_changed(search, node))
        return WALK_PASS;
    if (!node->is_leaf)
        return WALK_DESCEND;
    yyjson_val *old_value = NULL, *value = NULL;
    unsigned absent_depth;
    if (lookup_path(search->old_object, path, &old_value, &absent_depth) == LOOKUP_FOUND &&
        lookup_path(search->object, path, &value, &absent_depth) == LOOKUP_FOUND &&
        lookup_equal(search->review->lookup, old_value, value) == ANSWER_NO &&
        is_value(search, path, old_value) && is_value(search, path, value) &&
        !is_service_account(search, path))
        add(search, path);
    return WALK_PASS;
}

/* Entries of the writer's name are the writer. */
static bool may_keep(const struct review *review, const struct managed_fields_entry *entry)
{
    return entry->counterpart && entry_is_comparable(review, entry) &&
        !slice_equal(entry->manager.name, review->ownership.writer.manager.name);
}

static size_t count_keepers(const struct review *review)
{
    size_t count = 0;
    for (size_t i = 0; i < review->ownership.after.count; i++)
        count += may_keep(review, &review->ownership.after.entries[i]);
    return count;
}

/* Returns false if memory runs out. */
static bool prepare(struct change_search *search)
{
    const struct review *review = search->review;
    search->parts = arena_allocate(review->arena, PARTS_MAX * sizeof(*search->parts));
    search->old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena);
    search->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    search->owners = arena_allocate(review->arena, FINDING_PREVIOUS_OWNERS_MAX * sizeof(*search->owners));
    return finding_fields_start(&search->fields, review->arena) && search->parts && search->old_object &&
        search->object && search->owners;
}

/* A part that cannot be read hides nothing of the others: the result says why, and the search goes on. */
static enum fields_result walk_all(struct change_search *search)
{
    enum fields_result unread = FIELDS_OK;
    const struct ownership *ownership = &search->review->ownership;
    const struct managed_fields_entry *writer = ownership->writer.after;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (!may_keep(search->review, entry))
            continue;
        yyjson_val *const beside[SET_COUNT] = {
            [OF_WRITER] = writer ? entry_fields(writer) : NULL,
            [OWNED_BEFORE] = entry_fields(entry->counterpart)};
        size_t set_count = entry->same_fields ? OWNED_BEFORE : SET_COUNT;
        search->owner = entry;
        search->is_owner = false;
        enum fields_result result = fieldset_overlap_walk(
            entry_fields(entry), beside, set_count, search->review->lookup, visit, search);
        if (fields_unread(result))
            unread = result;
        else if (result != FIELDS_OK)
            return result;
    }
    return unread;
}

static struct slice describe(const struct change_search *search)
{
    const struct writer *writer = &search->review->ownership.writer;
    struct text text = text_start(search->review->arena, 256);
    text_append_all(
        &text, message_fields(search->fields.items, search->fields.total), " (owned by ",
        message_managers(search->owners, search->owner_count, search->owner_total),
        message_for(search->fields.total, ") changes, but not by ", ") change, but not by "),
        message_manager(&writer->manager), ": a mutating webhook or policy did it");
    /* If the request did not write the writer's entry, the API server may have been unable to. */
    text_append_all(
        &text, writer->after && entry_changed(writer->after) ? "" : ", or the API server lost track",
        "; ask your platform team");
    return text_slice(&text);
}

static void report(const struct change_search *search, struct verdict *verdict)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_unowned_change,
            .action = ACTION_DENY,
            .message = describe(search),
            FINDING_FIELDS(search->fields),
            .has_writer = true,
            .writer = search->review->ownership.writer.manager,
            .previous_owners = search->owners,
            .previous_owner_count = search->owner_count,
            .previous_owner_total = search->owner_total,
        });
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct writer *writer = &review->ownership.writer;
    if (!review->old_object || !writer->known ||
        (writer->after && !entry_is_comparable(review, writer->after)))
        return;
    size_t keepers = count_keepers(review);
    if (!keepers)
        return;
    struct change_search search = {.review = review, .has_several = keepers > 1};
    enum fields_result result = prepare(&search) ? walk_all(&search) : FIELDS_OUT_OF_MEMORY;
    if (result != FIELDS_OK)
        verdict_add_unread_fields(verdict, result);
    if (result != FIELDS_OUT_OF_MEMORY && search.fields.total)
        report(&search, verdict);
}

const struct rule_definition rule_unowned_change = {.judge = judge};
