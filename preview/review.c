#include "preview/review.h"

#include "check/kinds.h"
#include "check/owners.h"
#include "policy/review/review_write.h"
#include "preview/text_value.h"

/* `now` is NULL if the entry keeps its time. */
static void append_entry(
    struct text *text, const struct live_entry *entry, const struct field_set *fields, const int64_t *now)
{
    struct text time = text_start(text->arena, 32);
    if (now)
        text_append_time(&time, *now);
    const struct owner_entry after = {
        .manager = entry->manager.name,
        .is_apply = entry->manager.operation == MANAGER_APPLY,
        .api_version = entry->api_version,
        .time = now ? text_slice(&time) : entry->time,
        .fields = fields,
        .subresource = entry->manager.subresource,
    };
    owners_append_entry(text, &after);
}

/* Of the applier the time is now, unless nothing has changed. */
static struct slice managed_fields(const struct reviewed *reviewed, struct arena *arena)
{
    const struct live *live = reviewed->attempt->live;
    const struct outcome *outcome = reviewed->outcome;
    size_t count = live ? live->count : 0;
    const struct live_entry own = {
        .manager = reviewed->attempt->manager, .api_version = reviewed->manifest->api_version};
    bool is_same = live && value_equal(outcome->before, outcome->after);
    struct text text = text_start(arena, 4096);
    const char *separator = "[";
    for (size_t i = 0; i < count + (outcome->applier == count); i++) {
        const struct field_set *fields = outcome->remaining[i];
        const struct live_entry *entry = i < count ? &live->entries[i] : &own;
        bool is_old =
            i != outcome->applier || (is_same && i < count && field_set_equal(fields, entry->fields, arena));
        if (field_set_is_empty(fields))
            continue;
        text_append_string(&text, separator);
        append_entry(
            &text,
            i == outcome->applier
                ? &(struct
                    live_entry){.manager = own.manager, .api_version = own.api_version, .time = entry->time}
                : entry,
            fields, is_old ? NULL : &reviewed->now);
        separator = ",";
    }
    text_append_string(&text, *separator == '[' ? "[]" : "]");
    return text_slice(&text);
}

static const struct value *object_after(const struct reviewed *reviewed, struct arena *arena)
{
    const struct value *after = reviewed->outcome->after;
    const struct value *entries = value_read_json(managed_fields(reviewed, arena), arena);
    if (!entries)
        return NULL;
    const struct value *metadata = value_member(after, SLICE("metadata"));
    metadata = value_with(metadata, SLICE("managedFields"), entries, arena);
    return metadata ? value_with(after, SLICE("metadata"), metadata, arena) : NULL;
}

struct slice review_of_apply(const struct reviewed *reviewed, struct arena *arena)
{
    const struct manifest_object *manifest = reviewed->manifest;
    const struct attempt *attempt = reviewed->attempt;
    const struct value *object = object_after(reviewed, arena);
    struct text text = text_start(arena, 16384);
    if (!object)
        return (struct slice){NULL, 0};
    const struct review_head head = {
        .uid = "preview",
        .operation = attempt->live ? OPERATION_UPDATE : OPERATION_CREATE,
        .group = group_of(manifest->api_version),
        .version = version_of(manifest->api_version),
        .kind = manifest->kind,
        .namespace = reviewed->namespace,
        .name = manifest->name,
        .username = reviewed->user,
        .groups = reviewed->groups,
        .field_manager = attempt->manager.name,
    };
    review_write_head(&text, &head);
    review_write_object(&text);
    value_append_json(&text, object);
    if (attempt->live) {
        review_write_old_object(&text);
        text_append(&text, attempt->live->json);
    }
    review_write_end(&text);
    return text_slice(&text);
}
