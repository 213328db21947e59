#include "policy/analysis/replicas.h"

#include "base/array_size.h"
#include "base/json.h"
#include "policy/fieldset/fields.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"

/*
 * The API server sets the number for its own kinds, so that these lack it only in a preview or a policy test;
 * Argo Rollouts' controller takes it to be 1.
 */
bool replicas_become_one(const struct review *review)
{
    static const char *const kinds[] = {
        "Deployment.apps", "ReplicaSet.apps", "StatefulSet.apps", "ReplicationController",
        "Rollout.argoproj.io"};
    return slice_is_one_of(review->group_kind, kinds, ARRAY_SIZE(kinds));
}

/* Whether it was scaled, as an autoscaler does: any kind may have the subresource. */
static bool is_scaled(const struct review *review)
{
    const struct managed_fields *side = &review->ownership.before;
    for (size_t i = 0; i < side->count; i++)
        if (slice_equal(side->entries[i].manager.subresource, SLICE("scale")) &&
            entry_owns_replicas(&side->entries[i]))
            return true;
    return false;
}

static bool has_fewer(const struct review *review)
{
    yyjson_val *before = json_member(review->old_parts.spec, SLICE("replicas"));
    yyjson_val *after = json_member(review->parts.spec, SLICE("replicas"));
    if (!yyjson_is_num(before))
        return false;
    if (!after)
        return (replicas_become_one(review) || is_scaled(review)) && yyjson_get_num(before) > 1;
    return yyjson_is_num(after) && yyjson_get_num(after) < yyjson_get_num(before);
}

static bool declared_by(yyjson_val *configuration)
{
    yyjson_val *replicas = json_member(json_member(configuration, SLICE("spec")), SLICE("replicas"));
    return replicas && !yyjson_is_null(replicas);
}

/* An apply that drops the last of its fields leaves no entry. */
static bool is_last_field(const struct writer *writer)
{
    return writer->known && !writer->after && writer->manager.operation == MANAGER_APPLY &&
        class_applies(writer->class) && writer->before && entry_owns_replicas(writer->before);
}

bool replicas_dropped(const struct review *review)
{
    if (!has_fewer(review))
        return false;
    if (is_last_field(&review->ownership.writer))
        return true;
    switch (applied_kind(review)) {
    case APPLIED_CLIENT_SIDE:
        return declared_by(applied_annotation_before(review)) &&
            applied_declares_itself(review, SLICE(REPLICAS_PATH)) == DECLARED_NO;
    case APPLIED_SERVER_SIDE:
        return review->ownership.writer.before && entry_owns_replicas(review->ownership.writer.before) &&
            !entry_owns_replicas(review->ownership.writer.after);
    case APPLIED_NOTHING:
        break;
    }
    return false;
}
