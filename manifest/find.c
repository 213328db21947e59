#include "manifest/find.h"

#include "manifest/number.h"

struct search {
    struct manifest_found found;
    size_t nearest_length; /* the length of the path up to the nearest node */
};

static void note_nearest(
    struct search *search, const struct manifest_node *node, struct manifest_place place, size_t length)
{
    if (search->found.nearest && length <= search->nearest_length)
        return;
    search->found.nearest = node;
    search->found.nearest_place = place;
    search->nearest_length = length;
}

static bool find_within(
    struct search *search, const struct manifest_node *node, struct manifest_place place, struct slice path,
    size_t offset);

static bool ends_name(struct slice path, size_t offset)
{
    return offset == path.length || path.bytes[offset] == '.' || path.bytes[offset] == '[';
}

/* .NAME: tries the longest name first, because names may contain dots and brackets. */
static bool find_name(
    struct search *search, const struct manifest_node *map, struct slice path, size_t offset)
{
    for (size_t end = path.length; end > offset; end--) {
        if (!ends_name(path, end))
            continue;
        const struct manifest_member *member =
            manifest_find_member(map, slice_from(slice_until(path, end), offset));
        if (member && find_within(search, member->value, member->key_place, path, end))
            return true;
    }
    return false;
}

/* The end of a JSON scalar or of an unquoted value; for a string, after its quote. */
static size_t value_end(struct slice path, size_t offset)
{
    if (offset < path.length && path.bytes[offset] == '"') {
        for (offset++; offset < path.length && path.bytes[offset] != '"'; offset++)
            offset += path.bytes[offset] == '\\';
        return offset < path.length ? offset + 1 : path.length;
    }
    while (offset < path.length && path.bytes[offset] != ',' && path.bytes[offset] != ']')
        offset++;
    return offset;
}

/* Paths contain strings in Go's format %q; for keys, only its simple escapes matter. */
static bool quoted_equals(struct slice quoted, struct slice text)
{
    size_t j = 0;
    if (quoted.length < 2)
        return false;
    for (size_t i = 1; i + 1 < quoted.length; i++) {
        if (quoted.bytes[i] == '\\' && i + 2 < quoted.length)
            i++;
        if (j == text.length || text.bytes[j++] != quoted.bytes[i])
            return false;
    }
    return j == text.length;
}

static bool equals(const struct manifest_node *node, struct slice value)
{
    int64_t integer;
    if (!node || !value.length)
        return false;
    switch (node->kind) {
    case MANIFEST_STRING:
        return value.bytes[0] == '"' && quoted_equals(value, node->string);
    case MANIFEST_INT:
        return number_parse_integer(value, &integer) && integer == node->integer;
    case MANIFEST_BOOL:
        return slice_equal(value, node->boolean ? SLICE("true") : SLICE("false"));
    case MANIFEST_NULL:
        return slice_equal(value, SLICE("null"));
    default:
        return false;
    }
}

/* How well an item matches the keys in a path. */
enum fit { FITS_NOT, FITS_BY_DEFAULTS, FITS };

/*
 * Compares name="a",port=80 up to the bracket. If the item lacks a key, its default may be that value, unless
 * the item lacks all keys.
 */
static enum fit fit_of_keys(const struct manifest_node *item, struct slice path, size_t offset, size_t *end)
{
    size_t matched = 0, left_out = 0;
    for (;;) {
        size_t equal_sign = offset + slice_find(slice_from(path, offset), '=');
        if (equal_sign >= path.length)
            return FITS_NOT;
        const struct manifest_node *value =
            manifest_member(item, slice_from(slice_until(path, equal_sign), offset));
        *end = value_end(path, equal_sign + 1);
        if (value && !equals(value, slice_from(slice_until(path, *end), equal_sign + 1)))
            return FITS_NOT;
        matched += value != NULL;
        left_out += value == NULL;
        if (*end < path.length && path.bytes[*end] == ']' && matched)
            return left_out ? FITS_BY_DEFAULTS : FITS;
        if (*end >= path.length || path.bytes[*end] != ',')
            return FITS_NOT;
        offset = *end + 1;
    }
}

static enum fit fit_of_value(const struct manifest_node *item, struct slice path, size_t offset, size_t *end)
{
    *end = value_end(path, offset);
    bool fits = *end < path.length && path.bytes[*end] == ']' &&
        equals(item, slice_from(slice_until(path, *end), offset));
    return fits ? FITS : FITS_NOT;
}

typedef enum fit fit_of(const struct manifest_node *item, struct slice path, size_t offset, size_t *end);

/*
 * The path of port 53 with the protocol UDP must not find an item with port 53 and no protocol: the best
 * match wins.
 */
static bool find_fitting(
    struct search *search, const struct manifest_node *list, struct slice path, size_t offset, fit_of *fit_of)
{
    enum fit best = FITS_NOT;
    size_t end = offset;
    for (size_t i = 0; i < list->count && best != FITS; i++) {
        enum fit fit = fit_of(list->items[i], path, offset, &end);
        best = fit > best ? fit : best;
    }
    for (size_t i = 0; i < list->count && best != FITS_NOT; i++) {
        const struct manifest_node *item = list->items[i];
        if (fit_of(item, path, offset, &end) == best && find_within(search, item, item->place, path, end + 1))
            return true;
    }
    return false;
}

static bool find_item(
    struct search *search, const struct manifest_node *list, struct slice path, size_t offset)
{
    if (list->kind != MANIFEST_LIST || offset == path.length)
        return false;
    size_t end = offset + slice_find(slice_from(path, offset), ']');
    uint64_t index;
    if (path.bytes[offset] == '=')
        return find_fitting(search, list, path, offset + 1, fit_of_value);
    if (!number_parse_digits(slice_from(slice_until(path, end), offset), 10, &index))
        return find_fitting(search, list, path, offset, fit_of_keys);
    if (index >= list->count || end == path.length)
        return false;
    const struct manifest_node *item = list->items[index];
    return find_within(search, item, item->place, path, end + 1);
}

/* Each node has only one path, so it is searched once. Recurses as deep as the node is. */
static bool find_within(
    struct search *search, const struct manifest_node *node, struct manifest_place place, struct slice path,
    size_t offset)
{
    note_nearest(search, node, place, offset);
    if (offset == path.length) {
        search->found.node = node;
        search->found.place = place;
        return true;
    }
    if (path.bytes[offset] == '.' && node->kind == MANIFEST_MAP)
        return find_name(search, node, path, offset + 1);
    return path.bytes[offset] == '[' && find_item(search, node, path, offset + 1);
}

struct manifest_found manifest_find(const struct manifest_node *root, struct slice path)
{
    struct search search = {.nearest_length = 0};
    find_within(&search, root, root->place, path, 0);
    return search.found;
}
