/*
 * server_side.h: what a server-side apply makes of an object (structured-merge-diff, merge/update.go).
 *
 * The sets of other managers are taken as they are: a built-in type has the same fields in the versions that
 * are served side by side, but for a few. What the API server does around it (defaults, validation,
 * admission) is not part of it.
 */
#ifndef APPLYGUARD_APPLY_MERGE_SERVER_SIDE_H
#define APPLYGUARD_APPLY_MERGE_SERVER_SIDE_H

#include "apply/merge/field_set.h"
#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

/* The fields of one managedFields entry. */
struct owner {
    const struct field_set *fields; /* never NULL */
    const void *entry;              /* the caller's own */
};

struct server_side_apply {
    struct schema_ref type;
    const struct value *live;          /* without managedFields */
    const struct value *configuration; /* likewise */
    const struct owner *owners;        /* one for each entry of the live object */
    size_t owner_count;
    size_t applier; /* which of the owners applies; owner_count: it has no Apply entry yet */
};

struct server_side_result {
    /* What is there afterwards; null if nothing is left. With conflicts: what force would make. */
    const struct value *merged;
    /* What the applier has afterwards, the fields of its configuration. */
    const struct field_set *fields;
    /* For each owner, which of its fields the configuration changes or adds. Of the applier: none. */
    const struct field_set **conflicts;
    bool has_conflicts;
    /*
     * What each owner has afterwards, if nothing stands in the way. Of the applier: `fields`. An entry
     * without fields is removed.
     */
    const struct field_set **remaining;
    /* What the applier had before and gives up, and what of it stays because others have it, too. */
    const struct field_set *given_up;
    const struct field_set *kept;
};

/* Fields that no set has: the API server sets them, or they name the object (stripmeta.go). */
const struct field_set *untracked_fields(void);

/* Whether a member of metadata is one of them, or of the object: then `parent` is NULL. */
bool field_is_untracked(const struct path *parent, struct slice name);

/* Returns 0, or -1 with an error: the configuration cannot be merged, or there is no memory. */
int server_side_apply(
    const struct server_side_apply *apply, struct arena *arena, struct server_side_result *result,
    struct error *error);

#endif
