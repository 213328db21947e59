#include "commands/migrate/migrate.h"

#include "apply/entries.h"
#include "base/json.h"
#include "base/json_append.h"
#include "commands/migrate/fields.h"
#include "policy/review/review.h"

/*
 * Objects that cannot be migrated
 */

static bool has_metadata(const struct manifest_object *object, struct slice name)
{
    const struct manifest_node *member =
        manifest_member(manifest_member(object->root, SLICE("metadata")), name);
    return member && member->kind == MANIFEST_STRING && member->string.length;
}

static int check_object(const struct manifest_object *object, struct error *error)
{
    if (!has_metadata(object, SLICE("resourceVersion")))
        return error_set(
            error,
            "it has no resourceVersion, so it is a manifest and no object of a cluster; kubectl get -o yaml "
            "--show-managed-fields prints the object");
    if (has_metadata(object, SLICE("deletionTimestamp")))
        return error_set(error, "it is being deleted, so there is nothing left to apply");
    return 0;
}

/* The object's blame, which has its entries. Returns NULL and sets the error. */
static const struct blame *read_blame(
    const struct manifest_object *object, const struct class_rules *class_rules, struct arena *arena,
    struct error *error)
{
    struct blame *blame = NULL;
    enum blame_result result = blame_read(object, class_rules, arena, &blame, error);
    if (result == BLAME_NO_OWNERS)
        error_set(error, "it has no managedFields; kubectl get shows them with --show-managed-fields");
    if (result != BLAME_OK)
        return NULL;
    if (blame->managed_fields->count <= MIGRATE_ENTRIES_MAX)
        return blame;
    error_set(error, "its managedFields have more than %d entries", MIGRATE_ENTRIES_MAX);
    return NULL;
}

/* If one entry is invalid, the API server ignores all of them. */
static int read_entry(
    const struct managed_fields_entry *entry, struct arena *arena, const struct field_set **fields,
    struct error *error)
{
    struct slice name = text_cut(text_printable(arena, entry->manager.name), 100);
    struct error found = {0};
    if (!entry->api_version.length)
        return error_set(
            error, "the entry of %.*s in its managedFields has no apiVersion", (int)name.length,
            name.bytes ? name.bytes : "");
    if (field_set_read(entry_fields(entry), arena, fields, &found) < 0)
        return error_set(
            error, "the fieldsV1 of %.*s in its managedFields cannot be read: %s", (int)name.length,
            name.bytes ? name.bytes : "", found.message);
    return 0;
}

static int read_entries(struct migration *migration, struct arena *arena, struct error *error)
{
    const struct managed_fields *side = migration->blame->managed_fields;
    yyjson_val *list = migration->blame->review->parts.metadata.managed_fields;
    struct plan *plan = &migration->plan;
    yyjson_arr_iter items;
    plan->entries = arena_allocate_array(arena, side->count + 1, sizeof(*plan->entries));
    if (!plan->entries)
        return error_set_out_of_memory(error);
    yyjson_arr_iter_init(list, &items);
    for (plan->count = 0; plan->count < side->count; plan->count++) {
        struct plan_entry *entry = &plan->entries[plan->count];
        entry->before = &side->entries[plan->count];
        entry->manager = entry->before->manager;
        entry->into = plan->count;
        entry->json = yyjson_arr_iter_next(&items);
        if (read_entry(entry->before, arena, &entry->fields, error) < 0)
            return -1;
    }
    return 0;
}

/*
 * The patch
 */

static void append_changed(struct text *text, const struct plan_entry *entry)
{
    const struct owner_entry after = {
        .manager = entry->manager,
        .api_version = entry->before->api_version,
        .time = entry->before->time,
        .fields = entry->fields,
    };
    owners_append_entry(text, &after);
}

static struct slice entries_after(const struct plan *plan, struct arena *arena)
{
    struct text text = text_start(arena, 4096);
    text_append_string(&text, "[");
    bool is_first = true;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_entry *entry = &plan->entries[i];
        if (entry->is_gone)
            continue;
        text_append_string(&text, is_first ? "" : ",");
        if (entry->is_changed)
            append_changed(&text, entry);
        else
            json_append_value(&text, entry->json);
        is_first = false;
    }
    text_append_string(&text, "]");
    return text_slice(&text);
}

/*
 * Writes the patch as client-go does. It replaces the resourceVersion by the same one, so that the API server
 * answers 409 if another client wrote in between.
 */
static struct slice patch_of(const struct migration *migration, struct arena *arena)
{
    struct text text = text_start(arena, migration->managed_fields.length + 256);
    if (!migration->plan.is_needed)
        return SLICE("[]");
    text_append_all(
        &text,
        "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":", migration->managed_fields,
        "},{\"op\":\"replace\",\"path\":\"/metadata/resourceVersion\",\"value\":",
        as_json(json_text(migration->blame->review->parts.metadata.resource_version)));
    if (migration->last_applied.length)
        text_append_all(
            &text,
            "},{\"op\":\"replace\",\"path\":\"/metadata/annotations/"
            "kubectl.kubernetes.io~1last-applied-configuration\",\"value\":",
            as_json(migration->last_applied));
    text_append_string(&text, "}]");
    return text_printable_json(arena, text_slice(&text));
}

static bool is_secret(const struct migration *migration)
{
    return slice_equal(migration->blame->kind, SLICE("Secret")) && !migration->blame->review->group.length;
}

/*
 * A client-side apply removes what the annotation declares and the manifest does not, so fields that move go
 * there, too. The annotation is kubectl's, which sends the patch then and stays its owner.
 */
static void undeclare(struct migration *migration, struct arena *arena)
{
    yyjson_val *annotations = migration->blame->review->parts.metadata.annotations;
    struct slice declared = json_text(json_member(annotations, SLICE(LAST_APPLIED_ANNOTATION)));
    struct slice left = migration->plan.is_needed && declared.length
        ? fields_undeclared(&migration->plan, declared, arena)
        : (struct slice){NULL, 0};
    migration->is_declared = left.length && is_secret(migration);
    if (!left.length || migration->is_declared)
        return;
    migration->last_applied = left;
    migration->sender = SLICE(MIGRATE_CLIENT_SIDE);
}

/* The plan, and what follows from it. Returns false if memory runs out. */
static bool complete(struct migration *migration, struct slice api_version, struct arena *arena)
{
    struct plan *plan = &migration->plan;
    bool has_fields = plan->request->fields.count;
    if (!(has_fields ? fields_plan : plan_make)(plan, api_version, arena))
        return false;
    migration->managed_fields = entries_after(plan, arena);
    migration->sender = plan->request->to;
    if (has_fields)
        undeclare(migration, arena);
    migration->patch = patch_of(migration, arena);
    return migration->patch.bytes && !arena_has_failed(arena);
}

const struct migration *migrate_read(
    const struct manifest_object *object, const struct migrate_request *request,
    const struct class_rules *class_rules, struct arena *arena, struct error *error)
{
    if (check_object(object, error) < 0)
        return NULL;
    const struct blame *blame = read_blame(object, class_rules, arena, error);
    struct migration *migration = blame ? arena_allocate(arena, sizeof(*migration)) : NULL;
    if (blame && !migration)
        error_set_out_of_memory(error);
    if (!migration)
        return NULL;
    *migration = (struct migration){.plan = {.request = request}, .blame = blame};
    if (read_entries(migration, arena, error) < 0)
        return NULL;
    if (complete(migration, object->api_version, arena))
        return migration;
    error_set_out_of_memory(error);
    return NULL;
}
