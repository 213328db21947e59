#include "policy/review/review.h"

#include "base/array_size.h"
#include "base/json.h"
#include "manifest/kinds.h"

static const char *const operation_names[] = {"CREATE", "UPDATE", "DELETE", "CONNECT"};

const char *operation_name(enum operation operation)
{
    return operation_names[operation];
}

bool review_is_judged(const struct review *review)
{
    return (review->operation == OPERATION_CREATE || review->operation == OPERATION_UPDATE) &&
        (review->subresource.length == 0 || review->is_scaled) && review->object;
}

bool review_is_of_status(const struct review *review)
{
    return review->operation == OPERATION_UPDATE && slice_equal(review->subresource, SLICE("status"));
}

/* Members that a write can change. Times and versions are the API server's own. */
static bool has_other_metadata(const struct review *review)
{
    static const struct slice names[] = {
        SLICE_LITERAL("labels"), SLICE_LITERAL("annotations"), SLICE_LITERAL("finalizers"),
        SLICE_LITERAL("ownerReferences")};
    yyjson_val *before = review->old_parts.metadata.value, *after = review->parts.metadata.value;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        if (!json_equal(json_member(before, names[i]), json_member(after, names[i]), review->arena))
            return true;
    }
    return false;
}

/* Its entries have their fields of metadata alone. */
static bool has_other_owners(const struct managed_fields *side)
{
    for (size_t i = 0; i < side->count; i++) {
        if (!side->entries[i].same_fields && yyjson_obj_size(entry_fields(&side->entries[i])))
            return true;
    }
    return false;
}

bool review_is_judged_for_metadata(const struct review *review)
{
    return review_is_of_status(review) && review->object && review->old_object &&
        (has_other_metadata(review) || has_other_owners(&review->ownership.before) ||
         has_other_owners(&review->ownership.after));
}

bool review_is_of_service(const struct review *review)
{
    if (slice_starts_with(review->username, SLICE("eks:")))
        return true;
    return slice_starts_with(review->username, SLICE("system:")) &&
        !slice_equal(review->username, SLICE("system:admin")) &&
        !slice_equal(review->username, SLICE("system:anonymous"));
}

bool review_is_of_workload(const struct review *review)
{
    static const char *const kinds[] = {
        "Deployment.apps", "ReplicaSet.apps", "StatefulSet.apps", "DaemonSet.apps"};
    return slice_is_one_of(review->group_kind, kinds, ARRAY_SIZE(kinds));
}

/* Manifests of the first years name the group that their kinds have left since; the API server converted
 * them. */
static bool is_other_group(struct slice named, struct slice group)
{
    return !slice_equal(named, group) && !slice_equal(named, SLICE("extensions"));
}

/* An absent name cannot be another object's: kubectl writes no name for generateName. */
static bool is_other(struct slice named, struct slice actual)
{
    return named.length && actual.length && !slice_equal(named, actual);
}

bool review_is_of_another(const struct review *review, const struct object_parts *configuration)
{
    struct slice api_version = json_text(configuration->api_version);
    return (api_version.length && is_other_group(group_of(api_version), review->group)) ||
        is_other(json_text(configuration->kind), review->kind) ||
        is_other(json_text(configuration->metadata.name), review->name) ||
        is_other(json_text(configuration->metadata.namespace), review->namespace);
}
