/*
 * json_changes.h: the parts of a value that differ from a later version of it, found in one pass over both.
 */
#ifndef APPLYGUARD_BASE_JSON_CHANGES_H
#define APPLYGUARD_BASE_JSON_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/* Most updates change one field and a few of metadata. */
#define JSON_CHANGES_MAX 32

/* Values of the earlier version from `start` to before `end`. */
struct json_change {
    const yyjson_val *start;
    const yyjson_val *end;
};

struct json_changes {
    struct json_change items[JSON_CHANGES_MAX]; /* ascending */
    size_t count;
};

/*
 * Finds the changes from `before` to `after`, either of which may be NULL. Members are compared by their
 * keys, and items by their positions. A list with more or fewer items is one change, and so are many changes
 * that are close to each other: parts outside of changes are identical in both versions, but not the reverse.
 * `skipped` is a part of `before` that counts as changed without a comparison; NULL: none.
 */
void json_changes_find(
    struct json_changes *changes, const yyjson_val *before, const yyjson_val *after,
    const yyjson_val *skipped);

/* Whether a part of `before`, or anything in it, may differ. */
bool json_changes_touch(const struct json_changes *changes, const yyjson_val *part);

#endif
