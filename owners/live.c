#include "owners/live.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/search.h"
#include "base/text.h"
#include "manifest/kinds.h"
#include "policy/fieldset/fields_element.h"
#include "policy/fieldset/lookup.h"
#include "policy/review/ownership.h"
#include "policy/review/review_classify.h"
#include "policy/review/review_from_objects.h"

#include <stdlib.h>

/*
 * The object
 */

/* The review that the API server sends before an update, without the new object. */
static const struct review *review_of(
    yyjson_val *object, const struct conflict_object *identity, struct arena *arena, struct error *error)
{
    const struct review_head head = {
        .uid = "live",
        .operation = OPERATION_UPDATE,
        .group = identity->group,
        .version = identity->version,
        .kind = identity->kind,
        .namespace = identity->namespace,
        .name = identity->name,
    };
    return review_from_objects(&head, object, NULL, arena, error);
}

static struct conflict_object identify(yyjson_val *object)
{
    struct slice api_version = json_text(json_member(object, SLICE("apiVersion")));
    return (struct conflict_object){
        .group = group_of(api_version),
        .version = version_of(api_version),
        .kind = json_text(json_member(object, SLICE("kind"))),
        .namespace = json_text(json_metadata(object, SLICE("namespace"))),
        .name = json_text(json_metadata(object, SLICE("name"))),
    };
}

/* Returns 0, or -1 and sets the error. */
static int read_object(
    yyjson_val *object, const struct class_rules *class_rules, struct arena *arena, struct live_object *live,
    struct error *error)
{
    live->identity = identify(object);
    if (!live->identity.kind.length || !live->identity.name.length)
        return error_set(error, "it is not an object with kind and name");
    const struct review *review = review_of(object, &live->identity, arena, error);
    if (!review)
        return -1;
    live->review = review_classify(review, class_rules);
    if (!live->review)
        return error_set_out_of_memory(error);
    size_t count = review->ownership.before.count;
    if (!count)
        return error_set(
            error,
            "it has no managedFields that can be read; kubectl get shows them with --show-managed-fields");
    if (count > LIVE_ENTRIES_MAX)
        return error_set(error, "it has more than %d managedFields entries", LIVE_ENTRIES_MAX);
    return 0;
}

const struct live_object *live_read(
    yyjson_val *object, const struct class_rules *class_rules, struct arena *arena, struct error *error)
{
    struct live_object *live = arena_allocate_array(arena, 1, sizeof(*live));
    if (live && read_object(object, class_rules, arena, live, error) < 0)
        live = NULL;
    if (!arena_has_failed(arena))
        return live;
    error_set_out_of_memory(error);
    return NULL;
}

static bool may_be(struct slice a, struct slice b)
{
    return !a.length || !b.length || slice_equal(a, b);
}

bool live_may_be(const struct live_object *live, const struct conflict_object *object)
{
    return may_be(live->identity.kind, object->kind) && may_be(live->identity.namespace, object->namespace) &&
        may_be(live->identity.name, object->name) && may_be(live->identity.group, object->group);
}

/*
 * Its fields
 */

struct wanted {
    struct slice path;
    size_t index; /* of the conflict */
};

struct field_walk {
    const struct conflict_report *report;
    struct live_field *fields;
    struct wanted *wanted; /* sorted by path */
    struct arena *arena;
    struct lookup_cursor *last_applied; /* NULL: no annotation */
    const struct managed_fields_entry *entry;
    size_t position;    /* of the entry */
    bool is_whole;      /* all entries can be read, so positions are those in managedFields */
    bool is_only_entry; /* the API server ignores the removal of the last entry */
    struct text path;
    struct text pointer;
};

static bool is_of(const struct conflict *conflict, const struct managed_fields_entry *entry)
{
    return manager_equal(&conflict->manager, &entry->manager) &&
        may_be(conflict->api_version, entry->api_version);
}

static void add_applier(struct field_walk *walk, struct live_field *field)
{
    if (field->applier_count < LIVE_APPLIERS_NAMED)
        field->appliers[field->applier_count] = walk->entry->manager;
    field->applier_count++;
}

/*
 * Notes that the entry owns the field; `removable` bytes of the pointer lead to a part that contains only
 * this field.
 */
static void note(struct field_walk *walk, const struct path *path, size_t index, size_t removable)
{
    const struct conflict *conflict = &walk->report->items[index];
    struct live_field *field = &walk->fields[index];
    if (is_of(conflict, walk->entry)) {
        field->is_held = true;
        field->is_removable = walk->is_whole && (removable || !walk->is_only_entry);
        field->pointer = arena_copy(walk->arena, slice_until(text_slice(&walk->pointer), removable));
        if (walk->last_applied)
            field->is_last_applied = lookup_declares(walk->last_applied, path) == ANSWER_YES;
    } else if (walk->entry->manager.operation == MANAGER_APPLY) {
        add_applier(walk, field);
    }
}

static bool is_path_before(const void *wanted, const void *path)
{
    return slice_compare(((const struct wanted *)wanted)->path, *(const struct slice *)path) < 0;
}

static void look_up(struct field_walk *walk, const struct path *path, size_t removable)
{
    const struct slice printed = text_slice(&walk->path);
    const size_t count = walk->report->count;
    size_t first = search_first(walk->wanted, count, sizeof(*walk->wanted), is_path_before, &printed);
    for (; first < count && slice_equal(walk->wanted[first].path, printed); first++)
        note(walk, path, walk->wanted[first].index, removable);
}

/* RFC 6901. */
static void append_pointer(struct text *text, struct slice key)
{
    text_append_string(text, "/");
    for (size_t i = 0; i < key.length; i++) {
        if (key.bytes[i] == '~' || key.bytes[i] == '/')
            text_append_string(text, key.bytes[i] == '~' ? "~0" : "~1");
        else
            text_append(text, (struct slice){key.bytes + i, 1});
    }
}

/*
 * `removable` is the length of the pointer to the part of the entry that holds only this node: an empty node
 * would mean that the manager owns the container itself, so a container that becomes empty is removed too.
 */
static void walk_node(struct field_walk *walk, yyjson_val *node, const struct path *path, size_t removable)
{
    bool is_alone = yyjson_obj_size(node) == 1;
    size_t path_length = walk->path.length;
    size_t pointer_length = walk->pointer.length;
    json_each_key(key, node) {
        yyjson_val *below = yyjson_obj_iter_get_val(key);
        struct path element = {.parent = path, .depth = path ? path->depth + 1 : 1};
        bool known;
        append_pointer(&walk->pointer, json_text(key));
        size_t own = is_alone ? removable : walk->pointer.length;
        if (fields_is_membership(json_text(key))) {
            if (path)
                look_up(walk, path, own);
        } else if (
            element.depth < JSON_DEPTH_MAX &&
            fields_decode_element(json_text(key), walk->arena, &element, &known) && known) {
            path_append_element(&walk->path, &element);
            if (!yyjson_obj_size(below))
                look_up(walk, &element, own);
            else
                walk_node(walk, below, &element, own);
        }
        walk->path.length = path_length;
        walk->pointer.length = pointer_length;
    }
}

static void walk_entry(struct field_walk *walk)
{
    for (size_t i = 0; i < walk->report->count; i++) {
        if (is_of(&walk->report->items[i], walk->entry)) {
            walk->fields[i].holder = walk->entry;
            walk->fields[i].position = walk->position;
        }
    }
    walk->path = text_start(walk->arena, 256);
    walk->pointer = text_start(walk->arena, 256);
    walk_node(walk, entry_fields(walk->entry), NULL, 0);
}

struct live_field *live_find(
    const struct live_object *live, const struct conflict_report *report, struct arena *arena)
{
    const struct review *review = live->review;
    const struct managed_fields *side = &review->ownership.before;
    struct live_field *fields = arena_allocate_array(arena, report->count, sizeof(*fields));
    struct wanted *wanted = arena_allocate_array(arena, report->count, sizeof(*wanted));
    if (!fields || !wanted)
        return NULL;
    for (size_t i = 0; i < report->count; i++)
        wanted[i] = (struct wanted){report->items[i].path, i};
    qsort(wanted, report->count, sizeof(*wanted), slice_compare_items);
    struct field_walk walk = {
        .report = report,
        .fields = fields,
        .wanted = wanted,
        .arena = arena,
        .is_whole = side->unreadable == 0,
        .is_only_entry = side->count == 1,
    };
    yyjson_val *configuration = last_applied_configuration_before(&review->last_applied);
    if (configuration)
        walk.last_applied = lookup_cursor_create_declared(review->lookup, configuration, arena);
    for (size_t i = 0; i < side->count; i++) {
        walk.entry = &side->entries[i];
        walk.position = i;
        walk_entry(&walk);
    }
    return arena_has_failed(arena) ? NULL : fields;
}

enum manager_class live_class(
    const struct live_object *live, const struct live_field *field, const struct conflict *conflict,
    struct slice group, const struct class_rules *class_rules)
{
    if (live && field && field->holder)
        return ownership_class(&live->review->ownership, field->holder);
    const struct manager_facts facts = {.role = ROLE_OWNER, .group = group};
    return manager_classify(&conflict->manager, &facts, class_rules);
}
