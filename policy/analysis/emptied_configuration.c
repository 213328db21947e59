#include "policy/analysis/emptied_configuration.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "policy/analysis/defaults.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"

static bool is_empty(yyjson_val *value)
{
    return !value || yyjson_is_null(value) || (yyjson_is_ctn(value) && unsafe_yyjson_get_len(value) == 0);
}

static bool is_left(
    const struct review *review, const struct path *path, yyjson_val *declared, yyjson_val *value);

static bool any_member_is_left(
    const struct review *review, const struct path *path, yyjson_val *declared, yyjson_val *value)
{
    json_each_key(key, declared) {
        const struct path member = path_member(path, json_text(key));
        if (is_left(
                review, &member, yyjson_obj_iter_get_val(key),
                lookup_member(review->lookup, value, member.text)))
            return true;
    }
    return false;
}

/* No schema is here to pair items: those in the same place are compared. */
static bool any_item_is_left(
    const struct review *review, const struct path *path, yyjson_val *declared, yyjson_val *value)
{
    yyjson_arr_iter items, others;
    yyjson_arr_iter_init(declared, &items);
    yyjson_arr_iter_init(value, &others);
    for (yyjson_val *item, *other;
         (item = yyjson_arr_iter_next(&items)) && (other = yyjson_arr_iter_next(&others));) {
        const struct path element = {.parent = path, .depth = path->depth + 1, .kind = PATH_INDEX};
        if (is_left(review, &element, item, other))
            return true;
    }
    return false;
}

/* Whether a declared field is still present, and did not come back as a default. */
static bool is_left(
    const struct review *review, const struct path *path, yyjson_val *declared, yyjson_val *value)
{
    if (path->depth >= JSON_DEPTH_MAX || is_empty(declared) || is_empty(value))
        return false;
    if (yyjson_is_obj(declared))
        return yyjson_is_obj(value) && any_member_is_left(review, path, declared, value);
    if (yyjson_is_arr(declared))
        return yyjson_is_arr(value) && any_item_is_left(review, path, declared, value);
    return !yyjson_is_ctn(value) && lookup_equal(review->lookup, declared, value) == ANSWER_YES &&
        !value_may_be_default(path, value);
}

/* Every configuration has these, and no apply deletes them. In metadata, only two maps are declared. */
static bool is_of_every_object(const struct path *path)
{
    static const struct slice names[] = {
        SLICE_LITERAL("apiVersion"), SLICE_LITERAL("kind"), SLICE_LITERAL("status")};
    for (size_t i = 0; path->depth == 1 && i < ARRAY_SIZE(names); i++)
        if (slice_equal(path->text, names[i]))
            return true;
    return path_is_metadata(path, path->text) && !path_is_metadata(path, SLICE("labels")) &&
        !path_is_metadata(path, SLICE("annotations"));
}

struct emptying {
    const struct review *review;
    enum configuration_parts parts;
};

static bool has_emptied_member(
    const struct emptying *emptying, const struct path *parent, yyjson_val *before, yyjson_val *after,
    yyjson_val *object)
{
    struct lookup *lookup = emptying->review->lookup;
    if (parent && parent->depth >= JSON_DEPTH_MAX)
        return false;
    json_each_key(key, before) {
        const struct path path = path_member(parent, json_text(key));
        yyjson_val *declared = yyjson_obj_iter_get_val(key);
        bool is_metadata = path.depth == 1 && slice_equal(path.text, SLICE("metadata"));
        if (!yyjson_is_ctn(declared) || is_of_every_object(&path))
            continue;
        yyjson_val *now = lookup_member(lookup, after, path.text);
        yyjson_val *value = lookup_member(lookup, object, path.text);
        if (!is_metadata && is_empty(now) && is_left(emptying->review, &path, declared, value))
            return true;
        if (emptying->parts == PARTS_ALL && (is_metadata || !is_empty(now)) &&
            has_emptied_member(emptying, &path, declared, now, value))
            return true;
    }
    return false;
}

bool configuration_is_emptied(const struct review *review, enum configuration_parts parts)
{
    const struct emptying emptying = {review, parts};
    yyjson_val *before = applied_annotation_before(review), *after = applied_annotation(review);
    return review->last_applied.written && before && after &&
        has_emptied_member(&emptying, NULL, before, after, review->object);
}
