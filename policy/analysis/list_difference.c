#include "policy/analysis/list_difference.h"

#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

/* Members below an item that are named: more say less. */
#define DEPTH_MAX 3

/* Members of one map that are compared, each of which is searched: more would take long. */
#define MEMBERS_MAX 64

/* A place in the list. */
struct place {
    yyjson_val *old_item, *item; /* NULL: that version lacks it */
    size_t index;
};

static struct slice name_of(yyjson_val *item)
{
    return json_text(json_member(item, SLICE("name")));
}

/* The first items at the same index that differ. Both are NULL if the lists do not differ. */
static struct place first_place(yyjson_val *old_list, yyjson_val *list, struct arena *arena)
{
    yyjson_arr_iter old_items, items;
    yyjson_arr_iter_init(old_list, &old_items);
    yyjson_arr_iter_init(list, &items);
    struct place place = {.index = 0};
    for (;; place.index++) {
        place.old_item = yyjson_arr_iter_next(&old_items);
        place.item = yyjson_arr_iter_next(&items);
        if (!place.old_item || !place.item || !json_equal(place.old_item, place.item, arena))
            return place;
    }
}

/* An item of another name takes this place: one of the two versions lacks it. */
static bool is_other_item(const struct place *place)
{
    return !place->old_item || !place->item || !slice_equal(name_of(place->old_item), name_of(place->item));
}

/* The only member that differs; an empty name: several do, or it is not known which. */
static struct slice only_member(yyjson_val *old_map, yyjson_val *map, struct arena *arena)
{
    struct slice found = {NULL, 0}, none = {NULL, 0};
    if (yyjson_obj_size(old_map) > MEMBERS_MAX || yyjson_obj_size(map) > MEMBERS_MAX)
        return none;
    json_each_key(key, old_map) {
        if (json_equal(yyjson_obj_iter_get_val(key), json_member(map, json_text(key)), arena))
            continue;
        if (found.length)
            return none;
        found = json_text(key);
    }
    json_each_key(key, map) {
        if (json_member(old_map, json_text(key)))
            continue;
        if (found.length)
            return none;
        found = json_text(key);
    }
    return found;
}

static void append_members(struct text *text, yyjson_val *old_value, yyjson_val *value)
{
    for (int depth = 0; depth < DEPTH_MAX && yyjson_is_obj(old_value) && yyjson_is_obj(value); depth++) {
        struct slice name = only_member(old_value, value, text->arena);
        if (!name.length)
            return;
        text_append_all(text, ".", as_printable(name));
        old_value = json_member(old_value, name);
        value = json_member(value, name);
    }
}

struct slice list_difference(yyjson_val *old_list, yyjson_val *list, struct arena *arena)
{
    struct slice nothing = {NULL, 0};
    if (!yyjson_is_arr(old_list) || !yyjson_is_arr(list))
        return nothing;
    struct place place = first_place(old_list, list, arena);
    struct slice name = name_of(place.old_item ? place.old_item : place.item);
    struct text text = text_start(arena, 64);
    if (is_other_item(&place)) {
        if (!name.length)
            return nothing;
        text_append_all(&text, " (item ", as_printable(name), ")");
        return text_slice(&text);
    }
    if (!name.length) {
        text_append_all(&text, "[", place.index, "]");
    }
    append_members(&text, place.old_item, place.item);
    if (name.length) {
        text_append_all(&text, " of ", as_printable(name));
    }
    return text_slice(&text);
}
