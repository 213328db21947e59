/* live.h: the live object with its owners. Private to this component. */
#ifndef APPLYGUARD_APPLY_LIVE_H
#define APPLYGUARD_APPLY_LIVE_H

#include "apply/entries.h"
#include "apply/merge/server_side.h"
#include "base/error.h"

/* The limit of entries of a live object: API servers keep far fewer. */
#define LIVE_OWNERS_MAX 1000

struct live {
    yyjson_val *json;
    const struct value *object;  /* without managedFields */
    struct owner_entry *entries; /* of its managedFields */
    size_t count;
    bool has_owners; /* false: it has no managedFields, as kubectl get prints it, so its owners are unknown */
};

/*
 * Returns -1 and sets the error if it is not a JSON object, or its managedFields do not have the form of the
 * API.
 */
int apply_live_read(yyjson_val *json, struct arena *arena, struct live *live, struct error *error);

/* A member of the object's metadata as text; empty if it is missing. */
struct slice apply_live_metadata(const struct value *object, struct slice name);

#endif
