/*
 * build.h: makes the tree of a document, within its bounds; what reading YAML and reading JSON share.
 */
#ifndef APPLYGUARD_MANIFEST_BUILD_H
#define APPLYGUARD_MANIFEST_BUILD_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/comments.h"
#include "manifest/limits.h"
#include "manifest/node.h"
#include "manifest/notes.h"

/* What is being read, and what it has cost so far. */
struct build {
    struct arena *arena;
    struct error *error;
    struct manifest_limits limits;
    struct notes *notes;
    size_t nodes; /* with aliases counted as what they stand for */
    size_t text_bytes;
    bool has_aliases;
    bool is_malformed;         /* the error is one of JSON's grammar */
    struct scalar_spans spans; /* gathered where the text has comments that matter */
};

/* Fills the error of what is being read. Return NULL or false, so that callers can return them. */
struct manifest_node *build_out_of_memory(struct build *build);
struct manifest_node *build_refuse(struct build *build, struct manifest_place place, const char *sentence);
bool build_check_depth(struct build *build, unsigned depth, struct manifest_place place);

/* Counts more nodes and bytes of text. False, with an error, if that passes the limits. */
bool build_count(struct build *build, size_t nodes, size_t text_bytes, struct manifest_place place);

/* A node that counts for itself and for its text. NULL, with an error, if that passes the limits. */
struct manifest_node *build_node(
    struct build *build, enum manifest_kind kind, struct slice string, struct manifest_place place);

/* A list or map that is being read, its entries in the order of the source. */
struct build_entry {
    struct build_entry *next;
    struct manifest_member member; /* of a list, the value only */
    size_t order;
    bool is_merged; /* came by a merge key */
};

struct build_container {
    struct manifest_node *node;
    struct build_entry *first;
    struct build_entry **end;
    size_t count;
};

void build_open(struct build_container *container, struct manifest_node *node);

/* Adds an entry and counts its value to the container. NULL, with an error, if there is no memory. */
struct build_entry *build_add(
    struct build *build, struct build_container *container, const struct manifest_member *member);

/* Makes the node whole: of keys that are there twice the last one counts, and is noted. */
struct manifest_node *build_close(struct build *build, struct build_container *container);

#endif
