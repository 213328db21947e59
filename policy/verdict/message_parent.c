#include "policy/verdict/message_parent.h"

#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

static yyjson_val *find_controller(const struct review *review)
{
    json_each_item(owner, json_member(review->old_parts.metadata.value, SLICE("ownerReferences"))) {
        if (yyjson_get_bool(json_member(owner, SLICE("controller"))))
            return owner;
    }
    return NULL;
}

/* A Deployment names its ReplicaSets after itself and a hash, which is also a label of their pods. */
static bool is_of_deployment(
    const struct review *review, struct slice kind, struct slice name, size_t *length)
{
    struct slice hash = json_text(json_member(review->old_parts.metadata.labels, SLICE("pod-template-hash")));
    if (!slice_equal(kind, SLICE("ReplicaSet")) || !hash.length || name.length < hash.length + 2)
        return false;
    *length = name.length - hash.length - 1;
    return name.bytes[*length] == '-' && slice_equal(slice_from(name, *length + 1), hash);
}

struct slice message_parent(const struct review *review)
{
    yyjson_val *controller = find_controller(review);
    struct slice kind = json_text(json_member(controller, SLICE("kind")));
    struct slice name = json_text(json_member(controller, SLICE("name")));
    if (!kind.length || !name.length)
        return (struct slice){NULL, 0};
    size_t length = name.length;
    bool is_deployments = is_of_deployment(review, kind, name, &length);
    return text_join(
        review->arena, as_printable(is_deployments ? SLICE("Deployment") : kind), " ",
        as_printable(slice_until(name, length)));
}
