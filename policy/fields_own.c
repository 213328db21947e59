#include "policy/fields_own.h"

#include "policy/json.h"

static yyjson_val *find_child(yyjson_val *node, const struct path *element, size_t *budget)
{
    static const char kinds[] = {
        [PATH_FIELD] = 'f', [PATH_KEY] = 'k', [PATH_VALUE] = 'v', [PATH_INDEX] = 'i'};
    yyjson_obj_iter members;
    if (!yyjson_obj_iter_init(node, &members))
        return NULL;
    for (yyjson_val *key; *budget && (key = yyjson_obj_iter_next(&members)); --*budget) {
        struct slice name = json_text(key);
        if (name.length == element->text.length + 2 && name.bytes[0] == kinds[element->kind] &&
            name.bytes[1] == ':' && slice_equal(slice_from(name, 2), element->text))
            return yyjson_obj_iter_get_val(key);
    }
    return NULL;
}

/* The node at the path or, where {} above it says that a value is owned whole, that one. */
static yyjson_val *node_at(yyjson_val *fields, const struct path *path, size_t *budget)
{
    if (!path)
        return fields;
    yyjson_val *parent = node_at(fields, path->parent, budget);
    bool atomic = parent && path->parent && yyjson_obj_size(parent) == 0;
    return !parent || atomic ? parent : find_child(parent, path, budget);
}

bool fields_own(yyjson_val *fields, const struct path *path, size_t *budget)
{
    return node_at(fields, path, budget) != NULL;
}
