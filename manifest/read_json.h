/*
 * read_json.h: a JSON value as kubectl reads it: encoding/json, and sigs.k8s.io/json for numbers.
 */
#ifndef APPLYGUARD_MANIFEST_READ_JSON_H
#define APPLYGUARD_MANIFEST_READ_JSON_H

#include "manifest/build.h"

/* What a place in a text of JSON is: whether there is a value, and how far it reaches. */
enum json_extent {
    JSON_WHOLE,   /* there is a value, if it is valid */
    JSON_PARTIAL, /* there may be, with more text */
    JSON_NOTHING  /* only blanks */
};

/* A search for the end of a value, which goes on as the text grows. */
struct json_scan {
    size_t start;  /* of the value, once it has begun */
    size_t offset; /* how far the text was searched; the end of the value once it is whole */
    size_t length; /* of what the value has so far, also in a text that was passed over */
    size_t depth;
    bool has_begun;
    bool in_string;
    bool is_escaped;
};

/*
 * Finds the end of the first value by its brackets and quotes, without looking whether it is valid. `text` is
 * what it was before, and more. `is_all`: no more will come.
 */
enum json_extent json_scan(struct json_scan *scan, struct slice text, bool is_all);

/*
 * Reads the value at the start of `text`, of which nothing may be left over. `line` and `column` are its
 * place. NULL, with an error, if it is malformed (which `build` then says), too large, or there is no memory.
 */
const struct manifest_node *read_json(struct build *build, struct slice text, unsigned line, unsigned column);

#endif
