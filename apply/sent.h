/*
 * sent.h: the object that an applier sends, without the fields that the API server sets: `status`, and
 * members of `metadata` such as `resourceVersion`. Private to this component.
 */
#ifndef APPLYGUARD_APPLY_SENT_H
#define APPLYGUARD_APPLY_SENT_H

#include "apply/merge/value.h"

/* The object without the fields that the API server sets. Returns NULL if memory runs out. */
const struct value *sent_declared(const struct value *object, struct arena *arena);

/* The object with the live values of fields that the API server sets. Returns NULL if memory runs out. */
const struct value *sent_with_live(const struct value *object, const struct value *live, struct arena *arena);

#endif
