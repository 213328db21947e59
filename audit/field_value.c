#include "audit/field_value.h"

#include "base/json.h"
#include "base/json_each.h"

static bool has_key(yyjson_val *item, yyjson_val *key, struct arena *arena)
{
    json_each_key(name, key) {
        yyjson_val *value = yyjson_obj_iter_get_val(name);
        if (!json_equal(json_member(item, json_text(name)), value, arena))
            return false;
    }
    return yyjson_is_obj(item) && yyjson_obj_size(key) > 0;
}

static yyjson_val *item_of(yyjson_val *list, struct slice field, struct arena *arena)
{
    yyjson_val *json = json_parse(slice_from(field, 2), arena);
    bool is_key = field.bytes[0] == 'k';
    json_each_item(item, list) {
        if (is_key ? has_key(item, json, arena) : json_equal(item, json, arena))
            return item;
    }
    return NULL;
}

yyjson_val *audit_field_value(yyjson_val *value, struct slice field, struct arena *arena)
{
    if (slice_starts_with(field, SLICE("f:")))
        return json_member(value, slice_from(field, 2));
    bool is_item = slice_starts_with(field, SLICE("k:")) || slice_starts_with(field, SLICE("v:"));
    return is_item && yyjson_is_arr(value) ? item_of(value, field, arena) : NULL;
}
