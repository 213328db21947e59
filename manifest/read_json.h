/*
 * read_json.h: a JSON value as kubectl reads it: encoding/json, and sigs.k8s.io/json for numbers.
 */
#ifndef APPLYGUARD_MANIFEST_READ_JSON_H
#define APPLYGUARD_MANIFEST_READ_JSON_H

#include "manifest/build.h"

/* The result of searching a value: whether one begins, and whether it is complete. */
enum json_extent {
    JSON_WHOLE,   /* a complete value, if it is valid */
    JSON_PARTIAL, /* the beginning of a value */
    JSON_NOTHING  /* only white space */
};

/* A search for the end of a value, which continues when the text grows. */
struct json_scan {
    size_t start;  /* of the value, after it has begun */
    size_t offset; /* how far the text was searched; the end of the value when it is complete */
    size_t length; /* of the value so far, with text that was already dropped */
    size_t depth;
    bool has_begun;
    bool in_string;
    bool is_escaped;
};

/*
 * Finds the end of the first value by its brackets and quotes, and does not check whether it is valid. `text`
 * is the former text, possibly with more behind it. `is_all`: the input has ended.
 */
enum json_extent json_scan(struct json_scan *scan, struct slice text, bool is_all);

/*
 * Reads the value at the start of `text`, which must end with it. `line` and `column` are its place. Returns
 * NULL and sets the error if it is malformed (then `build` says so) or too large, or memory runs out.
 */
const struct manifest_node *read_json(struct build *build, struct slice text, unsigned line, unsigned column);

#endif
