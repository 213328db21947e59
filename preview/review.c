#include "preview/review.h"

#include "check/kinds.h"
#include "preview/text_value.h"

#include <time.h>

#define TIME_BYTES 32

static void append_member(struct text *text, const char *name, struct slice value)
{
    text_append_string(text, name);
    text_append_json(text, value);
}

static void append_now(struct text *text, int64_t now)
{
    char bytes[TIME_BYTES];
    struct tm parts;
    time_t seconds = (time_t)now;
    if (!gmtime_r(&seconds, &parts) || !strftime(bytes, sizeof(bytes), "%Y-%m-%dT%H:%M:%SZ", &parts))
        bytes[0] = '\0';
    append_member(text, ",\"time\":", slice_of(bytes));
}

static void append_entry(
    struct text *text, const struct live_entry *entry, const struct field_set *fields, const int64_t *now)
{
    append_member(text, "{\"manager\":", entry->manager.name);
    append_member(text, ",\"operation\":", slice_of(manager_operation_name(entry->manager.operation)));
    append_member(text, ",\"apiVersion\":", entry->api_version);
    if (now)
        append_now(text, *now);
    else if (entry->time.length)
        append_member(text, ",\"time\":", entry->time);
    text_append_string(text, ",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":");
    field_set_append(text, fields);
    if (entry->manager.subresource.length)
        append_member(text, ",\"subresource\":", entry->manager.subresource);
    text_append_string(text, "}");
}

static bool is_same_set(const struct field_set *a, const struct field_set *b, struct arena *arena)
{
    return field_set_is_empty(field_set_difference(a, b, arena)) &&
        field_set_is_empty(field_set_difference(b, a, arena));
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
            i != outcome->applier || (is_same && i < count && is_same_set(fields, entry->fields, arena));
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
    const struct value *entries = text_value_of_json(managed_fields(reviewed, arena), arena);
    if (!entries)
        return NULL;
    const struct value *metadata = value_member(after, SLICE("metadata"));
    metadata = value_with(metadata, SLICE("managedFields"), entries, arena);
    return metadata ? value_with(after, SLICE("metadata"), metadata, arena) : NULL;
}

static void append_options(struct text *text, const struct attempt *attempt)
{
    bool is_apply = attempt->manager.operation == MANAGER_APPLY;
    bool is_patch = is_apply || attempt->live;
    text_append_string(text, ",\"dryRun\":false,\"options\":{\"kind\":");
    text_append_json(text, is_patch ? SLICE("PatchOptions") : SLICE("CreateOptions"));
    text_append_string(text, ",\"apiVersion\":\"meta.k8s.io/v1\"");
    if (is_apply)
        text_append_string(text, attempt->is_forced ? ",\"force\":true" : ",\"force\":false");
    append_member(text, ",\"fieldManager\":", attempt->manager.name);
    text_append_string(text, "}");
}

static void append_user(struct text *text, const struct reviewed *reviewed)
{
    append_member(text, ",\"userInfo\":{\"username\":", reviewed->user);
    text_append_string(text, ",\"groups\":[");
    for (size_t i = 0; i < reviewed->groups.count; i++)
        append_member(text, i ? "," : "", reviewed->groups.items[i]);
    text_append_string(text, "]}");
}

struct slice review_of_apply(const struct reviewed *reviewed, struct arena *arena)
{
    const struct manifest_object *manifest = reviewed->manifest;
    const struct attempt *attempt = reviewed->attempt;
    const struct value *object = object_after(reviewed, arena);
    struct text text = text_start(arena, 16384);
    if (!object)
        return (struct slice){NULL, 0};
    text_append_string(
        &text,
        "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":"
        "\"preview\",\"kind\":");
    append_member(&text, "{\"group\":", group_of(manifest->api_version));
    append_member(&text, ",\"version\":", version_of(manifest->api_version));
    append_member(&text, ",\"kind\":", manifest->kind);
    append_member(&text, "},\"name\":", manifest->name);
    append_member(&text, ",\"namespace\":", reviewed->namespace);
    append_member(&text, ",\"operation\":", attempt->live ? SLICE("UPDATE") : SLICE("CREATE"));
    append_user(&text, reviewed);
    text_append_string(&text, ",\"object\":");
    value_append_json(&text, object);
    text_append_string(&text, ",\"oldObject\":");
    if (attempt->live)
        text_append(&text, attempt->live->json);
    else
        text_append_string(&text, "null");
    append_options(&text, attempt);
    text_append_string(&text, "}}");
    return text_slice(&text);
}
