#include "apply/live.h"

#include "base/json.h"
#include "base/json_each.h"

static int refuse_entry(struct error *error, size_t index, const char *what)
{
    return error_set(
        error, "its managedFields are broken: entry %zu %s; the API server would refuse every apply",
        index + 1, what);
}

static int read_entry(
    yyjson_val *json, size_t index, struct arena *arena, struct owner_entry *entry, struct error *error)
{
    struct error problem = {0};
    yyjson_val *fields = json_member(json, SLICE("fieldsV1"));
    *entry = (struct owner_entry){
        .manager =
            {.name = json_text(json_member(json, SLICE("manager"))),
             .subresource = json_text(json_member(json, SLICE("subresource")))},
        .api_version = json_text(json_member(json, SLICE("apiVersion"))),
        .time = json_text(json_member(json, SLICE("time"))),
        .fields = &field_set_empty,
    };
    if (!manager_operation_parse(json_text(json_member(json, SLICE("operation"))), &entry->manager.operation))
        return refuse_entry(error, index, "has no operation Apply or Update");
    if (!fields)
        return 0;
    if (!yyjson_is_obj(fields))
        return refuse_entry(error, index, "has fieldsV1 that are not a map");
    if (field_set_read(fields, arena, &entry->fields, &problem) < 0)
        return refuse_entry(error, index, "has malformed fieldsV1");
    return 0;
}

static bool is_replaced(const struct live *live, size_t number)
{
    const struct owner_entry *entry = &live->entries[number];
    for (size_t later = number + 1; later < live->count; later++)
        if (owners_is_written_by(entry, &live->entries[later].manager, live->entries[later].api_version))
            return true;
    return false;
}

/* As the API server does when it reads them: kubectl scale may have left two entries of one manager. */
static void keep_last_entries(struct live *live)
{
    size_t kept = 0;
    for (size_t i = 0; i < live->count; i++)
        if (!is_replaced(live, i))
            live->entries[kept++] = live->entries[i];
    live->count = kept;
}

static int read_entries(yyjson_val *list, struct arena *arena, struct live *live, struct error *error)
{
    size_t count = 0;
    if (!list || yyjson_is_null(list))
        return 0;
    if (!yyjson_is_arr(list))
        return error_set(error, "its managedFields are broken: they are not a list");
    if (yyjson_arr_size(list) > LIVE_OWNERS_MAX)
        return error_set(error, "it has more than %d managedFields entries", LIVE_OWNERS_MAX);
    live->entries = arena_allocate_array(arena, yyjson_arr_size(list) + 1, sizeof(*live->entries));
    if (!live->entries)
        return error_set_out_of_memory(error);
    json_each_item(item, list) {
        if (read_entry(item, count, arena, &live->entries[count], error) < 0)
            return -1;
        count++;
    }
    live->count = count;
    keep_last_entries(live);
    live->has_owners = count > 0;
    return 0;
}

static int read_live(yyjson_val *json, struct arena *arena, struct live *live, struct error *error)
{
    *live = (struct live){.json = json};
    if (!yyjson_is_obj(json))
        return error_set(error, "the live object is not a JSON object");
    yyjson_val *entries = json_metadata(json, SLICE("managedFields"));
    if (read_entries(entries, arena, live, error) < 0)
        return -1;
    live->object = value_read_without(json, entries, arena, error);
    return live->object ? 0 : -1;
}

/* An object that could not be read because memory ran out may be valid, so report that instead. */
int apply_live_read(yyjson_val *json, struct arena *arena, struct live *live, struct error *error)
{
    if (read_live(json, arena, live, error) == 0)
        return 0;
    return arena_has_failed(arena) ? error_set_out_of_memory(error) : -1;
}

struct slice apply_live_metadata(const struct value *object, struct slice name)
{
    return value_text(value_member(value_member(object, SLICE("metadata")), name));
}
