/*
 * node.h: the value that kubectl makes of a manifest, in which every part knows its place in the source.
 *
 * The tree is what kubectl sends: aliases and merge keys are expanded, keys are texts, and of duplicate keys
 * the last one counts. Numbers are what Kubernetes keeps: a whole number of 64 bits with a sign, or a double.
 */
#ifndef APPLYGUARD_MANIFEST_NODE_H
#define APPLYGUARD_MANIFEST_NODE_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum manifest_kind {
    MANIFEST_NULL,
    MANIFEST_BOOL,
    MANIFEST_INT,
    MANIFEST_FLOAT,
    MANIFEST_STRING,
    MANIFEST_LIST,
    MANIFEST_MAP
};

/*
 * Lines and columns count from 1. A line ends with LF, as editors and git count; a column is a character. An
 * alias is where the alias stands, and what is in it is where the anchor's content stands.
 */
struct manifest_place {
    unsigned line;
    unsigned column;
    unsigned end_line;   /* of the last line that belongs to it; not before `line` */
    unsigned end_column; /* in that line, behind its last character */
};

static inline bool manifest_is_before(
    unsigned line, unsigned column, unsigned other_line, unsigned other_column)
{
    return line < other_line || (line == other_line && column < other_column);
}

struct manifest_member;

/* Immutable. Aliases of one anchor share what is in them. */
struct manifest_node {
    enum manifest_kind kind;
    unsigned height; /* levels of lists and maps; 0 for a scalar */
    struct manifest_place place;
    size_t count;      /* of items or members */
    size_t nodes;      /* values and keys of this tree, aliases counted as what they stand for */
    size_t text_bytes; /* of its texts, likewise */
    union {
        bool boolean;
        int64_t integer;
        double real; /* finite */
        struct slice string;
        const struct manifest_node *const *items;
        const struct manifest_member *members; /* in the order of their keys' bytes, each key once */
    };
};

struct manifest_member {
    struct slice key;
    struct manifest_place key_place;
    const struct manifest_node *value;
};

/* The value of a map's key, by binary search. NULL if there is none, or if `map` is NULL or not a map. */
const struct manifest_node *manifest_member(const struct manifest_node *map, struct slice key);

/* The same, with the place of the key. */
const struct manifest_member *manifest_find_member(const struct manifest_node *map, struct slice key);

/* Whether both are the same to kubectl, wherever they stand. Recurses as deep as they are. */
bool manifest_equal(const struct manifest_node *a, const struct manifest_node *b);

/* The text of a string; an empty slice if `node` is NULL or not a string. */
static inline struct slice manifest_text(const struct manifest_node *node)
{
    return node && node->kind == MANIFEST_STRING ? node->string : (struct slice){NULL, 0};
}

#endif
