/*
 * server_set.h: the fields that the API server itself sets in each update of an object, so that an apply that
 * drops them changes nothing. Private to apply/.
 */
#ifndef APPLYGUARD_APPLY_SERVER_SET_H
#define APPLYGUARD_APPLY_SERVER_SET_H

#include "apply/merge/value.h"

/* The object after an update, with what the API server sets. Returns NULL if memory runs out. */
const struct value *server_set_fields(
    const struct value *object, const struct value *live, struct arena *arena);

#endif
