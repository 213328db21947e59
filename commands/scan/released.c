#include "commands/scan/released.h"

#include "base/json.h"
#include "base/json_append.h"
#include "base/text.h"
#include "policy/review/ownership.h"
#include "policy/verdict/tool_habits.h"

#define RELEASE_NAME "meta.helm.sh/release-name"
#define RELEASE_NAMESPACE "meta.helm.sh/release-namespace"

/* The tools that have Helm's library, and store releases as Helm does. */
static bool has_releases(enum tool tool)
{
    return tool == TOOL_HELM || tool == TOOL_HELM_CONTROLLER || tool == TOOL_TERRAFORM;
}

/* A tool that forces its applies sets fields back, as a client-side upgrade does. */
static bool is_refused(const struct managed_fields_entry *applier)
{
    return manager_meets_conflicts(&applier->manager, manager_habits(&applier->manager, entry_tool(applier)));
}

/*
 * Fields that a controller sets are no news to people if an upgrade sets them back: the controller sets them
 * again. An autoscaler does so only after the pods are gone.
 */
bool scan_released_may_lose(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct scan_release_object *object)
{
    const struct managed_fields_entry *applier = review->ownership.writer.after;
    enum manager_class class = ownership_class(&review->ownership, entry);
    bool is_scale = slice_equal(entry->manager.subresource, SLICE("scale"));
    if (entry == applier || class == CLASS_APPLIER || class == CLASS_BOOKKEEPING ||
        (entry->manager.subresource.length && !is_scale) ||
        !slice_equal(entry->api_version, applier->api_version) ||
        manager_is_same_tool(entry->manager.name, applier->manager.name))
        return false;
    return object->is_refused || class == CLASS_AD_HOC || is_scale;
}

bool scan_released_find(const struct review *review, struct scan_release_object *object)
{
    const struct managed_fields *side = &review->ownership.after;
    const struct managed_fields_entry *applier = review->ownership.writer.after;
    yyjson_val *annotations = review->parts.metadata.annotations;
    bool may = false;
    if (!applier || !has_releases(entry_tool(applier)))
        return false;
    *object = (struct scan_release_object){
        .namespace = json_text(json_member(annotations, SLICE(RELEASE_NAMESPACE))),
        .name = json_text(json_member(annotations, SLICE(RELEASE_NAME))),
        .is_refused = is_refused(applier),
    };
    for (size_t i = 0; object->name.length && i < side->count && !may; i++)
        may = scan_released_may_lose(review, &side->entries[i], object);
    return may;
}

struct slice scan_released_json(const struct review *review)
{
    struct text text = text_start(review->arena, json_bytes(review->object) + 64);
    text_append_string(&text, "{\"object\":");
    json_append_value(&text, review->object);
    if (!json_member(review->object, SLICE("apiVersion")))
        text_append_all(&text, ",\"version\":", as_json(json_text(review->parts.api_version)));
    text_append_string(&text, "}");
    return text_slice(&text);
}
