/*
 * plain_json.h: the JSON in keys of FieldsV1, read where it stands.
 *
 * The key of a list item ({"containerPort":80,"protocol":"TCP"}) and the item of a set ("a") are read again
 * in each walk over a set that has them. As API servers write them they are plain: no blanks, nothing
 * escaped, nothing but strings and whole numbers. Of these the values alone are made, as yyjson would lay
 * them out: no document for each, and no copy of its text. What is not plain is left to yyjson.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_PLAIN_JSON_H
#define APPLYGUARD_POLICY_FIELDSET_PLAIN_JSON_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/* A key of a list item has at most four fields. */
#define PLAIN_JSON_VALUES_MAX (1 + 2 * 8)

struct plain_json {
    yyjson_val values[PLAIN_JSON_VALUES_MAX]; /* the first is the root; strings lie in the text */
    size_t count;
    bool is_sorted; /* the names of an object ascend, and none stands there twice */
};

/* A scalar, or an object of them. False if the text is not plain: it may be JSON all the same. */
bool plain_json_read(struct slice text, struct plain_json *json);

#endif
