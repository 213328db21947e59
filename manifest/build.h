/* build.h: makes the tree of a document, within its limits; readers of YAML and JSON share it. */
#ifndef APPLYGUARD_MANIFEST_BUILD_H
#define APPLYGUARD_MANIFEST_BUILD_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/comments.h"
#include "manifest/limits.h"
#include "manifest/node.h"
#include "manifest/notes.h"

/* The document that is being read, and its cost so far. */
struct build {
    struct arena *arena;
    struct error *error;
    struct manifest_limits limits;
    struct notes *notes;
    size_t nodes; /* with aliases expanded */
    size_t text_bytes;
    bool has_aliases;
    bool is_malformed;         /* the error violates JSON's grammar */
    struct scalar_spans spans; /* collected if the text has comments with a meaning */
};

/* Fills the error of the document. They return NULL or false, so that callers can return the result. */
struct manifest_node *build_out_of_memory(struct build *build);
struct manifest_node *build_refuse(struct build *build, struct manifest_place place, const char *sentence);
bool build_check_depth(struct build *build, unsigned depth, struct manifest_place place);

/* Counts more nodes and bytes of text. Returns false and sets the error if that exceeds the limits. */
bool build_count(struct build *build, size_t nodes, size_t text_bytes, struct manifest_place place);

/* A node that counts itself and its text. Returns NULL and sets the error if that exceeds the limits. */
struct manifest_node *build_node(
    struct build *build, enum manifest_kind kind, struct slice string, struct manifest_place place);

/* A list or map that is being read, with its entries in the order of the source. */
struct build_entry {
    struct build_entry *next;
    struct manifest_member member; /* for a list, only the value */
    size_t order;
    bool is_merged; /* a merge key added it */
};

struct build_container {
    struct manifest_node *node;
    struct build_entry *first;
    struct build_entry **end;
    size_t count;
};

void build_open(struct build_container *container, struct manifest_node *node);

/*
 * Adds an entry and counts its value for the container. Returns NULL and sets the error if memory runs out.
 */
struct build_entry *build_add(
    struct build *build, struct build_container *container, const struct manifest_member *member);

/* Completes the node: if a key is repeated, the last one counts, and the repetition is noted. */
struct manifest_node *build_close(struct build *build, struct build_container *container);

#endif
