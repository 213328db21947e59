#include "policy/analysis/replicas.h"

#include "base/count.h"
#include "base/json.h"
#include "policy/fieldset/fields.h"
#include "policy/review/applied.h"

/* Only what no API server has completed lacks the number: the object of a preview, or of a policy test. */
static bool becomes_one(const struct review *review)
{
    static const char *const kinds[] = {
        "Deployment.apps", "ReplicaSet.apps", "StatefulSet.apps", "ReplicationController"};
    return slice_is_one_of(review->group_kind, kinds, COUNT(kinds));
}

static bool has_fewer(const struct review *review)
{
    yyjson_val *before = json_member(review->old_parts.spec, SLICE("replicas"));
    yyjson_val *after = json_member(review->parts.spec, SLICE("replicas"));
    if (!yyjson_is_num(before))
        return false;
    if (!after)
        return becomes_one(review) && yyjson_get_num(before) > 1;
    return yyjson_is_num(after) && yyjson_get_num(after) < yyjson_get_num(before);
}

static bool declared_by(yyjson_val *configuration)
{
    yyjson_val *replicas = json_member(json_member(configuration, SLICE("spec")), SLICE("replicas"));
    return replicas && !yyjson_is_null(replicas);
}

static bool entry_declares(const struct managed_fields_entry *entry)
{
    return entry && fields_child(fields_child(entry->fields, SLICE("spec")), SLICE("replicas"));
}

bool replicas_dropped(const struct review *review)
{
    if (!has_fewer(review))
        return false;
    switch (applied_kind(review)) {
    case APPLIED_CLIENT_SIDE:
        return declared_by(applied_annotation_before(review)) &&
            applied_declares_itself(review, SLICE(REPLICAS_PATH)) == DECLARED_NO;
    case APPLIED_SERVER_SIDE:
        return entry_declares(review->ownership.taker.before) &&
            !entry_declares(review->ownership.taker.after);
    case APPLIED_NOTHING:
        break;
    }
    return false;
}
