#include "apply/entries.h"

#include "manifest/write.h"

bool owners_is_written_by(
    const struct owner_entry *entry, const struct manager *manager, struct slice api_version)
{
    return manager_equal(&entry->manager, manager) &&
        (manager->operation == MANAGER_APPLY || slice_equal(entry->api_version, api_version));
}

struct slice owners_time(int64_t seconds, struct arena *arena)
{
    struct text text = text_start(arena, 32);
    text_append_time(&text, seconds);
    return text_slice(&text);
}

void owners_append_entry(struct text *text, const struct owner_entry *entry)
{
    text_append_member(text, "{\"manager\":", entry->manager.name);
    text_append_member(text, ",\"operation\":", slice_of(manager_operation_name(entry->manager.operation)));
    text_append_member(text, ",\"apiVersion\":", entry->api_version);
    if (entry->time.length)
        text_append_member(text, ",\"time\":", entry->time);
    text_append_string(text, ",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":");
    field_set_append(text, entry->fields);
    if (entry->manager.subresource.length)
        text_append_member(text, ",\"subresource\":", entry->manager.subresource);
    text_append_string(text, "}");
}

/* All members of a map but one, each with a comma after it. */
static void append_members_but(struct text *text, const struct manifest_node *map, struct slice left_out)
{
    for (size_t i = 0; i < (map && map->kind == MANIFEST_MAP ? map->count : 0); i++) {
        if (slice_equal(map->members[i].key, left_out))
            continue;
        manifest_append_member(text, &map->members[i]);
        text_append_string(text, ",");
    }
}

void owners_append_object(
    struct text *text, const struct manifest_node *object, const struct owner_entry *entries, size_t count)
{
    text_append_string(text, "{");
    append_members_but(text, object, SLICE("metadata"));
    text_append_string(text, "\"metadata\":{");
    append_members_but(text, manifest_member(object, SLICE("metadata")), SLICE("managedFields"));
    text_append_string(text, "\"managedFields\":[");
    for (size_t i = 0; i < count; i++) {
        text_append_string(text, i ? "," : "");
        owners_append_entry(text, &entries[i]);
    }
    text_append_string(text, "]}}");
}
