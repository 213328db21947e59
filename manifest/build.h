/* build.h: makes the tree of a document, within its limits; readers of YAML and JSON share it. */
#ifndef APPLYGUARD_MANIFEST_BUILD_H
#define APPLYGUARD_MANIFEST_BUILD_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/comments.h"
#include "manifest/limits.h"
#include "manifest/node.h"
#include "manifest/notes.h"

/* An item or a member of a list or map that is being read. */
struct build_entry {
    struct manifest_member member; /* for a list, only the value */
    size_t order;
    bool is_merged; /* a merge key added it */
};

/* The entries of all lists and maps that are being read, the innermost last. All zero: empty. */
struct build_stack {
    struct build_entry *entries;
    size_t count;
    size_t capacity;
    bool failed; /* memory ran out for it */
};

void build_stack_free(struct build_stack *stack);

/* The document that is being read, and its cost so far. */
struct build {
    struct arena *arena;
    struct error *error;
    struct manifest_limits limits;
    struct notes *notes;
    struct build_stack *stack;
    size_t nodes; /* with aliases expanded */
    size_t text_bytes;
    bool has_aliases;
    bool is_malformed;         /* the error violates JSON's grammar */
    bool has_waivers;          /* comments may contain waivers */
    struct scalar_spans spans; /* collected if so */
};

/* Fills the error of the document. They return NULL or false, so that callers can return the result. */
struct manifest_node *build_out_of_memory(struct build *build);
struct manifest_node *build_refuse(struct build *build, struct manifest_place place, const char *sentence);
bool build_check_depth(struct build *build, unsigned depth, struct manifest_place place);

/* Counts more nodes and bytes of text. Returns false and sets the error if that exceeds the limits. */
bool build_count(struct build *build, size_t nodes, size_t text_bytes, struct manifest_place place);

/* Fills a node that counts itself and its text. Returns false and sets the error if that exceeds the limits.
 */
bool build_fill(
    struct build *build, struct manifest_node *node, enum manifest_kind kind, struct slice string,
    struct manifest_place place);

/* The same for a new node. Returns NULL and sets the error if that exceeds the limits or memory runs out. */
struct manifest_node *build_node(
    struct build *build, enum manifest_kind kind, struct slice string, struct manifest_place place);

/* A list or map that is being read: its entries are the last of the stack, in the order of the source. */
struct build_container {
    struct manifest_node *node;
    size_t first;
};

struct build_container build_open(const struct build *build, struct manifest_node *node);

/*
 * Adds an entry and counts its value for the container; those inside it must be closed. The entry moves with
 * the next one. Returns NULL and sets the error if memory runs out.
 */
struct build_entry *build_add(
    struct build *build, struct build_container *container, const struct manifest_member *member);

/* Completes the node: if a key is repeated, the last one counts, and the repetition is noted. */
struct manifest_node *build_close(struct build *build, const struct build_container *container);

#endif
