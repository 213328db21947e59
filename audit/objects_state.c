#include "audit/objects_state.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/text.h"

bool objects_key(const struct audit_event *event, struct arena *arena, struct kept_key *key)
{
    const struct slice parts[] = {
        event->object.group, event->object.resource, event->object.namespace, audit_object_name(event)};
    struct text text = text_start(arena, 128);
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        text_append_all(&text, parts[i], SLICE("\0"));
    key->text = text_slice(&text);
    if (!key->text.bytes)
        return false;
    key->hash = kept_hash(key->text);
    return true;
}

struct slice objects_api_version(const struct audit_event *event)
{
    return json_text(json_member(event->response, SLICE("apiVersion")));
}

bool objects_is_same(const struct kept_object *kept, const struct audit_event *event)
{
    return slice_equal(kept->uid, json_text(json_metadata(event->response, SLICE("uid"))));
}

bool objects_is_older(const struct kept_object *kept, const struct audit_event *event)
{
    return objects_is_same(kept, event) && audit_resource_version(event->response) < kept->version;
}

bool objects_is_earlier(const struct kept_object *kept, const struct audit_event *event)
{
    return event->ended.length &&
        slice_compare(slice_until(event->ended, KEPT_TIME_BYTES), kept_time(kept->left)) < 0;
}

/* Whether the request was being served when the one ended that left or showed the kept object. */
static bool overlaps(const struct kept_object *kept, const struct audit_event *event)
{
    return event->started.length && !objects_is_earlier(kept, event) &&
        slice_compare(slice_until(event->started, KEPT_TIME_BYTES), kept_time(kept->left)) < 0;
}

struct kept_object *objects_base(
    const struct audit_objects *objects, struct kept_object *kept, const struct audit_event *event)
{
    uint64_t version = audit_resource_version(event->response);
    bool is_shown = kept->is_read && !event->is_dry_run && version == kept->version;
    if (!version || !(is_shown || objects_is_older(kept, event)) || !overlaps(kept, event))
        return kept;
    struct kept_object *replaced = kept_objects_find_replaced(
        &objects->kept, &kept->key, kept->uid, event->is_dry_run ? version : version - 1);
    return replaced ? replaced : kept;
}
