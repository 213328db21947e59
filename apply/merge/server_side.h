/*
 * server_side.h: the result of a server-side apply (structured-merge-diff, merge/update.go).
 *
 * The sets of other managers are not converted between versions: with few exceptions, a built-in type has the
 * same fields in all served versions. The API server's other steps (defaults, validation, admission) are not
 * part of it.
 */
#ifndef APPLYGUARD_APPLY_MERGE_SERVER_SIDE_H
#define APPLYGUARD_APPLY_MERGE_SERVER_SIDE_H

#include "apply/merge/field_set.h"
#include "apply/merge/schema.h"
#include "apply/merge/value.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

struct server_side_apply {
    struct schema_ref type;
    const struct value *live;              /* without managedFields */
    const struct value *configuration;     /* without managedFields */
    const struct field_set *const *owners; /* the fields of each entry of the live object, never NULL */
    size_t owner_count;
    size_t applier; /* the index of the owner that applies; owner_count: it has no Apply entry yet */
};

struct server_side_result {
    /* The object afterwards; null if nothing is left. With conflicts: the result of force. */
    const struct value *merged;
    /* The applier's fields afterwards, which its configuration declares. */
    const struct field_set *fields;
    /* For each owner, its fields that the configuration changes or adds. For the applier: empty. */
    const struct field_set **conflicts;
    bool has_conflicts;
    /*
     * The fields of each owner afterwards, without conflicts or with force. For the applier: `fields`. An
     * entry without fields is removed.
     */
    const struct field_set **remaining;
    /* The fields that the applier gives up, and the part of them that stays because others own it, too. */
    const struct field_set *given_up;
    const struct field_set *kept;
};

/* Fields that no set contains: the API server sets them, or they identify the object (stripmeta.go). */
const struct field_set *untracked_fields(void);

/* Whether a member of metadata is such a field, or a member of the object: then `parent` is NULL. */
bool field_is_untracked(const struct path *parent, struct slice name);

/* Returns 0, or -1 and sets the error: the configuration cannot be merged, or memory runs out. */
int server_side_apply(
    const struct server_side_apply *apply, struct arena *arena, struct server_side_result *result,
    struct error *error);

#endif
