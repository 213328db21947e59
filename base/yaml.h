/*
 * yaml.h: a YAML document as a tree in which every node knows its line and column.
 *
 * The tree has what policy files and kubeconfigs need: texts, lists, and maps with texts as keys. Scalars
 * keep the text as written, such as `off` and `1.10`; the reader of the tree decides the type. Anchors and
 * aliases work, within bounds. Merge keys, tags other than the core ones, directives, second documents and
 * duplicate keys are refused.
 */
#ifndef APPLYGUARD_BASE_YAML_H
#define APPLYGUARD_BASE_YAML_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* The limit of nested maps and lists; a policy needs six. */
#define YAML_DEPTH_MAX 32

/* The limits of a document's nodes and bytes of text, with each alias counted as the node that it repeats. */
#define YAML_NODES_MAX ((size_t)65536)
#define YAML_TEXT_BYTES_MAX ((size_t)4 * 1024 * 1024)

/* The limit of anchors: each alias is searched for among all of them, one by one. */
#define YAML_ANCHORS_MAX ((size_t)1024)

enum yaml_kind { YAML_KIND_TEXT, YAML_KIND_LIST, YAML_KIND_MAP };

struct yaml_entry {
    struct yaml_entry *next;
    const struct yaml_node *key; /* always a text; NULL in a list */
    const struct yaml_node *value;
};

/*
 * Immutable. An alias is the same node as its anchor, so a node may occur at several positions of the tree.
 */
struct yaml_node {
    enum yaml_kind kind;
    unsigned line; /* 1-based */
    unsigned column;
    struct slice text; /* YAML_KIND_TEXT */
    bool quoted;       /* certainly a string: in quotes, as a block, or tagged !!str */
    bool null;         /* nothing at all, ~ or null, without quotes */
    struct yaml_entry *entries;
    size_t count;

    /* The nodes and bytes that the node adds to its document at each alias. */
    size_t nodes;
    size_t text_bytes;
    unsigned height; /* levels of lists and maps; 0 for a text */
};

/*
 * Reads the document in `text`, of which there must be one. The tree and its texts live in `arena`. On
 * failure returns NULL and fills `error`, with line and column where there are any.
 */
const struct yaml_node *yaml_read(struct slice text, struct arena *arena, struct error *error);

/* Called with a problem after which reading continues. */
typedef void yaml_report(void *context, const struct error *error);

/*
 * The same, but reports duplicate keys, tags and merge keys and reads on as if they were valid, so that the
 * caller can report more problems before it refuses the tree. NULL and `error` only if reading cannot
 * continue.
 */
const struct yaml_node *yaml_read_on(
    struct slice text, struct arena *arena, yaml_report *report, void *context, struct error *error);

/* The value of a map's key. NULL if the key is absent, or if it is not a map. */
const struct yaml_node *yaml_member(const struct yaml_node *map, struct slice key);

/*
 * Makes untrusted text fit between double quotes in a sentence: escapes it as text_append_quotable does, and
 * cuts it with an ellipsis after some 40 bytes. Ends with a NUL; "?" if memory runs out.
 */
const char *yaml_excerpt(struct arena *arena, struct slice text);

#endif
