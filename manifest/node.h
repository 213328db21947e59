/*
 * node.h: the value that kubectl makes from a manifest, with the place of each part in the source.
 *
 * The tree has the form that kubectl sends: aliases and merge keys are expanded, keys are strings, and if a
 * key is repeated the last one counts. Numbers have the types of Kubernetes: signed integers of 64 bits, and
 * doubles.
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
 * Lines and columns count from 1. A line ends with LF, as in editors and git; a column is a character. The
 * place of an alias is that of the alias itself, and its content has the places of the anchor's content.
 */
struct manifest_place {
    unsigned line;
    unsigned column;
    unsigned end_line;   /* the last line that belongs to it; not before `line` */
    unsigned end_column; /* the column in that line behind its last character */
};

static inline bool manifest_is_before(
    unsigned line, unsigned column, unsigned other_line, unsigned other_column)
{
    return line < other_line || (line == other_line && column < other_column);
}

struct manifest_member;

/* Immutable. Aliases of one anchor share its content. */
struct manifest_node {
    enum manifest_kind kind;
    unsigned height; /* levels of lists and maps; 0 for a scalar */
    struct manifest_place place;
    size_t count;      /* of items or members */
    size_t nodes;      /* values and keys of this tree, with aliases expanded */
    size_t text_bytes; /* of its texts, with aliases expanded */
    union {
        bool boolean;
        int64_t integer;
        double real; /* finite */
        struct slice string;
        const struct manifest_node *const *items;
        const struct manifest_member *members; /* sorted by the bytes of their keys, without duplicates */
    };
};

struct manifest_member {
    struct slice key;
    struct manifest_place key_place;
    const struct manifest_node *value;
};

/* The value of a map's key. Returns NULL if the key is missing, or if `map` is NULL or not a map. */
const struct manifest_node *manifest_member(const struct manifest_node *map, struct slice key);

/* The member itself, with the place of the key. */
const struct manifest_member *manifest_find_member(const struct manifest_node *map, struct slice key);

/* Whether both are the same to kubectl, at any place. Recurses as deep as they are. */
bool manifest_equal(const struct manifest_node *a, const struct manifest_node *b);

/* The text of a string; an empty slice if `node` is NULL or not a string. */
static inline struct slice manifest_text(const struct manifest_node *node)
{
    return node && node->kind == MANIFEST_STRING ? node->string : (struct slice){NULL, 0};
}

#endif
