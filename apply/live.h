/*
 * live.h: the live object with its owners. Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_LIVE_H
#define APPLYGUARD_APPLY_LIVE_H

#include "apply/entries.h"
#include "apply/merge/server_side.h"
#include "base/error.h"

/* Of a live object: no API server keeps nearly as many. */
#define LIVE_OWNERS_MAX 1000

struct live {
    yyjson_val *json;
    const struct value *object; /* without managedFields */
    struct owner_entry *entries;
    size_t count;
    bool has_owners;
};

/* -1 and an error if it is no object, or its managedFields do not have the form of the API. */
int preview_live_read(struct slice json, struct arena *arena, struct live *live, struct error *error);

/* A member of the object's metadata as text; empty if there is none. */
struct slice preview_live_metadata(const struct value *object, struct slice name);

#endif
