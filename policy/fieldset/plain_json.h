/*
 * plain_json.h: reads the JSON in keys of FieldsV1 without copying it.
 *
 * Each walk over a set reads its list item keys ({"containerPort":80,"protocol":"TCP"}) and set items ("a")
 * again. API servers write them in a plain form: no spaces, no escapes, only strings and whole numbers. For
 * this form only the yyjson values are built, without a document and without a copy of the text. yyjson reads
 * any other form.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_PLAIN_JSON_H
#define APPLYGUARD_POLICY_FIELDSET_PLAIN_JSON_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

/* Enough for the key of a list item, which has at most four fields. */
#define PLAIN_JSON_VALUES_MAX (1 + 2 * 8)

struct plain_json {
    yyjson_val values[PLAIN_JSON_VALUES_MAX]; /* the first is the root; strings lie in the text */
    size_t count;
    bool is_sorted; /* the names of an object ascend, without duplicates */
};

/*
 * Reads a scalar, or an object of scalars. False if the text is not in the plain form: it may still be JSON.
 */
bool plain_json_read(struct slice text, struct plain_json *json);

#endif
