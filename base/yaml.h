/*
 * yaml.h: a YAML document as a tree whose every node knows its place.
 *
 * The tree is what policy files and kubeconfigs need and no more: texts, lists and maps with texts as keys.
 * Scalars stay the text they are written as, so `off` and `1.10` mean what they say and whoever reads them
 * decides the type. Anchors and aliases work, within bounds; merge keys, tags beyond the core ones,
 * directives and second documents are refused, and so are duplicate keys.
 */
#ifndef APPLYGUARD_BASE_YAML_H
#define APPLYGUARD_BASE_YAML_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* Maps and lists within each other; a policy needs six. */
#define YAML_DEPTH_MAX 32

/* Nodes and bytes of text of a document, aliases counted as what they stand for. */
#define YAML_NODES_MAX ((size_t)65536)
#define YAML_TEXT_BYTES_MAX ((size_t)4 * 1024 * 1024)

/* An alias is looked for among all anchors, one by one. */
#define YAML_ANCHORS_MAX ((size_t)1024)

enum yaml_kind { YAML_KIND_TEXT, YAML_KIND_LIST, YAML_KIND_MAP };

struct yaml_entry {
    struct yaml_entry *next;
    const struct yaml_node *key; /* always a text; NULL in a list */
    const struct yaml_node *value;
};

/* Immutable. An alias is the very node of its anchor, so nodes may hang in several places. */
struct yaml_node {
    enum yaml_kind kind;
    unsigned line; /* 1-based */
    unsigned column;
    struct slice text; /* YAML_KIND_TEXT */
    bool quoted;       /* written as a string beyond doubt: in quotes, as a block, or tagged !!str */
    bool null;         /* nothing at all, ~ or null, without quotes */
    struct yaml_entry *entries;
    size_t count;

    /* What the node adds to its document wherever an alias puts it. */
    size_t nodes;
    size_t text_bytes;
    unsigned height; /* levels of lists and maps; 0 for a text */
};

/*
 * Reads the one document that `text` holds. The tree and its texts live in `arena`. Returns NULL and fills
 * `error`, with line and column wherever there is a place.
 */
const struct yaml_node *yaml_read(struct slice text, struct arena *arena, struct error *error);

/* Takes a problem after which the reading goes on. */
typedef void yaml_report(void *context, const struct error *error);

/*
 * The same, but reports duplicate keys, tags and merge keys, and reads on as if they were well: whoever asks
 * refuses the tree then, and can tell more of it. NULL and `error` only where nothing more can be read.
 */
const struct yaml_node *yaml_read_on(
    struct slice text, struct arena *arena, yaml_report *report, void *context, struct error *error);

/* The value of a map's key; NULL if it has none of that name or is no map. */
const struct yaml_node *yaml_member(const struct yaml_node *map, struct slice key);

/*
 * Foreign text for a sentence in double quotes, without those: escaped as text_append_quotable does, and cut
 * with an ellipsis after some 40 bytes. Ends with a NUL; "?" if there is no memory.
 */
const char *yaml_excerpt(struct arena *arena, struct slice text);

#endif
