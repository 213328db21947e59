#include "commands/replay/index_patch.h"

#include "base/digits.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

/* Operations of one patch that are looked at: each is compared with all tests. */
#define OPERATIONS_MAX 256

static struct slice member_of(yyjson_val *operation, const char *name)
{
    return json_text(json_member(operation, slice_of(name)));
}

/* The first part of a JSON pointer, without the slash before it. */
static struct slice take_part(struct slice *path)
{
    struct slice rest = slice_from(*path, 1), part = slice_until(rest, slice_find(rest, '/'));
    *path = slice_from(rest, part.length);
    return part;
}

/* An item's name, or the item itself where it is a text. Empty: the item has no name to compare.
 */
static struct slice name_of(yyjson_val *item)
{
    return yyjson_is_str(item) ? json_text(item) : json_text(json_member(item, SLICE("name")));
}

/* Follows the path in both objects up to the first item of a list that is another one. Escaped names are not
 * followed. */
static bool find_item(
    struct slice path, yyjson_val *seen, yyjson_val *before, struct replay_index_patch *found)
{
    const struct slice whole = path;
    while (path.length && path.bytes[0] == '/') {
        struct slice part = take_part(&path);
        size_t index;
        bool is_list = yyjson_is_arr(seen) && yyjson_is_arr(before);
        if (is_list && !digits_parse(part, &index))
            return false;
        seen = is_list ? yyjson_arr_get(seen, index) : json_member(seen, part);
        before = is_list ? yyjson_arr_get(before, index) : json_member(before, part);
        if (!seen || !before)
            return false;
        if (!is_list || !name_of(seen).length || !name_of(before).length ||
            slice_equal(name_of(seen), name_of(before)))
            continue;
        *found = (struct replay_index_patch){
            .path = slice_until(whole, whole.length - path.length),
            .seen = name_of(seen),
            .before = name_of(before)};
        return true;
    }
    return false;
}

static bool is_test(yyjson_val *operation)
{
    return slice_equal(member_of(operation, "op"), SLICE("test"));
}

/* Whether the patch tests the item, something in it, or the version of the object. */
static bool is_tested(yyjson_val *patch, struct slice item)
{
    json_each_item(operation, patch) {
        struct slice path = member_of(operation, "path");
        bool is_version = slice_equal(path, SLICE("/metadata/resourceVersion"));
        bool is_within =
            slice_starts_with(path, item) && (path.length == item.length || path.bytes[item.length] == '/');
        if (is_version || (is_test(operation) && is_within))
            return true;
    }
    return false;
}

bool replay_index_patch_find(
    yyjson_val *patch, yyjson_val *seen, yyjson_val *before, struct replay_index_patch *found)
{
    if (!yyjson_is_arr(patch) || yyjson_arr_size(patch) > OPERATIONS_MAX)
        return false;
    json_each_item(operation, patch) {
        struct slice op = member_of(operation, "op");
        bool changes = slice_equal(op, SLICE("replace")) || slice_equal(op, SLICE("remove")) ||
            slice_equal(op, SLICE("add"));
        struct slice path = member_of(operation, "path");
        if (changes && find_item(path, seen, before, found) && !is_tested(patch, found->path) &&
            (!slice_equal(op, SLICE("add")) || found->path.length < path.length))
            return true;
    }
    return false;
}

struct slice replay_index_patch_message(
    const struct replay_index_patch *found, struct slice kind, struct slice namespace, struct slice name,
    struct arena *arena)
{
    return text_join(
        arena, as_printable(slice_until(kind, slice_find(kind, '.'))), " ",
        as_qualified(text_append_printable, namespace, name), ": the JSON patch changes ",
        as_printable(found->path), ", where the writer saw \"",
        as_escaped(text_append_quotable, text_cut(found->seen, 64)), "\" and now \"",
        as_escaped(text_append_quotable, text_cut(found->before, 64)),
        "\" is; name the item, or test it in the patch");
}
