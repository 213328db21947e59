#include "commands/policytest/synthesized_review.h"

#include "apply/declared.h"
#include "apply/entries.h"
#include "apply/first_apply.h"
#include "apply/merge/paths.h"
#include "apply/merge/typed.h"
#include "base/array_size.h"
#include "base/json.h"
#include "manifest/edit.h"
#include "manifest/kinds.h"
#include "policy/managers.h"
#include "policy/review/review_from_objects.h"

/* Generated owners wrote an hour before the request. */
#define OWNED_SECONDS 3600

struct entries {
    struct owner_entry *items;
    size_t count;
};

/* The fields of an object that changed or were added, and the removed ones. */
struct changes {
    const struct field_set *set;
    const struct field_set *removed;
};

struct review_builder {
    const struct made_request *request;
    struct arena *arena;
    struct error *error;
    struct first_apply identity;
    const struct manifest_node *before; /* NULL: none */
    const struct manifest_node *after;
    struct entries entries;
};

static bool refuse(struct review_builder *builder, struct test_place place, const char *sentence)
{
    error_set_at(builder->error, place.line, place.column, "%s", sentence);
    return false;
}

/*
 * Maps
 */

static const struct manifest_node *with(
    const struct review_builder *builder, const struct manifest_node *map, const char *key,
    const struct manifest_node *value)
{
    return manifest_set_member(map, slice_of(key), value, builder->arena);
}

static const struct manifest_node *with_text(
    const struct review_builder *builder, const struct manifest_node *map, const char *key, struct slice text)
{
    return with(builder, map, key, manifest_string(text, builder->arena));
}

/*
 * Owners before the request
 */

static const struct manifest_node *managed_fields_of(const struct manifest_node *object)
{
    const struct manifest_node *list =
        manifest_member(manifest_member(object, SLICE("metadata")), SLICE("managedFields"));
    return list && list->kind == MANIFEST_LIST && list->count ? list : NULL;
}

/* Reads FieldsV1. Returns NULL if it is invalid, or memory runs out. */
static const struct field_set *read_fields(
    const struct review_builder *builder, const struct manifest_node *fields)
{
    struct slice json = fields ? manifest_json(fields, builder->arena) : (struct slice){NULL, 0};
    yyjson_val *document = json_parse(json, builder->arena);
    const struct field_set *set = NULL;
    if (document)
        field_set_read(document, builder->arena, &set, NULL);
    return set;
}

/* Reads the object's own entries, as kubectl get --show-managed-fields prints them. */
static bool read_entries(struct review_builder *builder, const struct manifest_node *list)
{
    const struct test_input *before = &builder->request->each->before;
    if (list->count > SYNTHESIZED_ENTRIES_MAX)
        return refuse(builder, before->place, "has more managedFields entries than any API server keeps");
    for (size_t i = 0; i < list->count; i++) {
        const struct manifest_node *item = list->items[i];
        const struct field_set *fields = read_fields(builder, manifest_member(item, SLICE("fieldsV1")));
        struct manager manager = {
            .name = manifest_text(manifest_member(item, SLICE("manager"))),
            .subresource = manifest_text(manifest_member(item, SLICE("subresource"))),
        };
        struct slice operation = manifest_text(manifest_member(item, SLICE("operation")));
        if (!manager_operation_parse(operation, &manager.operation) || !fields)
            return refuse(
                builder, before->place,
                "has a managedFields entry without an operation (Apply or Update) or valid fieldsV1");
        builder->entries.items[builder->entries.count++] = (struct owner_entry){
            .manager = manager,
            .api_version = manifest_text(manifest_member(item, SLICE("apiVersion"))),
            .time = manifest_text(manifest_member(item, SLICE("time"))),
            .fields = fields,
        };
    }
    return true;
}

static struct printed_paths copy_sorted(const struct review_builder *builder, const struct slice_list *list)
{
    struct slice *copy = arena_allocate_array(builder->arena, list->count, sizeof(*copy));
    if (!copy)
        return (struct printed_paths){NULL, 0};
    if (list->count)
        memcpy(copy, list->items, list->count * sizeof(*copy));
    return printed_paths_sort(copy, list->count);
}

/* The fields that some owner names. */
static struct printed_paths named_fields(const struct review_builder *builder)
{
    const struct test_case *each = builder->request->each;
    size_t count = 0;
    for (size_t i = 0; i < each->owner_count; i++)
        count += each->owners[i].fields.count;
    struct slice *all = arena_allocate_array(builder->arena, count, sizeof(*all));
    count = 0;
    for (size_t i = 0; all && i < each->owner_count; i++)
        for (size_t j = 0; j < each->owners[i].fields.count; j++)
            all[count++] = each->owners[i].fields.items[j];
    return printed_paths_sort(all, all ? count : 0);
}

static struct declared declared_of(const struct review_builder *builder, const struct manifest_node *object)
{
    const struct manifest_object *after = builder->request->after;
    return declared_read(after->api_version, after->kind, object, builder->arena);
}

/*
 * The fields that a manager declares in an object, or owns. Returns NULL and sets the error if it has none.
 */
static const struct field_set *fields_of(
    struct review_builder *builder, const struct test_manager *manager, const struct manifest_node *object,
    const struct printed_paths *except)
{
    struct declared declared = declared_of(builder, object);
    const struct field_set *fields = declared_fields(&declared, builder->arena);
    if (!manager->has_fields)
        return except ? fields_at_no_path(fields, except, builder->arena) : fields;
    struct printed_paths only = copy_sorted(builder, &manager->fields);
    fields = fields_at_paths(fields, &only, builder->arena);
    if (fields->count || arena_has_failed(builder->arena))
        return fields;
    refuse(
        builder, manager->place,
        "names fields, of which the object has none; write paths as conflicts of kubectl apply do");
    return NULL;
}

static struct manager manager_of(const struct test_manager *manager)
{
    return (struct manager){
        .name = manager->name,
        .operation = manager->operation == TEST_APPLY ? MANAGER_APPLY : MANAGER_UPDATE,
        .subresource = manager->subresource,
    };
}

static bool make_entries(struct review_builder *builder)
{
    const struct test_case *each = builder->request->each;
    struct printed_paths named = named_fields(builder);
    for (size_t i = 0; i < each->owner_count; i++) {
        const struct test_manager *owner = &each->owners[i];
        const struct field_set *fields = fields_of(builder, owner, builder->before, &named);
        if (!fields)
            return false;
        builder->entries.items[builder->entries.count++] = (struct owner_entry){
            .manager = manager_of(owner),
            .api_version = builder->request->before->api_version,
            .time = owners_time(builder->request->now - OWNED_SECONDS, builder->arena),
            .fields = fields,
        };
    }
    return true;
}

static bool find_entries(struct review_builder *builder)
{
    const struct test_case *each = builder->request->each;
    const struct manifest_node *list = managed_fields_of(builder->before);
    builder->entries.items = arena_allocate_array(
        builder->arena, (list ? list->count : each->owner_count) + 1, sizeof(*builder->entries.items));
    if (!builder->entries.items)
        return false;
    if (list && each->owner_count)
        return refuse(
            builder, each->owners[0].place,
            "has managedFields itself, so it takes no \"owners\"; remove one");
    if (list)
        return read_entries(builder, list);
    if (!each->owner_count)
        return refuse(
            builder, each->before.place,
            "has no managedFields; add \"owners\", or take what kubectl get --show-managed-fields prints");
    return make_entries(builder);
}

/*
 * Owners after the request
 */

/*
 * An Apply owns the fields that it declares, an Update its former fields and the fields that it set. Returns
 * NULL and sets the error.
 */
static const struct field_set *written_fields(
    struct review_builder *builder, const struct field_set *had, const struct changes *changes)
{
    const struct test_manager *writer = &builder->request->each->writer;
    if (writer->operation == TEST_APPLY)
        return fields_of(builder, writer, builder->after, NULL);
    const struct field_set *kept = field_set_difference(had, changes->removed, builder->arena);
    return field_set_union(kept, changes->set, builder->arena);
}

static bool write_entry(
    struct review_builder *builder, struct owner_entry *entry, const struct changes *changes)
{
    const struct field_set *had = entry->fields;
    entry->fields = written_fields(builder, had, changes);
    if (!entry->fields)
        return false;
    bool is_same = field_set_is_empty(changes->set) && field_set_is_empty(changes->removed) &&
        field_set_equal(had, entry->fields, builder->arena);
    if (!is_same)
        entry->time = owners_time(builder->request->now, builder->arena);
    return true;
}

static void lose(
    const struct review_builder *builder, struct owner_entry *entry, const struct changes *changes)
{
    const struct field_set *rest = field_set_difference(entry->fields, changes->removed, builder->arena);
    entry->fields = field_set_difference(rest, changes->set, builder->arena);
}

/*
 * Changes the entries as the request does, and removes entries that own nothing any more. Returns false if
 * memory runs out, or with an error.
 */
static bool change_entries(struct review_builder *builder, const struct changes *changes)
{
    struct entries *entries = &builder->entries;
    const struct manager writer = manager_of(&builder->request->each->writer);
    struct slice api_version = builder->request->after->api_version;
    bool has_written = false;
    for (size_t i = 0; i < entries->count; i++) {
        struct owner_entry *entry = &entries->items[i];
        if (!owners_is_written_by(entry, &writer, api_version))
            lose(builder, entry, changes);
        else if (!write_entry(builder, entry, changes))
            return false;
        else
            has_written = true;
    }
    if (!has_written) {
        struct owner_entry *added = &entries->items[entries->count++];
        *added = (struct owner_entry){
            .manager = writer,
            .api_version = api_version,
            .fields = &field_set_empty,
        };
        if (!write_entry(builder, added, changes))
            return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (!field_set_is_empty(entries->items[i].fields))
            entries->items[kept++] = entries->items[i];
    entries->count = kept;
    return true;
}

/*
 * The review
 */

/* The object with the current entries. */
static yyjson_val *with_entries(const struct review_builder *builder, const struct manifest_node *object)
{
    return owners_build_object(object, builder->entries.items, builder->entries.count, builder->arena);
}

/* `old` is NULL for a CREATE. The manifests do not outlive the review, so their texts are copied. */
static const struct review *review_of(const struct review_builder *builder, yyjson_val *old, yyjson_val *new)
{
    struct arena *arena = builder->arena;
    const struct manifest_object *after = builder->request->after;
    const struct test_case *each = builder->request->each;
    const struct review_head head = {
        .uid = "test",
        .operation = old ? OPERATION_UPDATE : OPERATION_CREATE,
        .group = arena_copy(arena, group_of(after->api_version)),
        .version = arena_copy(arena, version_of(after->api_version)),
        .kind = arena_copy(arena, after->kind),
        .namespace = arena_copy(arena, builder->identity.namespace),
        .name = arena_copy(arena, after->name),
        .username = each->user,
        .groups = each->groups,
        .field_manager = each->writer.name,
    };
    return new ? review_from_objects(&head, old, new, arena, builder->error) : NULL;
}

/*
 * Objects
 */

static bool is_annotated(const struct manifest_node *object)
{
    const struct manifest_node *annotations =
        manifest_member(manifest_member(object, SLICE("metadata")), SLICE("annotations"));
    return manifest_member(annotations, SLICE(LAST_APPLIED_ANNOTATION));
}

/*
 * The object in its namespace. A client-side applied object gets the last-applied annotation if it lacks it.
 */
static const struct manifest_node *prepare(
    const struct review_builder *builder, const struct manifest_node *object, bool is_client_side)
{
    struct slice last_applied;
    const struct manifest_node *metadata = manifest_member(object, SLICE("metadata"));
    if (builder->identity.namespace.length) {
        metadata = with_text(builder, metadata, "namespace", builder->identity.namespace);
        object = with(builder, object, "metadata", metadata);
    }
    if (!object || !is_client_side || is_annotated(object))
        return object;
    metadata = manifest_remove_member(
        manifest_member(object, SLICE("metadata")), SLICE("managedFields"), builder->arena);
    const struct manifest_node *manifest = with(builder, object, "metadata", metadata);
    return manifest ? first_apply_annotate(manifest, builder->arena, &last_applied) : NULL;
}

static bool is_same_object(struct review_builder *builder)
{
    const struct manifest_object *before = builder->request->before, *after = builder->request->after;
    struct first_apply old;
    const struct applier applier = {.namespace = builder->request->each->namespace};
    if (!first_apply_identify(before, &applier, builder->arena, &old))
        return false;
    if (slice_equal(before->api_version, after->api_version) && slice_equal(before->kind, after->kind) &&
        slice_equal(before->name, after->name) && slice_equal(old.namespace, builder->identity.namespace))
        return true;
    return refuse(
        builder, builder->request->each->after.place,
        "is another object than \"before\": apiVersion, kind, namespace and name must be the same");
}

static bool has_client_side_owner(const struct test_case *each)
{
    for (size_t i = 0; i < each->owner_count; i++)
        if (each->owners[i].operation == TEST_CLIENT_SIDE_APPLY)
            return true;
    return false;
}

static bool prepare_before(struct review_builder *builder)
{
    const struct made_request *request = builder->request;
    if (!request->before)
        return true;
    builder->before = is_same_object(builder)
        ? prepare(builder, request->before->root, has_client_side_owner(request->each))
        : NULL;
    return builder->before && find_entries(builder);
}

static bool prepare_after(struct review_builder *builder)
{
    const struct made_request *request = builder->request;
    builder->after =
        prepare(builder, request->after->root, request->each->writer.operation == TEST_CLIENT_SIDE_APPLY);
    if (!builder->before)
        builder->entries.items = arena_allocate_array(builder->arena, 1, sizeof(*builder->entries.items));
    return builder->after && builder->entries.items;
}

/*
 * Added or removed containers do not count as fields here, because only some of them are fields to the API
 * server.
 */
static struct changes changes_of(const struct review_builder *builder)
{
    struct arena *arena = builder->arena;
    struct declared before = {.value = &value_empty_map}, after = declared_of(builder, builder->after);
    if (builder->before)
        before = declared_of(builder, builder->before);
    struct comparison found = typed_compare(after.type, before.value, after.value, arena);
    const struct field_set *set = field_set_union(found.added, found.modified, arena);
    return (struct changes){
        .set = field_set_intersection(declared_fields(&after, arena), set, arena),
        .removed = found.removed,
    };
}

static const struct review *make(struct review_builder *builder)
{
    yyjson_val *old = NULL;
    if (!prepare_before(builder) || !prepare_after(builder))
        return NULL;
    if (builder->before && !(old = with_entries(builder, builder->before)))
        return NULL;
    struct changes changes = changes_of(builder);
    return change_entries(builder, &changes) ? review_of(builder, old, with_entries(builder, builder->after))
                                             : NULL;
}

const struct review *synthesized_review(
    const struct made_request *request, struct arena *arena, struct error *error)
{
    struct error found = {0};
    const struct applier applier = {.namespace = request->each->namespace};
    struct review_builder builder = {
        .request = request,
        .arena = arena,
        .error = &found,
    };
    const struct review *review = NULL;
    if (first_apply_identify(request->after, &applier, arena, &builder.identity))
        review = make(&builder);
    if (arena_has_failed(arena) || (!review && !found.message[0])) {
        review = NULL;
        error_set_out_of_memory(&found);
    }
    if (!review)
        *error = found;
    return review;
}
