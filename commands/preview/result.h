/*
 * result.h: what is asked of a preview, and what it tells.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_RESULT_H
#define APPLYGUARD_COMMANDS_PREVIEW_RESULT_H

#include "apply/merge/value.h"
#include "apply/question.h"
#include "policy/config/config.h"
#include "policy/managers.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdint.h>

struct way;

/* What becomes of an object that Helm's new manifest no longer has. */
enum preview_dropped {
    DROPPED_NOT,     /* it has it */
    DROPPED_DELETED, /* Helm deletes the object */
    DROPPED_LEFT,    /* its annotation helm.sh/resource-policy keeps it */
};

/* A field that is gone from the manifest and stays. */
struct preview_kept {
    struct slice path;
    struct slice_list managers; /* who keeps it; none: it has no owner */
};

struct preview_conflict {
    struct slice path;
    struct manager manager;
    struct slice api_version;
    const struct way *ways; /* WAY_COUNT ways out of it (owners/ways.h); NULL: it is taken */
};

/* Who sets a field back that an apply takes. */
enum preview_reverter {
    REVERTER_NONE,       /* nobody, or it is unknown */
    REVERTER_APPLIER,    /* it declares the field: it sets it back, or fails to */
    REVERTER_AUTOSCALER, /* it wrote the field through the subresource scale */
    REVERTER_CONTROLLER, /* by the policy's class rules */
};

struct preview_reverted {
    struct slice path;
    struct slice manager;
    enum preview_reverter reverter;
};

/* Paths are in the API server's form, printable. All of it lives in the arena. */
struct preview {
    struct slice kind;
    struct slice namespace;
    struct slice name;
    enum preview_dropped dropped;
    bool is_created;           /* the object is not there */
    bool is_forced;            /* what conflicts is taken, as always by a client-side apply */
    bool is_refused;           /* nothing of it comes to be: a conflict, or the API server refuses it */
    bool has_owners;           /* false: the live object has no managedFields, so who owns what is unknown */
    struct slice_list set;     /* if it is refused: what it would set without what stands in its way */
    struct slice_list changed; /* likewise */
    struct slice_list removed; /* likewise */
    const struct preview_kept *kept;
    size_t kept_count;
    const struct preview_conflict *conflicts;
    size_t conflict_count;
    const struct preview_reverted *reverted;
    size_t reverted_count;
    struct slice_list refused;     /* sentences, no full stop; the last may be "and 4 more" */
    struct slice_list notes;       /* what is unknown, likewise */
    const struct verdict *verdict; /* NULL: no request comes before the policy, or owners are unknown */
    const struct value *before;    /* without managedFields; NULL: the object is not there */
    const struct value *after;     /* likewise */
    bool is_secret;
};

#endif
