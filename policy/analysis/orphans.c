#include "policy/analysis/orphans.h"

#include "base/array_size.h"
#include "base/json.h"
#include "policy/analysis/absorption.h"
#include "policy/analysis/string_data.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/lookup.h"
#include "policy/review/ownership.h"

/*
 * An edit, a patch or a label set all the fields that it owns: these cannot create an object, whose defaults
 * the creator would own.
 */
static bool never_creates(struct slice manager)
{
    static const char *const names[] = {"kubectl-edit",   "kubectl-patch", "kubectl-set",
                                        "kubectl-label",  "kubectl-taint", "kubectl-annotate",
                                        "kubectl-rollout"};
    return slice_is_one_of(manager, names, ARRAY_SIZE(names));
}

/* A workload's selector cannot be changed, so who owns it by an Update was there when it was created. */
static bool owns_workload_selector(const struct review *review, const struct managed_fields_entry *entry)
{
    yyjson_val *spec = fields_child(entry_fields(entry), SLICE("spec"));
    return slice_equal(review->group, SLICE("apps")) && fields_child(spec, SLICE("selector"));
}

bool orphans_are_of_another(const struct review *review)
{
    const struct ownership *ownership = &review->ownership;
    const struct managed_fields_entry *applied = ownership->writer.after;
    if (!applied || applied->manager.operation != MANAGER_APPLY || owns_workload_selector(review, applied))
        return false;
    for (size_t i = 0; i < ownership->after.count; i++) {
        if (owns_workload_selector(review, &ownership->after.entries[i]))
            return true;
    }
    return false;
}

/*
 * Whether the entry may hold what came with the object's creation: all its defaults, which no manager wrote.
 * Times are RFC 3339 in UTC, which orders as text.
 */
static bool may_have_created(const struct review *review, const struct managed_fields_entry *entry)
{
    if (never_creates(entry->manager.name))
        return false;
    struct slice created = json_text(review->parts.metadata.creation_timestamp);
    return slice_equal(entry->manager.name, SLICE("before-first-apply")) ||
        slice_equal(entry->manager.name, SLICE("ancient-changes")) ||
        slice_compare(entry->time, created) <= 0 || owns_workload_selector(review, entry);
}

/* Scaling by hand leaves nothing behind that a manifest should have; what is absorbed goes by itself. */
bool orphans_leaves_behind(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *absorber)
{
    return entry->manager.operation == MANAGER_UPDATE && !entry->manager.subresource.length &&
        ownership_class(&review->ownership, entry) == CLASS_AD_HOC && !may_have_created(review, entry) &&
        !(absorber && absorber_takes(absorber, &entry->manager));
}

/* Annotations that people set without a manifest: a waiver, the cause of a rollout, a request to Flux. */
static bool is_exempt_annotation(const struct path *path)
{
    return absorber_is_request(path) ||
        (path_is_in_metadata(path, SLICE("annotations")) &&
         (slice_starts_with(path->text, SLICE("applyguard.io/")) ||
          slice_equal(path->text, SLICE("kubernetes.io/change-cause"))));
}

static bool is_named(const struct path *path, const char *name)
{
    return path->kind == PATH_FIELD && slice_equal(path->text, slice_of(name));
}

/*
 * The old name of serviceAccountName, under which the API server writes the same value: a manager that
 * changes one of them owns both.
 */
static bool is_old_name_of_service_account(const struct path *path)
{
    return path->depth >= 3 && is_named(path, "serviceAccount") && is_named(path->parent, "spec") &&
        is_named(path->parent->parent, "template");
}

/*
 * Fields that a manifest does not remove: handles of controllers, what tools keep for themselves, and what
 * the API server writes.
 */
bool orphans_is_exempt(const struct path *path)
{
    return path_is_metadata(path, SLICE("finalizers")) || path_is_metadata(path, SLICE("ownerReferences")) ||
        is_exempt_annotation(path) || field_is_bookkeeping(path) || is_old_name_of_service_account(path);
}

/* Whether the path is data, or a key of it. */
static bool is_data(const struct path *path)
{
    return path->depth <= 2 && slice_equal(path->depth == 2 ? path->parent->text : path->text, SLICE("data"));
}

bool orphans_is_declared_plain(const struct review *review, yyjson_val *string_data, const struct path *path)
{
    return string_data && is_data(path) &&
        (path->depth == 1 || lookup_member(review->lookup, string_data, path->text));
}

/* Each Apply entry is searched for it once. */
static void find_string_data(const struct review *review, struct review_cache *cache)
{
    const struct managed_fields *side = &review->ownership.after;
    cache->has_string_data = true;
    cache->string_data = arena_allocate_array(review->arena, side->count, sizeof(yyjson_val *));
    for (size_t i = 0; cache->string_data && i < side->count; i++) {
        yyjson_val *node = string_data_of(review, &side->entries[i]);
        if (node)
            cache->string_data[cache->string_data_count++] = node;
    }
}

bool orphans_is_applied_plain(const struct review *review, const struct path *path)
{
    struct review_cache *cache = review->cache;
    if (!is_data(path))
        return false;
    if (!cache->has_string_data)
        find_string_data(review, cache);
    if (path->depth == 1)
        return cache->string_data_count;
    const struct path name = path_member(NULL, path->text);
    for (size_t i = 0; i < cache->string_data_count; i++) {
        if (!effort_spend(lookup_effort(review->lookup), EFFORT_OWNERS, 1) ||
            lookup_child(review->lookup, cache->string_data[i], &name))
            return true;
    }
    return false;
}
