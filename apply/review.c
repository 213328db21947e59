#include "apply/review.h"

#include "apply/text_value.h"
#include "manifest/kinds.h"
#include "policy/review/review_write.h"

/* What becomes of an entry. The applier's gets the time of the request, unless nothing has changed. */
static struct owner_entry entry_after(const struct reviewed *reviewed, size_t index, struct arena *arena)
{
    const struct attempt *attempt = reviewed->attempt;
    const struct outcome *outcome = reviewed->outcome;
    bool is_new = !attempt->live || index == attempt->live->count;
    struct owner_entry entry = {.fields = &field_set_empty};
    if (!is_new)
        entry = attempt->live->entries[index];
    const struct field_set *before = entry.fields;
    entry.fields = outcome->remaining[index];
    if (index != outcome->applier)
        return entry;
    entry.manager = attempt->manager;
    entry.api_version = reviewed->manifest->api_version;
    if (is_new || !value_equal(outcome->before, outcome->after) ||
        !field_set_equal(entry.fields, before, arena))
        entry.time = owners_time(reviewed->now, arena);
    return entry;
}

static struct slice managed_fields(const struct reviewed *reviewed, struct arena *arena)
{
    const struct live *live = reviewed->attempt->live;
    const struct outcome *outcome = reviewed->outcome;
    size_t count = live ? live->count : 0;
    struct text text = text_start(arena, 4096);
    const char *separator = "[";
    for (size_t i = 0; i < count + (outcome->applier == count); i++) {
        const struct owner_entry entry = entry_after(reviewed, i, arena);
        if (field_set_is_empty(entry.fields))
            continue;
        text_append_string(&text, separator);
        owners_append_entry(&text, &entry);
        separator = ",";
    }
    text_append_string(&text, *separator == '[' ? "[]" : "]");
    return text_slice(&text);
}

struct slice review_of_apply(const struct reviewed *reviewed, struct arena *arena)
{
    const struct manifest_object *manifest = reviewed->manifest;
    const struct attempt *attempt = reviewed->attempt;
    const struct value *object =
        preview_live_with_owners(reviewed->outcome->after, managed_fields(reviewed, arena), arena);
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
