/* result.h: the question and the result of a preview. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_RESULT_H
#define APPLYGUARD_COMMANDS_PREVIEW_RESULT_H

#include "apply/merge/value.h"
#include "apply/question.h"
#include "policy/config/config.h"
#include "policy/managers.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdint.h>

struct resolution;

/* The effect on an object that Helm's new manifest no longer has. */
enum preview_dropped {
    DROPPED_NOT,     /* the manifest has it */
    DROPPED_DELETED, /* Helm deletes the object */
    DROPPED_LEFT,    /* its annotation helm.sh/resource-policy keeps it */
};

/* A field that is removed from the manifest, but stays. */
struct preview_kept {
    struct slice path;
    struct slice_list managers; /* the managers that keep it; none: it has no owner */
};

struct preview_conflict {
    struct slice path;
    struct manager manager;
    struct slice api_version;
    const struct resolution
        *resolutions; /* RESOLUTION_COUNT resolutions (owners/resolutions.h); NULL: the field is taken */
};

/* The kinds of managers that set a field back after an apply. */
enum preview_reverter {
    REVERTER_NONE,       /* none, or unknown */
    REVERTER_APPLIER,    /* it declares the field: it sets the field back, or fails to */
    REVERTER_AUTOSCALER, /* it wrote the field through the subresource scale */
    REVERTER_CONTROLLER, /* according to the policy's class rules */
};

struct preview_reverted {
    struct slice path;
    struct slice manager;
    enum preview_reverter reverter;
};

/* Paths are in the API server's form, printable. All memory is in the arena. */
struct preview {
    struct slice kind;
    struct slice namespace;
    struct slice name;
    enum preview_dropped dropped;
    const char *reason;        /* why it is deleted or left; NULL: it is neither */
    bool is_created;           /* the object does not exist */
    bool is_forced;            /* conflicting fields are taken, as always in a client-side apply */
    bool is_refused;           /* the apply has no effect: it conflicts, or the API server refuses it */
    bool has_owners;           /* false: the live object has no managedFields, so the owners are unknown */
    struct slice_list set;     /* if it is refused: the effect without the obstacle */
    struct slice_list changed; /* if it is refused, the same */
    struct slice_list removed; /* if it is refused, the same */
    const struct preview_kept *kept;
    size_t kept_count;
    const struct preview_conflict *conflicts;
    size_t conflict_count;
    const struct preview_reverted *reverted;
    size_t reverted_count;
    struct slice_list refused;     /* sentences, no full stop; the last one may be "and 4 more" */
    struct slice_list notes;       /* about unknown facts, in the same form */
    const struct verdict *verdict; /* NULL: no request reaches the policy, or owners are unknown */
    const struct value *before;    /* without managedFields; NULL: the object does not exist */
    const struct value *after;     /* the same */
    bool is_secret;
};

#endif
